//! What an answer says of its tokens, whatever else it says: a reply that cannot be read was paid for as well.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::stream;
use juror_model::judge::Wire;

/// Tokens as the service counted them, right or wrong; `None` where it says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Usage {
    /// Of the request, cached ones included.
    pub input_tokens: Option<f64>,
    /// Of the reply, thoughts included.
    pub output_tokens: Option<f64>,
}

/// Reads the counts of an answer of any status and any body.
///
/// ```
/// use juror_judging::provider::{Usage, usage};
/// use juror_model::judge::Wire;
/// let body = r#"{"choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": -1}}"#;
/// let counted = Usage { input_tokens: Some(12.0), output_tokens: Some(-1.0) };
/// assert_eq!(usage(Wire::OpenAi, body), counted);
/// assert_eq!(usage(Wire::OpenAi, "<html>"), Usage::default());
/// ```
pub fn usage(wire: Wire, body: &str) -> Usage {
    let whole = serde_json::from_str::<Value>(body).ok();
    let Some(value) = whole.or_else(|| stream::joined(body)) else {
        return Usage::default();
    };
    let (input, output): (&[&str], &[&str]) = match wire {
        Wire::OpenAi => (&["/usage/prompt_tokens"], &["/usage/completion_tokens"]),
        Wire::Anthropic => (
            &[
                "/usage/input_tokens",
                "/usage/cache_creation_input_tokens",
                "/usage/cache_read_input_tokens",
            ],
            &["/usage/output_tokens"],
        ),
        Wire::Gemini => (
            &["/usageMetadata/promptTokenCount"],
            &[
                "/usageMetadata/candidatesTokenCount",
                "/usageMetadata/thoughtsTokenCount",
            ],
        ),
    };
    Usage {
        input_tokens: sum(&value, input),
        output_tokens: sum(&value, output),
    }
}

/// The sum of the counts that are there; one that is negative stays so, and is not hidden by the others.
fn sum(value: &Value, pointers: &[&str]) -> Option<f64> {
    let counts = pointers
        .iter()
        .filter_map(|pointer| value.pointer(pointer)?.as_f64());
    counts.reduce(|sum, count| {
        if sum < 0.0 || count < 0.0 {
            sum.min(count)
        } else {
            sum + count
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tokens_of_an_answer_are_read_even_where_its_text_is_none() {
        let counted = |input, output| Usage {
            input_tokens: input,
            output_tokens: output,
        };
        for (wire, body, expected) in [
            (
                Wire::Anthropic,
                r#"{"content": [], "stop_reason": "refusal", "usage": {"input_tokens": 10, "cache_read_input_tokens": 4, "output_tokens": 2}}"#,
                counted(Some(14.0), Some(2.0)),
            ),
            (
                Wire::Gemini,
                r#"{"promptFeedback": {"blockReason": "OTHER"}, "usageMetadata": {"promptTokenCount": 9, "thoughtsTokenCount": 8}}"#,
                counted(Some(9.0), Some(8.0)),
            ),
            (
                Wire::OpenAi,
                r#"{"hello": "world", "usage": {"prompt_tokens": "many"}}"#,
                counted(None, None),
            ),
            // What cannot be stays as it is, for whoever holds it against an estimate.
            (
                Wire::Anthropic,
                r#"{"usage": {"input_tokens": 10, "cache_read_input_tokens": -4, "output_tokens": 1e300}}"#,
                counted(Some(-4.0), Some(1e300)),
            ),
        ] {
            assert_eq!(usage(wire, body), expected, "{body}");
        }
    }
}
