//! Outputs that a network hardly tells apart from what they should differ from, in the output check.
//!
//! The packs are narrow networks with random weights: they tell colours apart, and shades of one colour hardly.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::Path;

use juror_image::{Rgb, encode_png};
use juror_tests::program::Folder;
use serde_json::{Value, json};

const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 255, 0];
const BLUE: [u8; 3] = [0, 0, 255];
const BLACK: [u8; 3] = [0, 0, 0];
const WHITE: [u8; 3] = [255, 255, 255];

/// A picture of one colour.
pub(super) fn plain(colour: [u8; 3]) -> Vec<u8> {
    let data = std::iter::repeat_n(colour, 64 * 48).flatten().collect();
    let picture = Rgb {
        width: 64,
        height: 48,
        data,
    };
    encode_png(&picture).unwrap()
}

/// Hardly another one.
pub(super) fn shade(colour: [u8; 3]) -> [u8; 3] {
    colour.map(|level| level.max(3) - 2)
}

/// The command's word for a pack.
pub(super) fn pack(name: &str) -> String {
    let packs = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/packs");
    format!(" --pack {}", packs.join(name).display())
}

/// Samples of MultiRef-Bench, each with its answer, its subject and the output of `alpha`.
fn suite(samples: &[[[u8; 3]; 3]]) -> Folder {
    let folder = Folder::default();
    let (mut entries, mut results) = (Vec::new(), Vec::new());
    for (at, [answer, subject, output]) in samples.iter().enumerate() {
        let paths = ["", "subject_"].map(|kind| format!("images/{kind}{at}.png"));
        folder.write(&format!("bench/{}", paths[0]), &plain(*answer));
        folder.write(&format!("bench/{}", paths[1]), &plain(*subject));
        folder.write(&format!("alpha/images/out_{at}.png"), &plain(*output));
        let entry = json!({
            "original_image_path": paths[0],
            "conditions": {"subject_paths": [paths[1]], "caption": "A block."},
            "instructions": {
                "conditions": ["subject", "caption"],
                "image_path_mapping": {"subject_1": paths[1]},
                "original_prompts": "Draw it.",
            },
        });
        let mut result = entry.clone();
        let path = format!("images/out_{at}.png");
        result["results"] = json!({"image_path": path, "model_name": "alpha"});
        entries.push(entry);
        results.push(result);
    }
    let list = |list: Vec<Value>| Value::from(list).to_string().into_bytes();
    folder.write("bench/benchmark990v3.json", &list(entries));
    folder.write("alpha/results.json", &list(results));
    folder
}

/// Code, output and the other picture of each finding.
fn findings(folder: &Folder, words: &str) -> Vec<[String; 3]> {
    let (_, out, said) = folder.run(&format!("lint bench alpha{words}"));
    let found: Vec<Value> = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{said}"));
    let keys = ["code", "path", "other_path"];
    let text = |one: &Value| keys.map(|key| one[key].as_str().unwrap_or_default().to_owned());
    found.iter().map(text).collect()
}

fn texts(found: &[[String; 3]]) -> Vec<[&str; 3]> {
    let found = found.iter();
    found
        .map(|one| one.each_ref().map(String::as_str))
        .collect()
}

#[test]
fn outputs_that_a_network_hardly_tells_apart_from_inputs_and_other_samples_are_findings() {
    let folder = suite(&[[RED, GREEN, shade(GREEN)], [BLUE, WHITE, shade(RED)]]);
    assert_eq!(texts(&findings(&folder, "")), Vec::<[&str; 3]>::new());
    let wanted = [
        [
            "alike_input",
            "alpha/images/out_0.png",
            "bench/images/subject_0.png",
        ],
        [
            "alike_reference",
            "alpha/images/out_1.png",
            "bench/images/0.png",
        ],
    ];
    let found = findings(&folder, &pack("clip.zip"));
    assert_eq!(texts(&found), wanted);
    let (code, out, said) = folder.run(&format!("lint bench alpha{}", pack("clip.zip")));
    assert_eq!(code, 1, "{said}");
    let found: Vec<Value> = serde_json::from_str(&out).unwrap();
    let told = found[0]["message"].as_str().unwrap();
    for word in ["clip-small", "bench/images/subject_0.png", "0.985 or more"] {
        assert!(told.contains(word), "{word}: {told}");
    }
    let cosine = found[0]["cosine"].as_f64().unwrap();
    assert!(
        told.contains(&format!("{cosine:.4}")) && cosine >= 0.985,
        "{told}"
    );
    assert_eq!(
        (&found[0]["severity"], &found[0]["sample"]),
        (&json!("warning"), &json!("synthetic/0"))
    );
    // Another network finds more, and two name a pair once.
    let other = findings(&folder, &pack("dino.zip"));
    assert!(
        wanted.iter().all(|pair| texts(&other).contains(pair)),
        "{other:?}"
    );
    let both = findings(&folder, &(pack("clip.zip") + &pack("dino.zip")));
    let pairs: BTreeSet<&[String]> = both.iter().map(|one| &one[1..]).collect();
    assert!(pairs.len() == both.len() && other.len() > 2, "{both:?}");
}

#[test]
fn two_outputs_of_a_model_are_named_once_unless_their_answers_are_as_near() {
    let words = pack("clip.zip");
    let folder = suite(&[[RED, GREEN, BLACK], [BLUE, WHITE, shade(BLACK)]]);
    let pair = [
        "alike_output",
        "alpha/images/out_0.png",
        "alpha/images/out_1.png",
    ];
    assert_eq!(texts(&findings(&folder, &words)), [pair]);
    let folder = suite(&[[RED, GREEN, BLACK], [RED, WHITE, shade(BLACK)]]);
    assert_eq!(findings(&folder, &words).len(), 0);
}

#[test]
fn a_right_answer_and_an_output_of_its_own_are_no_findings_and_bytes_are_named_once() {
    let words = pack("clip.zip");
    // The answer itself, which is also another sample's subject; and nothing like anything.
    let folder = suite(&[[RED, GREEN, shade(RED)], [BLUE, RED, WHITE]]);
    assert_eq!(findings(&folder, &words).len(), 0);
    let folder = suite(&[[RED, GREEN, GREEN]]);
    let copy = [
        "copied_output",
        "alpha/images/out_0.png",
        "bench/images/subject_0.png",
    ];
    assert_eq!(texts(&findings(&folder, &words)), [copy]);
}

#[test]
fn a_pack_without_features_of_pictures_is_refused_before_anything_is_read() {
    let folder = suite(&[[RED, GREEN, BLACK]]);
    let (code, out, said) = folder.run(&format!("lint bench alpha{}", pack("lpips.zip")));
    assert_eq!((code, out.as_str()), (2, ""), "{said}");
    assert!(
        said.contains("is for lpips, and pictures are compared by clip or dino"),
        "{said}"
    );
    // A network that is wrong here compares nothing.
    let (code, out, said) = folder.run(&format!("lint bench alpha{}", pack("cubic.zip")));
    assert_eq!((code, out.as_str()), (2, ""), "{said}");
}
