//! The edge of metrics place by place: two pictures' bytes in, a map and its counts out.

use juror_image::{Limits, decode_rgb};
use juror_measure::{image, pictures};
use juror_metrics::{
    Change, Image, MapKind, MetricError, MetricMap, change_in_box, change_map, mask,
};
use wasm_bindgen::prelude::*;

use crate::error;
use crate::measured::plain;
use crate::pixels::{ChangePart, PictureChange, PictureMap};

/// Two pictures that maps are made of, on the CPU.
#[wasm_bindgen]
pub struct MapPair {
    reference: Image<u8>,
    candidate: Image<u8>,
}

#[wasm_bindgen]
impl MapPair {
    /// Decodes both files; a candidate of another size is brought to the reference's by Pillow's bicubic.
    #[wasm_bindgen(constructor)]
    pub fn new(reference: &[u8], candidate: &[u8]) -> Result<MapPair, JsValue> {
        let [reference, candidate] = pictures([reference, candidate], true).map_err(|found| {
            let which = if found.is_candidate { "B" } else { "A" };
            error(
                "bad_picture",
                &format!("{which}: {}", found.cause.message()),
            )
        })?;
        Ok(Self {
            reference,
            candidate,
        })
    }

    /// The map of a metric (`PictureMap`).
    pub fn map(&self, metric: &str) -> Result<JsValue, JsValue> {
        let kind = MapKind::from_id(metric).map_err(metric_error)?;
        let map = MetricMap::of(kind, &self.reference, &self.candidate).map_err(metric_error)?;
        let (width, height) = map.places.view().size();
        #[expect(clippy::cast_possible_truncation, reason = "seven digits are shown")]
        let places: Vec<f32> = map
            .places
            .data()
            .iter()
            .map(|place| *place as f32)
            .collect();
        let lowest = map.lowest().map(|(lowest, [x, y])| (lowest, x, y));
        plain(&PictureMap {
            value: map.value,
            width,
            height,
            inset: map.inset,
            places: js_sys::Float32Array::from(places.as_slice()),
            lowest,
        })
    }

    /// How many pixels differ by more than a threshold, 0 to 255, in a part and outside of it: in a box
    /// `[left, top, right, bottom]`, or in a mask, a picture of the same size that is lighter than 127 there.
    pub fn change(
        &self,
        threshold: u8,
        extent: Option<Vec<usize>>,
        region: Option<Vec<u8>>,
    ) -> Result<JsValue, JsValue> {
        let (r, c) = (&self.reference.view(), &self.candidate.view());
        let extent = extent.and_then(|extent| <[usize; 4]>::try_from(extent).ok());
        let has_part = extent.is_some() || region.is_some();
        let found = match (extent, region) {
            (_, Some(region)) => {
                let region = mask(&picture(&region)?.view()).map_err(metric_error)?;
                change_map(r, c, threshold, Some(&region.view()))
            }
            (Some(extent), None) => change_in_box(r, c, threshold, extent),
            (None, None) => change_map(r, c, threshold, None),
        };
        let found = found.map_err(metric_error)?;
        let part = |part: &Change| has_part.then(|| ChangePart::from(part));
        plain(&PictureChange {
            whole: ChangePart::from(&found.whole),
            inside: part(&found.inside),
            outside: part(&found.outside),
            extent: found.extent,
        })
    }
}

/// A mask's file as a picture.
fn picture(bytes: &[u8]) -> Result<Image<u8>, JsValue> {
    let bad = |problem: String| error("bad_picture", &format!("The mask: {problem}"));
    let found = decode_rgb(bytes, &Limits::default()).map_err(|cause| bad(cause.message()))?;
    image(found).map_err(|cause| bad(cause.message()))
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the shape that map_err calls for"
)]
fn metric_error(cause: MetricError) -> JsValue {
    error("no_map", &cause.to_string())
}
