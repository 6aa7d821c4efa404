//! Lays a suite out as MultiRef-Bench does: a list for each half with typed references, per model the same list with results
//! and what the evaluator measured, and a judge's replies as a journal, because the authors' judge is not public.
//!
//! The numbers of the evaluator are invented to fit what was drawn; no metric was run.
//! Broken on purpose: `basalt-synth` has a metric that ran out of memory and a rating of aesthetics that is NaN; `cinder-synth` lacks one picture,
//! one reply is no JSON and one score is off the scale.

use super::json::{Json, object, text};
use super::judge::JUDGE;
use super::kit::{
    Backdrop, Flaw, Kind, Limb, MODELS, Mode, Pose, Prop, Stage, Thing, prop, sentence,
};
use super::paint::palette as p;
use super::paint::{Canvas, HEIGHT, WIDTH};
use super::random::Random;
use super::suite::{Files, indexed, output, pretty};

/// A kind of reference of the synthetic half.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Condition {
    Bbox,
    Mask,
    Pose,
    SemanticMap,
    Depth,
    Canny,
    Sketch,
    Caption(&'static str),
    /// The thing of this number.
    Subject(usize),
    Style,
}

impl Condition {
    fn id(self) -> &'static str {
        match self {
            Self::Bbox => "bbox",
            Self::Mask => "mask",
            Self::Pose => "pose",
            Self::SemanticMap => "semantic_map",
            Self::Depth => "depth",
            Self::Canny => "canny",
            Self::Sketch => "sketch",
            Self::Caption(_) => "caption",
            Self::Subject(_) => "subject",
            Self::Style => "style",
        }
    }

    /// Its name in the instruction; a caption is no picture.
    fn token(self) -> Option<String> {
        match self {
            Self::Caption(_) => None,
            Self::Subject(_) => Some("subject_1".to_owned()),
            Self::SemanticMap => Some("semantic_image".to_owned()),
            other => Some(format!("{}_image", other.id())),
        }
    }

    /// The reference picture of a stage.
    fn draw(self, stage: &Stage) -> Option<Canvas> {
        let shades = [p::STONE, p::PAPER, p::SLATE];
        let areas = [p::CORAL, p::SUN, p::PLUM];
        let of = |inks: [u32; 3]| move |at: usize| Mode::Flat(inks[at % inks.len()]);
        let canvas = match self {
            Self::Caption(_) => return None,
            Self::Bbox => boxes(stage),
            Self::Mask => stage.shapes(0, |_| Mode::Flat(p::WHITE)),
            Self::Pose => {
                let mut canvas = Canvas::new(0);
                if let Some((at, size, pose, ..)) = stage.person {
                    pose.sticks(&mut canvas, at, size);
                }
                canvas
            }
            Self::SemanticMap => stage.shapes(p::TEAL, of(areas)),
            Self::Depth => stage.shapes(p::INK, of(shades)),
            Self::Canny => stage.shapes(0, |_| Mode::Lines(p::WHITE)),
            Self::Sketch => stage.shapes(p::WHITE, |_| Mode::Lines(p::INK)),
            Self::Subject(number) => stage.props.get(number)?.portrait(p::PAPER, stage.mode),
            Self::Style => prop("", Thing::Teapot, (0.0, 0.0), 1.0, [p::PLUM, p::SUN])
                .portrait(p::ROSE, stage.mode),
        };
        Some(canvas)
    }

    /// What the evaluator found: quality runs from 0 to 1, errors the other way.
    fn measured(self, quality: f64) -> f64 {
        let (worst, best) = match self {
            Self::Bbox => (0.21, 0.88),
            Self::Mask => (0.24, 0.93),
            Self::Pose => (0.03, 0.21),
            Self::SemanticMap => (0.22, 0.71),
            Self::Depth => (0.141, 0.012),
            Self::Canny => (0.152, 0.041),
            Self::Sketch => (0.236, 0.058),
            Self::Caption(_) => (17.2, 29.4),
            Self::Subject(_) => (0.58, 0.94),
            Self::Style => (0.49, 0.83),
        };
        let value = worst + (best - worst) * quality;
        (value * 1e6).round() / 1e6
    }
}

fn boxes(stage: &Stage) -> Canvas {
    let mut canvas = Canvas::new(0);
    for (prop, ink) in stage.props.iter().zip([p::RED, p::LEAF, p::SUN]) {
        let (x, y) = prop.at;
        let half = prop.size * 0.5;
        let corners = [
            (x - half, y - prop.size),
            (x + half, y - prop.size),
            (x + half, y),
            (x - half, y),
            (x - half, y - prop.size),
        ];
        canvas.line(&corners, 4.0, ink);
    }
    canvas
}

/// A sample of the synthetic half.
struct Synthetic {
    name: &'static str,
    ask: &'static str,
    conditions: Vec<Condition>,
    stage: Stage,
    flaws: [Vec<Flaw>; 3],
}

/// A sample of the real-world half.
struct RealWorld {
    row: usize,
    category: &'static str,
    ask: &'static str,
    inputs: Vec<Canvas>,
    stage: Stage,
    flaws: [Vec<Flaw>; 3],
}

const OUT_OF_MEMORY: (&str, &str, &str) = ("basalt-synth", "still_life", "subject");
const NOT_A_NUMBER: (&str, &str) = ("basalt-synth", "harbour");
const MISSING: (&str, &str) = ("cinder-synth", "meadow");
const NO_JSON: (&str, &str) = ("cinder-synth", "real-world/31");
const OFF_THE_SCALE: (&str, &str) = ("cinder-synth", "synthetic/still_life");

/// All files of the suite with its index.
pub(crate) fn files(seed: u64) -> anyhow::Result<Files> {
    let (synthetic, real) = (synthetic(), real_world(seed));
    let mut files = Files::new();
    let mut lists = [Vec::new(), Vec::new()];
    for sample in &synthetic {
        let name = sample.name;
        files.insert(
            format!("MultiRef/images/{name}.png"),
            sample.stage.draw(seed).png()?,
        );
        for condition in &sample.conditions {
            if let Some(canvas) = condition.draw(&sample.stage) {
                files.insert(
                    format!("MultiRef/images/{name}_{}.png", condition.id()),
                    canvas.png()?,
                );
            }
        }
        lists[0].push(Json::Object(synthetic_entry(sample)));
    }
    for sample in &real {
        for (at, canvas) in (1..).zip(&sample.inputs) {
            files.insert(
                format!("MultiRef/images/real_{}_{at}.png", sample.row),
                canvas.png()?,
            );
        }
        let golden = format!("MultiRef/images/real_{}.png", sample.row);
        files.insert(golden, sample.stage.draw(seed).png()?);
        lists[1].push(Json::Object(real_entry(sample)));
    }
    let [list, requests] = lists;
    files.insert(
        "MultiRef/benchmark990v3.json".to_owned(),
        pretty(&Json::List(list))?,
    );
    files.insert(
        "MultiRef/final_1000_prompts_taxonomy.json".to_owned(),
        pretty(&Json::List(requests))?,
    );
    for (number, model) in MODELS.into_iter().enumerate() {
        answers(seed, number, model, &synthetic, &real, &mut files)?;
    }
    indexed("Demo · MultiRef-Bench", files)
}

type Entries = Vec<(String, Json)>;

fn entry<const N: usize>(entries: [(&str, Json); N]) -> Entries {
    entries
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

fn synthetic_entry(sample: &Synthetic) -> Entries {
    let name = sample.name;
    let path = |condition: &Condition| text(format!("images/{name}_{}.png", condition.id()));
    let known = sample.conditions.iter().map(|condition| match condition {
        Condition::Caption(caption) => ("caption".to_owned(), text(*caption)),
        Condition::Subject(_) => (
            "subject_paths".to_owned(),
            Json::List(vec![path(condition)]),
        ),
        Condition::Style => ("style_path".to_owned(), Json::List(vec![path(condition)])),
        other => (format!("{}_path", other.id()), path(other)),
    });
    let mapping = sample
        .conditions
        .iter()
        .filter_map(|condition| Some((condition.token()?, path(condition))));
    let ids = sample
        .conditions
        .iter()
        .map(|condition| text(condition.id()));
    entry([
        ("original_image_path", text(format!("images/{name}.png"))),
        ("conditions", Json::Object(known.collect())),
        (
            "instructions",
            object([
                ("conditions", Json::List(ids.collect())),
                ("image_path_mapping", Json::Object(mapping.collect())),
                ("original_prompts", text(sample.ask)),
                ("enhance_prompts", Json::List(Vec::new())),
            ]),
        ),
    ])
}

fn real_entry(sample: &RealWorld) -> Entries {
    let row = sample.row;
    let inputs = (1..=sample.inputs.len()).map(|at| {
        (
            format!("image{at}"),
            text(format!("images/real_{row}_{at}.png")),
        )
    });
    entry([
        ("row_id", Json::Number(row)),
        ("prompt", text(sample.ask)),
        ("image_path_mapping", Json::Object(inputs.collect())),
        ("taxonomy", text(sample.category)),
        (
            "original_image_path",
            text(format!("images/real_{row}.png")),
        ),
    ])
}

/// A model's pictures, its lists with results, and the judge's replies.
fn answers(
    seed: u64,
    number: usize,
    model: &str,
    synthetic: &[Synthetic],
    real: &[RealWorld],
    files: &mut Files,
) -> anyhow::Result<()> {
    let mut journal = String::new();
    let mut lists = [Vec::new(), Vec::new()];
    for sample in synthetic {
        let flaws = sample.flaws.get(number).map_or(&[][..], Vec::as_slice);
        let mut line = synthetic_entry(sample);
        if (model, sample.name) == MISSING {
            line.push(("results".to_owned(), Json::Object(Vec::new())));
            line.push((
                "evaluations".to_owned(),
                object([("error", text("Generated image not found: None"))]),
            ));
            lists[0].push(Json::Object(line));
            continue;
        }
        let path = format!("{model}/images/{}.png", sample.name);
        files.insert(
            path.clone(),
            output(seed, &path, &sample.stage, flaws).png()?,
        );
        line.push(results(model, sample.name));
        line.push((
            "evaluations".to_owned(),
            evaluations(seed, model, sample, flaws),
        ));
        lists[0].push(Json::Object(line));
        let id = format!("synthetic/{}", sample.name);
        journal += &reply(seed, model, &id, &sample.stage, flaws)?;
    }
    for sample in real {
        let flaws = sample.flaws.get(number).map_or(&[][..], Vec::as_slice);
        let name = format!("real_{}", sample.row);
        let path = format!("{model}/images/{name}.png");
        files.insert(
            path.clone(),
            output(seed, &path, &sample.stage, flaws).png()?,
        );
        let mut line = real_entry(sample);
        line.push(results(model, &name));
        lists[1].push(Json::Object(line));
        journal += &reply(
            seed,
            model,
            &format!("real-world/{}", sample.row),
            &sample.stage,
            flaws,
        )?;
    }
    for (name, list) in ["synthetic", "real_world"].into_iter().zip(lists) {
        let path = format!("{model}/results_{name}.json");
        let bytes = pretty(&Json::List(list))?;
        // Python writes what is no number without quotes.
        let written = String::from_utf8_lossy(&bytes).replace("\"NaN\"", "NaN");
        files.insert(path, written.into_bytes());
    }
    files.insert(format!("{model}/journal.jsonl"), journal.into_bytes());
    Ok(())
}

fn results(model: &str, name: &str) -> (String, Json) {
    let results = object([
        ("image_path", text(format!("images/{name}.png"))),
        ("model_name", text(model)),
        ("other_info", Json::Object(Vec::new())),
    ]);
    ("results".to_owned(), results)
}

/// How good a picture is, from 0 to 1, as far as a metric sees it.
fn quality(flaws: &[Flaw], random: &mut Random) -> f64 {
    let cost: f64 = flaws
        .iter()
        .map(|flaw| match flaw.kind() {
            Kind::Missing => 0.5,
            Kind::Identity | Kind::Backdrop => 0.3,
            Kind::Size | Kind::Place => 0.35,
            Kind::Cast => 0.12,
            Kind::Noise => 0.25,
        })
        .sum();
    (0.94 - cost + f64::from(random.between(-0.06, 0.06))).clamp(0.02, 1.0)
}

fn evaluations(seed: u64, model: &str, sample: &Synthetic, flaws: &[Flaw]) -> Json {
    let name = sample.name;
    let mut random = Random::new(seed, &format!("metrics {model} {name}"));
    let mut spread =
        |low: f32, high: f32| (f64::from(random.between(low, high)) * 1e4).round() / 1e4;
    let mut found = entry([
        ("original_image", text(format!("images/{name}.png"))),
        ("generated_image", text(format!("images/{name}.png"))),
        ("processing_time_seconds", Json::Real(spread(3.0, 9.0))),
        ("fid", Json::Real(spread(0.098, 0.112))),
        (
            "aesthetics",
            if (model, name) == NOT_A_NUMBER {
                text("NaN")
            } else {
                Json::Real(spread(4.9, 6.2))
            },
        ),
    ]);
    for condition in &sample.conditions {
        let id = condition.id();
        let value = condition.measured(quality(flaws, &mut random));
        let place = (model, name, id);
        if place == OUT_OF_MEMORY {
            found.push((format!("{id}_error"), text("CUDA out of memory")));
        } else {
            found.push((id.to_owned(), Json::Real(value)));
        }
    }
    Json::Object(found)
}

/// The judge's reply on one picture as a line of a journal.
fn reply(
    seed: u64,
    model: &str,
    sample: &str,
    stage: &Stage,
    flaws: &[Flaw],
) -> anyhow::Result<String> {
    let mut scores = [5_i32; 3];
    for flaw in flaws {
        let costs = match flaw.kind() {
            Kind::Missing => [0, 3, 2],
            Kind::Identity => [0, 1, 2],
            Kind::Size | Kind::Place => [1, 1, 0],
            Kind::Backdrop => [0, 2, 2],
            Kind::Cast => [1, 0, 1],
            Kind::Noise => [3, 0, 1],
        };
        for (score, cost) in scores.iter_mut().zip(costs) {
            *score -= cost;
        }
    }
    let mut random = Random::new(seed, &format!("judge {model} {sample}"));
    let [mut quality, instruction, fidelity] =
        scores.map(|score| (score - i32::from(random.below(4) == 0)).clamp(1, 5));
    if (model, sample) == OFF_THE_SCALE {
        quality = 7;
    }
    let reason = sentence(stage, flaws);
    let reply = if (model, sample) == NO_JSON {
        format!("{reason} A weak picture, two out of five.")
    } else {
        format!(
            "{{\"IQ\": {quality}, \"IF\": {instruction}, \"SF\": {fidelity}, \"reason\": \"{reason}\"}}"
        )
    };
    let record = object([
        ("format", text("juror-journal/1")),
        ("protocol", text("multiref")),
        ("model", text(model)),
        ("sample", text(sample)),
        ("turn", Json::Number(0)),
        ("criterion", text("judge")),
        ("judge", text(JUDGE)),
        ("run", Json::Number(1)),
        ("reply", text(reply)),
    ]);
    Ok(serde_json::to_string(&record)? + "\n")
}

/// Samples in which every kind of reference occurs.
#[expect(
    clippy::too_many_lines,
    reason = "one table of data, read from top to bottom"
)]
fn synthetic() -> Vec<Synthetic> {
    use Backdrop::{Beach, Hills, Night, Room, Snow, Street};
    use Condition::{Bbox, Canny, Caption, Depth, Mask, SemanticMap, Sketch, Style, Subject};
    let boat = prop(
        "the boat",
        Thing::Boat,
        (150.0, 196.0),
        116.0,
        [p::RED, p::PAPER],
    );
    let balloon = prop(
        "the balloon",
        Thing::Balloon,
        (284.0, 140.0),
        112.0,
        [p::CORAL, p::SUN],
    );
    let mug = prop(
        "the mug",
        Thing::Mug,
        (116.0, 248.0),
        80.0,
        [p::BLUE, p::PAPER],
    );
    let vase = prop(
        "the vase",
        Thing::Vase,
        (258.0, 252.0),
        132.0,
        [p::PLUM, p::ROSE],
    );
    let tree = prop(
        "the tree",
        Thing::Tree,
        (96.0, 240.0),
        156.0,
        [p::MOSS, p::BARK],
    );
    let cat = prop(
        "the cat",
        Thing::Cat,
        (254.0, 254.0),
        96.0,
        [p::ORANGE, p::PAPER],
    );
    let car = prop(
        "the car",
        Thing::Car,
        (192.0, 252.0),
        78.0,
        [p::TEAL, p::SUN],
    );
    let robot = prop(
        "the robot",
        Thing::Robot,
        (250.0, 256.0),
        128.0,
        [p::SEA, p::INK],
    );
    let chair = prop(
        "the chair",
        Thing::Chair,
        (196.0, 256.0),
        140.0,
        [p::TEAL, p::BARK],
    );
    let noise = Flaw::Noise(70);
    vec![
        Synthetic {
            name: "harbour",
            ask: "Draw what the edges of <canny_image> outline, in the colours and manner of <style_image>.",
            conditions: vec![Canny, Style],
            stage: Stage::new(Beach, vec![boat.clone(), balloon.clone()]).in_mode(Mode::Cartoon),
            flaws: [
                vec![],
                vec![Flaw::Scaled(1, 0.5)],
                vec![Flaw::Missing(0), noise],
            ],
        },
        Synthetic {
            name: "still_life",
            ask: "Set the table with the distances of <depth_image>, and let the mug be the one of <subject_1>.",
            conditions: vec![Depth, Subject(0)],
            stage: Stage::new(Room(0x00e8_e2d2, p::WOOD), vec![mug, vase.clone()]),
            flaws: [
                vec![],
                vec![Flaw::Warm],
                vec![Flaw::Dyed(0, [p::LEAF, p::INK]), noise],
            ],
        },
        Synthetic {
            name: "meadow",
            ask: "Fill the boxes of <bbox_image> as the caption says.",
            conditions: vec![
                Bbox,
                Caption("A tree on the left of a meadow and a ginger cat on its right."),
            ],
            stage: Stage::new(Hills, vec![tree.clone(), cat.clone()]),
            flaws: [
                vec![Flaw::Moved(1, (210.0, 250.0))],
                vec![Flaw::Dyed(1, [p::STONE, p::WHITE])],
                vec![],
            ],
        },
        Synthetic {
            name: "street",
            ask: "Put the car of <subject_1> where the mask of <mask_image> is, as the caption says.",
            conditions: vec![
                Caption("A teal car waits in a row of bright houses."),
                Subject(0),
                Mask,
            ],
            stage: Stage::new(Street, vec![car]),
            flaws: [
                vec![],
                vec![Flaw::Scaled(0, 1.5)],
                vec![
                    Flaw::Dyed(0, [p::RED, p::SUN]),
                    Flaw::Moved(0, (96.0, 200.0)),
                ],
            ],
        },
        Synthetic {
            name: "jump",
            ask: "Show a person in the pose of <pose_image>, as the caption says.",
            conditions: vec![
                Condition::Pose,
                Caption("A person in a red shirt jumps in the snow with arms and legs apart."),
            ],
            stage: Stage::new(Snow, vec![]).with_person(
                (192.0, 262.0),
                196.0,
                Pose::STAR.with(Limb::RightArm, Pose::WAVING),
                [p::RED, p::BLUE],
            ),
            flaws: [vec![], vec![Flaw::Warm], vec![Flaw::Behind(Beach), noise]],
        },
        Synthetic {
            name: "corner",
            ask: "Put the chair of <subject_1> into the box of <bbox_image>.",
            conditions: vec![Bbox, Subject(0)],
            stage: Stage::new(Room(0x00dd_e6ee, p::WOOD), vec![chair]),
            flaws: [
                vec![],
                vec![Flaw::Scaled(0, 0.6)],
                vec![Flaw::Moved(0, (330.0, 262.0)), noise],
            ],
        },
        Synthetic {
            name: "machine",
            ask: "Turn the lines of <sketch_image> into a picture in the manner of <style_image>.",
            conditions: vec![Sketch, Style],
            stage: Stage::new(Night, vec![robot, vase.at((104.0, 250.0), 110.0)])
                .in_mode(Mode::Cartoon),
            flaws: [
                vec![Flaw::Warm],
                vec![Flaw::Missing(1)],
                vec![Flaw::Behind(Hills), noise],
            ],
        },
        Synthetic {
            name: "shore",
            ask: "Lay the picture out as <semantic_image> does, in the manner of <style_image>, as the caption says.",
            conditions: vec![
                SemanticMap,
                Caption("A balloon, a tree and a boat at the shore."),
                Style,
            ],
            stage: Stage::new(Beach, vec![tree, boat.at((230.0, 204.0), 96.0), balloon]),
            flaws: [
                vec![],
                vec![Flaw::Scaled(0, 0.6), Flaw::Warm],
                vec![Flaw::Missing(2), Flaw::Missing(1)],
            ],
        },
    ]
}

/// One request of each kind of the real-world half.
#[expect(
    clippy::too_many_lines,
    reason = "one table of data, read from top to bottom"
)]
fn real_world(seed: u64) -> Vec<RealWorld> {
    use Backdrop::{Beach, Hills, Night, Room, Snow};
    let scene = |backdrop: Backdrop, props: Vec<Prop>| Stage::new(backdrop, props).draw(seed);
    let alone = |thing: &Prop| thing.portrait(p::PAPER, Mode::Full);
    let lamp = prop(
        "the lamp",
        Thing::Lamp,
        (112.0, 232.0),
        128.0,
        [p::SUN, p::BARK],
    );
    let plant = prop(
        "the plant",
        Thing::Plant,
        (112.0, 236.0),
        130.0,
        [p::MOSS, p::CORAL],
    );
    let clock = prop(
        "the clock",
        Thing::Clock,
        (268.0, 244.0),
        84.0,
        [p::RED, p::SUN],
    );
    let kite = prop(
        "the kite",
        Thing::Kite,
        (272.0, 132.0),
        102.0,
        [p::CORAL, p::SUN],
    );
    let tree = prop(
        "the tree",
        Thing::Tree,
        (96.0, 240.0),
        152.0,
        [p::MOSS, p::BARK],
    );
    let chair = prop(
        "the chair",
        Thing::Chair,
        (206.0, 252.0),
        128.0,
        [p::PLUM, p::BARK],
    );
    let gift = prop(
        "the gift",
        Thing::Gift,
        (280.0, 254.0),
        74.0,
        [p::PLUM, p::SUN],
    );
    let umbrella = prop(
        "the umbrella",
        Thing::Umbrella,
        (190.0, 252.0),
        150.0,
        [p::TEAL, p::PAPER],
    );
    let room = Room(0x00f0_e4dc, p::WOOD);
    let noise = Flaw::Noise(60);
    vec![
        RealWorld {
            row: 12,
            category: "Element Replacement",
            ask: "Replace the lamp in <image1> with the plant of <image2>.",
            inputs: vec![scene(room, vec![lamp, clock.clone()]), alone(&plant)],
            stage: Stage::new(room, vec![plant, clock]),
            flaws: [vec![], vec![Flaw::Warm], vec![Flaw::Missing(0)]],
        },
        RealWorld {
            row: 31,
            category: "Element Addition",
            ask: "Add the kite of <image2> to the sky of <image1>.",
            inputs: vec![scene(Hills, vec![tree.clone()]), alone(&kite)],
            stage: Stage::new(Hills, vec![tree.clone(), kite]),
            flaws: [
                vec![],
                vec![Flaw::Moved(1, (250.0, 262.0))],
                vec![Flaw::Dyed(1, [p::BLUE, p::PAPER]), noise],
            ],
        },
        RealWorld {
            row: 47,
            category: "Spatial/Environment Modifications",
            ask: "Bring the umbrella of <image1> to the beach of <image2>.",
            inputs: vec![scene(Snow, vec![umbrella.clone()]), scene(Beach, vec![])],
            stage: Stage::new(Beach, vec![umbrella]),
            flaws: [
                vec![Flaw::Scaled(0, 0.6)],
                vec![],
                vec![Flaw::Behind(Snow), Flaw::Warm],
            ],
        },
        RealWorld {
            row: 58,
            category: "Attribute Transfer",
            ask: "Give the chair of <image1> the colours of the gift in <image2>.",
            inputs: vec![
                scene(room, vec![chair.clone()]),
                alone(&gift.dyed([p::TEAL, p::SUN])),
            ],
            stage: Stage::new(room, vec![chair.dyed([p::TEAL, p::SUN])]),
            flaws: [
                vec![],
                vec![Flaw::Dyed(0, [p::PLUM, p::BARK])],
                vec![Flaw::Dyed(0, [p::RED, p::INK]), noise],
            ],
        },
        RealWorld {
            row: 66,
            category: "Style and Appearance Modifications",
            ask: "Draw the tree of <image1> at the night of <image2>, with dark outlines.",
            inputs: vec![scene(Hills, vec![tree.clone()]), scene(Night, vec![])],
            stage: Stage::new(Night, vec![tree]).in_mode(Mode::Cartoon),
            flaws: [vec![], vec![Flaw::Warm], vec![Flaw::Behind(Hills)]],
        },
    ]
}

/// Both halves are drawn in one size.
const _: () = assert!(WIDTH == 384 && HEIGHT == 288);
