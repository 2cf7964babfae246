//! Fields that an object lacks, written with an empty value to fill in.

use gen_lsp_types::{
    CompletionItem, CompletionItemKind, Documentation, InsertTextFormat, MarkupContent, MarkupKind, TextEdit,
};
use serde_json::Value;
use tollproof_core::schema::FieldInfo;
use tollproof_core::{Edit, Format, Kind, Span, schema};
use tollproof_project::{fields_at, is_spelled_like};

use super::ItemMaker;
use crate::draft::spelled;
use crate::hover::{choice_of, describe};
use crate::place::{CursorPlace, Slot};
use crate::scalar::written;

/// Lists of more values than this are not offered as a choice inside a new field.
const MAX_CHOICE: usize = 60;

/// The fields that the object at a place lacks: required ones first, in the order of the schema.
pub(super) fn items(
    kind: Kind,
    root: &Value,
    format: Format,
    place: &CursorPlace,
    text: &str,
    maker: &mut ItemMaker<'_>,
) -> Vec<CompletionItem> {
    let Slot::Key { keys, has_colon, comma_before, comma_after, indent } = &place.slot else {
        return Vec::new();
    };
    let token = &text[place.token.clone()];
    let own = token.trim_matches(['"', '\'']);
    let is_absent = |name: &str| !keys.iter().any(|key| is_spelled_like(key, name) && key != own);
    let order: Vec<&str> = schema::field_names(kind).collect();
    let mut fields: Vec<FieldInfo<'_>> = fields_at(root, &place.path);
    let at = |name: &str| order.iter().position(|it| is_spelled_like(it, name)).unwrap_or(usize::MAX);
    fields.sort_by_key(|field| (!field.required, at(field.name())));
    let fields = fields.into_iter().filter(|field| is_absent(field.name()));
    let items = fields.enumerate().map(|(order, field)| {
        let name = spelled(kind, field.name());
        let writer = FieldWriter { format, indent: *indent, has_snippets: maker.has_snippets };
        let mut written = if *has_colon { writer.key(&name) } else { writer.member(&name, &field) };
        if *comma_after {
            written.push(',');
        }
        let mut item = maker.item(&name, written, CompletionItemKind::Field, order);
        item.detail = Some(if field.required {
            format!("{} (required)", field.title())
        } else {
            field.title().to_owned()
        });
        let value = describe(kind, &field, &name, None);
        item.documentation =
            Some(Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value }));
        // Editors compare this with what is written, which may begin with a quote.
        item.filter_text = Some(if token.starts_with('"') { format!("\"{name}\"") } else { name });
        if maker.has_snippets && !has_colon {
            item.insert_text_format = Some(InsertTextFormat::Snippet);
        }
        if let Some(end) = comma_before {
            let edit = Edit { span: Span::new(*end, *end), text: ",".to_owned() };
            let TextEdit { range, new_text } = maker.places.edit(&edit);
            item.additional_text_edits = Some(vec![TextEdit { range, new_text }]);
        }
        item
    });
    items.collect()
}

/// The form of a new field.
struct FieldWriter {
    format: Format,
    indent: usize,
    has_snippets: bool,
}

impl FieldWriter {
    fn is_yaml(&self) -> bool {
        self.format == Format::Yaml
    }

    fn key(&self, name: &str) -> String {
        if self.is_yaml() { name.to_owned() } else { serde_json::json!(name).to_string() }
    }

    fn member(&self, name: &str, field: &FieldInfo<'_>) -> String {
        let value = self.value(field);
        let gap = if value.starts_with('\n') { "" } else { " " };
        format!("{}:{gap}{value}", self.key(name))
    }

    /// A value to fill in; only a client that knows placeholders gets them.
    fn value(&self, field: &FieldInfo<'_>) -> String {
        let mark = if self.has_snippets { "$1" } else { "" };
        let below = " ".repeat(self.indent + 2);
        match (field.type_name(), self.is_yaml()) {
            (Some("array"), true) => format!("\n{below}- {}", self.text(&choice_of(field), mark)),
            (Some("array"), false) => format!("[{}]", self.text(&choice_of(field), mark)),
            (Some("object"), true) => format!("\n{below}{mark}"),
            (Some("object"), false) => format!("{{{mark}}}"),
            (Some("boolean"), _) if self.has_snippets => "${1|true,false|}".to_owned(),
            (Some("boolean"), _) => "false".to_owned(),
            (Some("number" | "integer"), _) => mark.to_owned(),
            _ => self.text(&field.choice().values, mark),
        }
    }

    fn text(&self, choice: &[String], mark: &str) -> String {
        if self.has_snippets && !choice.is_empty() && choice.len() <= MAX_CHOICE {
            let values: Vec<String> =
                choice.iter().map(|option| escaped(&written(option, self.format))).collect();
            return format!("${{1|{}|}}", values.join(","));
        }
        if self.is_yaml() { mark.to_owned() } else { format!("\"{mark}\"") }
    }
}

/// A value of a choice, in which snippets have signs of their own.
fn escaped(value: &str) -> String {
    let mut escaped = String::new();
    for letter in value.chars() {
        if matches!(letter, ',' | '|' | '\\' | '$' | '}') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
