//! What a judging job over the open files would ask, and taking in what came back.

use crate::request::request;
use crate::study::LinkedSession;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::count;
use super::state::Session;
use super::subset::is_drawn;
use crate::error::Error;
use crate::view::{JobBody, JobPicture, JobPlan, JobScope, JobTask, RecordHead, Which};
use juror_judging::journal::Record;
use juror_judging::picture_marks;
use juror_judging::provider::{self, Content};
use juror_model::judge::{JudgePreset, Params, Wire, is_panel, is_person};
use juror_model::linked::{LinkedReply, ModelData};
use juror_model::options::Profile;
use juror_model::prompt;
use juror_model::reply::Fault;
use juror_model::request::{Draft, PartView, RequestKey};
use juror_model::submission::OutputState;

/// What is known of one request, judge and run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    Failed,
    Unparsable,
    Answered,
}

/// A hash that tells this benchmark from another: replies are kept under it.
pub fn benchmark_id(session: &Session) -> Option<String> {
    let benchmark = session.loader.benchmark.as_ref()?;
    let texts = benchmark.samples.iter().flat_map(|sample| {
        let instructions = sample.turns.iter().map(|turn| turn.instruction.as_str());
        std::iter::once(sample.id.as_str()).chain(instructions)
    });
    let digest = prompt::digest(session.loader.protocol.id(), texts);
    Some(prompt::hex(&digest))
}

/// The benchmark's own judge of this name: its id, or its model as the service calls it.
pub fn judge_called(session: &Session, name: &str) -> Option<JudgePreset> {
    let judges = session.loader.protocol.judges();
    judges.into_iter().find(|preset| preset.is_called(name))
}

/// The requests that a job of this scope would send, in the order of the samples.
pub fn plan_job(session: &LinkedSession<'_>, scope: &JobScope) -> JobPlan {
    plan_part(session, scope, &|_| true)
}

/// The same for those of the scope's samples that are meant, by their ids.
pub fn plan_part(
    session: &LinkedSession<'_>,
    scope: &JobScope,
    is_meant: &dyn Fn(&str) -> bool,
) -> JobPlan {
    let world = session.world_to_ask();
    let pack = &session.loader.packs[session.loader.pack];
    let mut meant = is_drawn(session, scope.subset.as_ref());
    for (meant, sample) in meant.iter_mut().zip(&world.benchmark.samples) {
        *meant &= is_meant(&sample.id);
    }
    let mut plan = JobPlan {
        is_json: true,
        picture_bytes: Some(0.0),
        ..JobPlan::default()
    };
    let models = world
        .models
        .iter()
        .filter(|model| scope.models.is_empty() || scope.models.contains(&model.submission.name));
    for model in models {
        let judge = session.judge_in_use(&scope.judge);
        let known = known_of(model, &judge);
        let others = answered_by_others(model, &judge);
        let turns = world.benchmark.turns();
        for (slot, at, turn_idx, turn) in turns.filter(|(_, at, _, _)| meant[*at as usize]) {
            let sample = &world.benchmark.samples[at as usize];
            for criterion in session.loader.protocol.requests_of(sample, turn) {
                let is_asked =
                    scope.criteria.is_empty() || scope.criteria.iter().any(|id| id == criterion);
                if !is_asked {
                    continue;
                }
                if session.loader.protocol.is_computed(criterion) {
                    plan.not_asked += 1;
                    continue;
                }
                if model.outputs.get(slot as usize) != Some(&OutputState::Present) {
                    plan.without_output += 1;
                    continue;
                }
                let key = RequestKey {
                    model: model.submission.name.clone(),
                    sample: sample.id.clone(),
                    turn: turn_idx,
                    criterion: criterion.to_owned(),
                };
                let Ok(draft) = session.loader.protocol.request(&world, pack, &key) else {
                    plan.not_asked += 1;
                    continue;
                };
                let others = others.get(&(slot, criterion));
                let grammar = session.loader.protocol.grammar(Some(sample), criterion);
                plan.is_json &= grammar.contains('{');
                for run in 1..=scope.runs.max(1) {
                    let state = known.get(&(slot, criterion, run)).copied();
                    let is_others = scope.which == Which::Unjudged && others.is_some();
                    if is_others || !is_wanted(state, scope.which) {
                        plan.answered += 1;
                        continue;
                    }
                    let limit = scope.limit.map_or(usize::MAX, |limit| limit as usize);
                    if plan.tasks.len() >= limit {
                        continue;
                    }
                    for other in others.into_iter().flatten() {
                        *plan.by_others.entry((*other).to_owned()).or_default() += 1;
                    }
                    add_size(&mut plan, session, &draft);
                    plan.tasks.push(JobTask {
                        key: key.clone(),
                        run,
                        anchor: false,
                    });
                }
            }
        }
    }
    plan
}

/// Counts what a request sends.
fn add_size(plan: &mut JobPlan, session: &Session, draft: &Draft) {
    plan.text_chars += draft.system.iter().map(|text| size(text)).sum::<f64>();
    for part in draft.parts.iter().filter(|part| part.is_sent()) {
        match part {
            PartView::Text { text } => plan.text_chars += size(text),
            PartView::Image { file, other, .. } => {
                plan.pictures += 1;
                let files = [*file, *other].into_iter().flatten();
                for size in files.map(|file| session.loader.tree.size(file)) {
                    plan.picture_bytes = plan
                        .picture_bytes
                        .zip(size)
                        .map(|(sum, bytes)| sum + bytes as f64);
                }
            }
        }
    }
}

/// The body of a request with tokens wherever a picture's base64 and media type belong; the host puts the pictures in.
///
/// # Errors
/// The request cannot be made; [`request`](crate::request) says why.
pub fn job_body(
    session: &LinkedSession<'_>,
    key: &RequestKey,
    wire: Wire,
    params: &Params,
) -> Result<JobBody, Error> {
    params.check(wire)?;
    let request = request(session, key)?;
    if let Some(message) = request.error {
        return Err(Error::NoRequest(message));
    }
    let sent = || request.parts.iter().filter(|part| part.is_sent());
    let texts = sent().filter_map(|part| match part {
        PartView::Text { text } => Some(text.as_str()),
        PartView::Image { .. } => None,
    });
    let marks = picture_marks(&texts.chain(request.system.as_deref()));
    let mut pictures: Vec<JobPicture> = Vec::new();
    for part in sent() {
        if let PartView::Image {
            file,
            path,
            treatment,
            other,
            ..
        } = part
        {
            let (token, media_token) = marks.of(pictures.len());
            pictures.push(JobPicture {
                token,
                media_token,
                path: path.clone(),
                file: *file,
                treatment: treatment.clone(),
                other: *other,
            });
        }
    }
    let mut next = pictures.iter();
    let content: Vec<Content<'_>> = sent()
        .filter_map(|part| match part {
            PartView::Text { text } => Some(Content::Text(text)),
            PartView::Image { .. } => next.next().map(|picture| Content::Image {
                media_type: &picture.media_token,
                base64: &picture.token,
            }),
        })
        .collect();
    let body = provider::body(wire, params, request.system.as_deref(), &content);
    Ok(JobBody {
        protocol: session.loader.protocol.id().to_owned(),
        prompts: request.pack.sha256,
        sha256: request.sha256,
        text: body.to_string(),
        pictures,
    })
}

/// Whether a request's reply is computed from the files, so that no judge is asked.
pub fn is_computed(session: &Session, request: &str) -> bool {
    session.loader.protocol.is_computed(request)
}

/// Protocol and prompt pack of records that are made now.
pub fn record_head(session: &Session) -> RecordHead {
    RecordHead {
        protocol: session.loader.protocol.id().to_owned(),
        prompts: session.loader.packs[session.loader.pack]
            .info
            .sha256
            .clone(),
    }
}

/// Takes records in, as they came or as they were kept; those of other benchmarks are passed over when scores are made.
pub fn add_records(session: &mut Session, mut records: Vec<Record>) {
    for record in &mut records {
        (session.loader.readers.again)(record);
    }
    session.data.pasted.extend(records);
    session.data.cache.relink();
}

/// Takes in those of some kept records that are not there yet; how many they are.
pub fn add_unknown_records(session: &mut Session, mut kept: Vec<Record>) -> usize {
    let known: HashSet<Stamp<'_>> = session.data.pasted.iter().map(stamp).collect();
    kept.retain(|record| !known.contains(&stamp(record)));
    let count = kept.len();
    if count > 0 {
        add_records(session, kept);
    }
    count
}

/// What tells a reply from every other: what was asked, and when the answer came.
type Stamp<'a> = (
    (&'a str, &'a str, Option<&'a str>),
    (&'a str, u32, &'a str),
    (&'a str, u32),
);

fn stamp(record: &Record) -> Stamp<'_> {
    (
        (&record.time, &record.sample, record.request.as_deref()),
        (&record.model, record.turn, &record.criterion),
        (&record.judge, record.run),
    )
}

impl Session {
    /// The requests of a scope that its judge has answered readably, each with its first such run.
    pub(super) fn answered(&self, scope: &JobScope) -> Vec<(RequestKey, u32)> {
        let world = self.world();
        let drawn = is_drawn(self, scope.subset.as_ref());
        let models = world.models.iter().filter(|model| {
            scope.models.is_empty() || scope.models.contains(&model.submission.name)
        });
        let mut answered = Vec::new();
        for model in models {
            let mut runs: BTreeMap<(u32, &str), u32> = BTreeMap::new();
            for ((slot, criterion, run), state) in known_of(model, &self.judge_in_use(&scope.judge))
            {
                let is_asked =
                    scope.criteria.is_empty() || scope.criteria.iter().any(|id| id == criterion);
                if is_asked && state == Known::Answered {
                    let first = runs.entry((slot, criterion)).or_insert(run);
                    *first = run.min(*first);
                }
            }
            let turns = world.benchmark.turns();
            for (slot, at, turn, _) in turns.filter(|(_, at, _, _)| drawn[*at as usize]) {
                let here = runs.range((slot, "")..(slot + 1, ""));
                answered.extend(here.map(|((_, criterion), run)| {
                    let key = RequestKey {
                        model: model.submission.name.clone(),
                        sample: world.benchmark.samples[at as usize].id.clone(),
                        turn,
                        criterion: (*criterion).to_owned(),
                    };
                    (key, *run)
                }));
            }
        }
        answered
    }
}

/// What is known of a request by one reply to it.
fn known_by(model: &ModelData, given: &LinkedReply) -> Known {
    let reading = match given.verdict.get() {
        Some(at) => model.verdicts[at as usize].of(Profile::Paper).map(|_| ()),
        None => given.readings.paper().map(|_| ()),
    };
    match reading {
        Ok(()) => Known::Answered,
        Err(Fault::FailedCall) => Known::Failed,
        Err(_) => Known::Unparsable,
    }
}

/// The best that is known of each request of a judge, by slot, kind and run.
fn known_of<'a>(model: &'a ModelData, judge: &str) -> HashMap<(u32, &'a str, u32), Known> {
    let mut known = HashMap::new();
    for given in model.given.iter() {
        let (Some(slot), true) = (
            given.slot.get(),
            model.judges[usize::from(given.judge)] == judge,
        ) else {
            continue;
        };
        let state = known_by(model, given);
        let criterion = model.criteria[usize::from(given.criterion)].as_str();
        let best = known.entry((slot, criterion, given.run)).or_insert(state);
        *best = state.max(*best);
    }
    known
}

/// Who else has answered each request readably, by slot and kind.
fn answered_by_others<'a>(
    model: &'a ModelData,
    judge: &str,
) -> HashMap<(u32, &'a str), BTreeSet<&'a str>> {
    let is_other = |name: &str| name != judge && !is_person(name) && !is_panel(name);
    let others: Vec<bool> = model.judges.iter().map(|name| is_other(name)).collect();
    let mut found: HashMap<(u32, &str), BTreeSet<&str>> = HashMap::new();
    for given in model.given.iter() {
        let by = usize::from(given.judge);
        let Some(slot) = given.slot.get().filter(|_| others[by]) else {
            continue;
        };
        if known_by(model, given) == Known::Answered {
            let criterion = model.criteria[usize::from(given.criterion)].as_str();
            let names = found.entry((slot, criterion)).or_default();
            names.insert(&model.judges[by]);
        }
    }
    found
}

fn is_wanted(known: Option<Known>, which: Which) -> bool {
    match which {
        Which::Open | Which::Unjudged => matches!(known, None | Some(Known::Failed)),
        Which::Failed => known == Some(Known::Failed),
        Which::Unparsable => known == Some(Known::Unparsable),
    }
}

fn size(text: &str) -> f64 {
    f64::from(count(text.chars().count()))
}
