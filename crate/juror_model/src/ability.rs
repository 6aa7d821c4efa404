//! What a benchmark can do beyond being listed, judged and scored, and the demo suite that shows it.

use serde::{Deserialize, Serialize};

/// Something that only some benchmarks have: hosts and pages ask for it, never for a benchmark's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Ability {
    /// Agents make its outputs in loops, whose records are read with the benchmark.
    Agents,
    /// Its paper has a method that works on attention.
    Attention,
    /// Its evaluator measures files that networks made of outputs, which are next to them.
    Conditions,
    /// The groups of its score rows are fields of the list of samples, so that nothing has to be asked to show their members.
    ListedGroups,
    /// Cases of it are made by a procedure.
    MadeCases,
}

/// Where the authors' files of a benchmark lie, as a page tells it: paths with `<placeholders>`, a comma between two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Folders {
    /// The benchmark itself.
    pub benchmark: String,
    /// A model's outputs, and what judges said of them.
    pub outputs: String,
    /// The texts that the authors ask judges with; empty where none can be opened.
    pub judge_texts: String,
}

/// The demo suite of a benchmark: a small one in the authors' layout, drawn by our own code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demo {
    /// Its place among the demo suites, from 1: the page starts with the first.
    pub place: u8,
    /// One sentence: what it shows.
    pub about: &'static str,
    /// How the suite lies, as the authors' files do.
    pub folders: Folders,
}

/// A demo suite as the page offers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct DemoSuite {
    /// The protocol's id, which is the suite's folder and its name in addresses.
    pub id: String,
    /// Display name of the benchmark.
    pub title: String,
    /// One sentence: what it shows.
    pub about: String,
    /// How the suite lies, as the authors' files do.
    pub folders: Folders,
    /// What the benchmark can do.
    pub abilities: Vec<Ability>,
}
