//! This browser's storage: one database, whose version grows with its stores.
//!
//! The page opens the same one for folders that were opened, from the same list of stores, which `cargo xtask bless`
//! writes for it: whichever opens it first makes them all.

use std::cell::RefCell;
use std::rc::Rc;

use futures_channel::oneshot;
use idb::{
    Database, DatabaseEvent as _, Factory, IndexParams, KeyPath, ObjectStoreParams, Query,
    Request as _, Transaction, TransactionMode,
};
use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{IdbDatabase, IdbTransaction};

use crate::convert::promise;
use crate::error;

/// The database's name.
pub(super) const NAME: &str = "juror";
/// Grows whenever a store is added.
pub(super) const VERSION: u32 = 9;
/// Judge replies.
pub(super) const REPLIES: &str = "replies";
/// Calls of agent loops.
pub(super) const TRAJECTORIES: &str = "trajectories";
/// The pictures that they brought, by content.
pub(super) const PICTURES: &str = "pictures";
/// Calls of generators.
pub(super) const GENERATED: &str = "generated";
/// The pictures that those brought, by content.
pub(super) const OUTPUTS: &str = "outputs";
/// People's ratings.
pub(super) const RATINGS: &str = "ratings";
/// People's failure labels.
pub(super) const LABELS: &str = "labels";
/// What each rater set out to rate.
pub(super) const RATERS: &str = "raters";
/// Judges that were named by hand, by path.
pub(super) const JUDGES: &str = "judges";

/// How a store tells its values apart.
#[derive(Clone, Copy, Debug)]
pub(super) enum Key {
    /// They are numbered as they come.
    Numbered,
    /// By one field.
    Field(&'static str),
    /// By several.
    Fields(&'static [&'static str]),
}

/// Every store with its key; each has an index by benchmark.
pub(super) const STORES: [(&str, Key); 12] = [
    (REPLIES, Key::Numbered),
    (TRAJECTORIES, Key::Numbered),
    (PICTURES, Key::Fields(&["benchmark", "sha256"])),
    (GENERATED, Key::Numbered),
    (OUTPUTS, Key::Fields(&["benchmark", "sha256"])),
    (RATINGS, Key::Numbered),
    (LABELS, Key::Numbered),
    (RATERS, Key::Fields(&["benchmark", "rater"])),
    (JUDGES, Key::Fields(&["benchmark", "path"])),
    // Folders and files that were opened, as handles; the page alone has them.
    ("opened", Key::Field("id")),
    // The files of a benchmark that is being made; the page alone has them.
    ("making", Key::Field("path")),
    // Packs of networks that were opened, as handles; the page alone has them.
    ("packs", Key::Field("id")),
];

/// The field that every value but a handle has, and the index by it.
const BENCHMARK: &str = "benchmark";

thread_local! {
    static OPENED: RefCell<Option<Promise>> = const { RefCell::new(None) };
}

/// What went wrong, in words.
fn refused(why: &str) -> JsValue {
    error(
        "storage",
        &format!(
            "The browser’s storage cannot be used ({why}), so replies, ratings and pictures could be lost. Allow this site to store data, or leave the private window."
        ),
    )
}

fn failed(cause: idb::Error) -> JsValue {
    match cause {
        idb::Error::DomException(cause) => refused(&cause.message()),
        idb::Error::IndexedDbNotFound(_) => refused("the browser offers none"),
        other => refused(&other.to_string()),
    }
}

/// The open database; where it cannot be opened, the next one who asks tries again.
async fn database() -> Result<IdbDatabase, JsValue> {
    let opened = OPENED.with_borrow_mut(|opened| {
        let opening = opened.get_or_insert_with(|| promise(open()));
        opening.clone()
    });
    match JsFuture::from(opened).await {
        Ok(database) => Ok(database.unchecked_into()),
        Err(cause) => {
            OPENED.take();
            Err(cause)
        }
    }
}

async fn open() -> Result<JsValue, JsValue> {
    let mut request = Factory::new()
        .and_then(|factory| factory.open(NAME, Some(VERSION)))
        .map_err(failed)?;
    request.on_upgrade_needed(|event| {
        let made = event.database().and_then(|database| make(&database));
        // A database of this version has all of its stores, or stays as it was.
        if made.is_err()
            && let Ok(request) = idb::Event::target(&event)
            && let Some(upgrade) = request.transaction()
        {
            let _ = upgrade.abort();
        }
    });
    let (told, opened) = oneshot::channel();
    let told = Rc::new(RefCell::new(Some(told)));
    let blocked = Rc::clone(&told);
    request.on_blocked(move |_| {
        if let Some(told) = blocked.take() {
            let _ = told.send(Err(refused("another tab blocks it")));
        }
    });
    // What another tab blocks may open later all the same, and must then give way to later versions like any other.
    spawn_local(async move {
        let opened = request.await.map_err(failed).map(gives_way);
        if let Some(told) = told.take() {
            let _ = told.send(opened);
        }
    });
    let opened = opened.await;
    opened.unwrap_or_else(|_| Err(refused("it did not answer")))
}

/// Whatever version this browser had: what is missing is made, and what is there stays.
fn make(database: &Database) -> Result<(), idb::Error> {
    let there = database.store_names();
    for (name, key) in STORES {
        if there.iter().any(|store| store == name) {
            continue;
        }
        let mut params = ObjectStoreParams::new();
        match key {
            Key::Numbered => params.auto_increment(true),
            Key::Field(field) => params.key_path(Some(KeyPath::new_single(field))),
            Key::Fields(fields) => {
                params.key_path(Some(KeyPath::new_array(fields.iter().copied())))
            }
        };
        let store = database.create_object_store(name, params)?;
        let path = KeyPath::new_single(BENCHMARK);
        store.create_index(BENCHMARK, path, None::<IndexParams>)?;
    }
    Ok(())
}

/// A later version of the page in another tab must not wait for this one.
fn gives_way(mut database: Database) -> JsValue {
    database.on_version_change(|event| {
        if let Some(target) = event.target() {
            target.unchecked_into::<IdbDatabase>().close();
        }
        OPENED.take();
    });
    database.forget_callbacks();
    database.into()
}

/// Carries out changes of some stores, all or none; resolves once they are on disk.
pub(super) async fn change(
    stores: &[&str],
    carry_out: impl FnOnce(&Transaction) -> Result<(), idb::Error>,
) -> Result<(), JsValue> {
    let transaction = writing(stores).await?;
    if let Err(cause) = carry_out(&transaction) {
        let _ = transaction.abort();
        return Err(failed(cause));
    }
    on_disk(transaction).await
}

/// A transaction that ends only once what it wrote is on disk.
async fn writing(stores: &[&str]) -> Result<Transaction, JsValue> {
    let database = database().await?;
    let names: Array = stores.iter().map(|name| JsValue::from_str(name)).collect();
    let options = Object::new();
    Reflect::set(&options, &"durability".into(), &"strict".into())?;
    // Neither idb nor web-sys has these options yet.
    let begin: Function = Reflect::get(&database, &"transaction".into())?.dyn_into()?;
    let begun = begin.call3(&database, &names, &"readwrite".into(), &options);
    let begun = begun.map_err(|cause| failed(idb::Error::TransactionOpenFailed(cause)))?;
    Ok(begun.unchecked_into::<IdbTransaction>().into())
}

/// Waits for a transaction's end. An error of one of its requests aborts it, and then it says why.
async fn on_disk(mut transaction: Transaction) -> Result<(), JsValue> {
    let (told, ended) = oneshot::channel();
    let told = Rc::new(RefCell::new(Some(told)));
    let tell = move |told: &RefCell<Option<oneshot::Sender<_>>>, ended| {
        if let Some(told) = told.take() {
            let _ = told.send(ended);
        }
    };
    let complete = Rc::clone(&told);
    transaction.on_complete(move |_| tell(&complete, Ok(())));
    transaction.on_abort(move |event| {
        let cause =
            (event.target()).and_then(|target| target.unchecked_into::<IdbTransaction>().error());
        let why = cause.map_or_else(|| "it was given up".to_owned(), |cause| cause.message());
        tell(&told, Err(refused(&why)));
    });
    let ended = ended.await;
    ended.unwrap_or_else(|_| Err(refused("it did not answer")))
}

/// A transaction that only reads one store.
async fn reading(store: &str) -> Result<Transaction, JsValue> {
    let database = Database::from(database().await?);
    database
        .transaction(&[store], TransactionMode::ReadOnly)
        .map_err(failed)
}

/// Everything that a store has of a benchmark, oldest first.
pub(super) async fn all_of(store: &str, benchmark: &str) -> Result<Vec<JsValue>, JsValue> {
    let transaction = reading(store).await?;
    let request = transaction
        .object_store(store)
        .and_then(|store| store.index(BENCHMARK))
        .and_then(|index| index.get_all(Some(of(benchmark)), None))
        .map_err(failed)?;
    request.await.map_err(failed)
}

/// What a store has under a key of several fields.
pub(super) async fn one(store: &str, key: &[&str]) -> Result<Option<JsValue>, JsValue> {
    let transaction = reading(store).await?;
    let request = transaction
        .object_store(store)
        .and_then(|store| store.get(fields(key)))
        .map_err(failed)?;
    request.await.map_err(failed)
}

/// A key of several fields.
pub(super) fn fields(key: &[&str]) -> JsValue {
    let key: Array = key.iter().map(|part| JsValue::from_str(part)).collect();
    key.into()
}

/// Removes what some stores have of a benchmark, from all or from none.
pub(super) async fn remove_all(stores: &[&str], benchmark: &str) -> Result<(), JsValue> {
    let transaction = writing(stores).await?;
    for name in stores {
        let store = transaction.object_store(name).map_err(failed)?;
        let keys = store
            .index(BENCHMARK)
            .and_then(|index| index.get_all_keys(Some(of(benchmark)), None))
            .map_err(failed)?;
        for key in keys.await.map_err(failed)? {
            store.delete(key).map_err(failed)?;
        }
    }
    on_disk(transaction).await
}

/// Removes those values of a benchmark that are meant.
pub(super) async fn remove_some(
    store: &str,
    benchmark: &str,
    is_meant: impl Fn(&JsValue) -> bool,
) -> Result<(), JsValue> {
    let transaction = writing(&[store]).await?;
    let objects = transaction.object_store(store).map_err(failed)?;
    let index = objects.index(BENCHMARK).map_err(failed)?;
    let values = index.get_all(Some(of(benchmark)), None).map_err(failed)?;
    let values = values.await.map_err(failed)?;
    // In the same order, as both are the index's.
    let keys = index
        .get_all_keys(Some(of(benchmark)), None)
        .map_err(failed)?;
    let keys = keys.await.map_err(failed)?;
    for (key, value) in keys.into_iter().zip(&values) {
        if is_meant(value) {
            objects.delete(key).map_err(failed)?;
        }
    }
    on_disk(transaction).await
}

fn of(benchmark: &str) -> Query {
    JsValue::from_str(benchmark).into()
}

/// The page's list of stores.
#[cfg(all(test, feature = "typescript"))]
mod typescript {
    use super::{Key, NAME, STORES, VERSION};
    use crate::question::write_beside_types;

    #[test]
    fn export_bindings_of_the_database() {
        let stores: Vec<String> = (STORES.iter())
            .map(|(name, key)| {
                let key = match key {
                    Key::Numbered => "autoIncrement: true".to_owned(),
                    Key::Field(field) => format!("keyPath: '{field}'"),
                    Key::Fields(fields) => {
                        let fields: Vec<String> =
                            fields.iter().map(|field| format!("'{field}'")).collect();
                        format!("keyPath: [{}]", fields.join(", "))
                    }
                };
                format!("  ['{name}', {{ {key} }}],\n")
            })
            .collect();
        let stores = stores.concat();
        let text = format!(
            "// Written by `cargo xtask bless` from the stores of juror_web; do not edit it.\n\n/** The browser's database. */\nexport const NAME = '{NAME}';\n/** Grows whenever a store is added. */\nexport const VERSION = {VERSION};\n/** Every store with its key; each has an index by benchmark. */\nexport const STORES: readonly [string, IDBObjectStoreParameters][] = [\n{stores}];\n"
        );
        write_beside_types("database.ts", &text);
    }
}
