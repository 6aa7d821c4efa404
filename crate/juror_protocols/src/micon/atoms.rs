//! What a verdict is made of: the checkpoints of the case's task, or how well a story's picture fits the answer set.

use super::{CANDIDATE, CHECKPOINT_IDS, DIMENSIONS, NUM_CHECKPOINTS, Task, task_of};
use crate::atoms::{named, plain};
use crate::micon::specific::questions_about;
use juror_model::prompt::PromptPack;
use juror_model::sample::Sample;
use juror_model::terms::Atom;

/// The checkpoints with the questions of the judge's texts, or the candidate score from 0 to 10.
pub(super) fn of(sample: &Sample, request: &str, pack: &PromptPack) -> Vec<Atom> {
    let Some(task) = task_of(Some(sample)) else {
        return Vec::new();
    };
    if request == CANDIDATE {
        let whole: Vec<f64> = (0..=10u8).map(f64::from).collect();
        return vec![Atom {
            id: CANDIDATE.to_owned(),
            request: request.to_owned(),
            label: "Candidate answer".to_owned(),
            question: "How well does the picture show what the right answer tells, and nothing of the wrong ones?"
                .to_owned(),
            steps: plain(&whole),
            is_hard: false,
        }];
    }
    let text = questions_about(pack, task, &sample.id);
    let checkpoint = |(at, dimension): (usize, usize)| Atom {
        id: CHECKPOINT_IDS[at].to_owned(),
        request: request.to_owned(),
        label: format!(
            "{} {}",
            DIMENSIONS[dimension].label,
            CHECKPOINT_IDS[at].rsplit('_').next().unwrap_or_default()
        ),
        question: question(text, CHECKPOINT_IDS[at]).to_owned(),
        steps: vec![named(0.0, "no"), named(1.0, "yes")],
        is_hard: task.is_hard(at),
    };
    task.checkpoints().map(checkpoint).collect()
}

/// The text after the colon of a checkpoint's line.
pub(super) fn question<'a>(text: &'a str, id: &str) -> &'a str {
    let mut lines = text.lines().map(|line| line.trim_start_matches(['-', ' ']));
    let line = lines.find_map(|line| {
        let rest = line.strip_prefix(id)?;
        (!rest.starts_with(|next: char| next.is_ascii_digit())).then_some(rest)
    });
    let question = line.and_then(|rest| rest.split_once(':'));
    question.map_or("", |(_, question)| question.trim())
}

/// The reply with these values.
pub(super) fn compose(sample: &Sample, request: &str, values: &[f64]) -> String {
    if request == CANDIDATE {
        let score = values.first().copied().unwrap_or(f64::NAN);
        return format!("{{\"score\": {score}, \"reasoning\": \"\"}}");
    }
    let own = own(sample).into_iter().zip(values);
    let passes: Vec<String> = own
        .map(|(at, value)| format!("\"{}\": {{\"pass\": {value}}}", CHECKPOINT_IDS[at]))
        .collect();
    format!(
        "{{\"checkpoint_results\": {{{}}}, \"rationale_short\": \"\", \"flags\": []}}",
        passes.join(", ")
    )
}

/// The values of the task's own checkpoints; of a judge that wrote scores of its own, none.
pub(super) fn said(sample: &Sample, request: &str, numbers: &[f64]) -> Vec<f64> {
    if request == CANDIDATE {
        return numbers.to_vec();
    }
    let is_by_checkpoint = numbers.len() == NUM_CHECKPOINTS;
    let value = |at: usize| {
        if is_by_checkpoint {
            numbers[at]
        } else {
            f64::NAN
        }
    };
    own(sample).into_iter().map(value).collect()
}

fn own(sample: &Sample) -> Vec<usize> {
    let checkpoints = task_of(Some(sample))
        .into_iter()
        .flat_map(Task::checkpoints);
    checkpoints.map(|(at, _)| at).collect()
}
