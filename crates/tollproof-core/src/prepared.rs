//! Data that `build.rs` prepared from `rules/` and `schemas/`: embedded, or loaded at start.

use std::sync::{LazyLock, OnceLock};

use tollproof_data::prepared::Prepared;

/// Most of it is decoded when it is first needed.
pub(crate) static PREPARED: LazyLock<Prepared> = LazyLock::new(|| {
    let bytes = LOADED.get().copied().or(EMBEDDED);
    Prepared::decode(bytes.expect("without the feature `embedded`, `load_prepared` is called first"))
});

static LOADED: OnceLock<&'static [u8]> = OnceLock::new();

#[cfg(feature = "embedded")]
const EMBEDDED: Option<&[u8]> = Some(include_bytes!(concat!(env!("OUT_DIR"), "/prepared.bin")));
#[cfg(not(feature = "embedded"))]
const EMBEDDED: Option<&[u8]> = None;

/// Gives the library its rules, vocabulary and providers, instead of embedded ones: the `page.bin` that its build script
/// wrote. Call it before anything else; later calls have no effect.
///
/// Without the feature `embedded`, everything else of the library panics before this call.
pub fn load_prepared(bytes: &'static [u8]) {
    LOADED.get_or_init(|| bytes);
}
