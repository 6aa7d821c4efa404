//! Lays a suite out as MultiBanana does: a folder per task with references and prompts, a file of where the references come
//! from, and per model the same folders with pictures and two judges' texts.
//!
//! Broken on purpose: `basalt-synth` lacks one picture, and one of its judge files holds the error of a call;
//! `cinder-synth` has a web page under a picture's name, a judge that declined, and a score of 11.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::json::{Json, text};
use super::kit::{Backdrop, Flaw, Kind, MODELS, Mode, Prop, Stage, Thing, prop, sentence};
use super::paint::palette as p;
use super::random::Random;
use super::suite::{Files, WEB_PAGE, indexed, output, pretty};

/// A reference picture.
pub(crate) enum Reference {
    /// A thing alone.
    Thing(Prop),
    /// A thing alone, drawn in another way.
    Style(Prop, Mode),
    /// A whole picture.
    Scene(Stage),
}

pub(crate) struct Set {
    pub(crate) task: &'static str,
    pub(crate) number: &'static str,
    pub(crate) ask: &'static str,
    tags: &'static [&'static str],
    pub(crate) references: Vec<Reference>,
    /// What the picture should show.
    pub(crate) stage: Stage,
    pub(crate) flaws: [Vec<Flaw>; 3],
}

const MISSING: (&str, &str) = ("basalt-synth", "4_back");
const FAILED_CALL: (&str, &str, &str) = ("basalt-synth", "3_object", "gemini");
const PAGE_AS_PICTURE: (&str, &str) = ("cinder-synth", "6_back");
const DECLINED: (&str, &str, &str) = ("cinder-synth", "5_object", "gpt");
const SCORE_OF_ELEVEN: (&str, &str, &str) = ("cinder-synth", "single", "gpt");

/// All files of the suite with its index.
pub(crate) fn files(seed: u64) -> anyhow::Result<Files> {
    let sets = sets();
    let mut files = Files::new();
    let mut types: BTreeMap<&str, Vec<(String, Json)>> = BTreeMap::new();
    let mut origins = "image,made by\n".to_owned();
    for set in &sets {
        let base = format!("data/{}/{}", set.task, set.number);
        for (index, reference) in set.references.iter().enumerate() {
            let canvas = match reference {
                Reference::Thing(thing) => thing.portrait(p::PAPER, Mode::Full),
                Reference::Style(thing, mode) => thing.portrait(p::PAPER, *mode),
                Reference::Scene(stage) => stage.draw(seed),
            };
            files.insert(format!("{base}_{index}.png"), canvas.png()?);
            let (task, number, by) = (set.task, set.number, made_by(set.task, index));
            // Writing to a string cannot fail.
            let _ = writeln!(origins, "{task}/{number}_{index}.png,{by}");
        }
        files.insert(
            format!("{base}_prompt.txt"),
            format!("{}\n", set.ask).into_bytes(),
        );
        let tags = match set.tags {
            [one] => text(*one),
            several => Json::List(several.iter().map(|tag| text(*tag)).collect()),
        };
        let of_task = types.entry(set.task).or_default();
        of_task.push((set.number.to_owned(), tags));
    }
    for (task, tags) in types {
        files.insert(
            format!("data/{task}/types.json"),
            pretty(&Json::Object(tags))?,
        );
    }
    files.insert("data/from_where.csv".to_owned(), origins.into_bytes());
    for (number, model) in MODELS.into_iter().enumerate() {
        for set in &sets {
            judged(seed, number, model, set, &mut files)?;
        }
    }
    indexed("Demo · MultiBanana", files)
}

/// What a reference stands for as made by: two groups of sets have enough for an interval, and each other group is there.
fn made_by(task: &str, index: usize) -> &'static str {
    match (task, index) {
        ("6_back", 5) => "real",
        ("single" | "add" | "replace" | "background", _) | ("5_object", 0 | 1) => "GPT-Image-1",
        _ => "Nano Banana",
    }
}

/// A model's picture of a set, and what both judges wrote.
fn judged(
    seed: u64,
    number: usize,
    model: &str,
    set: &Set,
    files: &mut Files,
) -> anyhow::Result<()> {
    let base = format!("{model}/{}/{}", set.task, set.number);
    let place = (model, set.task);
    if place == MISSING {
        return Ok(());
    }
    let flaws = set.flaws.get(number).map_or(&[][..], Vec::as_slice);
    let path = format!("{base}_generated.png");
    let bytes = if place == PAGE_AS_PICTURE {
        WEB_PAGE.into()
    } else {
        output(seed, &path, &set.stage, flaws).png()?
    };
    files.insert(path, bytes);
    if place == PAGE_AS_PICTURE {
        // What cannot be opened cannot be shown to a judge.
        return Ok(());
    }
    for judge in ["gemini", "gpt"] {
        let path = format!("{base}_{judge}_judge.txt");
        let place = (model, set.task, judge);
        let reply = if place == FAILED_CALL {
            "Error during evaluation: 429 the service is busy".to_owned()
        } else if place == DECLINED {
            "There are so many things in this picture that I would rather not put numbers on it."
                .to_owned()
        } else {
            let mut random = Random::new(seed, &path);
            let scores = scores(flaws, judge, &mut random, place == SCORE_OF_ELEVEN);
            reply(&sentence(&set.stage, flaws), scores)
        };
        files.insert(path, reply.into_bytes());
    }
    Ok(())
}

/// The five scores that the flaws earn; the second judge is a little stricter, and neither is quite steady.
pub(crate) fn scores(
    flaws: &[Flaw],
    judge: &str,
    random: &mut Random,
    is_off_scale: bool,
) -> [usize; 5] {
    let mut scores = [9_i32; 5];
    for flaw in flaws {
        let costs = match flaw.kind() {
            Kind::Missing => [5, 4, 1, 0, 0],
            Kind::Identity => [1, 5, 0, 0, 0],
            Kind::Size => [1, 1, 4, 4, 1],
            Kind::Place => [3, 0, 3, 3, 0],
            Kind::Backdrop => [5, 2, 1, 0, 0],
            Kind::Cast => [0, 1, 2, 1, 2],
            Kind::Noise => [1, 2, 3, 3, 6],
        };
        for (score, cost) in scores.iter_mut().zip(costs) {
            *score -= cost;
        }
    }
    let strictness = i32::from(judge == "gpt");
    let mut result = scores.map(|score| {
        let wobble = [-1, 0, 0, 1][random.below(4)];
        usize::try_from((score - strictness + wobble).clamp(1, 10)).unwrap_or(1)
    });
    if is_off_scale {
        result[4] = 11;
    }
    result
}

pub(crate) fn reply(reason: &str, scores: [usize; 5]) -> String {
    let [ia, rc, bsm, pr, vq] = scores;
    format!(
        "Reasoning: {reason}\nInstruction Alignment: {ia}\nReference Consistency: {rc}\n\
        Background-Subject Match: {bsm}\nPhysical Realism: {pr}\nVisual Quality: {vq}\n"
    )
}

/// The sets, one of most kinds that the benchmark has.
#[expect(
    clippy::too_many_lines,
    reason = "one table of data, read from top to bottom"
)]
pub(crate) fn sets() -> Vec<Set> {
    use Backdrop::{Beach, Hills, Night, Room, Snow, Street};
    use Reference::{Scene, Style, Thing as Alone};
    let cat = prop(
        "the cat",
        Thing::Cat,
        (190.0, 248.0),
        118.0,
        [p::ORANGE, p::PAPER],
    );
    let hat = prop(
        "the hat",
        Thing::Hat,
        (190.0, 150.0),
        44.0,
        [p::BLUE, p::SUN],
    );
    let kite = prop(
        "the kite",
        Thing::Kite,
        (120.0, 150.0),
        96.0,
        [p::CORAL, p::SUN],
    );
    let boat = prop(
        "the boat",
        Thing::Boat,
        (270.0, 168.0),
        84.0,
        [p::WOOD, p::PAPER],
    );
    let car = prop(
        "the car",
        Thing::Car,
        (176.0, 252.0),
        70.0,
        [p::TEAL, p::SUN],
    );
    let lamp = prop(
        "the lamp",
        Thing::Lamp,
        (110.0, 228.0),
        120.0,
        [p::SUN, p::BARK],
    );
    let mug = prop(
        "the mug",
        Thing::Mug,
        (262.0, 240.0),
        62.0,
        [p::BLUE, p::PAPER],
    );
    let plant = prop(
        "the plant",
        Thing::Plant,
        (110.0, 232.0),
        124.0,
        [p::MOSS, p::CORAL],
    );
    let robot = prop(
        "the robot",
        Thing::Robot,
        (150.0, 252.0),
        130.0,
        [p::SEA, p::INK],
    );
    let balloon = prop(
        "the balloon",
        Thing::Balloon,
        (290.0, 132.0),
        108.0,
        [p::RED, p::SUN],
    );
    let tree = prop(
        "the tree",
        Thing::Tree,
        (92.0, 232.0),
        138.0,
        [p::MOSS, p::BARK],
    );
    let chair = prop(
        "the chair",
        Thing::Chair,
        (246.0, 246.0),
        96.0,
        [p::PLUM, p::BARK],
    );
    let teapot = prop(
        "the teapot",
        Thing::Teapot,
        (120.0, 246.0),
        76.0,
        [p::SEA, p::PAPER],
    );
    let fish = prop(
        "the fish",
        Thing::Fish,
        (96.0, 172.0),
        56.0,
        [p::CORAL, p::PAPER],
    );
    let gift = prop(
        "the gift",
        Thing::Gift,
        (300.0, 256.0),
        72.0,
        [p::PLUM, p::SUN],
    );
    let umbrella = prop(
        "the umbrella",
        Thing::Umbrella,
        (262.0, 250.0),
        132.0,
        [p::RED, p::PAPER],
    );
    let ball = prop(
        "the ball",
        Thing::Ball,
        (316.0, 262.0),
        52.0,
        [p::CORAL, p::PAPER],
    );
    let clock = prop(
        "the clock",
        Thing::Clock,
        (206.0, 240.0),
        84.0,
        [p::RED, p::SUN],
    );
    let cake = prop(
        "the cake",
        Thing::Cake,
        (196.0, 252.0),
        74.0,
        [p::ROSE, p::PAPER],
    );
    let room = Room(0x00f3_e3d0, p::WOOD);
    let noise = Flaw::Noise(70);
    vec![
        Set {
            task: "single",
            number: "001",
            ask: "Let the cat of the picture sit in the snow.",
            tags: &["scale"],
            references: vec![Alone(cat.clone())],
            stage: Stage::new(Snow, vec![cat.clone()]),
            flaws: [
                vec![],
                vec![Flaw::Warm],
                vec![Flaw::Dyed(0, [p::SLATE, p::STONE]), noise],
            ],
        },
        Set {
            task: "add",
            number: "003",
            ask: "Add the kite of the second picture to the sky of the first, left of the boat.",
            tags: &["scale"],
            references: vec![
                Scene(Stage::new(Beach, vec![boat.clone()])),
                Alone(kite.clone()),
            ],
            stage: Stage::new(Beach, vec![boat.clone(), kite.clone()]),
            flaws: [vec![], vec![Flaw::Scaled(1, 1.7)], vec![Flaw::Missing(1)]],
        },
        Set {
            task: "add",
            number: "010",
            ask: "Put the car of the second picture on the street of the first.",
            tags: &["domain", "scale"],
            references: vec![Scene(Stage::new(Street, vec![])), Alone(car.clone())],
            stage: Stage::new(Street, vec![car.clone()]),
            flaws: [
                vec![],
                vec![Flaw::Moved(0, (176.0, 190.0)), Flaw::Warm],
                vec![Flaw::Dyed(0, [p::PLUM, p::SUN]), noise],
            ],
        },
        Set {
            task: "replace",
            number: "002",
            ask: "Put the plant of the second picture in the place of the lamp in the first.",
            tags: &["domain"],
            references: vec![
                Scene(Stage::new(room, vec![lamp.clone(), mug.clone()])),
                Alone(plant.clone()),
            ],
            stage: Stage::new(room, vec![plant.clone(), mug.clone()]),
            flaws: [
                vec![Flaw::Scaled(1, 1.3)],
                vec![Flaw::Dyed(0, [p::TEAL, p::BLUE])],
                vec![Flaw::Missing(0), Flaw::Warm],
            ],
        },
        Set {
            task: "background",
            number: "004",
            ask: "Keep the robot of the first picture and give it the background of the second.",
            tags: &["domain"],
            references: vec![
                Scene(Stage::new(room, vec![robot.clone()])),
                Scene(Stage::new(Night, vec![])),
            ],
            stage: Stage::new(Night, vec![robot.clone()]),
            flaws: [vec![], vec![], vec![Flaw::Behind(room)]],
        },
        Set {
            task: "color",
            number: "001",
            ask: "Give the car of the first picture the colours of the balloon in the second.",
            tags: &["rare"],
            references: vec![
                Scene(Stage::new(Street, vec![car.clone()])),
                Alone(balloon.clone()),
            ],
            stage: Stage::new(Street, vec![car.clone().dyed([p::RED, p::SUN])]),
            flaws: [
                vec![],
                vec![Flaw::Dyed(0, [p::CORAL, p::SUN]), Flaw::Warm],
                vec![Flaw::Dyed(0, [p::TEAL, p::SUN]), noise],
            ],
        },
        Set {
            task: "style",
            number: "005",
            ask: "Draw the first picture in the manner of the second: white shapes with dark outlines.",
            tags: &["domain", "rare"],
            references: vec![
                Scene(Stage::new(Hills, vec![tree.clone(), chair.clone()])),
                Style(teapot.clone(), Mode::Sketch),
            ],
            stage: Stage::new(Hills, vec![tree.clone(), chair.clone()]).in_mode(Mode::Sketch),
            flaws: [
                vec![],
                vec![Flaw::Moved(1, (200.0, 190.0))],
                vec![Flaw::Missing(1), noise],
            ],
        },
        Set {
            task: "3_object",
            number: "007",
            ask: "Show the fish leaping out of the sea, the umbrella standing on the beach, and the ball beside it.",
            tags: &["scale"],
            references: vec![
                Alone(fish.clone()),
                Alone(umbrella.clone()),
                Alone(ball.clone()),
            ],
            stage: Stage::new(Beach, vec![fish.clone(), umbrella.clone(), ball.clone()]),
            flaws: [
                vec![],
                vec![Flaw::Scaled(2, 1.8)],
                vec![Flaw::Missing(0), Flaw::Dyed(1, [p::BLUE, p::PAPER])],
            ],
        },
        Set {
            task: "3_local",
            number: "002",
            ask: "Let the robot stand by the umbrella in the street, with its body in the colour of the ball.",
            tags: &["rare"],
            references: vec![
                Alone(robot.clone()),
                Alone(umbrella.clone()),
                Alone(ball.clone()),
            ],
            stage: Stage::new(
                Street,
                vec![robot.clone().dyed([p::CORAL, p::INK]), umbrella.clone()],
            ),
            flaws: [
                vec![Flaw::Warm],
                vec![Flaw::Dyed(0, [p::SEA, p::INK])],
                vec![Flaw::Missing(1), noise],
            ],
        },
        Set {
            task: "4_global",
            number: "001",
            ask: "Show teapot, clock and mug side by side under the night sky of the fourth picture.",
            tags: &["domain", "scale"],
            references: vec![
                Alone(teapot.clone()),
                Alone(clock.clone()),
                Alone(mug.clone()),
                Scene(Stage::new(Night, vec![])),
            ],
            stage: Stage::new(
                Night,
                vec![
                    teapot.clone().at((84.0, 250.0), 70.0),
                    clock.clone(),
                    mug.clone().at((318.0, 248.0), 62.0),
                ],
            ),
            flaws: [
                vec![],
                vec![Flaw::Missing(2)],
                vec![Flaw::Behind(Hills), Flaw::Scaled(1, 1.6)],
            ],
        },
        Set {
            task: "4_back",
            number: "006",
            ask: "Put cat, plant and gift together into the snow of the fourth picture.",
            tags: &["scale"],
            references: vec![
                Alone(cat.clone()),
                Alone(plant.clone()),
                Alone(gift.clone()),
                Scene(Stage::new(Snow, vec![])),
            ],
            stage: Stage::new(Snow, vec![plant.clone(), cat.clone(), gift.clone()]),
            flaws: [
                vec![Flaw::Scaled(2, 0.5)],
                vec![],
                vec![Flaw::Dyed(1, [p::STONE, p::WHITE]), Flaw::Noise(50)],
            ],
        },
        Set {
            task: "5_object",
            number: "003",
            ask: "A party on the table: the cake in the middle, the gift and the teapot at its sides, the hat above the cake, the cat behind the gift.",
            tags: &["scale"],
            references: vec![
                Alone(cake.clone()),
                Alone(gift.clone()),
                Alone(teapot.clone()),
                Alone(hat.clone()),
                Alone(cat.clone()),
            ],
            stage: Stage::new(
                room,
                vec![
                    cat.clone().at((318.0, 214.0), 104.0),
                    cake.clone(),
                    gift.clone().at((318.0, 262.0), 66.0),
                    teapot.clone().at((74.0, 256.0), 66.0),
                    hat.clone().at((196.0, 178.0), 40.0),
                ],
            ),
            flaws: [
                vec![Flaw::Missing(4)],
                vec![Flaw::Missing(0), Flaw::Warm],
                vec![Flaw::Missing(1), Flaw::Missing(3), noise],
            ],
        },
        Set {
            task: "6_back",
            number: "002",
            ask: "Tree, chair, ball, kite and balloon on the meadow of the sixth picture: the first three on the ground, the others in the air.",
            tags: &["scale", "rare"],
            references: vec![
                Alone(tree.clone()),
                Alone(chair.clone()),
                Alone(ball.clone()),
                Alone(kite.clone()),
                Alone(balloon.clone()),
                Scene(Stage::new(Hills, vec![])),
            ],
            stage: Stage::new(
                Hills,
                vec![kite.at((190.0, 128.0), 84.0), balloon, tree, chair, ball],
            ),
            flaws: [
                vec![Flaw::Dyed(3, [p::BLUE, p::BARK])],
                vec![Flaw::Missing(1), Flaw::Warm],
                vec![],
            ],
        },
    ]
}
