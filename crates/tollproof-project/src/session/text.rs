//! The texts of a run, checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use tollproof_core::{Finding, Parsed, Redaction, Report, Source};

use super::drafts::{CellPlace, TextDrafts};
use super::event::RunEvent;
use crate::config::ConfigFile;
use crate::discover::InputFile;
use crate::fix::FixOutcome;
use crate::histories::RelatedTexts;

/// A step of a run.
#[derive(Debug)]
pub enum RunItem {
    /// Something happened while a file was opened.
    Event(RunEvent),
    /// A text was checked.
    Text(Box<CheckedText>),
}

/// A text of a run with its findings: a file, or a part of a file that is read in parts.
#[derive(Debug)]
pub struct CheckedText {
    /// The file.
    pub file: InputFile,
    /// The text before fixes. It is empty if there is nothing to show of it.
    pub source: Source<'static>,
    /// The findings, and the result of fixing the text.
    pub report: FileReport,
    /// Masks of personal data in the text that the findings point into, if the run asked for it.
    pub redaction: Option<Redaction>,
    /// The use cases of documents with findings, by their indexes, if the run asked for them.
    pub use_cases: BTreeMap<usize, String>,
    /// The drafts of the text that the findings point into, if the run asked for them. Those of a workbook are in the
    /// first text of each part of a sheet.
    pub drafts: Arc<TextDrafts>,
    /// The cell that the text is the content of, if it is one of a workbook.
    pub cell: Option<CellPlace>,
    /// Whether this is a configuration whose entries of `ignore:` were checked, and not a draft.
    pub is_config: bool,
    /// Whether no other part of the file follows.
    pub is_last: bool,
}

/// The findings of a text, and the result of fixing it.
#[derive(Debug)]
pub struct FileReport {
    /// The findings; after fixes, the remaining ones.
    pub report: Report,
    /// The findings before fixes; empty if none were applied.
    pub before: Vec<Finding>,
    /// The result of fixing the text.
    pub fix: FixOutcome,
    /// The configuration of the file.
    pub config: Arc<ConfigFile>,
    /// Other texts that the findings point into.
    pub related: RelatedTexts,
}

impl CheckedText {
    /// The text that the findings point into: after fixes, the fixed one.
    pub fn shown(&self) -> &Source<'static> {
        match &self.report.fix {
            FixOutcome::Fixed { source, .. } => source,
            _ => &self.source,
        }
    }
}

impl FileReport {
    /// Parses the fixed text, which the findings point into; `None` if nothing was fixed.
    pub(super) fn parse_fixed(&self, before: &Parsed<'_>) -> Option<Parsed<'_>> {
        match &self.fix {
            FixOutcome::Fixed { source, .. } => Some(Parsed::of(source, Some(before.format()))),
            _ => None,
        }
    }
}
