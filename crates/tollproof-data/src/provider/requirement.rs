//! Requirements of a provider under a condition or from a date, beyond the required fields of its schema.

use serde::{Deserialize, Serialize};

/// Fields that a provider requires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// The roles of the fields.
    pub roles: Vec<&'static str>,
    /// A role, and the values with which the fields are not required.
    pub unless: Vec<(&'static str, Vec<&'static str>)>,
    /// A role, and the values with which only the fields are required.
    pub when: Vec<(&'static str, Vec<&'static str>)>,
    /// The first day, in UTC, as `YYYY-MM-DD`.
    pub since: Option<&'static str>,
    /// Whether only reviewers need the fields: the API takes a request without them.
    pub by_reviewers: bool,
}
