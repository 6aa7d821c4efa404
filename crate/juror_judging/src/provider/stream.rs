//! An answer that came in pieces although nobody asked for a stream: server-sent events, or one JSON object a line.
//!
//! Some servers and proxies stream by default. The answer is paid for, so its pieces are put together; one that breaks off
//! counts as cut off.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::answer::{count_at, text_at};
use super::cut::BROKEN_OFF;
use juror_reading::py::json_from_service;

/// The pieces of a body as one answer of their wire; `None` where the body is none of these forms.
pub(super) fn joined(body: &str) -> Option<Value> {
    let payloads = payloads(body);
    let mut pieces = Vec::new();
    for (at, payload) in payloads.iter().enumerate() {
        match json_from_service(payload) {
            Ok(piece) => pieces.push(piece),
            // The last one may have been cut.
            Err(_) if at > 0 && at + 1 == payloads.len() => {}
            Err(_) => return None,
        }
    }
    let first = pieces.first()?;
    let is_whole = |piece: &&Value| {
        ENDS.iter()
            .any(|(answer, end)| piece.pointer(answer).is_some() && !text_at(piece, end).is_empty())
    };
    if is_whole(&first) {
        // Whole answers, one a line: of two that differ neither is chosen.
        let mut others = pieces.iter().skip(1).filter(is_whole);
        let is_same = others.all(|other| {
            let mut texts = ENDS.iter();
            texts.all(|(text, _)| first.pointer(text) == other.pointer(text))
        });
        // Of a stream of Gemini's each piece may state a reason to end.
        if is_same || first.get("candidates").is_none() {
            return is_same.then(|| first.clone());
        }
    }
    if let Some(whole) = pieces.iter().rev().find_map(|piece| piece.get("response")) {
        // The Responses API sends the whole answer with its last events.
        return Some(whole.clone());
    }
    if first.get("choices").is_some() {
        return Some(openai(&pieces));
    }
    if first.get("candidates").is_some() || first.get("usageMetadata").is_some() {
        return Some(gemini(&pieces));
    }
    if pieces
        .iter()
        .any(|piece| text_at(piece, "/type") == "message_start")
    {
        return Some(anthropic(&pieces));
    }
    // One answer, and then a line of something else.
    (pieces.len() > 1 && first.get("content").is_some()).then(|| first.clone())
}

/// Where a whole answer has its text, and why that ended.
const ENDS: [(&str, &str); 3] = [
    ("/choices/0/message", "/choices/0/finish_reason"),
    ("/candidates/0/content", "/candidates/0/finishReason"),
    ("/content", "/stop_reason"),
];

/// The data of each event, or each line that is not blank.
fn payloads(body: &str) -> Vec<String> {
    let is_event = |line: &str| {
        ["data:", "event:", "id:", "retry:", ":"]
            .iter()
            .any(|field| line.starts_with(field))
    };
    let lines = || body.lines().map(str::trim_end);
    let mut found = Vec::new();
    if !lines().find(|line| !line.is_empty()).is_some_and(is_event) {
        found.extend(lines().filter(|line| !line.is_empty()).map(str::to_owned));
        return found;
    }
    let mut data = String::new();
    for line in lines().chain([""]) {
        if let Some(rest) = line.strip_prefix("data:") {
            if !data.is_empty() {
                data.push('\n');
            }
            data.push_str(rest.strip_prefix(' ').unwrap_or(rest));
        } else if line.is_empty() && !data.is_empty() {
            found.push(std::mem::take(&mut data));
        }
    }
    found.retain(|data| data.trim() != "[DONE]");
    found
}

/// The last value at a pointer that is neither absent nor `null`.
fn last<'a>(pieces: &'a [Value], pointer: &str) -> Option<&'a Value> {
    let mut found = pieces
        .iter()
        .rev()
        .filter_map(|piece| piece.pointer(pointer));
    found.find(|value| !value.is_null())
}

fn openai(pieces: &[Value]) -> Value {
    let numbers: BTreeSet<u64> = choices(pieces).map(number).collect();
    let whole = numbers.into_iter().map(|own| choice(pieces, own));
    json!({
        "model": last(pieces, "/model"),
        "choices": whole.collect::<Vec<Value>>(),
        "usage": last(pieces, "/usage"),
        "error": last(pieces, "/error"),
    })
}

/// The pieces of choices, of whichever one.
fn choices(pieces: &[Value]) -> impl Iterator<Item = &Value> {
    let lists = pieces.iter().filter_map(|piece| piece.get("choices"));
    lists.filter_map(Value::as_array).flatten()
}

/// The number of the choice that a piece is of.
fn number(piece: &Value) -> u64 {
    count_at(piece, "/index").unwrap_or(0)
}

/// One choice, put together of its pieces.
fn choice(pieces: &[Value], own: u64) -> Value {
    let parts = || choices(pieces).filter(|part| number(part) == own);
    let all = |pointers: [&str; 2]| -> String {
        let texts = parts().flat_map(|part| pointers.map(|pointer| text_at(part, pointer)));
        texts.collect()
    };
    let finish = parts().filter_map(|part| part.get("finish_reason")?.as_str());
    json!({
        "index": own,
        "message": {
            "content": all(["/delta/content", "/message/content"]),
            "refusal": all(["/delta/refusal", "/message/refusal"]),
        },
        "finish_reason": finish.last().unwrap_or(BROKEN_OFF),
    })
}

fn gemini(pieces: &[Value]) -> Value {
    let parts = pieces.iter().filter_map(|piece| {
        let parts = piece.pointer("/candidates/0/content/parts")?;
        parts.as_array().cloned()
    });
    let parts: Vec<Value> = parts.flatten().collect();
    let finish = last(pieces, "/candidates/0/finishReason").and_then(Value::as_str);
    let mut whole = json!({
        "candidates": [{
            "content": {"parts": parts, "role": "model"},
            "finishReason": finish.unwrap_or(BROKEN_OFF),
            "finishMessage": last(pieces, "/candidates/0/finishMessage"),
        }],
        "modelVersion": last(pieces, "/modelVersion"),
        "usageMetadata": last(pieces, "/usageMetadata"),
        "error": last(pieces, "/error"),
    });
    if let Some(blocked) = last(pieces, "/promptFeedback") {
        whole["promptFeedback"] = blocked.clone();
    }
    whole
}

fn anthropic(pieces: &[Value]) -> Value {
    let text: String = pieces
        .iter()
        .filter(|piece| text_at(piece, "/delta/type") == "text_delta")
        .map(|piece| text_at(piece, "/delta/text"))
        .collect();
    let mut usage = last(pieces, "/message/usage").cloned().unwrap_or(json!({}));
    if let Some(counted) = last(pieces, "/usage/output_tokens") {
        usage["output_tokens"] = counted.clone();
    }
    let finish = last(pieces, "/delta/stop_reason").and_then(Value::as_str);
    json!({
        "model": last(pieces, "/message/model"),
        "content": [{"type": "text", "text": text}],
        "stop_reason": finish.unwrap_or(BROKEN_OFF),
        "usage": usage,
        "error": last(pieces, "/error"),
    })
}
