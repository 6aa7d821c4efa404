//! RefBlend's released sampler and instruction against the authors' functions, on recorded streams of choices.

use juror_make::draws::Numbers;
use juror_make::refblend::matrix::RefType;
use juror_make::refblend::original::{Found, Original, Picture, found_in_list};
use juror_make::refblend::{rating, released_instruction, sampler};
use juror_reading::py;
use juror_statistics::random::SplitMix64;
use serde_json::{Map, Value, json};

use super::{Tallies, Tally, agree};

/// The vectors, with the script that made them beside.
pub const VECTORS: &str = include_str!("../../golden/refblend.json");

/// How a draw is made of valid types, a size and a stream.
pub type Sample = fn(&[RefType], usize, &mut SplitMix64) -> Vec<RefType>;

/// Which types pass, or the rating that lacks.
pub type Valid =
    fn(&[RefType], &rating::Ratings) -> Result<Vec<(RefType, bool)>, juror_make::Error>;

/// The rules that a must-fail test exchanges for wrong ones.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// One draw of the sampler.
    pub sample: Sample,
    /// Which types pass.
    pub valid: Valid,
}

impl Rules {
    /// Juror's own.
    pub const JUROR: Self = Self {
        sample: |valid, size, numbers| sampler::sample(valid, size, numbers),
        valid: rating::released,
    };
}

/// Counts the numbers that are taken of a stream.
struct Counted(SplitMix64, u64);

impl Numbers for Counted {
    fn unit(&mut self) -> f64 {
        self.1 += 1;
        Numbers::unit(&mut self.0)
    }
}

/// Runs all cases.
///
/// # Panics
/// If the vectors are not what the script writes.
pub fn run(rules: &Rules) -> Tallies {
    let vectors: Value = serde_json::from_str(VECTORS).expect("the vectors are JSON");
    let mapping = py::loads(&vectors["mapping"].to_string()).expect("the mapping is JSON");
    let mut tallies = Tallies::new();
    let cases = |name: &str| vectors[name].as_array().cloned().unwrap_or_default();
    for case in cases("samples") {
        let (found, numbers) = sampled(rules, &case);
        let found = json!({"drawn": found, "numbers": numbers});
        let expected = json!({"drawn": case["drawn"], "numbers": case["numbers"]});
        count(
            tallies.entry("sample".to_owned()).or_default(),
            &case,
            &expected,
            &found,
        );
    }
    for case in cases("entries") {
        let found = entry(rules, &case, &mapping);
        count(
            tallies.entry("entry".to_owned()).or_default(),
            &case,
            &case["made"],
            &found,
        );
    }
    tallies
}

fn count(tally: &mut Tally, case: &Value, expected: &Value, found: &Value) {
    if agree(expected, found, 0.0) {
        tally.passed += 1;
    } else {
        let seed = &case["seed"];
        tally
            .failed
            .push(format!("seed {seed}: expected {expected}, found {found}"));
    }
}

fn types(value: &Value) -> Vec<RefType> {
    let ids = value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    ids.filter_map(RefType::named).collect()
}

fn ids(types: &[RefType]) -> Vec<&'static str> {
    types.iter().map(|one| one.id()).collect()
}

fn sampled(rules: &Rules, case: &Value) -> (Vec<&'static str>, u64) {
    let valid = types(&case["valid"]);
    let size = case["n"]
        .as_u64()
        .and_then(|n| usize::try_from(n).ok())
        .unwrap_or_default();
    let seed = case["seed"].as_u64().unwrap_or_default();
    let drawn = (rules.sample)(&valid, size, &mut SplitMix64::new(seed));
    let mut counted = Counted(SplitMix64::new(seed), 0);
    sampler::sample(&valid, size, &mut counted);
    (ids(&drawn), counted.1)
}

/// The entry as its paths say, its pictures without content.
fn original(found: &Found) -> Original {
    let picture = |path: &String| Picture {
        path: path.clone(),
        sha256: String::new(),
    };
    let references = found.references.iter();
    Original {
        id: found.id().to_owned(),
        picture: picture(&found.path),
        references: references
            .map(|(one, paths)| (*one, paths.iter().map(picture).collect()))
            .collect(),
        caption: found.caption.clone(),
        ratings: found.ratings.clone(),
        refused: Vec::new(),
    }
}

fn entry(rules: &Rules, case: &Value, mapping: &py::Value) -> Value {
    let found = found_in_list("refblend.json", &case["entry"].to_string()).expect("an entry");
    let original = original(&found[0]);
    let Ok(valid) = (rules.valid)(&original.types(), &original.ratings) else {
        return Value::Null;
    };
    let mut passed: Vec<RefType> = valid
        .iter()
        .filter(|(_, is)| *is)
        .map(|(one, _)| *one)
        .collect();
    passed.sort_unstable();
    let mut numbers = SplitMix64::new(case["seed"].as_u64().unwrap_or_default());
    let Some(drawn) = sampler::entry(&passed, &mut numbers) else {
        return Value::Null;
    };
    let made = released_instruction(&original, &drawn, mapping, &mut numbers);
    let pictures = made.pictures.iter();
    let pictures: Map<String, Value> = pictures
        .map(|(token, path)| (token.clone(), json!(path.as_str())))
        .collect();
    json!({"conditions": ids(&drawn), "image_path_mapping": pictures, "original_prompts": made.text})
}
