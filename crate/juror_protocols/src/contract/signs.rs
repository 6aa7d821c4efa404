//! The names of files → which benchmark they may be.

use juror_model::sample::Candidate;
use juror_model::tree::FileTree;

/// By what a benchmark is known before anything of it is read.
///
/// A program that only tells benchmarks apart links this of each and nothing else.
pub trait Signs: Send + Sync {
    /// Stable id: `weave`.
    fn id(&self) -> &str;

    /// Display name: `WEAVEBench`.
    fn title(&self) -> &str;

    /// Whether a file of the benchmark names this protocol, which outweighs what other names suggest.
    fn is_named_by_file(&self) -> bool {
        false
    }

    /// Whether only what is in its lists tells which models there are, and not where files are.
    fn is_told_by_texts(&self) -> bool {
        false
    }

    /// What may be the benchmark among these files, likeliest first.
    fn candidates(&self, tree: &FileTree) -> Vec<Candidate>;

    /// Whether a file that nothing else claims and that begins so is of this benchmark, where names do not tell.
    fn is_begun_by(&self, _head: &str) -> bool {
        false
    }
}
