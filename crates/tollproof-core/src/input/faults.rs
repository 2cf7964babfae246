//! Collects what is wrong with one text, up to a limit.

use crate::document::{Fault, Problem};
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
        let end = text.chars().next().map_or(0, char::len_utf8);
        Fault::new(Problem::Syntax, Span::new(0, end), format!("{what} holds no document"))
            .help("Write one submission, or a list of them.")
    }
}
