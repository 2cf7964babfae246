//! The fields of a draft in the order of the form, as a person types them into the website of a provider.

use std::io::{self, Write};

use serde::Serialize;
use tollproof_core::document::Node;
use tollproof_core::schema::{FormField, schema_of};
use tollproof_core::{KindHint, Message, Parsed, kind_of};

use crate::errors::{Result, failure};
use crate::terminal::{Look, one_line};

/// The fields of a draft, as `--output-format json` prints them.
#[derive(Debug, Serialize)]
pub(super) struct DraftFields {
    /// The position of the draft in its file, counted from 0.
    document: usize,
    provider: &'static str,
    fields: Vec<TypedField>,
}

/// A field to type.
#[derive(Debug, Serialize)]
struct TypedField {
    /// As a form calls it.
    title: String,
    /// As the provider's API calls it.
    field: String,
    /// Texts to type; several for a list. Empty if a required field is missing.
    values: Vec<String>,
}

/// The fields of all drafts of a file.
pub(super) fn fields(parsed: &Parsed<'_>, hint: KindHint, look: Look) -> Result<Vec<DraftFields>> {
    let mut drafts = Vec::new();
    for block in parsed.blocks() {
        for document in block.documents() {
            let Some(root) = &document.document().root else { continue };
            let Some(kind) = kind_of(&document, hint).filter(|kind| kind.is_request()) else { continue };
            let schema = schema_of(kind);
            let mut fields = Vec::new();
            add(
                &kind.form_fields(&schema),
                root,
                &|pointer| kind.spelled_pointer(pointer),
                look,
                &mut fields,
            );
            drafts.push(DraftFields { document: document.index, provider: kind.provider().title(), fields });
        }
    }
    if drafts.is_empty() {
        let name = one_line(parsed.source().name());
        Err(failure!("`{name}` contains no draft"))
    } else {
        Ok(drafts)
    }
}

/// Adds the fields with a value, and those that are required.
fn add(
    form: &[FormField<'_>],
    root: &Node<'_>,
    spelled: &dyn Fn(&str) -> String,
    look: Look,
    fields: &mut Vec<TypedField>,
) {
    for field in form {
        let node = root.at(&spelled(&field.info.pointer));
        let mut values = Vec::new();
        node.into_iter().for_each(|node| add_texts(node, &mut values));
        let is_group = !field.below.is_empty() && field.info.type_name() != Some("array");
        if is_group {
            add(&field.below, root, spelled, look, fields);
        } else if !values.is_empty() || field.is_needed {
            let title = match field.info.title() {
                "" => field.key.to_owned(),
                title => look.message(&Message::own(title)),
            };
            fields.push(TypedField { title, field: field.info.path.clone(), values });
        }
    }
}

/// Adds the texts in a value.
fn add_texts(node: &Node<'_>, texts: &mut Vec<String>) {
    let (items, members) = (node.items(), node.members());
    if items.is_empty() && members.is_empty() {
        let text =
            node.as_str().map_or_else(|| serde_json::to_string(node).unwrap_or_default(), str::to_owned);
        let is_empty = text.trim().is_empty() || text == "null" || text == "[]" || text == "{}";
        texts.extend((!is_empty).then(|| text.trim().to_owned()));
    }
    items.iter().for_each(|item| add_texts(item, texts));
    members.iter().for_each(|member| add_texts(&member.value, texts));
}

/// Prints the fields: the title above, and below it what to type.
pub(super) fn print(drafts: &[DraftFields], look: Look, out: &mut dyn Write) -> io::Result<()> {
    for (at, draft) in drafts.iter().enumerate() {
        let place = match drafts.len() {
            1 => String::new(),
            _ => format!("{}. ", at + 1),
        };
        let said = "To type into the website of {provider}, where order and names may differ:";
        let provider = Message::from(draft.provider.to_owned());
        writeln!(out, "{place}{}", look.with(said, &[("provider", provider)]))?;
        for TypedField { title, field, values } in &draft.fields {
            writeln!(out, "\n{} ({})", look.heading(&one_line(title)), one_line(field))?;
            if values.is_empty() {
                writeln!(out, "  {}", look.say("(missing)"))?;
            }
            for line in values.iter().flat_map(|it| it.lines()) {
                writeln!(out, "  {}", one_line(line))?;
            }
        }
        if at + 1 < drafts.len() {
            writeln!(out)?;
        }
    }
    Ok(())
}
