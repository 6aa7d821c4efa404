//! The golden pictures beside the repository, with what the Python tools make of them.
//!
//! They are compiled in, so that Wasm, which has no files, is held to the same values.
#![expect(clippy::unwrap_used, reason = "a test stops at broken vectors")]

use juror_image::{Limits, Rgb, decode_rgb};
use juror_metrics::Image;
use serde_json::Value;

use crate::say;

/// Paths below the folder with what they hold; `None` where the folder is absent.
const FILES: Option<&[(&str, &[u8])]> = include!(concat!(env!("OUT_DIR"), "/metrics_golden.in"));

/// Where it is looked for, from the repository's root.
const PATH: &str = "../shared/metrics-golden";

/// The golden folder and its list of values.
#[derive(Debug)]
pub struct Golden {
    files: &'static [(&'static str, &'static [u8])],
    /// What `golden.json` holds.
    pub values: Value,
}

impl Golden {
    /// The folder, or `None` with one loud line where it is absent.
    ///
    /// # Panics
    /// Its list cannot be read.
    pub fn open() -> Option<Self> {
        let Some(files) = FILES else {
            say!("SKIPPED: {PATH} is absent");
            return None;
        };
        let mut golden = Self {
            files,
            values: Value::Null,
        };
        golden.values = serde_json::from_slice(golden.file("golden.json")).unwrap();
        Some(golden)
    }

    fn file(&self, path: &str) -> &'static [u8] {
        let found = self.files.iter().find(|(below, _)| *below == path);
        found.unwrap_or_else(|| panic!("{PATH}/{path} is absent")).1
    }

    /// A file of the folder.
    ///
    /// # Panics
    /// It cannot be read.
    pub fn bytes(&self, path: &Value) -> Vec<u8> {
        self.file(path.as_str().unwrap()).to_vec()
    }

    /// A stored colour picture.
    ///
    /// # Panics
    /// It cannot be decoded.
    pub fn rgb(&self, path: &Value) -> Image<u8> {
        owned(decode_rgb(&self.bytes(path), &Limits::default()).unwrap())
    }

    /// A stored grey picture.
    ///
    /// # Panics
    /// It cannot be decoded.
    pub fn plane(&self, path: &Value) -> Image<u8> {
        self.rgb(path).view().channel(0).unwrap()
    }

    /// Raw little-endian numbers.
    ///
    /// # Panics
    /// They are of a type that no test knows.
    pub fn numbers(&self, record: &Value) -> Vec<f64> {
        let bytes = self.bytes(&record["file"]);
        match record["dtype"].as_str().unwrap() {
            "<f4" => bytes
                .as_chunks()
                .0
                .iter()
                .map(|b| f64::from(f32::from_le_bytes(*b)))
                .collect(),
            "<f8" => bytes
                .as_chunks()
                .0
                .iter()
                .map(|b| f64::from_le_bytes(*b))
                .collect(),
            other => panic!("{other} is new"),
        }
    }

    /// Name, record, reference and candidate of every pair.
    ///
    /// # Panics
    /// There are not 14 of them.
    pub fn pairs(&self) -> impl Iterator<Item = (&String, &Value, Image<u8>, Image<u8>)> {
        let pairs = self.values["pairs"].as_object().unwrap();
        assert_eq!(pairs.len(), 14);
        pairs
            .iter()
            .map(|(name, pair)| (name, pair, self.rgb(&pair["ref"]), self.rgb(&pair["gen"])))
    }
}

/// A decoded picture as metrics take it.
///
/// # Panics
/// It contradicts itself.
pub fn owned(picture: Rgb) -> Image<u8> {
    let (width, height) = (picture.width as usize, picture.height as usize);
    Image::new(width, height, 3, picture.data).unwrap()
}
