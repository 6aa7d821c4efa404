//! Parameters as a service takes them: one limit of a reply, under the one name that its model knows.

use juror_model::judge::{Params, Wire};
use serde_json::{Map, Value};

/// What services call the most tokens of a reply.
const LIMITS: [&str; 4] = [
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "maxOutputTokens",
];

/// The parameters that a body really holds, and that a record states.
///
/// A limit among the extra parameters takes the place of [`Params::max_tokens`], as services refuse two of them.
/// OpenAI's reasoning models take `max_completion_tokens` and no temperature.
///
/// ```
/// use juror_judging::provider::as_sent;
/// use juror_model::judge::{Params, Wire};
/// let given = Params {
///     model: "gpt-5-mini".to_owned(),
///     temperature: Some(0.0),
///     max_tokens: Some(900),
///     ..Params::default()
/// };
/// let sent = as_sent(Wire::OpenAi, &given);
/// assert_eq!((sent.temperature, sent.max_tokens), (None, None));
/// assert_eq!(sent.extra["max_completion_tokens"], 900);
/// ```
pub fn as_sent(wire: Wire, params: &Params) -> Params {
    let mut sent = params.clone();
    match wire {
        Wire::OpenAi => openai(&mut sent),
        Wire::Anthropic => {
            if let Some(limit) = take_limit(&mut sent.extra) {
                sent.max_tokens = None;
                sent.extra.insert("max_tokens".to_owned(), limit);
            }
        }
        Wire::Gemini => gemini(&mut sent),
    }
    sent
}

fn openai(sent: &mut Params) {
    let has_limit = LIMITS.iter().any(|name| sent.extra.contains_key(*name));
    if !is_reasoning(&sent.model) {
        if has_limit {
            sent.max_tokens = None;
        }
        return;
    }
    let own = sent.max_tokens.take().map(Value::from);
    if let Some(limit) = take_limit(&mut sent.extra).or(own) {
        sent.extra.insert("max_completion_tokens".to_owned(), limit);
    }
    let effort = sent.extra.get("reasoning_effort").and_then(Value::as_str);
    if effort != Some("none") {
        sent.temperature = None;
    }
}

fn gemini(sent: &mut Params) {
    // The service reads both spellings and refuses both at once.
    if let Some(config) = sent.extra.remove("generation_config") {
        sent.extra.entry("generationConfig").or_insert(config);
    }
    let config = sent.extra.get_mut("generationConfig");
    let inner = config.and_then(Value::as_object_mut).and_then(take_limit);
    let outer = take_limit(&mut sent.extra);
    if let Some(limit) = inner.or(outer) {
        sent.max_tokens = None;
        sent.extra.insert("maxOutputTokens".to_owned(), limit);
    }
}

/// Whether a parameter limits the tokens of a reply, in any service's word.
pub fn is_limit(name: &str) -> bool {
    LIMITS.contains(&name)
}

/// Takes every limit out; the value of the last name in the order of [`LIMITS`], which is the most particular one.
fn take_limit(extra: &mut Map<String, Value>) -> Option<Value> {
    let found = LIMITS.iter().filter_map(|name| extra.remove(*name));
    found.last()
}

/// Whether this is one of OpenAI's reasoning models: o1, o3, o4 and GPT-5, under a vendor's folder or fine-tuned too.
fn is_reasoning(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
    let name = name.strip_prefix("ft:").unwrap_or(&name);
    let is_of = |family: &str| {
        let rest = name.strip_prefix(family);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.', ':']))
    };
    ["o1", "o3", "o4", "gpt-5"].into_iter().any(is_of) && !name.contains("-chat")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Content, body};
    use super::*;

    fn of(wire: Wire, model: &str, max_tokens: Option<u32>, extra: Value) -> Value {
        let params = Params {
            model: model.to_owned(),
            temperature: Some(0.5),
            max_tokens,
            extra: match extra {
                Value::Object(extra) => extra,
                _ => Map::new(),
            },
        };
        body(wire, &params, None, &[Content::Text("Judge.")])
    }

    #[test]
    fn a_limit_among_the_extra_parameters_is_the_only_one() {
        let sent = of(
            Wire::OpenAi,
            "gpt-4o",
            Some(1400),
            json!({"max_completion_tokens": 8192}),
        );
        assert_eq!(sent["max_completion_tokens"], 8192);
        assert_eq!(sent.get("max_tokens"), None);
        assert_eq!(sent["temperature"], 0.5);
        let sent = of(Wire::OpenAi, "gpt-4o", Some(1400), Value::Null);
        assert_eq!(sent["max_tokens"], 1400);
        let sent = of(
            Wire::Anthropic,
            "claude",
            Some(9),
            json!({"max_output_tokens": 7}),
        );
        assert_eq!(sent["max_tokens"], 7);
        assert_eq!(sent.get("max_output_tokens"), None);
    }

    #[test]
    fn a_reasoning_model_gets_its_own_name_of_the_limit_and_no_temperature() {
        for model in [
            "o1",
            "o3-mini",
            "openai/o4-mini",
            "gpt-5",
            "GPT-5.1",
            "gpt-5-mini-2025-08-07",
        ] {
            let sent = of(Wire::OpenAi, model, Some(1400), Value::Null);
            assert_eq!(sent["max_completion_tokens"], 1400, "{model}");
            assert_eq!(sent.get("max_tokens"), None, "{model}");
            assert_eq!(sent.get("temperature"), None, "{model}");
        }
        for model in [
            "gpt-4o",
            "gpt-5-chat-latest",
            "gpt-50",
            "o1x",
            "olmo",
            "Qwen/Qwen3-VL",
        ] {
            let sent = of(Wire::OpenAi, model, Some(1400), Value::Null);
            assert_eq!(sent["max_tokens"], 1400, "{model}");
            assert_eq!(sent["temperature"], 0.5, "{model}");
        }
        let sent = of(
            Wire::OpenAi,
            "gpt-5.1",
            None,
            json!({"max_tokens": 5, "reasoning_effort": "none"}),
        );
        assert_eq!(
            (&sent["max_completion_tokens"], &sent["temperature"]),
            (&json!(5), &json!(0.5))
        );
    }

    #[test]
    fn gemini_has_one_limit_however_it_was_written() {
        for extra in [
            json!({"max_output_tokens": 7}),
            json!({"maxOutputTokens": 7}),
            json!({"generationConfig": {"max_output_tokens": 7}}),
            json!({"generation_config": {"maxOutputTokens": 7}}),
        ] {
            let sent = of(Wire::Gemini, "gemini-2.5-flash", Some(1024), extra.clone());
            assert_eq!(
                sent["generationConfig"],
                json!({"maxOutputTokens": 7, "temperature": 0.5}),
                "{extra}"
            );
        }
        let sent = of(Wire::Gemini, "gemini-2.5-flash", Some(1024), Value::Null);
        assert_eq!(sent["generationConfig"]["maxOutputTokens"], 1024);
    }
}
