//! Twin of attention rebalancing: the maps before and after, which are nearly all of the work.
//!
//! Relevance and weights stay the CPU's, in f64: a bound turns the last digit of a relevance into another weight, and they
//! take 64 rows of Q alone.

use juror_metrics::{Call, Focus, Maps};

use crate::GpuError;
use crate::context::Gpu;
use crate::kernel::{Kernel, flat_groups, tile_groups};
use crate::plane::word;
use crate::work::{Read, Work};

/// Rows of Q whose logits are in memory at once.
const ROWS: usize = 1024;
/// The same in bytes.
const LOGIT_BYTES: u64 = 64 << 20;
/// Keys that a grid reaches.
const MAX_KEYS: usize = 1 << 20;
/// Beyond this, a product of two numbers may leave f32.
const MAX_NUMBER: f64 = 1e15;

impl Gpu {
    /// Twin of [`Call::maps`], within 2 · 10⁻⁵ while logits stay below 100.
    ///
    /// # Errors
    /// As its CPU twin, and those of the GPU; [`GpuError::NoTwin`] for more than 2²⁰ keys and numbers beyond 10¹⁵.
    pub async fn dar_maps(
        &self,
        call: &Call,
        weights: &[f64],
        focus: Focus,
    ) -> Result<Maps, GpuError> {
        let [rows, heads] = call.focused(focus)?;
        let keys = call.keys();
        if keys.len() > MAX_KEYS {
            return Err(GpuError::NoTwin {
                metric: "attention to more than 1,048,576 keys",
            });
        }
        let mut sums = vec![[0.0; 2]; keys.len()];
        let weights = bytes(call.weights_of_keys(weights).iter())?;
        for head in heads.clone() {
            let own = call.head_of_k(head);
            let keys = bytes(keys.iter().flat_map(|key| call.k().row(own, *key)))?;
            let fitting = self.max_buffer_bytes().min(LOGIT_BYTES) / (4 * sums.len() as u64);
            let step = usize::try_from(fitting).unwrap_or(ROWS).clamp(1, ROWS);
            for first in rows.clone().step_by(step) {
                let some = first..rows.end.min(first + step);
                let queries = bytes(some.clone().flat_map(|row| call.q().row(head, row)))?;
                let sizes = [some.len(), sums.len(), call.q().shape()[2]];
                self.add_masses(sizes, [&queries, &keys, &weights], &mut sums)
                    .await?;
            }
        }
        let count = (rows.len() * heads.len()) as f64;
        let map = |side: usize| sums.iter().map(|sum| sum[side] / count).collect();
        Ok(Maps {
            before: map(0),
            after: map(1),
        })
    }

    /// Adds what some rows give to each key.
    async fn add_masses(
        &self,
        sizes: [usize; 3],
        [queries, keys, weights]: [&[u8]; 3],
        sums: &mut [[f64; 2]],
    ) -> Result<(), GpuError> {
        let mut work = Work::new(self)?;
        let read = encode(&mut work, sizes, [queries, keys, weights])?;
        let (words, _held) = work.start().finish().await?;
        let masses: Vec<f64> = words.reals(&read).collect();
        for (sum, mass) in sums.iter_mut().zip(masses.as_chunks::<2>().0) {
            sum[0] += mass[0];
            sum[1] += mass[1];
        }
        Ok(())
    }
}

fn encode(
    work: &mut Work<'_>,
    [rows, keys, dim]: [usize; 3],
    [query_bytes, key_bytes, weight_bytes]: [&[u8]; 3],
) -> Result<Read, GpuError> {
    let q = work.upload("rows of Q", query_bytes)?;
    let k = work.upload("keys", key_bytes)?;
    let w = work.upload("weights of keys", weight_bytes)?;
    let logits = work.output("logits", rows as u64 * keys as u64)?;
    let stats = work.output("sums of rows", 4 * rows as u64)?;
    let masses = work.output("sums of keys", 2 * keys as u64)?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the GPU computes in f32; the tolerance is stated"
    )]
    let scale = (1.0 / (dim as f64).sqrt()) as f32;
    let sizes = [word(rows), word(keys), word(dim), scale.to_bits()];
    let tiles = tile_groups(keys, rows, 1);
    work.run(
        Kernel::DarLogits,
        &sizes,
        &[(1, &q), (2, &k), (3, &logits)],
        tiles,
    );
    let buffers = [(1, &logits), (2, &w), (3, &stats)];
    work.run(
        Kernel::DarSoftmax,
        &sizes[..2],
        &buffers,
        [word(rows), 1, 1],
    );
    let buffers = [(1, &logits), (2, &w), (3, &stats), (4, &masses)];
    work.run(
        Kernel::DarMass,
        &sizes[..2],
        &buffers,
        flat_groups(keys as u64),
    );
    Ok(work.read(&masses, 2 * keys as u64))
}

/// Numbers as f32.
fn bytes<'a>(numbers: impl Iterator<Item = &'a f64>) -> Result<Vec<u8>, GpuError> {
    let mut bytes = Vec::new();
    for number in numbers {
        if number.abs() > MAX_NUMBER {
            return Err(GpuError::NoTwin {
                metric: "attention of numbers beyond 10¹⁵",
            });
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the GPU computes in f32; the tolerance is stated"
        )]
        bytes.extend((*number as f32).to_le_bytes());
    }
    Ok(bytes)
}
