//! Recognises the benchmark of files by their names only: what may be meant, likeliest first, as [`juror_model::trust`] says it.

use crate::contract::Signs;
use juror_model::sample::Candidate;
use juror_model::tree::{FileTree, is_below, parent};
use juror_statistics::small::SortSmall;

/// A candidate and the benchmark that suggests it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Suggested {
    /// Position of the benchmark among those that the files were held against.
    pub protocol: usize,
    /// What may be it.
    pub candidate: Candidate,
}

/// What may be the benchmark, likeliest first, over all that are known; `chosen` is the path of the one that the user chose.
pub fn suggestions(tree: &FileTree, signs: &[&dyn Signs], chosen: Option<&str>) -> Vec<Suggested> {
    let mut all: Vec<Suggested> = Vec::new();
    for (protocol, one) in signs.iter().enumerate() {
        let candidates = one.candidates(tree).into_iter();
        all.extend(candidates.map(|candidate| Suggested {
            protocol,
            candidate,
        }));
    }
    let order = Order::of(tree, signs, &all, chosen);
    all.sort_small_by_key(|suggested| order.of_one(suggested));
    all
}

/// The one benchmark that these files are of, as far as names leave no doubt: a session that knows them all reads this one
/// first. Nothing where names leave some, where several are there, or where a file declares one.
///
/// What the files hold has the last word: a list that turns out to be something else is the next benchmark's, which a session
/// that knows one benchmark tells (`lack` of `juror_session`'s session).
pub fn recognised<'a>(tree: &FileTree, signs: &[&'a dyn Signs]) -> Option<&'a dyn Signs> {
    let sure = suggestions(tree, signs, None)
        .into_iter()
        .filter(|suggested| suggested.candidate.rank == 0);
    let mut protocols = sure.map(|suggested| suggested.protocol);
    let first = protocols.next()?;
    let is_one = protocols.all(|other| other == first);
    (is_one && !signs[first].is_named_by_file()).then_some(signs[first])
}

/// The order in which candidates are tried.
struct Order<'a> {
    tree: &'a FileTree,
    signs: &'a [&'a dyn Signs],
    /// Folders with a protocol file.
    declared: Vec<&'a str>,
    chosen: Option<&'a str>,
}

impl<'a> Order<'a> {
    fn of(
        tree: &'a FileTree,
        signs: &'a [&'a dyn Signs],
        all: &[Suggested],
        chosen: Option<&'a str>,
    ) -> Self {
        let declared = all
            .iter()
            .filter(|suggested| signs[suggested.protocol].is_named_by_file())
            .map(|suggested| parent(tree.path(suggested.candidate.list)))
            .collect();
        Self {
            tree,
            signs,
            declared,
            chosen,
        }
    }

    /// Smaller is tried first: what the user chose; what names leave no doubt about; what they leave some about; what
    /// a file declares; and what lies with such a file, whose author knows better what it is.
    fn of_one(&self, suggested: &Suggested) -> (bool, u8, u8) {
        let candidate = &suggested.candidate;
        let is_chosen = self.chosen == Some(self.tree.path(candidate.list));
        let class = match candidate.rank {
            _ if self.signs[suggested.protocol].is_named_by_file() => 2,
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
