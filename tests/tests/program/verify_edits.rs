//! `juror make verify-edits`: edits of WEAVE's dialogues that changed nothing go, with their turn or their dialogue.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_image::{Rgb, encode_png};
use juror_tests::program::Folder;
use serde_json::{Value, json};

use super::alike::{pack, plain, shade};

const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 255, 0];
const BLUE: [u8; 3] = [0, 0, 255];

/// A dialogue of these pictures; each after the first edits the one that its number names.
fn dialogue(folder: &Folder, idx: usize, colours: &[[u8; 3]], edited: &[usize]) -> Value {
    let name = |k: usize| format!("imgs/d{idx}_{k}.png");
    for (k, colour) in (1..).zip(colours) {
        folder.write(&format!("bench/{}", name(k)), &plain(*colour));
    }
    let chats = (2..).zip(edited).flat_map(|(made, source)| {
        [
            json!({"role": "user", "type": "text", "content": format!("Image #{source} Paint it.")}),
            json!({"role": "assistant", "type": "image", "content": format!("Image #{made}"),
                "key_point": {format!("Image #{source}"): "Unlike <image>.", format!("GT #{made}"): "As in <image>."}}),
        ]
    });
    let images: Vec<String> = (1..=colours.len()).map(name).collect();
    json!({"idx": idx, "domain": "edit", "note": null, "images": images, "chats": chats.collect::<Vec<_>>()})
}

/// Three dialogues: an edit that changed nothing and that nothing needs, one that a later turn needs, and none.
fn suite() -> Folder {
    let folder = Folder::default();
    let list = json!([
        dialogue(&folder, 1, &[RED, shade(RED), GREEN, BLUE], &[1, 1, 3]),
        dialogue(&folder, 2, &[RED, shade(RED), GREEN, BLUE], &[1, 2, 3]),
        dialogue(&folder, 3, &[BLUE, GREEN, RED], &[1, 2]),
    ]);
    folder.write("bench/test.json", list.to_string().as_bytes());
    folder
}

/// A step with the pack for clip; how far the project is.
fn step(folder: &Folder, words: &str) -> Value {
    let (code, out, said) = folder.run(&format!(
        "make verify-edits{words} --out made --requests calls.txt --json{}",
        pack("clip.zip")
    ));
    assert_eq!(code, 0, "{said}");
    serde_json::from_str(&out).unwrap()
}

/// Answers every call that the sheet holds.
fn reply(folder: &Folder, verdict: &str) -> String {
    let sheet = std::fs::read_to_string(folder.path("calls.txt")).unwrap();
    let hashes = sheet.lines().filter_map(|line| line.strip_prefix("=== "));
    let reply = json!({"verdict": verdict}).to_string();
    let lines = hashes.map(|hash| {
        format!(
            "{}\n",
            json!({"request": hash, "reply": reply, "by": "Ada"})
        )
    });
    folder.write("replies.jsonl", lines.collect::<String>().as_bytes());
    step(folder, " --replies replies.jsonl").to_string()
}

fn made(folder: &Folder) -> Vec<Value> {
    let list = std::fs::read_to_string(folder.path("made/test.json")).unwrap();
    serde_json::from_str(&list).unwrap()
}

#[test]
fn an_edit_that_changed_nothing_twice_and_by_verdict_goes_with_what_needs_it() {
    let folder = suite();
    let begun = step(&folder, " bench/test.json");
    assert_eq!(begun["due"], json!([{"kind": "redo", "count": 2}]));
    // The dialogue without a suspect is there at once, as it was.
    assert_eq!(made(&folder).len(), 1);
    for idx in [1, 2] {
        let path = format!("made/imgs/d{idx}_2_again.png");
        folder.write(&path, &plain(shade(shade(RED))));
    }
    let again = step(&folder, "");
    assert_eq!(again["due"], json!([{"kind": "verdict", "count": 2}]));
    let ended = reply(&folder, "unchanged");
    for told in [
        "Edits unchanged: 2.",
        "as the rest needs a dropped picture: 1.",
    ] {
        assert!(ended.contains(told), "{told}: {ended}");
    }
    let list = made(&folder);
    let ids: Vec<&Value> = list.iter().map(|item| &item["idx"]).collect();
    assert_eq!(ids, [&json!(1), &json!(3)]);
    let images = json!(["imgs/d1_1.png", "imgs/d1_3.png", "imgs/d1_4.png"]);
    assert_eq!(
        (&list[0]["images"], &list[0]["note"]),
        (&images, &Value::Null)
    );
    let chats = list[0]["chats"].as_array().unwrap();
    let contents: Vec<&str> = chats
        .iter()
        .map(|chat| chat["content"].as_str().unwrap())
        .collect();
    let wanted = [
        "Image #1 Paint it.",
        "Image #2",
        "Image #2 Paint it.",
        "Image #3",
    ];
    assert_eq!(contents, wanted);
    let points = json!({"Image #2": "Unlike <image>.", "GT #3": "As in <image>."});
    assert_eq!(chats[3]["key_point"], points);
    let bench: Vec<Value> =
        serde_json::from_slice(&std::fs::read(folder.path("bench/test.json")).unwrap()).unwrap();
    assert_eq!(list[1], bench[2]);
    // It is sound, and opens as a suite.
    let (code, _, said) = folder.run("check dialogues made/test.json");
    assert_eq!(code, 0, "{said}");
    let (_, out, said) = folder.run("inspect made");
    let seen: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{said}"));
    let seen = &seen["benchmark"];
    assert_eq!(
        (&seen["protocol"], &seen["samples"]),
        (&json!("weave"), &json!(2))
    );
    assert_eq!(
        (&seen["picture_turns"], &seen["missing_pictures"]),
        (&json!(4), &json!(0))
    );
    let report = std::fs::read_to_string(folder.path("made/verify.json")).unwrap();
    assert!(
        report.contains("the rest needs a dropped picture"),
        "{report}"
    );
}

#[test]
fn an_edit_that_differs_when_made_again_or_by_verdict_stays() {
    let folder = suite();
    step(&folder, " bench/test.json");
    folder.write("made/imgs/d1_2_again.png", &plain(BLUE));
    folder.write("made/imgs/d2_2_again.png", &plain(shade(shade(RED))));
    step(&folder, "");
    let ended = reply(&folder, "changed");
    assert!(ended.contains("Edits kept by verdict: 1."), "{ended}");
    let list = made(&folder);
    assert_eq!(list.len(), 3);
    for (item, idx) in list.iter().zip([1, 2]) {
        let images = item["images"].as_array().unwrap();
        assert_eq!(images.len(), 4);
        assert_eq!(images[1], json!(format!("imgs/d{idx}_2_again.png")));
    }
}

#[test]
fn a_dialogue_that_keeps_one_picture_turn_goes_and_a_person_decides_before_a_judge() {
    let folder = Folder::default();
    let list = json!([dialogue(&folder, 1, &[RED, shade(RED), GREEN], &[1, 1])]);
    folder.write("bench/test.json", list.to_string().as_bytes());
    step(&folder, " bench/test.json");
    let decide = |verdict: &str| {
        let text = format!("thing,verdict,reason,by\n1/1,{verdict},looked,Ada\n");
        folder.write("decisions.csv", text.as_bytes());
        step(&folder, " --decisions decisions.csv")
    };
    let dropped = decide("reject").to_string();
    assert!(
        dropped.contains("fewer than 2 picture turns are left: 1."),
        "{dropped}"
    );
    assert!(!folder.path("made/test.json").exists());
    assert_eq!(decide("accept")["samples"], 1);
    assert_eq!(made(&folder)[0]["images"], list[0]["images"]);
}

#[test]
fn what_cannot_be_verified_is_refused_by_name() {
    let folder = suite();
    let refused = |words: &str, told: &str| {
        let (code, _, said) = folder.run(&format!("make verify-edits {words}"));
        assert!(code == 2 && said.contains(told), "{words}: {said}");
    };
    // Small pictures have no MS-SSIM.
    refused(
        "bench/test.json --out pixels",
        "open a pack for clip by --pack",
    );
    refused(
        "bench/test.json --images nowhere --out other",
        "name its folder by --images",
    );
    refused("--out none", "name the list of dialogues");
    step(&folder, " bench/test.json");
    refused("--out made", "not by pixels, without --pack");
    let pack = pack("clip.zip");
    refused(
        &format!("bench/test.json --out made{pack}"),
        "holds a project already",
    );
    folder.write("bad.json", br#"[{"images": ["../a.png"], "chats": []}]"#);
    refused(
        "bad.json --out bad",
        "expected paths of pictures within a folder, found ../a.png",
    );
}

/// A picture of 256 × 256 pixels with waves of its own; `level` is added everywhere.
fn waves(seed: usize, level: u8) -> Vec<u8> {
    let at = |at: usize| {
        let (x, y) = (at % 256, at / 256);
        let wave = (x * seed / 3 + y * (9 - seed) / 2) % 120 + x * y * seed / 4096 % 90;
        u8::try_from(wave).unwrap() + level
    };
    let data = (0..256 * 256).flat_map(|place| [at(place); 3]).collect();
    let picture = Rgb {
        width: 256,
        height: 256,
        data,
    };
    encode_png(&picture).unwrap()
}

#[test]
fn without_a_network_pixels_and_hashes_say_what_is_suspect() {
    let folder = suite();
    for (idx, pictures) in [(1, &[1, 1, 4, 7][..]), (2, &[1, 1, 4, 7]), (3, &[7, 4, 1])] {
        for (k, seed) in (1..).zip(pictures) {
            let level = u8::from(k == 2);
            folder.write(&format!("bench/imgs/d{idx}_{k}.png"), &waves(*seed, level));
        }
    }
    let words = "make verify-edits bench/test.json --out made --requests calls.txt --json";
    let (code, out, said) = folder.run(words);
    assert_eq!(code, 0, "{said}");
    let begun: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(begun["due"], json!([{"kind": "redo", "count": 2}]));
    assert_eq!(begun["samples"], 1);
    let report = std::fs::read_to_string(folder.path("made/verify.json")).unwrap();
    assert!(
        report.contains("ms_ssim") && !report.contains("cosine"),
        "{report}"
    );
}

#[test]
fn a_verdict_that_cannot_be_read_is_asked_for_three_times_and_then_left_to_a_person() {
    let folder = suite();
    step(&folder, " bench/test.json");
    for idx in [1, 2] {
        let path = format!("made/imgs/d{idx}_2_again.png");
        folder.write(&path, &plain(shade(RED)));
    }
    step(&folder, "");
    for _ in 0..2 {
        assert!(reply(&folder, "perhaps").contains("Edits to be judged: 2."));
    }
    let ended = reply(&folder, "perhaps");
    assert!(
        ended.contains("Edits verdict cannot be read: 2."),
        "{ended}"
    );
    assert!(ended.contains("as an edit is open: 2."), "{ended}");
    assert_eq!(made(&folder).len(), 1);
}
