//! A document as one request sees it: parsed, with the draft at the cursor.

use tollproof_core::document::Node;
use tollproof_core::{Block, Kind, KindHint, Parsed, SourceDocument, kind_of, schema};
use tollproof_project::is_spelled_like;

use crate::project::EditorProject;

/// The draft at an offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DraftAt<'d> {
    pub(crate) kind: Kind,
    pub(crate) root: Option<&'d Node<'d>>,
}

/// The offsets at which the documents of a text begin.
pub(crate) fn roots(parsed: &Parsed<'_>) -> Vec<usize> {
    let whole = parsed.whole();
    whole.documents().filter_map(|draft| Some(draft.document().root.as_ref()?.span.start as usize)).collect()
}

/// The draft at an offset. A document without keys gets the kind that the settings say.
pub(crate) fn draft_at<'b>(
    project: &EditorProject,
    block: &'b Block<'b>,
    hint: KindHint,
    offset: usize,
) -> Option<DraftAt<'b>> {
    let start = |drafted: &SourceDocument<'_>| {
        drafted.document().root.as_ref().map_or(0, |root| root.span.start as usize)
    };
    let documents: Vec<SourceDocument<'b>> = block.documents().collect();
    let document = documents.iter().rfind(|it| start(it) <= offset).or(documents.first())?;
    let root = document.document().root.as_ref();
    let is_empty = root.is_none_or(|root| root.members().is_empty() && root.items().is_empty());
    let kind = kind_of(document, hint);
    let kind = kind.or_else(|| is_empty.then(|| project.default_kind(hint)))?;
    Some(DraftAt { kind, root })
}

/// A name of the schema as documents of a kind write it: `OptInType` or `opt_in_type`.
pub(crate) fn spelled(kind: Kind, name: &str) -> String {
    if let Some(own) = schema::field_names(kind).find(|it| is_spelled_like(it, name)) {
        return own.to_owned();
    }
    if !schema::field_names(kind).any(|it| it.contains('_')) || name.contains('_') {
        return name.to_owned();
    }
    let mut spelled = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !spelled.is_empty() {
            spelled.push('_');
        }
        spelled.extend(letter.to_lowercase());
    }
    spelled
}

/// The keys that lead to the value at an offset, with `-` for items, and whether the offset is in its key.
pub(crate) fn path_at(root: &Node<'_>, offset: usize) -> Option<(Vec<String>, tollproof_core::Span, bool)> {
    let holds = |span: tollproof_core::Span| span.start as usize <= offset && offset <= span.end as usize;
    let (mut node, mut path) = (root, Vec::new());
    loop {
        if let Some(member) = node.members().iter().find(|it| holds(it.key_span)) {
            path.push(member.key.to_string());
            return Some((path, member.key_span, true));
        }
        let member = node.members().iter().find(|it| holds(it.value.span));
        let item = node.items().iter().find(|it| holds(it.span));
        match (member, item) {
            (Some(member), _) => {
                path.push(member.key.to_string());
                node = &member.value;
            }
            (None, Some(item)) => {
                path.push("-".to_owned());
                node = item;
            }
            (None, None) if path.is_empty() => return None,
            (None, None) => return Some((path, node.span, false)),
        }
    }
}
