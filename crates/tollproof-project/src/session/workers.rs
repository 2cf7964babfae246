//! Worker threads: units of work are taken in order, done in parallel, and their results come out in order.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::lock;

/// Time between a waiting run's checks for an interruption.
const HEARTBEAT: Duration = Duration::from_millis(20);

/// OrderedWork that is done in units.
pub(super) trait OrderedWork: Send + Sync + 'static {
    /// A unit of work.
    type Unit: Send;
    /// A unit's result.
    type Outcome: Send;

    /// The next unit; `None` at the end. It is called by one thread at a time.
    fn take(&self) -> Option<Self::Unit>;

    /// Does a unit.
    fn work(&self, unit: Self::Unit) -> Self::Outcome;
}

/// The threads of a run and their results.
pub(super) struct Workers<W: OrderedWork> {
    shared: Arc<Shared<W>>,
    results: Receiver<(usize, W::Outcome)>,
    /// Results that came before their turn.
    early: BTreeMap<usize, W::Outcome>,
    next: usize,
    threads: Vec<JoinHandle<()>>,
}

struct Shared<W> {
    work: Arc<W>,
    /// The index of the next unit; locked while it is taken.
    next: Mutex<usize>,
    state: Mutex<State>,
    changed: Condvar,
    /// The most units taken beyond the last one whose result was used.
    window: usize,
}

#[derive(Debug, Default)]
struct State {
    /// The number of results used.
    used: usize,
    is_stopped: bool,
}

impl<W: OrderedWork> Workers<W> {
    /// Starts threads. `first` is a unit that was taken already.
    pub(super) fn start(work: Arc<W>, jobs: usize, first: Option<W::Unit>) -> Self {
        let (sender, results) = channel();
        let (next, state) = (Mutex::new(usize::from(first.is_some())), Mutex::default());
        let shared = Arc::new(Shared { work, next, state, changed: Condvar::new(), window: 2 * jobs });
        let mut first = first;
        let thread = |_| {
            let (shared, sender, first) = (Arc::clone(&shared), sender.clone(), first.take());
            thread::spawn(move || shared.run(first, &sender))
        };
        let threads = (0..jobs).map(thread).collect();
        Self { shared, results, early: BTreeMap::new(), next: 0, threads }
    }

    /// The next result in the order of the units; `None` at the end, or if `is_interrupted`.
    pub(super) fn next(&mut self, is_interrupted: impl Fn() -> bool) -> Option<W::Outcome> {
        loop {
            if is_interrupted() {
                self.stop();
                return None;
            }
            if let Some(outcome) = self.early.remove(&self.next) {
                self.next += 1;
                self.shared.change(|state| state.used += 1);
                return Some(outcome);
            }
            match self.results.recv_timeout(HEARTBEAT) {
                Ok((index, outcome)) => drop(self.early.insert(index, outcome)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    for thread in self.threads.drain(..) {
                        // A panic in a thread is a panic of the run.
                        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                    }
                    return None;
                }
            }
        }
    }

    /// Tells the threads to end after their units, and does not wait for them.
    pub(super) fn stop(&self) {
        self.shared.change(|state| state.is_stopped = true);
    }
}

impl<W: OrderedWork> Drop for Workers<W> {
    fn drop(&mut self) {
        self.stop();
    }
}

impl<W: OrderedWork> Shared<W> {
    fn run(&self, first: Option<W::Unit>, sender: &Sender<(usize, W::Outcome)>) {
        let mut unit = first.map(|unit| (0, unit));
        loop {
            let Some((index, work)) = unit.take().or_else(|| self.take()) else { return };
            // If this thread panics, no other waits until its result is used.
            let guard = StopOnPanic(self);
            let outcome = self.work.work(work);
            drop(guard);
            if sender.send((index, outcome)).is_err() {
                return;
            }
        }
    }

    fn take(&self) -> Option<(usize, W::Unit)> {
        let mut next = lock(&self.next);
        let mut state = lock(&self.state);
        while *next >= state.used + self.window && !state.is_stopped {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_stopped {
            return None;
        }
        drop(state);
        let unit = self.work.take()?;
        *next += 1;
        Some((*next - 1, unit))
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut lock(&self.state));
        self.changed.notify_all();
    }
}

struct StopOnPanic<'s, W: OrderedWork>(&'s Shared<W>);

impl<W: OrderedWork> Drop for StopOnPanic<'_, W> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.change(|state| state.is_stopped = true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares numbers.
    struct Squares {
        left: Mutex<std::ops::Range<usize>>,
        panics_at: Option<usize>,
    }

    impl OrderedWork for Squares {
        type Unit = usize;
        type Outcome = usize;

        fn take(&self) -> Option<usize> {
            lock(&self.left).next()
        }

        fn work(&self, unit: usize) -> usize {
            assert!(self.panics_at != Some(unit), "as asked");
            if unit.is_multiple_of(7) {
                thread::sleep(Duration::from_millis(2));
            }
            unit * unit
        }
    }

    fn squares(panics_at: Option<usize>) -> Arc<Squares> {
        Arc::new(Squares { left: Mutex::new(0..100), panics_at })
    }

    #[test]
    fn results_are_in_order() {
        for jobs in [1, 2, 5] {
            let work = squares(None);
            let first = work.take();
            let mut workers = Workers::start(Arc::clone(&work), jobs, first);
            let results: Vec<usize> = std::iter::from_fn(|| workers.next(|| false)).collect();
            assert_eq!(results, (0..100).map(|it| it * it).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_panic_of_a_thread_reaches_the_run() {
        let mut workers = Workers::start(squares(Some(40)), 3, None);
        let run = std::panic::AssertUnwindSafe(|| while workers.next(|| false).is_some() {});
        assert!(std::panic::catch_unwind(run).is_err());
    }

    #[test]
    fn an_interrupted_run_ends_at_once() {
        let mut workers = Workers::start(squares(None), 2, None);
        assert!(workers.next(|| false).is_some());
        assert!(workers.next(|| true).is_none());
    }
}
