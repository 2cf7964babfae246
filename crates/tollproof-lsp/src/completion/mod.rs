//! Completions: fields that a draft lacks, values of closed lists, comments for tollproof, and rules.

mod comments;
mod fields;
mod values;

use gen_lsp_types::{CompletionItem, CompletionItemKind, CompletionItemTextEdit, CompletionList, TextEdit};
use tollproof_core::schema::schema_of;
use tollproof_core::{Format, Parsed, Source, Span};

use crate::draft::{draft_at, roots};
use crate::place::{CursorPlace, Slot};
use crate::project::{EditorProject, FileRole, Result, Subject};
use crate::text::{Encoding, Places};

/// The input for a completion.
pub(crate) struct CompletionRequest<'r> {
    pub(crate) project: &'r EditorProject,
    pub(crate) subject: &'r Subject,
    pub(crate) offset: usize,
    pub(crate) encoding: Encoding,
    /// Whether the client fills in placeholders.
    pub(crate) has_snippets: bool,
    /// The rules of the findings in the document, which are suggested first.
    pub(crate) found: &'r [String],
}

/// Items that replace the same part of a text.
pub(crate) struct ItemMaker<'m> {
    places: Places<'m>,
    token: Span,
    has_snippets: bool,
}

impl CompletionRequest<'_> {
    /// The completions at the offset.
    pub(crate) fn list(&self) -> Result<CompletionList> {
        let text = &*self.subject.text;
        let source = Source::new(self.subject.name.as_str(), text);
        let maker = |token: std::ops::Range<usize>| ItemMaker {
            places: self.encoding.places(&source),
            token: Span::new(token.start, token.end),
            has_snippets: self.has_snippets,
        };
        let path = self.subject.path.as_deref();
        if path.is_some_and(|path| matches!(self.project.role(path), Ok(FileRole::Own))) {
            return Ok(comments::in_settings(self, &maker));
        }
        let Some(file) = self.project.file(self.subject)? else { return Ok(list(Vec::new())) };
        let hint = self.project.hint(&file)?;
        let parsed = Parsed::of(&source, self.subject.format);
        let whole = parsed.whole();
        let place = CursorPlace::at(text, parsed.format(), self.offset, &roots(&parsed));
        if let Some(CursorPlace { slot: Slot::Comment(start), .. }) = place {
            return Ok(comments::in_comment(self, start, &maker));
        }
        let Some(draft) = draft_at(self.project, &whole, hint, self.offset) else {
            return Ok(list(Vec::new()));
        };
        // What replaces a literal depends on what it is joined with.
        let is_program = parsed.format() == Format::Program;
        let in_cell = || values::in_cell(draft.root, self.offset).filter(|_| !is_program);
        let Some(place) = place.or_else(in_cell) else { return Ok(list(Vec::new())) };
        let schema = schema_of(draft.kind);
        let mut maker = maker(place.token.clone());
        let format = parsed.format();
        Ok(match &place.slot {
            Slot::Key { .. } => list(fields::items(draft.kind, &schema, format, &place, text, &mut maker)),
            Slot::Value { .. } => values::list(draft.kind, &schema, format, &place, text, &mut maker),
            Slot::Comment(_) => list(Vec::new()),
        })
    }
}

impl ItemMaker<'_> {
    /// An item that writes a text; `order` is its place in the list.
    fn item(&mut self, label: &str, text: String, kind: CompletionItemKind, order: usize) -> CompletionItem {
        let edit = TextEdit { range: self.places.range(self.token), new_text: text };
        CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            sort_text: Some(format!("{order:05}")),
            text_edit: Some(CompletionItemTextEdit::TextEdit(edit)),
            ..CompletionItem::default()
        }
    }
}

fn list(items: Vec<CompletionItem>) -> CompletionList {
    CompletionList { is_incomplete: false, item_defaults: None, apply_kind: None, items }
}
