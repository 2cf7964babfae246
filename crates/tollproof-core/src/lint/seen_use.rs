//! The facts about addresses that a check used, and the addresses that were not seen.

use std::collections::BTreeMap;

use jiff::Timestamp;
use tollproof_data::seen::{AddressUse, SeenOutcome};

use crate::checks::NamedAddress;
use crate::facts::seen::SeenFacts;
use crate::lint::age::age;
use crate::lint::not_checked::NotChecked;
use crate::syntax::message::{Message, message};

/// Items of [`NotChecked::ALWAYS`] that facts about pages, pictures and mail domains replace.
const SEEN_INSTEAD: [&str; 2] = [NotChecked::ALWAYS[1], NotChecked::ALWAYS[2]];

/// The most unseen addresses that are kept; of others only their number.
const KEPT: usize = 10_000;

/// The number of them to name.
const NAMED: usize = 3;

/// The longest reason that is shown, in characters.
const LONGEST_REASON: usize = 40;

/// The used facts about addresses, and the addresses of the drafts that were not seen.
///
/// Without any facts, it is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenUse {
    /// The number of used facts; one that two drafts need counts twice.
    pub used: usize,
    /// The time the oldest of them was seen.
    pub oldest: Option<Timestamp>,
    /// The time the newest of them was seen.
    pub newest: Option<Timestamp>,
    /// The addresses that were not seen: why not, or nothing if they were not looked at.
    unseen: BTreeMap<String, Option<String>>,
    /// The number of others.
    more: usize,
    /// Whether there are facts.
    has_facts: bool,
}

impl SeenUse {
    /// Notes the addresses of a draft.
    pub(crate) fn note(&mut self, facts: &SeenFacts, named: &[NamedAddress]) {
        self.has_facts |= !facts.is_empty();
        for it in named {
            let NamedAddress { address, is_linked, .. } = it;
            match it.fact(facts) {
                Some(fact) if fact.outcome == SeenOutcome::NotChecked => {
                    self.add_unseen(address, Some(fact.why.clone().unwrap_or_default()));
                }
                Some(fact) if it.used != AddressUse::Link && !fact.shows_something() => {
                    let kind = fact.content_type.as_deref().unwrap_or("unknown");
                    self.add_unseen(address, Some(format!("a file of type {kind}")));
                }
                Some(fact) => {
                    self.used += 1;
                    self.spread(fact.at, fact.at);
                }
                // A policy that only a page links may have been named elsewhere before.
                None if *is_linked => {}
                None => self.add_unseen(address, None),
            }
        }
    }

    /// Whether there are facts, even if none was used.
    pub fn has_facts(&self) -> bool {
        self.has_facts
    }

    /// Counts the unseen addresses.
    pub fn unseen(&self) -> usize {
        if self.has_facts { self.unseen.len() + self.more } else { 0 }
    }

    /// Adds what another check used.
    pub fn add(&mut self, other: &Self) {
        self.has_facts |= other.has_facts;
        self.used += other.used;
        if let Some((oldest, newest)) = other.oldest.zip(other.newest) {
            self.spread(oldest, newest);
        }
        other.unseen.iter().for_each(|(address, why)| self.add_unseen(address, why.clone()));
        self.more += other.more;
    }

    /// Describes how long ago the facts were seen: `3 to 9 days ago`. `None` if none was used.
    pub fn age(&self, now: Option<Timestamp>) -> Option<Message> {
        age(self.oldest, self.newest, now)
    }

    /// Lists what could not be checked: [`NotChecked::ALWAYS`], and if there are facts, the addresses that were not seen in place
    /// of what they show. With `names`, some of the addresses are named.
    pub fn not_checked(&self, names: bool) -> Vec<NotChecked> {
        let fixed = NotChecked::ALWAYS.iter().filter(|item| !(self.has_facts && SEEN_INSTEAD.contains(item)));
        let mut all: Vec<NotChecked> = fixed.map(|it| NotChecked::from(*it)).collect();
        if !self.has_facts {
            return all;
        }
        let new = self.unseen.iter().filter(|(_, why)| why.is_none());
        let new: Vec<String> = new.map(|(address, _)| address.clone()).collect();
        let failed = self.unseen.iter().filter_map(|(address, why)| Some((address, why.as_deref()?)));
        let failed: Vec<String> = failed
            .map(|(address, why)| match why.replace('-', " ") {
                why if why.is_empty() => address.clone(),
                why => format!("{address} ({})", why.chars().take(LONGEST_REASON).collect::<String>()),
            })
            .collect();
        let named = |addresses: &[String], count| {
            if names { enumerated(addresses, count) } else { Message::default() }
        };
        let names = named(&new, new.len() + self.more);
        let what = match new.len() + self.more {
            0 => None,
            1 => Some(message!("1 address not looked at{}", names)),
            count => Some(message!("{} addresses not looked at{}", count, names)),
        };
        all.extend(what.map(|what| NotChecked { what, option: Some("`tollproof look`") }));
        let names = named(&failed, failed.len());
        let what = match failed.len() {
            0 => None,
            1 => Some(message!("1 address that could not be seen{}", names)),
            count => Some(message!("{} addresses that could not be seen{}", count, names)),
        };
        all.extend(what.map(|what| NotChecked { what, option: None }));
        all
    }

    fn spread(&mut self, oldest: Timestamp, newest: Timestamp) {
        self.oldest = Some(self.oldest.map_or(oldest, |it| it.min(oldest)));
        self.newest = Some(self.newest.map_or(newest, |it| it.max(newest)));
    }

    fn add_unseen(&mut self, address: &str, why: Option<String>) {
        if self.unseen.len() < KEPT || self.unseen.contains_key(address) {
            self.unseen.insert(address.to_owned(), why);
        } else {
            self.more += 1;
        }
    }
}

/// The first addresses, and how many more there are: `: a, b and 3 more`.
fn enumerated(addresses: &[String], count: usize) -> Message {
    let named = addresses.len().min(NAMED);
    let names = Message::name(addresses[..named].join(", "));
    let names = if names.is_empty() { names } else { message!(": {}", names) };
    match count - named {
        0 => names,
        more => message!("{} and {} more", names, more),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A use of facts that were seen some days ago.
    fn seen(days: &[i64]) -> SeenUse {
        let mut all = SeenUse { has_facts: true, ..SeenUse::default() };
        for days in days {
            let at = Timestamp::from_second(-days * 86_400).expect("it is a time");
            all.add(&SeenUse { oldest: Some(at), newest: Some(at), used: 1, ..SeenUse::default() });
        }
        all
    }

    #[test]
    fn ages_are_read_as_a_person_would_say_them() {
        let now = Some(Timestamp::UNIX_EPOCH);
        for (days, expected) in [
            (&[][..], None),
            (&[0], Some("today")),
            (&[-3], Some("today")),
            (&[1], Some("1 day ago")),
            (&[0, 1], Some("up to 1 day ago")),
            (&[0, 7, 2], Some("up to 7 days ago")),
            (&[9, 3, 4], Some("3 to 9 days ago")),
            (&[3, 3], Some("3 days ago")),
        ] {
            assert_eq!(seen(days).age(now).as_deref(), expected, "{days:?}");
        }
        assert_eq!(seen(&[3]).age(None), None);
    }

    #[test]
    fn very_many_addresses_are_counted() {
        let mut all = seen(&[]);
        for at in 0..KEPT + 5 {
            all.add_unseen(&format!("https://a.com/{at:05}"), None);
        }
        all.add_unseen("https://a.com/00000", None);
        let said = all.not_checked(true);
        let expected = "10005 addresses not looked at: https://a.com/00000, https://a.com/00001, https://a.com/00002 and 10002 more (use `tollproof look`)";
        assert_eq!(said.last().map(NotChecked::with_option).as_deref(), Some(expected));
        let without_facts = SeenUse::default().not_checked(true);
        assert_eq!(
            without_facts,
            NotChecked::ALWAYS.map(NotChecked::from),
            "without facts nothing is different"
        );
    }
}
