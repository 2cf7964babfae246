//! The word lists of `data/`, one module a file; `build/data.rs` checks and writes them.

include!(concat!(env!("OUT_DIR"), "/word_lists.rs"));
