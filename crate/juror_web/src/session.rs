//! The engine's edge: one class over `juror_session::Session`, which takes files in and answers questions.

use std::cell::RefCell;
use std::rc::Rc;

use juror_image::{ImageError, Limits};
#[cfg(feature = "full")]
use juror_judging::journal::Record;
use juror_protocols::registry::SIGNS;
use juror_session::{Lack, Probed};
use wasm_bindgen::prelude::*;

use crate::benchmarks;
pub(crate) use crate::convert::{from_js, to_js};
use crate::error;
use crate::question::{self, Budget};

/// One user's work; see `juror_session::Session`.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session(pub(crate) Rc<Open>);

/// What is open. The page holds it; a job looks whether it still does.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) session: RefCell<juror_session::Session>,
    /// Replies of a job that the session was not given yet: each time it is given some, it joins all to their requests
    /// anew.
    #[cfg(feature = "full")]
    pub(crate) fresh: RefCell<Vec<Record>>,
}

#[cfg(feature = "full")]
impl Open {
    /// Gives the session the replies of a job that came since this was last asked; returns how many they are.
    pub(crate) fn take_fresh(&self) -> usize {
        let records = self.fresh.take();
        let count = records.len();
        if count > 0 {
            juror_session::add_records(&mut self.session.borrow_mut(), records);
        }
        count
    }
}

#[wasm_bindgen]
impl Session {
    /// A session without files.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "JavaScript has no Default")]
    pub fn new() -> Session {
        #[cfg(feature = "full")]
        let open = juror_session::Session::with_protocols;
        #[cfg(not(feature = "full"))]
        let open = juror_session::Session::for_first_questions;
        // The browser knows Unicode's forms, so that no table of them is downloaded.
        juror_session::compose_by(|name| {
            let name = js_sys::JsString::from(name);
            String::from(name.normalize("NFC"))
        });
        let session = open(probe, benchmarks::all()).among(SIGNS);
        Session(Rc::new(Open {
            session: RefCell::new(session),
            #[cfg(feature = "full")]
            fresh: RefCell::default(),
        }))
    }

    /// How far loading has come (`Progress`).
    pub fn progress(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.0.session.borrow_mut().progress())
    }

    /// What it lacks for the files that are open, once their replies were read: `nothing`, `readers` of some files beside the
    /// benchmark's own, or `benchmarks`.
    pub fn lack(&mut self) -> String {
        match juror_session::lack(&mut self.0.session.borrow_mut()) {
            Lack::Nothing => "nothing",
            Lack::Readers => "readers",
            Lack::Benchmarks => "benchmarks",
        }
        .to_owned()
    }

    /// What the user chose, and what is shown without having been chosen: `{chosen, shown, prompts}`.
    pub fn choices(&self) -> Result<JsValue, JsValue> {
        to_js(&juror_session::choices(&self.0.session.borrow()))
    }

    /// Answers a question, `{topic: {name: {…}}}`, as `crate::question` lists them; `null` where a search has looked into so
    /// many bytes of replies and is not done: asked again, it goes on there.
    pub fn ask(&mut self, question: JsValue, bytes: f64) -> Result<JsValue, JsValue> {
        let session = &mut self.0.session.borrow_mut();
        let answer = question::ask(session, question, Budget(whole(bytes)));
        to_js(&answer.map_err(|cause| error(cause.code(), &cause.to_string()))?)
    }
}

#[cfg(feature = "full")]
#[wasm_bindgen]
impl Session {
    /// Gives it the replies of a job that came since this was last asked; returns how many they are.
    pub fn take_fresh(&mut self) -> usize {
        self.0.take_fresh()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a budget: what is no number is none, and what is too large is all"
)]
fn whole(bytes: f64) -> u64 {
    bytes as u64
}

fn probe(head: &[u8], size: u64) -> Probed {
    juror_image::probe(head, size, &Limits::default()).map_or_else(bad_picture, |probe| {
        Probed::Picture {
            width: probe.width,
            height: probe.height,
        }
    })
}

fn bad_picture(error: ImageError) -> Probed {
    match error {
        ImageError::NeedMore { bytes } => Probed::NeedMore { bytes },
        other => Probed::Bad {
            message: other.message(),
            hint: other.hint(),
        },
    }
}
