//! Result files of runs that only part of the benchmark has: a file was lost, or one of an earlier judging was left.
//!
//! A protocol takes every run that a task has, so such a task's mean is over other runs than those of the rest.

use std::collections::{BTreeMap, BTreeSet};

use super::linked::{Linked, Source};
use juror_model::problem::{Problem, Severity};

/// The runs of a part of the benchmark.
type Runs = BTreeSet<u32>;

/// How many parts a finding names.
const MAX_NAMED: usize = 3;

/// Names, per model and judge, the parts whose result files are of other runs than those of most parts.
pub(super) fn problems(linked: &Linked) -> Vec<Problem> {
    let mut found = Vec::new();
    for model in &linked.models {
        let mut judges: BTreeMap<u16, BTreeMap<&str, Runs>> = BTreeMap::new();
        for given in model.given.iter().filter(|_| model.has_runs) {
            let source = linked.sources.get(given.origin.0 as usize);
            let sample = given.sample.get();
            let sample = sample.and_then(|at| linked.benchmark.samples.get(at as usize));
            if let (Some(sample), Some(Source::Replies(_))) = (sample, source) {
                let parts = judges.entry(given.judge).or_default();
                parts.entry(&*sample.domain).or_default().insert(given.run);
            }
        }
        let submission = &model.submission;
        let messages = judges.values().filter_map(uneven);
        found.extend(messages.map(|message| {
            Problem::new(
                if submission.folder.is_empty() {
                    &submission.name
                } else {
                    &submission.folder
                },
                ("uneven_runs", Severity::Warning),
                String::new(),
                message,
                "Each mean is over the runs that are there. Add the missing result files, or remove those that are of no run any more.",
            )
        }));
    }
    found
}

/// `Addition has runs 2 and 3; the rest of the benchmark has runs 1 to 3.`
///
/// A part may be judged more often than the rest, which is judged once: then every one of its runs from the first counts.
fn uneven(parts: &BTreeMap<&str, Runs>) -> Option<String> {
    let mut counts: BTreeMap<&Runs, usize> = BTreeMap::new();
    for runs in parts.values() {
        *counts.entry(runs).or_default() += 1;
    }
    let (usual, _) = counts
        .iter()
        .max_by_key(|(runs, count)| (**count, runs.len()))?;
    let has_gap = |runs: &Runs| runs.last().is_some_and(|last| *last as usize > runs.len());
    let is_odd = |runs: &Runs| {
        has_gap(runs) || !runs.is_superset(usual) || usual.len() > 1 && runs != *usual
    };
    let odd: Vec<(&&str, &Runs)> = parts.iter().filter(|(_, runs)| is_odd(runs)).collect();
    if odd.is_empty() {
        return None;
    }
    let named = odd.iter().take(MAX_NAMED);
    let mut named: Vec<String> = named
        .map(|(part, runs)| format!("{part} has {}", words(runs)))
        .collect();
    let more = odd.len().saturating_sub(MAX_NAMED);
    if more > 0 {
        named.push(format!("{more} more differ"));
    }
    let rest = if odd.len() == parts.len() {
        String::new()
    } else if more == 0 {
        format!("; the rest of the benchmark has {}", words(usual))
    } else {
        format!("; most of the benchmark has {}", words(usual))
    };
    Some(format!("{}{rest}.", named.join(", ")))
}

/// `run 1`, `runs 2 and 3`, `runs 1 to 3`, `runs 1, 3 and 7`.
fn words(runs: &Runs) -> String {
    let all: Vec<u32> = runs.iter().copied().collect();
    match all.as_slice() {
        [] => "no run".to_owned(),
        [run] => format!("run {run}"),
        [first, .., last] if all.len() > 2 && (last - first) as usize == all.len() - 1 => {
            format!("runs {first} to {last}")
        }
        [others @ .., last] => {
            let others: Vec<String> = others.iter().map(u32::to_string).collect();
            format!("runs {} and {last}", others.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(parts: &[(&'static str, &[u32])]) -> Option<String> {
        let parts = parts
            .iter()
            .map(|(part, runs)| (*part, runs.iter().copied().collect()));
        uneven(&parts.collect())
    }

    #[test]
    fn the_part_with_other_runs_is_named_beside_those_of_the_rest() {
        let rest: [(&str, &[u32]); 2] = [("Flow", &[1, 2, 3]), ("Removal", &[1, 2, 3])];
        let with = |runs: &'static [u32]| told(&[rest[0], rest[1], ("Addition", runs)]);
        for (runs, words) in [
            (&[2, 3][..], "Addition has runs 2 and 3"),
            (&[1, 2, 3, 4], "Addition has runs 1 to 4"),
            (&[3], "Addition has run 3"),
            (&[1, 2, 7], "Addition has runs 1, 2 and 7"),
        ] {
            let expected = format!("{words}; the rest of the benchmark has runs 1 to 3.");
            assert_eq!(with(runs), Some(expected));
        }
        assert_eq!(with(&[1, 2, 3]), None);
        // A part that is judged more often than the rest.
        assert_eq!(
            told(&[("Addition", &[1]), ("Flow", &[1]), ("Removal", &[1, 2, 3])]),
            None
        );
        let lost = told(&[("Addition", &[1]), ("Flow", &[1]), ("Removal", &[1, 3])]);
        let expected = "Removal has runs 1 and 3; the rest of the benchmark has run 1.";
        assert_eq!(lost.as_deref(), Some(expected));
        assert_eq!(told(&[("Addition", &[1])]), None);
        let alone = told(&[("Addition", &[1, 3])]);
        assert_eq!(alone.as_deref(), Some("Addition has runs 1 and 3."));
    }
}
