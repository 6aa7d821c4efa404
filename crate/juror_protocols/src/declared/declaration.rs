//! What a protocol file says, once all of it was checked.

use super::pattern::Pattern;
use super::request::Piece;
use juror_model::options::Policy;
use juror_model::terms::Direction;

/// What a protocol file says, all of it checked.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Declaration {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) source: String,
    pub(super) sample_word: String,
    pub(super) samples_word: String,
    pub(super) outputs: Vec<Pattern>,
    pub(super) replies: Vec<ReplyFiles>,
    pub(super) criteria: Vec<Criterion>,
    pub(super) requests: Vec<Request>,
    pub(super) total: Total,
    /// What a missing or unreadable output counts unless the user says otherwise.
    pub(super) missing: Missing,
    pub(super) groupings: Vec<Grouping>,
    /// The grouping that the overall mean is over; samples otherwise.
    pub(super) overall_over: Option<usize>,
    /// Judges that a mean of judges is given for, by the beginnings of their names.
    pub(super) mean_of: Vec<String>,
    pub(super) scale: f64,
    pub(super) decimals: u8,
}

impl Declaration {
    /// What no file says.
    pub(super) const fn nothing() -> Self {
        Self {
            id: String::new(),
            title: String::new(),
            source: String::new(),
            sample_word: String::new(),
            samples_word: String::new(),
            outputs: Vec::new(),
            replies: Vec::new(),
            criteria: Vec::new(),
            requests: Vec::new(),
            total: Total {
                rule: Rule::Mean,
                gates: Vec::new(),
                caps: Vec::new(),
            },
            missing: Missing::Zero,
            groupings: Vec::new(),
            overall_over: None,
            mean_of: Vec::new(),
            scale: 1.0,
            decimals: 3,
        }
    }
}

/// What a missing or unreadable output counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Missing {
    /// The worst score of every criterion.
    #[default]
    Zero,
    /// Nothing.
    Exclude,
}

impl Missing {
    pub(super) fn policy(self) -> Policy {
        match self {
            Self::Zero => Policy::Zero,
            Self::Exclude => Policy::Exclude,
        }
    }
}

/// Where the samples are listed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Listed {
    /// In the protocol file itself, under `/samples`.
    Inline,
    /// In a file next to it.
    File {
        /// Path from the protocol file's folder.
        file: String,
        /// What the fields of an entry are called there; as here otherwise.
        fields: Option<Fields>,
    },
}

/// What the fields of a sample are called in somebody else's list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Fields {
    pub(super) id: String,
    pub(super) instruction: Option<String>,
    pub(super) references: Vec<String>,
    /// Tag and field.
    pub(super) tags: Vec<(String, String)>,
}

/// Files of judge replies.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReplyFiles {
    pub(super) files: Pattern,
    /// Keys of a JSONL line.
    pub(super) sample: String,
    pub(super) reply: String,
    pub(super) request: String,
}

/// One sub-score.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Criterion {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) short: String,
    pub(super) meaning: String,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) step: Step,
    /// 0 keeps it out of the total.
    pub(super) weight: f64,
    pub(super) direction: Direction,
    /// JSON key, JSON Pointer or label in the reply.
    pub(super) reply: String,
}

/// Which numbers a criterion may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Any of the range.
    Any,
    /// Whole ones.
    Whole,
}

impl Criterion {
    /// The end of the range that a missing output gets, unless neither end is worse.
    pub(super) fn worst(&self) -> Option<f64> {
        match self.direction {
            Direction::Up => Some(self.low),
            Direction::Down => Some(self.high),
            Direction::Neither => None,
        }
    }

    /// `whole number from 1 to 10`.
    pub(super) fn scale_in_words(&self) -> String {
        let kind = match self.step {
            Step::Whole => "whole number",
            Step::Any => "number",
        };
        format!("{kind} from {} to {}", self.low, self.high)
    }
}

/// One kind of judge request.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Request {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) short: String,
    /// Indexes of the criteria that its reply gives, in their order.
    pub(super) criteria: Vec<usize>,
    /// The prompt as written, and in pieces; `None` if there is none.
    pub(super) prompt: Option<(String, Vec<Piece>)>,
    pub(super) form: Form,
    /// JSON key of the judge's reasoning.
    pub(super) reason: Option<String>,
    /// Beginnings of texts that stand in place of a reply when the call failed.
    pub(super) failed: Vec<String>,
}

/// The form of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One JSON object.
    Json,
    /// `Label: 7`, each on a line of its own.
    Lines,
}

/// How criteria make a total.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Total {
    pub(super) rule: Rule,
    pub(super) gates: Vec<Gate>,
    pub(super) caps: Vec<Cap>,
}

/// The formula of the total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Rule {
    /// Σ x / n.
    #[default]
    Mean,
    /// Σ w·x / Σ w.
    WeightedMean,
    /// exp(Σ w·ln x / Σ w).
    GeometricMean,
    /// The lowest.
    Minimum,
}

pub(super) const RULES: [(&str, Rule); 4] = [
    ("mean", Rule::Mean),
    ("weighted_mean", Rule::WeightedMean),
    ("geometric_mean", Rule::GeometricMean),
    ("minimum", Rule::Minimum),
];

/// A condition on what the judge gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Condition {
    pub(super) criterion: usize,
    pub(super) test: Test,
    pub(super) bound: f64,
}

/// How a score is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// `<`
    Below,
    /// `≤`
    AtMost,
    /// `>`
    Above,
    /// `≥`
    AtLeast,
}

pub(super) const TESTS: [(&str, Test); 4] = [
    ("below", Test::Below),
    ("at_most", Test::AtMost),
    ("above", Test::Above),
    ("at_least", Test::AtLeast),
];

/// What holds instead of the formula where a condition holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gate {
    pub(super) condition: Condition,
    pub(super) total: Option<f64>,
    /// Criterion and what it counts.
    pub(super) criteria: Vec<(usize, f64)>,
}

/// The most that a total can be where a condition holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cap {
    pub(super) condition: Condition,
    pub(super) at_most: f64,
}

/// Groups of samples by the values of a tag.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grouping {
    pub(super) scope: String,
    pub(super) tag: String,
    pub(super) label: String,
    /// Keys in display order; others follow as the samples have them.
    pub(super) order: Vec<String>,
    /// The grouping whose groups a group's mean is over; samples otherwise.
    pub(super) over: Option<usize>,
}
