//! What a pack says beside what is recomputed: every difference by kind, with the old and the new value.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::hash::Hash;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Manifest, Pictures, RequestRow, STALE, Signed, VerdictRow};
use crate::report::Report;
use juror_model::row::{Incident, SampleRow, ScoreRow};
use juror_reading::count::counted;

/// Findings of one kind that are listed one by one.
const MAX_PER_KIND: u32 = 200;

/// One thing that differs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "PackFinding")
)]
pub struct Finding {
    /// `manifest`, `missing_entry`, `extra_entry`, `changed_entry`, `request`, `reply_request`, `verdict`, `score`, `unit`,
    /// `incident`, `report`, `renamed_entry`, `row`, `measure`, `signature`, `outside`.
    pub kind: String,
    /// What it is about: a path, a row.
    pub about: String,
    /// Sample that it is about; empty if none.
    pub sample: String,
    /// Turn of that sample.
    pub turn: Option<u32>,
    /// What the pack says.
    pub old: String,
    /// What comes out here.
    pub new: String,
}

/// What became of checking a pack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "PackVerification")
)]
pub struct Verification {
    /// Nothing differs, and every picture in it was decoded.
    pub reproduced: bool,
    /// What does not reproduce, in a sentence; empty where everything does.
    pub reason: String,
    /// How much of it was recomputed, and how much is taken on trust.
    pub coverage: Coverage,
    /// The same in a sentence.
    pub covered: String,
    /// Whose signature it bears, if any: that says nothing of whether it reproduces.
    pub signed: Option<Signed>,
    /// What names the pack: the hash of its manifest as it is.
    pub sha256: String,
    /// Juror that wrote it.
    pub written_by: String,
    /// Juror that checked it.
    pub checked_by: String,
    /// Display name of the benchmark.
    pub title: String,
    /// How pictures went in.
    pub pictures: Pictures,
    /// Files that were held against their hashes.
    pub files: u32,
    /// Requests that were made anew.
    pub requests: u32,
    /// Replies that were read anew.
    pub verdicts: u32,
    /// Score rows that were computed anew.
    pub scores: u32,
    /// Findings by kind, those included that are not listed.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, number>"))]
    pub counts: BTreeMap<String, u32>,
    /// What differs, in the order in which it is best looked at; at most 200 of a kind.
    pub findings: Vec<Finding>,
    /// What to know about it.
    pub notes: Vec<String>,
}

/// How far a check reaches: what was recomputed, and what is as the pack states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "PackCoverage")
)]
pub struct Coverage {
    /// Replies that were read again.
    pub replies: u32,
    /// Replies to requests that are not in the pack, such as those under judge texts that were not open.
    pub unasked: u32,
    /// Pictures that were decoded.
    pub decoded: u32,
    /// Pictures in the pack that nothing here could decode: what their header and the manifest say stands for them.
    pub undecoded: u32,
    /// Pictures that went in as thumbnails or not at all: what the manifest says stands for them.
    pub stated: u32,
    /// Measured values that were measured again.
    pub measured: u32,
    /// Measured values that were not.
    pub measures_on_trust: u32,
    /// Names of judges.
    pub judges_on_trust: u32,
}

impl Coverage {
    /// In a sentence.
    pub fn words(&self) -> String {
        let mut out = format!(
            "{} recomputed, {} decoded",
            counted(self.replies, "reply", "replies"),
            counted(self.decoded, "picture", "pictures"),
        );
        // Writing to a string cannot fail.
        let mut more = |number: u32, words: [&str; 2], end: &str| {
            if number > 0 {
                let _ = write!(out, ", {}{end}", counted(number, words[0], words[1]));
            }
        };
        more(self.undecoded, ["picture", "pictures"], " not decoded");
        let stated = " as the manifest states";
        let stated = [stated, if self.stated == 1 { " it" } else { " them" }].concat();
        more(self.stated, ["picture", "pictures"], &stated);
        more(self.measured, ["measure", "measures"], " measured again");
        let _ = write!(
            out,
            ", {} and {} on trust",
            counted(self.measures_on_trust, "measure", "measures"),
            counted(self.judges_on_trust, "judge name", "judge names"),
        );
        if self.unasked > 0 {
            let _ = write!(
                out,
                ", {} to requests that are not in it",
                counted(self.unasked, "reply", "replies")
            );
        }
        out + "."
    }
}

/// Kinds of findings that are about a pack's files, and say nothing of what its replies give.
const OF_FILES: [&str; 7] = [
    "manifest",
    "missing_entry",
    "extra_entry",
    "changed_entry",
    "renamed_entry",
    "row",
    OUTSIDE,
];

/// The kind of findings that are about what a ZIP holds besides its files.
const OUTSIDE: &str = "outside";

/// The kind of findings that are about a pack's signature.
const SIGNED: &str = "signature";

/// What is said instead of "Reproduced" where pictures in the pack could not be decoded.
const NOT_DECODED: &str = "Pictures not decoded: everything else follows from its replies, but a picture here may be broken, or sound where the manifest calls it corrupt. Check it with the command line, or in a page that decodes.";

/// What findings of these kinds come to where so many pictures could not be decoded, in a sentence; empty where nothing is
/// to be said.
pub fn reason(counts: &BTreeMap<String, u32>, undecoded: u32) -> &'static str {
    let is_of_files = |kind: &String| OF_FILES.contains(&kind.as_str());
    let is_of_signature = |kind: &String| kind == SIGNED;
    match () {
        () if counts.is_empty() && undecoded > 0 => NOT_DECODED,
        () if counts.is_empty() => "",
        () if counts.keys().all(is_of_signature) => {
            "Its signature does not fit it; the numbers follow from its replies."
        }
        () if counts.keys().all(|kind| kind == OUTSIDE) => {
            "It holds something besides its files; the numbers follow from its replies."
        }
        () if counts
            .keys()
            .all(|kind| is_of_files(kind) || is_of_signature(kind)) =>
        {
            "Its files are not those that its manifest lists; the numbers follow from its replies."
        }
        () => "What comes out of its raw replies is not what it says.",
    }
}

impl Finding {
    /// Something that a ZIP holds besides its files: where, and what.
    pub fn outside(about: String, found: String) -> Self {
        Self {
            kind: OUTSIDE.to_owned(),
            about,
            old: "nothing but files".to_owned(),
            new: found,
            ..Self::default()
        }
    }
}

/// Findings as they come in.
#[derive(Debug, Default)]
pub struct Findings {
    /// What differs, at most 200 of a kind.
    pub list: Vec<Finding>,
    /// How much of each kind differs, listed or not.
    pub counts: BTreeMap<String, u32>,
}

impl Findings {
    /// Counts one, and lists it where there is room.
    pub fn push(&mut self, finding: Finding) {
        let count = self.counts.entry(finding.kind.clone()).or_default();
        *count += 1;
        if *count <= MAX_PER_KIND {
            self.list.push(finding);
        }
    }

    /// One that is about no sample.
    pub fn tell(&mut self, kind: &str, about: &str, old: &str, new: &str) {
        self.push(Finding {
            kind: kind.to_owned(),
            about: about.to_owned(),
            old: old.to_owned(),
            new: new.to_owned(),
            ..Finding::default()
        });
    }
}

/// Pairs of rows that are not the same, in the old order, then what is only new; of equal keys the first meets the first.
pub(super) fn changes<'a, T, K: Hash + Eq + Clone>(
    old: &'a [T],
    new: &'a [T],
    key: impl Fn(&'a T) -> K,
    is_same: impl Fn(&T, &T) -> bool,
) -> Vec<(Option<&'a T>, Option<&'a T>)> {
    let numbered = |rows: &'a [T]| {
        let mut seen: HashMap<K, u32> = HashMap::new();
        let numbered = rows.iter().map(|row| {
            let number = seen.entry(key(row)).or_default();
            *number += 1;
            ((key(row), *number), row)
        });
        numbered.collect::<Vec<_>>()
    };
    let (old, new) = (numbered(old), numbered(new));
    let index: HashMap<&(K, u32), &'a T> = new.iter().map(|(key, row)| (key, *row)).collect();
    let known: HashMap<&(K, u32), &'a T> = old.iter().map(|(key, row)| (key, *row)).collect();
    let mut out = Vec::new();
    for (key, row) in &old {
        match index.get(key) {
            Some(other) if is_same(row, other) => {}
            other => out.push((Some(*row), other.copied())),
        }
    }
    let only_new = new.iter().filter(|(key, _)| !known.contains_key(key));
    out.extend(only_new.map(|(_, row)| (None, Some(*row))));
    out
}

const NONE: &str = "none";

pub(super) fn request_key(row: &RequestRow) -> (&str, &str, u32, &str) {
    (&row.model, &row.sample, row.turn, &row.criterion)
}

/// Requests that come out differently.
pub fn of_requests(old: &[RequestRow], new: &[RequestRow], findings: &mut Findings) {
    for (old, new) in changes(old, new, request_key, |a, b| a == b) {
        let Some(row) = old.or(new) else { continue };
        let name = |row: Option<&RequestRow>| {
            let hash = row.and_then(|row| row.sha256.clone());
            hash.unwrap_or_else(|| NONE.to_owned())
        };
        let is_text_alone = old.is_some() && name(old) == name(new);
        findings.push(Finding {
            kind: "request".to_owned(),
            about: format!("{} of {}", row.criterion, row.model),
            sample: row.sample.clone(),
            turn: Some(row.turn),
            old: name(old),
            new: if is_text_alone && new.is_some() {
                "the same hash over another content".to_owned()
            } else {
                name(new)
            },
        });
    }
}

pub(super) fn verdict_key(row: &VerdictRow) -> (&str, &str, u32, &str, &str, u32) {
    (
        &row.model,
        &row.sample,
        row.turn,
        &row.criterion,
        &row.judge,
        row.run,
    )
}

/// Where a reply stands is told and not compared: what was pasted stands in the pack's own journal.
pub(super) fn is_same_verdict(a: &VerdictRow, b: &VerdictRow) -> bool {
    a.status == b.status
        && a.score == b.score
        && a.parts == b.parts
        && a.counted == b.counted
        && a.reply == b.reply
}

pub(super) fn verdict_words(row: Option<&VerdictRow>) -> String {
    let Some(row) = row else {
        return NONE.to_owned();
    };
    let mut out = match row.score {
        Some(score) => number(score),
        None => row.status.clone(),
    };
    if row.parts.len() > 1 {
        let parts: Vec<String> = row
            .parts
            .iter()
            .map(|(name, score)| format!("{name} {}", number(*score)))
            .collect();
        // Writing to a string cannot fail.
        let _ = write!(out, " ({})", parts.join(", "));
    }
    if !row.counted {
        out += ", not counted";
    }
    out
}

fn number(x: f64) -> String {
    let text = serde_json::to_string(&x).unwrap_or_default();
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// Replies that read differently, and those that answer another request than the pack says.
pub fn of_verdicts(old: &[VerdictRow], new: &[VerdictRow], findings: &mut Findings) {
    for (old, new) in changes(old, new, verdict_key, is_same_verdict) {
        let Some(row) = new.or(old) else { continue };
        let is_stale = |row: Option<&VerdictRow>| row.is_some_and(|row| row.status == STALE);
        let (mut before, mut after) = (verdict_words(old), verdict_words(new));
        if before == after {
            before += ", another text";
            after += ", another text";
        }
        findings.push(Finding {
            kind: if is_stale(new) && !is_stale(old) {
                "reply_request".to_owned()
            } else {
                "verdict".to_owned()
            },
            about: format!(
                "{} of {}, judge {:?}, run {}, {}",
                row.criterion, row.model, row.judge, row.run, row.source
            ),
            sample: row.sample.clone(),
            turn: Some(row.turn),
            old: before,
            new: after,
        });
    }
}

pub(super) fn score_key(row: &ScoreRow) -> (&str, &str, &str, &str, &str) {
    (&row.model, &row.judge, &row.scope, &row.key, &row.criterion)
}

/// A mean with what it rests on, in words; `sd` and the rest where `other` has the same.
pub(super) fn score_words(row: Option<&ScoreRow>, other: Option<&ScoreRow>) -> String {
    let Some(row) = row else {
        return NONE.to_owned();
    };
    let option = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), number);
    let mut out = format!("{} (n {} of {})", option(row.mean), row.n, row.expected);
    if other.is_some_and(|other| {
        (other.mean, other.n, other.expected) == (row.mean, row.n, row.expected)
    }) {
        let _ = write!(
            out,
            ", sd {}, 95 % CI {} to {}, bounds {} to {}, {:?}, {:?}",
            option(row.sd),
            option(row.ci_low),
            option(row.ci_high),
            option(row.worst),
            option(row.best),
            row.profile,
            row.policy
        );
    }
    out
}

/// Score rows, units and incidents that come out differently.
pub fn of_report(old: &Report, new: &Report, findings: &mut Findings) {
    for (old, new) in changes(&old.scores, &new.scores, score_key, |a, b| a == b) {
        let Some(row) = old.or(new) else { continue };
        findings.tell(
            "score",
            &format!(
                "{} of {}, {} {}, judge {:?}",
                row.criterion, row.model, row.scope, row.key, row.judge
            ),
            &score_words(old, new),
            &score_words(new, old),
        );
    }
    for (old, new) in changes(&old.samples, &new.samples, unit_key, |a, b| a == b) {
        let Some(row) = old.or(new) else { continue };
        let words = |row: Option<&SampleRow>| {
            row.map_or_else(
                || NONE.to_owned(),
                |row| {
                    let tied = if row.tied { ", tied" } else { "" };
                    match row.score {
                        Some(score) => format!("{} ({}{tied})", number(score), row.status),
                        None => format!("{}{tied}", row.status),
                    }
                },
            )
        };
        findings.push(Finding {
            kind: "unit".to_owned(),
            about: format!(
                "{} of {}, judge {:?}, run {}",
                row.criterion, row.model, row.judge, row.run
            ),
            sample: row.sample.clone(),
            turn: Some(row.turn),
            old: words(old),
            new: words(new),
        });
    }
    for (old, new) in changes(&old.incidents, &new.incidents, incident_key, |a, b| a == b) {
        let Some(row) = old.or(new) else { continue };
        let is_kind_alone = old.map(|row| &row.kind) != new.map(|row| &row.kind);
        let words = |row: Option<&Incident>| match row {
            None => NONE.to_owned(),
            Some(row) if is_kind_alone => row.kind.clone(),
            Some(row) => format!("{}: {}", row.kind, row.detail),
        };
        findings.push(Finding {
            kind: "incident".to_owned(),
            about: format!("{} of {}", row.criterion, row.model),
            sample: row.sample.clone(),
            turn: Some(row.turn),
            old: words(old),
            new: words(new),
        });
    }
}

/// Everything that a report says and that is said in other words here, whatever it is: `stated` is the pack's text,
/// `here` the one that was computed anew.
///
/// Both are written by the same rules, so equal reports are equal texts. Rows that [`of_report`] has told are not told
/// again.
pub fn of_text(stated: &str, here: &str, findings: &mut Findings) {
    if stated == here {
        return;
    }
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let (mut old, mut new) = (read(stated), read(here));
    let mut told = 0;
    for (rows, kind) in ROWS {
        if findings.counts.contains_key(kind) {
            told += 1;
            for report in [&mut old, &mut new] {
                if let Some(report) = report.as_object_mut() {
                    report.remove(rows);
                }
            }
        }
    }
    let before = findings.counts.get(REPORT).copied();
    of_values(REPORT, "", &old, &new, findings);
    if told == 0 && findings.counts.get(REPORT).copied() == before {
        findings.tell(
            REPORT,
            "its text",
            "as Juror writes it",
            "something was repeated or formatted differently",
        );
    }
}

const REPORT: &str = "report";
/// The rows of a report, and what a changed one is told as.
const ROWS: [(&str, &str); 3] = [
    ("scores", "score"),
    ("samples", "unit"),
    ("incidents", "incident"),
];
/// Characters of a value that a finding shows.
const MAX_SHOWN: usize = 160;

/// Each place of a JSON value that is not the same, as findings of a kind.
fn of_values(kind: &str, at: &str, old: &Value, new: &Value, findings: &mut Findings) {
    let each =
        |at: String, old: Option<&Value>, new: Option<&Value>, findings: &mut Findings| match (
            old, new,
        ) {
            (Some(old), Some(new)) => of_values(kind, &at, old, new, findings),
            (old, new) => findings.tell(kind, &at, &shown(old), &shown(new)),
        };
    match (old, new) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            for key in keys {
                let at = if at.is_empty() {
                    key.clone()
                } else {
                    format!("{at}.{key}")
                };
                each(at, one.get(key), other.get(key), findings);
            }
        }
        (Value::Array(one), Value::Array(other)) => {
            for place in 0..one.len().max(other.len()) {
                let at = format!("{at}[{place}]");
                each(at, one.get(place), other.get(place), findings);
            }
        }
        _ if old == new => {}
        _ => findings.tell(kind, at, &shown(Some(old)), &shown(Some(new))),
    }
}

/// A value as a finding shows it, the same in every host: with its keys in order.
fn shown(value: Option<&Value>) -> String {
    value.map_or_else(
        || NONE.to_owned(),
        |value| short(&sorted(value).to_string()),
    )
}

/// A value with its keys in order, whatever order a build of the JSON reader keeps.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(entries) => {
            let ordered: BTreeMap<&String, Value> = entries
                .iter()
                .map(|(key, value)| (key, sorted(value)))
                .collect();
            Value::Object(
                ordered
                    .into_iter()
                    .map(|(key, value)| (key.clone(), value))
                    .collect(),
            )
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

/// A text as a finding shows it.
fn short(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// What a manifest says that does not come out here: of its head each place, of each file its role, how it lies in the
/// pack, and what its picture is. `is_told` says of which places of the head a finding has been made already.
///
/// Sizes and hashes of files are compared with the files themselves, see `check_entries` of a session.
pub fn of_manifest(
    stated: &str,
    here: &Manifest,
    is_told: impl Fn(&str) -> bool,
    findings: &mut Findings,
) {
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let (mut old, mut new) = (read(stated), read(&here.to_json()));
    let [stated, expected] = [&mut old, &mut new].map(|manifest| {
        let entries = match manifest.get_mut("entries").map(Value::take) {
            Some(Value::Array(entries)) => entries,
            _ => Vec::new(),
        };
        if let Some(head) = manifest.as_object_mut() {
            head.retain(|key, _| key != "entries" && key != "sha256" && !is_told(key));
        }
        entries
    });
    of_values("manifest", "", &old, &new, findings);
    let path = |entry: &Value| entry["path"].as_str().unwrap_or_default().to_owned();
    let order: Vec<String> = expected.iter().map(path).collect();
    let mut rest: HashMap<String, Value> = expected
        .into_iter()
        .map(|entry| (path(&entry), entry))
        .collect();
    let mut paths = BTreeSet::new();
    of_order(
        &stated.iter().map(path).collect::<Vec<_>>(),
        &order,
        findings,
    );
    for entry in stated {
        let name = path(&entry);
        // A second entry of one path is a finding of its own.
        if !paths.insert(name.clone()) {
            continue;
        }
        let Some(expected) = rest.remove(&name) else {
            let role = entry["role"].as_str().unwrap_or_default().to_owned();
            findings.tell("extra_entry", &name, &role, "nothing rests on it");
            continue;
        };
        of_entry(&name, &entry, &expected, findings);
    }
    let mut lacking: Vec<&String> = rest.keys().collect();
    lacking.sort_unstable();
    for name in lacking {
        findings.tell("manifest", name, NONE, "an entry");
    }
}

/// The first entry that is not in its place, where the manifest has the very entries that it should have.
fn of_order(stated: &[String], expected: &[String], findings: &mut Findings) {
    let [mut old, mut new] = [stated.to_vec(), expected.to_vec()];
    old.sort_unstable();
    new.sort_unstable();
    if old != new {
        return;
    }
    let moved = (stated.iter().zip(expected)).find(|(old, new)| old != new);
    if let Some((old, new)) = moved {
        findings.tell("manifest", "the order of entries", old, new);
    }
}

/// What a manifest says of one file, field by field.
fn of_entry(path: &str, stated: &Value, here: &Value, findings: &mut Findings) {
    let (Some(old), Some(new)) = (stated.as_object(), here.as_object()) else {
        return;
    };
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for key in keys {
        let is_of_bytes = ["path", "size", "sha256"].contains(&key.as_str());
        let (old, new) = (old.get(key), new.get(key));
        if !is_of_bytes && old != new {
            findings.tell(
                "manifest",
                &format!("{path}: {key}"),
                &shown(old),
                &shown(new),
            );
        }
    }
}

/// The first line of a file of rows that is not written as Juror writes it, unless its rows were told as findings of
/// another kind: unknown keys, another order, another format.
pub fn of_lines(path: &str, stated: &str, here: &str, told: &[&str], findings: &mut Findings) {
    if stated == here || told.iter().any(|kind| findings.counts.contains_key(*kind)) {
        return;
    }
    let (mut old, mut new) = (stated.split('\n'), here.split('\n'));
    for number in 1_u32.. {
        let (old, new) = (old.next(), new.next());
        if old == new && old.is_some() {
            continue;
        }
        let words = |line: Option<&str>| line.map_or_else(|| NONE.to_owned(), short);
        // Beyond what is shown, the two may be equal.
        let (mut before, after) = (words(old), words(new));
        if before == after {
            "the same at first, then something else".clone_into(&mut before);
        }
        findings.tell("row", &format!("{path}:{number}"), &before, &after);
        return;
    }
}

fn unit_key(row: &SampleRow) -> (&str, &str, u32, &str, u32, &str) {
    (
        &row.model,
        &row.judge,
        row.run,
        &row.sample,
        row.turn,
        &row.criterion,
    )
}

fn incident_key(row: &Incident) -> (&str, &str, u32, &str, u32, &str) {
    (
        &row.model,
        &row.judge,
        row.run,
        &row.sample,
        row.turn,
        &row.criterion,
    )
}
