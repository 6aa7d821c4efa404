//! VIBE's Billiards as files, and drawn answers to it as verdicts.
//!
//! Source: the cases are `juror_billiards`'; here they become pictures and VIBE's list. An answer's picture is brought to the
//! size of the cases, read, and scored by the checker that scores structured answers.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use juror_image::{Filter, Limits, Rgb, decode_rgb, encode_png, resize};
use juror_protocols::vibe::billiards::{
    Case, PROMPT, Point, Seen, Shape, Unreadable, boxed, case_over, look, table, way_line,
};
pub use juror_protocols::vibe::billiards::{HEIGHT, NUM_CUSHIONS, WIDTH};
use juror_protocols::vibe::checker::{Answer, Check, check};
use serde::Serialize;

use crate::{Copied, Error, OutFile};

mod answers;
mod words;

pub use answers::{Listed, Outcome, Told, line, listed, no_picture, picture_of};
pub use words::described;

/// The task's folder as VIBE lays it out.
pub const TASK: &str = "Tasks/Level-3-Causal/Billiards";
/// How many cases can be made at once.
pub const COUNTS: RangeInclusive<u32> = 1..=9999;
/// Which seeds there are.
pub const SEEDS: RangeInclusive<u64> = 0..=u64::MAX;
/// A picture is read whose width is to its height as the cases' is, within this part of it.
const MAX_STRETCH: f64 = 0.01;
/// A picture must be this wide, in pixels: balls of eleven pixels.
const MIN_WIDTH: u32 = WIDTH / 2;

/// Which cases are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// How many.
    pub count: u32,
    /// Decides every random choice.
    pub seed: u64,
    /// How many cushions each of them touches; 2 to 7 take turns if `None`.
    pub cushions: Option<u32>,
}

impl Choice {
    /// Reads the three fields of a form; an empty one for cushions lets their numbers take turns.
    ///
    /// # Errors
    /// [`Error::Setting`] for a field that holds no whole number in its range; it names the range.
    ///
    /// # Example
    /// ```
    /// use juror_make::billiards::Choice;
    /// let choice = Choice::read("12", "7", "").unwrap();
    /// assert_eq!((choice.count, choice.seed, choice.cushions), (12, 7, None));
    /// let error = Choice::read("many", "7", "").unwrap_err().to_string();
    /// assert_eq!(error, "Expected a number of cases from 1 to 9999, found “many”.");
    /// ```
    pub fn read(count: &str, seed: &str, cushions: &str) -> Result<Self, Error> {
        let cushions = Some(cushions.trim()).filter(|text| !text.is_empty());
        let choice = Self {
            count: whole("a number of cases", &COUNTS, count)?,
            seed: whole("a seed", &SEEDS, seed)?,
            cushions: cushions
                .map(|text| whole("a number of cushions", &NUM_CUSHIONS, text))
                .transpose()?,
        };
        choice.checked()
    }

    /// The same choice, if there can be such cases.
    fn checked(self) -> Result<Self, Error> {
        if !COUNTS.contains(&self.count) {
            return Err(refused("a number of cases", &COUNTS, self.count));
        }
        if let Some(k) = self.cushions.filter(|k| !NUM_CUSHIONS.contains(k)) {
            return Err(refused("a number of cushions", &NUM_CUSHIONS, k));
        }
        Ok(self)
    }
}

/// A whole number as it is typed.
fn whole<T: FromStr + Display>(
    what: &str,
    range: &RangeInclusive<T>,
    text: &str,
) -> Result<T, Error> {
    let text = text.trim();
    text.parse().map_err(|_| {
        if text.is_empty() {
            return refused(what, range, "nothing");
        }
        refused(what, range, format!("“{text}”"))
    })
}

fn refused<T: Display>(what: &str, range: &RangeInclusive<T>, found: impl Display) -> Error {
    let (least, most) = (range.start(), range.end());
    Error::Setting(format!(
        "Expected {what} from {least} to {most}, found {found}."
    ))
}

/// Cases that are drawn one after the other, so that a host can stop between them.
#[derive(Clone, Debug)]
pub struct Maker {
    choice: Choice,
    cases: Vec<Case>,
}

impl Maker {
    /// Begins.
    ///
    /// # Errors
    /// [`Error::Setting`] if there can be no such cases; it names the range.
    ///
    /// # Example
    /// ```
    /// use juror_make::billiards::{Choice, Maker};
    /// let mut maker = Maker::new(Choice { count: 1, seed: 7, cushions: Some(3) }).unwrap();
    /// let [input, label] = maker.next_pictures().unwrap().unwrap();
    /// assert!(input.path.ends_with("Billiards/source/Billiards_0001.png"));
    /// assert_ne!(input.bytes, label.bytes);
    /// assert!(maker.next_pictures().unwrap().is_none());
    /// assert!(maker.list().unwrap().text.contains("\"k\": 3"));
    /// ```
    pub fn new(choice: Choice) -> Result<Self, Error> {
        Ok(Self {
            choice: choice.checked()?,
            cases: Vec::new(),
        })
    }

    /// How many cases there will be.
    pub fn count(&self) -> u32 {
        self.choice.count
    }

    /// The cases that were drawn so far.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// The next case's input and golden answer; `None` once all are there.
    pub fn next_pictures(&mut self) -> Result<Option<[Copied; 2]>, Error> {
        let done = u32::try_from(self.cases.len()).unwrap_or(u32::MAX);
        if done >= self.choice.count {
            return Ok(None);
        }
        let case = case_over(self.choice.seed, done + 1, self.choice.cushions)
            .map_err(|error| Error::Setting(error.to_string()))?;
        let picture = |folder: &str, shapes: &[Shape]| {
            let bytes = encode_png(&painted(shapes)?).map_err(|error| unpainted(&error))?;
            let path = format!("{TASK}/{folder}/{}.png", case.id);
            Ok(Copied { path, bytes })
        };
        let pictures = [
            picture("source", &input(&case))?,
            picture("target", &label(&case))?,
        ];
        self.cases.push(case);
        Ok(Some(pictures))
    }

    /// The task's list, with the truth of each case that was drawn so far.
    pub fn list(&self) -> Result<OutFile, Error> {
        let items: Vec<Item<'_>> = self.cases.iter().map(Item::of).collect();
        let text = serde_json::to_string_pretty(&items);
        let text = text.map_err(|error| Error::List(error.to_string()))?;
        Ok(OutFile {
            path: format!("{TASK}/Billiards.json"),
            text: text + "\n",
        })
    }
}

/// An item of VIBE's list, with what that does not have: the truth that an answer can be checked against.
#[derive(Serialize)]
struct Item<'a> {
    id: &'a str,
    file_paths: FilePaths,
    text_prompt: TextPrompt,
    billiards: &'a Case,
}

#[derive(Serialize)]
struct FilePaths {
    source: String,
    visual_instruction: &'static str,
    target: String,
}

#[derive(Serialize)]
struct TextPrompt {
    input_prompt: &'static str,
}

impl<'a> Item<'a> {
    fn of(case: &'a Case) -> Self {
        Self {
            id: &case.id,
            file_paths: FilePaths {
                source: format!("source/{}.png", case.id),
                // The arrow is a part of the picture.
                visual_instruction: "",
                target: format!("target/{}.png", case.id),
            },
            text_prompt: TextPrompt {
                input_prompt: PROMPT,
            },
            billiards: case,
        }
    }
}

/// What the input of a case is painted from.
pub fn input(case: &Case) -> Vec<Shape> {
    table(&case.layout, case.theta, Vec::new())
}

/// What the golden answer of a case is painted from.
pub fn label(case: &Case) -> Vec<Shape> {
    let mut shapes = table(&case.layout, case.theta, way_line(&case.way()));
    let target = case.layout.balls.iter().find(|ball| ball.n == case.target);
    shapes.extend(target.into_iter().flat_map(|ball| boxed(*ball)));
    shapes
}

fn unpainted(error: &juror_image::ImageError) -> Error {
    Error::Picture(error.message())
}

/// Paints shapes on a picture of the cases' size.
pub fn painted(shapes: &[Shape]) -> Result<Rgb, Error> {
    let place = |at: &Point| (at.x, at.y);
    let mut image = Rgb::filled(WIDTH, HEIGHT, [255; 3]).map_err(|error| unpainted(&error))?;
    for shape in shapes {
        match shape {
            Shape::Rect { at, size, rgb } => {
                image.paint(juror_image::Shape::Rect([at.x, at.y, size.0, size.1]), *rgb);
            }
            Shape::Disc { at, radius, rgb } => {
                image.paint(juror_image::Shape::Disc(place(at), *radius), *rgb);
            }
            Shape::Line { points, width, rgb } => {
                let places: Vec<_> = points.iter().map(place).collect();
                image.paint(juror_image::Shape::Line(&places, *width), *rgb);
            }
            Shape::Triangle { corners, rgb } => {
                let corners = corners.each_ref().map(place);
                image.paint(juror_image::Shape::Triangle(corners), *rgb);
            }
        }
    }
    Ok(image)
}

/// A drawn answer, as far as it could be read.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What the picture shows.
    pub seen: Seen,
    /// The three decisions; one about a part that could not be read says nothing.
    pub check: Check,
}

impl Checked {
    /// Why context, path and collision could not be read, if they could not.
    pub fn unsure(&self) -> [Option<Unreadable>; 3] {
        [
            self.seen.context.as_ref().err().copied(),
            self.seen.way.as_ref().err().copied(),
            self.seen.target.as_ref().err().copied(),
        ]
    }

    /// Context, path and collision with what is found of each.
    pub fn told(&self) -> [Told; 3] {
        answers::told(&self.check, self.unsure())
    }

    /// The answer's line as `juror check billiards` prints it: VIBE's object, or the parts that could not be read.
    pub fn line(&self, id: &str) -> Result<String, Error> {
        answers::checked_line(id, self)
    }

    /// Equation (7); `None` where one of the three could not be read.
    pub fn score(&self) -> Option<f64> {
        let is_sure = self.unsure().iter().all(Option::is_none);
        is_sure.then(|| self.check.score())
    }
}

/// Checks the picture of an answer to a case.
///
/// # Errors
/// [`Error::List`] for a case whose truth does not follow from its balls and its arrow, [`Error::Picture`] for a file that is
/// no picture or has another size than the input and its multiples.
///
/// # Example
/// ```
/// use juror_image::encode_png;
/// use juror_make::billiards::{check_picture, input, label, painted};
/// use juror_protocols::vibe::billiards::case;
/// let case = case(7, 1).unwrap();
/// let file = |shapes: Vec<_>| encode_png(&painted(&shapes).unwrap()).unwrap();
/// assert_eq!(check_picture(&case, &file(label(&case))).unwrap().score(), Some(1.0));
/// // The input as it was has the right balls, and neither a way nor a box.
/// assert_eq!(check_picture(&case, &file(input(&case))).unwrap().check.atoms(), [1.0, 0.0, 0.0]);
/// ```
pub fn check_picture(case: &Case, bytes: &[u8]) -> Result<Checked, Error> {
    let way = NUM_CUSHIONS.contains(&case.k).then(|| case.way());
    let is_true = |way: &juror_protocols::vibe::billiards::Way| {
        way.target == Some(case.target) && way.letters() == case.cushions
    };
    if !way.as_ref().is_some_and(is_true) {
        return Err(Error::List(
            "its truth does not follow from its balls and its arrow; take the list as juror make billiards wrote it"
                .to_owned(),
        ));
    }
    let picture = decode_rgb(bytes, &Limits::default()).map_err(|error| {
        Error::Picture(format!("no picture that can be read: {}", error.message()))
    })?;
    checked(case, picture)
}

/// Checks a decoded picture.
fn checked(case: &Case, picture: Rgb) -> Result<Checked, Error> {
    let picture = fitted(picture)?;
    let seen = look(case, &painted(&input(case))?.data, &picture.data)
        .ok_or_else(|| Error::Picture("the picture lacks pixels".to_owned()))?;
    let check = check(case, &Answer::seen(case, &seen));
    Ok(Checked { seen, check })
}

/// A picture in the size of the cases.
fn fitted(picture: Rgb) -> Result<Rgb, Error> {
    let (width, height) = (picture.width, picture.height);
    if (width, height) == (WIDTH, HEIGHT) {
        return Ok(picture);
    }
    let ratio = f64::from(width) * f64::from(HEIGHT) / (f64::from(height) * f64::from(WIDTH));
    if (ratio - 1.0).abs() > MAX_STRETCH || width < MIN_WIDTH {
        return Err(Error::Picture(format!(
            "expected {WIDTH} × {HEIGHT} pixels or the same proportions and at least {MIN_WIDTH} in width, found {width} × {height}; \
             bring the answer to the size of its input"
        )));
    }
    resize(&picture, WIDTH, HEIGHT, Filter::Bicubic).map_err(|error| unpainted(&error))
}

#[cfg(test)]
mod tests;
