//! MultiRef-Bench's real-world half: requests that people posted become samples, with a person's word at every step.
//!
//! Source: the MultiRef paper, appendix C.3; the two calls are in our own words. Each item is collected, then a person says
//! whether its pictures are needed, its instruction makes sense and which output is right; a model rewrites the instruction
//! and names its category, and a person reviews both.

use juror_protocols::multiref::CATEGORIES;
use juror_reading::py::{self, Value};
use serde::{Deserialize, Serialize};

use crate::ordered::{Json, pretty};
pub use crate::picture::Picture;
use crate::picture::{Copied, ending};
use crate::progress::due_of;
use crate::reply::object;
use crate::{
    Answer, Decision, Error, Kind, Making, OutFile, Progress, ProgressRow, PromptPart, Reply,
    Request, Verdict, Wanted,
};

/// Tries of one reading.
const MAX_TRIES: u32 = 3;
/// Inputs of a request.
const NUM_INPUTS: std::ops::RangeInclusive<usize> = 2..=6;
/// How a rewritten instruction begins.
const BEGINNING: &str = "Edit image <image";

/// A request that somebody posted, with what others made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// What tells it from the others.
    pub id: String,
    /// What was asked, as it was posted.
    pub text: String,
    /// Two to six pictures, in order.
    pub inputs: Vec<Picture>,
    /// What came back, at least one.
    pub outputs: Vec<Picture>,
}

/// An item as a list names it, before its pictures are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// See [`Item::id`].
    pub id: String,
    /// See [`Item::text`].
    pub text: String,
    /// Paths.
    pub inputs: Vec<String>,
    /// Paths.
    pub outputs: Vec<String>,
}

/// Items of a JSON list: `{"id", "text", "inputs": [paths], "outputs": [paths]}`.
///
/// # Errors
/// It is no such list, two items have one id, or an item has fewer than two or more than six inputs, or no output.
///
/// # Example
/// ```
/// use juror_make::realworld::found_in_list;
/// let found = found_in_list("a.json", "[{\"id\": 7, \"text\": \"Swap them.\", \"inputs\": [\"1.png\", \"2.png\"], \"outputs\": [\"o.png\"]}]")?;
/// assert_eq!((found[0].id.as_str(), found[0].inputs.len()), ("7", 2));
/// assert!(found_in_list("a.json", "[{\"id\": 7}]").is_err());
/// # Ok::<(), juror_make::Error>(())
/// ```
pub fn found_in_list(name: &str, text: &str) -> Result<Vec<Found>, Error> {
    let bad = |told: String| Error::List(format!("{name}: {told}"));
    let value = py::loads(text.strip_prefix('\u{feff}').unwrap_or(text));
    let Ok(Value::List(items)) = value else {
        return Err(bad(
            "expected a JSON list of {\"id\", \"text\", \"inputs\", \"outputs\"}.".to_owned(),
        ));
    };
    let mut found: Vec<Found> = Vec::new();
    for (number, item) in (1..).zip(&items) {
        let one = found_item(item).map_err(|told| bad(format!("item {number}: {told}")))?;
        if found.iter().any(|known| known.id == one.id) {
            return Err(bad(format!(
                "item {number}: a second item is called {}.",
                one.id
            )));
        }
        found.push(one);
    }
    Ok(found)
}

fn found_item(item: &Value) -> Result<Found, String> {
    let id = item
        .get("id")
        .and_then(Value::id_text)
        .filter(|id| !id.is_empty() && !id.contains('/'))
        .ok_or("expected id as a number or as text without a slash.")?;
    let text = item
        .get("text")
        .and_then(Value::as_str)
        .map(str::trim)
        .unwrap_or_default();
    if text.is_empty() {
        return Err("expected text, what was asked.".to_owned());
    }
    let paths = |key: &str| -> Vec<String> {
        let Some(Value::List(paths)) = item.get(key) else {
            return Vec::new();
        };
        paths
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect()
    };
    let (inputs, outputs) = (paths("inputs"), paths("outputs"));
    if !NUM_INPUTS.contains(&inputs.len()) {
        return Err(format!("expected 2 to 6 inputs, found {}.", inputs.len()));
    }
    if outputs.is_empty() {
        return Err("expected at least one of outputs.".to_owned());
    }
    Ok(Found {
        id,
        text: text.to_owned(),
        inputs,
        outputs,
    })
}

/// Takes an item in with its pictures; `bytes` gives a file's bytes by its path, `None` where it is not there.
///
/// # Errors
/// A picture is not there, or cannot be decoded.
pub fn import(
    found: Found,
    bytes: impl Fn(&str) -> Option<Vec<u8>>,
) -> Result<(Item, Vec<Copied>), Error> {
    let mut copies = Vec::new();
    let mut taken = |paths: &[String], kind: &str| -> Result<Vec<Picture>, Error> {
        let mut pictures = Vec::new();
        for (number, path) in (1..).zip(paths) {
            let bad = |told: &str| Error::List(format!("item {}: {path} {told}", found.id));
            let copied = Copied {
                bytes: bytes(path).ok_or_else(|| bad("is not there, or cannot be opened."))?,
                path: format!("images/{}_{kind}{number}.{}", found.id, ending(path)),
            };
            juror_image::check(&copied.bytes, &juror_image::Limits::default())
                .map_err(|cause| bad(&format!("cannot be read: {}", cause.message())))?;
            pictures.push(copied.picture());
            copies.push(copied);
        }
        Ok(pictures)
    };
    let (inputs, outputs) = (
        taken(&found.inputs, "image")?,
        taken(&found.outputs, "output")?,
    );
    let item = Item {
        id: found.id,
        text: found.text,
        inputs,
        outputs,
    };
    Ok((item, copies))
}

/// Nothing is chosen when such a project begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {}

/// A project of the real-world half.
pub type Project = crate::Project<Settings, Item>;

/// A project that begins.
pub fn begin(items: Vec<Item>) -> Project {
    // Nothing is drawn.
    Project::new(Kind::Realworld, 0, Settings {}, items)
}

/// What a finished item has besides.
struct Ready<'a> {
    output: &'a Picture,
    instruction: String,
    category: &'static str,
}

/// The call for an item's instruction in the benchmark's form.
pub fn rewriting(item: &Item, output: &Picture, attempt: u32) -> Request {
    let mut parts = vec![PromptPart::text(format!(
        "People posted {} pictures and a request; the last picture is what came of it. Write the request as one sentence that begins “{BEGINNING}K> by”, K the number of the picture that is changed. Name every input picture as <image1>, <image2> and so on where it gives something, and say what the last picture shows, not more.\n\nThe request as it was posted:\n{}\n\nAnswer with the sentence alone.",
        item.inputs.len(),
        item.text
    ))];
    for (number, picture) in (1..).zip(&item.inputs) {
        parts.push(PromptPart::text(format!("<image{number}>:")));
        parts.push(picture.part());
    }
    parts.extend([PromptPart::text("What came of it:"), output.part()]);
    asked("rewriting", item, attempt, parts)
}

fn asked(kind: &str, item: &Item, attempt: u32, parts: Vec<PromptPart>) -> Request {
    Request {
        kind: kind.to_owned(),
        thing: format!("{}/{kind}", item.id),
        attempt,
        system: None,
        parts,
        wanted: Wanted::Text,
        lacked: String::new(),
    }
}

/// The instruction of a reply.
///
/// # Errors
/// It does not begin as asked, names a picture that is not there, or leaves one out.
pub fn read_rewriting(num_inputs: usize, reply: &str) -> Result<String, Error> {
    let text = reply.trim();
    if text.contains('\n') || text.is_empty() {
        return Err(Error::reply("Expected one sentence."));
    }
    let changed = text
        .strip_prefix(BEGINNING)
        .and_then(|rest| rest.split_once("> by "));
    if changed.is_none_or(|(number, _)| number.parse::<usize>().is_err()) {
        return Err(Error::reply(format!(
            "Expected a sentence that begins “{BEGINNING}K> by”."
        )));
    }
    let names = text
        .split('<')
        .skip(1)
        .filter_map(|part| Some(part.split_once('>')?.0));
    let mut named = vec![false; num_inputs];
    for name in names {
        let number = name.strip_prefix("image").map(str::parse::<usize>);
        let at = number.and_then(|number| number.ok()?.checked_sub(1));
        match at.and_then(|at| named.get_mut(at)) {
            Some(is_named) => *is_named = true,
            None => return Err(Error::reply(format!("There is no picture <{name}>."))),
        }
    }
    match named.iter().position(|is_named| !is_named) {
        Some(at) => Err(Error::reply(format!("It does not name <image{}>.", at + 1))),
        None => Ok(text.to_owned()),
    }
}

/// What each category is, by its number.
const MEANINGS: [&str; 5] = [
    "replacement: faces, objects, backgrounds, text, parts",
    "addition: people, objects, details, text, effects",
    "style and appearance: colour, light, art style, texture, enhancement",
    "space and environment: position, layout, scale, orientation, composites",
    "transfer of attributes: expressions, characteristics, matching light or colour, details",
];

/// The call for an instruction's category.
pub fn category(item: &Item, instruction: &str, attempt: u32) -> Request {
    let meanings = (1..)
        .zip(MEANINGS)
        .map(|(number, meaning)| format!("\n{number} = {meaning}"));
    let text = format!(
        "What kind of change does this instruction ask for above all?\n{instruction}\n{}\n\nAnswer with one JSON object alone: {{\"category\": 1 to 5}}",
        meanings.collect::<String>()
    );
    asked("category", item, attempt, vec![PromptPart::text(text)])
}

/// The category of a reply, by its name in the benchmark.
///
/// # Errors
/// It has no JSON object with a whole number from 1 to 5.
pub fn read_category(reply: &str) -> Result<&'static str, Error> {
    let object = object(reply)?;
    let number = match object.get("category") {
        Some(Value::Int(x)) => *x,
        _ => {
            return Err(Error::reply(
                "Expected “category” as a whole number from 1 to 5.",
            ));
        }
    };
    let known = CATEGORIES
        .iter()
        .find(|(_, known)| (f64::from(*known) - number).abs() < 0.5);
    known
        .map(|(name, _)| *name)
        .ok_or_else(|| Error::reply(format!("Expected a category from 1 to 5, found {number}.")))
}

/// What a person is asked of an item before its output is chosen: things of decisions, and the reason where one says no.
const QUESTIONS: [(&str, &str); 2] = [
    ("pictures", "pictures not needed"),
    ("instruction", "instruction not sensible"),
];

impl Project {
    /// A finished item; `None` while something is open, and why it is out if it is.
    fn carried<'a>(
        &'a self,
        item: &'a Item,
        due: &mut Vec<Request>,
    ) -> Result<Option<Ready<'a>>, String> {
        for (question, no) in QUESTIONS {
            match self.decision(&format!("{}/{question}", item.id)) {
                None => return Ok(None),
                Some(Decision {
                    verdict: Verdict::Reject,
                    ..
                }) => return Err(no.to_owned()),
                Some(_) => {}
            }
        }
        let Some(output) = self.output(item)? else {
            return Ok(None);
        };
        let request = |attempt| rewriting(item, output, attempt);
        let read = |text: &str| read_rewriting(item.inputs.len(), text);
        let Some(instruction) = self.answered("rewriting", request, read, due)? else {
            return Ok(None);
        };
        let request = |attempt| category(item, &instruction, attempt);
        let Some(category) = self.answered("category", request, read_category, due)? else {
            return Ok(None);
        };
        for part in ["rewriting", "category"] {
            match self.decision(&format!("{}/{part}", item.id)) {
                None => return Ok(None),
                Some(Decision {
                    verdict: Verdict::Reject,
                    ..
                }) => return Err(format!("{part} rejected")),
                Some(_) => {}
            }
        }
        Ok(Some(Ready {
            output,
            instruction,
            category,
        }))
    }

    fn answered<R>(
        &self,
        what: &str,
        request: impl Fn(u32) -> Request,
        read: impl Fn(&str) -> Result<R, Error>,
        due: &mut Vec<Request>,
    ) -> Result<Option<R>, String> {
        match self.tried(MAX_TRIES, request, read) {
            Answer::Read(found) => Ok(Some(found)),
            Answer::Due(request) => {
                due.push(*request);
                Ok(None)
            }
            Answer::Unreadable(told) => Err(format!("{what} cannot be used: {told}")),
        }
    }

    /// The output that a person took; `None` while nobody did, and an error where all are wrong.
    fn output<'a>(&self, item: &'a Item) -> Result<Option<&'a Picture>, String> {
        let mut is_open = false;
        for (number, picture) in (1..).zip(&item.outputs) {
            match self.decision(&output_thing(item, number)) {
                Some(Decision {
                    verdict: Verdict::Accept,
                    ..
                }) => return Ok(Some(picture)),
                Some(_) => {}
                None => is_open = true,
            }
        }
        if is_open {
            Ok(None)
        } else {
            Err("no output right".to_owned())
        }
    }
}

fn output_thing(item: &Item, number: u32) -> String {
    format!("{}/output/{number}", item.id)
}

impl Making for Project {
    fn due(&self) -> Vec<Request> {
        let mut due = Vec::new();
        for item in &self.things {
            // Why an item is out is told by the table.
            let _ = self.carried(item, &mut due);
        }
        due
    }

    fn progress(&self) -> Progress {
        let mut row = ProgressRow::of("requests");
        let mut by_category: Vec<ProgressRow> = CATEGORIES
            .iter()
            .map(|(name, _)| ProgressRow::of(name))
            .collect();
        let mut due = Vec::new();
        for item in &self.things {
            row.drawn += 1;
            row.made += 1;
            row.passed += u32::from(matches!(self.output(item), Ok(Some(_))));
            match self.carried(item, &mut due) {
                Ok(Some(ready)) => {
                    row.accepted += 1;
                    if let Some(own) = by_category
                        .iter_mut()
                        .find(|own| own.group == ready.category)
                    {
                        own.accepted += 1;
                    }
                }
                Ok(None) => {}
                Err(reason) => row.reject(&reason),
            }
        }
        let samples = row.accepted;
        let mut rows = vec![row];
        rows.extend(by_category.into_iter().filter(|own| own.accepted > 0));
        Progress {
            rows,
            due: due_of(&due),
            remarks: Vec::new(),
            samples,
        }
    }

    fn things(&self) -> Vec<String> {
        let mut things = Vec::new();
        for item in &self.things {
            things.extend(QUESTIONS.map(|(question, _)| format!("{}/{question}", item.id)));
            things.extend(
                (1..)
                    .zip(&item.outputs)
                    .map(|(number, _)| output_thing(item, number)),
            );
            things.extend(["rewriting", "category"].map(|part| format!("{}/{part}", item.id)));
        }
        things
    }

    fn look(&self, thing: &str) -> Vec<PromptPart> {
        let items = self.things.iter();
        let mut found = items.filter_map(|item| {
            let rest = thing.strip_prefix(&item.id)?.strip_prefix('/')?;
            Some((item, rest))
        });
        let Some((item, rest)) = found.next() else {
            return Vec::new();
        };
        let mut parts = vec![PromptPart::text(&item.text)];
        parts.extend(item.inputs.iter().map(Picture::part));
        let chosen = self.output(item).ok().flatten();
        match rest {
            "pictures" | "instruction" => {}
            "rewriting" | "category" => {
                let Some(output) = chosen else {
                    return Vec::new();
                };
                let request = |attempt| rewriting(item, output, attempt);
                let read = |text: &str| read_rewriting(item.inputs.len(), text);
                let Answer::Read(instruction) = self.tried(MAX_TRIES, request, read) else {
                    return Vec::new();
                };
                let category = self.tried(
                    MAX_TRIES,
                    |attempt| category(item, &instruction, attempt),
                    read_category,
                );
                parts.push(output.part());
                parts.push(PromptPart::text(&instruction));
                match (rest, category) {
                    ("category", Answer::Read(category)) => parts.push(PromptPart::text(category)),
                    ("category", _) => return Vec::new(),
                    _ => {}
                }
            }
            _ => {
                let mut outputs = (1..).zip(&item.outputs);
                let output = outputs.find(|(number, _)| output_thing(item, *number) == thing);
                parts.extend(output.map(|(_, picture)| picture.part()));
            }
        }
        parts
    }

    fn decided(&self, thing: &str) -> Option<&Decision> {
        self.decision(thing)
    }

    fn files(&self) -> Result<Vec<OutFile>, Error> {
        let mut due = Vec::new();
        let mut entries = Vec::new();
        for item in &self.things {
            if let Ok(Some(ready)) = self.carried(item, &mut due) {
                entries.push(entry(item, &ready));
            }
        }
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![OutFile {
            path: "real-world.json".to_owned(),
            text: pretty(&entries),
        }])
    }

    fn places(&self) -> Vec<String> {
        vec!["real-world.json".to_owned()]
    }

    fn add_reply(&mut self, reply: Reply) {
        self.replies.push(reply);
    }

    fn add_decision(&mut self, decision: Decision) {
        self.decisions.push(decision);
    }

    fn text(&self) -> String {
        self.write()
    }
}

/// An entry as the benchmark's reader knows it.
fn entry(item: &Item, ready: &Ready<'_>) -> Json {
    let inputs = (1..).zip(&item.inputs);
    let inputs = inputs
        .map(|(number, picture)| (format!("image{number}"), Json::from(picture.path.as_str())));
    Json::Object(vec![
        ("row_id".to_owned(), Json::from(item.id.as_str())),
        ("prompt".to_owned(), Json::from(ready.instruction.as_str())),
        (
            "image_path_mapping".to_owned(),
            Json::Object(inputs.collect()),
        ),
        (
            "ground_truth".to_owned(),
            Json::from(ready.output.path.as_str()),
        ),
        ("category".to_owned(), Json::from(ready.category)),
        ("posted".to_owned(), Json::from(item.text.as_str())),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use juror_protocols::multiref::layout;

    fn picture(path: &str) -> Picture {
        Picture {
            path: path.to_owned(),
            sha256: path.to_owned(),
        }
    }

    fn project() -> Project {
        begin(vec![Item {
            id: "7".to_owned(),
            text: "put his hat on her pls".to_owned(),
            inputs: vec![picture("1.png"), picture("2.png")],
            outputs: vec![picture("a.png"), picture("b.png")],
        }])
    }

    fn say(project: &mut Project, thing: &str, verdict: Verdict) -> Result<(), Error> {
        project.decide(vec![Decision {
            thing: thing.to_owned(),
            verdict,
            reason: String::new(),
            by: "Ada".to_owned(),
            time: String::new(),
        }])
    }

    fn reply(project: &mut Project, text: &str) {
        let due = project.due();
        for request in due {
            project.add_reply(Reply {
                request: request.sha256(),
                text: text.to_owned(),
                ..Reply::default()
            });
        }
    }

    #[test]
    fn an_item_goes_through_a_persons_answers_and_two_calls_to_an_entry_that_is_read()
    -> Result<(), Error> {
        let mut project = project();
        assert!(
            project.due().is_empty(),
            "nothing is asked before a person looked"
        );
        say(&mut project, "7/pictures", Verdict::Accept)?;
        say(&mut project, "7/instruction", Verdict::Accept)?;
        say(&mut project, "7/output/1", Verdict::Reject)?;
        assert!(project.due().is_empty());
        say(&mut project, "7/output/2", Verdict::Accept)?;
        let due = project.due();
        assert_eq!(due[0].kind, "rewriting");
        assert!(
            matches!(due[0].parts.last(), Some(PromptPart::Picture { path, .. }) if path == "b.png")
        );
        reply(&mut project, "Edit image <image2> by putting on a hat.");
        assert_eq!(project.due()[0].attempt, 2, "an input is not named");
        reply(
            &mut project,
            "Edit image <image2> by putting on the hat of <image1>.",
        );
        assert_eq!(project.due()[0].kind, "category");
        reply(&mut project, "{\"category\": 2}");
        assert!(
            project.due().is_empty() && project.files()?.is_empty(),
            "a person reviews both"
        );
        say(&mut project, "7/rewriting", Verdict::Accept)?;
        say(&mut project, "7/category", Verdict::Accept)?;
        let files = project.files()?;
        let items = layout::items(&files[0].text).map_err(|(_, told)| Error::List(told))?;
        let entry = layout::entry(&items[0], 1).map_err(|(_, told)| Error::List(told))?;
        assert_eq!(
            (entry.half, entry.category),
            (
                juror_protocols::multiref::names::Half::RealWorld,
                Some("Element Addition")
            )
        );
        assert_eq!(
            (entry.pictures.len(), entry.original.as_deref()),
            (2, Some("b.png"))
        );
        assert_eq!(project.progress().samples, 1);
        Ok(())
    }

    #[test]
    fn an_item_whose_outputs_are_all_wrong_is_out_with_its_reason() -> Result<(), Error> {
        let mut project = project();
        for thing in ["7/pictures", "7/instruction"] {
            say(&mut project, thing, Verdict::Accept)?;
        }
        for thing in ["7/output/1", "7/output/2"] {
            say(&mut project, thing, Verdict::Reject)?;
        }
        let progress = project.progress();
        assert_eq!(
            progress.rows[0].rejected,
            [("no output right".to_owned(), 1)]
        );
        assert!(say(&mut project, "8/pictures", Verdict::Accept).is_err());
        Ok(())
    }

    #[test]
    fn a_rewriting_names_each_picture_that_is_there_and_no_other() {
        let read = |text: &str| read_rewriting(2, text);
        assert!(read(" Edit image <image1> by adding <image2>.\n").is_ok());
        for bad in [
            "",
            "Change <image1> and <image2>.",
            "Edit image <image1> by adding a hat.",
            "Edit image <image1> by adding <image2> and <image3>.",
            "Edit image <imageA> by adding <image1> and <image2>.",
            "Edit image <image1> by adding <image2>.\nDone.",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
        assert!(read_category("{\"category\": 6}").is_err());
        assert_eq!(
            read_category("{\"category\": 1}"),
            Ok("Element Replacement")
        );
    }
}
