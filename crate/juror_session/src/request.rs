//! Judge requests, pasted replies and generator inputs.

use super::state::Session;
use crate::error::Error;
use crate::study::LinkedSession;
use crate::view::{InputView, PasteResult, PastedReplies, PastedReply};
use juror_judging::batch::LineId;
use juror_judging::journal::{self, Record};
use juror_judging::sheet;
use juror_model::experiment::Factor;
use juror_model::options::Profile;
use juror_model::prompt;
use juror_model::reply::ParsedReply;
use juror_model::request::{
    Context, Draft, GeneratorInput, InputKey, PackInfo, Packing, PartView, RequestKey, RequestView,
    Treatment,
};
use juror_model::sample::Sample;
use juror_model::tree::FileId;
use juror_protocols::contract::Variants;
use juror_reading::text::Encoding;
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
pub fn request(session: &LinkedSession<'_>, key: &RequestKey) -> Result<RequestView, Error> {
    request_under(session, key, session.loader.pack)
}

/// The same with the prompt pack of this number.
pub(super) fn request_under(
    session: &LinkedSession<'_>,
    key: &RequestKey,
    pack: usize,
) -> Result<RequestView, Error> {
    let world = session.world_to_ask();
    if world.model(&key.model).is_none() {
        return Err(Error::no_model(&key.model));
    }
    let pack = &session.loader.packs[pack];
    let (mut draft, mut error) = match session.loader.protocol.request(&world, pack, key) {
        Ok(draft) => (draft, None),
        Err(error) => (Draft::default(), Some(error.to_string())),
    };
    error = error.or_else(|| session.unreadable_text(&draft));
    name_references(&mut draft.parts, world.sample(&key.sample));
    draft.notes.extend(jpeg_note(&draft.parts));
    let needs: Vec<u32> = files(&draft.parts)
        .filter(|file| !session.loader.read.hashes.contains_key(file))
        .collect();
    let is_ready = needs.is_empty() && error.is_none();
    Ok(RequestView {
        sha256: is_ready.then(|| session.request_hash(&pack.info, key, &draft)),
        key: key.clone(),
        pack: pack.info.clone(),
        pack_words: pack.info.words(),
        system: draft.system,
        parts: draft.parts,
        grammar: session
            .loader
            .protocol
            .grammar(world.sample(&key.sample), &key.criterion),
        needs,
        notes: draft.notes,
        error,
    })
}

/// Takes the bytes of a picture that a request hash needs.
pub fn provide_picture(session: &mut Session, file: FileId, bytes: &[u8]) {
    session
        .loader
        .read
        .hashes
        .insert(file, prompt::sha256(bytes));
}

/// Reads a pasted reply and keeps nothing.
pub fn parse(session: &LinkedSession<'_>, reply: &PastedReply) -> Result<PasteResult, Error> {
    let world = session.world();
    let key = &reply.key;
    let model = world
        .model(&key.model)
        .ok_or_else(|| Error::no_model(&key.model))?;
    let (_, sample, slot, turn) = world
        .turn(&key.sample, key.turn)
        .ok_or_else(|| Error::no_turn(key.turn, &key.sample))?;
    let asked = session.loader.protocol.requests_of(sample, turn);
    if !asked.contains(&key.criterion.as_str()) {
        return Err(Error::UnknownCriterion(format!(
            "Turn {} is not judged on {}.",
            key.turn + 1,
            key.criterion
        )));
    }
    let judge = session.judge_in_use(&reply.judge);
    let duplicate = model.given.iter().any(|given| {
        given.slot.get() == Some(slot)
            && given.run == reply.run
            && model.judges[usize::from(given.judge)] == *judge
            && model.criteria[usize::from(given.criterion)] == key.criterion
    });
    let parse = |profile| {
        let sample = Some(sample);
        session
            .loader
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
pub fn paste(session: &mut Session, reply: &PastedReply) -> Result<PasteResult, Error> {
    let linked = session.linked();
    let result = parse(&linked, reply)?;
    let request = request(&linked, &reply.key)?;
    session.data.pasted.push(Record {
        format: journal::FORMAT.to_owned(),
        protocol: session.loader.protocol.id().to_owned(),
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
    session.data.cache.relink();
    Ok(PasteResult {
        record: session.data.pasted.last().cloned(),
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
            && (record.judge == reply.judge || session.judge_of(record.view()) == reply.judge)
            && record.run.max(1) == reply.run.max(1)
            && record.time == reply.time
            && record.view().text() == reply.text
    };
    let is_meant: Vec<bool> = session.data.pasted.iter().map(is_meant).collect();
    let mut is_meant = is_meant.into_iter();
    let all = std::mem::take(&mut session.data.pasted);
    let (removed, kept) = (all.into_iter()).partition(|_| is_meant.next().unwrap_or(false));
    session.data.pasted = kept;
    session.data.cache.relink();
    removed
}

/// The heading under which a sheet of replies has this request.
pub fn sheet_heading(
    session: &LinkedSession<'_>,
    key: &RequestKey,
    judge: &str,
    run: u32,
) -> Result<String, Error> {
    let request = request(session, key)?;
    let id = LineId::new(session.loader.protocol.id(), &request, judge, run);
    Ok(sheet::heading(&id))
}

/// Reads replies that come together: a filled-in sheet, a journal, results of a batch engine. Keeps nothing.
pub fn read_replies(session: &LinkedSession<'_>, text: &str, time: &str) -> PastedReplies {
    let journal = sheet::at_time((session.loader.readers.journal)(text), time);
    let world = session.world();
    let mut pasted = PastedReplies::default();
    for (line, message) in journal.bad_lines.told() {
        pasted.problems.push(format!("Line {line}: {message}"));
    }
    for (line, record) in journal.records.iter() {
        if let Some(message) = session.stray(world.benchmark, record) {
            pasted.problems.push(format!("Line {line}: {message}"));
            continue;
        }
        let sample = world.sample(record.sample);
        let read =
            session
                .loader
                .protocol
                .parse(sample, record.criterion, Profile::Paper, record.reply);
        let is_read = record.error.is_none() && matches!(read, ParsedReply::Ok { .. });
        pasted.unreadable += u32::from(!is_read);
        pasted.records.push(record.to_record());
    }
    pasted
}

/// What a generator is given for a turn, as it is or on a level of a factor.
pub fn generator_input(session: &LinkedSession<'_>, key: &InputKey) -> InputView {
    let world = session.world();
    let protocol = &session.loader.protocol;
    let variants = protocol.variants();
    let factors = factors(session);
    let position = key.variant.as_ref().map(|level| level.position(&factors));
    let input = match (&key.variant, position) {
        (_, Some(Err(told))) => Err(told.to_string()),
        (Some(level), Some(Ok(1..))) => variants
            .ok_or_else(|| juror_protocols::error::Error::unknown("factor", &level.factor))
            .and_then(|own| own.varied_input(&world, key, level))
            .map_err(|error| error.to_string()),
        // The first level is the request as it is, whatever else was chosen.
        (Some(_), _) => {
            let plain = InputKey {
                context: Context::default(),
                packing: Packing::default(),
                ..key.clone()
            };
            protocol
                .generator_input(&world, &plain)
                .map_err(|error| error.to_string())
        }
        (None, _) => protocol
            .generator_input(&world, key)
            .map_err(|error| error.to_string()),
    };
    let (input, error) = match input {
        Ok(input) => (input, None),
        Err(error) => (GeneratorInput::default(), Some(error)),
    };
    let turn = world.turn(&key.sample, key.turn);
    InputView {
        key: key.clone(),
        messages: input.messages,
        pictures: input.pictures,
        output: turn.map_or_else(String::new, |(.., turn)| turn.output_name.clone()),
        notes: input.notes,
        given: input.given,
        factors,
        error,
    }
}

/// What a generator's input can be varied by.
pub fn factors(session: &Session) -> Vec<Factor> {
    let variants = session.loader.protocol.variants();
    variants.map_or_else(Vec::new, Variants::factors)
}

impl Session {
    /// Why a request is not to be sent: letters in it could not be read, of a file whose encoding is not known.
    fn unreadable_text(&self, draft: &Draft) -> Option<String> {
        let mut unknown = self.loader.read.not_utf8.iter();
        let (file, _) = unknown.find(|(_, encoding)| **encoding == Encoding::Unknown)?;
        let is_broken = |text: &str| text.contains(char::REPLACEMENT_CHARACTER);
        let in_parts = draft.parts.iter().any(|part| match part {
            PartView::Text { text } => is_broken(text),
            PartView::Image { .. } => false,
        });
        (in_parts || draft.system.as_deref().is_some_and(is_broken)).then(|| {
            format!(
                "The text holds characters that could not be read, as a file such as {} is not UTF-8. Save it as UTF-8.",
                self.loader.tree.path(*file)
            )
        })
    }

    /// SHA-256 over everything that the judge is shown: texts, and pictures by content; absent pictures leave no trace.
    pub(super) fn request_hash(&self, pack: &PackInfo, key: &RequestKey, draft: &Draft) -> String {
        let mut hasher = Sha256::new();
        let mut field = |kind: &str, content: &str| {
            hasher.update(format!("{kind} {}\n", content.len()).as_bytes());
            hasher.update(content.as_bytes());
        };
        field("protocol", self.loader.protocol.id());
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
                    field("treatment", &treatment.id());
                    for file in [Some(file), other.as_ref()].into_iter().flatten() {
                        let hash = self.loader.read.hashes.get(file);
                        field("sha256", hash.map_or("", String::as_str));
                    }
                }
                // A replacement for a missing picture is shown, so it counts; an excluded picture does not.
                PartView::Image {
                    file: None,
                    treatment: Treatment::Blank,
                    other,
                    ..
                } => {
                    field("treatment", &Treatment::Blank.id());
                    let hash = other.and_then(|file| self.loader.read.hashes.get(&file));
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
