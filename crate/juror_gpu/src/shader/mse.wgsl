// Twin of `juror_metrics::sum_of_squares`: (r − c)² of a sample. Exact: whole numbers.

fn term(r: u32, c: u32) -> vec3<u32> {
    let difference = max(r, c) - min(r, c);
    return vec3<u32>(difference * difference, 0u, 0u);
}
