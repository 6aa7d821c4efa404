//! Criteria → totals → score rows, as a protocol file says.
//!
//! 1. Conditions are asked of what the judge gave, before anything is changed.
//! 2. Gates set criteria, the later one where two set the same.
//! 3. The rule makes the total of the criteria with a weight above 0.
//! 4. Caps lower it.
//! 5. The first gate that holds and names a total sets it.
//!
//! A total needs every criterion with a weight above 0, and every criterion that a condition asks about.
//! A sample's number is the mean over the judge's runs; a group's is the mean over samples, or over another grouping's groups.

use crate::contract::Scoring;
use std::fmt::Write as _;

use super::Declared;
use super::declaration::{Condition, Grouping, Rule, Test, Total};
use crate::resolve::{self, UnitValue};
use crate::table::{Cell, Head, mean_of, means_of_judges};
use juror_model::incident::IncidentKind;
use juror_model::judge::AND;
use juror_model::linked::{ModelData, World};
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::origin::Gaps;
use juror_model::row::ScoreRow;
use juror_model::sample::{Benchmark, Sample};
use juror_model::score::{CriterionScore, JudgeScores, ModelScores, Scores};
use juror_model::terms::{CriterionInfo, Direction, Formula, ScopeInfo};
use juror_reading::keyed::Keyed;

impl Scoring for Declared {
    /// The criteria as tables show them, and the total.
    fn criteria(&self) -> Vec<CriterionInfo> {
        let says = &self.says;
        let info = |id: &str, short: &str, label: &str, meaning: &str, min, max, direction| {
            CriterionInfo {
                id: id.to_owned(),
                short: short.to_owned(),
                label: label.to_owned(),
                meaning: meaning.to_owned(),
                min,
                max,
                allowed: None,
                scale: says.scale,
                decimals: says.decimals,
                direction,
            }
        };
        let mut infos: Vec<CriterionInfo> = says
            .criteria
            .iter()
            .map(|own| {
                info(
                    &own.id,
                    &own.short,
                    &own.label,
                    &own.meaning,
                    own.low,
                    own.high,
                    own.direction,
                )
            })
            .collect();
        let [low, high] = total_range(self);
        let members = || says.criteria.iter().filter(|own| own.weight > 0.0);
        let direction = members().next().map_or(Direction::Up, |own| own.direction);
        let meaning = format!("The criteria together: {}.", total_in_words(self));
        infos.push(info(
            "total", "Total", "Total", &meaning, low, high, direction,
        ));
        infos
    }

    /// Scores for all models and judges.
    fn score(&self, world: &World<'_>, options: &ScoreOptions) -> Scores {
        let samples = &world.benchmark.samples;
        let groupings = self.says.groupings.iter();
        let groups: Vec<Groups<'_>> = groupings.map(|own| Groups::new(own, samples)).collect();
        let criteria = bounds(self);
        let mut scores = Scores::default();
        for model in world.models {
            let mut of_model = ModelScores {
                mode: "img",
                judges: Vec::new(),
            };
            let mut rows: Vec<(String, Vec<ScoreRow>)> = Vec::new();
            for judge in resolve::judges(model) {
                let standing = ModelResults::new(self, world, model, judge, options);
                let head = Head {
                    model: &model.submission.name,
                    judge: &standing.scores.judge,
                    profile: options.profile,
                    policy: policy(self, options),
                };
                let found = standing.rows(self, &groups, &head, &criteria);
                rows.push((standing.scores.judge.clone(), found));
                of_model.judges.push(standing.scores);
            }
            let together = rows_of_judges(&self.says.mean_of, &rows);
            scores
                .rows
                .extend(rows.into_iter().flat_map(|(_, rows)| rows));
            scores.rows.extend(together);
            scores.models.push(of_model);
        }
        scores.scopes = scopes(&groups);
        scores
    }

    /// What incidents of a kind count as.
    fn counts_as(&self, kind: IncidentKind, options: &ScoreOptions) -> &str {
        match outputs_policy(self, options) {
            Policy::Zero if kind.is_models() => "counts the worst score of every criterion",
            _ => "left out",
        }
    }

    fn policy(&self, options: &ScoreOptions) -> Policy {
        policy(self, options)
    }

    /// The judges that `mean_of` names.
    fn joined_judges(&self, judges: &[&str]) -> Vec<usize> {
        joined(&self.says.mean_of, judges)
    }

    fn turn_total(&self, counted: &[(&str, Option<f64>)]) -> Option<f64> {
        // A sample has one turn, whose total is the sample's.
        counted.iter().find_map(|(_, total)| *total)
    }

    fn members(&self, benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
        let mut groupings = self.says.groupings.iter();
        let tag = groupings.find(|own| own.scope == scope).map(|own| &own.tag);
        let is_in = |sample: &Sample| tag.is_none_or(|tag| sample.has_tag(tag, key));
        Some(benchmark.samples.iter().map(is_in).collect())
    }

    /// The formulas of a profile in one line each: both are the file's own.
    fn formulas(&self, profile: Profile) -> Vec<Formula> {
        let says = &self.says;
        let over = |over: Option<usize>| match over {
            None => format!("mean over {}", says.samples_word),
            Some(at) => format!(
                "unweighted mean over {}",
                says.groupings[at].label.to_lowercase()
            ),
        };
        let groupings = says.groupings.iter().map(|own| (&*own.label, own.over));
        let mut means: Vec<(String, Vec<&str>)> = Vec::new();
        for (label, inner) in [("Overall", says.overall_over)]
            .into_iter()
            .chain(groupings)
        {
            let text = over(inner);
            match means.iter_mut().find(|(known, _)| *known == text) {
                Some((_, labels)) => labels.push(label),
                None => means.push((text, vec![label])),
            }
        }
        let means: Vec<String> = means
            .iter()
            .map(|(text, labels)| format!("{}: {text}", labels.join(", ")))
            .collect();
        let mut source = match says.source.as_str() {
            "" => self.path.clone(),
            own => format!("{own}, as {} has it", self.path),
        };
        if profile == Profile::Released {
            source += "; a protocol file has one set of formulas, so released is the same as paper";
        }
        let formula = |criterion: &str, text: String| Formula {
            criterion: criterion.to_owned(),
            text,
            source: source.clone(),
        };
        let mut formulas: Vec<Formula> = says
            .criteria
            .iter()
            .map(|own| formula(&own.id, means.join("; ")))
            .collect();
        let mut total = format!("{} per {}", total_in_words(self), says.sample_word);
        if !says.mean_of.is_empty() {
            let judges = says.mean_of.join(" + ");
            let _ = write!(total, "; {judges}: mean of the judges");
        }
        formulas.push(formula("total", total));
        formulas
    }
}

/// What the judge's numbers come to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judged {
    /// After the gates.
    pub(super) criteria: Vec<Option<f64>>,
    pub(super) total: Option<f64>,
}

impl Condition {
    /// Whether it holds; `None` while its criterion is unknown.
    fn holds(&self, given: &[Option<f64>]) -> Option<bool> {
        let score = given.get(self.criterion).copied().flatten()?;
        Some(match self.test {
            Test::Below => score < self.bound,
            Test::AtMost => score <= self.bound,
            Test::Above => score > self.bound,
            Test::AtLeast => score >= self.bound,
        })
    }
}

impl Rule {
    /// The number of these scores with their weights, of which there is at least one and none is 0.
    fn of(self, scores: &[f64], weights: &[f64]) -> f64 {
        let pairs = || scores.iter().zip(weights);
        match self {
            Self::Mean => scores.iter().sum::<f64>() / scores.len() as f64,
            Self::WeightedMean => {
                let sum: f64 = pairs().map(|(score, weight)| weight * score).sum();
                sum / weights.iter().sum::<f64>()
            }
            Self::GeometricMean => {
                // ln 0 is −∞, and a single 0 makes the mean 0.
                let sum: f64 = pairs().map(|(x, weight)| weight * libm::log(*x)).sum();
                libm::exp(sum / weights.iter().sum::<f64>())
            }
            Self::Minimum => scores.iter().copied().fold(f64::INFINITY, f64::min),
        }
    }
}

impl Total {
    /// Applies gates, rule and caps to what the judge gave, one number or none per criterion.
    pub(super) fn judge(&self, given: &[Option<f64>], weights: &[f64]) -> Judged {
        let mut criteria = given.to_vec();
        let mut is_known = true;
        for gate in &self.gates {
            let holds = gate.condition.holds(given);
            is_known &= holds.is_some();
            for (at, value) in &gate.criteria {
                match holds {
                    Some(true) => criteria[*at] = Some(*value),
                    Some(false) => {}
                    None => criteria[*at] = None,
                }
            }
        }
        let total = self
            .formula(&criteria, weights)
            .and_then(|total| self.limit(total, given))
            .filter(|_| is_known);
        Judged { criteria, total }
    }

    fn formula(&self, criteria: &[Option<f64>], weights: &[f64]) -> Option<f64> {
        let members = || {
            criteria
                .iter()
                .zip(weights)
                .filter(|(_, weight)| **weight > 0.0)
        };
        let scores: Option<Vec<f64>> = members().map(|(score, _)| *score).collect();
        let weights: Vec<f64> = members().map(|(_, weight)| *weight).collect();
        let scores = scores.filter(|scores| !scores.is_empty())?;
        Some(self.rule.of(&scores, &weights))
    }

    /// The total under caps and gates; `None` while one of their criteria is unknown.
    fn limit(&self, formula: f64, given: &[Option<f64>]) -> Option<f64> {
        let mut total = formula;
        for cap in &self.caps {
            if cap.condition.holds(given)? {
                total = total.min(cap.at_most);
            }
        }
        for gate in &self.gates {
            if let Some(fixed) = gate.total
                && gate.condition.holds(given)?
            {
                return Some(fixed);
            }
        }
        Some(total)
    }
}

/// The policy in force: the user's, or the file's own; `upstream` is what the file says.
pub(super) fn policy(declared: &Declared, options: &ScoreOptions) -> Policy {
    options.policy.unwrap_or(declared.says.missing.policy())
}

/// What a missing output counts as.
fn outputs_policy(declared: &Declared, options: &ScoreOptions) -> Policy {
    match policy(declared, options) {
        Policy::Upstream => declared.says.missing.policy(),
        other => other,
    }
}

/// The ends that a criterion's number can reach, gates included.
fn criterion_range(declared: &Declared, at: usize) -> [f64; 2] {
    let own = &declared.says.criteria[at];
    let gates = declared.says.total.gates.iter();
    let set = gates.flat_map(|gate| &gate.criteria);
    set.filter(|(of, _)| *of == at)
        .fold([own.low, own.high], |[low, high], (_, value)| {
            [low.min(*value), high.max(*value)]
        })
}

/// The ends that the total can reach: it grows with every criterion, and gates and caps set it.
fn total_range(declared: &Declared) -> [f64; 2] {
    let Total { gates, caps, .. } = &declared.says.total;
    let weights = declared.weights();
    let at_ends = [0, 1].map(|end| {
        let ends = (0..weights.len()).map(|at| Some(criterion_range(declared, at)[end]));
        let ends: Vec<Option<f64>> = ends.collect();
        let total = declared.says.total.formula(&ends, &weights);
        total.unwrap_or(0.0)
    });
    let set = gates.iter().filter_map(|gate| gate.total);
    let capped = caps.iter().map(|cap| cap.at_most.min(at_ends[1]));
    set.chain(capped).fold(at_ends, |[low, high], value| {
        [low.min(value), high.max(value)]
    })
}

/// The formula of the total in one line.
fn total_in_words(declared: &Declared) -> String {
    let says = &declared.says;
    let members = || says.criteria.iter().filter(|own| own.weight > 0.0);
    let names: Vec<&str> = members().map(|own| own.short.as_str()).collect();
    let weighted = |separator: &str| -> String {
        #[expect(clippy::float_cmp, reason = "a weight of exactly 1 is not written")]
        let term = |weight: f64, name: &str| {
            if weight == 1.0 {
                name.to_owned()
            } else {
                format!("{weight}·{name}")
            }
        };
        let terms: Vec<String> = members()
            .map(|own| match says.total.rule {
                Rule::GeometricMean => term(own.weight, &format!("ln {}", own.short)),
                _ => term(own.weight, &own.short),
            })
            .collect();
        terms.join(separator)
    };
    let sum: f64 = members().map(|own| own.weight).sum();
    let mut text = match says.total.rule {
        Rule::Mean => format!("({}) / {}", names.join(" + "), names.len()),
        Rule::WeightedMean => format!("({}) / {sum}", weighted(" + ")),
        Rule::GeometricMean => format!("exp(({}) / {sum})", weighted(" + ")),
        Rule::Minimum => format!("min({})", names.join(", ")),
    };
    let condition = |condition: &Condition| {
        let sign = match condition.test {
            Test::Below => "<",
            Test::AtMost => "≤",
            Test::Above => ">",
            Test::AtLeast => "≥",
        };
        let short = &says.criteria[condition.criterion].short;
        format!("{short} {sign} {}", condition.bound)
    };
    for cap in &says.total.caps {
        let limit = condition(&cap.condition);
        let _ = write!(text, "; at most {} if {limit}", cap.at_most);
    }
    for gate in &says.total.gates {
        let set = gate.criteria.iter();
        let mut set: Vec<String> = set
            .map(|(at, value)| format!("{} = {value}", says.criteria[*at].short))
            .collect();
        set.extend(gate.total.map(|value| format!("total = {value}")));
        let limit = condition(&gate.condition);
        let _ = write!(text, "; {} if {limit}", set.join(", "));
    }
    text
}

/// A grouping's keys in display order, and which samples each has.
struct Groups<'a> {
    grouping: &'a Grouping,
    keys: Vec<(String, Vec<usize>)>,
    /// Whether a sample is in several groups, so that their means are not independent.
    overlap: bool,
}

impl<'a> Groups<'a> {
    fn new(grouping: &'a Grouping, samples: &[Sample]) -> Self {
        let empty = |key: &String| (key.clone(), Vec::new());
        let mut keys: Vec<(String, Vec<usize>)> = grouping.order.iter().map(empty).collect();
        let mut overlap = false;
        let mut index = Keyed::default();
        for (at, sample) in samples.iter().enumerate() {
            let own = sample.tags.iter().filter(|(tag, _)| *tag == grouping.tag);
            let mut count = 0;
            for (_, key) in own {
                count += 1;
                match index.find(key, &keys, |(known, _)| known) {
                    Some(known) => keys[known].1.push(at),
                    None => keys.push((key.clone(), vec![at])),
                }
            }
            overlap |= count > 1;
        }
        keys.retain(|(_, members)| !members.is_empty());
        Self {
            grouping,
            keys,
            overlap,
        }
    }
}

/// The criteria with the worst and best number that each can come to, for the bounds of their rows.
fn bounds(declared: &Declared) -> Vec<CriterionInfo> {
    let mut infos = declared.criteria();
    let last = infos.len() - 1;
    for (at, info) in infos.iter_mut().enumerate() {
        let [low, high] = if at == last {
            total_range(declared)
        } else {
            criterion_range(declared, at)
        };
        (info.min, info.max) = match info.direction {
            Direction::Down => (high, low),
            Direction::Up | Direction::Neither => (low, high),
        };
    }
    infos
}

fn scopes(groups: &[Groups<'_>]) -> Vec<ScopeInfo> {
    let mut scopes = vec![ScopeInfo {
        scope: "overall".to_owned(),
        label: "Overall".to_owned(),
        keys: vec!["all".to_owned()],
    }];
    let known = groups.iter().filter(|groups| !groups.keys.is_empty());
    scopes.extend(known.map(|groups| ScopeInfo {
        scope: groups.grouping.scope.clone(),
        label: groups.grouping.label.clone(),
        keys: groups.keys.iter().map(|(key, _)| key.clone()).collect(),
    }));
    scopes
}

/// One model's results by one judge.
struct ModelResults {
    scores: JudgeScores,
    /// Per sample and column, the total last: mean over the judge's runs.
    values: Vec<Vec<Option<f64>>>,
}

impl ModelResults {
    fn new(
        declared: &Declared,
        world: &World<'_>,
        model: &ModelData,
        judge: u16,
        options: &ScoreOptions,
    ) -> Self {
        let policy = outputs_policy(declared, options);
        let found = resolve::resolve(declared, world, model, judge, (options.profile, policy));
        let mut scores = found.scores;
        let num_runs = found.runs.len();
        let num_requests = declared.says.requests.len();
        let num_columns = declared.says.criteria.len() + 1;
        let weights = declared.weights();
        let mut values = Vec::with_capacity(world.benchmark.samples.len());
        // Units come sample by sample, in them request by request, in them run by run.
        let per_sample = (num_runs * num_requests).max(1);
        for (sample, units) in found.values.chunks(per_sample).enumerate() {
            let judged: Vec<Judged> = (0..num_runs)
                .map(|run| {
                    let mut given = vec![None; num_columns - 1];
                    for (at, request) in declared.says.requests.iter().enumerate() {
                        let value = units.get(at * num_runs + run);
                        declared.take(&request.criteria, value, &mut given);
                    }
                    declared.says.total.judge(&given, &weights)
                })
                .collect();
            for at in 0..units.len() {
                let judged = &judged[at % num_runs];
                declared.add_parts(&mut scores, sample * per_sample + at, at / num_runs, judged);
            }
            values.push(mean_over_runs(&judged, num_columns));
        }
        let total = |row: &Vec<Option<f64>>| row.last().copied().flatten();
        scores.totals = values
            .iter()
            .map(|row| total(row).map(|total| total * declared.says.scale))
            .collect();
        Self { scores, values }
    }

    /// One row per group and column.
    fn rows(
        &self,
        declared: &Declared,
        groups: &[Groups<'_>],
        head: &Head<'_>,
        criteria: &[CriterionInfo],
    ) -> Vec<ScoreRow> {
        let all: Vec<usize> = (0..self.values.len()).collect();
        let mut rows = Vec::new();
        let mut push = |scope: (&str, &str), members: &[usize], over: Option<usize>| {
            for (column, info) in criteria.iter().enumerate() {
                let row = match over {
                    None => self
                        .cell(members.iter().copied(), column)
                        .row(head, scope, info),
                    Some(inner) => {
                        self.mean_over(&groups[inner], members, (head, scope, column, info))
                    }
                };
                if row.expected > 0 {
                    rows.push(row);
                }
            }
        };
        push(("overall", "all"), &all, declared.says.overall_over);
        for own in groups {
            for (key, members) in &own.keys {
                push((&own.grouping.scope, key), members, own.grouping.over);
            }
        }
        rows
    }

    fn cell(&self, members: impl Iterator<Item = usize>, column: usize) -> Cell {
        let mut cell = Cell::default();
        for at in members {
            cell.push(self.values[at][column]);
        }
        cell
    }

    /// The unweighted mean over the groups that have a number, of their samples that are members; the bounds are over all of them.
    fn mean_over(
        &self,
        inner: &Groups<'_>,
        members: &[usize],
        (head, scope, column, info): (&Head<'_>, (&str, &str), usize, &CriterionInfo),
    ) -> ScoreRow {
        let rows: Vec<(ScoreRow, bool)> = inner
            .keys
            .iter()
            .map(|(key, of_key)| {
                // Both lists ascend.
                let shared = of_key.iter().copied();
                let shared: Vec<usize> = shared
                    .filter(|at| members.binary_search(at).is_ok())
                    .collect();
                let scope = (inner.grouping.scope.as_str(), key.as_str());
                // The group's own row is over all of its samples, and not over groups in turn.
                let is_row = shared.len() == of_key.len() && inner.grouping.over.is_none();
                let cell = self.cell(shared.into_iter(), column);
                (cell.row(head, scope, info), is_row)
            })
            .filter(|(row, _)| row.expected > 0)
            .collect();
        let all: Vec<&ScoreRow> = rows.iter().map(|(row, _)| row).collect();
        let mut row = mean_of(head, scope, &info.id, &all, Gaps::LeftOut);
        let parts = row.origin.mean.iter_mut().flat_map(|mean| &mut mean.parts);
        for (part, (_, is_row)) in parts.zip(&rows) {
            part.is_row = *is_row;
        }
        if inner.overlap {
            return row.without_interval();
        }
        row
    }
}

impl Declared {
    fn weights(&self) -> Vec<f64> {
        self.says.criteria.iter().map(|own| own.weight).collect()
    }

    /// Takes the numbers of one reply in.
    fn take(&self, criteria: &[usize], value: Option<&UnitValue<'_>>, given: &mut [Option<f64>]) {
        match value {
            None | Some(UnitValue::Missing) => {}
            Some(UnitValue::Lowest) => {
                for at in criteria {
                    given[*at] = self.says.criteria[*at].worst();
                }
            }
            Some(UnitValue::Atoms(atoms)) => {
                for (at, atom) in criteria.iter().zip(*atoms) {
                    given[*at] = Some(*atom);
                }
            }
        }
    }

    /// The one number of a reply that was read by itself: the total where it gives all criteria, its own where it gives one.
    pub(super) fn score_of(&self, request: &str, numbers: &[f64]) -> Option<f64> {
        let mut requests = self.says.requests.iter();
        let request = requests.find(|known| known.id == request)?;
        let mut given = vec![None; self.says.criteria.len()];
        self.take(
            &request.criteria,
            Some(&UnitValue::Atoms(numbers)),
            &mut given,
        );
        match (self.says.requests.len(), numbers) {
            (1, _) => self.says.total.judge(&given, &self.weights()).total,
            (_, [only]) => Some(*only),
            _ => None,
        }
    }
}

impl Declared {
    /// Adds what a unit came to; the total is with the last request.
    fn add_parts(&self, scores: &mut JudgeScores, at: usize, request: usize, judged: &Judged) {
        let requests = &self.says.requests;
        let (Some(asked), Ok(unit)) = (requests.get(request), u32::try_from(at)) else {
            return;
        };
        let mut push = |column: usize, value: Option<f64>| {
            let part = u16::try_from(column).ok().zip(value);
            scores
                .parts
                .extend(part.map(|(criterion, value)| CriterionScore {
                    unit,
                    criterion,
                    value,
                }));
        };
        for column in &asked.criteria {
            push(*column, judged.criteria[*column]);
        }
        if request + 1 == requests.len() {
            push(judged.criteria.len(), judged.total);
        }
        if let Some(unit) = scores.units.get_mut(at) {
            let own = match (requests.len(), asked.criteria.as_slice()) {
                (1, _) => judged.total,
                (_, [only]) => judged.criteria[*only],
                _ => None,
            };
            unit.counted = own.into();
        }
    }
}

/// Each column's mean over the runs that have a number, the total last.
fn mean_over_runs(judged: &[Judged], num_columns: usize) -> Vec<Option<f64>> {
    let mut sums = vec![(0.0, 0_u32); num_columns];
    for run in judged {
        let columns = run.criteria.iter().chain([&run.total]);
        for ((sum, count), value) in sums.iter_mut().zip(columns) {
            if let Some(value) = value {
                *sum += value;
                *count += 1;
            }
        }
    }
    let mean = |(sum, count)| (count > 0).then(|| sum / f64::from(count));
    sums.into_iter().map(mean).collect()
}

/// The places of the judges that begin with these names; none unless there is exactly one of each name.
fn joined(names: &[String], judges: &[&str]) -> Vec<usize> {
    let one = |name: &String| {
        let all = judges.iter().enumerate();
        let mut found = all.filter(|(_, judge)| judge.to_lowercase().starts_with(name.as_str()));
        let (at, _) = found.next()?;
        found.next().is_none().then_some(at)
    };
    let found: Option<Vec<usize>> = names.iter().map(one).collect();
    found.unwrap_or_default()
}

/// Rows of the mean of several judges, if there is exactly one of each name.
fn rows_of_judges(names: &[String], rows: &[(String, Vec<ScoreRow>)]) -> Vec<ScoreRow> {
    let judges: Vec<&str> = rows.iter().map(|(judge, _)| judge.as_str()).collect();
    let of_names = joined(names, &judges);
    let called: Vec<&str> = of_names.iter().map(|at| judges[*at]).collect();
    let of_each: Vec<&[ScoreRow]> = of_names.iter().map(|at| rows[*at].1.as_slice()).collect();
    means_of_judges(&called.join(AND), &of_each)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declared::declaration::{Cap, Gate};

    fn total(rule: Rule) -> Total {
        Total {
            rule,
            ..Total::default()
        }
    }

    fn near(found: Option<f64>, wanted: f64) -> bool {
        found.is_some_and(|found| (found - wanted).abs() < 1e-12)
    }

    #[test]
    fn every_rule_by_hand() {
        let given = [Some(2.0), Some(8.0), Some(5.0)];
        let of = |rule, weights: [f64; 3]| total(rule).judge(&given, &weights).total;
        assert!(near(of(Rule::Mean, [1.0; 3]), 5.0));
        assert!(near(of(Rule::Mean, [1.0, 1.0, 0.0]), 5.0));
        assert!(near(of(Rule::WeightedMean, [3.0, 1.0, 0.0]), 14.0 / 4.0));
        assert!(near(of(Rule::GeometricMean, [1.0, 1.0, 0.0]), 4.0));
        // (2³ · 8)^(1/4) = 64^(1/4)
        assert!(near(
            of(Rule::GeometricMean, [3.0, 1.0, 0.0]),
            8.0_f64.sqrt()
        ));
        assert!(near(of(Rule::Minimum, [0.0, 1.0, 1.0]), 5.0));
        let zero = total(Rule::GeometricMean).judge(&[Some(0.0), Some(9.0)], &[1.0; 2]);
        assert_eq!(zero.total, Some(0.0));
    }

    #[test]
    fn a_missing_criterion_leaves_no_total_unless_it_has_no_weight() {
        let given = [Some(2.0), None];
        let judge = |weights: [f64; 2]| total(Rule::Mean).judge(&given, &weights).total;
        assert_eq!(judge([1.0, 1.0]), None);
        assert_eq!(judge([1.0, 0.0]), Some(2.0));
    }

    #[test]
    fn gates_and_caps_apply_in_their_order() {
        let below = |criterion, bound| Condition {
            criterion,
            test: Test::Below,
            bound,
        };
        let rules = Total {
            rule: Rule::Mean,
            gates: vec![
                Gate {
                    condition: below(0, 3.0),
                    total: None,
                    criteria: vec![(1, 0.0)],
                },
                Gate {
                    condition: below(0, 1.5),
                    total: Some(7.0),
                    criteria: Vec::new(),
                },
            ],
            caps: vec![Cap {
                condition: below(1, 9.0),
                at_most: 2.0,
            }],
        };
        let judge = |given: [f64; 2]| rules.judge(&given.map(Some), &[1.0; 2]);
        // No condition holds.
        assert_eq!(judge([4.0, 9.0]).total, Some(6.5));
        // Only the cap.
        assert_eq!(judge([4.0, 8.0]).total, Some(2.0));
        // The first gate sets the second criterion to 0; the cap asks what the judge gave, which was 9.
        let gated = judge([2.0, 9.0]);
        assert_eq!((gated.criteria[1], gated.total), (Some(0.0), Some(1.0)));
        // The second gate's total is above the cap.
        assert_eq!(judge([1.0, 8.0]).total, Some(7.0));
        // A condition on something unknown leaves what it touches unknown.
        let unknown = rules.judge(&[None, Some(9.0)], &[0.0, 1.0]);
        assert_eq!((unknown.criteria[1], unknown.total), (None, None));
    }
}
