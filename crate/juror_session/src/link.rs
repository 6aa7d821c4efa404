//! Ties what was read together: replies to dialogues and turns, outputs to their state, and the findings on the way.

use juror_reading::count::counted;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::health::stale_problems;
use super::heard::AllowedModels;
use super::linked::{Linked, Source, StaleRecord};
use super::loader::NOT_TEXT;
use super::people;
use super::picture::Probed;
use super::state::{Findings, Session};
use super::uneven_runs;
use crate::rating_file::Merged;
use juror_judging::health::StaleReply;
use juror_judging::journal::{Journal, Record};
use juror_judging::records::RecordView;
use juror_model::host::Phase;
use juror_model::linked::{LinkedReply, ModelData, World, intern};
use juror_model::problem::{Problem, Severity};
use juror_model::reply::{Fault, Read, Readings, ReplyLine};
use juror_model::sample::{Benchmark, TurnKind};
use juror_model::submission::{OutputState, Submission};
use juror_model::tree::FileId;
use juror_reading::keyed::Keyed;
use juror_reading::limits::{self, BadLines};
use juror_reading::text::Encoding;
use juror_statistics::small::{CollectSmall, SortSmall};

/// The benchmark without the pictures that cannot be read, if there are such.
fn readable(session: &Session, benchmark: &Arc<Benchmark>) -> Option<Arc<Benchmark>> {
    let is_faulty = |file: &FileId| {
        let probed = session.loader.read.pictures.get(file);
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
    let is_closed = has_closed_folder(session, &submission);
    if submission.outputs.iter().all(Option::is_none) {
        let state = if is_closed {
            OutputState::Inaccessible
        } else {
            OutputState::NotGiven
        };
        let outputs = vec![state; benchmark.num_turns()];
        return with_outputs(session, submission, outputs, HashMap::new());
    }
    for (slot, _, _, turn) in benchmark.turns() {
        has[usize::from(turn.kind == TurnKind::Text)] |= submission
            .outputs
            .get(slot as usize)
            .is_some_and(Option::is_some);
    }
    let mut answers = HashMap::new();
    let mut outputs = Vec::new();
    for (slot, _, _, turn) in benchmark.turns() {
        let file = submission.outputs.get(slot as usize).copied().flatten();
        outputs.push(match (file, turn.kind) {
            (None, kind) if !has[usize::from(kind == TurnKind::Text)] => OutputState::NotGiven,
            (None, _) if is_closed => OutputState::Inaccessible,
            (None, _) => OutputState::Missing,
            (Some(file), _) if session.loader.read.failures.contains_key(&file) => {
                OutputState::Inaccessible
            }
            (Some(file), TurnKind::Image) => match session.loader.read.pictures.get(&file) {
                Some(Probed::Bad { .. } | Probed::Corrupt { .. }) => OutputState::Unreadable,
                _ => OutputState::Present,
            },
            (Some(file), TurnKind::Text) => match session.loader.read.answers.get(&file) {
                Some(text) => {
                    answers.insert(slot, text.clone());
                    OutputState::Present
                }
                None if session.loader.read.too_large.contains(&file)
                    || session.loader.tree.size(file) > Some(limits::ANSWER_BYTES) =>
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
        .loader
        .closed_folders
        .iter()
        .any(|(path, _)| is_at_or_below(path, own) || is_at_or_below(own, path))
}

/// Notes which models lack replies that may stand in files which could not be opened: their own, and journals in
/// nobody's folder.
fn mark_unread_replies(session: &Session, models: &mut [ModelData]) {
    let failed = session.loader.read.failures.iter();
    let unread: Vec<FileId> = failed
        .filter(|(file, (phase, _))| match phase {
            Phase::Replies => true,
            // Lists of results are read with the benchmark, as only their content tells them from its own.
            Phase::Benchmark => session
                .loader
                .tree
                .path(**file)
                .to_lowercase()
                .ends_with(".json"),
            _ => false,
        })
        .map(|(file, _)| *file)
        .collect_small();
    let owner = |file: FileId| {
        let path = session.loader.tree.path(file);
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
                owner.is_some() || super::loader::may_be_journal(session.loader.tree.path(file));
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
            .loader
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
    let Some(replies) = session.loader.read.replies.get(&file) else {
        return;
    };
    let source = linked.source(Source::Replies(file));
    let Linked {
        benchmark,
        models,
        problems,
        names,
        packs,
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
    let path = session.loader.tree.path(file);
    session
        .loader
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
    let judge = intern(&mut model.judges, of_judges, &packs.name(judge, ""));
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
    let Some((_, journal)) = session.loader.read.journals.get(&file) else {
        return;
    };
    tell_bad_lines(session, linked, file, &journal.bad_lines);
    let source = linked.source(Source::Journal(file));
    let owners = Arc::clone(&linked.owners);
    let heard = AllowedModels::of(&owners, session.loader.tree.path(file));
    for (position, (line, record)) in (0u32..).zip(journal.records.iter()) {
        if !heard.includes(record.model) || session.stray(&linked.benchmark, record).is_some() {
            continue;
        }
        link_record(session, linked, record, (source, position), line);
    }
}

/// Links what people's ratings say, as replies of judges of their names and of all of them; gives the ratings as one list.
pub(super) fn link_people(session: &Session, linked: &mut Linked) -> Merged {
    let merged = session.merged_ratings(&linked.owners, &linked.benchmark);
    let replies = people::replies(session, &linked.benchmark, &merged.ratings);
    if replies.is_empty() {
        return merged;
    }
    let source = linked.source(Source::Rated);
    for (position, record) in (0u32..).zip(&replies) {
        if can_be_rated(linked, record) {
            link_record(session, linked, record.view(), (source, position), 0);
        }
    }
    linked.rated.extend(replies);
    merged
}

/// Whether the output that a rating is of is there, or was never opened: a rating makes no model, and nobody rates what is
/// missing.
fn can_be_rated(linked: &mut Linked, record: &Record) -> bool {
    let benchmark = &linked.benchmark;
    let known = linked.by_name.find(&record.model, &linked.models, |model| {
        &model.submission.name
    });
    let model = known.map(|at| &linked.models[at]);
    let sample = benchmark.index_of(&record.sample);
    let slot = sample.and_then(|sample| benchmark.turn_slot(sample, record.turn));
    let state = model
        .zip(slot)
        .and_then(|(model, slot)| model.outputs.get(slot as usize));
    matches!(state, Some(OutputState::Present | OutputState::NotGiven))
}

fn tell_bad_lines(session: &Session, linked: &mut Linked, file: FileId, bad_lines: &BadLines) {
    for (line, message) in bad_lines.told() {
        linked.problems.push(Problem {
            severity: Severity::Error,
            code: "bad_line".to_owned(),
            path: session.loader.tree.path(file).to_owned(),
            place: format!("line {line}"),
            message,
            hint: "The record is left out; the others count.".to_owned(),
        });
    }
}

impl Findings {
    /// Everything is said.
    pub(super) const FULL: Self = Self {
        records: |session, linked| {
            session.tell_unheard(linked);
            check_records(session, linked);
        },
        conflicts: |session, linked| {
            session.find_conflicts(linked);
            linked.problems.extend(uneven_runs::problems(linked));
        },
        state: |session, linked| {
            linked.problems.extend(stale_problems(&linked.aside));
            linked.problems.extend(session.pack_problems(&linked.packs));
            linked.problems.extend(session.texts_in_use());
            linked.problems.extend(session.texts_by_sample());
            linked.problems.extend(session.variant_problems());
            linked.problems.extend(session.large_sheets());
            linked.problems.extend(session.unpacked_problems(linked));
            (linked.problems).extend(session.archives_beside(&linked.benchmark));
        },
        journals: Session::problems_of_journals,
        notices: super::notices::of_problems,
    };
}

/// Findings about records: those about nothing that the benchmark asks for, and results of batch engines that came twice.
fn check_records(session: &Session, linked: &mut Linked) {
    let mut files: Vec<(&str, &Journal)> = Vec::new();
    for (file, (_, journal)) in &session.loader.read.journals {
        files.push((session.loader.tree.path(*file), journal));
    }
    files.sort_small_by_key(|(path, _)| *path);
    let own = session.loader.protocol.id();
    let mut answered = HashMap::new();
    for (path, journal) in files {
        let mut found = Vec::new();
        let heard = AllowedModels::of(&linked.owners, path);
        let mut stray = StrayRecords::default();
        for (line, record) in journal.records.iter() {
            // Those of other models and of other benchmarks are named by themselves.
            let is_named = !heard.includes(record.model)
                || record.anchor.is_some()
                || record.protocol != own && !journal.is_batch;
            if is_named {
                continue;
            }
            if let Some(why) = session.stray(&linked.benchmark, record) {
                stray.note(line, why);
                continue;
            }
            if !journal.is_batch {
                continue;
            }
            let asked = (
                (record.model, record.sample, record.turn),
                (
                    record.criterion,
                    linked.packs.name(record.judge, record.prompts),
                    record.run,
                ),
            );
            if let Some((path_of_first, first)) = answered.get(&asked) {
                let message =
                    format!("This request was answered in {path_of_first}, line {first}, already.");
                found.push(Problem::new(
                    path,
                    ("repeated_reply", Severity::Warning),
                    format!("line {line}"),
                    message,
                    "Both replies are kept; the first readable one counts.",
                ));
            } else if record.error.is_none() {
                answered.insert(asked, (path, line));
            }
        }
        found.extend(stray.problem(path, &linked.benchmark));
        linked.problems.extend(found);
    }
    let mut stray = StrayRecords::default();
    for record in session.data.pasted.iter().map(Record::view) {
        if record.protocol == own
            && let Some(why) = session.stray(&linked.benchmark, record)
        {
            stray.note(0, why);
        }
    }
    (linked.problems).extend(stray.problem("", &linked.benchmark));
}

/// Records of one file about nothing that the benchmark asks for: how many, and the first.
#[derive(Default)]
struct StrayRecords {
    count: usize,
    first: Option<(u32, String)>,
}

impl StrayRecords {
    fn note(&mut self, line: u32, why: String) {
        self.count += 1;
        self.first.get_or_insert((line, why));
    }

    fn problem(self, path: &str, benchmark: &Benchmark) -> Option<Problem> {
        let (line, why) = self.first?;
        let message = if self.count == 1 {
            format!("{why} The reply counts nowhere.")
        } else {
            format!(
                "{} replies are about nothing that the benchmark asks for and count nowhere. The first: {why}",
                self.count
            )
        };
        let known = benchmark.samples.first();
        let known = known.map_or_else(String::new, |sample| {
            format!(" (this benchmark's first sample is {})", sample.id)
        });
        Some(Problem::new(
            path,
            ("unknown_id", Severity::Error),
            if line > 0 {
                format!("line {line}")
            } else {
                String::new()
            },
            message,
            &format!(
                "Correct sample, turn and criterion in the file{known}, or open the benchmark that the judge was asked about."
            ),
        ))
    }
}

fn link_record(
    session: &Session,
    linked: &mut Linked,
    record: RecordView<'_>,
    origin: (u32, u32),
    line: u32,
) {
    // A reply of an anchor set is compared with the stored one and never counts.
    if record.protocol != session.loader.protocol.id() || record.anchor.is_some() {
        return;
    }
    if session.data.is_stale(record) {
        let source = linked.sources[origin.0 as usize];
        linked.aside.push(StaleRecord {
            key: record.key(),
            reply: StaleReply {
                criterion: record.criterion.to_owned(),
                judge: record.judge.to_owned(),
                run: record.run,
                time: record.time.to_owned(),
                raw: record.text().to_owned(),
                source: source.name(session, line),
            },
        });
        return;
    }
    let known = linked
        .by_name
        .find(record.model, &linked.models, |model| &model.submission.name);
    if known.is_none() && linked.models.len() >= limits::MODELS {
        linked.num_beyond += 1;
        return;
    }
    let at = known.unwrap_or_else(|| {
        let submission = Submission {
            name: record.model.to_owned(),
            outputs: vec![None; linked.benchmark.num_turns()],
            ..Submission::default()
        };
        linked
            .models
            .push(model(session, &linked.benchmark, submission));
        linked.models.len() - 1
    });
    let sample = linked.benchmark.index_of(record.sample);
    let domain = sample
        .map_or("unknown", |sample| {
            linked.benchmark.samples[sample as usize].domain.as_str()
        })
        .to_owned();
    let judge = linked.packs.name(record.judge, record.prompts);
    let [of_criteria, of_domains, of_judges] = linked.names.entry(at).or_default();
    let model = &mut linked.models[at];
    let of = sample.map(|sample| &linked.benchmark.samples[sample as usize]);
    let read = match record.error {
        Some(_) => Read::One(Readings::new(
            Err(Fault::FailedCall),
            Err(Fault::FailedCall),
        )),
        None => session
            .loader
            .protocol
            .read(of, record.criterion, record.reply),
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
        criterion: intern(&mut model.criteria, of_criteria, record.criterion),
        domain: intern(&mut model.domains, of_domains, &domain),
        judge: intern(&mut model.judges, of_judges, &judge),
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
    let given = KINDS.map(|(kind, _)| models.iter().any(|model| is_given(benchmark, model, kind)));
    for model in models.iter() {
        problems.extend(model.submission.problems.iter().cloned());
        problems.extend(without_outputs(benchmark, given, model));
    }
    let first_of_files = problems.len();
    find_problems_of_files(session, problems);
    problems[first_of_files..].sort_small_by(|a, b| (&a.code, &a.path).cmp(&(&b.code, &b.path)));
}

/// Findings about pictures and texts that cannot be read.
fn find_problems_of_files(session: &Session, problems: &mut Vec<Problem>) {
    let pictures: BTreeMap<FileId, &Probed> = session
        .loader
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
        let (path, message) = (session.loader.tree.path(file), message.to_owned());
        problems.push(Problem::new(
            path,
            (code, Severity::Error),
            String::new(),
            message,
            hint,
        ));
    }
    for (file, encoding) in &session.loader.read.not_utf8 {
        let message = match encoding {
            Encoding::Utf16 => {
                "The file is UTF-16 and was read as that; the authors' programs cannot read it."
            }
            Encoding::Windows1252 => {
                "The file is not UTF-8 and was read as Windows-1252: look whether its letters are the right ones."
            }
            Encoding::Utf8 | Encoding::Unknown => {
                "The file is not UTF-8, and its encoding is not known: characters that could not be read are shown as \u{fffd}, and nothing that has one is sent to a judge."
            }
        };
        let message = message.to_owned();
        let hint = "Save it as UTF-8.";
        problems.push(Problem::new(
            session.loader.tree.path(*file),
            ("not_utf8", Severity::Warning),
            String::new(),
            message,
            hint,
        ));
    }
    let failures: BTreeMap<_, _> = session.loader.read.failures.iter().collect_small();
    for (file, (phase, message)) in failures {
        let is_text = matches!(phase, Phase::Benchmark | Phase::Replies);
        let (code, hint) = if is_text && session.loader.tree.size(*file) > Some(limits::TEXT_BYTES)
        {
            (
                "text_too_long",
                "Split it into smaller files and open them: until then everything about it is left out of the scores.",
            )
        } else if session.loader.read.damaged.contains(file) {
            (
                "damaged_entry",
                "Download or copy the ZIP again, or create it again: until then everything about this entry is left out of the scores.",
            )
        } else if message.contains("the ZIP") || message.starts_with(NOT_TEXT) {
            // The message says what helps.
            (
                "unreadable_file",
                "Until then everything about it is left out of the scores.",
            )
        } else {
            (
                "unreadable_file",
                "Check that the file still exists and may be read, then read it again: until then everything about it is left out of the scores.",
            )
        };
        problems.push(Problem::new(
            session.loader.tree.path(*file),
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
        self.loader.find_submissions();
        if self.data.cache.linked.is_some() {
            return;
        }
        let mut linked = Linked {
            benchmark: match &self.loader.benchmark {
                Some(benchmark) => Arc::clone(benchmark),
                None => Arc::new(
                    self.loader
                        .protocol
                        .imply(&self.loader.read.replies.values().collect::<Vec<_>>()),
                ),
            },
            ..Linked::default()
        };
        linked.readable = readable(self, &linked.benchmark);
        let submissions = self.loader.submissions.clone().unwrap_or_default();
        linked.owners = Arc::new(self.loader.owners(&submissions));
        linked.packs = self.packs_apart(&linked.owners);
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
        for file in self.journals(&linked.owners) {
            link_journal(self, &mut linked, file);
        }
        for (file, trajectories) in &self.loader.read.trajectories {
            tell_bad_lines(self, &mut linked, *file, &trajectories.bad_lines);
        }
        (self.findings.records)(self, &mut linked);
        let pasted = linked.source(Source::Pasted);
        let records = self.data.pasted.iter().map(Record::view);
        for (position, record) in (0u32..).zip(records) {
            if self.stray(&linked.benchmark, record).is_none() {
                link_record(self, &mut linked, record, (pasted, position), 0);
            }
        }
        let merged = (self.link_people)(self, &mut linked);
        (self.tolerating.link)(self, &mut linked);
        linked.problems.extend(too_many_models(linked.num_beyond));
        linked
            .models
            .sort_small_by(|a, b| a.submission.name.cmp(&b.submission.name));
        for model in &mut linked.models {
            model.variant = self.variant_of(&model.submission);
        }
        linked.models.iter_mut().for_each(ModelData::shrink);
        linked.models.iter_mut().for_each(ModelData::count_given);
        for model in &mut linked.models {
            model.kind = self.kind_of(&linked.benchmark, model);
        }
        (self.findings.conflicts)(self, &mut linked);
        find_problems(self, &mut linked);
        (self.findings.state)(self, &mut linked);
        self.data.cache.linked = Some(linked);
        self.data.cache.ratings = Some(merged);
    }

    /// What the benchmark lacks of what a record answers; nothing, where no list says what it has.
    pub(super) fn stray(&self, benchmark: &Benchmark, record: RecordView<'_>) -> Option<String> {
        let protocol = self.loader.protocol.id();
        if record.protocol != protocol {
            let found = record.protocol;
            return Some(format!(
                "Expected a result for {protocol}, found one for {found}."
            ));
        }
        self.lack(benchmark, (record.sample, record.turn, record.criterion))
    }

    /// What the benchmark lacks of a request; nothing, where no list says what it has.
    pub(super) fn lack(
        &self,
        benchmark: &Benchmark,
        (sample, turn, criterion): (&str, u32, &str),
    ) -> Option<String> {
        benchmark.list?;
        let Some(at) = benchmark.index_of(sample) else {
            return Some(format!("The benchmark has no sample {sample}."));
        };
        let of = &benchmark.samples[at as usize];
        let Some(asked) = of.turns.get(turn as usize) else {
            return Some(format!(
                "Sample {sample} has no turn {turn} (as the journal counts, from 0)."
            ));
        };
        let asked = self.loader.protocol.requests_of(of, asked);
        if asked.contains(&criterion) {
            return None;
        }
        Some(format!(
            "Turn {turn} (as the journal counts, from 0) of sample {sample} is not judged on {criterion}."
        ))
    }

    /// What requests are made of: pictures that cannot be read are as missing ones, so a judge is asked about a turn in the
    /// same way whether an earlier picture is cut off or was never there.
    pub(super) fn world_to_ask(&self) -> World<'_> {
        let linked = self.data.cache.linked.as_ref();
        let readable = linked.and_then(|linked| linked.readable.as_deref());
        let world = self.world();
        World {
            benchmark: readable.unwrap_or(world.benchmark),
            ..world
        }
    }

    pub(super) fn world(&self) -> World<'_> {
        static EMPTY: std::sync::OnceLock<Benchmark> = std::sync::OnceLock::new();
        let benchmark = match &self.data.cache.linked {
            Some(linked) => &linked.benchmark,
            None => EMPTY.get_or_init(Benchmark::default),
        };
        World {
            tree: &self.loader.tree,
            benchmark,
            models: self.data.models(),
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
            "{} models beyond the {} that Juror takes at once.",
            counted(num_records, "reply names", "replies name"),
            limits::MODELS
        ),
        hint: "These replies are left out. Open fewer models together.".to_owned(),
    })
}

/// Kinds of output and what several of them are called.
const KINDS: [(TurnKind, &str); 2] = [
    (TurnKind::Image, "pictures"),
    (TurnKind::Text, "text answers"),
];

/// Whether a model was opened with any output of a kind.
fn is_given(benchmark: &Benchmark, model: &ModelData, kind: TurnKind) -> bool {
    let mut states = benchmark.turns().zip(model.outputs.iter());
    states.any(|((_, _, _, turn), state)| turn.kind == kind && *state != OutputState::NotGiven)
}

/// Findings about kinds of output of which a judged model has none; `given` says of each whether any model has some.
fn without_outputs(benchmark: &Benchmark, given: [bool; 2], model: &ModelData) -> Vec<Problem> {
    let mut found = Vec::new();
    for ((kind, what), is_beside) in KINDS.into_iter().zip(given) {
        let is_expected =
            benchmark.list.is_some() && benchmark.turns().any(|(_, _, _, turn)| turn.kind == kind);
        if !is_expected {
            continue;
        }
        let is_judged = model.given.iter().any(|given| {
            let turn = given.slot.get().and_then(|slot| benchmark.turn_at(slot));
            turn.is_some_and(|turn| turn.kind == kind)
        });
        if is_judged && !is_given(benchmark, model, kind) {
            let name = &model.submission.name;
            // Of what others have, this one may lack a folder: missing outputs would score as lowest.
            let severity = if is_beside {
                Severity::Warning
            } else {
                Severity::Note
            };
            found.push(Problem::new(
                &model.submission.folder,
                ("no_outputs", severity),
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
