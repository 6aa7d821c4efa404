//! Labels and numbers in lines, lists, headings and tables.

use super::value::{self, Place};
use super::{Allowance, Allowances, Key, Shape, Unclear, Wanted};
use crate::reply::{behind, names_label};

/// What a text's lines say of the wanted numbers.
#[derive(Debug, Default)]
pub(super) struct Labelled {
    /// Key and number, in the order of the text.
    numbers: Vec<(usize, String)>,
    /// Whether a number that was given can be meant otherwise.
    is_unclear: bool,
    pub(super) allowances: Allowances,
}

/// Where the lines are.
#[derive(Default)]
struct Context {
    /// The label whose number may be in a later line.
    under: Option<usize>,
    /// The header of a table: of each column the key that it holds the numbers of.
    columns: Vec<Option<usize>>,
    /// The column of a table that holds the numbers of rows.
    score_column: Option<usize>,
    is_in_table: bool,
}

impl Labelled {
    pub(super) fn of(wanted: &Wanted, text: &str) -> Self {
        let mut found = Self::default();
        let mut context = Context::default();
        for line in text.lines() {
            let line = &*value::narrow(line, &mut Allowances::new());
            let line = line.trim();
            let is_row = line.contains('|');
            if !is_row {
                context.columns.clear();
                context.score_column = None;
                context.is_in_table = false;
            }
            if line.is_empty() || is_rule(line) {
                continue;
            }
            if is_row && found.row(wanted, &mut context, line) {
                continue;
            }
            for part in parts(wanted, line) {
                found.line(wanted, &mut context, part);
            }
        }
        if text.contains(|c: char| ('\u{ff01}'..='\u{ff5e}').contains(&c))
            && !found.numbers.is_empty()
        {
            found.allowances.insert(Allowance::FullWidth);
        }
        found
    }

    /// Nothing unclear, and something.
    pub(super) fn check(&self) -> Result<(), Unclear> {
        match (self.is_unclear, self.numbers.is_empty()) {
            (true, _) => Err(Unclear::Two),
            (false, true) => Err(Unclear::None),
            (false, false) => Ok(()),
        }
    }

    /// Whether a line gives another number than an object does.
    pub(super) fn contradicts(&self, numbers: &[(usize, String)]) -> bool {
        let differs = |(key, number): &(usize, String)| {
            let mut others = numbers.iter().filter(|(other, _)| other == key);
            others.any(|(_, other)| other.parse::<f64>() != number.parse::<f64>())
        };
        self.numbers.iter().any(differs)
    }

    /// The strict form in lines.
    pub(super) fn lines(&self, wanted: &Wanted) -> String {
        of_numbers(wanted, &self.numbers)
    }

    /// The strict form as an object.
    pub(super) fn object(&self, wanted: &Wanted) -> Result<String, Unclear> {
        let mut entries = Vec::new();
        for (at, key) in wanted.keys.iter().enumerate() {
            let mut own = self.numbers.iter().filter(|(found, _)| *found == at);
            let (_, number) = own.next().ok_or(Unclear::None)?;
            if own.any(|(_, other)| other.parse::<f64>() != number.parse::<f64>()) {
                return Err(Unclear::Two);
            }
            let name = serde_json::Value::from(&*key.name);
            entries.push(match wanted.shape {
                Shape::Scores => format!("{name}: {{\"score\": {number}}}"),
                _ => format!("{name}: {number}"),
            });
        }
        Ok(format!("{{{}}}", entries.join(", ")))
    }

    fn take(&mut self, wanted: &Wanted, key: usize, text: &str) -> bool {
        let high = wanted.keys[key].high;
        match value::read(text, high, &mut self.allowances) {
            Place::Number(number) => {
                self.numbers.push((key, number));
                true
            }
            Place::Unclear => {
                self.is_unclear = true;
                true
            }
            Place::Words => {
                // The number may close the words: "The lamp is lit. Score: 7/10".
                let low = text.to_ascii_lowercase();
                let mut ends = ["score:", "rating:"].into_iter().filter_map(|word| {
                    let at = low.find(word).filter(|at| low.rfind(word) == Some(*at))?;
                    Some(at + word.len())
                });
                if let Some(end) = ends.next() {
                    return self.take(wanted, key, &text[end..]);
                }
                // Words behind a label are a comment, but not where they may take a number back.
                self.is_unclear |= self.is_given(key) && value::may_be_meant(text);
                false
            }
        }
    }

    fn is_given(&self, key: usize) -> bool {
        self.numbers.iter().any(|(given, _)| *given == key)
    }

    /// Holds labels within a line against the numbers that were given before.
    fn again(&mut self, wanted: &Wanted, line: &str) {
        for (at, key) in wanted.keys.iter().enumerate() {
            let mut rests = key.names().filter_map(|name| names_label(line, name));
            if let Some(rest) = rests.next().filter(|_| self.is_given(at)) {
                self.take(wanted, at, rest);
            }
        }
    }

    /// One line that is no row.
    fn line(&mut self, wanted: &Wanted, context: &mut Context, line: &str) {
        if let Some(found) = labelled(wanted, line) {
            self.allowances.extend(found.allowances);
            let is_taken = self.take(wanted, found.key, found.rest);
            context.under = (!is_taken || found.rest.is_empty()).then_some(found.key);
            return;
        }
        self.again(wanted, line);
        let Some(key) = context.under else {
            return;
        };
        let high = wanted.keys[key].high;
        let rest = unmarked(line);
        let is_score = ["score", "rating"].iter().any(|word| {
            rest.get(..word.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(word))
        });
        if is_score {
            let number = rest.split_once(':').map_or(rest, |(_, number)| number);
            self.take(wanted, key, number);
        } else if value::is_bare(rest, high) && !rest.contains(char::is_alphabetic) {
            self.take(wanted, key, rest);
        }
    }

    /// One row of a table; `false` where it is none.
    fn row(&mut self, wanted: &Wanted, context: &mut Context, line: &str) -> bool {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let label = |cell: &str| {
            let cell = cell.trim_matches(|c: char| c.is_whitespace() || "*_`:".contains(c));
            wanted.keys.iter().position(|key| is_named(key, cell))
        };
        let labels: Vec<Option<usize>> = cells.iter().map(|cell| label(cell)).collect();
        let num_labels = labels.iter().flatten().count();
        let is_first = !std::mem::replace(&mut context.is_in_table, true);
        let has_number = cells
            .iter()
            .any(|cell| cell.contains(|c: char| c.is_numeric()));
        if is_first && !has_number {
            context.score_column = cells.iter().position(|cell| is_score(cell));
        }
        let is_header = is_first && num_labels == 1 && (cells.len() > 1 || line.starts_with('|'));
        if !has_number && (num_labels > 1 || is_header) {
            context.columns = labels;
            return true;
        }
        if num_labels == 0 && !context.columns.is_empty() {
            self.allowances.insert(Allowance::Tables);
            let columns = std::mem::take(&mut context.columns);
            for (key, cell) in columns.iter().zip(&cells) {
                if let Some(key) = key {
                    self.take(wanted, *key, cell);
                }
            }
            context.columns = columns;
            return true;
        }
        let Some(at) = labels.iter().position(Option::is_some) else {
            // Cells of label, colon and number.
            let mut is_labelled = false;
            for cell in &cells {
                if labelled(wanted, cell).is_some() {
                    is_labelled = true;
                    self.allowances.insert(Allowance::Tables);
                    self.line(wanted, context, cell);
                }
            }
            return is_first || is_labelled;
        };
        self.allowances.insert(Allowance::Tables);
        self.take_row(wanted, context, &cells, (at, labels[at].unwrap_or(0)));
        true
    }

    /// The number in a row with one label.
    fn take_row(
        &mut self,
        wanted: &Wanted,
        context: &Context,
        cells: &[&str],
        (at, key): (usize, usize),
    ) {
        let high = wanted.keys[key].high;
        if let Some(cell) = context.score_column.and_then(|column| cells.get(column)) {
            self.take(wanted, key, cell);
            return;
        }
        let others = &cells[at + 1..];
        let mut numbers = others.iter().filter(|cell| value::is_bare(cell, high));
        match (numbers.next(), numbers.next()) {
            (Some(number), None) => {
                self.take(wanted, key, number);
            }
            (None, None) => {
                for cell in others {
                    self.take(wanted, key, cell);
                }
            }
            _ => self.is_unclear = true,
        }
    }
}

/// Whether a header is that of the column of numbers.
fn is_score(header: &str) -> bool {
    let low = header.to_lowercase();
    low.contains("score") || low.contains("rating") || low == "value"
}

/// Numbers in the strict form in lines.
pub(super) fn of_numbers(wanted: &Wanted, numbers: &[(usize, String)]) -> String {
    let line = |(key, number): &(usize, String)| {
        let name = &wanted.keys[*key].name;
        format!("{name}: {number}")
    };
    numbers.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A line of dashes, between parts of a text or below the header of a table.
fn is_rule(line: &str) -> bool {
    line.chars()
        .all(|c| c.is_whitespace() || "-|:=+*_".contains(c))
}

/// Words before a label: a draft's as well, so that it is compared with the final number.
const BEFORE: [&str; 9] = [
    "the",
    "my",
    "initial",
    "first",
    "draft",
    "preliminary",
    "final",
    "overall",
    "total",
];

/// A line that begins with a label.
struct Found<'a> {
    key: usize,
    rest: &'a str,
    allowances: Allowances,
}

/// A line without the marks before its words.
fn unmarked(line: &str) -> &str {
    let is_mark = |c: char| c.is_whitespace() || "*_`#>|-+\"'•·●◦▪✓✔".contains(c);
    let text = line.trim_start_matches(is_mark);
    let inner = text.strip_prefix('(').unwrap_or(text);
    let number = inner.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < inner.len();
    number
        .strip_prefix(['.', ')'])
        .filter(|rest| is_numbered && !rest.starts_with(|c: char| c.is_ascii_digit()))
        .map_or(text, |rest| rest.trim_start_matches(is_mark))
}

fn labelled<'a>(wanted: &Wanted, line: &'a str) -> Option<Found<'a>> {
    let mut text = unmarked(line);
    let mut allowances = Allowances::new();
    let marks = &line[..line.len() - text.len()];
    // "Final score: 8" is a line of the score.
    for word in BEFORE {
        let rest = text.get(word.len()..).filter(|rest| rest.starts_with(' '));
        if let Some(rest) = rest
            && text[..word.len()].eq_ignore_ascii_case(word)
        {
            text = rest.trim_start();
            allowances.insert(Allowance::Spelling);
        }
    }
    let begun = |(at, key): (usize, &Key)| {
        let name = key.names().filter_map(|name| behind(text, name)).max();
        name.map(|(length, is_exact)| (length, at, is_exact))
    };
    let (length, key, is_exact) = wanted.keys.iter().enumerate().filter_map(begun).max()?;
    let rest = &text[length..];
    let after = rest.trim_start_matches(|c: char| c.is_whitespace() || "*_`\"'".contains(c));
    let after = ["score", "rating"]
        .iter()
        .find_map(|word| {
            let head = after.get(..word.len())?;
            let rest = &after[word.len()..];
            (head.eq_ignore_ascii_case(word) && !rest.starts_with(char::is_alphanumeric))
                .then_some(rest)
        })
        .unwrap_or(after);
    let after = after.trim_start_matches(|c: char| c.is_whitespace() || "*_`\"'".contains(c));
    let after = without_note(after);
    let after = after.trim_start_matches(|c: char| c.is_whitespace() || "*_`\"'".contains(c));
    let leaders = after.trim_start_matches(['.', '…', ' ']);
    let has_leaders = after.starts_with("..") || after.starts_with('…');
    let after = if has_leaders { leaders } else { after };
    let arrow = ["->", "=>"]
        .iter()
        .find_map(|arrow| after.strip_prefix(*arrow));
    let value = arrow
        .or_else(|| after.strip_prefix([':', '=', '|', '–', '—', '→']))
        .or_else(|| {
            let rest = after.strip_prefix('-')?;
            // A dash before a digit belongs to it.
            (!rest.starts_with(|c: char| c.is_ascii_digit())).then_some(rest)
        });
    let high = wanted.keys[key].high;
    let value = match value {
        Some(value) => value,
        None if after.is_empty() || value::is_bare(after, high) => after,
        None => return None,
    };
    note(marks, rest, value, &mut allowances);
    if !is_exact {
        allowances.insert(Allowance::Spelling);
    }
    Some(Found {
        key,
        rest: value.trim_matches(|c: char| c.is_whitespace() || "*_`".contains(c)),
        allowances,
    })
}

/// Names the marks around a label.
fn note(marks: &str, rest: &str, value: &str, allowances: &mut Allowances) {
    let between = &rest[..rest.len() - value.len()];
    if marks.contains('#') {
        allowances.insert(Allowance::Headings);
    }
    if marks.contains(|c: char| "-+•·●◦▪✓✔".contains(c) || c.is_ascii_digit())
        || marks.trim_start().starts_with("* ")
    {
        allowances.insert(Allowance::Bullets);
    }
    let ends = value.ends_with(['*', '`']) || value.starts_with(['*', '`']);
    if marks.contains("**") || marks.ends_with(['*', '_', '`']) || between.contains('*') || ends {
        allowances.insert(Allowance::Bold);
    }
}

/// A label in brackets behind a label: its short form, or the scale.
fn without_note(text: &str) -> &str {
    let rest = text.strip_prefix('(').and_then(|rest| {
        let (note, rest) = rest.split_once(')')?;
        let is_scale = note.contains(['-', '–', '/', 't']);
        let is_name = !note.contains(|c: char| c.is_numeric());
        (is_name || is_scale && rest.contains(|c: char| c.is_numeric())).then_some(rest)
    });
    rest.unwrap_or(text)
}

/// Whether a text is a name of a key, and nothing more.
pub(super) fn is_named(key: &Key, text: &str) -> bool {
    key.names()
        .any(|name| behind(text, name).is_some_and(|(length, _)| length == text.len()))
}

/// A line cut where another label begins behind a comma or the like.
fn parts<'a>(wanted: &Wanted, line: &'a str) -> Vec<&'a str> {
    let mut text = line;
    // "Scores: A: 1, B: 2".
    if labelled(wanted, line).is_none()
        && let Some((head, rest)) = line.split_once(':')
        && head.split_whitespace().count() <= 3
        && labelled(wanted, rest).is_some()
        && ["score", "rating", "verdict", "answer", "final"]
            .iter()
            .any(|word| head.to_lowercase().contains(word))
    {
        text = rest;
    }
    if labelled(wanted, text).is_none() {
        return vec![line];
    }
    let mut cut = Vec::new();
    let mut begin = 0;
    for (at, c) in text.char_indices() {
        let own = &text[begin..at];
        let is_end = match c {
            ',' | ';' | '/' | '·' | '•' | '|' => !own.trim().is_empty(),
            // Without a mark between them, the one before has to be whole.
            ' ' | '\t' => labelled(wanted, own).is_some_and(|found| {
                let high = wanted.keys[found.key].high;
                value::is_bare(found.rest, high)
            }),
            _ => false,
        };
        if is_end && labelled(wanted, &text[at + c.len_utf8()..]).is_some() {
            cut.push(&text[begin..at]);
            begin = at + c.len_utf8();
        }
    }
    cut.push(&text[begin..]);
    cut
}
