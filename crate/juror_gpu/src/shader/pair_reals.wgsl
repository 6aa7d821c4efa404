// The two sides of a pair whose samples are f32: halved pictures, whose quarters, sixteenths … are exact in it.
// Bindings: 1 reference, 2 candidate.

@group(0) @binding(1) var<storage, read> reference: array<f32>;
@group(0) @binding(2) var<storage, read> candidate: array<f32>;

fn r_at(at: u32) -> f32 {
    return reference[at];
}

fn c_at(at: u32) -> f32 {
    return candidate[at];
}
