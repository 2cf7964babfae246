//! The row of a CSV text that names the fields, in any order.

use std::borrow::Cow;

use tollproof_data::prepared::{ColumnType, TitledField};

use super::names::{is_field, labelled, spelled, titled};
use super::scan::{self, MAX_COLUMNS};
use crate::prepared::PREPARED;
use crate::syntax::column_names::ColumnNames;
use crate::syntax::document::{SyntaxError, SyntaxErrorKind, push_token};
use crate::syntax::message::message;
use crate::syntax::part_start::PartStart;
use crate::syntax::source::Span;

/// The most rows at the beginning above the field names, such as a title.
const MAX_ROWS_ABOVE: usize = 9;

/// A row with so many names of fields is the header row.
const FIELD_NAMES: usize = 2;

/// The columns of a text.
#[derive(Clone, Debug)]
pub(super) struct Header<'s> {
    pub(super) columns: Vec<Column<'s>>,
    pub(super) delimiter: u8,
    /// The offset of the first row after it.
    pub(super) end: usize,
    /// The number of cells, also those without a name.
    pub(super) width: usize,
    /// Whether two columns have the same name.
    pub(super) repeats: bool,
    /// Whether columns were left out because there are too many.
    pub(super) is_cut: bool,
    /// Errors of the names, for the first document.
    pub(super) errors: Vec<SyntaxError>,
}

/// A column.
#[derive(Clone, Debug)]
pub(super) struct Column<'s> {
    /// The name of the field; empty for a column without one.
    pub(super) name: Cow<'s, str>,
    pub(super) span: Span,
    pub(super) is: ColumnType,
    /// The index in a list, for `name[0]`.
    pub(super) item: Option<usize>,
    /// The keys of a field that is not at the root: `businessAddress/city`.
    pub(super) path: Option<&'static str>,
}

/// The place of the header row.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeaderPlace {
    /// The offset of the first row that is not empty, which may be a title.
    first: usize,
    start: usize,
    pub(super) delimiter: u8,
    /// The offset after the row; `None` if the text ends within it.
    pub(super) end: Option<usize>,
}

impl HeaderPlace {
    /// Finds the first of the rows at the beginning that names fields; else the first row that is not empty.
    pub(super) fn find(text: &[u8], columns: &ColumnNames) -> Self {
        let rows = || Self::rows(text).take(1 + MAX_ROWS_ABOVE);
        let names_fields = |row: &Self| {
            let known = row.cells(text).filter(|cell| is_field(without_hint(cell.trim()), columns));
            known.take(FIELD_NAMES).count() == FIELD_NAMES
        };
        let with = |matches: &dyn Fn(&[&str]) -> bool| {
            rows().find(|row| {
                let cells: Vec<Cow<'_, str>> = row.cells(text).collect();
                matches(&cells.iter().map(|cell| cell.trim()).collect::<Vec<_>>())
            })
        };
        let first = Self { first: text.len(), start: text.len(), delimiter: b',', end: None };
        let row = rows().find(names_fields).or_else(|| with(&|cells| titled(cells).is_some()));
        row.or_else(|| with(&labelled)).or_else(|| rows().next()).unwrap_or(first)
    }

    /// The last row of the beginning of a text that ends with its header row.
    pub(super) fn last(head: &[u8]) -> Self {
        Self::rows(head).last().unwrap_or(Self { first: 0, start: 0, delimiter: b',', end: None })
    }

    fn rows(text: &[u8]) -> impl Iterator<Item = Self> {
        let first = scan::header_start(text);
        let mut at = Some(first);
        std::iter::from_fn(move || {
            let start = at.filter(|at| *at < text.len())?;
            let delimiter = scan::delimiter(&text[start..]);
            let end = scan::row_end(text, start, delimiter);
            at = end;
            Some(Self { first, start, delimiter, end })
        })
    }

    /// The texts of the first cells of the row.
    fn cells<'t>(self, text: &'t [u8]) -> impl Iterator<Item = Cow<'t, str>> {
        let text = &text[..self.end.unwrap_or(text.len())];
        let mut at = Some(self.start);
        let cell = move |_| {
            let start = at?;
            let extent = scan::cell(text, start, self.delimiter);
            at = (text.get(extent.end) == Some(&self.delimiter)).then_some(extent.end + 1);
            let inner = if extent.is_quoted {
                start + 1..extent.quote.unwrap_or(extent.end)
            } else {
                start..extent.end
            };
            Some(String::from_utf8_lossy(&text[inner]))
        };
        (0..MAX_COLUMNS).map_while(cell)
    }
}

impl<'s> Header<'s> {
    /// Reads the header row of a text that begins at `start` of its file.
    pub(super) fn read(text: &'s str, start: PartStart, names: &'s ColumnNames) -> Self {
        let head = if start.head > 0 { start.head as usize } else { text.len() };
        let bytes = text.as_bytes();
        let place = HeaderPlace::find(bytes.get(..head).unwrap_or(bytes), names);
        let HeaderPlace { delimiter, .. } = place;
        let end = place.end.unwrap_or(bytes.len());
        let mut columns: Vec<Column<'s>> = Vec::new();
        let (mut at, mut width, mut beyond) = (place.start, 0, None);
        loop {
            let extent = scan::cell(&bytes[..end], at, delimiter);
            width += 1;
            let column = Column::new(text, at, extent, names);
            if width <= MAX_COLUMNS {
                columns.push(column);
            } else if !column.name.is_empty() {
                beyond = beyond.or(Some(column.span));
            }
            if bytes.get(extent.end) != Some(&delimiter) {
                break;
            }
            at = extent.end + 1;
        }
        while columns.last().is_some_and(|it| it.name.is_empty()) {
            columns.pop();
        }
        let written: Vec<&str> = columns.iter().map(|it| it.name.as_ref()).collect();
        let titled = titled(&written);
        let spelled = spelled(&written);
        for (column, name) in columns.iter_mut().zip(spelled) {
            column.name = name.map_or(std::mem::take(&mut column.name), Cow::Borrowed);
            let types = &PREPARED.columns.types;
            let known = types.binary_search_by(|(it, _)| (*it).cmp(column.name.as_ref()));
            column.is = known.map_or(ColumnType::Text, |at| types[at].1);
        }
        for (column, field) in columns.iter_mut().zip(titled.into_iter().flatten()) {
            let Some(TitledField { path, is, .. }) = field else { continue };
            (column.name, column.is) = (Cow::Borrowed(path), is);
            column.path = Some(path).filter(|path| path.contains('/'));
        }
        let mut errors: Vec<SyntaxError> = place.title(text, end).into_iter().collect();
        errors.extend(beyond.map(too_many));
        let twice = repeated(&columns);
        let repeats = !twice.is_empty();
        errors.extend(twice);
        Self { columns, delimiter, end, width, repeats, is_cut: beyond.is_some(), errors }
    }
}

impl HeaderPlace {
    /// The finding for rows above the header row.
    fn title(self, text: &str, end: usize) -> Option<SyntaxError> {
        let above = text.get(self.first..self.start).filter(|above| !above.is_empty())?;
        let names = text.get(self.start..end).unwrap_or_default();
        let (span, names) = (first_line(above, self.first), first_line(names, self.start));
        let error = SyntaxError::new(
            SyntaxErrorKind::Header,
            span,
            "the first row has no field names; a row below it has them",
        );
        let related = vec![(names, "the field names are here".into())];
        let help = "Delete the rows above the field names. They were not checked.";
        Some(SyntaxError { related, ..error.help(help) })
    }
}

/// The first line of a text that begins at an offset, from its first cell that is not empty.
fn first_line(text: &str, start: usize) -> Span {
    let line = text.lines().next().unwrap_or_default().trim_end();
    let filled = line.trim_start_matches([',', ';', '\t', ' ', '\u{feff}']);
    let start = start + line.len() - filled.len();
    Span::new(start, start + filled.len())
}

/// The errors for columns with the same name.
fn repeated(columns: &[Column<'_>]) -> Vec<SyntaxError> {
    let named = columns.iter().filter(|it| !it.name.is_empty());
    let mut named: Vec<&Column<'_>> = named.collect();
    let key = |it: &Column<'_>| (it.name.to_string(), it.item);
    // The order of columns with the same name stays.
    named.sort_by_key(|it| key(it));
    let same = named.chunk_by(|one, other| key(one) == key(other)).filter(|same| same.len() > 1);
    let mut errors: Vec<SyntaxError> = same
        .filter_map(|same| {
            let ([first, ..], [.., last]) = (same, same) else { return None };
            let message = match same.len() {
                2 => message!("two columns have the name `{}`", last.name.as_ref()),
                count => message!("{} columns have the name `{}`", count, last.name.as_ref()),
            };
            let mut pointer = String::new();
            push_token(&mut pointer, &last.name);
            let error = SyntaxError::new(SyntaxErrorKind::DuplicateKey, last.span, message)
                .help("Only the last one counts. Remove the others.");
            Some(SyntaxError {
                pointer,
                related: vec![(first.span, "the first one is here".into())],
                ..error
            })
        })
        .collect();
    errors.sort_by_key(|it| it.span.start);
    errors
}

/// The error for a table with too many columns, at the first one that was not read.
fn too_many(span: Span) -> SyntaxError {
    let message = message!("this table has more than {} columns", MAX_COLUMNS);
    SyntaxError::new(SyntaxErrorKind::Limit, span, message)
        .help("Remove columns that are not fields. The columns from here on were not checked.")
}

impl<'s> Column<'s> {
    fn new(text: &'s str, start: usize, extent: scan::CellExtent, names: &'s ColumnNames) -> Self {
        let span = Span::new(start, extent.end);
        let written = match (extent.is_quoted, extent.quote) {
            (true, quote) => &text[start + 1..quote.unwrap_or(extent.end)],
            (false, _) => &text[start..extent.end],
        };
        let name: Cow<'s, str> =
            if written.contains("\"\"") { written.replace("\"\"", "\"").into() } else { written.into() };
        if let Some(field) = names.field(&name) {
            return Self { name: Cow::Borrowed(field), span, is: ColumnType::Text, item: None, path: None };
        }
        let (name, item) = match name {
            Cow::Borrowed(name) => {
                let (name, item) = without_index(without_hint(name.trim()));
                (Cow::Borrowed(names.field(name).unwrap_or(name)), item)
            }
            Cow::Owned(name) => (Cow::Owned(name.trim().to_owned()), None),
        };
        Self { name, span, is: ColumnType::Text, item, path: None }
    }
}

/// A name without a hint for people in brackets: `businessZip (5 digits)`.
fn without_hint(name: &str) -> &str {
    let hint = |open: char, close: char| {
        let (before, hint) = name.strip_suffix(close)?.rsplit_once(open)?;
        let is_index = open == '[' && hint.bytes().all(|it| it.is_ascii_digit());
        (!is_index && !before.trim().is_empty()).then(|| before.trim_end())
    };
    hint('(', ')').or_else(|| hint('[', ']')).unwrap_or(name)
}

/// The name of a list and the index of an item: `phoneNumbers[0]`.
fn without_index(name: &str) -> (&str, Option<usize>) {
    let index = |name: &str| {
        let (list, index) = name.strip_suffix(']')?.rsplit_once('[')?;
        Some((list.len(), index.parse().ok().filter(|_| index.len() < 4)?))
    };
    index(name).map_or((name, None), |(length, index)| (&name[..length], Some(index)))
}
