//! One raw reply → verdict.

use crate::tolerant::Wanted;
use juror_model::options::Profile;
use juror_model::prompt::PromptPack;
use juror_model::reply::{ParsedReply, Read};
use juror_model::sample::Sample;
use juror_model::terms::Atom;

/// How a judge's reply reads.
pub trait Reading {
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

    /// What the strict reader wants of a reply, for readings that rewrite one; `None` of what no judge replies.
    fn wanted(&self, _sample: Option<&Sample>, _request: &str) -> Option<Wanted> {
        None
    }

    /// The tasks whose replies are read by rules of their own, as samples name them in their domain.
    fn tasks(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// What a reply is made of, in the judge's order: questions that a person can answer in its place.
    ///
    /// Empty where no person is asked: what is computed, or a sample of an unknown kind.
    fn atoms(&self, _sample: &Sample, _request: &str, _pack: &PromptPack) -> Vec<Atom> {
        Vec::new()
    }

    /// The reply that gives these values, one for each of [`Self::atoms`] in their order, by the reply grammar.
    fn compose(&self, _sample: &Sample, _request: &str, _values: &[f64]) -> String {
        String::new()
    }

    /// What a reply says of each of [`Self::atoms`], from the numbers of its verdict; NaN where it says nothing.
    fn said(&self, _sample: &Sample, _request: &str, numbers: &[f64]) -> Vec<f64> {
        numbers.to_vec()
    }
}
