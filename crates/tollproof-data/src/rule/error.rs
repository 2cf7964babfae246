//! What is wrong with a rule that is valid YAML.

use std::borrow::Cow;

/// What is wrong with a rule that is valid YAML but cannot run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// The key of the rule file that is wrong, as a pointer.
    pub pointer: Cow<'static, str>,
    /// What is wrong.
    pub message: String,
}

impl RuleError {
    pub fn new(pointer: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), message: message.into() }
    }
}
