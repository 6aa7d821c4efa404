//! What is wrong with an item, each fault in one sentence that names the item and what to do.
//!
//! The rules are the paper's words on its drawn instructions; their numbers are our choices.

use super::marks::{Mark, Marks, Point, Task, Tool};

/// The shortest arrow as a part of the picture's diagonal; our choice.
pub const MIN_ARROW: f64 = 0.05;
/// The smallest box as a part of the picture's area; our choice.
pub const MIN_BOX: f64 = 0.001;
/// The widest line in pixels; our choice.
pub const MAX_LINE: u32 = 200;

/// What keeps an item out of the benchmark; nothing for a good one.
///
/// Boxes have positive sides, points are in the picture, arrows have at least 5 % of its diagonal, boxes at least 0.1 % of its
/// area. A translation's arrow starts in its box and ends outside of it.
pub fn lint(marks: &Marks) -> Vec<String> {
    let mut faults = Vec::new();
    let title = marks.title();
    let mut fault = |words: String| faults.push(format!("{title}: {words}."));
    if marks.text.trim().is_empty() {
        fault("it has no text; write what the marks ask for".to_owned());
    }
    for words in miscounted(marks) {
        fault(words);
    }
    for mark in &marks.marks {
        if let Some(words) = misplaced(mark, marks) {
            fault(words);
        }
    }
    if let Some(words) = translated(marks) {
        fault(words);
    }
    if marks.task.must_differ() && !marks.differs {
        fault(format!(
            "nobody confirmed that the {} differs from the scene as it is; tick “differs”, or draw another arrow",
            effect(marks.task)
        ));
    }
    if marks.line.is_some_and(|line| line == 0 || line > MAX_LINE) {
        fault(format!(
            "expected lines of 1 to {MAX_LINE} pixels, found {}; choose another width",
            marks.line.unwrap_or_default()
        ));
    }
    for review in &marks.reviews {
        if review.by.trim().is_empty() {
            fault("a review has no name; write who looked at it".to_owned());
        } else if !review.is_good {
            fault(format!(
                "{} rejects it; change it and ask for a new review",
                review.by
            ));
        }
    }
    faults
}

fn effect(task: Task) -> &'static str {
    match task {
        Task::Fs => "wind",
        _ => "light",
    }
}

/// A tool's marks, as a person calls them.
pub(super) fn noun(tool: Tool) -> &'static str {
    match tool {
        Tool::Box => "box",
        Tool::Arrow => "arrow",
        Tool::Frustum => "frustum",
        Tool::Pen => "line",
    }
}

/// Marks that the task lacks, has too many of, or has no use for.
fn miscounted(marks: &Marks) -> Vec<String> {
    let wanted = marks.task.tools();
    let count = |tool: Tool| {
        let own = marks.marks.iter().filter(|mark| mark.tool() == tool);
        own.count()
    };
    let mut all = Vec::new();
    for tool in [Tool::Box, Tool::Arrow, Tool::Frustum, Tool::Pen] {
        let (name, found) = (noun(tool), count(tool));
        if !wanted.contains(&tool) {
            if found > 0 {
                let task = marks.task.short();
                all.push(format!("{task} takes no {name}; delete it"));
            }
        } else if found == 0 {
            all.push(format!("it has no {name}; draw one"));
        } else if found > 1 && tool != Tool::Pen {
            all.push(format!(
                "expected one {name}, found {found}; delete the others"
            ));
        }
    }
    all
}

/// Why a mark is not where it can be.
fn misplaced(mark: &Mark, marks: &Marks) -> Option<String> {
    let (width, height) = (marks.source.width, marks.source.height);
    let name = noun(mark.tool());
    let is_in = |[x, y]: &Point| {
        let within = |at: i32, side: u32| u32::try_from(at).is_ok_and(|at| at <= side);
        within(*x, width) && within(*y, height)
    };
    if !mark.points().iter().all(is_in) {
        return Some(format!(
            "the {name} leaves the picture of {width} × {height} pixels; draw it inside"
        ));
    }
    let (wide, high) = (f64::from(width), f64::from(height));
    match mark {
        Mark::Box([left, top, right, bottom]) => {
            let sides = (f64::from(right - left), f64::from(bottom - top));
            let area = sides.0.max(0.0) * sides.1.max(0.0);
            (area < MIN_BOX * wide * high || area == 0.0).then(|| {
                format!(
                    "the box has {area} square pixels, less than {} % of the picture; draw a larger one",
                    100.0 * MIN_BOX
                )
            })
        }
        Mark::Arrow([from, to]) => {
            let found = distance(*from, *to);
            let least = MIN_ARROW * (wide * wide + high * high).sqrt();
            (found < least).then(|| {
                format!(
                    "the arrow is {found:.0} pixels long; draw it at least {:.0} pixels long, {} % of the diagonal",
                    least.ceil(),
                    100.0 * MIN_ARROW
                )
            })
        }
        Mark::Frustum([_, corners @ ..]) => {
            let turns = (0..4).map(|at| {
                let [a, b, c] = [0, 1, 2].map(|by| corners[(at + by) % 4]);
                let side = |p: Point, q: Point| {
                    (
                        i64::from(q[0]) - i64::from(p[0]),
                        i64::from(q[1]) - i64::from(p[1]),
                    )
                };
                let (ab, bc) = (side(a, b), side(b, c));
                (ab.0 * bc.1 - ab.1 * bc.0).signum()
            });
            let turns: Vec<i64> = turns.collect();
            let is_round = turns[0] != 0 && turns.iter().all(|turn| *turn == turns[0]);
            (!is_round).then(|| {
                "the frustum's four corners do not go round a quadrilateral; set them in turn"
                    .to_owned()
            })
        }
        Mark::Pen(points) => {
            (points.len() < 2).then(|| "a line has no two points; delete it".to_owned())
        }
    }
}

fn distance(from: Point, to: Point) -> f64 {
    let side = |at: usize| f64::from(to[at]) - f64::from(from[at]);
    (side(0) * side(0) + side(1) * side(1)).sqrt()
}

/// A translation's arrow says where the box goes.
fn translated(marks: &Marks) -> Option<String> {
    if marks.task != Task::Tr {
        return None;
    }
    let area = the_box(marks)?;
    let [from, to] = the_arrow(marks)?;
    let is_in =
        |[x, y]: Point| (area[0]..=area[2]).contains(&x) && (area[1]..=area[3]).contains(&y);
    if !is_in(from) {
        return Some("the arrow starts outside of its box; start it in the box".to_owned());
    }
    is_in(to).then(|| "the arrow ends in its own box; end it where the thing goes".to_owned())
}

/// The first box.
pub(super) fn the_box(marks: &Marks) -> Option<[i32; 4]> {
    marks.marks.iter().find_map(|mark| match mark {
        Mark::Box(area) => Some(*area),
        _ => None,
    })
}

/// The first arrow.
pub(super) fn the_arrow(marks: &Marks) -> Option<[Point; 2]> {
    marks.marks.iter().find_map(|mark| match mark {
        Mark::Arrow(ends) => Some(*ends),
        _ => None,
    })
}
