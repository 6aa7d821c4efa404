// An 8-bit picture, four samples to a word, the first one lowest.
// Bindings: 1 picture.

@group(0) @binding(1) var<storage, read> picture: array<u32>;

fn byte_at(at: u32) -> u32 {
    return (picture[at >> 2u] >> (8u * (at & 3u))) & 0xffu;
}

fn real_at(at: u32) -> f32 {
    return f32(byte_at(at));
}
