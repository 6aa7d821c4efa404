//! What only some benchmarks have, each a trait of its own: a protocol that has it returns it, and others hold nothing of it.

use crate::error::Error;
use juror_model::experiment::{Factor, FactorLevel};
use juror_model::linked::{FilePair, World};
use juror_model::problem::Problem;
use juror_model::prompt::PromptPack;
use juror_model::request::{GeneratorInput, InputKey};
use juror_model::sample::Sample;

/// Replies that are metrics of two files: the authors' program computes them, and no judge is asked.
pub trait Conditions {
    /// Pairs of files whose metric is a reply of this protocol, and of each what is missing; the caller checks whether there
    /// is a reply already.
    fn file_pairs(&self, world: &World<'_>) -> Vec<FilePair>;

    /// What the authors' program writes where such a pair's metric has this value.
    fn evaluated(&self, criterion: &str, value: f64) -> f64;
}

/// Judge texts of single samples, which a pack asks in place of its own.
pub trait TextsBySample {
    /// Whether a file of this path holds such texts.
    fn is_file(&self, path: &str) -> bool;

    /// A pack with the texts of such a file; `None` where the file has none.
    fn laid_over(&self, pack: &PromptPack, path: &str, text: &str) -> Option<PromptPack>;

    /// What of such a file is not asked, and why.
    fn problems(&self, path: &str, text: &str, samples: &[Sample]) -> Vec<Problem>;
}

/// Copies of a generator's requests with one thing changed: references and golden answers stay what they are.
pub trait Variants {
    /// What a generator's input can be varied by; the first level of each is the input as it is.
    fn factors(&self) -> Vec<Factor>;

    /// What a generator is given for a turn on a level of a factor, neither of them unknown, nor the level the first.
    ///
    /// # Errors
    /// The sample has nothing that the level changes, or the list does not say what it would be changed to; in words that
    /// do not name the sample, so that they can be counted.
    fn varied_input(
        &self,
        world: &World<'_>,
        key: &InputKey,
        level: &FactorLevel,
    ) -> Result<GeneratorInput, Error>;
}

/// Loops in which a planner looks at each generated picture and writes the prompt for the next one.
pub trait AgentLoops {
    /// What is said to planner and generator: texts of the kinds `planner`, `planner_sra` (of the framework that also chooses
    /// references) and `previous_picture`.
    fn texts(&self) -> PromptPack;
}

/// Turns that build on earlier ones, for programs that call generators.
#[cfg(feature = "generating")]
pub trait Dialogues {
    /// Where in a model's folder the output of this name goes, as the authors' programs write it.
    fn output_place(&self, output_name: &str) -> String;

    /// Whether a generator is shown its own outputs of earlier turns: on this level of a factor, or as it is without one.
    fn shows_own_outputs(&self, level: Option<&FactorLevel>) -> bool;
}

/// Lists of a model's outputs that the authors' programs read in addition to the pictures, for programs that write outputs.
#[cfg(feature = "generating")]
pub trait OutputLists {
    /// Where in a model's folder the list is that names the output of this place; `None` where no list does.
    fn list_of(&self, place: &str) -> Option<String>;

    /// A list that names those outputs of its benchmark that are there, and nothing else of the benchmark: `text` changed as
    /// little as that takes, and as it is where nothing has to change. Entries that are not the benchmark's stay, and so do
    /// other keys of an entry.
    ///
    /// `outputs` are all that the list may name, in the benchmark's order; `is_there` answers for any place in the model's
    /// folder.
    ///
    /// # Errors
    /// The text is no such list, so that writing it would lose something.
    fn listed(
        &self,
        list: &str,
        text: &str,
        outputs: &[ListedOutput<'_>],
        is_there: &dyn Fn(&str) -> bool,
    ) -> Result<String, Error>;
}

/// An output that a list may name.
#[cfg(feature = "generating")]
#[derive(Clone, Copy, Debug)]
pub struct ListedOutput<'a> {
    /// Whose output it is.
    pub sample: &'a Sample,
    /// What was asked for.
    pub instruction: &'a str,
    /// Where in a model's folder it is.
    pub place: &'a str,
}
