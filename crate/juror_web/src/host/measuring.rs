//! Deals a run of image metrics out to whoever measures, and tells how it stands.
//!
//! The page has the workers and the files: each of its lanes asks for a piece, says what came of it, and gets the next one.
//! Records and where the run stands are asked for apart, so that a lane that waits in a pause keeps none of them back.
//!
//! A run knows no session: one may take another's place while it is under way, and the page hands the records to whichever
//! is open.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::Promise;
use juror_session::measure::Measure;
use juror_session::measure::run::{MeasureRun, MeasureState, Step};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::*;

use super::control::JobControl;
use super::pace::now;
use crate::convert::promise;
use crate::loading::waiting::Waiters;
use crate::session::{from_js, to_js};

/// What a run has to tell.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub(crate) struct MeasureTold {
    /// Where it stands.
    state: MeasureState,
    /// What was measured since that was last told.
    records: Vec<Measure>,
}

/// A run of image metrics.
#[wasm_bindgen]
pub struct Measuring(Rc<Running>);

struct Running {
    run: RefCell<MeasureRun>,
    /// Measured and not told yet.
    records: RefCell<Vec<Measure>>,
    /// Something has changed since it was last told.
    is_new: Cell<bool>,
    /// Lanes that wait in a pause.
    lanes: Waiters,
    /// Who waits for something to be told.
    hearers: Waiters,
}

#[wasm_bindgen]
impl Measuring {
    /// A run over pairs (`MeasurePair[]`) by a rule of sizes (`Sizes`), of the protocol of this id.
    #[wasm_bindgen(constructor)]
    pub fn new(protocol: String, pairs: JsValue, sizes: JsValue) -> Result<Self, JsValue> {
        let run = MeasureRun::new(protocol, from_js(pairs)?, from_js(sizes)?);
        Ok(Self(Rc::new(Running {
            run: RefCell::new(run),
            records: RefCell::default(),
            is_new: Cell::default(),
            lanes: Waiters::default(),
            hearers: Waiters::default(),
        })))
    }

    /// The first worker stands (`MeasureStanding`), and so many are wanted in all; how the work is spread (`MeasureLanes`).
    pub fn stands(&self, standing: JsValue, wanted: u32) -> Result<JsValue, JsValue> {
        let lanes = self.0.run.borrow_mut().stands(from_js(standing)?, wanted);
        self.0.tell();
        to_js(&lanes)
    }

    /// Takes what came of a lane's last piece (`MeasuredPiece`, or `null` at first), and gives it the next one
    /// (`MeasurePiece`), or `null` where nothing is left; that waits while the run is paused.
    pub fn next(&self, came: JsValue) -> Result<Promise, JsValue> {
        let running = Rc::clone(&self.0);
        if !came.is_null() {
            let records = running.run.borrow_mut().came(from_js(came)?, now());
            running.records.borrow_mut().extend(records);
            running.tell();
        }
        Ok(promise(async move {
            loop {
                let step = running.run.borrow_mut().step();
                match step {
                    Step::Measure(piece) => return to_js(&piece),
                    Step::Nothing => return Ok(JsValue::NULL),
                    Step::Wait => running.lanes.wait().await,
                }
            }
        }))
    }

    /// What there is to tell (`MeasureTold`), once something has changed since that was last asked.
    pub fn told(&self) -> Promise {
        let running = Rc::clone(&self.0);
        promise(async move {
            while !running.is_new.replace(false) {
                running.hearers.wait().await;
            }
            to_js(&MeasureTold {
                state: running.run.borrow_mut().state(now()),
                records: running.records.take(),
            })
        })
    }

    /// Pauses or stops it, or has it go on.
    pub fn control(&self, what: JobControl) {
        {
            let mut run = self.0.run.borrow_mut();
            match what {
                JobControl::Pause => run.pause(),
                JobControl::Resume => run.resume(),
                JobControl::Cancel | JobControl::__Invalid => run.cancel(),
            }
        }
        self.0.lanes.wake();
        self.0.tell();
    }

    /// Its lanes have ended, or what measures has stopped, and why.
    pub fn end(&self, why: Option<String>) {
        self.0.run.borrow_mut().end(why);
        self.0.lanes.wake();
        self.0.tell();
    }
}

impl Running {
    fn tell(&self) {
        self.is_new.set(true);
        self.hearers.wake();
    }
}
