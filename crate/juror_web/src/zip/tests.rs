//! ZIPs as the page has them: a `Blob` that counts how often a part of it is asked for, and a source that lies elsewhere.

use js_sys::{Array, Function, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

use super::Zip;
#[cfg(feature = "full")]
use crate::host::pack::Pack;

/// CRC-32 bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |rest, byte| {
        (0..8).fold(rest ^ u32::from(*byte), |rest: u32, _| {
            let carry = if rest & 1 == 0 { 0 } else { 0xedb8_8320 };
            (rest >> 1) ^ carry
        })
    })
}

/// What goes into a ZIP: a name, its bytes, how it is packed, and what is said of its size.
struct Piece {
    name: String,
    bytes: Vec<u8>,
    is_deflated: bool,
    declares: u32,
}

fn piece(name: &str, bytes: &[u8]) -> Piece {
    Piece {
        name: name.to_owned(),
        bytes: bytes.to_vec(),
        is_deflated: false,
        declares: length(bytes),
    }
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).expect("a small one")
}

/// Deflated without being made smaller: one block that is stored.
fn deflated(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).expect("one block");
    let mut out = vec![1];
    out.extend(length.to_le_bytes());
    out.extend((!length).to_le_bytes());
    out.extend(bytes);
    out
}

fn zip_of(pieces: &[Piece]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for one in pieces {
        let packed = if one.is_deflated {
            deflated(&one.bytes)
        } else {
            one.bytes.clone()
        };
        let mut fields = vec![20, 0, 0, 8, u8::from(one.is_deflated) * 8, 0, 0, 0, 0x21, 0];
        fields.extend(crc32(&one.bytes).to_le_bytes());
        fields.extend(length(&packed).to_le_bytes());
        fields.extend(one.declares.to_le_bytes());
        fields.extend(length(one.name.as_bytes()).to_le_bytes());
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&fields);
        directory.extend([0; 10]);
        directory.extend(length(&file).to_le_bytes());
        directory.extend(one.name.as_bytes());
        file.extend(b"PK\x03\x04");
        file.extend(&fields);
        file.extend(one.name.as_bytes());
        file.extend(packed);
    }
    let count = u16::try_from(pieces.len()).expect("a few").to_le_bytes();
    let at = length(&file);
    let size = length(&directory);
    file.extend(directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend(count);
    file.extend(count);
    file.extend(size.to_le_bytes());
    file.extend(at.to_le_bytes());
    file.extend([0, 0]);
    file
}

/// The file as a `Blob`; how often a part of it was asked for stands in its `slices`.
fn blob(bytes: &[u8]) -> web_sys::Blob {
    let parts = Array::of1(&Uint8Array::from(bytes));
    let blob = web_sys::Blob::new_with_u8_array_sequence(&parts).expect("a Blob");
    let count = Function::new_with_args(
        "blob",
        "blob.slices = 0; const { slice } = blob; blob.slice = (...part) => { blob.slices += 1; return slice.apply(blob, part); };",
    );
    count.call1(&JsValue::NULL, &blob).expect("it is counted");
    blob
}

fn number(of: &JsValue, name: &str) -> f64 {
    let value = Reflect::get(of, &name.into()).expect("an object");
    value.as_f64().unwrap_or(f64::NAN)
}

fn text(of: &JsValue, name: &str) -> String {
    let value = Reflect::get(of, &name.into()).expect("an object");
    value.as_string().unwrap_or_default()
}

async fn listed(pieces: &[Piece]) -> Zip {
    let source = blob(&zip_of(pieces)).into();
    Zip::list(source, "some.zip".to_owned())
        .await
        .expect("a ZIP")
}

async fn read(zip: &Zip, entry: u32, head: Option<f64>) -> Result<Vec<u8>, JsValue> {
    let bytes = JsFuture::from(zip.read(entry, head)).await?;
    Ok(Uint8Array::new(&bytes).to_vec())
}

/// How often a ZIP of so many entries is asked for a part of it while all of them are read.
async fn asked(count: u32) -> f64 {
    let bytes = |at: u32| -> Vec<u8> {
        let mut rest = at;
        let next = || {
            rest = rest.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            rest.to_le_bytes()[3]
        };
        std::iter::repeat_with(next).take(2000).collect()
    };
    let pieces: Vec<Piece> = (0..count)
        .map(|at| Piece {
            is_deflated: at % 2 == 0,
            ..piece(&format!("data/{at}.png"), &bytes(at))
        })
        .collect();
    let blob = blob(&zip_of(&pieces));
    let zip = Zip::list(blob.clone().into(), "some.zip".to_owned()).await;
    let zip = zip.expect("a ZIP");
    for at in 0..count {
        assert_eq!(
            read(&zip, at, None).await.expect("bytes"),
            bytes(at),
            "{at}"
        );
    }
    number(&blob, "slices")
}

#[wasm_bindgen_test]
async fn small_entries_are_read_many_at_once() {
    let (some, twice) = (asked(1000).await, asked(2000).await);
    assert!(some < 1000.0 / 50.0, "{some}");
    assert!(twice < 3.0 * some, "{twice} after {some}");
}

#[wasm_bindgen_test]
async fn large_entries_and_those_between_two_windows_come_as_they_went_in() {
    let large: Vec<u8> = (0..=250).cycle().take(3_000_001).collect();
    let zip = listed(&[piece("a/large.bin", &large), piece("a/b.txt", b"behind it")]).await;
    assert_eq!(read(&zip, 0, None).await.expect("bytes"), large);
    assert_eq!(
        read(&zip, 0, Some(5000.0)).await.expect("a head"),
        large[..5000]
    );
    assert_eq!(read(&zip, 1, None).await.expect("bytes"), b"behind it");
    let files = zip.files().expect("files");
    let last = Reflect::get_u32(&files, 1).expect("two");
    assert_eq!(
        (text(&last, "path").as_str(), number(&last, "size")),
        ("a/b.txt", 9.0)
    );
    let difference = number(&last, "crc32") - f64::from(crc32(b"behind it"));
    assert!(difference.abs() < f64::EPSILON, "{difference}");
}

#[wasm_bindgen_test]
async fn an_entry_that_lies_about_its_size_is_named_with_what_is_wrong() {
    let with = |declares| Piece {
        is_deflated: true,
        declares,
        ..piece("a.bin", b"xxxxx")
    };
    for (declares, why) in [
        (3, "it inflates to more than it declares"),
        (9, "it ends after 5 of 9 bytes"),
    ] {
        let zip = listed(&[with(declares)]).await;
        let error = read(&zip, 0, None).await.expect_err("a damaged entry");
        let told = (
            text(&error, "code"),
            text(&error, "entry"),
            text(&error, "why"),
        );
        assert_eq!(
            told,
            ("zip_damaged".to_owned(), "a.bin".to_owned(), why.to_owned())
        );
        let message = format!("The entry “a.bin” is damaged: {why}.");
        assert_eq!(text(&error, "message"), message);
    }
    assert_eq!(
        read(&listed(&[with(5)]).await, 0, None)
            .await
            .expect("bytes"),
        b"xxxxx"
    );
}

#[wasm_bindgen_test]
async fn what_is_no_zip_is_refused_with_its_name() {
    let source = blob(b"no ZIP").into();
    let Err(error) = Zip::list(source, "x.zip".to_owned()).await else {
        panic!("it is no ZIP");
    };
    assert_eq!(text(&error, "code"), "bad_zip");
    let message = text(&error, "message");
    assert!(
        message.starts_with("x.zip: This is no ZIP file"),
        "{message}"
    );
}

#[wasm_bindgen_test]
async fn a_source_that_lies_elsewhere_is_asked_for_what_is_read_and_told_what_comes_next() {
    let file = zip_of(&[piece("a/1.txt", b"one"), piece("a/2.txt", b"two")]);
    let source = Object::new();
    let set = |name: &str, value: &JsValue| {
        Reflect::set(&source, &name.into(), value).expect("an object takes it");
    };
    set("file", &Uint8Array::from(file.as_slice()));
    set("size", &f64::from(length(&file)).into());
    let read_part = "return Promise.resolve(this.file.slice(at, at + length));";
    set("read", &Function::new_with_args("at, length", read_part));
    let told = "this.told = parts.map(({ at, length }) => `${at}+${length}`).join(); return Promise.resolve();";
    set("readAhead", &Function::new_with_args("parts", told));
    let zip = Zip::list(source.clone().into(), "far.zip".to_owned()).await;
    let zip = zip.expect("a ZIP");
    assert_eq!(read(&zip, 1, None).await.expect("bytes"), b"two");
    let ahead = JsFuture::from(zip.read_ahead(vec![0, 1])).await;
    ahead.expect("it is told");
    // Header, name, what writers may add, and the bytes.
    assert_eq!(text(&source, "told"), "0+104,40+104");
    // One that fails is heard with its own words.
    let fails = "return Promise.reject(new Error('gone'));";
    set("read", &Function::new_with_args("", fails));
    let error = read(&zip, 0, None).await.expect_err("no bytes");
    assert_eq!(text(&error, "message"), "gone");
}

#[cfg(feature = "full")]
#[wasm_bindgen_test]
async fn a_pack_is_told_from_any_other_zip_and_refused_where_it_is_of_a_later_format() {
    let open = async |manifest: &str| {
        let zip = listed(&[piece("p/manifest.json", manifest.as_bytes())]).await;
        JsFuture::from(Pack::open(&zip)).await
    };
    let other = open(r#"{"name": "an app"}"#).await.expect("any other ZIP");
    assert!(other.is_undefined());
    let later = r#"{"format": "juror-pack/9", "juror": "9.9.9"}"#;
    let error = open(later).await.expect_err("a later format");
    assert_eq!(text(&error, "code"), "bad_pack");
    let message = text(&error, "message");
    assert!(
        message.starts_with("some.zip: ") && message.contains("juror-pack/9"),
        "{message}"
    );
    let zip = listed(&[piece("p/data.json", b"{}")]).await;
    assert_eq!(zip.manifest(), None);
    let none = JsFuture::from(Pack::open(&zip))
        .await
        .expect("any other ZIP");
    assert!(none.is_undefined());
}
