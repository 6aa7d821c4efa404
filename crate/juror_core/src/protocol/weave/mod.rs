//! WEAVEBench: 100 multi-turn dialogues in which every answer is a picture or a text.
//!
//! Source: the WEAVE paper and the authors' evaluation code (`eval/`); where the two differ, both are here.
//!
#![doc = include_str!("README.md")]

use crate::model::incident::IncidentKind;
use crate::model::judge::{JudgePreset, Wire};
use crate::model::linked::World;
use crate::model::options::{Policy, Profile, ScoreOptions};
use crate::model::problem::Problem;
use crate::model::reply::{ParsedReply, Read, ReplyFile};
use crate::model::request::{Draft, GeneratorInput, InputKey, RequestKey};
use crate::model::sample::{Benchmark, Candidate, Sample, Span, Texts, Turn, TurnKind};
use crate::model::score::Scores;
use crate::model::submission::Submission;
use crate::model::terms::{CriterionInfo, Difference, Direction, Formula, RequestInfo, Words};
use crate::prompt::{self, PromptPack};
use crate::protocol::contract::{Loaded, Protocol};
use crate::protocol::published::Published;
use crate::text::Marks;
use crate::tree::{FileTree, base_name};

pub mod context;
pub mod differences;
mod findings;
pub mod layout;
pub mod metrics;
mod published;
pub mod request;
pub mod score;
pub mod verdict;

/// The WEAVEBench protocol.
#[derive(Clone, Copy, Debug)]
pub struct Weave;

/// Key point: are the requirements met?
pub const KP: u16 = 0;
/// Visual consistency: did the rest stay as it was?
pub const VC: u16 = 1;
/// Image quality.
pub const IQ: u16 = 2;
/// Accuracy of a text answer.
pub const ACC: u16 = 3;

/// Criterion ids as the authors' files spell them, in the order of the constants above.
pub const CRITERIA: [&str; 4] = [
    "key_point",
    "visual_consistency",
    "image_quality",
    "accuracy",
];

/// The names of the authors' prompt constants, in the same order.
pub const PROMPT_NAMES: [&str; 4] = [
    "prompt_keypoint_checklist",
    "prompt_visual_consistency",
    "prompt_image_quality",
    "prompt_txt_acc",
];

/// The domains of each category, as the authors' summary groups them.
pub const CATEGORIES: [(&str, &[&str]); 4] = [
    (
        "Science",
        &[
            "optics",
            "geography",
            "astronomy",
            "chemistry",
            "physics",
            "biology",
        ],
    ),
    ("Creation", &["edit", "recall", "fusion", "story"]),
    ("Logic", &["spatial", "mathematics"]),
    (
        "Game",
        &["chess_game", "visual_jigsaw", "minecraft", "maze"],
    ),
];

/// The category of a domain; empty for a domain outside the table.
pub fn category_of(domain: &str) -> &'static str {
    CATEGORIES
        .iter()
        .find(|(_, domains)| domains.contains(&domain))
        .map_or("", |(category, _)| category)
}

impl Protocol for Weave {
    fn id(&self) -> &'static str {
        "weave"
    }

    fn title(&self) -> &'static str {
        "WEAVEBench"
    }

    fn words(&self) -> Words {
        Words {
            sample: "dialogue".to_owned(),
            samples: "dialogues".to_owned(),
            units: "turns".to_owned(),
            domain: "domain".to_owned(),
            category: "category".to_owned(),
        }
    }

    fn requests(&self) -> Vec<RequestInfo> {
        let criteria = self.criteria().into_iter().take(CRITERIA.len());
        criteria
            .map(|info| RequestInfo {
                criteria: vec![info.id.clone()],
                id: info.id,
                short: info.short,
                label: info.label,
            })
            .collect()
    }

    fn requests_of(&self, _sample: &Sample, turn: &Turn) -> Vec<&'static str> {
        match turn.kind {
            TurnKind::Image => vec!["key_point", "visual_consistency", "image_quality"],
            TurnKind::Text => vec!["accuracy"],
        }
    }

    fn criteria(&self) -> Vec<CriterionInfo> {
        let texts = [
            ("KP", "Key point", "Every requirement of the turn is met."),
            (
                "VC",
                "Visual consistency",
                "What the turn did not ask to change stayed as it was.",
            ),
            (
                "IQ",
                "Image quality",
                "The picture is technically clean: no artefacts, sound structure.",
            ),
            (
                "ACC",
                "Accuracy",
                "The text answer says what the standard answer says.",
            ),
        ];
        let mut criteria: Vec<CriterionInfo> = CRITERIA
            .iter()
            .zip(texts)
            .map(|(id, (short, label, meaning))| CriterionInfo {
                id: (*id).to_owned(),
                short: short.to_owned(),
                label: label.to_owned(),
                meaning: meaning.to_owned(),
                min: 0.0,
                max: 10.0,
                allowed: (*id == "accuracy").then(|| vec![0.0, 5.0, 10.0]),
                scale: 0.1,
                decimals: 3,
                direction: Direction::Up,
            })
            .collect();
        criteria.push(CriterionInfo {
            id: "total".to_owned(),
            short: "Avg".to_owned(),
            label: "Weighted average".to_owned(),
            meaning: "The weighted sum that the paper's tables call Avg.".to_owned(),
            min: 0.0,
            max: 1.0,
            allowed: None,
            scale: 1.0,
            decimals: 3,
            direction: Direction::Up,
        });
        criteria
    }

    fn built_in_pack(&self) -> PromptPack {
        let texts = [
            include_str!("prompts/key_point.txt"),
            include_str!("prompts/visual_consistency.txt"),
            include_str!("prompts/image_quality.txt"),
            include_str!("prompts/accuracy.txt"),
        ];
        let texts = CRITERIA
            .iter()
            .zip(texts)
            .map(|(id, text)| ((*id).to_owned(), text.to_owned()))
            .collect();
        PromptPack::new("juror-weave/1", false, texts)
    }

    fn may_hold_prompts(&self, path: &str) -> bool {
        let name = base_name(path);
        name == "prompts.py"
            || PROMPT_NAMES
                .iter()
                .any(|constant| name.strip_suffix(".txt") == Some(constant))
    }

    fn official_pack(&self, files: &[(&str, &str)]) -> Option<PromptPack> {
        let mut texts: Vec<Option<String>> = vec![None; CRITERIA.len()];
        let mut origin = "";
        for (path, content) in files {
            let found = match base_name(path).strip_suffix(".txt") {
                Some(name) => vec![(name.to_owned(), (*content).to_owned())],
                None => prompt::python_strings(content),
            };
            for (name, text) in found {
                if let Some(at) = PROMPT_NAMES.iter().position(|constant| *constant == name) {
                    texts[at].get_or_insert(text);
                    origin = path;
                }
            }
        }
        let texts: Option<Vec<String>> = texts.into_iter().collect();
        let texts = CRITERIA
            .iter()
            .zip(texts?)
            .map(|(id, text)| ((*id).to_owned(), text))
            .collect();
        Some(PromptPack::new(origin, true, texts))
    }

    fn candidates(&self, tree: &FileTree) -> Vec<Candidate> {
        layout::candidates(tree)
    }

    fn load(
        &self,
        tree: &FileTree,
        candidate: &Candidate,
        texts: &Texts,
    ) -> Result<Loaded, Box<Problem>> {
        layout::load(tree, candidate, texts).map(Loaded::from)
    }

    fn imply(&self, replies: &[&ReplyFile]) -> Benchmark {
        layout::imply(replies)
    }

    fn submissions(&self, tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission> {
        layout::submissions(tree, benchmark)
    }

    fn read_replies(&self, path: &str, text: String) -> ReplyFile {
        let judge = layout::judge_of(path).unwrap_or_default();
        ReplyFile {
            judge: judge.to_owned(),
            ..metrics::read(text)
        }
    }

    fn mark_replies(&self, _path: &str, marks: Marks, replies: &mut ReplyFile) {
        metrics::mark(marks, replies);
    }

    fn check_replies(
        &self,
        replies: &ReplyFile,
        positions: &[Option<u32>],
        benchmark: &Benchmark,
        path: &str,
        problems: &mut Vec<Problem>,
    ) {
        findings::check(replies, positions, benchmark, path, problems);
    }

    fn read(&self, _sample: Option<&Sample>, request: &str, reply: &str) -> Read {
        Read::One(verdict::readings(request, reply))
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
        verdict::grammar(request).to_owned()
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
        context::input(world, key)
    }

    fn score(&self, world: &World<'_>, options: &ScoreOptions) -> Scores {
        score::score(world, options)
    }

    fn counts_as(&self, kind: IncidentKind, options: &ScoreOptions) -> &'static str {
        score::counts_as(kind, options)
    }

    fn policy(&self, options: &ScoreOptions) -> Policy {
        score::policy(options)
    }

    fn class(&self, turn: &Turn) -> &'static str {
        context::class(&turn.instruction, turn.kind)
    }

    fn turn_total(&self, counted: &[(&str, Option<f64>)]) -> Option<f64> {
        score::turn_total(&CRITERIA.map(|id| {
            counted
                .iter()
                .find(|(name, _)| *name == id)
                .and_then(|(_, value)| *value)
        }))
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        context::spans(text)
    }

    fn differences(&self, world: &World<'_>) -> Vec<Difference> {
        differences::differences(world)
    }

    fn judges(&self) -> Vec<JudgePreset> {
        vec![
            JudgePreset::new(
                "gpt-4o",
                "GPT-4o (2024-08-06)",
                Wire::OpenAi,
                "gpt-4o-2024-08-06",
            )
            .max_tokens(1400)
            .note("The paper's appendix and the released settings name GPT-4o."),
            JudgePreset::new(
                "gpt-4.1",
                "GPT-4.1 (2025-04-14)",
                Wire::OpenAi,
                "gpt-4.1-2025-04-14",
            )
            .max_tokens(1400)
            .note("The paper's section on reliability and its Figure 6 name GPT-4.1."),
        ]
    }

    fn published(&self) -> Published {
        published::published()
    }

    fn formulas(&self, profile: Profile) -> Vec<Formula> {
        differences::formulas(profile)
    }
}
