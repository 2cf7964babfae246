//! `registration-number`: a number that does not fit its kind of business registration.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A number that does not fit its kind of business registration: its length, its prefix or its check digit is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RegistrationNumber {
    /// The field with the kind of registration.
    #[serde(rename = "type")]
    pub kind: String,
    /// The field with the country of the registration.
    pub country: String,
}

impl CheckSpec for RegistrationNumber {
    const FILLS: &'static [&'static str] = &["value", "type", "reason"];
    const JUDGES_FORM: bool = true;
}
