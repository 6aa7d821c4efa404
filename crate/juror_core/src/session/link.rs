//! Ties what was read together: replies to dialogues and turns, outputs to their state, and the findings on the way.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::health::Aside;
use super::heard::Heard;
use super::{Probed, Session};
use crate::journal::{Journal, Record};
use crate::judging::health::StaleReply;
use crate::keyed::Keyed;
use crate::limits::{self, BadLines};
use crate::model::host::Phase;
use crate::model::linked::{LinkedReply, ModelData, World, intern};
use crate::model::problem::{Problem, Severity};
use crate::model::reply::{Fault, Read, Readings, ReplyLine};
use crate::model::sample::{Benchmark, TurnKind};
use crate::model::submission::{OutputState, Submission};
use crate::small::{CollectSmall, SortSmall};
use crate::tree::FileId;
use crate::trust::Owners;

/// Where a reply's raw text is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A file of the authors' judge output.
    Replies(FileId),
    /// A journal file.
    Journal(FileId),
    /// Pasted in this session.
    Pasted,
}

/// The models with everything tied to them.
#[derive(Debug, Default)]
pub(super) struct Linked {
    pub(super) benchmark: Arc<Benchmark>,
    /// The same for requests, where pictures of it cannot be read: there those are as missing ones.
    readable: Option<Arc<Benchmark>>,
    pub(super) models: Vec<ModelData>,
    pub(super) sources: Vec<Source>,
    pub(super) problems: Vec<Problem>,
    /// Replies to earlier requests.
    pub(super) aside: Vec<Aside>,
    /// Where models stand by their name.
    by_name: Keyed,
    /// Where each model's criteria, domains and judges stand in its lists.
    names: BTreeMap<usize, [Keyed; 3]>,
    /// Records of models beyond the limit.
    num_beyond: u32,
    /// Per model: judges with a part of the replies.
    pub(super) partial: Vec<Vec<super::standing::Partial>>,
    /// Whose the folders are.
    pub(super) owners: Arc<Owners>,
}

/// The benchmark without the pictures that cannot be read, if there are such.
fn readable(session: &Session, benchmark: &Arc<Benchmark>) -> Option<Arc<Benchmark>> {
    let is_faulty = |file: &FileId| {
        let probed = session.read.pictures.get(file);
        probed.is_some_and(|probed| probed.fault().is_some())
    };
    let mut pictures = benchmark.samples.iter().flat_map(|sample| &sample.pictures);
    if !pictures.any(|picture| picture.file.as_ref().is_some_and(is_faulty)) {
        return None;
    }
    let mut readable = Benchmark::clone(benchmark);
    for sample in &mut readable.samples {
        for picture in &mut sample.pictures {
            picture.file = picture.file.filter(|file| !is_faulty(file));
        }
    }
    Some(Arc::new(readable))
}

fn model(session: &Session, benchmark: &Benchmark, submission: Submission) -> ModelData {
    let mut has = [false; 2];
    if submission.outputs.iter().all(Option::is_none) {
        return with_outputs(
            session,
            submission,
            vec![OutputState::NotGiven; benchmark.num_turns()],
            HashMap::new(),
        );
    }
    for (slot, _, _, turn) in benchmark.turns() {
        has[usize::from(turn.kind == TurnKind::Text)] |= submission
            .outputs
            .get(slot as usize)
            .is_some_and(Option::is_some);
    }
    let mut answers = HashMap::new();
    let mut outputs = Vec::new();
    let is_closed = has_closed_folder(session, &submission);
    for (slot, _, _, turn) in benchmark.turns() {
        let file = submission.outputs.get(slot as usize).copied().flatten();
        outputs.push(match (file, turn.kind) {
            (None, kind) if !has[usize::from(kind == TurnKind::Text)] => OutputState::NotGiven,
            (None, _) if is_closed => OutputState::Inaccessible,
            (None, _) => OutputState::Missing,
            (Some(file), _) if session.read.failures.contains_key(&file) => {
                OutputState::Inaccessible
            }
            (Some(file), TurnKind::Image) => match session.read.pictures.get(&file) {
                Some(Probed::Bad { .. } | Probed::Corrupt { .. }) => OutputState::Unreadable,
                _ => OutputState::Present,
            },
            (Some(file), TurnKind::Text) => match session.read.answers.get(&file) {
                Some(text) => {
                    answers.insert(slot, text.clone());
                    OutputState::Present
                }
                None if session.read.too_large.contains(&file)
                    || session.tree.size(file) > Some(limits::ANSWER_BYTES) =>
                {
                    OutputState::Unreadable
                }
                None => OutputState::Present,
            },
        });
    }
    with_outputs(session, submission, outputs, answers)
}

/// Whether a folder of the model's files could not be listed, so that what is not found there may well be there.
fn has_closed_folder(session: &Session, submission: &Submission) -> bool {
    let own = &submission.folder;
    let is_at_or_below = |path: &str, folder: &str| {
        folder.is_empty()
            || path
                .strip_prefix(folder)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    session
        .closed_folders
        .iter()
        .any(|(path, _)| is_at_or_below(path, own) || is_at_or_below(own, path))
}

/// Notes which models lack replies that may stand in files which could not be opened: their own, and journals in
/// nobody's folder.
fn mark_unread_replies(session: &Session, models: &mut [ModelData]) {
    let failed = session.read.failures.iter();
    let unread: Vec<FileId> = failed
        .filter(|(file, (phase, _))| match phase {
            Phase::Replies => true,
            // Lists of results are read with the benchmark, as only their content tells them from its own.
            Phase::Benchmark => session.tree.path(**file).to_lowercase().ends_with(".json"),
            _ => false,
        })
        .map(|(file, _)| *file)
        .collect_small();
    let owner = |file: FileId| {
        let path = session.tree.path(file);
        models.iter().position(|model| {
            let submission = &model.submission;
            let is_below = !submission.folder.is_empty()
                && path
                    .strip_prefix(&*submission.folder)
                    .is_some_and(|rest| rest.starts_with('/'));
            submission.reply_files.contains(&file) || is_below
        })
    };
    let owners: Vec<Option<usize>> = unread
        .into_iter()
        .filter_map(|file| {
            let owner = owner(file);
            let may_hold_replies =
                owner.is_some() || super::may_be_journal(session.tree.path(file));
            may_hold_replies.then_some(owner)
        })
        .collect();
    for (at, model) in models.iter_mut().enumerate() {
        model.has_unread_replies = owners
            .iter()
            .any(|owner| owner.is_none_or(|owner| owner == at));
    }
}

fn with_outputs(
    session: &Session,
    submission: Submission,
    outputs: Vec<OutputState>,
    answers: HashMap<u32, String>,
) -> ModelData {
    ModelData {
        submission: Arc::new(submission),
        outputs: Arc::new(outputs),
        answers: Arc::new(answers),
        criteria: session
            .protocol
            .requests()
            .into_iter()
            .map(|info| info.id)
            .collect(),
        judges: vec![String::new()],
        ..ModelData::default()
    }
}

fn link_replies(session: &Session, linked: &mut Linked, model: usize, file: FileId) {
    let Some(replies) = session.read.replies.get(&file) else {
        return;
    };
    let source = linked.source(Source::Replies(file));
    let Linked {
        benchmark,
        models,
        problems,
        names,
        ..
    } = linked;
    let [of_criteria, of_domains, of_judges] = names.entry(model).or_default();
    let mut next = 0;
    let sample_of = |line: &ReplyLine| {
        let sample = benchmark.index_near(next, line.sample.as_deref()?)?;
        next = sample + 1;
        Some(sample)
    };
    let samples: Vec<Option<u32>> = replies.lines.iter().map(sample_of).collect();
    let path = session.tree.path(file);
    session
        .protocol
        .check_replies(replies, &samples, benchmark, path, problems);
    let model = &mut models[model];
    let intern_all = |names: &[String], known: &mut Vec<String>, index: &mut Keyed| {
        let places = names.iter().map(|name| intern(known, index, name));
        places.collect::<Vec<u16>>()
    };
    let criteria = intern_all(&replies.criteria, &mut model.criteria, of_criteria);
    let domains = intern_all(&replies.domains, &mut model.domains, of_domains);
    // What the file states, else what its place states, else whom somebody named.
    let judge = if replies.judge.is_empty() {
        let by_place = model.submission.judges.get(&file).map(String::as_str);
        let by_hand = || session.named_for(file).map(|(_, judge)| judge);
        by_place.or_else(by_hand).unwrap_or_default()
    } else {
        &replies.judge
    };
    let judge = intern(&mut model.judges, of_judges, judge);
    let first_verdict = super::count(model.verdicts.len());
    Arc::make_mut(&mut model.verdicts).extend_from_slice(&replies.verdicts);
    let given = Arc::make_mut(&mut model.given);
    given.reserve(replies.replies.len());
    for (position, reply) in (0u32..).zip(&replies.replies) {
        let line = &replies.lines[reply.line as usize];
        let sample = samples[reply.line as usize];
        let slot = sample
            .zip(reply.turn.get())
            .and_then(|(sample, turn)| benchmark.turn_slot(sample, turn));
        given.push(LinkedReply {
            sample: sample.into(),
            slot: slot.into(),
            turn: reply.turn,
            criterion: criteria[usize::from(reply.criterion)],
            domain: domains[usize::from(line.domain)],
            judge,
            run: replies.run.max(1),
            readings: reply.readings,
            verdict: (!replies.verdicts.is_empty())
                .then(|| first_verdict + position)
                .into(),
            origin: (source, position),
            line: line.number,
        });
    }
}

fn link_journal(session: &Session, linked: &mut Linked, file: FileId) {
    let Some((_, journal)) = session.read.journals.get(&file) else {
        return;
    };
    tell_bad_lines(session, linked, file, &journal.bad_lines);
    let source = linked.source(Source::Journal(file));
    let owners = Arc::clone(&linked.owners);
    let heard = Heard::of(&owners, session.tree.path(file));
    for (position, (line, record)) in (0u32..).zip(&journal.records) {
        if !heard.includes(&record.model) {
            continue;
        }
        link_record(session, linked, record, (source, position), *line);
    }
}

fn tell_bad_lines(session: &Session, linked: &mut Linked, file: FileId, bad_lines: &BadLines) {
    for (line, message) in bad_lines.told() {
        linked.problems.push(Problem {
            severity: Severity::Error,
            code: "bad_line".to_owned(),
            path: session.tree.path(file).to_owned(),
            place: format!("line {line}"),
            message,
            hint: "The record is left out; the others count.".to_owned(),
        });
    }
}

/// Findings about the results of batch engines: replies that came twice, and ids of other benchmarks.
fn check_batches(session: &Session, linked: &mut Linked) {
    let mut files: Vec<(&str, &Journal)> = Vec::new();
    for (file, (_, journal)) in &session.read.journals {
        if journal.is_batch {
            files.push((session.tree.path(*file), journal));
        }
    }
    files.sort_small_by_key(|(path, _)| *path);
    let mut answered = HashMap::new();
    for (path, journal) in files {
        for (line, record) in &journal.records {
            let problem = |severity, code: &str, message, hint: &str| Problem {
                severity,
                code: code.to_owned(),
                path: path.to_owned(),
                place: format!("line {line}"),
                message,
                hint: hint.to_owned(),
            };
            if let Some(message) = session.stray(&linked.benchmark, record) {
                let hint = "Open the benchmark that the batch file was made for.";
                let found = problem(Severity::Error, "unknown_id", message, hint);
                linked.problems.push(found);
            }
            let asked = (
                (&record.model, &record.sample, record.turn),
                (&record.criterion, &record.judge, record.run),
            );
            if let Some((path, line)) = answered.get(&asked) {
                let message = format!("This request was answered in {path}, line {line}, already.");
                let hint = "Both replies are kept; the first readable one stands.";
                let found = problem(Severity::Warning, "repeated_reply", message, hint);
                linked.problems.push(found);
            } else if record.error.is_none() {
                answered.insert(asked, (path, line));
            }
        }
    }
}

fn link_record(
    session: &Session,
    linked: &mut Linked,
    record: &Record,
    origin: (u32, u32),
    line: u32,
) {
    // A reply of an anchor set is compared with the stored one and never counts.
    if record.protocol != session.protocol.id() || record.anchor.is_some() {
        return;
    }
    if session.is_stale(record) {
        let source = linked.sources[origin.0 as usize];
        linked.aside.push(Aside {
            key: record.key(),
            reply: StaleReply {
                criterion: record.criterion.clone(),
                judge: record.judge.clone(),
                run: record.run,
                time: record.time.clone(),
                raw: super::sample::reply_text(record).to_owned(),
                source: source.name(session, line),
            },
        });
        return;
    }
    let known = linked.by_name.find(&record.model, &linked.models, |model| {
        &model.submission.name
    });
    if known.is_none() && linked.models.len() >= limits::MODELS {
        linked.num_beyond += 1;
        return;
    }
    let at = known.unwrap_or_else(|| {
        let submission = Submission {
            name: record.model.clone(),
            outputs: vec![None; linked.benchmark.num_turns()],
            ..Submission::default()
        };
        linked
            .models
            .push(model(session, &linked.benchmark, submission));
        linked.models.len() - 1
    });
    let sample = linked.benchmark.index_of(&record.sample);
    let domain = sample
        .map_or("unknown", |sample| {
            linked.benchmark.samples[sample as usize].domain.as_str()
        })
        .to_owned();
    let [of_criteria, of_domains, of_judges] = linked.names.entry(at).or_default();
    let model = &mut linked.models[at];
    let of = sample.map(|sample| &linked.benchmark.samples[sample as usize]);
    let read = match &record.error {
        Some(_) => Read::One(Readings::new(
            Err(Fault::FailedCall),
            Err(Fault::FailedCall),
        )),
        None => session.protocol.read(of, &record.criterion, &record.reply),
    };
    let (readings, verdict) = match read {
        Read::One(readings) => (readings, None),
        Read::Several(verdict) => {
            Arc::make_mut(&mut model.verdicts).push(verdict.clone());
            let position = super::count(model.verdicts.len() - 1);
            (verdict.readings(), Some(position))
        }
    };
    Arc::make_mut(&mut model.given).push(LinkedReply {
        sample: sample.into(),
        slot: sample
            .and_then(|sample| linked.benchmark.turn_slot(sample, record.turn))
            .into(),
        turn: Some(record.turn).into(),
        criterion: intern(&mut model.criteria, of_criteria, &record.criterion),
        domain: intern(&mut model.domains, of_domains, &domain),
        judge: intern(&mut model.judges, of_judges, &record.judge),
        run: record.run,
        readings,
        verdict: verdict.into(),
        origin,
        line,
    });
}

/// Findings about files that belong to no reply.
fn find_problems(session: &Session, linked: &mut Linked) {
    let Linked {
        benchmark,
        models,
        problems,
        ..
    } = linked;
    for model in models.iter() {
        problems.extend(model.submission.problems.iter().cloned());
        problems.extend(without_outputs(benchmark, model));
    }
    let first_of_files = problems.len();
    find_problems_of_files(session, problems);
    problems[first_of_files..].sort_small_by(|a, b| (&a.code, &a.path).cmp(&(&b.code, &b.path)));
}

/// Findings about pictures and texts that cannot be read.
fn find_problems_of_files(session: &Session, problems: &mut Vec<Problem>) {
    let pictures: BTreeMap<FileId, &Probed> = session
        .read
        .pictures
        .iter()
        .map(|(file, probed)| (*file, probed))
        .collect_small();
    for (file, probed) in pictures {
        let Some((message, hint)) = probed.fault() else {
            continue;
        };
        let code = match probed {
            Probed::Corrupt { .. } => "corrupt_picture",
            _ => "not_a_picture",
        };
        let (path, message) = (session.tree.path(file), message.to_owned());
        problems.push(Problem::new(
            path,
            (code, Severity::Error),
            String::new(),
            message,
            hint,
        ));
    }
    for file in &session.read.not_utf8 {
        let message =
            "The file is not UTF-8; letters that could not be read stand as \u{fffd}.".to_owned();
        let hint = "Save it as UTF-8.";
        problems.push(Problem::new(
            session.tree.path(*file),
            ("not_utf8", Severity::Warning),
            String::new(),
            message,
            hint,
        ));
    }
    let failures: BTreeMap<_, _> = session.read.failures.iter().collect_small();
    for (file, (_, message)) in failures {
        let (code, hint) = if session.read.damaged.contains(file) {
            (
                "damaged_entry",
                "Download or copy the ZIP again, or pack it anew: until then everything about this entry is left out of the scores.",
            )
        } else {
            (
                "unreadable_file",
                "Check that the file still exists and may be read, then read it again: until then everything about it is left out of the scores.",
            )
        };
        problems.push(Problem::new(
            session.tree.path(*file),
            (code, Severity::Error),
            String::new(),
            message.clone(),
            hint,
        ));
    }
}

impl Session {
    /// Ties everything together if anything has changed since.
    pub(super) fn link(&mut self) {
        self.find_submissions();
        if self.cache.linked.is_some() {
            return;
        }
        let mut linked = Linked {
            benchmark: match &self.benchmark {
                Some(benchmark) => Arc::clone(benchmark),
                None => Arc::new(
                    self.protocol
                        .imply(&self.read.replies.values().collect::<Vec<_>>()),
                ),
            },
            ..Linked::default()
        };
        linked.readable = readable(self, &linked.benchmark);
        let submissions = self.cache.submissions.clone().unwrap_or_default();
        linked.owners = Arc::new(Owners::of(submissions.iter()));
        for submission in submissions {
            linked
                .models
                .push(model(self, &linked.benchmark, submission));
        }
        mark_unread_replies(self, &mut linked.models);
        for at in 0..linked.models.len() {
            for file in linked.models[at].submission.reply_files.clone() {
                link_replies(self, &mut linked, at, file);
            }
        }
        // By name, as the first readable reply of a run stands: the order of opening must not decide which one that is.
        let mut journals: Vec<FileId> = self.read.journals.keys().copied().collect();
        journals.sort_small_by_key(|file| self.tree.path(*file));
        for file in journals {
            link_journal(self, &mut linked, file);
        }
        for (file, trajectories) in &self.read.trajectories {
            tell_bad_lines(self, &mut linked, *file, &trajectories.bad_lines);
        }
        self.tell_unheard(&mut linked);
        check_batches(self, &mut linked);
        let pasted = linked.source(Source::Pasted);
        for (position, record) in (0u32..).zip(&self.pasted) {
            link_record(self, &mut linked, record, (pasted, position), 0);
        }
        linked.problems.extend(too_many_models(linked.num_beyond));
        linked
            .models
            .sort_small_by(|a, b| a.submission.name.cmp(&b.submission.name));
        linked.models.iter_mut().for_each(ModelData::count_given);
        linked.find_partial_judges();
        self.find_conflicts(&mut linked);
        find_problems(self, &mut linked);
        linked.problems.extend(Self::stale_problems(&linked.aside));
        linked.problems.extend(self.unpacked_problems());
        self.cache.linked = Some(linked);
    }

    /// What the benchmark at hand lacks of what a record answers.
    pub(super) fn stray(&self, benchmark: &Benchmark, record: &Record) -> Option<String> {
        let protocol = self.protocol.id();
        if record.protocol != protocol {
            let found = &record.protocol;
            return Some(format!(
                "Expected a result for {protocol}, found one for {found}."
            ));
        }
        benchmark.list?;
        let sample = &record.sample;
        let Some(at) = benchmark.index_of(sample) else {
            return Some(format!("The benchmark has no sample {sample}."));
        };
        let of = &benchmark.samples[at as usize];
        let Some(turn) = of.turns.get(record.turn as usize) else {
            return Some(format!(
                "Sample {sample} has no turn {} (as the journal counts, from 0).",
                record.turn
            ));
        };
        let asked = self.protocol.requests_of(of, turn);
        if asked.contains(&record.criterion.as_str()) {
            return None;
        }
        let criterion = &record.criterion;
        Some(format!(
            "Turn {} (as the journal counts, from 0) of sample {sample} is not judged on {criterion}.",
            record.turn
        ))
    }

    /// What requests are made of: pictures that cannot be read are as missing ones, so a judge is asked about a turn in the
    /// same way whether an earlier picture is cut off or was never there.
    pub(super) fn world_to_ask(&self) -> World<'_> {
        let linked = self.cache.linked.as_ref();
        let readable = linked.and_then(|linked| linked.readable.as_deref());
        let world = self.world();
        World {
            benchmark: readable.unwrap_or(world.benchmark),
            ..world
        }
    }

    pub(super) fn world(&self) -> World<'_> {
        static EMPTY: std::sync::OnceLock<Benchmark> = std::sync::OnceLock::new();
        let benchmark = match &self.cache.linked {
            Some(linked) => &linked.benchmark,
            None => EMPTY.get_or_init(Benchmark::default),
        };
        World {
            tree: &self.tree,
            benchmark,
            models: self.models(),
        }
    }
}

/// A word about records that name models beyond the limit.
fn too_many_models(num_records: u32) -> Option<Problem> {
    (num_records > 0).then(|| Problem {
        severity: Severity::Error,
        code: "too_many_models".to_owned(),
        path: String::new(),
        place: String::new(),
        message: format!(
            "{num_records} replies name further models; Juror takes {} at once.",
            limits::MODELS
        ),
        hint: "These replies are left out. Open fewer models together.".to_owned(),
    })
}

impl Linked {
    fn source(&mut self, source: Source) -> u32 {
        self.sources.push(source);
        u32::try_from(self.sources.len() - 1).unwrap_or(u32::MAX)
    }
}

/// Findings about kinds of output of which a judged model has none.
fn without_outputs(benchmark: &Benchmark, model: &ModelData) -> Vec<Problem> {
    let mut found = Vec::new();
    for (kind, what) in [
        (TurnKind::Image, "pictures"),
        (TurnKind::Text, "text answers"),
    ] {
        let is_expected =
            benchmark.list.is_some() && benchmark.turns().any(|(_, _, _, turn)| turn.kind == kind);
        if !is_expected {
            continue;
        }
        let is_judged = model.given.iter().any(|given| {
            let turn = given.slot.get().and_then(|slot| benchmark.turn_at(slot));
            turn.is_some_and(|turn| turn.kind == kind)
        });
        let mut states = benchmark
            .turns()
            .zip(model.outputs.iter())
            .filter(|((_, _, _, turn), _)| turn.kind == kind);
        if is_judged && states.all(|(_, state)| *state == OutputState::NotGiven) {
            let name = &model.submission.name;
            found.push(Problem::new(
                &model.submission.folder,
                ("no_outputs", Severity::Note),
                String::new(),
                format!(
                    "No {what} of {name} were opened, so its scores rest on the replies alone."
                ),
                "Open the folder that holds them as well to see and check them.",
            ));
        }
    }
    found
}
