//! A benchmark → its contents, without any model, and the counts, measures and failures of its paper that are no scores.

use super::abilities::{AgentLoops, Variants};
#[cfg(feature = "generating")]
use super::abilities::{Dialogues, OutputLists};
use juror_model::counts::{CountTable, KnownTotal, PrintedCount};
use juror_model::experiment::PrintedLevel;
use juror_model::reliability::PrintedFigure;
use juror_model::sample::{Benchmark, Sample};
use juror_model::terms::FailureLabel;

/// The counts of a benchmark in addition to those of every benchmark: samples by group, pictures, lengths of instructions.
pub trait Counting {
    /// Tables of the protocol's own.
    fn counts(&self, _benchmark: &Benchmark) -> Vec<CountTable> {
        Vec::new()
    }

    /// What can be wrong with an output of this sample, in the order in which it is offered.
    fn failure_labels(&self, _sample: &Sample) -> Vec<FailureLabel> {
        #[cfg(feature = "counting")]
        let labels = crate::labels::general();
        #[cfg(not(feature = "counting"))]
        let labels = Vec::new();
        labels
    }

    /// The totals that the paper prints for the whole benchmark.
    fn totals(&self) -> Vec<KnownTotal> {
        Vec::new()
    }

    /// What the paper prints of other data, or of what the files do not tell: no total of this benchmark.
    fn printed_counts(&self) -> Vec<PrintedCount> {
        Vec::new()
    }

    /// Copies of a generator's requests with one thing changed.
    fn variants(&self) -> Option<&dyn Variants> {
        None
    }

    /// Loops of a planner and a generator.
    fn agents(&self) -> Option<&dyn AgentLoops> {
        None
    }

    /// Turns that build on earlier ones.
    #[cfg(feature = "generating")]
    fn dialogues(&self) -> Option<&dyn Dialogues> {
        None
    }

    /// Lists of a model's outputs that the authors' programs read in addition to the pictures.
    #[cfg(feature = "generating")]
    fn output_lists(&self) -> Option<&dyn OutputLists> {
        None
    }

    /// What the paper prints of experiments, level by level.
    fn printed_levels(&self) -> Vec<PrintedLevel> {
        Vec::new()
    }

    /// What the paper prints about how reliable its numbers are, and what they change with.
    fn reliability(&self) -> Vec<PrintedFigure> {
        Vec::new()
    }
}
