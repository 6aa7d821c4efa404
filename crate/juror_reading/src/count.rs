//! A number with its noun, as messages write it.

use std::fmt::Display;

/// `1 reply`, `2 replies`.
///
/// # Example
/// ```
/// use juror_reading::count::counted;
/// assert_eq!(counted(1_u32, "reply", "replies"), "1 reply");
/// assert_eq!(counted(0_u32, "reply", "replies"), "0 replies");
/// ```
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(
    count: N,
    one: &str,
    many: &str,
) -> String {
    let noun = if count == N::from(1) { one } else { many };
    format!("{count} {noun}")
}
