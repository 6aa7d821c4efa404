//! MultiBanana: 36 task types with one to eight references; a judge gives five whole numbers from 1 to 10.
//!
//! Source: the MultiBanana paper and the authors' `judge.py` and `qwenvl_judge.py`; where they differ, all are here.
//!
#![doc = include_str!("README.md")]

use crate::model::incident::IncidentKind;
use crate::model::judge::{JudgePreset, Wire};
use crate::model::linked::World;
use crate::model::options::{Policy, Profile, ScoreOptions};
use crate::model::problem::Problem;
use crate::model::reply::{ParsedReply, Read, ReplyFile, refuse_text};
use crate::model::request::{Draft, GeneratorInput, InputKey, RequestKey};
use crate::model::sample::{Benchmark, Candidate, Sample, Span, Texts, Turn};
use crate::model::score::Scores;
use crate::model::submission::Submission;
use crate::model::terms::{CriterionInfo, Difference, Direction, Formula, RequestInfo, Words};
use crate::prompt::PromptPack;
use crate::protocol::contract::{Loaded, Protocol};
use crate::protocol::published::Published;
use crate::text::Marks;
use crate::tree::FileTree;

mod benchmark;
mod differences;
pub mod layout;
mod models;
mod published;
pub mod request;
mod rows;
pub mod score;
pub mod verdict;

/// The MultiBanana protocol.
#[derive(Clone, Copy, Debug)]
pub struct MultiBanana;

/// The five criteria as the judge's reply spells them, in the order of all five-number arrays here.
pub const LABELS: [&str; 5] = [
    "Instruction Alignment",
    "Reference Consistency",
    "Background-Subject Match",
    "Physical Realism",
    "Visual Quality",
];

/// Criterion ids: the authors' column names in lower case.
pub const CRITERIA: [&str; 5] = [
    "instruction_alignment",
    "reference_consistency",
    "background_subject_match",
    "physical_realism",
    "visual_quality",
];

/// The one request kind: a judge rates all five criteria in one reply.
pub const REQUEST: &str = "judge";

/// Lower end of the judge's scale.
pub const MIN_SCORE: f64 = 1.0;
/// Upper end of the judge's scale.
pub const MAX_SCORE: f64 = 10.0;

/// The judges whose replies the paper's tables average.
pub const PAPER_JUDGES: [&str; 2] = ["gemini", "gpt"];

impl Protocol for MultiBanana {
    fn id(&self) -> &'static str {
        "multibanana"
    }

    fn title(&self) -> &'static str {
        "MultiBanana"
    }

    fn words(&self) -> Words {
        Words {
            sample: "set".to_owned(),
            samples: "sets".to_owned(),
            units: "sets".to_owned(),
            domain: "task".to_owned(),
            category: "family".to_owned(),
        }
    }

    fn criteria(&self) -> Vec<CriterionInfo> {
        let texts = [
            ("IA", "Everything that the instruction asks for is there."),
            (
                "RC",
                "What was taken from the references looks like the references.",
            ),
            (
                "BSM",
                "Subjects and background fit together in light, style and scale.",
            ),
            ("PR", "Nothing breaks the laws of nature."),
            ("VQ", "The picture is pleasing and clean as a whole."),
        ];
        let info = |id: &str, short: &str, label: &str, meaning: &str| CriterionInfo {
            id: id.to_owned(),
            short: short.to_owned(),
            label: label.to_owned(),
            meaning: meaning.to_owned(),
            min: MIN_SCORE,
            max: MAX_SCORE,
            allowed: None,
            scale: 1.0,
            decimals: 3,
            direction: Direction::Up,
        };
        let mut criteria: Vec<CriterionInfo> = CRITERIA
            .iter()
            .zip(LABELS)
            .zip(texts)
            .map(|((id, label), (short, meaning))| info(id, short, label, meaning))
            .collect();
        criteria.push(info(
            "total",
            "Total",
            "Total",
            "The five criteria together: weighted 3:3:1:1:1 in the paper, plain in the released code.",
        ));
        criteria
    }

    fn requests(&self) -> Vec<RequestInfo> {
        let mut criteria: Vec<String> = CRITERIA.iter().map(|id| (*id).to_owned()).collect();
        criteria.push("total".to_owned());
        vec![RequestInfo {
            id: REQUEST.to_owned(),
            short: "Judge".to_owned(),
            label: "Judge, five criteria".to_owned(),
            criteria,
        }]
    }

    fn requests_of(&self, _sample: &Sample, _turn: &Turn) -> Vec<&'static str> {
        vec![REQUEST]
    }

    fn built_in_pack(&self) -> PromptPack {
        request::built_in()
    }

    fn may_hold_prompts(&self, path: &str) -> bool {
        request::may_hold_prompts(path)
    }

    fn official_pack(&self, files: &[(&str, &str)]) -> Option<PromptPack> {
        request::official(files)
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

    fn imply(&self, replies: &[&ReplyFile]) -> Benchmark {
        benchmark::imply(replies)
    }

    fn submissions(&self, tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission> {
        models::submissions(tree, benchmark)
    }

    fn read_replies(&self, path: &str, text: String) -> ReplyFile {
        models::read_replies(path, text)
    }

    fn mark_replies(&self, _path: &str, marks: Marks, replies: &mut ReplyFile) {
        // The authors search the text wherever a label stands in it, behind a byte order mark too.
        refuse_text(marks, replies);
    }

    fn has_agents(&self) -> bool {
        true
    }

    fn read(&self, _sample: Option<&Sample>, _request: &str, reply: &str) -> Read {
        Read::Several(models::read(reply))
    }

    fn parse(
        &self,
        _sample: Option<&Sample>,
        _request: &str,
        profile: Profile,
        reply: &str,
    ) -> ParsedReply {
        verdict::parse(profile, reply)
    }

    fn grammar(&self, _sample: Option<&Sample>, _request: &str) -> String {
        verdict::GRAMMAR.to_owned()
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

    fn turn_total(&self, counted: &[(&str, Option<f64>)]) -> Option<f64> {
        let runs: Vec<f64> = counted.iter().filter_map(|(_, total)| *total).collect();
        score::mean(&runs)
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        request::spans(text)
    }

    fn differences(&self, world: &World<'_>) -> Vec<Difference> {
        differences::differences(world)
    }

    fn judges(&self) -> Vec<JudgePreset> {
        vec![
            JudgePreset::new(
                "gemini",
                "Gemini 2.5 Flash",
                Wire::Gemini,
                "gemini-2.5-flash",
            ),
            JudgePreset::new(
                "gpt",
                "GPT-5 (2025-08-07)",
                Wire::OpenAi,
                "gpt-5-2025-08-07",
            )
            .extra("max_completion_tokens", 8192),
            JudgePreset::new(
                "qwenvl",
                "Qwen3-VL-8B",
                Wire::OpenAi,
                "Qwen/Qwen3-VL-8B-Instruct",
            )
            .max_tokens(1024)
            .note(
                "The authors run it locally in bfloat16 with the model's own settings of sampling.",
            ),
        ]
    }

    fn published(&self) -> Published {
        published::published()
    }

    fn members(&self, benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
        Some(rows::members(benchmark, scope, key))
    }

    fn formulas(&self, profile: Profile) -> Vec<Formula> {
        differences::formulas(profile)
    }
}
