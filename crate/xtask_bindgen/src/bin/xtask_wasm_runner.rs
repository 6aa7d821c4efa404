//! Runs a test program built as Wasm, as cargo's runner for wasm32: in node, or in a browser where the program asks for one.

fn main() -> anyhow::Result<()> {
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os())
}
