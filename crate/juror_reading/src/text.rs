//! Bytes → text: the one reader of everything that is read as text.
//!
//! Line ends are those of Python's text mode, so that a checkout with `\r\n` gives the same requests, hashes and verdicts as one
//! with `\n`: `\r\n` and a `\r` alone become `\n`.
//! A byte order mark goes. UTF-16 is read, as Windows PowerShell 5.1 writes it with `>`, and so is Windows-1252, as Excel and
//! old editors write it, where nothing else can be meant. Whatever else is not UTF-8 becomes U+FFFD.
//! Both are told in [`Marks`], because the authors' programs stop at them: `json.load` raises at a byte order mark, and text that
//! is not UTF-8 raises wherever it is read.

/// What a file's bytes hold that its text does not tell any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// It began with a byte order mark.
    pub has_order_mark: bool,
    /// It holds bytes that are not UTF-8, as UTF-16 does, or ends inside a character.
    pub is_broken: bool,
    /// What it was read as.
    pub encoding: Encoding,
}

/// What bytes were read as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, without a fault.
    #[default]
    Utf8,
    /// UTF-16, with its byte order mark or without.
    Utf16,
    /// Windows-1252, of which Latin 1 is nearly a part.
    Windows1252,
    /// None that is known: letters that cannot be read became U+FFFD.
    Unknown,
}

/// A file's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// Its letters, with `\n` at the ends of lines.
    pub text: String,
    /// What went.
    pub marks: Marks,
    /// The bytes, where the text is not them and its hash not theirs.
    pub bytes: Option<Vec<u8>>,
}

/// Reads a file's bytes as text; bytes that are it already are not copied.
///
/// # Example
/// ```
/// use juror_reading::text::read;
/// let found = read(b"\xef\xbb\xbfa\r\nb\rc\n".to_vec());
/// assert_eq!(found.text, "a\nb\nc\n");
/// assert!(found.marks.has_order_mark && !found.marks.is_broken && found.bytes.is_some());
/// assert!(read(b"caf\xc3".to_vec()).marks.is_broken);
/// assert_eq!(read(b"a\nb".to_vec()).bytes, None);
/// ```
pub fn read(bytes: Vec<u8>) -> Text {
    if let Some(text) = utf16(&bytes) {
        return Text {
            text: with_plain_ends(&text),
            marks: Marks {
                has_order_mark: has_utf16_mark(&bytes),
                is_broken: true,
                encoding: Encoding::Utf16,
            },
            bytes: Some(bytes),
        };
    }
    let is_plain = |text: &str| {
        !text.starts_with('\u{feff}') && memchr::memchr(b'\r', text.as_bytes()).is_none()
    };
    match String::from_utf8(bytes) {
        Ok(text) if is_plain(&text) => Text {
            text,
            ..Text::default()
        },
        Ok(text) => changed(text.into_bytes()),
        Err(error) => changed(error.into_bytes()),
    }
}

/// The text of bytes that are not their own text.
fn changed(bytes: Vec<u8>) -> Text {
    let letters = String::from_utf8_lossy(&bytes);
    let is_broken = matches!(letters, std::borrow::Cow::Owned(_));
    let inner = letters.strip_prefix('\u{feff}');
    let mut marks = Marks {
        has_order_mark: inner.is_some(),
        is_broken,
        encoding: Encoding::Utf8,
    };
    let mut text = with_plain_ends(inner.unwrap_or(&letters));
    if is_broken {
        let western = windows_1252(&bytes);
        marks.encoding = western
            .as_ref()
            .map_or(Encoding::Unknown, |_| Encoding::Windows1252);
        text = western.map_or(text, |western| with_plain_ends(&western));
    }
    Text {
        text,
        marks,
        bytes: Some(bytes),
    }
}

/// What ends a field of a table, and the table: Excel states the separator in a line of its own where it is asked to.
///
/// # Example
/// ```
/// use juror_reading::text::table;
/// assert_eq!(table("sep=;\r\na;b,5"), (b';', "a;b,5"));
/// assert_eq!(table("\u{feff}a,b"), (b',', "a,b"));
/// ```
pub fn table(text: &str) -> (u8, &str) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.split_once('\n') {
        Some((first, rest)) if first.trim_end().eq_ignore_ascii_case("sep=;") => (b';', rest),
        _ => (separator(text), text),
    }
}

/// What else than a text the bytes of a text file are, and what helps; `None` of a text.
///
/// # Example
/// ```
/// use juror_reading::text::other_than_text;
/// let (found, _) = other_than_text(b"version https://git-lfs.github.com/spec/v1\noid sha256:0").unwrap();
/// assert_eq!(found, "a Git LFS pointer");
/// assert_eq!(other_than_text(b"Versions of HTML: <html> came first."), None);
/// assert_eq!(other_than_text(b"A\0 \0b\0"), None, "UTF-16");
/// ```
pub fn other_than_text(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let bare = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let start = bare.trim_ascii_start();
    let begins = |with: &[u8]| {
        let head = start.get(..with.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(with))
    };
    if begins(b"version https://git-lfs") {
        Some((
            "a Git LFS pointer",
            "Fetch the real file with git lfs pull.",
        ))
    } else if begins(b"<!doctype html") || begins(b"<html") {
        Some((
            "an HTML page",
            "A download probably saved an error page: download the file again.",
        ))
    } else if memchr::memchr(0, bytes).is_some() && utf16(bytes).is_none() {
        Some((
            "zero bytes",
            "The copy failed, or it is no text: copy or download it again.",
        ))
    } else {
        None
    }
}

/// What ends a field of a table: whichever of `,`, `;` and a tab its head has most of. Excel writes `;` where the comma is the
/// decimal sign.
///
/// # Example
/// ```
/// use juror_reading::text::separator;
/// assert_eq!(separator("a;b;c\n1,5;2;3"), b';');
/// assert_eq!(separator("a,b"), b',');
/// assert_eq!(separator("a"), b',');
/// ```
pub fn separator(text: &str) -> u8 {
    let head = text.lines().next().unwrap_or_default().as_bytes();
    let number = |sign: &u8| memchr::memchr_iter(*sign, head).count();
    // Of two with the same number the last one is found.
    let signs = [b'\t', b';', b','];
    signs.into_iter().max_by_key(number).unwrap_or(b',')
}

/// The number in a field of a table, with a comma before its decimals too where another sign ends fields.
///
/// # Example
/// ```
/// use juror_reading::text::decimal;
/// assert_eq!(decimal("4,5", b';'), Some(4.5));
/// assert_eq!(decimal("4,5", b','), None);
/// assert_eq!(decimal("inf", b';'), None);
/// ```
pub fn decimal(field: &str, separator: u8) -> Option<f64> {
    let plain = field.parse().ok();
    let with_comma = || field.replacen(',', ".", 1).parse().ok();
    let number = plain.or_else(|| (separator != b',').then(with_comma).flatten());
    number.filter(|number: &f64| number.is_finite())
}

fn with_plain_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The letters of UTF-16, behind its byte order mark or without one; half a character becomes U+FFFD.
fn utf16(bytes: &[u8]) -> Option<String> {
    let marked = has_utf16_mark(bytes);
    let unit: fn([u8; 2]) -> u16 = match (bytes.get(..2)?, marked) {
        ([0xff, _], true) => u16::from_le_bytes,
        (_, true) => u16::from_be_bytes,
        _ if is_every_other_zero(bytes, 1) => u16::from_le_bytes,
        _ if is_every_other_zero(bytes, 0) => u16::from_be_bytes,
        _ => return None,
    };
    let (units, rest) = bytes[2 * usize::from(marked)..].as_chunks::<2>();
    let end = (!rest.is_empty()).then_some(0xfffd);
    let units = units.iter().map(|pair| unit(*pair)).chain(end);
    Some(
        char::decode_utf16(units)
            .map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect(),
    )
}

/// Whether bytes begin with UTF-16's mark; that of UTF-32 begins with the same two bytes.
fn has_utf16_mark(bytes: &[u8]) -> bool {
    let is_longer = bytes.get(2..4) == Some(&[0, 0]);
    matches!(bytes.get(..2), Some([0xff, 0xfe] | [0xfe, 0xff])) && !is_longer
}

/// How much of a file tells whether it is UTF-16 without a mark.
const SIGN_BYTES: usize = 64;

/// Whether every other byte from this one on is zero and none between is, as far as the beginning goes: ASCII letters in UTF-16.
fn is_every_other_zero(bytes: &[u8], first: usize) -> bool {
    let head = &bytes[..bytes.len().min(SIGN_BYTES)];
    let mut pairs = head.chunks_exact(2);
    pairs.len() > 1 && pairs.all(|pair| pair[first] == 0 && pair[1 - first] != 0)
}

/// Letters of Windows-1252 from 0x80 to 0x9f; five places are empty.
const WESTERN: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘',
    '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];

/// The letters of Windows-1252, where nothing else can be meant: no letter of UTF-8 beyond ASCII is among the bytes, the file
/// does not end inside one, and letters beyond ASCII stand alone or in twos among others, unlike those of Chinese, Japanese
/// or Cyrillic encodings.
fn windows_1252(bytes: &[u8]) -> Option<String> {
    let mut runs = 0_usize;
    let mut alone = 0_usize;
    for chunk in bytes.utf8_chunks() {
        let is_ascii = chunk.valid().is_ascii();
        let at_end = chunk
            .invalid()
            .first()
            .is_some_and(|first| (0xc2..=0xf4).contains(first));
        // A file that was cut inside a letter of UTF-8 ends with its beginning.
        let is_cut = at_end && bytes.ends_with(chunk.invalid()) && runs == 0;
        if !is_ascii || is_cut {
            return None;
        }
        runs += usize::from(!chunk.invalid().is_empty());
    }
    for run in bytes.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
        if run[0].is_ascii() {
            if run.contains(&0) {
                return None;
            }
            continue;
        }
        alone += usize::from(run.len() == 1);
        if run.len() > 2 {
            return None;
        }
    }
    let high = bytes
        .chunk_by(|a, b| a.is_ascii() == b.is_ascii())
        .filter(|run| !run[0].is_ascii());
    if 2 * alone < high.count() {
        return None;
    }
    let letter = |byte: &u8| match byte {
        0x80..=0x9f => Some(WESTERN[usize::from(byte - 0x80)]).filter(|letter| *letter != '\0'),
        _ => Some(char::from(*byte)),
    };
    bytes.iter().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16_of(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    #[test]
    fn utf16_is_read_with_its_mark_and_without() {
        for mark in ["", "\u{feff}"] {
            for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
                let found = read(utf16_of(&format!("{mark}{{\"a\": \"é\"}}\r\n"), to_bytes));
                assert_eq!(found.text, "{\"a\": \"é\"}\n");
                assert_eq!(found.marks.encoding, Encoding::Utf16);
                assert_eq!(found.marks.has_order_mark, !mark.is_empty());
            }
        }
        assert_eq!(read(b"a\0".to_vec()).marks.encoding, Encoding::Utf8);
    }

    #[test]
    fn windows_1252_is_read_where_nothing_else_can_be_meant() {
        let found = read(b"caf\xe9 \x93cr\xe9\xe9e\x94, 5 \x80\n".to_vec());
        assert_eq!(found.text, "café “créée”, 5 €\n");
        assert_eq!(found.marks.encoding, Encoding::Windows1252);
        assert!(found.marks.is_broken);
        for other in [
            // Cut inside a letter, with a letter of UTF-8, of GBK, of Windows-1251, with an empty place, binary.
            &b"caf\xc3"[..],
            b"caf\xe9 caf\xc3\xa9",
            b"\xc4\xe3\xba\xc3 a",
            b"\xcf\xf0\xe8\xe2\xe5\xf2",
            b"a\x81b",
            b"\x89PNG\0\0",
        ] {
            let found = read(other.to_vec());
            assert_eq!(found.marks.encoding, Encoding::Unknown, "{other:?}");
            assert!(found.text.contains('\u{fffd}'));
        }
    }
}
