//! A pack: networks that a user exported from weights of their own, with everything that Juror must know to use them.
//!
//! `pack.json` (`juror-model/1`) names the task, the source and its licence, what pictures go through first, each file with
//! its length and SHA-256, and golden inputs and outputs of the Python that the networks come from.
//! A host brings the bytes; what is read is checked before it is used.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use juror_metrics::Array;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::pixels::Pixels;
use crate::score::Profile;
use crate::{Graph, Network, NeuralError, Runner, Tensor, golden};

/// The name of the list of a pack.
pub const MANIFEST: &str = "pack.json";
/// The format's name and version.
pub const SCHEMA: &str = "juror-model/1";

/// The largest `pack.json`.
pub const MAX_MANIFEST_BYTES: u64 = 1 << 20;
/// The most files of a pack.
pub const MAX_FILES: usize = 256;
/// The largest file of a pack: what a Wasm memory could hold at most.
pub const MAX_FILE_BYTES: u64 = 4 << 30;
/// The largest golden input or output.
pub const MAX_GOLDEN_BYTES: u64 = 256 << 20;
/// Bytes that a host is asked for at once.
pub const SLICE: usize = 16 << 20;
/// The largest tolerance that a golden case may state: above it a check proves nothing.
const MAX_TOLERANCE: f64 = 1e-2;

const SMALLER: &str = "export a smaller network, or split its weights into several files";

/// What a pack computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// CLIP features of pictures, and of texts where the pack has that half.
    Clip,
    /// CLIP features with a linear head that rates them.
    Aesthetics,
    /// Features of Inception-v3.
    Inception,
    /// Tokens of DINOv2.
    Dino,
    /// Perceptual distance of two pictures.
    Lpips,
    /// Depth maps.
    Depth,
    /// Line drawings.
    Sketch,
    /// Heat maps and tags of key points.
    Pose,
}

impl Task {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Clip,
        Self::Aesthetics,
        Self::Inception,
        Self::Dino,
        Self::Lpips,
        Self::Depth,
        Self::Sketch,
        Self::Pose,
    ];

    /// The task of this name.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|task| task.id() == id)
    }

    /// As `pack.json` has it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Clip => "clip",
            Self::Aesthetics => "aesthetics",
            Self::Inception => "inception",
            Self::Dino => "dino",
            Self::Lpips => "lpips",
            Self::Depth => "depth",
            Self::Sketch => "sketch",
            Self::Pose => "pose",
        }
    }
}

/// `pack.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`SCHEMA`].
    pub schema: String,
    /// Name of the networks, with their size.
    pub id: String,
    /// What they compute.
    pub task: Task,
    /// Where the weights come from: a repository with its revision.
    pub source: String,
    /// The weights' licence, in its own words or as an SPDX expression.
    pub licence: String,
    /// Whose numbers it gives: those of the released code or of the metric as it is defined; both where they differ in what
    /// is done before and after the network alone.
    pub profile: PackProfile,
    /// What wrote it, with the versions of the packages that it used.
    #[serde(default)]
    pub exporter: BTreeMap<String, String>,
    /// Every other file.
    pub files: Vec<PackFile>,
    /// Graphs by name: `image`, `text`, `pair`.
    pub nodes: BTreeMap<String, Node>,
    /// Golden cases; each graph has at least one.
    pub golden: Vec<Golden>,
}

/// Whose numbers a pack gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PackProfile {
    /// The released code's alone.
    Released,
    /// Those of the metric as it is defined, alone.
    Standard,
    /// Both.
    Both,
}

/// A file of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackFile {
    /// Path inside the pack, with `/` between.
    pub name: String,
    /// Length.
    pub bytes: u64,
    /// SHA-256, 64 hexadecimal digits in lower case.
    pub sha256: String,
}

/// A graph and what stands before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// The ONNX file.
    pub graph: String,
    /// Files with its weights; none where they are inside the graph's own.
    #[serde(default)]
    pub weights: Vec<String>,
    /// Inputs in the order of the golden cases.
    pub inputs: Vec<Port>,
    /// Outputs in the order of the golden cases.
    pub outputs: Vec<Port>,
    /// What a picture goes through before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pixels: Option<Pixels>,
    /// What it goes through where the released `CLIPScore` looks at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caption_pixels: Option<Pixels>,
    /// How a text becomes its input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<TextRule>,
    /// An NPY file with the weights and the bias of a linear head behind it; of depth, the table of positions before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
}

/// An input or output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Port {
    /// Name in the graph.
    pub name: String,
    /// Lengths of its axes; a name stands for any length.
    pub shape: Vec<Length>,
}

/// The length of an axis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Length {
    /// This one.
    Fixed(usize),
    /// Any.
    Any(String),
}

/// How a text becomes token ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextRule {
    /// The `tokenizer.json`.
    pub tokenizer: String,
    /// The most tokens, those at the beginning and the end among them; the rest is cut off, the last one with it.
    pub max_tokens: usize,
    /// The id that fills the rest up to that length; CLIP pools at the end of the text, so that it changes nothing.
    pub pad: i64,
}

/// Inputs with what the reference made of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    /// Name of the graph.
    pub node: String,
    /// NPY files, in the order of the graph's inputs.
    pub inputs: Vec<String>,
    /// NPY files, in the order of its outputs.
    pub outputs: Vec<String>,
    /// Largest difference over the largest number that is allowed.
    pub tolerance: f64,
}

/// Where a pack's bytes come from: a folder, a ZIP, files that were picked in a browser.
pub trait PackFiles {
    /// A file's length.
    ///
    /// # Errors
    /// [`NeuralError::Unreadable`].
    fn length(&mut self, file: &str) -> Result<u64, NeuralError>;

    /// The bytes from an offset, as many as fit; fewer only at the end of the file.
    ///
    /// # Errors
    /// [`NeuralError::Unreadable`].
    fn read(&mut self, file: &str, offset: u64, into: &mut [u8]) -> Result<usize, NeuralError>;
}

impl PackFile {
    /// Errors unless this is its hash.
    fn require(&self, hash: Sha256) -> Result<(), NeuralError> {
        let found = hex(&hash.finalize());
        if found == self.sha256 {
            return Ok(());
        }
        let first = |hash: &str| hash.chars().take(12).collect::<String>();
        Err(NeuralError::Changed {
            file: self.name.clone(),
            expected: first(&self.sha256),
            found: first(&found),
        })
    }
}

impl Port {
    /// Whether a tensor has this shape, and as many numbers as that says.
    fn fits(&self, tensor: &Tensor) -> bool {
        let fits = |(wanted, found): (&Length, &usize)| match wanted {
            Length::Fixed(length) => length == found,
            Length::Any(_) => true,
        };
        let size = tensor
            .shape
            .iter()
            .try_fold(1_usize, |a, b| a.checked_mul(*b));
        size == Some(tensor.len())
            && tensor.shape.len() == self.shape.len()
            && self.shape.iter().zip(&tensor.shape).all(fits)
    }

    fn shape_in_words(&self) -> String {
        let lengths = self.shape.iter().map(|length| match length {
            Length::Fixed(length) => length.to_string(),
            Length::Any(name) => name.clone(),
        });
        let lengths: Vec<String> = lengths.collect();
        format!("the shape [{}]", lengths.join(", "))
    }
}

/// The files of a graph's weights, which a runner takes slice by slice, each once.
pub struct Weights<'a> {
    pack: &'a Pack,
    files: &'a mut dyn PackFiles,
    names: &'a [String],
}

impl std::fmt::Debug for Weights<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Weights")
            .field("names", &self.names)
            .finish_non_exhaustive()
    }
}

impl Weights<'_> {
    /// Their names as the graph has them, without a folder, and their lengths.
    pub fn list(&self) -> Vec<(String, u64)> {
        let known = self.names.iter().filter_map(|name| {
            let file = self.pack.file(name).ok()?;
            Some((base_name(name).to_owned(), file.bytes))
        });
        known.collect()
    }

    /// Hands a file over in slices, in their order. Only once this has returned are they known to be those of the list.
    ///
    /// # Errors
    /// As [`Pack::bytes`].
    pub fn slices(&mut self, name: &str, take: &mut dyn FnMut(&[u8])) -> Result<(), NeuralError> {
        let file = self.file(name)?;
        let mut hash = Sha256::new();
        let mut slice = vec![0; usize::try_from(file.bytes).unwrap_or(SLICE).min(SLICE)];
        let mut at = 0;
        while at < file.bytes {
            let read = self.files.read(&file.name, at, &mut slice)?;
            if read == 0 {
                return Err(NeuralError::Length {
                    file: file.name.clone(),
                    expected: file.bytes,
                    found: at,
                });
            }
            hash.update(&slice[..read]);
            take(&slice[..read]);
            at += read as u64;
        }
        file.require(hash)
    }

    /// A whole file.
    ///
    /// # Errors
    /// As [`Pack::bytes`].
    pub fn whole(&mut self, name: &str) -> Result<Vec<u8>, NeuralError> {
        let file = self.file(name)?;
        self.pack.bytes(self.files, &file.name)
    }
}

impl<'a> Weights<'a> {
    fn file(&self, name: &str) -> Result<&'a PackFile, NeuralError> {
        let named = self.names.iter().find(|file| base_name(file) == name);
        let pack: &'a Pack = self.pack;
        pack.file(named.map_or(name, String::as_str))
    }
}

/// A pack whose list was read and makes sense; its files are read when they are needed.
#[derive(Clone, Debug, PartialEq)]
pub struct Pack {
    /// The list.
    pub manifest: Manifest,
    /// SHA-256 of `pack.json`, and through it of everything in the pack.
    pub sha256: String,
}

/// A graph of a pack that passed its golden check.
pub struct Loaded {
    /// Runs it.
    pub network: Box<dyn Network>,
    /// How near the runner came to the reference.
    pub golden: golden::GoldenReport,
    /// What golden cases need not show.
    pub caution: Option<&'static str>,
}

impl std::fmt::Debug for Loaded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A network has nothing to print but its weights.
        f.debug_struct("Loaded")
            .field("golden", &self.golden)
            .finish_non_exhaustive()
    }
}

impl Pack {
    /// Reads the list of a pack.
    ///
    /// # Errors
    /// [`NeuralError::Unreadable`], [`NeuralError::TooLarge`], [`NeuralError::Manifest`] with what does not fit,
    /// [`NeuralError::Length`] for a file that is cut off.
    pub fn open(files: &mut dyn PackFiles) -> Result<Self, NeuralError> {
        let length = files.length(MANIFEST)?;
        require_at_most("pack.json", length, MAX_MANIFEST_BYTES, "it lists too much")?;
        let bytes = all(files, MANIFEST, length)?;
        let manifest: Manifest = serde_json::from_slice(&bytes)
            .map_err(|error| wrong(format!("a list in the form {SCHEMA}"), error.to_string()))?;
        manifest.check()?;
        for file in &manifest.files {
            let found = files.length(&file.name)?;
            if found != file.bytes {
                return Err(NeuralError::Length {
                    file: file.name.clone(),
                    expected: file.bytes,
                    found,
                });
            }
        }
        Ok(Self {
            sha256: hex(&Sha256::digest(&bytes)),
            manifest,
        })
    }

    /// Errors unless the pack computes this.
    ///
    /// # Errors
    /// [`NeuralError::Task`].
    pub fn require(&self, task: Task) -> Result<(), NeuralError> {
        if self.manifest.task == task {
            return Ok(());
        }
        Err(NeuralError::Task {
            pack: self.manifest.id.clone(),
            found: self.manifest.task.id().to_owned(),
            wanted: task.id().to_owned(),
        })
    }

    /// Errors unless the pack gives this profile's numbers.
    ///
    /// # Errors
    /// [`NeuralError::Task`].
    pub fn require_profile(&self, profile: Profile) -> Result<(), NeuralError> {
        let (is_given, found) = match self.manifest.profile {
            PackProfile::Both => (true, ""),
            PackProfile::Released => (profile == Profile::Released, "released"),
            PackProfile::Standard => (profile == Profile::Standard, "standard"),
        };
        if is_given {
            return Ok(());
        }
        Err(NeuralError::Task {
            pack: self.manifest.id.clone(),
            found: format!("the {found} numbers alone"),
            wanted: format!("the {} profile", profile.id()),
        })
    }

    /// A graph of the pack.
    ///
    /// # Errors
    /// [`NeuralError::Task`] where it has none of this name.
    pub fn node(&self, name: &str) -> Result<&Node, NeuralError> {
        self.manifest.nodes.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.manifest.nodes.keys().map(String::as_str).collect();
            NeuralError::Task {
                pack: self.manifest.id.clone(),
                found: format!("{} alone", known.join(", ")),
                wanted: format!("its half {name}"),
            }
        })
    }

    /// Reads a graph with its weights, looks for operators that the runner has wrong, loads it, and checks it.
    ///
    /// # Errors
    /// Those of the files, [`NeuralError::Graph`], [`NeuralError::Refused`], [`NeuralError::Run`], [`NeuralError::Golden`].
    pub async fn load(
        &self,
        name: &str,
        files: &mut dyn PackFiles,
        runner: &dyn Runner,
    ) -> Result<Loaded, NeuralError> {
        let (network, caution) = self.unchecked(name, files, runner).await?;
        let mut array = |file: &str| self.array(&mut *files, file);
        let golden = golden::check(self, name, &*network, runner, &mut array).await?;
        Ok(Loaded {
            network,
            golden,
            caution,
        })
    }

    /// The same without its golden cases, for those who compute them; with what these need not show.
    ///
    /// # Errors
    /// As [`Pack::load`], but for [`NeuralError::Golden`].
    pub async fn unchecked(
        &self,
        name: &str,
        files: &mut dyn PackFiles,
        runner: &dyn Runner,
    ) -> Result<(Box<dyn Network>, Option<&'static str>), NeuralError> {
        let node = self.node(name)?;
        let bytes = self.bytes(files, &node.graph)?;
        let not_a_graph = |why: String| NeuralError::Graph {
            file: node.graph.clone(),
            why,
        };
        let graph = Graph::read(&bytes)
            .ok_or_else(|| not_a_graph("its fields do not end where they should".to_owned()))?;
        let known: BTreeSet<&str> = node.weights.iter().map(|file| base_name(file)).collect();
        if let Some(unknown) = graph
            .weights
            .iter()
            .find(|file| !known.contains(base_name(file)))
        {
            return Err(not_a_graph(format!(
                "its weights are in {unknown}, which pack.json does not name"
            )));
        }
        if let Some((why, mend)) = runner.refusal(&graph) {
            return Err(NeuralError::Refused {
                file: node.graph.clone(),
                runner: runner.id().to_owned(),
                why,
                mend,
            });
        }
        let caution = runner.caution(&graph);
        let weights = Weights {
            pack: self,
            files,
            names: &node.weights,
        };
        let network = runner.open(&self.named(name)?, bytes, weights).await?;
        Ok((network, caution))
    }

    /// A graph's file and pack, as messages name it.
    pub(crate) fn named(&self, node: &str) -> Result<String, NeuralError> {
        Ok(format!(
            "{} of {}",
            self.node(node)?.graph,
            self.manifest.id
        ))
    }

    /// Runs a graph on its inputs in their order; its outputs come in theirs.
    ///
    /// # Errors
    /// Those of the network; [`NeuralError::Output`] unless there are as many outputs as the list says, each of its shape.
    pub async fn run(
        &self,
        node: &str,
        network: &dyn Network,
        runner: &str,
        inputs: &[&Tensor],
    ) -> Result<Vec<Tensor>, NeuralError> {
        let spec = self.node(node)?;
        let names = spec.inputs.iter().map(|input| input.name.as_str());
        let named: Vec<(&str, &Tensor)> = names.zip(inputs.iter().copied()).collect();
        let names = spec.outputs.iter().map(|output| output.name.as_str());
        let wanted: Vec<&str> = names.collect();
        let found = network.run(&named, &wanted).await?;
        let other = |expected: String, found: String| -> Result<(), NeuralError> {
            Err(NeuralError::Output {
                runner: runner.to_owned(),
                file: self.named(node)?,
                expected,
                found,
            })
        };
        if found.len() != wanted.len() {
            let found = format!("{} outputs", found.len());
            other(format!("{}: {}", wanted.len(), wanted.join(", ")), found)?;
        }
        for (tensor, port) in found.iter().zip(&spec.outputs) {
            if !port.fits(tensor) {
                let (shape, length) = (&tensor.shape, tensor.len());
                let found = format!("{length} numbers of the shape {shape:?} as {}", port.name);
                other(port.shape_in_words(), found)?;
            }
        }
        Ok(found)
    }

    /// A file of the pack, read in slices and compared with its hash.
    ///
    /// # Errors
    /// [`NeuralError::Unreadable`], [`NeuralError::Length`], [`NeuralError::Changed`].
    pub fn bytes(&self, files: &mut dyn PackFiles, name: &str) -> Result<Vec<u8>, NeuralError> {
        let file = self.file(name)?;
        let bytes = all(files, name, file.bytes)?;
        let mut hash = Sha256::new();
        for slice in bytes.chunks(SLICE) {
            hash.update(slice);
        }
        file.require(hash)?;
        Ok(bytes)
    }

    fn file(&self, name: &str) -> Result<&PackFile, NeuralError> {
        let file = self.manifest.files.iter().find(|file| file.name == name);
        file.ok_or_else(|| wrong(format!("{name} among its files"), "none".to_owned()))
    }

    /// An NPY file of the pack, as f32 or as whole numbers where it holds such.
    ///
    /// # Errors
    /// Also [`NeuralError::Metric`] for what is no NPY file.
    pub fn array(&self, files: &mut dyn PackFiles, name: &str) -> Result<Tensor, NeuralError> {
        let bytes = self.bytes(files, name)?;
        require_at_most(
            name,
            bytes.len() as u64,
            MAX_GOLDEN_BYTES,
            "make a smaller case",
        )?;
        let is_whole = juror_metrics::is_npy(&bytes) && {
            let head = String::from_utf8_lossy(&bytes[..bytes.len().min(128)]).into_owned();
            head.contains("'<i8'") || head.contains("'<i4'")
        };
        let array = Array::from_npy(&bytes)?;
        if is_whole {
            #[expect(clippy::cast_possible_truncation, reason = "they were whole numbers")]
            let values = array.data.iter().map(|value| *value as i64).collect();
            return Ok(Tensor {
                shape: array.shape,
                values: crate::Values::Whole(values),
            });
        }
        #[expect(clippy::cast_possible_truncation, reason = "networks compute in f32")]
        let values = array.data.iter().map(|value| *value as f32).collect();
        Tensor::reals(array.shape, values)
    }
}

impl Manifest {
    /// Errors unless everything that it names fits together.
    fn check(&self) -> Result<(), NeuralError> {
        if self.schema != SCHEMA {
            return Err(wrong(format!("the schema {SCHEMA}"), self.schema.clone()));
        }
        for (what, text) in [
            ("an id", &self.id),
            ("a source", &self.source),
            ("a licence", &self.licence),
        ] {
            if text.trim().is_empty() {
                return Err(wrong(what.to_owned(), "an empty text".to_owned()));
            }
        }
        require_at_most(
            "the list of files",
            self.files.len() as u64,
            MAX_FILES as u64,
            "pack fewer files",
        )?;
        let mut names = BTreeSet::new();
        for file in &self.files {
            check_file(file)?;
            if !names.insert(file.name.as_str()) {
                return Err(wrong(
                    "each file once".to_owned(),
                    format!("{} twice", file.name),
                ));
            }
        }
        if self.nodes.is_empty() {
            return Err(wrong("at least one graph".to_owned(), "none".to_owned()));
        }
        let mut named = Vec::new();
        for (name, node) in &self.nodes {
            named.push(&node.graph);
            named.extend(&node.weights);
            named.extend(node.text.as_ref().map(|text| &text.tokenizer));
            named.extend(&node.head);
            if !self.golden.iter().any(|golden| golden.node == *name) {
                return Err(wrong(
                    format!("golden inputs and outputs of {name}"),
                    "none".to_owned(),
                ));
            }
        }
        for golden in &self.golden {
            self.check_golden(golden)?;
            named.extend(golden.inputs.iter().chain(&golden.outputs));
        }
        match named.iter().find(|file| !names.contains(file.as_str())) {
            Some(unknown) => Err(wrong(
                format!("{unknown} among its files"),
                "none".to_owned(),
            )),
            None => Ok(()),
        }
    }

    fn check_golden(&self, golden: &Golden) -> Result<(), NeuralError> {
        let Some(node) = self.nodes.get(&golden.node) else {
            return Err(wrong(
                "golden cases of its graphs".to_owned(),
                golden.node.clone(),
            ));
        };
        let counts = [golden.inputs.len(), golden.outputs.len()];
        if counts != [node.inputs.len(), node.outputs.len()] {
            return Err(wrong(
                format!("a golden file for each input and output of {}", golden.node),
                format!("{} and {}", counts[0], counts[1]),
            ));
        }
        if golden.tolerance > 0.0 && golden.tolerance <= MAX_TOLERANCE {
            return Ok(());
        }
        Err(wrong(
            format!("a tolerance above 0 and up to {MAX_TOLERANCE}"),
            golden.tolerance.to_string(),
        ))
    }
}

fn check_file(file: &PackFile) -> Result<(), NeuralError> {
    let is_plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    let has_odd = file.name.contains(['\\', ':', '\0']);
    if has_odd || !file.name.split('/').all(is_plain) || file.name == MANIFEST {
        return Err(wrong(
            "paths inside the pack".to_owned(),
            format!("{:?}", file.name),
        ));
    }
    let is_hash = file.sha256.len() == 64
        && file
            .sha256
            .bytes()
            .all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'));
    if !is_hash {
        return Err(wrong(
            format!(
                "64 hexadecimal digits in lower case as the SHA-256 of {}",
                file.name
            ),
            format!("{:?}", file.sha256),
        ));
    }
    require_at_most(&file.name, file.bytes, MAX_FILE_BYTES, SMALLER)
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn wrong(expected: String, found: String) -> NeuralError {
    NeuralError::Manifest { expected, found }
}

fn require_at_most(
    what: &str,
    found: u64,
    limit: u64,
    mend: &'static str,
) -> Result<(), NeuralError> {
    if found <= limit {
        return Ok(());
    }
    Err(NeuralError::TooLarge {
        what: what.to_owned(),
        found,
        limit,
        mend,
    })
}

/// A whole file in slices; memory that is not there is said and not asked for again.
fn all(files: &mut dyn PackFiles, name: &str, length: u64) -> Result<Vec<u8>, NeuralError> {
    let no_memory = || NeuralError::Memory {
        file: name.to_owned(),
        bytes: length,
    };
    let size = usize::try_from(length).map_err(|_| no_memory())?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size).map_err(|_| no_memory())?;
    bytes.resize(size, 0);
    let mut at = 0;
    while at < size {
        let end = size.min(at + SLICE);
        let read = files.read(name, at as u64, &mut bytes[at..end])?;
        if read == 0 {
            return Err(NeuralError::Length {
                file: name.to_owned(),
                expected: length,
                found: at as u64,
            });
        }
        at += read;
    }
    Ok(bytes)
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
