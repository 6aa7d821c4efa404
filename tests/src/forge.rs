//! Ways to forge an evidence pack, each sealed again: what every verifier must notice, in the words of a test that fails.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _, Write as _};
use std::sync::OnceLock;

use juror_evidence::pack::Manifest;
use juror_model::prompt::sha256;
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::generate::tiny_png;
use crate::program::{Folder, demos};

pub mod containers;
pub mod fields;
pub mod people;
pub mod rows;

/// The files of a pack by their paths.
pub type Entries = BTreeMap<String, Vec<u8>>;

/// The files of a ZIP.
///
/// # Panics
/// The files are not those of a pack, or the program cannot be run.
pub fn unzip(pack: &[u8]) -> Entries {
    let mut zip = ZipArchive::new(Cursor::new(pack)).unwrap();
    let read = |at| {
        let mut file = zip.by_index(at).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        (file.name().unwrap().into_owned(), bytes)
    };
    let count = ZipArchive::new(Cursor::new(pack)).unwrap().len();
    (0..count).map(read).collect()
}

/// A ZIP of these files.
///
/// # Panics
/// The files are not those of a pack, or the program cannot be run.
pub fn zipped(entries: &Entries) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn text(entries: &Entries, path: &str) -> String {
    String::from_utf8(entries[path].clone()).unwrap()
}

/// Exchanges the first of these words in a file.
///
/// # Panics
/// The files are not those of a pack, or the program cannot be run.
pub fn edit(entries: &mut Entries, path: &str, from: &str, to: &str) {
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

/// Adds a line to a file.
fn add_line(entries: &mut Entries, path: &str, line: &str) {
    lines(entries, path, |rows| rows.push(line.to_owned()));
}

/// Makes the manifest fit what lies in the pack, as somebody would who wants to go unnoticed.
///
/// # Panics
/// The files are not those of a pack, or the program cannot be run.
pub fn manifest(entries: &mut Entries, change: impl FnOnce(&mut Manifest, &mut Entries)) {
    let mut manifest = Manifest::read(&text(entries, "manifest.json")).unwrap();
    change(&mut manifest, entries);
    for entry in &mut manifest.entries {
        let whole = entries.get(&entry.path);
        if let Some(bytes) = whole.filter(|_| entry.thumbnail.is_none()) {
            entry.size = bytes.len() as u64;
            entry.sha256 = sha256(bytes);
        }
    }
    manifest.sha256 = manifest.seal();
    entries.insert("manifest.json".to_owned(), manifest.to_json().into_bytes());
}

/// Makes the manifest fit what is in the pack.
///
/// # Panics
/// The files are not those of a pack.
pub fn reseal(entries: &mut Entries) {
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
pub type Kind = (&'static str, fn(&mut Entries));

/// Ways that each verifier tells.
pub const KINDS: [Kind; 33] = [
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
    ("entries in another order", |e| {
        manifest(e, |manifest, _| manifest.entries.reverse());
    }),
    ("a version with a remark", |e| {
        let juror = format!("\"juror\": \"{}", env!("CARGO_PKG_VERSION"));
        let forged = format!("{juror} audited");
        edit(e, "report.json", &juror, &forged);
        manifest(e, |manifest, _| manifest.juror += " audited");
    }),
    ("a remark below the verdicts", |e| {
        let verdicts = e.get_mut("verdicts.jsonl").unwrap();
        verdicts.extend_from_slice(b"Audited and found correct.");
        reseal(e);
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
pub const KINDS_OF_CONTENT: [Kind; 5] = [
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

/// The demo suites.
pub const SUITES: [&str; 5] = ["weave", "multibanana", "micon", "vibe", "multiref"];

/// A pack of each demo suite by the authors' released rules.
///
/// # Panics
/// The files are not those of a pack, or the program cannot be run.
pub fn packs() -> &'static BTreeMap<&'static str, Entries> {
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

/// A pack as it was.
pub const UNTOUCHED: &str = "untouched";

/// A pack as it was, and one with another reply.
pub const OWN: [Kind; 2] = [(UNTOUCHED, |_| {}), ("a changed reply", change_replies)];

/// The pack that comes of it.
///
/// # Panics
/// The files are not those of a pack.
pub fn changed(sound: &Entries, forge: fn(&mut Entries)) -> Vec<u8> {
    let mut entries = sound.clone();
    forge(&mut entries);
    zipped(&entries)
}

const SIGNATURE: &str = "manifest.json.minisig";

/// Ways to spoil the signature of a pack.
pub const KINDS_OF_SIGNATURES: [Kind; 6] = [
    ("a signature of another manifest", |e| {
        manifest(e, |manifest, _| manifest.models[0] += "-pro");
    }),
    ("a signature that is none", |e| {
        e.insert(SIGNATURE.to_owned(), b"Signed by everybody.".to_vec());
    }),
    ("an empty signature", |e| {
        e.insert(SIGNATURE.to_owned(), Vec::new());
    }),
    ("a signature with a remark", |e| {
        e.get_mut(SIGNATURE).unwrap().extend(b"Audited.\n");
    }),
    ("a signature by another key than it names", |e| {
        let old = text(e, SIGNATURE);
        let at = old.find("key RW").unwrap() + 30;
        let other = if &old[at..=at] == "A" { "B" } else { "A" };
        let new = format!("{}{other}{}", &old[..at], &old[at + 1..]);
        e.insert(SIGNATURE.to_owned(), new.into_bytes());
    }),
    ("a signature that names no such key", |e| {
        edit(e, SIGNATURE, "key RW", "key xx");
    }),
];

/// Ways to forge a pack with small pictures.
pub const KINDS_OF_THUMBNAILS: [Kind; 3] = [
    ("another size of a picture that went in small", |e| {
        picture(e, json!({"width": 4096, "height": 64}));
    }),
    ("a small picture of another one", |e| {
        put_small(e, &tiny_png(7));
    }),
    ("a text in the place of a small picture", |e| {
        put_small(e, b"Nothing to see.");
    }),
];

/// Other bytes in the place of the first thumbnail.
fn put_small(entries: &mut Entries, bytes: &[u8]) {
    let bytes = bytes.to_vec();
    manifest(entries, move |manifest, entries| {
        let small = manifest.entries.iter_mut();
        let entry = small.into_iter().find(|entry| entry.thumbnail.is_some());
        let entry = entry.unwrap();
        let content = entry.thumbnail.as_mut().unwrap();
        content.size = bytes.len() as u64;
        content.sha256 = sha256(&bytes);
        entries.insert(entry.path.clone(), bytes);
    });
}

/// A signed pack in a folder, with the keys `own` and `other` beside it.
///
/// # Panics
/// The files are not those of a pack, or the program cannot be run.
pub fn signed() -> (Folder, Vec<u8>) {
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

/// Three packs of the first demo suite in a folder, by their names: with measured values, with the same and no pictures, and
/// with one of the values forged before it was packed.
///
/// # Panics
/// The files are not those of a pack, or the program cannot be run.
pub fn measured(folder: &Folder) -> [String; 3] {
    for (path, bytes) in &packs()["weave"] {
        if !["manifest.json", "report.json"].contains(&path.as_str()) && !path.ends_with("s.jsonl")
            || path.ends_with("metrics.jsonl")
        {
            folder.write(&format!("all/{path}"), bytes);
        }
    }
    let words = "score all --metrics mse,psnr --against golden --measures all/measured.jsonl";
    let (code, _, said) = folder.run(words);
    assert_eq!(code, 0, "{said}");
    let pack = |name: &str, images: &str| {
        let words = format!("pack all --out {name}.zip --images {images}");
        folder.run(&words);
        format!("{name}.zip")
    };
    let [sound, bare] = [pack("measured", "full"), pack("measured-bare", "none")];
    let path = folder.path("all/measured.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let at = text.find("\"value\":").unwrap() + "\"value\":".len();
    let end = at + text[at..].find(',').unwrap();
    let forged = format!("{}0.0{}", &text[..at], &text[end..]);
    std::fs::write(&path, forged).unwrap();
    [sound, bare, pack("measured-forged", "full")]
}

/// A pack of the first demo suite whose pictures went in small.
///
/// # Panics
/// The files are not those of a pack, or the program cannot be run.
pub fn small() -> Entries {
    let folder = Folder::default();
    let from = demos().join("weave");
    let words = format!(
        "pack {} --out small.zip --images thumbnails",
        from.display()
    );
    let (code, _, said) = folder.run(&words);
    assert_eq!(code, 0, "{said}");
    unzip(&std::fs::read(folder.path("small.zip")).unwrap())
}
