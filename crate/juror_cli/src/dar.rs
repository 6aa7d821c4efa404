//! Dynamic Attention Rebalancing of one attention call whose Q and K lie in files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use juror_metrics::{
    Array, Axis, Call, Dar, Flat, Focus, Heads, Layout, Maps, MetricError, Others, Over, Reference,
    Side, Tensor, Weighing,
};
use serde::de::DeserializeOwned;

use crate::print;
use crate::say;

/// What to compute from.
#[derive(Debug, clap::Args)]
pub(crate) struct DarArgs {
    /// Q: NPY or safetensors, (tokens, heads, numbers).
    #[arg(long, value_name = "FILE")]
    q: PathBuf,
    /// K of the same call.
    #[arg(long, value_name = "FILE")]
    k: PathBuf,
    /// The tensor in a safetensors file of several.
    #[arg(long, value_name = "NAME", default_value = "")]
    q_tensor: String,
    /// The same of K.
    #[arg(long, value_name = "NAME", default_value = "")]
    k_tensor: String,
    /// Order of the axes: `tokens_heads` or `heads_tokens`.
    #[arg(long, default_value = "tokens_heads", value_parser = named::<Layout>)]
    layout: Layout,
    /// Which keys are which reference image: `32x32,24x40` (rows × columns of tokens), `512:32x32` from key 512 on, `1024` for
    /// tokens that are no grid. All keys are one reference if not given.
    #[arg(long, value_name = "LIST")]
    references: Option<String>,
    /// What the method leaves to be chosen.
    #[command(flatten)]
    options: Options,
    /// Maps of this row of Q alone, from 0; the mean of all if not given.
    #[arg(long)]
    row: Option<usize>,
    /// Maps of this head alone, from 0; the mean of all if not given.
    #[arg(long)]
    head: Option<usize>,
    /// Folder to write `relevance.npy`, `normalised.npy`, `weights.npy`, `before.npy` and `after.npy` to, one number for each key.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// With --out, also the whole tensors: `sampled.npy`, `attention_before.npy`, `attention_after.npy`.
    #[arg(long, requires = "out")]
    full: bool,
    /// Computes the maps on the GPU; weights are the CPU's always.
    #[arg(long)]
    gpu: bool,
    /// What each of several values changes, in place of one report: `gamma=0.05,0.15,0.25`, also of `high`, `low` and `samples`;
    /// several of them in all combinations.
    #[arg(long, value_name = "NAME=VALUES", conflicts_with_all = ["out", "gpu"])]
    sweep: Vec<Axis>,
    /// With --sweep, one row of CSV for each setting.
    #[arg(long, requires = "sweep")]
    csv: bool,
}

#[derive(Debug, clap::Args)]
struct Options {
    /// Rows of Q that relevance is taken from.
    #[arg(long, default_value_t = Dar::default().samples)]
    samples: usize,
    /// γ: keys grow to 1 + γ and shrink to 1 − γ.
    #[arg(long, default_value_t = Dar::default().gamma)]
    gamma: f64,
    /// Relevance from which on keys grow.
    #[arg(long, default_value_t = Dar::default().high)]
    high: f64,
    /// Relevance up to which keys shrink.
    #[arg(long, default_value_t = Dar::default().low)]
    low: f64,
    /// What relevance is normalised over: `joint` or `per_reference`.
    #[arg(long, default_value = "joint", value_parser = named::<Over>)]
    extent: Over,
    /// Tokens that are all equally relevant: `unchanged` or `lowest`.
    #[arg(long, default_value = "unchanged", value_parser = named::<Flat>)]
    flat: Flat,
    /// Keys outside of all references: `left_out` or `unweighted`.
    #[arg(long, default_value = "left_out", value_parser = named::<Others>)]
    others: Others,
    /// Heads of Q and K: `equal` or `grouped`.
    #[arg(long, default_value = "equal", value_parser = named::<Heads>)]
    heads: Heads,
}

/// An option by the name that reports have for it.
fn named<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_value(text.into()).map_err(|error| error.to_string())
}

/// Prints the report, and writes arrays where they are wanted.
pub(crate) fn run(args: &DarArgs) -> anyhow::Result<ExitCode> {
    let tensor = |what: &str, path: &Path, name: &str| -> anyhow::Result<Tensor> {
        let path_text = path.display().to_string();
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {path_text}"))?;
        let array = Array::from_file(&bytes, name).with_context(|| path_text.clone())?;
        Ok(Tensor::new(
            &format!("{what} of {path_text}"),
            array,
            args.layout,
        )?)
    };
    let q = tensor("Q", &args.q, &args.q_tensor)?;
    let k = tensor("K", &args.k, &args.k_tensor)?;
    let references = args.references.as_deref().map(Reference::list);
    let call = Call::new(
        q,
        k,
        references.transpose()?.unwrap_or_default(),
        args.options.dar(),
    )?;
    let focus = Focus {
        row: args.row,
        head: args.head,
    };
    if !args.sweep.is_empty() {
        let found = call.sweep(&args.sweep, focus)?;
        print(&if args.csv { found.csv() } else { found.json() })?;
        return Ok(ExitCode::SUCCESS);
    }
    let weighing = call.weigh();
    let (maps, backend) = if args.gpu {
        on_gpu(&call, &weighing, focus)
    } else {
        (call.maps(&weighing.weights, focus), "cpu")
    };
    let maps = maps?;
    if let Some(folder) = &args.out {
        write(folder, &call, &weighing, &maps)?;
        if args.full {
            write_whole(folder, &call, &weighing)?;
        }
    }
    print(&call.report(&weighing, focus, &maps, backend).json())?;
    Ok(ExitCode::SUCCESS)
}

impl Options {
    fn dar(&self) -> Dar {
        Dar {
            samples: self.samples,
            gamma: self.gamma,
            high: self.high,
            low: self.low,
            extent: self.extent,
            flat: self.flat,
            others: self.others,
            heads: self.heads,
        }
    }
}

/// The GPU's maps and "gpu", or the CPU's in their place and "cpu"; says which GPU it was, or why it was none.
#[cfg(feature = "gpu")]
fn on_gpu(
    call: &Call,
    weighing: &Weighing,
    focus: Focus,
) -> (Result<Maps, MetricError>, &'static str) {
    use juror_gpu::{Gpu, GpuError};

    let outcome = pollster::block_on(async {
        let gpu = Gpu::new().await?;
        let maps = gpu.dar_maps(call, &weighing.weights, focus).await?;
        say(&format!("computed on the GPU: {}", gpu.adapter()));
        Ok(maps)
    });
    match outcome {
        Ok(maps) => (Ok(maps), "gpu"),
        Err(GpuError::Metric(error)) => (Err(error), "gpu"),
        Err(reason) => {
            say(&format!("computed on the CPU instead: {reason}"));
            (call.maps(&weighing.weights, focus), "cpu")
        }
    }
}

/// This program was built without a GPU's part.
#[cfg(not(feature = "gpu"))]
fn on_gpu(
    call: &Call,
    weighing: &Weighing,
    focus: Focus,
) -> (Result<Maps, MetricError>, &'static str) {
    say(crate::metric::WITHOUT_GPU);
    (call.maps(&weighing.weights, focus), "cpu")
}

fn write(folder: &Path, call: &Call, weighing: &Weighing, maps: &Maps) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let normalised = weighing.normalised.iter();
    let normalised = normalised.map(|one| one.unwrap_or(f64::NAN)).collect();
    for (name, numbers) in [
        ("relevance", weighing.relevance.clone()),
        ("normalised", normalised),
        ("weights", weighing.weights.clone()),
        ("before", maps.before.clone()),
        ("after", maps.after.clone()),
    ] {
        let array = Array {
            shape: vec![numbers.len()],
            data: numbers,
            is_bytes: false,
        };
        save(folder, name, &array)?;
    }
    say(&format!(
        "wrote relevance, normalised and weights of {} reference tokens, before and after of {} keys to {}",
        weighing.weights.len(),
        call.keys().len(),
        folder.display()
    ));
    Ok(())
}

fn write_whole(folder: &Path, call: &Call, weighing: &Weighing) -> anyhow::Result<()> {
    save(folder, "sampled", &call.sampled_attention(weighing)?)?;
    for (name, side) in [
        ("attention_before", Side::Before),
        ("attention_after", Side::After),
    ] {
        save(folder, name, &call.attention(&weighing.weights, side)?)?;
    }
    Ok(())
}

fn save(folder: &Path, name: &str, array: &Array) -> anyhow::Result<()> {
    let path = folder.join(format!("{name}.npy"));
    std::fs::write(&path, array.to_npy())
        .with_context(|| format!("cannot write {}", path.display()))
}
