//! `juror make`: benchmark cases made by a procedure, as a folder in the benchmark's own layout.

use std::path::Path;

use anyhow::Context as _;
use juror_image::Rgb;
use juror_protocols::vibe::billiards::{
    self, Case, HEIGHT, PROMPT, Point, Shape, WIDTH, boxed, table, way_line,
};
use serde::Serialize;

/// The task's folder as VIBE lays it out.
const TASK: &str = "Tasks/Level-3-Causal/Billiards";

type Drawing = fn(&Case) -> Vec<Shape>;

/// Writes `count` cases below `out`: pictures, golden answers, and the task's list with each case's truth beside it.
///
/// The list is written last, so that a folder that holds one is whole.
pub(crate) fn billiards(count: u32, seed: u64, out: &Path) -> anyhow::Result<()> {
    let folder = out.join(TASK);
    let cases = billiards::cases(seed, count)?;
    let drawings: [(&str, Drawing); 2] = [("source", input), ("target", label)];
    for (name, draw) in drawings {
        let pictures = folder.join(name);
        std::fs::create_dir_all(&pictures)
            .with_context(|| format!("cannot create {}", pictures.display()))?;
        for case in &cases {
            write(
                &pictures.join(format!("{}.png", case.id)),
                &png(&draw(case))?,
            )?;
        }
    }
    let items: Vec<Item<'_>> = cases.iter().map(Item::of).collect();
    let list = serde_json::to_string_pretty(&items)? + "\n";
    write(&folder.join("Billiards.json"), list.as_bytes())
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// An item of VIBE's list, with what that does not have: the truth that an answer can be checked against.
#[derive(Serialize)]
struct Item<'a> {
    id: &'a str,
    file_paths: FilePaths,
    text_prompt: TextPrompt,
    billiards: &'a Case,
}

#[derive(Serialize)]
struct FilePaths {
    source: String,
    visual_instruction: &'static str,
    target: String,
}

#[derive(Serialize)]
struct TextPrompt {
    input_prompt: &'static str,
}

impl<'a> Item<'a> {
    fn of(case: &'a Case) -> Self {
        Self {
            id: &case.id,
            file_paths: FilePaths {
                source: format!("source/{}.png", case.id),
                // The arrow is a part of the picture.
                visual_instruction: "",
                target: format!("target/{}.png", case.id),
            },
            text_prompt: TextPrompt {
                input_prompt: PROMPT,
            },
            billiards: case,
        }
    }
}

fn input(case: &Case) -> Vec<Shape> {
    table(&case.layout, case.theta, Vec::new())
}

fn label(case: &Case) -> Vec<Shape> {
    let mut shapes = table(&case.layout, case.theta, way_line(&case.way()));
    let target = case.layout.balls.iter().find(|ball| ball.n == case.target);
    shapes.extend(target.into_iter().flat_map(|ball| boxed(*ball)));
    shapes
}

fn png(shapes: &[Shape]) -> anyhow::Result<Vec<u8>> {
    let place = |at: &Point| (at.x, at.y);
    let mut image = Rgb::filled(WIDTH, HEIGHT, [255; 3])?;
    for shape in shapes {
        match shape {
            Shape::Rect { at, size, rgb } => {
                image.paint(juror_image::Shape::Rect([at.x, at.y, size.0, size.1]), *rgb);
            }
            Shape::Disc { at, radius, rgb } => {
                image.paint(juror_image::Shape::Disc(place(at), *radius), *rgb);
            }
            Shape::Line { points, width, rgb } => {
                let places: Vec<_> = points.iter().map(place).collect();
                image.paint(juror_image::Shape::Line(&places, *width), *rgb);
            }
            Shape::Triangle { corners, rgb } => {
                let corners = corners.each_ref().map(place);
                image.paint(juror_image::Shape::Triangle(corners), *rgb);
            }
        }
    }
    Ok(juror_image::encode_png(&image)?)
}
