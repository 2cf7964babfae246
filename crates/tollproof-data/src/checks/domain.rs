//! `domain`: the domains of e-mail addresses, as `tollproof look` saw them.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;
use crate::seen::SeenOutcome;

/// The domain of an e-mail address, as `tollproof look` saw it: each parameter that applies is a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Domain {
    /// Outcomes that are reported.
    #[serde(default)]
    pub outcomes: Vec<SeenOutcome>,
    /// Whether a domain without a mail server (MX record) is reported.
    #[serde(default)]
    pub without_mail_server: bool,
}

impl CheckSpec for Domain {
    const FILLS: &'static [&'static str] = &["value", "match", "reason"];
    const NEEDS_SEEN: bool = true;

    fn lacks(&self) -> Option<&'static str> {
        (self.outcomes.is_empty() && !self.without_mail_server)
            .then_some("`outcomes` or `without_mail_server`")
    }
}
