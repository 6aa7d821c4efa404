//! Evidence packs in a browser: opened, checked, compared and written from parts of files, none of which is held for longer
//! than it takes to read or hash it.
//!
//! What a pack is and what makes it reproduce is the core's; the page says what it must do itself ([`PackPage`]): bring the
//! bytes of what is open, decode pictures, which is another module's, and put pieces into a ZIP, for which it has a kept
//! library that streams them.

use std::collections::HashMap;
use std::rc::Rc;

use js_sys::{Promise, Uint8Array};
use juror_evidence::pack::{
    self, Finding, FoundEntry, Kept, MANIFEST, Manifest, OpenedPack, PackError, PackItem, Packed,
    Pictures, Verification, is_manifest,
};
use juror_model::host::{Phase, Want};
use juror_model::options::ScoreOptions;
use juror_model::prompt::hex;
use juror_session::measure::Measure;
use juror_session::{Lack, Undecodable};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use wasm_bindgen::prelude::*;

use super::Target;
use crate::convert::promise;
use crate::convert::{from_js, to_js};
use crate::error;
use crate::session::Session;
use crate::zip::{Listed, Zip};

/// What a session asks for at once.
const BATCH: usize = 256;
/// Bytes that are hashed at a time.
const PIECE_BYTES: u32 = 1 << 18;
/// Texts are deflated at this level; pictures are that already.
const TEXT_LEVEL: u32 = 6;

/// Where the records of agents lie in an export.
const TRAJECTORIES: &str = "agents/trajectories.jsonl";

#[wasm_bindgen]
extern "C" {
    /// What a pack needs of the page.
    pub type PackPage;

    /// So many of all files are in; throws where nobody waits any more.
    #[wasm_bindgen(method, catch, js_name = onProgress)]
    fn on_progress(this: &PackPage, done: u32, total: u32) -> Result<(), JsValue>;

    /// Whether pictures are decoded here; where they are not, what the manifest says of them stands, and the pack is not
    /// called reproduced.
    #[wasm_bindgen(method, catch)]
    async fn decodes(this: &PackPage) -> Result<JsValue, JsValue>;

    /// What keeps a picture from being decoded; nothing where it decodes.
    #[wasm_bindgen(method, catch)]
    async fn flaw(this: &PackPage, picture: Uint8Array) -> Result<JsValue, JsValue>;

    /// What a metric of two pictures comes to; nothing where pictures are not measured here.
    #[wasm_bindgen(method, catch)]
    async fn measure(
        this: &PackPage,
        metric: &str,
        sizes: JsValue,
        reference: Uint8Array,
        candidate: Uint8Array,
    ) -> Result<JsValue, JsValue>;

    /// The bytes of a file of the session.
    #[wasm_bindgen(method, catch)]
    async fn bytes(this: &PackPage, file: u32) -> Result<JsValue, JsValue>;

    /// A small form of a picture with at most so many pixels a side; nothing where it does not decode.
    #[wasm_bindgen(method, catch)]
    async fn thumbnail(
        this: &PackPage,
        picture: &Uint8Array,
        most: u32,
    ) -> Result<JsValue, JsValue>;

    /// Puts a piece into the ZIP, deflated at this level or, at 0, stored.
    #[wasm_bindgen(method, catch)]
    async fn add(
        this: &PackPage,
        path: &str,
        data: JsValue,
        level: u32,
    ) -> Result<JsValue, JsValue>;
}

/// What is wrong with a picture, as the page says.
#[derive(Deserialize)]
struct Flaw {
    message: String,
    #[serde(default)]
    hint: String,
}

/// What a metric comes to, as the page says: a value, or why there is none.
#[derive(Deserialize)]
struct Value {
    value: Option<f64>,
    problem: Option<String>,
}

/// An evidence pack that is open.
#[wasm_bindgen]
pub struct Pack(Rc<OpenPack>);

pub(super) struct OpenPack {
    zip: Rc<Listed>,
    text: String,
    manifest: Manifest,
    /// Its entries in the order of the ZIP, by the names that the manifest has.
    entries: Vec<(String, u32)>,
    by_path: HashMap<String, u32>,
    /// How many names are written in other Unicode characters in the ZIP.
    renamed: u32,
}

#[wasm_bindgen]
impl Pack {
    /// The pack that a ZIP is (`Pack`); nothing where it is any other ZIP. One of a later format is refused, and one with
    /// entries that are refused.
    pub fn open(zip: &Zip) -> Promise {
        let zip = Rc::clone(&zip.0);
        promise(async move {
            let held = OpenPack::open(zip).await?;
            Ok(held.map_or(JsValue::UNDEFINED, |held| Self(Rc::new(held)).into()))
        })
    }

    /// Its manifest, word for word.
    #[wasm_bindgen(getter)]
    pub fn manifest(&self) -> String {
        self.0.text.clone()
    }

    /// How many entries it has.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> usize {
        self.0.entries.len()
    }

    /// The choices that its scores rest on (`ScoreOptions`); a policy that is the profile's own is none.
    pub fn options(&self) -> Result<JsValue, JsValue> {
        to_js(&self.0.manifest.options().without_usual_policy())
    }

    /// Whether it cannot stand among packs that are open, told by their manifests: it is one of them, or has other versions
    /// of their files.
    #[wasm_bindgen(js_name = standsApart)]
    pub fn stands_apart(&self, open: Vec<String>) -> Result<bool, JsValue> {
        for other in open {
            let is_apart = other == self.0.text || {
                let other = Manifest::read(&other).map_err(|cause| refused(&cause))?;
                !other.conflicts(&self.0.manifest).is_empty()
            };
            if is_apart {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The files that it stands for (`PackSource[]`), in the order in which a session numbers them.
    pub fn files(&self) -> Result<JsValue, JsValue> {
        let held = &self.0;
        let files = held.manifest.sources().map(|source| {
            let entry = held.by_path.get(&source.path).copied();
            held.zip.pack_source(source.path.clone(), entry)
        });
        to_js(&files.collect::<Vec<_>>())
    }

    /// Its own journal; empty where it has none.
    pub fn journal(&self) -> Promise {
        let held = Rc::clone(&self.0);
        promise(async move { Ok(held.journal().await?.into()) })
    }

    /// Recomputes it from its raw replies in a session without files (`PackVerification`).
    pub fn check(&self, session: &Session, page: PackPage) -> Promise {
        let (held, target) = (Rc::clone(&self.0), Target::of(&session.0));
        promise(async move {
            let checked = held.check(&target, &page).await?.ok_or_else(|| {
                let message = "This engine does not know the benchmark that the pack is of.";
                error("unknown_benchmark", message)
            })?;
            to_js(&checked)
        })
    }

    /// Reads everything but its pictures into a session without files, for which the manifest's word is taken; the number
    /// of its first file.
    pub fn look(&self, session: &Session, page: PackPage) -> Promise {
        let (held, target) = (Rc::clone(&self.0), Target::of(&session.0));
        promise(async move {
            let add = juror_session::add_pack_as_stated;
            let reader = Reader::of(&held, &target, &page, add).await?;
            reader.read(Telling::Progress).await?;
            Ok(reader.first.into())
        })
    }
}

/// Writes a pack of what is open: files in the order of their paths, then the texts that rest on their hashes. `options`
/// are `ScoreOptions`, `pictures` are `PackPictures`.
#[wasm_bindgen(js_name = writePack)]
pub fn write_pack(
    session: &Session,
    options: JsValue,
    pictures: JsValue,
    page: PackPage,
) -> Result<Promise, JsValue> {
    let options: ScoreOptions = from_js(options)?;
    let pictures: Pictures = from_js(pictures)?;
    let target = Target::of(&session.0);
    Ok(promise(async move {
        write(&target, &options, pictures, &page).await?;
        Ok(JsValue::UNDEFINED)
    }))
}

/// Writes the generated pictures of a session in the benchmark's own layout, with the records beside them.
#[wasm_bindgen(js_name = writeAgents)]
pub fn write_agents(session: &Session, page: PackPage) -> Promise {
    let target = Target::of(&session.0);
    promise(async move {
        let records = target.ask(|session| juror_session::trajectories(session))?;
        page.add(TRAJECTORIES, records.into(), 0).await?;
        for made in target.ask(|session| juror_session::agent_export(&session.linked()))? {
            let bytes = page.bytes(made.file).await?;
            page.add(&made.name, bytes, 0).await?;
        }
        Ok(JsValue::UNDEFINED)
    })
}

impl OpenPack {
    pub(super) async fn open(zip: Rc<Listed>) -> Result<Option<Self>, JsValue> {
        let (Some((places, paths)), Some(place)) = (zip.packed(), zip.manifest()) else {
            return Ok(None);
        };
        let text = zip.text(place).await?;
        if !is_manifest(&text) {
            return Ok(None);
        }
        if let Some(one) = zip.archive.refused.first() {
            let message = format!("{}: {}: {}", zip.name, one.name, one.message);
            return Err(error("bad_pack", &message));
        }
        let manifest = Manifest::read(&text)
            .map_err(|cause| error("bad_pack", &format!("{}: {cause}", zip.name)))?;
        let names = manifest.settle(&paths);
        let entries: Vec<(String, u32)> = names.paths.into_iter().zip(places).collect();
        Ok(Some(Self {
            by_path: entries.iter().cloned().collect(),
            entries,
            renamed: names.renamed,
            text,
            manifest,
            zip,
        }))
    }

    async fn journal(&self) -> Result<String, JsValue> {
        if self.manifest.has_journal() {
            self.text(pack::JOURNAL).await
        } else {
            Ok(String::new())
        }
    }

    /// A text of its own; empty where it is not there.
    async fn text(&self, path: &str) -> Result<String, JsValue> {
        match self.by_path.get(path) {
            Some(entry) => self.zip.text(*entry).await,
            None => Ok(String::new()),
        }
    }

    /// What it states; its entries are not looked into.
    pub(super) async fn stated(&self) -> Result<OpenedPack, JsValue> {
        Ok(OpenedPack {
            manifest: self.text.clone(),
            report: self.text(pack::REPORT).await?,
            requests: self.text(pack::REQUESTS).await?,
            verdicts: self.text(pack::VERDICTS).await?,
            signature: if self.by_path.contains_key(pack::SIGNATURE) {
                Some(self.text(pack::SIGNATURE).await?)
            } else {
                None
            },
            entries: Vec::new(),
            renamed: self.renamed,
            outside: Vec::new(),
        })
    }

    /// Every entry but the manifest, hashed.
    async fn found(&self, page: &PackPage) -> Result<Vec<FoundEntry>, JsValue> {
        let total = count(self.entries.len());
        let mut found = Vec::new();
        let small = self.manifest.thumbnails();
        for (path, entry) in &self.entries {
            page.on_progress(count(found.len()), total)?;
            if path == MANIFEST || path == pack::SIGNATURE {
                continue;
            }
            let bytes = self.zip.read(*entry, None).await?;
            found.push(FoundEntry {
                path: path.clone(),
                size: u64::from(bytes.length()),
                sha256: sha256(&bytes),
                pixels: small
                    .contains(path.as_str())
                    .then(|| juror_image::stated_size(&bytes.to_vec()))
                    .flatten(),
            });
        }
        Ok(found)
    }

    /// What comes of recomputing it in a session without files; nothing where its files are of a benchmark that the engine
    /// does not know.
    pub(super) async fn check(
        &self,
        target: &Target,
        page: &PackPage,
    ) -> Result<Option<Verification>, JsValue> {
        let entries = self.found(page).await?;
        let reader = Reader::of(self, target, page, juror_session::add_pack).await?;
        reader.read(Telling::Nothing).await?;
        if target.ask(juror_session::lack)? == Lack::Benchmarks {
            return Ok(None);
        }
        let measured = reader.measured(&entries).await?;
        let outside = self.zip.outside().await?.into_iter();
        let opened = OpenedPack {
            entries,
            outside: outside
                .map(|stray| Finding::outside(stray.about, stray.found))
                .collect(),
            ..self.stated().await?
        };
        let checked =
            target.ask(|session| juror_session::verify_pack(session, &opened, &measured))?;
        checked.map(Some).map_err(|cause| refused(&cause))
    }
}

/// What a page hears of while a pack is read.
#[derive(Clone, Copy)]
enum Telling {
    /// Of nothing.
    Nothing,
    /// How far the session is.
    Progress,
}

/// A pack on its way into a session.
struct Reader<'a> {
    held: &'a OpenPack,
    target: &'a Target,
    page: &'a PackPage,
    /// The number of its first file.
    first: u32,
    /// The entries of its files, in the order of their numbers.
    entries: Vec<Option<u32>>,
}

impl<'a> Reader<'a> {
    /// Lists its files in the session.
    async fn of(
        held: &'a OpenPack,
        target: &'a Target,
        page: &'a PackPage,
        add: fn(&mut juror_session::Session, &Manifest) -> u32,
    ) -> Result<Self, JsValue> {
        let first = target.ask(|session| add(session, &held.manifest))?;
        let journal = held.journal().await?;
        if !journal.is_empty() {
            target.ask(|session| juror_session::add_pack_journal(session, &journal))?;
        }
        let sources = held.manifest.sources();
        let entries = sources.map(|source| held.by_path.get(&source.path).copied());
        Ok(Self {
            entries: entries.collect(),
            held,
            target,
            page,
            first,
        })
    }

    fn entry(&self, file: u32) -> Option<u32> {
        let at = file.checked_sub(self.first)?;
        self.entries.get(at as usize).copied().flatten()
    }

    /// Reads whatever the session wants.
    async fn read(&self, telling: Telling) -> Result<(), JsValue> {
        let mut decodes = None;
        loop {
            let wants = self.target.ask(|session| session.wants(BATCH))?;
            if wants.is_empty() {
                return Ok(());
            }
            if matches!(telling, Telling::Progress) {
                let progress = self.target.ask(juror_session::Session::progress)?;
                self.page.on_progress(progress.done, progress.total)?;
            }
            let next: Vec<u32> = wants
                .iter()
                .filter_map(|want| self.entry(want.file))
                .collect();
            self.held.zip.read_ahead(&next).await?;
            for want in wants {
                if want.phase == Phase::Decoding && decodes.is_none() {
                    decodes = Some(self.page.decodes().await?.is_truthy());
                }
                self.bring(&want, decodes == Some(true)).await?;
            }
        }
    }

    /// Measures again what was measured on pictures that lie in the pack, as far as the page measures.
    async fn measured(&self, found: &[FoundEntry]) -> Result<Vec<Measure>, JsValue> {
        let hashes: HashMap<&str, &str> = (found.iter())
            .map(|entry| (entry.path.as_str(), entry.sha256.as_str()))
            .collect();
        let whole: Vec<Option<(u32, &str)>> = (self.held.manifest.sources().zip(&self.entries))
            .map(|(source, entry)| {
                let entry = entry.filter(|_| source.kept == Kept::Full)?;
                Some((entry, *hashes.get(source.path.as_str())?))
            })
            .collect();
        let side = |file: u32| *whole.get(file.checked_sub(self.first)? as usize)?;
        let mut measured = Vec::new();
        for check in self
            .target
            .ask(|session| juror_session::measures_to_check(&session.linked()))?
        {
            let Some((output, counterpart)) =
                side(check.pair.output).zip(side(check.pair.counterpart))
            else {
                continue;
            };
            let zip = &self.held.zip;
            let reference = zip.read(counterpart.0, None).await?;
            let candidate = zip.read(output.0, None).await?;
            let (metric, sizes) = (check.pair.metrics.concat(), to_js(&check.sizes)?);
            let came = self.page.measure(&metric, sizes, reference, candidate);
            let Some(Value { value, problem }) = from_js(came.await?)? else {
                return Ok(measured);
            };
            let problem = problem.unwrap_or_default();
            measured.push(check.measured([output.1, counterpart.1], value, Some(problem)));
        }
        Ok(measured)
    }

    /// Brings one file.
    async fn bring(&self, want: &Want, decodes: bool) -> Result<(), JsValue> {
        let Some(entry) = self.entry(want.file) else {
            let why = "The file is not in the pack.";
            self.target.ask(|session| session.failed(want.file, why))?;
            return Ok(());
        };
        if want.phase != Phase::Decoding || !decodes {
            let bytes = self.held.zip.read(entry, want.head).await?.to_vec();
            self.target
                .ask(|session| session.provide(want.file, bytes))?;
            return Ok(());
        }
        let picture = self.held.zip.read(entry, None).await?;
        let flaw: Option<Flaw> = from_js(self.page.flaw(picture).await?)?;
        let found = flaw.map_or(Ok(()), |Flaw { message, hint }| {
            Err(Undecodable { message, hint })
        });
        self.target
            .ask(|session| session.provide_decoded(want.file, found))?;
        Ok(())
    }
}

async fn write(
    target: &Target,
    options: &ScoreOptions,
    pictures: Pictures,
    page: &PackPage,
) -> Result<(), JsValue> {
    let items = target
        .ask(|session| juror_session::pack_items(&session.linked()))?
        .map_err(|cause| refused(&cause))?;
    let total = count(items.len());
    let mut packed = Vec::with_capacity(items.len());
    for item in &items {
        page.on_progress(count(packed.len()), total)?;
        packed.push(write_file(item, pictures, page).await?);
    }
    page.on_progress(total, total)?;
    let texts =
        target.ask(|session| juror_session::pack_texts(session, options, pictures, &packed))?;
    for text in texts.map_err(|cause| refused(&cause))? {
        page.add(&text.path, text.text.into(), TEXT_LEVEL).await?;
    }
    Ok(())
}

/// Puts a file of the session into the pack, as the choice for its pictures says.
async fn write_file(
    item: &PackItem,
    pictures: Pictures,
    page: &PackPage,
) -> Result<Packed, JsValue> {
    let bytes: Uint8Array = page.bytes(item.file).await?.dyn_into()?;
    let mut one = Packed {
        file: item.file,
        size: u64::from(bytes.length()),
        sha256: sha256(&bytes),
        thumbnail_size: None,
        thumbnail_sha256: None,
    };
    match pictures {
        Pictures::Thumbnails if item.is_picture() => {
            // One that cannot be decoded has no small form either: it is left out, and the manifest says what is wrong.
            let small = page.thumbnail(&bytes, pack::THUMBNAIL_PX).await?;
            if let Ok(small) = small.dyn_into::<Uint8Array>() {
                one.thumbnail_size = Some(u64::from(small.length()));
                one.thumbnail_sha256 = Some(sha256(&small));
                page.add(&item.path, small.into(), 0).await?;
            }
        }
        Pictures::None if item.is_picture() => {}
        _ => {
            let level = if item.is_picture() { 0 } else { TEXT_LEVEL };
            page.add(&item.path, bytes.into(), level).await?;
        }
    }
    Ok(one)
}

/// SHA-256 of bytes, hex, of which a piece at a time passes through the engine's memory.
fn sha256(bytes: &Uint8Array) -> String {
    let mut digest = Sha256::new();
    let mut piece = Vec::new();
    for from in (0..bytes.length()).step_by(PIECE_BYTES as usize) {
        let to = bytes.length().min(from + PIECE_BYTES);
        piece.resize((to - from) as usize, 0);
        bytes.subarray(from, to).copy_to(&mut piece);
        digest.update(&piece);
    }
    hex(&digest.finalize())
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

pub(super) fn refused(cause: &PackError) -> JsValue {
    error(cause.code(), &cause.to_string())
}
