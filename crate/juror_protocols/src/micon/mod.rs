//! MICON-Bench: two or three references per case, judged by pass-or-fail checkpoints; stories also by answer sets.
//!
//! Source: the MICON-Bench paper and the authors' `Evaluation/` scripts; where the two differ, both are here.
//!
#![doc = include_str!("README.md")]

use crate::contract::Protocol;
use juror_model::ability::{Ability, Demo, Folders};
use juror_model::sample::Sample;
use juror_model::terms::Words;

mod atoms;
pub mod card;
#[cfg(feature = "counting")]
mod counting;
pub mod differences;
pub mod layout;
mod published;
pub mod request;
pub mod rows;
pub mod score;
mod signs;
mod sources;
pub mod specific;
pub mod verdict;

/// The MICON-Bench protocol.
#[derive(Clone, Copy, Debug)]
pub struct Micon;

/// The judge's checkpoints of a case.
pub const CHECKPOINTS: &str = "checkpoints";
/// How well a story's picture fits the answer set that people wrote.
pub const CANDIDATE: &str = "candidate";
/// The kinds of judge request, in this order.
pub const REQUESTS: [&str; 2] = [CHECKPOINTS, CANDIDATE];

/// The dimensions that tasks use; F (text grounding) is defined by the authors and used by none.
pub const DIMENSIONS: [Dimension; 6] = [
    Dimension {
        letter: 'A',
        label: "Instruction following",
        meaning: "Everything that the instruction asks for is there, where it belongs, and nothing else.",
    },
    Dimension {
        letter: 'B',
        label: "Identity and fidelity",
        meaning: "What comes from a reference is recognisably the same thing.",
    },
    Dimension {
        letter: 'C',
        label: "Structure and geometry",
        meaning: "Positions, sizes, perspective and contact are right.",
    },
    Dimension {
        letter: 'D',
        label: "Cross-reference consistency",
        meaning: "What comes from several references fits together without contradiction.",
    },
    Dimension {
        letter: 'E',
        label: "Causality and time",
        meaning: "The picture is what plausibly happens next; stories only.",
    },
    Dimension {
        letter: 'G',
        label: "Overall usability",
        meaning: "The picture as a whole is coherent and usable.",
    },
];

/// One side that a case is judged on.
#[derive(Clone, Copy, Debug)]
pub struct Dimension {
    /// `A` to `G`.
    pub letter: char,
    /// Name.
    pub label: &'static str,
    /// What full marks mean.
    pub meaning: &'static str,
}

/// The ids of all checkpoints of all tasks, by dimension: the order in which the numbers of a reply are kept.
pub const CHECKPOINT_IDS: [&str; NUM_CHECKPOINTS] = [
    "A_check_1",
    "A_check_2",
    "A_check_3", //
    "B_check_1",
    "B_check_2",
    "B_check_3", //
    "C_check_1",
    "C_check_2",
    "C_check_3",
    "C_check_4", //
    "D_check_1",
    "D_check_2",
    "D_check_3",
    "D_check_4", //
    "E_check_1",
    "E_check_2",
    "E_check_3", //
    "G_check_1",
    "G_check_2",
    "G_check_3",
];

/// How many different checkpoints there are.
pub const NUM_CHECKPOINTS: usize = 20;

/// One of the six tasks.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Folder name.
    pub id: &'static str,
    /// Name in the paper's tables.
    pub label: &'static str,
    /// Name of the authors' question file, without `.qa.txt`.
    pub questions: &'static str,
    /// Cases in the published benchmark (Table 6), the weights of the paper's average.
    pub num_cases: u32,
    /// Checkpoints per dimension, in the order of [`DIMENSIONS`]; 0 where the task does without.
    pub num_checks: [u8; 6],
    /// Hard checkpoints, H1 first: to fail one caps the dimension of its own letter.
    pub hard: &'static [&'static str],
}

/// The tasks in the order of the paper's tables.
///
/// The checkpoint ids are the same for every case of a task; the marks are those of the question files,
/// which the authors' scoring follows (in Component, the hard one of B is the second).
pub const TASKS: [Task; 6] = [
    Task {
        id: "object_composition",
        label: "Object",
        questions: "object_composition",
        num_cases: 200,
        num_checks: [3, 3, 3, 4, 0, 2],
        hard: &["A_check_1", "B_check_1"],
    },
    Task {
        id: "spatial_geometric_constraints",
        label: "Spatial",
        questions: "spatial_constraints",
        num_cases: 200,
        num_checks: [3, 3, 4, 3, 0, 3],
        hard: &["A_check_1", "C_check_1"],
    },
    Task {
        id: "attribute_style_decoupling",
        label: "Attribute",
        questions: "style_disentangle",
        num_cases: 100,
        num_checks: [3, 3, 3, 3, 0, 3],
        hard: &["A_check_1", "B_check_1", "C_check_1", "D_check_1"],
    },
    Task {
        id: "local_element_transfer",
        label: "Component",
        questions: "part_transfer",
        num_cases: 240,
        num_checks: [3, 3, 3, 3, 0, 3],
        hard: &["A_check_1", "B_check_2", "C_check_1"],
    },
    Task {
        id: "foreground_background_composition",
        label: "FG/BG",
        questions: "fg_bg_replace",
        num_cases: 200,
        num_checks: [3, 3, 3, 3, 0, 3],
        hard: &["B_check_1", "D_check_1"],
    },
    Task {
        id: STORY,
        label: "Story",
        questions: "causal_story",
        num_cases: 103,
        num_checks: [3, 3, 3, 3, 3, 3],
        hard: &["A_check_1", "B_check_1", "E_check_1"],
    },
];

/// The task whose cases are also judged against an answer set.
pub const STORY: &str = "story_infer";

impl Task {
    /// The task of this folder name.
    pub fn find(id: &str) -> Option<&'static Task> {
        TASKS.iter().find(|task| task.id == id)
    }

    /// Whether cases are also judged against an answer set.
    pub fn is_story(&self) -> bool {
        self.id == STORY
    }

    /// The task's checkpoints as positions in [`CHECKPOINT_IDS`], with the position of their dimension.
    pub fn checkpoints(&self) -> impl Iterator<Item = (usize, usize)> {
        let counts = self.num_checks;
        (0..NUM_CHECKPOINTS).filter_map(move |at| {
            let (dimension, number) = place(CHECKPOINT_IDS[at])?;
            (number <= counts[dimension]).then_some((at, dimension))
        })
    }

    /// Whether this checkpoint is hard.
    pub fn is_hard(&self, checkpoint: usize) -> bool {
        self.hard.contains(&CHECKPOINT_IDS[checkpoint])
    }
}

/// The dimension's position and the number of a checkpoint id.
fn place(id: &str) -> Option<(usize, u8)> {
    let (letter, number) = id.split_once("_check_")?;
    let dimension = DIMENSIONS
        .iter()
        .position(|dimension| letter.chars().eq([dimension.letter]))?;
    Some((dimension, number.parse().ok()?))
}

/// The task of a sample.
fn task_of(sample: Option<&Sample>) -> Option<&'static Task> {
    sample.and_then(|sample| Task::find(&sample.domain))
}

#[cfg(not(feature = "counting"))]
impl crate::contract::Counting for Micon {}

impl Protocol for Micon {
    fn words(&self) -> Words {
        Words {
            sample: "case".to_owned(),
            samples: "cases".to_owned(),
            units: "cases".to_owned(),
            domain: "task".to_owned(),
            category: "kind".to_owned(),
        }
    }

    fn abilities(&self) -> &'static [Ability] {
        &[Ability::Attention]
    }

    fn demo(&self) -> Option<Demo> {
        Some(Demo {
            place: 3,
            about: "Cases with two or three references, judged by pass-or-fail checkpoints; stories also by answer sets.",
            folders: Folders {
                benchmark: "data/<task>/cases/*.yaml, refs/".to_owned(),
                outputs: "outputs/generations/<model>/<task>/, outputs/eval_res/".to_owned(),
                judge_texts:
                    "templates/, scripts/build_prompts.py, evaluators/candidate_evaluator.py"
                        .to_owned(),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_have_the_checkpoints_and_cases_that_the_paper_counts() {
        let totals: Vec<usize> = TASKS
            .iter()
            .map(|task| task.checkpoints().count())
            .collect();
        assert_eq!(totals, [15, 16, 15, 15, 15, 18]);
        assert_eq!(TASKS.iter().map(|task| task.num_cases).sum::<u32>(), 1043);
        for task in &TASKS {
            let hard = task.checkpoints().filter(|(at, _)| task.is_hard(*at));
            assert_eq!(hard.count(), task.hard.len(), "{}", task.id);
        }
    }
}
