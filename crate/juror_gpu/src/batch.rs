//! Many pairs at once: several pairs and metrics in one submission, each picture uploaded once.

use juror_metrics::{
    Grey, Image, Metric, MetricError, MsSsim, Pixels, Window, psnr_of, require_mirror,
};

use crate::GpuError;
use crate::canny::EdgePair;
use crate::change;
use crate::context::Gpu;
use crate::kernel::Kernel;
use crate::mask;
use crate::ms_ssim;
use crate::mse::encode_sums;
use crate::plane::{Plane, Planes};
use crate::ssim::Windows;
use crate::work::{Later, Running, Work};

/// Two pictures that are compared.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// What should be.
    pub reference: Pixels<'a>,
    /// What came out.
    pub candidate: Pixels<'a>,
}

/// Whether a metric of pictures is computed on the GPU; the others are the CPU's alone.
pub fn has_twin(metric: Metric) -> bool {
    matches!(
        metric,
        Metric::Mse
            | Metric::Psnr
            | Metric::Mae
            | Metric::Ssim
            | Metric::SsimGrey
            | Metric::SsimGaussian
            | Metric::SsimGaussianGrey
            | Metric::SsimTorchmetrics
            | Metric::MsSsim
            | Metric::MsSsimPytorch
            | Metric::EdgeMse
            | Metric::Changed
            | Metric::Mask
    )
}

/// A value on its way.
enum Value {
    Known(Result<f64, GpuError>),
    Later(Later<f64>),
    /// Its edges may need further submissions.
    Edges(Box<EdgePair>),
    /// Too large for a buffer: looked at in bands, after the others.
    Alone(Metric, Box<[Image<u8>; 2]>),
}

/// A submission that the GPU works on while the host does something else.
pub struct Started<'g> {
    gpu: &'g Gpu,
    running: Result<Running<'g>, GpuError>,
    values: Vec<Vec<Value>>,
}

impl Gpu {
    /// Begins to compute every metric of every pair, in one submission, and returns at once.
    ///
    /// All pairs of a call are on the GPU at the same time: hand over as many as its memory may hold, and the next ones
    /// while these are computed.
    pub fn start(&self, metrics: &[Metric], pairs: &[Pair<'_>]) -> Started<'_> {
        let mut work = match Work::new(self) {
            Ok(work) => work,
            Err(error) => {
                let row = || metrics.iter().map(|_| Value::Known(Err(error.clone())));
                return Started {
                    gpu: self,
                    values: pairs.iter().map(|_| row().collect()).collect(),
                    running: Err(error),
                };
            }
        };
        let values = pairs
            .iter()
            .map(|pair| {
                let mut sides = Sides::new(*pair);
                let row = metrics.iter().map(|metric| {
                    let value = sides.encode(&mut work, *metric);
                    value.unwrap_or_else(|error| Value::Known(Err(error)))
                });
                row.collect()
            })
            .collect();
        Started {
            gpu: self,
            running: Ok(work.start()),
            values,
        }
    }

    /// One metric of one pair, by name: the twin of [`Metric::compute`] for pictures.
    ///
    /// # Errors
    /// [`GpuError::NoTwin`] where [`has_twin`] says so, else those of the metric's own function.
    pub async fn compute(&self, metric: Metric, pair: Pair<'_>) -> Result<f64, GpuError> {
        let values = self.start(&[metric], &[pair]).finish().await;
        let value = values.into_iter().flatten().next();
        value.unwrap_or(Err(GpuError::NoTwin {
            metric: metric.id(),
        }))
    }

    /// A metric of a pair that fits no buffer, for those that are looked at in bands.
    async fn alone(&self, metric: Metric, pair: &[Image<u8>; 2]) -> Result<f64, GpuError> {
        let [r, c] = pair.each_ref().map(Image::view);
        let ssim =
            async |window, rounding| Ok(self.ssim_of(&r, &c, window, 255.0, rounding).await?.value);
        match metric {
            Metric::Mse => self.mse(&r, &c).await,
            Metric::Psnr => self.psnr(&r, &c).await,
            Metric::Mae => self.mae(&r, &c).await,
            Metric::Ssim => ssim(Window::UNIFORM, None).await,
            Metric::SsimGrey => ssim(Window::UNIFORM, Some(Grey::OpenCv)).await,
            Metric::SsimGaussian => ssim(Window::GAUSSIAN, None).await,
            Metric::SsimGaussianGrey => ssim(Window::GAUSSIAN, Some(Grey::OpenCv)).await,
            Metric::Changed => {
                let threshold = Metric::CHANGE_THRESHOLD;
                let found = self.changes(&r, &c, threshold, None).await?;
                Ok(found.changed_share())
            }
            _ => Err(GpuError::TooLarge {
                what: "a picture",
                needed: r.data().len() as u64,
                limit: self.max_buffer_bytes(),
            }),
        }
    }
}

impl Started<'_> {
    /// Waits for the values: one list for each pair, in it one value for each metric, in the order of the call.
    ///
    /// # Errors
    /// Each value has its own; a GPU that is lost takes all of them along.
    pub async fn finish(self) -> Vec<Vec<Result<f64, GpuError>>> {
        let Self {
            gpu,
            running,
            mut values,
        } = self;
        let outcome = match running {
            Ok(running) => settle(gpu, running, &mut values).await,
            Err(error) => Err(error),
        };
        let mut all = Vec::with_capacity(values.len());
        for pair in values {
            let mut row = Vec::with_capacity(pair.len());
            for value in pair {
                row.push(match (value, &outcome) {
                    (Value::Known(value), _) => value,
                    (_, Err(error)) => Err(error.clone()),
                    (Value::Alone(metric, pair), _) => gpu.alone(metric, &pair).await,
                    // `settle` has turned these into numbers.
                    (Value::Later(_) | Value::Edges(_), Ok(())) => Err(GpuError::Refused {
                        reason: "it gave no result".to_owned(),
                    }),
                });
            }
            all.push(row);
        }
        all
    }
}

/// Reads values back, and follows edges until all stand still.
async fn settle<'g>(
    gpu: &'g Gpu,
    mut running: Running<'g>,
    values: &mut [Vec<Value>],
) -> Result<(), GpuError> {
    loop {
        let (words, held) = running.finish().await?;
        let mut next = Work::new(gpu)?;
        let mut is_done = true;
        for value in values.iter_mut().flatten() {
            let present = std::mem::replace(value, Value::Known(Ok(f64::NAN)));
            *value = match present {
                Value::Later(later) => Value::Known(Ok(later(&words))),
                Value::Edges(pair) => match pair.value(&words) {
                    Ok(number) => Value::Known(Ok(number)),
                    Err(pair) => match pair.go_on(&mut next) {
                        Ok(pair) => {
                            is_done = false;
                            Value::Edges(pair)
                        }
                        Err(error) => Value::Known(Err(error)),
                    },
                },
                known => known,
            };
        }
        if is_done {
            return Ok(());
        }
        next.keep(held);
        running = next.start();
    }
}

/// A pair whose planes are uploaded and made grey when a metric first asks.
struct Sides<'a> {
    pair: Pair<'a>,
    planes: Option<Planes>,
    greys: Option<Planes>,
}

impl<'a> Sides<'a> {
    fn new(pair: Pair<'a>) -> Self {
        Self {
            pair,
            planes: None,
            greys: None,
        }
    }

    fn planes(&mut self, work: &mut Work<'_>) -> Result<Planes, GpuError> {
        if let Some(planes) = &self.planes {
            return Ok(planes.clone());
        }
        let planes = Planes::upload(work, &self.pair.reference, &self.pair.candidate)?;
        self.planes = Some(planes.clone());
        Ok(planes)
    }

    fn greys(&mut self, work: &mut Work<'_>) -> Result<Planes, GpuError> {
        if let Some(greys) = &self.greys {
            return Ok(greys.clone());
        }
        let greys = self.planes(work)?.grey(work, Grey::OpenCv)?;
        self.greys = Some(greys.clone());
        Ok(greys)
    }

    fn encode(&mut self, work: &mut Work<'_>, metric: Metric) -> Result<Value, GpuError> {
        if !has_twin(metric) {
            return Err(GpuError::NoTwin {
                metric: metric.id(),
            });
        }
        match self.encode_whole(work, metric) {
            Err(GpuError::TooLarge { .. }) => {
                let Pair {
                    reference,
                    candidate,
                } = self.pair;
                let sides = Box::new([reference.to_image(), candidate.to_image()]);
                Ok(Value::Alone(metric, sides))
            }
            value => value,
        }
    }

    fn encode_whole(&mut self, work: &mut Work<'_>, metric: Metric) -> Result<Value, GpuError> {
        let Pair {
            reference: r,
            candidate: c,
        } = self.pair;
        match metric {
            // The one metric that brings its reference to size.
            Metric::Mask => {
                let generated = Plane::upload(work, &c)?;
                let reference = Plane::upload(work, &r)?;
                let later = mask::encode_multiref(work, &generated, &reference)?;
                return Ok(Value::Later(Box::new(move |words| later(words).iou())));
            }
            Metric::EdgeMse => r.require_same_size(&c)?,
            _ => r.require_same_shape(&c)?,
        }
        let num_samples = r.data().len() as f64;
        Ok(match metric {
            Metric::Psnr => {
                let planes = self.planes(work)?;
                let later = encode_sums(work, Kernel::Mse, 0, &planes)?;
                Value::Later(Box::new(move |words| {
                    psnr_of(later(words)[0] as f64 / num_samples)
                }))
            }
            Metric::Mse | Metric::Mae => {
                let kernel = if metric == Metric::Mse {
                    Kernel::Mse
                } else {
                    Kernel::Mae
                };
                let planes = self.planes(work)?;
                let later = encode_sums(work, kernel, 0, &planes)?;
                Value::Later(Box::new(move |words| later(words)[0] as f64 / num_samples))
            }
            Metric::EdgeMse => {
                let greys = self.greys(work)?;
                Value::Edges(EdgePair::encode(work, &greys)?)
            }
            Metric::Changed => {
                let planes = self.planes(work)?;
                let later = change::encode(work, &planes, Metric::CHANGE_THRESHOLD, None)?;
                Value::Later(Box::new(move |words| later(words).changed_share()))
            }
            Metric::MsSsim | Metric::MsSsimPytorch => {
                let variant = if metric == Metric::MsSsim {
                    MsSsim::Torchmetrics
                } else {
                    MsSsim::PytorchMsssim
                };
                variant.require(&r, &c)?;
                let planes = self.planes(work)?;
                Value::Later(ms_ssim::encode(work, &planes, variant)?)
            }
            _ => self.encode_ssim(work, metric)?,
        })
    }

    fn encode_ssim(&mut self, work: &mut Work<'_>, metric: Metric) -> Result<Value, GpuError> {
        let Pair {
            reference: r,
            candidate: c,
        } = self.pair;
        let window = match metric {
            Metric::Ssim | Metric::SsimGrey => Some(Window::UNIFORM),
            Metric::SsimGaussian | Metric::SsimGaussianGrey => Some(Window::GAUSSIAN),
            _ => None,
        };
        let windows = if let Some(window) = window {
            window.positions(&r, &c, 255.0)?;
            Windows::of(window, 255.0)?
        } else {
            require_mirror(&r, &c)?;
            Some(Windows::mirrored())
        };
        let planes = match metric {
            Metric::SsimGrey | Metric::SsimGaussianGrey => self.greys(work)?,
            _ => self.planes(work)?,
        };
        let windows = windows.ok_or(GpuError::Metric(MetricError::Window { found: 0 }))?;
        let later = windows.encode_planes(work, &planes)?;
        Ok(Value::Later(Box::new(move |words| {
            later(words).mean().value
        })))
    }
}
