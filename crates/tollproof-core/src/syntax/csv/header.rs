//! The first row of a CSV text: the names of the fields, in any order.

use std::borrow::Cow;

use super::scan;
use crate::syntax::source::Span;

/// The maximum number of columns. A draft has 24 fields.
const MAX_COLUMNS: usize = 256;

/// The types of columns that are not strings, by field name; made from the schemas when tollproof is built.
static COLUMN_TYPES: &[(&str, ColumnType)] = include!(concat!(env!("OUT_DIR"), "/columns.rs"));

/// The type of the values in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnType {
    Text,
    List,
    Boolean,
    Integer,
}

/// The columns of a text.
#[derive(Clone, Debug)]
pub(super) struct Header<'s> {
    pub(super) columns: Vec<Column<'s>>,
    pub(super) delimiter: u8,
    /// The offset of the first row after it.
    pub(super) end: usize,
    /// Whether two columns have the same name.
    pub(super) repeats: bool,
}

/// A column.
#[derive(Clone, Debug)]
pub(super) struct Column<'s> {
    /// The name of the field.
    pub(super) name: Cow<'s, str>,
    pub(super) span: Span,
    pub(super) is: ColumnType,
    /// The index in a list, for `name[0]`.
    pub(super) item: Option<usize>,
}

impl<'s> Header<'s> {
    /// Reads the first row that is not empty.
    pub(super) fn read(text: &'s str) -> Self {
        let bytes = text.as_bytes();
        let start = scan::header_start(bytes);
        let delimiter = scan::delimiter(&bytes[start..]);
        let end = scan::row_end(bytes, start, delimiter).unwrap_or(bytes.len());
        let mut columns: Vec<Column<'s>> = Vec::new();
        let mut at = start;
        while columns.len() < MAX_COLUMNS {
            let extent = scan::cell(&bytes[..end], at, delimiter);
            columns.push(Column::new(text, at, extent));
            if bytes.get(extent.end) != Some(&delimiter) {
                break;
            }
            at = extent.end + 1;
        }
        // Columns without a name after the last one with a name are not part of the table.
        while columns.last().is_some_and(|it| it.name.is_empty()) {
            columns.pop();
        }
        let keys = |it: &Column<'s>| (it.name.to_string(), it.item);
        let mut names: Vec<_> = columns.iter().map(keys).collect();
        names.sort_unstable();
        let repeats = names.windows(2).any(|pair| pair[0] == pair[1]);
        Self { columns, delimiter, end, repeats }
    }
}

impl<'s> Column<'s> {
    fn new(text: &'s str, start: usize, extent: scan::CellExtent) -> Self {
        let span = Span::new(start, extent.end);
        let written = match (extent.is_quoted, extent.quote) {
            (true, quote) => &text[start + 1..quote.unwrap_or(extent.end)],
            (false, _) => &text[start..extent.end],
        };
        let name: Cow<'s, str> =
            if written.contains("\"\"") { written.replace("\"\"", "\"").into() } else { written.into() };
        let (name, item) = match name {
            Cow::Borrowed(name) => {
                let (name, item) = without_index(without_hint(name.trim()));
                (Cow::Borrowed(name), item)
            }
            Cow::Owned(name) => (Cow::Owned(name.trim().to_owned()), None),
        };
        let known = COLUMN_TYPES.binary_search_by(|(it, _)| (*it).cmp(name.as_ref()));
        let is = known.map_or(ColumnType::Text, |at| COLUMN_TYPES[at].1);
        Self { name, span, is, item }
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
    match index(name) {
        Some((length, index)) => (&name[..length], Some(index)),
        None => (name, None),
    }
}
