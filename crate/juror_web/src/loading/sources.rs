//! Where the files of a session lie, and what reading them gives.
//!
//! `fetch` is called as it is: `binary()` of gloo-net (0.7) copies a body into the engine's memory, whereas most of what is
//! read at an address are pictures, whose bytes go on to the decoders and never enter it; and it panics where something is
//! thrown that is no `Error`. Files that the page holds are read there: `held.ts` says why.

use std::rc::Rc;

use js_sys::{Array, ArrayBuffer, Promise, Reflect, Uint8Array};
use juror_model::host::FileMeta;
use juror_model::tree::FileId;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Response, Url};

use super::LoadingPage;
use crate::convert::{message_of, promise};
use crate::error;
use crate::listing::{FileColumns, NOT_HELD, places};
use crate::session::{from_js, to_js};

#[wasm_bindgen]
extern "C" {
    /// The global one, of a worker as of a page.
    #[wasm_bindgen(catch)]
    fn fetch(url: &str) -> Result<Promise, JsValue>;

    /// What a read on the page gave (`ReadBytes`).
    type ReadBytes;

    #[wasm_bindgen(method, getter, structural)]
    fn bytes(this: &ReadBytes) -> Option<Uint8Array>;

    #[wasm_bindgen(method, getter, structural)]
    fn message(this: &ReadBytes) -> Option<String>;

    /// A buffer that can be given back; browsers before 2024 wait for the collector.
    type Buffer;

    #[wasm_bindgen(method, catch, structural)]
    fn transfer(this: &Buffer, length: u32) -> Result<JsValue, JsValue>;
}

/// Where a file lies.
#[derive(Clone, Debug)]
enum Place {
    /// The page holds it by this number.
    Held(u32),
    /// At an address.
    Address(Rc<str>),
    /// In the ZIP of this name.
    Zip(Rc<str>),
    /// Elsewhere, as a picture that this browser keeps.
    Apart,
}

/// The files of a session by number.
#[derive(Debug, Default)]
pub(super) struct Sources {
    files: Vec<(Place, Option<u64>)>,
}

/// One read: which file, and how much of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) file: FileId,
    /// The first so many bytes; `None` for all.
    pub(super) head: Option<u64>,
}

/// Why a read gave nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unread {
    pub(super) message: String,
    /// The ZIP, its entry and what is wrong with that, where it is damaged.
    pub(super) damaged: Option<Damaged>,
}

/// An entry of a ZIP that is not what was packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Damaged {
    pub(super) zip: Rc<str>,
    pub(super) entry: String,
    pub(super) why: String,
}

/// A read of a file that the page holds, as it crosses.
#[derive(Serialize)]
struct HeldRead {
    held: u32,
    head: Option<u64>,
}

/// What a read waits for.
enum Awaited {
    /// The next one of what the page gives.
    Page,
    /// Bytes of its own.
    Bytes(JsFuture, Place),
    /// No file has the number.
    Unknown(FileId),
}

impl Sources {
    /// Takes files, which follow those that are here.
    pub(super) fn add(&mut self, files: &FileColumns, metas: &[FileMeta]) -> Result<(), JsValue> {
        let (held, elsewhere) = places(files)?;
        let first = self.files.len();
        let listed = metas.iter().zip(held);
        self.files.extend(listed.map(|(meta, number)| {
            let place = match number {
                NOT_HELD => Place::Apart,
                number => Place::Held(number),
            };
            (place, meta.size)
        }));
        let mut put = |at: usize, place: Place| {
            if let Some((other, _)) = self.files.get_mut(first + at) {
                *other = place;
            }
        };
        for zip in elsewhere.zips {
            let name: Rc<str> = zip.name.into();
            for at in zip.first..zip.first.saturating_add(zip.files).min(metas.len()) {
                put(at, Place::Zip(Rc::clone(&name)));
            }
        }
        for address in elsewhere.addresses {
            put(address.file, Place::Address(address.url.into()));
        }
        Ok(())
    }

    /// How large a file was listed to be.
    pub(super) fn size(&self, file: FileId) -> Option<u64> {
        self.files.get(file as usize)?.1
    }

    /// Notes what a read tells of a file's size: a beginning that is shorter than asked for is all of the file.
    pub(super) fn learn(&mut self, read: Wanted, bytes: u32) {
        let bytes = u64::from(bytes);
        if read.head.is_some_and(|head| bytes < head)
            && let Some((_, size)) = self.files.get_mut(read.file as usize)
        {
            size.get_or_insert(bytes);
        }
    }

    /// Begins to read several files at once, those that the page holds with one question.
    pub(super) fn read(&self, page: &LoadingPage, wanted: &[Wanted]) -> Reads {
        let mut held = Vec::new();
        let reads = wanted.iter().map(|one| {
            let Some((place, _)) = self.files.get(one.file as usize) else {
                return Awaited::Unknown(one.file);
            };
            let bytes = match place {
                Place::Held(number) => {
                    held.push(HeldRead {
                        held: *number,
                        head: one.head,
                    });
                    return Awaited::Page;
                }
                Place::Address(url) => {
                    let read = at_address(page.at_hand(one.file), Rc::clone(url), one.head);
                    promise(async move { read.await.map(Into::into) })
                }
                Place::Zip(_) | Place::Apart => page.apart(one.file, one.head.map(number)),
            };
            Awaited::Bytes(JsFuture::from(bytes), place.clone())
        });
        let reads = reads.collect();
        // Numbers always cross.
        let asked = (!held.is_empty()).then(|| to_js(&held).unwrap_or_default());
        Reads {
            reads,
            page: asked.map(|asked| JsFuture::from(page.held(asked))),
        }
    }
}

/// Reads that have begun.
pub(super) struct Reads {
    reads: Vec<Awaited>,
    page: Option<JsFuture>,
}

impl Reads {
    /// What they gave, in their order.
    pub(super) async fn given(self) -> Vec<Result<Uint8Array, Unread>> {
        let page = on_page(self.page).await;
        let mut next = 0;
        let mut all = Vec::with_capacity(self.reads.len());
        for one in self.reads {
            all.push(match one {
                Awaited::Page => {
                    next += 1;
                    given(page.as_ref(), next - 1)
                }
                Awaited::Bytes(bytes, place) => bytes
                    .await
                    .map(JsCast::unchecked_into)
                    .map_err(|cause| unread(&cause, &place)),
                Awaited::Unknown(file) => Err(Unread {
                    message: format!("There is no file number {file}."),
                    damaged: None,
                }),
            });
        }
        all
    }

    /// What a single one gave; an error as it was thrown, with its code.
    pub(super) async fn alone(self) -> Result<Uint8Array, JsValue> {
        let page = on_page(self.page).await;
        match self.reads.into_iter().next() {
            Some(Awaited::Bytes(bytes, _)) => bytes.await.map(JsCast::unchecked_into),
            Some(Awaited::Page) => {
                given(page.as_ref(), 0).map_err(|unread| error("unreadable_file", &unread.message))
            }
            Some(Awaited::Unknown(file)) => Err(error(
                "unknown_file",
                &format!("There is no file number {file}."),
            )),
            None => Err(error("unknown_file", "No file was asked for.")),
        }
    }
}

/// What the page gave for the reads that it was asked for.
async fn on_page(asked: Option<JsFuture>) -> Result<Array, JsValue> {
    match asked {
        Some(asked) => Ok(asked.await?.unchecked_into()),
        None => Ok(Array::new()),
    }
}

/// What the page gave for its read of this place among those it was asked for.
fn given(page: Result<&Array, &JsValue>, at: u32) -> Result<Uint8Array, Unread> {
    let unread = |message| Unread {
        message,
        damaged: None,
    };
    let nothing = || unread("The page gave nothing.".to_owned());
    let page = page.map_err(|cause| unread(message_of(cause)))?;
    let one = page.get(at);
    if !one.is_object() {
        return Err(nothing());
    }
    let one: ReadBytes = one.unchecked_into();
    one.bytes()
        .ok_or_else(|| one.message().map_or_else(nothing, unread))
}

/// Why a file that is not on the page was not read; an entry of a ZIP may be damaged.
fn unread(cause: &JsValue, place: &Place) -> Unread {
    let text = |field: &str| Reflect::get(cause, &field.into()).ok()?.as_string();
    let damaged = match place {
        Place::Zip(zip) => text("entry").zip(text("why")).map(|(entry, why)| Damaged {
            zip: Rc::clone(zip),
            entry,
            why,
        }),
        _ => None,
    };
    Unread {
        message: message_of(cause),
        damaged,
    }
}

/// The files of a demo suite by the address of its index: their list (`RemoteFile[]`), and where they came together the bytes
/// of each, in its order.
#[wasm_bindgen(js_name = demoFiles)]
pub fn demo_files(index: String) -> Promise {
    promise(async move {
        let response = answered(&index).await?;
        if !response.ok() {
            let status = response.status();
            let message = format!("The demo suite is not here: {status} for {index}.");
            return Err(error("no_demo", &message));
        }
        // It may have been sent on to another place, beside which the files lie.
        let base = response.url();
        let Index { files, together } = from_js(JsFuture::from(response.json()?).await?)?;
        let sizes: Vec<u32> = files.iter().map(|file| file.size).collect();
        let contents = match together {
            Some(path) => each(&Url::new_with_base(&path, &base)?.href(), &sizes).await,
            None => Array::new(),
        };
        let files: Result<Vec<RemoteFile>, JsValue> = files
            .into_iter()
            .map(|Listed { path, size }| {
                let parts: Vec<String> = (path.split('/'))
                    .map(|part| js_sys::encode_uri_component(part).into())
                    .collect();
                let url = Url::new_with_base(&parts.join("/"), &base)?.href();
                Ok(RemoteFile { path, size, url })
            })
            .collect();
        Ok(Array::of2(&to_js(&files?)?, &contents).into())
    })
}

/// What lies at an address cut into pieces of these sizes; nothing where it is not there, or is not as long as they are:
/// each is fetched by itself then.
async fn each(url: &str, sizes: &[u32]) -> Array {
    let Ok(all) = fetched(url).await else {
        return Array::new();
    };
    let total: u64 = sizes.iter().map(|size| u64::from(*size)).sum();
    if u64::from(all.length()) != total {
        return Array::new();
    }
    let ends = sizes.iter().scan(0, |end, size| {
        *end += size;
        Some(*end)
    });
    let pieces = ends.zip(sizes);
    pieces
        .map(|(end, size)| JsValue::from(all.subarray(end - size, end)))
        .collect()
}

/// The index of a demo suite.
#[derive(Deserialize)]
struct Index {
    /// Where all files lie in one, from the index on.
    together: Option<String>,
    files: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    path: String,
    size: u32,
}

/// A file at an address, for the page.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
struct RemoteFile {
    /// Path in its suite.
    path: String,
    /// In bytes.
    size: u32,
    /// Its address.
    url: String,
}

async fn answered(url: &str) -> Result<Response, JsValue> {
    JsFuture::from(fetch(url)?).await?.dyn_into()
}

/// The bytes at an address, the first so many or all: those that are at hand, or what the server answers.
async fn at_address(
    at_hand: Option<Uint8Array>,
    url: Rc<str>,
    head: Option<u64>,
) -> Result<Uint8Array, JsValue> {
    let end = head.and_then(|head| u32::try_from(head).ok());
    let end = end.unwrap_or(u32::MAX);
    Ok(if let Some(bytes) = at_hand {
        // A copy: who reads it may give its memory back.
        bytes.slice(0, end)
    } else {
        let bytes = fetched(&url).await?;
        bytes.subarray(0, end.min(bytes.length()))
    })
}

/// All bytes at an address.
async fn fetched(url: &str) -> Result<Uint8Array, JsValue> {
    let response = answered(url).await?;
    if !response.ok() {
        let message = format!("The server answered {} for {url}.", response.status());
        return Err(error("http", &message));
    }
    let buffer: ArrayBuffer = JsFuture::from(response.array_buffer()?).await?.dyn_into()?;
    Ok(Uint8Array::new(&buffer))
}

/// A number of bytes as JavaScript has it; of what is beyond all files' sizes everything is read.
fn number(bytes: u64) -> f64 {
    f64::from(u32::try_from(bytes).unwrap_or(u32::MAX))
}

/// Gives back the memory of what the session has copied; the garbage collector sees no hurry where files are large.
pub(super) fn release(bytes: &Uint8Array) {
    let is_small = u64::from(bytes.length()) <= juror_sources::backlog::SMALL_BYTES;
    let buffer = bytes.buffer();
    if is_small || buffer.byte_length() != bytes.length() {
        return;
    }
    // Where there is no such method, the collector has to come.
    let _ = buffer.unchecked_into::<Buffer>().transfer(0);
}
