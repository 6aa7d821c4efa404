//! Times the image metrics beside `OpenCV` and scikit-image, on one thread each, and holds their values together.
//!
//! Prints a Markdown table.
//! `JUROR_PYTHON` names the Python with the tools (else `python3`); `JUROR_WASM_TIMES` holds lines of the same work in
//! Wasm, which `cargo xtask bench metrics` collects first.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::fmt::Write as _;
    use std::io::Write as _;
    use std::path::Path;
    use std::process::{Command, ExitCode};
    use std::time::Instant;

    use juror_tests::bench::{SIDES, Scene, WORKS, fastest};
    use serde_json::{Value, json};

    type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

    /// Written beside the pictures and run once.
    const PYTHON: &str = include_str!("bench_metrics.py");
    /// Values of different tools: sums in another order.
    const TOLERANCE: f64 = 1e-9;

    pub(crate) fn main() -> ExitCode {
        match all() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                let _ = writeln!(std::io::stderr(), "bench_metrics: {error}");
                ExitCode::FAILURE
            }
        }
    }

    fn all() -> Outcome<()> {
        let temp = tempfile::tempdir()?;
        let wasm = wasm_times()?;
        let mut rows = Vec::new();
        for side in SIDES {
            let scene = Scene::draw(side)?;
            for (name, picture) in ["r", "c"].iter().zip(&scene.colour) {
                std::fs::write(temp.path().join(format!("{side}_{name}")), picture.data())?;
            }
            for (name, picture) in ["gr", "gc"].iter().zip(&scene.grey) {
                std::fs::write(temp.path().join(format!("{side}_{name}")), picture.data())?;
            }
            for (name, work) in WORKS {
                let clock = Instant::now();
                let now = || clock.elapsed().as_secs_f64() * 1e3;
                let (native, value) = fastest(work, &scene, now)?;
                rows.push((format!("{name} {side}"), native, value));
            }
        }
        let python = python(temp.path())?;
        let mut text = String::from(
            "| work on a square pair of this side | native, ms | Wasm, ms | Python tool, ms | tool / native | tool / Wasm |\n|---|---|---|---|---|---|\n",
        );
        for (work, native, value) in &rows {
            let wasm = time_of(&wasm, work, *value, 0.0)?;
            let tool = time_of(&python["times"], work, *value, TOLERANCE)?;
            let cell = |number: Option<f64>| number.map_or("–".to_owned(), |n| format!("{n:.2}"));
            let ratio = |ours: Option<f64>| cell(tool.zip(ours).map(|(tool, ours)| tool / ours));
            writeln!(
                text,
                "| {work} | {} | {} | {} | {} | {} |",
                cell(Some(*native)),
                cell(wasm),
                cell(tool),
                ratio(Some(*native)),
                ratio(wasm)
            )?;
        }
        writeln!(
            std::io::stdout(),
            "{text}\nPython tools: {}",
            python["tools"]
        )?;
        Ok(())
    }

    /// The time of a work; an error where the value beside it is another one.
    fn time_of(times: &Value, work: &str, value: f64, tolerance: f64) -> Outcome<Option<f64>> {
        let Some(found) = times.get(work) else {
            return Ok(None);
        };
        let theirs = found[1].as_f64().unwrap_or(f64::NAN);
        let is_equal = (value - theirs).abs() <= tolerance * value.abs();
        if !is_equal {
            return Err(format!("{work}: juror has {value}, the other has {theirs}").into());
        }
        Ok(found[0].as_f64())
    }

    /// Lines of work, milliseconds and the value's bits, with tabs between.
    fn wasm_times() -> Outcome<Value> {
        let mut times = json!({});
        for line in std::env::var("JUROR_WASM_TIMES")
            .unwrap_or_default()
            .lines()
        {
            let [work, milliseconds, bits] = line.split('\t').collect::<Vec<_>>()[..] else {
                return Err(
                    format!("a line of JUROR_WASM_TIMES is not of three parts: {line}").into(),
                );
            };
            let value = f64::from_bits(bits.parse()?);
            times[work] = json!([milliseconds.parse::<f64>()?, value]);
        }
        Ok(times)
    }

    /// What the script says; nothing where Python or its tools are absent.
    fn python(temp: &Path) -> Outcome<Value> {
        let script = temp.join("bench_metrics.py");
        std::fs::write(&script, PYTHON)?;
        let program = std::env::var("JUROR_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let mut command = Command::new(&program);
        command.arg(&script).arg(temp);
        command.args(SIDES.map(|side| side.to_string()));
        let skipped = |reason: &str| {
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED the Python tools: {program}: {reason}"
            );
            Ok(json!({"times": {}, "tools": "none"}))
        };
        match command.output() {
            Err(error) => skipped(&error.to_string()),
            Ok(output) if !output.status.success() => {
                let words = String::from_utf8_lossy(&output.stderr);
                skipped(words.lines().last().unwrap_or("it failed"))
            }
            Ok(output) => Ok(serde_json::from_slice(&output.stdout)?),
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {}
