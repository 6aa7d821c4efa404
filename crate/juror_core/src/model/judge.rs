//! How a judge is named and asked: its wire format, model and parameters.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::error::Error;

/// How a provider is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum Wire {
    /// Chat completions as OpenAI defined them: OpenAI, OpenRouter, vLLM, LM Studio, Ollama and others by their address.
    #[serde(rename = "openai")]
    OpenAi,
    /// Anthropic's messages.
    #[serde(rename = "anthropic")]
    Anthropic,
    /// Gemini's `generateContent`.
    #[serde(rename = "gemini")]
    Gemini,
}

impl Wire {
    /// Every wire, in display order.
    pub const ALL: [Self; 3] = [Self::OpenAi, Self::Anthropic, Self::Gemini];

    /// Stable name.
    pub fn id(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// The provider's own address.
    pub fn default_base(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com/v1",
            Self::Gemini => "https://generativelanguage.googleapis.com/v1beta",
        }
    }

    /// Keys of the body that the request itself fills; [`Params::extra`] cannot change them.
    pub(crate) fn own_keys(self) -> &'static [&'static str] {
        match self {
            Self::OpenAi => &["model", "messages", "stream", "n"],
            Self::Anthropic => &["model", "messages", "system", "stream"],
            Self::Gemini => &[
                "model",
                "contents",
                "systemInstruction",
                "system_instruction",
            ],
        }
    }
}

/// Which model judges, and with which parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// The provider's name of the model.
    pub model: String,
    /// `None` leaves the provider's default, which most protocols do.
    #[serde(default)]
    pub temperature: Option<f64>,
    /// Most tokens of the reply; `None` leaves the provider's default.
    /// Anthropic has none and is sent [`ANTHROPIC_MAX_TOKENS`].
    #[serde(default)]
    pub max_tokens: Option<u32>,
    /// Further parameters by the provider's names, at the top level of the body: `{"max_completion_tokens": 8192}`.
    /// For Gemini they go into `generationConfig`, unless the name is one of the top level.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub extra: Map<String, Value>,
}

/// What Anthropic's required `max_tokens` is where the user set none.
pub const ANTHROPIC_MAX_TOKENS: u32 = 4096;

impl Params {
    /// What a parameter would break: those that the request itself fills cannot be set.
    pub fn check(&self, wire: Wire) -> Result<(), Error> {
        self.check_against(wire.own_keys())
    }

    pub(crate) fn check_against(&self, own: &[&str]) -> Result<(), Error> {
        if self.model.trim().is_empty() {
            let message = "Expected the name of a model, found none.";
            return Err(Error::Parameters(message.to_owned()));
        }
        match self.extra.keys().find(|key| own.contains(&key.as_str())) {
            Some(key) => Err(Error::Parameters(format!(
                "{key} is filled by Juror and cannot be an extra parameter."
            ))),
            None => Ok(()),
        }
    }
}

/// A judge that a protocol names, ready to be used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JudgePreset {
    /// Judge id, as in replies and reports: `gemini`.
    pub id: String,
    /// What it is: `GPT-5 (2025-08-07)`.
    pub label: String,
    /// How it is spoken to.
    pub wire: Wire,
    /// Model and parameters, as the protocol has them.
    pub params: Params,
    /// What is to be known of it; empty if nothing is.
    pub note: String,
}

impl JudgePreset {
    /// A judge without parameters or note.
    pub(crate) fn new(id: &str, label: &str, wire: Wire, model: &str) -> Self {
        Self {
            id: id.to_owned(),
            label: label.to_owned(),
            wire,
            params: Params {
                model: model.to_owned(),
                ..Params::default()
            },
            note: String::new(),
        }
    }

    /// Whether this is the judge that a user names: by its id, or as the service calls its model.
    pub fn is_called(&self, name: &str) -> bool {
        self.id == name || self.params.model == name
    }

    pub(crate) fn temperature(mut self, temperature: f64) -> Self {
        self.params.temperature = Some(temperature);
        self
    }

    pub(crate) fn max_tokens(mut self, max_tokens: u32) -> Self {
        self.params.max_tokens = Some(max_tokens);
        self
    }

    pub(crate) fn extra(mut self, key: &str, value: impl Serialize) -> Self {
        self.params.extra.insert(key.to_owned(), json!(value));
        self
    }

    pub(crate) fn note(mut self, note: &str) -> Self {
        note.clone_into(&mut self.note);
        self
    }
}
