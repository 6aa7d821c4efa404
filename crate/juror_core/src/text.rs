//! Bytes → text: the one reader of everything that is read as text.
//!
//! Line ends are those of Python's text mode, so that a checkout with `\r\n` gives the same requests, hashes and verdicts as one
//! with `\n`: `\r\n` and a `\r` alone become `\n`.
//! A byte order mark goes, and what is not UTF-8 becomes U+FFFD.
//! Both are told in [`Marks`], because the authors' programs stop at them: `json.load` raises at a byte order mark, and text that
//! is not UTF-8 raises wherever it is read.

/// What a file's bytes hold that its text does not tell any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// It began with a byte order mark.
    pub has_order_mark: bool,
    /// It holds bytes that are not UTF-8, or ends inside a character.
    pub is_broken: bool,
}

/// A file's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// Its letters, with `\n` at the ends of lines.
    pub text: String,
    /// What went.
    pub marks: Marks,
    /// Whether the text is not the bytes, so that its hash is not theirs.
    pub is_changed: bool,
}

/// Reads a file's bytes as text.
///
/// # Example
/// ```
/// use juror_core::text::read;
/// let found = read(b"\xef\xbb\xbfa\r\nb\rc\n");
/// assert_eq!(found.text, "a\nb\nc\n");
/// assert!(found.marks.has_order_mark && !found.marks.is_broken && found.is_changed);
/// assert!(read(b"caf\xc3").marks.is_broken);
/// assert!(!read(b"a\nb").is_changed);
/// ```
pub fn read(bytes: &[u8]) -> Text {
    let letters = String::from_utf8_lossy(bytes);
    let is_broken = matches!(letters, std::borrow::Cow::Owned(_));
    let inner = letters.strip_prefix('\u{feff}');
    let has_order_mark = inner.is_some();
    let inner = inner.unwrap_or(&letters);
    let has_returns = memchr::memchr(b'\r', inner.as_bytes()).is_some();
    Text {
        text: if has_returns {
            inner.replace("\r\n", "\n").replace('\r', "\n")
        } else {
            inner.to_owned()
        },
        marks: Marks {
            has_order_mark,
            is_broken,
        },
        is_changed: is_broken || has_order_mark || has_returns,
    }
}
