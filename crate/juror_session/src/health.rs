//! Kept replies held against the requests as they are now, and judges held against their own anchors.

use crate::study::LinkedSession;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::count;
use super::data::Data;
use super::linked::{RequestHash, Source, StaleRecord};
use super::request::{files, name_references};
use super::state::Session;
use crate::view::{JobScope, JobTask};
use juror_judging::health::{Drift, JudgeHealth, ReplyCheck, StaleReply, pick_anchors};
use juror_judging::journal::Record;
use juror_judging::records::RecordView;
use juror_model::judge::is_derived;
use juror_model::linked::{LinkedReply, ModelData, World};
use juror_model::options::Profile;
use juror_model::problem::{Problem, Severity};
use juror_model::prompt::PromptPack;
use juror_model::reply::ParsedReply;
use juror_model::request::{Draft, RequestKey};
use juror_model::tree::FileId;
use juror_statistics::small::SortSmall;

/// Scores of an anchor by sub-score: stored and new.
type Pairs = BTreeMap<String, Vec<(Option<f64>, Option<f64>)>>;

/// The pictures that [`check_replies`](crate::check_replies) compares and whose bytes were not read yet.
///
/// Read them and hand them to [`provide_picture`](crate::provide_picture); one that cannot be read makes its replies unknown.
pub fn check_needs(session: &LinkedSession<'_>) -> Vec<FileId> {
    let mut needs = Vec::new();
    let mut seen = HashSet::new();
    for record in hashed_records(session) {
        for (_, draft) in drafts(session, record) {
            needs.extend(files(&draft.parts).filter(|file| {
                !session.loader.read.hashes.contains_key(file) && seen.insert(*file)
            }));
        }
    }
    needs
}

/// Holds every reply that records its request's hash against the request as it is now; a stale one no longer counts.
pub fn check_replies(session: &mut Session) -> ReplyCheck {
    session.link();
    let mut check = ReplyCheck::default();
    let mut stale: HashSet<RequestHash> = HashSet::new();
    for record in hashed_records(session) {
        let (Some(asked), key) = (record.request, record.key()) else {
            continue;
        };
        let mut has_own_pack = false;
        let mut hashes = drafts(session, record)
            .into_iter()
            .filter_map(|(pack, draft)| {
                let is_read =
                    files(&draft.parts).all(|file| session.loader.read.hashes.contains_key(&file));
                has_own_pack |= is_read && record.is_under(&pack.info.sha256);
                is_read.then(|| session.request_hash(&pack.info, &key, &draft))
            });
        if hashes.any(|hash| hash == asked) {
            check.current += 1;
        } else if has_own_pack {
            check.stale += 1;
            stale.insert((key, asked.to_owned()));
        } else {
            check.unknown += 1;
        }
    }
    check.unknown += count(records(session).filter(|one| one.request.is_none()).count());
    session.data.stale = stale;
    session.data.cache.relink();
    check
}

/// Of the replies that name their request: those of which nobody can tell whether they answer it, as it cannot be made here.
pub(super) fn unasked(session: &Session, check: &ReplyCheck) -> u32 {
    let without = records(session).filter(|record| record.request.is_none());
    check.unknown.saturating_sub(count(without.count()))
}

/// Every judge with replies of its own record: parameters, and how its anchors have drifted.
pub fn judge_health(session: &LinkedSession<'_>) -> Vec<JudgeHealth> {
    let mut judges: BTreeMap<Cow<'_, str>, JudgeHealth> = BTreeMap::new();
    for model in session.data.models() {
        for given in model.given.iter() {
            let judge = &model.judges[usize::from(given.judge)];
            // People are asked with no parameters.
            if !is_derived(judge) {
                judges.entry(Cow::Borrowed(judge)).or_default();
            }
        }
    }
    let mut anchors: BTreeMap<(Cow<'_, str>, &str), Pairs> = BTreeMap::new();
    let stored = stored(session);
    for record in records(session) {
        let judge = session.judge_of(record);
        let health = judges.entry(judge.clone()).or_default();
        if let Some(asked) = record.anchor {
            let pairs = anchors.entry((judge, asked)).or_default();
            pair_anchor(session, record, &stored, pairs);
            continue;
        }
        health.replies += 1;
        match record.params {
            None => health.without_params += 1,
            Some(params) if !health.params.contains(params) => {
                health.params.push(params.clone());
            }
            Some(_) => {}
        }
    }
    for ((judge, asked), pairs) in anchors {
        let drifts = pairs
            .iter()
            .map(|(criterion, pairs)| Drift::of(asked, criterion, pairs));
        judges.entry(judge).or_default().anchors.extend(drifts);
    }
    let named = judges.into_iter().map(|(judge, health)| JudgeHealth {
        judge: judge.into_owned(),
        ..health
    });
    named.collect()
}

/// The anchors of a job's judge: requests of the scope that it has answered readably, to be asked again as that run.
pub fn plan_anchors(
    session: &LinkedSession<'_>,
    scope: &JobScope,
    num_anchors: u32,
) -> Vec<JobTask> {
    let known = session.answered(scope);
    pick_anchors(known, num_anchors as usize)
        .into_iter()
        .map(|(key, run)| JobTask {
            key,
            run,
            anchor: true,
        })
        .collect()
}

/// Records about what the benchmark asks for, journals first as they count, then what came in this session.
pub(super) fn records(session: &Session) -> impl Iterator<Item = RecordView<'_>> {
    let benchmark = session.world().benchmark;
    let linked = session.data.cache.linked.as_ref();
    let journals = linked.map(|linked| session.journals(&linked.owners));
    journals
        .into_iter()
        .flatten()
        .flat_map(|file| {
            let heard = session.heard(file);
            let journal = session.loader.read.journals.get(&file);
            let records = journal
                .into_iter()
                .flat_map(|(_, journal)| journal.records.iter());
            let records = records.map(|(_, record)| record);
            records.filter(move |record| heard.includes(record.model))
        })
        .chain(session.data.pasted.iter().map(Record::view))
        .filter(|record| session.stray(benchmark, *record).is_none())
}

fn hashed_records(session: &Session) -> impl Iterator<Item = RecordView<'_>> {
    records(session).filter(|record| record.request.is_some())
}

/// The record's request as it would be asked now, under its own prompt pack; under every open one if that is unknown.
fn drafts<'s>(session: &'s Session, record: RecordView<'_>) -> Vec<(&'s PromptPack, Draft)> {
    let world = session.world_to_ask();
    let key = record.key();
    let has_own = session
        .loader
        .packs
        .iter()
        .any(|pack| record.is_under(&pack.info.sha256));
    let packs = session
        .loader
        .packs
        .iter()
        .filter(|pack| !has_own || record.is_under(&pack.info.sha256));
    packs
        .filter_map(|pack| {
            let mut draft = session.loader.protocol.request(&world, pack, &key).ok()?;
            name_references(&mut draft.parts, world.sample(&key.sample));
            Some((pack, draft))
        })
        .collect()
}

/// The first readable reply of each request, judge and run: its raw text.
fn stored(session: &Session) -> HashMap<(RequestKey, &str, u32), &str> {
    let world = session.world();
    let mut stored = HashMap::new();
    for model in world.models {
        for given in model.given.iter() {
            let Some((key, judge)) = key_of(model, given, &world) else {
                continue;
            };
            let is_readable = match given.verdict.get() {
                Some(at) => model.verdicts[at as usize].paper.is_ok(),
                None => given.readings.paper().is_ok(),
            };
            if is_readable {
                stored
                    .entry((key, judge, given.run))
                    .or_insert_with(|| session.raw(given));
            }
        }
    }
    stored
}

fn pair_anchor(
    session: &Session,
    record: RecordView<'_>,
    stored: &HashMap<(RequestKey, &str, u32), &str>,
    pairs: &mut Pairs,
) {
    let world = session.world();
    let sample = world.sample(record.sample);
    let scores = |raw: Option<&str>| -> BTreeMap<String, f64> {
        let read = raw.map(|raw| {
            session
                .loader
                .protocol
                .parse(sample, record.criterion, Profile::Paper, raw)
        });
        match read {
            Some(ParsedReply::Ok { criteria, .. }) => criteria,
            _ => BTreeMap::new(),
        }
    };
    let judge = session.judge_of(record);
    let before = stored.get(&(record.key(), &*judge, record.run));
    let before = scores(before.copied());
    let now = scores(record.error.is_none().then_some(record.reply));
    let keys = before.keys().chain(now.keys());
    let mut names: Vec<&str> = keys.map(String::as_str).collect();
    names.sort_small();
    names.dedup();
    if names.is_empty() {
        names.push(record.criterion);
    }
    for name in names {
        let pair = (before.get(name).copied(), now.get(name).copied());
        pairs.entry(name.to_owned()).or_default().push(pair);
    }
}

impl Data {
    /// The replies that were set aside for one output.
    pub(super) fn stale_of(
        &self,
        model: &str,
        world: &World<'_>,
        sample: u32,
        turn: u32,
    ) -> Vec<StaleReply> {
        let id = &world.benchmark.samples[sample as usize].id;
        let aside = self.cache.linked.iter().flat_map(|linked| &linked.aside);
        aside
            .filter(|one| one.key.model == model && one.key.sample == *id && one.key.turn == turn)
            .map(|one| one.reply.clone())
            .collect()
    }

    /// Whether the last check found that the record answers an earlier request.
    pub(super) fn is_stale(&self, record: RecordView<'_>) -> bool {
        let Some(asked) = record.request.filter(|_| !self.stale.is_empty()) else {
            return false;
        };
        self.stale.contains(&(record.key(), asked.to_owned()))
    }
}

/// A warning for each model with replies that were set aside.
pub(super) fn stale_problems(aside: &[StaleRecord]) -> Vec<Problem> {
    let mut counts: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    for one in aside {
        *counts
            .entry((&one.key.model, &one.reply.judge))
            .or_default() += 1;
    }
    counts
        .into_iter()
        .map(|((model, judge), number)| Problem {
            severity: Severity::Warning,
            code: "stale_replies".to_owned(),
            path: String::new(),
            place: String::new(),
            message: format!(
                "{number} {} of judge {judge:?} for {model} answer an earlier request: a picture, a text or the prompt has changed since.",
                if number == 1 { "reply" } else { "replies" }
            ),
            hint: "They are kept and shown, and do not count. Judge these requests again.".to_owned(),
        })
        .collect()
}

/// The request that a reply answers, and its judge.
fn key_of<'a>(
    model: &'a ModelData,
    given: &LinkedReply,
    world: &World<'_>,
) -> Option<(RequestKey, &'a str)> {
    let sample = world.benchmark.samples.get(given.sample.get()? as usize)?;
    let key = RequestKey {
        model: model.submission.name.clone(),
        sample: sample.id.clone(),
        turn: given.turn.get()?,
        criterion: model.criteria[usize::from(given.criterion)].clone(),
    };
    Some((key, &model.judges[usize::from(given.judge)]))
}

impl Source {
    /// The place of one of its records, in words for the user.
    pub(super) fn name(self, session: &Session, line: u32) -> String {
        match self {
            Self::Replies(file) | Self::Journal(file) => {
                format!("{}:{line}", session.loader.tree.path(file))
            }
            Self::Pasted => "pasted".to_owned(),
            Self::Rated => "ratings".to_owned(),
        }
    }
}
