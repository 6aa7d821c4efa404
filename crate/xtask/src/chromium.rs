//! Finds the Chromium that the browser tests run in; an installed one is as good as a downloaded one.

use std::path::{Path, PathBuf};

use crate::debian;
use crate::process::{Unmet, on_path};

/// The variable that names the browser, here and for Playwright's configuration.
pub(crate) const VARIABLE: &str = "JUROR_CHROMIUM";

/// The variable that names the shell, for Playwright's configuration.
pub(crate) const SHELL_VARIABLE: &str = "JUROR_HEADLESS_SHELL";

/// Chromium without windows and menus of its own.
const SHELLS: [&str; 2] = ["chromium-headless-shell", "chrome-headless-shell"];

const NAMES: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// An installed Chromium or Chrome; on Debian as root it is installed if there is none.
pub(crate) fn find() -> anyhow::Result<PathBuf> {
    if let Some(path) = std::env::var_os(VARIABLE).map(PathBuf::from) {
        if path.is_file() {
            return Ok(path);
        }
        return Err(Unmet::new(format!(
            "{VARIABLE} names {}, which is no file",
            path.display()
        ))
        .into());
    }
    if let Some(path) = installed() {
        return Ok(path);
    }
    let hint =
        format!("install Google Chrome or Chromium, or set {VARIABLE} to the browser's program");
    if !debian::is_root() {
        let apt = if debian::is_debian() {
            "; on this system: `sudo apt-get install -y chromium`"
        } else {
            ""
        };
        return Err(Unmet::new(format!("no Chromium was found; {hint}{apt}")).into());
    }
    debian::install("Chromium", &["chromium"])
        .map_err(|error| Unmet::new(format!("{error:#}; {hint}")))?;
    installed().ok_or_else(|| Unmet::new(format!("apt-get installed no chromium; {hint}")).into())
}

/// What most tests of the page run in: the same engine takes a sixth less time without windows. On Debian as root it is installed
/// if there is none; where there is none all the same, or a browser is named, the browser serves.
pub(crate) fn shell() -> Option<PathBuf> {
    if std::env::var_os(VARIABLE).is_some() {
        return None;
    }
    let installed = || SHELLS.iter().find_map(|name| on_path(name));
    installed().or_else(|| {
        if debian::is_root() {
            debian::try_to_install("Chromium's headless shell", &["chromium-headless-shell"]);
        }
        installed()
    })
}

fn installed() -> Option<PathBuf> {
    NAMES
        .iter()
        .find_map(|name| on_path(name))
        .or_else(|| usual_places().into_iter().find(|path| path.is_file()))
}

fn usual_places() -> Vec<PathBuf> {
    if cfg!(target_os = "macos") {
        let home = std::env::var_os("HOME")
            .map(PathBuf::from)
            .unwrap_or_default();
        [
            "Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
            "Applications/Chromium.app/Contents/MacOS/Chromium",
        ]
        .iter()
        .flat_map(|place| [Path::new("/").join(place), home.join(place)])
        .collect()
    } else if cfg!(windows) {
        ["ProgramFiles", "ProgramFiles(x86)", "LocalAppData"]
            .iter()
            .filter_map(std::env::var_os)
            .map(|base| PathBuf::from(base).join(r"Google\Chrome\Application\chrome.exe"))
            .collect()
    } else {
        Vec::new()
    }
}
