//! What came over the wire, before its meaning is asked for.

use super::FailureKind;
use juror_reading::limits::RESPONSE_BYTES;

/// The text of an answer's bytes as browsers decode it: without a byte order mark, and with a sign where they are no UTF-8.
///
/// `None` is an answer of more than [`RESPONSE_BYTES`], whose rest is not read. What is said in its place is no JSON, so the
/// call has failed, and says why.
///
/// ```
/// use juror_judging::provider::text_of;
/// assert_eq!(text_of(Some(b"\xef\xbb\xbf{}".to_vec())), "{}");
/// assert_eq!(text_of(None), "The answer is longer than 64 MiB, and the rest was not read.");
/// ```
pub fn text_of(bytes: Option<Vec<u8>>) -> String {
    let Some(mut bytes) = bytes else {
        let mebibytes = RESPONSE_BYTES >> 20;
        return format!("The answer is longer than {mebibytes} MiB, and the rest was not read.");
    };
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..3);
    }
    String::from_utf8(bytes)
        .unwrap_or_else(|no_text| String::from_utf8_lossy(no_text.as_bytes()).into_owned())
}

/// The kind of a call of which no text came, by whether its time was over and what its status was, if that came.
///
/// A success is paid for even where nothing of it could be read: asked again, it would be paid for twice.
///
/// ```
/// use juror_judging::provider::{FailureKind, unanswered};
/// assert_eq!(unanswered(false, None), FailureKind::Network);
/// assert_eq!(unanswered(false, Some(200)), FailureKind::CutOff);
/// assert_eq!(unanswered(true, Some(200)), FailureKind::Timeout);
/// ```
pub fn unanswered(is_late: bool, status: Option<u16>) -> FailureKind {
    if is_late {
        return FailureKind::Timeout;
    }
    match status {
        Some(200..=299) => FailureKind::CutOff,
        _ => FailureKind::Network,
    }
}
