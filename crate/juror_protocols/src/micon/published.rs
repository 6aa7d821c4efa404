//! MICON-Bench's published results: Table 1, the second judge of Table 10, people in Table 11, and the networks of Table 4.

use super::rows::TASK_REFERENCES;
use super::score::case_weighted;
use super::{STORY, TASKS};
use crate::published::{Judge, Published, Record, Sheet};
use juror_model::published::PrintedCost;

static QWEN: Judge = Judge {
    label: "Qwen3-VL-32B",
    ids: &["qwen3vl32b*", "qwen3vl"],
};
static INTERN: Judge = Judge {
    label: "InternVL3.5-38B",
    ids: &["internvl35*"],
};
static PEOPLE: Judge = Judge {
    label: "people, 120 cases",
    ids: &["human", "humans", "people"],
};

static NETWORKS: Judge = Judge {
    label: "networks",
    ids: &["measured"],
};

/// The tables' columns in the order of [`TASKS`].
const COLUMNS: [&str; 6] = [
    "object",
    "spatial",
    "attribute",
    "component",
    "fgbg",
    "story",
];
const WEIGHTED: &str = "task scores weighted by the benchmark's case counts";
const PLAIN: &str = "plain mean of the six tasks, as the cases are balanced";
const BY_REFERENCES: &str =
    "Table 5 weighted by Table 6: (118 · two references + 82 · three) / 200";
/// Two digits, from parts with two digits.
const TOLERANCE: f64 = 0.0101;

/// The published results.
pub(super) fn published() -> Published {
    let mut published = Published {
        of: "1,043 cases",
        num_samples: 1043,
        rows: Vec::new(),
    };
    let by_references = Sheet::new(include_str!("published/T5.csv"));
    let tables: [(&'static str, &'static str, &'static Judge); 3] = [
        ("Table 1", include_str!("published/T1.csv"), &QWEN),
        ("Table 10", include_str!("published/T10.csv"), &INTERN),
        ("Table 11", include_str!("published/T11.csv"), &PEOPLE),
    ];
    for (table, text, judge) in tables {
        for record in Sheet::new(text).records() {
            let scores = COLUMNS.map(|column| record.number(column));
            let (average, rule) = if table == "Table 11" {
                (mean(&scores), PLAIN)
            } else {
                (case_weighted(&scores), WEIGHTED)
            };
            let cells = published.row(record.name(), judge);
            let overall = record.total("avg", table, "overall", "all");
            cells.extend(overall.map(|cell| cell.beside(average, rule, TOLERANCE)));
            for (task, column) in TASKS.iter().zip(COLUMNS) {
                let Some(cell) = record.total(column, table, "domain", task.id) else {
                    continue;
                };
                let ablation = by_references
                    .named(record.name())
                    .filter(|_| table == "Table 1" && column == "object");
                let parts = ablation.and_then(|row| of_references(&row));
                cells.push(cell.beside(parts, BY_REFERENCES, TOLERANCE));
            }
            cells.extend(record.total("story", table, "category", "story"));
        }
    }
    for record in by_references.records() {
        let cells = published.row(record.name(), &QWEN);
        cells.extend(
            REFERENCES
                .iter()
                .filter_map(|(column, key)| record.total(column, "Table 5", TASK_REFERENCES, key)),
        );
    }
    for record in Sheet::new(include_str!("published/T4.csv")).records() {
        let cell = |(column, criterion, task): &(&str, &'static str, usize)| {
            record.cell(column, "Table 4", ("domain", TASKS[*task].id, criterion))
        };
        let cells = published.row(record.name(), &NETWORKS);
        cells.extend(NETWORK_COLUMNS.iter().filter_map(cell));
    }
    debug_assert_eq!(TASKS[5].id, STORY);
    published
}

/// Table 5's columns with the keys of their score rows.
const REFERENCES: [(&str, &str); 4] = [
    ("ref2", "object_composition/2"),
    ("ref3", "object_composition/3"),
    ("ref4", "object_composition/4"),
    ("ref5", "object_composition/5"),
];

/// Table 4's columns with the criteria of their score rows and the positions of their tasks.
const NETWORK_COLUMNS: [(&str, &str, usize); 8] = [
    ("clip_t2i_object", "clip@prompt", 0),
    ("clip_t2i_spatial", "clip@prompt", 1),
    ("clip_i2i_object", "clip@objects", 0),
    ("clip_i2i_spatial", "clip@objects", 1),
    ("dino_object", "dino@objects", 0),
    ("dino_spatial", "dino@objects", 1),
    ("lpips_object", "lpips@objects", 0),
    ("lpips_spatial", "lpips@objects", 1),
];

fn of_references(row: &Record<'_>) -> Option<f64> {
    Some((118.0 * row.number("ref2")? + 82.0 * row.number("ref3")?) / 200.0)
}

fn mean(scores: &[Option<f64>]) -> Option<f64> {
    let sum: Option<f64> = scores.iter().copied().sum();
    sum.map(|sum| sum / scores.len() as f64)
}

/// Table 7: what attention rebalancing adds to the seconds of a picture, by number of references.
pub(super) fn printed_costs() -> Vec<PrintedCost> {
    let sheet = Sheet::new(include_str!("published/T7.csv"));
    let models = [
        ("BAGEL", "bagel", "bagel_dar"),
        ("OmniGen2", "omnigen2", "omnigen2_dar"),
    ];
    let of = |record: Record<'_>| {
        let cost = |(name, base, other): (&str, &str, &str)| {
            Some(PrintedCost {
                base: name.to_owned(),
                other: format!("{name} + DAR"),
                scope: "references".to_owned(),
                key: record.name().to_owned(),
                base_seconds: record.number(base)?,
                other_seconds: record.number(other)?,
                source: "Table 7, one A800".to_owned(),
            })
        };
        models.into_iter().filter_map(cost).collect::<Vec<_>>()
    };
    sheet.records().flat_map(of).collect()
}
