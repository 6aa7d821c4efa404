//! Names and ids as people mean them.

use std::borrow::Cow;
use std::sync::OnceLock;

/// How the host composes letters with their marks.
static COMPOSE: OnceLock<fn(&str) -> String> = OnceLock::new();

/// Has names compared in Unicode's normal form C, which the host knows: a browser has it built in, a program from a library.
///
/// Only the first call counts. Without one, names are compared as they are written.
pub fn compose_by(compose: fn(&str) -> String) {
    let _ = COMPOSE.set(compose);
}

/// A name in normal form C: macOS writes `é` into file names as `e` and a mark, lists have it as one letter.
///
/// # Example
/// ```
/// use juror_reading::names::composed;
/// assert_eq!(composed("model-a"), "model-a");
/// ```
pub fn composed(name: &str) -> Cow<'_, str> {
    match COMPOSE.get() {
        Some(compose) if !name.is_ascii() => compose(name).into(),
        _ => name.into(),
    }
}

/// Composes a name in place.
pub fn compose(name: &mut String) {
    if let Cow::Owned(found) = composed(name) {
        *name = found;
    }
}

/// What an id is compared by: [`composed`], and as [`whole_id`].
pub fn id_key(id: &str) -> Cow<'_, str> {
    match composed(id) {
        Cow::Borrowed(id) => whole_id(id).into(),
        Cow::Owned(id) => whole_id(&id).to_owned().into(),
    }
}

/// An id without the fraction of zeros that a table adds to whole numbers: `15.0` is `15`.
///
/// pandas makes floats of a column of whole numbers once one is missing, and Python finds `15.0` under the key `15`.
///
/// # Example
/// ```
/// use juror_reading::names::whole_id;
/// assert_eq!(whole_id("15.0"), "15");
/// assert_eq!(whole_id("-3.00"), "-3");
/// assert_eq!(whole_id("1830000000000000001"), "1830000000000000001");
/// assert_eq!(whole_id("1.50"), "1.50");
/// assert_eq!(whole_id("v1.0"), "v1.0");
/// assert_eq!(whole_id(".0"), ".0");
/// ```
pub fn whole_id(id: &str) -> &str {
    let Some((whole, fraction)) = id.split_once('.') else {
        return id;
    };
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let is_whole = is_number(whole.strip_prefix('-').unwrap_or(whole))
        && !fraction.is_empty()
        && fraction.bytes().all(|b| b == b'0');
    if is_whole { whole } else { id }
}
