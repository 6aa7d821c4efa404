//! Counts of labels and agreement on them, as CSV and Markdown.

use std::fmt::Write as _;

use super::ANY;
use crate::compare::printed;
use crate::view::labels::{LabelAgreement, LabelCounts, LabelRow};
use juror_model::terms::Estimate;
use juror_reading::escape::{csv_field, csv_number, markdown};

impl LabelCounts {
    /// One row for each group, model and label; full precision, RFC 4180, `\n` line ends.
    ///
    /// An empty key is all outputs, an empty model all models; `any` is at least one label.
    pub fn to_csv(&self) -> String {
        let mut out =
            "scope,key,model,label,rater,count,n,expected,share,low,high,level\n".to_owned();
        for row in &self.rows {
            let scope = if row.key.is_empty() { "" } else { &self.scope };
            let names = [scope, &row.key, &row.model, &row.label, &self.rater].map(csv_field);
            let (share, ends) = numbers(row.share);
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "{},{},{},{},{share},{ends},{}",
                names.join(","),
                row.count,
                row.n,
                row.expected,
                self.level.percent()
            );
        }
        out
    }

    /// One row for each pair of raters and label.
    pub fn agreement_csv(&self) -> String {
        let mut out =
            "a,b,label,n,expected,both,only_a,only_b,neither,equal,kappa,low,high,level\n"
                .to_owned();
        for row in &self.agreement {
            let names = [&*row.a, &row.b, &row.label].map(csv_field);
            let (kappa, ends) = numbers(row.kappa);
            let _ = writeln!(
                out,
                "{},{},{},{},{},{},{},{},{kappa},{ends},{}",
                names.join(","),
                row.n,
                row.expected,
                row.both,
                row.only_a,
                row.only_b,
                row.neither(),
                csv_number(row.equal()),
                self.level.percent()
            );
        }
        out
    }

    /// Both tables, rounded.
    pub fn to_markdown(&self) -> String {
        let mut out = "# Failure labels\n".to_owned();
        let percent = self.level.percent();
        let mut keys: Vec<&str> = self.rows.iter().map(|row| &*row.key).collect();
        keys.dedup();
        for key in keys {
            let title = if key.is_empty() { "all" } else { key };
            let _ = writeln!(
                out,
                "\n## {}\n\n| model | label | outputs | of labelled | of all | share | {percent} % CI |\n|---|---|---:|---:|---:|---:|---|",
                markdown(title)
            );
            for row in self.rows.iter().filter(|row| row.key == key) {
                let _ = writeln!(out, "{}", self.line(row));
            }
        }
        if !self.agreement.is_empty() {
            let _ = writeln!(
                out,
                "\n## Raters\n\n| first | second | label | n | of | both | first alone | second alone | κ | {percent} % CI |\n|---|---|---|---:|---:|---:|---:|---:|---:|---|"
            );
        }
        for row in &self.agreement {
            let (kappa, ends) = row.kappa.map_or(("–".to_owned(), "–".to_owned()), |kappa| {
                (printed(kappa.value, 3), ends(kappa, 1.0, 3))
            });
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} | {} | {} | {kappa} | {ends} |",
                markdown(&row.a),
                markdown(&row.b),
                markdown(self.name(&row.label)),
                row.n,
                row.expected,
                row.both,
                row.only_a,
                row.only_b
            );
        }
        for note in &self.notes {
            let _ = writeln!(out, "\nNote: {}", markdown(note));
        }
        out
    }

    fn line(&self, row: &LabelRow) -> String {
        let (share, ends) = row.share.map_or(("–".to_owned(), "–".to_owned()), |share| {
            (
                format!("{} %", printed(100.0 * share.value, 1)),
                ends(share, 100.0, 1),
            )
        });
        let model = if row.model.is_empty() {
            "all models"
        } else {
            &row.model
        };
        format!(
            "| {} | {} | {} | {} | {} | {share} | {ends} |",
            markdown(model),
            markdown(self.name(&row.label)),
            row.count,
            row.n,
            row.expected
        )
    }

    /// What a label is called.
    fn name<'a>(&'a self, id: &'a str) -> &'a str {
        let mut labels = self.labels.iter();
        match labels.find(|label| label.id == id) {
            Some(label) => &label.name,
            None if id == ANY => "at least one",
            None => id,
        }
    }
}

impl LabelAgreement {
    /// Outputs on which neither set it.
    pub fn neither(&self) -> u32 {
        self.n - self.both - self.only_a - self.only_b
    }

    /// The share of outputs of which both say the same; `None` without any.
    pub fn equal(&self) -> Option<f64> {
        (self.n > 0).then(|| f64::from(self.both + self.neither()) / f64::from(self.n))
    }
}

/// A value and its ends as fields of a CSV; empty where there is none.
fn numbers(estimate: Option<Estimate>) -> (String, String) {
    let value = estimate.map(|one| one.value);
    let ends = [
        estimate.and_then(|one| one.low),
        estimate.and_then(|one| one.high),
    ];
    (csv_number(value), ends.map(csv_number).join(","))
}

/// Both ends in brackets.
fn ends(estimate: Estimate, factor: f64, decimals: usize) -> String {
    let end = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), |x| printed(factor * x, decimals));
    format!("[{}, {}]", end(estimate.low), end(estimate.high))
}
