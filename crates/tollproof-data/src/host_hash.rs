//! Hashes of a host and of its parent domains, for lists with many hosts.

/// The hashes of a host's parent domains, from the shortest on, and last its own.
pub fn host_hashes(host: &str) -> impl Iterator<Item = u32> {
    let bytes = host.as_bytes();
    let mut hash: u32 = 0x811c_9dc5;
    (0..bytes.len()).rev().filter_map(move |at| {
        hash = (hash ^ u32::from(bytes[at])).wrapping_mul(0x0100_0193);
        (at == 0 || bytes[at - 1] == b'.').then_some(hash)
    })
}
