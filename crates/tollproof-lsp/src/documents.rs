//! The open documents: their texts, and what was found in them.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use gen_lsp_types::{Diagnostic, TextDocumentContentChangeEvent, TextDocumentItem, Uri};
use tollproof_core::Format;
use tollproof_project::FileReport;

use crate::checker::CheckJob;
use crate::project::Subject;
use crate::text::Encoding;
use crate::uri::path_of;

/// Documents that take less time than this are checked at once.
const QUICK: Duration = Duration::from_millis(20);

/// The longest wait after a change, so that a large document is not checked for each key.
const MAX_DELAY: Duration = Duration::from_millis(400);

/// An open document.
pub(crate) struct OpenDocument {
    pub(crate) version: i32,
    pub(crate) text: String,
    path: Option<PathBuf>,
    name: String,
    format: Option<Format>,
    /// Whether the user said that this is a draft.
    pub(crate) is_named: bool,
    /// The findings in the last text that was checked.
    pub(crate) checked: Option<DocumentFindings>,
    /// The time the last check took.
    pub(crate) took: Duration,
    /// Whether the client shows diagnostics of it.
    pub(crate) has_diagnostics: bool,
}

/// The findings in a version of a document.
pub(crate) struct DocumentFindings {
    pub(crate) version: i32,
    /// The report and its diagnostics; `None` if the document is not a draft.
    pub(crate) found: Option<(FileReport, Vec<Diagnostic>)>,
}

/// All open documents.
pub(crate) type OpenDocuments = HashMap<Uri, OpenDocument>;

impl OpenDocument {
    /// A document as the client opens it.
    pub(crate) fn new(item: TextDocumentItem) -> Self {
        let path = path_of(&item.uri).filter(|path| path.is_absolute() && path.file_name().is_some());
        let language = item.language_id.to_string().to_lowercase();
        let by_name = path.as_deref().and_then(Format::of_any_path);
        let by_language = match language.as_str() {
            "json" | "jsonc" | "json5" => Some(Format::Json),
            "yaml" => Some(Format::Yaml),
            "jsonl" | "ndjson" => Some(Format::Ndjson),
            "csv" | "tsv" => Some(Format::Csv),
            "markdown" | "plaintext" | "html" => Some(Format::Notes),
            _ => None,
        };
        Self {
            version: item.version,
            text: item.text,
            name: path.as_deref().map_or_else(|| item.uri.0.clone(), |path| path.display().to_string()),
            path,
            format: if by_name.is_some() { None } else { by_language },
            is_named: language.starts_with("tollproof"),
            checked: None,
            took: Duration::ZERO,
            has_diagnostics: false,
        }
    }

    pub(crate) fn path(&self) -> Option<&PathBuf> {
        self.path.as_ref()
    }

    /// Applies a change of the client, in the order of the list.
    pub(crate) fn change(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        self.version = version;
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(change) => {
                    let bytes = encoding.bytes(&self.text, change.range);
                    self.text.replace_range(bytes, &change.text);
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(change) => {
                    self.text = change.text;
                }
            }
        }
    }

    /// The text as it is now, to check or to read.
    pub(crate) fn subject(&self) -> Subject {
        Subject {
            path: self.path.clone(),
            name: self.name.clone(),
            text: Arc::from(self.text.as_str()),
            format: self.format,
            is_named: self.is_named,
        }
    }

    /// The work for the checker.
    pub(crate) fn job(&self, encoding: Encoding) -> CheckJob {
        CheckJob { version: self.version, subject: self.subject(), encoding }
    }

    /// The time to wait after a change for the next one.
    pub(crate) fn delay(&self) -> Duration {
        if self.took < QUICK { Duration::ZERO } else { self.took.min(MAX_DELAY) }
    }

    /// Whether the last text was checked.
    pub(crate) fn is_checked(&self) -> bool {
        self.checked.as_ref().is_some_and(|it| it.version == self.version)
    }

    /// The rules of the findings in it.
    pub(crate) fn rules(&self) -> Vec<String> {
        let found = self.checked.iter().filter_map(|it| it.found.as_ref());
        found.flat_map(|(report, _)| &report.report.findings).map(|it| it.rule.to_string()).collect()
    }
}
