//! The browsers beside Chromium that the page is tested in: Firefox, and the GTK port of `WebKit`.
//!
//! They are installed on Debian as root, as Chromium is. Elsewhere their tests are skipped, and one line says what is missing.

use crate::debian;
use crate::process::on_path;

/// A browser: its name, the programs that its tests start, and the packages that bring them.
struct Browser {
    name: &'static str,
    programs: &'static [&'static str],
    packages: &'static [&'static str],
}

const BROWSERS: [Browser; 2] = [
    Browser {
        name: "Firefox",
        programs: &["firefox-esr"],
        packages: &["firefox-esr"],
    },
    Browser {
        name: "WebKit",
        programs: &["WebKitWebDriver", "xvfb-run"],
        packages: &["webkit2gtk-driver", "xvfb"],
    },
];

impl Browser {
    fn is_there(&self) -> bool {
        let is_firefox = self.programs == ["firefox-esr"] && on_path("firefox").is_some();
        is_firefox || self.programs.iter().all(|name| on_path(name).is_some())
    }

    fn skipped(&self) -> String {
        format!(
            "SKIPPED: the tests in {}, which is not installed; on Debian: `sudo apt-get install -y {}`",
            self.name,
            self.packages.join(" ")
        )
    }
}

/// Installs what is missing where that is possible; says what is skipped where it is not.
pub(crate) fn prepare() {
    for browser in BROWSERS.iter().filter(|browser| !browser.is_there()) {
        if debian::is_root() {
            debian::try_to_install(browser.name, browser.packages);
        }
        if !browser.is_there() {
            println!("{}", browser.skipped());
        }
    }
}

/// Installs a software GPU where there is no driver at all: the native checks of the GPU run on it, or say that they are skipped.
pub(crate) fn prepare_gpu() {
    const DRIVERS: [&str; 2] = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
    let has_any =
        |folder: &&str| std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if debian::is_root() && !DRIVERS.iter().any(has_any) {
        debian::try_to_install("a software GPU", &["mesa-vulkan-drivers"]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_skipped_is_said_with_its_packages() {
        let said: Vec<String> = BROWSERS.iter().map(Browser::skipped).collect();
        assert!(said.iter().all(|line| line.starts_with("SKIPPED: ")));
        assert!(
            said.iter()
                .any(|line| line.contains("WebKit") && line.contains("webkit2gtk-driver xvfb"))
        );
    }
}
