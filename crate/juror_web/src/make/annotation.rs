//! The edge of VIBE's drawn instructions: marks over pictures, what is wrong with them, and the files that they come to.

use juror_make::Copied;
use juror_make::annotation::{
    MAX_LINE, Maker, Mark, Marks, Point, Stroke, Style, Task, Tool, begun, line_width, lint,
    next_id, strokes,
};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use super::{asked, json, refused};

/// A task whose items can be drawn.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AnnotationTask {
    /// `AD`, `RM`, ….
    task: Task,
    /// Its name and what is drawn for it.
    title: &'static str,
    /// How its marks are drawn.
    hint: &'static str,
    /// In the order in which they are used.
    tools: &'static [Tool],
    /// What differs from the scene as it is, as the annotator confirms; empty where nothing has to.
    differs: &'static str,
}

/// What there is to know before marks are drawn.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AnnotationAbout {
    /// What is made, and for which benchmark.
    title: &'static str,
    /// In the paper's order.
    tasks: Vec<AnnotationTask>,
    /// The styles of sources.
    styles: [Style; 3],
    /// The widest line in pixels.
    max_line: u32,
}

/// What there is to know before marks are drawn, as JSON of [`AnnotationAbout`].
#[wasm_bindgen]
pub fn annotation_about() -> Result<String, JsValue> {
    json(&AnnotationAbout {
        title: "Annotations for VIBE",
        tasks: Task::ALL.map(about).into(),
        styles: Style::ALL,
        max_line: MAX_LINE,
    })
}

fn about(task: Task) -> AnnotationTask {
    let (title, hint) = match task {
        Task::Ad => ("AD, addition", "A box where the new thing goes."),
        Task::Rm => ("RM, removal", "A box tight around the thing that goes."),
        Task::Rp => (
            "RP, replacement",
            "A box tight around the thing that is replaced.",
        ),
        Task::Tr => (
            "TR, translation",
            "A box tight around the thing, and an arrow from the box to where it goes.",
        ),
        Task::Ro => (
            "RO, reorientation",
            "A viewing frustum: its apex, then the four corners of the view in turn.",
        ),
        Task::Di => ("DI, draft instantiation", "A draft in lines drawn by hand."),
        Task::Lc => (
            "LC, light control",
            "An arrow along the light, from its source to the subject.",
        ),
        Task::Fs => ("FS, flow simulation", "An arrow along the wind."),
    };
    AnnotationTask {
        task,
        title,
        hint,
        tools: task.tools(),
        differs: match task {
            Task::Lc => "The light differs from the scene as it is",
            Task::Fs => "The wind differs from the scene as it is",
            _ => "",
        },
    }
}

/// What a new item is made of.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AnnotationBegun {
    /// The picture's name.
    name: String,
    /// What kind of edit.
    task: Task,
    /// The picture's style.
    style: Style,
    /// Ids that other items of the task have.
    ids: Vec<String>,
    /// Names that other pictures have.
    names: Vec<String>,
}

fn borrowed(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

/// A new item over a picture, from JSON of [`AnnotationBegun`]; gives JSON of a file of marks.
#[wasm_bindgen]
pub fn annotation_begun(text: &str, bytes: &[u8]) -> Result<String, JsValue> {
    let AnnotationBegun {
        name,
        task,
        style,
        ids,
        names,
    } = asked(text)?;
    let marks = begun(
        &name,
        bytes,
        (task, style),
        &borrowed(&ids),
        &borrowed(&names),
    );
    json(&marks.map_err(refused)?)
}

/// The first id of a style that no other item of the task has.
#[wasm_bindgen]
#[expect(
    clippy::needless_pass_by_value,
    reason = "wasm-bindgen passes lists by value"
)]
pub fn annotation_id(style: &str, ids: Vec<String>) -> Result<String, JsValue> {
    Ok(next_id(asked(style)?, &borrowed(&ids)))
}

/// Reads a file of marks; gives it as JSON.
#[wasm_bindgen]
pub fn annotation_read(name: &str, text: &str) -> Result<String, JsValue> {
    json(&Marks::read(name, text).map_err(refused)?)
}

/// A mark as it is shown.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AnnotationMark {
    /// Where it is.
    words: String,
    /// What it is drawn from.
    strokes: Vec<Stroke>,
}

/// What an item's marks come to.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AnnotationSeen {
    /// What keeps it out of the benchmark.
    faults: Vec<String>,
    /// In the order of the file.
    marks: Vec<AnnotationMark>,
    /// Width of its lines in pixels.
    line: f64,
    /// The file of its marks, and its text.
    file: [String; 2],
}

/// What an item's marks come to, from JSON of a file of marks; gives JSON of [`AnnotationSeen`].
#[wasm_bindgen]
pub fn annotation_seen(text: &str) -> Result<String, JsValue> {
    let marks: Marks = asked(text)?;
    let line = marks.line_width();
    let shown = marks.marks.iter().map(|mark| AnnotationMark {
        words: mark.words(),
        strokes: strokes(mark, line),
    });
    json(&AnnotationSeen {
        faults: lint(&marks),
        marks: shown.collect(),
        line,
        file: [marks.file_name(), marks.text()],
    })
}

/// A mark that is being drawn.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AnnotationDrawn {
    /// What draws it.
    tool: Tool,
    /// Its points so far.
    points: Vec<Point>,
    /// Width and height of the picture.
    size: [u32; 2],
}

/// What the points of a mark come to.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AnnotationPending {
    /// The mark; `null` while points are missing.
    mark: Option<Mark>,
    /// How many points it takes; `null` for as many as are drawn.
    num_points: Option<usize>,
    /// What is shown meanwhile.
    strokes: Vec<Stroke>,
}

/// What the points of a mark come to, from JSON of [`AnnotationDrawn`]; gives JSON of [`AnnotationPending`].
#[wasm_bindgen]
pub fn annotation_drawn(text: &str) -> Result<String, JsValue> {
    let AnnotationDrawn { tool, points, size } = asked(text)?;
    let mark = tool.mark(&points);
    let line = line_width(size[0], size[1]);
    let shown = mark.clone().unwrap_or(Mark::Pen(points));
    json(&AnnotationPending {
        mark,
        num_points: tool.num_points(),
        strokes: strokes(&shown, line),
    })
}

/// Items that become files one after another.
#[wasm_bindgen]
pub struct Annotations(Maker);

#[wasm_bindgen]
impl Annotations {
    /// Begins with files of marks, names and texts in the same order.
    #[wasm_bindgen(constructor)]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "wasm-bindgen passes lists by value"
    )]
    pub fn new(names: Vec<String>, texts: Vec<String>) -> Result<Annotations, JsValue> {
        let files = names.iter().zip(&texts);
        let files = files.map(|(name, text)| (name.as_str(), text.as_str()));
        Maker::new(files).map(Self).map_err(refused)
    }

    /// How many items have no fault.
    pub fn count(&self) -> usize {
        self.0.count()
    }

    /// The file of an item's marks.
    pub fn wanted(&self, at: usize) -> String {
        let wanted = self.0.wanted(at);
        wanted.map_or_else(String::new, |(name, _)| name.to_owned())
    }

    /// An item's source and its layer as pairs of path and bytes, by the bytes of its picture.
    pub fn pictures(&self, at: usize, bytes: &[u8]) -> Result<js_sys::Array, JsValue> {
        let pictures = self.0.pictures(at, bytes).map_err(refused)?;
        let pairs = pictures.into_iter().map(|Copied { path, bytes }| {
            let bytes = js_sys::Uint8Array::from(&bytes[..]);
            JsValue::from(js_sys::Array::of2(&path.into(), &bytes))
        });
        Ok(pairs.collect())
    }

    /// The tasks' lists as pairs of path and text.
    pub fn lists(&self) -> js_sys::Array {
        let lists = self.0.lists().into_iter();
        let pairs = lists
            .map(|list| JsValue::from(js_sys::Array::of2(&list.path.into(), &list.text.into())));
        pairs.collect()
    }
}
