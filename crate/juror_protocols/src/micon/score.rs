//! Checkpoints → dimension scores → a case's total → means, as plain functions.
//!
//! Source: the appendix of the MICON-Bench paper and the authors' `aggregate_scores.py`, which agree:
//! a total is the mean of the dimensions' means, each capped where a hard checkpoint failed.
//! The main text says that all checkpoints are averaged at once; [`checkpoint_mean`] is that, for comparison.

use super::{DIMENSIONS, NUM_CHECKPOINTS, TASKS, Task};
use juror_reading::py;

/// What a dimension with a failed hard checkpoint is capped to.
pub const HARD_CAP: f64 = 0.4;
/// Points of a story's total that its checkpoints give.
pub const STORY_CHECKPOINT_POINTS: f64 = 40.0;
/// Points of a story's total that its candidate score gives.
pub const STORY_CANDIDATE_POINTS: f64 = 60.0;
/// The candidate score's scale ends here.
pub const MAX_CANDIDATE: f64 = 10.0;

/// Whether a hard checkpoint of a dimension failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hard {
    /// All hold, or there is none.
    Held,
    /// One failed.
    Failed,
}

/// The score of one dimension, from 0 to 1.
///
/// `s_d = (1/n) · Σ pass`; `min(s_d, 0.4)` if a hard checkpoint of the dimension failed.
/// Without checkpoints it is 0. A value other than 0 and 1 counts as what it is; NaN stays NaN.
///
/// # Example
/// ```
/// use juror_protocols::micon::score::{Hard, dimension_score};
/// assert_eq!(dimension_score(&[0.0, 1.0, 1.0], Hard::Failed), 0.4); // 2/3, capped
/// assert_eq!(dimension_score(&[0.0, 0.0, 1.0], Hard::Failed), 1.0 / 3.0); // below the cap
/// assert_eq!(dimension_score(&[1.0, 0.0, 1.0, 1.0], Hard::Held), 0.75);
/// ```
pub fn dimension_score(passes: &[f64], hard: Hard) -> f64 {
    if passes.is_empty() {
        return 0.0;
    }
    let base = passes.iter().sum::<f64>() / passes.len() as f64;
    match hard {
        // As Python's min: NaN is not below the cap and stays.
        Hard::Failed if HARD_CAP < base => HARD_CAP,
        _ => base,
    }
}

/// The scores of a task's dimensions, in the order of [`DIMENSIONS`]; `None` for one that the task does without.
///
/// A hard checkpoint failed if its value is 0; 0.5 is no failure.
///
/// # Example
/// ```
/// use juror_protocols::micon::{CHECKPOINT_IDS, Task, score};
/// let object = Task::find("object_composition").unwrap();
/// let values = CHECKPOINT_IDS.map(|id| if id == "A_check_1" || id == "D_check_2" { 0.0 } else { 1.0 });
/// let scores = score::dimension_scores(object, &values);
/// assert_eq!(scores, [Some(0.4), Some(1.0), Some(1.0), Some(0.75), None, Some(1.0)]);
/// assert!((100.0 * score::mean_of(&scores) - 83.0).abs() < 1e-12);
/// ```
pub fn dimension_scores(task: &Task, values: &[f64; NUM_CHECKPOINTS]) -> [Option<f64>; 6] {
    std::array::from_fn(|dimension| {
        let own: Vec<usize> = task
            .checkpoints()
            .filter(|(_, of)| *of == dimension)
            .map(|(at, _)| at)
            .collect();
        if own.is_empty() {
            return None;
        }
        let passes: Vec<f64> = own.iter().map(|at| values[*at]).collect();
        let is_failed = own.iter().any(|at| task.is_hard(*at) && values[*at] == 0.0);
        let hard = if is_failed { Hard::Failed } else { Hard::Held };
        Some(dimension_score(&passes, hard))
    })
}

/// The unweighted mean of the dimensions that there are, from 0 to 1; 0 for none.
pub fn mean_of(scores: &[Option<f64>; 6]) -> f64 {
    let present: Vec<f64> = scores.iter().flatten().copied().collect();
    if present.is_empty() {
        return 0.0;
    }
    present.iter().sum::<f64>() / present.len() as f64
}

/// The paper's main text: the share of all checkpoints that passed, without caps, from 0 to 1.
///
/// # Example
/// ```
/// use juror_protocols::micon::{CHECKPOINT_IDS, Task, score};
/// let object = Task::find("object_composition").unwrap();
/// let values = CHECKPOINT_IDS.map(|id| if id == "A_check_1" || id == "D_check_2" { 0.0 } else { 1.0 });
/// assert_eq!(score::checkpoint_mean(object, &values), 13.0 / 15.0); // 86.67, where the appendix gives 83
/// ```
pub fn checkpoint_mean(task: &Task, values: &[f64; NUM_CHECKPOINTS]) -> f64 {
    let own: Vec<f64> = task.checkpoints().map(|(at, _)| values[at]).collect();
    own.iter().sum::<f64>() / own.len() as f64
}

/// A story's total from its checkpoints' mean (0 to 1) and its candidate score (0 to 10): 40 and 60 points.
///
/// # Example
/// ```
/// use juror_protocols::micon::score::story_total;
/// assert!((story_total(0.5, 5.0) - 50.0).abs() < 1e-12);
/// assert!((story_total(1.0, 0.0) - 40.0).abs() < 1e-12);
/// ```
pub fn story_total(mean: f64, candidate: f64) -> f64 {
    mean * STORY_CHECKPOINT_POINTS + (candidate / MAX_CANDIDATE) * STORY_CANDIDATE_POINTS
}

/// A case's total from 0 to 100, not rounded; the authors' code rounds it to two digits with [`released_total`].
pub fn total(scores: &[Option<f64>; 6], candidate: Option<f64>) -> f64 {
    match candidate {
        Some(candidate) => story_total(mean_of(scores), candidate),
        None => mean_of(scores) * 100.0,
    }
}

/// The total as the authors' code stores it: rounded to two digits.
///
/// # Example
/// ```
/// use juror_protocols::micon::score::released_total;
/// let scores = [2.0 / 3.0, 1.0, 2.0 / 3.0, 2.0 / 3.0, 0.4, 2.0 / 3.0].map(Some);
/// assert_eq!(released_total(&scores, Some(7.0)), 69.11);
/// assert_eq!(released_total(&scores, Some(0.0)), 27.11);
/// assert_eq!(released_total(&scores, None), 67.78);
/// ```
pub fn released_total(scores: &[Option<f64>; 6], candidate: Option<f64>) -> f64 {
    py::round(total(scores, candidate), 2)
}

/// The average of Tables 1, 9 and 10: task scores weighted by the published benchmark's case counts.
///
/// `Σ n_t · s_t / Σ n_t` over the tasks that have a score, in the order of [`TASKS`]; `None` for none.
/// Over the complete benchmark that is the mean over cases. Table 9 uses these weights for a sample of 30 cases per task.
///
/// # Example
/// ```
/// use juror_protocols::micon::score::case_weighted;
/// let gpt_image = [96.45, 94.41, 93.39, 87.69, 90.15, 85.99].map(Some);
/// assert!((case_weighted(&gpt_image).unwrap() - 91.51).abs() < 0.005);
/// assert_eq!(case_weighted(&[None; 6]), None);
/// ```
pub fn case_weighted(task_scores: &[Option<f64>; 6]) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for (task, score) in TASKS.iter().zip(task_scores) {
        if let Some(score) = score {
            sum += f64::from(task.num_cases) * score;
            count += f64::from(task.num_cases);
        }
    }
    (count > 0.0).then(|| sum / count)
}

/// One judged case as the authors' reports take it.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseScore {
    /// Folder name of the task.
    pub task: String,
    /// Dimension scores in the order of [`DIMENSIONS`].
    pub scores: [Option<f64>; 6],
    /// Total from 0 to 100; 0 where the judgement has none.
    pub total: f64,
}

/// What the authors' report says of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskReport {
    /// Folder name of the task.
    pub task: String,
    /// Judged cases.
    pub count: u32,
    /// Mean total.
    pub mean: f64,
    /// Mean dimension scores over the cases that have them.
    pub scores: [Option<f64>; 6],
    /// Lowest total, at most 100.
    pub min: f64,
    /// Highest total, at least 0.
    pub max: f64,
}

/// The authors' `aggregate_by_task` with their report's average: the plain mean over all judged cases.
///
/// Tasks come in the order in which they are met; `None` for the average of nothing is 0, as their report prints.
///
/// # Example
/// ```
/// use juror_protocols::micon::score::{CaseScore, report};
/// let case = |task: &str, total| CaseScore { task: task.into(), scores: [None; 6], total };
/// let (tasks, mean) = report(&[case("a", 80.0), case("a", 60.0), case("b", 40.0)]);
/// assert_eq!((tasks[0].mean, tasks[1].mean, mean), (70.0, 40.0, 60.0)); // by case, not by task
/// ```
pub fn report(cases: &[CaseScore]) -> (Vec<TaskReport>, f64) {
    let mut reports: Vec<TaskReport> = Vec::new();
    for case in cases {
        if reports.iter().any(|report| report.task == case.task) {
            continue;
        }
        let own: Vec<&CaseScore> = cases.iter().filter(|c| c.task == case.task).collect();
        let dimension = |at: usize| {
            let scores: Vec<f64> = own.iter().filter_map(|case| case.scores[at]).collect();
            (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
        };
        reports.push(TaskReport {
            task: case.task.clone(),
            count: u32::try_from(own.len()).unwrap_or(u32::MAX),
            mean: mean_total(own.iter().copied()),
            scores: std::array::from_fn(dimension),
            min: own.iter().fold(100.0, |min, case| case.total.min(min)),
            max: own.iter().fold(0.0, |max, case| case.total.max(max)),
        });
    }
    (reports, mean_total(cases.iter()))
}

fn mean_total<'a>(cases: impl Iterator<Item = &'a CaseScore>) -> f64 {
    let (sum, count) = cases.fold((0.0, 0.0), |(sum, count), case| {
        (sum + case.total, count + 1.0)
    });
    if count > 0.0 { sum / count } else { 0.0 }
}

const _: () = assert!(DIMENSIONS.len() == 6 && TASKS.len() == 6);

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#[expect(clippy::float_cmp, reason = "small fractions are exact or wrong")]
mod tests {
    use super::*;
    use crate::micon::CHECKPOINT_IDS;

    #[test]
    fn a_half_passed_hard_checkpoint_caps_nothing_and_nan_stays() {
        let object = Task::find("object_composition").unwrap();
        let with = |value: f64| {
            let values = CHECKPOINT_IDS.map(|id| if id == "A_check_1" { value } else { 1.0 });
            dimension_scores(object, &values)[0].unwrap()
        };
        assert_eq!(with(0.5), 2.5 / 3.0);
        assert_eq!(with(0.0), 0.4);
        assert!(with(f64::NAN).is_nan());
        assert!(dimension_score(&[f64::NAN, 0.0], Hard::Failed).is_nan());
        assert_eq!(dimension_score(&[], Hard::Held), 0.0);
    }

    #[test]
    fn only_the_second_identity_check_of_component_is_hard() {
        let component = Task::find("local_element_transfer").unwrap();
        let b = |failed: &str| {
            let values = CHECKPOINT_IDS.map(|id| if id == failed { 0.0 } else { 1.0 });
            dimension_scores(component, &values)[1].unwrap()
        };
        assert_eq!(b("B_check_1"), 2.0 / 3.0);
        assert_eq!(b("B_check_2"), 0.4);
    }

    #[test]
    fn the_report_of_nothing_is_0_and_minima_stay_on_the_scale() {
        assert_eq!(report(&[]), (Vec::new(), 0.0));
        let (tasks, _) = report(&[CaseScore {
            task: "t".to_owned(),
            scores: [None; 6],
            total: 120.0,
        }]);
        assert_eq!((tasks[0].min, tasks[0].max), (100.0, 120.0));
    }
}
