// Twin of `juror_metrics::resize` with `Resampling::Area` where x · y whole samples become one.
// Exact: a whole sum, one product in f32 and its rounding half to even, which WGSL prescribes.
// Columns and rows are not looked at beyond their first number, 0.

fn sample(x: u32, y: u32, channel: u32) -> u32 {
    var sum = columns[0] + rows[0];
    for (var dy = 0u; dy < sizes.y; dy++) {
        for (var dx = 0u; dx < sizes.x; dx++) {
            sum += byte_of(i32(x * sizes.x + dx), i32(y * sizes.y + dy), channel);
        }
    }
    if sizes.x == 2u && sizes.y == 2u {
        return u32((sum + 2) >> 2u);
    }
    return u32(clamp(round(f32(sum) * sizes.factor), 0.0, 255.0));
}
