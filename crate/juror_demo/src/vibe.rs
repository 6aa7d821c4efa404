//! Lays a suite out as VIBE does: tasks with sources, drawn instructions and golden answers, and per model a folder for each task
//! with pictures and three runs of a judge.
//!
//! The Billiards cases are made by the generator that `juror make billiards` uses.
//! Broken on purpose: `basalt-synth` lacks one picture and was not judged on one metric in the third run;
//! `cinder-synth` has a reply that could not be read and a sub-score that is off the scale.

use super::json::{Json, object, text};
use super::kit::{
    Backdrop, Flaw, Kind, Limb, MODELS, Mode, Pose, Prop, Stage, Thing, prop, sentence,
};
use super::paint::palette as p;
use super::paint::{Canvas, Point};
use super::random::Random;
use super::suite::{Files, indexed, output, pretty};
use juror_billiards::{self as billiards, Case, Shape};

const DATA: &str = "VIBE-Benchmark-Dataset";

/// How often each picture was judged.
const RUNS: usize = 3;

/// A judge request: its name and the keys of its sub-scores; none for a single score.
struct Metric {
    name: &'static str,
    keys: &'static [&'static str],
}

const IA: Metric = Metric {
    name: "Instruction_Adherence",
    keys: &[
        "Visual_Instruction_Localization_Correctness",
        "Visual_Operator_Type_Compliance",
        "Textual_Action_Semantic_Compliance",
    ],
};
const CP: Metric = Metric {
    name: "Contextual_Preservation",
    keys: &[],
};
const VC: Metric = Metric {
    name: "Visual_Coherence",
    keys: &[
        "Style_Consistency",
        "Visual_Seamlessness",
        "Artifact-Free_Generation",
    ],
};
const POSE: Metric = Metric {
    name: "Pose_Consistency",
    keys: &["Left_Arm", "Right_Arm", "Left_Leg", "Right_Leg"],
};
const BODY: Metric = Metric {
    name: "BII_CIC_CP",
    keys: &[
        "Body Instance Integrity",
        "Character Identity Consistency",
        "Context Preservation",
    ],
};
const ORIENTATION: Metric = Metric {
    name: "Orientation_Alignment",
    keys: &["Yaw", "Pitch", "Roll"],
};
const REORIENTED: Metric = Metric {
    name: "Reorientation_Contextual_Preservation",
    keys: &["Identity_Consistency", "Visual_Integrity"],
};
const LIGHT: Metric = Metric {
    name: "Light_Direction_Consistency",
    keys: &[
        "Direction_Matching_Consistency",
        "Physical_Lighting_Consistency",
    ],
};
const WIND: Metric = Metric {
    name: "Wind_Direction_Consistency",
    keys: &[],
};
const WIND_CP: Metric = Metric {
    name: "Wind_Contextual_Preservation",
    keys: &["Wind-Identity_Preservation", "Wind-Other_Preservation"],
};
const BILLIARDS: Metric = Metric {
    name: "Billiards",
    keys: &[
        "Context_Preservation",
        "Path_Correctness",
        "Collision_Correctness",
    ],
};

/// A task: its folder, its list, its name in results, its metrics.
struct Task {
    level: &'static str,
    folder: &'static str,
    list: &'static str,
    name: &'static str,
    metrics: &'static [&'static Metric],
}

const fn deictic(folder: &'static str, list: &'static str) -> Task {
    Task {
        level: "Level-1-Deictic",
        folder,
        list,
        name: list,
        metrics: &[&IA, &CP, &VC],
    }
}

const ADDITION: Task = deictic("Addition", "Addition");
const REMOVAL: Task = deictic("Removal", "Removal");
const REPLACEMENT: Task = deictic("Replacement", "Replacement");
const TRANSLATION: Task = deictic("Translation", "Translation");
const TWO: Task = deictic("Multi-Tasks", "2-Tasks");
const THREE: Task = deictic("Multi-Tasks", "3-Tasks");
const POSE_CONTROL: Task = Task {
    level: "Level-2-Morphological",
    folder: "Pose_Control",
    list: "dataset",
    name: "Pose_Control",
    metrics: &[&POSE, &BODY],
};
const REORIENTATION: Task = Task {
    level: "Level-2-Morphological",
    folder: "Reorientation",
    list: "Reorientation",
    name: "Reorientation",
    metrics: &[&ORIENTATION, &REORIENTED],
};
const DRAFT: Task = Task {
    level: "Level-2-Morphological",
    folder: "Draft_Instantiation",
    list: "draft_instantiation",
    name: "Draft_Instantiation",
    metrics: &[&IA, &CP, &VC],
};
const LIGHT_CONTROL: Task = Task {
    level: "Level-3-Causal",
    folder: "Light_Control",
    list: "light_control",
    name: "Light_Control",
    metrics: &[&LIGHT, &CP],
};
const FLOW: Task = Task {
    level: "Level-3-Causal",
    folder: "Flow",
    list: "flow",
    name: "Flow",
    metrics: &[&WIND, &WIND_CP],
};
const BILLIARDS_TASK: Task = Task {
    level: "Level-3-Causal",
    folder: "Billiards",
    list: "Billiards",
    name: "Billiards",
    metrics: &[&BILLIARDS],
};

impl Task {
    fn data(&self) -> String {
        format!("{DATA}/Tasks/{}/{}", self.level, self.folder)
    }

    fn results(&self, model: &str) -> String {
        format!("results/{model}/{}/{}", self.level, self.name)
    }
}

/// What one model made of an item.
struct Take {
    picture: Canvas,
    /// Sub-scores that are not full, by key (or the metric's name where it has none).
    lacks: Vec<(&'static str, f64)>,
    reason: String,
}

struct Item {
    task: &'static Task,
    id: String,
    ask: String,
    /// Path and picture of the source, below the folder that the task counts from.
    source: (String, Canvas),
    instruction: Option<Canvas>,
    target: Option<Canvas>,
    takes: Vec<Take>,
    /// What its line in the list says besides.
    besides: Option<(&'static str, Json)>,
}

/// A model's item of a task in a run.
type Place<'a> = (&'a str, &'a str, &'a str, usize);

const MISSING: (&str, &str, &str) = ("basalt-synth", "Addition", "real-world_1");
const UNJUDGED: Place<'_> = ("basalt-synth", "Pose_Control", "2", 3);
const UNREADABLE: Place<'_> = ("cinder-synth", "Translation", "animation_1", 2);
const OFF_THE_SCALE: Place<'_> = ("cinder-synth", "Light_Control", "sketch_3", 1);

/// All files of the suite with its index.
pub(crate) fn files(seed: u64) -> anyhow::Result<Files> {
    let mut items = deictic_items(seed);
    items.extend(morphological_items(seed));
    items.extend(causal_items(seed));
    items.extend(billiards_items(seed)?);
    let mut files = Files::new();
    let mut lists: Vec<(&Task, Vec<Json>)> = Vec::new();
    for item in &items {
        let line = annotation(item, &mut files)?;
        match lists
            .iter_mut()
            .find(|(task, _)| task.name == item.task.name)
        {
            Some((_, lines)) => lines.push(line),
            None => lists.push((item.task, vec![line])),
        }
    }
    for (task, lines) in lists {
        files.insert(
            format!("{}/{}.json", task.data(), task.list),
            pretty(&Json::List(lines))?,
        );
        for (number, model) in MODELS.into_iter().enumerate() {
            let own = items.iter().filter(|item| item.task.name == task.name);
            results(
                seed,
                number,
                model,
                task,
                &own.collect::<Vec<_>>(),
                &mut files,
            )?;
        }
    }
    indexed("Demo · VIBE", files)
}

/// An item's line in its task's list; its pictures are written beside it.
fn annotation(item: &Item, files: &mut Files) -> anyhow::Result<Json> {
    let folder = item.task.data();
    let (path, source) = &item.source;
    // Shared sources lie below the data set's root, all others below the task's folder.
    let root = if path.starts_with("Common_Corpus") {
        DATA
    } else {
        &folder
    };
    files.insert(format!("{root}/{path}"), source.png()?);
    let mut beside = |name: &str, canvas: &Option<Canvas>| -> anyhow::Result<String> {
        let Some(canvas) = canvas else {
            return Ok(String::new());
        };
        let path = format!("{name}/{}.png", item.id);
        files.insert(format!("{folder}/{path}"), canvas.png()?);
        Ok(path)
    };
    let mut paths = vec![("source".to_owned(), text(path))];
    paths.push((
        "visual_instruction".to_owned(),
        text(beside("visual_instruction", &item.instruction)?),
    ));
    if item.target.is_some() {
        paths.push(("target".to_owned(), text(beside("target", &item.target)?)));
    }
    let mut line = vec![
        ("id".to_owned(), text(&item.id)),
        ("file_paths".to_owned(), Json::Object(paths)),
        (
            "text_prompt".to_owned(),
            object([("input_prompt", text(&item.ask))]),
        ),
    ];
    let besides = item.besides.clone();
    line.extend(besides.map(|(key, value)| (key.to_owned(), value)));
    Ok(Json::Object(line))
}

/// A model's pictures of a task and the three runs of the judge.
fn results(
    seed: u64,
    number: usize,
    model: &str,
    task: &Task,
    items: &[&Item],
    files: &mut Files,
) -> anyhow::Result<()> {
    let folder = task.results(model);
    let mut made = Vec::new();
    for item in items {
        let Some(take) = item
            .takes
            .get(number)
            .filter(|_| (model, task.name, item.id.as_str()) != MISSING)
        else {
            continue;
        };
        let path = format!("imgs/{}.png", item.id);
        files.insert(format!("{folder}/{path}"), take.picture.png()?);
        let line = vec![
            ("id".to_owned(), text(&item.id)),
            ("input_prompt".to_owned(), text(&item.ask)),
            ("saved_image_path".to_owned(), text(path)),
            ("status".to_owned(), text("success")),
        ];
        made.push((line, take, item.id.as_str()));
    }
    let plain = made.iter().map(|(line, ..)| Json::Object(line.clone()));
    files.insert(
        format!("{folder}/{}_results.json", task.name),
        pretty(&Json::List(plain.collect()))?,
    );
    for run in 1..=RUNS {
        let lines = made.iter().map(|(line, take, id)| {
            let mut line = line.clone();
            let mut random = Random::new(
                seed,
                &format!("{model} {} {run} {}", task.name, take.reason),
            );
            line.extend(judged(
                task,
                take,
                (model, task.name, *id, run),
                &mut random,
            ));
            Json::Object(line)
        });
        let list = pretty(&Json::List(lines.collect()))?;
        files.insert(format!("{folder}/{}_results_{run}.json", task.name), list);
    }
    Ok(())
}

/// What the authors' code stores of one run: an object per metric, and the item's score.
fn judged(task: &Task, take: &Take, place: Place<'_>, random: &mut Random) -> Vec<(String, Json)> {
    let mut stored = Vec::new();
    let mut scores = Vec::new();
    for metric in task.metrics {
        if place == UNREADABLE && metric.name == IA.name {
            let reply = format!("I see no way to put this into numbers. {}", take.reason);
            stored.push((
                metric.name.to_owned(),
                object([
                    ("error", text("no JSON object in the reply")),
                    ("raw", text(reply)),
                ]),
            ));
            continue;
        }
        if place == UNJUDGED && metric.name == BODY.name {
            continue;
        }
        let (verdict, score) = verdict(metric, take, place, random);
        stored.push((metric.name.to_owned(), verdict));
        scores.push(score);
    }
    if !scores.is_empty() {
        let product: f64 = scores.iter().product();
        let root = 1.0 / scores.len() as f64;
        stored.push(("score".to_owned(), number(rounded(product.powf(root)))));
    }
    stored
}

fn verdict(metric: &Metric, take: &Take, place: Place<'_>, random: &mut Random) -> (Json, f64) {
    let is_unsteady = ![POSE.name, ORIENTATION.name, BILLIARDS.name].contains(&metric.name)
        && metric.keys.len() > 2;
    // Now and then a run sees a fault that the others do not.
    let mut value = |key: &str| {
        let lack = take.lacks.iter().find(|(lacking, _)| *lacking == key);
        let sure = lack.map_or(1.0, |(_, value)| *value);
        // Limbs, axes and balls are seen alike by all, and a single score decides too much.
        if random.below(14) == 0 && is_unsteady {
            0.0
        } else {
            sure
        }
    };
    let scored = |score: f64| {
        [
            ("reason".to_owned(), text(&take.reason)),
            ("score".to_owned(), number(score)),
        ]
    };
    if metric.keys.is_empty() {
        let score = value(metric.name);
        return (Json::Object(scored(score).to_vec()), score);
    }
    let values: Vec<f64> = metric.keys.iter().map(|key| value(key)).collect();
    let mut entries = Vec::new();
    for (key, value) in metric.keys.iter().zip(&values) {
        let entry = if metric.name == POSE.name {
            text(if *value > 0.0 { "MATCH" } else { "MISMATCH" })
        } else {
            let mut entry = scored(*value).to_vec();
            if metric.name == ORIENTATION.name {
                entry.insert(
                    0,
                    ("needs_modification".to_owned(), Json::Flag(*key == "Yaw")),
                );
            }
            if place == OFF_THE_SCALE && *key == "Physical_Lighting_Consistency" {
                entry.pop();
                entry.push(("score".to_owned(), Json::Number(2)));
            }
            Json::Object(entry)
        };
        entries.push(((*key).to_owned(), entry));
    }
    let score = match (metric.name, values.as_slice()) {
        ("Billiards", &[cp, pc, cc]) => cp * f64::midpoint(pc, cc),
        // Only the axis that has to be turned counts in the authors' code.
        ("Orientation_Alignment", &[yaw, ..]) => yaw,
        (_, values) => values.iter().sum::<f64>() / values.len() as f64,
    };
    let score = rounded(score);
    entries.push(("score".to_owned(), number(score)));
    (Json::Object(entries), score)
}

fn rounded(score: f64) -> f64 {
    ((score + 1e-12) * 1e4).round() / 1e4
}

/// As Python writes what it read from a reply: whole numbers without a point.
fn number(score: f64) -> Json {
    match format!("{score}").parse() {
        Ok(whole) => Json::Number(whole),
        Err(_) => Json::Real(score),
    }
}

/// What the deictic metrics, and those of drafts, make of flaws.
fn lacks(flaws: &[Flaw]) -> Vec<(&'static str, f64)> {
    let mut lacks = Vec::new();
    for flaw in flaws {
        let more: &[(&str, f64)] = match flaw.kind() {
            Kind::Missing => &[
                ("Visual_Operator_Type_Compliance", 0.0),
                ("Textual_Action_Semantic_Compliance", 0.0),
                ("Visual_Instruction_Localization_Correctness", 0.0),
            ],
            Kind::Identity => &[
                ("Textual_Action_Semantic_Compliance", 0.0),
                ("Character Identity Consistency", 0.0),
            ],
            Kind::Size => &[("Visual_Seamlessness", 0.0)],
            Kind::Place => &[("Visual_Instruction_Localization_Correctness", 0.0)],
            Kind::Backdrop => &[
                ("Contextual_Preservation", 0.0),
                ("Context Preservation", 0.0),
            ],
            Kind::Cast => &[("Style_Consistency", 0.0)],
            Kind::Noise => &[
                ("Artifact-Free_Generation", 0.0),
                ("Visual_Seamlessness", 0.0),
                ("Context Preservation", 0.0),
                ("Visual_Integrity", 0.5),
            ],
        };
        lacks.extend_from_slice(more);
    }
    lacks
}

/// A model's pictures of a stage, each with its flaws, and what the judge sees.
fn takes(seed: u64, id: &str, stage: &Stage, flaws: &[Vec<Flaw>; 3]) -> Vec<Take> {
    let take = |(flaws, model): (&Vec<Flaw>, &str)| Take {
        picture: output(seed, &format!("{model} {id}"), stage, flaws),
        lacks: lacks(flaws),
        reason: sentence(stage, flaws),
    };
    flaws.iter().zip(MODELS).map(take).collect()
}

fn boxed(canvas: &mut Canvas, [x, y, w, h]: [f32; 4]) {
    canvas.line(
        &[(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)],
        4.0,
        p::RED,
    );
}

fn arrow(canvas: &mut Canvas, from: Point, to: Point) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).sqrt();
    let (ux, uy) = (dx / length, dy / length);
    let at = |along: f32, aside: f32| {
        (
            to.0 - along * ux - aside * uy,
            to.1 - along * uy + aside * ux,
        )
    };
    canvas.line(&[from, at(14.0, 0.0)], 6.0, p::RED);
    canvas.poly(&[to, at(22.0, 10.0), at(22.0, -10.0)], p::RED);
}

fn layer(draw: impl FnOnce(&mut Canvas)) -> Canvas {
    let mut canvas = Canvas::clear();
    draw(&mut canvas);
    canvas
}

/// The tasks that an item of a combined task asks for at once.
fn combined(task: &Task) -> Option<&'static str> {
    match task.list {
        "2-Tasks" => Some("AD+RM"),
        "3-Tasks" => Some("AD+RM+TR"),
        _ => None,
    }
}

/// A deictic item on one of the shared sources.
fn item(
    seed: u64,
    task: &'static Task,
    source: (&str, &Stage),
    ask: &str,
    instruction: Canvas,
    wanted: &Stage,
    flaws: &[Vec<Flaw>; 3],
) -> Item {
    let (path, before) = source;
    let id = path
        .rsplit('/')
        .next()
        .unwrap_or(path)
        .trim_end_matches(".png")
        .to_owned();
    Item {
        task,
        ask: ask.to_owned(),
        source: (path.to_owned(), before.draw(seed)),
        instruction: Some(instruction),
        besides: combined(task).map(|shorts| ("tasks", text(shorts))),
        target: None,
        takes: takes(seed, &format!("{} {id}", task.name), wanted, flaws),
        id,
    }
}

/// The shared sources: a drawn room, a beach, and a sketch of a garden.
#[expect(
    clippy::too_many_lines,
    reason = "one table of data, read from top to bottom"
)]
fn deictic_items(seed: u64) -> Vec<Item> {
    let lamp = prop(
        "the lamp",
        Thing::Lamp,
        (86.0, 232.0),
        126.0,
        [p::SUN, p::BARK],
    );
    let cat = prop(
        "the cat",
        Thing::Cat,
        (206.0, 252.0),
        96.0,
        [p::ORANGE, p::PAPER],
    );
    let plant = prop(
        "the plant",
        Thing::Plant,
        (318.0, 236.0),
        118.0,
        [p::MOSS, p::CORAL],
    );
    let boat = prop(
        "the boat",
        Thing::Boat,
        (96.0, 172.0),
        92.0,
        [p::RED, p::PAPER],
    );
    let ball = prop(
        "the ball",
        Thing::Ball,
        (266.0, 260.0),
        56.0,
        [p::CORAL, p::PAPER],
    );
    let umbrella = prop(
        "the umbrella",
        Thing::Umbrella,
        (150.0, 258.0),
        122.0,
        [p::TEAL, p::PAPER],
    );
    let gift = prop(
        "the gift",
        Thing::Gift,
        (266.0, 260.0),
        62.0,
        [p::PLUM, p::SUN],
    );
    let kite = prop(
        "the kite",
        Thing::Kite,
        (210.0, 112.0),
        84.0,
        [p::CORAL, p::SUN],
    );
    let tree = prop(
        "the tree",
        Thing::Tree,
        (96.0, 240.0),
        150.0,
        [p::MOSS, p::BARK],
    );
    let chair = prop(
        "the chair",
        Thing::Chair,
        (276.0, 252.0),
        108.0,
        [p::PLUM, p::BARK],
    );
    let room = Backdrop::Room(0x00d7_e4ea, p::WOOD);
    let room_of = |props: Vec<Prop>| Stage::new(room, props).in_mode(Mode::Cartoon);
    let beach_of = |props: Vec<Prop>| Stage::new(Backdrop::Beach, props);
    let garden_of = |props: Vec<Prop>| Stage::new(Backdrop::Hills, props).in_mode(Mode::Sketch);
    let drawn = room_of(vec![lamp.clone(), cat.clone()]);
    let beach = beach_of(vec![boat.clone(), ball.clone()]);
    let garden = garden_of(vec![tree.clone(), chair.clone()]);
    let [drawn, beach, garden] = [
        ("Common_Corpus/animation/animation_1.png", &drawn),
        ("Common_Corpus/real-world/real-world_1.png", &beach),
        ("Common_Corpus/sketch/sketch_1.png", &garden),
    ];
    let noise = Flaw::Noise(60);
    let at = |place: [f32; 4]| layer(|canvas| boxed(canvas, place));
    vec![
        item(
            seed,
            &ADDITION,
            drawn,
            "Put a potted plant into the red box.",
            at([262.0, 110.0, 112.0, 130.0]),
            &room_of(vec![lamp.clone(), cat.clone(), plant.clone()]),
            &[
                vec![],
                vec![Flaw::Moved(2, (40.0, 262.0))],
                vec![Flaw::Missing(2), noise],
            ],
        ),
        item(
            seed,
            &ADDITION,
            beach,
            "Put up an umbrella in the red box.",
            at([74.0, 128.0, 152.0, 136.0]),
            &beach_of(vec![boat.clone(), ball.clone(), umbrella.clone()]),
            &[vec![], vec![Flaw::Warm], vec![Flaw::Scaled(2, 0.5), noise]],
        ),
        item(
            seed,
            &REMOVAL,
            garden,
            "Take away what is in the red box.",
            at([222.0, 138.0, 110.0, 122.0]),
            &garden_of(vec![tree.clone()]),
            &[vec![], vec![], vec![Flaw::Missing(0)]],
        ),
        item(
            seed,
            &REPLACEMENT,
            beach,
            "Put a present with a bow in the place of what is in the red box.",
            at([228.0, 194.0, 78.0, 74.0]),
            &beach_of(vec![boat.clone(), gift.clone()]),
            &[
                vec![Flaw::Scaled(1, 1.6)],
                vec![Flaw::Dyed(1, [p::LEAF, p::PAPER])],
                vec![Flaw::Missing(1), Flaw::Warm],
            ],
        ),
        item(
            seed,
            &TRANSLATION,
            drawn,
            "Move what is in the red box along the arrow to its end.",
            layer(|canvas| {
                boxed(canvas, [154.0, 146.0, 106.0, 112.0]);
                arrow(canvas, (262.0, 206.0), (340.0, 206.0));
            }),
            &room_of(vec![lamp.clone(), cat.clone().at((318.0, 252.0), 96.0)]),
            &[
                vec![],
                vec![Flaw::Moved(1, (262.0, 262.0))],
                vec![Flaw::Moved(1, (206.0, 252.0))],
            ],
        ),
        item(
            seed,
            &TWO,
            garden,
            "Put a cat into the left red box, and take away what is in the right one.",
            layer(|canvas| {
                boxed(canvas, [134.0, 158.0, 84.0, 96.0]);
                boxed(canvas, [222.0, 138.0, 110.0, 122.0]);
            }),
            &garden_of(vec![tree.clone(), cat.clone().at((176.0, 248.0), 80.0)]),
            &[
                vec![],
                vec![Flaw::Scaled(1, 1.5)],
                vec![Flaw::Missing(1), noise],
            ],
        ),
        item(
            seed,
            &THREE,
            beach,
            "Put a kite into the upper red box, take away what is in the lower one, and move the boat along the arrow.",
            layer(|canvas| {
                boxed(canvas, [166.0, 22.0, 90.0, 96.0]);
                boxed(canvas, [228.0, 194.0, 78.0, 74.0]);
                arrow(canvas, (150.0, 150.0), (246.0, 150.0));
            }),
            &beach_of(vec![boat.clone().at((282.0, 172.0), 92.0), kite.clone()]),
            &[
                vec![Flaw::Warm],
                vec![Flaw::Missing(1)],
                vec![Flaw::Moved(0, (96.0, 172.0)), Flaw::Missing(1), noise],
            ],
        ),
    ]
}

#[expect(
    clippy::too_many_lines,
    reason = "one table of data, read from top to bottom"
)]
fn morphological_items(seed: u64) -> Vec<Item> {
    let room = Backdrop::Room(0x00f1_e6d6, p::WOOD);
    let mut items = vec![
        pose_item(
            seed,
            "1",
            Backdrop::Hills,
            [p::CORAL, p::BLUE],
            Pose::WAVING,
            &[vec![], vec![], vec![Limb::RightArm]],
        ),
        pose_item(
            seed,
            "2",
            Backdrop::Beach,
            [p::TEAL, p::PLUM],
            Pose::STAR,
            &[
                vec![Limb::LeftLeg],
                vec![Limb::LeftArm, Limb::LeftLeg],
                vec![Limb::LeftArm, Limb::RightArm, Limb::RightLeg],
            ],
        ),
    ];
    let car = prop(
        "the car",
        Thing::Car,
        (196.0, 252.0),
        86.0,
        [p::RED, p::SUN],
    );
    let before = Stage::new(Backdrop::Street, vec![car.clone()]);
    let after = Stage::new(Backdrop::Street, vec![car.turned()]);
    let flaws = [
        vec![],
        vec![Flaw::Dyed(0, [p::PLUM, p::SUN])],
        vec![Flaw::Turned(0), Flaw::Noise(60)],
    ];
    let mut turned = takes(seed, "car", &after, &flaws);
    if let [_, dyed, wrong] = turned.as_mut_slice() {
        dyed.lacks = vec![("Identity_Consistency", 0.0)];
        wrong.lacks.push(("Yaw", 0.0));
    }
    items.push(Item {
        task: &REORIENTATION,
        id: "car".to_owned(),
        ask: "Turn the car so that it faces as the frustum shows.".to_owned(),
        source: ("source/real-world/car.png".to_owned(), before.draw(seed)),
        instruction: Some(layer(frustum)),
        besides: None,
        target: None,
        takes: turned,
    });
    let chair = prop(
        "the chair",
        Thing::Chair,
        (110.0, 250.0),
        110.0,
        [p::TEAL, p::BARK],
    );
    let teapot = prop(
        "the teapot",
        Thing::Teapot,
        (262.0, 244.0),
        78.0,
        [p::LEAF, p::PAPER],
    );
    let before = Stage::new(room, vec![chair.clone()]);
    let after = Stage::new(room, vec![chair, teapot.clone()]);
    let flaws = [
        vec![],
        vec![Flaw::Dyed(1, [p::PLUM, p::ROSE]), Flaw::Warm],
        vec![Flaw::Missing(1)],
    ];
    items.push(Item {
        task: &DRAFT,
        id: "animation_7".to_owned(),
        ask: "Make the drawn thing a green teapot with a white band.".to_owned(),
        source: (
            "source/animation/animation_7.png".to_owned(),
            before.draw(seed),
        ),
        instruction: Some(layer(|canvas| teapot.draw(canvas, Mode::Lines(p::RED)))),
        besides: None,
        target: None,
        takes: takes(seed, "draft", &after, &flaws),
    });
    items
}

/// A viewing frustum that opens to the left.
fn frustum(canvas: &mut Canvas) {
    let (small, large): ([Point; 4], [Point; 4]) = (
        [
            (250.0, 196.0),
            (262.0, 190.0),
            (262.0, 222.0),
            (250.0, 230.0),
        ],
        [(92.0, 160.0), (124.0, 138.0), (124.0, 244.0), (92.0, 268.0)],
    );
    for corners in [small, large] {
        let mut around = corners.to_vec();
        around.push(corners[0]);
        canvas.line(&around, 4.0, p::RED);
    }
    for (from, to) in small.into_iter().zip(large) {
        canvas.line(&[from, to], 3.0, p::RED);
    }
}

fn pose_item(
    seed: u64,
    id: &str,
    backdrop: Backdrop,
    colours: [u32; 2],
    wanted: Pose,
    wrong: &[Vec<Limb>; 3],
) -> Item {
    let (at, size) = ((192.0, 266.0), 204.0);
    let stage = |pose: Pose| Stage::new(backdrop, Vec::new()).with_person(at, size, pose, colours);
    let mut sticks = Canvas::new(0);
    wanted.sticks(&mut sticks, at, size);
    let flaws = [vec![], vec![Flaw::Warm], vec![Flaw::Noise(60)]];
    let mut made = Vec::new();
    for ((limbs, flaws), model) in wrong.iter().zip(&flaws).zip(MODELS) {
        let pose = limbs
            .iter()
            .fold(wanted, |pose, limb| pose.with(*limb, Pose::STANDING));
        let stage = stage(pose);
        let keys = Limb::ALL.into_iter().zip(POSE.keys);
        let mut lacks = lacks(flaws);
        lacks.extend(
            keys.filter(|(limb, _)| limbs.contains(limb))
                .map(|(_, key)| (*key, 0.0)),
        );
        let reason = match limbs.len() {
            0 => "Every limb is held as the figure shows.",
            1 => "One limb is held as before.",
            _ => "Several limbs are held as before.",
        };
        made.push(Take {
            picture: output(seed, &format!("{model} pose {id}"), &stage, flaws),
            lacks,
            reason: reason.to_owned(),
        });
    }
    Item {
        task: &POSE_CONTROL,
        id: id.to_owned(),
        ask: "Bring the person into the pose of the stick figure.".to_owned(),
        source: (
            format!("images/real-world/{id}.png"),
            stage(Pose::STANDING).draw(seed),
        ),
        instruction: Some(sticks),
        besides: None,
        target: None,
        takes: made,
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "one table of data, read from top to bottom"
)]
fn causal_items(seed: u64) -> Vec<Item> {
    let room = Backdrop::Room(0x00e4_dccb, p::WOOD);
    let vase = prop(
        "the vase",
        Thing::Vase,
        (196.0, 250.0),
        128.0,
        [p::BLUE, p::PAPER],
    );
    let still = Stage::new(room, vec![vase.clone()]);
    let lit = |shadow: f32| still.clone().lit(shadow);
    let take = |name: &str,
                stage: &Stage,
                flaws: &[Flaw],
                lacks: Vec<(&'static str, f64)>,
                reason: &str| Take {
        picture: output(seed, name, stage, flaws),
        lacks,
        reason: reason.to_owned(),
    };
    let light = Item {
        task: &LIGHT_CONTROL,
        id: "sketch_3".to_owned(),
        ask: "Light the vase from where the arrow comes.".to_owned(),
        source: ("source/sketch_3.png".to_owned(), still.draw(seed)),
        instruction: Some(layer(|canvas| arrow(canvas, (28.0, 120.0), (138.0, 176.0)))),
        besides: None,
        target: None,
        takes: vec![
            take(
                "light 1",
                &lit(1.0),
                &[],
                vec![],
                "The shadow falls to the right, away from the arrow, and the left side is bright.",
            ),
            take(
                "light 2",
                &lit(0.5),
                &[Flaw::Warm],
                vec![
                    ("Direction_Matching_Consistency", 0.5),
                    ("Physical_Lighting_Consistency", 0.0),
                ],
                "The shadow falls to the right side, but is too short for such light.",
            ),
            take(
                "light 3",
                &lit(-1.0),
                &[],
                vec![
                    ("Direction_Matching_Consistency", 0.0),
                    ("Physical_Lighting_Consistency", 0.0),
                ],
                "The shadow falls towards the arrow.",
            ),
        ],
    };
    let flag = prop(
        "the flag",
        Thing::Flag,
        (170.0, 244.0),
        158.0,
        [p::RED, p::PAPER],
    );
    let tree = prop(
        "the tree",
        Thing::Tree,
        (306.0, 240.0),
        126.0,
        [p::MOSS, p::BARK],
    )
    .leaning(5.0);
    let before = Stage::new(Backdrop::Hills, vec![flag.clone(), tree.clone()]);
    let turned = Stage::new(Backdrop::Hills, vec![flag.turned(), tree.leaning(-10.0)]);
    let flow = Item {
        task: &FLOW,
        id: "animation_2".to_owned(),
        ask: "Let the wind blow as the arrow shows.".to_owned(),
        source: ("source/animation_2.png".to_owned(), before.draw(seed)),
        instruction: Some(layer(|canvas| arrow(canvas, (352.0, 66.0), (250.0, 66.0)))),
        besides: None,
        target: None,
        takes: vec![
            take(
                "flow 1",
                &turned,
                &[],
                vec![],
                "Flag and tree lean to the left, as the arrow does.",
            ),
            take(
                "flow 2",
                &turned,
                &[Flaw::Scaled(0, 0.7)],
                vec![("Wind-Other_Preservation", 0.0)],
                "The flag flies to the left, but it has shrunk.",
            ),
            take(
                "flow 3",
                &before,
                &[Flaw::Noise(50)],
                vec![("Wind_Direction_Consistency", 0.0)],
                "The flag flies to the right, against the arrow.",
            ),
        ],
    };
    vec![light, flow]
}

/// Cases of two, four and six cushions.
fn billiards_items(seed: u64) -> anyhow::Result<Vec<Item>> {
    let mut items = Vec::new();
    for number in [1, 3, 5] {
        let case = billiards::case(seed, number)?;
        let right = case.way();
        let target = case
            .layout
            .balls
            .iter()
            .find(|ball| ball.n == case.target)
            .copied();
        let other = case
            .layout
            .balls
            .iter()
            .find(|ball| ball.n != case.target)
            .copied();
        // As if the ball had been struck the other way.
        let astray = billiards::trace(&case.layout, case.theta + 140.0, case.k);
        let picture = |way: &billiards::Way, ball: Option<billiards::Ball>| {
            let mut shapes = billiards::table(&case.layout, case.theta, billiards::way_line(way));
            shapes.extend(ball.into_iter().flat_map(billiards::boxed));
            painted(&shapes)
        };
        items.push(Item {
            task: &BILLIARDS_TASK,
            id: case.id.clone(),
            ask: billiards::PROMPT.to_owned(),
            source: (format!("source/{}.png", case.id), table(&case)),
            instruction: None,
            besides: Some((
                "billiards",
                object([
                    ("k", Json::Number(case.k as usize)),
                    ("cushions", text(&case.cushions)),
                    ("target", Json::Number(case.target.into())),
                ]),
            )),
            target: Some(picture(&right, target)),
            takes: vec![
                Take {
                    picture: picture(&right, target),
                    lacks: Vec::new(),
                    reason: "Table, way and box are those of the right answer.".to_owned(),
                },
                Take {
                    picture: picture(&right, other),
                    lacks: vec![("Collision_Correctness", 0.0)],
                    reason:
                        "The way is right, and the box is around a ball that it does not touch."
                            .to_owned(),
                },
                Take {
                    picture: picture(&astray, if number == 1 { target } else { None }),
                    lacks: vec![
                        ("Path_Correctness", 0.0),
                        ("Collision_Correctness", if number == 1 { 1.0 } else { 0.0 }),
                    ],
                    reason: "The way does not start along the arrow.".to_owned(),
                },
            ],
        });
    }
    Ok(items)
}

fn table(case: &Case) -> Canvas {
    painted(&billiards::table(&case.layout, case.theta, Vec::new()))
}

#[expect(clippy::cast_possible_truncation, reason = "coordinates of a picture")]
fn painted(shapes: &[Shape]) -> Canvas {
    let place = |at: &billiards::Point| (at.x as f32, at.y as f32);
    let ink = |rgb: [u8; 3]| u32::from_be_bytes([0, rgb[0], rgb[1], rgb[2]]);
    let mut canvas = Canvas::sized(billiards::WIDTH, billiards::HEIGHT, p::WHITE);
    for shape in shapes {
        match shape {
            Shape::Rect { at, size, rgb } => {
                canvas.rect(
                    at.x as f32,
                    at.y as f32,
                    size.0 as f32,
                    size.1 as f32,
                    ink(*rgb),
                );
            }
            Shape::Disc { at, radius, rgb } => canvas.disc(place(at), *radius as f32, ink(*rgb)),
            Shape::Line { points, width, rgb } => {
                let points: Vec<Point> = points.iter().map(place).collect();
                canvas.line(&points, *width as f32, ink(*rgb));
            }
            Shape::Triangle { corners, rgb } => {
                canvas.poly(&corners.each_ref().map(place), ink(*rgb));
            }
        }
    }
    canvas
}
