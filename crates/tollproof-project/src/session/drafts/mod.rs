//! The drafts of a text as reports show them: the business, the values and the cells of a table.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use tollproof_core::document::{Member, Node, Style, Value, member_pointer};
use tollproof_core::{
    Format, Kind, KindHint, Parsed, Redaction, Report, Source, SourceDocument, Span, kind_of, role,
};

use super::table_cells::{self, WrittenCell};

/// The drafts of a text, and the table that contains them.
#[derive(Clone, Debug, Default)]
pub struct TextDrafts {
    /// The head of the table, if the text is one.
    pub table: Option<DraftTable>,
    /// The drafts in the order of the text.
    pub drafts: Vec<DraftView>,
}

/// The head of a table of drafts.
#[derive(Clone, Debug)]
pub struct DraftTable {
    /// The name of the sheet in its workbook; `None` for CSV.
    pub sheet: Option<String>,
    /// The 0-based row of the head.
    pub row: u32,
    /// The names of the columns, as written.
    pub columns: Vec<WrittenValue>,
}

/// A draft.
#[derive(Clone, Debug)]
pub struct DraftView {
    /// The index of the document in its file, from 0.
    pub document: usize,
    /// The kind, if it is known.
    pub kind: Option<Kind>,
    /// The name of the business, if the draft has one.
    pub business: Option<String>,
    /// The 0-based row, if the draft is a row of a table.
    pub row: Option<u32>,
    /// The cells of the row, or the values of the fields that are neither objects nor lists; in the order of the text.
    pub values: Vec<WrittenValue>,
}

/// A value that is written in one place of a text.
#[derive(Clone, Debug)]
pub struct WrittenValue {
    /// The RFC 6901 pointer in the document.
    pub pointer: String,
    /// The 0-based column in a table.
    pub column: u32,
    /// The value as it is written, with its quotes.
    pub span: Span,
    /// The value, decoded; with masks if the run asked for them.
    pub text: String,
    style: Style,
}

/// The cell of a workbook that a text is the content of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellPlace {
    /// The 0-based row.
    pub row: u32,
    /// The 0-based column.
    pub column: u32,
}

impl TextDrafts {
    /// Reads the drafts of a text. Documents that were skipped are left out.
    #[must_use]
    pub fn of(parsed: &Parsed<'_>, hint: KindHint, report: &Report, redaction: Option<&Redaction>) -> Self {
        let masked = redaction.map(|redaction| redaction.source(parsed.source()));
        let reader = DraftReader {
            shown: masked.as_ref().unwrap_or(parsed.source()),
            source: parsed.source(),
            is_masked: masked.is_some(),
        };
        let mut all = Self::default();
        let mut findings = report.findings.iter().peekable();
        for block in parsed.blocks() {
            for document in block.documents() {
                let index = document.document().index;
                while findings.next_if(|it| it.document < index).is_some() {}
                let has_findings = findings.peek().is_some_and(|it| it.document == index);
                let kind = kind_of(&document, hint);
                // A row of a table that is not read is not a draft.
                let is_row = parsed.format() == Format::Csv;
                if kind.is_none() && (is_row || !has_findings) {
                    continue;
                }
                let root = document.document().root.as_ref();
                if parsed.format() == Format::Csv && all.table.is_none() {
                    all.table = root.and_then(|root| reader.table(root));
                }
                all.drafts.push(reader.draft(document, kind, all.table.as_ref()));
            }
        }
        all
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.table.is_none() && self.drafts.is_empty()
    }
}

/// Reads drafts of one text.
struct DraftReader<'s> {
    source: &'s Source<'s>,
    /// The same text, with masks if the run asked for them.
    shown: &'s Source<'s>,
    is_masked: bool,
}

impl DraftReader<'_> {
    fn draft(
        &self,
        document: SourceDocument<'_>,
        kind: Option<Kind>,
        table: Option<&DraftTable>,
    ) -> DraftView {
        let document = document.document();
        let mut draft =
            DraftView { document: document.index, kind, business: None, row: None, values: Vec::new() };
        let Some(root) = &document.root else { return draft };
        let name = kind.and_then(|kind| kind.field(root, role::BUSINESS_NAME));
        let name = name.filter(|node| node.as_str().is_some());
        let name = name.map(|node| self.value(String::new(), node.span, node.style).text.trim().to_owned());
        draft.business = name.filter(|it| !it.is_empty());
        match table {
            Some(table) => {
                draft.row = u32::try_from(document.index + 1).ok();
                draft.values = self.cells(root.span.start, table_cells::delimiter(self.source.text(), root));
                for value in &mut draft.values {
                    let column = table.columns.get(value.column as usize);
                    value.pointer = column.map(|it| it.pointer.clone()).unwrap_or_default();
                }
            }
            None => self.leaves(root, "", &mut draft.values),
        }
        draft
    }

    /// The head of a table, found through its first row.
    fn table(&self, row: &Node<'_>) -> Option<DraftTable> {
        let first = row.members().iter().map(|it| it.key_span.start).min()? as usize;
        let text = self.source.text();
        let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
        let start = if start == 0 { text.len() - text.trim_start_matches('\u{feff}').len() } else { start };
        let start = u32::try_from(start).ok()?;
        let mut columns = self.cells(start, table_cells::delimiter(text, row));
        for column in &mut columns {
            let member = row.members().iter().find(|it| it.key_span.start == column.span.start);
            let key = member.map_or(Cow::Borrowed(column.text.trim()), |it| self.key(it));
            column.pointer = member_pointer("", &key);
        }
        Some(DraftTable { sheet: None, row: 0, columns })
    }

    fn cells(&self, start: u32, delimiter: u8) -> Vec<WrittenValue> {
        let cells = table_cells::row(self.source.text(), start as usize, delimiter);
        let value = |(column, WrittenCell { range, is_quoted }): (u32, WrittenCell)| {
            let style = if is_quoted { Style::QuotedCell } else { Style::Cell };
            WrittenValue { column, ..self.value(String::new(), Span::new(range.start, range.end), style) }
        };
        (0..).zip(cells).map(value).collect()
    }

    /// Adds the values below a node that contain no others.
    fn leaves(&self, node: &Node<'_>, pointer: &str, values: &mut Vec<WrittenValue>) {
        match &node.value {
            Value::Object(members) => {
                for member in members {
                    self.leaves(&member.value, &member_pointer(pointer, &self.key(member)), values);
                }
            }
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.leaves(item, &format!("{pointer}/{at}"), values);
                }
            }
            Value::Null | Value::Computed => {}
            _ => values.push(self.value(pointer.to_owned(), node.written(), node.style)),
        }
    }

    /// The name of a field, which may be personal too if the provider does not have it.
    fn key<'k>(&self, member: &'k Member<'_>) -> Cow<'k, str> {
        if !self.is_masked {
            return Cow::Borrowed(&member.key);
        }
        let written = |source: &Source<'_>| source.text().get(member.key_span.range()).map(str::to_owned);
        let shown = written(self.shown).unwrap_or_default();
        if written(self.source).as_ref() == Some(&shown) {
            Cow::Borrowed(&member.key)
        } else {
            Cow::Owned(shown.trim_matches(['"', '\'']).to_owned())
        }
    }

    fn value(&self, pointer: String, span: Span, style: Style) -> WrittenValue {
        let mut value = WrittenValue { pointer, column: 0, span, text: String::new(), style };
        value.text = value.split(self.shown, span)[1].clone();
        value
    }
}

impl WrittenValue {
    /// Divides the decoded value at a part of it: what is before, the part, and what is after.
    pub fn split(&self, source: &Source<'_>, part: Span) -> [String; 3] {
        let text = source.text();
        let written = text.get(self.span.range()).unwrap_or_default();
        let quote = match self.style {
            Style::Json | Style::Double | Style::QuotedCell => Some('"'),
            Style::Single => Some('\''),
            _ => None,
        };
        let (mut start, mut end) = (self.span.start as usize, self.span.start as usize + written.len());
        if let Some(quote) = quote.filter(|quote| written.starts_with(*quote)) {
            start += 1;
            end -= usize::from(end > start && written.ends_with(quote));
        }
        let from = (part.start as usize).clamp(start, end);
        let to = (part.end as usize).clamp(from, end);
        [start..from, from..to, to..end].map(|range| self.decode(text.get(range).unwrap_or_default()))
    }

    /// Decodes a part of the written value. A part that is no text of its own stays as it is written.
    fn decode(&self, written: &str) -> String {
        match self.style {
            Style::Json | Style::Double if written.contains('\\') => {
                serde_json::from_str(&format!("\"{written}\"")).unwrap_or_else(|_| written.to_owned())
            }
            Style::QuotedCell if written.contains('"') => written.replace("\"\"", "\""),
            Style::Single => folded(&written.replace("''", "'"), ' '),
            Style::Plain | Style::Double | Style::Folded => folded(written, ' '),
            Style::Literal => folded(written, '\n'),
            _ => written.to_owned(),
        }
    }
}

/// The lines of a YAML scalar without their indentation; empty lines stay line breaks.
fn folded(written: &str, between: char) -> String {
    if !written.contains('\n') {
        return written.to_owned();
    }
    let mut text = String::with_capacity(written.len());
    for (at, line) in written.split('\n').enumerate() {
        let line = if at == 0 { line } else { line.trim_start_matches([' ', '\t']) };
        let line = line.trim_end_matches('\r');
        match at {
            0 => {}
            _ if line.is_empty() => text.push('\n'),
            _ if text.ends_with('\n') && between == ' ' => {}
            _ => text.push(between),
        }
        text.push_str(line);
    }
    text
}
