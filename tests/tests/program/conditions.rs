//! MultiRef's ten conditions completed from files made elsewhere: `juror conditions` and `juror score --conditions`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_evidence::report::Report;
use juror_image::{Rgb, encode_png};
use juror_tests::program::Folder;
use serde_json::{Value, json};

const MAPS: [&str; 6] = ["depth", "sketch", "canny", "mask", "pose", "semantic_map"];
const FEATURES: [&str; 3] = ["caption", "subject", "style"];
/// The ten columns of the average.
const COLUMNS: [&str; 10] = [
    "bbox",
    "semantic_map",
    "mask",
    "depth",
    "canny",
    "sketch",
    "caption",
    "pose",
    "subject",
    "style",
];
const SIDE: u32 = 64;

/// A picture with a bright block whose place depends on a number.
fn picture(number: u32) -> Vec<u8> {
    let is_bright = |at: u32| {
        let (x, y) = (at % SIDE, at / SIDE);
        (8 + number..40 + number).contains(&x) && (10..50).contains(&y)
    };
    let level = |at| if is_bright(at) { 220 } else { 0 };
    let data = (0..SIDE * SIDE).flat_map(|at| [level(at); 3]).collect();
    encode_png(&Rgb {
        width: SIDE,
        height: SIDE,
        data,
    })
    .unwrap()
}

fn npy(numbers: &[f64]) -> Vec<u8> {
    let header = format!(
        "{{'descr': '<f8', 'fortran_order': False, 'shape': ({},), }}\n",
        numbers.len()
    );
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

/// Two samples with all ten conditions. Of the first every file is there, and the evaluator gave its depth;
/// of the second the mask's, the caption's and the box's are missing.
pub(super) fn suite() -> Folder {
    let folder = Folder::default();
    let mut entries = Vec::new();
    let mut results = Vec::new();
    for (at, number) in ["a", "b"].into_iter().zip([0, 3]) {
        let mut conditions = json!({"caption": "A block."});
        let mut mapping = json!({});
        for id in MAPS.into_iter().chain(["bbox"]) {
            let path = format!("images/{id}_{at}.png");
            folder.write(&format!("bench/{path}"), &picture(number));
            conditions[format!("{id}_path")] = json!(path);
            let token = if id == "semantic_map" { "semantic" } else { id };
            mapping[format!("{token}_image")] = json!(path);
        }
        for (key, id) in [("subject_paths", "subject"), ("style_path", "style")] {
            let path = format!("images/{id}_{at}.png");
            folder.write(&format!("bench/{path}"), &picture(number));
            conditions[key] = json!([path]);
        }
        let listed: Vec<&str> = (MAPS.into_iter().chain(["bbox"]).chain(FEATURES)).collect();
        let entry = json!({
            "original_image_path": format!("images/{at}.png"),
            "conditions": conditions,
            "instructions": {"conditions": listed, "image_path_mapping": mapping, "original_prompts": "Draw it."},
        });
        folder.write(&format!("bench/images/{at}.png"), &picture(number));
        folder.write(&format!("alpha/images/out_{at}.png"), &picture(number + 2));
        let mut result = entry.clone();
        result["results"] =
            json!({"image_path": format!("images/out_{at}.png"), "model_name": "alpha"});
        if at == "a" {
            result["evaluations"] = json!({"depth": 0.125, "mask_error": "out of memory"});
        }
        entries.push(entry);
        results.push(result);
        for id in MAPS.into_iter().filter(|id| *id != "canny") {
            if at == "a" || id != "mask" {
                // One by the sample's name, the other by its output's.
                let name = if at == "a" { "a" } else { "out_b" };
                folder.write(&format!("alpha/{id}/{name}.png"), &picture(number + 4));
            }
        }
        for id in FEATURES {
            if at == "a" || id != "caption" {
                folder.write(&format!("alpha/{id}/{at}.npy"), &npy(&[3.0, 4.0]));
                folder.write(&format!("references/{id}/{at}.npy"), &npy(&[4.0, 3.0]));
            }
        }
    }
    folder.write("alpha/bbox/a.npy", &npy(&[12.0, 10.0, 44.0, 50.0]));
    folder.write(
        "bench/benchmark990v3.json",
        json!(entries).to_string().as_bytes(),
    );
    folder.write("alpha/results.json", json!(results).to_string().as_bytes());
    folder
}

#[test]
fn a_missing_output_is_one_request_without_output_whatever_else_is_computed_of_it() {
    let folder = suite();
    let asked = |folder: &Folder| {
        let (code, _, said) = folder.run("requests bench alpha --engine openai --out r.jsonl");
        assert_eq!(code, 0, "{said}");
        let lines = std::fs::read_to_string(folder.path("r.jsonl")).unwrap_or_default();
        (lines.lines().count(), said)
    };
    let (whole, said) = asked(&folder);
    assert_eq!(
        whole, 2,
        "one request a sample, though ten conditions are computed"
    );
    assert!(!said.contains("no output"), "{said}");
    std::fs::remove_file(folder.path("alpha/images/out_b.png")).unwrap();
    std::fs::remove_file(folder.path("r.jsonl")).unwrap();
    let (left, said) = asked(&folder);
    assert_eq!(left, 1);
    assert!(
        said.contains("1 request has no output that can be judged and is not written"),
        "{said}"
    );
}

pub(super) fn mean(report: &Report, criterion: &str) -> (Option<f64>, u32) {
    let mut rows = report.scores.iter();
    let row = rows.find(|row| row.scope == "overall" && row.criterion == criterion);
    row.map_or((None, 0), |row| (row.mean, row.n))
}

fn score(folder: &Folder, words: &str) -> Report {
    let (code, report, said) = folder.run(&format!("score bench alpha references{words}"));
    assert_eq!(code, 0, "{said}");
    serde_json::from_str(&report).unwrap()
}

/// What `juror metric` says of two files.
fn metric(folder: &Folder, name: &str, reference: &str, candidate: &str) -> f64 {
    let (_, found, said) = folder.run(&format!("metric {name} {reference} {candidate}"));
    let found: Value = serde_json::from_str(&found).unwrap_or_else(|_| panic!("{said}"));
    found["value"].as_f64().unwrap()
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "one story, told from its beginning to its end"
)]
fn files_complete_the_ten_conditions_and_what_is_missing_stays_missing() {
    let folder = suite();
    let before = score(&folder, "");
    assert_eq!(mean(&before, "depth"), (Some(0.125), 1));
    assert_eq!(mean(&before, "pose"), (None, 0));
    let (code, journal, said) = folder.run("conditions bench alpha references");
    assert_eq!(code, 0, "{said}");
    // Of 20 one was there, and a mask, a caption and a box are missing.
    assert_eq!(journal.lines().count(), 16, "{said}");
    assert!(
        said.contains(
            "computed 16 values of conditions from files; 1 value was there already, 0 failed"
        ),
        "{said}"
    );
    for wanted in [
        "3 files are missing",
        "alpha/mask/b.png",
        "alpha/caption/b.npy",
        "alpha/bbox/b.png",
    ] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    let after = score(&folder, " --conditions");
    for id in ["sketch", "pose", "semantic_map"] {
        let of = |at: &str, name: &str| {
            metric(
                &folder,
                id,
                &format!("bench/images/{id}_{at}.png"),
                &format!("alpha/{id}/{name}.png"),
            )
        };
        let wanted = f64::midpoint(of("a", "a"), of("b", "out_b"));
        assert_eq!(mean(&after, id), (Some(wanted), 2), "{id}");
        assert!(wanted > 0.0 && wanted < 1.0, "{id}: {wanted}");
    }
    // The evaluator's own value stands, and its error is made good.
    let depth = metric(
        &folder,
        "depth",
        "bench/images/depth_b.png",
        "alpha/depth/out_b.png",
    );
    assert_eq!(
        mean(&after, "depth"),
        (Some(f64::midpoint(0.125, depth)), 2)
    );
    let mask = metric(
        &folder,
        "mask",
        "bench/images/mask_a.png",
        "alpha/mask/a.png",
    );
    assert_eq!(mean(&after, "mask"), (Some(mask), 1));
    let canny = |at: &str| {
        metric(
            &folder,
            "canny",
            &format!("bench/images/canny_{at}.png"),
            &format!("alpha/images/out_{at}.png"),
        )
    };
    assert_eq!(
        mean(&after, "canny"),
        (Some(f64::midpoint(canny("a"), canny("b"))), 2)
    );
    let bbox = metric(
        &folder,
        "bbox_released",
        "bench/images/bbox_a.png",
        "alpha/bbox/a.npy",
    );
    assert_eq!(mean(&after, "bbox"), (Some(bbox), 1));
    // 24 / 25; a caption as the evaluator writes it, a hundred times that, of which the paper's scale takes 2.5 and at most 1.
    assert_eq!(mean(&after, "subject"), (Some(0.96), 2));
    assert_eq!(mean(&after, "caption"), (Some(1.0), 1));
    let upward = COLUMNS.map(|id| {
        let value = mean(&after, id).0.unwrap();
        if ["depth", "canny", "sketch"].contains(&id) {
            1.0 - value
        } else {
            value
        }
    });
    let average = upward.iter().sum::<f64>() / 10.0;
    let found = mean(&after, "total").0.unwrap();
    assert!((found - average).abs() < 1e-12, "{found} {average}");
    let missing = |report: &Report| {
        report
            .incidents
            .iter()
            .filter(|one| one.kind.contains("missing"))
            .count()
    };
    assert!(
        missing(&after) < missing(&before),
        "{} {}",
        missing(&after),
        missing(&before)
    );
}

#[test]
fn features_of_inception_and_of_an_aesthetic_predictor_fill_the_two_columns_without_reference() {
    let folder = suite();
    assert_eq!(mean(&score(&folder, " --conditions"), "fid"), (None, 0));
    folder.write("alpha/fid/a.npy", &npy(&[0.33; 2048]));
    folder.write("alpha/aesthetics/a.npy", &npy(&[5.5]));
    let mut feature = [0.0; 768];
    feature[3] = 2.0;
    folder.write("alpha/aesthetics/out_b.npy", &npy(&feature));
    let (code, _, said) = folder.run("conditions bench alpha references");
    assert_eq!(code, 1, "without a head a feature has no rating");
    assert!(
        said.contains("aesthetics of alpha, synthetic/b")
            && said.contains("references/aesthetics/head.npy"),
        "{said}"
    );
    let mut head = [0.0; 769];
    (head[3], head[768]) = (4.0, 0.5);
    folder.write("references/aesthetics/head.npy", &npy(&head));
    let found = score(&folder, " --conditions");
    let (fid, n) = mean(&found, "fid");
    assert!((fid.unwrap() - 0.1089).abs() < 1e-12 && n == 1, "{fid:?}");
    // A tenth of 5.5 and 4.5: the column's scale.
    let (aesthetics, n) = mean(&found, "aesthetics");
    assert!(
        (aesthetics.unwrap() - 0.5).abs() < 1e-12 && n == 2,
        "{aesthetics:?}"
    );
    // A vector of another network is no rating and no feature of Inception.
    folder.write("alpha/fid/a.npy", &npy(&[0.33; 512]));
    let (code, _, said) = folder.run("conditions bench alpha references");
    assert!(code == 1 && said.contains("2048 numbers"), "{said}");
}

#[test]
fn the_values_are_a_journal_that_counts_wherever_it_is_opened() {
    let folder = suite();
    let at_once = score(&folder, " --conditions");
    let (_, journal, _) = folder.run("conditions bench alpha references");
    folder.write("conditions.jsonl", journal.as_bytes());
    let opened = score(&folder, " --replies conditions.jsonl");
    for id in COLUMNS {
        assert_eq!(mean(&opened, id), mean(&at_once, id), "{id}");
    }
    let (_, _, again) = folder.run("conditions bench alpha references --replies conditions.jsonl");
    assert!(again.contains("computed 0 values"), "{again}");
}

#[test]
fn another_file_gives_another_number_and_a_bad_one_is_named() {
    let folder = suite();
    let before = score(&folder, " --conditions");
    folder.write("alpha/pose/a.png", &picture(11));
    folder.write("alpha/sketch/a.png", b"no picture");
    let after = score(&folder, " --conditions");
    assert_ne!(mean(&before, "pose"), mean(&after, "pose"));
    assert_eq!(
        (mean(&before, "sketch").1, mean(&after, "sketch").1),
        (2, 1)
    );
    assert_eq!(mean(&before, "style"), mean(&after, "style"));
    let (code, _, said) = folder.run("conditions bench alpha references");
    assert_eq!(code, 1);
    assert!(
        said.contains("sketch of alpha, synthetic/a") && said.contains("alpha/sketch/a.png"),
        "{said}"
    );
}

#[test]
fn folders_of_conditions_are_no_models_and_no_unknown_files() {
    let folder = suite();
    let (code, found, said) = folder.run("inspect bench alpha references");
    assert_eq!(code, 0, "{said}");
    let found: Value = serde_json::from_str(&found).unwrap();
    let names: Vec<&str> = (found["models"].as_array().unwrap().iter())
        .filter_map(|model| model["name"].as_str().or(model.as_str()))
        .collect();
    assert_eq!(names, ["alpha"]);
    assert!(
        !said.contains("alpha/depth") && !found.to_string().contains("alpha/depth"),
        "{said} {found}"
    );
}

#[test]
fn a_pack_without_pictures_leaves_maps_out_and_keeps_features() {
    let folder = suite();
    let names = |images: &str| -> Vec<String> {
        let (code, _, said) = folder.run(&format!(
            "pack bench alpha references --images {images} --out pack.zip"
        ));
        assert_eq!(code, 0, "{said}");
        let bytes = std::fs::read(folder.path("pack.zip")).unwrap();
        let zip = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
        zip.file_names()
            .map(|name| name.unwrap().into_owned())
            .collect()
    };
    let [full, none] = ["full", "none"].map(names);
    let has = |names: &[String], wanted: &str| names.iter().any(|name| name == wanted);
    for (path, is_kept) in [("alpha/depth/a.png", false), ("alpha/subject/a.npy", true)] {
        assert!(has(&full, path), "{path} in {full:?}");
        assert_eq!(has(&none, path), is_kept, "{path} in {none:?}");
    }
}
