//! What goes wrong in each of VIBE's tasks. Source: the error analysis of the paper's Appendix C.3.

use super::Task;
use super::tasks::task_of;
use crate::labels::before_general;
use juror_model::sample::Sample;
use juror_model::terms::FailureLabel;

/// The labels of a task's outputs: those of its own, then the general ones.
pub(super) fn of(sample: &Sample) -> Vec<FailureLabel> {
    task_of(sample).map_or_else(|| before_general(&[]), of_task)
}

fn of_task(task: Task) -> Vec<FailureLabel> {
    const WRONG_PLACE: (&str, &str, &str) = ("wrong-place", "", "");
    const STYLE_BREAK: (&str, &str, &str) = ("style-break", "", "");
    const REMOVED_TOO_MUCH: (&str, &str, &str) = (
        "removed-too-much",
        "Removed too much",
        "More than what was marked is gone.",
    );
    before_general(match task {
        Task::Addition | Task::Translation => &[WRONG_PLACE],
        Task::Removal => &[REMOVED_TOO_MUCH, STYLE_BREAK],
        Task::Replacement => &[STYLE_BREAK],
        Task::TwoTasks | Task::ThreeTasks => &[WRONG_PLACE, REMOVED_TOO_MUCH, STYLE_BREAK],
        Task::PoseControl => &[("identity-lost", "", "")],
        Task::Reorientation => &[
            (
                "misaligned-yaw",
                "Misaligned in yaw",
                "Turned left or right by another angle than the frustum shows.",
            ),
            (
                "misaligned-pitch",
                "Misaligned in pitch",
                "Tilted up or down by another angle than the frustum shows.",
            ),
            (
                "misaligned-roll",
                "Misaligned in roll",
                "Rolled sideways by another angle than the frustum shows.",
            ),
        ],
        Task::DraftInstantiation => &[(
            "draft-not-realised",
            "Draft not realised",
            "The drawn strokes are still strokes, or are gone without what they stand for.",
        )],
        Task::LightControl => &[(
            "wrong-light-direction",
            "Light changed, wrong direction",
            "The light is another one, and does not come from where the arrow says.",
        )],
        Task::FlowSimulation => &[(
            "wrong-wind-direction",
            "Wrong wind direction",
            "What the wind moves does not move along the arrow.",
        )],
        Task::Billiards => &[
            (
                "wrong-reflections",
                "Wrong reflections",
                "The path leaves a cushion at another angle than it met it.",
            ),
            (
                "wrong-ball",
                "Wrong ball",
                "Another ball is marked than the one that is hit.",
            ),
            (
                "table-changed",
                "Table changed",
                "The table or the other balls are not as they were.",
            ),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_task_offers_its_own_labels_first() {
        let first = |task| of_task(task)[0].id.clone();
        assert_eq!(first(Task::Addition), "wrong-place");
        assert_eq!(first(Task::Removal), "removed-too-much");
        assert_eq!(first(Task::PoseControl), "identity-lost");
        let billiards = of_task(Task::Billiards);
        assert_eq!(billiards.len(), 13);
        assert_eq!(billiards[2].id, "table-changed");
        let reorientation = of_task(Task::Reorientation);
        assert!(reorientation.iter().all(|one| one.id != "wrong-ball"));
    }

    #[test]
    fn a_general_label_keeps_its_words_wherever_it_stands() {
        for task in Task::ALL {
            let all = of_task(task);
            assert!(
                all.iter()
                    .all(|one| !one.name.is_empty() && !one.meaning.is_empty())
            );
        }
    }
}
