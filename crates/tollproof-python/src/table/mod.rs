//! The rows of an Arrow table, checked in batches: findings and a summary of each row come out as Arrow too.

mod cells;
mod numbers;
mod places;
mod plan;
mod results;
mod values;

use std::collections::VecDeque;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{Array as _, ArrayRef};
use pyo3::prelude::*;
use pyo3_arrow::ffi::ArrayReader;
use pyo3_arrow::input::AnyArray;
use tollproof_core::{Parsed, Translation};
use tollproof_project::{GivenText, InputFile, Run, RunItem, Session};

pub(crate) use self::numbers::table_numbers;
use self::plan::{RowPlan, RowTexts};
pub(crate) use self::results::ResultTable;
use self::results::{RowPlaces, TableResults};
use crate::errors::{self, guarded};
use crate::report::KnownFindings;
use crate::settings::{LinterSettings, row_file};

/// How many rows a thread checks at once. Few, because a text may have at most some thousand findings.
const UNIT_ROWS: usize = 16;

/// How many rows are on their way to the threads.
const AHEAD: usize = 8 * UNIT_ROWS;

/// How a table is read.
#[derive(Default)]
pub(crate) struct TableOptions {
    /// The column with the drafts: strings of JSON, or structs.
    pub(crate) column: Option<String>,
    /// The fields of columns; `None` for columns that are not part of a draft.
    pub(crate) columns: Vec<(String, Option<String>)>,
    /// The number of rows whose results are returned at once.
    pub(crate) batch_size: usize,
    /// Whether rows are checked apart from each other.
    pub(crate) apart: bool,
    /// The column with the numbers of drafts before, in lists. Rows are then apart.
    pub(crate) earlier: Option<String>,
}

/// Rows that were sent to the threads.
struct SentRows {
    /// Their cells, without a copy.
    rows: ArrayRef,
    /// The index of the first of them in the table.
    first: usize,
    /// Where each begins in the text that was sent, and where the last one ends.
    starts: Vec<usize>,
}

/// The checks of a table, batch by batch.
#[pyclass(module = "tollproof._tollproof")]
pub(crate) struct TableChecks {
    session: Arc<Session>,
    file: InputFile,
    plan: RowPlan,
    batch_size: usize,
    translation: Arc<Translation>,
    /// Behind locks only because the class must be `Sync`.
    reader: Mutex<Box<dyn ArrayReader + Send>>,
    run: Mutex<Run>,
    /// What was read of the table and not sent, with the index of the next row in it.
    read: Option<(ArrayRef, usize)>,
    /// Sends rows to the run; `None` after the last one.
    sender: Option<Sender<Vec<GivenText>>>,
    sent: VecDeque<SentRows>,
    /// How many rows were sent, and how many of them were not returned.
    count: usize,
    ahead: usize,
    known: KnownFindings,
}

impl TableChecks {
    pub(crate) fn new(
        session: &Arc<Session>,
        table: &Bound<'_, PyAny>,
        options: &TableOptions,
        settings: &LinterSettings,
    ) -> PyResult<Self> {
        let reader = read_table(table)?;
        let plan = RowPlan::of(&reader.field(), options)?;
        let (sender, receiver) = channel();
        let file = row_file();
        let run = session.run_texts(file.clone(), receiver.into_iter(), settings.run_options());
        Ok(Self {
            session: Arc::clone(session),
            file,
            plan,
            batch_size: options.batch_size.max(1),
            translation: Arc::clone(&settings.translation),
            reader: Mutex::new(reader),
            run: Mutex::new(run),
            read: None,
            sender: Some(sender),
            sent: VecDeque::new(),
            count: 0,
            ahead: 0,
            known: KnownFindings::default(),
        })
    }

    /// Sends rows until enough are on their way.
    fn read_ahead(&mut self) -> PyResult<()> {
        while self.ahead < AHEAD {
            let Some(sender) = &self.sender else { return Ok(()) };
            let Some((rows, at)) = self.read.take() else {
                let reader = self.reader.get_mut().unwrap_or_else(PoisonError::into_inner);
                match reader.next() {
                    Some(Ok(rows)) => self.read = Some((rows, 0)),
                    Some(Err(error)) => return Err(unreadable(&error)),
                    None => self.sender = None,
                }
                continue;
            };
            let length = UNIT_ROWS.min(rows.len() - at);
            if length == 0 {
                continue;
            }
            let unit = rows.slice(at, length);
            let mut texts = Vec::new();
            let size = self.plan.text_rows(length);
            for at in (0..length).step_by(size) {
                let rows = unit.slice(at, size);
                let first = self.count + at;
                let RowTexts { text, starts } = self.plan.texts(&rows, first)?;
                texts.push(text);
                self.sent.push_back(SentRows { rows, first, starts });
            }
            // The run ends only after the sender.
            drop(sender.send(texts));
            self.count += length;
            self.ahead += length;
            self.read = Some((rows, at + length));
        }
        Ok(())
    }

    /// The results of the next rows; `None` after the last one.
    fn advance(&mut self, py: Python<'_>) -> PyResult<Option<(ResultTable, ResultTable)>> {
        let mut results = TableResults::default();
        while results.rows() < self.batch_size {
            py.detach(|| self.read_ahead())?;
            if self.sent.is_empty() {
                break;
            }
            let run = self.run.get_mut().unwrap_or_else(PoisonError::into_inner);
            let item = py.detach(|| run.next());
            py.check_signals()?;
            match item.transpose().map_err(errors::of_project)? {
                Some(RunItem::Text(text)) if text.is_config => {}
                Some(RunItem::Text(mut text)) => {
                    let Some(sent) = self.sent.pop_front() else { break };
                    self.ahead -= sent.rows.len();
                    self.known.mark(&mut text).map_err(errors::of_project)?;
                    py.detach(|| self.add(&text.report.report, &text.source, &sent, &mut results))?;
                }
                Some(RunItem::Event(event)) => {
                    if let Some(error) = errors::of_event(&event) {
                        return Err(error);
                    }
                }
                None => break,
            }
        }
        if results.rows() == 0 {
            return Ok(None);
        }
        Ok(Some(results.end()))
    }

    fn add(
        &self,
        report: &tollproof_core::Report,
        source: &tollproof_core::Source<'_>,
        sent: &SentRows,
        results: &mut TableResults,
    ) -> PyResult<()> {
        let places =
            RowPlaces { plan: &self.plan, text: source.text(), starts: &sent.starts, first: sent.first };
        let translation = &self.translation;
        if !report.is_cut {
            results.add(sent.rows.len(), &report.findings, &places, translation);
            return Ok(());
        }
        // The text had more findings than a text may have, so that its last rows were not checked: one row after another.
        for at in 0..sent.rows.len() {
            let first = sent.first + at;
            let RowTexts { text, starts } = self.plan.texts(&sent.rows.slice(at, 1), first)?;
            let parsed = Parsed::of(&text.source, text.format);
            let checked = self.session.check(&self.file, &parsed).map_err(errors::of_project)?;
            let places = RowPlaces { plan: &self.plan, text: text.source.text(), starts: &starts, first };
            results.add(1, &checked.report.findings, &places, translation);
        }
        Ok(())
    }
}

/// The batches of anything with the interface of Arrow.
fn read_table(table: &Bound<'_, PyAny>) -> PyResult<Box<dyn ArrayReader + Send>> {
    table.extract::<AnyArray>().and_then(AnyArray::into_reader).map_err(|error| {
        let name = table.get_type().name().map_or_else(|_| "object".to_owned(), |it| it.to_string());
        let message =
            format!("a table must have `__arrow_c_stream__` or `__arrow_c_array__`; {name}: {error}");
        errors::wrong_type(message)
    })
}

fn unreadable(error: &arrow_schema::ArrowError) -> PyErr {
    errors::invalid(format!("cannot read the table: {error}"), "")
}

#[pymethods]
impl TableChecks {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<(ResultTable, ResultTable)>> {
        guarded(|| self.advance(py))
    }
}
