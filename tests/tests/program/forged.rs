//! Packs of every benchmark that somebody forged, each in one way and sealed again, before both verifiers: `juror verify`,
//! and `verify_pack.py`, which shares no code with it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use juror_evidence::pack::{Counts, Entry, Manifest};
use juror_model::prompt::sha256;
use juror_model::request::PackInfo;
use juror_tests::forge::containers::{KINDS_OF_ZIP, SOUND_ZIPS};
use juror_tests::forge::fields::{KINDS_OF_FIELDS, KINDS_OF_FIELDS_OF_LISTS};
use juror_tests::forge::people::{KINDS_OF_PEOPLE, KINDS_OF_RATINGS, OTHER_CONTENT, with_people};
use juror_tests::forge::rows::{KINDS_OF_ROWS, KINDS_OF_ROWS_OF_LISTS};
use juror_tests::forge::{
    Entries, KINDS, KINDS_OF_CONTENT, KINDS_OF_SIGNATURES, KINDS_OF_THUMBNAILS, Kind, OWN,
    UNTOUCHED, changed, edit, manifest, measured, packs, reseal, signed, small, unzip, zipped,
};
use juror_tests::lanes::in_lanes;
use juror_tests::program::{Folder, demo_suite, demos};
use serde_json::{Value, json};

/// A forged pack, and what `juror verify` says of it.
struct Verified {
    suite: &'static str,
    kind: &'static str,
    pack: Vec<u8>,
    code: i32,
    reproduced: Value,
    said: String,
}

/// What only a verifier tells that makes everything again.
fn of_content() -> impl Iterator<Item = &'static Kind> {
    let lists = KINDS_OF_ROWS_OF_LISTS.iter();
    KINDS_OF_CONTENT
        .iter()
        .chain(lists.chain(&KINDS_OF_FIELDS_OF_LISTS))
}

/// Each suite's pack untouched and forged in each way.
fn verified() -> &'static [Verified] {
    static VERIFIED: OnceLock<Vec<Verified>> = OnceLock::new();
    VERIFIED.get_or_init(|| {
        let kinds = || {
            let content = KINDS_OF_ROWS.iter().chain(of_content());
            OWN.iter().chain(&KINDS).chain(content)
        };
        let all = packs().iter().flat_map(|(suite, sound)| {
            kinds().map(move |(kind, forge)| (*suite, *kind, forge, sound))
        });
        // What a manifest says of itself is of the same form in every benchmark.
        let fields = KINDS_OF_FIELDS.iter().zip(packs().iter().cycle());
        let fields = fields.map(|((kind, forge), (suite, sound))| (*suite, *kind, forge, sound));
        let all: Vec<_> = all.chain(fields).collect();
        in_lanes(&all, |(suite, kind, forge, sound)| {
            let folder = Folder::default();
            let pack = changed(sound, **forge);
            folder.write("checked.zip", &pack);
            let (code, out, said) = folder.run("verify checked.zip");
            let out: Value = serde_json::from_str(&out).unwrap_or_default();
            Verified {
                suite,
                kind,
                pack,
                code,
                reproduced: out["reproduced"].clone(),
                said,
            }
        })
    })
}

#[test]
fn no_way_of_forging_a_pack_goes_unnoticed_and_the_sound_pack_reproduces() {
    for one in verified() {
        let is_sound = one.kind == UNTOUCHED;
        let expected = (i32::from(!is_sound), &json!(is_sound));
        let found = (one.code, &one.reproduced);
        assert_eq!(found, expected, "{}, {}: {}", one.suite, one.kind, one.said);
    }
}

const NO_PYTHON: &str = "SKIPPED: there is no python3 that the second verifier could run in";

/// What the verifier in Python says; `None` where there is no Python.
fn by_python(folder: &Folder, name: &str) -> Option<(i32, String)> {
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../crate/juror_evidence/verify_pack.py");
    let run = Command::new("python3")
        .arg("-B")
        .arg(script)
        .arg(folder.path(name))
        .output();
    let output = run.ok()?;
    let said = [output.stdout, output.stderr].concat();
    Some((output.status.code()?, String::from_utf8(said).unwrap()))
}

#[test]
fn a_verifier_that_shares_no_code_agrees_on_every_pack() {
    let folder = Folder::default();
    folder.write("none.zip", b"not a ZIP");
    let Some((code, said)) = by_python(&folder, "none.zip") else {
        juror_tests::said::line(NO_PYTHON);
        return;
    };
    assert_eq!(code, 2, "{said}");
    let is_of_content = |kind: &str| of_content().any(|(one, _)| *one == kind);
    let asked: Vec<&Verified> = verified()
        .iter()
        .filter(|one| !is_of_content(one.kind))
        .collect();
    // Python is started once for many of them.
    let packs: Vec<&[u8]> = asked.iter().map(|one| one.pack.as_slice()).collect();
    let some: Vec<&[&[u8]]> = packs.chunks(packs.len().div_ceil(8)).collect();
    let said = in_lanes(&some, |some| all_by_python(some));
    for (one, (code, words)) in asked.iter().zip(said.into_iter().flatten()) {
        let about = format!("{}, {}: {}\n{words}", one.suite, one.kind, one.said);
        assert_eq!(code, one.code, "{about}");
    }
}

#[test]
fn a_panels_pack_is_sound_to_both_verifiers_and_the_second_one_says_that_it_makes_no_panel_again() {
    let folder = Folder::default();
    let suite = demos().join("multibanana");
    for (judge, profile, expected) in [
        ("gpt", "released", 0),
        ("panel:mean(gemini,gpt)", "released", 3),
        ("panel:median(gemini,gpt)", "released", 3),
        ("panel:median(gemini,gpt)", "paper", 3),
    ] {
        let from = suite.display();
        let words = format!("pack {from} --judge {judge} --profile {profile} --out panel.zip");
        let (code, _, said) = folder.run(&words);
        assert_eq!(code, 0, "{said}");
        let (code, _, said) = folder.run("verify panel.zip");
        assert_eq!(code, 0, "{judge}: {said}");
        if let Some((code, said)) = by_python(&folder, "panel.zip") {
            assert_eq!(code, expected, "{judge}, {profile}: {said}");
        }
    }
}

/// Copies a demo suite's folder.
fn copied(folder: &Folder, from: &Path, to: &str) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(from).unwrap();
            let name = format!("{to}/{}", path.to_string_lossy());
            folder.write(&name, &std::fs::read(entry.path()).unwrap());
        }
    }
}

#[test]
fn packs_of_results_alone_and_of_a_benchmark_that_lacks_a_prompt_reproduce() {
    for (suite, below) in [
        ("micon", "Evaluation/outputs"),
        ("vibe", "results"),
        ("multibanana", ""),
    ] {
        let folder = Folder::default();
        copied(&folder, &demos().join(suite).join(below), "opened");
        if suite == "multibanana" {
            let prompts = walkdir::WalkDir::new(folder.path("opened"));
            let prompts = prompts.sort_by_file_name().into_iter().flatten();
            let mut prompts = prompts
                .filter(|entry| entry.file_name().to_string_lossy().ends_with("_prompt.txt"));
            std::fs::remove_file(prompts.next().unwrap().path()).unwrap();
        }
        let (code, _, said) = folder.run("pack opened --out checked.zip");
        assert_eq!(code, 0, "{suite}: {said}");
        let (code, out, said) = folder.run("verify checked.zip");
        assert_eq!(code, 0, "{suite}: {said}");
        let out: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(out["reproduced"], true, "{suite}: {out}");
    }
}

/// The rows of a file of a pack about samples for which this holds.
fn rows(pack: &Entries, path: &str, is_meant: impl Fn(&str) -> bool) -> Vec<Value> {
    let lines = std::str::from_utf8(&pack[path]).unwrap().lines();
    let rows = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.filter(|row| is_meant(row["sample"].as_str().unwrap()))
        .collect()
}

#[test]
fn every_reply_that_enters_a_number_has_its_row_though_the_benchmark_lacks_its_sample() {
    let folder = Folder::default();
    copied(&folder, &demos().join("multibanana"), "multibanana");
    std::fs::remove_file(folder.path("multibanana/data/3_local/002_prompt.txt")).unwrap();
    copied(&folder, &demos().join("weave"), "weave");
    let list = folder.path("weave/WEAVEBench/test/test.json");
    let mut dialogues: Vec<Value> = serde_json::from_slice(&std::fs::read(&list).unwrap()).unwrap();
    let dropped = dialogues.remove(3)["idx"].to_string();
    std::fs::write(&list, serde_json::to_vec(&dialogues).unwrap()).unwrap();
    for (suite, sample) in [("multibanana", "3_local/002"), ("weave", dropped.as_str())] {
        let words = format!("pack {suite} --profile released --out checked.zip");
        let (code, _, said) = folder.run(&words);
        assert_eq!(code, 0, "{suite}: {said}");
        let sound = unzip(&std::fs::read(folder.path("checked.zip")).unwrap());
        let is_dropped = |one: &str| one == sample;
        let verdicts = rows(&sound, "verdicts.jsonl", is_dropped);
        let requests = rows(&sound, "requests.jsonl", is_dropped);
        let is_counted = |row: &Value| row["counted"] == true && row["source"] != "";
        assert!(
            !verdicts.is_empty() && verdicts.iter().all(is_counted),
            "{suite}: {verdicts:?}"
        );
        let why = format!("The benchmark has no sample {sample}.");
        let is_stated = |row: &Value| row["sha256"].is_null() && row["error"] == why;
        assert!(
            !requests.is_empty() && requests.iter().all(is_stated),
            "{suite}: {requests:?}"
        );
        let expected = (0, &json!(true));
        let (code, checked, said) = verify(&folder, &zipped(&sound));
        assert_eq!((code, &checked["reproduced"]), expected, "{suite}: {said}");
        if let Some((code, said)) = by_python(&folder, "checked.zip") {
            assert_eq!(code, 0, "{suite}: {said}");
        }
        // Without these rows the numbers rest on nothing that can be checked.
        for path in ["verdicts.jsonl", "requests.jsonl"] {
            let mut forged = sound.clone();
            let kept = rows(&sound, path, |one| one != sample);
            let lines: Vec<String> = kept.iter().map(Value::to_string).collect();
            forged.insert(path.to_owned(), (lines.join("\n") + "\n").into_bytes());
            manifest(&mut forged, |manifest, _| match path {
                "verdicts.jsonl" => manifest.counts.verdicts = u32::try_from(kept.len()).unwrap(),
                _ => manifest.counts.requests = u32::try_from(kept.len()).unwrap(),
            });
            assert_eq!(verify(&folder, &zipped(&forged)).0, 1, "{suite}: {path}");
            if let Some((code, said)) = by_python(&folder, "checked.zip") {
                assert_eq!(code, 1, "{suite}: {path}: {said}");
            }
        }
    }
}

/// What the verifier in Python says of several packs.
fn all_by_python(some: &[&[u8]]) -> Vec<(i32, String)> {
    const EACH: &str = "import sys
sys.path.insert(0, sys.argv[1])
from verify_pack import main
for path in sys.argv[2:]:
    print(f'ends with {main(path)}')";
    let folder = Folder::default();
    let paths = some.iter().enumerate().map(|(at, pack)| {
        let name = format!("{at}.zip");
        folder.write(&name, pack);
        folder.path(&name)
    });
    let paths: Vec<_> = paths.collect();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crate/juror_evidence");
    let output = Command::new("python3")
        .args(["-B", "-c", EACH])
        .arg(script)
        .args(paths)
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut words = String::new();
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(code) = line.strip_prefix("ends with ") {
            found.push((code.parse().unwrap(), std::mem::take(&mut words)));
        } else {
            words += line;
            words.push('\n');
        }
    }
    assert_eq!(found.len(), some.len(), "{words}{errors}");
    found
}

#[test]
fn what_a_zip_holds_besides_its_files_is_a_finding_and_another_way_to_write_it_is_none() {
    let folder = Folder::default();
    let forged = KINDS_OF_ZIP.iter().map(|kind| (kind, false));
    let kinds = forged.chain(SOUND_ZIPS.iter().map(|kind| (kind, true)));
    for (((kind, write), is_sound), (suite, sound)) in kinds.zip(packs().iter().cycle()) {
        folder.write("checked.zip", &write(sound));
        let (code, out, said) = folder.run("verify checked.zip");
        let out: Value = serde_json::from_str(&out).unwrap_or_default();
        let found = json!([code, out["reproduced"], out["counts"]["outside"]]);
        let about = format!("{suite}, {kind}: {said}");
        let expected = if is_sound {
            json!([0, true, null])
        } else {
            json!([1, false, 1])
        };
        assert_eq!(found, expected, "{about}");
        if let Some((code, words)) = by_python(&folder, "checked.zip") {
            assert_eq!(code == 0, is_sound, "{about}\n{words}");
        }
    }
}

#[test]
fn the_second_verifier_has_at_most_500_lines_and_imports_no_package() {
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../crate/juror_evidence/verify_pack.py");
    let script = std::fs::read_to_string(script).unwrap();
    let num_lines = script.lines().count();
    assert!(num_lines <= 500, "{num_lines}");
    let imports = script.lines().filter(|line| line.starts_with("import "));
    let own = "import hashlib, json, math, re, sys, zipfile";
    assert!(imports.eq([own]), "{own}");
}

#[test]
fn a_pack_of_a_suite_with_another_model_in_a_models_folder_reproduces() {
    for (suite, own) in [
        ("weave", "result/basalt-synth"),
        ("vibe", "results/basalt-synth"),
        ("multiref", "basalt-synth"),
    ] {
        let folder = Folder::default();
        let mut num_nested = 0;
        for (path, bytes) in demo_suite(suite) {
            folder.write(&format!("suite/{path}"), &bytes);
            if path.contains("aurora-synth") {
                folder.write(&format!("suite/{own}/{path}"), &bytes);
                num_nested += 1;
            }
        }
        assert!(num_nested > 10, "{suite}");
        let (code, _, said) = folder.run("pack suite --profile released --out pack.zip");
        assert_eq!(code, 0, "{suite}: {said}");
        let (code, _, said) = folder.run("verify pack.zip");
        assert_eq!(code, 0, "{suite}: {said}");
    }
}

/// The key alone, without the comment above it.
fn key(folder: &Folder, name: &str) -> String {
    let text = std::fs::read_to_string(folder.path(name)).unwrap();
    text.lines().nth(1).unwrap().to_owned()
}

#[test]
fn a_signed_pack_says_by_whom_and_another_signer_is_refused_while_it_still_reproduces() {
    let (folder, _) = signed();
    let own = key(&folder, "own.pub");
    let (code, out, said) = folder.run("verify signed.zip --signer own.pub");
    assert!(code == 0 && said.contains(": signed by this key"), "{said}");
    let checked: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(checked["signed"], json!({"key": own, "problem": ""}));
    assert_eq!(
        folder.run(&format!("verify signed.zip --signer {own}")).0,
        0
    );
    let (code, out, said) = folder.run("verify signed.zip --signer other.pub");
    assert!(
        code == 1 && said.contains("not signed by this key"),
        "{said}"
    );
    let checked: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(checked["reproduced"], true);
    let (code, _, said) = folder.run("verify signed.zip --signer nobody");
    assert!(code == 2 && said.contains("neither a public key"), "{said}");
}

#[test]
fn a_signature_of_another_manifest_is_named_and_a_pack_without_one_bears_none() {
    let (folder, bytes) = signed();
    let mut entries = unzip(&bytes);
    manifest(&mut entries, |manifest, _| manifest.models[0] += "-pro");
    folder.write("forged.zip", &zipped(&entries));
    let (_, out, said) = folder.run("verify forged.zip");
    let checked: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(checked["signed"]["key"], "", "{said}");
    assert_eq!(
        checked["signed"]["problem"],
        "The signature is not of this manifest."
    );
    entries = unzip(&bytes);
    entries.remove("manifest.json.minisig");
    folder.write("bare.zip", &zipped(&entries));
    let (code, out, _) = folder.run("verify bare.zip");
    let checked: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &checked["signed"]), (0, &Value::Null));
    assert_eq!(folder.run("verify bare.zip --signer own.pub").0, 1);
}

#[test]
fn a_measured_value_of_nought_is_measured_again_where_both_pictures_are_in_the_pack() {
    let folder = Folder::default();
    let [sound, bare, forged] = measured(&folder);
    let verified = |name: &str| {
        let (code, out, said) = folder.run(&format!("verify {name}"));
        let checked: Value = serde_json::from_str(&out).unwrap_or_default();
        (code, checked, said)
    };
    let (code, checked, said) = verified(&sound);
    let whole = &checked["coverage"];
    let num_measured = whole["measured"].as_u64().unwrap();
    assert_eq!(code, 0, "{said}");
    assert!(
        num_measured > 0 && whole["measures_on_trust"] == 0,
        "{whole}"
    );
    // The sibling that must fail.
    let (code, checked, said) = verified(&forged);
    let found = (code, &checked["counts"]);
    assert_eq!(found, (1, &json!({"measure": 1})), "{said}");
    // Without the pictures it is on trust, and said to be.
    let (_, checked, _) = verified(&bare);
    let on_trust = checked["coverage"]["measures_on_trust"].as_u64();
    assert_eq!(on_trust, Some(num_measured), "{checked}");
}

#[test]
fn a_value_that_names_another_program_is_measured_again_as_well() {
    let folder = Folder::default();
    let [sound, _, forged] = measured(&folder);
    let path = "all/measured.jsonl";
    let packed = |pack: &str| {
        let pack = unzip(&std::fs::read(folder.path(pack)).unwrap());
        let text = std::str::from_utf8(&pack[path]).unwrap();
        let text = text.replace("\"backend\":\"cpu\"", "\"backend\":\"file\"");
        folder.write(path, text.as_bytes());
        let (code, _, said) = folder.run("pack all --out stated.zip --images full");
        let (verified, out, _) = folder.run("verify stated.zip");
        let checked: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(code, verified, "{said}");
        (verified, checked)
    };
    let (code, checked) = packed(&sound);
    let coverage = &checked["coverage"];
    let is_measured = coverage["measured"].as_u64() > Some(0);
    assert!(
        code == 0 && is_measured && coverage["measures_on_trust"] == 0,
        "{checked}"
    );
    // The sibling that must fail.
    let (code, checked) = packed(&forged);
    assert_eq!((code, &checked["counts"]), (1, &json!({"measure": 1})));
}

/// The list that a pack's report says it is scored by: where it is, and its files with their hashes.
fn list_of(pack: &Entries) -> (Value, Vec<Value>) {
    let report: Value = serde_json::from_slice(&pack["report.json"]).unwrap();
    let of = &report["provenance"];
    let files = of["files"].as_array().unwrap().iter();
    let of_list = files.filter(|file| file["role"] == "samples");
    (of["benchmark"]["path"].clone(), of_list.cloned().collect())
}

#[test]
fn a_report_says_by_which_list_it_is_scored_with_the_hash_of_each_file_of_it() {
    for (suite, pack) in packs() {
        let (path, files) = list_of(pack);
        let path = path.as_str().unwrap();
        assert!(!files.is_empty(), "{suite}");
        for file in files {
            let own = file["path"].as_str().unwrap();
            assert!(own.starts_with(path), "{suite}: {own}, {path}");
            assert_eq!(file["sha256"], sha256(&pack[own]), "{suite}: {own}");
        }
    }
    // Of two lists it is the one that was chosen, and the other is nowhere in the pack.
    let folder = Folder::default();
    copied(&folder, &demos().join("weave"), "suite");
    let own = "suite/WEAVEBench/test/test.json";
    let mut dialogues: Vec<Value> =
        serde_json::from_slice(&std::fs::read(folder.path(own)).unwrap()).unwrap();
    dialogues.remove(3);
    copied(
        &folder,
        &demos().join("weave/WEAVEBench/test"),
        "suite/short",
    );
    let other = "suite/short/test.json";
    folder.write(other, &serde_json::to_vec(&dialogues).unwrap());
    let lists = [own, other].map(|chosen| {
        let words = format!("pack suite --benchmark {chosen} --out checked.zip");
        let (code, _, said) = folder.run(&words);
        assert_eq!(code, 0, "{chosen}: {said}");
        let pack = unzip(&std::fs::read(folder.path("checked.zip")).unwrap());
        let hash = sha256(&std::fs::read(folder.path(chosen)).unwrap());
        let (path, files) = list_of(&pack);
        let found = (&path, files.len(), &files[0]["path"], &files[0]["sha256"]);
        let chosen = json!(chosen);
        assert_eq!(found, (&chosen, 1, &chosen, &json!(hash)));
        (pack, hash)
    });
    // The sibling that must fail: the report of one list says that it is the other's.
    let [(mut pack, hash), (_, hash_of_other)] = lists;
    for (from, to) in [(own, other), (&*hash, &*hash_of_other)] {
        edit(&mut pack, "report.json", from, to);
    }
    reseal(&mut pack);
    let (code, checked, said) = verify(&folder, &zipped(&pack));
    assert_eq!((code, &checked["reproduced"]), (1, &json!(false)), "{said}");
}

#[test]
fn an_unpacked_pack_in_one_models_folder_is_named_and_stops_nobodys_pack() {
    for (choice, how) in [("thumbnails", "as thumbnails"), ("full", "is not used")] {
        let folder = Folder::default();
        copied(&folder, &demos().join("weave"), "suite");
        let words = format!("pack suite --images {choice} --out first.zip");
        assert_eq!(folder.run(&words).0, 0);
        let inside = "suite/result/basalt-synth";
        let pack = unzip(&std::fs::read(folder.path("first.zip")).unwrap());
        for name in [
            "manifest.json",
            "report.json",
            "requests.jsonl",
            "verdicts.jsonl",
        ] {
            folder.write(&format!("{inside}/{name}"), &pack[name]);
        }
        let (code, _, said) = folder.run("pack suite --out second.zip");
        assert_eq!(code, 0, "{choice}: {said}");
        assert_eq!(folder.run("verify second.zip").0, 0, "{choice}");
        let again = unzip(&std::fs::read(folder.path("second.zip")).unwrap());
        assert!(!again.contains_key(&format!("{inside}/manifest.json")));
        let (_, out, _) = folder.run("inspect suite");
        let is_named = out.contains(&format!("{inside}/manifest.json")) && out.contains(how);
        assert!(is_named, "{choice}: {out}");
        // At the root of what is opened it speaks for all.
        let root = [
            "manifest.json",
            "report.json",
            "requests.jsonl",
            "verdicts.jsonl",
        ];
        for name in root {
            folder.write(&format!("suite/{name}"), &pack[name]);
        }
        let (code, _, said) = folder.run("pack suite --out third.zip");
        let expected = if choice == "full" { 0 } else { 2 };
        assert_eq!(code, expected, "{choice}: {said}");
    }
}

#[test]
fn a_thumbnail_of_another_size_than_its_picture_gives_is_named() {
    let (folder, sound) = (Folder::default(), small());
    for (kind, forge) in KINDS_OF_THUMBNAILS {
        folder.write("forged.zip", &changed(&sound, forge));
        let (code, out, said) = folder.run("verify forged.zip");
        let checked: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(code, 1, "{kind}: {said}");
        assert!(said.contains("a thumbnail of"), "{kind}: {checked}");
    }
}

#[test]
fn a_signature_that_does_not_fit_is_a_finding_and_one_without_a_key_is_not() {
    let (folder, bytes) = signed();
    let sound = unzip(&bytes);
    for (kind, forge) in KINDS_OF_SIGNATURES {
        folder.write("forged.zip", &changed(&sound, forge));
        let (code, out, said) = folder.run("verify forged.zip");
        let checked: Value = serde_json::from_str(&out).unwrap();
        let found = (code, &checked["counts"]["signature"]);
        assert_eq!(found, (1, &json!(1)), "{kind}: {said}");
        assert_eq!(checked["signed"]["key"], "", "{kind}");
    }
    let mut entries = sound.clone();
    entries.remove("manifest.json.minisig");
    folder.write("bare.zip", &zipped(&entries));
    assert_eq!(folder.run("verify bare.zip").0, 0);
}

#[test]
fn a_key_of_minisign_without_a_password_signs_a_pack() {
    let folder = Folder::default();
    // Made by `minisign -G -W` for this test.
    let key = "untrusted comment: minisign encrypted secret key\nRWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAHh9wFuoGJCm4xsl237fYpSZdQHNV6c5zQ117JcP4DZCLA/OLcKGX93cgmplViuG7DtXoEe5fbscgfJUcWD7gzegnkHFiOzOMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n";
    let public = "RWQeH3AW6gYkKXcgmplViuG7DtXoEe5fbscgfJUcWD7gzegnkHFiOzOM";
    folder.write("their.key", key.as_bytes());
    let from = demos().join("weave");
    let words = format!(
        "pack {} --out signed.zip --images none --sign their.key",
        from.display()
    );
    let (code, _, said) = folder.run(&words);
    assert!(code == 0 && said.contains(public), "{said}");
    assert_eq!(
        folder
            .run(&format!("verify signed.zip --signer {public}"))
            .0,
        0
    );
}

/// What the program says of a pack: its exit code, the whole, and its words.
fn verify(folder: &Folder, pack: &[u8]) -> (i32, Value, String) {
    folder.write("checked.zip", pack);
    let (code, out, said) = folder.run("verify checked.zip");
    (code, serde_json::from_str(&out).unwrap_or_default(), said)
}

#[test]
fn forged_ratings_and_pasted_replies_are_named_and_other_labels_make_another_honest_pack() {
    let folder = Folder::default();
    let [judges, people] = with_people();
    let names =
        |pack: &Entries| Manifest::read(std::str::from_utf8(&pack["manifest.json"]).unwrap());
    for (sound, by_python_code) in [(&judges, 0), (&people, 3)] {
        let (code, checked, said) = verify(&folder, &zipped(sound));
        assert_eq!((code, &checked["reproduced"]), (0, &json!(true)), "{said}");
        let (code, said) =
            by_python(&folder, "checked.zip").unwrap_or((by_python_code, String::new()));
        assert_eq!(code, by_python_code, "{said}");
    }
    assert!(names(&judges).unwrap().has_journal());
    let of_judges = KINDS_OF_PEOPLE.iter().map(|kind| (&judges, kind, 1));
    let of_people = KINDS_OF_RATINGS.iter().map(|kind| (&people, kind, 3));
    for (sound, (kind, forge), expected) in of_judges.chain(of_people) {
        let (code, checked, said) = verify(&folder, &changed(sound, *forge));
        assert_eq!(
            (code, &checked["reproduced"]),
            (1, &json!(false)),
            "{kind}: {said}"
        );
        if let Some((code, said)) = by_python(&folder, "checked.zip") {
            assert_eq!(code, expected, "{kind}: {said}");
        }
    }
    let own = names(&judges).unwrap().sha256;
    for (kind, change) in OTHER_CONTENT {
        let (code, checked, said) = verify(&folder, &changed(&judges, change));
        assert_eq!(
            (code, &checked["reproduced"]),
            (0, &json!(true)),
            "{kind}: {said}"
        );
        assert_ne!(checked["sha256"], own, "{kind}");
    }
}

#[test]
fn what_the_second_verifier_cannot_tell_is_stated_kind_by_kind_and_it_says_what_it_left_out() {
    let folder = Folder::default();
    let mut packs: Vec<(String, Vec<u8>, i32, &str)> = Vec::new();
    let of_all = verified().iter();
    for one in of_all.filter(|one| of_content().any(|(kind, _)| *kind == one.kind)) {
        // What models are judged on follows from lists.
        let is_of_kinds = KINDS_OF_FIELDS_OF_LISTS
            .iter()
            .any(|(kind, _)| *kind == one.kind);
        let about = format!("{}, {}", one.suite, one.kind);
        let code = if is_of_kinds { 3 } else { 0 };
        packs.push((about, one.pack.clone(), code, "what pictures show"));
    }
    // These are packs by the formulas in print, of which it knows the files and requests alone.
    let (_, signed) = signed();
    packs.push(("signed".to_owned(), signed.clone(), 3, "the signature"));
    for (kind, forge) in KINDS_OF_SIGNATURES {
        // Another manifest is told as such, whoever signed it.
        let is_other = kind == KINDS_OF_SIGNATURES[0].0;
        let code = if is_other { 1 } else { 3 };
        packs.push((
            kind.to_owned(),
            changed(&unzip(&signed), forge),
            code,
            "the signature",
        ));
    }
    let (sound, left) = (small(), "pictures that are not in it as they were");
    packs.push(("small".to_owned(), zipped(&sound), 3, left));
    for (kind, forge) in KINDS_OF_THUMBNAILS {
        packs.push((kind.to_owned(), changed(&sound, forge), 3, left));
    }
    for name in measured(&folder) {
        let pack = std::fs::read(folder.path(&name)).unwrap();
        packs.push((name, pack, 3, "measures"));
    }
    let checked: Vec<&[u8]> = packs.iter().map(|(_, pack, ..)| pack.as_slice()).collect();
    if by_python(&folder, "none.zip").is_none() {
        juror_tests::said::line(NO_PYTHON);
        return;
    }
    for ((about, _, expected, left), (code, said)) in packs.iter().zip(all_by_python(&checked)) {
        assert_eq!(code, *expected, "{about}: {said}");
        let not_checked = said.lines().find(|line| line.contains("not checked: "));
        let is_told = not_checked.is_some_and(|line| line.contains(left));
        assert!(is_told || code == 1, "{about}: {said}");
        let counted = said.matches(" not recomputed").count();
        assert!(counted == 3 || code == 1, "{about}: {said}");
    }
}

#[test]
fn a_sound_pack_that_lacks_replies_or_runs_is_none_that_differs_to_either_verifier() {
    for (suite, lacking) in [
        ("vibe", "_results_3.json"),
        ("weave", "basalt-synth/metrics_demo-judge.jsonl"),
        ("multiref", "basalt-synth/journal.jsonl"),
        ("micon", "_candidate_eval_details.json"),
        ("multibanana", "_gpt_judge.txt"),
    ] {
        let folder = Folder::default();
        let mut left_out = 0;
        for (path, bytes) in demo_suite(suite) {
            if path.ends_with(lacking) && left_out < 5 {
                left_out += 1;
            } else {
                folder.write(&format!("suite/{path}"), &bytes);
            }
        }
        assert!(left_out > 0, "{suite}");
        let (code, _, said) = folder.run("pack suite --profile released --out suite.zip");
        assert_eq!(code, 0, "{suite}: {said}");
        let (code, _, said) = folder.run("verify suite.zip");
        assert_eq!(code, 0, "{suite}: {said}");
        let (code, said) = by_python(&folder, "suite.zip").unwrap_or_default();
        assert_eq!(code, 0, "{suite}: {said}");
    }
}

/// The names of all fields of a value: with one more in it, this does not compile.
macro_rules! fields {
    ($kind:ident { $($field:ident),* $(,)? } = $value:expr) => {{
        let $kind { $($field: _),* } = $value;
        vec![$(stringify!($field)),*]
    }};
}

/// The paths of all fields of a manifest.
fn fields_of(manifest: &Manifest) -> Vec<String> {
    let (entry, counts) = (manifest.entries[0].clone(), manifest.counts.clone());
    let prompts = manifest.prompts.clone();
    let of_manifest = fields!(
        Manifest {
            format,
            juror,
            protocol,
            title,
            profile,
            policy,
            only_judge,
            only_run,
            reading,
            prompts,
            models,
            judges,
            judge_names,
            kinds,
            pictures,
            counts,
            entries,
            sha256
        } = manifest
    );
    let of_entry = fields!(
        Entry {
            path,
            role,
            size,
            sha256,
            kept,
            thumbnail,
            picture
        } = entry
    );
    let of_counts = fields!(
        Counts {
            samples,
            models,
            requests,
            verdicts,
            stale,
            scores,
            incidents
        } = counts
    );
    let of_prompts = fields!(
        PackInfo {
            name,
            sha256,
            official
        } = prompts
    );
    let all = [
        ("", of_manifest),
        ("entries.", of_entry),
        ("counts.", of_counts),
        ("prompts.", of_prompts),
    ];
    let all = all
        .into_iter()
        .flat_map(|(at, fields)| fields.into_iter().map(move |field| format!("{at}{field}")));
    all.collect()
}

/// The paths of the fields of a manifest in which two differ.
fn differing(old: &Value, new: &Value) -> Vec<String> {
    let of = |at: &str, old: &Value, new: &Value| -> Vec<String> {
        let keys = old.as_object().into_iter().chain(new.as_object()).flatten();
        let keys = keys.filter(|(key, _)| old.get(key) != new.get(key));
        keys.map(|(key, _)| format!("{at}{key}")).collect()
    };
    let mut found = of("", old, new);
    found.extend(of("counts.", &old["counts"], &new["counts"]));
    found.extend(of("prompts.", &old["prompts"], &new["prompts"]));
    let [old, new] = [old, new].map(|manifest| manifest["entries"].as_array().unwrap());
    let pairs: Vec<_> = old
        .iter()
        .zip(new)
        .filter(|(old, new)| old != new)
        .collect();
    // One entry alone, and not the entries in another order.
    if let [(old, new)] = pairs[..] {
        found.extend(of("entries.", old, new));
    }
    found
}

#[test]
fn every_field_of_a_manifest_is_forged_in_some_way() {
    let (sound, small) = (&packs()["weave"], small());
    let read =
        |entries: &Entries| serde_json::from_slice::<Value>(&entries["manifest.json"]).unwrap();
    let kinds = KINDS.iter().chain(&KINDS_OF_FIELDS).chain(of_content());
    let kinds = kinds.map(|kind| (sound, kind));
    let kinds = kinds.chain(KINDS_OF_THUMBNAILS.iter().map(|kind| (&small, kind)));
    let mut forged = Vec::new();
    for (sound, (_, forge)) in kinds {
        let mut other = sound.clone();
        forge(&mut other);
        forged.extend(differing(&read(sound), &read(&other)));
    }
    let manifest = Manifest::read(std::str::from_utf8(&sound["manifest.json"]).unwrap());
    let all = fields_of(&manifest.unwrap()).into_iter();
    let unforged: Vec<String> = all.filter(|field| !forged.contains(field)).collect();
    // Another format is refused.
    assert_eq!(unforged, ["format"]);
    let folder = Folder::default();
    let mut other = sound.clone();
    edit(&mut other, "manifest.json", "juror-pack/1", "juror-pack/2");
    let (code, _, said) = verify(&folder, &zipped(&other));
    assert_eq!(code, 2, "{said}");
    let (code, said) = by_python(&folder, "checked.zip").unwrap_or((2, String::new()));
    assert_eq!(code, 2, "{said}");
}
