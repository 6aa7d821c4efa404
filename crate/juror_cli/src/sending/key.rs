//! The key of a service: read from the environment, so that it is in no command line and no shell's history.

use anyhow::{Context as _, bail, ensure};
use juror_model::judge::Wire;

use super::address;

/// The variables that a provider's own tools read.
fn usual(wire: Wire) -> &'static [&'static str] {
    match wire {
        Wire::OpenAi => &["OPENAI_API_KEY"],
        Wire::Anthropic => &["ANTHROPIC_API_KEY"],
        Wire::Gemini => &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    }
}

/// The key for an address; empty where none is sent. A provider's key goes to no other host unless its variable is named, by
/// the option whose name comes with it.
pub(crate) fn find(
    wire: Wire,
    url: &str,
    (variable, option): (Option<&str>, &str),
) -> anyhow::Result<String> {
    let key = match variable {
        Some("none") => return Ok(String::new()),
        Some(name) => read(name).with_context(|| {
            format!("the environment variable {name}, which {option} names, is empty or not set")
        })?,
        None if address::is_loopback(url) => return Ok(String::new()),
        None if address::host(url) == address::host(wire.default_base()) => {
            let names = usual(wire);
            names.iter().find_map(|name| read(name)).with_context(|| {
                format!(
                    "no key was found: set {}, or name the variable that holds it by {option}",
                    names.join(" or ")
                )
            })?
        }
        None => bail!(
            "name the environment variable that holds the key of {} by {option}, or {option} none for a service without keys",
            address::host(url)
        ),
    };
    ensure!(
        key.bytes().all(|byte| byte.is_ascii_graphic()),
        "the key has a blank or another sign in it that no key has: check the environment variable that holds it"
    );
    Ok(key)
}

/// What a variable holds, without the line end that comes of reading a file; the text of an error would show it.
fn read(name: &str) -> Option<String> {
    let key = std::env::var(name).ok()?.trim().to_owned();
    (!key.is_empty()).then_some(key)
}
