// What the softmax of each row of logits is made of: the greatest logit and the sum of exponentials, with w = 1 and with w.
// Bindings: 0 sizes, 1 logits, 2 w of each key, 3 four numbers for each row.
// Workgroup: LANES × 1 × 1, one row each.

@group(0) @binding(3) var<storage, read_write> stats: array<vec4<f32>>;

var<workgroup> parts: array<vec2<f32>, LANES>;

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let begin = group.x * sizes.keys;
    var most = vec2<f32>(-3.4e38);
    for (var key = lane; key < sizes.keys; key += LANES) {
        let logit = logits[begin + key];
        most = max(most, vec2<f32>(logit, logit * weights[key]));
    }
    parts[lane] = most;
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if lane < half {
            parts[lane] = max(parts[lane], parts[lane + half]);
        }
    }
    workgroupBarrier();
    most = parts[0];
    workgroupBarrier();
    var sum = vec2<f32>(0.0);
    for (var key = lane; key < sizes.keys; key += LANES) {
        let logit = logits[begin + key];
        sum += exp(vec2<f32>(logit, logit * weights[key]) - most);
    }
    parts[lane] = sum;
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if lane < half {
            parts[lane] += parts[lane + half];
        }
    }
    if lane == 0u {
        stats[group.x] = vec4<f32>(most, parts[0]);
    }
}
