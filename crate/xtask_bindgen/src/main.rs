#![doc = include_str!("../README.md")]

use std::path::PathBuf;

use anyhow::Context;
use wasm_bindgen_cli_support::Bindgen;

const USAGE: &str = "usage: xtask_bindgen WASM FOLDER NAME";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [wasm, folder, name] = &arguments[..] else {
        anyhow::bail!(USAGE);
    };
    let name = name.to_str().context(USAGE)?;
    Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .typescript(true)
        // Two fifths of a module are names of functions, which no browser needs.
        .remove_name_section(true)
        // A page without a bundler starts the module without saying where it lies.
        .omit_default_module_path(false)
        .out_name(name)
        .generate(folder)
        .with_context(|| format!("cannot write the JavaScript for {}", wasm.display()))
}
