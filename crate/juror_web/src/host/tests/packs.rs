//! Several files that are to be evidence packs and are none: each is answered by itself, with its name.

use js_sys::{Array, Function, JSON, Reflect, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Blob;

use super::super::pack::PackPage;
use super::super::packs::{check_pack, compare_packs};

fn file(text: &str) -> Blob {
    let bytes = Uint8Array::from(text.as_bytes());
    Blob::new_with_u8_array_sequence(&Array::of1(&bytes)).expect("a Blob")
}

fn page() -> PackPage {
    let page = Function::new_no_args("return { onProgress() {}, decodes: async () => false };");
    let page = page.call0(&JsValue::NULL).expect("an object");
    page.unchecked_into()
}

fn text(of: &JsValue, name: &str) -> String {
    let value = Reflect::get(of, &name.into()).expect("an object");
    value.as_string().unwrap_or_default()
}

#[wasm_bindgen_test]
async fn a_file_that_is_no_pack_any_more_is_named_with_why_it_cannot_be_checked() {
    let checked = check_pack(file("no ZIP"), "evidence.zip".to_owned(), page());
    let checked = JsFuture::from(checked).await.expect("an answer");
    assert_eq!(text(&checked, "name"), "evidence.zip");
    let problem = text(&checked, "problem");
    assert!(problem.starts_with("evidence.zip: "), "{problem}");
    let verification = Reflect::get(&checked, &"verification".into()).expect("an object");
    assert!(verification.is_undefined());
}

#[wasm_bindgen_test]
async fn the_first_of_some_packs_is_held_against_each_of_the_others_and_one_alone_against_none() {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let files = |count| vec![file("no ZIP"); count];
    let beside = JsFuture::from(compare_packs(files(3), names(&["a", "b", "c"])));
    let beside: Array = beside.await.expect("an answer").into();
    let pairs: Vec<(String, String)> = beside
        .iter()
        .map(|one| (text(&one, "first"), text(&one, "second")))
        .collect();
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(pairs, [pair("a", "b"), pair("a", "c")]);
    for one in beside.iter() {
        assert!(text(&one, "problem").starts_with("a: "), "{one:?}");
    }
    for alone in [
        compare_packs(files(1), names(&["a"])),
        compare_packs(files(0), names(&[])),
    ] {
        let beside = JsFuture::from(alone).await.expect("an answer");
        let beside = JSON::stringify(&beside).expect("plain");
        assert_eq!(String::from(beside), "[]");
    }
}
