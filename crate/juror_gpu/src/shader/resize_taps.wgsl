// Twin of one pass of `juror_image::resize`: Pillow's bilinear, bicubic and Lanczos. Exact: whole numbers.
// A new place has `x` numbers in the table: the first old place, how many weights follow, the weights.
// Weights have `bits` fraction bits; `y` is 0 along rows (columns are the table) and 1 along columns (rows are).

fn sample(x: u32, y: u32, channel: u32) -> u32 {
    var sum = 1i << (sizes.bits - 1u);
    if sizes.y == 0u {
        let at = x * sizes.x;
        for (var k = 0; k < columns[at + 1u]; k++) {
            sum += columns[i32(at) + 2 + k] * byte_of(columns[at] + k, i32(y), channel);
        }
    } else {
        let at = y * sizes.x;
        for (var k = 0; k < rows[at + 1u]; k++) {
            sum += rows[i32(at) + 2 + k] * byte_of(i32(x), rows[at] + k, channel);
        }
    }
    return u32(clamp(sum >> sizes.bits, 0, 255));
}
