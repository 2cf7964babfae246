//! The addresses in a draft, by what the draft uses them for.

use std::ops::Range;

use tollproof_data::seen::AddressUse;

use super::context::Context;
use super::named_address::NamedAddress;
use super::policy_name::{named_before, of_path, of_title};
use super::url::is_picture;
use crate::facts::seen::{PageSeen, SeenFact, SeenFacts};
use crate::provider::role;
use crate::syntax::document::Node;
use crate::validators::text_urls;
use crate::validators::url::{Address, parse};

/// The fields that are one address or a list of addresses.
const FIELDS: [(&str, AddressUse); 5] = [
    (role::CORPORATE_WEBSITE, AddressUse::Website),
    (role::OPT_IN_URL, AddressUse::OptIn),
    (role::OPT_IN_IMAGES, AddressUse::OptIn),
    (role::PRIVACY_POLICY_URL, AddressUse::Privacy),
    (role::TERMS_URL, AddressUse::Terms),
];

/// The texts that contain addresses. Those of the description lead to opt-in pages.
const TEXTS: [&str; 4] =
    [role::OPT_IN_DESCRIPTION, role::ADDITIONAL_INFORMATION, role::USE_CASE_SUMMARY, role::SAMPLE_MESSAGE];

impl Context<'_> {
    /// The addresses that the draft names, and the policies that its pages link; each once for each use.
    pub(crate) fn named_addresses(&self) -> &[NamedAddress] {
        self.found.named_addresses.get_or_init(|| {
            let mut naming = Naming { context: self, found: Vec::new() };
            naming.fields();
            naming.texts();
            naming.mail();
            naming.links();
            naming.found
        })
    }
}

impl<'a> Context<'a> {
    /// Finds the fact about an address of the draft, if it was looked at.
    pub(crate) fn fact(&self, named: &NamedAddress) -> Option<&'a SeenFact> {
        named.fact(&self.environment.facts.seen)
    }

    /// The page at an address of the draft, if it was seen.
    pub(crate) fn page(&self, named: &NamedAddress) -> Option<&'a PageSeen> {
        self.fact(named)?.seen_page()
    }

    /// The texts with which the opt-in pages of the draft ask for consent, also as its pictures show them.
    pub(super) fn consent_on_pages(&self) -> impl Iterator<Item = &str> {
        let is_seen = !self.environment.facts.seen.is_empty();
        let named = is_seen.then(|| self.named_addresses()).into_iter().flatten();
        let texts = named.filter_map(|named| match named.used {
            AddressUse::OptIn => Some(self.page(named)?.consent.as_str()),
            AddressUse::Picture => self.picture_text(named),
            _ => None,
        });
        texts.filter(|consent| !consent.trim().is_empty())
    }

    /// The words in a picture, if they were read.
    pub(super) fn picture_text(&self, named: &NamedAddress) -> Option<&'a str> {
        self.fact(named)?.seen_picture()?.text.as_deref()
    }
}

/// The roles of the values that name addresses of pages.
pub(crate) fn naming_roles() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().map(|(role, _)| *role).chain(TEXTS)
}

/// Collects the addresses of a draft.
struct Naming<'c> {
    context: &'c Context<'c>,
    found: Vec<NamedAddress>,
}

impl Naming<'_> {
    fn fields(&mut self) {
        let Context { kind, root, .. } = *self.context;
        for (role, used) in FIELDS {
            for node in kind.values(root, role) {
                let Some(text) = node.as_str() else { continue };
                if kind.takes_one_text(role) && used == AddressUse::OptIn {
                    for (range, address) in text_urls::in_text(text) {
                        self.add(or_picture(used, &address), node, Some(range), text);
                    }
                } else {
                    let read = self.context.address(text);
                    let used = read.as_ref().as_ref().map_or(used, |picture| or_picture(used, picture));
                    self.add(used, node, None, text);
                }
            }
        }
    }

    fn texts(&mut self) {
        let Context { kind, root, .. } = *self.context;
        for role in TEXTS {
            let is_description =
                role == role::OPT_IN_DESCRIPTION || kind.also_in(role::OPT_IN_DESCRIPTION).contains(&role);
            let may_have_policies = is_description || role == role::ADDITIONAL_INFORMATION;
            for node in kind.values(root, role) {
                let Some(text) = node.as_str() else { continue };
                let scan = self.context.scan(text);
                let mut end = 0;
                for (range, address) in scan.addresses(text) {
                    let before = text.get(std::mem::replace(&mut end, range.end)..range.start);
                    let other = if is_description {
                        or_picture(AddressUse::OptIn, address)
                    } else {
                        AddressUse::Link
                    };
                    let written = &text[range.clone()];
                    let policy = || self.policy(address, written, before, other);
                    let policy = may_have_policies.then(policy).flatten();
                    let used = policy.unwrap_or(other);
                    // Such a link is made for one person, or does something.
                    let is_personal = || {
                        let after = text.get(range.end..).unwrap_or_default();
                        !address.parameters.is_empty() || after.starts_with(['{', '[', '<', '%', '('])
                    };
                    if used == AddressUse::Link && is_personal() {
                        continue;
                    }
                    self.add(used, node, Some(range.clone()), text);
                }
            }
        }
    }

    /// The policy at an address: by its path, the words before it, or the title of its page. A page that asks for a phone
    /// number is not a policy, and a title says nothing of the first page on which people agree.
    fn policy(
        &self,
        address: &Address,
        written: &str,
        before: Option<&str>,
        other: AddressUse,
    ) -> Option<AddressUse> {
        let is_opt_in = |used| used == AddressUse::OptIn;
        let may_be_titled = !is_opt_in(other) || self.found.iter().any(|known| is_opt_in(known.used));
        let by_words = || {
            let page = SeenFacts::address_of(written)
                .and_then(|address| self.context.environment.facts.seen.at(&address)?.seen_page());
            let titled = || of_title(&page?.title).filter(|_| may_be_titled);
            let named = before.and_then(named_before).or_else(titled);
            named.filter(|_| page.is_none_or(|page| !page.forms.iter().any(|form| form.has_phone)))
        };
        of_path(&address.path).or_else(by_words)
    }

    fn mail(&mut self) {
        let Context { kind, root, .. } = *self.context;
        for node in kind.values(root, role::CONTACT_EMAIL) {
            let Some(address) = node.as_str().and_then(SeenFacts::domain_of) else { continue };
            self.found.push(NamedAddress::new(AddressUse::Mail, node, None, address));
        }
    }

    /// Adds the policies that the website and the opt-in pages link, unless the draft names its own.
    fn links(&mut self) {
        for used in [AddressUse::Privacy, AddressUse::Terms] {
            if self.found.iter().any(|it| it.used == used) {
                continue;
            }
            let seen = &self.context.environment.facts.seen;
            let mut pages = self.found.iter().filter(|it| is_of_business(it.used));
            let linked = pages.find_map(|address| {
                let page = address.fact(seen)?.seen_page()?;
                let link = if used == AddressUse::Privacy { &page.privacy } else { &page.terms };
                Some(address.linked(used, SeenFacts::address_of(link.as_deref()?)?))
            });
            self.found.extend(linked);
        }
    }

    fn add(&mut self, used: AddressUse, node: &Node<'_>, range: Option<Range<usize>>, text: &str) {
        let written = range.clone().and_then(|range| text.get(range)).unwrap_or(text);
        let Some(address) = SeenFacts::address_of(written) else { return };
        if self.found.iter().any(|known| known.used == used && known.address == address) {
            return;
        }
        let fact = self.context.environment.facts.seen.at(&address);
        let is_seen_picture =
            used == AddressUse::OptIn && fact.is_some_and(|fact| fact.seen_picture().is_some());
        let used = if is_seen_picture { AddressUse::Picture } else { used };
        self.found.push(NamedAddress::new(used, node, range, address));
    }
}

/// Whether an address is that of a page of the business itself.
fn is_of_business(used: AddressUse) -> bool {
    matches!(used, AddressUse::Website | AddressUse::OptIn)
}

/// A picture, if the path of an opt-in page ends as that of a picture does.
fn or_picture(used: AddressUse, address: &Address) -> AddressUse {
    if used == AddressUse::OptIn && is_picture(&address.path) { AddressUse::Picture } else { used }
}

/// Whether the path of an address in its normal form ends as that of a picture does.
pub(super) fn is_picture_address(address: &str) -> bool {
    parse(address).is_ok_and(|it| is_picture(&it.path))
}
