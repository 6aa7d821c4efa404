//! A file at an address that a user gives: fetched as a whole, and in words where it cannot be.

use js_sys::{Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestInit, RequestRedirect, Response, ResponseType};

use crate::convert::promise;
use crate::error;

#[wasm_bindgen]
extern "C" {
    /// The global one, of a worker as of a page.
    #[wasm_bindgen(catch, js_name = fetch)]
    fn fetch_by(url: &str, init: &RequestInit) -> Result<Promise, JsValue>;
}

/// What lies at an address (`Blob`); with `redirects` of `refused` a server that sends on to another place is an error with
/// the code `redirected`.
#[wasm_bindgen]
pub fn downloaded(url: String, redirects: &str) -> Promise {
    let init = RequestInit::new();
    init.set_redirect(if redirects == "refused" {
        RequestRedirect::Manual
    } else {
        RequestRedirect::Follow
    });
    promise(async move {
        let Ok(response) = answered(&url, &init).await else {
            return Err(error("fetch", &unreached(&url)));
        };
        if response.type_() == ResponseType::Opaqueredirect {
            return Err(error(
                "redirected",
                &format!("{url} leads on to another place."),
            ));
        }
        if !response.ok() {
            let (status, words) = (response.status(), response.status_text());
            let message = format!("The server answered {status} {words} for {url}.");
            return Err(error("http", &message));
        }
        let kind = response.headers().get("content-type")?;
        if kind.is_some_and(|kind| kind.starts_with("text/html")) {
            let message = format!(
                "{url} is a web page, not a ZIP file. Copy the address of the download itself."
            );
            return Err(error("html", &message));
        }
        JsFuture::from(response.blob()?).await
    })
}

async fn answered(url: &str, init: &RequestInit) -> Result<Response, JsValue> {
    JsFuture::from(fetch_by(url, init)?).await?.dyn_into()
}

/// Why there may be no answer; a browser does not say which it is.
fn unreached(url: &str) -> String {
    if is_from_disk() {
        return format!(
            "{url} could not be fetched: this page was opened from disk, and most servers answer only pages that come from a server. Download the file and drop it here instead."
        );
    }
    format!(
        "{url} could not be fetched. Either the address is wrong, you are offline, or its server does not let other pages read it (CORS). Download the file and drop it here instead."
    )
}

/// Whether the page, or the worker that it started, comes from a file.
fn is_from_disk() -> bool {
    let part = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).unwrap_or_default();
    let location = part(&js_sys::global(), "location");
    part(&location, "protocol") == "file:" || part(&location, "origin") == "null"
}
