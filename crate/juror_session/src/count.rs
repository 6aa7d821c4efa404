//! Counts as views hold them.

/// So many; beyond 32 bits as many as fit.
pub(super) fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
