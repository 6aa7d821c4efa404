//! A file of marks: one item of VIBE, as a person drew it over its source.
//!
//! Source: VIBE's tasks and their drawn instructions (paper, section 3). The form `juror-marks/1` is ours.

use juror_model::tree::base_name;
use juror_protocols::vibe;
use serde::{Deserialize, Serialize};

use crate::Error;

/// The form of the file.
pub const FORMAT: &str = "juror-marks/1";
/// The longest id.
const MAX_ID: usize = 80;

/// A place in whole pixels from the upper left.
pub type Point = [i32; 2];

/// A task of VIBE whose instruction is drawn over the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MarkTask")
)]
pub enum Task {
    /// Addition.
    Ad,
    /// Removal.
    Rm,
    /// Replacement.
    Rp,
    /// Translation.
    Tr,
    /// Reorientation.
    Ro,
    /// Draft instantiation.
    Di,
    /// Light control.
    Lc,
    /// Flow simulation.
    Fs,
}

impl Task {
    /// All of them, in the paper's order.
    pub const ALL: [Self; 8] = [
        Self::Ad,
        Self::Rm,
        Self::Rp,
        Self::Tr,
        Self::Ro,
        Self::Di,
        Self::Lc,
        Self::Fs,
    ];
    /// Those whose items on one source can be combined.
    pub const DEICTIC: [Self; 4] = [Self::Ad, Self::Rm, Self::Rp, Self::Tr];

    /// The benchmark's own name of it.
    pub fn of_vibe(self) -> vibe::Task {
        match self {
            Self::Ad => vibe::Task::Addition,
            Self::Rm => vibe::Task::Removal,
            Self::Rp => vibe::Task::Replacement,
            Self::Tr => vibe::Task::Translation,
            Self::Ro => vibe::Task::Reorientation,
            Self::Di => vibe::Task::DraftInstantiation,
            Self::Lc => vibe::Task::LightControl,
            Self::Fs => vibe::Task::FlowSimulation,
        }
    }

    /// `AD`, `RM`, ….
    pub fn short(self) -> &'static str {
        self.of_vibe().short()
    }

    /// The task's folder, and the list in it, as VIBE lays them out.
    pub fn folder(self) -> (&'static str, &'static str) {
        match self {
            Self::Ad => ("Tasks/Level-1-Deictic/Addition", "Addition.json"),
            Self::Rm => ("Tasks/Level-1-Deictic/Removal", "Removal.json"),
            Self::Rp => ("Tasks/Level-1-Deictic/Replacement", "Replacement.json"),
            Self::Tr => ("Tasks/Level-1-Deictic/Translation", "Translation.json"),
            Self::Ro => (
                "Tasks/Level-2-Morphological/Reorientation",
                "Reorientation.json",
            ),
            Self::Di => (
                "Tasks/Level-2-Morphological/Draft_Instantiation",
                "draft_instantiation.json",
            ),
            Self::Lc => ("Tasks/Level-3-Causal/Light_Control", "light_control.json"),
            Self::Fs => ("Tasks/Level-3-Causal/Flow", "flow.json"),
        }
    }

    /// The tools that draw its marks, each used once but the pen.
    pub fn tools(self) -> &'static [Tool] {
        match self {
            Self::Ad | Self::Rm | Self::Rp => &[Tool::Box],
            Self::Tr => &[Tool::Box, Tool::Arrow],
            Self::Ro => &[Tool::Frustum],
            Self::Di => &[Tool::Pen],
            Self::Lc | Self::Fs => &[Tool::Arrow],
        }
    }

    /// Whether the annotator confirms that the result differs from the scene as it is.
    pub fn must_differ(self) -> bool {
        matches!(self, Self::Lc | Self::Fs)
    }
}

/// What draws a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MarkTool")
)]
pub enum Tool {
    /// An unfilled box, by two opposite corners.
    Box,
    /// An arrow, by its start and its tip.
    Arrow,
    /// A viewing frustum, by its apex and the four corners of its quadrilateral.
    Frustum,
    /// A line drawn by hand.
    Pen,
}

impl Tool {
    /// How many points a mark has; `None` where it has as many as are drawn.
    pub fn num_points(self) -> Option<usize> {
        match self {
            Self::Box | Self::Arrow => Some(2),
            Self::Frustum => Some(5),
            Self::Pen => None,
        }
    }

    /// The mark with these points; `None` while some are missing.
    ///
    /// # Example
    /// ```
    /// use juror_make::annotation::{Mark, Tool};
    /// assert_eq!(Tool::Box.mark(&[[9, 2], [4, 8]]), Some(Mark::Box([4, 2, 9, 8])));
    /// assert_eq!(Tool::Arrow.mark(&[[9, 2]]), None);
    /// ```
    pub fn mark(self, points: &[Point]) -> Option<Mark> {
        match self {
            Self::Box => {
                let [[x, y], [to_x, to_y]] = points.try_into().ok()?;
                Some(Mark::Box([
                    x.min(to_x),
                    y.min(to_y),
                    x.max(to_x),
                    y.max(to_y),
                ]))
            }
            Self::Arrow => points.try_into().ok().map(Mark::Arrow),
            Self::Frustum => points.try_into().ok().map(Mark::Frustum),
            Self::Pen => (points.len() > 1).then(|| Mark::Pen(points.to_vec())),
        }
    }
}

/// A mark over a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum Mark {
    /// Left, top, right, bottom.
    Box([i32; 4]),
    /// From the first to the second.
    Arrow([Point; 2]),
    /// The apex, then the quadrilateral's corners in turn.
    Frustum([Point; 5]),
    /// From point to point.
    Pen(Vec<Point>),
}

impl Mark {
    /// What draws it.
    pub fn tool(&self) -> Tool {
        match self {
            Self::Box(_) => Tool::Box,
            Self::Arrow(_) => Tool::Arrow,
            Self::Frustum(_) => Tool::Frustum,
            Self::Pen(_) => Tool::Pen,
        }
    }

    /// Its points.
    pub fn points(&self) -> Vec<Point> {
        match self {
            Self::Box([left, top, right, bottom]) => vec![[*left, *top], [*right, *bottom]],
            Self::Arrow(ends) => ends.to_vec(),
            Self::Frustum(points) => points.to_vec(),
            Self::Pen(points) => points.clone(),
        }
    }

    /// Where it is, in words.
    ///
    /// # Example
    /// ```
    /// use juror_make::annotation::Mark;
    /// assert_eq!(Mark::Box([4, 2, 9, 8]).words(), "Box from 4, 2 to 9, 8");
    /// ```
    pub fn words(&self) -> String {
        let at = |[x, y]: &Point| format!("{x}, {y}");
        match self {
            Self::Box([left, top, right, bottom]) => {
                format!("Box from {left}, {top} to {right}, {bottom}")
            }
            Self::Arrow([from, to]) => format!("Arrow from {} to {}", at(from), at(to)),
            Self::Frustum([apex, corners @ ..]) => {
                let corners: Vec<String> = corners.iter().map(at).collect();
                format!(
                    "Frustum from {} to the corners {}",
                    at(apex),
                    corners.join("; ")
                )
            }
            Self::Pen(points) => match (points.first(), points.last()) {
                (Some(first), Some(last)) => format!(
                    "Line of {} points from {} to {}",
                    points.len(),
                    at(first),
                    at(last)
                ),
                _ => "Line without a point".to_owned(),
            },
        }
    }
}

/// The styles of VIBE's sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MarkStyle")
)]
pub enum Style {
    /// Drawn, as in animations.
    Animation,
    /// A photograph.
    RealWorld,
    /// A sketch.
    Sketch,
}

impl Style {
    /// All of them, in the paper's order.
    pub const ALL: [Self; 3] = [Self::Animation, Self::RealWorld, Self::Sketch];

    /// The folder's name.
    pub fn id(self) -> &'static str {
        match self {
            Self::Animation => "animation",
            Self::RealWorld => "real-world",
            Self::Sketch => "sketch",
        }
    }
}

/// The picture below the marks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MarkSource")
)]
pub struct Source {
    /// From the file of marks on.
    pub path: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// In pixels, as it is stored.
    pub width: u32,
    /// In pixels, as it is stored.
    pub height: u32,
}

impl Source {
    /// The picture's own name.
    pub fn name(&self) -> &str {
        base_name(&self.path)
    }
}

/// A second person's view of an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MarkReview")
)]
pub struct Review {
    /// Who looked at it.
    pub by: String,
    /// Whether the item is good.
    pub is_good: bool,
}

/// One item: what is asked for by marks and a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MarkFile")
)]
pub struct Marks {
    /// [`FORMAT`].
    pub format: String,
    /// Unique within its task: `animation_03`.
    pub id: String,
    /// The picture.
    pub source: Source,
    /// What kind of edit the marks ask for.
    pub task: Task,
    /// The picture's style.
    pub style: Style,
    /// The instruction in words.
    pub text: String,
    /// In the order in which they were drawn.
    pub marks: Vec<Mark>,
    /// Width of the lines in pixels; [`line_width`](super::line_width) of the picture where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub line: Option<u32>,
    /// The annotator confirms that light or wind differs from the scene as it is.
    #[serde(default)]
    pub differs: bool,
    /// Second persons' views.
    #[serde(default)]
    pub reviews: Vec<Review>,
}

impl Marks {
    /// Reads a file; `name` is the file's, for what is wrong with it.
    ///
    /// # Errors
    /// [`Error::List`] for another form, a field that is missing or unknown, or a name that cannot be one of a file.
    pub fn read(name: &str, text: &str) -> Result<Self, Error> {
        let bad = |words: String| Error::List(format!("{name}: {words}"));
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let value: serde_json::Value = serde_json::from_str(text)
            .map_err(|error| bad(format!("this is not JSON ({error}); save the file again")))?;
        let found = value.get("format").and_then(serde_json::Value::as_str);
        if found != Some(FORMAT) {
            let found = found.map_or_else(|| "none".to_owned(), |found| format!("“{found}”"));
            return Err(bad(format!(
                "expected the format “{FORMAT}”, found {found}; choose a file of marks"
            )));
        }
        let marks: Self = serde_json::from_value(value).map_err(|error| {
            bad(format!(
                "{error}; the manual's page on making benchmarks shows every field"
            ))
        })?;
        marks.check().map_err(bad)?;
        Ok(marks)
    }

    /// Names become paths, so they are checked before anything is written.
    fn check(&self) -> Result<(), String> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if self.id.is_empty() || self.id.len() > MAX_ID || !self.id.chars().all(is_plain) {
            return Err(format!(
                "expected an id of letters, digits, “_” and “-” such as animation_03, found “{}”",
                self.id
            ));
        }
        let name = self.source.name();
        if matches!(name, "" | "." | "..") || name.contains(['\\', '\0']) {
            return Err(format!(
                "expected the path of a picture with “/” between folders, found “{}”",
                self.source.path
            ));
        }
        Ok(())
    }

    /// As it is written: the same marks give the same bytes.
    pub fn text(&self) -> String {
        crate::ordered::pretty(self)
    }

    /// `AD_animation_03.json`.
    pub fn file_name(&self) -> String {
        format!("{}_{}.json", self.task.short(), self.id)
    }

    /// `AD animation_03`, as messages name it.
    pub fn title(&self) -> String {
        format!("{} {}", self.task.short(), self.id)
    }

    /// The width of its lines in pixels.
    pub fn line_width(&self) -> f64 {
        self.line.map_or_else(
            || super::line_width(self.source.width, self.source.height),
            f64::from,
        )
    }

    /// Where its picture is in the benchmark: from its root where the tasks share their sources, else from the task's folder.
    pub(super) fn listed_source(&self) -> String {
        let (style, name) = (self.style.id(), self.source.name());
        if Task::DEICTIC.contains(&self.task) {
            format!("{CORPUS}/{style}/{name}")
        } else {
            format!("source/{style}/{name}")
        }
    }

    /// Where its picture is, from the benchmark's root.
    pub(super) fn source_path(&self) -> String {
        let listed = self.listed_source();
        if Task::DEICTIC.contains(&self.task) {
            listed
        } else {
            format!("{}/{listed}", self.task.folder().0)
        }
    }
}

/// The folder of the sources that the deictic tasks share.
const CORPUS: &str = "Common_Corpus";
