//! One attention call at several values of γ, of the bounds τ and of m: what each changes, beside the scores that the paper prints.
//!
//! Source: MICON-Bench, Table 8, which varies γ alone; the measures of change are this project's.
//! Relevance rests on m alone, so that of one m it is computed once; attention with w = 1 is the same for all.

use std::ops::Range;
use std::str::FromStr;

use serde::Serialize;

use super::{Against, Call, Dar, Focus, softmax, weighted};
use crate::MetricError;

/// So many settings at most, over all combinations.
const MAX_SETTINGS: usize = 200;

/// What a sweep goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "DarParameter")
)]
#[serde(rename_all = "snake_case")]
pub enum Parameter {
    /// γ.
    Gamma,
    /// τ high.
    High,
    /// τ low.
    Low,
    /// m.
    Samples,
}

impl Parameter {
    const ALL: [(&'static str, Self); 4] = [
        ("gamma", Self::Gamma),
        ("high", Self::High),
        ("low", Self::Low),
        ("samples", Self::Samples),
    ];

    fn set(self, options: &mut Dar, value: f64) {
        match self {
            Self::Gamma => options.gamma = value,
            Self::High => options.high = value,
            Self::Low => options.low = value,
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "read as a whole number that is not negative"
            )]
            Self::Samples => options.samples = value as usize,
        }
    }
}

/// One parameter with its values: `gamma=0.05,0.15`.
///
/// ```
/// use juror_metrics::{Axis, Parameter};
/// let axis: Axis = "gamma=0.05, 0.15".parse()?;
/// assert_eq!((axis.parameter, axis.values), (Parameter::Gamma, vec![0.05, 0.15]));
/// assert!("tau=0.7".parse::<Axis>().is_err());
/// assert!("samples=2.5".parse::<Axis>().is_err());
/// # Ok::<(), juror_metrics::MetricError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "DarAxis")
)]
pub struct Axis {
    /// What is varied.
    pub parameter: Parameter,
    /// Its values, in the order in which they are shown.
    pub values: Vec<f64>,
}

impl FromStr for Axis {
    type Err = MetricError;

    fn from_str(text: &str) -> Result<Self, MetricError> {
        let refused = || {
            MetricError::Setting {
            setting: "sweep",
            expected: "gamma, high, low or samples with its values, as in gamma=0.05,0.15,0.25; whole numbers of samples"
                .to_owned(),
            found: text.to_owned(),
        }
        };
        let (name, values) = text.split_once('=').ok_or_else(refused)?;
        let mut known = Parameter::ALL.into_iter();
        let (_, parameter) = known
            .find(|(known, _)| *known == name.trim())
            .ok_or_else(refused)?;
        let values: Option<Vec<f64>> = values
            .split(',')
            .map(|one| one.trim().parse().ok())
            .collect();
        let is_fit = |value: &f64| {
            value.is_finite()
                && (parameter != Parameter::Samples || value.fract() == 0.0 && *value >= 0.0)
        };
        let values = values.filter(|values| values.iter().all(is_fit));
        let values = values.ok_or_else(refused)?;
        Ok(Self { parameter, values })
    }
}

/// Everything of a sweep with where it comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "DarSweep")
)]
pub struct SweepReport {
    /// `juror-dar-sweep/1`.
    pub format: &'static str,
    /// Tokens, heads and numbers of a head.
    pub q: [usize; 3],
    /// The same of K.
    pub k: [usize; 3],
    /// What stays as it is, and the first values of what does not.
    pub options: Dar,
    /// Which rows and heads attention is the mean over.
    pub focus: Focus,
    /// Keys of all references.
    pub keys: usize,
    /// What is varied; several parameters in all combinations.
    pub axes: Vec<Axis>,
    /// One row for each setting, the last parameter's values next to each other.
    pub rows: Vec<SweepRow>,
    /// Scores that the paper prints by γ.
    pub printed: Vec<PrintedScores>,
}

/// What one setting does to one attention call.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "DarSweepRow")
)]
pub struct SweepRow {
    /// m.
    pub samples: usize,
    /// γ.
    pub gamma: f64,
    /// τ high.
    pub high: f64,
    /// τ low.
    pub low: f64,
    /// Keys of w > 1.
    pub raised: usize,
    /// Keys of w < 1.
    pub lowered: usize,
    /// Their share of all keys of references, 0 to 1.
    pub share_raised: f64,
    /// The same of those that are lowered.
    pub share_lowered: f64,
    /// Keys whose r̂ is τ high or more.
    pub above: usize,
    /// Of the attention to references with w = 1, the share that those keys have; 0 to 1.
    pub above_before: f64,
    /// The same with w.
    pub above_after: f64,
    /// ½ Σ |Ā′ − Ā| over all keys of the softmax: 0 where nothing changes, 1 where all attention goes elsewhere.
    pub total_variation: f64,
    /// Keys that went against their weight.
    pub against: Against,
    /// Position in [`SweepReport::printed`] of the scores with this γ, where the other settings are the paper's as well.
    pub printed: Option<usize>,
}

/// Scores of BAGEL with DAR at one γ, as printed: 0 to 100, `None` where none is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "DarPrintedScores")
)]
pub struct PrintedScores {
    /// γ.
    pub gamma: f64,
    /// Task and score, in the order of the paper's tables.
    pub scores: Vec<(&'static str, Option<f64>)>,
}

/// The paper's Table 8.
///
/// ```
/// let printed = juror_metrics::printed_scores();
/// assert_eq!((printed.len(), printed[1].gamma), (5, 0.15));
/// assert_eq!(printed[1].scores[0], ("object", Some(88.04)));
/// ```
pub fn printed_scores() -> Vec<PrintedScores> {
    let mut lines = include_str!("published/T8.csv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(','));
    let tasks: Vec<&'static str> = lines.next().into_iter().flatten().skip(1).collect();
    let row = |mut fields: std::str::Split<'static, char>| {
        let gamma = fields.next()?.parse().ok()?;
        let scores = tasks.iter().copied();
        let scores = scores.zip(fields.map(|field| field.parse().ok()));
        Some(PrintedScores {
            gamma,
            scores: scores.collect(),
        })
    };
    lines.filter_map(row).collect()
}

impl Call {
    /// What each setting of a sweep changes; everything that no axis names stays as the call has it.
    ///
    /// # Errors
    /// [`MetricError::Setting`] for a value outside of its range, a parameter that is named twice, more than 200 settings, or as
    /// [`Call::focused`].
    pub fn sweep(&self, axes: &[Axis], focus: Focus) -> Result<SweepReport, MetricError> {
        let settings = settings(&self.options, axes)?;
        let before = self.map(&vec![1.0; self.reference_keys().len()], focus)?;
        let extents = self.extents();
        let printed = printed_scores();
        // Of the m that was met last.
        let mut known: Option<(usize, Vec<f64>)> = None;
        let mut rows = Vec::with_capacity(settings.len());
        for options in &settings {
            let relevance = match &known {
                Some((samples, relevance)) if *samples == options.samples => relevance,
                _ => {
                    let relevance = self.relevance(&self.rows_of(options));
                    &known.insert((options.samples, relevance)).1
                }
            };
            let (normalised, weights) = options.weights(relevance, &extents);
            let after = self.map(&weights, focus)?;
            let row = self.row(options, (&normalised, &weights), (&before, &after));
            rows.push(SweepRow {
                printed: printed_at(&printed, options),
                ..row
            });
        }
        Ok(SweepReport {
            format: "juror-dar-sweep/1",
            q: self.q.shape(),
            k: self.k.shape(),
            options: settings.into_iter().next().unwrap_or_default(),
            focus,
            keys: self.reference_keys().len(),
            axes: axes.to_vec(),
            rows,
            printed,
        })
    }

    /// Attention to each of [`Call::keys`] with these weights, the mean over rows and heads.
    fn map(&self, weights: &[f64], focus: Focus) -> Result<Vec<f64>, MetricError> {
        let [rows, heads]: [Range<usize>; 2] = self.focused(focus)?;
        let keys = self.keys();
        let weights = self.weights_of_keys(weights);
        let mut map = vec![0.0; keys.len()];
        for row in rows.clone() {
            for head in heads.clone() {
                let mut attention = weighted(&self.logits(row, head, &keys), &weights);
                softmax(&mut attention);
                super::add(&mut map, &attention);
            }
        }
        let count = (rows.len() * heads.len()) as f64;
        for number in &mut map {
            *number /= count;
        }
        Ok(map)
    }

    fn row(
        &self,
        options: &Dar,
        (normalised, weights): (&[Option<f64>], &[f64]),
        (before, after): (&[f64], &[f64]),
    ) -> SweepRow {
        let places = self.reference_places();
        let count =
            |is_it: &dyn Fn(usize) -> bool| (0..weights.len()).filter(|at| is_it(*at)).count();
        let is_above =
            |at: usize| normalised[at].is_some_and(|relevance| relevance >= options.high);
        let share = |map: &[f64]| {
            let of = |is_it: &dyn Fn(usize) -> bool| -> f64 {
                let own = places.iter().enumerate().filter(|(at, _)| is_it(*at));
                own.map(|(_, place)| map[*place]).sum()
            };
            let all = of(&|_| true);
            if all > 0.0 { of(&is_above) / all } else { 0.0 }
        };
        let went = |at: usize| after[places[at]] - before[places[at]];
        let (raised, lowered) = (
            count(&|at| weights[at] > 1.0),
            count(&|at| weights[at] < 1.0),
        );
        let moved: f64 = before.iter().zip(after).map(|(x, y)| (y - x).abs()).sum();
        SweepRow {
            samples: options.samples,
            gamma: options.gamma,
            high: options.high,
            low: options.low,
            raised,
            lowered,
            share_raised: raised as f64 / weights.len() as f64,
            share_lowered: lowered as f64 / weights.len() as f64,
            above: count(&is_above),
            above_before: share(before),
            above_after: share(after),
            total_variation: moved / 2.0,
            against: Against {
                raised_but_lost: count(&|at| weights[at] > 1.0 && went(at) < 0.0),
                lowered_but_gained: count(&|at| weights[at] < 1.0 && went(at) > 0.0),
            },
            printed: None,
        }
    }
}

/// Every combination of the axes' values, the last axis fastest.
fn settings(options: &Dar, axes: &[Axis]) -> Result<Vec<Dar>, MetricError> {
    let refused = |expected: &str, found: String| MetricError::Setting {
        setting: "sweep",
        expected: expected.to_owned(),
        found,
    };
    for (at, axis) in axes.iter().enumerate() {
        if axes[..at]
            .iter()
            .any(|known| known.parameter == axis.parameter)
        {
            return Err(refused(
                "each parameter once",
                format!("{:?} twice", axis.parameter),
            ));
        }
    }
    let num = axes.iter().map(|axis| axis.values.len());
    let num = num.fold(1_usize, usize::saturating_mul);
    if num > MAX_SETTINGS {
        return Err(refused("at most 200 settings", format!("{num}")));
    }
    let mut settings = vec![options.clone()];
    for axis in axes {
        settings = settings
            .iter()
            .flat_map(|one| {
                axis.values.iter().map(|value| {
                    let mut one = one.clone();
                    axis.parameter.set(&mut one, *value);
                    one
                })
            })
            .collect();
    }
    for one in &settings {
        one.check()?;
    }
    Ok(settings)
}

/// The printed scores of a setting that is the paper's but for γ.
fn printed_at(printed: &[PrintedScores], options: &Dar) -> Option<usize> {
    let paper = Dar {
        gamma: options.gamma,
        ..Dar::default()
    };
    let is_paper = *options == paper;
    let at = printed
        .iter()
        .position(|known| (known.gamma - options.gamma).abs() < 1e-9);
    at.filter(|_| is_paper)
}

impl SweepReport {
    /// As JSON, with a line's end.
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// One row for each setting, full precision; printed scores beside, empty where none is printed.
    pub fn csv(&self) -> String {
        let mut out = "samples,gamma,high,low,keys,raised,lowered,share_raised,share_lowered,above,above_before,above_after,total_variation,raised_but_lost,lowered_but_gained".to_owned();
        let tasks = self.printed.first().map_or(&[][..], |first| &first.scores);
        for (task, _) in tasks {
            out.push_str(",printed_");
            out.push_str(task);
        }
        out.push('\n');
        // What is not finite is an empty field.
        let number = |x: f64| {
            let finite = Some(x).filter(|x| x.is_finite());
            finite.map_or_else(String::new, |x| x.to_string())
        };
        for row in &self.rows {
            let mut fields = vec![row.samples.to_string()];
            fields.extend([row.gamma, row.high, row.low].map(number));
            fields.extend([self.keys, row.raised, row.lowered].map(|n| n.to_string()));
            fields.extend([row.share_raised, row.share_lowered].map(number));
            fields.push(row.above.to_string());
            let shares = [row.above_before, row.above_after, row.total_variation];
            fields.extend(shares.map(number));
            let against = [row.against.raised_but_lost, row.against.lowered_but_gained];
            fields.extend(against.map(|n| n.to_string()));
            let printed = row.printed.and_then(|at| self.printed.get(at));
            fields.extend((0..tasks.len()).map(|at| {
                let score = printed.and_then(|printed| printed.scores.get(at)?.1);
                score.map_or_else(String::new, number)
            }));
            out.push_str(&fields.join(","));
            out.push('\n');
        }
        out
    }
}
