//! Scenes of the category Game: a chess position, a jigsaw, a maze, a landscape of blocks.

use std::collections::VecDeque;

use crate::paint::palette as p;
use crate::paint::{Canvas, Point, WIDTH, mix, sheer};
use crate::random::Random;

const W: f32 = WIDTH as f32;

/// A chess piece by its letter: capital letters are White's, as in the FEN notation.
type Piece = char;

/// A position on a board.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chess {
    /// Piece, file from 0 (a), rank from 0 (1).
    pub(crate) pieces: Vec<(Piece, u8, u8)>,
    pub(crate) light: u32,
    pub(crate) dark: u32,
    /// The squares of the last move, tinted.
    pub(crate) marked: Vec<(u8, u8)>,
}

impl Default for Chess {
    fn default() -> Self {
        let pieces = "Kg1 Rd1 Bc4 Nf5 Pf2 Pg2 Ph2 Pe4 kg8 rf8 qb6 pf7 pg7 ph7 pa7 pd6";
        let parse = |word: &str| {
            let mut letters = word.bytes();
            let piece = letters.next()?;
            let (file, rank) = (letters.next()?, letters.next()?);
            Some((
                char::from(piece),
                file.checked_sub(b'a')?,
                rank.checked_sub(b'1')?,
            ))
        };
        Self {
            pieces: pieces.split(' ').filter_map(parse).collect(),
            light: 0x00ee_e0c8,
            dark: 0x008f_a98a,
            marked: Vec::new(),
        }
    }
}

const CELL: f32 = 32.0;
const BOARD: Point = (64.0, 16.0);

impl Chess {
    /// The same position after a move; a piece on the target is taken.
    pub(crate) fn moved(&self, from: (u8, u8), to: (u8, u8)) -> Self {
        let mut after = self.clone();
        after.pieces.retain(|&(_, file, rank)| (file, rank) != to);
        for (_, file, rank) in &mut after.pieces {
            if (*file, *rank) == from {
                (*file, *rank) = to;
            }
        }
        after.marked = vec![from, to];
        after
    }

    pub(crate) fn draw(&self) -> Canvas {
        let mut canvas = Canvas::new(0x003a_4a4f);
        canvas.pill(
            [
                BOARD.0 - 9.0,
                BOARD.1 - 9.0,
                8.0 * CELL + 18.0,
                8.0 * CELL + 18.0,
            ],
            8.0,
            p::BARK,
        );
        for rank in 0..8_u8 {
            for file in 0..8_u8 {
                let (x, y) = square(file, rank);
                let ink = if (file + rank) % 2 == 0 {
                    self.dark
                } else {
                    self.light
                };
                canvas.rect(x, y, CELL, CELL, ink);
                if self.marked.contains(&(file, rank)) {
                    canvas.rect(x, y, CELL, CELL, sheer(p::SUN, 0.55));
                }
            }
        }
        for &(piece, file, rank) in &self.pieces {
            let (x, y) = square(file, rank);
            let white = piece.is_ascii_uppercase();
            let (body, edge) = if white {
                (p::PAPER, p::INK)
            } else {
                (0x0036_4052, 0x0014_1a26)
            };
            for (grow, ink) in [(1.6, edge), (0.0, body)] {
                silhouette(
                    &mut canvas,
                    piece.to_ascii_lowercase(),
                    (x + 16.0, y + 28.0),
                    grow,
                    ink,
                );
            }
        }
        canvas
    }
}

fn square(file: u8, rank: u8) -> Point {
    (
        BOARD.0 + CELL * f32::from(file),
        BOARD.1 + CELL * f32::from(7 - rank),
    )
}

/// A piece standing on a point; `grow` widens it all round for the outline.
fn silhouette(canvas: &mut Canvas, piece: char, (x, y): Point, grow: f32, ink: u32) {
    let g = grow;
    canvas.pill(
        [x - 9.0 - g, y - 5.0 - g, 18.0 + 2.0 * g, 5.0 + 2.0 * g],
        2.0 + g,
        ink,
    );
    let trunk = |canvas: &mut Canvas, top: f32, narrow: f32, wide: f32| {
        canvas.poly(
            &[
                (x - wide - g, y - 3.0),
                (x - narrow - g, y - top - g),
                (x + narrow + g, y - top - g),
                (x + wide + g, y - 3.0),
            ],
            ink,
        );
    };
    match piece {
        'r' => {
            trunk(canvas, 18.0, 5.0, 7.0);
            canvas.rect(
                x - 8.0 - g,
                y - 20.0 - g,
                16.0 + 2.0 * g,
                5.0 + 2.0 * g,
                ink,
            );
            for dx in [-8.0, -2.2, 3.6] {
                canvas.rect(x + dx - g, y - 24.0 - g, 4.4 + 2.0 * g, 6.0 + g, ink);
            }
        }
        'n' => {
            let head = [
                (x - 7.0 - g, y - 3.0),
                (x - 3.0 - g, y - 13.0),
                (x - 9.0 - g, y - 12.0 + g),
                (x - 10.0 - g, y - 16.0),
                (x - 2.0 - g, y - 23.0 - g),
                (x - 1.0, y - 26.5 - g),
                (x + 3.0 + g, y - 23.0 - g),
                (x + 7.0 + g, y - 15.0),
                (x + 7.5 + g, y - 3.0),
            ];
            canvas.poly(&head, ink);
        }
        'b' => {
            trunk(canvas, 14.0, 3.0, 7.0);
            canvas.oval((x, y - 16.0), (5.6 + g, 7.5 + g), ink);
            canvas.disc((x, y - 24.5), 2.2 + g, ink);
        }
        'q' => {
            trunk(canvas, 14.0, 5.0, 7.5);
            let crown = [
                (x - 7.0 - g, y - 11.0),
                (x - 10.0 - g, y - 23.0 - g),
                (x - 4.5, y - 16.5 - g),
                (x, y - 25.0 - g),
                (x + 4.5, y - 16.5 - g),
                (x + 10.0 + g, y - 23.0 - g),
                (x + 7.0 + g, y - 11.0),
            ];
            canvas.poly(&crown, ink);
            for (dx, dy) in [(-10.0, 23.0), (0.0, 25.5), (10.0, 23.0)] {
                canvas.disc((x + dx, y - dy), 1.9 + g, ink);
            }
        }
        'k' => {
            trunk(canvas, 15.0, 7.0, 6.5);
            canvas.oval((x, y - 15.0), (8.5 + g, 4.5 + g), ink);
            canvas.rect(x - 1.6 - g, y - 27.0 - g, 3.2 + 2.0 * g, 11.0, ink);
            canvas.rect(x - 4.8 - g, y - 24.8 - g, 9.6 + 2.0 * g, 3.0 + 2.0 * g, ink);
        }
        _ => {
            trunk(canvas, 13.0, 2.6, 6.5);
            canvas.disc((x, y - 16.0), 5.4 + g, ink);
        }
    }
}

/// A balloon landscape with a hole and three pieces to choose from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Jigsaw {
    /// The piece in the hole: 0 none, 1 to 3 for A to C.
    pub(crate) filled: usize,
    /// How far the piece sits from its place.
    pub(crate) slip: f32,
    /// The three pieces are shown.
    pub(crate) options: bool,
    /// The balloon's main colour.
    pub(crate) balloon: u32,
}

impl Default for Jigsaw {
    fn default() -> Self {
        Self {
            filled: 0,
            slip: 0.0,
            options: true,
            balloon: p::CORAL,
        }
    }
}

const HOLE: [f32; 4] = [120.0, 96.0, 72.0, 72.0];
/// Where the three pieces are cut from the landscape: only the second is the missing one.
const PIECES: [Point; 3] = [(34.0, 168.0), (120.0, 96.0), (196.0, 24.0)];

impl Jigsaw {
    pub(crate) fn draw(&self, seed: u64) -> Canvas {
        let whole = self.landscape(seed);
        let mut canvas = Canvas::new(p::PAPER);
        canvas.pill([10.0, 10.0, 272.0, 268.0], 6.0, p::WOOD);
        canvas.stamp(&whole, [0.0, 0.0, 260.0, 256.0], (16.0, 16.0));
        let [hole_x, hole_y, side, _] = HOLE;
        let place = (16.0 + hole_x, 16.0 + hole_y);
        if let Some(&(x, y)) = self.filled.checked_sub(1).and_then(|idx| PIECES.get(idx)) {
            if self.slip > 0.0 {
                canvas.rect(place.0, place.1, side, side, 0x00f4_eee2);
            }
            canvas.stamp(
                &whole,
                [x, y, side, side],
                (place.0 + self.slip, place.1 + self.slip),
            );
        } else {
            canvas.rect(place.0, place.1, side, side, 0x00f4_eee2);
            for corner in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
                let (x, y) = (place.0 + side * corner.0, place.1 + side * corner.1);
                let (dx, dy) = (14.0 - 28.0 * corner.0, 14.0 - 28.0 * corner.1);
                canvas.line(&[(x + dx, y), (x, y), (x, y + dy)], 3.0, p::SLATE);
            }
        }
        if self.options {
            for (idx, (&(x, y), letter)) in PIECES.iter().zip(['A', 'B', 'C']).enumerate() {
                let top = 14.0 + 90.0 * idx as f32;
                canvas.pill([297.0, top - 3.0, 78.0, 78.0], 5.0, p::WOOD);
                canvas.stamp(&whole, [x, y, side, side], (300.0, top));
                canvas.disc((303.0, top + 4.0), 11.0, p::INK);
                canvas.glyph(letter, (303.0, top + 4.0), 10.0, p::WHITE);
            }
        }
        canvas
    }

    fn landscape(&self, seed: u64) -> Canvas {
        let mut canvas = Canvas::sized(260, 288, p::SKY);
        canvas.land(&[(0.0, 120.0), (260.0, 104.0)], mix(p::SKY, p::PALE, 0.6));
        canvas.disc((226.0, 52.0), 20.0, p::SUN);
        for (x, y) in [(40.0, 44.0), (60.0, 92.0)] {
            canvas.pill([x - 26.0, y, 56.0, 13.0], 6.0, p::WHITE);
            canvas.disc((x, y), 11.0, p::WHITE);
        }
        canvas.land(
            &[
                (0.0, 196.0),
                (50.0, 166.0),
                (110.0, 190.0),
                (180.0, 158.0),
                (260.0, 186.0),
            ],
            p::TEAL,
        );
        canvas.land(
            &[(0.0, 214.0), (90.0, 204.0), (170.0, 216.0), (260.0, 200.0)],
            p::MOSS,
        );
        canvas.land(&[(0.0, 240.0), (120.0, 230.0), (260.0, 240.0)], p::LEAF);
        let mut random = Random::new(seed, "fields");
        for _ in 0..7 {
            let (x, y) = (random.between(8.0, 250.0), random.between(222.0, 246.0));
            canvas.poly(&[(x - 7.0, y), (x, y - 22.0), (x + 7.0, y)], p::PINE);
        }
        self.balloon(&mut canvas);
        canvas
    }

    fn balloon(&self, canvas: &mut Canvas) {
        let (x, y) = (152.0, 88.0);
        let envelope = |half: f32| {
            [
                (x, y - 62.0),
                (x + half * 0.8, y - 46.0),
                (x + half, y),
                (x + half * 0.6, y + 36.0),
                (x + half * 0.2, y + 56.0),
                (x - half * 0.2, y + 56.0),
                (x - half * 0.6, y + 36.0),
                (x - half, y),
                (x - half * 0.8, y - 46.0),
            ]
        };
        canvas.blob(&envelope(54.0), self.balloon);
        canvas.blob(&envelope(36.0), p::PAPER);
        canvas.blob(&envelope(14.0), self.balloon);
        for dx in [-9.0, 9.0] {
            canvas.line(
                &[(x + dx, y + 56.0), (x + dx * 0.9, y + 74.0)],
                1.6,
                p::BARK,
            );
        }
        canvas.pill([x - 12.0, y + 72.0, 24.0, 18.0], 4.0, p::WOOD);
        canvas.rect(x - 12.0, y + 76.0, 24.0, 3.0, p::BARK);
    }
}

/// A route through the maze.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Route {
    None,
    /// The right way from A to B, or this part of it.
    Way(f32),
    /// A straight line through the walls.
    Straight,
}

/// A maze with three marked places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Maze {
    pub(crate) route: Route,
    pub(crate) ink: u32,
    pub(crate) walls: u32,
    /// Another maze than the one that was asked about.
    pub(crate) other: bool,
}

impl Default for Maze {
    fn default() -> Self {
        Self {
            route: Route::None,
            ink: p::CORAL,
            walls: p::INK,
            other: false,
        }
    }
}

const COLUMNS: usize = 11;
const ROWS: usize = 8;
const STEP: f32 = 32.0;
const CORNER: Point = (16.0, 16.0);
/// Right, down, left, up.
const AROUND: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

type Cell = (usize, usize);

fn neighbour((x, y): Cell, direction: usize) -> Option<Cell> {
    let &(dx, dy) = AROUND.get(direction)?;
    let next = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
    (next.0 < COLUMNS && next.1 < ROWS).then_some(next)
}

/// Which of the four directions are open from each cell.
struct Passages(Vec<[bool; 4]>);

impl Passages {
    /// Digs a maze without loops by a walk that turns back at dead ends.
    fn dig(random: &mut Random) -> Self {
        let mut open = Self(vec![[false; 4]; COLUMNS * ROWS]);
        let mut seen = vec![false; COLUMNS * ROWS];
        let mut trail: Vec<Cell> = vec![(0, 0)];
        set(&mut seen, (0, 0));
        while let Some(&cell) = trail.last() {
            let free: Vec<usize> = (0..4)
                .filter(|&way| {
                    neighbour(cell, way).is_some_and(|next| seen.get(index(next)) == Some(&false))
                })
                .collect();
            let Some(&way) = free.get(random.below(free.len())) else {
                trail.pop();
                continue;
            };
            if let Some(next) = neighbour(cell, way) {
                open.carve(cell, way);
                open.carve(next, (way + 2) % 4);
                set(&mut seen, next);
                trail.push(next);
            }
        }
        open
    }

    fn carve(&mut self, cell: Cell, way: usize) {
        if let Some(gate) = self
            .0
            .get_mut(index(cell))
            .and_then(|gates| gates.get_mut(way))
        {
            *gate = true;
        }
    }

    fn is_open(&self, cell: Cell, way: usize) -> bool {
        self.0
            .get(index(cell))
            .and_then(|gates| gates.get(way))
            .copied()
            .unwrap_or(false)
    }

    /// The shortest way between two cells.
    fn way(&self, from: Cell, to: Cell) -> Vec<Cell> {
        let mut before: Vec<Option<Cell>> = vec![None; COLUMNS * ROWS];
        let mut queue = VecDeque::from([to]);
        while let Some(cell) = queue.pop_front() {
            for way in (0..4).filter(|&way| self.is_open(cell, way)) {
                let Some(next) = neighbour(cell, way) else {
                    continue;
                };
                if next != to
                    && let Some(slot @ None) = before.get_mut(index(next))
                {
                    *slot = Some(cell);
                    queue.push_back(next);
                }
            }
        }
        let mut path = vec![from];
        let mut cell = from;
        while let Some(Some(next)) = before.get(index(cell)) {
            cell = *next;
            path.push(cell);
        }
        path
    }
}

fn index((x, y): Cell) -> usize {
    y * COLUMNS + x
}

fn set(seen: &mut [bool], cell: Cell) {
    if let Some(mark) = seen.get_mut(index(cell)) {
        *mark = true;
    }
}

fn centre((x, y): Cell) -> Point {
    (
        CORNER.0 + STEP * (x as f32 + 0.5),
        CORNER.1 + STEP * (y as f32 + 0.5),
    )
}

const PLACE_A: Cell = (0, 0);
const PLACE_B: Cell = (COLUMNS - 1, ROWS - 1);
const PLACE_C: Cell = (COLUMNS - 1, 0);

impl Maze {
    /// Steps of the ways from A to B and from A to C.
    pub(crate) fn steps(seed: u64) -> (usize, usize) {
        let open = Passages::dig(&mut Random::new(seed, "maze"));
        let steps = |to| open.way(PLACE_A, to).len() - 1;
        (steps(PLACE_B), steps(PLACE_C))
    }

    pub(crate) fn draw(&self, seed: u64) -> Canvas {
        let name = if self.other { "another maze" } else { "maze" };
        let open = Passages::dig(&mut Random::new(seed, name));
        let mut canvas = Canvas::new(0x00e8_efee);
        canvas.rect(
            CORNER.0,
            CORNER.1,
            STEP * COLUMNS as f32,
            STEP * ROWS as f32,
            p::PAPER,
        );
        let points = |cells: &[Cell]| {
            cells
                .iter()
                .map(|&cell| centre(cell))
                .collect::<Vec<Point>>()
        };
        match self.route {
            Route::None => {}
            Route::Way(part) => {
                let way = open.way(PLACE_A, PLACE_B);
                let count = (1..=way.len())
                    .rev()
                    .find(|&count| count as f32 <= part * way.len() as f32);
                let shown = way.get(..count.unwrap_or(1)).unwrap_or_default();
                canvas.line(&points(shown), 7.0, self.ink);
            }
            Route::Straight => {
                canvas.line(
                    &[centre(PLACE_A), (150.0, 190.0), centre(PLACE_B)],
                    7.0,
                    self.ink,
                );
            }
        }
        self.draw_walls(&mut canvas, &open);
        for (cell, letter, ink) in [
            (PLACE_A, 'A', p::TEAL),
            (PLACE_B, 'B', p::PLUM),
            (PLACE_C, 'C', p::BLUE),
        ] {
            canvas.disc(centre(cell), 12.0, ink);
            canvas.glyph(letter, centre(cell), 11.0, p::WHITE);
        }
        canvas
    }

    fn draw_walls(&self, canvas: &mut Canvas, open: &Passages) {
        let corner = |x: usize, y: usize| (CORNER.0 + STEP * x as f32, CORNER.1 + STEP * y as f32);
        for y in 0..ROWS {
            for x in 0..COLUMNS {
                if x + 1 < COLUMNS && !open.is_open((x, y), 0) {
                    canvas.line(&[corner(x + 1, y), corner(x + 1, y + 1)], 4.0, self.walls);
                }
                if y + 1 < ROWS && !open.is_open((x, y), 1) {
                    canvas.line(&[corner(x, y + 1), corner(x + 1, y + 1)], 4.0, self.walls);
                }
            }
        }
        let frame = [
            corner(0, 0),
            corner(COLUMNS, 0),
            corner(COLUMNS, ROWS),
            corner(0, ROWS),
            corner(0, 0),
        ];
        canvas.line(&frame, 5.0, self.walls);
    }
}

/// A small world of cubes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Blocks {
    /// How many levels the tower has.
    pub(crate) tower: u8,
    pub(crate) roof: Option<u32>,
    /// Where the pond lies: 0 nowhere, 1 at the front corner, 2 at the back.
    pub(crate) pond: u8,
    pub(crate) tree: bool,
    pub(crate) stone: u32,
    pub(crate) sky: bool,
}

impl Default for Blocks {
    fn default() -> Self {
        Self {
            tower: 2,
            roof: None,
            pond: 0,
            tree: true,
            stone: p::STONE,
            sky: true,
        }
    }
}

const SIDE: u8 = 6;

impl Blocks {
    pub(crate) fn draw(&self) -> Canvas {
        let mut canvas = Canvas::new(if self.sky { p::SKY } else { 0x00d4_d4d4 });
        if self.sky {
            canvas.land(&[(0.0, 150.0), (W, 150.0)], mix(p::SKY, p::PALE, 0.7));
            for (x, y, w) in [
                (30.0, 40.0, 72.0),
                (50.0, 52.0, 72.0),
                (270.0, 62.0, 80.0),
                (292.0, 50.0, 40.0),
            ] {
                canvas.rect(x, y, w, 13.0, p::WHITE);
            }
        }
        // Back to front, bottom to top, so that nearer cubes cover farther ones.
        for back in 0..2 * SIDE {
            for x in 0..SIDE {
                let Some(y) = back.checked_sub(x).filter(|&y| y < SIDE) else {
                    continue;
                };
                self.column(&mut canvas, x, y);
            }
        }
        canvas
    }

    fn column(&self, canvas: &mut Canvas, x: u8, y: u8) {
        let water = match self.pond {
            1 => (3..=4).contains(&x) && (3..=4).contains(&y),
            2 => x <= 1 && y >= 4,
            _ => false,
        };
        cube(canvas, x, y, 0, p::WOOD);
        if water {
            pool(canvas, x, y);
        } else {
            cube(canvas, x, y, 1, p::LEAF);
        }
        if (1..=2).contains(&x) && (1..=2).contains(&y) {
            for level in 0..self.tower {
                let ink = if level % 2 == 0 {
                    self.stone
                } else {
                    mix(self.stone, p::SLATE, 0.3)
                };
                cube(canvas, x, y, 2 + level, ink);
            }
            if let Some(roof) = self.roof {
                cube(canvas, x, y, 2 + self.tower, roof);
            }
        }
        if self.tree && (x, y) == (5, 1) {
            for level in 2..4 {
                cube(canvas, x, y, level, p::BARK);
            }
            for level in 4..6 {
                cube(canvas, x, y, level, p::MOSS);
            }
        }
    }
}

fn corner(x: u8, y: u8, z: u8) -> Point {
    let (x, y, z) = (f32::from(x), f32::from(y), f32::from(z));
    (
        192.0 + 26.0 * (x - y),
        108.0 + 13.0 * (x + y) - 26.0 * (z - 1.0),
    )
}

/// A cube whose lowest back corner stands on a grid point.
fn cube(canvas: &mut Canvas, x: u8, y: u8, z: u8, ink: u32) {
    let (cx, cy) = corner(x, y, z + 1);
    let (top, side, front) = (mix(ink, p::WHITE, 0.22), ink, mix(ink, p::INK, 0.3));
    let (left, right, near) = (
        (cx - 26.0, cy + 13.0),
        (cx + 26.0, cy + 13.0),
        (cx, cy + 26.0),
    );
    let down = |(x, y): Point| (x, y + 26.0);
    canvas.poly(&[left, near, down(near), down(left)], side);
    canvas.poly(&[near, right, down(right), down(near)], front);
    canvas.poly(&[(cx, cy), right, near, left], top);
    canvas.line(&[left, near, right], 1.0, sheer(p::WHITE, 0.35));
}

/// Water a little below the grass.
fn pool(canvas: &mut Canvas, x: u8, y: u8) {
    let (cx, cy) = corner(x, y, 2);
    let sunk = cy + 7.0;
    canvas.poly(
        &[
            (cx, sunk),
            (cx + 26.0, sunk + 13.0),
            (cx, sunk + 26.0),
            (cx - 26.0, sunk + 13.0),
        ],
        p::SEA,
    );
    canvas.poly(
        &[
            (cx - 26.0, sunk + 13.0),
            (cx, sunk + 26.0),
            (cx, sunk + 45.0),
            (cx - 26.0, sunk + 32.0),
        ],
        mix(p::SEA, p::BLUE, 0.4),
    );
    canvas.poly(
        &[
            (cx, sunk + 26.0),
            (cx + 26.0, sunk + 13.0),
            (cx + 26.0, sunk + 32.0),
            (cx, sunk + 45.0),
        ],
        mix(p::SEA, p::BLUE, 0.7),
    );
    canvas.line(
        &[(cx - 9.0, sunk + 12.0), (cx + 5.0, sunk + 12.0)],
        2.0,
        sheer(p::WHITE, 0.6),
    );
}
