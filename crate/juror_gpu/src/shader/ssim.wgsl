// What both SSIM twins share: the formula's end and the sum over a tile of windows.
// Bindings: 0 sizes, 1 reference, 2 candidate, 3 sums (one f32 for each tile and channel, which the CPU adds up in f64).
// Workgroup: TILE × TILE × 1, one window each; the third axis of the grid is the channel.

struct Sizes {
    // Samples in a row, rows and channels of the buffers.
    width: u32,
    height: u32,
    channels: u32,
    // Places across a window, 3 to MAX_SIDE.
    side: u32,
    // Windows along a row and down.
    across: u32,
    down: u32,
    // Places by which windows reach beyond the border, mirrored there.
    mirror: u32,
    // 0: the whole index; 1: contrast and structure alone.
    kind: u32,
    c1: f32,
    c2: f32,
    // Keeps what follows on a multiple of 16 bytes.
    unused_0: u32,
    unused_1: u32,
    // Of a Gaussian, from one end to the other.
    weights: array<vec4<f32>, 3>,
}

@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(3) var<storage, read_write> sums: array<f32>;

var<workgroup> parts: array<f32, TILE * TILE>;

// The quotient of two numbers that are equal is 1 in the paper; a GPU's division may be 2.5 units off.
fn quotient(upper: f32, lower: f32) -> f32 {
    return select(upper / lower, 1.0, upper == lower);
}

// Where a place of the padded picture lies in the picture: … 2 1 | 0 1 2 … beyond the border.
fn mirrored(place: u32, len: u32) -> u32 {
    let inside = abs(i32(place) - i32(sizes.mirror));
    let last = i32(len) - 1;
    return u32(clamp(last - abs(last - inside), 0, last));
}

fn add_up(value: f32, lane: u32, group: vec3<u32>, groups: vec3<u32>) {
    parts[lane] = value;
    for (var half = TILE * TILE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if lane < half {
            parts[lane] += parts[lane + half];
        }
    }
    if lane == 0u {
        sums[(group.z * groups.y + group.y) * groups.x + group.x] = parts[0];
    }
}
