//! Reads the drafts of a run, file by file, for commands that ask something about them.

use std::path::PathBuf;

use tollproof_core::{KindHint, Linter, Parsed};
use tollproof_project::{ConfigFile, InputFile, STDIN, Session};

use crate::errors::Result;
use crate::input::{InputPart, read_texts};
use crate::output::stderr;

/// The texts of a run, which can be read several times.
pub(super) struct DraftTexts<'s> {
    pub(super) session: &'s Session,
    pub(super) files: &'s [InputFile],
    /// Standard input, which can be read once.
    typed: Option<Vec<InputPart>>,
    was_read: bool,
    /// Whether a file could not be read.
    pub(super) is_incomplete: bool,
}

/// A text with drafts, and how it is read.
pub(super) struct DraftText<'t> {
    pub(super) parsed: &'t Parsed<'t>,
    pub(super) config: &'t ConfigFile,
    pub(super) linter: &'t Linter,
    pub(super) hint: KindHint,
}

impl<'s> DraftTexts<'s> {
    pub(super) fn new(session: &'s Session, files: &'s [InputFile]) -> Self {
        Self { session, files, typed: None, was_read: false, is_incomplete: false }
    }

    /// Hands over all texts. Files that cannot be read are named once.
    pub(super) fn each(&mut self, see: &mut dyn FnMut(DraftText<'_>) -> Result<()>) -> Result<()> {
        for file in self.files {
            let Some(parts) = self.parts(file)? else { continue };
            let config = self.session.config_of(file)?;
            let hint = self.session.kind_hint(&config, file);
            let linter = self.session.linter_of(&config, file)?;
            for part in &parts {
                let parsed = Parsed::of(&part.source, None);
                see(DraftText { parsed: &parsed, config: &config, linter: &linter, hint })?;
            }
            if file.path.is_none() {
                self.typed = Some(parts);
            }
        }
        self.was_read = true;
        Ok(())
    }

    /// The texts of a file; `None` if it cannot be read.
    fn parts(&mut self, file: &InputFile) -> Result<Option<Vec<InputPart>>> {
        if file.path.is_none()
            && let Some(typed) = self.typed.take()
        {
            return Ok(Some(typed));
        }
        let config = self.session.config_of(file)?;
        let path = file.path.clone().unwrap_or_else(|| PathBuf::from(STDIN));
        match read_texts(&path, &|source| self.session.configured(source, &config, file)) {
            Ok(parts) => Ok(Some(parts)),
            Err(failure) => {
                if !self.was_read {
                    stderr::fail(&failure.plain());
                }
                self.is_incomplete = true;
                Ok(None)
            }
        }
    }
}
