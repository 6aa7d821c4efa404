//! The sample list as the page shows it: a window of rows, facets, and what is wrong with a filter.

use juror_model::options::ScoreOptions;
use serde::{Deserialize, Serialize};

/// The order of the sample list. A sample without the value goes to the end in either direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum SampleSort {
    /// The order of the benchmark.
    #[default]
    Index,
    /// Lowest mean score of the chosen models first.
    ScoreAsc,
    /// Highest mean score of the chosen models first.
    ScoreDesc,
    /// Largest distance between the chosen models' scores first.
    Spread,
    /// Largest distance between judges over one output first.
    Disagreement,
    /// Where model `a` is furthest ahead of model `b` first.
    Difference,
    /// By the SHA-256 of `SEED:ID`: a shuffle that anyone can repeat.
    Random,
}

/// What the sample list is filtered and sorted by, and which part of it is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct SampleQuery {
    /// Profile and policy.
    pub options: ScoreOptions,
    /// The filter expression; empty lets every sample through.
    pub q: String,
    /// Order.
    pub sort: SampleSort,
    /// What the orders by score and by difference go by: a criterion; the total if empty.
    pub criterion: String,
    /// Seed of the random order.
    pub seed: u32,
    /// In random order, only so many samples; 0 for all.
    pub limit: u32,
    /// In random order, `limit` samples of each group that a [`Subset`](juror_model::subset::Subset) can be drawn from;
    /// empty for one group of all that pass.
    pub per: String,
    /// The model that a difference is taken from; empty for the first one that the filter names, else the first of all.
    pub a: String,
    /// The model that it is compared with; empty for the next one.
    pub b: String,
    /// First row wanted.
    pub from: u32,
    /// So many rows; `None` for all from there.
    pub len: Option<u32>,
    /// A sample whose neighbours in the list are wanted; empty for none.
    pub around: String,
}

/// A part of the filtered and sorted list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SampleList {
    /// Samples in the benchmark.
    pub total: u32,
    /// Samples that pass the filter.
    pub matched: u32,
    /// Samples in the list: as `matched`, or fewer where a random sample is limited.
    pub listed: u32,
    /// Models, in the order of each row's cells.
    pub models: Vec<String>,
    /// Models that the filter names, as indexes into `models`; all of them where it names none.
    pub chosen: Vec<u32>,
    /// The two models of a difference, as indexes into `models`.
    pub pair: Option<(u32, u32)>,
    /// The judge that each model's scores are by, `None` for one without any; empty where all have the same judge and no other.
    /// It is the judge that most of the chosen models have, else the model's first; orders by several models use only the former.
    pub judges: Vec<Option<String>>,
    /// Position of the first row in the list.
    pub from: u32,
    /// The rows wanted.
    pub rows: Vec<SampleListRow>,
    /// The position of [`SampleQuery::around`], if it is in the list.
    pub around: Option<Neighbours>,
    /// Why the filter cannot be read; the list is then empty.
    pub fault: Option<FilterFault>,
}

/// A sample's place in the list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Neighbours {
    /// Position, from 0.
    pub position: u32,
    /// Id of the sample before.
    pub previous: Option<String>,
    /// Id of the sample after.
    pub next: Option<String>,
}

/// What is wrong with a filter expression; positions count UTF-16 units, as a page does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct FilterFault {
    /// Start of the passage.
    pub start: u32,
    /// Its end.
    pub end: u32,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// What may be meant instead of the passage.
    pub replacement: Option<String>,
}

/// One sample in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SampleListRow {
    /// Sample id: the `idx` of the item.
    pub id: String,
    /// Domain.
    pub domain: String,
    /// Category.
    pub category: String,
    /// First instruction.
    pub instruction: String,
    /// The turn whose outputs are shown, from 0, where there are several: the last one of those with the most models' pictures.
    pub shown_turn: Option<u32>,
    /// Turns that ask for a picture.
    pub picture_turns: u32,
    /// Turns that ask for a text.
    pub text_turns: u32,
    /// The benchmark's pictures, in order: file numbers, `None` where absent.
    pub pictures: Vec<Option<u32>>,
    /// One cell per model.
    pub cells: Vec<SampleCell>,
    /// The value that the list is sorted by, where there is one.
    pub value: Option<f64>,
}

/// One model's result on one sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SampleCell {
    /// Total over this sample's turns, on the printed scale.
    pub score: Option<f64>,
    /// Criterion scores read.
    pub scored: u32,
    /// Criterion scores expected.
    pub expected: u32,
    /// Incidents.
    pub incidents: u32,
    /// This model's output at [`SampleListRow::shown_turn`], as a file number; `None` where there is none to show.
    pub shown: Option<u32>,
    /// This model's first outputs that exist, as file numbers.
    pub outputs: Vec<u32>,
}

/// One field with its values and how many samples each would leave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Facet {
    /// Field as the expression names it.
    pub field: String,
    /// In words.
    pub label: String,
    /// Values in display order.
    pub values: Vec<FacetValue>,
}

/// One value of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct FacetValue {
    /// Value as the expression names it.
    pub value: String,
    /// In words.
    pub label: String,
    /// Samples that pass the rest of the filter and have this value; of a model or a judge, with the rest looking at it.
    pub count: u32,
    /// Of a model or a judge: those of the samples that have a score of it.
    pub scored: Option<u32>,
    /// Whether the filter names it.
    pub is_active: bool,
    /// The whole expression with this value added, or taken out if it is active.
    pub toggled: String,
}

/// Something that may stand at the caret; positions count UTF-16 units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Completion {
    /// Start of what it replaces.
    pub start: u32,
    /// Its end.
    pub end: u32,
    /// What to write there.
    pub insert: String,
    /// What to show.
    pub label: String,
    /// What it means, in a few words.
    pub detail: String,
}

/// By what samples worth looking at are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum HighlightPick {
    /// The worst mean score over the models first.
    #[default]
    Lowest,
    /// Where judges are furthest apart over one output first; with one judge, where models are furthest apart.
    Disputed,
    /// By the SHA-256 of `SEED:ID`, as the random order of the sample list.
    Random,
}

/// Which samples worth looking at are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct HighlightQuery {
    /// Profile and policy.
    pub options: ScoreOptions,
    /// By what they are chosen.
    pub pick: HighlightPick,
    /// Seed of a draw.
    pub seed: u32,
    /// So many samples, at most 100.
    pub len: u32,
}

/// Who disagrees in what is disputed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Dispute {
    /// There is one model and one judge at most.
    #[default]
    Nobody,
    /// Several judges score the same outputs.
    Judges,
    /// One judge scores several models.
    Models,
}

/// Samples worth looking at, with outputs side by side.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Highlights {
    /// Names of all models.
    pub models: Vec<String>,
    /// Who can disagree here.
    pub dispute: Dispute,
    /// The judge that the scores are by, where there are several: the one that most models have, the first of equals.
    pub judge: Option<String>,
    /// The samples, in the order of the choice.
    pub samples: Vec<HighlightedSample>,
}

/// One sample worth looking at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct HighlightedSample {
    /// Sample id.
    pub id: String,
    /// What was asked for at the turn that is shown.
    pub instruction: String,
    /// The turn that is shown, from 0, where there are several.
    pub turn: Option<u32>,
    /// What it was chosen by: the mean over models, or the distance; `None` for a draw.
    pub value: Option<f64>,
    /// Outputs side by side, in the order of the models: of more than four, the two best and the two worst.
    pub outputs: Vec<HighlightedOutput>,
}

/// One model's output for a sample worth looking at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct HighlightedOutput {
    /// Index into [`Highlights::models`].
    pub model: u32,
    /// The picture, as a file number; `None` where there is none to show.
    pub file: Option<u32>,
    /// The model's total over the sample by [`Highlights::judge`], on the printed scale.
    pub score: Option<f64>,
}
