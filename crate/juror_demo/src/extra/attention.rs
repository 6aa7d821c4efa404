//! The queries and keys of one made-up attention call, with the two pictures that the keys are of.
//!
//! A token is a square of a picture. Queries are the tokens of a picture in which a cat wears a hat, keys those of the cat, those
//! of the hat and a few of no picture. A query looks at keys of its own colour: the logit is −s·|a − b|² up to a part that
//! depends on the query only, which the softmax takes out again.

use std::fmt::Write as _;

use crate::json::{Json, object, text};
use crate::kit::{Backdrop, Mode, Stage, Thing, prop};
use crate::paint::Canvas;
use crate::paint::palette as p;
use crate::random::Random;
use crate::suite::{Files, INDEX, pretty};

/// The folder, next to those of the suites.
pub(crate) const FOLDER: &str = "attention";
/// The side of a token's square, in pixels.
const SIDE: u32 = 16;
/// Numbers of a token in one head.
const WIDTH: usize = 8;
/// How sharply each head looks at its own colour.
const SHARPNESS: [f32; 2] = [10.0, 30.0];
/// Keys of no picture.
const OTHERS: usize = 24;

/// The tensors, the pictures and their index.
pub(crate) fn files(seed: u64) -> anyhow::Result<Files> {
    let cat = prop(
        "the cat",
        Thing::Cat,
        (190.0, 300.0),
        220.0,
        [p::ORANGE, p::PAPER],
    );
    let hat = prop(
        "the hat",
        Thing::Hat,
        (190.0, 104.0),
        90.0,
        [p::RED, p::SUN],
    );
    let references = [&cat, &hat].map(|one| one.portrait(p::PAPER, Mode::Full));
    let made = Stage::new(Backdrop::Night, vec![cat, hat]).draw(seed);
    let queries: Vec<_> = tokens(&made).into_iter().map(query).collect();
    let mut random = Random::new(seed, "keys of no picture");
    let others = (0..OTHERS).map(|_| [(); 4].map(|()| random.between(0.0, 1.0)));
    let keys = references.iter().flat_map(tokens).chain(others);
    let keys: Vec<_> = keys.map(|token| SHARPNESS.map(|_| key(token))).collect();

    let grid = references.each_ref().map(|canvas| {
        let [columns, rows] = canvas.size().map(|side| side / SIDE);
        format!("{rows}x{columns}")
    });
    let mut files = Files::new();
    for (name, canvas) in ["cat.png", "hat.png"].into_iter().zip(&references) {
        files.insert(name.to_owned(), canvas.png()?);
    }
    files.insert(
        "attention.safetensors".to_owned(),
        tensors(&queries, &keys)?,
    );
    let entry = |(path, bytes): (&String, &Vec<u8>)| {
        object([("path", text(path)), ("size", Json::Number(bytes.len()))])
    };
    let index = object([
        ("references", text(grid.join(","))),
        ("files", Json::List(files.iter().map(entry).collect())),
    ]);
    files.insert(INDEX.to_owned(), pretty(&index)?);
    Ok(files)
}

/// Red, green, blue from 0 to 1, and how much the square differs within itself, row by row.
fn tokens(canvas: &Canvas) -> Vec<[f32; 4]> {
    let [width, height] = canvas.size();
    let squares =
        (0..height / SIDE).flat_map(|row| (0..width / SIDE).map(move |column| (row, column)));
    let token = |(row, column): (u32, u32)| {
        let places = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)));
        let pixels = places.map(|(x, y)| canvas.rgb(column * SIDE + x, row * SIDE + y));
        let pixels: Vec<[f32; 3]> = pixels
            .map(|rgb| rgb.map(|one| f32::from(one) / 255.0))
            .collect();
        let count = (SIDE * SIDE) as f32;
        let [r, g, b] = [0, 1, 2].map(|at| pixels.iter().map(|rgb| rgb[at]).sum::<f32>() / count);
        let spread = pixels
            .iter()
            .map(|rgb| (rgb[1] - g) * (rgb[1] - g))
            .sum::<f32>()
            / count;
        [r, g, b, (4.0 * spread).min(1.0)]
    };
    squares.map(token).collect()
}

fn key([r, g, b, spread]: [f32; 4]) -> [f32; WIDTH] {
    let square = r * r + g * g + b * b + spread * spread;
    [r, g, b, spread, square, 0.0, 0.0, 0.0]
}

/// For each head.
fn query([r, g, b, spread]: [f32; 4]) -> [[f32; WIDTH]; 2] {
    SHARPNESS.map(|s| {
        let twice = 2.0 * s;
        [
            twice * r,
            twice * g,
            twice * b,
            twice * spread,
            -s,
            0.0,
            0.0,
            0.0,
        ]
    })
}

/// Both as safetensors of BF16, tokens by heads by numbers.
fn tensors(q: &[[[f32; WIDTH]; 2]], k: &[[[f32; WIDTH]; 2]]) -> anyhow::Result<Vec<u8>> {
    let (mut header, mut body) = (String::new(), Vec::new());
    for (name, tensor) in [("k", k), ("q", q)] {
        let from = body.len();
        let numbers = tensor.as_flattened().as_flattened().iter();
        // The upper half of the bits.
        body.extend(numbers.flat_map(|number| {
            let [_, _, low, high] = number.to_le_bytes();
            [low, high]
        }));
        // Writing to a string cannot fail.
        let _ = write!(
            header,
            r#"{}"{name}":{{"dtype":"BF16","shape":[{},2,{WIDTH}],"data_offsets":[{from},{}]}}"#,
            if header.is_empty() { "{" } else { "," },
            tensor.len(),
            body.len()
        );
    }
    header.push('}');
    let mut file = u64::try_from(header.len())?.to_le_bytes().to_vec();
    file.extend(header.into_bytes());
    file.extend(body);
    Ok(file)
}
