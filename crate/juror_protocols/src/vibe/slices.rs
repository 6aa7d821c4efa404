//! Parts of tasks by tags of their items: styles, combinations of tasks, numbers of cushions; and styles over a level.

use super::rows::mean_of_whole;
use super::tasks::task_of;
use super::{Level, Task};
use crate::table::Head;
use juror_model::row::ScoreRow;
use juror_model::sample::Sample;
use juror_statistics::small::SortSmall;

/// The items of a task that one tag names: a style, a combination of tasks, a number of cushions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slice {
    pub(super) task: Task,
    pub(super) scope: &'static str,
    /// Of the tag.
    pub(super) value: String,
}

impl Slice {
    /// Key of the score rows.
    pub(super) fn key(&self) -> String {
        if self.scope == "style" {
            style_key(self.task, &self.value)
        } else {
            self.value.clone()
        }
    }

    /// The slices of a task that some sample is in: styles in the paper's order, others by name.
    pub(super) fn of_task(task: Task, samples: &[Sample]) -> Vec<Self> {
        let own = samples
            .iter()
            .filter(|sample| task_of(sample) == Some(task));
        let tags = own.flat_map(|sample| &sample.tags);
        let mut found: Vec<(usize, Self)> = Vec::new();
        for (scope, value) in tags {
            let Some(at) = SLICES.iter().position(|known| known == scope) else {
                continue;
            };
            let is_known = at > 0 || STYLES.contains(&value.as_str());
            let slice = Self {
                task,
                scope: SLICES[at],
                value: value.clone(),
            };
            if is_known && !found.iter().any(|(_, known)| *known == slice) {
                found.push((at, slice));
            }
        }
        let order = |(at, slice): &(usize, Self)| {
            let style = STYLES.iter().position(|known| *known == slice.value);
            (*at, style, slice.value.clone())
        };
        found.sort_small_by(|a, b| order(a).cmp(&order(b)));
        found.into_iter().map(|(_, slice)| slice).collect()
    }
}

/// The tags whose groups have rows of their own.
pub(super) const SLICES: [&str; 3] = ["style", "combination", "cushions"];

/// The groups of a level's samples of one style.
pub(super) const LEVEL_STYLE: &str = "level_style";
/// The level whose tasks share their sources and are judged on the same metrics, so that styles can be averaged over it.
pub(super) const STYLED_LEVEL: Level = Level::Deictic;

/// The styles in the paper's order.
pub(super) const STYLES: [&str; 3] = ["animation", "real-world", "sketch"];

/// Key of a task's samples of one style.
pub(super) fn style_key(task: Task, style: &str) -> String {
    format!("{}/{style}", task.id())
}

/// Key of a level's samples of one style.
pub(super) fn level_style_key(level: Level, style: &str) -> String {
    format!("{}/{style}", level.id())
}

/// A level's averages over the samples of one style, the total's and every metric's: the unweighted mean over its tasks, and no
/// number while one of them has none.
pub(super) fn level_style_rows(
    head: &Head<'_>,
    style: &str,
    of_slices: &[ScoreRow],
) -> Vec<ScoreRow> {
    let key = level_style_key(STYLED_LEVEL, style);
    let tasks = STYLED_LEVEL.tasks();
    let keys: Vec<String> = tasks.map(|task| style_key(task, style)).collect();
    let find = |key: &str, criterion: &str| {
        let mut rows = of_slices.iter().filter(|row| row.scope == "style");
        rows.find(|row| row.key == key && row.criterion == criterion)
    };
    let mut criteria: Vec<&str> = Vec::new();
    for row in of_slices.iter().filter(|row| row.scope == "style") {
        if keys.contains(&row.key) && !criteria.contains(&row.criterion.as_str()) {
            criteria.push(&row.criterion);
        }
    }
    let average = |criterion: &&str| {
        let rows: Vec<(ScoreRow, bool)> = keys
            .iter()
            .map(|key| match find(key, criterion) {
                Some(row) => (row.clone(), true),
                None => (head.row("style", key, criterion), false),
            })
            .collect();
        mean_of_whole(head, (LEVEL_STYLE, &key), criterion, &rows)
    };
    criteria.iter().map(average).collect()
}
