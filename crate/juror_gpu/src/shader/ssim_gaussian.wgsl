// Twin of `juror_metrics::ssim` with a Gaussian window of at most MAX_SIDE places, and of the scales of `ms_ssim`.
// f32. Second moments are taken around the window's middle sample, which differs from its neighbours by little where
// the variance is small: E[x²] − E[x]² around 0 would lose four digits there.
// Along a row each sum is around that row's own middle; down the window these are moved to the window's middle.
// The covariance comes from 2 σᵣ꜀ = σᵣ² + σ꜀² − σ²(r − c): where both sides are equal the last is exactly 0.

var<workgroup> samples: array<vec2<f32>, REACH * REACH>;
// E[r − r₀], E[c − c₀], E[(r − r₀)² + (c − c₀)²], E[(r − r₀ − c + c₀)²] of a row of a window.
var<workgroup> rows: array<vec4<f32>, REACH * TILE>;

fn weight(k: u32) -> f32 {
    return sizes.weights[k / 4u][k % 4u];
}

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
        let x = mirrored(place.x, sizes.width);
        let y = mirrored(place.y, sizes.height);
        let idx = (y * sizes.width + x) * sizes.channels + group.z;
        samples[at] = vec2<f32>(r_at(idx), c_at(idx));
    }
    workgroupBarrier();
    let radius = sizes.side / 2u;
    for (var at = lane; at < REACH * TILE; at += TILE * TILE) {
        let begin = (at / TILE) * REACH + at % TILE;
        let middle = samples[begin + radius];
        var sum = vec4<f32>(0.0);
        for (var k = 0u; k < sizes.side; k++) {
            let d = samples[begin + k] - middle;
            sum += weight(k) * vec4<f32>(d, dot(d, d), (d.x - d.y) * (d.x - d.y));
        }
        rows[at] = sum;
    }
    workgroupBarrier();
    var value = 0.0;
    let window = first + local.xy;
    if window.x < sizes.across && window.y < sizes.down {
        value = of_window(local.xy, radius);
    }
    add_up(value, lane, group, groups);
}

fn of_window(place: vec2<u32>, radius: u32) -> f32 {
    let middle = samples[(place.y + radius) * REACH + place.x + radius];
    var sum = vec4<f32>(0.0);
    for (var k = 0u; k < sizes.side; k++) {
        let row = rows[(place.y + k) * TILE + place.x];
        let d = samples[(place.y + k) * REACH + place.x + radius] - middle;
        let square = row.z + 2.0 * dot(d, row.xy) + dot(d, d);
        let apart = d.x - d.y;
        let difference = row.w + 2.0 * apart * (row.x - row.y) + apart * apart;
        sum += weight(k) * vec4<f32>(row.xy + d, square, difference);
    }
    // Moving both means moves neither variance nor covariance.
    let variances = sum.z - dot(sum.xy, sum.xy);
    let shift = sum.x - sum.y;
    let lower = variances + sizes.c2;
    let contrast = quotient(lower - (sum.w - shift * shift), lower);
    if sizes.kind == 1u {
        return contrast;
    }
    let mean = middle + sum.xy;
    let means = dot(mean, mean) + sizes.c1;
    return quotient(means - (mean.x - mean.y) * (mean.x - mean.y), means) * contrast;
}
