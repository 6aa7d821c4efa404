//! How good a reference is, on whole numbers from 1 to 5, and which references are good enough.
//!
//! Source: the MultiRef paper, sections 2.2 and C.2, in our own words; `validate_entry` of the authors' code.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use juror_protocols::multiref::instructions::valid_conditions;
use juror_reading::py::Value;

use super::matrix::RefType;
use super::original::{Original, Picture};
use crate::reply::object;
use crate::{Error, PromptPart, Request, Wanted};

/// A rating below this keeps a reference out.
const LEAST: f64 = 3.0;
/// Tries of one rating.
pub const MAX_TRIES: u32 = 3;

/// Ratings by their keys in the authors' files.
pub type Ratings = BTreeMap<String, f64>;

/// What a type is rated by: its keys for alignment and, where that is asked, for quality.
pub fn keys(one: RefType) -> (&'static str, Option<&'static str>) {
    match one {
        RefType::Canny => ("Canny Alignment", Some("Canny Quality")),
        RefType::Sketch => ("Sketch Alignment", Some("Sketch Quality")),
        RefType::SemanticMap => ("Semantic-Map Alignment", Some("Semantic-Map Quality")),
        RefType::Depth => ("Depth Alignment", Some("Depth Quality")),
        RefType::Mask => ("Mask Alignment", None),
        RefType::Caption => ("Caption Alignment", None),
        RefType::Bbox => ("Bounding-Box Accuracy", None),
        RefType::Subject => ("Subject Alignment", None),
        RefType::Pose => ("Pose Alignment", None),
        RefType::Style => ("Style Alignment", None),
    }
}

/// What 1 to 5 mean for a type's alignment.
fn alignment_steps(one: RefType) -> [&'static str; 5] {
    match one {
        RefType::Canny => [
            "the contours of the main objects are not there, or elsewhere",
            "few of them fit",
            "some of the main ones fit, others lack",
            "most fit, with small shifts",
            "all main ones fit all over",
        ],
        RefType::Sketch => [
            "the structure is not caught",
            "a vague likeness with large errors",
            "the idea is recognisable, with clear deviations",
            "the forms fit but for their proportions",
            "forms and composition fit",
        ],
        RefType::SemanticMap => [
            "nothing can be recognised",
            "few elements are there",
            "some key elements are there, others lack",
            "most are there, with small errors",
            "objects and layout are there; simplified forms are fine",
        ],
        RefType::Caption => [
            "it describes what is not there",
            "one or two elements are right",
            "the scene is right, key elements lack",
            "small errors",
            "it is right",
        ],
        RefType::Mask => [
            "it misses the object",
            "a small part of it, or far off",
            "most of it, or off",
            "small shifts",
            "outline and place are right",
        ],
        RefType::Depth | RefType::Bbox | RefType::Pose | RefType::Subject | RefType::Style => [
            "it has nothing to do with the original",
            "little of it fits",
            "it can be used",
            "it is right but for small things",
            "it is right",
        ],
    }
}

/// What 1 to 5 mean for a type's quality.
fn quality_steps(one: RefType) -> [&'static str; 5] {
    match one {
        RefType::Sketch => [
            "unreadable",
            "rough throughout",
            "the subject shows, with visible scatter",
            "clear lines",
            "clean throughout",
        ],
        RefType::SemanticMap => [
            "too few regions, or scattered ones",
            "they can barely be told apart, noisy",
            "the main ones are visible, with noise",
            "well bounded",
            "clean",
        ],
        _ => [
            "noise or gaps hide everything",
            "most objects are hard to tell",
            "key objects can be told despite noise",
            "clear contours, little noise",
            "clear, with the right amount of detail",
        ],
    }
}

/// The request of a try: the original first, then the reference.
pub fn request(original: &Original, one: RefType, attempt: u32) -> Request {
    let has_quality = keys(one).1.is_some();
    let label = one.label();
    let steps = |steps: [&str; 5]| -> String {
        let steps = (1..)
            .zip(steps)
            .map(|(number, step)| format!("\n{number} = {step}"));
        steps.collect()
    };
    let mut text = format!(
        "The first picture is an original. A {label} was made of it or goes with it{}.\n\nAlignment: does the {label} show what the original shows, where it shows it?{}",
        if one == RefType::Caption {
            ", and stands below"
        } else {
            ", and is shown next"
        },
        steps(alignment_steps(one)),
    );
    if has_quality {
        // Writing to a text never fails.
        let quality = steps(quality_steps(one));
        let _ = write!(
            text,
            "\n\nQuality: is the {label} clean and legible by itself?{quality}"
        );
    }
    text += if has_quality {
        "\n\nAnswer with one JSON object alone: {\"alignment\": 1 to 5, \"quality\": 1 to 5, \"reason\": text}"
    } else {
        "\n\nAnswer with one JSON object alone: {\"alignment\": 1 to 5, \"reason\": text}"
    };
    let mut parts = vec![PromptPart::text(text), original.picture.part()];
    if one == RefType::Caption {
        parts.push(PromptPart::text(format!(
            "The caption: {}",
            original.caption
        )));
    }
    parts.extend(original.pictures(one).iter().map(Picture::part));
    Request {
        kind: "rating".to_owned(),
        thing: original.thing(one),
        attempt,
        system: None,
        parts,
        wanted: Wanted::Text,
        lacked: String::new(),
    }
}

/// The ratings of a reply.
///
/// # Errors
/// It has no JSON object, or a number is missing or not a whole one from 1 to 5.
pub fn read(one: RefType, reply: &str) -> Result<Ratings, Error> {
    let object = object(reply)?;
    let (alignment, quality) = keys(one);
    let wanted = [("alignment", Some(alignment)), ("quality", quality)];
    let mut ratings = Ratings::new();
    for (name, key) in wanted {
        let Some(key) = key else { continue };
        let number = match object.get(name) {
            Some(Value::Int(x) | Value::Long(x, _) | Value::Float(x)) => Some(*x),
            _ => None,
        };
        let number = number.filter(|x| x.fract() == 0.0 && (1.0..=5.0).contains(x));
        let number = number.ok_or_else(|| {
            Error::reply(format!("Expected “{name}” as a whole number from 1 to 5."))
        })?;
        ratings.insert(key.to_owned(), number);
    }
    Ok(ratings)
}

/// The key that keeps a reference out by the paper's rule: the first that is rated below 3.
pub fn below(one: RefType, ratings: &Ratings) -> Option<&'static str> {
    let (alignment, quality) = keys(one);
    let keys = std::iter::once(alignment).chain(quality);
    keys.into_iter()
        .find(|key| ratings.get(*key).is_some_and(|rating| *rating < LEAST))
}

/// The authors' program: for each type whether it passes; pose and style are not among them.
///
/// # Errors
/// The key that lacks, which loses the entry.
pub fn released(types: &[RefType], ratings: &Ratings) -> Result<Vec<(RefType, bool)>, Error> {
    let entries = ratings
        .iter()
        .map(|(key, x)| (key.clone(), Value::Float(*x)));
    let judge = Value::Dict(entries.collect());
    let ids: Vec<&str> = types.iter().map(|one| one.id()).collect();
    let valid = valid_conditions(&judge, &ids).map_err(|error| Error::reply(error.to_string()))?;
    let known = valid.into_iter();
    Ok(known
        .filter_map(|(id, is_valid)| Some((RefType::named(id)?, is_valid)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_read_whole_or_not_at_all() {
        let read = |text: &str| read(RefType::Canny, text);
        let found =
            read("Well.\n```json\n{\"alignment\": 4, \"quality\": 2, \"reason\": \"noise\"}\n```");
        let found = found.expect("both numbers");
        assert_eq!(
            (found["Canny Alignment"], found["Canny Quality"]),
            (4.0, 2.0)
        );
        assert_eq!(below(RefType::Canny, &found), Some("Canny Quality"));
        for bad in [
            "4 and 2",
            "{\"alignment\": 4}",
            "{\"alignment\": 4, \"quality\": 2.5}",
            "{\"alignment\": 0, \"quality\": 2}",
            "{\"alignment\": \"4\", \"quality\": 2}",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_papers_rule_looks_at_what_is_rated_and_the_released_one_at_other_keys() {
        let ratings: Ratings = [
            ("Bounding-Box Accuracy", 1.0),
            ("Mask Alignment", 4.0),
            ("Depth Quality", 1.0),
        ]
        .map(|(key, x)| (key.to_owned(), x))
        .into();
        assert!(below(RefType::Bbox, &ratings).is_some());
        assert!(below(RefType::Depth, &ratings).is_some());
        assert_eq!(
            below(RefType::Pose, &ratings),
            None,
            "what is not rated is not out"
        );
        let found = released(&[RefType::Bbox, RefType::Depth, RefType::Style], &ratings);
        assert_eq!(
            found,
            Ok(vec![(RefType::Bbox, true), (RefType::Depth, true)])
        );
        let lost = released(&[RefType::Caption], &ratings);
        assert!(
            lost.expect_err("a key lacks")
                .to_string()
                .contains("Caption Alignment")
        );
    }
}
