//! What was read, tied together: models with their outputs and replies, and the findings on the way.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::packs_apart::PacksApart;
use super::tally::Tallies;
use super::tolerance::OfJudge;
use juror_judging::health::StaleReply;
use juror_judging::journal::Record;
use juror_model::linked::ModelData;
use juror_model::problem::Problem;
use juror_model::request::RequestKey;
use juror_model::sample::Benchmark;
use juror_model::tree::FileId;
use juror_model::trust::Owners;
use juror_reading::keyed::Keyed;

/// A record's request, with the hash that it records.
pub(super) type RequestHash = (RequestKey, String);

/// A record that is set aside: it answers an earlier request.
#[derive(Debug)]
pub(super) struct StaleRecord {
    pub(super) key: RequestKey,
    pub(super) reply: StaleReply,
}

/// Where a reply's raw text is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A file of the authors' judge output.
    Replies(FileId),
    /// A journal file.
    Journal(FileId),
    /// Pasted in this session.
    Pasted,
    /// Made of ratings, or of the replies of a panel's judges.
    Rated,
}

/// The models with everything tied to them.
#[derive(Debug, Default)]
pub(super) struct Linked {
    pub(super) benchmark: Arc<Benchmark>,
    /// The same for requests, where pictures of it cannot be read: there those are as missing ones.
    pub(super) readable: Option<Arc<Benchmark>>,
    pub(super) models: Vec<ModelData>,
    pub(super) sources: Vec<Source>,
    pub(super) problems: Vec<Problem>,
    /// Replies to earlier requests.
    pub(super) aside: Vec<StaleRecord>,
    /// Where models stand by their name.
    pub(super) by_name: Keyed,
    /// Where each model's criteria, domains and judges stand in its lists.
    pub(super) names: BTreeMap<usize, [Keyed; 3]>,
    /// Records of models beyond the limit.
    pub(super) num_beyond: u32,
    /// What the tolerant reading reads beyond the strict one, by judge.
    pub(super) tolerated: BTreeMap<String, OfJudge>,
    /// Whose the folders are.
    pub(super) owners: Arc<Owners>,
    /// The prompt packs that judges were asked with.
    pub(super) packs: PacksApart,
    /// What people's ratings say, as replies, and what panels' judges say together.
    pub(super) rated: Vec<Record>,
    /// The panels whose replies are among the others, by name.
    pub(super) panels: BTreeMap<String, Tallies>,
}

impl Linked {
    /// Numbers a source.
    pub(super) fn source(&mut self, source: Source) -> u32 {
        self.sources.push(source);
        u32::try_from(self.sources.len() - 1).unwrap_or(u32::MAX)
    }
}
