//! From `HigherHRNet`'s heat maps and tags to people's key points.
//!
//! Source: the parser of the network's own repository, as MultiRef's evaluator calls it: the picture and its mirror image,
//! both stages, one scale. Quarter pixels that the parser adds are left out, as what is drawn is cut to whole ones.

use crate::assignment::assignment;
use crate::skeleton::Person;
use crate::{NeuralError, Tensor, Values};

/// Key points of COCO.
const JOINTS: usize = 17;
/// Each key point's fellow in a mirror.
const MIRRORED: [usize; JOINTS] = [0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15];
/// The order in which key points are grouped.
const ORDER: [usize; JOINTS] = [0, 1, 2, 3, 4, 5, 6, 11, 12, 7, 8, 9, 10, 13, 14, 15, 16];
/// The most people.
const PEOPLE: usize = 30;
/// A key point counts above it.
const LEAST: f64 = 0.1;
/// A key point belongs to a person whose tag is nearer than this.
const NEAREST: f64 = 1.0;
/// Places around a peak that are lower.
const AROUND: usize = 2;
/// What a key point without a person costs.
const NOBODY: f64 = 1e10;

/// Planes of equal size, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Planes {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The numbers, row by row.
    pub values: Vec<f32>,
}

impl Planes {
    fn plane(&self, at: usize) -> &[f32] {
        let size = self.width * self.height;
        &self.values[at * size..(at + 1) * size]
    }

    /// Of a tensor 1 × N × H × W.
    fn of(tensor: &Tensor, number: usize) -> Result<Self, NeuralError> {
        match (&tensor.values, &tensor.shape[..]) {
            (Values::Reals(values), &[1, planes, height, width]) if planes == number => Ok(Self {
                width,
                height,
                values: values.clone(),
            }),
            _ => Err(NeuralError::Shape {
                expected: format!("{number} planes of one picture"),
                found: tensor.shape.clone(),
            }),
        }
    }

    /// Some of them, from left to right or from right to left.
    fn chosen(&self, planes: impl Iterator<Item = usize>, is_mirrored: bool) -> Self {
        let rows = planes.flat_map(|at| self.plane(at).chunks_exact(self.width));
        let values = if is_mirrored {
            rows.flat_map(|row| row.iter().rev()).copied().collect()
        } else {
            rows.flatten().copied().collect()
        };
        Self { values, ..*self }
    }

    /// At another size, between the four nearest middles.
    fn resized(&self, width: usize, height: usize) -> Self {
        let columns = between(self.width, width);
        let rows = between(self.height, height);
        let size = self.width * self.height;
        let mut values = Vec::with_capacity(self.values.len() / size.max(1) * width * height);
        for plane in self.values.chunks_exact(size.max(1)) {
            for (top, bottom, down) in &rows {
                let [top, bottom] = [top, bottom].map(|row| &plane[row * self.width..]);
                for (left, right, on) in &columns {
                    let along = |row: &[f32]| row[*left] * (1.0 - on) + row[*right] * on;
                    values.push(along(top) * (1.0 - down) + along(bottom) * down);
                }
            }
        }
        Self {
            width,
            height,
            values,
        }
    }

    fn mean(&self, other: &Self) -> Self {
        let pairs = self.values.iter().zip(&other.values);
        Self {
            values: pairs.map(|(a, b)| f32::midpoint(*a, *b)).collect(),
            ..*self
        }
    }
}

/// For each new place the two nearest old ones, and how far it is on the way from the first to the second.
fn between(from: usize, to: usize) -> Vec<(usize, usize, f32)> {
    let scale = from as f32 / to as f32;
    let place = |at: usize| {
        let place = ((at as f32 + 0.5) * scale - 0.5).max(0.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not below 0, and below the length"
        )]
        let left = (place as usize).min(from - 1);
        (left, (left + 1).min(from - 1), place - left as f32)
    };
    (0..to).map(place).collect()
}

/// Heat maps of a picture, with the tags that it and its mirror image give each place.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMaps {
    /// How sure the network is of each key point.
    pub heat: Planes,
    /// Who a key point belongs to, by nearness: of the picture and of its mirror image.
    pub tags: [Planes; 2],
}

impl HeatMaps {
    /// From the outputs for a picture and for its mirror image, the coarse stage (34 planes) and the fine one (17) of each,
    /// at the size of the network's input, width and height.
    ///
    /// # Errors
    /// [`NeuralError::Shape`].
    pub fn of(
        outputs: [[&Tensor; 2]; 2],
        (width, height): (usize, usize),
    ) -> Result<Self, NeuralError> {
        let [own, mirrored] = outputs;
        let (heat, tags) = stages(own, false)?;
        let (heat_mirrored, tags_mirrored) = stages(mirrored, true)?;
        let [heat, heat_mirrored, tags, tags_mirrored] =
            [heat, heat_mirrored, tags, tags_mirrored].map(|one| one.resized(width, height));
        Ok(Self {
            heat: heat.mean(&heat_mirrored),
            tags: [tags, tags_mirrored],
        })
    }

    /// The people, in the order in which they were found.
    pub fn people(&self) -> Vec<Person> {
        let mut people = self.grouped();
        for person in &mut people {
            self.complete(person);
        }
        people.into_iter().map(|person| person.points).collect()
    }

    fn tag(&self, joint: usize, at: usize) -> [f32; 2] {
        [0, 1].map(|which: usize| self.tags[which].plane(joint)[at])
    }

    /// The best peaks of a key point, the surest first.
    fn peaks(&self, joint: usize) -> Vec<Peak> {
        let (width, height) = (self.heat.width, self.heat.height);
        let plane = self.heat.plane(joint);
        let is_peak = |x: usize, y: usize, value: f32| {
            let rows = y.saturating_sub(AROUND)..=(y + AROUND).min(height - 1);
            let columns = x.saturating_sub(AROUND)..=(x + AROUND).min(width - 1);
            rows.into_iter().all(|row| {
                let row = &plane[row * width..(row + 1) * width];
                row[columns.clone()].iter().all(|other| *other <= value)
            })
        };
        let mut peaks = Vec::new();
        for (at, value) in plane.iter().enumerate() {
            let (x, y) = (at % width, at / width);
            if f64::from(*value) > LEAST && is_peak(x, y, *value) {
                peaks.push(Peak {
                    at,
                    value: *value,
                    tag: self.tag(joint, at),
                });
            }
        }
        peaks.sort_by(|a, b| b.value.total_cmp(&a.value));
        peaks.truncate(PEOPLE);
        peaks
    }

    /// Peaks of each key point dealt out to people by their tags.
    fn grouped(&self) -> Vec<Grouped> {
        let mut people: Vec<Grouped> = Vec::new();
        for joint in ORDER {
            let peaks = self.peaks(joint);
            let known = people.len().min(PEOPLE);
            let tags: Vec<[f32; 2]> = people[..known].iter().map(Grouped::tag).collect();
            let apart = |peak: &Peak, tag: &[f32; 2]| {
                let [a, b] = [0, 1].map(|at: usize| f64::from(peak.tag[at]) - f64::from(tag[at]));
                (a * a + b * b).sqrt()
            };
            let cost = |peak: &Peak| -> Vec<f64> {
                let costs = tags
                    .iter()
                    .map(|tag| apart(peak, tag).round_ties_even() * 100.0 - f64::from(peak.value));
                let nobody = std::iter::repeat_n(NOBODY, peaks.len().saturating_sub(known));
                costs.chain(nobody).collect()
            };
            let costs: Vec<Vec<f64>> = peaks.iter().map(cost).collect();
            for (peak, whose) in peaks.iter().zip(assignment(&costs)) {
                let is_near = tags
                    .get(whose)
                    .is_some_and(|tag| apart(peak, tag) < NEAREST);
                if is_near {
                    people[whose].take(joint, peak, self.heat.width);
                    people[whose].tags.push(peak.tag);
                    continue;
                }
                // People are known by the first tag of theirs.
                let same = people
                    .iter()
                    .position(|one| one.key.to_bits() == peak.tag[0].to_bits());
                let at = same.unwrap_or_else(|| {
                    people.push(Grouped::new(peak.tag[0]));
                    people.len() - 1
                });
                people[at].take(joint, peak, self.heat.width);
                people[at].tags = vec![peak.tag];
            }
        }
        people
    }

    /// Key points that a person lacks, where the heat is highest among places with about their tag.
    fn complete(&self, person: &mut Grouped) {
        let width = self.heat.width;
        let found = person.points.iter().enumerate();
        let tags: Vec<[f32; 2]> = found
            .filter_map(|(joint, point)| {
                let [x, y] = (*point)?;
                Some(self.tag(joint, usize::from(y) * width + usize::from(x)))
            })
            .collect();
        let own = mean(&tags);
        for joint in 0..JOINTS {
            if person.points[joint].is_some() {
                continue;
            }
            let mut best: Option<(f32, usize)> = None;
            for (at, heat) in self.heat.plane(joint).iter().enumerate() {
                let tag = self.tag(joint, at);
                let [a, b] = [0, 1].map(|which: usize| tag[which] - own[which]);
                let score = heat - (a * a + b * b).sqrt().round_ties_even();
                if best.is_none_or(|(most, _)| score > most) {
                    best = Some((score, at));
                }
            }
            if let Some((_, at)) = best.filter(|(_, at)| self.heat.plane(joint)[*at] > 0.0) {
                person.points[joint] = Some(point(at, width));
            }
        }
    }
}

/// A place that may be a key point.
struct Peak {
    at: usize,
    value: f32,
    tag: [f32; 2],
}

/// A person on the way.
struct Grouped {
    /// What tells them from the others.
    key: f32,
    points: Person,
    tags: Vec<[f32; 2]>,
}

impl Grouped {
    fn new(key: f32) -> Self {
        Self {
            key,
            points: [None; JOINTS],
            tags: Vec::new(),
        }
    }

    fn tag(&self) -> [f32; 2] {
        mean(&self.tags)
    }

    fn take(&mut self, joint: usize, peak: &Peak, width: usize) {
        self.points[joint] = Some(point(peak.at, width));
    }
}

fn point(at: usize, width: usize) -> [u16; 2] {
    [at % width, at / width].map(|side| u16::try_from(side).unwrap_or(u16::MAX))
}

fn mean(tags: &[[f32; 2]]) -> [f32; 2] {
    let sum = |which: usize| tags.iter().fold(0.0, |sum, tag| sum + tag[which]);
    [sum(0), sum(1)].map(|sum| sum / tags.len() as f32)
}

/// Heat and tags of both stages, at the fine one's size.
fn stages(outputs: [&Tensor; 2], is_mirrored: bool) -> Result<(Planes, Planes), NeuralError> {
    let [coarse, fine] = outputs;
    let (coarse, fine) = (Planes::of(coarse, 2 * JOINTS)?, Planes::of(fine, JOINTS)?);
    let coarse = coarse.resized(fine.width, fine.height);
    let own = |at: usize| if is_mirrored { MIRRORED[at] } else { at };
    let heat = coarse.chosen((0..JOINTS).map(own), is_mirrored);
    let tags = coarse.chosen((0..JOINTS).map(|at| JOINTS + own(at)), is_mirrored);
    let fine = fine.chosen((0..JOINTS).map(own), is_mirrored);
    Ok((heat.mean(&fine), tags))
}
