//! `email`: e-mail addresses.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;
use crate::checks::texts::Texts;

/// E-mail addresses: each parameter that applies is a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Email {
    /// Not an e-mail address, or its domain is not under a known domain ending.
    pub malformed: bool,
    /// Domains, or names of host lists, that are refused.
    pub hosts: Vec<String>,
    /// Domains that are reserved for examples and tests.
    pub reserved: bool,
    /// Words that must not be the whole part before the `@`.
    pub local_words: Texts,
}

impl CheckSpec for Email {
    const FILLS: &'static [&'static str] = &["value", "match", "reason"];

    fn lacks(&self) -> Option<&'static str> {
        let finds_nothing =
            self.hosts.is_empty() && self.local_words.is_empty() && !self.malformed && !self.reserved;
        finds_nothing.then_some("`malformed`, `hosts`, `reserved` or `local_words`")
    }

    fn hosts(&self) -> &[String] {
        &self.hosts
    }
}
