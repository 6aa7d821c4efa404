//! What the papers print, cell by cell, with what follows from a cell's own parts by the protocol's formula.
//!
//! The tables are next to each protocol in `published/`: numbers as printed, one file per table.

use juror_model::experiment::judge_of;
use juror_model::published::{PublishedCell, PublishedResults, PublishedRow};
use juror_reading::escape::csv_number;

/// The results that a paper prints for its benchmark.
#[derive(Clone, Debug, Default)]
pub struct Published {
    /// Samples that they rest on: `100 dialogues`.
    pub of: &'static str,
    /// So many.
    pub num_samples: u32,
    /// One row per model and judge.
    pub rows: Vec<Row>,
}

/// One model under one judge.
#[derive(Clone, Debug)]
pub struct Row {
    /// Name as the paper's main table spells it, with what tells it from another row of that name.
    pub model: String,
    /// Who judged.
    pub judge: &'static Judge,
    /// Printed numbers.
    pub cells: Vec<Cell>,
}

/// A judge of a paper.
#[derive(Debug)]
pub struct Judge {
    /// Name as the paper gives it.
    pub label: &'static str,
    /// Judge ids that mean it, in lower case and without anything but letters and digits; `*` at the end is any rest.
    pub ids: &'static [&'static str],
}

/// One printed number under the address of a score row.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Scope of the score row.
    pub scope: &'static str,
    /// Key of the score row.
    pub key: &'static str,
    /// Criterion of the score row.
    pub criterion: &'static str,
    /// As printed.
    pub value: f64,
    /// The standard deviation printed with it.
    pub sd: Option<f64>,
    /// `Table 2`.
    pub table: &'static str,
    /// The same number out of other printed ones.
    pub recomputed: Option<Recomputed>,
}

/// A printed number computed again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recomputed {
    /// Result.
    pub value: f64,
    /// From what and how.
    pub rule: &'static str,
    /// What rounding in print can explain.
    pub tolerance: f64,
}

impl Cell {
    /// Whether the number follows from its parts as far as rounding allows; `None` where no parts are printed.
    pub fn follows(&self) -> Option<bool> {
        let recomputed = self.recomputed?;
        Some((recomputed.value - self.value).abs() <= recomputed.tolerance)
    }
}

impl Judge {
    /// Whether a judge id means this judge; a judge without an id may be anybody.
    ///
    /// # Example
    /// ```
    /// use juror_protocols::published::Judge;
    /// let gpt = Judge { label: "GPT-5", ids: &["gpt", "gpt5*"] };
    /// assert!(gpt.is_meant("gpt") && gpt.is_meant("GPT-5-2025-08-07"));
    /// assert!(!gpt.is_meant("gpt-4o") && !gpt.is_meant(""));
    /// ```
    pub fn is_meant(&self, id: &str) -> bool {
        // Under whichever prompts: they are the same judge's.
        is_meant(self.ids, &judge_of(id))
    }
}

/// Whether a judge id is one of these, as [`Judge::ids`] has them.
pub fn is_meant(ids: &[impl AsRef<str>], id: &str) -> bool {
    let plain: String = id
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let mut ids = ids.iter().map(AsRef::as_ref);
    ids.any(|known| match known.strip_suffix('*') {
        Some(start) => plain.starts_with(start),
        None => plain == *known,
    })
}

/// Whether a model's own name is the printed one: case, blanks and marks but `+` make no difference, nor does `(Ours)`.
///
/// # Example
/// ```
/// use juror_protocols::published::is_same_model;
/// assert!(is_same_model("BAGEL + DAR (Ours)", "bagel+dar"));
/// assert!(is_same_model("Nano Banana", "nano-banana") && !is_same_model("Nano Banana", "Nano Banana Pro"));
/// assert!(!is_same_model("BAGEL", "BAGEL+DAR"));
/// ```
pub fn is_same_model(printed: &str, own: &str) -> bool {
    let plain = |name: &str| -> String {
        let name = name.to_lowercase().replace("(ours)", "");
        let letters = name.chars().filter(|c| c.is_alphanumeric() || *c == '+');
        letters.collect()
    };
    plain(printed) == plain(own)
}

impl Published {
    /// Every printed cell as CSV, with what its parts come to.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let head = [
            "model",
            "judge",
            "scope",
            "key",
            "criterion",
            "value",
            "sd",
            "table",
            "computed",
            "follows",
            "rule",
        ];
        // Writing to memory cannot fail.
        let _ = writer.write_record(head);
        for row in &self.rows {
            for cell in &row.cells {
                let recomputed = cell.recomputed;
                let follows = cell.follows().map(|follows| follows.to_string());
                let _ = writer.write_record([
                    row.model.as_str(),
                    row.judge.label,
                    cell.scope,
                    cell.key,
                    cell.criterion,
                    &csv_number(cell.value),
                    &csv_number(cell.sd),
                    cell.table,
                    &csv_number(recomputed.map(|recomputed| recomputed.value)),
                    &follows.unwrap_or_default(),
                    recomputed.map_or("", |recomputed| recomputed.rule),
                ]);
            }
        }
        let bytes = writer.into_inner().unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// As the page takes it; `judges` are the ids of the judges at hand.
    pub fn view(&self, judges: &[&str]) -> PublishedResults {
        let cell = |cell: &Cell| PublishedCell {
            scope: cell.scope.to_owned(),
            key: cell.key.to_owned(),
            criterion: cell.criterion.to_owned(),
            value: cell.value,
            sd: cell.sd,
            table: cell.table.to_owned(),
            computed: cell.recomputed.map(|recomputed| recomputed.value),
            rule: cell
                .recomputed
                .map_or_else(String::new, |recomputed| recomputed.rule.to_owned()),
            follows: cell.follows(),
        };
        let row = |row: &Row| PublishedRow {
            model: row.model.clone(),
            judge: row.judge.label.to_owned(),
            is_same_judge: judges.iter().any(|id| row.judge.is_meant(id)),
            cells: row.cells.iter().map(cell).collect(),
        };
        PublishedResults {
            of: self.of.to_owned(),
            num_samples: self.num_samples,
            rows: self.rows.iter().map(row).collect(),
        }
    }

    /// The cells of a model under a judge; of a name that is new, a row is begun. Case makes no difference.
    pub(super) fn row(&mut self, model: &str, judge: &'static Judge) -> &mut Vec<Cell> {
        let is_it =
            |row: &Row| row.judge.label == judge.label && row.model.eq_ignore_ascii_case(model);
        let at = self.rows.iter().position(is_it).unwrap_or_else(|| {
            self.rows.push(Row {
                model: model.to_owned(),
                judge,
                cells: Vec::new(),
            });
            self.rows.len() - 1
        });
        &mut self.rows[at].cells
    }
}

/// A table's file: comment lines start with `#`, then column names, then rows without quotes.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    columns: Vec<&'static str>,
    rows: Vec<Vec<&'static str>>,
}

/// One row of a sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'a> {
    columns: &'a [&'static str],
    fields: &'a [&'static str],
}

impl Sheet {
    pub(super) fn new(text: &'static str) -> Self {
        let mut lines = text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty())
            .map(|line| line.split(',').collect::<Vec<_>>());
        Self {
            columns: lines.next().unwrap_or_default(),
            rows: lines.collect(),
        }
    }

    pub(super) fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.rows.iter().map(|fields| Record {
            columns: &self.columns,
            fields,
        })
    }

    pub(super) fn record(&self, at: usize) -> Option<Record<'_>> {
        self.records().nth(at)
    }

    pub(super) fn named(&self, name: &str) -> Option<Record<'_>> {
        self.records()
            .find(|record| record.name().eq_ignore_ascii_case(name))
    }
}

impl Record<'_> {
    /// The first field.
    pub(super) fn name(&self) -> &'static str {
        self.fields.first().copied().unwrap_or_default()
    }

    pub(super) fn text(&self, column: &str) -> &'static str {
        let at = self.columns.iter().position(|name| *name == column);
        at.and_then(|at| self.fields.get(at))
            .copied()
            .unwrap_or_default()
    }

    /// The number in a column; `None` for an empty field.
    pub(super) fn number(&self, column: &str) -> Option<f64> {
        self.text(column).parse().ok()
    }

    /// A total under the address of a score row, if it is printed.
    pub(super) fn total(
        &self,
        column: &str,
        table: &'static str,
        scope: &'static str,
        key: &'static str,
    ) -> Option<Cell> {
        self.cell(column, table, (scope, key, "total"))
    }

    /// The number in a column under the address of a score row (scope, key, criterion), if it is printed.
    pub(super) fn cell(
        &self,
        column: &str,
        table: &'static str,
        (scope, key, criterion): (&'static str, &'static str, &'static str),
    ) -> Option<Cell> {
        Some(Cell {
            scope,
            key,
            criterion,
            value: self.number(column)?,
            sd: None,
            table,
            recomputed: None,
        })
    }
}

impl Cell {
    /// The cell with the value of its parts; unchanged where they are not all printed.
    pub(super) fn beside(mut self, value: Option<f64>, rule: &'static str, tolerance: f64) -> Self {
        self.recomputed = value.map(|value| Recomputed {
            value,
            rule,
            tolerance,
        });
        self
    }
}
