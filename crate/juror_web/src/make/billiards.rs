//! The edge of VIBE's Billiards: cases drawn one by one, and drawn answers to them checked.

use std::collections::BTreeSet;

use juror_make::billiards::{
    COUNTS, Choice, HEIGHT, Listed, Maker, NUM_CUSHIONS, SEEDS, Told, WIDTH, check_picture,
    described, listed, no_picture, picture_of,
};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::{json, refused};

/// What there is to know before cases are drawn.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct BilliardsAbout {
    /// What is made, and for which benchmark.
    title: &'static str,
    /// The fewest and the most cases.
    counts: [u32; 2],
    /// The least and the largest seed, as text: the largest is no number of JavaScript's.
    seeds: [String; 2],
    /// The fewest and the most cushions that a case touches.
    cushions: [u32; 2],
    /// Width and height of the pictures, in pixels.
    size: [u32; 2],
}

/// What there is to know before cases are drawn, as JSON of [`BilliardsAbout`].
#[wasm_bindgen]
pub fn billiards_about() -> Result<String, JsValue> {
    json(&BilliardsAbout {
        title: "Billiards for VIBE",
        counts: [*COUNTS.start(), *COUNTS.end()],
        seeds: [SEEDS.start().to_string(), SEEDS.end().to_string()],
        cushions: [*NUM_CUSHIONS.start(), *NUM_CUSHIONS.end()],
        size: [WIDTH, HEIGHT],
    })
}

/// A case that was drawn.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct BilliardsCase {
    /// `Billiards_0001`, ….
    id: String,
    /// How many cushions are touched.
    k: u32,
    /// Number of the ball that is hit.
    target: u8,
    /// What the input and the golden answer show.
    words: [String; 2],
}

/// Cases that are drawn one after another.
#[wasm_bindgen]
pub struct Billiards(Maker);

#[wasm_bindgen]
impl Billiards {
    /// Begins, from the fields as they are typed; no number of cushions lets their numbers take turns.
    #[wasm_bindgen(constructor)]
    pub fn new(count: &str, seed: &str, cushions: &str) -> Result<Billiards, JsValue> {
        let choice = Choice::read(count, seed, cushions).map_err(refused)?;
        Maker::new(choice).map(Self).map_err(refused)
    }

    /// How many cases there will be.
    pub fn count(&self) -> u32 {
        self.0.count()
    }

    /// Draws the next case: its input and its golden answer as pairs of path and bytes; `null` after the last.
    pub fn draw(&mut self) -> Result<Option<js_sys::Array>, JsValue> {
        let pictures = self.0.next_pictures().map_err(refused)?;
        Ok(pictures.map(|pictures| {
            let pairs = pictures.into_iter().map(|copied| {
                let bytes = js_sys::Uint8Array::from(&copied.bytes[..]);
                JsValue::from(js_sys::Array::of2(&copied.path.into(), &bytes))
            });
            pairs.collect()
        }))
    }

    /// The case that was drawn last, as JSON of [`BilliardsCase`].
    pub fn last(&self) -> Result<String, JsValue> {
        let case = self.0.cases().last().map(|case| BilliardsCase {
            id: case.id.clone(),
            k: case.k,
            target: case.target,
            words: described(case),
        });
        json(&case)
    }

    /// The list with the truth of each case that was drawn, as path and text.
    pub fn list(&self) -> Result<Vec<String>, JsValue> {
        let list = self.0.list().map_err(refused)?;
        Ok(vec![list.path, list.text])
    }
}

/// What a case's picture comes to.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct BilliardsRow {
    /// The case.
    id: String,
    /// The picture's name; empty where there is none.
    file: String,
    /// The line that `juror check billiards` prints; empty where nothing could be checked.
    line: String,
    /// Equation (7); `null` where a part could not be read.
    score: Option<f64>,
    /// The three decisions; none where nothing could be checked.
    told: Vec<Told>,
    /// Why nothing could be checked; empty where it could.
    fault: String,
}

/// Drawn answers, checked against a list.
#[wasm_bindgen]
pub struct DrawnAnswers {
    listed: Vec<Listed>,
    list: String,
    folder: String,
    names: BTreeSet<String>,
}

#[wasm_bindgen]
impl DrawnAnswers {
    /// Reads the list; `names` are the files of the folder of answers.
    #[wasm_bindgen(constructor)]
    pub fn new(
        text: &str,
        list: String,
        folder: String,
        names: Vec<String>,
    ) -> Result<DrawnAnswers, JsValue> {
        let listed = listed(text).map_err(|cause| refused(format!("{list} {cause}.")))?;
        Ok(Self {
            listed,
            list,
            folder,
            names: names.into_iter().collect(),
        })
    }

    /// How many cases there are.
    pub fn count(&self) -> usize {
        self.listed.len()
    }

    /// The name of the picture that answers a case; empty where there is none.
    pub fn wanted(&self, at: usize) -> String {
        let case = self.listed.get(at);
        case.and_then(|case| self.named(&case.id))
            .unwrap_or_default()
    }

    /// Checks the answer to a case by the bytes of its picture; gives JSON of [`BilliardsRow`].
    pub fn check(&self, at: usize, bytes: &[u8]) -> Result<String, JsValue> {
        let Some(Listed { id, case }) = self.listed.get(at) else {
            return Err(refused("The list has no such case."));
        };
        let mut row = BilliardsRow {
            id: id.clone(),
            file: self.named(id).unwrap_or_default(),
            line: String::new(),
            score: None,
            told: Vec::new(),
            fault: String::new(),
        };
        match case {
            Err(why) => row.fault = format!("{}: {id}: {why}", self.list),
            Ok(_) if row.file.is_empty() => {
                row.fault = format!("{}: {}", self.folder, no_picture(id));
            }
            Ok(case) => match check_picture(case, bytes) {
                Err(why) => row.fault = format!("{}: {why}", row.file),
                Ok(found) => {
                    row.line = found.line(id).map_err(refused)?;
                    row.score = found.score();
                    row.told = found.told().to_vec();
                }
            },
        }
        json(&row)
    }
}

impl DrawnAnswers {
    fn named(&self, id: &str) -> Option<String> {
        picture_of(id, |name| self.names.contains(name))
    }
}
