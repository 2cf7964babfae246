//! Where the comments of a YAML text are.

use granit_parser::{Event, Parser};

use super::options;
use crate::source::Span;

/// The comments of a text in reading order, each from its `#` to the end of its line.
pub(in crate::input) fn comments(text: &str) -> Vec<Span> {
    let mut comments = Vec::new();
    let mut parser = Parser::new_from_str_with_options(text, options());
    // Every turn consumes an event or goes on to the next document, so this terminates.
    while let Some(event) = parser.next_event() {
        match event {
            Ok((Event::Comment(..), span)) => {
                comments.extend(span.byte_range().map(|it| Span::new(it.start, it.end)))
            }
            Ok(_) => {}
            Err(_) if parser.proceed_next_document().unwrap_or(false) => {}
            Err(_) => break,
        }
    }
    comments
}
