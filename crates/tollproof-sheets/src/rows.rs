//! Writes drafts as the rows of a table.

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

/// Drafts of a kind as CSV: a column for each field of the kind, and for each other field of a draft after them.
///
/// The items of a list are in one cell, with a line for each; in the sheet of a provider that takes sheets, with
/// semicolons between them.
///
/// # Errors
///
/// A field that contains other fields.
pub fn csv<'d, 's: 'd>(
    kind: Kind,
    drafts: impl IntoIterator<Item = &'d Node<'s>>,
) -> Result<String, NestedField> {
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
    for draft in drafts {
        let cells = columns.iter().map(|column| match draft.get(column) {
            Some(node) => {
                cell(node, separator).ok_or_else(|| NestedField { field: bounded((*column).to_owned()) })
            }
            None => Ok(String::new()),
        });
        let cells: Vec<String> = cells.collect::<Result<_, _>>()?;
        table.write_record(&cells).expect(in_memory);
    }
    let bytes = table.into_inner().expect(in_memory);
    Ok(String::from_utf8(bytes).expect("cells are text"))
}

/// The content of a cell; `None` if the value contains fields.
fn cell(node: &Node<'_>, separator: &str) -> Option<String> {
    Some(match &node.value {
        Value::Null => String::new(),
        Value::Bool(value) => value.to_string(),
        Value::Number(text) => (*text).to_owned(),
        Value::String(text) => text.to_string(),
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(|item| cell(item, separator)).collect();
            items?.join(separator)
        }
        Value::Object(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use tollproof_core::{Format, KindRole, Parsed, Provider, Source, json_of};

    use super::*;

    /// The table of some drafts in JSON.
    fn table(provider: &str, json: &str) -> Result<String, NestedField> {
        let source = Source::new("drafts.json", json);
        let parsed = Parsed::of(&source, Some(Format::Json));
        let whole = parsed.whole();
        let roots = whole.documents().filter_map(|it| it.document().root.as_ref());
        let kind = Provider::named(provider).expect("it exists").kind(KindRole::Submit);
        csv(kind.expect("it has one"), roots)
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let json = r#"[{"BusinessName":"A, \"B\"","OptInImageUrls":["https://a.example/1","https://a.example/2"],"own":"x"},{"BusinessName":"C"}]"#;
        let text = table("twilio", json).expect("every value fits");
        let source = Source::new("drafts.csv", text);
        let parsed = Parsed::of(&source, None);
        let whole = parsed.whole();
        let roots: Vec<&Node<'_>> = whole.documents().filter_map(|it| it.document().root.as_ref()).collect();
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
    fn fields_in_fields_are_refused() {
        let error = table("telnyx", r#"{"phoneNumbers":[{"phoneNumber":"+18335550100"}]}"#);
        assert_eq!(error, Err(NestedField { field: "phoneNumbers".to_owned() }));
    }
}
