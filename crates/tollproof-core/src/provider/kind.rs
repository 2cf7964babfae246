//! Telling payloads apart.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::syntax::document::Node;

/// The kind of a document in Bird's API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A draft that asks for the verification of one number.
    SubmitRequest,
    /// A draft that changes an earlier submission.
    UpdateRequest,
    /// The API's answer when a verification is fetched or updated.
    VerificationRecord,
    /// A purchase of numbers.
    NumberPurchase,
    /// The query of a search for available numbers.
    NumberSearch,
    /// The body of a refused request.
    ErrorResponse,
}

impl Kind {
    /// All kinds, in the order in which help texts list them.
    pub const ALL: [Self; 6] = [
        Self::SubmitRequest,
        Self::UpdateRequest,
        Self::VerificationRecord,
        Self::NumberPurchase,
        Self::NumberSearch,
        Self::ErrorResponse,
    ];

    /// The two kinds that a reviewer reads.
    pub const REQUESTS: [Self; 2] = [Self::SubmitRequest, Self::UpdateRequest];

    /// The name used on the command line, in the config and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SubmitRequest => "submit-request",
            Self::UpdateRequest => "update-request",
            Self::VerificationRecord => "verification-record",
            Self::NumberPurchase => "number-purchase",
            Self::NumberSearch => "number-search",
            Self::ErrorResponse => "error-response",
        }
    }

    /// What the payload is called inside a sentence.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::SubmitRequest => "a submit request",
            Self::UpdateRequest => "an update request",
            Self::VerificationRecord => "a verification record",
            Self::NumberPurchase => "a number purchase",
            Self::NumberSearch => "a number search",
            Self::ErrorResponse => "an error response",
        }
    }

    /// The kind that the keys of a document give away.
    ///
    /// On a walk through a folder, kinds with common key names are not inferred. `is_business_field`
    /// tells the fields of a submission.
    pub(crate) fn tell(
        root: &Node<'_>,
        walked: bool,
        is_business_field: impl Fn(&str) -> bool,
    ) -> Option<Self> {
        let has = |key: &str| root.members().iter().any(|member| member.key == key);
        if has("verificationRequestData") || has("verificationRequestId") {
            return Some(Self::VerificationRecord);
        }
        if has("numbers") {
            return Some(Self::NumberPurchase);
        }
        if has("phoneNumbers") || has("workspaceId") {
            return Some(Self::SubmitRequest);
        }
        if root.members().iter().any(|member| is_business_field(&member.key)) {
            return Some(Self::SubmitRequest);
        }
        if walked {
            return None;
        }
        if has("code") && has("message") {
            return Some(Self::ErrorResponse);
        }
        ((has("limit") || has("type")) && has("country")).then_some(Self::NumberSearch)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownKind {
            name: name.to_owned(),
            nearest: crate::suggest::nearest(name, Self::ALL.map(Self::name)),
        })
    }
}

/// A name that is no kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind of document `{}`{}", crate::syntax::message_parts::quoted(.name), crate::suggest::did_you_mean(*.nearest))]
pub struct UnknownKind {
    /// What was asked for.
    pub name: String,
    /// The kind that was probably meant.
    pub nearest: Option<&'static str>,
}
