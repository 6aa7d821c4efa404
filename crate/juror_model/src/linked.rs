//! Replies linked to the benchmark: what a protocol computes from.

use std::collections::HashMap;
use std::sync::Arc;

use crate::compact::Index;
use crate::experiment::Variant;
use crate::incident::IncidentKind;
use crate::judge::{is_derived, is_of_people};
use crate::reply::{Readings, Verdict};
use crate::sample::{Benchmark, Sample, Turn};
use crate::submission::{Kind, OutputState, Submission};
use crate::tree::{FileId, FileTree};
use juror_reading::keyed::Keyed;
use serde::Serialize;

/// One reply given for a model, from whatever source, linked to the benchmark.
#[derive(Clone, Copy, Debug)]
pub struct LinkedReply {
    /// Position of the sample; absent if the benchmark does not have it.
    pub sample: Index,
    /// Number of the turn among all turns; absent if the benchmark does not have it.
    pub slot: Index,
    /// Turn as the reply names it.
    pub turn: Index,
    /// Index into [`ModelData::criteria`].
    pub criterion: u16,
    /// Index into [`ModelData::domains`]: the domain that the reply's own line names.
    pub domain: u16,
    /// Index into [`ModelData::judges`].
    pub judge: u16,
    /// Run, from 1.
    pub run: u32,
    /// Both readings; of a reply with several numbers, only whether it could be read.
    pub readings: Readings,
    /// Index into [`ModelData::verdicts`], for a reply with several numbers.
    pub verdict: Index,
    /// Source: index into the world's reply sources, and the reply's position in it.
    pub origin: (u32, u32),
    /// Line, for messages.
    pub line: u32,
}

/// Everything known about one model, and what of it is scored.
///
/// A copy shares the replies and the answers, so that a choice of judge and run ([`ModelData::chosen`]) costs nothing.
#[derive(Clone, Debug, Default)]
pub struct ModelData {
    /// Name and files.
    pub submission: Arc<Submission>,
    /// What it states to be a variant of.
    pub variant: Variant,
    /// What it is judged on, where that was said or its answers could not be told apart; its replies and outputs tell otherwise.
    pub kind: Option<Kind>,
    /// State of the output of each turn.
    pub outputs: Arc<Vec<OutputState>>,
    /// Text answers by turn number.
    pub answers: Arc<HashMap<u32, String>>,
    /// All replies, in source order.
    pub given: Arc<Vec<LinkedReply>>,
    /// What those replies say that give several numbers.
    pub verdicts: Arc<Vec<Verdict>>,
    /// Kinds of request that replies answer, those of the protocol first; in WEAVEBench they are the criteria.
    pub criteria: Vec<String>,
    /// Domain names.
    pub domains: Vec<String>,
    /// Judge ids; the first is that of files that name none.
    pub judges: Vec<String>,
    /// Whether files that hold or may hold its replies could not be opened.
    pub has_unread_replies: bool,
    /// Whether any reply is of a run after the first.
    pub has_runs: bool,
    /// Replies per criterion.
    pub num_given: Vec<u32>,
    /// Replies per judge.
    pub num_by_judge: Vec<u32>,
    /// The judges whose replies are scored, as indexes into [`ModelData::judges`], in order.
    pub scored_judges: Vec<u16>,
    /// The run whose replies are scored; `None` for every run.
    pub scored_run: Option<u32>,
}

impl ModelData {
    /// What keeps a request from being scored that no reply was found to.
    pub fn without_reply(&self) -> IncidentKind {
        if self.has_unread_replies {
            IncidentKind::InaccessibleReply
        } else {
            IncidentKind::MissingReply
        }
    }

    /// Gives back what memory was reserved for more replies.
    pub fn shrink(&mut self) {
        Arc::make_mut(&mut self.given).shrink_to_fit();
        Arc::make_mut(&mut self.verdicts).shrink_to_fit();
    }

    /// Counts the replies, once they are all there.
    pub fn count_given(&mut self) {
        self.num_given = vec![0; self.criteria.len()];
        self.num_by_judge = vec![0; self.judges.len()];
        let derived = self.derived();
        for given in self.given.iter() {
            self.num_by_judge[usize::from(given.judge)] += 1;
            if derived[usize::from(given.judge)] {
                continue;
            }
            self.num_given[usize::from(given.criterion)] += 1;
            self.has_runs |= given.run > 1;
        }
        let counts = (0u16..).zip(&self.num_by_judge);
        let present = counts.filter(|(_, count)| **count > 0);
        self.scored_judges = present.map(|(judge, _)| judge).collect();
    }

    /// Of each judge, whether its replies are made of others' answers.
    pub fn derived(&self) -> Vec<bool> {
        self.judges.iter().map(|name| is_derived(name)).collect()
    }

    /// The same with the replies of one judge or one run alone; without a judge, all are scored but those left out.
    ///
    /// Every reply stays in place, as much is told by where a reply is and by which samples have any. Names of measured
    /// criteria are not of the replies and are left out.
    #[must_use]
    pub fn chosen(&self, judge: Option<&str>, run: Option<u32>, left_out: &[u16]) -> Self {
        let mut chosen = self.clone();
        chosen.criteria.truncate(self.num_given.len());
        chosen.scored_run = run;
        let Some(judge) = judge else {
            chosen
                .scored_judges
                .retain(|judge| !left_out.contains(judge));
            return chosen;
        };
        // Whoever is chosen is asked, though there be no reply.
        let at = intern(&mut chosen.judges, &mut Keyed::default(), judge);
        chosen.scored_judges = vec![at];
        if is_of_people(judge) {
            chosen.count_people(at);
        }
        chosen
    }

    /// Goes by those who rated: counts their replies, of all of them each one's as a run.
    fn count_people(&mut self, judge: u16) {
        // Nobody rates what is not there, so it counts for nobody who rates.
        for state in Arc::make_mut(&mut self.outputs) {
            if *state != OutputState::Present {
                *state = OutputState::NotGiven;
            }
        }
        for given in self.given.iter().filter(|given| given.judge == judge) {
            self.num_given[usize::from(given.criterion)] += 1;
            self.has_runs |= given.run > 1;
        }
    }

    /// The replies of a judge that are scored, with their positions among all.
    pub fn scored_of(&self, judge: u16) -> impl Iterator<Item = (u32, &LinkedReply)> {
        let all = (0u32..).zip(self.given.iter());
        all.filter(move |(_, given)| {
            given.judge == judge && self.scored_run.is_none_or(|run| given.run == run)
        })
    }

    /// The replies of one source, of the next one, …; those of one follow one another.
    pub fn by_source(&self) -> impl Iterator<Item = &[LinkedReply]> {
        let mut left = self.given.as_slice();
        std::iter::from_fn(move || {
            let source = left.first()?.origin.0;
            let num_own = left.partition_point(|given| given.origin.0 == source);
            let (own, others) = left.split_at(num_own);
            left = others;
            Some(own)
        })
    }
}

/// What a protocol computes from: the benchmark, the models and their replies.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// Listed files.
    pub tree: &'a FileTree,
    /// Samples.
    pub benchmark: &'a Benchmark,
    /// Models by name.
    pub models: &'a [ModelData],
}

impl World<'_> {
    /// The model of this name.
    pub fn model(&self, name: &str) -> Option<&ModelData> {
        self.models
            .iter()
            .find(|model| model.submission.name == name)
    }

    /// The sample of this id.
    pub fn sample(&self, id: &str) -> Option<&Sample> {
        let at = self.benchmark.index_of(id)?;
        self.benchmark.samples.get(at as usize)
    }

    /// Position, sample, turn number and turn of a key.
    pub fn turn(&self, sample: &str, turn: u32) -> Option<(u32, &Sample, u32, &Turn)> {
        let index = self.benchmark.index_of(sample)?;
        let slot = self.benchmark.turn_slot(index, turn)?;
        let sample = &self.benchmark.samples[index as usize];
        Some((index, sample, slot, &sample.turns[turn as usize]))
    }
}

/// Two files whose metric is a reply: one that was made of an output, and what it is held against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePair {
    /// Model.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// The kind of request that it answers.
    pub criterion: &'static str,
    /// Who would have answered it.
    pub judge: &'static str,
    /// Id of the metric.
    pub metric: &'static str,
    /// What was made of the output.
    pub candidate: Option<FileId>,
    /// What it is held against.
    pub reference: Option<FileId>,
    /// The file that is wanted where one of the two is missing; empty where nobody needs it.
    pub missing: String,
    /// The model's output.
    pub output: FileId,
    /// Which network can stand in for the files: what it computes, as packs name it, and what it holds the output against.
    pub network: Option<(&'static str, NetworkReference)>,
}

/// What a network holds an output against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum NetworkReference {
    /// A map that the benchmark has, which what the network makes of the output is held against.
    Map(FileId),
    /// A picture, of which the network makes the same as of the output.
    Picture(FileId),
    /// A text.
    Text(String),
    /// Nothing: only the output has a number.
    Nothing,
}

/// The position of a name in a list, which grows if the name is new.
pub fn intern(names: &mut Vec<String>, index: &mut Keyed, name: &str) -> u16 {
    let known = index.find(name, names, |known| known);
    let at = known.unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    });
    u16::try_from(at).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(judge: u16, run: u32) -> LinkedReply {
        LinkedReply {
            sample: Index::NONE,
            slot: Index::NONE,
            turn: Index::NONE,
            criterion: 0,
            domain: 0,
            judge,
            run,
            readings: Readings::new(Ok(1.0), Ok(1.0)),
            verdict: Index::NONE,
            origin: (0, 0),
            line: 1,
        }
    }

    #[test]
    fn a_choice_of_judge_and_run_shares_the_replies_and_moves_none() {
        let mut model = ModelData {
            criteria: vec!["kp".to_owned()],
            judges: ["", "a", "b"].map(str::to_owned).to_vec(),
            given: Arc::new(vec![reply(1, 1), reply(2, 1), reply(1, 2)]),
            ..ModelData::default()
        };
        model.count_given();
        model.criteria.push("psnr".to_owned());
        let scored = |model: &ModelData, judge: u16| -> Vec<u32> {
            model.scored_of(judge).map(|(at, _)| at).collect()
        };
        assert_eq!(
            (scored(&model, 1), scored(&model, 2)),
            (vec![0, 2], vec![1])
        );
        assert_eq!(model.scored_judges, [1, 2]);

        let second = model.chosen(None, Some(2), &[2]);
        assert!(Arc::ptr_eq(&second.given, &model.given));
        assert_eq!((scored(&second, 1), scored(&second, 2)), (vec![2], vec![]));
        assert_eq!(
            (&*second.scored_judges, second.criteria.len()),
            (&[1][..], 1)
        );

        let nobody = model.chosen(Some("c"), None, &[]);
        assert_eq!((&*nobody.scored_judges, nobody.judges.len()), (&[3][..], 4));
        assert_eq!(model.judges.len(), 3);
    }
}
