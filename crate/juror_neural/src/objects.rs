//! Objects of references found again in an output: how alike their crops are, as MICON-Bench's Table 4 reports it.
//!
//! Source: the paper's section on Table 4 names CLIP, DINOv2 and LPIPS of the objects that a detector finds; it names no network,
//! no way of preparing crops and no rule for an object that is not found. What is chosen here is in [`CHOICES`] and in every
//! record.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use juror_image::Rgb;
use juror_metrics::cosine;
use sha2::{Digest as _, Sha256};

use crate::boxes::BoxFile;
use crate::networks::{IMAGE, Networks, Preparation, hash};
use crate::pack::Task;
use crate::score::{Profile, dino_descriptor, dino_value, perceptual_range};
use crate::{NeuralError, PixelPath, Pixels, Resize};

/// What nobody published, as records name it.
pub const CHOICES: &str =
    "mean over objects and references; an object without a box in the output: no value";
/// The shorter side of a crop below which AlexNet's second pooling has nothing to pool.
const LEAST_SIDE: u32 = 31;

/// A picture with the file of its boxes.
#[derive(Clone, Copy, Debug)]
pub struct BoxedPicture<'a> {
    /// The picture's file.
    pub picture: &'a [u8],
    /// The box file.
    pub boxes: &'a [u8],
    /// The box file's path, for messages.
    pub file: &'a str,
}

/// An output and the references whose objects it should show.
#[derive(Clone, Debug)]
pub struct Objects<'a> {
    /// The output.
    pub output: BoxedPicture<'a>,
    /// The references.
    pub references: Vec<BoxedPicture<'a>>,
}

impl<'a> Objects<'a> {
    /// Takes files in the order in which hosts hand them over: the output and its boxes, then each reference and its boxes.
    /// `names` are the paths of the box files.
    ///
    /// # Errors
    /// [`NeuralError::Shape`] unless there is a name for each pair of files, and a reference.
    pub fn of(files: &'a [Vec<u8>], names: &'a [String]) -> Result<Self, NeuralError> {
        let pairs = files.chunks_exact(2).zip(names);
        let mut pictures = pairs.map(|(pair, file)| BoxedPicture {
            picture: &pair[0],
            boxes: &pair[1],
            file,
        });
        let output = pictures.next();
        let references: Vec<_> = pictures.collect();
        match output {
            Some(output) if files.len() == 2 * names.len() && !references.is_empty() => {
                Ok(Self { output, references })
            }
            _ => Err(NeuralError::Shape {
                expected: "an output and its references, each with its box file".to_owned(),
                found: vec![files.len(), names.len()],
            }),
        }
    }

    /// One hash of everything that the output is compared with, and of the output's boxes; hex.
    pub fn fingerprint(&self) -> String {
        let mut all = Sha256::new();
        all.update(hash(self.output.boxes));
        for one in &self.references {
            all.update(hash(one.picture));
            all.update(hash(one.boxes));
        }
        let mut text = String::new();
        for byte in all.finalize() {
            // Writing to a text cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    /// The box files: the output's, and those of the references.
    fn read(&self) -> Result<(BoxFile, Vec<BoxFile>), NeuralError> {
        let read = |one: &BoxedPicture<'_>| BoxFile::read(one.file, one.boxes);
        let references: Result<Vec<_>, _> = self.references.iter().map(read).collect();
        Ok((read(&self.output)?, references?))
    }
}

impl Networks {
    /// How alike the objects of references and an output are: the mean over every object of every reference.
    ///
    /// CLIP and DINOv2: cosines of the crops' features, each crop prepared as a whole picture is. LPIPS: the distance of the two
    /// crops, the output's brought to the reference's size by Pillow's bicubic; 0 for equal crops, lower is nearer.
    ///
    /// # Errors
    /// [`NeuralError::Boxes`] with the file and the fix, [`NeuralError::Missing`] where the output lacks an object, and as
    /// [`Networks::compare`].
    pub async fn objects(
        &mut self,
        task: Task,
        profile: Profile,
        objects: &Objects<'_>,
    ) -> Result<f64, NeuralError> {
        self.require_profile(task, profile)?;
        let (own, of_references) = objects.read()?;
        require_known(&own, &of_references)?;
        require_all(&own, &of_references)?;
        let pixels = self.pixels_of(task)?;
        let output = pixels.decode(objects.output.picture)?;
        let (mut sum, mut num_pairs) = (0.0, 0_u32);
        for (reference, boxes) in objects.references.iter().zip(&of_references) {
            let picture = pixels.decode(reference.picture)?;
            for name in boxes.names() {
                let Some(wanted) = boxes.cut(name, &picture)? else {
                    continue;
                };
                let Some(found) = own.cut(name, &output)? else {
                    continue;
                };
                let value = self.pair(task, profile, &wanted, &found).await;
                sum += value.map_err(|cause| match cause {
                    NeuralError::Picture(why) => NeuralError::Boxes {
                        file: boxes.file.clone(),
                        why: format!("{name:?} cannot be compared: {why}"),
                    },
                    other => other,
                })?;
                num_pairs += 1;
            }
        }
        Ok(sum / f64::from(num_pairs))
    }

    /// [`Networks::describe`] with who found the boxes and what nobody published.
    pub fn describe_objects(&self, task: Task, profile: Profile, objects: &Objects<'_>) -> String {
        let rule = match (task, profile) {
            (Task::Dino, Profile::Released) => "(cos + 1) / 2 of the means over all tokens; ",
            (Task::Dino, Profile::Standard) => "cosine of class tokens; ",
            (Task::Lpips, Profile::Released) => "crops from 0 to 1, Pillow bicubic; ",
            (Task::Lpips, Profile::Standard) => "crops from -1 to 1, Pillow bicubic; ",
            _ => "cosine of crops; ",
        };
        let detectors: BTreeSet<String> = std::iter::once(&objects.output)
            .chain(&objects.references)
            .filter_map(|one| Some(BoxFile::read(one.file, one.boxes).ok()?.detector))
            .collect();
        let detectors: Vec<String> = detectors.into_iter().collect();
        format!(
            "{}; {rule}boxes by {}; {CHOICES}",
            self.describe(task, profile),
            detectors.join(" and ")
        )
    }

    /// What pictures go through before this network.
    fn pixels_of(&self, task: Task) -> Result<Pixels, NeuralError> {
        match task {
            Task::Lpips => self.pair_pixels(),
            Task::Clip | Task::Dino => self.pixels(task, Preparation::Own),
            _ => Err(NeuralError::Task {
                pack: String::new(),
                found: task.id().to_owned(),
                wanted: "a similarity of objects: clip, dino or lpips".to_owned(),
            }),
        }
    }

    async fn pair(
        &mut self,
        task: Task,
        profile: Profile,
        wanted: &Rgb,
        found: &Rgb,
    ) -> Result<f64, NeuralError> {
        if task == Task::Lpips {
            return self.crops(profile, wanted, found).await;
        }
        let wanted = self.descriptor(task, profile, wanted).await?;
        let found = self.descriptor(task, profile, found).await?;
        let value = cosine(&wanted, &found)?;
        Ok(match task {
            Task::Dino => dino_value(value, profile),
            _ => value,
        })
    }

    /// The numbers of a crop that are compared, kept for the next model.
    async fn descriptor(
        &mut self,
        task: Task,
        profile: Profile,
        crop: &Rgb,
    ) -> Result<Vec<f64>, NeuralError> {
        let size = [crop.width, crop.height].map(u32::to_le_bytes).concat();
        let key = (task, profile.id(), hash(&[&size, &crop.data[..]].concat()));
        if let Some(known) = self.crops.get(&key) {
            return Ok(known.clone());
        }
        let input = self.pixels_of(task)?.tensor(crop)?;
        let feature = self.first(task, IMAGE, &[&input]).await?;
        let numbers = match task {
            Task::Dino => dino_descriptor(&feature, profile)?,
            _ => feature.numbers(),
        };
        self.crops.insert(key, numbers.clone());
        Ok(numbers)
    }

    /// LPIPS of two crops.
    async fn crops(
        &mut self,
        profile: Profile,
        wanted: &Rgb,
        found: &Rgb,
    ) -> Result<f64, NeuralError> {
        let (width, height) = (wanted.width, wanted.height);
        if width.min(height) < LEAST_SIDE {
            return Err(NeuralError::Picture(format!(
                "the reference's crop is {width} × {height} pixels, and LPIPS needs {LEAST_SIDE} along both sides"
            )));
        }
        let own = self.pair_pixels()?;
        let resized = Pixels {
            path: PixelPath::PilBicubicU8,
            resize: Resize::Exact([width, height]),
            ..own.clone()
        };
        let candidate = perceptual_range(resized.tensor(found)?, profile);
        let reference = perceptual_range(own.tensor(wanted)?, profile);
        self.distance(&reference, &candidate).await
    }
}

/// Errors where the output's file names an object that no reference's does.
fn require_known(own: &BoxFile, of_references: &[BoxFile]) -> Result<(), NeuralError> {
    let known: BTreeSet<&str> = of_references.iter().flat_map(BoxFile::names).collect();
    let Some(unknown) = own.names().find(|name| !known.contains(name)) else {
        return Ok(());
    };
    let files: Vec<&str> = of_references.iter().map(|one| one.file.as_str()).collect();
    let known: Vec<&str> = known.into_iter().collect();
    Err(NeuralError::Boxes {
        file: own.file.clone(),
        why: format!(
            "{unknown:?} is no object of the references ({}); use a name of theirs: {}",
            files.join(", "),
            known.join(", ")
        ),
    })
}

/// Errors where no reference has an object, or the output lacks one.
fn require_all(own: &BoxFile, of_references: &[BoxFile]) -> Result<(), NeuralError> {
    let of = |one: &'_ BoxFile| -> Vec<String> {
        let names = one.names().filter(|name| one.has(name));
        names.map(str::to_owned).collect()
    };
    let wanted: BTreeSet<String> = of_references.iter().flat_map(of).collect();
    if wanted.is_empty() {
        let files: Vec<&str> = of_references.iter().map(|one| one.file.as_str()).collect();
        return Err(NeuralError::Boxes {
            file: files.join(", "),
            why: "no reference has a box; write those of the objects that the prompt names"
                .to_owned(),
        });
    }
    let missing: Vec<String> = wanted.into_iter().filter(|name| !own.has(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(NeuralError::Missing {
        file: own.file.clone(),
        objects: missing.join(", "),
    })
}
