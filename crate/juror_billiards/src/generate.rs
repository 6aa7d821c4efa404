//! Draws cases until one fits: places, a direction, and every rule against ambiguity.

use super::trace::{Cushion, bounds, unit};
use super::{
    Ball, Case, INSET, Layout, MAX_NUMBER, NUM_BALLS, NUM_CUSHIONS, Point, RADIUS, Way, trace,
};
use juror_statistics::random::SplitMix64;

/// Centres lie at least this far from each other.
const MIN_BALL_GAP: f64 = 3.0 * RADIUS;
/// Centres lie at least this far from the drawn cushions.
const MIN_CUSHION_GAP: f64 = 2.0 * RADIUS;
/// A cushion is touched at least this far from the corners of the field in which the centre moves.
const MIN_CORNER_GAP: f64 = 3.0 * RADIUS;
/// Way and cushion enclose at least this angle.
const MIN_CUSHION_DEGREES: f64 = 10.0;
/// The way passes balls that it does not hit at no less than this distance of the centres.
const MIN_PASS: f64 = 2.5 * RADIUS;
/// The target's centre is at most this far from the line of the last segment.
const MAX_OFFSET: f64 = 0.85 * 2.0 * RADIUS;
/// Segments of the way that enclose less than this angle are as good as parallel.
const PARALLEL_DEGREES: f64 = 10.0;
/// As good as parallel segments lie at least this far apart.
const MIN_PARALLEL_GAP: f64 = RADIUS;
/// Every segment is at least this long.
const MIN_SEGMENT: f64 = 2.0 * RADIUS;
/// The first segment is at least this long, so that the arrow ends before it does.
const MIN_FIRST_SEGMENT: f64 = 4.0 * RADIUS;
/// The way crosses itself at most this often.
const MAX_CROSSINGS: usize = 6;
/// The arrow may be misread by so many tenths of a degree to either side.
const MISREAD_TENTHS: i32 = 5;
/// Directions that are tried on one placement of the balls.
const SHOTS: u32 = 48;
/// Placements that are tried for one case.
const PLACEMENTS: u32 = 200_000;

/// Why a shot makes no case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// Another number of cushions is touched, or no ball is hit.
    Count,
    /// A segment is too short to be seen as one.
    ShortSegment,
    /// A cushion is touched near a corner.
    Corner,
    /// A cushion is touched at too flat an angle.
    FlatCushion,
    /// A ball is passed so closely that it might be hit.
    NearMiss,
    /// The target is hit so far off its centre that it might be missed.
    Grazing,
    /// Two segments can hardly be told from each other.
    Parallel,
    /// The way crosses itself too often to be followed.
    Crossings,
    /// A slightly misread arrow leads elsewhere.
    Sensitive,
}

/// No case was found; with the rules as they are this does not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted {
    /// The number of the case, from 1.
    pub number: u32,
    /// The placements that were tried.
    pub placements: u32,
}

impl std::fmt::Display for Exhausted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "no case {} was found on {} placements; take another seed",
            self.number, self.placements
        )
    }
}

impl std::error::Error for Exhausted {}

/// The numbers that a case is drawn from.
#[derive(Clone, Debug)]
struct Random(SplitMix64);

impl Random {
    /// Each case has a stream of its own, so that a case does not depend on how many there are.
    fn new(seed: u64, number: u32) -> Self {
        let own =
            SplitMix64::new(seed).bits() ^ u64::from(number).wrapping_mul(0xd134_2543_de82_ef95);
        Self(SplitMix64::new(own))
    }

    /// A whole number from `low` to `high`, both included.
    fn whole(&mut self, low: u32, high: u32) -> u32 {
        let count = u64::from(high - low) + 1;
        // The remainder's bias is below 2^-40 for the ranges here.
        low + u32::try_from((self.0.bits() >> 8) % count).unwrap_or(0)
    }
}

/// The first `count` cases of a seed.
///
/// # Errors
/// [`Exhausted`], which no seed that was tried brings about.
pub fn cases(seed: u64, count: u32) -> Result<Vec<Case>, Exhausted> {
    (1..=count).map(|number| case(seed, number)).collect()
}

/// One case of a seed, by its number from 1.
///
/// Numbers of cushions take turns, 2 for the first case, 3 for the second, up to 7, and again: so any count is balanced
/// to within one. Centres have whole coordinates and directions whole hundredths of a degree, which JSON keeps exactly.
///
/// # Errors
/// As [`cases`].
///
/// # Example
/// ```
/// use juror_billiards::case;
/// let found = case(7, 3).unwrap();
/// assert_eq!((found.id.as_str(), found.k, found.cushions.len()), ("Billiards_0003", 4, 4));
/// assert_eq!(found.way().target, Some(found.target));
/// ```
pub fn case(seed: u64, number: u32) -> Result<Case, Exhausted> {
    case_over(seed, number, None)
}

/// One case as [`case`] makes it, over so many cushions instead of those whose turn it is.
///
/// # Errors
/// As [`cases`]; always for a number of cushions outside of [`NUM_CUSHIONS`], which costs all tries.
///
/// # Example
/// ```
/// use juror_billiards::{case, case_over};
/// assert_eq!(case_over(7, 3, Some(5)).unwrap().k, 5);
/// assert_eq!(case_over(7, 3, Some(4)).unwrap(), case(7, 3).unwrap());
/// ```
pub fn case_over(seed: u64, number: u32, cushions: Option<u32>) -> Result<Case, Exhausted> {
    let (least, most) = (*NUM_CUSHIONS.start(), *NUM_CUSHIONS.end());
    let in_turn = least + number.saturating_sub(1) % (most - least + 1);
    let k = cushions.unwrap_or(in_turn);
    let mut random = Random::new(seed, number);
    for _ in 0..PLACEMENTS {
        let Some(layout) = placement(&mut random) else {
            continue;
        };
        for _ in 0..SHOTS {
            let theta = f64::from(random.whole(0, 35_999)) / 100.0;
            let Ok(way) = verify(&layout, theta, k) else {
                continue;
            };
            let Some(target) = way.target else { continue };
            return Ok(Case {
                id: format!("Billiards_{number:04}"),
                k,
                cushions: way.letters(),
                target,
                theta,
                layout,
            });
        }
    }
    Err(Exhausted {
        number,
        placements: PLACEMENTS,
    })
}

/// Six balls that do not touch each other or a cushion, five of them with numbers.
fn placement(random: &mut Random) -> Option<Layout> {
    let [left, right, top, bottom] = bounds();
    // From the centre's field to the drawn cushion it is one radius.
    let margin = MIN_CUSHION_GAP - RADIUS;
    let whole = |from: f64| super::draw::whole(from);
    let mut centres: Vec<Point> = Vec::with_capacity(NUM_BALLS + 1);
    for _ in 0..=NUM_BALLS {
        let mut tries = (0..32).map(|_| {
            let x = random.whole(whole(left + margin), whole(right - margin));
            let y = random.whole(whole(top + margin), whole(bottom - margin));
            Point::new(f64::from(x), f64::from(y))
        });
        let is_free = |at: &Point| {
            centres
                .iter()
                .all(|other| at.distance(*other) >= MIN_BALL_GAP)
        };
        let found = tries.find(is_free)?;
        centres.push(found);
    }
    let mut numbers: Vec<u8> = (1..=MAX_NUMBER).collect();
    let (cue, others) = centres.split_first()?;
    let balls = others.iter().map(|at| {
        let last = u32::try_from(numbers.len() - 1).unwrap_or(0);
        let n = numbers.remove(random.whole(0, last) as usize);
        Ball {
            n,
            x: at.x,
            y: at.y,
        }
    });
    Some(Layout {
        balls: balls.collect(),
        cue: *cue,
    })
}

/// The way of a shot that makes a case with `k` cushions.
///
/// A shot is rejected where
/// - the white ball does not touch exactly `k` cushions before it hits a ball;
/// - a segment is shorter than 2R, or the first one, on which the arrow lies, than 4R;
/// - a cushion is touched within 3R of a corner of the centre's field, or at less than 10° between way and cushion;
/// - the way passes a ball that it does not hit at less than 2.5R between centres; the target too, before the last segment;
/// - the target's centre is more than 0.85 · 2R from the line of the last segment;
/// - two segments that enclose less than 10° come closer than R: a ball that nearly returns on its own way;
/// - the way crosses itself more than six times;
/// - an arrow misread by up to half a degree, in steps of a tenth, leads over other cushions or to another ball.
///
/// Multiples of R, half a degree, 10° at cushions and six crossings are this project's proposal; what each of them
/// measures is said in the list above. That “nearly parallel” means 10°, the length of the first segment,
/// the target's own near misses, and the steps between the two misread arrows are this project's choices.
///
/// # Errors
/// The first rule that is broken.
pub fn verify(layout: &Layout, theta: f64, k: u32) -> Result<Way, Rejection> {
    let way = trace(layout, theta, k);
    let Some(target) = way.target.filter(|_| way.cushions.len() == k as usize) else {
        return Err(Rejection::Count);
    };
    let segments: Vec<(Point, Point)> = way
        .points
        .windows(2)
        .map(|ends| (ends[0], ends[1]))
        .collect();
    let is_short = |(at, (from, to)): (usize, &(Point, Point))| {
        let least = if at == 0 {
            MIN_FIRST_SEGMENT
        } else {
            MIN_SEGMENT
        };
        from.distance(*to) < least
    };
    if segments.iter().enumerate().any(is_short) {
        return Err(Rejection::ShortSegment);
    }
    cushions(&way, unit(theta))?;
    balls(layout, &segments, target)?;
    itself(&segments)?;
    let is_same = |tenths: i32| {
        let other = trace(layout, theta + f64::from(tenths) / 10.0, k);
        other.target == way.target && other.cushions == way.cushions
    };
    if !(-MISREAD_TENTHS..=MISREAD_TENTHS).all(is_same) {
        return Err(Rejection::Sensitive);
    }
    Ok(way)
}

/// Corners and flat angles; a reflection keeps the sizes of both components, so the first direction tells all angles.
fn cushions(way: &Way, direction: Point) -> Result<(), Rejection> {
    let [left, right, top, bottom] = bounds();
    let corners = [(left, top), (right, top), (left, bottom), (right, bottom)];
    let least = libm::sin(MIN_CUSHION_DEGREES.to_radians());
    for (at, cushion) in way.points.iter().skip(1).zip(&way.cushions) {
        let is_near = |&(x, y): &(f64, f64)| at.distance(Point::new(x, y)) < MIN_CORNER_GAP;
        if corners.iter().any(is_near) {
            return Err(Rejection::Corner);
        }
        let across = match cushion {
            Cushion::Top | Cushion::Bottom => direction.y.abs(),
            Cushion::Left | Cushion::Right => direction.x.abs(),
        };
        if across < least {
            return Err(Rejection::FlatCushion);
        }
    }
    Ok(())
}

/// Near misses and a grazing hit.
fn balls(layout: &Layout, segments: &[(Point, Point)], target: u8) -> Result<(), Rejection> {
    let Some((last, before)) = segments.split_last() else {
        return Err(Rejection::Count);
    };
    for ball in &layout.balls {
        let is_target = ball.n == target;
        let passes = |&(from, to): &(Point, Point)| distance(ball.centre(), from, to) < MIN_PASS;
        if before.iter().any(passes) || (!is_target && passes(last)) {
            return Err(Rejection::NearMiss);
        }
        if is_target {
            let (from, to) = *last;
            let offset = cross(from, to, ball.centre()).abs() / from.distance(to);
            if offset > MAX_OFFSET {
                return Err(Rejection::Grazing);
            }
        }
    }
    Ok(())
}

/// What makes a way hard to follow: segments side by side, and crossings.
fn itself(segments: &[(Point, Point)]) -> Result<(), Rejection> {
    let parallel = libm::sin(PARALLEL_DEGREES.to_radians());
    let mut num_crossings = 0;
    for (at, a) in segments.iter().enumerate() {
        for (next, b) in segments.iter().enumerate().skip(at + 1) {
            let turn = (a.1.x - a.0.x) * (b.1.y - b.0.y) - (a.1.y - a.0.y) * (b.1.x - b.0.x);
            let sine = turn.abs() / (a.0.distance(a.1) * b.0.distance(b.1));
            let do_cross = next > at + 1 && crossing(*a, *b);
            // Neighbours meet at a cushion, so their gap is 0.
            let gap = if next == at + 1 || do_cross {
                0.0
            } else {
                [
                    distance(a.0, b.0, b.1),
                    distance(a.1, b.0, b.1),
                    distance(b.0, a.0, a.1),
                    distance(b.1, a.0, a.1),
                ]
                .into_iter()
                .fold(f64::INFINITY, f64::min)
            };
            if sine < parallel && gap < MIN_PARALLEL_GAP {
                return Err(Rejection::Parallel);
            }
            num_crossings += usize::from(do_cross);
        }
    }
    if num_crossings > MAX_CROSSINGS {
        return Err(Rejection::Crossings);
    }
    Ok(())
}

/// Twice the signed area of a triangle.
fn cross(a: Point, b: Point, c: Point) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Whether two segments cross inside of both.
fn crossing(a: (Point, Point), b: (Point, Point)) -> bool {
    let is_split = |line: (Point, Point), ends: (Point, Point)| {
        cross(line.0, line.1, ends.0) * cross(line.0, line.1, ends.1) < 0.0
    };
    is_split(a, b) && is_split(b, a)
}

/// How far a point is from a segment.
fn distance(point: Point, from: Point, to: Point) -> f64 {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx * dx + dy * dy;
    if length == 0.0 {
        return point.distance(from);
    }
    let part = ((point.x - from.x) * dx + (point.y - from.y) * dy) / length;
    let part = part.clamp(0.0, 1.0);
    point.distance(Point::new(from.x + part * dx, from.y + part * dy))
}

/// The drawn table must hold what the rules above say.
const _: () = assert!(INSET > 0.0 && NUM_BALLS < MAX_NUMBER as usize);

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn ball(n: u8, x: f64, y: f64) -> Ball {
        Ball { n, x, y }
    }

    /// A clean shot over top and right: the second example of `trace`.
    fn clean() -> (Layout, f64) {
        let layout = Layout {
            cue: Point::new(462.0, 362.0),
            balls: vec![ball(4, 662.0, 362.0)],
        };
        (layout, libm::atan2(600.0, 800.0).to_degrees())
    }

    #[test]
    fn a_clean_shot_is_accepted_and_each_rule_rejects_its_own_fault() {
        let (layout, theta) = clean();
        assert_eq!(verify(&layout, theta, 2).unwrap().letters(), "TR");
        let with = |more: Ball| {
            let mut other = layout.clone();
            other.balls.push(more);
            other
        };
        let rejected = |layout: &Layout, theta: f64, k: u32| verify(layout, theta, k).unwrap_err();
        assert_eq!(rejected(&layout, theta, 3), Rejection::Count);
        assert_eq!(rejected(&layout, theta, 1), Rejection::Count);
        // 50 from the first segment, whose middle is (662, 212): neither hit (44) nor far enough away (55).
        let near = ball(5, 662.0 - 0.6 * 50.0, 212.0 - 0.8 * 50.0);
        assert_eq!(rejected(&with(near), theta, 2), Rejection::NearMiss);
        let far = ball(5, 662.0 - 0.6 * 56.0, 212.0 - 0.8 * 56.0);
        assert!(verify(&with(far), theta, 2).is_ok());
        let clear = ball(5, 200.0, 500.0);
        assert!(verify(&with(clear), theta, 2).is_ok());
        // The target is 40 from the last segment's line: 0.85 · 44 is 37.4.
        let mut aside = layout.clone();
        aside.balls = vec![ball(4, 662.0 + 0.6 * 40.0, 362.0 + 0.8 * 40.0)];
        assert_eq!(rejected(&aside, theta, 2), Rejection::Grazing);
        // 37 from it, after a way of nearly 1000: half a degree more, and 8 are too many for the 44 at which it is hit.
        aside.balls = vec![ball(4, 662.0 + 0.6 * 37.0, 362.0 + 0.8 * 37.0)];
        assert_eq!(rejected(&aside, theta, 2), Rejection::Sensitive);
        aside.balls = vec![ball(4, 662.0 + 0.6 * 30.0, 362.0 + 0.8 * 30.0)];
        assert!(verify(&aside, theta, 2).is_ok());
        // Closer to the upper cushion than 4R on the way to it.
        let mut short = layout.clone();
        short.cue = Point::new(862.0 - 64.0, 62.0 + 48.0);
        assert_eq!(rejected(&short, theta, 2), Rejection::ShortSegment);
    }

    #[test]
    fn corners_flat_cushions_and_returns_on_the_own_way_are_rejected() {
        // Upper cushion 60 before the corner (962, 62), right one 45 behind it.
        let corner = Layout {
            cue: Point::new(902.0 - 400.0, 62.0 + 300.0),
            balls: vec![ball(4, 962.0 - 400.0, 62.0 + 45.0 + 300.0)],
        };
        let theta = libm::atan2(300.0, 400.0).to_degrees();
        assert_eq!(verify(&corner, theta, 2).unwrap_err(), Rejection::Corner);
        // 8° to the upper cushion.
        let flat = Layout {
            cue: Point::new(150.0, 100.0),
            balls: vec![ball(4, 800.0, 130.0)],
        };
        let found = (0..400).map(|step| verify(&flat, 7.0 + f64::from(step) / 100.0, 1));
        let reasons: Vec<Rejection> = found.filter_map(Result::err).collect();
        assert!(reasons.contains(&Rejection::FlatCushion), "{reasons:?}");
        // Nearly straight down and up again.
        let back = Layout {
            cue: Point::new(500.0, 400.0),
            balls: vec![ball(4, 515.0, 120.0)],
        };
        assert_eq!(verify(&back, 272.0, 1).unwrap_err(), Rejection::Parallel);
    }

    #[test]
    fn crossings_are_counted_between_segments_that_are_no_neighbours() {
        let zigzag = |num: u32| -> Vec<(Point, Point)> {
            // One long line, and a zigzag that crosses it `num` times.
            let mut points = vec![Point::new(0.0, 0.0), Point::new(4000.0, 0.0)];
            points.push(Point::new(4000.0, 500.0));
            points.extend((0..num).map(|at| {
                let y = if at % 2 == 0 { -300.0 } else { 300.0 };
                Point::new(3800.0 - 500.0 * f64::from(at), y)
            }));
            points.windows(2).map(|ends| (ends[0], ends[1])).collect()
        };
        assert_eq!(itself(&zigzag(6)), Ok(()));
        assert_eq!(itself(&zigzag(7)), Err(Rejection::Crossings));
    }

    #[test]
    fn the_seed_and_the_number_determine_a_case_and_the_count_does_not() {
        let first = cases(11, 12).unwrap();
        assert_eq!(first, cases(11, 12).unwrap());
        assert_eq!(first[..5], cases(11, 5).unwrap());
        let other = cases(12, 12).unwrap();
        assert!(first.iter().zip(&other).all(|(a, b)| a.layout != b.layout));
        let places: BTreeSet<String> = first
            .iter()
            .map(|case| format!("{:?}", case.layout))
            .collect();
        assert_eq!(places.len(), 12);
    }

    #[test]
    fn counts_of_cushions_are_balanced_to_within_one() {
        let found = cases(3, 27).unwrap();
        let count = |k: u32| found.iter().filter(|case| case.k == k).count();
        assert_eq!([2, 3, 4, 5, 6, 7].map(count), [5, 5, 5, 4, 4, 4]);
        for case in &found {
            assert_eq!(case.cushions.len(), case.k as usize);
        }
    }

    #[test]
    fn every_case_is_unambiguous_under_brute_force() {
        for case in cases(5, 60).unwrap() {
            let way = verify(&case.layout, case.theta, case.k).unwrap();
            for hundredths in -50..=50 {
                let theta = case.theta + f64::from(hundredths) / 100.0;
                let other = trace(&case.layout, theta, case.k);
                assert_eq!(other.target, way.target, "{} at {theta}", case.id);
                assert_eq!(other.cushions, way.cushions, "{} at {theta}", case.id);
            }
            let mut numbers: Vec<u8> = case.layout.balls.iter().map(|ball| ball.n).collect();
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers.len(), NUM_BALLS);
            assert!(numbers.iter().all(|n| (1..=MAX_NUMBER).contains(n)));
            let mut centres: Vec<Point> = case.layout.balls.iter().map(|b| b.centre()).collect();
            centres.push(case.layout.cue);
            for (at, a) in centres.iter().enumerate() {
                let gap = centres.iter().skip(at + 1).map(|b| a.distance(*b));
                assert!(gap.fold(f64::INFINITY, f64::min) >= MIN_BALL_GAP);
                assert!(a.x >= INSET + MIN_CUSHION_GAP && a.y >= INSET + MIN_CUSHION_GAP);
            }
        }
    }

    #[test]
    fn a_shot_that_was_not_sorted_out_is_often_ambiguous() {
        // The sibling of the test above: without the rules brute force finds shots that lead elsewhere.
        let mut random = Random::new(5, 1);
        let layout = placement(&mut random).unwrap();
        let changes = (0..360).filter(|degree| {
            let theta = f64::from(*degree);
            let way = trace(&layout, theta, 7);
            [-0.5, 0.5].iter().any(|by| {
                let other = trace(&layout, theta + by, 7);
                (other.target, other.cushions) != (way.target, way.cushions.clone())
            })
        });
        assert!(changes.count() > 20);
    }
}
