//! Facts that `tollproof look` can see at an address, by the names that rules and stored facts use.

use serde::{Deserialize, Serialize};

/// The use of an address in a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum AddressUse {
    /// The website of the business.
    Website,
    /// A page on which people agree to messages.
    OptIn,
    /// A picture of how people agree.
    Picture,
    /// The privacy policy.
    Privacy,
    /// The terms of the messages, or of the website.
    Terms,
    /// Any other link, such as one in a sample message.
    Link,
    /// The domain of an e-mail address.
    Mail,
}

/// The result of a request to an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SeenOutcome {
    /// It was seen.
    #[default]
    Seen,
    /// The server answered 404.
    NotFound,
    /// The server answered 410.
    Gone,
    /// An authoritative answer that the name does not exist.
    NoSuchName,
    /// The server answered 500 or higher.
    ServerError,
    /// The server answered with any other status that is not a success.
    OtherStatus,
    /// The certificate is not valid for the address.
    Certificate,
    /// No connection: refused, reset, or no way to the server.
    Unreachable,
    /// It could not be seen, which says nothing about it: a time-out, a bot wall, a page that needs a browser.
    NotChecked,
}

impl SeenOutcome {
    /// Whether the answer was certain, so that it can be an error of the draft.
    pub fn is_certain(self) -> bool {
        matches!(self, Self::NotFound | Self::Gone | Self::NoSuchName)
    }
}

/// A sign that a page is not the page of a business.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum PageSign {
    /// The page of a domain that has no website.
    Parked,
    /// The domain is for sale.
    ForSale,
    /// The page that a server, a site builder or a template has before there is content.
    Placeholder,
    /// The page says that the site is not ready yet.
    UnderConstruction,
    /// The page asks for a user name and a password, and shows little else.
    LogIn,
}
