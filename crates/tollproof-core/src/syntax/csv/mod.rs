//! Reads CSV: a row of field names, then one draft in each row.

mod header;
mod names;
mod scan;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

use tollproof_data::prepared::ColumnType;

use self::header::{Header, HeaderPlace};
use super::errors::SyntaxErrors;
use super::limits::{MAX_STRING, too_long};
use super::ndjson::{BLOCK_BYTES, BLOCK_DOCUMENTS};
use crate::syntax::column_names::ColumnNames;
use crate::syntax::document::{
    Document, Member, Node, Style, SyntaxError, SyntaxErrorKind, Value, drop_repeated, push_token,
};
use crate::syntax::message::message;
use crate::syntax::part_start::PartStart;
use crate::syntax::source::Span;

/// Whether a column is a field of any provider, in any spelling.
pub(crate) fn is_field_anywhere(column: &str) -> bool {
    names::is_field(column, &ColumnNames::default())
}

/// The rows of a CSV text, read on demand.
#[derive(Clone, Debug)]
pub(super) struct CsvRows<'s> {
    text: &'s str,
    header: Arc<Header<'s>>,
    /// The offset of the next row.
    offset: usize,
    /// The number of rows read so far.
    read: usize,
    /// Whether what is wrong with the header row is still to be reported.
    reports_header: bool,
    /// The columns without a name that were reported.
    unnamed: Vec<usize>,
}

/// The rows of a text; as an error, the document of a text without any row.
pub(super) fn read<'s>(
    text: &'s str,
    start: PartStart,
    names: &'s ColumnNames,
) -> Result<CsvRows<'s>, Vec<Document<'s>>> {
    let header = Header::read(text, start, names);
    let offset = header.end;
    let (reports_header, unnamed) = (start.is_first(), Vec::new());
    let rows =
        CsvRows { text, header: Arc::new(header), offset, read: start.documents, reports_header, unnamed };
    if start.is_first() && !rows.has_more() {
        let what = if super::beginning(text) == text.trim_end().len() {
            SyntaxErrors::nothing_to_read(text, "this file")
        } else {
            SyntaxErrors::nothing_to_read(text, "this table")
                .help("Write one submission in each row below the field names.")
        };
        let syntax_errors = vec![what];
        return Err(vec![Document { syntax_errors, ..Document::default() }]);
    }
    Ok(rows)
}

impl<'s> CsvRows<'s> {
    pub(super) fn has_more(&self) -> bool {
        !scan::is_blank(&self.text.as_bytes()[self.offset..])
    }

    /// The documents of the next block; empty only at the end of the text.
    pub(super) fn block(&mut self) -> Vec<Document<'s>> {
        let mut documents = Vec::new();
        let bytes = self.text.as_bytes();
        let end = self.offset.saturating_add(BLOCK_BYTES);
        while documents.is_empty() || self.offset < end && documents.len() < BLOCK_DOCUMENTS {
            if self.offset >= bytes.len() {
                break;
            }
            let row_end = scan::row_end(bytes, self.offset, self.header.delimiter).unwrap_or(bytes.len());
            if !scan::is_blank(&bytes[self.offset..row_end]) {
                documents.extend(self.row(row_end));
                self.read += 1;
            }
            self.offset = row_end;
        }
        documents
    }

    /// The document of the next row; `None` if all its cells are empty, as below the data of many exports.
    fn row(&mut self, row_end: usize) -> Option<Document<'s>> {
        let bytes = self.text.as_bytes();
        let header = Arc::clone(&self.header);
        let mut members: Vec<Member<'s>> = Vec::with_capacity(header.columns.len());
        let mut syntax_errors = Vec::new();
        let (mut at, mut column) = (self.offset, 0);
        let (mut is_empty, mut cut, mut end) = (true, false, self.offset);
        // A row of a workbook, or one that needs no more quotes.
        let mut is_quoted = true;
        loop {
            let extent = scan::cell(&bytes[..row_end], at, header.delimiter);
            let span = Span::new(at, extent.end);
            let (node, error) = self.cell(at, extent);
            cut |= extent.is_quoted && extent.quote.is_none();
            let is_filled = !matches!(&node.value, Value::String(text) if text.trim().is_empty());
            is_empty &= !is_filled;
            is_quoted &= extent.is_quoted || !is_filled;
            end = extent.end.max(end);
            match header.columns.get(column) {
                Some(it) if it.name.is_empty() => syntax_errors.extend(self.unnamed(column, span, is_filled)),
                Some(column) => {
                    let mut pointer = String::new();
                    match column.path {
                        Some(path) => pointer.extend(["/", path]),
                        None => push_token(&mut pointer, &column.name),
                    }
                    syntax_errors
                        .extend(error.map(|error| SyntaxError { pointer: pointer.clone(), ..error }));
                    let text = match &node.value {
                        Value::String(text) => text.len(),
                        _ => 0,
                    };
                    let node = if text > MAX_STRING {
                        syntax_errors.push(SyntaxError { pointer, ..too_long(span) });
                        Node { value: Value::Null, ..node }
                    } else {
                        node
                    };
                    match column.path {
                        Some(path) if is_filled => put(&mut members, path, (column.span, column.is), node),
                        Some(_) => {}
                        None => add(&mut members, column, node, is_filled),
                    }
                }
                None if column < header.width || header.is_cut || is_quoted => {
                    syntax_errors.extend(self.unnamed(column.min(header.width), span, is_filled));
                }
                None if is_filled => {
                    let message = message!(
                        "this row has more cells than the {} field names above",
                        header.columns.len()
                    );
                    let error = SyntaxError::new(SyntaxErrorKind::Syntax, span, message)
                        .help("Put a cell that contains a comma or a line break in double quotes.");
                    syntax_errors.push(error);
                    break;
                }
                None => {}
            }
            (at, column) = (extent.end + 1, column + 1);
            if bytes.get(extent.end) != Some(&header.delimiter) || at > row_end {
                break;
            }
        }
        if is_empty && syntax_errors.is_empty() {
            return None;
        }
        if header.repeats {
            drop_repeated(&mut members, |_| {});
        }
        if std::mem::take(&mut self.reports_header) {
            syntax_errors.splice(0..0, header.errors.iter().cloned());
        }
        let root =
            Node { span: Span::new(self.offset, end), style: Style::Cell, value: Value::Object(members) };
        Some(Document { index: self.read, root: Some(root), syntax_errors, cut, ..Document::default() })
    }

    /// The error for a cell in a column without a name, once for each column.
    fn unnamed(&mut self, column: usize, span: Span, is_filled: bool) -> Option<SyntaxError> {
        if !is_filled || self.header.is_cut || self.unnamed.contains(&column) {
            return None;
        }
        self.unnamed.push(column);
        let error = SyntaxError::new(SyntaxErrorKind::Syntax, span, "this cell has no field name above it");
        Some(error.help("Write the name of a field at the top of the column, or empty the column."))
    }

    /// The value of a cell.
    fn cell(&self, start: usize, extent: scan::CellExtent) -> (Node<'s>, Option<SyntaxError>) {
        let text = self.text;
        let scan::CellExtent { end, quote, is_quoted } = extent;
        let span = Span::new(start, end);
        if !is_quoted {
            let value = Value::String(Cow::Borrowed(&text[start..end]));
            return (Node { span, style: Style::Cell, value }, None);
        }
        let inner = &text[start + 1..quote.unwrap_or(end)];
        let inner =
            if inner.contains('"') { inner.replace("\"\"", "\"").into() } else { Cow::Borrowed(inner) };
        let node = Node { span, style: Style::QuotedCell, value: Value::String(inner) };
        let error = match quote {
            None => Some((Span::new(start, start + 1), "this cell has no closing quote")),
            Some(quote) if quote + 1 < end => {
                Some((Span::new(quote + 1, end), "there is text after the closing quote of this cell"))
            }
            Some(_) => None,
        };
        let error = error.map(|(span, what)| {
            SyntaxError::new(SyntaxErrorKind::Syntax, span, what)
                .help("Write two double quotes for one in a quoted cell.")
        });
        // What follows a closing quote does not belong to the value.
        let span = quote.map_or(span, |quote| Span::new(start, quote + 1));
        (Node { span, ..node }, error)
    }
}

/// Adds the value of a column to its draft.
fn add<'s>(members: &mut Vec<Member<'s>>, column: &header::Column<'s>, node: Node<'s>, is_filled: bool) {
    let is_list =
        column.item.is_some() || column.is == ColumnType::List && matches!(node.value, Value::String(_));
    if !is_list {
        let value = typed(node.value, column.is);
        let value = Node { value, ..node };
        members.push(Member { key: column.name.clone(), key_span: column.span, value });
        return;
    }
    let items = match column.item {
        Some(_) if is_filled => vec![node.clone()],
        Some(_) => Vec::new(),
        None => items(&node),
    };
    // `name[0]`, `name[1]`, ... are one list.
    let list = members.iter_mut().find(|member| column.item.is_some() && member.key == column.name);
    match list.map(|it| &mut it.value) {
        Some(Node { span, value: Value::Array(list), .. }) => {
            if !items.is_empty() {
                span.end = node.span.end;
            }
            list.extend(items);
        }
        _ => {
            let value = Node { span: node.span, style: Style::Cell, value: Value::Array(items) };
            members.push(Member { key: column.name.clone(), key_span: column.span, value });
        }
    }
}

/// Puts the value of a column at the path of its field: `businessAddress/city`, or in each item of a list.
fn put<'s>(
    members: &mut Vec<Member<'s>>,
    path: &'static str,
    (key_span, is): (Span, ColumnType),
    node: Node<'s>,
) {
    let (key, below) = path.split_once('/').map_or((path, None), |(key, below)| (key, Some(below)));
    let object = |node: &Node<'s>, members| Node {
        span: node.span,
        style: Style::Cell,
        value: Value::Object(members),
    };
    let value = match (below, below.and_then(|below| below.strip_prefix("*/"))) {
        (_, Some(below)) => {
            let item = |item: Node<'s>| {
                let mut inner = Vec::new();
                put(&mut inner, below, (key_span, ColumnType::Text), item.clone());
                object(&item, inner)
            };
            Value::Array(items(&node).into_iter().map(item).collect())
        }
        (Some(below), None) => {
            let at = members.iter().position(|member| member.key == key).unwrap_or_else(|| {
                let value = object(&node, Vec::new());
                members.push(Member { key: key.into(), key_span, value });
                members.len() - 1
            });
            if let Value::Object(inner) = &mut members[at].value.value {
                put(inner, below, (key_span, is), node);
            }
            return;
        }
        (None, None) if is == ColumnType::List => Value::Array(items(&node)),
        (None, None) => typed(node.value, is),
    };
    let value = Node { value, ..Node { value: Value::Null, ..node } };
    members.push(Member { key: key.into(), key_span, value });
}

/// The items of a list that is written in one cell: one in each line, or separated by `|`; addresses also by a `;` before
/// the next one.
fn items<'s>(cell: &Node<'s>) -> Vec<Node<'s>> {
    let Value::String(text) = &cell.value else { return Vec::new() };
    let quotes = u32::from(cell.style == Style::QuotedCell);
    let is_plain = cell.span.end - cell.span.start == narrow(text.len()) + 2 * quotes;
    let mut items = Vec::new();
    let mut start = 0;
    let is_address = |part: &str| part.trim().is_empty() || part.trim_start().starts_with("http");
    let is_list = is_address(text);
    let separates = |(at, byte): (usize, u8)| match byte {
        b'\n' | b'\r' | b'|' => true,
        b';' => {
            is_list && is_address(text[at + 1..].split([';', '\n', '\r', '|']).next().unwrap_or_default())
        }
        _ => false,
    };
    let ends = text.bytes().enumerate().filter(|end| separates(*end)).map(|(at, _)| at).chain([text.len()]);
    for end in ends {
        let piece = &text[start..end];
        let item = piece.trim_matches([' ', '\t']);
        let offset = start + piece.len() - piece.trim_start_matches([' ', '\t']).len();
        start += piece.len() + 1;
        if item.is_empty() {
            continue;
        }
        let value = match text {
            Cow::Borrowed(text) => Cow::Borrowed(&text[offset..offset + item.len()]),
            Cow::Owned(_) => Cow::Owned(item.to_owned()),
        };
        // Where quotes are doubled, the whole cell is the place of each item.
        let span = if is_plain {
            let start = cell.span.start + quotes + narrow(offset);
            Span { start, end: start + narrow(item.len()) }
        } else {
            cell.span
        };
        items.push(Node { span, style: Style::CellItem, value: Value::String(value) });
    }
    items
}

/// The value of a cell in a column of booleans or whole numbers; other values stay strings, which the schema refuses.
fn typed<'s>(value: Value<'s>, is: ColumnType) -> Value<'s> {
    match (&value, is) {
        (Value::String(text), ColumnType::Boolean) if text.eq_ignore_ascii_case("true") => Value::Bool(true),
        (Value::String(text), ColumnType::Boolean) if text.eq_ignore_ascii_case("false") => {
            Value::Bool(false)
        }
        (Value::String(Cow::Borrowed(text)), ColumnType::Integer)
            if !text.is_empty() && text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            Value::Number(text)
        }
        _ => value,
    }
}

fn narrow(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Whether the first line of a text is a row of two or more names, and no YAML that could be a draft. Names as people write
/// headings, such as `Opt-in type` and `Prénom`, are those of a table if the next line has as many cells.
pub(super) fn seems_csv(text: &str) -> bool {
    let mut lines = text.lines();
    let line = lines.next().unwrap_or_default();
    let delimiter = char::from(scan::delimiter(line.as_bytes()));
    let are_names = |is_part: fn(char) -> bool| {
        let is_name = |cell: &str| {
            let cell = cell.trim().trim_matches('"');
            cell.starts_with(char::is_alphabetic) && cell.chars().all(is_part)
        };
        line.contains(delimiter) && line.split(delimiter).all(is_name)
    };
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_ .[]()".contains(letter);
    let is_heading = |letter: char| letter.is_alphanumeric() || "_ .[]()-/'’&#°*?".contains(letter);
    let cells = |line: &str| line.matches(delimiter).count();
    are_names(is_plain)
        || are_names(is_heading)
            && cells(line) > 1
            && lines.next().is_some_and(|row| cells(row) >= cells(line))
}

/// The length of the header row with its line break, and of the rows above it; `None` if the text ends within it.
pub(super) fn head(text: &[u8], columns: &ColumnNames) -> Option<usize> {
    HeaderPlace::find(text, columns).end
}

/// The end of the last complete row in a text that may continue, and the number of rows up to there. `head` ends with the
/// header row, which decides the delimiter.
pub(super) fn rows_in(head: &[u8], text: &[u8], is_end: bool) -> (usize, usize) {
    let delimiter = HeaderPlace::last(head).delimiter;
    let (mut at, mut rows) = (0, 0);
    while at < text.len() {
        let end = match scan::row_end(text, at, delimiter) {
            Some(end) => end,
            None if is_end => text.len(),
            None => break,
        };
        rows += usize::from(!scan::is_blank(&text[at..end]));
        at = end;
    }
    (at, rows)
}
