//! What the judge is asked for one metric of one item: one text, then the metric's pictures in their order.

use super::{Metric, Task};

/// A picture of a request, by what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The picture to edit, as it is.
    Source,
    /// The source with the instruction layer composited on top; the layer is resized to the source first.
    Merged,
    /// The pose alone, stretched to the source's size.
    Pose,
    /// The golden answer, at its own size.
    Target,
    /// The model's output; where its file is missing, a transparent picture of the source's size.
    Generated,
}

/// The pictures that the judge sees, in order.
///
/// # Example
/// ```
/// use juror_core::protocol::vibe::{Metric, Task, request::{Shown, shown}};
/// assert_eq!(shown(Task::Billiards, Metric::Billiards), [Shown::Target, Shown::Generated]);
/// ```
pub fn shown(task: Task, metric: Metric) -> Vec<Shown> {
    // What stands in the second place depends on the task, whatever the metric.
    let second = match task {
        Task::PoseControl => Shown::Pose,
        Task::Billiards => Shown::Target,
        _ => Shown::Merged,
    };
    match metric {
        Metric::InstructionAdherence | Metric::VisualCoherence => {
            vec![Shown::Source, second, Shown::Generated]
        }
        Metric::BiiCicCp => vec![Shown::Source, Shown::Generated],
        _ => vec![second, Shown::Generated],
    }
}

/// The file of the judge text, below the authors' `prompt` folder.
///
/// # Example
/// ```
/// use juror_core::protocol::vibe::{Metric, Task, request::prompt_file};
/// assert_eq!(prompt_file(Task::Removal, Metric::VisualCoherence), "Visual_Coherence.txt");
/// assert_eq!(prompt_file(Task::LightControl, Metric::ContextualPreservation), "Light_Control/Contextual_Preservation.txt");
/// ```
pub fn prompt_file(task: Task, metric: Metric) -> String {
    let id = metric.id();
    if task.has_shared_sources() {
        return format!("{id}.txt");
    }
    format!("{}/{id}.txt", task.id())
}

/// How the line begins that asks for marks of the instruction left in the picture.
const RESIDUAL: &str = "- residual visual instruction";

/// Whether a text asks the judge about marks of the instruction that were left in the picture.
pub fn asks_for_residue(text: &str) -> bool {
    text.contains(RESIDUAL)
}

/// The text of a request: the judge text without space around it, `{prompt}` replaced by what the model was asked.
///
/// In [`Task::Addition`] the box may stay, so the line about residual marks of the instruction is emptied for
/// [`Metric::VisualCoherence`]; the combined tasks keep it.
///
/// # Example
/// ```
/// use juror_core::protocol::vibe::{Metric, Task, request::text};
/// let judge = "\nDo: {prompt}\n- blur\n- residual visual instruction marks\n- seams\n";
/// assert_eq!(text(Task::Addition, Metric::VisualCoherence, judge, "Add a hat."), "Do: Add a hat.\n- blur\n\n- seams");
/// assert!(text(Task::TwoTasks, Metric::VisualCoherence, judge, "").contains("residual"));
/// ```
pub fn text(task: Task, metric: Metric, judge_text: &str, input_prompt: &str) -> String {
    let mut text = judge_text.trim_matches(crate::py::is_space).to_owned();
    if task == Task::Addition
        && metric == Metric::VisualCoherence
        && let Some(start) = text.find(RESIDUAL)
    {
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        text.replace_range(start..end, "");
    }
    text.replace("{prompt}", input_prompt)
}
