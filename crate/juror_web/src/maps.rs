//! The edge of metrics place by place: two pictures' bytes in, a map and its counts out.

use juror_image::{Limits, decode_rgb};
use juror_metrics::{
    Change, Image, MapKind, MetricError, MetricMap, change_in_box, change_map, mask,
};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::error;
use crate::gpu::{decoded, plain};

/// Two pictures that maps are made of, on the CPU.
#[wasm_bindgen]
pub struct MapPair {
    reference: Image<u8>,
    candidate: Image<u8>,
}

/// How much changed, in a part and outside of it.
#[derive(Serialize)]
struct Counts {
    whole: Part,
    /// `null` without a part.
    inside: Option<Part>,
    outside: Option<Part>,
    /// Left, top, right, bottom of all that changed.
    extent: Option<[usize; 4]>,
}

#[derive(Serialize)]
struct Part {
    pixels: u64,
    changed: u64,
    largest: u8,
    /// `null` of no pixel.
    mae: Option<f64>,
    mse: Option<f64>,
}

impl From<&Change> for Part {
    fn from(change: &Change) -> Self {
        Self {
            pixels: change.pixels,
            changed: change.changed,
            largest: change.largest,
            mae: change.mae(),
            mse: change.mse(),
        }
    }
}

#[wasm_bindgen]
impl MapPair {
    /// Decodes both files; a candidate of another size is brought to the reference's by Pillow's bicubic.
    #[wasm_bindgen(constructor)]
    pub fn new(reference: &[u8], candidate: &[u8]) -> Result<MapPair, JsValue> {
        let [reference, candidate] =
            decoded([reference, candidate], true).map_err(|(which, problem)| {
                error("bad_picture", &format!("{}: {problem}", ["A", "B"][which]))
            })?;
        Ok(Self {
            reference,
            candidate,
        })
    }

    /// The map of a metric: `{value, width, height, inset, places, lowest}`.
    ///
    /// `places` is a `Float32Array` of `width × height` numbers, row by row; the first belongs to the pixel (`inset`, `inset`).
    /// `lowest` is `[number, x, y]` at full precision, or `null` of an empty map.
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
        let out = js_sys::Object::new();
        let set = |key: &str, value: JsValue| js_sys::Reflect::set(&out, &key.into(), &value);
        set("value", map.value.into())?;
        set("width", width.into())?;
        set("height", height.into())?;
        set("inset", map.inset.into())?;
        set(
            "places",
            js_sys::Float32Array::from(places.as_slice()).into(),
        )?;
        set("lowest", plain(&lowest)?)?;
        Ok(out.into())
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
        let part = |part: &Change| has_part.then(|| Part::from(part));
        plain(&Counts {
            whole: Part::from(&found.whole),
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
    let (width, height) = (found.width as usize, found.height as usize);
    Image::new(width, height, 3, found.data).map_err(|cause| bad(cause.to_string()))
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the shape that map_err calls for"
)]
fn metric_error(cause: MetricError) -> JsValue {
    error("no_map", &cause.to_string())
}
