//! VIBE: edits told by a drawn instruction and a text, judged by sub-scores in three runs.
//!
//! Source: the VIBE paper and the authors' evaluation code; where the two differ, both are here.
//! Ten tasks on three levels, and two sets of combined tasks; each task has its own metrics, and a metric is one judge request.
//!
#![doc = include_str!("README.md")]

use std::collections::BTreeMap;

use crate::limits;
use crate::model::incident::IncidentKind;
use crate::model::judge::{JudgePreset, Wire};
use crate::model::linked::World;
use crate::model::options::{Policy, Profile, ScoreOptions};
use crate::model::problem::Problem;
use crate::model::reply::{Fault, ParsedReply, Read, ReplyFile, Verdict, refuse_json};
use crate::model::request::{Draft, GeneratorInput, InputKey, RequestKey};
use crate::model::sample::{Benchmark, Candidate, Sample, Span, Texts, Turn};
use crate::model::score::Scores;
use crate::model::submission::Submission;
use crate::model::terms::{CriterionInfo, Difference, Direction, Formula, RequestInfo, Words};
use crate::prompt::PromptPack;
use crate::protocol::contract::{Loaded, Protocol};
use crate::protocol::published::Published;
use crate::py::Value;
use crate::text::Marks;
use crate::tree::FileTree;

mod benchmark;
pub mod billiards;
pub mod checker;
mod differences;
mod engine;
pub mod layout;
mod models;
mod published;
mod replies;
pub mod request;
pub mod score;
pub mod verdict;

/// The VIBE protocol.
#[derive(Clone, Copy, Debug)]
pub struct Vibe;

/// The levels of the paper, and the extension with several tasks at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Point at it: boxes and arrows.
    Deictic,
    /// Shape it: poses, frustums, sketches.
    Morphological,
    /// Predict it: light, wind, balls.
    Causal,
    /// Two or three deictic tasks in one picture; outside the overall score.
    Multi,
}

impl Level {
    /// All levels, in the paper's order.
    pub const ALL: [Self; 4] = [
        Self::Deictic,
        Self::Morphological,
        Self::Causal,
        Self::Multi,
    ];

    /// Name in the paper.
    pub fn id(self) -> &'static str {
        match self {
            Self::Deictic => "Deictic",
            Self::Morphological => "Morphological",
            Self::Causal => "Causal",
            Self::Multi => "Multi-Task",
        }
    }

    /// The tasks whose means the level's average is the mean of.
    pub fn tasks(self) -> impl Iterator<Item = Task> {
        Task::ALL
            .into_iter()
            .filter(move |task| task.level() == self)
    }
}

/// A task: what kind of edit the drawing asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    /// Put something into the box.
    Addition,
    /// Take away what is in the box.
    Removal,
    /// Put something else in its place.
    Replacement,
    /// Move it along the arrow.
    Translation,
    /// Bring the person into the pose of a stick figure.
    PoseControl,
    /// Turn the object as the frustum shows.
    Reorientation,
    /// Make the sketch real.
    DraftInstantiation,
    /// Light from the arrow's direction.
    LightControl,
    /// Wind in the arrow's direction.
    FlowSimulation,
    /// Follow the ball.
    Billiards,
    /// Two deictic tasks at once.
    TwoTasks,
    /// Three deictic tasks at once.
    ThreeTasks,
}

impl Task {
    /// All tasks, in the paper's order.
    pub const ALL: [Self; 12] = [
        Self::Addition,
        Self::Removal,
        Self::Replacement,
        Self::Translation,
        Self::PoseControl,
        Self::Reorientation,
        Self::DraftInstantiation,
        Self::LightControl,
        Self::FlowSimulation,
        Self::Billiards,
        Self::TwoTasks,
        Self::ThreeTasks,
    ];

    /// Name in the authors' files.
    pub fn id(self) -> &'static str {
        match self {
            Self::Addition => "Addition",
            Self::Removal => "Removal",
            Self::Replacement => "Replacement",
            Self::Translation => "Translation",
            Self::PoseControl => "Pose_Control",
            Self::Reorientation => "Reorientation",
            Self::DraftInstantiation => "Draft_Instantiation",
            Self::LightControl => "Light_Control",
            Self::FlowSimulation => "Flow_Simulation",
            Self::Billiards => "Billiards",
            Self::TwoTasks => "2-Tasks",
            Self::ThreeTasks => "3-Tasks",
        }
    }

    /// Abbreviation in the paper's tables.
    pub fn short(self) -> &'static str {
        match self {
            Self::Addition => "AD",
            Self::Removal => "RM",
            Self::Replacement => "RP",
            Self::Translation => "TR",
            Self::PoseControl => "PC",
            Self::Reorientation => "RO",
            Self::DraftInstantiation => "DI",
            Self::LightControl => "LC",
            Self::FlowSimulation => "FS",
            Self::Billiards => "BI",
            Self::TwoTasks => "2T",
            Self::ThreeTasks => "3T",
        }
    }

    /// The task of this name in any spelling that the authors use: case and `-`, `_`, blanks make no difference,
    /// and `Flow` is `Flow_Simulation`.
    ///
    /// # Example
    /// ```
    /// use juror_core::protocol::vibe::Task;
    /// assert_eq!(Task::named("flow"), Some(Task::FlowSimulation));
    /// assert_eq!(Task::named("2-Tasks"), Some(Task::TwoTasks));
    /// assert_eq!(Task::named("Paper_Folding"), None); // abandoned by the authors
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        let plain = |name: &str| name.to_ascii_lowercase().replace(['-', ' '], "_");
        let name = plain(name);
        if name == "flow" {
            return Some(Self::FlowSimulation);
        }
        Self::ALL.into_iter().find(|task| plain(task.id()) == name)
    }

    /// The level that the task's mean enters.
    pub fn level(self) -> Level {
        match self {
            Self::Addition | Self::Removal | Self::Replacement | Self::Translation => {
                Level::Deictic
            }
            Self::PoseControl | Self::Reorientation | Self::DraftInstantiation => {
                Level::Morphological
            }
            Self::LightControl | Self::FlowSimulation | Self::Billiards => Level::Causal,
            Self::TwoTasks | Self::ThreeTasks => Level::Multi,
        }
    }

    /// Samples in the authors' data set.
    pub fn num_samples(self) -> u32 {
        match self {
            Self::Billiards => 134,
            Self::TwoTasks => 90,
            Self::ThreeTasks => 60,
            _ => 100,
        }
    }

    /// What its outputs are judged on, in the order in which the authors' code asks.
    ///
    /// The order matters: [`Metric::InstructionAdherence`] decides whether [`Metric::VisualCoherence`] is asked at all.
    pub fn metrics(self) -> &'static [Metric] {
        match self {
            Self::PoseControl => &[Metric::PoseConsistency, Metric::BiiCicCp],
            Self::Reorientation => &[
                Metric::OrientationAlignment,
                Metric::ReorientationContextualPreservation,
            ],
            Self::LightControl => &[
                Metric::LightDirectionConsistency,
                Metric::ContextualPreservation,
            ],
            Self::FlowSimulation => &[
                Metric::WindDirectionConsistency,
                Metric::WindContextualPreservation,
            ],
            Self::Billiards => &[Metric::Billiards],
            _ => &[
                Metric::InstructionAdherence,
                Metric::ContextualPreservation,
                Metric::VisualCoherence,
            ],
        }
    }

    /// Whether `source` paths start at the data set's root; those of other tasks start at the task's folder.
    pub fn has_shared_sources(self) -> bool {
        matches!(self.level(), Level::Deictic | Level::Multi)
    }
}

/// A metric: one judge request, whose reply holds one or more sub-scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// Was the edit done, at the place and in the way that was shown?
    InstructionAdherence,
    /// Did everything else stay?
    ContextualPreservation,
    /// Is the result of one piece?
    VisualCoherence,
    /// Do the four limbs match the stick figure?
    PoseConsistency,
    /// One body, the same person, the same surroundings.
    BiiCicCp,
    /// Does the object face as the frustum shows, by axis?
    OrientationAlignment,
    /// The same object, in a sound picture.
    ReorientationContextualPreservation,
    /// Does the light come from where the arrow does?
    LightDirectionConsistency,
    /// Does the wind blow as the arrow shows?
    WindDirectionConsistency,
    /// The same subject at the same place under the wind.
    WindContextualPreservation,
    /// Table, path and ball hit.
    Billiards,
}

impl Metric {
    /// All metrics, in the paper's order of tasks.
    pub const ALL: [Self; 11] = [
        Self::InstructionAdherence,
        Self::ContextualPreservation,
        Self::VisualCoherence,
        Self::PoseConsistency,
        Self::BiiCicCp,
        Self::OrientationAlignment,
        Self::ReorientationContextualPreservation,
        Self::LightDirectionConsistency,
        Self::WindDirectionConsistency,
        Self::WindContextualPreservation,
        Self::Billiards,
    ];

    /// Name in the authors' files.
    pub fn id(self) -> &'static str {
        match self {
            Self::InstructionAdherence => "Instruction_Adherence",
            Self::ContextualPreservation => "Contextual_Preservation",
            Self::VisualCoherence => "Visual_Coherence",
            Self::PoseConsistency => "Pose_Consistency",
            Self::BiiCicCp => "BII_CIC_CP",
            Self::OrientationAlignment => "Orientation_Alignment",
            Self::ReorientationContextualPreservation => "Reorientation_Contextual_Preservation",
            Self::LightDirectionConsistency => "Light_Direction_Consistency",
            Self::WindDirectionConsistency => "Wind_Direction_Consistency",
            Self::WindContextualPreservation => "Wind_Contextual_Preservation",
            Self::Billiards => "Billiards",
        }
    }

    /// The metric of exactly this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|metric| metric.id() == name)
    }

    /// The keys of the reply's object, as the judge has to spell them; one for each sub-score.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Self::InstructionAdherence => &[
                "Visual_Instruction_Localization_Correctness",
                "Visual_Operator_Type_Compliance",
                "Textual_Action_Semantic_Compliance",
            ],
            Self::ContextualPreservation => &["Contextual_Preservation"],
            Self::VisualCoherence => &[
                "Style_Consistency",
                "Visual_Seamlessness",
                "Artifact-Free_Generation",
            ],
            Self::PoseConsistency => &["Left_Arm", "Right_Arm", "Left_Leg", "Right_Leg"],
            Self::BiiCicCp => &[
                "Body Instance Integrity",
                "Character Identity Consistency",
                "Context Preservation",
            ],
            Self::OrientationAlignment => &["Yaw", "Pitch", "Roll"],
            Self::ReorientationContextualPreservation => {
                &["Identity_Consistency", "Visual_Integrity"]
            }
            Self::LightDirectionConsistency => &[
                "Direction_Matching_Consistency",
                "Physical_Lighting_Consistency",
            ],
            Self::WindDirectionConsistency => &["Wind_Direction_Consistency"],
            Self::WindContextualPreservation => {
                &["Wind-Identity_Preservation", "Wind-Other_Preservation"]
            }
            Self::Billiards => &[
                "Context_Preservation",
                "Path_Correctness",
                "Collision_Correctness",
            ],
        }
    }

    /// Whether the reply's object holds the metric's own name and nothing below it but reason and score.
    pub fn is_single(self) -> bool {
        matches!(
            self,
            Self::ContextualPreservation | Self::WindDirectionConsistency
        )
    }

    /// Abbreviation, as far as the paper has one.
    pub fn short(self) -> &'static str {
        match self {
            Self::InstructionAdherence => "IA",
            Self::ContextualPreservation => "CP",
            Self::VisualCoherence => "VC",
            Self::PoseConsistency => "PC",
            Self::BiiCicCp => "BII/CIC/CP",
            Self::OrientationAlignment => "OA",
            Self::ReorientationContextualPreservation => "IC/VI",
            Self::LightDirectionConsistency => "LDC",
            Self::WindDirectionConsistency => "WDC",
            Self::WindContextualPreservation => "W-CP",
            Self::Billiards => "BI",
        }
    }

    /// One sentence: what a high score means.
    fn meaning(self) -> &'static str {
        match self {
            Self::InstructionAdherence => "The edit was done where and as it was shown and said.",
            Self::ContextualPreservation => "What the request was not about stayed as it was.",
            Self::VisualCoherence => "The result is of one style, without seams and faults.",
            Self::PoseConsistency => "Arms and legs are held as the stick figure shows.",
            Self::BiiCicCp => "One whole body, the same person, the same surroundings.",
            Self::OrientationAlignment => "The object faces as the frustum shows.",
            Self::ReorientationContextualPreservation => {
                "The turned object is the same one, in a sound picture."
            }
            Self::LightDirectionConsistency => "The light comes from where the arrow does.",
            Self::WindDirectionConsistency => "The wind blows as the arrow shows.",
            Self::WindContextualPreservation => {
                "The subject is the same one, at the same place and in the same pose."
            }
            Self::Billiards => "Table, path and ball hit are those of the golden answer.",
        }
    }
}

/// The sub-scores that the paper treats as criteria of their own, with their abbreviations.
const PARTS: [(Metric, &[&str]); 3] = [
    (Metric::BiiCicCp, &["BII", "CIC", "CP"]),
    (Metric::ReorientationContextualPreservation, &["IC", "VI"]),
    (Metric::Billiards, &["CP", "PC", "CC"]),
];

fn words_of(id: &str) -> String {
    id.replace('_', " ")
}

fn criterion(id: String, short: &str, label: String, meaning: &str) -> CriterionInfo {
    CriterionInfo {
        id,
        short: short.to_owned(),
        label,
        meaning: meaning.to_owned(),
        min: 0.0,
        max: 1.0,
        allowed: None,
        scale: 100.0,
        decimals: 2,
        direction: Direction::Up,
    }
}

impl Protocol for Vibe {
    fn id(&self) -> &'static str {
        "vibe"
    }

    fn title(&self) -> &'static str {
        "VIBE"
    }

    fn words(&self) -> Words {
        Words {
            sample: "item".to_owned(),
            samples: "items".to_owned(),
            units: "items".to_owned(),
            domain: "task".to_owned(),
            category: "level".to_owned(),
        }
    }

    fn criteria(&self) -> Vec<CriterionInfo> {
        let mut criteria = Vec::new();
        for metric in Metric::ALL {
            let id = metric.id();
            criteria.push(criterion(
                id.to_owned(),
                metric.short(),
                words_of(id),
                metric.meaning(),
            ));
            let parts = PARTS.iter().filter(|(of, _)| *of == metric);
            for (key, short) in parts.flat_map(|(_, shorts)| metric.keys().iter().zip(*shorts)) {
                criteria.push(criterion(
                    engine::part_id(metric, key),
                    &format!("{}-{short}", part_prefix(metric)),
                    words_of(key),
                    "A criterion of its own in the paper; one of several in the authors' reply.",
                ));
            }
        }
        criteria.push(CriterionInfo {
            max: 100.0,
            scale: 1.0,
            ..criterion(
                "total".to_owned(),
                "Score",
                "Score".to_owned(),
                "Per item the geometric mean of its metrics; then means over items, runs, tasks and levels.",
            )
        });
        criteria
    }

    fn requests(&self) -> Vec<RequestInfo> {
        Metric::ALL
            .into_iter()
            .map(|metric| {
                let id = metric.id();
                let mut criteria = vec![id.to_owned()];
                if PARTS.iter().any(|(of, _)| *of == metric) {
                    criteria.extend(metric.keys().iter().map(|key| engine::part_id(metric, key)));
                }
                RequestInfo {
                    id: id.to_owned(),
                    short: metric.short().to_owned(),
                    label: words_of(id),
                    criteria,
                }
            })
            .collect()
    }

    fn requests_of(&self, sample: &Sample, _turn: &Turn) -> Vec<&'static str> {
        let metrics = benchmark::metrics_of(sample).iter();
        metrics.map(|metric| metric.id()).collect()
    }

    fn built_in_pack(&self) -> PromptPack {
        request::built_in_pack()
    }

    fn may_hold_prompts(&self, path: &str) -> bool {
        request::kind_of_path(path).is_some()
    }

    fn prompt_root<'a>(&self, path: &'a str) -> &'a str {
        request::prompt_root(path)
    }

    fn official_pack(&self, files: &[(&str, &str)]) -> Option<PromptPack> {
        request::official_pack(files)
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
        replies::read(path, text)
    }

    fn mark_replies(&self, _path: &str, marks: Marks, replies: &mut ReplyFile) {
        refuse_json(marks, replies);
    }

    fn check_replies(
        &self,
        replies: &ReplyFile,
        positions: &[Option<u32>],
        _benchmark: &Benchmark,
        path: &str,
        problems: &mut Vec<Problem>,
    ) {
        replies::check(replies, positions, path, problems);
    }

    fn read(&self, sample: Option<&Sample>, request: &str, reply: &str) -> Read {
        let Some(metric) = Metric::named(request) else {
            return Read::Several(Verdict::fault(Fault::Ignored));
        };
        if limits::long_reply(reply).is_some() {
            return Read::Several(Verdict::fault(Fault::Unparsable));
        }
        let task = sample.and_then(benchmark::task_of);
        Read::Several(Verdict {
            paper: verdict::strict(task, metric, reply)
                .map(Vec::into_boxed_slice)
                .map_err(|rejected| rejected.fault),
            released: verdict::released(metric, reply)
                .map(|stored| verdict::atoms(metric, &stored).into_boxed_slice())
                .map_err(|rejected| rejected.fault),
        })
    }

    fn parse(
        &self,
        sample: Option<&Sample>,
        request: &str,
        profile: Profile,
        reply: &str,
    ) -> ParsedReply {
        let Some(metric) = Metric::named(request) else {
            return ParsedReply::Incident {
                kind: "unparsable".to_owned(),
                detail: format!(
                    "{request} is no metric of VIBE; only the authors' mean of an item takes it in."
                ),
            };
        };
        if let Some(detail) = limits::long_reply(reply) {
            return ParsedReply::Incident {
                kind: "unparsable".to_owned(),
                detail,
            };
        }
        let task = sample.and_then(benchmark::task_of);
        match replies::stored_member(metric, reply) {
            Some(stored) => parse_stored(task, metric, profile, &stored),
            None => parse_reply(task, metric, profile, reply),
        }
    }

    fn grammar(&self, _sample: Option<&Sample>, request: &str) -> String {
        Metric::named(request)
            .map_or_else(String::new, |metric| verdict::grammar(metric).to_owned())
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
        engine::score(world, options)
    }

    fn counts_as(&self, kind: IncidentKind, options: &ScoreOptions) -> &'static str {
        engine::counts_as(kind, options)
    }

    fn policy(&self, options: &ScoreOptions) -> Policy {
        engine::policy(options)
    }

    fn class(&self, _turn: &Turn) -> &'static str {
        "edit"
    }

    /// Known without the sub-scores for one run of the tasks whose formula is a mean of metrics; elsewhere the item's
    /// own total says it.
    fn turn_total(&self, counted: &[(&str, Option<f64>)]) -> Option<f64> {
        let is_known = |(at, (name, _)): (usize, &(&str, Option<f64>))| {
            *name != Metric::OrientationAlignment.id()
                && counted[..at].iter().all(|(other, _)| other != name)
        };
        if !counted.iter().enumerate().all(is_known) {
            return None;
        }
        let values: Option<Vec<f64>> = counted.iter().map(|(_, value)| *value).collect();
        let item = match *values?.as_slice() {
            [value] => value,
            [a, b] => score::direction(a, b),
            [ia, cp, vc] => score::adherence(ia, cp, vc),
            _ => return None,
        };
        Some(item * 100.0)
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        vec![Span {
            text: text.to_owned(),
            picture: None,
        }]
    }

    fn differences(&self, world: &World<'_>) -> Vec<Difference> {
        differences::differences(world)
    }

    fn judges(&self) -> Vec<JudgePreset> {
        vec![
            JudgePreset::new(
                "gpt-5.1",
                "GPT-5.1 (2025-11-13)",
                Wire::OpenAi,
                "gpt-5.1-2025-11-13",
            )
            .note("Three runs without parameters."),
        ]
    }

    fn published(&self) -> Published {
        published::published()
    }

    fn members(&self, benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
        engine::members(benchmark, scope, key)
    }

    fn formulas(&self, profile: Profile) -> Vec<Formula> {
        differences::formulas(profile)
    }
}

/// The task before the abbreviation of a part: `CP` is one in three tasks.
fn part_prefix(metric: Metric) -> &'static str {
    match metric {
        Metric::BiiCicCp => "PC",
        Metric::ReorientationContextualPreservation => "RO",
        _ => "BI",
    }
}

fn parse_reply(task: Option<Task>, metric: Metric, profile: Profile, reply: &str) -> ParsedReply {
    let stored = verdict::released(metric, reply);
    match profile {
        Profile::Paper => match verdict::strict(task, metric, reply) {
            Ok(atoms) => parsed(metric, profile, &atoms, stored.as_ref().ok()),
            Err(rejected) => incident(&rejected),
        },
        Profile::Released => match stored {
            Ok(stored) => {
                let atoms = verdict::atoms(metric, &stored);
                parsed(metric, profile, &atoms, Some(&stored))
            }
            Err(mut rejected) => {
                rejected
                    .detail
                    .push_str(" The authors' code asks again, and stops after 51 failures.");
                incident(&rejected)
            }
        },
    }
}

fn parse_stored(
    task: Option<Task>,
    metric: Metric,
    profile: Profile,
    stored: &Value,
) -> ParsedReply {
    let atoms = match profile {
        Profile::Paper => match verdict::strict_stored(task, metric, stored) {
            Ok(atoms) => atoms,
            Err(rejected) => return incident(&rejected),
        },
        Profile::Released => verdict::atoms(metric, stored),
    };
    if profile == Profile::Released && atoms.last().is_none_or(|score| score.is_nan()) {
        return ParsedReply::Incident {
            kind: "unparsable".to_owned(),
            detail: format!(
                "{} holds no score; the authors' code passes over it.",
                metric.id()
            ),
        };
    }
    parsed(metric, profile, &atoms, Some(stored))
}

fn incident(rejected: &verdict::Rejected) -> ParsedReply {
    let kind = match rejected.fault {
        Fault::OutOfRange => IncidentKind::OutOfRange,
        Fault::FailedCall => IncidentKind::FailedCall,
        _ => IncidentKind::Unparsable,
    };
    ParsedReply::Incident {
        kind: kind.id().to_owned(),
        detail: rejected.detail.clone(),
    }
}

/// Sub-scores under their names, the metric's score, and the reasons one after the other.
fn parsed(metric: Metric, profile: Profile, atoms: &[f64], stored: Option<&Value>) -> ParsedReply {
    let score = match profile {
        Profile::Paper => score::paper_metric(metric, atoms),
        Profile::Released => atoms.last().copied(),
    };
    // What was skipped has a score and no parts.
    let score = score.or_else(|| atoms.last().copied().filter(|score| !score.is_nan()));
    let mut criteria = BTreeMap::new();
    if !metric.is_single() {
        let parts = metric.keys().iter().zip(atoms);
        criteria.extend(
            parts
                .filter(|(_, atom)| !atom.is_nan())
                .map(|(key, atom)| (engine::part_id(metric, key), *atom)),
        );
    }
    criteria.extend(score.map(|score| (metric.id().to_owned(), score)));
    let reason_of = |object: Option<&Value>| {
        let reason = object.and_then(|object| object.get("reason"));
        reason
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let mut reason = reason_of(stored);
    if reason.is_empty() {
        let reasons = metric.keys().iter().filter_map(|key| {
            let sub = stored?.get(key);
            let text = match sub {
                Some(Value::Str(label)) => label.clone(),
                sub => reason_of(sub),
            };
            (!text.is_empty()).then(|| format!("{}: {text}", words_of(key)))
        });
        reason = reasons.collect::<Vec<_>>().join("\n");
    }
    ParsedReply::Ok {
        criteria,
        score,
        reason,
    }
}
