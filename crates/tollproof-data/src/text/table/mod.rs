//! The table of all phrases, and which patterns of rules can be in a text: records that are used where they are stored.

pub mod lexicon;
pub mod number_set;
pub mod prefilter;
pub mod stored;
