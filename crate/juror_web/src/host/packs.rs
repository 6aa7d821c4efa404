//! Several evidence packs: each recomputed by itself, and the first one beside each of the others.

use std::rc::Rc;

use js_sys::Promise;
use juror_evidence::pack::compare::PackComparison;
use juror_evidence::pack::{self, PackError, Verification};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use web_sys::Blob;

use super::Target;
use super::pack::{OpenPack, PackPage, refused};
use crate::convert::{message_of, promise};
use crate::error;
use crate::session::{Session, to_js};
use crate::zip::Zip;

/// A pack as it was recomputed, or why it could not be.
#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
enum PackCheck {
    /// What came of it.
    Checked {
        /// The pack's name.
        name: String,
        verification: Box<Verification>,
    },
    /// Why nothing did.
    Failed { name: String, problem: String },
}

/// A pack beside the first one that is open, or why they cannot be compared.
#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
enum PackBeside {
    /// How they differ.
    Compared {
        first: String,
        second: String,
        comparison: Box<PackComparison>,
    },
    /// Why that cannot be said.
    Failed {
        first: String,
        second: String,
        problem: String,
    },
}

/// Recomputes the pack that a file is, in a session of its own (`PackCheck`); nothing where it is of a benchmark that this
/// engine does not know.
#[wasm_bindgen(js_name = checkPack)]
pub fn check_pack(file: Blob, name: String, page: PackPage) -> Promise {
    promise(async move {
        let session = Session::new();
        let found = match opened(&file, &name).await {
            Ok(held) => held.check(&Target::of(&session.0), &page).await,
            Err(cause) => Err(cause),
        };
        to_js(&match found {
            Ok(None) => return Ok(JsValue::UNDEFINED),
            Ok(Some(verification)) => PackCheck::Checked {
                name,
                verification: Box::new(verification),
            },
            Err(cause) => PackCheck::Failed {
                name,
                problem: message_of(&cause),
            },
        })
    })
}

/// Compares the first of some packs, files with their names, with each of the others, by what they state (`PackBeside[]`).
#[wasm_bindgen(js_name = comparePacks)]
pub fn compare_packs(files: Vec<Blob>, names: Vec<String>) -> Promise {
    promise(async move {
        let mut packs = files.into_iter().zip(names);
        let mut beside = Vec::new();
        let Some((file, first)) = packs.next() else {
            return to_js(&beside);
        };
        for (other, second) in packs {
            let first = first.clone();
            beside.push(match compared((&file, &first), (&other, &second)).await {
                Ok(comparison) => PackBeside::Compared {
                    first,
                    second,
                    comparison: Box::new(comparison),
                },
                Err(cause) => PackBeside::Failed {
                    first,
                    second,
                    problem: message_of(&cause),
                },
            });
        }
        to_js(&beside)
    })
}

async fn compared(
    (first, first_name): (&Blob, &str),
    (second, second_name): (&Blob, &str),
) -> Result<PackComparison, JsValue> {
    let first = opened(first, first_name).await?.stated().await?;
    let second = opened(second, second_name).await?.stated().await?;
    pack::compare::compare(&first, &second).map_err(|cause: PackError| refused(&cause))
}

/// The pack that a file is.
async fn opened(file: &Blob, name: &str) -> Result<OpenPack, JsValue> {
    let zip = Zip::list(file.into(), name.to_owned()).await?;
    let held = OpenPack::open(Rc::clone(&zip.0)).await?;
    held.ok_or_else(|| {
        let message = format!("{name} is no evidence pack any more.");
        error("bad_pack", &message)
    })
}
