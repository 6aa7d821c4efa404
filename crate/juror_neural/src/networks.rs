//! Open packs as one thing that measures pictures: which pack computes what, one network in memory at a time, and nothing
//! computed twice for a picture.

use std::collections::BTreeMap;

use juror_metrics::{Array, Image, Input, Metric, Resampling, fid_multiref, resize};
use sha2::{Digest as _, Sha256};

use crate::pack::{Loaded, Pack, PackFiles, Task};
use crate::positions::positions;
use crate::score::{Profile, aesthetic_rating, dino_similarity, feature_cosine, perceptual_range};
use crate::{
    HeatMaps, NeuralError, Pixels, Runner, Tensor, Values, depth_map, skeleton, sketch_map,
};

/// The graph of pictures.
pub(crate) const IMAGE: &str = "image";
/// CLIP's graph of texts.
const TEXT: &str = "text";
/// Pixels along a side of a patch of DINOv2, on which Depth Anything stands.
const PATCH: usize = 14;
/// LPIPS' graph of two pictures.
pub(crate) const PAIR: &str = "pair";

/// What a picture is held against.
#[derive(Clone, Copy, Debug)]
pub enum Against<'a> {
    /// Another picture's file.
    Picture(&'a [u8]),
    /// A text.
    Text(&'a str),
    /// A map of the same kind that somebody has: a depth map, a sketch.
    Map(&'a Input),
    /// Nothing.
    Nothing,
}

/// Which of a graph's two ways a picture is prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Preparation {
    Own,
    #[cfg(feature = "text")]
    Caption,
}

/// A picture's feature is known by its graph, how it was prepared, and the file's hash.
type FeatureKey = (Task, Preparation, [u8; 32]);
/// The numbers of a crop by its graph, the profile and its pixels' hash.
type CropKey = (Task, &'static str, [u8; 32]);

/// Packs that were opened, with what runs them.
pub struct Networks {
    runner: Box<dyn Runner>,
    packs: Vec<(Pack, Box<dyn PackFiles>)>,
    /// The one graph that is in memory.
    loaded: Option<(Task, &'static str, Loaded)>,
    features: BTreeMap<FeatureKey, Tensor>,
    /// What is compared of crops, which takes less room than features.
    pub(crate) crops: BTreeMap<CropKey, Vec<f64>>,
    /// How far each task's graphs were from their golden cases, the furthest.
    deviations: BTreeMap<Task, f64>,
    cautions: BTreeMap<Task, &'static str>,
}

impl std::fmt::Debug for Networks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ids: Vec<&str> = self
            .packs
            .iter()
            .map(|(pack, _)| pack.manifest.id.as_str())
            .collect();
        f.debug_struct("Networks")
            .field("packs", &ids)
            .finish_non_exhaustive()
    }
}

impl Networks {
    /// Without a pack yet.
    pub fn new(runner: Box<dyn Runner>) -> Self {
        Self {
            runner,
            packs: Vec::new(),
            loaded: None,
            features: BTreeMap::new(),
            crops: BTreeMap::new(),
            deviations: BTreeMap::new(),
            cautions: BTreeMap::new(),
        }
    }

    /// Opens a pack; of two for one task the later one computes.
    ///
    /// # Errors
    /// Those of [`Pack::open`].
    pub fn open(&mut self, mut files: Box<dyn PackFiles>) -> Result<&Pack, NeuralError> {
        let pack = Pack::open(&mut *files)?;
        self.packs
            .retain(|(known, _)| known.manifest.task != pack.manifest.task);
        self.packs.push((pack, files));
        Ok(&self.packs[self.packs.len() - 1].0)
    }

    /// The pack that computes this.
    pub fn pack(&self, task: Task) -> Option<&Pack> {
        let mut packs = self.packs.iter().map(|(pack, _)| pack);
        packs.find(|pack| pack.manifest.task == task)
    }

    /// Which network computes this, for a report: pack, hash, runner, backend, profile; empty where no pack is open for it.
    pub fn describe(&self, task: Task, profile: Profile) -> String {
        let Some(pack) = self.pack(task) else {
            return String::new();
        };
        format!(
            "{} sha256:{} on {} {}, {}",
            pack.manifest.id,
            pack.sha256,
            self.runner.id(),
            self.runner.device(),
            profile.id()
        )
    }

    /// Name and version of what runs the networks, and on what: `rten 0.27 cpu`.
    pub fn runner(&self) -> String {
        format!("{} {}", self.runner.id(), self.runner.device())
    }

    /// What values are computed on, as their records have it: `cpu` or `gpu`.
    pub fn backend(&self) -> &'static str {
        self.runner.backend()
    }

    /// How far the runner was from the golden cases that were checked so far, the furthest; `None` before the first.
    pub fn deviation(&self, task: Task) -> Option<f64> {
        self.deviations.get(&task).copied()
    }

    /// Holds every graph of a pack against its golden cases, as the first value would; the furthest that one was off.
    ///
    /// # Errors
    /// Those of [`Pack::load`].
    pub async fn check(&mut self, task: Task) -> Result<f64, NeuralError> {
        // The graph of pictures comes last and stays in memory: values are asked for next.
        for node in [TEXT, PAIR, IMAGE] {
            if self.pack_of(task)?.manifest.nodes.contains_key(node) {
                self.load(task, node).await?;
            }
        }
        Ok(self.deviation(task).unwrap_or(0.0))
    }

    /// The number of a picture, whatever computes it: cosine, distance, rating, or the error of a map.
    ///
    /// # Errors
    /// Those of the functions below; [`NeuralError::Task`] for a task that holds nothing against such a thing.
    pub async fn measure(
        &mut self,
        task: Task,
        profile: Profile,
        against: Against<'_>,
        picture: &[u8],
    ) -> Result<f64, NeuralError> {
        match (task, against) {
            (Task::Clip | Task::Dino | Task::Lpips, Against::Picture(reference)) => {
                self.compare(task, profile, reference, picture).await
            }
            #[cfg(feature = "text")]
            (Task::Clip, Against::Text(text)) => {
                Ok(self.caption(profile, text, picture).await?.cosine)
            }
            (Task::Aesthetics, Against::Nothing) => self.rating(picture).await,
            (Task::Inception, Against::Nothing) => self.fid_multiref(picture).await,
            (Task::Pose, Against::Map(reference)) => {
                let skeletons = Input::Picture(self.map(task, picture).await?);
                Ok(Metric::Pose.compute(reference, &skeletons)?)
            }
            (Task::Depth | Task::Sketch, Against::Map(reference)) => {
                let map = self.map(task, picture).await?;
                let view = map.view();
                let map = Array {
                    shape: vec![view.height(), view.width()],
                    data: view.data().iter().map(|byte| f64::from(*byte)).collect(),
                    is_bytes: true,
                };
                let metric = if task == Task::Depth {
                    Metric::Depth
                } else {
                    Metric::Sketch
                };
                Ok(metric.compute(reference, &Input::Array(map))?)
            }
            _ => Err(NeuralError::Task {
                pack: self
                    .pack(task)
                    .map_or("", |pack| &pack.manifest.id)
                    .to_owned(),
                found: task.id().to_owned(),
                wanted: "another kind of comparison".to_owned(),
            }),
        }
    }

    /// What of a network that ran may be wrong for some pictures, whatever its golden cases say.
    pub fn caution(&self, task: Task) -> Option<&'static str> {
        self.cautions.get(&task).copied()
    }

    /// How alike two pictures are: cosine of CLIP features, similarity of DINOv2's, or LPIPS' distance (lower is nearer).
    ///
    /// # Errors
    /// Those of the pack, the pictures and the runner; [`NeuralError::Task`] for other tasks.
    pub async fn compare(
        &mut self,
        task: Task,
        profile: Profile,
        reference: &[u8],
        candidate: &[u8],
    ) -> Result<f64, NeuralError> {
        self.require_profile(task, profile)?;
        if task == Task::Lpips {
            return self.perceptual(profile, reference, candidate).await;
        }
        let reference = self.feature(task, Preparation::Own, reference).await?;
        let candidate = self.feature(task, Preparation::Own, candidate).await?;
        match task {
            Task::Dino => dino_similarity(&reference, &candidate, profile),
            _ => feature_cosine(&reference, &candidate),
        }
    }

    /// CLIPScore of a text and a picture, 0 … 100, without the hundred in `cosine`: −1 … 1.
    ///
    /// Released: the picture as `torchmetrics` is handed it by MultiRef's code, nearly black.
    ///
    /// # Errors
    /// Also [`NeuralError::Text`].
    #[cfg(feature = "text")]
    pub async fn caption(
        &mut self,
        profile: Profile,
        text: &str,
        picture: &[u8],
    ) -> Result<Caption, NeuralError> {
        self.require_profile(Task::Clip, profile)?;
        let preparation = match profile {
            Profile::Released => Preparation::Caption,
            Profile::Standard => Preparation::Own,
        };
        let of_picture = self.feature(Task::Clip, preparation, picture).await?;
        let of_text = self.text_feature(text).await?;
        Ok(Caption {
            cosine: feature_cosine(&of_text, &of_picture)?,
            score: crate::score::caption_score(&of_text, &of_picture)?,
        })
    }

    #[cfg(feature = "text")]
    async fn text_feature(&mut self, text: &str) -> Result<Tensor, NeuralError> {
        let key = (
            Task::Clip,
            Preparation::Own,
            hash(&[b"text\0", text.as_bytes()].concat()),
        );
        if let Some(known) = self.features.get(&key) {
            return Ok(known.clone());
        }
        let (pack, files) = self.parts(Task::Clip)?;
        let rule = pack.node(TEXT)?.text.clone();
        let rule =
            rule.ok_or_else(|| NeuralError::Text("pack.json states no tokeniser".to_owned()))?;
        let json = pack.bytes(files, &rule.tokenizer)?;
        let ids = crate::Tokens::read(&json, &rule)?.ids(text)?;
        let feature = self.first(Task::Clip, TEXT, &[&ids]).await?;
        self.features.insert(key, feature.clone());
        Ok(feature)
    }

    /// A picture's feature by which pictures are near to each other, of length 1: CLIP's, or the class token of DINOv2.
    ///
    /// # Errors
    /// As [`Networks::compare`]; [`NeuralError::Shape`] for a feature of zeros.
    pub async fn embedding(&mut self, task: Task, picture: &[u8]) -> Result<Vec<f32>, NeuralError> {
        let (Task::Clip | Task::Dino) = task else {
            return Err(NeuralError::Task {
                pack: String::new(),
                found: task.id().to_owned(),
                wanted: "a feature of pictures: clip or dino".to_owned(),
            });
        };
        let feature = self.feature(task, Preparation::Own, picture).await?;
        let width = feature.shape.last().copied().unwrap_or_default();
        let Values::Reals(numbers) = &feature.values else {
            return Err(no_pixels());
        };
        let own = numbers.get(..width).unwrap_or_default();
        let square: f64 = own.iter().map(|value| f64::from(*value).powi(2)).sum();
        if !(square > 0.0 && square.is_finite()) {
            return Err(NeuralError::Shape {
                expected: "a feature that is not zero everywhere".to_owned(),
                found: feature.shape.clone(),
            });
        }
        #[expect(clippy::cast_possible_truncation, reason = "a feature is f32 anyway")]
        let of_length_1 = |value: &f32| (f64::from(*value) / square.sqrt()) as f32;
        Ok(own.iter().map(of_length_1).collect())
    }

    /// The rating of a picture by an aesthetic predictor, about 1 … 10.
    ///
    /// # Errors
    /// As [`Networks::compare`].
    pub async fn rating(&mut self, picture: &[u8]) -> Result<f64, NeuralError> {
        let feature = self
            .feature(Task::Aesthetics, Preparation::Own, picture)
            .await?;
        let (pack, files) = self.parts(Task::Aesthetics)?;
        let head = match &pack.node(IMAGE)?.head {
            Some(head) => pack.array(files, head)?.numbers(),
            None => Vec::new(),
        };
        aesthetic_rating(&feature, &head)
    }

    /// The features of Inception-v3, which a true Fréchet distance takes sets of.
    ///
    /// # Errors
    /// As [`Networks::compare`].
    pub async fn inception(&mut self, picture: &[u8]) -> Result<Vec<f64>, NeuralError> {
        Ok(self
            .feature(Task::Inception, Preparation::Own, picture)
            .await?
            .numbers())
    }

    /// The number of one picture that MultiRef calls FID: [`fid_multiref`] of [`Networks::inception`].
    ///
    /// # Errors
    /// As [`Networks::compare`]; [`NeuralError::Shape`] for a network with other than 2,048 features.
    pub async fn fid_multiref(&mut self, picture: &[u8]) -> Result<f64, NeuralError> {
        let features = self.inception(picture).await?;
        if features.len() != 2048 {
            return Err(NeuralError::Shape {
                expected: "2048 features of Inception-v3".to_owned(),
                found: vec![features.len()],
            });
        }
        Ok(fid_multiref(&features)?)
    }

    /// What a network paints of a picture: depth or skeletons at the picture's size, or lines on white at the size that they
    /// come in.
    ///
    /// # Errors
    /// As [`Networks::compare`].
    pub async fn map(&mut self, task: Task, picture: &[u8]) -> Result<Image<u8>, NeuralError> {
        let pixels = self.pixels(task, Preparation::Own)?;
        let decoded = pixels.decode(picture)?;
        let input = pixels.tensor(&decoded)?;
        if task == Task::Pose {
            let size = (decoded.width as usize, decoded.height as usize);
            return self.skeletons(&input, size).await;
        }
        let places = self.positions(task, &input)?;
        let inputs: Vec<&Tensor> = std::iter::once(&input).chain(&places).collect();
        let found = self.first(task, IMAGE, &inputs).await?;
        match task {
            Task::Depth => depth_map(&found, decoded.width as usize, decoded.height as usize),
            _ => sketch_map(&found),
        }
    }

    /// People as `HigherHRNet` sees them in a picture and its mirror image, drawn at the network's size and brought to the
    /// picture's.
    async fn skeletons(
        &mut self,
        input: &Tensor,
        (width, height): (usize, usize),
    ) -> Result<Image<u8>, NeuralError> {
        let own = self.run(Task::Pose, IMAGE, &[input]).await?;
        let mirrored = mirrored(input)?;
        let mirrored = self.run(Task::Pose, IMAGE, &[&mirrored]).await?;
        let ([coarse, fine], [coarse_mirrored, fine_mirrored]) = (&own[..], &mirrored[..]) else {
            return Err(NeuralError::Shape {
                expected: "heat maps with tags, and finer heat maps".to_owned(),
                found: Vec::new(),
            });
        };
        let [_, _, rows, columns] = input.shape[..] else {
            return Err(no_pixels());
        };
        let outputs = [[coarse, fine], [coarse_mirrored, fine_mirrored]];
        let people = HeatMaps::of(outputs, (columns, rows))?.people();
        let drawn = skeleton(&people, columns, rows);
        let grey = resize(&drawn.view(), width, height, Resampling::Linear)?;
        let colours = grey.data().iter().flat_map(|level| [*level; 3]).collect();
        Ok(Image::new(width, height, 3, colours)?)
    }

    /// The positions of a picture's patches, where the graph takes them as its second input.
    fn positions(&mut self, task: Task, picture: &Tensor) -> Result<Option<Tensor>, NeuralError> {
        let (pack, files) = self.parts(task)?;
        let node = pack.node(IMAGE)?;
        let (2, Some(table), &[_, _, height, width]) =
            (node.inputs.len(), &node.head, &*picture.shape)
        else {
            return Ok(None);
        };
        let table = pack.array(files, table)?;
        positions(&table, height / PATCH, width / PATCH).map(Some)
    }

    /// The candidate is brought to the reference's size by Pillow's Lanczos, as the authors' code does it.
    async fn perceptual(
        &mut self,
        profile: Profile,
        reference: &[u8],
        candidate: &[u8],
    ) -> Result<f64, NeuralError> {
        let own = self.pair_pixels()?;
        let reference = own.decode(reference)?;
        let resized = Pixels {
            resize: crate::Resize::Exact([reference.width, reference.height]),
            ..own.clone()
        };
        let candidate = resized.tensor(&own.decode(candidate)?)?;
        let reference = perceptual_range(own.tensor(&reference)?, profile);
        let candidate = perceptual_range(candidate, profile);
        self.distance(&reference, &candidate).await
    }

    /// What pictures go through before LPIPS.
    pub(crate) fn pair_pixels(&self) -> Result<Pixels, NeuralError> {
        let node = self.pack_of(Task::Lpips)?.node(PAIR)?;
        node.pixels.clone().ok_or_else(no_pixels)
    }

    /// LPIPS of two inputs of one size.
    pub(crate) async fn distance(
        &mut self,
        reference: &Tensor,
        candidate: &Tensor,
    ) -> Result<f64, NeuralError> {
        let found = self
            .first(Task::Lpips, PAIR, &[reference, candidate])
            .await?;
        match *found.numbers() {
            [distance] if distance.is_finite() => Ok(distance),
            _ => Err(NeuralError::Shape {
                expected: "one finite number".to_owned(),
                found: found.shape,
            }),
        }
    }

    async fn feature(
        &mut self,
        task: Task,
        preparation: Preparation,
        picture: &[u8],
    ) -> Result<Tensor, NeuralError> {
        let key = (task, preparation, hash(picture));
        if let Some(known) = self.features.get(&key) {
            return Ok(known.clone());
        }
        let pixels = self.pixels(task, preparation)?;
        let input = pixels.tensor(&pixels.decode(picture)?)?;
        let feature = self.first(task, IMAGE, &[&input]).await?;
        self.features.insert(key, feature.clone());
        Ok(feature)
    }

    pub(crate) fn pixels(
        &self,
        task: Task,
        preparation: Preparation,
    ) -> Result<Pixels, NeuralError> {
        let node = self.pack_of(task)?.node(IMAGE)?;
        let pixels = match preparation {
            Preparation::Own => &node.pixels,
            #[cfg(feature = "text")]
            Preparation::Caption => &node.caption_pixels,
        };
        pixels.clone().ok_or_else(no_pixels)
    }

    pub(crate) fn require_profile(&self, task: Task, profile: Profile) -> Result<(), NeuralError> {
        self.pack_of(task)?.require_profile(profile)
    }

    fn pack_of(&self, task: Task) -> Result<&Pack, NeuralError> {
        self.pack(task).ok_or_else(|| not_open(task))
    }

    fn parts(&mut self, task: Task) -> Result<(&Pack, &mut dyn PackFiles), NeuralError> {
        let mut packs = self.packs.iter_mut();
        let found = packs.find(|(pack, _)| pack.manifest.task == task);
        let (pack, files) = found.ok_or_else(|| not_open(task))?;
        let (pack, files): (&Pack, &mut dyn PackFiles) = (pack, &mut **files);
        Ok((pack, files))
    }

    /// Brings a graph into memory, in the place of the one that is there.
    async fn load(&mut self, task: Task, node: &'static str) -> Result<(), NeuralError> {
        let is_there = |(known, name, _): &(Task, &str, Loaded)| *known == task && *name == node;
        if self.loaded.as_ref().is_some_and(is_there) {
            return Ok(());
        }
        // Before the next one comes: two would need the memory of both.
        self.loaded = None;
        let mut packs = self.packs.iter_mut();
        let found = packs.find(|(pack, _)| pack.manifest.task == task);
        let (pack, files) = found.ok_or_else(|| not_open(task))?;
        let loaded = pack.load(node, &mut **files, &*self.runner).await?;
        let off = self.deviations.entry(task).or_default();
        *off = off.max(loaded.golden.deviation);
        if let Some(caution) = loaded.caution {
            self.cautions.insert(task, caution);
        }
        self.loaded = Some((task, node, loaded));
        Ok(())
    }

    /// The first output of a graph.
    pub(crate) async fn first(
        &mut self,
        task: Task,
        node: &'static str,
        inputs: &[&Tensor],
    ) -> Result<Tensor, NeuralError> {
        let found = self.run(task, node, inputs).await?.into_iter().next();
        found.ok_or_else(|| NeuralError::Shape {
            expected: "an output".to_owned(),
            found: Vec::new(),
        })
    }

    /// The outputs of a graph, which takes the place of the one in memory.
    async fn run(
        &mut self,
        task: Task,
        node: &'static str,
        inputs: &[&Tensor],
    ) -> Result<Vec<Tensor>, NeuralError> {
        self.load(task, node).await?;
        let (pack, Some((_, _, loaded))) = (self.pack_of(task)?, &self.loaded) else {
            return Err(not_open(task));
        };
        pack.run(node, &*loaded.network, self.runner.id(), inputs)
            .await
    }
}

/// How a picture and a text fit.
#[cfg(feature = "text")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caption {
    /// Cosine of their features, −1 … 1.
    pub cosine: f64,
    /// A hundred times that, and never below 0.
    pub score: f64,
}

pub(crate) fn hash(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

fn not_open(task: Task) -> NeuralError {
    NeuralError::Task {
        pack: String::new(),
        found: "nothing that is open".to_owned(),
        wanted: task.id().to_owned(),
    }
}

/// A picture with its columns the other way round.
fn mirrored(picture: &Tensor) -> Result<Tensor, NeuralError> {
    let (Values::Reals(values), Some(columns @ 1..)) = (&picture.values, picture.shape.last())
    else {
        return Err(no_pixels());
    };
    let rows = values.chunks_exact(*columns);
    let turned = rows.flat_map(|row| row.iter().rev().copied()).collect();
    Tensor::reals(picture.shape.clone(), turned)
}

fn no_pixels() -> NeuralError {
    NeuralError::Manifest {
        expected:
            "how pictures are prepared (pixels, and caption_pixels for the released CLIPScore)"
                .to_owned(),
        found: "nothing".to_owned(),
    }
}
