use super::*;

#[test]
fn items_one_by_one_are_those_of_the_whole_and_faults_are_told_alike() {
    for text in [
        "[]",
        " [1, [2, 3], {\"a\": []}] ",
        "{\"a\": [1]}",
        "\"text\"",
        "7",
        "",
        "[1, 2",
        "[1,, 2]",
        "[1 2]",
        "[1] 2",
        "[1, {\"a\"}]",
    ] {
        let mut items = Vec::new();
        let found = load_items(text, |item| items.push(item));
        let whole = found.map(|other| other.unwrap_or(Value::List(items)));
        assert_eq!(whole, loads(text), "{text}");
    }
    let depth = MAX_DEPTH as usize;
    for depth in [depth, depth + 1, depth + 2] {
        let text = "[".repeat(depth) + &"]".repeat(depth);
        let found = load_items(&text, |_| ()).map(|_| ());
        assert_eq!(found, loads(&text).map(|_| ()), "{depth}");
    }
}

#[test]
fn a_number_that_nothing_holds_does_not_cost_the_reply_beside_it() {
    let text = r#"{"usage": {"total": 1e400, "input": 12}, "text": "{\"score\": 7}"}"#;
    assert!(serde_json::from_str::<serde_json::Value>(text).is_err());
    let value = json_from_service(text).unwrap();
    assert_eq!(value["text"], "{\"score\": 7}");
    assert_eq!(value["usage"]["input"].as_u64(), Some(12));
    assert!(value["usage"]["total"].is_null());
    for broken in ["{", "", "<html>", "{'a': 1}"] {
        assert!(json_from_service(broken).is_err(), "{broken}");
    }
}

#[test]
fn ties_go_to_even_only_where_the_binary_value_is_one() {
    assert_eq!(round(0.375, 2), 0.38);
    assert_eq!(round(-0.125, 2), -0.12);
    assert_eq!(round(0.0005, 3), 0.001); // 0.0005 is above the tie in binary
    assert_eq!(round(0.3335, 3), 0.334); // 0.33350000000000001865
    assert_eq!(round(1.0005, 3), 1.0); // 1.000499999999999989
    assert_eq!(round(0.5, 0), 0.0);
    assert_eq!(round(1.5, 0), 2.0);
    assert!(round(f64::NAN, 3).is_nan());
}

#[test]
fn digits_and_white_space_are_pythons() {
    for (c, value) in [
        ('7', Some(7)),
        ('\u{663}', Some(3)),
        ('\u{ff10}', Some(0)),
        ('\u{1d7ff}', Some(9)),
        ('\u{b2}', None), // superscript two is no decimal digit
        ('x', None),
    ] {
        assert_eq!(decimal_digit(c), value, "{c:?}");
    }
    assert!(is_space('\u{1f}') && is_space('\u{3000}') && !is_space('\u{200b}'));
    assert!(DIGIT_ZEROS.is_sorted());
}

#[test]
fn casts_take_what_python_takes() {
    let text = |text: &str| Value::Str(text.to_owned());
    for (given, as_float, as_int) in [
        ("1", Some(1.0), Some(1.0)),
        (" +1_0 ", Some(10.0), Some(10.0)),
        ("-.5e1", Some(-5.0), None),
        ("1.", Some(1.0), None),
        ("\u{663}\u{ff11}", Some(31.0), Some(31.0)),
        ("-Infinity", Some(f64::NEG_INFINITY), None),
        ("1__0", None, None),
        ("_1", None, None),
        ("1_", None, None),
        ("--1", None, None),
        ("1 0", None, None),
        ("0x1", None, None),
        ("N/A", None, None),
        ("", None, None),
    ] {
        assert_eq!(float(&text(given)), as_float, "float({given:?})");
        assert_eq!(int(&text(given)), as_int, "int({given:?})");
    }
    assert!(float(&text("nan")).unwrap().is_nan());
    assert_eq!(int(&Value::Float(-1.7)), Some(-1.0));
    assert_eq!(int(&Value::Float(f64::INFINITY)), None);
    assert_eq!(int(&Value::List(Vec::new())), None);
}

#[test]
fn the_last_of_two_equal_keys_wins_at_the_first_ones_place() {
    let value = loads(r#"{"a": 1, "b": 2, "a": 3}"#).unwrap();
    assert_eq!(
        value,
        Value::Dict(vec![
            ("a".into(), Value::Int(3.0)),
            ("b".into(), Value::Int(2.0))
        ])
    );
}

#[test]
fn strings_are_cut_at_the_right_byte_wherever_the_special_one_stands() {
    for len in 0..40 {
        for (special, expected) in [
            ("\"", None),
            ("\\n\"", None),
            ("\u{1}\"", Some("Invalid control character at")),
        ] {
            let body = "é".repeat(len / 2) + &"x".repeat(len % 2 + len / 3);
            let text = format!("\"{body}{special}");
            let read = loads(&text);
            match expected {
                None => assert!(read.unwrap().as_str().unwrap().starts_with(&body), "{text}"),
                Some(message) => {
                    let error = read.unwrap_err();
                    assert_eq!(
                        (error.message, error.char),
                        (message, body.chars().count() + 1),
                        "{text}"
                    );
                }
            }
        }
    }
}

#[test]
fn surrogate_pairs_join_and_lone_ones_are_replaced() {
    assert_eq!(loads(r#""\ud83c\udf4c""#).unwrap(), Value::Str("🍌".into()));
    assert_eq!(
        loads(r#""\ud83cx""#).unwrap(),
        Value::Str("\u{fffd}x".into())
    );
}

#[test]
fn skipping_and_reading_agree_on_what_is_json() {
    for text in [
        "[1, 2",
        "[1 2]",
        "{\"a\" 1}",
        "[]",
        "{}",
        "[{\"a\": [null, -0.5e3]}]",
        "nul",
        "-",
        "01",
        "\"\\x\"",
        "[1,]",
    ] {
        let mut scanner = Scanner::new(text);
        let skipped = scanner
            .skip(0)
            .and_then(|()| scanner.end())
            .map_err(|fault| fault.locate(text));
        assert_eq!(skipped, loads(text).map(|_| ()), "{text}");
    }
}

#[test]
fn deep_nesting_is_an_error_and_not_a_stack_overflow() {
    assert_eq!(
        loads(&"[".repeat(100_000)).unwrap_err().message,
        "Nested too deeply"
    );
}
