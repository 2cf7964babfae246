//! Reads YAML 1.2 into documents, by the events of granit.

mod error;
mod scalar;
mod tree;

#[cfg(test)]
mod tests;

use granit_parser::{Event, Options, Parser};

use self::tree::{ReadYaml, Tree};
use super::beginning;
use super::limits::Budget;
use crate::syntax::document::{Declared, Document, SyntaxError, SyntaxErrorKind};
use crate::syntax::message::message;
use crate::syntax::source::Span;

/// The maximum number of errors in one text; after them reading stops.
const MAX_SYNTAX_ERRORS: usize = 1_000;

/// The beginning of comments for this program.
const PROGRAM: &str = "tollproof";

/// The documents of a YAML text: one for each `---`, or one for each item if that is a list.
///
/// A document that cannot be read has no root and an error with the reason; later documents are still read. A text
/// without any document, such as an empty text, gives one document without a root. The span of each comment, from its
/// `#` to the end of the line, is added to `comments`; those of a text that does not name this program are left out,
/// because they say nothing to it.
pub(super) fn read<'s>(text: &'s str, comments: &mut Vec<Span>) -> Vec<Document<'s>> {
    let has_comments = memchr::memmem::find(text.as_bytes(), PROGRAM.as_bytes()).is_some();
    read_events(text, has_comments, comments)
}

fn read_events<'s>(text: &'s str, has_comments: bool, comments: &mut Vec<Span>) -> Vec<Document<'s>> {
    let mut reader = YamlReader {
        text,
        documents: Vec::new(),
        comments,
        tree: Tree::new(text, Budget::of(text.len())),
        declared: Declared::default(),
        withheld: None,
        syntax_errors: 0,
    };
    reader.run(has_comments);
    if reader.documents.is_empty() {
        return vec![nothing(text)];
    }
    reader.documents
}

struct YamlReader<'s, 'c> {
    text: &'s str,
    documents: Vec<Document<'s>>,
    comments: &'c mut Vec<Span>,
    tree: Tree<'s>,
    declared: Declared<'s>,
    /// An empty document that counts only if another document follows.
    withheld: Option<(ReadYaml<'s>, Declared<'s>)>,
    syntax_errors: usize,
}

impl<'s> YamlReader<'s, '_> {
    fn run(&mut self, has_comments: bool) {
        let mut parser = Parser::new_from_str_with_options(self.text, options(has_comments));
        // After an error, granit returns nothing until it is moved to the next document. The loop terminates because
        // every iteration consumes an event or counts an error.
        while let Some(event) = parser.next_event() {
            let readable = match event {
                Ok((Event::Comment(..), span)) => {
                    self.comments.extend(span.byte_range().map(|it| Span::new(it.start, it.end)));
                    self.comment(span.slice(self.text).unwrap_or_default(), span.end.byte_offset());
                    true
                }
                Ok((Event::DocumentStart(..), _)) => {
                    self.release();
                    true
                }
                Ok((Event::DocumentEnd, span)) => {
                    self.end_document();
                    self.within_faults(span.end.byte_offset())
                }
                Ok((event, span)) => match self.tree.take(event, span) {
                    Ok(()) => true,
                    Err(spent) => {
                        self.break_off(spent);
                        false
                    }
                },
                Err(error) => {
                    self.release();
                    self.break_off(error::of(self.text, &error));
                    self.within_faults(error.marker().byte_offset())
                        && parser.proceed_next_document().unwrap_or(false)
                }
            };
            if !readable {
                return;
            }
        }
    }

    /// Adds a document that was read to its end.
    fn end_document(&mut self) {
        let read = self.tree.finish();
        let declared = std::mem::take(&mut self.declared);
        if read.is_unwritten() {
            self.withheld = Some((read, declared));
        } else {
            self.push(read, declared);
        }
    }

    /// Adds the readable part of a document after an error.
    fn break_off(&mut self, syntax_error: SyntaxError) {
        let read = self.tree.break_off(syntax_error);
        let declared = std::mem::take(&mut self.declared);
        self.push(read, declared);
    }

    /// Adds the empty document that was held back, now that another one follows.
    fn release(&mut self) {
        if let Some((read, declared)) = self.withheld.take() {
            self.push(read, declared);
        }
    }

    fn push(&mut self, read: ReadYaml<'s>, declared: Declared<'s>) {
        for (root, mut syntax_errors) in read.documents() {
            syntax_errors.sort_by_key(|syntax_error| syntax_error.span);
            self.syntax_errors += syntax_errors.len();
            let index = self.documents.len();
            self.documents.push(Document {
                index,
                root,
                syntax_errors,
                declared: declared.kept(),
                ..Document::default()
            });
        }
    }

    /// Whether to continue reading. If the text has too many errors, this limit is reported in the last document.
    fn within_faults(&mut self, offset: Option<usize>) -> bool {
        if self.syntax_errors < MAX_SYNTAX_ERRORS {
            return true;
        }
        let span = error::character_at(self.text, offset.unwrap_or_default());
        let message = message!("this text has {} errors or more", MAX_SYNTAX_ERRORS);
        let syntax_error = SyntaxError::new(SyntaxErrorKind::Limit, span, message)
            .help("Fix the errors above first. Nothing after this place was read.");
        if let Some(document) = self.documents.last_mut() {
            document.syntax_errors.push(syntax_error);
        }
        false
    }

    /// Reads `# tollproof: provider=… kind=… record=…`; the first value of each name in a document counts.
    fn comment(&mut self, comment: &'s str, end: Option<usize>) {
        let Some(end) = end else { return };
        let after = |text: &'s str, word: &str| text.trim_start().strip_prefix(word);
        let said =
            after(comment, "#").and_then(|rest| after(rest, PROGRAM)).and_then(|rest| after(rest, ":"));
        let Some(mut rest) = said else { return };
        while let Some((name, after)) = rest.split_once('=') {
            let value = after.trim_start();
            let start = end - value.len();
            let word = value.split(char::is_whitespace).next().unwrap_or_default();
            let place = match name.trim() {
                "provider" => &mut self.declared.provider,
                "kind" => &mut self.declared.kind,
                "record" => &mut self.declared.record,
                _ => return,
            };
            place.get_or_insert((word, Span::new(start, start + word.len())));
            rest = &value[word.len()..];
        }
    }
}

/// Options that make granit as strict as YAML 1.2 and remove its own limit on comments.
fn options(has_comments: bool) -> Options {
    granit_parser::options! {
        strict_indentation: true,
        emit_unresolved_aliases: true,
        emit_comments: has_comments,
        max_buffered_comment_events: usize::MAX,
    }
}

/// The document for a text that contains none.
fn nothing(text: &str) -> Document<'_> {
    let start = beginning(text);
    let end = text[start..].chars().next().map_or(start, |first| start + first.len_utf8());
    let syntax_error =
        SyntaxError::new(SyntaxErrorKind::Syntax, Span::new(start, end), "this file contains no document")
            .help("Write a submission in it, one `field: value` per line, or delete the file.");
    Document { syntax_errors: vec![syntax_error], ..Document::default() }
}
