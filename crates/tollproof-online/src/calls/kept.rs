//! The names under which an attempt keeps more than the steps that the provider took.

use tollproof_history::Attempt;

/// The reference of a draft that has its own.
pub(crate) const REFERENCE: &str = "token";
/// The submissions that there were before the attempt was sent.
pub(crate) const KNOWN: &str = "known";
/// The time since which looks saw nothing of the attempt.
pub(crate) const UNSEEN: &str = "unseen";
/// The count of numbers that a purchase wants.
pub(crate) const WANTED: &str = "wanted";
/// The beginning of a name: each number that was chosen to be bought.
pub(crate) const CHOSEN: &str = "number-";

/// Whether the provider took an earlier step of an attempt.
pub(crate) fn has_begun(attempt: &Attempt) -> bool {
    let is_step = |name: &String| {
        ![REFERENCE, KNOWN, UNSEEN, WANTED].contains(&name.as_str()) && !name.starts_with(CHOSEN)
    };
    attempt.steps.keys().any(is_step)
}
