//! Work that is done on all cores at once, where one test has a core's worth of it for minutes.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What `each` makes of all items, in their order.
///
/// # Panics
/// `each` does.
pub fn in_lanes<T: Sync, R: Send>(items: &[T], each: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let lane = || {
        let mut made = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else {
                return made;
            };
            made.push((at, each(item)));
        }
    };
    let lanes = thread::available_parallelism().map_or(1, NonZero::get);
    let mut made = thread::scope(|scope| {
        let lanes: Vec<_> = (0..lanes).map(|_| scope.spawn(lane)).collect();
        let made = lanes.into_iter().flat_map(|lane| {
            lane.join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        made.collect::<Vec<_>>()
    });
    made.sort_unstable_by_key(|(at, _)| *at);
    made.into_iter().map(|(_, one)| one).collect()
}
