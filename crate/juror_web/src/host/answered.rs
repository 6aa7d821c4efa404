//! Pictures that services answer with, and pictures as parts of forms.

use js_sys::{Array, Uint8Array};
use juror_judging::provider::{Failure, FailureKind};
use wasm_bindgen::JsValue;
use web_sys::{Blob, BlobPropertyBag, FormData, Url};

use super::judge::sniffed;
use super::pace::Unsent;
use super::{base64, call};

/// The bytes of a picture that an answer holds.
pub(super) fn inline(text: &str) -> Result<Uint8Array, Failure> {
    base64::decoded(text).map_err(|_| Failure {
        kind: FailureKind::BadPicture,
        message: "Expected a picture in base64, found something else.".to_owned(),
    })
}

/// The picture at an address, if it is at the service itself or at a host that the user named.
pub(super) async fn fetched(
    address: &str,
    service: &str,
    (hosts, timeout_secs): (&[String], u32),
) -> Result<Result<Uint8Array, Failure>, Unsent> {
    let url = Url::new(address)?;
    let host = url.host();
    let is_named = host == Url::new(service)?.host()
        || hosts.contains(&host)
        || hosts.contains(&url.hostname());
    if !is_named {
        return Ok(Err(Failure {
            kind: FailureKind::UnnamedHost,
            message: format!("The picture lies at {host}, a host that was not named."),
        }));
    }
    Ok(call::fetch_picture(address, timeout_secs).await)
}

/// Bytes of this media type.
pub(super) fn blob(bytes: &Uint8Array, media: &str) -> Result<Blob, JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(media);
    Blob::new_with_u8_array_sequence_and_options(&Array::of1(bytes), &options)
}

/// Adds the picture of this number, from 0, to a form; it is said to be what its bytes are.
pub(super) fn add_to_form(
    form: &FormData,
    field: &str,
    (at, bytes, path): (usize, &Uint8Array, &str),
) -> Result<(), JsValue> {
    let media = sniffed(bytes, path);
    let ending = media
        .split('/')
        .nth(1)
        .map_or("png".to_owned(), |kind| kind.replacen("jpeg", "jpg", 1));
    let name = format!("{}.{ending}", at + 1);
    form.append_with_blob_and_filename(field, &blob(bytes, media)?, &name)
}
