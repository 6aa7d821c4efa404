//! Which samples a subset of the open benchmark has, and by which groups one can be drawn.

use crate::study::LinkedSession;
use std::collections::BTreeMap;

use juror_protocols::contract::Protocol;
use serde::{Deserialize, Serialize};

use super::count;
use super::state::Session;
use juror_model::sample::Sample;
use juror_model::subset::Subset;
use juror_statistics::small::CollectSmall;

/// Groups of samples that a subset can be drawn from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SubsetScope {
    /// Name in a subset and in the filter: `task`.
    pub scope: String,
    /// How many groups there are.
    pub groups: u32,
    /// Samples of the smallest group: up to here, every group gives as many as are asked for.
    pub smallest: u32,
    /// Samples in any of the groups.
    pub samples: u32,
}

/// How samples are grouped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Grouping {
    All,
    Domain,
    Category,
    /// By the tags of this name.
    Tag(String),
    /// By what follows from the sample: the keys of each, by its id.
    Derived(BTreeMap<String, Vec<String>>),
}

impl Grouping {
    /// Every grouping that some sample is in, under its usual name: the benchmark's own words first.
    pub(super) fn of(protocol: &dyn Protocol, samples: &[Sample]) -> Vec<(String, Self)> {
        let words = protocol.words();
        let mut known = vec![(Subset::ALL.to_owned(), Self::All)];
        let mut add = |name: String, grouping: Self| {
            let is_in = |sample: &Sample| !grouping.keys(sample).is_empty();
            if !name.is_empty()
                && known.iter().all(|(known, _)| *known != name)
                && samples.iter().any(is_in)
            {
                known.push((name, grouping));
            }
        };
        add(as_name(&words.domain), Self::Domain);
        add(as_name(&words.category), Self::Category);
        let mut tags: Vec<&str> = Vec::new();
        for (tag, _) in samples.iter().flat_map(|sample| &sample.tags) {
            if !tags.contains(&&**tag) {
                tags.push(tag);
                add(as_name(tag), Self::Tag(tag.to_string()));
            }
        }
        for (scope, by_id) in derived(protocol, samples) {
            add(scope.to_owned(), Self::Derived(by_id));
        }
        add("domain".to_owned(), Self::Domain);
        add("category".to_owned(), Self::Category);
        known
    }

    /// The keys of the groups that a sample is in.
    pub(super) fn keys<'a>(&'a self, sample: &'a Sample) -> Vec<&'a str> {
        let some = |text: &'a str| (!text.is_empty()).then_some(text).into_iter().collect();
        match self {
            Self::All => vec![""],
            Self::Domain => some(&sample.domain),
            Self::Category => some(&sample.category),
            Self::Tag(tag) => {
                let own = sample.tags.iter().filter(|(name, _)| name == tag);
                own.map(|(_, key)| key.as_str()).collect()
            }
            Self::Derived(by_id) => {
                let own = by_id.get(&sample.id);
                own.into_iter().flatten().map(String::as_str).collect()
            }
        }
    }
}

/// The groups that follow from what samples are, scope by scope: by the id of each, the keys of those that it is in.
pub(super) fn derived(
    protocol: &dyn Protocol,
    samples: &[Sample],
) -> Vec<(&'static str, BTreeMap<String, Vec<String>>)> {
    let mut found: Vec<(&'static str, BTreeMap<String, Vec<String>>)> = Vec::new();
    for sample in samples {
        for (scope, key) in protocol.derived_groups(sample) {
            let at = found.iter().position(|(known, _)| *known == scope);
            let at = at.unwrap_or_else(|| {
                found.push((scope, BTreeMap::new()));
                found.len() - 1
            });
            let keys = found[at].1.entry(sample.id.clone()).or_default();
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
    }
    found
}

/// By which groups a subset can be drawn, `all` first; what makes one group of all samples is `all` by another name.
pub fn subset_scopes(session: &LinkedSession<'_>) -> Vec<SubsetScope> {
    let samples = &session.world().benchmark.samples;
    let groupings = Grouping::of(&*session.loader.protocol, samples);
    let mut seen: Vec<Grouping> = Vec::new();
    let scope = |(name, grouping): (String, Grouping)| {
        let mut sizes: BTreeMap<&str, u32> = BTreeMap::new();
        let mut in_any = 0;
        for sample in samples {
            let keys = grouping.keys(sample);
            in_any += u32::from(!keys.is_empty());
            for key in keys {
                *sizes.entry(key).or_default() += 1;
            }
        }
        let is_other_name = seen.contains(&grouping);
        let is_one = grouping != Grouping::All && sizes.len() < 2;
        let scope = SubsetScope {
            scope: name,
            groups: count(sizes.len()),
            smallest: sizes.into_values().min().unwrap_or_default(),
            samples: in_any,
        };
        seen.push(grouping);
        (!is_one && !is_other_name).then_some(scope)
    };
    groupings.into_iter().filter_map(scope).collect_small()
}

/// Which samples a subset has.
///
/// # Errors
/// The names that are known, where the benchmark has no groups of this one.
pub(super) fn drawn(session: &Session, subset: &Subset) -> Result<Vec<bool>, Vec<String>> {
    let samples = &session.world().benchmark.samples;
    let groupings = Grouping::of(&*session.loader.protocol, samples);
    let wanted = as_name(&subset.scope);
    let wanted = wanted.strip_prefix("tag.").unwrap_or(&wanted);
    match groupings.iter().find(|(name, _)| name == wanted) {
        Some((_, grouping)) => {
            let with_keys = samples
                .iter()
                .map(|sample| (sample.id.as_str(), grouping.keys(sample)));
            Ok(subset.draw(with_keys))
        }
        None => Err(groupings.into_iter().map(|(name, _)| name).collect_small()),
    }
}

/// The names that a subset can be drawn by, other names of the same groups included.
pub(super) fn scope_names(session: &Session) -> Vec<String> {
    let samples = &session.world().benchmark.samples;
    let groupings = Grouping::of(&*session.loader.protocol, samples).into_iter();
    groupings.map(|(name, _)| name).collect_small()
}

/// Which samples of a scope that may be a subset of the benchmark; none of a subset that it does not have.
pub(super) fn is_drawn(session: &Session, subset: Option<&Subset>) -> Vec<bool> {
    let all = session.world().benchmark.samples.len();
    match subset {
        None => vec![true; all],
        Some(subset) => drawn(session, subset).unwrap_or_else(|_| vec![false; all]),
    }
}

/// A name as one writes it in the filter.
pub(super) fn as_name(text: &str) -> String {
    text.to_lowercase().replace(char::is_whitespace, "_")
}
