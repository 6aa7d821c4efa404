//! The edge of networks: packs among the files that a user picked, in a worker, and values of outputs.
//!
//! Files are read where they lie, a slice at a time, as workers may: a pack never lies in memory twice.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use juror_image::{Limits, decode_rgb};
use juror_metrics::{Input, Resampling, View, frechet, resize};
use juror_neural::pack::{MANIFEST, PackFiles, PackProfile, Task};
use juror_neural::{
    Against, Networks, NeuralError, Objects, Profile, Rten, Runner, ZippedPack, folder_of, nearest,
};
use sha2::{Digest as _, Sha256};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, FileReaderSync};

use crate::error;
use crate::graph_host::{GraphHost, HostRunner};
use crate::measured::{Measured, hash, hex, plain};
use crate::network_pack::{NetworkCheck, NetworkPack};
use crate::pixels::PictureMap;

/// Packs that were opened, with what runs them.
#[wasm_bindgen]
pub struct NetworkMeasurer {
    networks: Networks,
    profile: Profile,
}

#[wasm_bindgen]
#[expect(
    clippy::needless_pass_by_value,
    reason = "what JavaScript hands over is owned here"
)]
impl NetworkMeasurer {
    /// Without a pack yet; `profile` is `standard`, else `released`. Graphs run by `host`, or on the CPU without one.
    #[wasm_bindgen(constructor)]
    pub fn new(profile: &str, host: Option<GraphHost>) -> NetworkMeasurer {
        let runner: Box<dyn Runner> = match host {
            Some(host) => Box::new(HostRunner::new(host)),
            None => Box::new(Rten),
        };
        Self {
            networks: Networks::new(runner),
            profile: match profile {
                "standard" => Profile::Standard,
                _ => Profile::Released,
            },
        }
    }

    /// Opens a pack (`NetworkPack`): a folder's files by their paths, or one ZIP. Rejects with the code `no_pack` where it is none.
    pub fn open(&mut self, paths: Vec<String>, files: Vec<Blob>) -> Result<JsValue, JsValue> {
        let refused = |cause: NeuralError| error("no_pack", &cause.to_string());
        let files: Box<dyn PackFiles> = match (&paths[..], &files[..]) {
            ([path], [file]) if path.rsplit('/').next() != Some(MANIFEST) => {
                let reader = BufReader::new(Picked::new(file.clone())?);
                Box::new(ZippedPack::open(reader, path).map_err(refused)?)
            }
            _ => Box::new(Folder::new(&paths, files)?),
        };
        let pack = self.networks.open(files).map_err(refused)?;
        let manifest = &pack.manifest;
        plain(&NetworkPack {
            id: manifest.id.clone(),
            task: manifest.task.id(),
            source: manifest.source.clone(),
            licence: manifest.licence.clone(),
            profile: match manifest.profile {
                PackProfile::Released => "released",
                PackProfile::Standard => "standard",
                PackProfile::Both => "both",
            },
            sha256: pack.sha256.clone(),
            bytes: manifest.files.iter().map(|file| file.bytes).sum(),
        })
    }

    /// The runner with its version, and what it computes on: `rten 0.27 cpu`.
    pub fn runner(&self) -> String {
        self.networks.runner()
    }

    /// Compares every graph of a pack with its golden cases (`NetworkCheck`). Rejects with the code `refused` where one is off.
    pub async fn check(&mut self, task: &str) -> Result<JsValue, JsValue> {
        let refused = |cause: NeuralError| error("refused", &cause.to_string());
        let known = Task::from_id(task).ok_or_else(|| error("no_task", task))?;
        let deviation = self.networks.check(known).await.map_err(refused)?;
        plain(&NetworkCheck {
            runner: self.networks.runner(),
            deviation,
            caution: self.networks.caution(known),
        })
    }

    /// A picture's feature of length 1, for [`nearest_of`].
    pub async fn embed(
        &mut self,
        task: &str,
        picture: Vec<u8>,
    ) -> Result<js_sys::Float32Array, JsValue> {
        let known = Task::from_id(task).ok_or_else(|| error("no_task", task))?;
        let found = self.networks.embedding(known, &picture).await;
        let found = found.map_err(|cause| error("no_feature", &cause.to_string()))?;
        Ok(js_sys::Float32Array::from(&found[..]))
    }

    /// The features of Inception-v3 of a picture, for [`frechet_of`].
    pub async fn inception(&mut self, picture: Vec<u8>) -> Result<js_sys::Float32Array, JsValue> {
        let found = self.networks.inception(&picture).await;
        let found = found.map_err(|cause| error("no_feature", &cause.to_string()))?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a network's numbers are f32 anyway"
        )]
        let found: Vec<f32> = found.into_iter().map(|value| value as f32).collect();
        Ok(js_sys::Float32Array::from(&found[..]))
    }

    /// Which network gives this, as a report names it.
    pub fn describe(&self, task: &str) -> Result<String, JsValue> {
        let known = Task::from_id(task).ok_or_else(|| error("no_task", task))?;
        Ok(self.networks.describe(known, self.profile))
    }

    /// What a result of a network is known by: SHA-256 of which network it is of, the files and the words, hex.
    pub fn key(
        &self,
        task: &str,
        files: Vec<js_sys::Uint8Array>,
        words: Vec<String>,
    ) -> Result<String, JsValue> {
        let mut all = Sha256::new();
        for word in std::iter::once(self.describe(task)?).chain(words) {
            all.update(Sha256::digest(word));
        }
        for file in files {
            all.update(Sha256::digest(file.to_vec()));
        }
        Ok(hex(&all.finalize()))
    }

    /// What a network paints of the second picture (`PictureMap`), at the first one's size.
    pub async fn map(
        &mut self,
        task: &str,
        frame: Vec<u8>,
        picture: Vec<u8>,
    ) -> Result<JsValue, JsValue> {
        let known = Task::from_id(task).ok_or_else(|| error("no_task", task))?;
        let bad = |cause: &dyn std::fmt::Display| error("no_map", &cause.to_string());
        let frame =
            decode_rgb(&frame, &Limits::default()).map_err(|cause| bad(&cause.message()))?;
        let (width, height) = (frame.width as usize, frame.height as usize);
        let map = self.networks.map(known, &picture).await;
        let map = map.map_err(|cause| bad(&cause))?;
        let map = resize(&map.view(), width, height, Resampling::Linear);
        let map = map.map_err(|cause| bad(&cause))?;
        let channels = map.view().channels();
        // All channels of a skeleton are alike.
        let places: Vec<f32> = map
            .data()
            .iter()
            .step_by(channels)
            .map(|place| f32::from(*place))
            .collect();
        plain(&PictureMap {
            value: f64::NAN,
            width,
            height,
            inset: 0,
            places: js_sys::Float32Array::from(places.as_slice()),
            lowest: None,
        })
    }

    /// Measures one output (`Measured`): against a prompt where there is one, else against the counterpart that the task asks
    /// for. What cannot be measured is a problem of its value.
    pub async fn measure(
        &mut self,
        task: &str,
        prompt: &str,
        counterpart: Vec<u8>,
        output: Vec<u8>,
    ) -> Result<JsValue, JsValue> {
        let known = Task::from_id(task).ok_or_else(|| error("no_task", task))?;
        let found = self.value(known, prompt, &counterpart, &output).await;
        plain(&Measured {
            metric: known.id(),
            value: found.as_ref().ok().copied(),
            backend: self.networks.backend(),
            problem: found.err(),
            fallback: None,
            width: 0,
            height: 0,
            reference: if prompt.is_empty() {
                hash(&counterpart)
            } else {
                String::new()
            },
            candidate: hash(&output),
            network: Some(self.networks.describe(known, self.profile)),
        })
    }

    /// Measures the objects of an output (`Measured`). `files` are the output, its box file, then each reference and its box
    /// file; `names` are the paths of the box files.
    pub async fn measure_objects(
        &mut self,
        task: &str,
        files: Vec<js_sys::Uint8Array>,
        names: Vec<String>,
    ) -> Result<JsValue, JsValue> {
        let known = Task::from_id(task).ok_or_else(|| error("no_task", task))?;
        let files: Vec<Vec<u8>> = files.iter().map(js_sys::Uint8Array::to_vec).collect();
        let objects = Objects::of(&files, &names);
        let objects = objects.map_err(|cause| error("no_objects", &cause.to_string()))?;
        let found = (self.networks)
            .objects(known, self.profile, &objects)
            .await
            .map_err(|cause| cause.to_string());
        plain(&Measured {
            metric: known.id(),
            value: found.as_ref().ok().copied(),
            backend: self.networks.backend(),
            problem: found.err(),
            fallback: None,
            width: 0,
            height: 0,
            reference: objects.fingerprint(),
            candidate: hash(objects.output.picture),
            network: Some(
                self.networks
                    .describe_objects(known, self.profile, &objects),
            ),
        })
    }
}

/// For each feature (`width` numbers each) the place of the nearest among others, or among its own kind, and their cosine:
/// pairs one after the other, NaN where there is none.
#[wasm_bindgen]
#[must_use]
#[expect(
    clippy::needless_pass_by_value,
    reason = "what JavaScript hands over is owned here"
)]
pub fn nearest_of(of: &[f32], among: Option<Vec<f32>>, width: usize) -> Vec<f64> {
    let found = nearest(of, among.as_deref(), width).into_iter();
    let pairs = found.map(|one| one.map_or([f64::NAN; 2], |one| [one.at as f64, one.cosine]));
    pairs.flatten().collect()
}

/// The Fréchet distance of two sets of features, `width` numbers each, one after the other. Rejects with the code `no_distance`.
#[wasm_bindgen]
pub fn frechet_of(reference: &[f32], candidate: &[f32], width: usize) -> Result<f64, JsValue> {
    let refused = |cause| {
        error(
            "no_distance",
            &juror_metrics::MetricError::to_string(&cause),
        )
    };
    let wide = |set: &[f32]| -> Vec<f64> { set.iter().copied().map(f64::from).collect() };
    let (reference, candidate) = (wide(reference), wide(candidate));
    let rows = |set: &[f64]| set.len() / width.max(1);
    let distance = frechet(
        &View::new(width, rows(&reference), 1, &reference).map_err(refused)?,
        &View::new(width, rows(&candidate), 1, &candidate).map_err(refused)?,
    );
    Ok(distance.map_err(refused)?.value())
}

impl NetworkMeasurer {
    async fn value(
        &mut self,
        task: Task,
        prompt: &str,
        counterpart: &[u8],
        output: &[u8],
    ) -> Result<f64, String> {
        let map: Input;
        let against = match task {
            _ if !prompt.is_empty() => Against::Text(prompt),
            Task::Aesthetics | Task::Inception => Against::Nothing,
            Task::Depth | Task::Sketch | Task::Pose => {
                map = juror_measure::input(counterpart).map_err(|cause| cause.message())?;
                Against::Map(&map)
            }
            Task::Clip | Task::Dino | Task::Lpips => Against::Picture(counterpart),
        };
        let measured = self.networks.measure(task, self.profile, against, output);
        measured.await.map_err(|cause| cause.to_string())
    }
}

/// A file that was picked, read at any place.
struct Picked {
    file: Blob,
    reader: FileReaderSync,
    at: u64,
}

impl Picked {
    fn new(file: Blob) -> Result<Self, JsValue> {
        Ok(Self {
            file,
            reader: FileReaderSync::new()?,
            at: 0,
        })
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a file's length is a whole number"
)]
fn length_of(file: &Blob) -> u64 {
    file.size() as u64
}

/// The bytes from a place on, as many as fit.
fn read_at(
    reader: &FileReaderSync,
    file: &Blob,
    at: u64,
    into: &mut [u8],
) -> Result<usize, String> {
    let end = length_of(file).min(at.saturating_add(into.len() as u64));
    if end <= at {
        return Ok(0);
    }
    let slice = file.slice_with_f64_and_f64(at as f64, end as f64);
    let buffer = slice.and_then(|slice| reader.read_as_array_buffer(&slice));
    let buffer = buffer.map_err(|cause| message_of(&cause))?;
    let bytes = js_sys::Uint8Array::new(&buffer);
    let length = into.len().min(bytes.length() as usize);
    bytes
        .subarray(
            0,
            bytes
                .length()
                .min(u32::try_from(length).unwrap_or(u32::MAX)),
        )
        .copy_to(&mut into[..length]);
    Ok(length)
}

/// What a browser says of a file that it cannot read.
fn message_of(cause: &JsValue) -> String {
    let message = js_sys::Reflect::get(cause, &"message".into());
    let message = message.ok().and_then(|message| message.as_string());
    message.unwrap_or_else(|| "the browser cannot read it".to_owned())
}

impl Read for Picked {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = read_at(&self.reader, &self.file, self.at, into).map_err(io::Error::other)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Picked {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let length = length_of(&self.file);
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => length.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// A pack in a folder that was picked.
struct Folder {
    /// By their paths from `pack.json` on.
    files: BTreeMap<String, Blob>,
    reader: FileReaderSync,
}

impl Folder {
    fn new(paths: &[String], files: Vec<Blob>) -> Result<Self, JsValue> {
        let folder = folder_of(paths.iter().map(String::as_str));
        let folder = folder.map_err(|cause| error("no_pack", &cause.to_string()))?;
        let within = |path: &String| path.strip_prefix(&folder).map(str::to_owned);
        let files = paths.iter().zip(files);
        Ok(Self {
            files: files
                .filter_map(|(path, file)| Some((within(path)?, file)))
                .collect(),
            reader: FileReaderSync::new()?,
        })
    }

    fn file(&self, name: &str) -> Result<&Blob, NeuralError> {
        self.files
            .get(name)
            .ok_or_else(|| NeuralError::unreadable(name, &"it is not in the folder"))
    }
}

impl PackFiles for Folder {
    fn length(&mut self, file: &str) -> Result<u64, NeuralError> {
        self.file(file).map(length_of)
    }

    fn read(&mut self, file: &str, offset: u64, into: &mut [u8]) -> Result<usize, NeuralError> {
        read_at(&self.reader, self.file(file)?, offset, into)
            .map_err(|why| NeuralError::unreadable(file, &why))
    }
}
