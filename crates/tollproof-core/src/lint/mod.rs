//! The one place that runs rules on documents, applies levels and ignores, and sorts what is found.

mod addresses;
mod age;
mod builder;
mod check;
mod deepest;
mod fixed_values;
mod ignores;
mod json;
mod json_summary;
mod judge;
mod left_unsaid;
mod linter;
mod not_checked;
mod own_provider;
mod plan;
mod readings;
mod refusal;
pub(crate) mod render;
mod report;
mod requests;
mod seen_use;
mod system;
#[cfg(test)]
mod tests;
mod totals;
mod trial;

pub use self::builder::{LinterBuilder, LinterError};
pub use self::ignores::IgnoreEntry;
pub use self::json::JsonFinding;
pub use self::json_summary::JsonSummary;
pub use self::linter::Linter;
pub use self::not_checked::NotChecked;
pub use self::own_provider::OwnProvider;
pub use self::readings::{
    AnswerProblem, ReadRequest, ReadUse, ReaderAnswer, ReaderAnswers, RequestedQuestion,
};
pub use self::report::{Rejected, Report};
pub use self::seen_use::SeenUse;
pub use self::totals::ReportTotals;
