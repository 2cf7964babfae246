//! A parsed source: the only place that decides its format and calls the readers.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::iter;
use std::ops::Deref;
use std::path::Path;

use super::csv::CsvRows;
use super::language::Language;
use super::limits::{MAX_WRITTEN, too_large};
use super::ndjson::Lines;
use super::{Format, csv, envelope, form, json, ndjson, notes, program, yaml};
use crate::syntax::document::{Document, SyntaxError, SyntaxErrorKind};
use crate::syntax::source::{Source, Span};

/// A source with its format, documents, comments and errors.
///
/// Every consumer of a source takes this type, so that a source is parsed only once. For NDJSON and CSV, only the first
/// block is kept in memory; later blocks are parsed each time they are requested.
#[derive(Debug)]
pub struct Parsed<'s> {
    source: &'s Source<'s>,
    format: Format,
    /// All documents, or for NDJSON and CSV those of the first block.
    first: Vec<Document<'s>>,
    /// The lines or rows after the first block.
    rest: Option<Rest<'s>>,
    comments: Vec<Span>,
}

/// Documents that are read when they are needed.
#[derive(Clone, Debug)]
enum Rest<'s> {
    Lines(Lines<'s>),
    Rows(CsvRows<'s>),
}

impl<'s> Rest<'s> {
    fn block(&mut self) -> Vec<Document<'s>> {
        match self {
            Self::Lines(lines) => lines.block(),
            Self::Rows(rows) => rows.block(),
        }
    }

    fn has_more(&self) -> bool {
        match self {
            Self::Lines(lines) => lines.has_more(),
            Self::Rows(rows) => rows.has_more(),
        }
    }
}

/// A sequence of documents of one source.
#[derive(Clone, Debug)]
pub struct Block<'p> {
    source: &'p Source<'p>,
    documents: Cow<'p, [Document<'p>]>,
}

/// A document with the source that it was read from.
#[derive(Clone, Copy, Debug)]
pub struct SourceDocument<'d> {
    source: &'d Source<'d>,
    document: &'d Document<'d>,
}

impl<'s> Parsed<'s> {
    /// Parses a source. The format is `format` if given, else the one of the file extension, else it is guessed from
    /// the content.
    ///
    /// Syntax errors are stored in their documents; encoding errors are stored in the first document.
    #[must_use]
    pub fn of(source: &'s Source<'_>, format: Option<Format>) -> Self {
        #[cfg(test)]
        tests::count(source);
        let text = source.text();
        let format = format.unwrap_or_else(|| Format::detect(Path::new(source.name()), text));
        let (mut rest, mut comments) = (None, Vec::new());
        let mut begin = |read: Result<Rest<'s>, Vec<Document<'s>>>| match read {
            Ok(mut documents) => {
                let block = documents.block();
                rest = documents.has_more().then_some(documents);
                block
            }
            Err(documents) => documents,
        };
        let mut first = match format {
            _ if source.is_unreadable() => vec![without_root(source, Vec::new())],
            Format::Program | Format::Notes if text.len() > MAX_WRITTEN => {
                vec![without_root(source, vec![too_large(Span::new(0, 1))])]
            }
            Format::Json | Format::Yaml if form::seems_form(text) => form::read(text),
            Format::Json => envelope::unwrap(json::read(text)),
            Format::Ndjson => begin(ndjson::read(text, source.start()).map(Rest::Lines)),
            Format::Csv => begin(csv::read(text, source.start(), source.columns()).map(Rest::Rows)),
            Format::Yaml => envelope::unwrap(yaml::read(text, &mut comments)),
            Format::Program => {
                let (documents, found) = program::read(text, Language::of_path(Path::new(source.name())));
                comments = found;
                documents
            }
            Format::Notes => {
                comments = notes::comments(text);
                notes::read(text, Path::new(source.name()), source.provider())
            }
        };
        first.shrink_to_fit();
        if let Some(first) = first.first_mut() {
            let errors = source.syntax_errors().iter().filter_map(|error| of_encoding(error, format));
            first.syntax_errors.splice(0..0, errors);
        }
        Self { source, format, first, rest, comments }
    }

    /// Parses some lines of an NDJSON source, by the numbers of their documents. `None` if the source does not have `count`
    /// lines that are documents.
    pub(crate) fn of_lines(source: &'s Source<'_>, wanted: &BTreeSet<usize>, count: usize) -> Option<Self> {
        let first = ndjson::read_some(source.text(), source.start(), wanted, count)?;
        let is_readable = source.syntax_errors().is_empty();
        is_readable.then_some(Self {
            source,
            format: Format::Ndjson,
            first,
            rest: None,
            comments: Vec::new(),
        })
    }

    /// The source that was parsed.
    pub fn source(&self) -> &'s Source<'s> {
        self.source
    }

    /// The file format of the source.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The documents in blocks, in their order.
    pub fn blocks(&self) -> impl Iterator<Item = Block<'_>> {
        let block = |documents| Block { source: self.source, documents };
        let mut rest = self.rest.clone();
        let others = iter::from_fn(move || rest.as_mut().map(|lines| lines.block()));
        let others = others.take_while(|documents| !documents.is_empty()).map(Cow::Owned);
        iter::once(Cow::Borrowed(self.first.as_slice())).chain(others).map(block)
    }

    /// All documents in one block.
    pub fn whole(&self) -> Block<'_> {
        let documents = match &self.rest {
            None => Cow::Borrowed(self.first.as_slice()),
            Some(_) => Cow::Owned(self.blocks().flat_map(|block| block.documents.into_owned()).collect()),
        };
        Block { source: self.source, documents }
    }

    /// The only document of the source; `None` if there are several.
    pub fn only(&self) -> Option<SourceDocument<'_>> {
        match (self.first.as_slice(), &self.rest) {
            ([document], None) => Some(SourceDocument { source: self.source, document }),
            _ => None,
        }
    }

    /// The spans of YAML comments in reading order, each from its `#` to the end of its line.
    pub(crate) fn comments(&self) -> &[Span] {
        &self.comments
    }
}

/// The one document of a source of which nothing is read.
fn without_root<'s>(source: &Source<'_>, syntax_errors: Vec<SyntaxError>) -> Document<'s> {
    Document { index: source.start().documents, syntax_errors, ..Document::default() }
}

/// An error of the encoding of a text in a format. Excel writes tables in UTF-16, and needs a byte order mark for UTF-8;
/// all other drafts are sent as they are, so they must be UTF-8.
fn of_encoding(error: &SyntaxError, format: Format) -> Option<SyntaxError> {
    use SyntaxErrorKind::{ByteOrderMark, Encoding, Utf16, Windows1252};
    match (format, error.problem) {
        (Format::Csv, ByteOrderMark | Utf16) => None,
        (Format::Csv, _) => Some(error.clone()),
        (_, Utf16 | Windows1252) => Some(SyntaxError { problem: Encoding, ..error.clone() }),
        _ => Some(error.clone()),
    }
}

impl Block<'_> {
    /// The documents in their order.
    pub fn documents(&self) -> impl Iterator<Item = SourceDocument<'_>> {
        self.documents.iter().map(|document| SourceDocument { source: self.source, document })
    }
}

impl<'d> SourceDocument<'d> {
    /// The source that contains the document.
    pub fn source(&self) -> &'d Source<'d> {
        self.source
    }

    /// Another document with the same source.
    pub(crate) fn with<'o>(&self, document: &'o Document<'o>) -> SourceDocument<'o>
    where
        'd: 'o,
    {
        SourceDocument { source: self.source, document }
    }

    /// The document, with the lifetime of the block or [`Parsed`] that contains it.
    pub fn document(&self) -> &'d Document<'d> {
        self.document
    }
}

impl<'d> Deref for SourceDocument<'d> {
    type Target = Document<'d>;

    fn deref(&self) -> &Self::Target {
        self.document
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::ndjson::{BLOCK_BYTES, BLOCK_DOCUMENTS};
    use super::*;
    use crate::examples::base;
    use crate::facts::Facts;
    use crate::facts::{Batch, References};
    use crate::finding::{Finding, Safety, Severity};
    use crate::fix::Fixer;
    use crate::lint::{Linter, LinterError};
    use crate::provider::detect::KindHint;
    use crate::provider::kind::{Kind, KindRole};
    use crate::redact::Redaction;
    use crate::rule::user_rules::UserRule;

    thread_local! {
        /// The number of times a source with the marker was parsed on this thread.
        static READ: Cell<usize> = const { Cell::new(0) };
    }

    /// Marks the sources that are counted; does not occur in the examples of rules.
    const MARK: &str = "Counted Coffee Roasters";

    /// The name of the contact, which must be redacted.
    const CONTACT: &str = "Quillavere";

    pub(super) fn count(source: &Source<'_>) {
        READ.set(READ.get() + usize::from(source.text().contains(MARK)));
    }

    /// A draft with a finding that has no fix.
    fn draft() -> serde_json::Value {
        let mut draft = base::of(Kind::of(KindRole::Submit));
        draft["businessName"] = MARK.into();
        draft["useCaseSummary"] = "".into();
        draft
    }

    /// Makes the same calls for each source as `check --history … --redact --diff`.
    fn check_with_history_and_redaction(parsed: &Parsed<'_>) -> Vec<Finding> {
        let linter = Linter::builtin();
        let mut names = References::default();
        names.read(parsed);
        assert_eq!(names.numbers.len(), names.documents);
        Batch::default().read(parsed, KindHint::Explicit);
        let mut check = |document: &Parsed<'_>| linter.check(document, KindHint::Explicit, &Facts::default());
        let report = check(parsed);
        let mender = Fixer { reach: Safety::Unsafe, least: Severity::Info };
        assert!(mender.fix(parsed, &report, &mut check).is_none(), "nothing can be fixed");
        let redaction = Redaction::of(parsed);
        let shown = redaction.source(parsed.source());
        assert!(!shown.text().contains(CONTACT), "{}", shown.text());
        report.findings.iter().map(|draft| redaction.finding(parsed.source(), draft)).collect()
    }

    #[test]
    fn a_text_is_read_once_for_all_that_check_does() {
        let mut draft = draft();
        draft["businessContactFirstName"] = CONTACT.into();
        let yaml = serde_yaml::to_string(&draft).expect("it has YAML") + "# tollproof: kind=submit-request\n";
        let texts = [
            ("draft.json", draft.to_string()),
            ("draft.yaml", yaml),
            ("drafts.ndjson", format!("{draft}\n{draft}\n")),
            ("<stdin>", draft.to_string()),
        ];
        for (name, text) in texts {
            READ.set(0);
            let source = Source::new(name, text);
            let found = check_with_history_and_redaction(&Parsed::of(&source, None));
            assert!(!found.is_empty(), "{name}");
            assert_eq!(READ.get(), 1, "{name}");
        }
    }

    #[test]
    fn a_vocabulary_is_read_twice_however_many_mistakes_it_has() {
        let groups: String = (10..40).map(|at| format!("Wrong {at}: {{ en: [harbor] }}\n")).collect();
        let text = format!("# {MARK}\n{groups}");
        let file = UserRule {
            id: "vocabulary/own".to_owned(),
            file: "own.yaml".to_owned(),
            text,
            is_foreign: false,
        };
        READ.set(0);
        let Err(LinterError::Rules(errors)) = Linter::builder().rules([file]).build() else {
            panic!("no name of a group has a capital letter")
        };
        assert_eq!(errors.len(), 20);
        for (at, error) in errors.iter().enumerate() {
            let span = error.span.expect("the key exists");
            assert_eq!(error.text[span.range()], format!("Wrong {}", at + 10));
        }
        assert_eq!(READ.get(), 2, "for its content, and for the places of all errors");
    }

    #[test]
    fn the_name_goes_before_the_look_of_a_text() {
        for (name, text, format) in [
            ("a.yaml", "{\"a\": 1}", Format::Yaml),
            ("a.jsonl", "{\"a\": 1}", Format::Ndjson),
            ("a.JSON", "a: 1", Format::Json),
            ("<stdin>", "{\"a\": 1}", Format::Json),
            ("a.txt", "{\"a\": 1}\n{\"a\": 2}\n", Format::Ndjson),
            ("a", "a: 1", Format::Yaml),
        ] {
            assert_eq!(Parsed::of(&Source::new(name, text), None).format(), format, "{name}");
        }
        let given = Parsed::of(&Source::new("a.yaml", "{}"), Some(Format::Json)).format();
        assert_eq!(given, Format::Json);
    }

    #[test]
    fn errors_of_the_bytes_are_the_first_documents() {
        for (name, bytes) in
            [("a.json", "\u{feff}[{}, 1x]"), ("a.ndjson", "\u{feff}{}\n1x"), ("a.yaml", "\u{feff}a: 1")]
        {
            let source = Source::from_bytes(name, bytes.as_bytes().to_vec());
            let parsed = Parsed::of(&source, None);
            let whole = parsed.whole();
            let mark = |draft: SourceDocument<'_>| {
                draft
                    .syntax_errors
                    .iter()
                    .filter(|it| it.problem == crate::syntax::document::SyntaxErrorKind::ByteOrderMark)
                    .count()
            };
            let marks: Vec<usize> = whole.documents().map(mark).collect();
            assert_eq!((marks[0], marks[1..].iter().sum::<usize>()), (1, 0), "{name}");
        }
        let source = Source::from_bytes("a.json", b"\xff\xfe\0\0".to_vec());
        let parsed = Parsed::of(&source, None);
        let document = parsed.only().expect("what cannot be read is one document");
        assert_eq!((document.root.is_none(), document.syntax_errors.len()), (true, 1));
    }

    #[test]
    fn blocks_of_ndjson_are_parts_of_one_text() {
        let long = format!("{{\"a\": \"{}\"}}\n", "x".repeat(BLOCK_BYTES / 3));
        let short = "{}\n".to_owned();
        for (line, lines, blocks) in [
            (&long, 1, 1),
            (&long, 3, 1),
            (&long, 4, 2),
            (&long, 7, 3),
            (&short, BLOCK_DOCUMENTS, 1),
            (&short, BLOCK_DOCUMENTS + 1, 2),
        ] {
            let text = format!("\u{feff}\n{}\r\n \n", line.repeat(lines));
            let source = Source::from_bytes("a.ndjson", text.clone().into_bytes());
            let parsed = Parsed::of(&source, None);
            assert_eq!(parsed.blocks().count(), blocks, "{lines} lines");
            assert_eq!(parsed.only().is_some(), lines == 1, "{lines} lines");
            let whole = parsed.whole();
            let indices: Vec<usize> = whole.documents().map(|it| it.index).collect();
            assert_eq!(indices, (0..lines).collect::<Vec<_>>());
            for document in whole.documents() {
                let span = document.root.as_ref().expect("it can be read").span;
                assert_eq!(&text[span.range()], line.trim_end());
            }
        }
    }
}
