//! Texts of every kind: line ends, Python's JSON, Python's strings, case cards.
#![no_main]

use juror_model::prompt;
use juror_protocols::micon::layout::yaml;
use juror_reading::escape;
use juror_reading::py;
use juror_reading::text;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    let read = text::read(data.to_vec());
    assert!(!read.text.contains('\r'), "line ends are \\n");
    assert_eq!(read.bytes.as_deref().unwrap_or(data), data);
    let again = text::read(read.text.clone().into_bytes());
    assert!(!again.marks.is_broken);
    // A second byte order mark is a letter of the text.
    if !read.text.starts_with('\u{feff}') {
        assert_eq!(again.text, read.text, "what was read reads the same");
    }
    json(&read.text);
    let _ = yaml::load(&read.text);
    let _ = prompt::python_strings(&read.text);
    let literals = prompt::python_literals(&read.text);
    let letters: usize = literals.iter().map(String::len).sum();
    assert!(letters <= 8 * read.text.len(), "escapes do not multiply");
    let line = escape::terminal_line(&read.text);
    assert!(!line.contains(char::is_control));
});

/// Whatever a strict reader takes, Python's takes too, and both mean the same.
fn json(text: &str) {
    let own = py::loads(text);
    if let Ok(strict) = serde_json::from_str::<Value>(text) {
        let own = own.expect("what is JSON can be read");
        assert!(is_same(&strict, &own), "{strict} is not {own:?}");
    }
}

fn is_same(strict: &Value, own: &py::Value) -> bool {
    match (strict, own) {
        (Value::Array(left), py::Value::List(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| is_same(l, r))
        }
        (Value::Object(left), py::Value::Dict(_)) => left
            .iter()
            .all(|(key, value)| own.get(key).is_some_and(|found| is_same(value, found))),
        (Value::String(left), _) => own.as_str() == Some(left),
        (Value::Number(left), _) => {
            let (left, right) = (left.as_f64(), own.as_number());
            // The strict reader may be off in the last digit.
            left.zip(right).is_some_and(|(left, right)| {
                left.total_cmp(&right).is_eq()
                    || (left - right).abs() <= left.abs() * 1e-15
                    || left == 0.0 && right == 0.0
            })
        }
        (Value::Bool(left), py::Value::Bool(right)) => left == right,
        (Value::Null, py::Value::Null) => true,
        _ => false,
    }
}
