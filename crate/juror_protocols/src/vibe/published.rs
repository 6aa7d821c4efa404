//! VIBE's published results: Tables 1 and 3 by task and level, Table 2 by tasks at once, Tables 4 and 5 by style.

use super::score::{level_average, overall};
use super::{Level, Task};
use crate::published::{Cell, Judge, Published, Record, Sheet};

static JUDGE: Judge = Judge {
    label: "GPT-5.1, three runs",
    ids: &["gpt51*"],
};

/// The levels of the overall score with their columns in Table 1.
const LEVELS: [(Level, &str); 3] = [
    (Level::Deictic, "deictic_avg"),
    (Level::Morphological, "morph_avg"),
    (Level::Causal, "causal_avg"),
];
/// Styles of Draft Instantiation: column, key of the score row, samples.
const STYLES: [(&str, &str, f64); 3] = [
    ("animation", "Draft_Instantiation/animation", 34.0),
    ("sketch", "Draft_Instantiation/sketch", 26.0),
    ("real_world", "Draft_Instantiation/real-world", 40.0),
];
/// Tasks at once: key of the score row and column of Table 2.
const COMBINED: [&str; 3] = ["single", "double", "triple"];

const OF_TASKS: &str = "unweighted mean of the level's tasks";
const OF_LEVELS: &str = "unweighted mean of the printed level averages";
const OF_STYLES: &str =
    "Tables 4 and 5 weighted by 34 animation, 26 sketch and 40 real-world samples";
const OF_MAIN: &str = "the deictic average of Table 1";
/// Two digits, from parts with two digits.
const TOLERANCE: f64 = 0.0101;

/// The published results.
pub(super) fn published() -> Published {
    let mut published = Published {
        of: "1,034 samples",
        num_samples: 1034,
        rows: Vec::new(),
    };
    let deviations = Sheet::new(include_str!("published/T3.csv"));
    let styles = Sheet::new(include_str!("published/T4_T5.csv"));
    let combined = Sheet::new(include_str!("published/T2.csv"));
    for (at, record) in Sheet::new(include_str!("published/T1.csv"))
        .records()
        .enumerate()
    {
        let cells = published.row(record.name(), &JUDGE);
        // The other tables list the same models in the same order and spell some of them otherwise.
        by_level(&record, cells);
        by_task(&record, deviations.record(at), styles.record(at), cells);
        if let Some(styles) = styles.record(at) {
            let cell = |(column, key, _): &(&'static str, &'static str, f64)| {
                styles.total(column, "Tables 4 and 5", "style", key)
            };
            cells.extend(STYLES.iter().filter_map(cell));
        }
        if let Some(sets) = combined.named(record.name()) {
            cells.extend(COMBINED.into_iter().filter_map(|key| {
                let cell = sets.total(key, "Table 2", "combined", key)?;
                let main = record.number("deictic_avg").filter(|_| key == "single");
                Some(cell.beside(main, OF_MAIN, 0.0))
            }));
        }
    }
    published
}

fn by_level(record: &Record<'_>, cells: &mut Vec<Cell>) {
    let averages = LEVELS.map(|(_, column)| record.number(column));
    let total = record.total("overall", "Table 1", "overall", "all");
    cells.extend(total.map(|cell| cell.beside(overall(&averages), OF_LEVELS, TOLERANCE)));
    for (level, column) in LEVELS {
        let tasks: Vec<Option<f64>> = level
            .tasks()
            .map(|task| record.number(task.short()))
            .collect();
        let cell = record.total(column, "Table 1", "level", level.id());
        cells.extend(cell.map(|cell| cell.beside(level_average(&tasks), OF_TASKS, TOLERANCE)));
    }
}

fn by_task(
    record: &Record<'_>,
    deviations: Option<Record<'_>>,
    styles: Option<Record<'_>>,
    cells: &mut Vec<Cell>,
) {
    for task in Task::ALL {
        let Some(mut cell) = record.total(task.short(), "Tables 1 and 3", "task", task.id()) else {
            continue;
        };
        cell.sd = deviations.and_then(|row| row.number(&format!("{}_sd", task.short())));
        let parts = styles.filter(|_| task == Task::DraftInstantiation);
        let weighted = parts.and_then(|row| {
            let sum: Option<f64> = STYLES
                .iter()
                .map(|(column, _, count)| Some(count * row.number(column)?))
                .sum();
            sum.map(|sum| sum / 100.0)
        });
        cells.push(cell.beside(weighted, OF_STYLES, TOLERANCE));
    }
}
