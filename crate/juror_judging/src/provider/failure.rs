//! Why a call brought no reply: in kinds that a run can act on, in words that hold no key.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The longest message, in characters.
const MAX_MESSAGE_CHARS: usize = 300;

/// What kind of failure a call ended in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The key is wrong, or may not do this.
    BadKey,
    /// The account has nothing left to spend, or the day's share is used up.
    Quota,
    /// Too many requests at once.
    RateLimited,
    /// The server failed.
    Server,
    /// There is no such model or address.
    NotFound,
    /// The server does not take the request as it is.
    BadRequest,
    /// The request is too large.
    TooLarge,
    /// The judge declines to answer.
    Refused,
    /// The provider's filter stopped the request or the reply.
    ContentFilter,
    /// The reply was cut off, mostly by a limit of tokens.
    CutOff,
    /// An answer without text.
    Empty,
    /// Something else than the answer of this wire: a web page, half an answer, another shape.
    NotJson,
    /// What came as a picture is none, or breaks off.
    BadPicture,
    /// The picture lies at a host that the user did not name.
    UnnamedHost,
    /// No answer arrived at all.
    Network,
    /// The answer took too long.
    Timeout,
}

/// The failures by which a service declines a request: the same one is not worth asking again of itself.
pub const DECLINES: [FailureKind; 4] = [
    FailureKind::Refused,
    FailureKind::ContentFilter,
    FailureKind::Empty,
    FailureKind::CutOff,
];

impl FailureKind {
    /// Stable name.
    pub fn id(self) -> &'static str {
        match self {
            Self::BadKey => "bad_key",
            Self::Quota => "quota",
            Self::RateLimited => "rate_limited",
            Self::Server => "server",
            Self::NotFound => "not_found",
            Self::BadRequest => "bad_request",
            Self::TooLarge => "too_large",
            Self::Refused => "refused",
            Self::ContentFilter => "content_filter",
            Self::CutOff => "cut_off",
            Self::Empty => "empty",
            Self::NotJson => "not_json",
            Self::BadPicture => "bad_picture",
            Self::UnnamedHost => "unnamed_host",
            Self::Network => "network",
            Self::Timeout => "timeout",
        }
    }

    /// Whether the same request may succeed later.
    pub fn retries(self) -> bool {
        match self {
            Self::RateLimited
            | Self::Server
            | Self::Empty
            | Self::NotJson
            | Self::BadPicture
            | Self::Network
            | Self::Timeout => true,
            Self::BadKey
            | Self::Quota
            | Self::UnnamedHost
            | Self::NotFound
            | Self::BadRequest
            | Self::TooLarge
            | Self::Refused
            | Self::ContentFilter
            | Self::CutOff => false,
        }
    }

    /// Whether every other request would fail in the same way.
    pub fn stops_the_run(self) -> bool {
        matches!(self, Self::BadKey | Self::Quota | Self::UnnamedHost)
    }

    /// What to do about it.
    pub fn hint(self) -> &'static str {
        match self {
            Self::BadKey => {
                "Check that the key is complete, belongs to this provider, and may use this model."
            }
            Self::Quota => {
                "Check the balance and the limits of the account; then go on with the rest of the run."
            }
            Self::RateLimited => {
                "Send fewer requests at once or per minute; the run waits and tries again."
            }
            Self::Server => "The provider has trouble; the run waits and tries again.",
            Self::NotFound => "Check the name of the model and the address of the server.",
            Self::BadRequest => {
                "Check the parameters: this model or server does not take one of them."
            }
            Self::TooLarge => {
                "Choose a judge that takes larger requests; sending smaller pictures would be another protocol."
            }
            Self::Refused => {
                "The judge declines this request; read it, and ask another judge if need be."
            }
            Self::ContentFilter => {
                "The provider's filter stopped this; look at its safety settings or ask another judge."
            }
            Self::CutOff => {
                "Raise the limit of tokens (max_tokens) and ask again: half a reply is never scored."
            }
            Self::Empty => {
                "Raise the limit of tokens: a model that thinks first may use it up before it writes."
            }
            Self::NotJson => {
                "Check that the address and the kind of server are right, and that no proxy is in between."
            }
            Self::BadPicture => "Look at what the service answers; the run tries again.",
            Self::UnnamedHost => {
                "Name the host among those that pictures may be fetched from, or ask the service for pictures inside its answers (b64_json)."
            }
            Self::Network => {
                "Check the connection and the address; then whether the server allows calls from this page (CORS: OLLAMA_ORIGINS, lms server start --cors), and that an https page calls no plain http server elsewhere."
            }
            Self::Timeout => "Allow more time or send fewer requests at once; the run tries again.",
        }
    }
}

/// Why a call brought no reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Failure {
    /// What kind.
    pub kind: FailureKind,
    /// What the server or the host says, cut short, without anything that looks like a key.
    pub message: String,
}

impl Failure {
    /// A failure whose message is cleaned: [`redact`], one line, 300 characters.
    pub fn new(kind: FailureKind, message: &str) -> Self {
        let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
        let clean = redact(&line);
        let message = match clean.char_indices().nth(MAX_MESSAGE_CHARS) {
            Some(_) => {
                clean
                    .chars()
                    .take(MAX_MESSAGE_CHARS - 1)
                    .collect::<String>()
                    + "…"
            }
            None => clean,
        };
        Self { kind, message }
    }
}

/// What stands in the place of a key.
const REMOVED: &str = "[key removed]";

/// What announces a key, whatever it looks like; in lower case.
const ANNOUNCED: [&str; 8] = [
    "bearer ",
    "x-api-key: ",
    "x-goog-api-key: ",
    "api key provided: ",
    "api_key=",
    "apikey=",
    "key=",
    "access_token=",
];

/// How the keys of the well-known providers begin.
const BEGINNINGS: [&str; 9] = [
    "sk-", "sk_", "AIza", "gsk_", "hf_", "xai-", "pplx-", "fw_", "nvapi-",
];

/// A text without anything that looks like a key: what is announced as one, what begins like one, and long mixed runs
/// of letters and digits. Names of models stay, hashes do not.
///
/// ```
/// use juror_judging::provider::redact;
/// assert_eq!(redact("Incorrect API key provided: sk-abc***."), "Incorrect API key provided: [key removed].");
/// assert_eq!(redact("no model Qwen/Qwen3-VL-32B-Instruct"), "no model Qwen/Qwen3-VL-32B-Instruct");
/// ```
pub fn redact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if !is_key_char(first) {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let end = rest.find(|c| !is_key_char(c)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        // A full stop ends a sentence, not a key.
        let token = run.trim_end_matches(['.', '-']);
        let is_announced = {
            let start = out.len().saturating_sub(24);
            let start = (start..=out.len()).find(|at| out.is_char_boundary(*at));
            let before = out[start.unwrap_or(out.len())..].to_ascii_lowercase();
            ANNOUNCED.iter().any(|sign| before.ends_with(sign))
        };
        if is_announced && !token.is_empty() || looks_like_key(token) {
            out += REMOVED;
            out += &run[token.len()..];
        } else {
            out += run;
        }
        rest = after;
    }
    out
}

/// Letters that keys are written in, with the stars that some servers mask them by.
fn is_key_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '*' | '.' | '+' | '~')
}

fn looks_like_key(token: &str) -> bool {
    let begins = |start: &str| token.starts_with(start) && token.len() >= start.len() + 4;
    if BEGINNINGS.into_iter().any(begins) {
        return true;
    }
    let is_mixed = |run: &str| {
        run.contains(|c: char| c.is_ascii_digit())
            && run.contains(|c: char| c.is_ascii_alphabetic())
    };
    let has_long_piece = token
        .split(['-', '_', '.', '+', '~'])
        .any(|piece| piece.len() >= 20 && is_mixed(piece));
    has_long_piece || token.len() >= 36 && is_mixed(token) && !is_dotted(token)
}

/// Names of parameters and hosts: `image_url.detail`, `api.example.com`.
fn is_dotted(token: &str) -> bool {
    token.contains('.')
}

/// How many seconds a server asks to wait, where its answer's text says so: Gemini's `retryDelay`, OpenAI's
/// "try again in 1.5s".
///
/// ```
/// use juror_judging::provider::wait_secs;
/// assert_eq!(wait_secs(r#"{"error": {"message": "Please try again in 250ms."}}"#), Some(0.25));
/// assert_eq!(wait_secs("Slow down."), None);
/// ```
pub fn wait_secs(body: &str) -> Option<f64> {
    if let Ok(value) = serde_json::from_str::<Value>(body)
        && let Some(delay) = retry_delay(&value)
    {
        return Some(delay);
    }
    let (_, after) = body.split_once("try again in ")?;
    let end = after.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let number: f64 = after[..end].trim_end_matches('.').parse().ok()?;
    let unit = after[end..].trim_start();
    let factor = if unit.starts_with("ms") {
        0.001
    } else if unit.starts_with('m') {
        60.0
    } else {
        1.0
    };
    Some(number * factor)
}

/// `error.details[].retryDelay`, such as `34.07s`.
fn retry_delay(value: &Value) -> Option<f64> {
    let value = value.get(0).unwrap_or(value);
    let details = value.pointer("/error/details")?.as_array()?;
    let delay = details
        .iter()
        .find_map(|detail| detail.get("retryDelay")?.as_str())?;
    delay.strip_suffix('s')?.parse().ok()
}
