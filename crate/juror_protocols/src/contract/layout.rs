//! Files → benchmark, samples, submissions and reply files.

use std::sync::Arc;

use super::Protocol;
use crate::findings;
use juror_model::problem::Problem;
use juror_model::reply::ReplyFile;
use juror_model::sample::{Benchmark, Candidate, Texts};
use juror_model::submission::Submission;
use juror_model::tree::{FileId, FileTree};
use juror_reading::text::Marks;

/// How a benchmark's files read.
pub trait Layout {
    /// Files that the candidate's texts name and that have to be read as well before it can be loaded.
    fn further_files(
        &self,
        _tree: &FileTree,
        _candidate: &Candidate,
        _texts: &Texts,
    ) -> Vec<FileId> {
        Vec::new()
    }

    /// Reads a benchmark; `texts` has those of the candidate's files that could be read.
    ///
    /// # Errors
    /// The candidate is not this benchmark. What is wrong inside a benchmark is one of its problems.
    fn load(
        &self,
        tree: &FileTree,
        candidate: &Candidate,
        texts: &Texts,
    ) -> Result<Loaded, Box<Problem>>;

    /// The benchmark that only replies imply: used while no sample list is available.
    fn imply(&self, _replies: &[&ReplyFile]) -> Benchmark {
        Benchmark::default()
    }

    /// Finds the models' folders and what they hold for each turn.
    fn submissions(&self, tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission>;

    /// Reads a file of the authors' judge output.
    fn read_replies(&self, path: &str, text: String) -> ReplyFile;

    /// Takes from the authors' reading what their programs cannot read of a file of judge output, for what was found in its
    /// bytes; the reading by the paper's rules stays. Nothing, where no program of theirs reads such files.
    fn mark_replies(&self, _path: &str, _marks: Marks, _replies: &mut ReplyFile) {}

    /// When the replies of a file came, where its path tells: `2026-01-01T12:00:00` by the clock of whoever judged.
    fn judged_at(&self, _path: &str) -> Option<String> {
        None
    }

    /// Findings about a file of judge output: lines that cannot be read, and those about nothing known.
    ///
    /// `positions` has the position of each line's sample.
    fn check_replies(
        &self,
        replies: &ReplyFile,
        positions: &[Option<u32>],
        _benchmark: &Benchmark,
        path: &str,
        problems: &mut Vec<Problem>,
    ) {
        findings::check(replies, positions, path, problems);
    }
}

/// A benchmark as it was read, and the protocol that its own file declares.
#[derive(Debug)]
pub struct Loaded {
    /// The samples.
    pub benchmark: Benchmark,
    /// What goes on with it; `None` where the protocol that loaded it does.
    pub declared: Option<Arc<dyn Protocol>>,
}

impl From<Benchmark> for Loaded {
    fn from(benchmark: Benchmark) -> Self {
        Self {
            benchmark,
            declared: None,
        }
    }
}
