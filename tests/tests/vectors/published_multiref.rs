//! MultiRef's published aggregates, recomputed from their parts: every cell that does not follow is named here, and no other.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_protocols::multiref::score::{average, macro_mean};
use juror_protocols::multiref::{CATEGORIES, CONDITIONS, JUDGED};
use juror_tests::tables::{Check, Table};

fn table(name: &str) -> Table {
    Table::new(match name {
        "T3" => include_str!("../../golden/tables/multiref_T3.csv"),
        "T4" => include_str!("../../../crate/juror_protocols/src/multiref/published/T4.csv"),
        "T6" => include_str!("../../golden/tables/multiref_T6.csv"),
        "T9" => include_str!("../../golden/tables/multiref_T9.csv"),
        "T10" => include_str!("../../golden/tables/multiref_T10.csv"),
        _ => include_str!("../../../crate/juror_protocols/src/multiref/published/T11.csv"),
    })
}

fn columns(table: &Table, model: &str) -> [f64; 10] {
    CONDITIONS.map(|condition| {
        let name = if condition.id == "style" {
            "art_style"
        } else {
            condition.id
        };
        table.number(model, name).unwrap()
    })
}

fn table_4(average: impl Fn(&[f64; 10]) -> f64) -> Check {
    let table = table("T4");
    let mut check = Check::default();
    for model in table.rows() {
        let computed = average(&columns(&table, model));
        check.compare(model, table.number(model, "AVG").unwrap(), computed, 0.0006);
    }
    check
}

#[test]
fn table_4_averages_ten_columns_with_errors_turned_over() {
    let check = table_4(average);
    assert_eq!((check.compared, check.names()), (11, vec![]));
}

#[test]
fn errors_that_are_not_turned_over_explain_no_average_of_table_4() {
    let check = table_4(|columns| columns.iter().sum::<f64>() / 10.0);
    assert_eq!(check.misfits.len(), 11);
}

const SHORT: [&str; 5] = ["add", "spatial", "replace", "attribute", "style"];

fn table_11(together: impl Fn(&[f64; 5]) -> f64) -> Check {
    let table = table("T11");
    let mut check = Check::default();
    for model in table.rows() {
        for judged in JUDGED {
            let cells =
                SHORT.map(|short| table.number(model, &format!("{short}_{judged}")).unwrap());
            let printed = table.number(model, &format!("overall_{judged}")).unwrap();
            check.compare(
                &format!("{model}/{judged}"),
                printed,
                together(&cells),
                0.0006,
            );
        }
    }
    check
}

#[test]
fn table_11_overall_is_the_macro_mean_of_the_categories() {
    let check = table_11(|cells| macro_mean(cells).unwrap());
    assert_eq!((check.compared, check.names()), (33, vec![]));
}

#[test]
fn weighting_by_the_counts_of_table_9_fits_two_cells_of_table_11() {
    let counts = table("T9");
    let counts = CATEGORIES.map(|(name, _)| counts.number(name, "n").unwrap());
    let total: f64 = counts.iter().sum();
    let check = table_11(|cells| {
        cells
            .iter()
            .zip(counts)
            .map(|(cell, n)| cell * n)
            .sum::<f64>()
            / total
    });
    assert_eq!(check.misfits.len(), 31);
    let names = check.names();
    assert!(!names.contains(&"ACE/IQ") && !names.contains(&"ACE/SF"));
}

#[test]
fn table_6_percentages_are_over_a_total_that_its_counts_miss_by_87() {
    let table = table("T6");
    let total = table.number("Total", "count").unwrap();
    let mut check = Check::default();
    let mut sum = 0.0;
    for row in table.rows().filter(|row| *row != "Total") {
        let count = table.number(row, "count").unwrap();
        sum += count;
        let printed = table.number(row, "percent").unwrap();
        check.compare(row, printed, 100.0 * count / total, 0.0051);
    }
    assert_eq!((check.compared, check.names()), (32, vec![]));
    assert!((total - 38_076.0).abs() < 0.5 && (sum - 37_989.0).abs() < 0.5);
}

#[test]
fn table_9_sums_to_1000() {
    let table = table("T9");
    let sum: f64 = CATEGORIES
        .iter()
        .map(|(name, _)| table.number(name, "n").unwrap())
        .sum();
    assert!((sum - 1000.0).abs() < 0.5);
    assert_eq!(table.number("Total", "n"), Some(1000.0));
}

#[test]
fn table_3_repeats_the_pearson_columns_of_table_10() {
    let (short, long) = (
        table("T3"),
        include_str!("../../golden/tables/multiref_T10.csv"),
    );
    // Table 10 has each judge twice, once per half.
    let halves = ["Realistic", "Synthetic"].map(|half| {
        let kept: Vec<&str> = long
            .lines()
            .filter(|line| line.starts_with("part,") || line.starts_with(half))
            .map(|line| line.split_once(',').unwrap().1)
            .collect();
        Table::new(&kept.join("\n"))
    });
    let mut check = Check::default();
    for (half, prefix) in halves.iter().zip(["real", "syn"]) {
        for model in short.rows() {
            for judged in JUDGED {
                let printed = short.number(model, &format!("{prefix}_{judged}")).unwrap();
                let pearson = half.number(model, &format!("{judged}_pearson")).unwrap();
                check.compare(
                    &format!("{model}/{prefix}_{judged}"),
                    printed,
                    pearson,
                    0.0001,
                );
            }
        }
    }
    assert_eq!((check.compared, check.names()), (24, vec![]));
}

#[test]
fn the_abstracts_two_percentages_follow_from_no_table() {
    let (synthetic, real) = (table("T4"), table("T11"));
    let printed = |model: &str| synthetic.number(model, "AVG").unwrap();
    let share = |model: &str| printed(model) / printed("Ground Truth");
    let judged = |model: &str| {
        let cells = JUDGED.map(|name| real.number(model, &format!("overall_{name}")).unwrap());
        macro_mean(&cells).unwrap()
    };
    let percent = |x: f64| format!("{:.1}", 100.0 * x);
    let found = [
        percent(share("OmniGen")),
        percent(judged("OmniGen") / judged("Ground Truth")),
    ];
    // Printed: 66.6 synthetic and 79.0 real-world.
    assert_eq!(found, ["65.4", "66.7"]);
    assert_eq!(percent(share("ACE")), "78.0");
}
