//! Installs packages of Debian where that takes no password.

use std::process::Command;

use crate::process::{ask, progress, run};

/// Whether packages can be installed here.
pub(crate) fn is_root() -> bool {
    is_debian() && ask("id", &["-u"]).as_deref() == Some("0")
}

/// Debian itself: elsewhere the package of that name may be a snap that does not start in a container.
pub(crate) fn is_debian() -> bool {
    std::fs::read_to_string("/etc/os-release").is_ok_and(|text| names_debian(&text))
}

fn names_debian(os_release: &str) -> bool {
    os_release
        .lines()
        .any(|line| line.strip_prefix("ID=").map(|id| id.trim_matches('"')) == Some("debian"))
}

/// Installs packages, which bring what `name` says.
pub(crate) fn install(name: &str, packages: &[&str]) -> anyhow::Result<()> {
    let packages = packages.join(" ");
    progress(&format!(
        "installing {name} (apt-get install -y {packages})"
    ));
    run(Command::new("apt-get").arg("update"))?;
    run(Command::new("apt-get")
        .args(["install", "-y"])
        .args(packages.split(' '))
        .env("DEBIAN_FRONTEND", "noninteractive"))
}

/// The same, where tests go on without: a failure is reported and nothing more.
pub(crate) fn try_to_install(name: &str, packages: &[&str]) {
    if let Err(error) = install(name, packages) {
        eprintln!("xtask: {error:#}");
    }
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
