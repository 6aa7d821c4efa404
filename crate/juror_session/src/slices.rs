//! The parts that rows are made of: everything, single models, and the groups of a scope.

use std::collections::HashSet;

use super::count;
use super::state::Session;
use crate::error::Error;
use juror_model::terms::ScopeInfo;

/// What is rated: model, criterion, sample position, turn.
pub(super) type Place = (usize, String, u32, u32);

/// Groups of a scope that get rows, at most.
const MAX_KEYS: usize = 100;

/// What rows are made of: everything, one model, one group of samples, or one model in one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slice {
    All,
    Model(usize),
    Key(usize),
    /// One model's outputs in one group.
    Both(usize, usize),
}

/// Turns as sample and turn.
type Turns = HashSet<(u32, u32)>;

/// The groups of a scope that get rows of their own.
#[derive(Debug, Default)]
pub(super) struct Slices {
    /// By key: which samples are in it, and the turns that count of them, where not all do.
    keys: Vec<(String, Vec<bool>, Option<Turns>)>,
    /// Groups that are too many.
    pub(super) left_out: u32,
}

impl Slices {
    /// The groups of a scope, none of no scope.
    pub(super) fn new(session: &Session, scopes: &[ScopeInfo], scope: &str) -> Result<Self, Error> {
        if scope.is_empty() || scope == "overall" {
            return Ok(Self::default());
        }
        let unknown = |key: &str| Error::UnknownGroup {
            scope: scope.to_owned(),
            key: key.to_owned(),
        };
        let info = scopes.iter().find(|info| info.scope == scope);
        let info = info.ok_or_else(|| unknown(""))?;
        let benchmark = session.world().benchmark;
        let protocol = &session.loader.protocol;
        let mut keys = Vec::new();
        for key in info.keys.iter().take(MAX_KEYS) {
            let members = protocol.members(benchmark, scope, key);
            let turns = protocol.turns(benchmark, scope, key).map(|is_in| {
                let turns = benchmark.turns().filter(|(slot, ..)| is_in[*slot as usize]);
                turns.map(|(_, sample, turn, _)| (sample, turn)).collect()
            });
            keys.push((key.clone(), members.ok_or_else(|| unknown(key))?, turns));
        }
        Ok(Self {
            keys,
            left_out: count(info.keys.len().saturating_sub(MAX_KEYS)),
        })
    }

    /// Groups of these names, and which samples each has.
    pub(super) fn of_groups(keys: &[String], members: impl Fn(&str) -> Vec<bool>) -> Self {
        let shown = keys.iter().take(MAX_KEYS);
        Self {
            keys: shown.map(|key| (key.clone(), members(key), None)).collect(),
            left_out: count(keys.len().saturating_sub(MAX_KEYS)),
        }
    }

    /// The keys, in the scope's order.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|(key, ..)| key.as_str())
    }

    /// The keys with their places, to be asked by [`Slices::has`].
    pub(super) fn numbered(&self) -> impl Iterator<Item = (&str, Option<usize>)> {
        self.keys().zip((0..).map(Some))
    }

    /// Whether the groups are of turns rather than of samples.
    pub(super) fn is_of_turns(&self) -> bool {
        self.keys.iter().any(|(.., only)| only.is_some())
    }

    /// Whether a turn of a sample is in the group of this place.
    pub(super) fn has(&self, at: usize, sample: u32, turn: u32) -> bool {
        let (_, members, only) = &self.keys[at];
        let is_turn = |only: &Turns| only.contains(&(sample, turn));
        members[sample as usize] && only.as_ref().is_none_or(is_turn)
    }

    /// The groups that a place is in.
    pub(super) fn of(&self, place: &Place) -> impl Iterator<Item = Slice> {
        let (_, _, sample, turn) = *place;
        let keys = self.keys.iter().enumerate();
        keys.filter(move |(_, (_, members, only))| {
            let is_turn = |only: &Turns| only.contains(&(sample, turn));
            members[sample as usize] && only.as_ref().is_none_or(is_turn)
        })
        .map(|(at, _)| Slice::Key(at))
    }

    /// The group of this key.
    pub(super) fn at(&self, key: &str) -> Option<Slice> {
        self.keys().position(|known| known == key).map(Slice::Key)
    }

    /// The name of a group; empty for what is none.
    pub(super) fn key(&self, slice: Slice) -> String {
        match slice {
            Slice::Key(at) | Slice::Both(_, at) => self.keys[at].0.clone(),
            Slice::All | Slice::Model(_) => String::new(),
        }
    }
}
