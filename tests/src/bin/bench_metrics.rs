//! Does the work of `cargo xtask bench metrics`, natively and in a page; `bench-metrics.spec.ts` asks both, and prints.
//!
//! Natively: `bench_metrics FOLDER SIDE…` writes the pictures there, says which works there are, then answers each line
//! `SIDE WORK` with the fastest time in milliseconds and the value, on a core and, where there is one, on the GPU, there a
//! pair's share of a batch; all as JSON.
//! In Wasm it is a module for pages, with the GPU where there is one.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::collections::BTreeMap;
    use std::io::{BufRead as _, Write as _};
    use std::path::Path;
    use std::process::ExitCode;
    use std::time::{Duration, Instant};

    use blazediff_ssim::{
        HitchhikersOptions, MsSsimOptions, Plane, SsimError, SsimOptions, SsimOutcome,
        hitchhikers_ssim, ms_ssim, ssim,
    };
    use juror_metrics::Input;
    use juror_tests::bench::{Kind, Scene, Trouble, WORKS, Work, work};
    use serde_json::{Value, json};

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
        let gpu = OnGpu::open();
        let mut out = std::io::stdout().lock();
        let works = WORKS.map(|(name, _)| name);
        let adapter = gpu.as_ref().map_or("", OnGpu::adapter);
        writeln!(out, "{}", json!({"works": works, "adapter": adapter}))?;
        for line in std::io::stdin().lock().lines() {
            let line = line?;
            let (side, name) = line.split_once(' ').ok_or("expected SIDE WORK")?;
            let scene = scenes.get(side).ok_or("no scene of this side")?;
            let work = work(name).ok_or_else(|| format!("no work is named {name}"))?;
            let [ms, value] = fastest(|| scene.run(work))?;
            let mut answers = vec![json!({"who": "native", "ms": ms, "value": value})];
            if let Some(gpu) = &gpu {
                answers.extend(gpu.answer(scene, work)?);
            }
            answers.extend(peer(scene, name)?);
            writeln!(out, "{}", json!(answers))?;
        }
        Ok(())
    }

    fn fastest(mut once: impl FnMut() -> Result<f64, Trouble>) -> Result<[f64; 2], Trouble> {
        let begin = Instant::now();
        let mut best = f64::INFINITY;
        loop {
            let start = Instant::now();
            let value = once()?;
            best = best.min(start.elapsed().as_secs_f64() * 1e3);
            if begin.elapsed() >= VISIT {
                return Ok([best, value]);
            }
        }
    }

    /// The crate that has a similar metric, in grey and in f32.
    fn peer(scene: &Scene, name: &str) -> Result<Option<Value>, Trouble> {
        let by = |of: &dyn Fn(&[Plane; 2]) -> Result<SsimOutcome, SsimError>| {
            fastest(|| {
                let [reference, candidate] = scene.sides(Kind::Grey);
                let planes = [plane(reference)?, plane(candidate)?];
                Ok(of(&planes)?.score)
            })
        };
        let window = |window_size| SsimOptions {
            window_size,
            ..SsimOptions::default()
        };
        let ([ms, value], who, otherwise) = match name {
            "SSIM 7 × 7, grey" => {
                let every = HitchhikersOptions {
                    window_stride: Some(1),
                    cov_pooling: false,
                };
                let found = by(&|[r, c]| hitchhikers_ssim(r, c, &window(7), &every))?;
                (
                    found,
                    "hitchhikers_ssim, stride 1",
                    "population covariance, f32",
                )
            }
            "SSIM Gaussian, grey" => {
                let found = by(&|[r, c]| ssim(r, c, &window(11)))?;
                let otherwise = "less: shrinks the pictures to about 256 first; f32";
                (found, "ssim", otherwise)
            }
            "MS-SSIM, RGB" => {
                let found = by(&|[r, c]| ms_ssim(r, c, &window(11), &MsSsimOptions::default()))?;
                (found, "ms_ssim", "less: grey, one channel of three; f32")
            }
            _ => return Ok(None),
        };
        let who = format!("blazediff-ssim (Rust), {who}");
        Ok(Some(
            json!({"who": who, "ms": ms, "value": value, "otherwise": otherwise}),
        ))
    }

    /// A picture in grey as the crate takes it.
    fn plane(side: &Input) -> Result<Plane, Trouble> {
        let picture = side.picture().ok_or("a scene holds pictures")?;
        let (width, height) = picture.view().size();
        Ok(Plane {
            samples: picture.data().iter().copied().map(f32::from).collect(),
            width,
            height,
        })
    }

    /// The GPU, opened once.
    #[cfg(feature = "gpu")]
    struct OnGpu(juror_gpu::Gpu);

    #[cfg(feature = "gpu")]
    impl OnGpu {
        /// Pairs of a batch.
        const PAIRS: usize = 16;
        /// Relative: a shader computes in f32.
        const TOLERANCE: f64 = 1e-4;

        fn open() -> Option<Self> {
            let opened = pollster::block_on(juror_gpu::Gpu::new());
            if let Err(why) = &opened {
                let _ = writeln!(std::io::stderr(), "SKIPPED: the native GPU: {why}");
            }
            opened.ok().map(Self)
        }

        fn adapter(&self) -> &str {
            self.0.adapter()
        }

        fn answer(&self, scene: &Scene, work: Work) -> Result<Option<Value>, Trouble> {
            let Some((metrics, kind)) = juror_tests::bench::twins(work) else {
                return Ok(None);
            };
            let batch =
                |pairs| pollster::block_on(scene.batch_on_gpu(&self.0, (&metrics, kind), pairs));
            // The first time shaders are compiled.
            let value = batch(1)?;
            let [ms, _] = fastest(|| batch(Self::PAIRS))?;
            let ms = ms / Self::PAIRS as f64;
            Ok(Some(
                json!({"who": "native GPU", "ms": ms, "value": value, "tolerance": Self::TOLERANCE}),
            ))
        }
    }

    /// Nothing: the program was built without it.
    #[cfg(not(feature = "gpu"))]
    struct OnGpu;

    #[cfg(not(feature = "gpu"))]
    impl OnGpu {
        fn open() -> Option<Self> {
            None
        }

        fn adapter(&self) -> &str {
            ""
        }

        fn answer(&self, _: &Scene, _: Work) -> Result<Option<Value>, Trouble> {
            Ok(None)
        }
    }
}

#[cfg(all(target_arch = "wasm32", feature = "gpu"))]
mod web {
    use juror_gpu::{Gpu, Pair};
    use juror_metrics::Canny;
    use juror_tests::bench::{Kind, Scene, Trouble, WHOLE, Work, num_edges, pair, twins, work};
    use wasm_bindgen::prelude::*;

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
            if let Some((metrics, kind)) = twins(work) {
                let found = self.scene.batch_on_gpu(gpu, (&metrics, kind), 1).await;
                return found.map_err(|trouble| told(&trouble));
            }
            if !matches!(work, Work::Canny) {
                return Ok(f64::NAN);
            }
            let Pair { reference, .. } =
                pair(&self.scene.grey).map_err(|trouble| told(&trouble))?;
            let edges = gpu.canny(&reference, Canny::MULTIREF).await?;
            Ok(num_edges(&edges.map))
        }

        /// The metrics of so many decoded pairs on the CPU.
        pub fn batch(&self, num_pairs: usize) -> Result<f64, JsError> {
            Ok(self.scene.batch(num_pairs)?)
        }

        /// The same on the GPU.
        pub async fn batch_on_gpu(&self, num_pairs: usize) -> Result<f64, JsError> {
            let gpu = self.gpu.as_ref().ok_or_else(|| JsError::new("no GPU"))?;
            let found = self
                .scene
                .batch_on_gpu(gpu, (&WHOLE, Kind::Colour), num_pairs)
                .await;
            found.map_err(|trouble| told(&trouble))
        }
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
