//! The progress of a long run on a terminal, and Ctrl-C during the run.

use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use tollproof_project::{Disk, Files as _, ProjectFiles, Run, wait_for_writing};

use crate::counts::Exit;
use crate::errors::Failure;
use crate::output::stderr;

/// A run that takes longer than this shows its progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the time left is drawn.
const TICK: Duration = Duration::from_millis(200);

/// The progress of a run.
pub(super) struct Progress<'f> {
    found: &'f ProjectFiles,
    since: Instant,
    /// The bar, once the run takes long. indicatif only draws it on a terminal.
    bar: Option<ProgressBar>,
    is_interruptible: bool,
}

impl<'f> Progress<'f> {
    pub(super) fn new(found: &'f ProjectFiles) -> Self {
        Self { found, since: Instant::now(), bar: None, is_interruptible: false }
    }

    /// Shows how far a run is, if it takes long. From now on, Ctrl-C ends the run with a report.
    pub(super) fn advance(&mut self, run: &Run) -> Result<(), Failure> {
        if !self.is_interruptible && run.has_more() {
            self.is_interruptible = true;
            run.stop_flag().map_or(Ok(()), end_on_ctrl_c)?;
        }
        if self.bar.is_none() && self.since.elapsed() > PATIENCE && stderr::is_terminal() {
            self.bar = Some(bar(total(self.found)));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(run.bytes());
        }
        Ok(())
    }

    /// Does something that may print.
    pub(super) fn suspended<T>(&self, act: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(act),
            None => act(),
        }
    }

    /// Removes the bar.
    pub(super) fn end(&self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}

/// Whether reports and the progress are on the same terminal, so that reports must not wait in a buffer.
pub(super) fn is_shared() -> bool {
    stderr::is_terminal() && io::stdout().is_terminal()
}

fn bar(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{bar:24} {percent}% of {total_bytes} checked, {bytes_per_sec}, {eta} left",
        ),
        None => (ProgressBar::new_spinner(), "{spinner} {bytes} checked, {bytes_per_sec}"),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(TICK);
    bar
}

/// The size of all files; `None` if it is unknown, as for standard input and what compressed files contain.
fn total(found: &ProjectFiles) -> Option<u64> {
    let is_plain = |name: &str| !name.ends_with(".gz") && !name.ends_with(".zst") && !name.ends_with(".xlsx");
    let size = |path| Disk.size(path);
    found
        .checked
        .files
        .iter()
        .map(|file| file.path.as_deref().filter(|_| is_plain(&file.name)).and_then(size))
        .sum()
}

/// The first Ctrl-C ends the run after what was found is printed, the second ends the process.
fn end_on_ctrl_c(stop: Arc<AtomicBool>) -> Result<(), Failure> {
    let handler = move || {
        if stop.swap(true, Ordering::Relaxed) {
            let _writing = wait_for_writing();
            #[expect(clippy::exit, reason = "nothing else ends a run whose report is not read")]
            std::process::exit(Exit::Interrupted.status().into());
        }
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::new(format_args!("cannot wait for Ctrl-C: {error}")))
}
