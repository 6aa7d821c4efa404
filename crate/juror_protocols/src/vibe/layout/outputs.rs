//! `<Task>_results.json` for outputs that were made: the authors' evaluation judges what this list names with the status
//! `success`, and passes over pictures that no list names.
//!
//! A list that is there already is changed as text, so that what others wrote stays as they wrote it.

use crate::contract::{ListedOutput, OutputLists};
use crate::error::Error;
use crate::vibe::layout::{Status, generated_path, id_text, normal_path};
use crate::vibe::{Task, Vibe};
use juror_model::sample::Sample;
use juror_model::tree::{base_name, join, parent};
use juror_reading::py::{Scanner, Value};
use std::collections::HashMap;

impl OutputLists for Vibe {
    fn list_of(&self, place: &str) -> Option<String> {
        let (folder, _) = place.split_once("/imgs/")?;
        let task = base_name(folder);
        Task::named(task)?;
        Some(join(folder, &format!("{task}_results.json")))
    }

    fn listed(
        &self,
        list: &str,
        text: &str,
        outputs: &[ListedOutput<'_>],
        is_there: &dyn Fn(&str) -> bool,
    ) -> Result<String, Error> {
        let old = items(text).map_err(|found| {
            Error::Form(format!(
                "expected a list of items, each with id, saved_image_path and status, found {found}"
            ))
        })?;
        let list = List {
            folder: parent(list),
            outputs,
            is_there,
        };
        let new = list.items(&old);
        let is_same = new.len() == old.len() && new.iter().zip(&old).all(|(a, (b, _))| a == b);
        if is_same && !text.trim().is_empty() {
            return Ok(text.to_owned());
        }
        if new.is_empty() {
            return Ok("[]\n".to_owned());
        }
        Ok(format!("[\n  {}\n]\n", new.join(",\n  ")))
    }
}

/// The status of an item whose picture is gone: the authors' evaluation passes over any but `success`.
const MISSING: &str = "missing";

/// The items of a list, each as its text and its value; an empty text has none. The error is what was found.
fn items(text: &str) -> Result<Vec<(&str, Value)>, String> {
    let mut found = Vec::new();
    if text.trim().is_empty() {
        return Ok(found);
    }
    let mut scanner = Scanner::new(text);
    scanner.at = text.len() - text.trim_start_matches('\u{feff}').len();
    scanner.space();
    if scanner.peek() != Some(b'[') {
        return Err("no '[' at its begin".to_owned());
    }
    scanner.at += 1;
    let read = scanner.items(|scanner| {
        let start = scanner.at;
        let value = scanner.value(1)?;
        found.push((scanner.since(start), value));
        Ok(())
    });
    let read = read.and_then(|()| scanner.end());
    read.map_err(|fault| {
        let error = fault.locate(text);
        let (line, column) = (error.line, error.column);
        format!("no JSON at line {line}, column {column}: {}", error.message)
    })?;
    Ok(found)
}

/// An id as the list has it: samples are called after their task as well.
fn id_of(sample: &Sample) -> &str {
    let rest = sample.id.strip_prefix(&*sample.domain);
    let rest = rest.and_then(|rest| rest.strip_prefix('/'));
    rest.unwrap_or(&sample.id)
}

/// What a list is to name.
struct List<'a> {
    /// The folder that it is in.
    folder: &'a str,
    outputs: &'a [ListedOutput<'a>],
    is_there: &'a dyn Fn(&str) -> bool,
}

impl List<'_> {
    /// The items of the new list.
    fn items(&self, old: &[(&str, Value)]) -> Vec<String> {
        let ids = self.outputs.iter().map(|output| id_of(output.sample));
        let positions: HashMap<&str, usize> = ids.zip(0..).collect();
        let position = |item: &Value| {
            let id = id_text(item.get("id"))?;
            positions.get(id.as_str()).copied()
        };
        let places: Vec<Option<usize>> = old.iter().map(|(_, item)| position(item)).collect();
        let mut is_made: Vec<bool> = (self.outputs.iter())
            .map(|output| (self.is_there)(output.place))
            .collect();
        for ((_, item), at) in old.iter().zip(&places) {
            // What an item says rightly is not said again.
            if let Some(at) = at.filter(|at| self.names(item, &self.outputs[*at])) {
                is_made[at] = false;
            }
        }
        let mut new: Vec<(Option<usize>, String)> = Vec::new();
        for ((raw, item), place) in old.iter().zip(places) {
            match place {
                Some(at) if std::mem::take(&mut is_made[at]) => {
                    new.push((place, changed(raw, self.fields(&self.outputs[at], item))));
                }
                Some(_) if self.is_gone(item) => {
                    new.push((place, changed(raw, vec![("status", quoted(MISSING))])));
                }
                _ => new.push((place, (*raw).to_owned())),
            }
        }
        for (at, output) in self.outputs.iter().enumerate() {
            if is_made[at] {
                let fields = self.fields(output, &Value::Null);
                let behind = |(place, _): &(Option<usize>, String)| place.is_some_and(|it| it > at);
                let before = new.iter().position(behind).unwrap_or(new.len());
                new.insert(before, (Some(at), written(&fields)));
            }
        }
        new.into_iter().map(|(_, text)| text).collect()
    }

    /// Where the picture of an item is, and whether its path is one of a whole machine, of which only the last part can be
    /// followed.
    fn picture(&self, item: &Value) -> Option<(String, bool)> {
        let saved = item.get("saved_image_path").and_then(Value::as_str)?;
        let is_absolute = saved.starts_with('/') || saved.get(1..2) == Some(":");
        let slashed = saved.replace('\\', "/");
        let saved = if is_absolute {
            base_name(&slashed)
        } else {
            &slashed
        };
        let path = generated_path(self.folder, saved, self.is_there);
        Some((path, is_absolute))
    }

    /// Whether an item names an output so that it is judged.
    fn names(&self, item: &Value, output: &ListedOutput<'_>) -> bool {
        Status::of(item) == Status::Success
            && item.get("input_prompt").is_some()
            && self.picture(item) == Some((normal_path(output.place), false))
            && (self.is_there)(output.place)
    }

    /// Whether an item names a picture that is not there: judged, it would count as an empty one.
    fn is_gone(&self, item: &Value) -> bool {
        let is_there = |(path, _): (String, bool)| (self.is_there)(&path);
        Status::of(item) == Status::Success && !self.picture(item).is_some_and(is_there)
    }

    /// The fields of an output's item, in the authors' order; a prompt that the item has stays.
    fn fields(&self, output: &ListedOutput<'_>, item: &Value) -> Vec<(&'static str, String)> {
        let inside = output.place.strip_prefix(self.folder);
        let saved = inside.map_or(output.place, |rest| rest.trim_start_matches('/'));
        let mut fields = vec![
            ("id", quoted(id_of(output.sample))),
            ("input_prompt", quoted(output.instruction)),
            ("saved_image_path", quoted(saved)),
            ("status", quoted("success")),
        ];
        fields.retain(|(key, _)| {
            let is_kept = matches!(*key, "id" | "input_prompt");
            !is_kept || item.get(key).is_none()
        });
        fields
    }
}

/// An item with these fields in place of its own; those that it has not come behind.
fn changed(raw: &str, mut fields: Vec<(&'static str, String)>) -> String {
    let mut scanner = Scanner::new(raw);
    // It was read before, as an object with an id.
    scanner.at = 1;
    let mut first = true;
    let mut all: Vec<(String, String)> = Vec::new();
    while let Ok(Some(key)) = scanner.key(&mut first) {
        let key = key.decode();
        let start = scanner.at;
        if scanner.skip(1).is_err() {
            break;
        }
        let value = scanner.since(start).to_owned();
        let value = (fields.iter())
            .find(|(known, _)| *known == key)
            .map_or(value, |(_, value)| value.clone());
        all.push((key, value));
    }
    fields.retain(|(key, _)| !all.iter().any(|(known, _)| known == key));
    all.extend((fields.into_iter()).map(|(key, value)| (key.to_owned(), value)));
    written(&all)
}

/// An object as the authors' code writes it, within a list.
fn written(fields: &[(impl AsRef<str>, String)]) -> String {
    let fields: Vec<String> = (fields.iter())
        .map(|(key, value)| format!("    {}: {value}", quoted(key.as_ref())))
        .collect();
    format!("{{\n{}\n  }}", fields.join(",\n"))
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use juror_model::sample::{Turn, TurnKind};
    use std::borrow::Cow;

    const LIST: &str = "Level-1-Deictic/Addition/Addition_results.json";

    fn samples() -> Vec<Sample> {
        let sample = |id: &str| Sample {
            id: format!("Addition/{id}"),
            domain: "Addition".to_owned(),
            category: Cow::Borrowed("Deictic"),
            tags: Vec::new(),
            details: Vec::new(),
            pictures: Vec::new(),
            turns: vec![Turn {
                kind: TurnKind::Image,
                instruction: format!("Put \"{id}\" there."),
                answer: String::new(),
                picture: None,
                key_points: Vec::new(),
                output_name: format!("Level-1-Deictic/Addition/imgs/{id}.png"),
            }],
        };
        ["1", "2", "3"].map(sample).to_vec()
    }

    /// The list where these pictures are there.
    fn listed(text: &str, there: &[&str]) -> Result<String, Error> {
        let samples = samples();
        let outputs: Vec<ListedOutput<'_>> = (samples.iter())
            .map(|sample| ListedOutput {
                sample,
                instruction: &sample.turns[0].instruction,
                place: &sample.turns[0].output_name,
            })
            .collect();
        let is_there = |path: &str| {
            let inside = path.strip_prefix("Level-1-Deictic/Addition/");
            inside.is_some_and(|inside| there.contains(&inside))
        };
        Vibe.listed(LIST, text, &outputs, &is_there)
    }

    #[test]
    fn a_list_of_results_names_exactly_the_pictures_that_are_there_in_the_data_sets_order() {
        let both = listed("", &["imgs/3.png", "imgs/1.png"]).unwrap();
        assert_eq!(
            both,
            "[\n  {\n    \"id\": \"1\",\n    \"input_prompt\": \"Put \\\"1\\\" there.\",\n    \"saved_image_path\": \"imgs/1.png\",\n    \"status\": \"success\"\n  },\n  {\n    \"id\": \"3\",\n    \"input_prompt\": \"Put \\\"3\\\" there.\",\n    \"saved_image_path\": \"imgs/3.png\",\n    \"status\": \"success\"\n  }\n]\n"
        );
        assert_eq!(listed(&both, &["imgs/1.png", "imgs/3.png"]).unwrap(), both);
        let all = listed(&both, &["imgs/1.png", "imgs/2.png", "imgs/3.png"]).unwrap();
        let places = ["1", "2", "3"].map(|id| all.find(&format!("imgs/{id}.png")));
        assert!(places.is_sorted() && places[0].is_some(), "{all}");
        // One that was removed is no success any more, until it is made again.
        let without = listed(&all, &["imgs/1.png", "imgs/3.png"]).unwrap();
        let second = "imgs/2.png\",\n    \"status\": \"";
        let (success, missing) = (format!("{second}success"), format!("{second}missing"));
        assert_eq!(without, all.replace(&success, &missing));
        assert_ne!(without, all);
        assert_eq!(
            listed(&without, &["imgs/1.png", "imgs/3.png"]).unwrap(),
            without
        );
        assert_eq!(
            listed(&without, &["imgs/1.png", "imgs/2.png", "imgs/3.png"]).unwrap(),
            all
        );
        let none = listed(&all, &[]).unwrap();
        assert_eq!(none, all.replace("success", "missing"));
    }

    #[test]
    fn what_others_wrote_into_a_list_of_results_stays_in_its_order() {
        let text = r#"[
    {"id": "other", "saved_image_path": "imgs/x.png", "status": "success", "seed": 1e400},
    {"id": 2, "prompt": "mine", "seed": 7.0, "saved_image_path": "/far/imgs/2.png"},
    {"id": "3", "saved_image_path": "imgs/3.png", "status": "failed"},
    7
]"#;
        let kept = listed(text, &[]).unwrap();
        assert_eq!(kept, text);
        let made = listed(text, &["imgs/2.png", "imgs/1.png"]).unwrap();
        let second = r#"{
    "id": 2,
    "prompt": "mine",
    "seed": 7.0,
    "saved_image_path": "imgs/2.png",
    "input_prompt": "Put \"2\" there.",
    "status": "success"
  }"#;
        assert!(made.contains(second), "{made}");
        let first = made.find("imgs/1.png").unwrap();
        assert!(
            made.find("\"other\"").unwrap() < first && first < made.find(second).unwrap(),
            "{made}"
        );
        for same in [
            r#"{"id": "other", "saved_image_path": "imgs/x.png", "status": "success", "seed": 1e400},"#,
            r#"{"id": "3", "saved_image_path": "imgs/3.png", "status": "failed"},"#,
            "\n  7\n]\n",
        ] {
            assert!(made.contains(same), "{made}");
        }
        // A picture of another name that is there is the item's own.
        let named = r#"[{"id": "1", "input_prompt": "", "saved_image_path": "a.jpg", "status": "success"}]"#;
        assert_eq!(listed(named, &["imgs/a.jpg"]).unwrap(), named);
        // Without its picture it keeps everything but the status.
        let seeded = r#"[{"id": "1", "seed": 7.0, "saved_image_path": "a.jpg", "status": "success", "note": null}]"#;
        assert_eq!(
            listed(seeded, &[]).unwrap(),
            "[\n  {\n    \"id\": \"1\",\n    \"seed\": 7.0,\n    \"saved_image_path\": \"a.jpg\",\n    \"status\": \"missing\",\n    \"note\": null\n  }\n]\n"
        );
    }

    #[test]
    fn what_is_no_list_of_results_is_refused_and_not_written_over() {
        for bad in ["{}", "[1", "[1] 2", "Notes."] {
            let error = listed(bad, &["imgs/1.png"]).unwrap_err().to_string();
            assert!(error.contains("expected a list of items"), "{error}");
        }
        let list_of = |place: &str| Vibe.list_of(place);
        assert_eq!(
            list_of("Level-1-Deictic/Addition/imgs/a/1.png").as_deref(),
            Some(LIST)
        );
        assert_eq!(list_of("other/imgs/1.png"), None);
    }
}
