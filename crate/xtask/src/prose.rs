//! Takes the prose out of a source, its comments and strings, and leaves the code. `words.rs` counts words in it.

use crate::purity::{skipped_len, word_len};

/// Takes the place of code within a string, so that the words before and after it are no neighbours.
const CODE: char = '\u{fffc}';

/// The comments and the strings of a Rust source; comments of successive lines are one text.
pub(crate) fn of_rust(source: &str) -> Vec<String> {
    let mut prose = Prose::default();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let skipped = skipped_len(rest);
        let len = match skipped {
            0 => word_len(rest).max(first.len_utf8()),
            len => len,
        };
        let (piece, after) = rest.split_at(len);
        rest = after;
        if skipped == 0 {
            prose.code(piece);
        } else if piece.starts_with("//") || piece.starts_with("/*") {
            prose.comment(piece);
        } else if piece.starts_with(['r', 'b', 'c']) {
            prose.string(piece.to_owned());
        } else if piece.starts_with('"') {
            prose.string(without_escapes(piece));
        }
    }
    prose.finish()
}

/// The comments and the strings of a TypeScript source; a template is one text without the code in its `${}`.
pub(crate) fn of_script(source: &str) -> Vec<String> {
    let mut prose = Prose::default();
    let mut rest = source;
    while !rest.is_empty() {
        let len = script_code(rest, &mut prose);
        // A brace too many: what comes after it is read all the same.
        rest = rest.get(len + 1..).unwrap_or_default();
    }
    prose.finish()
}

/// The text of a Markdown file.
pub(crate) fn of_markdown(source: &str) -> Vec<String> {
    vec![without_code_spans(source)]
}

/// What was collected of a source so far.
#[derive(Debug, Default)]
struct Prose {
    texts: Vec<String>,
    /// Whether the last text is a comment that the next one continues.
    is_in_comment: bool,
    /// The last character of code, and the last word where it ends in one: they tell a regular expression from a division.
    last: Option<char>,
    word: String,
}

impl Prose {
    fn code(&mut self, piece: &str) {
        let Some(last) = piece.trim_end().chars().next_back() else {
            return;
        };
        self.is_in_comment = false;
        self.last = Some(last);
        piece.clone_into(&mut self.word);
    }

    fn comment(&mut self, piece: &str) {
        let text = piece.trim_start_matches(['/', '!', '*']).replace('*', " ");
        match self.texts.last_mut().filter(|_| self.is_in_comment) {
            Some(last) => {
                last.push('\n');
                last.push_str(&text);
            }
            None => self.texts.push(text),
        }
        self.is_in_comment = true;
    }

    fn string(&mut self, text: String) {
        self.code("\"");
        self.texts.push(text);
    }

    /// The texts without the code that they quote.
    fn finish(self) -> Vec<String> {
        let texts = self.texts.iter();
        texts.map(|text| without_code_spans(text)).collect()
    }

    /// Whether a slash that comes now begins a regular expression.
    fn expects_value(&self) -> bool {
        match self.last {
            None => true,
            Some(last) if is_part_of_word(last) => {
                matches!(
                    self.word.as_str(),
                    "return" | "typeof" | "case" | "of" | "in"
                )
            }
            Some(last) => !matches!(last, ')' | ']' | '}' | '"'),
        }
    }
}

fn is_part_of_word(mark: char) -> bool {
    mark.is_alphanumeric() || matches!(mark, '_' | '$')
}

/// Reads code up to its end or to the brace that closes more than this code opened, and returns where that is.
fn script_code(source: &str, prose: &mut Prose) -> usize {
    let mut position = 0;
    let mut depth = 0_usize;
    while let Some(first) = source[position..].chars().next() {
        let rest = &source[position..];
        position += match first {
            '}' if depth == 0 => return position,
            '/' if rest.starts_with("//") || rest.starts_with("/*") => {
                let end = if rest.starts_with("//") { "\n" } else { "*/" };
                let len = (rest[2..].find(end)).map_or(rest.len(), |at| 2 + at + end.len());
                prose.comment(&rest[..len]);
                len
            }
            '/' if prose.expects_value() => {
                prose.code("\"");
                expression_len(rest)
            }
            '"' | '\'' => {
                let len = string_len(rest, first);
                prose.string(without_escapes(&rest[..len]));
                len
            }
            '`' => template(rest, prose),
            _ => {
                match first {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    _ => {}
                }
                let end = rest.find(|mark| !is_part_of_word(mark));
                let len = end.unwrap_or(rest.len()).max(first.len_utf8());
                prose.code(&rest[..len]);
                len
            }
        };
    }
    position
}

/// The length of a string that begins here; one that is not closed ends with its line.
fn string_len(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (position, mark) in rest.char_indices().skip(1) {
        match mark {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return position,
            mark if mark == quote => return position + mark.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// The length of a regular expression that begins here; a slash within brackets does not end it.
fn expression_len(rest: &str) -> usize {
    let (mut is_escaped, mut is_in_class) = (false, false);
    for (position, mark) in rest.char_indices().skip(1) {
        match mark {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => is_in_class = true,
            ']' => is_in_class = false,
            '\n' => return position,
            '/' if !is_in_class => return position + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Reads a template that begins here and returns its length.
fn template(rest: &str, prose: &mut Prose) -> usize {
    let mut text = String::new();
    let mut position = 1;
    while let Some(mark) = rest[position..].chars().next() {
        position += mark.len_utf8();
        match mark {
            '`' => break,
            '\\' => {
                text.push(' ');
                position += rest[position..].chars().next().map_or(0, char::len_utf8);
            }
            '$' if rest[position..].starts_with('{') => {
                text.push(CODE);
                prose.code("{");
                position += 1;
                position += script_code(&rest[position..], prose);
                position = (position + 1).min(rest.len());
            }
            mark => text.push(mark),
        }
    }
    prose.string(text);
    position
}

/// A string with a blank for each escaped character: `\n` ends a word.
fn without_escapes(literal: &str) -> String {
    let mut text = String::with_capacity(literal.len());
    let mut marks = literal.chars();
    while let Some(mark) = marks.next() {
        if mark == '\\' {
            marks.next();
            text.push(' ');
        } else {
            text.push(mark);
        }
    }
    text
}

/// A text without what is between backticks: as many close a span as opened it, in the same paragraph unless they are three.
fn without_code_spans(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        kept.push_str(&rest[..start]);
        rest = &rest[start..];
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        let (fence, after) = rest.split_at(ticks);
        let end = closing(after, fence).filter(|end| ticks > 2 || !has_blank_line(&after[..*end]));
        if let Some(end) = end {
            kept.push(CODE);
            rest = &after[end + ticks..];
        } else {
            kept.push_str(fence);
            rest = after;
        }
    }
    kept + rest
}

/// Where exactly these backticks, and no more of them, come next.
fn closing(text: &str, fence: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let start = from + text[from..].find('`')?;
        let run = text[start..].len() - text[start..].trim_start_matches('`').len();
        if run == fence.len() {
            return Some(start);
        }
        from = start + run;
    }
}

fn has_blank_line(text: &str) -> bool {
    let inner = text.lines().skip(1);
    inner.map(str::trim).any(str::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of all texts, with `|` between texts.
    fn words(texts: &[String]) -> String {
        let texts = texts.iter().map(|text| {
            let words: Vec<&str> = text
                .split(|mark: char| !mark.is_alphanumeric())
                .filter(|word| !word.is_empty())
                .collect();
            words.join(" ")
        });
        texts.collect::<Vec<_>>().join("|")
    }

    #[test]
    fn comments_and_strings_of_rust_are_prose_and_names_are_not() {
        for (source, expected) in [
            ("fn heard() { /* one /* two */ */ three() }", "one two"),
            ("/// one\n/// two\nfn three() {} // four", "one two|four"),
            ("//! one\n\n//! two", "one two"),
            (
                "f(\"one\\ntwo\", r#\"\\three\"#, b\"four\")",
                "one two|r three|four",
            ),
            ("let it: &'static str = one; let two = 'a';", ""),
            (
                "/// See `heard`, or:\n/// ```\n/// heard();\n/// ```\n/// two",
                "See or two",
            ),
        ] {
            assert_eq!(words(&of_rust(source)), expected, "{source}");
        }
    }

    #[test]
    fn comments_and_strings_of_scripts_are_prose_and_names_are_not() {
        for (source, expected) in [
            ("heard(); // one\n// two\n/* three */", "one two three"),
            ("const it = 'don\\'t' + \"two\" + it.heard;", "don t|two"),
            (
                "const it = html`<p>one ${heard({ a: 'two' })} three</p>`;",
                "two|p one three p",
            ),
            (
                "const it = /['\"`/]/.test(heard) ? 'one' : 6 / 2; // two",
                "one|two",
            ),
            ("return /`/; // one", "one"),
            ("f() / 2; // one / two", "one two"),
            ("}\n// one", "one"),
        ] {
            assert_eq!(words(&of_script(source)), expected, "{source}");
        }
    }

    #[test]
    fn the_code_of_markdown_is_no_prose() {
        for (source, expected) in [
            ("one `heard` two", "one two"),
            ("one\n```\ntold `\n\ntold\n```\ntwo", "one two"),
            ("one ` two\n\nthree ` four", "one two three four"),
            ("``a ` b`` one", "one"),
        ] {
            assert_eq!(words(&of_markdown(source)), expected, "{source}");
        }
    }
}
