//! Buffers that were used before, because a GPU takes longer to make a buffer than to fill it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use wgpu::{Buffer, BufferDescriptor, BufferUsages, Device};

/// What is kept at most.
const KEPT_BYTES: u64 = 512 << 20;

/// Free buffers by size and use.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    shelves: Mutex<Shelves>,
}

#[derive(Debug, Default)]
struct Shelves {
    free: HashMap<(u64, BufferUsages), Vec<Buffer>>,
    bytes: u64,
}

impl Pool {
    /// A buffer of at least this many bytes, and at most a fourth more; what is in it is left from its last use.
    pub(crate) fn take(&self, device: &Device, bytes: u64, usage: BufferUsages) -> Buffer {
        let size = rounded(bytes).min(bytes.max(device.limits().max_buffer_size));
        let mut shelves = self.lock();
        let found = shelves.free.get_mut(&(size, usage)).and_then(Vec::pop);
        if let Some(buffer) = found {
            shelves.bytes -= size;
            return buffer;
        }
        device.create_buffer(&BufferDescriptor {
            label: None,
            size,
            usage,
            mapped_at_creation: false,
        })
    }

    /// Puts a buffer back that nothing uses any more.
    pub(crate) fn give_back(&self, buffer: Buffer) {
        let mut shelves = self.lock();
        if shelves.bytes + buffer.size() > KEPT_BYTES {
            return;
        }
        shelves.bytes += buffer.size();
        let shelf = shelves.free.entry((buffer.size(), buffer.usage()));
        shelf.or_default().push(buffer);
    }

    /// Forgets all of them.
    pub(crate) fn clear(&self) {
        *self.lock() = Shelves::default();
    }

    fn lock(&self) -> MutexGuard<'_, Shelves> {
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The next multiple of a fourth of the power of two below, so that few sizes serve many pictures.
fn rounded(bytes: u64) -> u64 {
    let below = (bytes.max(1).ilog2()).saturating_sub(2);
    bytes.max(1).next_multiple_of((1 << below).max(256))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_up_by_a_fourth_at_most_from_256_bytes_on() {
        assert_eq!(rounded(0), 256);
        assert_eq!(rounded(256), 256);
        assert_eq!(rounded(257), 512);
        assert_eq!(rounded(3 << 20), 3 << 20);
        for bytes in (1024..100_000_u64).step_by(77) {
            let size = rounded(bytes);
            assert!(size >= bytes && 4 * (size - bytes) <= bytes && size.is_multiple_of(4));
        }
    }
}
