//! What VIBE is made of: styles by task, the tasks that are asked for together, and the paper's counts.
//!
//! Combinations themselves are groups of items, so they are counted with the other groups.

use super::{Task, Vibe, labels, variants};
#[cfg(feature = "generating")]
use crate::contract::OutputLists;
use crate::contract::{Counting, Variants};
use crate::error::Error;
use crate::printed::{reliability, totals};
use juror_model::counts::{CountTable, KnownTotal, Shares, Tally};
use juror_model::experiment::{Factor, FactorLevel};
use juror_model::linked::World;
use juror_model::reliability::PrintedFigure;
use juror_model::request::{GeneratorInput, InputKey};
use juror_model::sample::{Benchmark, Sample};
use juror_model::terms::FailureLabel;

impl Variants for Vibe {
    fn factors(&self) -> Vec<Factor> {
        variants::factors()
    }

    fn varied_input(
        &self,
        world: &World<'_>,
        key: &InputKey,
        level: &FactorLevel,
    ) -> Result<GeneratorInput, Error> {
        variants::varied_input(world, key, level)
    }
}

impl Counting for Vibe {
    fn variants(&self) -> Option<&dyn Variants> {
        Some(self)
    }

    #[cfg(feature = "generating")]
    fn output_lists(&self) -> Option<&dyn OutputLists> {
        Some(self)
    }

    fn counts(&self, benchmark: &Benchmark) -> Vec<CountTable> {
        let (mut styles, mut types) = (Tally::default(), Tally::default());
        let mut num_types = 0;
        for sample in &benchmark.samples {
            for style in keys_of(sample, "style") {
                styles.add(&sample.domain, style, 1);
            }
            for task in combined(sample) {
                types.add(task.id(), "items", 1);
                num_types += 1;
            }
        }
        let styles = styles.table(
            ("task_style", "Items by task and style", "task"),
            Shares::OfRow("of the task's"),
        );
        let types = types.table(
            ("combined_task", "Tasks within combined items", "task"),
            Shares::Of(num_types, "of the tasks in combined items"),
        );
        let tables = [styles, types].into_iter();
        tables.filter(|table| !table.rows.is_empty()).collect()
    }

    fn failure_labels(&self, sample: &Sample) -> Vec<FailureLabel> {
        labels::of(sample)
    }

    fn totals(&self) -> Vec<KnownTotal> {
        totals(include_str!("published/totals.csv"))
    }

    fn reliability(&self) -> Vec<PrintedFigure> {
        reliability(include_str!("published/reliability.csv"))
    }
}

/// The keys of a sample's groups of a scope.
fn keys_of<'a>(sample: &'a Sample, scope: &'a str) -> impl Iterator<Item = &'a str> {
    let own = sample.tags.iter().filter(move |(known, _)| known == scope);
    own.map(|(_, key)| key.as_str())
}

/// The tasks that an item combines, of `AD+RM`; none of an item of one task.
fn combined(sample: &Sample) -> Vec<Task> {
    let shorts = keys_of(sample, "combination").flat_map(|key| key.split('+'));
    let task = |short: &str| Task::ALL.into_iter().find(|task| task.short() == short);
    shorts.filter_map(task).collect()
}

#[cfg(test)]
mod tests {
    use crate::vibe::Task;
    use crate::vibe::layout::combination;

    #[test]
    fn an_id_names_the_tasks_that_it_combines_or_none() {
        let of = |task, id| combination(task, id, &[]);
        let found = of(Task::TwoTasks, "AD+RM_animation_03");
        assert_eq!(found.as_deref(), Some("AD+RM"));
        for (task, id) in [
            (Task::TwoTasks, "7"),
            (Task::TwoTasks, "AD+XX_1"),
            (Task::TwoTasks, "AD+LC_1"),
            (Task::TwoTasks, "AD+AD_1"),
            (Task::ThreeTasks, "AD+RM_1"),
            (Task::Addition, "AD_1"),
        ] {
            assert_eq!(of(task, id), None, "{id}");
        }
    }
}
