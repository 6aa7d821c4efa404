//! The edge of the check before judging, in the whole engine alone.

use juror_core::session::lint::{Fingerprint, rename_script};
use wasm_bindgen::prelude::*;

use crate::error;
use crate::session::{Session, session_error, to_js};

#[wasm_bindgen]
impl Session {
    /// The findings (`LintReport`).
    pub fn lint_report(&mut self) -> Result<JsValue, JsValue> {
        to_js(&self.0.lint_report().map_err(session_error)?)
    }

    /// Files whose content the findings compare.
    pub fn lint_needs(&mut self) -> Vec<u32> {
        self.0.lint_needs()
    }

    /// Files whose looks the findings compare.
    pub fn print_needs(&mut self) -> Vec<u32> {
        self.0.print_needs()
    }

    /// What a picture looks like, as the picture engine says.
    pub fn provide_print(&mut self, file: u32, hash: &str, cells: &[u8]) -> Result<(), JsValue> {
        let hash = u64::from_str_radix(hash, 16)
            .map_err(|cause| error("bad_argument", &cause.to_string()))?;
        let cells = cells.into();
        self.0.provide_print(file, Ok(Fingerprint { hash, cells }));
        Ok(())
    }

    /// A picture that cannot be decoded.
    pub fn no_print(&mut self, file: u32, message: &str) {
        self.0.provide_print(file, Err(message.to_owned()));
    }

    /// The suggested renames as shell commands.
    pub fn rename_script(&mut self) -> Result<String, JsValue> {
        let found = self.0.lint().map_err(session_error)?;
        let renames = found.iter().filter_map(|finding| {
            Some((
                finding.rename_from.as_deref()?,
                finding.rename_to.as_deref()?,
            ))
        });
        Ok(rename_script(renames))
    }
}
