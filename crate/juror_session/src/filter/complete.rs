//! What may stand at the caret of an expression that is being typed.

use super::{
    FIELDS, Field, Judged, LABEL_STATES, Schema, Takes, byte_at, incident_values, quoted, units,
};
use crate::view::Completion;

/// Suggestions at a time.
const MAX: usize = 12;

/// Fields and values that may stand at the caret, which counts UTF-16 units.
pub(crate) fn complete(source: &str, caret: u32, schema: &Schema) -> Vec<Completion> {
    let caret = byte_at(source, caret);
    let start = word_start(source, caret);
    let written = &source[start..caret];
    let end = caret
        + source[caret..]
            .find(|c: char| c.is_whitespace() || c == ')')
            .unwrap_or(source.len() - caret);
    let name_len = written.find(|c: char| !c.is_alphanumeric() && !"_.-".contains(c));
    let place = |from: usize, to: usize, insert: String, label: String, detail: &str| Completion {
        start: units(source, from),
        end: units(source, to),
        insert,
        label,
        detail: detail.to_owned(),
    };
    let Some(name_len) = name_len else {
        if written.starts_with('"') {
            return Vec::new();
        }
        let known = fields(schema).filter(|(name, _, _)| begins(name, written));
        return known
            .map(|(name, sign, detail)| {
                place(start, end, format!("{name}{sign}"), name.to_owned(), detail)
            })
            .take(MAX)
            .collect();
    };
    let (name, rest) = written.split_at(name_len);
    let Some(field) = schema.field(name) else {
        return Vec::new();
    };
    let signs = rest
        .find(|c: char| !":<>=!~".contains(c))
        .unwrap_or(rest.len());
    if signs == 0 || rest[..signs].contains('~') {
        return Vec::new();
    }
    // Behind a model's own sign another model may stand, and behind a comma another value.
    let mut from = start + name_len + signs;
    let text = &source[from..caret];
    if let Some(at) = text
        .rfind("model:")
        .filter(|_| name.eq_ignore_ascii_case("model"))
    {
        from += at + "model:".len();
    } else if let Some(at) = text.rfind(',') {
        from += at + 1;
    }
    let begun = source[from..caret].trim_start_matches('"');
    let values = values(schema, field);
    let first = values.iter().filter(|(value, _)| begins(value, begun));
    let later = values.iter().filter(|(value, _)| {
        !begins(value, begun) && value.to_lowercase().contains(&begun.to_lowercase())
    });
    first
        .chain(later)
        .map(|(value, detail)| place(from, end, quoted(value), value.clone(), detail))
        .take(MAX)
        .collect()
}

/// Where the condition at the caret starts: behind the last space or parenthesis that is not in quotes.
fn word_start(source: &str, caret: usize) -> usize {
    let (mut start, mut is_quoted, mut is_escaped) = (0, false, false);
    for (at, c) in source[..caret].char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            c if !is_quoted && (c.is_whitespace() || c == '(') => start = at + c.len_utf8(),
            '-' if at == start => start = at + 1,
            _ => {}
        }
    }
    start
}

fn begins(name: &str, start: &str) -> bool {
    name.to_lowercase().starts_with(&start.to_lowercase())
}

/// Names with the sign that mostly follows.
fn fields(schema: &Schema) -> impl Iterator<Item = (&str, &str, &str)> {
    let groups = schema
        .groups
        .iter()
        .map(|group| (group.names[0].as_str(), ":", group.label.as_str()));
    let fixed = FIELDS
        .iter()
        .filter(|(_, takes, _)| match takes {
            Takes::Judge => !schema.judges.is_empty(),
            Takes::Label => !schema.labels.is_empty(),
            _ => true,
        })
        .map(|(name, takes, detail)| {
            let sign = match takes {
                Takes::Number => "",
                Takes::Pattern => "~",
                _ => ":",
            };
            (*name, sign, *detail)
        });
    groups.chain(fixed)
}

fn values(schema: &Schema, field: Field) -> Vec<(String, String)> {
    let plain = |values: &[String]| {
        values
            .iter()
            .map(|value| (value.clone(), String::new()))
            .collect()
    };
    let at = match field {
        Field::Group(at) => return plain(&schema.groups[at].values),
        Field::Fixed(at) => at,
    };
    let pair = |(value, detail): (&str, &str)| (value.to_owned(), detail.to_owned());
    match FIELDS[at].1 {
        Takes::Model => plain(&schema.models),
        Takes::Judge => plain(&schema.judges),
        Takes::Criterion => schema
            .criteria
            .iter()
            .map(|(id, short)| (id.clone(), short.clone()))
            .collect(),
        Takes::Incident => incident_values().map(pair).collect(),
        Takes::Label => (LABEL_STATES.iter())
            .map(|(_, value, detail)| pair((value, detail)))
            .chain(schema.labels.iter().cloned())
            .collect(),
        Takes::Judged => Judged::ALL
            .iter()
            .map(|(_, value, detail)| pair((value, detail)))
            .collect(),
        Takes::YesNo => [("yes", "Has a score"), ("no", "Has none")]
            .map(pair)
            .into(),
        Takes::Subset => schema
            .subset_scopes
            .iter()
            .map(|scope| (format!("{scope}/10"), format!("10 of each {scope}")))
            .collect(),
        Takes::Number | Takes::Text | Takes::Pattern => Vec::new(),
    }
}
