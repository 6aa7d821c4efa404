//! What comes back in a reply: a JSON object among words, and bytes in base64.

use juror_reading::py::{self, Value};

use crate::Error;

/// The JSON object that a reply ends in, whatever stands before it and whatever fence closes behind it.
///
/// # Errors
/// There is none.
pub(crate) fn object(reply: &str) -> Result<Value, Error> {
    let end = reply.rfind('}').map_or(0, |at| at + 1);
    py::last_object(&reply[..end]).map_err(|_| Error::reply("The reply has no JSON object."))
}

/// The bytes of base64 by RFC 4648, with or without padding and line ends; `None` of anything else.
///
/// # Example
/// ```
/// use juror_make::bytes_of_base64;
/// assert_eq!(bytes_of_base64("TWE="), Some(b"Ma".to_vec()));
/// assert_eq!(bytes_of_base64("TW!u"), None);
/// ```
pub fn bytes_of_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0u32);
    for letter in text.trim_end_matches(['=', '\n', '\r', ' ']).bytes() {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'\n' | b'\r' => continue,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(six)) & 0x00ff_ffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).unwrap_or_default());
        }
    }
    (count < 6).then_some(bytes)
}
