//! Times networks of the shapes of CLIP's ViT-B/32, B/16 and L/14 on rten: how long they load, how long a picture takes, and how
//! much memory.
//!
//! Their weights are random and are written to a temporary folder as packs, 350 MB to 1.2 GB. Prints one Markdown table.
//! Each measurement is a process of its own, so that one's memory does not count for another.
//! `bench_neural pack SHAPE FOLDER` only writes a pack, for the measurement in a browser.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::fs::File;
    use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
    use std::path::{Path, PathBuf};
    use std::pin::pin;
    use std::process::{Command, ExitCode};
    use std::task::{Context, Poll, Waker};
    use std::time::Instant;

    use juror_image::{Rgb, encode_png};
    use juror_neural::pack::{Pack, PackFiles, Task};
    use juror_neural::{Networks, NeuralError, Rten, Tensor};
    use juror_tests::bench_graph::{SHAPES, Shape, network};
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
            ["pack", id, folder] => {
                shape(id).and_then(|shape| write_pack(shape, Path::new(folder)))
            }
            ["time", folder] => time(Path::new(folder)),
            _ => Err("usage: bench_neural [pack SHAPE FOLDER]".into()),
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

    fn shape(id: &str) -> Outcome<Shape> {
        let found = SHAPES.into_iter().find(|shape| shape.id == id);
        found.ok_or_else(|| format!("no shape {id}: vit-b-32, vit-b-16 or vit-l-14").into())
    }

    /// Writes each pack, measures it in child processes, prints the table.
    fn all() -> Outcome<()> {
        say(&format!(
            "## Networks of CLIP's shapes, {NUM_PICTURES} PNG files of {SIDE} × {SIDE}\n"
        ));
        say(
            "| rten 0.27, native | load and golden case | a picture: median | least | most | peak memory |",
        );
        say("|---|---|---|---|---|---|");
        for shape in SHAPES {
            let temp = tempfile::tempdir()?;
            write_pack(shape, temp.path())?;
            for threads in THREADS {
                let found = child(temp.path(), threads)?;
                let ms = |key: &str| format!("{:.0} ms", found[key].as_f64().unwrap_or(f64::NAN));
                let word = if threads == "1" { "thread" } else { "threads" };
                say(&format!(
                    "| {}, {threads} {word} | {} | {} | {} | {} | {} MiB |",
                    shape.id,
                    ms("load"),
                    ms("median"),
                    ms("least"),
                    ms("most"),
                    found["peak_mib"]
                ));
            }
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
    fn write_pack(shape: Shape, folder: &Path) -> Outcome<()> {
        std::fs::create_dir_all(folder.join("golden"))?;
        let mut random = Random::new(32);
        let mut next = move || (random.bits() >> 40) as f32 / (1_u64 << 24) as f32 - 0.5;
        let made = network(shape, &mut next);
        let input: Vec<f32> = (0..3 * 224 * 224).map(|_| 4.0 * next()).collect();
        std::fs::write(folder.join("image.onnx"), &made.graph)?;
        std::fs::write(folder.join("image.data"), &made.weights)?;
        drop(made.weights);
        let size = [1, 3, 224, 224];
        std::fs::write(folder.join("golden/in.npy"), npy(&size, &input))?;
        let embeds = [1, shape.embedding];
        std::fs::write(
            folder.join("golden/out.npy"),
            npy(&embeds, &vec![0.0; shape.embedding]),
        )?;
        write_list(shape, folder)?;
        let mut files = Folder(folder.to_owned());
        let pack = Pack::open(&mut files)?;
        let (network, _) = at_once(pack.unchecked("image", &mut files, &Rten))?;
        let input = Tensor::reals(size.to_vec(), input)?;
        let found = at_once(network.run(&[("pixel_values", &input)], &["embeds"]))?;
        let found = found.first().map(Tensor::numbers).unwrap_or_default();
        #[expect(clippy::cast_possible_truncation, reason = "the network gives f32")]
        let found: Vec<f32> = found.into_iter().map(|value| value as f32).collect();
        std::fs::write(folder.join("golden/out.npy"), npy(&embeds, &found))?;
        write_list(shape, folder)
    }

    fn write_list(shape: Shape, folder: &Path) -> Outcome<()> {
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
            "schema": "juror-model/1", "id": format!("{}-random", shape.id), "task": "clip", "source": "bench_neural", "licence": "MIT OR Apache-2.0",
            "profile": "both", "files": files,
            "nodes": {"image": {
                "graph": "image.onnx", "weights": ["image.data"], "pixels": pixels,
                "inputs": [{"name": "pixel_values", "shape": [1, 3, 224, 224]}],
                "outputs": [{"name": "embeds", "shape": [1, shape.embedding]}],
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
