//! A benchmark: samples with their pictures and turns.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use crate::problem::Problem;
use crate::tree::FileId;
use juror_reading::names::{compose, id_key};

/// A piece of text in which `Image #k` is a link to a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Span {
    /// The text as written.
    pub text: String,
    /// The picture that it mentions.
    pub picture: Option<u32>,
}

/// One picture of the benchmark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PictureView {
    /// 1-based number, as in `Image #k`.
    pub number: u32,
    /// What it is called: `Image #1`, `RA`, `source`.
    pub label: String,
    /// Path as the sample list names it.
    pub path: String,
    /// File number, if the file exists.
    pub file: Option<u32>,
    /// What is wrong with it; empty if nothing is known.
    pub problem: String,
    /// The turn that has to produce it, if any; other pictures are inputs.
    pub produced_by: Option<u32>,
}

/// A benchmark as the names of files suggest it, before they are read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// The file that represents it in messages.
    pub list: FileId,
    /// Every text file to be read, the list included.
    pub files: Vec<FileId>,
    /// 0 where the names leave no doubt, more where they leave more.
    pub rank: u8,
}

/// The texts of files.
pub type Texts = BTreeMap<FileId, String>;

/// The samples of one benchmark.
#[derive(Clone, Debug, Default)]
pub struct Benchmark {
    /// The file that represents it: the sample list; `None` if the benchmark is only implied by replies.
    pub list: Option<FileId>,
    /// All text files that it rests on.
    pub files: Vec<FileId>,
    /// Folder of the sample list.
    pub folder: String,
    /// Samples in the order of the list.
    pub samples: Vec<Sample>,
    /// Items that could not be read.
    pub num_unreadable: u32,
    /// The only files that mention such an item: with them it is known that it lacks something.
    pub traces: Vec<FileId>,
    /// Findings about the list.
    pub problems: Vec<Problem>,
    /// Files of the benchmark's own form that tell of one model's outputs: known by what they say, not by their names.
    pub result_lists: Vec<ResultList>,
    /// Whether it was read only from lists of results, which need not hold every sample.
    pub is_of_results: bool,
    by_id: HashMap<String, u32>,
    /// Samples whose ids are not what ids are compared by, by that; `None` where several are.
    by_key: HashMap<String, Option<u32>>,
    turn_base: Vec<u32>,
}

impl Benchmark {
    /// Indexes the samples.
    pub fn new(list: Option<FileId>, folder: String, mut samples: Vec<Sample>) -> Self {
        // Files are listed by composed names, and outputs are looked for by these.
        let turns = samples.iter_mut().flat_map(|sample| &mut sample.turns);
        turns.for_each(|turn| compose(&mut turn.output_name));
        let mut by_id = HashMap::with_capacity(samples.len());
        let mut by_key = HashMap::new();
        let mut turn_base = Vec::with_capacity(samples.len() + 1);
        turn_base.push(0);
        for (index, sample) in (0u32..).zip(&samples) {
            by_id.entry(sample.id.clone()).or_insert(index);
            let key = id_key(&sample.id);
            if key != sample.id {
                by_key
                    .entry(key.into_owned())
                    .and_modify(|known| *known = None)
                    .or_insert(Some(index));
            }
            let base = turn_base.last().copied().unwrap_or(0);
            turn_base.push(base + u32::try_from(sample.turns.len()).unwrap_or(0));
        }
        Self {
            list,
            files: list.into_iter().collect(),
            folder,
            samples,
            num_unreadable: 0,
            traces: Vec::new(),
            problems: Vec::new(),
            result_lists: Vec::new(),
            is_of_results: false,
            by_id,
            by_key,
            turn_base,
        }
    }

    /// Position of the sample with this id; where none is called by the very text, as ids are compared: `15.0` is `15`.
    pub fn index_of(&self, id: &str) -> Option<u32> {
        let known = |id: &str| self.by_id.get(id).copied();
        known(id).or_else(|| {
            let key = id_key(id);
            known(&key).or_else(|| self.by_key.get(&*key).copied().flatten())
        })
    }

    /// The same for an id that probably is that of the sample at `guess`: replies mostly come in the order of the samples.
    pub fn index_near(&self, guess: u32, id: &str) -> Option<u32> {
        let is_there = |sample: &Sample| sample.id == id;
        if self.samples.get(guess as usize).is_some_and(is_there) {
            return Some(guess);
        }
        self.index_of(id)
    }

    /// Number of a turn among all turns, if the sample has it.
    pub fn turn_slot(&self, sample: u32, turn: u32) -> Option<u32> {
        let base = *self.turn_base.get(sample as usize)?;
        let end = *self.turn_base.get(sample as usize + 1)?;
        (turn < end - base).then(|| base + turn)
    }

    /// The turn of this number.
    pub fn turn_at(&self, slot: u32) -> Option<&Turn> {
        let sample = self
            .turn_base
            .partition_point(|base| *base <= slot)
            .checked_sub(1)?;
        self.samples
            .get(sample)?
            .turns
            .get((slot - self.turn_base[sample]) as usize)
    }

    /// All turns of all samples.
    pub fn num_turns(&self) -> usize {
        self.turn_base.last().copied().unwrap_or(0) as usize
    }

    /// Every turn with its number, sample index and turn index.
    pub fn turns(&self) -> impl Iterator<Item = (u32, u32, u32, &Turn)> {
        (0u32..)
            .zip(&self.samples)
            .flat_map(move |(index, sample)| {
                let base = self.turn_base[index as usize];
                (0u32..)
                    .zip(&sample.turns)
                    .map(move |(turn_idx, turn)| (base + turn_idx, index, turn_idx, turn))
            })
    }
}

/// A file that names the outputs of one model.
#[derive(Clone, Debug)]
pub struct ResultList {
    /// The file.
    pub file: FileId,
    /// Model, as the file names it; else the file's own name.
    pub model: String,
    /// Turn number and output of each entry; `None` where the output is not among the files.
    pub outputs: Vec<(u32, Option<FileId>)>,
    /// Turn number and path of each output that the list names next to itself and that is missing.
    pub missing: Vec<(u32, String)>,
}

/// One case to generate for.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Id, unique in the benchmark; WEAVEBench: the `idx` of the item, as text.
    pub id: String,
    /// The fine group: domain or task.
    pub domain: String,
    /// The coarse group that the fine one belongs to; empty for an unknown one.
    pub category: Cow<'static, str>,
    /// Further groups as scope and key: `references` 3.
    pub tags: Vec<(Cow<'static, str>, String)>,
    /// What a reader needs besides the instruction, as label and text: goal, constraints.
    pub details: Vec<(String, String)>,
    /// Pictures, the first one with number 1.
    pub pictures: Vec<Picture>,
    /// User messages with the answers asked for.
    pub turns: Vec<Turn>,
}

impl Sample {
    /// Whether it is in this further group.
    pub fn has_tag(&self, scope: &str, key: &str) -> bool {
        self.tags
            .iter()
            .any(|(own_scope, own_key)| own_scope == scope && own_key == key)
    }
}

/// A picture that the benchmark names.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Path as the list names it.
    pub path: String,
    /// The file, if it exists.
    pub file: Option<FileId>,
    /// What it is called: `Image #1`, `RA`, `source`.
    pub label: String,
}

/// What a turn asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnKind {
    /// A picture.
    Image,
    /// A text.
    Text,
}

/// One user message with the answer that is asked for.
#[derive(Clone, Debug)]
pub struct Turn {
    /// What is asked for.
    pub kind: TurnKind,
    /// The user's message.
    pub instruction: String,
    /// The assistant's content: the standard answer, or `Image #k`.
    pub answer: String,
    /// 1-based number of the picture to produce.
    pub picture: Option<u32>,
    /// What the judge checks.
    pub key_points: Vec<KeyPoint>,
    /// Name of the output file inside a model's picture folder.
    pub output_name: String,
}

/// One requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPoint {
    /// The key as written.
    pub key: String,
    /// Requirement with its `<image>` marker.
    pub text: String,
    /// Which picture it is compared with.
    pub compare: Compare,
}

/// The picture that a requirement is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// The benchmark's picture of this number.
    Dataset(u32),
    /// The model's own picture of this number.
    Generated(u32),
    /// None.
    Nothing,
}
