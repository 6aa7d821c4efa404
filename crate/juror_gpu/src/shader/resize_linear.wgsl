// Twin of `juror_metrics::resize` between two samples, in OpenCV's 11-bit fixed point. Exact: whole numbers.
// A column or row holds the earlier place, the later place and the weights of both.

fn sample(x: u32, y: u32, channel: u32) -> u32 {
    let column = vec4<i32>(columns[4u * x], columns[4u * x + 1u], columns[4u * x + 2u], columns[4u * x + 3u]);
    let row = vec4<i32>(rows[4u * y], rows[4u * y + 1u], rows[4u * y + 2u], rows[4u * y + 3u]);
    let upper = byte_of(column.x, row.x, channel) * column.z + byte_of(column.y, row.x, channel) * column.w;
    let lower = byte_of(column.x, row.y, channel) * column.z + byte_of(column.y, row.y, channel) * column.w;
    let sum = ((row.z * (upper >> 4u)) >> 16u) + ((row.w * (lower >> 4u)) >> 16u);
    return u32(clamp((sum + 2) >> 2u, 0, 255));
}
