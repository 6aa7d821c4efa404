// Sums `term` over the samples of a pair: three u32 for each workgroup, which the CPU adds up in u64.
// Bindings: 0 sizes, 1 reference, 2 candidate, 3 sums. Workgroup: LANES × 1 × 1.
// Exact: a workgroup takes 4 · LANES · WORDS samples, and that many times 255² stays below 2³².
// Samples that fill up the last word are 0 on both sides, and every term of two zeros is 0.

struct Sizes {
    num_words: u32,
    level: u32,
}

@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(3) var<storage, read_write> sums: array<u32>;

var<workgroup> parts: array<vec3<u32>, LANES>;

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let begin = group.x * LANES * WORDS + lane;
    var sum = vec3<u32>(0u);
    for (var k = 0u; k < WORDS; k++) {
        let at = begin + k * LANES;
        if at >= sizes.num_words {
            break;
        }
        let r = reference[at];
        let c = candidate[at];
        for (var shift = 0u; shift < 32u; shift += 8u) {
            sum += term((r >> shift) & 0xffu, (c >> shift) & 0xffu);
        }
    }
    parts[lane] = sum;
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if lane < half {
            parts[lane] += parts[lane + half];
        }
    }
    if lane == 0u {
        sums[3u * group.x] = parts[0].x;
        sums[3u * group.x + 1u] = parts[0].y;
        sums[3u * group.x + 2u] = parts[0].z;
    }
}
