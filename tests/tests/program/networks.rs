//! Networks from packs on the command line: MultiRef's conditions from pictures alone, and CLIP, DINOv2 and LPIPS of any benchmark.
//!
//! The packs are narrow networks with random weights (`crate/juror_neural/exporters/networks.py --small`).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use juror_evidence::report::Report;
use juror_tests::program::Folder;

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
    let pack = packs(&folder, &["inception"]);
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
        assert!(
            found["network"]
                .to_string()
                .contains("inception-small sha256:")
        );
        found["value"].as_f64().unwrap()
    };
    // Random weights make small features.
    let (same, apart) = (value("one one"), value("one two"));
    assert!(same.abs() < 1e-3 * apart, "{same}, {apart}");
    assert!((apart - value("two one")).abs() < 1e-6 * apart);
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
