//! Checks documents on a thread of its own: the newest text of each, and none twice.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use gen_lsp_types::{Diagnostic, Uri};
use tollproof_project::FileReport;

use crate::diagnostics::DiagnosticOptions;
use crate::project::{EditorProject, Result, Subject};
use crate::text::Encoding;

/// A document to check.
pub(crate) struct CheckJob {
    pub(crate) version: i32,
    pub(crate) subject: Subject,
    /// The client's unit for columns.
    pub(crate) encoding: Encoding,
}

/// A document that was checked. It has no text: results wait while the server handles many messages.
pub(crate) struct CheckedDocument {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) path: Option<PathBuf>,
    /// The findings and their diagnostics; `None` if the document is not a draft.
    pub(crate) report: Result<Option<(FileReport, Vec<Diagnostic>)>>,
    /// The time it took.
    pub(crate) took: Duration,
}

/// The thread, and what it still has to check.
pub(crate) struct DocumentChecker {
    queue: Arc<CheckQueue>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct CheckQueue {
    jobs: Mutex<CheckJobs>,
    wake: Condvar,
}

#[derive(Default)]
struct CheckJobs {
    /// By document, each with the time at which it is due.
    waiting: HashMap<Uri, (Instant, CheckJob)>,
    is_closed: bool,
}

impl DocumentChecker {
    /// Starts the thread, which passes each document that was checked to `send`.
    pub(crate) fn start(
        project: Arc<EditorProject>,
        rule_url: fn(&str) -> Option<String>,
        send: impl Fn(CheckedDocument) + Send + 'static,
    ) -> Self {
        let queue = Arc::new(CheckQueue::default());
        let own = Arc::clone(&queue);
        let run = move || {
            while let Some((uri, job)) = own.next() {
                let begin = Instant::now();
                let CheckJob { version, subject, encoding } = job;
                let options = DiagnosticOptions { encoding, files: &*project.overlay, rule_url: &rule_url };
                let report =
                    project.check(&subject, |parsed, report| options.of_report(&uri, parsed, report));
                send(CheckedDocument { uri, version, path: subject.path, report, took: begin.elapsed() });
            }
        };
        Self { queue, thread: thread::Builder::new().name("check".to_owned()).spawn(run).ok() }
    }

    /// Checks a document after a delay, and not the older text of it that still waits.
    pub(crate) fn schedule(&self, uri: Uri, job: CheckJob, delay: Duration) {
        self.queue.jobs().waiting.insert(uri, (Instant::now() + delay, job));
        self.queue.wake.notify_one();
    }

    /// Forgets a document that was closed.
    pub(crate) fn forget(&self, uri: &Uri) {
        self.queue.jobs().waiting.remove(uri);
    }
}

impl CheckQueue {
    fn jobs(&self) -> MutexGuard<'_, CheckJobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the document that is due first; `None` at the end.
    fn next(&self) -> Option<(Uri, CheckJob)> {
        let mut jobs = self.jobs();
        loop {
            if jobs.is_closed {
                return None;
            }
            let first = jobs.waiting.iter().min_by_key(|(_, (due, _))| *due);
            let Some((due, uri)) = first.map(|(uri, (due, _))| (*due, uri.clone())) else {
                jobs = self.wake.wait(jobs).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let (_, job) = jobs.waiting.remove(&uri)?;
                return Some((uri, job));
            }
            jobs = self.wake.wait_timeout(jobs, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for DocumentChecker {
    /// Ends the thread after the document that it checks. It is not waited for: the process ends soon.
    fn drop(&mut self) {
        self.queue.jobs().is_closed = true;
        self.queue.wake.notify_one();
        drop(self.thread.take());
    }
}
