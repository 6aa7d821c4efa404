//! What planner and generator are told: the parts of each message in the paper's order, and its hash.

use sha2::{Digest, Sha256};

use super::{Framework, Kind, Plan, Start};
use juror_model::prompt;
use juror_protocols::contract::Protocol;

/// Where a planner text has the previous prompt, and SRA's the largest index.
const PROMPT: &str = "{prompt}";
const LAST_INDEX: &str = "{last_index}";

/// Whose loops they are, and what is said to planner and generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loops {
    /// The benchmark's id, which records and requests name.
    pub protocol: String,
    /// SHA-256 of the texts together.
    pub sha256: String,
    pub(crate) planner: String,
    pub(crate) planner_sra: String,
    pub(crate) previous_picture: String,
}

impl Loops {
    /// Those of a benchmark; `None` where it has none.
    ///
    /// # Example
    /// ```
    /// use juror_agents::request::Loops;
    /// use juror_protocols::registry::ALL;
    /// let with = ALL.iter().filter_map(|protocol| Loops::of(*protocol));
    /// assert_eq!(with.count(), 1);
    /// ```
    pub fn of(protocol: &dyn Protocol) -> Option<Self> {
        let texts = protocol.agents()?.texts();
        let text = |kind: &str| Some(texts.text(kind)?.to_owned());
        Some(Self {
            protocol: protocol.id().to_owned(),
            planner: text("planner")?,
            planner_sra: text("planner_sra")?,
            previous_picture: text("previous_picture")?,
            sha256: texts.info.sha256,
        })
    }
}

/// One part of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentPart<'a> {
    /// Text.
    Text(&'a str),
    /// `R_i` by its index.
    Reference(u32),
    /// A generated picture by its content.
    Generated(&'a str),
}

/// One call of a planner or a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Which of the two.
    pub kind: Kind,
    /// Of which framework.
    pub framework: Framework,
    /// From 1.
    pub step: u32,
    /// P^t, which is part of the text.
    pub prompt: String,
    /// What is said, all in one.
    pub text: String,
    /// The references that go along, in ascending order.
    pub references: Vec<u32>,
    /// SHA-256 of the generated picture that goes along.
    pub given: Option<String>,
}

/// The generator's call of a step: the prompt, then references, then the previous picture.
///
/// IPR has no previous picture; CAFG and SRA have none at their first step, and then say what IPR says.
pub fn picture(start: &Start<'_>, step: u32, plan: &Plan, previous: Option<&str>) -> Call {
    let framework = start.framework;
    let given = match framework {
        Framework::Ipr => None,
        Framework::Cafg | Framework::Sra => previous.map(str::to_owned),
    };
    let mut text = plan.prompt.clone();
    if given.is_some() {
        text += "\n\n";
        text += &start.loops.previous_picture;
    }
    Call {
        kind: Kind::Picture,
        framework,
        step,
        prompt: plan.prompt.clone(),
        text,
        references: plan.references.clone(),
        given,
    }
}

/// The planner's call after the picture of a step: its prompt with the previous one in it, all references, the picture.
pub fn plan(start: &Start<'_>, step: u32, prompt: &str, made: &str) -> Call {
    let text = match start.framework {
        Framework::Ipr | Framework::Cafg => start.loops.planner.clone(),
        Framework::Sra => {
            let last = start.num_references.saturating_sub(1).to_string();
            // Before the prompt is put in, which may hold anything.
            start.loops.planner_sra.replace(LAST_INDEX, &last)
        }
    };
    Call {
        kind: Kind::Plan,
        framework: start.framework,
        step,
        prompt: prompt.to_owned(),
        text: text.replacen(PROMPT, prompt, 1),
        references: (0..start.num_references).collect(),
        given: Some(made.to_owned()),
    }
}

impl Call {
    /// The parts of the one message, in order.
    pub fn parts(&self) -> Vec<ContentPart<'_>> {
        let text = std::iter::once(ContentPart::Text(&self.text));
        let references = self
            .references
            .iter()
            .map(|index| ContentPart::Reference(*index));
        let given = self.given.as_deref().map(ContentPart::Generated);
        text.chain(references).chain(given).collect()
    }

    /// SHA-256 over everything that is sent: the text, and the pictures by content; `None` while a reference's is unknown.
    pub fn hash<'a>(
        &self,
        loops: &Loops,
        reference: impl Fn(u32) -> Option<&'a str>,
    ) -> Option<String> {
        let mut hasher = Sha256::new();
        let mut field = |kind: &str, content: &str| {
            hasher.update(format!("{kind} {}\n", content.len()).as_bytes());
            hasher.update(content.as_bytes());
        };
        field("protocol", &loops.protocol);
        field("call", self.kind.id());
        for part in self.parts() {
            match part {
                ContentPart::Text(text) => field("text", text),
                ContentPart::Reference(index) => field("sha256", reference(index)?),
                ContentPart::Generated(sha256) => field("sha256", sha256),
            }
        }
        Some(prompt::hex(&hasher.finalize()))
    }

    /// The reply grammar in one line; empty for a generator.
    pub fn grammar(&self) -> String {
        match (self.kind, self.framework) {
            (Kind::Picture, _) => String::new(),
            (Kind::Plan, Framework::Sra) => {
                let last = self.references.len().saturating_sub(1);
                format!("{{\"indices\": [whole numbers from 0 to {last}], \"prompt\": text}}")
            }
            (Kind::Plan, _) => "the next prompt, nothing else".to_owned(),
        }
    }
}
