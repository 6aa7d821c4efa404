#![doc = include_str!("../README.md")]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task runner talks to a terminal"
)]

use std::ffi::OsString;
use std::process::ExitCode;

mod advisories;
mod bench;
mod bindgen;
mod bless;
mod browsers;
mod build;
mod check;
mod chromium;
mod circles;
mod debian;
mod dependencies;
mod freshness;
mod fuzz;
mod glob;
mod graph;
mod licences;
mod methods;
mod names;
mod native;
mod precompress;
mod process;
mod prose;
mod purity;
mod reader;
mod script_circles;
mod serve;
mod setup;
mod signatures;
mod size;
mod steps;
mod test;
mod totals;
mod words;
mod workspace;

use process::Unmet;
use steps::Steps;
use workspace::Workspace;

const USAGE: &str = "\
usage: cargo xtask <verb>

  serve [--port 8080] [--no-open]   build, serve on 127.0.0.1, print the address
  test  [SUITE…]                    run every test, or one suite: check, rust, fuzz, wasm, browser; totals at the end
  test  --quick                     sources, clippy, units, rules, vectors, and each view once in a browser
  fuzz  [MINUTES]                   feed all that is read with made-up bytes, 5 minutes over all targets
  check                             fmt, clippy, rustdoc, dependencies, licences, advisories, purity, plain words,
                                    generated files, tsc, eslint, sizes
  build [app|embed|single]          demo, Wasm, page
  build app --brotli                the page, and NAME.br next to each file that shrinks, for hosts that send them
  build native                      the program juror for others, without this machine's folders in it
  setup                             install what is missing
  bless                             regenerate the TypeScript types, and do what bless words does
  bless tests                       take the tests of the last runs for those that must run
  bless words                       lower the numbers of tests/words.txt to the present ones
  bench [name]                      run a benchmark natively and in the browser
  size  [--check]                   sizes of the built page against their budgets
  shots                             take the screenshots
  demo  --out DIR                   draw the demo suites into a folder";

fn main() -> ExitCode {
    let outcome = if reader::is_called() {
        reader::compile()
    } else {
        asked()
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(if error.is::<Unmet>() { 2 } else { 1 })
        }
    }
}

/// Does what the command line says.
fn asked() -> anyhow::Result<ExitCode> {
    // As long as it is where it was started from.
    process::own_program()?;
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    run(&arguments)
}

fn run(arguments: &[OsString]) -> anyhow::Result<ExitCode> {
    let words = arguments
        .iter()
        .map(|word| word.to_str().ok_or_else(|| Unmet::usage(USAGE)))
        .collect::<Result<Vec<_>, _>>()?;
    let Some((verb, rest)) = words.split_first() else {
        return Err(Unmet::usage(USAGE).into());
    };
    let workspace = Workspace::find()?;
    match (*verb, rest) {
        ("setup", []) => {
            setup::all(&workspace, &Steps::new(setup::STEPS)).map(|()| ExitCode::SUCCESS)
        }
        ("build", ["native"]) => native::run(&workspace).map(|()| ExitCode::SUCCESS),
        ("build", ["app", "--brotli"]) => {
            build::precompressed(&workspace).map(|()| ExitCode::SUCCESS)
        }
        ("build", rest) => {
            build::alone(&workspace, build::Kind::from_words(rest)?).map(|()| ExitCode::SUCCESS)
        }
        ("serve", rest) => serve::run(&workspace, &serve::Options::from_words(rest)?),
        ("test", rest) => Ok(test::run(&workspace, &test::suites_from_words(rest)?)),
        ("fuzz", []) => fuzz::minutes(&workspace, fuzz::DEFAULT_MINUTES),
        ("fuzz", [minutes]) => {
            let minutes = minutes.parse().ok().filter(|minutes| *minutes > 0);
            let minutes =
                minutes.ok_or_else(|| Unmet::usage("usage: cargo xtask fuzz [MINUTES]"))?;
            fuzz::minutes(&workspace, minutes)
        }
        ("check", []) => check::run(&workspace),
        ("bless", []) => {
            words::bless(&workspace)?;
            bless::run(&workspace).map(|()| ExitCode::SUCCESS)
        }
        ("bless", ["tests"]) => names::bless(&workspace).map(|()| ExitCode::SUCCESS),
        ("bless", ["words"]) => words::bless(&workspace).map(|()| ExitCode::SUCCESS),
        ("bench", []) => bench::run(&workspace, bench::DEFAULT).map(|()| ExitCode::SUCCESS),
        ("bench", [name]) => bench::run(&workspace, name).map(|()| ExitCode::SUCCESS),
        ("size", []) => size::print(&workspace).map(|_| ExitCode::SUCCESS),
        ("size", ["--check"]) => size::print(&workspace).map(size::Verdict::exit_code),
        ("shots", []) => bench::shots(&workspace).map(|()| ExitCode::SUCCESS),
        ("demo", ["--out", dir]) => juror_demo::write(dir.as_ref()).map(|()| ExitCode::SUCCESS),
        ("help" | "--help" | "-h", []) => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => Err(Unmet::usage(USAGE).into()),
    }
}
