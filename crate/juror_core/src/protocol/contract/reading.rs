//! One raw reply → verdict.

use crate::model::options::Profile;
use crate::model::reply::{ParsedReply, Read};
use crate::model::sample::Sample;

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
}
