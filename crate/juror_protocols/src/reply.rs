//! The form that strict readers ask for: one JSON object, alone or in one Markdown fence.

use crate::error::Error;
use juror_model::reply::ParsedReply;
use juror_reading::py::{self, Value};

/// A reply without the one Markdown fence that it may stand in.
pub(crate) fn unfenced(reply: &str) -> Result<&str, Error> {
    let text = reply.trim();
    let Some(fenced) = text.strip_prefix("```") else {
        return Ok(text);
    };
    let body = fenced
        .strip_prefix("json")
        .or_else(|| fenced.strip_prefix("JSON"))
        .unwrap_or(fenced)
        .strip_suffix("```")
        .ok_or_else(|| Error::Form("The Markdown fence is not closed.".to_owned()))?;
    Ok(body.trim())
}

/// The same, if nothing is before the object in it.
pub(crate) fn alone(reply: &str) -> Result<&str, Error> {
    let body = unfenced(reply)?;
    match body.find('{').filter(|&open| open > 0) {
        Some(open) => Err(Error::Form(format!(
            "There is text before the object: \"{}\".",
            py::shorten(body[..open].trim(), 60)
        ))),
        None => Ok(body),
    }
}

/// The object, in Python's reading of JSON, if there is nothing else.
pub fn object(reply: &str) -> Result<Value, Error> {
    if reply.trim().is_empty() {
        return Err(Error::Form("The reply is empty.".to_owned()));
    }
    let body = alone(reply)?;
    let found = match py::loads_noting(body) {
        Ok((object @ Value::Dict(_), repeated)) => {
            return unambiguous(repeated).map(|()| object);
        }
        Ok((other, _)) => format!("The reply is {}, not an object.", other.describe()),
        Err(error) if error.message == "Extra data" => {
            let rest: String = body.chars().skip(error.char).collect();
            format!(
                "There is text behind the object: \"{}\".",
                py::shorten(rest.trim(), 60)
            )
        }
        Err(error) => format!("The reply is not JSON: {error}."),
    };
    Err(Error::Form(found))
}

/// What a number that is none does where the authors' code lets it in.
pub(crate) fn endless(what: &str, x: f64) -> String {
    let found = if x.is_nan() { "NaN" } else { "infinite" };
    format!(
        "{what} is {found}: the authors' code lets it in, and no mean with it is a number. Judge it again."
    )
}

/// A verdict in the authors' reading, or the word that a number of it is none.
pub(crate) fn finite(parsed: ParsedReply) -> ParsedReply {
    let ParsedReply::Ok {
        criteria, score, ..
    } = &parsed
    else {
        return parsed;
    };
    let named = criteria.iter().map(|(name, x)| (name.as_str(), *x));
    let mut all = named.chain(score.map(|x| ("The score", x)));
    match all.find(|(_, x)| !x.is_finite()) {
        Some((what, x)) => ParsedReply::Incident {
            kind: "out_of_range".to_owned(),
            detail: endless(what, x),
        },
        None => parsed,
    }
}

/// No key has two values; the one that has, as it was noted.
pub(crate) fn unambiguous(repeated: Option<String>) -> Result<(), Error> {
    match repeated {
        None => Ok(()),
        Some(key) => Err(Error::Form(format!(
            "\"{}\" is given twice, with different values.",
            py::shorten(&key, 40)
        ))),
    }
}

/// The rest of a line behind a label that it begins with, however it is set: bold, as an item, a heading or a row of a table.
///
/// Strict readers take none of these forms. They only must not score an earlier line as if this one were not there.
pub(crate) fn behind_label<'a>(line: &'a str, label: &str) -> Option<&'a str> {
    let is_mark = |c: char| c.is_whitespace() || "*_`#>|-+~\"'•·".contains(c);
    let text = line.trim_start_matches(is_mark);
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = number
        .strip_prefix(['.', ')'])
        .filter(|_| number.len() < text.len())
        .map_or(text, |rest| rest.trim_start_matches(is_mark));
    let found = text.get(..label.len())?;
    let rest = found
        .eq_ignore_ascii_case(label)
        .then(|| &text[label.len()..])?;
    let rest = rest.trim_start_matches([' ', '\t', '*', '_', '`', '"', '\'']);
    rest.strip_prefix([':', '：', '|', '=', '-', '–', '—'])
}

/// The text after a label anywhere in a line, where a number does: "On reflection, the fit (final): 3 at most".
///
/// What was scored by an earlier line may be taken back here; a sentence without a number mentions the label only.
pub(crate) fn names_label<'a>(line: &'a str, label: &str) -> Option<&'a str> {
    let is_mark = |c: char| " \t*_`\"'".contains(c);
    let mut before = None;
    for (at, c) in line.char_indices() {
        let is_begin = !before.replace(c).is_some_and(char::is_alphanumeric);
        let Some((length, _)) = is_begin.then(|| behind(&line[at..], label)).flatten() else {
            continue;
        };
        let mut rest = line[at + length..].trim_start_matches(is_mark);
        if let Some((_, after)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            rest = after.trim_start_matches(is_mark);
        }
        for word in ["score", "rating"] {
            let head = rest.get(..word.len());
            if head.is_some_and(|head| head.eq_ignore_ascii_case(word)) {
                rest = rest[word.len()..].trim_start_matches(is_mark);
            }
        }
        let value = rest.strip_prefix([':', '：', '=', '|']);
        if let Some(value) = value.filter(|value| has_number(value)) {
            return Some(value);
        }
    }
    None
}

/// Whether a text has a number in it, in digits or as a word.
pub(crate) fn has_number(text: &str) -> bool {
    const WORDS: [&str; 11] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let is_number = |word: &str| WORDS.iter().any(|known| known.eq_ignore_ascii_case(word));
    text.contains(|c: char| c.is_numeric() || "一二三四五六七八九十".contains(c))
        || text.split(|c: char| !c.is_alphanumeric()).any(is_number)
}

/// The length of a label that a text begins with, and whether it is spelled as asked.
pub(crate) fn behind(text: &str, name: &str) -> Option<(usize, bool)> {
    let mut left = text.chars().peekable();
    let mut length = 0;
    let mut is_exact = true;
    let is_gap = |c: char| " _-/\u{a0}\u{202f}\u{2010}\u{2011}\u{2012}\u{2013}".contains(c);
    for wanted in name.chars() {
        if is_gap(wanted) {
            let mut number = 0;
            while let Some(c) = left.next_if(|c| is_gap(*c)) {
                length += c.len_utf8();
                is_exact &= c == wanted;
                number += 1;
            }
            is_exact &= number == 1;
            continue;
        }
        let c = left.next()?;
        if !c.eq_ignore_ascii_case(&wanted) {
            return None;
        }
        is_exact &= c == wanted;
        length += c.len_utf8();
    }
    let is_whole = left.next().is_none_or(|c| !c.is_alphanumeric());
    is_whole.then_some((length, is_exact))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_found_at_the_begin_of_a_line_in_every_setting() {
        for line in [
            "Fit: 7",
            "  **Fit:** 7",
            "**Fit**: 7",
            "- fit: 7",
            "2. Fit = 7",
            "## Fit: 7",
            "| Fit | 7 |",
            "> *FIT* – 7",
        ] {
            assert!(behind_label(line, "Fit").is_some(), "{line}");
        }
        for line in [
            "The fit: 7",
            "Fitness: 7",
            "Fit is seen: 7",
            "Fi",
            "é",
            "2 Fit: 7",
        ] {
            assert!(behind_label(line, "Fit").is_none(), "{line}");
        }
    }

    #[test]
    fn an_object_stands_alone_or_in_one_fence() {
        let is_read = |reply: &str| object(reply).is_ok();
        assert!(
            is_read(" {\"a\": 1}\n") && is_read("```json\n{\"a\": 1}\n```") && is_read("```{}```")
        );
        for (reply, wanted) in [
            (" ", "The reply is empty."),
            ("```json {}", "The Markdown fence is not closed."),
            ("Sure: {}", "There is text before the object: \"Sure:\"."),
            ("{} Done.", "There is text behind the object: \"Done.\"."),
            ("[1]", "not an object."),
            ("{\"a\": 1, \"a\": 2}", "\"a\" is given twice"),
            ("none", "The reply is not JSON:"),
        ] {
            let found = object(reply).map_or_else(|error| error.to_string(), |_| String::new());
            assert!(found.contains(wanted), "{reply}: {found}");
        }
    }
}
