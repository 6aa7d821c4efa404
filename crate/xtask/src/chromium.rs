//! Finds the Chromium that the browser tests run in; an installed one is as good as a downloaded one.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{Unmet, ask, on_path, progress, run};

/// The variable that names the browser, here and for Playwright's configuration.
pub(crate) const VARIABLE: &str = "JUROR_CHROMIUM";

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
    if !is_debian_root() {
        let apt = if is_debian() {
            "; on this system: `sudo apt-get install -y chromium`"
        } else {
            ""
        };
        return Err(Unmet::new(format!("no Chromium was found; {hint}{apt}")).into());
    }
    progress("installing Chromium (apt-get install -y chromium)");
    run(Command::new("apt-get").arg("update"))?;
    run(Command::new("apt-get")
        .args(["install", "-y", "chromium"])
        .env("DEBIAN_FRONTEND", "noninteractive"))
    .map_err(|error| Unmet::new(format!("{error:#}; {hint}")))?;
    installed().ok_or_else(|| Unmet::new(format!("apt-get installed no chromium; {hint}")).into())
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

/// Whether packages can be installed here.
pub(crate) fn is_debian_root() -> bool {
    is_debian() && ask("id", &["-u"]).as_deref() == Some("0")
}

/// Debian itself: elsewhere the package of that name may be a snap that does not start in a container.
fn is_debian() -> bool {
    std::fs::read_to_string("/etc/os-release").is_ok_and(|text| names_debian(&text))
}

fn names_debian(os_release: &str) -> bool {
    os_release
        .lines()
        .any(|line| line.strip_prefix("ID=").map(|id| id.trim_matches('"')) == Some("debian"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debian_is_recognised_by_its_id() {
        assert!(names_debian("NAME=\"Debian GNU/Linux\"\nID=debian\n"));
        assert!(names_debian("ID=\"debian\"\n"));
    }

    #[test]
    fn a_system_that_is_only_like_debian_is_not_debian() {
        assert!(!names_debian("ID=ubuntu\nID_LIKE=debian\n"));
    }
}
