//! Waiting for each other, and pauses in which messages that wait are let in.

use std::cell::RefCell;

use futures_channel::oneshot;
use gloo_timers::callback::Timeout;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds of a clock that only runs forward.
    #[wasm_bindgen(js_namespace = performance)]
    pub(super) fn now() -> f64;
}

/// Those that wait until something has happened.
#[derive(Default)]
pub(crate) struct Waiters(RefCell<Vec<oneshot::Sender<()>>>);

impl Waiters {
    /// Waits until `wake` is called next.
    pub(crate) async fn wait(&self) {
        let (waker, woken) = oneshot::channel();
        self.0.borrow_mut().push(waker);
        // Whoever drops the other end has nothing more to wait for either.
        let _ = woken.await;
    }

    /// It has happened.
    pub(crate) fn wake(&self) {
        for waker in self.0.take() {
            let _ = waker.send(());
        }
    }
}

/// Lets waiting messages in, even where every read resolves at once.
pub(super) async fn pause() {
    let (waker, woken) = oneshot::channel();
    let timer = Timeout::new(0, move || {
        let _ = waker.send(());
    });
    let _ = woken.await;
    drop(timer);
}
