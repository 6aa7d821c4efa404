//! A sixth benchmark without code: a `juror.json` in the folder says how it is listed, judged and scored.
//!
//! The format is `juror-protocol/1`; `juror schema` prints its JSON Schema.
//! [`Declared`] without a file only finds such files; loading one gives a protocol of its own.

use std::collections::BTreeSet;

use crate::model::incident::IncidentKind;
use crate::model::linked::World;
use crate::model::options::{Policy, Profile, ScoreOptions};
use crate::model::problem::Problem;
use crate::model::reply::{ParsedReply, Read, ReplyFile, Verdict};
use crate::model::request::{Draft, GeneratorInput, InputKey, RequestKey};
use crate::model::sample::{Benchmark, Candidate, Sample, Span, Texts, Turn};
use crate::model::score::Scores;
use crate::model::submission::Submission;
use crate::model::terms::{CriterionInfo, Difference, Formula, RequestInfo, Words};
use crate::prompt::PromptPack;
use crate::protocol::contract::{Loaded, Protocol};
use crate::tree::{FileId, FileTree};

mod json;
mod layout;
mod pattern;
mod request;
mod samples;
pub mod schema;
mod score;
mod verdict;

pub use json::Keys;
use schema::Declaration;
use verdict::Reader;

/// The name of a protocol file.
pub const NAME: &str = "juror.json";

/// A protocol that a file declares.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Path of the file.
    path: String,
    /// SHA-256 over everything that replies are read by: the file's text, ids and models.
    sha256: String,
    says: Declaration,
    /// Ids of all samples.
    ids: BTreeSet<String>,
    /// Names of the folders that hold outputs.
    models: BTreeSet<String>,
}

impl Declared {
    fn new(path: &str, says: Declaration) -> Self {
        Self {
            path: path.to_owned(),
            says,
            ..Self::finder()
        }
    }

    /// The finder of protocol files, which declares nothing itself.
    pub const fn finder() -> Self {
        Self {
            path: String::new(),
            sha256: String::new(),
            says: Declaration::nothing(),
            ids: BTreeSet::new(),
            models: BTreeSet::new(),
        }
    }

    /// The protocol of a file, without its samples: enough to read replies.
    ///
    /// # Errors
    /// What is wrong with the file, with the JSON path.
    pub fn from_text(path: &str, text: &str) -> Result<Self, Box<Problem>> {
        Ok(Self::read_file(path, text)?.0)
    }
}

impl Protocol for Declared {
    fn id(&self) -> &str {
        match self.says.id.as_str() {
            "" => "declared",
            id => id,
        }
    }

    fn title(&self) -> &str {
        match self.says.title.as_str() {
            "" => "a benchmark with a protocol file",
            title => title,
        }
    }

    fn is_named_by_file(&self) -> bool {
        true
    }

    fn declaration(&self) -> &str {
        &self.sha256
    }

    fn words(&self) -> Words {
        let group = |scope: &str| {
            let mut groupings = self.says.groupings.iter();
            let own = groupings.find(|own| own.scope == scope);
            own.map_or_else(String::new, |own| own.label.to_lowercase())
        };
        Words {
            sample: self.says.sample_word.clone(),
            samples: self.says.samples_word.clone(),
            units: self.says.samples_word.clone(),
            domain: group("domain"),
            category: group("category"),
        }
    }

    fn criteria(&self) -> Vec<CriterionInfo> {
        score::infos(self)
    }

    fn requests(&self) -> Vec<RequestInfo> {
        let last = self.says.requests.len().saturating_sub(1);
        let requests = self.says.requests.iter().enumerate();
        requests
            .map(|(at, request)| {
                let own = request.criteria.iter();
                let own = own.map(|criterion| self.says.criteria[*criterion].id.clone());
                // The total is known once the last one is answered.
                let total = (at == last).then(|| "total".to_owned());
                RequestInfo {
                    id: request.id.clone(),
                    short: request.short.clone(),
                    label: request.label.clone(),
                    criteria: own.chain(total).collect(),
                }
            })
            .collect()
    }

    fn requests_of(&self, _sample: &Sample, _turn: &Turn) -> Vec<&str> {
        let requests = self.says.requests.iter();
        requests.map(|request| request.id.as_str()).collect()
    }

    fn built_in_pack(&self) -> PromptPack {
        request::pack(self)
    }

    fn may_hold_prompts(&self, _path: &str) -> bool {
        false
    }

    fn official_pack(&self, _files: &[(&str, &str)]) -> Option<PromptPack> {
        None
    }

    fn candidates(&self, tree: &FileTree) -> Vec<Candidate> {
        layout::candidates(tree)
    }

    fn further_files(&self, tree: &FileTree, candidate: &Candidate, texts: &Texts) -> Vec<FileId> {
        layout::named_files(tree, candidate, texts)
    }

    fn load(
        &self,
        tree: &FileTree,
        candidate: &Candidate,
        texts: &Texts,
    ) -> Result<Loaded, Box<Problem>> {
        layout::load(tree, candidate, texts)
    }

    fn imply(&self, _replies: &[&ReplyFile]) -> Benchmark {
        Benchmark::default()
    }

    fn submissions(&self, tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission> {
        benchmark.map_or_else(Vec::new, |benchmark| {
            layout::submissions(self, tree, benchmark)
        })
    }

    fn read_replies(&self, path: &str, text: String) -> ReplyFile {
        self.read_reply_file(path, text)
    }

    fn read(&self, _sample: Option<&Sample>, request: &str, reply: &str) -> Read {
        let reader = Reader::new(&self.says, request);
        let unknown = Verdict::fault(crate::model::reply::Fault::Unparsable);
        Read::Several(reader.map_or(unknown, |reader| reader.verdict(reply)))
    }

    fn parse(
        &self,
        _sample: Option<&Sample>,
        request: &str,
        _profile: Profile,
        reply: &str,
    ) -> ParsedReply {
        match Reader::new(&self.says, request) {
            Some(reader) => reader.parse(reply, |numbers| self.score_of(request, numbers)),
            None => ParsedReply::Incident {
                kind: "unparsable".to_owned(),
                detail: format!("{} has no request {request}.", self.path),
            },
        }
    }

    fn grammar(&self, _sample: Option<&Sample>, request: &str) -> String {
        Reader::new(&self.says, request).map_or_else(String::new, Reader::grammar)
    }

    fn request(
        &self,
        world: &World<'_>,
        _pack: &PromptPack,
        key: &RequestKey,
    ) -> Result<Draft, String> {
        request::draft(self, world, key)
    }

    fn generator_input(&self, world: &World<'_>, key: &InputKey) -> Result<GeneratorInput, String> {
        request::generator_input(self, world, key)
    }

    fn score(&self, world: &World<'_>, options: &ScoreOptions) -> Scores {
        score::score(self, world, options)
    }

    fn counts_as(&self, kind: IncidentKind, options: &ScoreOptions) -> &str {
        score::counts_as(self, kind, options)
    }

    fn policy(&self, options: &ScoreOptions) -> Policy {
        score::policy(self, options)
    }

    fn class(&self, _turn: &Turn) -> &'static str {
        ""
    }

    fn turn_total(&self, counted: &[(&str, Option<f64>)]) -> Option<f64> {
        // A sample has one turn, whose total is the sample's.
        counted.iter().find_map(|(_, total)| *total)
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        vec![Span {
            text: text.to_owned(),
            picture: None,
        }]
    }

    /// None: a protocol file has one set of formulas, which both profiles follow.
    fn differences(&self, _world: &World<'_>) -> Vec<Difference> {
        Vec::new()
    }

    fn members(&self, benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
        let mut groupings = self.says.groupings.iter();
        let tag = groupings.find(|own| own.scope == scope).map(|own| &own.tag);
        let is_in = |sample: &Sample| tag.is_none_or(|tag| sample.has_tag(tag, key));
        Some(benchmark.samples.iter().map(is_in).collect())
    }

    fn formulas(&self, profile: Profile) -> Vec<Formula> {
        score::formulas(self, profile)
    }
}
