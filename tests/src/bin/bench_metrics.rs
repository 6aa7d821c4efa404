//! Does the work of `cargo xtask bench metrics`, natively and in a page; `bench-metrics.spec.ts` asks both, and prints.
//!
//! Natively: `bench_metrics FOLDER SIDE…` writes the pictures there, says which works there are, then answers each line
//! `SIDE WORK` with the fastest time in milliseconds and the value; all as JSON.
//! In Wasm it is a module for pages, with the GPU where there is one.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::collections::BTreeMap;
    use std::io::{BufRead as _, Write as _};
    use std::path::Path;
    use std::process::ExitCode;
    use std::time::{Duration, Instant};

    use juror_tests::bench::{Scene, Trouble, WORKS, Work, work};
    use serde_json::json;

    /// A work is done again and again for so long, and at least once; the fastest counts.
    const VISIT: Duration = Duration::from_millis(60);

    pub(crate) fn main() -> ExitCode {
        match serve() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                let _ = writeln!(std::io::stderr(), "bench_metrics: {error}");
                ExitCode::FAILURE
            }
        }
    }

    fn serve() -> Result<(), Trouble> {
        let mut arguments = std::env::args().skip(1);
        let folder = arguments.next().ok_or("expected FOLDER SIDE…")?;
        let mut scenes = BTreeMap::new();
        for side in arguments {
            let scene = Scene::draw(side.parse()?)?;
            for name in ["r", "c", "gr", "gc"] {
                let path = Path::new(&folder).join(format!("{side}_{name}"));
                std::fs::write(path, scene.samples(name).unwrap_or_default())?;
            }
            scenes.insert(side, scene);
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", json!(WORKS.map(|(name, _)| name)))?;
        for line in std::io::stdin().lock().lines() {
            let line = line?;
            let (side, name) = line.split_once(' ').ok_or("expected SIDE WORK")?;
            let scene = scenes.get(side).ok_or("no scene of this side")?;
            let work = work(name).ok_or_else(|| format!("no work is named {name}"))?;
            let [ms, value] = fastest(scene, work)?;
            writeln!(
                out,
                "{}",
                json!([{"who": "native", "ms": ms, "value": value}])
            )?;
        }
        Ok(())
    }

    fn fastest(scene: &Scene, work: Work) -> Result<[f64; 2], Trouble> {
        let begin = Instant::now();
        let mut best = f64::INFINITY;
        loop {
            let start = Instant::now();
            let value = scene.run(work)?;
            best = best.min(start.elapsed().as_secs_f64() * 1e3);
            if begin.elapsed() >= VISIT {
                return Ok([best, value]);
            }
        }
    }
}

#[cfg(all(target_arch = "wasm32", feature = "gpu"))]
mod web {
    use juror_gpu::{Gpu, Pair};
    use juror_metrics::{Canny, Input, Metric};
    use juror_tests::bench::{Scene, Sides, Trouble, WHOLE, Work, num_edges, work};
    use wasm_bindgen::prelude::*;

    /// Pairs of a submission to the GPU, of which two are under way, as in the page's own client.
    const PIECE: usize = 4;

    /// A scene in a page.
    #[wasm_bindgen]
    pub struct Bench {
        scene: Scene,
        gpu: Option<Gpu>,
    }

    #[wasm_bindgen]
    impl Bench {
        /// Draws the pair of this side.
        pub fn draw(side: usize) -> Result<Bench, JsError> {
            let scene = Scene::draw(side).map_err(|trouble| told(&trouble))?;
            Ok(Self { scene, gpu: None })
        }

        /// The same with the GPU; rejects where the browser gives none.
        pub async fn with_gpu(side: usize) -> Result<Bench, JsError> {
            let gpu = Gpu::new().await?;
            let scene = Scene::draw(side).map_err(|trouble| told(&trouble))?;
            Ok(Self {
                scene,
                gpu: Some(gpu),
            })
        }

        /// The samples of `r`, `c`, `gr` or `gc`.
        pub fn samples(&self, name: &str) -> Vec<u8> {
            self.scene.samples(name).unwrap_or_default().to_vec()
        }

        /// Does a work on the CPU.
        pub fn run(&self, name: &str) -> Result<f64, JsError> {
            let work = work(name).ok_or_else(|| JsError::new("no such work"))?;
            self.scene.run(work).map_err(|trouble| told(&trouble))
        }

        /// Does a work on the GPU, upload and reading back included; NaN where it is the CPU's alone.
        pub async fn run_on_gpu(&self, name: String) -> Result<f64, JsError> {
            let (Some(gpu), Some(work)) = (&self.gpu, work(&name)) else {
                return Err(JsError::new("no GPU, or no such work"));
            };
            match work {
                Work::Metric(metric, kind) => {
                    let pair = pair(self.scene.sides(kind)).ok_or_else(unfit)?;
                    Ok(gpu.compute(metric, pair).await?)
                }
                Work::Canny => {
                    let Pair { reference, .. } = pair(&self.scene.grey).ok_or_else(unfit)?;
                    let edges = gpu.canny(&reference, Canny::MULTIREF).await?;
                    Ok(num_edges(&edges.map))
                }
                _ => Ok(f64::NAN),
            }
        }

        /// The metrics of so many decoded pairs on the CPU.
        pub fn batch(&self, num_pairs: usize) -> Result<f64, JsError> {
            Ok(self.scene.batch(num_pairs)?)
        }

        /// The same on the GPU.
        pub async fn batch_on_gpu(&self, num_pairs: usize) -> Result<f64, JsError> {
            let gpu = self.gpu.as_ref().ok_or_else(|| JsError::new("no GPU"))?;
            let pair = pair(&self.scene.colour).ok_or_else(unfit)?;
            let metrics: [Metric; 3] = WHOLE;
            let pieces = vec![pair; num_pairs];
            let mut pieces = pieces.chunks(PIECE);
            let mut under_way = pieces.next().map(|piece| gpu.start(&metrics, piece));
            let mut sum = 0.0;
            while let Some(present) = under_way {
                under_way = pieces.next().map(|piece| gpu.start(&metrics, piece));
                for value in present.finish().await.into_iter().flatten() {
                    sum += value?;
                }
            }
            Ok(sum)
        }
    }

    fn pair([reference, candidate]: &Sides) -> Option<Pair<'_>> {
        match (reference, candidate) {
            (Input::Picture(reference), Input::Picture(candidate)) => Some(Pair {
                reference: reference.view(),
                candidate: candidate.view(),
            }),
            _ => None,
        }
    }

    fn unfit() -> JsError {
        JsError::new("a scene holds pictures")
    }

    fn told(trouble: &Trouble) -> JsError {
        JsError::new(&trouble.to_string())
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {}
