//! `juror make annotate` and `juror make compose`: from marks to a benchmark that opens, and to combined items.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_image::{Limits, Rgb, decode_rgba, encode_png};
use juror_model::prompt::sha256;
use juror_tests::program::Folder;
use serde_json::{Value, json};

const DEICTIC: &str = "Tasks/Level-1-Deictic";

fn picture(grey: u8) -> Vec<u8> {
    encode_png(&Rgb::filled(400, 300, [grey; 3]).unwrap()).unwrap()
}

/// A file of marks over one of the pictures.
fn marks(folder: &Folder, task: &str, id: &str, text: &str, drawn: &Value) {
    folder.write("in/fox.png", &picture(90));
    let file = json!({
        "format": "juror-marks/1",
        "id": id,
        "source": {"path": "fox.png", "sha256": sha256(&picture(90)), "width": 400, "height": 300},
        "task": task,
        "style": "animation",
        "text": text,
        "marks": drawn,
        "differs": true,
    });
    let path = format!("in/{task}_{id}.json");
    folder.write(&path, file.to_string().as_bytes());
}

/// Four items that keep apart; the second box begins at this column.
fn four(folder: &Folder, left: u32) {
    let id = "animation_01";
    marks(
        folder,
        "AD",
        id,
        "Add a hat",
        &json!([{"box": [10, 10, 60, 50]}]),
    );
    let second = json!([{"box": [left, 20, left + 50, 60]}]);
    marks(folder, "RM", id, "Remove the lamp.", &second);
    let third = json!([{"box": [10, 150, 60, 190]}]);
    marks(folder, "RP", id, "Replace the dog by a cat.", &third);
    let moved = json!([{"box": [10, 230, 60, 270]}, {"arrow": [[30, 250], [380, 250]]}]);
    marks(folder, "TR", id, "Move the ball.", &moved);
}

fn ok(folder: &Folder, words: &str) -> (String, String) {
    let (code, out, err) = folder.run(words);
    assert_eq!(code, 0, "{words}\n{out}{err}");
    (out, err)
}

fn list(folder: &Folder, path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.path(path)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn ids(items: &[Value]) -> Vec<&str> {
    items
        .iter()
        .map(|item| item["id"].as_str().unwrap())
        .collect()
}

#[test]
fn annotated_items_open_as_vibe_with_every_picture_and_nothing_to_complain_about() {
    let folder = Folder::default();
    four(&folder, 100);
    let arrow = json!([{"arrow": [[20, 20], [200, 90]]}]);
    marks(&folder, "FS", "animation_01", "The wind blows.", &arrow);
    let (_, told) = ok(&folder, "make annotate in --out made");
    assert!(
        told.contains("5 of 5 items are in the lists, 5 of them without"),
        "{told}"
    );
    let (out, _) = ok(&folder, "inspect made");
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["benchmark"]["protocol"], "vibe");
    assert_eq!(found["benchmark"]["samples"], 5);
    assert_eq!(found["benchmark"]["missing_pictures"], 0);
    assert_eq!(found["problems"], json!([]));
    assert_eq!(found["num_unknown_files"], 0);
}

#[test]
fn an_item_with_a_fault_stays_out_and_is_named_and_the_others_are_made() {
    let folder = Folder::default();
    four(&folder, 100);
    ok(&folder, "make annotate in --out good");
    let small = json!([{"box": [10, 10, 12, 12]}]);
    marks(&folder, "RM", "animation_01", "Remove the lamp.", &small);
    let (code, _, told) = folder.run("make annotate in --out made");
    assert_eq!(code, 1);
    assert!(
        told.contains("RM_animation_01.json: RM animation_01: the box has 4 square pixels"),
        "{told}"
    );
    assert!(!folder.path(&format!("made/{DEICTIC}/Removal")).exists());
    let path = format!("{DEICTIC}/Addition/visual_instruction/animation_01.png");
    let read = |out: &str| std::fs::read(folder.path(&format!("{out}/{path}"))).unwrap();
    assert_eq!(read("made"), read("good"));
}

#[test]
fn a_picture_that_is_not_the_marked_one_or_not_there_is_refused_with_its_name() {
    let folder = Folder::default();
    four(&folder, 100);
    folder.write("in/fox.png", &picture(91));
    let (code, _, told) = folder.run("make annotate in --out made");
    assert_eq!(code, 2, "{told}");
    assert!(
        told.contains("AD_animation_01.json: the picture fox.png is not the one"),
        "{told}"
    );
    std::fs::remove_file(folder.path("in/fox.png")).unwrap();
    let (code, _, told) = folder.run("make annotate in --out made");
    assert_eq!(code, 2, "{told}");
    assert!(
        told.contains("cannot read the picture in/fox.png"),
        "{told}"
    );
    // Lists come last: what failed left none.
    assert!(
        !folder
            .path(&format!("made/{DEICTIC}/Addition/Addition.json"))
            .exists()
    );
}

#[test]
fn combined_items_open_as_vibe_with_the_layers_merged_and_the_seed_decides_every_byte() {
    let folder = Folder::default();
    four(&folder, 100);
    ok(&folder, "make annotate in --out made");
    let (report, _) = ok(&folder, "make compose made --per 5 --seed 1 --out multi");
    assert!(
        report.contains("| AD+RM animation | 1 | 1 | 1 | 1 |  |"),
        "{report}"
    );
    let pairs = list(
        &folder,
        &format!("multi/{DEICTIC}/Multi-Tasks/2-Tasks.json"),
    );
    assert_eq!(pairs.len(), 6);
    assert_eq!(pairs[0]["id"], "AD+RM_animation_01");
    assert_eq!(
        pairs[0]["text_prompt"]["input_prompt"],
        "Add a hat. Remove the lamp."
    );
    let triples = list(
        &folder,
        &format!("multi/{DEICTIC}/Multi-Tasks/3-Tasks.json"),
    );
    assert_eq!(ids(&triples)[0], "AD+RM+RP_animation_01");
    let layer = |path: &str| {
        let bytes = std::fs::read(folder.path(&format!("{path}.png"))).unwrap();
        decode_rgba(&bytes, &Limits::default()).unwrap().data
    };
    let merged = layer(&format!(
        "multi/{DEICTIC}/Multi-Tasks/visual_instruction/AD+RM_animation_01"
    ));
    let [first, second] = ["Addition", "Removal"].map(|task| {
        layer(&format!(
            "made/{DEICTIC}/{task}/visual_instruction/animation_01"
        ))
    });
    let alpha = |data: &[u8]| {
        data.iter()
            .skip(3)
            .step_by(4)
            .map(|a| u64::from(*a))
            .sum::<u64>()
    };
    assert_eq!(alpha(&merged), alpha(&first) + alpha(&second));
    assert!(alpha(&merged) > alpha(&first));

    let (out, _) = ok(&folder, "inspect multi");
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["benchmark"]["samples"], 10);
    assert_eq!(found["benchmark"]["missing_pictures"], 0);
    assert_eq!(found["problems"], json!([]));
    ok(&folder, "make compose made --pairs --seed 1 --out pairs");
    let path = format!("{DEICTIC}/Multi-Tasks/2-Tasks.json");
    assert_eq!(list(&folder, &format!("pairs/{path}")), pairs);
    assert!(
        !folder
            .path(&format!("pairs/{DEICTIC}/Multi-Tasks/3-Tasks.json"))
            .exists()
    );
}

#[test]
fn boxes_that_overlap_are_reported_and_moved_apart_they_are_combined() {
    let folder = Folder::default();
    let first = |left: u32| {
        four(&folder, left);
        ok(&folder, "make annotate in --out made");
        ok(&folder, "make compose made --pairs --seed 1 --out multi").0
    };
    let report = first(50);
    assert!(
        report.contains("| AD+RM animation | 1 | 0 | 0 | 0 | boxes overlap 1 |"),
        "{report}"
    );
    let report = first(61);
    assert!(
        report.contains("| AD+RM animation | 1 | 1 | 1 | 1 |  |"),
        "{report}"
    );
}

#[test]
fn texts_that_share_a_word_wait_in_a_file_that_is_filled_in_and_read_back() {
    let folder = Folder::default();
    four(&folder, 100);
    let drawn = json!([{"box": [100, 20, 150, 60]}]);
    marks(&folder, "RM", "animation_01", "Remove the hats.", &drawn);
    ok(&folder, "make annotate in --out made");
    let compose = "make compose made --pairs --seed 1 --out multi";
    ok(&folder, &format!("{compose} --things doubts.csv"));
    let path = format!("multi/{DEICTIC}/Multi-Tasks/2-Tasks.json");
    assert_eq!(list(&folder, &path).len(), 5);
    let doubts = std::fs::read_to_string(folder.path("doubts.csv")).unwrap();
    let line = "AD:animation_01+RM:animation_01,,both say hat,";
    assert_eq!(doubts, format!("thing,verdict,reason,by\n{line}\n"));
    let filled = doubts.replace("01,,both", "01,accept,both");
    folder.write("doubts.csv", filled.as_bytes());
    ok(
        &folder,
        &format!("{compose} --decisions doubts.csv --by Ada"),
    );
    assert_eq!(list(&folder, &path).len(), 6);
    folder.write("doubts.csv", filled.replace("accept", "maybe").as_bytes());
    let (code, _, told) = folder.run(&format!("{compose} --decisions doubts.csv --by Ada"));
    assert_eq!(code, 2);
    assert!(
        told.contains("doubts.csv") && told.contains("maybe"),
        "{told}"
    );
}

#[test]
fn a_folder_without_marks_or_without_items_to_combine_is_refused_with_what_to_name() {
    let folder = Folder::default();
    folder.write("empty/readme.txt", b"Nothing.");
    let (code, _, told) = folder.run("make annotate empty --out made");
    assert_eq!(code, 2);
    assert!(told.contains("empty holds no file of marks"), "{told}");
    let (code, _, told) = folder.run("make compose empty --seed 1 --out multi");
    assert_eq!(code, 2);
    assert!(told.contains("empty holds no items to combine"), "{told}");
    // A list without marks is nothing to combine.
    folder.write(
        &format!("other/{DEICTIC}/Addition/Addition.json"),
        br#"[{"id": "1", "file_paths": {"source": "a.png", "visual_instruction": ""}, "text_prompt": {"input_prompt": "Add."}}]"#,
    );
    let (code, _, told) = folder.run("make compose other --seed 1 --out multi");
    assert_eq!(code, 2);
    assert!(
        told.contains("expected a list that juror make annotate wrote"),
        "{told}"
    );
}
