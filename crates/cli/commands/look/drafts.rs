//! Reads the addresses in drafts.

use std::path::PathBuf;

use tollproof_core::{Facts, Parsed, SourceDocument, kind_of};
use tollproof_project::{InputFile, STDIN, Session};

use super::stores::Stores;
use crate::errors::Failure;
use crate::input::{InputPart, read_texts};
use crate::output::stderr;

/// Reads the drafts of a run, as often as needed.
pub(super) struct DraftAddresses<'s> {
    session: &'s Session,
    files: &'s [InputFile],
    /// Standard input, which can be read once.
    typed: Option<Vec<InputPart>>,
    /// How many drafts there are.
    pub(super) drafts: usize,
    /// Whether a file could not be read.
    pub(super) is_incomplete: bool,
}

impl<'s> DraftAddresses<'s> {
    pub(super) fn new(session: &'s Session, files: &'s [InputFile]) -> Self {
        Self { session, files, typed: None, drafts: 0, is_incomplete: false }
    }

    /// Adds the addresses of all drafts to their stores, also those that pages link which were seen by now.
    pub(super) fn read(&mut self, stores: &mut Stores) -> Result<(), Failure> {
        self.drafts = 0;
        let is_first = stores.is_empty();
        for file in self.files {
            let Some(parts) = self.parts(file, is_first)? else { continue };
            let config = self.session.config_of(file)?;
            let hint = self.session.kind_of(&config, file);
            let linter = self.session.linter_of(&config, file)?;
            let store = stores.of(self.session, &config, self.files)?;
            let facts = Facts { seen: store.facts.clone(), ..Facts::default() };
            for part in &parts {
                let parsed = Parsed::of(&part.source, None);
                let is_draft = |it: &SourceDocument<'_>| kind_of(it, hint).is_some_and(|it| it.is_request());
                self.drafts += parsed.whole().documents().filter(is_draft).count();
                store.add(linter.addresses(&parsed, hint, &facts));
            }
            if file.path.is_none() {
                self.typed = Some(parts);
            }
        }
        Ok(())
    }

    /// The texts of a file; `None` if it cannot be read.
    fn parts(&mut self, file: &InputFile, is_first: bool) -> Result<Option<Vec<InputPart>>, Failure> {
        if file.path.is_none()
            && let Some(typed) = self.typed.take()
        {
            return Ok(Some(typed));
        }
        let config = self.session.config_of(file)?;
        let path = file.path.clone().unwrap_or_else(|| PathBuf::from(STDIN));
        match read_texts(&path, &config.columns) {
            Ok(parts) => Ok(Some(parts)),
            Err(failure) => {
                if is_first {
                    stderr::fail(&failure.plain());
                }
                self.is_incomplete = true;
                Ok(None)
            }
        }
    }
}
