//! Reads a drawn answer by plain arithmetic on pixels: balls, arrow, way and box, as far as they can be made out.
//!
//! Source: no paper; every number in here is a choice of this project, named and with its unit. Only a case that was made by
//! `case` can be read, because its input and the places of its balls are known. All arithmetic is on whole numbers or `f64`
//! with `libm`, and nothing depends on an order of hashes, so the page and the command line see the same.
//!
//! A part that cannot be made out is [`Unreadable`], which is no verdict. The numbers on the balls are not read: a ball counts
//! as itself by its place and its mean colour.

mod balls;
mod lines;
mod mark;
mod sight;
mod surface;
mod way;

use super::{Ball, Case, HEIGHT, Point, WIDTH};
use sight::Sight;

/// The number of a ball that the case does not have.
pub const UNKNOWN_BALL: u8 = 0;

/// Why a part of a picture gives no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The cloth is full of noise.
    Noise,
    /// Something other than balls, way and box is different, and too small to say that the table is another one.
    Patch,
    /// Something at the place of the white ball may be it or not.
    Cue,
    /// Something at the place of a grey ball may be it or not.
    Ball(u8),
    /// Way or box cover the arrow.
    Arrow,
    /// So much is green that it is no line.
    Flood,
    /// What is green has no straight segment.
    NoLine,
    /// No segment begins at the white ball.
    NoStart,
    /// The line turns at a place that is no cushion.
    Turn,
    /// The line turns in a corner, which belongs to two cushions.
    Corner,
    /// Too much green belongs to no segment of the way.
    Stray,
    /// What is red is no upright rectangle.
    NoBox,
    /// Boxes are around several balls.
    ManyBoxes,
    /// One box is around several balls.
    WideBox,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = match self {
            Self::Noise => "The picture is too noisy to read.",
            Self::Patch => "Parts of the table differ from the input.",
            Self::Cue => "The white ball can hardly be seen at its place.",
            Self::Ball(n) => return write!(f, "Ball {n} can hardly be seen at its place."),
            Self::Arrow => "The arrow is covered.",
            Self::Flood => "Too much is green for a line.",
            Self::NoLine => "What is green has no straight segment.",
            Self::NoStart => "No green segment begins at the white ball.",
            Self::Turn => "The green line turns away from the cushions.",
            Self::Corner => "The green line turns in a corner.",
            Self::Stray => "Parts of what is green do not belong to one line.",
            Self::NoBox => "What is red is no upright rectangle.",
            Self::ManyBoxes => "Red boxes are around several balls.",
            Self::WideBox => "The red box is around several balls.",
        };
        f.write_str(words)
    }
}

impl std::error::Error for Unreadable {}

/// Whether the table is the one of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// The same.
    Same,
    /// Cloth, cushions or frame have other colours, or it is another picture.
    Changed,
}

/// What belongs to the input.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    /// Centre of the white ball; `None` if there is none.
    pub cue: Option<Point>,
    /// The grey balls of the case that were found, and other discs with the number [`UNKNOWN_BALL`].
    pub balls: Vec<Ball>,
    /// Direction of the arrow in degrees; `None` if there is none.
    pub arrow: Option<f64>,
    /// The table.
    pub surface: Surface,
}

/// The way that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Direction in which it starts, in degrees.
    pub theta: f64,
    /// Letters of the cushions that it touches, in order.
    pub cushions: String,
}

/// What a picture shows, part by part.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Balls, arrow and table.
    pub context: Result<Context, Unreadable>,
    /// The way; `None` if none is drawn.
    pub way: Result<Option<Drawn>, Unreadable>,
    /// The number of the ball in the box; `None` if there is no box, or no ball in it.
    pub target: Result<Option<u8>, Unreadable>,
}

/// Reads an answer to a case; `input` is the picture of the case, and both have [`WIDTH`] × [`HEIGHT`] pixels of three bytes,
/// row by row from the top. `None` if one of them has another length.
///
/// # Example
/// ```
/// use juror_billiards::{HEIGHT, WIDTH, case, look};
/// let case = case(7, 1).unwrap();
/// // A picture of one colour has neither balls nor a way, and the table is gone.
/// let blank = vec![200; 3 * (WIDTH * HEIGHT) as usize];
/// let seen = look(&case, &blank, &blank).unwrap();
/// assert_eq!((seen.way, seen.target), (Ok(None), Ok(None)));
/// assert!(seen.context.unwrap().balls.is_empty());
/// assert!(look(&case, &blank, &blank[1..]).is_none());
/// ```
pub fn look(case: &Case, input: &[u8], output: &[u8]) -> Option<Seen> {
    let input = Sight::new(input)?;
    let output = Sight::new(output)?;
    if surface::is_noisy(&input, &output) {
        return Some(Seen {
            context: Err(Unreadable::Noise),
            way: Err(Unreadable::Noise),
            target: Err(Unreadable::Noise),
        });
    }
    Some(Seen {
        context: balls::context(case, &input, &output),
        way: way::read(case, &output),
        target: mark::target(&case.layout, &output),
    })
}

/// Number of pixels of a picture.
const NUM_PIXELS: usize = WIDTH as usize * HEIGHT as usize;
