//! `# tollproof:` comments in YAML, and rules in them and in settings.

use std::ops::Range;

use gen_lsp_types::{CompletionItem, CompletionItemKind, CompletionList, InsertTextFormat};
use tollproof_core::{Format, Kind, Provider};

use super::{CompletionRequest, ItemMaker, list};
use crate::hover::rule_names;
use crate::place::{CursorPlace, Slot};
use crate::rules::{RuleName, name_at};

/// The possible comments for tollproof.
const COMMENTS: [(&str, &str, &str); 4] = [
    ("ignore[]", "ignore[$1] ${2:reason}", "ignore findings on the next line, or on this one"),
    ("provider=", "provider=$1", "the provider of this document"),
    ("kind=", "kind=$1", "the kind of this document"),
    ("record=", "record=$1", "the id of the record that this update request changes"),
];

type Maker<'m, 'p> = &'m dyn Fn(Range<usize>) -> ItemMaker<'p>;

/// The completions in a comment that begins at an offset.
pub(super) fn in_comment(
    request: &CompletionRequest<'_>,
    start: usize,
    maker: Maker<'_, '_>,
) -> CompletionList {
    let text = &*request.subject.text;
    let before = &text[start..request.offset];
    let words = before.trim_start_matches('#').trim_start();
    let Some(said) = words.strip_prefix("tollproof:") else {
        let is_begun = "tollproof:".starts_with(words);
        let line_end = text[request.offset..].find(['\n', '\r']).map_or(text.len(), |at| request.offset + at);
        let is_last = text[request.offset..line_end].trim().is_empty();
        return list(if is_begun && is_last { whole(start..request.offset, maker) } else { Vec::new() });
    };
    if let Some((_, names)) = said.rsplit_once("ignore[")
        && !names.contains(']')
    {
        return rules(request, name_at(text, request.offset), "", maker);
    }
    let word = said.rsplit([' ', '\t']).next().unwrap_or_default();
    let token = |name: &str| request.offset - (word.len() - name.len())..request.offset;
    if word.starts_with("provider=") {
        return providers(token("provider="), maker);
    }
    if word.starts_with("kind=") {
        return kinds(token("kind="), maker);
    }
    let mut maker = maker(request.offset - word.len()..request.offset);
    list(snippets("", &mut maker))
}

/// Whole comments.
fn whole(token: Range<usize>, maker: Maker<'_, '_>) -> Vec<CompletionItem> {
    snippets("# tollproof: ", &mut maker(token))
}

fn snippets(prefix: &str, maker: &mut ItemMaker<'_>) -> Vec<CompletionItem> {
    let items = COMMENTS.iter().enumerate().map(|(order, (label, snippet, about))| {
        let label = format!("{prefix}{label}");
        let plain = snippet.replace("$1", "").replace("${2:reason}", "");
        let text = if maker.has_snippets { (*snippet).to_owned() } else { plain.trim_end().to_owned() };
        let mut item = maker.item(&label, format!("{prefix}{text}"), CompletionItemKind::Keyword, order);
        item.detail = Some((*about).to_owned());
        item.filter_text = Some(label);
        if maker.has_snippets {
            item.insert_text_format = Some(InsertTextFormat::Snippet);
        }
        item
    });
    items.collect()
}

fn providers(token: Range<usize>, maker: Maker<'_, '_>) -> CompletionList {
    let mut maker = maker(token);
    let items = Provider::all().iter().enumerate().map(|(order, provider)| {
        let mut item =
            maker.item(provider.name(), provider.name().to_owned(), CompletionItemKind::EnumMember, order);
        item.detail = Some(provider.title().to_owned());
        item
    });
    list(items.collect())
}

fn kinds(token: Range<usize>, maker: Maker<'_, '_>) -> CompletionList {
    let mut maker = maker(token);
    let items = Provider::default().kinds().enumerate().map(|(order, kind): (usize, Kind)| {
        let mut item = maker.item(kind.name(), kind.name().to_owned(), CompletionItemKind::EnumMember, order);
        item.detail = Some(kind.about().to_owned());
        item
    });
    list(items.collect())
}

/// The rules and groups; those of findings in the document first.
fn rules(
    request: &CompletionRequest<'_>,
    token: Range<usize>,
    end: &str,
    maker: Maker<'_, '_>,
) -> CompletionList {
    let names = rule_names(request.project, request.subject);
    let mut maker = maker(token);
    let count = names.iter().count();
    let items = names.iter().enumerate().map(|(order, (name, meaning))| {
        let is_found = request.found.iter().any(|it| it == name);
        let order = if is_found { order } else { order + count };
        let (kind, detail) = match meaning {
            RuleName::Rule { title, severity } => (CompletionItemKind::Value, format!("{severity}: {title}")),
            RuleName::Group(rules) => (CompletionItemKind::Module, format!("{rules} rules")),
        };
        let mut item = maker.item(name, format!("{name}{end}"), kind, order);
        item.detail = Some(detail);
        item
    });
    list(items.collect())
}

/// The completions in `tollproof.yaml`.
pub(super) fn in_settings(request: &CompletionRequest<'_>, maker: Maker<'_, '_>) -> CompletionList {
    let text = &*request.subject.text;
    let Some(CursorPlace { path, token, slot }) = CursorPlace::at(text, Format::Yaml, request.offset, &[])
    else {
        return list(Vec::new());
    };
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    match (&path[..], slot) {
        (["rules"], Slot::Key { has_colon, .. }) => {
            rules(request, token, if has_colon { "" } else { ": " }, maker)
        }
        (["locked-rules", ..], _) | (["ignore", .., "rule"], Slot::Value { .. }) => {
            let name = name_at(text, request.offset);
            rules(request, name, "", maker)
        }
        (["provider"], Slot::Value { .. }) => providers(token, maker),
        _ => list(Vec::new()),
    }
}
