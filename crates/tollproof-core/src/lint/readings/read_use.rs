//! The readings that a check used, and the drafts that were not read.

use jiff::Timestamp;

use crate::lint::age::age;
use crate::lint::not_checked::NotChecked;
use crate::syntax::message::{Message, message};
use tollproof_data::tables::WORDS_ALONE;

/// The readings that were used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadUse {
    /// The number of drafts with a reading of every question about them.
    pub read: usize,
    /// The number of those without some answer: no reader was asked, their texts changed, or an answer could not be believed.
    pub unread: usize,
    /// The number of findings of words taken back or lowered by readings.
    pub taken_back: usize,
    /// The time of the oldest answer that was used.
    pub oldest: Option<Timestamp>,
    /// The time of the newest.
    pub newest: Option<Timestamp>,
}

impl ReadUse {
    /// Notes the time of an answer.
    pub(crate) fn note(&mut self, at: Timestamp) {
        self.oldest = Some(self.oldest.map_or(at, |it| it.min(at)));
        self.newest = Some(self.newest.map_or(at, |it| it.max(at)));
    }

    /// Adds what another check used.
    pub fn add(&mut self, other: &Self) {
        self.read += other.read;
        self.unread += other.unread;
        self.taken_back += other.taken_back;
        [other.oldest, other.newest].into_iter().flatten().for_each(|at| self.note(at));
    }

    /// Describes how long ago the answers were given. `None` if none was used.
    pub fn age(&self, now: Option<Timestamp>) -> Option<Message> {
        age(self.oldest, self.newest, now)
    }

    /// The sentence about drafts that no reader has read, for the place of the verdict. `None` if all were read.
    pub fn by_words(&self) -> Option<Message> {
        let template = match (self.read, self.unread) {
            (_, 0) => return None,
            (0, _) => {
                "Checked by words only. Words find about {tenths} of 10 reasons that reviewers find in what texts mean; \
                 {command} asks a reader."
            }
            (_, 1) => {
                "{count} draft checked by words only. Words find about {tenths} of 10 reasons that reviewers find in \
                 what texts mean; {command} asks a reader."
            }
            _ => {
                "{count} drafts checked by words only. Words find about {tenths} of 10 reasons that reviewers find in \
                 what texts mean; {command} asks a reader."
            }
        };
        let tenths = Self::tenths_by_words() as usize;
        let command = Message::name("`tollproof read`");
        let parts = [("count", self.unread.into()), ("tenths", tenths.into()), ("command", command)];
        Some(Message::with(template, &parts))
    }

    /// About how many of ten reasons in what texts mean are found by words alone.
    pub fn tenths_by_words() -> u32 {
        let (found, all) = WORDS_ALONE;
        (found * 10 + all / 2) / all
    }

    /// The unread part, for the list of what could not be checked.
    pub fn not_checked(&self) -> Option<NotChecked> {
        let what = match self.unread {
            0 => return None,
            1 => "the meaning of the texts in 1 draft".into(),
            unread => message!("the meaning of the texts in {} drafts", unread),
        };
        Some(NotChecked { what, option: Some("`tollproof read`") })
    }

    /// Whether an answer was used.
    pub fn has_readings(&self) -> bool {
        self.oldest.is_some()
    }
}
