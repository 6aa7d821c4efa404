//! What plots show: scores counted by value, by difference or in pairs, and the samples behind each mark.
//!
//! Counting is done here, so that a page never holds a million scores; every mark can be asked for its samples.
//! Bounds of marks are computed in one place (`Bins`), so a mark and the list behind it cannot disagree.

use crate::study::Study;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::agreement::{Bootstrap, Compared, row_of};
use super::compare::{self, CompareQuery};
use super::count;
use super::state::Session;
use super::values::{Values, mean, mean_of_all};
use crate::measure::{MEASURED, is_measured};
use crate::view::agreement::AgreementRow;
use juror_model::incident::IncidentKind;
use juror_model::judge::PEOPLE;
use juror_model::linked::ModelData;
use juror_model::options::{Policy, ScoreOptions};
use juror_model::score::{JudgeScores, Unit};
use juror_model::terms::CriterionInfo;
use juror_protocols::contract::scale_ends;
use juror_statistics::clusters::Interval;
use juror_statistics::level::Level;
use juror_statistics::small::{SortSmall, arrange_numbers};
use juror_statistics::{Moments, half_width};

/// So many values, and each has a mark of its own.
const MAX_VALUES: usize = 25;
/// Marks where there are more values.
const NUM_BINS: usize = 20;
/// Marks on either side of no difference.
const NUM_STEPS: usize = 10;
/// So many pairs of values, and each has a mark of its own.
const MAX_PAIRS: usize = 600;
/// Marks along one side where there are more pairs.
const GRID: usize = 30;
/// Samples behind a mark that are listed.
const MAX_BEHIND: usize = 200;

/// What a plot is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum PlotKind {
    /// How often each score was given, per model and judge.
    #[default]
    Distribution,
    /// Differences of two models on the same samples.
    Difference,
    /// Two judges, or a judge and people, on the same outputs.
    Scatter,
}

/// Names one plot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct PlotQuery {
    /// Profile, policy, judge and run.
    pub options: ScoreOptions,
    /// What it is of.
    pub kind: PlotKind,
    /// Criterion, or `total`.
    pub criterion: String,
    /// First model, or first side: `judge:` or `rater:` and a name, or `people` for the mean of all raters.
    pub a: String,
    /// Second model or side.
    pub b: String,
    /// Whose scores are differenced, where there are several judges.
    pub judge: String,
    /// Scope of the group of samples that two models are differenced on; empty for the widest.
    pub scope: String,
    /// Key within the scope; empty for its first.
    pub key: String,
    /// Level of every interval.
    pub level: Level,
}

/// At which level the intervals of score rows are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct RowIntervalQuery {
    /// Profile, policy, judge and run.
    pub options: ScoreOptions,
    /// Level.
    pub level: Level,
}

/// One plot, counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Plot {
    /// Whether values are on the printed scale, not on the judge's.
    pub is_printed: bool,
    /// Lower end of the axes.
    pub min: f64,
    /// Upper end of the axes.
    pub max: f64,
    /// Whether a mark is a range of values and not one value.
    pub is_binned: bool,
    /// One entry per model and judge; one in all where two are compared.
    pub lines: Vec<PlotLine>,
    /// What can stand on either side of a scatter plot.
    pub sides: Vec<String>,
    /// How far the two sides of a scatter plot agree.
    pub agreement: Option<AgreementRow>,
}

/// One model under one judge, or one comparison.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PlotLine {
    /// Model; empty for all together.
    pub model: String,
    /// Judge.
    pub judge: String,
    /// Values.
    pub n: u32,
    /// Values that are expected and missing; of two models samples that one of them lacks a score of, of two judges outputs
    /// that one alone rated.
    pub missing: u32,
    /// Values that no judge gave: what the policy makes of missing outputs.
    pub ruled: u32,
    /// Mean of the values; of differences, their mean.
    pub mean: Option<f64>,
    /// Sample standard deviation (n − 1).
    pub sd: Option<f64>,
    /// Lower end of the t interval of the mean.
    pub ci_low: Option<f64>,
    /// Upper end of the t interval of the mean.
    pub ci_high: Option<f64>,
    /// Differences above 0, equal to 0, below 0.
    pub signs: [u32; 3],
    /// Marks in order of value; of a scatter plot those with any value.
    pub marks: Vec<PlotMark>,
}

/// One bar, or one dot of a scatter plot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PlotMark {
    /// Names it among the marks of its line.
    pub id: u32,
    /// The value, or the least one.
    pub low: f64,
    /// The value, or where the next mark begins (the last mark has its end).
    pub high: f64,
    /// On the second side, the value or the least one.
    pub y_low: f64,
    /// On the second side, the value or where the next mark begins.
    pub y_high: f64,
    /// Values in it.
    pub n: u32,
    /// Of them, what the policy makes of missing outputs.
    pub ruled: u32,
}

/// The samples behind one mark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Behind {
    /// All values of the mark.
    pub total: u32,
    /// The first two hundred of them, in the order of the benchmark.
    pub rows: Vec<BehindRow>,
}

/// One value behind a mark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct BehindRow {
    /// Sample id.
    pub sample: String,
    /// Turn, from 0; `None` where the whole sample is meant.
    pub turn: Option<u32>,
    /// Run, from 1; `None` where runs are averaged.
    pub run: Option<u32>,
    /// Model; empty where the value is a difference of two.
    pub model: String,
    /// The value.
    pub x: f64,
    /// On the second side.
    pub y: Option<f64>,
}

/// One value with where it comes from.
#[derive(Clone, Copy, Debug)]
struct Item {
    line: u32,
    model: u32,
    sample: u32,
    turn: Option<u32>,
    run: Option<u32>,
    x: f64,
    y: f64,
    is_ruled: bool,
}

/// Values before they are counted.
#[derive(Debug, Default)]
struct PlotData {
    lines: Vec<PlotLine>,
    items: Vec<Item>,
    /// Ends of the scale.
    range: (f64, f64),
    is_printed: bool,
    sides: Vec<String>,
}

/// One plot.
pub fn plot(study: &Study<'_>, query: &PlotQuery) -> Plot {
    let PlotData {
        mut lines,
        items,
        range,
        is_printed,
        sides,
    } = plot_data(study, query);
    let bins = Bins::new(
        query.kind,
        &items,
        range,
        criterion(study, &query.criterion).as_ref(),
    );
    for (at, line) in (0u32..).zip(&mut lines) {
        line.take(items.iter().filter(|item| item.line == at), query.level);
        let is_bounded = scale_ends(&*study.loader.protocol, &query.criterion).is_some();
        if query.kind == PlotKind::Distribution && is_bounded {
            line.cut([range.0, range.1]);
        }
    }
    for (at, line) in (0u32..).zip(&mut lines) {
        let mut counts: BTreeMap<usize, (u32, u32)> = BTreeMap::new();
        if query.kind != PlotKind::Scatter {
            counts.extend((0..bins.len()).map(|at| (at, (0, 0))));
        }
        for item in items.iter().filter(|item| item.line == at) {
            let mark = counts.entry(bins.of(item)).or_default();
            mark.0 += 1;
            mark.1 += u32::from(item.is_ruled);
        }
        line.marks = counts.into_iter().map(|(at, n)| bins.mark(at, n)).collect();
    }
    let pairs: Vec<(u32, (f64, f64))> = (items.iter())
        .map(|item| (item.sample, (item.x, item.y)))
        .collect();
    let is_scatter = query.kind == PlotKind::Scatter && !pairs.is_empty();
    Plot {
        is_printed,
        min: bins.x.first(),
        max: bins.x.last(),
        is_binned: bins.x.is_binned,
        lines,
        sides,
        agreement: is_scatter.then(|| {
            let of = Compared {
                a: &query.a,
                b: &query.b,
                criterion: &query.criterion,
                expected: count(pairs.len()),
                ..Compared::default()
            };
            row_of(of, &pairs, Bootstrap::Yes, query.level)
        }),
    }
}

/// The intervals of all score rows at a level, in the order of the rows and cut at the ends of their scales as these are.
pub fn row_intervals(
    study: &Study<'_>,
    query: &RowIntervalQuery,
) -> Vec<Option<compare::Interval>> {
    study.expect(&query.options);
    let protocol = &*study.loader.protocol;
    let rows = study.scores().rows.iter();
    let at_level = rows.map(|row| {
        // What has no interval at the usual level has none at any.
        row.ci_low?;
        let (low, high) = row.origin.interval.as_ref()?.ends_at(query.level);
        let ends = Interval { low, high };
        let within = scale_ends(protocol, &row.criterion).zip(row.mean);
        Some(
            within
                .map_or(ends, |(scale, mean)| ends.within(mean, scale))
                .into(),
        )
    });
    at_level.collect()
}

/// The samples behind a mark of the line of this position.
pub fn behind(study: &Study<'_>, query: &PlotQuery, line: u32, mark: u32) -> Behind {
    let PlotData { items, range, .. } = plot_data(study, query);
    let bins = Bins::new(
        query.kind,
        &items,
        range,
        criterion(study, &query.criterion).as_ref(),
    );
    let is_there = |item: &&Item| item.line == line && bins.of(item) == mark as usize;
    let world = study.world();
    let rows = items.iter().filter(is_there).take(MAX_BEHIND).map(|item| {
        let model = world.models.get(item.model as usize);
        BehindRow {
            sample: world.benchmark.samples[item.sample as usize].id.clone(),
            turn: item.turn,
            run: item.run,
            model: model.map_or_else(String::new, |model| model.submission.name.clone()),
            x: item.x,
            y: (query.kind != PlotKind::Distribution).then_some(item.y),
        }
    });
    Behind {
        rows: rows.collect(),
        total: count(items.iter().filter(is_there).count()),
    }
}

fn criterion(session: &Session, id: &str) -> Option<CriterionInfo> {
    let mut all = session.criteria().into_iter();
    all.find(|info| info.id == id)
}

fn plot_data(study: &Study<'_>, query: &PlotQuery) -> PlotData {
    study.expect(&query.options);
    let Some(info) = criterion(study, &query.criterion) else {
        return PlotData::default();
    };
    if query.kind == PlotKind::Scatter {
        return data_of_pairs(study, query, &info);
    }
    match query.kind {
        PlotKind::Difference => data_of_differences(study, query, &info),
        _ => data_of_values(study, &info),
    }
}

/// Every score of every model and judge; totals by sample.
fn data_of_values(session: &Session, info: &CriterionInfo) -> PlotData {
    let is_total = info.id == "total";
    let factor = if is_total { info.scale } else { 1.0 };
    let mut found = PlotData {
        range: (info.min * factor, info.max * factor),
        is_printed: is_total,
        ..PlotData::default()
    };
    let world = session.world();
    let models = world.models.iter().zip(&session.data.scores().models);
    for (model_at, (model, scores)) in (0u32..).zip(models) {
        for judge in &scores.judges {
            let line = count(found.lines.len());
            let before = found.items.len();
            let mut expected = 0;
            session.for_values(model, judge, info, |unit, value, is_ruled| {
                expected += 1;
                let Some(x) = value else { return };
                found.items.push(Item {
                    line,
                    model: model_at,
                    sample: unit.sample,
                    turn: (!is_total).then_some(unit.turn),
                    run: (!is_total).then_some(unit.run),
                    x,
                    y: 0.0,
                    is_ruled,
                });
            });
            if expected == 0 {
                continue;
            }
            found.lines.push(PlotLine {
                model: model.submission.name.clone(),
                judge: judge.judge.clone(),
                missing: expected - count(found.items.len() - before),
                ..PlotLine::default()
            });
        }
    }
    if is_measured(&info.id) {
        // The scale of an error or a ratio ends far from where pictures lie.
        let values = found.items.iter().map(|item| item.x);
        let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
        let ends = values.fold((low, high), |(low, high), x| (low.min(x), high.max(x)));
        if ends.0 <= ends.1 {
            found.range = ends;
        }
    }
    found
}

/// First minus second model by sample, on the printed scale: what the comparison of the two rests on.
fn data_of_differences(session: &Session, query: &PlotQuery, info: &CriterionInfo) -> PlotData {
    let compared = CompareQuery {
        scope: query.scope.clone(),
        key: query.key.clone(),
        criterion: info.id.clone(),
        judge: Some(query.judge.clone()),
        ..CompareQuery::default()
    };
    // What is not there has no differences.
    let (differences, missing) = session
        .differences(&compared, (&query.a, &query.b))
        .unwrap_or_default();
    let items = differences.into_iter().map(|(sample, x)| Item {
        line: 0,
        model: u32::MAX,
        sample,
        turn: None,
        run: None,
        x,
        y: 0.0,
        is_ruled: false,
    });
    PlotData {
        is_printed: true,
        items: items.collect(),
        lines: vec![PlotLine {
            judge: query.judge.clone(),
            missing,
            ..PlotLine::default()
        }],
        ..PlotData::default()
    }
}

/// Whose scores of a criterion can be set against each other's: people together, judges, and raters where there are several.
fn sides_of(study: &Study<'_>, query: &PlotQuery, info: &CriterionInfo) -> Vec<(String, Values)> {
    study.expect(&query.options);
    let options = ScoreOptions {
        policy: Some(Policy::Exclude),
        judge: None,
        run: None,
        ..query.options.clone()
    };
    let mut sides: Vec<(String, Values)> = Vec::new();
    let (mut raters, _) = study.people_values(&options, Some(&info.id));
    let are_several = raters.len() > 1;
    for values in raters.values_mut() {
        values.retain(|place, _| place.1 == info.id);
    }
    let people = mean_of_all(&raters);
    if !people.is_empty() {
        sides.push((PEOPLE.to_owned(), people));
    }
    for (judge, values) in study.judges_values(&options, Some(&info.id)) {
        sides.push((format!("judge:{judge}"), values));
    }
    if are_several {
        let raters = raters.into_iter().filter(|(_, values)| !values.is_empty());
        sides.extend(raters.map(|(rater, values)| (format!("rater:{rater}"), values)));
    }
    sides
}

/// Two sides' scores of the same outputs, runs and raters averaged; what is missing is left out.
fn data_of_pairs(study: &Study<'_>, query: &PlotQuery, info: &CriterionInfo) -> PlotData {
    let sides = sides_of(study, query, info);
    let factor = if info.id == "total" { info.scale } else { 1.0 };
    let mut found = PlotData {
        range: (info.min * factor, info.max * factor),
        is_printed: info.id == "total",
        sides: sides.iter().map(|(name, _)| name.clone()).collect(),
        ..PlotData::default()
    };
    let side = |name: &str| sides.iter().find(|(known, _)| known == name);
    let (Some((_, first)), Some((_, second))) = (side(&query.a), side(&query.b)) else {
        return found;
    };
    let mut line = PlotLine::default();
    for (place, values) in first {
        let Some(others) = second.get(place) else {
            line.missing += 1;
            continue;
        };
        let (model, _, sample, turn) = place;
        found.items.push(Item {
            line: 0,
            model: count(*model),
            sample: *sample,
            turn: (info.id != "total").then_some(*turn),
            run: None,
            x: mean(values),
            y: mean(others),
            is_ruled: false,
        });
    }
    line.missing += count(
        second
            .keys()
            .filter(|place| !first.contains_key(*place))
            .count(),
    );
    found.lines.push(line);
    found
        .items
        .sort_small_by_key(|item| (item.sample, item.turn, item.model));
    found
}

impl Session {
    /// One judge's expected values of a criterion: the unit, its value on the judge's scale, and whether that is the policy's.
    ///
    /// Of the total there is one value per sample, on the printed scale, with the first of its units that is not well; it is
    /// the policy's where it is so of every unit.
    pub(super) fn for_values(
        &self,
        model: &ModelData,
        judge: &JudgeScores,
        info: &CriterionInfo,
        mut each: impl FnMut(&Unit, Option<f64>, bool),
    ) {
        let is_ruled = |unit: &Unit| unit.incident.is_some_and(IncidentKind::is_models);
        if info.id == "total" {
            if judge.judge == MEASURED {
                return;
            }
            for units in judge.units.chunk_by(|a, b| a.sample == b.sample) {
                let total = judge.totals.get(units[0].sample as usize);
                let unwell = units.iter().find(|unit| unit.incident.is_some());
                let is_ruled = units.iter().all(is_ruled);
                each(
                    unwell.unwrap_or(&units[0]),
                    total.copied().flatten(),
                    is_ruled,
                );
            }
            return;
        }
        let requests = self.loader.protocol.requests();
        let gives = |request: &String| {
            let known = requests.iter().find(|known| known.id == *request);
            known.map_or(*request == info.id, |known| {
                known.criteria.contains(&info.id)
            })
        };
        let gives: Vec<bool> = model.criteria.iter().map(gives).collect();
        let criteria = self.criteria();
        let place = criteria.iter().position(|known| known.id == info.id);
        let mut parts = judge.parts.as_slice();
        for (at, unit) in (0u32..).zip(&judge.units) {
            let (own, rest) = parts.split_at(parts.partition_point(|part| part.unit <= at));
            parts = rest;
            if !gives[usize::from(unit.criterion)] {
                continue;
            }
            let mut own = own.iter();
            let value = if judge.parts.is_empty() {
                unit.counted.get()
            } else {
                own.find(|part| Some(usize::from(part.criterion)) == place)
                    .map(|part| part.value)
            };
            each(unit, value, is_ruled(unit));
        }
    }
}

impl PlotLine {
    /// Count, spread and signs of the line's values.
    fn take<'a>(&mut self, items: impl Iterator<Item = &'a Item>, level: Level) {
        let mut moments = Moments::default();
        for item in items {
            moments.push(item.x);
            self.ruled += u32::from(item.is_ruled);
            let sign = if item.x > 0.0 {
                0
            } else {
                1 + usize::from(item.x < 0.0)
            };
            self.signs[sign] += 1;
        }
        let half = half_width(&moments, level);
        self.n = moments.n();
        self.mean = moments.mean();
        self.sd = moments.sd();
        self.ci_low = self.mean.zip(half).map(|(mean, half)| mean - half);
        self.ci_high = self.mean.zip(half).map(|(mean, half)| mean + half);
    }

    /// Cuts the interval of the mean at the ends of its scale.
    fn cut(&mut self, scale: [f64; 2]) {
        let ends = self.ci_low.zip(self.ci_high);
        if let Some((mean, (low, high))) = self.mean.zip(ends) {
            let cut = Interval { low, high }.within(mean, scale);
            (self.ci_low, self.ci_high) = (Some(cut.low), Some(cut.high));
        }
    }
}

/// Where marks begin and end along one side.
#[derive(Clone, Debug, PartialEq)]
struct Axis {
    /// Single values, or the ends of ranges, ascending.
    at: Vec<f64>,
    is_binned: bool,
}

impl Axis {
    /// Each value on its own where they are few, else ranges of equal width over the scale and whatever is beyond it.
    fn new(
        values: &[f64],
        (min, max): (f64, f64),
        info: Option<&CriterionInfo>,
        most: usize,
    ) -> Self {
        let mut at = values.to_vec();
        arrange_numbers(&mut at);
        at.dedup();
        let min = at.first().map_or(min, |first| min.min(*first));
        let max = at.last().map_or(max, |last| max.max(*last));
        // Values that lie close together would be hairs.
        let least = at
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .fold(f64::INFINITY, f64::min);
        let is_dense = most < usize::MAX && least < (max - min) / (2 * MAX_VALUES) as f64;
        if at.len() > most || is_dense {
            let num = if most == MAX_VALUES { NUM_BINS } else { most };
            return Self::even(min, max, num);
        }
        // Values that nobody was given show as gaps.
        let is_whole = at.iter().all(|x| x.fract() == 0.0) && min.fract() == 0.0;
        if let Some(allowed) = info.and_then(|info| info.allowed.as_ref()) {
            at.extend(allowed);
        } else if is_whole && max - min < MAX_VALUES as f64 {
            let mut x = min;
            while x <= max {
                at.push(x);
                x += 1.0;
            }
        }
        arrange_numbers(&mut at);
        at.dedup();
        Self {
            at,
            is_binned: false,
        }
    }

    /// Ranges of equal width.
    fn even(min: f64, max: f64, num: usize) -> Self {
        let end = |at: usize| min + (max - min) * at as f64 / num as f64;
        Self {
            at: (0..=num).map(end).collect(),
            is_binned: true,
        }
    }

    fn len(&self) -> usize {
        self.at.len() - usize::from(self.is_binned && !self.at.is_empty())
    }

    fn first(&self) -> f64 {
        self.at.first().copied().unwrap_or(0.0)
    }

    fn last(&self) -> f64 {
        self.at.last().copied().unwrap_or(0.0)
    }

    /// The mark of a value: a range has its beginning and not its end, the last range both.
    fn of(&self, x: f64) -> usize {
        let after = self.at.partition_point(|at| *at <= x);
        after.saturating_sub(1).min(self.len().saturating_sub(1))
    }

    fn ends(&self, at: usize) -> (f64, f64) {
        let next = if self.is_binned { at + 1 } else { at };
        (self.at[at], self.at[next])
    }
}

/// Where a plot's marks are.
#[derive(Debug)]
struct Bins {
    x: Axis,
    /// The other side of a scatter plot.
    y: Option<Axis>,
    /// Differences have a mark for none in the middle.
    is_signed: bool,
}

impl Bins {
    fn new(
        kind: PlotKind,
        items: &[Item],
        range: (f64, f64),
        info: Option<&CriterionInfo>,
    ) -> Self {
        let xs: Vec<f64> = items.iter().map(|item| item.x).collect();
        let ys: Vec<f64> = items.iter().map(|item| item.y).collect();
        let info = info.filter(|info| info.id != "total");
        match kind {
            PlotKind::Distribution => Self {
                x: Axis::new(&xs, range, info, MAX_VALUES),
                y: None,
                is_signed: false,
            },
            PlotKind::Difference => {
                let most = xs.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
                let end = round_up(most);
                Self {
                    x: Axis::even(-end, end, 2 * NUM_STEPS),
                    y: None,
                    is_signed: true,
                }
            }
            PlotKind::Scatter => {
                let mut pairs: Vec<(u64, u64)> = xs
                    .iter()
                    .zip(&ys)
                    .map(|(x, y)| (x.to_bits(), y.to_bits()))
                    .collect();
                pairs.sort_small();
                pairs.dedup();
                let all = [xs.as_slice(), ys.as_slice()].concat();
                let most = if pairs.len() > MAX_PAIRS {
                    GRID
                } else {
                    usize::MAX
                };
                let axis = Axis::new(&all, range, info, most);
                Self {
                    y: Some(axis.clone()),
                    x: axis,
                    is_signed: false,
                }
            }
        }
    }

    fn len(&self) -> usize {
        let others = self.y.as_ref().map_or(1, Axis::len);
        self.x.len() * others + usize::from(self.is_signed)
    }

    /// The mark of an item.
    fn of(&self, item: &Item) -> usize {
        if self.is_signed {
            return self.of_difference(item.x);
        }
        let row = self.y.as_ref().map_or(0, |y| y.of(item.y));
        row * self.x.len() + self.x.of(item.x)
    }

    /// No difference is in the middle; beside it, a range has its end away from 0 and not the one towards it.
    fn of_difference(&self, x: f64) -> usize {
        if x == 0.0 {
            return NUM_STEPS;
        }
        let beyond = self.x.at[NUM_STEPS..].partition_point(|at| *at < x.abs());
        let step = beyond.clamp(1, NUM_STEPS);
        if x > 0.0 {
            NUM_STEPS + step
        } else {
            NUM_STEPS - step
        }
    }

    /// A mark with its counts.
    fn mark(&self, at: usize, (n, ruled): (u32, u32)) -> PlotMark {
        let width = self.x.len();
        let ((low, high), (y_low, y_high)) = if self.is_signed {
            let x = match at.cmp(&NUM_STEPS) {
                std::cmp::Ordering::Less => self.x.ends(at),
                std::cmp::Ordering::Equal => (0.0, 0.0),
                std::cmp::Ordering::Greater => self.x.ends(at - 1),
            };
            (x, (0.0, 0.0))
        } else {
            let y = self.y.as_ref();
            let y = y.map_or((0.0, 0.0), |y| y.ends(at / width));
            (self.x.ends(at % width), y)
        };
        PlotMark {
            id: count(at),
            low,
            high,
            y_low,
            y_high,
            n,
            ruled,
        }
    }
}

/// The next of 1, 2 and 5 times a power of ten.
fn round_up(x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let mut power = 1.0;
    while power < x {
        power *= 10.0;
    }
    while power / 10.0 >= x {
        power /= 10.0;
    }
    let steps = [power / 5.0, power / 2.0, power];
    steps.into_iter().find(|step| *step >= x).unwrap_or(power)
}
