//! A comparison in sentences that an author can paste, rounded as printed.

use super::types::{Cluster, CompareQuery, ComparedModel, ComparedPair, Interval};
use juror_model::options::{Profile, ScoreOptions};
use juror_model::terms::{CriterionInfo, Direction, Words};
use juror_statistics::MIN_FOR_INTERVAL;
use juror_statistics::correction::Correction;
use juror_statistics::paired::{ALPHA, POWER};

/// What all sentences of a comparison have in common.
pub(super) struct Speaker<'a> {
    pub(super) benchmark: &'a str,
    /// Label of the scope, and the key; `None` for all samples.
    pub(super) group: Option<(&'a str, &'a str)>,
    pub(super) criterion: &'a CriterionInfo,
    pub(super) judge: &'a str,
    pub(super) options: &'a ScoreOptions,
    pub(super) words: &'a Words,
    pub(super) query: &'a CompareQuery,
    pub(super) comparisons: u32,
}

impl Speaker<'_> {
    /// The benchmark, the group, and what the numbers are by.
    fn place(&self) -> String {
        let group = self
            .group
            .map_or_else(String::new, |(label, key)| format!(", {label} {key}"));
        let mut rules = Vec::new();
        if !self.judge.is_empty() {
            rules.push(format!("judge: {}", self.judge));
        }
        rules.extend(self.options.run.map(|run| format!("run {run}")));
        // What is usual goes without saying.
        if self.options.profile == Profile::Released {
            rules.push("released formulas".to_owned());
        }
        rules.extend(self.options.policy.map(|policy| policy.words().to_owned()));
        if rules.is_empty() {
            return format!("{}{group}", self.benchmark);
        }
        format!("{}{group} ({})", self.benchmark, rules.join("; "))
    }

    fn samples(&self, n: u32) -> String {
        let word = if n == 1 {
            &self.words.sample
        } else {
            &self.words.samples
        };
        format!("{n} {word}")
    }

    fn number(&self, x: f64) -> String {
        printed(x, usize::from(self.criterion.decimals))
    }

    fn interval(&self, Interval { low, high }: Interval) -> String {
        format!("[{}, {}]", self.number(low), self.number(high))
    }

    /// `95 % CI`.
    fn ci(&self) -> String {
        format!("{} % CI", self.query.level.percent())
    }

    /// What clusters are, in the plural: `tasks`.
    fn clusters(&self) -> String {
        let word = match self.query.cluster {
            Cluster::Sample => return self.words.samples.clone(),
            Cluster::ReferenceSet => return "reference sets".to_owned(),
            Cluster::Category if !self.words.category.is_empty() => &self.words.category,
            Cluster::Domain | Cluster::Category => &self.words.domain,
        };
        plural(word)
    }

    /// One pair.
    pub(super) fn pair(&self, pair: &ComparedPair) -> String {
        let ComparedPair { a, b, n, .. } = pair;
        let (criterion, place) = (&self.criterion.label, self.place());
        let Some(difference) = pair.difference else {
            return format!(
                "{a} and {b} cannot be compared in {criterion} on {place}: no {} has a score for both.",
                self.words.sample
            );
        };
        if pair.clusters < 2 {
            let what = if *n > 1 {
                format!("lie in one of the {}", self.clusters())
            } else {
                "is a single one".to_owned()
            };
            return format!(
                "{a} and {b} cannot be compared in {criterion} on {place}: what both were scored on ({}, mean difference {}) {what}, from which nothing can be inferred.",
                self.samples(*n),
                self.number(difference)
            );
        }
        if pair.p_t.is_none() && pair.p_wilcoxon.is_none() {
            return format!(
                "{a} and {b} have equal scores in {criterion} on {place}, on each of {} scored for both.{}",
                self.samples(*n),
                self.left_out(pair)
            );
        }
        let smallest = pair.detectable.filter(|_| !pair.separated);
        let smallest = smallest.map_or_else(String::new, |smallest| {
            format!(
                " With this n, a true difference of {} would be shown with {} % power (one test at α = {ALPHA}).",
                self.number(smallest),
                POWER * 100.0
            )
        });
        format!(
            "On {place}, {}: {}.{}{smallest}",
            self.verdict(pair, difference),
            self.figures(pair, difference).concat(),
            self.left_out(pair)
        )
    }

    fn verdict(&self, pair: &ComparedPair, difference: f64) -> String {
        let (a, b, criterion) = (&pair.a, &pair.b, &self.criterion.label);
        if !pair.separated {
            return format!("no difference between {a} and {b} in {criterion} was shown");
        }
        let (first, second) = if difference >= 0.0 { (a, b) } else { (b, a) };
        let better = match self.criterion.direction {
            Direction::Down => format!(", where lower is better, so {second} is ahead"),
            Direction::Up | Direction::Neither => String::new(),
        };
        format!("{first} scores higher than {second} in {criterion}{better}")
    }

    /// Difference, intervals and tests, to be read one after another.
    fn figures(&self, pair: &ComparedPair, difference: f64) -> [String; 6] {
        let is_clustered = self.query.cluster != Cluster::Sample;
        let by = if is_clustered {
            format!(
                "Student’s t, standard error clustered by {} {}",
                pair.clusters,
                self.clusters()
            )
        } else {
            "Student’s t".to_owned()
        };
        let interval = match pair.interval {
            Some(interval) => {
                format!(", {} {} ({by})", self.ci(), self.interval(interval))
            }
            None if pair.clusters < MIN_FOR_INTERVAL && is_clustered => {
                format!(", n too small for an interval ({by})")
            }
            None if pair.clusters < MIN_FOR_INTERVAL => ", n too small for an interval".to_owned(),
            None => String::new(),
        };
        let bootstrap = pair.bootstrap.map_or_else(String::new, |interval| {
            format!(
                " and {} (BCa bootstrap over {}, {} replicates, seed {})",
                self.interval(interval),
                self.clusters(),
                self.query.replicates,
                self.query.seed
            )
        });
        let test = match (pair.t, pair.df, pair.p_t) {
            (Some(t), Some(df), Some(p)) => {
                format!("; paired t({df}) = {}, {}", printed(t, 2), p_value(p))
            }
            _ => "; every difference is the same, so that a t test says nothing".to_owned(),
        };
        let corrected = match (self.query.correction, self.comparisons, pair.p_corrected) {
            (_, 0 | 1, _) | (_, _, None) => String::new(),
            (Correction::None, count, _) => format!(", not corrected for {count} comparisons"),
            (correction, count, Some(p)) => format!(
                ", {} after {} correction for {count} comparisons",
                p_value(p),
                correction.name()
            ),
        };
        let ranks = pair.p_wilcoxon.map_or_else(String::new, |p| {
            let of = if is_clustered {
                format!(" on means of {}", self.clusters())
            } else {
                String::new()
            };
            format!("; Wilcoxon signed-rank test{of}: {}", p_value(p))
        });
        let head = format!(
            "mean paired difference {} over {}",
            self.number(difference),
            self.samples(pair.n)
        );
        [head, interval, bootstrap, test, corrected, ranks]
    }

    fn left_out(&self, pair: &ComparedPair) -> String {
        if pair.left_out == 0 {
            return String::new();
        }
        let reasons: Vec<String> = pair
            .reasons
            .iter()
            .map(|reason| {
                let label = reason.label.to_lowercase();
                format!("{}: {label}, {}", reason.model, reason.count)
            })
            .collect();
        let verb = if pair.left_out == 1 { "is" } else { "are" };
        format!(
            " {} {verb} left out ({}).",
            self.samples(pair.left_out),
            reasons.join("; ")
        )
    }

    /// The tie groups.
    pub(super) fn groups(&self, models: &[ComparedModel], pairs: &[ComparedPair]) -> String {
        let scored: Vec<&ComparedModel> = models.iter().filter(|m| m.mean.is_some()).collect();
        let place = self.place();
        let criterion = &self.criterion.label;
        match scored.as_slice() {
            [] => return format!("No model has a score in {criterion} on {place}."),
            [only] => {
                let mean = only.mean.map(|mean| self.number(mean)).unwrap_or_default();
                let interval = match only.interval {
                    Some(interval) => {
                        format!(", {} {} (Student’s t)", self.ci(), self.interval(interval))
                    }
                    None => ", n too small for an interval,".to_owned(),
                };
                return format!(
                    "{} has a mean {criterion} of {mean} over {} on {place}{interval}; there is no other model to compare it with.",
                    only.model,
                    self.samples(only.n)
                );
            }
            _ => {}
        }
        let groups: Vec<String> = scored
            .chunk_by(|x, y| x.group == y.group)
            .map(|members| {
                let names: Vec<String> = members
                    .iter()
                    .map(|model| {
                        let mean = model.mean.map(|mean| self.number(mean)).unwrap_or_default();
                        format!("{} ({mean})", model.model)
                    })
                    .collect();
                format!("{}: {}", members[0].group, names.join(", "))
            })
            .collect();
        let ns: Vec<u32> = pairs.iter().map(|pair| pair.n).collect();
        let least = ns.iter().min().copied().unwrap_or(0);
        let most = ns.iter().max().copied().unwrap_or(0);
        let over = if least == most {
            self.samples(most)
        } else {
            format!("{least} to {}", self.samples(most))
        };
        let correction = match (self.query.correction, self.comparisons) {
            (_, 0 | 1) => String::new(),
            (Correction::None, count) => format!(" without correction for {count} comparisons"),
            (correction, count) => {
                format!(
                    " after {} correction for {count} comparisons",
                    correction.name()
                )
            }
        };
        let clustered = match self.query.cluster {
            Cluster::Sample => String::new(),
            _ => format!(" with standard errors clustered by {}", self.clusters()),
        };
        let separated: Vec<bool> = pairs.iter().map(|pair| pair.separated).collect();
        let verdict = groups_verdict(groups.len(), scored.len(), &separated);
        format!(
            "In {criterion} on {place}, {verdict}: {}. A model is in a group if it is not separated from the group’s best by a paired t test{clustered} over the {} scored for both (n = {over}) at p < {ALPHA}{correction}.",
            groups.join("; "),
            self.words.samples,
        )
    }
}

/// What the tie groups come to, in a clause; `separated` says it of each pair of models.
fn groups_verdict(groups: usize, models: usize, separated: &[bool]) -> String {
    let all = match models {
        2 => "both models".to_owned(),
        _ => format!("all {} models", number_word(models)),
    };
    if groups == 1 {
        return "no model differs significantly from the best".to_owned();
    }
    if groups < models {
        let models = number_word(models);
        return format!(
            "the {models} models fall into {} tie groups",
            number_word(groups)
        );
    }
    // Each opens a group of its own where it is separated from the one before: that is not yet all from all.
    if separated.iter().all(|is_separated| *is_separated) {
        format!("{all} differ significantly")
    } else {
        format!("{all} differ significantly from the one before them")
    }
}

/// Small numbers as they are written in a sentence.
fn number_word(number: usize) -> String {
    const WORDS: [&str; 11] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    WORDS
        .get(number)
        .map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// `p = 0.012`, `p < 0.001`.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.001 {
        "p < 0.001".to_owned()
    } else {
        format!("p = {}", printed(p, 3))
    }
}

/// So many digits after the point, ties away from 0 as the page rounds them, with a true minus sign.
pub(crate) fn printed(x: f64, decimals: usize) -> String {
    let size = x.abs();
    // Every double has a finite decimal expansion; of one that ends in a 5 behind the last digit, the next one up is printed.
    let exact = format!("{size:.60}");
    let rest = exact
        .split_once('.')
        .and_then(|(_, digits)| digits.get(decimals..));
    let is_tie = rest.is_some_and(|rest| {
        rest.starts_with('5') && rest.bytes().skip(1).all(|digit| digit == b'0')
    });
    let text = if is_tie {
        format!("{:.decimals$}", size.next_up())
    } else {
        format!("{size:.decimals$}")
    };
    let is_zero = text.bytes().all(|digit| digit == b'0' || digit == b'.');
    if x < 0.0 && !is_zero {
        format!("−{text}")
    } else {
        text
    }
}

/// `categories`, `tasks`.
fn plural(word: &str) -> String {
    match word.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_as_the_page_rounds_them() {
        assert_eq!(printed(0.125, 2), "0.13");
        assert_eq!(printed(-0.125, 2), "−0.13");
        assert_eq!(printed(0.5, 0), "1");
        assert_eq!(printed(2.675, 2), "2.67", "the double lies below the tie");
        assert_eq!(printed(-0.0004, 3), "0.000");
        assert_eq!(printed(1.0, 3), "1.000");
    }

    #[test]
    fn tie_groups_are_told_as_what_they_groups_verdict() {
        assert_eq!(
            groups_verdict(3, 3, &[true; 3]),
            "all three models differ significantly"
        );
        assert_eq!(
            groups_verdict(3, 3, &[true, false, true]),
            "all three models differ significantly from the one before them"
        );
        assert_eq!(
            groups_verdict(2, 2, &[true]),
            "both models differ significantly"
        );
        assert_eq!(
            groups_verdict(1, 4, &[false; 6]),
            "no model differs significantly from the best"
        );
        assert_eq!(
            groups_verdict(3, 12, &[false; 66]),
            "the 12 models fall into three tie groups"
        );
    }

    #[test]
    fn small_p_values_are_bounded_and_not_rounded_to_nothing() {
        assert_eq!(p_value(0.000_999), "p < 0.001");
        assert_eq!(p_value(0.0496), "p = 0.050");
    }
}
