// Twin of the compositing in `juror_image::merge`: one RGBA pixel over another, as Pillow's `alpha_composite`.
// Bindings: 0 sizes, 1 top, 2 bottom, 3 out (a pixel to a word). Exact: whole numbers.
// Workgroup: LANES × 1 × 1, one pixel each.

struct Sizes {
    num_pixels: u32,
}

const WEIGHT_BITS: u32 = 7u;

@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> top: array<u32>;
@group(0) @binding(2) var<storage, read> bottom: array<u32>;
@group(0) @binding(3) var<storage, read_write> out: array<u32>;

// x / 255, for sums in which one half of the divisor has been added.
fn over_255(x: u32) -> u32 {
    return ((x >> 8u) + x) >> 8u;
}

fn over(above: u32, below: u32) -> u32 {
    let alpha = above >> 24u;
    if alpha == 0u {
        return below;
    }
    let out_alpha = alpha * 255u + (below >> 24u) * (255u - alpha);
    let whole = 255u << WEIGHT_BITS;
    let weight = alpha * 255u * whole / out_alpha;
    var mixed = over_255(out_alpha + 128u) << 24u;
    for (var shift = 0u; shift < 24u; shift += 8u) {
        let sum = ((above >> shift) & 0xffu) * weight + ((below >> shift) & 0xffu) * (whole - weight);
        mixed |= (over_255(sum + (128u << WEIGHT_BITS)) >> WEIGHT_BITS) << shift;
    }
    return mixed;
}

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let pixel = flat_at(group, lane);
    if pixel < sizes.num_pixels {
        out[pixel] = over(top[pixel], bottom[pixel]);
    }
}
