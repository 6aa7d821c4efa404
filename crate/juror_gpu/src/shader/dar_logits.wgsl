// Twin of `juror_metrics::Call`'s logits: q · k / √d of some rows of one head with all keys.
// Bindings: 0 sizes, 1 rows of Q, 2 keys (both one after another, `dim` numbers each), 3 logits (row by row).
// Workgroup: TILE × TILE × 1, one logit each; x runs over keys, y over rows.

struct Sizes {
    rows: u32,
    keys: u32,
    dim: u32,
    // 1 / √d.
    scale: f32,
}

@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> queries: array<f32>;
@group(0) @binding(2) var<storage, read> keys: array<f32>;
@group(0) @binding(3) var<storage, read_write> logits: array<f32>;

var<workgroup> some_queries: array<f32, TILE * TILE>;
var<workgroup> some_keys: array<f32, TILE * TILE>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
    let key = TILE * group.x + local.x;
    let row = TILE * group.y + local.y;
    let loaded_key = TILE * group.x + local.y;
    var sum = 0.0;
    for (var begin = 0u; begin < sizes.dim; begin += TILE) {
        let at = begin + local.x;
        let slot = local.y * TILE + local.x;
        some_queries[slot] = 0.0;
        some_keys[slot] = 0.0;
        if at < sizes.dim && row < sizes.rows {
            some_queries[slot] = queries[row * sizes.dim + at];
        }
        if at < sizes.dim && loaded_key < sizes.keys {
            some_keys[slot] = keys[loaded_key * sizes.dim + at];
        }
        workgroupBarrier();
        for (var n = 0u; n < TILE; n++) {
            sum += some_queries[local.y * TILE + n] * some_keys[local.x * TILE + n];
        }
        workgroupBarrier();
    }
    if row < sizes.rows && key < sizes.keys {
        logits[row * sizes.keys + key] = sum * sizes.scale;
    }
}
