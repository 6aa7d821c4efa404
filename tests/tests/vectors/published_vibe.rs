//! VIBE's published aggregates, recomputed from their parts: every cell that does not follow is named here, and no other.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_protocols::vibe::score::{aggregate_runs, level_average, overall, percent, variance};
use juror_protocols::vibe::{Level, Task};
use juror_reading::py;
use juror_tests::tables::{Check, Table};

/// Printed with two decimals, from parts with two decimals.
const TOLERANCE: f64 = 0.0101;

fn table(name: &str) -> Table {
    Table::new(match name {
        "T1" => include_str!("../../../crate/juror_protocols/src/vibe/published/T1.csv"),
        "T2" => include_str!("../../../crate/juror_protocols/src/vibe/published/T2.csv"),
        "T3" => include_str!("../../../crate/juror_protocols/src/vibe/published/T3.csv"),
        _ => include_str!("../../../crate/juror_protocols/src/vibe/published/T4_T5.csv"),
    })
}

/// The levels that enter the overall score, with their columns in Table 1.
const LEVELS: [(Level, &str); 3] = [
    (Level::Deictic, "deictic_avg"),
    (Level::Morphological, "morph_avg"),
    (Level::Causal, "causal_avg"),
];

/// The ten tasks of Table 1.
fn tasks() -> impl Iterator<Item = Task> {
    Task::ALL
        .into_iter()
        .filter(|task| task.level() != Level::Multi)
}

/// Models of Table 1 beside their names in another table, which spells some of them otherwise but keeps the order.
fn side_by_side<'a>(main: &'a Table, other: &'a Table) -> Vec<(&'a str, &'a str)> {
    assert_eq!(main.rows().count(), other.rows().count());
    let pairs: Vec<(&str, &str)> = main.rows().zip(other.rows()).collect();
    let plain = |name: &str| name.replace([' ', '.'], "").to_lowercase();
    for (a, b) in &pairs {
        assert!(plain(b).starts_with(&plain(a)), "{a} beside {b}");
    }
    pairs
}

#[test]
fn level_averages_are_the_means_of_their_tasks_but_for_one() {
    let main = table("T1");
    let mut check = Check::default();
    let mut left_out = Vec::new();
    for model in main.rows() {
        for (level, column) in LEVELS {
            let parts: Vec<Option<f64>> = level
                .tasks()
                .map(|task| main.number(model, task.short()))
                .collect();
            match (main.number(model, column), level_average(&parts)) {
                (Some(printed), Some(computed)) => {
                    check.compare(&format!("{model}/{column}"), printed, computed, TOLERANCE);
                }
                (None, None) => left_out.push(model),
                other => panic!("{model} {column}: {other:?}"),
            }
        }
    }
    assert_eq!(check.compared, 49);
    assert_eq!(check.names(), ["BAGEL/deictic_avg"]);
    let (_, printed, computed) = check.misfits[0];
    assert_eq!((printed, (computed * 1e4).round() / 1e4), (18.21, 22.1275));
    assert_eq!(
        left_out,
        ["Qwen-Image-Edit", "Step1X-Edit-v1p2"],
        "models that take one picture have no poses"
    );
}

/// Table 1's overall column against a way of putting its other cells together.
fn overall_column(together: impl Fn(&Table, &str) -> Option<f64>) -> Check {
    let main = table("T1");
    let mut check = Check::default();
    for model in main.rows() {
        if let Some(computed) = together(&main, model) {
            let printed = main.number(model, "overall").unwrap();
            check.compare(model, printed, computed, TOLERANCE);
        }
    }
    check
}

#[test]
fn the_overall_score_is_the_mean_of_the_printed_level_averages() {
    let check = overall_column(|main, model| {
        overall(&LEVELS.map(|(_, column)| main.number(model, column)))
    });
    assert_eq!((check.compared, check.names()), (17, vec![]));
}

#[test]
fn bagels_overall_score_inherits_the_error_of_its_level() {
    let main = table("T1");
    let levels = LEVELS.map(|(level, _)| {
        let tasks: Vec<Option<f64>> = level
            .tasks()
            .map(|task| main.number("BAGEL", task.short()))
            .collect();
        level_average(&tasks)
    });
    let correct = overall(&levels).unwrap();
    assert!((correct - 23.49).abs() < 0.005, "{correct}");
    assert_eq!(main.number("BAGEL", "overall"), Some(22.19));
}

#[test]
fn the_overall_score_is_neither_the_mean_of_ten_tasks_nor_that_of_all_samples() {
    let of_tasks = overall_column(|main, model| {
        let cells: Vec<Option<f64>> = tasks()
            .map(|task| main.number(model, task.short()))
            .collect();
        level_average(&cells)
    });
    assert_eq!((of_tasks.compared, of_tasks.misfits.len()), (15, 15));
    let of_samples = overall_column(|main, model| {
        let num_samples: u32 = tasks().map(Task::num_samples).sum();
        let sum: Option<f64> = tasks()
            .map(|task| {
                let cell = main.number(model, task.short())?;
                Some(cell * f64::from(task.num_samples()))
            })
            .sum();
        Some(sum? / f64::from(num_samples))
    });
    assert_eq!((of_samples.compared, of_samples.misfits.len()), (15, 15));
}

#[test]
fn the_benchmark_has_1034_samples_and_150_combined_ones() {
    assert_eq!(tasks().map(Task::num_samples).sum::<u32>(), 1034);
    let combined = Level::Multi.tasks().map(Task::num_samples).sum::<u32>();
    assert_eq!(combined, 150);
}

#[test]
fn the_means_over_three_runs_are_those_of_the_main_table() {
    let (main, runs) = (table("T1"), table("T3"));
    let mut check = Check::default();
    for (model, name) in side_by_side(&main, &runs) {
        for task in tasks() {
            let mean = runs.number(name, &format!("{}_mean", task.short()));
            match (main.number(model, task.short()), mean) {
                (Some(printed), Some(mean)) => check.compare(model, printed, mean, 1e-4),
                (None, None) => {}
                other => panic!("{model} {task:?}: {other:?}"),
            }
        }
    }
    assert_eq!((check.compared, check.names()), (168, vec![]));
}

#[test]
fn single_tasks_are_the_deictic_average_and_two_models_gain_from_two_tasks_to_three() {
    let (main, multi) = (table("T1"), table("T2"));
    let mut single = Check::default();
    let mut gains = Vec::new();
    for model in multi.rows() {
        let cell = |column: &str| multi.number(model, column).unwrap();
        let average = main.number(model, "deictic_avg").unwrap();
        single.compare(model, cell("single"), average, 1e-4);
        if cell("triple") >= cell("double") {
            gains.push(model);
        }
    }
    assert_eq!((single.compared, single.names()), (5, vec![]));
    assert_eq!(gains, ["Nano Banana", "Seedream 4.5"]);
}

#[test]
fn draft_instantiation_follows_from_its_styles_for_ten_of_seventeen_models() {
    let (main, styles) = (table("T1"), table("T4_T5"));
    let sizes = [("animation", 34.0), ("sketch", 26.0), ("real_world", 40.0)];
    let mut check = Check::default();
    for (model, name) in side_by_side(&main, &styles) {
        let sum: f64 = sizes
            .iter()
            .map(|(style, size)| styles.number(name, style).unwrap() * size)
            .sum();
        let printed = main.number(model, "DI").unwrap();
        check.compare(model, printed, sum / 100.0, TOLERANCE);
    }
    assert_eq!(check.compared, 17);
    assert_eq!(
        check.names(),
        [
            "Nano Banana Pro",
            "Nano Banana",
            "GPT-image-1",
            "Seedream 4.5",
            "Seedream 4.0",
            "Wan 2.5",
            "UniWorld-V1",
        ]
    );
    let worst = check.misfits.last().unwrap();
    assert!((worst.2 - worst.1 - 0.527).abs() < 1e-9, "{worst:?}");
}

/// Half points per item, 134 items: the mean of a run in percent is a multiple of 50 / 134.
const HALF_POINT: f64 = 50.0 / 134.0;

#[test]
fn billiards_means_are_whole_numbers_of_half_points_in_three_runs() {
    let runs = table("T3");
    let mut exact = Check::default();
    let mut rounded = Check::default();
    for model in runs.rows() {
        let mean = runs.number(model, "BI_mean").unwrap();
        let steps = (mean * 3.0 / HALF_POINT).round();
        exact.compare(model, mean, steps * HALF_POINT / 3.0, 0.0051);
        let nearest = nearest_split(model, &runs, mean, |scores| {
            let runs = scores.map(|x| {
                let x = percent(&[x / 100.0]).unwrap();
                py::Value::Dict(vec![("score".to_owned(), py::Value::Float(x))])
            });
            aggregate_runs(&runs).mean["score"].unwrap()
        });
        rounded.compare(model, mean, nearest, 1e-9);
    }
    // 4.11 is off by 0.0055, because each run was rounded to two decimals before the mean was taken.
    assert_eq!((exact.compared, exact.names()), (17, vec!["Seedream 4.0"]));
    assert_eq!((rounded.compared, rounded.names()), (17, vec![]));
}

#[test]
fn billiards_deviations_are_those_of_three_whole_runs_with_one_exception() {
    let runs = table("T3");
    let misfits = billiards_deviations(&runs, |scores| variance(&scores).sqrt());
    assert_eq!(misfits.compared, 17);
    assert_eq!(misfits.names(), ["OmniGen2"]);
    let (_, printed, nearest) = misfits.misfits[0];
    assert!((printed - nearest).abs() < 0.011, "{printed} {nearest}");
}

/// The sibling: with the deviation of a population most cells do not fit.
#[test]
fn the_deviations_of_a_population_do_not_fit() {
    let population = |scores: [f64; 3]| (variance(&scores) * 2.0 / 3.0).sqrt();
    let misfits = billiards_deviations(&table("T3"), population);
    assert!(misfits.misfits.len() > 4, "{:?}", misfits.names());
}

fn billiards_deviations(runs: &Table, deviation: impl Fn([f64; 3]) -> f64) -> Check {
    let mut check = Check::default();
    for model in runs.rows() {
        let printed = runs.number(model, "BI_sd").unwrap();
        let nearest = nearest_split(model, runs, printed, &deviation);
        check.compare(model, printed, nearest, 0.0051);
    }
    check
}

/// The value nearest to the printed one among all ways to split a model's half points over three runs, given in percent.
fn nearest_split(model: &str, runs: &Table, printed: f64, value: impl Fn([f64; 3]) -> f64) -> f64 {
    let mean = runs.number(model, "BI_mean").unwrap();
    let sum = whole((mean * 3.0 / HALF_POINT).round());
    let mut nearest = f64::INFINITY;
    for first in 0..=sum / 3 {
        for second in first..=(sum - first) / 2 {
            let found = value(
                [first, second, sum - first - second].map(|points| f64::from(points) * HALF_POINT),
            );
            if (found - printed).abs() < (nearest - printed).abs() {
                nearest = found;
            }
        }
    }
    nearest
}

fn whole(x: f64) -> u32 {
    (0..1000)
        .find(|count| (f64::from(*count) - x).abs() < 0.5)
        .unwrap()
}
