//! One submission: what is uploaded, which shaders run, and what is read back.

use futures_channel::oneshot;
use wgpu::{
    BindGroupDescriptor, BindGroupEntry, Buffer, BufferUsages, CommandEncoder,
    CommandEncoderDescriptor, ComputePass, ComputePassDescriptor, MapMode,
};

use crate::GpuError;
use crate::context::{Fill, Gpu};
use crate::kernel::Kernel;
#[cfg(not(target_arch = "wasm32"))]
use crate::staging;

const STORAGE: BufferUsages = BufferUsages::STORAGE
    .union(BufferUsages::COPY_DST)
    .union(BufferUsages::COPY_SRC);
const UNIFORM: BufferUsages = BufferUsages::UNIFORM.union(BufferUsages::COPY_DST);
const STAGING: BufferUsages = BufferUsages::MAP_READ.union(BufferUsages::COPY_DST);

/// A submission that is being put together.
pub(crate) struct Work<'g> {
    pub(crate) gpu: &'g Gpu,
    /// What buffers begin with; runs before everything else.
    #[cfg(not(target_arch = "wasm32"))]
    uploads: Option<Uploads>,
    /// All shaders run in one pass: a driver takes its time for each. It ends before its encoder does.
    pass: ComputePass<'static>,
    encoder: CommandEncoder,
    held: PooledBuffers<'g>,
    /// What is copied out in the end, and how many bytes of it.
    copies: Vec<(Buffer, u64)>,
    num_words: usize,
}

/// Bytes on their way into buffers.
#[cfg(not(target_arch = "wasm32"))]
struct Uploads {
    belt: wgpu::util::StagingBelt,
    encoder: CommandEncoder,
}

fn encoder_of(gpu: &Gpu) -> CommandEncoder {
    let plain = CommandEncoderDescriptor::default();
    gpu.device.create_command_encoder(&plain)
}

/// Buffers that are in use; they go back to the pool when this is dropped.
pub(crate) struct PooledBuffers<'g> {
    gpu: &'g Gpu,
    buffers: Vec<Buffer>,
}

impl Drop for PooledBuffers<'_> {
    fn drop(&mut self) {
        for buffer in self.buffers.drain(..) {
            self.gpu.pool.give_back(buffer);
        }
    }
}

/// Where a result will be among the words that come back.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    first: usize,
    len: usize,
}

/// All words that came back.
#[derive(Debug)]
pub(crate) struct Words(Vec<u32>);

impl Words {
    pub(crate) fn of(&self, read: &Read) -> &[u32] {
        &self.0[read.first..read.first + read.len]
    }

    /// The words as the f32 that they are.
    pub(crate) fn reals(&self, read: &Read) -> impl Iterator<Item = f64> {
        self.of(read)
            .iter()
            .map(|word| f64::from(f32::from_bits(*word)))
    }

    /// The words as four bytes each, `len` of them.
    pub(crate) fn bytes(&self, read: &Read, len: usize) -> Vec<u8> {
        let mut bytes: Vec<u8> = self
            .of(read)
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        bytes.truncate(len);
        bytes
    }
}

/// What is computed from the words once they are there.
pub(crate) type Later<T> = Box<dyn FnOnce(&Words) -> T>;

impl<'g> Work<'g> {
    /// An empty one, on a GPU that still lives.
    pub(crate) fn new(gpu: &'g Gpu) -> Result<Self, GpuError> {
        gpu.check()?;
        let mut encoder = encoder_of(gpu);
        let pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
        Ok(Self {
            gpu,
            #[cfg(not(target_arch = "wasm32"))]
            uploads: None,
            pass: pass.forget_lifetime(),
            encoder,
            held: PooledBuffers {
                gpu,
                buffers: Vec::new(),
            },
            copies: Vec::new(),
            num_words: 0,
        })
    }

    /// Keeps an earlier submission's buffers as they are until this one is done.
    pub(crate) fn keep(&mut self, mut earlier: PooledBuffers<'g>) {
        self.held.buffers.append(&mut earlier.buffers);
    }

    fn take(&mut self, bytes: u64, usage: BufferUsages) -> Buffer {
        let buffer = self.gpu.pool.take(&self.gpu.device, bytes, usage);
        self.held.buffers.push(buffer.clone());
        buffer
    }

    /// A buffer with these bytes, filled up to a word with zeros.
    pub(crate) fn upload(&mut self, what: &'static str, bytes: &[u8]) -> Result<Buffer, GpuError> {
        let len = bytes.len().next_multiple_of(4) as u64;
        self.gpu.require_room(what, len)?;
        let buffer = self.take(len, STORAGE);
        self.write(&buffer, bytes);
        Ok(buffer)
    }

    /// Has a buffer begin with these bytes, filled up to a word with zeros.
    fn write(&mut self, buffer: &Buffer, bytes: &[u8]) {
        #[cfg(not(target_arch = "wasm32"))]
        {
            let gpu = self.gpu;
            let uploads = self.uploads.get_or_insert_with(|| Uploads {
                belt: gpu.belts.take(&gpu.device),
                encoder: encoder_of(gpu),
            });
            if staging::write(&mut uploads.belt, &mut uploads.encoder, buffer, bytes) {
                return;
            }
        }
        let (words, rest) = bytes.split_at(bytes.len() / 4 * 4);
        self.gpu.queue.write_buffer(buffer, 0, words);
        if !rest.is_empty() {
            let mut last = [0; 4];
            last[..rest.len()].copy_from_slice(rest);
            let at = words.len() as u64;
            self.gpu.queue.write_buffer(buffer, at, &last);
        }
    }

    /// A buffer with these numbers.
    pub(crate) fn table(&mut self, numbers: &[i32]) -> Result<Buffer, GpuError> {
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        self.upload("a table of places and weights", &bytes)
    }

    /// A buffer for so many words of results.
    pub(crate) fn output(&mut self, what: &'static str, words: u64) -> Result<Buffer, GpuError> {
        self.gpu.require_room(what, 4 * words)?;
        let buffer = self.take(4 * words, STORAGE);
        if self.gpu.fill == Fill::Ones {
            let ones = vec![0xff; usize::try_from(buffer.size()).unwrap_or(0)];
            self.write(&buffer, &ones);
        }
        Ok(buffer)
    }

    /// Runs a shader over a grid of workgroups; `sizes` is its binding 0, `buffers` are the others with their numbers.
    pub(crate) fn run(
        &mut self,
        kernel: Kernel,
        sizes: &[u32],
        buffers: &[(u32, &Buffer)],
        [x, y, z]: [u32; 3],
    ) {
        // Uniforms end on a multiple of 16 bytes.
        let len = (4 * sizes.len()).next_multiple_of(16);
        let mut bytes: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
        bytes.resize(len, 0);
        let uniform = self.take(len as u64, UNIFORM);
        self.write(&uniform, &bytes);
        let pipeline = self.gpu.pipeline(kernel);
        let all = std::iter::once((0, &uniform)).chain(buffers.iter().copied());
        let entries: Vec<BindGroupEntry<'_>> = all
            .map(|(binding, buffer)| BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let group = self.gpu.device.create_bind_group(&BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        self.pass.set_pipeline(&pipeline);
        self.pass.set_bind_group(0, &group, &[]);
        self.pass.dispatch_workgroups(x, y, z);
    }

    /// Has the first words of a buffer read back.
    pub(crate) fn read(&mut self, buffer: &Buffer, words: u64) -> Read {
        let len = usize::try_from(words).unwrap_or(usize::MAX);
        let read = Read {
            first: self.num_words,
            len,
        };
        self.num_words += len;
        self.copies.push((buffer.clone(), 4 * words));
        read
    }

    /// Submits everything; the GPU begins.
    pub(crate) fn start(mut self) -> Running<'g> {
        let staging = self.take(4 * self.num_words.max(1) as u64, STAGING);
        let Self {
            gpu,
            mut encoder,
            pass,
            copies,
            held,
            ..
        } = self;
        drop(pass);
        let mut at = 0;
        for (buffer, len) in &copies {
            encoder.copy_buffer_to_buffer(buffer, 0, &staging, at, *len);
            at += len;
        }
        #[cfg(not(target_arch = "wasm32"))]
        let submission = match self.uploads {
            Some(Uploads {
                mut belt,
                encoder: uploads,
            }) => {
                belt.finish();
                let submission = gpu.queue.submit([uploads.finish(), encoder.finish()]);
                belt.recall();
                gpu.belts.give_back(belt);
                submission
            }
            None => gpu.queue.submit([encoder.finish()]),
        };
        #[cfg(target_arch = "wasm32")]
        gpu.queue.submit([encoder.finish()]);
        let (sender, receiver) = oneshot::channel();
        if at > 0 {
            staging.map_async(MapMode::Read, 0..at, move |outcome| {
                // Nobody waits any more where the work was given up.
                let _ = sender.send(outcome.map_err(|error| error.to_string()));
            });
        } else {
            let _ = sender.send(Ok(()));
        }
        Running {
            held,
            staging,
            len: at,
            receiver,
            #[cfg(not(target_arch = "wasm32"))]
            submission,
        }
    }
}

/// A submission that the GPU works on.
pub(crate) struct Running<'g> {
    held: PooledBuffers<'g>,
    staging: Buffer,
    len: u64,
    receiver: oneshot::Receiver<Result<(), String>>,
    #[cfg(not(target_arch = "wasm32"))]
    submission: wgpu::SubmissionIndex,
}

impl<'g> Running<'g> {
    /// Waits for the results; the buffers stay as they are until the second of the two is dropped.
    pub(crate) async fn finish(self) -> Result<(Words, PooledBuffers<'g>), GpuError> {
        let gpu = self.held.gpu;
        // In a browser its own event loop drives the GPU.
        #[cfg(not(target_arch = "wasm32"))]
        // What was submitted later goes on.
        #[cfg(not(target_arch = "wasm32"))]
        let own = wgpu::PollType::Wait {
            submission_index: Some(self.submission),
            timeout: None,
        };
        #[cfg(not(target_arch = "wasm32"))]
        let polled = (gpu.device.poll(own))
            .map(drop)
            .map_err(|error| error.to_string());
        #[cfg(target_arch = "wasm32")]
        let polled: Result<(), String> = Ok(());
        gpu.check()?;
        polled.map_err(|reason| GpuError::Refused { reason })?;
        let mapped = self.receiver.await;
        gpu.check()?;
        let lost = |reason: String| GpuError::DeviceLost { reason };
        mapped
            .map_err(|_| lost("the driver forgot a buffer".to_owned()))?
            .map_err(lost)?;
        let mut words = Vec::new();
        if self.len > 0 {
            let range = self.staging.get_mapped_range(0..self.len);
            let range = range.map_err(|error| lost(error.to_string()))?;
            let chunks = range.as_chunks::<4>().0.iter();
            words.extend(chunks.map(|word| u32::from_le_bytes(*word)));
            drop(range);
            self.staging.unmap();
        }
        Ok((Words(words), self.held))
    }
}
