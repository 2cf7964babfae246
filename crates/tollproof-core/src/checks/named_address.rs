//! An address that a draft names.

use std::ops::Range;

use tollproof_data::seen::AddressUse;

use crate::facts::seen::{SeenFact, SeenFacts};
use crate::syntax::document::Node;

/// An address that a draft names, or that a page of it links.
#[derive(Debug)]
pub(crate) struct NamedAddress {
    pub(crate) used: AddressUse,
    /// The value that names it, or that names the page which links it; only compared.
    node: *const (),
    /// The place in the text of the value; `None` if it is the whole value, or not in it.
    pub(crate) range: Option<Range<usize>>,
    /// As facts have it.
    pub(crate) address: String,
    /// Whether a page links it, and the draft does not name it.
    pub(crate) is_linked: bool,
}

impl NamedAddress {
    /// An address in a value.
    pub(crate) fn new(
        used: AddressUse,
        node: &Node<'_>,
        range: Option<Range<usize>>,
        address: String,
    ) -> Self {
        Self { used, node: std::ptr::from_ref(node).cast(), range, address, is_linked: false }
    }

    /// An address that the page at another one links.
    pub(crate) fn linked(&self, used: AddressUse, address: String) -> Self {
        Self { used, node: self.node, range: None, address, is_linked: true }
    }

    /// Whether a value names it.
    pub(crate) fn is_in(&self, node: &Node<'_>) -> bool {
        std::ptr::eq(self.node, std::ptr::from_ref(node).cast())
    }

    /// The fact seen there, if it was looked at.
    pub(crate) fn fact<'s>(&self, seen: &'s SeenFacts) -> Option<&'s SeenFact> {
        match self.used {
            AddressUse::Mail => seen.domain(&self.address),
            _ => seen.at(&self.address),
        }
    }
}
