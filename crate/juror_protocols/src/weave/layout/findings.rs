//! What a reader of `metrics.jsonl` should know: lines that are unreadable, repeated, of no known dialogue, or under another domain.

use std::collections::HashMap;

use crate::contract::Requests;
use crate::findings::{NotAsked, OfFile, severity_of};
use crate::weave::{CRITERIA, Weave};
use juror_model::problem::{Problem, Severity};
use juror_model::reply::{LineProblem, ReplyFile};
use juror_model::sample::Benchmark;

/// Findings about the lines of a reply file: unreadable, repeated, about nothing known, under another domain.
pub(crate) fn check(
    replies: &ReplyFile,
    positions: &[Option<u32>],
    benchmark: &Benchmark,
    path: &str,
    problems: &mut Vec<Problem>,
) {
    let mut of_file = OfFile::new(path, problems);
    of_file.add_lines(replies, severity_of);
    // A known dialogue by its position, any other by its id.
    let mut known_lines = vec![None; benchmark.samples.len()];
    let mut other_lines: HashMap<&str, u32> = HashMap::new();
    for (line, position) in replies.lines.iter().zip(positions) {
        let Some(id) = line.sample.as_deref() else {
            continue;
        };
        let first = match position {
            Some(sample) => *known_lines[*sample as usize].get_or_insert(line.number),
            None => *other_lines.entry(id).or_insert(line.number),
        };
        if first != line.number {
            of_file.add(
                Severity::Warning,
                "repeated_dialogue",
                line.number,
                || format!("Dialogue {id} was judged in line {first} already."),
                "The paper's formulas count the first readable reply, the authors' code counts both. Remove the line that should not count.",
            );
        }
        let said = &replies.domains[usize::from(line.domain)];
        match position.map(|sample| &benchmark.samples[sample as usize].domain) {
            None => of_file.add(
                Severity::Warning,
                "unknown_dialogue",
                line.number,
                || format!("The benchmark has no dialogue with idx {id}."),
                "Only the authors' code counts it. Check that the replies belong to this benchmark.",
            ),
            Some(known) if known != said => of_file.add(
                Severity::Warning,
                "other_domain",
                line.number,
                || format!("The line says {said}, the benchmark says {known}."),
                "The paper's formulas go by the benchmark, the authors' code goes by the line.",
            ),
            Some(_) => {}
        }
    }
    if let Some(problem) = not_asked(replies, positions, benchmark) {
        let severity = severity_of(problem.code);
        let message = || problem.message.clone();
        of_file.add(severity, problem.code, problem.line, message, problem.hint);
    }
}

/// Replies about turns that their dialogue does not have, and by criteria that its turn is not judged on.
fn not_asked(
    replies: &ReplyFile,
    positions: &[Option<u32>],
    benchmark: &Benchmark,
) -> Option<LineProblem> {
    // Of what replies imply, everything is asked.
    benchmark.list?;
    let mut found = NotAsked::default();
    let mut expected = String::new();
    for reply in &replies.replies {
        let line = &replies.lines[reply.line as usize];
        let sample = positions.get(reply.line as usize).copied().flatten();
        let sample = sample.and_then(|at| benchmark.samples.get(at as usize));
        let criterion = CRITERIA.get(usize::from(reply.criterion));
        let (Some(sample), Some(turn), Some(criterion)) = (sample, reply.turn.get(), criterion)
        else {
            continue;
        };
        let own = sample.turns.get(turn as usize);
        let asked = own.map_or_else(Vec::new, |own| Weave.requests_of(sample, own));
        if asked.contains(criterion) {
            continue;
        }
        found.note(line.number, || {
            expected = if own.is_some() {
                asked.join(", ")
            } else {
                format!("turns 0 to {}", sample.turns.len().saturating_sub(1))
            };
            format!("{criterion} of turn {turn} of dialogue {}", sample.id)
        });
    }
    found.problem(
        &expected,
        "Only the authors' code counts it. Correct the turn or the criterion in the file.",
    )
}
