//! Hover texts: fields and values by the schema of the provider, and rules.

use std::fmt::Write as _;

use gen_lsp_types::{Contents, Hover, MarkupContent, MarkupKind};
use tollproof_core::schema::{FieldInfo, schema_of, show};
use tollproof_core::{Kind, Linter, Parsed, Source, Span};
use tollproof_project::{InputFile, field_at};

use crate::draft::{draft_at, path_at};
use crate::project::{EditorProject, FileRole, Result, Subject};
use crate::rules::{RuleNames, name_at};
use crate::text::Encoding;

/// Lists of more values than this are only counted.
const SHOWN_VALUES: usize = 24;

/// The hover at an offset.
pub(crate) fn hover(
    project: &EditorProject,
    subject: &Subject,
    offset: usize,
    encoding: Encoding,
    rule_url: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<Hover>> {
    let source = Source::new(subject.name.as_str(), &*subject.text);
    let show = |span: Span, text: String| Hover {
        contents: Contents::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: text }),
        range: Some(encoding.places(&source).range(span)),
    };
    if names_rules(project, subject, offset) {
        let name = name_at(&subject.text, offset);
        let names = rule_names(project, subject);
        let own = project.session().map(|it| it.own_rules()).unwrap_or_default();
        let id = &subject.text[name.clone()];
        if let Some(text) = names.explain(id, &own, rule_url(id)) {
            return Ok(Some(show(Span::new(name.start, name.end), text)));
        }
    }
    let Some(file) = project.file(subject)? else { return Ok(None) };
    let hint = project.hint(&file)?;
    let parsed = Parsed::of(&source, subject.format);
    let whole = parsed.whole();
    let Some(draft) = draft_at(project, &whole, hint, offset) else { return Ok(None) };
    let Some((path, span, is_key)) = draft.root.and_then(|root| path_at(root, offset)) else {
        return Ok(None);
    };
    let schema = schema_of(draft.kind);
    let Some(field) = field_at(&schema, &path) else { return Ok(None) };
    let written = if is_key { None } else { Some(source.slice(span).trim_matches(['"', '\''])) };
    let name = path.iter().rfind(|it| *it != "-").map_or("", String::as_str);
    Ok(Some(show(span, describe(draft.kind, &field, name, written))))
}

/// The names of rules around a text; those of the built-in rules while the settings are being written.
pub(crate) fn rule_names(project: &EditorProject, subject: &Subject) -> RuleNames {
    known_names(project, subject).unwrap_or_else(|_| RuleNames::of(&Linter::builtin()))
}

fn known_names(project: &EditorProject, subject: &Subject) -> Result<RuleNames> {
    let session = project.session()?;
    let path = subject.path.clone().unwrap_or_else(|| subject.name.clone().into());
    let draft = InputFile::named(&path.with_file_name("draft.json"));
    let config = session.config_of(&draft)?;
    Ok(RuleNames::of(&*session.linter_of(&config, &draft)?))
}

/// Whether an offset is where rules are named: in a comment for tollproof, or in settings.
fn names_rules(project: &EditorProject, subject: &Subject, offset: usize) -> bool {
    let start = subject.text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let is_comment = subject.text[start..offset]
        .split_once('#')
        .is_some_and(|(_, comment)| comment.trim_start().starts_with("tollproof"));
    let is_own =
        || subject.path.as_deref().is_some_and(|path| matches!(project.role(path), Ok(FileRole::Own)));
    is_comment || is_own()
}

/// A field, as Markdown; `written` is a value of it.
pub(crate) fn describe(kind: Kind, field: &FieldInfo<'_>, name: &str, written: Option<&str>) -> String {
    let mut text = String::new();
    let title = if field.title().is_empty() { name } else { field.title() };
    let need = kind.need_of(field).words();
    let _ = write!(text, "**{title}**\n\n`{name}` · {need}");
    if let Some(type_name) = field.type_name() {
        let _ = write!(text, " · {type_name}");
    }
    for (key, what) in [
        ("maxLength", "at most %n characters"),
        ("maxItems", "at most %n items"),
        ("minLength", "at least %n characters"),
    ] {
        let limit = field.schema[key].as_u64().filter(|&limit| limit > 1 || key != "minLength");
        if let Some(limit) = limit {
            let _ = write!(text, " · {}", what.replace("%n", &limit.to_string()));
        }
    }
    let _ = write!(text, " · {} of {}\n\n{}\n", kind.name(), kind.provider().title(), field.description());
    if !field.entries().is_empty() {
        let _ = write!(text, "\nEach item: {}\n", field.entries());
    }
    let choice = choice_of(field);
    if let Some(value) = written.filter(|value| choice.iter().any(|it| it == value)) {
        let words = words(kind, name, value);
        if !words.is_empty() {
            let _ = write!(text, "\n`{value}`: also {}\n", words.join(", "));
        }
    }
    if !choice.is_empty() && choice.len() <= SHOWN_VALUES {
        let values: Vec<String> = choice.iter().map(|it| format!("`{it}`")).collect();
        let _ = write!(text, "\nValues: {}\n", values.join(", "));
    } else if !choice.is_empty() {
        let _ = write!(text, "\n{} values, which completion lists.\n", choice.len());
    }
    let examples: Vec<String> = field
        .examples()
        .iter()
        .filter(|value| !value.is_object())
        .map(|example| format!("`{}`", show(example)))
        .collect();
    if choice.is_empty() && !examples.is_empty() {
        let _ = write!(text, "\nExamples: {}\n", examples.join(", "));
    }
    text
}

/// The values of a field, or of the items of a list.
pub(crate) fn choice_of(field: &FieldInfo<'_>) -> Vec<String> {
    let own = field.choice().values;
    if own.is_empty() { field.item_choice().values } else { own }
}

/// Other words for a value of a field.
pub(crate) fn words(kind: Kind, name: &str, value: &str) -> Vec<&'static str> {
    let pointer = format!("/{name}");
    kind.role_at(&pointer).map(|role| kind.words_for(role, value)).unwrap_or_default()
}
