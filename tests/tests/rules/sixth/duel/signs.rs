//! By what the folder is known: `rounds.duel`.

use std::path::Path;

use juror_model::sample::Candidate;
use juror_model::tree::FileTree;
use juror_protocols::contract::Signs;

use super::Duel;

impl Signs for Duel {
    fn id(&self) -> &'static str {
        "duelbench"
    }

    fn title(&self) -> &'static str {
        "DuelBench"
    }

    fn candidates(&self, tree: &FileTree) -> Vec<Candidate> {
        let lists = tree.files().filter(|(_, entry)| {
            Path::new(&entry.path)
                .extension()
                .is_some_and(|kind| kind == "duel")
        });
        lists
            .map(|(list, _)| Candidate {
                list,
                files: vec![list],
                rank: 0,
            })
            .collect()
    }
}
