//! The tables and word lists of `data/`, which `build.rs` checks and writes as constants, and look-ups in them.

pub mod address_line;
pub mod area_codes;
pub mod calling_codes;
pub mod countries;
pub mod ein;
pub mod postal;
pub mod regions;
pub mod registration;
mod registration_number;

include!(concat!(env!("OUT_DIR"), "/word_lists.rs"));

/// The list of public suffixes, as its owner publishes it; only what prepares it reads it.
pub static PUBLIC_SUFFIXES: &str = include_str!("../../data/public-suffixes.txt");
