//! MultiRef-Bench's published results: Table 4 for the synthetic half, Table 11 for the real-world half.

use super::score::{average, macro_mean};
use super::{CATEGORIES, CONDITIONS, JUDGED, WITHOUT_REFERENCE};
use crate::published::{Cell, Judge, Published, Record, Sheet};

static JUDGE: Judge = Judge {
    label: "GPT-4o-mini",
    ids: &["gpt4omini*"],
};
/// What the conditions' numbers come from.
static EVALUATOR: Judge = Judge {
    label: "the authors' evaluator",
    ids: &["evaluator"],
};

/// Columns of Table 11 in the order of [`CATEGORIES`].
const SHORT: [&str; 5] = ["add", "spatial", "replace", "attribute", "style"];
const OF_COLUMNS: &str = "mean of the ten columns, with 1 − x for depth, canny and sketch";
const OF_CATEGORIES: &str = "unweighted mean of the five categories";
/// Three digits, from parts with three digits.
const TOLERANCE: f64 = 0.0006;

/// The published results.
pub(super) fn published() -> Published {
    let mut published = Published {
        of: "990 synthetic and 1,000 real-world samples",
        num_samples: 1990,
        rows: Vec::new(),
    };
    for record in Sheet::new(include_str!("published/T4.csv")).records() {
        let cells = published.row(record.name(), &JUDGE);
        cells.extend(JUDGED.iter().filter_map(|id| synthetic(&record, id, id)));
        let cells = published.row(record.name(), &EVALUATOR);
        let columns = CONDITIONS.map(|condition| record.number(column(condition.id)));
        let complete: Option<Vec<f64>> = columns.into_iter().collect();
        let complete = complete.and_then(|columns| <[f64; 10]>::try_from(columns).ok());
        let computed = complete.map(|columns| average(&columns));
        let total = synthetic(&record, "AVG", "total");
        cells.extend(total.map(|cell| cell.beside(computed, OF_COLUMNS, TOLERANCE)));
        cells.extend(
            CONDITIONS
                .iter()
                .filter_map(|condition| synthetic(&record, column(condition.id), condition.id)),
        );
        let [fid, aesthetics] = WITHOUT_REFERENCE;
        cells.extend(synthetic(&record, "FID", fid));
        cells.extend(synthetic(&record, "aesthetic", aesthetics));
    }
    for record in Sheet::new(include_str!("published/T11.csv")).records() {
        // `Claude+SD3` is `Claude + SD 3` of Table 4.
        let name = record.name().replace("+SD", " + SD ");
        let cells = published.row(&name, &JUDGE);
        cells.extend(JUDGED.iter().flat_map(|id| real_world(&record, id)));
    }
    published
}

fn column(condition: &'static str) -> &'static str {
    if condition == "style" {
        "art_style"
    } else {
        condition
    }
}

fn synthetic(record: &Record<'_>, column: &str, criterion: &'static str) -> Option<Cell> {
    record.cell(column, "Table 4", ("category", "synthetic", criterion))
}

/// A judged score by category and over the categories.
fn real_world(record: &Record<'_>, judged: &'static str) -> Vec<Cell> {
    let cell = |column: String, scope, key| record.cell(&column, "Table 11", (scope, key, judged));
    let parts: Vec<Cell> = SHORT
        .iter()
        .zip(CATEGORIES)
        .filter_map(|(short, (category, _))| cell(format!("{short}_{judged}"), "domain", category))
        .collect();
    let values: Vec<f64> = parts.iter().map(|part| part.value).collect();
    let overall = cell(format!("overall_{judged}"), "category", "real-world");
    let overall = overall.map(|cell| cell.beside(macro_mean(&values), OF_CATEGORIES, TOLERANCE));
    overall.into_iter().chain(parts).collect()
}
