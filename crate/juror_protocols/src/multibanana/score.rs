//! Five scores → totals and means.
//!
//! Source: MultiBanana, the weighted total of the evaluation section, and the authors' `extract_results`.
//! The paper weights 3:3:1:1:1 and averages two judges; the released code averages the five criteria plainly, one judge at a time.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::verdict::{self, Atoms};
use juror_model::options::Profile;
use juror_model::tree::{base_name, parent};
use juror_reading::py;

/// Weights of the paper's total, in the order of [`LABELS`](super::LABELS).
pub const WEIGHTS: [f64; 5] = [3.0, 3.0, 1.0, 1.0, 1.0];

/// The total of one set, or of criterion means: it is linear, so both ways give the same.
///
/// `paper`: `T = (3·IA + 3·RC + BSM + PR + VQ) / 9`; `released`: `(IA + RC + BSM + PR + VQ) / 5`.
/// Range: that of the scores (1 to 10). Higher is better. A missing score (NaN) gives NaN.
///
/// # Example
/// ```
/// use juror_model::options::Profile;
/// use juror_protocols::multibanana::score::total;
/// // Keeps quality but ignores the references: (3 + 3 + 21) / 9 = 3, and 23 / 5 = 4.6.
/// assert_eq!(total(Profile::Paper, &[1.0, 1.0, 7.0, 7.0, 7.0]), 3.0);
/// assert_eq!(total(Profile::Released, &[1.0, 1.0, 7.0, 7.0, 7.0]), 4.6);
/// ```
pub fn total(profile: Profile, scores: &Atoms) -> f64 {
    let weights = weights(profile);
    let sum: f64 = scores.iter().zip(weights).map(|(s, w)| w * s).sum();
    sum / weights.iter().sum::<f64>()
}

/// What the scores are multiplied by; the total is their sum over that of the weights.
pub(super) fn weights(profile: Profile) -> [f64; 5] {
    match profile {
        Profile::Paper => WEIGHTS,
        Profile::Released => [1.0; 5],
    }
}

/// The unweighted mean; `None` of nothing.
///
/// The paper's cells are such means over judges (GPT-5 and Gemini), over the eleven two-reference types,
/// and, for one structure, over the reference counts X.
///
/// # Example
/// ```
/// use juror_protocols::multibanana::score::mean;
/// assert_eq!(mean(&[3.0, 4.0, 8.0]), Some(5.0));
/// assert_eq!(mean(&[]), None);
/// ```
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// One row of the authors' `results_<judge>.csv`, unrounded.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskRow {
    /// Name of the folder that the judge files lie in.
    pub task: String,
    /// Judge files that could be read.
    pub samples: u32,
    /// Means in the order of [`LABELS`](super::LABELS).
    pub means: Atoms,
    /// Plain mean of the five means.
    pub average: f64,
}

/// The authors' `extract_results`: judge files of one judge by task folder, tasks by name.
///
/// Folders of one name at different depths are one task; a file that does not parse counts nowhere.
///
/// # Example
/// ```
/// use juror_protocols::multibanana::score::extract_results;
/// let reply = |n: u32| format!("Instruction Alignment: {n}\nReference Consistency: 4\nBackground-Subject Match: 6\nPhysical Realism: 7\nVisual Quality: 8");
/// let (good, better) = (reply(9), reply(10));
/// let files = [("add/1_gpt_judge.txt", &*good), ("old/add/1_gpt_judge.txt", &*better), ("add/2_gpt_judge.txt", "?")];
/// let rows = extract_results("gpt", files);
/// assert_eq!((rows[0].samples, rows[0].means[0], rows[0].average), (2, 9.5, 6.9));
/// ```
pub fn extract_results<'a>(
    judge: &str,
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Vec<TaskRow> {
    let suffix = format!("_{judge}_judge.txt");
    let mut tasks: BTreeMap<&str, Vec<Atoms>> = BTreeMap::new();
    for (path, text) in files {
        if !base_name(path).ends_with(&suffix) {
            continue;
        }
        if let Ok(scores) = verdict::released(text) {
            tasks
                .entry(base_name(parent(path)))
                .or_default()
                .push(scores);
        }
    }
    tasks
        .into_iter()
        .map(|(task, scores)| {
            let mut means = [0.0; 5];
            for (at, mean) in means.iter_mut().enumerate() {
                let sum: f64 = scores.iter().map(|scores| scores[at]).sum();
                *mean = sum / scores.len() as f64;
            }
            TaskRow {
                task: task.to_owned(),
                samples: u32::try_from(scores.len()).unwrap_or(u32::MAX),
                means,
                average: total(Profile::Released, &means),
            }
        })
        .collect()
}

/// The text of the authors' `results_<judge>.csv`.
pub fn results_csv(rows: &[TaskRow]) -> String {
    let mut text = "Task,Samples,Instruction_Alignment,Reference_Consistency,Background_Subject_Match,Physical_Realism,Visual_Quality,Average\n".to_owned();
    for row in rows {
        let _ = write!(text, "{},{}", row.task, row.samples);
        for value in row.means.iter().chain([&row.average]) {
            let _ = write!(text, ",{:.3}", py::round(*value, 3));
        }
        text.push('\n');
    }
    text
}
