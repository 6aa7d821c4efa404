//! Specific checkpoints of made MICON cases, asked as judge texts and compared with the generic ones.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_image::{Rgb, encode_png};
use juror_tests::program::Folder;
use serde_json::{Value, json};

const CASES: [&str; 2] = [
    "object_composition/case_0001",
    "object_composition/case_0002",
];
const FILE: &str = "made/micon-specific.json";

fn ok(folder: &Folder, words: &str) -> String {
    let (code, out, err) = folder.run(words);
    assert_eq!(code, 0, "{words}\n{out}{err}");
    out
}

/// A made suite of two cases with an output of M for each.
fn suite() -> Folder {
    let folder = Folder::default();
    let grey = |value: u8| encode_png(&Rgb::filled(8, 8, [value; 3]).unwrap()).unwrap();
    ok(
        &folder,
        "make micon --count object:2=2 --without-review --seed 5 --out made --requests calls.txt",
    );
    let mut value = 10;
    for _ in 0..2 {
        let sheet = std::fs::read_to_string(folder.path("calls.txt")).unwrap();
        let mut lines = sheet.lines();
        while lines.any(|line| line == "--- put the picture here") {
            folder.write(&format!("made/{}", lines.next().unwrap()), &grey(value));
            value += 20;
        }
        ok(
            &folder,
            "make micon --out made --by Ada --requests calls.txt",
        );
    }
    for case in CASES {
        folder.write(&format!("made/outputs/generations/M/{case}.png"), &grey(77));
    }
    folder
}

fn specific(folder: &Folder) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.path(FILE)).unwrap()).unwrap()
}

/// A request as the sheet has it: its hash, its prompt pack's, and the text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    sha256: String,
    pack: String,
    text: String,
}

/// The requests of the suite by case, with more words on the command line.
fn asked(folder: &Folder, more: &str) -> Vec<Asked> {
    let _ = std::fs::remove_file(folder.path("asked.txt"));
    ok(
        folder,
        &format!("requests made --engine text --out asked.txt{more}"),
    );
    let sheet = std::fs::read_to_string(folder.path("asked.txt")).unwrap();
    let blocks = sheet.split("===== juror-request ").skip(1);
    let read = |block: &str| {
        let (head, text) = block.split_once('\n').unwrap();
        let words: Vec<&str> = head.split(" · ").collect();
        let pack = words.iter().find(|word| word.starts_with("prompts "));
        Asked {
            sha256: words[0].to_owned(),
            pack: pack.unwrap().rsplit(' ').next().unwrap().to_owned(),
            text: text.to_owned(),
        }
    };
    let found: Vec<Asked> = blocks.map(read).collect();
    assert_eq!(found.len(), CASES.len());
    found
}

#[test]
fn each_case_is_asked_its_own_questions_and_the_request_has_another_hash() {
    let folder = suite();
    let generic = asked(&folder, "");
    let own = asked(&folder, &format!(" --prompts {FILE}"));
    let texts = specific(&folder);
    for (at, case) in CASES.iter().enumerate() {
        assert_ne!(generic[at].sha256, own[at].sha256);
        assert_ne!(generic[at].pack, own[at].pack);
        let question = texts[case]["A_check_1"].as_str().unwrap();
        let line = format!("- A_check_1 (H1): {question}\n");
        assert!(own[at].text.contains(&line), "{}", own[at].text);
        assert!(!generic[at].text.contains(&line));
        let other = texts[CASES[1 - at]]["A_check_1"].as_str().unwrap();
        assert!(!own[at].text.contains(other), "another case's question");
    }
    // A folder with only the file in it asks the same, also of a suite without it.
    folder.write("texts/micon-specific.json", texts.to_string().as_bytes());
    assert_eq!(asked(&folder, " --prompts texts"), own);
    std::fs::remove_file(folder.path(FILE)).unwrap();
    assert_eq!(asked(&folder, " --prompts texts"), own);
    assert_eq!(asked(&folder, ""), generic);
}

#[test]
fn a_case_that_is_not_listed_keeps_the_generic_questions_and_is_counted() {
    let folder = suite();
    let generic = asked(&folder, "");
    let mut texts = specific(&folder);
    texts.as_object_mut().unwrap().remove(CASES[1]);
    folder.write("micon-specific.json", texts.to_string().as_bytes());
    let own = asked(&folder, " --prompts micon-specific.json");
    assert_ne!(own[0].text, generic[0].text);
    assert_eq!(own[1].text, generic[1].text);
    assert_ne!(own[1].sha256, generic[1].sha256, "the pack is another one");
    let inspected = ok(&folder, "inspect made micon-specific.json");
    assert!(
        inspected.contains("1 of 2 cases have no questions of their own"),
        "{inspected}"
    );
}

#[test]
fn a_file_that_cannot_be_asked_names_itself_and_what_to_write() {
    let folder = suite();
    for (text, said) in [
        ("{", "Expected questions by case and id"),
        ("{}", "found no case"),
        ("{\"a/b\": 1}", "Expected questions by case and id"),
    ] {
        folder.write("micon-specific.json", text.as_bytes());
        let words = "requests made --prompts micon-specific.json --engine text --out asked.txt";
        let (code, _, err) = folder.run(words);
        assert!(code == 2 && err.contains(said), "{text}: {code} {err}");
        assert!(
            err.contains("micon-specific.json") && err.contains("A_check_1"),
            "{err}"
        );
        assert!(!folder.path("asked.txt").exists(), "no request is written");
    }
    folder.write("none/readme.txt", b"Nothing.");
    let (code, _, err) = folder.run("requests made --prompts none --engine text --out asked.txt");
    assert!(
        code == 2 && err.contains("no judge texts of MICON"),
        "{err}"
    );

    let other = json!({
        "object_composition/case_0009": {"A_check_1": "Is the fox there?"},
        CASES[0]: {"A_check_1": "Is the fox there?", "A_check_7": "x?", "G_check_1": "Is it nice?", "B_check_1": ""},
    });
    folder.write("micon-specific.json", other.to_string().as_bytes());
    let own = asked(&folder, " --prompts micon-specific.json");
    assert!(
        own[0]
            .text
            .contains("- A_check_1 (H1): Is the fox there?\n")
    );
    assert!(!own[0].text.contains("Is it nice?"));
    let inspected = ok(&folder, "inspect made micon-specific.json");
    for said in [
        "unknown_case",
        "object_composition/case_0009",
        "unknown_checkpoint",
        "object_composition/case_0001 A_check_7",
        "specific_overall",
        "specific_form",
        "cases_without_texts",
    ] {
        assert!(inspected.contains(said), "{said}: {inspected}");
    }
}

/// Replies to requests of two packs, as a journal: of the second pack `A_check_2` fails.
fn journal(packs: [&[Asked]; 2], texts: &Value) -> String {
    let mut lines = String::new();
    for (pack, asked) in packs.into_iter().enumerate() {
        for (case, asked) in CASES.iter().zip(asked) {
            let checks = texts[case].as_object().unwrap().keys();
            let checks = checks.map(|id| {
                let pass = u8::from(pack == 0 || id != "A_check_2");
                (id.clone(), json!({"pass": pass}))
            });
            let checks: serde_json::Map<String, Value> = checks.collect();
            let reply = json!({"checkpoint_results": checks, "rationale_short": "", "flags": []});
            let record = json!({
                "format": "juror-journal/1", "protocol": "micon", "model": "M", "sample": case, "turn": 0,
                "criterion": "checkpoints", "judge": "j", "run": 1, "time": "", "request": asked.sha256,
                "prompts": asked.pack, "reply": reply.to_string(), "error": null,
            });
            lines += &record.to_string();
            lines.push('\n');
        }
    }
    lines
}

#[test]
fn generic_and_specific_questions_are_two_levels_of_one_judge() {
    let folder = suite();
    let (generic, own) = (
        asked(&folder, ""),
        asked(&folder, &format!(" --prompts {FILE}")),
    );
    folder.write(
        "replies/journal.jsonl",
        journal([&generic, &own], &specific(&folder)).as_bytes(),
    );
    let level = |asked: &Asked| asked.pack[..8].to_owned();
    let found = |words: &str| -> Value {
        serde_json::from_str(&ok(&folder, &format!("experiments made replies {words}"))).unwrap()
    };
    let by_pack = found("--factor pack --json");
    let levels: Vec<&str> = by_pack["levels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["level"].as_str().unwrap())
        .collect();
    assert_eq!(levels, [level(&generic[0]), level(&own[0])]);
    assert_eq!(by_pack["levels"][1]["title"], FILE);
    assert_eq!(by_pack["blocks"][0]["judge"], "j");
    let total = &by_pack["blocks"][0]["rows"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()["cells"];
    assert_eq!(
        [&total[0]["n"], &total[1]["n"], &total[1]["difference"]["n"]],
        [2, 2, 2]
    );
    let difference = total[1]["difference"]["value"]["value"].as_f64().unwrap();
    assert!(
        difference < -1.0,
        "one question of fifteen fails: {difference}"
    );

    // Replies under one pack are one level, and nothing is compared.
    folder.write(
        "replies/journal.jsonl",
        journal([&generic, &[]], &specific(&folder)).as_bytes(),
    );
    let one = found("--factor pack --json");
    assert_eq!(one["levels"].as_array().unwrap().len(), 1);
}
