//! The facts about addresses that a check used, and the addresses that were not seen.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Serialize;
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

/// An address of a draft that was not seen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields, rename = "UnseenAddress"))]
pub struct UnseenAddress {
    /// The address, or the domain of an e-mail address.
    pub address: String,
    /// The reason, such as `time-out` or `bot-wall`; null if `tollproof look` was not asked for it.
    pub why: Option<String>,
    /// The file of the draft that names it.
    pub file: String,
    /// The index of the draft in the file, from 0.
    pub document: usize,
}

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
    unseen: BTreeSet<UnseenAddress>,
    /// The number of others.
    more: usize,
    /// The number of pictures whose words were not read.
    unread_pictures: usize,
    /// The number of drafts whose addresses were noted.
    drafts: usize,
    /// Whether there are facts.
    has_facts: bool,
}

impl SeenUse {
    /// Notes the addresses of a draft, which is a document of a file.
    pub(crate) fn note(
        &mut self,
        facts: &SeenFacts,
        named: &[NamedAddress],
        (file, document): (&str, usize),
    ) {
        self.has_facts |= !facts.is_empty();
        self.drafts += 1;
        for named in named {
            let why = match named.fact(facts) {
                Some(fact) if fact.outcome == SeenOutcome::NotChecked => {
                    Some(fact.why.clone().unwrap_or_default())
                }
                Some(fact) if named.used != AddressUse::Link && !fact.shows_something() => {
                    let kind = fact.content_type.as_deref().unwrap_or("unknown");
                    Some(format!("a file of type {kind}"))
                }
                Some(fact) => {
                    self.used += 1;
                    let is_picture = named.used == AddressUse::Picture;
                    self.unread_pictures += usize::from(is_picture && fact.has_unread_words());
                    self.spread(fact.at, fact.at);
                    continue;
                }
                // A policy that only a page links may have been named elsewhere before.
                None if named.is_linked => continue,
                None => None,
            };
            let (address, file) = (named.address.clone(), file.to_owned());
            self.add_unseen(UnseenAddress { address, why, file, document });
        }
    }

    /// Whether there are facts, even if none was used.
    pub fn has_facts(&self) -> bool {
        self.has_facts
    }

    /// The addresses that were not seen, each once for each draft; none if there are no facts.
    pub fn unseen(&self) -> impl Iterator<Item = &UnseenAddress> {
        self.unseen.iter().filter(|_| self.has_facts)
    }

    /// Counts the unseen addresses.
    pub fn count_unseen(&self) -> usize {
        let addresses: BTreeSet<&str> = self.unseen().map(|unseen| unseen.address.as_str()).collect();
        if self.has_facts { addresses.len() + self.more } else { 0 }
    }

    /// Adds what another check used.
    pub fn add(&mut self, other: &Self) {
        self.has_facts |= other.has_facts;
        self.used += other.used;
        if let Some((oldest, newest)) = other.oldest.zip(other.newest) {
            self.spread(oldest, newest);
        }
        other.unseen.iter().for_each(|unseen| self.add_unseen(unseen.clone()));
        self.more += other.more;
        self.unread_pictures += other.unread_pictures;
        self.drafts += other.drafts;
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
        let (mut new, mut failed) = (Vec::new(), Vec::new());
        let mut addresses: Vec<&UnseenAddress> = self.unseen.iter().collect();
        addresses.dedup_by_key(|unseen| &unseen.address);
        for unseen in addresses {
            // The only draft of a report need not be named.
            let draft = if self.drafts > 1 { format!("{}: ", unseen.file) } else { String::new() };
            let shown = |why: &str| why.replace('-', " ").chars().take(LONGEST_REASON).collect::<String>();
            let reason = match unseen.why.as_deref() {
                None | Some("") => String::new(),
                Some(why) => format!(" ({})", shown(why)),
            };
            let all = if unseen.why.is_none() { &mut new } else { &mut failed };
            all.push(format!("{draft}{}{reason}", unseen.address));
        }
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
        let what = match self.unread_pictures {
            0 => None,
            1 => Some("the words of 1 picture".into()),
            count => Some(message!("the words of {} pictures", count)),
        };
        all.extend(what.map(|what| NotChecked { what, option: Some("`tollproof look --tesseract`") }));
        all
    }

    fn spread(&mut self, oldest: Timestamp, newest: Timestamp) {
        self.oldest = Some(self.oldest.map_or(oldest, |it| it.min(oldest)));
        self.newest = Some(self.newest.map_or(newest, |it| it.max(newest)));
    }

    fn add_unseen(&mut self, unseen: UnseenAddress) {
        if self.unseen.len() < KEPT || self.unseen.contains(&unseen) {
            self.unseen.insert(unseen);
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
        let unseen = |at: usize| UnseenAddress {
            address: format!("https://a.com/{at:05}"),
            why: None,
            file: "drafts.csv".to_owned(),
            document: at,
        };
        (0..KEPT + 5).for_each(|at| all.add_unseen(unseen(at)));
        all.add_unseen(unseen(0));
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
