#![doc = include_str!("../README.md")]

pub mod batch;
pub mod error;
pub mod generating;
pub mod health;
pub mod job;
pub mod journal;
pub mod keys;
mod lenient;
pub mod provider;
pub mod reading;
pub mod records;
pub mod sheet;
pub mod spending;

/// The marks that stand in a body for a picture's bytes and its media type until the picture is there.
///
/// No text of the body may hold one: where some text has such marks, others are taken that it has not.
pub fn picture_marks<'a>(texts: &(impl Iterator<Item = &'a str> + Clone)) -> PictureMarks {
    let is_taken = |salt: &str| texts.clone().any(|text| text.contains(salt));
    if !is_taken("@juror-") {
        return PictureMarks("@".to_owned());
    }
    let mut salts = (1_u32..).map(|number| format!("-{number}@"));
    PictureMarks(salts.find(|salt| !is_taken(salt)).unwrap_or_default())
}

/// How the marks of one body end.
#[derive(Clone, Debug)]
pub struct PictureMarks(String);

impl PictureMarks {
    /// The marks of a picture's bytes and of its media type.
    pub fn of(&self, at: usize) -> (String, String) {
        let end = &self.0;
        (
            format!("@juror-picture-{at}{end}"),
            format!("@juror-media-type-{at}{end}"),
        )
    }
}

/// Every byte but letters, digits, `.`, `_`, `~` and `-` as `%XX`.
pub fn percent_encode(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'~' | b'-') {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// The text that [`percent_encode`] made this of; `None` for what it never makes.
pub(crate) fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        let digits = std::str::from_utf8(digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

/// Base64 by RFC 4648, with padding.
///
/// ```
/// use juror_judging::base64;
/// assert_eq!(base64(b"Man"), "TWFu");
/// assert_eq!(base64(b"Ma"), "TWE=");
/// assert_eq!(base64(b"M"), "TQ==");
/// ```
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            out.push(if place <= chunk.len() {
                char::from(letter)
            } else {
                '='
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_holds_the_mark_of_a_picture_takes_no_pictures_place() {
        let plain = picture_marks(&["Draw a cat."].into_iter());
        assert_eq!(plain.of(2).0, "@juror-picture-2@");
        let texts = [
            "see @juror-picture-0@",
            "and @juror-picture-0-1@, @juror-media-type-1-2@",
        ];
        let marks = picture_marks(&texts.into_iter());
        for at in 0..3 {
            let (picture, media_type) = marks.of(at);
            assert!(
                texts
                    .iter()
                    .all(|text| !text.contains(&picture) && !text.contains(&media_type))
            );
            assert_ne!(picture, media_type);
        }
    }
}
