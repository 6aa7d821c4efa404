//! Lists all that could change a number, in the same lines for every host: findings about files, and kinds that only counts show.

use crate::study::LinkedSession;
use std::collections::{BTreeMap, HashSet};

use juror_reading::count::counted;

use super::loader::{is_opened_alone, may_be_journal, may_be_ratings};
use super::overview::{problems, unknown_files};
use super::state::Session;
use juror_evidence::pack::{MANIFEST, REPORT, REQUESTS, VERDICTS};
use juror_model::linked::ModelData;
use juror_model::problem::{Notice, Problem, Severity, in_short};
use juror_model::submission::OutputState;
use juror_model::tree::{
    FileId, UnreadFormat, base_name, has_ending, is_picture, join, loose_name, parent,
    unread_format, without_backup_end, without_end,
};

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

/// Endings that editors, browsers and people put behind a name or in place of its ending.
const PLAIN: [&str; 9] = [
    "txt", "text", "log", "md", "bak", "old", "orig", "save", "backup",
];
/// Endings of files that have not come whole.
const UNFINISHED: [&str; 8] = [
    "part",
    "partial",
    "crdownload",
    "download",
    "opdownload",
    "icloud",
    "aria2",
    "filepart",
];
/// How names of files of replies begin.
const OF_REPLIES: [&str; 5] = ["metrics", "journal", "replies", "ratings", "verdicts"];

/// One line for each kind of finding that could change a number: for reports, the page and every command.
pub fn notices(session: &LinkedSession<'_>) -> Vec<Notice> {
    let found = problems(session);
    of_problems(session, &found)
}

/// The same, where the findings about files are known.
pub(super) fn of_problems(session: &LinkedSession<'_>, found: &[Problem]) -> Vec<Notice> {
    let unread = unread_files(session);
    in_short(found.iter().chain(&unread))
}

/// Files in the folders of models that look like outputs or a judge's texts and have no name that is asked for, and those of
/// formats that are not read.
pub(super) fn misnamed_files(session: &Session) -> Vec<Problem> {
    let of_model = |model: &ModelData| {
        if model.submission.extra_files.is_empty() {
            return Vec::new();
        }
        let missing = missing_names(session, model);
        let is_meant = |path: &&str| {
            let is_text = without_end(path, ".txt")
                .is_some_and(|stem| base_name(stem).contains(|c: char| c.is_ascii_digit()));
            let has_name = || {
                let is_plain = !has_ending(path) || unread_format(path).is_some();
                is_plain && missing.contains(&loose_name(path))
            };
            let is_of_format = unread_format(path) == Some(UnreadFormat::Picture);
            let is_of_picture = is_picture(without_backup_end(path));
            is_text || !missing.is_empty() && (is_of_picture || is_of_format || has_name())
        };
        let submission = &model.submission;
        let others = submission.extra_files.iter();
        let others = others.filter(|file| !submission.unrecognised.contains(file));
        let paths = others.map(|file| session.loader.tree.path(*file));
        let (unread, misnamed): (Vec<&str>, Vec<&str>) = paths
            .filter(is_meant)
            .partition(|path| unread_format(path).is_some());
        let name = &submission.name;
        let of_names = misnamed
            .first()
            .map(|first| misnamed_problem(first, misnamed.len(), name));
        let of_formats = unread
            .first()
            .map(|first| unread_problem(first, unread.len(), name));
        of_names.into_iter().chain(of_formats).collect()
    };
    session.data.models().iter().flat_map(of_model).collect()
}

/// What the outputs are called that a model lacks, as far as names mean the same.
fn missing_names(session: &Session, model: &ModelData) -> HashSet<String> {
    let lacks = |state: &OutputState| matches!(state, OutputState::Missing | OutputState::NotGiven);
    let turns = session.world().benchmark.turns().zip(model.outputs.iter());
    let missing = turns.filter(|(_, state)| lacks(state));
    missing
        .map(|((.., turn), _)| loose_name(&turn.output_name))
        .collect()
}

fn misnamed_problem(first: &str, count: usize, model: &str) -> Problem {
    let number = counted(count, "file of", "files of");
    let verb = if count == 1 { "has" } else { "have" };
    Problem::new(
        first,
        ("misnamed_files", Severity::Warning),
        String::new(),
        format!(
            "{number} {model} {verb} no name that the benchmark asks for: neither outputs nor replies."
        ),
        "See juror lint, which suggests names.",
    )
}

fn unread_problem(first: &str, count: usize, model: &str) -> Problem {
    let (number, verb) = (
        counted(count, "file of", "files of"),
        if count == 1 { "is" } else { "are" },
    );
    Problem::new(
        first,
        ("unread_formats", Severity::Warning),
        String::new(),
        format!("{number} {model} {verb} of a format that is not read, while outputs are missing."),
        super::lint::CONVERT,
    )
}

/// Files of data that nothing was read from: under names of data, under other names, unfinished and empty.
fn unread_files(session: &LinkedSession<'_>) -> Vec<Problem> {
    if session.loader.benchmark.is_none() {
        return Vec::new();
    }
    let files = unknown_files(session);
    let owners = session.data.owners();
    let is_in_a_model = |path: &str| owners.is_some_and(|own| own.folder_of(path).is_some());
    let tree = &session.loader.tree;
    let paths = || files.iter().map(|file| tree.path(*file));
    let of_packs: Vec<String> = (session.loader.read.unpacked.iter())
        .filter(|(_, pictures)| pictures.is_some())
        .flat_map(|(manifest, _)| {
            let folder = parent(tree.path(*manifest));
            [MANIFEST, REPORT, REQUESTS, VERDICTS].map(|name| join(folder, name))
        })
        .collect();
    let is_data = |path: &&str| {
        let name = base_name(path).to_ascii_lowercase();
        let is_meant = is_opened_alone(path) && (may_be_journal(path) || may_be_ratings(path));
        // What a pack computed is computed anew, not read.
        !of_packs.iter().any(|own| own == path)
            && (is_meant || is_of_data(&name) || is_called_otherwise(&name, || is_in_a_model(path)))
    };
    let (unfinished, other): (Vec<&str>, Vec<&str>) = paths()
        .filter(|path| is_unfinished(path) || is_data(path))
        .partition(|path| is_unfinished(path));
    let empty = empty_files(session);
    let line = |paths: &[&str], code: &str, (one, many): (&str, &str), hint: &str| {
        let (first, more) = paths.split_first()?;
        let message = if more.is_empty() {
            format!("{one}.")
        } else {
            format!(
                "{one} and {} {many}.",
                counted(more.len(), "other file", "other files")
            )
        };
        let kind = (code, Severity::Warning);
        Some(Problem::new(first, kind, String::new(), message, hint))
    };
    let lines = [
        line(
            &other,
            "unread_files",
            ("Nothing was read from this file", "of data"),
            "If results or ratings are in it, check its form and its name.",
        ),
        line(
            &unfinished,
            "unfinished_files",
            (
                "Nothing was read from this unfinished download or copy",
                "of this kind",
            ),
            "Download or copy it again, wait until it is complete, and remove this one.",
        ),
        line(
            &empty,
            "empty_files",
            ("Nothing was read from this empty file", "of data"),
            "If replies are missing, copy the file again from where it was written.",
        ),
    ];
    lines.into_iter().flatten().collect()
}

/// Whether a name in lower case is that of a file of data.
fn is_of_data(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    DATA.contains(&ending) && !OF_PROGRAMS.contains(&name) && !name.starts_with('.')
}

/// Whether a file has not come whole, as browsers, iCloud and tools mark it.
fn is_unfinished(path: &str) -> bool {
    let ending = base_name(path).rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| {
        UNFINISHED
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending))
    })
}

/// Whether a name in lower case is that of a file of data with another ending behind it or in place of its own, the latter in a
/// model's folder.
fn is_called_otherwise(name: &str, is_in_model: impl Fn() -> bool) -> bool {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_number = !ending.is_empty() && ending.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = ending.is_empty() || is_number || PLAIN.contains(&ending);
    if let Some(name) = name.strip_suffix('~') {
        return is_of_data(name);
    }
    let without_txt = stem.strip_suffix(".txt").unwrap_or(stem);
    let is_of_replies = || {
        let begins = |known: &&str| {
            let rest = stem.strip_prefix(*known);
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
        };
        OF_REPLIES.iter().any(begins) || without_txt.ends_with("_judge")
    };
    is_plain && (is_of_data(stem) || is_of_replies() && is_in_model())
}

/// Empty files where replies are looked for.
fn empty_files(session: &Session) -> Vec<&str> {
    let tree = &session.loader.tree;
    let is_empty = |file: &&FileId| tree.size(**file) == Some(0);
    let read = &session.loader.read;
    let replies = read
        .replies
        .iter()
        .filter(|(_, found)| found.replies.is_empty());
    let replies = replies.map(|(file, _)| file);
    let journals = read.journals.keys();
    let mut paths: Vec<&str> = (replies.chain(journals).filter(is_empty))
        .map(|file| tree.path(*file))
        .collect();
    paths.sort_unstable();
    paths
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
            for (_, record) in journal.records.iter() {
                if record.protocol != own && !journal.is_batch {
                    *others.entry(record.protocol).or_default() += 1;
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

    /// Models with outputs and no reply, and models with replies and no output: a folder may have been renamed.
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
