//! Levels, tasks and metrics: what VIBE is made of.

use juror_model::sample::{Benchmark, Sample};

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
    /// use juror_protocols::vibe::Task;
    /// assert_eq!(Task::named("flow"), Some(Task::FlowSimulation));
    /// assert_eq!(Task::named("2-Tasks"), Some(Task::TwoTasks));
    /// assert_eq!(Task::named("Paper_Folding"), None); // abandoned by the authors
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        let plain = |byte: u8| match byte {
            b'-' | b' ' => b'_',
            byte => byte.to_ascii_lowercase(),
        };
        // Every folder of every file is asked about, whatever benchmark it is of.
        let is =
            |id: &str| id.len() == name.len() && id.bytes().map(plain).eq(name.bytes().map(plain));
        if is("flow") {
            return Some(Self::FlowSimulation);
        }
        Self::ALL.into_iter().find(|task| is(task.id()))
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
    pub(super) fn meaning(self) -> &'static str {
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
pub(super) const PARTS: [(Metric, &[&str]); 3] = [
    (Metric::BiiCicCp, &["BII", "CIC", "CP"]),
    (Metric::ReorientationContextualPreservation, &["IC", "VI"]),
    (Metric::Billiards, &["CP", "PC", "CC"]),
];

/// A name of the authors in words.
pub(super) fn words_of(id: &str) -> String {
    id.replace('_', " ")
}

/// The name of a sub-score in the authors' summaries.
pub(super) fn part_id(metric: Metric, key: &str) -> String {
    format!("{}/{key}", metric.id())
}

/// The task of a sample.
pub(super) fn task_of(sample: &Sample) -> Option<Task> {
    Task::named(&sample.domain)
}

/// The levels and tasks that the samples belong to, in the paper's order.
pub(super) fn tasks_of(benchmark: &Benchmark) -> Vec<Task> {
    let mut is_there = [false; Task::ALL.len()];
    for task in benchmark.samples.iter().filter_map(task_of) {
        is_there[task as usize] = true;
    }
    let all = Task::ALL.into_iter();
    all.filter(|task| is_there[*task as usize]).collect()
}

/// The metrics that a sample is judged on.
pub(super) fn metrics_of(sample: &Sample) -> &'static [Metric] {
    task_of(sample).map_or(&[], Task::metrics)
}

/// The levels of the overall score that have a sample.
pub(super) fn levels_of(tasks: &[Task]) -> Vec<Level> {
    let levels = Level::ALL
        .into_iter()
        .filter(|level| *level != Level::Multi);
    levels
        .filter(|level| tasks.iter().any(|task| task.level() == *level))
        .collect()
}
