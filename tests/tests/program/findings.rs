//! What could change a number is said by every command, and nothing changes one without a word: names, copies, encodings,
//! forms of pictures and parameters.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_tests::generate::{Dialogue, tiny_png};
use juror_tests::program::Folder;
use serde_json::{Value, json};

fn dialogue(idx: usize) -> Dialogue {
    Dialogue {
        idx,
        num_pictures: 1,
        num_texts: 1,
    }
}

/// Four dialogues of a picture turn and a text turn; `alpha` has all outputs, and its pictures alone are judged.
fn suite() -> Folder {
    let folder = Folder::weave((0..4).map(dialogue));
    let score = json!({"score": 8, "reasoning": "It is so."});
    let turn = json!({"key_point": score, "visual_consistency": score, "image_quality": score});
    let lines: String = (0..4)
        .map(|idx| {
            let line = json!({"idx": idx, "domain": dialogue(idx).domain(), "turn 0": turn});
            line.to_string() + "\n"
        })
        .collect();
    folder.write("alpha/metrics.jsonl", lines.as_bytes());
    folder
}

/// Renames each text answer of `alpha`.
fn rename_answers(folder: &Folder, name: impl Fn(&str) -> String) {
    for idx in 0..4 {
        let own = dialogue(idx).answer(1);
        let from = folder.path(&format!("alpha/imgs/{own}"));
        std::fs::rename(from, folder.path(&format!("alpha/imgs/{}", name(&own)))).unwrap();
    }
}

/// The report, and what was said.
#[track_caller]
fn scored(folder: &Folder, words: &str) -> (Value, String) {
    let (code, out, said) = folder.run(format!("score bench alpha {words}").trim_end());
    assert_eq!(code, 0, "{said}");
    (serde_json::from_str(&out).unwrap(), said)
}

/// What `alpha` is judged on, and its overall total.
fn kind_and_total(report: &Value) -> (String, Option<f64>) {
    let rows = report["scores"].as_array().unwrap();
    let is_total = |row: &&Value| row["scope"] == "overall" && row["criterion"] == "total";
    let mode = &report["provenance"]["models"][0]["mode"];
    (
        mode.as_str().unwrap().to_owned(),
        rows.iter().find(is_total).unwrap()["mean"].as_f64(),
    )
}

#[test]
fn answers_under_wrong_names_make_no_model_of_pictures_alone() {
    let folder = suite();
    rename_answers(&folder, |name| name.replace('_', "-"));
    let (report, said) = scored(&folder, "");
    assert_eq!(kind_and_total(&report), ("umm".to_owned(), None));
    assert_eq!(report["provenance"]["models"][0]["unrecognised_answers"], 4);
    assert!(said.contains("4 unrecognised text answers"), "{said}");
    let notices = report["provenance"]["notices"].as_array().unwrap();
    assert!(
        notices
            .iter()
            .any(|one| one["code"] == "unrecognised_answers")
    );
    let (_, out, _) = folder.run("lint bench alpha");
    let found: Value = serde_json::from_str(&out).unwrap();
    let renames: Vec<&str> = found
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["rename_to"].as_str())
        .collect();
    assert_eq!(renames.len(), 4, "{out}");
    assert!(renames.contains(&"alpha/imgs/d2_1_1.txt"));
    // Whoever knows better says so.
    let (report, _) = scored(&folder, "--kind alpha=img");
    let (kind, total) = kind_and_total(&report);
    assert_eq!((kind.as_str(), total.is_some()), ("img", true));
    let (code, _, said) = folder.run("score bench alpha --kind beta=img");
    assert_eq!(code, 2);
    assert!(said.contains("beta"), "{said}");
}

#[test]
fn a_stray_text_beside_the_pictures_is_no_answer() {
    let folder = suite();
    for idx in 0..4 {
        std::fs::remove_file(folder.path(&format!("alpha/imgs/{}", dialogue(idx).answer(1))))
            .unwrap();
    }
    let (report, _) = scored(&folder, "");
    let plain = kind_and_total(&report);
    assert_eq!(plain.0, "img");
    folder.write("alpha/imgs/notes.txt", b"Made on Monday.");
    folder.write("alpha/README.txt", b"Outputs of alpha.");
    let (report, said) = scored(&folder, "");
    assert_eq!(kind_and_total(&report), plain);
    assert!(!said.contains("unrecognised"), "{said}");
}

#[test]
fn outputs_of_another_ending_are_all_to_be_renamed_and_none_is_to_be_removed() {
    for is_judged in [true, false] {
        let folder = suite();
        for idx in 0..4 {
            let own = dialogue(idx);
            let stem = own.picture(2).replace(".png", "");
            let from = folder.path(&format!("alpha/imgs/{stem}.png"));
            std::fs::rename(from, folder.path(&format!("alpha/imgs/{stem}.jpg"))).unwrap();
            std::fs::remove_file(folder.path(&format!("alpha/imgs/{}", own.answer(1)))).unwrap();
        }
        if !is_judged {
            std::fs::remove_file(folder.path("alpha/metrics.jsonl")).unwrap();
        }
        let (code, out, said) = folder.run("lint bench alpha");
        assert_eq!(code, 1, "{said}");
        let found: Value = serde_json::from_str(&out).unwrap();
        let found = found.as_array().unwrap();
        let renames = found.iter().filter(|one| one["code"] == "misnamed_output");
        assert_eq!(renames.count(), 4, "judged: {is_judged}: {out}");
        assert!(!out.to_lowercase().contains("remove"), "{out}");
    }
}

#[test]
fn a_folder_that_is_called_a_copy_is_no_model_and_is_named() {
    let folder = suite();
    for copy in ["Copy of alpha", "alpha (1)", "alpha - Copy"] {
        folder.write(
            &format!("out/{copy}/imgs/{}", dialogue(0).picture(2)),
            &tiny_png(3),
        );
    }
    folder.write(
        &format!("out/alpha/imgs/{}", dialogue(0).picture(2)),
        &tiny_png(3),
    );
    folder.write(
        &format!("out/beta (1)/imgs/{}", dialogue(0).picture(2)),
        &tiny_png(3),
    );
    let (code, out, said) = folder.run("inspect bench out");
    assert_eq!(code, 0, "{said}");
    let found: Value = serde_json::from_str(&out).unwrap();
    let names: Vec<&str> = found["models"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    // A copy of nothing that is there is a model.
    assert_eq!(names, ["alpha", "beta (1)"]);
    let (_, _, said) = folder.run("requests bench out --engine text --out r.txt");
    assert!(
        said.contains("alpha (1)") || said.contains("alpha - Copy"),
        "{said}"
    );
    assert!(said.contains("Copy of"), "{said}");
}

/// The names of the models, and what was said.
#[track_caller]
fn models(folder: &Folder, words: &str) -> (Vec<String>, String) {
    let (code, out, _) = folder.run(&format!("inspect {words}"));
    assert_eq!(code, 0, "{out}");
    let found: Value = serde_json::from_str(&out).unwrap();
    let names = found["models"].as_array().unwrap().iter();
    let names = names.map(|one| one["name"].as_str().unwrap().to_owned());
    let (_, _, said) = folder.run(&format!("requests {words} --engine text --out r.txt"));
    (names.collect(), said)
}

#[test]
fn a_copy_in_any_language_is_no_model_and_is_named() {
    for copy in [
        "Kopie von alpha",
        "Copie de alpha",
        "alpha – kopie",
        "alpha - 副本",
        "alpha的副本",
        "alpha のコピー (2)",
        "alpha (another copy)",
    ] {
        let folder = suite();
        for name in [copy, "alpha"] {
            let path = format!("out/{name}/imgs/{}", dialogue(0).picture(2));
            folder.write(&path, &tiny_png(3));
        }
        let (names, said) = models(&folder, "bench out");
        assert_eq!(names, ["alpha"], "{copy}");
        let word = if copy.ends_with(" alpha") {
            "Kopie von"
        } else {
            copy
        };
        assert!(said.contains(word), "{copy}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_a_model_is_no_second_model_and_is_named() {
    let folder = suite();
    for name in ["run-1", "run-2"] {
        let path = format!("out/{name}/imgs/{}", dialogue(0).picture(2));
        folder.write(&path, &tiny_png(3));
    }
    std::os::unix::fs::symlink("run-2", folder.path("out/latest")).unwrap();
    let (names, said) = models(&folder, "bench out");
    assert_eq!(names, ["run-1", "run-2"]);
    assert!(
        said.contains("out/latest: This is a link to out/run-2"),
        "{said}"
    );
    // Alone it is the model that it leads to.
    let (names, said) = models(&folder, "bench out/latest");
    assert_eq!(names, ["run-2"]);
    assert!(!said.contains("link"), "{said}");
}

#[test]
fn replies_that_are_named_and_count_nowhere_stop_the_command() {
    let folder = suite();
    let record = |sample: &str, protocol: &str| {
        format!(
            r#"{{"format": "juror-journal/1", "protocol": "{protocol}", "model": "alpha", "sample": "{sample}", "turn": 0, "criterion": "key_point", "reply": "{{\"score\": 7, \"reasoning\": \"r\"}}"}}"#
        )
    };
    for (name, line, why) in [
        (
            "other.jsonl",
            record("no-such", "weave"),
            "no sample no-such",
        ),
        (
            "foreign.jsonl",
            record("0", "micon"),
            "1 record is of micon, not of weave",
        ),
    ] {
        folder.write(name, line.as_bytes());
        let (code, _, said) = folder.run(&format!("score bench --replies {name}"));
        assert_eq!(code, 2, "{said}");
        let told = format!("{name} was read, and nothing in it counts.");
        assert!(said.contains(&told) && said.contains(why), "{said}");
    }
    folder.write("own.jsonl", record("0", "weave").as_bytes());
    let (code, _, said) = folder.run("score bench --replies own.jsonl");
    assert_eq!(code, 0, "{said}");
}

#[test]
fn a_model_without_pictures_beside_others_with_some_is_said_to_rest_on_replies() {
    let folder = suite();
    let line = |model: &str| {
        format!(
            r#"{{"format": "juror-journal/1", "protocol": "weave", "model": "{model}", "sample": "0", "turn": 0, "criterion": "key_point", "reply": "{{\"score\": 7, \"reasoning\": \"r\"}}"}}"#
        )
    };
    let text = [line("alpha"), line("beta")].join("\n");
    folder.write("journal.jsonl", text.as_bytes());
    let words = "scores rest on the replies alone";
    let (_, _, said) = folder.run("score bench --replies journal.jsonl");
    assert!(!said.contains(words), "{said}");
    let path = format!("out/alpha/imgs/{}", dialogue(0).picture(2));
    folder.write(&path, &tiny_png(3));
    let (_, _, said) = folder.run("score bench out --replies journal.jsonl");
    assert!(
        said.contains("No pictures of beta were opened") && said.contains(words),
        "{said}"
    );
}

#[test]
fn every_command_says_what_was_not_read_and_what_is_of_another_benchmark() {
    let folder = suite();
    folder.write("bench/old/results.json", b"{\"a\": 1}");
    let record = json!({"format": "juror-journal/1", "protocol": "micon", "model": "alpha", "sample": "1", "turn": 0,
        "criterion": "checkpoints", "judge": "j", "run": 1, "reply": "{}"});
    folder.write("bench/journal.jsonl", format!("{record}\n").as_bytes());
    for command in [
        "score bench alpha",
        "requests bench alpha --engine text --out r.txt",
        "agreement bench alpha",
        "compare bench alpha",
    ] {
        let (code, _, said) = folder.run(command);
        assert_eq!(code, 0, "{command}: {said}");
        assert!(said.contains("results.json"), "{command}: {said}");
        assert!(said.contains("1 record is of micon"), "{command}: {said}");
        assert!(said.contains("details: juror inspect"), "{command}: {said}");
    }
    let (code, _, _) = folder.run("agreement bench alpha --strict");
    assert_eq!(code, 1);
    let (code, _, said) = suite().run("agreement bench alpha --strict");
    assert_eq!(code, 0, "{said}");
}

#[test]
fn replies_about_a_model_whose_folder_was_renamed_are_named() {
    let folder = suite();
    std::fs::remove_file(folder.path("alpha/metrics.jsonl")).unwrap();
    let record = json!({"format": "juror-journal/1", "protocol": "weave", "model": "alpha-old", "sample": "1", "turn": 0,
        "criterion": "image_quality", "judge": "j", "run": 1, "reply": "{\"score\": 7, \"reasoning\": \"r\"}"});
    folder.write("bench/journal.jsonl", format!("{record}\n").as_bytes());
    let (_, said) = scored(&folder, "");
    assert!(
        said.contains("alpha-old") && said.contains("under another name"),
        "{said}"
    );
}

/// A BMP of one white pixel.
fn bmp() -> Vec<u8> {
    let mut bmp = b"BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
    bmp.extend([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 24, 0]);
    bmp.extend([0; 24]);
    bmp.extend([255, 255, 255, 0]);
    bmp
}

#[test]
fn a_bitmap_goes_to_no_judge_as_one() {
    let folder = Folder::default();
    for number in 0..2 {
        folder.write(&format!("data/add/001_{number}.png"), &tiny_png(number));
    }
    folder.write("data/add/001_prompt.txt", b"Put one into the other.");
    folder.write("outputs/model-a/add/001_generated.bmp", &bmp());
    for engine in ["openai", "gemini"] {
        let command = format!(
            "requests data outputs --engine {engine} --judge j --judge-model m --out b.jsonl"
        );
        let (code, _, said) = folder.run(&command);
        assert_eq!(code, 0, "{said}");
        assert!(said.contains("1 picture was converted to PNG"), "{said}");
        let text = std::fs::read_to_string(folder.path("b.jsonl")).unwrap();
        assert!(!text.contains("image/bmp"), "{engine}");
        // The beginning of a BMP in base64.
        assert!(!text.contains("Qk06"), "{engine}");
    }
}

#[test]
fn a_limit_of_tokens_is_sent_under_one_name() {
    let folder = suite();
    let body = |words: &str| -> Value {
        let command =
            format!("requests bench alpha --engine openai --judge gpt-4o {words} --out b.jsonl");
        let (code, _, said) = folder.run(&command);
        assert_eq!(code, 0, "{said}");
        let text = std::fs::read_to_string(folder.path("b.jsonl")).unwrap();
        let line: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        line["body"].clone()
    };
    let sent = body("--judge-model gpt-5-mini --extra {\"max_completion_tokens\":8192}");
    assert_eq!(sent["max_completion_tokens"], 8192);
    assert_eq!(sent.get("max_tokens"), None);
    let sent = body("--judge-model gpt-5-mini --max-tokens 900");
    assert_eq!(
        (&sent["max_completion_tokens"], sent.get("max_tokens")),
        (&json!(900), None)
    );
    let sent = body("--max-tokens 900");
    assert_eq!(
        (sent.get("max_completion_tokens"), &sent["max_tokens"]),
        (None, &json!(900))
    );
}

#[test]
fn a_list_that_is_not_utf8_is_read_or_named_and_never_asked_about_in_signs() {
    let list = |folder: &Folder| std::fs::read_to_string(folder.path("bench/test.json")).unwrap();
    let ask = |folder: &Folder| {
        let (code, _, said) = folder
            .run("requests bench alpha --engine openai --judge j --judge-model m --out b.jsonl");
        let text = std::fs::read_to_string(folder.path("b.jsonl")).unwrap_or_default();
        (code, said, text)
    };
    let folder = suite();
    let with = list(&folder).replace("The step was", "The caf\u{e9} was");
    let utf16: Vec<u8> = with.encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.write("bench/test.json", &utf16);
    let (code, said, text) = ask(&folder);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("UTF-16") && !said.contains("shown as"),
        "{said}"
    );
    assert!(text.contains("caf\u{e9}"));
    let latin: Vec<u8> = with
        .chars()
        .map(|letter| u8::try_from(u32::from(letter)).unwrap())
        .collect();
    folder.write("bench/test.json", &latin);
    let (code, said, text) = ask(&folder);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("Windows-1252"), "{said}");
    assert!(text.contains("caf\u{e9}"));
    // Nobody knows what these letters are, so nobody is asked about them.
    let unknown = String::from_utf8(latin).unwrap_err().into_bytes();
    let unknown: Vec<u8> = unknown
        .iter()
        .flat_map(|byte| match byte {
            0xe9 => vec![0xcf, 0xf0, 0xe8],
            byte => vec![*byte],
        })
        .collect();
    folder.write("bench/test.json", &unknown);
    let (code, said, text) = ask(&folder);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("test.json") && said.contains("Save it as UTF-8"),
        "{said}"
    );
    assert!(!text.contains('\u{fffd}'), "{text}");
}

/// Two sets of MultiBanana under one number, and a model whose pictures and judge's texts have these names in their folders.
fn banana(picture: &str, judged: &str) -> Folder {
    let folder = Folder::default();
    let reply = "Reasoning: It holds.\n\nInstruction Alignment: 8\nReference Consistency: 7\nBackground-Subject Match: 6\nPhysical Realism: 9\nVisual Quality: 10\n";
    for (task, grey) in [("add", 1), ("style", 2)] {
        folder.write(
            &format!("data/{task}/001_prompt.txt"),
            b"Put them together.",
        );
        for number in 0..2 {
            folder.write(&format!("data/{task}/001_{number}.png"), &tiny_png(number));
        }
        folder.write(&format!("out/m/{task}/{picture}"), &tiny_png(grey + 5));
        folder.write(&format!("out/m/{task}/{judged}"), reply.as_bytes());
    }
    folder
}

#[test]
fn outputs_of_one_number_in_several_folders_are_each_to_be_renamed_in_their_own() {
    let folder = banana("001_gen.png", "001_gpt_judge.txt");
    let (code, out, _) = folder.run("lint data out");
    assert_eq!(code, 1);
    let found: Value = serde_json::from_str(&out).unwrap();
    let renames = found.as_array().unwrap().iter().filter_map(|one| {
        let from = one["rename_from"].as_str()?;
        Some((from, one["rename_to"].as_str()?))
    });
    let folders = renames.map(|(from, to)| {
        assert!(from.ends_with("/001_gen.png"), "{from}");
        let own = from.rsplit_once('/').unwrap().0;
        assert!(
            to.starts_with(&format!("{own}/001_generated.")),
            "{from} {to}"
        );
        own.to_owned()
    });
    let mut folders: Vec<String> = folders.collect();
    folders.sort();
    assert_eq!(folders, ["out/m/add", "out/m/style"], "{out}");
}

#[test]
fn pictures_and_judges_texts_under_names_that_nobody_asks_for_are_named_where_numbers_are() {
    for (picture, judged) in [
        ("001_gen.png", "001_gpt_judge.txt"),
        ("001_generated.png", "001_judge_gpt.txt"),
    ] {
        let folder = banana(picture, judged);
        for words in ["score data out", "inspect data out"] {
            let (_, _, said) = folder.run(words);
            let lines = said.lines().filter(|line| line.contains("no name that"));
            assert_eq!(lines.count(), 1, "{words}: {said}");
            assert!(said.contains("2 files of m"), "{words}: {said}");
        }
        assert_eq!(folder.run("score data out --strict").0, 1);
    }
    let (code, _, said) =
        banana("001_generated.png", "001_gpt_judge.txt").run("score data out --strict");
    assert_eq!(code, 0, "{said}");
}

#[test]
fn a_hidden_folder_is_no_model_and_is_named() {
    let folder = suite();
    let lines = std::fs::read(folder.path("alpha/metrics.jsonl")).unwrap();
    for hidden in [".cache/alpha", ".old/beta", ".sync/gamma"] {
        folder.write(&format!("out/{hidden}/metrics.jsonl"), &lines);
    }
    folder.write("out/delta/metrics.jsonl", &lines);
    let (code, out, said) = folder.run("score bench out");
    assert_eq!(code, 0, "{said}");
    let report: Value = serde_json::from_str(&out).unwrap();
    let models = report["provenance"]["models"].as_array().unwrap();
    let names: Vec<&str> = models
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["delta"]);
    assert!(
        said.contains("1 file is passed over that lies in hidden folders"),
        "{said}"
    );
}

#[test]
fn a_judge_whose_every_call_failed_is_named_where_it_has_no_score() {
    let folder = suite();
    std::fs::remove_file(folder.path("alpha/metrics.jsonl")).unwrap();
    let record = |idx: u32| {
        let record = json!({"format": "juror-journal/1", "protocol": "weave", "model": "alpha", "sample": idx.to_string(),
            "turn": 0, "criterion": "key_point", "judge": "gpt", "reply": "", "error": "server: It is down."});
        record.to_string() + "\n"
    };
    folder.write(
        "journal.jsonl",
        (0..4).map(record).collect::<String>().as_bytes(),
    );
    let (_, said) = scored(&folder, "--replies journal.jsonl");
    assert!(said.contains("alpha: its calls failed"), "{said}");
}

#[test]
fn ratings_that_count_nowhere_and_such_that_no_scale_has_are_named() {
    let folder = suite();
    let head = "sample,turn,model,criterion,rater,score\n";
    for (rows, word) in [
        ("0,0,alpha,key_point,ann,7\n1,0,alpha,total,ann,0.5\n", ""),
        (
            "99,0,alpha,key_point,ann,7\n",
            "1 rating is about outputs that are not here",
        ),
        (
            "+1,0,alpha,key_point,ann,7\n001,0,alpha,key_point,ann,7\n",
            "2 ratings are about outputs",
        ),
        ("0,0,Alpha,key_point,ann,7\n", "1 rating is about outputs"),
        ("0,9,alpha,key_point,ann,7\n", "1 rating is about outputs"),
        ("0,0,alpha,key_point,ann,11\n", "1 rating is off the scale"),
        ("0,0,alpha,key_point,ann,-1\n", "1 rating is off the scale"),
        ("0,0,alpha,total,ann,7\n", "1 rating is off the scale"),
    ] {
        folder.write("ratings.csv", format!("{head}{rows}").as_bytes());
        for command in ["agreement", "inspect"] {
            let (_, _, said) = folder.run(&format!("{command} bench alpha ratings.csv"));
            let is_named = said.contains("rating is") || said.contains("ratings are");
            assert_eq!(is_named, !word.is_empty(), "{rows}: {said}");
            assert!(said.contains(word), "{rows}: {said}");
        }
    }
}

#[test]
fn a_file_that_is_named_by_itself_is_read_by_what_is_in_it_or_named() {
    let folder = suite();
    let head = "sample,turn,model,criterion,rater,score\n";
    let rows = "0,0,alpha,key_point,ann,7\n1,0,alpha,key_point,ann,9\n";
    folder.write("r.csv", format!("{head}{rows}").as_bytes());
    let of = |name: &str| {
        let (code, out, said) = folder.run(&format!("agreement bench alpha {name}"));
        assert_eq!(code, 0, "{said}");
        (out, said)
    };
    let (known, said) = of("r.csv");
    assert!(known.contains("ann"), "{known}");
    assert!(!said.contains("unread"), "{said}");
    for name in ["r.txt", "r.tsv", "r"] {
        let separator = if name == "r.tsv" { "\t" } else { "," };
        let text = format!("{head}{rows}").replace(',', separator);
        folder.write(name, text.as_bytes());
        let (found, said) = of(name);
        assert_eq!(found, known, "{name}");
        assert!(!said.contains("Nothing was read"), "{said}");
    }
    let record = json!({"format": "juror-journal/1", "protocol": "weave", "model": "alpha", "sample": "0", "turn": 0,
        "criterion": "key_point", "judge": "second", "run": 1, "reply": "{\"score\": 7, \"reasoning\": \"r\"}"});
    folder.write("j.txt", format!("{record}\n").as_bytes());
    let scored = |name: &str| folder.run(format!("score bench alpha {name}").trim_end());
    assert!(scored("j.txt").1.contains("second"));
    folder.write("notes.txt", b"Called on Monday.");
    let (_, _, said) = scored("notes.txt");
    assert!(said.contains("notes.txt: Nothing was read"), "{said}");
    // In a folder it is somebody's note.
    folder.write("alpha/notes.txt", b"Called on Monday.");
    let (_, _, said) = scored("");
    assert!(!said.contains("notes.txt"), "{said}");
}

#[test]
fn a_benchmark_is_chosen_by_the_folder_of_its_list_as_by_the_list() {
    let folder = suite();
    let list = std::fs::read(folder.path("bench/test.json")).unwrap();
    let mut short: Vec<Value> = serde_json::from_slice(&list).unwrap();
    short.truncate(2);
    folder.write("short/test.json", json!(short).to_string().as_bytes());
    let dialogues = |words: &str| {
        let (code, out, said) = folder.run(&format!("score bench short alpha {words}"));
        assert_eq!(code, 0, "{said}");
        let report: Value = serde_json::from_str(&out).unwrap();
        let rows = report["scores"].as_array().unwrap();
        let is_total = |row: &&Value| row["scope"] == "overall" && row["criterion"] == "total";
        rows.iter().find(is_total).unwrap()["expected"].clone()
    };
    for list in ["bench", "short"] {
        let by_list = dialogues(&format!("--benchmark {list}/test.json"));
        assert_eq!(dialogues(&format!("--benchmark {list}")), by_list);
        // Each dialogue has two turns.
        assert_eq!(by_list, if list == "bench" { 8 } else { 4 });
    }
    let (code, _, said) = folder.run("score bench short alpha --benchmark alpha");
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("alpha") && said.contains("short/test.json"),
        "{said}"
    );
    let (code, _, said) = folder.run("score . --benchmark .");
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("several benchmarks"), "{said}");
}
