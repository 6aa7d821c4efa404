//! The demo must be valid by WEAVEBench's own rules, broken only where it is meant to be, and the same on every run.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read its input should stop"
)]

use std::collections::BTreeSet;

use serde_json::Value;

use std::sync::LazyLock;

use super::suite::Files;
use super::weave::files;

/// Drawn once for all tests.
static DEMO: LazyLock<Files> = LazyLock::new(|| files(7).unwrap());

fn is_picture(path: &str) -> bool {
    std::path::Path::new(path)
        .extension()
        .is_some_and(|end| end == "png")
}

fn parsed(files: &Files, path: &str) -> Value {
    serde_json::from_slice(files.get(path).unwrap()).unwrap()
}

fn items(files: &Files) -> Vec<Value> {
    parsed(files, "WEAVEBench/test/test.json")
        .as_array()
        .unwrap()
        .clone()
}

/// The numbers behind each `Image #` of a text.
fn mentioned(text: &str) -> Vec<usize> {
    let parts = text.split("Image #").skip(1);
    parts
        .map(|part| {
            part.chars()
                .take_while(char::is_ascii_digit)
                .collect::<String>()
                .parse()
                .unwrap()
        })
        .collect()
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let first = &*DEMO;
    assert!(*first == files(7).unwrap());
    let other = files(8).unwrap();
    assert_eq!(
        first.keys().collect::<Vec<_>>(),
        other.keys().collect::<Vec<_>>()
    );
    let differing = first
        .iter()
        .filter(|(path, bytes)| other.get(*path) != Some(*bytes))
        .count();
    assert!(differing > 20, "{differing} files differ");
}

#[test]
fn the_index_lists_every_file_with_its_size_in_order_and_all_are_small() {
    let files = &*DEMO;
    let index = parsed(files, "index.json");
    assert_eq!(index["name"], "Demo · WEAVEBench");
    let listed: Vec<(String, usize)> = index["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (
                entry["path"].as_str().unwrap().to_owned(),
                usize::try_from(entry["size"].as_u64().unwrap()).unwrap(),
            )
        })
        .collect();
    let expected: Vec<(String, usize)> = files
        .iter()
        .filter(|(path, _)| *path != "index.json")
        .map(|(path, bytes)| (path.clone(), bytes.len()))
        .collect();
    assert_eq!(listed, expected);
    assert!(listed.is_sorted());
    let (name, together) = super::suite::together(files);
    assert_eq!(index["together"], format!("../{name}"));
    let mut at = 0;
    for (path, size) in &listed {
        assert!(together[at..at + size] == files[path][..], "{path}");
        at += size;
    }
    assert_eq!(together.len(), at);
    for (path, size) in &listed {
        let limit = if is_picture(path) { 12_000 } else { 60_000 };
        assert!(*size < limit, "{path} has {size} bytes");
    }
    assert!(listed.iter().map(|(_, size)| size).sum::<usize>() < 4_000_000);
}

#[test]
fn every_dialogue_keeps_the_rules_of_the_data_set() {
    let files = &*DEMO;
    let items = items(files);
    assert_eq!(items.len(), 12);
    for (idx, item) in items.iter().enumerate() {
        assert_eq!(item["idx"], idx);
        let images = item["images"].as_array().unwrap();
        for image in images {
            assert!(files.contains_key(&format!("WEAVEBench/test/{}", image.as_str().unwrap())));
        }
        let chats = item["chats"].as_array().unwrap();
        assert!((4..=8).contains(&chats.len()) && chats.len() % 2 == 0);
        let mut made = BTreeSet::new();
        for pair in chats.chunks_exact(2) {
            let [user, assistant] = pair else {
                unreachable!("chunks of two")
            };
            assert_eq!(
                (&user["role"], &user["type"]),
                (&"user".into(), &"text".into())
            );
            assert_eq!(assistant["role"], "assistant");
            for number in mentioned(user["content"].as_str().unwrap()) {
                assert!(
                    (1..=images.len()).contains(&number),
                    "{idx}: Image #{number}"
                );
            }
            check_answer(assistant, images.len(), &mut made);
        }
    }
}

/// An answer's own rules: markers as many as references, and generated pictures referred to only once they exist.
fn check_answer(assistant: &Value, num_images: usize, made: &mut BTreeSet<usize>) {
    let content = assistant["content"].as_str().unwrap();
    if assistant["type"] == "text" {
        assert!(assistant["key_point"].is_null() && !content.is_empty());
        return;
    }
    assert_eq!(assistant["type"], "image");
    let numbers = mentioned(content);
    let [makes] = numbers.as_slice() else {
        panic!("{content} names one picture")
    };
    let points = assistant["key_point"].as_object().unwrap();
    assert!(!points.is_empty());
    for (key, requirement) in points {
        let markers = requirement.as_str().unwrap().matches("<image>").count();
        let number = || key.rsplit('#').next().unwrap().parse::<usize>().unwrap();
        if key.contains("GT") {
            assert!(
                (1..=num_images).contains(&number()) && markers == 1,
                "{key}"
            );
        } else if key.contains("Image") {
            assert!(
                made.contains(&number()) && markers == 1,
                "{key} refers to a picture made before"
            );
        } else {
            assert!(key == "Text" && markers == 0, "{key}");
        }
    }
    assert!(
        *makes <= num_images && made.insert(*makes),
        "{content} is made once"
    );
}

#[test]
fn all_categories_many_domains_and_text_turns_are_there() {
    let files = &*DEMO;
    let items = items(files);
    let domains: BTreeSet<&str> = items
        .iter()
        .map(|item| item["domain"].as_str().unwrap())
        .collect();
    assert!(domains.len() >= 9);
    for one_of in [
        ["optics", "astronomy"],
        ["edit", "story"],
        ["mathematics", "spatial"],
        ["maze", "chess_game"],
    ] {
        assert!(
            one_of.iter().any(|domain| domains.contains(domain)),
            "{one_of:?}"
        );
    }
    let answers = |item: &Value| {
        item["chats"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|chat| chat["role"] == "assistant" && chat["type"] == "text")
            .count()
    };
    assert!(items.iter().map(answers).sum::<usize>() >= 5);
}

/// Expected output files of a model by the data set's rules.
fn expected_outputs(files: &Files, model: &str) -> BTreeSet<String> {
    let mut expected = BTreeSet::new();
    for item in items(files) {
        let name = |number: usize| item["images"][number - 1].as_str().unwrap().to_owned();
        let answers = item["chats"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|chat| chat["role"] == "assistant");
        for (turn, answer) in answers.enumerate() {
            if answer["type"] == "image" {
                let makes = mentioned(answer["content"].as_str().unwrap())[0];
                expected.insert(format!("result/{model}/{}", name(makes)));
            } else {
                expected.insert(format!(
                    "result/{model}/{}_{turn}.txt",
                    name(1).trim_end_matches(".png")
                ));
            }
        }
    }
    expected
}

fn missing(files: &Files, model: &str) -> Vec<String> {
    let there: BTreeSet<String> = files
        .keys()
        .filter(|path| path.contains(&format!("{model}/imgs/")))
        .cloned()
        .collect();
    let expected = expected_outputs(files, model);
    assert!(there.is_subset(&expected), "nothing surplus");
    expected.difference(&there).cloned().collect()
}

#[test]
fn outputs_are_missing_only_on_purpose() {
    let files = &*DEMO;
    assert_eq!(missing(files, "aurora-synth"), Vec::<String>::new());
    assert_eq!(
        missing(files, "basalt-synth"),
        ["result/basalt-synth/imgs/story_7_2.png"]
    );
    assert_eq!(
        missing(files, "cinder-synth"),
        ["result/cinder-synth/imgs/optics_2_1_1.txt"]
    );
    let pages: Vec<&String> = files
        .iter()
        .filter(|(path, bytes)| is_picture(path) && !bytes.starts_with(b"\x89PNG"))
        .map(|(path, _)| path)
        .collect();
    assert_eq!(pages, ["result/cinder-synth/imgs/fusion_6_3.png"]);
}

fn lines(files: &Files, model: &str) -> Vec<Result<Value, String>> {
    let text = String::from_utf8(
        files
            .get(&format!("result/{model}/metrics_demo-judge.jsonl"))
            .unwrap()
            .clone(),
    )
    .unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).map_err(|_| line.to_owned()))
        .collect()
}

/// Every score of a line with its criterion.
fn scores(line: &Value) -> Vec<(String, Value)> {
    let turns = line
        .as_object()
        .unwrap()
        .iter()
        .filter(|(key, _)| key.starts_with("turn "));
    let criteria = turns.flat_map(|(_, turn)| turn.as_object().unwrap());
    criteria
        .map(|(criterion, verdict)| {
            assert!(!verdict["reasoning"].as_str().unwrap().is_empty());
            (criterion.clone(), verdict["score"].clone())
        })
        .collect()
}

fn is_valid((criterion, score): &(String, Value)) -> bool {
    match score.as_u64() {
        Some(score) if criterion == "accuracy" => [0, 5, 10].contains(&score),
        Some(score) => score <= 10,
        None => false,
    }
}

#[test]
fn replies_are_broken_only_on_purpose() {
    let files = &*DEMO;
    let aurora = lines(files, "aurora-synth");
    assert_eq!(aurora.len(), 12);
    assert!(
        aurora
            .iter()
            .all(|line| scores(line.as_ref().unwrap()).iter().all(is_valid))
    );

    let basalt = lines(files, "basalt-synth");
    let idx: Vec<u64> = basalt
        .iter()
        .flatten()
        .map(|line| line["idx"].as_u64().unwrap())
        .collect();
    assert_eq!(
        idx,
        [0, 1, 2, 4, 4, 5, 6, 7, 8, 9, 10],
        "dialogue 3 is not judged, 4 is judged twice"
    );
    assert_ne!(basalt.get(3), basalt.get(4));
    assert!(
        basalt
            .last()
            .unwrap()
            .as_ref()
            .unwrap_err()
            .starts_with("{\"idx\":11,"),
        "the last line is cut"
    );
    assert!(
        basalt
            .iter()
            .flatten()
            .all(|line| scores(line).iter().all(is_valid))
    );

    let cinder = lines(files, "cinder-synth");
    let odd: Vec<Value> = cinder
        .iter()
        .flatten()
        .flat_map(scores)
        .filter(|score| !is_valid(score))
        .map(|(_, score)| score)
        .collect();
    assert_eq!(odd, [Value::from(11), Value::from("7")]);
}

#[test]
fn the_three_models_differ_clearly_in_every_criterion() {
    let files = &*DEMO;
    let mean = |model: &str, criterion: &str| {
        let all = lines(files, model)
            .into_iter()
            .flatten()
            .flat_map(|line| scores(&line));
        let values: Vec<f64> = all
            .filter(|score| score.0 == criterion && is_valid(score))
            .filter_map(|(_, score)| score.as_f64())
            .collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    for criterion in [
        "key_point",
        "visual_consistency",
        "image_quality",
        "accuracy",
    ] {
        let [good, middling, weak] = super::dialogue::MODELS.map(|model| mean(model, criterion));
        assert!(
            good > middling + 1.0 && middling > weak + 1.0,
            "{criterion}: {good} {middling} {weak}"
        );
    }
}
