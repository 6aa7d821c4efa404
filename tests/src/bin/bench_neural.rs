//! Times a network of the shape of CLIP's ViT-B/32 on rten: how long it loads, how long a picture takes, and how much memory.
//!
//! Its weights are random and are written to a temporary folder as a pack, 350 MB. Prints one Markdown table.
//! Each measurement is a process of its own, so that one's memory does not count for another.
//! `bench_neural pack FOLDER` only writes the pack, for the measurement in a browser.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::cell::RefCell;
    use std::fs::File;
    use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
    use std::path::{Path, PathBuf};
    use std::pin::pin;
    use std::process::{Command, ExitCode};
    use std::rc::Rc;
    use std::task::{Context, Poll, Waker};
    use std::time::Instant;

    use juror_image::{Rgb, encode_png};
    use juror_neural::pack::{Pack, PackFiles, Task, Weights};
    use juror_neural::{
        Graph, Later, Network, Networks, NeuralError, Rten, Runner, Tensor, Values,
    };
    use juror_tests::bench_graph::vit_b_32;
    use juror_tests::generate::Random;
    use serde_json::{Value, json};

    type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

    const NUM_PICTURES: u32 = 12;
    /// A picture's width and height.
    const SIDE: u32 = 512;
    /// Threads that rten computes on, one row each.
    const THREADS: [&str; 2] = ["1", "2"];

    pub(crate) fn main() -> ExitCode {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let result = match words.as_slice() {
            [] => all(),
            ["pack", folder] => write_pack(Path::new(folder)),
            ["time", folder] => time(Path::new(folder)),
            _ => Err("usage: bench_neural [pack FOLDER]".into()),
        };
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                let _ = writeln!(std::io::stderr(), "bench_neural: {error}");
                ExitCode::FAILURE
            }
        }
    }

    fn say(text: &str) {
        let _ = writeln!(std::io::stdout(), "{text}");
    }

    /// Writes the pack, measures in child processes, prints the table.
    fn all() -> Outcome<()> {
        let temp = tempfile::tempdir()?;
        write_pack(temp.path())?;
        say(&format!(
            "## A network of ViT-B/32's shape, {NUM_PICTURES} PNG files of {SIDE} × {SIDE}\n"
        ));
        say(
            "| rten 0.27, native | load and golden case | a picture: median | least | most | peak memory |",
        );
        say("|---|---|---|---|---|---|");
        for threads in THREADS {
            let found = child(temp.path(), threads)?;
            let ms = |key: &str| format!("{:.0} ms", found[key].as_f64().unwrap_or(f64::NAN));
            let word = if threads == "1" { "thread" } else { "threads" };
            say(&format!(
                "| {threads} {word} | {} | {} | {} | {} | {} MiB |",
                ms("load"),
                ms("median"),
                ms("least"),
                ms("most"),
                found["peak_mib"]
            ));
        }
        Ok(())
    }

    fn child(folder: &Path, threads: &str) -> Outcome<Value> {
        let output = Command::new(std::env::current_exe()?)
            .arg("time")
            .arg(folder)
            .env("RTEN_NUM_THREADS", threads)
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    fn time(folder: &Path) -> Outcome<()> {
        let mut networks = Networks::new(Box::new(Rten));
        networks.open(Box::new(Folder(folder.to_owned())))?;
        let start = Instant::now();
        at_once(networks.check(Task::Clip))?;
        let load = start.elapsed().as_secs_f64() * 1e3;
        let mut took = Vec::new();
        for number in 0..NUM_PICTURES {
            let picture = picture(number)?;
            let start = Instant::now();
            at_once(networks.embedding(Task::Clip, &picture))?;
            took.push(start.elapsed().as_secs_f64() * 1e3);
        }
        took.sort_by(f64::total_cmp);
        let found = json!({
            "load": load,
            "least": took.first(),
            "median": took[took.len() / 2],
            "most": took.last(),
            "peak_mib": peak_mib(),
        });
        say(&found.to_string());
        Ok(())
    }

    /// What rten answers is ready when it is first looked at.
    fn at_once<T>(answer: impl Future<Output = Result<T, NeuralError>>) -> Outcome<T> {
        match pin!(answer).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(found) => Ok(found?),
            Poll::Pending => Err("rten answers later".into()),
        }
    }

    fn picture(number: u32) -> Outcome<Vec<u8>> {
        let mut picture = Rgb::filled(SIDE, SIDE, [0; 3])?;
        for (at, byte) in (0_u32..).zip(&mut picture.data) {
            let (x, y) = (at / 3 % SIDE, at / 3 / SIDE);
            let level = (x * (3 + number) + y * 5) / 4 + at % 3 * 40;
            *byte = level.to_le_bytes()[0];
        }
        Ok(encode_png(&picture)?)
    }

    /// A pack whose golden output is rten's own: it times, and checks nothing.
    fn write_pack(folder: &Path) -> Outcome<()> {
        std::fs::create_dir_all(folder.join("golden"))?;
        let mut random = Random::new(32);
        let mut next = move || (random.bits() >> 40) as f32 / (1_u64 << 24) as f32 - 0.5;
        let made = vit_b_32(&mut next);
        let input: Vec<f32> = (0..3 * 224 * 224).map(|_| 4.0 * next()).collect();
        std::fs::write(folder.join("image.onnx"), &made.graph)?;
        std::fs::write(folder.join("image.data"), &made.weights)?;
        std::fs::write(folder.join("golden/in.npy"), npy(&[1, 3, 224, 224], &input))?;
        std::fs::write(folder.join("golden/out.npy"), npy(&[1, 512], &[0.0; 512]))?;
        write_list(folder)?;
        // The first time its golden case fails, and says what the case should be.
        let mut files = Folder(folder.to_owned());
        let pack = Pack::open(&mut files)?;
        let heard = Hearing::default();
        if at_once(pack.load("image", &mut files, &heard)).is_ok() {
            return Err("the network gives only zeros".into());
        }
        let found = heard.0.borrow().clone();
        std::fs::write(folder.join("golden/out.npy"), npy(&[1, 512], &found))?;
        write_list(folder)
    }

    fn write_list(folder: &Path) -> Outcome<()> {
        let names = [
            "image.onnx",
            "image.data",
            "golden/in.npy",
            "golden/out.npy",
        ];
        let mut files = Vec::new();
        for name in names {
            let bytes = std::fs::read(folder.join(name))?;
            let hash = juror_model::prompt::sha256(&bytes);
            files.push(json!({"name": name, "bytes": bytes.len(), "sha256": hash}));
        }
        let pixels = json!({
            "path": "pil_bicubic_u8", "resize": {"short_side": 224}, "crop": {"side": 224, "rounding": "floor"}, "rescale": "multiply",
            "mean": [0.481_454_66, 0.457_827_5, 0.408_210_73], "std": [0.268_629_54, 0.261_302_58, 0.275_777_11],
        });
        let list = json!({
            "schema": "juror-model/1", "id": "vit-b-32-random", "task": "clip", "source": "bench_neural", "licence": "MIT OR Apache-2.0",
            "profile": "both", "files": files,
            "nodes": {"image": {
                "graph": "image.onnx", "weights": ["image.data"], "pixels": pixels,
                "inputs": [{"name": "pixel_values", "shape": [1, 3, 224, 224]}],
                "outputs": [{"name": "embeds", "shape": [1, 512]}],
            }},
            "golden": [{"node": "image", "tolerance": 1e-4, "inputs": ["golden/in.npy"], "outputs": ["golden/out.npy"]}],
        });
        std::fs::write(folder.join("pack.json"), list.to_string())?;
        Ok(())
    }

    fn npy(shape: &[usize], values: &[f32]) -> Vec<u8> {
        let shape: Vec<String> = shape.iter().map(ToString::to_string).collect();
        let header = format!(
            "{{'descr': '<f4', 'fortran_order': False, 'shape': ({},), }}\n",
            shape.join(", ")
        );
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend(
            u16::try_from(header.len())
                .unwrap_or(u16::MAX)
                .to_le_bytes(),
        );
        bytes.extend(header.as_bytes());
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        bytes
    }

    /// Rten, with what its network gave last.
    #[derive(Default)]
    struct Hearing(Rc<RefCell<Vec<f32>>>);

    struct HearingNetwork(Box<dyn Network>, Rc<RefCell<Vec<f32>>>);

    impl Network for HearingNetwork {
        fn run<'a>(
            &'a self,
            inputs: &'a [(&'a str, &'a Tensor)],
            outputs: &'a [&'a str],
        ) -> Later<'a, Vec<Tensor>> {
            Box::pin(async move {
                let found = self.0.run(inputs, outputs).await?;
                if let Some(Values::Reals(values)) = found.first().map(|one| &one.values) {
                    self.1.borrow_mut().clone_from(values);
                }
                Ok(found)
            })
        }
    }

    impl Runner for Hearing {
        fn id(&self) -> &str {
            Rten.id()
        }

        fn backend(&self) -> &'static str {
            Rten.backend()
        }

        fn device(&self) -> &str {
            Rten.device()
        }

        fn refusal(&self, graph: &Graph) -> Option<(&'static str, &'static str)> {
            Rten.refusal(graph)
        }

        fn caution(&self, graph: &Graph) -> Option<&'static str> {
            Rten.caution(graph)
        }

        fn open<'a>(
            &'a self,
            name: &'a str,
            graph: Vec<u8>,
            weights: Weights<'a>,
        ) -> Later<'a, Box<dyn Network>> {
            Box::pin(async move {
                let network = Rten.open(name, graph, weights).await?;
                Ok(Box::new(HearingNetwork(network, Rc::clone(&self.0))) as Box<dyn Network>)
            })
        }
    }

    /// A pack in a folder.
    struct Folder(PathBuf);

    impl PackFiles for Folder {
        fn length(&mut self, file: &str) -> Result<u64, NeuralError> {
            let found = std::fs::metadata(self.0.join(file));
            Ok(found
                .map_err(|error| NeuralError::unreadable(file, &error))?
                .len())
        }

        fn read(&mut self, file: &str, offset: u64, into: &mut [u8]) -> Result<usize, NeuralError> {
            let read = || -> std::io::Result<usize> {
                let mut from = File::open(self.0.join(file))?;
                from.seek(SeekFrom::Start(offset))?;
                from.take(into.len() as u64).read(into)
            };
            let mut read = read;
            read().map_err(|error| NeuralError::unreadable(file, &error))
        }
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
