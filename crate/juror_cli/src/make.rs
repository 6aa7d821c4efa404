//! `juror make billiards`: cases made by a procedure, as a folder in the benchmark's own layout.

use std::path::Path;

use juror_make::billiards::{Choice, Maker};

use crate::making::write;

/// Writes cases below `out`: pictures, golden answers, and the task's list with the truth of each case.
///
/// The list is written last, so that a folder that holds one is whole.
pub(crate) fn billiards(choice: Choice, out: &Path) -> anyhow::Result<()> {
    let mut maker = Maker::new(choice)?;
    while let Some(pictures) = maker.next_pictures()? {
        for picture in pictures {
            write(&out.join(&picture.path), &picture.bytes)?;
        }
    }
    let list = maker.list()?;
    write(&out.join(&list.path), list.text.as_bytes())
}
