//! Judge requests as batch files, and results of batch files as journal records.
//!
//! A batch file is how a job outgrows one browser: it runs on an engine that exists already, and comes back as a file.
//! The shapes are those of OpenAI's Batch API (one object per line with `custom_id`, `method`, `url`, `body`), which
//! vLLM's `run-batch` reads as well, and of Gemini's batch mode (`key`, `request`).
//! The id of each line holds all that joins its result again, so no second file has to be kept.

use crate::error::Error;
use juror_model::request::RequestView;
use serde_json::{Value, json};

use super::provider::{self, Answer, Content, Failure, FailureKind, read_value};
use super::{percent_decode, percent_encode};
use crate::journal::{self, Record};
use juror_model::judge::{Params, Wire};

/// The version of [`LineId`], at its beginning.
const VERSION: &str = "juror1";

/// How much of the prompt pack's hash an id holds: enough to tell packs apart, and ids stay short.
pub const PACK_DIGITS: usize = 16;

/// Where a batch file is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// OpenAI's Batch API, and others of its form.
    OpenAi,
    /// `vllm run-batch`.
    Vllm,
    /// Gemini's batch mode.
    Gemini,
}

impl Engine {
    /// The form of its requests.
    pub fn wire(self) -> Wire {
        match self {
            Self::OpenAi | Self::Vllm => Wire::OpenAi,
            Self::Gemini => Wire::Gemini,
        }
    }

    /// Most lines of one file. OpenAI: 50,000 (API reference, "Create batch"); the others have no such limit.
    pub fn max_lines(self) -> u64 {
        match self {
            Self::OpenAi => 50_000,
            Self::Vllm | Self::Gemini => u64::MAX,
        }
    }

    /// Most bytes of one file. OpenAI: 200 MB (same place); Gemini: 2 GB ("Batch API", input file); vLLM: no limit.
    pub fn max_bytes(self) -> u64 {
        match self {
            Self::OpenAi => 200_000_000,
            Self::Vllm => u64::MAX,
            Self::Gemini => 2_000_000_000,
        }
    }
}

/// What one line asks, and under which name its reply is filed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LineId {
    /// Protocol id.
    pub protocol: String,
    /// SHA-256 of the request, hex; empty if it is unknown.
    pub request: String,
    /// Beginning of the prompt pack's SHA-256, [`PACK_DIGITS`] long; empty if it is unknown.
    pub prompts: String,
    /// Run, from 1.
    pub run: u32,
    /// Judge id.
    pub judge: String,
    /// Model under test.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Kind of request.
    pub criterion: String,
}

impl LineId {
    /// The id of one request.
    pub fn new(protocol: &str, request: &RequestView, judge: &str, run: u32) -> Self {
        let RequestView {
            key, pack, sha256, ..
        } = request;
        Self {
            protocol: protocol.to_owned(),
            request: sha256.clone().unwrap_or_default(),
            prompts: pack.sha256.chars().take(PACK_DIGITS).collect(),
            run,
            judge: judge.to_owned(),
            model: key.model.clone(),
            sample: key.sample.clone(),
            turn: key.turn,
            criterion: key.criterion.clone(),
        }
    }

    /// As `custom_id` or `key`: version, protocol, request and prompt pack with a dot between, run, judge, model, sample,
    /// turn, criterion, percent-encoded, with `/` between them.
    pub fn encode(&self) -> String {
        let run = self.run.to_string();
        let turn = self.turn.to_string();
        let request = match self.prompts.as_str() {
            "" => self.request.clone(),
            prompts => format!("{}.{prompts}", self.request),
        };
        let fields = [
            VERSION,
            &self.protocol,
            &request,
            &run,
            &self.judge,
            &self.model,
            &self.sample,
            &turn,
            &self.criterion,
        ];
        fields.map(percent_encode).join("/")
    }

    /// Reads an id back; `None` if it is not one of ours.
    pub fn decode(text: &str) -> Option<Self> {
        let fields: Option<Vec<String>> = text.split('/').map(percent_decode).collect();
        let fields: [String; 9] = fields?.try_into().ok()?;
        let [
            version,
            protocol,
            request,
            run,
            judge,
            model,
            sample,
            turn,
            criterion,
        ] = fields;
        let (request, prompts) = request.split_once('.').unwrap_or((&request, ""));
        let id = Self {
            protocol,
            request: request.to_owned(),
            prompts: prompts.to_owned(),
            run: run.parse().ok()?,
            judge,
            model,
            sample,
            turn: turn.parse().ok()?,
            criterion,
        };
        (version == VERSION && id.run >= 1).then_some(id)
    }

    /// The record of a result: with the model that answered, where the service names it.
    fn answered(self, answer: Answer) -> Record {
        match answer {
            Answer::Reply { text, model, .. } => Record {
                answered_by: (!model.is_empty()).then_some(model),
                ..self.record(Ok(text))
            },
            Answer::Failed(failure) => self.record(Err(failure)),
        }
    }

    pub(crate) fn record(self, reply: Result<String, Failure>) -> Record {
        let (reply, error) = match reply {
            Ok(text) => (text, None),
            Err(failure) => {
                let error = format!("{}: {}", failure.kind.id(), failure.message);
                (String::new(), Some(error))
            }
        };
        Record {
            format: journal::FORMAT.to_owned(),
            protocol: self.protocol,
            model: self.model,
            sample: self.sample,
            turn: self.turn,
            criterion: self.criterion,
            judge: self.judge,
            run: self.run,
            time: String::new(),
            request: (!self.request.is_empty()).then_some(self.request),
            prompts: self.prompts,
            reply,
            error,
            ..Record::default()
        }
    }
}

/// One line of a batch file, with its line end.
pub fn line(
    engine: Engine,
    id: &LineId,
    params: &Params,
    system: Option<&str>,
    content: &[Content<'_>],
) -> String {
    let body = provider::body(engine.wire(), params, system, content);
    request_line(engine, &id.encode(), "/v1/chat/completions", &body)
}

/// A request of any kind as a line of a batch file, with its line end; the address is for engines that take one.
pub fn request_line(engine: Engine, id: &str, url: &str, body: &Value) -> String {
    let line = match engine {
        Engine::OpenAi | Engine::Vllm => json!({
            "body": body,
            "custom_id": id,
            "method": "POST",
            "url": url,
        }),
        Engine::Gemini => json!({"key": id, "request": body}),
    };
    line.to_string() + "\n"
}

/// What a line of a batch's results says of a request, whatever that asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The id of the request.
    pub id: String,
    /// Status and body of the answer, or why there is none.
    pub answer: Result<(u16, String), Failure>,
    /// When it was made, where the line says so.
    pub time: Option<String>,
}

/// Reads a line of the results that a batch engine for OpenAI's or Gemini's requests writes.
///
/// # Errors
/// It is none, in words.
///
/// ```
/// use juror_judging::batch::outcome;
/// let line = serde_json::json!({"custom_id": "a", "response": {"status_code": 200, "body": {"data": []}}, "error": null});
/// let found = outcome(&line).unwrap();
/// assert_eq!((found.id.as_str(), found.answer.unwrap().0), ("a", 200));
/// assert!(outcome(&serde_json::json!({"custom_id": "a", "body": {}})).is_err());
/// ```
pub fn outcome(value: &Value) -> Result<Outcome, NoOutcome> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let has = |key: &str| value.get(key).is_some_and(|value| !value.is_null());
    let is_result = ["response", "error", "status"].iter().any(|key| has(key));
    if !is_result && (has("body") || has("request")) {
        return Err(NoOutcome::Request);
    }
    let key_in_metadata = || value.pointer("/metadata/key")?.as_str();
    let id = (text("custom_id")
        .or_else(|| text("key"))
        .or_else(key_in_metadata))
    .filter(|_| is_result)
    .ok_or(NoOutcome::Other)?;
    let error = said_error(value).or_else(|| said_status(value));
    let response = value.get("response").filter(|response| !response.is_null());
    let body = response.and_then(|response| match text("custom_id") {
        Some(_) => response.get("body").filter(|body| !body.is_null()),
        None => Some(response),
    });
    let status = response
        .and_then(|response| response.get("status_code")?.as_u64())
        .map_or(200, |status| u16::try_from(status).unwrap_or(500));
    let answer = match (body, error) {
        (Some(Value::String(body)), None) => Ok((status, body.clone())),
        (Some(body), None) => Ok((status, body.to_string())),
        (_, Some(error)) => Err(failed_line(error)),
        (None, None) => Err(failed_line(&Value::Null)),
    };
    let created = body.and_then(|body| {
        let time = body.get("created").or_else(|| body.get("created_at"));
        time?.as_u64()
    });
    Ok(Outcome {
        id: id.to_owned(),
        answer,
        time: created.map(utc),
    })
}

/// What a line is instead of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoOutcome {
    /// A request of a batch file.
    #[error(
        "it is a request that was not run: take the file that the service wrote, not the one that was sent"
    )]
    Request,
    /// Something else.
    #[error("expected a result with custom_id or key, and response or error, found something else")]
    Other,
}

/// Deals lines out to files so that none is beyond its engine's limits.
#[derive(Clone, Copy, Debug)]
pub struct Split {
    max_lines: u64,
    max_bytes: u64,
    file: u32,
    lines: u64,
    bytes: u64,
}

impl Split {
    /// By the limits of an engine.
    pub fn new(engine: Engine) -> Self {
        Self::with_limits(engine.max_lines(), engine.max_bytes())
    }

    /// By limits of one's own; both must be at least 1.
    pub fn with_limits(max_lines: u64, max_bytes: u64) -> Self {
        Self {
            max_lines,
            max_bytes,
            file: 1,
            lines: 0,
            bytes: 0,
        }
    }

    /// The number of the file that a line of so many bytes goes into, from 1.
    ///
    /// # Errors
    /// No file could take the line.
    pub fn place(&mut self, bytes: u64) -> Result<u32, Error> {
        if bytes > self.max_bytes {
            return Err(Error::TooLarge(format!(
                "Expected a line of at most {} bytes, found {bytes}.",
                self.max_bytes
            )));
        }
        if self.lines >= self.max_lines || self.bytes > self.max_bytes - bytes {
            self.file += 1;
            self.lines = 0;
            self.bytes = 0;
        }
        self.lines += 1;
        self.bytes += bytes;
        Ok(self.file)
    }
}

/// What a line of a JSONL file is to us.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Line {
    /// The result of one of our lines.
    Result(Box<Record>),
    /// A line of a batch file that is still to be run: not a result.
    Request,
    /// The result of a line that we did not write, with its id.
    Unknown(String),
    /// A result that does not say which request it answers.
    Nameless,
    /// Something else.
    Other,
}

/// Reads a line of a batch engine's output or error file.
pub(crate) fn read_line(value: &Value) -> Line {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let has = |key: &str| value.get(key).is_some_and(|value| !value.is_null());
    let is_result = ["response", "error", "status", "result"]
        .iter()
        .any(|key| has(key));
    let key_in_metadata = || value.pointer("/metadata/key")?.as_str();
    if let Some(id) = text("custom_id") {
        return match (is_result, LineId::decode(id)) {
            (false, _) if has("body") => Line::Request,
            (false, _) => Line::Other,
            (true, None) => Line::Unknown(id.to_owned()),
            (true, Some(known)) => {
                let body = value.pointer("/response/body");
                let created = body.and_then(|body| {
                    let time = body.get("created").or_else(|| body.get("created_at"));
                    time?.as_u64()
                });
                let answer = match value.get("result") {
                    Some(result) if result.is_object() => anthropic_result(result),
                    _ => openai_result(value),
                };
                Line::Result(Box::new(Record {
                    time: created.map_or_else(String::new, utc),
                    ..known.answered(answer)
                }))
            }
        };
    }
    let Some(id) = text("key").or_else(key_in_metadata) else {
        // Vertex AI sends the request back in place of an id.
        return if has("request") && has("response") {
            Line::Nameless
        } else {
            Line::Other
        };
    };
    match (is_result, LineId::decode(id)) {
        (false, _) if has("request") => Line::Request,
        // Many a file has keys; only a Gemini result that is not ours is worth a word.
        (true, None) if has("response") => Line::Unknown(id.to_owned()),
        (false, _) | (true, None) => Line::Other,
        (true, Some(known)) => Line::Result(Box::new(known.answered(gemini_result(value)))),
    }
}

/// `{"custom_id", "response": {"status_code", "body"}, "error"}`: either of the two may be null; a reply beside an error is none.
fn openai_result(value: &Value) -> Answer {
    let response = value.get("response").filter(|response| !response.is_null());
    let error = said_error(value);
    let Some(response) = response else {
        return Answer::Failed(failed_line(error.unwrap_or(&Value::Null)));
    };
    let status = response
        .get("status_code")
        .and_then(Value::as_u64)
        .and_then(|status| u16::try_from(status).ok());
    let status = status.unwrap_or(200);
    let answer = match (response.get("body"), error) {
        (Some(Value::Null) | None, Some(error)) => Answer::Failed(failed_line(error)),
        (Some(Value::String(body)), _) => provider::read(Wire::OpenAi, status, body),
        (Some(body), _) => read_value(Wire::OpenAi, status, body.clone(), ""),
        (None, None) => read_value(Wire::OpenAi, status, json!({}), ""),
    };
    unless_error(answer, error)
}

/// The error that a line states beside its response: anything but `null`, nothing and an empty object.
fn said_error(value: &Value) -> Option<&Value> {
    value.get("error").filter(|error| match error {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    })
}

/// The status that a line states next to its response, where it is no success: a text that says what failed, or
/// `{"code", "message"}`.
fn said_status(value: &Value) -> Option<&Value> {
    value.get("status").filter(|status| match status {
        Value::String(text) => !text.trim().is_empty() && !text.eq_ignore_ascii_case("ok"),
        Value::Object(fields) => fields.get("code").is_some_and(|code| *code != json!(0)),
        _ => false,
    })
}

/// An answer, or what its line says went wrong: nobody can tell what a reply beside an error is.
fn unless_error(answer: Answer, error: Option<&Value>) -> Answer {
    match (answer, error) {
        (Answer::Reply { .. }, Some(error)) => Answer::Failed(failed_line(error)),
        (answer, _) => answer,
    }
}

/// `{"type": "succeeded", "message"}`, or `errored` with an error, `canceled`, `expired`: Anthropic's Message Batches API.
fn anthropic_result(result: &Value) -> Answer {
    let kind = result.get("type").and_then(Value::as_str);
    let is_success = kind.is_none_or(|kind| kind.eq_ignore_ascii_case("succeeded"));
    let message = result.get("message").filter(|message| message.is_object());
    let error = said_error(result);
    if let Some(message) = message.filter(|_| is_success) {
        // The error is wrapped as the API wraps it: `{"type": "error", "error": {…}}`.
        let error = error.map(|error| error.get("error").unwrap_or(error));
        let answer = read_value(Wire::Anthropic, 200, message.clone(), "");
        return unless_error(answer, error);
    }
    if let Some(error) = error {
        return Answer::Failed(failed_line(error.get("error").unwrap_or(error)));
    }
    let other;
    let (kind, why) = match kind {
        Some("expired") => (
            FailureKind::Timeout,
            "The batch expired before this request.",
        ),
        Some("canceled") => (
            FailureKind::Server,
            "The batch was canceled before this request.",
        ),
        Some(kind) if message.is_some() => {
            other = format!("Expected the type succeeded, found {kind}.");
            (FailureKind::Server, other.as_str())
        }
        _ => (
            FailureKind::Server,
            "The line has neither a message nor an error.",
        ),
    };
    Answer::Failed(Failure::new(kind, why))
}

/// `{"key", "response"}`, or `error` or `status` in its place; a reply beside an error is none.
fn gemini_result(value: &Value) -> Answer {
    let error = said_error(value).or_else(|| said_status(value));
    if let Some(response) = value.get("response").filter(|response| !response.is_null()) {
        let answer = read_value(Wire::Gemini, 200, response.clone(), "");
        return unless_error(answer, error);
    }
    let error = error.or_else(|| value.get("status"));
    Answer::Failed(failed_line(error.unwrap_or(&Value::Null)))
}

/// Seconds since the beginning of 1970 as ISO 8601: `1767268800` as `2026-01-01T12:00:00Z`.
///
/// The day by Howard Hinnant's `civil_from_days`, in eras of 400 years that begin with March.
pub fn utc(secs: u64) -> String {
    let (days, of_day) = (secs / 86_400 + 719_468, secs % 86_400);
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The error of a line that got no answer: `batch_expired`, `{"code": 13, "message": "…"}`, a plain text.
fn failed_line(error: &Value) -> Failure {
    let part = |key: &str| match error.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let code = part("code");
    let message = match error {
        Value::Null => "The line has neither a response nor an error.".to_owned(),
        Value::String(text) => text.clone(),
        _ => part("message"),
    };
    let kind = match code.as_str() {
        "request_timeout" | "batch_expired" | "4" => FailureKind::Timeout,
        "" | "batch_cancelled" => FailureKind::Server,
        _ => match read_value(Wire::OpenAi, 500, json!({ "error": error }), "") {
            Answer::Failed(failure) => failure.kind,
            Answer::Reply { .. } => FailureKind::Server,
        },
    };
    let message = match (code.as_str(), message.as_str()) {
        ("", message) => message.to_owned(),
        (code, "") => code.to_owned(),
        (code, message) => format!("{code}: {message}"),
    };
    Failure::new(kind, &message)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn id() -> LineId {
        LineId {
            protocol: "weave".to_owned(),
            prompts: "0123456789abcdef".to_owned(),
            request: "ab".repeat(32),
            run: 2,
            judge: "Qwen/Qwen3-VL".to_owned(),
            model: "modèle 1%/x".to_owned(),
            sample: "15".to_owned(),
            turn: 3,
            criterion: "key_point".to_owned(),
        }
    }

    #[test]
    fn an_id_is_read_back_whatever_is_in_it() {
        let text = id().encode();
        assert!(text.is_ascii() && text.split('/').count() == 9, "{text}");
        assert_eq!(LineId::decode(&text), Some(id()));
        let without_judge = LineId {
            judge: String::new(),
            request: String::new(),
            ..id()
        };
        assert_eq!(LineId::decode(&without_judge.encode()), Some(without_judge));
    }

    #[test]
    fn what_is_not_our_id_is_not_read_as_one() {
        let text = id().encode();
        for other in [
            "request-1",
            "",
            &text.replace("juror1", "juror9"),
            &text.replace("/2/", "/0/"),
            &text.replace("%2F", "%2"),
            &text[..text.len() / 2],
            &format!("{text}/more"),
        ] {
            assert_eq!(LineId::decode(other), None, "{other}");
        }
    }

    #[test]
    fn lines_are_dealt_out_by_number_and_by_bytes() {
        let place = |mut split: Split, sizes: &[u64]| -> Vec<u32> {
            sizes
                .iter()
                .map(|bytes| split.place(*bytes).unwrap())
                .collect()
        };
        assert_eq!(
            place(Split::with_limits(2, 100), &[1, 1, 1, 1, 1]),
            [1, 1, 2, 2, 3]
        );
        assert_eq!(
            place(Split::with_limits(9, 100), &[60, 40, 1, 100, 1]),
            [1, 1, 2, 3, 4]
        );
        assert!(Split::with_limits(9, 100).place(101).is_err());
        let mut split = Split::new(Engine::OpenAi);
        let files: Vec<u32> = (0..100_001).map(|_| split.place(1).unwrap()).collect();
        assert_eq!([files[49_999], files[50_000], files[100_000]], [1, 2, 3]);
    }

    fn result(line: &Value) -> Record {
        match read_line(line) {
            Line::Result(record) => *record,
            other => panic!("expected a result, found {other:?}"),
        }
    }

    #[test]
    fn results_of_anthropic_and_of_the_responses_api_are_read() {
        let anthropic =
            |found: Value| result(&json!({"custom_id": id().encode(), "result": found}));
        let ok = anthropic(
            json!({"type": "succeeded", "message": {"model": "claude", "content": [{"type": "text", "text": "7"}], "stop_reason": "end_turn", "usage": {}}}),
        );
        assert_eq!(
            (ok.reply.as_str(), ok.error, ok.answered_by.as_deref()),
            ("7", None, Some("claude"))
        );
        let cut = anthropic(
            json!({"type": "succeeded", "message": {"content": [{"type": "text", "text": "7"}], "stop_reason": "max_tokens", "usage": {}}}),
        );
        assert!(cut.error.unwrap().starts_with("cut_off: "));
        let errored = anthropic(
            json!({"type": "errored", "error": {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}}),
        );
        assert!(errored.error.unwrap().contains("Overloaded"));
        assert!(
            anthropic(json!({"type": "expired"}))
                .error
                .unwrap()
                .starts_with("timeout: ")
        );
        let responses = |body: Value| {
            result(
                &json!({"custom_id": id().encode(), "response": {"status_code": 200, "body": body}, "error": null}),
            )
        };
        let output = json!([{"type": "reasoning", "summary": []}, {"type": "message", "content": [{"type": "output_text", "text": "8"}]}]);
        let ok = responses(
            json!({"object": "response", "status": "completed", "model": "gpt", "created_at": 1_767_268_800, "output": output.clone(), "error": null}),
        );
        assert_eq!(
            (ok.reply.as_str(), ok.time.as_str()),
            ("8", "2026-01-01T12:00:00Z")
        );
        let cut = responses(
            json!({"object": "response", "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": output}),
        );
        assert!(cut.error.unwrap().contains("max_output_tokens"));
    }

    #[test]
    fn a_reply_beside_an_error_is_none_whichever_engine_wrote_the_line() {
        let custom_id = id().encode();
        let message = json!({"content": [{"type": "text", "text": "7"}], "stop_reason": "end_turn", "usage": {}});
        let anthropic = |kind: &str| {
            result(
                &json!({"custom_id": custom_id, "result": {"type": kind, "message": message.clone()}}),
            )
        };
        assert!(anthropic("errored").error.unwrap().contains("errored"));
        assert!(anthropic("expired").error.unwrap().contains("expired"));
        assert!(anthropic("canceled").error.unwrap().contains("canceled"));
        assert_eq!(
            (anthropic("succeeded").reply, anthropic("succeeded").error),
            ("7".to_owned(), None)
        );
        let body = json!({"choices": [{"message": {"content": "7"}, "finish_reason": "stop"}]});
        let openai = |error: Value| {
            result(
                &json!({"custom_id": custom_id, "response": {"status_code": 200, "body": body.clone()}, "error": error}),
            )
        };
        let failed = openai(json!({"code": "x", "message": "expired"}));
        assert!(failed.error.unwrap().contains("x: expired"));
        let gemini = |beside: Value| {
            let response = json!({"candidates": [{"content": {"parts": [{"text": "7"}]}, "finishReason": "STOP"}]});
            let mut line = json!({"key": custom_id, "response": response});
            line.as_object_mut()
                .unwrap()
                .extend(beside.as_object().unwrap().clone());
            result(&line)
        };
        assert!(
            gemini(json!({"error": {"code": 13, "message": "Internal"}}))
                .error
                .is_some()
        );
        assert!(
            gemini(json!({"status": "RESOURCE_EXHAUSTED"}))
                .error
                .is_some()
        );
        // No error by any other name.
        for none in [json!(null), json!(""), json!({})] {
            assert_eq!(openai(none).reply, "7");
        }
        for none in [
            json!({}),
            json!({"status": ""}),
            json!({"status": {"code": 0}}),
            json!({"error": null}),
        ] {
            assert_eq!(gemini(none).reply, "7");
        }
    }

    #[test]
    fn a_result_without_an_id_is_said_to_be_one() {
        let vertex =
            json!({"status": "", "request": {"contents": []}, "response": {"candidates": []}});
        assert_eq!(read_line(&vertex), Line::Nameless);
        assert_eq!(read_line(&json!({"request": {}})), Line::Other);
    }

    #[test]
    fn seconds_become_dates_across_leap_days_and_the_end_of_a_year() {
        for (secs, time) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (1_798_761_600, "2027-01-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc(secs), time);
        }
    }

    #[test]
    fn results_become_records_with_the_raw_reply_or_the_error() {
        let custom_id = id().encode();
        let body = json!({"id": "c", "object": "chat.completion", "model": "m-2026", "created": 1_767_268_800, "choices": [{"index": 0, "message": {"role": "assistant", "content": " {\"score\": 7}\n"}, "finish_reason": "stop"}]});
        let ok = result(
            &json!({"id": "batch_req_1", "custom_id": custom_id, "response": {"status_code": 200, "request_id": "r", "body": body}, "error": null}),
        );
        assert_eq!(
            (ok.reply.as_str(), ok.error.as_deref()),
            (" {\"score\": 7}\n", None)
        );
        assert_eq!((ok.model.as_str(), ok.run, ok.turn), ("modèle 1%/x", 2, 3));
        assert_eq!(ok.request, Some("ab".repeat(32)));
        assert_eq!(
            (ok.answered_by.as_deref(), ok.time.as_str()),
            (Some("m-2026"), "2026-01-01T12:00:00Z")
        );
        let error = |line: Value| {
            let record = result(&line);
            assert_eq!(record.reply, "");
            record.error.unwrap()
        };
        assert_eq!(
            error(
                json!({"custom_id": custom_id, "response": null, "error": {"code": "batch_expired", "message": "This request could not be executed before the completion window expired."}})
            ),
            "timeout: batch_expired: This request could not be executed before the completion window expired."
        );
        assert_eq!(
            error(
                json!({"custom_id": custom_id, "response": {"status_code": 400, "body": {"error": {"message": "Bad image", "type": "invalid_request_error", "code": null}}}, "error": null})
            ),
            "bad_request: Bad image"
        );
        // vLLM's line for a request that its server refused.
        assert_eq!(
            error(
                json!({"id": "vllm-1", "custom_id": custom_id, "response": {"status_code": 400, "request_id": "r", "body": {"error": {"message": "At most 4 images may be provided", "type": "BadRequestError", "param": null, "code": 400}}}, "error": null})
            ),
            "bad_request: At most 4 images may be provided"
        );
        assert_eq!(
            error(json!({"custom_id": custom_id, "response": null, "error": "out of memory"})),
            "server: out of memory"
        );
        assert!(error(json!({"custom_id": custom_id, "response": {"status_code": 200, "body": {"choices": [{"message": {"content": ""}}]}}})).starts_with("empty: "));
    }

    #[test]
    fn gemini_results_become_records() {
        let key = id().encode();
        let response = json!({"candidates": [{"content": {"parts": [{"text": "7"}], "role": "model"}, "finishReason": "STOP"}]});
        assert_eq!(
            result(&json!({"key": key, "response": response})).reply,
            "7"
        );
        assert_eq!(
            result(&json!({"metadata": {"key": key}, "response": response})).reply,
            "7"
        );
        let blocked =
            json!({"key": key, "response": {"promptFeedback": {"blockReason": "SAFETY"}}});
        assert!(
            result(&blocked)
                .error
                .unwrap()
                .starts_with("content_filter: ")
        );
        let error = json!({"key": key, "error": {"code": 13, "message": "Internal"}});
        assert_eq!(result(&error).error.unwrap(), "server: 13: Internal");
        let status = json!({"key": key, "status": {"code": 4, "message": "Deadline"}});
        assert_eq!(result(&status).error.unwrap(), "timeout: 4: Deadline");
    }

    #[test]
    fn an_outcome_of_any_request_is_its_answer_or_why_there_is_none() {
        let answer = |line: Value| outcome(&line).unwrap().answer;
        let body = json!({"created": 1_767_268_800, "data": []});
        let ok = json!({"custom_id": "a", "response": {"status_code": 200, "body": body}, "error": null});
        let found = outcome(&ok).unwrap();
        assert_eq!(found.time.as_deref(), Some("2026-01-01T12:00:00Z"));
        assert_eq!(found.answer, Ok((200, body.to_string())));
        let refused =
            json!({"custom_id": "a", "response": {"status_code": 400, "body": {"error": {}}}});
        assert_eq!(answer(refused).unwrap().0, 400);
        let expired = json!({"custom_id": "a", "response": null, "error": {"code": "batch_expired", "message": "Late."}});
        assert_eq!(answer(expired).unwrap_err().kind, FailureKind::Timeout);
        let beside = json!({"custom_id": "a", "response": {"status_code": 200, "body": {}}, "error": {"code": "x"}});
        assert!(answer(beside).is_err());
        let response = json!({"candidates": []});
        for line in [
            json!({"key": "a", "response": response}),
            json!({"metadata": {"key": "a"}, "response": response}),
        ] {
            assert_eq!(answer(line), Ok((200, response.to_string())));
        }
        let status = json!({"key": "a", "status": {"code": 4, "message": "Deadline"}});
        assert_eq!(answer(status).unwrap_err().kind, FailureKind::Timeout);
        let request = json!({"key": "a", "request": {}});
        assert_eq!(outcome(&request), Err(NoOutcome::Request));
        assert_eq!(outcome(&json!({"response": {}})), Err(NoOutcome::Other));
    }

    #[test]
    fn requests_and_foreign_lines_are_no_results() {
        let content = [Content::Text("Judge.")];
        let params = Params {
            model: "m".to_owned(),
            ..Params::default()
        };
        for engine in [Engine::OpenAi, Engine::Vllm, Engine::Gemini] {
            let line = line(engine, &id(), &params, None, &content);
            assert_eq!(line.matches('\n').count(), 1);
            assert_eq!(
                read_line(&serde_json::from_str(&line).unwrap()),
                Line::Request
            );
        }
        let foreign =
            json!({"custom_id": "request-1", "response": {"status_code": 200, "body": {}}});
        assert_eq!(read_line(&foreign), Line::Unknown("request-1".to_owned()));
        assert_eq!(read_line(&json!({"key": "a", "status": "ok"})), Line::Other);
        assert_eq!(read_line(&json!({"format": journal::FORMAT})), Line::Other);
    }
}
