// Twin of `juror_metrics::resize` with `Resampling::Area` where parts of samples become one.
// f32 in the CPU's order, but a GPU may fuse a product and a sum: a sample that lies halfway may be 1 grey level off.
// Columns and rows begin with the positions of each new place's first share, and one for the end; a share is an old
// place and the bits of its weight.

fn sample(x: u32, y: u32, channel: u32) -> u32 {
    var sum = 0.0;
    for (var row = rows[y]; row < rows[y + 1u]; row += 2) {
        var across = 0.0;
        for (var column = columns[x]; column < columns[x + 1u]; column += 2) {
            let value = f32(byte_of(columns[column], rows[row], channel));
            across += value * bitcast<f32>(columns[column + 1]);
        }
        sum += across * bitcast<f32>(rows[row + 1]);
    }
    return u32(clamp(round(sum), 0.0, 255.0));
}
