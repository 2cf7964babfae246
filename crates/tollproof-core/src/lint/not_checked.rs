//! Facts that no check can know.

use std::collections::BTreeSet;

use crate::syntax::message::{Message, message};

/// Something that was not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotChecked {
    /// The item, as the end of a sentence that begins with "not checked:".
    pub what: Message,
    /// The option or command that would check it, in backticks, if there is one.
    pub option: Option<&'static str>,
}

/// The most computed fields and labels that are named.
const NAMED: usize = 12;

/// The first of some names, as they are listed in backticks.
fn first_names(names: &BTreeSet<String>) -> String {
    names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join("`, `")
}

impl NotChecked {
    /// Facts that tollproof cannot see from where it runs; every report says so.
    pub const ALWAYS: [&str; 6] = [
        "whether the business name and its registration number match the authorities' records",
        "the live content of websites and opt-in pages",
        "whether URLs can be reached",
        "whether images are legible",
        "the age of domains",
        "the reviewer's judgement",
    ];

    /// Facts the history would show.
    #[must_use]
    pub fn earlier_submissions() -> Self {
        Self { what: "earlier submissions of the numbers".into(), option: Some("`--history`") }
    }

    /// Facts the records of so many update requests would show; `None` for none.
    pub fn records(updates: usize) -> Option<Self> {
        let what = match updates {
            0 => return None,
            1 => "1 update request against the record, which is not known".into(),
            count => Message::with(
                "{count} update requests against the record, which is not known",
                &[("count", count.into())],
            ),
        };
        Some(Self { what, option: Some("`--record` or `--history`") })
    }

    /// The fields that programs compute when they run; `None` for none.
    pub fn computed(fields: &BTreeSet<String>) -> Option<Self> {
        let names = first_names(fields);
        let what = match fields.len() {
            0 => return None,
            count if count > NAMED => {
                message!("{} fields that a program computes: `{}`, …", count, Message::name(&names))
            }
            _ => message!("what a program computes: `{}`", Message::name(&names)),
        };
        Some(Self { what, option: None })
    }

    /// The labels in notes of which no field was read; `None` for none.
    pub fn untaken(labels: &BTreeSet<String>) -> Option<Self> {
        let names = first_names(labels);
        let what = message!("labels in notes that no field was read of: `{}`", Message::name(&names));
        (!labels.is_empty()).then_some(Self { what, option: None })
    }

    /// The item, and in brackets the option that would check it.
    pub fn with_option(&self) -> Message {
        match self.option {
            Some(option) => message!("{} (use {})", self.what, Message::name(option)),
            None => self.what.clone(),
        }
    }
}

impl From<&'static str> for NotChecked {
    fn from(what: &'static str) -> Self {
        Self { what: what.into(), option: None }
    }
}
