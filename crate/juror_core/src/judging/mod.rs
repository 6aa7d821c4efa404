//! Judging: how a judge request goes to a provider and what comes back, without any I/O.

pub mod provider;

/// Every byte but letters, digits, `.`, `_`, `~` and `-` as `%XX`.
pub(crate) fn percent_encode(text: &str) -> String {
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
