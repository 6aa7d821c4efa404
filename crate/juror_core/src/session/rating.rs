//! What people rate, in which order, and what came of it.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use super::{Session, SessionError, count};
use crate::model::linked::World;
use crate::model::problem::{Problem, Severity};
use crate::model::request::{Draft, PartView, RequestKey, Treatment};
use crate::model::sample::{Sample, Turn, TurnKind};
use crate::model::submission::OutputState;
use crate::model::terms::{CriterionInfo, RequestInfo};
use crate::ratings::{self, Merged, Rating};
use crate::small::{CollectSmall, SortSmall, arrange_numbers};
use crate::tree::FileId;
use crate::view::rating::{
    RateCriterion, RateItem, RateKey, RatePicture, RatePlan, RateScope, RateTask, RaterSummary,
    RatingsFile, Rubric,
};

/// Most steps of a scale: each is one key, or two at ten.
const MAX_STEPS: usize = 11;

/// What there is to rate, shuffled, with the rater's ratings so far.
///
/// The subset depends on the seed and the samples' ids alone, so that raters share it whatever models they rate; a
/// larger one contains the smaller. The order depends on seed and rater.
pub fn rate_plan(session: &mut Session, scope: &RateScope) -> RatePlan {
    session.link();
    session.merge_ratings();
    let world = session.world();
    let chosen = chosen_samples(session, scope);
    let mut plan = RatePlan {
        criteria: rate_criteria(session),
        tasks: Vec::new(),
        samples: 0,
        without_output: 0,
        raters: raters(session),
    };
    let offered: BTreeSet<&str> = plan
        .criteria
        .iter()
        .map(|info| info.id.as_str())
        .collect_small();
    let is_asked = |id: &str| {
        offered.contains(id)
            && (scope.criteria.is_empty() || scope.criteria.iter().any(|known| known == id))
    };
    let own = ratings_of(session, &scope.rater);
    let mut seen = BTreeSet::new();
    let mut tasks: Vec<([u8; 32], RateTask)> = Vec::new();
    for model in world
        .models
        .iter()
        .filter(|model| scope.models.is_empty() || scope.models.contains(&model.submission.name))
    {
        for (slot, at, turn_idx, turn) in world.benchmark.turns() {
            let sample = &world.benchmark.samples[at as usize];
            if !chosen.contains(&at) {
                continue;
            }
            let mut criteria = criteria_of(session, sample, turn);
            criteria.retain(|id| is_asked(id));
            if criteria.is_empty() {
                continue;
            }
            if model.outputs.get(slot as usize) != Some(&OutputState::Present) {
                plan.without_output += 1;
                continue;
            }
            seen.insert(at);
            let key = RateKey {
                sample: sample.id.clone(),
                turn: turn_idx,
                model: model.submission.name.clone(),
            };
            let known = own.get(&(key.sample.as_str(), turn_idx, key.model.as_str()));
            let known = known.map_or(&[][..], Vec::as_slice);
            let task = RateTask {
                scores: known
                    .iter()
                    .filter_map(|rating| Some((rating.criterion.clone(), rating.score?)))
                    .collect(),
                note: known
                    .iter()
                    .map(|rating| rating.note.as_str())
                    .find(|note| !note.is_empty())
                    .unwrap_or_default()
                    .to_owned(),
                criteria,
                key,
            };
            tasks.push((place_of(scope, &task.key), task));
        }
    }
    tasks.sort_small_by_key(|(place, _)| *place);
    plan.tasks = tasks.into_iter().map(|(_, task)| task).collect();
    plan.samples = count(seen.len());
    plan
}

/// One output with everything that a judge is shown of it, and nothing that says whose it is.
///
/// # Errors
/// `unknown_model`, `unknown_turn`.
pub fn rate_item(session: &mut Session, key: &RateKey) -> Result<RateItem, SessionError> {
    session.link();
    let world = session.world();
    let model = world.model(&key.model).ok_or_else(|| {
        SessionError::new(
            "unknown_model",
            "The model of this output is not open.".to_owned(),
        )
    })?;
    let (_, sample, slot, turn) = world.turn(&key.sample, key.turn).ok_or_else(|| {
        SessionError::new(
            "unknown_turn",
            format!(
                "There is no turn {} in sample {}.",
                key.turn + 1,
                key.sample
            ),
        )
    })?;
    let drafts: Vec<(RequestInfo, Draft)> = requests_for(session, sample, turn)
        .into_iter()
        .filter_map(|info| {
            let draft = draft(session, &world, key, &info)?;
            Some((info, draft))
        })
        .collect();
    let mut pictures = pictures_of(sample, turn, drafts.iter().map(|(_, draft)| draft));
    let at = pictures.iter().position(|picture| picture.kind == "output");
    let own = at.map(|at| pictures.remove(at));
    pictures.retain(|picture| picture.kind != "output");
    let file = model
        .submission
        .outputs
        .get(slot as usize)
        .copied()
        .flatten();
    let text = model.answers.get(&slot).cloned();
    let shown: Vec<&str> = drafts
        .iter()
        .flat_map(|(_, draft)| &draft.parts)
        .filter_map(|part| match part {
            PartView::Text { text } => Some(text.as_str()),
            PartView::Image { .. } => None,
        })
        .collect();
    let is_shown =
        |answer: &str| !answer.trim().is_empty() && shown.iter().any(|text| text.contains(answer));
    let answer = (turn.kind == TurnKind::Text && is_shown(&turn.answer)).then_some(&turn.answer);
    let earlier = sample.turns.iter().take(key.turn as usize);
    Ok(RateItem {
        context: earlier
            .map(|turn| session.protocol.spans(&turn.instruction))
            .collect(),
        instruction: session.protocol.spans(&turn.instruction),
        details: sample.details.clone(),
        pictures,
        standard_answer: answer.cloned(),
        output: match turn.kind {
            TurnKind::Image => Some(own.unwrap_or_else(|| plain_picture("output", "", None, file))),
            TurnKind::Text => None,
        },
        text: text.filter(|_| turn.kind == TurnKind::Text),
        rubrics: drafts
            .iter()
            .map(|(info, draft)| rubric(info, draft))
            .collect(),
    })
}

/// Takes the ratings that the host keeps, instead of those that it gave before.
pub fn use_ratings(session: &mut Session, kept: Vec<Rating>) {
    session.kept_ratings = kept;
    session.cache.ratings = None;
}

/// Reads a file of ratings and keeps nothing; `None` if it is something else.
pub fn read_ratings(path: &str, text: &str) -> Option<RatingsFile> {
    let (ratings, problems) = ratings::read(path, text)?;
    Some(RatingsFile { ratings, problems })
}

/// The merged ratings of one rater, or of all, as a file that merges with others.
pub fn ratings_csv(session: &mut Session, rater: Option<&str>) -> String {
    session.merge_ratings();
    let merged = session.merged_ratings();
    ratings::write(
        merged
            .iter()
            .filter(|rating| rater.is_none_or(|rater| rating.rater == rater)),
    )
}

fn raters(session: &Session) -> Vec<RaterSummary> {
    let world = session.world();
    let mut raters: BTreeMap<&str, RaterSummary> = BTreeMap::new();
    for rating in session.merged_ratings() {
        let is_known = world.model(&rating.model).is_some()
            && world.turn(&rating.sample, rating.turn).is_some();
        let of = raters.entry(&rating.rater).or_insert_with(|| RaterSummary {
            rater: rating.rater.clone(),
            ratings: 0,
            strangers: 0,
            last: String::new(),
        });
        if rating.score.is_some() {
            of.ratings += 1;
            of.strangers += u32::from(!is_known);
        }
        if rating.time > of.last {
            of.last.clone_from(&rating.time);
        }
    }
    raters.into_values().collect()
}

/// A rater's ratings by output.
fn ratings_of<'s>(
    session: &'s Session,
    rater: &str,
) -> BTreeMap<(&'s str, u32, &'s str), Vec<&'s Rating>> {
    let mut by_output: BTreeMap<_, Vec<&Rating>> = BTreeMap::new();
    for rating in session
        .merged_ratings()
        .iter()
        .filter(|one| one.rater == rater)
    {
        let output = (rating.sample.as_str(), rating.turn, rating.model.as_str());
        by_output.entry(output).or_default().push(rating);
    }
    by_output
}

/// Positions of the samples of the scope.
fn chosen_samples(session: &Session, scope: &RateScope) -> BTreeSet<u32> {
    let samples = &session.world().benchmark.samples;
    let mut all: Vec<([u8; 32], u32)> = (0u32..)
        .zip(samples)
        .map(|(at, sample)| {
            let seed = scope.seed.to_string();
            (hash("juror-rating-subset/1", &[&seed, &sample.id]), at)
        })
        .collect();
    if scope.samples > 0 {
        all.sort_small();
        all.truncate(scope.samples as usize);
    }
    all.into_iter().map(|(_, at)| at).collect_small()
}

/// The criteria that a judge is really asked for, in the protocol's order; totals are made of them and not rated.
fn rate_criteria(session: &Session) -> Vec<RateCriterion> {
    let world = session.world();
    let mut asked: BTreeSet<String> = BTreeSet::new();
    let requests = session.protocol.requests();
    for info in requests {
        let mut turns = world.benchmark.turns().filter(|(_, at, _, turn)| {
            let sample = &world.benchmark.samples[*at as usize];
            session
                .protocol
                .requests_of(sample, turn)
                .contains(&info.id.as_str())
        });
        // Computed figures are requests that no judge can be asked.
        let is_judged = turns.any(|(_, at, turn, _)| {
            let sample = &world.benchmark.samples[at as usize];
            world.models.iter().any(|model| {
                let key = RateKey {
                    sample: sample.id.clone(),
                    turn,
                    model: model.submission.name.clone(),
                };
                draft(session, &world, &key, &info).is_some()
            })
        });
        if is_judged {
            asked.extend(info.criteria);
        }
    }
    let criteria = session.protocol.criteria().into_iter();
    criteria
        .filter(|info| info.id != "total" && asked.contains(&info.id))
        .map(|info| RateCriterion {
            steps: steps(&info),
            id: info.id,
            short: info.short,
            label: info.label,
            meaning: info.meaning,
            direction: info.direction,
        })
        .collect()
}

fn requests_for(session: &Session, sample: &Sample, turn: &Turn) -> Vec<RequestInfo> {
    let asked = session.protocol.requests_of(sample, turn);
    let requests = session.protocol.requests().into_iter();
    requests
        .filter(|info| asked.contains(&info.id.as_str()))
        .collect()
}

fn criteria_of(session: &Session, sample: &Sample, turn: &Turn) -> Vec<String> {
    let requests = requests_for(session, sample, turn).into_iter();
    requests.flat_map(|info| info.criteria).collect()
}

fn draft(session: &Session, world: &World<'_>, key: &RateKey, info: &RequestInfo) -> Option<Draft> {
    let key = RequestKey {
        model: key.model.clone(),
        sample: key.sample.clone(),
        turn: key.turn,
        criterion: info.id.clone(),
    };
    let pack = &session.packs[session.pack];
    session.protocol.request(world, pack, &key).ok()
}

impl Session {
    /// All ratings at hand as one list; empty until [`Session::merge_ratings`] or linking has made it.
    pub(super) fn merged_ratings(&self) -> &[Rating] {
        let merged = self.cache.ratings.as_ref();
        merged.map_or(&[], |merged| &merged.ratings)
    }

    /// Merges the files' ratings, in the order of their paths, and then those that the host keeps.
    pub(super) fn merge_ratings(&mut self) {
        if self.cache.ratings.is_some() {
            return;
        }
        self.link();
        let mut files: Vec<(FileId, &Vec<Rating>)> = self
            .read
            .ratings
            .iter()
            .map(|(file, (_, found, _))| (*file, found))
            .collect();
        files.sort_small_by_key(|(file, _)| self.tree.path(*file));
        let of_files = files.into_iter().flat_map(|(file, found)| {
            let heard = self.heard(file);
            let ratings = found.iter();
            ratings.filter(move |rating| heard.includes(&rating.model))
        });
        // The host keeps every score that was ever chosen: what a rater corrected there is no news.
        let kept = ratings::merge(&self.kept_ratings).ratings;
        let merged = ratings::merge(of_files.chain(&kept));
        self.cache.ratings = Some(merged);
    }

    /// What is to be said about merged ratings.
    pub(super) fn rating_problems(&self) -> Vec<Problem> {
        let Some(Merged { replaced, .. }) = &self.cache.ratings else {
            return Vec::new();
        };
        let notes = replaced.iter().map(|(rater, number)| Problem {
            severity: Severity::Note,
            code: "rating_replaced".to_owned(),
            path: String::new(),
            place: format!("rater {rater}"),
            message: format!(
                "{number} {} given more than once with different scores; the latest counts.",
                if *number == 1 {
                    "rating was"
                } else {
                    "ratings were"
                }
            ),
            hint: "If two people used one name, give them two: they are then compared.".to_owned(),
        });
        notes.collect()
    }

    /// The steps of a criterion's scale; of a total, on the printed one.
    pub(super) fn steps_of(&self, criterion: &str) -> Vec<f64> {
        let criteria = self.protocol.criteria();
        let info = criteria.iter().find(|info| info.id == criterion);
        info.map_or_else(Vec::new, steps)
    }
}

/// The steps that a person can choose from: the values allowed, every integer where there are at most eleven, else eleven
/// steps over the scale. A total's scale is the printed one.
fn steps(info: &CriterionInfo) -> Vec<f64> {
    if let Some(allowed) = &info.allowed
        && allowed.len() <= MAX_STEPS
    {
        let mut steps = allowed.clone();
        arrange_numbers(&mut steps);
        return steps;
    }
    let width = info.max - info.min;
    let is_whole = info.min.fract() == 0.0 && info.max.fract() == 0.0;
    if is_whole && (2.0..MAX_STEPS as f64).contains(&width) {
        let integers = (0..MAX_STEPS).map(|at| info.min + at as f64);
        return integers.take_while(|step| *step <= info.max).collect();
    }
    let last = (MAX_STEPS - 1) as f64;
    (0..MAX_STEPS)
        .map(|at| info.min + width * at as f64 / last)
        .collect()
}

/// Where an output stands in a rater's order: outputs are sorted by this hash, so that further ones fall between.
fn place_of(scope: &RateScope, key: &RateKey) -> [u8; 32] {
    let (seed, turn) = (scope.seed.to_string(), key.turn.to_string());
    hash(
        "juror-rating-order/1",
        &[&seed, &scope.rater, &key.sample, &turn, &key.model],
    )
}

fn hash(kind: &str, parts: &[&str]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(kind);
    for part in parts {
        hasher.update(format!("\n{} ", part.len()));
        hasher.update(part);
    }
    hasher.finalize().into()
}

fn plain_picture(
    kind: &str,
    label: &str,
    number: Option<u32>,
    file: Option<FileId>,
) -> RatePicture {
    RatePicture {
        kind: kind.to_owned(),
        label: label.to_owned(),
        number,
        file,
        treatment: Treatment::AsIs,
        other: None,
    }
}

/// The sample's inputs, then whatever else the judge is shown, each once.
fn pictures_of<'a>(
    sample: &Sample,
    turn: &Turn,
    drafts: impl Iterator<Item = &'a Draft>,
) -> Vec<RatePicture> {
    let produced: BTreeSet<u32> = sample
        .turns
        .iter()
        .filter_map(|turn| turn.picture)
        .collect_small();
    let mut pictures: Vec<RatePicture> = (1u32..)
        .zip(&sample.pictures)
        .filter(|(number, _)| !produced.contains(number))
        .map(|(number, picture)| {
            plain_picture("reference", &picture.label, Some(number), picture.file)
        })
        .collect();
    for part in drafts.flat_map(|draft| &draft.parts) {
        let PartView::Image {
            file,
            role,
            number,
            treatment,
            other,
            ..
        } = part
        else {
            continue;
        };
        let at = number.and_then(|number| number.checked_sub(1));
        let of_sample = at.and_then(|at| sample.pictures.get(at as usize));
        let kind = match role.as_str() {
            "output" => "output",
            "generated" => "earlier",
            _ if number.is_some() && *number == turn.picture => "golden",
            _ => "reference",
        };
        let is_plain = matches!(
            treatment,
            Treatment::AsIs | Treatment::Jpeg | Treatment::RgbaPng | Treatment::RgbPng
        );
        let is_known = pictures.iter().any(|known| {
            known.file == *file
                && (is_plain || known.treatment == *treatment && known.other == *other)
        });
        // The picture that this very turn makes is the output, whatever a request calls it.
        let kind = if kind == "earlier" && *number == turn.picture {
            "output"
        } else {
            kind
        };
        if is_known || (file.is_none() && *treatment != Treatment::Blank) {
            continue;
        }
        pictures.push(RatePicture {
            kind: kind.to_owned(),
            label: match kind {
                "output" | "earlier" => String::new(),
                _ => of_sample.map_or_else(|| role.clone(), |picture| picture.label.clone()),
            },
            number: number.filter(|_| kind != "output"),
            file: *file,
            treatment: *treatment,
            other: *other,
        });
    }
    pictures
}

fn rubric(info: &RequestInfo, draft: &Draft) -> Rubric {
    let system = draft.system.iter().cloned();
    let parts = draft.parts.iter().map(|part| match part {
        PartView::Text { text } => text.clone(),
        PartView::Image { .. } => "[picture]".to_owned(),
    });
    Rubric {
        label: info.label.clone(),
        criteria: info.criteria.clone(),
        text: system.chain(parts).collect::<Vec<_>>().join("\n"),
    }
}
