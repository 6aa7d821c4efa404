//! Evidence packs of a session: what goes in, the texts that a pack adds, and a pack held against what is recomputed.

use crate::health::{check_replies, records};
use crate::judging::add_records;
use crate::kinds::{kinds, set_kind};
use crate::loader::owned::owned_submissions;
use crate::naming::name_judges;
use crate::report::report;
use crate::request::request_under;
use crate::sample::{sample, unlisted};
use crate::standing::unopened;
use crate::study::{LinkedSession, Study};
use std::collections::{BTreeMap, HashMap, HashSet};

use super::count;
use super::linked::Linked;
use super::picture::Probed;
use super::state::Session;
use crate::view::{OutputView, VerdictView};
use juror_evidence::pack::{
    self, Content, Counts, Entry, Kept, Manifest, PICTURE, PackError, PackItem, PackText, Packed,
    PartRow, PictureSize, Pictures, RequestRow, STALE, VerdictRow, is_own,
};
use juror_evidence::report::Report;
use juror_judging::journal::{self, Record};
use juror_model::host::FileMeta;
use juror_model::judge::JudgeName;
use juror_model::judge::is_derived;
use juror_model::linked::ModelData;
use juror_model::options::ScoreOptions;
use juror_model::problem::{Problem, Severity, in_short};
use juror_model::prompt;
use juror_model::request::{PartView, RequestKey};
use juror_model::sample::TurnKind;
use juror_model::submission::OutputState;
use juror_model::tree::{FileId, is_picture};
use juror_model::trust::{FileKind, Owners};
use juror_statistics::small::{CollectSmall, SortSmall};

/// Findings about files that no pack holds.
const OF_OTHER_FILES: [&str; 15] = [
    "bad_path",
    "copied_model",
    "copied_samples",
    "copies",
    "foreign_journal",
    "hidden_folders",
    "leftovers",
    "misnamed_files",
    "nested_model",
    "nested_task",
    "other_benchmark",
    "protocol_not_used",
    "unpacked_pack",
    "unread_formats",
    "unrecognised_answers",
];

/// The files that a pack holds: all that was read, and nothing that nobody asked for.
///
/// Pictures come first, then everything else, each by path: so whatever scores are recomputed from lies together at
/// the end of the container, and a reader far away gets it in a few reads.
///
/// # Errors
/// Nothing is there to be packed, or a file has the name of a part of the pack.
pub fn pack_items(session: &LinkedSession<'_>) -> Result<Vec<PackItem>, PackError> {
    if session.data.models().is_empty() {
        return Err(PackError::Empty);
    }
    let unread = unopened(session);
    if !unread.is_empty() {
        let words = unread.words();
        return Err(PackError::Incomplete { words });
    }
    let partial = session.data.owners().and_then(|owners| {
        let mut found = unpacked(session, owners, session.data.models());
        found.find_map(|(path, how, is_private)| Some((path, how.filter(|_| !is_private)?)))
    });
    if let Some((path, how)) = partial {
        let path = path.to_owned();
        return Err(PackError::Partial { path, how });
    }
    let items = items(session);
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

/// The files that scores rest on, in the order of a pack.
pub(super) fn items(session: &Session) -> Vec<PackItem> {
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
    items
}

/// The unpacked packs: where their manifests are, what their pictures are instead of those that were judged, and whether
/// they are in a folder of some of the models alone, which speaks for no other.
fn unpacked<'s>(
    session: &'s Session,
    owners: &Owners,
    models: &[ModelData],
) -> impl Iterator<Item = (&'s str, Option<&'static str>, bool)> {
    let unpacked = session.loader.read.unpacked.iter();
    unpacked.filter_map(|(file, pictures)| {
        let path = session.loader.tree.path(*file);
        let is_private = owners.heard(path).is_some_and(|own| {
            let mut names = models.iter().map(|model| model.submission.name.as_str());
            names.any(|name| !own.contains(&name))
        });
        Some((path, (*pictures)?.lack(), is_private))
    })
}

/// What a pack calls the files of a kind; `None` of those that go in because a benchmark or a model has them.
fn role_of(kind: FileKind) -> Option<&'static str> {
    match kind {
        FileKind::JudgeTexts => Some("prompts"),
        FileKind::Replies => Some("replies"),
        FileKind::Journal => Some("journal"),
        FileKind::Ratings => Some("ratings"),
        FileKind::Labels => Some("labels"),
        FileKind::Measures => Some("measures"),
        FileKind::Trajectories => Some("trajectories"),
        FileKind::List
        | FileKind::Declaration
        | FileKind::Outputs
        | FileKind::Conditions
        | FileKind::Variant
        | FileKind::Manifest => None,
    }
}

/// Every file that a score rests on with what it is; the first role that is told of a file holds.
fn each_role(session: &Session, mut tell: impl FnMut(FileId, &'static str)) {
    let benchmark = session.loader.benchmark.as_deref();
    for file in benchmark.iter().flat_map(|benchmark| &benchmark.files) {
        tell(*file, "samples");
    }
    for file in session.loader.candidate_files() {
        tell(file, "samples");
    }
    for kind in FileKind::ALL {
        if let Some(role) = role_of(kind) {
            (session.loader.files_of(kind)).for_each(|file| tell(file, role));
        }
    }
    let samples = benchmark.iter().flat_map(|benchmark| &benchmark.samples);
    for picture in samples.flat_map(|sample| &sample.pictures) {
        if let Some(file) = picture.file {
            tell(file, PICTURE);
        }
    }
    for file in benchmark.iter().flat_map(|benchmark| &benchmark.traces) {
        tell(*file, PICTURE);
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
/// `packed` has every item of [`pack_items`](crate::pack_items) that could be read. Replies are held against their requests:
/// those to an earlier one are packed as such, and do not count from here on.
///
/// # Errors
/// As for [`pack_items`](crate::pack_items).
pub fn pack_texts(
    session: &mut Session,
    options: &ScoreOptions,
    pictures: Pictures,
    packed: &[Packed],
) -> Result<Vec<PackText>, PackError> {
    let items = pack_items(&session.linked())?;
    for one in packed {
        know_hash(session, one.file, &one.sha256);
    }
    check_replies(session);
    let by_file: HashMap<FileId, &Packed> = packed.iter().map(|one| (one.file, one)).collect();
    let entries = items
        .iter()
        .filter_map(|item| Some(entry(session, item, by_file.get(&item.file)?, pictures)))
        .collect();
    let files = by_file.into_keys().collect();
    let made = made(session, options, pictures, (entries, &files), None);
    let mut texts = made.texts;
    texts.push(text(pack::MANIFEST, made.manifest.to_json()));
    Ok(texts)
}

/// All that a pack states, as it comes out of a session.
pub(super) struct Made {
    pub(super) report: Report,
    pub(super) requests: Vec<RequestRow>,
    pub(super) verdicts: Vec<VerdictRow>,
    /// What the pack adds to its files, without the manifest.
    pub(super) texts: Vec<PackText>,
    /// With the hash that names it.
    pub(super) manifest: Manifest,
}

/// Makes all that a pack of these files states: the one way in which it is written, so that a pack that says anything else
/// is none of these files. `juror` is the version that writes it, if it is not this one.
pub(super) fn made(
    session: &mut Session,
    options: &ScoreOptions,
    pictures: Pictures,
    (mut entries, files): (Vec<Entry>, &HashSet<FileId>),
    juror: Option<&str>,
) -> Made {
    let study = &session.study(options);
    let mut report = report(study);
    keep_checkable(study, &mut report, files);
    if let Some(juror) = juror {
        juror.clone_into(&mut report.provenance.juror);
    }
    let requests = request_rows(study);
    let verdicts = verdict_rows(study);
    let mut texts = vec![
        text(pack::REPORT, report.to_json()),
        text(pack::REQUESTS, pack::lines(&requests)),
        text(pack::VERDICTS, pack::lines(&verdicts)),
    ];
    if !study.data.pasted.is_empty() {
        texts.push(text(pack::JOURNAL, study.journal()));
    }
    texts.extend(
        study
            .added_measures()
            .map(|(path, measures)| text(&path, measures)),
    );
    entries.extend(texts.iter().map(own_entry));
    entries.sort_small_by(|a, b| a.path.cmp(&b.path));
    let mut manifest = Manifest {
        format: pack::FORMAT.to_owned(),
        juror: report.provenance.juror.clone(),
        protocol: report.provenance.protocol.clone(),
        title: study.loader.protocol.title().to_owned(),
        profile: options.profile,
        policy: report.provenance.policy,
        only_judge: options.judge.clone(),
        only_run: options.run,
        reading: options.reading(),
        prompts: report.provenance.prompts.clone(),
        models: names(&report),
        judges: judges(&verdicts),
        judge_names: report.provenance.judge_names.clone(),
        kinds: kinds(study),
        pictures,
        counts: counts(&report, &requests, &verdicts),
        entries,
        sha256: String::new(),
    };
    manifest.sha256 = manifest.seal();
    Made {
        report,
        requests,
        verdicts,
        texts,
        manifest,
    }
}

/// Leaves out what only whoever has all files can find again, and not whoever has the pack: findings about files that are
/// not in it, lists that were tried in vain beside files that are not in it, and folders that hold nothing of it.
fn keep_checkable(session: &Session, report: &mut Report, packed: &HashSet<FileId>) {
    let loader = &session.loader;
    let tried: HashSet<&str> = match loader.benchmark {
        Some(_) => HashSet::new(),
        None => (loader.read.list_problems.iter())
            .map(|(_, problem)| problem.code.as_str())
            .collect(),
    };
    report.provenance.problems.retain(|problem| {
        let file = loader.tree.find(&problem.path);
        let is_here = file.is_none_or(|file| packed.contains(&file));
        let is_of_others = OF_OTHER_FILES.contains(&problem.code.as_str());
        is_here && !is_of_others && !tried.contains(problem.code.as_str())
    });
    let tree = loader.tree.of_these(|file| packed.contains(&file));
    let found = owned_submissions(&*loader.protocol, &tree, loader.benchmark.as_deref());
    for model in &mut report.provenance.models {
        if let Some(found) = found.iter().find(|one| one.name == model.name) {
            model.path.clone_from(&found.folder);
        }
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

pub(super) fn picture_size(session: &Session, file: FileId) -> Option<PictureSize> {
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
pub(super) fn know_hash(session: &mut Session, file: FileId, sha256: &str) {
    session.loader.read.hashes.insert(file, sha256.to_owned());
}

/// Every request about an output that is there, in the order of models and samples, then those that the benchmark lacks and
/// that a reply answers which enters a number.
fn request_rows(session: &LinkedSession<'_>) -> Vec<RequestRow> {
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
    let asked = asked_under(session);
    let in_use = Under::Open(session.loader.pack);
    let mut rows = Vec::new();
    for key in &keys {
        match asked.get(key) {
            None => rows.extend(request_row(session, key, &in_use)),
            Some(under) => {
                rows.extend((under.iter()).filter_map(|under| request_row(session, key, under)));
            }
        }
    }
    let mut lacking: Vec<_> = unlisted(session)
        .into_iter()
        .map(|(key, why, _)| not_made(key, why, String::new()))
        .collect();
    lacking.dedup();
    rows.extend(lacking);
    rows
}

/// A request that cannot be made.
fn not_made(key: RequestKey, why: String, prompts: String) -> RequestRow {
    RequestRow {
        model: key.model,
        sample: key.sample,
        turn: key.turn,
        criterion: key.criterion,
        sha256: None,
        prompts,
        system: None,
        parts: Vec::new(),
        grammar: String::new(),
        error: Some(why),
    }
}

/// The judge texts that a request was asked with.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Under {
    /// Those of this number.
    Open(usize),
    /// Those of this hash, which are not open.
    Unknown(String),
}

/// With which judge texts each request was asked whose replies say so; replies that do not were asked as it is asked now.
fn asked_under(session: &Session) -> HashMap<RequestKey, Vec<Under>> {
    let packs = &session.loader.packs;
    let mut asked: HashMap<RequestKey, Vec<Under>> = HashMap::new();
    for record in records(session).filter(|record| !record.prompts.is_empty()) {
        let open = packs
            .iter()
            .position(|pack| record.is_under(&pack.info.sha256));
        let under = open.map_or_else(|| Under::Unknown(record.prompts.to_owned()), Under::Open);
        let known = asked.entry(record.key()).or_default();
        if !known.contains(&under) {
            known.push(under);
        }
    }
    let hash = |under: &Under| match under {
        Under::Open(pack) => packs[*pack].info.sha256.clone(),
        Under::Unknown(hash) => hash.clone(),
    };
    for known in asked.values_mut() {
        // Packs are numbered in the order of opening, which is another one in a pack.
        known.sort_small_by(|a, b| hash(a).cmp(&hash(b)));
    }
    asked
}

/// A request as it was asked; nothing where there is nothing to ask a judge.
fn request_row(session: &LinkedSession<'_>, key: &RequestKey, under: &Under) -> Option<RequestRow> {
    let pack = match under {
        Under::Open(pack) => *pack,
        Under::Unknown(prompts) => {
            let why = "The judge texts that it was asked with are not in the pack.".to_owned();
            return Some(not_made(key.clone(), why, prompts.clone()));
        }
    };
    let request = request_under(session, key, pack).ok()?;
    // A computed metric has nothing to ask a judge.
    let is_asked = request.error.is_none() || !request.parts.is_empty();
    is_asked.then(|| RequestRow {
        system: request.system,
        parts: request
            .parts
            .iter()
            .map(|part| part_row(session, part))
            .collect(),
        grammar: request.grammar,
        error: request.error,
        sha256: request.sha256,
        ..not_made(key.clone(), String::new(), request.pack.sha256)
    })
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

/// Every reply with how it reads, in the order of the samples, then those to nothing in the benchmark that enter a number.
fn verdict_rows(study: &Study<'_>) -> Vec<VerdictRow> {
    let samples = &study.world().benchmark.samples;
    let ids: Vec<String> = samples.iter().map(|sample| sample.id.clone()).collect();
    let mut rows = Vec::new();
    for id in &ids {
        let Ok(sample) = sample(study, id) else {
            continue;
        };
        for turn in &sample.turns {
            for output in &turn.outputs {
                push_rows(id, turn.index, output, &mut rows);
            }
        }
    }
    let lacking = unlisted(study).into_iter();
    rows.extend(lacking.map(|(key, _, verdict)| row(&key.model, &key.sample, key.turn, &verdict)));
    // People's ratings are files of their own; they are in it where they are what is scored.
    rows.retain(|row| {
        study.options().judge.as_ref() == Some(&row.judge) || !is_derived(&row.judge)
    });
    rows
}

/// Lists the files of a pack that was opened; the first gets the number that is returned, the others follow in the
/// order of [`Manifest::sources`].
///
/// The manifest's entry replaces a picture that was excluded or reduced.
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
        .iter()
        .map(|(_, record)| record.to_record())
        .collect();
    add_records(session, records);
}

impl Session {
    pub(super) fn unpacked_problems(&self, linked: &Linked) -> Vec<Problem> {
        unpacked(self, &linked.owners, &linked.models)
            .filter_map(|(path, how, is_private)| {
                let what = how.map_or_else(
                    || "an unpacked evidence pack".to_owned(),
                    |how| format!("an unpacked evidence pack whose pictures went in {how}: those here are not the ones that were judged"),
                );
                let (message, hint) = match (is_private, how) {
                    (false, None) => return None,
                    (false, Some(_)) => (
                        format!("This is {what}."),
                        "Open the pack's ZIP itself, which knows the originals by their hashes.",
                    ),
                    (true, _) => (
                        format!("In a model's folder, this manifest is not used. It is of {what}."),
                        "Move the unpacked pack out of the model's folder.",
                    ),
                };
                let code = ("unpacked_pack", Severity::Warning);
                Some(Problem::new(path, code, String::new(), message, hint))
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

pub(super) fn names_in_words(names: &[JudgeName]) -> String {
    let words = names
        .iter()
        .map(|JudgeName { path, judge }| format!("{judge} for {path}"));
    words.collect::<Vec<_>>().join(", ")
}

pub(super) fn names(report: &Report) -> Vec<String> {
    let models = report.provenance.models.iter();
    models.map(|model| model.name.clone()).collect()
}

pub(super) fn judges(verdicts: &[VerdictRow]) -> Vec<String> {
    let judges: std::collections::BTreeSet<&str> = verdicts
        .iter()
        .map(|row| row.judge.as_str())
        .collect_small();
    judges.into_iter().map(str::to_owned).collect()
}

pub(super) fn counts(report: &Report, requests: &[RequestRow], verdicts: &[VerdictRow]) -> Counts {
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
    for verdict in output.verdicts.iter().filter(|one| !one.source.is_empty()) {
        rows.push(row(&output.model, sample, turn, verdict));
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
            reply: Some(prompt::sha256(stale.raw.as_bytes())),
            source: stale.source.clone(),
        });
    }
}

fn row(model: &str, sample: &str, turn: u32, verdict: &VerdictView) -> VerdictRow {
    VerdictRow {
        model: model.to_owned(),
        sample: sample.to_owned(),
        turn,
        criterion: verdict.criterion.clone(),
        judge: verdict.judge.clone(),
        run: verdict.run,
        status: verdict.status.clone(),
        score: verdict.score,
        parts: verdict.parts.clone(),
        counted: verdict.counted,
        reply: (verdict.raw.as_ref()).map(|raw| prompt::sha256(raw.as_bytes())),
        source: verdict.source.clone(),
    }
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
