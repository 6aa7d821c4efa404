//! Replies of judges, with both readings of each.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::{Deref, Range};

use crate::compact::{Index, Number};
use crate::options::Profile;
use juror_reading::limits;
use juror_reading::text::Marks;

/// What `juror parse` prints: a verdict, or an incident.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum ParsedReply {
    /// The reply is a verdict.
    Ok {
        /// Criterion → score on the judge's scale.
        #[cfg_attr(feature = "typescript", ts(type = "Record<string, number>"))]
        criteria: std::collections::BTreeMap<String, f64>,
        /// The one score, where there is one.
        score: Option<f64>,
        /// The judge's reasoning.
        reason: String,
    },
    /// It is not.
    Incident {
        /// Stable kind.
        kind: String,
        /// What was expected, what was found, what to do.
        detail: String,
    },
}

/// Why a reply gives no score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Not the grammar.
    Unparsable,
    /// A number outside the scale.
    OutOfRange,
    /// The authors' summary passes over it without a word.
    Ignored,
    /// The authors' summary script stops here and writes no result.
    Stops,
    /// The authors' program cannot read the file that holds it.
    Undecodable,
    /// There is no reply, only the error of the call.
    FailedCall,
}

/// A reply as a score, or the reason why not.
pub type Reading = Result<f64, Fault>;

/// Both readings of a reply, in ten bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readings {
    value: Number,
    paper: Option<Fault>,
    released: Option<Fault>,
}

impl Readings {
    /// The strict reading and the imitation of the authors'; where both give a score, it is the same.
    pub fn new(paper: Reading, released: Reading) -> Self {
        Self {
            value: released.or(paper).ok().into(),
            paper: paper.err(),
            released: released.err(),
        }
    }

    /// By the strict reader.
    pub fn paper(&self) -> Reading {
        self.paper.map_or_else(|| Ok(self.value()), Err)
    }

    /// By the imitation of the authors' reader.
    pub fn released(&self) -> Reading {
        self.released.map_or_else(|| Ok(self.value()), Err)
    }

    fn value(&self) -> f64 {
        self.value.get().unwrap_or(f64::NAN)
    }
}

/// What one reply says, by both readers: its sub-scores in an order that only the protocol knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// By the strict reader.
    pub paper: Result<Box<[f64]>, Fault>,
    /// By the imitation of the authors' reader.
    pub released: Result<Box<[f64]>, Fault>,
}

impl Verdict {
    /// A verdict that neither reader gets anything from.
    pub fn fault(fault: Fault) -> Self {
        Self {
            paper: Err(fault),
            released: Err(fault),
        }
    }

    /// Whether each reader could read it, without the numbers.
    pub fn readings(&self) -> Readings {
        let reading = |read: &Result<Box<[f64]>, Fault>| match read {
            Ok(_) => Ok(0.0),
            Err(fault) => Err(*fault),
        };
        Readings::new(reading(&self.paper), reading(&self.released))
    }

    /// By the reader of a profile.
    pub fn of(&self, profile: Profile) -> Result<&[f64], Fault> {
        let read = match profile {
            Profile::Paper => &self.paper,
            Profile::Released => &self.released,
        };
        read.as_deref().map_err(|fault| *fault)
    }
}

/// A reply as it was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    /// One number.
    One(Readings),
    /// Several.
    Several(Verdict),
}

/// A file of judge output with all its replies, none dropped.
#[derive(Clone, Debug, Default)]
pub struct ReplyFile {
    /// The file's text; replies are ranges of it.
    pub text: String,
    /// Whether replies stand in it one behind the other; unless somebody looked, not.
    pub is_in_order: bool,
    /// Whether none of its characters is written as JSON's `\u` with a number; false unless it was checked.
    pub is_unescaped: bool,
    /// Lines that hold replies.
    pub lines: Vec<ReplyLine>,
    /// Replies in file order.
    pub replies: Vec<StoredReply>,
    /// What the replies say where one number does not tell: as many as replies, or none at all.
    pub verdicts: Vec<Verdict>,
    /// Judge id, if the file tells.
    pub judge: String,
    /// Run, from 1; 0 if the file does not tell.
    pub run: u32,
    /// Criterion names; [`StoredReply::criterion`] indexes this list.
    pub criteria: Vec<String>,
    /// Domain names; [`ReplyLine::domain`] indexes this list.
    pub domains: Vec<String>,
    /// Lines that could not be read.
    pub problems: LineProblems,
    /// Why the authors' program gets nothing from lines that the paper's profile reads; empty where it reads them.
    pub refusal: &'static str,
    /// By the positions of replies, the key around or in each that the file gives twice with different values.
    pub repeated: BTreeMap<u32, String>,
}

impl ReplyFile {
    /// Takes the replies at these positions from the paper's reading, as this key of theirs has two values and nobody knows
    /// which one is meant; the authors' reading, which takes the last one, stays.
    pub fn repeat(&mut self, positions: impl IntoIterator<Item = u32>, key: &str) {
        for position in positions {
            let Some(reply) = self.replies.get_mut(position as usize) else {
                continue;
            };
            reply.readings = Readings::new(Err(Fault::Unparsable), reply.readings.released());
            if let Some(verdict) = self.verdicts.get_mut(position as usize) {
                verdict.paper = Err(Fault::Unparsable);
            }
            self.repeated.entry(position).or_insert(key.to_owned());
        }
    }

    /// Names a key that a line gives twice with different values.
    pub fn tell_repeated(&mut self, line: u32, key: &str) {
        self.problems.push(LineProblem {
            line,
            code: REPEATED_KEY,
            message: format!("{}.", twice(key)),
            hint: "Remove the value that is not meant: the paper's formulas count neither, the authors' code reads the last one.",
        });
    }

    /// Takes lines, by their positions, from the authors' reading; the reading by the paper's rules stays.
    pub fn refuse(&mut self, lines: Range<u32>, fault: Fault, refusal: &'static str) {
        let Self {
            replies, verdicts, ..
        } = self;
        let refused = replies.iter_mut().enumerate();
        for (position, reply) in refused.filter(|(_, reply)| lines.contains(&reply.line)) {
            reply.readings = Readings::new(reply.readings.paper(), Err(fault));
            if let Some(verdict) = verdicts.get_mut(position) {
                verdict.released = Err(fault);
            }
        }
        self.refusal = refusal;
        self.problems.push(LineProblem {
            line: 0,
            code: REFUSED,
            message: refusal.to_owned(),
            hint: "Save the file as UTF-8 without a byte order mark; the paper's profile reads it as it is.",
        });
    }
}

/// Code of the finding that a key has two values.
pub const REPEATED_KEY: &str = "repeated_key";

/// Code of the finding that keys of a file hold replies to something that is not asked.
pub const NOT_ASKED: &str = "not_asked";

/// That a key has two values, in words.
pub fn twice(key: &str) -> String {
    format!("The key \"{key}\" is given twice, with different values")
}

/// Code of the finding that the authors' program cannot read a file.
pub const REFUSED: &str = "released_cannot_read";

/// What Python's `json.load` makes of a file with marks: nothing.
pub fn refuse_json(marks: Marks, replies: &mut ReplyFile) {
    const ORDER_MARK: &str = "The file begins with a byte order mark, at which the authors' code (Python's json.load) stops: scored as authors' code, nothing in it counts.";
    if marks.has_order_mark {
        replies.refuse(0..u32::MAX, Fault::Undecodable, ORDER_MARK);
    } else {
        refuse_text(marks, replies);
    }
}

/// What Python's `read` makes of a text file that is not UTF-8: nothing.
pub fn refuse_text(marks: Marks, replies: &mut ReplyFile) {
    if marks.is_broken {
        replies.refuse(0..u32::MAX, Fault::Undecodable, NOT_UTF8);
    }
}

const NOT_UTF8: &str = "The file is not UTF-8 throughout, at which the authors' code (Python) stops: scored as authors' code, nothing in it counts.";

/// One line of judge output.
#[derive(Clone, Debug)]
pub struct ReplyLine {
    /// Line number, from 1.
    pub number: u32,
    /// Sample id; `None` if the line has none.
    pub sample: Option<String>,
    /// Index into [`ReplyFile::domains`].
    pub domain: u16,
}

/// One reply as it is in a file.
#[derive(Clone, Debug)]
pub struct StoredReply {
    /// Index into [`ReplyFile::lines`].
    pub line: u32,
    /// Turn, from 0; absent if the file's key names no turn.
    pub turn: Index,
    /// Index into [`ReplyFile::criteria`].
    pub criterion: u16,
    /// Bytes of the reply in [`ReplyFile::text`].
    pub raw: Range<u32>,
    /// Both readings.
    pub readings: Readings,
}

/// A line that could not be read.
#[derive(Clone, Debug)]
pub struct LineProblem {
    /// Line number, from 1.
    pub line: u32,
    /// `bad_line`, `no_idx`, …
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: &'static str,
}

/// What is wrong with lines of a file: of each kind the first ones, the others as a count.
#[derive(Clone, Debug, Default)]
pub struct LineProblems {
    first: Vec<LineProblem>,
    /// How many of each kind there are.
    counts: BTreeMap<&'static str, usize>,
}

impl LineProblems {
    /// Notes a problem; beyond [`limits::FINDINGS_PER_FILE`] of its kind it is only counted.
    pub fn push(&mut self, problem: LineProblem) {
        let count = self.counts.entry(problem.code).or_default();
        *count += 1;
        if *count <= limits::FINDINGS_PER_FILE {
            self.first.push(problem);
        }
    }

    /// The kinds with problems that are only counted, and how many.
    pub fn more(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.counts.iter().filter_map(|(code, count)| {
            let more = count.checked_sub(limits::FINDINGS_PER_FILE)?;
            (more > 0).then_some((*code, more))
        })
    }
}

impl Deref for LineProblems {
    type Target = [LineProblem];

    fn deref(&self) -> &Self::Target {
        &self.first
    }
}
