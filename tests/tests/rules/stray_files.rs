//! Files that lie where they should not: copies, folders one too deep, outputs and replies under other names.
//! None of them changes a number of another model, and each is named.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::owned::{others, with};
use juror_model::options::ScoreOptions;
use juror_tests::added::{OWN, RIVAL, is_picture};
use juror_tests::generate::{File, open};
use juror_tests::program::demo_suite;
use serde_json::Value;

/// All that is shown of every model, and no findings.
fn shown(files: &[File]) -> Vec<Value> {
    let mut session = open(files);
    let report = juror_session::report(&session.study(&ScoreOptions::default()));
    let report = serde_json::to_value(report).unwrap();
    ["scores", "samples", "incidents"]
        .into_iter()
        .flat_map(|part| report[part].as_array().unwrap().clone())
        .collect()
}

/// The lines that every host shows beside its numbers, by code.
fn notice(files: &[File], code: &str) -> Option<String> {
    let notices = juror_session::notices(&open(files).linked());
    let found = notices.into_iter().find(|one| one.code == code);
    found.map(|one| one.text)
}

/// The files below a folder again below another one.
fn copied(files: &[File], from: &str, to: &str) -> Vec<File> {
    let below = files.iter().filter_map(|(path, bytes)| {
        let rest = path.strip_prefix(from)?;
        Some((format!("{to}{rest}"), bytes.clone()))
    });
    let copies: Vec<File> = below.collect();
    assert!(!copies.is_empty(), "{from}");
    files.iter().cloned().chain(copies).collect()
}

/// The files with each path changed.
fn moved(files: &[File], from: &str, to: &str) -> Vec<File> {
    let moved: Vec<File> = files
        .iter()
        .map(|(path, bytes)| (path.replacen(from, to, 1), bytes.clone()))
        .collect();
    let is_other = moved.iter().zip(files).any(|(a, b)| a.0 != b.0);
    assert!(is_other, "{from}");
    moved
}

/// What is done to the entries of a list.
type Change<'a> = &'a dyn Fn(&mut Vec<Value>);

/// What stands behind the last dot.
fn ending(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// The files with the text of some of them changed.
fn rewritten(files: &[File], below: &str, from: &str, to: &str) -> Vec<File> {
    let mut num_changed = 0;
    let change = |(path, bytes): &File| {
        let is_text = path.starts_with(below) && ending(path) == "json";
        if !is_text {
            return (path.clone(), bytes.clone());
        }
        let text = String::from_utf8(bytes.clone()).unwrap();
        num_changed += usize::from(text.contains(from));
        (path.clone(), text.replace(from, to).into_bytes())
    };
    let files = files.iter().map(change).collect();
    assert!(num_changed > 0, "{below}: {from}");
    files
}

const GENERATIONS: &str = "Evaluation/outputs/generations/basalt-synth/story_infer";

#[test]
fn a_copy_of_a_task_inside_the_task_changes_no_number_and_is_named() {
    for (id, folder) in [
        ("micon", GENERATIONS),
        (
            "micon",
            "Evaluation/outputs/eval_res/basalt-synth/basalt-synth_20260102_030405/judgments/story_infer",
        ),
        ("multibanana", "basalt-synth/add"),
        ("multibanana", "aurora-synth/3_local"),
    ] {
        let files = demo_suite(id);
        let name = folder.rsplit('/').next().unwrap();
        let nested = copied(&files, folder, &format!("{folder}/{name}"));
        assert_eq!(shown(&nested), shown(&files), "{folder}");
        let words = notice(&nested, "nested_task").unwrap();
        assert!(words.starts_with(&format!("{folder}/{name}/")), "{words}");
        assert_eq!(notice(&files, "nested_task"), None);
    }
}

#[test]
fn a_task_one_folder_too_deep_is_missing_for_its_model_alone() {
    for (id, folder) in [("micon", GENERATIONS), ("multibanana", "basalt-synth/add")] {
        let files = demo_suite(id);
        let name = folder.rsplit('/').next().unwrap();
        let deep = moved(&files, &format!("{folder}/"), &format!("{folder}/{name}/"));
        assert_eq!(others(&deep), others(&files), "{folder}");
        assert!(shown(&deep) != shown(&files), "{folder}");
        assert!(notice(&deep, "nested_task").is_some(), "{folder}");
        assert!(notice(&deep, "misnamed_files").is_some(), "{folder}");
    }
}

#[test]
fn copies_in_the_benchmark_are_no_samples_and_are_named() {
    let banana = demo_suite("multibanana");
    let micon = demo_suite("micon");
    let card = "Evaluation/data/object_composition/cases/case_0001";
    for (files, from, to) in [
        (&banana, "data/add/", "data/add (1)/"),
        (&banana, "data/add/", "data/add copy/"),
        (&banana, "data/add/003_", "data/add/003 - Copy_"),
        (&banana, "data/add/003_", "data/add/003 (1)_"),
        (&micon, card, &*format!("{card} (1)")),
        (&micon, card, &*format!("{card} copy")),
    ] {
        let with_copy = copied(files, from, to);
        assert_eq!(shown(&with_copy), shown(files), "{to}");
        let words = notice(&with_copy, "copied_samples").unwrap();
        assert!(words.starts_with(to), "{words}");
        assert_eq!(notice(files, "copied_samples"), None);
    }
}

#[test]
fn a_sample_that_is_called_a_copy_counts_where_no_original_is_beside_it() {
    let card = "Evaluation/data/object_composition/cases/case_0001";
    for (id, from, to) in [
        ("multibanana", "data/add/003_", "data/add/004 (1)_"),
        (
            "micon",
            card,
            "Evaluation/data/object_composition/cases/case_9 (1)",
        ),
    ] {
        let more = copied(&demo_suite(id), from, to);
        assert!(shown(&more) != shown(&demo_suite(id)), "{to}");
        assert_eq!(notice(&more, "copied_samples"), None);
    }
}

/// What lint says of a wrong name, and of another format.
const RENAME: &str = "Rename ";
const CONVERT: &str = "convert them to PNG";

/// Suite, an output, its name now, and what lint says of it.
const OTHER_NAMES: [[&str; 4]; 13] = [
    [
        "multibanana",
        "aurora-synth/add/003_generated.png",
        "aurora-synth/add/generated_003.png",
        RENAME,
    ],
    [
        "multibanana",
        "aurora-synth/add/003_generated.png",
        "aurora-synth/add/imgs/003_generated.png",
        RENAME,
    ],
    [
        "multibanana",
        "aurora-synth/add/003_generated.png",
        "aurora-synth/add/003_generated",
        RENAME,
    ],
    [
        "multibanana",
        "aurora-synth/add/003_generated.png",
        "aurora-synth/add/003_generated.heic",
        CONVERT,
    ],
    [
        "micon",
        "aurora-synth/object_composition/case_0001.png",
        "aurora-synth/object_composition/imgs/case_0001.png",
        RENAME,
    ],
    [
        "micon",
        "aurora-synth/object_composition/case_0001.png",
        "aurora-synth/object_composition/case_0001",
        RENAME,
    ],
    [
        "micon",
        "aurora-synth/object_composition/case_0001.png",
        "aurora-synth/object_composition/case_0001.tiff",
        CONVERT,
    ],
    [
        "micon",
        "aurora-synth/object_composition/case_0001.png",
        "aurora-synth/object_composition/case_0001/0.png",
        RENAME,
    ],
    [
        "multiref",
        "aurora-synth/images/harbour.png",
        "aurora-synth/images/harbour.tiff",
        CONVERT,
    ],
    [
        "multiref",
        "aurora-synth/images/harbour.png",
        "aurora-synth/images/harbour",
        RENAME,
    ],
    [
        "weave",
        "aurora-synth/imgs/fusion_6_3.png",
        "aurora-synth/imgs/fusion_6_3.tiff",
        CONVERT,
    ],
    [
        "weave",
        "aurora-synth/imgs/fusion_6_3.png",
        "aurora-synth/imgs/fusion_6_3",
        RENAME,
    ],
    [
        "vibe",
        "aurora-synth/Level-1-Deictic/Addition/imgs/animation_1.png",
        "aurora-synth/Level-1-Deictic/Addition/imgs/animation_1.avif",
        CONVERT,
    ],
];

#[test]
fn an_output_under_another_name_is_named_and_lint_tells_what_to_do() {
    for [id, from, to, hint] in OTHER_NAMES {
        let files = demo_suite(id);
        let named = |files: &[File]| {
            let codes = ["misnamed_files", "unread_formats"];
            codes
                .into_iter()
                .find_map(|code| notice(files, code).filter(|text| text.contains(to)))
        };
        let misnamed = moved(&files, from, to);
        assert!(named(&misnamed).is_some(), "{to}");
        assert_eq!(named(&files), None, "{to}");
        let found = juror_session::lint(&open(&misnamed).linked()).unwrap();
        let is_about = |one: &&juror_session::view::lint::LintFinding| {
            one.hint.contains(hint) && (one.path.ends_with(to) || one.hint.contains(to))
        };
        assert!(found.iter().any(|one| is_about(&one)), "{to}: {found:?}");
    }
}

#[test]
fn an_output_without_its_ending_is_not_named_where_nothing_is_missing() {
    for (id, path) in [
        ("multibanana", "aurora-synth/add/003_generated"),
        (
            "micon",
            "Evaluation/outputs/generations/aurora-synth/object_composition/case_0001.tiff",
        ),
        ("multiref", "aurora-synth/LICENSE"),
    ] {
        let mut files = demo_suite(id);
        files.push((path.to_owned(), b"x".to_vec()));
        for code in ["misnamed_files", "unread_formats"] {
            let words = notice(&files, code).unwrap_or_default();
            assert!(!words.contains(path), "{words}");
        }
    }
}

/// The text of a list with the paths of outputs changed, and no others.
fn change_outputs(text: &str, from: &str, to: &str) -> String {
    let key = "\"image_path\": ";
    text.replace(&format!("{key}{from}"), &format!("{key}{to}"))
}

#[test]
fn multiref_an_unfinished_list_costs_its_entry_and_no_picture() {
    let files = demo_suite("multiref");
    let count = |files: &[File]| {
        let mut session = open(files);
        let found = juror_session::lint(&session.linked()).unwrap();
        let missing = |one: &&juror_session::view::lint::LintFinding| {
            one.model == RIVAL && one.code.contains("output")
        };
        let num_outputs = juror_session::lint_report(&session.linked())
            .unwrap()
            .outputs;
        (found.iter().filter(missing).count(), num_outputs)
    };
    let path = "aurora-synth/results_synthetic.json";
    let list = |change: &dyn Fn(&mut Vec<Value>)| -> Vec<File> {
        let change = |(own, bytes): &File| {
            if own != path {
                return (own.clone(), bytes.clone());
            }
            let mut items: Vec<Value> = serde_json::from_slice(bytes).unwrap();
            change(&mut items);
            (own.clone(), serde_json::to_vec(&items).unwrap())
        };
        files.iter().map(change).collect()
    };
    let before = count(&files);
    let name = |item: &mut Value| {
        let path = item["results"]["image_path"].as_str().unwrap();
        let name = path.rsplit('/').next().unwrap().to_owned();
        item["results"]["image_path"] = name.into();
    };
    let run = |item: &mut Value| {
        let path = item["results"]["image_path"].as_str().unwrap();
        let name = path.rsplit('/').next().unwrap();
        item["results"]["image_path"] = format!("/data/run7/{name}").into();
    };
    let variants: [(&str, Change<'_>); 7] = [
        ("no results", &|items| {
            items.last_mut().unwrap()["results"] = serde_json::json!({});
        }),
        ("no path", &|items| {
            items.last_mut().unwrap()["results"]["image_path"] = "".into();
        }),
        ("null", &|items| {
            items.last_mut().unwrap()["results"]["image_path"] = Value::Null;
        }),
        ("missing entry", &|items| drop(items.pop())),
        ("half", &|items| items.truncate(4)),
        ("bare names", &|items| items.iter_mut().for_each(name)),
        ("another run", &|items| items.iter_mut().for_each(run)),
    ];
    for (what, change) in variants {
        let changed = list(change);
        assert_eq!(count(&changed), before, "{what}");
        assert_eq!(notice(&changed, "nested_model"), None, "{what}");
    }
    // Outputs that are not named after their samples are known by their lists alone.
    for (own, to) in [("images/", ""), ("images/", "/data/run7/")] {
        let (from, to) = (format!("\"{own}real_"), format!("\"{to}real_"));
        let real = |(path, bytes): &File| {
            let text = String::from_utf8_lossy(bytes);
            if path != "aurora-synth/results_real_world.json" {
                return (path.clone(), bytes.clone());
            }
            (path.clone(), change_outputs(&text, &from, &to).into_bytes())
        };
        let changed: Vec<File> = files.iter().map(real).collect();
        assert!(changed != files);
        assert_eq!(count(&changed), before, "{to}");
    }
    let gone: Vec<File> = (files.iter())
        .filter(|(path, _)| path != "aurora-synth/images/harbour.png")
        .cloned()
        .collect();
    assert!(count(&gone) != before);
}

#[test]
fn multiref_a_list_that_names_another_model_counts_for_its_folders() {
    let files = demo_suite("multiref");
    let (own, rival) = (
        r#""model_name": "basalt-synth""#,
        r#""model_name": "aurora-synth""#,
    );
    let copied = rewritten(&files, "basalt-synth/", own, rival);
    assert_eq!(shown(&copied), shown(&files));
    let words = notice(&copied, "other_model_named").unwrap();
    assert!(
        words.contains("basalt-synth/results_") && words.contains(RIVAL),
        "{words}"
    );
    assert_eq!(notice(&files, "other_model_named"), None);
    // Nor are they those of a model whose outputs nobody has judged.
    let unjudged = |files: &[File]| -> Vec<File> {
        let is_kept = |(path, _): &&File| is_picture(path) || !path.starts_with(RIVAL);
        files.iter().filter(is_kept).cloned().collect()
    };
    assert_eq!(shown(&unjudged(&copied)), shown(&unjudged(&files)));
    // A name that is nobody's folder is the model's, as it always was.
    let renamed = rewritten(&files, "basalt-synth/", own, r#""model_name": "OmniGen""#);
    let mut session = open(&renamed);
    let rows = juror_session::score_rows(&session.study(&ScoreOptions::default()));
    assert!(rows.iter().any(|row| row.model == "OmniGen"));
    assert!(rows.iter().all(|row| row.model != OWN));
}

#[test]
fn weave_outputs_in_images_beside_verdicts_are_their_models() {
    let files = demo_suite("weave");
    let mut other = files.clone();
    for model in ["aurora", "basalt", "cinder"] {
        let folder = format!("result/{model}-synth");
        other = moved(
            &other,
            &format!("{folder}/imgs/"),
            &format!("{folder}/images/"),
        );
    }
    let rows = |files: &[File]| {
        let mut session = open(files);
        juror_session::score_rows(&session.study(&ScoreOptions::default())).to_vec()
    };
    assert_eq!(rows(&other), rows(&files));
}

#[test]
fn a_file_of_replies_under_another_ending_is_named() {
    for (id, from, to) in [
        (
            "weave",
            "result/aurora-synth/metrics_demo-judge.jsonl",
            "result/aurora-synth/metrics_demo-judge.jsonl.txt",
        ),
        (
            "weave",
            "result/aurora-synth/metrics_demo-judge.jsonl",
            "result/aurora-synth/metrics_demo-judge.txt",
        ),
        (
            "weave",
            "result/aurora-synth/metrics_demo-judge.jsonl",
            "result/aurora-synth/metrics_demo-judge",
        ),
        (
            "weave",
            "result/aurora-synth/metrics_demo-judge.jsonl",
            "result/aurora-synth/metrics_demo-judge.jsonl.bak",
        ),
        (
            "multiref",
            "aurora-synth/journal.jsonl",
            "aurora-synth/journal.txt",
        ),
        (
            "multiref",
            "aurora-synth/journal.jsonl",
            "aurora-synth/journal.log",
        ),
        (
            "multiref",
            "aurora-synth/journal.jsonl",
            "aurora-synth/journal",
        ),
        (
            "multibanana",
            "aurora-synth/add/003_gpt_judge.txt",
            "aurora-synth/add/003_gpt_judge.md",
        ),
        (
            "multibanana",
            "aurora-synth/add/003_gpt_judge.txt",
            "aurora-synth/add/003_gpt_judge",
        ),
        (
            "micon",
            "story_infer/case_0001/aurora-synth.json",
            "story_infer/case_0001/aurora-synth.json.txt",
        ),
    ] {
        let files = demo_suite(id);
        let other = moved(&files, from, to);
        let words = notice(&other, "unread_files").unwrap_or_default();
        assert!(words.contains(to), "{to}: {words}");
        assert!(notice(&files, "unread_files").is_none(), "{id}");
    }
}

#[test]
fn an_unfinished_download_and_an_empty_file_are_named_as_such() {
    let files = demo_suite("weave");
    let from = "result/aurora-synth/metrics_demo-judge.jsonl";
    for end in ["part", "crdownload", "icloud"] {
        let other = moved(&files, from, &format!("{from}.{end}"));
        let words = notice(&other, "unfinished_files").unwrap();
        assert!(words.contains(from), "{words}");
    }
    let mut empty = files.clone();
    empty
        .iter_mut()
        .find(|(path, _)| path == from)
        .unwrap()
        .1
        .clear();
    assert!(notice(&empty, "empty_files").unwrap().contains(from));
    for code in ["unfinished_files", "empty_files", "unread_files"] {
        let plain = [
            ("notes.txt".to_owned(), b"x".to_vec()),
            ("README".to_owned(), b"x".to_vec()),
        ];
        let beside = with(&files, "result/aurora-synth", &plain);
        assert_eq!(notice(&beside, code), None, "{code}");
    }
}

#[test]
fn multibanana_a_reference_in_two_formats_and_a_task_without_tags_are_named() {
    let files = demo_suite("multibanana");
    let (path, bytes) = (files.iter())
        .find(|(path, _)| path.starts_with("data/add/003_1."))
        .unwrap();
    let stem = path.rsplit_once('.').unwrap().0;
    let mut double = files.clone();
    double.push((format!("{stem}.webp"), bytes.clone()));
    assert_eq!(shown(&double), shown(&files));
    let words = notice(&double, "duplicate_reference").unwrap();
    assert!(words.starts_with(&format!("{stem}.webp: ")), "{words}");
    let without = moved(&files, "data/add/types.json", "data/add/tags.txt");
    let words = notice(&without, "no_types").unwrap();
    assert!(words.starts_with("data/add/types.json: 1 task"), "{words}");
    for code in ["duplicate_reference", "no_types"] {
        assert_eq!(notice(&files, code), None);
    }
}

#[test]
fn multibanana_a_label_and_a_task_that_the_benchmark_does_not_have_are_named() {
    let files = demo_suite("multibanana");
    let misspelt = rewritten(&files, "data/add/", "scale", "scael");
    let words = notice(&misspelt, "unknown_label").unwrap();
    assert!(
        words.starts_with("data/add/types.json: 1 label") && words.contains("“scael”"),
        "{words}"
    );
    let older = copied(&files, "data/add/", "data/old/");
    let words = notice(&older, "unknown_task").unwrap();
    assert!(
        words.starts_with("data/old: 1 folder") && words.contains("called like no task"),
        "{words}"
    );
    for code in ["unknown_label", "unknown_task"] {
        assert_eq!(notice(&files, code), None);
    }
    // Where no task is the benchmark's it is somebody's own.
    let own: Vec<File> = (files.iter())
        .filter(|(path, _)| path.starts_with("data/add/"))
        .map(|(path, bytes)| (path.replacen("data/add/", "data/mine/", 1), bytes.clone()))
        .collect();
    assert_eq!(notice(&own, "unknown_task"), None);
}

#[test]
fn outputs_of_a_model_in_a_task_of_the_benchmark_make_it_no_model() {
    let files = demo_suite("multibanana");
    let inside = copied(&files, "basalt-synth/add/", "data/add/add/");
    assert_eq!(shown(&inside), shown(&files));
}

#[test]
fn weave_outputs_in_images_beside_other_models_are_their_own_models() {
    let files = demo_suite("weave");
    let (path, from) = (
        "result/cinder-synth/metrics_demo-judge.jsonl",
        "result/cinder-synth/imgs/",
    );
    let files: Vec<File> = files.into_iter().filter(|(own, _)| own != path).collect();
    let other = moved(&files, from, "result/cinder-synth/images/");
    assert_eq!(shown_rows(&other), shown_rows(&files));
    let apart = moved(&files, from, "elsewhere/images/");
    assert!(shown_rows(&apart) != shown_rows(&files));
}

fn shown_rows(files: &[File]) -> Vec<juror_model::row::ScoreRow> {
    juror_session::score_rows(&open(files).study(&ScoreOptions::default())).to_vec()
}
