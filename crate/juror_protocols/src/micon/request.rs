//! A case → what the judge is asked: texts put together from a pack and a card, pictures in the exact order.
//!
//! Every request shows the references first, in their order, and the generated picture last.

use super::card::{AnswerSet, Card, answers_of, card_of};
use super::sources::{builder_texts, candidate_text_of, system_text_of};
use super::specific::{is_specific, laid_over, problems, questions_about};
use super::{CHECKPOINTS, REQUESTS, TASKS, Task};
use crate::contract::{Requests, TextsBySample};
use crate::error::Error;
use crate::micon::{DIMENSIONS, Micon, STORY};
use crate::output;
use juror_model::judge::{JudgePreset, Wire};
use juror_model::linked::World;
use juror_model::problem::Problem;
use juror_model::prompt::{PromptPack, Release};
use juror_model::request::{Draft, GeneratorInput, InputKey, PartView, RequestKey, Treatment};
use juror_model::sample::{Sample, Span, Turn};
use juror_model::terms::RequestInfo;
use juror_model::tree::{base_name, join, parent};
use juror_reading::py;

/// Where the authors' prompt builder writes that the generated picture is; the judge sees these words as they are.
const CANDIDATE_FOLDER: &str = "outputs/generations/<model>";
/// The pack's name for the text around everything.
const TEMPLATE: &str = "checkpoints";
/// For the line above a card's hard constraints.
pub(super) const HARD_HEADING: &str = "hard_constraints";
/// For the story request.
const CANDIDATE: &str = "candidate";
/// The system message in front of a story request.
const SYSTEM: &str = "candidate system";
const OWN_SYSTEM: &str = "You have judged many pictures and say plainly how good one is.";
/// Our own line above hard constraints.
const OWN_HEADING: &str = "Hard constraints:";

/// The authors' judge texts.
const RELEASES: &[Release] = &[Release {
    sha256: "16118f731808f10e77d18a6370cc105cfcf056a407f8ba08fa996000cc552d03",
    source: "Angusliuuu/MICON-Bench f32acfd6624c660d7a92fbe341a7770de2b24936 Evaluation/templates, scripts/build_prompts.py, evaluators/candidate_evaluator.py",
}];

impl Requests for Micon {
    fn requests(&self) -> Vec<RequestInfo> {
        let letters = DIMENSIONS.map(|dimension| dimension.letter.to_string());
        vec![
            RequestInfo {
                id: CHECKPOINTS.to_owned(),
                short: "CP".to_owned(),
                label: "Checkpoints".to_owned(),
                criteria: letters.to_vec(),
            },
            RequestInfo {
                id: CANDIDATE.to_owned(),
                short: "Cand".to_owned(),
                label: "Candidate answer".to_owned(),
                criteria: vec![CANDIDATE.to_owned()],
            },
        ]
    }

    fn requests_of(&self, sample: &Sample, _turn: &Turn) -> Vec<&'static str> {
        let is_story = sample.domain == STORY;
        let requests = if is_story {
            &REQUESTS[..]
        } else {
            &REQUESTS[..1]
        };
        requests.to_vec()
    }

    fn built_in_pack(&self) -> PromptPack {
        built_in_pack()
    }

    /// Table 4 is of the Object and the Spatial task, whose prompts name their objects.
    fn is_measured_by_networks(&self, sample: &Sample) -> bool {
        Task::find(&sample.domain).is_some_and(|task| matches!(task.label, "Object" | "Spatial"))
    }

    fn may_hold_prompts(&self, path: &str) -> bool {
        may_hold_prompts(path)
    }

    /// The folder that holds a set of texts: the one above `templates`, `scripts` and `evaluators`, or where they all lie together.
    ///
    /// # Example
    /// ```
    /// use juror_protocols::contract::Requests;
    /// use juror_protocols::micon::Micon;
    /// assert_eq!(Micon.prompt_root("E/templates/Q&A/causal_story.qa.txt"), "E");
    /// assert_eq!(Micon.prompt_root("E/scripts/build_prompts.py"), "E");
    /// assert_eq!(Micon.prompt_root("my texts/build_prompts.py"), "my texts");
    /// ```
    fn prompt_root<'a>(&self, path: &'a str) -> &'a str {
        let mut folder = parent(path);
        for name in ["Q&A", "templates", "scripts", "evaluators"] {
            if base_name(folder) == name {
                folder = parent(folder);
            }
        }
        folder
    }

    fn official_pack(&self, files: &[(&str, &str)]) -> Option<PromptPack> {
        official_pack(files)
    }

    fn texts_by_sample(&self) -> Option<&dyn TextsBySample> {
        Some(self)
    }

    /// The request of one kind about one case.
    ///
    /// # Errors
    /// There is no such case or kind, no picture to judge, or no answer set: the authors' scripts do not ask then either.
    fn request(
        &self,
        world: &World<'_>,
        pack: &PromptPack,
        key: &RequestKey,
    ) -> Result<Draft, Error> {
        let (_, sample, slot, turn) = world
            .turn(&key.sample, key.turn)
            .ok_or_else(|| Error::no_turn(key.turn, "case", &key.sample))?;
        let task =
            Task::find(&sample.domain).ok_or_else(|| Error::unknown("task", &sample.domain))?;
        let is_known = REQUESTS.contains(&key.criterion.as_str());
        if !is_known || (key.criterion == CANDIDATE && !task.is_story()) {
            return Err(Error::NotAsked(format!(
                "Cases of {} are not judged on {}.",
                task.id, key.criterion
            )));
        }
        let output = output(world, key, slot, &turn.output_name)?;
        let mut draft = Draft::default();
        let treatment = if key.criterion == CHECKPOINTS {
            Treatment::AsIs
        } else {
            Treatment::RgbPng
        };
        let references = references(world, sample, &key.criterion, &treatment, &mut draft.notes);
        let text = if key.criterion == CHECKPOINTS {
            // The authors count the references that the card names, also where a file is missing.
            with_order(
                text_with(
                    pack,
                    task,
                    &card_of(sample),
                    questions_about(pack, task, &sample.id),
                )?,
                sample.pictures.len(),
            )
        } else {
            if references.is_empty() {
                return Err(Error::MissingFile(
                    "No reference of the story is at hand, and the authors' code does not ask then."
                        .to_owned(),
                ));
            }
            draft.system = pack.text(SYSTEM).map(str::to_owned);
            candidate_text(pack, references.len(), &answers_of(sample)?)?
        };
        draft.parts.push(PartView::Text { text });
        draft.parts.extend(references);
        draft.parts.push(PartView::Image {
            file: Some(output),
            path: world.tree.path(output).to_owned(),
            role: "output".to_owned(),
            number: None,
            treatment,
            other: None,
        });
        Ok(draft)
    }

    /// What a generator is given: the references in the card's order, then the instruction.
    ///
    /// # Errors
    /// There is no such case.
    fn generator_input(&self, world: &World<'_>, key: &InputKey) -> Result<GeneratorInput, Error> {
        let (_, sample, _, turn) = world
            .turn(&key.sample, key.turn)
            .ok_or_else(|| Error::no_turn(key.turn, "case", &key.sample))?;
        let mut notes = Vec::new();
        let mut parts = references(world, sample, CHECKPOINTS, &Treatment::AsIs, &mut notes);
        parts.push(PartView::Text {
            text: turn.instruction.clone(),
        });
        Ok(GeneratorInput::one_message(parts, notes))
    }

    fn class(&self, _turn: &Turn) -> &'static str {
        ""
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        vec![Span {
            text: text.to_owned(),
            picture: None,
        }]
    }

    fn judges(&self) -> Vec<JudgePreset> {
        vec![
            JudgePreset::new(
                "qwen3-vl-32b",
                "Qwen3-VL-32B",
                Wire::OpenAi,
                "Qwen/Qwen3-VL-32B-Instruct",
            )
            .temperature(0.1)
            .max_tokens(800),
            JudgePreset::new(
                "internvl3.5-38b",
                "InternVL3.5-38B",
                Wire::OpenAi,
                "OpenGVLab/InternVL3_5-38B",
            )
            .temperature(0.1)
            .max_tokens(800),
        ]
    }
}

impl TextsBySample for Micon {
    fn is_file(&self, path: &str) -> bool {
        is_specific(path)
    }

    fn laid_over(&self, pack: &PromptPack, path: &str, text: &str) -> Option<PromptPack> {
        laid_over(pack, path, text)
    }

    fn problems(&self, path: &str, text: &str, samples: &[Sample]) -> Vec<Problem> {
        problems(path, text, samples)
    }
}

/// The built-in texts, in our own words: the same checkpoint ids and marks, and the protocol's reply grammar.
pub fn built_in_pack() -> PromptPack {
    let own = [
        include_str!("prompts/object_composition.txt"),
        include_str!("prompts/spatial_constraints.txt"),
        include_str!("prompts/style_disentangle.txt"),
        include_str!("prompts/part_transfer.txt"),
        include_str!("prompts/fg_bg_replace.txt"),
        include_str!("prompts/causal_story.txt"),
    ];
    let mut texts = vec![
        (
            TEMPLATE.to_owned(),
            include_str!("prompts/checkpoints.txt").to_owned(),
        ),
        (
            CANDIDATE.to_owned(),
            include_str!("prompts/candidate.txt").to_owned(),
        ),
        (SYSTEM.to_owned(), OWN_SYSTEM.to_owned()),
        (HARD_HEADING.to_owned(), OWN_HEADING.to_owned()),
    ];
    for (task, text) in TASKS.iter().zip(own) {
        // A file holds the guideline, a blank line, and the questions.
        let (guideline, questions) = text.split_once("\n\n").unwrap_or(("", text));
        texts.push((guideline_key(task), guideline.to_owned()));
        texts.push((questions_key(task), questions.trim().to_owned()));
    }
    PromptPack::new("juror-micon/1", texts)
}

pub(super) fn guideline_key(task: &Task) -> String {
    format!("guideline {}", task.id)
}

/// The judge's questions about the cases of a task, as a pack has them.
pub(super) fn questions_of<'a>(pack: &'a PromptPack, task: &Task) -> &'a str {
    pack.text(&questions_key(task)).unwrap_or_default()
}

fn questions_key(task: &Task) -> String {
    format!("questions {}", task.id)
}

/// Whether a file of this path may hold texts of the authors.
pub fn may_hold_prompts(path: &str) -> bool {
    let name = base_name(path);
    let is_questions = |name: &str| TASKS.iter().any(|task| task.questions == name);
    [
        "judge_prompt.template.txt",
        "build_prompts.py",
        "candidate_evaluator.py",
    ]
    .contains(&name)
        || is_specific(path)
        || name.strip_suffix(".qa.txt").is_some_and(is_questions)
}

/// The authors' texts: the template and the six question files at least.
///
/// Guidelines and the heading of hard constraints stand in `build_prompts.py`, the story request in `candidate_evaluator.py`.
/// Without these two files Juror's own texts take their place, and the pack is not called official.
pub fn official_pack(files: &[(&str, &str)]) -> Option<PromptPack> {
    let named = |wanted: &str| {
        let mut found = files.iter().filter(|(path, _)| base_name(path) == wanted);
        found
            .next()
            .map(|(path, text)| (*path, text.replace("\r\n", "\n")))
    };
    let (origin, template) = named("judge_prompt.template.txt")?;
    let mut texts = vec![(TEMPLATE.to_owned(), template)];
    for task in &TASKS {
        let (_, questions) = named(&format!("{}.qa.txt", task.questions))?;
        texts.push((
            questions_key(task),
            questions.trim_matches(py::is_space).to_owned(),
        ));
    }
    let builder = named("build_prompts.py").and_then(|(_, source)| builder_texts(&source));
    let evaluator = named("candidate_evaluator.py").map(|(_, source)| source);
    let candidate = evaluator.as_deref().and_then(candidate_text_of);
    let system = evaluator.as_deref().and_then(system_text_of);
    let mut own = Vec::new();
    let built_in = built_in_pack();
    let mut take_own = |key: String| {
        let text = built_in.text(&key).unwrap_or_default().to_owned();
        texts.push((key, text));
    };
    if let Some(found) = builder {
        texts.extend(found);
    } else {
        own.push("guidelines (build_prompts.py is missing)");
        take_own(HARD_HEADING.to_owned());
        for task in &TASKS {
            take_own(guideline_key(task));
        }
    }
    if let Some(text) = candidate {
        texts.push((CANDIDATE.to_owned(), text));
        if let Some(system) = system {
            texts.push((SYSTEM.to_owned(), system));
        } else {
            own.push("system message of story requests (not found in candidate_evaluator.py)");
            texts.push((SYSTEM.to_owned(), OWN_SYSTEM.to_owned()));
        }
    } else {
        own.push("story request (candidate_evaluator.py is missing)");
        let text = built_in.text(CANDIDATE).unwrap_or_default();
        texts.push((CANDIDATE.to_owned(), text.to_owned()));
        texts.push((SYSTEM.to_owned(), OWN_SYSTEM.to_owned()));
    }
    if own.is_empty() {
        return Some(PromptPack::found(origin, texts, RELEASES));
    }
    let name = format!("{origin}, with our own {}", own.join(" and "));
    Some(PromptPack::found(&name, texts, &[]))
}

/// The ids that a text names as checkpoints, with the number of their hard mark: `A_check_1 (H1)`.
///
/// # Example
/// ```
/// use juror_protocols::micon::request::checkpoints_of;
/// let found = checkpoints_of("- A_check_1 (H1): x\n- B_check_12: y (H3)");
/// assert_eq!(found, [("A_check_1".to_owned(), Some("1".to_owned())), ("B_check_12".to_owned(), None)]);
/// ```
pub fn checkpoints_of(text: &str) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    let digits = |text: &str| -> String {
        text.chars()
            .take_while(|c| py::decimal_digit(*c).is_some())
            .collect()
    };
    for (at, word) in text.match_indices("_check_") {
        let letter = text[..at]
            .chars()
            .next_back()
            .filter(|c| ('A'..='G').contains(c));
        let number = digits(&text[at + word.len()..]);
        let Some(letter) = letter.filter(|_| !number.is_empty()) else {
            continue;
        };
        let rest = &text[at + word.len() + number.len()..];
        let mark = rest
            .trim_start_matches(py::is_space)
            .strip_prefix("(H")
            .and_then(|rest| {
                let mark = digits(rest);
                (!mark.is_empty() && rest[mark.len()..].starts_with(')')).then_some(mark)
            });
        found.push((format!("{letter}{word}{number}"), mark));
    }
    found
}

/// The shape of the reply as the judge is shown it: every checkpoint, and one line per hard constraint **of the card**.
///
/// The number of hard constraints is the card's own, not that of the hard checkpoints, as in the authors' builder.
pub fn skeleton(checkpoints: &[(String, Option<String>)], num_constraints: usize) -> String {
    let checkpoint = |(id, mark): &(String, Option<String>)| match mark {
        Some(mark) => format!("    \"{id}\": {{\"pass\": 0 or 1, \"hard_id\": \"H{mark}\"}}"),
        None => format!("    \"{id}\": {{\"pass\": 0 or 1}}"),
    };
    let block = |lines: Vec<String>, none: &str| {
        if lines.is_empty() {
            none.to_owned()
        } else {
            lines.join(",\n")
        }
    };
    let checkpoints = block(
        checkpoints.iter().map(checkpoint).collect(),
        "    // No checkpoints defined",
    );
    let constraints = (1..=num_constraints).map(|number| format!("    \"H{number}\": 0 or 1"));
    let constraints = block(constraints.collect(), "    // No hard constraints");
    format!(
        "{{\n  \"checkpoint_results\": {{\n{checkpoints}\n  }},\n  \"hard_constraint_results\": {{\n{constraints}\n  }},\n  \"rationale_short\": \"<<=200 chars>>\",\n  \"flags\": [\n    \"...\"\n  ]\n}}"
    )
}

/// The text of a checkpoint request with the questions of the task.
///
/// # Errors
/// The pack lacks a text.
pub fn checkpoint_text(pack: &PromptPack, task: &Task, card: &Card) -> Result<String, Error> {
    text_with(pack, task, card, questions_of(pack, task))
}

/// The same with these questions.
fn text_with(
    pack: &PromptPack,
    task: &Task,
    card: &Card,
    questions: &str,
) -> Result<String, Error> {
    let text = |key: &str| pack.text(key).ok_or_else(|| Error::no_prompt(key));
    let refs: Vec<String> = card
        .refs
        .iter()
        .map(|(name, path)| format!("- {name}: {path}"))
        .collect();
    let refs = if refs.is_empty() {
        "No reference images.".to_owned()
    } else {
        refs.join("\n")
    };
    let mut goal = vec![format!("Goal: {}", card.goal)];
    if !card.constraints_hard.is_empty() {
        goal.push(text(HARD_HEADING)?.to_owned());
        goal.extend(
            (1..)
                .zip(&card.constraints_hard)
                .map(|(number, constraint)| format!("- H{number}: {constraint}")),
        );
    }
    let guideline = text(&guideline_key(task))?;
    if questions.is_empty() {
        return Err(Error::no_prompt(&questions_key(task)));
    }
    let separator = if guideline.is_empty() { "" } else { "\n\n" };
    let questions = format!("{guideline}{separator}{questions}");
    let shape = skeleton(&checkpoints_of(&questions), card.constraints_hard.len());
    Ok(fill(
        text(TEMPLATE)?,
        &[
            ("{{", "{"),
            ("}}", "}"),
            ("{TASK_TYPE}", task.id),
            ("{REFS_BLOCK}", &refs),
            (
                "{GEN_PROMPT_BLOCK}",
                &format!("\"{}\"", card.generation_prompt),
            ),
            (
                "{CANDIDATE_PATH}",
                &format!("{CANDIDATE_FOLDER}/{}/{}.png", task.id, card.case_id),
            ),
            ("{GOAL_AND_CONSTRAINTS}", &goal.join("\n")),
            ("{TASK_QA_BLOCK}", &questions),
            ("{CHECKPOINT_JSON_FORMAT}", &shape),
        ],
    ))
}

/// The text of a story's candidate request.
///
/// # Errors
/// The pack lacks a text.
pub fn candidate_text(
    pack: &PromptPack,
    num_references: usize,
    answers: &AnswerSet,
) -> Result<String, Error> {
    let template = pack
        .text(CANDIDATE)
        .ok_or_else(|| Error::no_prompt(CANDIDATE))?;
    let numbered = |texts: &[String]| -> String {
        let line = |(number, text): (usize, &String)| format!("{number}. {text}\n");
        (1..).zip(texts).map(line).collect()
    };
    Ok(fill(
        template,
        &[
            ("{NUM_REFERENCES}", &num_references.to_string()),
            ("{BACKGROUND}", &answers.background),
            ("{POSITIVE}", &numbered(&answers.positive)),
            ("{NEGATIVE}", &numbered(&answers.negative)),
        ],
    ))
}

/// A text as it is sent: with a line on the order of the pictures in front, if it has none itself.
///
/// # Example
/// ```
/// use juror_protocols::micon::request::with_order;
/// assert_eq!(with_order("The image order is …".into(), 2), "The image order is …");
/// assert!(with_order("Judge.".into(), 2).ends_with("\n\nJudge."));
/// ```
pub fn with_order(text: String, num_references: usize) -> String {
    if text.to_lowercase().contains("image order") {
        return text;
    }
    format!(
        "Image order: the first {num_references} picture(s) are references, the last one is the generated picture to judge.\n\n{text}"
    )
}

/// References that the story request shows, in this order.
const STORY_REFERENCES: [&str; 3] = ["RA", "RB", "RC"];

/// The model's picture for this case.
fn output(world: &World<'_>, key: &RequestKey, slot: u32, name: &str) -> Result<u32, Error> {
    let model = world.model(&key.model);
    let file = model.and_then(|model| output::shown(model, slot));
    file.ok_or_else(|| {
        let folder = model.map_or("", |model| &model.submission.output_folder);
        Error::MissingFile(format!(
            "{} is not among the files or cannot be read: there is no picture to judge, and the authors' scripts skip such a case.",
            join(folder, name)
        ))
    })
}

/// The references that a request shows; those without a file are left out and noted.
fn references(
    world: &World<'_>,
    sample: &Sample,
    request: &str,
    treatment: &Treatment,
    notes: &mut Vec<String>,
) -> Vec<PartView> {
    let all = (1u32..).zip(&sample.pictures);
    let wanted: Vec<_> = if request == CHECKPOINTS {
        all.collect()
    } else {
        let pictures: Vec<_> = all.collect();
        let named = |name: &&str| pictures.iter().find(|(_, picture)| picture.label == *name);
        STORY_REFERENCES.iter().filter_map(named).copied().collect()
    };
    let mut parts = Vec::new();
    for (number, picture) in wanted {
        let path = join(&world.benchmark.folder, &picture.path);
        if picture.file.is_none() {
            notes.push(format!(
                "The reference {path} is missing or cannot be read: the authors' code leaves a missing one out, and the judge sees the rest."
            ));
            continue;
        }
        parts.push(PartView::Image {
            file: picture.file,
            path,
            role: picture.label.clone(),
            number: Some(number),
            treatment: treatment.clone(),
            other: None,
        });
    }
    parts
}

/// Puts values in the places of fields; what a value holds is not looked at again.
fn fill(template: &str, fields: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() * 2);
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (used, text) = fields
            .iter()
            .copied()
            .find(|(field, _)| rest.starts_with(field))
            .unwrap_or((&rest[..1], &rest[..1]));
        out.push_str(text);
        rest = &rest[used.len()..];
    }
    out + rest
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::micon::CHECKPOINT_IDS;

    fn card() -> Card {
        Card {
            case_id: "case_0011".to_owned(),
            refs: vec![
                ("RB".to_owned(), "data/x/b.png".to_owned()),
                ("RA".to_owned(), "data/x/a.png".to_owned()),
            ],
            generation_prompt: "Put {GOAL} here.".to_owned(),
            goal: "One scene.".to_owned(),
            constraints_hard: vec!["all there".to_owned()],
            ..Card::default()
        }
    }

    #[test]
    fn our_own_questions_have_exactly_the_checkpoints_and_marks_that_are_scored() {
        let pack = built_in_pack();
        for task in &TASKS {
            let found = checkpoints_of(pack.text(&questions_key(task)).unwrap());
            let ids: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
            let expected: Vec<&str> = task
                .checkpoints()
                .map(|(at, _)| CHECKPOINT_IDS[at])
                .collect();
            assert_eq!(ids, expected, "{}", task.id);
            let marked = found
                .iter()
                .filter_map(|(id, mark)| Some((mark.clone()?, id.as_str())));
            let hard = (1..)
                .zip(task.hard)
                .map(|(number, id): (u32, _)| (number.to_string(), *id));
            assert!(marked.eq(hard), "{}", task.id);
            let guideline = pack.text(&guideline_key(task)).unwrap();
            assert!(guideline.starts_with('[') && checkpoints_of(guideline).is_empty());
        }
    }

    #[test]
    fn the_card_stands_in_the_text_as_it_is_and_in_its_order() {
        let task = Task::find("object_composition").unwrap();
        let text = checkpoint_text(&built_in_pack(), task, &card()).unwrap();
        assert!(text.contains("- RB: data/x/b.png\n- RA: data/x/a.png"));
        assert!(
            text.contains("\"Put {GOAL} here.\""),
            "a card's braces are no fields"
        );
        assert!(text.contains("outputs/generations/<model>/object_composition/case_0011.png"));
        assert!(text.contains("Goal: One scene.\nHard constraints:\n- H1: all there"));
        assert!(text.contains("    \"B_check_1\": {\"pass\": 0 or 1, \"hard_id\": \"H2\"},\n"));
        assert!(text.contains("    \"G_check_2\": {\"pass\": 0 or 1}\n  },\n"));
        assert_eq!(
            text.matches("\n    \"H").count(),
            1,
            "one line per constraint of the card"
        );
        assert_eq!(with_order(text.clone(), 2), text);
    }

    #[test]
    fn a_card_without_constraints_or_references_says_so() {
        let task = Task::find("story_infer").unwrap();
        let text = checkpoint_text(&built_in_pack(), task, &Card::default()).unwrap();
        assert!(text.contains("    // No hard constraints\n") && !text.contains(OWN_HEADING));
        assert!(text.contains("No reference images."));
    }

    #[test]
    fn the_story_request_lists_both_answer_sets() {
        let answers = AnswerSet {
            background: "A ball rolls.".to_owned(),
            positive: vec!["It falls.".to_owned(), "It stops.".to_owned()],
            negative: vec!["It flies.".to_owned()],
        };
        let text = candidate_text(&built_in_pack(), 3, &answers).unwrap();
        assert!(text.contains("the first 3 pictures"));
        assert!(text.contains("1. It falls.\n2. It stops.\n"));
        assert!(text.contains("1. It flies.\n"));
        assert!(
            text.contains("{\"score\": <number"),
            "the grammar's braces stay"
        );
    }

    /// Files in the shape of the authors', with words of our own.
    fn authors_files() -> Vec<(String, String)> {
        let mut files = vec![
            ("E/templates/judge_prompt.template.txt".to_owned(), "T {TASK_TYPE} {GOAL_AND_CONSTRAINTS} {TASK_QA_BLOCK} {{x}}".to_owned()),
            ("E/scripts/build_prompts.py".to_owned(), {
                let entries: Vec<String> = TASKS.iter().map(|task| format!("            \"{}\": \"\"\"[G {}]\n- one\"\"\"", task.id, task.label)).collect();
                let files: Vec<String> = TASKS.iter().map(|task| format!("\"{}\": \"{}.qa.txt\"", task.id, task.questions)).collect();
                format!("task_qa_files = {{{}}}\ndef a():\n    m = {{\n{}\n    }}\ndef _format_goal_constraints(self, goal):\n    \"\"\"Format\"\"\"\n    lines = [f\"Goal: {{goal}}\"]\n    lines.append(\"Hard (their words):\")\n", files.join(", "), entries.join(",\n\n"))
            }),
            ("E/evaluators/candidate_evaluator.py".to_owned(), "def _build_evaluation_prompt(self):\n    raise ValueError(f\"No {case_id}\")\n    prompt = f\"\"\"N {len(reference_images)} B {background}\nP:\n\"\"\"\n    for i, pos in x:\n        prompt += f\"{i}. {pos}\\n\"\n    prompt += f\"\"\"\nM:\n\"\"\"\n    for i, neg in x:\n        prompt += f\"{i}. {neg}\\n\"\n    prompt += \"\"\"\nEnd {\n  \"score\": 1\n}\n\"\"\"\n    return prompt\n\ndef call(self, text):\n    return [{\"role\": \"system\", \"content\": \"You are a judge.\"}, {\"role\": \"user\", \"content\": text}]\n".to_owned()),
        ];
        for task in &TASKS {
            files.push((
                format!("E/templates/Q&A/{}.qa.txt", task.questions),
                format!("Q {}\r\n- A_check_1 (H1): ?\n", task.id),
            ));
        }
        files
    }

    fn pack(files: &[(String, String)]) -> Option<PromptPack> {
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        assert!(files.iter().all(|(path, _)| may_hold_prompts(path)));
        official_pack(&files)
    }

    #[test]
    fn the_authors_texts_are_read_from_their_own_files() {
        let pack = pack(&authors_files()).unwrap();
        assert!(!pack.info.official, "not the authors' own words");
        assert_eq!(pack.text(SYSTEM), Some("You are a judge."));
        let task = Task::find("story_infer").unwrap();
        let text = checkpoint_text(&pack, task, &card()).unwrap();
        assert_eq!(
            text,
            "T story_infer Goal: One scene.\nHard (their words):\n- H1: all there [G Story]\n- one\n\nQ story_infer\n- A_check_1 (H1): ? {x}"
        );
        let answers = AnswerSet {
            background: "b".to_owned(),
            positive: vec!["p".to_owned()],
            negative: Vec::new(),
        };
        assert_eq!(
            candidate_text(&pack, 2, &answers).unwrap(),
            "N 2 B b\nP:\n1. p\n\nM:\n\nEnd {\n  \"score\": 1\n}\n"
        );
    }

    #[test]
    fn a_pack_with_texts_of_our_own_is_not_called_official_and_says_which() {
        let mut files = authors_files();
        files.retain(|(path, _)| !path.ends_with("build_prompts.py"));
        let partial = pack(&files).unwrap();
        assert!(!partial.info.official);
        assert!(
            partial.info.name.contains("build_prompts.py is missing"),
            "{}",
            partial.info.name
        );
        files.retain(|(path, _)| !path.ends_with("causal_story.qa.txt"));
        assert_eq!(pack(&files), None);
    }
}
