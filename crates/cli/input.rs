//! Reads the inputs named on the command line: files and standard input.

use std::io;
use std::path::Path;

use tollproof_core::Source;
use tollproof_history::reason;
use tollproof_project::{Disk, Files as _, InputFile, Repository};

use crate::errors::Failure;
use crate::terminal::one_line;

/// Reads a file or standard input.
pub(crate) fn read(file: &InputFile, repository: &Repository) -> io::Result<Source<'static>> {
    let bytes = match &file.path {
        Some(path) => Disk.read(path)?,
        None => {
            let mut bytes = Vec::new();
            tollproof_history::read_within(io::stdin().lock(), &mut bytes)?;
            bytes
        }
    };
    Ok(file.source(bytes, repository))
}

/// Reads the file at a path, or standard input for `-`. Only `check` reads workbooks and compressed files.
pub(crate) fn read_named(path: &Path) -> Result<(InputFile, Source<'static>), Failure> {
    let file = InputFile::named(path);
    let ends_in = |end: &str| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(end));
    let instead = match () {
        () if ends_in("xlsx") => "is a workbook; save the sheet as CSV, and use that",
        () if ends_in("gz") || ends_in("zst") => "is compressed; unpack it, and use that",
        () => "",
    };
    if !instead.is_empty() {
        return Err(Failure::new(format_args!("`{}` {instead}", one_line(&file.name))));
    }
    match read(&file, &Repository::around()) {
        Ok(source) => Ok((file, source)),
        Err(error) => Err(Failure::new(unreadable(&file, &error))),
    }
}

/// The message for a file that could not be read.
pub(crate) fn unreadable(file: &InputFile, error: &io::Error) -> String {
    format!("cannot open `{}`: {}", file.name, reason(error))
}
