//! What came back: the judge's text, or why there is none.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Failure, FailureKind, cut, stream};
use juror_model::judge::Wire;
use juror_reading::limits::RESPONSE_BYTES;
use juror_reading::py::json_from_service;

/// What one call came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer {
    /// The judge wrote something.
    Reply {
        /// The text, verbatim.
        text: String,
        /// The model that answered, as the server names it; empty if it does not.
        model: String,
        /// Why the text ends, in the provider's word: `stop`, `length`, `end_turn`, `MAX_TOKENS`, …
        finish: String,
        /// Tokens of the request, as counted by the provider, cached ones included.
        #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
        input_tokens: Option<u64>,
        /// Tokens of the reply, thoughts included.
        #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
        output_tokens: Option<u64>,
    },
    /// There is no text.
    Failed(Failure),
}

impl Answer {
    fn failed(kind: FailureKind, message: &str) -> Self {
        Self::Failed(Failure::new(kind, message))
    }
}

/// Reads what a server sent back: any status, any body.
pub fn read(wire: Wire, status: u16, body: &str) -> Answer {
    match value_of(status, body) {
        Ok(value) => shaped(wire, &value),
        Err(failure) => Answer::Failed(failure),
    }
}

/// The JSON of a success; any other status, any error in JSON and anything that is not JSON is a failure.
pub(super) fn value_of(status: u16, body: &str) -> Result<Value, Failure> {
    let is_success = (200..300).contains(&status);
    if body.len() > RESPONSE_BYTES {
        let length = body.len();
        let message = format!("The answer has {length} bytes; at most {RESPONSE_BYTES} are read.");
        return Err(Failure::new(FailureKind::NotJson, &message));
    }
    match json_from_service(body) {
        Ok(value) => checked(status, value, body),
        Err(_) if !is_success => Err(refused_plainly(status, body)),
        Err(error) => match stream::joined(body).or_else(|| cut::completed(body)) {
            Some(value) => checked(status, value, body),
            None => Err(not_json(body, &error)),
        },
    }
}

/// The same for a body that was parsed already; `body` is shown where nothing else can be said.
pub(crate) fn read_value(wire: Wire, status: u16, value: Value, body: &str) -> Answer {
    match checked(status, value, body) {
        Ok(value) => shaped(wire, &value),
        Err(failure) => Answer::Failed(failure),
    }
}

fn checked(status: u16, value: Value, body: &str) -> Result<Value, Failure> {
    // Some servers wrap an error in a list.
    let value = match value {
        Value::Array(mut items) if items.len() == 1 => items.remove(0),
        other => other,
    };
    if let Some(error) = ErrorBody::find(&value, status) {
        return Err(error.failure());
    }
    if (200..300).contains(&status) {
        Ok(value)
    } else {
        Err(refused_plainly(status, body))
    }
}

fn shaped(wire: Wire, value: &Value) -> Answer {
    match wire {
        Wire::OpenAi => openai(value),
        Wire::Anthropic => anthropic(value),
        Wire::Gemini => gemini(value),
    }
}

/// Not JSON, though the server says that all is well.
fn not_json(body: &str, error: &serde_json::Error) -> Failure {
    let trimmed = body.trim_start();
    let message = if trimmed.is_empty() {
        "Expected JSON, found nothing.".to_owned()
    } else if trimmed.starts_with('<') {
        format!("Expected JSON, found a web page: {}", visible(trimmed))
    } else if error.is_eof() {
        format!("The answer ends in the middle, after {} bytes.", body.len())
    } else if trimmed.starts_with("data:") || trimmed.starts_with("event:") {
        "Expected one JSON object, found a stream of events.".to_owned()
    } else {
        format!("Expected JSON, found: {trimmed}")
    };
    Failure::new(FailureKind::NotJson, &message)
}

/// An error status without an error in JSON.
fn refused_plainly(status: u16, body: &str) -> Failure {
    let said = visible(body.trim());
    let said = if said.is_empty() {
        String::new()
    } else {
        format!(": {said}")
    };
    let message = format!("The server answers {status}{said}");
    Failure::new(kind_of_status(status), &message)
}

/// The title of a web page, or the text itself.
fn visible(body: &str) -> &str {
    if !body.starts_with('<') {
        return body;
    }
    let lower = body.to_ascii_lowercase();
    let title = lower.find("<title>").map(|at| at + "<title>".len());
    let end = lower.find("</title>");
    let title = title.zip(end).and_then(|(from, to)| body.get(from..to));
    title.map_or("without a title", str::trim)
}

fn kind_of_status(status: u16) -> FailureKind {
    match status {
        401 | 403 => FailureKind::BadKey,
        402 => FailureKind::Quota,
        300..=399 | 404 | 405 | 410 => FailureKind::NotFound,
        408 | 504 | 524 => FailureKind::Timeout,
        // A conflict and "too early" pass, as the providers' own clients know.
        409 | 425 | 500..=599 => FailureKind::Server,
        413 => FailureKind::TooLarge,
        429 => FailureKind::RateLimited,
        200..=299 => FailureKind::NotJson,
        _ => FailureKind::BadRequest,
    }
}

/// An error as one of the many servers writes it.
struct ErrorBody {
    status: u16,
    /// Codes, types and reasons, in lower case, each between blanks.
    words: String,
    message: String,
}

impl ErrorBody {
    /// `{"error": {…}}`, `{"error": "…"}`, `{"object": "error", …}`, `{"detail": …}`.
    fn find(value: &Value, status: u16) -> Option<Self> {
        let is_success = (200..300).contains(&status);
        let at_fault = match value.get("error") {
            Some(Value::Null) | None => {
                let is_error = value.get("object").and_then(Value::as_str) == Some("error")
                    || value.get("type").and_then(Value::as_str) == Some("error");
                let is_plain = !is_success
                    && ["message", "detail"]
                        .iter()
                        .any(|key| value.get(key).is_some());
                (is_error || is_plain).then_some(value)?
            }
            Some(error) => error,
        };
        let text = |key: &str| match at_fault.get(key) {
            Some(Value::String(text)) => Some(text.clone()),
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => None,
        };
        let message = match at_fault {
            Value::String(message) => message.clone(),
            _ => text("message")
                .or_else(|| {
                    at_fault.get("detail").map(|detail| match detail {
                        Value::String(detail) => detail.clone(),
                        other => other.to_string(),
                    })
                })
                .unwrap_or_else(|| at_fault.to_string()),
        };
        let mut words = String::from(" ");
        let named = ["type", "code", "status"]
            .iter()
            .filter_map(|key| text(key));
        let inner = at_fault.pointer("/innererror/code").and_then(Value::as_str);
        let details = at_fault.get("details").and_then(Value::as_array);
        let reasons = details
            .into_iter()
            .flatten()
            .filter_map(|detail| Some(detail.get("reason")?.as_str()?.to_owned()));
        let quotas = details.into_iter().flatten().flat_map(|detail| {
            let violations = detail.get("violations").and_then(Value::as_array);
            let ids = violations.into_iter().flatten();
            ids.filter_map(|violation| Some(violation.get("quotaId")?.as_str()?.to_owned()))
        });
        for word in named
            .chain(inner.map(str::to_owned))
            .chain(reasons)
            .chain(quotas)
        {
            words += &word.to_lowercase();
            words.push(' ');
        }
        // OpenRouter and old vLLM say the status in the body, the former under a 200.
        let code = at_fault.get("code").and_then(|code| match code {
            Value::Number(number) => number.as_u64(),
            Value::String(text) => text.parse().ok(),
            _ => None,
        });
        let code = code.and_then(|code| u16::try_from(code).ok());
        let code = code.filter(|code| (400..600).contains(code));
        Some(Self {
            status: if is_success {
                code.unwrap_or(status)
            } else {
                status
            },
            words,
            message,
        })
    }

    fn failure(&self) -> Failure {
        Failure::new(self.kind(), &self.message)
    }

    fn has(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.words.contains(word))
    }

    fn says(&self, phrases: &[&str]) -> bool {
        let message = self.message.to_lowercase();
        phrases.iter().any(|phrase| message.contains(phrase))
    }

    /// Codes say more than the status: a wrong key is a 400 with Gemini, an empty account a 429 with OpenAI.
    fn kind(&self) -> FailureKind {
        if self.has(&[
            " invalid_api_key ",
            " api_key_invalid ",
            " authentication_error ",
            " unauthenticated ",
        ]) || self.says(&[
            "api key not valid",
            "incorrect api key",
            "invalid x-api-key",
        ]) {
            return FailureKind::BadKey;
        }
        if self.has(&[
            "insufficient_quota",
            "billing",
            "perday",
            "insufficient_credits",
        ]) || self.says(&[
            "credit balance is too low",
            "insufficient credits",
            "insufficient balance",
        ]) {
            return FailureKind::Quota;
        }
        if self.has(&[
            "content_filter",
            "content_policy",
            "responsibleai",
            "moderation",
            "safety",
        ]) || self.status == 403 && self.says(&["moderation", "flagged"])
        {
            return FailureKind::ContentFilter;
        }
        if self.has(&["model_not_found", " not_found", "notfounderror"]) {
            return FailureKind::NotFound;
        }
        if self.has(&["overloaded"]) {
            return FailureKind::Server;
        }
        let is_large = self.has(&[
            "context_length_exceeded",
            "request_too_large",
            "string_above_max_length",
        ]) || self.says(&[
            "maximum context length",
            "prompt is too long",
            "exceeds 5 mb",
            "too large",
            "exceeds the maximum number of tokens",
            "payload size exceeds",
        ]);
        match self.status {
            400 | 413 | 422 if is_large => FailureKind::TooLarge,
            200..=299 if self.has(&["rate_limit", "resource_exhausted"]) => {
                FailureKind::RateLimited
            }
            200..=299 => FailureKind::Server,
            status => kind_of_status(status),
        }
    }
}

pub(super) fn wrong_shape(missing: &str) -> Failure {
    let message =
        format!("The answer is JSON without {missing}: it is not of this kind of server.");
    Failure::new(FailureKind::NotJson, &message)
}

pub(super) fn text_at<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or("")
}

/// The largest whole number up to which a page can count: beyond, a service's count is none.
const MOST: u64 = 1 << 53;

pub(super) fn count_at(value: &Value, pointer: &str) -> Option<u64> {
    let count = value.pointer(pointer)?.as_u64();
    count.filter(|count| *count <= MOST)
}

/// The sum of the counts that are there; `None` if none is.
pub(super) fn sum_at(value: &Value, pointers: &[&str]) -> Option<u64> {
    let counts = pointers
        .iter()
        .filter_map(|pointer| count_at(value, pointer));
    counts.reduce(|sum, count| sum.saturating_add(count).min(MOST))
}

/// An answer of the right shape whose text may be empty; `ends` are the wire's words for a reply that came to its end.
fn reply(
    text: String,
    ends: &[&str],
    model: &str,
    finish: &str,
    tokens: [Option<u64>; 2],
) -> Answer {
    if is_filter(finish) {
        let message = format!("The provider's filter stopped the reply ({finish}) after: {text:?}");
        return Answer::failed(FailureKind::ContentFilter, &message);
    }
    if finish.eq_ignore_ascii_case("refusal") {
        return Answer::failed(FailureKind::Refused, &text);
    }
    if text.trim().is_empty() {
        let message = format!("The answer holds no text (it ended with {finish:?}).");
        return Answer::failed(FailureKind::Empty, &message);
    }
    let [input_tokens, output_tokens] = tokens;
    if !is_end(finish, ends) {
        let after =
            output_tokens.map_or_else(String::new, |count| format!(", after {count} tokens"));
        let message = format!(
            "The reply was cut off ({finish}{after}), and half a number is another number. It ends with: {}",
            last_chars(text.trim_end(), SHOWN_END)
        );
        return Answer::failed(FailureKind::CutOff, &message);
    }
    Answer::Reply {
        text,
        model: model.to_owned(),
        finish: finish.to_owned(),
        input_tokens,
        output_tokens,
    }
}

/// What a reply that ended for this reason is instead of a whole one, in the words of any service.
pub fn ended_early(finish: &str) -> Option<FailureKind> {
    if is_filter(finish) {
        return Some(FailureKind::ContentFilter);
    }
    if finish.eq_ignore_ascii_case("refusal") {
        return Some(FailureKind::Refused);
    }
    let is_whole = is_end(finish, &CHAT_ENDS) || is_end(finish, &GEMINI_ENDS);
    (!is_whole).then_some(FailureKind::CutOff)
}

/// How many characters of a reply that was cut off are shown.
const SHOWN_END: usize = 120;

/// Why a whole reply ends, in the words of Chat Completions and of those who speak it: OpenAI, vLLM and most others say
/// `stop`; text-generation-inference `eos_token`, Together `eos`, Cohere `COMPLETE`; proxies pass on the words of the service
/// behind them. `length`, `tool_calls`, `sensitive`, `network_error` and every word that is not known are no such reasons.
const CHAT_ENDS: [&str; 9] = [
    "stop",
    "stop_sequence",
    "end_turn",
    "end_of_turn",
    "eos",
    "eos_token",
    "endoftext",
    "complete",
    "completed",
];

/// The same of OpenAI's Responses API: every other status, and every reason beside one, is of a reply that is not whole.
const RESPONSES_ENDS: [&str; 1] = ["completed"];

/// The same of Anthropic's Messages; `max_tokens`, `pause_turn`, `tool_use` and the rest are none.
const ANTHROPIC_ENDS: [&str; 3] = ["end_turn", "stop_sequence", "stop"];

/// The same of Gemini, as libraries write it; `MAX_TOKENS`, `OTHER`, `UNEXPECTED_TOOL_CALL` and the rest are none.
const GEMINI_ENDS: [&str; 3] = ["stop", "finish_reason_stop", "1"];

/// Whether a reply that ended for this reason is whole: for one of these, or for none that the service gives.
fn is_end(finish: &str, ends: &[&str]) -> bool {
    finish.is_empty() || ends.iter().any(|known| known.eq_ignore_ascii_case(finish))
}

/// Reasons to end that are a filter's, in the words of those who speak as OpenAI does; Z.ai's is `sensitive`.
fn is_filter(finish: &str) -> bool {
    const FILTERS: [&str; 5] = [
        "content_filter",
        "content-filter",
        "sensitive",
        "safety",
        "guardrail_intervened",
    ];
    FILTERS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(finish))
}

/// The last `count` characters of a text.
fn last_chars(text: &str, count: usize) -> &str {
    let start = text.char_indices().rev().nth(count.saturating_sub(1));
    start.map_or(text, |(at, _)| &text[at..])
}

fn openai(value: &Value) -> Answer {
    let Some(choices) = value.get("choices").and_then(Value::as_array) else {
        return match value.get("output").and_then(Value::as_array) {
            Some(output) => responses(value, output),
            None => Answer::Failed(wrong_shape("choices")),
        };
    };
    let choice = match only_one(choices, "choices", chat_text) {
        Ok(choice) => choice,
        Err(failure) => return Answer::Failed(failure),
    };
    if let Some(error) = choice.get("error").filter(|error| !error.is_null()) {
        let wrapped = serde_json::json!({ "error": error });
        if let Some(error) = ErrorBody::find(&wrapped, 200) {
            return Answer::Failed(error.failure());
        }
    }
    let Some(message) = choice.get("message").filter(|message| message.is_object()) else {
        return Answer::Failed(wrong_shape("choices[0].message"));
    };
    let refusal = text_at(message, "/refusal");
    if !refusal.is_empty() {
        return Answer::failed(FailureKind::Refused, refusal);
    }
    let tokens = [
        count_at(value, "/usage/prompt_tokens"),
        count_at(value, "/usage/completion_tokens"),
    ];
    let model = text_at(value, "/model");
    // Some servers say the reason as an object.
    let finish = text_of(choice, ["/finish_reason", "/finish_reason/type"]);
    reply(chat_text(choice), &CHAT_ENDS, model, finish, tokens)
}

/// The text of one choice.
fn chat_text(choice: &Value) -> String {
    match choice.pointer("/message/content") {
        Some(Value::String(text)) => text.clone(),
        // Some servers answer in parts.
        Some(Value::Array(parts)) => parts
            .iter()
            .filter(|part| !is_thought(part))
            .map(|part| text_at(part, "/text"))
            .collect(),
        _ => String::new(),
    }
}

/// The only one of an answer's choices or candidates, or the first by number of those that all say the same: of several
/// that differ none is chosen.
fn only_one<'a>(
    all: &'a [Value],
    what: &str,
    text: impl Fn(&Value) -> String,
) -> Result<&'a Value, Failure> {
    let number = |one: &&Value| count_at(one, "/index").unwrap_or(0);
    let Some(first) = all.iter().min_by_key(number) else {
        let message = format!("The list of {what} is empty.");
        return Err(Failure::new(FailureKind::Empty, &message));
    };
    if all.len() > 1 && all.iter().any(|one| text(one) != text(first)) {
        let message = format!(
            "The answer holds {} {what} that differ, and none of them is the judge's reply more than the others. Ask for one (n = 1).",
            all.len()
        );
        return Err(Failure::new(FailureKind::BadRequest, &message));
    }
    Ok(first)
}

/// Whether a part of an answer holds a model's thoughts, which are no part of its reply.
fn is_thought(part: &Value) -> bool {
    ["thinking", "reasoning", "reasoning_text"].contains(&text_at(part, "/type"))
}

/// An answer of OpenAI's Responses API: messages among the items of `output`, and why they end in `incomplete_details`.
fn responses(value: &Value, output: &[Value]) -> Answer {
    // What a model says on its way is no part of its answer.
    let messages = output.iter().filter(|item| {
        text_at(item, "/type") == "message" && text_at(item, "/phase") != "commentary"
    });
    let mut statuses = messages.clone().map(|item| text_at(item, "/status"));
    let cut = statuses.find(|status| !is_end(status, &RESPONSES_ENDS));
    let parts = messages
        .filter_map(|item| item.get("content")?.as_array())
        .flatten();
    let refusal: String = parts
        .clone()
        .map(|part| text_at(part, "/refusal"))
        .collect();
    if !refusal.is_empty() {
        return Answer::failed(FailureKind::Refused, &refusal);
    }
    let text: String = parts.map(|part| text_at(part, "/text")).collect();
    let reason = text_at(value, "/incomplete_details/reason");
    let status = text_at(value, "/status");
    let finish = match (reason, cut) {
        ("", Some(cut)) if is_end(status, &RESPONSES_ENDS) => cut,
        ("", _) => status,
        (reason, _) => reason,
    };
    let tokens = [
        count_at(value, "/usage/input_tokens"),
        count_at(value, "/usage/output_tokens"),
    ];
    let model = text_at(value, "/model");
    reply(text, &RESPONSES_ENDS, model, finish, tokens)
}

fn anthropic(value: &Value) -> Answer {
    let Some(blocks) = value.get("content").and_then(Value::as_array) else {
        return Answer::Failed(wrong_shape("content"));
    };
    let texts = blocks
        .iter()
        .filter(|block| text_at(block, "/type") == "text")
        .map(|block| text_at(block, "/text"));
    let text: String = texts.collect();
    let finish = text_at(value, "/stop_reason");
    if finish == "refusal" {
        let message = format!("The judge refuses to answer (stop_reason refusal). {text}");
        return Answer::failed(FailureKind::Refused, &message);
    }
    let input = [
        "/usage/input_tokens",
        "/usage/cache_creation_input_tokens",
        "/usage/cache_read_input_tokens",
    ];
    let tokens = [
        sum_at(value, &input),
        count_at(value, "/usage/output_tokens"),
    ];
    let model = text_at(value, "/model");
    reply(text, &ANTHROPIC_ENDS, model, finish, tokens)
}

fn gemini(value: &Value) -> Answer {
    let candidate = match gemini_candidate(value) {
        Ok(candidate) => candidate,
        Err(failure) => return Answer::Failed(failure),
    };
    let candidates = value.get("candidates").and_then(Value::as_array);
    let only = only_one(
        candidates.map_or(&[], Vec::as_slice),
        "candidates",
        gemini_text,
    );
    if let Err(failure) = only {
        return Answer::Failed(failure);
    }
    let finish = gemini_finish(candidate);
    let model = text_of(value, ["/modelVersion", "/model_version"]);
    let text = gemini_text(candidate);
    reply(text, &GEMINI_ENDS, model, &finish, gemini_tokens(value))
}

/// The text of one candidate, without the model's thoughts.
fn gemini_text(candidate: &Value) -> String {
    let parts = candidate
        .pointer("/content/parts")
        .and_then(Value::as_array);
    let texts = parts
        .into_iter()
        .flatten()
        .filter(|part| part.get("thought").and_then(Value::as_bool) != Some(true))
        .map(|part| text_at(part, "/text"));
    texts.collect()
}

/// The text at the first of two places that has one: the service's own name of a field, and that of its Python library.
fn text_of<'a>(value: &'a Value, pointers: [&str; 2]) -> &'a str {
    let texts = pointers.map(|pointer| text_at(value, pointer));
    if texts[0].is_empty() {
        texts[1]
    } else {
        texts[0]
    }
}

/// Why a candidate ends, in the service's word; libraries write the word in their own way, or its number.
pub(super) fn gemini_finish(candidate: &Value) -> Cow<'_, str> {
    let numbers = ["/finishReason", "/finish_reason"];
    let number = numbers
        .iter()
        .find_map(|pointer| candidate.pointer(pointer)?.as_u64());
    match number {
        None => {
            let word = text_of(candidate, numbers);
            Cow::Borrowed(word.strip_prefix("FinishReason.").unwrap_or(word))
        }
        Some(0) => Cow::Borrowed("FINISH_REASON_UNSPECIFIED"),
        Some(1) => Cow::Borrowed("STOP"),
        Some(2) => Cow::Borrowed("MAX_TOKENS"),
        Some(3) => Cow::Borrowed("SAFETY"),
        Some(4) => Cow::Borrowed("RECITATION"),
        // The two services number the others differently; none of them is a reply's own end.
        Some(_) => Cow::Borrowed("OTHER"),
    }
}

/// The first candidate of a Gemini answer that no filter stopped.
pub(super) fn gemini_candidate(value: &Value) -> Result<&Value, Failure> {
    let failed = |kind, message: &str| Err(Failure::new(kind, message));
    let blocked = [
        "/promptFeedback/blockReason",
        "/prompt_feedback/block_reason",
    ];
    let blocked = text_of(value, blocked);
    if !blocked.is_empty() {
        let why = text_at(value, "/promptFeedback/blockReasonMessage");
        let message = format!("The request was blocked ({blocked}). {why}");
        return failed(FailureKind::ContentFilter, &message);
    }
    let Some(candidates) = value.get("candidates").and_then(Value::as_array) else {
        // Usage without candidates is an answer that holds nothing.
        let counts = ["usageMetadata", "usage_metadata"];
        return if counts.iter().any(|name| value.get(name).is_some()) {
            failed(FailureKind::Empty, "The answer holds no candidates.")
        } else {
            Err(wrong_shape("candidates"))
        };
    };
    let Some(candidate) = candidates.first() else {
        return failed(FailureKind::Empty, "The list of candidates is empty.");
    };
    let finish = gemini_finish(candidate);
    if is_gemini_filter(&finish) {
        let why = text_at(candidate, "/finishMessage");
        let message = format!("The provider's filter stopped the reply ({finish}). {why}");
        return failed(FailureKind::ContentFilter, &message);
    }
    Ok(candidate)
}

/// Tokens of request and reply, thoughts included.
pub(super) fn gemini_tokens(value: &Value) -> [Option<u64>; 2] {
    let output = [
        "/usageMetadata/candidatesTokenCount",
        "/usageMetadata/thoughtsTokenCount",
    ];
    [
        count_at(value, "/usageMetadata/promptTokenCount"),
        sum_at(value, &output),
    ]
}

/// Reasons to end that are a filter's.
pub(super) fn is_gemini_filter(finish: &str) -> bool {
    matches!(
        finish,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE"
    ) || finish.starts_with("IMAGE_")
}
