//! The facts seen at one address: a line of the store of facts.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tollproof_data::seen::SeenOutcome;

use super::limits::{cut, drop_long};
use super::page::{MAX_TEXT, PageSeen};

/// The facts seen at one address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeenFact {
    /// The target: an address as [`SeenFacts::address_of`](super::SeenFacts::address_of) writes it, or a mail domain.
    pub address: String,
    /// The time it was seen.
    pub at: Timestamp,
    /// The version of this shape, [`SeenFact::VERSION`].
    pub version: u32,
    /// The result.
    pub outcome: SeenOutcome,
    /// The reason it was not seen, or the fault of the certificate: `time-out`, `bot-wall`, `needs-browser`,
    /// `too-large`, `private-address`, `too-many-redirects`, `expired`, `self-signed`, `wrong-name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The status of the last answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The address after redirects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_address: Option<String>,
    /// The number of redirects.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub redirects: u8,
    /// The content type of the answer, without parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// The size of the content, in bytes.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub bytes: u64,
    /// The page, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<PageSeen>,
    /// The picture, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureSeen>,
    /// The mail domain, if the address is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<DomainSeen>,
}

impl SeenFact {
    /// The version of the shape.
    pub const VERSION: u32 = 1;

    /// A fact about which nothing is known but the address and the time.
    #[must_use]
    pub fn new(address: String, at: Timestamp) -> Self {
        Self { address, at, version: Self::VERSION, ..Self::default() }
    }

    /// The same fact with texts and lists that are at most as long as this shape says. Facts come from files and from pages
    /// of others.
    #[must_use]
    pub fn within_limits(mut self) -> Self {
        cut(self.why.as_mut(), SHORT);
        cut(self.content_type.as_mut(), SHORT);
        drop_long(&mut self.final_address);
        if let Some(page) = &mut self.page {
            page.keep_limits();
        }
        if let Some(picture) = &mut self.picture {
            cut(Some(&mut picture.format), SHORT);
            cut(picture.unread.as_mut(), SHORT);
            cut(picture.text.as_mut(), MAX_TEXT);
        }
        self
    }

    /// Whether something is known that rules judge: it did not open, or a page, picture or mail domain was seen, and no other file.
    pub(crate) fn shows_something(&self) -> bool {
        let is_known = self.page.is_some() || self.picture.is_some() || self.domain.is_some();
        is_known || self.outcome != SeenOutcome::Seen
    }

    /// The page, if it was seen.
    pub(crate) fn seen_page(&self) -> Option<&PageSeen> {
        self.page.as_ref().filter(|_| self.outcome == SeenOutcome::Seen)
    }

    /// Whether it is a picture whose words nothing has read.
    pub(crate) fn has_unread_words(&self) -> bool {
        let has_words = |picture: &&PictureSeen| picture.decodes && !picture.is_blank;
        self.seen_picture().filter(has_words).is_some_and(|picture| picture.text.is_none())
    }

    /// The picture, if it was seen.
    pub(crate) fn seen_picture(&self) -> Option<&PictureSeen> {
        self.picture.as_ref().filter(|_| self.outcome == SeenOutcome::Seen)
    }
}

/// The longest word of a fact, in characters.
const SHORT: usize = 100;

/// Facts seen of a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PictureSeen {
    /// The format, by its content: `png`.
    pub format: String,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// Whether it has one color only.
    pub is_blank: bool,
    /// Whether it can be decoded.
    pub decodes: bool,
    /// The words that Tesseract read in it, a line for each of its lines; at most 4,000 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The reason its words were not read: `no-tesseract`, `time-out`, `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
}

/// Facts seen of a mail domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct DomainSeen {
    /// Whether it has a mail server (MX record).
    pub mx: bool,
    /// Whether it has an address (A or AAAA record).
    pub a: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &u8) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_empty(bytes: &u64) -> bool {
    *bytes == 0
}
