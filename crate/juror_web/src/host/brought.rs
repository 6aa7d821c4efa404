//! What a person brings beside files: replies, one by one or several together, and names of judges that files do not state.
//!
//! Each goes into the session and, where that is the user's own, into this browser's storage; what storage does not take stays
//! in the tab, and the answer says so.

use std::slice;

use js_sys::Promise;
use juror_judging::journal;
use juror_model::judge::JudgeName;
use juror_session::error::Error;
use juror_session::view::{PasteResult, PastedReply};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::control::KeptIn;
use super::kept::{Kept, forget_judges, forget_some, keep_judges, keep_replies};
use super::{Target, time};
use crate::convert::promise;
use crate::error;
use crate::session::{Session, from_js, to_js};

/// How a pasted reply reads, and whether it is in the browser's storage.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
struct KeptReply {
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(flatten))]
    result: PasteResult,
    /// It is in the browser's storage.
    stored: bool,
}

/// What became of replies that were pasted together.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
struct PastedTogether {
    /// How many answer requests of this benchmark.
    taken: usize,
    /// How many of them the strict reader cannot read, failed calls among them.
    unreadable: u32,
    /// What could not be taken, by line.
    problems: Vec<String>,
    /// They are in the browser's storage.
    stored: bool,
}

#[wasm_bindgen]
impl Kept {
    /// Reads a pasted reply (`PastedReply`) and keeps it (`KeptReply`).
    pub fn paste(session: &Session, reply: JsValue, place: KeptIn) -> Result<Promise, JsValue> {
        let reply: PastedReply = from_js(reply)?;
        let target = Target::of(&session.0);
        Ok(promise(async move {
            let result = target.ask(|session| juror_session::paste(session, &reply))?;
            let result = result.map_err(|cause| refused(&cause))?;
            let stored = match &result.record {
                Some(record) => store(&target, slice::from_ref(record), place).await?,
                None => false,
            };
            to_js(&KeptReply { result, stored })
        }))
    }

    /// The same for several that come together: a filled-in sheet, a journal, results of a batch engine (`PastedTogether`).
    #[wasm_bindgen(js_name = pasteTogether)]
    pub fn paste_together(session: &Session, text: String, place: KeptIn) -> Promise {
        let target = Target::of(&session.0);
        promise(async move {
            let read = target
                .ask(|session| juror_session::read_replies(&session.linked(), &text, &time()))?;
            let stored = !read.records.is_empty() && store(&target, &read.records, place).await?;
            let told = PastedTogether {
                taken: read.records.len(),
                unreadable: read.unreadable,
                problems: read.problems,
                stored,
            };
            target.ask(|session| juror_session::add_records(session, read.records))?;
            to_js(&told)
        })
    }

    /// Takes a pasted reply (`PastedReply`) out again, of storage as well; how many copies of it there were.
    #[wasm_bindgen(js_name = removePasted)]
    pub fn remove_pasted(
        session: &Session,
        reply: JsValue,
        place: KeptIn,
    ) -> Result<Promise, JsValue> {
        let reply: PastedReply = from_js(reply)?;
        let target = Target::of(&session.0);
        Ok(promise(async move {
            let removed = target.ask(|session| juror_session::remove_pasted(session, &reply))?;
            if !removed.is_empty()
                && let Some(benchmark) = own_benchmark(&target, place)?
            {
                forget_some(&benchmark, &removed).await?;
            }
            Ok(removed.len().into())
        }))
    }

    /// Names who judged in files that do not state it; an empty name takes that back. Whether storage has it.
    #[wasm_bindgen(js_name = nameJudge)]
    pub fn name_judge(
        session: &Session,
        places: Vec<String>,
        judge: String,
        place: KeptIn,
    ) -> Promise {
        let target = Target::of(&session.0);
        promise(async move {
            let names = places.iter().map(|path| JudgeName {
                path: path.clone(),
                judge: judge.trim().to_owned(),
            });
            let names: Vec<JudgeName> = names.collect();
            if judge.is_empty() {
                target.ask(|session| juror_session::unname_judges(session, &places))?;
            } else {
                let named =
                    target.ask(|session| juror_session::name_judges(session, names.clone()))?;
                named.map_err(|cause| refused(&cause))?;
            }
            let Some(benchmark) = own_benchmark(&target, place)? else {
                return Ok(JsValue::FALSE);
            };
            let kept = if judge.is_empty() {
                forget_judges(&benchmark, &places).await
            } else {
                keep_judges(&benchmark, &names).await
            };
            Ok(kept.is_ok().into())
        })
    }
}

/// The benchmark under which storage keeps what is brought to this session; nothing where it stays in the tab.
fn own_benchmark(target: &Target, place: KeptIn) -> Result<Option<String>, JsValue> {
    match place {
        KeptIn::Tab => Ok(None),
        KeptIn::Storage | KeptIn::__Invalid => {
            Ok(target.ask(|session| juror_session::benchmark_id(session))?)
        }
    }
}

/// Writes replies down; whether it did. They are in the tab in any case, and whoever brought them is told that they are
/// nowhere else.
async fn store(
    target: &Target,
    records: &[journal::Record],
    place: KeptIn,
) -> Result<bool, JsValue> {
    match own_benchmark(target, place)? {
        Some(benchmark) => Ok(keep_replies(&benchmark, records).await.is_ok()),
        None => Ok(false),
    }
}

fn refused(cause: &Error) -> JsValue {
    error(cause.code(), &cause.to_string())
}
