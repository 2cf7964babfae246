//! The word lists in `data/`, one module per file; `build/data.rs` checks and generates them.

include!(concat!(env!("OUT_DIR"), "/word_lists.rs"));
