//! The one place that runs rules on documents, applies levels and ignores, and sorts what is found.

mod builder;
mod check;
mod deepest;
mod fixed_values;
mod ignores;
mod json;
mod judge;
mod linter;
mod own_provider;
mod plan;
mod refusal;
pub(crate) mod render;
mod report;
mod system;
mod target;
#[cfg(test)]
mod tests;
mod trial;

pub use self::builder::{LinterBuilder, LinterError};
pub use self::ignores::IgnoreEntry;
pub use self::json::JsonFinding;
pub use self::linter::Linter;
pub use self::own_provider::OwnProvider;
pub use self::report::{NOT_CHECKED, Rejected, Report};
