//! What a verdict is made of: the metric's sub-scores; of an axis also whether it has to change at all.

use super::{Metric, Task, tasks};
use crate::atoms::{named, plain};
use crate::vibe::tasks::{part_id, words_of};
use juror_model::sample::Sample;
use juror_model::terms::{Atom, Step};

/// How a rating holds a limb that cannot be judged.
const NOT_SEEN: f64 = -1.0;
/// Whether each axis of an object has to change.
const TURNS: [&str; 3] = [
    "Does the indicator ask to turn the object to another side?",
    "Does the indicator ask to tilt the object further up or down?",
    "Does the indicator ask to lean the object further to the left or right?",
];
/// Behind an axis' name.
const NEEDS: &str = " needs";

/// The sub-scores of a metric in the order of its keys, then the flags of its axes.
pub(super) fn of(sample: &Sample, request: &str) -> Vec<Atom> {
    let Some(metric) = Metric::named(request) else {
        return Vec::new();
    };
    let task = tasks::task_of(sample);
    let atom = |id: String, label: String, question: &str, steps: Vec<Step>| Atom {
        id,
        request: request.to_owned(),
        label,
        question: question.to_owned(),
        steps,
        is_hard: false,
    };
    let keys = metric.keys().iter().enumerate();
    let mut atoms: Vec<Atom> = keys
        .map(|(at, key)| {
            let steps = steps(task, metric, at);
            atom(
                part_id(metric, key),
                words_of(key),
                question(task, metric, at),
                steps,
            )
        })
        .collect();
    if metric == Metric::OrientationAlignment {
        atoms.extend(metric.keys().iter().zip(TURNS).map(|(key, question)| {
            let steps = vec![named(0.0, "no"), named(1.0, "yes")];
            let label = format!("{} has to change", words_of(key));
            atom(
                part_id(metric, &format!("{key}{NEEDS}")),
                label,
                question,
                steps,
            )
        }));
    }
    atoms
}

/// What a sub-score asks, in the words in which the judge is asked.
fn question(task: Option<Task>, metric: Metric, at: usize) -> &'static str {
    let is_draft = task == Some(Task::DraftInstantiation);
    let questions: &[&str] = match metric {
        Metric::InstructionAdherence if is_draft => &[
            "Did the main change happen where the sketch is?",
            "Does the result have the shape and arrangement of the sketch?",
            "Was the action carried out that the words ask for?",
        ],
        Metric::InstructionAdherence => &[
            "Did the main change happen to the very object or area that the drawing marks?",
            "Is it the kind of change that the drawing stands for, such as adding, removing, replacing or moving?",
            "Was the action carried out that the words ask for?",
        ],
        Metric::ContextualPreservation if task == Some(Task::LightControl) => {
            &["Did everything but the light stay as it was?"]
        }
        Metric::ContextualPreservation => {
            &["Did everything stay as it was that the drawing and the words are not about?"]
        }
        Metric::VisualCoherence => &[
            "Is the edited part made in the manner of the source, such as a photograph, a drawing or pixels?",
            "Does the edited part run on into its surroundings without seams, hard edges or jumps?",
            "Is the picture free of smears, broken or doubled things, and of the drawn marks?",
        ],
        Metric::PoseConsistency => &[
            "Is the left arm held as the pose shows?",
            "Is the right arm held as the pose shows?",
            "Is the left leg held as the pose shows?",
            "Is the right leg held as the pose shows?",
        ],
        Metric::BiiCicCp => &[
            "Is there exactly one whole body, without limbs too many or missing and without remains of a stick figure?",
            "Is it plainly the same character, by face, hair and marks such as glasses?",
            "Are background, clothing and manner of drawing kept?",
        ],
        Metric::OrientationAlignment => &[
            "Does the object face the side that the indicator shows?",
            "Is the object tilted up or down as the indicator shows?",
            "Does the object lean to the left or right as the indicator shows?",
        ],
        Metric::ReorientationContextualPreservation => &[
            "Is the turned object still the same one, whole and of the same build?",
            "Is the picture free of grave faults, such as an indicator left in it, or torn and doubled shapes?",
        ],
        Metric::LightDirectionConsistency => &[
            "Does the light come from where the arrow does?",
            "Are bright sides, shaded sides and shadows on the subject those that such light makes?",
        ],
        Metric::WindDirectionConsistency => {
            &["Are hair, cloth, leaves or the like blown the way that the arrow points?"]
        }
        Metric::WindContextualPreservation => &[
            "Is whatever the wind blows on still the same person or thing?",
            "Is it still at the same place and in the same pose, but for what the wind does?",
        ],
        Metric::Billiards => &[
            "Are all balls there, with the same numbers at the same places, and is the arrow on the white ball kept?",
            "Does the path start in the right direction and touch the right cushions in the right order?",
            "Is the box around the ball of the right number?",
        ],
    };
    questions
        .get(at)
        .copied()
        .unwrap_or_else(|| metric.meaning())
}

fn steps(task: Option<Task>, metric: Metric, at: usize) -> Vec<Step> {
    if metric == Metric::PoseConsistency {
        return vec![
            named(NOT_SEEN, "cannot be seen"),
            named(0.0, "no match"),
            named(1.0, "match"),
        ];
    }
    let scale = super::verdict::scale(task, metric, at);
    if scale.len() == 2 {
        return vec![named(0.0, "no"), named(1.0, "yes")];
    }
    plain(scale)
}

/// The reply with these values.
pub(super) fn compose(request: &str, values: &[f64]) -> String {
    let Some(metric) = Metric::named(request) else {
        return String::new();
    };
    let keys = metric.keys();
    let flag = |at: usize| values.get(keys.len() + at).is_some_and(|flag| *flag > 0.0);
    let part = |(at, key): (usize, &&str)| {
        let value = values.get(at).copied().unwrap_or(f64::NAN);
        match metric {
            Metric::PoseConsistency if value > 0.0 => format!("\"{key}\": \"MATCH\""),
            Metric::PoseConsistency if value < 0.0 => format!("\"{key}\": \"N/A\""),
            Metric::PoseConsistency => format!("\"{key}\": \"MISMATCH\""),
            Metric::OrientationAlignment => format!(
                "\"{key}\": {{\"needs_modification\": {}, \"reason\": \"\", \"score\": {value}}}",
                flag(at)
            ),
            _ => format!("\"{key}\": {{\"reason\": \"\", \"score\": {value}}}"),
        }
    };
    let parts: Vec<String> = keys.iter().enumerate().map(part).collect();
    let parts = parts.join(", ");
    if metric == Metric::PoseConsistency {
        return format!("{{\"{}\": {{{parts}}}}}", metric.id());
    }
    format!("{{{parts}}}")
}

/// The sub-scores and flags among a verdict's numbers; the metric's own score behind them is made of those.
pub(super) fn said(request: &str, numbers: &[f64]) -> Vec<f64> {
    let Some(metric) = Metric::named(request) else {
        return Vec::new();
    };
    let flags = if metric == Metric::OrientationAlignment {
        metric.keys().len()
    } else {
        0
    };
    let own = numbers.iter().take(metric.keys().len() + flags);
    let value = |value: &f64| {
        if metric == Metric::PoseConsistency && value.is_nan() {
            NOT_SEEN
        } else {
            *value
        }
    };
    own.map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_sub_score_of_every_task_asks_something_of_its_own() {
        for task in Task::ALL {
            let mut asked = BTreeSet::new();
            let mut number = 0;
            for metric in task.metrics() {
                for at in 0..metric.keys().len() {
                    let question = question(Some(task), *metric, at);
                    assert!(question.ends_with('?'), "{question}");
                    asked.insert(question);
                    number += 1;
                }
            }
            assert_eq!(asked.len(), number, "{task:?}: {asked:?}");
        }
        // A draft is asked about otherwise than a box, and light otherwise than an object.
        let of = |task, metric| question(Some(task), metric, 0);
        let (add, draft) = (Task::Addition, Task::DraftInstantiation);
        let adherence = Metric::InstructionAdherence;
        assert_ne!(of(add, adherence), of(draft, adherence));
        let kept = Metric::ContextualPreservation;
        assert_ne!(of(Task::Removal, kept), of(Task::LightControl, kept));
    }
}
