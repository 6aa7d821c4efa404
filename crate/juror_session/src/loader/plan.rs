//! What is to be read next: the benchmark, then replies, texts and pictures of the models, then what else may be somebody's.

use std::collections::HashSet;

use super::{CopiedModel, Loader, may_be_journal, may_be_ratings};
use crate::count;
use crate::picture::Probed;
use juror_model::experiment::VARIANT_FILE;
use juror_model::host::{Phase, Progress, Want};
use juror_model::sample::{Benchmark, TurnKind};
use juror_model::submission::Submission;
use juror_model::tree::{FileId, FileTree, base_name, copy_of, join, parent};
use juror_model::trust::FileKind;
use juror_protocols::contract::{Protocol, ProtocolHandle};
use juror_reading::limits::{ANSWER_BYTES, RATINGS_BYTES, TEXT_BYTES};
use juror_statistics::small::SortSmall;

/// How much of a picture is read to learn its size.
const HEAD_BYTES: u64 = 4 << 10;
/// Files that nobody claims and whose beginning is looked at.
const MAX_GLIMPSES: usize = 20;
/// Of a text beyond the limit.
pub(super) const TOO_LONG: &str = "The text has more than 512 MiB, which is not read.";

impl Loader {
    /// The reads that are wanted now, at most `limit`; each is handed out once.
    ///
    /// Empty while earlier ones are under way, and at the end. Pictures that are being decoded hold nothing up: files
    /// that were added meanwhile are read beside them.
    pub(crate) fn wants(&mut self, limit: usize) -> Vec<Want> {
        if self.is_free() {
            self.plan();
        }
        let count = limit.min(self.reads.queue.len());
        let wants: Vec<Want> = self.reads.queue.drain(..count).collect();
        self.reads
            .pending
            .extend(wants.iter().map(|want| (want.file, *want)));
        wants
    }

    /// How far loading has come.
    pub(crate) fn progress(&mut self) -> Progress {
        if self.is_free() {
            self.plan();
        }
        Progress {
            phase: self.reads.phase,
            done: self.reads.done,
            total: self.reads.total,
        }
    }

    /// Whether nothing is under way that what is wanted next could depend on.
    pub(super) fn is_free(&self) -> bool {
        let is_decoding = |want: &Want| want.phase == Phase::Decoding;
        self.reads.queue.is_empty() && self.reads.pending.values().all(is_decoding)
    }

    /// Takes back pictures that were handed out to be decoded and not begun; they are wanted again when it is their turn.
    pub(crate) fn put_off(&mut self, files: &[FileId]) {
        for file in files {
            let pending = self.reads.pending.get(file);
            if pending.is_some_and(|want| want.phase == Phase::Decoding) {
                self.reads.pending.remove(file);
            }
        }
    }

    /// Finds the next phase with something to read.
    fn plan(&mut self) {
        while !self.plan_next() {}
    }

    /// Leaves out texts beyond the limit, and asks for no more than that of one whose size is not known; whether there was none.
    fn limit_texts(&mut self, wants: &mut [Want]) -> bool {
        let mut is_within = true;
        for want in wants.iter_mut().filter(|want| want.is_text()) {
            match self.tree.size(want.file) {
                Some(size) if size > TEXT_BYTES => {
                    self.fail(*want, TOO_LONG);
                    is_within = false;
                }
                Some(_) => {}
                None => want.head = Some(TEXT_BYTES + 1),
            }
        }
        is_within
    }

    /// The same, unless a text is left out: then what is read next may be something else.
    fn plan_next(&mut self) -> bool {
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
        let num_pending = self.reads.pending.len();
        if wants.is_empty() && num_pending == 0 {
            wants = self.plan_glimpses();
        }
        if !self.limit_texts(&mut wants) {
            return false;
        }
        let is_decoding = num_pending > 0 && self.reads.phase == Some(Phase::Decoding);
        if wants.is_empty() && is_decoding {
            return true;
        }
        let of_pending = (num_pending > 0).then_some(Phase::Decoding);
        self.reads.phase = wants.first().map(|want| want.phase).or(of_pending);
        let num_more = if self.reads.phase == of_pending {
            num_pending
        } else {
            0
        };
        self.reads.total = count(wants.len() + num_more);
        self.reads.done = 0;
        self.reads.queue = wants.into();
        true
    }

    /// The beginnings of files that may be of a benchmark which is not shown, where only their content tells.
    fn plan_glimpses(&mut self) -> Vec<Want> {
        let Some(benchmark) = self.benchmark.clone() else {
            return Vec::new();
        };
        let of_others = (self.candidates.iter().flatten())
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
        let unknown: HashSet<FileId> = self.unclaimed(&benchmark).into_iter().collect();
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
        match phase {
            Phase::Benchmark => Vec::new(),
            Phase::Replies => self.plan_replies(),
            Phase::Answers => self.plan_answers(),
            Phase::Pictures | Phase::Decoding => self.plan_pictures(phase),
        }
    }

    /// The models' outputs for turns of a kind, in the order of the turns.
    fn outputs(&self, kind: TurnKind) -> impl Iterator<Item = FileId> {
        let submissions = self.submissions.as_deref().unwrap_or_default();
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
    }

    fn plan_replies(&self) -> Vec<Want> {
        let submissions = self.submissions.as_deref().unwrap_or_default();
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
                && !self.read.labels.contains_key(file)
                && !self.read.trajectories.contains_key(file)
                && !self.read.measures.contains_key(file)
                && !self.read.foreign.contains(file)
                && !self.read.unpacked.contains_key(file)
                && !self.read.variants.contains_key(file)
                && !self.read.failures.contains_key(file)
        };
        let mut seen = HashSet::new();
        let new = replies
            .chain(journals)
            .chain(variant_files(submissions, &self.tree))
            .filter(|file| is_new(file) && seen.insert(*file));
        let want = |file| Want {
            file,
            head: None,
            phase: Phase::Replies,
        };
        new.map(want).collect()
    }

    fn plan_answers(&self) -> Vec<Want> {
        let is_new = |file: &FileId| {
            !self.read.answers.contains_key(file)
                && !self.read.too_large.contains(file)
                && !self.read.failures.contains_key(file)
        };
        let is_small = |file: &FileId| {
            self.tree
                .entry(*file)
                .is_some_and(|entry| entry.is_at_most(ANSWER_BYTES))
        };
        let new = self.outputs(TurnKind::Text).filter(is_new).filter(is_small);
        let want = |file| Want {
            file,
            head: (self.tree.size(file).is_none()).then_some(ANSWER_BYTES + 1),
            phase: Phase::Answers,
        };
        new.map(want).collect()
    }

    /// Headers of pictures first, and then all of those that are pictures, to be decoded.
    fn plan_pictures(&self, phase: Phase) -> Vec<Want> {
        let pictures = self
            .benchmark
            .iter()
            .flat_map(|benchmark| &benchmark.samples)
            .flat_map(|sample| &sample.pictures);
        let mut files: Vec<FileId> = self
            .outputs(TurnKind::Image)
            .chain(pictures.filter_map(|picture| picture.file))
            .collect();
        let mut seen = HashSet::new();
        let is_known = |file: &FileId| match phase {
            Phase::Decoding => {
                let probed = self.read.pictures.get(file);
                let is_picture = matches!(probed, Some(Probed::Picture { .. }));
                !is_picture
                    || self.read.decoded.contains(file)
                    || self.reads.pending.contains_key(file)
            }
            _ => self.read.pictures.contains_key(file),
        };
        files.retain(|file| {
            !is_known(file) && !self.read.failures.contains_key(file) && seen.insert(*file)
        });
        let head = (phase == Phase::Pictures).then_some(HEAD_BYTES);
        let want = |file| Want { file, head, phase };
        files.into_iter().map(want).collect()
    }

    pub(crate) fn find_submissions(&mut self) {
        if self.submissions.is_some() {
            return;
        }
        if self.benchmark.is_none() {
            // With replies only, the names of their files give the protocol.
            let has_replies = |protocol: &&dyn Protocol| {
                let found = protocol.submissions(&self.tree, None);
                found.iter().any(|model| !model.reply_files.is_empty())
            };
            if let Some(&protocol) = self.protocols.iter().find(|protocol| has_replies(protocol)) {
                self.follow(ProtocolHandle::BuiltIn(protocol));
            }
        }
        let found = self.found.take();
        let mut submissions = self.models(found);
        self.know_variants(&mut submissions);
        self.set_copies_aside(&mut submissions);
        // By path, as the first readable reply counts: the order of arrival must not decide which one that is.
        for submission in &mut submissions {
            let by_path = |file: &FileId| self.tree.path(*file).to_owned();
            submission.reply_files.sort_small_by_cached_key(by_path);
            submission.extra_files.sort_small_by_cached_key(by_path);
            submission.known_files.sort_small_by_cached_key(by_path);
        }
        self.submissions = Some(submissions);
    }

    /// Excludes models whose folders are named as copies of other models' folders next to them, or are links to such.
    fn set_copies_aside(&mut self, submissions: &mut Vec<Submission>) {
        let folders: HashSet<String> = submissions
            .iter()
            .map(|submission| submission.folder.clone())
            .collect();
        let copy = |submission: &Submission| {
            let folder = &submission.folder;
            let linked = self.linked_folders.iter().find_map(|(path, target)| {
                let rest = folder.strip_prefix(path)?;
                (rest.is_empty() || rest.starts_with('/')).then(|| format!("{target}{rest}"))
            });
            let is_link = linked.is_some();
            let original = match linked {
                Some(linked) => linked,
                None => join(parent(folder), copy_of(base_name(folder))?),
            };
            let is_copy = original != *folder && folders.contains(&original);
            is_copy.then(|| CopiedModel {
                folder: folder.clone(),
                original,
                is_link,
            })
        };
        let copies: Vec<CopiedModel> = submissions.iter().filter_map(copy).collect();
        submissions.retain(|submission| copies.iter().all(|copy| copy.folder != submission.folder));
        self.copied_models = copies;
    }

    /// Takes the file that says what a submission is a variant of out of everything else that its folder holds.
    fn know_variants(&self, submissions: &mut [Submission]) {
        for submission in submissions {
            let path = join(&submission.folder, VARIANT_FILE);
            let Some(file) = self.tree.find(&path) else {
                continue;
            };
            submission.extra_files.retain(|own| *own != file);
            submission.reply_files.retain(|own| *own != file);
            if !submission.known_files.contains(&file) {
                submission.known_files.push(file);
            }
        }
    }

    /// Listed files that nothing claims.
    pub(crate) fn unclaimed(&self, benchmark: &Benchmark) -> Vec<FileId> {
        let mut is_claimed = vec![false; self.tree.len()];
        let mut claim = |file: FileId| is_claimed[file as usize] = true;
        benchmark.files.iter().copied().for_each(&mut claim);
        let pictures = benchmark.samples.iter().flat_map(|sample| &sample.pictures);
        pictures
            .filter_map(|picture| picture.file)
            .for_each(&mut claim);
        for submission in self.submissions.iter().flatten() {
            let files = submission.outputs.iter().flatten();
            files
                .chain(&submission.reply_files)
                .chain(&submission.known_files)
                .copied()
                .for_each(&mut claim);
        }
        let by_themselves = |kind: &FileKind| *kind == FileKind::JudgeTexts || kind.names_models();
        let kinds = FileKind::ALL.into_iter().filter(by_themselves);
        kinds
            .flat_map(|kind| self.files_of(kind))
            .for_each(&mut claim);
        self.tree
            .files()
            .filter(|(file, _)| !is_claimed[*file as usize])
            .map(|(file, _)| file)
            .collect()
    }
}

/// The files that say what submissions are variants of.
fn variant_files(submissions: &[Submission], tree: &FileTree) -> impl Iterator<Item = FileId> {
    let known = submissions.iter().flat_map(|model| &model.known_files);
    let known = known.copied();
    known.filter(|file| base_name(tree.path(*file)) == VARIANT_FILE)
}
