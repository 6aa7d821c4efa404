//! Items of VIBE whose instruction a person draws over a source: marks, their rules, their layers, and the lists.
//!
//! Source: VIBE's tasks (paper, section 3) and its lists of annotations. The file of marks is ours: it holds what the list
//! cannot, so that an item can be changed, reviewed and combined with others.

use std::collections::BTreeMap;

use juror_image::stated_size;
use juror_model::prompt::sha256;
use serde::{Deserialize, Serialize};

use crate::{Copied, Error, OutFile};

pub mod compose;
mod draw;
mod lint;
mod marks;

pub use draw::{LINE_OF_LONG_SIDE, MIN_LINE, RED, Stroke, line_width, strokes};
pub use lint::{MAX_LINE, MIN_ARROW, MIN_BOX, lint};
pub use marks::{FORMAT, Mark, Marks, Point, Review, Source, Style, Task, Tool};

/// The folder of layers next to a list.
const LAYERS: &str = "visual_instruction";

/// An item of VIBE's list, with what that does not have: the marks themselves.
#[derive(Serialize, Deserialize)]
struct Item {
    id: String,
    file_paths: FilePaths,
    text_prompt: TextPrompt,
    marks: Marks,
}

#[derive(Serialize, Deserialize)]
struct FilePaths {
    source: String,
    visual_instruction: String,
}

#[derive(Serialize, Deserialize)]
struct TextPrompt {
    input_prompt: String,
}

impl Item {
    fn of(marks: &Marks) -> Self {
        Self {
            id: marks.id.clone(),
            file_paths: FilePaths {
                source: marks.listed_source(),
                visual_instruction: layer_name(&marks.id),
            },
            text_prompt: TextPrompt {
                input_prompt: marks.text.trim().to_owned(),
            },
            marks: marks.clone(),
        }
    }
}

fn layer_name(id: &str) -> String {
    format!("{LAYERS}/{id}.png")
}

/// The width and height of a source in pixels, as it is stored.
///
/// # Errors
/// [`Error::Picture`] for what is no picture.
pub fn size_of(name: &str, bytes: &[u8]) -> Result<[u32; 2], Error> {
    stated_size(bytes).ok_or_else(|| {
        Error::Picture(format!(
            "{name} is no picture that can be read; choose a PNG, JPEG, WebP, GIF or BMP file"
        ))
    })
}

/// Items that become files one after another, so that a host can stop between them.
#[derive(Clone, Debug)]
pub struct Maker {
    /// Items without a fault, with the names of their files.
    items: Vec<(String, Marks)>,
    faults: Vec<String>,
    num_unreviewed: usize,
}

impl Maker {
    /// Begins with files of marks by their names; an item with a fault stays out.
    ///
    /// # Errors
    /// [`Error::List`] for a file that cannot be read, two items of one id, or two pictures of one name.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, Error> {
        let mut items: Vec<(String, Marks)> = Vec::new();
        for (name, text) in files {
            items.push((name.to_owned(), Marks::read(name, text)?));
        }
        // The order of files does not change the lists.
        items.sort_by(|(_, a), (_, b)| (a.task, &a.id).cmp(&(b.task, &b.id)));
        unique(&items)?;
        let mut faults = Vec::new();
        items.retain(|(name, marks)| {
            let found = lint(marks);
            let is_good = found.is_empty();
            faults.extend(found.into_iter().map(|words| format!("{name}: {words}")));
            is_good
        });
        let unreviewed = items.iter().filter(|(_, marks)| marks.reviews.is_empty());
        Ok(Self {
            num_unreviewed: unreviewed.count(),
            items,
            faults,
        })
    }

    /// How many items have no fault.
    pub fn count(&self) -> usize {
        self.items.len()
    }

    /// Why others stay out.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// How many of the good items no second person looked at.
    pub fn num_unreviewed(&self) -> usize {
        self.num_unreviewed
    }

    /// The file of an item's marks, and its source from there.
    pub fn wanted(&self, at: usize) -> Option<(&str, &str)> {
        let (name, marks) = self.items.get(at)?;
        Some((name, &marks.source.path))
    }

    /// An item's source and its layer.
    ///
    /// # Errors
    /// [`Error::Picture`] if the picture is not the one that was marked.
    pub fn pictures(&self, at: usize, bytes: &[u8]) -> Result<[Copied; 2], Error> {
        let Some((name, marks)) = self.items.get(at) else {
            return Err(Error::List("There is no such item.".to_owned()));
        };
        let source = &marks.source;
        let named = format!("{name}: the picture {}", source.path);
        if sha256(bytes) != source.sha256.to_ascii_lowercase() {
            return Err(Error::Picture(format!(
                "{named} is not the one that was marked: its SHA-256 differs; bring the picture that was marked, or mark this one"
            )));
        }
        let size = size_of(&named, bytes)?;
        if size != [source.width, source.height] {
            return Err(Error::Picture(format!(
                "{named} has {} × {} pixels, and its marks are for {} × {}; write its own size",
                size[0], size[1], source.width, source.height
            )));
        }
        let layer = Copied {
            path: format!("{}/{}", marks.task.folder().0, layer_name(&marks.id)),
            bytes: draw::layer(size, &[marks])?,
        };
        let source = Copied {
            path: marks.source_path(),
            bytes: bytes.to_vec(),
        };
        Ok([source, layer])
    }

    /// The tasks' lists.
    pub fn lists(&self) -> Vec<OutFile> {
        let of_task = |task: Task| {
            let own = self.items.iter().filter(|(_, marks)| marks.task == task);
            let items: Vec<Item> = own.map(|(_, marks)| Item::of(marks)).collect();
            let (folder, list) = task.folder();
            (!items.is_empty()).then(|| OutFile {
                path: format!("{folder}/{list}"),
                text: crate::ordered::pretty(&items),
            })
        };
        Task::ALL.into_iter().filter_map(of_task).collect()
    }
}

/// Ids and pictures become files, so no two share one.
fn unique(items: &[(String, Marks)]) -> Result<(), Error> {
    let mut ids = BTreeMap::new();
    let mut pictures: BTreeMap<String, (&str, &str)> = BTreeMap::new();
    for (name, marks) in items {
        // Some disks do not tell large letters from small ones.
        let id = (marks.task, marks.id.to_ascii_lowercase());
        if let Some(other) = ids.insert(id, name) {
            return Err(Error::List(format!(
                "{name} and {other} are both {}; give one another id",
                marks.title()
            )));
        }
        let path = marks.source_path();
        let found = pictures
            .entry(path.to_lowercase())
            .or_insert((&marks.source.sha256, name));
        if !found.0.eq_ignore_ascii_case(&marks.source.sha256) {
            return Err(Error::List(format!(
                "{name} and {} name different pictures, and both would be {path}; rename one picture",
                found.1
            )));
        }
    }
    Ok(())
}

/// A new item over a picture, without marks; its id and its picture's name are none of those that are taken.
///
/// # Errors
/// [`Error::Picture`] for what is no picture.
pub fn begun(
    name: &str,
    bytes: &[u8],
    kind: (Task, Style),
    ids: &[&str],
    names: &[&str],
) -> Result<Marks, Error> {
    let [width, height] = size_of(name, bytes)?;
    let (task, style) = kind;
    Ok(Marks {
        format: FORMAT.to_owned(),
        id: next_id(style, ids),
        source: Source {
            path: free_name(name, names),
            sha256: sha256(bytes),
            width,
            height,
        },
        task,
        style,
        text: String::new(),
        marks: Vec::new(),
        line: None,
        differs: false,
        reviews: Vec::new(),
    })
}

/// A picture's name, with a number where another picture has it.
fn free_name(name: &str, taken: &[&str]) -> String {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "png"));
    let others = (2..).map(|number: u32| format!("{stem}-{number}.{ending}"));
    let mut all = std::iter::once(format!("{stem}.{ending}")).chain(others);
    let is_free = |name: &String| !taken.iter().any(|one| one.eq_ignore_ascii_case(name));
    all.find(is_free).unwrap_or_default()
}

/// The first id of a style that none of these are.
///
/// # Example
/// ```
/// use juror_make::annotation::{Style, next_id};
/// assert_eq!(next_id(Style::Sketch, &["sketch_01", "animation_02"]), "sketch_02");
/// ```
pub fn next_id(style: Style, taken: &[&str]) -> String {
    let mut ids = (1..).map(|number: u32| format!("{}_{number:02}", style.id()));
    ids.find(|id| !taken.contains(&id.as_str()))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
