//! What could change a number, for every host in the same lines; beside the findings about files, kinds that only counts show.

use std::collections::BTreeMap;

use juror_reading::count::counted;

use super::overview::{problems, unknown_files};
use super::state::Session;
use juror_model::linked::ModelData;
use juror_model::problem::{Notice, Problem, Severity, in_short};
use juror_model::submission::OutputState;
use juror_model::tree::{base_name, is_picture, without_end};

/// Endings of files that may hold results, lists or tables.
const DATA: [&str; 16] = [
    "json", "jsonl", "ndjson", "csv", "tsv", "xlsx", "parquet", "yaml", "yml", "pkl", "zip", "tar",
    "gz", "tgz", "7z", "rar",
];
/// Files that belong to a program rather than to data.
const OF_PROGRAMS: [&str; 6] = [
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "config.json",
    "dataset_info.json",
    "index.json",
];

/// One line for each kind of finding that could change a number: for reports, the page and every command.
pub fn notices(session: &mut Session) -> Vec<Notice> {
    let found = problems(session);
    of_problems(session, &found)
}

/// The same, where the findings about files are known.
pub(super) fn of_problems(session: &mut Session, found: &[Problem]) -> Vec<Notice> {
    let unread = unread_files(session);
    in_short(found.iter().chain(&unread))
}

/// Files in the folders of models that look like outputs or a judge's texts and have no name that is asked for.
pub(super) fn misnamed_files(session: &Session) -> Vec<Problem> {
    let of_model = |model: &ModelData| {
        let lacks =
            |state: &OutputState| matches!(state, OutputState::Missing | OutputState::NotGiven);
        let lacks_outputs = model.outputs.iter().any(lacks);
        let is_meant = |path: &&str| {
            let is_text = without_end(path, ".txt")
                .is_some_and(|stem| base_name(stem).contains(|c: char| c.is_ascii_digit()));
            is_text || lacks_outputs && is_picture(path)
        };
        let submission = &model.submission;
        let others = submission.extra_files.iter();
        let others = others.filter(|file| !submission.unrecognised.contains(file));
        let paths: Vec<&str> = others
            .map(|file| session.loader.tree.path(*file))
            .filter(is_meant)
            .collect();
        let (first, _) = paths.split_first()?;
        let number = counted(paths.len(), "file of", "files of");
        let verb = if paths.len() == 1 { "has" } else { "have" };
        Some(Problem::new(
            first,
            ("misnamed_files", Severity::Warning),
            String::new(),
            format!(
                "{number} {} {verb} no name that the benchmark asks for: neither outputs nor replies.",
                submission.name
            ),
            "See juror lint, which suggests names.",
        ))
    };
    session.data.models().iter().filter_map(of_model).collect()
}

/// Files of data that nothing was read from.
fn unread_files(session: &mut Session) -> Option<Problem> {
    session.loader.benchmark.as_ref()?;
    let files = unknown_files(session);
    let is_data = |path: &&str| {
        let name = base_name(path).to_ascii_lowercase();
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        DATA.contains(&ending) && !OF_PROGRAMS.contains(&name.as_str()) && !name.starts_with('.')
    };
    let paths = files.iter().map(|file| session.loader.tree.path(*file));
    let paths: Vec<&str> = paths.filter(is_data).collect();
    let (first, more) = paths.split_first()?;
    let message = if more.is_empty() {
        "Nothing was read from this file.".to_owned()
    } else {
        format!(
            "Nothing was read from this file and {} of data.",
            counted(more.len(), "other file", "other files")
        )
    };
    Some(Problem::new(
        first,
        ("unread_files", Severity::Warning),
        String::new(),
        message,
        "If results or ratings are in it, check its form and its name.",
    ))
}

impl Session {
    /// Journals of other benchmarks, and models of which there are replies alone while others have outputs alone.
    pub(super) fn problems_of_journals(&self) -> Vec<Problem> {
        let own = self.loader.protocol.id();
        let mut found = Vec::new();
        let mut files: Vec<_> = self.loader.read.journals.iter().collect();
        files.sort_by_key(|(file, _)| self.loader.tree.path(**file));
        for (file, (_, journal)) in files {
            let mut others: BTreeMap<&str, usize> = BTreeMap::new();
            for (_, record) in &journal.records {
                if record.protocol != own && !journal.is_batch {
                    *others.entry(&record.protocol).or_default() += 1;
                }
            }
            found.extend(others.into_iter().map(|(protocol, count)| {
                let message = format!(
                    "{} of {protocol}, not of {own}, and {} not count.",
                    counted(count, "record is", "records are"),
                    if count == 1 { "does" } else { "do" }
                );
                let hint = "Open the benchmark that the judging was for.";
                let path = self.loader.tree.path(*file);
                Problem::new(
                    path,
                    ("foreign_journal", Severity::Warning),
                    String::new(),
                    message,
                    hint,
                )
            }));
        }
        found.extend(self.renamed_models());
        found
    }

    /// Models with outputs and no reply beside models with replies and no output: a folder may have been renamed.
    fn renamed_models(&self) -> Option<Problem> {
        let models = self
            .data
            .cache
            .linked
            .as_ref()
            .map_or(&[][..], |linked| &linked.models);
        let has_outputs = |submission: &juror_model::submission::Submission| {
            submission.outputs.iter().any(Option::is_some)
        };
        let is_named_only =
            |submission: &juror_model::submission::Submission| submission.folder.is_empty();
        let mute = models
            .iter()
            .filter(|model| model.given.is_empty() && has_outputs(&model.submission));
        let bodiless = models.iter().filter(|model| {
            !model.given.is_empty()
                && is_named_only(&model.submission)
                && !has_outputs(&model.submission)
        });
        let mute: Vec<&str> = mute.map(|model| model.submission.name.as_str()).collect();
        let bodiless: Vec<&str> = bodiless
            .map(|model| model.submission.name.as_str())
            .collect();
        let (first, other) = (bodiless.first()?, mute.first()?);
        let message = format!(
            "There are replies about {}, of which no folder is open, and outputs of {}, about which there are no replies.",
            named(&bodiless),
            named(&mute)
        );
        let hint = format!(
            "If {other} is {first} under another name, give the folder the name that the replies have."
        );
        Some(Problem::new(
            "",
            ("renamed_model", Severity::Warning),
            String::new(),
            message,
            &hint,
        ))
    }
}

/// The first names, and how many more there are.
fn named(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [one, more @ ..] => format!(
            "{one} and {}",
            counted(more.len(), "other model", "other models")
        ),
    }
}
