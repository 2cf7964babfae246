//! JSON output of `look`; `schemas/look.schema.json` is generated from the structs in this file.

use std::collections::BTreeSet;

use serde::Serialize;
use tollproof_core::seen::{AddressUse, SeenFact, SeenOutcome};

/// The version of the format. It changes when an older reader would misread it.
const VERSION: u32 = 1;

/// The output of `look`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields, title = "Output of tollproof look"))]
pub(crate) struct JsonLook<'l> {
    /// The version of this format, 1.
    version: u32,
    /// The addresses of the drafts, sorted.
    addresses: &'l [JsonAddress],
    /// The files with the facts.
    files: &'l [String],
    /// Whether no name could be looked up, so that nothing was stored about names.
    is_offline: bool,
}

/// An address in drafts, and what was seen there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub(crate) struct JsonAddress {
    /// A web address, or a mail domain.
    pub(crate) address: String,
    /// The uses of it in drafts.
    pub(crate) used: BTreeSet<AddressUse>,
    /// The source of the rest.
    pub(crate) state: LookState,
    /// The result; absent if nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) outcome: Option<SeenOutcome>,
    /// The reason it was not seen, or the fault of the certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
    /// The HTTP status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u16>,
    /// The time it was seen, in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<String>,
}

/// The source of the facts about an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum LookState {
    /// By this run.
    New,
    /// By an earlier run. They are new enough, or this run could not see more.
    Stored,
    /// Not at all, because of --dry-run, Ctrl-C or the network.
    Left,
}

impl<'l> JsonLook<'l> {
    pub(crate) fn new(addresses: &'l [JsonAddress], files: &'l [String], is_offline: bool) -> Self {
        Self { version: VERSION, addresses, files, is_offline }
    }
}

impl JsonAddress {
    pub(crate) fn new(
        address: &str,
        used: &BTreeSet<AddressUse>,
        state: LookState,
        fact: Option<&SeenFact>,
    ) -> Self {
        Self {
            address: address.to_owned(),
            used: used.clone(),
            state,
            outcome: fact.map(|it| it.outcome),
            why: fact.and_then(|it| it.why.clone()),
            status: fact.and_then(|it| it.status),
            at: fact.map(|it| it.at.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::json_schema::validator_of;
    use super::*;

    #[test]
    fn json_of_looks_keeps_its_promise() {
        let validator = validator_of::<JsonLook<'static>>("look");
        let used = BTreeSet::from([AddressUse::Website, AddressUse::OptIn]);
        let at = "2026-11-26T07:00:00Z".parse().expect("it is a time");
        let fact = SeenFact { status: Some(404), ..SeenFact::new("https://acme.com/".to_owned(), at) };
        let addresses = [
            JsonAddress::new("https://acme.com/", &used, LookState::New, Some(&fact)),
            JsonAddress::new("acme.com", &BTreeSet::from([AddressUse::Mail]), LookState::Left, None),
        ];
        let files = [".tollproof/facts.ndjson".to_owned()];
        let document = serde_json::to_value(JsonLook::new(&addresses, &files, false)).expect("it is JSON");
        assert!(validator.is_valid(&document), "{document}");
        assert!(!validator.is_valid(&serde_json::json!({ "version": 1 })));
    }
}
