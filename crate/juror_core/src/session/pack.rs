//! Evidence packs of a session: what goes in, the texts that a pack adds, and a pack held against what is recomputed.

use crate::session::health::check_replies;
use crate::session::judging::add_records;
use crate::session::kinds::{kinds, set_kind};
use crate::session::naming::name_judges;
use crate::session::report::report;
use crate::session::request::request;
use crate::session::sample::sample;
use crate::session::standing::unopened;
use juror_reading::count::counted;
use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Deserialize;

use super::count;
use super::picture::Probed;
use super::state::Session;
use crate::view::OutputView;
use juror_evidence::pack::{
    self, Content, Counts, Entry, Findings, Kept, Manifest, OpenedPack, PICTURE, PackError,
    PackItem, PackText, Packed, PartRow, PictureSize, Pictures, RequestRow, STALE, VerdictRow,
    Verification, is_own, of_report, of_requests, of_text, of_verdicts,
};
use juror_evidence::report::Report;
use juror_judging::journal::{self, Record};
use juror_model::host::FileMeta;
use juror_model::judge::JudgeName;
use juror_model::judge::is_derived;
use juror_model::options::ScoreOptions;
use juror_model::problem::{Problem, Severity, in_short};
use juror_model::prompt;
use juror_model::request::{PartView, RequestKey};
use juror_model::sample::TurnKind;
use juror_model::submission::OutputState;
use juror_model::tree::{FileId, is_picture};
use juror_statistics::small::{CollectSmall, SortSmall};

/// Findings about files that no pack holds.
const OF_OTHER_FILES: [&str; 9] = [
    "bad_path",
    "copied_model",
    "copies",
    "foreign_journal",
    "leftovers",
    "other_benchmark",
    "protocol_not_used",
    "unpacked_pack",
    "unrecognised_answers",
];

/// The files that a pack holds: all that was read, and nothing that nobody asked for.
///
/// Pictures come first, then everything else, each by path: so whatever scores are recomputed from lies together at
/// the end of the container, and a reader far away gets it in a few reads.
///
/// # Errors
/// Nothing is there to be packed, or a file has the name of a part of the pack.
pub fn pack_items(session: &mut Session) -> Result<Vec<PackItem>, PackError> {
    session.link();
    if session.data.models().is_empty() {
        return Err(PackError::Empty);
    }
    let unread = unopened(session);
    if !unread.is_empty() {
        let words = unread.words();
        return Err(PackError::Incomplete { words });
    }
    if let Some((path, how)) = partial_packs(session).next() {
        let path = path.to_owned();
        return Err(PackError::Partial { path, how });
    }
    let mut roles: BTreeMap<FileId, &str> = BTreeMap::new();
    each_role(session, |file, role| {
        roles.entry(file).or_insert(role);
    });
    let mut items: Vec<PackItem> = roles
        .into_iter()
        .filter(|(file, _)| {
            session
                .loader
                .tree
                .entry(*file)
                .is_some_and(|entry| entry.is_listed)
        })
        .map(|(file, role)| PackItem {
            file,
            path: session.loader.tree.path(file).to_owned(),
            role: role.to_owned(),
            size: session.loader.tree.size(file),
        })
        .collect();
    items.sort_small_by(|a, b| (!a.is_picture(), &a.path).cmp(&(!b.is_picture(), &b.path)));
    match items.iter().find(|item| is_own(&item.path)) {
        // Without pasted replies the pack adds no journal.
        Some(item) if item.path != pack::JOURNAL || !session.data.pasted.is_empty() => {
            Err(PackError::Taken {
                path: item.path.clone(),
            })
        }
        _ => Ok(items),
    }
}

/// The unpacked packs whose pictures are not those that were judged, and what they are instead.
fn partial_packs(session: &Session) -> impl Iterator<Item = (&str, &'static str)> {
    let unpacked = session.loader.read.unpacked.iter();
    unpacked.filter_map(|(file, pictures)| {
        Some((session.loader.tree.path(*file), (*pictures)?.lack()?))
    })
}

/// Every file that a score rests on with what it is; the first role that is told of a file holds.
fn each_role(session: &Session, mut tell: impl FnMut(FileId, &'static str)) {
    let read = &session.loader.read;
    let benchmark = session.loader.benchmark.as_deref();
    for file in benchmark.iter().flat_map(|benchmark| &benchmark.files) {
        tell(*file, "samples");
    }
    for file in session.loader.candidate_files() {
        tell(file, "samples");
    }
    for file in read.replies.keys() {
        tell(*file, "replies");
    }
    for file in read.journals.keys() {
        tell(*file, "journal");
    }
    for file in read.ratings.keys() {
        tell(*file, "ratings");
    }
    for file in read.labels.keys() {
        tell(*file, "labels");
    }
    for file in read.measures.keys() {
        tell(*file, "measures");
    }
    for file in read.trajectories.keys() {
        tell(*file, "trajectories");
    }
    for file in read.prompt_texts.keys() {
        tell(*file, "prompts");
    }
    let samples = benchmark.iter().flat_map(|benchmark| &benchmark.samples);
    for picture in samples.flat_map(|sample| &sample.pictures) {
        if let Some(file) = picture.file {
            tell(file, PICTURE);
        }
    }
    let turns = benchmark.iter().flat_map(|benchmark| benchmark.turns());
    let turns: Vec<(u32, TurnKind)> = turns.map(|(slot, _, _, turn)| (slot, turn.kind)).collect();
    for model in session.data.models() {
        let submission = &model.submission;
        for (slot, kind) in &turns {
            if let Some(Some(file)) = submission.outputs.get(*slot as usize) {
                tell(
                    *file,
                    match kind {
                        TurnKind::Image => PICTURE,
                        TurnKind::Text => "answer",
                    },
                );
            }
        }
        for file in submission.reply_files.iter().chain(&submission.known_files) {
            let is_picture = is_picture(session.loader.tree.path(*file));
            tell(*file, if is_picture { PICTURE } else { "other" });
        }
    }
}

/// The texts of a pack: report, requests, verdicts, journal, and the manifest, which comes last.
///
/// `packed` has every item of [`pack_items`](crate::session::pack_items) that could be read. Replies are held against their requests:
/// those to an earlier one are packed as such, and do not count from here on.
///
/// # Errors
/// As for [`pack_items`](crate::session::pack_items).
pub fn pack_texts(
    session: &mut Session,
    options: &ScoreOptions,
    pictures: Pictures,
    packed: &[Packed],
) -> Result<Vec<PackText>, PackError> {
    let items = pack_items(session)?;
    for one in packed {
        know_hash(session, one.file, &one.sha256);
    }
    check_replies(session);
    let mut report = report(session, options);
    let requests = request_rows(session);
    let verdicts = verdict_rows(session, options);
    let by_file: HashMap<FileId, &Packed> = packed.iter().map(|one| (one.file, one)).collect();
    let files = items.iter().map(|item| item.file);
    keep_checkable(
        session,
        &mut report,
        &files.filter(|file| by_file.contains_key(file)).collect(),
    );
    let mut texts = vec![
        text(pack::REPORT, report.to_json()),
        text(pack::REQUESTS, pack::lines(&requests)),
        text(pack::VERDICTS, pack::lines(&verdicts)),
    ];
    if !session.data.pasted.is_empty() {
        texts.push(text(pack::JOURNAL, session.journal()));
    }
    texts.extend(
        session
            .added_measures()
            .map(|(path, measures)| text(&path, measures)),
    );
    let mut entries: Vec<Entry> = items
        .iter()
        .filter_map(|item| Some(entry(session, item, by_file.get(&item.file)?, pictures)))
        .collect();
    entries.extend(texts.iter().map(own_entry));
    entries.sort_small_by(|a, b| a.path.cmp(&b.path));
    let mut manifest = Manifest {
        format: pack::FORMAT.to_owned(),
        juror: env!("CARGO_PKG_VERSION").to_owned(),
        protocol: report.provenance.protocol.clone(),
        title: session.loader.protocol.title().to_owned(),
        profile: options.profile,
        policy: report.provenance.policy,
        only_judge: options.judge.clone(),
        only_run: options.run,
        prompts: report.provenance.prompts.clone(),
        models: names(&report),
        judges: judges(&verdicts),
        judge_names: report.provenance.judge_names.clone(),
        kinds: kinds(session),
        pictures,
        counts: counts(&report, &requests, &verdicts),
        entries,
        sha256: String::new(),
    };
    manifest.sha256 = manifest.seal();
    texts.push(text(pack::MANIFEST, manifest.to_json()));
    Ok(texts)
}

/// Leaves out findings about files that are not in a pack: nobody who has the pack could find them again.
fn keep_checkable(session: &Session, report: &mut Report, packed: &HashSet<FileId>) {
    report.provenance.problems.retain(|problem| {
        let file = session.loader.tree.find(&problem.path);
        let is_here = file.is_none_or(|file| packed.contains(&file));
        is_here && !OF_OTHER_FILES.contains(&problem.code.as_str())
    });
    for model in &mut report.provenance.models {
        model.unrecognised_answers = 0;
    }
    // Files are numbered in the order of opening, which is another one in a pack.
    report.provenance.problems.sort_small_by(|a, b| {
        let words = |one: &Problem| (one.code.clone(), one.path.clone(), one.place.clone());
        (a.severity, words(a), &a.message).cmp(&(b.severity, words(b), &b.message))
    });
    report.provenance.notices = in_short(&report.provenance.problems);
}

fn entry(session: &Session, item: &PackItem, packed: &Packed, pictures: Pictures) -> Entry {
    let picture = item
        .is_picture()
        .then(|| picture_size(session, item.file))
        .flatten();
    let thumbnail = packed.thumbnail_size.zip(packed.thumbnail_sha256.clone());
    let kept = match pictures {
        _ if !item.is_picture() => Kept::Full,
        Pictures::Full => Kept::Full,
        Pictures::Thumbnails if thumbnail.is_some() => Kept::Thumbnail,
        Pictures::Thumbnails | Pictures::None => Kept::LeftOut,
    };
    Entry {
        path: item.path.clone(),
        role: item.role.clone(),
        size: packed.size,
        sha256: packed.sha256.clone(),
        kept,
        thumbnail: thumbnail
            .filter(|_| kept == Kept::Thumbnail)
            .map(|(size, sha256)| Content { size, sha256 }),
        picture,
    }
}

fn picture_size(session: &Session, file: FileId) -> Option<PictureSize> {
    match session.loader.read.pictures.get(&file)? {
        Probed::Picture { width, height } => Some(PictureSize::Pixels {
            width: *width,
            height: *height,
        }),
        Probed::Bad { message, hint } => Some(PictureSize::Bad {
            problem: message.clone(),
            hint: hint.clone(),
        }),
        Probed::Corrupt { message, hint } => Some(PictureSize::Corrupt {
            corrupt: message.clone(),
            hint: hint.clone(),
        }),
        Probed::NeedMore { .. } => None,
    }
}

/// Takes the content hash of a file from a host that has it.
fn know_hash(session: &mut Session, file: FileId, sha256: &str) {
    session.loader.read.hashes.insert(file, sha256.to_owned());
}

/// Every request about an output that is there, in the order of models and samples.
fn request_rows(session: &mut Session) -> Vec<RequestRow> {
    session.link();
    let world = session.world();
    let mut keys = Vec::new();
    for model in world.models {
        for (slot, at, turn_idx, turn) in world.benchmark.turns() {
            if model.outputs.get(slot as usize) != Some(&OutputState::Present) {
                continue;
            }
            let sample = &world.benchmark.samples[at as usize];
            let asked = session
                .loader
                .protocol
                .requests_of(sample, turn)
                .into_iter();
            keys.extend(asked.map(|criterion| RequestKey {
                model: model.submission.name.clone(),
                sample: sample.id.clone(),
                turn: turn_idx,
                criterion: criterion.to_owned(),
            }));
        }
    }
    keys.iter()
        .filter_map(|key| {
            let request = request(session, key).ok()?;
            // A computed metric has nothing to ask a judge.
            let is_asked = request.error.is_none() || !request.parts.is_empty();
            is_asked.then(|| RequestRow {
                model: key.model.clone(),
                sample: key.sample.clone(),
                turn: key.turn,
                criterion: key.criterion.clone(),
                sha256: request.sha256,
                prompts: request.pack.sha256,
                system: request.system,
                parts: request
                    .parts
                    .iter()
                    .map(|part| part_row(session, part))
                    .collect(),
                grammar: request.grammar,
                error: request.error,
            })
        })
        .collect()
}

fn part_row(session: &Session, part: &PartView) -> PartRow {
    let hash = |file: &Option<u32>| session.loader.read.hashes.get(&(*file)?).cloned();
    match part {
        PartView::Text { text } => PartRow::Text { text: text.clone() },
        PartView::Image {
            file,
            path,
            role,
            treatment,
            other,
            ..
        } => PartRow::Image {
            path: path.clone(),
            role: role.clone(),
            treatment: treatment.id().into_owned(),
            sha256: hash(file),
            other: hash(other),
        },
    }
}

/// Every reply with how it reads, in the order of the samples.
fn verdict_rows(session: &mut Session, options: &ScoreOptions) -> Vec<VerdictRow> {
    session.link();
    let samples = &session.world().benchmark.samples;
    let ids: Vec<String> = samples.iter().map(|sample| sample.id.clone()).collect();
    let mut rows = Vec::new();
    for id in &ids {
        let Ok(sample) = sample(session, id, options) else {
            continue;
        };
        for turn in &sample.turns {
            for output in &turn.outputs {
                push_rows(id, turn.index, output, &mut rows);
            }
        }
    }
    // People's ratings are files of their own; they are in it where they are what is scored.
    rows.retain(|row| options.judge.as_ref() == Some(&row.judge) || !is_derived(&row.judge));
    rows
}

/// Lists the files of a pack that was opened; the first gets the number that is returned, the others follow in the
/// order of [`Manifest::sources`].
///
/// What the manifest says of a picture that was left out or made small stands for the picture.
pub fn add_pack(session: &mut Session, manifest: &Manifest) -> FileId {
    list_pack(session, manifest, |entry| entry.kept != Kept::Full)
}

/// The same, with what the manifest says standing for every picture, those included that lie in the pack.
///
/// Scores then rest on the manifest where a picture is broken, and no picture is read: to look at, not to verify.
pub fn add_pack_as_stated(session: &mut Session, manifest: &Manifest) -> FileId {
    list_pack(session, manifest, |_| true)
}

fn list_pack(
    session: &mut Session,
    manifest: &Manifest,
    is_stated: impl Fn(&Entry) -> bool,
) -> FileId {
    let metas: Vec<FileMeta> = manifest
        .sources()
        .map(|entry| FileMeta {
            path: entry.path.clone(),
            size: Some(entry.size),
        })
        .collect();
    let first = session.add_files(&metas);
    // Names that cannot be any count nowhere; the manifest then says what is not so here.
    let _ = name_judges(session, manifest.judge_names.clone());
    for (model, kind) in &manifest.kinds {
        let _ = set_kind(session, model, Some(*kind));
    }
    for (file, entry) in (first..).zip(manifest.sources()) {
        let probed = entry.picture.clone().map(probed_of);
        if !is_stated(entry) {
            if let Some(probed @ Probed::Corrupt { .. }) = probed {
                session.loader.read.stated.insert(file, probed);
            }
            continue;
        }
        know_hash(session, file, &entry.sha256);
        if let Some(probed) = probed {
            session.loader.read.pictures.insert(file, probed);
            session.loader.read.decoded.insert(file);
        }
    }
    first
}

/// Takes in the pack's journal, as what was pasted.
pub fn add_pack_journal(session: &mut Session, text: &str) {
    let records: Vec<Record> = journal::read_records(text)
        .records
        .into_iter()
        .map(|(_, record)| record)
        .collect();
    add_records(session, records);
}

/// Recomputes everything from the raw replies and says what differs from the pack.
///
/// The session holds the pack's files and nothing else, read to the end; see [`add_pack`](crate::session::add_pack).
///
/// # Errors
/// The manifest cannot be read.
pub fn verify_pack(session: &mut Session, opened: &OpenedPack) -> Result<Verification, PackError> {
    let manifest = Manifest::read(&opened.manifest)?;
    let mut findings = Findings::default();
    check_seal(&manifest, &opened.manifest, &mut findings);
    let num_files = check_entries(&manifest, opened, &mut findings);
    if opened.renamed > 0 {
        findings.tell(
                "renamed_entry",
                &format!("{} names with letters beyond ASCII", opened.renamed),
                "as they were packed",
                "in another Unicode form (NFD), as macOS packs them; the files themselves are compared below",
            );
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
    check_replies(session);
    let options = manifest.options();
    let requests = request_rows(session);
    let verdicts = verdict_rows(session, &options);
    let mut report = report(session, &options);
    let all = session.loader.tree.files().map(|(file, _)| file).collect();
    keep_checkable(session, &mut report, &all);
    // A later Juror that computes the same says nothing else; which one wrote it is the manifest's to say.
    report.provenance.juror.clone_from(&manifest.juror);
    let text = report.to_json();
    // Through JSON, as the pack's own numbers came.
    let report: Report = read_one(pack::REPORT, &text, &mut findings).unwrap_or(report);
    check_head(
        session,
        &manifest,
        &report,
        (&requests, &verdicts),
        &mut findings,
    );
    let stated = read_lines(pack::REQUESTS, &opened.requests, &mut findings);
    of_requests(&stated, &requests, &mut findings);
    let stated = read_lines(pack::VERDICTS, &opened.verdicts, &mut findings);
    let verdicts: Vec<VerdictRow> = reread(&verdicts);
    of_verdicts(&stated, &verdicts, &mut findings);
    if let Some(stated) = read_one(pack::REPORT, &opened.report, &mut findings) {
        of_report(&stated, &report, &mut findings);
        of_text(&opened.report, &text, &mut findings);
    }
    Ok(Verification {
        reproduced: findings.list.is_empty(),
        reason: pack::reason(&findings.counts).to_owned(),
        sha256: manifest.seal(),
        written_by: manifest.juror.clone(),
        checked_by: env!("CARGO_PKG_VERSION").to_owned(),
        title: manifest.title.clone(),
        pictures: manifest.pictures,
        files: num_files,
        requests: count(requests.len()),
        verdicts: count(verdicts.len()),
        scores: count(report.scores.len()),
        counts: findings.counts,
        findings: findings.list,
        notes: notes_of_check(session, &manifest),
    })
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

/// Takes the hashes of pictures that lie in the pack as they are: those that were found, not those that are claimed.
fn know_full(session: &mut Session, manifest: &Manifest, opened: &OpenedPack) {
    let found: HashMap<&str, &str> = opened
        .entries
        .iter()
        .map(|entry| (entry.path.as_str(), entry.sha256.as_str()))
        .collect();
    for entry in manifest.sources().filter(|entry| entry.kept == Kept::Full) {
        let file = session.loader.tree.find(&entry.path);
        if let (Some(file), Some(sha256)) = (file, found.get(entry.path.as_str()))
            && entry.role == PICTURE
        {
            know_hash(session, file, sha256);
        }
    }
}

/// Holds the manifest's own statements against what came out.
fn check_head(
    session: &Session,
    manifest: &Manifest,
    report: &Report,
    (requests, verdicts): (&[RequestRow], &[VerdictRow]),
    findings: &mut Findings,
) {
    let here = counts(report, requests, verdicts);
    let stated = &manifest.counts;
    let rows = [
        (
            "protocol",
            manifest.protocol.clone(),
            session.loader.protocol.id().to_owned(),
        ),
        (
            "title",
            manifest.title.clone(),
            session.loader.protocol.title().to_owned(),
        ),
        (
            "models",
            manifest.models.join(", "),
            names(report).join(", "),
        ),
        (
            "judges",
            manifest.judges.join(", "),
            judges(verdicts).join(", "),
        ),
        (
            "judges named by the packer",
            names_in_words(&manifest.judge_names),
            names_in_words(&report.provenance.judge_names),
        ),
        (
            "samples",
            stated.samples.to_string(),
            here.samples.to_string(),
        ),
        (
            "requests",
            stated.requests.to_string(),
            here.requests.to_string(),
        ),
        (
            "verdicts",
            stated.verdicts.to_string(),
            here.verdicts.to_string(),
        ),
        (
            "replies to earlier requests",
            stated.stale.to_string(),
            here.stale.to_string(),
        ),
        (
            "score rows",
            stated.scores.to_string(),
            here.scores.to_string(),
        ),
        (
            "incidents",
            stated.incidents.to_string(),
            here.incidents.to_string(),
        ),
    ];
    for (about, old, new) in rows {
        if old != new {
            findings.tell("manifest", about, &old, &new);
        }
    }
}

impl Session {
    pub(super) fn unpacked_problems(&self) -> Vec<Problem> {
        partial_packs(self)
            .map(|(path, how)| Problem {
                severity: Severity::Warning,
                code: "unpacked_pack".to_owned(),
                path: path.to_owned(),
                place: String::new(),
                message: format!("This is an unpacked evidence pack whose pictures went in {how}: those here are not the ones that were judged."),
                hint: "Open the pack's ZIP itself, which knows the originals by their hashes.".to_owned(),
            })
            .collect()
    }
}

fn text(path: &str, text: String) -> PackText {
    PackText {
        path: path.to_owned(),
        text,
    }
}

fn own_entry(text: &PackText) -> Entry {
    let content = Content::of(text.text.as_bytes());
    let role = match text.path.as_str() {
        pack::REPORT => "report",
        pack::REQUESTS => "requests",
        pack::VERDICTS => "verdicts",
        pack::JOURNAL => pack::PASTED,
        // A file like those that are opened: whoever opens the pack reads it as such.
        _ => "measures",
    };
    Entry {
        path: text.path.clone(),
        role: role.to_owned(),
        size: content.size,
        sha256: content.sha256,
        kept: Kept::Full,
        thumbnail: None,
        picture: None,
    }
}

fn names_in_words(names: &[JudgeName]) -> String {
    let words = names
        .iter()
        .map(|JudgeName { path, judge }| format!("{judge} for {path}"));
    words.collect::<Vec<_>>().join(", ")
}

fn names(report: &Report) -> Vec<String> {
    let models = report.provenance.models.iter();
    models.map(|model| model.name.clone()).collect()
}

fn judges(verdicts: &[VerdictRow]) -> Vec<String> {
    let judges: std::collections::BTreeSet<&str> = verdicts
        .iter()
        .map(|row| row.judge.as_str())
        .collect_small();
    judges.into_iter().map(str::to_owned).collect()
}

fn counts(report: &Report, requests: &[RequestRow], verdicts: &[VerdictRow]) -> Counts {
    let benchmark = report.provenance.benchmark.as_ref();
    Counts {
        samples: benchmark.map_or(0, |benchmark| benchmark.samples),
        models: count(report.provenance.models.len()),
        requests: count(requests.len()),
        verdicts: count(verdicts.len()),
        stale: count(verdicts.iter().filter(|row| row.status == STALE).count()),
        scores: count(report.scores.len()),
        incidents: count(report.incidents.len()),
    }
}

/// The replies to one output, those to earlier requests last.
fn push_rows(sample: &str, turn: u32, output: &OutputView, rows: &mut Vec<VerdictRow>) {
    let hash = |raw: &String| prompt::sha256(raw.as_bytes());
    for verdict in output.verdicts.iter().filter(|one| !one.source.is_empty()) {
        rows.push(VerdictRow {
            model: output.model.clone(),
            sample: sample.to_owned(),
            turn,
            criterion: verdict.criterion.clone(),
            judge: verdict.judge.clone(),
            run: verdict.run,
            status: verdict.status.clone(),
            score: verdict.score,
            parts: verdict.parts.clone(),
            counted: verdict.counted,
            reply: verdict.raw.as_ref().map(hash),
            source: verdict.source.clone(),
        });
    }
    for stale in &output.stale {
        rows.push(VerdictRow {
            model: output.model.clone(),
            sample: sample.to_owned(),
            turn,
            criterion: stale.criterion.clone(),
            judge: stale.judge.clone(),
            run: stale.run,
            status: STALE.to_owned(),
            score: None,
            parts: BTreeMap::new(),
            counted: false,
            reply: Some(hash(&stale.raw)),
            source: stale.source.clone(),
        });
    }
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
    let found: HashMap<&str, Content> = opened
        .entries
        .iter()
        .map(|entry| {
            let content = Content {
                size: entry.size,
                sha256: entry.sha256.clone(),
            };
            (entry.path.as_str(), content)
        })
        .collect();
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

/// What a manifest says of a picture.
fn probed_of(stated: PictureSize) -> Probed {
    match stated {
        PictureSize::Pixels { width, height } => Probed::Picture { width, height },
        PictureSize::Bad { problem, hint } => Probed::Bad {
            message: problem,
            hint,
        },
        PictureSize::Corrupt { corrupt, hint } => Probed::Corrupt {
            message: corrupt,
            hint,
        },
    }
}
