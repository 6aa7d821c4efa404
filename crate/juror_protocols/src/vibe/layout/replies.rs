//! `<Task>_results_<run>.json`: the authors' list of items with a stored object per metric, none of them dropped.
//!
//! A stored object is what the authors' reader made of a reply, so its raw text begins with the metric's name:
//! `"Visual_Coherence": {…}`. That tells it from a judge's reply.

use crate::findings::{self, NotAsked};
use crate::vibe::layout::benchmark::sample_id;
use crate::vibe::layout::{Role, Status, file_role, id_text};
use crate::vibe::verdict::{self, Rejected};
use crate::vibe::{Metric, Task, score};
use juror_model::linked::intern;
use juror_model::problem::{Problem, Severity};
use juror_model::reply::{Fault, LineProblem, ReplyFile, ReplyLine, StoredReply, Verdict};
use juror_reading::keyed::Keyed;
use juror_reading::py::{self, Scanner, Value};

/// Fields of an item that hold no verdict.
const PLAIN: [&str; 6] = [
    "id",
    "input_prompt",
    "saved_image_path",
    "status",
    "score",
    "_eval_errors",
];

/// Reads a result file; where it breaks off, the items before count.
pub(crate) fn read(path: &str, text: String) -> ReplyFile {
    let (task, run) = match file_role(path) {
        Some((task, Role::Results { run })) => (task, run),
        Some((task, _)) => (task, None),
        None => return ReplyFile::default(),
    };
    let mut reader = Reader {
        task,
        file: ReplyFile {
            criteria: Metric::ALL
                .iter()
                .map(|metric| metric.id().to_owned())
                .collect(),
            domains: vec![task.id().to_owned()],
            run: run.unwrap_or(0),
            ..ReplyFile::default()
        },
        line: 1,
        seen: 0,
        num_without_status: 0,
        criteria: Keyed::default(),
        not_asked: NotAsked::default(),
    };
    reader.list(&text);
    let expected = task.metrics().iter().map(|metric| metric.id());
    let expected = expected.collect::<Vec<_>>().join(", ");
    let hint = "Correct the key: paper leaves such a reply out, and the authors' mean of the item takes in any score.";
    if let Some(problem) = reader.not_asked.problem(&expected, hint) {
        reader.file.problems.push(problem);
    }
    reader.file.text = text;
    reader.file
}

struct Reader {
    task: Task,
    file: ReplyFile,
    /// Line at the byte of `seen`.
    line: u32,
    seen: usize,
    num_without_status: u32,
    /// The position of a criterion in the file's list.
    criteria: Keyed,
    /// Replies by whose keys nothing is asked of this task.
    not_asked: NotAsked,
}

impl Reader {
    fn problem(&mut self, line: u32, code: &'static str, message: String, hint: &'static str) {
        self.file.problems.push(LineProblem {
            line,
            code,
            message,
            hint,
        });
    }

    fn list(&mut self, text: &str) {
        let start = text.len() - text.trim_start_matches('\u{feff}').len();
        let mut scanner = Scanner::new(text);
        scanner.at = start;
        scanner.space();
        if scanner.peek() != Some(b'[') {
            self.problem(
                1,
                "not_a_list",
                "Expected a list of items.".to_owned(),
                "A result file is a list of objects with id, saved_image_path, status and one object per metric.",
            );
            return;
        }
        scanner.at += 1;
        let read = scanner.items(|scanner| {
            let from = scanner.at;
            let members = members(scanner, text)?;
            self.line_at(text, from);
            if let Some(members) = members {
                self.item(members);
            } else {
                let line = self.line;
                self.problem(
                    line,
                    "bad_item",
                    "Expected an object.".to_owned(),
                    "The item is passed over.",
                );
            }
            Ok(())
        });
        if let Err(fault) = read.and_then(|()| scanner.end()) {
            let error = fault.locate(text);
            let line = u32::try_from(error.line).unwrap_or(u32::MAX);
            self.problem(
                line,
                "bad_json",
                format!("This is not JSON: {} at column {}.", error.message, error.column),
                "The items before count, those behind are not judged. Fix the file, or judge again; it resumes.",
            );
        }
        if self.num_without_status > 0 {
            let count = self.num_without_status;
            self.problem(
                0,
                "no_status",
                format!("Items without a status: {count}. The authors' code passes over them."),
                "In the paper's profile their verdicts count. Write \"status\": \"success\" where an output was made.",
            );
        }
    }

    /// Counts lines up to a byte.
    fn line_at(&mut self, text: &str, at: usize) {
        let between = &text.as_bytes()[self.seen..at];
        let ends = memchr::memchr_iter(b'\n', between).count();
        self.line += u32::try_from(ends).unwrap_or(0);
        self.seen = at;
    }

    fn item(&mut self, members: Vec<Member>) {
        let number = self.line;
        let item = Value::Dict(
            members
                .iter()
                .map(|member| (member.key.clone(), member.value.clone()))
                .collect(),
        );
        let id = id_text(item.get("id"));
        if id.is_none() {
            self.problem(
                number,
                "no_id",
                "The item has no id, so it is not known what it judges.".to_owned(),
                "Its verdicts count nowhere.",
            );
        }
        let status = Status::of(&item);
        match &status {
            Status::Success => {}
            Status::Absent => self.num_without_status += 1,
            Status::Other(text) => self.problem(
                number,
                "not_success",
                format!("The status is {text}, so the authors' code passes over the item."),
                "In the paper's profile an output that is missing counts 0.",
            ),
        }
        if let Some(errors) = item.get("_eval_errors") {
            let first = match errors {
                Value::List(errors) => errors.first().map_or_else(String::new, Value::describe),
                other => other.describe(),
            };
            self.problem(
                number,
                "eval_error",
                format!("The authors' code noted: {first}."),
                "The metric that it was about is not judged.",
            );
        }
        let line = u32::try_from(self.file.lines.len()).unwrap_or(u32::MAX);
        self.file.lines.push(ReplyLine {
            number,
            sample: id.map(|id| sample_id(self.task, &id)),
            domain: 0,
        });
        let first = offset(self.file.replies.len());
        for member in &members {
            self.verdict(line, number, &status, member);
        }
        // Whose verdicts these are, and whether they count, hangs on two keys.
        for member in members {
            let Some(key) = &member.repeated else {
                continue;
            };
            self.file.tell_repeated(number, key);
            if ["id", "status"].contains(&member.key.as_str()) {
                let end = offset(self.file.replies.len());
                self.file.repeat(first..end, key);
            }
        }
    }

    /// A field that is a metric, or that the authors' geometric mean takes for one.
    fn verdict(&mut self, line: u32, number: u32, status: &Status, member: &Member) {
        let Member { key, value, .. } = member;
        let metric = Metric::named(key);
        let stored = value.get("score").and_then(py::float);
        let is_asked = metric.is_some_and(|metric| self.task.metrics().contains(&metric));
        if !is_asked && (metric.is_some() || stored.is_some() || is_misspelt(key)) {
            self.not_asked
                .note(number, || format!("\"{}\"", py::shorten(key, 60)));
        }
        if PLAIN.contains(&key.as_str()) || (metric.is_none() && stored.is_none()) {
            return;
        }
        let mut verdict = match metric {
            Some(metric) => stored_verdict(self.task, metric, value),
            None => Verdict {
                paper: Err(Fault::Ignored),
                released: Ok(stored.into_iter().collect()),
            },
        };
        if let (Some(metric), Ok(atoms)) = (metric, &verdict.released)
            && let Some((filed, computed)) = contradiction(metric, value, atoms)
        {
            self.problem(
                number,
                "score_mismatch",
                format!("{key} is stored as {filed}, but its sub-scores give {computed}."),
                "The paper's profile counts the sub-scores, the authors' the stored number.",
            );
        }
        if *status != Status::Success {
            verdict.released = Err(Fault::Ignored);
        }
        let criterion = intern(&mut self.file.criteria, &mut self.criteria, key);
        self.file.replies.push(StoredReply {
            line,
            turn: Some(0).into(),
            criterion,
            raw: offset(member.start)..offset(member.end),
            readings: verdict.readings(),
        });
        self.file.verdicts.push(verdict);
        if let Some(repeated) = &member.repeated {
            let position = offset(self.file.replies.len() - 1);
            self.file.repeat([position], repeated);
        }
    }
}

/// Whether a key is a metric's name in another spelling.
fn is_misspelt(key: &str) -> bool {
    let key = findings::folded(key);
    let mut metrics = Metric::ALL.iter();
    metrics.any(|metric| findings::folded(metric.id()) == key)
}

/// Findings that leave the numbers standing: in the paper's profile everything that could be read counts.
const WARNINGS: [&str; 4] = ["no_status", "not_success", "eval_error", "score_mismatch"];

/// Findings about a result file, as grave as they are.
pub(crate) fn check(
    replies: &ReplyFile,
    positions: &[Option<u32>],
    path: &str,
    problems: &mut Vec<Problem>,
) {
    let first = problems.len();
    findings::check(replies, positions, path, problems);
    for problem in &mut problems[first..] {
        if WARNINGS.contains(&problem.code.as_str()) {
            problem.severity = Severity::Warning;
        }
    }
}

/// Both readings of a stored object.
pub(crate) fn stored_verdict(task: Task, metric: Metric, stored: &Value) -> Verdict {
    let boxed = |atoms: Vec<f64>| atoms.into_boxed_slice();
    let paper = verdict::strict_stored(Some(task), metric, stored)
        .map(boxed)
        .map_err(|rejected: Rejected| rejected.fault);
    let mut atoms = verdict::atoms(metric, stored);
    let has_score = atoms.last().is_some_and(|score| !score.is_nan());
    if metric == Metric::VisualCoherence {
        // One atom more than a reply has: the authors' summary takes a stored number whatever the edit came to.
        atoms.insert(metric.keys().len(), f64::NAN);
    }
    let released = if has_score {
        Ok(boxed(atoms))
    } else if stored.get("error").is_some() {
        Err(Fault::FailedCall)
    } else {
        Err(Fault::Ignored)
    };
    Verdict { paper, released }
}

/// The stored score and the one that its sub-scores give, if those are two.
fn contradiction(metric: Metric, stored: &Value, atoms: &[f64]) -> Option<(f64, f64)> {
    let filed = *atoms.last()?;
    let subs = atoms.get(..atoms.len() - 1)?;
    let is_whole = metric == Metric::PoseConsistency || subs.iter().all(|atom| !atom.is_nan());
    if verdict::is_skipped(metric, stored) || !is_whole {
        return None;
    }
    let computed = score::released_metric(metric, atoms);
    ((filed - computed).abs() > 1e-9).then_some((filed, computed))
}

/// Files are read whole, and Wasm cannot hold one of more than 4 GiB.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// One field of an item: where its text begins, with the key, and ends.
struct Member {
    key: String,
    value: Value,
    start: usize,
    end: usize,
    /// A key that has two values that differ: this one, or one in its value.
    repeated: Option<String>,
}

/// The fields of an object, only the last of two equal keys; `None` for anything else.
fn members(scanner: &mut Scanner<'_>, text: &str) -> Result<Option<Vec<Member>>, py::Fault> {
    if scanner.peek() != Some(b'{') {
        scanner.skip(1)?;
        return Ok(None);
    }
    scanner.at += 1;
    let mut members: Vec<Member> = Vec::new();
    let mut index = Keyed::default();
    let mut first = true;
    loop {
        let before = scanner.at;
        let Some(key) = scanner.key(&mut first)? else {
            return Ok(Some(members));
        };
        // Between the fields stand white space and a comma.
        let gap = text[before..].find('"').unwrap_or(0);
        let key = key.decode();
        scanner.take_repeated();
        let value = scanner.value(2)?;
        let mut member = Member {
            repeated: scanner.take_repeated(),
            value,
            start: before + gap,
            end: scanner.at,
            key,
        };
        match index.find(&member.key, &members, |known| &known.key) {
            Some(known) => {
                if members[known].value != member.value {
                    member.repeated = Some(member.key.clone());
                }
                members[known] = member;
            }
            None => members.push(member),
        }
    }
}
