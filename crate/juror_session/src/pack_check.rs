//! A pack held against what is recomputed from its own files: everything that it states is made again, and compared byte by
//! byte.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use super::count;
use super::measures::check_measures;
use super::pack::{
    Made, counts, items, judges, know_hash, made, names, names_in_words, picture_size,
};
use super::state::Session;
use crate::health::{check_replies, unasked};
use crate::measure::Measure;
use juror_evidence::pack::{
    self, Content, Counts, Coverage, Entry, Findings, FoundEntry, Kept, Manifest, OpenedPack,
    PICTURE, PackError, PackItem, Pictures, Signed, VerdictRow, Verification, of_lines,
    of_manifest, of_report, of_requests, of_text, of_verdicts,
};
use juror_evidence::report::Report;
use juror_model::tree::FileId;
use juror_reading::count::counted;

/// Recomputes everything from the raw replies and says what differs from the pack.
///
/// The session holds the pack's files and nothing else, read to the end; see [`add_pack`](crate::add_pack).
/// `measured` is what the host measured again, see [`measures_to_check`](crate::measures_to_check); empty where it
/// measures nothing.
///
/// # Errors
/// The manifest cannot be read.
pub fn verify_pack(
    session: &mut Session,
    opened: &OpenedPack,
    measured: &[Measure],
) -> Result<Verification, PackError> {
    let manifest = Manifest::read(&opened.manifest)?;
    let mut findings = Findings::default();
    check_seal(&manifest, &opened.manifest, &mut findings);
    let signed = Signed::of(&opened.manifest, opened.signature.as_deref());
    if let Some(signed) = signed.as_ref().filter(|signed| signed.is_wrong()) {
        let expected = "a signature of this manifest";
        findings.tell("signature", pack::SIGNATURE, expected, &signed.problem);
    }
    let num_files = check_entries(&manifest, opened, &mut findings);
    if opened.renamed > 0 {
        findings.tell(
                "renamed_entry",
                &format!("{} names with letters beyond ASCII", opened.renamed),
                "as they were packed",
                "in another Unicode form (NFD), as macOS packs them; the files themselves are compared below",
            );
    }
    for stray in &opened.outside {
        findings.push(stray.clone());
    }
    know_full(session, &manifest, opened);
    if session.use_pack(&manifest.prompts.sha256).is_err() {
        let here = session.loader.packs[session.loader.pack].info.clone();
        findings.tell(
            "manifest",
            "prompt pack",
            &format!("{} {}", manifest.prompts.name, manifest.prompts.sha256),
            &format!("{} {}", here.name, here.sha256),
        );
    }
    let replies = check_replies(session);
    let here = made_again(session, &manifest, opened);
    let (measured, on_trust) = check_measures(session, measured, &mut findings);
    compare(session, &manifest, opened, &here, &mut findings);
    let coverage = Coverage {
        replies: count(here.verdicts.len()),
        unasked: unasked(session, &replies),
        measured,
        measures_on_trust: on_trust,
        judges_on_trust: count(here.manifest.judges.len()),
        ..pictures(session, &here.manifest)
    };
    Ok(Verification {
        reproduced: findings.counts.is_empty() && coverage.undecoded == 0,
        reason: pack::reason(&findings.counts, coverage.undecoded).to_owned(),
        coverage,
        covered: coverage.words(),
        signed,
        sha256: manifest.seal(),
        written_by: manifest.juror.clone(),
        checked_by: env!("CARGO_PKG_VERSION").to_owned(),
        title: manifest.title.clone(),
        pictures: manifest.pictures,
        files: num_files,
        requests: count(here.requests.len()),
        verdicts: count(here.verdicts.len()),
        scores: count(here.report.scores.len()),
        counts: findings.counts,
        findings: findings.list,
        notes: notes_of_check(session, &manifest),
    })
}

/// The pack as its own files make it.
fn made_again(session: &mut Session, manifest: &Manifest, opened: &OpenedPack) -> Made {
    let stated: HashMap<&str, &Entry> = (manifest.sources())
        .map(|entry| (entry.path.as_str(), entry))
        .collect();
    let found = contents(opened);
    let linked = session.linked();
    let entries = items(&linked)
        .iter()
        .filter_map(|item| {
            let stated = stated.get(item.path.as_str())?;
            let found = found.get(item.path.as_str());
            Some(entry_again(&linked, item, stated, found, manifest.pictures))
        })
        .collect();
    let files: HashSet<FileId> = linked.loader.tree.files().map(|(file, _)| file).collect();
    // A later Juror that computes the same says nothing else; which one wrote it is the manifest's to say.
    let juror = Some(manifest.juror.as_str());
    made(
        session,
        &manifest.options(),
        manifest.pictures,
        (entries, &files),
        juror,
    )
}

/// What the manifest has to say of a file: of one that lies in the pack what is so, of another what is stated.
fn entry_again(
    session: &Session,
    item: &PackItem,
    stated: &Entry,
    found: Option<&Content>,
    pictures: Pictures,
) -> Entry {
    let is_whole = !item.is_picture() || pictures == Pictures::Full;
    let small = found.filter(|_| !is_whole && pictures == Pictures::Thumbnails);
    let whole = found.filter(|_| is_whole);
    let picture = item.is_picture().then(|| picture_size(session, item.file));
    Entry {
        path: item.path.clone(),
        role: item.role.clone(),
        size: whole.map_or(stated.size, |found| found.size),
        sha256: whole.map_or_else(|| stated.sha256.clone(), |found| found.sha256.clone()),
        kept: match (is_whole, small) {
            (true, _) => Kept::Full,
            (false, Some(_)) => Kept::Thumbnail,
            (false, None) => Kept::LeftOut,
        },
        thumbnail: small.cloned(),
        picture: picture.flatten(),
    }
}

/// Holds all that the pack states against what was made again.
fn compare(
    session: &Session,
    manifest: &Manifest,
    opened: &OpenedPack,
    here: &Made,
    findings: &mut Findings,
) {
    let text = |path: &str| {
        let text = here.texts.iter().find(|text| text.path == path);
        text.map_or("", |text| &text.text)
    };
    // Through JSON, as the pack's own numbers came.
    let report: Report =
        read_one(pack::REPORT, text(pack::REPORT), findings).unwrap_or_else(|| here.report.clone());
    let head = check_head(session, manifest, here, findings);
    of_manifest(
        &opened.manifest,
        &here.manifest,
        |key| head.contains(key),
        findings,
    );
    let stated = read_lines(pack::REQUESTS, &opened.requests, findings);
    of_requests(&stated, &here.requests, findings);
    let stated = read_lines(pack::VERDICTS, &opened.verdicts, findings);
    let verdicts: Vec<VerdictRow> = reread(&here.verdicts);
    of_verdicts(&stated, &verdicts, findings);
    if let Some(stated) = read_one(pack::REPORT, &opened.report, findings) {
        of_report(&stated, &report, findings);
        of_text(&opened.report, text(pack::REPORT), findings);
    }
    let lines = [
        (
            pack::REQUESTS,
            &opened.requests,
            ["request", "reply_request"],
        ),
        (
            pack::VERDICTS,
            &opened.verdicts,
            ["verdict", "reply_request"],
        ),
    ];
    for (path, stated, told) in lines {
        of_lines(path, stated, text(path), &told, findings);
    }
    if manifest.has_journal() {
        let found = opened
            .entries
            .iter()
            .find(|entry| entry.path == pack::JOURNAL);
        let expected = Content::of(text(pack::JOURNAL).as_bytes());
        if let Some(found) = found.filter(|found| found.sha256 != expected.sha256) {
            findings.tell(
                "row",
                pack::JOURNAL,
                &format!("{} bytes, {}", found.size, found.sha256),
                &format!("{} bytes, {}", expected.size, expected.sha256),
            );
        }
    }
    check_thumbnails(manifest, opened, findings);
}

/// Compares small pictures with what is said of the pictures that they stand for: what has a thumbnail was decoded, and the
/// size of one follows from the other's.
fn check_thumbnails(manifest: &Manifest, opened: &OpenedPack, findings: &mut Findings) {
    let found = opened.entries.iter();
    let found: HashMap<&str, Option<[u32; 2]>> = found
        .map(|entry| (entry.path.as_str(), entry.pixels))
        .collect();
    for entry in manifest.sources().filter(|entry| entry.thumbnail.is_some()) {
        let stated = match entry.picture {
            Some(pack::PictureSize::Pixels { width, height }) => Some([width, height]),
            None => None,
            Some(_) => {
                findings.tell(
                    "manifest",
                    &entry.path,
                    "a picture that cannot be decoded",
                    "a thumbnail of it",
                );
                continue;
            }
        };
        // One that is not there is told of as a missing file.
        let Some(here) = found.get(entry.path.as_str()) else {
            continue;
        };
        let expected = stated.map(pack::thumbnail_size);
        if here.is_none() || *here != expected {
            let words = |size: Option<[u32; 2]>| {
                let words = size.map(|[width, height]| format!("{width} × {height} pixels"));
                words.unwrap_or_else(|| "none that can be read".to_owned())
            };
            findings.tell(
                "manifest",
                &entry.path,
                &format!("a thumbnail of {}", words(expected)),
                &format!("a thumbnail of {}", words(*here)),
            );
        }
    }
}

/// How many of the pack's pictures were decoded, could not be, and are not in it as they were.
fn pictures(session: &Session, manifest: &Manifest) -> Coverage {
    let mut coverage = Coverage::default();
    let read = &session.loader.read;
    for entry in manifest.sources().filter(|entry| entry.role == PICTURE) {
        let file = session.loader.tree.find(&entry.path);
        match file {
            _ if entry.kept != Kept::Full => coverage.stated += 1,
            Some(file) if read.believed.contains(&file) => coverage.undecoded += 1,
            Some(file) if read.pictures.contains_key(&file) => coverage.decoded += 1,
            _ => {}
        }
    }
    coverage
}

/// What to know about a pack that was checked.
fn notes_of_check(session: &Session, manifest: &Manifest) -> Vec<String> {
    let mut notes = notes(manifest);
    if session.loader.protocol.is_named_by_file()
        && let Some(list) = session
            .loader
            .benchmark
            .as_ref()
            .and_then(|benchmark| benchmark.list)
    {
        notes.push(format!(
                "The benchmark is declared by a file in the pack, near {}: its title, scales and formulas come from that file.",
                session.loader.tree.path(list)
            ));
    }
    notes
}

/// What lies in the pack, by path.
fn contents(opened: &OpenedPack) -> HashMap<&str, Content> {
    let entries = opened.entries.iter();
    let content = |entry: &FoundEntry| Content {
        size: entry.size,
        sha256: entry.sha256.clone(),
    };
    entries
        .map(|entry| (entry.path.as_str(), content(entry)))
        .collect()
}

/// Takes the hashes of pictures that lie in the pack as they are: those that were found, not those that are claimed.
fn know_full(session: &mut Session, manifest: &Manifest, opened: &OpenedPack) {
    let found = contents(opened);
    for entry in manifest.sources().filter(|entry| entry.kept == Kept::Full) {
        let file = session.loader.tree.find(&entry.path);
        if let (Some(file), Some(found)) = (file, found.get(entry.path.as_str()))
            && entry.role == PICTURE
        {
            know_hash(session, file, &found.sha256);
        }
    }
}

/// What a manifest counts, by name.
fn numbers(counts: &Counts) -> [(&'static str, u32); 6] {
    [
        ("samples", counts.samples),
        ("requests", counts.requests),
        ("verdicts", counts.verdicts),
        ("replies to earlier requests", counts.stale),
        ("score rows", counts.scores),
        ("incidents", counts.incidents),
    ]
}

/// Holds the manifest's own statements against what came out; the keys of those that differ.
fn check_head(
    session: &Session,
    manifest: &Manifest,
    made: &Made,
    findings: &mut Findings,
) -> HashSet<&'static str> {
    let (report, verdicts) = (&made.report, &made.verdicts);
    let here = counts(report, &made.requests, verdicts);
    let stated = &manifest.counts;
    let mut told = HashSet::new();
    if manifest.prompts.sha256 != made.manifest.prompts.sha256 {
        // It was said that this prompt pack is not there.
        told.insert("prompts");
    }
    let rows = [
        (
            "protocol",
            "protocol",
            manifest.protocol.clone(),
            session.loader.protocol.id().to_owned(),
        ),
        (
            "title",
            "title",
            manifest.title.clone(),
            session.loader.protocol.title().to_owned(),
        ),
        (
            "models",
            "models",
            manifest.models.join(", "),
            names(report).join(", "),
        ),
        (
            "judges",
            "judges",
            manifest.judges.join(", "),
            judges(verdicts).join(", "),
        ),
        (
            "judge_names",
            "judges named by the packer",
            names_in_words(&manifest.judge_names),
            names_in_words(&report.provenance.judge_names),
        ),
    ];
    if !is_version(&manifest.juror) {
        findings.tell(
            "manifest",
            "juror",
            &manifest.juror,
            "a version, such as 1.2.3",
        );
        told.insert("juror");
    }
    let counted = numbers(stated).into_iter().zip(numbers(&here));
    let counted = counted.map(|((about, old), (_, new))| {
        let [old, new] = [old, new].map(|number| number.to_string());
        ("counts", about, old, new)
    });
    for (key, about, old, new) in rows.into_iter().chain(counted) {
        if old != new {
            findings.tell("manifest", about, &old, &new);
            told.insert(key);
        }
    }
    told
}

/// Whether this is a version and nothing else: `1.2.3`, `1.2.3-beta.1`.
fn is_version(text: &str) -> bool {
    let (numbers, stage) = text.split_once('-').unwrap_or((text, "0"));
    let numbers: Vec<&str> = numbers.split('.').collect();
    let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let is_word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_');
    numbers.len() == 3
        && numbers.iter().all(is_number)
        && !stage.is_empty()
        && stage.bytes().all(is_word)
}

/// Whether the manifest is what was sealed.
fn check_seal(manifest: &Manifest, text: &str, findings: &mut Findings) {
    let seal = manifest.seal();
    if seal != manifest.sha256 {
        findings.tell("manifest", "its own hash", &manifest.sha256, &seal);
    } else if manifest.to_json() != text {
        findings.tell(
            "manifest",
            "its text",
            "as Juror writes it",
            "something was added or formatted differently",
        );
    }
}

/// Holds entries against their hashes; how many there are.
fn check_entries(manifest: &Manifest, opened: &OpenedPack, findings: &mut Findings) -> u32 {
    let found = contents(opened);
    let mut known: HashSet<&str> = HashSet::new();
    let words = |content: &Content| format!("{} bytes, {}", content.size, content.sha256);
    for entry in &manifest.entries {
        if !known.insert(&entry.path) {
            findings.tell(
                "manifest",
                &entry.path,
                "one entry",
                "two entries of one path",
            );
        }
        match (entry.content(), found.get(entry.path.as_str())) {
            (Some(stated), None) => {
                findings.tell("missing_entry", &entry.path, &words(&stated), "none");
            }
            (Some(stated), Some(here)) if stated != *here => {
                findings.tell("changed_entry", &entry.path, &words(&stated), &words(here));
            }
            (None, Some(here)) => {
                findings.tell("extra_entry", &entry.path, "left out", &words(here));
            }
            _ => {}
        }
    }
    for entry in &opened.entries {
        if !known.contains(entry.path.as_str()) {
            let here = found.get(entry.path.as_str()).map(words);
            findings.tell(
                "extra_entry",
                &entry.path,
                "none",
                &here.unwrap_or_default(),
            );
        }
    }
    count(found.len())
}

/// Rows of a file of the pack; a line that cannot be read is a finding.
fn read_lines<T: for<'a> Deserialize<'a>>(
    path: &str,
    text: &str,
    findings: &mut Findings,
) -> Vec<T> {
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        match serde_json::from_str(line) {
            Ok(row) => rows.push(row),
            Err(error) => findings.tell(
                "changed_entry",
                &format!("{path}:{number}"),
                "a row",
                &format!("unreadable: {error}"),
            ),
        }
    }
    rows
}

fn read_one<T: for<'a> Deserialize<'a>>(
    path: &str,
    text: &str,
    findings: &mut Findings,
) -> Option<T> {
    match serde_json::from_str(text) {
        Ok(value) => Some(value),
        Err(error) => {
            findings.tell(
                "changed_entry",
                path,
                "a report",
                &format!("unreadable: {error}"),
            );
            None
        }
    }
}

/// Through JSON, so that numbers are those that a reader gets.
fn reread(rows: &[VerdictRow]) -> Vec<VerdictRow> {
    pack::lines(rows)
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

fn notes(manifest: &Manifest) -> Vec<String> {
    let mut notes = Vec::new();
    let left_out = manifest
        .entries
        .iter()
        .filter(|entry| entry.kept != Kept::Full)
        .count();
    if left_out > 0 {
        notes.push(format!(
            "{left_out} {} in the pack as a thumbnail or not at all: hashes and sizes of the originals are as the manifest states them.",
            if left_out == 1 { "picture is" } else { "pictures are" }
        ));
    }
    if !manifest.judge_names.is_empty() {
        notes.push(format!(
            "Named by whoever packed it, as the files of replies state no judge: {}.",
            names_in_words(&manifest.judge_names)
        ));
    }
    if manifest.counts.stale > 0 {
        let stale = manifest.counts.stale;
        notes.push(format!(
            "{} an earlier request and {} not count.",
            counted(stale, "reply in it answers", "replies in it answer"),
            if stale == 1 { "does" } else { "do" }
        ));
    }
    if manifest.juror != env!("CARGO_PKG_VERSION") {
        notes.push(format!(
            "Written by Juror {}, checked by {}: what differs may be a change of Juror.",
            manifest.juror,
            env!("CARGO_PKG_VERSION")
        ));
    }
    notes
}
