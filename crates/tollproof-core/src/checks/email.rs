//! `email`: e-mail addresses.

use serde::{Deserialize, Serialize};

use crate::checks::hosts::HostNames;
use crate::checks::spec::CheckSpec;
use crate::checks::texts::Texts;

/// E-mail addresses: each parameter that applies is a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Email {
    /// Not an e-mail address, or its domain is not under a known domain ending.
    #[serde(default)]
    pub malformed: bool,
    /// Domains, or names of host lists, that are refused.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub hosts: HostNames,
    /// Domains that are reserved for examples and tests.
    #[serde(default)]
    pub reserved: bool,
    /// Words that must not be the whole part before the `@`.
    #[serde(default)]
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
        self.hosts.names()
    }
}

#[cfg(engine)]
mod engine {
    use super::Email;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::provider::role;
    use crate::syntax::message::Message;
    use crate::validators::host;

    impl RunCheck for Email {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            let trimmed = text.trim();
            let domain = context.mail_domain(text);
            let domain = match domain.as_ref() {
                Ok(domain) => domain,
                Err(reason) => {
                    return self
                        .malformed
                        .then(|| Violation::default().fill("reason", Message::own(*reason)));
                }
            };
            let local = || trimmed.split('@').next().unwrap_or_default();
            let is_refused = !self.local_words.is_empty() && self.local_words.contain(local());
            if self.reserved && host::is_reserved(domain) || is_refused {
                return Some(Violation::default().fill("match", trimmed));
            }
            let entry = context.lists.host_entry(self.hosts.names(), domain)?;
            // Some e-mail providers are businesses too: their domain is not a free one if it is also their website.
            let site = context.field(role::CORPORATE_WEBSITE).and_then(|site| context.host_of(site));
            if site.as_deref().and_then(host::registrable) == host::registrable(domain) {
                return None;
            }
            let start = text.len() - text.trim_start().len() + trimmed.len() - domain.len();
            let span = context.inner(node, start..start + domain.len());
            Some(Violation::at(span).fill("match", entry))
        }
    }
}
