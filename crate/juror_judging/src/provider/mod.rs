//! The three wire formats that judges are asked in: what is sent where, and what an answer means.
//!
//! Nothing here does I/O, and no key ever comes here: [`auth`] only says how the host adds it.
//! The shapes are those of the providers' references: OpenAI "Create chat completion", Anthropic "Create a Message",
//! Gemini "models.generateContent".

use serde::Serialize;
use serde_json::{Map, Value, json};

use juror_model::judge::{ANTHROPIC_MAX_TOKENS, Params, Wire};
use juror_statistics::small::{CollectSmall, SortSmall};

mod answer;
mod chat;
mod cut;
mod failure;
mod limits;
mod picture;
mod received;
mod sent;
mod stream;
mod takes;
mod usage;

pub(crate) use answer::read_value;
pub use answer::{Answer, ended_early, read};
pub use chat::{chat_of, read_whole_or_cut};
pub use failure::{DECLINES, Failure, FailureKind, redact, wait_secs};
pub use limits::{Limits, check_picture_size, check_size, limits, picture_limits};
pub use picture::{
    Message, Payload, PictureAnswer, PictureWire, payload, payload_of, picture_auth, picture_url,
    read_picture,
};
pub use received::{text_of, unanswered};
pub use sent::{as_sent, is_limit};
pub use takes::takes;
pub use usage::{Usage, usage};

/// The most tokens of a reply that a request allows; `None` where the service decides.
///
/// ```
/// use juror_judging::provider::most_reply_tokens;
/// use juror_model::judge::{Params, Wire};
/// let none = Params { model: "m".to_owned(), ..Params::default() };
/// assert_eq!(most_reply_tokens(Wire::OpenAi, &none), None);
/// assert_eq!(most_reply_tokens(Wire::Anthropic, &none), Some(4096.0));
/// ```
pub fn most_reply_tokens(wire: Wire, params: &Params) -> Option<f64> {
    let params = &as_sent(wire, params);
    let limits = params.extra.iter().filter(|(name, _)| is_limit(name));
    let extra = limits.filter_map(|(_, limit)| limit.as_f64());
    let inner = params.extra.get("generationConfig");
    let inner = inner.and_then(|config| config.get("maxOutputTokens")?.as_f64());
    let own = params.max_tokens.map(f64::from);
    let default = (wire == Wire::Anthropic).then_some(f64::from(ANTHROPIC_MAX_TOKENS));
    // Which of several a service heeds is its own business: the largest is safe.
    let given = extra.chain(inner).chain(own).reduce(f64::max);
    given.filter(|tokens| *tokens >= 0.0).or(default)
}

/// One part of what a judge is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// Text, verbatim.
    Text(&'a str),
    /// A picture inside the request. The text goes in as it is, so a host may put a mark there and replace it later.
    Image {
        /// `image/png`, `image/jpeg`, …
        media_type: &'a str,
        /// The bytes in base64.
        base64: &'a str,
    },
    /// A picture at an address that the provider reads itself.
    ImageUrl(&'a str),
}

/// The body of a request, its keys in the order of their names at every level.
pub fn body(wire: Wire, params: &Params, system: Option<&str>, content: &[Content<'_>]) -> Value {
    let params = &as_sent(wire, params);
    let mut body = match wire {
        Wire::OpenAi => openai(params, system, content),
        Wire::Anthropic => anthropic(params, system, content),
        Wire::Gemini => gemini(params, system, content),
    };
    for (key, value) in &params.extra {
        let is_free = !wire.own_keys().contains(&key.as_str());
        if is_free && (wire != Wire::Gemini || is_gemini_top(key)) {
            merge(&mut body, key, value);
        }
    }
    sorted(Value::Object(body))
}

fn openai(params: &Params, system: Option<&str>, content: &[Content<'_>]) -> Map<String, Value> {
    let parts: Vec<Value> = content
        .iter()
        .filter(|part| **part != Content::Text(""))
        .map(|part| match part {
            Content::Text(text) => json!({"type": "text", "text": text}),
            Content::Image { media_type, base64 } => {
                let url = format!("data:{media_type};base64,{base64}");
                json!({"type": "image_url", "image_url": {"url": url}})
            }
            Content::ImageUrl(url) => json!({"type": "image_url", "image_url": {"url": url}}),
        })
        .collect();
    let mut messages = Vec::new();
    if let Some(system) = system {
        messages.push(json!({"role": "system", "content": system}));
    }
    messages.push(json!({"role": "user", "content": parts}));
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(params.model));
    body.insert("messages".to_owned(), Value::Array(messages));
    insert(&mut body, "temperature", params.temperature);
    insert(&mut body, "max_tokens", params.max_tokens);
    body
}

fn anthropic(params: &Params, system: Option<&str>, content: &[Content<'_>]) -> Map<String, Value> {
    let parts: Vec<Value> = content
        .iter()
        // A text block without a visible letter is an error there.
        .filter(|part| !matches!(part, Content::Text(text) if text.trim().is_empty()))
        .map(|part| match part {
            Content::Text(text) => json!({"type": "text", "text": text}),
            Content::Image { media_type, base64 } => json!({
                "type": "image",
                "source": {"type": "base64", "media_type": media_type, "data": base64}
            }),
            Content::ImageUrl(url) => {
                json!({"type": "image", "source": {"type": "url", "url": url}})
            }
        })
        .collect();
    let max_tokens = params.max_tokens.unwrap_or(ANTHROPIC_MAX_TOKENS);
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(params.model));
    body.insert("max_tokens".to_owned(), json!(max_tokens));
    insert(&mut body, "system", system);
    let messages = json!([{"role": "user", "content": parts}]);
    body.insert("messages".to_owned(), messages);
    insert(&mut body, "temperature", params.temperature);
    body
}

fn gemini(params: &Params, system: Option<&str>, content: &[Content<'_>]) -> Map<String, Value> {
    let parts: Vec<Value> = content
        .iter()
        .filter(|part| **part != Content::Text(""))
        .map(|part| match part {
            Content::Text(text) => json!({"text": text}),
            Content::Image { media_type, base64 } => {
                json!({"inlineData": {"mimeType": media_type, "data": base64}})
            }
            Content::ImageUrl(url) => {
                json!({"fileData": {"mimeType": media_type_of(url), "fileUri": url}})
            }
        })
        .collect();
    let mut config = Map::new();
    insert(&mut config, "temperature", params.temperature);
    insert(&mut config, "maxOutputTokens", params.max_tokens);
    for (key, value) in &params.extra {
        if !is_gemini_top(key) && !Wire::Gemini.own_keys().contains(&key.as_str()) {
            config.insert(key.clone(), value.clone());
        }
    }
    let mut body = Map::new();
    let contents = json!([{"role": "user", "parts": parts}]);
    body.insert("contents".to_owned(), contents);
    if let Some(system) = system {
        let instruction = json!({"parts": [{"text": system}]});
        body.insert("systemInstruction".to_owned(), instruction);
    }
    if !config.is_empty() {
        body.insert("generationConfig".to_owned(), Value::Object(config));
    }
    body
}

/// Fields of a `GenerateContentRequest` beside those that the request itself fills; everything else is configuration.
fn is_gemini_top(key: &str) -> bool {
    matches!(
        key,
        "generationConfig"
            | "safetySettings"
            | "tools"
            | "toolConfig"
            | "cachedContent"
            | "labels"
            | "serviceTier"
            | "store"
    )
}

/// The media type that an address's ending tells; PNG where it tells none.
pub fn media_type_of(url: &str) -> &'static str {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending.to_ascii_lowercase().as_str() {
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "gif" => "image/gif",
        "bmp" => "image/bmp",
        _ => "image/png",
    }
}

fn insert(body: &mut Map<String, Value>, key: &str, value: Option<impl Serialize>) {
    if let Some(value) = value {
        body.insert(key.to_owned(), json!(value));
    }
}

/// Sets a key; of two objects the later one's keys are added, so that one setting does not wipe out the others.
fn merge(body: &mut Map<String, Value>, key: &str, value: &Value) {
    match (body.get_mut(key), value) {
        (Some(Value::Object(known)), Value::Object(more)) => {
            known.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        _ => {
            body.insert(key.to_owned(), value.clone());
        }
    }
}

/// The same value with every object's keys in order, whatever map `serde_json` was built with.
pub(crate) fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(String, Value)> = map.into_iter().collect();
            entries.sort_small_by(|a, b| a.0.cmp(&b.0));
            let entries = entries.into_iter();
            Value::Object(
                entries
                    .map(|(key, value)| (key, sorted(value)))
                    .collect_small(),
            )
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        plain => plain,
    }
}

/// The address that requests are posted to.
///
/// `base` may be empty for the provider's own, end in slashes, lack the version (`http://localhost:11434`), lack the
/// scheme, or be the whole address; a query such as `?api-version=…` stays at the end.
///
/// ```
/// use juror_judging::provider::url;
/// use juror_model::judge::Wire;
/// assert_eq!(url(Wire::OpenAi, "http://localhost:11434/", "qwen"), "http://localhost:11434/v1/chat/completions");
/// assert_eq!(url(Wire::OpenAi, "https://openrouter.ai/api/v1", "m"), "https://openrouter.ai/api/v1/chat/completions");
/// ```
pub fn url(wire: Wire, base: &str, model: &str) -> String {
    let (version, method) = match wire {
        Wire::OpenAi => ("v1", "chat/completions".to_owned()),
        Wire::Anthropic => ("v1", "messages".to_owned()),
        Wire::Gemini => ("v1beta", format!("{}:generateContent", gemini_model(model))),
    };
    address(wire, base, version, &method)
}

/// The address of a method at a base that may be written in many ways.
fn address(wire: Wire, base: &str, version: &str, method: &str) -> String {
    let base = match base.trim() {
        "" => wire.default_base(),
        given => given,
    };
    let (address, query) = match base.split_once('?') {
        Some((address, query)) => (address, format!("?{query}")),
        None => (base, String::new()),
    };
    let address = with_scheme(address.trim_end_matches('/'));
    if address.ends_with(&format!("/{method}")) {
        return address + &query;
    }
    let path = address.split_once("://").map_or("", |(_, rest)| rest);
    let has_version = path.split('/').skip(1).any(is_version);
    if has_version {
        format!("{address}/{method}{query}")
    } else {
        format!("{address}/{version}/{method}{query}")
    }
}

/// `v1`, `v1beta`, `v4`.
fn is_version(segment: &str) -> bool {
    let digits = segment.strip_prefix('v').unwrap_or("");
    digits.starts_with(|c: char| c.is_ascii_digit())
}

/// Addresses of the own machine and network are plain HTTP, others HTTPS.
fn with_scheme(address: &str) -> String {
    if address.contains("://") {
        return address.to_owned();
    }
    let near = ["localhost", "127.", "[::1]", "0.0.0.0", "10.", "192.168."];
    let is_near = near.iter().any(|host| address.starts_with(host));
    let scheme = if is_near { "http" } else { "https" };
    format!("{scheme}://{address}")
}

/// `models/gemini-2.5-flash`, with or without the folder given.
fn gemini_model(model: &str) -> String {
    let name = model.trim().trim_matches('/');
    let path = if name.contains('/') {
        name.to_owned()
    } else {
        format!("models/{name}")
    };
    let segments: Vec<String> = path.split('/').map(super::percent_encode).collect();
    segments.join("/")
}

/// How a key goes into a request; the key itself is added by the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Auth {
    /// Header that carries the key. It is left out where there is no key, as for a local server.
    pub header: &'static str,
    /// What stands before the key in it: `Bearer ` or nothing.
    pub prefix: &'static str,
    /// Headers that go along with every request, as name and value.
    pub fixed: &'static [(&'static str, &'static str)],
}

/// The headers of a wire.
pub fn auth(wire: Wire) -> Auth {
    match wire {
        Wire::OpenAi => Auth {
            header: "Authorization",
            prefix: "Bearer ",
            fixed: &[("content-type", "application/json")],
        },
        Wire::Anthropic => Auth {
            header: "x-api-key",
            prefix: "",
            fixed: &[
                ("content-type", "application/json"),
                ("anthropic-version", "2023-06-01"),
                ("anthropic-dangerous-direct-browser-access", "true"),
            ],
        },
        Wire::Gemini => Auth {
            header: "x-goog-api-key",
            prefix: "",
            fixed: &[("content-type", "application/json")],
        },
    }
}

#[cfg(test)]
mod tests;
