//! Texts on their way through a run: opened in blocks, parsed, and checked.

use std::sync::Arc;

use tollproof_core::{Finding, Format, Parsed, Report, Source};

use super::run::RunEvent;
use crate::config::ConfigFile;
use crate::discover::InputFile;
use crate::fix::FixOutcome;
use crate::histories::RelatedTexts;
use crate::unused_ignores::ConfigIgnores;

/// Files that were opened together: one, or as many as are looked up in a history at once.
#[derive(Debug, Default)]
pub struct FileBlock {
    /// What happened meanwhile, in its order.
    pub events: Vec<RunEvent>,
    pub(super) files: Vec<OpenFile>,
}

/// A file that was opened, with the settings that it is checked by.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) file: InputFile,
    pub(super) source: Source<'static>,
    pub(super) config: Arc<ConfigFile>,
    /// What checks it if it is a configuration whose entries of `ignore:` are checked.
    pub(super) ignores: Option<ConfigIgnores>,
}

/// A text of a run, parsed.
#[derive(Debug)]
pub struct FileText<'b> {
    /// The file.
    pub file: &'b InputFile,
    /// Its text, as it was before fixes.
    pub parsed: Parsed<'b>,
    /// The settings that it is checked by.
    pub config: &'b Arc<ConfigFile>,
    pub(super) ignores: Option<&'b ConfigIgnores>,
}

/// What was found in a text, and what became of it.
#[derive(Debug)]
pub struct FileReport {
    /// What was found; after fixes, what is left.
    pub report: Report,
    /// What was found before fixes; empty where none were applied.
    pub before: Vec<Finding>,
    /// What became of the text.
    pub fix: FixOutcome,
    /// The settings that it was checked by.
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
    /// The fixed text, parsed: what the findings point into. None where nothing was fixed.
    #[must_use]
    pub fn parse_fixed(&self, before: &Parsed<'_>) -> Option<Parsed<'_>> {
        match &self.fix {
            FixOutcome::Fixed { source, .. } => Some(Parsed::of(source, Some(before.format()))),
            _ => None,
        }
    }
}
