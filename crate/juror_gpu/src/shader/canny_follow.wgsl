// Twin of the second half of `juror_metrics::canny`: a maximum beside an edge becomes an edge.
// One pass spreads edges through each tile until nothing changes there; passes are repeated until none changes anything.
// Bindings: 0 sizes, 1 states, 2 counters (for each pass: how many pixels became edges).
// Exact, and the same in every order. Workgroup: TILE × TILE × 1, one pixel each.

struct Sizes {
    width: i32,
    height: i32,
    // The counter of this pass; the one before tells whether it is still needed.
    pass_idx: u32,
}

const SIDE: i32 = i32(TILE) + 2;

@group(0) @binding(0) var<uniform> sizes: Sizes;
// Atomic because a tile looks one pixel into its neighbours while those grow.
@group(0) @binding(1) var<storage, read_write> states: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> counters: array<atomic<u32>>;

var<workgroup> tile: array<u32, (TILE + 2u) * (TILE + 2u)>;
var<workgroup> grown: atomic<u32>;
var<workgroup> goes_on: u32;

fn is_beside_edge(at: i32) -> bool {
    return tile[at - SIDE - 1] == EDGE || tile[at - SIDE] == EDGE || tile[at - SIDE + 1] == EDGE
        || tile[at - 1] == EDGE || tile[at + 1] == EDGE
        || tile[at + SIDE - 1] == EDGE || tile[at + SIDE] == EDGE || tile[at + SIDE + 1] == EDGE;
}

@compute @workgroup_size(TILE, TILE)
fn main(
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    if lane == 0u {
        goes_on = 1u;
        if sizes.pass_idx > 0u {
            goes_on = atomicLoad(&counters[sizes.pass_idx - 1u]);
        }
    }
    if workgroupUniformLoad(&goes_on) == 0u {
        return;
    }
    let first = i32(TILE) * vec2<i32>(group.xy);
    let size = vec2<i32>(sizes.width, sizes.height);
    for (var at = i32(lane); at < SIDE * SIDE; at += i32(TILE * TILE)) {
        let place = first + vec2<i32>(at % SIDE, at / SIDE) - 1;
        tile[at] = NO;
        if all(place >= vec2<i32>(0)) && all(place < size) {
            tile[at] = atomicLoad(&states[place.y * size.x + place.x]);
        }
    }
    workgroupBarrier();
    let place = first + vec2<i32>(local.xy);
    let here = (i32(local.y) + 1) * SIDE + i32(local.x) + 1;
    var becomes_edge = false;
    loop {
        let grows = tile[here] == MAYBE && is_beside_edge(here);
        workgroupBarrier();
        if grows {
            tile[here] = EDGE;
            becomes_edge = true;
            atomicStore(&grown, 1u);
        }
        workgroupBarrier();
        if lane == 0u {
            goes_on = atomicExchange(&grown, 0u);
        }
        if workgroupUniformLoad(&goes_on) == 0u {
            break;
        }
    }
    if becomes_edge {
        atomicStore(&states[place.y * size.x + place.x], EDGE);
        atomicAdd(&counters[sizes.pass_idx], 1u);
    }
}
