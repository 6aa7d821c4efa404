//! Whose records count for whom, as [`juror_model::trust`] says it: what a file in a model's folder says about others, and
//! replies that contradict earlier ones.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::linked::{Linked, Source};
use super::state::Session;
use juror_model::compact::Index;
use juror_model::linked::LinkedReply;
use juror_model::options::Profile;
use juror_model::problem::{Problem, Severity};
use juror_model::reply::{Fault, Readings, Verdict};
use juror_model::tree::FileId;
use juror_model::trust::{FileKind, Owners};
use juror_statistics::small::SortSmall;

/// Models that a finding names.
const MAX_NAMED: usize = 3;

/// The models that a file may speak for.
#[derive(Debug)]
pub(super) enum AllowedModels<'a> {
    /// Every one: the file lies in no model's folder.
    All,
    /// Those whose folder it lies in.
    Only(Vec<&'a str>),
}

impl<'a> AllowedModels<'a> {
    pub(super) fn of(owners: &'a Owners, path: &str) -> Self {
        owners.heard(path).map_or(Self::All, Self::Only)
    }

    pub(super) fn includes(&self, model: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.contains(&model),
        }
    }
}

fn problem_of_unheard(
    session: &Session,
    owners: &Owners,
    file: FileId,
    number: usize,
    names: &BTreeSet<&str>,
) -> Option<Problem> {
    let path = session.loader.tree.path(file);
    let folder = owners.folder_of(path).filter(|_| number > 0)?;
    let mut named: Vec<&str> = names.iter().copied().take(MAX_NAMED).collect();
    if names.len() > MAX_NAMED {
        named.push("…");
    }
    let are = if number == 1 {
        "record is"
    } else {
        "records are"
    };
    Some(Problem::new(
        path,
        ("foreign_records", Severity::Warning),
        String::new(),
        format!(
            "{number} {are} about other models ({}) than the one whose folder {folder} is, and do not count.",
            named.join(", ")
        ),
        "A file in a model's folder counts for that model alone. If these are meant to count, put the file beside the models' folders.",
    ))
}

/// Both readings of a verdict as bits: what is no number equals itself.
type Bits = [Result<Vec<u64>, Fault>; 2];

fn bits(verdict: &Verdict) -> Bits {
    [Profile::Paper, Profile::Released].map(|profile| {
        let numbers = verdict.of(profile)?;
        Ok(numbers.iter().map(|x| x.to_bits()).collect())
    })
}

/// The file that a source is; empty for what was pasted.
fn path_of(session: &Session, source: Source) -> String {
    match source {
        Source::Replies(file) | Source::Journal(file) => session.loader.tree.path(file).to_owned(),
        Source::Pasted | Source::Rated => String::new(),
    }
}

impl Session {
    /// The models that a file may speak for, once everything is linked.
    pub(super) fn heard(&self, file: FileId) -> AllowedModels<'_> {
        let linked = self.data.cache.linked.as_ref();
        linked.map_or(AllowedModels::All, |linked| {
            AllowedModels::of(&linked.owners, self.loader.tree.path(file))
        })
    }

    /// Journals in the order in which the first readable reply of a run counts: those of no model before those in a model's own
    /// folder, each by path, so that neither a submission nor the order of opening decides which one that is.
    pub(super) fn journals(&self, owners: &Owners) -> Vec<FileId> {
        let mut files: Vec<(bool, &str, FileId)> = Vec::new();
        for file in self.loader.read.journals.keys() {
            let path = self.loader.tree.path(*file);
            files.push((owners.heard(path).is_some(), path, *file));
        }
        files.sort_small();
        files.into_iter().map(|(.., file)| file).collect()
    }

    /// The models that a file's records are about, one for each record.
    fn models_in(&self, kind: FileKind, file: FileId) -> Vec<Cow<'_, str>> {
        let read = &self.loader.read;
        match kind {
            FileKind::Journal => {
                let records = read.journals.get(&file).into_iter();
                let records = records.flat_map(|(_, journal)| journal.records.iter());
                let own = records.filter(|(_, one)| one.protocol == self.loader.protocol.id());
                own.map(|(_, one)| Cow::from(one.model)).collect()
            }
            FileKind::Ratings => {
                let ratings = read.ratings.get(&file).into_iter();
                let ratings = ratings.flat_map(|(_, ratings, _)| ratings);
                ratings.map(|one| Cow::from(&one.model)).collect()
            }
            FileKind::Labels => {
                let labels = read.labels.get(&file).into_iter();
                let labels = labels.flat_map(|(labels, _)| labels);
                labels.map(|one| Cow::from(&one.model)).collect()
            }
            FileKind::Measures => {
                let measures = read.measures.get(&file).into_iter();
                let records = measures.flat_map(|(_, measures)| &measures.records);
                records.map(|(_, one)| Cow::from(&one.model)).collect()
            }
            FileKind::Trajectories => {
                let records = read.trajectories.get(&file).into_iter();
                let records = records.flat_map(|file| &file.records);
                records.map(|one| one.set.model(one.step).into()).collect()
            }
            FileKind::List
            | FileKind::Declaration
            | FileKind::JudgeTexts
            | FileKind::Outputs
            | FileKind::Replies
            | FileKind::Conditions
            | FileKind::Variant
            | FileKind::Manifest => Vec::new(),
        }
    }

    /// Names the files in models' folders that speak about other models.
    pub(super) fn tell_unheard(&self, linked: &mut Linked) {
        let of_kind = |kind: FileKind| {
            let files = self.loader.files_of(kind);
            files.map(move |file| (file, self.models_in(kind, file)))
        };
        let kinds = FileKind::ALL.into_iter().filter(|kind| kind.names_models());
        let mut files: Vec<(FileId, Vec<Cow<'_, str>>)> = kinds.flat_map(of_kind).collect();
        files.sort_small_by_key(|(file, _)| self.loader.tree.path(*file));
        let mut found = Vec::new();
        for (file, models) in &files {
            let heard = AllowedModels::of(&linked.owners, self.loader.tree.path(*file));
            let models = models.iter().map(|model| &**model);
            let unheard: Vec<&str> = models.filter(|model| !heard.includes(model)).collect();
            let names = unheard.iter().copied().collect();
            found.extend(problem_of_unheard(
                self,
                &linked.owners,
                *file,
                unheard.len(),
                &names,
            ));
        }
        linked.problems.extend(found);
    }

    /// Names replies that read differently from an earlier one to the same question.
    pub(super) fn find_conflicts(&self, linked: &mut Linked) {
        let mut found: BTreeMap<(String, String), (u32, u32)> = BTreeMap::new();
        for model in &linked.models {
            let mut first = HashMap::<Question, &LinkedReply>::with_capacity(model.given.len());
            for given in model.given.iter() {
                if given.readings.paper().is_err() && given.readings.released().is_err() {
                    continue;
                }
                let Some(asked) = question(given) else {
                    continue;
                };
                let stands = *first.entry(asked).or_insert(given);
                let reads = |one: &LinkedReply| -> (Readings, Option<Bits>) {
                    let verdict = one.verdict.get();
                    let verdict = verdict.and_then(|at| model.verdicts.get(at as usize));
                    (one.readings, verdict.map(bits))
                };
                if std::ptr::eq(stands, given) || reads(stands) == reads(given) {
                    continue;
                }
                let path = path_of(self, linked.sources[given.origin.0 as usize]);
                let number = found
                    .entry((path, model.submission.name.clone()))
                    .or_insert((0, given.line));
                number.0 += 1;
            }
        }
        linked.problems.extend(found.into_iter().map(
            |((path, model), (number, line))| {
                let message = match number {
                    1 => format!("A reply about {model} reads differently from an earlier one to the same question."),
                    _ => format!("{number} replies about {model} read differently from earlier ones to the same questions."),
                };
                Problem::new(
                    &path,
                    ("conflicting_reply", Severity::Warning),
                    format!("line {line}"),
                    message,
                    "The first readable reply counts, in the order of the files' paths. Remove the one that is not meant, or give it a run of its own.",
                )
            },
        ));
    }
}

/// Sample, slot and turn; criterion, judge and run.
type Question = [u64; 3];

/// What a reply answers, in numbers that are hashed at once; `None` where the benchmark has no such sample.
fn question(given: &LinkedReply) -> Option<Question> {
    let absent = |index: Index| u64::from(index.get().unwrap_or(u32::MAX));
    let place = u64::from(given.sample.get()?) << 32 | absent(given.slot);
    let judged = u64::from(given.criterion) << 16 | u64::from(given.judge);
    Some([
        place,
        absent(given.turn),
        judged << 32 | u64::from(given.run),
    ])
}
