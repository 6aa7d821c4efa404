//! ZIP files in a browser: listed and unpacked by the core, from parts of a file that never comes as a whole.
//!
//! Entries are inflated here rather than by the browser's `DecompressionStream`, which takes three to twenty times as long
//! for what lies in most ZIPs (small texts, heads of pictures) and is no faster for any: `tests/README.md` has the numbers.
//!
//! A `Blob` is sliced and read by web-sys rather than by gloo-file (0.4), which reads through a `FileReader` with two
//! listeners for each read where `arrayBuffer()` gives the promise itself. The windows that are kept here are such promises:
//! several reads wait for one that is on its way, and its bytes stay with JavaScript until a piece of them is inflated.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use js_sys::{Promise, Reflect, Uint8Array};
use juror_model::tree::PACK_MANIFEST;
#[cfg(feature = "full")]
use juror_sources::archive::outside::{Outside, Stray};
use juror_sources::archive::unpack::{ByteRange, Unpacking};
use juror_sources::archive::{self, Archive, ArchiveEntry, ArchiveError};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use crate::convert::{message_of, promise, to_js};
use crate::error;

#[cfg(all(test, target_arch = "wasm32"))]
mod tests;

/// Reads of a file at hand bring this much: small entries lie beside each other.
const WINDOW_BYTES: u64 = 1 << 20;
/// Windows that are kept.
const MAX_WINDOWS: usize = 8;
/// Bytes that pass through the engine's memory at a time.
const PIECE_BYTES: u32 = 1 << 18;

#[wasm_bindgen]
extern "C" {
    /// The bytes of a ZIP that lies elsewhere.
    pub type PageSource;

    #[wasm_bindgen(method, getter)]
    fn size(this: &PageSource) -> f64;

    /// The bytes there; fewer where the file ends before.
    #[wasm_bindgen(method, catch)]
    async fn read(this: &PageSource, at: f64, length: f64) -> Result<JsValue, JsValue>;

    /// Parts (`Span[]`) that are read next.
    #[wasm_bindgen(method, catch, js_name = readAhead)]
    async fn read_ahead(this: &PageSource, parts: JsValue) -> Result<JsValue, JsValue>;

    /// Bytes, or an error where there is no room for so many.
    #[wasm_bindgen(extends = Uint8Array, js_name = Uint8Array)]
    type Room;

    #[wasm_bindgen(constructor, catch, js_class = "Uint8Array")]
    fn new(length: f64) -> Result<Room, JsValue>;
}

/// A part of a file, as a page is told of it.
#[derive(Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "ZipSpan")
)]
struct Span {
    /// Where it begins.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    at: u64,
    /// Its bytes.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    length: u64,
}

/// A file in a ZIP, for the page.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
struct ZipEntry {
    /// With the folder that the ZIP stands for.
    path: String,
    /// In bytes, unpacked; `null` where it is not known.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    size: Option<u64>,
    /// Of what is unpacked.
    crc32: u32,
}

/// A file that a pack stands for, for the page; without an entry it is not in the pack.
#[derive(Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "PackedFile")
)]
pub(crate) struct PackSource {
    /// Path in the pack.
    path: String,
    /// In bytes.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    size: Option<u64>,
    /// Of what is unpacked.
    crc32: Option<u32>,
    /// Its number in the ZIP.
    entry: Option<u32>,
}

/// What is refused of a ZIP, for the page.
#[derive(Serialize)]
struct SourceProblem<'a> {
    path: String,
    message: &'a str,
}

/// A ZIP that was listed.
#[wasm_bindgen]
#[derive(Clone)]
pub struct Zip(pub(crate) Rc<Listed>);

/// The same for Rust.
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) archive: Archive,
    source: Source,
}

#[wasm_bindgen]
impl Zip {
    /// Lists a ZIP, a `Blob` or a [`PageSource`], that is called `name`. What is refused of it is told by `problems`; two
    /// entries of one name refuse all of it.
    pub async fn list(source: JsValue, name: String) -> Result<Zip, JsValue> {
        let source = Source::of(source);
        match listed(&source, &name).await {
            Ok(archive) => Ok(Zip(Rc::new(Listed {
                name,
                archive,
                source,
            }))),
            Err(cause) => Err(error("bad_zip", &format!("{name}: {}", cause.words()))),
        }
    }

    /// Its files, with the folder that it stands for, those included that are refused: reading one of these says why. The
    /// number of a file is its place.
    pub fn files(&self) -> Result<JsValue, JsValue> {
        let archive = &self.0.archive;
        let files = (archive.listed().enumerate()).map(|(at, (path, size))| ZipEntry {
            path,
            size,
            crc32: archive.entries.get(at).map_or(0, |entry| entry.crc32),
        });
        to_js(&files.collect::<Vec<_>>())
    }

    /// The number of what may be the manifest of an evidence pack.
    #[wasm_bindgen(getter)]
    pub fn manifest(&self) -> Option<u32> {
        self.0.manifest()
    }

    /// What is refused of it and is none of its files: reading one of those says why.
    pub fn problems(&self) -> Result<JsValue, JsValue> {
        let Archive { refused, .. } = &self.0.archive;
        let nameless = refused.iter().filter(|one| one.path.is_none());
        let problems = nameless.map(|one| SourceProblem {
            path: format!("{}: {}", self.0.name, one.name),
            message: &one.message,
        });
        to_js(&problems.collect::<Vec<_>>())
    }

    /// The bytes of a file by its number, or its first `head` bytes.
    pub fn read(&self, entry: u32, head: Option<f64>) -> Promise {
        let zip = Rc::clone(&self.0);
        promise(async move { Ok(zip.read(entry, head.map(whole)).await?.into()) })
    }

    /// Has the source bring the parts of these files that lie elsewhere, which are read next.
    #[wasm_bindgen(js_name = readAhead)]
    pub fn read_ahead(&self, entries: Vec<u32>) -> Promise {
        let zip = Rc::clone(&self.0);
        promise(async move {
            zip.read_ahead(&entries).await?;
            Ok(JsValue::UNDEFINED)
        })
    }
}

impl Listed {
    /// Where the manifest of an evidence pack lies, if it is one.
    pub(crate) fn manifest(&self) -> Option<u32> {
        let path = format!("{}{PACK_MANIFEST}", self.archive.pack.as_ref()?);
        let entries = (0..).zip(&self.archive.entries);
        let mut found = entries.filter(|(_, entry)| !entry.is_leftover && entry.path == path);
        Some(found.next()?.0)
    }

    /// The files of an evidence pack by their paths in it, each with its number; nothing where it cannot be one. All that is
    /// content of a pack lies in the folder of its manifest.
    pub(crate) fn packed(&self) -> Option<(Vec<u32>, Vec<String>)> {
        let folder = self.archive.pack.as_ref()?;
        let path_of = |path: &str| {
            let inside = path.strip_prefix(folder.as_str());
            inside.unwrap_or(path).to_owned()
        };
        let entries = (0..).zip(&self.archive.entries);
        let content = entries.filter(|(_, entry)| !entry.is_leftover);
        Some(
            content
                .map(|(at, entry)| (at, path_of(&entry.path)))
                .unzip(),
        )
    }

    /// A file of a pack as its entry has it.
    pub(crate) fn pack_source(&self, path: String, entry: Option<u32>) -> PackSource {
        let known = entry.and_then(|entry| self.archive.entries.get(entry as usize));
        PackSource {
            path,
            size: known.map(|known| known.size),
            crc32: known.map(|known| known.crc32),
            entry,
        }
    }

    /// The text of an entry; a byte order mark is a part of what is checked.
    pub(crate) async fn text(&self, entry: u32) -> Result<String, JsValue> {
        let bytes = self.read(entry, None).await?.to_vec();
        String::from_utf8(bytes).map_err(|_| {
            let path = self.archive.entries.get(entry as usize);
            let path = path.map_or("", |entry| entry.path.as_str());
            error("bad_pack", &format!("{path} is not UTF-8."))
        })
    }

    /// The bytes of an entry, or its first `head` bytes.
    pub(crate) async fn read(&self, number: u32, head: Option<u64>) -> Result<Uint8Array, JsValue> {
        if let Some(refused) = self.archive.refusal(number as usize) {
            return Err(error("zip_refused", &refused.message));
        }
        let entry = self.archive.entries.get(number as usize);
        let entry = entry.ok_or_else(|| error("no_entry", "There is no such file in the ZIP."))?;
        let mut unpacking = Unpacking::of(entry, head);
        let out = Uint8Array::from(Room::new(number_of(unpacking.wanted()))?);
        let mut filled = 0;
        let mut piece = Vec::new();
        while let Some(part) = unpacking.next_part() {
            let bytes = self.source.read(part).await?;
            let mut from = 0;
            loop {
                let to = bytes.length().min(from + PIECE_BYTES);
                piece.resize((to - from) as usize, 0);
                bytes.subarray(from, to).copy_to(&mut piece);
                let taken = unpacking.take(&piece, &mut |some: &[u8]| {
                    let end = filled + u32::try_from(some.len()).unwrap_or(u32::MAX);
                    out.subarray(filled, end).copy_from(some);
                    filled = end;
                });
                taken.map_err(|damage| damaged(entry, &damage.to_string()))?;
                from = to;
                if from == bytes.length() {
                    break;
                }
            }
        }
        Ok(out)
    }

    /// What it holds besides its files.
    #[cfg(feature = "full")]
    pub(crate) async fn outside(&self) -> Result<Vec<Stray>, JsValue> {
        let mut outside = Outside::of(self.source.size());
        while let Some(part) = outside.next_part() {
            let bytes = self.source.read(part).await?.to_vec();
            outside.take(&bytes).map_err(|cause| {
                let message = format!("{}: {cause}", self.name);
                error(cause.code(), &message)
            })?;
        }
        Ok(outside.found())
    }

    /// Has the source bring what is read next.
    pub(crate) async fn read_ahead(&self, entries: &[u32]) -> Result<(), JsValue> {
        let Source::Page(page) = &self.source else {
            return Ok(());
        };
        let known = entries
            .iter()
            .filter_map(|number| self.archive.entries.get(*number as usize));
        let parts = known.map(|entry| {
            let ByteRange { at, length } = Unpacking::whole_part(entry);
            Span { at, length }
        });
        page.read_ahead(to_js(&parts.collect::<Vec<_>>())?).await?;
        Ok(())
    }
}

/// The error of an entry whose bytes are not those that were packed.
fn damaged(entry: &ArchiveEntry, why: &str) -> JsValue {
    let message = format!("The entry “{}” is damaged: {why}.", entry.path);
    let error = error("zip_damaged", &message);
    for (name, value) in [("entry", entry.path.as_str()), ("why", why)] {
        // Setting a property of a fresh Error cannot fail.
        let _ = Reflect::set(&error, &name.into(), &value.into());
    }
    error
}

/// Why a ZIP cannot be listed.
enum Unlisted {
    Archive(ArchiveError),
    Unread(JsValue),
}

impl From<ArchiveError> for Unlisted {
    fn from(cause: ArchiveError) -> Self {
        Self::Archive(cause)
    }
}

impl From<JsValue> for Unlisted {
    fn from(cause: JsValue) -> Self {
        Self::Unread(cause)
    }
}

impl Unlisted {
    fn words(&self) -> String {
        match self {
            Self::Archive(cause) => cause.to_string(),
            Self::Unread(cause) => message_of(cause),
        }
    }
}

async fn listed(source: &Source, name: &str) -> Result<Archive, Unlisted> {
    let size = source.size();
    let at = size.saturating_sub(archive::TAIL_BYTES);
    let tail = ByteRange {
        at,
        length: size - at,
    };
    let place = archive::find(&source.read(tail).await?.to_vec(), at)?;
    let directory = ByteRange {
        at: place.at,
        length: place.length,
    };
    let directory = source.read(directory).await?.to_vec();
    Ok(archive::read(&directory, &place, name)?)
}

/// Where the bytes of a ZIP come from.
enum Source {
    /// A file at hand.
    Blob(Windows),
    /// Whoever brings them.
    Page(PageSource),
}

impl Source {
    fn of(source: JsValue) -> Self {
        match source.dyn_into::<Blob>() {
            Ok(blob) => Self::Blob(Windows::of(blob)),
            Err(source) => Self::Page(source.unchecked_into()),
        }
    }

    fn size(&self) -> u64 {
        match self {
            Self::Blob(windows) => windows.size,
            Self::Page(page) => whole(page.size()),
        }
    }

    /// The bytes of a part; fewer where the file ends before.
    async fn read(&self, part: ByteRange) -> Result<Uint8Array, JsValue> {
        match self {
            Self::Blob(windows) => windows.read(part).await,
            Self::Page(page) => {
                let bytes = page.read(number_of(part.at), number_of(part.length));
                Ok(bytes.await?.dyn_into()?)
            }
        }
    }
}

/// A file at hand, read in windows, so that what lies beside each other comes at once.
struct Windows {
    blob: Blob,
    size: u64,
    /// The windows by their numbers, the one that was asked for last at the end; they may be on their way.
    kept: RefCell<VecDeque<(u64, Promise)>>,
}

impl Windows {
    fn of(blob: Blob) -> Self {
        Self {
            size: whole(blob.size()),
            blob,
            kept: RefCell::default(),
        }
    }

    async fn read(&self, ByteRange { at, length }: ByteRange) -> Result<Uint8Array, JsValue> {
        let end = at.saturating_add(length).min(self.size);
        let length = end.saturating_sub(at);
        if length == 0 {
            return Ok(Uint8Array::new_with_length(0));
        }
        if length >= WINDOW_BYTES {
            let bytes = JsFuture::from(self.slice(at, end)?).await?;
            return Ok(Uint8Array::new(&bytes));
        }
        let first = at / WINDOW_BYTES;
        let place = |number: u64, at: u64| small(at - number * WINDOW_BYTES);
        let edge = end.min((first + 1) * WINDOW_BYTES);
        let here = self.window(first).await?;
        let here = here.subarray(place(first, at), place(first, edge));
        if edge == end {
            return Ok(here);
        }
        let both = Uint8Array::new_with_length(small(length));
        both.set(&here, 0);
        let next = self.window(first + 1).await?;
        let next = next.subarray(0, place(first + 1, end));
        both.set(&next, here.length());
        Ok(both)
    }

    async fn window(&self, number: u64) -> Result<Uint8Array, JsValue> {
        let promise = self.promised(number)?;
        match JsFuture::from(promise).await {
            Ok(bytes) => Ok(Uint8Array::new(&bytes)),
            Err(cause) => {
                // One that could not be read is asked for anew.
                self.kept.borrow_mut().retain(|(kept, _)| *kept != number);
                Err(cause)
            }
        }
    }

    /// The window as it is kept, or on its way from now on.
    fn promised(&self, number: u64) -> Result<Promise, JsValue> {
        let mut kept = self.kept.borrow_mut();
        let known = kept.iter().position(|(other, _)| *other == number);
        let window = match known.and_then(|at| kept.remove(at)) {
            Some((_, window)) => window,
            None => self.slice(number * WINDOW_BYTES, (number + 1) * WINDOW_BYTES)?,
        };
        kept.push_back((number, window.clone()));
        if kept.len() > MAX_WINDOWS {
            kept.pop_front();
        }
        Ok(window)
    }

    fn slice(&self, at: u64, end: u64) -> Result<Promise, JsValue> {
        let part = self
            .blob
            .slice_with_f64_and_f64(number_of(at), number_of(end));
        Ok(part?.array_buffer())
    }
}

/// A place in a window, which is smaller than 2^32.
fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A place in a file, below 2^53, as JavaScript has it.
fn number_of(number: u64) -> f64 {
    number as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place in a file: what is no number is none"
)]
fn whole(number: f64) -> u64 {
    number as u64
}
