// Twin of `juror_metrics::grey`: red, green, blue → one channel in somebody's fixed point. Exact: whole numbers.
// Bindings: 0 sizes, 1 picture, 2 out.

struct Sizes {
    num_pixels: u32,
    red: u32,
    green: u32,
    blue: u32,
    add: u32,
    shift: u32,
}

@group(0) @binding(0) var<uniform> sizes: Sizes;

fn num_samples() -> u32 {
    return sizes.num_pixels;
}

fn byte(pixel: u32) -> u32 {
    let sum = sizes.red * byte_at(3u * pixel)
        + sizes.green * byte_at(3u * pixel + 1u)
        + sizes.blue * byte_at(3u * pixel + 2u);
    return (sum + sizes.add) >> sizes.shift;
}
