//! A case as plain shapes, in the order in which they are painted; whoever has a canvas turns them into pixels.

use super::{Ball, HEIGHT, INSET, Layout, Point, RADIUS, WIDTH, Way, trace::unit};

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// One thing to paint over what is there.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// An upright rectangle by its left upper corner and size.
    Rect {
        /// Left upper corner.
        at: Point,
        /// Width and height.
        size: (f64, f64),
        /// Its colour.
        rgb: Rgb,
    },
    /// A disc.
    Disc {
        /// Its centre.
        at: Point,
        /// Its radius.
        radius: f64,
        /// Its colour.
        rgb: Rgb,
    },
    /// A line through points, with round ends and joints.
    Line {
        /// The points.
        points: Vec<Point>,
        /// Its width.
        width: f64,
        /// Its colour.
        rgb: Rgb,
    },
    /// A filled triangle.
    Triangle {
        /// Its corners.
        corners: [Point; 3],
        /// Its colour.
        rgb: Rgb,
    },
}

/// What is asked of a model, in this project's words.
pub const PROMPT: &str = "The white ball is struck in the direction of the black arrow. It rolls without spin and without \
losing speed, and every cushion reflects it as a mirror reflects light. Draw its whole way as a green dashed line, from where \
it lies to where it first touches a grey ball, and draw a red box around that ball. Leave everything else as it is.";

const FRAME: Rgb = [0x6b, 0x49, 0x38];
const CUSHION: Rgb = [0x3f, 0x5f, 0x5a];
const CLOTH: Rgb = [0xd9, 0xe6, 0xdf];
const INK: Rgb = [0x26, 0x32, 0x47];
const WHITE: Rgb = [0xff, 0xff, 0xff];
const GREY: Rgb = [0x80, 0x87, 0x92];
const BLACK: Rgb = [0x0a, 0x0a, 0x0a];
const GREEN: Rgb = [0x12, 0x96, 0x3c];
const RED: Rgb = [0xd6, 0x1f, 0x2c];

const FRAME_WIDTH: f64 = 28.0;
const CUSHION_WIDTH: f64 = 8.0;
pub(super) const ARROW: f64 = 3.5 * RADIUS;
const DASH: f64 = 15.0;
const DASH_GAP: f64 = 10.0;
const WAY_WIDTH: f64 = 4.0;
const BOX_MARGIN: f64 = 7.0;
const BOX_WIDTH: f64 = 4.0;

/// A positive coordinate as a whole number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "coordinates lie in the picture"
)]
pub(super) fn whole(from: f64) -> u32 {
    from.round().clamp(0.0, 65_535.0) as u32
}

/// The picture of a table with its balls and the arrow; `under` is painted on the cloth, below balls and arrow.
///
/// # Example
/// ```
/// use juror_billiards::{boxed, case, table, way_line};
/// let case = case(7, 1).unwrap();
/// let input = table(&case.layout, case.theta, Vec::new());
/// // The golden answer is the same table with the way below the balls and the box on top.
/// let target = case.layout.balls.iter().find(|ball| ball.n == case.target).unwrap();
/// let mut label = table(&case.layout, case.theta, way_line(&case.way()));
/// label.extend(boxed(*target));
/// assert!(label.len() > input.len() + 4);
/// ```
pub fn table(layout: &Layout, theta: f64, under: Vec<Shape>) -> Vec<Shape> {
    let mut shapes = cloth();
    shapes.extend(under);
    shapes.extend(ball(layout.cue, WHITE, None));
    for grey in &layout.balls {
        shapes.extend(ball(grey.centre(), GREY, Some(grey.n)));
    }
    shapes.extend(arrow(layout.cue, theta));
    shapes
}

fn cloth() -> Vec<Shape> {
    let (width, height) = (f64::from(WIDTH), f64::from(HEIGHT));
    let inner = |by: f64, rgb: Rgb| Shape::Rect {
        at: Point::new(by, by),
        size: (width - 2.0 * by, height - 2.0 * by),
        rgb,
    };
    vec![
        inner(0.0, WHITE),
        inner(INSET - FRAME_WIDTH, FRAME),
        inner(INSET - CUSHION_WIDTH, CUSHION),
        inner(INSET, CLOTH),
    ]
}

fn ball(at: Point, rgb: Rgb, number: Option<u8>) -> Vec<Shape> {
    let disc = |radius: f64, rgb: Rgb| Shape::Disc { at, radius, rgb };
    let mut shapes = vec![disc(RADIUS, INK), disc(RADIUS - 1.5, rgb)];
    shapes.extend(number.into_iter().flat_map(|number| numeral(at, number)));
    shapes
}

/// The force: from the white ball's centre in the direction of the shot.
fn arrow(from: Point, theta: f64) -> Vec<Shape> {
    let d = unit(theta);
    let at = |along: f64, aside: f64| {
        Point::new(
            from.x + along * d.x - aside * d.y,
            from.y + along * d.y + aside * d.x,
        )
    };
    vec![
        Shape::Line {
            points: vec![from, at(ARROW - 14.0, 0.0)],
            width: 5.0,
            rgb: BLACK,
        },
        Shape::Triangle {
            corners: [
                at(ARROW, 0.0),
                at(ARROW - 20.0, 9.0),
                at(ARROW - 20.0, -9.0),
            ],
            rgb: BLACK,
        },
    ]
}

/// The way as a green dashed line; dashes run on around the corners.
pub fn way_line(way: &Way) -> Vec<Shape> {
    let mut dashes: Vec<Vec<Point>> = Vec::new();
    let (mut is_on, mut left) = (true, DASH);
    let mut dash: Vec<Point> = way.points.first().copied().into_iter().collect();
    for ends in way.points.windows(2) {
        let (from, to) = (ends[0], ends[1]);
        let length = from.distance(to);
        let mut gone = 0.0;
        while length - gone > left {
            gone += left;
            let part = gone / length;
            let at = Point::new(
                from.x + part * (to.x - from.x),
                from.y + part * (to.y - from.y),
            );
            if is_on {
                dash.push(at);
                dashes.push(std::mem::take(&mut dash));
            } else {
                dash = vec![at];
            }
            is_on = !is_on;
            left = if is_on { DASH } else { DASH_GAP };
        }
        left -= length - gone;
        if is_on {
            dash.push(to);
        }
    }
    if dash.len() > 1 {
        dashes.push(dash);
    }
    let line = |points| Shape::Line {
        points,
        width: WAY_WIDTH,
        rgb: GREEN,
    };
    dashes.into_iter().map(line).collect()
}

/// The red box around a ball.
pub fn boxed(ball: Ball) -> Vec<Shape> {
    let reach = RADIUS + BOX_MARGIN;
    let corner = |x: f64, y: f64| Point::new(ball.x + x * reach, ball.y + y * reach);
    let corners = [
        (-1.0, -1.0),
        (1.0, -1.0),
        (1.0, 1.0),
        (-1.0, 1.0),
        (-1.0, -1.0),
    ];
    vec![Shape::Line {
        points: corners.into_iter().map(|(x, y)| corner(x, y)).collect(),
        width: BOX_WIDTH,
        rgb: RED,
    }]
}

/// A number of up to two digits in strokes, centred.
fn numeral(at: Point, number: u8) -> Vec<Shape> {
    const UNIT: f64 = 2.6;
    const ADVANCE: f64 = 5.4 * UNIT;
    let digits: Vec<u8> = match number {
        0..=9 => vec![number],
        _ => vec![number / 10 % 10, number % 10],
    };
    let start = at.x - ADVANCE * (digits.len() as f64 - 1.0) / 2.0;
    let mut shapes = Vec::new();
    for (place, digit) in digits.iter().enumerate() {
        let x = start + ADVANCE * place as f64;
        for stroke in strokes(*digit) {
            let point = |&(px, py): &(f64, f64)| {
                Point::new(x + (px - 2.0) * UNIT, at.y + (py - 3.0) * UNIT)
            };
            shapes.push(Shape::Line {
                points: stroke.iter().map(point).collect(),
                width: 3.0,
                rgb: WHITE,
            });
        }
    }
    shapes
}

type Stroke = &'static [(f64, f64)];

/// A digit on a grid 4 wide and 6 high.
#[expect(clippy::too_many_lines, reason = "the points of ten digits")]
fn strokes(digit: u8) -> &'static [Stroke] {
    const ZERO: Stroke = &[
        (2.0, 0.0),
        (0.6, 1.0),
        (0.4, 3.0),
        (0.6, 5.0),
        (2.0, 6.0),
        (3.4, 5.0),
        (3.6, 3.0),
        (3.4, 1.0),
        (2.0, 0.0),
    ];
    const SIX: Stroke = &[
        (3.2, 0.2),
        (1.4, 1.2),
        (0.5, 3.2),
        (0.6, 5.0),
        (2.0, 6.0),
        (3.4, 5.2),
        (3.4, 3.8),
        (2.0, 2.9),
        (0.6, 3.8),
    ];
    const EIGHT: Stroke = &[
        (2.0, 2.8),
        (0.7, 2.0),
        (0.8, 0.6),
        (2.0, 0.0),
        (3.2, 0.6),
        (3.3, 2.0),
        (2.0, 2.8),
        (0.5, 3.9),
        (0.6, 5.3),
        (2.0, 6.0),
        (3.4, 5.3),
        (3.5, 3.9),
        (2.0, 2.8),
    ];
    const NINE: Stroke = &[
        (0.8, 5.8),
        (2.6, 4.8),
        (3.5, 2.8),
        (3.4, 1.0),
        (2.0, 0.0),
        (0.6, 0.8),
        (0.6, 2.2),
        (2.0, 3.1),
        (3.4, 2.2),
    ];
    match digit {
        0 => &[ZERO],
        1 => &[&[(0.9, 1.3), (2.3, 0.0), (2.3, 6.0)]],
        2 => &[&[
            (0.5, 1.4),
            (1.3, 0.1),
            (2.8, 0.1),
            (3.5, 1.3),
            (3.1, 2.7),
            (0.4, 6.0),
            (3.7, 6.0),
        ]],
        3 => &[&[
            (0.5, 0.5),
            (1.8, 0.0),
            (3.3, 0.7),
            (3.2, 2.1),
            (1.8, 2.8),
            (3.4, 3.6),
            (3.5, 5.2),
            (2.0, 6.0),
            (0.4, 5.4),
        ]],
        4 => &[&[(2.8, 6.0), (2.8, 0.0), (0.2, 4.2), (3.8, 4.2)]],
        5 => &[&[
            (3.4, 0.0),
            (0.8, 0.0),
            (0.6, 2.8),
            (2.2, 2.3),
            (3.5, 3.4),
            (3.4, 5.0),
            (2.0, 6.0),
            (0.5, 5.5),
        ]],
        6 => &[SIX],
        7 => &[&[(0.4, 0.0), (3.6, 0.0), (1.6, 6.0)]],
        8 => &[EIGHT],
        _ => &[NINE],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_cover_their_part_of_the_way_and_run_on_around_corners() {
        let way = Way {
            points: vec![
                Point::new(0.0, 0.0),
                Point::new(60.0, 0.0),
                Point::new(60.0, 40.0),
            ],
            cushions: Vec::new(),
            target: None,
        };
        let mut found = Vec::new();
        for shape in way_line(&way) {
            let Shape::Line { points, .. } = shape else {
                panic!("dashes are lines")
            };
            found.push(points.iter().map(|at| (at.x, at.y)).collect::<Vec<_>>());
        }
        // 15 on and 10 off: 0–15, 25–40, 50–65 around the corner at 60, 75–90.
        let expected = vec![
            vec![(0.0, 0.0), (15.0, 0.0)],
            vec![(25.0, 0.0), (40.0, 0.0)],
            vec![(50.0, 0.0), (60.0, 0.0), (60.0, 5.0)],
            vec![(60.0, 15.0), (60.0, 30.0)],
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_arrow_ends_before_the_first_segment_may() {
        let tip = arrow(Point::new(100.0, 100.0), 0.0);
        let Some(Shape::Triangle { corners, .. }) = tip.last() else {
            panic!("the head is drawn last")
        };
        assert!((corners[0].x - 177.0).abs() < 1e-9 && corners[0].x < 100.0 + 4.0 * RADIUS);
    }
}
