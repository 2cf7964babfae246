//! The errors of a rule that is valid YAML.

use std::borrow::Cow;

/// The error of a rule that is valid YAML but cannot run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// The key of the rule file that is wrong, as a pointer.
    pub pointer: Cow<'static, str>,
    /// The problem.
    pub message: String,
}

impl RuleError {
    pub fn new(pointer: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), message: message.into() }
    }
}
