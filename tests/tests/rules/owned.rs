//! Whose folder speaks for whom: nothing that is added to one model's folder changes another model's numbers, its name, or
//! the texts that judges are asked with.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_model::options::{Profile, ScoreOptions};
use juror_model::tree::is_below;
use juror_session::Session;
use juror_tests::added::{OWN, RIVAL, changed, is_of_a_model, is_picture, judge_texts};
use juror_tests::generate::{File, open};
use juror_tests::program::demo_suite;
use serde_json::{Value, json};

/// Each demo suite and the folders in it that are the model's own.
pub(super) const SUITES: [(&str, &[&str]); 5] = [
    ("weave", &["result/basalt-synth"]),
    ("multibanana", &["basalt-synth"]),
    ("multiref", &["basalt-synth"]),
    ("vibe", &["results/basalt-synth"]),
    (
        "micon",
        &[
            "Evaluation/outputs/generations/basalt-synth",
            "Evaluation/outputs/eval_res/basalt-synth",
        ],
    ),
];

/// All that is shown of the other models, and how judges are asked about them.
pub(super) fn others(files: &[File]) -> Vec<Value> {
    others_in(&mut open(files))
}

fn others_in(session: &mut Session) -> Vec<Value> {
    let mut shown = Vec::new();
    for profile in [Profile::Paper, Profile::Released] {
        let options = ScoreOptions {
            profile,
            ..ScoreOptions::default()
        };
        let report = serde_json::to_value(juror_session::report(&session.study(&options))).unwrap();
        let is_of_others = |row: &&Value| !row["model"].as_str().unwrap().contains(OWN);
        for part in ["scores", "samples", "incidents"] {
            let rows = report[part].as_array().unwrap().iter();
            shown.extend(rows.filter(is_of_others).cloned());
        }
        let models = report["provenance"]["models"].as_array().unwrap().iter();
        let names = models.map(|model| &model["name"]);
        shown.extend(
            names
                .filter(|name| !name.as_str().unwrap().contains(OWN))
                .cloned(),
        );
        shown.push(report["provenance"]["prompts"].clone());
    }
    shown
}

fn record(protocol: &str, model: &str, row: &Value) -> String {
    let criterion = match row["criterion"].as_str() {
        // Numbers of one reply.
        Some("IQ" | "IF" | "SF") => "judge",
        other => other.unwrap(),
    };
    let reply = r#"{"score": 0, "IQ": 1, "IF": 1, "SF": 1}"#;
    let record = json!({"format": "juror-journal/1", "protocol": protocol, "model": model, "sample": row["sample"],
        "turn": row["turn"], "criterion": criterion, "judge": row["judge"], "run": 1, "reply": reply});
    record.to_string() + "\n"
}

/// What somebody may put into a folder: its name, and the files by their paths in it.
fn additions(id: &str, files: &[File]) -> Vec<(&'static str, Vec<File>)> {
    let texts: Vec<File> = files
        .iter()
        .filter(|(path, _)| !is_picture(path))
        .map(changed)
        .collect();
    let of_benchmark = || {
        texts
            .iter()
            .filter(|(path, _)| !is_of_a_model(path))
            .cloned()
    };
    let of_rival = || {
        texts
            .iter()
            .filter(|(path, _)| path.contains(RIVAL))
            .cloned()
    };
    let flat = |files: &mut dyn Iterator<Item = File>| -> Vec<File> {
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        files.map(|(path, bytes)| (name(&path), bytes)).collect()
    };
    let from_rival = |(path, bytes): File| {
        let at = path.find(RIVAL).unwrap();
        (path[at..].to_owned(), bytes)
    };
    let mut session = open(files);
    let report = juror_session::report(&session.study(&ScoreOptions::default()));
    let report = serde_json::to_value(report).unwrap();
    let rows = report["samples"].as_array().unwrap().iter();
    let journal: String = rows
        .filter(|row| row["model"] == RIVAL)
        .map(|row| record(id, RIVAL, row))
        .collect();
    vec![
        ("the benchmark's lists", of_benchmark().collect()),
        (
            "the benchmark's lists side by side",
            flat(&mut of_benchmark()),
        ),
        ("a rival's files under their paths", of_rival().collect()),
        (
            "a rival's files under its name",
            of_rival().map(from_rival).collect(),
        ),
        ("a rival's files side by side", flat(&mut of_rival())),
        (
            "the whole suite",
            texts
                .iter()
                .cloned()
                .chain(files.iter().filter(|(path, _)| is_picture(path)).cloned())
                .collect(),
        ),
        (
            "a rival with its pictures under its name",
            of_rival()
                .chain(
                    files
                        .iter()
                        .filter(|(path, _)| is_picture(path) && path.contains(RIVAL))
                        .cloned(),
                )
                .map(from_rival)
                .collect(),
        ),
        (
            "a journal about a rival",
            vec![("journal.jsonl".to_owned(), journal.clone().into_bytes())],
        ),
        (
            "a journal below a rival's name",
            vec![(format!("{RIVAL}/journal.jsonl"), journal.into_bytes())],
        ),
        ("judge texts", judge_texts(id)),
        ("the lists of other benchmarks", lists_but_of(id)),
        (
            "the lists of other benchmarks side by side",
            flat(&mut lists_but_of(id).into_iter()),
        ),
    ]
}

/// The texts of the other suites' benchmarks.
fn lists_but_of(id: &str) -> Vec<File> {
    let others = SUITES.iter().filter(|(other, _)| *other != id);
    others
        .flat_map(|(other, _)| demo_suite(other))
        .filter(|(path, _)| !is_of_a_model(path) && !is_picture(path))
        .collect()
}

pub(super) fn with(files: &[File], folder: &str, added: &[File]) -> Vec<File> {
    let mut all = files.to_vec();
    for (path, bytes) in added {
        let path = juror_model::tree::join(folder, path);
        if files.iter().all(|(known, _)| *known != path) {
            all.push((path, bytes.clone()));
        }
    }
    all
}

#[test]
fn nothing_in_a_models_folder_changes_anything_of_another_model() {
    for (id, folders) in SUITES {
        let files = demo_suite(id);
        let before = others(&files);
        assert!(before.len() > 50, "{id}");
        for folder in folders {
            for (what, added) in additions(id, &files) {
                let after = others(&with(&files, folder, &added));
                let first = before.iter().zip(&after).find(|(a, b)| a != b);
                assert!(before == after, "{id}: {what} in {folder}: {first:?}");
            }
        }
    }
}

/// The same of the two rivals alone.
fn of_rivals(files: &[File]) -> Vec<Value> {
    let is_rivals = |row: &Value| {
        let model = row.get("model").or(row.is_string().then_some(row));
        let model = model.and_then(Value::as_str);
        model.is_none_or(|model| [RIVAL, "cinder-synth"].contains(&model))
    };
    others(files).into_iter().filter(is_rivals).collect()
}

/// A suite in which the model's folders hold a picture and a text alone, or nothing.
fn thin(files: &[File], folders: &[&str], is_empty: bool) -> Vec<File> {
    let (own, mut rest): (Vec<File>, Vec<File>) = files
        .iter()
        .cloned()
        .partition(|(path, _)| path.contains(OWN));
    for folder in folders.iter().filter(|_| !is_empty) {
        let is_in = |(path, _): &&File| juror_model::tree::is_below(path, folder);
        for is_kept in [true, false] {
            let first = (own.iter().filter(is_in)).find(|(path, _)| is_picture(path) == is_kept);
            rest.extend(first.cloned());
        }
    }
    rest
}

/// Whether a finding says that judges are asked with texts in a folder.
fn names_texts_in(files: &[File], folder: &str) -> bool {
    let mut problems = juror_session::problems(&open(files).linked()).into_iter();
    problems.any(|one| {
        one.code == "texts_in_use" && (one.path == folder || is_below(&one.path, folder))
    })
}

#[test]
fn nothing_in_the_folder_of_a_model_that_has_hardly_an_output_changes_anything_of_another_model() {
    for (id, folders) in SUITES {
        let whole = demo_suite(id);
        for is_empty in [false, true] {
            let files = thin(&whole, folders, is_empty);
            let before = of_rivals(&files);
            assert!(before.len() > 50, "{id}");
            for folder in folders {
                for (what, added) in additions(id, &whole) {
                    // A folder without outputs is nobody's: its records count for all, which is noted, and it may be another
                    // benchmark's.
                    let speaks_for_all = ["a journal", "the lists of other"];
                    if is_empty && speaks_for_all.iter().any(|begin| what.starts_with(begin)) {
                        continue;
                    }
                    let opened = with(&files, folder, &added);
                    // So do its judge texts, which are named as those in use.
                    if is_empty && what == "judge texts" && !added.is_empty() {
                        assert!(names_texts_in(&opened, folder), "{id}: {folder}");
                        continue;
                    }
                    let after = of_rivals(&opened);
                    let first = before.iter().zip(&after).find(|(a, b)| a != b);
                    assert!(before == after, "{id}: {what} in {folder}: {first:?}");
                }
            }
        }
    }
}

#[test]
fn a_folder_beside_the_models_that_speaks_of_all_of_them_is_noted() {
    let whole = demo_suite("weave");
    let notes = |files: &[File]| -> Vec<String> {
        let problems = juror_session::problems(&open(files).linked());
        let notes = problems
            .into_iter()
            .filter(|one| one.code == "heard_beside_models");
        notes.map(|one| one.path).collect()
    };
    let added = additions("weave", &whole);
    let (_, journal) = (added.iter())
        .find(|(what, _)| *what == "a journal about a rival")
        .unwrap();
    assert_eq!(
        notes(&with(&whole, "result/basalt-synth", journal)),
        [] as [&str; 0]
    );
    assert_eq!(notes(&with(&whole, "result", journal)), [] as [&str; 0]);
    let empty = thin(&whole, &["result/basalt-synth"], true);
    let spoken = with(&empty, "result/basalt-synth", journal);
    assert_eq!(notes(&spoken), ["result/basalt-synth/journal.jsonl"]);
    let csv = "sample,turn,model,label,rater\n6,0,aurora-synth,bad,ann\n";
    let labels = [("labels.csv".to_owned(), csv.as_bytes().to_vec())];
    let spoken = with(&empty, "result/basalt-synth", &labels);
    assert_eq!(notes(&spoken), ["result/basalt-synth/labels.csv"]);
}

#[test]
fn a_model_that_is_called_like_a_folder_of_the_benchmark_takes_nothing_from_it() {
    for (id, name) in [
        ("weave", "test"),
        ("weave", "WEAVEBench"),
        ("weave", "imgs"),
        ("multibanana", "add"),
        ("multiref", "images"),
        ("vibe", "Tasks"),
        ("vibe", "Removal"),
        ("vibe", "VIBE-Benchmark-Dataset"),
        ("micon", "judgments"),
        ("micon", "case_0001"),
    ] {
        let files = demo_suite(id);
        let rename = |(path, bytes): &File| {
            let renamed = match String::from_utf8(bytes.clone()) {
                Ok(text) => text.replace(OWN, name).into_bytes(),
                Err(picture) => picture.into_bytes(),
            };
            (path.replace(OWN, name), renamed)
        };
        let renamed: Vec<File> = files.iter().map(rename).collect();
        let before = of_rivals(&files);
        assert!(before.len() > 50, "{id}");
        assert!(before == of_rivals(&renamed), "{id}: {name}");
    }
}

#[test]
fn a_copy_of_the_benchmark_is_no_model_and_a_model_of_the_same_names_is_one() {
    let files = demo_suite("weave");
    let in_bench = files
        .iter()
        .filter(|(path, _)| path.starts_with("WEAVEBench/"));
    let copy = |change: &dyn Fn(&File) -> Option<File>| -> Vec<String> {
        let copied: Vec<File> = in_bench.clone().filter_map(change).collect();
        let mut session = open(&with(&files, "backup", &copied));
        let report = juror_session::report(&session.study(&ScoreOptions::default()));
        let report = serde_json::to_value(report).unwrap();
        let models = report["provenance"]["models"].as_array().unwrap().iter();
        models
            .map(|model| model["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let own = ["aurora-synth", "basalt-synth", "cinder-synth"];
    assert_eq!(copy(&|file| Some(file.clone())), own);
    // The true pictures without the list are what somebody scores as an upper bound.
    let is_picture_of =
        |(path, bytes): &File| is_picture(path).then(|| (path.clone(), bytes.clone()));
    assert_eq!(copy(&is_picture_of).len(), 4);
    let other_pictures = |(path, bytes): &File| {
        let more = is_picture(path).then_some(0);
        Some((path.clone(), bytes.iter().copied().chain(more).collect()))
    };
    assert_eq!(copy(&other_pictures).len(), 4);
}

#[test]
fn beside_the_models_folders_the_same_journal_changes_a_rivals_numbers() {
    let files = demo_suite("multiref");
    let added = additions("multiref", &files);
    let (_, journal) = added
        .iter()
        .find(|(what, _)| *what == "a journal about a rival")
        .unwrap();
    let renamed = vec![("a_judge.jsonl".to_owned(), journal[0].1.clone())];
    assert!(others(&files) != others(&with(&files, "a", &renamed)));
    assert!(others(&files) == others(&with(&files, "basalt-synth", &renamed)));
}

#[test]
fn another_model_in_a_models_folder_is_named_with_the_folder_and_the_fix() {
    let files = demo_suite("weave");
    let rival = files.iter().filter(|(path, _)| path.contains(RIVAL));
    let nested: Vec<File> = rival.cloned().collect();
    let mut session = open(&with(&files, "result/basalt-synth", &nested));
    let problems = juror_session::problems(&session.linked());
    let found: Vec<_> = problems
        .iter()
        .filter(|one| one.code == "nested_model")
        .collect();
    assert_eq!(found.len(), 1, "{problems:?}");
    assert_eq!(found[0].path, "result/basalt-synth");
    assert!(
        found[0].hint.contains("beside the folders"),
        "{:?}",
        found[0]
    );
    let mut session = open(&files);
    let problems = juror_session::problems(&session.linked());
    assert!(problems.iter().all(|one| one.code != "nested_model"));
}

#[test]
fn a_stray_picture_above_the_models_makes_nobody_their_owner() {
    let mut files = demo_suite("weave");
    let before = others(&files);
    let (path, bytes) = files
        .iter()
        .find(|(path, _)| path.contains("result/aurora-synth/imgs/"))
        .cloned()
        .unwrap();
    files.push((path.replace("aurora-synth/", ""), bytes));
    let mut session = open(&files);
    let rows = juror_session::score_rows(&session.study(&ScoreOptions::default())).to_vec();
    for model in ["aurora-synth", OWN, "cinder-synth"] {
        assert!(rows.iter().any(|row| row.model == model), "{model}");
    }
    assert!(!before.is_empty());
}

/// The results of a suite without the benchmark.
fn results_alone(id: &str) -> Vec<File> {
    let files = demo_suite(id).into_iter();
    files.filter(|(path, _)| is_of_a_model(path)).collect()
}

#[test]
fn a_list_in_one_of_several_models_folders_leaves_results_alone_as_they_were() {
    for (id, folders) in SUITES {
        let whole = demo_suite(id);
        let files = results_alone(id);
        let before = of_rivals(&files);
        assert!(before.len() > 20, "{id}");
        let lists: Vec<File> = whole
            .iter()
            .filter(|(path, _)| !is_of_a_model(path) && !is_picture(path))
            .map(changed)
            .collect();
        let prompt = vec![("my_prompt.txt".to_owned(), b"Draw a cat.".to_vec())];
        for added in [lists, prompt, lists_but_of(id)] {
            let after = of_rivals(&with(&files, folders[0], &added));
            let first = before.iter().zip(&after).find(|(a, b)| a != b);
            assert!(before == after, "{id}: {}: {first:?}", added[0].0);
        }
    }
}

#[test]
fn a_list_that_is_set_aside_can_be_chosen_and_left_again() {
    let lists = demo_suite("multiref").into_iter();
    let lists: Vec<File> = lists
        .filter(|(path, _)| !is_picture(path) && !is_of_a_model(path))
        .collect();
    let files = with(&results_alone("multiref"), "basalt-synth", &lists);
    let mut session = open(&files);
    let path = |session: &mut Session| {
        let overview = juror_session::overview(&session.study(&ScoreOptions::default()));
        overview.benchmark.unwrap().path
    };
    let alone = path(&mut session);
    let chosen = "basalt-synth/MultiRef/benchmark990v3.json";
    juror_session::choose_benchmark(&mut session, Some(chosen)).unwrap();
    crate::trust::read(&mut session, &files);
    assert_ne!(path(&mut session), alone);
    juror_session::choose_benchmark(&mut session, None).unwrap();
    crate::trust::read(&mut session, &files);
    assert_eq!(path(&mut session), alone);
}
