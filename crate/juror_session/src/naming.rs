//! Judges named by hand: who gave the replies of files that do not say so themselves.
//!
//! What a file or its place states is never overridden; a name that is said here is kept as such, in reports and packs.

use crate::study::LinkedSession;
use std::collections::BTreeMap;

use super::count;
use super::packs_apart::UNRECORDED;
use super::state::Session;
use crate::error::Error;
use crate::view::UnstatedJudge;
use juror_model::experiment::PACK;
use juror_model::judge::JudgeName;
use juror_model::judge::behind;
use juror_model::tree::FileId;
use juror_statistics::small::SortSmall;

/// The longest name of a judge, in characters.
const MAX_NAME: usize = 200;
/// Files of a model that are named one by one.
const MAX_SHOWN: usize = 3;

/// Says who judged in the files that do not state it; for the same place the later name counts.
///
/// A name is about the file or the folder at its path; the longest path counts. Names about nothing that is open wait.
///
/// # Errors
/// A name is empty, too long, or has line breaks or other controls in it; then none of them is taken.
pub fn name_judges(session: &mut Session, names: Vec<JudgeName>) -> Result<(), Error> {
    let mut named = session.data.named_judges.clone();
    for JudgeName { path, judge } in names {
        let judge = judge.trim();
        let is_fit = !judge.is_empty()
            && judge.chars().count() <= MAX_NAME
            && !judge.chars().any(char::is_control);
        if !is_fit {
            return Err(Error::BadJudgeName(format!(
                "Expected the name of the judge of {path} in one line of 1 to {MAX_NAME} characters, found {} characters. Name it as its maker does, such as gpt-4o-2024-08-06.",
                judge.chars().count()
            )));
        }
        named.insert(normal(&path).to_owned(), judge.to_owned());
    }
    if session.data.named_judges != named {
        session.data.named_judges = named;
        session.data.cache.relink();
    }
    Ok(())
}

/// Takes names back: the files of replies at these places state no judge again.
pub fn unname_judges(session: &mut Session, places: &[String]) {
    for place in places {
        session.data.named_judges.remove(normal(place));
    }
    session.data.cache.relink();
}

/// The names that count here: those of files that are open and state no judge.
pub fn judge_names(session: &LinkedSession<'_>) -> Vec<JudgeName> {
    let mut used: Vec<&str> = (unstated_files(session))
        .filter_map(|(_, file)| Some(session.named_for(file)?.0))
        .collect();
    used.sort_small();
    used.dedup();
    used.into_iter()
        .map(|path| JudgeName {
            path: path.to_owned(),
            judge: session.data.named_judges[path].clone(),
        })
        .collect()
}

/// The models with files of replies that state no judge, and who was named for them.
pub fn unstated_judges(session: &LinkedSession<'_>) -> Vec<UnstatedJudge> {
    let mut by_model: BTreeMap<usize, Vec<FileId>> = BTreeMap::new();
    for (model, file) in unstated_files(session) {
        by_model.entry(model).or_default().push(file);
    }
    let mut all: Vec<&str> = (unstated_files(session))
        .map(|(_, file)| session.loader.tree.path(file))
        .collect();
    all.sort_small();
    by_model
        .into_iter()
        .map(|(model, files)| {
            let mut paths: Vec<&str> = files
                .iter()
                .map(|file| session.loader.tree.path(*file))
                .collect();
            paths.sort_small();
            let names: Vec<Option<&str>> = (files.iter())
                .map(|file| session.named_for(*file).map(|(_, judge)| judge))
                .collect();
            let is_one = names.iter().all(|name| *name == names[0]);
            let folder = common_folder(&paths);
            let is_apart = !folder.is_empty() && num_below(&all, folder) == paths.len();
            UnstatedJudge {
                model: session.data.models()[model].submission.name.clone(),
                files: count(paths.len()),
                first: owned(&paths[..paths.len().min(MAX_SHOWN)]),
                places: if paths.len() > 1 && is_apart {
                    vec![folder.to_owned()]
                } else {
                    owned(&paths)
                },
                judge: names[0].filter(|_| is_one).map(str::to_owned),
            }
        })
        .collect()
}

/// Files of replies, with the position of their model, that state no judge.
fn unstated_files(session: &Session) -> impl Iterator<Item = (usize, FileId)> {
    session
        .data
        .models()
        .iter()
        .enumerate()
        .flat_map(|(at, model)| {
            let submission = &model.submission;
            let is_unstated = |file: &FileId| {
                !submission.judges.contains_key(file)
                    && (session.loader.read.replies.get(file))
                        .is_some_and(|file| file.judge.is_empty() && !file.replies.is_empty())
            };
            let files = submission.reply_files.iter().copied();
            files.filter(is_unstated).map(move |file| (at, file))
        })
}

impl Session {
    /// Those of some models about whom a judge's replies do not state it, so that whoever opened them named it.
    pub(super) fn models_named_by_hand(&self, judge: &str, models: &[&str]) -> Vec<String> {
        let all = self.data.models();
        let is_of = |one: &str, name: &str| {
            one == name || one.strip_prefix(name) == Some(&format!("@{PACK}={UNRECORDED}"))
        };
        // A mean over judges and a panel name them all.
        let behind = behind(judge);
        let is_in = |name: &str| is_of(judge, name) || behind.iter().any(|one| is_of(one, name));
        let mut named: Vec<&str> = (unstated_files(self))
            .filter(|(_, file)| self.named_for(*file).is_some_and(|(_, name)| is_in(name)))
            .map(|(model, _)| all[model].submission.name.as_str())
            .filter(|name| models.contains(name))
            .collect();
        named.dedup();
        owned(&named)
    }

    /// Whoever was named for a file, and the path that was named.
    pub(super) fn named_for(&self, file: FileId) -> Option<(&str, &str)> {
        let path = self.loader.tree.path(file);
        let mut at = path;
        loop {
            if let Some((named, judge)) = self.data.named_judges.get_key_value(at) {
                return Some((named, judge));
            }
            at = &at[..at.rfind('/')?];
        }
    }
}

/// A path as the tree has it.
fn normal(path: &str) -> &str {
    path.trim_end_matches('/')
}

fn owned(paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

/// Whether a file lies in a folder.
fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// How many of these sorted paths lie in a folder.
fn num_below(sorted: &[&str], folder: &str) -> usize {
    let inside = format!("{folder}/");
    let first = sorted.partition_point(|path| *path < inside.as_str());
    let rest = &sorted[first..];
    rest.partition_point(|path| is_below(path, folder))
}

/// The deepest folder that all these files lie in.
fn common_folder<'a>(paths: &[&'a str]) -> &'a str {
    let Some((first, others)) = paths.split_first() else {
        return "";
    };
    let mut folder = juror_model::tree::parent(first);
    while !folder.is_empty() && !others.iter().all(|path| is_below(path, folder)) {
        folder = juror_model::tree::parent(folder);
    }
    folder
}
