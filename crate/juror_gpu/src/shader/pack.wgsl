// Fills a picture with `byte`, four samples to a word, the first one lowest.
// Bindings: 2 out. Workgroup: LANES × 1 × 1, one word each.

@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let word = flat_at(group, lane);
    if 4u * word >= num_samples() {
        return;
    }
    var packed = 0u;
    for (var k = 0u; k < 4u; k++) {
        let at = 4u * word + k;
        if at < num_samples() {
            packed |= byte(at) << (8u * k);
        }
    }
    out[word] = packed;
}
