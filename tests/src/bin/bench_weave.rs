//! Times what a reader of WEAVEBench waits for: opening a folder of 30,000 files, and re-scoring 100,000 turns.
//!
//! Prints Markdown tables. The re-scoring runs against a plain Python summary of the same file, whose numbers it must equal.
//! Each measurement is a process of its own, so that one's memory does not count for another.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::io::{Read as _, Write as _};
    use std::path::{Path, PathBuf};
    use std::process::{Command, ExitCode};
    use std::time::Instant;

    use juror_image::{ImageError, Limits};
    use juror_model::host::{FileMeta, Phase};
    use juror_model::options::{Profile, ScoreOptions};
    use juror_model::row::ScoreRow;
    use juror_session::view::SampleQuery;
    use juror_session::{Probed, Session};
    use juror_tests::generate::{Dialogue, Random, tiny_png};
    use serde_json::{Value, json};

    type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

    const NUM_DIALOGUES: usize = 1800;
    const MODELS: [&str; 3] = ["alpha", "beta", "gamma"];
    /// 25,000 dialogues of three picture turns and one text turn; reasons of this length make the file about 46 MB.
    const NUM_LINES: usize = 25_000;
    const TURNS_PER_LINE: usize = 4;
    const REASON_LEN: usize = 136;
    const RUNS: usize = 5;
    const TOLERANCE: f64 = 1e-9;
    /// The scopes of the authors' summary.
    const OF_SUMMARY: [&str; 3] = ["overall", "category", "domain"];
    /// Written beside the data and run once.
    const PYTHON: &str = include_str!("bench_weave.py");

    pub(crate) fn main() -> ExitCode {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let result = match words.as_slice() {
            [] => all(),
            ["open", dir] => open(Path::new(dir)),
            ["score", file] => score(Path::new(file)),
            _ => Err("usage: bench_weave".into()),
        };
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                let _ = writeln!(std::io::stderr(), "bench_weave: {error}");
                ExitCode::FAILURE
            }
        }
    }

    fn say(text: &str) {
        let _ = writeln!(std::io::stdout(), "{text}");
    }

    /// Makes the data, measures in child processes, prints the tables.
    fn all() -> Outcome<()> {
        let temp = tempfile::tempdir()?;
        let suite = temp.path().join("suite");
        let num_files = write_suite(&suite)?;
        let opened = child("open", &suite)?;
        let seconds = |key: &str| format!("{:.2} s", opened[key].as_f64().unwrap_or(f64::NAN));
        say(&format!(
            "## Opening {num_files} files: {NUM_DIALOGUES} dialogues, {} models\n",
            MODELS.len()
        ));
        say("| until | wall |\n|---|---|");
        say(&format!("| files are listed | {} |", seconds("listed")));
        say(&format!(
            "| the first sample row stands | {} |",
            seconds("first_row")
        ));
        say(&format!("| scores stand | {} |", seconds("scores")));
        say(&format!(
            "| complete: every reply, answer and picture header read | {} |",
            seconds("complete")
        ));
        say(&format!(
            "\nPeak memory {} MiB; {} sample rows.\n",
            opened["peak_mib"], opened["rows"]
        ));

        let file = temp.path().join("model").join("metrics.jsonl");
        let size = write_replies(&file)?;
        let scored = child("score", &file)?;
        let num_turns = NUM_LINES * TURNS_PER_LINE;
        say(&format!(
            "## Re-scoring {num_turns} turns: {:.1} MB of metrics.jsonl, every reply kept\n",
            size as f64 / 1e6
        ));
        let juror = scored["processor"].as_f64().unwrap_or(f64::NAN);
        let Some(summary) = python(temp.path(), &file)? else {
            say("| program | processor time |\n|---|---|");
            say(&format!("| juror, best of {RUNS} | {juror:.3} s |"));
            say("\nSKIPPED: there is no python3 to compare with.");
            return Ok(());
        };
        let python = summary["processor"].as_f64().unwrap_or(f64::NAN);
        say("| program | processor time | times faster |\n|---|---|---|");
        say(&format!(
            "| Python {}, best of 3 | {python:.3} s | 1 |",
            summary["version"].as_str().unwrap_or("?")
        ));
        let same = scored["summary"].as_f64().unwrap_or(f64::NAN);
        say(&format!(
            "| juror, the same summary, best of {RUNS} | {same:.3} s | {:.1} |",
            python / same
        ));
        say(&format!(
            "| juror, that and the paper's scores, intervals, incidents and all differences | {juror:.3} s | {:.1} |",
            python / juror
        ));
        let steps = ["read", "parse", "released", "paper"];
        let parts: Vec<String> = steps
            .map(|step| {
                format!(
                    "{step} {:.3} s",
                    scored["steps"][step].as_f64().unwrap_or(f64::NAN)
                )
            })
            .into();
        say(&format!(
            "\nOf the best run: {}. Peak memory {} MiB.",
            parts.join(", "),
            scored["peak_mib"]
        ));
        let num_equal = compare(&scored["means"], &summary["means"])?;
        say(&format!(
            "All {num_equal} released means equal Python's within {TOLERANCE:e}."
        ));
        Ok(())
    }

    /// Runs this program on one measurement.
    fn child(name: &str, path: &Path) -> Outcome<Value> {
        let output = Command::new(std::env::current_exe()?)
            .arg(name)
            .arg(path)
            .output()?;
        if !output.status.success() {
            return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    fn dialogue(idx: usize) -> Dialogue {
        // Every fourth or so has a second question, which brings the files to thirty thousand.
        Dialogue {
            idx,
            num_pictures: 3,
            num_texts: if idx.is_multiple_of(9) || idx % 9 == 4 {
                2
            } else {
                1
            },
        }
    }

    fn write_suite(root: &Path) -> Outcome<usize> {
        let mut num_files = 0;
        let mut write = |path: PathBuf, bytes: &[u8]| {
            num_files += 1;
            std::fs::write(path, bytes)
        };
        let dialogues: Vec<Dialogue> = (0..NUM_DIALOGUES).map(dialogue).collect();
        let test = root.join("test");
        std::fs::create_dir_all(test.join("imgs"))?;
        let items: Vec<Value> = dialogues.iter().map(Dialogue::item).collect();
        write(test.join("test.json"), json!(items).to_string().as_bytes())?;
        for dialogue in &dialogues {
            for number in 1..=dialogue.num_pictures + 1 {
                write(
                    test.join("imgs").join(dialogue.picture(number)),
                    &tiny_png(1),
                )?;
            }
        }
        for (model, grey) in MODELS.iter().zip(2..) {
            let folder = root.join("result").join(model);
            let imgs = folder.join("imgs");
            std::fs::create_dir_all(&imgs)?;
            let mut random = Random::new(u64::from(grey));
            let lines: String = dialogues
                .iter()
                .map(|dialogue| dialogue.line(&mut random, REASON_LEN))
                .collect();
            write(folder.join("metrics.jsonl"), lines.as_bytes())?;
            for dialogue in &dialogues {
                for number in 2..=dialogue.num_pictures + 1 {
                    write(imgs.join(dialogue.picture(number)), &tiny_png(grey))?;
                }
                for turn in 0..dialogue.num_texts {
                    write(
                        imgs.join(dialogue.answer(dialogue.num_pictures + turn)),
                        b"An answer.",
                    )?;
                }
            }
        }
        Ok(num_files)
    }

    fn write_replies(file: &Path) -> Outcome<usize> {
        let mut random = Random::new(7);
        let lines: String = (0..NUM_LINES)
            .map(|idx| {
                Dialogue {
                    idx,
                    num_pictures: TURNS_PER_LINE - 1,
                    num_texts: 1,
                }
                .line(&mut random, REASON_LEN)
            })
            .collect();
        std::fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
        std::fs::write(file, &lines)?;
        Ok(lines.len())
    }

    fn probe(head: &[u8], size: u64) -> Probed {
        match juror_image::probe(head, size, &Limits::default()) {
            Ok(probe) => Probed::Picture {
                width: probe.width,
                height: probe.height,
            },
            Err(ImageError::NeedMore { bytes }) => Probed::NeedMore { bytes },
            Err(error) => Probed::Bad {
                message: error.to_string(),
                hint: String::new(),
            },
        }
    }

    fn read(path: &Path, head: Option<u64>) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        std::fs::File::open(path)?
            .take(head.unwrap_or(u64::MAX))
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Opens a folder as the command line does, and says when what stood.
    fn open(root: &Path) -> Outcome<()> {
        let start = Instant::now();
        let mut session = Session::new(probe);
        let (mut metas, mut paths) = (Vec::new(), Vec::new());
        for entry in walkdir::WalkDir::new(root).sort_by_file_name() {
            let entry = entry?;
            if entry.file_type().is_file() {
                let name = entry
                    .path()
                    .strip_prefix(root)?
                    .to_string_lossy()
                    .into_owned();
                metas.push(FileMeta {
                    path: name,
                    size: Some(entry.metadata()?.len()),
                });
                paths.push(entry.into_path());
            }
        }
        session.add_files(&metas);
        let listed = start.elapsed();
        let (mut first_row, mut scores) = (None, None);
        loop {
            let phase = session.progress().phase;
            if first_row.is_none() && phase != Some(Phase::Benchmark) {
                assert!(
                    !juror_session::samples(
                        &session.study(&ScoreOptions::default()),
                        &SampleQuery::default()
                    )
                    .rows
                    .is_empty(),
                    "the samples stand"
                );
                first_row = Some(start.elapsed());
            }
            if scores.is_none() && !matches!(phase, Some(Phase::Benchmark | Phase::Replies)) {
                assert_eq!(
                    juror_session::overview(&session.study(&ScoreOptions::default()))
                        .models
                        .len(),
                    MODELS.len(),
                    "the scores stand"
                );
                scores = Some(start.elapsed());
            }
            let wants = session.wants(256);
            if wants.is_empty() {
                break;
            }
            for want in wants {
                match read(&paths[want.file as usize], want.head) {
                    Ok(bytes) => session.provide(want.file, bytes),
                    Err(error) => session.failed(want.file, &error.to_string()),
                }
            }
        }
        let overview = juror_session::overview(&session.study(&ScoreOptions::default()));
        let complete = start.elapsed();
        assert!(
            overview.problems.is_empty() && overview.incidents.is_empty(),
            "nothing is wrong with the made-up files"
        );
        let seconds = |time: Option<std::time::Duration>| time.map(|time| time.as_secs_f64());
        say(&json!({
            "listed": listed.as_secs_f64(),
            "first_row": seconds(first_row),
            "scores": seconds(scores),
            "complete": complete.as_secs_f64(),
            "rows": juror_session::samples(&session.study(&ScoreOptions::default()), &SampleQuery::default()).rows.len(),
            "peak_mib": peak_mib(),
        })
        .to_string());
        Ok(())
    }

    /// Reads a reply file and scores it, several times, and prints the best run with the released means.
    fn score(path: &Path) -> Outcome<()> {
        let mut best: Option<(f64, f64, Value, Vec<ScoreRow>)> = None;
        for _ in 0..RUNS {
            let clock = Clock::start();
            let bytes = std::fs::read(path)?;
            let after_read = clock.seconds();
            let mut session = Session::new(probe);
            session.add_files(&[FileMeta {
                path: "model/metrics.jsonl".to_owned(),
                size: Some(bytes.len() as u64),
            }]);
            let wants = session.wants(1);
            let [want] = wants.as_slice() else {
                return Err("the session wants its one file".into());
            };
            session.provide(want.file, bytes);
            let after_parse = clock.seconds();
            let released = ScoreOptions {
                profile: Profile::Released,
                policy: None,
                judge: None,
                run: None,
                reading: juror_model::options::ReplyReading::Strict,
            };
            let rows = juror_session::score_rows(&session.study(&released)).to_vec();
            let after_released = clock.seconds();
            let paper = juror_session::overview(&session.study(&ScoreOptions::default()));
            let total = clock.seconds();
            assert_eq!(
                paper.models[0].scored as usize,
                NUM_LINES * (3 * (TURNS_PER_LINE - 1) + 1),
                "every reply was read"
            );
            if best
                .as_ref()
                .is_none_or(|(_, seconds, _, _)| total < *seconds)
            {
                let steps = json!({
                    "read": after_read,
                    "parse": after_parse - after_read,
                    "released": after_released - after_parse,
                    "paper": total - after_released,
                });
                best = Some((after_released, total, steps, rows));
            }
        }
        let Some((summary, seconds, steps, released)) = best else {
            return Err("there was no run".into());
        };
        let means: serde_json::Map<String, Value> = released
            .iter()
            .filter(|row| OF_SUMMARY.contains(&&*row.scope))
            .map(|row| {
                (
                    format!("{}/{}/{}", row.scope, row.key, row.criterion),
                    json!(row.mean),
                )
            })
            .collect();
        say(
            &json!({"summary": summary, "processor": seconds, "steps": steps, "means": means, "peak_mib": peak_mib()})
                .to_string(),
        );
        Ok(())
    }

    /// The Python summary of the file; `None` where there is no Python.
    fn python(temp: &Path, file: &Path) -> Outcome<Option<Value>> {
        let script = temp.join("summary.py");
        std::fs::write(&script, PYTHON)?;
        let output = match Command::new("python3").arg(&script).arg(file).output() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            other => other?,
        };
        if !output.status.success() {
            return Err(format!("python3: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        Ok(Some(serde_json::from_slice(&output.stdout)?))
    }

    /// How many means are equal; an error names the first that is not.
    fn compare(juror: &Value, python: &Value) -> Outcome<usize> {
        let (Some(juror), Some(python)) = (juror.as_object(), python.as_object()) else {
            return Err("no means".into());
        };
        if juror.len() != python.len() {
            return Err(format!("juror has {} means, Python {}", juror.len(), python.len()).into());
        }
        for (key, theirs) in python {
            let ours = juror.get(key).and_then(Value::as_f64).unwrap_or(f64::NAN);
            let theirs = theirs.as_f64().unwrap_or(f64::NAN);
            let distance = (ours - theirs).abs();
            if distance.is_nan() || distance > TOLERANCE {
                return Err(format!("{key}: juror says {ours}, Python {theirs}").into());
            }
        }
        Ok(python.len())
    }

    /// Processor time of this thread where the system tells it, wall time elsewhere.
    struct Clock(Option<f64>, Instant);

    impl Clock {
        fn start() -> Self {
            Self(processor_secs(), Instant::now())
        }

        fn seconds(&self) -> f64 {
            match (self.0, processor_secs()) {
                (Some(start), Some(now)) => now - start,
                _ => self.1.elapsed().as_secs_f64(),
            }
        }
    }

    /// The first field of Linux' `schedstat`: nanoseconds on a processor.
    ///
    /// They are booked when the thread leaves its processor, else only some 250 times a second; so it leaves for a moment.
    fn processor_secs() -> Option<f64> {
        std::thread::sleep(std::time::Duration::from_micros(1));
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
    }

    /// The most memory that was resident at once, where the system tells it.
    fn peak_mib() -> Option<u64> {
        let text = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
        Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {}
