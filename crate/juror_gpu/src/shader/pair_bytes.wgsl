// The two sides of a pair of 8-bit pictures, four samples to a word, the first one lowest.
// Bindings: 1 reference, 2 candidate.

@group(0) @binding(1) var<storage, read> reference: array<u32>;
@group(0) @binding(2) var<storage, read> candidate: array<u32>;

fn r_at(at: u32) -> f32 {
    return f32((reference[at >> 2u] >> (8u * (at & 3u))) & 0xffu);
}

fn c_at(at: u32) -> f32 {
    return f32((candidate[at >> 2u] >> (8u * (at & 3u))) & 0xffu);
}
