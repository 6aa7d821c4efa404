//! The numbers of each group: counted by domain and turn, and made rows.

use super::groups::Groups;
use crate::model::linked::ModelData;
use crate::model::options::{Policy, Profile};
use crate::model::origin::{Gaps, Origin, OriginInterval, OriginMean, OriginPart};
use crate::model::row::ScoreRow;
use crate::protocol::weave::score::{
    ALL_WEIGHTS, IMAGE_WEIGHTS, MAX_SCORE, PartialTotal, Rounding, Rules, as_ruled, total,
    weighted, weights_of,
};
use crate::protocol::weave::{ACC, CATEGORIES, CRITERIA, IQ, KP, VC};
use crate::py;
use crate::statistics::Moments;

/// Everything counted by domain and turn; each cell of the report is a sum of these.
pub(super) struct Grid<'a> {
    pub(super) groups: &'a Groups,
    pub(super) num_criteria: usize,
    pub(super) cells: Vec<Cell>,
    /// Plain sums in the order of arrival, overall and per domain: the authors' summary adds in that order.
    pub(super) sums: Vec<f64>,
    pub(super) domain_sums: Vec<f64>,
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
        }
    }

    /// The cell of a domain and turn; turns beyond the benchmark's share one.
    pub(super) fn cell(&mut self, domain: u16, turn: u32) -> &mut Cell {
        let last = self.groups.num_turns;
        let width = last as usize + 1;
        &mut self.cells[usize::from(domain) * width + turn.min(last) as usize]
    }

    pub(super) fn push(&mut self, domain: u16, turn: u32, criterion: u16, value: f64) {
        let at = usize::from(criterion);
        self.cell(domain, turn).criteria[at].push(value);
        self.sums[at] += value;
        self.domain_sums[usize::from(domain) * self.num_criteria + at] += value;
    }

    pub(super) fn expect(&mut self, domain: u16, turn: u32, criterion: u16, is_scored: bool) {
        let at = usize::from(criterion);
        let cell = self.cell(domain, turn);
        cell.expected[at] += 1;
        cell.missing[at] += u32::from(!is_scored);
    }

    /// Takes a turn's values together: whether it is complete, and its weighted sums by equations (1) and (2).
    pub(super) fn close_turn(
        &mut self,
        domain: u16,
        turn: u32,
        wanted: &[u16],
        values: &[Option<f64>; 4],
    ) {
        let cell = self.cell(domain, turn);
        let is_complete = wanted.iter().all(|at| values[usize::from(*at)].is_some());
        cell.turns.0 += u32::from(is_complete);
        cell.turns.1 += 1;
        if is_complete && wanted.contains(&KP) {
            cell.image_only.push(weighted(&IMAGE_WEIGHTS, values));
            cell.with_text.push(weighted(&ALL_WEIGHTS, values));
        }
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
    pub(super) fn total(&self, rules: Rules) -> Option<f64> {
        total(&self.means(rules), rules).filter(|_| self.is_whole(rules))
    }

    /// Whether no criterion that is asked for is without a score, where the rules want that for a total.
    pub(super) fn is_whole(&self, rules: Rules) -> bool {
        let is_asked_in_vain = |at: usize| self.expected[at] > 0 && self.criteria[at].n() == 0;
        rules.partial_total != PartialTotal::Undefined
            || !(0..self.criteria.len()).any(is_asked_in_vain)
    }

    /// Means on the printed scale, rounded where the rules say so.
    pub(super) fn means(&self, rules: Rules) -> Vec<Option<f64>> {
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
        rules: Rules,
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
            let name = name(at);
            let mut row = ScoreRow {
                n: moments.n(),
                expected: self.expected[at],
                ..row(name)
            };
            if !is_stopped {
                let mean = OriginMean::of_values(moments.sum(), moments.n(), 1.0).by(MAX_SCORE);
                row = row.settle(Origin {
                    mean: Some(as_ruled(mean, rules)),
                    interval: means[at]
                        .and_then(|mean| OriginInterval::student(mean, moments, (1.0, MAX_SCORE))),
                });
                row.sd = moments.sd().map(|sd| sd / MAX_SCORE);
                row.worst = self.bound(at, 0.0);
                row.best = self.bound(at, MAX_SCORE);
            }
            rows.push(row);
        }
        let mut row = ScoreRow {
            n: self.turns.0,
            expected: self.turns.1,
            ..row("total")
        };
        if !is_stopped {
            let part = |(at, weight): &(u16, f64)| OriginPart {
                criterion: name(usize::from(*at)).to_owned(),
                value: means[usize::from(*at)],
                weight: *weight,
                ..OriginPart::of(&row)
            };
            let mean = weights_of(&means, rules).filter(|_| self.is_whole(rules));
            let mean = mean.map(|(weights, divisor)| {
                let parts = weights.iter().map(part).collect();
                as_ruled(
                    OriginMean::of_parts(parts, Gaps::NoNumber).over(divisor),
                    rules,
                )
            });
            let center = mean.as_ref().and_then(OriginMean::value);
            let interval = center.and_then(|center| self.total_interval(center, &means));
            row = row.settle(Origin { mean, interval });
            let bound = |score: f64| {
                let bounds: Vec<Option<f64>> = (0..self.criteria.len())
                    .map(|at| self.bound(at, score))
                    .collect();
                total(
                    &bounds,
                    Rules {
                        rounding: Rounding::None,
                        ..rules
                    },
                )
            };
            row.worst = bound(0.0);
            row.best = bound(MAX_SCORE);
        }
        rows.push(row);
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
