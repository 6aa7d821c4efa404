//! What MICON-Bench is made of: the checkpoints that its cases are judged by, and the paper's counts.

use super::{DIMENSIONS, Micon, TASKS, Task, task_of};
use crate::contract::Counting;
use crate::printed::{levels, reliability, totals};
use juror_model::counts::{CountTable, KnownTotal, Shares, Tally};
use juror_model::experiment::PrintedLevel;
use juror_model::reliability::PrintedFigure;
use juror_model::sample::Benchmark;

impl Counting for Micon {
    fn counts(&self, benchmark: &Benchmark) -> Vec<CountTable> {
        let mut tally = Tally::default();
        for task in &TASKS {
            let of_task = benchmark.samples.iter();
            let of_task = of_task.filter(|sample| sample.domain == task.id).count();
            let cases = u32::try_from(of_task).unwrap_or(u32::MAX);
            if cases > 0 {
                for (dimension, checks) in DIMENSIONS.iter().zip(task.num_checks) {
                    let checks = u32::from(checks);
                    let letter = dimension.letter.to_string();
                    tally.add(task.id, &letter, cases.saturating_mul(checks));
                    tally.add("all", &letter, cases.saturating_mul(checks));
                }
            }
        }
        let title = "Checkpoints asked, by task and dimension";
        let names = ("checkpoints", title, "task");
        let dimension = |key: &str| {
            let known = DIMENSIONS.iter();
            let mut known = known.filter(|known| key.chars().eq([known.letter]));
            known.next().map(|known| known.label)
        };
        let table = tally.table(names, Shares::OfRow("of the task's"));
        let mut table =
            table.labelled(|key| dimension(key).or(Task::find(key).map(|task| task.label)));
        // All tasks together were met with the first of them.
        table.rows.sort_by_key(|row| row.of.key == "all");
        vec![hard(benchmark), table]
    }

    fn totals(&self) -> Vec<KnownTotal> {
        totals(include_str!("published/totals.csv"))
    }

    fn printed_levels(&self) -> Vec<PrintedLevel> {
        levels(include_str!("published/levels.csv"))
    }

    fn reliability(&self) -> Vec<PrintedFigure> {
        reliability(include_str!("published/reliability.csv"))
    }
}

/// Of the checkpoints of each task, those that cap their dimension.
fn hard(benchmark: &Benchmark) -> CountTable {
    let mut tally = Tally::default();
    for sample in &benchmark.samples {
        let Some(task) = task_of(Some(sample)) else {
            continue;
        };
        for (at, _) in task.checkpoints() {
            let kind = if task.is_hard(at) { "hard" } else { "plain" };
            tally.add(task.id, kind, 1);
        }
    }
    let title = "Checkpoints asked that cap a dimension";
    let table = tally.table(
        ("hard_checkpoints", title, "task"),
        Shares::OfRow("of the task's"),
    );
    table.labelled(|key| Task::find(key).map(|task| task.label))
}
