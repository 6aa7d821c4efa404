//! Everything that is said of a case, filled from its draw: reference prompts, its prompt, goal, constraints, checkpoints.
//!
//! Source: the MICON-Bench paper, Tables 9 and 13, in our own sentences.

use std::collections::BTreeMap;

use juror_protocols::micon::request::built_in_pack;
use serde::{Deserialize, Serialize};

use super::case::Case;

/// Whether prompts name the references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Labels {
    /// By `Ref A`, `Ref B`, ….
    #[default]
    Letters,
    /// Not at all.
    None,
}

/// What every story asks.
const STORY_PROMPT: &str =
    "Infer from the reference pictures what may happen next, and make a realistic photo of it.";

/// A subject with what makes it that one.
fn described(case: &Case, letter: &str) -> String {
    let subject = case.slot(&format!("{letter}.subject"));
    match case.slot(&format!("{letter}.attribute")) {
        "" => subject.to_owned(),
        attribute => format!("{subject} {attribute}"),
    }
}

/// “the fox” of “a fox”.
fn the(described: &str) -> String {
    let bare = described
        .strip_prefix("a ")
        .or_else(|| described.strip_prefix("an "));
    bare.map_or_else(|| described.to_owned(), |bare| format!("the {bare}"))
}

/// “a, b and c”.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Subjects with their references, as labels allow.
fn named(case: &Case, labels: Labels) -> Vec<String> {
    let letters = case.letters();
    letters
        .map(|letter| match labels {
            Labels::Letters => format!("{} (Ref {letter})", the(&described(case, letter))),
            Labels::None => the(&described(case, letter)),
        })
        .collect()
}

/// “of Ref A”, or nothing.
fn of(letter: &str, labels: Labels) -> String {
    match labels {
        Labels::Letters => format!(" of Ref {letter}"),
        Labels::None => String::new(),
    }
}

/// The prompts that the references of a case are made by, in their order; none of a story, whose references are panels.
pub fn reference_prompts(case: &Case) -> Vec<String> {
    let slot = |letter: &str, name: &str| case.slot(&format!("{letter}.{name}")).to_owned();
    match case.task.as_str() {
        "object_composition"
        | "spatial_geometric_constraints"
        | "foreground_background_composition" => {
            let letters = case.letters();
            letters
                .map(|letter| {
                    format!(
                        "A photo of {}. The scene: {}.",
                        described(case, letter),
                        slot(letter, "scene")
                    )
                })
                .collect()
        }
        "attribute_style_decoupling" => vec![
            format!(
                "A clear photo of {}. The scene: {}.",
                described(case, "A"),
                slot("A", "scene")
            ),
            format!(
                "A picture of {} as {}.",
                case.slot("style_object"),
                case.slot("style")
            ),
            format!(
                "A photo of {}, empty, without any main object.",
                case.slot("background")
            ),
        ],
        "local_element_transfer" => {
            let letters = case.letters();
            letters
                .map(|letter| {
                    let worn =
                        ["clothing", "accessory", "accessory_2"].map(|name| slot(letter, name));
                    let (subject, scene) = (slot(letter, "subject"), slot(letter, "scene"));
                    format!(
                        "A photo of {subject} wearing {}. The scene: {scene}.",
                        listed(&worn)
                    )
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// What is taken from a source of a component case.
fn elements(case: &Case, letter: &str) -> Vec<String> {
    let names: &[&str] = match case.slot("mode") {
        "simple" => &["accessory"],
        _ => &["clothing", "accessory"],
    };
    let words = names
        .iter()
        .map(|name| the(case.slot(&format!("{letter}.{name}"))));
    words.collect()
}

/// Sources of a component case, and the letter of its target.
fn sources(case: &Case) -> (&'static [&'static str], &'static str) {
    if case.refs == 3 {
        (&["A", "B"], "C")
    } else {
        (&["A"], "B")
    }
}

/// How the things of a spatial case stand, without a full stop.
fn arrangement(case: &Case, labels: Labels) -> String {
    let things = named(case, labels);
    match things.as_slice() {
        [a, b] => format!("{a} is {} {b}", case.slot("relation")),
        [a, b, c] => format!("{a} is on the left, {b} in the middle and {c} on the right"),
        _ => String::new(),
    }
}

/// What a generator is asked.
pub fn prompt(case: &Case, labels: Labels) -> String {
    let scene = case.slot("scene");
    match case.task.as_str() {
        "object_composition" => format!(
            "Make one picture that shows {} complete and together. The scene: {scene}.",
            listed(&named(case, labels))
        ),
        "spatial_geometric_constraints" => format!(
            "Make one picture that shows {} complete and together, so that {}. The scene: {scene}.",
            listed(&named(case, labels)),
            arrangement(case, labels)
        ),
        "attribute_style_decoupling" => format!(
            "Show {}{} in the style{}, which is {}, in the surroundings{}, which are {}.",
            the(&described(case, "A")),
            of("A", labels),
            of("B", labels),
            case.slot("style"),
            of("C", labels),
            case.slot("background")
        ),
        "local_element_transfer" => component_prompt(case, labels),
        "foreground_background_composition" => format!(
            "Cut {}{} cleanly out and put it where {}{} is; the background{} stays as it is.",
            the(&described(case, "A")),
            of("A", labels),
            the(&described(case, "B")),
            of("B", labels),
            of("B", labels)
        ),
        _ => STORY_PROMPT.to_owned(),
    }
}

fn component_prompt(case: &Case, labels: Labels) -> String {
    let (sources, target) = sources(case);
    let who = |letter: &str| {
        format!(
            "{}{}",
            the(case.slot(&format!("{letter}.subject"))),
            of(letter, labels)
        )
    };
    let only = if case.slot("mode") == "simple" {
        "only "
    } else {
        ""
    };
    let clauses = sources.iter().map(|source| {
        format!(
            "take {only}{} from {}",
            listed(&elements(case, source)),
            who(source)
        )
    });
    let text = listed(&clauses.collect::<Vec<_>>());
    format!(
        "From the references, {text}; put everything that was taken on {}, who stays the same.",
        who(target)
    )
}

/// What the picture is to achieve, in one sentence.
pub fn goal(case: &Case) -> String {
    let all = || listed(&named(case, Labels::None));
    match case.task.as_str() {
        "object_composition" => {
            format!(
                "A natural picture of {}; the scene is {}.",
                all(),
                case.slot("scene")
            )
        }
        "spatial_geometric_constraints" => format!(
            "A natural picture, whose scene is {}, in which {}.",
            case.slot("scene"),
            arrangement(case, Labels::None)
        ),
        "attribute_style_decoupling" => format!(
            "The picture shows {} in the style of {}; the background is {}.",
            the(&described(case, "A")),
            case.slot("style"),
            case.slot("background")
        ),
        "local_element_transfer" => {
            let (letters, target) = sources(case);
            let taken: Vec<String> = letters
                .iter()
                .flat_map(|letter| elements(case, letter))
                .collect();
            format!(
                "The picture shows {} with {}.",
                the(case.slot(&format!("{target}.subject"))),
                listed(&taken)
            )
        }
        "foreground_background_composition" => format!(
            "The picture shows {} before the unchanged background of Ref B, {}.",
            the(&described(case, "A")),
            case.slot("B.scene")
        ),
        _ => format!(
            "The next moment of the story, which is {}.",
            case.slot("kind")
        ),
    }
}

/// One constraint for each hard checkpoint, H1 first.
pub fn constraints_hard(case: &Case) -> Vec<String> {
    let all = || listed(&named(case, Labels::Letters));
    match case.task.as_str() {
        "object_composition" => vec![
            format!("All of these can be seen: {}.", all()),
            format!("Each of these keeps its identity: {}.", all()),
        ],
        "spatial_geometric_constraints" => vec![
            format!("All of these can be seen: {}.", all()),
            format!(
                "The arrangement is as asked: {}.",
                arrangement(case, Labels::Letters)
            ),
        ],
        "attribute_style_decoupling" => vec![
            format!(
                "The subject has the style of Ref B: {}.",
                case.slot("style")
            ),
            format!("The subject is that of Ref A: {}.", described(case, "A")),
            format!(
                "The background is that of Ref C: {}.",
                case.slot("background")
            ),
            format!(
                "Ref B gives nothing but its style; {} is not in the picture.",
                the(case.slot("style_object"))
            ),
        ],
        "local_element_transfer" => vec![
            format!("The elements are placed as asked. {}", goal(case)),
            "The wearer keeps their identity.".to_owned(),
            "The elements sit at the right scale and belong to the picture.".to_owned(),
        ],
        "foreground_background_composition" => vec![
            format!("This keeps its identity: {}.", the(&described(case, "A"))),
            format!(
                "The background of Ref B, {}, is unchanged.",
                case.slot("B.scene")
            ),
        ],
        _ => vec![
            "It shows the next step and does not repeat the last one.".to_owned(),
            "The characters are as before.".to_owned(),
            "The outcome is plausible.".to_owned(),
        ],
    }
}

/// Letters of the dimensions that a case is judged on.
pub fn dimensions(case: &Case) -> &'static [&'static str] {
    if case.is_story() {
        &["A", "B", "C", "D", "E", "G"]
    } else {
        &["A", "B", "C", "D", "G"]
    }
}

/// The generic checkpoints of a case's task, by id in their order.
///
/// # Example
/// ```
/// use juror_make::micon::texts::generic_checkpoints;
/// let found = generic_checkpoints("object_composition");
/// assert_eq!((found.len(), found[0].0.as_str()), (15, "A_check_1"));
/// assert!(found[0].1.ends_with('?'));
/// ```
pub fn generic_checkpoints(task: &str) -> Vec<(String, String)> {
    let pack = built_in_pack();
    let text = pack.text(&format!("questions {task}")).unwrap_or_default();
    let lines = text.lines().filter_map(|line| {
        let (id, question) = line.strip_prefix("- ")?.split_once(": ")?;
        let id = id.split(' ').next()?;
        Some((id.to_owned(), question.to_owned()))
    });
    lines.collect()
}

/// The checkpoints with a case's own things in the place of the general words, from its draw.
///
/// Only those change that speak of the instruction or of references; G never does.
pub fn specific_checkpoints(case: &Case) -> Vec<(String, String)> {
    let own = own_checkpoints(case);
    let generic = generic_checkpoints(&case.task).into_iter();
    generic
        .map(|(id, question)| {
            let own = own.get(id.as_str()).cloned();
            (id, own.unwrap_or(question))
        })
        .collect()
}

type Own = BTreeMap<&'static str, String>;

fn own_checkpoints(case: &Case) -> Own {
    let all = listed(&named(case, Labels::None));
    let with_refs = listed(&named(case, Labels::Letters));
    let scene = case.slot("scene");
    let a = the(&described(case, "A"));
    match case.task.as_str() {
        "object_composition" => BTreeMap::from([
            ("A_check_1", format!("Can {all} be seen?")),
            (
                "A_check_2",
                format!("Are {all} together in the scene that was asked for, {scene}?"),
            ),
            (
                "B_check_1",
                format!("Is each the very one of its reference: {with_refs}?"),
            ),
            ("D_check_4", format!("Is the background {scene}?")),
        ]),
        "spatial_geometric_constraints" => BTreeMap::from([
            ("A_check_1", format!("Can {all} be seen?")),
            (
                "A_check_2",
                format!(
                    "Are {all} arranged as described, in the scene that was asked for, {scene}?"
                ),
            ),
            (
                "B_check_1",
                format!("Is each still the one of its reference: {with_refs}?"),
            ),
            (
                "C_check_1",
                format!("Is it so that {}?", arrangement(case, Labels::None)),
            ),
        ]),
        "attribute_style_decoupling" => own_of_attributes(case),
        "local_element_transfer" => own_of_components(case),
        "foreground_background_composition" => BTreeMap::from([
            (
                "A_check_1",
                format!(
                    "Is {a} of Ref A where {} is in Ref B?",
                    the(&described(case, "B"))
                ),
            ),
            (
                "B_check_1",
                format!("Is {a} (Ref A) still itself, and recognisable?"),
            ),
            (
                "D_check_1",
                format!(
                    "Is the background, {} of Ref B, unchanged?",
                    case.slot("B.scene")
                ),
            ),
        ]),
        _ => BTreeMap::new(),
    }
}

fn own_of_attributes(case: &Case) -> Own {
    let a = the(&described(case, "A"));
    let background = case.slot("background");
    BTreeMap::from([
        (
            "A_check_1",
            format!(
                "Is {a} shown as {}, the style of Ref B?",
                case.slot("style")
            ),
        ),
        ("A_check_3", format!("Is the subject {a} of Ref A?")),
        (
            "B_check_1",
            format!("Is it the very {} of Ref A?", a.trim_start_matches("the ")),
        ),
        (
            "C_check_1",
            format!("Is the background that of Ref C, {background}?"),
        ),
        (
            "D_check_1",
            format!(
                "Did Ref B give only its style, and nothing of {}?",
                the(case.slot("style_object"))
            ),
        ),
    ])
}

fn own_of_components(case: &Case) -> Own {
    let (letters, target) = sources(case);
    let taken: Vec<String> = letters
        .iter()
        .flat_map(|letter| elements(case, letter))
        .collect();
    let taken = listed(&taken);
    let who = the(case.slot(&format!("{target}.subject")));
    BTreeMap::from([
        (
            "A_check_1",
            format!("Does {who} have {taken} where they belong?"),
        ),
        (
            "B_check_1",
            format!("Do {taken} look as in their reference?"),
        ),
        (
            "B_check_2",
            format!("Is {who} (Ref {target}) still the same person?"),
        ),
        ("D_check_1", format!("Was nothing taken over but {taken}?")),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::micon::case::{draw, published_counts};
    use crate::micon::pools::Pools;
    use juror_protocols::micon::Task;

    fn all() -> Vec<Case> {
        draw(3, &published_counts(), &Pools::default())
    }

    #[test]
    fn prompts_name_every_reference_by_its_letter_and_none_where_labels_are_off() {
        for case in all().iter().filter(|case| !case.is_story()) {
            let with = prompt(case, Labels::Letters);
            for letter in case.letters() {
                assert!(with.contains(&format!("Ref {letter}")), "{with}");
            }
            let without = prompt(case, Labels::None);
            assert!(
                !without.contains("Ref ") && !without.contains("  "),
                "{without}"
            );
            assert!(with.ends_with('.') && without.ends_with('.'));
        }
    }

    #[test]
    fn each_reference_has_a_prompt_and_each_hard_checkpoint_a_constraint() {
        for case in all() {
            let prompts = reference_prompts(&case);
            assert!(
                case.is_story() || prompts.len() == case.refs as usize,
                "{case:?}"
            );
            let task = Task::find(&case.task);
            let hard = task.map_or(0, |task| task.hard.len());
            assert_eq!(constraints_hard(&case).len(), hard, "{}", case.task);
        }
    }

    #[test]
    fn specific_checkpoints_have_the_same_ids_name_the_cases_things_and_leave_g_alone() {
        for case in all() {
            let generic = generic_checkpoints(&case.task);
            let own = specific_checkpoints(&case);
            let ids = |list: &[(String, String)]| {
                list.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>()
            };
            assert_eq!(ids(&own), ids(&generic));
            let task = Task::find(&case.task).map_or(0, |task| task.checkpoints().count());
            assert_eq!(own.len(), task, "{}", case.task);
            for ((id, generic), (_, own)) in generic.iter().zip(&own) {
                assert!(own.ends_with('?') && !own.contains("  "), "{own}");
                assert!(!id.starts_with('G') || generic == own);
            }
            let changed = generic.iter().zip(&own).filter(|(a, b)| a != b).count();
            assert_eq!(changed == 0, case.is_story(), "{}", case.task);
        }
    }
}
