//! Facts from `tollproof look` about the addresses in drafts, as plain data.

mod fact;
mod limits;
mod page;
mod page_field;

use std::collections::HashMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use url::Url;

pub use self::fact::{DomainSeen, PictureSeen, SeenFact};
use self::limits::MAX_ADDRESS;
pub use self::page::{BoxSeen, FormSeen, PageSeen};
pub(crate) use self::page_field::PageField;
pub use tollproof_data::seen::{AddressUse, PageSign, SeenOutcome};

use crate::validators::email;
use crate::validators::url::{Malformed, parse};

/// Everything that was seen, by the address that was asked. A clone shares it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenFacts(Option<Arc<SeenIndex>>);

/// The facts of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SeenIndex {
    by_address: HashMap<String, SeenFact>,
    max_age: SignedDuration,
}

impl SeenFacts {
    /// The age at which facts are old, unless a setting says otherwise.
    pub const MAX_AGE: SignedDuration = SignedDuration::from_hours(14 * 24);

    /// Collects facts. Of several for one address, the newest counts, and of equally new ones the last.
    #[must_use]
    pub fn new(facts: impl IntoIterator<Item = SeenFact>) -> Self {
        let mut by_address: HashMap<String, SeenFact> = HashMap::new();
        for fact in facts.into_iter().map(SeenFact::within_limits) {
            if by_address.get(&fact.address).is_none_or(|known| known.at <= fact.at) {
                by_address.insert(fact.address.clone(), fact);
            }
        }
        let index = SeenIndex { by_address, max_age: Self::MAX_AGE };
        Self((!index.by_address.is_empty()).then(|| Arc::new(index)))
    }

    /// Sets the age at which facts are old.
    #[must_use]
    pub fn with_max_age(self, max_age: SignedDuration) -> Self {
        Self(self.0.map(|index| Arc::new(SeenIndex { max_age, ..Arc::unwrap_or_clone(index) })))
    }

    /// The page or picture at a web address, in any spelling that [`SeenFacts::address_of`] accepts.
    pub fn page(&self, url: &str) -> Option<&SeenFact> {
        self.at(url).or_else(|| self.at(&Self::address_of(url)?))
    }

    /// Returns the fact about an address that is spelled as facts have it.
    pub(crate) fn at(&self, address: &str) -> Option<&SeenFact> {
        self.0.as_ref()?.by_address.get(address)
    }

    /// The mail domain with a name.
    pub fn domain(&self, name: &str) -> Option<&SeenFact> {
        self.0.as_ref()?.by_address.get(&name.to_ascii_lowercase())
    }

    /// Whether nothing was looked at.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Counts the addresses looked at.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |index| index.by_address.len())
    }

    /// Whether a fact was seen so long ago that it should be renewed.
    pub fn is_old(&self, fact: &SeenFact, now: Timestamp) -> bool {
        self.0.as_ref().is_some_and(|index| Self::is_older(fact, now, index.max_age))
    }

    /// Whether a fact is older than `max_age`. One of the future has a wrong time, and counts as old.
    pub fn is_older(fact: &SeenFact, now: Timestamp, max_age: SignedDuration) -> bool {
        let age = now.duration_since(fact.at);
        age > max_age || age < -SignedDuration::from_mins(10)
    }

    /// The address that is asked for a web address in a draft: with its scheme, the host in lower case and ASCII, and
    /// without user name, password and fragment. `None` if it is not a web address.
    pub fn address_of(text: &str) -> Option<String> {
        let text = text.trim();
        if text.len() > MAX_ADDRESS {
            return None;
        }
        let mut url = match parse(text) {
            Ok(_) => Url::parse(text).ok()?,
            Err(Malformed::NoScheme) => Url::parse(&format!("https://{text}")).ok()?,
            Err(Malformed::Other(_)) => return None,
        };
        url.set_fragment(None);
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
        Some(url.into())
    }

    /// The domain that is asked for an e-mail address, in lower case and ASCII. `None` if it is not an e-mail address.
    pub fn domain_of(email: &str) -> Option<String> {
        let domain = email::domain_of(email.trim()).ok()?;
        Url::parse(&format!("https://{domain}/")).ok()?.host_str().map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_one_spelling() {
        let address = |text| SeenFacts::address_of(text);
        for (text, expected) in [
            (" HTTPS://Acme.COM ", "https://acme.com/"),
            ("acme.com/Book?a=1#form", "https://acme.com/Book?a=1"),
            ("http://ana:secret@acme.com:8080/x", "http://acme.com:8080/x"),
            ("https://bücher.com/é", "https://xn--bcher-kva.com/%C3%A9"),
        ] {
            assert_eq!(address(text).as_deref(), Some(expected));
            assert_eq!(address(expected).as_deref(), Some(expected), "it stays as it is");
        }
        assert_eq!(SeenFacts::address_of(&("https://acme.com/".to_owned() + &"a".repeat(2_000))), None);
        for text in ["", "N/A", "ftp://acme.com", "https://acme.com and more", "irene@acme.com"] {
            assert_eq!(address(text), None, "{text}");
        }
        assert_eq!(SeenFacts::domain_of("Irene@Acme.COM").as_deref(), Some("acme.com"));
        assert_eq!(SeenFacts::domain_of("irene@bücher.com").as_deref(), Some("xn--bcher-kva.com"));
        assert_eq!(SeenFacts::domain_of("acme.com"), None);
    }

    #[test]
    fn the_newest_fact_counts() {
        let fact = |at: i64, bytes| SeenFact {
            bytes,
            ..SeenFact::new("https://acme.com/".to_owned(), Timestamp::from_second(at).expect("it is a time"))
        };
        let seen = SeenFacts::new([fact(5, 1), fact(9, 2), fact(7, 3), fact(9, 4)]);
        assert_eq!((seen.len(), seen.page("acme.com").map(|it| it.bytes)), (1, Some(4)));
        let (newest, now) = (fact(9, 4), Timestamp::from_second(109).expect("it is a time"));
        assert!(!seen.is_old(&newest, now));
        let early = Timestamp::from_second(-900).expect("it is a time");
        assert!(seen.is_old(&newest, early), "a time that is to come is wrong");
        let strict = |seconds| seen.clone().with_max_age(SignedDuration::from_secs(seconds));
        assert!(strict(99).is_old(&newest, now) && !strict(100).is_old(&newest, now));
        assert!(SeenFacts::new([]).is_empty() && SeenFacts::new([]) == SeenFacts::default());
    }
}
