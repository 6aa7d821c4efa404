//! Calls that are due as a sheet or as lines of a batch file, and what came back.

use std::path::Path;

use anyhow::Context as _;
use clap::ValueEnum;
use juror_judging::batch::Engine;
use juror_make::calls::{self, BatchFile};
use juror_make::{Copied, Making, Request, sheet};
use juror_model::judge::Params;

/// In which form calls are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// A sheet to copy from.
    Text,
    /// OpenAI's Batch API.
    Openai,
    /// `vllm run-batch`.
    Vllm,
    /// Gemini's batch mode.
    Gemini,
}

/// How calls are written.
#[derive(Debug, clap::Args)]
pub(crate) struct CallArgs {
    /// In which form calls are written.
    #[arg(long, value_enum, default_value = "text")]
    engine: Form,
    /// The engine's name of the model; calls for texts and for pictures go to different ones, so name one and write those
    /// calls alone with --calls.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Only calls of this kind, such as rating, persona or reference.
    #[arg(long, value_name = "KIND")]
    calls: Option<String>,
    /// The engine's own setting if not given.
    #[arg(long, value_name = "X")]
    temperature: Option<f64>,
}

/// Writes due calls.
pub(crate) fn write(
    due: &[Request],
    args: &CallArgs,
    folder: &Path,
    out: &Path,
) -> anyhow::Result<()> {
    let is_wanted =
        |request: &&Request| args.calls.as_ref().is_none_or(|kind| *kind == request.kind);
    let due: Vec<Request> = due.iter().filter(is_wanted).cloned().collect();
    let engine = match args.engine {
        Form::Text => {
            super::write(out, sheet(&due).as_bytes())?;
            crate::say(&format!(
                "juror: wrote {} calls to {}",
                due.len(),
                out.display()
            ));
            return Ok(());
        }
        Form::Openai => Engine::OpenAi,
        Form::Vllm => Engine::Vllm,
        Form::Gemini => Engine::Gemini,
    };
    let params = Params {
        model: args
            .model
            .clone()
            .context("name the engine's model by --model")?,
        temperature: args.temperature,
        ..Params::default()
    };
    let files = calls::batch(&due, engine, &params, |path| {
        std::fs::read(folder.join(path)).ok()
    })?;
    let is_one = files.len() < 2;
    for (number, BatchFile { text, calls }) in (1..).zip(&files) {
        let path = if is_one {
            out.to_owned()
        } else {
            crate::batch::numbered(out, number)
        };
        super::write(&path, text.as_bytes())?;
        crate::say(&format!("juror: wrote {calls} calls to {}", path.display()));
    }
    if files.is_empty() {
        crate::say("juror: no call is due, so no file was written.");
    }
    Ok(())
}

/// Takes in a file of replies, and tells how many there were.
pub(crate) fn take(
    project: &mut impl Making,
    text: &str,
    folder: &Path,
    now: &str,
) -> anyhow::Result<String> {
    let taken = calls::take(project, text, now, |Copied { path, bytes }| {
        super::write(&folder.join(path), &bytes)
    })?;
    Ok(taken.to_string())
}
