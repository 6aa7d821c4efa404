//! Text → expression, with faults that name the place and the mend.

use std::ops::Range;

use super::{
    Clause, Expr, FIELDS, Field, IncidentTest, Judged, LabelTest, Op, Parsed, Pattern, Schema,
    Takes, Term, Test, TextField, expression::Expression, fault, nearest, quoted, text::Needle,
};
use crate::view::FilterFault;
use juror_model::incident::IncidentKind;
use juror_model::subset::Subset;
use juror_reading::limits::FILTER_BYTES;

/// Nesting beyond this is refused: an address can hold anything.
const MAX_DEPTH: u32 = 64;

type Fault = FilterFault;

/// What has to hold, with field and values where it is a plain list.
type Condition = (Expr, Option<(Field, Vec<String>)>);

/// Reads an expression.
pub(crate) fn parse(source: &str, schema: &Schema) -> Result<Parsed, Fault> {
    if source.len() > FILTER_BYTES {
        return Err(fault(
            source,
            0..source.len(),
            format!(
                "The filter has {} bytes; at most {FILTER_BYTES} are read.",
                source.len()
            ),
            "Name fewer values, or use a regular expression: text~/…/.".to_owned(),
        ));
    }
    let mut parser = Parser {
        source,
        at: 0,
        depth: 0,
        schema,
    };
    let expr = parser.alternatives()?;
    if parser.at < source.len() {
        let span = parser.at..parser.at + 1;
        return Err(fault(
            source,
            span,
            "This parenthesis closes nothing.".to_owned(),
            "Take it out, or put one before what it should close.".to_owned(),
        ));
    }
    let is_alternatives = matches!(expr, Expr::Any(_));
    Ok(Parsed {
        expr,
        is_alternatives,
    })
}

struct Parser<'a> {
    source: &'a str,
    at: usize,
    depth: u32,
    schema: &'a Schema,
}

/// A value as written, without its quotes.
struct Value {
    text: String,
    span: Range<usize>,
    is_quoted: bool,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.source.len() - self.rest().trim_start().len();
    }

    fn fault(
        &self,
        span: Range<usize>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Fault {
        fault(self.source, span, message.into(), hint.into())
    }

    /// Takes a word in capitals that joins terms.
    fn take_word(&mut self, word: &str) -> bool {
        let is_there = is_word(self.rest(), word);
        if is_there {
            self.at += word.len();
        }
        is_there
    }

    fn alternatives(&mut self) -> Result<Expr, Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.fault(
                self.at..self.source.len(),
                "The parentheses are nested too deeply.",
                "Write it with fewer.",
            ));
        }
        let mut all = vec![self.conjunction()?];
        loop {
            let before = self.at;
            if !self.take_word("OR") {
                break;
            }
            let is_empty = |expr: &Expr| matches!(expr, Expr::All(parts) if parts.is_empty());
            let next = self.conjunction()?;
            if is_empty(&next) || all.last().is_some_and(is_empty) {
                return Err(self.fault(
                    before..before + 2,
                    "OR needs a condition on each side; one is missing.",
                    "Write what else may hold, or put \"OR\" in quotes to search for the word.",
                ));
            }
            all.push(next);
        }
        self.depth -= 1;
        Ok(if all.len() == 1 {
            all.remove(0)
        } else {
            Expr::Any(all)
        })
    }

    fn conjunction(&mut self) -> Result<Expr, Fault> {
        let mut parts: Vec<Clause> = Vec::new();
        loop {
            self.skip_space();
            let rest = self.rest();
            let ends = rest.is_empty() || rest.starts_with(')') || is_word(rest, "OR");
            if ends {
                return Ok(Expr::All(parts));
            }
            let start = self.at;
            if self.take_word("AND") {
                if parts.is_empty() {
                    return Err(self.fault(
                        start..self.at,
                        "AND needs a condition on each side; the first is missing.",
                        "Take it out: conditions side by side must all hold anyway.",
                    ));
                }
                self.skip_space();
                if self.rest().is_empty()
                    || self.rest().starts_with(')')
                    || is_word(self.rest(), "OR")
                {
                    return Err(self.fault(
                        start..start + 3,
                        "AND needs a condition on each side; the second is missing.",
                        "Take it out, or write the second.",
                    ));
                }
            }
            self.skip_space();
            let start = self.at;
            let (expr, list) = self.unary()?;
            parts.push(Clause {
                expr,
                span: start..self.at,
                list,
            });
        }
    }

    fn unary(&mut self) -> Result<Condition, Fault> {
        let start = self.at;
        if self.rest().starts_with('-') || self.take_word("NOT") {
            if self.at == start {
                self.at += 1;
            }
            let end = self.at;
            self.skip_space();
            if self.rest().is_empty() || self.rest().starts_with(')') || is_word(self.rest(), "OR")
            {
                return Err(self.fault(
                    start..end,
                    "Nothing follows that could be negated.",
                    "Write a condition after it, or put it in quotes to search for it.",
                ));
            }
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(self.fault(
                    start..end,
                    "There are too many negations.",
                    "Two cancel out.",
                ));
            }
            let (expr, _) = self.unary()?;
            self.depth -= 1;
            return Ok((Expr::Not(Box::new(expr)), None));
        }
        if self.rest().starts_with('(') {
            self.at += 1;
            let expr = self.alternatives()?;
            if !self.rest().starts_with(')') {
                return Err(self.fault(
                    start..start + 1,
                    "This parenthesis is not closed.",
                    "Put ) after what belongs together.",
                ));
            }
            self.at += 1;
            return Ok((expr, None));
        }
        self.term()
    }

    fn term(&mut self) -> Result<Condition, Fault> {
        let start = self.at;
        let name_len = self
            .rest()
            .find(|c: char| !c.is_alphanumeric() && !"_.-".contains(c))
            .unwrap_or(self.rest().len());
        let name = &self.rest()[..name_len];
        self.at += name_len;
        let op = if name.is_empty() {
            None
        } else {
            self.take_operator()?
        };
        let Some(op) = op else {
            self.at = start;
            let value = self.value("")?;
            let pattern = Pattern::Literal(Needle::new(&value.text));
            return Ok((
                Expr::Term(Term::Text {
                    field: TextField::Text,
                    pattern,
                }),
                None,
            ));
        };
        let span = start..start + name_len;
        let Some(field) = self.schema.field(name) else {
            return Err(self.unknown(
                name,
                &span,
                self.schema.field_names(),
                "field",
                &format!("\"{}\"", self.raw_chunk(start)),
            ));
        };
        self.of_field(field, &op, span)
    }

    /// The text from the place to the next space.
    fn raw_chunk(&self, start: usize) -> &'a str {
        let rest = &self.source[start..];
        rest.split_whitespace()
            .next()
            .unwrap_or(rest)
            .trim_matches('"')
    }

    /// A name that is not known, with the nearest that is.
    fn unknown<'b>(
        &self,
        written: &str,
        span: &Range<usize>,
        known: impl Iterator<Item = &'b str>,
        what: &str,
        as_text: &str,
    ) -> Fault {
        let known: Vec<&str> = known.collect();
        let near = nearest(written, known.iter().copied());
        let mut hint = match near {
            Some(near) => format!("Did you mean {}?", quoted(near)),
            None if known.is_empty() => format!("What is open has no {what} at all."),
            None if known.len() > 12 => format!(
                "Known: {}, … ({} in all).",
                known[..12].join(", "),
                known.len()
            ),
            None => format!("Known: {}.", known.join(", ")),
        };
        if !as_text.is_empty() {
            hint = format!("{hint} To search for it as text, write {as_text}.");
        }
        let mut fault = self.fault(
            span.clone(),
            format!("There is no {what} “{written}”."),
            hint,
        );
        fault.replacement = near.map(quoted);
        fault
    }

    fn take_operator(&mut self) -> Result<Option<Operator>, Fault> {
        for (text, op) in OPERATORS {
            if self.rest().starts_with(text) {
                self.at += text.len();
                return Ok(Some(op));
            }
        }
        if self.rest().starts_with('!') {
            return Err(self.fault(
                self.at..self.at + 1,
                "An exclamation mark alone says nothing.",
                "Write != for “is not”, or - before the condition.",
            ));
        }
        Ok(None)
    }

    /// A value up to a space, an operator or a comma, or in quotes.
    fn value(&mut self, field: &str) -> Result<Value, Fault> {
        let start = self.at;
        if let Some(inner) = self.rest().strip_prefix('"') {
            let mut text = String::new();
            let mut chars = inner.char_indices();
            while let Some((at, c)) = chars.next() {
                match c {
                    '"' => {
                        self.at = start + 1 + at + 1;
                        return Ok(Value {
                            text,
                            span: start..self.at,
                            is_quoted: true,
                        });
                    }
                    '\\' => text.extend(chars.next().map(|(_, c)| c)),
                    c => text.push(c),
                }
            }
            return Err(self.fault(
                start..self.source.len(),
                "These quotes are not closed.",
                "Put \" at the end of the text.",
            ));
        }
        // A bare word is a word whatever signs it holds; after a field, those signs mean something.
        let ends = |c: char| {
            c.is_whitespace() || "()\"".contains(c) || (!field.is_empty() && ",<>=!~".contains(c))
        };
        let len = self.rest().find(ends).unwrap_or(self.rest().len());
        if len == 0 {
            let after = self.rest().chars().next().map_or(0, char::len_utf8);
            return Err(self.fault(
                start.saturating_sub(1)..start + after,
                format!(
                    "A value is missing{}{field}.",
                    if field.is_empty() { "" } else { " after " }
                ),
                "Write it directly behind the sign; put it in quotes if it holds spaces or signs.",
            ));
        }
        self.at += len;
        Ok(Value {
            text: self.source[start..self.at].to_owned(),
            span: start..self.at,
            is_quoted: false,
        })
    }

    fn values(&mut self, field: &str) -> Result<Vec<Value>, Fault> {
        let mut values = vec![self.value(field)?];
        while self.rest().starts_with(',') {
            self.at += 1;
            values.push(self.value(field)?);
        }
        Ok(values)
    }

    fn of_field(
        &mut self,
        field: Field,
        op: &Operator,
        span: Range<usize>,
    ) -> Result<Condition, Fault> {
        let (name, takes) = match field {
            Field::Fixed(at) => (FIELDS[at].0.to_owned(), Some(FIELDS[at].1)),
            Field::Group(at) => (self.schema.groups[at].names[0].clone(), None),
        };
        let op_end = self.at;
        let wrong_op = |parser: &Self, takes: &str| {
            Err(parser.fault(
                span.clone().start..op_end,
                format!("{name} does not take this sign."),
                format!("Write {takes}."),
            ))
        };
        let term = match (takes, op) {
            (
                Some(Takes::Pattern),
                Operator::Contains | Operator::Is | Operator::Compare(Op::Equal),
            ) => {
                let pattern = self.pattern(&name)?;
                Term::Text {
                    field: text_field(&name),
                    pattern,
                }
            }
            (Some(Takes::Pattern), _) => {
                return wrong_op(self, &format!("{name}~\"words\" or {name}~/expression/"));
            }
            (Some(Takes::Text), Operator::Contains) => Term::IdText(self.pattern(&name)?),
            (Some(Takes::Text), op) => return self.list(field, &name, op),
            (Some(Takes::Number), op) => {
                let Some(test) = self.test(&name, op)? else {
                    return wrong_op(self, &format!("{name}<4, {name}>=4 or {name}:3..5"));
                };
                match name.as_str() {
                    "score" => Term::Score(test),
                    "spread" => Term::Spread(test),
                    "disagreement" => Term::Disagreement(test),
                    "pictures" => Term::Pictures(test),
                    _ => Term::Turns(test),
                }
            }
            (Some(Takes::Subset), Operator::Is) => return self.subset(field, &name),
            (Some(Takes::Subset), _) => return wrong_op(self, "subset:task/30"),
            (Some(Takes::Criterion), Operator::Is) => self.criterion(&name)?,
            (Some(Takes::Criterion), _) => return wrong_op(self, "criterion:NAME<4"),
            (Some(Takes::Model), Operator::Is) => return self.model(field, &name),
            (Some(Takes::Model), _) => {
                return wrong_op(self, "model:NAME, model:NAME<4 or model:NAME>model:OTHER+1");
            }
            (Some(_), Operator::Is | Operator::Compare(Op::Equal | Op::NotEqual)) => {
                return self.list(field, &name, op);
            }
            (Some(_), _) => return wrong_op(self, &format!("{name}: and a value")),
            (None, Operator::Contains) => {
                let Field::Group(group) = field else {
                    return wrong_op(self, "a value");
                };
                Term::GroupText {
                    group,
                    pattern: self.pattern(&name)?,
                }
            }
            (None, Operator::Compare(Op::Below | Op::AtMost | Op::Above | Op::AtLeast)) => {
                let Field::Group(group) = field else {
                    return wrong_op(self, "a value");
                };
                let Some(test) = self.test(&name, op)? else {
                    return wrong_op(self, "a number");
                };
                Term::GroupNumber { group, test }
            }
            (None, op) => return self.list(field, &name, op),
        };
        Ok((Expr::Term(term), None))
    }

    fn pattern(&mut self, field: &str) -> Result<Pattern, Fault> {
        let start = self.at;
        let Some(inner) = self.rest().strip_prefix('/') else {
            let value = self.value(field)?;
            return Ok(Pattern::Literal(Needle::new(&value.text)));
        };
        let mut is_escaped = false;
        let end = inner.char_indices().find(|(_, c)| {
            let ends = *c == '/' && !is_escaped;
            is_escaped = *c == '\\' && !is_escaped;
            ends
        });
        let Some((len, _)) = end else {
            return Err(self.fault(
                start..self.source.len(),
                "This regular expression is not closed.",
                "Put / at its end; write \\/ for a slash inside it.",
            ));
        };
        self.at = start + len + 2;
        let pattern = inner[..len].replace("\\/", "/");
        let built = Expression::new(&pattern);
        let boxed = built.map(|built| Pattern::Regex(Box::new(built)));
        boxed.map_err(|words| {
            let last = words
                .lines()
                .last()
                .unwrap_or_default()
                .trim_start_matches("error: ")
                .to_owned();
            self.fault(
                start..self.at,
                format!("This regular expression cannot be read: {last}."),
                "Put a \\ before a sign that is meant as itself.",
            )
        })
    }

    /// A comparison, a range, or a number that it has to be; `None` where the sign is another.
    fn test(&mut self, field: &str, op: &Operator) -> Result<Option<Test>, Fault> {
        let op = match op {
            Operator::Contains => return Ok(None),
            Operator::Is => Op::Equal,
            Operator::Compare(op) => *op,
        };
        let value = self.value(field)?;
        if op == Op::Equal
            && let Some((low, high)) = value.text.split_once("..")
        {
            let (low, high) = (number(low), number(high));
            let (Some(low), Some(high)) = (low, high) else {
                return Err(self.no_number(&value));
            };
            return Ok(Some(Test::Within(low, high)));
        }
        let Some(number) = number(&value.text) else {
            return Err(self.no_number(&value));
        };
        Ok(Some(Test::Compare(op, number)))
    }

    fn no_number(&self, value: &Value) -> Fault {
        self.fault(
            value.span.clone(),
            format!("“{}” is not a number.", value.text),
            "Write digits, with a point before decimals: 3.5.",
        )
    }

    /// `subset:task/30/SEED`.
    fn subset(&mut self, field: Field, name: &str) -> Result<Condition, Fault> {
        let value = self.value(name)?;
        let subset: Subset = value
            .text
            .parse()
            .map_err(|_| self.no_subset(&value.span, &value.text))?;
        let known = &self.schema.subset_scopes;
        let is_known = |known: &String| known.eq_ignore_ascii_case(&subset.scope);
        if !known.iter().any(is_known) {
            let known = known.iter().map(String::as_str);
            return Err(self.unknown(&subset.scope, &value.span, known, "group to draw from", ""));
        }
        Ok((
            Expr::Term(Term::Subset(subset)),
            Some((field, vec![value.text])),
        ))
    }

    fn no_subset(&self, span: &Range<usize>, text: &str) -> Fault {
        self.fault(
            span.clone(),
            format!("\u{201c}{text}\u{201d} is not a subset."),
            "Write how many of each group: subset:task/30, or subset:task/30/SEED for another draw.",
        )
    }

    fn criterion(&mut self, name: &str) -> Result<Term, Fault> {
        let value = self.value(name)?;
        let known = self.schema.criteria.iter();
        let found = known.clone().position(|(id, short)| {
            id.eq_ignore_ascii_case(&value.text) || short.eq_ignore_ascii_case(&value.text)
        });
        let Some(criterion) = found else {
            return Err(self.unknown(
                &value.text,
                &value.span,
                known.map(|(id, _)| id.as_str()),
                "criterion",
                "",
            ));
        };
        let Some(op) = self.take_operator()? else {
            return Err(self.fault(
                value.span.clone(),
                format!("What should {} be?", value.text),
                format!("Write criterion:{}<4, for example.", quoted(&value.text)),
            ));
        };
        let Some(test) = self.test(name, &op)? else {
            return Err(self.no_number(&value));
        };
        Ok(Term::Criterion { criterion, test })
    }

    fn model(&mut self, field: Field, name: &str) -> Result<Condition, Fault> {
        let values = self.values(name)?;
        let mut models = Vec::new();
        for value in &values {
            models.push(self.model_of(value)?);
        }
        let (op_start, op) = (self.at, self.take_operator()?);
        let op = match op {
            None => {
                let names = models
                    .iter()
                    .map(|at| self.schema.models[*at].clone())
                    .collect();
                return Ok((Expr::Term(Term::Models(models)), Some((field, names))));
            }
            Some(Operator::Compare(op)) if models.len() == 1 => op,
            Some(_) => {
                return Err(self.fault(op_start..self.at, "This sign cannot follow here.", "Compare one model’s score by <, <=, >, >=, = or != with a number or with model:NAME."));
            }
        };
        let a = models[0];
        if self.rest().starts_with("model:") {
            self.at += "model:".len();
            let (b, offset) = self.model_and_offset(name)?;
            return Ok((Expr::Term(Term::Versus { a, op, b, offset }), None));
        }
        match self.test(name, &Operator::Compare(op))? {
            Some(test) => Ok((Expr::Term(Term::ModelScore { model: a, test }), None)),
            None => Err(self.fault(
                op_start..self.at,
                "A number is missing.",
                "Write one, or model:NAME.",
            )),
        }
    }

    fn model_of(&self, value: &Value) -> Result<usize, Fault> {
        let known = &self.schema.models;
        let exact = known.iter().position(|name| *name == value.text);
        let found = exact.or_else(|| {
            known
                .iter()
                .position(|name| name.eq_ignore_ascii_case(&value.text))
        });
        found.ok_or_else(|| {
            self.unknown(
                &value.text,
                &value.span,
                known.iter().map(String::as_str),
                "model",
                "",
            )
        })
    }

    /// A model's name with what is added to its score; the name itself may hold plus and minus signs.
    fn model_and_offset(&mut self, field: &str) -> Result<(usize, f64), Fault> {
        let value = self.value(field)?;
        if value.is_quoted {
            let len = self
                .rest()
                .find(|c: char| c.is_whitespace() || c == ')')
                .unwrap_or(self.rest().len());
            let model = self.model_of(&value)?;
            if len == 0 {
                return Ok((model, 0.0));
            }
            let span = self.at..self.at + len;
            self.at += len;
            let text = self.source[span.clone()].to_owned();
            let offset = number(&text).ok_or_else(|| {
                self.no_number(&Value {
                    text,
                    span,
                    is_quoted: false,
                })
            })?;
            return Ok((model, offset));
        }
        if let Ok(model) = self.model_of(&value) {
            return Ok((model, 0.0));
        }
        let signs = value
            .text
            .char_indices()
            .filter(|(at, c)| *at > 0 && "+-".contains(*c));
        for (at, _) in signs {
            let Some(offset) = number(&value.text[at..]) else {
                continue;
            };
            let span = value.span.start..value.span.start + at;
            let name = Value {
                text: value.text[..at].to_owned(),
                span,
                is_quoted: false,
            };
            return Ok((self.model_of(&name)?, offset));
        }
        self.model_of(&value).map(|model| (model, 0.0))
    }

    /// `field:a,b`, or its negation by `!=`.
    fn list(&mut self, field: Field, name: &str, op: &Operator) -> Result<Condition, Fault> {
        let values = self.values(name)?;
        let (term, names) = self.one_of(field, name, &values)?;
        let expr = Expr::Term(term);
        Ok(match op {
            Operator::Compare(Op::NotEqual) => (Expr::Not(Box::new(expr)), None),
            _ if names.is_empty() => (expr, None),
            _ => (expr, Some((field, names))),
        })
    }

    fn one_of(
        &self,
        field: Field,
        name: &str,
        values: &[Value],
    ) -> Result<(Term, Vec<String>), Fault> {
        let texts = || {
            values
                .iter()
                .map(|value| value.text.clone())
                .collect::<Vec<_>>()
        };
        let takes = match field {
            Field::Group(group) => return self.group(group, name, values),
            Field::Fixed(at) => FIELDS[at].1,
        };
        match takes {
            Takes::Judge => {
                let known = &self.schema.judges;
                let mut judges = Vec::new();
                for value in values {
                    let found = known
                        .iter()
                        .position(|judge| judge.eq_ignore_ascii_case(&value.text));
                    judges.push(found.ok_or_else(|| {
                        self.unknown(
                            &value.text,
                            &value.span,
                            known.iter().map(String::as_str),
                            "named judge",
                            "",
                        )
                    })?);
                }
                let names = judges.iter().map(|at| known[*at].clone()).collect();
                Ok((Term::Judges(judges), names))
            }
            Takes::Incident => self.incidents(values),
            Takes::Label => self.labels(values),
            Takes::Judged => {
                let mut states = Vec::new();
                let names = Judged::ALL.map(|(_, name, _)| name);
                for value in values {
                    let found = Judged::ALL
                        .iter()
                        .find(|(_, name, _)| name.eq_ignore_ascii_case(&value.text));
                    let (state, _, _) = found.ok_or_else(|| {
                        self.unknown(&value.text, &value.span, names.into_iter(), "state", "")
                    })?;
                    states.push(*state);
                }
                Ok((Term::Judged(states), texts()))
            }
            Takes::YesNo => match values {
                [one] if one.text.eq_ignore_ascii_case("yes") => Ok((Term::Scored(true), texts())),
                [one] if one.text.eq_ignore_ascii_case("no") => Ok((Term::Scored(false), texts())),
                _ => Err(self.unknown(
                    &values[0].text,
                    &values[0].span,
                    ["yes", "no"].into_iter(),
                    "answer",
                    "",
                )),
            },
            _ => Ok((Term::Id(texts()), texts())),
        }
    }

    fn incidents(&self, values: &[Value]) -> Result<(Term, Vec<String>), Fault> {
        let mut tests = Vec::new();
        for value in values {
            let before = tests.len();
            match value.text.to_ascii_lowercase().as_str() {
                "any" => tests.push(IncidentTest::Any),
                "none" => tests.push(IncidentTest::None),
                // `missing` is every kind that begins so.
                start => {
                    let kinds = IncidentKind::ALL.into_iter();
                    let exact = kinds.clone().find(|kind| kind.id() == start);
                    let by_start = kinds.filter(|kind| kind.id().split('_').next() == Some(start));
                    tests.extend(
                        exact
                            .into_iter()
                            .chain(by_start.filter(|_| exact.is_none()))
                            .map(IncidentTest::Kind),
                    );
                }
            }
            if tests.len() == before {
                let known = IncidentKind::ALL
                    .iter()
                    .map(|kind| kind.id())
                    .chain(["any", "none"]);
                return Err(self.unknown(&value.text, &value.span, known, "kind of incident", ""));
            }
        }
        let names = values
            .iter()
            .map(|value| value.text.to_ascii_lowercase())
            .collect();
        Ok((Term::Incident(tests), names))
    }

    fn labels(&self, values: &[Value]) -> Result<(Term, Vec<String>), Fault> {
        let known = &self.schema.labels;
        let (mut tests, mut names) = (Vec::new(), Vec::new());
        for value in values {
            let is_it = |name: &str| name.eq_ignore_ascii_case(&value.text);
            let states = super::LABEL_STATES.into_iter();
            if let Some((test, name, _)) = states.clone().find(|(_, name, _)| is_it(name)) {
                tests.push(test);
                names.push(name.to_owned());
                continue;
            }
            let found = known.iter().position(|(id, name)| is_it(id) || is_it(name));
            let at = found.ok_or_else(|| {
                let ids = known.iter().map(|(id, _)| id.as_str());
                let ids = ids.chain(states.map(|(_, name, _)| name));
                self.unknown(
                    &value.text,
                    &value.span,
                    ids,
                    "failure label that was set",
                    "",
                )
            })?;
            tests.push(LabelTest::One(at));
            names.push(known[at].0.clone());
        }
        Ok((Term::Label(tests), names))
    }

    fn group(
        &self,
        group: usize,
        name: &str,
        values: &[Value],
    ) -> Result<(Term, Vec<String>), Fault> {
        let known = &self.schema.groups[group].values;
        let mut found = Vec::new();
        for value in values {
            if let Some((low, high)) = value.text.split_once("..").filter(|_| !value.is_quoted)
                && let (Some(low), Some(high), 1) = (number(low), number(high), values.len())
            {
                return Ok((
                    Term::GroupNumber {
                        group,
                        test: Test::Within(low, high),
                    },
                    Vec::new(),
                ));
            }
            let exact = known.iter().position(|key| *key == value.text);
            let at = exact.or_else(|| {
                known
                    .iter()
                    .position(|key| key.to_lowercase() == value.text.to_lowercase())
            });
            let at = at.ok_or_else(|| {
                self.unknown(
                    &value.text,
                    &value.span,
                    known.iter().map(String::as_str),
                    name,
                    "",
                )
            })?;
            found.push(crate::count(at));
        }
        let names = found.iter().map(|at| known[*at as usize].clone()).collect();
        Ok((
            Term::Group {
                group,
                values: found,
            },
            names,
        ))
    }
}

/// The operator between a field and its value.
enum Operator {
    /// `:`.
    Is,
    /// `~`.
    Contains,
    Compare(Op),
}

/// Longer ones first.
const OPERATORS: [(&str, Operator); 8] = [
    ("<=", Operator::Compare(Op::AtMost)),
    (">=", Operator::Compare(Op::AtLeast)),
    ("!=", Operator::Compare(Op::NotEqual)),
    ("<", Operator::Compare(Op::Below)),
    (">", Operator::Compare(Op::Above)),
    ("=", Operator::Compare(Op::Equal)),
    (":", Operator::Is),
    ("~", Operator::Contains),
];

fn text_field(name: &str) -> TextField {
    match name {
        "instruction" => TextField::Instruction,
        "answer" => TextField::Answer,
        "reply" => TextField::Reply,
        "reason" => TextField::Reason,
        "error" => TextField::Error,
        _ => TextField::Text,
    }
}

/// A finite number in digits.
pub(super) fn number(text: &str) -> Option<f64> {
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b".+-eE".contains(&byte));
    text.parse()
        .ok()
        .filter(|number: &f64| is_plain && number.is_finite())
}

fn is_word(rest: &str, word: &str) -> bool {
    rest.strip_prefix(word).is_some_and(|after| {
        after
            .chars()
            .next()
            .is_none_or(|c| c.is_whitespace() || c == '(' || c == ')')
    })
}
