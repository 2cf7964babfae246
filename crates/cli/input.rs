//! Reads the inputs named on the command line: files and standard input.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use tollproof_core::{Format, Source, SourceDocument};
use tollproof_project::{Disk, Files as _, InputFile, Repository, STDIN};

use crate::errors::{Failure, Result, failure};
use crate::output::stderr;
use crate::terminal::{one_line, typed};

/// Reads a file or standard input.
pub(crate) fn read(file: &InputFile, repository: &Repository) -> io::Result<Source<'static>> {
    let bytes = match &file.path {
        Some(path) => Disk.read(path)?,
        None => {
            say_if_typed("a draft");
            let mut bytes = Vec::new();
            tollproof_history::read_within(io::stdin().lock(), &mut bytes)?;
            bytes
        }
    };
    Ok(file.source(bytes, repository))
}

/// On a terminal, says what is waited for: an empty screen looks like a program that hangs.
pub(crate) fn say_if_typed(what: &str) {
    if io::stdin().is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        stderr::say!("Waiting for {what} on standard input. {end} ends it.");
    }
}

/// Refuses addresses in place of files with drafts, and says on a terminal that standard input is waited for.
pub(crate) fn await_drafts(paths: &[PathBuf]) -> Result<()> {
    if let Some(address) = paths.iter().filter_map(|path| path.to_str()).find(|path| path.contains("://")) {
        return Err(failure!(
            "`{address}` is an address; name a file with a draft, or use `-` for standard input"
        ));
    }
    if paths.iter().any(|path| path.as_os_str() == STDIN) {
        say_if_typed("drafts");
    }
    Ok(())
}

/// Reads the file at a path, or standard input for `-`. Only `check` reads compressed files, and `convert` workbooks too.
pub(crate) fn read_named(path: &Path) -> Result<(InputFile, Source<'static>)> {
    let file = InputFile::named(path);
    file.refuse_packed().map_err(Failure::new)?;
    match read(&file, &Repository::around()) {
        Ok(source) => Ok((file, source)),
        Err(error) => Err(Failure::new(file.unreadable(&error))),
    }
}

/// Refuses notes and programs where a draft is sent: what was read of them may not be all of it.
pub(crate) fn refuse_forms(source: &Source<'_>) -> Result<()> {
    if Format::detect(Path::new(source.name()), source.text()).is_data() {
        return Ok(());
    }
    let name = one_line(source.name());
    Err(failure!(
        "`{name}` is not a file of data; write the draft as one first: tollproof new draft.yaml --from {}",
        typed(&name)
    ))
}

/// A text of an input: the file, or a sheet of a workbook.
pub(crate) struct InputPart {
    pub(crate) source: Source<'static>,
    /// The sheet, with the 0-based row of each row of the table.
    sheet: Option<(String, Vec<u32>)>,
}

impl InputPart {
    /// The place of a document, as people find it; `count` is how many documents the text has.
    pub(crate) fn place(&self, document: &SourceDocument<'_>, count: usize) -> String {
        match &self.sheet {
            Some((sheet, rows)) => {
                // The rows before the drafts are field names and what is above them.
                let row = rows.get(rows.len().saturating_sub(count) + document.index);
                format!("{sheet}, row {}", row.map_or(document.index, |row| *row as usize) + 1)
            }
            None if self.is_table() => {
                let start = document.document().root.as_ref().map_or(0, |root| root.span.start);
                format!("row {}", document.source().place(start).line)
            }
            None => format!("document {}", document.index + 1),
        }
    }

    fn is_table(&self) -> bool {
        Format::of_path(Path::new(self.source.name())) == Some(Format::Csv)
    }
}

/// Reads the texts of a file at a path, or standard input for `-`.
pub(crate) fn read_texts(
    path: &Path,
    configured: &dyn Fn(Source<'static>) -> Source<'static>,
) -> Result<Vec<InputPart>> {
    let texts = if is_workbook(path) {
        sheets(&InputFile::named(path), path)?
    } else {
        vec![InputPart { source: read_named(path)?.1, sheet: None }]
    };
    Ok(texts.into_iter().map(|text| InputPart { source: configured(text.source), ..text }).collect())
}

/// The sheets of a workbook.
#[cfg(feature = "workbooks")]
fn sheets(file: &InputFile, path: &Path) -> Result<Vec<InputPart>> {
    use tollproof_sheets::{SheetTable, Workbook};

    let cannot = |error: io::Error| Failure::new(file.unreadable(&error));
    let mut workbook = Disk.read(path).and_then(Workbook::open).map_err(cannot)?;
    let mut texts = Vec::new();
    while let Some(SheetTable { sheet, rows, csv, .. }) = workbook.next_table().map_err(cannot)? {
        let source = Source::from_bytes(format!("{}: {sheet}.csv", file.name), csv);
        texts.push(InputPart { source, sheet: Some((sheet, rows)) });
    }
    if texts.is_empty() { Err(failure!("`{}` has no table with drafts", file.name)) } else { Ok(texts) }
}

#[cfg(not(feature = "workbooks"))]
fn sheets(file: &InputFile, _: &Path) -> Result<Vec<InputPart>> {
    Err(failure!("`{}` is a workbook, which this build of tollproof does not read", file.name))
}

/// Whether a file is a workbook, by its name.
fn is_workbook(path: &Path) -> bool {
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case("xlsx"))
}
