//! The form that strict readers ask for: one JSON object, alone or in one Markdown fence.

use crate::error::Error;
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

/// The same, if nothing stands before the object in it.
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

/// The object, in Python's reading of JSON, if nothing stands beside it.
pub fn object(reply: &str) -> Result<Value, Error> {
    if reply.trim().is_empty() {
        return Err(Error::Form("The reply is empty.".to_owned()));
    }
    let body = alone(reply)?;
    let found = match py::loads(body) {
        Ok(object @ Value::Dict(_)) => return Ok(object),
        Ok(other) => format!("The reply is {}, not an object.", other.describe()),
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

#[cfg(test)]
mod tests {
    use super::*;

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
            ("none", "The reply is not JSON:"),
        ] {
            let found = object(reply).map_or_else(|error| error.to_string(), |_| String::new());
            assert!(found.contains(wanted), "{reply}: {found}");
        }
    }
}
