//! MultiRef-Bench: 1,000 real-world requests and 990 synthetic samples with typed references.
//!
//! Source: the MultiRef paper and the authors' evaluation code (`eval/`, `conditions/`).
//! The code computes the reference metrics and has no judge; the paper has a judge and prints no prompt for it.
//!
#![doc = include_str!("README.md")]

use crate::model::incident::IncidentKind;
use crate::model::judge::{JudgePreset, Wire};
use crate::model::linked::{FilePair, World};
use crate::model::options::{Policy, Profile, ScoreOptions};
use crate::model::problem::Problem;
use crate::model::reply::{ParsedReply, Read, ReplyFile, refuse_json};
use crate::model::request::{Draft, GeneratorInput, InputKey, RequestKey};
use crate::model::sample::{Benchmark, Candidate, Sample, Span, Texts, Turn};
use crate::model::score::Scores;
use crate::model::submission::Submission;
pub use crate::model::terms::Direction;
use crate::model::terms::{CriterionInfo, Difference, Formula, RequestInfo, Words};
use crate::prompt::PromptPack;
use crate::protocol::contract::{Loaded, Protocol};
use crate::protocol::published::Published;
use crate::text::Marks;
use crate::tree::FileTree;

mod benchmark;
mod conditions;
mod differences;
pub mod engine;
pub mod evaluator;
pub mod layout;
mod models;
mod published;
pub mod request;
mod rows;
pub mod score;
pub mod verdict;

/// The MultiRef-Bench protocol.
#[derive(Clone, Copy, Debug)]
pub struct MultiRef;

/// The request kind that a judge answers; every metric is a kind of its own.
pub const REQUEST: &str = "judge";

/// The judge id of the authors' evaluator, which computes the metrics.
pub const EVALUATOR: &str = "evaluator";

/// A kind of reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Id in the authors' files.
    pub id: &'static str,
    /// Key of its path in `conditions`.
    pub key: &'static str,
    /// Name in an instruction, without the angle brackets; empty for the caption, which is appended as text.
    pub token: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// What the authors' evaluator measures.
    pub metric: &'static str,
    /// Whether 0 is best: an error, which the average takes as `1 − x`.
    pub direction: Direction,
}

/// The ten kinds of reference, in the order of the paper's Table 4.
pub const CONDITIONS: [Condition; 10] = [
    Condition {
        id: "bbox",
        key: "bbox_path",
        token: "bbox_image",
        label: "Bounding box",
        metric: "intersection over union of two boxes",
        direction: Direction::Up,
    },
    Condition {
        id: "semantic_map",
        key: "semantic_map_path",
        token: "semantic_image",
        label: "Semantic map",
        metric: "mean intersection over union of matched regions",
        direction: Direction::Up,
    },
    Condition {
        id: "mask",
        key: "mask_path",
        token: "mask_image",
        label: "Mask",
        metric: "intersection over union of two masks",
        direction: Direction::Up,
    },
    Condition {
        id: "depth",
        key: "depth_path",
        token: "depth_image",
        label: "Depth",
        metric: "mean squared error of two depth maps",
        direction: Direction::Down,
    },
    Condition {
        id: "canny",
        key: "canny_path",
        token: "canny_image",
        label: "Canny edges",
        metric: "mean squared error of two edge maps",
        direction: Direction::Down,
    },
    Condition {
        id: "sketch",
        key: "sketch_path",
        token: "sketch_image",
        label: "Sketch",
        metric: "mean squared error of two sketches",
        direction: Direction::Down,
    },
    Condition {
        id: "caption",
        key: "caption",
        token: "",
        label: "Caption",
        metric: "CLIP similarity of picture and caption",
        direction: Direction::Up,
    },
    Condition {
        id: "pose",
        key: "pose_path",
        token: "pose_image",
        label: "Pose",
        metric: "precision times recall of painted skeleton pixels",
        direction: Direction::Up,
    },
    Condition {
        id: "subject",
        key: "subject_paths",
        token: "subject_1",
        label: "Subject",
        metric: "CLIP similarity of two pictures",
        direction: Direction::Up,
    },
    Condition {
        id: "style",
        key: "style_path",
        token: "style_image",
        label: "Art style",
        metric: "CLIP similarity of two pictures",
        direction: Direction::Up,
    },
];

/// What is measured without a reference; neither enters the average.
pub const WITHOUT_REFERENCE: [&str; 2] = ["fid", "aesthetics"];

/// What the judge rates from 1 to 5: image quality, instruction following, source fidelity.
pub const JUDGED: [&str; 3] = ["IQ", "IF", "SF"];

/// The five kinds of real-world request, in the order of the paper's Table 11, with their numbers in the authors' taxonomy.
pub const CATEGORIES: [(&str, u32); 5] = [
    ("Element Addition", 2),
    ("Spatial/Environment Modifications", 4),
    ("Element Replacement", 1),
    ("Attribute Transfer", 5),
    ("Style and Appearance Modifications", 3),
];

/// The condition of this id.
pub fn condition(id: &str) -> Option<&'static Condition> {
    CONDITIONS.iter().find(|condition| condition.id == id)
}

impl Protocol for MultiRef {
    fn id(&self) -> &'static str {
        "multiref"
    }

    fn title(&self) -> &'static str {
        "MultiRef-Bench"
    }

    fn words(&self) -> Words {
        Words {
            sample: "sample".to_owned(),
            samples: "samples".to_owned(),
            units: "samples".to_owned(),
            domain: "kind".to_owned(),
            category: "subset".to_owned(),
        }
    }

    fn criteria(&self) -> Vec<CriterionInfo> {
        rows::criteria()
    }

    fn requests(&self) -> Vec<RequestInfo> {
        let criteria = JUDGED.iter().map(|id| (*id).to_owned());
        let mut requests = vec![RequestInfo {
            id: REQUEST.to_owned(),
            short: "Judge".to_owned(),
            label: "Judge: quality, instruction, sources".to_owned(),
            criteria: criteria.collect(),
        }];
        let metrics = rows::criteria().into_iter();
        let metrics = metrics.filter(|info| evaluator::ORDER.contains(&info.id.as_str()));
        requests.extend(metrics.map(|info| RequestInfo {
            criteria: vec![info.id.clone()],
            id: info.id,
            short: info.short,
            label: info.label,
        }));
        requests
    }

    fn requests_of(&self, sample: &Sample, _turn: &Turn) -> Vec<&'static str> {
        rows::requests_of(sample)
    }

    fn built_in_pack(&self) -> PromptPack {
        request::built_in()
    }

    fn may_hold_prompts(&self, _path: &str) -> bool {
        false
    }

    fn official_pack(&self, _files: &[(&str, &str)]) -> Option<PromptPack> {
        None
    }

    fn is_begun_by(&self, head: &str) -> bool {
        benchmark::is_begun_by(head)
    }

    fn candidates(&self, tree: &FileTree) -> Vec<Candidate> {
        benchmark::candidates(tree)
    }

    fn load(
        &self,
        tree: &FileTree,
        candidate: &Candidate,
        texts: &Texts,
    ) -> Result<Loaded, Box<Problem>> {
        benchmark::load(tree, candidate, texts).map(Loaded::from)
    }

    fn imply(&self, _replies: &[&ReplyFile]) -> Benchmark {
        // An entry with results is an entry of the benchmark too, so nothing is ever only implied.
        Benchmark::default()
    }

    fn submissions(&self, tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission> {
        benchmark.map_or_else(Vec::new, |benchmark| models::submissions(tree, benchmark))
    }

    fn read_replies(&self, _path: &str, text: String) -> ReplyFile {
        models::read_replies(text)
    }

    fn mark_replies(&self, _path: &str, marks: Marks, replies: &mut ReplyFile) {
        // The evaluator opens both the list it is given and the one it resumes from by `json.load(open(path, "r"))`.
        refuse_json(marks, replies);
    }

    fn read(&self, _sample: Option<&Sample>, request: &str, reply: &str) -> Read {
        Read::Several(models::read(request, reply))
    }

    fn parse(
        &self,
        _sample: Option<&Sample>,
        request: &str,
        profile: Profile,
        reply: &str,
    ) -> ParsedReply {
        verdict::parse(request, profile, reply)
    }

    fn grammar(&self, _sample: Option<&Sample>, request: &str) -> String {
        if request == REQUEST {
            verdict::GRAMMAR.to_owned()
        } else {
            "a number".to_owned()
        }
    }

    fn request(
        &self,
        world: &World<'_>,
        pack: &PromptPack,
        key: &RequestKey,
    ) -> Result<Draft, String> {
        request::draft(world, pack, key)
    }

    fn generator_input(&self, world: &World<'_>, key: &InputKey) -> Result<GeneratorInput, String> {
        request::generator_input(world, key)
    }

    fn score(&self, world: &World<'_>, options: &ScoreOptions) -> Scores {
        rows::score(world, options)
    }

    fn counts_as(&self, kind: IncidentKind, options: &ScoreOptions) -> &'static str {
        rows::counts_as(kind, options)
    }

    fn policy(&self, options: &ScoreOptions) -> Policy {
        rows::policy(options)
    }

    fn class(&self, _turn: &Turn) -> &'static str {
        "multi-reference"
    }

    fn is_computed(&self, request: &str) -> bool {
        request != REQUEST
    }

    fn turn_total(&self, counted: &[(&str, Option<f64>)]) -> Option<f64> {
        rows::turn_total(counted)
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        request::spans(text)
    }

    fn differences(&self, world: &World<'_>) -> Vec<Difference> {
        differences::differences(world)
    }

    fn file_pairs(&self, world: &World<'_>) -> Vec<FilePair> {
        conditions::pairs(world)
    }

    fn evaluated(&self, criterion: &str, value: f64) -> f64 {
        conditions::evaluated(criterion, value)
    }

    fn judges(&self) -> Vec<JudgePreset> {
        vec![
            JudgePreset::new("gpt-4o-mini", "GPT-4o mini", Wire::OpenAi, "gpt-4o-mini")
                .temperature(0.0)
                .note("The paper names the model alone; temperature 0 is Juror's choice."),
        ]
    }

    fn published(&self) -> Published {
        published::published()
    }

    fn formulas(&self, profile: Profile) -> Vec<Formula> {
        differences::formulas(profile)
    }
}
