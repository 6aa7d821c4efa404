//! MultiBanana's published aggregates, recomputed from their parts: every cell that does not follow is named here, and no other.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_protocols::multibanana::layout::{REFERENCE_COUNTS, STRUCTURES};
use juror_protocols::multibanana::score::mean;
use juror_tests::tables::{Check, Table};

fn table(name: &str) -> Table {
    Table::new(match name {
        "T2" => include_str!("../../golden/tables/multibanana_T2.csv"),
        "T3" => include_str!("../../../crate/juror_protocols/src/multibanana/published/T3.csv"),
        "T7" => include_str!("../../golden/tables/multibanana_T7.csv"),
        "T11" => include_str!("../../golden/tables/multibanana_T11.csv"),
        "T12" => {
            include_str!("../../../crate/juror_protocols/src/multibanana/published/T12.csv")
        }
        "T13" => {
            include_str!("../../../crate/juror_protocols/src/multibanana/published/T13.csv")
        }
        _ => include_str!("../../../crate/juror_protocols/src/multibanana/published/T14.csv"),
    })
}

#[test]
fn table_14_is_the_mean_of_the_two_judges() {
    let (gpt, gemini, both) = (table("T12"), table("T13"), table("T14"));
    let mut check = Check::default();
    for model in both.rows() {
        for task in both.columns() {
            let parts = [gpt.number(model, task), gemini.number(model, task)];
            let Some(printed) = both.number(model, task) else {
                assert_eq!(parts, [None, None], "{model} {task}");
                continue;
            };
            let computed = mean(&parts.map(Option::unwrap)).unwrap();
            check.compare(&format!("{model}/{task}"), printed, computed, 0.0101);
        }
    }
    assert_eq!((check.compared, check.names()), (108, vec![]));
}

/// Table 14 calls a model by another name than Table 3.
fn name_in_table_14(model: &str) -> &str {
    if model == "GPT-Image-1" {
        "GPT-image-1"
    } else {
        model
    }
}

/// Table 3's multi-reference columns against a way of putting Table 14's cells together.
fn table_3(together: impl Fn(&[f64]) -> f64) -> Check {
    let (main, both) = (table("T3"), table("T14"));
    let columns = ["x_objects", "x1_local", "x1_global", "x1_background"];
    let mut check = Check::default();
    for model in main.rows().filter(|model| !model.starts_with('+')) {
        for (column, structure) in columns.into_iter().zip(STRUCTURES) {
            let cells: Vec<f64> = REFERENCE_COUNTS
                .filter_map(|x| both.number(name_in_table_14(model), &format!("{x}_{structure}")))
                .collect();
            // OmniGen2 takes no more than five references.
            assert_eq!(cells.len(), if model == "OmniGen2" { 3 } else { 6 });
            let printed = main.number(model, column).unwrap();
            check.compare(
                &format!("{model}/{column}"),
                printed,
                together(&cells),
                0.0051,
            );
        }
    }
    check
}

#[test]
fn table_3_is_the_unweighted_mean_over_the_reference_counts() {
    let check = table_3(|cells| mean(cells).unwrap());
    assert_eq!((check.compared, check.names()), (20, vec![]));
}

#[test]
fn the_middle_reference_count_does_not_explain_table_3() {
    let check = table_3(|cells| cells[cells.len() / 2]);
    assert!(check.misfits.len() > 15, "{:?}", check.names());
}

#[test]
fn table_2_ratios_are_over_all_3769_sets() {
    let table = table("T2");
    let mut check = Check::default();
    for column in table.columns() {
        let ratio = 100.0 * table.number("Count", column).unwrap() / 3769.0;
        let printed = table.number("Ratio (%)", column).unwrap();
        check.compare(column, printed, ratio, 0.051);
    }
    assert_eq!((check.compared, check.names()), (4, vec![]));
}

#[test]
fn no_overall_of_table_7_is_the_mean_of_its_printed_columns() {
    let table = table("T7");
    let mut check = Check::default();
    for model in table.rows() {
        let cells: Vec<f64> = table
            .columns()
            .filter(|column| *column != "overall")
            .map(|column| table.number(model, column).unwrap())
            .collect();
        let printed = table.number(model, "overall").unwrap();
        check.compare(model, printed, mean(&cells).unwrap(), 0.0051);
    }
    let computed: Vec<String> = check
        .misfits
        .iter()
        .map(|(model, printed, computed)| format!("{model} {printed} {computed:.4}"))
        .collect();
    assert_eq!(
        computed,
        [
            "MagicBrush 1.83 1.9038",
            "AnyEdit 2.45 2.4200",
            "OmniGen2 3.44 3.2800",
            "Kontext-dev 3.71 3.6562",
            "Nano Banana 4.37 4.3238",
            "GPT-Image-1 4.2 4.1638",
        ]
    );
}

#[test]
fn table_11_repeats_table_3() {
    let newer = table("T11").number("single", "qwen_image_edit_2509");
    assert_eq!(newer, table("T3").number("Qwen-Image-Edit-2509", "single"));
    assert_eq!(newer, Some(7.499));
}
