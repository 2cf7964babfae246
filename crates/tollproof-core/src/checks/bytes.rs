//! Searches texts for bytes that most of them do not have.

/// Whether some bytes have one that is wanted. As few have, each block is read without a branch for each byte.
pub(super) fn have_byte(bytes: &[u8], is_wanted: impl Fn(u8) -> bool) -> bool {
    let has = |block: &[u8]| block.iter().fold(false, |has, byte| has | is_wanted(*byte));
    bytes.chunks(64).any(has)
}
