// Twin of the halving in `juror_metrics::ms_ssim`: means of 2 × 2 samples, exact in f32 down to the fifth scale.
// Bindings: 0 sizes, 1 picture, 2 out (f32). Workgroup: LANES × 1 × 1, one sample each.

struct Sizes {
    width: u32,
    height: u32,
    channels: u32,
    to_width: u32,
    to_height: u32,
    // Zeros before the first sample of a row and of a column.
    left: u32,
    top: u32,
}

@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

fn padded(x: u32, y: u32, channel: u32) -> f32 {
    // Before the first sample the difference wraps to a number that is larger than every side.
    let inside = vec2<u32>(x - sizes.left, y - sizes.top);
    if inside.x >= sizes.width || inside.y >= sizes.height {
        return 0.0;
    }
    return real_at((inside.y * sizes.width + inside.x) * sizes.channels + channel);
}

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let at = flat_at(group, lane);
    if at >= sizes.to_width * sizes.to_height * sizes.channels {
        return;
    }
    let channel = at % sizes.channels;
    let x = 2u * ((at / sizes.channels) % sizes.to_width);
    let y = 2u * (at / sizes.channels / sizes.to_width);
    let sum = padded(x, y, channel) + padded(x + 1u, y, channel)
        + padded(x, y + 1u, channel) + padded(x + 1u, y + 1u, channel);
    out[at] = 0.25 * sum;
}
