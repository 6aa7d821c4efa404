//! `juror.json`: what a protocol file may say, read with the JSON path of everything that is wrong.
//!
//! `protocol.schema.json` says the same as a JSON Schema; the tests hold the two against each other.

use std::collections::HashSet;

use super::declaration::{
    Cap, Condition, Criterion, Declaration, Fields, Form, Gate, Grouping, Listed, Missing, RULES,
    ReplyFiles, Request, Rule, Step, TESTS, Test, Total,
};
use super::json::{At, Findings, Json, MAX_NUMBER, Object, did_you_mean};
pub use super::keys::OBJECTS;
use super::keys::{
    CAP, CONDITION, CRITERION, DISPLAY, FIELDS, GATE, GROUPING, JUDGES, OVERALL, PROTOCOL, REPLIES,
    REPLY, REQUEST, SAMPLE_FILE, TOTAL, WORDS,
};
use super::pattern::{Field, Pattern};
use super::request::Piece;
use juror_model::terms::Direction;
use juror_statistics::small::SortSmall;

/// The format's name and version.
pub const FORMAT: &str = "juror-protocol/1";

/// The JSON Schema of the format (draft 2020-12).
pub const SCHEMA: &str = include_str!("protocol.schema.json");

/// Ids of the protocols in Rust: a file cannot take them, whichever of them a program links.
pub const RESERVED: [&str; 6] = [
    "weave",
    "multibanana",
    "micon",
    "vibe",
    "multiref",
    "declared",
];

/// Reads a protocol file, without its samples.
///
/// What is wrong is in the findings; the declaration can be used if there are none.
pub(super) fn read(json: &Json, found: &mut Findings) -> Option<(Declaration, Listed)> {
    let top = At::top(json);
    if let Some(format) = json.get("format").filter(|format| !is_text(format, FORMAT)) {
        let message = format!("Expected \"{FORMAT}\", found {}.", format.describe());
        let hint = "This Juror reads no other version of the format.";
        found.push(super::json::JsonFault {
            place: "/format".to_owned(),
            message,
            hint: hint.to_owned(),
        });
        return None;
    }
    let object = top.object(&PROTOCOL, found)?;
    let mut declaration = Declaration {
        title: text(&object, "title", "a title", found).unwrap_or_default(),
        source: text(&object, "source", "where the formulas come from", found).unwrap_or_default(),
        sample_word: "sample".to_owned(),
        samples_word: "samples".to_owned(),
        ..Declaration::nothing()
    };
    if let Some(at) = object.get("id") {
        declaration.id = protocol_id(at, found).unwrap_or_default();
    }
    if let Some(words) = object.get("words").and_then(|at| at.object(&WORDS, found)) {
        let sample = text(&words, "sample", "a word", found);
        let samples = text(&words, "samples", "a word", found);
        declaration.sample_word = sample.unwrap_or_default();
        declaration.samples_word = samples.unwrap_or_default();
    }
    if let Some(at) = object.get("$schema")
        && !matches!(at.json, Json::Text(_))
    {
        at.expected::<()>("the address of a JSON Schema", "", found);
    }
    declaration.outputs = outputs(object.get("outputs"), found);
    declaration.criteria = criteria(object.get("criteria"), found);
    declaration.requests = requests(object.get("requests"), &mut declaration.criteria, found);
    declaration.replies = replies(object.get("replies"), &declaration.requests, found);
    if let Some(at) = object.get("total") {
        declaration.total = total(at, &declaration.criteria, found).unwrap_or_default();
    }
    check_total(&object, &declaration, found);
    if let Some(at) = object.get("missing") {
        let chosen = at.choice(&["zero", "exclude"], found);
        declaration.missing = match chosen {
            Some(1) => Missing::Exclude,
            _ => Missing::Zero,
        };
    }
    declaration.groupings = groupings(object.get("groupings"), found);
    if let Some(overall) = object
        .get("overall")
        .and_then(|at| at.object(&OVERALL, found))
        && let Some(at) = overall.get("over")
    {
        declaration.overall_over = over(at, &declaration.groupings, found);
    }
    if let Some(judges) = object
        .get("judges")
        .and_then(|at| at.object(&JUDGES, found))
        && let Some(at) = judges.get("mean_of")
    {
        declaration.mean_of = judges_of(at, found);
    }
    if let Some(at) = object.get("display") {
        display(at, &mut declaration, found);
    }
    let listed = listed(object.get("samples")?, found)?;
    Some((declaration, listed))
}

fn is_text(json: &Json, text: &str) -> bool {
    matches!(json, Json::Text(found) if found == text)
}

/// The text of a key, if it is there.
fn text(object: &Object<'_>, key: &str, what: &str, found: &mut Findings) -> Option<String> {
    Some(object.get(key)?.text(what, found)?.trim().to_owned())
}

/// A name that is in reports, journals and file names.
fn name(at: &At<'_>, found: &mut Findings) -> Option<String> {
    let what = "a name of letters, digits, \"_\", \"-\" and \".\"";
    let text = at.text(what, found)?;
    let is_fit = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    if text.chars().all(is_fit) {
        Some(text.to_owned())
    } else {
        at.expected(what, "", found)
    }
}

fn protocol_id(at: &At<'_>, found: &mut Findings) -> Option<String> {
    let id = name(at, found)?;
    if RESERVED.contains(&id.as_str()) {
        at.refuse(
            format!("\"{id}\" is the id of a protocol that is built in."),
            "Choose another id: replies are kept under it.",
            found,
        );
    }
    Some(id)
}

fn outputs(at: Option<&At<'_>>, found: &mut Findings) -> Vec<Pattern> {
    let Some(at) = at else {
        return Pattern::of_outputs("{model}/{id}").into_iter().collect();
    };
    let Some(texts) = at.texts("a path pattern or a list of them", found) else {
        return Vec::new();
    };
    if texts.is_empty() {
        at.refuse("Expected at least one path pattern.".to_owned(), "", found);
    }
    let mut patterns = Vec::new();
    for at in texts {
        let text = at.text("a path pattern", found).unwrap_or_default();
        match Pattern::of_outputs(text) {
            Ok(pattern) => patterns.push(pattern),
            Err(error) => at.refuse(
                format!("\"{text}\" is no path pattern: {error}."),
                "An example is \"outputs/{model}/{id}\": one folder per model, one picture per sample.",
                found,
            ),
        }
    }
    patterns
}

fn criteria(at: Option<&At<'_>>, found: &mut Findings) -> Vec<Criterion> {
    let Some(at) = at else { return Vec::new() };
    let items = at.list("a list of criteria", found).unwrap_or_default();
    if items.is_empty() {
        at.refuse("Expected at least one criterion.".to_owned(), "", found);
    }
    let mut criteria: Vec<Criterion> = Vec::new();
    for item in items {
        let Some(criterion) = criterion(&item, found) else {
            continue;
        };
        if criterion.id == "total" || criteria.iter().any(|known| known.id == criterion.id) {
            item.refuse(
                format!("There is another criterion \"{}\".", criterion.id),
                "\"total\" is what the criteria make together; every other id stands for one criterion.",
                found,
            );
        }
        criteria.push(criterion);
    }
    criteria
}

fn criterion(at: &At<'_>, found: &mut Findings) -> Option<Criterion> {
    let object = at.object(&CRITERION, found)?;
    let id = object.get("id").and_then(|at| name(at, found));
    let range = object.get("range").and_then(|at| range(at, found));
    let label = text(&object, "label", "a label", found);
    let short = text(&object, "short", "a short label", found);
    let meaning = text(&object, "meaning", "a sentence", found);
    let reply = text(&object, "reply", "a JSON key or label", found);
    let is_whole = object.get("integer").and_then(|at| at.flag(found));
    let weight = object.get("weight").and_then(|at| {
        let weight = at.number(found)?;
        if weight < 0.0 {
            return at.expected("a weight of 0 or more", "", found);
        }
        Some(weight)
    });
    let direction = object
        .get("direction")
        .and_then(|at| at.choice(&["up", "down", "neither"], found));
    let id = id?;
    // What is wrong here is told; a criterion that others name is there all the same.
    let [low, high] = range.unwrap_or([0.0, 1.0]);
    let label = label.unwrap_or_else(|| id.clone());
    Some(Criterion {
        short: short.unwrap_or_else(|| label.clone()),
        meaning: meaning.unwrap_or_default(),
        low,
        high,
        step: match is_whole {
            Some(true) => Step::Whole,
            _ => Step::Any,
        },
        weight: weight.unwrap_or(1.0),
        direction: match direction {
            Some(1) => Direction::Down,
            Some(2) => Direction::Neither,
            _ => Direction::Up,
        },
        reply: reply.unwrap_or_default(),
        label,
        id,
    })
}

fn range(at: &At<'_>, found: &mut Findings) -> Option<[f64; 2]> {
    match at.json {
        Json::List(items) => match items.as_slice() {
            [Json::Number(low), Json::Number(high)]
                if low < high && -MAX_NUMBER <= *low && *high <= MAX_NUMBER =>
            {
                Some([*low, *high])
            }
            _ => at.expected(
                "[low, high] with low < high",
                "For a criterion that is better when lower, say \"direction\": \"down\" and keep the range upright.",
                found,
            ),
        },
        _ => at.expected("[low, high] with low < high", "", found),
    }
}

fn requests(at: Option<&At<'_>>, criteria: &mut [Criterion], found: &mut Findings) -> Vec<Request> {
    let Some(at) = at else { return Vec::new() };
    let items = at.list("a list of requests", found).unwrap_or_default();
    if items.is_empty() {
        at.refuse("Expected at least one request.".to_owned(), "", found);
    }
    let is_only = items.len() == 1;
    let mut requests: Vec<Request> = Vec::new();
    let mut is_asked = vec![false; criteria.len()];
    for item in &items {
        let Some(request) = request(item, criteria, is_only, found) else {
            continue;
        };
        if requests.iter().any(|known| known.id == request.id) {
            item.refuse(
                format!("There is another request \"{}\".", request.id),
                "Replies are kept under a request's id, so each needs its own.",
                found,
            );
        }
        for &criterion in &request.criteria {
            if std::mem::replace(&mut is_asked[criterion], true) {
                let id = &criteria[criterion].id;
                item.refuse(
                    format!("Another request asks for \"{id}\" as well."),
                    "Each criterion is given by one request.",
                    found,
                );
            }
            let own = &mut criteria[criterion];
            if own.reply.is_empty() {
                own.reply = match request.form {
                    Form::Json => own.id.clone(),
                    Form::Lines => own.label.clone(),
                };
            }
        }
        check_labels(item, &request, criteria, found);
        requests.push(request);
    }
    let is_read = requests.len() == items.len();
    for (position, _) in is_asked.iter().enumerate().filter(|(_, asked)| !**asked) {
        if is_read {
            at.refuse(
                format!(
                    "No request asks for the criterion \"{}\".",
                    criteria[position].id
                ),
                "Add it to the \"criteria\" of a request.",
                found,
            );
        }
    }
    requests
}

/// Two criteria of one reply cannot stand behind the same key or label.
fn check_labels(at: &At<'_>, request: &Request, criteria: &[Criterion], found: &mut Findings) {
    let mut known = HashSet::new();
    for own in &request.criteria {
        let reply = &criteria[*own].reply;
        if !known.insert(reply) {
            at.refuse(
                format!("Two criteria of this request are read from \"{reply}\"."),
                "Give one of them another \"reply\".",
                found,
            );
        }
    }
}

fn request(
    at: &At<'_>,
    criteria: &[Criterion],
    is_only: bool,
    found: &mut Findings,
) -> Option<Request> {
    let object = at.object(&REQUEST, found)?;
    let before = found.len();
    let id = object.get("id").and_then(|at| name(at, found));
    let label = text(&object, "label", "a label", found);
    let short = text(&object, "short", "a short label", found);
    let asked = match object.get("criteria") {
        Some(at) => criteria_of(at, criteria, found),
        None if is_only => (0..criteria.len()).collect(),
        None => {
            at.refuse(
                "Expected a key \"criteria\", as there are several requests.".to_owned(),
                "List the ids of the criteria that this request's reply gives.",
                found,
            );
            Vec::new()
        }
    };
    let prompt = object.get("prompt").and_then(|at| prompt(at, found));
    let reply = object.get("reply").and_then(|at| reply(at, found));
    let (Some(id), Some((form, reason, failed))) = (id, reply) else {
        return None;
    };
    if found.len() > before {
        return None;
    }
    let label = label.unwrap_or_else(|| id.clone());
    Some(Request {
        short: short.unwrap_or_else(|| label.clone()),
        label,
        id,
        criteria: asked,
        prompt,
        form,
        reason,
        failed,
    })
}

/// Ids of criteria, in the order of the criteria.
fn criteria_of(at: &At<'_>, criteria: &[Criterion], found: &mut Findings) -> Vec<usize> {
    let texts = at
        .list("a list of criteria's ids", found)
        .unwrap_or_default();
    let mut asked: Vec<usize> = texts
        .iter()
        .filter_map(|at| criterion_of(at, criteria, found))
        .collect();
    asked.sort_small();
    let count = asked.len();
    asked.dedup();
    if asked.len() < count {
        at.refuse("A criterion stands twice.".to_owned(), "", found);
    } else if texts.is_empty() {
        at.refuse("Expected at least one criterion.".to_owned(), "", found);
    }
    asked
}

/// The position of the criterion that is named here.
fn criterion_of(at: &At<'_>, criteria: &[Criterion], found: &mut Findings) -> Option<usize> {
    let id = at.text("a criterion's id", found)?;
    let known = criteria.iter().position(|known| known.id == id);
    if known.is_none() {
        let ids: Vec<&str> = criteria.iter().map(|known| known.id.as_str()).collect();
        at.refuse(
            format!("There is no criterion \"{id}\"."),
            &did_you_mean(at.json, &ids),
            found,
        );
    }
    known
}

fn prompt(at: &At<'_>, found: &mut Findings) -> Option<(String, Vec<Piece>)> {
    let lines = at.texts("a text, or a list of lines", found)?;
    // A list is for the eye: JSON has no text of several lines.
    let lines: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.text("a line", found))
        .collect();
    let text = lines.join("\n");
    match super::request::pieces(&text) {
        Ok(pieces) => Some((text, pieces)),
        Err(error) => {
            at.refuse(
                error.to_string(),
                "Placeholders are {instruction}, {id}, {tags.NAME}, {references}, {reference.NUMBER} and {output}; {{word}} is the text {word}.",
                found,
            );
            None
        }
    }
}

fn reply(at: &At<'_>, found: &mut Findings) -> Option<(Form, Option<String>, Vec<String>)> {
    let object = at.object(&REPLY, found)?;
    let form = match object.get("form")?.choice(&["json", "lines"], found)? {
        0 => Form::Json,
        _ => Form::Lines,
    };
    let reason = text(&object, "reason", "a JSON key", found);
    if let Some(at) = object.get("reason").filter(|_| form == Form::Lines) {
        at.refuse(
            "Labelled lines have no key for the reasoning.".to_owned(),
            "Remove it: the reasoning is what stands before the first labelled line.",
            found,
        );
    }
    let failed = object
        .get("failed")
        .and_then(|at| at.texts("a text or a list of texts", found));
    let failed = failed.unwrap_or_default();
    let failed = failed
        .iter()
        .filter_map(|at| Some(at.text("a text", found)?.to_owned()))
        .collect();
    Some((form, reason, failed))
}

fn replies(at: Option<&At<'_>>, requests: &[Request], found: &mut Findings) -> Vec<ReplyFiles> {
    let Some(at) = at else { return Vec::new() };
    let items = match at.json {
        Json::List(_) => at.list("a list of reply files", found).unwrap_or_default(),
        _ => vec![at.clone()],
    };
    items
        .iter()
        .filter_map(|at| reply_files(at, requests, found))
        .collect()
}

fn reply_files(at: &At<'_>, requests: &[Request], found: &mut Findings) -> Option<ReplyFiles> {
    let (place, object) = match at.json {
        Json::Object(_) => {
            let object = at.object(&REPLIES, found)?;
            (object.get("files")?.clone(), Some(object))
        }
        _ => (at.clone(), None),
    };
    let pattern = place.text("a path pattern, or an object with files", found)?;
    let hint = "Examples are \"judged/{model}.jsonl\", with a JSON object per line, and \"{model}/{id}_{judge}.txt\", with one reply per file.";
    let files = match Pattern::read(pattern) {
        Ok(files) => files,
        Err(error) => {
            let message = format!("\"{pattern}\" is no path pattern: {error}.");
            place.refuse(message, hint, found);
            return None;
        }
    };
    let is_list = !files.has(Field::Id);
    if !files.has(Field::Model) {
        let message = format!("\"{pattern}\" does not say whose replies these are.");
        place.refuse(message, "Put {model} into the pattern.", found);
    }
    if is_list && !pattern.to_lowercase().ends_with(".jsonl") {
        let message = format!(
            "\"{pattern}\" has no {{id}} and is no .jsonl file, so it cannot say what is replied to."
        );
        place.refuse(message, hint, found);
    }
    if !is_list && requests.len() > 1 && !files.has(Field::Request) {
        let message =
            format!("\"{pattern}\" does not say which of the requests a file replies to.");
        place.refuse(message, "Put {request} into the pattern.", found);
    }
    let mut key = |key: &str, usual: &str| {
        let at = object.as_ref().and_then(|object| object.get(key).cloned());
        let Some(at) = at else {
            return usual.to_owned();
        };
        if !is_list {
            at.refuse(
                "A file of one reply has no keys.".to_owned(),
                "Remove it: the pattern has {id}.",
                found,
            );
        }
        at.text("a key of the lines", found)
            .unwrap_or_default()
            .to_owned()
    };
    Some(ReplyFiles {
        files,
        sample: key("sample", "sample"),
        reply: key("reply", "reply"),
        request: key("request", "request"),
    })
}

fn total(at: &At<'_>, criteria: &[Criterion], found: &mut Findings) -> Option<Total> {
    let object = at.object(&TOTAL, found)?;
    let names = RULES.map(|(name, _)| name);
    let rule = object
        .get("rule")
        .and_then(|at| at.choice(&names, found))
        .map_or(Rule::Mean, |position| RULES[position].1);
    let list = |key: &str, what: &str, found: &mut Findings| {
        let at = object.get(key);
        at.and_then(|at| at.list(what, found)).unwrap_or_default()
    };
    let gates = list("gates", "a list of gates", found);
    let caps = list("caps", "a list of caps", found);
    Some(Total {
        rule,
        gates: gates
            .iter()
            .filter_map(|at| gate(at, criteria, found))
            .collect(),
        caps: caps
            .iter()
            .filter_map(|at| cap(at, criteria, found))
            .collect(),
    })
}

fn gate(at: &At<'_>, criteria: &[Criterion], found: &mut Findings) -> Option<Gate> {
    let object = at.object(&GATE, found)?;
    let condition = object
        .get("if")
        .and_then(|at| condition(at, criteria, found));
    let total = object.get("total").and_then(|at| at.number(found));
    let mut of_criteria = Vec::new();
    if let Some(at) = object.get("criteria") {
        let entries = at.entries("an object of criteria and numbers", found);
        for (id, value) in entries.unwrap_or_default() {
            let known = criteria.iter().position(|known| known.id == id);
            if known.is_none() {
                let ids: Vec<&str> = criteria.iter().map(|known| known.id.as_str()).collect();
                value.refuse(
                    format!("There is no criterion \"{id}\"."),
                    &did_you_mean(&Json::Text(id.to_owned()), &ids),
                    found,
                );
            }
            of_criteria.extend(known.zip(value.number(found)));
        }
    }
    if object.get("total").is_none() && of_criteria.is_empty() {
        at.refuse(
            "The gate changes nothing.".to_owned(),
            "Give \"total\", a number, or \"criteria\", an object of criteria and numbers.",
            found,
        );
    }
    Some(Gate {
        condition: condition?,
        total,
        criteria: of_criteria,
    })
}

fn cap(at: &At<'_>, criteria: &[Criterion], found: &mut Findings) -> Option<Cap> {
    let object = at.object(&CAP, found)?;
    let condition = object
        .get("if")
        .and_then(|at| condition(at, criteria, found));
    let at_most = object.get("total_at_most").and_then(|at| at.number(found));
    Some(Cap {
        condition: condition?,
        at_most: at_most?,
    })
}

fn condition(at: &At<'_>, criteria: &[Criterion], found: &mut Findings) -> Option<Condition> {
    let object = at.object(&CONDITION, found)?;
    let criterion = object
        .get("criterion")
        .and_then(|at| criterion_of(at, criteria, found));
    let given: Vec<(Test, &At<'_>)> = TESTS
        .iter()
        .filter_map(|(key, test)| Some((*test, object.get(key)?)))
        .collect();
    let [(test, bound)] = given.as_slice() else {
        at.refuse(
            format!(
                "Expected one of \"below\", \"at_most\", \"above\" and \"at_least\", found {}.",
                given.len()
            ),
            "For two conditions write two gates.",
            found,
        );
        return None;
    };
    let bound = bound.number(found)?;
    Some(Condition {
        criterion: criterion?,
        test: *test,
        bound,
    })
}

/// What the total's formula asks of a criterion that has a weight.
fn check_member(
    at: &At<'_>,
    criterion: &Criterion,
    direction: Direction,
    rule: Rule,
    found: &mut Findings,
) {
    if criterion.direction != direction || criterion.direction == Direction::Neither {
        at.refuse(
            format!(
                "\"{}\" is not better in the same direction as the rest of the total.",
                criterion.id
            ),
            "Give it the weight 0, which keeps it out of the total and shows it all the same.",
            found,
        );
    }
    #[expect(
        clippy::float_cmp,
        reason = "1 is what is meant where nothing is written"
    )]
    let is_weighted = criterion.weight != 1.0;
    if is_weighted && matches!(rule, Rule::Mean | Rule::Minimum) {
        at.refuse(
            format!(
                "The weight {} does not count under this rule of the total.",
                criterion.weight
            ),
            "Say \"total\": {\"rule\": \"weighted_mean\"}, or give the weight 1, or 0 to keep the criterion out of the total.",
            found,
        );
    }
    if criterion.low < 0.0 && rule == Rule::GeometricMean {
        at.refuse(
            "A geometric mean has no negative numbers.".to_owned(),
            "Choose another rule, or a range from 0.",
            found,
        );
    }
}

/// What the total's formula asks of weights, ranges and directions.
fn check_total(object: &Object<'_>, declaration: &Declaration, found: &mut Findings) {
    let Declaration {
        criteria, total, ..
    } = declaration;
    let Some(items) = object
        .get("criteria")
        .and_then(|at| at.list("", &mut Vec::new()))
        .filter(|items| items.len() == criteria.len())
    else {
        return;
    };
    let members = || {
        let pairs = criteria.iter().zip(&items);
        pairs.filter(|(criterion, _)| criterion.weight > 0.0)
    };
    let Some((first, _)) = members().next() else {
        if !criteria.is_empty() {
            let at = object.get("criteria").unwrap_or(&items[0]);
            at.refuse(
                "Every criterion has the weight 0, so there is no total.".to_owned(),
                "Give at least one a weight above 0.",
                found,
            );
        }
        return;
    };
    for (criterion, at) in members() {
        check_member(at, criterion, first.direction, total.rule, found);
    }
    if let Some(at) = object.get("total")
        && first.direction == Direction::Down
        && !total.caps.is_empty()
    {
        at.refuse(
            "Lower totals are better here, so a cap would raise a score.".to_owned(),
            "Use a gate.",
            found,
        );
    }
    let is_negative = |gate: &Gate| {
        gate.criteria
            .iter()
            .any(|(at, value)| *value < 0.0 && criteria[*at].weight > 0.0)
    };
    if let Some(at) = object.get("total")
        && total.rule == Rule::GeometricMean
        && total.gates.iter().any(is_negative)
    {
        at.refuse(
            "A geometric mean has no negative numbers, and a gate sets one.".to_owned(),
            "",
            found,
        );
    }
}

fn groupings(at: Option<&At<'_>>, found: &mut Findings) -> Vec<Grouping> {
    let items = at.and_then(|at| at.list("a list of groupings", found));
    let items = items.unwrap_or_default();
    let mut groupings: Vec<Grouping> = Vec::new();
    let mut overs = Vec::new();
    for at in &items {
        let Some(object) = at.object(&GROUPING, found) else {
            continue;
        };
        let scope = object.get("scope").and_then(|at| name(at, found));
        let tag = text(&object, "tag", "a tag", found);
        let label = text(&object, "label", "a label", found);
        let order = object
            .get("order")
            .and_then(|at| at.list("a list of keys", found));
        let mut keys: Vec<String> = Vec::new();
        for at in order.unwrap_or_default() {
            let Some(key) = tag_value(at.json) else {
                at.expected::<()>("a tag's value", "", found);
                continue;
            };
            if keys.contains(&key) {
                at.refuse("The key stands twice.".to_owned(), "", found);
            }
            keys.push(key);
        }
        let Some(scope) = scope else { continue };
        if scope == "overall" || groupings.iter().any(|known| known.scope == scope) {
            at.refuse(
                format!("There is another scope \"{scope}\"."),
                "\"overall\" is always there; every other scope stands for one grouping.",
                found,
            );
        }
        overs.extend(object.get("over").map(|at| (groupings.len(), at.clone())));
        groupings.push(Grouping {
            tag: tag.unwrap_or_else(|| scope.clone()),
            label: label.unwrap_or_else(|| capitalized(&scope)),
            scope,
            order: keys,
            over: None,
        });
    }
    let resolved: Vec<(usize, Option<usize>)> = overs
        .iter()
        .map(|(own, at)| (*own, over(at, &groupings, found)))
        .collect();
    for (own, inner) in &resolved {
        groupings[*own].over = *inner;
    }
    for ((own, inner), (_, at)) in resolved.iter().zip(&overs) {
        let Some(inner) = inner else { continue };
        if inner == own || groupings[*inner].over.is_some() {
            at.refuse(
                format!(
                    "\"{}\" is not over samples itself.",
                    groupings[*inner].scope
                ),
                "A mean of means goes one step: name a grouping that has no \"over\".",
                found,
            );
        }
    }
    groupings
}

/// The grouping that a mean is over.
fn over(at: &At<'_>, groupings: &[Grouping], found: &mut Findings) -> Option<usize> {
    let scope = at.text("a scope, or \"samples\"", found)?;
    if scope == "samples" {
        return None;
    }
    let known = groupings.iter().position(|known| known.scope == scope);
    if known.is_none() {
        let scopes: Vec<&str> = groupings.iter().map(|known| known.scope.as_str()).collect();
        at.refuse(
            format!("There is no grouping \"{scope}\"."),
            &did_you_mean(at.json, &scopes),
            found,
        );
    }
    known
}

fn judges_of(at: &At<'_>, found: &mut Findings) -> Vec<String> {
    let items = at.list("a list of judges", found).unwrap_or_default();
    if items.len() < 2 {
        let what = "at least two judges";
        at.expected::<()>(what, "", found);
    }
    let mut judges: Vec<String> = Vec::new();
    for at in &items {
        let Some(judge) = at.text("the beginning of a judge's name", found) else {
            continue;
        };
        let judge = judge.to_lowercase();
        if judges.contains(&judge) {
            at.refuse("The judge stands twice.".to_owned(), "", found);
        }
        judges.push(judge);
    }
    judges
}

fn display(at: &At<'_>, declaration: &mut Declaration, found: &mut Findings) {
    let Some(object) = at.object(&DISPLAY, found) else {
        return;
    };
    if let Some(at) = object.get("scale")
        && let Some(scale) = at.number(found)
    {
        if scale > 0.0 {
            declaration.scale = scale;
        } else {
            at.expected::<()>("a factor above 0", "", found);
        }
    }
    if let Some(at) = object.get("decimals") {
        match at.json {
            Json::Number(number) if number.fract() == 0.0 && (0.0..=6.0).contains(number) => {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "it is a whole number from 0 to 6"
                )]
                let decimals = *number as u8;
                declaration.decimals = decimals;
            }
            _ => at
                .expected::<()>("a whole number from 0 to 6", "", found)
                .unwrap_or_default(),
        }
    }
}

fn listed(at: &At<'_>, found: &mut Findings) -> Option<Listed> {
    match at.json {
        Json::List(_) => Some(Listed::Inline),
        Json::Object(_) => {
            let object = at.object(&SAMPLE_FILE, found)?;
            let place = object.get("file")?;
            let file = place.text("a path", found)?;
            let known = ["json", "jsonl", "csv"];
            let ending = file
                .rsplit_once('.')
                .map(|(_, ending)| ending.to_lowercase());
            if !ending.is_some_and(|ending| known.contains(&ending.as_str())) {
                place.expected::<()>(
                    "the path of a .json, .jsonl or .csv file beside this file",
                    "",
                    found,
                );
            }
            let fields = object.get("fields").and_then(|at| fields(at, found));
            Some(Listed::File {
                file: file.to_owned(),
                fields,
            })
        }
        _ => at.expected("a list of samples, or an object with file", "", found),
    }
}

fn fields(at: &At<'_>, found: &mut Findings) -> Option<Fields> {
    let object = at.object(&FIELDS, found)?;
    let references = object
        .get("references")
        .and_then(|at| at.texts("the name of a field, or a list of them", found));
    let references = references.unwrap_or_default();
    let tags = object
        .get("tags")
        .and_then(|at| at.entries("an object of tags and fields", found));
    let tags = tags.unwrap_or_default();
    Some(Fields {
        id: text(&object, "id", "the name of a field", found)?,
        instruction: text(&object, "instruction", "the name of a field", found),
        references: references
            .iter()
            .filter_map(|at| Some(at.text("the name of a field", found)?.to_owned()))
            .collect(),
        tags: tags
            .iter()
            .filter_map(|(tag, at)| {
                let field = at.text("the name of a field", found)?;
                Some(((*tag).to_owned(), field.to_owned()))
            })
            .collect(),
    })
}

/// A tag's value as text: `3` and `"3"` are the same.
pub(super) fn tag_value(json: &Json) -> Option<String> {
    match json {
        Json::Text(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Json::Number(number) => Some(number.to_string()),
        Json::Long(number) => Some(number.to_string()),
        Json::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}
