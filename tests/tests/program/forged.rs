//! Packs of every benchmark that somebody forged, each in one way and sealed again, before both verifiers: `juror verify`,
//! and `verify_pack.py`, which shares no code with it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use super::pack::{Entries, unzip, zipped};
use juror_evidence::pack::Manifest;
use juror_model::prompt::sha256;
use juror_tests::program::{Folder, demo_suite, demos};
use serde_json::{Value, json};

const SUITES: [&str; 5] = ["weave", "multibanana", "micon", "vibe", "multiref"];

/// A pack of each demo suite by the authors' released rules.
fn packs() -> &'static BTreeMap<&'static str, Entries> {
    static PACKS: OnceLock<BTreeMap<&'static str, Entries>> = OnceLock::new();
    PACKS.get_or_init(|| {
        let folder = Folder::default();
        let packed = SUITES.map(|suite| {
            let from = demos().join(suite);
            let words = format!(
                "pack {} --profile released --out {suite}.zip",
                from.display()
            );
            let (code, _, said) = folder.run(&words);
            assert_eq!(code, 0, "{said}");
            let bytes = std::fs::read(folder.path(&format!("{suite}.zip"))).unwrap();
            (suite, unzip(&bytes))
        });
        packed.into()
    })
}

fn text(entries: &Entries, path: &str) -> String {
    String::from_utf8(entries[path].clone()).unwrap()
}

fn edit(entries: &mut Entries, path: &str, from: &str, to: &str) {
    let old = text(entries, path);
    assert!(old.contains(from), "{path} has no {from}");
    entries.insert(path.to_owned(), old.replacen(from, to, 1).into_bytes());
}

/// Rewrites the lines of a file.
fn lines(entries: &mut Entries, path: &str, change: impl FnOnce(&mut Vec<String>)) {
    let mut rows: Vec<String> = text(entries, path).lines().map(str::to_owned).collect();
    change(&mut rows);
    entries.insert(path.to_owned(), (rows.join("\n") + "\n").into_bytes());
}

/// Makes the manifest fit what lies in the pack, as somebody would who wants to go unnoticed.
fn manifest(entries: &mut Entries, change: impl FnOnce(&mut Manifest, &mut Entries)) {
    let mut manifest = Manifest::read(&text(entries, "manifest.json")).unwrap();
    change(&mut manifest, entries);
    for entry in &mut manifest.entries {
        if let Some(bytes) = entries.get(&entry.path) {
            entry.size = bytes.len() as u64;
            entry.sha256 = sha256(bytes);
        }
    }
    manifest.sha256 = manifest.seal();
    entries.insert("manifest.json".to_owned(), manifest.to_json().into_bytes());
}

fn reseal(entries: &mut Entries) {
    manifest(entries, |_, _| {});
}

/// The same where a manifest has what the type does not know.
fn sealed_text(entries: &mut Entries, from: &str, to: &str) {
    edit(entries, "manifest.json", from, to);
    let old = text(entries, "manifest.json");
    let at = old.rfind("\"sha256\": \"").unwrap() + "\"sha256\": \"".len();
    let unsealed = format!("{}{}", &old[..at], &old[at + 64..]);
    let sealed = format!(
        "{}{}{}",
        &old[..at],
        sha256(unsealed.as_bytes()),
        &old[at + 64..]
    );
    entries.insert("manifest.json".to_owned(), sealed.into_bytes());
}

/// Lists a file that nobody asked for.
fn add(entries: &mut Entries, path: &str, role: &str, bytes: &[u8]) {
    entries.insert(path.to_owned(), bytes.to_vec());
    let (path, role) = (path.to_owned(), role.to_owned());
    manifest(entries, move |manifest, _| {
        let mut entry = manifest.entries[0].clone();
        entry.path = path;
        entry.role = role;
        entry.picture = None;
        manifest.entries.push(entry);
        manifest.entries.sort_by(|a, b| a.path.cmp(&b.path));
    });
}

/// Gives the first entry of this role another one.
fn role(entries: &mut Entries, from: &str, to: &str) {
    manifest(entries, |manifest, _| {
        let found = manifest.entries.iter_mut().find(|entry| entry.role == from);
        to.clone_into(&mut found.unwrap().role);
    });
}

fn picture(entries: &mut Entries, picture: Value) {
    manifest(entries, |manifest, _| {
        let found = manifest
            .entries
            .iter_mut()
            .find(|entry| entry.picture.is_some());
        found.unwrap().picture = serde_json::from_value(picture).unwrap();
    });
}

/// The report's first total over everything that has a mean.
fn forge_total(entries: &mut Entries) {
    lines(entries, "report.json", |rows| {
        let is_total = |row: &&mut String| {
            let is_whole = row.contains("\"scope\":\"overall\"") && !row.contains("\"mean\":null");
            is_whole && row.contains("\"criterion\":\"total\"")
        };
        let row = rows.iter_mut().find(is_total).unwrap();
        let at = row.find("\"mean\":").unwrap() + "\"mean\":".len();
        let end = at + row[at..].find(',').unwrap();
        row.replace_range(at..end, "0.9875");
    });
    reseal(entries);
}

/// A way to forge a pack, in the words of a test that fails.
type Kind = (&'static str, fn(&mut Entries));

const KINDS: [Kind; 30] = [
    ("an unknown key of the manifest", |e| {
        sealed_text(e, "  \"protocol\"", "  \"audited\": true,\n  \"protocol\"");
    }),
    ("an unknown key of an entry", |e| {
        sealed_text(e, "{\"path\":", "{\"by\":\"me\",\"path\":");
    }),
    ("a manifest with more blanks", |e| {
        sealed_text(e, "\"title\": ", "\"title\":  ");
    }),
    ("an unknown key of a request", |e| {
        edit(
            e,
            "requests.jsonl",
            "{\"model\"",
            "{\"by\":\"me\",\"model\"",
        );
        reseal(e);
    }),
    ("an unknown key of a verdict", |e| {
        edit(
            e,
            "verdicts.jsonl",
            "{\"model\"",
            "{\"by\":\"me\",\"model\"",
        );
        reseal(e);
    }),
    ("a verdict from another source", |e| {
        edit(
            e,
            "verdicts.jsonl",
            "\"source\":\"",
            "\"source\":\"elsewhere/",
        );
        reseal(e);
    }),
    ("a verdict of another judge", |e| {
        edit(e, "verdicts.jsonl", "\"judge\":\"", "\"judge\":\"better ");
        reseal(e);
    }),
    ("a verdict that is there twice", |e| {
        lines(e, "verdicts.jsonl", |rows| rows.insert(0, rows[0].clone()));
        reseal(e);
    }),
    ("a request with another text", |e| {
        edit(
            e,
            "requests.jsonl",
            "\"text\":\"",
            "\"text\":\"Be generous. ",
        );
        reseal(e);
    }),
    ("requests with more blanks", |e| {
        edit(e, "requests.jsonl", "\",\"sample\"", "\", \"sample\"");
        reseal(e);
    }),
    ("verdicts with more blanks", |e| {
        edit(e, "verdicts.jsonl", "\",\"sample\"", "\", \"sample\"");
        reseal(e);
    }),
    ("a picture that is none", |e| role(e, "picture", "other")),
    ("a role that there is not", |e| role(e, "picture", "proof")),
    ("another width", |e| {
        picture(e, json!({"width": 4096, "height": 4096}));
    }),
    ("a sound picture that is called corrupt", |e| {
        picture(
            e,
            json!({"corrupt": "It does not decode.", "hint": "Make it again."}),
        );
    }),
    ("other judge texts by name", |e| {
        manifest(e, |manifest, _| {
            "Official".clone_into(&mut manifest.prompts.name);
        });
    }),
    ("official judge texts", |e| {
        manifest(e, |manifest, _| {
            manifest.prompts.official = !manifest.prompts.official;
        });
    }),
    ("a model by another name", |e| {
        manifest(e, |manifest, _| manifest.models[0] += "-pro");
    }),
    ("a judge by another name", |e| {
        manifest(e, |manifest, _| manifest.judges[0] += "-pro");
    }),
    ("another title", |e| {
        manifest(e, |manifest, _| manifest.title += "!");
    }),
    ("another count", |e| {
        manifest(e, |manifest, _| manifest.counts.samples += 1);
    }),
    ("another count of models", |e| {
        manifest(e, |manifest, _| manifest.counts.models += 1);
    }),
    ("a remark", |e| {
        add(e, "AUDIT.md", "other", b"Audited and found correct.");
    }),
    ("a remark as a picture", |e| {
        add(e, "AUDIT.md", "picture", b"Audited.");
    }),
    ("a pack in the pack", |e| {
        let inner = zipped(e);
        add(e, "inner.zip", "other", &inner);
    }),
    ("a file that is not listed", |e| {
        e.insert("AUDIT.md".to_owned(), b"Audited.".to_vec());
    }),
    ("a forged total", forge_total),
    ("an unknown key of the report", |e| {
        edit(
            e,
            "report.json",
            "\"provenance\": {",
            "\"provenance\": {\n    \"audited\": true,",
        );
        reseal(e);
    }),
    ("a file that is not there", |e| {
        let path = e.keys().find(|path| path.contains(".png")).unwrap().clone();
        e.remove(&path);
    }),
    ("a changed picture", |e| {
        let path = e.keys().find(|path| path.contains(".png")).unwrap().clone();
        e.get_mut(&path).unwrap().push(0);
    }),
];

/// Kinds that a verifier tells which makes everything again, and not one that knows no lists and no judge texts.
const KINDS_OF_CONTENT: [Kind; 5] = [
    ("requests in another order", |e| {
        lines(e, "requests.jsonl", |rows| rows.swap(0, 1));
        reseal(e);
    }),
    ("verdicts in another order", |e| {
        lines(e, "verdicts.jsonl", |rows| rows.swap(0, 1));
        reseal(e);
    }),
    ("a request with another grammar", |e| {
        edit(
            e,
            "requests.jsonl",
            "\"grammar\":\"",
            "\"grammar\":\"Anything. ",
        );
        reseal(e);
    }),
    ("a later interval", |e| {
        edit(e, "report.json", "\"ci_low\":null", "\"ci_low\":0.5");
        reseal(e);
    }),
    ("judge texts by another name, everywhere", |e| {
        edit(
            e,
            "report.json",
            "\"official\": false",
            "\"official\": true",
        );
        manifest(e, |manifest, _| manifest.prompts.official = true);
    }),
];

/// Another score in the first reply that has one.
fn change_replies(entries: &mut Entries) {
    let marks = ["\"score\":", "Alignment:", "\"pass\":", "\"fid\":"];
    let place = |text: &str| {
        let mark = marks
            .iter()
            .find_map(|mark| Some(text.find(mark)? + mark.len()))?;
        let digit = text[mark..].find(|letter: char| letter.is_ascii_digit())?;
        Some(mark + digit)
    };
    let own = [
        "manifest.json",
        "report.json",
        "requests.jsonl",
        "verdicts.jsonl",
    ];
    let found = entries.iter().find_map(|(path, bytes)| {
        let text = std::str::from_utf8(bytes).ok()?;
        let at = place(text).filter(|_| !own.contains(&path.as_str()))?;
        let other = if text[at..].starts_with('0') {
            "1"
        } else {
            "0"
        };
        let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
        Some((path.clone(), changed.into_bytes()))
    });
    let (path, changed) = found.unwrap();
    entries.insert(path, changed);
    reseal(entries);
}

/// A forged pack, and what `juror verify` says of it.
struct Verified {
    suite: &'static str,
    kind: &'static str,
    pack: Vec<u8>,
    code: i32,
    reproduced: Value,
    said: String,
}

/// Each suite's pack untouched and forged in each way.
fn verified() -> &'static [Verified] {
    static VERIFIED: OnceLock<Vec<Verified>> = OnceLock::new();
    VERIFIED.get_or_init(|| {
        let folder = Folder::default();
        let own: [Kind; 2] = [(UNTOUCHED, |_| {}), ("a changed reply", change_replies)];
        let kinds = || own.iter().chain(&KINDS).chain(&KINDS_OF_CONTENT);
        let all = packs().iter().flat_map(|(suite, sound)| {
            kinds().map(move |(kind, forge)| (*suite, *kind, forge, sound))
        });
        let checked = all.map(|(suite, kind, forge, sound)| {
            let mut entries = sound.clone();
            forge(&mut entries);
            let pack = zipped(&entries);
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
        });
        checked.collect()
    })
}

const UNTOUCHED: &str = "untouched";

#[test]
fn no_way_of_forging_a_pack_goes_unnoticed_and_the_sound_pack_reproduces() {
    for one in verified() {
        let is_sound = one.kind == UNTOUCHED;
        let expected = (i32::from(!is_sound), &json!(is_sound));
        let found = (one.code, &one.reproduced);
        assert_eq!(found, expected, "{}, {}: {}", one.suite, one.kind, one.said);
    }
}

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
        juror_tests::said::line(
            "SKIPPED: there is no python3 that the second verifier could run in",
        );
        return;
    };
    assert_eq!(code, 2, "{said}");
    let is_of_content = |kind: &str| KINDS_OF_CONTENT.iter().any(|(one, _)| *one == kind);
    for one in verified().iter().filter(|one| !is_of_content(one.kind)) {
        folder.write("checked.zip", &one.pack);
        let (code, words) = by_python(&folder, "checked.zip").unwrap();
        let about = format!("{}, {}: {}\n{words}", one.suite, one.kind, one.said);
        assert_eq!(code, one.code, "{about}");
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

/// A signed pack in a folder, with the keys `own` and `other` beside it.
fn signed() -> (Folder, Vec<u8>) {
    let folder = Folder::default();
    let pack = format!(
        "pack {} --out signed.zip --sign own.key",
        demos().join("weave").display()
    );
    for words in ["key --out own", "key --out other", &pack] {
        let (code, _, said) = folder.run(words);
        assert_eq!(code, 0, "{said}");
    }
    let bytes = std::fs::read(folder.path("signed.zip")).unwrap();
    (folder, bytes)
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
    for (path, bytes) in &packs()["weave"] {
        if !["manifest.json", "report.json"].contains(&path.as_str()) && !path.ends_with("s.jsonl")
            || path.ends_with("metrics.jsonl")
        {
            folder.write(&format!("all/{path}"), bytes);
        }
    }
    let words = "score all --metrics mse --against golden --measures all/measured.jsonl";
    let (code, _, said) = folder.run(words);
    assert_eq!(code, 0, "{said}");
    let verified = |images: &str| {
        let words = format!("pack all --out all.zip --images {images}");
        let (code, out, said) = folder.run(&words);
        assert_eq!(code, 0, "{said}");
        serde_json::from_str::<Value>(&out).unwrap()["coverage"].clone()
    };
    let whole = verified("full");
    let measured = whole["measured"].as_u64().unwrap();
    assert!(measured > 0 && whole["measures_on_trust"] == 0, "{whole}");
    // The packer forges a value and packs anew: the sibling that must fail.
    let path = folder.path("all/measured.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let at = text.find("\"value\":").unwrap() + "\"value\":".len();
    let end = at + text[at..].find(',').unwrap();
    let forged = format!("{}0.0{}", &text[..at], &text[end..]);
    std::fs::write(&path, forged).unwrap();
    let (code, out, said) = folder.run("pack all --out forged.zip");
    let checked: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, &checked["counts"]),
        (1, &json!({"measure": 1})),
        "{said}"
    );
    // Without the pictures it is on trust, and said to be.
    let none = verified("none");
    assert_eq!(
        none["measures_on_trust"].as_u64().unwrap(),
        measured,
        "{none}"
    );
}
