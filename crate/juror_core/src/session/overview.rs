//! The overview: means, incidents, findings, and what was found of benchmark and models.

use crate::session::naming::judge_names;
use crate::session::naming::unstated_judges;
use crate::session::standing::problems_of_standing;
use crate::session::standing::unopened;
use std::collections::{BTreeSet, HashSet};

use super::link::Source;
use super::{MAX_PROBLEMS_PER_CODE, Session, count};
use crate::limits;
use crate::measure::MEASURED;
use crate::model::incident::IncidentKind;
use crate::model::linked::{ModelData, World};
use crate::model::options::ScoreOptions;
use crate::model::problem::{Problem, Severity};
use crate::model::published::PublishedResults;
use crate::model::row::ScoreRow;
use crate::model::sample::TurnKind;
use crate::model::score::{ModelScores, Scores};
use crate::model::submission::OutputState;
use crate::protocol::units_with_incidents;
use crate::small::{CollectSmall, SortSmall};
use crate::tree::FileId;
use crate::view::{BenchmarkInfo, IncidentGroup, ModelSummary, Overview};

/// Files that nothing claimed, as far as the overview lists them.
const MAX_UNKNOWN: usize = 500;

/// The score rows alone.
pub fn score_rows<'s>(session: &'s mut Session, options: &ScoreOptions) -> &'s [ScoreRow] {
    session.score(options);
    &session.scores().rows
}

/// Everything that the overview shows.
pub fn overview(session: &mut Session, options: &ScoreOptions) -> Overview {
    let is_complete = session.is_complete();
    session.score(options);
    let choice = (options.judge.clone(), options.run);
    let known = session.cache.differences.as_ref();
    if is_complete && known.is_none_or(|(of, _)| *of != choice) {
        session.cache.differences = Some((choice, session.differences_of(options)));
    }
    let unknown = unknown_files(session);
    let mut problems = session.problems_of_scores();
    problems.extend(self::problems(session));
    let unread = unopened(session);
    let unstated_judges = unstated_judges(session);
    let judge_names = judge_names(session);
    let scores = session.scores();
    Overview {
        benchmark: session.benchmark_info(),
        abilities: match &session.benchmark {
            Some(_) => session.protocol.abilities().to_vec(),
            None => Vec::new(),
        },
        models: session.model_summaries(),
        profile: options.profile,
        policy: session.protocol.policy(options),
        at_hand: session.at_hand(),
        partial_judges: session.partial_judges(),
        unstated_judges,
        judge_names,
        unread,
        has_results_only: session.has_results_only(),
        criteria: session.criteria(),
        requests: session.protocol.requests(),
        scopes: scores.scopes.clone(),
        scores: scores.rows.clone(),
        row_incidents: session.row_incidents(scores),
        incidents: incident_groups(session, options),
        differences: session
            .cache
            .differences
            .as_ref()
            .map(|(_, found)| found.clone())
            .unwrap_or_default(),
        problems,
        unknown_files: unknown
            .iter()
            .take(MAX_UNKNOWN)
            .map(|file| session.tree.path(*file).to_owned())
            .collect(),
        num_unknown_files: count(unknown.len()),
        pack: session.packs[session.pack].info.clone(),
        packs: session.packs.iter().map(|pack| pack.info.clone()).collect(),
        pictures_checked: is_complete,
        formulas: session.protocol.formulas(options.profile),
        published: published(session),
        judges: session.protocol.judges(),
        measures: session.measure_counts(),
    }
}

/// What the paper prints, beside the judges at hand.
fn published(session: &Session) -> PublishedResults {
    // Rows tell more judges than units do: a mean over judges is one of its own.
    let rows = session.scores().rows.iter();
    let judges: BTreeSet<&str> = rows.map(|row| row.judge.as_str()).collect_small();
    let judges: Vec<&str> = judges.into_iter().collect();
    session.protocol.published().view(&judges)
}

fn model_summary(
    session: &Session,
    world: &World<'_>,
    model: &ModelData,
    scores: &ModelScores,
) -> ModelSummary {
    let mut found = [0; 2];
    let mut expected = [0; 2];
    for ((slot, _, _, turn), file) in world.benchmark.turns().zip(&model.submission.outputs) {
        let at = usize::from(turn.kind == TurnKind::Text);
        expected[at] += 1;
        // A picture that cannot be read is an incident, and no picture.
        let is_unreadable = model.outputs.get(slot as usize) == Some(&OutputState::Unreadable);
        found[at] += u32::from(file.is_some() && !is_unreadable);
    }
    let judges = || scores.judges.iter().filter(|judge| judge.judge != MEASURED);
    let units = || judges().flat_map(|judge| &judge.units);
    let mut reply_files: Vec<String> = model
        .submission
        .reply_files
        .iter()
        .map(|file| session.tree.path(*file).to_owned())
        .collect();
    let sources = session
        .cache
        .linked
        .as_ref()
        .map_or(&[][..], |linked| &linked.sources);
    let of_one_source = model.by_source();
    reply_files.extend(of_one_source.filter_map(|given| {
        match sources.get(given[0].origin.0 as usize)? {
            Source::Replies(_) => None,
            Source::Journal(file) => Some(session.tree.path(*file).to_owned()),
            Source::Pasted => Some("pasted".to_owned()),
        }
    }));
    ModelSummary {
        name: model.submission.name.clone(),
        path: model.submission.folder.clone(),
        mode: scores.mode.to_owned(),
        pictures: found[0],
        pictures_expected: expected[0],
        answers: found[1],
        answers_expected: expected[1],
        scored: count(units().filter(|unit| unit.incident.is_none()).count()),
        expected: count(units().count()),
        incidents: count(units_with_incidents(judges()).count()),
        judges: judges().map(|judge| judge.judge.clone()).collect(),
        reply_files,
        is_unjudged: Session::is_unjudged(model),
        unread_outputs: count(
            model
                .outputs
                .iter()
                .filter(|state| **state == OutputState::Inaccessible)
                .count(),
        ),
        has_unread_replies: model.has_unread_replies,
    }
}

fn incident_groups(session: &Session, options: &ScoreOptions) -> Vec<IncidentGroup> {
    let models = &session.scores().models;
    let count_of = |scores: &ModelScores, kind: IncidentKind| {
        let units = units_with_incidents(scores.judges.iter());
        count(units.filter(|(_, of)| *of == kind).count())
    };
    let outputs_of = |scores: &ModelScores, kind: IncidentKind| {
        let units = units_with_incidents(scores.judges.iter());
        let units = units.filter(|(_, of)| *of == kind);
        let places: HashSet<_> = units.map(|(unit, _)| (unit.sample, unit.turn)).collect();
        count(places.len())
    };
    IncidentKind::ALL
        .into_iter()
        .map(|kind| IncidentGroup {
            kind: kind.id().to_owned(),
            label: kind.label().to_owned(),
            counts_as: if kind.is_of_measure() {
                "left out".to_owned()
            } else {
                session.protocol.counts_as(kind, options).to_owned()
            },
            per_model: models.iter().map(|scores| count_of(scores, kind)).collect(),
            outputs: kind.is_of_output().then(|| {
                let models = models.iter();
                models.map(|scores| outputs_of(scores, kind)).collect()
            }),
        })
        .filter(|group| group.per_model.iter().any(|count| *count > 0))
        .collect()
}

/// Findings about the files, the gravest first, at most a hundred of each code.
pub fn problems(session: &mut Session) -> Vec<Problem> {
    session.link();
    session.settle_measures();
    let others = other_benchmarks(session);
    session.merge_ratings();
    let merged = session.rating_problems();
    let mut all: Vec<&Problem> = session.path_problems.iter().chain(&others).collect();
    all.extend(&merged);
    let closed = closed_folder_problems(session);
    all.extend(&closed);
    let leftovers = leftovers(session);
    all.extend(&leftovers);
    // Files of lesser rank were only tried; they are not at fault for being something else.
    let gravest = session
        .read
        .list_problems
        .iter()
        .map(|(rank, _)| *rank)
        .min();
    let worst_rank = match (&session.benchmark, gravest) {
        (None, Some(rank)) => rank,
        _ => 0,
    };
    let mut seen = std::collections::HashSet::new();
    all.extend(
        session
            .read
            .list_problems
            .iter()
            .filter(|(rank, problem)| *rank <= worst_rank && seen.insert(&problem.path))
            .map(|(_, problem)| problem),
    );
    all.extend(
        session
            .benchmark
            .iter()
            .flat_map(|benchmark| &benchmark.problems),
    );
    all.extend(
        session
            .read
            .ratings
            .values()
            .flat_map(|(_, _, found)| found),
    );
    all.extend(
        session
            .cache
            .measures
            .iter()
            .flat_map(|ground| &ground.problems),
    );
    all.extend(
        session
            .cache
            .linked
            .iter()
            .flat_map(|linked| &linked.problems),
    );
    all.sort_small_by_key(|problem| problem.severity);
    let mut counts = std::collections::BTreeMap::<&str, usize>::new();
    let mut shown = Vec::new();
    for problem in all {
        // What counts those that a file's reader did not keep is never left out itself.
        if problem.message.starts_with(limits::MORE) {
            shown.push(problem.clone());
            continue;
        }
        let seen = counts.entry(&problem.code).or_default();
        *seen += 1;
        if *seen <= MAX_PROBLEMS_PER_CODE {
            shown.push(problem.clone());
        }
    }
    for (code, seen) in counts
        .into_iter()
        .filter(|(_, seen)| *seen > MAX_PROBLEMS_PER_CODE)
    {
        shown.push(Problem {
            severity: Severity::Note,
            code: code.to_owned(),
            path: String::new(),
            place: String::new(),
            message: format!(
                "{} more findings like these are not listed.",
                seen - MAX_PROBLEMS_PER_CODE
            ),
            hint: String::new(),
        });
    }
    shown
}

/// Findings about folders that could not be listed.
fn closed_folder_problems(session: &Session) -> Vec<Problem> {
    let folders = session.closed_folders.iter();
    folders
            .map(|(path, message)| Problem {
                severity: Severity::Error,
                code: "unreadable_folder".to_owned(),
                path: path.clone(),
                place: String::new(),
                message: message.clone(),
                hint: "Check that the folder still exists and may be read, and open it again: until then what is expected there is left out of the scores."
                    .to_owned(),
            })
            .collect()
}

/// One line on files that systems and tools left beside the others.
fn leftovers(session: &Session) -> Option<Problem> {
    let kinds = session.tree.leftovers();
    let count: u32 = kinds.values().sum();
    let each: Vec<String> = kinds
        .iter()
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    let (files, are, they) = if count == 1 {
        ("file", "was", "it is")
    } else {
        ("files", "were", "they are")
    };
    (count > 0).then(|| Problem {
            severity: Severity::Note,
            code: "leftovers".to_owned(),
            path: String::new(),
            place: String::new(),
            message: format!(
                "{count} {files} of the operating system or of tools {are} passed over ({}): {they} never content.",
                each.join(", ")
            ),
            hint: "Nothing needs to be done. Delete them to pass on a clean folder.".to_owned(),
        })
}

/// Benchmarks that are open and not shown: a session shows one.
fn other_benchmarks(session: &mut Session) -> Vec<Problem> {
    if session.benchmark.is_none() {
        return session.read.set_aside.values().cloned().collect();
    }
    session.suggestions();
    let others = session
        .cache
        .candidates
        .iter()
        .flatten()
        .filter(|suggested| {
            suggested.candidate.rank == 0
                && Some(*suggested) != session.candidate.as_ref()
                && !session.read.refused.contains(suggested)
        });
    let mut notes: Vec<Problem> = others.map(|other| session.beside(other)).collect();
    notes.extend(session.glimpsed_beside());
    notes.extend(session.read.set_aside.values().cloned());
    notes
}

/// Listed files that nothing claimed.
pub fn unknown_files(session: &mut Session) -> Vec<FileId> {
    session.link();
    let mut is_claimed = vec![false; session.tree.len()];
    let mut claim = |file: FileId| is_claimed[file as usize] = true;
    let world = session.world();
    world.benchmark.files.iter().copied().for_each(&mut claim);
    world
        .benchmark
        .samples
        .iter()
        .flat_map(|sample| &sample.pictures)
        .filter_map(|picture| picture.file)
        .for_each(&mut claim);
    for model in world.models {
        let files = model.submission.outputs.iter().flatten();
        files
            .chain(&model.submission.reply_files)
            .chain(&model.submission.known_files)
            .copied()
            .for_each(&mut claim);
    }
    session
        .read
        .prompt_texts
        .keys()
        .chain(session.read.journals.keys())
        .chain(session.read.ratings.keys())
        .chain(session.read.trajectories.keys())
        .chain(session.read.measures.keys())
        .copied()
        .for_each(&mut claim);
    session
        .tree
        .files()
        .filter(|(file, _)| !is_claimed[*file as usize])
        .map(|(file, _)| file)
        .collect()
}

impl Session {
    pub(super) fn score(&mut self, options: &ScoreOptions) {
        self.link();
        if self
            .cache
            .scores
            .as_ref()
            .is_some_and(|(known, _)| known == options)
        {
            return;
        }
        self.settle_measures();
        let scores = self.scores_of(options);
        self.cache.scores = Some((options.clone(), scores));
    }

    pub(super) fn scores(&self) -> &Scores {
        static EMPTY: std::sync::OnceLock<Scores> = std::sync::OnceLock::new();
        self.cache
            .scores
            .as_ref()
            .map_or_else(|| EMPTY.get_or_init(Scores::default), |(_, scores)| scores)
    }

    pub(super) fn benchmark_info(&self) -> Option<BenchmarkInfo> {
        let benchmark = self.world().benchmark;
        if benchmark.samples.is_empty() {
            return None;
        }
        let turns = |kind: TurnKind| {
            count(
                benchmark
                    .turns()
                    .filter(|(_, _, _, turn)| turn.kind == kind)
                    .count(),
            )
        };
        let pictures = || benchmark.samples.iter().flat_map(|sample| &sample.pictures);
        Some(BenchmarkInfo {
            protocol: self.protocol.id().to_owned(),
            title: self.protocol.title().to_owned(),
            words: self.protocol.words(),
            // Of a benchmark of many files no single one stands for it.
            path: match benchmark.list {
                Some(list) if benchmark.files.len() < 2 || benchmark.folder.is_empty() => {
                    self.tree.path(list).to_owned()
                }
                Some(_) => format!("{}/", benchmark.folder),
                None => String::new(),
            },
            samples: count(benchmark.samples.len()),
            unreadable_samples: benchmark.num_unreadable,
            picture_turns: turns(TurnKind::Image),
            text_turns: turns(TurnKind::Text),
            pictures: count(pictures().count()),
            missing_pictures: count(pictures().filter(|picture| picture.file.is_none()).count()),
        })
    }

    pub(super) fn model_summaries(&self) -> Vec<ModelSummary> {
        let world = self.world();
        world
            .models
            .iter()
            .zip(&self.scores().models)
            .map(|(model, scores)| model_summary(self, &world, model, scores))
            .collect()
    }

    /// Findings about the scores in force: where the authors' script would write no result at all.
    pub(super) fn problems_of_scores(&self) -> Vec<Problem> {
        let world = self.world();
        let pairs = world.models.iter().zip(&self.scores().models);
        let mut problems = problems_of_standing(self);
        let stopped = pairs.flat_map(|(model, scores)| {
            scores
                .judges
                .iter()
                .filter_map(move |judge| Some((model, judge.stopped.clone()?)))
        });
        let no_result = stopped.map(|(model, message)| Problem {
            severity: Severity::Error,
            code: "no_result".to_owned(),
            path: model
                .submission
                .reply_files
                .first()
                .map_or(model.submission.name.as_str(), |file| self.tree.path(*file))
                .to_owned(),
            place: String::new(),
            message: format!(
                "{} has no scores under this policy. {message}",
                model.submission.name
            ),
            hint: "Judge that turn again, or choose another policy.".to_owned(),
        });
        problems.extend(no_result);
        problems.sort_small_by_key(|problem| problem.severity);
        problems
    }
}
