//! The GPU itself: its adapter, its device, its compiled shaders and whether it still lives.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use wgpu::{
    ComputePipeline, ComputePipelineDescriptor, Device, DeviceDescriptor, DeviceLostReason,
    DeviceType, Instance, Limits, PipelineCompilationOptions, PowerPreference, Queue,
    RequestAdapterOptions, ShaderModuleDescriptor, ShaderSource,
};

use crate::GpuError;
use crate::kernel::Kernel;
use crate::pool::Pool;

/// How a GPU is used.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The largest buffer; the adapter's own limit where that is lower or nothing is said.
    /// Pictures beyond it are looked at in bands of rows, where the metric allows.
    pub max_buffer_bytes: Option<u64>,
    /// What buffers for results hold before a shader writes them.
    pub fill: Fill,
}

/// What buffers for results hold before a shader writes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// What was left there.
    #[default]
    AsIs,
    /// Ones in every bit: NaN as f32, 2³² − 1 as u32, 255 as a byte. A result that no shader wrote cannot pass for one.
    Ones,
}

/// A GPU that is ready to compute.
///
/// Cheap to keep and costly to open: shaders are compiled on their first use, buffers are used again.
#[derive(Debug)]
pub struct Gpu {
    pub(crate) device: Device,
    pub(crate) queue: Queue,
    pub(crate) pool: Pool,
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) belts: crate::staging::Belts,
    pub(crate) fill: Fill,
    pipelines: Mutex<HashMap<Kernel, ComputePipeline>>,
    adapter: String,
    is_software: bool,
    limit: u64,
    faults: Arc<Mutex<Faults>>,
}

/// What the driver told behind our back.
#[derive(Debug, Default)]
struct Faults {
    lost: Option<String>,
    refused: Option<String>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gpu {
    /// The fastest GPU that the system offers.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`], [`GpuError::NoDevice`].
    pub async fn new() -> Result<Self, GpuError> {
        Self::with(Options::default()).await
    }

    /// The same with options.
    ///
    /// # Errors
    /// As [`Gpu::new`].
    pub async fn with(options: Options) -> Result<Self, GpuError> {
        let instance = Instance::default();
        let wanted = RequestAdapterOptions {
            power_preference: PowerPreference::HighPerformance,
            ..RequestAdapterOptions::default()
        };
        let adapter =
            instance
                .request_adapter(&wanted)
                .await
                .map_err(|error| GpuError::NoAdapter {
                    reason: error.to_string(),
                })?;
        let info = adapter.get_info();
        let name = match info.name.as_str() {
            // Browsers may keep the name to themselves.
            "" => format!("{:?}", info.backend),
            name => format!("{name} ({:?})", info.backend),
        };
        let offered = adapter.limits();
        let limits = Limits {
            max_storage_buffer_binding_size: offered.max_storage_buffer_binding_size,
            max_buffer_size: offered.max_buffer_size,
            ..Limits::default()
        };
        let descriptor = DeviceDescriptor {
            label: Some("juror"),
            required_limits: limits,
            ..DeviceDescriptor::default()
        };
        let (device, queue) =
            adapter
                .request_device(&descriptor)
                .await
                .map_err(|error| GpuError::NoDevice {
                    adapter: name.clone(),
                    reason: error.to_string(),
                })?;
        let limits = device.limits();
        let own = limits
            .max_buffer_size
            .min(limits.max_storage_buffer_binding_size);
        let limit = options.max_buffer_bytes.unwrap_or(own).min(own);
        Ok(Self {
            faults: watched(&device),
            device,
            queue,
            pool: Pool::default(),
            #[cfg(not(target_arch = "wasm32"))]
            belts: crate::staging::Belts::default(),
            fill: options.fill,
            pipelines: Mutex::default(),
            adapter: name,
            is_software: info.device_type == DeviceType::Cpu,
            limit,
        })
    }

    /// The adapter's name and the interface it is reached by, for reports.
    pub fn adapter(&self) -> &str {
        &self.adapter
    }

    /// Whether it is a program on the CPU, such as Mesa's lavapipe.
    pub fn is_software(&self) -> bool {
        self.is_software
    }

    /// Bytes that a buffer can hold.
    pub fn max_buffer_bytes(&self) -> u64 {
        self.limit
    }

    /// Gives the GPU's memory back; every later call is [`GpuError::DeviceLost`].
    pub fn close(&self) {
        locked(&self.faults).lost = Some("it was closed".to_owned());
        self.pool.clear();
        #[cfg(not(target_arch = "wasm32"))]
        self.belts.clear();
        self.device.destroy();
    }

    /// Errors if the GPU was lost or refused something since it was asked last.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        let mut faults = locked(&self.faults);
        if let Some(reason) = faults.lost.clone() {
            return Err(GpuError::DeviceLost { reason });
        }
        match faults.refused.take() {
            Some(reason) => Err(GpuError::Refused { reason }),
            None => Ok(()),
        }
    }

    /// Errors if so many bytes do not fit into one buffer.
    pub(crate) fn require_room(&self, what: &'static str, needed: u64) -> Result<(), GpuError> {
        if needed <= self.limit {
            return Ok(());
        }
        Err(GpuError::TooLarge {
            what,
            needed,
            limit: self.limit,
        })
    }

    /// The compiled shader.
    pub(crate) fn pipeline(&self, kernel: Kernel) -> ComputePipeline {
        let mut pipelines = locked(&self.pipelines);
        let compile = || {
            let label = format!("{kernel:?}");
            let module = self.device.create_shader_module(ShaderModuleDescriptor {
                label: Some(&label),
                source: ShaderSource::Wgsl(kernel.source().into()),
            });
            self.device
                .create_compute_pipeline(&ComputePipelineDescriptor {
                    label: Some(&label),
                    layout: None,
                    module: &module,
                    entry_point: Some("main"),
                    compilation_options: PipelineCompilationOptions::default(),
                    cache: None,
                })
        };
        pipelines.entry(kernel).or_insert_with(compile).clone()
    }
}

/// Listens for what the driver tells.
fn watched(device: &Device) -> Arc<Mutex<Faults>> {
    let faults = Arc::<Mutex<Faults>>::default();
    let lost = Arc::clone(&faults);
    device.set_device_lost_callback(move |reason, message| {
        let text = match reason {
            DeviceLostReason::Destroyed => "it was closed".to_owned(),
            DeviceLostReason::Unknown if message.is_empty() => {
                "the driver gave no reason".to_owned()
            }
            DeviceLostReason::Unknown => message,
        };
        locked(&lost).lost.get_or_insert(text);
    });
    let refused = Arc::clone(&faults);
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        locked(&refused).refused.get_or_insert(error.to_string());
    }));
    faults
}
