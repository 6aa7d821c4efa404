#![doc = include_str!("../README.md")]

use serde::{Deserialize, Serialize};

mod answer;
mod error;
pub mod plan;
mod record;
pub mod request;
mod work;

pub use answer::{Came, SUCCESS};
pub use error::AgentError;
pub use plan::{Mark, Plan};
pub(crate) use record::picture_path;
pub use record::{FORMAT, File, Kind, Made, Record, extension, read, read_lines, write};
pub use request::{Call, ContentPart, Loops};
pub use work::{
    AgentBody, AgentCall, AgentData, AgentExport, AgentFile, AgentKey, AgentPicture, AgentPlan,
    AgentQuery, AgentScope, AgentServices, AgentSetView, AgentStep, AgentStrip, AgentStrips,
    AgentTask, AgentWhich, FOLDER, RECORDS,
};

/// How a planner steers a generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Framework {
    /// Iterative prompt refinement: every picture is made anew.
    Ipr,
    /// Context-aware feedback: the generator is shown its previous picture as well.
    Cafg,
    /// Selective reference adaptation: the same, with the references that the planner chooses.
    Sra,
}

impl Framework {
    /// Every framework, in the paper's order.
    pub const ALL: [Self; 3] = [Self::Ipr, Self::Cafg, Self::Sra];

    /// Stable name.
    pub fn id(self) -> &'static str {
        match self {
            Self::Ipr => "ipr",
            Self::Cafg => "cafg",
            Self::Sra => "sra",
        }
    }

    /// As the paper writes it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Ipr => "IPR",
            Self::Cafg => "CAFG",
            Self::Sra => "SRA",
        }
    }
}

/// The most steps, counted in generated pictures: step models sort by name, so one digit.
pub const MAX_STEPS: u32 = 9;

/// Who makes trajectories, and under which name they are filed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "AgentSet")
)]
pub struct Set {
    /// The models of its steps are called after it: `NAME +IPR step 1`.
    pub name: String,
    /// How the planner steers the generator.
    pub framework: Framework,
    /// The planner's name.
    pub planner: String,
    /// The generator's name.
    pub generator: String,
}

impl Set {
    /// The model that the pictures of a step, from 1, are outputs of.
    ///
    /// # Example
    /// ```
    /// use juror_agents::{Framework, Set};
    /// let set = Set { name: "Nano".into(), framework: Framework::Sra, planner: "p".into(), generator: "g".into() };
    /// assert_eq!(set.model(2), "Nano +SRA step 2");
    /// ```
    pub fn model(&self, step: u32) -> String {
        format!("{} +{} step {step}", self.name, self.framework.label())
    }

    /// What keeps the name from being a folder's on every system.
    ///
    /// # Errors
    /// It is empty, too long, begins or ends badly, or has a character that some system refuses.
    pub fn check(&self) -> Result<(), AgentError> {
        self.fault()
            .map_or(Ok(()), |fault| Err(AgentError::BadSet(fault)))
    }

    fn fault(&self) -> Option<String> {
        let name = self.name.as_str();
        let is_bad = |c: char| c.is_control() || "/\\:*?\"<>|".contains(c);
        if name.trim().is_empty() {
            return Some("Expected a name for these trajectories, found none.".to_owned());
        }
        if let Some(bad) = name.chars().find(|c| is_bad(*c)) {
            return Some(format!(
                "The name becomes a folder's, and {bad:?} cannot be part of one on every system."
            ));
        }
        if name.trim() != name || name.starts_with('.') || name.chars().count() > 80 {
            return Some(
                "The name becomes a folder's: expected at most 80 characters, no blank at either end, and no dot in front."
                    .to_owned(),
            );
        }
        for (what, text) in [("planner", &self.planner), ("generator", &self.generator)] {
            if text.trim().is_empty() {
                return Some(format!("Expected the name of a {what}, found none."));
            }
        }
        None
    }
}

/// What a trajectory starts from.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// Whose loop it is.
    pub loops: &'a Loops,
    /// How the planner steers the generator.
    pub framework: Framework,
    /// P⁰.
    pub instruction: &'a str,
    /// I.
    pub num_references: u32,
    /// Pictures to make, from 1 to [`MAX_STEPS`].
    pub steps: u32,
}

/// What a trajectory waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "AgentDue")
)]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum Due {
    /// The generator's picture of this step.
    Picture {
        /// From 1.
        step: u32,
    },
    /// The planner's reply to the picture of this step.
    Plan {
        /// From 1.
        step: u32,
    },
    /// Nothing: all steps were made.
    Done,
    /// Nothing: the planner found every reference reflected in the picture of this step.
    Stopped {
        /// From 1.
        step: u32,
    },
}

impl Due {
    /// The calls that are still to be made if the planner does not stop early.
    ///
    /// # Example
    /// ```
    /// use juror_agents::{Due, Kind::{Picture, Plan}};
    /// assert_eq!(Due::Picture { step: 1 }.calls(3), [Picture, Plan, Picture, Plan, Picture]);
    /// assert_eq!(Due::Plan { step: 2 }.calls(3), [Plan, Picture]);
    /// assert!(Due::Done.calls(3).is_empty());
    /// ```
    pub fn calls(self, steps: u32) -> Vec<Kind> {
        let (first, step) = match self {
            Self::Picture { step } => (Kind::Picture, step),
            Self::Plan { step } => (Kind::Plan, step),
            Self::Done | Self::Stopped { .. } => return Vec::new(),
        };
        let mut calls = vec![first];
        for _ in step..steps {
            let next = match calls.last() {
                Some(Kind::Plan) => [Kind::Picture, Kind::Plan],
                _ => [Kind::Plan, Kind::Picture],
            };
            calls.extend(next);
        }
        // After the last picture nothing is planned any more.
        if calls.last() == Some(&Kind::Plan) {
            calls.pop();
        }
        calls
    }
}

/// One step of a trajectory, as far as it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// From 1.
    pub number: u32,
    /// P^t: what the generator is told.
    pub prompt: String,
    /// U^t: the references that it is shown, in ascending order.
    pub references: Vec<u32>,
    /// What is to be known of the plan that led here.
    pub mark: Option<Mark>,
    /// G^{t+1}, once there is one.
    pub picture: Option<&'a Record>,
    /// The planner's reply to it, once there is one.
    pub plan: Option<&'a Record>,
    /// The last call that failed where the picture or the plan is missing.
    pub failed: Option<&'a Record>,
}

/// A trajectory, as far as it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trajectory<'a> {
    /// Its steps; the last one may lack its picture.
    pub steps: Vec<Step<'a>>,
    /// What it waits for.
    pub due: Due,
}

impl Trajectory<'_> {
    /// The newest picture.
    pub fn last_picture(&self) -> Option<&Made> {
        let pictures = self.steps.iter().rev().filter_map(|step| step.picture);
        pictures.flat_map(|record| &record.picture).next()
    }

    /// The picture that stands for a step, from 1: its own, or after an early stop the last one.
    ///
    /// The planner that finds nothing to mend ends the loop with what it has; leaving such sets out of the later steps
    /// would compare the steps on different sets.
    pub fn picture_of(&self, step: u32) -> Option<&Made> {
        match self.due {
            Due::Stopped { step: last } if step > last => self.last_picture(),
            _ => {
                let at = (step as usize).checked_sub(1)?;
                self.steps.get(at)?.picture?.picture.as_ref()
            }
        }
    }
}

/// Replays what was kept of one trajectory.
///
/// A record counts if it answers the call that its place in the trajectory makes: same prompt, same references, same
/// picture given along, and the same hash where `hash` knows it, which it does once the references' content is known.
/// Records that do not fit stay where they are and count nothing; so a changed picture or prompt is paid for again, and
/// nothing else is.
pub fn follow<'a>(
    start: &Start<'_>,
    records: &[&'a Record],
    hash: &dyn Fn(&Call) -> Option<String>,
) -> Trajectory<'a> {
    let mut next = Plan {
        prompt: start.instruction.to_owned(),
        references: (0..start.num_references).collect(),
        mark: None,
        stops: false,
    };
    let mut steps: Vec<Step<'a>> = Vec::new();
    let mut previous: Option<String> = None;
    for number in 1..=start.steps.clamp(1, MAX_STEPS) {
        let call = request::picture(start, number, &next, previous.as_deref());
        let mut step = Step {
            number,
            prompt: next.prompt.clone(),
            references: next.references.clone(),
            mark: next.mark.clone(),
            picture: fitting(records, &call, hash),
            plan: None,
            failed: None,
        };
        let made = step.picture.and_then(|record| record.picture.as_ref());
        let Some(made) = made else {
            step.failed = failed(records, &call);
            steps.push(step);
            let due = Due::Picture { step: number };
            return Trajectory { steps, due };
        };
        if number == start.steps.clamp(1, MAX_STEPS) {
            steps.push(step);
            break;
        }
        let call = request::plan(start, number, &next.prompt, &made.sha256);
        step.plan = fitting(records, &call, hash);
        let Some(record) = step.plan else {
            step.failed = failed(records, &call);
            steps.push(step);
            let due = Due::Plan { step: number };
            return Trajectory { steps, due };
        };
        next = plan::read(start, &next.prompt, &record.reply);
        previous = Some(made.sha256.clone());
        steps.push(step);
        if next.stops {
            let due = Due::Stopped { step: number };
            return Trajectory { steps, due };
        }
    }
    Trajectory {
        steps,
        due: Due::Done,
    }
}

/// The call that a trajectory waits for.
pub fn call_of(start: &Start<'_>, trajectory: &Trajectory<'_>) -> Option<Call> {
    let step = trajectory.steps.last()?;
    match trajectory.due {
        Due::Picture { .. } => {
            let plan = Plan {
                prompt: step.prompt.clone(),
                references: step.references.clone(),
                mark: None,
                stops: false,
            };
            let previous = trajectory.last_picture().map(|made| made.sha256.as_str());
            Some(request::picture(start, step.number, &plan, previous))
        }
        Due::Plan { .. } => {
            let made = trajectory.last_picture()?;
            Some(request::plan(
                start,
                step.number,
                &step.prompt,
                &made.sha256,
            ))
        }
        Due::Done | Due::Stopped { .. } => None,
    }
}

/// The record that answers a call; of several the one that the trajectory went on from, or else the first.
fn fitting<'a>(
    records: &[&'a Record],
    call: &Call,
    hash: &dyn Fn(&Call) -> Option<String>,
) -> Option<&'a Record> {
    let answers = |record: &&&'a Record| record.error.is_none() && record.answers(call);
    let mut candidates = records.iter().filter(answers).peekable();
    candidates.peek()?;
    let expected = hash(call);
    let is_same = |record: &Record| match (&expected, &record.request) {
        (Some(expected), Some(found)) => expected == found,
        _ => true,
    };
    let fitting: Vec<&'a Record> = candidates
        .filter(|record| is_same(record))
        .copied()
        .collect();
    let went_on = |record: &&&'a Record| {
        let own = record.picture.as_ref().map(|picture| &picture.sha256);
        own.is_some() && records.iter().any(|later| later.given.as_ref() == own)
    };
    fitting.iter().find(went_on).or(fitting.first()).copied()
}

/// The last failure of a call.
fn failed<'a>(records: &[&'a Record], call: &Call) -> Option<&'a Record> {
    let is_failure = |record: &&&'a Record| record.error.is_some() && record.answers(call);
    records.iter().rev().find(is_failure).copied()
}

#[cfg(test)]
mod tests;
