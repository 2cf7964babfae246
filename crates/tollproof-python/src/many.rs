//! Many drafts of an iterable, checked ahead of the caller and in order.

use std::collections::VecDeque;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use tollproof_core::{Source, Translation};
use tollproof_project::{GivenText, InputFile, Run, RunItem, Session};

use crate::drafts::{PassedDraft, read_draft};
use crate::errors::{self, guarded};
use crate::report::{KnownFindings, ReportBuilder, ReportedDrafts};
use crate::settings::LinterSettings;

/// The most drafts a thread checks at once.
const UNIT_DRAFTS: usize = 32;

/// The most bytes of drafts a thread checks at once.
const UNIT_BYTES: usize = 256 << 10;

/// The most drafts read ahead of the one that is returned.
const AHEAD: usize = 4 * UNIT_DRAFTS;

/// The checks of the drafts of an iterable.
#[pyclass(module = "tollproof._tollproof")]
pub(crate) struct DraftChecks {
    /// `None` when the collector of garbage has taken it.
    drafts: Option<Py<PyIterator>>,
    translation: Arc<Translation>,
    /// Behind a lock only because the class must be `Sync`.
    run: Mutex<Run>,
    /// Sends drafts to the run; `None` after the last one.
    sender: Option<Sender<Vec<GivenText>>>,
    /// Whether each draft that was sent and not returned is a value.
    sent: VecDeque<bool>,
    /// The number of drafts read.
    count: usize,
    /// The error of the iterable, which is raised after the drafts before it.
    error: Option<PyErr>,
    known: KnownFindings,
}

impl DraftChecks {
    pub(crate) fn new(
        session: &Arc<Session>,
        file: InputFile,
        drafts: Py<PyIterator>,
        settings: &LinterSettings,
    ) -> Self {
        let (sender, receiver) = channel();
        let run = session.run_texts(file, receiver.into_iter(), settings.run_options());
        Self {
            drafts: Some(drafts),
            translation: Arc::clone(&settings.translation),
            run: Mutex::new(run),
            sender: Some(sender),
            sent: VecDeque::new(),
            count: 0,
            error: None,
            known: KnownFindings::default(),
        }
    }

    /// Reads drafts until enough are on their way.
    fn read_ahead(&mut self, py: Python<'_>) {
        while self.sender.is_some() && self.sent.len() < AHEAD {
            let (mut texts, mut bytes) = (Vec::new(), 0);
            while texts.len() < UNIT_DRAFTS && bytes < UNIT_BYTES {
                let next = self.drafts.as_ref().and_then(|iterator| iterator.bind(py).clone().next());
                let draft = match next {
                    Some(Ok(draft)) => read_draft(&draft),
                    Some(Err(error)) => Err(error),
                    None => {
                        self.sender_ends(texts);
                        return;
                    }
                };
                let PassedDraft { text, is_value } = match draft {
                    Ok(draft) => draft,
                    Err(error) => {
                        self.error = Some(error);
                        self.sender_ends(texts);
                        return;
                    }
                };
                bytes += text.len();
                let name = format!("drafts[{}]", self.count);
                texts.push(GivenText { source: Source::from_bytes(name, text), format: None, earlier: None });
                self.sent.push_back(is_value);
                self.count += 1;
            }
            self.send(texts);
        }
    }

    fn send(&self, texts: Vec<GivenText>) {
        if let (Some(sender), false) = (&self.sender, texts.is_empty()) {
            // The run ends only after the sender.
            drop(sender.send(texts));
        }
    }

    /// Sends the last drafts.
    fn sender_ends(&mut self, texts: Vec<GivenText>) {
        self.send(texts);
        self.sender = None;
    }

    fn advance(&mut self, py: Python<'_>) -> PyResult<Option<ReportedDrafts>> {
        self.read_ahead(py);
        while !self.sent.is_empty() {
            let run = self.run.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
            let item = py.detach(|| run.next());
            py.check_signals()?;
            match item.transpose().map_err(errors::of_project)? {
                Some(RunItem::Text(mut text)) if !text.is_config => {
                    let is_value = self.sent.pop_front().unwrap_or_default();
                    self.known.mark(&mut text).map_err(errors::of_project)?;
                    let mut report = ReportBuilder::new(&self.translation);
                    report.add(&text, is_value);
                    let lacks_history = run.lacks_history() && !text.report.report.numbers.is_empty();
                    return Ok(Some(report.end(lacks_history, &KnownFindings::default())));
                }
                Some(RunItem::Text(_)) => {}
                Some(RunItem::Event(event)) => {
                    if let Some(error) = errors::of_event(&event) {
                        return Err(error);
                    }
                }
                None => break,
            }
        }
        self.error.take().map_or(Ok(None), Err)
    }
}

#[pymethods]
impl DraftChecks {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.drafts)
    }

    fn __clear__(&mut self) {
        self.drafts = None;
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<ReportedDrafts>> {
        guarded(|| self.advance(py))
    }
}
