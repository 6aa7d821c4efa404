//! What the page and the command line show: plain data, shaped for reading, with no way back into the engine.
//!
//! Every struct here crosses the Wasm edge, so each one also exists as a TypeScript type (`cargo xtask bless`).
//! Scores in a [`VerdictView`] are on the judge's scale (WEAVEBench: 0 to 10);
//! means in a [`ScoreRow`] are on the scale that the paper prints (WEAVEBench: 0 to 1).

use serde::{Deserialize, Serialize};

use crate::judging::provider::{JudgePreset, Params};
use crate::measure::MeasureCount;
use crate::report::ScoreRow;
use crate::session::groups::RowIncidents;
use crate::session::measures::MeasureView;

pub mod agreement;
pub mod lint;
mod list;
pub mod rating;

pub use list::{
    Completion, Dispute, Facet, FacetValue, FilterFault, HighlightPick, HighlightQuery,
    HighlightedOutput, HighlightedSample, Highlights, Neighbours, SampleCell, SampleList,
    SampleListRow, SampleQuery, SampleSort,
};

/// Which formulas are in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// The formulas as printed, with strict reading of replies.
    #[default]
    Paper,
    /// What the authors' code computes, defects included.
    Released,
}

/// What an incident counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// Nothing: the mean is over what was scored, and `n` falls short of `expected`.
    Exclude,
    /// A missing or unreadable output counts the lowest score of its scale; a failure of the judging never becomes one.
    Zero,
    /// Whatever the authors' code makes of it.
    Upstream,
}

impl Policy {
    /// What becomes of missing outputs, as the page and every export say it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Exclude => "missing outputs are left out",
            Self::Zero => "missing outputs score as lowest",
            Self::Upstream => "missing outputs as in the authors' code",
        }
    }
}

/// The choices that every view and the report depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct ScoreOptions {
    /// Formulas: `paper` by default.
    pub profile: Profile,
    /// Policy; `None` takes the profile's own: `zero` for `paper`, `upstream` for `released`.
    pub policy: Option<Policy>,
    /// Only this judge's replies, the empty name for replies that name none; `None` for all judges, each on its own
    /// and together where the protocol says so.
    pub judge: Option<String>,
    /// Only this run's replies, from 1; `None` for all runs, pooled as the protocol says.
    pub run: Option<u32>,
}

/// The judges and runs that can be chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AtHand {
    /// Judge ids, by name; empty for replies that name none.
    pub judges: Vec<String>,
    /// Runs, from 1, in order.
    pub runs: Vec<u32>,
}

/// A judge that replied to a part of the requests about a model: it lacks more than one in ten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PartialJudge {
    /// Model.
    pub model: String,
    /// Judge id; empty where the replies name none.
    pub judge: String,
    /// Requests that it replied to.
    pub replies: u32,
    /// Requests that another judge of the same kind replied to; of one that is not left out, those about outputs at hand.
    pub of: u32,
    /// Whether it is left out of the scores until it is chosen, as another judge has more.
    pub is_left_out: bool,
}

/// What the host could not bring: nothing about it is in the scores.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Unread {
    /// Files whose reading failed.
    pub files: u32,
    /// Folders that could not be listed.
    pub folders: u32,
    /// The first of them.
    pub example: String,
    /// What the host said of it.
    pub message: String,
}

impl Unread {
    /// Whether everything could be read.
    pub fn is_empty(&self) -> bool {
        self.files == 0 && self.folders == 0
    }

    /// In words: `3 files could not be opened (first a/b.png: …), so scores are incomplete.`
    pub fn words(&self) -> String {
        let counted = |count: u32, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {many}")),
        };
        let what: Vec<String> = [
            counted(self.files, "file", "files"),
            counted(self.folders, "folder", "folders"),
        ]
        .into_iter()
        .flatten()
        .collect();
        format!(
            "{} could not be opened (first {}: {}); everything about them is left out of the scores.",
            what.join(" and "),
            self.example,
            self.message.trim_end_matches('.')
        )
    }
}

/// One file as its source lists it, before anything is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct FileMeta {
    /// Path inside the source, with `/` or `\` between folders; the first folder is the dropped one.
    pub path: String,
    /// Size in bytes, unless it costs too much to know before the file is read.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub size: Option<u64>,
}

/// One read that the engine asks its host to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Want {
    /// Which file: its number in the order of adding.
    pub file: u32,
    /// Only so many bytes from the start are needed; `None` for the whole file.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub head: Option<u64>,
    /// What the read is for, in the order in which the phases come.
    pub phase: Phase,
}

/// How much of a file that nobody claims is looked at.
const GLIMPSE_BYTES: u64 = 64 << 10;

impl Want {
    /// The beginning of a file that may be of a benchmark which is not shown.
    pub(crate) fn glimpse(file: u32) -> Self {
        Self {
            file,
            head: Some(GLIMPSE_BYTES),
            phase: Phase::Benchmark,
        }
    }

    /// Whether no more is wanted than a look.
    pub(crate) fn is_glimpse(&self) -> bool {
        self.phase == Phase::Benchmark && self.head.is_some()
    }
}

/// Why a file is read; also the steps of the progress display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Sample lists, prompt packs: after this the samples can be shown.
    Benchmark,
    /// Judge replies: after this the scores can be shown.
    Replies,
    /// Text answers of the models.
    Answers,
    /// Picture headers: after this missing and misnamed pictures are known.
    Pictures,
    /// Whole pictures, which the host decodes: until then the scores are provisional, after it the list of incidents is complete.
    Decoding,
}

/// How far loading has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Progress {
    /// The phase whose reads are asked for now; `None` when everything was read.
    pub phase: Option<Phase>,
    /// Reads of this phase that are done.
    pub done: u32,
    /// Reads of this phase in all.
    pub total: u32,
}

/// A finding about the files themselves, with the place and the mend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// Stable code: `bad_json`, `bad_item`, `bad_line`, `bad_path`, `missing_picture`, `not_a_picture`, …
    pub code: String,
    /// Path of the file, as it was given.
    pub path: String,
    /// Place in the file: `line 12, column 3`, `item 50, chats[3].key_point`; empty where the whole file is meant.
    pub place: String,
    /// What was expected and what was found.
    pub message: String,
    /// What to do about it; empty where nothing can be done.
    pub hint: String,
}

impl Problem {
    /// A finding at a place of a file; both are empty where it is about all of them.
    pub(crate) fn new(
        path: &str,
        (code, severity): (&str, Severity),
        place: String,
        message: String,
        hint: &str,
    ) -> Self {
        Self {
            severity,
            code: code.to_owned(),
            path: path.to_owned(),
            place,
            message,
            hint: hint.to_owned(),
        }
    }
}

/// How bad a [`Problem`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Something could not be read and is missing from the numbers.
    Error,
    /// The numbers stand, but somebody should look.
    Warning,
    /// Worth knowing.
    Note,
}

/// What the judge rates, and on which scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct CriterionInfo {
    /// Stable name, as in the authors' files: `key_point`, `visual_consistency`, `image_quality`, `accuracy`, or `total`.
    pub id: String,
    /// Short name as in the paper's tables: `KP`, `VC`, `IQ`, `ACC`, `Avg`.
    pub short: String,
    /// Full name.
    pub label: String,
    /// One sentence: what a high score means.
    pub meaning: String,
    /// Judge's scale, lower end.
    pub min: f64,
    /// Judge's scale, upper end.
    pub max: f64,
    /// The only values allowed, where the scale is not every integer.
    pub allowed: Option<Vec<f64>>,
    /// Factor from the judge's scale to the printed one (WEAVEBench: 0.1).
    pub scale: f64,
    /// Digits after the point that the paper prints.
    pub decimals: u8,
    /// Which end of the scale is the good one.
    pub direction: Direction,
}

/// Which end of a scale is the good one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Higher is better.
    #[default]
    Up,
    /// Lower is better.
    Down,
    /// Neither: a figure that describes and does not rate.
    Neither,
}

/// One kind of judge request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RequestInfo {
    /// Stable name: `key_point`, `checkpoints`, `Instruction_Adherence`.
    pub id: String,
    /// Short name: `KP`.
    pub short: String,
    /// Full name.
    pub label: String,
    /// Ids of the criteria that its reply gives scores for.
    pub criteria: Vec<String>,
}

/// What a benchmark calls its parts, in lower case and the singular.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Words {
    /// `dialogue`, `case`, `set`.
    pub sample: String,
    /// The same in the plural.
    pub samples: String,
    /// What `n` counts, in the plural: `turns` where a sample has several, else as `samples`.
    pub units: String,
    /// The fine group: `domain`, `task`.
    pub domain: String,
    /// The coarse group: `category`, `family`, `level`; empty if there is none.
    pub category: String,
}

/// A set of judge texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PackInfo {
    /// `juror-weave/1` for the built-in wording, the file's path for a loaded one.
    pub name: String,
    /// SHA-256 over the texts, hex.
    pub sha256: String,
    /// Loaded from the authors' files.
    pub official: bool,
}

/// A group of samples that scores are given for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ScopeInfo {
    /// `overall`, `category`, `domain`, `turn`.
    pub scope: String,
    /// Column heading: `Category`.
    pub label: String,
    /// Keys in display order: `Science`, `Creation`, … (`all` for `overall`).
    pub keys: Vec<String>,
}

/// One model under test, counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ModelSummary {
    /// Name: the folder's.
    pub name: String,
    /// Folder that it was found in.
    pub path: String,
    /// What it is judged on: `img` (pictures only), `txt` (texts only), `umm` (both).
    pub mode: String,
    /// Pictures found.
    pub pictures: u32,
    /// Pictures expected.
    pub pictures_expected: u32,
    /// Text answers found.
    pub answers: u32,
    /// Text answers expected.
    pub answers_expected: u32,
    /// Criterion scores that could be read.
    pub scored: u32,
    /// Criterion scores expected in this mode.
    pub expected: u32,
    /// Scores with an incident under the current options; what befell an output counts once, not once for each judge.
    pub incidents: u32,
    /// Judges whose replies were found.
    pub judges: Vec<String>,
    /// Files that replies were read from.
    pub reply_files: Vec<String>,
    /// Whether nobody has replied about it, so that it has no score.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_unjudged: bool,
    /// Outputs that could not be opened, which are left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread_outputs: u32,
    /// Whether files that hold or may hold its replies could not be opened.
    #[serde(default, skip_serializing_if = "is_false")]
    pub has_unread_replies: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}

/// A judge whom a person named for files of replies that state none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JudgeName {
    /// Path of the file, or of a folder of such files.
    pub path: String,
    /// Judge id.
    pub judge: String,
}

/// A model's files of replies that state no judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct UnstatedJudge {
    /// Model.
    pub model: String,
    /// How many files they are.
    pub files: u32,
    /// The first of them.
    pub first: Vec<String>,
    /// What to name a judge for, so that it is for these files and no others.
    pub places: Vec<String>,
    /// Who was named for all of them.
    pub judge: Option<String>,
}

/// Incidents of one kind, counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct IncidentGroup {
    /// Stable kind: `missing_output`, `unreadable_output`, `missing_reply`, `unparsable`, `out_of_range`, …
    pub kind: String,
    /// In words: `Output is missing`.
    pub label: String,
    /// What it counts as under the current options: `counts 0`, `left out`, …
    pub counts_as: String,
    /// Scores per model that have it, in the order of [`Overview::models`]; what befell an output counts once, however many
    /// judges would have rated it.
    pub per_model: Vec<u32>,
    /// Where it befell outputs: how many of each model.
    pub outputs: Option<Vec<u32>>,
}

/// One place where the paper and the released code differ, with its effect on the numbers at hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Difference {
    /// Stable id: `range_check`, `missing_output`, `rounding`, …
    pub id: String,
    /// Heading in a few words.
    pub title: String,
    /// What the paper says.
    pub paper: String,
    /// What the authors' code does.
    pub released: String,
    /// Whether a scoring rule can be switched here; `false` for notes without an effect on given replies.
    pub has_effect: bool,
    /// Per model, in the order of [`Overview::models`].
    pub effects: Vec<Effect>,
}

/// The effect of one difference on one model's overall total.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Effect {
    /// Model.
    pub model: String,
    /// Overall total under the `paper` profile.
    pub paper: Option<f64>,
    /// The same with only this rule taken from the released code; `None` where no number comes out.
    pub with_rule: Option<f64>,
    /// Why there is no number, or what changed: `2 replies outside 0–10 are counted`.
    pub note: String,
}

/// Everything that the overview shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Overview {
    /// The benchmark, once one was found.
    pub benchmark: Option<BenchmarkInfo>,
    /// Models, by name.
    pub models: Vec<ModelSummary>,
    /// Profile in force.
    pub profile: Profile,
    /// Policy in force.
    pub policy: Policy,
    /// Judges and runs that there are replies of, whichever are chosen.
    pub at_hand: AtHand,
    /// Judges that replied to a part only.
    pub partial_judges: Vec<PartialJudge>,
    /// Models with files of replies that state no judge.
    pub unstated_judges: Vec<UnstatedJudge>,
    /// Judges that were named by hand for such files.
    pub judge_names: Vec<JudgeName>,
    /// What could not be read and is left out of the scores.
    pub unread: Unread,
    /// Whether results are open without their benchmark, so that totals may be incomplete.
    pub has_results_only: bool,
    /// Criteria, `total` last.
    pub criteria: Vec<CriterionInfo>,
    /// Kinds of judge request.
    pub requests: Vec<RequestInfo>,
    /// Scopes, widest first.
    pub scopes: Vec<ScopeInfo>,
    /// Score rows; the table is a pivot of these.
    pub scores: Vec<ScoreRow>,
    /// Incidents by score row.
    pub row_incidents: Vec<RowIncidents>,
    /// Incidents by kind.
    pub incidents: Vec<IncidentGroup>,
    /// Where paper and code differ.
    pub differences: Vec<Difference>,
    /// Findings about the files.
    pub problems: Vec<Problem>,
    /// Files that nothing claimed, at most 500 of them.
    pub unknown_files: Vec<String>,
    /// How many files nothing claimed.
    pub num_unknown_files: u32,
    /// Prompt pack in use.
    pub pack: PackInfo,
    /// Prompt packs at hand; the built-in one first.
    pub packs: Vec<PackInfo>,
    /// Whether the headers of all pictures were read.
    pub pictures_checked: bool,
    /// The formula of each criterion's mean and of the total, in one line each, for the profile in force.
    pub formulas: Vec<Formula>,
    /// What the paper prints for the benchmark.
    pub published: PublishedResults,
    /// The judges that the protocol names, ready to be used.
    pub judges: Vec<JudgePreset>,
    /// What was measured, and on what.
    pub measures: Vec<MeasureCount>,
}

/// What a paper prints for its benchmark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PublishedResults {
    /// What the numbers are over: `100 dialogues`.
    pub of: String,
    /// So many samples.
    pub num_samples: u32,
    /// One row per model and judge.
    pub rows: Vec<PublishedRow>,
}

/// One model of a paper under one judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PublishedRow {
    /// Name in the paper's tables.
    pub model: String,
    /// Judge, as the paper names it.
    pub judge: String,
    /// Whether a judge at hand is this one; files that name none are taken to be by the authors' usual one.
    pub is_same_judge: bool,
    /// Printed numbers.
    pub cells: Vec<PublishedCell>,
}

/// One printed number under the address of a score row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PublishedCell {
    /// Scope of the score row.
    pub scope: String,
    /// Key of the score row.
    pub key: String,
    /// Criterion of the score row.
    pub criterion: String,
    /// As printed.
    pub value: f64,
    /// The standard deviation printed beside it.
    pub sd: Option<f64>,
    /// Where it is printed: `Table 2`.
    pub table: String,
    /// What other printed numbers make of it.
    pub computed: Option<f64>,
    /// By this rule.
    pub rule: String,
    /// Whether it follows from them as far as rounding allows; `None` where no parts are printed.
    pub follows: Option<bool>,
}

/// A figure with its 95 % interval, where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Lower end.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

/// A formula in words and symbols.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Formula {
    /// Criterion id.
    pub criterion: String,
    /// `0.4·KP + 0.1·VC + 0.2·IQ + 0.3·ACC`.
    pub text: String,
    /// Where it comes from: `WEAVE, equation (2)`.
    pub source: String,
}

/// The benchmark in a few numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct BenchmarkInfo {
    /// Protocol id: `weave`.
    pub protocol: String,
    /// Display name: `WEAVEBench`.
    pub title: String,
    /// What its samples and groups are called.
    pub words: Words,
    /// Path of the sample list; of a benchmark of many files, their folder.
    pub path: String,
    /// Samples (dialogues) that could be read.
    pub samples: u32,
    /// Samples that could not.
    pub unreadable_samples: u32,
    /// Turns that ask for a picture.
    pub picture_turns: u32,
    /// Turns that ask for a text.
    pub text_turns: u32,
    /// Pictures named by the sample list.
    pub pictures: u32,
    /// Pictures named but absent.
    pub missing_pictures: u32,
}

/// One sample with everything around it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SampleView {
    /// Sample id.
    pub id: String,
    /// Domain.
    pub domain: String,
    /// Category.
    pub category: String,
    /// Further groups as scope and key.
    pub tags: Vec<(String, String)>,
    /// What a reader needs besides the instruction, as label and text.
    pub details: Vec<(String, String)>,
    /// Position in the benchmark, from 0.
    pub index: u32,
    /// Samples in the benchmark.
    pub total: u32,
    /// Id of the sample before, in benchmark order.
    pub previous: Option<String>,
    /// Id of the sample after.
    pub next: Option<String>,
    /// The benchmark's pictures; `Image #1` is the first.
    pub pictures: Vec<PictureView>,
    /// The dialogue.
    pub turns: Vec<TurnView>,
}

/// One picture of the benchmark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PictureView {
    /// 1-based number, as in `Image #k`.
    pub number: u32,
    /// What it is called: `Image #1`, `RA`, `source`.
    pub label: String,
    /// Path as the sample list names it.
    pub path: String,
    /// File number, if the file exists.
    pub file: Option<u32>,
    /// What is wrong with it; empty if nothing is known.
    pub problem: String,
    /// The turn that has to produce it, if any; other pictures are inputs.
    pub produced_by: Option<u32>,
}

/// A piece of text in which `Image #k` is a link to a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Span {
    /// The text as written.
    pub text: String,
    /// The picture that it mentions.
    pub picture: Option<u32>,
}

/// One user message with the answer that is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct TurnView {
    /// Number of the turn in the full dialogue, from 0, as in `turn 0` of `metrics.jsonl`.
    pub index: u32,
    /// `image` or `text`.
    pub kind: String,
    /// `t2i`, `edit`, `fusion` or `vqa`.
    pub class: String,
    /// The user's message.
    pub instruction: Vec<Span>,
    /// The standard answer of a text turn; empty for a picture turn.
    pub standard_answer: Vec<Span>,
    /// Number of the picture to produce, for a picture turn.
    pub picture: Option<u32>,
    /// Requirements that the judge checks.
    pub key_points: Vec<KeyPointView>,
    /// One entry per model.
    pub outputs: Vec<OutputView>,
}

/// One requirement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct KeyPointView {
    /// The key as written: `GT #1`, `Image #2`, `Text`.
    pub key: String,
    /// `dataset` (compare with the benchmark's picture), `generated` (with the model's own) or `none`.
    pub source: String,
    /// Picture number, unless `source` is `none`.
    pub number: Option<u32>,
    /// The requirement before the picture's place.
    pub before: String,
    /// The requirement after it; empty if the text has no `<image>` marker.
    pub after: String,
    /// Whether the text has an `<image>` marker.
    pub has_marker: bool,
}

/// What one model answered in one turn, and how it was judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct OutputView {
    /// Model.
    pub model: String,
    /// Path where the output is, or is expected to be.
    pub path: String,
    /// File number of the output, if the file exists.
    pub file: Option<u32>,
    /// Text of the answer, for a text turn.
    pub text: Option<String>,
    /// Width in pixels, once the header was read.
    pub width: Option<u32>,
    /// Height in pixels.
    pub height: Option<u32>,
    /// What is wrong with it; empty if nothing is known.
    pub problem: String,
    /// Whether this turn counts for this model's mode.
    pub in_mode: bool,
    /// Total of this turn on the printed scale (`None` if a criterion is missing).
    pub score: Option<f64>,
    /// The judge that it is by: the model's first; `None` for a model without any.
    pub judge: Option<String>,
    /// One entry per request and reply, expected ones first.
    pub verdicts: Vec<VerdictView>,
    /// Measured values, none of which is part of a score.
    pub measures: Vec<MeasureView>,
    /// Replies to earlier requests, kept and not counted.
    pub stale: Vec<crate::judging::health::StaleReply>,
}

/// One reply, read; or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct VerdictView {
    /// Kind of request: [`RequestInfo::id`].
    pub criterion: String,
    /// `ok`, or the kind of the incident.
    pub status: String,
    /// Score on the judge's scale.
    pub score: Option<f64>,
    /// The sub-scores by name, where a reply gives several.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, number>"))]
    pub parts: std::collections::BTreeMap<String, f64>,
    /// The judge's reasoning.
    pub reason: String,
    /// In words: what is wrong and what to do; empty if `ok`.
    pub detail: String,
    /// The raw reply, if there is one. From `metrics.jsonl`: the stored object, byte for byte.
    pub raw: Option<String>,
    /// Judge id; empty where the file does not say.
    pub judge: String,
    /// Run, from 1.
    pub run: u32,
    /// Where the reply stands: `result/model/metrics.jsonl:12`, `pasted`.
    pub source: String,
    /// When the reply came, ISO 8601: of a record in UTC, with a `Z`; of a folder that is named after a time as its clock
    /// said it, without one. Empty where nothing tells.
    pub time: String,
    /// What the judge was asked with, where the reply's record says it.
    pub params: Option<Params>,
    /// The model that answered, as the service names it, where the reply's record says it.
    pub answered_by: Option<String>,
    /// Whether this reply enters the score under the current options.
    pub counted: bool,
}

/// Names one judge request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct RequestKey {
    /// Model.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Kind of request: [`RequestInfo::id`].
    pub criterion: String,
}

/// What a judging job is to ask.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct JobScope {
    /// Judge id that replies are filed under.
    pub judge: String,
    /// Models; all if empty.
    pub models: Vec<String>,
    /// Kinds of request; all if empty.
    pub criteria: Vec<String>,
    /// Repeats of each request.
    pub runs: u32,
    /// Which of them.
    pub which: Which,
}

/// Which requests a job sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Which {
    /// Those without a reply, and those whose call failed.
    #[default]
    Open,
    /// Those whose call failed.
    Failed,
    /// Those whose reply cannot be read.
    Unparsable,
}

/// What a job would send.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JobPlan {
    /// Requests in the order of the samples, repeats together.
    pub tasks: Vec<JobTask>,
    /// Whether every reply is to be a JSON object, so that a service may be told to give nothing else.
    pub is_json: bool,
    /// Requests of the scope that have what was asked for already.
    pub answered: u32,
    /// Requests whose output is missing or unreadable: there is nothing to judge.
    pub without_output: u32,
    /// Requests that the protocol does not ask a judge: computed metrics, samples without a reference.
    pub not_asked: u32,
    /// Bytes of the pictures' files, `None` where a size is not known; what is sent may be more or less where the
    /// protocol re-encodes them.
    pub picture_bytes: Option<f64>,
    /// Characters of all texts.
    pub text_chars: f64,
    /// Pictures in all requests.
    pub pictures: u32,
}

/// One request to send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JobTask {
    /// Which request.
    pub key: RequestKey,
    /// Which repeat, from 1.
    pub run: u32,
    /// Whether it is asked again only to be compared with the stored reply.
    pub anchor: bool,
}

/// The body of a judge request, its pictures still to be put in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JobBody {
    /// Protocol id, for the record.
    pub protocol: String,
    /// SHA-256 of the prompt pack, for the record.
    pub prompts: String,
    /// SHA-256 of the request, for the record.
    pub sha256: Option<String>,
    /// JSON, with each picture's tokens where its base64 and its media type belong.
    pub text: String,
    /// Pictures in order.
    pub pictures: Vec<JobPicture>,
}

/// A picture of a request body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JobPicture {
    /// What stands for its base64.
    pub token: String,
    /// What stands for its media type, which the bytes tell and not the file's name.
    pub media_token: String,
    /// Path of the file, for messages.
    pub path: String,
    /// The file; `None` for one that is only drawn.
    pub file: Option<u32>,
    /// What is done to it first.
    pub treatment: Treatment,
    /// The second file that the treatment needs.
    pub other: Option<u32>,
}

/// What records of one job have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RecordHead {
    /// Protocol id.
    pub protocol: String,
    /// SHA-256 of the prompt pack.
    pub prompts: String,
}

/// Exactly what the judge is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RequestView {
    /// Which request.
    pub key: RequestKey,
    /// Prompt pack in use.
    pub pack: PackInfo,
    /// The system message in front, where the protocol has one.
    pub system: Option<String>,
    /// Parts of the one user message, in order.
    pub parts: Vec<PartView>,
    /// The reply grammar in one line: `{"score": integer 0–10, "reasoning": text}`.
    pub grammar: String,
    /// SHA-256 over pack, parts and picture contents, hex; `None` until `needs` were provided.
    pub sha256: Option<String>,
    /// Files whose bytes the hash still needs.
    pub needs: Vec<u32>,
    /// What to know: `the generated picture is missing, so the judge would see references only`.
    pub notes: Vec<String>,
    /// The reason why no request can be made; the parts are then as far as they go.
    pub error: Option<String>,
}

/// One part of a request or of a generator input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum PartView {
    /// Text.
    Text {
        /// The text, verbatim.
        text: String,
    },
    /// A picture.
    Image {
        /// File number; `None` if the file is missing and the judge would not see it.
        file: Option<u32>,
        /// Path of the file.
        path: String,
        /// `output` (the generated picture that is judged), `dataset` or `generated` (references).
        role: String,
        /// Picture number in the sample.
        number: Option<u32>,
        /// What is done to the picture before it is sent.
        treatment: Treatment,
        /// The second file that the treatment needs: the layer of `merged`, the size giver of `stretched` and `blank`.
        other: Option<u32>,
    },
}

impl PartView {
    /// Whether the judge is shown anything here: a text, a file, or what stands in for a missing one.
    pub fn is_sent(&self) -> bool {
        match self {
            Self::Text { .. } => true,
            Self::Image {
                file, treatment, ..
            } => file.is_some() || *treatment == Treatment::Blank,
        }
    }
}

/// What is done to a picture before it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Treatment {
    /// Nothing: the file's bytes.
    AsIs,
    /// Turned upright, made RGB and encoded as JPEG of quality 75.
    Jpeg,
    /// Encoded as PNG with an alpha channel.
    RgbaPng,
    /// Encoded as PNG without one.
    RgbPng,
    /// The layer is laid over it, resized to its size where they differ; PNG with an alpha channel.
    Merged,
    /// Resized to the size of the other file, whatever its shape; PNG with an alpha channel.
    Stretched,
    /// Not the picture, which is missing: a transparent one of the other file's size.
    Blank,
}

impl Treatment {
    /// Stable name.
    pub fn id(self) -> &'static str {
        match self {
            Self::AsIs => "as_is",
            Self::Jpeg => "jpeg",
            Self::RgbaPng => "rgba_png",
            Self::RgbPng => "rgb_png",
            Self::Merged => "merged",
            Self::Stretched => "stretched",
            Self::Blank => "blank",
        }
    }
}

/// A reply to be read, and kept if asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct PastedReply {
    /// What it answers.
    pub key: RequestKey,
    /// Judge id, as the user names it.
    pub judge: String,
    /// Run, from 1.
    pub run: u32,
    /// The reply, verbatim.
    pub text: String,
    /// When, ISO 8601 in UTC; the core has no clock.
    pub time: String,
}

/// How a pasted reply reads, by both readers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PasteResult {
    /// By the strict reader (`paper`).
    pub paper: ParsedReply,
    /// By the imitation of the authors' reader (`released`).
    pub released: ParsedReply,
    /// The same key, judge and run already has a reply; it stays.
    pub duplicate: bool,
    /// The reply was kept.
    pub kept: bool,
    /// As what, if it was: a host with storage writes it there.
    pub record: Option<crate::journal::Record>,
}

/// Replies that were pasted together, as they were read; the host keeps them and gives them to the session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PastedReplies {
    /// Those that answer requests of this benchmark.
    pub records: Vec<crate::journal::Record>,
    /// How many of them the strict reader cannot read, failed calls among them.
    pub unreadable: u32,
    /// What could not be taken, by line.
    pub problems: Vec<String>,
}

/// What `juror parse` prints: a verdict, or an incident.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum ParsedReply {
    /// The reply is a verdict.
    Ok {
        /// Criterion → score on the judge's scale.
        #[cfg_attr(feature = "typescript", ts(type = "Record<string, number>"))]
        criteria: std::collections::BTreeMap<String, f64>,
        /// The one score, where there is one.
        score: Option<f64>,
        /// The judge's reasoning.
        reason: String,
    },
    /// It is not.
    Incident {
        /// Stable kind.
        kind: String,
        /// What was expected, what was found, what to do.
        detail: String,
    },
}

/// Which pictures of the dialogue's history a generator is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Context {
    /// Pictures that this message mentions, from the data set.
    #[default]
    No,
    /// The same, but the model's own picture where it made one.
    Partial,
    /// All pictures up to the highest one mentioned, the model's own where it made one.
    Complete,
    /// As `complete`, always from the data set.
    CompleteDataset,
}

/// How pictures and text are put together for a generator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Packing {
    /// The pictures, then the message.
    #[default]
    Separate,
    /// One labelled list of the history's pictures, then the dialogue (`yes-front`).
    YesFront,
    /// Each picture at its first mention (`yes-first`).
    YesFirst,
}

/// Names one generator input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct InputKey {
    /// Model whose own pictures may be used; empty for none.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Which pictures.
    pub context: Context,
    /// How packed.
    pub packing: Packing,
    /// `paper`: as intended; `released`: as the authors' loader does it.
    pub profile: Profile,
}

/// What a generator is given for one turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct InputView {
    /// Which input.
    pub key: InputKey,
    /// Messages in order; the last one is the user's.
    pub messages: Vec<InputMessage>,
    /// File numbers of the pictures in order, for concatenation.
    pub pictures: Vec<u32>,
    /// What to know: `Image #3 was not generated, so the data set's picture stands in`.
    pub notes: Vec<String>,
    /// The reason why no input can be made.
    pub error: Option<String>,
}

/// One message of a generator input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct InputMessage {
    /// `user` or `assistant`.
    pub role: String,
    /// Parts in order.
    pub parts: Vec<PartView>,
}
