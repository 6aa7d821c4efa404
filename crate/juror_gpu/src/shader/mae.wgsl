// Twin of the sum in `juror_metrics::mae`: |r − c| of a sample. Exact: whole numbers.

fn term(r: u32, c: u32) -> vec3<u32> {
    return vec3<u32>(max(r, c) - min(r, c), 0u, 0u);
}
