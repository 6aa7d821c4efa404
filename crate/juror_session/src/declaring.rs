//! Which benchmark is shown, and which others may be meant.

use crate::error::Error;
use serde::{Deserialize, Serialize};

use super::loader::Lack;
use super::state::Session;
use juror_protocols::recognition::Suggested;

/// A benchmark that may be meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct BenchmarkChoice {
    /// Path of the file that represents it.
    pub path: String,
    /// Display name: `WEAVEBench`; of one that a file declares `juror.json`.
    pub title: String,
    /// Whether it is the one that is shown.
    pub is_shown: bool,
}

/// Says which benchmark counts, by the path of its list or of its `juror.json`; `None` leaves it to the files.
///
/// What the user says outweighs every other rule of [`juror_model::trust`].
///
/// # Errors
/// No benchmark is suggested by that file.
pub fn choose_benchmark(session: &mut Session, path: Option<&str>) -> Result<(), Error> {
    if let Some(path) = path {
        let choices = benchmark_choices(session);
        if !choices.iter().any(|choice| choice.path == path) {
            let known: Vec<String> = choices.into_iter().map(|choice| choice.path).collect();
            let known = if known.is_empty() {
                "none was found".to_owned()
            } else {
                format!("expected one of {}", known.join(", "))
            };
            return Err(Error::UnknownBenchmark {
                path: path.to_owned(),
                known,
            });
        }
    }
    session.loader.choose(path);
    session.data.cache.is_complete = false;
    session.data.stale.clear();
    session.forget_changed();
    Ok(())
}

/// What the session lacks for the files that are open, as soon as their benchmark and their replies were read: where it lacks
/// anything, its numbers are not to be shown.
pub fn lack(session: &mut Session) -> Lack {
    session.loader.lack()
}

/// The benchmarks that may be meant, those included that are not shown.
pub fn benchmark_choices(session: &mut Session) -> Vec<BenchmarkChoice> {
    session.loader.suggestions();
    let all = session.loader.candidates.iter().flatten();
    let may_be = |suggested: &&Suggested| {
        let is_shown = session.loader.benchmark.is_some()
            && session.loader.candidate.as_ref() == Some(suggested);
        let is_refused = session.loader.read.refused.contains(suggested);
        let is_set_aside = session
            .loader
            .read
            .set_aside
            .contains_key(&suggested.candidate.list);
        is_shown || suggested.candidate.rank == 0 && (!is_refused || is_set_aside)
    };
    all.filter(may_be)
        .map(|suggested| BenchmarkChoice {
            path: session
                .loader
                .tree
                .path(suggested.candidate.list)
                .to_owned(),
            title: if session.loader.candidate.as_ref() == Some(suggested) {
                session.loader.protocol.title().to_owned()
            } else {
                session.loader.signs(suggested).title().to_owned()
            },
            is_shown: session.loader.benchmark.is_some()
                && session.loader.candidate.as_ref() == Some(suggested),
        })
        .collect()
}
