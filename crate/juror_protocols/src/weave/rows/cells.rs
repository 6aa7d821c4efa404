//! The numbers of each group: counted by domain and turn, and made rows.

use super::groups::Groups;
use crate::weave::score::{
    ALL_WEIGHTS, IMAGE_WEIGHTS, MAX_SCORE, PartialTotal, Rounding, WeaveRules, as_ruled, total,
    weighted, weights_of,
};
use crate::weave::{ACC, CATEGORIES, CRITERIA, IQ, KP, VC};
use juror_model::linked::ModelData;
use juror_model::options::{Policy, Profile};
use juror_model::origin::{Gaps, Origin, OriginInterval, OriginMean, OriginPart};
use juror_model::row::ScoreRow;
use juror_reading::py;
use juror_statistics::Moments;

/// Where something counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) domain: u16,
    /// From 0.
    pub(super) turn: u32,
    /// The turn of the benchmark; `None` where it has no such turn.
    pub(super) slot: Option<u32>,
}

/// Everything counted by domain and turn; each cell of the report is a sum of these, but for those of classes and histories.
pub(super) struct Grid<'a> {
    pub(super) groups: &'a Groups,
    pub(super) num_criteria: usize,
    pub(super) cells: Vec<Cell>,
    /// Plain sums in the order of arrival, overall and per domain: the authors' summary adds in that order.
    pub(super) sums: Vec<f64>,
    pub(super) domain_sums: Vec<f64>,
    /// Classes and histories, as [`Groups::slices_of`] numbers them.
    pub(super) slices: Vec<Cell>,
}

impl<'a> Grid<'a> {
    pub(super) fn new(groups: &'a Groups, num_criteria: usize) -> Self {
        let width = groups.num_turns as usize + 1;
        Self {
            groups,
            num_criteria,
            cells: vec![Cell::new(num_criteria); groups.domains.len() * width],
            sums: vec![0.0; num_criteria],
            domain_sums: vec![0.0; groups.domains.len() * num_criteria],
            slices: vec![Cell::new(num_criteria); groups.num_slices()],
        }
    }

    /// The cells of a spot: of its domain and turn, where turns beyond the benchmark's share one, and of its class and history.
    fn each(&mut self, spot: Spot, mut change: impl FnMut(&mut Cell)) {
        let last = self.groups.num_turns;
        let width = last as usize + 1;
        let at = usize::from(spot.domain) * width + spot.turn.min(last) as usize;
        change(&mut self.cells[at]);
        if let Some(slot) = spot.slot {
            for at in self.groups.slices_of(slot) {
                change(&mut self.slices[at]);
            }
        }
    }

    pub(super) fn push(&mut self, spot: Spot, criterion: u16, value: f64) {
        let at = usize::from(criterion);
        self.each(spot, |cell| cell.criteria[at].push(value));
        self.sums[at] += value;
        self.domain_sums[usize::from(spot.domain) * self.num_criteria + at] += value;
    }

    pub(super) fn expect(&mut self, spot: Spot, criterion: u16, is_scored: bool) {
        let at = usize::from(criterion);
        self.each(spot, |cell| {
            cell.expected[at] += 1;
            cell.missing[at] += u32::from(!is_scored);
        });
    }

    /// Counts a turn that the benchmark does not have and the authors' summary counts all the same.
    pub(super) fn add_turn(&mut self, spot: Spot) {
        self.each(spot, |cell| cell.turns.0 += 1);
    }

    /// Takes a turn's values together: whether it is complete, and its weighted sums by equations (1) and (2).
    pub(super) fn close_turn(&mut self, spot: Spot, wanted: &[u16], values: &[Option<f64>; 4]) {
        let is_complete = wanted.iter().all(|at| values[usize::from(*at)].is_some());
        self.each(spot, |cell| {
            cell.turns.0 += u32::from(is_complete);
            cell.turns.1 += 1;
            if is_complete && wanted.contains(&KP) {
                cell.image_only.push(weighted(&IMAGE_WEIGHTS, values));
                cell.with_text.push(weighted(&ALL_WEIGHTS, values));
            }
        });
    }

    /// The report's cells, in the order of [`Groups::labels`].
    pub(super) fn cells(&self) -> Vec<Cell> {
        let groups = self.groups;
        let first_domain = 1 + CATEGORIES.len();
        let first_turn = first_domain + groups.domains.len();
        let width = groups.num_turns as usize + 1;
        let mut cells = vec![Cell::new(self.num_criteria); first_turn + groups.num_turns as usize];
        for (at, cell) in self.cells.iter().enumerate() {
            let (domain, turn) = (at / width, at % width);
            let category = groups.categories[domain].map(|category| 1 + category);
            let turn = (turn + 1 < width).then_some(first_turn + turn);
            for to in [Some(0), category, Some(first_domain + domain), turn]
                .into_iter()
                .flatten()
            {
                cells[to].merge(cell);
            }
        }
        for at in 0..self.num_criteria {
            cells[0].criteria[at] = cells[0].criteria[at].with_sum(self.sums[at]);
            for domain in 0..groups.domains.len() {
                let sum = self.domain_sums[domain * self.num_criteria + at];
                let moments = &mut cells[first_domain + domain].criteria[at];
                *moments = moments.with_sum(sum);
            }
        }
        cells.extend_from_slice(&self.slices);
        cells
    }
}

/// The numbers of one group.
#[derive(Clone)]
pub(super) struct Cell {
    pub(super) criteria: Vec<Moments>,
    pub(super) missing: Vec<u32>,
    pub(super) expected: Vec<u32>,
    pub(super) image_only: Moments,
    pub(super) with_text: Moments,
    /// Complete turns and expected ones.
    pub(super) turns: (u32, u32),
}

pub(super) type RowHead<'a> = (&'a str, &'a str, Profile, Policy, &'a str, &'a str);

impl Cell {
    pub(super) fn new(num_criteria: usize) -> Self {
        Self {
            criteria: vec![Moments::default(); num_criteria],
            missing: vec![0; num_criteria],
            expected: vec![0; num_criteria],
            image_only: Moments::default(),
            with_text: Moments::default(),
            turns: (0, 0),
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (to, from) in self.criteria.iter_mut().zip(&other.criteria) {
            to.merge(from);
        }
        for (to, from) in self.missing.iter_mut().zip(&other.missing) {
            *to += from;
        }
        for (to, from) in self.expected.iter_mut().zip(&other.expected) {
            *to += from;
        }
        self.image_only.merge(&other.image_only);
        self.with_text.merge(&other.with_text);
        self.turns.0 += other.turns.0;
        self.turns.1 += other.turns.1;
    }

    /// The group's total.
    ///
    /// The equations choose their weights by what a group asks for.
    /// So the paper gives no number while a criterion that is asked for has no score at all.
    pub(super) fn total(&self, rules: WeaveRules) -> Option<f64> {
        total(&self.means(rules), rules).filter(|_| self.is_whole(rules))
    }

    /// Whether no criterion that is asked for is without a score, where the rules want that for a total.
    pub(super) fn is_whole(&self, rules: WeaveRules) -> bool {
        let is_asked_in_vain = |at: usize| self.expected[at] > 0 && self.criteria[at].n() == 0;
        rules.partial_total != PartialTotal::Undefined
            || !(0..self.criteria.len()).any(is_asked_in_vain)
    }

    /// Means on the printed scale, rounded where the rules say so.
    pub(super) fn means(&self, rules: WeaveRules) -> Vec<Option<f64>> {
        let round = |mean: f64| {
            if rules.rounding == Rounding::Twice {
                py::round(mean, 3)
            } else {
                mean
            }
        };
        self.criteria
            .iter()
            .map(|moments| moments.mean().map(|mean| round(mean / MAX_SCORE)))
            .collect()
    }

    /// The criterion's mean if every missing unit got this score.
    pub(super) fn bound(&self, at: usize, score: f64) -> Option<f64> {
        let moments = &self.criteria[at];
        let units = moments.n() + self.missing[at];
        (units > 0).then(|| {
            (moments.sum() + score * f64::from(self.missing[at])) / f64::from(units) / MAX_SCORE
        })
    }

    pub(super) fn rows(
        &self,
        head: RowHead<'_>,
        model: &ModelData,
        rules: WeaveRules,
        is_stopped: bool,
        rows: &mut Vec<ScoreRow>,
    ) {
        let (model_name, judge, profile, policy, scope, key) = head;
        let row = |criterion: &str| ScoreRow {
            model: model_name.to_owned(),
            judge: judge.to_owned(),
            profile,
            policy,
            scope: scope.to_owned(),
            key: key.to_owned(),
            criterion: criterion.to_owned(),
            mean: None,
            n: 0,
            expected: 0,
            sd: None,
            ci_low: None,
            ci_high: None,
            worst: None,
            best: None,
            panel: None,
            origin: Origin::default(),
        };
        let name = |at: usize| {
            let known = model.criteria.get(at);
            known.map_or(CRITERIA[at.min(3)], String::as_str)
        };
        let is_used = |at: usize| self.expected[at] > 0 || self.criteria[at].n() > 0;
        if !(0..self.criteria.len()).any(is_used) {
            return;
        }
        let means = self.means(rules);
        for (at, moments) in self
            .criteria
            .iter()
            .enumerate()
            .filter(|(at, _)| is_used(*at))
        {
            let row = ScoreRow {
                n: moments.n(),
                expected: self.expected[at],
                ..row(name(at))
            };
            rows.push(if is_stopped {
                row
            } else {
                self.settle_criterion(row, at, means[at], rules)
            });
        }
        // The authors' summary makes a total of turns of which parts lack: no mean is one of nothing.
        let num_turns = match self.turns.0 {
            0 if rules.counts_by_line() => self.criteria.iter().map(Moments::n).max().unwrap_or(0),
            complete => complete,
        };
        let row = ScoreRow {
            n: num_turns,
            expected: self.turns.1,
            ..row("total")
        };
        rows.push(if is_stopped {
            row
        } else {
            self.settle_total(row, name, &means, rules)
        });
    }

    /// A criterion's row with its mean, interval and bounds.
    fn settle_criterion(
        &self,
        row: ScoreRow,
        at: usize,
        mean: Option<f64>,
        rules: WeaveRules,
    ) -> ScoreRow {
        let moments = &self.criteria[at];
        let of_values =
            OriginMean::of_values(moments.sum(), moments.n(), 1.0).divided_by(MAX_SCORE);
        let row = row.settle(Origin {
            mean: Some(as_ruled(of_values, rules)),
            interval: mean
                .and_then(|mean| OriginInterval::student(mean, moments, (1.0, MAX_SCORE))),
        });
        ScoreRow {
            sd: moments.sd().map(|sd| sd / MAX_SCORE),
            worst: self.bound(at, 0.0),
            best: self.bound(at, MAX_SCORE),
            ..row
        }
    }

    /// The total's row with its mean, interval and bounds; `name` names the criteria.
    fn settle_total<'a>(
        &self,
        row: ScoreRow,
        name: impl Fn(usize) -> &'a str,
        means: &[Option<f64>],
        rules: WeaveRules,
    ) -> ScoreRow {
        let part = |(at, weight): &(u16, f64)| OriginPart {
            criterion: name(usize::from(*at)).to_owned(),
            value: means[usize::from(*at)],
            weight: *weight,
            ..OriginPart::of(&row)
        };
        let mean = weights_of(means, rules).filter(|_| self.is_whole(rules));
        let mean = mean.map(|(weights, divisor)| {
            let parts = weights.iter().map(part).collect();
            as_ruled(
                OriginMean::of_parts(parts, Gaps::NoNumber).over(divisor),
                rules,
            )
        });
        let center = mean.as_ref().and_then(OriginMean::value);
        let interval = center.and_then(|center| self.total_interval(center, means));
        let bound = |score: f64| {
            let bounds: Vec<Option<f64>> = (0..self.criteria.len())
                .map(|at| self.bound(at, score))
                .collect();
            total(
                &bounds,
                WeaveRules {
                    rounding: Rounding::None,
                    ..rules
                },
            )
        };
        ScoreRow {
            worst: bound(0.0),
            best: bound(MAX_SCORE),
            ..row.settle(Origin { mean, interval })
        }
    }

    /// The total's 95 % interval: picture turns and text turns are separate samples,
    /// so their variances add, with the degrees of freedom of Welch and Satterthwaite.
    pub(super) fn total_interval(
        &self,
        center: f64,
        means: &[Option<f64>],
    ) -> Option<OriginInterval> {
        let has_pictures = [KP, VC, IQ]
            .iter()
            .all(|at| means[usize::from(*at)].is_some());
        let has_texts = means[usize::from(ACC)].is_some();
        let texts = &self.criteria[usize::from(ACC)];
        let student = |values| OriginInterval::student(center, values, (1.0, MAX_SCORE));
        match (has_pictures, has_texts) {
            (true, false) => student(&self.image_only),
            (false, true) if means.iter().flatten().count() == 1 => student(texts),
            (true, true) => {
                let weights = [1.0, ALL_WEIGHTS[3].1];
                OriginInterval::welch(center, [&self.with_text, texts], weights, MAX_SCORE)
            }
            _ => None,
        }
    }
}
