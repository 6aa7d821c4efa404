//! Counts of what a benchmark is made of, as tables of rows and columns.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

/// Counts by row and column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct CountTable {
    /// Stable name: `task`, `checkpoints`.
    pub id: String,
    /// Heading: `Cases by task`.
    pub title: String,
    /// What the rows are: `task`.
    pub of: String,
    /// The columns in order; a single one where only rows are distinguished.
    pub columns: Vec<CountKey>,
    /// The rows in order.
    pub rows: Vec<CountRow>,
    /// What a share is of: `of all cases`, `of the row`; empty where there are no shares.
    pub share_of: String,
}

/// What a row or column counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct CountKey {
    /// Stable name, as in the benchmark's files.
    pub key: String,
    /// What it is called.
    pub label: String,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct CountRow {
    /// Of what.
    pub of: CountKey,
    /// One for each column.
    pub counts: Vec<Count>,
}

/// A number, and its share where the table has shares.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Count {
    /// So many.
    pub n: u32,
    /// 0 to 1.
    pub share: Option<f64>,
}

/// A total that a paper prints, under the address of a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownTotal {
    /// [`CountTable::id`].
    pub table: String,
    /// Key of the row.
    pub row: String,
    /// Key of the column; empty for the only one.
    pub column: String,
    /// What is counted, in words.
    pub label: String,
    /// As printed.
    pub n: u32,
    /// Where: `Table 6`.
    pub source: String,
    /// What is to be known about it; mostly empty.
    pub note: String,
}

/// A number that a paper prints of other data than the benchmark's, or of what its files do not tell.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintedCount {
    /// [`CountTable::id`] of what it can be held against; empty where nothing can be counted.
    pub table: String,
    /// Key of the row.
    pub row: String,
    /// What is counted, in words.
    pub label: String,
    /// As printed.
    pub n: u32,
    /// Its share, 0 to 1, where one is printed.
    pub share: Option<f64>,
    /// What the share is of, in words.
    pub of: String,
    /// Where: `Table 6`.
    pub source: String,
    /// What is to be known about it; mostly empty.
    pub note: String,
}

/// What the counts of a table are shares of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shares<'a> {
    /// Of nothing.
    None,
    /// Of this number; in words.
    Of(u32, &'a str),
    /// Of the sum of their row; in words.
    OfRow(&'a str),
}

/// Keys in the order in which they were met.
#[derive(Clone, Debug, Default)]
struct Keys {
    known: Vec<String>,
    places: HashMap<String, usize>,
}

impl Keys {
    fn place(&mut self, key: &str) -> usize {
        if let Some(at) = self.places.get(key) {
            return *at;
        }
        let at = self.known.len();
        self.known.push(key.to_owned());
        self.places.insert(key.to_owned(), at);
        at
    }

    /// Places in the order in which they are shown: numbers by value, anything else as it was met.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.known.len()).collect();
        let numbers: Option<Vec<u64>> = self.known.iter().map(|key| key.parse().ok()).collect();
        if let Some(numbers) = numbers {
            order.sort_by_key(|at| numbers[*at]);
        }
        order
    }
}

/// Counts while they are counted.
///
/// # Example
/// ```
/// use juror_model::counts::{Shares, Tally};
/// let mut tally = Tally::default();
/// for (task, references) in [("Object", "3"), ("Object", "2"), ("Story", "2")] {
///     tally.add(task, references, 1);
/// }
/// let table = tally.table(("id", "Cases", "task"), Shares::OfRow("of the task"));
/// assert_eq!(table.columns[0].key, "2");
/// assert_eq!((table.rows[1].of.key.as_str(), table.rows[1].counts[1].n), ("Story", 0));
/// assert_eq!(table.rows[0].counts[0].share, Some(0.5));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tally {
    rows: Keys,
    columns: Keys,
    counts: BTreeMap<(usize, usize), u32>,
}

impl Tally {
    /// Counts this many more in a row and column.
    pub fn add(&mut self, row: &str, column: &str, n: u32) {
        let place = (self.rows.place(row), self.columns.place(column));
        *self.counts.entry(place).or_default() += n;
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The table; its id, its title, and what its rows are. Keys stand for their labels, without underscores.
    pub fn table(self, (id, title, of): (&str, &str, &str), shares: Shares<'_>) -> CountTable {
        let columns = self.columns.order();
        let count = |row: usize, column: usize| self.counts.get(&(row, column)).copied();
        let row = |row: usize| {
            let numbers: Vec<u32> = (columns.iter())
                .map(|column| count(row, *column).unwrap_or(0))
                .collect();
            let whole = match shares {
                Shares::None => None,
                Shares::Of(whole, _) => Some(whole),
                Shares::OfRow(_) => Some(numbers.iter().sum()),
            };
            let whole = whole.filter(|whole| *whole > 0).map(f64::from);
            let counted = numbers.into_iter().map(|n| Count {
                n,
                share: whole.map(|whole| f64::from(n) / whole),
            });
            CountRow {
                of: named(&self.rows.known[row]),
                counts: counted.collect(),
            }
        };
        CountTable {
            id: id.to_owned(),
            title: title.to_owned(),
            of: of.to_owned(),
            rows: self.rows.order().into_iter().map(row).collect(),
            columns: (columns.iter())
                .map(|at| named(&self.columns.known[*at]))
                .collect(),
            share_of: match shares {
                Shares::None => String::new(),
                Shares::Of(_, words) | Shares::OfRow(words) => words.to_owned(),
            },
        }
    }
}

fn named(key: &str) -> CountKey {
    CountKey {
        key: key.to_owned(),
        label: key.replace('_', " "),
    }
}

impl CountTable {
    /// Calls rows and columns by other names than their keys, where there is one.
    #[must_use]
    pub fn labelled(mut self, label: impl Fn(&str) -> Option<&'static str>) -> Self {
        let rows = self.rows.iter_mut().map(|row| &mut row.of);
        for key in rows.chain(&mut self.columns) {
            if let Some(label) = label(&key.key) {
                label.clone_into(&mut key.label);
            }
        }
        self
    }

    /// The number in a row and column, an empty one being the only one; `None` where the table lacks them.
    pub fn count(&self, row: &str, column: &str) -> Option<u32> {
        let at = match column {
            "" => 0,
            _ => self.columns.iter().position(|known| known.key == column)?,
        };
        let row = self.rows.iter().find(|known| known.of.key == row)?;
        row.counts.get(at).map(|count| count.n)
    }
}
