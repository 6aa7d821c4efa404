// Twin of the first half of `juror_metrics::canny`: Sobel, |∂x| + |∂y|, and what is a maximum across the edge.
// Bindings: 0 sizes, 1 picture (grey), 2 states (one word for each pixel: NO, MAYBE, EDGE). Exact: whole numbers.
// Workgroup: TILE × TILE × 1, one pixel each.

struct Sizes {
    width: i32,
    height: i32,
    low: i32,
    high: i32,
}

const SAMPLES: i32 = i32(TILE) + 4;
const GRADIENTS: i32 = i32(TILE) + 2;

@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(2) var<storage, read_write> states: array<u32>;

// Two pixels more on each side than the tile, the border repeated.
var<workgroup> samples: array<i32, (TILE + 4u) * (TILE + 4u)>;
// |∂x| + |∂y|, one pixel more on each side; 0 outside of the picture.
var<workgroup> magnitudes: array<i32, (TILE + 2u) * (TILE + 2u)>;

// ∂x and ∂y at a place of `magnitudes`.
fn sobel(x: i32, y: i32) -> vec2<i32> {
    let above = y * SAMPLES + x;
    let here = above + SAMPLES;
    let below = here + SAMPLES;
    let left = samples[above] + 2 * samples[here] + samples[below];
    let right = samples[above + 2] + 2 * samples[here + 2] + samples[below + 2];
    let upper = samples[above] + 2 * samples[above + 1] + samples[above + 2];
    let lower = samples[below] + 2 * samples[below + 1] + samples[below + 2];
    return vec2<i32>(right - left, lower - upper);
}

@compute @workgroup_size(TILE, TILE)
fn main(
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let first = i32(TILE) * vec2<i32>(group.xy);
    let last = vec2<i32>(sizes.width, sizes.height) - 1;
    for (var at = i32(lane); at < SAMPLES * SAMPLES; at += i32(TILE * TILE)) {
        let place = clamp(first + vec2<i32>(at % SAMPLES, at / SAMPLES) - 2, vec2<i32>(0), last);
        samples[at] = i32(byte_at(u32(place.y * sizes.width + place.x)));
    }
    workgroupBarrier();
    for (var at = i32(lane); at < GRADIENTS * GRADIENTS; at += i32(TILE * TILE)) {
        let inside = vec2<i32>(at % GRADIENTS, at / GRADIENTS);
        let place = first + inside - 1;
        let gradient = abs(sobel(inside.x, inside.y));
        let is_outside = any(place < vec2<i32>(0)) || any(place > last);
        magnitudes[at] = select(gradient.x + gradient.y, 0, is_outside);
    }
    workgroupBarrier();
    let place = first + vec2<i32>(local.xy);
    if any(place > last) {
        return;
    }
    let x = i32(local.x) + 1;
    let y = i32(local.y) + 1;
    states[place.y * sizes.width + place.x] = state(y * GRADIENTS + x, sobel(x, y));
}

fn state(at: i32, d: vec2<i32>) -> u32 {
    let m = magnitudes[at];
    if m <= sizes.low {
        return NO;
    }
    // tan 22.5° and tan 67.5° in 15-bit fixed point.
    let flat = abs(d.x) * TANGENT;
    let steep = flat + (abs(d.x) << 16u);
    let height = abs(d.y) << 15u;
    var is_maximum = false;
    if height < flat {
        is_maximum = m > magnitudes[at - 1] && m >= magnitudes[at + 1];
    } else if height > steep {
        is_maximum = m > magnitudes[at - GRADIENTS] && m >= magnitudes[at + GRADIENTS];
    } else {
        let s = select(1, -1, (d.x ^ d.y) < 0);
        is_maximum = m > magnitudes[at - GRADIENTS - s] && m > magnitudes[at + GRADIENTS + s];
    }
    if !is_maximum {
        return NO;
    }
    return select(MAYBE, EDGE, m > sizes.high);
}
