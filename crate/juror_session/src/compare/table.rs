//! Scores → one number per model and sample, with what kept the others from having one.

use super::super::count;
use juror_model::incident::IncidentKind;
use juror_model::linked::{ModelData, World};
use juror_model::score::{JudgeScores, Unit};
use juror_model::terms::{CriterionInfo, RequestInfo};
use juror_model::tree::FileId;
use juror_protocols::contract::Protocol;
use juror_statistics::small::SortSmall;

use super::types::Cluster;

/// What is read off the scores.
pub(super) struct Reader<'a> {
    pub(super) protocol: &'a dyn Protocol,
    pub(super) world: World<'a>,
    pub(super) criteria: &'a [CriterionInfo],
    pub(super) criterion: &'a CriterionInfo,
    /// Which samples are in the group.
    pub(super) members: Vec<bool>,
    /// By slot, the turns that count, where not all do.
    pub(super) turns: Option<Vec<bool>>,
}

/// One model's numbers.
pub(super) struct Column {
    /// By number of the turn, on the printed scale; of totals, at each sample's first turn.
    values: Vec<Option<f64>>,
    /// By number of the turn: whether something was asked about it.
    asked: Vec<bool>,
    /// By sample.
    coverage: Vec<Coverage>,
}

/// What a sample came to besides its numbers.
#[derive(Clone, Copy, Default)]
struct Coverage {
    is_expected: bool,
    /// Whether any unit has no score.
    has_gap: bool,
    incident: Option<IncidentKind>,
}

impl Reader<'_> {
    /// A model's numbers by these judges: their mean where all of them have one.
    pub(super) fn column(&self, model: &ModelData, judges: &[&JudgeScores]) -> Column {
        let requests = self.protocol.requests();
        let mut coverage = vec![Coverage::default(); self.world.benchmark.samples.len()];
        let mut asked = vec![false; self.world.benchmark.num_turns()];
        let mut sums: Vec<Option<f64>> = Vec::new();
        for judge in judges {
            let values = self.values(model, judge, &requests, (&mut coverage, &mut asked));
            sums = if sums.is_empty() {
                values
            } else {
                let pairs = sums.into_iter().zip(values);
                pairs.map(|(sum, value)| Some(sum? + value?)).collect()
            };
        }
        sums.resize(self.world.benchmark.num_turns(), None);
        let num_judges = judges.len() as f64;
        let values = sums.into_iter().map(|sum| Some(sum? / num_judges));
        Column {
            values: values.collect(),
            asked,
            coverage,
        }
    }

    /// One judge's numbers by turn, runs averaged; takes note of what is missing.
    fn values(
        &self,
        model: &ModelData,
        judge: &JudgeScores,
        requests: &[RequestInfo],
        (coverage, asked): (&mut [Coverage], &mut [bool]),
    ) -> Vec<Option<f64>> {
        let benchmark = self.world.benchmark;
        let mut sums = vec![(0.0, 0u32); benchmark.num_turns()];
        let is_total = self.criterion.id == "total";
        let mut parts = judge.parts.as_slice();
        for (at, unit) in (0u32..).zip(&judge.units) {
            let (own, rest) = parts.split_at(parts.partition_point(|part| part.unit <= at));
            parts = rest;
            let slot = benchmark.turn_slot(unit.sample, unit.turn);
            if !self.members[unit.sample as usize] || !self.has_turn(slot) {
                continue;
            }
            let request = &model.criteria[usize::from(unit.criterion)];
            let is_asked = is_total || self.asks(requests, request);
            let of_sample = &mut coverage[unit.sample as usize];
            let own: Vec<f64> = if own.is_empty() {
                let is_criterion = *request == self.criterion.id;
                let counted = unit.counted.get().filter(|_| is_criterion);
                counted.into_iter().collect()
            } else {
                let named = |criterion: u16| self.criteria.get(usize::from(criterion));
                let mine = own.iter().filter(|part| {
                    named(part.criterion).is_some_and(|info| info.id == self.criterion.id)
                });
                mine.map(|part| part.value).collect()
            };
            if is_asked || !own.is_empty() {
                of_sample.is_expected = true;
                if let Some(slot) = slot {
                    asked[slot as usize] = true;
                }
                let is_scored = if is_total {
                    unit.counted.get().is_some()
                } else {
                    !own.is_empty()
                };
                // A metric that was not asked for is no gap.
                of_sample.has_gap |= !is_scored && unit.incident.is_some();
                of_sample.incident = of_sample.incident.or(unit.incident);
            }
            if is_total {
                continue;
            }
            if let Some(slot) = slot {
                let (sum, n) = &mut sums[slot as usize];
                *sum += own.iter().sum::<f64>();
                *n += count(own.len());
            }
        }
        if judge.stopped.is_some() {
            return vec![None; sums.len()];
        }
        if is_total {
            return self.totals(model, judge);
        }
        let scale = self.criterion.scale;
        let mean = |(sum, n): (f64, u32)| (n > 0).then(|| sum / f64::from(n) * scale);
        sums.into_iter().map(mean).collect()
    }

    /// Whether a turn counts, as far as turns decide it.
    fn has_turn(&self, slot: Option<u32>) -> bool {
        let is_in = |turns: &Vec<bool>| slot.is_some_and(|slot| turns[slot as usize]);
        self.turns.as_ref().is_none_or(is_in)
    }

    /// Whether a request's reply gives this criterion.
    fn asks(&self, requests: &[RequestInfo], request: &str) -> bool {
        let known = requests.iter().find(|info| info.id == request);
        request == self.criterion.id
            || known.is_some_and(|info| info.criteria.contains(&self.criterion.id))
    }

    /// Totals by turn number: a sample's at its first turn, or each turn's own where the group is of turns.
    fn totals(&self, model: &ModelData, judge: &JudgeScores) -> Vec<Option<f64>> {
        let benchmark = self.world.benchmark;
        let mut totals = vec![None; benchmark.num_turns()];
        if self.turns.is_none() {
            for (sample, total) in (0u32..).zip(&judge.totals) {
                if let Some(slot) = benchmark.turn_slot(sample, 0)
                    && self.members[sample as usize]
                {
                    totals[slot as usize] = *total;
                }
            }
            return totals;
        }
        let counted = |unit: &Unit| {
            let request = model.criteria[usize::from(unit.criterion)].as_str();
            (request, unit.counted.get())
        };
        let mut by_turn: Vec<Vec<(&str, Option<f64>)>> = vec![Vec::new(); totals.len()];
        for unit in &judge.units {
            let slot = benchmark.turn_slot(unit.sample, unit.turn);
            if let Some(slot) = slot.filter(|slot| self.has_turn(Some(*slot)))
                && self.members[unit.sample as usize]
            {
                by_turn[slot as usize].push(counted(unit));
            }
        }
        for (total, counted) in totals.iter_mut().zip(by_turn) {
            if !counted.is_empty() {
                *total = self.protocol.turn_total(&counted);
            }
        }
        totals
    }

    /// The cluster of each sample.
    pub(super) fn clusters(&self, cluster: Cluster) -> Vec<u32> {
        let samples = &self.world.benchmark.samples;
        let mut known = std::collections::HashMap::new();
        let mut number = |name: Name| {
            let next = count(known.len());
            *known.entry(name).or_insert(next)
        };
        let names = samples
            .iter()
            .enumerate()
            .map(|(at, sample)| match cluster {
                Cluster::Sample => Name::Sample(at),
                Cluster::Domain => Name::Group(sample.domain.clone()),
                Cluster::Category if sample.category.is_empty() => {
                    Name::Group(sample.domain.clone())
                }
                Cluster::Category => Name::Group(sample.category.to_string()),
                Cluster::ReferenceSet => {
                    let produced =
                        |number: u32| sample.turns.iter().any(|t| t.picture == Some(number));
                    let mut references: Vec<(Option<FileId>, &str)> = (1u32..)
                        .zip(&sample.pictures)
                        .filter(|(number, _)| !produced(*number))
                        .map(|(_, picture)| match picture.file {
                            Some(file) => (Some(file), ""),
                            None => (None, picture.path.as_str()),
                        })
                        .collect();
                    references.sort_small();
                    references.dedup();
                    if references.is_empty() {
                        return Name::Sample(at);
                    }
                    let own = references.iter();
                    Name::References(
                        own.map(|(file, path)| (*file, (*path).to_owned()))
                            .collect(),
                    )
                }
            });
        names.map(&mut number).collect()
    }
}

#[derive(PartialEq, Eq, Hash)]
enum Name {
    Sample(usize),
    Group(String),
    References(Vec<(Option<FileId>, String)>),
}

impl Column {
    /// The mean over these turns; `None` without any.
    pub(super) fn value(&self, turns: impl Iterator<Item = usize>) -> Option<f64> {
        mean(turns.filter_map(|slot| self.values[slot]))
    }

    /// The number of a turn.
    pub(super) fn at(&self, slot: usize) -> Option<f64> {
        self.values[slot]
    }

    /// Whether something was asked about one of these turns.
    pub(super) fn is_asked(&self, mut turns: impl Iterator<Item = usize>) -> bool {
        turns.any(|slot| self.asked[slot])
    }

    /// Both models' means over the turns that both have.
    pub(super) fn both(&self, other: &Self, turns: std::ops::Range<usize>) -> Option<(f64, f64)> {
        let pairs = || {
            let pairs = self.values[turns.clone()]
                .iter()
                .zip(&other.values[turns.clone()]);
            pairs.filter_map(|(a, b)| (*a).zip(*b))
        };
        mean(pairs().map(|(a, _)| a)).zip(mean(pairs().map(|(_, b)| b)))
    }

    /// The means of all over the turns that all have.
    pub(super) fn common(columns: &[&Self], turns: std::ops::Range<usize>) -> Option<Vec<f64>> {
        let has_all = |slot: &usize| columns.iter().all(|column| column.values[*slot].is_some());
        let slots: Vec<usize> = turns.filter(has_all).collect();
        let means = columns.iter();
        means
            .map(|column| mean(slots.iter().filter_map(|slot| column.values[*slot])))
            .collect()
    }

    /// Takes from both what the other one lacks.
    pub(super) fn keep_common(&mut self, other: &mut Self) {
        for (a, b) in self.values.iter_mut().zip(&mut other.values) {
            if a.is_none() || b.is_none() {
                (*a, *b) = (None, None);
            }
        }
    }

    pub(super) fn is_expected(&self, sample: usize) -> bool {
        self.coverage[sample].is_expected
    }

    pub(super) fn has_gap(&self, sample: usize) -> bool {
        self.coverage[sample].has_gap
    }

    /// Kind and words of what kept a sample from having a number.
    pub(super) fn reason(&self, sample: usize) -> (&'static str, &'static str) {
        match self.coverage[sample] {
            Coverage {
                is_expected: false, ..
            } => ("not_asked", "Not asked of this model"),
            Coverage {
                incident: Some(kind),
                ..
            } => (kind.id(), kind.label()),
            Coverage { .. } => ("no_score", "No score comes out"),
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0u32), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| sum / f64::from(n))
}
