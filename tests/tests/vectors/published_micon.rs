//! MICON-Bench's published aggregates, recomputed from their parts: every cell that does not follow is named here, and no other.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_protocols::micon::TASKS;
use juror_protocols::micon::score::case_weighted;
use juror_statistics::ranking::{First, Ranking};
use juror_statistics::runs::RunAverages;
use juror_tests::tables::{Check, Table};

/// The columns of the six tasks, in the order of [`TASKS`].
const COLUMNS: [&str; 6] = [
    "object",
    "spatial",
    "attribute",
    "component",
    "fgbg",
    "story",
];
/// The rows of Table 6, in the same order; one is misspelt in print.
const ROWS_OF_TABLE_6: [&str; 6] = [
    "Object",
    "Spatial",
    "Attribut",
    "Component",
    "FG/BG",
    "Story",
];

fn table(name: &str) -> Table {
    Table::new(match name {
        "T1" => include_str!("../../../crate/juror_protocols/src/micon/published/T1.csv"),
        "T2" => include_str!("../../golden/tables/micon_T2.csv"),
        "T3" => include_str!("../../golden/tables/micon_T3.csv"),
        "T5" => include_str!("../../../crate/juror_protocols/src/micon/published/T5.csv"),
        "T6" => include_str!("../../golden/tables/micon_T6.csv"),
        "T8" => include_str!("../../../crate/juror_metrics/src/dar/published/T8.csv"),
        "T9" => include_str!("../../golden/tables/micon_T9.csv"),
        "T10" => include_str!("../../../crate/juror_protocols/src/micon/published/T10.csv"),
        "T11" => include_str!("../../../crate/juror_protocols/src/micon/published/T11.csv"),
        "T12" => include_str!("../../golden/tables/micon_T12.csv"),
        _ => include_str!("../../golden/tables/micon_STABILITY.csv"),
    })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A row's six task scores.
fn scores(table: &Table, row: &str) -> [f64; 6] {
    COLUMNS.map(|column| table.number(row, column).unwrap())
}

fn weighted(scores: &[f64; 6]) -> f64 {
    case_weighted(&scores.map(Some)).unwrap()
}

/// The printed averages of a table against a formula.
fn averages(name: &str, formula: impl Fn(&[f64; 6]) -> f64) -> Check {
    let table = table(name);
    let mut check = Check::default();
    for row in table.rows() {
        let printed = table.number(row, "avg").unwrap();
        check.compare(row, printed, formula(&scores(&table, row)), 0.0101);
    }
    check
}

#[test]
fn table_6_adds_up_and_is_what_the_weights_are_taken_from() {
    let table = table("T6");
    let mut check = Check::default();
    for (row, task) in ROWS_OF_TABLE_6.into_iter().zip(&TASKS) {
        let [cases, images, two, three] =
            ["cases", "images", "ref2", "ref3"].map(|column| table.number(row, column).unwrap());
        check.compare(&format!("{row}/cases"), cases, two + three, 0.0);
        check.compare(
            &format!("{row}/images"),
            images,
            2.0 * two + 3.0 * three,
            0.0,
        );
        check.compare(
            &format!("{row}/weight"),
            cases,
            f64::from(task.num_cases),
            0.0,
        );
    }
    for column in table.columns() {
        let sum: f64 = ROWS_OF_TABLE_6
            .iter()
            .map(|row| table.number(row, column).unwrap())
            .sum();
        check.compare(
            &format!("Total/{column}"),
            table.number("Total", column).unwrap(),
            sum,
            0.0,
        );
    }
    assert_eq!((check.compared, check.names()), (22, vec![]));
}

#[test]
fn the_averages_of_table_1_weigh_tasks_by_their_cases_but_for_one() {
    let check = averages("T1", weighted);
    assert_eq!((check.compared, check.names()), (9, vec!["Nano-Banana"]));
    let (_, printed, computed) = &check.misfits[0];
    assert!((printed - 89.25).abs() < 1e-9);
    assert!((computed - 88.6527).abs() < 5e-5, "{computed}");
}

#[test]
fn the_averages_of_tables_9_and_10_weigh_tasks_by_their_cases() {
    let check = averages("T10", weighted);
    assert_eq!((check.compared, check.names()), (9, vec![]));
    // Table 9 rates 30 cases per task and still uses the weights of the complete benchmark.
    let check = averages("T9", weighted);
    assert_eq!((check.compared, check.names()), (4, vec![]));
}

#[test]
fn simple_means_fit_none_of_these_averages() {
    for (name, rows) in [("T1", 9), ("T10", 9), ("T9", 4)] {
        let check = averages(name, |scores| mean(scores));
        assert_eq!(
            (check.compared, check.misfits.len()),
            (rows, rows),
            "{name}"
        );
    }
}

#[test]
fn the_averages_of_people_in_table_11_are_simple_means() {
    let check = averages("T11", |scores| mean(scores));
    assert_eq!((check.compared, check.names()), (10, vec![]));
    assert!(!averages("T11", weighted).names().is_empty());
}

/// Table 12 calls three models by other names than Table 11.
fn name_in_table_11(model: &str) -> &str {
    match model {
        "Nano-Banana-pro" => "Nano-Banana-Pro",
        "BAGEL + DAR (Ours)" => "BAGEL + DAR",
        "Qwen-Image-Edit" => "Qwen-Image-Edit-2507",
        "OmniGen2 + DAR (Ours)" => "OmniGen2 + DAR",
        other => other,
    }
}

#[test]
fn table_12_repeats_table_11_and_its_deviations_are_absolute_ones() {
    let (people, judges) = (table("T11"), table("T12"));
    let mut check = Check::default();
    for row in judges.rows() {
        let printed = judges.number(row, "human").unwrap();
        let average = people.number(name_in_table_11(row), "avg").unwrap();
        check.compare(row, printed, average, 0.0001);
    }
    assert_eq!((check.compared, check.names()), (10, vec![]));
    let deviations = |judge: &str| -> Vec<f64> {
        let of =
            |row: &str| judges.number(row, judge).unwrap() - judges.number(row, "human").unwrap();
        judges.rows().map(of).collect()
    };
    let (mut absolute, mut signed) = (Check::default(), Check::default());
    for (judge, printed) in [("qwen3vl", 0.67), ("internvl35", 0.54)] {
        let deviations = deviations(judge);
        let sizes: Vec<f64> = deviations.iter().map(|x| x.abs()).collect();
        absolute.compare(judge, printed, mean(&sizes), 0.0051);
        signed.compare(judge, printed, mean(&deviations), 0.0051);
    }
    assert_eq!((absolute.compared, absolute.names()), (2, vec![]));
    assert_eq!(
        signed.names(),
        ["qwen3vl", "internvl35"],
        "though the text prints a sign"
    );
}

/// Models by falling score.
fn ranking<'a>(table: &'a Table, column: &str) -> Vec<&'a str> {
    let mut rows: Vec<&str> = table.rows().collect();
    rows.sort_by(|a, b| {
        let of = |row: &str| table.number(row, column).unwrap();
        of(b).total_cmp(&of(a))
    });
    rows
}

#[test]
fn the_rankings_that_the_text_calls_equal_are_not() {
    let (qwen, internvl) = (table("T1"), table("T10"));
    let place = |table: &Table| {
        let ranking = ranking(table, "avg");
        ranking
            .iter()
            .position(|row| row.starts_with("Qwen"))
            .unwrap()
            + 1
    };
    assert_eq!((place(&qwen), place(&internvl)), (6, 4));
    let judges = table("T12");
    let [people, qwen, internvl] =
        ["human", "qwen3vl", "internvl35"].map(|by| ranking(&judges, by));
    assert_eq!(people.iter().position(|row| *row == "DreamOmni2"), Some(3));
    assert_eq!(qwen[3], "BAGEL + DAR (Ours)");
    assert_eq!(internvl[3], "BAGEL + DAR (Ours)");
}

/// What two columns of averages come to as rankings, and the models that they exchange, by the first table's names.
fn ranked(
    (first, by): (&Table, &str),
    (second, other): (&Table, &str),
) -> (Ranking, Vec<[String; 2]>) {
    let models: Vec<&str> = first.rows().collect();
    let means: Vec<(f64, f64)> = models
        .iter()
        .map(|row| {
            let of = |table: &Table, column: &str| table.number(row, column).unwrap();
            (of(first, by), of(second, other))
        })
        .collect();
    let found = Ranking::new(&means, First::Highest);
    let pairs = found.exchanged.iter();
    let named = pairs.map(|(a, b)| [models[*a].to_owned(), models[*b].to_owned()]);
    let named = named.collect();
    (found, named)
}

/// A figure as it is printed with so many decimals.
fn shown(figure: Option<f64>, decimals: usize) -> String {
    format!("{:.decimals$}", figure.unwrap())
}

#[test]
fn another_verifier_exchanges_two_pairs_of_nine_models_which_the_text_calls_perfectly_consistent() {
    let (found, exchanged) = ranked((&table("T1"), "avg"), (&table("T10"), "avg"));
    assert_eq!(found.ranks.len(), 9);
    assert_eq!(
        (shown(found.rho, 2), shown(found.tau_b, 3)),
        ("0.95".into(), "0.889".into())
    );
    assert_eq!(
        exchanged,
        [
            ["DreamOmni2", "Qwen-Image-Edit-2507"],
            ["Qwen-Image-Edit-2507", "BAGEL"],
        ]
    );
    // 128 of the 362,880 orders of nine models are as far out, half of them on either side.
    assert_eq!(found.rho_p, Some(128.0 / 362_880.0));
    assert_eq!((found.pairs, found.tied), (36, 0));
}

#[test]
fn people_and_either_judge_exchange_one_pair_of_ten_models() {
    let judges = table("T12");
    for judge in ["qwen3vl", "internvl35"] {
        let (found, exchanged) = ranked((&judges, "human"), (&judges, judge));
        assert_eq!(
            (shown(found.rho, 3), shown(found.tau_b, 3)),
            ("0.988".into(), "0.956".into())
        );
        assert_eq!(exchanged, [["BAGEL + DAR (Ours)", "DreamOmni2"]]);
        assert_eq!(found.rho_p, None, "ten models are not counted out");
    }
    let (found, _) = ranked((&judges, "human"), (&judges, "qwen3vl"));
    assert_eq!(shown(found.mean_absolute, 2), "0.67");
    assert_eq!(shown(found.mean_difference, 2), "0.62");
}

#[test]
fn five_runs_lie_as_far_apart_as_is_printed_and_no_two_of_them_further() {
    let runs = table("STABILITY");
    let averages: Vec<f64> = runs
        .rows()
        .map(|row| runs.number(row, "avg").unwrap())
        .collect();
    let found = RunAverages::new(&averages).unwrap();
    assert_eq!(found.runs, 5);
    assert_eq!(shown(Some(found.largest_difference), 2), "0.04");
    assert_eq!(shown(Some(found.sd), 4), "0.0205");
    assert_eq!(shown(Some(found.standard_error), 4), "0.0092");
}

#[test]
fn table_9_averages_by_the_cases_of_the_whole_benchmark_and_simple_means_are_other_numbers() {
    let table = table("T9");
    let both: Vec<[String; 2]> = table
        .rows()
        .map(|row| {
            let scores = scores(&table, row);
            [weighted(&scores), mean(&scores)].map(|average| shown(Some(average), 2))
        })
        .collect();
    let printed = [
        ["68.52", "70.41"],
        ["68.01", "69.81"],
        ["75.84", "77.31"],
        ["75.92", "77.31"],
    ];
    assert_eq!(both, printed.map(|row| row.map(str::to_owned)));
    let change = |column| {
        table.number("BAGEL(Specific)", column).unwrap()
            - table.number("BAGEL(Generic)", column).unwrap()
    };
    let largest = COLUMNS.map(change).into_iter();
    let largest = largest.max_by(|a, b| a.abs().total_cmp(&b.abs()));
    assert_eq!(shown(largest, 2), "-2.31");
}

#[test]
fn the_middle_row_of_table_8_repeats_table_1() {
    let (ablation, main) = (table("T8"), table("T1"));
    let mut check = Check::default();
    for column in COLUMNS {
        let repeated = ablation.number("0.15", column).unwrap();
        check.compare(
            column,
            main.number("BAGEL + DAR", column).unwrap(),
            repeated,
            0.0001,
        );
    }
    assert_eq!((check.compared, check.names()), (6, vec![]));
}

#[test]
fn table_5_does_not_add_up_to_the_object_column_of_table_1() {
    let (by_count, counts, main) = (table("T5"), table("T6"), table("T1"));
    let weight = |column: &str| counts.number("Object", column).unwrap();
    let mut check = Check::default();
    for row in by_count.rows() {
        let cell = |column: &str| by_count.number(row, column).unwrap() * weight(column);
        let computed = (cell("ref2") + cell("ref3")) / weight("cases");
        check.compare(row, main.number(row, "object").unwrap(), computed, 0.0101);
    }
    let computed: Vec<String> = check
        .misfits
        .iter()
        .map(|(row, printed, computed)| format!("{row} {printed} {computed:.4}"))
        .collect();
    assert_eq!(computed, ["BAGEL 87.64 86.8067", "OmniGen2 89.52 91.0894"]);
    // OmniGen2's printed score is the one for three references.
    assert_eq!(
        by_count.number("OmniGen2", "ref3"),
        main.number("OmniGen2", "object")
    );
}

#[test]
fn tables_2_and_3_average_their_columns() {
    let table_2 = table("T2");
    let mut check = Check::default();
    for row in table_2.rows() {
        let cells: Vec<f64> = table_2
            .columns()
            .filter(|column| *column != "average")
            .map(|column| table_2.number(row, column).unwrap())
            .collect();
        check.compare(
            row,
            table_2.number(row, "average").unwrap(),
            mean(&cells),
            0.00051,
        );
    }
    assert_eq!((check.compared, check.names()), (4, vec![]));
    let table_3 = table("T3");
    let mut check = Check::default();
    for row in table_3.rows() {
        let cell = |column: &str| table_3.number(row, column).unwrap();
        for half in ["s", "m"] {
            let parts = ["dpg", "id", "ip", "aes"].map(|part| cell(&format!("{half}_{part}")));
            check.compare(row, cell(&format!("{half}_avg")), mean(&parts), 0.0051);
        }
        let halves = [cell("s_avg"), cell("m_avg")];
        check.compare(row, cell("overall"), mean(&halves), 0.0051);
    }
    assert_eq!((check.compared, check.names()), (12, vec![]));
}

#[test]
fn the_five_stability_runs_are_those_of_table_9_and_not_of_table_1() {
    let runs = table("STABILITY");
    let averages: Vec<f64> = runs
        .rows()
        .map(|row| runs.number(row, "avg").unwrap())
        .collect();
    let found = mean(&averages);
    assert!((found - 68.488).abs() < 5e-4, "{found}");
    assert!((found - table("T1").number("BAGEL", "avg").unwrap()).abs() > 5.0);
    assert!((found - table("T9").number("BAGEL(Generic)", "avg").unwrap()).abs() < 0.05);
}
