//! `juror make extend-dialogues`: dialogues of WEAVE get at most one text turn, written and checked by models, accepted by a person.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_tests::generate::tiny_png;
use juror_tests::program::Folder;
use serde_json::{Value, json};

/// A dialogue of two pictures; `texts` more turns are of text.
fn dialogue(folder: &Folder, bench: &str, idx: usize, texts: usize) -> Value {
    let name = |k: usize| format!("imgs/d{idx}_{k}.png");
    for k in 1..=2 {
        let grey = u8::try_from(idx * 10 + k).unwrap();
        folder.write(&format!("{bench}/{}", name(k)), &tiny_png(grey));
    }
    let mut chats = vec![
        json!({"role": "user", "type": "text", "content": "Image #1 Add a hat."}),
        json!({"role": "assistant", "type": "image", "content": "Image #2", "key_point": {"GT #2": "As in <image>."}}),
    ];
    for _ in 0..texts {
        chats.push(json!({"role": "user", "type": "text", "content": "What is on Image #2?"}));
        chats.push(
            json!({"role": "assistant", "type": "text", "content": "A hat.", "key_point": null}),
        );
    }
    json!({"idx": idx, "domain": "edit", "images": [name(1), name(2)], "chats": chats})
}

/// Two dialogues with picture turns only, and one with a text turn.
fn suite() -> (Folder, Vec<Value>) {
    let folder = Folder::default();
    let list = [(1, 0), (2, 1), (3, 0)].map(|(idx, texts)| dialogue(&folder, "bench", idx, texts));
    folder.write("bench/test.json", json!(list).to_string().as_bytes());
    (folder, list.into())
}

/// A step; how far the project is.
fn step(folder: &Folder, words: &str) -> Value {
    let (code, out, said) = folder.run(&format!(
        "make extend-dialogues{words} --out made --requests calls.txt --json"
    ));
    assert_eq!(code, 0, "{said}");
    serde_json::from_str(&out).unwrap()
}

/// Answers every call of the sheet; `text` gives a reply by the call's title.
fn reply(folder: &Folder, text: impl Fn(&str) -> Value) -> Value {
    let sheet = std::fs::read_to_string(folder.path("calls.txt")).unwrap();
    let calls = sheet.split("\n=== ").skip(1);
    let lines = calls.map(|call| {
        let (hash, rest) = call.split_once("\n# ").unwrap();
        let reply = text(rest.lines().next().unwrap()).to_string();
        format!(
            "{}\n",
            json!({"request": hash, "reply": reply, "by": "model"})
        )
    });
    folder.write("replies.jsonl", lines.collect::<String>().as_bytes());
    step(folder, " --replies replies.jsonl")
}

fn decide(folder: &Folder, thing: &str, verdict: &str) -> Value {
    let text = format!("thing,verdict,reason,by\n{thing},{verdict},looked,Ada\n");
    folder.write("decisions.csv", text.as_bytes());
    step(folder, " --decisions decisions.csv")
}

fn question() -> Value {
    json!({"question": "How many hats are on Image #2?", "answer": "There is one hat.", "requirement": "It says one."})
}

fn made(folder: &Folder) -> Vec<Value> {
    let list = std::fs::read_to_string(folder.path("made/test.json")).unwrap();
    serde_json::from_str(&list).unwrap()
}

#[test]
fn an_accepted_turn_ends_its_dialogue_and_the_others_stay_as_they_were() {
    let (folder, list) = suite();
    let begun = step(&folder, " bench --kinds count --seed 3");
    // The dialogue that has a text turn gets no other one.
    assert_eq!(begun["due"], json!([{"kind": "question", "count": 2}]));
    assert_eq!(made(&folder), list);
    let asked = reply(&folder, |_| question());
    assert_eq!(asked["due"], json!([{"kind": "check", "count": 2}]));
    let sheet = std::fs::read_to_string(folder.path("calls.txt")).unwrap();
    assert!(
        sheet.contains("--- picture\nimgs/d1_2.png") && !sheet.contains("imgs/d1_1.png"),
        "a check shows the pictures that are named: {sheet}"
    );
    let checked = reply(&folder, |_| json!({"correct": "yes"}));
    assert_eq!((&checked["due"], made(&folder)), (&json!([]), list.clone()));
    let before = std::fs::read(folder.path("made/juror-make.json")).unwrap();
    // A reply that was taken in counts once.
    step(&folder, " --replies replies.jsonl");
    assert_eq!(
        std::fs::read(folder.path("made/juror-make.json")).unwrap(),
        before
    );
    let ended = decide(&folder, "3/1", "accept");
    assert_eq!(ended["rows"][0]["accepted"], 1);
    let found = made(&folder);
    assert_eq!(found[..2], list[..2]);
    let chats = found[2]["chats"].as_array().unwrap();
    let mut wanted = list[2]["chats"].as_array().unwrap().clone();
    let question = question();
    wanted.push(json!({"role": "user", "type": "text", "content": question["question"]}));
    wanted.push(json!({"role": "assistant", "type": "text", "content": question["answer"], "key_point": {"Text": question["requirement"]}}));
    assert_eq!(*chats, wanted);
    let (code, _, said) = folder.run("check dialogues made/test.json");
    assert_eq!(code, 0, "{said}");
    let (_, out, said) = folder.run("inspect made");
    let seen: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{said}"));
    let seen = &seen["benchmark"];
    assert_eq!(
        (
            &seen["protocol"],
            &seen["text_turns"],
            &seen["missing_pictures"]
        ),
        (&json!("weave"), &json!(2), &json!(0))
    );
    // A later rejection takes the turn out again.
    decide(&folder, "3/1", "reject");
    assert_eq!(made(&folder), list);
}

#[test]
fn a_draft_that_is_refused_by_rule_check_or_person_is_written_again_three_times_in_all() {
    let (folder, list) = suite();
    step(&folder, " bench --kinds count");
    // By rule: there is no third picture.
    reply(
        &folder,
        |_| json!({"question": "What is on Image #3?", "answer": "A cat.", "requirement": "A cat."}),
    );
    let sheet = std::fs::read_to_string(folder.path("calls.txt")).unwrap();
    assert!(sheet.contains("question of 1/2, try 2"), "{sheet}");
    // By check: the next draft names what to avoid.
    reply(&folder, |_| question());
    reply(&folder, |_| json!({"correct": "no"}));
    let sheet = std::fs::read_to_string(folder.path("calls.txt")).unwrap();
    assert!(
        sheet.contains("question of 1/3, try 3")
            && sheet.contains("How many hats are on Image #2?"),
        "{sheet}"
    );
    // The person's correction is a reply to the draft that is due; a check that cannot be read waits for them.
    reply(&folder, |_| question());
    for _ in 0..3 {
        reply(&folder, |_| json!({"correct": "perhaps"}));
    }
    let open = step(&folder, "").to_string();
    assert!(
        open.contains("Turns check cannot be read, waits for a person: 2."),
        "{open}"
    );
    decide(&folder, "1/3", "accept");
    let ended = decide(&folder, "3/3", "reject");
    assert_eq!(
        (&ended["due"], &ended["rows"][0]["accepted"]),
        (&json!([]), &json!(1))
    );
    assert_eq!(
        ended["rows"][0]["rejected"],
        json!([["rejected by hand", 1]])
    );
    let found = made(&folder);
    assert_eq!(found[1..], list[1..]);
    assert_ne!(found[0], list[0]);
}

#[test]
fn the_seed_draws_which_dialogues_are_extended_and_the_project_tells_its_own_command() {
    let folder = Folder::default();
    for (bench, first) in [("one", 1), ("two", 7)] {
        let list: Vec<Value> = (first..first + 6)
            .map(|idx| dialogue(&folder, bench, idx, 0))
            .collect();
        folder.write(
            &format!("{bench}/test/test.json"),
            json!(list).to_string().as_bytes(),
        );
        for entry in std::fs::read_dir(folder.path(&format!("{bench}/imgs"))).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let bytes = std::fs::read(&path).unwrap();
            folder.write(&format!("{bench}/test/imgs/{name}"), &bytes);
        }
    }
    let begin = |out: &str, seed: u32| {
        let words = format!("make extend-dialogues one two --share 0.5 --seed {seed} --out {out}");
        let (code, _, said) = folder.run(&words);
        assert_eq!(code, 0, "{said}");
        std::fs::read(folder.path(&format!("{out}/juror-make.json"))).unwrap()
    };
    let first = begin("a", 1);
    assert_eq!(begin("b", 1), first);
    assert_ne!(begin("c", 2), first);
    let (_, out, _) = folder.run("make progress a --json");
    let progress: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&progress["samples"], &progress["due"]),
        (&json!(12), &json!([{"kind": "question", "count": 6}]))
    );
    let refused = |words: &str, told: &str| {
        let (code, _, said) = folder.run(&format!("make {words}"));
        assert!(code == 2 && said.contains(told), "{words}: {said}");
    };
    refused("extend-dialogues --out none", "name the folder");
    refused("extend-dialogues one --out a", "holds a project already");
    refused(
        "extend-dialogues one one --out d",
        "its idx is that of item 1",
    );
    refused(
        "extend-dialogues one --share 0 --out d",
        "Expected a share above 0",
    );
    refused(
        "extend-dialogues one --kinds poem --out d",
        "Expected caption, count or knowledge",
    );
    refused("extend-dialogues a/imgs --out d", "holds no test.json");
    refused("micon --out a", "WeaveTurns");
    assert!(!folder.path("d/imgs").exists());
}
