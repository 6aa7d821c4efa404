//! A call of a model that is due: what is said and shown, its hash, and the sheet to copy it from.

use std::fmt::Write as _;

use juror_model::prompt;
use serde::{Deserialize, Serialize};

/// What one part of a request is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MakePart")
)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum PromptPart {
    /// Text, verbatim.
    Text {
        /// The text.
        text: String,
    },
    /// A picture of the project's folder.
    Picture {
        /// Where it lies, from the project file on.
        path: String,
        /// SHA-256 of its bytes.
        sha256: String,
    },
}

impl PromptPart {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }
}

/// What the answer is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MakeWanted")
)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Wanted {
    /// A text.
    Text,
    /// A picture, which is to lie here, from the project file on.
    Picture {
        /// The path.
        path: String,
    },
}

/// A call that is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MakeRequest")
)]
pub struct Request {
    /// What it is for: `rating`, `persona`, `reference`, `filter`, `checkpoints`, ….
    pub kind: String,
    /// What it is about, by the name that decisions use.
    pub thing: String,
    /// Which try, from 1: a second try says the same and is another call.
    pub attempt: u32,
    /// The system message, where there is one.
    pub system: Option<String>,
    /// The message, in order.
    pub parts: Vec<PromptPart>,
    /// What is to come back.
    pub wanted: Wanted,
    /// Why the reply to the last try cannot be used; empty of a first one. It is not sent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<String>"))]
    pub lacked: String,
}

impl Request {
    /// SHA-256 over all that is sent, what is wanted and the number of the try; pictures count by content.
    pub fn sha256(&self) -> String {
        let attempt = self.attempt.to_string();
        let (wanted, path) = match &self.wanted {
            Wanted::Text => ("text", ""),
            Wanted::Picture { path } => ("picture", path.as_str()),
        };
        let mut texts = vec![
            self.kind.as_str(),
            &self.thing,
            &attempt,
            wanted,
            path,
            self.system.as_deref().unwrap_or_default(),
        ];
        for part in &self.parts {
            texts.extend(match part {
                PromptPart::Text { text } => ["text", text.as_str()],
                PromptPart::Picture { sha256, .. } => ["sha256", sha256.as_str()],
            });
        }
        prompt::hex(&prompt::digest("juror-make-request/1", texts))
    }

    /// `rating of cat/canny, try 2`.
    pub fn title(&self) -> String {
        let attempt = match self.attempt {
            0 | 1 => String::new(),
            attempt => format!(", try {attempt}"),
        };
        format!("{} of {}{attempt}", self.kind, self.thing)
    }

    /// All texts of the message, with a blank line between them.
    pub fn prompt(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            PromptPart::Text { text } => Some(text.as_str()),
            PromptPart::Picture { .. } => None,
        });
        texts.collect::<Vec<_>>().join("\n\n")
    }
}

/// Requests as one text to copy from, each under its hash, with the pictures named where they go along.
pub fn sheet(requests: &[Request]) -> String {
    let mut out = String::from(
        "Answer by a file of lines {\"request\": HASH, \"reply\": TEXT, \"by\": NAME}; a picture is put where its request says.\n",
    );
    for request in requests {
        // Writing to a text never fails.
        let _ = writeln!(out, "\n=== {}\n# {}", request.sha256(), request.title());
        if let Some(system) = &request.system {
            let _ = writeln!(out, "--- system\n{system}");
        }
        for part in &request.parts {
            let _ = match part {
                PromptPart::Text { text } => writeln!(out, "--- text\n{text}"),
                PromptPart::Picture { path, .. } => writeln!(out, "--- picture\n{path}"),
            };
        }
        if let Wanted::Picture { path } = &request.wanted {
            let _ = writeln!(out, "--- put the picture here\n{path}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_known_by_all_that_is_sent_and_by_its_try() {
        let request = Request {
            kind: "rating".to_owned(),
            thing: "cat/canny".to_owned(),
            attempt: 1,
            system: None,
            parts: vec![
                PromptPart::text("Rate."),
                PromptPart::Picture {
                    path: "a.png".to_owned(),
                    sha256: "ab".to_owned(),
                },
            ],
            wanted: Wanted::Text,
            lacked: String::new(),
        };
        let hash = request.sha256();
        let mut moved = request.clone();
        moved.parts[1] = PromptPart::Picture {
            path: "elsewhere.png".to_owned(),
            sha256: "ab".to_owned(),
        };
        assert_eq!(moved.sha256(), hash, "a picture is its content");
        let mut others = vec![request.clone(); 4];
        others[0].attempt = 2;
        others[1].system = Some("Be brief.".to_owned());
        others[2].parts[0] = PromptPart::text("Rate!");
        others[3].parts.swap(0, 1);
        for other in others {
            assert_ne!(other.sha256(), hash, "{other:?}");
        }
        let sheet = sheet(&[request]);
        assert!(
            sheet.contains(&hash) && sheet.contains("--- picture\na.png"),
            "{sheet}"
        );
    }
}
