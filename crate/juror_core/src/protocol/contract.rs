//! What every protocol offers to the session, and nothing else of it is seen.

use std::ops::Deref;
use std::sync::Arc;

use crate::model::incident::IncidentKind;
use crate::model::judge::JudgePreset;
use crate::model::linked::{FilePair, World};
use crate::model::options::{Policy, Profile, ScoreOptions};
use crate::model::problem::Problem;
use crate::model::reply::{ParsedReply, Read, ReplyFile};
use crate::model::request::{Draft, GeneratorInput, InputKey, RequestKey};
use crate::model::sample::{Benchmark, Candidate, Sample, Span, Texts, Turn};
use crate::model::score::Scores;
use crate::model::submission::Submission;
use crate::model::terms::{CriterionInfo, Difference, Formula, RequestInfo, Words};
use crate::prompt::PromptPack;
use crate::protocol::findings;
use crate::protocol::published::Published;
use crate::text::Marks;
use crate::tree::{FileId, FileTree, parent};

/// One evaluation system: how its files, requests, replies and scores read.
pub trait Protocol: Send + Sync {
    /// Stable id: `weave`.
    fn id(&self) -> &str;

    /// Display name: `WEAVEBench`.
    fn title(&self) -> &str;

    /// Whether a file of the benchmark names this protocol, which outweighs what other names suggest.
    fn is_named_by_file(&self) -> bool {
        false
    }

    /// A hash of what declares it, where that is a file: one that reads replies in another way has another.
    #[expect(
        clippy::unnecessary_literal_bound,
        reason = "a declared protocol gives its own text"
    )]
    fn declaration(&self) -> &str {
        ""
    }

    /// What a sample and its groups are called.
    fn words(&self) -> Words;

    /// What the tables show, `total` last.
    fn criteria(&self) -> Vec<CriterionInfo>;

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
    fn may_hold_prompts(&self, path: &str) -> bool;

    /// The folder whose files of judge texts belong together.
    fn prompt_root<'a>(&self, path: &'a str) -> &'a str {
        parent(path)
    }

    /// The authors' judge texts in these files, if they are complete.
    fn official_pack(&self, files: &[(&str, &str)]) -> Option<PromptPack>;

    /// What may be the benchmark among these files, likeliest first.
    fn candidates(&self, tree: &FileTree) -> Vec<Candidate>;

    /// Whether a file that nothing else claims and that begins so is of this benchmark, where names do not tell.
    fn is_begun_by(&self, _head: &str) -> bool {
        false
    }

    /// Files that the candidate's texts name and that have to be read as well before it can be loaded.
    fn further_files(
        &self,
        _tree: &FileTree,
        _candidate: &Candidate,
        _texts: &Texts,
    ) -> Vec<FileId> {
        Vec::new()
    }

    /// Reads a benchmark; `texts` has those of the candidate's files that could be read.
    ///
    /// # Errors
    /// The candidate is not this benchmark. What is wrong inside a benchmark is one of its problems.
    fn load(
        &self,
        tree: &FileTree,
        candidate: &Candidate,
        texts: &Texts,
    ) -> Result<Loaded, Box<Problem>>;

    /// The benchmark that replies alone imply: used while no sample list is at hand.
    fn imply(&self, replies: &[&ReplyFile]) -> Benchmark;

    /// Finds the models' folders and what they hold for each turn.
    fn submissions(&self, tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission>;

    /// Reads a file of the authors' judge output.
    fn read_replies(&self, path: &str, text: String) -> ReplyFile;

    /// Takes from the authors' reading what their programs cannot read of a file of judge output, for what was found in its
    /// bytes; the reading by the paper's rules stays. Nothing, where no program of theirs reads such files.
    fn mark_replies(&self, _path: &str, _marks: Marks, _replies: &mut ReplyFile) {}

    /// When the replies of a file came, where its path tells: `2026-01-01T12:00:00` by the clock of whoever judged.
    fn judged_at(&self, _path: &str) -> Option<String> {
        None
    }

    /// Findings about a file of judge output: lines that cannot be read, and those about nothing known.
    ///
    /// `positions` has the position of each line's sample.
    fn check_replies(
        &self,
        replies: &ReplyFile,
        positions: &[Option<u32>],
        _benchmark: &Benchmark,
        path: &str,
        problems: &mut Vec<Problem>,
    ) {
        findings::check(replies, positions, path, problems);
    }

    /// Whether agents make its outputs in loops, whose records are read with the benchmark.
    fn has_agents(&self) -> bool {
        false
    }

    /// The two readings of one raw reply; `sample` is absent if the benchmark does not have it.
    fn read(&self, sample: Option<&Sample>, request: &str, reply: &str) -> Read;

    /// One raw reply, read and explained.
    fn parse(
        &self,
        sample: Option<&Sample>,
        request: &str,
        profile: Profile,
        reply: &str,
    ) -> ParsedReply;

    /// The reply grammar in one line.
    fn grammar(&self, sample: Option<&Sample>, request: &str) -> String;

    /// The parts of a judge request.
    fn request(
        &self,
        world: &World<'_>,
        pack: &PromptPack,
        key: &RequestKey,
    ) -> Result<Draft, String>;

    /// What a generator is given for a turn.
    fn generator_input(&self, world: &World<'_>, key: &InputKey) -> Result<GeneratorInput, String>;

    /// Scores, incidents and differences for all models.
    fn score(&self, world: &World<'_>, options: &ScoreOptions) -> Scores;

    /// What incidents of this kind count as under these options: `counts 0`, `left out`, …
    fn counts_as(&self, kind: IncidentKind, options: &ScoreOptions) -> &str;

    /// The policy in force: the user's, or the profile's own.
    fn policy(&self, options: &ScoreOptions) -> Policy;

    /// `t2i`, `edit`, …: what a turn asks the generator to do.
    fn class(&self, turn: &Turn) -> &str;

    /// The total of one turn from what its requests' replies came to ([`Unit::counted`](crate::model::score::Unit::counted)), on the printed scale.
    fn turn_total(&self, counted: &[(&str, Option<f64>)]) -> Option<f64>;

    /// A text with its picture mentions marked.
    fn spans(&self, text: &str) -> Vec<Span>;

    /// The effect of each place where paper and code differ.
    fn differences(&self, world: &World<'_>) -> Vec<Difference>;

    /// Pairs of files whose metric is a reply of this protocol, and of each what is missing; whether there is a reply already
    /// is for the caller to see.
    fn file_pairs(&self, _world: &World<'_>) -> Vec<FilePair> {
        Vec::new()
    }

    /// What the authors' program writes where such a pair's metric has this value.
    fn evaluated(&self, _criterion: &str, value: f64) -> f64 {
        value
    }

    /// Which samples a group of the score rows is of; `None` where it is of something else, such as runs.
    ///
    /// A turn is of every sample here: whether a sample has it is for the caller to see.
    fn members(&self, benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
        if scope == "run" {
            return None;
        }
        let is_in = |sample: &Sample| match scope {
            "overall" | "turn" => true,
            "domain" => sample.domain == key,
            "category" => sample.category == key,
            _ => sample.has_tag(scope, key),
        };
        Some(benchmark.samples.iter().map(is_in).collect())
    }

    /// The formulas of a profile.
    fn formulas(&self, profile: Profile) -> Vec<Formula>;

    /// The judges that the paper or its code names, the usual one first.
    fn judges(&self) -> Vec<JudgePreset> {
        Vec::new()
    }

    /// What the paper prints.
    fn published(&self) -> Published {
        Published::default()
    }
}

/// A benchmark as it was read, and the protocol that its own file declares.
#[derive(Debug)]
pub struct Loaded {
    /// The samples.
    pub benchmark: Benchmark,
    /// What goes on with it; `None` where the protocol that loaded it does.
    pub declared: Option<Arc<dyn Protocol>>,
}

impl From<Benchmark> for Loaded {
    fn from(benchmark: Benchmark) -> Self {
        Self {
            benchmark,
            declared: None,
        }
    }
}

/// A protocol in force: one in Rust, or one that a benchmark's own file declares.
#[derive(Clone, Debug)]
pub enum ProtocolHandle {
    /// In Rust.
    BuiltIn(&'static dyn Protocol),
    /// In a file.
    Declared(Arc<dyn Protocol>),
}

impl Deref for ProtocolHandle {
    type Target = dyn Protocol;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::BuiltIn(protocol) => *protocol,
            Self::Declared(protocol) => &**protocol,
        }
    }
}
