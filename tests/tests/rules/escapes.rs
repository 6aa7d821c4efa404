//! Foreign names in CSV and HTML: the vectors that the page's own escapers are held against too.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_reading::escape;
use serde_json::Value;

/// Text and what becomes of it.
fn pairs(kind: &str) -> Vec<(String, String)> {
    let vectors: Value = serde_json::from_str(include_str!("../../golden/escapes.json")).unwrap();
    let pairs = vectors[kind].as_array().unwrap().iter();
    let text = |pair: &Value, at: usize| pair[at].as_str().unwrap().to_owned();
    pairs.map(|pair| (text(pair, 0), text(pair, 1))).collect()
}

fn failed(kind: &str, escaper: impl Fn(&str) -> String) -> Vec<String> {
    let wrong = pairs(kind)
        .into_iter()
        .filter(|(text, expected)| escaper(text) != *expected);
    wrong.map(|(text, _)| text).collect()
}

#[test]
fn names_are_escaped_in_csv_and_in_html_as_the_page_escapes_them() {
    assert_eq!(failed("csv_field", escape::csv_field), [""; 0]);
    assert_eq!(failed("html", escape::html), [""; 0]);
}

#[test]
fn an_escaper_that_leaves_every_text_as_it_is_fails_the_vectors() {
    assert!(failed("csv_field", str::to_owned).len() > 10);
    assert!(failed("html", str::to_owned).len() > 4);
}
