// The edge map of `juror_metrics::canny`: 255 on edges, 0 elsewhere.
// Bindings: 0 sizes, 1 states, 2 out.

struct Sizes {
    num_pixels: u32,
}

@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> states: array<u32>;

fn num_samples() -> u32 {
    return sizes.num_pixels;
}

fn byte(pixel: u32) -> u32 {
    return select(0u, 255u, states[pixel] == EDGE);
}
