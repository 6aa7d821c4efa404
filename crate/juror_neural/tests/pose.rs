//! People in heat maps, and their skeletons, as `HigherHRNet`'s parser and OpenCV have them (`tests/golden/pose.py`).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use juror_metrics::{Resampling, resize};
use juror_neural::{HeatMaps, Person, Planes, skeleton};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

const VECTORS: &str = include_str!("../../../tests/golden/pose.json");
const JOINTS: usize = 17;

#[derive(Deserialize)]
struct Vectors {
    width: usize,
    height: usize,
    cases: Vec<Case>,
    bars: Vec<Bar>,
}

#[derive(Deserialize)]
struct Case {
    people: Vec<Made>,
    found: Vec<Vec<Option<[u16; 2]>>>,
    drawn: Vec<Drawn>,
}

/// A person of made heat maps.
#[derive(Deserialize)]
struct Made {
    tag: f64,
    points: Vec<Option<[f64; 3]>>,
}

#[derive(Deserialize)]
struct Drawn {
    width: usize,
    height: usize,
    sha256: String,
}

#[derive(Deserialize)]
struct Bar {
    from: [u16; 2],
    to: [u16; 2],
    sha256: String,
}

fn vectors() -> Vectors {
    serde_json::from_str(VECTORS).unwrap()
}

fn sha256(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    let mut hex = String::new();
    for byte in hash {
        write!(hex, "{byte:02x}").unwrap();
    }
    hex
}

/// Cones of heat and discs of tags, as the script makes them.
fn maps(people: &[Made], width: usize, height: usize) -> HeatMaps {
    let size = width * height;
    let mut heat = vec![0.0_f64; JOINTS * size];
    let mut tags = [0, 1].map(|_| vec![9.0_f64; JOINTS * size]);
    for person in people {
        for (joint, point) in person.points.iter().enumerate() {
            let Some([px, py, value]) = *point else {
                continue;
            };
            for at in 0..size {
                let (x, y) = ((at % width) as f64, (at / width) as f64);
                let square = (x - px).powi(2) + (y - py).powi(2);
                let place = joint * size + at;
                heat[place] = heat[place].max(value * (1.0 - square / 12.0).max(0.0));
                if square < 20.0 {
                    for (k, tags) in tags.iter_mut().enumerate() {
                        tags[place] = person.tag + 0.07 * ((joint * 5 + k * 3) % 4) as f64;
                    }
                }
            }
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "as the script does")]
    let planes = |values: Vec<f64>| Planes {
        width,
        height,
        values: values.into_iter().map(|value| value as f32).collect(),
    };
    HeatMaps {
        heat: planes(heat),
        tags: tags.map(planes),
    }
}

#[test]
fn people_and_their_skeletons_are_those_of_the_authors_parser_and_of_opencv() {
    let vectors = vectors();
    let mut num_people = 0;
    for (at, case) in vectors.cases.iter().enumerate() {
        let found = maps(&case.people, vectors.width, vectors.height).people();
        num_people += found.len();
        let found_points: Vec<Vec<Option<[u16; 2]>>> =
            found.iter().map(|person| person.to_vec()).collect();
        assert_eq!(found_points, case.found, "case {at}");
        let sheet = skeleton(&found, vectors.width, vectors.height);
        for drawn in &case.drawn {
            let resized = resize(&sheet.view(), drawn.width, drawn.height, Resampling::Linear);
            let hash = sha256(resized.unwrap().data());
            assert_eq!(hash, drawn.sha256, "case {at}, {} wide", drawn.width);
        }
    }
    assert!(num_people > 50, "{num_people}");
}

#[test]
fn tags_decide_whose_a_key_point_is() {
    let vectors = vectors();
    let Case {
        mut people, found, ..
    } = vectors.cases.into_iter().nth(3).unwrap();
    people[0].tag = people[1].tag;
    let other = maps(&people, vectors.width, vectors.height).people();
    let other: Vec<Vec<Option<[u16; 2]>>> = other.iter().map(|person| person.to_vec()).collect();
    assert_ne!(other, found);
}

#[test]
fn each_limb_covers_the_pixels_that_opencv_fills() {
    let vectors = vectors();
    let drawn = |from, to| {
        let mut person: Person = [None; JOINTS];
        (person[5], person[6]) = (Some(from), Some(to));
        sha256(skeleton(&[person], vectors.width, vectors.height).data())
    };
    for Bar { from, to, sha256 } in &vectors.bars {
        assert_eq!(&drawn(*from, *to), sha256, "{from:?} {to:?}");
    }
    // A pixel further is another picture.
    let Bar { from, to, sha256 } = &vectors.bars[0];
    let [x, y] = *to;
    assert_ne!(&drawn(*from, [x ^ 1, y]), sha256);
}
