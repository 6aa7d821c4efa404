//! Sub-scores → metric → item → run → mean over runs → task, level and overall, once as printed and once as computed.
//!
//! Source: equations (2) to (7) of the VIBE paper; the authors' `metrics/registry` and `run_eval.py`.
//! Equation (3) was not to be recovered; see [`pose`].

use std::collections::BTreeMap;

use super::Metric;
use juror_reading::py::{self, Value};
use juror_statistics::small::CollectSmall;

/// `round(x + 1e-12, 4)`, with which the authors store every score of a metric or an item: ties go up.
///
/// # Example
/// ```
/// use juror_protocols::vibe::score::stored;
/// assert_eq!(stored(2.0 / 3.0), 0.6667);
/// assert_eq!(stored(0.03125), 0.0313); // Python's own round gives 0.0312
/// ```
pub fn stored(x: f64) -> f64 {
    rounded(x, 4)
}

/// The authors' rounding everywhere: a trace is added first, so that ties and what lies just below them go up.
fn rounded(x: f64, digits: usize) -> f64 {
    py::round(x + 1e-12, digits)
}

/// The arithmetic mean; NaN for no values.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A metric's score from its atoms as the authors' code computes it, in four decimals.
///
/// - sub-scores: their mean;
/// - limbs: `MATCH / (MATCH + MISMATCH)`, 0 if no limb can be judged;
/// - axes: the mean over those that need modification, 0 if none does;
/// - billiards: CP · (PC + CC) / 2.
///
/// # Example
/// ```
/// use juror_protocols::vibe::{Metric, score::released_metric};
/// let nan = f64::NAN; // the last atom is the stored score, which is not looked at
/// assert_eq!(released_metric(Metric::VisualCoherence, &[1.0, 1.0, 0.0, nan]), 0.6667);
/// assert_eq!(released_metric(Metric::PoseConsistency, &[1.0, 0.0, nan, 1.0, nan]), 0.6667);
/// // Yaw 1 and roll 0 need modification, pitch does not.
/// assert_eq!(released_metric(Metric::OrientationAlignment, &[1.0, 1.0, 0.0, 1.0, 0.0, 1.0, nan]), 0.5);
/// assert_eq!(released_metric(Metric::Billiards, &[1.0, 0.0, 1.0, nan]), 0.5);
/// ```
pub fn released_metric(metric: Metric, atoms: &[f64]) -> f64 {
    stored(released_value(metric, atoms))
}

/// The same before it is rounded.
pub(super) fn released_value(metric: Metric, atoms: &[f64]) -> f64 {
    let (subs, flags) = atoms.split_at(metric.keys().len().min(atoms.len()));
    let counted: Vec<f64> = match metric {
        Metric::PoseConsistency => subs.iter().copied().filter(|x| !x.is_nan()).collect(),
        Metric::OrientationAlignment => subs
            .iter()
            .zip(flags)
            .filter(|(_, needs)| **needs > 0.0)
            .map(|(x, _)| *x)
            .collect(),
        Metric::Billiards => match *subs {
            [cp, pc, cc] => vec![billiards(cp, pc, cc)],
            _ => Vec::new(),
        },
        _ => subs.to_vec(),
    };
    if counted.is_empty() {
        return 0.0;
    }
    mean(&counted)
}

/// A metric's value from its atoms by the paper's formulas, unrounded; `None` if an atom that it needs is absent.
///
/// - limbs: matches / 4, also where a limb cannot be judged;
/// - axes: the mean over all three, whether or not they need modification;
/// - light: [`light_direction`]; wind: [`wind_preservation`]; billiards: [`billiards`];
/// - else the mean of the sub-scores.
///
/// # Example
/// ```
/// use juror_protocols::vibe::{Metric, score::paper_metric};
/// let nan = f64::NAN;
/// assert_eq!(paper_metric(Metric::PoseConsistency, &[1.0, 0.0, nan, 1.0, nan]), Some(0.5));
/// assert_eq!(paper_metric(Metric::LightDirectionConsistency, &[0.5, 1.0, nan]), Some(0.25));
/// assert_eq!(paper_metric(Metric::VisualCoherence, &[nan, nan, nan, 0.0]), None);
/// ```
pub fn paper_metric(metric: Metric, atoms: &[f64]) -> Option<f64> {
    let subs = atoms.get(..metric.keys().len())?;
    let value = match (metric, subs) {
        (Metric::PoseConsistency, limbs) => {
            limbs.iter().filter(|limb| **limb > 0.0).count() as f64 / limbs.len() as f64
        }
        (Metric::LightDirectionConsistency, &[dmc, plc]) => light_direction(dmc, plc),
        (Metric::WindContextualPreservation, &[w_ip, w_pp]) => wind_preservation(w_ip, w_pp),
        (Metric::Billiards, &[cp, pc, cc]) => billiards(cp, pc, cc),
        _ => mean(subs),
    };
    (!value.is_nan()).then_some(value)
}

/// Equation (2): (IA · CP · VC)^(1/3), for the deictic tasks, their combinations and Draft Instantiation.
///
/// # Example
/// ```
/// use juror_protocols::vibe::score::adherence;
/// assert!((adherence(0.5, 0.5, 0.5) - 0.5).abs() < 1e-15);
/// assert_eq!(adherence(0.0, 1.0, 1.0), 0.0);
/// ```
pub fn adherence(ia: f64, cp: f64, vc: f64) -> f64 {
    libm::cbrt(ia * cp * vc)
}

/// Equation (3), as far as it is known: √(PC · (BII + CIC + CP) / 3).
///
/// The formula is in no text that was to be had. This is what the authors' code computes;
/// [`pose_by_criteria`] is the other reading of "binary criteria".
///
/// # Example
/// ```
/// use juror_protocols::vibe::score::pose;
/// assert_eq!(pose(0.75, [1.0, 0.0, 0.0]), 0.5);
/// ```
pub fn pose(pc: f64, bii_cic_cp: [f64; 3]) -> f64 {
    (pc * mean(&bii_cic_cp)).sqrt()
}

/// The other reading of equation (3): (PC · BII · CIC · CP)^(1/4), in which each failed criterion costs everything.
///
/// # Example
/// ```
/// use juror_protocols::vibe::score::pose_by_criteria;
/// assert_eq!(pose_by_criteria(0.0625, [1.0, 1.0, 1.0]), 0.5);
/// assert_eq!(pose_by_criteria(1.0, [1.0, 0.0, 1.0]), 0.0);
/// ```
pub fn pose_by_criteria(pc: f64, [bii, cic, cp]: [f64; 3]) -> f64 {
    (pc * bii * cic * cp).sqrt().sqrt()
}

/// Equation (4): (OA · IC · VI)^(1/3), OA the mean over yaw, pitch and roll.
///
/// # Example
/// ```
/// use juror_protocols::vibe::score::reorientation;
/// // Two of three axes, VI ½: (2/3 · 1 · ½)^(1/3) = (1/3)^(1/3).
/// assert!((reorientation(2.0 / 3.0, 1.0, 0.5) - 0.693361).abs() < 1e-6);
/// ```
pub fn reorientation(oa: f64, ic: f64, vi: f64) -> f64 {
    libm::cbrt(oa * ic * vi)
}

/// LDC = (DMC + PLC) / 2, where PLC counts only if DMC = 1.
///
/// # Example
/// ```
/// use juror_protocols::vibe::score::light_direction;
/// assert_eq!(light_direction(1.0, 1.0), 1.0);
/// assert_eq!(light_direction(0.5, 1.0), 0.25);
/// ```
pub fn light_direction(dmc: f64, plc: f64) -> f64 {
    f64::midpoint(dmc, conditional(plc, dmc))
}

/// Equations (5) and (6): √(direction · preservation), for light and for wind.
///
/// # Example
/// ```
/// use juror_protocols::vibe::score::direction;
/// assert_eq!(direction(0.25, 1.0), 0.5);
/// ```
pub fn direction(consistency: f64, preservation: f64) -> f64 {
    (consistency * preservation).sqrt()
}

/// W-CP = (W-IP + W-PP) / 2, where W-PP (in the authors' files `Wind-Other_Preservation`) counts only if W-IP = 1.
///
/// # Example
/// ```
/// use juror_protocols::vibe::score::wind_preservation;
/// assert_eq!(wind_preservation(1.0, 0.0), 0.5);
/// assert_eq!(wind_preservation(0.0, 1.0), 0.0);
/// ```
pub fn wind_preservation(w_ip: f64, w_pp: f64) -> f64 {
    f64::midpoint(w_ip, conditional(w_pp, w_ip))
}

fn conditional(x: f64, condition: f64) -> f64 {
    if condition < 1.0 { 0.0 } else { x }
}

/// Equation (7): CP · (PC + CC) / 2.
///
/// # Example
/// ```
/// use juror_protocols::vibe::score::billiards;
/// assert_eq!(billiards(1.0, 0.0, 1.0), 0.5);
/// assert_eq!(billiards(0.0, 1.0, 1.0), 0.0);
/// ```
pub fn billiards(cp: f64, pc: f64, cc: f64) -> f64 {
    cp * f64::midpoint(pc, cc)
}

/// The geometric mean of an item's metric scores as the authors' code computes it, in four decimals; `None` without any.
///
/// Scores outside 0 to 1 are passed over, and any 0 makes it 0.
///
/// # Example
/// ```
/// use juror_protocols::vibe::score::geometric_mean;
/// assert_eq!(geometric_mean(&[0.8333, 1.0, 0.6667]), Some(0.8221));
/// assert_eq!(geometric_mean(&[1.2, 0.25]), Some(0.25));
/// assert_eq!(geometric_mean(&[]), None);
/// ```
pub fn geometric_mean(scores: &[f64]) -> Option<f64> {
    let valid: Vec<f64> = scores
        .iter()
        .copied()
        .filter(|score| (0.0..=1.0).contains(score))
        .collect();
    if valid.is_empty() {
        return None;
    }
    if valid.contains(&0.0) {
        return Some(0.0);
    }
    let logs: Vec<f64> = valid.iter().map(|score| libm::log(*score)).collect();
    Some(stored(libm::exp(mean(&logs))))
}

/// The score that the authors' code gives an item of a result file: the geometric mean of **every** field that is an object
/// with a castable `score`, so that stale fields count too.
pub fn item_score(item: &Value) -> Option<f64> {
    let Value::Dict(entries) = item else {
        return None;
    };
    let scores: Vec<f64> = entries
        .iter()
        .filter_map(|(_, field)| field.get("score").and_then(py::float))
        .collect();
    geometric_mean(&scores)
}

/// Whether visual coherence is not asked for an item but set to 0, because its instruction adherence is 0.
pub fn is_gated(item: &Value) -> bool {
    let adherence = item.get(Metric::InstructionAdherence.id());
    adherence
        .and_then(|metric| metric.get("score"))
        .and_then(py::float)
        == Some(0.0)
}

/// A result item's field that the authors' code counts: `status` must be exactly `success`.
pub fn is_success(item: &Value) -> bool {
    item.get("status").and_then(Value::as_str) == Some("success")
}

/// Means by name, on the scale from 0 to 100; `None` where there was nothing to average.
pub type Summary = BTreeMap<String, Option<f64>>;

/// `round(100 · mean + 1e-12, 2)`.
///
/// # Example
/// ```
/// use juror_protocols::vibe::score::percent;
/// assert_eq!(percent(&[0.6667, 0.0]), Some(33.34));
/// assert_eq!(percent(&[]), None);
/// ```
pub fn percent(scores: &[f64]) -> Option<f64> {
    (!scores.is_empty()).then(|| rounded(mean(scores) * 100.0, 2))
}

/// `<Task>_summary_i.json`: the means of one run over the items that have the value, named `score`, `<metric>`
/// and `<metric>/<sub-score>`.
///
/// Every metric that the task asks for is listed, with `None` if no item has it.
pub fn run_summary(items: &[Value], metrics: &[Metric]) -> Summary {
    let counted: Vec<&Value> = items.iter().filter(|item| is_success(item)).collect();
    let number = |value: Option<&Value>| {
        value
            .and_then(|value| value.get("score"))
            .and_then(py::float)
    };
    let mut columns: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let scores = columns.entry("score".to_owned()).or_default();
    scores.extend(
        counted
            .iter()
            .filter_map(|item| item.get("score").and_then(py::float)),
    );
    for metric in metrics {
        let id = metric.id();
        let objects: Vec<&Value> = counted.iter().filter_map(|item| item.get(id)).collect();
        let column = columns.entry(id.to_owned()).or_default();
        column.extend(objects.iter().filter_map(|object| number(Some(object))));
        for object in objects {
            let Value::Dict(entries) = object else {
                continue;
            };
            for (sub, value) in entries {
                if let Some(score) = number(Some(value)) {
                    let column = columns.entry(format!("{id}/{sub}")).or_default();
                    column.push(score);
                }
            }
        }
    }
    columns
        .into_iter()
        .map(|(name, scores)| (name, percent(&scores)))
        .collect_small()
}

/// `<Task>_summary.json`: mean (two decimals) and sample variance (four) over the runs that have the value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aggregate {
    /// Runs in all.
    pub n: usize,
    /// Means by name.
    pub mean: Summary,
    /// Variances by name: 0 for a single run.
    pub var: Summary,
}

/// Joins the summaries of several runs; values that are no numbers are passed over, booleans are numbers.
///
/// # Example
/// ```
/// use juror_protocols::vibe::score::aggregate_runs;
/// let run = |x: f64| juror_reading::py::Value::Dict(vec![("score".into(), juror_reading::py::Value::Float(x))]);
/// let joined = aggregate_runs(&[run(50.0), run(52.0), run(54.0)]);
/// assert_eq!((joined.mean["score"], joined.var["score"]), (Some(52.0), Some(4.0))); // SD 2
/// ```
pub fn aggregate_runs(runs: &[Value]) -> Aggregate {
    let mut columns: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for run in runs {
        let Value::Dict(entries) = run else { continue };
        for (name, value) in entries {
            columns.entry(name).or_default().extend(value.as_number());
        }
    }
    let mut joined = Aggregate {
        n: runs.len(),
        ..Aggregate::default()
    };
    for (name, values) in columns {
        let both = (!values.is_empty()).then(|| over_runs(&values));
        joined
            .mean
            .insert(name.to_owned(), both.map(|(mean, _)| mean));
        joined
            .var
            .insert(name.to_owned(), both.map(|(_, variance)| variance));
    }
    joined
}

/// Mean and sample variance over runs as the authors' code rounds them.
pub(super) fn over_runs(values: &[f64]) -> (f64, f64) {
    (rounded(mean(values), 2), rounded(variance(values), 4))
}

/// Sample variance Σ(x − x̄)² / (n − 1); 0 for fewer than two values.
///
/// # Example
/// ```
/// use juror_protocols::vibe::score::variance;
/// assert_eq!(variance(&[50.0, 52.0, 54.0]), 4.0);
/// assert_eq!(variance(&[7.0]), 0.0);
/// ```
pub fn variance(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let centre = mean(values);
    let squares: f64 = values.iter().map(|x| (x - centre) * (x - centre)).sum();
    squares / (values.len() - 1) as f64
}

/// A level's average: the unweighted mean of its tasks; `None` if a task is missing, as for models that take one picture only.
///
/// # Example
/// ```
/// use juror_protocols::vibe::score::level_average;
/// assert_eq!(level_average(&[Some(10.0), Some(20.0)]), Some(15.0));
/// assert_eq!(level_average(&[Some(10.0), None]), None);
/// ```
pub fn level_average(tasks: &[Option<f64>]) -> Option<f64> {
    let tasks: Option<Vec<f64>> = tasks.iter().copied().collect();
    tasks
        .filter(|tasks| !tasks.is_empty())
        .map(|tasks| mean(&tasks))
}

/// The overall score: the unweighted mean of the level averages that exist.
///
/// # Example
/// ```
/// use juror_protocols::vibe::score::overall;
/// // Qwen-Image-Edit has no morphological level: (27.67 + 19.16) / 2.
/// assert!((overall(&[Some(27.67), None, Some(19.16)]).unwrap() - 23.415).abs() < 1e-12);
/// ```
pub fn overall(levels: &[Option<f64>]) -> Option<f64> {
    let levels: Vec<f64> = levels.iter().copied().flatten().collect();
    (!levels.is_empty()).then(|| mean(&levels))
}
