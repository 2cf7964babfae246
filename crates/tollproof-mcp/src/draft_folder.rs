//! The folder that the server was started for, and sessions over its files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use tollproof_core::{KindChoice, one_line};
use tollproof_history::{name_of, reason};
use tollproof_project::{FileKind, Files, OpenHistories, Repository, STDIN, Session, SessionOptions};

use crate::error::{Result, ServerError, ToolError};
use crate::folder_files::FolderFiles;

/// The largest file, in bytes; also what a compressed one may become.
const MAX_FILE: u64 = 64 << 20;

/// A folder with drafts. It is the current folder of the process.
#[derive(Debug)]
pub(crate) struct DraftFolder {
    files: Arc<FolderFiles>,
    pub(crate) repository: Repository,
}

impl DraftFolder {
    /// Opens a folder and goes there.
    pub(crate) fn open(folder: &Path) -> Result<Self, ServerError> {
        let cannot = |error| ServerError::Folder { name: name_of(folder), error };
        let named = std::path::absolute(folder).map_err(cannot)?;
        std::env::set_current_dir(folder).map_err(cannot)?;
        let files = FolderFiles::here(named).map_err(cannot)?;
        tollproof_history::set_max_file_size(MAX_FILE);
        let repository = Repository::within(files.top());
        Ok(Self { files: Arc::new(files), repository })
    }

    /// The files of the folder.
    pub(crate) fn files(&self) -> Arc<dyn Files> {
        Arc::clone(&self.files) as Arc<dyn Files>
    }

    /// A file or folder that a client names, relative to the current folder.
    pub(crate) fn path(&self, named: &str) -> Result<(PathBuf, FileKind)> {
        let cannot =
            |error| ToolError::new(format_args!("cannot open `{}`: {}", one_line(named), reason(&error)));
        let path = self.files.relative(Path::new(named)).map_err(cannot)?;
        if path.as_os_str() == STDIN {
            return Err(ToolError::new("`-` is not a file; give a draft that is not in a file as `text`"));
        }
        self.files.canonical(&path).map_err(cannot)?;
        let path = if path.as_os_str().is_empty() { PathBuf::from(".") } else { path };
        match self.files.kind(&path) {
            Some(kind @ (FileKind::File | FileKind::Folder)) => Ok((path, kind)),
            _ => Err(ToolError::new(format_args!("`{}` is not a file or folder", one_line(named)))),
        }
    }

    /// Whether a file may be written.
    pub(crate) fn takes(&self, path: &Path) -> bool {
        self.files.takes(path)
    }

    /// A session over the folder. Settings, rules and readings are read again for each, and no history is opened: one may be
    /// on a server.
    pub(crate) fn session(&self, kind: KindChoice) -> Result<Arc<Session>> {
        Self::session_over(self.files(), kind)
    }

    /// A session over files that replace some of the folder.
    pub(crate) fn session_over(files: Arc<dyn Files>, kind: KindChoice) -> Result<Arc<Session>> {
        let options = SessionOptions {
            kind,
            histories: OpenHistories::None,
            readings_lower_errors: true,
            now: Some(Timestamp::now()),
            ..SessionOptions::default()
        };
        Ok(Arc::new(Session::new(files, options)?))
    }
}
