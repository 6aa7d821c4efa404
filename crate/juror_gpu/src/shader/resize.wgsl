// What every resampling shares: `sample` tells what a new place holds.
// Bindings: 0 sizes, 1 picture, 2 out, 3 columns, 4 rows (what they hold is said beside `sample`).

struct Sizes {
    width: u32,
    height: u32,
    channels: u32,
    to_width: u32,
    to_height: u32,
    // What `sample` may need besides.
    x: u32,
    y: u32,
    factor: f32,
    bits: u32,
}

@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(3) var<storage, read> columns: array<i32>;
@group(0) @binding(4) var<storage, read> rows: array<i32>;

fn byte_of(x: i32, y: i32, channel: u32) -> i32 {
    return i32(byte_at((u32(y) * sizes.width + u32(x)) * sizes.channels + channel));
}

fn num_samples() -> u32 {
    return sizes.to_width * sizes.to_height * sizes.channels;
}

fn byte(at: u32) -> u32 {
    let pixel = at / sizes.channels;
    return sample(pixel % sizes.to_width, pixel / sizes.to_width, at % sizes.channels);
}
