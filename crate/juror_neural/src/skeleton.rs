//! Skeletons of people as pictures: what MultiRef's evaluator has OpenCV draw of key points.
//!
//! OpenCV draws on a grid of 2⁻¹⁶ pixels, and which pixels a bar two wide covers is its own: a box that is filled between
//! its outlines, with a small cross at both ends. `tests/golden/pose.py` has it draw.

use juror_metrics::Image;

/// Bits behind the point of OpenCV's places.
const BITS: u32 = 16;
const ONE: i64 = 1 << BITS;
const HALF: i64 = ONE / 2;

/// COCO's key points that a limb joins: nose, eyes, ears, shoulders, elbows, wrists, hips, knees, ankles, left before right.
const LIMBS: [[usize; 2]; 19] = [
    [0, 1],
    [1, 2],
    [2, 0],
    [1, 3],
    [2, 4],
    [3, 5],
    [4, 6],
    [5, 6],
    [5, 11],
    [6, 12],
    [11, 12],
    [5, 7],
    [7, 9],
    [6, 8],
    [8, 10],
    [11, 13],
    [13, 15],
    [12, 14],
    [14, 16],
];

/// A person's key points as pixels `[x, y]`, in COCO's order; `None` for one that is not seen.
pub type Person = [Option<[u16; 2]>; 17];

/// People in white on black: a ring around each key point, and a bar two pixels wide for each limb.
///
/// The authors draw each person in a colour by chance; what is compared is whether a pixel is black.
///
/// # Example
/// ```
/// use juror_neural::skeleton;
/// let mut person = [None; 17];
/// person[0] = Some([4, 4]);
/// let drawn = skeleton(&[person], 9, 9);
/// assert_eq!(drawn.data().iter().filter(|pixel| **pixel > 0).count(), 21);
/// ```
pub fn skeleton(people: &[Person], width: usize, height: usize) -> Image<u8> {
    let mut sheet = Sheet {
        width: i64::try_from(width).unwrap_or(i64::MAX),
        height: i64::try_from(height).unwrap_or(i64::MAX),
        pixels: vec![0; width * height],
    };
    for person in people {
        let point = |at: usize| person[at].map(|[x, y]| [i64::from(x), i64::from(y)]);
        for [x, y] in (0..person.len()).filter_map(point) {
            // All of five by five but the corners.
            for (dy, dx) in (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| (dy, dx))) {
                if i64::abs(dx) + i64::abs(dy) < 4 {
                    sheet.put(x + dx, y + dy);
                }
            }
        }
        for [from, to] in LIMBS {
            if let (Some(from), Some(to)) = (point(from), point(to)) {
                sheet.bar(from, to);
            }
        }
    }
    let Sheet { pixels, .. } = sheet;
    // As many pixels as it says.
    Image::new(width, height, 1, pixels).unwrap_or_else(|_| unreachable!())
}

/// A place on OpenCV's grid.
type Place = [i64; 2];

struct Sheet {
    width: i64,
    height: i64,
    pixels: Vec<u8>,
}

impl Sheet {
    fn put(&mut self, x: i64, y: i64) {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            let at = usize::try_from(y * self.width + x).unwrap_or(usize::MAX);
            if let Some(pixel) = self.pixels.get_mut(at) {
                *pixel = 255;
            }
        }
    }

    /// A bar two wide between two pixels, with crosses at its ends.
    fn bar(&mut self, from: [i64; 2], to: [i64; 2]) {
        let [a, b] = [from, to].map(|point| point.map(|side| side << BITS));
        let (dx, dy) = (
            (a[0] - b[0]) as f64 / ONE as f64,
            (b[1] - a[1]) as f64 / ONE as f64,
        );
        let square = dx * dx + dy * dy;
        if square > f64::EPSILON {
            let scale = ONE as f64 / square.sqrt();
            let [ox, oy] = [dy * scale, dx * scale].map(whole);
            self.fill([
                [a[0] + ox, a[1] + oy],
                [a[0] - ox, a[1] - oy],
                [b[0] - ox, b[1] - oy],
                [b[0] + ox, b[1] + oy],
            ]);
        }
        for [x, y] in [from, to] {
            for [dx, dy] in [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]] {
                self.put(x + dx, y + dy);
            }
        }
    }

    /// A convex shape of four corners: its outline, and each row between the edges on both sides.
    fn fill(&mut self, corners: [Place; 4]) {
        for at in 0..4 {
            self.outline(corners[(at + 3) % 4], corners[at]);
        }
        let row = |at: usize| (corners[at][1] + HALF) >> BITS;
        let top = (0..4).min_by_key(|at| corners[*at][1]).unwrap_or_default();
        let last = (0..4)
            .map(row)
            .max()
            .unwrap_or_default()
            .min(self.height - 1);
        let mut edges = [1, 3].map(|step| Edge {
            at: top,
            step,
            x: -ONE,
            slope: 0,
            until: row(top),
        });
        let mut left = 4;
        for y in row(top)..=last {
            for edge in &mut edges {
                if y < edge.until {
                    continue;
                }
                let mut from = edge.at;
                let mut to = (from + edge.step) % 4;
                loop {
                    // No side is left that leads further down.
                    if left == 0 {
                        return;
                    }
                    left -= 1;
                    if row(to) > y {
                        break;
                    }
                    from = to;
                    to = (to + edge.step) % 4;
                }
                let rows = row(to) - y;
                let run = corners[to][0] - corners[from][0];
                edge.slope = (run * 2 + rows) / (2 * rows);
                (edge.at, edge.x, edge.until) = (to, corners[from][0], row(to));
            }
            let [a, b] = [edges[0].x, edges[1].x];
            let (from, to) = ((a.min(b) + HALF) >> BITS, (a.max(b) + HALF) >> BITS);
            if y >= 0 {
                for x in from.max(0)..=to.min(self.width - 1) {
                    self.put(x, y);
                }
            }
            for edge in &mut edges {
                edge.x += edge.slope;
            }
        }
    }

    /// A line one wide, one pixel for each step along its longer side.
    fn outline(&mut self, from: Place, to: Place) {
        let Some([mut from, mut to]) = self.clipped(from, to) else {
            return;
        };
        let along = usize::from((to[0] - from[0]).abs() <= (to[1] - from[1]).abs());
        if to[along] < from[along] {
            (from, to) = (to, from);
        }
        let (length, rise) = (to[along] - from[along], to[1 - along] - from[1 - along]);
        let slope = rise * ONE / (length | 1);
        self.put((to[0] + HALF) >> BITS, (to[1] + HALF) >> BITS);
        let mut across = from[1 - along] + HALF;
        let first = (from[along] + HALF) >> BITS;
        for step in first..=first + (length >> BITS) {
            let place = [step, across >> BITS];
            self.put(place[along], place[1 - along]);
            across += slope;
        }
    }

    /// What of a line is on the sheet; rows are cut before columns, towards zero.
    fn clipped(&self, from: Place, to: Place) -> Option<[Place; 2]> {
        let most = [(self.width << BITS) - 1, (self.height << BITS) - 1];
        let outside = |place: Place, axis: usize| {
            if place[axis] < 0 {
                -1
            } else {
                i32::from(place[axis] > most[axis])
            }
        };
        let mut ends = [from, to];
        for axis in [1, 0] {
            let sides = ends.map(|end| outside(end, axis));
            if sides[0] * sides[1] > 0 {
                return None;
            }
            // A line that is away on one side in the other direction is not looked at further.
            let others = ends.map(|end| outside(end, 1 - axis));
            if axis == 1 && others[0] * others[1] > 0 {
                return None;
            }
            for at in 0..2 {
                if sides[at] == 0 {
                    continue;
                }
                let goal = if sides[at] < 0 { 0 } else { most[axis] };
                let [a, b] = ends;
                let run = b[1 - axis] - a[1 - axis];
                let part = (goal - ends[at][axis]) as f64 * run as f64 / (b[axis] - a[axis]) as f64;
                ends[at][1 - axis] += cut(part);
                ends[at][axis] = goal;
            }
        }
        Some(ends)
    }
}

/// One side of a shape that is filled from the top.
struct Edge {
    /// The corner that it leads to.
    at: usize,
    /// How its corners follow each other.
    step: usize,
    x: i64,
    slope: i64,
    /// The row where its corner is.
    until: i64,
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "places of pictures are far below 2⁵³"
)]
fn cut(value: f64) -> i64 {
    value as i64
}

/// The nearest whole number, of two the even one.
fn whole(value: f64) -> i64 {
    cut(value.round_ties_even())
}
