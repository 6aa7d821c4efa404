//! The overview: means, incidents, findings, and what was found of benchmark and models.

use crate::naming::judge_names;
use crate::naming::unstated_judges;
use crate::standing::is_unjudged;
use crate::standing::partial_judges;
use crate::standing::problems_of_standing;
use crate::standing::unopened;
use crate::study::{LinkedSession, Study};
use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::count;
use super::linked::Source;
use super::notices::misnamed_files;
use super::rating::stray_ratings;
use super::state::Session;
use crate::measure::MEASURED;
use crate::view::{IncidentGroup, Overview};
use juror_model::incident::IncidentKind;
use juror_model::linked::{ModelData, World};
use juror_model::options::ScoreOptions;
use juror_model::problem::{Problem, Severity};
use juror_model::published::PublishedResults;
use juror_model::row::ScoreRow;
use juror_model::sample::TurnKind;
use juror_model::score::ModelScores;
use juror_model::submission::OutputState;
use juror_model::summary::{BenchmarkInfo, ModelSummary};
use juror_model::terms::Difference;
use juror_model::tree::{self, FileId, folders_around, parent};
use juror_model::trust::FileKind;
use juror_protocols::recognition::Suggested;
use juror_protocols::units_with_incidents;
use juror_reading::count::counted;
use juror_reading::limits;
use juror_statistics::clusters::Interval;
use juror_statistics::small::{CollectSmall, SortSmall};

/// Problems of one code that are listed one by one.
const MAX_PROBLEMS_PER_CODE: usize = limits::FINDINGS_PER_FILE;

/// Files that nothing claimed, as far as the overview lists them.
const MAX_UNKNOWN: usize = 500;

/// Only the score rows.
pub fn score_rows<'s>(study: &Study<'s>) -> &'s [ScoreRow] {
    &study.scores().rows
}

/// What differs between paper and code; none before every file was read.
fn differences(study: &Study<'_>) -> Vec<Difference> {
    let options = study.options();
    let choice = (options.judge.clone(), options.run);
    let kept = &study.data.cache.differences;
    let known = kept.take().filter(|(of, _)| *of == choice);
    let made = || (choice, study.differences_of(options));
    let Some(known) = known.or_else(|| study.is_complete().then(made)) else {
        return Vec::new();
    };
    let found = known.1.clone();
    kept.put(known);
    found
}

/// Everything that the overview shows.
pub fn overview(study: &Study<'_>) -> Overview {
    let options = study.options();
    let is_complete = study.is_complete();
    let differences = differences(study);
    let unknown = unknown_files(study);
    let mut problems = study.problems_of_scores();
    let of_files = self::problems(study);
    let notices = (study.findings.notices)(study, &of_files);
    problems.extend(of_files);
    let unread = unopened(study);
    let unstated_judges = unstated_judges(study);
    let judge_names = judge_names(study);
    let scores = study.scores();
    Overview {
        benchmark: study.benchmark_info(),
        abilities: match &study.loader.benchmark {
            Some(_) => study.loader.protocol.abilities().to_vec(),
            None => Vec::new(),
        },
        models: study.model_summaries(),
        profile: options.profile,
        policy: study.loader.protocol.policy(options),
        reading: options.reading(),
        tolerance: (study.tolerating.counts)(study),
        at_hand: study.at_hand(),
        partial_judges: partial_judges(study),
        unstated_judges,
        judge_names,
        unread,
        has_results_only: study.has_results_only(),
        criteria: study.criteria(),
        requests: study.loader.protocol.requests(),
        scopes: scores.scopes.clone(),
        scores: scores.rows.clone(),
        row_incidents: study.row_incidents(scores),
        incidents: incident_groups(study, options),
        differences,
        notices,
        problems,
        unknown_files: unknown
            .iter()
            .take(MAX_UNKNOWN)
            .map(|file| study.loader.tree.path(*file).to_owned())
            .collect(),
        num_unknown_files: count(unknown.len()),
        pack: study.loader.packs[study.loader.pack].info.clone(),
        packs: study
            .loader
            .packs
            .iter()
            .map(|pack| pack.info.clone())
            .collect(),
        pack_words: (study.loader.packs.iter())
            .map(|pack| pack.info.words())
            .collect(),
        pictures_checked: is_complete,
        formulas: study.loader.protocol.formulas(options.profile),
        published: published(study),
        judges: study.loader.protocol.judges(),
        measures: study.data.measure_counts(),
    }
}

/// The paper's figures, with the available judges.
fn published(session: &Session) -> PublishedResults {
    // Rows tell more judges than units do: a mean over judges is one of its own.
    let rows = session.data.scores().rows.iter();
    let judges: BTreeSet<&str> = rows.map(|row| row.judge.as_str()).collect_small();
    let judges: Vec<&str> = judges.into_iter().collect();
    session.loader.protocol.published().view(&judges)
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
        .map(|file| session.loader.tree.path(*file).to_owned())
        .collect();
    let sources = session
        .data
        .cache
        .linked
        .as_ref()
        .map_or(&[][..], |linked| &linked.sources);
    let of_one_source = model.by_source();
    reply_files.extend(of_one_source.filter_map(|given| {
        match sources.get(given[0].origin.0 as usize)? {
            Source::Replies(_) | Source::Rated => None,
            Source::Journal(file) => Some(session.loader.tree.path(*file).to_owned()),
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
        is_unjudged: is_unjudged(model),
        unrecognised_answers: count(model.submission.unrecognised.len()),
        kind_is_stated: model.kind.is_some(),
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
    let models = &session.data.scores().models;
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
                session.loader.protocol.counts_as(kind, options).to_owned()
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
pub fn problems(session: &LinkedSession<'_>) -> Vec<Problem> {
    let others = other_benchmarks(session);
    let merged = session.data.rating_problems();
    let mut all: Vec<&Problem> = session.loader.path_problems.iter().chain(&others).collect();
    all.extend(&merged);
    let stray = stray_ratings(session);
    all.extend(&stray);
    let closed = closed_folder_problems(session);
    all.extend(&closed);
    let leftovers = leftovers(session);
    all.extend(&leftovers);
    let twins = twin_folders(session);
    all.extend(&twins);
    let beside = heard_beside_models(session);
    all.extend(&beside);
    let misnamed = misnamed_files(session);
    all.extend(&misnamed);
    let of_journals = (session.findings.journals)(session);
    all.extend(&of_journals);
    // Files of lesser rank were only tried; they are not at fault for being something else.
    let gravest = session
        .loader
        .read
        .list_problems
        .iter()
        .map(|(rank, _)| *rank)
        .min();
    let worst_rank = match (&session.loader.benchmark, gravest) {
        (None, Some(rank)) => rank,
        _ => 0,
    };
    let mut seen = std::collections::HashSet::new();
    all.extend(
        session
            .loader
            .read
            .list_problems
            .iter()
            .filter(|(rank, problem)| *rank <= worst_rank && seen.insert(&problem.path))
            .map(|(_, problem)| problem),
    );
    all.extend(
        session
            .loader
            .benchmark
            .iter()
            .flat_map(|benchmark| &benchmark.problems),
    );
    all.extend(
        session
            .loader
            .read
            .ratings
            .values()
            .flat_map(|(_, _, found)| found),
    );
    all.extend(session.label_problems());
    all.extend(
        session
            .data
            .cache
            .measures
            .iter()
            .flat_map(|inputs| &inputs.problems),
    );
    all.extend(
        session
            .data
            .cache
            .linked
            .iter()
            .flat_map(|linked| &linked.problems),
    );
    all.sort_small_by_key(|problem| problem.severity);
    listed(all)
}

/// Findings in their order, of each code no more than a list has room for, and how many more there are.
fn listed(all: Vec<&Problem>) -> Vec<Problem> {
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
    let folders = session.loader.closed_folders.iter();
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

/// A line on folders that look as if they were called alike.
fn twin_folders(session: &Session) -> Option<Problem> {
    let twins = session.loader.tree.twins();
    let first = twins.first()?;
    Some(Problem::new(
        first,
        ("twin_folders", Severity::Warning),
        String::new(),
        format!(
            "{} from another one by the form of a letter alone, such as é in one sign or as e and its accent: they are kept apart.",
            counted(twins.len(), "folder differs", "folders differ"),
        ),
        "If they are one folder, move all into one of them; else give one another name.",
    ))
}

/// A note on each folder beside the models' that is no model's and whose records speak of any model; what was opened by itself
/// is meant so.
fn heard_beside_models(session: &Session) -> Vec<Problem> {
    let loader = &session.loader;
    let models = loader.submissions.as_deref().unwrap_or_default();
    let around: BTreeSet<&str> = (models.iter())
        .map(|model| model.folder.as_str())
        .map(parent)
        .filter(|folder| !folder.is_empty())
        .collect();
    let Some(owners) = session.data.owners() else {
        return Vec::new();
    };
    let of_records = FileKind::ALL.into_iter().filter(|kind| kind.names_models());
    let files = of_records.flat_map(|kind| loader.files_of(kind));
    let mut found: BTreeMap<&str, &str> = BTreeMap::new();
    for path in files.map(|file| loader.tree.path(file)) {
        let folder = folders_around(path).find(|folder| around.contains(parent(folder)));
        if let Some(folder) = folder.filter(|_| owners.folder_of(path).is_none()) {
            let first = found.entry(folder).or_insert(path);
            *first = path.min(first);
        }
    }
    let note = |(folder, path): (&str, &str)| {
        Problem::new(
            path,
            ("heard_beside_models", Severity::Note),
            String::new(),
            format!(
                "This counts for every model that it names: its folder, {folder}, is beside the models' folders and holds no outputs, so it is no model's."
            ),
            "If the folder was sent in as a model's, take the file out: it may speak for nobody else.",
        )
    };
    found.into_iter().map(note).collect()
}

/// A line on files that systems and tools left among the others, and one on copies.
fn leftovers(session: &Session) -> Vec<Problem> {
    let kinds = session.loader.tree.leftovers();
    let passed_over = |kind: &str, code: &str, place: &str, hint: &str| {
        let count = kinds.get(kind).copied().filter(|count| *count > 0)?;
        let message = format!(
            "{} passed over that {} in {place}.",
            counted(count, "file is", "files are"),
            if count == 1 { "lies" } else { "lie" }
        );
        let warning = (code, Severity::Warning);
        Some(Problem::new("", warning, String::new(), message, hint))
    };
    let copies = passed_over(
        tree::COPIES,
        "copies",
        "“Copy of …”, “Kopie von …” or the like, as Google Drive calls copies",
        "If it is no copy of something that is open, give it its own name.",
    );
    let hidden = passed_over(
        tree::HIDDEN,
        "hidden_folders",
        "hidden folders, whose names begin with a full stop",
        "If they are outputs or replies, give the folder a name without it, or open it alone.",
    );
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
    let others = (count > 0).then(|| Problem {
            severity: Severity::Note,
            code: "leftovers".to_owned(),
            path: String::new(),
            place: String::new(),
            message: format!(
                "{count} {files} of the operating system or of tools {are} passed over ({}): {they} never content.",
                each.join(", ")
            ),
            hint: "Nothing needs to be done. Delete them to pass on a clean folder.".to_owned(),
        });
    let models = session.loader.copied_models.iter().map(|copy| {
        let original = &copy.original;
        let (message, hint) = if copy.is_link {
            (
                format!(
                    "This is a link to {original} and no model of its own: the files are the same."
                ),
                "Open one of the two alone.",
            )
        } else {
            (
                format!("The folder is called a copy of {original} and is no model of its own."),
                "If it is another model, give it another name.",
            )
        };
        let kind = ("copied_model", Severity::Warning);
        Problem::new(&copy.folder, kind, String::new(), message, hint)
    });
    others
        .into_iter()
        .chain(copies)
        .chain(hidden)
        .chain(models)
        .collect()
}

/// Benchmarks that are open and not shown: a session shows one.
fn other_benchmarks(session: &LinkedSession<'_>) -> Vec<Problem> {
    if session.loader.benchmark.is_none() {
        return session.loader.read.set_aside.values().cloned().collect();
    }
    let others = session
        .loader
        .candidates
        .iter()
        .flatten()
        .filter(|suggested| {
            suggested.candidate.rank == 0
                && Some(*suggested) != session.loader.candidate.as_ref()
                && !session.loader.read.refused.contains(suggested)
        });
    let owners = session.data.owners();
    let beside = |other: &Suggested| {
        let path = session.loader.tree.path(other.candidate.list);
        let folder = owners.and_then(|owners| owners.folder_of(path));
        session.loader.beside(other, folder)
    };
    let mut notes: Vec<Problem> = others.map(beside).collect();
    notes.extend(session.loader.glimpsed_beside());
    notes.extend(session.loader.read.set_aside.values().cloned());
    notes
}

/// Listed files that nothing claimed.
pub fn unknown_files(session: &LinkedSession<'_>) -> Vec<FileId> {
    session.loader.unclaimed(session.world().benchmark)
}

impl Session {
    pub(super) fn score(&mut self, options: &ScoreOptions) {
        self.read_as(options);
        self.seat(options.judge.as_deref().unwrap_or_default());
        if self
            .data
            .cache
            .scores
            .as_ref()
            .is_some_and(|(known, _)| known == options)
        {
            return;
        }
        self.settle_measures();
        let mut scores = self.scores_of(options);
        self.cut_intervals(&mut scores.rows);
        self.data.cache.scores = Some((options.clone(), scores));
    }

    /// Cuts the intervals of means at the ends of their scales.
    fn cut_intervals(&self, rows: &mut [ScoreRow]) {
        let protocol = &*self.loader.protocol;
        for info in protocol.criteria() {
            if !protocol.is_bounded(&info.id) {
                continue;
            }
            let ends = [info.min * info.scale, info.max * info.scale];
            for row in rows.iter_mut().filter(|row| row.criterion == info.id) {
                let of_row = row.mean.zip(row.ci_low.zip(row.ci_high));
                let Some((mean, (low, high))) = of_row else {
                    continue;
                };
                let cut = Interval { low, high }.within(mean, ends);
                (row.ci_low, row.ci_high) = (Some(cut.low), Some(cut.high));
            }
        }
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
            protocol: self.loader.protocol.id().to_owned(),
            title: self.loader.protocol.title().to_owned(),
            words: self.loader.protocol.words(),
            // A benchmark of many files has no single file that represents it.
            path: match benchmark.list {
                Some(list) if benchmark.files.len() < 2 || benchmark.folder.is_empty() => {
                    self.loader.tree.path(list).to_owned()
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
            .zip(&self.data.scores().models)
            .map(|(model, scores)| model_summary(self, &world, model, scores))
            .collect()
    }

    /// Findings about the scores in force: where the authors' script would write no result at all.
    pub(super) fn problems_of_scores(&self) -> Vec<Problem> {
        let world = self.world();
        let pairs = world.models.iter().zip(&self.data.scores().models);
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
                .map_or(model.submission.name.as_str(), |file| {
                    self.loader.tree.path(*file)
                })
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
