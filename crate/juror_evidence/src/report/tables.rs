//! The report as tables to be read or printed, here as Markdown; the module `latex` sets them for a paper.
//!
//! Best is told by tie groups, never by the largest number alone: all models that the samples cannot tell from the best
//! one of a column are bold. Numbers are rounded as the paper prints them; [`csv`](super::csv) has full precision.

use std::fmt::Write as _;

use juror_model::row::MEASURED;
use juror_reading::escape::markdown as md;

/// Whether means come with their 95 % intervals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Intervals {
    /// Means alone.
    #[default]
    Hidden,
    /// `[low, high]` behind each mean.
    Shown,
}

/// One number of a table, rounded and in words already.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The mean; `–` where there is none, [`NOT_JUDGED`] where no reply is there.
    pub mean: String,
    /// The ends of its 95 % interval.
    pub interval: Option<(String, String)>,
    /// Units in the mean and units that should be in it.
    pub n: (u32, u32),
    /// Not told from the best of its column.
    pub is_best: bool,
}

/// Models under one judge beside the columns of one scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What it shows: `Overall`, `Avg by Category`.
    pub title: String,
    /// Judge id; empty where the replies do not say.
    pub judge: String,
    /// Headings of the columns.
    pub columns: Vec<String>,
    /// Models with a cell for each column.
    pub rows: Vec<(String, Vec<Cell>)>,
    /// The models among them whose replies do not state this judge: whoever opened them named it.
    pub by_hand: Vec<String>,
    /// Whether some column could not be compared, so that nothing in it is bold.
    pub has_untested: bool,
    /// Whether some mean has no interval, as it is of too few values.
    pub has_few: bool,
}

/// What stands in place of a mean where nobody has replied about the model.
pub const NOT_JUDGED: &str = "Not judged";

/// All tables with what they rest on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// Display name of the benchmark.
    pub title: String,
    /// Profile, policy, prompts and version in words.
    pub basis: String,
    /// What is counted, in the plural: `turns`.
    pub units: String,
    /// The tables, the whole first.
    pub tables: Vec<Table>,
}

const BEST: &str = "Bold: not significantly different from the column's best (paired t test on the same samples, Holm's correction, 5 %).";
/// Why a mean may have no interval; so many are [`juror_statistics::MIN_FOR_INTERVAL`].
const FEW: &str = "Without an interval: n too small for an interval, fewer than five values.";
const UNTESTED: &str = "A column without bold could not be compared sample by sample.";

impl Tables {
    /// As Markdown.
    pub fn to_markdown(&self) -> String {
        let mut out = format!("# {}\n\n{}\n", md(&self.title), md(&self.basis));
        for table in &self.tables {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "\n## {}\n", md(&marked_caption(table)));
            let columns: Vec<String> = table.columns.iter().map(|column| md(column)).collect();
            let _ = writeln!(out, "| model | {} |", columns.join(" | "));
            let _ = writeln!(out, "|---|{}", "---:|".repeat(columns.len()));
            for (model, cells) in &table.rows {
                let cells: Vec<String> = cells.iter().map(md_cell).collect();
                let _ = writeln!(out, "| {} | {} |", md(model), cells.join(" | "));
            }
            let notes: Vec<String> = legend(table, true)
                .map(str::to_owned)
                .chain(footnote(table).map(|note| md(&note)))
                .collect();
            if !notes.is_empty() {
                let _ = writeln!(out, "\n{}", notes.join(" "));
            }
        }
        out
    }
}

pub(super) fn caption(table: &Table) -> String {
    if table.judge.is_empty() {
        table.title.clone()
    } else if table.judge == MEASURED {
        format!("{}, measured", table.title)
    } else {
        format!("{}, judge {}", table.title, table.judge)
    }
}

/// What a reader has to know of the numbers of a table: where bold has a meaning, what it is. One model alone is best of nothing.
pub(super) fn legend(table: &Table, has_intervals: bool) -> impl Iterator<Item = &'static str> {
    let is_compared = table.rows.len() > 1;
    let is_few = table.has_few && has_intervals;
    let notes = [
        is_compared.then_some(BEST),
        (is_compared && table.has_untested).then_some(UNTESTED),
        is_few.then_some(FEW),
    ];
    notes.into_iter().flatten()
}

/// The caption with a mark where there is a [`footnote`].
pub(super) fn marked_caption(table: &Table) -> String {
    let mark = if table.by_hand.is_empty() { "" } else { "†" };
    caption(table) + mark
}

/// The footnote to a judge that whoever opened the replies named.
pub(super) fn footnote(table: &Table) -> Option<String> {
    by_hand(&table.by_hand, table.rows.len()).map(|words| format!("† {words}"))
}

/// That a judge was named by hand for some of so many models; nothing where it was for none.
pub fn by_hand(named: &[String], num_models: usize) -> Option<String> {
    let about = match named.len() {
        0 => return None,
        some if some < num_models => format!(" about {}", named.join(", ")),
        _ => String::new(),
    };
    Some(format!(
        "Judge named manually: the files of replies{about} do not state it."
    ))
}

/// Only where something is missing the count is of interest in a table; it is always in the CSV.
fn md_cell(cell: &Cell) -> String {
    let mut out = cell.mean.clone();
    if cell.is_best {
        out = format!("**{out}**");
    }
    if let Some((low, high)) = &cell.interval {
        let _ = write!(out, " [{low}, {high}]");
    }
    if cell.n.0 < cell.n.1 {
        let _ = write!(out, " (n {} of {})", cell.n.0, cell.n.1);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables() -> Tables {
        let cell = |mean: &str, is_best| Cell {
            mean: mean.to_owned(),
            interval: Some(("−0.10".to_owned(), "0.90".to_owned())),
            n: (4, 4),
            is_best,
        };
        let gap = Cell {
            mean: "–".to_owned(),
            n: (0, 4),
            ..Cell::default()
        };
        Tables {
            title: "A & B".to_owned(),
            basis: "paper\nzero".to_owned(),
            units: "turns".to_owned(),
            tables: vec![Table {
                title: "Overall".to_owned(),
                judge: "gpt_5".to_owned(),
                columns: vec!["50%".to_owned(), "K|P".to_owned()],
                rows: vec![
                    ("m_1*".to_owned(), vec![cell("0.50", true), gap]),
                    (
                        "\\input{x}".to_owned(),
                        vec![cell("0.51", true), cell("−0.02", false)],
                    ),
                ],
                has_untested: true,
                has_few: true,
                ..Table::default()
            }],
        }
    }

    #[test]
    fn markdown_keeps_foreign_names_out_of_its_markup() {
        let text = tables().to_markdown();
        assert!(text.contains("# A &amp; B\n\npaper zero\n"), "{text}");
        assert!(text.contains("## Overall, judge gpt\\_5\n"), "{text}");
        assert!(
            text.contains("| model | 50% | K\\|P |\n|---|---:|---:|\n"),
            "{text}"
        );
        assert!(
            text.contains("| m\\_1\\* | **0.50** [−0.10, 0.90] | – (n 0 of 4) |\n"),
            "{text}"
        );
        assert!(
            text.contains(&format!("\n\n{BEST} {UNTESTED} {FEW}\n")),
            "{text}"
        );
        assert!(!text.contains('†'), "{text}");
    }

    #[test]
    fn bold_is_explained_where_models_can_be_compared_alone() {
        let mut all = tables();
        all.tables[0].rows.truncate(1);
        let text = all.to_markdown();
        assert!(text.ends_with(&format!(" |\n\n{FEW}\n")), "{text}");
        all.tables[0].has_few = false;
        let text = all.to_markdown();
        assert!(text.ends_with(" – (n 0 of 4) |\n"), "{text}");
    }

    #[test]
    fn a_judge_named_by_hand_has_a_footnote_that_names_the_models_unless_it_is_all_of_them() {
        let mut all = tables();
        all.tables[0].by_hand = vec!["m_1*".to_owned()];
        let text = all.to_markdown();
        assert!(text.contains("## Overall, judge gpt\\_5†\n"), "{text}");
        let note = "† Judge named manually: the files of replies about m\\_1\\* do not state it.\n";
        assert!(text.contains(note), "{text}");
        all.tables[0].by_hand.push("\\input{x}".to_owned());
        let text = all.to_markdown();
        let note = "† Judge named manually: the files of replies do not state it.\n";
        assert!(text.contains(note), "{text}");
    }
}
