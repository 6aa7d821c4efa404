//! Which of the benchmarks that files suggest counts, as [`crate::trust`] says it: those that Juror knows before those
//! that a file declares, and of several files that declare one none in a model's folder, and none by chance.

use crate::model::problem::{Problem, Severity};
use crate::model::sample::Candidate;
use crate::protocol::contract::Loaded;
use crate::protocol::contract::Protocol;
use serde::{Deserialize, Serialize};

use super::{Session, SessionError, Suggested};
use crate::tree::{FileId, FileTree, is_below, parent};
use crate::trust::Owners;

/// Protocol files that are held against each other.
const MAX_PROTOCOL_FILES: usize = 16;

/// A benchmark that may be meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct BenchmarkChoice {
    /// Path of the file that stands for it.
    pub path: String,
    /// Display name: `WEAVEBench`; of one that a file declares `juror.json`.
    pub title: String,
    /// Whether it is the one that is shown.
    pub is_shown: bool,
}

/// What becomes of a candidate before it is loaded.
pub(super) enum Standing {
    /// It may count.
    Stands,
    /// That depends on these files.
    Unread(Vec<FileId>),
    /// It does not count.
    SetAside(Box<Problem>),
}

/// The order in which candidates are tried.
pub(super) struct Order<'a> {
    tree: &'a FileTree,
    protocols: &'static [&'static dyn Protocol],
    /// Folders with a protocol file.
    declared: Vec<&'a str>,
    chosen: Option<&'a str>,
}

impl<'a> Order<'a> {
    pub(super) fn of(
        tree: &'a FileTree,
        protocols: &'static [&'static dyn Protocol],
        all: &[Suggested],
        chosen: Option<&'a str>,
    ) -> Self {
        let declared = all
            .iter()
            .filter(|suggested| protocols[suggested.protocol].is_named_by_file())
            .map(|suggested| parent(tree.path(suggested.candidate.list)))
            .collect();
        Self {
            tree,
            protocols,
            declared,
            chosen,
        }
    }

    /// Smaller is tried first: what the user chose; what names leave no doubt about; what they leave some about; what
    /// a file declares; and what lies with such a file, whose author knows better what it is.
    pub(super) fn of_one(&self, suggested: &Suggested) -> (bool, u8, u8) {
        let candidate = &suggested.candidate;
        let is_chosen = self.chosen == Some(self.tree.path(candidate.list));
        let class = match candidate.rank {
            _ if self.protocols[suggested.protocol].is_named_by_file() => 2,
            0 => 0,
            _ if self.lies_with_a_declaration(candidate) => 3,
            _ => 1,
        };
        (!is_chosen, class, candidate.rank)
    }

    fn lies_with_a_declaration(&self, candidate: &Candidate) -> bool {
        let is_with = |folder: &&str| {
            let mut files = candidate.files.iter();
            files.all(|file| is_below(self.tree.path(*file), folder))
        };
        self.declared.iter().any(is_with)
    }
}

/// Says which benchmark counts, by the path of its list or of its `juror.json`; `None` leaves it to the files.
///
/// What the user says outweighs every other rule of [`crate::trust`].
///
/// # Errors
/// No benchmark is suggested by that file.
pub fn choose_benchmark(session: &mut Session, path: Option<&str>) -> Result<(), SessionError> {
    if let Some(path) = path {
        let choices = benchmark_choices(session);
        if !choices.iter().any(|choice| choice.path == path) {
            let known: Vec<String> = choices.into_iter().map(|choice| choice.path).collect();
            let known = if known.is_empty() {
                "none was found".to_owned()
            } else {
                format!("expected one of {}", known.join(", "))
            };
            return Err(SessionError::new(
                "unknown_benchmark",
                format!("{path} stands for no benchmark; {known}."),
            ));
        }
    }
    session.chosen = path.map(str::to_owned);
    session.candidate = None;
    session.benchmark = None;
    session.cache = super::Cache::default();
    session.reads = super::Reads::default();
    session.read.stale.clear();
    session.reconsider();
    Ok(())
}

/// The benchmarks that may be meant, those included that are not shown.
pub fn benchmark_choices(session: &mut Session) -> Vec<BenchmarkChoice> {
    session.suggestions();
    let all = session.cache.candidates.iter().flatten();
    let may_be = |suggested: &&Suggested| {
        let is_shown = session.benchmark.is_some() && session.candidate.as_ref() == Some(suggested);
        let is_refused = session.read.refused.contains(suggested);
        let is_set_aside = session
            .read
            .set_aside
            .contains_key(&suggested.candidate.list);
        is_shown || suggested.candidate.rank == 0 && (!is_refused || is_set_aside)
    };
    all.filter(may_be)
        .map(|suggested| BenchmarkChoice {
            path: session.tree.path(suggested.candidate.list).to_owned(),
            title: if session.candidate.as_ref() == Some(suggested) {
                session.protocol.title().to_owned()
            } else {
                session.protocols[suggested.protocol].title().to_owned()
            },
            is_shown: session.benchmark.is_some() && session.candidate.as_ref() == Some(suggested),
        })
        .collect()
}

/// Whether a file declares this candidate and nobody has chosen it.
fn is_mere_declaration(session: &Session, suggested: &Suggested) -> bool {
    session.protocols[suggested.protocol].is_named_by_file()
        && session.chosen.as_deref() != Some(session.tree.path(suggested.candidate.list))
}

fn files_of(session: &Session, suggested: &Suggested) -> Vec<FileId> {
    let protocol = session.protocols[suggested.protocol];
    let named = protocol.further_files(&session.tree, &suggested.candidate, &session.read.texts);
    [suggested.candidate.files.as_slice(), named.as_slice()].concat()
}

fn loaded(session: &Session, suggested: &Suggested) -> Option<Loaded> {
    let protocol = session.protocols[suggested.protocol];
    let texts = &session.read.texts;
    (protocol.load(&session.tree, &suggested.candidate, texts)).ok()
}

/// The folder of a declared benchmark's model that a file lies in.
fn folder_around(session: &Session, loaded: &Loaded, path: &str) -> Option<String> {
    let declared = loaded.declared.as_ref()?;
    let models = declared.submissions(&session.tree, Some(&loaded.benchmark));
    let owners = Owners::of(models.iter());
    owners.folder_of(path).map(str::to_owned)
}

fn in_a_model(session: &Session, next: &Suggested, folder: &str) -> Standing {
    aside(
        session,
        next,
        Severity::Warning,
        format!(
            "This protocol file is not used: it lies in the folder of a model, {folder}, and a submission does not declare how it is scored."
        ),
    )
}

fn several(session: &Session, next: &Suggested, others: &[&Suggested]) -> Standing {
    let mut paths: Vec<&str> = others
        .iter()
        .take(3)
        .map(|other| session.tree.path(other.candidate.list))
        .collect();
    if others.len() > 3 {
        paths.push("…");
    }
    aside(
        session,
        next,
        Severity::Error,
        format!(
            "Several protocol files may be meant, this one and {}: none is used until you say which.",
            paths.join(", ")
        ),
    )
}

fn aside(session: &Session, next: &Suggested, severity: Severity, message: String) -> Standing {
    let path = session.tree.path(next.candidate.list);
    Standing::SetAside(Box::new(Problem::new(
        path,
        ("protocol_not_used", severity),
        String::new(),
        message,
        &how_to_choose(path),
    )))
}

impl Session {
    /// Whether the candidate at hand is loaded only once all of its kind were read.
    pub(super) fn waits_for_others(&self) -> bool {
        let at_hand = self.candidate.as_ref();
        at_hand.is_some_and(|suggested| is_mere_declaration(self, suggested))
    }

    /// The protocol files, tried or not, with the files that they name.
    pub(super) fn is_of_a_declaration(&self, file: FileId) -> bool {
        self.cache.candidates.iter().flatten().any(|suggested| {
            let protocol = self.protocols[suggested.protocol];
            protocol.is_named_by_file()
                && (suggested.candidate.files.contains(&file)
                    || (protocol.further_files(&self.tree, &suggested.candidate, &self.read.texts))
                        .contains(&file))
        })
    }

    /// Whether a candidate may count beside the others.
    pub(super) fn standing(&self, next: &Suggested) -> Standing {
        if !is_mere_declaration(self, next) {
            return Standing::Stands;
        }
        let all = self.cache.candidates.iter().flatten();
        let others: Vec<&Suggested> = all
            .filter(|other| {
                *other != next
                    && self.protocols[other.protocol].is_named_by_file()
                    && (!self.read.refused.contains(other)
                        || self.read.set_aside.contains_key(&other.candidate.list))
            })
            .collect();
        if others.is_empty() {
            return Standing::Stands;
        }
        if others.len() >= MAX_PROTOCOL_FILES {
            return several(self, next, &others);
        }
        let unread: Vec<FileId> = std::iter::once(next)
            .chain(others.iter().copied())
            .flat_map(|one| files_of(self, one))
            .filter(|file| {
                !self.read.texts.contains_key(file) && !self.read.failures.contains_key(file)
            })
            .collect();
        if !unread.is_empty() {
            return Standing::Unread(unread);
        }
        let Some(own) = loaded(self, next) else {
            // What is wrong with it is told when it is loaded.
            return Standing::Stands;
        };
        let others: Vec<(&Suggested, Loaded)> = others
            .into_iter()
            .filter_map(|other| Some((other, loaded(self, other)?)))
            .collect();
        let path = self.tree.path(next.candidate.list);
        let depth = |path: &str| path.matches('/').count();
        let mut rivals = Vec::new();
        for (other, loaded) in &others {
            let at = self.tree.path(other.candidate.list);
            let (holds, is_held) = (
                folder_around(self, &own, at),
                folder_around(self, loaded, path),
            );
            match (holds, is_held) {
                (None, Some(folder)) if depth(at) < depth(path) => {
                    return in_a_model(self, next, &folder);
                }
                (Some(_), None) if depth(path) < depth(at) => {}
                _ => rivals.push(*other),
            }
        }
        if rivals.is_empty() {
            Standing::Stands
        } else {
            several(self, next, &rivals)
        }
    }

    /// Benchmarks beside the one that is shown that only their content tells.
    pub(super) fn glimpsed_beside(&self) -> Vec<Problem> {
        let suggested = self.cache.candidates.iter().flatten();
        let seen = suggested.filter_map(|suggested| {
            let is_it = |file: &&FileId| self.read.glimpsed.get(file) == Some(&true);
            let file = suggested.candidate.files.iter().find(is_it)?;
            let title = self.protocols[suggested.protocol].title();
            Some(not_shown(self.tree.path(*file), title))
        });
        seen.collect()
    }

    /// A benchmark that is suggested beside the one that is shown.
    pub(super) fn beside(&self, suggested: &Suggested) -> Problem {
        let path = self.tree.path(suggested.candidate.list);
        if !self.protocols[suggested.protocol].is_named_by_file() {
            return not_shown(path, self.protocols[suggested.protocol].title());
        }
        let linked = self.cache.linked.as_ref();
        let message = match linked.and_then(|linked| linked.owners.folder_of(path)) {
            Some(folder) => format!(
                "This protocol file is not used: it lies in the folder of a model, {folder}, and a submission does not declare how it is scored."
            ),
            None => format!(
                "This protocol file is not used: the files are recognised as {}, which a protocol file does not replace.",
                self.protocol.title()
            ),
        };
        Problem::new(
            path,
            ("protocol_not_used", Severity::Warning),
            String::new(),
            message,
            &how_to_choose(path),
        )
    }
}

fn not_shown(path: &str, title: &str) -> Problem {
    Problem::new(
        path,
        ("other_benchmark", Severity::Note),
        String::new(),
        format!("This looks like {title} and is not shown: one benchmark is shown at a time."),
        "Close everything and open its folder alone to see it.",
    )
}

fn how_to_choose(path: &str) -> String {
    format!(
        "If it is meant, choose it under Benchmark, or on the command line by --benchmark {path}."
    )
}
