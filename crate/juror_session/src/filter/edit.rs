//! Adds a value to an expression, or takes it out: what a click on a facet does.

use super::{Clause, Expr, FIELDS, Field, Parsed, Schema, quoted};

/// Positive lists of this field that stand at the top of the expression.
pub(crate) fn lists(parsed: &Parsed, field: Field) -> impl Iterator<Item = (&Clause, &[String])> {
    let parts = match &parsed.expr {
        Expr::All(parts) => parts.as_slice(),
        _ => &[],
    };
    parts.iter().filter_map(move |part| {
        let (of, values) = part.list.as_ref()?;
        (*of == field).then_some((part, values.as_slice()))
    })
}

/// The expression with this value of the field added, or taken out where it is named.
pub(crate) fn toggled(
    source: &str,
    parsed: &Parsed,
    schema: &Schema,
    field: Field,
    value: &str,
) -> String {
    let name = match field {
        Field::Fixed(at) => FIELDS[at].0,
        Field::Group(at) => &schema.groups[at].names[0],
    };
    let is_value = |known: &String| known.eq_ignore_ascii_case(value);
    let found = lists(parsed, field)
        .find(|(_, values)| values.iter().any(is_value))
        .or_else(|| lists(parsed, field).next());
    let Some((part, values)) = found else {
        let source = source.trim();
        let term = format!("{name}:{}", quoted(value));
        return match (source.is_empty(), parsed.is_alternatives) {
            (true, _) => term,
            (false, true) => format!("({source}) {term}"),
            (false, false) => format!("{source} {term}"),
        };
    };
    let mut values: Vec<String> = values.to_vec();
    if values.iter().any(is_value) {
        values.retain(|known| !is_value(known));
    } else {
        values.push(value.to_owned());
    }
    let (before, after) = (&source[..part.span.start], &source[part.span.end..]);
    if values.is_empty() {
        // An AND on either side would have only one term.
        let before = before.trim_end();
        let before = before
            .strip_suffix("AND")
            .filter(|rest| rest.is_empty() || rest.ends_with(char::is_whitespace))
            .unwrap_or(before)
            .trim_end();
        let mut after = after.trim_start();
        if before.is_empty() {
            after = after.strip_prefix("AND ").unwrap_or(after);
        }
        return format!("{before} {}", after.trim_start()).trim().to_owned();
    }
    let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
    format!("{before}{name}:{}{after}", values.join(","))
}
