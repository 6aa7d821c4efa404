//! Findings about judge output that hold for every protocol.

use crate::protocol::ReplyFile;
use crate::view::{Problem, Severity};

/// Lines that could not be read, and those about samples that the benchmark does not have.
pub(super) fn check(
    replies: &ReplyFile,
    positions: &[Option<u32>],
    path: &str,
    problems: &mut Vec<Problem>,
) {
    let place = |line: u32| match line {
        0 => String::new(),
        line => format!("line {line}"),
    };
    problems.extend(replies.problems.iter().map(|bad| Problem {
        severity: Severity::Error,
        code: bad.code.to_owned(),
        path: path.to_owned(),
        place: place(bad.line),
        message: bad.message.clone(),
        hint: bad.hint.to_owned(),
    }));
    let unknown = replies
        .lines
        .iter()
        .zip(positions)
        .filter_map(|(line, at)| {
            let id = line.sample.as_deref()?;
            at.is_none().then_some((line.number, id))
        });
    problems.extend(unknown.map(|(line, id)| Problem {
        severity: Severity::Warning,
        code: "unknown_sample".to_owned(),
        path: path.to_owned(),
        place: place(line),
        message: format!("The benchmark has no sample {id}."),
        hint: "The verdict counts nowhere. Check that it belongs to this benchmark.".to_owned(),
    }));
}
