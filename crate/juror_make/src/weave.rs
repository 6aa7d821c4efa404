//! WEAVE's dialogues: what is wrong with them, and each turn by itself.
//!
//! Source: the WEAVE paper, section 3, and the form of its `test.json`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use juror_reading::py::{self, Value};

use crate::Error;
use crate::ordered::{Json, pretty};

pub mod dialogues;
pub mod turns;
pub mod verify;

/// The list of dialogues that a project comes to.
const LIST: &str = "test.json";

/// Something that is wrong with a dialogue, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// `item 3, message 2`, both from 1.
    pub place: String,
    /// What was expected and found.
    pub told: String,
}

/// A message as far as it is looked at.
struct Message<'a> {
    role: &'a str,
    is_image: bool,
    content: &'a str,
    key_points: Option<&'a [(String, Value)]>,
}

/// A dialogue.
struct Dialogue<'a> {
    images: Vec<&'a str>,
    messages: Vec<Message<'a>>,
}

/// Reads the list; nothing is judged yet.
fn items(text: &str) -> Result<Vec<Value>, Error> {
    match py::loads(text.strip_prefix('\u{feff}').unwrap_or(text)) {
        Ok(Value::List(items)) => Ok(items),
        Ok(_) => Err(Error::List(
            "Expected a list of dialogues, as test.json is.".to_owned(),
        )),
        Err(error) => Err(Error::List(format!(
            "Line {}, column {}: this is not JSON: {}.",
            error.line, error.column, error.message
        ))),
    }
}

fn dialogue(item: &Value) -> Option<Dialogue<'_>> {
    let (Some(Value::List(images)), Some(Value::List(chats))) =
        (item.get("images"), item.get("chats"))
    else {
        return None;
    };
    let text = |value: &'_ Value, key: &str| -> Option<String> {
        value.get(key)?.as_str().map(str::to_owned)
    };
    let images: Option<Vec<&str>> = images.iter().map(Value::as_str).collect();
    let messages: Option<Vec<Message<'_>>> = chats
        .iter()
        .map(|chat| {
            Some(Message {
                role: chat.get("role")?.as_str()?,
                is_image: text(chat, "type")? == "image",
                content: chat.get("content")?.as_str()?,
                key_points: match chat.get("key_point") {
                    Some(Value::Dict(members)) => Some(members),
                    _ => None,
                },
            })
        })
        .collect();
    Some(Dialogue {
        images: images?,
        messages: messages?,
    })
}

/// The numbers of `Image #k` in a text, in order.
fn mentions(text: &str) -> Vec<usize> {
    let parts = text.split("Image #").skip(1);
    let numbers = parts.map(|part| {
        part.split(|c: char| !c.is_ascii_digit())
            .next()
            .unwrap_or_default()
    });
    numbers.filter_map(|digits| digits.parse().ok()).collect()
}

/// The list's items, all of them sound and with pictures within a folder.
///
/// # Errors
/// A dialogue has a fault that [`lint`] names, or a picture's path leaves its folder.
fn sound_items(list: &str) -> Result<Vec<Value>, Error> {
    if let Some(fault) = lint(list)?.first() {
        return Err(Error::List(format!("{}: {}", fault.place, fault.told)));
    }
    let items = items(list)?;
    let is_outside = |path: &&str| {
        let mut parts = path.split(['/', '\\']);
        path.contains(':') || parts.any(|part| part.is_empty() || part == "..")
    };
    for (number, item) in (1..).zip(&items) {
        let mut paths = dialogue(item)
            .into_iter()
            .flat_map(|dialogue| dialogue.images);
        if let Some(path) = paths.find(is_outside) {
            return Err(Error::List(format!(
                "item {number}: expected paths of pictures within a folder, found {path}."
            )));
        }
    }
    Ok(items)
}

/// Every picture of a list, each once.
///
/// # Errors
/// It is no list of dialogues.
pub fn pictures(list: &str) -> Result<BTreeSet<String>, Error> {
    let items = items(list)?;
    let dialogues = items.iter().filter_map(dialogue);
    let paths = dialogues.flat_map(|dialogue| dialogue.images);
    Ok(paths.map(str::to_owned).collect())
}

/// Everything that is wrong with the dialogues of a list.
///
/// Users and assistants take turns; each `Image #k` exists; a picture that an answer makes is not mentioned before; each
/// picture answer has a requirement, at most one for each key, with the marker `<image>` once where it names a picture and
/// never where it does not.
///
/// # Errors
/// It is no list of dialogues.
///
/// # Example
/// ```
/// use juror_make::weave::lint;
/// let list = r##"[{"images": ["a.jpg", "b.jpg"], "chats": [
///     {"role": "user", "type": "text", "content": "Image #1 Add a hat."},
///     {"role": "assistant", "type": "image", "content": "Image #2", "key_point": {"GT #2": "There is a hat."}}]}]"##;
/// let faults = lint(list)?;
/// assert_eq!((faults.len(), faults[0].place.as_str()), (1, "item 1, message 2"));
/// assert!(faults[0].told.contains("<image>"));
/// # Ok::<(), juror_make::Error>(())
/// ```
pub fn lint(text: &str) -> Result<Vec<Fault>, Error> {
    let mut faults = Vec::new();
    for (number, item) in (1..).zip(&items(text)?) {
        match dialogue(item) {
            Some(dialogue) => lint_dialogue(number, &dialogue, &mut faults),
            None => faults.push(Fault {
                place: format!("item {number}"),
                told: "Expected images, and chats with role, type and content as text.".to_owned(),
            }),
        }
    }
    Ok(faults)
}

fn lint_dialogue(number: usize, dialogue: &Dialogue<'_>, faults: &mut Vec<Fault>) {
    let mut add = |at: usize, told: String| {
        faults.push(Fault {
            place: format!("item {number}, message {}", at + 1),
            told,
        });
    };
    let messages = &dialogue.messages;
    // Pictures that an answer makes, with the message that does.
    let made: Vec<(usize, usize)> = messages
        .iter()
        .enumerate()
        .filter(|(_, message)| message.role == "assistant" && message.is_image)
        .filter_map(|(at, message)| Some((*mentions(message.content).first()?, at)))
        .collect();
    for (at, message) in messages.iter().enumerate() {
        let wanted = if at % 2 == 0 { "user" } else { "assistant" };
        if message.role != wanted {
            add(
                at,
                format!(
                    "Expected a message of the {wanted}, found one of {}.",
                    message.role
                ),
            );
        }
        for k in mentions(message.content) {
            if k == 0 || k > dialogue.images.len() {
                add(
                    at,
                    format!(
                        "There is no Image #{k}; the dialogue has {} pictures.",
                        dialogue.images.len()
                    ),
                );
            }
            if made.iter().any(|(picture, by)| *picture == k && at < *by) {
                add(
                    at,
                    format!("Image #{k} is mentioned before an answer makes it."),
                );
            }
        }
        if message.role != "assistant" || !message.is_image {
            continue;
        }
        if mentions(message.content).is_empty() {
            add(
                at,
                "A picture answer names the picture that it makes as Image #k.".to_owned(),
            );
        }
        match message.key_points {
            Some(members) if !members.is_empty() => {
                for (key, value) in members {
                    if let Some(told) = requirement(key, value, dialogue.images.len()) {
                        add(at, told);
                    }
                }
            }
            _ => add(
                at,
                "A picture answer has at least one requirement in key_point.".to_owned(),
            ),
        }
    }
    if !messages.len().is_multiple_of(2) {
        let last = messages.len().saturating_sub(1);
        add(last, "The last message of a user has no answer.".to_owned());
    }
}

/// What is wrong with a requirement.
fn requirement(key: &str, value: &Value, num_images: usize) -> Option<String> {
    let text = value.as_str().unwrap_or_default();
    if text.trim().is_empty() {
        return Some(format!("The requirement {key} is empty."));
    }
    let number = key
        .strip_prefix("GT #")
        .or_else(|| key.strip_prefix("Image #"));
    let wanted = usize::from(number.is_some());
    match number.map(str::parse::<usize>) {
        Some(Ok(k)) if (1..=num_images).contains(&k) => {}
        None if key == "Text" => {}
        _ => {
            return Some(format!(
                "Expected a key GT #k, Image #k or Text, found {key}."
            ));
        }
    }
    let found = text.matches("<image>").count();
    (found != wanted).then(|| {
        format!("Expected the marker <image> {wanted} times in {key}, found it {found} times.")
    })
}

/// Each picture turn by itself, as a list of dialogues of one turn: the pictures that its instruction and its
/// requirements mention, renumbered from 1 by size of their number, and the picture to make last.
///
/// # Errors
/// A dialogue has a fault that [`lint`] names; the first one.
///
/// # Example
/// ```
/// use juror_make::weave::single_turns;
/// let list = r##"[{"idx": 4, "domain": "edit", "images": ["a.jpg", "b.jpg", "c.jpg"], "chats": [
///     {"role": "user", "type": "text", "content": "Image #1 Add a hat."},
///     {"role": "assistant", "type": "image", "content": "Image #2", "key_point": {"GT #2": "As in <image>."}},
///     {"role": "user", "type": "text", "content": "Put the hat of Image #2 away."},
///     {"role": "assistant", "type": "image", "content": "Image #3", "key_point": {"Image #2": "As before in <image>.", "Text": "No hat."}}]}]"##;
/// let made: serde_json::Value = serde_json::from_str(&single_turns(list)?).unwrap_or_default();
/// assert_eq!(made[1]["images"], serde_json::json!(["b.jpg", "c.jpg"]));
/// assert_eq!(made[1]["chats"][0]["content"], "Put the hat of Image #1 away.");
/// assert_eq!(made[1]["chats"][1]["content"], "Image #2");
/// # Ok::<(), juror_make::Error>(())
/// ```
pub fn single_turns(text: &str) -> Result<String, Error> {
    if let Some(fault) = lint(text)?.first() {
        return Err(Error::List(format!("{}: {}", fault.place, fault.told)));
    }
    let items = items(text)?;
    let mut made = Vec::new();
    for item in &items {
        let Some(dialogue) = dialogue(item) else {
            continue;
        };
        let domain = item
            .get("domain")
            .and_then(Value::as_str)
            .unwrap_or_default();
        for turn in dialogue.messages.chunks_exact(2) {
            if let [user, answer] = turn
                && answer.is_image
            {
                made.push(single(made.len(), domain, &dialogue.images, user, answer));
            }
        }
    }
    Ok(pretty(&made))
}

/// A text with other numbers behind a word; one that `number` does not know stays.
fn renumbered(text: &str, before: &str, number: impl Fn(usize) -> Option<usize>) -> String {
    let mut parts = text.split(before);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let found = part[..digits].parse().ok().and_then(&number);
        let found = found.map_or_else(|| part[..digits].to_owned(), |k| k.to_string());
        let _ = write!(out, "{before}{found}{}", &part[digits..]);
    }
    out
}

fn single(
    number: usize,
    domain: &str,
    images: &[&str],
    user: &Message<'_>,
    answer: &Message<'_>,
) -> Json {
    let target = mentions(answer.content)
        .first()
        .copied()
        .unwrap_or_default();
    let mut kept = mentions(user.content);
    let of_points = answer.key_points.into_iter().flatten();
    kept.extend(of_points.filter_map(|(key, _)| key.split_once('#')?.1.parse::<usize>().ok()));
    kept.retain(|k| *k != target);
    kept.sort_unstable();
    kept.dedup();
    kept.push(target);
    let renumbered = |text: &str, before: &str| {
        renumbered(text, before, |k| {
            let place = kept.iter().position(|one| *one == k);
            place.map(|at| at + 1)
        })
    };
    let points = answer.key_points.into_iter().flatten().map(|(key, value)| {
        let key = renumbered(&renumbered(key, "GT #"), "Image #");
        (key, Json::from(value.as_str().unwrap_or_default()))
    });
    let message = |role: &str, kind: &str, content: String| {
        vec![
            ("role".to_owned(), Json::from(role)),
            ("type".to_owned(), Json::from(kind)),
            ("content".to_owned(), Json::Text(content)),
        ]
    };
    let asked = message("user", "text", renumbered(user.content, "Image #"));
    let mut answered = message("assistant", "image", format!("Image #{}", kept.len()));
    answered.push(("key_point".to_owned(), Json::Object(points.collect())));
    let pictures = kept
        .iter()
        .filter_map(|k| images.get(k.checked_sub(1)?).copied());
    Json::Object(vec![
        ("idx".to_owned(), Json::Number(number as f64)),
        ("domain".to_owned(), Json::from(domain)),
        ("images".to_owned(), Json::texts(pictures)),
        (
            "chats".to_owned(),
            Json::List(vec![Json::Object(asked), Json::Object(answered)]),
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"[{"images": ["a.jpg", "b.jpg"], "chats": [
        {"role": "user", "type": "text", "content": "Image #1 Add a hat."},
        {"role": "assistant", "type": "image", "content": "Image #2", "key_point": {"GT #2": "As in <image>.", "Text": "A hat."}},
        {"role": "user", "type": "text", "content": "What is in Image #2?"},
        {"role": "assistant", "type": "text", "content": "A hat."}]}]"#;

    #[test]
    fn each_planted_fault_is_found_where_it_is() -> Result<(), Error> {
        assert_eq!(lint(GOOD)?, []);
        for (from, to, place, told) in [
            (
                "\"role\": \"assistant\", \"type\": \"text\"",
                "\"role\": \"user\", \"type\": \"text\"",
                "message 4",
                "assistant",
            ),
            ("in Image #2?", "in Image #3?", "message 3", "no Image #3"),
            (
                "Image #1 Add",
                "Image #2 Add",
                "message 1",
                "before an answer makes it",
            ),
            (
                "{\"GT #2\": \"As in <image>.\", \"Text\": \"A hat.\"}",
                "{}",
                "message 2",
                "at least one requirement",
            ),
            (
                "\"Text\": \"A hat.\"",
                "\"Text\": \"<image>\"",
                "message 2",
                "0 times in Text",
            ),
            (
                "As in <image>.",
                "As in <image>, <image>.",
                "message 2",
                "1 times in GT #2",
            ),
            ("GT #2", "GT #9", "message 2", "Expected a key"),
            ("\"Text\":", "\"Note\":", "message 2", "Expected a key"),
            (
                "\"content\": \"Image #2\"",
                "\"content\": \"A picture\"",
                "message 2",
                "names the picture",
            ),
            (
                "\"A hat.\"}},",
                "\"A hat.\"}}]}, {\"images\": 3, \"chats\": [",
                "item 2",
                "Expected images",
            ),
        ] {
            let planted = GOOD.replacen(from, to, 1);
            assert_ne!(planted, GOOD, "{from}");
            let faults = lint(&planted)?;
            let is_found = faults
                .iter()
                .any(|fault| fault.place.contains(place) && fault.told.contains(told));
            assert!(is_found, "{to}: {faults:?}");
        }
        assert!(lint("{}").is_err());
        Ok(())
    }

    #[test]
    fn a_dialogue_with_a_fault_gives_no_single_turns() {
        assert!(single_turns(GOOD).is_ok());
        assert!(single_turns(&GOOD.replace("GT #2", "GT #9")).is_err());
    }
}
