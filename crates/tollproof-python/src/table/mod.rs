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
use tollproof_core::Translation;
use tollproof_project::{GivenText, Run, RunItem, Session};

pub(crate) use self::numbers::table_numbers;
use self::plan::{RowPlan, RowShape};
pub(crate) use self::results::ResultTable;
use self::results::{RowPlace, TableResults};
use crate::errors::{self, guarded};
use crate::report::KnownFindings;
use crate::settings::{LinterSettings, row_file};

/// The most rows a thread checks at once.
const UNIT_ROWS: usize = 16;

/// The rule that finds a sheet without a column that is a field.
const UNKNOWN_KIND: &str = "structure/unknown-kind";

/// The most rows on their way to the threads.
const AHEAD: usize = 8 * UNIT_ROWS;

/// Table options.
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

/// The checks of a table, batch by batch.
#[pyclass(module = "tollproof._tollproof")]
pub(crate) struct TableChecks {
    plan: RowPlan,
    batch_size: usize,
    translation: Arc<Translation>,
    /// Behind locks only because the class must be `Sync`.
    reader: Mutex<Box<dyn ArrayReader + Send>>,
    run: Mutex<Run>,
    /// Rows read from the table and not sent, with the index of the next row.
    read: Option<(ArrayRef, usize)>,
    /// Sends rows to the run; `None` after the last one.
    sender: Option<Sender<Vec<GivenText>>>,
    /// Start in the text of each row that was sent and not returned; `None` for a row without a draft.
    sent: VecDeque<Option<usize>>,
    /// The number of rows returned.
    count: usize,
    /// Whether the first row with a draft was sent.
    has_begun: bool,
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
        let run = session.run_texts(row_file(), receiver.into_iter(), settings.run_options());
        Ok(Self {
            plan,
            batch_size: options.batch_size.max(1),
            translation: Arc::clone(&settings.translation),
            reader: Mutex::new(reader),
            run: Mutex::new(run),
            read: None,
            sender: Some(sender),
            sent: VecDeque::new(),
            count: 0,
            has_begun: false,
            known: KnownFindings::default(),
        })
    }

    /// Sends rows until enough are on their way.
    fn read_ahead(&mut self) -> PyResult<()> {
        while self.sent.len() < AHEAD {
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
            let mut texts = Vec::new();
            for row in self.plan.texts(&rows.slice(at, length), !self.has_begun)? {
                self.sent.push_back(row.as_ref().map(|it| it.start));
                texts.extend(row.map(|it| it.text));
            }
            // An empty unit would end the run, which ends only after the sender.
            if !texts.is_empty() {
                self.has_begun = true;
                drop(sender.send(texts));
            }
            self.read = Some((rows, at + length));
        }
        Ok(())
    }

    /// The results of the next rows; `None` after the last one.
    fn advance(&mut self, py: Python<'_>) -> PyResult<Option<(ResultTable, ResultTable)>> {
        let mut results = TableResults::default();
        while results.rows() < self.batch_size {
            py.detach(|| self.read_ahead())?;
            let Some(sent) = self.sent.front() else { break };
            let Some(start) = *sent else {
                self.sent.pop_front();
                results.add_empty(self.count);
                self.count += 1;
                continue;
            };
            let run = self.run.get_mut().unwrap_or_else(PoisonError::into_inner);
            let item = py.detach(|| run.next());
            py.check_signals()?;
            match item.transpose().map_err(errors::of_project)? {
                Some(RunItem::Text(text)) if text.is_config => {}
                Some(RunItem::Text(mut text)) => {
                    self.sent.pop_front();
                    self.known.mark(&mut text).map_err(errors::of_project)?;
                    let findings = &text.report.report.findings;
                    if self.plan.shape() == RowShape::Cells
                        && let Some(found) = findings.iter().find(|it| it.rule == UNKNOWN_KIND)
                    {
                        if let Some(name) = self.plan.json_column(&text.source) {
                            let help = format!("Pass `column=\"{name}\"`.");
                            return Err(errors::invalid(
                                format!("the drafts are JSON in the column `{name}`"),
                                &help,
                            ));
                        }
                        let message = self.translation.message(&found.message);
                        let help = "Give your columns their fields with `columns`.";
                        return Err(errors::invalid(message, help));
                    }
                    let place =
                        RowPlace { plan: &self.plan, text: text.source.text(), start, row: self.count };
                    results.add(findings, &place, &self.translation);
                    self.count += 1;
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
}

/// The batches of anything with the interface of Arrow.
fn read_table(table: &Bound<'_, PyAny>) -> PyResult<Box<dyn ArrayReader + Send>> {
    table.extract::<AnyArray>().and_then(AnyArray::into_reader).map_err(|error| {
        let name = table.get_type().name().map_or_else(|_| "object".to_owned(), |it| it.to_string());
        let message = format!(
            "a table must have `__arrow_c_stream__` or `__arrow_c_array__`; {name}: {error}. Files and lazy \
                     frames are read first, for example with `pyarrow.parquet.read_table` or `collect`"
        );
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
