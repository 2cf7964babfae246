//! The user's own JSON Schemas: `schemas:` in tollproof.yaml.

#[cfg(feature = "json-schema")]
mod problem;
#[cfg(feature = "json-schema")]
mod references;
#[cfg(all(test, feature = "json-schema"))]
mod tests;
#[cfg(feature = "json-schema")]
mod tree;
#[cfg(feature = "json-schema")]
mod validator;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tollproof_core::HouseSchema;
use tollproof_history::{name_of, reason};

use crate::files::{FileKind, Files};

/// The maximum size of a schema file, in bytes.
const MAX_SCHEMA_FILE: usize = 256 << 10;

/// The message of a build without the feature `json-schema` about `schemas:`.
#[cfg(not(feature = "json-schema"))]
pub(crate) const WITHOUT_SCHEMAS: &str = "this tollproof was built without schemas of your own";

/// The help of that message: the command that builds it with the feature.
#[cfg(not(feature = "json-schema"))]
pub(crate) const HELP_WITHOUT_SCHEMAS: &str =
    "Build it with `cargo install --locked --path . --features json-schema`.";

/// An error in a user's schema.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaFileError {
    /// The file cannot be read.
    #[error("cannot read the schema `{}`: {}", name_of(path), reason(error))]
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The path leads to a folder, a device or a pipe.
    #[error("the schema `{}` is not a file", name_of(.0))]
    NotAFile(PathBuf),
    /// The file is too large.
    #[error("the schema `{}` is larger than {} KiB", name_of(.0), MAX_SCHEMA_FILE >> 10)]
    TooLarge(PathBuf),
    /// The file is not JSON.
    #[error("the schema `{}` is not JSON: {why}", name_of(path))]
    NotJson {
        /// The path of the file.
        path: PathBuf,
        /// The syntax error, with line and column.
        why: String,
    },
    /// The file is JSON, but not a valid or usable JSON Schema.
    #[error("cannot use the schema `{}`: {why}", name_of(path))]
    Invalid {
        /// The path of the file.
        path: PathBuf,
        /// The problem.
        why: String,
        /// The way to fix it.
        help: Option<&'static str>,
    },
}

impl SchemaFileError {
    /// Fix for the error, if the message does not already say it.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Invalid { help, .. } => *help,
            Self::TooLarge(_) => Some("Split it into several schemas: all that match a file are used."),
            _ => None,
        }
    }
}

/// The user's schemas. Each is read and compiled when a file first needs it.
#[derive(Debug, Default)]
pub(crate) struct HouseSchemas(HashMap<PathBuf, Arc<dyn HouseSchema>>);

impl HouseSchemas {
    /// The schema in a file.
    pub(crate) fn of(
        &mut self,
        files: &dyn Files,
        path: &Path,
    ) -> Result<Arc<dyn HouseSchema>, SchemaFileError> {
        if let Some(schema) = self.0.get(path) {
            return Ok(Arc::clone(schema));
        }
        let schema = prepare(path, &read(files, path)?)?;
        self.0.insert(path.to_owned(), Arc::clone(&schema));
        Ok(schema)
    }
}

fn read(files: &dyn Files, path: &Path) -> Result<Vec<u8>, SchemaFileError> {
    if matches!(files.kind(path), Some(FileKind::Folder | FileKind::Other)) {
        return Err(SchemaFileError::NotAFile(path.to_owned()));
    }
    let unreadable = |error| SchemaFileError::Unreadable { path: path.to_owned(), error };
    let bytes = files.read(path).map_err(unreadable)?;
    if bytes.len() > MAX_SCHEMA_FILE { Err(SchemaFileError::TooLarge(path.to_owned())) } else { Ok(bytes) }
}

#[cfg(feature = "json-schema")]
fn prepare(path: &Path, bytes: &[u8]) -> Result<Arc<dyn HouseSchema>, SchemaFileError> {
    Ok(Arc::new(validator::HouseValidator::new(path, bytes)?))
}

#[cfg(not(feature = "json-schema"))]
fn prepare(path: &Path, _: &[u8]) -> Result<Arc<dyn HouseSchema>, SchemaFileError> {
    Err(SchemaFileError::Invalid {
        path: path.to_owned(),
        why: WITHOUT_SCHEMAS.to_owned(),
        help: Some(HELP_WITHOUT_SCHEMAS),
    })
}
