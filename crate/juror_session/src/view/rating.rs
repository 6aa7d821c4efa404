//! What a person who rates is shown: nothing here says which model made an output, but the key that the rating is kept under.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::rating_file::Rating;
use juror_model::problem::Problem;
use juror_model::request::Treatment;
use juror_model::sample::Span;
use juror_model::subset::Subset;
use juror_model::terms::{Atom, Direction};

/// What is to be rated, and by whom.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct RateScope {
    /// Any name.
    pub rater: String,
    /// Decides the subset, the same one for all raters, and with the rater's name the order.
    pub seed: u32,
    /// Models; all if empty.
    pub models: Vec<String>,
    /// Criteria; all if empty.
    pub criteria: Vec<String>,
    /// What is asked: the criteria, or the questions behind them.
    #[serde(default)]
    pub items: RateItems,
    /// So many samples of each group, with the outputs of all models; 0 for all.
    pub samples: u32,
    /// The groups that they are drawn from, as in a [`Subset`]; empty for one group of all.
    #[serde(default)]
    pub per: String,
}

/// What a person who rates is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum RateItems {
    /// One score for each criterion.
    #[default]
    Criteria,
    /// Every question that the judge's reply answers: a score is then made of the answers as a judge's is.
    Atoms,
}

impl RateScope {
    /// The part of the samples that is rated; `None` for all.
    pub fn subset(&self) -> Option<Subset> {
        let scope = Some(self.per.as_str()).filter(|per| !per.is_empty());
        (self.samples > 0).then(|| Subset {
            scope: scope.unwrap_or(Subset::ALL).to_owned(),
            n: self.samples,
            seed: self.seed,
        })
    }
}

/// What there is to rate, in the order in which it is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RatePlan {
    /// Every criterion that a judge is asked for here, chosen or not.
    pub criteria: Vec<RateCriterion>,
    /// Whether criteria are made of questions that can be answered one by one.
    pub has_atoms: bool,
    /// Outputs in shuffled order.
    pub tasks: Vec<RateTask>,
    /// Samples that they belong to.
    pub samples: u32,
    /// Outputs of the scope that are missing or unreadable: there is nothing to rate.
    pub without_output: u32,
    /// Raters with ratings of this benchmark, by name.
    pub raters: Vec<RaterSummary>,
}

/// A criterion with the steps of its scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RateCriterion {
    /// Stable name, the judge's.
    pub id: String,
    /// Short name.
    pub short: String,
    /// Full name.
    pub label: String,
    /// What a high score means.
    pub meaning: String,
    /// The scores that can be given, at most eleven, in rising order.
    pub steps: Vec<f64>,
    /// Which end of the scale is the good one.
    pub direction: Direction,
}

/// One output to rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RateTask {
    /// Which output; not to be shown.
    pub key: RateKey,
    /// Chosen criteria that a judge is asked for here, or the questions behind them.
    pub criteria: Vec<String>,
    /// The rater's scores so far, by criterion.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, number>"))]
    pub scores: BTreeMap<String, f64>,
    /// What the rater noted so far.
    pub note: String,
}

/// Names one output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct RateKey {
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Model.
    pub model: String,
}

/// What the ratings of one person come to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RaterSummary {
    /// The name that the rater gave.
    pub rater: String,
    /// Ratings.
    pub ratings: u32,
    /// Failure labels that are set.
    pub labels: u32,
    /// Ratings of samples, models or turns that are not open.
    pub unknown_samples: u32,
    /// The time of the last one; empty if unknown.
    pub last: String,
}

/// What is shown of one output: what a judge would be shown, without verdicts and names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RateItem {
    /// Messages of earlier turns, oldest first.
    pub context: Vec<Vec<Span>>,
    /// The instruction.
    pub instruction: Vec<Span>,
    /// What a reader needs besides, as label and text.
    pub details: Vec<(String, String)>,
    /// References, and what the judge is shown to compare with.
    pub pictures: Vec<RatePicture>,
    /// The standard answer, where the judge is shown it.
    pub standard_answer: Option<String>,
    /// The output, where it is a picture.
    pub output: Option<RatePicture>,
    /// The output, where it is a text.
    pub text: Option<String>,
    /// The judge's instructions, one for each of its requests.
    pub rubrics: Vec<Rubric>,
    /// What the judge's replies are made of, in its order.
    pub atoms: Vec<Atom>,
}

/// A picture of an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RatePicture {
    /// `reference`, `golden` (what the output may be compared with), `earlier` (the same model's, from an earlier turn) or
    /// `output`.
    pub kind: String,
    /// What the benchmark calls it: `Image #1`, `RA`; empty if nothing.
    pub label: String,
    /// Picture number in the sample, that instructions refer to.
    pub number: Option<u32>,
    /// File number; `None` if the file is missing.
    pub file: Option<u32>,
    /// What is done to it before a judge sees it.
    pub treatment: Treatment,
    /// The second file that the treatment needs.
    pub other: Option<u32>,
}

/// The text of one judge request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Rubric {
    /// Full name of the request.
    pub label: String,
    /// Criteria that it asks for.
    pub criteria: Vec<String>,
    /// The text; pictures stand in it as `[picture]`.
    pub text: String,
}

/// A file of ratings, read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RatingsFile {
    /// Its ratings, those taken back among them.
    pub ratings: Vec<Rating>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}
