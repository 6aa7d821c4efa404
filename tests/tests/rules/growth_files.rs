//! Eight times as many files, entries or models take about eight times as long: the lists of the built-in benchmarks, what
//! lies beside them, and whole sessions.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::hint::black_box;

use juror_agents::{Framework, Loops, Start};
use juror_evidence::pack::Manifest;
use juror_judging::provider;
use juror_metrics::Array;
use juror_model::experiment::Variant;
use juror_model::host::FileMeta;
use juror_model::judge::Wire;
use juror_model::options::ScoreOptions;
use juror_model::prompt::{python_literals, python_strings};
use juror_model::sample::Texts;
use juror_model::tree::FileTree;
use juror_protocols::micon::card as micon;
use juror_protocols::registry::ALL;
use juror_session::label_file;
use juror_session::view::costs::CostQuery;
use juror_session::view::labels::LabelQuery;
use juror_sources::archive::{self, ArchiveDirectory};
use juror_tests::generate::{Dialogue, File, open};
use serde_json::{Value, json};

use crate::growth::{MOST, assert_linear, repeated, steep_growth};

#[test]
fn python_prompts_are_read_in_time_that_grows_with_their_length() {
    for part in [
        "\"\"\"\\",
        "'''\\",
        "\"\\",
        "'\\",
        "'''\"\"\"",
        "\\\"\"\"\"",
        "A = (\"x\"\n",
        "A = 'x'\n",
        "#",
        "A: \n",
        "b'",
        "ab",
    ] {
        assert_linear(part, 6000, repeated(part), |text| {
            black_box(python_strings(text));
            black_box(python_literals(text));
        });
    }
    let assigned = |count: usize| {
        let text = (0..count).fold(String::new(), |mut text, at| {
            let _ = writeln!(text, "NAME_{at} = 'x'");
            text
        });
        (count, text)
    };
    assert_linear("assignments", 2000, assigned, |(count, text)| {
        assert_eq!(python_strings(text).len(), *count);
    });
}

#[test]
fn what_is_not_closed_is_found_out_once_and_what_is_closed_later_is_still_read() {
    // What the second quote opens is closed by one that the first would take for escaped.
    assert_eq!(python_literals("'\\'a', \"b\", '\\"), ["'a", "b"]);
    assert_eq!(
        python_literals("x = '''a\ny = \"b\"\nz = 'c'"),
        ["", "b", "c"]
    );
    assert_eq!(
        python_strings("A = (\"x\" \"y\"\nB = \"z\"\nC = '\\\nD = \"w\""),
        [("B", "z"), ("D", "w")].map(|(name, text)| (name.to_owned(), text.to_owned()))
    );
}

/// Whole sessions over so many files: opened, and their report made.
#[track_caller]
fn assert_session_is_linear(name: &str, len: usize, make: impl Fn(usize) -> Vec<File>) {
    assert_linear(name, len, make, |files| {
        let mut session = open(files);
        black_box(juror_session::report(
            &session.study(&ScoreOptions::default()),
        ));
    });
}

fn file(path: &str, content: impl Into<String>) -> File {
    (path.to_owned(), content.into().into_bytes())
}

fn weave(count: usize) -> Vec<File> {
    let dialogues = (0..count).map(|idx| Dialogue {
        idx,
        num_pictures: 1,
        num_texts: 1,
    });
    let items: Vec<Value> = dialogues.map(|dialogue| dialogue.item()).collect();
    vec![file("D/test/test.json", Value::Array(items).to_string())]
}

fn vibe_item(id: usize) -> Value {
    json!({"id": id.to_string(), "text_prompt": {"input_prompt": "Do it."}, "file_paths": {
        "source": format!("sources/{id}.png"), "visual_instruction": format!("layers/{id}.png")}})
}

fn vibe(count: usize) -> Vec<File> {
    let items: Vec<Value> = (0..count).map(vibe_item).collect();
    let path = "D/Tasks/Level-2-Morphological/Pose_Control/dataset.json";
    vec![file(path, Value::Array(items).to_string())]
}

fn multiref_item(at: usize, conditions: &[String]) -> Value {
    json!({"original_image_path": format!("original_images/{at}.jpg"), "conditions": {"caption": "A cat."},
        "instructions": {"conditions": conditions, "original_prompts": "plain", "enhance_prompts": ["A picture."]}})
}

fn multiref(count: usize) -> Vec<File> {
    let items = (0..count).map(|at| multiref_item(at, &["caption".to_owned()]));
    let items: Vec<Value> = items.collect();
    vec![file("M/combined1990.json", Value::Array(items).to_string())]
}

/// A story's card with its answer set.
fn micon(count: usize) -> Vec<File> {
    let id = |at: usize| format!("case_{at:06}");
    let card = |at: usize| {
        let case = id(at);
        file(
            &format!("E/data/story_infer/cases/{case}.yaml"),
            format!("task_type: story_infer\ncase_id: {case}\ngeneration_prompt: Go on.\n"),
        )
    };
    let set = |at| json!({"case_id": id(at), "background_summary": "b", "positive_candidates": ["p"], "negative_candidates": ["n"]});
    let sets: Vec<Value> = (0..count).map(set).collect();
    let path = "E/data/story_infer/simple_candidate_template.json";
    let mut files: Vec<File> = (0..count).map(card).collect();
    files.push(file(path, json!({"cases": sets}).to_string()));
    files
}

/// A set in a task of its own, with a model's output and a judge's file.
fn multibanana(count: usize) -> Vec<File> {
    let scores = "Instruction Alignment: 5.\nReference Consistency: 5.\nBackground-Subject Match: 5.\n\
        Physical Realism: 5.\nVisual Quality: 5.";
    let set = |at: usize| {
        [
            file(&format!("data/task {at}/001_prompt.txt"), "Go."),
            file(&format!("data/task {at}/001_0.jpg"), "reference"),
            file(&format!("m/task {at}/001_generated.png"), "output"),
            file(&format!("m/task {at}/001_gpt_judge.txt"), scores),
        ]
    };
    let mut files: Vec<File> = (0..count).flat_map(set).collect();
    files.push(file("data/add/001_prompt.txt", "Go."));
    files
}

#[test]
fn the_built_in_benchmarks_are_read_in_time_that_grows_with_their_lists() {
    assert_session_is_linear("WEAVEBench", 600, weave);
    assert_session_is_linear("VIBE", 600, vibe);
    assert_session_is_linear("MultiRef-Bench", 600, multiref);
    assert_session_is_linear("MICON-Bench", 500, micon);
    assert_session_is_linear("MultiBanana", 400, multibanana);
}

#[test]
fn one_entry_of_many_conditions_and_many_folders_of_references_are_read_in_linear_time() {
    let entry = |count: usize| -> Vec<File> {
        let conditions: Vec<String> = (0..count).map(|at| format!("kind {at}")).collect();
        let items = json!([multiref_item(0, &conditions)]);
        vec![file("M/combined1990.json", items.to_string())]
    };
    assert_linear("conditions of an entry", 3000, entry, |files| {
        black_box(open(files));
    });
    // Every golden answer lies in a folder of its own, and so does every picture that may be an output.
    let folders = |count: usize| -> Vec<File> {
        let item = |at: usize| {
            json!({"original_image_path": format!("o{at}/{at}.jpg"), "conditions": {"caption": "A cat."},
                "instructions": {"conditions": ["caption"], "enhance_prompts": ["A picture."]}})
        };
        let items: Vec<Value> = (0..count).map(item).collect();
        let mut files = vec![file("M/combined1990.json", Value::Array(items).to_string())];
        files.extend((0..count).map(|at| file(&format!("M/o{at}/{at}.jpg"), "x")));
        files.extend((0..count).map(|at| file(&format!("out/f{at}/a/x{at}.png"), "x")));
        files
    };
    assert_linear("folders of references", 500, folders, |files| {
        black_box(open(files));
    });
}

#[test]
fn outputs_of_another_kind_than_their_list_names_are_held_against_it_in_linear_time() {
    let files = |count: usize| -> Vec<File> {
        let mut files = vibe(count);
        let folder = "m/Level-2-Morphological/Pose_Control";
        let item = |at: usize| json!({"id": at.to_string(), "saved_image_path": format!("{folder}/imgs/{at}.png")});
        let items: Vec<Value> = (0..count).map(item).collect();
        let list = format!("{folder}/Pose_Control_results.json");
        files.push(file(&list, Value::Array(items).to_string()));
        files.extend((0..count).map(|at| file(&format!("{folder}/imgs/x{at}.jpg"), "x")));
        files
    };
    assert_linear("listed outputs", 400, files, |files| {
        black_box(open(files));
    });
}

#[test]
fn folders_of_other_judges_are_joined_in_linear_time() {
    let mut known = juror_protocols::registry::ALL.iter();
    let protocol = *known.find(|known| known.id() == "weave").unwrap();
    let tree = |count: usize| {
        let mut tree = FileTree::default();
        let judged = (0..count).map(|at| format!("judged/j{at}/m/metrics.jsonl"));
        let fixed = ["D/test/test.json", "result/m/imgs/d0_2.png"].map(str::to_owned);
        for path in fixed.into_iter().chain(judged) {
            let meta = FileMeta {
                path,
                size: Some(1),
            };
            tree.add(&meta).1.unwrap();
        }
        tree
    };
    let (_, list) = weave(1).remove(0);
    let texts: Texts = [(0, String::from_utf8(list).unwrap())].into();
    assert_linear("folders of one name", 1000, tree, |tree| {
        let candidate = &protocol.candidates(tree)[0];
        let benchmark = protocol.load(tree, candidate, &texts).unwrap().benchmark;
        let models = protocol.submissions(tree, Some(&benchmark));
        assert_eq!(models.len(), 1);
    });
}

#[test]
fn answer_sets_and_judges_files_are_read_in_linear_time() {
    let same = |count: usize| {
        let set = |at: usize| json!({"case_id": format!("case_{}", at / 2), "positive_candidates": ["p"]});
        json!({"cases": (0..count).map(set).collect::<Vec<Value>>()}).to_string()
    };
    assert_linear("answer sets", 4000, same, |text| {
        drop(black_box(micon::answer_sets(text)));
    });
    let protocol = |id: &str| {
        let mut known = juror_protocols::registry::ALL.iter();
        *known.find(|known| known.id() == id).unwrap()
    };
    let judged =
        "E/outputs/eval_res/m/m_20260102_000000/judgments/story_infer_case_0001/m_judgement.json";
    for (id, path) in [
        ("micon", judged),
        ("multibanana", "m/add/001_gpt_judge.txt"),
    ] {
        for part in [
            "{\"a\":",
            "\"pass\": 1, ",
            "\n",
            "[",
            "Visual Quality: ",
            "```json\n",
        ] {
            assert_linear(&format!("{id} {part}"), 20_000, repeated(part), |text| {
                black_box(protocol(id).read_replies(path, text.clone()));
            });
        }
    }
}

#[test]
fn labels_seconds_origins_and_cushions_are_read_in_linear_time() {
    let head = "sample,turn,model,label,rater\n";
    let rows = |count: usize| {
        (0..count).fold(head.to_owned(), |mut text, at| {
            let _ = writeln!(text, "{at},0,m{at},own words {at},rater {at}");
            text
        })
    };
    assert_linear("labels", 2000, rows, |text| {
        let (records, _) = label_file::read("l.csv", text).unwrap();
        black_box(label_file::merge(&records));
    });
    let labelled = |count: usize| {
        let mut files = many_models(count / 4);
        let rows = (0..count).fold(head.to_owned(), |mut text, at| {
            let _ = writeln!(
                text,
                "{},0,m{},own words {},rater {}",
                at % 4,
                at / 4,
                at % 5,
                at % 3
            );
            text
        });
        files.push(file("labels.csv", rows));
        files
    };
    assert_linear("a session with labels", 400, labelled, |files| {
        let counts =
            juror_session::label_counts(&open(files).study_under_any(), &LabelQuery::default());
        black_box(counts.unwrap());
    });
    let seconds = |count: usize| {
        let rows = (0..count).fold("model,sample,seconds\n".to_owned(), |mut text, at| {
            let _ = writeln!(text, "a,{at},1\nb,{at},2\nm{at},{at},3");
            text
        });
        let mut session = open(&weave(count));
        juror_session::report(&session.study(&ScoreOptions::default()));
        (std::cell::RefCell::new(session), rows)
    };
    assert_linear("seconds", 600, seconds, |(session, text)| {
        let query = CostQuery {
            path: "s.csv".to_owned(),
            text: text.clone(),
            scope: "domain".to_owned(),
            ..CostQuery::default()
        };
        black_box(juror_session::costs(&session.borrow_mut().linked(), &query).unwrap());
    });
    let origins = |count: usize| {
        let mut files = multibanana(4);
        let rows = "task 0/001_0.jpg,real\n".repeat(count);
        files.push(file(
            "data/from_where.csv",
            format!("{}\n{rows}", ",".repeat(count * 8)),
        ));
        files
    };
    assert_linear("origins", 1500, origins, |files| {
        black_box(open(files));
    });
    let cushions = |count: usize| {
        let items: Vec<Value> = (0..count).map(vibe_item).collect();
        let folder = "D/Tasks/Level-3-Causal/Billiards";
        let rows = (0..count).fold("id,cushions\n".to_owned(), |mut text, at| {
            let _ = writeln!(text, "{at},2");
            text
        });
        vec![
            file(
                &format!("{folder}/Billiards.json"),
                Value::Array(items).to_string(),
            ),
            file(&format!("{folder}/cushions.csv"), rows),
        ]
    };
    assert_linear("cushions", 600, cushions, |files| {
        black_box(open(files));
    });
}

#[test]
fn variants_records_plans_manifests_and_answers_are_read_in_linear_time() {
    let object = |count: usize| {
        let levels: Vec<String> = (0..count)
            .map(|at| format!("\"f{at}\": \"l{at}\""))
            .collect();
        let text = format!("{{\"levels\": {{{}}}}}", levels.join(","));
        (count, text)
    };
    assert_linear("variant.json", 3000, object, |(count, text)| {
        assert_eq!(Variant::read(text, "m").unwrap().levels.len(), *count);
    });
    let record = |at: usize| {
        json!({"format": "juror-trajectory/1", "protocol": "multibanana", "model": "m", "framework": "ipr", "steps": 3,
            "sample": format!("add/{at}"), "step": 1, "kind": "plan", "prompt": "p", "references": [0]})
    };
    let records = |count: usize| {
        (0..count).fold(String::new(), |mut text, at| {
            let _ = writeln!(text, "{}", record(at));
            text
        })
    };
    assert_linear("records of agents", 1000, records, |text| {
        black_box(juror_agents::read(text));
    });
    let loops = ALL
        .iter()
        .find_map(|protocol| Loops::of(*protocol))
        .unwrap();
    let start = Start {
        loops: &loops,
        framework: Framework::Sra,
        instruction: "A",
        num_references: 3,
        steps: 3,
    };
    let selection = |count: usize| {
        format!(
            "{{\"indices\": [{}2], \"prompt\": \"p\"}}",
            "0, 9, ".repeat(count)
        )
    };
    assert_linear("a plan", 3000, selection, |text| {
        black_box(juror_agents::plan::read(&start, "A", text));
    });
    for part in ["{", "```{", "\"", "{\"indices\": ["] {
        assert_linear(part, 20_000, repeated(part), |text| {
            black_box(juror_agents::plan::read(&start, "A", text));
        });
    }
    let manifest = |count: usize| {
        let entry = |at: usize| json!({"path": format!("f{at}"), "role": "other", "size": 1, "sha256": "0".repeat(64)});
        let entries: Vec<Value> = (0..count).map(entry).collect();
        json!({"format": "juror-pack/1", "juror": "1", "entries": entries}).to_string()
    };
    assert_linear("a pack's manifest", 1000, manifest, |text| {
        drop(black_box(Manifest::read(text)));
    });
    for wire in [Wire::OpenAi, Wire::Anthropic, Wire::Gemini] {
        for part in [
            "{\"error\":",
            "data: {}\n",
            "<html>",
            "[",
            "{\"choices\":[{},",
            "sk-a",
        ] {
            assert_linear(part, 20_000, repeated(part), |text| {
                for status in [200, 400] {
                    black_box(provider::read(wire, status, text));
                    black_box(provider::usage(wire, text));
                }
            });
        }
    }
}

/// A directory of so many empty files.
fn directory(count: usize) -> (Vec<u8>, ArchiveDirectory) {
    let mut bytes = Vec::new();
    for at in 0..count {
        let name = format!("folder {}/file {at}", at % 7);
        let mut record = [0_u8; 46];
        record[..4].copy_from_slice(b"PK\x01\x02");
        record[28] = u8::try_from(name.len()).unwrap();
        bytes.extend(record);
        bytes.extend(name.bytes());
    }
    let place = ArchiveDirectory {
        at: 1,
        length: bytes.len() as u64,
        count: count as u64,
        is_wrapped: false,
    };
    (bytes, place)
}

#[test]
fn directories_of_zips_and_arrays_of_numbers_are_read_in_linear_time() {
    assert_linear("a ZIP's directory", 4000, directory, |(bytes, place)| {
        let read = archive::read(bytes, place, "a.zip").unwrap();
        assert_eq!(read.entries.len() as u64, place.count);
    });
    let ends = |len: usize| b"PK\x05\x06".repeat(len / 4);
    assert_linear("ends of a ZIP", 40_000, ends, |bytes| {
        drop(black_box(archive::find(bytes, 0)));
    });
    let npy = |len: usize| {
        Array {
            shape: vec![len],
            data: vec![0.5; len],
            is_bytes: false,
        }
        .to_npy()
    };
    assert_linear("NPY", 20_000, npy, |bytes| {
        drop(black_box(Array::from_npy(bytes)));
    });
    let safetensors = |count: usize| {
        let tensors: Vec<String> = (0..count)
            .map(|at| {
                format!(
                    "\"t{at}\":{{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[{},{}]}}",
                    4 * at,
                    4 * at + 4
                )
            })
            .collect();
        let header = format!("{{{}}}", tensors.join(","));
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.bytes());
        bytes.extend(vec![0; 4 * count]);
        (bytes, format!("t{}", count - 1))
    };
    assert_linear("safetensors", 1000, safetensors, |(bytes, last)| {
        Array::from_safetensors(bytes, last).unwrap();
    });
}

#[test]
fn a_declaration_is_read_in_time_that_grows_with_its_length() {
    let declared = |criteria: usize| -> Vec<File> {
        let list: Vec<Value> = (0..criteria)
            .map(|at| json!({"id": format!("c{at}"), "label": format!("C {at}"), "range": [1, 10]}))
            .collect();
        let declaration = json!({"format": "juror-protocol/1", "id": "small", "title": "Small",
            "samples": {"file": "list.csv"}, "replies": "judged/{model}.jsonl", "criteria": list,
            "requests": [{"id": "judge", "reply": {"form": "lines"}}]});
        vec![
            file("B/juror.json", declaration.to_string()),
            file("B/list.csv", "id,instruction\n1,Do.\n"),
        ]
    };
    assert_linear("criteria", 400, declared, |files| {
        black_box(open(files));
    });
    let unknown = |count: usize| -> Vec<File> {
        let keys: Vec<String> = (0..count).map(|at| format!("\"k{at}\": 1")).collect();
        let text = format!("{{\"format\": \"juror-protocol/1\", {}}}", keys.join(","));
        vec![file("B/juror.json", text)]
    };
    assert_linear("unknown keys", 2000, unknown, |files| {
        black_box(open(files));
    });
}

/// Replies to four WEAVE dialogues by so many models.
fn many_models(count: usize) -> Vec<File> {
    let mut files = weave(4);
    let line = |sample: usize| {
        let dialogue = Dialogue {
            idx: sample,
            num_pictures: 1,
            num_texts: 1,
        };
        json!({"idx": sample, "domain": dialogue.domain(), "turn 0": {"key_point": {"score": 5}}})
    };
    let lines = (0..4).fold(String::new(), |mut text, sample| {
        let _ = writeln!(text, "{}", line(sample));
        text
    });
    files.extend((0..count).map(|at| file(&format!("result/m{at}/metrics.jsonl"), lines.clone())));
    files
}

/// Results of VIBE by so many models, without the benchmark; beside `imgs` each file may be a list of WEAVEBench.
fn results_alone(count: usize) -> Vec<File> {
    let reply = json!([{"id": "1", "Pose_Consistency": {"score": 1}}]).to_string();
    let of_model = |at: usize| {
        let folder = format!("results/m{at}/Level-2-Morphological/Pose_Control");
        let results = format!("{folder}/Pose_Control_results_1.json");
        [
            file(&results, reply.clone()),
            file(&format!("{folder}/imgs/1.png"), ""),
        ]
    };
    (0..count).flat_map(of_model).collect()
}

#[test]
fn a_session_grows_with_its_models() {
    assert_session_is_linear("models", 150, many_models);
    assert_session_is_linear("models without the benchmark", 150, results_alone);
    // The sibling that must fail: what compares every model with every other is told from this.
    let squared = steep_growth(150, many_models, |files| {
        for (path, _) in files {
            let others = files
                .iter()
                .filter(|(other, _)| other.ends_with(black_box(path.as_str())));
            black_box(others.count());
        }
    });
    assert!(squared > MOST, "{squared}");
}
