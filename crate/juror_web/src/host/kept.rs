//! What this browser keeps of a benchmark: judge replies, the calls and pictures of agents and of generators, people's ratings
//! and failure labels, and judges that were named by hand.
//!
//! Each is on disk before it counts. Every value has its `benchmark`; beside that a reply or a call is a `record`, a
//! picture a `sha256` and a `blob`, a rating a `rating`, a label a `label`; what a rater set out to rate and a judge's name are plain.

use std::collections::HashSet;

use js_sys::{Array, Map, Object, Promise, Reflect, Uint8Array};
use juror_judging::{generating, journal};
use juror_model::judge::JudgeName;
use juror_session::label_file::LabelRecord;
use juror_session::rating_file::Rating;
use juror_session::view::rating::RateScope;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use super::Target;
use super::storage::{
    GENERATED, JUDGES, LABELS, OUTPUTS, PICTURES, RATERS, RATINGS, REPLIES, TRAJECTORIES, all_of,
    change, fields, one, remove_all, remove_some,
};
use crate::convert::promise;
use crate::error;
use crate::session::{Session, from_js, to_js};

/// What a rater set out to rate, so that it can be gone on with.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub(crate) struct RaterSession {
    /// Of what.
    benchmark: String,
    /// Who.
    rater: String,
    /// Which outputs.
    scope: RateScope,
    /// When it was begun or gone on with, ISO 8601.
    time: String,
}

/// How much a session was given.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub(super) struct KeptCounts {
    /// Replies, those of a job under way included.
    pub(super) replies: usize,
    /// Calls of agents and of generators.
    pub(super) calls: usize,
}

/// A value with these fields.
fn object<const N: usize>(fields: [(&str, &JsValue); N]) -> Result<JsValue, JsValue> {
    let object = Object::new();
    for (name, value) in fields {
        Reflect::set(&object, &name.into(), value)?;
    }
    Ok(object.into())
}

/// Something under its benchmark.
fn filed(benchmark: &str, name: &str, what: &impl Serialize) -> Result<JsValue, JsValue> {
    object([("benchmark", &benchmark.into()), (name, &to_js(what)?)])
}

/// What lies in a stored value under a name; none where this version cannot read it: it stays where it is.
fn part_of<T: DeserializeOwned>(value: &JsValue, name: &str) -> Option<T> {
    let part = Reflect::get(value, &name.into()).ok()?;
    serde_wasm_bindgen::from_value(part).ok()
}

/// A field of a stored value that is a text.
fn text_of(value: &JsValue, name: &str) -> Option<String> {
    Reflect::get(value, &name.into()).ok()?.as_string()
}

async fn parts<T: DeserializeOwned>(
    store: &str,
    benchmark: &str,
    name: &str,
) -> Result<Vec<T>, JsValue> {
    let values = all_of(store, benchmark).await?;
    Ok(values
        .iter()
        .filter_map(|value| part_of(value, name))
        .collect())
}

/// Adds values to a store, all or none; resolves once they are on disk.
async fn add(store: &str, values: &[JsValue]) -> Result<(), JsValue> {
    change(&[store], |transaction| {
        let objects = transaction.object_store(store)?;
        values
            .iter()
            .try_for_each(|value| objects.add(value, None).map(drop))
    })
    .await
}

/// Puts values into a store, each in the place of the one with its key.
async fn put(store: &str, values: &[JsValue]) -> Result<(), JsValue> {
    change(&[store], |transaction| {
        let objects = transaction.object_store(store)?;
        values
            .iter()
            .try_for_each(|value| objects.put(value, None).map(drop))
    })
    .await
}

/// Writes replies, all or none; resolves once they are on disk.
pub(super) async fn keep_replies(
    benchmark: &str,
    records: &[journal::Record],
) -> Result<(), JsValue> {
    let values: Result<Vec<_>, _> = records
        .iter()
        .map(|record| filed(benchmark, "record", record))
        .collect();
    add(REPLIES, &values?).await
}

/// The replies that were kept for a benchmark, oldest first.
pub(super) async fn replies(benchmark: &str) -> Result<Vec<journal::Record>, JsValue> {
    parts(REPLIES, benchmark, "record").await
}

/// Forgets these replies of a benchmark, every copy.
pub(super) async fn forget_some(
    benchmark: &str,
    records: &[journal::Record],
) -> Result<(), JsValue> {
    let meant: HashSet<String> = records.iter().map(place_of).collect();
    remove_some(REPLIES, benchmark, |value| {
        let record = part_of::<journal::Record>(value, "record");
        record.is_some_and(|record| meant.contains(&place_of(&record)))
    })
    .await
}

/// What tells a reply from every other one.
fn place_of(record: &journal::Record) -> String {
    let journal::Record {
        protocol,
        model,
        sample,
        turn,
        criterion,
        judge,
        run,
        time,
        reply,
        ..
    } = record;
    let place = (protocol, model, sample, turn, criterion);
    format!("{:?}", (place, judge, run, time, reply))
}

/// Writes one call down, with its picture if it has one; resolves once both are on disk.
pub(super) async fn keep_call(
    benchmark: &str,
    record: &juror_agents::Record,
    bytes: Option<&Uint8Array>,
) -> Result<(), JsValue> {
    let sha256 = record.picture.as_ref().map(|made| made.sha256.as_str());
    let value = filed(benchmark, "record", record)?;
    keep_with_picture(
        [TRAJECTORIES, PICTURES],
        benchmark,
        &value,
        sha256.zip(bytes),
    )
    .await
}

/// The same for a call of a generator.
pub(super) async fn keep_generated(
    benchmark: &str,
    record: &generating::Record,
    bytes: Option<&Uint8Array>,
) -> Result<(), JsValue> {
    let value = filed(benchmark, "record", record)?;
    let picture = bytes.map(|bytes| (record.sha256.as_str(), bytes));
    keep_with_picture([GENERATED, OUTPUTS], benchmark, &value, picture).await
}

/// Writes a record and its picture, both or neither.
async fn keep_with_picture(
    [records, pictures]: [&str; 2],
    benchmark: &str,
    value: &JsValue,
    picture: Option<(&str, &Uint8Array)>,
) -> Result<(), JsValue> {
    let picture = match picture {
        Some((sha256, bytes)) => Some(object([
            ("benchmark", &benchmark.into()),
            ("sha256", &sha256.into()),
            ("blob", &blob_of(bytes)?.into()),
        ])?),
        None => None,
    };
    change(&[records, pictures], |transaction| {
        if let Some(picture) = &picture {
            transaction.object_store(pictures)?.put(picture, None)?;
        }
        transaction.object_store(records)?.add(value, None)?;
        Ok(())
    })
    .await
}

/// Bytes as a `Blob`, which need not be in memory.
pub(super) fn blob_of(bytes: &Uint8Array) -> Result<Blob, JsValue> {
    Blob::new_with_u8_array_sequence(&Array::of1(bytes))
}

/// The calls that were kept for a benchmark, oldest first.
pub(super) async fn calls(benchmark: &str) -> Result<Vec<juror_agents::Record>, JsValue> {
    parts(TRAJECTORIES, benchmark, "record").await
}

/// A generated picture: of those that storage did not take, or a kept one.
pub(super) async fn picture(loose: &Map, benchmark: &str, sha256: &str) -> Result<Blob, JsValue> {
    if let Ok(picture) = loose.get(&sha256.into()).dyn_into() {
        return Ok(picture);
    }
    let mut kept = one(PICTURES, &[benchmark, sha256]).await?;
    if kept.is_none() {
        kept = one(OUTPUTS, &[benchmark, sha256]).await?;
    }
    let kept = kept.and_then(|value| Reflect::get(&value, &"blob".into()).ok());
    kept.and_then(|blob| blob.dyn_into().ok()).ok_or_else(|| {
        error(
            "forgotten",
            "This browser does not keep the picture any more.",
        )
    })
}

/// The bytes of a generated picture.
pub(super) async fn picture_bytes(
    loose: &Map,
    benchmark: &str,
    sha256: &str,
) -> Result<Uint8Array, JsValue> {
    let picture = picture(loose, benchmark, sha256).await?;
    let bytes = JsFuture::from(picture.array_buffer()).await?;
    Ok(Uint8Array::new(&bytes))
}

/// Keeps who judged in some files that do not state it; for the same place the later name stands.
pub(super) async fn keep_judges(benchmark: &str, names: &[JudgeName]) -> Result<(), JsValue> {
    let values: Result<Vec<_>, _> = (names.iter())
        .map(|JudgeName { path, judge }| {
            object([
                ("benchmark", &benchmark.into()),
                ("path", &path.into()),
                ("judge", &judge.into()),
            ])
        })
        .collect();
    put(JUDGES, &values?).await
}

/// Forgets who judged there.
pub(super) async fn forget_judges(benchmark: &str, places: &[String]) -> Result<(), JsValue> {
    change(&[JUDGES], |transaction| {
        let store = transaction.object_store(JUDGES)?;
        places
            .iter()
            .try_for_each(|place| store.delete(fields(&[benchmark, place])).map(drop))
    })
    .await
}

/// Gives a session what was kept for its benchmark and it does not know yet, which other tabs may have brought.
///
/// Without storage nothing was kept; a job says so when it is to keep something.
pub(super) async fn give(target: &Target, benchmark: &str) -> Result<KeptCounts, JsValue> {
    let replies = replies(benchmark).await.unwrap_or_default();
    let calls = calls(benchmark).await.unwrap_or_default();
    let generated: Vec<generating::Record> =
        (parts(GENERATED, benchmark, "record").await).unwrap_or_default();
    let open = target.open()?;
    // What a job has kept in between is in both.
    let fresh = open.take_fresh();
    let session = &mut open.session.borrow_mut();
    Ok(KeptCounts {
        replies: fresh + juror_session::add_unknown_records(session, replies),
        calls: juror_session::add_unknown_trajectories(session, calls)
            + juror_session::generating::add_unknown_generated(session, generated),
    })
}

/// What the worker has kept, asks for and has forgotten, by benchmark.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Kept;

#[wasm_bindgen]
impl Kept {
    /// Gives a session what is kept for its benchmark: names of judges, and the replies and calls that it does not know yet;
    /// how many those are (`{replies, calls}`).
    pub fn restore(session: &Session, benchmark: String) -> Promise {
        let target = Target::of(&session.0);
        promise(async move {
            let names: Vec<JudgeName> = (all_of(JUDGES, &benchmark).await.unwrap_or_default())
                .iter()
                .filter_map(|value| {
                    Some(JudgeName {
                        path: text_of(value, "path")?,
                        judge: text_of(value, "judge")?,
                    })
                })
                .collect();
            if !names.is_empty() {
                // Names were looked at before they were kept.
                let _ = target.ask(|session| juror_session::name_judges(session, names))?;
            }
            to_js(&give(&target, &benchmark).await?)
        })
    }

    /// Forgets the replies of a benchmark.
    #[wasm_bindgen(js_name = forgetReplies)]
    pub async fn forget_replies(benchmark: String) -> Result<(), JsValue> {
        remove_all(&[REPLIES], &benchmark).await
    }

    /// A generated picture as a `Blob`: one of `loose`, by content, or a kept one.
    pub async fn picture(loose: Map, benchmark: String, sha256: String) -> Result<Blob, JsValue> {
        picture(&loose, &benchmark, &sha256).await
    }

    /// Forgets the calls and pictures of a benchmark.
    #[wasm_bindgen(js_name = forgetCalls)]
    pub async fn forget_calls(benchmark: String) -> Result<(), JsValue> {
        remove_all(&[TRAJECTORIES, PICTURES], &benchmark).await
    }

    /// Forgets the calls of generators of a benchmark, and their pictures.
    #[wasm_bindgen(js_name = forgetGenerated)]
    pub async fn forget_generated(benchmark: String) -> Result<(), JsValue> {
        remove_all(&[GENERATED, OUTPUTS], &benchmark).await
    }

    /// Writes ratings (`Rating[]`); resolves once they are on disk.
    #[wasm_bindgen(js_name = keepRatings)]
    pub async fn keep_ratings(benchmark: String, ratings: JsValue) -> Result<(), JsValue> {
        let ratings: Vec<Rating> = from_js(ratings)?;
        let values: Result<Vec<_>, _> = ratings
            .iter()
            .map(|rating| filed(&benchmark, "rating", rating))
            .collect();
        add(RATINGS, &values?).await
    }

    /// The ratings that were kept for a benchmark (`Rating[]`), oldest first, those included that others took the place
    /// of.
    pub async fn ratings(benchmark: String) -> Result<JsValue, JsValue> {
        to_js(&parts::<Rating>(RATINGS, &benchmark, "rating").await?)
    }

    /// Writes failure labels (`LabelRecord[]`); resolves once they are on disk.
    #[wasm_bindgen(js_name = keepLabels)]
    pub async fn keep_labels(benchmark: String, labels: JsValue) -> Result<(), JsValue> {
        let labels: Vec<LabelRecord> = from_js(labels)?;
        let values: Result<Vec<_>, _> = labels
            .iter()
            .map(|label| filed(&benchmark, "label", label))
            .collect();
        add(LABELS, &values?).await
    }

    /// Gives a session the ratings and failure labels that are kept for its benchmark, instead of those of before.
    #[wasm_bindgen(js_name = giveRatings)]
    pub fn give_ratings(session: &Session, benchmark: String) -> Promise {
        let target = Target::of(&session.0);
        promise(async move {
            // Without storage there are those of the opened files alone; the view for rating says so.
            let kept = parts(RATINGS, &benchmark, "rating").await;
            let labels = parts(LABELS, &benchmark, "label").await;
            target.ask(|session| juror_session::use_ratings(session, kept.unwrap_or_default()))?;
            target.ask(|session| juror_session::use_labels(session, labels.unwrap_or_default()))?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Remembers what a rater sets out to rate (`RaterSession`).
    #[wasm_bindgen(js_name = keepRater)]
    pub async fn keep_rater(session: JsValue) -> Result<(), JsValue> {
        let session: RaterSession = from_js(session)?;
        put(RATERS, &[to_js(&session)?]).await
    }

    /// What raters set out to rate (`RaterSession[]`).
    pub async fn raters(benchmark: String) -> Result<JsValue, JsValue> {
        let values = all_of(RATERS, &benchmark).await?;
        let sessions: Vec<RaterSession> = (values.into_iter())
            .filter_map(|value| serde_wasm_bindgen::from_value(value).ok())
            .collect();
        to_js(&sessions)
    }

    /// Forgets a rater's ratings and failure labels of a benchmark, and what was set out to.
    #[wasm_bindgen(js_name = forgetRater)]
    pub async fn forget_rater(benchmark: String, rater: String) -> Result<(), JsValue> {
        for (store, name) in [(RATINGS, "rating"), (LABELS, "label")] {
            remove_some(store, &benchmark, |value| {
                let given = Reflect::get(value, &name.into());
                given.is_ok_and(|given| text_of(&given, "rater").as_deref() == Some(&rater))
            })
            .await?;
        }
        change(&[RATERS], |transaction| {
            let store = transaction.object_store(RATERS)?;
            store.delete(fields(&[&benchmark, &rater])).map(drop)
        })
        .await
    }
}
