//! The golden pictures beside the repository, with what the Python tools make of them.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at broken vectors and says loudly what it skipped"
)]

use std::path::PathBuf;

use juror_image::{Limits, Rgb, decode_rgb};
use juror_metrics::Image;
use serde_json::Value;

/// The golden folder and its list of values.
#[derive(Debug)]
pub struct Golden {
    root: PathBuf,
    /// What `golden.json` holds.
    pub values: Value,
}

impl Golden {
    /// The folder, or `None` with one loud line where it is absent.
    ///
    /// # Panics
    /// Its list cannot be read.
    pub fn open() -> Option<Self> {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/metrics-golden");
        let path = root.join("golden.json");
        if !path.exists() {
            eprintln!("SKIPPED: {} is absent", path.display());
            return None;
        }
        let values = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        Some(Self { root, values })
    }

    /// A file of the folder.
    ///
    /// # Panics
    /// It cannot be read.
    pub fn bytes(&self, path: &Value) -> Vec<u8> {
        std::fs::read(self.root.join(path.as_str().unwrap())).unwrap()
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
