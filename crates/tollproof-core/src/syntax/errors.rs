//! Collects the syntax errors of one text, up to a limit.

use super::beginning;
use crate::syntax::document::{Member, SyntaxError, SyntaxErrorKind, drop_repeated, push_token};
use crate::syntax::message::{Message, message};
use crate::syntax::source::Span;

/// The maximum number of errors listed for one text; a text with more is not a draft.
const MAX_SYNTAX_ERRORS: usize = 1_000;

/// The maximum number of spans reported for one duplicate key.
const MAX_PLACES: usize = 8;

/// The errors found in one text so far.
#[derive(Debug, Default)]
pub(super) struct SyntaxErrors {
    listed: Vec<SyntaxError>,
    count: usize,
}

impl SyntaxErrors {
    /// Adds an error. The first one above the limit is replaced by a note that there are more.
    pub(super) fn push(&mut self, syntax_error: SyntaxError) {
        self.count += 1;
        if self.count <= MAX_SYNTAX_ERRORS {
            self.listed.push(syntax_error);
        } else if self.count == MAX_SYNTAX_ERRORS + 1 {
            let message = message!("this text has more than {} errors", MAX_SYNTAX_ERRORS);
            let rest = SyntaxError::new(SyntaxErrorKind::Limit, syntax_error.span, message);
            self.listed.push(rest.help("Fix the first ones and check again. The others are not listed."));
        }
    }

    /// Returns the errors added since the last call.
    pub(super) fn take(&mut self) -> Vec<SyntaxError> {
        std::mem::take(&mut self.listed)
    }

    /// The error of a text that contains no value.
    pub(super) fn nothing_to_read(text: &str, what: &'static str) -> SyntaxError {
        let start = beginning(text);
        let end = text[start..].chars().next().map_or(start, |first| start + first.len_utf8());
        SyntaxError::new(
            SyntaxErrorKind::Syntax,
            Span::new(start, end),
            message!("{} contains no document", Message::own(what)),
        )
        .help("Write one submission, or a list of them.")
    }
}

/// Keeps only the last member of each duplicate key and returns an error for each such key; `pointer` is the object's.
pub(super) fn drop_duplicates(members: &mut Vec<Member<'_>>, pointer: &str) -> Vec<SyntaxError> {
    let mut syntax_errors = Vec::new();
    drop_repeated(members, |same| {
        let [first, again @ .., last] = same else { return };
        let times = if again.is_empty() { "twice".into() } else { message!("{} times", same.len()) };
        let message = message!("`{}` is written {} in this object", last.key.as_ref(), times);
        let help = if again.is_empty() { "Remove one of them." } else { "Remove the others." };
        let syntax_error = SyntaxError::new(SyntaxErrorKind::DuplicateKey, last.key_span, message)
            .help(message!("Only the last one counts. {}", Message::own(help)));
        let again = again.iter().take(MAX_PLACES).map(|it| (it.key_span, "and again here".into()));
        let first = (first.key_span, "first written here".into());
        let mut pointer = pointer.to_owned();
        push_token(&mut pointer, &last.key);
        syntax_errors.push(SyntaxError {
            pointer,
            related: std::iter::once(first).chain(again).collect(),
            ..syntax_error
        });
    });
    syntax_errors
}
