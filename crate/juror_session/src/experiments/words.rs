//! What came out of an experiment, in sentences to be pasted, and what to know about its numbers.

use super::crossed::{Table, others};
use crate::compare::{p_value, printed};
use crate::view::experiments::{
    ExperimentBlock, ExperimentLane, ExperimentRow, Experiments, LevelDifference, LevelQuestions,
    Within,
};
use juror_model::experiment::Side;
use juror_model::terms::Estimate;
use juror_statistics::MIN_FOR_INTERVAL;
use juror_statistics::correction::Correction;

/// Rows with a significant difference that are named in a sentence.
const MAX_NAMED: usize = 12;

impl Experiments {
    /// A number of a criterion as it is printed.
    pub(super) fn number(&self, criterion: &str, x: f64) -> String {
        let info = self.criteria.iter().find(|info| info.id == criterion);
        printed(x, info.map_or(2, |info| usize::from(info.decimals)))
    }

    fn ends(&self, criterion: &str, [low, high]: [f64; 2]) -> String {
        let number = |x| self.number(criterion, x);
        format!("[{}, {}]", number(low), number(high))
    }

    /// `95 % CI [−0.1, 0.2]`, or why there is none.
    pub(super) fn interval(&self, criterion: &str, of: Estimate) -> String {
        let ends = of.low.zip(of.high);
        ends.map_or_else(
            || "n too small for an interval".to_owned(),
            |(low, high)| {
                let percent = self.level.percent();
                format!("{percent} % CI {}", self.ends(criterion, [low, high]))
            },
        )
    }
}

/// A share with its sign: `+1.2 %`.
pub(super) fn percent(share: f64) -> String {
    let text = printed(share * 100.0, 1);
    let sign = if share > 0.0 && text != "0.0" {
        "+"
    } else {
        ""
    };
    format!("{sign}{text} %")
}

/// What came of each further level of a block, at each level of the second factor, and of the differences between these.
pub(super) fn sentence(found: &Experiments, block: &ExperimentBlock) -> String {
    let lanes = block.lanes.iter();
    let mut sentences: Vec<String> = lanes.flat_map(|lane| of_lane(found, block, lane)).collect();
    for lane in block.lanes.iter().skip(1) {
        sentences.extend(interactions(found, block, lane));
    }
    if sentences.is_empty() {
        return format!(
            "{} has only one level of {}, so nothing is compared.",
            block.base, found.factor
        );
    }
    sentences.join(" ")
}

/// The rows of a lane, the total last.
fn rows_of<'a>(block: &'a ExperimentBlock, lane: &ExperimentLane) -> Vec<&'a ExperimentRow> {
    let rows = block.rows.iter();
    rows.filter(|row| row.by_level == lane.level).collect()
}

fn of_lane(found: &Experiments, block: &ExperimentBlock, lane: &ExperimentLane) -> Vec<String> {
    let rows = rows_of(block, lane);
    let levels = found.levels.iter().enumerate().skip(1);
    let is_there = |at: usize| lane.sources[at].is_some();
    // Without a second factor a level that nothing is compared with is said as well.
    let levels = levels
        .filter(|(at, _)| is_there(*at) && (is_there(0) || found.by_factor.is_empty()))
        .filter_map(|(at, _)| of_level(found, block, lane, &rows, at));
    levels.collect()
}

/// The lane in words, where there is a second factor.
fn place(found: &Experiments, lane: &ExperimentLane) -> String {
    match found.by_factor.as_str() {
        "" => String::new(),
        second => format!(" at {second} = {}", lane.level),
    }
}

fn of_level(
    found: &Experiments,
    block: &ExperimentBlock,
    lane: &ExperimentLane,
    rows: &[&ExperimentRow],
    at: usize,
) -> Option<String> {
    let (total, others) = rows.split_last()?;
    let (factor, level) = (&found.factor, &found.levels[at].level);
    let first = &found.levels[0].level;
    let judge = match found.side {
        Side::Judging if block.judge.is_empty() => String::new(),
        Side::Judging => format!(" by {}", block.judge),
        Side::Submission => {
            let mut judges = lane.sources.iter().flatten();
            let judge = judges.next().map(|source| source.judge.as_str());
            judge
                .filter(|judge| !judge.is_empty())
                .map_or_else(String::new, |judge| format!(" (judge: {judge})"))
        }
    };
    let verb = match found.side {
        Side::Judging => "judged",
        Side::Submission => "made",
    };
    let head = format!(
        "On {}, {} {verb}{judge} with {factor} = {level} instead of {first}{}",
        found.benchmark,
        block.base,
        place(found, lane)
    );
    let Some(difference) = &total.cells[at].difference else {
        return Some(format!(
            "{head} cannot be compared in {}: no {} has a score on both levels.",
            total.label,
            singular(&found.samples)
        ));
    };
    let verdict = match (difference.separated, difference.value.value > 0.0) {
        (false, _) => format!("shows no difference in {}", total.label),
        (true, true) => format!("scores higher in {}", total.label),
        (true, false) => format!("scores lower in {}", total.label),
    };
    let figures = figures(found, &total.criterion, difference, "both levels");
    Some(format!(
        "{head} {verdict}: {figures}.{}{}{}",
        significant_rows(found, others, at),
        bounds(found, block, total, at),
        questions(block, lane, level)
    ))
}

/// The other rows in which the levels differ.
fn significant_rows(found: &Experiments, others: &[&ExperimentRow], at: usize) -> String {
    let apart: Vec<String> = others
        .iter()
        .filter_map(|row| {
            let own = row.cells[at].difference.as_ref()?;
            let number = found.number(&row.criterion, own.value.value);
            own.separated
                .then(|| format!("{} ({number}, n = {})", row.label, own.n))
        })
        .collect();
    let num = others.len();
    let mut named = apart.clone();
    named.truncate(MAX_NAMED);
    match (num, apart.len()) {
        (0, _) => String::new(),
        (_, 0) => format!(" In none of the {num} other rows do the levels differ significantly."),
        (_, some) => format!(
            " Significant in {some} of the {num} other rows: {}{}.",
            named.join("; "),
            if some > MAX_NAMED { "; …" } else { "" }
        ),
    }
}

/// Whether a difference is another one at this level of the second factor than at its first, where all four cells are there.
fn interactions(
    found: &Experiments,
    block: &ExperimentBlock,
    lane: &ExperimentLane,
) -> Vec<String> {
    let (rows, first) = (rows_of(block, lane), &block.lanes[0]);
    let Some(total) = rows.last() else {
        return Vec::new();
    };
    let has = |lane: &ExperimentLane, at: usize| lane.sources[at].is_some();
    let has_all = |at: usize| {
        [first, lane]
            .iter()
            .all(|lane| has(lane, 0) && has(lane, at))
    };
    let say = |at: usize| {
        let head = format!(
            "The difference of {} = {} in {}",
            found.factor, found.levels[at].level, total.label
        );
        let (here, there) = (place(found, lane), place(found, first));
        let Some(own) = &total.cells[at].interaction else {
            return format!(
                "{head}{here} cannot be compared with that{there}: no {} has all four scores.",
                singular(&found.samples)
            );
        };
        let verdict = match (own.separated, own.value.value > 0.0) {
            (false, _) => "does not differ from",
            (true, true) => "is larger than",
            (true, false) => "is smaller than",
        };
        let figures = figures(found, &total.criterion, own, "all four cells");
        format!("{head}{here} {verdict} that{there}: {figures}.")
    };
    let levels = 1..found.levels.len();
    levels.filter(|at| has_all(*at)).map(say).collect()
}

/// Cells that nothing is in, though the table has both of their levels.
fn empty_cells(found: &Experiments, block: &ExperimentBlock) -> Vec<String> {
    let is_used = |at: &usize| block.lanes.iter().any(|lane| lane.sources[*at].is_some());
    let mut empty = Vec::new();
    for at in (0..found.levels.len()).filter(is_used) {
        let lanes = block.lanes.iter().filter(|lane| lane.sources[at].is_none());
        empty.extend(lanes.map(|lane| {
            let (level, second) = (&found.levels[at].level, &found.by_factor);
            format!("{} = {level} with {second} = {}", found.factor, lane.level)
        }));
    }
    empty
}

/// Other factors that the tables differ in, so that nobody takes their rows for those of one factor.
pub(super) fn other_factors(found: &Experiments, tables: &[Table]) -> Option<String> {
    let others = others(tables);
    let cross = match found.by_factor.as_str() {
        "" => " Cross two factors to have one of them as rows: By factor, or --by-factor.",
        _ => "",
    };
    (!others.is_empty()).then(|| {
        format!(
            "Levels of {} differ as well: each of their combinations has a table of its own, and none are mixed.{cross}",
            others.join(", ")
        )
    })
}

fn figures(found: &Experiments, criterion: &str, difference: &LevelDifference, of: &str) -> String {
    let mut figures = vec![format!(
        "mean paired difference {} over {} {} of {of}, {}",
        found.number(criterion, difference.value.value),
        difference.n,
        found.samples,
        found.interval(criterion, difference.value)
    )];
    if let Some(ends) = difference.corrected.filter(|_| found.comparisons > 1) {
        figures.push(format!(
            "{} for all {} differences together",
            found.ends(criterion, ends),
            found.comparisons
        ));
    }
    figures.extend(difference.relative.map(percent));
    figures.push(match (difference.p, difference.p_corrected) {
        (None, _) | (_, None) => "nothing to test".to_owned(),
        (Some(p), Some(_)) if found.comparisons < 2 => p_value(p),
        (Some(p), Some(_)) if found.correction == Correction::None => {
            format!(
                "{}, not corrected for {} comparisons",
                p_value(p),
                found.comparisons
            )
        }
        (Some(_), Some(p)) => format!(
            "{} after {} correction for {} comparisons",
            p_value(p),
            found.correction.name(),
            found.comparisons
        ),
    });
    figures.join("; ")
}

/// What the bound says of the averages, or of the total where there are none.
fn bounds(
    found: &Experiments,
    block: &ExperimentBlock,
    total: &ExperimentRow,
    at: usize,
) -> String {
    let Some(bound) = found.bound else {
        return String::new();
    };
    let say = |of: &str, value: Option<Estimate>, within: Option<Within>| {
        let (Some(value), Some(within)) = (value, within) else {
            return format!(" {of} has no difference to compare with {bound}.");
        };
        let number = found.number(&total.criterion, value.value);
        let size = if within.difference { "is" } else { "is not" };
        let interval = match within.interval {
            Some(true) => ", and so is its whole interval",
            Some(false) => ", and its interval is not",
            None => "",
        };
        let interval = match (within.difference, within.interval) {
            (false, _) => "",
            _ => interval,
        };
        format!(
            " {of}: a difference of {number} ({}) {size} below {bound} in size{interval}.",
            found.interval(&total.criterion, value)
        )
    };
    let mut said = String::new();
    let averages = block.averages.iter();
    for row in averages.filter(|row| row.by_level == total.by_level) {
        let cell = &row.cells[at];
        said += &say(&row.label, cell.difference, cell.within);
    }
    if block.averages.is_empty() {
        let own = total.cells[at].difference.as_ref();
        said += &say(
            &total.label,
            own.map(|own| own.value),
            own.and_then(|own| own.within),
        );
    }
    said
}

fn questions(block: &ExperimentBlock, lane: &ExperimentLane, level: &str) -> String {
    let is_it = |one: &&LevelQuestions| one.level == level && one.by_level == lane.level;
    let own = block.questions.iter().find(is_it);
    let own = own.and_then(|own| Some((own, own.equal?)));
    own.map_or_else(String::new, |(own, equal)| {
        let kappa = own.kappa.map_or_else(
            || "κ is not defined".to_owned(),
            |kappa| format!("κ {}", printed(kappa.value, 3)),
        );
        format!(
            " Of {} questions of yes or no, {} % are answered alike ({kappa}).",
            own.n,
            printed(equal * 100.0, 1)
        )
    })
}

fn singular(plural: &str) -> &str {
    plural.strip_suffix('s').unwrap_or(plural)
}

/// What to know about the numbers.
pub(super) fn notes(found: &Experiments) -> Vec<String> {
    let mut notes = Vec::new();
    let cells = || {
        let rows = found.blocks.iter().flat_map(|block| &block.rows);
        rows.flat_map(|row| &row.cells)
    };
    let is_small = |n: u32| n > 0 && n < MIN_FOR_INTERVAL;
    let is_few = |cell: &crate::view::experiments::LevelCell| {
        is_small(cell.n) || cell.difference.as_ref().is_some_and(|own| is_small(own.n))
    };
    if cells().any(is_few) {
        notes.push(format!(
            "A mean or a difference of fewer than {MIN_FOR_INTERVAL} {} has no interval.",
            found.samples
        ));
    }
    let is_partial = |cell: &crate::view::experiments::LevelCell| {
        cell.difference.as_ref().is_some_and(|own| own.n < cell.n)
    };
    if cells().any(is_partial) {
        notes.push(format!(
            "Differences are over the {} that both levels have, means over those of their own level: where n is another, a difference is not the one of the two means.",
            found.samples
        ));
    }
    if found.correction == Correction::Holm && found.comparisons > 1 {
        notes.push(format!(
            "Corrected intervals hold for all {} differences of the table together (Bonferroni's, as Holm's steps have none of their own); p-values are Holm's.",
            found.comparisons
        ));
    }
    if !found.by_factor.is_empty() {
        for block in &found.blocks {
            let empty = empty_cells(found, block);
            if !empty.is_empty() {
                notes.push(format!(
                    "Nothing of {} is {}: such a cell is empty, and no difference of differences follows from it.",
                    block.base,
                    empty.join(", or ")
                ));
            }
        }
        notes.push(
            "A difference of differences is the difference to the first column in its row less the one in the row of the first level, over the samples that have all four numbers; its p-value is corrected with those of the table."
                .to_owned(),
        );
    }
    if found.blocks.iter().any(|block| !block.averages.is_empty()) {
        notes.push(
            "Averages follow from the rows above, and their intervals are not corrected."
                .to_owned(),
        );
    }
    notes
}
