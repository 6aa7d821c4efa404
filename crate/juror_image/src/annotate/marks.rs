//! What is drawn in a picture, and where beside it a box has room.

use super::Area;
use crate::composite::Rgba;

/// From this alpha on a layer paints something.
const PAINTED: u8 = 16;
/// How far a channel must be from the source's to be a change, where the layer is a whole picture.
const CHANGED: u8 = 24;
/// Side of the squares in which neighbouring marks are found to be one.
const CELL_PX: u32 = 8;
/// How many places are tried along each side at most.
const MAX_STEPS: u32 = 120;

/// The pixels of a picture that marks are in.
pub(super) struct Marks {
    width: u32,
    height: u32,
    /// Row by row.
    is_mark: Vec<bool>,
}

/// How many blocked pixels lie left of and above each place.
struct Sums {
    width: usize,
    sums: Vec<u32>,
}

impl Marks {
    /// The marks of a layer of the source's size.
    pub(super) fn of(layer: &Rgba, source: &Rgba) -> Self {
        let pixels = || layer.data.chunks_exact(4);
        let num_painted = pixels().filter(|pixel| pixel[3] >= PAINTED).count();
        let is_whole = 2 * num_painted > layer.data.len() / 4;
        let is_changed = |top: &[u8], bottom: &[u8]| {
            let mut channels = top.iter().zip(bottom).take(3);
            channels.any(|(a, b)| a.abs_diff(*b) > CHANGED)
        };
        let pairs = pixels().zip(source.data.chunks_exact(4));
        let is_mark =
            pairs.map(|(top, bottom)| top[3] >= PAINTED && (!is_whole || is_changed(top, bottom)));
        Self {
            width: layer.width,
            height: layer.height,
            is_mark: is_mark.collect(),
        }
    }

    /// Which of the boxes has the place nearest to the marks that is so far from them, and where; of equally near ones the
    /// first.
    ///
    /// Rectangles around marks are free of it where they leave room, so that nothing is written into a circle around
    /// something; otherwise the marks themselves are.
    pub(super) fn nearest(
        &self,
        sizes: impl Iterator<Item = (u32, u32)> + Clone,
        gap: u32,
    ) -> Option<(usize, Area)> {
        let around = self.around();
        let outside = self.blocked(&around);
        let found = self.nearest_free(sizes.clone(), gap, &Sums::of(&outside, self.width));
        found.or_else(|| self.nearest_free(sizes, gap, &Sums::of(&self.is_mark, self.width)))
    }

    fn nearest_free(
        &self,
        sizes: impl Iterator<Item = (u32, u32)>,
        gap: u32,
        blocked: &Sums,
    ) -> Option<(usize, Area)> {
        let centre = self.centre();
        let mut best: Option<(f64, usize, Area)> = None;
        for (at, (width, height)) in sizes.enumerate() {
            for top in steps(self.height - height) {
                for left in steps(self.width - width) {
                    let area = Area {
                        left,
                        top,
                        width,
                        height,
                    };
                    let away = distance(&area, centre);
                    let is_nearer = best.is_none_or(|(least, ..)| away < least);
                    if is_nearer && blocked.are_none_in(&area.widened(gap, self)) {
                        best = Some((away, at, area));
                    }
                }
            }
        }
        best.map(|(_, at, area)| (at, area))
    }

    /// The middle of all marks; that of the lower edge where there are none.
    fn centre(&self) -> (f64, f64) {
        let (mut x, mut y, mut n) = (0.0, 0.0, 0.0);
        for (row, pixels) in self.is_mark.chunks(self.width as usize).enumerate() {
            for (column, _) in pixels.iter().enumerate().filter(|(_, is_mark)| **is_mark) {
                x += column as f64 + 0.5;
                y += row as f64 + 0.5;
                n += 1.0;
            }
        }
        if n > 0.0 {
            (x / n, y / n)
        } else {
            (f64::from(self.width) / 2.0, f64::from(self.height))
        }
    }

    /// The rectangle around each mark: marks less than two squares apart are one.
    fn around(&self) -> Vec<Area> {
        let columns = self.width.div_ceil(CELL_PX) as usize;
        let rows = self.height.div_ceil(CELL_PX) as usize;
        let mut is_open = vec![false; columns * rows];
        for (at, _) in self.is_mark.iter().enumerate().filter(|(_, is)| **is) {
            let (x, y) = (at % self.width as usize, at / self.width as usize);
            is_open[y / CELL_PX as usize * columns + x / CELL_PX as usize] = true;
        }
        let mut found = Vec::new();
        for start in 0..is_open.len() {
            if !std::mem::take(&mut is_open[start]) {
                continue;
            }
            let (mut low, mut high) = ([usize::MAX; 2], [0; 2]);
            let mut queue = vec![start];
            while let Some(at) = queue.pop() {
                let place = [at % columns, at / columns];
                for ((low, high), at) in low.iter_mut().zip(&mut high).zip(place) {
                    *low = at.min(*low);
                    *high = at.max(*high);
                }
                for y in place[1].saturating_sub(1)..(place[1] + 2).min(rows) {
                    for x in place[0].saturating_sub(1)..(place[0] + 2).min(columns) {
                        if std::mem::take(&mut is_open[y * columns + x]) {
                            queue.push(y * columns + x);
                        }
                    }
                }
            }
            let px = |cells: usize| u32::try_from(cells).unwrap_or(u32::MAX) * CELL_PX;
            found.push(Area {
                left: px(low[0]),
                top: px(low[1]),
                width: px(high[0] + 1 - low[0]),
                height: px(high[1] + 1 - low[1]),
            });
        }
        found
    }

    /// The pixels of these areas.
    fn blocked(&self, areas: &[Area]) -> Vec<bool> {
        let mut blocked = vec![false; self.is_mark.len()];
        for area in areas {
            let right = (area.left + area.width).min(self.width) as usize;
            for y in area.top..(area.top + area.height).min(self.height) {
                let row = y as usize * self.width as usize;
                blocked[row + area.left as usize..row + right].fill(true);
            }
        }
        blocked
    }
}

impl Area {
    /// With so many pixels more on each side, as far as the picture goes.
    fn widened(&self, by: u32, within: &Marks) -> Self {
        let (left, top) = (self.left.saturating_sub(by), self.top.saturating_sub(by));
        let right = (self.left + self.width + by).min(within.width);
        let bottom = (self.top + self.height + by).min(within.height);
        Self {
            left,
            top,
            width: right - left,
            height: bottom - top,
        }
    }
}

/// Places from 0 to the last one, both included, evenly and not too many.
fn steps(last: u32) -> impl Iterator<Item = u32> {
    let step = last.div_ceil(MAX_STEPS).max(1);
    (0..last).step_by(step as usize).chain([last])
}

/// From the middle of an area to a place.
fn distance(area: &Area, (x, y): (f64, f64)) -> f64 {
    let across = f64::from(area.left) + f64::from(area.width) / 2.0 - x;
    let down = f64::from(area.top) + f64::from(area.height) / 2.0 - y;
    across * across + down * down
}

impl Sums {
    fn of(blocked: &[bool], width: u32) -> Self {
        let width = width as usize + 1;
        let mut sums = vec![0u32; width];
        for row in blocked.chunks(width - 1) {
            let above = sums.len() - width;
            let mut own = 0;
            sums.push(0);
            for (column, is_blocked) in row.iter().enumerate() {
                own += u32::from(*is_blocked);
                sums.push(sums[above + column + 1] + own);
            }
        }
        Self { width, sums }
    }

    fn are_none_in(&self, area: &Area) -> bool {
        let at = |x: u32, y: u32| self.sums[y as usize * self.width + x as usize];
        let (right, bottom) = (area.left + area.width, area.top + area.height);
        at(right, bottom) + at(area.left, area.top) == at(right, area.top) + at(area.left, bottom)
    }
}
