//! Items with two or three deictic tasks at once, from single items on the same source.
//!
//! Source: VIBE's multi-task sets: six pairs and four triples of addition, removal, replacement and translation, five for each
//! style. The paper does not say how they were chosen, so the rules here are ours: marks of different items keep apart, and
//! texts that may name the same thing wait for a person.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::lint::{the_arrow, the_box};
use super::marks::{Marks, Style, Task};
use super::{FilePaths, Item, TextPrompt, draw, layer_name, lint};
use crate::draws::place;
use crate::{Copied, Decision, Error, OutFile, Progress, ProgressRow, Verdict};

/// What is hashed before seed and combination to find its place.
const KIND: &str = "juror-compose/1";
/// The folder of both sets.
const FOLDER: &str = "Tasks/Level-1-Deictic/Multi-Tasks";
/// The most combinations that are looked at.
const MAX_COMBINATIONS: usize = 200_000;
/// The shortest word that can name a thing; our choice.
const MIN_WORD: usize = 3;
/// Words of instructions that name no thing; our choice.
const PLAIN_WORDS: &[&str] = &[
    "add",
    "along",
    "and",
    "another",
    "area",
    "arrow",
    "around",
    "away",
    "background",
    "below",
    "bottom",
    "box",
    "bounding",
    "change",
    "could",
    "direction",
    "draw",
    "drawn",
    "erase",
    "fill",
    "following",
    "from",
    "front",
    "give",
    "grow",
    "has",
    "have",
    "here",
    "image",
    "indicated",
    "inside",
    "insert",
    "instead",
    "into",
    "its",
    "left",
    "make",
    "mark",
    "marked",
    "move",
    "new",
    "next",
    "not",
    "object",
    "off",
    "one",
    "onto",
    "out",
    "over",
    "photo",
    "picture",
    "place",
    "please",
    "position",
    "put",
    "rectangle",
    "red",
    "region",
    "remove",
    "replace",
    "right",
    "scene",
    "shift",
    "show",
    "shown",
    "side",
    "some",
    "space",
    "spot",
    "swap",
    "take",
    "that",
    "the",
    "their",
    "there",
    "thing",
    "this",
    "top",
    "translate",
    "turn",
    "under",
    "where",
    "which",
    "with",
    "within",
];

/// A single item of a made list.
#[derive(Clone, Debug)]
pub struct Single {
    marks: Marks,
    /// From the benchmark's root.
    source: String,
}

impl Single {
    /// Its picture, from the benchmark's root.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// `AD:animation_01`.
    fn key(&self) -> String {
        format!("{}:{}", self.marks.task.short(), self.marks.id)
    }
}

/// Where the lists of single items are, from the benchmark's root.
pub fn lists() -> impl Iterator<Item = String> {
    Task::DEICTIC.into_iter().map(|task| {
        let (folder, list) = task.folder();
        format!("{folder}/{list}")
    })
}

/// Reads a list that was made from marks; `name` is the file's.
///
/// # Errors
/// [`Error::List`] for a list without marks, or with marks that have a fault.
pub fn singles(name: &str, text: &str) -> Result<Vec<Single>, Error> {
    let items: Vec<Item> = serde_json::from_str(text).map_err(|error| {
        Error::List(format!(
            "{name}: expected a list that juror make annotate wrote, with the marks of each item ({error}); make it from the files of marks"
        ))
    })?;
    let mut found = Vec::new();
    for item in items {
        let marks = Marks::read(name, &item.marks.text())?;
        if !Task::DEICTIC.contains(&marks.task) {
            continue;
        }
        if let Some(fault) = lint(&marks).first() {
            return Err(Error::List(format!("{name}: {fault}")));
        }
        let source = marks.source_path();
        found.push(Single { marks, source });
    }
    Ok(found)
}

/// Which combinations are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// So many for each combination of tasks and each style.
    pub per: usize,
    /// Decides which are taken.
    pub seed: u64,
    /// Of how many tasks.
    pub sizes: Sizes,
}

/// How many tasks are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// Six pairs.
    Pairs,
    /// Four triples.
    Triples,
    /// Both.
    Both,
}

impl Sizes {
    /// The combinations of tasks, pairs first.
    ///
    /// # Example
    /// ```
    /// use juror_make::annotation::compose::Sizes;
    /// assert_eq!(Sizes::Pairs.combinations().len(), 6);
    /// assert_eq!(Sizes::Triples.combinations().len(), 4);
    /// ```
    pub fn combinations(self) -> Vec<Vec<Task>> {
        let all = Task::DEICTIC;
        let mut pairs = Vec::new();
        let mut triples = Vec::new();
        for (at, a) in all.into_iter().enumerate() {
            for (by, b) in all.into_iter().enumerate().skip(at + 1) {
                pairs.push(vec![a, b]);
                triples.extend(all.into_iter().skip(by + 1).map(|c| vec![a, b, c]));
            }
        }
        match self {
            Self::Pairs => pairs,
            Self::Triples => triples,
            Self::Both => [pairs, triples].concat(),
        }
    }
}

/// A combination that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The combination, as decisions name it.
    pub thing: String,
    /// The words that its texts share.
    pub words: String,
}

/// An item with several tasks.
#[derive(Clone, Debug)]
struct Together {
    id: String,
    parts: Vec<Single>,
}

impl Together {
    fn text(&self) -> String {
        let sentences = self.parts.iter().map(|part| {
            let text = part.marks.text.trim();
            let is_ended = text.ends_with(['.', '!', '?']);
            if is_ended {
                text.to_owned()
            } else {
                format!("{text}.")
            }
        });
        sentences.collect::<Vec<String>>().join(" ")
    }
}

/// An item of a multi-task list; `of` names the single items.
#[derive(Serialize)]
struct TogetherItem {
    id: String,
    file_paths: FilePaths,
    text_prompt: TextPrompt,
    tasks: Vec<&'static str>,
    of: Vec<String>,
}

/// What single items come to.
#[derive(Clone, Debug)]
pub struct Composed {
    items: Vec<Together>,
    /// How many combinations there are, are made, and are rejected for which reason.
    pub progress: Progress,
    /// Combinations whose texts share a word, and that no decision names.
    pub doubts: Vec<Doubt>,
}

impl Composed {
    /// How many items there are.
    pub fn count(&self) -> usize {
        self.items.len()
    }

    /// The source of an item, from the root of the single items.
    pub fn source(&self, at: usize) -> Option<&str> {
        let first = self.items.get(at)?.parts.first()?;
        Some(first.source())
    }

    /// An item's source and its merged layer.
    ///
    /// # Errors
    /// [`Error::Picture`] if the picture is not the one that was marked.
    pub fn pictures(&self, at: usize, bytes: &[u8]) -> Result<[Copied; 2], Error> {
        let parts = self.items.get(at).map(|item| &item.parts[..]);
        let (Some(item), Some([first, ..])) = (self.items.get(at), parts) else {
            return Err(Error::List("There is no such item.".to_owned()));
        };
        let source = &first.marks.source;
        if juror_model::prompt::sha256(bytes) != source.sha256.to_ascii_lowercase() {
            return Err(Error::Picture(format!(
                "{}: the picture {} is not the one that was marked: its SHA-256 differs; make the single items again",
                item.id, first.source
            )));
        }
        let marks: Vec<&Marks> = item.parts.iter().map(|part| &part.marks).collect();
        Ok([
            Copied {
                path: first.source.clone(),
                bytes: bytes.to_vec(),
            },
            Copied {
                path: format!("{FOLDER}/{}", layer_name(&item.id)),
                bytes: draw::layer([source.width, source.height], &marks)?,
            },
        ])
    }

    /// The lists of pairs and of triples.
    pub fn lists(&self) -> Vec<OutFile> {
        let of_size = |size: usize| {
            let own = self.items.iter().filter(|item| item.parts.len() == size);
            let items: Vec<TogetherItem> = own.map(listed).collect();
            (!items.is_empty()).then(|| OutFile {
                path: format!("{FOLDER}/{size}-Tasks.json"),
                text: crate::ordered::pretty(&items),
            })
        };
        [2, 3].into_iter().filter_map(of_size).collect()
    }
}

fn listed(item: &Together) -> TogetherItem {
    let parts = &item.parts;
    TogetherItem {
        id: item.id.clone(),
        file_paths: FilePaths {
            source: parts
                .first()
                .map(|part| part.source.clone())
                .unwrap_or_default(),
            visual_instruction: layer_name(&item.id),
        },
        text_prompt: TextPrompt {
            input_prompt: item.text(),
        },
        tasks: parts.iter().map(|part| part.marks.task.short()).collect(),
        of: parts.iter().map(|part| part.marks.id.clone()).collect(),
    }
}

/// Combines single items: those that come first by the seed, each source once before any comes again.
///
/// # Errors
/// [`Error::Decision`] for a decision about something that is no combination, [`Error::Setting`] for too many combinations.
pub fn compose(
    singles: &[Single],
    choice: &Choice,
    decisions: &[Decision],
) -> Result<Composed, Error> {
    let mut composed = Composed {
        items: Vec::new(),
        progress: Progress::default(),
        doubts: Vec::new(),
    };
    let mut known = BTreeSet::new();
    for tasks in choice.sizes.combinations() {
        for style in Style::ALL {
            let mut tuples = together(singles, &tasks, style)?;
            tuples.sort_by_cached_key(|parts| place(KIND, choice.seed, &[&thing(parts)]));
            known.extend(tuples.iter().map(|parts| thing(parts)));
            take(&mut composed, &tasks, style, choice.per, &tuples, decisions);
        }
    }
    // A combination of the other size is no mistake while pairs are made without triples.
    let others = |thing: &str| thing.split('+').count() > 1 && choice.sizes != Sizes::Both;
    let mut lost = decisions.iter().filter(|one| !known.contains(&one.thing));
    if let Some(lost) = lost.find(|one| !others(&one.thing)) {
        return Err(Error::Decision(format!(
            "A decision is about {}, which is no combination of these items; name one such as AD:animation_01+RM:animation_02.",
            lost.thing
        )));
    }
    composed.progress.samples = u32::try_from(composed.items.len()).unwrap_or(u32::MAX);
    Ok(composed)
}

/// All combinations of one item of each task, on the same source of this style.
fn together(singles: &[Single], tasks: &[Task], style: Style) -> Result<Vec<Vec<Single>>, Error> {
    let mut by_source: BTreeMap<String, Vec<&Single>> = BTreeMap::new();
    for single in singles.iter().filter(|single| single.marks.style == style) {
        let hash = single.marks.source.sha256.to_ascii_lowercase();
        by_source.entry(hash).or_default().push(single);
    }
    let mut all = Vec::new();
    for own in by_source.values() {
        let mut tuples: Vec<Vec<Single>> = vec![Vec::new()];
        for task in tasks {
            let next = own.iter().filter(|single| single.marks.task == *task);
            let next: Vec<&&Single> = next.collect();
            if tuples.len().saturating_mul(next.len()) > MAX_COMBINATIONS {
                return Err(Error::Setting(format!(
                    "There are more than {MAX_COMBINATIONS} combinations on one source; combine fewer items at once."
                )));
            }
            tuples = tuples
                .iter()
                .flat_map(|parts| {
                    next.iter().map(|single| {
                        let mut parts = parts.clone();
                        parts.push((**single).clone());
                        parts
                    })
                })
                .collect();
        }
        all.extend(tuples);
    }
    Ok(all)
}

/// How decisions name a combination: `AD:animation_01+RM:animation_02`.
fn thing(parts: &[Single]) -> String {
    let keys: Vec<String> = parts.iter().map(Single::key).collect();
    keys.join("+")
}

/// Takes the first good ones of a combination and a style, and counts why others are out.
fn take(
    composed: &mut Composed,
    tasks: &[Task],
    style: Style,
    per: usize,
    tuples: &[Vec<Single>],
    decisions: &[Decision],
) {
    let shorts: Vec<&str> = tasks.iter().map(|task| task.short()).collect();
    let name = shorts.join("+");
    let mut row = ProgressRow::of(&format!("{name} {}", style.id()));
    let mut good = Vec::new();
    for parts in tuples {
        row.drawn += 1;
        match refusal(parts, decisions) {
            None => good.push(parts),
            Some(Refusal::Shared(words)) => {
                row.reject("a shared word, to be confirmed");
                composed.doubts.push(Doubt {
                    thing: thing(parts),
                    words,
                });
            }
            Some(Refusal::Other(reason)) => row.reject(&reason),
        }
    }
    row.passed = u32::try_from(good.len()).unwrap_or(u32::MAX);
    // Stable: among sources that are new, and among others, the seed's order stays.
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    good.sort_by_cached_key(|parts| {
        let count = times.entry(&parts[0].marks.source.sha256).or_default();
        *count += 1;
        *count
    });
    for (number, parts) in (1..).zip(good.into_iter().take(per)) {
        composed.items.push(Together {
            id: format!("{name}_{}_{number:02}", style.id()),
            parts: parts.clone(),
        });
        row.made += 1;
        row.accepted += 1;
    }
    if row.accepted < u32::try_from(per).unwrap_or(u32::MAX) && row.drawn > 0 {
        composed.progress.remarks.push(format!(
            "{}: {} of {per}; draw more single items on the same sources, or confirm doubts.",
            row.group, row.accepted
        ));
    }
    composed.progress.rows.push(row);
}

/// Why a combination is out.
enum Refusal {
    Shared(String),
    Other(String),
}

fn refusal(parts: &[Single], decisions: &[Decision]) -> Option<Refusal> {
    let thing = thing(parts);
    // The last decision counts; a person can confirm texts, but no person can part boxes that overlap.
    let decided = decisions.iter().rev().find(|one| one.thing == thing);
    if let Some(one) = decided.filter(|one| one.verdict == Verdict::Reject) {
        return Some(Refusal::Other(format!("rejected by {}", one.by)));
    }
    let pairs = || {
        let numbered = parts.iter().enumerate();
        numbered.flat_map(|(at, a)| parts[at + 1..].iter().map(move |b| (a, b)))
    };
    if pairs().any(|(a, b)| overlap(&a.marks, &b.marks)) {
        return Some(Refusal::Other("boxes overlap".to_owned()));
    }
    if pairs().any(|(a, b)| crosses(&a.marks, &b.marks) || crosses(&b.marks, &a.marks)) {
        return Some(Refusal::Other("an arrow crosses another box".to_owned()));
    }
    let shared: BTreeSet<String> = pairs()
        .flat_map(|(a, b)| shared(&a.marks.text, &b.marks.text))
        .collect();
    if shared.is_empty() || decided.is_some() {
        return None;
    }
    let words: Vec<String> = shared.into_iter().collect();
    Some(Refusal::Shared(words.join(" ")))
}

/// Whether two items' boxes have a point in common.
fn overlap(a: &Marks, b: &Marks) -> bool {
    let (Some(a), Some(b)) = (the_box(a), the_box(b)) else {
        return false;
    };
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

/// Whether an item's arrow goes through another item's box.
fn crosses(moved: &Marks, other: &Marks) -> bool {
    let (Some([from, to]), Some(area)) = (the_arrow(moved), the_box(other)) else {
        return false;
    };
    // The part of the way, from 0 to 1, that is between the box's sides on both axes.
    let (mut begin, mut end) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let [start, way] = [from[axis], to[axis].saturating_sub(from[axis])].map(f64::from);
        let [low, high] = [area[axis], area[axis + 2]].map(f64::from);
        if way == 0.0 {
            if start < low || start > high {
                return false;
            }
            continue;
        }
        let (a, b) = ((low - start) / way, (high - start) / way);
        begin = begin.max(a.min(b));
        end = end.min(a.max(b));
    }
    begin <= end
}

/// Words that may name the same thing in both texts.
///
/// # Example
/// ```
/// use juror_make::annotation::compose::shared;
/// assert_eq!(shared("Remove the red cups.", "Move the cup along the arrow."), ["cup"]);
/// assert!(shared("Remove the cup in the red box.", "Add a hat in the red box.").is_empty());
/// ```
pub fn shared(a: &str, b: &str) -> Vec<String> {
    let (a, b) = (naming(a), naming(b));
    a.intersection(&b).cloned().collect()
}

/// The words of a text that may name things, in small letters and without a plural's s.
fn naming(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let small = words.map(str::to_lowercase);
    let things = small
        .filter(|word| word.chars().count() >= MIN_WORD && !PLAIN_WORDS.contains(&word.as_str()));
    things
        .map(|word| {
            let single = word.strip_suffix('s');
            let single = single.filter(|rest| rest.len() >= MIN_WORD && !rest.ends_with('s'));
            single.map_or_else(|| word.clone(), str::to_owned)
        })
        .collect()
}

#[cfg(test)]
mod tests;
