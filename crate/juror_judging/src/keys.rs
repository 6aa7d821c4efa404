//! Texts without the keys that a job was given: no message, reply or record leaves with one, in whatever form it came back.

use super::base64;

/// What stands in the place of a key.
const REMOVED: &str = "[key]";
/// A shorter key might be a word of the text.
const SHORTEST: usize = 6;
/// A shorter piece of base64 might be one too.
const SHORTEST_BASE64: usize = 8;

/// A text without these keys: as they are, with blanks or line ends between their letters, escaped for an address, in
/// base64 alone or among other text. Keys of fewer than 6 letters are left.
///
/// ```
/// use juror_judging::keys::without_keys;
/// assert_eq!(without_keys("The key s3cr et-1 is wrong.", &["s3cret-1"]), "The key [key] is wrong.");
/// assert_eq!(without_keys("Nothing here.", &["s3cret-1"]), "Nothing here.");
/// ```
pub fn without_keys(text: &str, keys: &[&str]) -> String {
    let mut clean = text.to_owned();
    for key in keys {
        if key.encode_utf16().count() < SHORTEST {
            continue;
        }
        clean = replaced(&clean, spaced(key));
        clean = replaced(&clean, escaped(key));
        for before in 0..3 {
            clean = without_base64(&clean, &inner_base64(key.as_bytes(), before));
        }
    }
    clean
}

/// A text with every match taken out; `ends` gives the length of a match at the beginning of what it is given.
fn replaced(text: &str, ends: impl Fn(&str) -> Option<usize>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(end) = ends(rest).filter(|end| *end > 0) {
            out += REMOVED;
            rest = &rest[end..];
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

/// The key's letters with any blanks between them.
fn spaced(key: &str) -> impl Fn(&str) -> Option<usize> {
    let letters: Vec<char> = key.chars().filter(|letter| !is_blank(*letter)).collect();
    move |text| {
        let mut rest = text;
        for (at, letter) in letters.iter().enumerate() {
            if at > 0 {
                rest = rest.trim_start_matches(is_blank);
            }
            rest = rest.strip_prefix(*letter)?;
        }
        Some(text.len() - rest.len())
    }
}

fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{200b}' | '\u{feff}')
}

/// The key as an address has it, in capitals or small letters.
fn escaped(key: &str) -> impl Fn(&str) -> Option<usize> {
    use std::fmt::Write as _;
    let mut wanted = String::new();
    for byte in key.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            wanted.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(wanted, "%{byte:02X}");
        }
    }
    move |text| {
        let head = text.as_bytes().get(..wanted.len())?;
        head.eq_ignore_ascii_case(wanted.as_bytes())
            .then_some(wanted.len())
    }
}

/// The letters that base64 writes for a key however the text goes on around it, where `before` other bytes stand in the
/// three that it begins in: base64 writes three bytes at a time, so the ends are left out.
fn inner_base64(key: &[u8], before: usize) -> String {
    let shifted: Vec<u8> = std::iter::repeat_n(0, before)
        .chain(key.iter().copied())
        .collect();
    let whole = &shifted[..shifted.len() / 3 * 3];
    let begun = if before == 0 { 0 } else { 3 };
    base64(whole.get(begun..).unwrap_or_default())
}

/// A text without the runs of base64 that hold these letters.
fn without_base64(text: &str, letters: &str) -> String {
    if letters.len() < SHORTEST_BASE64 {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if !is_base64(first) {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let after = rest.trim_start_matches(is_base64);
        let run = &rest[..rest.len() - after.len()];
        // The alphabet for addresses has two other letters.
        if run.replace('-', "+").replace('_', "/").contains(letters) {
            out += REMOVED;
            rest = after.trim_start_matches(|letter| letter == '=' || is_base64(letter));
        } else {
            out += run;
            rest = after;
        }
    }
    out
}

fn is_base64(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/' | '_' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-abc/DEF+123._x-9876543210";

    /// By the definition, padding and all.
    fn base64(text: &str) -> String {
        let mut out = String::new();
        for part in text.as_bytes().chunks(3) {
            let three: Vec<u8> = part
                .iter()
                .copied()
                .chain(std::iter::repeat(0))
                .take(3)
                .collect();
            let four = inner_base64(&three, 0);
            out += &four[..=part.len()];
            out += &"=="[..3 - part.len()];
        }
        out
    }

    fn between(text: &str, mark: char) -> String {
        let mut out = String::new();
        for letter in text.chars() {
            out.extend([letter, mark]);
        }
        out.pop();
        out
    }

    #[test]
    fn base64_is_written_as_everybody_writes_it() {
        assert_eq!(base64("Man"), "TWFu");
        assert_eq!(base64("Ma"), "TWE=");
        assert_eq!(base64("light work."), "bGlnaHQgd29yay4=");
    }

    #[test]
    fn a_key_that_comes_back_spaced_escaped_or_in_base64_is_in_no_message() {
        let in_base64 = base64(KEY);
        let forms = [
            KEY.to_owned(),
            between(KEY, ' '),
            between(KEY, '\n'),
            between(KEY, '\u{feff}'),
            "sk-abc%2FDEF%2B123._x-9876543210".to_owned(),
            "sk-abc%2fdef%2b123._x-9876543210".to_owned(),
            in_base64.clone(),
            base64(&format!("Bearer {KEY}")),
            base64(&format!("user:{KEY}")),
            base64(&format!("x{KEY}yyy")),
            in_base64.replace('+', "-").replace('/', "_"),
        ];
        for form in forms {
            let said = format!("Your key {form} is wrong.");
            assert_eq!(without_keys(&said, &[KEY]), "Your key [key] is wrong.");
        }
    }

    #[test]
    fn other_text_stays_and_so_does_a_word_that_is_too_short_for_a_key() {
        let other = base64("another text of some length");
        for text in ["sk-abc", "Nothing here.", "", "日本語のテキスト", &other] {
            assert_eq!(without_keys(text, &[KEY]), text);
        }
        assert_eq!(without_keys("a short word", &["short"]), "a short word");
        assert_eq!(without_keys("      ", &["      "]), "      ");
    }

    #[test]
    fn every_one_of_several_keys_is_taken_out_wherever_it_stands() {
        let text = "firstkey, secondkey and firstkey again";
        assert_eq!(
            without_keys(text, &["firstkey", "secondkey"]),
            "[key], [key] and [key] again"
        );
    }
}
