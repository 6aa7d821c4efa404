//! MultiRef-Bench's picture metrics against the vectors of the authors' functions.

use juror_metrics::{
    BoundingBox, BoxRule, Canny, Grey, Image, LabelMap, Map, MetricError, Pixels, View, canny,
    drawn_box, fid_multiref, grey, mask, mask_overlap, mse_multiref, pose_pixels, semantic_map,
};
use serde_json::{Value, json};

use super::{Outcome, Tallies};

/// The vectors, with their provenance inside.
pub const VECTORS: &str = include_str!("../../golden/multiref_metrics.json");

/// The rules that a must-fail test exchanges for wrong ones.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// MSE of two maps, the generated one first.
    pub mse: fn(&Map<'_>, &Map<'_>) -> Result<f64, MetricError>,
    /// The box that is drawn in a picture.
    pub drawn_box: fn(&Pixels<'_>, BoxRule) -> Result<BoundingBox, MetricError>,
    /// The grey of a colour picture.
    pub grey: fn(&Pixels<'_>, Grey) -> Result<Image<u8>, MetricError>,
    /// What counts as an edge.
    pub thresholds: Canny,
    /// From precision and recall.
    pub pose: fn(f64, f64) -> f64,
    /// From the features of one picture.
    pub fid: fn(&[f64]) -> Result<f64, MetricError>,
}

impl Rules {
    /// Juror's own.
    pub const JUROR: Self = Self {
        mse: mse_multiref,
        drawn_box,
        grey,
        thresholds: Canny::MULTIREF,
        pose: |precision, recall| precision * recall,
        fid: fid_multiref,
    };
}

/// Runs all cases.
///
/// # Panics
/// If the vectors are not JSON.
pub fn run(rules: &Rules) -> Tallies {
    let vectors: Value = serde_json::from_str(VECTORS).expect("the vectors are JSON");
    super::run(&vectors, |group, case| {
        let input = &case["input"];
        let found = match group {
            "mse" => mse(rules, input),
            "mask_iou" => mask_iou(input),
            "bbox_iou" => Ok(json!(corners(&input[0]).iou(&corners(&input[1])))),
            "bbox_from_image" => bbox_from_image(rules, case),
            "mask_from_image" => mask_from_image(input),
            "label_map" => label_map(input),
            "semantic_map" => region_maps(rules, input),
            "pose" => pose(rules, input),
            "fid" => (rules.fid)(&features(input)).map(|value| json!(value)),
            "canny" => edges(rules, input),
            other => return Outcome::Skip(format!("the group {other} is new")),
        };
        Outcome::Value(found.unwrap_or_else(|error| json!({"error": error.to_string()})))
    })
}

/// Input and expected value of every case of a group.
fn cases_of(group: &str) -> Vec<(Value, Value)> {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap_or_default();
    let groups = vectors["groups"].as_array().into_iter().flatten();
    let cases = groups
        .filter(|record| record["group"] == group)
        .flat_map(|record| record["cases"].as_array().into_iter().flatten());
    cases
        .map(|case| (case["input"].clone(), case["expected"].clone()))
        .collect()
}

/// The pictures whose edges the authors found, with the runs of their edge maps.
///
/// # Panics
/// A case holds no picture.
pub fn edges_of_cases() -> Vec<(Image<u8>, Value)> {
    let cases = cases_of("canny").into_iter();
    cases
        .map(|(input, expected)| (from_runs(&input).expect("runs of a picture"), expected))
        .collect()
}

/// The masks whose overlap the authors counted, with their IoU or what their function raised.
///
/// # Panics
/// A case holds no masks.
pub fn masks_of_cases() -> Vec<([Image<u8>; 2], Value)> {
    let cases = cases_of("mask_iou").into_iter();
    cases
        .map(|(input, expected)| {
            let masks = ["a", "b"].map(|key| picture(&input[key]).expect("a mask"));
            (masks, expected)
        })
        .collect()
}

type Found = Result<Value, MetricError>;

/// Width, height, channels, and all numbers row by row.
type Rows = (usize, usize, usize, Vec<f64>);

/// Rows of numbers, or of places of numbers.
fn nested(rows: &Value) -> Rows {
    let length = |value: &Value| value.as_array().map_or(1, Vec::len);
    let mut data = Vec::new();
    flatten(rows, &mut data);
    (length(&rows[0]), length(rows), length(&rows[0][0]), data)
}

fn flatten(value: &Value, data: &mut Vec<f64>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| flatten(item, data)),
        number => data.push(number.as_f64().unwrap_or(f64::NAN)),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the vectors' pictures are bytes"
)]
fn bytes(data: &[f64]) -> Vec<u8> {
    data.iter().map(|value| *value as u8).collect()
}

/// A picture in the vectors' own order of channels.
fn picture(rows: &Value) -> Result<Image<u8>, MetricError> {
    let (width, height, channels, data) = nested(rows);
    Image::new(width, height, channels, bytes(&data))
}

/// Runs `[count, [blue, green, red]]` as a picture with red first.
fn from_runs(rle: &Value) -> Result<Image<u8>, MetricError> {
    let side = |key: &str| usize::try_from(rle[key].as_u64().unwrap_or(0)).unwrap_or(0);
    let mut data = Vec::new();
    for run in rle["runs"].as_array().into_iter().flatten() {
        let (_, _, _, colour) = nested(&json!([[run[1]]]));
        let mut colour = bytes(&colour);
        colour.reverse();
        for _ in 0..run[0].as_u64().unwrap_or(0) {
            data.extend_from_slice(&colour);
        }
    }
    Image::new(side("w"), side("h"), 3, data)
}

/// The runs of a grey picture, as the vectors hold it.
pub fn runs(picture: &Image<u8>) -> Value {
    let view = picture.view();
    let mut runs: Vec<(u64, u8)> = Vec::new();
    for sample in view.data() {
        match runs.last_mut() {
            Some((count, last)) if last == sample => *count += 1,
            _ => runs.push((1, *sample)),
        }
    }
    let runs: Vec<Value> = runs
        .into_iter()
        .map(|(count, sample)| json!([count, [sample]]))
        .collect();
    json!({"h": view.height(), "w": view.width(), "runs": runs})
}

fn mse(rules: &Rules, input: &Value) -> Found {
    let is_bytes = input["dtype"][0] == "uint8";
    let [generated, reference] = ["generated", "reference"].map(|key| nested(&input[key]));
    let (g, r) = (bytes(&generated.3), bytes(&reference.3));
    match (rules.mse)(
        &map(&generated, &g, is_bytes)?,
        &map(&reference, &r, is_bytes)?,
    ) {
        // What NumPy says to the same.
        Err(MetricError::ChannelMismatch { .. }) => Ok(json!({
            "$raises": "ValueError",
            "message": format!(
                "operands could not be broadcast together with shapes ({},{}) ({},{},{}) ",
                generated.1, generated.0, reference.1, reference.0, reference.2
            ),
        })),
        found => found.map(|value| json!(value)),
    }
}

fn map<'a>(
    (width, height, channels, reals): &'a Rows,
    bytes: &'a [u8],
    is_bytes: bool,
) -> Result<Map<'a>, MetricError> {
    Ok(if is_bytes {
        Map::Bytes(View::new(*width, *height, *channels, bytes)?)
    } else {
        Map::Reals(View::new(*width, *height, *channels, reals)?)
    })
}

fn mask_iou(input: &Value) -> Found {
    let (a, b) = (picture(&input["a"])?, picture(&input["b"])?);
    match mask_overlap(&b.view(), &a.view()) {
        // The authors' own words.
        Err(MetricError::SizeMismatch { .. }) => Ok(json!({
            "$raises": "ValueError",
            "message": "Both matrices must have the same shape.",
        })),
        found => found.map(|overlap| json!(overlap.iou())),
    }
}

fn corners(input: &Value) -> BoundingBox {
    BoundingBox::new([0, 1, 2, 3].map(|idx| input[idx].as_f64().unwrap_or(f64::NAN)))
}

/// The released rule is compared as the case's value; the intended one stands beside it.
fn bbox_from_image(rules: &Rules, case: &Value) -> Found {
    let picture = from_runs(&case["picture_rle"])?;
    let list = |found: BoundingBox| json!([[found.x0, found.y0, found.x1, found.y1]]);
    let intended = match (rules.drawn_box)(&picture.view(), BoxRule::Intended) {
        Ok(found) => list(found),
        Err(MetricError::NoBox { .. }) => Value::Null,
        Err(error) => return Err(error),
    };
    let expected = &case["plain_threshold_box"];
    if !super::agree(expected, &intended, 0.0) {
        return Ok(json!({"intended": intended, "expected": expected}));
    }
    Ok(list((rules.drawn_box)(&picture.view(), BoxRule::Released)?))
}

fn mask_from_image(input: &Value) -> Found {
    let mut picture = picture(input)?;
    if picture.view().channels() == 3 {
        let (width, height) = picture.view().size();
        let mut data = picture.into_data();
        data.chunks_exact_mut(3).for_each(<[u8]>::reverse);
        picture = Image::new(width, height, 3, data)?;
    }
    let found = mask(&picture.view())?;
    Ok(found.view().rows().map(|row| json!(row)).collect())
}

fn label_map(input: &Value) -> Found {
    let picture = picture(input)?;
    let found = LabelMap::new(&picture.view())?;
    let rows = found.labels().chunks_exact(picture.view().width());
    Ok(rows.map(|row| json!(row)).collect())
}

fn region_maps(rules: &Rules, input: &Value) -> Found {
    let generated = from_runs(&input["generated_rle"])?;
    let reference = from_runs(&input["reference_rle"])?;
    let reference = (rules.grey)(&reference.view(), Grey::OpenCvPngRead)?;
    let found = semantic_map(&generated.view(), &reference.view())?;
    Ok(json!(found.mean_iou))
}

fn pose(rules: &Rules, input: &Value) -> Found {
    let first = from_runs(&input["first_rle"])?;
    let second = from_runs(&input["second_rle"])?;
    let found = pose_pixels(&first.view(), &second.view())?;
    Ok(json!((rules.pose)(found.precision(), found.recall())))
}

/// A list, or `n` numbers of which only the mean is given.
fn features(input: &Value) -> Vec<f64> {
    if input.is_array() {
        return nested(&json!([input])).3;
    }
    let count = usize::try_from(input["n"].as_u64().unwrap_or(0)).unwrap_or(0);
    vec![input["mean"].as_f64().unwrap_or(f64::NAN); count]
}

fn edges(rules: &Rules, input: &Value) -> Found {
    let picture = from_runs(input)?;
    let grey = (rules.grey)(&picture.view(), Grey::OpenCv)?;
    Ok(runs(&canny(&grey.view(), rules.thresholds)?))
}
