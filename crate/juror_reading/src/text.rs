//! Bytes → text: the one reader of everything that is read as text.
//!
//! Line ends are those of Python's text mode, so that a checkout with `\r\n` gives the same requests, hashes and verdicts as one
//! with `\n`: `\r\n` and a `\r` alone become `\n`.
//! A byte order mark goes, and what is not UTF-8 becomes U+FFFD, but for UTF-16 with its mark, which is read: Windows
//! PowerShell 5.1 writes it with `>`.
//! Both are told in [`Marks`], because the authors' programs stop at them: `json.load` raises at a byte order mark, and text that
//! is not UTF-8 raises wherever it is read.

/// What a file's bytes hold that its text does not tell any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// It began with a byte order mark.
    pub has_order_mark: bool,
    /// It holds bytes that are not UTF-8, as UTF-16 does, or ends inside a character.
    pub is_broken: bool,
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
                has_order_mark: true,
                is_broken: true,
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
    let marks = Marks {
        has_order_mark: inner.is_some(),
        is_broken,
    };
    let text = inner.unwrap_or(&letters);
    Text {
        text: with_plain_ends(text),
        marks,
        bytes: Some(bytes),
    }
}

fn with_plain_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The letters of UTF-16 behind its byte order mark; half a character becomes U+FFFD.
fn utf16(bytes: &[u8]) -> Option<String> {
    let unit: fn([u8; 2]) -> u16 = match bytes.get(..2)? {
        [0xff, 0xfe] => u16::from_le_bytes,
        [0xfe, 0xff] => u16::from_be_bytes,
        _ => return None,
    };
    let (units, rest) = bytes[2..].as_chunks::<2>();
    let end = (!rest.is_empty()).then_some(0xfffd);
    let units = units.iter().map(|pair| unit(*pair)).chain(end);
    Some(
        char::decode_utf16(units)
            .map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect(),
    )
}
