//! The files that were opened: what is to be read of them next, what was read, and which benchmark they are.
//!
//! The loader knows nothing of what is made of it; [`Loader::take_changed`] says that it must be made anew.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::{Arc, OnceLock};

use super::count;
use super::picture::{Probe, Probed, Undecodable};
use crate::error::Error;
use crate::label_file::{self, LabelRecord};
use crate::measure::{MeasureFile, values};
use crate::rating_file::{self, Rating};
use juror_evidence::pack::{self, Pictures};
use juror_judging::journal::Journal;
use juror_model::ability::Ability;
use juror_model::experiment::VARIANT_FILE;
use juror_model::host::{FileMeta, Phase, Want};
use juror_model::problem::{Problem, Severity};
use juror_model::prompt::{self, PromptPack};
use juror_model::reply::ReplyFile;
use juror_model::sample::{Benchmark, Texts};
use juror_model::submission::Submission;
use juror_model::tree::{BadPath, FileId, FileTree, base_name, parent};
use juror_protocols::contract::{Protocol, ProtocolHandle, Signs};
use juror_protocols::recognition::Suggested;
use juror_reading::limits::{ANSWER_BYTES, TEXT_BYTES};
use juror_reading::py::shorten;
use juror_reading::text::{self, Encoding, Marks, Text};

mod candidates;
mod kinds;
pub(super) mod owned;
mod plan;
mod readers;

use candidates::Known;
pub use candidates::Lack;
pub(super) use readers::Readers;

/// Of a folder that cannot be listed, and of a link whose place is not there, which may have been a folder.
const LEADS_NOWHERE: &str =
    "This folder cannot be opened: if it is a link, the folder that it leads to is not here.";

/// What one user opened: the files, what was read of them, and what is still to be read.
#[derive(Debug)]
pub(super) struct Loader {
    probe: Probe,
    pub(super) tree: FileTree,
    /// How files other than the benchmark's own are read.
    pub(super) readers: Readers,
    /// Notes of a file of replies what makes searches in it quick.
    pub(super) look_through: fn(&mut ReplyFile),
    /// The protocols that files are read by, in order.
    pub(super) protocols: &'static [&'static dyn Protocol],
    /// The benchmarks that files are held against, in order: these and others.
    known: Vec<Known>,
    /// The one that the files at hand are read by.
    pub(super) protocol: ProtocolHandle,
    /// Path of the file that represents the benchmark which the user chose, where several may be meant.
    pub(super) chosen: Option<String>,
    /// What the benchmark was loaded from, or is being read from.
    pub(super) candidate: Option<Suggested>,
    pub(super) benchmark: Option<Arc<Benchmark>>,
    pub(super) packs: Vec<PromptPack>,
    /// Folder that each pack was found in, the built-in one's empty; of texts by sample their own path.
    pack_roots: Vec<String>,
    /// How many of the packs, the last ones, have texts by sample.
    num_by_sample: usize,
    pub(super) pack: usize,
    pub(super) read: Read,
    pub(super) reads: Reads,
    pub(super) path_problems: Vec<Problem>,
    /// Folders that the host could not list, with the reason.
    pub(super) closed_folders: Vec<(String, String)>,
    /// What may be the benchmark, once it was looked for.
    pub(super) candidates: Option<Vec<Suggested>>,
    /// The models of each benchmark that the files hold results of, once it was looked.
    results: Vec<OnceLock<Vec<Submission>>>,
    /// The same of a benchmark whose models only its texts tell, once these were read.
    listed_results: OnceLock<Vec<Submission>>,
    /// What the protocol finds of models in the files, before a folder has an owner; known between loading and the first look.
    found: Option<Vec<Submission>>,
    /// The models by their folders, once they were looked for.
    pub(super) submissions: Option<Vec<Submission>>,
    /// Folders that are copies of models' folders by their names, or links to them.
    pub(super) copied_models: Vec<CopiedModel>,
    /// Folders that are links to others among what is open, with those.
    linked_folders: Vec<(String, String)>,
    /// Whether what was linked before rests on something else than what there is now.
    is_changed: bool,
}

/// A folder of a model that is no model of its own.
#[derive(Debug)]
pub(super) struct CopiedModel {
    pub(super) folder: String,
    /// The model's folder that counts.
    pub(super) original: String,
    /// Whether the host says that both are one, rather than its name that it is a copy.
    pub(super) is_link: bool,
}

/// What was read of the files.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// Candidates that turned out to be something else.
    pub(super) refused: HashSet<Suggested>,
    /// Candidates in models' folders, which count where no other one does.
    pub(super) given_way: HashSet<Suggested>,
    /// Why, with the candidate's rank.
    pub(super) list_problems: Vec<(u8, Problem)>,
    /// Protocol files that declare nothing here, and why.
    pub(super) set_aside: BTreeMap<FileId, Problem>,
    /// Lists in models' folders that are set aside: no benchmark is made of them.
    pub(super) no_lists: BTreeSet<FileId>,
    /// The candidates that these were, and others that are left out until more files come.
    pub(super) aside: Vec<Suggested>,
    /// Texts that a benchmark is or may be made of.
    pub(super) texts: Texts,
    pub(super) prompt_texts: BTreeMap<FileId, String>,
    pub(super) replies: BTreeMap<FileId, ReplyFile>,
    /// Records of replies: the SHA-256 of the file's text, which is not kept, and what it says.
    pub(super) journals: BTreeMap<FileId, (String, Journal)>,
    /// People's ratings: the file's text, what it says, and what is wrong with it.
    pub(super) ratings: BTreeMap<FileId, (String, Vec<Rating>, Vec<Problem>)>,
    /// Failure labels: what the file says, and what is wrong with it.
    pub(super) labels: BTreeMap<FileId, (Vec<LabelRecord>, Vec<Problem>)>,
    /// Records of agent loops.
    pub(super) trajectories: BTreeMap<FileId, juror_agents::File>,
    /// Measured values: the file's text and what it says.
    pub(super) measures: BTreeMap<FileId, (String, MeasureFile)>,
    /// JSONL and CSV files that are neither journals nor ratings nor labels: somebody else's.
    pub(super) foreign: HashSet<FileId>,
    /// Files of people's ratings or labels that nothing in this program reads.
    pub(super) unread: HashSet<FileId>,
    /// Manifests of evidence packs that were unpacked, with how their pictures went in; `None` if it is something else.
    pub(super) unpacked: BTreeMap<FileId, Option<Pictures>>,
    /// What submissions state to be variants of: the files' texts.
    pub(super) variants: BTreeMap<FileId, String>,
    pub(super) answers: HashMap<FileId, String>,
    /// Text answers beyond [`ANSWER_BYTES`].
    pub(super) too_large: HashSet<FileId>,
    pub(super) pictures: HashMap<FileId, Probed>,
    /// Pictures that need not be decoded any more: they were, or a pack's manifest replaces them.
    pub(super) decoded: HashSet<FileId>,
    /// Those among them that the host did not decode, so that a header or a manifest replaces them.
    pub(super) believed: HashSet<FileId>,
    /// Pictures of a pack of which its manifest says that they do not decode.
    pub(super) stated: HashMap<FileId, Probed>,
    pub(super) not_utf8: BTreeMap<FileId, Encoding>,
    pub(super) failures: HashMap<FileId, (Phase, String)>,
    /// Those among them that are damaged entries of ZIP files.
    pub(super) damaged: HashSet<FileId>,
    /// Files that nobody claims and whose beginning was looked at: whether they are of a benchmark that is not shown.
    pub(super) glimpsed: BTreeMap<FileId, bool>,
    pub(super) hashes: HashMap<FileId, String>,
}

/// Reads handed out and still to hand out.
#[derive(Debug, Default)]
pub(super) struct Reads {
    pub(super) queue: VecDeque<Want>,
    pub(super) pending: HashMap<FileId, Want>,
    pub(super) phase: Option<Phase>,
    pub(super) total: u32,
    pub(super) done: u32,
}

impl Loader {
    /// Nothing opened yet.
    pub(super) fn new(probe: Probe, protocols: &'static [&'static dyn Protocol]) -> Self {
        let protocol = protocols[0];
        Self {
            probe,
            readers: Readers::JOURNALS,
            look_through: |_| (),
            tree: FileTree::default(),
            protocols,
            known: all_of(protocols).collect(),
            protocol: ProtocolHandle::BuiltIn(protocol),
            chosen: None,
            candidate: None,
            benchmark: None,
            packs: vec![protocol.built_in_pack()],
            pack_roots: vec![String::new()],
            num_by_sample: 0,
            pack: 0,
            read: Read::default(),
            reads: Reads::default(),
            path_problems: Vec::new(),
            closed_folders: Vec::new(),
            candidates: None,
            results: unlooked(all_of(protocols).count()),
            listed_results: OnceLock::new(),
            found: None,
            submissions: None,
            copied_models: Vec::new(),
            linked_folders: Vec::new(),
            is_changed: false,
        }
    }

    /// Holds files against these benchmarks too, in this order, of which it knows no more than the signs.
    pub(super) fn hold_against(&mut self, signs: &[&'static dyn Signs]) {
        let mut linked: Vec<Known> = all_of(self.protocols).collect();
        let mut known: Vec<Known> = Vec::new();
        for signs in signs {
            let own = linked.iter().position(|one| one.signs.id() == signs.id());
            known.push(own.map_or(
                Known {
                    signs: *signs,
                    protocol: None,
                },
                |at| linked.remove(at),
            ));
        }
        known.append(&mut linked);
        self.known = known;
        self.forget();
    }

    /// Whether anything has changed since this was asked last.
    pub(super) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.is_changed)
    }

    /// Forgets what was found among the files.
    fn forget(&mut self) {
        self.candidates = None;
        self.results = unlooked(self.known.len());
        self.listed_results = OnceLock::new();
        self.found = None;
        self.submissions = None;
        self.is_changed = true;
    }

    /// Adds listed files; the first gets the number that is returned, the others follow in order.
    pub(super) fn add_files(&mut self, files: &[FileMeta]) -> FileId {
        let first = FileId::try_from(self.tree.len()).unwrap_or(FileId::MAX);
        for meta in files {
            let (_, result) = self.tree.add(meta);
            let folder = meta.path.strip_suffix('/');
            if let Some(folder) = folder.filter(|_| meta.size.is_none()) {
                self.add_closed_folder(folder, LEADS_NOWHERE);
            } else if let Err(reason) = result {
                self.path_problems.push(bad_path(&meta.path, reason));
            }
        }
        self.forget();
        // What comes with these files may be wanted before what is left of the others.
        if self.reads.phase > Some(Phase::Benchmark) {
            self.reads.queue.clear();
        }
        self.reads.phase = None;
        self.reconsider();
        self.reload();
        first
    }

    /// Puts the reads of these files before the others that were not handed out yet: somebody looks at them.
    pub(super) fn prioritize(&mut self, files: &[FileId]) {
        let seen: HashSet<FileId> = files.iter().copied().collect();
        let queue = std::mem::take(&mut self.reads.queue);
        let (first, rest): (Vec<Want>, Vec<Want>) = queue
            .into_iter()
            .partition(|want| seen.contains(&want.file));
        self.reads.queue = first.into_iter().chain(rest).collect();
    }

    /// Takes the bytes of a wanted read.
    pub(super) fn provide(&mut self, file: FileId, bytes: Vec<u8>) {
        let Some(want) = self.take_pending(file) else {
            return;
        };
        let num_bytes = bytes.len() as u64;
        if self.tree.size(file).is_none() && want.head.is_none_or(|head| num_bytes < head) {
            self.tree.learn_size(file, num_bytes);
        }
        if want.is_text() && num_bytes > TEXT_BYTES {
            // As much as was read shows that it is too long.
            self.tree.learn_size(file, num_bytes);
            self.fail(want, plan::TOO_LONG);
            return;
        }
        let is_plain_text = want.phase == Phase::Answers
            || (want.phase == Phase::Benchmark
                && !want.is_glimpse()
                && is_plain(self.tree.path(file)));
        if is_plain_text && let Some((found, mend)) = text::other_than_text(&bytes) {
            self.fail(want, &format!("{NOT_TEXT}{found}. {mend}"));
            return;
        }
        match want.phase {
            Phase::Answers if num_bytes > ANSWER_BYTES => {
                // As much as was read shows that it is too large.
                let known = self.tree.size(file).unwrap_or(num_bytes);
                self.tree.learn_size(file, known);
                self.read.too_large.insert(file);
                self.is_changed = true;
            }
            Phase::Pictures => self.take_picture(want, &bytes),
            Phase::Decoding => self.take_stated(file),
            Phase::Answers => {
                let (text, _) = self.text(file, bytes);
                self.read.answers.insert(file, text);
                self.is_changed = true;
            }
            Phase::Replies => {
                self.take_replies(file, bytes);
                self.is_changed = true;
            }
            Phase::Benchmark if want.is_glimpse() => {
                let head = text::read(bytes).text;
                let mut others = (self.known.iter())
                    .map(|one| one.signs)
                    .filter(|one| one.id() != self.protocol.id());
                let is_of_another = others.any(|one| one.is_begun_by(&head));
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

    /// A file of the phase that reads replies and all other files next to them.
    fn take_replies(&mut self, file: FileId, bytes: Vec<u8>) {
        let (text, marks) = self.text(file, bytes);
        if self.is_variant_file(file) {
            self.read.variants.insert(file, text);
        } else if self.may_be_manifest(self.tree.path(file)) {
            let pictures = (self.readers.pack)(&text);
            self.read.unpacked.insert(file, pictures);
        } else if may_be_ratings(self.tree.path(file)) {
            self.take_table(file, text);
        } else if let Some(found) = self.trajectories_in(file, &text) {
            self.read.trajectories.insert(file, found);
        } else if let Some(found) = self.measures_in(file, &text) {
            self.read.measures.insert(file, (text, found));
        } else if may_be_journal(self.tree.path(file)) && !self.is_reply_file(file) {
            self.take_journal(file, &text);
        } else {
            let path = self.tree.path(file);
            let mut replies = self.protocol.read_replies(path, text);
            self.protocol.mark_replies(path, marks, &mut replies);
            (self.look_through)(&mut replies);
            self.read.replies.insert(file, replies);
        }
    }

    /// A table: people's ratings, their labels or measured values, by its header.
    fn take_table(&mut self, file: FileId, text: String) {
        let path = self.tree.path(file);
        if let Some((found, problems)) = (self.readers.ratings)(path, &text) {
            self.read.ratings.insert(file, (text, found, problems));
        } else if let Some(found) = (self.readers.labels)(path, &text) {
            self.read.labels.insert(file, found);
        } else if let Some(found) = (self.readers.measures)(&text) {
            self.read.measures.insert(file, (text, found));
        } else {
            let may_be =
                rating_file::may_be(&text) || label_file::may_be(&text) || values::may_be(&text);
            if !self.readers.are_all && may_be {
                self.read.unread.insert(file);
            }
            if is_table(path) || may_be {
                self.read.foreign.insert(file);
            } else {
                self.take_journal(file, &text);
            }
        }
    }

    /// Records of replies, or what batch engines write.
    fn take_journal(&mut self, file: FileId, text: &str) {
        let journal = (self.readers.journal)(text);
        let is_named_journal = base_name(self.tree.path(file)).contains("journal");
        if journal.records.is_empty() && !journal.is_batch && !is_named_journal {
            self.read.foreign.insert(file);
        } else {
            let hash = prompt::sha256(text.as_bytes());
            self.read.journals.insert(file, (hash, journal));
        }
    }

    /// A read that has come, if it is still wanted; it counts where it is of the phase that reading is at.
    fn take_pending(&mut self, file: FileId) -> Option<Want> {
        let want = self.reads.pending.remove(&file)?;
        self.reads.done += u32::from(self.reads.phase == Some(want.phase));
        Some(want)
    }

    /// Whether a model's folder says that this is a file of judge output.
    fn is_reply_file(&self, file: FileId) -> bool {
        let mut submissions = self.submissions.iter().flatten();
        submissions.any(|model| model.reply_files.contains(&file))
    }

    /// Whether a model's folder states in it what it is a variant of.
    fn is_variant_file(&self, file: FileId) -> bool {
        let mut submissions = self.submissions.iter().flatten();
        base_name(self.tree.path(file)) == VARIANT_FILE
            && submissions.any(|model| model.known_files.contains(&file))
    }

    /// The records of agent loops in a file that may hold some.
    fn trajectories_in(&self, file: FileId, text: &str) -> Option<juror_agents::File> {
        let may = may_be_journal(self.tree.path(file)) && !self.is_reply_file(file);
        (may && self.protocol.can(Ability::Agents))
            .then(|| (self.readers.trajectories)(text))
            .flatten()
    }

    /// The measured values in a file that may hold some.
    fn measures_in(&self, file: FileId, text: &str) -> Option<MeasureFile> {
        let may = may_be_journal(self.tree.path(file)) && !self.is_reply_file(file);
        may.then(|| (self.readers.measures)(text)).flatten()
    }

    /// Takes what came of decoding a picture that was wanted in [`Phase::Decoding`]: nothing wrong, or what and the mend.
    ///
    /// A host that cannot decode calls [`Session::provide`] instead: the header then replaces the picture.
    pub(super) fn provide_decoded(&mut self, file: FileId, found: Result<(), Undecodable>) {
        let is_wanted =
            matches!(self.reads.pending.get(&file), Some(want) if want.phase == Phase::Decoding);
        if !is_wanted {
            return;
        }
        self.take_pending(file);
        self.read.decoded.insert(file);
        if let Err(Undecodable { message, hint }) = found {
            let corrupt = Probed::Corrupt { message, hint };
            self.read.pictures.insert(file, corrupt);
            self.is_changed = true;
        }
    }

    /// Takes note that a wanted read did not work.
    pub(super) fn failed(&mut self, file: FileId, message: &str) {
        let Some(want) = self.take_pending(file) else {
            return;
        };
        if want.is_glimpse() {
            self.read.glimpsed.insert(file, false);
            return;
        }
        self.fail(want, message);
    }

    /// A file that was wanted cannot be read.
    fn fail(&mut self, Want { file, phase, .. }: Want, message: &str) {
        self.read.failures.insert(file, (phase, message.to_owned()));
        self.is_changed = true;
        if self.is_reading(file) {
            self.load_when_read();
        }
    }

    /// Takes note that a wanted read did not work, as the bytes in a ZIP are not those that were packed; `why` in words.
    pub(super) fn damaged_entry(&mut self, file: FileId, zip: &str, entry: &str, why: &str) {
        self.read.damaged.insert(file);
        self.failed(
            file,
            &format!("The entry “{entry}” of {zip} is damaged: {why}."),
        );
    }

    /// Takes note of a folder that the host could not list: what is not found there counts as missing nowhere.
    pub(super) fn add_closed_folder(&mut self, path: &str, message: &str) {
        self.closed_folders
            .push((path.replace('\\', "/"), message.to_owned()));
        self.is_changed = true;
    }

    /// Takes note of a folder that is a link to another one among what is open: the files in both are the same ones.
    pub(super) fn add_linked_folder(&mut self, path: &str, target: &str) {
        let link = [path, target].map(|path| path.replace('\\', "/"));
        self.linked_folders.push(link.into());
        self.is_changed = true;
    }

    /// Asks again for every file whose reading failed; how many they are.
    pub(super) fn retry_failures(&mut self) -> u32 {
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
        self.forget();
        self.reads.phase = None;
        let is_of_benchmark = |(phase, _): &(Phase, String)| *phase == Phase::Benchmark;
        if failed.values().any(is_of_benchmark) {
            self.reload();
        }
        count(failed.len())
    }

    /// The text of a file as [`text::read`] has it; where that is not the bytes, the file is remembered by its true hash.
    fn text(&mut self, file: FileId, bytes: Vec<u8>) -> (String, Marks) {
        let Text { text, marks, bytes } = text::read(bytes);
        if let Some(bytes) = bytes {
            self.read.hashes.insert(file, prompt::sha256(&bytes));
        }
        if marks.is_broken {
            self.read.not_utf8.insert(file, marks.encoding);
        }
        (text, marks)
    }

    fn take_picture(&mut self, want: Want, bytes: &[u8]) {
        let size = self.tree.size(want.file).unwrap_or(u64::MAX);
        let probed = (self.probe)(bytes, size);
        let had = want.head.unwrap_or(u64::MAX);
        let probed = match probed {
            Probed::NeedMore { bytes } if bytes > had && had < size => {
                self.reads.done -= u32::from(self.reads.phase == Some(want.phase));
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
            self.is_changed = true;
        }
    }

    /// Takes the word of a pack's manifest, if there is one, or of the header for a picture that the host cannot decode.
    fn take_stated(&mut self, file: FileId) {
        self.read.decoded.insert(file);
        self.read.believed.insert(file);
        if let Some(stated) = self.read.stated.remove(&file) {
            self.read.pictures.insert(file, stated);
            self.is_changed = true;
        }
    }

    fn take_prompts(&mut self, file: FileId, text: String) {
        self.read.prompt_texts.insert(file, text);
        let num_others = self.packs.len() - self.num_by_sample;
        self.packs.truncate(num_others);
        self.pack_roots.truncate(num_others);
        self.pack = self.pack.min(num_others - 1);
        let by_sample = self.protocol.texts_by_sample();
        if !by_sample.is_some_and(|own| own.is_file(self.tree.path(file))) {
            self.take_pack(file);
        }
        self.add_texts_by_sample();
    }

    /// Adds a pack for each file of texts by sample: the last of the other packs with these texts. A file that the user opened
    /// by itself is meant, and its pack is used; one in the benchmark's own folder, or next to it, is there to be chosen.
    fn add_texts_by_sample(&mut self) {
        let Some(by_sample) = self.protocol.texts_by_sample() else {
            return;
        };
        let num_others = self.packs.len();
        let base = self.packs[num_others - 1].clone();
        for (file, text) in &self.read.prompt_texts {
            let path = self.tree.path(*file);
            if !by_sample.is_file(path) {
                continue;
            }
            let Some(pack) = by_sample.laid_over(&base, path, text) else {
                continue;
            };
            let mut known = self.packs.iter();
            let at = known.position(|known| known.info.sha256 == pack.info.sha256);
            let at = at.unwrap_or_else(|| {
                self.packs.push(pack);
                self.pack_roots.push(path.to_owned());
                self.packs.len() - 1
            });
            if !self.is_with_benchmark(path) {
                self.pack = at;
            }
        }
        self.num_by_sample = self.packs.len() - num_others;
    }

    /// Whether a file is in the benchmark's own folder or next to it.
    fn is_with_benchmark(&self, path: &str) -> bool {
        let folder = parent(path);
        let is_own = |own: &str| folder == own || folder == parent(own);
        !is_opened_alone(path) && (self.benchmark.as_ref()).is_some_and(|own| is_own(&own.folder))
    }

    /// Takes the pack that the texts of a file's folder make.
    fn take_pack(&mut self, file: FileId) {
        // The texts below one folder make a pack: two repositories dropped together stay two packs.
        let folder = self.protocol.prompt_root(self.tree.path(file));
        let Some(pack) = self.pack_of(folder) else {
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

    /// The pack that the opened texts of a folder make, if they are complete.
    fn pack_of(&self, folder: &str) -> Option<PromptPack> {
        let texts = self.read.prompt_texts.iter();
        let files = texts.map(|(file, text)| (self.tree.path(*file), text.as_str()));
        let files: Vec<(&str, &str)> = files
            .filter(|(path, _)| self.protocol.prompt_root(path) == folder)
            .collect();
        self.protocol.official_pack(&files)
    }

    /// Whether any opened judge texts make a pack, be it the built-in one once more; those that the benchmark comes with are
    /// not what the user named.
    pub(super) fn has_judge_texts(&self) -> bool {
        let by_sample = self.protocol.texts_by_sample();
        let files = self.read.prompt_texts.keys();
        let mut paths = files.map(|file| self.tree.path(*file));
        let makes_pack = |path: &str| {
            if by_sample.is_some_and(|own| own.is_file(path)) {
                return !self.is_with_benchmark(path);
            }
            self.pack_of(self.protocol.prompt_root(path)).is_some()
        };
        paths.any(makes_pack)
    }

    /// Whether it is where an unpacked pack has its manifest: next to the texts that a pack adds.
    fn may_be_manifest(&self, path: &str) -> bool {
        path.strip_suffix(pack::MANIFEST).is_some_and(|folder| {
            (folder.is_empty() || folder.ends_with('/'))
                && [pack::REPORT, pack::REQUESTS, pack::VERDICTS]
                    .iter()
                    .all(|own| self.tree.find(&format!("{folder}{own}")).is_some())
        })
    }

    /// Chooses the prompt pack that requests are made with.
    pub(super) fn use_pack(&mut self, sha256: &str) -> Result<(), Error> {
        let found = self
            .packs
            .iter()
            .position(|pack| pack.info.sha256 == sha256);
        self.pack = found.ok_or_else(|| Error::UnknownPack(sha256.to_owned()))?;
        Ok(())
    }
}

/// For each of so many benchmarks: nothing was looked for.
fn unlooked(num: usize) -> Vec<OnceLock<Vec<Submission>>> {
    std::iter::repeat_with(OnceLock::new).take(num).collect()
}

fn all_of(protocols: &'static [&'static dyn Protocol]) -> impl Iterator<Item = Known> {
    protocols.iter().map(|protocol| Known {
        signs: *protocol,
        protocol: Some(*protocol),
    })
}

/// How the message begins about a text file that holds no text.
pub(super) const NOT_TEXT: &str = "Expected text, found ";

/// Whether a file holds what is asked or answered as it is, rather than in a notation that finds its faults itself.
fn is_plain(path: &str) -> bool {
    let name = path.rsplit_once('.');
    name.is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("txt"))
}

/// Any JSONL file that is not the authors' own may be a journal, and so may a filled-in sheet; the content decides.
pub fn may_be_journal(path: &str) -> bool {
    let name = base_name(path).to_lowercase();
    match name.rsplit_once('.') {
        Some((stem, "jsonl" | "ndjson")) => stem != "metrics" && stem != "result",
        Some((stem, "txt")) => stem.starts_with("replies") || is_opened_alone(path),
        None => is_opened_alone(path),
        _ => false,
    }
}

/// Whether a file lies in no folder: it was opened by itself, so whoever opened it means what is in it, whatever it is called.
pub(super) fn is_opened_alone(path: &str) -> bool {
    !path.contains('/')
}

/// Any CSV may hold people's ratings, labels or values of networks, and so may any text that was opened by itself; its head
/// decides.
pub(super) fn may_be_ratings(path: &str) -> bool {
    let is_text = |ending: &str| ["txt", "tsv"].contains(&&*ending.to_lowercase());
    is_table(path)
        || is_opened_alone(path)
            && (base_name(path).rsplit_once('.')).is_none_or(|(_, ending)| is_text(ending))
}

/// Whether a file is called a table.
fn is_table(path: &str) -> bool {
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
