//! One model in the groups of a scope: means with intervals at a level, and whether each mean lies within the others' intervals.

use crate::study::Study;
use std::fmt::Write as _;

use super::{CompareInputs, CompareQuery, Extent, comparable, inputs_over, printed};
use crate::count;
use crate::error::Error;
use crate::slices::Slices;
use crate::state::Session;
use crate::view::groups::{GroupMean, GroupMeans, GroupMeansQuery, GroupedModel};
use juror_model::terms::{CriterionInfo, ScopeInfo};
use juror_protocols::contract::scale_ends;
use juror_reading::escape::{csv_field, csv_number, markdown};
use juror_statistics::MIN_FOR_INTERVAL;
use juror_statistics::clusters::Clusters;
use juror_statistics::level::Level;

/// Groups that are shown at most.
const MAX_KEYS: usize = 64;

/// All models in each group of a scope; a sample of several groups counts in each of them.
///
/// # Errors
/// `unknown_group`, `unknown_criterion` or `unknown_judge`: the query names what is not there.
pub fn group_means(study: &Study<'_>, query: &GroupMeansQuery) -> Result<GroupMeans, Error> {
    study.expect(&query.options);
    let criteria = study.criteria();
    let protocol = &*study.loader.protocol;
    let scopes = comparable(protocol, &study.world(), study.scores());
    let of_several = |info: &&ScopeInfo| info.scope != "overall" && !info.keys.is_empty();
    let scopes: Vec<ScopeInfo> = scopes.iter().filter(of_several).cloned().collect();
    let unknown = || Error::UnknownGroup {
        scope: query.scope.clone(),
        key: String::new(),
    };
    let info = if query.scope.is_empty() {
        scopes.first()
    } else {
        scopes.iter().find(|info| info.scope == query.scope)
    };
    let info = info.ok_or_else(unknown)?;
    let level = query.level.unwrap_or(protocol.level(&info.scope));
    let keys: Vec<String> = info.keys.iter().take(MAX_KEYS).cloned().collect();
    let slices = Slices::new(study, &scopes, &info.scope)?;
    let query = CompareQuery {
        scope: info.scope.clone(),
        criterion: query.criterion.clone(),
        judge: query.judge.clone(),
        ..CompareQuery::default()
    };
    let inputs = ByGroup::new(study, query, &criteria)?;
    let of_model = |at: usize| -> Vec<GroupMean> {
        let keys = slices.numbered().take(keys.len());
        let groups = keys.filter_map(|(key, place)| {
            let place = place?;
            let is_in = |sample, turn| slices.has(place, sample, turn);
            Some(inputs.mean(at, key, is_in, level))
        });
        groups.collect()
    };
    let names = study.world().models.iter();
    let models: Vec<(String, Vec<GroupMean>)> = names
        .enumerate()
        .map(|(at, model)| (model.submission.name.clone(), of_model(at)))
        .collect();
    let criterion = inputs.0.reader.criterion.clone();
    let judge = inputs.0.query.judge.clone().unwrap_or_default();
    let models = models.into_iter();
    Ok(GroupMeans {
        scope: info.scope.clone(),
        label: info.label.clone(),
        models: models
            .map(|(model, groups)| GroupedModel::new(model, groups, &criterion, level))
            .collect(),
        keys_left_out: count(info.keys.len() - keys.len()),
        criterion,
        judge,
        level,
        keys,
        scopes,
    })
}

/// What means by group rest on: the numbers of all samples by one judge, made once for all groups of a scope.
pub(crate) struct ByGroup<'a>(CompareInputs<'a>);

impl<'a> ByGroup<'a> {
    /// Of the query's scope, criterion and judge; its key does not count.
    ///
    /// # Errors
    /// `unknown_group`, `unknown_criterion` or `unknown_judge`: the query names what is not there.
    pub(crate) fn new(
        session: &'a Session,
        query: CompareQuery,
        criteria: &'a [CriterionInfo],
    ) -> Result<Self, Error> {
        let query = CompareQuery {
            key: String::new(),
            replicates: 0,
            ..query
        };
        let scores = session.data.scores();
        let inputs = inputs_over(session, scores, &query, criteria, Extent::Scope)?;
        Ok(Self(inputs))
    }

    /// A model's mean over the samples of a group, by which turns of which samples are in it.
    pub(crate) fn mean(
        &self,
        model: usize,
        key: &str,
        is_in: impl Fn(u32, u32) -> bool,
        level: Level,
    ) -> GroupMean {
        let (values, expected) = self.0.values_where(model, is_in);
        let reader = &self.0.reader;
        let scale = scale_ends(reader.protocol, &reader.criterion.id);
        mean_of(key, &values, expected, (level, scale))
    }

    /// A model's numbers by sample and turn, on the printed scale; of totals one for each sample, or for each turn where the
    /// scope's groups are of turns.
    pub(crate) fn numbers(&self, model: usize) -> impl Iterator<Item = (u32, u32, f64)> {
        let column = self.0.columns[model].iter();
        column.flat_map(move |column| {
            self.0.members().flat_map(move |sample| {
                let turns = self.0.turns(sample).zip(0..);
                turns.filter_map(move |(slot, turn)| Some((count(sample), turn, column.at(slot)?)))
            })
        })
    }
}

/// The mean of a group's samples, with an interval of a level within the ends of a scale.
fn mean_of(
    key: &str,
    values: &Clusters,
    expected: u32,
    (level, scale): (Level, Option<[f64; 2]>),
) -> GroupMean {
    let is_enough = values.len() >= MIN_FOR_INTERVAL as usize;
    let ends = is_enough.then(|| values.t_interval_at(level)).flatten();
    let cut = ends.zip(values.mean()).zip(scale);
    let ends = cut.map_or(ends, |((ends, mean), scale)| Some(ends.within(mean, scale)));
    GroupMean {
        key: key.to_owned(),
        n: count(values.len()),
        expected,
        mean: values.mean(),
        low: ends.map(|ends| ends.low),
        high: ends.map(|ends| ends.high),
        outside: Vec::new(),
    }
}

impl GroupMean {
    /// Whether another group's mean lies within this one's interval; `None` without either.
    fn holds(&self, other: &Self) -> Option<bool> {
        let (low, high) = self.low.zip(self.high)?;
        Some((low..=high).contains(&other.mean?))
    }
}

impl GroupedModel {
    fn new(
        model: String,
        mut groups: Vec<GroupMean>,
        criterion: &CriterionInfo,
        level: Level,
    ) -> Self {
        let all = groups.clone();
        let mut num_held = 0;
        for (at, group) in groups.iter_mut().enumerate() {
            for (_, other) in all.iter().enumerate().filter(|(other, _)| *other != at) {
                match other.holds(group) {
                    Some(true) => num_held += 1,
                    Some(false) => group.outside.push(other.key.clone()),
                    None => {}
                }
            }
        }
        let num_intervals = groups.iter().filter(|group| group.low.is_some()).count();
        let is_apart = groups.iter().any(|group| !group.outside.is_empty());
        let is_alike = (num_intervals > 1 && (is_apart || num_held > 0)).then_some(!is_apart);
        let mut found = Self {
            sentence: String::new(),
            model,
            groups,
            is_alike,
        };
        found.sentence = found.words(criterion, level);
        found
    }

    fn words(&self, criterion: &CriterionInfo, level: Level) -> String {
        let number = |x: f64| printed(x, usize::from(criterion.decimals));
        let (model, level) = (&self.model, level.percent());
        let mut out = match self.is_alike {
            None => format!(
                "{model}: fewer than two groups have an interval at {level} %, so that nothing can be said of their differences."
            ),
            Some(true) => {
                format!(
                    "{model}: each group's mean lies within the {level} % intervals of the others."
                )
            }
            Some(false) => {
                let outside = self.groups.iter().filter(|group| !group.outside.is_empty());
                let part = |group: &GroupMean| {
                    let mean = group.mean.map_or_else(String::new, number);
                    let others = group.outside.iter().filter_map(|key| {
                        let other = self.groups.iter().find(|other| other.key == *key)?;
                        let (low, high) = other.low.zip(other.high)?;
                        Some(format!("{key} [{}, {}]", number(low), number(high)))
                    });
                    let others: Vec<String> = others.collect();
                    format!(
                        "the mean of {} ({mean}) of {}",
                        group.key,
                        others.join(", ")
                    )
                };
                let parts: Vec<String> = outside.map(part).collect();
                format!(
                    "{model}: outside of the {level} % interval lies {}.",
                    parts.join("; ")
                )
            }
        };
        let lacking = self.groups.iter().filter(|group| group.low.is_none());
        let lacking: Vec<String> = lacking
            .map(|group| format!("{} (n = {})", group.key, group.n))
            .collect();
        if self.is_alike.is_some() && !lacking.is_empty() {
            let _ = write!(out, " Without an interval: {}.", lacking.join(", "));
        }
        out
    }
}

impl GroupMeans {
    /// One row for each model and group; full precision, RFC 4180, `\n` line ends.
    pub fn to_csv(&self) -> String {
        let mut out =
            "model,scope,key,criterion,judge,mean,n,expected,level,ci_low,ci_high,outside\n"
                .to_owned();
        for model in &self.models {
            for group in &model.groups {
                let fields = [
                    csv_field(&model.model),
                    csv_field(&self.scope),
                    csv_field(&group.key),
                    csv_field(&self.criterion.id),
                    csv_field(&self.judge),
                    csv_number(group.mean),
                    group.n.to_string(),
                    group.expected.to_string(),
                    self.level.percent().to_string(),
                    csv_number(group.low),
                    csv_number(group.high),
                    csv_field(&group.outside.join("; ")),
                ];
                // Writing to a string cannot fail.
                let _ = writeln!(out, "{}", fields.join(","));
            }
        }
        out
    }

    /// A table for each model with its sentence, rounded as printed.
    pub fn to_markdown(&self) -> String {
        let number = |x: f64| printed(x, usize::from(self.criterion.decimals));
        let mut out = format!(
            "# {} by {}\n",
            markdown(&self.criterion.label),
            markdown(&self.label.to_lowercase())
        );
        for model in &self.models {
            let _ = writeln!(
                out,
                "\n## {}\n\n| {} | mean | {} % CI | n |\n|---|---:|---|---:|",
                markdown(&model.model),
                markdown(&self.label.to_lowercase()),
                self.level.percent()
            );
            for group in &model.groups {
                let ends = match group.low.zip(group.high) {
                    Some((low, high)) => format!("[{}, {}]", number(low), number(high)),
                    None if group.mean.is_some() => "n too small".to_owned(),
                    None => "–".to_owned(),
                };
                let _ = writeln!(
                    out,
                    "| {} | {} | {ends} | {}/{} |",
                    markdown(&group.key),
                    group.mean.map_or_else(|| "–".to_owned(), number),
                    group.n,
                    group.expected
                );
            }
            let _ = writeln!(out, "\n{}", markdown(&model.sentence));
        }
        if self.keys_left_out > 0 {
            let _ = writeln!(
                out,
                "\nNote: {} more groups are left out.",
                self.keys_left_out
            );
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use juror_model::terms::Direction;

    fn group(key: &str, values: &[f64], level: Level) -> GroupMean {
        let values = Clusters::new(values.iter().copied().enumerate());
        let expected = count(values.len());
        mean_of(key, &values, expected, (level, None))
    }

    fn model(groups: [&[f64]; 3], level: Level) -> GroupedModel {
        let criterion = CriterionInfo {
            id: "total".to_owned(),
            short: String::new(),
            label: String::new(),
            meaning: String::new(),
            min: 0.0,
            max: 10.0,
            allowed: None,
            scale: 1.0,
            decimals: 2,
            direction: Direction::Up,
        };
        let groups = ["a", "b", "c"].iter().zip(groups);
        let groups = groups.map(|(key, values)| group(key, values, level));
        GroupedModel::new("m".to_owned(), groups.collect(), &criterion, level)
    }

    const AROUND_5: [f64; 6] = [4.0, 5.0, 6.0, 4.0, 5.0, 6.0];
    const AROUND_6: [f64; 6] = [5.0, 6.0, 7.0, 5.0, 6.0, 7.0];

    #[test]
    fn a_mean_outside_of_an_interval_at_95_may_lie_within_it_at_99() {
        // SD 0.894, standard error 0.365: ± 0.939 at 95 % and ± 1.472 at 99 %.
        let at_99 = model([&AROUND_5, &AROUND_6, &AROUND_5], Level::P99);
        assert_eq!(at_99.is_alike, Some(true), "{at_99:?}");
        assert!(at_99.sentence.contains("within the 99 % intervals"));
        let low = at_99.groups[0].low.unwrap_or(f64::NAN);
        assert!(
            (low - (5.0 - 4.032_142_983_6 * 0.365_148_371_67)).abs() < 1e-6,
            "{low}"
        );
        let at_95 = model([&AROUND_5, &AROUND_6, &AROUND_5], Level::P95);
        assert_eq!(at_95.is_alike, Some(false));
        assert_eq!(at_95.groups[1].outside, ["a", "c"]);
        assert!(
            at_95
                .sentence
                .contains("the mean of b (6.00) of a [4.06, 5.94], c [4.06, 5.94]"),
            "{}",
            at_95.sentence
        );
    }

    #[test]
    fn a_group_of_fewer_than_five_has_no_interval_and_nothing_is_said_of_one_alone() {
        let one = model([&AROUND_5, &[9.0, 9.0], &[]], Level::P95);
        assert_eq!((one.is_alike, one.groups[1].low), (None, None));
        assert!(one.sentence.contains("fewer than two groups"));
        assert_eq!(one.groups[2].mean, None);
        let two = model([&AROUND_5, &AROUND_5, &[5.0]], Level::P95);
        assert_eq!(two.is_alike, Some(true));
        assert!(two.sentence.ends_with("Without an interval: c (n = 1)."));
    }
}
