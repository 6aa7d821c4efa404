//! Lays a suite out as MICON-Bench does: case cards with references, and per model pictures and a judge's checkpoints.
//!
//! Broken on purpose: `basalt-synth` lacks one picture, and the judge did not mark a checkpoint of another;
//! `cinder-synth` has a reply that could not be read and a story without a candidate score.

use super::json::{Json, object, text};
use super::kit::{Backdrop, Flaw, Kind, MODELS, Mode, Prop, Stage, Thing, prop, sentence};
use super::paint::Canvas;
use super::paint::palette as p;
use super::suite::{Files, indexed, output, pretty};

/// A task with its checkpoints for A, B, C, D, E, G, and which of them are hard.
struct Task {
    id: &'static str,
    checks: [usize; 6],
    hard: &'static [&'static str],
}

const LETTERS: [char; 6] = ['A', 'B', 'C', 'D', 'E', 'G'];

const OBJECT: Task = Task {
    id: "object_composition",
    checks: [3, 3, 3, 4, 0, 2],
    hard: &["A_check_1", "B_check_1"],
};
const SPATIAL: Task = Task {
    id: "spatial_geometric_constraints",
    checks: [3, 3, 4, 3, 0, 3],
    hard: &["A_check_1", "C_check_1"],
};
const ATTRIBUTE: Task = Task {
    id: "attribute_style_decoupling",
    checks: [3, 3, 3, 3, 0, 3],
    hard: &["A_check_1", "B_check_1", "C_check_1", "D_check_1"],
};
const COMPONENT: Task = Task {
    id: "local_element_transfer",
    checks: [3, 3, 3, 3, 0, 3],
    hard: &["A_check_1", "B_check_2", "C_check_1"],
};
const GROUND: Task = Task {
    id: "foreground_background_composition",
    checks: [3, 3, 3, 3, 0, 3],
    hard: &["B_check_1", "D_check_1"],
};
const STORY: Task = Task {
    id: "story_infer",
    checks: [3, 3, 3, 3, 3, 3],
    hard: &["A_check_1", "B_check_1", "E_check_1"],
};

/// What a story's picture is held against.
struct Story {
    background: &'static str,
    positive: [&'static str; 2],
    negative: [&'static str; 2],
    /// The candidate score of each model.
    scores: [usize; 3],
}

struct Case {
    task: &'static Task,
    number: usize,
    ask: &'static str,
    goal: &'static str,
    hard: [&'static str; 2],
    references: Vec<Canvas>,
    stage: Stage,
    flaws: [Vec<Flaw>; 3],
    story: Option<Story>,
}

impl Case {
    fn id(&self) -> String {
        format!("case_{:04}", self.number)
    }
}

const MISSING: (&str, &str, usize) = ("basalt-synth", "local_element_transfer", 2);
const CHECK_AS_TEXT: (&str, &str, usize) = ("basalt-synth", "object_composition", 2);
const UNREADABLE: (&str, &str, usize) = ("cinder-synth", "spatial_geometric_constraints", 1);
const WITHOUT_CANDIDATE: (&str, &str, usize) = ("cinder-synth", "story_infer", 2);

/// When the judging was done, as the authors' folders are named.
const STAMP: &str = "20260102_030405";

/// All files of the suite with its index.
pub(crate) fn files(seed: u64) -> anyhow::Result<Files> {
    let cases = cases(seed);
    let mut files = Files::new();
    let mut answer_sets = Vec::new();
    for case in &cases {
        let folder = format!("Evaluation/data/{}", case.task.id);
        let id = case.id();
        for (letter, canvas) in ('A'..).zip(&case.references) {
            files.insert(format!("{folder}/refs/{id}_R{letter}.png"), canvas.png()?);
        }
        files.insert(format!("{folder}/cases/{id}.yaml"), card(case).into_bytes());
        answer_sets.extend(case.story.as_ref().map(|story| answer_set(&id, story)));
    }
    files.insert(
        format!(
            "Evaluation/data/{}/simple_candidate_template.json",
            STORY.id
        ),
        pretty(&object([("cases", Json::List(answer_sets))]))?,
    );
    for (number, model) in MODELS.into_iter().enumerate() {
        for case in &cases {
            judged(seed, number, model, case, &mut files)?;
        }
    }
    indexed("Demo · MICON-Bench", files)
}

fn card(case: &Case) -> String {
    let (task, id) = (case.task.id, case.id());
    let mut lines = vec![
        format!("task_type: {task}"),
        format!("case_id: {id}"),
        "refs:".to_owned(),
    ];
    for (letter, _) in ('A'..).zip(&case.references) {
        lines.push(format!("  R{letter}: data/{task}/refs/{id}_R{letter}.png"));
    }
    lines.push("generation_prompt: |".to_owned());
    lines.push(format!("  {}", case.ask));
    lines.push(format!("goal: {}", case.goal));
    lines.push("constraints_hard:".to_owned());
    lines.extend(case.hard.iter().map(|hard| format!("  - {hard}")));
    lines.push("constraints_soft:".to_owned());
    lines.push("  - The picture is clean and of one style.".to_owned());
    lines.join("\n") + "\n"
}

fn answer_set(id: &str, story: &Story) -> Json {
    let list = |texts: &[&str]| Json::List(texts.iter().map(|one| text(*one)).collect());
    object([
        ("case_id", text(id)),
        ("background_summary", text(story.background)),
        ("positive_candidates", list(&story.positive)),
        ("negative_candidates", list(&story.negative)),
    ])
}

/// A model's picture of a case and what the judge said of it.
fn judged(
    seed: u64,
    number: usize,
    model: &str,
    case: &Case,
    files: &mut Files,
) -> anyhow::Result<()> {
    let (task, id) = (case.task.id, case.id());
    let place = (model, task, case.number);
    if place == MISSING {
        return Ok(());
    }
    let flaws = case.flaws.get(number).map_or(&[][..], Vec::as_slice);
    let path = format!("Evaluation/outputs/generations/{model}/{task}/{id}.png");
    let picture = output(seed, &path, &case.stage, flaws).png()?;
    files.insert(path, picture);
    let folder =
        format!("Evaluation/outputs/eval_res/{model}/{model}_{STAMP}/judgments/{task}/{id}");
    let reason = sentence(&case.stage, flaws);
    if place == UNREADABLE {
        let reply = format!("All in all: {reason} I would give it three stars.\n");
        files.insert(format!("{folder}/{model}_error.txt"), reply.into_bytes());
        return Ok(());
    }
    let verdict = verdict(case.task, flaws, &reason, place == CHECK_AS_TEXT);
    files.insert(format!("{folder}/{model}.json"), pretty(&verdict)?);
    let score = case
        .story
        .as_ref()
        .and_then(|story| story.scores.get(number));
    if let Some(&score) = score.filter(|_| place != WITHOUT_CANDIDATE) {
        let details = object([
            ("case_id", text(&id)),
            (
                "evaluation_result",
                object([
                    ("score", Json::Number(score)),
                    ("reasoning", text(reason)),
                    ("matches_positive", Json::Flag(score > 7)),
                    ("matches_negative", Json::Flag(score < 5)),
                ]),
            ),
        ]);
        files.insert(
            format!("{folder}/{model}_candidate_eval_details.json"),
            pretty(&details)?,
        );
    }
    Ok(())
}

/// The checkpoints that a flaw fails; those that a task does not have are passed over.
fn failed(flaw: Flaw) -> &'static [&'static str] {
    match flaw.kind() {
        Kind::Missing => &["A_check_1", "A_check_2", "B_check_2", "E_check_2"],
        Kind::Identity => &["B_check_1", "B_check_3", "D_check_2"],
        Kind::Size => &["C_check_2", "D_check_3"],
        Kind::Place => &["A_check_3", "C_check_1", "C_check_3"],
        Kind::Backdrop => &["D_check_1", "A_check_2", "E_check_1"],
        Kind::Cast => &["D_check_3", "G_check_2"],
        Kind::Noise => &["G_check_1", "G_check_2", "C_check_3", "D_check_2"],
    }
}

fn verdict(task: &Task, flaws: &[Flaw], reason: &str, is_odd: bool) -> Json {
    let fails: Vec<&str> = flaws
        .iter()
        .flat_map(|flaw| failed(*flaw))
        .copied()
        .collect();
    let mut checks = Vec::new();
    for (letter, count) in LETTERS.into_iter().zip(task.checks) {
        for number in 1..=count {
            let id = format!("{letter}_check_{number}");
            let pass = if is_odd && id == "C_check_2" {
                text("mostly")
            } else {
                Json::Number(usize::from(!fails.contains(&id.as_str())))
            };
            let mut entry = vec![("pass".to_owned(), pass)];
            if let Some(hard) = task.hard.iter().position(|hard| *hard == id) {
                entry.push(("hard_id".to_owned(), text(format!("H{}", hard + 1))));
            }
            checks.push((id, Json::Object(entry)));
        }
    }
    object([
        ("checkpoint_results", Json::Object(checks)),
        ("rationale_short", text(reason)),
        ("flags", Json::List(Vec::new())),
    ])
}

fn alone(thing: &Prop) -> Canvas {
    thing.portrait(p::PAPER, Mode::Full)
}

/// Two cases of every task.
#[expect(
    clippy::too_many_lines,
    reason = "one table of data, read from top to bottom"
)]
fn cases(seed: u64) -> Vec<Case> {
    use Backdrop::{Beach, Hills, Night, Room, Snow, Street};
    let scene = |backdrop: Backdrop, props: Vec<Prop>| Stage::new(backdrop, props).draw(seed);
    let mug = prop(
        "the mug",
        Thing::Mug,
        (120.0, 250.0),
        74.0,
        [p::TEAL, p::PAPER],
    );
    let clock = prop(
        "the clock",
        Thing::Clock,
        (258.0, 248.0),
        96.0,
        [p::CORAL, p::SUN],
    );
    let robot = prop(
        "the robot",
        Thing::Robot,
        (126.0, 254.0),
        128.0,
        [p::PLUM, p::SUN],
    );
    let fish = prop(
        "the fish",
        Thing::Fish,
        (286.0, 238.0),
        62.0,
        [p::ORANGE, p::PAPER],
    );
    let vase = prop(
        "the vase",
        Thing::Vase,
        (206.0, 246.0),
        118.0,
        [p::BLUE, p::PAPER],
    );
    let cake = prop(
        "the cake",
        Thing::Cake,
        (92.0, 256.0),
        66.0,
        [p::ROSE, p::PAPER],
    );
    let chair = prop(
        "the chair",
        Thing::Chair,
        (280.0, 250.0),
        110.0,
        [p::TEAL, p::BARK],
    );
    let cat = prop(
        "the cat",
        Thing::Cat,
        (176.0, 254.0),
        100.0,
        [p::STONE, p::PAPER],
    );
    let lamp = prop(
        "the lamp",
        Thing::Lamp,
        (96.0, 232.0),
        128.0,
        [p::SUN, p::BARK],
    );
    let car = prop(
        "the car",
        Thing::Car,
        (188.0, 250.0),
        76.0,
        [p::RED, p::SUN],
    );
    let hat = prop(
        "the hat",
        Thing::Hat,
        (174.0, 158.0),
        44.0,
        [p::INK, p::CORAL],
    );
    let balloon = prop(
        "the balloon",
        Thing::Balloon,
        (128.0, 150.0),
        116.0,
        [p::TEAL, p::SUN],
    );
    let boat = prop(
        "the boat",
        Thing::Boat,
        (206.0, 190.0),
        110.0,
        [p::WOOD, p::PAPER],
    );
    let tree = prop(
        "the tree",
        Thing::Tree,
        (92.0, 236.0),
        150.0,
        [p::MOSS, p::BARK],
    );
    let kite = prop(
        "the kite",
        Thing::Kite,
        (276.0, 132.0),
        104.0,
        [p::RED, p::SUN],
    );
    let ball = prop(
        "the ball",
        Thing::Ball,
        (206.0, 244.0),
        56.0,
        [p::CORAL, p::PAPER],
    );
    let room = Room(0x00dd_e6ee, p::WOOD);
    let noise = Flaw::Noise(70);
    vec![
        Case {
            task: &OBJECT,
            number: 1,
            ask: "Put the mug of the first picture and the clock of the second on one table.",
            goal: "One table with both things.",
            hard: ["Both things are there.", "Each looks as in its picture."],
            references: vec![alone(&mug), alone(&clock)],
            stage: Stage::new(room, vec![mug.clone(), clock.clone()]),
            flaws: [vec![], vec![Flaw::Warm], vec![Flaw::Missing(1)]],
            story: None,
        },
        Case {
            task: &OBJECT,
            number: 2,
            ask: "Let robot, fish and cake of the three pictures share a table.",
            goal: "A table with the three of them.",
            hard: ["All three are there.", "Each looks as in its picture."],
            references: vec![alone(&robot), alone(&fish), alone(&cake)],
            stage: Stage::new(
                room,
                vec![
                    robot.clone(),
                    fish.clone(),
                    cake.clone().at((214.0, 258.0), 60.0),
                ],
            ),
            flaws: [
                vec![],
                vec![Flaw::Scaled(1, 1.7)],
                vec![Flaw::Dyed(0, [p::LEAF, p::INK]), noise],
            ],
            story: None,
        },
        Case {
            task: &SPATIAL,
            number: 1,
            ask: "Put the vase between the cake on the left and the chair on the right.",
            goal: "Cake, vase, chair, from left to right.",
            hard: ["All three are there.", "The vase stands in the middle."],
            references: vec![alone(&cake), alone(&vase), alone(&chair)],
            stage: Stage::new(
                room,
                vec![
                    cake.clone(),
                    vase.clone(),
                    chair.clone().at((312.0, 250.0), 110.0),
                ],
            ),
            flaws: [
                vec![],
                vec![Flaw::Moved(1, (60.0, 214.0))],
                vec![Flaw::Missing(0), Flaw::Warm],
            ],
            story: None,
        },
        Case {
            task: &SPATIAL,
            number: 2,
            ask: "Show the balloon above the car, and the car heading left.",
            goal: "A car that heads left under a balloon.",
            hard: ["Both are there.", "The balloon is above the car."],
            references: vec![alone(&car), alone(&balloon)],
            stage: Stage::new(
                Street,
                vec![
                    car.clone().turned(),
                    balloon.clone().at((206.0, 146.0), 100.0),
                ],
            ),
            flaws: [
                vec![Flaw::Warm],
                vec![Flaw::Turned(0)],
                vec![Flaw::Moved(1, (66.0, 262.0)), Flaw::Turned(0)],
            ],
            story: None,
        },
        Case {
            task: &ATTRIBUTE,
            number: 1,
            ask: "Take the car of the first picture, the colours of the second and the backdrop of the third.",
            goal: "The car in other colours at night.",
            hard: ["It is the same car.", "It has the colours of the balloon."],
            references: vec![alone(&car), alone(&balloon), scene(Night, vec![])],
            stage: Stage::new(Night, vec![car.clone().dyed([p::TEAL, p::SUN])]),
            flaws: [
                vec![],
                vec![Flaw::Dyed(0, [p::RED, p::SUN])],
                vec![Flaw::Behind(Street), noise],
            ],
            story: None,
        },
        Case {
            task: &ATTRIBUTE,
            number: 2,
            ask: "Draw the vase of the first picture with the outlines of the second, on the beach of the third.",
            goal: "An outlined vase on a beach.",
            hard: ["It is the same vase.", "It has dark outlines."],
            references: vec![
                alone(&vase),
                kite.portrait(p::PAPER, Mode::Cartoon),
                scene(Beach, vec![]),
            ],
            stage: Stage::new(Beach, vec![vase.clone()]).in_mode(Mode::Cartoon),
            flaws: [
                vec![],
                vec![Flaw::Warm, Flaw::Scaled(0, 1.5)],
                vec![Flaw::Dyed(0, [p::CORAL, p::PAPER]), Flaw::Behind(Snow)],
            ],
            story: None,
        },
        Case {
            task: &COMPONENT,
            number: 1,
            ask: "Put the hat of the second picture on the cat of the first.",
            goal: "The cat with the hat.",
            hard: ["The cat is there.", "It is the same hat."],
            references: vec![scene(room, vec![cat.clone()]), alone(&hat)],
            stage: Stage::new(room, vec![cat.clone(), hat.clone()]),
            flaws: [
                vec![],
                vec![Flaw::Moved(1, (300.0, 250.0))],
                vec![Flaw::Missing(1), noise],
            ],
            story: None,
        },
        Case {
            task: &COMPONENT,
            number: 2,
            ask: "Give the room of the first picture the lamp of the second and the chair of the third.",
            goal: "A room with lamp and chair.",
            hard: [
                "Lamp and chair are there.",
                "Both look as in their pictures.",
            ],
            references: vec![scene(room, vec![]), alone(&lamp), alone(&chair)],
            stage: Stage::new(room, vec![lamp.clone(), chair.clone()]),
            flaws: [
                vec![Flaw::Scaled(1, 0.5)],
                vec![],
                vec![Flaw::Dyed(1, [p::RED, p::BARK])],
            ],
            story: None,
        },
        Case {
            task: &GROUND,
            number: 1,
            ask: "Keep the robot of the first picture and put it in front of the second.",
            goal: "The robot at the beach.",
            hard: ["It is the same robot.", "It is the same beach."],
            references: vec![scene(room, vec![robot.clone()]), scene(Beach, vec![])],
            stage: Stage::new(Beach, vec![robot.clone()]),
            flaws: [
                vec![],
                vec![Flaw::Scaled(0, 0.5), Flaw::Warm],
                vec![Flaw::Behind(room)],
            ],
            story: None,
        },
        Case {
            task: &GROUND,
            number: 2,
            ask: "Let the boat of the first picture sail in front of the hills of the second.",
            goal: "The boat before the hills.",
            hard: ["It is the same boat.", "They are the same hills."],
            references: vec![alone(&boat), scene(Hills, vec![tree.clone()])],
            stage: Stage::new(
                Hills,
                vec![tree.clone(), boat.clone().at((250.0, 240.0), 100.0)],
            ),
            flaws: [
                vec![],
                vec![],
                vec![Flaw::Dyed(1, [p::PLUM, p::ROSE]), noise],
            ],
            story: None,
        },
        Case {
            task: &STORY,
            number: 1,
            ask: "What happens next? Show the third picture of the story.",
            goal: "The story goes on as the wind lets it.",
            hard: ["The kite is there.", "It is the same kite."],
            references: vec![
                scene(Hills, vec![tree.clone(), kite.clone()]),
                scene(
                    Hills,
                    vec![
                        tree.clone(),
                        kite.clone().at((190.0, 180.0), 104.0).leaning(40.0),
                    ],
                ),
            ],
            stage: Stage::new(
                Hills,
                vec![
                    tree.clone(),
                    kite.clone().at((110.0, 206.0), 96.0).leaning(80.0),
                ],
            ),
            flaws: [
                vec![],
                vec![Flaw::Moved(1, (300.0, 120.0))],
                vec![Flaw::Missing(1), Flaw::Behind(Beach)],
            ],
            story: Some(Story {
                background: "A kite flies over a meadow. The wind drops, and the kite sinks towards a tree.",
                positive: [
                    "The kite hangs in the tree.",
                    "The kite lies on the grass by the tree.",
                ],
                negative: [
                    "The kite flies higher than before.",
                    "There is no kite any more.",
                ],
                scores: [9, 4, 1],
            }),
        },
        Case {
            task: &STORY,
            number: 2,
            ask: "What happens next? Show the third picture of the story.",
            goal: "The story goes on as a ball rolls.",
            hard: ["The ball is there.", "It is the same ball."],
            references: vec![
                scene(
                    room,
                    vec![
                        ball.clone().at((80.0, 244.0), 56.0),
                        vase.clone().at((308.0, 246.0), 108.0),
                    ],
                ),
                scene(
                    room,
                    vec![ball.clone(), vase.clone().at((308.0, 246.0), 108.0)],
                ),
            ],
            stage: Stage::new(
                room,
                vec![
                    ball.clone().at((236.0, 252.0), 56.0),
                    vase.clone().at((296.0, 248.0), 108.0).leaning(34.0),
                ],
            ),
            flaws: [
                vec![Flaw::Warm],
                vec![Flaw::Scaled(0, 1.8)],
                vec![Flaw::Dyed(0, [p::SEA, p::PAPER]), noise],
            ],
            story: Some(Story {
                background: "A ball rolls over a table towards a vase.",
                positive: [
                    "The ball knocks the vase over.",
                    "The ball touches the vase and stops.",
                ],
                negative: ["The ball rolls back by itself.", "The vase floats away."],
                scores: [8, 7, 3],
            }),
        },
    ]
}
