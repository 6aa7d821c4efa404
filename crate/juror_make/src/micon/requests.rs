//! The calls of a MICON project: references, their check by a model, stories, specific checkpoints; and how replies are read.

use std::collections::BTreeSet;

use juror_model::tree::MAKE_WORK;
use juror_reading::py::Value;

use super::case::Case;
use super::texts::{generic_checkpoints, prompt, reference_prompts};
use super::{Labels, References};
use crate::reply::object;
use crate::{Error, PromptPart, Request, Wanted};

/// Tries of one reading.
pub const MAX_TRIES: u32 = 3;
/// Pictures of one reference before its case is out.
pub const MAX_PICTURES: u32 = 3;
/// Words of a checkpoint, and of a candidate of an answer set.
const MOST_WORDS: usize = 30;
const CANDIDATE_WORDS: std::ops::RangeInclusive<usize> = 5..=25;
/// Candidates of each side of an answer set.
const NUM_CANDIDATES: usize = 3;

fn asked(kind: &str, thing: String, attempt: u32, parts: Vec<PromptPart>) -> Request {
    Request {
        kind: kind.to_owned(),
        thing,
        attempt,
        system: None,
        parts,
        wanted: Wanted::Text,
        lacked: String::new(),
    }
}

/// What decisions and calls call a reference's picture: `TASK/CASE/RA`, and from the second picture on `TASK/CASE/RA#2`.
pub fn reference_thing(case: &Case, letter: &str, number: u32) -> String {
    let again = if number > 1 {
        format!("#{number}")
    } else {
        String::new()
    };
    format!("{}/R{letter}{again}", case.thing())
}

/// Where a reference's picture lies, from the project file on.
pub fn reference_path(case: &Case, letter: &str, number: u32) -> String {
    let again = if number > 1 {
        format!("_{number}")
    } else {
        String::new()
    };
    format!("data/{}/refs/{}_R{letter}{again}.png", case.task, case.id)
}

/// The call for a reference's picture.
pub fn reference(case: &Case, at: usize, letter: &str, number: u32) -> Request {
    let prompts = reference_prompts(case);
    let text = prompts.get(at).cloned().unwrap_or_default();
    Request {
        wanted: Wanted::Picture {
            path: reference_path(case, letter, number),
        },
        lacked: String::new(),
        ..asked(
            "reference",
            reference_thing(case, letter, number),
            1,
            vec![PromptPart::text(text)],
        )
    }
}

/// Stage 1 of the filter: a model looks at a picture and its prompt.
pub fn filter(thing: String, path: &str, sha256: &str, prompt: &str, attempt: u32) -> Request {
    let text = format!(
        "The picture was made by this prompt:\n{prompt}\n\nCheck it strictly, each point by 1 (right) or 0 (not right), or null where the prompt says nothing of it:\n- complete: is everything that the prompt names there, whole and undistorted?\n- spatial: do places and relations fit?\n- style: does the style fit?\n- component: are the named clothes, accessories and parts there and right?\n\nAnswer with one JSON object alone: {{\"complete\": 0 or 1, \"spatial\": 0, 1 or null, \"style\": 0, 1 or null, \"component\": 0, 1 or null, \"reason\": text}}"
    );
    let picture = PromptPart::Picture {
        path: path.to_owned(),
        sha256: sha256.to_owned(),
    };
    asked(
        "filter",
        thing,
        attempt,
        vec![PromptPart::text(text), picture],
    )
}

/// What a filter's reply says: nothing where all is well, else the points that are not.
///
/// # Errors
/// It has no JSON object, or a point is neither 0, 1 nor null; `complete` must be there.
pub fn read_filter(reply: &str) -> Result<Vec<&'static str>, Error> {
    let object = object(reply)?;
    let mut failed = Vec::new();
    for point in ["complete", "spatial", "style", "component"] {
        let told = match object.get(point) {
            Some(Value::Int(x)) if *x == 0.0 => Some(false),
            Some(Value::Int(x)) if (*x - 1.0).abs() < f64::EPSILON => Some(true),
            Some(Value::Bool(told)) => Some(*told),
            Some(Value::Null) | None if point != "complete" => Some(true),
            _ => None,
        };
        match told {
            Some(true) => {}
            Some(false) => failed.push(point),
            None => return Err(Error::reply(format!("Expected “{point}” as 0, 1 or null."))),
        }
    }
    Ok(failed)
}

/// Specific checkpoints by a judge, for a case's card.
pub fn checkpoints(case: &Case, labels: Labels, attempt: u32) -> Request {
    let generic = generic_checkpoints(&case.task).into_iter();
    let generic: Vec<String> = generic
        .map(|(id, question)| format!("{id}: {question}\n"))
        .collect();
    let generic = generic.concat();
    let text = format!(
        "A picture will be made by this prompt:\n{}\n\nThese questions are asked of every such picture:\n{generic}\nWrite them anew for this very case: the same ids, and in the place of general words such as “the objects” what the prompt names. Leave a question as it is where it speaks of neither the prompt nor the references. At most {MOST_WORDS} words each.\n\nAnswer with one JSON object alone, id to question.",
        prompt(case, labels)
    );
    asked(
        "checkpoints",
        case.thing(),
        attempt,
        vec![PromptPart::text(text)],
    )
}

/// The checkpoints of a reply, in the generic order.
///
/// # Errors
/// Other ids, a question that is too long, or one of A, B or D that was changed and names nothing of the prompt.
pub fn read_checkpoints(
    case: &Case,
    labels: Labels,
    reply: &str,
) -> Result<Vec<(String, String)>, Error> {
    let Value::Dict(given) = object(reply)? else {
        return Err(Error::reply("The reply has no JSON object."));
    };
    let generic = generic_checkpoints(&case.task);
    if let Some((id, _)) = given
        .iter()
        .find(|(id, _)| generic.iter().all(|(known, _)| known != id))
    {
        return Err(Error::reply(format!(
            "There is no checkpoint {id} in this task."
        )));
    }
    let nouns = words(&prompt(case, labels));
    let mut found = Vec::new();
    for (id, question) in generic {
        let own = given.iter().find(|(known, _)| *known == id);
        let own = own.and_then(|(_, own)| own.as_str()).map(str::trim);
        let own = own.filter(|own| !own.is_empty());
        let own = own.ok_or_else(|| Error::reply(format!("The checkpoint {id} lacks.")))?;
        if own.split_whitespace().count() > MOST_WORDS {
            return Err(Error::reply(format!(
                "The checkpoint {id} has more than {MOST_WORDS} words."
            )));
        }
        let must_name = id.starts_with(['A', 'B', 'D']) && own != question && !case.is_story();
        if must_name && words(own).is_disjoint(&nouns) {
            return Err(Error::reply(format!(
                "The checkpoint {id} names nothing of the prompt."
            )));
        }
        found.push((id, own.to_owned()));
    }
    Ok(found)
}

/// Words of four letters and more, without those that every prompt has.
fn words(text: &str) -> BTreeSet<String> {
    const EVERYWHERE: [&str; 12] = [
        "make",
        "picture",
        "that",
        "shows",
        "from",
        "with",
        "together",
        "complete",
        "reference",
        "references",
        "everything",
        "stays",
    ];
    let words = text
        .split(|c: char| !c.is_alphabetic())
        .map(str::to_lowercase);
    words
        .filter(|word| word.chars().count() >= 4 && !EVERYWHERE.contains(&word.as_str()))
        .collect()
}

/// A story's script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// One place for all beats.
    pub setting: String,
    /// Who takes part.
    pub characters: String,
    /// What happens, in four steps.
    pub beats: Vec<String>,
}

/// The call for a story's script.
pub fn script(case: &Case, attempt: u32) -> Request {
    let text = format!(
        "Think of a small story that four photos can tell without words. It is about {}, and happens in {}. The same characters and the same place in all four; each beat follows from the one before, and each can be seen.\n\nAnswer with one JSON object alone: {{\"setting\": text, \"characters\": text, \"beats\": [four texts]}}",
        case.slot("kind"),
        case.slot("scene")
    );
    asked(
        "script",
        format!("{}/script", case.thing()),
        attempt,
        vec![PromptPart::text(text)],
    )
}

/// The script of a reply.
///
/// # Errors
/// A member lacks, or there are not four beats.
pub fn read_script(reply: &str) -> Result<Script, Error> {
    let object = object(reply)?;
    let text = |key: &str| {
        let text = object.get(key).and_then(Value::as_str).map(str::trim);
        let text = text.filter(|text| !text.is_empty());
        text.map(str::to_owned)
            .ok_or_else(|| Error::reply(format!("Expected “{key}” as text.")))
    };
    let beats = texts(object.get("beats"));
    if beats.len() != 4 {
        return Err(Error::reply(format!(
            "Expected four beats, found {}.",
            beats.len()
        )));
    }
    Ok(Script {
        setting: text("setting")?,
        characters: text("characters")?,
        beats,
    })
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let Some(Value::List(items)) = value else {
        return Vec::new();
    };
    let texts = items.iter().filter_map(Value::as_str).map(str::trim);
    texts
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Where a story's four panels lie.
pub fn panels_path(case: &Case) -> String {
    format!("{MAKE_WORK}/{}/{}_panels.png", case.task, case.id)
}

/// The call for a story's four-panel picture.
pub fn panels(case: &Case, script: &Script) -> Request {
    let beats = (1..)
        .zip(&script.beats)
        .map(|(number, beat)| format!("\nPanel {number}: {beat}"));
    let text = format!(
        "One picture of four realistic photo panels, two above and two below, of the same size, without text and without numbers. The same characters and the same place in all of them.\nPlace: {}\nCharacters: {}{}",
        script.setting,
        script.characters,
        beats.collect::<String>()
    );
    Request {
        wanted: Wanted::Picture {
            path: panels_path(case),
        },
        lacked: String::new(),
        ..asked(
            "panels",
            format!("{}/panels", case.thing()),
            1,
            vec![PromptPart::text(text)],
        )
    }
}

/// The cut of a panel, which a person carries out: `juror make crop`, or any other tool.
pub fn crop(case: &Case, at: usize, letter: &str, sha256: &str) -> Request {
    let panels = PromptPart::Picture {
        path: panels_path(case),
        sha256: sha256.to_owned(),
    };
    let text = format!(
        "Cut panel {} out; juror make crop {} --panel {} proposes the edges. Choose which of the first three panels are references; the last one is held back.",
        at + 1,
        panels_path(case),
        at + 1
    );
    Request {
        wanted: Wanted::Picture {
            path: reference_path(case, letter, 1),
        },
        lacked: String::new(),
        ..asked(
            "crop",
            reference_thing(case, letter, 1),
            1,
            vec![PromptPart::text(text), panels],
        )
    }
}

/// A story's answer set.
pub use juror_protocols::micon::card::AnswerSet;

/// The call for a story's answer set, which a model drafts or a person writes.
pub fn answers(case: &Case, references: &References, attempt: u32) -> Request {
    let mut parts = vec![PromptPart::text(format!(
        "The pictures tell a story in order. Sum up what has happened in one text. Then write {NUM_CANDIDATES} sentences on what may plausibly happen next, and {NUM_CANDIDATES} on what contradicts the story or the world, {} to {} words each.\n\nAnswer with one JSON object alone: {{\"background_summary\": text, \"positive_candidates\": [{NUM_CANDIDATES} texts], \"negative_candidates\": [{NUM_CANDIDATES} texts]}}",
        CANDIDATE_WORDS.start(),
        CANDIDATE_WORDS.end()
    ))];
    parts.extend(
        references
            .iter()
            .map(|(_, path, sha256)| PromptPart::Picture {
                path: path.clone(),
                sha256: sha256.clone(),
            }),
    );
    asked(
        "answers",
        format!("{}/answers", case.thing()),
        attempt,
        parts,
    )
}

/// The answer set of a reply.
///
/// # Errors
/// A member lacks, a side has not three sentences, one is too short or too long, or both sides say the same.
pub fn read_answers(reply: &str) -> Result<AnswerSet, Error> {
    let object = object(reply)?;
    let background = object
        .get("background_summary")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let set = AnswerSet {
        background: background.trim().to_owned(),
        positive: texts(object.get("positive_candidates")),
        negative: texts(object.get("negative_candidates")),
    };
    if set.background.is_empty() {
        return Err(Error::reply("The summary of what has happened lacks."));
    }
    for (side, sentences) in [
        ("plausible", &set.positive),
        ("counterfactual", &set.negative),
    ] {
        if sentences.len() != NUM_CANDIDATES {
            return Err(Error::reply(format!(
                "Expected {NUM_CANDIDATES} {side} sentences, found {}.",
                sentences.len()
            )));
        }
    }
    let same = |text: &str| -> Vec<String> {
        let words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    for sentence in set.positive.iter().chain(&set.negative) {
        let count = sentence.split_whitespace().count();
        if !CANDIDATE_WORDS.contains(&count) {
            return Err(Error::reply(format!(
                "Expected 5 to 25 words, found {count}: “{sentence}”"
            )));
        }
    }
    let both = set
        .positive
        .iter()
        .find(|one| set.negative.iter().any(|other| same(one) == same(other)));
    match both {
        Some(one) => Err(Error::reply(format!(
            "It is plausible and counterfactual at once: “{one}”"
        ))),
        None => Ok(set),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::micon::case::draw;
    use crate::micon::pools::Pools;
    use crate::micon::texts::specific_checkpoints;

    #[test]
    fn a_picture_passes_a_filter_unless_a_point_is_0() {
        let read = |text: &str| read_filter(text);
        assert_eq!(
            read("{\"complete\": 1, \"spatial\": null, \"style\": 1, \"component\": null}"),
            Ok(vec![])
        );
        assert_eq!(
            read("{\"complete\": 0, \"spatial\": 1, \"component\": 0}"),
            Ok(vec!["complete", "component"])
        );
        for bad in [
            "fine",
            "{\"spatial\": 1}",
            "{\"complete\": 2}",
            "{\"complete\": null}",
            "{\"complete\": \"1\"}",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn checkpoints_of_a_judge_are_taken_whole_or_not_at_all() -> Result<(), crate::Error> {
        let case = &draw(1, &["object:2=1".parse()?], &Pools::default())[0];
        let own = specific_checkpoints(case);
        let reply = |list: &[(String, String)]| {
            let members = list
                .iter()
                .map(|(id, text)| format!("\"{id}\": \"{text}\""));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        };
        let read =
            |list: &[(String, String)]| read_checkpoints(case, Labels::Letters, &reply(list));
        assert_eq!(read(&own), Ok(own.clone()));
        let mut lacking = own.clone();
        lacking.pop();
        let mut unknown = own.clone();
        unknown[0].0 = "A_check_9".to_owned();
        let mut long = own.clone();
        long[3].1 = "word ".repeat(31);
        let mut vague = own.clone();
        vague[0].1 = "Is it all right?".to_owned();
        for bad in [lacking, unknown, long, vague] {
            assert!(read(&bad).is_err(), "{bad:?}");
        }
        Ok(())
    }

    #[test]
    fn an_answer_set_has_three_sentences_of_each_side_and_none_on_both() {
        let reply = |positive: &str, last: &str| {
            format!(
                "{{\"background_summary\": \"A cup stands at the edge.\", \"positive_candidates\": [\"{positive}\", \"The cup falls to the floor.\", \"The cat jumps off the table.\"], \"negative_candidates\": [\"The cup turns into a bird.\", \"The table floats to the ceiling.\", \"{last}\"]}}"
            )
        };
        let good = reply(
            "The cup breaks into many pieces.",
            "The cup grows a second handle.",
        );
        assert!(read_answers(&good).is_ok());
        for bad in [
            reply("It breaks.", "The cup grows a second handle."),
            reply(
                "The cup breaks into many pieces.",
                "the cup breaks, into many pieces!",
            ),
            reply("", "The cup grows a second handle."),
            good.replace("A cup stands at the edge.", ""),
        ] {
            assert!(read_answers(&bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_script_has_four_beats() {
        let script = |beats: &str| {
            read_script(&format!(
                "{{\"setting\": \"a kitchen\", \"characters\": \"a cat\", \"beats\": [{beats}]}}"
            ))
        };
        assert!(script("\"a\", \"b\", \"c\", \"d\"").is_ok());
        assert!(script("\"a\", \"b\", \"c\"").is_err());
        assert!(read_script("{\"setting\": \"a kitchen\"}").is_err());
    }
}
