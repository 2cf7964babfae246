//! Code actions: fixes of findings, of all findings at once, and ignoring one with a reason.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use gen_lsp_types::{
    CodeAction, CodeActionKind, Command, CreateFile, Diagnostic, DocumentChange, Edit as DocumentEdit,
    OptionalVersionedTextDocumentIdentifier, Range, SnippetTextEdit, StringValue, TextDocumentEdit,
    TextDocumentIdentifier, TextEdit, Uri, WorkspaceEdit,
};
use serde_json::{Value, json};
use tollproof_core::{Edit, Finding, Fix, Fixer, Parsed, Safety, Severity, Source, names_rule};
use tollproof_project::FileReport;

use crate::diagnostics::{shown, touch};
use crate::ignores::{IgnoreEdit, REASON, comment, entry};
use crate::project::{EditorProject, Result, Subject};
use crate::text::{Encoding, difference};
use crate::uri::uri_of;

/// The kind of the action that applies all safe fixes.
pub(crate) const FIX_ALL: &str = "source.fixAll.tollproof";

/// The command of a client that asks for a reason and then applies an edit.
const IGNORE_COMMAND: &str = "tollproof.ignoreWithReason";

/// Titles quote at most so many characters of a text.
const MAX_QUOTED: usize = 40;

/// A client's support for actions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ActionSupport {
    /// Edits of versions of documents.
    pub(crate) document_changes: bool,
    /// Edits that create files.
    pub(crate) creates_files: bool,
    /// Edits with placeholders.
    pub(crate) snippet_edits: bool,
    /// Edits that are computed when an action was chosen.
    pub(crate) resolves_edits: bool,
    /// The command that asks for a reason.
    pub(crate) asks_for_reason: bool,
}

/// A request for actions, with what was found in the document.
pub(crate) struct ActionRequest<'r> {
    pub(crate) project: &'r EditorProject,
    pub(crate) subject: &'r Subject,
    pub(crate) uri: &'r Uri,
    pub(crate) version: i32,
    pub(crate) encoding: Encoding,
    pub(crate) support: ActionSupport,
    pub(crate) report: &'r FileReport,
    /// One for each finding that is shown.
    pub(crate) diagnostics: &'r [Diagnostic],
    /// The folder for new settings.
    pub(crate) folder: Option<&'r Path>,
}

impl ActionRequest<'_> {
    /// The actions for a range; `only` are the kinds that the client wants.
    pub(crate) fn list(&self, range: Range, only: Option<&[CodeActionKind]>) -> Result<Vec<CodeAction>> {
        let wants =
            |kind: &str| only.is_none_or(|only| only.iter().any(|wanted| is_kind(kind, name_of(wanted))));
        let mut actions = Vec::new();
        if wants("quickfix") {
            let source = Source::new(self.subject.name.as_str(), &*self.subject.text);
            let shown = shown(&self.report.report);
            let found = shown.iter().map(AsRef::as_ref).zip(self.diagnostics);
            let here: Vec<_> = found.filter(|(_, it)| touch(it.range, range)).collect();
            actions.extend(self.fixes(&source, &here));
            actions.extend(self.ignores(&source, &here));
            let fixes = |safety| self.count_fixes(safety);
            if fixes(Safety::Safe) > 1 {
                actions.push(self.fix_all(
                    "Apply all safe fixes in this file",
                    CodeActionKind::QuickFix,
                    Safety::Safe,
                )?);
            }
            if fixes(Safety::Unsafe) > fixes(Safety::Safe) && fixes(Safety::Unsafe) > 1 {
                let title = "Apply all fixes in this file, to be reviewed";
                actions.push(self.fix_all(title, CodeActionKind::QuickFix, Safety::Unsafe)?);
            }
        }
        // Editors that ask for all actions show those of sources in a menu of their own.
        if wants(FIX_ALL) && self.count_fixes(Safety::Safe) > 0 {
            let kind = CodeActionKind::Custom(FIX_ALL.into());
            actions.push(self.fix_all("Apply all safe fixes in this file", kind, Safety::Safe)?);
        }
        Ok(actions)
    }

    /// Counts fixes at least this safe.
    fn count_fixes(&self, reach: Safety) -> usize {
        let fixes = self.report.report.fixes().filter_map(|it| it.fix.as_ref());
        fixes.filter(|fix| fix.safety <= reach).count()
    }

    /// The fixes of findings, safe ones first.
    fn fixes(&self, source: &Source<'_>, here: &[(&Finding, &Diagnostic)]) -> Vec<CodeAction> {
        let mut fixable: Vec<(&Fix, &Diagnostic)> = Vec::new();
        for (finding, diagnostic) in here {
            let is_usable = self.report.report.fixes().any(|it| std::ptr::eq(it, *finding));
            fixable.extend(finding.fix.as_ref().filter(|_| is_usable).map(|fix| (fix, *diagnostic)));
        }
        fixable.sort_by_key(|(fix, _)| fix.safety);
        let action = |(fix, diagnostic): (&Fix, &Diagnostic)| {
            let mut places = self.encoding.places(source);
            let edits = fix.edits.iter().map(|edit| places.edit(edit)).collect();
            let review = if fix.safety == Safety::Safe { "" } else { ", to be reviewed" };
            CodeAction {
                title: format!("{}{review}", title(source, fix)),
                kind: Some(CodeActionKind::QuickFix),
                diagnostics: Some(vec![diagnostic.clone()]),
                is_preferred: (fix.safety == Safety::Safe).then_some(true),
                edit: self.own_edit(edits),
                ..CodeAction::default()
            }
        };
        fixable.into_iter().map(action).collect()
    }

    /// Ignoring the findings, one action for each rule.
    fn ignores(&self, source: &Source<'_>, here: &[(&Finding, &Diagnostic)]) -> Vec<CodeAction> {
        let config = &self.report.config;
        let parsed = Parsed::of(source, self.subject.format);
        let mut seen = BTreeSet::new();
        let mut actions = Vec::new();
        for (finding, diagnostic) in here {
            let can_be = finding.can_be_hidden() && !names_rule(&config.settings.locked_rules, &finding.rule);
            if !can_be || !seen.insert((&finding.rule, finding.pointer.as_str())) {
                continue;
            }
            let path = self.subject.path.as_deref();
            let edit = comment(&parsed, finding).or_else(|| entry(config, self.folder, path?, finding));
            let Some(edit) = edit else { continue };
            let is_settings = edit.settings.is_some();
            let place = if is_settings { "in tollproof.yaml" } else { "here" };
            let title = format!("Ignore {} {place}, with a reason", finding.rule);
            let mut action = CodeAction {
                title: title.clone(),
                kind: Some(CodeActionKind::QuickFix),
                diagnostics: Some(vec![(*diagnostic).clone()]),
                ..CodeAction::default()
            };
            match self.ignore_edit(source, &edit, self.support.asks_for_reason) {
                None => continue,
                Some(edit) if self.support.asks_for_reason => {
                    let arguments =
                        vec![json!({ "edit": edit, "placeholder": REASON, "isYaml": is_settings })];
                    let command = IGNORE_COMMAND.to_owned();
                    action.command =
                        Some(Command { title, tooltip: None, command, arguments: Some(arguments) });
                }
                edit => action.edit = edit,
            }
            actions.push(action);
        }
        actions
    }

    /// The edit of an ignore; the reason is left to fill in.
    fn ignore_edit(
        &self,
        source: &Source<'_>,
        ignore: &IgnoreEdit,
        keeps_mark: bool,
    ) -> Option<WorkspaceEdit> {
        let settings = ignore.settings.as_ref();
        let text = settings.map(|settings| Source::new("", settings.text.as_str()));
        let mut places = self.encoding.places(text.as_ref().unwrap_or(source));
        let TextEdit { range, new_text } = places.edit(&ignore.edit);
        let (uri, version) = match settings {
            Some(settings) => (uri_of(&settings.path), None),
            None => (self.uri.clone(), Some(self.version)),
        };
        let edit = if keeps_mark {
            DocumentEdit::TextEdit(TextEdit { range, new_text })
        } else if self.support.snippet_edits {
            let escaped = new_text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}");
            let snippet = StringValue { value: escaped.replace(REASON, "${1:reason}") };
            DocumentEdit::SnippetTextEdit(SnippetTextEdit { range, snippet, annotation_id: None })
        } else {
            // An ignore without a reason has no effect, and a finding asks for the reason.
            let empty = if settings.is_some() { "\"\"" } else { "" };
            let new_text =
                new_text.replace(&format!(" {REASON}\n"), &format!(" {empty}\n").replace(" \n", "\n"));
            DocumentEdit::TextEdit(TextEdit { range, new_text })
        };
        self.workspace_edit(uri, version, vec![edit], settings.is_some_and(|it| it.is_new))
    }

    /// Edits of a file, in the form that the client takes; `None` if it cannot take them. `creates` is whether the file is
    /// new.
    fn workspace_edit(
        &self,
        uri: Uri,
        version: Option<i32>,
        edits: Vec<DocumentEdit>,
        creates: bool,
    ) -> Option<WorkspaceEdit> {
        if creates && !(self.support.creates_files && self.support.document_changes) {
            return None;
        }
        if !self.support.document_changes {
            let plain = |edit| if let DocumentEdit::TextEdit(edit) = edit { Some(edit) } else { None };
            let edits: Option<Vec<TextEdit>> = edits.into_iter().map(plain).collect();
            return Some(WorkspaceEdit {
                changes: Some(HashMap::from([(uri, edits?)])),
                ..Default::default()
            });
        }
        let mut changes = Vec::new();
        if creates {
            changes.push(DocumentChange::CreateFile(CreateFile::new(uri.clone(), None, None)));
        }
        let text_document_identifier = TextDocumentIdentifier { uri };
        let text_document = OptionalVersionedTextDocumentIdentifier { version, text_document_identifier };
        changes.push(DocumentChange::TextDocumentEdit(TextDocumentEdit { text_document, edits }));
        Some(WorkspaceEdit { document_changes: Some(changes), ..Default::default() })
    }

    /// An action that applies many fixes; its edit is computed when it is chosen, if the client can wait for it.
    fn fix_all(&self, title: &str, kind: CodeActionKind, reach: Safety) -> Result<CodeAction> {
        let mut action = CodeAction { title: title.to_owned(), kind: Some(kind), ..CodeAction::default() };
        if self.support.resolves_edits {
            let is_safe = reach == Safety::Safe;
            action.data = Some(json!({ "uri": self.uri.0, "version": self.version, "safe": is_safe }));
        } else {
            action.edit = self.edit_of_all(reach)?;
        }
        Ok(action)
    }

    /// The edit that applies all fixes which are at least this safe.
    pub(crate) fn edit_of_all(&self, reach: Safety) -> Result<Option<WorkspaceEdit>> {
        let fixed = self.project.fixed(self.subject, Fixer { reach, least: Severity::Info })?;
        let edit = fixed.and_then(|fixed| difference(&self.subject.text, &fixed));
        let source = Source::new(self.subject.name.as_str(), &*self.subject.text);
        Ok(edit.and_then(|edit| self.own_edit(vec![self.encoding.places(&source).edit(&edit)])))
    }

    /// An edit of the document itself.
    fn own_edit(&self, edits: Vec<TextEdit>) -> Option<WorkspaceEdit> {
        let edits = edits.into_iter().map(DocumentEdit::TextEdit).collect();
        self.workspace_edit(self.uri.clone(), Some(self.version), edits, false)
    }
}

/// The document, version and safety of an action to resolve.
pub(crate) fn resolved(data: &Value) -> Option<(Uri, i32, Safety)> {
    let version = i32::try_from(data["version"].as_i64()?).ok()?;
    let safety = if data["safe"].as_bool()? { Safety::Safe } else { Safety::Unsafe };
    Some((Uri(data["uri"].as_str()?.to_owned()), version, safety))
}

/// Describes a fix.
fn title(source: &Source<'_>, fix: &Fix) -> String {
    let [Edit { span, text }] = fix.edits.as_slice() else {
        return format!("Fix it in {} places", fix.edits.len());
    };
    let (old, new) = (quoted(source.slice(*span)), quoted(text));
    match (old.is_empty(), new.is_empty()) {
        (true, _) => format!("Insert {new}"),
        (_, true) => format!("Remove {old}"),
        _ => format!("Replace {old} with {new}"),
    }
}

/// A text on one line, cut if it is long.
fn quoted(text: &str) -> String {
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    let cut: String = text.chars().take(MAX_QUOTED).collect();
    if cut.len() < text.len() { format!("{cut}…") } else { text }
}

/// The name of a kind in the protocol.
fn name_of(kind: &CodeActionKind) -> &str {
    match kind {
        CodeActionKind::Empty => "",
        CodeActionKind::QuickFix => "quickfix",
        CodeActionKind::Source => "source",
        CodeActionKind::SourceFixAll => "source.fixAll",
        CodeActionKind::Custom(name) => name,
        _ => "refactor",
    }
}

/// Whether a kind is another one or below it: `source.fixAll` contains `source.fixAll.tollproof`.
fn is_kind(kind: &str, wanted: &str) -> bool {
    wanted.is_empty()
        || kind.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
