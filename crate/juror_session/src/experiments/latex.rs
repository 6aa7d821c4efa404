//! An experiment as tables for a paper.

use crate::compare::p_value;
use crate::view::experiments::{
    AverageCell, ExperimentBlock, Experiments, LevelCell, LevelDifference,
};
use juror_evidence::report::latex::{TextTable, text_tables};
use juror_model::terms::Estimate;

/// Where there is no number.
const NONE: &str = "–";

impl Experiments {
    /// A table for each base: means with n, differences, and differences of differences, rounded as printed; the second
    /// factor is a column.
    pub fn to_latex(&self) -> String {
        let title = format!("{}: {}", self.benchmark, self.factor);
        let tables: Vec<TextTable> = self
            .blocks
            .iter()
            .map(|block| self.text_table(block))
            .collect();
        text_tables(&title, &tables)
    }

    fn text_table(&self, block: &ExperimentBlock) -> TextTable {
        let is_crossed = !self.by_factor.is_empty();
        let mut head = vec![self.by.clone()];
        head.extend(is_crossed.then(|| self.by_factor.clone()));
        let num_words = head.len();
        for (at, info) in self.levels.iter().enumerate() {
            head.extend([info.level.clone(), "n".to_owned()]);
            if at > 0 {
                head.push("difference".to_owned());
                head.extend(is_crossed.then(|| "of differences".to_owned()));
            }
        }
        let begin = |label: &str, level: &str| {
            let level = is_crossed.then(|| level.to_owned());
            [label.to_owned()].into_iter().chain(level)
        };
        let rows = block.rows.iter().map(|row| {
            let cells = row.cells.iter().enumerate();
            let cells = cells.flat_map(|(at, cell)| self.level_fields(at, &row.criterion, cell));
            begin(&row.label, &row.by_level).chain(cells).collect()
        });
        let averages = block.averages.iter().map(|row| {
            let cells = row.cells.iter().enumerate();
            let cells = cells.flat_map(|(at, cell)| self.average_fields(at, cell));
            begin(&row.label, &row.by_level).chain(cells).collect()
        });
        let by = match block.judge.as_str() {
            "" => String::new(),
            judge => format!(", judged by {judge}"),
        };
        TextTable {
            caption: format!(
                "{}: {} of {}{by}. Means with {} % intervals, and paired differences to {} ({} correction over {} comparisons).",
                self.benchmark,
                self.factor,
                block.base,
                self.level.percent(),
                self.levels.first().map_or("", |info| &info.level),
                self.correction.name(),
                self.comparisons
            ),
            label: format!(
                "{} {} {} {}",
                self.benchmark, self.factor, block.base, block.judge
            ),
            num_words,
            head,
            rows: rows.chain(averages).collect(),
        }
    }

    fn with_ends(&self, criterion: &str, of: Estimate) -> String {
        let number = |x| self.number(criterion, x);
        let ends = of.low.zip(of.high);
        let ends = ends.map(|(low, high)| format!(" [{}, {}]", number(low), number(high)));
        format!("{}{}", number(of.value), ends.unwrap_or_default())
    }

    fn level_fields(&self, at: usize, criterion: &str, cell: &LevelCell) -> Vec<String> {
        let difference = |own: &Option<LevelDifference>| {
            own.as_ref().map_or_else(
                || NONE.to_owned(),
                |own| {
                    let value = self.with_ends(criterion, own.value);
                    let p = own.p_corrected.map(|p| format!(", {}", p_value(p)));
                    let p = p.unwrap_or_default();
                    format!("{value}, n = {}/{}{p}", own.n, own.expected)
                },
            )
        };
        let mean = cell.mean.map(|mean| self.with_ends(criterion, mean));
        let mut fields = vec![
            mean.unwrap_or_else(|| NONE.to_owned()),
            counted(cell.n, cell.expected),
        ];
        if at > 0 {
            fields.push(difference(&cell.difference));
            if !self.by_factor.is_empty() {
                fields.push(difference(&cell.interaction));
            }
        }
        fields
    }

    fn average_fields(&self, at: usize, cell: &AverageCell) -> Vec<String> {
        let none = || NONE.to_owned();
        let number = |x| self.number(&self.criterion, x);
        let mut fields = vec![
            cell.mean.map_or_else(none, number),
            counted(cell.n, cell.expected),
        ];
        if at > 0 {
            let difference = cell.difference;
            let with_ends = |own| self.with_ends(&self.criterion, own);
            fields.push(difference.map_or_else(none, with_ends));
            fields.extend((!self.by_factor.is_empty()).then(none));
        }
        fields
    }
}

/// `6/6`: samples of those expected.
fn counted(n: u32, expected: Option<u32>) -> String {
    expected.map_or_else(|| NONE.to_owned(), |expected| format!("{n}/{expected}"))
}
