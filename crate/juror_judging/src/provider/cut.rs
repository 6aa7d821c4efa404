//! A body that breaks off before its end: what came is paid for, so it is read as far as it goes.
//!
//! A reply counts only where its text and its reason to end had come: a text that may lack its end counts as cut off.

use serde_json::{Value, json};

use juror_reading::py::json_from_service;

/// Why an answer ends whose last piece never came.
pub(super) const BROKEN_OFF: &str = "incomplete";

/// Keys of what the reply's text lies in.
const AROUND_TEXT: [&str; 7] = [
    "message", "content", "parts", "delta", "output", "text", "refusal",
];

/// Where each wire has the text of a reply.
const TEXTS: [&str; 4] = [
    "/choices/0/message/content",
    "/candidates/0/content",
    "/content",
    "/output",
];

/// Where a text of JSON ends too early.
#[derive(Default)]
struct Cut<'a> {
    /// Brackets that are still to be closed, each with the key before it.
    open: Vec<(char, &'a str)>,
    /// The end of the last part that is whole; the same brackets are open there.
    whole: usize,
    /// Where the string began that has no end.
    string: Option<usize>,
    /// The key whose value comes next.
    key: &'a str,
}

/// The JSON of a body that breaks off, completed; `None` where it is no object that was cut.
pub(super) fn completed(body: &str) -> Option<Value> {
    let body = body.trim_start();
    if !body.starts_with('{') {
        return None;
    }
    let cut = scan(body)?;
    let is_in_text =
        AROUND_TEXT.contains(&cut.key) || cut.open.iter().any(|(_, key)| AROUND_TEXT.contains(key));
    // Half a text is shown; half of anything else, such as a reason to end, is dropped.
    let with_string = || with_string(body, &cut).filter(|_| is_in_text);
    let mut value = with_string()
        .or_else(|| json_from_service(&format!("{}{}", &body[..cut.whole], cut.closed())).ok())?;
    let has_text = TEXTS.iter().any(|place| value.pointer(place).is_some());
    has_text.then(|| {
        break_off(&mut value, is_in_text);
        value
    })
}

/// Follows the brackets and strings; `None` where everything is closed, so that the fault is another one.
fn scan(body: &str) -> Option<Cut<'_>> {
    let mut cut = Cut::default();
    let mut is_escaped = false;
    let mut last = "";
    for (at, letter) in body.char_indices() {
        if let Some(from) = cut.string {
            match letter {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '"' => {
                    last = &body[from + 1..at];
                    cut.string = None;
                }
                _ => {}
            }
            continue;
        }
        match letter {
            '"' => cut.string = Some(at),
            ':' => cut.key = last,
            '{' | '[' => {
                let end = if letter == '{' { '}' } else { ']' };
                cut.open.push((end, std::mem::take(&mut cut.key)));
                cut.whole = at + 1;
            }
            '}' | ']' => {
                let (end, _) = cut.open.pop()?;
                if end != letter {
                    return None;
                }
                cut.key = "";
                cut.whole = at + 1;
            }
            ',' => {
                cut.key = "";
                cut.whole = at;
            }
            _ => {}
        }
    }
    (!cut.open.is_empty()).then_some(cut)
}

impl Cut<'_> {
    /// What closes the brackets that are open.
    fn closed(&self) -> String {
        self.open.iter().rev().map(|(end, _)| end).collect()
    }
}

/// The value with the string closed that has no end, so that its beginning can be shown.
fn with_string(body: &str, cut: &Cut<'_>) -> Option<Value> {
    let from = cut.string?;
    // Half an escape is none.
    let escape = body[from..].rfind('\\').map(|at| from + at);
    let end = escape.filter(|at| body.len() - at < "\\u0000".len());
    let closed = cut.closed();
    let ends = [Some(body.len()), end];
    ends.into_iter().flatten().find_map(|end| {
        let whole = format!("{}\"{closed}", &body[..end]);
        json_from_service(&whole).ok()
    })
}

/// Says that the answer was broken off, where its text may lack its end or nothing says why it ended.
fn break_off(value: &mut Value, is_in_text: bool) {
    let places = [
        ("/choices/0", "finish_reason"),
        ("/candidates/0", "finishReason"),
        ("", "stop_reason"),
    ];
    for (place, name) in places {
        let is_answer = place.is_empty() && value.get("content").is_some() || !place.is_empty();
        let Some(Value::Object(answer)) = value.pointer_mut(place).filter(|_| is_answer) else {
            continue;
        };
        let is_told = answer.get(name).is_some_and(Value::is_string);
        if is_in_text || !is_told {
            answer.insert(name.to_owned(), json!(BROKEN_OFF));
        }
    }
    if value.get("output").is_some() {
        // The Responses API says so at its end.
        value["status"] = json!(BROKEN_OFF);
    }
}
