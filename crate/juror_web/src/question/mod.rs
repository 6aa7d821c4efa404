//! What the page asks of a session and what it is answered: one pair of enums, by topics.
//!
//! A new question is an entry of its topic's list, an arm of that topic's `answer`, and a call on the page:
//! `cargo xtask bless` writes the TypeScript client from the lists. A question without an arm does not compile.
//!
//! A question crosses as `{topic: {name: {…}}}` and the answer as it is. A first engine has the topic [`shown`] alone;
//! it answers everything else with the error by which the worker fetches the full one.

use std::fmt;

use juror_session::Session;
#[cfg(feature = "full")]
use serde::Serializer;
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast as _, JsValue};

#[cfg(feature = "full")]
use juror_evidence::pack::PackError;

#[cfg(feature = "full")]
mod agents;
#[cfg(feature = "full")]
mod compare;
#[cfg(feature = "full")]
mod generating;
#[cfg(feature = "full")]
mod judging;
#[cfg(feature = "full")]
mod labels;
#[cfg(feature = "full")]
mod lint;
#[cfg(feature = "full")]
mod list;
mod listed;
#[cfg(feature = "full")]
mod measures;
#[cfg(feature = "full")]
mod pack;
#[cfg(feature = "full")]
mod rating;
#[cfg(feature = "full")]
mod replies;
mod shown;
#[cfg(feature = "full")]
mod statistics;
#[cfg(all(test, feature = "typescript"))]
mod typescript;
#[cfg(all(test, feature = "typescript"))]
pub(crate) use typescript::write_beside_types;

use listed::questions;

/// What the worker does around a question, beside handing it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg(all(test, feature = "typescript"))]
enum Around {
    /// The host alone asks it: what the page asks there does more.
    Host,
    /// Everything that was opened is read first, as what leaves the page is not of half the files.
    Read,
    /// The pictures that the answer names in `needs` are brought, then it is asked again.
    Pictures,
    /// The ratings and failure labels that this browser keeps are handed over first.
    Ratings,
    /// It is asked again until there is an answer; other questions are answered in between.
    Parts,
    /// The page is told afterwards that scores may have changed.
    Changes,
}

/// The topics, each a module beside this one; all but the first are in the engine with every question alone.
macro_rules! topics {
    ($first:ident: $First:ident, $($topic:ident: $Topic:ident),* $(,)?) => {
        /// A question, by its topic.
        #[derive(Debug, Deserialize)]
        #[serde(rename_all = "camelCase")]
        enum Question {
            $First($first::Question),
            $(#[cfg(feature = "full")] $Topic($topic::Question),)*
        }

        /// The answer.
        #[derive(Debug, Serialize)]
        #[serde(untagged)]
        #[allow(clippy::large_enum_variant, reason = "one at a time, for as long as it takes to hand it over")]
        enum Answer {
            $First($first::Answer),
            $(
                #[cfg(feature = "full")]
                $Topic($topic::Answer),
            )*
        }

        impl Question {
            fn answer(self, session: &mut Session, budget: Budget) -> Result<Answer, Error> {
                Ok(match self {
                    Self::$First(question) => Answer::$First($first::answer(session, question, budget)?),
                    $(
                        #[cfg(feature = "full")]
                        Self::$Topic(question) => Answer::$Topic($topic::answer(session, question, budget)?),
                    )*
                })
            }
        }

        /// The names of a topic's questions; none of a topic that this engine does not have.
        fn names(topic: &str) -> &'static [&'static str] {
            match topic {
                stringify!($first) => $first::NAMES,
                $(#[cfg(feature = "full")] stringify!($topic) => $topic::NAMES,)*
                _ => &[],
            }
        }

        /// The topics with their questions.
        #[cfg(all(test, feature = "typescript"))]
        fn described() -> Vec<(&'static str, Vec<typescript::Described>)> {
            vec![
                (stringify!($first), $first::described()),
                $((stringify!($topic), $topic::described()),)*
            ]
        }
    };
}

topics! {
    shown: Shown,
    replies: Replies,
    list: List,
    compare: Compare,
    rating: Rating,
    labels: Labels,
    judging: Judging,
    agents: Agents,
    generating: Generating,
    measures: Measures,
    lint: Lint,
    statistics: Statistics,
    pack: Pack,
}

/// How many bytes of replies a search may look into before it says that it is not done.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(feature = "full"),
    expect(dead_code, reason = "a first engine searches nothing")
)]
pub(crate) struct Budget(pub(crate) u64);

/// Bytes that arrive as a `Uint8Array`.
#[cfg(feature = "full")]
#[derive(Debug)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, type = "Uint8Array<ArrayBuffer>")
)]
struct Bytes(Vec<u8>);

#[cfg(feature = "full")]
impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

#[cfg(feature = "full")]
impl From<String> for Bytes {
    fn from(text: String) -> Self {
        Self(text.into_bytes())
    }
}

/// What was asked for is done; there is nothing to tell.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, type = "void"))]
struct Done;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Error {
    /// The engine with every question may know it.
    #[cfg(not(feature = "full"))]
    #[error("The engine of the first page does not know the question {0}; the full one may.")]
    NotHere(String),
    /// Nobody knows it.
    #[cfg(feature = "full")]
    #[error("There is no question {0}.")]
    Unknown(String),
    /// It has other parts than it should.
    #[error("The question {question} cannot be read: {cause}.")]
    Unreadable {
        /// Its topic and name.
        question: String,
        /// What is wrong.
        cause: String,
    },
    /// The session cannot meet it.
    #[error(transparent)]
    Session(#[from] juror_session::error::Error),
    /// There is no such pack.
    #[cfg(feature = "full")]
    #[error(transparent)]
    Pack(#[from] PackError),
    /// Measured values are not as they should be.
    #[cfg(feature = "full")]
    #[error("{0}")]
    Measures(String),
}

impl Error {
    /// What callers branch on.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            #[cfg(not(feature = "full"))]
            Self::NotHere(_) => "not_here",
            #[cfg(feature = "full")]
            Self::Unknown(_) => "unknown_question",
            Self::Unreadable { .. } => "bad_argument",
            Self::Session(cause) => cause.code(),
            #[cfg(feature = "full")]
            Self::Pack(cause) => cause.code(),
            #[cfg(feature = "full")]
            Self::Measures(_) => "bad_measures",
        }
    }
}

/// Answers a question of the page.
pub(crate) fn ask(
    session: &mut Session,
    asked: JsValue,
    budget: Budget,
) -> Result<impl Serialize, Error> {
    let tags = Tags::of(&asked);
    let question: Question =
        serde_wasm_bindgen::from_value(asked).map_err(|cause| tags.refused(&cause))?;
    question.answer(session, budget)
}

/// What a question says it is.
struct Tags {
    topic: String,
    name: String,
}

impl Tags {
    fn of(asked: &JsValue) -> Self {
        let (topic, inner) = tag(asked);
        Self {
            topic,
            name: tag(&inner).0,
        }
    }

    /// Why it was not understood.
    fn refused(&self, cause: &serde_wasm_bindgen::Error) -> Error {
        // On the page a name begins in lower case, which is all that the two differ by.
        let is_known = names(&self.topic).iter().any(|name| {
            let mut rest = self.name.chars();
            let first = rest.next().map(|first| first.to_ascii_uppercase());
            first.into_iter().chain(rest).eq(name.chars())
        });
        if is_known {
            return Error::Unreadable {
                question: self.to_string(),
                cause: cause.to_string(),
            };
        }
        #[cfg(feature = "full")]
        return Error::Unknown(self.to_string());
        #[cfg(not(feature = "full"))]
        Error::NotHere(self.to_string())
    }
}

impl fmt::Display for Tags {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.topic, self.name)
    }
}

/// The only key of an object, and what stands under it.
fn tag(value: &JsValue) -> (String, JsValue) {
    let entry = value
        .is_object()
        .then(|| js_sys::Object::entries(value.unchecked_ref()).get(0))
        .filter(JsValue::is_object);
    let Some(entry) = entry else {
        return (String::from("without a name"), JsValue::UNDEFINED);
    };
    let entry: js_sys::Array = entry.unchecked_into();
    (entry.get(0).as_string().unwrap_or_default(), entry.get(1))
}
