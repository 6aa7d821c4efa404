//! Reading, editing and completing expressions, on a schema made by hand.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;

fn schema() -> Schema {
    let groups = [
        ("task", vec!["add", "3_local", "two words"]),
        ("references", vec!["2", "3", "8"]),
    ];
    let group = |(name, values): (&str, Vec<&str>)| {
        let values = values.into_iter().map(str::to_owned).collect();
        Group::new(vec![name.to_owned()], name.to_owned(), values)
    };
    Schema {
        groups: groups.map(group).into(),
        models: ["A", "B", "B+2", "a model"].map(str::to_owned).into(),
        judges: vec!["gpt".to_owned()],
        criteria: vec![("key_point".to_owned(), "KP".to_owned())],
        labels: [("artefact", "Artefact"), ("odd hands", "odd hands")]
            .map(|(id, name)| (id.to_owned(), name.to_owned()))
            .into(),
        subset_scopes: ["all", "task"].map(str::to_owned).into(),
    }
}

/// An expression as its structure reads.
fn shape(source: &str) -> String {
    fn write(expr: &Expr) -> String {
        match expr {
            Expr::All(parts) if parts.len() == 1 => write(&parts[0].expr),
            Expr::All(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| write(&part.expr)).collect();
                format!("({})", parts.join(" & "))
            }
            Expr::Any(of) => {
                let of: Vec<String> = of.iter().map(write).collect();
                format!("({})", of.join(" | "))
            }
            Expr::Not(one) => format!("!{}", write(one)),
            Expr::Term(Term::Text { field, pattern }) => {
                format!("{field:?}{}", pattern.name())
            }
            Expr::Term(term) => format!("{term:?}"),
        }
    }
    let parsed = parse(source, &schema());
    parsed.map_or_else(
        |fault| format!("{}..{} {}", fault.start, fault.end, fault.message),
        |parsed| write(&parsed.expr),
    )
}

#[test]
fn conditions_join_as_the_grammar_says() {
    assert_eq!(shape(""), "()");
    assert_eq!(shape("red banana"), "(Text\"red & Text\"banana)");
    assert_eq!(shape("a b OR c"), "((Text\"a & Text\"b) | Text\"c)");
    assert_eq!(shape("a AND (b OR -c)"), "(Text\"a & (Text\"b | !Text\"c))");
    assert_eq!(shape("NOT (a b)"), "!(Text\"a & Text\"b)");
    assert_eq!(shape("\"red \\\"banana\\\"\""), "Text\"red \"banana\"");
    // In quotes or in small letters they are words.
    assert_eq!(shape("\"OR\" or"), "(Text\"OR & Text\"or)");
    assert_eq!(shape("well-known"), "Text\"well-known");
}

#[test]
fn conditions_read_as_their_fields_say() {
    assert_eq!(
        shape("task:3_LOCAL,\"two words\""),
        "Group { group: 0, values: [1, 2] }"
    );
    assert_eq!(shape("task!=add"), "!Group { group: 0, values: [0] }");
    assert_eq!(
        shape("references>=3"),
        "GroupNumber { group: 1, test: Compare(AtLeast, 3.0) }"
    );
    assert_eq!(
        shape("references:2..4"),
        "GroupNumber { group: 1, test: Within(2.0, 4.0) }"
    );
    assert_eq!(shape("score<4"), "Score(Compare(Below, 4.0))");
    assert_eq!(shape("SCORE:1..2.5"), "Score(Within(1.0, 2.5))");
    assert_eq!(
        shape("criterion:kp<=3"),
        "Criterion { criterion: 0, test: Compare(AtMost, 3.0) }"
    );
    assert_eq!(
        shape("incident:missing"),
        "Incident([Kind(MissingOutput), Kind(MissingReply)])"
    );
    assert_eq!(shape("incident:none"), "Incident([None])");
    assert_eq!(shape("judged:part"), "Judged([Part])");
    assert_eq!(shape("reason~\"red banana\""), "Reason\"red banana");
    assert_eq!(shape("reply~/re[d\\/] x/"), "Reply/re[d/] x");
    assert_eq!(shape("id:3_local/006"), "Id([\"3_local/006\"])");
}

#[test]
fn models_are_compared_with_numbers_and_with_each_other() {
    assert_eq!(shape("model:A,b"), "Models([0, 1])");
    assert_eq!(
        shape("model:A<4"),
        "ModelScore { model: 0, test: Compare(Below, 4.0) }"
    );
    assert_eq!(
        shape("model:A>model:B+1.5"),
        "Versus { a: 0, op: Above, b: 1, offset: 1.5 }"
    );
    // A model of that very name comes first.
    assert_eq!(
        shape("model:A>model:B+2"),
        "Versus { a: 0, op: Above, b: 2, offset: 0.0 }"
    );
    assert_eq!(
        shape("model:A>model:B+2-1"),
        "Versus { a: 0, op: Above, b: 2, offset: -1.0 }"
    );
    assert_eq!(
        shape("model:\"a model\">=model:\"B\"-2"),
        "Versus { a: 3, op: AtLeast, b: 1, offset: -2.0 }"
    );
}

#[test]
fn faults_name_the_place_and_what_was_meant() {
    assert_eq!(shape("a tsak:add"), "2..6 There is no field “tsak”.");
    assert_eq!(shape("task:ad"), "5..7 There is no task “ad”.");
    assert_eq!(shape("score<four"), "6..10 “four” is not a number.");
    assert_eq!(shape("(a b"), "0..1 This parenthesis is not closed.");
    assert_eq!(shape("a)"), "1..2 This parenthesis closes nothing.");
    assert_eq!(shape("x \"y"), "2..4 These quotes are not closed.");
    assert_eq!(
        shape("a OR"),
        "2..4 OR needs a condition on each side; one is missing."
    );
    assert_eq!(shape("task:"), "4..5 A value is missing after task.");
    // Positions count as a page does: the first letter takes two units.
    assert_eq!(shape("𝒳 modle:A"), "3..8 There is no field “modle”.");
    let fault = parse("modle:A", &schema()).unwrap_err();
    assert_eq!(fault.replacement.as_deref(), Some("model"));
    let far = parse("http://x", &schema()).unwrap_err();
    assert!(far.hint.contains("\"http://x\""), "{}", far.hint);
    assert_eq!(far.replacement, None);
    assert!(shape("text~/(/").contains("regular expression cannot be read"));
}

#[test]
fn nesting_without_end_is_refused() {
    assert!(shape(&"(".repeat(1000)).contains("nested too deeply"));
    assert!(shape(&"-".repeat(1000)).contains("negat"));
}

/// The expression after a click on a value.
fn click(source: &str, field: &str, value: &str) -> String {
    let schema = schema();
    let parsed = parse(source, &schema).unwrap();
    let clicked = toggled(
        source,
        &parsed,
        &schema,
        schema.field(field).unwrap(),
        value,
    );
    assert!(parse(&clicked, &schema).is_ok(), "{clicked}");
    clicked
}

#[test]
fn a_click_adds_a_value_and_a_second_takes_it_out() {
    for (before, after) in [
        ("", "task:add"),
        ("score<4", "score<4 task:add"),
        ("a OR b", "(a OR b) task:add"),
        ("task:3_local x", "task:3_local,add x"),
        // Negated terms and those in parentheses stay as they are.
        ("-task:add", "-task:add task:add"),
    ] {
        assert_eq!(click(before, "task", "add"), after);
        if before.is_empty() || before == "score<4" || before == "task:3_local x" {
            assert_eq!(click(after, "task", "add"), before);
        }
    }
    assert_eq!(click("x AND task:add AND y", "task", "add"), "x AND y");
    assert_eq!(click("task:add AND y", "task", "add"), "y");
    assert_eq!(click("", "task", "two words"), "task:\"two words\"");
}

/// Inserts the suggestion at `|`.
fn suggestions(text: &str) -> Vec<String> {
    let caret = text.find('|').unwrap();
    let source = text.replace('|', "");
    let found = complete(&source, units(&source, caret), &schema());
    let put = |one: crate::view::Completion| {
        let (start, end) = (byte_at(&source, one.start), byte_at(&source, one.end));
        format!("{}{}{}", &source[..start], one.insert, &source[end..])
    };
    found.into_iter().map(put).collect()
}

#[test]
fn fields_and_values_are_suggested_at_the_caret() {
    assert_eq!(suggestions("x ta|"), ["x task:"]);
    assert_eq!(suggestions("-re| y")[..2], ["-references: y", "-reply~ y"]);
    assert_eq!(suggestions("task:|").len(), 3);
    assert_eq!(suggestions("task:add,two|"), ["task:add,\"two words\""]);
    assert_eq!(suggestions("(task:\"tw|"), ["(task:\"two words\""]);
    assert_eq!(
        suggestions("model:A>model:B|"),
        ["model:A>model:B", "model:A>model:B+2"]
    );
    assert_eq!(suggestions("incident:unp|"), ["incident:unparsable"]);
    assert!(suggestions("text~a|").is_empty());
    assert!(suggestions("\"ta|").is_empty());
    assert!(suggestions("|").len() > 5);
}
