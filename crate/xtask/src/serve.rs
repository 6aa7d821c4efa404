//! Builds the page and serves it on this machine only.

use std::io::{BufRead, BufReader, ErrorKind};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, ExitCode, Stdio};

use anyhow::Context;

use crate::build;
use crate::process::{Unmet, on_path};
use crate::steps::Steps;
use crate::workspace::Workspace;

const USAGE: &str = "usage: cargo xtask serve [--port 8080] [--no-open]";

const SERVER: &str = "server";

/// Vite's preview server behind a few lines that report when it listens.
const PREVIEW: &str = include_str!("preview.mjs");

/// What the command line of `serve` says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    port: u16,
    browser: Browser,
}

#[derive(Debug, PartialEq, Eq)]
enum Browser {
    Open,
    Leave,
}

impl Options {
    /// Reads the words after `serve`.
    pub(crate) fn from_words(words: &[&str]) -> anyhow::Result<Self> {
        let mut options = Self {
            port: 8080,
            browser: Browser::Open,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--no-open" => options.browser = Browser::Leave,
                "--port" => {
                    let port = words.next().and_then(|port| port.parse().ok());
                    options.port = port
                        .filter(|port| *port > 0)
                        .ok_or_else(|| Unmet::usage(USAGE))?;
                }
                _ => return Err(Unmet::usage(USAGE).into()),
            }
        }
        Ok(options)
    }
}

/// Builds, serves, and returns when the server ends.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<ExitCode> {
    // Asked before the build, which takes minutes, and again by the server itself.
    require_free(options.port)?;
    let titles = build::steps(workspace, build::Kind::App);
    let steps = Steps::new(titles.into_iter().chain([SERVER.to_owned()]));
    let here = build::Audience::ThisMachine;
    build::run(workspace, build::Kind::App, here, &steps)?;
    steps.begin(SERVER);
    require_free(options.port)?;
    let mut server = Command::new("node")
        .args(["--input-type=module", "--eval", PREVIEW, "--"])
        .arg(options.port.to_string())
        .current_dir(workspace.www())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start node")?;
    let stdout = server
        .stdout
        .take()
        .context("the server's stdout is not piped")?;
    let address = format!("http://127.0.0.1:{}/", options.port);
    for line in BufReader::new(stdout).lines() {
        let line = line?;
        if line != "listening" {
            println!("{line}");
            continue;
        }
        println!("Juror is at {address}");
        println!("Ctrl-C stops it.");
        if options.browser == Browser::Open {
            open(&address);
        }
    }
    let status = server.wait()?;
    if !status.success() {
        anyhow::bail!("the server ended with {status}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Fails with the remedy if something listens on the port already.
fn require_free(port: u16) -> anyhow::Result<()> {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            let other = if port == u16::MAX { 8080 } else { port + 1 };
            Err(Unmet::new(format!(
                "port {port} on 127.0.0.1 is in use; choose another one: cargo xtask serve --port {other}"
            ))
            .into())
        }
        Err(error) => Err(Unmet::new(format!(
            "cannot listen on 127.0.0.1:{port} ({error}); choose another port: cargo xtask serve --port 8080"
        ))
        .into()),
    }
}

/// Shows the address in the user's browser where there is a desktop; the printed line serves everybody else.
fn open(address: &str) {
    let desktop = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some());
    let mut command = if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else if cfg!(target_os = "macos") {
        Command::new("open")
    } else if desktop && let Some(opener) = on_path("xdg-open") {
        Command::new(opener)
    } else {
        return;
    };
    let started = command
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    // It runs on its own; that it could not start is no reason to stop serving.
    drop(started);
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_8080_unless_said_otherwise() {
        assert_eq!(Options::from_words(&[]).unwrap().port, 8080);
        let options = Options::from_words(&["--no-open", "--port", "9000"]).unwrap();
        assert_eq!(
            options,
            Options {
                port: 9000,
                browser: Browser::Leave
            }
        );
    }

    #[test]
    fn a_port_that_is_no_port_is_refused() {
        for words in [
            &["--port"][..],
            &["--port", "70000"],
            &["--port", "0"],
            &["8080"],
        ] {
            assert!(
                Options::from_words(words).unwrap_err().is::<Unmet>(),
                "{words:?}"
            );
        }
    }

    #[test]
    fn a_port_in_use_is_reported_with_the_next_one() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let error = require_free(port).unwrap_err();
        assert!(error.to_string().contains("in use"), "{error}");
        assert!(error.to_string().contains("--port "), "{error}");
        drop(listener);
        require_free(port).unwrap();
    }
}
