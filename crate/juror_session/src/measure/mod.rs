//! Measured values: metrics of outputs held against a picture or a prompt, as records that outlive the program that made them.
//!
//! This crate decodes nothing and computes no metric: a host measures what [`measure_plan`](crate::measure_plan) names and
//! brings the values back. A value is a score like any other from there on, and never part of a protocol's total.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use juror_reading::limits::{self, BadLines};

mod catalog;
pub mod run;
pub(crate) mod values;

pub use catalog::{METRICS, MetricInfo, NETWORK_METRICS, info, is_of_network};
pub use juror_model::row::MEASURED;

/// The format's name and version, in every record.
pub const FORMAT: &str = "juror-measures/1";

/// Between the metric and what an output is held against, in the name of a criterion: `ssim@golden`.
const AT: char = '@';
/// Behind the name of a criterion whose outputs were brought to the counterpart's size.
const RESIZED: &str = "+resized";

/// What an output is held against.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Against {
    /// The picture that the turn asks for, where the benchmark has it.
    Golden,
    /// The input picture of this place among the sample's, from 1.
    Reference(u32),
    /// Every input picture; the value is the mean over them.
    References,
    /// The output of this model for the same turn.
    Model(String),
    /// The text that the output was asked for by.
    Prompt,
    /// The objects that the prompt names, as they are found in the references; one value for all of them.
    Objects,
}

impl Against {
    /// Reads `golden`, `reference:2`, `references` or `model:NAME`.
    ///
    /// # Example
    /// ```
    /// use juror_session::measure::Against;
    /// assert_eq!(Against::read("reference:2"), Some(Against::Reference(2)));
    /// assert_eq!(Against::read("reference:0"), None);
    /// ```
    pub fn read(text: &str) -> Option<Self> {
        match text.split_once(':') {
            None if text == "golden" => Some(Self::Golden),
            None if text == "references" => Some(Self::References),
            None if text == "prompt" => Some(Self::Prompt),
            None if text == "objects" => Some(Self::Objects),
            Some(("reference", number)) => {
                let number: u32 = number.parse().ok()?;
                (number > 0).then_some(Self::Reference(number))
            }
            Some(("model", name)) if !name.is_empty() => Some(Self::Model(name.to_owned())),
            _ => None,
        }
    }

    /// In words, behind "against".
    pub fn label(&self) -> String {
        match self {
            Self::Golden => "the golden answer".to_owned(),
            Self::Reference(number) => format!("reference {number}"),
            Self::References => "all references (mean)".to_owned(),
            Self::Model(name) => format!("the output of {name}"),
            Self::Prompt => "the prompt".to_owned(),
            Self::Objects => "the objects of the references (mean)".to_owned(),
        }
    }

    /// In a word, for the head of a column.
    fn short(&self) -> String {
        match self {
            Self::Golden => "golden".to_owned(),
            Self::Reference(number) => format!("ref {number}"),
            Self::References => "refs".to_owned(),
            Self::Model(name) => name.clone(),
            Self::Prompt => "prompt".to_owned(),
            Self::Objects => "objects".to_owned(),
        }
    }
}

impl fmt::Display for Against {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Golden => f.write_str("golden"),
            Self::Reference(number) => write!(f, "reference:{number}"),
            Self::References => f.write_str("references"),
            Self::Model(name) => write!(f, "model:{name}"),
            Self::Prompt => f.write_str("prompt"),
            Self::Objects => f.write_str("objects"),
        }
    }
}

/// What happens where an output and its counterpart differ in size.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Sizes {
    /// An incident: the pair has no value.
    #[default]
    Equal,
    /// The output is brought to the counterpart's size by Pillow's bicubic first.
    Resized,
}

/// What one number is of: a metric, a counterpart and a rule of sizes. Its text is the criterion of its rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MeasureKind {
    /// Position among all metrics.
    metric: usize,
    /// Counterpart.
    pub against: Against,
    /// Rule of sizes.
    pub sizes: Sizes,
}

impl MeasureKind {
    /// `None` for a metric that is neither in [`METRICS`] nor in [`NETWORK_METRICS`].
    pub fn new(metric: &str, against: Against, sizes: Sizes) -> Option<Self> {
        Some(Self {
            metric: catalog::position(metric)?,
            against,
            sizes,
        })
    }

    /// The metric.
    pub fn metric(&self) -> &'static MetricInfo {
        catalog::at(self.metric)
    }

    /// What happens to sizes that differ: networks bring pictures to their own.
    pub(crate) fn rule_of_sizes(&self) -> Sizes {
        if is_of_network(self.metric().id) {
            Sizes::Resized
        } else {
            self.sizes
        }
    }

    /// The metric's short name and the counterpart.
    pub fn short(&self) -> String {
        let resized = match self.sizes {
            Sizes::Equal => "",
            Sizes::Resized => ", resized",
        };
        format!(
            "{} · {}{resized}",
            self.metric().short,
            self.against.short()
        )
    }

    /// All of it in words.
    pub fn label(&self) -> String {
        let resized = match self.sizes {
            Sizes::Equal => "",
            Sizes::Resized => ", outputs resized to its size (Pillow bicubic)",
        };
        let (metric, against) = (self.metric().label, self.against.label());
        format!("{metric} against {against}{resized}")
    }
}

impl fmt::Display for MeasureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resized = match self.sizes {
            Sizes::Equal => "",
            Sizes::Resized => RESIZED,
        };
        write!(f, "{}{AT}{}{resized}", self.metric().id, self.against)
    }
}

/// Whether a criterion's name is one of measured values.
pub fn is_measured(criterion: &str) -> bool {
    let metric = criterion.split_once(AT).map(|(metric, _)| metric);
    metric.is_some_and(|metric| info(metric).is_some())
}

/// One metric of one output and one counterpart: a value, or why there is none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Measure {
    /// [`FORMAT`].
    pub format: String,
    /// Protocol id; empty in a list of values, which says nothing about its benchmark.
    pub protocol: String,
    /// Model.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Id of the metric.
    pub metric: String,
    /// `golden`, `reference:K`, `references`, `model:NAME`, `prompt` or `objects`.
    pub against: String,
    /// Number of the counterpart among the sample's pictures, from 1; 0 for what is none of them.
    pub number: u32,
    /// Rule of sizes.
    #[serde(default)]
    pub sizes: Sizes,
    /// The value, finite.
    pub value: Option<f64>,
    /// Why there is no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub problem: Option<String>,
    /// What computed it: `cpu` or `gpu`; `file` where it was computed elsewhere and its list does not say.
    pub backend: String,
    /// The counterpart's width in pixels; 0 where it could not be read.
    #[serde(default)]
    pub width: u32,
    /// The counterpart's height.
    #[serde(default)]
    pub height: u32,
    /// SHA-256 of the output's file, hex.
    #[serde(default)]
    pub output: String,
    /// SHA-256 of the counterpart's file, hex.
    #[serde(default)]
    pub counterpart: String,
    /// Which network computed it: pack, hash, runner, backend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub network: Option<String>,
}

impl Measure {
    /// What it is a number of; `None` where metric or counterpart are unknown.
    pub fn kind(&self) -> Option<MeasureKind> {
        MeasureKind::new(&self.metric, Against::read(&self.against)?, self.sizes)
    }

    /// What is wrong with it: a record must say what it is of, and hold a number or a reason.
    fn fault(&self) -> Option<String> {
        if self.format != FORMAT {
            return Some(format!(
                "Expected the format {FORMAT}, found {}.",
                self.format
            ));
        }
        if info(&self.metric).is_none() {
            return Some(format!("There is no metric {}.", self.metric));
        }
        if self.kind().is_none() {
            return Some(format!(
                "Expected golden, reference:K, references, model:NAME, prompt or objects, found {:?}.",
                self.against
            ));
        }
        if !BACKENDS.contains(&self.backend.as_str()) {
            return Some(format!(
                "Expected the backend cpu, gpu or file, found {:?}.",
                self.backend
            ));
        }
        (self.value.is_some() == self.problem.is_some())
            .then(|| "Expected a value or a problem, one of the two.".to_owned())
    }
}

/// What can have computed a value, as records have it.
const BACKENDS: [&str; 3] = ["cpu", "gpu", values::BACKEND];

/// A file of measured values with the lines that could not be read.
#[derive(Clone, Debug, Default)]
pub struct MeasureFile {
    /// Records with their line numbers, from 1.
    pub records: Vec<(u32, Measure)>,
    /// Line number and reason.
    pub bad_lines: BadLines,
}

/// Reads a file of measured values, be it of records or a list of values as CSV; `None` if its first line is something else.
pub fn read(text: &str) -> Option<MeasureFile> {
    read_records(text).or_else(|| values::read(text))
}

fn read_records(text: &str) -> Option<MeasureFile> {
    /// As little as tells ours from others'.
    #[derive(Deserialize)]
    struct Head {
        format: String,
    }
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    let head: Head = serde_json::from_str(first).ok()?;
    if !head.format.starts_with("juror-measures/") {
        return None;
    }
    let mut file = MeasureFile::default();
    let lines = (1..).zip(text.lines());
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        if let Some(reason) = limits::long_line(line) {
            file.bad_lines.push((number, reason));
            continue;
        }
        match serde_json::from_str::<Measure>(line) {
            Ok(record) => match record.fault() {
                None => file.records.push((number, exact(record, line))),
                Some(fault) => file.bad_lines.push((number, fault)),
            },
            Err(error) => file
                .bad_lines
                .push((number, format!("This is not a measured value: {error}."))),
        }
    }
    Some(file)
}

/// The value to its last digit: the reader of JSON may be off by one there, and rows must not change by being stored.
fn exact(mut record: Measure, line: &str) -> Measure {
    const KEY: &str = "\"value\":";
    let Some(near) = record.value else {
        return record;
    };
    let ends = |c: char| matches!(c, ',' | '}') || c.is_whitespace();
    let mut found = line.match_indices(KEY).filter_map(|(at, _)| {
        let rest = line[at + KEY.len()..].trim_start();
        rest.split(ends).next()?.parse::<f64>().ok()
    });
    // A quote inside a text is escaped, so only a key reads like this one.
    record.value = found
        .find(|value| (value - near).abs() <= near.abs() * 1e-12)
        .or(Some(near));
    record
}

/// Writes records, one per line.
pub fn write<'a>(records: impl IntoIterator<Item = &'a Measure>) -> String {
    let line = |record| serde_json::to_string(record).unwrap_or_default() + "\n";
    records.into_iter().map(line).collect()
}

/// What a record is about: whatever is measured again replaces it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) kind: MeasureKind,
    pub(crate) model: String,
    pub(crate) sample: String,
    pub(crate) turn: u32,
    pub(crate) number: u32,
}

/// Records by place, of which the last one counts.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    pub(crate) records: BTreeMap<Place, Measure>,
    /// Places that were measured on other pictures before.
    pub(crate) changed: Vec<Place>,
    /// Places that are both in a list made elsewhere and computed here.
    pub(crate) doubled: Vec<Place>,
}

impl Merged {
    /// Takes a record in place of an earlier one.
    pub(crate) fn push(&mut self, record: &Measure) {
        let Some(kind) = record.kind().filter(|_| record.fault().is_none()) else {
            return;
        };
        let place = Place {
            kind,
            model: record.model.clone(),
            sample: record.sample.clone(),
            turn: record.turn,
            number: record.number,
        };
        let is_listed = |one: &Measure| one.backend == values::BACKEND;
        // What cannot be measured here takes no value of a list away.
        let is_refused = record.value.is_none() && record.output.is_empty();
        if is_refused && self.records.get(&place).is_some_and(is_listed) {
            return;
        }
        let earlier = self.records.insert(place.clone(), record.clone());
        if (earlier.as_ref()).is_some_and(|earlier| is_listed(earlier) != is_listed(record)) {
            self.doubled.push(place.clone());
        }
        let is_other = |a: &str, b: &str| !a.is_empty() && !b.is_empty() && a != b;
        if earlier.is_some_and(|earlier| {
            is_other(&earlier.output, &record.output)
                || is_other(&earlier.counterpart, &record.counterpart)
        }) {
            self.changed.push(place);
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn measure(value: f64) -> Measure {
        Measure {
            format: FORMAT.to_owned(),
            protocol: "weave".to_owned(),
            model: "a".to_owned(),
            sample: "3".to_owned(),
            metric: "ssim".to_owned(),
            against: "golden".to_owned(),
            number: 2,
            value: Some(value),
            backend: "cpu".to_owned(),
            output: "aa".to_owned(),
            ..Measure::default()
        }
    }

    #[test]
    fn counterparts_and_criteria_read_as_they_are_written() {
        for text in [
            "golden",
            "reference:1",
            "references",
            "model:a b:c",
            "prompt",
            "objects",
        ] {
            assert_eq!(Against::read(text).unwrap().to_string(), text);
        }
        for text in [
            "",
            "gold",
            "reference",
            "reference:0",
            "reference:x",
            "model:",
        ] {
            assert_eq!(Against::read(text), None, "{text}");
        }
        let kind = MeasureKind::new("mse", Against::Reference(2), Sizes::Resized).unwrap();
        assert_eq!(kind.to_string(), "mse@reference:2+resized");
        assert!(is_measured(&kind.to_string()));
        assert!(!is_measured("accuracy") && !is_measured("taste@golden"));
        assert!(MeasureKind::new("taste", Against::Golden, Sizes::Equal).is_none());
    }

    #[test]
    fn what_is_written_is_read_again_and_faults_are_named_by_their_line() {
        let good = measure(0.1 + 0.2);
        let taste = Measure {
            metric: "taste".to_owned(),
            ..good.clone()
        };
        let both = Measure {
            problem: Some("and none".to_owned()),
            ..good.clone()
        };
        let text = write([&good, &taste, &both]) + "\n{half";
        let file = read(&text).unwrap();
        assert_eq!(file.records, [(1, good)]);
        let lines: Vec<u32> = file.bad_lines.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 3, 5]);
    }

    #[test]
    fn a_value_comes_back_to_its_last_digit() {
        for value in [
            0.992_178_814_888_597_5,
            0.945_007_991_399_261_4,
            0.1,
            5e-324,
            0.0,
            -0.0,
        ] {
            let text = write([&measure(value)]);
            let back = read(&text).unwrap().records[0].1.value.unwrap();
            assert_eq!(back.to_bits(), value.to_bits(), "{text}");
        }
        let spaced = write([&measure(0.25)])
            .replace(':', ": ")
            .replace(',', " , ");
        assert_eq!(read(&spaced).unwrap().records[0].1.value, Some(0.25));
    }

    #[test]
    fn a_file_of_another_format_is_left_to_others() {
        assert!(read("{\"format\":\"juror-journal/1\"}\n").is_none());
        assert!(read("").is_none());
        assert!(read("{\"format\":\"juror-measures/1\"}\n").is_some());
    }

    #[test]
    fn a_later_record_replaces_an_earlier_one_of_the_same_place_and_no_other() {
        let mut merged = Merged::default();
        merged.push(&measure(0.5));
        merged.push(&measure(0.75));
        merged.push(&Measure {
            turn: 1,
            ..measure(0.25)
        });
        let values: Vec<_> = merged.records.values().map(|one| one.value).collect();
        assert_eq!(values, [Some(0.75), Some(0.25)]);
        assert!(merged.changed.is_empty());
        merged.push(&Measure {
            output: "bb".to_owned(),
            ..measure(0.5)
        });
        assert_eq!(merged.changed.len(), 1);
        merged.push(&Measure {
            sizes: Sizes::Resized,
            ..measure(0.1)
        });
        assert_eq!(merged.records.len(), 3);
    }
}
