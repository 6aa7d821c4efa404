//! Balls and arrow: a ball is a disc of the input's colour with an edge that is darker than what is around it.

use super::super::draw::ARROW;
use super::super::trace::unit;
use super::super::{Ball, Case, HEIGHT, INSET, Point, RADIUS, WIDTH};
use super::sight::{Sight, small};
use super::{Context, Surface, UNKNOWN_BALL, Unreadable, surface};

/// Mean colours are the same within so many levels of 255 in each channel.
pub(super) const MAX_COLOUR_GAP: f64 = 40.0;
/// The part of a ball whose mean colour is compared.
const CORE: f64 = 0.8 * RADIUS;
/// A ball is looked for so far from its place in x and in y, in pixels.
const SEARCH: i32 = 16;
/// Steps of that search, in pixels.
const SEARCH_STEP: usize = 2;
/// Directions in which the edge of a disc is looked for.
const NUM_RAYS: u32 = 48;
/// Steps from one ray to the next that is looked at; it has no factor in common with their number.
const RAY_STRIDE: u32 = 13;
/// What has less than a quarter of its edge in the first rays is no disc.
const FIRST_RAYS: u32 = 12;
/// The edge is looked for this far inside and outside of the radius, in pixels.
const BAND: i32 = 3;
/// How far outside of the radius the ground is, in pixels.
const GROUND: f64 = 6.0;
/// The edge is darker than the ground by at least this, in levels of 255.
const MIN_EDGE: i32 = 24;
/// Of the rays, that many must be free of way and box.
const MIN_FREE: f64 = 0.5;
/// A disc has an edge in at least this share of the free directions.
const MIN_DISC: f64 = 0.7;
/// Below this share there is none; between the two nothing is certain.
const MAX_NO_DISC: f64 = 0.5;
/// Radii of discs that the input does not have, as parts of R.
const OTHER_RADII: [f64; 7] = [0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3];
/// Steps in which those are looked for in x and in y, in pixels.
const OTHER_STEP: usize = 4;
/// A pixel is another one where a channel differs from the input's by more than this, in levels of 255.
const MIN_CHANGE: i32 = 24;
/// Half the side of the square around a centre in which pixels must be others, in pixels: inside of the smallest disc.
const CHANGE_REACH: usize = 15;
/// So many pixels of that square must be others: a third, which lines do not cover.
const MIN_CHANGED: u32 = 320;
/// Discs are others where their centres are this far apart.
const OTHER_GAP: f64 = 1.3 * RADIUS;
/// A pixel of the arrow is darker than this, in levels of 255.
const MAX_INK: i32 = 90;
/// The arrow is there where at least this share of its shaft is dark.
const MIN_SHAFT: f64 = 0.6;
/// Where the shaft is looked for, in pixels from the white ball's centre: from its edge to the arrow's head.
const SHAFT: std::ops::Range<u8> = 24..57;

pub(super) fn context(
    case: &Case,
    input: &Sight<'_>,
    output: &Sight<'_>,
) -> Result<Context, Unreadable> {
    let surface = surface::compare(input, output)?;
    let mut context = Context {
        cue: None,
        balls: Vec::new(),
        arrow: None,
        surface,
    };
    if surface == Surface::Changed {
        // Whatever else there is, it is not the table of the input.
        return Ok(context);
    }
    let layout = &case.layout;
    let rays = rays();
    let mut discs = Vec::new();
    let mut find = |known: Point, unsure: Unreadable| {
        let found = search(output, &rays, known, unsure)?;
        discs.extend(found);
        let Some(at) = found else { return Ok(None) };
        has_colour(input, known, output, at)
            .map(|is_same| is_same.then_some(at))
            .ok_or(unsure)
    };
    context.cue = find(layout.cue, Unreadable::Cue)?;
    for ball in &layout.balls {
        if let Some(at) = find(ball.centre(), Unreadable::Ball(ball.n))? {
            context.balls.push(numbered(ball.n, at));
        }
    }
    for at in others(input, output, &rays, &discs) {
        let is_gone = |ball: &&Ball| context.balls.iter().all(|found| found.n != ball.n);
        let looks_like = |known: Point| has_colour(input, known, output, at) == Some(true);
        let moved = layout.balls.iter().filter(is_gone);
        let mut moved = moved.filter(|ball| looks_like(ball.centre()));
        if context.cue.is_none() && looks_like(layout.cue) {
            context.cue = Some(at);
        } else if let (Some(ball), None) = (moved.next(), moved.next()) {
            context.balls.push(numbered(ball.n, at));
        } else {
            context.balls.push(numbered(UNKNOWN_BALL, at));
        }
    }
    context.arrow = arrow(layout.cue, case.theta, output)?;
    Ok(context)
}

fn numbered(n: u8, at: Point) -> Ball {
    Ball {
        n,
        x: at.x,
        y: at.y,
    }
}

/// The centre of the disc near a place.
fn search(
    sight: &Sight<'_>,
    rays: &[Point],
    known: Point,
    unsure: Unreadable,
) -> Result<Option<Point>, Unreadable> {
    let mut best = 0.0;
    let mut centres: Vec<Point> = Vec::new();
    for y in (-SEARCH..=SEARCH).step_by(SEARCH_STEP) {
        for x in (-SEARCH..=SEARCH).step_by(SEARCH_STEP) {
            let at = Point::new(known.x + f64::from(x), known.y + f64::from(y));
            let Some(share) = edge(sight, rays, at, RADIUS) else {
                continue;
            };
            if share > best {
                best = share;
                centres.clear();
            }
            if share >= best {
                centres.push(at);
            }
        }
    }
    if best < MAX_NO_DISC {
        return Ok(None);
    }
    if best < MIN_DISC {
        return Err(unsure);
    }
    let count = centres.len() as f64;
    let sum = |of: fn(&Point) -> f64| centres.iter().map(of).sum::<f64>() / count;
    Ok(Some(Point::new(sum(|at| at.x), sum(|at| at.y))))
}

/// Directions all around; neighbours in this order are far apart, so that what is no disc is soon known.
fn rays() -> Vec<Point> {
    let ray = |at: u32| unit(360.0 * f64::from(at * RAY_STRIDE % NUM_RAYS) / f64::from(NUM_RAYS));
    (0..NUM_RAYS).map(ray).collect()
}

/// The share of free directions in which the edge of a disc is; `None` if too few are free.
fn edge(sight: &Sight<'_>, rays: &[Point], centre: Point, radius: f64) -> Option<f64> {
    let (mut free, mut dark) = (0_u32, 0_u32);
    for d in rays {
        let at = |along: f64| Point::new(centre.x + along * d.x, centre.y + along * d.y);
        let ground = at(radius + GROUND);
        if sight.is_drawn_over(ground) || sight.is_drawn_over(at(radius)) {
            continue;
        }
        free += 1;
        let limit = sight.luma(ground) - MIN_EDGE;
        let mut band = (-BAND..=BAND).map(|by| sight.luma(at(radius + f64::from(by))));
        dark += u32::from(band.any(|luma| luma <= limit));
        if free == FIRST_RAYS && 4 * dark < free {
            return Some(0.0);
        }
    }
    let is_known = f64::from(free) >= MIN_FREE * f64::from(NUM_RAYS);
    is_known.then(|| f64::from(dark) / f64::from(free))
}

/// Whether a disc has the mean colour of a ball of the input; `None` if too much of it is covered.
fn has_colour(input: &Sight<'_>, known: Point, output: &Sight<'_>, found: Point) -> Option<bool> {
    let (new, share) = output.mean(found, CORE, |_| true);
    // Of the input the same part of the ball is looked at.
    let is_free =
        |offset: Point| !output.is_drawn_over(Point::new(found.x + offset.x, found.y + offset.y));
    let (old, _) = input.mean(known, CORE, is_free);
    let mut gaps = new.into_iter().zip(old).map(|(new, old)| (new - old).abs());
    (share >= MIN_FREE).then(|| gaps.all(|gap| gap <= MAX_COLOUR_GAP))
}

/// Centres of discs that are none of the known ones, the clearest first.
fn others(input: &Sight<'_>, output: &Sight<'_>, rays: &[Point], known: &[Point]) -> Vec<Point> {
    let changed = changed(input, output);
    let inset = usize::from(small(INSET));
    let (width, height) = (WIDTH as usize, HEIGHT as usize);
    let mut found: Vec<(f64, Point)> = Vec::new();
    for y in (inset..height - inset).step_by(OTHER_STEP) {
        for x in (inset..width - inset).step_by(OTHER_STEP) {
            let at = Point::new(x as f64, y as f64);
            if changed.around(x, y) < MIN_CHANGED
                || known.iter().any(|other| other.distance(at) < OTHER_GAP)
            {
                continue;
            }
            let shares = OTHER_RADII
                .into_iter()
                .filter_map(|part| edge(output, rays, at, part * RADIUS));
            let best = shares.fold(0.0, f64::max);
            if best >= MIN_DISC {
                found.push((best, at));
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut apart: Vec<Point> = Vec::new();
    for (_, at) in found {
        if apart.iter().all(|other| other.distance(at) >= OTHER_GAP) {
            apart.push(at);
        }
    }
    apart
}

/// Numbers of pixels that are others, from the upper left corner to each pixel: sums of any square are four of them.
struct Changed(Vec<u32>);

impl Changed {
    /// How many are others in the square around a place.
    fn around(&self, x: usize, y: usize) -> u32 {
        let (left, top) = (
            x.saturating_sub(CHANGE_REACH),
            y.saturating_sub(CHANGE_REACH),
        );
        let (right, bottom) = (
            (x + CHANGE_REACH).min(WIDTH as usize),
            (y + CHANGE_REACH).min(HEIGHT as usize),
        );
        let sum = |x: usize, y: usize| self.0[y * (WIDTH as usize + 1) + x];
        sum(right, bottom) + sum(left, top) - sum(right, top) - sum(left, bottom)
    }
}

/// Counts pixels that are others than the input's and neither way nor box.
fn changed(input: &Sight<'_>, output: &Sight<'_>) -> Changed {
    let (width, height) = (WIDTH as usize, HEIGHT as usize);
    let mut sums = vec![0; (width + 1) * (height + 1)];
    for y in 0..height {
        let mut row = 0;
        for x in 0..width {
            let at = y * width + x;
            let mut pairs = output.colour(at).into_iter().zip(input.colour(at));
            let is_other = pairs.any(|(new, old)| (new - old).abs() > MIN_CHANGE);
            row += u32::from(is_other && !output.is_drawn(at));
            sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row;
        }
    }
    Changed(sums)
}

/// The direction of the arrow at the white ball's place: the known one where it is dark, else the darkest whole degree.
fn arrow(cue: Point, theta: f64, sight: &Sight<'_>) -> Result<Option<f64>, Unreadable> {
    let shaft = |theta: f64| {
        let d = unit(theta);
        let places = SHAFT.map(|along| {
            let along = f64::from(along);
            Point::new(cue.x + along * d.x, cue.y + along * d.y)
        });
        let free: Vec<Point> = places.filter(|at| !sight.is_drawn_over(*at)).collect();
        let dark = free.iter().filter(|at| sight.luma(**at) < MAX_INK).count();
        let is_known = free.len() as f64 >= MIN_FREE * SHAFT.len() as f64;
        is_known.then(|| dark as f64 / free.len() as f64)
    };
    if shaft(theta).ok_or(Unreadable::Arrow)? >= MIN_SHAFT {
        return Ok(Some(theta));
    }
    let mut best = (MIN_SHAFT, None);
    for degree in 0..360 {
        let degree = f64::from(degree);
        if let Some(share) = shaft(degree).filter(|share| *share > best.0) {
            best = (share, Some(degree));
        }
    }
    Ok(best.1)
}

/// The shaft ends before the head begins.
const _: () = assert!((SHAFT.end as f64) <= ARROW - 20.0 && (SHAFT.start as f64) > RADIUS);
