//! The extra fields of a record: sizes that do not fit (id 0x0001) and the name in Unicode (id 0x7075); APPNOTE.TXT, 4.5 and 4.6.9.

use super::checksum::Checksum;
use super::{u16_at, u32_at, u64_at};

const LARGE: u16 = 1;
const UNICODE_PATH: u16 = 0x7075;

/// The fields by id; the last is left out where it is cut off.
fn fields(extra: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (id, length) = (u16_at(extra, at)?, usize::from(u16_at(extra, at + 2)?));
        let field = extra.get(at + 4..at + 4 + length)?;
        at += 4 + length;
        Some((id, field))
    })
}

/// What is in extra fields beyond sizes, times, owners and the name, which ZIP tools note of a file; in words.
pub(super) fn stray(extra: &[u8], raw: &[u8]) -> Option<String> {
    // Each with the most bytes that it takes.
    const KNOWN: [(u16, usize); 7] = [
        (LARGE, 28),
        (0x000a, 32),
        (0x5455, 13),
        (0x5855, 12),
        (0x7855, 4),
        (0x7875, 19),
        (0xcafe, 0),
    ];
    let mut length = 0;
    for (id, field) in fields(extra) {
        length += 4 + field.len();
        let is_note = |known: &(u16, usize)| known.0 == id && field.len() <= known.1;
        let is_name = id == UNICODE_PATH && unicode_path(extra, raw).is_some();
        if !is_name && !KNOWN.iter().any(is_note) {
            let num_bytes = field.len();
            return Some(format!("an extra field {id:#06x} of {num_bytes} bytes"));
        }
    }
    let rest = extra.len() - length;
    (rest > 0).then(|| format!("{rest} bytes of no extra field"))
}

/// Takes sizes and offset from the extra field where they did not fit; `None` where it is cut off.
pub(super) fn large(extra: &[u8], sizes: &mut [u64; 3]) -> Option<()> {
    let is_large = |size: &u64| *size == u64::from(u32::MAX);
    if !sizes.iter().any(is_large) {
        return Some(());
    }
    let (_, field) = fields(extra).find(|(id, _)| *id == LARGE)?;
    let mut values = field.chunks_exact(8);
    for size in sizes.iter_mut().filter(|size| is_large(size)) {
        *size = u64_at(values.next()?, 0)?;
    }
    Some(())
}

/// The name in Unicode, if there is one that is of the name in the record: a tool that renames an entry and does not know the
/// field leaves it behind.
pub(super) fn unicode_path<'a>(extra: &'a [u8], raw: &[u8]) -> Option<&'a str> {
    let (_, field) = fields(extra).find(|(id, _)| *id == UNICODE_PATH)?;
    let (version, name) = field.split_first().filter(|_| field.len() > 5)?;
    let mut sum = Checksum::default();
    sum.add(raw);
    if *version != 1 || u32_at(name, 0)? != sum.sum() {
        return None;
    }
    std::str::from_utf8(&name[4..]).ok()
}
