//! How a judge is named and asked: its wire format, model and parameters.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::error::Error;
use juror_statistics::small::SortSmall;

/// A judge whom a person named for files of replies that state none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JudgeName {
    /// Path of the file, or of a folder of such files.
    pub path: String,
    /// Judge id.
    pub judge: String,
}

/// Everybody who rated, as one judge.
pub const PEOPLE: &str = "people";
/// Before the name of one who rated, as a judge.
const PERSON: &str = "people:";

/// Who rated, as a judge.
pub fn person(rater: &str) -> String {
    format!("{PERSON}{rater}")
}

/// The name of one who rated, of them as a judge; `None` of everybody and of other judges.
pub fn rater_of(judge: &str) -> Option<&str> {
    judge.strip_prefix(PERSON)
}

/// Whether this judge is one who rated, or all of them. They are in the scores where they are chosen, and only there.
pub fn is_person(judge: &str) -> bool {
    judge == PEOPLE || judge.starts_with(PERSON)
}

/// Before a panel of judges.
const PANEL: &str = "panel:";
/// Between judges whose mean the protocol's own rule takes.
pub const AND: &str = " + ";

/// How the answers of a panel's judges become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum PanelRule {
    /// Each judge is scored, and the scores are averaged.
    Mean,
    /// The answers to each question are put in order, the one in the middle counts, and the protocol scores those.
    Median,
    /// The answer that most of them gave to each question counts, and the protocol scores those.
    Majority,
}

impl PanelRule {
    /// Every rule, in display order.
    pub const ALL: [Self; 3] = [Self::Mean, Self::Median, Self::Majority];

    /// Stable name.
    pub fn id(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Median => "median",
            Self::Majority => "majority",
        }
    }
}

/// Several judges together as one, named `panel:median(a,b,c)`.
///
/// In the name of a judge a comma, a closing parenthesis and a backslash have a backslash before them.
/// Of [`PEOPLE`] each one who rated is a judge of the panel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Panel {
    /// How their answers become one.
    pub rule: PanelRule,
    /// Who they are, in the order of the name, each once.
    pub judges: Vec<String>,
}

impl Panel {
    /// A panel of these judges, in the order of their names, each once: so one panel has one name.
    pub fn new(rule: PanelRule, mut judges: Vec<String>) -> Self {
        judges.sort_small();
        judges.dedup();
        Self { rule, judges }
    }

    /// The panel of this name; `None` where it names no panel, or one of nobody.
    ///
    /// ```
    /// use juror_model::judge::{Panel, PanelRule};
    ///
    /// let panel = Panel::named("panel:median(gpt,gemini)").unwrap();
    /// assert_eq!((panel.rule, panel.judges.len()), (PanelRule::Median, 2));
    /// assert_eq!(panel.name(), "panel:median(gemini,gpt)");
    /// assert!(Panel::named("panel:best(gpt)").is_none() && Panel::named("gpt").is_none());
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        let (rule, judges) = name.strip_prefix(PANEL)?.split_once('(')?;
        let rule = PanelRule::ALL.into_iter().find(|one| one.id() == rule)?;
        let mut found = vec![String::new()];
        let mut letters = judges.chars();
        let mut is_closed = false;
        while let Some(letter) = letters.next() {
            let last = found.last_mut()?;
            match letter {
                ')' => {
                    is_closed = true;
                    break;
                }
                ',' => found.push(String::new()),
                '\\' => last.push(letters.next()?),
                letter => last.push(letter),
            }
        }
        let is_whole = is_closed && letters.next().is_none();
        // A single empty name is the judge of replies that name none only where there are others.
        let is_of_nobody = found.len() == 1 && found.iter().all(String::is_empty);
        (is_whole && !is_of_nobody).then(|| Self::new(rule, found))
    }

    /// Its name, as reports have it.
    pub fn name(&self) -> String {
        let escaped = |judge: &String| -> String {
            let letters = judge.chars().flat_map(|letter| {
                let mark = matches!(letter, ',' | ')' | '\\').then_some('\\');
                mark.into_iter().chain([letter])
            });
            letters.collect()
        };
        let judges: Vec<String> = self.judges.iter().map(escaped).collect();
        format!("{PANEL}{}({})", self.rule.id(), judges.join(","))
    }
}

/// Whether this judge is made of others' answers: one who rated, all of them, or a panel. They are in the scores where they
/// are chosen, and only there.
pub fn is_derived(judge: &str) -> bool {
    is_person(judge) || is_panel(judge)
}

/// Whether this is a panel by the form of its name; [`Panel::named`] tells whether it is one by all of it.
pub fn is_panel(judge: &str) -> bool {
    judge.starts_with(PANEL) && judge.ends_with(')')
}

/// Whether only people are behind this judge: nobody rates what is not there, so missing outputs are none of theirs.
pub fn is_of_people(judge: &str) -> bool {
    let of_panel = |panel: Panel| panel.judges.iter().all(|judge| is_person(judge));
    is_person(judge) || (is_panel(judge) && Panel::named(judge).is_some_and(of_panel))
}

/// The judges behind a judge: those of a panel, those whose mean a protocol's own rule takes (`a + b`), else only itself.
pub fn behind(judge: &str) -> Vec<String> {
    match Panel::named(judge) {
        Some(panel) => panel.judges,
        None => judge.split(AND).map(str::to_owned).collect(),
    }
}

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
    pub fn own_keys(self) -> &'static [&'static str] {
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
    ///
    /// # Errors
    /// As [`Self::check_against`].
    pub fn check(&self, wire: Wire) -> Result<(), Error> {
        self.check_against(wire.own_keys())
    }

    /// What a parameter would break, where the request itself fills the keys `own`.
    ///
    /// # Errors
    /// The model has no name, or an extra parameter is among `own`.
    pub fn check_against(&self, own: &[&str]) -> Result<(), Error> {
        if self.model.trim().is_empty() {
            return Err(Error::NoModelName);
        }
        match self.extra.keys().find(|key| own.contains(&key.as_str())) {
            Some(key) => Err(Error::OwnParameter { key: key.clone() }),
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
    pub fn new(id: &str, label: &str, wire: Wire, model: &str) -> Self {
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

    /// The same with a sampling temperature, from 0.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.params.temperature = Some(temperature);
        self
    }

    /// The same with a limit of the reply, in tokens.
    #[must_use]
    pub fn max_tokens(mut self, max_tokens: u32) -> Self {
        self.params.max_tokens = Some(max_tokens);
        self
    }

    /// The same with a further parameter by the provider's name.
    #[must_use]
    pub fn extra(mut self, key: &str, value: impl Serialize) -> Self {
        self.params.extra.insert(key.to_owned(), json!(value));
        self
    }

    /// The same with what is to be known of it.
    #[must_use]
    pub fn note(mut self, note: &str) -> Self {
        note.clone_into(&mut self.note);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(judges: &[&str]) -> Vec<String> {
        judges.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_panel_is_read_from_its_own_name_whatever_its_judges_are_called() {
        let judges = names(&["gpt-4o (a, b)", r"c:\d", "é"]);
        let panel = Panel::new(PanelRule::Majority, judges);
        assert_eq!(panel.name(), r"panel:majority(c:\\d,gpt-4o (a\, b\),é)");
        assert_eq!(Panel::named(&panel.name()), Some(panel));
        // The replies that name no judge are one of the panel where others are.
        let unnamed = Panel::new(PanelRule::Mean, names(&["a", ""]));
        assert_eq!(unnamed.name(), "panel:mean(,a)");
        assert_eq!(Panel::named("panel:mean(,a)"), Some(unnamed));
    }

    #[test]
    fn what_is_not_wholly_a_panels_name_is_a_judges() {
        for name in [
            "panel:median()",
            "panel:median(a",
            "panel:median(a)b",
            "panel:middle(a,b)",
            r"panel:median(a\",
            "median(a,b)",
        ] {
            assert_eq!(Panel::named(name), None, "{name}");
        }
    }

    #[test]
    fn those_behind_a_judge_are_named() {
        assert_eq!(behind("panel:mean(b,a,b)"), names(&["a", "b"]));
        assert_eq!(behind("a + b"), names(&["a", "b"]));
        assert_eq!(behind("a"), names(&["a"]));
        assert!(is_of_people("panel:majority(people)") && is_of_people("people:ann"));
        assert!(!is_of_people("panel:majority(a,people)") && !is_of_people("a"));
        assert!(is_derived("panel:majority(a,people)") && is_derived(PEOPLE) && !is_derived("a"));
    }
}
