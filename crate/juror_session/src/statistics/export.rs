//! What a benchmark is made of, as CSV and as text for a terminal.

use std::fmt::Write as _;

use crate::view::statistics::{BenchmarkStatistics, PrintedCountRow, Spread, TotalRow};
use juror_model::counts::{CountKey, CountTable};
use juror_reading::escape::{csv_field, csv_number};

const HEAD: &str = "kind,table,row,column,value,share,printed,difference,source\n";

impl BenchmarkStatistics {
    /// One number on each row; full precision, RFC 4180, `\n` line ends.
    ///
    /// `kind` is `count` for a table's numbers, `spread` for the mean and its like, `range` for how many values lie from one
    /// number to another, `word` for the most frequent words, `printed` and `printed_share` for what the paper prints of other data. What the paper prints stands beside the count of its address.
    pub fn to_csv(&self) -> String {
        let mut out = HEAD.to_owned();
        let mut shown = vec![false; self.totals.len()];
        for table in &self.tables {
            self.count_lines(table, &mut shown, &mut out);
        }
        // Printed totals of groups that are not here at all.
        for (total, _) in self.totals.iter().zip(shown).filter(|(_, shown)| !shown) {
            let column = total.column.as_str();
            let names = ["count", &total.table, &total.row, column];
            line(names, &total.found.to_string(), None, Some(total), &mut out);
        }
        for row in &self.printed {
            row.lines(&mut out);
        }
        for spread in &self.spreads {
            for (name, value) in figures(spread) {
                if let Some(value) = value {
                    let names = ["spread", &spread.id, name, ""];
                    line(names, &csv_number(value), None, None, &mut out);
                }
            }
            for bin in &spread.bins {
                let range = range(bin.from, bin.to);
                let names = ["range", &spread.id, &range, ""];
                let share = f64::from(bin.n) / f64::from(spread.n);
                line(names, &bin.n.to_string(), Some(share), None, &mut out);
            }
        }
        let counted = f64::from(self.frequent.counted);
        for word in &self.frequent.words {
            let names = ["word", "frequent", &word.word, "times"];
            let share = f64::from(word.n) / counted;
            line(names, &word.n.to_string(), Some(share), None, &mut out);
            let names = ["word", "frequent", &word.word, "samples"];
            line(names, &word.samples.to_string(), None, None, &mut out);
        }
        out
    }

    fn count_lines(&self, table: &CountTable, shown: &mut [bool], out: &mut String) {
        let is_alone = table.columns.len() == 1;
        for row in &table.rows {
            for (column, count) in table.columns.iter().zip(&row.counts) {
                let is_it = |total: &TotalRow| {
                    let is_column = total.column == column.key || is_alone;
                    total.table == table.id && total.row == row.of.key && is_column
                };
                let at = self.totals.iter().position(is_it);
                if let Some(at) = at {
                    shown[at] = true;
                }
                let column = if is_alone { "" } else { column.key.as_str() };
                let names = ["count", &table.id, &row.of.key, column];
                let total = at.map(|at| &self.totals[at]);
                line(names, &count.n.to_string(), count.share, total, out);
            }
        }
    }

    /// Tables with aligned columns, rounded for reading; what differs from the paper is marked.
    pub fn to_text(&self) -> String {
        let mut out = format!("{}\n", self.title);
        if !self.totals.is_empty() {
            let differing = self.totals.iter().filter(|total| total.difference != 0);
            let head = format!(
                "Beside the paper: {} of {} printed totals differ (a part of a benchmark has fewer)",
                differing.count(),
                self.totals.len()
            );
            let total = |total: &TotalRow| {
                let difference = match total.difference {
                    0 => "as printed".to_owned(),
                    other => format!("{other:+}"),
                };
                vec![
                    total.label.clone(),
                    total.printed.to_string(),
                    total.found.to_string(),
                    difference,
                    total.source.clone(),
                ]
            };
            let names = ["total", "printed", "here", "difference", "where"];
            let rows = self.totals.iter().map(total);
            section(&head, &names.map(str::to_owned), rows, &mut out);
        }
        if !self.printed.is_empty() {
            let rows = self.printed.iter().map(PrintedCountRow::cells);
            let names = ["printed", "printed", "share", "here", "share here", "where"];
            let title = "What the paper prints of other data, or of what the files do not tell";
            section(title, &names.map(str::to_owned), rows, &mut out);
        }
        for table in &self.tables {
            let label = |key: &CountKey| key.label.clone();
            let mut names = vec![table.of.clone()];
            names.extend(table.columns.iter().map(label));
            let rows = table.rows.iter().map(|row| {
                let numbers = row.counts.iter().map(|count| match count.share {
                    Some(share) => format!("{} ({:.1} %)", count.n, 100.0 * share),
                    None => count.n.to_string(),
                });
                std::iter::once(label(&row.of)).chain(numbers).collect()
            });
            let title = match table.share_of.as_str() {
                "" => table.title.clone(),
                share_of => format!("{} (% {share_of})", table.title),
            };
            section(&title, &names, rows, &mut out);
        }
        let rows = self.spreads.iter().map(|spread| {
            let figures = figures(spread).into_iter();
            let figures = figures.map(|(_, value)| value.map_or("–".to_owned(), rounded));
            std::iter::once(spread.title.clone())
                .chain(figures)
                .collect()
        });
        let names = [
            "", "n", "sum", "mean", "SD", "smallest", "median", "largest",
        ];
        section("Spreads", &names.map(str::to_owned), rows, &mut out);
        let frequent = &self.frequent;
        let title = format!(
            "Most frequent words of {} different ones, without stop words",
            frequent.distinct
        );
        let rows = frequent.words.iter();
        let rows = rows.map(|word| {
            vec![
                word.word.clone(),
                word.n.to_string(),
                word.samples.to_string(),
            ]
        });
        let names = ["word", "times", "samples"].map(str::to_owned);
        section(&title, &names, rows, &mut out);
        out
    }
}

impl PrintedCountRow {
    /// The number and, where there is one, its share: here, and as printed.
    fn lines(&self, out: &mut String) {
        let source = csv_field(&self.source);
        let mut put = |kind: &str, here: Option<String>, printed: String| {
            let (label, here) = (csv_field(&self.label), here.unwrap_or_default());
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{kind},printed,{label},,{here},,{printed},,{source}");
        };
        put(
            "printed",
            self.found.map(|n| n.to_string()),
            self.printed.to_string(),
        );
        if let Some(printed) = self.printed_share {
            let here = Some(csv_number(self.share));
            put("printed_share", here, csv_number(printed));
        }
    }

    fn cells(&self) -> Vec<String> {
        let share = |share: Option<f64>| match share {
            Some(share) => format!("{:.2} %", 100.0 * share),
            None => "–".to_owned(),
        };
        let found = self.found.map(|n| n.to_string());
        vec![
            self.label.clone(),
            self.printed.to_string(),
            share(self.printed_share),
            found.unwrap_or_else(|| "not countable from the files".to_owned()),
            share(self.share),
            self.source.clone(),
        ]
    }
}

/// The figures of a spread by name.
fn figures(spread: &Spread) -> [(&'static str, Option<f64>); 7] {
    [
        ("n", Some(f64::from(spread.n))),
        ("sum", Some(spread.sum)),
        ("mean", Some(spread.mean)),
        ("sd", spread.sd),
        ("min", Some(spread.min)),
        ("median", Some(spread.median)),
        ("max", Some(spread.max)),
    ]
}

/// `7` or `0–19`.
fn range(from: f64, to: f64) -> String {
    if from < to {
        format!("{from}–{to}")
    } else {
        from.to_string()
    }
}

/// Whole numbers as they are, others with two digits.
fn rounded(value: f64) -> String {
    if value.fract() == 0.0 {
        value.to_string()
    } else {
        format!("{value:.2}")
    }
}

/// One row of the CSV.
fn line(
    names: [&str; 4],
    value: &str,
    share: Option<f64>,
    total: Option<&TotalRow>,
    out: &mut String,
) {
    let names = names.map(csv_field).join(",");
    let share = csv_number(share);
    let printed = total.map_or_else(
        || ",,".to_owned(),
        |total| {
            let source = csv_field(&total.source);
            format!("{},{},{source}", total.printed, total.difference)
        },
    );
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{names},{value},{share},{printed}");
}

/// A heading and a table below it: the first column from the left, numbers from the right.
fn section(
    title: &str,
    names: &[String],
    rows: impl Iterator<Item = Vec<String>>,
    out: &mut String,
) {
    let lines: Vec<Vec<String>> = std::iter::once(names.to_vec()).chain(rows).collect();
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..names.len()).map(width).collect();
    let _ = writeln!(out, "\n{title}");
    for line in lines {
        let mut text = String::from(" ");
        for (at, (cell, width)) in line.iter().zip(&widths).enumerate() {
            let _ = match at {
                0 => write!(text, " {cell:<width$}"),
                _ => write!(text, "  {cell:>width$}"),
            };
        }
        let _ = writeln!(out, "{}", text.trim_end());
    }
}
