//! `juror make dialogues`: from an empty folder to a suite of WEAVE, each step by a model and accepted by a person.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_tests::generate::tiny_png;
use juror_tests::program::Folder;
use serde_json::{Value, json};

/// A step in the project's folder; how far the project is.
fn step(folder: &Folder, out: &str, words: &str) -> Value {
    let (code, printed, said) = folder.run(&format!(
        "make dialogues{words} --out {out} --requests calls.txt --things things.csv --json"
    ));
    assert_eq!(code, 0, "{said}");
    serde_json::from_str(&printed).unwrap()
}

/// A plan by which a cup goes and comes back from this picture.
fn removal(donor: usize) -> Value {
    json!({"object": "the cup", "edits": [
        {"action": "remove", "instruction": "Take the cup off Image #1.", "requirement": "No cup."},
        {"action": "other", "instruction": "Make Image #2 darker.", "requirement": "It is dark."},
        {"action": "restore", "instruction": format!("Put the cup of Image #{donor} into Image #3."), "requirement": "A cup."}]})
}

/// A reply to a call for a text, by what it is for.
fn text(kind: &str, call: &str) -> Value {
    let one = json!({"instruction": "In Image #1, move the lamp to the left.", "requirement": "It is left."});
    match kind {
        "plan" if call.contains("brings X back") => removal(1),
        "plan" if call.contains("Imagine 2") => json!({"alternatives": [one.clone(), one]}),
        "plan" if call.contains("Imagine 3") => {
            json!({"alternatives": [one.clone(), one.clone(), one]})
        }
        "plan" => json!({"characters": ["Mira"], "steps": [
            {"instruction": "Mira at a desk.", "requirement": "A desk."},
            {"instruction": "Mira of Image #1 walks out.", "requirement": "A door."},
            {"instruction": "Mira in the street after Image #2.", "requirement": "A street."}]}),
        "question" => {
            json!({"question": "Is the lamp of Image #2 left of that of Image #1?", "answer": "Yes."})
        }
        "caption" => json!({"caption": "A thing on a table."}),
        "fusion" => {
            let third = if call.contains("Image #3") {
                " and Image #3"
            } else {
                ""
            };
            json!({"instruction": format!("Put Image #1 next to Image #2{third}."), "requirement": "All are there."})
        }
        "edit" => json!({"instruction": "Paint the thing red."}),
        "reverse" => json!({"reverse": "Paint the thing blue.", "caption": "A blue thing."}),
        other => panic!("a call of kind {other}: {call}"),
    }
}

/// Answers all calls that are due and accepts all that is there, once.
fn round(folder: &Folder, out: &str, reply: impl Fn(&str, &str) -> Value) -> Value {
    let sheet = std::fs::read_to_string(folder.path("calls.txt")).unwrap();
    let mut lines = String::new();
    for (number, call) in (1_u8..).zip(sheet.split("\n=== ").skip(1)) {
        let (hash, rest) = call.split_once("\n# ").unwrap();
        if let Some((_, path)) = rest.split_once("--- put the picture here\n") {
            let path = path.lines().next().unwrap();
            folder.write(&format!("{out}/{path}"), &tiny_png(number));
        } else {
            let kind = rest.split(' ').next().unwrap();
            let line =
                json!({"request": hash, "reply": reply(kind, rest).to_string(), "by": "model"});
            lines += &line.to_string();
            lines.push('\n');
        }
    }
    folder.write("replies.jsonl", lines.as_bytes());
    step(folder, out, " --replies replies.jsonl");
    let things = std::fs::read_to_string(folder.path("things.csv")).unwrap();
    let steps = things.lines().filter(|line| line.contains('/'));
    let accepted: String = steps
        .map(|line| line.replace(",,,", ",accept,,Ada\n"))
        .collect();
    let decisions = format!("thing,verdict,reason,by\n{accepted}");
    folder.write("decisions.csv", decisions.as_bytes());
    step(folder, out, " --decisions decisions.csv")
}

const COUNTS: &str = " --count fusion=1 --count remove=1 --count derivative=1 --count sequential=1";

/// A project of all routes to its end; its list.
fn whole(folder: &Folder, out: &str, seed: u32) -> String {
    let mut progress = step(folder, out, &format!("{COUNTS} --seed {seed}"));
    let mut rounds = 0;
    while progress["due"] != json!([]) {
        rounds += 1;
        assert!(rounds < 30, "{progress}");
        progress = round(folder, out, text);
    }
    assert_eq!(progress["samples"], 4, "{progress}");
    std::fs::read_to_string(folder.path(&format!("{out}/test.json"))).unwrap()
}

#[test]
fn an_empty_folder_becomes_a_suite_by_all_four_routes_and_the_same_seed_gives_the_same_list() {
    let folder = Folder::default();
    let list = whole(&folder, "made", 5);
    assert_eq!(whole(&folder, "again", 5), list);
    let report = |out: &str| std::fs::read(folder.path(&format!("{out}/dialogues.json"))).unwrap();
    whole(&folder, "other", 6);
    assert_eq!(report("again"), report("made"));
    assert_ne!(report("other"), report("made"));
    let (code, _, said) = folder.run("check dialogues made/test.json");
    assert_eq!(code, 0, "{said}");
    let (_, out, said) = folder.run("inspect made");
    let seen: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{said}"));
    let seen = &seen["benchmark"];
    assert_eq!(
        (
            &seen["protocol"],
            &seen["samples"],
            &seen["text_turns"],
            &seen["missing_pictures"]
        ),
        (&json!("weave"), &json!(4), &json!(1), &json!(0))
    );
    let items: Vec<Value> = serde_json::from_str(&list).unwrap();
    let domains: Vec<&str> = items
        .iter()
        .map(|item| item["domain"].as_str().unwrap())
        .collect();
    assert_eq!(domains, ["fusion", "recall", "edit", "story"]);
    // A fusion brings each original back, then names the originals.
    let chats = items[0]["chats"].as_array().unwrap();
    assert_eq!(chats[0]["content"], "Image #1 Paint the thing blue.");
    let last = chats[chats.len() - 2]["content"].as_str().unwrap();
    assert!(last.starts_with("Put Image #2 next to Image #4"), "{last}");
    let restore = &items[1]["chats"][5]["key_point"];
    assert_eq!(restore["GT #1"], "the cup is back and looks as in <image>.");
    assert_eq!(
        restore["Image #3"],
        "Everything that was not asked to change is as in <image>."
    );
}

#[test]
fn a_plan_that_restores_from_the_wrong_picture_is_dropped() {
    let folder = Folder::default();
    let wrong = |kind: &str, call: &str| match kind {
        "plan" => removal(2),
        _ => text(kind, call),
    };
    let right = Folder::default();
    step(&folder, "made", " --count remove=1");
    step(&right, "made", " --count remove=1");
    let (mut dropped, mut kept) = (Value::Null, Value::Null);
    for _ in 0..5 {
        dropped = round(&folder, "made", wrong);
        kept = round(&right, "made", text);
    }
    assert_eq!(
        (&dropped["due"], &dropped["rows"][0]["passed"]),
        (&json!([]), &json!(0))
    );
    let told = dropped.to_string();
    assert!(
        told.contains("one that still has it") && told.contains("follow the rules: 0 of 4"),
        "{told}"
    );
    assert!(!folder.path("made/test.json").exists());
    assert_eq!(
        (&kept["samples"], &kept["rows"][0]["passed"]),
        (&json!(1), &json!(1))
    );
}

#[test]
fn a_project_is_resumed_in_the_middle_and_the_better_of_two_pictures_is_kept() {
    let folder = Folder::default();
    step(&folder, "made", " --count remove=1");
    for _ in 0..2 {
        round(&folder, "made", text);
    }
    let resumed = step(&folder, "made", "");
    assert_eq!(
        resumed["due"],
        json!([{"kind": "picture", "count": 1}, {"kind": "picture_b", "count": 1}])
    );
    for number in 1..=2 {
        let path = format!("made/imgs/d001_step1_{number}.png");
        folder.write(&path, &tiny_png(number));
    }
    let open = step(&folder, "made", "");
    assert_eq!(open["due"], json!([]));
    let before = std::fs::read(folder.path("made/juror-make.json")).unwrap();
    step(&folder, "made", " --replies replies.jsonl");
    let after = std::fs::read(folder.path("made/juror-make.json")).unwrap();
    assert_eq!(after, before, "a reply counts once");
    folder.write("decisions.csv", b"thing,verdict,by\n1/step1/2,accept,Ada\n");
    step(&folder, "made", " --decisions decisions.csv");
    let sheet = std::fs::read_to_string(folder.path("calls.txt")).unwrap();
    assert!(
        sheet.contains("--- picture\nimgs/d001_step1_2.png"),
        "{sheet}"
    );
    let refused = |words: &str, told: &str| {
        let (code, _, said) = folder.run(&format!("make {words}"));
        assert!(code == 2 && said.contains(told), "{words}: {said}");
    };
    refused(
        "dialogues --count remove=1 --out made",
        "holds a project already",
    );
    refused("dialogues --out none", "No dialogue is asked for");
    refused("dialogues --count poem=1 --out none", "Expected fusion=N");
    refused(
        "dialogues --count remove=1 --categories cheese --out none",
        "There is no category cheese",
    );
}
