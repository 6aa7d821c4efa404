//! By what a benchmark of a user's own is known: `juror.json`.

use super::{Declared, NAME};
use crate::contract::Signs;
use juror_model::sample::Candidate;
use juror_model::tree::{FileId, FileTree, base_name};
use juror_statistics::small::SortSmall;

impl Signs for Declared {
    fn id(&self) -> &str {
        match self.says.id.as_str() {
            "" => "declared",
            id => id,
        }
    }

    fn title(&self) -> &str {
        match self.says.title.as_str() {
            "" => "a benchmark with a protocol file",
            title => title,
        }
    }

    fn is_named_by_file(&self) -> bool {
        true
    }

    /// Every `juror.json`, by path: it says by itself what it is, so there is no doubt.
    fn candidates(&self, tree: &FileTree) -> Vec<Candidate> {
        let mut found: Vec<FileId> = tree
            .files()
            .filter(|(_, entry)| base_name(&entry.path) == NAME)
            .map(|(file, _)| file)
            .collect();
        found.sort_small_by_key(|file| {
            let path = tree.path(*file);
            (path.matches('/').count(), path)
        });
        found
            .into_iter()
            .map(|list| Candidate {
                list,
                files: vec![list],
                rank: 0,
            })
            .collect()
    }
}
