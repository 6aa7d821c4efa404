//! The drawn way: segments chained from the white ball, and the cushions at which they meet.

use super::super::draw::ARROW;
use super::super::trace::unit;
use super::super::{Case, Cushion, HEIGHT, INSET, Point, RADIUS, WIDTH};
use super::lines::{Segment, segments};
use super::sight::{Sight, place};
use super::{Drawn, NUM_PIXELS, Unreadable};

/// Fewer pixels than this are no way.
const MIN_PIXELS: usize = 60;
/// More than this share of the picture is no line.
const MAX_SHARE: f64 = 0.09;
/// Ends of segments belong together within this distance, in pixels.
const JOIN: f64 = RADIUS;
/// The first segment's line passes the white ball's centre within this distance, in pixels.
const START_ASIDE: f64 = RADIUS / 2.0;
/// The first segment begins at most so far from the white ball's centre, as the arrow covers it, in pixels.
const START_REACH: f64 = 5.0 * RADIUS;
/// It seems to begin at most so far behind that centre, as a later segment may cross its line there, in pixels.
const START_BEHIND: f64 = 3.0 * RADIUS;
/// Where the arrow hides the first segment, the second one begins at most so far from the white ball, in pixels.
const HIDDEN_REACH: f64 = 6.0 * RADIUS;
/// At least this share of such a segment is green where nothing covers it.
const HIDDEN_FILL: f64 = 0.5;
/// It is looked for this far to both sides of the line to its end, which may lie between two dashes, in pixels.
const HIDDEN_ASIDE: i32 = 6;
/// The way touches a cushion where it turns within this distance of it, in pixels.
const TOUCH: f64 = 1.5 * RADIUS;
/// An end within this distance of a grey ball's centre is its collision, in pixels; centres are 2 R apart there.
const CONTACT: f64 = 2.3 * RADIUS;
/// Segments that enclose less than this are one, in degrees.
const STRAIGHT_DEGREES: f64 = 8.0;
/// Pixels belong to the way within this distance of it, in pixels.
const NEAR: f64 = 7.0;
/// At least this share of the green pixels belongs to the way.
const MIN_EXPLAINED: f64 = 0.85;
/// Half of the width that the arrow covers, in pixels.
const ARROW_ASIDE: f64 = 10.0;

pub(super) fn read(case: &Case, sight: &Sight<'_>) -> Result<Option<Drawn>, Unreadable> {
    let green = sight.green.iter().enumerate().filter(|(_, is)| **is);
    let pixels: Vec<Point> = green.map(|(at, _)| place(at)).collect();
    if pixels.len() < MIN_PIXELS {
        return Ok(None);
    }
    if pixels.len() as f64 > MAX_SHARE * NUM_PIXELS as f64 {
        return Err(Unreadable::Flood);
    }
    let found = segments(sight, |at| is_hidden(case, at));
    if found.is_empty() {
        return Err(Unreadable::NoLine);
    }
    let near = |at: &Point, chain: &[Point]| {
        let mut legs = chain.windows(2).map(|ends| Segment {
            from: ends[0],
            to: ends[1],
        });
        legs.any(|leg| leg.distance(*at) <= NEAR)
    };
    let mut best: Option<(usize, Vec<Point>)> = None;
    for start in starts(case, sight, &found) {
        let chain = straightened(chained(case.layout.cue, start, &found));
        let explained = pixels.iter().filter(|at| near(at, &chain)).count();
        if best.as_ref().is_none_or(|(most, _)| explained > *most) {
            best = Some((explained, chain));
        }
    }
    let (explained, chain) = best.ok_or(Unreadable::NoStart)?;
    if (explained as f64) < MIN_EXPLAINED * pixels.len() as f64 {
        return Err(Unreadable::Stray);
    }
    let cushions = touched(case, &chain)?;
    let &[from, to, ..] = chain.as_slice() else {
        return Err(Unreadable::NoStart);
    };
    let theta = libm::atan2(from.y - to.y, to.x - from.x).to_degrees();
    Ok(Some(Drawn {
        theta: (theta.rem_euclid(360.0) * 100.0).round() / 100.0,
        cushions,
    }))
}

/// Whether a ball or the arrow of the input covers a place.
fn is_hidden(case: &Case, at: Point) -> bool {
    let layout = &case.layout;
    let balls = layout.balls.iter().map(|ball| ball.centre());
    let d = unit(case.theta);
    let (x, y) = (at.x - layout.cue.x, at.y - layout.cue.y);
    let (along, aside) = (x * d.x + y * d.y, y * d.x - x * d.y);
    balls
        .chain([layout.cue])
        .any(|centre| centre.distance(at) <= RADIUS + 1.0)
        || (aside.abs() <= ARROW_ASIDE && (0.0..=ARROW + 2.0).contains(&along))
}

/// How a way can begin: with a segment that comes from the white ball, or behind one that the arrow hides.
#[derive(Clone, Copy)]
struct Start {
    /// The segment that is followed first, from its start to its end.
    segment: Segment,
    /// Its place among all.
    at: usize,
    /// Where it begins, if a segment before it is hidden.
    corner: Option<Point>,
}

fn starts(case: &Case, sight: &Sight<'_>, found: &[Segment]) -> Vec<Start> {
    let cue = case.layout.cue;
    let both = found
        .iter()
        .enumerate()
        .flat_map(|(at, segment)| [(at, *segment), (at, segment.turned())]);
    both.filter_map(|(at, segment)| {
        let (along, aside) = segment.parts(cue);
        let is_first = aside.abs() <= START_ASIDE && (-START_REACH..=START_BEHIND).contains(&along);
        let corner = if is_first {
            None
        } else {
            Some(hidden_corner(case, sight, segment)?)
        };
        Some(Start {
            segment,
            at,
            corner,
        })
    })
    .collect()
}

/// Where a segment begins that comes from a short first one, which the arrow covers for the most part.
fn hidden_corner(case: &Case, sight: &Sight<'_>, second: Segment) -> Option<Point> {
    let cue = case.layout.cue;
    let length = cue.distance(second.from);
    if !(RADIUS..=HIDDEN_REACH).contains(&length) || near_cushions(second.from).is_empty() {
        return None;
    }
    let d = Point::new(
        (second.from.x - cue.x) / length,
        (second.from.y - cue.y) / length,
    );
    let (mut free, mut green) = (0_u32, 0_u32);
    let mut seen = Vec::new();
    let mut along = RADIUS;
    while along < length - f64::from(HIDDEN_ASIDE) {
        let asides = (-HIDDEN_ASIDE..=HIDDEN_ASIDE).map(f64::from);
        let row = asides.map(|aside| {
            Point::new(
                cue.x + along * d.x - aside * d.y,
                cue.y + along * d.y + aside * d.x,
            )
        });
        let row: Vec<Point> = row.filter(|at| !is_hidden(case, *at)).collect();
        let before = seen.len();
        seen.extend(row.iter().copied().filter(|at| sight.is_green(*at)));
        free += u32::from(!row.is_empty());
        green += u32::from(seen.len() > before);
        along += 1.0;
    }
    if seen.is_empty() || f64::from(green) < HIDDEN_FILL * f64::from(free) {
        return None;
    }
    let count = seen.len() as f64;
    let sum = |of: fn(&Point) -> f64| seen.iter().map(of).sum::<f64>() / count;
    let first = Segment {
        from: cue,
        to: Point::new(sum(|at| at.x), sum(|at| at.y)),
    };
    // Two segments that enclose a small angle cross at no certain place.
    let corner = crossing(first, second)
        .filter(|at| at.distance(second.from) <= JOIN && !near_cushions(*at).is_empty());
    Some(corner.unwrap_or(second.from))
}

/// The corners of the way, from the white ball on.
fn chained(cue: Point, start: Start, found: &[Segment]) -> Vec<Point> {
    let mut rest: Vec<Segment> = found.to_vec();
    rest.remove(start.at);
    let mut current = start.segment;
    let mut corners = vec![cue];
    corners.extend(start.corner);
    loop {
        let both = rest
            .iter()
            .enumerate()
            .flat_map(|(at, next)| [(at, *next), (at, next.turned())]);
        let gap = |next: &Segment| next.from.distance(current.to);
        let near = both.filter(|(_, next)| gap(next) <= JOIN);
        let Some((at, next)) = near.min_by(|a, b| gap(&a.1).total_cmp(&gap(&b.1))) else {
            corners.push(current.to);
            return corners;
        };
        corners.push(meeting(current, next));
        current = next;
        rest.remove(at);
    }
}

/// Where two segments meet: where their lines cross, if that is near both ends, else halfway between these.
fn meeting(a: Segment, b: Segment) -> Point {
    let near = crossing(a, b).filter(|at| at.distance(a.to) <= JOIN && at.distance(b.from) <= JOIN);
    near.unwrap_or(Point::new(
        f64::midpoint(a.to.x, b.from.x),
        f64::midpoint(a.to.y, b.from.y),
    ))
}

/// Where the lines of two segments cross.
fn crossing(a: Segment, b: Segment) -> Option<Point> {
    let (ax, ay) = (a.to.x - a.from.x, a.to.y - a.from.y);
    let (bx, by) = (b.to.x - b.from.x, b.to.y - b.from.y);
    let turn = ax * by - ay * bx;
    if turn.abs() < f64::EPSILON {
        return None;
    }
    let part = ((b.from.x - a.from.x) * by - (b.from.y - a.from.y) * bx) / turn;
    Some(Point::new(a.from.x + part * ax, a.from.y + part * ay))
}

/// Without corners at which the way goes straight on.
fn straightened(corners: Vec<Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::with_capacity(corners.len());
    let mut rest = corners.into_iter().peekable();
    while let Some(at) = rest.next() {
        let is_corner = match (kept.last(), rest.peek()) {
            (Some(before), Some(after)) => turn(*before, at, *after) >= STRAIGHT_DEGREES,
            _ => true,
        };
        if is_corner {
            kept.push(at);
        }
    }
    kept
}

/// By how much a way turns at a corner, in degrees.
fn turn(before: Point, at: Point, after: Point) -> f64 {
    let (ax, ay) = (at.x - before.x, at.y - before.y);
    let (bx, by) = (after.x - at.x, after.y - at.y);
    libm::atan2(ax * by - ay * bx, ax * bx + ay * by)
        .to_degrees()
        .abs()
}

/// The letters of the cushions at the corners. The last end is one of them where it is no collision.
fn touched(case: &Case, chain: &[Point]) -> Result<String, Unreadable> {
    let mut letters = String::new();
    let Some((last, corners)) = chain.get(1..).and_then(<[Point]>::split_last) else {
        return Ok(letters);
    };
    for corner in corners {
        match near_cushions(*corner).as_slice() {
            [one] => letters.push(one.letter()),
            [] => return Err(Unreadable::Turn),
            _ => return Err(Unreadable::Corner),
        }
    }
    let mut balls = case.layout.balls.iter();
    let is_collision = balls.any(|ball| ball.centre().distance(*last) <= CONTACT);
    if let ([one], false) = (near_cushions(*last).as_slice(), is_collision) {
        letters.push(one.letter());
    }
    Ok(letters)
}

/// The cushions that a ball with its centre at a place touches, or nearly so.
fn near_cushions(at: Point) -> Vec<Cushion> {
    let (right, bottom) = (f64::from(WIDTH) - INSET, f64::from(HEIGHT) - INSET);
    let gaps = [
        (at.x - INSET, Cushion::Left),
        (right - at.x, Cushion::Right),
        (at.y - INSET, Cushion::Top),
        (bottom - at.y, Cushion::Bottom),
    ];
    let near = gaps.into_iter().filter(|(gap, _)| *gap <= TOUCH);
    near.map(|(_, cushion)| cushion).collect()
}
