//! The table of all phrases: records that are used where they are stored.

pub mod lexicon;
pub mod number_set;
pub mod stored;
