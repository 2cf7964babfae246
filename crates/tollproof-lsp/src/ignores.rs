//! Place to ignore a finding: a comment in YAML, or an entry of `tollproof.yaml`.

use std::path::{Path, PathBuf};

use tollproof_core::{Edit, Finding, Format, Parsed, Pointer, Source, Span};
use tollproof_project::{CONFIG_NAME, ConfigFile};

use crate::scalar::written;

/// The placeholder for the reason in an edit.
pub(crate) const REASON: &str = "<reason>";

/// An edit that ignores a finding once its reason is written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct IgnoreEdit {
    /// The settings to change; `None` for the draft itself.
    pub(crate) settings: Option<SettingsText>,
    /// The edit, which contains [`REASON`].
    pub(crate) edit: Edit,
}

/// The settings that an entry is added to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SettingsText {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    /// Whether the file must be created.
    pub(crate) is_new: bool,
}

/// The comment above the field that a finding is about.
pub(crate) fn comment(parsed: &Parsed<'_>, finding: &Finding) -> Option<IgnoreEdit> {
    if parsed.format() != Format::Yaml {
        return None;
    }
    let source = parsed.source();
    let whole = parsed.whole();
    let document = whole.documents().find(|it| it.document().index == finding.document)?;
    let root = document.document().root.as_ref();
    let pointer = finding.pointer.as_str();
    let key = pointer.rsplit_once('/').and_then(|(above, name)| {
        let object = root?.at(above)?;
        object.member(&Pointer::unescape(name))
    });
    // A comment covers what begins on its line, so it is above the key of a long text and not in it.
    let start = key.map_or(finding.span?.start, |member| member.key_span.start) as usize;
    let text = source.text();
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[line..];
    let indent = &rest[..rest.len() - rest.trim_start_matches(' ').len()];
    let edit = Edit {
        span: Span::new(line, line),
        text: format!("{indent}# tollproof: ignore[{}] {REASON}\n", finding.rule),
    };
    Some(IgnoreEdit { settings: None, edit })
}

/// An entry of `ignore:` in the settings of a file; without settings, in new ones in `folder`.
pub(crate) fn entry(
    config: &ConfigFile,
    folder: Option<&Path>,
    file: &Path,
    finding: &Finding,
) -> Option<IgnoreEdit> {
    let (path, text, is_new) = match &config.path {
        Some(path) => (path.clone(), config.text.clone(), false),
        None => (folder?.join(CONFIG_NAME), String::new(), true),
    };
    let below = file.strip_prefix(path.parent()?).ok()?;
    let files = glob(&below.to_string_lossy().replace('\\', "/"));
    let (rule, pointer) =
        (written(&finding.rule, Format::Yaml), written(finding.pointer.as_str(), Format::Yaml));
    let lines = [
        format!("- rule: {rule}"),
        format!("  files: {}", written(&files, Format::Yaml)),
        format!("  pointer: {pointer}"),
        format!("  reason: {REASON}"),
    ];
    let source = Source::new(CONFIG_NAME, text.as_str());
    let parsed = Parsed::of(&source, Some(Format::Yaml));
    let whole = parsed.whole();
    let list = whole.documents().next().and_then(|file| file.document().root.as_ref()?.get("ignore"));
    let first = list.and_then(|list| list.items().first());
    let (at, before, indent) = match (list, first) {
        (Some(_), Some(first)) => {
            let line = text[..first.span.start as usize].rfind('\n').map_or(0, |at| at + 1);
            let column = text[line..].find("- ")?;
            // A list in brackets is for its owner to change.
            text[line..line + column].trim().is_empty().then_some(())?;
            (line, String::new(), column)
        }
        (Some(_), None) => return None,
        (None, _) => {
            let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            (text.len(), format!("{gap}ignore:\n"), 2)
        }
    };
    let indent = " ".repeat(indent);
    let entry: String = lines.iter().map(|line| format!("{indent}{line}\n")).collect();
    let edit = Edit { span: Span::new(at, at), text: before + &entry };
    Some(IgnoreEdit { settings: Some(SettingsText { path, text, is_new }), edit })
}

/// A glob that matches one path.
fn glob(path: &str) -> String {
    let mut glob = String::new();
    for letter in path.chars() {
        match letter {
            '*' | '?' | '[' | ']' | '{' | '}' => glob.extend(['[', letter, ']']),
            letter => glob.push(letter),
        }
    }
    glob
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_signs_of_a_path_are_no_wildcards() {
        assert_eq!(glob("drafts/a.json"), "drafts/a.json");
        assert_eq!(glob("drafts/[a]*.json"), "drafts/[[]a[]][*].json");
    }
}
