//! Dialogues that a model under test answers in text: messages of both roles, and answers that count as they came.
//!
//! The shapes are those of the providers' references: OpenAI "Create chat completion", Gemini "models.generateContent".

use serde_json::{Value, json};

use super::{Answer, Message, body, read, sorted};
use juror_model::judge::{Params, Wire};

/// The body of a request of several messages, each in its role, with its parts in their order.
///
/// ```
/// use juror_judging::provider::{Content, Message, chat_of};
/// use juror_model::judge::{Params, Wire};
/// let message = |role, text| Message { role, parts: vec![Content::Text(text)] };
/// let messages = [message("user", "Which hat?"), message("assistant", "Red."), message("user", "Why?")];
/// let asked = chat_of(Wire::OpenAi, &Params { model: "m".to_owned(), ..Params::default() }, &messages);
/// assert_eq!(asked["messages"][1]["role"], "assistant");
/// assert_eq!(asked["messages"][2]["content"][0]["text"], "Why?");
/// ```
pub fn chat_of(wire: Wire, params: &Params, messages: &[Message<'_>]) -> Value {
    let mut whole = body(wire, params, None, &[]);
    let (list, contents) = match wire {
        Wire::Gemini => ("contents", gemini_contents(params, messages)),
        Wire::OpenAi | Wire::Anthropic => ("messages", of_roles(wire, params, messages)),
    };
    if let Some(place) = whole.get_mut(list) {
        *place = contents;
    }
    sorted(whole)
}

/// Messages as chat services take them.
fn of_roles(wire: Wire, params: &Params, messages: &[Message<'_>]) -> Value {
    let message = |message: &Message<'_>| {
        let mut one = body(wire, params, None, &message.parts);
        let content = one.pointer_mut("/messages/0/content").map(Value::take);
        json!({"role": message.role, "content": content.unwrap_or_default()})
    };
    messages.iter().map(message).collect()
}

/// Messages as Gemini takes them, where the assistant is called `model`.
pub(super) fn gemini_contents(params: &Params, messages: &[Message<'_>]) -> Value {
    let message = |message: &Message<'_>| {
        let mut one = body(Wire::Gemini, params, None, &message.parts);
        let content = one.pointer_mut("/contents/0").map(Value::take);
        let mut content = content.unwrap_or_default();
        if let Some(role) = content
            .get_mut("role")
            .filter(|_| message.role == "assistant")
        {
            *role = json!("model");
        }
        content
    };
    messages.iter().map(message).collect()
}

/// Where a service says that a reply ended at the limit of its tokens, in which words, and how it says that it is whole.
const LIMITED: [(&str, &str, &str); 2] = [
    ("/choices/0/finish_reason", "length", "stop"),
    ("/candidates/0/finishReason", "MAX_TOKENS", "STOP"),
];

/// Reads an answer of any status, and whether it ended at the limit of its tokens: the text of a model under test is what
/// came until then, as its authors keep it, where half a verdict of a judge would be another verdict.
///
/// ```
/// use juror_judging::provider::{Answer, read, read_whole_or_cut};
/// use juror_model::judge::Wire;
/// let body = r#"{"choices": [{"message": {"content": "A red"}, "finish_reason": "length"}]}"#;
/// let (answer, is_cut) = read_whole_or_cut(Wire::OpenAi, 200, body);
/// assert!(matches!(answer, Answer::Reply { text, .. } if text == "A red") && is_cut);
/// assert!(matches!(read(Wire::OpenAi, 200, body), Answer::Failed(_)));
/// ```
pub fn read_whole_or_cut(wire: Wire, status: u16, text: &str) -> (Answer, bool) {
    let mut value: Value = serde_json::from_str(text).unwrap_or_default();
    for (place, limited, whole) in LIMITED {
        if let Some(reason) = value.pointer_mut(place).filter(|it| **it == limited) {
            *reason = json!(whole);
            let answer = read(wire, status, &value.to_string());
            if matches!(answer, Answer::Reply { .. }) {
                return (answer, true);
            }
            break;
        }
    }
    (read(wire, status, text), false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::Content;

    #[test]
    fn a_dialogue_is_sent_in_its_roles_with_its_pictures_to_each_service() {
        let picture = Content::Image {
            media_type: "image/png",
            base64: "@1@",
        };
        let messages = [
            Message {
                role: "user",
                parts: vec![Content::Text("Image #1:"), picture],
            },
            Message {
                role: "assistant",
                parts: vec![Content::Text("Image #2")],
            },
            Message {
                role: "user",
                parts: vec![Content::Text("How many?")],
            },
        ];
        let params = Params {
            model: "m".to_owned(),
            max_tokens: Some(1024),
            ..Params::default()
        };
        let url = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,@1@"}});
        let text = |text: &str| json!({"type": "text", "text": text});
        let expected = json!({"max_tokens": 1024, "model": "m", "messages": [
            {"role": "user", "content": [text("Image #1:"), url]},
            {"role": "assistant", "content": [text("Image #2")]},
            {"role": "user", "content": [text("How many?")]},
        ]});
        assert_eq!(chat_of(Wire::OpenAi, &params, &messages), expected);
        let data = json!({"inlineData": {"mimeType": "image/png", "data": "@1@"}});
        let expected = json!({"generationConfig": {"maxOutputTokens": 1024}, "contents": [
            {"role": "user", "parts": [{"text": "Image #1:"}, data]},
            {"role": "model", "parts": [{"text": "Image #2"}]},
            {"role": "user", "parts": [{"text": "How many?"}]},
        ]});
        assert_eq!(chat_of(Wire::Gemini, &params, &messages), expected);
    }

    #[test]
    fn an_answer_without_text_is_none_wherever_it_was_cut_off() {
        let empty = r#"{"candidates": [{"content": {"parts": []}, "finishReason": "MAX_TOKENS"}]}"#;
        let (answer, is_cut) = read_whole_or_cut(Wire::Gemini, 200, empty);
        assert!(matches!(answer, Answer::Failed(_)) && !is_cut);
        let filtered =
            r#"{"choices": [{"message": {"content": "A"}, "finish_reason": "content_filter"}]}"#;
        let (answer, is_cut) = read_whole_or_cut(Wire::OpenAi, 200, filtered);
        assert!(matches!(answer, Answer::Failed(_)) && !is_cut);
    }
}
