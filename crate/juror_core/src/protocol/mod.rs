//! What all protocols have in common: samples with turns, models with outputs, replies with two readings.
//!
//! Each protocol is one folder with `layout.rs` (files → samples), `request.rs`, `verdict.rs` and `score.rs`;
//! it offers itself to the session through [`Protocol`] and nothing else.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::judging::provider::JudgePreset;
use crate::keyed::Keyed;
use crate::limits;
use crate::prompt::PromptPack;
use crate::protocol::published::Published;
use crate::report::{Incident, SampleRow, ScoreRow};
use crate::text::Marks;
use crate::tree::{FileId, FileTree, join, parent};
use crate::view::{
    CriterionInfo, Difference, Formula, InputKey, InputMessage, ParsedReply, PartView, Policy,
    Problem, Profile, RequestInfo, RequestKey, ScopeInfo, ScoreOptions, Span, Words,
};

mod compact;
pub mod declared;
mod findings;
pub mod micon;
pub mod multibanana;
pub mod multiref;
pub mod published;
mod reply;
mod resolve;
mod table;
pub mod vibe;
pub mod weave;

pub use compact::{Index, Number};

/// The protocols that a source is tried against, in order.
pub const ALL: &[&dyn Protocol] = &[
    &weave::Weave,
    &micon::Micon,
    &vibe::Vibe,
    &multibanana::MultiBanana,
    &multiref::MultiRef,
    &DECLARED,
];

/// Finds the protocols that benchmarks bring along as a file.
static DECLARED: declared::Declared = declared::Declared::finder();

/// One evaluation system: how its files, requests, replies and scores read.
pub trait Protocol: Send + Sync {
    /// Stable id: `weave`.
    fn id(&self) -> &str;

    /// Display name: `WEAVEBench`.
    fn title(&self) -> &str;

    /// Whether a file of the benchmark names this protocol, which outweighs what other names suggest.
    fn is_named_by_file(&self) -> bool {
        false
    }

    /// A hash of what declares it, where that is a file: one that reads replies in another way has another.
    #[expect(
        clippy::unnecessary_literal_bound,
        reason = "a declared protocol gives its own text"
    )]
    fn declaration(&self) -> &str {
        ""
    }

    /// What a sample and its groups are called.
    fn words(&self) -> Words;

    /// What the tables show, `total` last.
    fn criteria(&self) -> Vec<CriterionInfo>;

    /// The kinds of judge request, in the order in which a sample's are shown.
    fn requests(&self) -> Vec<RequestInfo>;

    /// The kinds of request that a turn is judged by.
    fn requests_of(&self, sample: &Sample, turn: &Turn) -> Vec<&str>;

    /// Whether a request's reply is computed from the files, so that no judge is asked.
    fn is_computed(&self, _request: &str) -> bool {
        false
    }

    /// The built-in judge texts.
    fn built_in_pack(&self) -> PromptPack;

    /// Whether a file of this path may hold judge texts of the authors.
    fn may_hold_prompts(&self, path: &str) -> bool;

    /// The folder whose files of judge texts belong together.
    fn prompt_root<'a>(&self, path: &'a str) -> &'a str {
        parent(path)
    }

    /// The authors' judge texts in these files, if they are complete.
    fn official_pack(&self, files: &[(&str, &str)]) -> Option<PromptPack>;

    /// What may be the benchmark among these files, likeliest first.
    fn candidates(&self, tree: &FileTree) -> Vec<Candidate>;

    /// Whether a file that nothing else claims and that begins so is of this benchmark, where names do not tell.
    fn is_begun_by(&self, _head: &str) -> bool {
        false
    }

    /// Files that the candidate's texts name and that have to be read as well before it can be loaded.
    fn further_files(
        &self,
        _tree: &FileTree,
        _candidate: &Candidate,
        _texts: &Texts,
    ) -> Vec<FileId> {
        Vec::new()
    }

    /// Reads a benchmark; `texts` has those of the candidate's files that could be read.
    ///
    /// # Errors
    /// The candidate is not this benchmark. What is wrong inside a benchmark is one of its problems.
    fn load(
        &self,
        tree: &FileTree,
        candidate: &Candidate,
        texts: &Texts,
    ) -> Result<Benchmark, Box<Problem>>;

    /// The benchmark that replies alone imply: used while no sample list is at hand.
    fn imply(&self, replies: &[&ReplyFile]) -> Benchmark;

    /// Finds the models' folders and what they hold for each turn.
    fn submissions(&self, tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission>;

    /// Reads a file of the authors' judge output.
    fn read_replies(&self, path: &str, text: String) -> ReplyFile;

    /// Takes from the authors' reading what their programs cannot read of a file of judge output, for what was found in its
    /// bytes; the reading by the paper's rules stays. Nothing, where no program of theirs reads such files.
    fn mark_replies(&self, _path: &str, _marks: Marks, _replies: &mut ReplyFile) {}

    /// When the replies of a file came, where its path tells: `2026-01-01T12:00:00` by the clock of whoever judged.
    fn judged_at(&self, _path: &str) -> Option<String> {
        None
    }

    /// Findings about a file of judge output: lines that cannot be read, and those about nothing known.
    ///
    /// `positions` has the position of each line's sample.
    fn check_replies(
        &self,
        replies: &ReplyFile,
        positions: &[Option<u32>],
        _benchmark: &Benchmark,
        path: &str,
        problems: &mut Vec<Problem>,
    ) {
        findings::check(replies, positions, path, problems);
    }

    /// The records of agent loops in a JSONL file, where the protocol has such loops and the file has such records.
    fn trajectories(&self, _text: &str) -> Option<multibanana::agent::File> {
        None
    }

    /// The two readings of one raw reply; `sample` is absent if the benchmark does not have it.
    fn read(&self, sample: Option<&Sample>, request: &str, reply: &str) -> Read;

    /// One raw reply, read and explained.
    fn parse(
        &self,
        sample: Option<&Sample>,
        request: &str,
        profile: Profile,
        reply: &str,
    ) -> ParsedReply;

    /// The reply grammar in one line.
    fn grammar(&self, sample: Option<&Sample>, request: &str) -> String;

    /// The parts of a judge request.
    fn request(
        &self,
        world: &World<'_>,
        pack: &PromptPack,
        key: &RequestKey,
    ) -> Result<Draft, String>;

    /// What a generator is given for a turn.
    fn generator_input(&self, world: &World<'_>, key: &InputKey) -> Result<GeneratorInput, String>;

    /// Scores, incidents and differences for all models.
    fn score(&self, world: &World<'_>, options: &ScoreOptions) -> Scores;

    /// What incidents of this kind count as under these options: `counts 0`, `left out`, …
    fn counts_as(&self, kind: IncidentKind, options: &ScoreOptions) -> &str;

    /// The policy in force: the user's, or the profile's own.
    fn policy(&self, options: &ScoreOptions) -> Policy;

    /// `t2i`, `edit`, …: what a turn asks the generator to do.
    fn class(&self, turn: &Turn) -> &str;

    /// The total of one turn from what its requests' replies came to ([`Unit::counted`]), on the printed scale.
    fn turn_total(&self, counted: &[(&str, Option<f64>)]) -> Option<f64>;

    /// A text with its picture mentions marked.
    fn spans(&self, text: &str) -> Vec<Span>;

    /// The effect of each place where paper and code differ.
    fn differences(&self, world: &World<'_>) -> Vec<Difference>;

    /// Pairs of files whose metric is a reply of this protocol, and of each what is missing; whether there is a reply already
    /// is for the caller to see.
    fn file_pairs(&self, _world: &World<'_>) -> Vec<FilePair> {
        Vec::new()
    }

    /// What the authors' program writes where such a pair's metric has this value.
    fn evaluated(&self, _criterion: &str, value: f64) -> f64 {
        value
    }

    /// Which samples a group of the score rows is of; `None` where it is of something else, such as runs.
    ///
    /// A turn is of every sample here: whether a sample has it is for the caller to see.
    fn members(&self, benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
        if scope == "run" {
            return None;
        }
        let is_in = |sample: &Sample| match scope {
            "overall" | "turn" => true,
            "domain" => sample.domain == key,
            "category" => sample.category == key,
            _ => sample.has_tag(scope, key),
        };
        Some(benchmark.samples.iter().map(is_in).collect())
    }

    /// The formulas of a profile.
    fn formulas(&self, profile: Profile) -> Vec<Formula>;

    /// The judges that the paper or its code names, the usual one first.
    fn judges(&self) -> Vec<JudgePreset> {
        Vec::new()
    }

    /// What the paper prints.
    fn published(&self) -> Published {
        Published::default()
    }
}

/// A protocol in force: one in Rust, or one that a benchmark's own file declares.
#[derive(Clone, Debug)]
pub enum Held {
    /// In Rust.
    BuiltIn(&'static dyn Protocol),
    /// In a file.
    Declared(Arc<dyn Protocol>),
}

impl Deref for Held {
    type Target = dyn Protocol;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::BuiltIn(protocol) => *protocol,
            Self::Declared(protocol) => &**protocol,
        }
    }
}

/// A benchmark as the names of files suggest it, before they are read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// The file that stands for it in messages.
    pub list: FileId,
    /// Every text file to be read, the list included.
    pub files: Vec<FileId>,
    /// 0 where the names leave no doubt, more where they leave more.
    pub rank: u8,
}

/// The texts of files.
pub type Texts = BTreeMap<FileId, String>;

/// The samples of one benchmark.
#[derive(Clone, Debug, Default)]
pub struct Benchmark {
    /// The file that stands for it: the sample list; `None` if the benchmark is only implied by replies.
    pub list: Option<FileId>,
    /// All text files that it rests on.
    pub files: Vec<FileId>,
    /// Folder of the sample list.
    pub folder: String,
    /// Samples in the order of the list.
    pub samples: Vec<Sample>,
    /// Items that could not be read.
    pub num_unreadable: u32,
    /// Findings about the list.
    pub problems: Vec<Problem>,
    /// Files of the benchmark's own form that tell of one model's outputs: known by what they say, not by their names.
    pub result_lists: Vec<ResultList>,
    /// The protocol that its own file declares; `None` where the one that loaded it goes on.
    pub declared_by: Option<Arc<dyn Protocol>>,
    by_id: HashMap<String, u32>,
    turn_base: Vec<u32>,
}

impl Benchmark {
    /// Indexes the samples.
    pub fn new(list: Option<FileId>, folder: String, samples: Vec<Sample>) -> Self {
        let mut by_id = HashMap::with_capacity(samples.len());
        let mut turn_base = Vec::with_capacity(samples.len() + 1);
        turn_base.push(0);
        for (index, sample) in (0u32..).zip(&samples) {
            by_id.entry(sample.id.clone()).or_insert(index);
            let base = turn_base.last().copied().unwrap_or(0);
            turn_base.push(base + u32::try_from(sample.turns.len()).unwrap_or(0));
        }
        Self {
            list,
            files: list.into_iter().collect(),
            folder,
            samples,
            num_unreadable: 0,
            problems: Vec::new(),
            result_lists: Vec::new(),
            declared_by: None,
            by_id,
            turn_base,
        }
    }

    /// Position of the sample with this id.
    pub fn index_of(&self, id: &str) -> Option<u32> {
        self.by_id.get(id).copied()
    }

    /// The same for an id that probably is that of the sample at `guess`: replies mostly come in the order of the samples.
    pub fn index_near(&self, guess: u32, id: &str) -> Option<u32> {
        let is_there = |sample: &Sample| sample.id == id;
        if self.samples.get(guess as usize).is_some_and(is_there) {
            return Some(guess);
        }
        self.index_of(id)
    }

    /// Number of a turn among all turns, if the sample has it.
    pub fn turn_slot(&self, sample: u32, turn: u32) -> Option<u32> {
        let base = *self.turn_base.get(sample as usize)?;
        let end = *self.turn_base.get(sample as usize + 1)?;
        (turn < end - base).then(|| base + turn)
    }

    /// The turn of this number.
    pub fn turn_at(&self, slot: u32) -> Option<&Turn> {
        let sample = self
            .turn_base
            .partition_point(|base| *base <= slot)
            .checked_sub(1)?;
        self.samples
            .get(sample)?
            .turns
            .get((slot - self.turn_base[sample]) as usize)
    }

    /// All turns of all samples.
    pub fn num_turns(&self) -> usize {
        self.turn_base.last().copied().unwrap_or(0) as usize
    }

    /// Every turn with its number, sample index and turn index.
    pub fn turns(&self) -> impl Iterator<Item = (u32, u32, u32, &Turn)> {
        (0u32..)
            .zip(&self.samples)
            .flat_map(move |(index, sample)| {
                let base = self.turn_base[index as usize];
                (0u32..)
                    .zip(&sample.turns)
                    .map(move |(turn_idx, turn)| (base + turn_idx, index, turn_idx, turn))
            })
    }
}

/// A file that names the outputs of one model.
#[derive(Clone, Debug)]
pub struct ResultList {
    /// The file.
    pub file: FileId,
    /// Model, as the file names it; else the file's own name.
    pub model: String,
    /// Turn number and output of each entry; `None` where the output is not among the files.
    pub outputs: Vec<(u32, Option<FileId>)>,
    /// Turn number and path of each output that the list names beside itself and that is not there.
    pub missing: Vec<(u32, String)>,
}

/// One case to generate for.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Id, unique in the benchmark; WEAVEBench: the `idx` of the item, as text.
    pub id: String,
    /// The fine group: domain or task.
    pub domain: String,
    /// The coarse group that the fine one belongs to; empty for an unknown one.
    pub category: Cow<'static, str>,
    /// Further groups as scope and key: `references` 3.
    pub tags: Vec<(Cow<'static, str>, String)>,
    /// What a reader needs besides the instruction, as label and text: goal, constraints.
    pub details: Vec<(String, String)>,
    /// Pictures, the first one with number 1.
    pub pictures: Vec<Picture>,
    /// User messages with the answers asked for.
    pub turns: Vec<Turn>,
}

impl Sample {
    /// Whether it is in this further group.
    pub fn has_tag(&self, scope: &str, key: &str) -> bool {
        self.tags
            .iter()
            .any(|(own_scope, own_key)| own_scope == scope && own_key == key)
    }
}

/// A picture that the benchmark names.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Path as the list names it.
    pub path: String,
    /// The file, if it exists.
    pub file: Option<FileId>,
    /// What it is called: `Image #1`, `RA`, `source`.
    pub label: String,
}

/// What a turn asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnKind {
    /// A picture.
    Image,
    /// A text.
    Text,
}

/// One user message with the answer that is asked for.
#[derive(Clone, Debug)]
pub struct Turn {
    /// What is asked for.
    pub kind: TurnKind,
    /// The user's message.
    pub instruction: String,
    /// The assistant's content: the standard answer, or `Image #k`.
    pub answer: String,
    /// 1-based number of the picture to produce.
    pub picture: Option<u32>,
    /// What the judge checks.
    pub key_points: Vec<KeyPoint>,
    /// Name of the output file inside a model's picture folder.
    pub output_name: String,
}

/// One requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPoint {
    /// The key as written.
    pub key: String,
    /// Requirement with its `<image>` marker.
    pub text: String,
    /// Which picture it is compared with.
    pub compare: Compare,
}

/// The picture that a requirement is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// The benchmark's picture of this number.
    Dataset(u32),
    /// The model's own picture of this number.
    Generated(u32),
    /// None.
    Nothing,
}

/// One model's folder.
#[derive(Clone, Debug, Default)]
pub struct Submission {
    /// Model name: the folder's.
    pub name: String,
    /// Path of the folder.
    pub folder: String,
    /// Folder that outputs are expected in.
    pub output_folder: String,
    /// Per turn of the benchmark: the output file.
    pub outputs: Vec<Option<FileId>>,
    /// Files of the authors' judge output.
    pub reply_files: Vec<FileId>,
    /// Files in the folder that match no turn.
    pub extra_files: Vec<FileId>,
    /// Who judged, of files of judge output whose place says so.
    pub judges: BTreeMap<FileId, String>,
    /// Other files that the protocol knows and does not read, such as summaries.
    pub known_files: Vec<FileId>,
    /// Where outputs belong that are not there, by turn number, as far as the files at hand show it.
    pub expected: BTreeMap<u32, String>,
    /// Findings about the folder.
    pub problems: Vec<Problem>,
}

impl Submission {
    /// The path at which an output belongs: where this model's others of its kind lie, else in the data set's own folders.
    pub fn expected_path(&self, slot: u32, turn: &Turn) -> String {
        let known = self.expected.get(&slot).cloned();
        known.unwrap_or_else(|| join(&self.output_folder, &turn.output_name))
    }
}

/// Why a reply gives no score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Not the grammar.
    Unparsable,
    /// A number outside the scale.
    OutOfRange,
    /// The authors' summary passes over it without a word.
    Ignored,
    /// The authors' summary script stops here and writes no result.
    Stops,
    /// The authors' program cannot read the file that holds it.
    Undecodable,
    /// There is no reply, only the error of the call.
    FailedCall,
}

/// A reply as a score, or the reason why not.
pub type Reading = Result<f64, Fault>;

/// Both readings of a reply, in ten bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readings {
    value: Number,
    paper: Option<Fault>,
    released: Option<Fault>,
}

impl Readings {
    /// The strict reading and the imitation of the authors'; where both give a score, it is the same.
    pub fn new(paper: Reading, released: Reading) -> Self {
        Self {
            value: released.or(paper).ok().into(),
            paper: paper.err(),
            released: released.err(),
        }
    }

    /// By the strict reader.
    pub fn paper(&self) -> Reading {
        self.paper.map_or_else(|| Ok(self.value()), Err)
    }

    /// By the imitation of the authors' reader.
    pub fn released(&self) -> Reading {
        self.released.map_or_else(|| Ok(self.value()), Err)
    }

    fn value(&self) -> f64 {
        self.value.get().unwrap_or(f64::NAN)
    }
}

/// What one reply says, by both readers: its sub-scores in an order that only the protocol knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// By the strict reader.
    pub paper: Result<Box<[f64]>, Fault>,
    /// By the imitation of the authors' reader.
    pub released: Result<Box<[f64]>, Fault>,
}

impl Verdict {
    /// A verdict that neither reader gets anything from.
    pub fn fault(fault: Fault) -> Self {
        Self {
            paper: Err(fault),
            released: Err(fault),
        }
    }

    /// Whether each reader could read it, without the numbers.
    pub fn readings(&self) -> Readings {
        let reading = |read: &Result<Box<[f64]>, Fault>| match read {
            Ok(_) => Ok(0.0),
            Err(fault) => Err(*fault),
        };
        Readings::new(reading(&self.paper), reading(&self.released))
    }

    /// By the reader of a profile.
    pub fn of(&self, profile: Profile) -> Result<&[f64], Fault> {
        let read = match profile {
            Profile::Paper => &self.paper,
            Profile::Released => &self.released,
        };
        read.as_deref().map_err(|fault| *fault)
    }
}

/// A reply as it was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    /// One number.
    One(Readings),
    /// Several.
    Several(Verdict),
}

/// A file of judge output with all its replies, none dropped.
#[derive(Clone, Debug, Default)]
pub struct ReplyFile {
    /// The file's text; replies are ranges of it.
    pub text: String,
    /// Whether replies stand in it one behind the other; unless somebody looked, not.
    pub is_in_order: bool,
    /// Whether no character stands in it as JSON's `\u` with its number; unless somebody looked, not.
    pub is_unescaped: bool,
    /// Lines that hold replies.
    pub lines: Vec<ReplyLine>,
    /// Replies in file order.
    pub replies: Vec<StoredReply>,
    /// What the replies say where one number does not tell: as many as replies, or none at all.
    pub verdicts: Vec<Verdict>,
    /// Judge id, if the file tells.
    pub judge: String,
    /// Run, from 1; 0 if the file does not tell.
    pub run: u32,
    /// Criterion names; [`StoredReply::criterion`] indexes this list.
    pub criteria: Vec<String>,
    /// Domain names; [`ReplyLine::domain`] indexes this list.
    pub domains: Vec<String>,
    /// Lines that could not be read.
    pub problems: LineProblems,
    /// Why the authors' program gets nothing from lines that the paper's profile reads; empty where it reads them.
    pub refusal: &'static str,
}

impl ReplyFile {
    /// Takes lines, by their positions, from the authors' reading; the reading by the paper's rules stays.
    pub(crate) fn refuse(&mut self, lines: Range<u32>, fault: Fault, refusal: &'static str) {
        let Self {
            replies, verdicts, ..
        } = self;
        let refused = replies.iter_mut().enumerate();
        for (position, reply) in refused.filter(|(_, reply)| lines.contains(&reply.line)) {
            reply.readings = Readings::new(reply.readings.paper(), Err(fault));
            if let Some(verdict) = verdicts.get_mut(position) {
                verdict.released = Err(fault);
            }
        }
        self.refusal = refusal;
        self.problems.push(LineProblem {
            line: 0,
            code: REFUSED,
            message: refusal.to_owned(),
            hint: "Save the file as UTF-8 without a byte order mark; the paper's profile reads it as it is.",
        });
    }
}

/// Code of the finding that the authors' program cannot read a file.
pub(crate) const REFUSED: &str = "released_cannot_read";

/// What Python's `json.load` makes of a file with marks: nothing.
pub(crate) fn refuse_json(marks: Marks, replies: &mut ReplyFile) {
    const ORDER_MARK: &str = "The file begins with a byte order mark, at which the authors' program (Python's json.load) stops: in the released profile nothing in it counts.";
    if marks.has_order_mark {
        replies.refuse(0..u32::MAX, Fault::Undecodable, ORDER_MARK);
    } else {
        refuse_text(marks, replies);
    }
}

/// What Python's `read` makes of a text file that is not UTF-8: nothing.
pub(crate) fn refuse_text(marks: Marks, replies: &mut ReplyFile) {
    if marks.is_broken {
        replies.refuse(0..u32::MAX, Fault::Undecodable, NOT_UTF8);
    }
}

const NOT_UTF8: &str = "The file is not UTF-8 throughout, at which the authors' program (Python) stops: in the released profile nothing in it counts.";

/// One line of judge output.
#[derive(Clone, Debug)]
pub struct ReplyLine {
    /// Line number, from 1.
    pub number: u32,
    /// Sample id; `None` if the line has none.
    pub sample: Option<String>,
    /// Index into [`ReplyFile::domains`].
    pub domain: u16,
}

/// One reply as it stands in a file.
#[derive(Clone, Debug)]
pub struct StoredReply {
    /// Index into [`ReplyFile::lines`].
    pub line: u32,
    /// Turn, from 0; absent if the file's key names no turn.
    pub turn: Index,
    /// Index into [`ReplyFile::criteria`].
    pub criterion: u16,
    /// Bytes of the reply in [`ReplyFile::text`].
    pub raw: Range<u32>,
    /// Both readings.
    pub readings: Readings,
}

/// A line that could not be read.
#[derive(Clone, Debug)]
pub struct LineProblem {
    /// Line number, from 1.
    pub line: u32,
    /// `bad_line`, `no_idx`, …
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: &'static str,
}

/// What is wrong with lines of a file: of each kind the first ones, the others as a count.
#[derive(Clone, Debug, Default)]
pub struct LineProblems {
    first: Vec<LineProblem>,
    /// How many of each kind there are.
    counts: BTreeMap<&'static str, usize>,
}

impl LineProblems {
    /// Notes a problem; beyond [`limits::FINDINGS_PER_FILE`] of its kind it is only counted.
    pub fn push(&mut self, problem: LineProblem) {
        let count = self.counts.entry(problem.code).or_default();
        *count += 1;
        if *count <= limits::FINDINGS_PER_FILE {
            self.first.push(problem);
        }
    }

    /// The kinds with problems that are only counted, and how many.
    pub fn more(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.counts.iter().filter_map(|(code, count)| {
            let more = count.checked_sub(limits::FINDINGS_PER_FILE)?;
            (more > 0).then_some((*code, more))
        })
    }
}

impl Deref for LineProblems {
    type Target = [LineProblem];

    fn deref(&self) -> &Self::Target {
        &self.first
    }
}

/// One reply given for a model, from whatever source, linked to the benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// Position of the sample; absent if the benchmark does not have it.
    pub sample: Index,
    /// Number of the turn among all turns; absent if the benchmark does not have it.
    pub slot: Index,
    /// Turn as the reply names it.
    pub turn: Index,
    /// Index into [`ModelData::criteria`].
    pub criterion: u16,
    /// Index into [`ModelData::domains`]: the domain that the reply's own line names.
    pub domain: u16,
    /// Index into [`ModelData::judges`].
    pub judge: u16,
    /// Run, from 1.
    pub run: u32,
    /// Both readings; of a reply with several numbers, only whether it could be read.
    pub readings: Readings,
    /// Index into [`ModelData::verdicts`], for a reply with several numbers.
    pub verdict: Index,
    /// Source: index into the world's reply sources, and the reply's position in it.
    pub origin: (u32, u32),
    /// Line, for messages.
    pub line: u32,
}

impl Given {
    /// Set in [`Given::judge`] while the reply is left out by the choice of a run; nobody has so many judges.
    pub const LEFT_OUT: u16 = 1 << 15;

    /// Whether the judge gave this reply, be it left out or not.
    pub fn is_ever_by(&self, judge: u16) -> bool {
        self.judge & !Self::LEFT_OUT == judge
    }
}

/// The state of one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputState {
    /// Present, as far as is known.
    Present,
    /// No file of the expected name.
    Missing,
    /// The file is no picture or text that can be shown or judged.
    Unreadable,
    /// The file is there, but the host could not bring its bytes: nothing is known about it.
    Inaccessible,
    /// The model's folder holds no outputs at all: only replies were given, so nothing is said about outputs.
    NotGiven,
}

impl OutputState {
    /// What keeps the output from being judged.
    pub(crate) fn incident(self) -> Option<IncidentKind> {
        match self {
            Self::Present | Self::NotGiven => None,
            Self::Missing => Some(IncidentKind::MissingOutput),
            Self::Unreadable => Some(IncidentKind::UnreadableOutput),
            Self::Inaccessible => Some(IncidentKind::InaccessibleOutput),
        }
    }
}

/// Everything known about one model.
#[derive(Clone, Debug, Default)]
pub struct ModelData {
    /// Name and files.
    pub submission: Submission,
    /// State of the output of each turn.
    pub outputs: Vec<OutputState>,
    /// Text answers by turn number.
    pub answers: HashMap<u32, String>,
    /// All replies, in source order.
    pub given: Vec<Given>,
    /// What those replies say that give several numbers.
    pub verdicts: Vec<Verdict>,
    /// Kinds of request that replies answer, those of the protocol first; in WEAVEBench they are the criteria.
    pub criteria: Vec<String>,
    /// Domain names.
    pub domains: Vec<String>,
    /// Judge ids; the first is that of files that name none.
    pub judges: Vec<String>,
    /// Whether files that hold or may hold its replies could not be opened.
    pub has_unread_replies: bool,
    /// Whether any reply is of a run after the first.
    pub has_runs: bool,
    /// Replies per criterion.
    pub num_given: Vec<u32>,
    /// Replies per judge.
    pub num_by_judge: Vec<u32>,
}

impl ModelData {
    /// What keeps a request from being scored that no reply was found to.
    pub(crate) fn without_reply(&self) -> IncidentKind {
        if self.has_unread_replies {
            IncidentKind::InaccessibleReply
        } else {
            IncidentKind::MissingReply
        }
    }

    /// Counts the replies, once they are all there.
    pub fn count_given(&mut self) {
        self.num_given = vec![0; self.criteria.len()];
        self.num_by_judge = vec![0; self.judges.len()];
        for given in &self.given {
            self.num_given[usize::from(given.criterion)] += 1;
            self.num_by_judge[usize::from(given.judge)] += 1;
            self.has_runs |= given.run > 1;
        }
    }

    /// The replies of one source, of the next one, …; those of one follow one another.
    pub fn by_source(&self) -> impl Iterator<Item = &[Given]> {
        let mut left = self.given.as_slice();
        std::iter::from_fn(move || {
            let source = left.first()?.origin.0;
            let num_own = left.partition_point(|given| given.origin.0 == source);
            let (own, others) = left.split_at(num_own);
            left = others;
            Some(own)
        })
    }
}

/// What a protocol computes from: the benchmark, the models and their replies.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// Listed files.
    pub tree: &'a FileTree,
    /// Samples.
    pub benchmark: &'a Benchmark,
    /// Models by name.
    pub models: &'a [ModelData],
}

impl World<'_> {
    /// The model of this name.
    pub fn model(&self, name: &str) -> Option<&ModelData> {
        self.models
            .iter()
            .find(|model| model.submission.name == name)
    }

    /// The sample of this id.
    pub fn sample(&self, id: &str) -> Option<&Sample> {
        let at = self.benchmark.index_of(id)?;
        self.benchmark.samples.get(at as usize)
    }

    /// Position, sample, turn number and turn of a key.
    pub fn turn(&self, sample: &str, turn: u32) -> Option<(u32, &Sample, u32, &Turn)> {
        let index = self.benchmark.index_of(sample)?;
        let slot = self.benchmark.turn_slot(index, turn)?;
        let sample = &self.benchmark.samples[index as usize];
        Some((index, sample, slot, &sample.turns[turn as usize]))
    }
}

/// Two files whose metric is a reply: one that was made of an output, and what it is held against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePair {
    /// Model.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// The kind of request that it answers.
    pub criterion: &'static str,
    /// Who would have answered it.
    pub judge: &'static str,
    /// Id of the metric.
    pub metric: &'static str,
    /// What was made of the output.
    pub candidate: Option<FileId>,
    /// What it is held against.
    pub reference: Option<FileId>,
    /// The file that is wanted where one of the two is missing.
    pub missing: String,
}

/// A judge request before it is hashed.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The system message, where the authors send one in front.
    pub system: Option<String>,
    /// Parts in order.
    pub parts: Vec<PartView>,
    /// What to know about it.
    pub notes: Vec<String>,
}

/// What a generator is given.
#[derive(Clone, Debug, Default)]
pub struct GeneratorInput {
    /// Messages in order.
    pub messages: Vec<InputMessage>,
    /// Pictures in order.
    pub pictures: Vec<FileId>,
    /// What to know about it.
    pub notes: Vec<String>,
}

impl GeneratorInput {
    /// Parts in one message of the user.
    pub(crate) fn one_message(parts: Vec<PartView>, notes: Vec<String>) -> Self {
        let pictures = parts.iter().filter_map(|part| match part {
            PartView::Image { file, .. } => *file,
            PartView::Text { .. } => None,
        });
        Self {
            pictures: pictures.collect(),
            messages: vec![InputMessage {
                role: "user".to_owned(),
                parts,
            }],
            notes,
        }
    }
}

/// What scoring gives.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    /// Score rows of all models.
    pub rows: Vec<ScoreRow>,
    /// Groups in display order.
    pub scopes: Vec<ScopeInfo>,
    /// Per model: what it is judged on, and each unit's fate.
    pub models: Vec<ModelScores>,
}

/// One model's part of the scores.
#[derive(Clone, Debug, Default)]
pub struct ModelScores {
    /// `img`, `txt` or `umm`.
    pub mode: &'static str,
    /// Per judge, in the order of [`ModelData::judges`].
    pub judges: Vec<JudgeScores>,
}

/// One judge's units for one model.
#[derive(Clone, Debug, Default)]
pub struct JudgeScores {
    /// Judge id.
    pub judge: String,
    /// One entry per expected unit, in benchmark order.
    pub units: Vec<Unit>,
    /// Per sample: total on the printed scale.
    pub totals: Vec<Option<f64>>,
    /// Why there are no numbers at all.
    pub stopped: Option<String>,
    /// Which of [`ModelData::given`] entered the score.
    pub counted: Vec<bool>,
    /// What the units come to in each criterion, in the order of units; empty where a unit is a criterion.
    pub parts: Vec<Part>,
}

/// One criterion score of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Index into [`JudgeScores::units`].
    pub unit: u32,
    /// Index into [`Protocol::criteria`].
    pub criterion: u16,
    /// The number that entered the mean, on the judge's scale.
    pub value: f64,
}

/// One expected reply and its fate.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Position of the sample.
    pub sample: u32,
    /// Turn, from 0.
    pub turn: u32,
    /// Index into [`ModelData::criteria`].
    pub criterion: u16,
    /// Run, from 1 (where runs are pooled, the first one that has a reply).
    pub run: u32,
    /// What is wrong; `None` if the unit was scored.
    pub incident: Option<IncidentKind>,
    /// The number that entered the mean, on the judge's scale; of several numbers, what the protocol makes of them.
    pub counted: Number,
    /// The reply behind it: index into [`ModelData::given`].
    pub given: Index,
}

/// What kept a unit from being scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IncidentKind {
    /// No output file.
    MissingOutput,
    /// The output cannot be read.
    UnreadableOutput,
    /// The host could not bring the output's bytes.
    InaccessibleOutput,
    /// Not judged.
    MissingReply,
    /// There may be a reply in a file whose bytes the host could not bring.
    InaccessibleReply,
    /// The call failed.
    FailedCall,
    /// The reply is not in the grammar.
    Unparsable,
    /// The score is outside the scale.
    OutOfRange,
    /// There is no picture to measure the output against.
    NoCounterpart,
    /// Output and counterpart differ in size, and nothing was to be resized.
    SizeDiffers,
    /// The metric has no value for the pair.
    Unmeasurable,
    /// Not measured.
    NotMeasured,
}

impl IncidentKind {
    /// All kinds, in display order.
    pub const ALL: [Self; 12] = [
        Self::MissingOutput,
        Self::UnreadableOutput,
        Self::InaccessibleOutput,
        Self::MissingReply,
        Self::InaccessibleReply,
        Self::FailedCall,
        Self::Unparsable,
        Self::OutOfRange,
        Self::NoCounterpart,
        Self::SizeDiffers,
        Self::Unmeasurable,
        Self::NotMeasured,
    ];

    /// Stable name.
    pub fn id(self) -> &'static str {
        match self {
            Self::MissingOutput => "missing_output",
            Self::UnreadableOutput => "unreadable_output",
            Self::InaccessibleOutput => "inaccessible_output",
            Self::MissingReply => "missing_reply",
            Self::InaccessibleReply => "inaccessible_reply",
            Self::FailedCall => "failed_call",
            Self::Unparsable => "unparsable",
            Self::OutOfRange => "out_of_range",
            Self::NoCounterpart => "no_counterpart",
            Self::SizeDiffers => "size_differs",
            Self::Unmeasurable => "unmeasurable",
            Self::NotMeasured => "not_measured",
        }
    }

    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            Self::MissingOutput => "Output is missing",
            Self::UnreadableOutput => "Output cannot be read",
            Self::InaccessibleOutput => "Output could not be opened",
            Self::MissingReply => "Not judged",
            Self::InaccessibleReply => "Reply file could not be opened",
            Self::FailedCall => "Judging failed",
            Self::Unparsable => "Reply cannot be read",
            Self::OutOfRange => "Score is outside the scale",
            Self::NoCounterpart => "Nothing to measure against",
            Self::SizeDiffers => "Sizes differ",
            Self::Unmeasurable => "The metric has no value",
            Self::NotMeasured => "Not measured",
        }
    }

    /// Whether only measured values have it: those are always left out.
    pub fn is_of_measure(self) -> bool {
        matches!(
            self,
            Self::NoCounterpart | Self::SizeDiffers | Self::Unmeasurable | Self::NotMeasured
        )
    }

    /// Whether a file could not be opened, which says nothing about model or judge: always left out.
    pub fn is_of_access(self) -> bool {
        matches!(self, Self::InaccessibleOutput | Self::InaccessibleReply)
    }

    /// Whether it befell the output itself, so that it is the same for every judge.
    pub fn is_of_output(self) -> bool {
        matches!(
            self,
            Self::MissingOutput | Self::UnreadableOutput | Self::InaccessibleOutput
        )
    }

    /// Whether the model is at fault rather than the judging.
    pub fn is_models(self) -> bool {
        matches!(self, Self::MissingOutput | Self::UnreadableOutput)
    }
}

/// The units of a model's judges with an incident; what befell an output is given once, however many of them would have rated
/// it.
pub(crate) fn units_with_incidents<'a>(
    judges: impl Iterator<Item = &'a JudgeScores>,
) -> impl Iterator<Item = (&'a Unit, IncidentKind)> {
    let mut seen = HashSet::new();
    let units = judges.flat_map(|judge| &judge.units);
    units.filter_map(move |unit| {
        let kind = unit.incident?;
        let place = (unit.sample, unit.turn, unit.criterion, unit.run);
        (!kind.is_of_output() || seen.insert(place)).then_some((unit, kind))
    })
}

impl Scores {
    /// The incidents behind the scores, with their details.
    pub fn incidents(
        &self,
        world: &World<'_>,
        detail: impl Fn(&ModelData, &Unit, IncidentKind) -> String,
    ) -> Vec<Incident> {
        let mut incidents = Vec::new();
        self.for_units(world, |model, judge, unit, _| {
            let Some(kind) = unit.incident else { return };
            incidents.push(Incident {
                model: model.submission.name.clone(),
                judge: judge.judge.clone(),
                run: unit.run,
                sample: world.benchmark.samples[unit.sample as usize].id.clone(),
                turn: unit.turn,
                criterion: model.criteria[unit.criterion as usize].clone(),
                kind: kind.id().to_owned(),
                detail: detail(model, unit, kind),
            });
        });
        incidents
    }

    /// One row per expected unit, or per criterion of it where one reply gives several.
    pub fn sample_rows(&self, world: &World<'_>, criteria: &[CriterionInfo]) -> Vec<SampleRow> {
        let mut rows = Vec::new();
        self.for_units(world, |model, judge, unit, parts| {
            let row = |criterion: &str, score: Option<f64>| SampleRow {
                model: model.submission.name.clone(),
                judge: judge.judge.clone(),
                run: unit.run,
                sample: world.benchmark.samples[unit.sample as usize].id.clone(),
                turn: unit.turn,
                criterion: criterion.to_owned(),
                score,
                status: unit.incident.map_or("ok", IncidentKind::id).to_owned(),
            };
            let name = |part: &Part| criteria.get(usize::from(part.criterion));
            if parts.is_empty() {
                rows.push(row(
                    &model.criteria[unit.criterion as usize],
                    unit.counted.get(),
                ));
            }
            rows.extend(
                parts
                    .iter()
                    .map(|part| row(name(part).map_or("", |info| &info.id), Some(part.value))),
            );
        });
        rows
    }

    fn for_units(
        &self,
        world: &World<'_>,
        mut each: impl FnMut(&ModelData, &JudgeScores, &Unit, &[Part]),
    ) {
        for (model, scores) in world.models.iter().zip(&self.models) {
            for judge in &scores.judges {
                let mut parts = judge.parts.as_slice();
                for (at, unit) in (0u32..).zip(&judge.units) {
                    let (own, rest) = parts.split_at(parts.partition_point(|part| part.unit <= at));
                    each(model, judge, unit, own);
                    parts = rest;
                }
            }
        }
    }
}

/// The position of a name in a list, which grows if the name is new.
pub(crate) fn intern(names: &mut Vec<String>, index: &mut Keyed, name: &str) -> u16 {
    let known = index.find(name, names, |known| known);
    let at = known.unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    });
    u16::try_from(at).unwrap_or(u16::MAX)
}
