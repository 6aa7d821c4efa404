// One long row of workgroups, folded where a grid's side ends.

fn flat_at(group: vec3<u32>, lane: u32) -> u32 {
    return (group.y * FLAT_GROUPS + group.x) * LANES + lane;
}
