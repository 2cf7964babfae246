//! `picture`: pictures of how people agree, as `tollproof look` saw them.

use serde::{Deserialize, Serialize};

use crate::checks::page::PageElement;
use crate::checks::spec::CheckSpec;
use crate::seen::SeenOutcome;
use crate::text::terms::groups::Groups;

/// A picture that the draft names, as `tollproof look` saw it: each parameter that applies is a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Picture {
    /// Outcomes that are reported.
    pub outcomes: Vec<SeenOutcome>,
    /// Whether a page is reported that is in the place of a picture: its address ends as that of a picture does.
    pub page_instead: bool,
    /// Hosts, or names of host lists, at which any page is in the place of a picture.
    pub page_hosts: Vec<String>,
    /// Whether a picture is reported that cannot be decoded.
    pub broken: bool,
    /// Whether a picture is reported that has one color only.
    pub blank: bool,
    /// The width in pixels that a picture must have.
    pub min_width: u32,
    /// The height in pixels that a picture must have.
    pub min_height: u32,
    /// Required elements of the words in the pictures of the draft, if those of one have one of `about`.
    pub elements: Vec<PageElement>,
    /// Groups of which a picture shows one if it is of the text that people agree to.
    pub about: Groups,
}

impl Picture {
    /// Whether it compares words in pictures with meanings, which a reader understands better.
    pub(super) fn is_of_words(&self) -> bool {
        !self.elements.is_empty()
    }
}

impl CheckSpec for Picture {
    const FILLS: &'static [&'static str] = &["value", "match", "reason", "missing"];
    const NEEDS_SEEN: bool = true;

    fn lacks(&self) -> Option<&'static str> {
        let finds_nothing = self.outcomes.is_empty()
            && self.page_hosts.is_empty()
            && self.elements.is_empty()
            && !(self.page_instead || self.broken || self.blank)
            && self.min_width == 0
            && self.min_height == 0;
        finds_nothing.then_some(
            "one of `outcomes`, `page_instead`, `page_hosts`, `broken`, `blank`, `min_width`, `min_height`, `elements`",
        )
    }

    fn hosts(&self) -> &[String] {
        &self.page_hosts
    }

    fn groups(&mut self) -> Vec<&mut Groups> {
        self.elements.iter_mut().map(|element| &mut element.any_of).chain([&mut self.about]).collect()
    }
}
