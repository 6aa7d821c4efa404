//! The edge of picture work: files' bytes in, a PNG out.

use juror_image::{ImageError, Limits};
use juror_measure::{measure_pair, of_file, pictures};
use juror_metrics::Metric;
use wasm_bindgen::prelude::*;

use crate::error;

/// WEAVEBench's concatenation of several pictures into one row.
#[wasm_bindgen]
#[expect(
    clippy::needless_pass_by_value,
    reason = "lists come over the edge by value"
)]
pub fn concatenate(pictures: Vec<js_sys::Uint8Array>) -> Result<JsValue, JsValue> {
    let limits = Limits::default();
    let decoded: Result<Vec<_>, _> = pictures
        .iter()
        .map(|bytes| juror_image::decode_rgb(&bytes.to_vec(), &limits))
        .collect();
    let joined = juror_image::concatenate(&decoded.map_err(image_error)?).map_err(image_error)?;
    let png = juror_image::encode_png(&joined.image).map_err(image_error)?;
    let out = js_sys::Object::new();
    let set = |key: &str, value: JsValue| js_sys::Reflect::set(&out, &key.into(), &value);
    set("png", js_sys::Uint8Array::from(png.as_slice()).into())?;
    set("width", joined.image.width.into())?;
    set("height", joined.image.height.into())?;
    set("font_px", joined.font_px.into())?;
    set("downscaled", joined.downscaled.into())?;
    Ok(out.into())
}

/// A picture as a judge is sent it: what a request part's treatment makes of the files' bytes, a JPEG or a PNG.
///
/// `picture` may be empty for `blank`; `other` is the layer of `merged` and `embedded_…` and the size giver of `stretched` and `blank`.
#[wasm_bindgen]
pub fn prepare(treatment: &str, picture: &[u8], other: &[u8]) -> Result<Vec<u8>, JsValue> {
    let Some(known) = juror_image::Treatment::named(treatment) else {
        let message = format!("There is no treatment {treatment}.");
        return Err(error("unknown_treatment", &message));
    };
    juror_image::prepare(&known, picture, other).map_err(image_error)
}

/// A generated picture as the file of this name is written: `{bytes, came_as}`.
#[wasm_bindgen]
pub fn fit(picture: &[u8], name: &str) -> Result<JsValue, JsValue> {
    let fitted = juror_image::fitted(picture.to_vec(), name).map_err(image_error)?;
    let out = js_sys::Object::new();
    let set = |key: &str, value: JsValue| js_sys::Reflect::set(&out, &key.into(), &value);
    set(
        "bytes",
        js_sys::Uint8Array::from(fitted.bytes.as_slice()).into(),
    )?;
    set("came_as", fitted.came_as.into())?;
    Ok(out.into())
}

/// What keeps a whole picture from being decoded: `{message, hint}`; nothing where it decodes.
#[wasm_bindgen]
pub fn check(picture: &[u8]) -> Result<JsValue, JsValue> {
    let Err(cause) = juror_image::check(picture, &Limits::default()) else {
        return Ok(JsValue::UNDEFINED);
    };
    let out = js_sys::Object::new();
    let set = |key: &str, value: String| js_sys::Reflect::set(&out, &key.into(), &value.into());
    set("message", cause.message())?;
    set("hint", cause.hint())?;
    Ok(out.into())
}

/// What a picture looks like: `{hash, cells}`, its perceptual hash as text and the grey levels of 16 × 16 cells.
#[wasm_bindgen]
pub fn print(picture: &[u8]) -> Result<JsValue, JsValue> {
    let found = juror_measure::print(picture);
    let found = found.map_err(|cause| error("bad_picture", &cause.to_string()))?;
    let out = js_sys::Object::new();
    let set = |key: &str, value: JsValue| js_sys::Reflect::set(&out, &key.into(), &value);
    set("hash", format!("{:016x}", found.hash).into())?;
    set(
        "cells",
        js_sys::Uint8Array::from(found.cells.as_slice()).into(),
    )?;
    Ok(out.into())
}

/// The value of a metric of two pictures on the CPU, `{value}`, or `{problem}` where there is none.
///
/// With `sizes` of `resized` the candidate is brought to the reference's size by Pillow's bicubic first.
#[wasm_bindgen]
pub fn measure(
    metric: &str,
    sizes: &str,
    reference: &[u8],
    candidate: &[u8],
) -> Result<JsValue, JsValue> {
    let out = js_sys::Object::new();
    match value_of(metric, sizes, [reference, candidate]) {
        Ok(value) => js_sys::Reflect::set(&out, &"value".into(), &value.into())?,
        Err(problem) => js_sys::Reflect::set(&out, &"problem".into(), &problem.into())?,
    };
    Ok(out.into())
}

fn value_of(metric: &str, sizes: &str, files: [&[u8]; 2]) -> Result<f64, String> {
    let metric = Metric::from_id(metric).map_err(|cause| cause.to_string())?;
    // A session measures only pictures: what reads arrays stays out of this module.
    let [reference, candidate] = files;
    let found = pictures(files, sizes == "resized");
    let [r, c] = found.map_err(|found| found.cause.message())?;
    let sides = [of_file(reference, r), of_file(candidate, c)];
    measure_pair(metric, &sides).map_err(|cause| cause.message())
}

/// A small JPEG that stands for a picture in an evidence pack.
#[wasm_bindgen]
pub fn pack_thumbnail(picture: &[u8], max_px: u32) -> Result<Vec<u8>, JsValue> {
    juror_image::thumbnail(picture, max_px).map_err(image_error)
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the shape that map_err calls for"
)]
fn image_error(cause: ImageError) -> JsValue {
    error("bad_picture", &cause.to_string())
}
