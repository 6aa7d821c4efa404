//! Foreign names and texts in what Juror writes: one escaper for each form of output.
//!
//! A name comes from a folder or a file that somebody else made. Here it loses what it would do in a spreadsheet, in Markdown,
//! in HTML and XML, and in a terminal; LaTeX has its own escaper beside its tables.

/// Whether a spreadsheet would run a field as a formula; a number is none, whatever its sign.
fn is_formula(text: &str) -> bool {
    let text = text.trim_start_matches([' ', '\u{a0}', '\u{feff}']);
    let begins = text.starts_with([
        '=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}',
    ]);
    let is_number = text.starts_with(['+', '-'])
        && text.ends_with(|c: char| c.is_ascii_digit())
        && text.parse::<f64>().is_ok_and(f64::is_finite);
    begins && !is_number
}

/// A field of a CSV that no spreadsheet runs: a quote mark goes before what would be a formula.
///
/// Numbers stay as they are. [`csv_unguarded`] takes the quote mark off again.
pub fn csv_guarded(text: &str) -> String {
    if is_formula(text.trim_start_matches('\'')) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

/// A field as it was before [`csv_guarded`].
pub fn csv_unguarded(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if is_formula(rest.trim_start_matches('\'')) => rest,
        _ => text,
    }
}

/// A CSV field, guarded, and quoted where it must be.
pub fn csv_field(text: &str) -> String {
    let guarded = csv_guarded(text);
    if guarded.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", guarded.replace('"', "\"\""))
    } else {
        guarded
    }
}

/// A number as a CSV field: empty where there is none, and for what is not finite.
///
/// # Example
/// ```
/// use juror_reading::escape::csv_number;
/// assert_eq!((csv_number(0.5), csv_number(f64::NAN), csv_number(None)), ("0.5".into(), "".into(), "".into()));
/// ```
pub fn csv_number(value: impl Into<Option<f64>>) -> String {
    csv_number_as(value, |value| value.to_string())
}

/// The same with a way of writing of its own.
pub fn csv_number_as(value: impl Into<Option<f64>>, written: impl FnOnce(f64) -> String) -> String {
    let finite = value.into().filter(|value| value.is_finite());
    finite.map_or_else(String::new, written)
}

/// Characters that have no place in a line of text: controls of every kind, separators of lines, and what turns the
/// direction of all that follows.
fn is_disruptive(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text in Markdown, on one line: nothing in it is markup, HTML, a link or a mention, in whatever reader.
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let is_listed = text.starts_with(['+', '-', '=', ':']);
    for (at, letter) in text.char_indices() {
        match letter {
            // Not every reader knows a backslash before these.
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '@' => out += "&#64;",
            // Bare addresses become links.
            ':' if text[at..].starts_with("://") => out += "&#58;",
            '.' if text[..at].to_ascii_lowercase().ends_with("www") => out += "&#46;",
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '$' | '{' | '}' | '!' => {
                out.push('\\');
                out.push(letter);
            }
            '+' | '-' | '=' | ':' if at == 0 && is_listed => {
                out.push('\\');
                out.push(letter);
            }
            '.' | ')' if is_number_of_list(text, at) => {
                out.push('\\');
                out.push(letter);
            }
            '\n' | '\r' | '\t' => out.push(' '),
            letter if is_disruptive(letter) => out.push(char::REPLACEMENT_CHARACTER),
            _ => out.push(letter),
        }
    }
    out
}

/// Whether a text begins like an item of a numbered list, with its mark at this byte.
fn is_number_of_list(text: &str, mark: usize) -> bool {
    let (number, behind) = (&text[..mark], &text[mark + 1..]);
    !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit())
        && behind.chars().next().is_none_or(char::is_whitespace)
}

/// Text in HTML or XML, between tags and in quoted attributes.
pub fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\n' | '\t' => out.push(letter),
            // XML has no place for them, and what turns the direction would turn the page's own words.
            letter if is_disruptive(letter) || matches!(letter, '\u{fffe}' | '\u{ffff}') => {
                out.push(char::REPLACEMENT_CHARACTER);
            }
            _ => out.push(letter),
        }
    }
    out
}

/// Text as a terminal may show it, line ends kept: what would move the cursor, colour or rename the window is written out.
///
/// # Example
/// ```
/// use juror_reading::escape::terminal;
/// assert_eq!(terminal("a\u{1b}[2Jb\nc"), "a\\u{1b}[2Jb\nc");
/// ```
pub fn terminal(text: &str) -> String {
    visible(text, |c| c != '\n' && c != '\t' && is_disruptive(c))
}

/// The same on one line: line ends are written out too, so that no name can pretend to be a message.
///
/// # Example
/// ```
/// use juror_reading::escape::terminal_line;
/// assert_eq!(terminal_line("a\nerror: b\u{9b}"), "a\\nerror: b\\u{9b}");
/// ```
pub fn terminal_line(text: &str) -> String {
    visible(text, is_disruptive)
}

fn visible(text: &str, is_hidden: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if !is_hidden(letter) {
            out.push(letter);
            continue;
        }
        match letter {
            '\n' | '\r' | '\t' => out.extend(letter.escape_default()),
            _ => out.extend(letter.escape_unicode()),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_guarded_a_number_is_not_and_every_field_reads_back() {
        for (text, is_guarded) in [
            ("=cmd|' /C calc'!A0", true),
            ("+1+1", true),
            ("-2+3", true),
            ("@SUM(A1)", true),
            ("\t=1", true),
            (" =1", true),
            ("\u{ff1d}1", true),
            ("'=1", true),
            ("''=1", true),
            ("-inf", true),
            ("-0.5", false),
            ("+7", false),
            ("-1e-3", false),
            ("'tis", false),
            ("gpt-5", false),
            ("", false),
        ] {
            let guarded = csv_guarded(text);
            assert_eq!(guarded != text, is_guarded, "{text:?}");
            assert_eq!(csv_unguarded(&guarded), text);
        }
    }

    #[test]
    fn markdown_holds_no_markup_no_html_no_link_and_no_mention_of_a_name() {
        for (text, expected) in [
            ("<b>&", "&lt;b&gt;&amp;"),
            ("a|b*c_[d](e)", "a\\|b\\*c\\_\\[d\\](e)"),
            ("![x](y)", "\\!\\[x\\](y)"),
            ("- x", "\\- x"),
            ("1. x", "1\\. x"),
            ("0.5", "0.5"),
            ("http://a", "http&#58;//a"),
            ("www.a.b", "www&#46;a.b"),
            ("@all", "&#64;all"),
            ("a\r\nb\u{1b}c\u{202e}", "a  b\u{fffd}c\u{fffd}"),
            ("gpt-5: fine", "gpt-5: fine"),
        ] {
            assert_eq!(markdown(text), expected, "{text:?}");
        }
    }

    #[test]
    fn html_is_xml_too() {
        assert_eq!(
            html("<a b='c'>\u{0}\u{1b}\u{ffff}\n"),
            "&lt;a b=&#39;c&#39;&gt;\u{fffd}\u{fffd}\u{fffd}\n"
        );
    }
}
