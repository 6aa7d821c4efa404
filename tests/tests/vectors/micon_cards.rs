//! Cards that a MICON project writes, beside what the authors' script loads of them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_make::micon::case::Count;
use juror_make::micon::{Project, Review, Settings, begin};
use juror_make::{Making as _, Reply};
use juror_protocols::micon::card::{Card, card};
use serde_json::Value;

const VECTORS: &str = include_str!("../../golden/micon_cards.json");

/// The project of the vectors, with every picture made.
fn project(vectors: &Value) -> Project {
    let counts = vectors["counts"].as_array().unwrap().iter();
    let counts = counts.map(|count| count.as_str().unwrap().parse::<Count>().unwrap());
    let settings = Settings {
        counts: counts.collect(),
        review: Review::Optional,
        ..Settings::default()
    };
    let mut project = begin(vectors["seed"].as_u64().unwrap(), settings).unwrap();
    loop {
        let due = project.due();
        if due.is_empty() {
            return project;
        }
        for request in due {
            project.add_reply(Reply {
                request: request.sha256(),
                picture: "ab".to_owned(),
                ..Reply::default()
            });
        }
    }
}

/// A card by the authors' loader, in our own words.
fn of(loaded: &Value) -> Card {
    let text = |key: &str| loaded[key].as_str().unwrap().to_owned();
    let texts = |key: &str| -> Vec<String> {
        let items = loaded[key].as_array().unwrap().iter();
        items
            .map(|item| item.as_str().unwrap().to_owned())
            .collect()
    };
    let refs = loaded["refs"].as_object().unwrap().iter();
    Card {
        case_id: text("case_id"),
        refs: refs
            .map(|(name, path)| (name.clone(), path.as_str().unwrap().to_owned()))
            .collect(),
        generation_prompt: text("generation_prompt"),
        goal: text("goal"),
        constraints_hard: texts("constraints_hard"),
        constraints_soft: texts("constraints_soft"),
        expectations: texts("expectation_list"),
    }
}

#[test]
fn every_made_card_says_to_the_authors_loader_what_it_says_to_us() {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let cards = vectors["cards"].as_array().unwrap();
    assert_eq!(cards.len(), 15);
    let files = project(&vectors).files().unwrap();
    for known in cards {
        let path = known["path"].as_str().unwrap();
        let text = known["text"].as_str().unwrap();
        let made = files.iter().find(|file| file.path == path).unwrap();
        assert_eq!(made.text, text, "{path} is what the loader was given");
        let (read, remarks) = card(text).unwrap();
        assert_eq!(read, of(&known["loaded"]), "{path}");
        assert!(remarks.is_empty(), "{path}: {remarks:?}");
        // A reader that loses a character is noticed.
        let (cut, _) = card(&text.replacen("goal: \"", "goal: \"!", 1)).unwrap();
        assert_ne!(cut, of(&known["loaded"]), "{path}");
    }
}
