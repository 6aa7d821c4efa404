//! What verdicts are made of, for those who answer in the judge's place: steps of scales, and replies put together.

use juror_model::terms::{Atom, CriterionInfo, Step};
use juror_statistics::small::arrange_numbers;

/// Most steps of a scale: each is one key, or two at ten.
const MAX_STEPS: usize = 11;

/// The steps that a person can choose from: the values allowed, every integer where there are at most eleven, else eleven
/// steps over the scale. A total's scale is the printed one.
pub fn steps(info: &CriterionInfo) -> Vec<f64> {
    if let Some(allowed) = &info.allowed
        && allowed.len() <= MAX_STEPS
    {
        let mut steps = allowed.clone();
        arrange_numbers(&mut steps);
        return steps;
    }
    let width = info.max - info.min;
    let is_whole = info.min.fract() == 0.0 && info.max.fract() == 0.0;
    if is_whole && (2.0..MAX_STEPS as f64).contains(&width) {
        let integers = (0..MAX_STEPS).map(|at| info.min + at as f64);
        return integers.take_while(|step| *step <= info.max).collect();
    }
    let last = (MAX_STEPS - 1) as f64;
    (0..MAX_STEPS)
        .map(|at| info.min + width * at as f64 / last)
        .collect()
}

/// Atoms of a request whose reply gives its criteria as they are.
pub(crate) fn of_criteria(
    request: &str,
    criteria: impl IntoIterator<Item = CriterionInfo>,
) -> Vec<Atom> {
    let atom = |info: CriterionInfo| Atom {
        request: request.to_owned(),
        steps: plain(&steps(&info)),
        id: info.id,
        label: info.label,
        question: info.meaning,
        is_hard: false,
    };
    criteria.into_iter().map(atom).collect()
}

/// Steps that are named by their numbers.
pub(crate) fn plain(values: &[f64]) -> Vec<Step> {
    values.iter().map(|value| named(*value, "")).collect()
}

/// A step with a name.
pub(crate) fn named(value: f64, name: &str) -> Step {
    Step {
        value,
        name: name.to_owned(),
    }
}
