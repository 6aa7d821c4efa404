//! WEAVEBench's published results: Table 2 by category, Tables 7 to 10 by criterion.
//!
//! The tables do not print how many turns each number is over; the turn counts here are the only small whole numbers
//! with which Table 2's averages follow from Tables 7 to 10.

use super::score::weighted_total;
use crate::published::{Judge, Published, Record, Sheet};
use juror_model::options::Profile;

/// The appendix says GPT-4o, the section on reliability GPT-4.1.
static JUDGE: Judge = Judge {
    label: "GPT-4o or GPT-4.1",
    ids: &["gpt4o*", "gpt41*"],
};

/// A category with its column in Table 2, its own table, and its turns that ask for a picture and for a text.
struct Category {
    key: &'static str,
    column: &'static str,
    table: &'static str,
    text: &'static str,
    turns: [f64; 2],
}

const CATEGORIES: [Category; 4] = [
    Category {
        key: "Science",
        column: "science",
        table: "Table 7",
        text: include_str!("published/T7.csv"),
        turns: [67.0, 22.0],
    },
    Category {
        key: "Creation",
        column: "creation",
        table: "Table 8",
        text: include_str!("published/T8.csv"),
        turns: [181.0, 2.0],
    },
    Category {
        key: "Logic",
        column: "logic",
        table: "Table 9",
        text: include_str!("published/T9.csv"),
        turns: [23.0, 6.0],
    },
    Category {
        key: "Game",
        column: "game",
        table: "Table 10",
        text: include_str!("published/T10.csv"),
        turns: [54.0, 12.0],
    },
];

/// Columns with their criteria.
const CRITERIA: [(&str, &str); 4] = [
    ("KP", "key_point"),
    ("VC", "visual_consistency"),
    ("IQ", "image_quality"),
    ("ACC", "accuracy"),
];

const OF_CRITERIA: &str = "equations (1) and (2) over the criteria printed in Tables 7 to 10";
const OF_CATEGORIES: &str = "criteria of Tables 7 to 10 pooled over 325 picture and 42 text turns, then equations (1) and (2)";
/// Three digits, from categories with three digits.
const TOLERANCE: f64 = 0.0011;
/// The same with the pooling in between.
const POOLED_TOLERANCE: f64 = 0.0015;

/// The published results.
pub(super) fn published() -> Published {
    let mut published = Published {
        of: "100 dialogues",
        num_samples: 100,
        rows: Vec::new(),
    };
    let main = Sheet::new(include_str!("published/T2.csv"));
    let sheets = CATEGORIES
        .each_ref()
        .map(|category| Sheet::new(category.text));
    for (at, record) in main.records().enumerate() {
        // The tables list the same models in the same order.
        let categories: Vec<(&Category, Record<'_>)> = CATEGORIES
            .iter()
            .zip(&sheets)
            .filter_map(|(category, sheet)| Some((category, sheet.record(at)?)))
            .collect();
        let cells = published.row(&name(&record), &JUDGE);
        if let Some(cell) = record.total("avg", "Table 2", "overall", "all") {
            cells.push(cell.beside(pooled(&categories), OF_CATEGORIES, POOLED_TOLERANCE));
        }
        for (category, own) in categories {
            if let Some(cell) = record.total(category.column, "Table 2", "category", category.key) {
                let means = CRITERIA.map(|(column, _)| own.number(column));
                let total = weighted_total(&means, Profile::Paper);
                cells.push(cell.beside(total, OF_CRITERIA, TOLERANCE));
            }
            cells.extend(CRITERIA.iter().filter_map(|(column, criterion)| {
                own.cell(
                    column,
                    category.table,
                    ("category", category.key, criterion),
                )
            }));
        }
    }
    published
}

fn name(record: &Record<'_>) -> String {
    let model = match record.name() {
        "+ WEAVE-100k" => "Bagel + WEAVE-100k",
        name => name,
    };
    format!("{model} ({} context)", record.text("in_context"))
}

/// Table 2's average: criteria pooled over all turns, then put together.
fn pooled(categories: &[(&Category, Record<'_>)]) -> Option<f64> {
    let means: [Option<f64>; 4] = std::array::from_fn(|at| {
        let (mut sum, mut turns) = (0.0, 0.0);
        for (category, own) in categories {
            let weight = category.turns[usize::from(CRITERIA[at].0 == "ACC")];
            if let Some(mean) = own.number(CRITERIA[at].0) {
                sum += weight * mean;
                turns += weight;
            }
        }
        (turns > 0.0).then(|| sum / turns)
    });
    weighted_total(&means, Profile::Paper)
}
