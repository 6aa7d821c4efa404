//! A protocol without what is asked of judges, generators and people, and without what is counted.

use super::{Counting, Layout, Loaded, Protocol, Reading, Requests, Scoring, Signs, TextsBySample};
use crate::error::Error;
use crate::published::Published;
use juror_model::ability::{Ability, Demo};
use juror_model::incident::IncidentKind;
use juror_model::judge::JudgePreset;
use juror_model::linked::World;
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::problem::Problem;
use juror_model::prompt::PromptPack;
use juror_model::published::PrintedCost;
use juror_model::reply::{ParsedReply, Read, ReplyFile};
use juror_model::request::{Draft, GeneratorInput, InputKey, RequestKey};
use juror_model::sample::{Benchmark, Candidate, Sample, Span, Texts, Turn};
use juror_model::score::Scores;
use juror_model::submission::Submission;
use juror_model::terms::{CriterionInfo, Difference, Formula, RequestInfo, Words};
use juror_model::tree::{FileId, FileTree};
use juror_reading::text::Marks;
use juror_statistics::level::Level;

/// Lists, reads and scores as the protocol in it does, and asks nobody: a program that puts no request together links none of
/// that.
#[derive(Clone, Copy, Debug)]
pub struct Scored<P>(pub P);

const NOBODY: &str = "This program shows scores and puts no request together.";

impl<P: Signs> Signs for Scored<P> {
    fn id(&self) -> &str {
        self.0.id()
    }

    fn title(&self) -> &str {
        self.0.title()
    }

    fn is_named_by_file(&self) -> bool {
        self.0.is_named_by_file()
    }

    fn is_told_by_texts(&self) -> bool {
        self.0.is_told_by_texts()
    }

    fn candidates(&self, tree: &FileTree) -> Vec<Candidate> {
        self.0.candidates(tree)
    }

    fn is_begun_by(&self, head: &str) -> bool {
        self.0.is_begun_by(head)
    }
}

impl<P: Layout> Layout for Scored<P> {
    fn further_files(&self, tree: &FileTree, candidate: &Candidate, texts: &Texts) -> Vec<FileId> {
        self.0.further_files(tree, candidate, texts)
    }

    fn load(
        &self,
        tree: &FileTree,
        candidate: &Candidate,
        texts: &Texts,
    ) -> Result<Loaded, Box<Problem>> {
        self.0.load(tree, candidate, texts)
    }

    fn imply(&self, replies: &[&ReplyFile]) -> Benchmark {
        self.0.imply(replies)
    }

    fn submissions(&self, tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission> {
        self.0.submissions(tree, benchmark)
    }

    fn read_replies(&self, path: &str, text: String) -> ReplyFile {
        self.0.read_replies(path, text)
    }

    fn mark_replies(&self, path: &str, marks: Marks, replies: &mut ReplyFile) {
        self.0.mark_replies(path, marks, replies);
    }

    fn judged_at(&self, path: &str) -> Option<String> {
        self.0.judged_at(path)
    }

    fn check_replies(
        &self,
        replies: &ReplyFile,
        positions: &[Option<u32>],
        benchmark: &Benchmark,
        path: &str,
        problems: &mut Vec<Problem>,
    ) {
        self.0
            .check_replies(replies, positions, benchmark, path, problems);
    }
}

impl<P: Requests> Requests for Scored<P> {
    fn requests(&self) -> Vec<RequestInfo> {
        self.0.requests()
    }

    fn requests_of(&self, sample: &Sample, turn: &Turn) -> Vec<&str> {
        self.0.requests_of(sample, turn)
    }

    fn is_computed(&self, request: &str) -> bool {
        self.0.is_computed(request)
    }

    fn built_in_pack(&self) -> PromptPack {
        self.0.built_in_pack()
    }

    fn may_hold_prompts(&self, path: &str) -> bool {
        self.0.may_hold_prompts(path)
    }

    fn prompt_root<'a>(&self, path: &'a str) -> &'a str {
        self.0.prompt_root(path)
    }

    fn official_pack(&self, files: &[(&str, &str)]) -> Option<PromptPack> {
        self.0.official_pack(files)
    }

    fn texts_by_sample(&self) -> Option<&dyn TextsBySample> {
        self.0.texts_by_sample()
    }

    fn request(&self, _: &World<'_>, _: &PromptPack, _: &RequestKey) -> Result<Draft, Error> {
        Err(Error::NotAsked(NOBODY.to_owned()))
    }

    fn generator_input(&self, _: &World<'_>, _: &InputKey) -> Result<GeneratorInput, Error> {
        Err(Error::NotAsked(NOBODY.to_owned()))
    }

    fn class(&self, turn: &Turn) -> &str {
        self.0.class(turn)
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        self.0.spans(text)
    }

    fn judges(&self) -> Vec<JudgePreset> {
        self.0.judges()
    }
}

impl<P: Reading> Reading for Scored<P> {
    fn read(&self, sample: Option<&Sample>, request: &str, reply: &str) -> Read {
        self.0.read(sample, request, reply)
    }

    fn parse(
        &self,
        sample: Option<&Sample>,
        request: &str,
        profile: Profile,
        reply: &str,
    ) -> ParsedReply {
        self.0.parse(sample, request, profile, reply)
    }

    fn grammar(&self, _: Option<&Sample>, _: &str) -> String {
        String::new()
    }
}

impl<P: Scoring> Scoring for Scored<P> {
    fn criteria(&self) -> Vec<CriterionInfo> {
        self.0.criteria()
    }

    fn is_bounded(&self, criterion: &str) -> bool {
        self.0.is_bounded(criterion)
    }

    fn score(&self, world: &World<'_>, options: &ScoreOptions) -> Scores {
        self.0.score(world, options)
    }

    fn counts_as(&self, kind: IncidentKind, options: &ScoreOptions) -> &str {
        self.0.counts_as(kind, options)
    }

    fn policy(&self, options: &ScoreOptions) -> Policy {
        self.0.policy(options)
    }

    fn joined_judges(&self, judges: &[&str]) -> Vec<usize> {
        self.0.joined_judges(judges)
    }

    fn turn_total(&self, counted: &[(&str, Option<f64>)]) -> Option<f64> {
        self.0.turn_total(counted)
    }

    fn differences(&self, world: &World<'_>) -> Vec<Difference> {
        self.0.differences(world)
    }

    fn members(&self, benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
        self.0.members(benchmark, scope, key)
    }

    fn turns(&self, benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
        self.0.turns(benchmark, scope, key)
    }

    fn level(&self, scope: &str) -> Level {
        self.0.level(scope)
    }

    fn formulas(&self, profile: Profile) -> Vec<Formula> {
        self.0.formulas(profile)
    }

    fn printed_costs(&self) -> Vec<PrintedCost> {
        self.0.printed_costs()
    }

    fn published(&self) -> Published {
        self.0.published()
    }
}

/// Nothing is counted here: that is of the programs that answer every question.
impl<P: Signs> Counting for Scored<P> {}

impl<P: Protocol> Protocol for Scored<P> {
    fn declaration(&self) -> &str {
        self.0.declaration()
    }

    fn words(&self) -> Words {
        self.0.words()
    }

    fn abilities(&self) -> &[Ability] {
        self.0.abilities()
    }

    fn demo(&self) -> Option<Demo> {
        self.0.demo()
    }
}
