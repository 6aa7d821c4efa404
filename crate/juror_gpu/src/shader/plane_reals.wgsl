// A picture whose samples are f32.
// Bindings: 1 picture.

@group(0) @binding(1) var<storage, read> picture: array<f32>;

fn real_at(at: u32) -> f32 {
    return picture[at];
}
