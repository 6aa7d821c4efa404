//! The filter expression of the sample list: what it can name, how it reads, and which samples pass.
//!
//! `task:add score<4 incident:missing text~"red banana" model:A>model:B+2`: terms side by side must all hold, `OR` stands
//! between alternatives, `-` or `NOT` before what must not hold, and parentheses group.
//! `model:A` and `judge:J` among the terms of a group choose whose scores, incidents and replies the others look at.

mod complete;
mod edit;
mod eval;
mod expression;
mod parse;
mod search;
mod text;

#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::view::FilterFault;
use juror_model::incident::IncidentKind;
use juror_model::subset::Subset;
use juror_reading::keyed::Keyed;

pub(super) use complete::complete;
pub(super) use edit::lists;
pub(super) use edit::toggled;
pub(super) use eval::{
    Counts, Passes, Scope, Shown, Subject, distance, look_through, mean, most_frequent, num_passing,
};
pub(super) use parse::parse;
pub(super) use search::Memory;

/// What an expression can name in the benchmark at hand.
#[derive(Debug, Default)]
pub(super) struct Schema {
    /// Groups of samples: domain, category, and each scope of tags.
    pub(super) groups: Vec<Group>,
    /// Models, in order.
    pub(super) models: Vec<String>,
    /// Judges that have a name.
    pub(super) judges: Vec<String>,
    /// Criteria as id and short name.
    pub(super) criteria: Vec<(String, String)>,
    /// Failure labels as id and name: those that were set at least once.
    pub(super) labels: Vec<(String, String)>,
    /// Names of the groups that a subset can be drawn from.
    pub(super) subset_scopes: Vec<String>,
}

/// One way to group samples.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// Names of the field, the usual one first.
    pub(super) names: Vec<String>,
    /// Heading.
    pub(super) label: String,
    /// Values in display order.
    pub(super) values: Vec<String>,
    /// Per sample: where its values start in `of`; one more entry at the end.
    starts: Vec<u32>,
    /// Indexes into `values`, sample by sample.
    of: Vec<u32>,
    /// The index of a value in `values`.
    index: Keyed,
}

impl Group {
    pub(super) fn new(names: Vec<String>, label: String, values: Vec<String>) -> Self {
        Self {
            names,
            label,
            values,
            starts: vec![0],
            of: Vec::new(),
            index: Keyed::default(),
        }
    }

    /// Takes the next sample's values in.
    pub(super) fn push<'a>(&mut self, values: impl Iterator<Item = &'a str>) {
        for value in values {
            let known = self.index.find(value, &self.values, |known| known);
            let at = known.unwrap_or_else(|| {
                self.values.push(value.to_owned());
                self.values.len() - 1
            });
            self.of.push(super::count(at));
        }
        self.starts.push(super::count(self.of.len()));
    }

    /// The values of a sample.
    pub(super) fn of(&self, sample: usize) -> &[u32] {
        let range = self.starts[sample] as usize..self.starts[sample + 1] as usize;
        &self.of[range]
    }
}

/// Fields that every benchmark has, with what they take.
pub(super) const FIELDS: [(&str, Takes, &str); 20] = [
    ("score", Takes::Number, "score of the chosen or any model"),
    (
        "model",
        Takes::Model,
        "choose a model, or compare its score",
    ),
    ("judge", Takes::Judge, "choose a judge"),
    (
        "criterion",
        Takes::Criterion,
        "a sub-score: criterion:NAME<4",
    ),
    ("spread", Takes::Number, "distance between models’ scores"),
    ("disagreement", Takes::Number, "distance between judges"),
    (
        "incident",
        Takes::Incident,
        "a kind of incident, any or none",
    ),
    ("label", Takes::Label, "a failure label, any or none"),
    ("judged", Takes::Judged, "all, part or none of the replies"),
    ("scored", Takes::YesNo, "yes or no: has a score"),
    ("id", Takes::Text, "sample id"),
    (
        "text",
        Takes::Pattern,
        "every text: instructions, answers, replies, errors",
    ),
    ("instruction", Takes::Pattern, "what the model is asked"),
    ("answer", Takes::Pattern, "a model’s text"),
    ("reply", Takes::Pattern, "raw replies of judges"),
    ("reason", Takes::Pattern, "judges’ reasons"),
    ("error", Takes::Pattern, "what went wrong"),
    ("pictures", Takes::Number, "pictures of the sample"),
    ("turns", Takes::Number, "turns of the sample"),
    (
        "subset",
        Takes::Subset,
        "a repeatable draw: subset:task/30, 30 of each task",
    ),
];

/// The part after a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Number,
    Model,
    Judge,
    Criterion,
    Incident,
    Label,
    Judged,
    YesNo,
    Text,
    Pattern,
    Subset,
}

/// A field, resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// Of every benchmark: index into [`FIELDS`].
    Fixed(usize),
    /// Of this one: index into [`Schema::groups`].
    Group(usize),
}

impl Schema {
    /// The field of this name, in any case.
    pub(super) fn field(&self, name: &str) -> Option<Field> {
        let fixed = FIELDS
            .iter()
            .position(|(known, _, _)| known.eq_ignore_ascii_case(name));
        fixed.map(Field::Fixed).or_else(|| {
            let has = |group: &Group| {
                group
                    .names
                    .iter()
                    .any(|known| known.eq_ignore_ascii_case(name))
            };
            self.groups.iter().position(has).map(Field::Group)
        })
    }

    /// Every field's usual name.
    pub(super) fn field_names(&self) -> impl Iterator<Item = &str> {
        let groups = self.groups.iter().map(|group| group.names[0].as_str());
        groups.chain(FIELDS.iter().map(|(name, _, _)| *name))
    }
}

/// An expression that was read.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    /// What has to hold.
    pub(super) expr: Expr,
    /// Whether the expression is alternatives, which need parentheses before a term is added.
    pub(super) is_alternatives: bool,
}

/// What has to hold of a sample.
#[derive(Debug)]
pub(super) enum Expr {
    /// All of these.
    All(Vec<Clause>),
    /// At least one of these.
    Any(Vec<Expr>),
    /// Not this.
    Not(Box<Expr>),
    /// This one thing.
    Term(Term),
}

impl Default for Expr {
    fn default() -> Self {
        Self::All(Vec::new())
    }
}

/// One of the things that must all hold, with its place in the text.
#[derive(Debug)]
pub(super) struct Clause {
    pub(super) expr: Expr,
    /// Bytes of the source.
    pub(super) span: Range<usize>,
    /// Field and values of a plain `field:a,b`.
    pub(super) list: Option<(Field, Vec<String>)>,
}

/// One thing that holds of a sample or not.
#[derive(Debug)]
pub(super) enum Term {
    /// The sample is in one of these groups (indexes into the group's values).
    Group {
        group: usize,
        values: Vec<u32>,
    },
    /// The number that the group's name is.
    GroupNumber {
        group: usize,
        test: Test,
    },
    GroupText {
        group: usize,
        pattern: Pattern,
    },
    Id(Vec<String>),
    IdText(Pattern),
    /// Chooses models for the terms next to it; is always true.
    Models(Vec<usize>),
    /// Chooses judges.
    Judges(Vec<usize>),
    Score(Test),
    ModelScore {
        model: usize,
        test: Test,
    },
    /// `a OP b + offset`.
    Versus {
        a: usize,
        op: Op,
        b: usize,
        offset: f64,
    },
    Criterion {
        criterion: usize,
        test: Test,
    },
    Spread(Test),
    Disagreement(Test),
    Pictures(Test),
    Turns(Test),
    Incident(Vec<IncidentTest>),
    Label(Vec<LabelTest>),
    Judged(Vec<Judged>),
    Scored(bool),
    Subset(Subset),
    Text {
        field: TextField,
        pattern: Pattern,
    },
}

/// What a sample's incidents are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IncidentTest {
    Any,
    None,
    Kind(IncidentKind),
}

/// What a sample's failure labels are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LabelTest {
    /// A chosen model's output has a label.
    Any,
    /// One was looked at, and none has a label.
    None,
    /// One has this label: its place in [`Schema::labels`].
    One(usize),
}

/// How much of a sample was judged, over the models that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    All,
    Part,
    None,
}

impl Judged {
    pub(super) const ALL: [(Self, &str, &str); 3] = [
        (Self::All, "all", "Fully judged"),
        (Self::Part, "part", "Partly judged"),
        (Self::None, "none", "Not judged"),
    ];
}

/// Where a pattern is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextField {
    Text,
    Instruction,
    Answer,
    Reply,
    Reason,
    Error,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Equal,
    NotEqual,
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// Numbers that are this near are taken to be equal: means are sums of many roundings.
const NEAR: f64 = 1e-9;

impl Op {
    pub(super) fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Equal => (left - right).abs() <= NEAR,
            Self::NotEqual => (left - right).abs() > NEAR,
            Self::Below => left < right - NEAR,
            Self::AtMost => left <= right + NEAR,
            Self::Above => left > right + NEAR,
            Self::AtLeast => left >= right - NEAR,
        }
    }
}

/// A condition on a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Test {
    Compare(Op, f64),
    /// Both ends included.
    Within(f64, f64),
}

impl Test {
    pub(super) fn holds(self, number: f64) -> bool {
        match self {
            Self::Compare(op, value) => op.holds(number, value),
            Self::Within(low, high) => {
                Op::AtLeast.holds(number, low) && Op::AtMost.holds(number, high)
            }
        }
    }
}

/// What a text has to contain.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    /// These characters, letters in either case.
    Literal(text::Needle),
    Regex(Box<expression::Expression>),
}

impl Pattern {
    /// Its text, for what is kept by it.
    fn name(&self) -> String {
        match self {
            Self::Literal(needle) => format!("\"{}", needle.text()),
            Self::Regex(regex) => format!("/{}", regex.as_str()),
        }
    }

    pub(super) fn is_in(&self, text: &str) -> bool {
        match self {
            Self::Literal(needle) => needle.is_in(text),
            Self::Regex(regex) => regex.is_match(text),
        }
    }
}

/// A value as an expression writes it: in quotes where it would read as something else.
pub(super) fn quoted(value: &str) -> String {
    let is_plain = |c: char| !c.is_whitespace() && !"()\",<>=!~".contains(c);
    if !value.is_empty() && value.chars().all(is_plain) && !value.contains("..") {
        return value.to_owned();
    }
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The known name that is nearest to what was written, if any is near.
pub(super) fn nearest<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.to_lowercase();
    let most = written.chars().count() / 3 + 1;
    let distance = |name: &str| {
        let name = name.to_lowercase();
        let is_part = written.chars().count() > 1 && name.contains(&written);
        if is_part { 1 } else { edits(&written, &name) }
    };
    known
        .map(|name| (distance(name), name))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Levenshtein's distance.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// A fault at these bytes of the source.
pub(super) fn fault(
    source: &str,
    span: Range<usize>,
    message: String,
    hint: String,
) -> FilterFault {
    FilterFault {
        start: units(source, span.start),
        end: units(source, span.end),
        message,
        hint,
        replacement: None,
    }
}

/// UTF-16 units before a byte of the source.
pub(super) fn units(source: &str, byte: usize) -> u32 {
    super::count(source.get(..byte).unwrap_or(source).encode_utf16().count())
}

/// The byte after so many UTF-16 units of the source.
pub(super) fn byte_at(source: &str, units: u32) -> usize {
    let mut left = units as usize;
    for (at, c) in source.char_indices() {
        if left < c.len_utf16() {
            return at;
        }
        left -= c.len_utf16();
    }
    source.len()
}

/// What `incident:` takes besides a kind.
pub(super) const INCIDENT_STATES: [(IncidentTest, &str, &str); 2] = [
    (IncidentTest::Any, "any", "Any incident"),
    (IncidentTest::None, "none", "No incident"),
];

/// What `label:` takes besides a label.
pub(super) const LABEL_STATES: [(LabelTest, &str, &str); 2] = [
    (LabelTest::Any, "any", "Any failure"),
    (LabelTest::None, "none", "No failure seen"),
];

/// The values of `incident:` with their meaning.
fn incident_values() -> impl Iterator<Item = (&'static str, &'static str)> {
    let states = INCIDENT_STATES
        .into_iter()
        .map(|(_, id, label)| (id, label));
    let kinds = IncidentKind::ALL.into_iter();
    states.chain(kinds.map(|kind| (kind.id(), kind.label())))
}
