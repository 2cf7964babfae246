//! The bytes of the built-in rules, as `build.rs` prepared them.

/// Rules, phrases and vocabulary.
#[cfg(engine)]
pub(crate) static PREPARED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/rules.bin"));

/// Nothing: this is what `build.rs` makes.
#[cfg(not(engine))]
static PREPARED: &[u8] = &[];

/// The same bytes with the lifetime of [`PREPARED`], if they are a part of it. Decoders hand out borrowed bytes without
/// saying that they borrow from a static.
pub(crate) fn part(bytes: &[u8]) -> Option<&'static [u8]> {
    let start = (bytes.as_ptr() as usize).checked_sub(PREPARED.as_ptr() as usize)?;
    PREPARED.get(start..start.checked_add(bytes.len())?)
}
