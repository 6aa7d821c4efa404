//! Networks from packs on the command line: MultiRef's conditions from pictures alone, and CLIP, DINOv2 and LPIPS of any benchmark.
//!
//! The packs are narrow networks with random weights (`crate/juror_neural/exporters/networks.py --small`).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use juror_evidence::report::Report;
use juror_image::{Rgb, encode_png};
use juror_tests::forge::{unzip, zipped};
use juror_tests::program::Folder;
use serde_json::json;

use super::conditions::{mean, suite};

/// The command's words for these packs, which are copied into the folder.
fn packs(folder: &Folder, names: &[&str]) -> String {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/packs");
    let word = |name: &&str| {
        let file = format!("{name}.zip");
        folder.write(&file, &std::fs::read(from.join(&file)).unwrap());
        format!(" --pack {file}")
    };
    names.iter().map(word).collect()
}

/// A pack of features that differ between pictures, which those of the small Inception hardly do: the small CLIP's.
fn features(folder: &Folder) -> String {
    packs(folder, &["clip"]);
    let mut entries = unzip(&std::fs::read(folder.path("clip.zip")).unwrap());
    for (name, bytes) in &mut entries {
        if name == "pack.json" {
            let list = String::from_utf8(std::mem::take(bytes)).unwrap();
            let changed = list.replace("\"task\": \"clip\"", "\"task\": \"inception\"");
            assert_ne!(changed, list);
            *bytes = changed.into_bytes();
        }
    }
    folder.write("features.zip", &zipped(&entries));
    " --pack features.zip".to_owned()
}

fn report(folder: &Folder, words: &str) -> (Report, String) {
    let (code, report, said) = folder.run(words);
    assert_eq!(code, 0, "{said}");
    (serde_json::from_str(&report).unwrap(), said)
}

#[test]
fn networks_complete_what_files_lack_of_conditions_and_every_value_names_its_network() {
    let folder = suite();
    // Without the references' features no file gives a cosine.
    let without = "score bench alpha --conditions";
    let (before, _) = report(&folder, without);
    for id in ["subject", "style", "caption", "aesthetics"] {
        assert_eq!(mean(&before, id), (None, 0), "{id}");
    }
    let opened = packs(&folder, &["clip", "aesthetics"]);
    let (after, said) = report(&folder, &format!("{without}{opened}"));
    for id in ["subject", "style", "caption", "aesthetics"] {
        assert_eq!(mean(&after, id).1, 2, "{id}: {said}");
    }
    assert!(said.contains("opened clip-small for clip"), "{said}");
    assert!(said.contains("by networks"), "{said}");
    // Nothing else moves.
    for id in ["sketch", "pose", "mask", "bbox", "canny"] {
        assert_eq!(mean(&before, id), mean(&after, id), "{id}");
    }
    let (code, journal, said) = folder.run(&format!("conditions bench alpha{opened}"));
    assert_eq!(code, 0, "{said}");
    let named = journal.lines().filter(|line| {
        line.contains("clip-small sha256:") && line.contains("on rten 0.27 cpu, released")
    });
    assert_eq!(named.count(), 6, "{journal}");
    // The other profile's caption is another number, and subject is not.
    let standard = format!("{without}{opened} --network-profile standard");
    let (standard, _) = report(&folder, &standard);
    assert_ne!(mean(&standard, "caption"), mean(&after, "caption"));
    assert_eq!(mean(&standard, "subject"), mean(&after, "subject"));
}

#[test]
fn a_pack_that_cannot_be_used_is_named_and_nothing_is_computed_with_it() {
    let folder = suite();
    // It opens, and fails where its golden cases are run.
    let opened = packs(&folder, &["inception"]);
    let (code, journal, said) = folder.run(&format!("conditions bench alpha references{opened}"));
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("fid of alpha, synthetic/a: expected 2048 features"),
        "{said}"
    );
    assert!(!journal.contains("\"fid\""), "{journal}");
    let bytes = std::fs::read(folder.path("inception.zip")).unwrap();
    folder.write("half.zip", &bytes[..bytes.len() / 2]);
    let (code, out, said) = folder.run("score bench alpha --conditions --pack half.zip");
    assert_eq!((code, out.as_str()), (2, ""), "{said}");
    assert!(said.contains("the pack half.zip"), "{said}");
    std::fs::create_dir(folder.path("empty")).unwrap();
    let (code, _, said) = folder.run("score bench alpha --conditions --pack empty");
    assert!(
        code == 2 && said.contains("pack.json of the pack cannot be read"),
        "{said}"
    );
}

#[test]
fn people_are_drawn_and_compared_where_no_file_has_their_pose() {
    let folder = suite();
    std::fs::remove_dir_all(folder.path("alpha/pose")).unwrap();
    let words = "score bench alpha --conditions";
    let (before, _) = report(&folder, words);
    assert_eq!(mean(&before, "pose"), (None, 0));
    let opened = packs(&folder, &["pose"]);
    let (after, said) = report(&folder, &format!("{words}{opened}"));
    let (value, n) = mean(&after, "pose");
    assert_eq!(n, 2, "{said}");
    // Of random weights people are everywhere, and the reference is no skeleton.
    let value = value.unwrap();
    assert!(value > 0.0 && value < 1.0, "{value}");
    let (code, journal, _) = folder.run(&format!("conditions bench alpha{opened}"));
    assert!(
        code == 0 && journal.contains("higherhrnet-small sha256:"),
        "{journal}"
    );
}

#[test]
fn folders_of_pictures_have_a_frechet_distance_by_inceptions_features() {
    let folder = suite();
    let pack = features(&folder);
    let picture = |name: &str| std::fs::read(folder.path(name)).unwrap();
    let (a, b) = (picture("bench/images/a.png"), picture("bench/images/b.png"));
    for (set, bytes) in [("one", &a), ("two", &b)] {
        folder.write(&format!("{set}/sub/x.png"), bytes);
        folder.write(&format!("{set}/y.PNG"), &picture("alpha/images/out_a.png"));
        folder.write(&format!("{set}/._y.png"), b"no picture");
        folder.write(&format!("{set}/notes.txt"), b"no picture");
    }
    let value = |sets: &str| {
        let (code, out, said) = folder.run(&format!("metric fid {sets}{pack}"));
        assert_eq!(code, 0, "{said}");
        let found: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(
            (&found["reference"], &found["candidate"]),
            (&2.into(), &2.into())
        );
        assert!(found["network"].to_string().contains("clip-small sha256:"));
        found["value"].as_f64().unwrap()
    };
    let (same, apart) = (value("one one"), value("one two"));
    assert!(apart > 1e-3 && same.abs() < 1e-9, "{same}, {apart}");
    assert!((apart - value("two one")).abs() < 1e-9 * apart);
    // A picture that cannot be read would make it the number of another set.
    folder.write("two/z.png", b"no picture");
    let (code, out, said) = folder.run(&format!("metric fid one two{pack}"));
    assert!(
        code != 0 && out.is_empty() && said.contains("z.png"),
        "{said}"
    );
    let (code, _, said) = folder.run("metric fid one two");
    assert!(
        code != 0 && said.contains("needs a pack for `inception`"),
        "{said}"
    );
    let (code, _, said) = folder.run(&format!("metric ssim one two{pack}"));
    assert!(
        code != 0 && said.contains("`fid` compares two folders"),
        "{said}"
    );
}

#[test]
fn any_benchmark_is_measured_by_clip_dino_and_lpips() {
    let folder = suite();
    let opened = packs(&folder, &["clip", "dino", "lpips"]);
    let words = "score bench alpha --metrics clip,dino,lpips,mse --against golden";
    let (code, _, said) = folder.run(words);
    assert!(
        code == 2 && said.contains("clip is computed by a network: name its pack"),
        "{said}"
    );
    let (found, said) = report(&folder, &format!("{words}{opened}"));
    for metric in ["clip", "dino", "lpips"] {
        let criterion = format!("{metric}@golden");
        let (value, n) = mean(&found, &criterion);
        assert!(n == 2 && value.is_some(), "{criterion}: {said}");
    }
    let measures = &found.provenance.measures;
    // What pixels give is computed beside them.
    assert_eq!(mean(&found, "mse@golden").1, 2);
    let networks: Vec<&String> = measures.iter().flat_map(|one| &one.networks).collect();
    assert_eq!(networks.len(), 3, "{networks:?}");
    let (found, _) = report(
        &folder,
        &format!("score bench alpha --metrics clip --against prompt{opened}"),
    );
    let (value, n) = mean(&found, "clip@prompt");
    assert!(
        n == 2 && (-1.0..=1.0).contains(&value.unwrap()),
        "{value:?}"
    );
    let (code, _, said) = folder.run(&format!(
        "score bench alpha --metrics lpips --against prompt{opened}"
    ));
    assert!(
        code == 2 && said.contains("only clip compares a picture with a prompt"),
        "{said}"
    );
}

/// A picture of 64 × 48 pixels whose colours depend on a number.
fn scene(number: usize) -> Vec<u8> {
    let level = |at: usize, factor: usize| {
        let (x, y) = (at % 64, at / 64);
        u8::try_from((x * x * factor + y * (y + number)) % 251).unwrap()
    };
    let data = (0..64 * 48).flat_map(|at| [1, 2, 3 + number].map(|factor| level(at, factor)));
    encode_png(&Rgb {
        width: 64,
        height: 48,
        data: data.collect(),
    })
    .unwrap()
}

/// A box file of these boxes.
fn boxes(found: &serde_json::Value) -> Vec<u8> {
    let file = json!({"format": "juror-boxes/1", "detector": "a detector", "boxes": found});
    file.to_string().into_bytes()
}

/// Two cases of MICON's Object task and one of another; both references and the output of each have boxes, and the second
/// case's output lacks the hat.
fn micon() -> Folder {
    let folder = Folder::default();
    let cases = [
        ("object_composition", "case_0001"),
        ("object_composition", "case_0002"),
        ("local_element_transfer", "case_0001"),
    ];
    for (number, (task, case)) in cases.into_iter().enumerate() {
        let refs =
            ["RA", "RB"].map(|label| format!("  {label}: data/{task}/refs/{case}_{label}.png\n"));
        let refs = refs.concat();
        for (at, label) in ["RA", "RB"].into_iter().enumerate() {
            let path = format!("bench/data/{task}/refs/{case}_{label}.png");
            folder.write(&path, &scene(3 * number + at));
            let name = ["cat", "hat"][at];
            folder.write(
                &format!("bench/data/boxes/{task}/{case}.{label}.json"),
                &boxes(&json!({name: [2, 2, 40, 44]})),
            );
        }
        let card = format!(
            "task_type: {task}\ncase_id: {case}\nrefs:\n{refs}generation_prompt: A cat with a hat.\ngoal: One scene.\nconstraints_hard:\n  - all there\nconstraints_soft: []\nparticipating_dimensions: [A, B]\n"
        );
        let path = format!("bench/data/{task}/cases/{case}.yaml");
        folder.write(&path, card.as_bytes());
        let model = "outputs/generations/alpha";
        folder.write(&format!("{model}/{task}/{case}.png"), &scene(9 + number));
        let found = if case == "case_0001" {
            json!({"cat": [0, 0, 36, 40], "hat": [20, 6, 62, 46]})
        } else {
            json!({"cat": [0, 0, 36, 40], "hat": null})
        };
        folder.write(&format!("{model}/boxes/{task}/{case}.json"), &boxes(&found));
    }
    folder
}

/// The mean of the Object task by a criterion, how many values it is of, and of how many.
fn of_objects(report: &Report, criterion: &str) -> (Option<f64>, u32, u32) {
    let mut rows = report.scores.iter();
    let row = rows.find(|row| {
        row.scope == "domain" && row.key == "object_composition" && row.criterion == criterion
    });
    let row = row.unwrap_or_else(|| panic!("no row of {criterion}"));
    (row.mean, row.n, row.expected)
}

const OBJECTS: [&str; 3] = ["clip@objects", "dino@objects", "lpips@objects"];

#[test]
fn micons_table_4_is_computed_from_pictures_and_box_files() {
    let folder = micon();
    let opened = packs(&folder, &["clip", "dino", "lpips"]);
    let words = format!(
        "score bench outputs --metrics clip,dino,lpips --against objects --against prompt{opened} --measures values.jsonl"
    );
    let (found, said) = report(&folder, &words);
    for criterion in OBJECTS {
        let (mean, n, expected) = of_objects(&found, criterion);
        assert!(
            mean.is_some() && (n, expected) == (1, 2),
            "{criterion}: {said}"
        );
    }
    assert_eq!(of_objects(&found, "clip@prompt").1, 2);
    // Another task has no such row.
    let is_other = |row: &&juror_model::row::ScoreRow| {
        row.key == "local_element_transfer" && row.criterion == OBJECTS[0]
    };
    assert!(!found.scores.iter().any(|row| is_other(&row)));
    let values = std::fs::read_to_string(folder.path("values.jsonl")).unwrap();
    let missing =
        "boxes/object_composition/case_0002.json has no box of hat: the output has no value";
    assert_eq!(values.matches(missing).count(), 3, "{values}");
    for word in [
        "boxes by a detector",
        "on rten 0.27 cpu, released",
        "no value",
    ] {
        assert!(values.contains(word), "{word}: {values}");
    }
    // Opened again, the values are the same to the bit, and nothing is left to measure.
    let again =
        "score bench outputs --replies values.jsonl --metrics clip,dino,lpips --against objects";
    let (again, said) = report(&folder, &format!("{again}{opened}"));
    assert!(said.contains("measured 0 values of 0 pairs"), "{said}");
    for criterion in OBJECTS {
        let bits = |report| of_objects(report, criterion).0.map(f64::to_bits);
        assert_eq!(bits(&again), bits(&found), "{criterion}");
    }
    // Another box is another number.
    folder.write(
        "outputs/generations/alpha/boxes/object_composition/case_0001.json",
        &boxes(&json!({"cat": [10, 4, 46, 44], "hat": [20, 6, 62, 46]})),
    );
    let (moved, _) = report(&folder, &words);
    for criterion in OBJECTS {
        let [moved, before] = [&moved, &found].map(|one| of_objects(one, criterion).0.unwrap());
        assert!((moved - before).abs() > 1e-9, "{criterion}");
    }
}

#[test]
fn a_missing_box_file_and_a_box_beyond_its_picture_are_named_and_have_no_value() {
    let folder = micon();
    let opened = packs(&folder, &["clip"]);
    let own = "outputs/generations/alpha/boxes/object_composition/case_0001.json";
    let beyond = json!({"cat": [0, 0, 65, 40], "hat": [20, 6, 62, 46]});
    folder.write(own, &boxes(&beyond));
    let reference = "bench/data/boxes/object_composition/case_0002.RB.json";
    std::fs::remove_file(folder.path(reference)).unwrap();
    let words = format!("score bench outputs --metrics clip --against objects{opened}");
    let (found, said) = report(&folder, &format!("{words} --measures values.jsonl"));
    assert_eq!(of_objects(&found, OBJECTS[0]), (None, 0, 2), "{said}");
    let values = std::fs::read_to_string(folder.path("values.jsonl")).unwrap();
    for word in [
        "alpha/boxes/object_composition/case_0001.json: the box [0.0, 0.0, 65.0, 40.0]",
        "There is no box file ",
        "data/boxes/object_composition/case_0002.RB.json",
    ] {
        assert!(values.contains(word), "{word}: {values}");
    }
    let (code, _, said) = folder.run("score bench outputs --metrics ssim --against objects");
    assert!(
        code == 2 && said.contains("clip, dino and lpips compare objects"),
        "{said}"
    );
}

#[test]
fn what_a_list_has_of_objects_is_not_computed_and_not_taken_away() {
    let folder = micon();
    let opened = packs(&folder, &["clip"]);
    let list = "model,sample,metric,value\nalpha,object_composition/case_0001,I2I,0.25\n";
    folder.write("list.csv", list.as_bytes());
    let words = format!("score bench outputs --metrics clip --against objects{opened}");
    let (computed, _) = report(&folder, &words);
    assert_ne!(of_objects(&computed, OBJECTS[0]).0, Some(0.25));
    for file in ["", "case_0001.RB"] {
        if !file.is_empty() {
            let path = format!("bench/data/boxes/object_composition/{file}.json");
            std::fs::remove_file(folder.path(&path)).unwrap();
        }
        let (listed, said) = report(&folder, &format!("{words} --replies list.csv"));
        assert_eq!(
            of_objects(&listed, OBJECTS[0]),
            (Some(0.25), 1, 2),
            "{said}"
        );
    }
}
