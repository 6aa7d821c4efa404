//! Single steps of making benchmarks that need no project: tables in, files out.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Subcommand, ValueEnum};
use juror_make::multibanana::{ClearRule, clear, clear_csv, difficulty, types_json};
use juror_make::weave;

/// A step.
#[derive(Debug, Subcommand)]
pub(crate) enum Step {
    /// MultiBanana's rule on clear pictures, by a detector's table: `file,class,x1,y1,x2,y2,width,height,mask_share,clip`.
    Clear {
        /// The table; a line with an empty class says that nothing was found in its picture.
        table: PathBuf,
        /// A picture is kept if one of its detections is clear, or only if all are.
        #[arg(long, value_enum, default_value = "any")]
        rule: RuleArg,
        /// CSV to write; stdout if not given.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// MultiBanana's labels of difficulty, by a table of pictures: task,set,medium,view,rare,language and, set by a person,
    /// label. Writes TASK/types.json.
    Difficulty {
        /// The table.
        table: PathBuf,
        /// Folder of the tasks.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// WEAVE's dialogues as dialogues of a single turn, each with the pictures that it mentions.
    SingleTurns {
        /// The list of dialogues, such as test.json.
        list: PathBuf,
        /// List to write.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum RuleArg {
    Any,
    All,
}

/// Carries a step out.
pub(crate) fn run(step: &Step) -> anyhow::Result<ExitCode> {
    match step {
        Step::Clear { table, rule, out } => {
            let rule = match rule {
                RuleArg::Any => ClearRule::Any,
                RuleArg::All => ClearRule::All,
            };
            let found = clear(&super::read(table)?, rule).with_context(|| named(table))?;
            let kept = found.iter().filter(|one| one.is_kept).count();
            crate::say(&format!(
                "juror: {kept} of {} pictures are kept",
                found.len()
            ));
            match out {
                Some(out) => super::write(out, clear_csv(&found).as_bytes())?,
                None => crate::print(&clear_csv(&found))?,
            }
        }
        Step::Difficulty { table, out } => {
            let found = difficulty(&super::read(table)?).with_context(|| named(table))?;
            for (task, sets) in &found {
                super::write(
                    &out.join(task).join("types.json"),
                    types_json(sets).as_bytes(),
                )?;
            }
            crate::say(&format!("juror: wrote types.json of {} tasks", found.len()));
        }
        Step::SingleTurns { list, out } => {
            let made = weave::single_turns(&super::read(list)?).with_context(|| named(list))?;
            super::write(out, made.as_bytes())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What is wrong with WEAVE's dialogues; exit code 1 if anything is.
pub(crate) fn check_dialogues(list: &Path) -> anyhow::Result<ExitCode> {
    let faults = weave::lint(&super::read(list)?).with_context(|| named(list))?;
    let lines = faults
        .iter()
        .map(|fault| format!("{}: {}\n", fault.place, fault.told));
    crate::print(&lines.collect::<String>())?;
    crate::say(&format!("juror: {} faults", faults.len()));
    Ok(ExitCode::from(u8::from(!faults.is_empty())))
}

fn named(path: &Path) -> String {
    path.display().to_string()
}
