//! Bytes on their way to the GPU, through buffers that stay mapped from one submission to the next.
//!
//! A driver takes longer to make a buffer than to fill it, and one core copies more slowly than the bus takes: so the
//! buffers are used again, and all cores fill them.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use wgpu::util::StagingBelt;
use wgpu::{
    Buffer, BufferAddress, BufferSize, BufferViewMut, COPY_BUFFER_ALIGNMENT, CommandEncoder, Device,
};

/// Bytes of one mapped buffer: five colour pictures of 1024².
const CHUNK_BYTES: BufferAddress = 16 << 20;
/// What is larger goes the driver's own way, so that no buffer of its size is kept.
const MAX_BYTES: usize = 64 << 20;
/// Bytes that a core copies at a time, and below which one does it all.
const PART_BYTES: usize = 1 << 20;

/// Belts that no submission fills at present, the one that was used longest ago first.
///
/// A belt closes all of its buffers at once, so each submission has one of its own.
#[derive(Debug, Default)]
pub(crate) struct Belts(Mutex<VecDeque<StagingBelt>>);

impl Belts {
    fn lock(&self) -> MutexGuard<'_, VecDeque<StagingBelt>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn take(&self, device: &Device) -> StagingBelt {
        let free = self.lock().pop_front();
        free.unwrap_or_else(|| StagingBelt::new(device.clone(), CHUNK_BYTES))
    }

    /// Takes a belt back whose submission was begun.
    pub(crate) fn give_back(&self, belt: StagingBelt) {
        self.lock().push_back(belt);
    }

    pub(crate) fn clear(&self) {
        self.lock().clear();
    }
}

/// Has these bytes, filled up to a word with zeros, copied to the start of a buffer when these uploads run.
///
/// Says no where they are too many, or where the driver maps no buffer: then nothing was written.
pub(crate) fn write(
    belt: &mut StagingBelt,
    uploads: &mut CommandEncoder,
    buffer: &Buffer,
    bytes: &[u8],
) -> bool {
    let len = bytes.len().next_multiple_of(4) as BufferAddress;
    let (Some(size), Some(alignment)) =
        (BufferSize::new(len), BufferSize::new(COPY_BUFFER_ALIGNMENT))
    else {
        return true;
    };
    if bytes.len() > MAX_BYTES {
        return false;
    }
    let slice = belt.allocate(size, alignment);
    let (staging, first) = (slice.buffer().clone(), slice.offset());
    let views = bytes.chunks(PART_BYTES).enumerate().map(|(idx, part)| {
        let from = first + (idx * PART_BYTES) as BufferAddress;
        let until = from + part.len().next_multiple_of(4) as BufferAddress;
        let view = staging.get_mapped_range_mut(from..until).ok()?;
        Some((view, part))
    });
    let Some(parts) = views.collect::<Option<Vec<_>>>() else {
        return false;
    };
    match parts.len() {
        // Waking the others takes longer.
        1 => parts.into_iter().for_each(fill),
        _ => parts.into_par_iter().for_each(fill),
    }
    uploads.copy_buffer_to_buffer(&staging, first, buffer, 0, len);
    true
}

fn fill((mut view, part): (BufferViewMut, &[u8])) {
    view.slice(..part.len()).copy_from_slice(part);
    for at in part.len()..view.len() {
        view.slice(at..=at).copy_from_slice(&[0]);
    }
}
