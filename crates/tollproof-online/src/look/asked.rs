//! Addresses to look at.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use tollproof_core::SeenFacts;
use tollproof_core::seen::{AddressUse, SeenFact, SeenOutcome};

/// An address in drafts, with all that they use it for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// A web address as facts have it, or a mail domain.
    pub address: String,
    /// Uses of it in drafts; at least one.
    pub used: BTreeSet<AddressUse>,
    /// The words that name the businesses whose website it is.
    pub names: BTreeSet<String>,
}

impl Asked {
    /// Whether it is a mail domain.
    pub fn is_mail(&self) -> bool {
        self.used.contains(&AddressUse::Mail)
    }

    /// Whether it is looked at as a page.
    pub(super) fn is_page(&self) -> bool {
        !self.used.contains(&AddressUse::Picture)
    }

    /// Whether people agree on it.
    pub(super) fn is_opt_in(&self) -> bool {
        self.used.contains(&AddressUse::OptIn)
    }
}

/// Whether an address is to be looked at, by what is known of it: if nothing is, if that is older than `max_age`, or if it
/// could not be seen the last time, because its owner may have repaired it.
pub fn needs_look(known: Option<&SeenFact>, now: Timestamp, max_age: SignedDuration) -> bool {
    known.is_none_or(|fact| SeenFacts::is_older(fact, now, max_age) || fact.outcome != SeenOutcome::Seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_old_or_failed_is_looked_at() {
        let time = |day: i64| Timestamp::from_second(day * 86_400).expect("it is a time");
        let fact = |outcome, why: &str| SeenFact {
            outcome,
            why: Some(why.to_owned()).filter(|it| !it.is_empty()),
            ..SeenFact::new("https://acme.test/".to_owned(), time(1))
        };
        let days = |it: i64| SignedDuration::from_hours(24 * it);
        let needs = |fact: &SeenFact, day| needs_look(Some(fact), time(day), days(14));
        assert!(needs_look(None, time(1), days(14)));
        let seen = fact(SeenOutcome::Seen, "");
        assert!(!needs(&seen, 15) && needs(&seen, 16));
        // A wrong clock, or a wrong file.
        assert!(needs(&seen, 0));
        assert!(needs(&fact(SeenOutcome::NotFound, ""), 2));
        assert!(needs(&fact(SeenOutcome::NotChecked, "time-out"), 2));
    }
}
