//! By what the authors' folder is known: `test.json`, or a list beside `imgs/`.

use std::collections::BTreeSet;

use crate::contract::Signs;
use crate::weave::Weave;
use juror_model::sample::Candidate;
use juror_model::tree::{FileId, FileTree, base_name, parent};
use juror_statistics::small::{CollectSmall, SortSmall};

/// The largest file that is tried as a sample list.
const MAX_LIST_BYTES: u64 = 512 << 20;

impl Signs for Weave {
    fn id(&self) -> &'static str {
        "weave"
    }

    fn title(&self) -> &'static str {
        "WEAVEBench"
    }

    /// Files that may be the sample list: any `test.json`, then any other JSON next to an `imgs` folder; shallow ones first.
    fn candidates(&self, tree: &FileTree) -> Vec<Candidate> {
        let picture_parents: BTreeSet<String> = tree
            .files()
            .map(|(_, entry)| parent(&entry.path))
            .filter(|folder| base_name(folder).eq_ignore_ascii_case("imgs"))
            .map(|folder| parent(folder).to_lowercase())
            .collect_small();
        let mut found: Vec<(u8, usize, &str, FileId)> = tree
            .files()
            .filter(|(_, entry)| entry.is_at_most(MAX_LIST_BYTES))
            .filter_map(|(file, entry)| {
                let name = base_name(&entry.path).to_lowercase();
                let depth = entry.path.matches('/').count();
                if name == "test.json" {
                    return Some((0, depth, entry.path.as_str(), file));
                }
                let is_beside = name
                    .rsplit_once('.')
                    .is_some_and(|(_, extension)| extension == "json")
                    && picture_parents.contains(&parent(&entry.path).to_lowercase());
                is_beside.then_some((1, depth, entry.path.as_str(), file))
            })
            .collect();
        found.sort_small();
        found
            .into_iter()
            .map(|(rank, _, _, list)| Candidate {
                list,
                files: vec![list],
                rank,
            })
            .collect()
    }
}
