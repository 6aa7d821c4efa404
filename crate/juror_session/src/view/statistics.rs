//! What a benchmark is made of, as it is shown.

use juror_model::counts::CountTable;
use juror_model::terms::Words;
use serde::{Deserialize, Serialize};

/// What a benchmark is made of; no model's files are in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct BenchmarkStatistics {
    /// The benchmark's name.
    pub title: String,
    /// What its samples are called.
    pub words: Words,
    /// Counts: of the whole, by group, and what the protocol counts besides.
    pub tables: Vec<CountTable>,
    /// How numbers of samples, instructions and pictures are spread.
    pub spreads: Vec<Spread>,
    /// The most frequent words of instructions.
    pub frequent: Frequent,
    /// The paper's figures, with those of this benchmark.
    pub totals: Vec<TotalRow>,
    /// What the paper prints of other data, or of what the files do not tell.
    pub printed: Vec<PrintedCountRow>,
    /// Files of pictures whose size is not known: not read yet, or not to be read.
    pub unknown_sizes: u32,
}

/// How one number is spread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Spread {
    /// Stable name: `words`, `references`.
    pub id: String,
    /// Heading: `Words of an instruction`.
    pub title: String,
    /// What has such a number: `instructions`.
    pub of: String,
    /// So many have it.
    pub n: u32,
    /// Sum.
    pub sum: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation; `None` of one value.
    pub sd: Option<f64>,
    /// The smallest.
    pub min: f64,
    /// The one in the middle; of an even number, the mean of the two there.
    pub median: f64,
    /// The largest.
    pub max: f64,
    /// How many lie in ranges of equal width, or have each of few different values, in order; none where the values are not
    /// whole.
    pub bins: Vec<Bin>,
}

/// A range of whole numbers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Bin {
    /// The first number of the range.
    pub from: f64,
    /// Its last.
    pub to: f64,
    /// So many values lie in it.
    pub n: u32,
}

/// The most frequent words of instructions, without stop words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Frequent {
    /// The most frequent first, at most sixty; equal ones by the order of their letters.
    pub words: Vec<FrequentWord>,
    /// Different words, stop words left out.
    pub distinct: u32,
    /// Words, stop words left out.
    pub counted: u32,
    /// Words that were left out as stop words, as one letter, or without any letter.
    pub left_out: u32,
}

/// One word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct FrequentWord {
    /// In small letters.
    pub word: String,
    /// Its count in all instructions.
    pub n: u32,
    /// In how many samples.
    pub samples: u32,
}

/// A total that the paper prints, with the count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct TotalRow {
    /// What is counted, in words.
    pub label: String,
    /// As printed.
    pub printed: u32,
    /// As counted here; 0 of a group that is not here at all.
    pub found: u32,
    /// What was counted less what is printed; anything but 0 is flagged.
    pub difference: i32,
    /// Where it is printed.
    pub source: String,
    /// What is to be known about it; mostly empty.
    pub note: String,
    /// [`CountTable::id`] of the count.
    pub table: String,
    /// Key of its row.
    pub row: String,
    /// Key of its column; empty for the only one.
    pub column: String,
}

/// A number that the paper prints of other data than this benchmark's, or of what its files do not tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PrintedCountRow {
    /// What is counted, in words.
    pub label: String,
    /// As printed.
    pub printed: u32,
    /// The printed share, 0 to 1; `None` where there is none.
    pub printed_share: Option<f64>,
    /// What the printed share is of, in words.
    pub of: String,
    /// As counted here; `None` of what cannot be counted from the files.
    pub found: Option<u32>,
    /// Its share here, 0 to 1, of all that stand beside a printed one; `None` without any.
    pub share: Option<f64>,
    /// Where it is printed.
    pub source: String,
    /// What is to be known about it; mostly empty.
    pub note: String,
}
