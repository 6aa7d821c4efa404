//! An experiment as CSV and Markdown.

use std::fmt::Write as _;

use super::words::percent;
use crate::compare::{p_value, printed};
use crate::view::experiments::{
    AverageCell, AverageRow, ExperimentBlock, ExperimentRow, Experiments, LevelCell,
    LevelDifference, Within,
};
use juror_model::terms::Estimate;
use juror_reading::escape::{csv_field, csv_number, markdown};

const HEAD: &str = "kind,base,judge,factor,level,first,by,key,criterion,estimate,ci_low,ci_high,n,expected,corrected_low,corrected_high,p,p_corrected,separated,relative,within,interval_within,printed,interval_level,correction,profile,source,note,by_factor,by_level\n";
/// Fields of a row between those that say what it is of and those that say by which choices.
const NUM_FIGURES: usize = 14;

/// What a row of the file is of.
struct Line<'a> {
    kind: &'a str,
    base: &'a str,
    judge: &'a str,
    level: &'a str,
    by_level: &'a str,
    by: &'a str,
    key: &'a str,
    criterion: &'a str,
}

impl Experiments {
    /// One row for each number: `mean`, `difference` and `interaction` of each level in each row, averages, agreement of
    /// questions, and what the paper prints; full precision, RFC 4180, `\n` line ends.
    pub fn to_csv(&self) -> String {
        let mut out = HEAD.to_owned();
        for block in &self.blocks {
            for row in &block.rows {
                self.row(block, row, &mut out);
            }
            for row in &block.averages {
                self.average(block, row, &mut out);
            }
            self.questions(block, &mut out);
        }
        for one in &self.printed {
            let line = Line {
                kind: "printed",
                base: &one.base,
                judge: "",
                level: &one.level,
                by_level: "",
                by: &one.scope,
                key: &one.key,
                criterion: &one.criterion,
            };
            let mut figures: [String; NUM_FIGURES] = Default::default();
            figures[13] = csv_number(one.value);
            self.write(&line, &figures, (&one.source, &one.note), &mut out);
        }
        out
    }

    fn row(&self, block: &ExperimentBlock, row: &ExperimentRow, out: &mut String) {
        for (at, (info, cell)) in self.levels.iter().zip(&row.cells).enumerate() {
            let source = block.source(&row.by_level, at);
            let judge = row.judge.as_deref();
            let judge = judge.or(source.map(|source| source.judge.as_str()));
            let line = |kind| Line {
                kind,
                base: &block.base,
                judge: judge.unwrap_or_default(),
                level: &info.level,
                by_level: &row.by_level,
                by: &self.by,
                key: &row.key,
                criterion: &row.criterion,
            };
            self.write(&line("mean"), &of_mean(cell), ("", ""), out);
            if let Some(difference) = &cell.difference {
                let figures = of_difference(difference);
                self.write(&line("difference"), &figures, ("", ""), out);
            }
            if let Some(interaction) = &cell.interaction {
                let figures = of_difference(interaction);
                self.write(&line("interaction"), &figures, ("", ""), out);
            }
        }
    }

    fn average(&self, block: &ExperimentBlock, row: &AverageRow, out: &mut String) {
        let kind = |of: &str| format!("{of}_{}", row.id);
        for (info, cell) in self.levels.iter().zip(&row.cells) {
            let (average, difference) = (kind("average"), kind("average_difference"));
            let line = |kind| Line {
                kind,
                base: &block.base,
                judge: &block.judge,
                level: &info.level,
                by_level: &row.by_level,
                by: &self.by,
                key: "",
                criterion: &self.criterion,
            };
            let mut figures: [String; NUM_FIGURES] = Default::default();
            figures[0] = csv_number(cell.mean);
            figures[3] = cell.n.to_string();
            figures[4] = cell.expected.map(|n| n.to_string()).unwrap_or_default();
            figures[13] = csv_number(cell.printed.map(|printed| printed.value));
            self.write(&line(&average), &figures, ("", &row.label), out);
            if let Some(estimate) = cell.difference {
                let mut figures: [String; NUM_FIGURES] = Default::default();
                put(&mut figures, Some(estimate));
                put_within(&mut figures, cell.within);
                self.write(&line(&difference), &figures, ("", &row.label), out);
            }
        }
    }

    fn questions(&self, block: &ExperimentBlock, out: &mut String) {
        for of_level in &block.questions {
            let mut tell =
                |kind: &str, key: &str, counts: [Option<u32>; 2], estimate: Option<Estimate>| {
                    let line = Line {
                        kind,
                        base: &block.base,
                        judge: &block.judge,
                        level: &of_level.level,
                        by_level: &of_level.by_level,
                        by: "question",
                        key,
                        criterion: "",
                    };
                    let mut figures: [String; NUM_FIGURES] = Default::default();
                    put(&mut figures, estimate);
                    let number = |n: Option<u32>| n.map(|n| n.to_string()).unwrap_or_default();
                    [figures[3], figures[4]] = counts.map(number);
                    self.write(&line, &figures, ("", ""), out);
                };
            let alone = |value: Option<f64>| {
                value.map(|value| Estimate {
                    value,
                    low: None,
                    high: None,
                })
            };
            let all = [Some(of_level.n), Some(of_level.expected)];
            tell("equal", "", all, alone(of_level.equal));
            tell("kappa", "", all, of_level.kappa);
            for row in &of_level.rows {
                let equal = alone(Some(row.equal).filter(|equal| !equal.is_nan()));
                let key = match row.domain.as_str() {
                    "" => row.id.clone(),
                    domain => format!("{domain}/{}", row.id),
                };
                let counts = [Some(row.n), Some(row.expected)];
                tell("equal", &key, counts, equal);
                tell("kappa", &key, counts, row.kappa);
            }
        }
    }

    fn write(
        &self,
        line: &Line<'_>,
        figures: &[String; NUM_FIGURES],
        (source, note): (&str, &str),
        out: &mut String,
    ) {
        let first = self.levels.first().map_or("", |info| &info.level);
        let of = [
            line.kind,
            line.base,
            line.judge,
            &self.factor,
            line.level,
            first,
            line.by,
            line.key,
            line.criterion,
        ];
        let of: Vec<String> = of.iter().map(|field| csv_field(field)).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{},{},{},{},{},{},{},{},{}",
            of.join(","),
            figures.join(","),
            self.level.percent(),
            csv_field(self.correction.name()),
            match self.profile {
                juror_model::options::Profile::Paper => "paper",
                juror_model::options::Profile::Released => "released",
            },
            csv_field(source),
            csv_field(note),
            csv_field(if line.by_level.is_empty() {
                ""
            } else {
                &self.by_factor
            }),
            csv_field(line.by_level)
        );
    }
}

/// Estimate and ends.
fn put(figures: &mut [String; NUM_FIGURES], estimate: Option<Estimate>) {
    figures[0] = csv_number(estimate.map(|own| own.value));
    figures[1] = csv_number(estimate.and_then(|own| own.low));
    figures[2] = csv_number(estimate.and_then(|own| own.high));
}

fn put_within(figures: &mut [String; NUM_FIGURES], within: Option<Within>) {
    let word = |is: Option<bool>| is.map(|is| is.to_string()).unwrap_or_default();
    figures[11] = word(within.map(|own| own.difference));
    figures[12] = word(within.and_then(|own| own.interval));
}

fn of_mean(cell: &LevelCell) -> [String; NUM_FIGURES] {
    let mut figures: [String; NUM_FIGURES] = Default::default();
    put(&mut figures, cell.mean);
    figures[3] = cell.n.to_string();
    figures[4] = cell.expected.map(|n| n.to_string()).unwrap_or_default();
    figures[13] = csv_number(cell.printed.map(|printed| printed.value));
    figures
}

fn of_difference(own: &LevelDifference) -> [String; NUM_FIGURES] {
    let mut figures: [String; NUM_FIGURES] = Default::default();
    put(&mut figures, Some(own.value));
    figures[3] = own.n.to_string();
    figures[4] = own.expected.to_string();
    figures[5] = csv_number(own.corrected.map(|ends| ends[0]));
    figures[6] = csv_number(own.corrected.map(|ends| ends[1]));
    figures[7] = csv_number(own.p);
    figures[8] = csv_number(own.p_corrected);
    figures[9] = own.separated.to_string();
    figures[10] = csv_number(own.relative);
    put_within(&mut figures, own.within);
    figures
}

impl Experiments {
    /// A table and a sentence for each base, rounded as printed.
    pub fn to_markdown(&self) -> String {
        let mut out = format!(
            "# {}: {}\n",
            markdown(&self.benchmark),
            match (self.factor.as_str(), self.by_factor.as_str()) {
                ("", _) => "no experiment".to_owned(),
                (factor, "") => markdown(factor),
                (factor, second) => format!("{} by {}", markdown(factor), markdown(second)),
            }
        );
        if self.blocks.is_empty() {
            out += "\nNo submission and no judge here states a level of a factor. Name a submission MODEL@FACTOR=LEVEL, or put a variant.json in its folder.\n";
        }
        for block in &self.blocks {
            self.table(block, &mut out);
        }
        for note in &self.notes {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "\nNote: {}", markdown(note));
        }
        if !self.printed.is_empty() {
            out += "\n## Printed in the paper\n\n| base | level | group | criterion | printed | here | where | note |\n|---|---|---|---|---:|---:|---|---|\n";
            for (one, own) in self.printed.iter().zip(&self.own) {
                let number = |x| self.number(&one.criterion, x);
                let _ = writeln!(
                    out,
                    "| {} | {} | {} | {} | {:.*} | {} | {} | {} |",
                    markdown(&one.base),
                    markdown(&one.level),
                    markdown(&one.key),
                    markdown(&one.criterion),
                    usize::from(one.decimals),
                    one.value,
                    own.map_or_else(|| "–".to_owned(), number),
                    markdown(&one.source),
                    markdown(&one.note)
                );
            }
        }
        out
    }

    fn table(&self, block: &ExperimentBlock, out: &mut String) {
        let by = match block.judge.as_str() {
            "" => String::new(),
            judge => format!(", judged by {}", markdown(judge)),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "\n## {}{by}\n", markdown(&block.base));
        let heads = self.levels.iter().map(|info| match info.title.as_str() {
            "" => markdown(&info.level),
            title => format!("{} ({})", markdown(&info.level), markdown(title)),
        });
        let heads: Vec<String> = heads.collect();
        // The second factor is a column of its own.
        let with = |first: &str, level: &str| match self.by_factor.as_str() {
            "" => markdown(first),
            _ => format!("{} | {}", markdown(first), markdown(level)),
        };
        let num = heads.len() + usize::from(!self.by_factor.is_empty());
        let head = with(&self.by, &self.by_factor);
        let _ = writeln!(out, "| {head} | {} |", heads.join(" | "));
        let _ = writeln!(out, "|---|{}", "---|".repeat(num));
        for row in &block.rows {
            let cells = row.cells.iter().map(|cell| self.cell(&row.criterion, cell));
            let cells: Vec<String> = cells.collect();
            let head = with(&row.label, &row.by_level);
            let _ = writeln!(out, "| {head} | {} |", cells.join(" | "));
        }
        for row in &block.averages {
            let cells = row.cells.iter().map(|cell| self.average_cell(cell));
            let cells: Vec<String> = cells.collect();
            let head = with(&row.label, &row.by_level);
            let _ = writeln!(out, "| {head} | {} |", cells.join(" | "));
        }
        Self::question_tables(block, out);
        let _ = writeln!(out, "\n{}", markdown(&block.sentence));
    }

    fn average_cell(&self, cell: &AverageCell) -> String {
        let number = |x| self.number(&self.criterion, x);
        let mean = cell.mean.map_or_else(|| "–".to_owned(), number);
        let difference = cell.difference.map(|own| {
            let interval = self.interval(&self.criterion, own);
            format!("; difference {} ({interval})", number(own.value))
        });
        let paper = cell.printed.map(|x| format!("; printed {x}"));
        format!(
            "{mean}, n = {}/{}{}{}",
            cell.n,
            cell.expected
                .map_or_else(|| "–".to_owned(), |n| n.to_string()),
            difference.unwrap_or_default(),
            paper.unwrap_or_default()
        )
    }

    fn question_tables(block: &ExperimentBlock, out: &mut String) {
        for own in &block.questions {
            let kappa = own
                .kappa
                .map_or_else(|| "–".to_owned(), |kappa| printed(kappa.value, 3));
            let equal = own.equal.map_or_else(|| "–".to_owned(), |x| printed(x, 3));
            let _ = writeln!(
                out,
                "\n{}, question by question (of yes or no: n = {}/{}, equal {equal}, κ {kappa}):\n\n| question | group | n | equal | κ |\n|---|---|---:|---:|---:|",
                markdown(&match own.by_level.as_str() {
                    "" => own.level.clone(),
                    level => format!("{}, {level}", own.level),
                }),
                own.n,
                own.expected
            );
            for row in &own.rows {
                let kappa = row
                    .kappa
                    .map_or_else(|| "–".to_owned(), |kappa| printed(kappa.value, 3));
                let _ = writeln!(
                    out,
                    "| {} | {} | {} of {} | {} | {kappa} |",
                    markdown(&row.id),
                    markdown(&row.domain),
                    row.n,
                    row.expected,
                    printed(row.equal, 3)
                );
            }
        }
    }

    fn cell(&self, criterion: &str, cell: &LevelCell) -> String {
        let number = |x| self.number(criterion, x);
        let paper = cell.printed.map(|x| format!("; printed {x}"));
        let paper = paper.unwrap_or_default();
        let Some(mean) = cell.mean else {
            return format!("–{paper}");
        };
        let ends = mean.low.zip(mean.high);
        let ends = ends.map(|(low, high)| format!(" [{}, {}]", number(low), number(high)));
        let expected = cell
            .expected
            .map_or_else(|| "–".to_owned(), |n| n.to_string());
        let say = |word: &str, own: &Option<LevelDifference>| {
            let own = own.as_ref();
            own.map_or_else(String::new, |own| self.figures(word, criterion, own))
        };
        format!(
            "{}{}, n = {}/{expected}{}{}{paper}",
            number(mean.value),
            ends.unwrap_or_default(),
            cell.n,
            say("difference", &cell.difference),
            say("difference of differences", &cell.interaction)
        )
    }

    fn figures(&self, word: &str, criterion: &str, own: &LevelDifference) -> String {
        let number = |x| self.number(criterion, x);
        let ends = own
            .corrected
            .or(own.value.low.zip(own.value.high).map(<[f64; 2]>::from));
        let ends = ends.map(|ends| format!(" [{}, {}]", number(ends[0]), number(ends[1])));
        let p = own.p_corrected.map(|p| format!(", {}", p_value(p)));
        let relative = own.relative.map(|share| format!(", {}", percent(share)));
        format!(
            "; {word} {}{}, n = {}/{}{}{}{}",
            number(own.value.value),
            ends.unwrap_or_default(),
            own.n,
            own.expected,
            relative.unwrap_or_default(),
            p.unwrap_or_default(),
            if own.separated { ", significant" } else { "" }
        )
    }
}
