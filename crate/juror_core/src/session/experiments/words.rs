//! What came out of an experiment, in sentences to be pasted, and what to know about its numbers.

use crate::session::compare::{p_value, printed};
use crate::view::experiments::{
    ExperimentBlock, ExperimentRow, Experiments, LevelDifference, Within,
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

/// What came of each further level of a block.
pub(super) fn sentence(found: &Experiments, block: &ExperimentBlock) -> String {
    let Some(total) = block.rows.last() else {
        return String::new();
    };
    let levels = found.levels.iter().enumerate().skip(1);
    let sentences: Vec<String> = levels
        .filter(|(at, _)| block.sources[*at].is_some())
        .map(|(at, _)| of_level(found, block, total, at))
        .collect();
    match (sentences.is_empty(), &block.sources[..]) {
        (false, _) => sentences.join(" "),
        (true, _) => format!(
            "{} has only one level of {}, so nothing is compared.",
            block.base, found.factor
        ),
    }
}

fn of_level(
    found: &Experiments,
    block: &ExperimentBlock,
    total: &ExperimentRow,
    at: usize,
) -> String {
    let (factor, level) = (&found.factor, &found.levels[at].level);
    let first = &found.levels[0].level;
    let judge = match found.side {
        Side::Judging if block.judge.is_empty() => String::new(),
        Side::Judging => format!(" by {}", block.judge),
        Side::Submission => {
            let mut judges = block.sources.iter().flatten();
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
        "On {}, {} {verb}{judge} with {factor} = {level} instead of {first}",
        found.benchmark, block.base
    );
    let Some(difference) = &total.cells[at].difference else {
        return format!(
            "{head} cannot be compared in {}: no {} has a score on both levels.",
            total.label,
            singular(&found.samples)
        );
    };
    let verdict = match (difference.separated, difference.value.value > 0.0) {
        (false, _) => format!("shows no difference in {}", total.label),
        (true, true) => format!("scores higher in {}", total.label),
        (true, false) => format!("scores lower in {}", total.label),
    };
    let figures = figures(found, &total.criterion, difference);
    let others = block.rows[..block.rows.len() - 1].iter();
    let apart: Vec<String> = others
        .filter_map(|row| {
            let own = row.cells[at].difference.as_ref()?;
            let number = found.number(&row.criterion, own.value.value);
            own.separated
                .then(|| format!("{} ({number}, n = {})", row.label, own.n))
        })
        .collect();
    let num = block.rows.len() - 1;
    let mut named = apart.clone();
    named.truncate(MAX_NAMED);
    let rows = match (num, apart.len()) {
        (0, _) => String::new(),
        (_, 0) => format!(" In none of the {num} other rows do the levels differ significantly."),
        (_, some) => format!(
            " Significant in {some} of the {num} other rows: {}{}.",
            named.join("; "),
            if some > MAX_NAMED { "; …" } else { "" }
        ),
    };
    format!(
        "{head} {verdict}: {figures}.{rows}{}{}",
        bounds(found, block, total, at),
        questions(block, level)
    )
}

fn figures(found: &Experiments, criterion: &str, difference: &LevelDifference) -> String {
    let mut figures = vec![format!(
        "mean paired difference {} over {} {} of both levels, {}",
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
    for row in &block.averages {
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

fn questions(block: &ExperimentBlock, level: &str) -> String {
    let own = block.questions.iter().find(|one| one.level == level);
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
    if found.blocks.iter().any(|block| !block.averages.is_empty()) {
        notes.push(
            "Averages follow from the rows above, and their intervals are not corrected."
                .to_owned(),
        );
    }
    notes
}
