//! Collects what is wrong with one text, up to a limit.

use super::beginning;
use crate::document::{Fault, Member, Problem, drop_repeated, push_token};
use crate::source::Span;

/// More faults than this in one text are not listed: it is not a draft any more.
const MAX_FAULTS: usize = 1_000;

/// The faults of one text so far.
#[derive(Debug, Default)]
pub(super) struct Faults {
    listed: Vec<Fault>,
    count: usize,
}

impl Faults {
    /// Adds a fault; the one after the last that is listed says so.
    pub(super) fn push(&mut self, fault: Fault) {
        self.count += 1;
        if self.count <= MAX_FAULTS {
            self.listed.push(fault);
        } else if self.count == MAX_FAULTS + 1 {
            let message = format!("this text has more than {MAX_FAULTS} faults");
            let rest = Fault::new(Problem::Limit, fault.span, message);
            self.listed.push(rest.help("Mend the first ones and check again; the others are not listed."));
        }
    }

    /// The faults since the last call.
    pub(super) fn take(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.listed)
    }

    /// The fault of a text in which there is nothing to read.
    pub(super) fn nothing_to_read(text: &str, what: &str) -> Fault {
        let start = beginning(text);
        let end = text[start..].chars().next().map_or(start, |first| start + first.len_utf8());
        Fault::new(Problem::Syntax, Span::new(start, end), format!("{what} holds no document"))
            .help("Write one submission, or a list of them.")
    }
}

/// Of each key that stands again keeps the last member, and says so; `pointer` is the object's.
pub(super) fn drop_duplicates(members: &mut Vec<Member<'_>>, pointer: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    drop_repeated(members, |first, again| {
        let message = format!("`{}` stands twice in this object", clipped(&again.key));
        let fault = Fault::new(Problem::DuplicateKey, again.key_span, message)
            .help("Only the last one counts. Take one out.");
        let related = Some((first.key_span, "first written here".to_owned()));
        let mut pointer = pointer.to_owned();
        push_token(&mut pointer, &again.key);
        faults.push(Fault { pointer, related, ..fault });
    });
    faults
}

/// As much of a key as a message can hold.
fn clipped(key: &str) -> String {
    match key.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &key[..end]),
        None => key.to_owned(),
    }
}
