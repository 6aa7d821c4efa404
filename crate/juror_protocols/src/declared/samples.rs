//! The samples of a protocol file: written in it, or in a JSON, JSONL or CSV list next to it.
//!
//! A sample that cannot be read is told with its place and left out; the others count.

use std::borrow::Cow;
use std::collections::HashSet;

use super::declaration::{Declaration, Fields, Listed};
use super::json::{At, Findings, Json, JsonFault};
use super::keys::{REFERENCE, SAMPLE};
use super::schema::tag_value;
use juror_model::problem::{Problem, Severity};
use juror_model::sample::{Picture, Sample, Turn, TurnKind};
use juror_model::tree::{FileTree, join};
use juror_reading::limits::{FINDINGS_PER_FILE, MORE};
use juror_reading::names::id_key;
use juror_reading::text::table;

/// What parts references in a CSV field.
const SEPARATOR: char = ';';

/// An entry of a list as it was read, before it is a sample.
#[derive(Debug, Default)]
struct Entry {
    id: String,
    instruction: String,
    /// Path and label.
    references: Vec<(String, Option<String>)>,
    /// Tag and value; a tag may have several.
    tags: Vec<(String, String)>,
}

/// What a list gives.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) samples: Vec<Sample>,
    pub(super) num_unreadable: u32,
    pub(super) problems: Vec<Problem>,
}

/// The place and the purpose of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) tree: &'a FileTree,
    /// Folder of the protocol file.
    pub(super) folder: &'a str,
    /// Path of the file that the list is in.
    pub(super) path: &'a str,
    pub(super) declaration: &'a Declaration,
}

/// Reads the samples; `list` is the protocol file's value of `samples`, `text` that of the file which it names.
pub(super) fn read(
    source: Source<'_>,
    listed: &Listed,
    list: Option<&Json>,
    text: Option<&str>,
) -> Read {
    let mut entries = Entries::default();
    match (listed, text) {
        (Listed::Inline, _) => {
            if let Some(Json::List(items)) = list {
                entries.of_items(items, "/samples/", None);
            }
        }
        (Listed::File { .. }, None) => {}
        (Listed::File { file, fields }, Some(text)) => {
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            let fields = fields.as_ref();
            match file
                .rsplit_once('.')
                .map(|(_, ending)| ending.to_lowercase())
            {
                Some(ending) if ending == "csv" => entries.of_csv(text, fields),
                Some(ending) if ending == "jsonl" => entries.of_lines(text, fields),
                _ => match Json::read(text) {
                    Ok(Json::List(items)) => entries.of_items(&items, "/", fields),
                    Ok(other) => {
                        let message =
                            format!("Expected a list of samples, found {}.", other.describe());
                        entries.refuse_all(String::new(), message);
                    }
                    Err(error) => entries.refuse_all(
                        format!("line {}, column {}", error.line(), error.column()),
                        format!("The list is not JSON: {error}."),
                    ),
                },
            }
        }
    }
    finish(source, entries)
}

/// Entries with their places, and what could not be read.
#[derive(Debug, Default)]
struct Entries {
    read: Vec<(String, Entry)>,
    findings: Findings,
    num_unreadable: u32,
    /// Findings that are only counted.
    num_more: u32,
}

impl Entries {
    /// Keeps the first findings of a list; the others are counted.
    fn note(&mut self, finding: JsonFault) {
        if self.findings.len() < FINDINGS_PER_FILE {
            self.findings.push(finding);
        } else {
            self.num_more += 1;
        }
    }

    fn refuse_all(&mut self, place: String, message: String) {
        self.note(JsonFault {
            place,
            message,
            hint: "Fix the list: it has no samples as it is.".to_owned(),
        });
    }

    /// Takes one entry in, unless something is wrong with it.
    fn take(&mut self, prefix: &str, json: &Json, fields: Option<&Fields>) {
        let mut found = Findings::new();
        let at = At::top(json);
        let entry = match fields {
            None => own(&at, &mut found),
            Some(fields) => mapped(&at, fields, &mut found),
        };
        match entry {
            Some(entry) if found.is_empty() => self.read.push((prefix.to_owned(), entry)),
            _ => self.num_unreadable += 1,
        }
        for finding in found {
            self.note(JsonFault {
                place: format!("{prefix}{}", finding.place),
                ..finding
            });
        }
    }

    fn of_items(&mut self, items: &[Json], prefix: &str, fields: Option<&Fields>) {
        for (position, item) in items.iter().enumerate() {
            self.take(&format!("{prefix}{position}"), item, fields);
        }
    }

    fn of_lines(&mut self, text: &str, fields: Option<&Fields>) {
        let lines = (1..).zip(text.lines());
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            match Json::read(line) {
                Ok(json) => self.take(&format!("line {number}, "), &json, fields),
                Err(error) => {
                    self.num_unreadable += 1;
                    self.note(JsonFault {
                        place: format!("line {number}, column {}", error.column()),
                        message: format!("The line is not JSON: {error}."),
                        hint: "The sample is left out; the others count.".to_owned(),
                    });
                }
            }
        }
    }

    /// A row is an object of texts; references are parted by `;`, and `tags.NAME` is a tag.
    fn of_csv(&mut self, text: &str, fields: Option<&Fields>) {
        let (separator, text) = table(text);
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .delimiter(separator)
            .from_reader(text.as_bytes());
        let head: Vec<String> = match reader.headers() {
            Ok(head) => head.iter().map(str::to_owned).collect(),
            Err(error) => {
                return self.refuse_all(
                    "line 1".to_owned(),
                    format!("The head cannot be read: {error}."),
                );
            }
        };
        for record in reader.records() {
            match record {
                Ok(record) => {
                    let line = record.position().map_or(0, csv::Position::line);
                    let row = row(&head, &record, fields);
                    self.take(&format!("line {line}, "), &row, fields);
                }
                Err(error) => {
                    let line = error.position().map_or(0, csv::Position::line);
                    self.num_unreadable += 1;
                    self.note(JsonFault {
                        place: format!("line {line}"),
                        message: format!("This row cannot be read: {error}."),
                        hint: "The sample is left out; the others count.".to_owned(),
                    });
                }
            }
        }
    }
}

/// A row of a CSV as the object that a JSON list would have; an empty field is an absent one.
fn row(head: &[String], record: &csv::StringRecord, fields: Option<&Fields>) -> Json {
    let parts = |text: &str| {
        let parts = text.split(SEPARATOR).map(str::trim);
        let parts = parts.filter(|part| !part.is_empty());
        Json::List(parts.map(|part| Json::Text(part.to_owned())).collect())
    };
    let mut entries = Vec::new();
    let mut tags = Vec::new();
    let cells = head.iter().zip(record).filter(|(_, cell)| !cell.is_empty());
    for (name, cell) in cells {
        let text = Json::Text(cell.to_owned());
        let is_list = |fields: &Fields| {
            fields.references.contains(name) || fields.tags.iter().any(|(_, field)| field == name)
        };
        match (fields, name.strip_prefix("tags.")) {
            (None, Some(tag)) => tags.push((tag.to_owned(), parts(cell))),
            (None, None) if name == "references" => entries.push((name.clone(), parts(cell))),
            (Some(fields), _) if is_list(fields) => entries.push((name.clone(), parts(cell))),
            _ => entries.push((name.clone(), text)),
        }
    }
    if fields.is_none() && !tags.is_empty() {
        entries.push(("tags".to_owned(), Json::Object(tags)));
    }
    Json::Object(entries)
}

/// An entry in the format's own words.
fn own(at: &At<'_>, found: &mut Findings) -> Option<Entry> {
    let object = at.object(&SAMPLE, found)?;
    let mut entry = Entry {
        id: id(object.get("id")?, found)?,
        ..Entry::default()
    };
    if let Some(at) = object.get("instruction") {
        entry.instruction = instruction(at, found)?;
    }
    if let Some(at) = object.get("references") {
        for at in at.list("a list of references", found)? {
            entry.references.push(reference(&at, found)?);
        }
    }
    if let Some(at) = object.get("tags") {
        for (tag, at) in at.entries("an object of tags", found)? {
            entry.take_tag(tag, &at, found)?;
        }
    }
    Some(entry)
}

/// An entry in somebody else's words; fields that nothing asks for are theirs.
fn mapped(at: &At<'_>, fields: &Fields, found: &mut Findings) -> Option<Entry> {
    let entries = at.entries("an object", found)?;
    let get = |name: &str| {
        let known = entries.iter().find(|(key, _)| *key == name);
        known.map(|(_, at)| at).filter(|at| *at.json != Json::Null)
    };
    let Some(at_id) = get(&fields.id) else {
        at.refuse(format!("Expected a key \"{}\".", fields.id), "", found);
        return None;
    };
    let mut entry = Entry {
        id: id(at_id, found)?,
        ..Entry::default()
    };
    if let Some(at) = fields.instruction.as_deref().and_then(get) {
        entry.instruction = instruction(at, found)?;
    }
    for at in fields.references.iter().filter_map(|name| get(name)) {
        for at in at.texts("a path or a list of paths", found)? {
            entry.references.push(reference(&at, found)?);
        }
    }
    for (tag, field) in &fields.tags {
        if let Some(at) = get(field) {
            entry.take_tag(tag, at, found)?;
        }
    }
    Some(entry)
}

impl Entry {
    fn take_tag(&mut self, tag: &str, at: &At<'_>, found: &mut Findings) -> Option<()> {
        let what = "a text or number, or a list of them";
        let values: Option<Vec<String>> = match at.json {
            Json::List(items) => items.iter().map(tag_value).collect(),
            one => tag_value(one).map(|value| vec![value]),
        };
        let Some(values) = values else {
            return at.expected(what, "", found);
        };
        for value in values {
            let pair = (tag.to_owned(), value);
            if !self.tags.contains(&pair) {
                self.tags.push(pair);
            }
        }
        Some(())
    }
}

fn id(at: &At<'_>, found: &mut Findings) -> Option<String> {
    match at.json {
        Json::Text(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Json::Number(number) if number.fract() == 0.0 => Some((number + 0.0).to_string()),
        Json::Long(number) => Some(number.to_string()),
        _ => at.expected("an id: text or a whole number", "", found),
    }
}

fn instruction(at: &At<'_>, found: &mut Findings) -> Option<String> {
    match at.json {
        Json::Text(text) => Some(text.clone()),
        _ => at.expected("a text", "", found),
    }
}

fn reference(at: &At<'_>, found: &mut Findings) -> Option<(String, Option<String>)> {
    if let Json::Object(_) = at.json {
        let object = at.object(&REFERENCE, found)?;
        let file = object.get("file")?.text("a path", found)?.to_owned();
        let label = match object.get("label") {
            Some(at) => Some(at.text("a label", found)?.to_owned()),
            None => None,
        };
        return Some((file, label));
    }
    let what = "a path, or an object with file and label";
    Some((at.text(what, found)?.to_owned(), None))
}

/// Samples with their pictures, and the findings as problems of the list's file.
fn finish(source: Source<'_>, entries: Entries) -> Read {
    let problem = |code: &str, severity, place: &str, message: String, hint: &str| Problem {
        severity,
        code: code.to_owned(),
        path: source.path.to_owned(),
        place: place.trim_end_matches([',', ' ']).to_owned(),
        message,
        hint: hint.to_owned(),
    };
    let mut read = Read {
        num_unreadable: entries.num_unreadable,
        ..Read::default()
    };
    let left_out = "The sample is left out; the others count.";
    for finding in entries.findings {
        let hint = match finding.hint.as_str() {
            "" => left_out,
            hint => hint,
        };
        read.problems.push(problem(
            "bad_item",
            Severity::Error,
            &finding.place,
            finding.message,
            hint,
        ));
    }
    if entries.num_more > 0 {
        let message = format!("{MORE}{} more of this kind in the list.", entries.num_more);
        let found = problem("bad_item", Severity::Error, "", message, left_out);
        read.problems.push(found);
    }
    let mut ids = HashSet::new();
    for (place, entry) in entries.read {
        if !ids.insert(id_key(&entry.id).into_owned()) {
            read.num_unreadable += 1;
            read.problems.push(problem(
                "duplicate_id",
                Severity::Error,
                &place,
                format!(
                    "There is another sample \"{}\", or one whose id is compared as the same.",
                    entry.id
                ),
                "The first one counts and this one is left out.",
            ));
            continue;
        }
        let sample = sample(source, entry);
        for picture in sample
            .pictures
            .iter()
            .filter(|picture| picture.file.is_none())
        {
            read.problems.push(problem(
                "missing_picture",
                Severity::Error,
                &place,
                format!(
                    "There is no file {}.",
                    join(source.folder, &picture.path)
                ),
                "Paths are from the folder of juror.json. Open the folder that holds it as well; scores from replies are not affected.",
            ));
        }
        read.samples.push(sample);
    }
    read
}

fn sample(source: Source<'_>, entry: Entry) -> Sample {
    let Source {
        tree,
        folder,
        declaration,
        ..
    } = source;
    let first = |scope: &str| {
        let grouping = declaration.groupings.iter().find(|own| own.scope == scope);
        let tag = grouping.map_or(scope, |grouping| &grouping.tag);
        let value = entry.tags.iter().find(|(own, _)| own == tag);
        value.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let pictures = (1..).zip(entry.references);
    let output = declaration.outputs.first();
    Sample {
        domain: first("domain"),
        category: Cow::Owned(first("category")),
        details: Vec::new(),
        pictures: pictures
            .map(|(number, (path, label))| Picture {
                file: tree.find(&join(folder, &path)),
                label: label.unwrap_or_else(|| format!("Reference {number}")),
                path,
            })
            .collect(),
        turns: vec![Turn {
            kind: TurnKind::Image,
            instruction: entry.instruction,
            answer: String::new(),
            picture: None,
            key_points: Vec::new(),
            output_name: output.map_or_else(String::new, |pattern| pattern.output_name(&entry.id)),
        }],
        tags: entry
            .tags
            .into_iter()
            .map(|(tag, value)| (Cow::Owned(tag), value))
            .collect(),
        id: entry.id,
    }
}
