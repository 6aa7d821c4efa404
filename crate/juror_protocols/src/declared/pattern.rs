//! Path patterns such as `outputs/{model}/{id}`: which file is whose.
//!
//! A pattern holds for the end of a path, from the beginning of a folder's or file's name on.
//! So it does not matter what the folder that was dropped is called, or how deep things lie in it.

use juror_reading::limits::PATTERN_STEPS;

/// The endings of pictures that Juror shows, as an output's pattern may leave them out.
pub(super) const PICTURES: [&str; 6] = ["png", "jpg", "jpeg", "webp", "gif", "bmp"];

/// One piece of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Literal(String),
    Field(Field),
}

/// The meaning of a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// A model's name: one folder or a part of a name.
    Model,
    /// A sample's id, which may contain `/`.
    Id,
    /// A judge's name.
    Judge,
    /// The number of a run.
    Run,
    /// The id of a request.
    Request,
}

const FIELDS: [(&str, Field); 5] = [
    ("model", Field::Model),
    ("id", Field::Id),
    ("judge", Field::Judge),
    ("run", Field::Run),
    ("request", Field::Request),
];

/// What may stand in a path.
pub(super) trait Known {
    /// Whether there is a sample of this id.
    fn is_sample(&self, id: &str) -> bool;
    /// Whether there is a request of this id.
    fn is_request(&self, id: &str) -> bool;
    /// Whether this may be a model's name.
    fn is_model(&self, name: &str) -> bool;
}

/// A path pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    tokens: Vec<Token>,
    /// Whether any picture's ending may follow.
    any_picture: bool,
}

/// What a path says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found<'p> {
    pub(super) model: &'p str,
    pub(super) id: Option<&'p str>,
    pub(super) judge: &'p str,
    pub(super) run: u32,
    pub(super) request: Option<&'p str>,
    /// Where the pattern begins in the path.
    start: usize,
    /// Where the model's name ends in the path.
    model_end: usize,
    /// How many places were tried so far.
    steps: u32,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut tokens = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (literal, field) = match rest.split_once('{') {
                None => (std::mem::take(&mut rest), None),
                Some((literal, behind)) => {
                    let (name, behind) = behind
                        .split_once('}')
                        .ok_or("a \"}\" is missing".to_owned())?;
                    let field = FIELDS.iter().find(|(known, _)| *known == name);
                    let Some((_, field)) = field else {
                        return Err(format!(
                            "there is no {{{name}}}; there are {{model}}, {{id}}, {{judge}}, {{run}}, {{request}}"
                        ));
                    };
                    rest = behind;
                    (literal, Some(*field))
                }
            };
            if !literal.is_empty() {
                tokens.push(Token::Literal(literal.to_owned()));
            }
            if let Some(field) = field {
                if tokens.contains(&Token::Field(field)) {
                    return Err("a placeholder stands twice".to_owned());
                }
                if matches!(tokens.last(), Some(Token::Field(_))) {
                    return Err("two placeholders need something between them".to_owned());
                }
                tokens.push(Token::Field(field));
            }
        }
        let is_bad = |part: &str| matches!(part, "" | "." | "..");
        if text.contains('\\') || text.split('/').any(is_bad) {
            return Err("a path has / between its names, and no . or ..".to_owned());
        }
        Ok(Self {
            tokens,
            any_picture: false,
        })
    }

    /// Reads the pattern of outputs: `{model}` is a whole folder's name, `{id}` is after it.
    pub(super) fn of_outputs(text: &str) -> Result<Self, String> {
        let mut pattern = Self::read(text)?;
        if !format!("/{text}").contains("/{model}/") {
            return Err("{model} must be the whole name of a folder".to_owned());
        }
        let at = |field| pattern.position(field);
        if at(Field::Id) < at(Field::Model) || at(Field::Id).is_none() {
            return Err("{id} must stand behind {model}/".to_owned());
        }
        if [Field::Judge, Field::Run, Field::Request]
            .into_iter()
            .any(|field| pattern.has(field))
        {
            return Err("an output has {model} and {id} only".to_owned());
        }
        pattern.any_picture = ending(text).is_none();
        Ok(pattern)
    }

    fn position(&self, field: Field) -> Option<usize> {
        let token = Token::Field(field);
        self.tokens.iter().position(|known| *known == token)
    }

    /// Whether the pattern has this placeholder.
    pub(super) fn has(&self, field: Field) -> bool {
        self.position(field).is_some()
    }

    /// What a path says, if the pattern holds for its end and all that it names is known.
    pub(super) fn find<'p>(&self, path: &'p str, known: &dyn Known) -> Option<Found<'p>> {
        let path = if self.any_picture {
            path.strip_suffix(ending(path)?)?.strip_suffix('.')?
        } else {
            path
        };
        let starts = path.rmatch_indices('/').map(|(at, _)| at + 1);
        let mut found = Found::default();
        starts
            .chain([0])
            .find(|start| {
                found.start = *start;
                holds(&self.tokens, path, *start, known, &mut found)
            })
            .map(|_| found)
    }

    /// Where the output of a sample is expected, behind the model's folder.
    pub(super) fn output_name(&self, id: &str) -> String {
        let from = self.position(Field::Model).map_or(0, |at| at + 1);
        let name: String = self.tokens[from..]
            .iter()
            .map(|token| match token {
                Token::Literal(text) => text.as_str(),
                Token::Field(_) => id,
            })
            .collect();
        let name = name.trim_start_matches('/');
        if self.any_picture && ending(name).is_none() {
            format!("{name}.png")
        } else {
            name.to_owned()
        }
    }
}

impl Found<'_> {
    /// The path up to and with the model's folder.
    pub(super) fn folder<'p>(&self, path: &'p str) -> &'p str {
        &path[..self.model_end]
    }

    /// The path before everything that the pattern says.
    pub(super) fn root<'p>(&self, path: &'p str) -> &'p str {
        path[..self.start].trim_end_matches('/')
    }
}

/// The ending of a picture's name, without the point.
pub(super) fn ending(path: &str) -> Option<&str> {
    let (_, ending) = path.rsplit_once('.')?;
    PICTURES
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
        .then_some(ending)
}

/// Whether the tokens hold for all of a path from `at` on.
fn holds<'p>(
    tokens: &[Token],
    path: &'p str,
    at: usize,
    known: &dyn Known,
    found: &mut Found<'p>,
) -> bool {
    let rest = &path[at..];
    let Some((token, behind)) = tokens.split_first() else {
        return rest.is_empty();
    };
    let field = match token {
        Token::Literal(text) => {
            return rest.starts_with(text.as_str())
                && holds(behind, path, at + text.len(), known, found);
        }
        Token::Field(field) => *field,
    };
    let mut try_end = |end: usize| {
        found.steps += 1;
        found.steps <= PATTERN_STEPS
            && take(field, &rest[..end], at + end, known, found)
            && holds(behind, path, at + end, known, found)
    };
    let Some(Token::Literal(next)) = behind.first() else {
        return try_end(rest.len());
    };
    let found_at = rest.match_indices(next.as_str());
    let mut ends: Vec<usize> = found_at.map(|(end, _)| end).collect();
    if field == Field::Model {
        // The longest name first: one model's name may begin another's.
        ends.reverse();
    }
    ends.into_iter().any(try_end)
}

/// Takes a placeholder's text, unless it cannot be one.
fn take<'p>(
    field: Field,
    text: &'p str,
    end: usize,
    known: &dyn Known,
    found: &mut Found<'p>,
) -> bool {
    let is_name = !text.is_empty() && !text.contains('/');
    match field {
        Field::Model => {
            found.model = text;
            found.model_end = end;
            is_name && known.is_model(text)
        }
        Field::Judge => {
            found.judge = text;
            is_name
        }
        Field::Id => {
            found.id = Some(text);
            known.is_sample(text)
        }
        Field::Request => {
            found.request = Some(text);
            known.is_request(text)
        }
        Field::Run => match text.parse() {
            Ok(run) if run > 0 && text.bytes().all(|byte| byte.is_ascii_digit()) => {
                found.run = run;
                true
            }
            _ => false,
        },
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    struct Names;

    impl Known for Names {
        fn is_sample(&self, id: &str) -> bool {
            ["1", "a/1", "a_1"].contains(&id)
        }
        fn is_request(&self, id: &str) -> bool {
            id == "judge"
        }
        fn is_model(&self, _name: &str) -> bool {
            true
        }
    }

    #[test]
    fn the_end_of_a_path_is_read_from_the_beginning_of_a_name() {
        let pattern = Pattern::of_outputs("out/{model}/{id}").unwrap();
        let find = |path| {
            let found = pattern.find(path, &Names)?;
            Some((found.model, found.id.unwrap(), found.folder(path)))
        };
        assert_eq!(find("x/out/m/1.PNG"), Some(("m", "1", "x/out/m")));
        assert_eq!(find("out/m/a/1.jpg"), Some(("m", "a/1", "out/m")));
        for other in [
            "about/m/1.png",
            "out/m/2.png",
            "out/m/1.txt",
            "out/m/1",
            "m/1.png",
            "out/m/n/1.png",
            "",
        ] {
            assert_eq!(find(other), None, "{other}");
        }
        assert_eq!(pattern.output_name("a/1"), "a/1.png");
        assert_eq!(pattern.output_name("a/1.jpg"), "a/1.jpg");
    }

    #[test]
    fn every_way_of_dividing_a_name_is_tried() {
        let pattern = Pattern::read("{model}/{id}_{judge}_{run}.txt").unwrap();
        let path = "m/a_1_my_judge_02.txt";
        let found = pattern.find(path, &Names).unwrap();
        assert_eq!(
            (found.id, found.judge, found.run, found.root(path)),
            (Some("a_1"), "my_judge", 2, "")
        );
        assert_eq!(pattern.find("m/a_1_gpt_0.txt", &Names), None);
        assert_eq!(pattern.find("m/a_2_gpt_1.txt", &Names), None);
        let of_file = Pattern::read("judged/{model}.{request}.jsonl").unwrap();
        let found = of_file
            .find("x/judged/my.model.judge.jsonl", &Names)
            .unwrap();
        assert_eq!((found.model, found.request), ("my.model", Some("judge")));
    }

    #[test]
    fn what_a_pattern_cannot_say_is_told() {
        for (text, wrong) in [
            ("{model}/{di}", "there is no {di}"),
            ("{model}/{id", "a \"}\" is missing"),
            ("{model}/{id}{id}", "stands twice"),
            ("{model}{id}", "something between"),
            ("a/../{model}/{id}", "no . or .."),
            ("{id}/{model}/x", "{id} must stand behind"),
            ("x_{model}/{id}", "whole name of a folder"),
            ("{model}/x", "{id} must stand behind"),
            ("{model}/{id}_{judge}", "{model} and {id} only"),
        ] {
            let error = Pattern::of_outputs(text).unwrap_err();
            assert!(error.contains(wrong), "{text}: {error}");
        }
    }
}
