//! One user's work: the files that were opened, what was read of them, and every view of it.
//!
//! The session does no I/O: [`Session::wants`] names the next reads, the host brings the bytes to [`Session::provide`].
//! So the browser, the command line and the tests drive the very same code.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use crate::journal::{self, Journal, Record};
use crate::judging::reading;
use crate::limits::{self, ANSWER_BYTES, RATINGS_BYTES};
use crate::measure::{Measure, MeasureFile};
use crate::model::ability::Ability;
use crate::model::host::{FileMeta, Phase, Progress, Want};
use crate::model::linked::ModelData;
use crate::model::options::ScoreOptions;
use crate::model::problem::{Problem, Severity};
use crate::model::reply::ReplyFile;
use crate::model::sample::{Benchmark, Candidate, Texts, TurnKind};
use crate::model::score::Scores;
use crate::model::submission::Submission;
use crate::model::terms::Difference;
use crate::pack::{Manifest, Pictures};
use crate::prompt::{self, PromptPack};
use crate::protocol::contract::{Loaded, Protocol, ProtocolHandle};
use crate::py::shorten;
use crate::ratings::{self, Rating};
use crate::small::SortSmall;
use crate::text::{self, Marks, Text};
use crate::tree::{BadPath, FileId, FileTree, base_name};

mod agents;
mod agreement;
mod chosen;
pub mod compare;
pub mod conditions;
pub mod declaring;
mod filter;
pub mod groups;
mod health;
mod heard;
mod highlights;
mod judging;
mod link;
pub mod lint;
mod list;
pub mod measures;
mod naming;
mod overview;
mod pack;
pub mod plots;
mod rating;
mod report;
mod request;
mod sample;
mod standing;
mod tables;

pub use agents::{
    add_trajectories, agent_body, agent_call, agent_export, agent_files, agent_sets, agent_strips,
    plan_agents, trajectories,
};
pub use agreement::{agreement, agreement_pair, ratings_template};
pub use chosen::judges_and_runs;
pub use compare::standings::standings;
pub use compare::{compare, paired_samples};
pub use conditions::{condition_plan, condition_records};
pub use declaring::{benchmark_choices, choose_benchmark};
pub use groups::row_units;
pub use health::{check_needs, check_replies, judge_health, plan_anchors};
pub use highlights::highlights;
pub use judging::{
    add_records, benchmark_id, is_computed, job_body, judge_called, plan_job, record_head,
};
pub use lint::{lint, lint_needs, lint_report, print_needs, provide_print};
pub use list::{complete_filter, facets, facets_in_parts, group_filter, samples, samples_in_parts};
pub use measures::{
    add_measures, drop_measures, import_measures, measure_offer, measure_plan, measures,
};
pub use naming::{judge_names, name_judges, unname_judges, unstated_judges};
pub use overview::{overview, problems, score_rows, unknown_files};
pub use pack::{
    add_pack, add_pack_as_stated, add_pack_journal, pack_items, pack_texts, verify_pack,
};
pub use plots::{behind, plot};
pub use rating::{rate_item, rate_plan, ratings_csv, read_ratings, use_ratings};
pub use report::report;
pub use request::{
    generator_input, parse, paste, provide_picture, read_replies, remove_pasted, request,
    sheet_heading,
};
pub use sample::sample;
pub use standing::{problems_of_standing, unopened};
pub use tables::tables;

/// How much of a picture is read to learn its size.
const HEAD_BYTES: u64 = 4 << 10;
/// Files that nobody claims and whose beginning is looked at.
const MAX_GLIMPSES: usize = 20;
/// Problems of one code that are listed one by one.
const MAX_PROBLEMS_PER_CODE: usize = limits::FINDINGS_PER_FILE;

/// What a picture's header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probed {
    /// A picture of this size.
    Picture {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The header does not end within the bytes given.
    NeedMore {
        /// How many bytes from the start are needed.
        bytes: u64,
    },
    /// Not a picture that can be shown or judged.
    Bad {
        /// What was found.
        message: String,
        /// What to do.
        hint: String,
    },
    /// The header is sound, but the picture behind it does not decode: it is cut off or damaged.
    Corrupt {
        /// What was found.
        message: String,
        /// What to do.
        hint: String,
    },
}

/// Why a whole picture does not decode, though its header is sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecodable {
    /// What was found.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl Probed {
    /// What is wrong and what to do, where the file cannot be shown or judged.
    pub(crate) fn fault(&self) -> Option<(&str, &str)> {
        match self {
            Self::Bad { message, hint } | Self::Corrupt { message, hint } => Some((message, hint)),
            Self::Picture { .. } | Self::NeedMore { .. } => None,
        }
    }
}

/// Reads a picture's header: the first bytes of a file and the file's size. Injected, as this crate decodes nothing.
pub type Probe = fn(&[u8], u64) -> Probed;

/// Why a request to the session cannot be met; `code` is stable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct SessionError {
    /// `no_benchmark`, `unknown_sample`, `unknown_model`, …
    pub code: &'static str,
    /// In words.
    pub message: String,
}

impl SessionError {
    pub(crate) fn new(code: &'static str, message: String) -> Self {
        Self { code, message }
    }
}

/// The state of one user's work.
#[derive(Debug)]
pub struct Session {
    probe: Probe,
    tree: FileTree,
    /// Reads a file that may be a journal.
    read_journal: fn(&str) -> Journal,
    /// What is done with measured values.
    measuring: measures::Measuring,
    /// Notes of a file of replies what makes searches in it quick.
    look_through: fn(&mut ReplyFile),
    /// The protocols that files are tried against, in order.
    protocols: &'static [&'static dyn Protocol],
    /// The one that the files at hand are read by.
    protocol: ProtocolHandle,
    /// Path of the file that stands for the benchmark which the user chose, where several may be meant.
    chosen: Option<String>,
    /// What the benchmark was loaded from, or is being read from.
    candidate: Option<Suggested>,
    benchmark: Option<Arc<Benchmark>>,
    packs: Vec<PromptPack>,
    /// Folder that each pack was found in, the built-in one's empty.
    pack_roots: Vec<String>,
    pack: usize,
    read: Read,
    pasted: Vec<Record>,
    /// Judges named by hand, by the path of the file or folder of replies that does not state its own.
    named_judges: BTreeMap<String, String>,
    /// Calls of agent loops that were kept.
    trajectories: Vec<crate::agents::Record>,
    /// Ratings that the host keeps, beside those in files.
    kept_ratings: Vec<Rating>,
    /// Values that were measured in this session, beside those in files.
    measures: Vec<Measure>,
    reads: Reads,
    path_problems: Vec<Problem>,
    /// Folders that the host could not list, with the reason.
    closed_folders: Vec<(String, String)>,
    cache: Cache,
}

/// What was read of the files.
#[derive(Debug, Default)]
struct Read {
    /// Candidates that turned out to be something else.
    refused: HashSet<Suggested>,
    /// Why, with the candidate's rank.
    list_problems: Vec<(u8, Problem)>,
    /// Protocol files that declare nothing here, and why.
    set_aside: BTreeMap<FileId, Problem>,
    /// Texts that a benchmark is or may be made of.
    texts: Texts,
    prompt_texts: BTreeMap<FileId, String>,
    replies: BTreeMap<FileId, ReplyFile>,
    journals: BTreeMap<FileId, (String, Journal)>,
    /// People's ratings: the file's text, what it says, and what is wrong with it.
    ratings: BTreeMap<FileId, (String, Vec<Rating>, Vec<Problem>)>,
    /// Records of agent loops.
    trajectories: BTreeMap<FileId, crate::agents::File>,
    /// Measured values: the file's text and what it says.
    measures: BTreeMap<FileId, (String, MeasureFile)>,
    /// JSONL and CSV files that are neither journals nor ratings: somebody else's.
    foreign: HashSet<FileId>,
    /// Manifests of evidence packs that were unpacked, with how their pictures went in; `None` if it is something else.
    unpacked: BTreeMap<FileId, Option<Pictures>>,
    answers: HashMap<FileId, String>,
    /// Text answers beyond [`ANSWER_BYTES`].
    too_large: HashSet<FileId>,
    pictures: HashMap<FileId, Probed>,
    /// Pictures that need not be decoded any more: they were, or a pack's manifest stands for them.
    decoded: HashSet<FileId>,
    /// Pictures of a pack of which its manifest says that they do not decode.
    stated: HashMap<FileId, Probed>,
    not_utf8: BTreeSet<FileId>,
    failures: HashMap<FileId, (Phase, String)>,
    /// Those among them that are damaged entries of ZIP files.
    damaged: HashSet<FileId>,
    /// Files that nobody claims and whose beginning was looked at: whether they are of a benchmark that is not shown.
    glimpsed: BTreeMap<FileId, bool>,
    hashes: HashMap<FileId, String>,
    /// Requests that replies answer and that are others now, as the last check found.
    stale: HashSet<health::Asked>,
    /// What whole pictures look like, or why they cannot be decoded.
    prints: HashMap<FileId, Result<lint::Fingerprint, String>>,
}

/// A candidate and the protocol that suggests it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Suggested {
    protocol: usize,
    candidate: Candidate,
}

/// Reads handed out and still to hand out.
#[derive(Debug, Default)]
struct Reads {
    queue: VecDeque<Want>,
    pending: HashMap<FileId, Want>,
    phase: Option<Phase>,
    total: u32,
    done: u32,
}

/// Everything derived, rebuilt when its ground has changed.
#[derive(Debug, Default)]
struct Cache {
    candidates: Option<Vec<Suggested>>,
    submissions: Option<Vec<Submission>>,
    linked: Option<link::Linked>,
    scores: Option<(ScoreOptions, Scores)>,
    /// Under a choice of judge and run.
    differences: Option<(chosen::Choice, Vec<Difference>)>,
    list: Option<Box<list::ListInputs>>,
    ratings: Option<ratings::Merged>,
    measures: Option<measures::MergedMeasures>,
}

impl std::fmt::Debug for dyn Protocol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

impl Session {
    /// A session without files that knows every built-in protocol.
    pub fn new(probe: Probe) -> Self {
        Self {
            read_journal: reading::read,
            measuring: measures::Measuring::FULL,
            look_through: filter::look_through,
            ..Self::with_protocols(probe, crate::protocol::registry::ALL)
        }
    }

    /// A session without files that knows these protocols only, and no results of batch engines, and prepares no files for searches; a program that names few of them links no more.
    ///
    /// # Panics
    /// There is none among them.
    pub fn with_protocols(probe: Probe, protocols: &'static [&'static dyn Protocol]) -> Self {
        let protocol = protocols[0];
        Self {
            probe,
            read_journal: journal::read_records,
            measuring: measures::Measuring::NONE,
            look_through: |_| (),
            tree: FileTree::default(),
            protocols,
            protocol: ProtocolHandle::BuiltIn(protocol),
            chosen: None,
            candidate: None,
            benchmark: None,
            packs: vec![protocol.built_in_pack()],
            pack_roots: vec![String::new()],
            pack: 0,
            read: Read::default(),
            pasted: Vec::new(),
            named_judges: BTreeMap::new(),
            trajectories: Vec::new(),
            kept_ratings: Vec::new(),
            measures: Vec::new(),
            reads: Reads::default(),
            path_problems: Vec::new(),
            closed_folders: Vec::new(),
            cache: Cache::default(),
        }
    }

    /// Adds listed files; the first gets the number that is returned, the others follow in order.
    pub fn add_files(&mut self, files: &[FileMeta]) -> FileId {
        let first = FileId::try_from(self.tree.len()).unwrap_or(FileId::MAX);
        for meta in files {
            let (_, result) = self.tree.add(meta);
            if let Err(reason) = result {
                self.path_problems.push(bad_path(&meta.path, reason));
            }
        }
        self.cache = Cache::default();
        self.reads.phase = None;
        self.read.stale.clear();
        self.reconsider();
        self.reload();
        first
    }

    /// The path of a file; empty for an unknown number.
    pub fn path(&self, file: FileId) -> &str {
        self.tree.path(file)
    }

    /// The reads that are wanted now, at most `limit`; each is handed out once.
    ///
    /// Empty while earlier ones are under way, and at the end.
    pub fn wants(&mut self, limit: usize) -> Vec<Want> {
        if self.reads.queue.is_empty() && self.reads.pending.is_empty() {
            self.plan();
        }
        let count = limit.min(self.reads.queue.len());
        let wants: Vec<Want> = self.reads.queue.drain(..count).collect();
        self.reads
            .pending
            .extend(wants.iter().map(|want| (want.file, *want)));
        wants
    }

    /// Puts the reads of these files before the others that were not handed out yet: somebody looks at them.
    pub fn hasten(&mut self, files: &[FileId]) {
        let seen: HashSet<FileId> = files.iter().copied().collect();
        let queue = std::mem::take(&mut self.reads.queue);
        let (first, rest): (Vec<Want>, Vec<Want>) = queue
            .into_iter()
            .partition(|want| seen.contains(&want.file));
        self.reads.queue = first.into_iter().chain(rest).collect();
    }

    /// Takes the bytes of a wanted read.
    pub fn provide(&mut self, file: FileId, bytes: Vec<u8>) {
        let Some(want) = self.reads.pending.remove(&file) else {
            return;
        };
        self.reads.done += 1;
        let num_bytes = bytes.len() as u64;
        if self.tree.size(file).is_none() && want.head.is_none_or(|head| num_bytes < head) {
            self.tree.learn_size(file, num_bytes);
        }
        match want.phase {
            Phase::Answers if num_bytes > ANSWER_BYTES => {
                // As much as was read shows that it is too large.
                let known = self.tree.size(file).unwrap_or(num_bytes);
                self.tree.learn_size(file, known);
                self.read.too_large.insert(file);
                self.cache.relink();
            }
            Phase::Pictures => self.take_picture(want, &bytes),
            Phase::Decoding => self.take_stated(file),
            Phase::Answers => {
                let (text, _) = self.text(file, bytes);
                self.read.answers.insert(file, text);
                self.cache.relink();
            }
            Phase::Replies => {
                let (text, marks) = self.text(file, bytes);
                if self.may_be_manifest(self.tree.path(file)) {
                    let manifest = Manifest::read(&text).ok();
                    let pictures = manifest.map(|manifest| manifest.pictures);
                    self.read.unpacked.insert(file, pictures);
                } else if may_be_ratings(self.tree.path(file)) {
                    match ratings::read(self.tree.path(file), &text) {
                        Some((found, problems)) => {
                            self.read.ratings.insert(file, (text, found, problems));
                        }
                        None => {
                            self.read.foreign.insert(file);
                        }
                    }
                } else if let Some(found) = self.trajectories_in(file, &text) {
                    self.read.trajectories.insert(file, found);
                } else if let Some(found) = self.measures_in(file, &text) {
                    self.read.measures.insert(file, (text, found));
                } else if may_be_journal(self.tree.path(file)) && !self.is_reply_file(file) {
                    let journal = (self.read_journal)(&text);
                    let is_named_journal = base_name(self.tree.path(file)).contains("journal");
                    if journal.records.is_empty() && !journal.is_batch && !is_named_journal {
                        self.read.foreign.insert(file);
                    } else {
                        self.read.journals.insert(file, (text, journal));
                    }
                } else {
                    let path = self.tree.path(file);
                    let mut replies = self.protocol.read_replies(path, text);
                    self.protocol.mark_replies(path, marks, &mut replies);
                    (self.look_through)(&mut replies);
                    self.read.replies.insert(file, replies);
                }
                self.cache.relink();
            }
            Phase::Benchmark if want.is_glimpse() => {
                let head = text::read(bytes).text;
                let others = self
                    .protocols
                    .iter()
                    .filter(|one| one.id() != self.protocol.id());
                let is_of_another = others.into_iter().any(|one| one.is_begun_by(&head));
                self.read.glimpsed.insert(file, is_of_another);
            }
            Phase::Benchmark if self.is_reading(file) => {
                let (text, _) = self.text(file, bytes);
                self.read.texts.insert(file, text);
                self.load_when_read();
            }
            Phase::Benchmark => {
                let (text, _) = self.text(file, bytes);
                self.take_prompts(file, text);
            }
        }
    }

    /// Whether the file belongs to a candidate that is being read.
    fn is_reading(&self, file: FileId) -> bool {
        self.benchmark.is_none()
            && (self.candidate_files().any(|own| own == file) || self.is_of_a_declaration(file))
    }

    /// The files of the candidate at hand, those included that its texts so far name.
    fn candidate_files(&self) -> impl Iterator<Item = FileId> {
        self.candidate.iter().flat_map(|suggested| {
            let protocol = self.protocols[suggested.protocol];
            let named = protocol.further_files(&self.tree, &suggested.candidate, &self.read.texts);
            suggested.candidate.files.iter().copied().chain(named)
        })
    }

    /// Whether a model's folder says that this is a file of judge output.
    fn is_reply_file(&self, file: FileId) -> bool {
        let mut submissions = self.cache.submissions.iter().flatten();
        submissions.any(|model| model.reply_files.contains(&file))
    }

    /// The records of agent loops in a file that may hold some.
    fn trajectories_in(&self, file: FileId, text: &str) -> Option<crate::agents::File> {
        let may = may_be_journal(self.tree.path(file)) && !self.is_reply_file(file);
        (may && self.protocol.can(Ability::Agents))
            .then(|| crate::agents::read(text))
            .flatten()
    }

    /// The measured values in a file that may hold some.
    fn measures_in(&self, file: FileId, text: &str) -> Option<MeasureFile> {
        let may = may_be_journal(self.tree.path(file)) && !self.is_reply_file(file);
        may.then(|| (self.measuring.read)(text)).flatten()
    }

    /// Takes what came of decoding a picture that was wanted in [`Phase::Decoding`]: nothing wrong, or what and the mend.
    ///
    /// A host that cannot decode calls [`Session::provide`] instead: the header then stands for the picture.
    pub fn provide_decoded(&mut self, file: FileId, found: Result<(), Undecodable>) {
        let is_wanted =
            matches!(self.reads.pending.get(&file), Some(want) if want.phase == Phase::Decoding);
        if !is_wanted {
            return;
        }
        self.reads.pending.remove(&file);
        self.reads.done += 1;
        self.read.decoded.insert(file);
        if let Err(Undecodable { message, hint }) = found {
            let corrupt = Probed::Corrupt { message, hint };
            self.read.pictures.insert(file, corrupt);
            self.cache.relink();
        }
    }

    /// Takes note that a wanted read did not work.
    pub fn failed(&mut self, file: FileId, message: &str) {
        let Some(want) = self.reads.pending.remove(&file) else {
            return;
        };
        self.reads.done += 1;
        if want.is_glimpse() {
            self.read.glimpsed.insert(file, false);
            return;
        }
        self.read
            .failures
            .insert(file, (want.phase, message.to_owned()));
        self.cache.relink();
        if self.is_reading(file) {
            self.load_when_read();
        }
    }

    /// Takes note that a wanted read did not work, as the bytes in a ZIP are not those that were packed; `why` in words.
    pub fn damaged_entry(&mut self, file: FileId, zip: &str, entry: &str, why: &str) {
        self.read.damaged.insert(file);
        self.failed(
            file,
            &format!("The entry “{entry}” of {zip} is damaged: {why}."),
        );
    }

    /// Takes note of a folder that the host could not list: what is not found there counts as missing nowhere.
    pub fn add_closed_folder(&mut self, path: &str, message: &str) {
        self.closed_folders
            .push((path.replace('\\', "/"), message.to_owned()));
        self.cache.relink();
    }

    /// Asks again for every file whose reading failed; how many they are.
    pub fn retry_failures(&mut self) -> u32 {
        let failed = std::mem::take(&mut self.read.failures);
        self.read.damaged.clear();
        if failed.is_empty() {
            return 0;
        }
        let has_failed = |suggested: &Suggested| {
            let mut files = suggested.candidate.files.iter();
            files.any(|file| failed.contains_key(file))
        };
        let tree = &self.tree;
        let refused = &mut self.read.refused;
        let problems = &mut self.read.list_problems;
        refused.retain(|suggested| {
            let stays = !has_failed(suggested);
            if !stays {
                let mut paths = suggested
                    .candidate
                    .files
                    .iter()
                    .map(|file| tree.path(*file));
                let own: Vec<&str> = paths.by_ref().collect();
                problems.retain(|(_, problem)| !own.contains(&problem.path.as_str()));
            }
            stays
        });
        self.cache = Cache::default();
        self.reads.phase = None;
        let is_of_benchmark = |(phase, _): &(Phase, String)| *phase == Phase::Benchmark;
        if failed.values().any(is_of_benchmark) {
            self.reload();
        }
        count(failed.len())
    }

    /// How far loading has come.
    pub fn progress(&mut self) -> Progress {
        if self.reads.queue.is_empty() && self.reads.pending.is_empty() {
            self.plan();
        }
        Progress {
            phase: self.reads.phase,
            done: self.reads.done,
            total: self.reads.total,
        }
    }

    /// Whether everything was read, and every picture decoded.
    pub fn is_complete(&mut self) -> bool {
        self.progress().phase.is_none()
    }

    /// The text of a file as [`text::read`] has it; where that is not the bytes, the file is remembered by its true hash.
    fn text(&mut self, file: FileId, bytes: Vec<u8>) -> (String, Marks) {
        let Text { text, marks, bytes } = text::read(bytes);
        if let Some(bytes) = bytes {
            self.read.hashes.insert(file, prompt::sha256(&bytes));
        }
        if marks.is_broken {
            self.read.not_utf8.insert(file);
        }
        (text, marks)
    }

    fn take_picture(&mut self, want: Want, bytes: &[u8]) {
        let size = self.tree.size(want.file).unwrap_or(u64::MAX);
        let probed = (self.probe)(bytes, size);
        let had = want.head.unwrap_or(u64::MAX);
        let probed = match probed {
            Probed::NeedMore { bytes } if bytes > had && had < size => {
                self.reads.done -= 1;
                let head = Some(bytes.max(had.saturating_mul(4)).min(size));
                self.reads.queue.push_back(Want { head, ..want });
                return;
            }
            Probed::NeedMore { .. } => Probed::Bad {
                message: "The picture's header is cut off.".to_owned(),
                hint: "Generate or copy the picture again.".to_owned(),
            },
            known => known,
        };
        let is_bad = probed.fault().is_some();
        self.read.pictures.insert(want.file, probed);
        if is_bad {
            self.cache.relink();
        }
    }

    /// Takes the word of a pack's manifest, if there is one, or of the header for a picture that the host cannot decode.
    fn take_stated(&mut self, file: FileId) {
        self.read.decoded.insert(file);
        if let Some(stated) = self.read.stated.remove(&file) {
            self.read.pictures.insert(file, stated);
            self.cache.relink();
        }
    }

    fn take_prompts(&mut self, file: FileId, text: String) {
        self.read.prompt_texts.insert(file, text);
        // The texts below one folder make a pack: two repositories dropped together stay two packs.
        let folder = self.protocol.prompt_root(self.tree.path(file));
        let files: Vec<(&str, &str)> = self
            .read
            .prompt_texts
            .iter()
            .map(|(file, text)| (self.tree.path(*file), text.as_str()))
            .filter(|(path, _)| self.protocol.prompt_root(path) == folder)
            .collect();
        let Some(pack) = self.protocol.official_pack(&files) else {
            return;
        };
        let is_known = |known: &PromptPack| known.info.sha256 == pack.info.sha256;
        if self.packs.iter().any(is_known) {
            return;
        }
        // More files of the same folder complete its pack.
        let earlier = self
            .pack_roots
            .iter()
            .skip(1)
            .position(|root| root == folder);
        let folder = folder.to_owned();
        if let Some(at) = earlier.map(|at| at + 1) {
            self.packs[at] = pack;
            self.pack = at;
        } else {
            self.packs.push(pack);
            self.pack_roots.push(folder);
            self.pack = self.packs.len() - 1;
        }
    }

    /// Loads the candidate at hand once all of it was read: files that were added meanwhile may be part of it.
    fn load_when_read(&mut self) {
        let is_under_way = !self.reads.queue.is_empty() || !self.reads.pending.is_empty();
        if !is_under_way && !self.waits_for_others() && self.unread().is_empty() {
            self.load();
        }
    }

    /// Makes the benchmark of the candidate at hand, or strikes the candidate off.
    fn load(&mut self) {
        let Some(suggested) = self.candidate.clone() else {
            return;
        };
        let protocol = self.protocols[suggested.protocol];
        match protocol.load(&self.tree, &suggested.candidate, &self.read.texts) {
            Ok(Loaded {
                benchmark,
                declared,
            }) => {
                self.benchmark = Some(Arc::new(benchmark));
                self.follow(
                    declared.map_or(ProtocolHandle::BuiltIn(protocol), ProtocolHandle::Declared),
                );
            }
            Err(problem) => {
                let rank = suggested.candidate.rank;
                self.read.list_problems.push((rank, *problem));
                self.read.refused.insert(suggested);
                self.candidate = None;
            }
        }
        let candidates = self.cache.candidates.take();
        self.cache = Cache {
            candidates,
            ..Cache::default()
        };
    }

    /// Gives candidates that name further files another try: those may be there now.
    fn reconsider(&mut self) {
        let (tree, protocols, texts) = (&self.tree, self.protocols, &self.read.texts);
        let problems = &mut self.read.list_problems;
        self.read.set_aside.clear();
        self.read.refused.retain(|suggested| {
            let protocol = protocols[suggested.protocol];
            if !protocol.is_named_by_file() {
                return true;
            }
            let candidate = &suggested.candidate;
            let named = protocol.further_files(tree, candidate, texts);
            let files = [candidate.files.as_slice(), named.as_slice()].concat();
            problems.retain(|(_, problem)| {
                let mut paths = files.iter().map(|file| tree.path(*file));
                !paths.any(|path| path == problem.path)
            });
            false
        });
    }

    /// Loads the benchmark again after files were added: pictures that were missing may be there now.
    fn reload(&mut self) {
        let Some(known) = self.candidate.take() else {
            return;
        };
        self.benchmark = None;
        if self.protocols[known.protocol].is_named_by_file() {
            // What was added may be another one, or a benchmark that Juror knows.
            let _ = self.plan_benchmark();
            return;
        }
        self.candidate = self
            .suggestions()
            .iter()
            .find(|new| {
                new.protocol == known.protocol && new.candidate.list == known.candidate.list
            })
            .cloned();
        if self.unread().is_empty() {
            self.load();
        }
    }

    /// Takes over a protocol; what was read by another one's rules is read again.
    fn follow(&mut self, protocol: ProtocolHandle) {
        let is_same = protocol.id() == self.protocol.id()
            && protocol.declaration() == self.protocol.declaration();
        let pack = protocol.built_in_pack();
        // One that a file declares knows its samples, which more files may have changed.
        self.protocol = protocol;
        if is_same {
            return;
        }
        self.packs = vec![pack];
        self.pack_roots = vec![String::new()];
        self.pack = 0;
        self.read.prompt_texts.clear();
        self.read.replies.clear();
        // What was somebody else's may be this protocol's.
        self.read.foreign.clear();
        self.read.trajectories.clear();
        if self.protocol.is_named_by_file() {
            // Its patterns may claim what would otherwise be a journal.
            self.read.journals.clear();
        }
    }

    /// What may be the benchmark, likeliest first, over all protocols.
    fn suggestions(&mut self) -> &[Suggested] {
        let tree = &self.tree;
        let protocols = self.protocols;
        let chosen = self.chosen.as_deref();
        self.cache.candidates.get_or_insert_with(|| {
            let mut all: Vec<Suggested> = protocols
                .iter()
                .enumerate()
                .flat_map(|(at, protocol)| {
                    let candidates = protocol.candidates(tree).into_iter();
                    candidates.map(move |candidate| Suggested {
                        protocol: at,
                        candidate,
                    })
                })
                .collect();
            let order = declaring::Order::of(tree, protocols, &all, chosen);
            all.sort_small_by_key(|suggested| order.of_one(suggested));
            all
        })
    }

    /// The files of the candidate at hand that are still to be read.
    fn unread(&self) -> Vec<FileId> {
        self.candidate_files()
            .filter(|file| {
                !self.read.texts.contains_key(file) && !self.read.failures.contains_key(file)
            })
            .collect()
    }

    /// Finds the next phase with something to read.
    fn plan(&mut self) {
        let mut wants = self.plan_benchmark();
        for phase in [
            Phase::Replies,
            Phase::Answers,
            Phase::Pictures,
            Phase::Decoding,
        ] {
            if wants.is_empty() {
                wants = self.plan_models(phase);
            }
        }
        if wants.is_empty() {
            wants = self.plan_glimpses();
        }
        self.reads.phase = wants.first().map(|want| want.phase);
        self.reads.total = u32::try_from(wants.len()).unwrap_or(u32::MAX);
        self.reads.done = 0;
        self.reads.queue = wants.into();
    }

    fn plan_benchmark(&mut self) -> Vec<Want> {
        let want = |file| Want {
            file,
            head: None,
            phase: Phase::Benchmark,
        };
        while self.benchmark.is_none() {
            self.suggestions();
            let refused = &self.read.refused;
            let next = self
                .cache
                .candidates
                .iter()
                .flatten()
                .find(|suggested| !refused.contains(suggested));
            let Some(next) = next.cloned() else { break };
            self.candidate = Some(next.clone());
            match self.standing(&next) {
                declaring::Standing::Unread(files) => return files.into_iter().map(want).collect(),
                declaring::Standing::SetAside(problem) => {
                    self.read.set_aside.insert(next.candidate.list, *problem);
                    self.read.refused.insert(next);
                    self.candidate = None;
                    continue;
                }
                declaring::Standing::Stands => {}
            }
            let unread = self.unread();
            if !unread.is_empty() {
                return unread.into_iter().map(want).collect();
            }
            self.load();
        }
        self.find_submissions();
        let prompts = self.tree.files().filter(|(file, entry)| {
            self.protocol.may_hold_prompts(&entry.path)
                && !self.read.prompt_texts.contains_key(file)
                && !self.read.failures.contains_key(file)
        });
        prompts.map(|(file, _)| want(file)).collect()
    }

    /// The beginnings of files that may be of a benchmark which is not shown, where only their content tells.
    fn plan_glimpses(&mut self) -> Vec<Want> {
        if self.benchmark.is_none() {
            return Vec::new();
        }
        let of_others = (self.cache.candidates.iter().flatten())
            .filter(|suggested| {
                suggested.candidate.rank > 0 && Some(*suggested) != self.candidate.as_ref()
            })
            .flat_map(|suggested| suggested.candidate.files.iter().copied());
        let mut new: Vec<FileId> = of_others
            .filter(|file| !self.read.glimpsed.contains_key(file))
            .collect();
        if new.is_empty() {
            return new.into_iter().map(Want::glimpse).collect();
        }
        let unknown: HashSet<FileId> = unknown_files(self).into_iter().collect();
        let mut num_left = MAX_GLIMPSES;
        new.retain(|file| {
            let is_looked_at = unknown.contains(file) && num_left > 0;
            num_left -= usize::from(is_looked_at);
            // Whatever is not looked at now is not thought of again.
            self.read.glimpsed.insert(*file, false);
            is_looked_at
        });
        new.into_iter().map(Want::glimpse).collect()
    }

    fn plan_models(&mut self, phase: Phase) -> Vec<Want> {
        self.find_submissions();
        let submissions = self.cache.submissions.as_deref().unwrap_or_default();
        let failures = &self.read.failures;
        let want = |file, head| Want { file, head, phase };
        let outputs = |kind: TurnKind| {
            let turns = self
                .benchmark
                .iter()
                .flat_map(|benchmark| benchmark.turns())
                .filter(move |(_, _, _, turn)| turn.kind == kind);
            turns.flat_map(|(slot, _, _, _)| {
                submissions
                    .iter()
                    .filter_map(move |model| model.outputs[slot as usize])
            })
        };
        match phase {
            Phase::Benchmark => Vec::new(),
            Phase::Replies => {
                let replies = submissions
                    .iter()
                    .flat_map(|model| &model.reply_files)
                    .copied();
                let journals = self
                    .tree
                    .files()
                    .filter(|(_, entry)| {
                        may_be_journal(&entry.path)
                            || may_be_ratings(&entry.path) && entry.is_at_most(RATINGS_BYTES)
                            || self.may_be_manifest(&entry.path)
                    })
                    .map(|(file, _)| file);
                let is_new = |file: &FileId| {
                    !self.read.replies.contains_key(file)
                        && !self.read.journals.contains_key(file)
                        && !self.read.ratings.contains_key(file)
                        && !self.read.trajectories.contains_key(file)
                        && !self.read.measures.contains_key(file)
                        && !self.read.foreign.contains(file)
                        && !self.read.unpacked.contains_key(file)
                        && !failures.contains_key(file)
                };
                let mut seen = HashSet::new();
                replies
                    .chain(journals)
                    .filter(|file| is_new(file) && seen.insert(*file))
                    .map(|file| want(file, None))
                    .collect()
            }
            Phase::Answers => {
                let is_new = |file: &FileId| {
                    !self.read.answers.contains_key(file)
                        && !self.read.too_large.contains(file)
                        && !failures.contains_key(file)
                };
                let is_small = |file: &FileId| {
                    self.tree
                        .entry(*file)
                        .is_some_and(|entry| entry.is_at_most(ANSWER_BYTES))
                };
                let head = |file: FileId| {
                    let is_unknown = self.tree.size(file).is_none();
                    is_unknown.then_some(ANSWER_BYTES + 1)
                };
                outputs(TurnKind::Text)
                    .filter(is_new)
                    .filter(is_small)
                    .map(|file| want(file, head(file)))
                    .collect()
            }
            Phase::Pictures | Phase::Decoding => {
                let pictures = self
                    .benchmark
                    .iter()
                    .flat_map(|benchmark| &benchmark.samples)
                    .flat_map(|sample| &sample.pictures);
                let mut files: Vec<FileId> = outputs(TurnKind::Image)
                    .chain(pictures.filter_map(|picture| picture.file))
                    .collect();
                let mut seen = HashSet::new();
                let is_known = |file: &FileId| match phase {
                    Phase::Decoding => {
                        let probed = self.read.pictures.get(file);
                        let is_picture = matches!(probed, Some(Probed::Picture { .. }));
                        !is_picture || self.read.decoded.contains(file)
                    }
                    _ => self.read.pictures.contains_key(file),
                };
                files.retain(|file| {
                    !is_known(file) && !failures.contains_key(file) && seen.insert(*file)
                });
                let head = (phase == Phase::Pictures).then_some(HEAD_BYTES);
                files.into_iter().map(|file| want(file, head)).collect()
            }
        }
    }

    fn find_submissions(&mut self) {
        if self.cache.submissions.is_some() {
            return;
        }
        if self.benchmark.is_none() {
            // Replies alone tell the protocol by their files' names.
            let has_replies = |protocol: &&dyn Protocol| {
                let found = protocol.submissions(&self.tree, None);
                found.iter().any(|model| !model.reply_files.is_empty())
            };
            if let Some(&protocol) = self.protocols.iter().find(|protocol| has_replies(protocol)) {
                self.follow(ProtocolHandle::BuiltIn(protocol));
            }
        }
        let mut submissions = self
            .protocol
            .submissions(&self.tree, self.benchmark.as_deref());
        // By path, as the first readable reply stands: the order of arrival must not decide which one that is.
        for submission in &mut submissions {
            let by_path = |file: &FileId| self.tree.path(*file).to_owned();
            submission.reply_files.sort_small_by_cached_key(by_path);
            submission.extra_files.sort_small_by_cached_key(by_path);
            submission.known_files.sort_small_by_cached_key(by_path);
        }
        self.cache.submissions = Some(submissions);
    }

    /// Chooses the prompt pack that requests are made with.
    pub fn use_pack(&mut self, sha256: &str) -> Result<(), SessionError> {
        let found = self
            .packs
            .iter()
            .position(|pack| pack.info.sha256 == sha256);
        self.pack = found.ok_or_else(|| {
            SessionError::new(
                "unknown_pack",
                format!("No prompt pack has the hash {sha256}."),
            )
        })?;
        Ok(())
    }

    /// The replies that were pasted, as a journal.
    pub fn journal(&self) -> String {
        journal::write(&self.pasted)
    }

    fn models(&self) -> &[ModelData] {
        self.cache
            .linked
            .as_ref()
            .map_or(&[], |linked| &linked.models)
    }
}

impl Cache {
    /// Forgets what depends on the contents of files, not on their names.
    fn relink(&mut self) {
        self.linked = None;
        self.differences = None;
        self.ratings = None;
        self.rescore();
    }

    /// Forgets scores and what shows them: measured values have come or gone.
    fn rescore(&mut self) {
        self.scores = None;
        self.list = None;
        self.measures = None;
    }
}

/// Any JSONL file that is not the authors' own may be a journal, and so may a filled-in sheet; the content decides.
fn may_be_journal(path: &str) -> bool {
    let name = base_name(path).to_lowercase();
    match name.rsplit_once('.') {
        Some((stem, "jsonl")) => stem != "metrics" && stem != "result",
        Some((stem, "txt")) => stem.starts_with("replies"),
        _ => false,
    }
}

/// Any CSV may hold people's ratings; its head decides.
fn may_be_ratings(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("csv"))
}

fn bad_path(path: &str, reason: BadPath) -> Problem {
    let message = match reason {
        BadPath::Parent => "The name contains \"..\", which would leave the folder.",
        BadPath::Absolute => "The name starts at a root or a drive instead of in the folder.",
        BadPath::NoName => "The entry has no usable name.",
        BadPath::TooLong => "The name has more than 4096 bytes.",
    };
    Problem {
        severity: Severity::Error,
        code: "bad_path".to_owned(),
        path: shorten(path, 200),
        place: String::new(),
        message: message.to_owned(),
        hint: "The file is left out. Pack the archive again with plain relative names.".to_owned(),
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
