//! The texts of a run: opened in blocks, parsed, and checked.

use std::sync::Arc;

use tollproof_core::{Finding, Format, Parsed, Report, Source};

use super::event::RunEvent;
use crate::config::ConfigFile;
use crate::discover::InputFile;
use crate::fix::FixOutcome;
use crate::histories::RelatedTexts;
use crate::unused_ignores::ConfigIgnores;

/// Files that are opened together: one, or as many as are looked up in a history at once.
#[derive(Debug, Default)]
pub struct FileBlock {
    /// Events while the files were opened, in order.
    pub events: Vec<RunEvent>,
    pub(super) files: Vec<OpenFile>,
}

/// An open file, with its configuration.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) file: InputFile,
    pub(super) source: Source<'static>,
    pub(super) config: Arc<ConfigFile>,
    /// Checks the entries of `ignore:`, if this file is a configuration.
    pub(super) ignores: Option<ConfigIgnores>,
}

/// A parsed text of a run.
#[derive(Debug)]
pub struct FileText<'b> {
    /// The file.
    pub file: &'b InputFile,
    /// The text before fixes.
    pub parsed: Parsed<'b>,
    /// The configuration of the file.
    pub config: &'b Arc<ConfigFile>,
    pub(super) ignores: Option<&'b ConfigIgnores>,
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

impl OpenFile {
    pub(super) fn parse(&self) -> FileText<'_> {
        let format = self.ignores.is_some().then_some(Format::Yaml);
        FileText {
            file: &self.file,
            parsed: Parsed::of(&self.source, format),
            config: &self.config,
            ignores: self.ignores.as_ref(),
        }
    }
}

impl FileText<'_> {
    /// Whether this is a configuration whose entries of `ignore:` were checked, and not a draft.
    #[must_use]
    pub fn is_config(&self) -> bool {
        self.ignores.is_some()
    }
}

impl FileReport {
    /// Parses the fixed text, which the findings point into; `None` if nothing was fixed.
    #[must_use]
    pub fn parse_fixed(&self, before: &Parsed<'_>) -> Option<Parsed<'_>> {
        match &self.fix {
            FixOutcome::Fixed { source, .. } => Some(Parsed::of(source, Some(before.format()))),
            _ => None,
        }
    }
}
