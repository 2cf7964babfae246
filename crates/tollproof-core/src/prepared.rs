//! What `build.rs` prepared of `rules/` and `schemas/`.

use std::sync::LazyLock;

use tollproof_data::prepared::Prepared;

/// Most of it is decoded when it is first needed.
pub(crate) static PREPARED: LazyLock<Prepared> =
    LazyLock::new(|| Prepared::decode(include_bytes!(concat!(env!("OUT_DIR"), "/prepared.bin"))));
