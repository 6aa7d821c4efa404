//! What kind of file each one is that was read, as the table of [`juror_model::trust`] has them.

use super::{Loader, Read};
use juror_model::tree::FileId;
use juror_model::trust::FileKind;

impl Loader {
    /// The files of a kind that something was read from.
    ///
    /// All that was read is taken apart here: a place for files of another kind does not compile until it has its kind, nor a
    /// kind until it has its row.
    pub(crate) fn files_of(&self, kind: FileKind) -> Box<dyn Iterator<Item = FileId> + '_> {
        let Read {
            texts,
            prompt_texts,
            replies,
            journals,
            ratings,
            labels,
            trajectories,
            measures,
            unpacked,
            variants,
            answers,
            pictures,
            // What is known of candidates, and of files besides what they say.
            refused: _,
            given_way: _,
            list_problems: _,
            set_aside: _,
            no_lists: _,
            aside: _,
            foreign: _,
            unread: _,
            too_large: _,
            decoded: _,
            believed: _,
            stated: _,
            not_utf8: _,
            failures: _,
            damaged: _,
            glimpsed: _,
            hashes: _,
        } = &self.read;
        match kind {
            FileKind::List => {
                let lists = texts.keys().copied();
                Box::new(lists.filter(|file| !self.is_of_a_declaration(*file)))
            }
            FileKind::Declaration => {
                let declarations = texts.keys().copied();
                Box::new(declarations.filter(|file| self.is_of_a_declaration(*file)))
            }
            FileKind::JudgeTexts => Box::new(prompt_texts.keys().copied()),
            FileKind::Outputs => Box::new(answers.keys().chain(pictures.keys()).copied()),
            FileKind::Replies => Box::new(replies.keys().copied()),
            FileKind::Journal => Box::new(journals.keys().copied()),
            FileKind::Ratings => Box::new(ratings.keys().copied()),
            FileKind::Labels => Box::new(labels.keys().copied()),
            FileKind::Measures => Box::new(measures.keys().copied()),
            // They are found by their names and read by who measures them.
            FileKind::Conditions => Box::new(std::iter::empty()),
            FileKind::Trajectories => Box::new(trajectories.keys().copied()),
            FileKind::Variant => Box::new(variants.keys().copied()),
            FileKind::Manifest => {
                let packs = unpacked.iter().filter(|(_, pictures)| pictures.is_some());
                Box::new(packs.map(|(file, _)| *file))
            }
        }
    }
}
