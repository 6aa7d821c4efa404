// Twin of `juror_metrics::mask_overlap`: what is inside of either mask, and of both. Exact: whole numbers.
// A sample is inside above `level`: 0 for masks, 127 for grey pictures.

fn term(r: u32, c: u32) -> vec3<u32> {
    let in_r = select(0u, 1u, r > sizes.level);
    let in_c = select(0u, 1u, c > sizes.level);
    return vec3<u32>(in_r, in_c, in_r * in_c);
}
