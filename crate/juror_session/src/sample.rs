//! One sample: the dialogue with every model's answers, verdicts and what is wrong with them.

use super::count;
use super::linked::Source;
use super::picture::Probed;
use super::state::Session;
use crate::error::Error;
use crate::measure::MEASURED;
use crate::study::Study;
use crate::view::{KeyPointView, OutputView, SampleView, TurnView, VerdictView};
use juror_judging::journal::Record;
use juror_judging::records::RecordView;
use juror_model::compact::{Index, Number};
use juror_model::incident::IncidentKind;
use juror_model::judge::is_panel;
use juror_model::linked::{LinkedReply, ModelData, World};
use juror_model::options::Profile;
use juror_model::reply::{ParsedReply, twice};
use juror_model::request::RequestKey;
use juror_model::sample::PictureView;
use juror_model::sample::{Compare, Sample, Turn, TurnKind};
use juror_model::score::{JudgeScores, ModelScores, Unit};
use juror_model::submission::OutputState;
use juror_model::tree::{FileId, join};
use juror_statistics::small::SortSmall;

/// What a model has to show of one sample.
struct Shown<'a> {
    model: &'a ModelData,
    scores: &'a ModelScores,
    /// The replies to the sample, with their places among all.
    given: Vec<(usize, &'a LinkedReply)>,
}

/// One sample with everything around it.
pub fn sample(study: &Study<'_>, id: &str) -> Result<SampleView, Error> {
    let world = study.world();
    let unknown = || Error::UnknownSample(id.to_owned());
    let at = world.benchmark.index_of(id).ok_or_else(unknown)?;
    let sample = &world.benchmark.samples[at as usize];
    let name = |index: Option<u32>| Some(world.benchmark.samples.get(index? as usize)?.id.clone());
    let pictures = (1u32..)
        .zip(&sample.pictures)
        .map(|(number, picture)| PictureView {
            number,
            label: picture.label.clone(),
            path: join(&world.benchmark.folder, &picture.path),
            file: picture.file,
            problem: match picture.file {
                None => "The file is not among those opened.".to_owned(),
                Some(file) => study.picture_problem(file),
            },
            produced_by: (0u32..)
                .zip(&sample.turns)
                .find(|(_, turn)| turn.picture == Some(number))
                .map(|(turn, _)| turn),
        });
    let shown = shown(study, &world, at);
    let turns = (0u32..)
        .zip(&sample.turns)
        .map(|(index, turn)| turn_view(study, &world, &shown, at, index, turn));
    let mut view = SampleView {
        id: sample.id.clone(),
        domain: sample.domain.clone(),
        category: sample.category.to_string(),
        tags: sample
            .tags
            .iter()
            .map(|(scope, key)| (scope.to_string(), key.clone()))
            .collect(),
        details: sample.details.clone(),
        index: at,
        total: count(world.benchmark.samples.len()),
        previous: name(at.checked_sub(1)),
        next: name(at.checked_add(1)),
        pictures: pictures.collect(),
        turns: turns.collect(),
    };
    (study.panelling.name_ties)(study, study.options(), &mut view);
    Ok(view)
}

/// Each model's part in a sample: all replies are looked through but once.
fn shown<'a>(session: &'a Session, world: &World<'a>, sample: u32) -> Vec<Shown<'a>> {
    let models = world.models.iter().zip(&session.data.scores().models);
    let shown = models.map(|(model, scores)| {
        let given = model.given.iter().enumerate();
        let given = given.filter(|(_, given)| given.sample.get() == Some(sample));
        Shown {
            model,
            scores,
            given: given.collect(),
        }
    });
    shown.collect()
}

fn turn_view(
    session: &Session,
    world: &World<'_>,
    shown: &[Shown<'_>],
    sample: u32,
    index: u32,
    turn: &Turn,
) -> TurnView {
    let slot = world.benchmark.turn_slot(sample, index).unwrap_or(0);
    let is_text = turn.kind == TurnKind::Text;
    let outputs = shown
        .iter()
        .map(|shown| output_view(session, world, shown, (sample, index, slot), turn));
    TurnView {
        index,
        kind: if is_text { "text" } else { "image" }.to_owned(),
        class: session.loader.protocol.class(turn).to_owned(),
        instruction: session.loader.protocol.spans(&turn.instruction),
        standard_answer: if is_text {
            session.loader.protocol.spans(&turn.answer)
        } else {
            Vec::new()
        },
        picture: turn.picture,
        key_points: turn
            .key_points
            .iter()
            .map(|point| {
                let (source, number) = match point.compare {
                    Compare::Dataset(number) => ("dataset", Some(number)),
                    Compare::Generated(number) => ("generated", Some(number)),
                    Compare::Nothing => ("none", None),
                };
                let (before, after) = point
                    .text
                    .split_once("<image>")
                    .unwrap_or((&point.text, ""));
                KeyPointView {
                    key: point.key.clone(),
                    source: source.to_owned(),
                    number,
                    before: before.to_owned(),
                    after: after.to_owned(),
                    has_marker: point.text.contains("<image>"),
                }
            })
            .collect(),
        outputs: outputs.collect(),
    }
}

/// What is wrong with an output; empty if nothing is.
fn problem_of(
    session: &Session,
    state: OutputState,
    file: Option<FileId>,
    expected: &str,
) -> String {
    match (state, file) {
        (OutputState::Missing, _) => {
            format!("Expected {expected}, which is not among the files.")
        }
        (OutputState::Inaccessible, None) => {
            format!("Expected {expected}, in a folder that could not be listed.")
        }
        (OutputState::Unreadable | OutputState::Inaccessible, Some(file)) => {
            session.output_problem(file)
        }
        _ => String::new(),
    }
}

/// The judges that are shown a model's outputs, the first of them first.
fn judges_of<'a>(shown: &Shown<'a>) -> impl Iterator<Item = &'a JudgeScores> {
    let judges = shown.scores.judges.iter();
    judges.filter(|judge| judge.judge != MEASURED)
}

/// What judges that count said of an output, and what the first one's replies came to.
fn judged<'a>(
    session: &Session,
    world: &World<'_>,
    shown: &Shown<'a>,
    (sample, turn_idx, slot): (u32, u32, u32),
) -> (Vec<VerdictView>, Vec<(&'a str, Option<f64>)>) {
    let model = shown.model;
    let mut verdicts = Vec::new();
    let mut counted: Vec<(&str, Option<f64>)> = Vec::new();
    for (judge_at, judge) in judges_of(shown).enumerate() {
        let of_earlier = verdicts.len();
        let start = judge.units.partition_point(|unit| unit.sample < sample);
        let of_sample = judge.units[start..]
            .iter()
            .take_while(|unit| unit.sample == sample);
        let here: Vec<&Unit> = of_sample.filter(|unit| unit.turn == turn_idx).collect();
        for unit in &here {
            if judge_at == 0 {
                counted.push((
                    &model.criteria[usize::from(unit.criterion)],
                    unit.counted.get(),
                ));
            }
            // Where each run is a unit of its own, its replies stand under it.
            let is_one_of_several = here
                .iter()
                .any(|other| other.criterion == unit.criterion && other.run != unit.run);
            let is_chosen =
                (session.data.cache.scores.iter()).any(|(options, _)| options.run.is_some());
            let run = (is_one_of_several || is_chosen).then_some(unit.run);
            push_verdicts(
                session,
                world,
                shown,
                (judge, unit),
                (slot, run),
                &mut verdicts,
            );
        }
        // Run by run, so that the verdicts of one run stand together.
        if here.iter().any(|unit| unit.run != here[0].run) {
            verdicts[of_earlier..].sort_small_by_key(|verdict| verdict.run);
        }
    }
    (verdicts, counted)
}

fn output_view(
    session: &Session,
    world: &World<'_>,
    shown: &Shown<'_>,
    (sample, turn_idx, slot): (u32, u32, u32),
    turn: &Turn,
) -> OutputView {
    let model = shown.model;
    let first = judges_of(shown).next();
    let outputs = &model.submission.outputs;
    let file = outputs.get(slot as usize).copied().flatten();
    let expected_path = model.submission.expected_path(slot, turn);
    let state = model
        .outputs
        .get(slot as usize)
        .copied()
        .unwrap_or(OutputState::NotGiven);
    let problem = problem_of(session, state, file, &expected_path);
    let size = file.and_then(|file| match session.loader.read.pictures.get(&file) {
        Some(Probed::Picture { width, height }) => Some((*width, *height)),
        _ => None,
    });
    let place = (sample, turn_idx, slot);
    let (mut verdicts, counted) = judged(session, world, shown, place);
    let of_earlier = verdicts.len();
    push_apart(session, world, shown, place, &mut verdicts);
    verdicts[of_earlier..].sort_small_by_key(|verdict| verdict.run);
    // A request that no judge at hand was expected to answer can still be made.
    if !counted.is_empty() {
        let of = &world.benchmark.samples[sample as usize];
        for request in session.loader.protocol.requests_of(of, turn) {
            if !verdicts.iter().any(|known| known.criterion == request) {
                verdicts.push(not_judged(request));
            }
        }
    }
    OutputView {
        model: model.submission.name.clone(),
        path: file.map_or(expected_path, |file| {
            session.loader.tree.path(file).to_owned()
        }),
        file,
        text: model.answers.get(&slot).cloned(),
        width: size.map(|(width, _)| width),
        height: size.map(|(_, height)| height),
        problem,
        in_mode: !counted.is_empty(),
        score: if world.benchmark.samples[sample as usize].turns.len() == 1 {
            first.and_then(|judge| judge.totals.get(sample as usize).copied().flatten())
        } else {
            session.loader.protocol.turn_total(&counted)
        },
        judge: first.map(|judge| judge.judge.clone()),
        verdicts,
        measures: session.measures_of(model, sample, turn_idx),
        stale: session
            .data
            .stale_of(&model.submission.name, world, sample, turn_idx),
    }
    .with_world(world)
}

/// The replies of judges that are left out of the scores as they gave a part only: they are shown and do not count.
fn push_apart(
    session: &Session,
    world: &World<'_>,
    shown: &Shown<'_>,
    (sample, turn, slot): (u32, u32, u32),
    verdicts: &mut Vec<VerdictView>,
) {
    let is_chosen = (session.data.cache.scores.iter()).any(|(options, _)| options.judge.is_some());
    if is_chosen {
        return;
    }
    let mut seen: Vec<(u16, u16)> = Vec::new();
    for (_, given) in &shown.given {
        let Some(name) = shown.model.judges.get(usize::from(given.judge)) else {
            continue;
        };
        // A panel speaks where it is chosen.
        if is_panel(name) {
            continue;
        }
        let place = (given.judge, given.criterion);
        let is_scored = shown.scores.judges.iter().any(|judge| judge.judge == *name);
        if given.slot.get() != Some(slot) || is_scored || seen.contains(&place) {
            continue;
        }
        seen.push(place);
        let judge = JudgeScores {
            judge: name.clone(),
            ..JudgeScores::default()
        };
        let unit = Unit {
            sample,
            turn,
            criterion: given.criterion,
            run: given.run,
            incident: None,
            counted: Number::NONE,
            given: Index::NONE,
        };
        push_verdicts(
            session,
            world,
            shown,
            (&judge, &unit),
            (slot, None),
            verdicts,
        );
    }
}

/// The replies to one unit, or the reason why there is none.
fn push_verdicts(
    session: &Session,
    world: &World<'_>,
    shown: &Shown<'_>,
    (judge, unit): (&JudgeScores, &Unit),
    (slot, run): (u32, Option<u32>),
    verdicts: &mut Vec<VerdictView>,
) {
    let model = shown.model;
    let judge_at = model
        .judges
        .iter()
        .position(|name| *name == judge.judge)
        .unwrap_or(usize::MAX);
    let before = verdicts.len();
    let sample = Some(&world.benchmark.samples[unit.sample as usize]);
    let replies = shown.given.iter().filter(|(_, given)| {
        given.slot.get() == Some(slot)
            && given.criterion == unit.criterion
            && usize::from(given.judge) == judge_at
            && run.is_none_or(|run| given.run == run)
    });
    verdicts.extend(replies.map(|(at, given)| {
        let criterion = &model.criteria[usize::from(unit.criterion)];
        read(session, (sample, criterion), (judge, *at, given))
    }));
    if verdicts.len() > before {
        return;
    }
    push_missing(session, model, (judge, unit), verdicts);
}

/// A reply as it reads: the judge's, at this place among all.
fn read(
    session: &Session,
    (sample, criterion): (Option<&Sample>, &str),
    (judge, at, given): (&JudgeScores, usize, &LinkedReply),
) -> VerdictView {
    let raw = session.raw(given);
    let parse = |profile| session.parse_as_chosen(sample, criterion, profile, raw);
    let (read, allowances) = parse(Profile::Paper);
    let (status, detail, read) = match read {
        ParsedReply::Incident { kind, detail } => (kind, detail, parse(Profile::Released).0),
        read @ ParsedReply::Ok { .. } => ("ok".to_owned(), String::new(), read),
    };
    let (parts, score, reason) = match read {
        ParsedReply::Ok {
            criteria,
            score,
            reason,
        } => (criteria, score, reason),
        ParsedReply::Incident { .. } => <_>::default(),
    };
    VerdictView {
        criterion: criterion.to_owned(),
        status,
        score,
        parts,
        reason,
        detail,
        allowances,
        tied: Vec::new(),
        raw: Some(raw.to_owned()),
        judge: judge.judge.clone(),
        run: given.run,
        source: session.source_name(given),
        time: time_of(session, given),
        params: record_of(session, given).and_then(|record| record.params.cloned()),
        answered_by: (record_of(session, given))
            .and_then(|record| record.answered_by.map(str::to_owned)),
        counted: judge.counted.get(at).copied().unwrap_or(false),
    }
}

/// The reason why there is no reply to a unit.
fn push_missing(
    session: &Session,
    model: &ModelData,
    (judge, unit): (&JudgeScores, &Unit),
    verdicts: &mut Vec<VerdictView>,
) {
    let criterion = &model.criteria[usize::from(unit.criterion)];
    let is_ruled = unit.incident.is_none() && unit.counted.get().is_some();
    let kind = unit.incident.unwrap_or(IncidentKind::MissingReply);
    verdicts.push(VerdictView {
        criterion: criterion.clone(),
        status: if is_ruled { "ok" } else { kind.id() }.to_owned(),
        score: unit.counted.get(),
        parts: <_>::default(),
        reason: String::new(),
        detail: if is_ruled {
            "The judge is not asked: the protocol sets this score by another one.".to_owned()
        } else {
            session.incident_detail(model, unit, kind)
        },
        allowances: Vec::new(),
        tied: Vec::new(),
        raw: None,
        judge: judge.judge.clone(),
        run: unit.run,
        source: String::new(),
        time: String::new(),
        params: None,
        answered_by: None,
        counted: unit.counted.get().is_some(),
    });
}

/// The replies that enter a number though the benchmark asks nothing that they answer, each with what it lacks: the authors'
/// summaries go by the names of files and lines.
pub(super) fn unlisted(session: &Session) -> Vec<(RequestKey, String, VerdictView)> {
    let world = session.world();
    let mut found = Vec::new();
    for (model, scores) in world.models.iter().zip(&session.data.scores().models) {
        for judge in &scores.judges {
            let counted = model.given.iter().zip(&judge.counted).enumerate();
            for (at, (given, _)) in counted.filter(|(_, (_, is_counted))| **is_counted) {
                let key = RequestKey {
                    model: model.submission.name.clone(),
                    sample: named_sample(session, given).unwrap_or_default().to_owned(),
                    turn: given.turn.get().unwrap_or_default(),
                    criterion: model.criteria[usize::from(given.criterion)].clone(),
                };
                if let Some(why) =
                    session.lack(world.benchmark, (&key.sample, key.turn, &key.criterion))
                {
                    let about = (world.sample(&key.sample), key.criterion.as_str());
                    let verdict = read(session, about, (judge, at, given));
                    found.push((key, why, verdict));
                }
            }
        }
    }
    // Files are numbered in the order of opening, which is another one in a pack.
    found.sort_small_by(|(a, _, of_a), (b, _, of_b)| {
        (a, &of_a.judge, of_a.run, &of_a.source).cmp(&(b, &of_b.judge, of_b.run, &of_b.source))
    });
    found
}

/// The sample that a reply says to be about.
fn named_sample<'a>(session: &'a Session, given: &LinkedReply) -> Option<&'a str> {
    let Some(Source::Replies(file)) = source_of(session, given) else {
        return record_of(session, given).map(|record| record.sample);
    };
    let replies = session.loader.read.replies.get(&file)?;
    let reply = replies.replies.get(given.origin.1 as usize)?;
    replies.lines[reply.line as usize].sample.as_deref()
}

/// Why a reply gives no score under the profile in force; what only the authors' program stumbles over is told by its reading.
fn why_unread(
    session: &Session,
    given: &LinkedReply,
    sample: &Sample,
    criterion: &str,
) -> Option<String> {
    let scores = session.data.cache.scores.as_ref();
    let own = scores.map_or(Profile::Paper, |(options, _)| options.profile);
    let raw = session.raw(given);
    let detail = |profile| match session
        .parse_as_chosen(Some(sample), criterion, profile, raw)
        .0
    {
        ParsedReply::Incident { detail, .. } => Some(detail),
        ParsedReply::Ok { .. } => None,
    };
    if own == Profile::Paper {
        return (repeated_key(session, given))
            .map(|key| format!("{}, and nobody knows which one is meant.", twice(key)))
            .or_else(|| detail(own));
    }
    detail(own)
        .or_else(|| {
            let Some(Source::Replies(file)) = source_of(session, given) else {
                return None;
            };
            let refusal = session.loader.read.replies.get(&file)?.refusal;
            (!refusal.is_empty()).then(|| refusal.to_owned())
        })
        .or_else(|| detail(Profile::Paper))
}

/// The key that a stored reply's file gives twice.
fn repeated_key<'a>(session: &'a Session, given: &LinkedReply) -> Option<&'a str> {
    let Some(Source::Replies(file)) = source_of(session, given) else {
        return None;
    };
    let replies = session.loader.read.replies.get(&file)?;
    replies.repeated.get(&given.origin.1).map(String::as_str)
}

/// Where a reply comes from.
fn source_of(session: &Session, given: &LinkedReply) -> Option<Source> {
    let linked = session.data.cache.linked.as_ref()?;
    linked.sources.get(given.origin.0 as usize).copied()
}

/// The record that a reply is; `None` for one in a file of the authors' form.
fn record_of<'s>(session: &'s Session, given: &LinkedReply) -> Option<RecordView<'s>> {
    let position = given.origin.1 as usize;
    match source_of(session, given)? {
        Source::Replies(_) => None,
        Source::Journal(file) => {
            let (_, journal) = session.loader.read.journals.get(&file)?;
            journal.records.get(position)
        }
        Source::Pasted => session.data.pasted.get(position).map(Record::view),
        Source::Rated => {
            let linked = session.data.cache.linked.as_ref()?;
            linked.rated.get(position).map(Record::view)
        }
    }
}

/// When the reply of a model at this position came.
pub(super) fn time_of_given(session: &Session, model: usize, given: usize) -> String {
    time_of(session, &session.world().models[model].given[given])
}

/// When a reply came, as far as its record or the place of its file tells.
fn time_of(session: &Session, given: &LinkedReply) -> String {
    match source_of(session, given) {
        Some(Source::Replies(file)) => {
            let time = session
                .loader
                .protocol
                .judged_at(session.loader.tree.path(file));
            time.unwrap_or_default()
        }
        _ => (record_of(session, given)).map_or_else(String::new, |record| record.time.to_owned()),
    }
}

impl Session {
    /// Why an output that is there cannot be read.
    fn output_problem(&self, file: FileId) -> String {
        match self.picture_problem(file) {
            problem if problem.is_empty() => "The answer is larger than 4 MiB.".to_owned(),
            problem => problem,
        }
    }

    pub(super) fn picture_problem(&self, file: FileId) -> String {
        match self.loader.read.pictures.get(&file) {
            Some(Probed::Bad { message, .. } | Probed::Corrupt { message, .. }) => message.clone(),
            _ => self
                .loader
                .read
                .failures
                .get(&file)
                .map(|(_, message)| message.clone())
                .unwrap_or_default(),
        }
    }

    pub(super) fn incident_detail(
        &self,
        model: &ModelData,
        unit: &Unit,
        kind: IncidentKind,
    ) -> String {
        let world = self.world();
        let slot = world
            .benchmark
            .turn_slot(unit.sample, unit.turn)
            .unwrap_or(0);
        let criterion = &model.criteria[usize::from(unit.criterion)];
        let turn = world.benchmark.turn_at(slot);
        let path = turn.map_or_else(String::new, |turn| {
            model.submission.expected_path(slot, turn)
        });
        let given = unit.given.get().map(|at| &model.given[at as usize]);
        match kind {
            IncidentKind::MissingOutput => {
                format!("Expected {path}, which is not among the files.")
            }
            IncidentKind::UnreadableOutput | IncidentKind::InaccessibleOutput => {
                let file = model
                    .submission
                    .outputs
                    .get(slot as usize)
                    .copied()
                    .flatten();
                format!(
                    "{path}: {}",
                    file.map(|file| self.output_problem(file))
                        .unwrap_or_default()
                )
            }
            IncidentKind::InaccessibleReply => {
                "A file that holds the replies, or may hold them, could not be opened.".to_owned()
            }
            IncidentKind::MissingReply => "No reply to this request was found.".to_owned(),
            IncidentKind::NoCounterpart
            | IncidentKind::SizeDiffers
            | IncidentKind::Unmeasurable
            | IncidentKind::NotMeasured => self.detail_of_measure(model, unit, kind),
            IncidentKind::FailedCall => given.map_or_else(String::new, |given| {
                format!("{}: {}", self.source_name(given), self.raw(given))
            }),
            IncidentKind::Unparsable | IncidentKind::OutOfRange => {
                given.map_or_else(String::new, |given| {
                    let sample = &world.benchmark.samples[unit.sample as usize];
                    let source = self.source_name(given);
                    match why_unread(self, given, sample, criterion) {
                        Some(detail) => format!("{source}: {detail}"),
                        None => source,
                    }
                })
            }
        }
    }

    /// The raw text of a reply.
    pub(super) fn raw(&self, given: &LinkedReply) -> &str {
        let position = given.origin.1 as usize;
        match source_of(self, given) {
            Some(Source::Replies(file)) => {
                let Some(replies) = self.loader.read.replies.get(&file) else {
                    return "";
                };
                let raw = &replies.replies[position].raw;
                &replies.text[raw.start as usize..raw.end as usize]
            }
            _ => record_of(self, given).map_or("", RecordView::text),
        }
    }

    pub(super) fn source_name(&self, given: &LinkedReply) -> String {
        source_of(self, given).map_or_else(
            || "pasted".to_owned(),
            |source| source.name(self, given.line),
        )
    }
}

/// The place of a reply that nobody has given or was expected to give.
fn not_judged(request: &str) -> VerdictView {
    let kind = IncidentKind::MissingReply;
    VerdictView {
        criterion: request.to_owned(),
        status: kind.id().to_owned(),
        score: None,
        parts: <_>::default(),
        reason: String::new(),
        detail: "No judge at hand was asked this.".to_owned(),
        allowances: Vec::new(),
        tied: Vec::new(),
        raw: None,
        judge: String::new(),
        run: 1,
        source: String::new(),
        time: String::new(),
        params: None,
        answered_by: None,
        counted: false,
    }
}

impl OutputView {
    /// Nothing is said of the outputs of a benchmark that is only implied by replies.
    fn with_world(mut self, world: &World<'_>) -> Self {
        if world.benchmark.list.is_none() {
            self.path = String::new();
        }
        self
    }
}
