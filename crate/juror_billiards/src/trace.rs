//! The way of a ball by rays: the nearer of cushion and ball comes next.

use super::{HEIGHT, INSET, Layout, Point, RADIUS, WIDTH};

/// A side of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cushion {
    /// The upper one.
    Top,
    /// The lower one.
    Bottom,
    /// The left one.
    Left,
    /// The right one.
    Right,
}

impl Cushion {
    /// `T`, `B`, `L`, `R`.
    pub fn letter(self) -> char {
        match self {
            Self::Top => 'T',
            Self::Bottom => 'B',
            Self::Left => 'L',
            Self::Right => 'R',
        }
    }
}

/// Where the white ball's centre goes.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// Start, each touch of a cushion, end.
    pub points: Vec<Point>,
    /// The cushions in order.
    pub cushions: Vec<Cushion>,
    /// The number of the ball that is hit; `None` if more cushions come before one.
    pub target: Option<u8>,
}

impl Way {
    /// The cushions as letters.
    pub fn letters(&self) -> String {
        self.cushions.iter().map(|side| side.letter()).collect()
    }
}

/// The least and largest coordinates that a ball's centre can have.
pub(super) fn bounds() -> [f64; 4] {
    let margin = INSET + RADIUS;
    [
        margin,
        f64::from(WIDTH) - margin,
        margin,
        f64::from(HEIGHT) - margin,
    ]
}

/// Unit vector of a direction in degrees; the picture's y axis points down.
pub(super) fn unit(theta: f64) -> Point {
    let angle = theta.to_radians();
    Point::new(libm::cos(angle), -libm::sin(angle))
}

/// Follows the white ball until it hits a grey one or has touched `most` cushions and would touch one more.
///
/// A cushion reflects as a mirror does: of the direction `(dx, dy)` the component across the cushion changes its sign.
/// The white ball hits a grey one where their centres are two radii apart: with `m` from the grey centre to the white one and
/// `d` the direction, at the smaller root `t = −m·d − √((m·d)² − m·m + 4R²)`.
/// A way that meets a corner exactly touches left or right first.
///
/// # Example
/// ```
/// use juror_billiards::{Ball, Layout, Point, trace};
/// // Straight down to the lower cushion, back up, and against ball 9, whose centre is 200 above the start.
/// let layout = Layout { cue: Point::new(500.0, 400.0), balls: vec![Ball { n: 9, x: 500.0, y: 200.0 }] };
/// let way = trace(&layout, 270.0, 7);
/// assert_eq!((way.letters().as_str(), way.target), ("B", Some(9)));
/// assert!((way.points[1].y - 578.0).abs() < 1e-9); // 640 − 40 − 22
/// assert!((way.points[2].y - 244.0).abs() < 1e-9); // 200 + 2 · 22
/// ```
pub fn trace(layout: &Layout, theta: f64, most: u32) -> Way {
    let [left, right, top, bottom] = bounds();
    let mut direction = unit(theta);
    let mut at = layout.cue;
    let mut way = Way {
        points: vec![at],
        cushions: Vec::new(),
        target: None,
    };
    loop {
        let (across, side) = if direction.x > 0.0 {
            ((right - at.x) / direction.x, Cushion::Right)
        } else if direction.x < 0.0 {
            ((left - at.x) / direction.x, Cushion::Left)
        } else {
            (f64::INFINITY, Cushion::Left)
        };
        let (along, end) = if direction.y > 0.0 {
            ((bottom - at.y) / direction.y, Cushion::Bottom)
        } else if direction.y < 0.0 {
            ((top - at.y) / direction.y, Cushion::Top)
        } else {
            (f64::INFINITY, Cushion::Top)
        };
        let (free, cushion) = if across <= along {
            (across, side)
        } else {
            (along, end)
        };
        let hits = layout.balls.iter().filter_map(|ball| {
            let until = contact(at, direction, ball.centre())?;
            (until <= free).then_some((until, ball.n))
        });
        if let Some((until, number)) = hits.min_by(|a, b| a.0.total_cmp(&b.0)) {
            way.points.push(moved(at, direction, until));
            way.target = Some(number);
            return way;
        }
        if way.cushions.len() >= most as usize {
            return way;
        }
        at = moved(at, direction, free);
        // Exactly on the cushion, so that roundings do not add up.
        match cushion {
            Cushion::Right => (at.x, direction.x) = (right, -direction.x),
            Cushion::Left => (at.x, direction.x) = (left, -direction.x),
            Cushion::Bottom => (at.y, direction.y) = (bottom, -direction.y),
            Cushion::Top => (at.y, direction.y) = (top, -direction.y),
        }
        way.points.push(at);
        way.cushions.push(cushion);
    }
}

fn moved(at: Point, direction: Point, by: f64) -> Point {
    Point::new(at.x + by * direction.x, at.y + by * direction.y)
}

/// How far a ball can go until it touches another one, if it does; one that lies behind is not touched.
fn contact(at: Point, direction: Point, other: Point) -> Option<f64> {
    let m = Point::new(at.x - other.x, at.y - other.y);
    let along = m.x * direction.x + m.y * direction.y;
    let gap = m.x * m.x + m.y * m.y - 4.0 * RADIUS * RADIUS;
    let root = along * along - gap;
    (along < 0.0 && root >= 0.0).then(|| (-along - root.sqrt()).max(0.0))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::Ball;
    use super::*;

    /// The direction from one place to another.
    fn towards(from: Point, to: Point) -> f64 {
        libm::atan2(from.y - to.y, to.x - from.x).to_degrees()
    }

    fn layout(cue: (f64, f64), target: (f64, f64)) -> Layout {
        Layout {
            cue: Point::new(cue.0, cue.1),
            balls: vec![Ball {
                n: 4,
                x: target.0,
                y: target.1,
            }],
        }
    }

    #[track_caller]
    fn assert_near(found: Point, expected: (f64, f64)) {
        let gap = found.distance(Point::new(expected.0, expected.1));
        assert!(gap < 1e-9, "{found:?} is not {expected:?}");
    }

    #[test]
    fn a_way_over_one_cushion_is_the_straight_line_to_the_mirror_image() {
        // The upper cushion lies at 62, so the mirror image of (562, 378) is (562, −254).
        let layout = layout((162.0, 378.0), (562.0, 378.0));
        let way = trace(
            &layout,
            towards(layout.cue, Point::new(562.0, 2.0 * 62.0 - 378.0)),
            7,
        );
        assert_eq!((way.letters().as_str(), way.target), ("T", Some(4)));
        // 400 to the right and 632 up in all, and the cushion after 316: half of the way.
        assert_near(way.points[1], (362.0, 62.0));
        // It stops two radii before the target on the line from (362, 62): 200 right and 316 down.
        let whole = libm::hypot(200.0, 316.0);
        let part = (whole - 44.0) / whole;
        assert_near(way.points[2], (362.0 + 200.0 * part, 62.0 + 316.0 * part));
    }

    #[test]
    fn a_way_over_two_cushions_is_the_straight_line_to_the_image_of_the_image() {
        // Upper cushion at 62, right one at 962: (662, 362) → (1262, 362) → (1262, −238).
        let layout = layout((462.0, 362.0), (662.0, 362.0));
        let way = trace(&layout, towards(layout.cue, Point::new(1262.0, -238.0)), 7);
        assert_eq!((way.letters().as_str(), way.target), ("TR", Some(4)));
        // 800 right, 600 up. Up to 62: 300 of 600, so 400 of 800: (862, 62). Then 100 more to the right, 75 down.
        assert_near(way.points[1], (862.0, 62.0));
        assert_near(way.points[2], (962.0, 137.0));
        // The image is 1000 away and 500 + 125 of it are gone: 375 − 44 remain, 4 : 3 to the left and down.
        assert_near(way.points[3], (962.0 - 331.0 * 0.8, 137.0 + 331.0 * 0.6));
    }

    #[test]
    fn a_mirror_at_the_wrong_place_misses_the_target() {
        // The sibling of the two above: mirrored at the drawn cushion instead of one radius before it.
        let layout = layout((162.0, 378.0), (562.0, 378.0));
        let wrong = Point::new(562.0, 2.0 * 40.0 - 378.0);
        let way = trace(&layout, towards(layout.cue, wrong), 7);
        assert!(way.points[1].distance(Point::new(362.0, 62.0)) > 5.0);
    }

    #[test]
    fn a_cushion_gives_the_angle_back() {
        let layout = layout((300.0, 300.0), (-1000.0, -1000.0));
        for theta in [13.0, 77.5, 141.0, 200.25, 299.0] {
            let way = trace(&layout, theta, 7);
            assert_eq!((way.cushions.len(), way.target), (7, None));
            for (around, cushion) in way.points.windows(3).zip(&way.cushions) {
                let &[before, at, after] = around else {
                    unreachable!()
                };
                let [along_in, across_in] = parts(before, at, *cushion);
                let [along_out, across_out] = parts(at, after, *cushion);
                assert!((along_in - along_out).abs() < 1e-12, "{theta}");
                assert!((across_in + across_out).abs() < 1e-12, "{theta}");
            }
        }
    }

    /// A segment's unit vector as its parts along and across a cushion.
    fn parts(from: Point, to: Point, cushion: Cushion) -> [f64; 2] {
        let length = from.distance(to);
        let (x, y) = ((to.x - from.x) / length, (to.y - from.y) / length);
        match cushion {
            Cushion::Top | Cushion::Bottom => [x, y],
            Cushion::Left | Cushion::Right => [y, x],
        }
    }

    #[test]
    fn a_way_backwards_leads_home() {
        let there = trace(&layout((300.0, 300.0), (-1000.0, -1000.0)), 33.0, 5);
        let &[.., before, last] = there.points.as_slice() else {
            unreachable!()
        };
        let back = Layout {
            cue: last,
            balls: vec![Ball {
                n: 1,
                x: 300.0,
                y: 300.0,
            }],
        };
        let way = trace(&back, towards(last, before), 7);
        // The last cushion is where it starts.
        let letters: String = there.letters().chars().rev().skip(1).collect();
        assert_eq!(way.letters(), letters);
        assert_eq!(way.target, Some(1));
    }

    #[test]
    fn the_nearest_ball_stops_the_way_and_one_behind_does_not() {
        let ball = |n, x| Ball { n, x, y: 300.0 };
        let layout = Layout {
            cue: Point::new(500.0, 300.0),
            balls: vec![ball(1, 800.0), ball(2, 650.0), ball(3, 400.0)],
        };
        assert_eq!(trace(&layout, 0.0, 7).target, Some(2));
        assert_eq!(trace(&layout, 180.0, 7).target, Some(3));
        let first = trace(&layout, 0.0, 7).points.pop().unwrap();
        assert_near(first, (606.0, 300.0));
    }
}
