//! The one place that runs rules on documents, applies levels and ignores, and sorts what is found.

mod deepest;
mod ignores;
mod judge;
mod linter;
mod refusal;
mod system;
mod trial;

pub use self::ignores::IgnoreEntry;
pub use self::linter::Linter;
