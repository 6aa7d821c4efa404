//! What the answer to a call comes to, and what is written down of it: the same in the page and on the command line.

use super::{AgentBody, AgentServices, Kind, Record};
use juror_judging::provider::{self, Answer, Failure, FailureKind, PictureAnswer, Usage};

/// The status of an answer that was kept as paid for.
pub const SUCCESS: u16 = 200;

/// What an answer comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Came {
    /// The planner's word.
    Reply(String),
    /// A picture.
    Picture {
        /// Its bytes in base64.
        base64: String,
        /// What the generator wrote with it.
        said: String,
    },
    /// The address of a picture.
    Address {
        /// Where it is.
        url: String,
        /// What the generator wrote with it.
        said: String,
    },
    /// Neither.
    Failed(Failure),
}

impl AgentServices {
    /// Reads the answer to a call, of any status, with what it says of its tokens.
    ///
    /// An answer without text is the planner's word too: the protocol says what it means.
    pub fn read(&self, kind: Kind, status: u16, text: &str) -> (Came, Usage) {
        match kind {
            Kind::Plan => {
                let wire = self.planner_wire;
                let came = match provider::read(wire, status, text) {
                    Answer::Reply { text, .. } => Came::Reply(text),
                    Answer::Failed(failure) if failure.kind == FailureKind::Empty => {
                        Came::Reply(String::new())
                    }
                    Answer::Failed(failure) => Came::Failed(failure),
                };
                (came, provider::usage(wire, text))
            }
            Kind::Picture => match provider::read_picture(self.generator_wire, status, text) {
                PictureAnswer::Failed(failure) => (Came::Failed(failure), Usage::default()),
                PictureAnswer::Picture {
                    base64,
                    url,
                    text: said,
                    input_tokens,
                    output_tokens,
                } => {
                    let came = if url.is_empty() {
                        Came::Picture { base64, said }
                    } else {
                        Came::Address { url, said }
                    };
                    (came, usage(input_tokens, output_tokens))
                }
            },
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of tokens are far below 2^53"
)]
fn usage(input_tokens: Option<u64>, output_tokens: Option<u64>) -> Usage {
    Usage {
        input_tokens: input_tokens.map(|count| count as f64),
        output_tokens: output_tokens.map(|count| count as f64),
    }
}

impl AgentBody {
    /// What was paid for in an earlier job, where the readers know it by now.
    pub fn readable(&self, services: &AgentServices) -> Option<&str> {
        let text = self.paid.as_deref()?;
        let (came, _) = services.read(self.record.kind, SUCCESS, text);
        (!matches!(came, Came::Failed(_))).then_some(text)
    }

    /// The record of an answer that nothing can be made of, whole, where it is paid for and not kept yet; `clean` takes the
    /// keys out of a text.
    pub fn unusable(
        &self,
        status: u16,
        (text, why): (&str, &str),
        clean: &dyn Fn(&str) -> String,
    ) -> Option<Record> {
        let text = clean(text);
        let is_paid = (200..300).contains(&status);
        (is_paid && self.paid.as_ref() != Some(&text)).then(|| Record {
            error: Some(clean(why)),
            body: Some(text),
            ..self.record.clone()
        })
    }
}

impl Record {
    /// The record of a call that a service ended at this time; a key that the user put among the parameters is not written
    /// down.
    #[must_use]
    pub fn ended(self, time: String, clean: &dyn Fn(&str) -> String) -> Self {
        let text = serde_json::Value::from(self.parameters).to_string();
        Self {
            parameters: serde_json::from_str(&clean(&text)).unwrap_or_default(),
            time,
            by: "call".to_owned(),
            ..self
        }
    }
}
