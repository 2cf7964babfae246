//! Writes drafts as the rows of a table.

use std::fmt;

use tollproof_core::document::{Node, Value};
use tollproof_core::{Kind, bounded, schema};

/// A field that a cell cannot hold, because it contains other fields.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{field}` contains other fields, which a cell cannot hold; convert the drafts to another provider first"
)]
pub struct NestedField {
    /// The name of the field.
    pub field: String,
}

/// Drafts as the text of a file, and what is wrong with its cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenTable {
    /// The text.
    pub text: String,
    /// Problems with cells of a table.
    pub notes: Vec<CellNote>,
}

/// A problem with a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellNote {
    /// The index of the draft.
    pub draft: usize,
    /// The name of the field.
    pub field: String,
    /// The problem.
    pub problem: CellProblem,
}

/// A problem with a cell, as the end of a sentence that begins with its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellProblem {
    /// A spreadsheet program takes the text as a formula. It is written as it is, because an apostrophe would be submitted.
    Formula,
    /// An item of a list contains what separates items in a cell, and is left out.
    Separator,
}

impl fmt::Display for CellProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Formula => "begins like a formula, which a spreadsheet program calculates",
            Self::Separator => "has an item with `|` or a line break, which is left out of the cell",
        })
    }
}

impl WrittenTable {
    /// A text without cells.
    #[must_use]
    pub fn of(text: String) -> Self {
        Self { text, notes: Vec::new() }
    }
}

/// Drafts of a kind as CSV: a column for each field of the kind, and for each other field of a draft after them.
///
/// The items of a list are in one cell, with a line for each; in the sheet of a provider that takes sheets, with
/// semicolons between them. What separates items is percent-encoded in an address.
///
/// # Errors
///
/// A field that contains other fields.
pub fn csv<'d, 's: 'd>(
    kind: Kind,
    drafts: impl IntoIterator<Item = &'d Node<'s>>,
) -> Result<WrittenTable, NestedField> {
    let drafts: Vec<&Node<'_>> = drafts.into_iter().collect();
    let mut columns: Vec<&str> = schema::field_names(kind).collect();
    for member in drafts.iter().flat_map(|draft| draft.members()) {
        if !columns.contains(&member.key.as_ref()) {
            columns.push(&member.key);
        }
    }
    let separator = if kind.provider().is_sheet() { ";" } else { "\n" };
    let mut table = csv::Writer::from_writer(Vec::new());
    let in_memory = "a table in memory takes every row";
    table.write_record(&columns).expect(in_memory);
    let mut notes = Vec::new();
    for (at, draft) in drafts.into_iter().enumerate() {
        let mut cells = Vec::with_capacity(columns.len());
        for column in &columns {
            let Some(node) = draft.get(column) else {
                cells.push(String::new());
                continue;
            };
            let field = || bounded((*column).to_owned());
            let mut note = |problem| notes.push(CellNote { draft: at, field: field(), problem });
            let cell = cell(node, separator, &mut note).ok_or_else(|| NestedField { field: field() })?;
            if matches!(node.value, Value::String(_) | Value::Array(_)) && is_formula(&cell) {
                note(CellProblem::Formula);
            }
            cells.push(cell);
        }
        table.write_record(&cells).expect(in_memory);
    }
    let bytes = table.into_inner().expect(in_memory);
    Ok(WrittenTable { text: String::from_utf8(bytes).expect("cells are text"), notes })
}

/// Whether a spreadsheet program takes a cell as a formula; of a phone number it shows the digits.
fn is_formula(cell: &str) -> bool {
    let is_phone = |character: char| character.is_ascii_digit() || "+-.() ".contains(character);
    let begins = cell.trim_start().starts_with(['=', '+', '-', '@']) || cell.starts_with(['\t', '\r']);
    begins && !cell.chars().all(is_phone)
}

/// The content of a cell; `None` if the value contains fields.
fn cell(node: &Node<'_>, separator: &str, note: &mut impl FnMut(CellProblem)) -> Option<String> {
    Some(match &node.value {
        Value::Null | Value::Computed => String::new(),
        Value::Bool(value) => value.to_string(),
        Value::Number(text) => (*text).to_owned(),
        Value::String(text) => text.to_string(),
        Value::Array(items) => {
            let mut texts = Vec::with_capacity(items.len());
            for item in items {
                match in_list(cell(item, separator, note)?) {
                    Some(text) => texts.push(text),
                    None => note(CellProblem::Separator),
                }
            }
            texts.join(if texts.iter().all(|text| begins(text)) { separator } else { "\n" })
        }
        Value::Object(_) => return None,
    })
}

/// An item of a list without what separates items; `None` if it cannot be written so.
fn in_list(item: String) -> Option<String> {
    // Several addresses in one item were not told apart when it was read.
    let is_address =
        begins(&item) && item.split([';', '|', '\n', '\r']).filter(|part| begins(part)).count() == 1;
    // In an address a semicolon separates items only before another address, or before nothing.
    let ends = is_address && item.split(';').skip(1).any(|part| part.trim().is_empty());
    let separates = |letter: char| matches!(letter, '|' | '\n' | '\r') || letter == ';' && ends;
    let is_several = begins(&item) && !is_address;
    if !item.contains(separates) && !is_several {
        return Some(item);
    }
    let encoded = |character: char| {
        if separates(character) { format!("%{:02X}", u32::from(character)) } else { character.to_string() }
    };
    is_address.then(|| item.chars().map(encoded).collect())
}

/// Whether a text is read as an address.
fn begins(part: &str) -> bool {
    part.trim_start().starts_with("http")
}

#[cfg(test)]
mod tests {
    use tollproof_core::{Format, KindRole, Parsed, Provider, Source, json_of};

    use super::*;

    /// The table of some drafts in JSON.
    fn table(provider: &str, json: &str) -> Result<WrittenTable, NestedField> {
        let source = Source::new("drafts.json", json);
        let parsed = Parsed::of(&source, Some(Format::Json));
        let whole = parsed.whole();
        let roots = whole.documents().filter_map(|draft| draft.document().root.as_ref());
        let kind = Provider::named(provider).expect("it exists").kind(KindRole::Submit);
        csv(kind.expect("it has one"), roots)
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let json = r#"[{"BusinessName":"A, \"B\"","OptInImageUrls":["https://a.example/1","https://a.example/2"],"own":"x"},{"BusinessName":"C"}]"#;
        let table = table("twilio", json).expect("every value fits");
        assert_eq!(table.notes, []);
        let source = Source::new("drafts.csv", table.text);
        let parsed = Parsed::of(&source, None);
        let whole = parsed.whole();
        let roots: Vec<&Node<'_>> =
            whole.documents().filter_map(|draft| draft.document().root.as_ref()).collect();
        assert_eq!(roots.len(), 2);
        let written = |root: &Node<'_>, field: &str| root.get(field).map(json_of);
        assert_eq!(written(roots[0], "BusinessName").as_deref(), Some(r#""A, \"B\"""#));
        assert_eq!(
            written(roots[0], "OptInImageUrls").as_deref(),
            Some(r#"["https://a.example/1","https://a.example/2"]"#)
        );
        assert_eq!(written(roots[0], "own").as_deref(), Some("\"x\""));
        assert_eq!(written(roots[1], "BusinessName").as_deref(), Some("\"C\""));
    }

    #[test]
    fn items_stay_items_and_formulas_are_named() {
        let json = r#"{"BusinessName":"=1+1","BusinessContactPhone":"+1 415 555 0134","OptInImageUrls":["https://a.example/1;a|b","https://a.example/2","no address; two"]}"#;
        let table = table("twilio", json).expect("every value fits");
        let note = |field: &str, problem| CellNote { draft: 0, field: field.to_owned(), problem };
        let source = Source::new("drafts.csv", table.text);
        let parsed = Parsed::of(&source, None);
        let only = parsed.only().expect("there is one");
        let images = only.document().root.as_ref().and_then(|root| root.get("OptInImageUrls")).map(json_of);
        let expected = r#"["https://a.example/1;a%7Cb","https://a.example/2","no address; two"]"#;
        assert_eq!(images.as_deref(), Some(expected));
        assert_eq!(table.notes, [note("BusinessName", CellProblem::Formula)]);
        let json = r#"{"Opt_In_Image_URLs":["no address| two"]}"#;
        let table = self::table("bulk-csv", json).expect("every value fits");
        assert_eq!(table.notes, [note("Opt_In_Image_URLs", CellProblem::Separator)]);
    }

    #[test]
    fn a_semicolon_in_an_address_comes_back() {
        let json = r#"{"Opt_In_Image_URLs":["https://a.example/1;a=2","https://a.example/3"]}"#;
        let table = table("bulk-csv", json).expect("every value fits");
        assert_eq!(table.notes, []);
        let source = Source::new("drafts.csv", table.text);
        let parsed = Parsed::of(&source, None);
        let only = parsed.only().expect("there is one");
        let images =
            only.document().root.as_ref().and_then(|root| root.get("Opt_In_Image_URLs")).map(json_of);
        assert_eq!(images.as_deref(), Some(r#"["https://a.example/1;a=2","https://a.example/3"]"#));
    }

    #[test]
    fn fields_in_fields_are_refused() {
        let error = table("telnyx", r#"{"phoneNumbers":[{"phoneNumber":"+18335550100"}]}"#);
        assert_eq!(error, Err(NestedField { field: "phoneNumbers".to_owned() }));
    }
}
