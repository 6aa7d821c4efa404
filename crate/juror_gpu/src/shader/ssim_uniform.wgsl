// Twin of `juror_metrics::ssim` with a uniform window of 3 to MAX_SIDE places, for 8-bit pictures.
// Sums of whole numbers, exact in u32 and i32 up to MAX_SIDE; the formula in f32, with N² and N (N − 1) multiplied
// through, so that each window is off by a few units in the last place and no digit cancels.

// r in the low byte, c in the next.
var<workgroup> samples: array<u32, REACH * REACH>;
// Σr, Σc, Σ(r² + c²), Σrc of a row of a window.
var<workgroup> rows: array<vec4<u32>, REACH * TILE>;

@compute @workgroup_size(TILE, TILE)
fn main(
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let first = TILE * group.xy;
    for (var at = lane; at < REACH * REACH; at += TILE * TILE) {
        let place = first + vec2<u32>(at % REACH, at / REACH);
        if place.x < sizes.width && place.y < sizes.height {
            let idx = (place.y * sizes.width + place.x) * sizes.channels + group.z;
            samples[at] = u32(r_at(idx)) | (u32(c_at(idx)) << 8u);
        } else {
            samples[at] = 0u;
        }
    }
    workgroupBarrier();
    for (var at = lane; at < REACH * TILE; at += TILE * TILE) {
        let begin = (at / TILE) * REACH + at % TILE;
        var sum = vec4<u32>(0u);
        for (var k = 0u; k < sizes.side; k++) {
            let sample = samples[begin + k];
            let r = sample & 0xffu;
            let c = sample >> 8u;
            sum += vec4<u32>(r, c, r * r + c * c, r * c);
        }
        rows[at] = sum;
    }
    workgroupBarrier();
    var value = 0.0;
    let window = first + local.xy;
    if window.x < sizes.across && window.y < sizes.down {
        var sum = vec4<u32>(0u);
        for (var k = 0u; k < sizes.side; k++) {
            sum += rows[(local.y + k) * TILE + local.x];
        }
        value = of_sums(vec4<i32>(sum));
    }
    add_up(value, lane, group, groups);
}

// (2 Σr Σc + N² C₁)(2 (N Σrc − Σr Σc) + N (N − 1) C₂) /
// (((Σr)² + (Σc)² + N² C₁)(N Σ(r² + c²) − (Σr)² − (Σc)² + N (N − 1) C₂))
fn of_sums(sum: vec4<i32>) -> f32 {
    let count = i32(sizes.side * sizes.side);
    let product = sum.x * sum.y;
    let square = sum.x * sum.x + sum.y * sum.y;
    let c1 = f32(count * count) * sizes.c1;
    let c2 = f32(count * (count - 1)) * sizes.c2;
    let luminance = quotient(f32(2 * product) + c1, f32(square) + c1);
    let contrast = quotient(f32(2 * (count * sum.w - product)) + c2, f32(count * sum.z - square) + c2);
    return luminance * contrast;
}
