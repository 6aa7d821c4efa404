//! Which of the benchmarks that files suggest counts, as [`juror_model::trust`] says it: those that Juror knows before those
//! that a file declares, and of several files that declare one none in a model's folder, and none by chance.

use std::sync::Arc;

use super::owned::{has_others_beside, owned_submissions};
use super::{Loader, Reads, may_be_journal};
use juror_judging::journal::Journal;
use juror_model::host::{Phase, Want};
use juror_model::problem::{Problem, Severity};
use juror_model::submission::Submission;
use juror_model::tree::{FileId, folders_around, parent};
use juror_model::trust::Owners;
use juror_protocols::contract::{Loaded, Protocol, ProtocolHandle, Signs};
use juror_protocols::recognition::{self, Suggested};

/// What a session lacks for the files that are open, because its program links a part of Juror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// Nothing: it shows what one with everything shows.
    Nothing,
    /// Some files other than the benchmark's own hold records that it does not read: results of batch engines, measured values.
    Readers,
    /// They are, or may be, of a benchmark of which it knows no more than the signs.
    Benchmarks,
}

/// Protocol files that are held against each other.
const MAX_PROTOCOL_FILES: usize = 16;

/// A benchmark that files are held against.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) signs: &'static dyn Signs,
    /// All of it; `None` where this program links no more than its signs.
    pub(super) protocol: Option<&'static dyn Protocol>,
}

impl std::fmt::Debug for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.signs.id())
    }
}

/// What becomes of a candidate before it is loaded.
enum CandidateState {
    /// It may count.
    Stands,
    /// That depends on these files.
    Unread(Vec<FileId>),
    /// It does not count.
    SetAside(Box<Problem>),
    /// Nor does it, and its names had left doubt anyway.
    PassedOver,
}

/// Whether a file declares this candidate and nobody has chosen it.
fn is_mere_declaration(loader: &Loader, suggested: &Suggested) -> bool {
    loader.signs(suggested).is_named_by_file()
        && loader.chosen.as_deref() != Some(loader.tree.path(suggested.candidate.list))
}

fn files_of(loader: &Loader, suggested: &Suggested) -> Vec<FileId> {
    let named = loader.further_files(suggested);
    [suggested.candidate.files.as_slice(), named.as_slice()].concat()
}

fn loaded(loader: &Loader, suggested: &Suggested) -> Option<Loaded> {
    let protocol = loader.linked(suggested)?;
    let texts = &loader.read.texts;
    (protocol.load(&loader.tree, &suggested.candidate, texts)).ok()
}

/// The folder of a declared benchmark's model that a file lies in.
fn folder_around(loader: &Loader, loaded: &Loaded, path: &str) -> Option<String> {
    let declared = loaded.declared.as_ref()?;
    let models = declared.submissions(&loader.tree, Some(&loaded.benchmark));
    let owners = Owners::of(models.iter());
    owners.folder_of(path).map(str::to_owned)
}

fn in_a_model(loader: &Loader, next: &Suggested, folder: &str) -> CandidateState {
    aside(
        loader,
        next,
        Severity::Warning,
        format!(
            "This protocol file is not used: it lies in the folder of a model, {folder}, and a submission does not declare how it is scored."
        ),
    )
}

fn several(loader: &Loader, next: &Suggested, others: &[&Suggested]) -> CandidateState {
    let mut paths: Vec<&str> = others
        .iter()
        .take(3)
        .map(|other| loader.tree.path(other.candidate.list))
        .collect();
    if others.len() > 3 {
        paths.push("…");
    }
    aside(
        loader,
        next,
        Severity::Error,
        format!(
            "Several protocol files may be meant, this one and {}: none is used until you say which.",
            paths.join(", ")
        ),
    )
}

fn aside(loader: &Loader, next: &Suggested, severity: Severity, message: String) -> CandidateState {
    let path = loader.tree.path(next.candidate.list);
    CandidateState::SetAside(Box::new(Problem::new(
        path,
        ("protocol_not_used", severity),
        String::new(),
        message,
        &how_to_choose(path),
    )))
}

impl Loader {
    /// Whether the candidate at hand is loaded only once others were read that it is held against.
    pub(super) fn waits_for_others(&self) -> bool {
        let at_hand = self.candidate.as_ref();
        at_hand.is_some_and(|suggested| {
            is_mere_declaration(self, suggested) || self.told_by_texts(suggested).is_some()
        })
    }

    /// The protocol files, tried or not, with the files that they name.
    pub(super) fn is_of_a_declaration(&self, file: FileId) -> bool {
        self.candidates.iter().flatten().any(|suggested| {
            self.signs(suggested).is_named_by_file()
                && (suggested.candidate.files.contains(&file)
                    || self.further_files(suggested).contains(&file))
        })
    }

    /// Whether a candidate may count with the others.
    fn standing(&self, next: &Suggested) -> CandidateState {
        let path = self.tree.path(next.candidate.list);
        if self.chosen.as_deref() == Some(path) {
            return CandidateState::Stands;
        }
        let listed = self.told_by_texts(next);
        let unread = listed.map_or_else(Vec::new, |other| self.unread_of([other].into_iter()));
        if !unread.is_empty() {
            return CandidateState::Unread(unread);
        }
        if !is_mere_declaration(self, next) {
            // What names leave no doubt about is held against its own models once it is loaded.
            let is_sure = next.candidate.rank == 0;
            let others = |protocol: usize| !is_sure || protocol != next.protocol;
            let folder_in = if is_sure {
                Owners::folder_of
            } else {
                Owners::folder_around
            };
            let folder = self.folder_among_results((path, listed), folder_in, others);
            return match folder {
                None => CandidateState::Stands,
                Some(_) if !is_sure => CandidateState::PassedOver,
                Some(folder) => {
                    CandidateState::SetAside(Box::new(not_for_others(false, path, &folder)))
                }
            };
        }
        if let Some(folder) = self.folder_among_results((path, listed), Owners::folder_of, |_| true)
        {
            return in_a_model(self, next, &folder);
        }
        let all = self.candidates.iter().flatten();
        let others: Vec<&Suggested> = all
            .filter(|other| {
                *other != next
                    && self.signs(other).is_named_by_file()
                    && (!self.read.refused.contains(other)
                        || self.read.set_aside.contains_key(&other.candidate.list))
            })
            .collect();
        if others.is_empty() {
            return CandidateState::Stands;
        }
        if others.len() >= MAX_PROTOCOL_FILES {
            return several(self, next, &others);
        }
        let unread = self.unread_of(std::iter::once(next).chain(others.iter().copied()));
        if !unread.is_empty() {
            return CandidateState::Unread(unread);
        }
        let Some(own) = loaded(self, next) else {
            // What is wrong with it is told when it is loaded.
            return CandidateState::Stands;
        };
        let others: Vec<(&Suggested, Loaded)> = others
            .into_iter()
            .filter_map(|other| Some((other, loaded(self, other)?)))
            .collect();
        let path = self.tree.path(next.candidate.list);
        let depth = |path: &str| path.matches('/').count();
        let mut rivals = Vec::new();
        for (other, loaded) in &others {
            let at = self.tree.path(other.candidate.list);
            let (holds, is_held) = (
                folder_around(self, &own, at),
                folder_around(self, loaded, path),
            );
            match (holds, is_held) {
                (None, Some(folder)) if depth(at) < depth(path) => {
                    return in_a_model(self, next, &folder);
                }
                (Some(_), None) if depth(path) < depth(at) => {}
                _ => rivals.push(*other),
            }
        }
        if rivals.is_empty() {
            CandidateState::Stands
        } else {
            several(self, next, &rivals)
        }
    }

    /// The folder of a model that a file is in, where results of a known benchmark have other models beside it: they
    /// have replies by its authors' program, as anybody's pictures may be of any benchmark.
    ///
    /// `folder_in` tells a model's folder, by place alone or by name too; `is_asked` which benchmarks.
    fn folder_among_results(
        &self,
        (path, listed): (&str, Option<&Suggested>),
        folder_in: for<'a> fn(&'a Owners, &'a str) -> Option<&'a str>,
        is_asked: impl Fn(usize) -> bool,
    ) -> Option<String> {
        let asked = (0..self.known.len()).filter(|at| is_asked(*at));
        let results = asked
            .map(|at| self.results(at))
            .filter(|models| !models.is_empty());
        let listed = listed.map(|other| self.listed_results(other));
        results.chain(listed).find_map(|models| {
            let owners = Owners::of(models.iter());
            let folder = folder_in(&owners, path)?;
            has_others_beside(models, folder).then(|| folder.to_owned())
        })
    }

    /// The models of a benchmark, by its place among those that files are held against, where the files hold its results: its
    /// authors' programs wrote replies about several. Only those that are asked for are looked for.
    fn results(&self, at: usize) -> &[Submission] {
        self.results[at].get_or_init(|| {
            let protocol = self.known[at].protocol;
            let Some(protocol) = protocol.filter(|one| !one.is_named_by_file()) else {
                return Vec::new();
            };
            let models = protocol.submissions(&self.tree, None);
            let replied = models.iter().filter(|one| !one.reply_files.is_empty());
            if replied.count() > 1 {
                owned_submissions(protocol, &self.tree, None)
            } else {
                Vec::new()
            }
        })
    }

    /// The candidate of another benchmark whose texts may tell that this one is in a model's folder: its authors' names are
    /// there, or some of its files are in folders around this one's list.
    fn told_by_texts(&self, next: &Suggested) -> Option<&Suggested> {
        let path = self.tree.path(next.candidate.list);
        let folders: Vec<&str> = folders_around(path).collect();
        let is_around = |file: &FileId| {
            !next.candidate.files.contains(file) && folders.contains(&parent(self.tree.path(*file)))
        };
        self.candidates.iter().flatten().find(|other| {
            other.protocol != next.protocol
                && self.signs(other).is_told_by_texts()
                && self.linked(other).is_some()
                && !self.read.refused.contains(other)
                && (other.candidate.rank == 0 || other.candidate.files.iter().any(is_around))
        })
    }

    /// The models that such a candidate's texts tell, where its authors' program wrote replies about several.
    fn listed_results(&self, suggested: &Suggested) -> &[Submission] {
        self.listed_results.get_or_init(|| {
            let found = self.linked(suggested).zip(loaded(self, suggested));
            let models = found.map_or_else(Vec::new, |(protocol, loaded)| {
                owned_submissions(protocol, &self.tree, Some(&loaded.benchmark))
            });
            let replied = models.iter().filter(|one| !one.reply_files.is_empty());
            if replied.count() > 1 {
                models
            } else {
                Vec::new()
            }
        })
    }

    /// The files of candidates that were not read yet.
    fn unread_of<'a>(&self, candidates: impl Iterator<Item = &'a Suggested>) -> Vec<FileId> {
        let files = candidates.flat_map(|one| files_of(self, one));
        let is_unread = |file: &FileId| {
            !self.read.texts.contains_key(file) && !self.read.failures.contains_key(file)
        };
        files.filter(is_unread).collect()
    }

    /// Benchmarks other than the shown one that only their content identifies.
    pub(crate) fn glimpsed_beside(&self) -> Vec<Problem> {
        let suggested = self.candidates.iter().flatten();
        let seen = suggested.filter_map(|suggested| {
            let is_it = |file: &&FileId| self.read.glimpsed.get(file) == Some(&true);
            let file = suggested.candidate.files.iter().find(is_it)?;
            let title = self.signs(suggested).title();
            Some(not_shown(self.tree.path(*file), title))
        });
        seen.collect()
    }

    /// A benchmark that is suggested in addition to the shown one.
    ///
    /// `folder` is the model's that its file lies in, if it does.
    pub(crate) fn beside(&self, suggested: &Suggested, folder: Option<&str>) -> Problem {
        let path = self.tree.path(suggested.candidate.list);
        let signs = self.signs(suggested);
        if !signs.is_named_by_file() {
            return not_shown(path, signs.title());
        }
        let message = match folder {
            Some(folder) => format!(
                "This protocol file is not used: it lies in the folder of a model, {folder}, and a submission does not declare how it is scored."
            ),
            None => format!(
                "This protocol file is not used: the files are recognised as {}, which a protocol file does not replace.",
                self.protocol.title()
            ),
        };
        Problem::new(
            path,
            ("protocol_not_used", Severity::Warning),
            String::new(),
            message,
            &how_to_choose(path),
        )
    }

    /// Whether the file's text may tell the models of a benchmark that the candidate at hand is held against.
    fn is_told_of(&self, file: FileId) -> bool {
        let other = self.candidate.as_ref();
        let other = other.and_then(|at_hand| self.told_by_texts(at_hand));
        other.is_some_and(|other| other.candidate.files.contains(&file))
    }

    /// Whether the file belongs to a candidate that is being read.
    pub(super) fn is_reading(&self, file: FileId) -> bool {
        self.benchmark.is_none()
            && (self.candidate_files().any(|own| own == file)
                || self.is_of_a_declaration(file)
                || self.is_told_of(file))
    }

    /// The files of the candidate at hand, those included that its texts so far name.
    pub(crate) fn candidate_files(&self) -> impl Iterator<Item = FileId> {
        self.candidate.iter().flat_map(|suggested| {
            let named = self.further_files(suggested);
            suggested.candidate.files.iter().copied().chain(named)
        })
    }

    /// Loads the candidate at hand once all of it was read: files that were added meanwhile may be part of it.
    pub(super) fn load_when_read(&mut self) {
        if self.is_free() && !self.waits_for_others() && self.unread().is_empty() {
            self.load();
        }
    }

    /// Makes the benchmark of the candidate at hand, or strikes the candidate off.
    pub(super) fn load(&mut self) {
        let Some(suggested) = self.candidate.clone() else {
            return;
        };
        let Some(protocol) = self.linked(&suggested) else {
            return;
        };
        let suggested_path = self.tree.path(suggested.candidate.list).to_owned();
        self.found = None;
        match protocol.load(&self.tree, &suggested.candidate, &self.read.texts) {
            Ok(Loaded {
                mut benchmark,
                declared,
            }) => {
                if benchmark.is_of_results {
                    self.leave_models_pictures(protocol, &mut benchmark);
                }
                self.benchmark = Some(Arc::new(benchmark));
                self.follow(
                    declared.map_or(ProtocolHandle::BuiltIn(protocol), ProtocolHandle::Declared),
                );
                if self.gives_way(&suggested) {
                    self.benchmark = None;
                    self.candidate = None;
                    self.read.given_way.insert(suggested);
                } else if let Some(folder) = self.speaks_for_others(&suggested) {
                    let is_declared = self.protocol.is_named_by_file();
                    let problem = not_for_others(is_declared, &suggested_path, &folder);
                    self.set_aside(suggested, problem);
                }
            }
            Err(problem) => {
                let rank = suggested.candidate.rank;
                let mut files = suggested.candidate.files.iter();
                // What is wrong with a file that could not be read is told already.
                if !files.any(|file| self.read.failures.contains_key(file)) {
                    self.read.list_problems.push((rank, *problem));
                }
                self.read.refused.insert(suggested);
                self.candidate = None;
            }
        }
        self.submissions = None;
        self.is_changed = true;
    }

    /// Leaves a candidate out until more files come.
    fn pass_over(&mut self, suggested: Suggested) {
        self.read.aside.push(suggested.clone());
        self.read.refused.insert(suggested);
        self.candidate = None;
    }

    /// Sets a candidate aside; what was made of it is forgotten.
    fn set_aside(&mut self, suggested: Suggested, problem: Problem) {
        let list = suggested.candidate.list;
        if !self.signs(&suggested).is_named_by_file() {
            // What else there is may be a benchmark without the lists in that folder.
            let folder = parent(self.tree.path(list));
            let files = suggested.candidate.files.iter().copied();
            let beside = files.filter(|file| parent(self.tree.path(*file)) == folder);
            self.read.no_lists.extend(beside.chain([list]));
            self.candidates = None;
        }
        self.read.set_aside.insert(list, problem);
        self.pass_over(suggested);
        self.benchmark = None;
        self.found = None;
        if self.protocol.is_named_by_file() {
            self.follow(ProtocolHandle::BuiltIn(self.protocols[0]));
        }
    }

    /// Gives candidates that name further files another try: those may be there now.
    pub(super) fn reconsider(&mut self) {
        let (tree, known, texts) = (&self.tree, &self.known, &self.read.texts);
        let problems = &mut self.read.list_problems;
        self.read.set_aside.clear();
        self.read.no_lists.clear();
        for suggested in self.read.aside.drain(..) {
            self.read.refused.remove(&suggested);
        }
        self.read.given_way.clear();
        self.read.refused.retain(|suggested| {
            let Some(protocol) = known[suggested.protocol].protocol else {
                return true;
            };
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
    pub(super) fn reload(&mut self) {
        let Some(known) = self.candidate.take() else {
            return;
        };
        self.benchmark = None;
        self.found = None;
        if self.signs(&known).is_named_by_file() {
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
    pub(super) fn follow(&mut self, protocol: ProtocolHandle) {
        let is_same = protocol.id() == self.protocol.id()
            && protocol.declaration() == self.protocol.declaration();
        let pack = protocol.built_in_pack();
        // One that a file declares knows its samples, which more files may have changed.
        self.protocol = protocol;
        self.found = None;
        if is_same {
            return;
        }
        self.packs = vec![pack];
        self.pack_roots = vec![String::new()];
        self.num_by_sample = 0;
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
    pub(crate) fn suggestions(&mut self) -> &[Suggested] {
        let (tree, chosen, known) = (&self.tree, self.chosen.as_deref(), &self.known);
        let (no_lists, aside) = (&self.read.no_lists, &self.read.aside);
        self.candidates.get_or_insert_with(|| {
            let signs: Vec<&dyn Signs> = known.iter().map(|one| one.signs).collect();
            if no_lists.is_empty() {
                return recognition::suggestions(tree, &signs, chosen);
            }
            let rest = tree.of_these(|file| !no_lists.contains(&file));
            // They can still be chosen.
            let lists = aside
                .iter()
                .filter(|one| no_lists.contains(&one.candidate.list));
            let found = recognition::suggestions(&rest, &signs, chosen).into_iter();
            found.chain(lists.cloned()).collect()
        })
    }

    /// The files of the candidate at hand that are still to be read.
    pub(super) fn unread(&self) -> Vec<FileId> {
        self.candidate_files()
            .filter(|file| {
                !self.read.texts.contains_key(file) && !self.read.failures.contains_key(file)
            })
            .collect()
    }

    pub(super) fn plan_benchmark(&mut self) -> Vec<Want> {
        let want = |file| Want {
            file,
            head: None,
            phase: Phase::Benchmark,
        };
        while self.benchmark.is_none() {
            self.suggestions();
            let (refused, given_way) = (&self.read.refused, &self.read.given_way);
            let mut open =
                (self.candidates.iter().flatten()).filter(|suggested| !refused.contains(suggested));
            // What gave way to others counts where these turned out to be something else.
            let next = (open
                .clone()
                .find(|suggested| !given_way.contains(suggested)))
            .or_else(|| open.next());
            let Some(next) = next.cloned() else { break };
            if self.linked(&next).is_none() {
                // Another engine is to read these files: see `Loader::lack`.
                break;
            }
            self.candidate = Some(next.clone());
            match self.standing(&next) {
                CandidateState::Unread(files) => return files.into_iter().map(want).collect(),
                CandidateState::SetAside(problem) => {
                    self.set_aside(next, *problem);
                    continue;
                }
                CandidateState::PassedOver => {
                    self.pass_over(next);
                    continue;
                }
                CandidateState::Stands => {}
            }
            let unread = self.unread();
            if !unread.is_empty() {
                return unread.into_iter().map(want).collect();
            }
            self.load();
        }
        self.find_submissions();
        let prompts = self.texts_of_judges().into_iter().filter(|file| {
            !self.read.prompt_texts.contains_key(file) && !self.read.failures.contains_key(file)
        });
        prompts.map(want).collect()
    }

    /// By what the benchmark of a candidate is known.
    pub(crate) fn signs(&self, suggested: &Suggested) -> &'static dyn Signs {
        self.known[suggested.protocol].signs
    }

    /// The benchmark of a candidate, if this program has more of it than its signs.
    fn linked(&self, suggested: &Suggested) -> Option<&'static dyn Protocol> {
        self.known[suggested.protocol].protocol
    }

    /// Files that a candidate's texts name.
    fn further_files(&self, suggested: &Suggested) -> Vec<FileId> {
        let (candidate, texts) = (&suggested.candidate, &self.read.texts);
        self.linked(suggested).map_or_else(Vec::new, |protocol| {
            protocol.further_files(&self.tree, candidate, texts)
        })
    }

    /// What this session lacks for the files that are open, as soon as their benchmark and their replies were read.
    pub(crate) fn lack(&mut self) -> Lack {
        if self.known.iter().any(|one| one.protocol.is_none()) {
            self.suggestions();
            let of_another = |suggested: &Suggested| {
                suggested.candidate.rank == 0 && self.linked(suggested).is_none()
            };
            if self.benchmark.is_none()
                || !self.read.refused.is_empty()
                || self.candidates.iter().flatten().any(of_another)
            {
                return Lack::Benchmarks;
            }
        }
        if self.readers.are_all || !self.has_unread_kinds() {
            return Lack::Nothing;
        }
        Lack::Readers
    }

    /// Whether a file other than the benchmark's own may count in scores and was not read completely.
    fn has_unread_kinds(&self) -> bool {
        let mut foreign = self.read.foreign.iter();
        let mut journals = self.read.journals.values();
        let is_part = |journal: &Journal| {
            let mut records = journal.records.iter();
            journal.records.is_empty()
                || !journal.bad_lines.is_empty()
                // What was paid for and could not be read is read again.
                || records.any(|(_, record)| record.body.is_some())
        };
        foreign.any(|file| may_be_journal(self.tree.path(*file)))
            || journals.any(|(_, journal)| is_part(journal))
            || !self.read.unpacked.is_empty()
            || !self.read.unread.is_empty()
    }

    /// Says which benchmark counts; `None` leaves it to the files.
    pub(crate) fn choose(&mut self, path: Option<&str>) {
        self.chosen = path.map(str::to_owned);
        self.candidate = None;
        self.benchmark = None;
        self.forget();
        self.reads = Reads::default();
        self.reconsider();
    }
}

fn not_for_others(is_declared: bool, path: &str, folder: &str) -> Problem {
    let what = if is_declared {
        "This protocol file is not used: it lies in the folder of a model"
    } else {
        "This list is not used: it is in the folder of a model"
    };
    Problem::new(
        path,
        ("protocol_not_used", Severity::Warning),
        String::new(),
        format!("{what}, {folder}, and a submission does not declare how others are scored."),
        &how_to_choose(path),
    )
}

fn not_shown(path: &str, title: &str) -> Problem {
    Problem::new(
        path,
        ("other_benchmark", Severity::Note),
        String::new(),
        format!("This looks like {title} and is not shown: one benchmark is shown at a time."),
        "Close everything and open its folder alone to see it.",
    )
}

fn how_to_choose(path: &str) -> String {
    format!(
        "If it is meant, choose it under Benchmark, or on the command line by --benchmark {path}."
    )
}
