//! Judge requests, pasted replies and generator inputs.

use super::{Session, SessionError};
use crate::journal::{self, Record};
use crate::judging::batch::LineId;
use crate::judging::sheet;
use crate::model::options::Profile;
use crate::model::reply::ParsedReply;
use crate::model::request::{
    Draft, InputKey, PackInfo, PartView, RequestKey, RequestView, Treatment,
};
use crate::model::sample::Sample;
use crate::prompt;
use crate::tree::FileId;
use crate::view::{InputView, PasteResult, PastedReplies, PastedReply};
use sha2::{Digest, Sha256};

/// Which encoder writes the pictures that are sent as JPEG: a judge sees what it leaves of them.
const JPEG_NOTE: &str = "Pictures are sent as JPEG exactly as Pillow writes it by default, which is what the authors’ code does: turned upright, RGB, quality 75, 4:2:0.";

/// Says how the pictures are encoded, where one is sent as JPEG.
fn jpeg_note(parts: &[PartView]) -> Option<String> {
    let is_jpeg = |part: &PartView| {
        let is_encoded = matches!(
            part,
            PartView::Image {
                treatment: Treatment::Jpeg,
                ..
            }
        );
        is_encoded && part.is_sent()
    };
    parts.iter().any(is_jpeg).then(|| JPEG_NOTE.to_owned())
}

/// Exactly what the judge is asked.
pub fn request(session: &mut Session, key: &RequestKey) -> Result<RequestView, SessionError> {
    session.link();
    let world = session.world_to_ask();
    if world.model(&key.model).is_none() {
        return Err(SessionError::new(
            "unknown_model",
            format!("There is no model {} in what was opened.", key.model),
        ));
    }
    let pack = &session.packs[session.pack];
    let (mut draft, error) = match session.protocol.request(&world, pack, key) {
        Ok(draft) => (draft, None),
        Err(error) => (Draft::default(), Some(error)),
    };
    name_references(&mut draft.parts, world.sample(&key.sample));
    draft.notes.extend(jpeg_note(&draft.parts));
    let needs: Vec<u32> = files(&draft.parts)
        .filter(|file| !session.read.hashes.contains_key(file))
        .collect();
    let is_ready = needs.is_empty() && error.is_none();
    Ok(RequestView {
        sha256: is_ready.then(|| session.request_hash(&pack.info, key, &draft)),
        key: key.clone(),
        pack: pack.info.clone(),
        system: draft.system,
        parts: draft.parts,
        grammar: session
            .protocol
            .grammar(world.sample(&key.sample), &key.criterion),
        needs,
        notes: draft.notes,
        error,
    })
}

/// Takes the bytes of a picture that a request hash needs.
pub fn provide_picture(session: &mut Session, file: FileId, bytes: &[u8]) {
    session.read.hashes.insert(file, prompt::sha256(bytes));
}

/// Reads a pasted reply and keeps nothing.
pub fn parse(session: &mut Session, reply: &PastedReply) -> Result<PasteResult, SessionError> {
    session.link();
    let world = session.world();
    let key = &reply.key;
    let model = world.model(&key.model).ok_or_else(|| {
        SessionError::new(
            "unknown_model",
            format!("There is no model {} in what was opened.", key.model),
        )
    })?;
    let (_, sample, slot, turn) = world.turn(&key.sample, key.turn).ok_or_else(|| {
        SessionError::new(
            "unknown_turn",
            format!(
                "There is no turn {} in sample {}.",
                key.turn + 1,
                key.sample
            ),
        )
    })?;
    let asked = session.protocol.requests_of(sample, turn);
    if !asked.contains(&key.criterion.as_str()) {
        return Err(SessionError::new(
            "unknown_criterion",
            format!("Turn {} is not judged on {}.", key.turn + 1, key.criterion),
        ));
    }
    let duplicate = model.given.iter().any(|given| {
        given.slot.get() == Some(slot)
            && given.run == reply.run
            && model.judges[usize::from(given.judge)] == reply.judge
            && model.criteria[usize::from(given.criterion)] == key.criterion
    });
    let parse = |profile| {
        let sample = Some(sample);
        session
            .protocol
            .parse(sample, &key.criterion, profile, &reply.text)
    };
    Ok(PasteResult {
        paper: parse(Profile::Paper),
        released: parse(Profile::Released),
        duplicate,
        kept: false,
        record: None,
    })
}

/// Reads a pasted reply and keeps it, whatever the readers say.
pub fn paste(session: &mut Session, reply: &PastedReply) -> Result<PasteResult, SessionError> {
    let result = parse(session, reply)?;
    let request = request(session, &reply.key)?;
    session.pasted.push(Record {
        format: journal::FORMAT.to_owned(),
        protocol: session.protocol.id().to_owned(),
        model: reply.key.model.clone(),
        sample: reply.key.sample.clone(),
        turn: reply.key.turn,
        criterion: reply.key.criterion.clone(),
        judge: reply.judge.clone(),
        run: reply.run.max(1),
        time: reply.time.clone(),
        request: request.sha256,
        prompts: request.pack.sha256,
        reply: reply.text.clone(),
        ..Record::default()
    });
    session.cache.relink();
    Ok(PasteResult {
        record: session.pasted.last().cloned(),
        kept: true,
        ..result
    })
}

/// Takes a pasted reply out again, every copy of it; what was taken out, for the host to forget as well.
pub fn remove_pasted(session: &mut Session, reply: &PastedReply) -> Vec<Record> {
    let PastedReply { key, .. } = reply;
    let is_meant = |record: &Record| {
        record.model == key.model
            && record.sample == key.sample
            && record.turn == key.turn
            && record.criterion == key.criterion
            && record.judge == reply.judge
            && record.run.max(1) == reply.run.max(1)
            && record.time == reply.time
            && super::sample::reply_text(record) == reply.text
    };
    let all = std::mem::take(&mut session.pasted);
    let (removed, kept) = all.into_iter().partition(is_meant);
    session.pasted = kept;
    session.cache.relink();
    removed
}

/// The heading under which a sheet of replies has this request.
pub fn sheet_heading(
    session: &mut Session,
    key: &RequestKey,
    judge: &str,
    run: u32,
) -> Result<String, SessionError> {
    let request = request(session, key)?;
    let id = LineId::new(session.protocol.id(), &request, judge, run);
    Ok(sheet::heading(&id))
}

/// Reads replies that come together: a filled-in sheet, a journal, results of a batch engine. Keeps nothing.
pub fn read_replies(session: &mut Session, text: &str, time: &str) -> PastedReplies {
    session.link();
    let journal = sheet::at_time((session.read_journal)(text), time);
    let world = session.world();
    let mut pasted = PastedReplies::default();
    for (line, message) in journal.bad_lines.told() {
        pasted.problems.push(format!("Line {line}: {message}"));
    }
    for (line, record) in journal.records {
        if let Some(message) = session.stray(world.benchmark, &record) {
            pasted.problems.push(format!("Line {line}: {message}"));
            continue;
        }
        let sample = world.sample(&record.sample);
        let read = session
            .protocol
            .parse(sample, &record.criterion, Profile::Paper, &record.reply);
        let is_read = record.error.is_none() && matches!(read, ParsedReply::Ok { .. });
        pasted.unreadable += u32::from(!is_read);
        pasted.records.push(record);
    }
    pasted
}

/// What a generator is given for a turn.
pub fn generator_input(session: &mut Session, key: &InputKey) -> InputView {
    session.link();
    let (input, error) = match session.protocol.generator_input(&session.world(), key) {
        Ok(input) => (input, None),
        Err(error) => (
            crate::model::request::GeneratorInput::default(),
            Some(error),
        ),
    };
    InputView {
        key: key.clone(),
        messages: input.messages,
        pictures: input.pictures,
        notes: input.notes,
        error,
    }
}

impl Session {
    /// SHA-256 over everything that the judge is shown: texts, and pictures by content; absent pictures leave no trace.
    pub(super) fn request_hash(&self, pack: &PackInfo, key: &RequestKey, draft: &Draft) -> String {
        let mut hasher = Sha256::new();
        let mut field = |kind: &str, content: &str| {
            hasher.update(format!("{kind} {}\n", content.len()).as_bytes());
            hasher.update(content.as_bytes());
        };
        field("protocol", self.protocol.id());
        field("criterion", &key.criterion);
        field("prompts", &pack.sha256);
        if let Some(text) = &draft.system {
            field("system", text);
        }
        for part in &draft.parts {
            match part {
                PartView::Text { text } => field("text", text),
                PartView::Image {
                    file: Some(file),
                    role,
                    treatment,
                    other,
                    ..
                } => {
                    field("image", role);
                    field("treatment", treatment.id());
                    for file in [Some(file), other.as_ref()].into_iter().flatten() {
                        let hash = self.read.hashes.get(file);
                        field("sha256", hash.map_or("", String::as_str));
                    }
                }
                // What stands in for a missing picture is shown, so it counts; what is left out does not.
                PartView::Image {
                    file: None,
                    treatment: Treatment::Blank,
                    other,
                    ..
                } => {
                    field("treatment", Treatment::Blank.id());
                    let hash = other.and_then(|file| self.read.hashes.get(&file));
                    field("sha256", hash.map_or("", String::as_str));
                }
                PartView::Image { file: None, .. } => {}
            }
        }
        prompt::hex(&hasher.finalize())
    }
}

/// A reference is called what the benchmark calls it, where that is more than its number.
pub(super) fn name_references(parts: &mut [PartView], sample: Option<&Sample>) {
    for part in parts {
        if let PartView::Image {
            role,
            number: Some(number),
            ..
        } = part
            && role == "dataset"
        {
            let at = (*number as usize).checked_sub(1);
            let picture = at.and_then(|at| sample?.pictures.get(at));
            let label = picture.map_or("", |picture| &picture.label);
            if !label.is_empty() && !label.starts_with("Image #") {
                label.clone_into(role);
            }
        }
    }
}

pub(super) fn files(parts: &[PartView]) -> impl Iterator<Item = FileId> {
    parts.iter().flat_map(|part| match part {
        PartView::Image { file, other, .. } => [*file, *other].into_iter().flatten(),
        PartView::Text { .. } => [None, None].into_iter().flatten(),
    })
}
