//! What the page and the command line show: plain data, shaped for reading, with no way back into the engine.
//!
//! Every struct here crosses the Wasm edge, so each one also exists as a TypeScript type (`cargo xtask bless`).
//! Scores in a [`VerdictView`] are on the judge's scale (WEAVEBench: 0 to 10);
//! means in a [`ScoreRow`] are on the scale that the paper prints (WEAVEBench: 0 to 1).

use std::collections::BTreeMap;

use juror_model::ability::Ability;
use juror_model::experiment::Factor;
use juror_model::options::{Policy, Profile, ReplyReading};
use juror_model::problem::{Notice, Problem};
use juror_model::published::PublishedResults;
use juror_model::reply::ParsedReply;
use juror_model::request::{Given, InputKey, InputMessage, PackInfo, RequestKey, Treatment};
use juror_model::row::ScoreRow;
use juror_model::sample::{PictureView, Span};
use juror_model::subset::Subset;
use juror_model::summary::{BenchmarkInfo, MeasureCount, ModelSummary};
use juror_model::terms::{CriterionInfo, Difference, Formula, RequestInfo, ScopeInfo};
use juror_model::tolerance::Tolerance;
use serde::{Deserialize, Serialize};

use juror_model::judge::{JudgeName, JudgePreset, Params};

pub mod agreement;
pub mod costs;
pub mod experiments;
pub mod grouped;
pub mod groups;
pub mod labels;
pub mod lint;
mod list;
pub mod rating;
pub mod statistics;

pub use list::{
    Completion, Dispute, Facet, FacetValue, FilterFault, HighlightPick, HighlightQuery,
    HighlightedOutput, HighlightedSample, Highlights, Neighbours, SampleCell, SampleList,
    SampleListRow, SampleQuery, SampleSort,
};

/// The judges and runs that can be chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Available {
    /// Judge ids, by name; empty for replies that name none.
    pub judges: Vec<String>,
    /// Runs, from 1, in order.
    pub runs: Vec<u32>,
    /// People who rated, as judges: `people` for all of them, then `people:NAME`.
    pub people: Vec<String>,
    /// Judges whose mean the protocol's own tables have, such as Gemini and GPT of MultiBanana.
    pub joined: Vec<JoinedJudge>,
}

/// Several judges whose mean the protocol's own tables have: chosen as the panel that averages them, which comes to the
/// same numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JoinedJudge {
    /// As the tables have it: `gemini + gpt`.
    pub name: String,
    /// As it is chosen: `panel:mean(gemini,gpt)`.
    pub judge: String,
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
    /// Requests that the benchmark asks about outputs at hand.
    pub of: u32,
    /// Whether another judge of the model in the scores replied to more.
    pub has_fuller: bool,
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

/// Everything that the overview shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Overview {
    /// The benchmark, once one was found.
    pub benchmark: Option<BenchmarkInfo>,
    /// What the benchmark can do that not every one can; nothing before one was found.
    pub abilities: Vec<Ability>,
    /// Models, by name.
    pub models: Vec<ModelSummary>,
    /// Profile in force.
    pub profile: Profile,
    /// Policy in force.
    pub policy: Policy,
    /// Reading of replies in force.
    pub reading: ReplyReading,
    /// Replies that the strict reading refuses and the tolerant one reads, by judge; counted where that is chosen.
    pub tolerance: Vec<Tolerance>,
    /// Judges and runs that there are replies of, whichever are chosen.
    pub at_hand: Available,
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
    /// What could change a number, in one line for each kind of finding.
    pub notices: Vec<Notice>,
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
    /// Of each of them, whose texts they are and where they come from, in words.
    pub pack_words: Vec<String>,
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
    pub stale: Vec<juror_judging::health::StaleReply>,
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
    /// What the tolerant reading took off the reply, in words; empty where it is read as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<String>>"))]
    pub allowances: Vec<String>,
    /// Of a panel: the criteria, and the request, in which its median or majority was a tie.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<String>>"))]
    pub tied: Vec<String>,
    /// The raw reply, if there is one. From `metrics.jsonl`: the stored object, byte for byte.
    pub raw: Option<String>,
    /// Judge id; empty where the file does not say.
    pub judge: String,
    /// Run, from 1.
    pub run: u32,
    /// The place of the reply: `result/model/metrics.jsonl:12`, `pasted`.
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
    /// Of the samples of this subset; of all if `None`.
    #[serde(default)]
    pub subset: Option<Subset>,
    /// No more than so many requests, the first ones; all if `None`.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// Which requests a job sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Which {
    /// Those without a reply, and those whose call failed.
    #[default]
    Open,
    /// Of these, those that no other judge has answered either.
    Unjudged,
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
    /// How many of the requests each other judge has answered; the empty name is that of replies that state no judge.
    pub by_others: BTreeMap<String, u32>,
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
    /// The mark that replaces its base64.
    pub token: String,
    /// The mark that replaces its media type, which is read from the bytes and not from the file's name.
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
    pub record: Option<juror_judging::journal::Record>,
}

/// Replies that were pasted together, as they were read; the host keeps them and gives them to the session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PastedReplies {
    /// Those that answer requests of this benchmark.
    pub records: Vec<juror_judging::journal::Record>,
    /// How many of them the strict reader cannot read, failed calls among them.
    pub unreadable: u32,
    /// What could not be taken, by line.
    pub problems: Vec<String>,
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
    /// Name under which the output is looked for in a model's folder.
    pub output: String,
    /// A remark for the user: `Image #3 was not generated, so the data set's picture stands in`.
    pub notes: Vec<String>,
    /// Whether its pictures are given one by one, or as the one row that they are joined to.
    pub given: Given,
    /// What the input can be varied by.
    pub factors: Vec<Factor>,
    /// The reason why no input can be made.
    pub error: Option<String>,
}

/// Incidents among the units of one score row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RowIncidents {
    /// Position of the row in [`crate::view::Overview::scores`].
    pub row: u32,
    /// Units of it with an incident, whatever that counts as.
    pub incidents: u32,
    /// Whether its judge gave no reply about its model, so that there is no mean.
    pub is_unjudged: bool,
}

/// A measured value of one output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasureView {
    /// Criterion: `ssim@golden`.
    pub criterion: String,
    /// Its short name.
    pub short: String,
    /// The value; of several references their mean.
    pub value: Option<f64>,
    /// Digits after the point that are shown.
    pub decimals: u8,
    /// Unit; empty for plain numbers.
    pub unit: String,
    /// `ok`, or the kind of the incident.
    pub status: String,
    /// Why there is no value.
    pub detail: String,
    /// `cpu`, `gpu` or `cpu, gpu`; empty without a value.
    pub backend: String,
}
