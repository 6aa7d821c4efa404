//! What people rate, in which order, and what came of it.

use super::data::Data;
use crate::error::Error;
use crate::study::LinkedSession;
use std::collections::{BTreeMap, BTreeSet};

use super::count;
use super::heard::AllowedModels;
use super::state::Session;
use super::subset::is_drawn;
use crate::rating_file::{self, Merged, Rating};
use crate::view::rating::{
    RateCriterion, RateItem, RateItems, RateKey, RatePicture, RatePlan, RateScope, RateTask,
    RaterSummary, RatingsFile, Rubric,
};
use juror_model::linked::World;
use juror_model::problem::{Problem, Severity};
use juror_model::prompt;
use juror_model::request::{Draft, PartView, RequestKey, Treatment};
use juror_model::sample::{Benchmark, Sample, Turn, TurnKind};
use juror_model::submission::OutputState;
use juror_model::terms::{Atom, RequestInfo};
use juror_model::tree::FileId;
use juror_model::trust::Owners;
use juror_protocols::atoms::steps;
use juror_reading::count::counted;
use juror_statistics::small::{CollectSmall, SortSmall};

/// What there is to rate, shuffled, with the rater's ratings so far.
///
/// Raters share the subset whatever models they rate. The order depends on seed and rater.
pub fn rate_plan(session: &LinkedSession<'_>, scope: &RateScope) -> RatePlan {
    let world = session.world();
    let chosen = is_drawn(session, scope.subset().as_ref());
    let mut plan = RatePlan {
        criteria: rate_criteria(session),
        tasks: Vec::new(),
        samples: 0,
        has_atoms: has_atoms(session),
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
            if !chosen[at as usize] {
                continue;
            }
            let mut criteria = rated_of(session, sample, turn, scope.items);
            if scope.items == RateItems::Criteria {
                criteria.retain(|id| is_asked(id));
            }
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
pub fn rate_item(session: &LinkedSession<'_>, key: &RateKey) -> Result<RateItem, Error> {
    let world = session.world();
    let model = world
        .model(&key.model)
        .ok_or_else(|| Error::UnknownModel("The model of this output is not open.".to_owned()))?;
    let (_, sample, slot, turn) = world
        .turn(&key.sample, key.turn)
        .ok_or_else(|| Error::no_turn(key.turn, &key.sample))?;
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
            .map(|turn| session.loader.protocol.spans(&turn.instruction))
            .collect(),
        instruction: session.loader.protocol.spans(&turn.instruction),
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
        atoms: atoms_of(session, sample, turn),
    })
}

/// Takes the ratings that the host keeps, instead of those that it gave before.
pub fn use_ratings(session: &mut Session, kept: Vec<Rating>) {
    if session.data.kept_ratings != kept {
        session.data.kept_ratings = kept;
        session.data.cache.relink();
    }
}

/// Reads a file of ratings and keeps nothing; `None` if it is something else.
pub fn read_ratings(path: &str, text: &str) -> Option<RatingsFile> {
    let (ratings, problems) = rating_file::read(path, text)?;
    Some(RatingsFile { ratings, problems })
}

/// The merged ratings of one rater, or of all, as a file that merges with others.
pub fn ratings_csv(session: &LinkedSession<'_>, rater: Option<&str>) -> String {
    // What counts nowhere for want of a turn is written as it was read.
    rating_file::write(
        (session.data.merged_ratings().iter())
            .chain(session.data.ratings_without_turn())
            .filter(|rating| rater.is_none_or(|rater| rating.rater == rater)),
    )
}

fn raters(session: &Session) -> Vec<RaterSummary> {
    let world = session.world();
    let nobody = || RaterSummary {
        rater: String::new(),
        ratings: 0,
        labels: 0,
        unknown_samples: 0,
        last: String::new(),
    };
    let mut raters: BTreeMap<&str, RaterSummary> = BTreeMap::new();
    for rating in session.data.merged_ratings() {
        let is_known = world.model(&rating.model).is_some()
            && world.turn(&rating.sample, rating.turn).is_some();
        let of = raters.entry(&rating.rater).or_insert_with(nobody);
        if rating.score.is_some() {
            of.ratings += 1;
            of.unknown_samples += u32::from(!is_known);
        }
        if rating.time > of.last {
            of.last.clone_from(&rating.time);
        }
    }
    let labels = session.has_labels().then(|| session.labels());
    for label in labels.iter().flat_map(|labels| &labels.merged) {
        let of = raters.entry(&label.rater).or_insert_with(nobody);
        of.labels += u32::from(!label.is_removed);
        if label.time > of.last {
            of.last.clone_from(&label.time);
        }
    }
    let named = raters.into_iter().map(|(rater, of)| RaterSummary {
        rater: rater.to_owned(),
        ..of
    });
    named.collect()
}

/// A rater's ratings by output.
fn ratings_of<'s>(
    session: &'s Session,
    rater: &str,
) -> BTreeMap<(&'s str, u32, &'s str), Vec<&'s Rating>> {
    let mut by_output: BTreeMap<_, Vec<&Rating>> = BTreeMap::new();
    for rating in session
        .data
        .merged_ratings()
        .iter()
        .filter(|one| one.rater == rater)
    {
        let output = (rating.sample.as_str(), rating.turn, rating.model.as_str());
        by_output.entry(output).or_default().push(rating);
    }
    by_output
}

/// The criteria that a judge is really asked for, in the protocol's order; totals are made of them and not rated.
fn rate_criteria(session: &Session) -> Vec<RateCriterion> {
    let world = session.world();
    let mut asked: BTreeSet<String> = BTreeSet::new();
    let requests = session.loader.protocol.requests();
    for info in requests {
        let mut turns = world.benchmark.turns().filter(|(_, at, _, turn)| {
            let sample = &world.benchmark.samples[*at as usize];
            session
                .loader
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
    let criteria = session.loader.protocol.criteria().into_iter();
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
    let asked = session.loader.protocol.requests_of(sample, turn);
    let requests = session.loader.protocol.requests().into_iter();
    requests
        .filter(|info| asked.contains(&info.id.as_str()))
        .collect()
}

fn criteria_of(session: &Session, sample: &Sample, turn: &Turn) -> Vec<String> {
    let requests = requests_for(session, sample, turn).into_iter();
    requests.flat_map(|info| info.criteria).collect()
}

/// What a person can rate of a turn.
pub(super) fn rated_of(
    session: &Session,
    sample: &Sample,
    turn: &Turn,
    items: RateItems,
) -> Vec<String> {
    match items {
        RateItems::Criteria => criteria_of(session, sample, turn),
        RateItems::Atoms => {
            let atoms = atoms_of(session, sample, turn).into_iter();
            atoms.map(|atom| atom.id).collect()
        }
    }
}

/// What the replies about a turn are made of, request by request.
fn atoms_of(session: &Session, sample: &Sample, turn: &Turn) -> Vec<Atom> {
    let protocol = &session.loader.protocol;
    let pack = &session.loader.packs[session.loader.pack];
    let requests = protocol.requests_of(sample, turn).into_iter();
    requests
        .flat_map(|request| protocol.atoms(sample, request, pack))
        .collect()
}

/// Whether some criteria are made of questions, rather than being asked as they are.
fn has_atoms(session: &Session) -> bool {
    let world = session.world();
    let mut turns = world.benchmark.turns();
    turns.any(|(_, at, _, turn)| {
        let sample = &world.benchmark.samples[at as usize];
        let criteria = criteria_of(session, sample, turn);
        let atoms = atoms_of(session, sample, turn);
        !atoms.is_empty() && atoms.iter().any(|atom| !criteria.contains(&atom.id))
    })
}

fn draft(session: &Session, world: &World<'_>, key: &RateKey, info: &RequestInfo) -> Option<Draft> {
    let key = RequestKey {
        model: key.model.clone(),
        sample: key.sample.clone(),
        turn: key.turn,
        criterion: info.id.clone(),
    };
    let pack = &session.loader.packs[session.loader.pack];
    session.loader.protocol.request(world, pack, &key).ok()
}

impl Data {
    /// All ratings at hand as one list; empty until linking has made it.
    pub(super) fn merged_ratings(&self) -> &[Rating] {
        let merged = self.cache.ratings.as_ref();
        merged.map_or(&[], |merged| &merged.ratings)
    }

    /// Those that state no turn of a sample that has several.
    pub(super) fn ratings_without_turn(&self) -> &[Rating] {
        let merged = self.cache.ratings.as_ref();
        merged.map_or(&[], |merged| &merged.without_turn)
    }

    /// What is to be said about merged ratings.
    pub(super) fn rating_problems(&self) -> Vec<Problem> {
        let Some(Merged {
            replaced, undated, ..
        }) = &self.cache.ratings
        else {
            return Vec::new();
        };
        let finding =
            |(code, severity): (&str, Severity), rater: &str, number: u32, which: &str| Problem {
                severity,
                code: code.to_owned(),
                path: String::new(),
                place: format!("rater {rater}"),
                message: format!(
                    "{number} {} given more than once with different scores; {which} counts.",
                    if number == 1 {
                        "rating was"
                    } else {
                        "ratings were"
                    }
                ),
                hint: "If two people used one name, give them two: they are then compared."
                    .to_owned(),
            };
        let kinds = [
            (replaced, ("rating_replaced", Severity::Note), "the latest"),
            (
                undated,
                ("rating_twice", Severity::Warning),
                "nothing says which is later, so the last row",
            ),
        ];
        let kinds = kinds.into_iter();
        let findings = kinds.flat_map(|(found, kind, which)| {
            let found = found.iter();
            found.map(move |(rater, number)| finding(kind, rater, *number, which))
        });
        findings.collect()
    }
}

/// Ratings that count nowhere or that no scale has: an agreement would rest on fewer or on other numbers without a word.
pub(super) fn stray_ratings(session: &Session) -> Vec<Problem> {
    let world = session.world();
    let criteria = session.loader.protocol.criteria();
    let is_known = |rating: &&Rating| {
        let sample = world.benchmark.index_of(&rating.sample);
        let slot = sample.and_then(|sample| world.benchmark.turn_slot(sample, rating.turn));
        slot.is_some() && world.model(&rating.model).is_some()
    };
    let is_off = |rating: &&Rating| {
        let info = criteria.iter().find(|info| info.id == rating.criterion);
        let ends = info.map(|info| {
            let factor = if info.id == "total" { info.scale } else { 1.0 };
            info.min * factor..=info.max * factor
        });
        rating
            .score
            .zip(ends)
            .is_some_and(|(score, ends)| !ends.contains(&score))
    };
    let scored = || {
        let ratings = session.data.merged_ratings().iter();
        ratings.filter(|rating| rating.score.is_some())
    };
    let finding = |code: &str, found: &[&Rating], what: &str, hint: &str| {
        let first = found.first()?;
        let number = counted(found.len(), "rating is", "ratings are");
        let Rating {
            sample,
            turn,
            model,
            criterion,
            rater,
            ..
        } = first;
        Some(Problem::new(
            "",
            (code, Severity::Warning),
            String::new(),
            format!(
                "{number} {what} (first: sample {sample}, turn {turn}, of {model}, {criterion}, by {rater})."
            ),
            hint,
        ))
    };
    let (known, stray): (Vec<&Rating>, Vec<&Rating>) = scored().partition(is_known);
    let off: Vec<&Rating> = scored().filter(is_off).collect();
    let mut criteria = RatedCriteria::of(session);
    let unknown: Vec<&Rating> = known
        .into_iter()
        .filter(|rating| !criteria.include(session, rating))
        .collect();
    let without_turn: Vec<&Rating> = session.data.ratings_without_turn().iter().collect();
    let without_turn = finding(
        "turnless_ratings",
        &without_turn,
        "without a turn, of samples that have several; such ratings count nowhere",
        "Add a column turn, from 0, to the file.",
    );
    let stray = finding(
        "stray_ratings",
        &stray,
        "about outputs that are not here; such ratings count nowhere",
        "Check sample, turn and model in the file, or open what they are about.",
    );
    let unknown = finding(
        "stray_criteria",
        &unknown,
        "by a criterion that is not asked of the output; such ratings count nowhere",
        "Correct the criterion in the file.",
    );
    let off = finding(
        "ratings_off_scale",
        &off,
        "off the scale of the criterion; such values count as they are",
        "Correct them in the file.",
    );
    let found = [without_turn, stray, unknown, off];
    found.into_iter().flatten().collect()
}

/// The criteria by which each turn can be rated.
struct RatedCriteria {
    /// Those that no request asks for: means and totals, which every turn has.
    of_all: BTreeSet<String>,
    /// By sample and turn: criteria and questions of its requests.
    by_turn: BTreeMap<(String, u32), BTreeSet<String>>,
}

impl RatedCriteria {
    fn of(session: &Session) -> Self {
        let protocol = &session.loader.protocol;
        let requests = protocol.requests().into_iter();
        let asked: BTreeSet<String> = requests.flat_map(|info| info.criteria).collect();
        let criteria = protocol.criteria().into_iter().map(|info| info.id);
        Self {
            of_all: criteria.filter(|id| !asked.contains(id)).collect(),
            by_turn: BTreeMap::new(),
        }
    }

    /// Whether a rating of an output that is here is by a criterion of it.
    fn include(&mut self, session: &Session, rating: &Rating) -> bool {
        if self.of_all.contains(&rating.criterion) {
            return true;
        }
        let turn = (rating.sample.clone(), rating.turn);
        let of_turn = self.by_turn.entry(turn).or_insert_with(|| {
            let world = session.world();
            let at = world.benchmark.index_of(&rating.sample);
            let sample = at.and_then(|at| world.benchmark.samples.get(at as usize));
            let turn = sample.and_then(|sample| sample.turns.get(rating.turn as usize));
            let Some((sample, turn)) = sample.zip(turn) else {
                return BTreeSet::new();
            };
            let items = [RateItems::Criteria, RateItems::Atoms].into_iter();
            items
                .flat_map(|items| rated_of(session, sample, turn, items))
                .collect()
        });
        of_turn.contains(&rating.criterion)
    }
}

impl Session {
    /// The files' ratings, in the order of their paths, and then those that the host keeps, as one list.
    ///
    /// One that states no turn of a sample that has several is set aside: it may be of any of them.
    pub(super) fn merged_ratings(&self, owners: &Owners, benchmark: &Benchmark) -> Merged {
        let mut files: Vec<(FileId, &Vec<Rating>)> = self
            .loader
            .read
            .ratings
            .iter()
            .map(|(file, (_, found, _))| (*file, found))
            .collect();
        files.sort_small_by_key(|(file, _)| self.loader.tree.path(*file));
        let of_files = files.into_iter().flat_map(|(file, found)| {
            let heard = AllowedModels::of(owners, self.loader.tree.path(file));
            let ratings = found.iter();
            ratings.filter(move |rating| heard.includes(&rating.model))
        });
        let lacks = |rating: &&Rating| rating.lacks_turn && has_turns(benchmark, &rating.sample);
        let (mut without_turn, of_files): (Vec<&Rating>, Vec<&Rating>) = of_files.partition(lacks);
        let (turnless, kept): (Vec<&Rating>, Vec<&Rating>) =
            self.data.kept_ratings.iter().partition(lacks);
        without_turn.extend(turnless);
        // The host keeps every score that was ever chosen: what a rater corrected there is no news.
        let kept = rating_file::merge(kept).ratings;
        let mut merged = rating_file::merge(of_files.into_iter().chain(&kept));
        // Those that count are of the one turn that there is.
        for rating in &mut merged.ratings {
            rating.lacks_turn = false;
        }
        Merged {
            without_turn: without_turn.into_iter().cloned().collect(),
            ..merged
        }
    }

    /// The steps of a criterion's scale; of a total, on the printed one.
    pub(super) fn steps_of(&self, criterion: &str) -> Vec<f64> {
        let criteria = self.loader.protocol.criteria();
        let info = criteria.iter().find(|info| info.id == criterion);
        info.map_or_else(Vec::new, steps)
    }
}

/// Whether a sample has several turns.
fn has_turns(benchmark: &Benchmark, sample: &str) -> bool {
    let at = benchmark.index_of(sample);
    let sample = at.and_then(|at| benchmark.samples.get(at as usize));
    sample.is_some_and(|sample| sample.turns.len() > 1)
}

/// The position of an output in a rater's order: outputs are sorted by this hash, so that added ones come between.
fn place_of(scope: &RateScope, key: &RateKey) -> [u8; 32] {
    let (seed, turn) = (scope.seed.to_string(), key.turn.to_string());
    prompt::digest(
        "juror-rating-order/1",
        [&*seed, &scope.rater, &key.sample, &turn, &key.model],
    )
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
            treatment: treatment.clone(),
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
