//! Hashes that stay the same across versions and machines.

/// A 64-bit FNV-1a hash of the parts.
pub fn fingerprint_of(parts: &[&str]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        // A byte that no text holds keeps `a`+`bc` apart from `ab`+`c`.
        hash = with_byte(part.bytes().fold(hash, with_byte), 0xff);
    }
    hash
}

/// An FNV-1a hash with one more byte.
fn with_byte(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
}
