// Twin of `juror_metrics::change_map`: the largest difference of each pixel's samples, and sums inside and outside of a
// region. Exact: whole numbers; a workgroup takes 4 · LANES pixels, whose squares add up below 2³² for 4 channels.
// Bindings: 0 sizes, 1 reference, 2 candidate, 3 region (one byte for each pixel), 4 map (four pixels to a word),
// 5 sums (for each workgroup CHANGE_SUMS numbers: outside, then inside: pixels, changed, absolute, squared, largest;
// then left, top, right, bottom of what has changed; left exceeds right where nothing has).
// Workgroup: LANES × 1 × 1, four pixels each.

struct Sizes {
    num_pixels: u32,
    width: u32,
    channels: u32,
    threshold: u32,
    // 0: there is no region, everything is outside.
    has_region: u32,
}

@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(3) var<storage, read> region: array<u32>;
@group(0) @binding(4) var<storage, read_write> map: array<u32>;
@group(0) @binding(5) var<storage, read_write> sums: array<u32>;

var<workgroup> parts: array<atomic<u32>, CHANGE_SUMS>;

fn pixel_of(pixel: u32) -> u32 {
    var largest = 0u;
    var absolute = 0u;
    var squared = 0u;
    for (var channel = 0u; channel < sizes.channels; channel++) {
        let at = pixel * sizes.channels + channel;
        let difference = u32(abs(r_at(at) - c_at(at)));
        largest = max(largest, difference);
        absolute += difference;
        squared += difference * difference;
    }
    var part = 0u;
    if sizes.has_region != 0u && ((region[pixel >> 2u] >> (8u * (pixel & 3u))) & 0xffu) != 0u {
        part = 5u;
    }
    atomicAdd(&parts[part], 1u);
    atomicAdd(&parts[part + 2u], absolute);
    atomicAdd(&parts[part + 3u], squared);
    atomicMax(&parts[part + 4u], largest);
    if largest > sizes.threshold {
        let x = pixel % sizes.width;
        let y = pixel / sizes.width;
        atomicAdd(&parts[part + 1u], 1u);
        atomicMin(&parts[10], x);
        atomicMin(&parts[11], y);
        atomicMax(&parts[12], x);
        atomicMax(&parts[13], y);
    }
    return largest;
}

@compute @workgroup_size(LANES)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    if lane < CHANGE_SUMS {
        let is_least = lane == 10u || lane == 11u;
        atomicStore(&parts[lane], select(0u, 0xffffffffu, is_least));
    }
    workgroupBarrier();
    let word = flat_at(group, lane);
    if 4u * word < sizes.num_pixels {
        var packed = 0u;
        for (var k = 0u; k < 4u; k++) {
            let pixel = 4u * word + k;
            if pixel < sizes.num_pixels {
                packed |= pixel_of(pixel) << (8u * k);
            }
        }
        map[word] = packed;
    }
    workgroupBarrier();
    if lane < CHANGE_SUMS {
        let group_idx = group.y * FLAT_GROUPS + group.x;
        sums[group_idx * CHANGE_SUMS + lane] = atomicLoad(&parts[lane]);
    }
}
