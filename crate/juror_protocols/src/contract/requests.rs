//! What is asked: kinds of judge request, judge texts, and what a generator is given.

use super::abilities::{Conditions, TextsBySample};
use crate::error::Error;
use juror_model::judge::JudgePreset;
use juror_model::linked::World;
use juror_model::prompt::PromptPack;
use juror_model::request::{Draft, GeneratorInput, InputKey, RequestKey};
use juror_model::sample::{Sample, Span, Turn};
use juror_model::terms::RequestInfo;
use juror_model::tree::parent;

/// What a judge and a generator are asked.
pub trait Requests {
    /// The kinds of judge request, in the order in which a sample's are shown.
    fn requests(&self) -> Vec<RequestInfo>;

    /// The kinds of request that a turn is judged by.
    fn requests_of(&self, sample: &Sample, turn: &Turn) -> Vec<&str>;

    /// Whether a request's reply is computed from the files, so that no judge is asked.
    fn is_computed(&self, _request: &str) -> bool {
        false
    }

    /// The built-in judge texts.
    fn built_in_pack(&self) -> PromptPack;

    /// Whether a file of this path may hold judge texts of the authors.
    fn may_hold_prompts(&self, _path: &str) -> bool {
        false
    }

    /// The folder whose files of judge texts belong together.
    fn prompt_root<'a>(&self, path: &'a str) -> &'a str {
        parent(path)
    }

    /// The authors' judge texts in these files, if they are complete.
    fn official_pack(&self, _files: &[(&str, &str)]) -> Option<PromptPack> {
        None
    }

    /// Judge texts of single samples.
    fn texts_by_sample(&self) -> Option<&dyn TextsBySample> {
        None
    }

    /// The parts of a judge request.
    fn request(
        &self,
        world: &World<'_>,
        pack: &PromptPack,
        key: &RequestKey,
    ) -> Result<Draft, Error>;

    /// What a generator is given for a turn.
    fn generator_input(&self, world: &World<'_>, key: &InputKey) -> Result<GeneratorInput, Error>;

    /// `t2i`, `edit`, …: what a turn asks the generator to do; empty where all ask for the same.
    #[expect(clippy::unnecessary_literal_bound, reason = "others give their own")]
    fn class(&self, _turn: &Turn) -> &str {
        ""
    }

    /// A text with its picture mentions marked.
    fn spans(&self, text: &str) -> Vec<Span> {
        vec![Span {
            text: text.to_owned(),
            picture: None,
        }]
    }

    /// Replies that are metrics of two files.
    fn conditions(&self) -> Option<&dyn Conditions> {
        None
    }

    /// Whether networks that read the prompt and find its objects measure the outputs of a sample.
    fn is_measured_by_networks(&self, _sample: &Sample) -> bool {
        true
    }

    /// The judges that the paper or its code names, the usual one first.
    fn judges(&self) -> Vec<JudgePreset> {
        Vec::new()
    }
}
