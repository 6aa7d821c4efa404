// The attention that each key gets from some rows, with w = 1 and with w; the CPU adds the pieces up in f64.
// Bindings: 0 sizes, 1 logits, 2 w of each key, 3 what each row's softmax is made of, 4 two numbers for each key.
// Workgroup: LANES × 1 × 1, one key each.

@group(0) @binding(3) var<storage, read> stats: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> masses: array<vec2<f32>>;

// Rows that are summed by themselves first, so that a long sum keeps its digits.
const BLOCK: u32 = 32u;

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let key = flat_at(group, lane);
    if key >= sizes.keys {
        return;
    }
    let weight = weights[key];
    var mass = vec2<f32>(0.0);
    for (var begin = 0u; begin < sizes.rows; begin += BLOCK) {
        var block = vec2<f32>(0.0);
        for (var row = begin; row < min(begin + BLOCK, sizes.rows); row++) {
            let logit = logits[row * sizes.keys + key];
            let stat = stats[row];
            block += exp(vec2<f32>(logit, logit * weight) - stat.xy) / stat.zw;
        }
        mass += block;
    }
    masses[key] = mass;
}
