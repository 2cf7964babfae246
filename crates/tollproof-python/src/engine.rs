//! A linter as Python calls it: one text, one file or folder, many drafts, or a table.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pyo3::prelude::*;
use pyo3::types::PyIterator;
use tollproof_core::{Format, KindHint, Safety, Source};
use tollproof_project::{
    Disk, Files as _, FindOptions, InputFile, ProjectFiles, RunItem, RunOptions, Session,
};

use crate::convert::{self, UnplacedValue};
use crate::drafts::{PassedDraft, read_draft};
use crate::errors::{self, guarded};
use crate::fix::{self, FixedDraft};
use crate::many::DraftChecks;
use crate::report::{KnownFindings, ReportBuilder, ReportedDrafts};
use crate::settings::{LinterArguments, LinterSettings, TextSession};
use crate::table::{ResultTable, TableChecks, TableOptions, table_numbers};

/// The name of a draft that has none.
const UNNAMED_DRAFT: &str = "draft";

/// Settings, rules and facts, ready to check any number of drafts on any number of threads.
#[pyclass(frozen, name = "Engine", module = "tollproof._tollproof")]
pub(crate) struct LinterEngine {
    settings: LinterSettings,
    texts: TextSession,
}

#[pymethods]
impl LinterEngine {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are those of Python, and have names there")]
    #[pyo3(signature = (*, settings, provider, kind, now, facts, readings, language, jobs))]
    fn new(
        settings: Option<Bound<'_, PyAny>>,
        provider: Option<String>,
        kind: Option<String>,
        now: Option<String>,
        facts: Option<Bound<'_, PyAny>>,
        readings: Option<Bound<'_, PyAny>>,
        language: String,
        jobs: usize,
    ) -> PyResult<Self> {
        let arguments = LinterArguments { settings, provider, kind, now, facts, readings, language, jobs };
        guarded(|| {
            let settings = LinterSettings::read(arguments)?;
            let texts = TextSession::new(&settings)?;
            Ok(Self { settings, texts })
        })
    }

    /// Checks a value, or a text in any format.
    fn check(
        &self,
        py: Python<'_>,
        draft: &Bound<'_, PyAny>,
        name: Option<String>,
        format: Option<&str>,
    ) -> PyResult<ReportedDrafts> {
        guarded(|| {
            let PassedDraft { text, is_value } = read_draft(draft)?;
            let file = named_file(name, format)?;
            let session = self.texts.get(&self.settings)?;
            let mut found = ProjectFiles::default();
            found.checked.files.push(file);
            self.run(py, &session, found, text, is_value)
        })
    }

    /// Checks a file or a folder, as the command line does.
    fn check_path(&self, py: Python<'_>, path: PathBuf) -> PyResult<ReportedDrafts> {
        guarded(|| {
            let session = self.settings.file_session()?;
            let paths = vec![path];
            let found = py.detach(|| session.find(FindOptions { paths, ..FindOptions::default() }));
            self.run(py, &session, found.map_err(errors::of_project)?, Vec::new(), false)
        })
    }

    /// Checks drafts one after another.
    fn check_many(&self, drafts: &Bound<'_, PyIterator>) -> PyResult<DraftChecks> {
        guarded(|| {
            let session = self.texts.get(&self.settings)?;
            let file = named_file(None, None)?;
            Ok(DraftChecks::new(&session, file, drafts.clone().unbind(), &self.settings))
        })
    }

    /// Checks the rows of a table.
    #[pyo3(signature = (table, *, column, columns, batch_size, apart, earlier))]
    fn check_table(
        &self,
        table: &Bound<'_, PyAny>,
        column: Option<String>,
        columns: Option<Vec<(String, Option<String>)>>,
        batch_size: usize,
        apart: bool,
        earlier: Option<String>,
    ) -> PyResult<TableChecks> {
        guarded(|| {
            let session = self.texts.get(&self.settings)?;
            let columns = columns.unwrap_or_default();
            let options = TableOptions { column, columns, batch_size, apart, earlier };
            TableChecks::new(&session, table, &options, &self.settings)
        })
    }

    /// The numbers that each row of a table names, as a table with a column of lists.
    #[pyo3(signature = (table, *, column, columns))]
    fn table_numbers(
        &self,
        py: Python<'_>,
        table: &Bound<'_, PyAny>,
        column: Option<String>,
        columns: Option<Vec<(String, Option<String>)>>,
    ) -> PyResult<ResultTable> {
        guarded(|| {
            let session = self.texts.get(&self.settings)?;
            let columns = columns.unwrap_or_default();
            let options = TableOptions { column, columns, apart: true, ..TableOptions::default() };
            table_numbers(py, &session, table, &options)
        })
    }

    /// Applies the fixes of a draft, and of a file without writing it.
    fn fix(
        &self,
        py: Python<'_>,
        draft: &Bound<'_, PyAny>,
        name: Option<String>,
        format: Option<&str>,
        with_unsafe: bool,
    ) -> PyResult<FixedDraft> {
        guarded(|| {
            let OpenedDraft { session, file, source, is_value } = self.open(draft, name, format)?;
            let reach = if with_unsafe { Safety::Unsafe } else { Safety::Safe };
            fix::fix(py, (&session, &file), (&source, is_value), reach, &self.settings.translation)
        })
    }

    /// Converts a draft to another provider's.
    fn convert(
        &self,
        draft: &Bound<'_, PyAny>,
        to: &str,
        from_provider: Option<&str>,
    ) -> PyResult<(String, Vec<UnplacedValue>)> {
        guarded(|| {
            let OpenedDraft { source, .. } = self.open(draft, None, None)?;
            convert::convert(&source, to, from_provider, &self.settings.translation)
        })
    }

    /// Explains a provider's answer to a draft.
    fn explain(
        &self,
        answer: &Bound<'_, PyAny>,
        draft: &Bound<'_, PyAny>,
        name: Option<String>,
        format: Option<&str>,
    ) -> PyResult<(bool, ReportedDrafts)> {
        guarded(|| {
            let answer = Source::from_bytes("answer", read_draft(answer)?.text);
            let OpenedDraft { session, file, source, is_value } = self.open(draft, name, format)?;
            convert::explain(&answer, (&session, &file), (&source, is_value), &self.settings.translation)
        })
    }
}

/// A draft that is read as a whole, with the session of its settings.
struct OpenedDraft {
    session: Arc<Session>,
    file: InputFile,
    source: Source<'static>,
    is_value: bool,
}

impl LinterEngine {
    /// Opens a value, a text, or the file of a path object.
    fn open(
        &self,
        draft: &Bound<'_, PyAny>,
        name: Option<String>,
        format: Option<&str>,
    ) -> PyResult<OpenedDraft> {
        if !draft.hasattr("__fspath__")? {
            let PassedDraft { text, is_value } = read_draft(draft)?;
            let file = named_file(name, format)?;
            let source = Source::from_bytes(file.name.as_str(), text);
            return Ok(OpenedDraft { session: self.texts.get(&self.settings)?, file, source, is_value });
        }
        let path: PathBuf = draft.extract()?;
        let file = InputFile::named(&path);
        let bytes = Disk
            .read(&path)
            .map_err(|error| errors::of_io(&error, format!("cannot open `{}`: {error}", file.name)))?;
        let source = Source::from_bytes(file.name.as_str(), bytes);
        Ok(OpenedDraft { session: self.settings.file_session()?, file, source, is_value: false })
    }

    /// Runs over files; `text` is what standard input would have.
    fn run(
        &self,
        py: Python<'_>,
        session: &Arc<Session>,
        found: ProjectFiles,
        text: Vec<u8>,
        is_value: bool,
    ) -> PyResult<ReportedDrafts> {
        let mut known = KnownFindings::of_paths(found.paths.clone());
        let mut report = ReportBuilder::new(&self.settings.translation);
        let stop = Arc::new(AtomicBool::new(false));
        let options = RunOptions { stop: Some(Arc::clone(&stop)), ..self.settings.run_options() };
        let mut run = session.run(Arc::new(found), options, Cursor::new(text));
        while let Some(item) = py.detach(|| run.next()) {
            py.check_signals()?;
            match item.map_err(errors::of_project)? {
                RunItem::Event(event) => {
                    if let Some(error) = errors::of_event(&event) {
                        return Err(error);
                    }
                }
                RunItem::Text(mut text) => {
                    known.mark(&mut text).map_err(errors::of_project)?;
                    report.add(&text, is_value);
                }
            }
        }
        if report.is_empty() {
            let help = "Name a file that contains drafts, or a folder with such files.";
            return Err(errors::invalid("nothing to check: no draft was found", help));
        }
        Ok(report.end(run.lacks_history(), &known))
    }
}

/// A text without a file. Its format is that of its name; without one, the content decides.
pub(crate) fn named_file(name: Option<String>, format: Option<&str>) -> PyResult<InputFile> {
    let mut name = name.unwrap_or_else(|| UNNAMED_DRAFT.to_owned());
    if let Some(format) = format {
        let formats = [Format::Json, Format::Ndjson, Format::Yaml, Format::Csv];
        let Some(wanted) = formats.into_iter().find(|it| it.name() == format) else {
            let names = formats.map(Format::name).join(", ");
            return Err(errors::invalid(
                format!("unknown format `{format}`"),
                &format!("Use one of {names}."),
            ));
        };
        if Format::of_path(name.as_ref()) != Some(wanted) {
            name = format!("{name}.{format}");
        }
    }
    Ok(InputFile { name, path: None, met: KindHint::Explicit })
}
