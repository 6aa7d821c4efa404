//! A benchmark → its contents, without any model, and the counts, measures and failures of its paper that are no scores.

use crate::error::Error;
use juror_model::counts::{CountTable, KnownTotal, PrintedCount};
use juror_model::experiment::{Factor, FactorLevel, PrintedLevel};
use juror_model::linked::World;
use juror_model::reliability::PrintedFigure;
use juror_model::request::{GeneratorInput, InputKey};
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

    /// What a generator's input can be varied by; the first level of each is the input as it is.
    ///
    /// A variant is a copy of the request: references and golden answers that outputs are scored with stay what they are.
    fn factors(&self) -> Vec<Factor> {
        Vec::new()
    }

    /// What a generator is given for a turn on a level of a factor, neither of them unknown, nor the level the first.
    ///
    /// # Errors
    /// The sample has nothing that the level changes, or the list does not tell what it would be changed to; in words that
    /// do not name the sample, so that they can be counted.
    fn varied_input(
        &self,
        _world: &World<'_>,
        _key: &InputKey,
        level: &FactorLevel,
    ) -> Result<GeneratorInput, Error> {
        Err(Error::unknown("factor", &level.factor))
    }

    /// Where in a model's folder the output of this name goes, as the authors' programs write it.
    #[cfg(feature = "generating")]
    fn output_place(&self, output_name: &str) -> String {
        output_name.to_owned()
    }

    /// Whether a generator is shown its own outputs of earlier turns: on this level of a factor, or as it is without one.
    #[cfg(feature = "generating")]
    fn shows_own_outputs(&self, _level: Option<&FactorLevel>) -> bool {
        false
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
