//! Straight segments among the pixels of the way, by Hough's transform.
//!
//! Source: Duda and Hart 1972: a line is its normal's angle φ and its distance ρ = x cos φ + y sin φ, and every pixel votes for
//! the lines through it. The line with most votes is fitted by least squares, cut where it has gaps, and its pixels vote no more.

use super::super::{Point, RADIUS};
use super::sight::{Sight, place};

/// Step of φ, in degrees.
const PHI_STEP: usize = 1;
/// Steps of φ in half a turn.
const NUM_PHI: usize = 180 / PHI_STEP;
/// Step of ρ, in pixels.
const RHO_STEP: f64 = 2.0;
/// ρ lies between minus and plus this, in pixels: more than the diagonal of the picture.
const MAX_RHO: f64 = 1210.0;
/// Cells of ρ.
const NUM_RHO: usize = 1210;
/// A line needs so many votes: a short segment of a thin line.
const MIN_VOTES: i32 = 25;
/// So many lines are looked at, which is more than a way with its crossings has.
const MAX_PEAKS: usize = 60;
/// Pixels belong to a line within this distance while it is fitted, step by step, in pixels.
const FIT: [f64; 3] = [5.0, 4.0, 3.0];
/// Pixels on both sides that no longer vote once a segment is found, in pixels.
const SPENT: f64 = 6.0;
/// A segment ends where nothing is for longer than this, in pixels: more than the gap between two dashes.
const MAX_GAP: usize = 27;
/// A segment is at least this long, in pixels.
const MIN_LENGTH: f64 = 1.2 * RADIUS;
/// At least this share of a segment has pixels, where nothing covers it.
const MIN_FILL: f64 = 0.45;
/// At least this share of a segment's pixels belongs to no segment before it.
const MIN_OWN: f64 = 0.4;

/// A straight segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment {
    pub(super) from: Point,
    pub(super) to: Point,
}

impl Segment {
    pub(super) fn length(self) -> f64 {
        self.from.distance(self.to)
    }

    /// The other way round.
    pub(super) fn turned(self) -> Self {
        Self {
            from: self.to,
            to: self.from,
        }
    }

    /// How far along its line, from `from`, and how far aside a point is.
    pub(super) fn parts(self, at: Point) -> (f64, f64) {
        Line::through(self.from, self.to).parts(at)
    }

    /// How far a point is from it.
    pub(super) fn distance(self, at: Point) -> f64 {
        let (along, aside) = self.parts(at);
        if along < 0.0 {
            return at.distance(self.from);
        }
        if along > self.length() {
            return at.distance(self.to);
        }
        aside.abs()
    }
}

/// An endless line with a direction of length 1.
#[derive(Clone, Copy, Debug)]
struct Line {
    at: Point,
    d: Point,
}

impl Line {
    fn through(from: Point, to: Point) -> Self {
        let length = from.distance(to).max(f64::MIN_POSITIVE);
        Self {
            at: from,
            d: Point::new((to.x - from.x) / length, (to.y - from.y) / length),
        }
    }

    fn parts(self, at: Point) -> (f64, f64) {
        let (x, y) = (at.x - self.at.x, at.y - self.at.y);
        (x * self.d.x + y * self.d.y, y * self.d.x - x * self.d.y)
    }

    fn on(self, along: f64) -> Point {
        Point::new(self.at.x + along * self.d.x, self.at.y + along * self.d.y)
    }

    /// The line with the least squared distances from the points; `None` if there are too few.
    fn fitted(points: &[Point]) -> Option<Self> {
        if points.len() < 2 {
            return None;
        }
        let count = points.len() as f64;
        let sum = |of: &dyn Fn(&Point) -> f64| points.iter().map(of).sum::<f64>() / count;
        let at = Point::new(sum(&|p| p.x), sum(&|p| p.y));
        let xx = sum(&|p| (p.x - at.x) * (p.x - at.x));
        let yy = sum(&|p| (p.y - at.y) * (p.y - at.y));
        let xy = sum(&|p| (p.x - at.x) * (p.y - at.y));
        let angle = 0.5 * libm::atan2(2.0 * xy, xx - yy);
        let d = Point::new(libm::cos(angle), libm::sin(angle));
        Some(Self { at, d })
    }
}

/// Votes of pixels for lines.
struct Votes {
    normals: Vec<Point>,
    cells: Vec<i32>,
}

impl Votes {
    fn new() -> Self {
        let normal = |step: usize| {
            let phi = ((step * PHI_STEP) as f64).to_radians();
            Point::new(libm::cos(phi), libm::sin(phi))
        };
        Self {
            normals: (0..NUM_PHI).map(normal).collect(),
            cells: vec![0; NUM_PHI * NUM_RHO],
        }
    }

    fn cast(&mut self, at: Point, weight: i32) {
        for (normal, cells) in self
            .normals
            .iter()
            .zip(self.cells.chunks_exact_mut(NUM_RHO))
        {
            let rho = at.x * normal.x + at.y * normal.y;
            if let Some(cell) = cells.get_mut(cell_of(rho)) {
                *cell += weight;
            }
        }
    }

    /// The line with most votes and the number of its cell; of equal ones the first.
    fn best(&self, skipped: &[usize]) -> Option<(usize, Line)> {
        let mut best = (MIN_VOTES - 1, None);
        for (at, votes) in self.cells.iter().enumerate() {
            if *votes > best.0 && !skipped.contains(&at) {
                best = (*votes, Some(at));
            }
        }
        let at = best.1?;
        let normal = self.normals[at / NUM_RHO];
        let rho = ((at % NUM_RHO) as f64 + 0.5) * RHO_STEP - MAX_RHO;
        let line = Line {
            at: Point::new(rho * normal.x, rho * normal.y),
            d: Point::new(-normal.y, normal.x),
        };
        Some((at, line))
    }
}

/// The cell of a distance.
fn cell_of(rho: f64) -> usize {
    whole((rho + MAX_RHO) / RHO_STEP)
}

/// A length of pixels, rounded down.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to what is positive before"
)]
fn whole(length: f64) -> usize {
    length.max(0.0) as usize
}

/// A pixel of the way.
struct Pixel {
    at: Point,
    /// Whether it belongs to no segment yet.
    is_free: bool,
}

/// All segments, the one with most votes first. What is `hidden` has neither pixels nor gaps.
pub(super) fn segments(sight: &Sight<'_>, hidden: impl Fn(Point) -> bool) -> Vec<Segment> {
    let green = sight.green.iter().enumerate().filter(|(_, is)| **is);
    let mut pixels: Vec<Pixel> = green
        .map(|(at, _)| Pixel {
            at: place(at),
            is_free: true,
        })
        .collect();
    let mut votes = Votes::new();
    for pixel in &pixels {
        votes.cast(pixel.at, 1);
    }
    let (mut found, mut skipped) = (Vec::new(), Vec::new());
    for _ in 0..MAX_PEAKS {
        let Some((cell, line)) = votes.best(&skipped) else {
            break;
        };
        let new = cut(line, &pixels, &hidden);
        if new.is_empty() {
            skipped.push(cell);
            continue;
        }
        for pixel in pixels.iter_mut().filter(|pixel| pixel.is_free) {
            if new
                .iter()
                .any(|segment| segment.distance(pixel.at) <= SPENT)
            {
                pixel.is_free = false;
                votes.cast(pixel.at, -1);
            }
        }
        found.extend(new);
    }
    found
}

/// A line as the segments that are on it.
fn cut(mut line: Line, pixels: &[Pixel], hidden: &impl Fn(Point) -> bool) -> Vec<Segment> {
    for reach in FIT {
        let near = pixels
            .iter()
            .filter(|pixel| pixel.is_free && line.parts(pixel.at).1.abs() <= reach);
        let near: Vec<Point> = near.map(|pixel| pixel.at).collect();
        let Some(fitted) = Line::fitted(&near) else {
            return Vec::new();
        };
        line = fitted;
    }
    let runs = runs(line, pixels, hidden);
    runs.into_iter()
        .filter_map(|(start, end)| refined(line, start, end, pixels))
        .collect()
}

/// Stretches of a line that have pixels, by where they start and end along it.
fn runs(line: Line, pixels: &[Pixel], hidden: &impl Fn(Point) -> bool) -> Vec<(f64, f64)> {
    let steps = 2 * NUM_RHO + 1;
    let along = |step: usize| step as f64 - MAX_RHO;
    // Of each step: whether pixels are there, and whether some of them are free.
    let mut hits = vec![(false, false); steps];
    for pixel in pixels {
        let (t, aside) = line.parts(pixel.at);
        if aside.abs() <= FIT[2]
            && let Some(hit) = hits.get_mut(whole(t + MAX_RHO))
        {
            hit.0 = true;
            hit.1 |= pixel.is_free;
        }
    }
    let mut found = Vec::new();
    let mut run = Run::default();
    for (step, (is_hit, is_free)) in hits.iter().enumerate() {
        if *is_hit {
            run.start.get_or_insert(step);
            run.end = step;
            run.gap = 0;
            run.hits += 1;
            run.own += usize::from(*is_free);
        } else if run.start.is_some() {
            if hidden(line.on(along(step))) {
                run.hidden += 1;
                continue;
            }
            run.gap += 1;
            if run.gap > MAX_GAP {
                found.extend(run.ends());
                run = Run::default();
            }
        }
    }
    found.extend(run.ends());
    let ends = found.into_iter();
    ends.map(|(start, end)| (along(start), along(end)))
        .collect()
}

/// A stretch that is looked through.
#[derive(Default)]
struct Run {
    start: Option<usize>,
    end: usize,
    gap: usize,
    hits: usize,
    own: usize,
    hidden: usize,
}

impl Run {
    /// Where it starts and ends, if it is a segment.
    fn ends(&self) -> Option<(usize, usize)> {
        let start = self.start?;
        let length = (self.end + 1 - start) as f64;
        let hits = self.hits as f64;
        let is_segment = length >= MIN_LENGTH
            && hits >= MIN_FILL * (length - self.hidden as f64)
            && self.own as f64 >= MIN_OWN * hits;
        is_segment.then_some((start, self.end))
    }
}

/// The stretch of a line, fitted to its own pixels.
fn refined(line: Line, start: f64, end: f64, pixels: &[Pixel]) -> Option<Segment> {
    let is_own = |pixel: &&Pixel| {
        let (along, aside) = line.parts(pixel.at);
        aside.abs() <= FIT[2] && along >= start && along <= end
    };
    let own: Vec<Point> = pixels.iter().filter(is_own).map(|pixel| pixel.at).collect();
    let fitted = Line::fitted(&own)?;
    let spans = own.iter().map(|at| fitted.parts(*at).0);
    let (least, most) = spans.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), t| {
        (least.min(t), most.max(t))
    });
    Some(Segment {
        from: fitted.on(least),
        to: fitted.on(most),
    })
}
