//! The one place that runs rules on documents, applies levels and ignores, and sorts what is found.

mod deepest;
mod ignores;
mod judge;
mod linter;
mod meant;
mod refusal;
pub(crate) mod render;
mod report;
mod system;
mod target;
mod trial;

pub use self::ignores::IgnoreEntry;
pub use self::linter::Linter;
pub use self::report::{NOT_CHECKED, Rejected, Report};
