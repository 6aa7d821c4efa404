//! MultiBanana's published results: Table 3, and one table per judge for three to eight references.

use super::score::mean;
use crate::published::{Cell, Judge, Published, Record, Sheet};

static GPT: Judge = Judge {
    label: "GPT-5",
    ids: &["gpt", "gpt5*"],
};
static GEMINI: Judge = Judge {
    label: "Gemini 2.5",
    ids: &["gemini", "gemini25*"],
};
static BOTH: Judge = Judge {
    label: "mean of GPT-5 and Gemini 2.5",
    ids: &["geminigpt"],
};
static QWEN: Judge = Judge {
    label: "Qwen3-VL (generators of January 2026)",
    ids: &["qwenvl", "qwen3vl*"],
};

/// Task types with three to eight references; a table's columns are named like the tasks.
const MULTI: [&str; 24] = [
    "3_local", "3_global", "3_back", "3_object", "4_local", "4_global", "4_back", "4_object",
    "5_local", "5_global", "5_back", "5_object", "6_local", "6_global", "6_back", "6_object",
    "7_local", "7_global", "7_back", "7_object", "8_local", "8_global", "8_back", "8_object",
];
/// Task types with one and two references.
const FEW: [&str; 12] = [
    "single", "add", "back", "color", "hair", "makeup", "material", "pose", "replace", "style",
    "text", "tone",
];
/// Table 3's columns for three to eight references with the end of their tasks' names.
const STRUCTURES: [(&str, &str); 4] = [
    ("x_objects", "object"),
    ("x1_local", "local"),
    ("x1_global", "global"),
    ("x1_background", "back"),
];

const OF_JUDGES: &str = "mean of Tables 12 (GPT-5) and 13 (Gemini 2.5)";
const OF_TASKS: &str = "unweighted mean of Table 14 over the reference counts";
/// Two digits, from parts with two digits.
const TOLERANCE: f64 = 0.0101;
/// Three digits, from means of six numbers with two.
const MEAN_TOLERANCE: f64 = 0.0051;

/// The published results.
pub(super) fn published() -> Published {
    let mut published = Published {
        of: "3,769 sets",
        num_samples: 3769,
        rows: Vec::new(),
    };
    let gpt = Sheet::new(include_str!("published/T12.csv"));
    let gemini = Sheet::new(include_str!("published/T13.csv"));
    let both = Sheet::new(include_str!("published/T14.csv"));
    main_table(&mut published, &both);
    for record in both.records() {
        let parts = [&gpt, &gemini].map(|sheet| sheet.named(record.name()));
        let cells = MULTI.into_iter().filter_map(|task| {
            let cell = record.total(task, "Table 14", "domain", task)?;
            let scores: Option<Vec<f64>> = parts
                .iter()
                .map(|part| part.and_then(|part| part.number(task)))
                .collect();
            let computed = scores.and_then(|scores| mean(&scores));
            Some(cell.beside(computed, OF_JUDGES, TOLERANCE))
        });
        let cells: Vec<Cell> = cells.collect();
        published.row(record.name(), &BOTH).extend(cells);
    }
    let qwen_few = Sheet::new(include_str!("published/T5.csv"));
    let qwen = Sheet::new(include_str!("published/T6.csv"));
    by_task(&mut published, &gpt, "Table 12", &MULTI, &GPT);
    by_task(&mut published, &gemini, "Table 13", &MULTI, &GEMINI);
    by_task(&mut published, &qwen_few, "Table 5", &FEW, &QWEN);
    by_task(&mut published, &qwen, "Table 6", &MULTI, &QWEN);
    published
}

fn by_task(
    published: &mut Published,
    sheet: &Sheet,
    table: &'static str,
    tasks: &[&'static str],
    judge: &'static Judge,
) {
    for record in sheet.records() {
        let cells = published.row(record.name(), judge);
        let cell = |task: &&'static str| record.total(task, table, "domain", task);
        cells.extend(tasks.iter().filter_map(cell));
    }
}

/// Table 3; rows of agents stand below their generator and are named after it.
fn main_table(published: &mut Published, both: &Sheet) {
    let mut generator = "";
    for record in Sheet::new(include_str!("published/T3.csv")).records() {
        let name = match record.name().strip_prefix('+') {
            Some(agent) => format!("{generator} +{agent}"),
            None => record.name().to_owned(),
        };
        if !record.name().starts_with('+') {
            generator = record.name();
        }
        let cells = published.row(&name, &BOTH);
        cells.extend(record.total("single", "Table 3", "domain", "single"));
        cells.extend(record.total("single", "Table 3", "category", "single"));
        cells.extend(record.total("two", "Table 3", "category", "two-reference"));
        for (column, structure) in STRUCTURES {
            let parts = both
                .named(&name)
                .and_then(|row| of_structure(&row, structure));
            let cell = record.total(column, "Table 3", "structure", structure);
            cells.extend(cell.map(|cell| cell.beside(parts, OF_TASKS, MEAN_TOLERANCE)));
        }
    }
}

/// The mean over the reference counts that the model has numbers for.
fn of_structure(row: &Record<'_>, structure: &str) -> Option<f64> {
    let scores: Vec<f64> = MULTI
        .iter()
        .filter(|task| task.ends_with(structure))
        .filter_map(|task| row.number(task))
        .collect();
    mean(&scores)
}
