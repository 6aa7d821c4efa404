//! Compares the levels of an experiment: each one's own numbers, and those of the samples that it shares with the first.

use std::collections::BTreeMap;

use juror_model::score::Scores;
use juror_statistics::clusters::{Clusters, Draws};
use juror_statistics::level::Level;
use juror_statistics::paired::Paired;

use super::super::count;
use super::{AND, Column, CompareInputs, CompareQuery, inputs_of, settle};
use crate::error::Error;
use crate::state::Session;

/// Whose numbers a level is: a model's by a judge, or by several joined by ` + `.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LevelOf {
    /// Position of the model.
    pub(crate) model: usize,
    /// The judge.
    pub(crate) judge: String,
}

/// One level in one group of samples.
#[derive(Debug)]
pub(crate) struct LevelValues {
    /// Its own numbers, one for each sample that has one.
    pub(crate) values: Clusters,
    /// Samples that should have one.
    pub(crate) expected: u32,
    /// Of the samples that the first level has as well, its number less the first one's; `None` of the first level itself.
    pub(crate) differences: Option<Differences>,
    /// These differences less those of the other block, over the samples that have all four numbers.
    pub(crate) interaction: Option<Differences>,
}

/// The levels of a block, and the position of the block whose differences its own are compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LevelsOf {
    /// Whose numbers each level is.
    pub(crate) levels: Vec<Option<LevelOf>>,
    /// A block before this one.
    pub(crate) other: Option<usize>,
}

/// Paired differences to the first level.
#[derive(Debug)]
pub(crate) struct Differences {
    /// One for each sample that both levels have.
    pub(crate) values: Clusters,
    /// Samples that both levels should have.
    pub(crate) expected: u32,
    /// The first level's mean over these samples.
    pub(crate) first: Option<f64>,
    /// The p-value of the paired test, as Compare has it.
    pub(crate) p: Option<f64>,
}

/// Scores by the judge that was chosen; of several joined judges by the name that joins them.
pub(crate) type ScoresByJudge = BTreeMap<String, Scores>;

impl Session {
    /// The levels of each block in the group that the query names; its judge does not count. The first of a block is what
    /// the others are held against.
    pub(crate) fn levels_of(
        &self,
        blocks: &[LevelsOf],
        scores: &ScoresByJudge,
        query: &CompareQuery,
    ) -> Result<Vec<Vec<Option<LevelValues>>>, Error> {
        let criteria = self.criteria();
        let mut all_inputs: BTreeMap<&str, CompareInputs<'_>> = BTreeMap::new();
        for level in blocks.iter().flat_map(|block| &block.levels).flatten() {
            let judge = level.judge.as_str();
            if all_inputs.contains_key(judge) {
                continue;
            }
            let Some(own) = scores.get(judge) else {
                continue;
            };
            let query = CompareQuery {
                judge: Some(judge.to_owned()),
                ..query.clone()
            };
            match inputs_of(self, own, &query, &criteria) {
                Ok(inputs) => {
                    all_inputs.insert(judge, inputs);
                }
                // A judge that has no score in a group has no numbers there.
                Err(Error::UnknownGroup { .. } | Error::UnknownJudge(_)) => {}
                Err(other) => return Err(other),
            }
        }
        let at_level = |block: &LevelsOf, at: usize| block.levels.get(at).cloned().flatten();
        let block = |block: &LevelsOf| {
            let first = at_level(block, 0);
            let other = block.other.and_then(|other| blocks.get(other));
            let level = |at: usize| {
                let level = at_level(block, at)?;
                let first = first.as_ref().filter(|_| at > 0);
                let mut found = values_of(&all_inputs, &level, first)?;
                if let (Some(first), Some(other)) = (first, other) {
                    let four = [
                        Some(level),
                        Some(first.clone()),
                        at_level(other, at),
                        at_level(other, 0),
                    ];
                    found.interaction = interaction_of(&all_inputs, &four);
                }
                Some(found)
            };
            (0..block.levels.len()).map(level).collect()
        };
        Ok(blocks.iter().map(block).collect())
    }

    /// Whether a judge's name joins several.
    pub(crate) fn is_joined(judge: &str) -> bool {
        judge.contains(AND)
    }
}

fn values_of(
    all_inputs: &BTreeMap<&str, CompareInputs<'_>>,
    level: &LevelOf,
    first: Option<&LevelOf>,
) -> Option<LevelValues> {
    let inputs = all_inputs.get(level.judge.as_str())?;
    let column = inputs.columns[level.model].as_ref()?;
    let (mut values, mut expected) = (Vec::new(), 0);
    for sample in inputs.members() {
        let value = column.value(inputs.turns(sample));
        expected += u32::from(value.is_some() || column.is_expected(sample));
        values.extend(value.map(|value| (sample, value)));
    }
    let reference = first.and_then(|first| {
        let inputs = all_inputs.get(first.judge.as_str())?;
        inputs.columns[first.model].as_ref()
    });
    let differences = reference.map(|reference| {
        let (mut pairs, mut firsts) = (Vec::new(), Vec::new());
        let mut expected = 0;
        for sample in inputs.members() {
            let should = |column: &Column| {
                column.value(inputs.turns(sample)).is_some() || column.is_expected(sample)
            };
            expected += u32::from(should(reference) && should(column));
            if let Some((a, b)) = reference.both(column, inputs.turns(sample)) {
                pairs.push((count(sample), b - a));
                firsts.push((sample, a));
            }
        }
        Differences {
            first: Clusters::new(firsts).mean(),
            ..differences_of(pairs, expected)
        }
    });
    Some(LevelValues {
        values: Clusters::new(values),
        expected,
        differences,
        interaction: None,
    })
}

/// The paired test of differences by sample.
fn differences_of(mut pairs: Vec<(u32, f64)>, expected: u32) -> Differences {
    settle(&mut pairs);
    let draws = Draws {
        seed: 1,
        replicates: 0,
    };
    let paired = Paired::new(pairs.clone(), draws, Level::default());
    // A single difference says nothing about others.
    let paired = paired.filter(|paired| paired.num_clusters > 1);
    Differences {
        values: Clusters::new(pairs),
        expected,
        first: None,
        p: paired.and_then(|paired| paired.p()),
    }
}

/// Of each sample (a − b) − (c − d), over the turns that all four have; `None` where one of the four is not there.
fn interaction_of(
    all_inputs: &BTreeMap<&str, CompareInputs<'_>>,
    four: &[Option<LevelOf>; 4],
) -> Option<Differences> {
    let mut columns = Vec::new();
    for level in four {
        let level = level.as_ref()?;
        let inputs = all_inputs.get(level.judge.as_str())?;
        columns.push(inputs.columns[level.model].as_ref()?);
    }
    let inputs = all_inputs.get(four[0].as_ref()?.judge.as_str())?;
    let (mut pairs, mut expected) = (Vec::new(), 0);
    for sample in inputs.members() {
        let should = |column: &&Column| {
            column.value(inputs.turns(sample)).is_some() || column.is_expected(sample)
        };
        expected += u32::from(columns.iter().all(should));
        if let Some([a, b, c, d]) = Column::common(&columns, inputs.turns(sample)).as_deref() {
            pairs.push((count(sample), (a - b) - (c - d)));
        }
    }
    Some(differences_of(pairs, expected))
}
