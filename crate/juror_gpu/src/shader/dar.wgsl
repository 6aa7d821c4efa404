// What both shaders after the logits read. Bindings: 0 sizes, 1 logits (row by row), 2 w of each key.

struct Sizes {
    rows: u32,
    keys: u32,
}

@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> logits: array<f32>;
@group(0) @binding(2) var<storage, read> weights: array<f32>;
