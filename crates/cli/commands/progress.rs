//! The progress of a long run on a terminal, and Ctrl-C during the run.

use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use tollproof_project::{Disk, Files as _, ProjectFiles, Run, wait_for_writing};

use crate::counts::Exit;
use crate::errors::{Result, failure};
use crate::output::stderr;

/// A run that takes longer than this shows its progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// The redraw interval of the time left.
const TICK: Duration = Duration::from_millis(200);

/// The progress of a run.
pub(super) struct Progress<'f> {
    found: &'f ProjectFiles,
    since: Instant,
    /// The bar, once the run takes long.
    bar: Option<ProgressBar>,
    /// Whether there is a terminal to draw it on.
    is_drawn: bool,
    is_interruptible: bool,
}

impl<'f> Progress<'f> {
    pub(super) fn new(found: &'f ProjectFiles) -> Self {
        Self {
            found,
            since: Instant::now(),
            bar: None,
            is_drawn: stderr::is_terminal(),
            is_interruptible: false,
        }
    }

    /// Shows how far a run is, if it takes long. From now on, Ctrl-C ends the run with a report.
    pub(super) fn advance(&mut self, run: &Run) -> Result<()> {
        if !self.is_interruptible && run.has_more() {
            self.is_interruptible = true;
            run.stop_flag().map_or(Ok(()), end_on_ctrl_c)?;
        }
        if self.is_drawn && self.bar.is_none() && self.since.elapsed() > PATIENCE {
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
        Some(total) => (ProgressBar::new(total), OF_TOTAL),
        None => (ProgressBar::new_spinner(), WITHOUT_TOTAL),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(TICK);
    bar
}

/// The bar if the size of all files is known.
const OF_TOTAL: &str = "{bar:24} {percent}% of {total_bytes} checked, {bytes_per_sec}, {eta} left";

/// The bar if the size is unknown.
const WITHOUT_TOTAL: &str = "{spinner} {bytes} checked, {bytes_per_sec}";

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
fn end_on_ctrl_c(stop: Arc<AtomicBool>) -> Result<()> {
    let handler = move || {
        if stop.swap(true, Ordering::Relaxed) {
            let _writing = wait_for_writing();
            #[expect(clippy::exit, reason = "nothing else ends a run whose report is not read")]
            std::process::exit(Exit::Interrupted.status().into());
        }
    };
    match ctrlc::set_handler(handler) {
        // The one that reading set before has the same flag.
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(error) => Err(failure!("cannot wait for Ctrl-C: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use indicatif::{ProgressDrawTarget, TermLike};

    use super::*;

    /// A terminal that keeps what is written to it.
    #[derive(Clone, Debug, Default)]
    struct WrittenTerminal(Arc<Mutex<String>>);

    impl WrittenTerminal {
        fn text(&self) -> String {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
        }
    }

    impl TermLike for WrittenTerminal {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, line: &str) -> io::Result<()> {
            self.write_str(line)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Draws a bar at a position, and after its end.
    fn shown(total: Option<u64>, position: u64) -> [String; 2] {
        let (bar, terminal) = (bar(total), WrittenTerminal::default());
        bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(terminal.clone())));
        bar.disable_steady_tick();
        bar.set_position(position);
        bar.force_draw();
        let during = terminal.text();
        bar.finish_and_clear();
        [during, terminal.text()]
    }

    #[test]
    fn the_bar_shows_how_far_a_run_is_and_disappears() {
        let [during, after] = shown(Some(4 << 20), 1 << 20);
        assert!(during.contains("25% of 4.00 MiB checked, ") && during.contains(" left"), "{during:?}");
        assert_eq!(after.trim(), "");
        let [during, after] = shown(None, 3 << 10);
        assert!(during.contains("3.00 KiB checked, "), "{during:?}");
        assert_eq!(after.trim(), "");
    }
}
