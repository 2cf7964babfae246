//! Many prompts, several at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use super::error::{ReaderError, Result};
use super::prompt::{ReaderPrompt, ReaderReply};
use super::reader::Reader;

/// As many prompts that fail one after the other end a run.
const MAX_IN_A_ROW: usize = 5;

/// The most prompts at once.
const MAX_JOBS: usize = 64;

/// Prompts that are asked in one run.
#[derive(Clone, Copy)]
pub struct ReadRun<'r> {
    /// The prompt count.
    pub count: usize,
    /// Makes the prompt of an index. If it is asked once more, with the reason.
    pub prompt: &'r (dyn Fn(usize, Option<&str>) -> ReaderPrompt + Sync),
    /// The most prompts at once.
    pub jobs: usize,
    /// Whether the user has stopped the run.
    pub stop: &'r (dyn Fn() -> bool + Sync),
}

/// Whether a reply is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accept {
    /// It is.
    Kept,
    /// It is not, and why. The prompt is asked once more.
    Again(String),
}

/// A prompt that has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadFailure {
    /// Its index.
    pub index: usize,
    /// Readable reason.
    pub why: String,
}

/// The result of a run.
#[derive(Debug)]
pub struct ReadResult {
    /// The number of replies kept.
    pub kept: usize,
    /// The prompts that were asked and have no answer, by index.
    pub failed: Vec<ReadFailure>,
    /// Number of prompts not asked, or asked and not waited for, because the run ended before.
    pub left: usize,
    /// Error ending the run, unless the user stopped it.
    pub error: Option<ReaderError>,
}

/// A thread's orders after its reply.
enum AfterReply {
    Other,
    Again(String),
}

struct ReplyArrival {
    index: usize,
    is_second: bool,
    result: Result<ReaderReply>,
    next: Sender<AfterReply>,
}

impl Reader {
    /// Asks prompts, several at once, and calls `accept` for each reply as it arrives, on this thread. What is not accepted
    /// is asked once more. The run ends when the user stops it, or when further prompts would fail too.
    pub fn ask_all(
        &self,
        run: &ReadRun<'_>,
        accept: &mut dyn FnMut(usize, ReaderReply) -> Accept,
    ) -> ReadResult {
        let mut result = ReadResult { kept: 0, failed: Vec::new(), left: 0, error: None };
        let (begun, is_ended) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, arrivals) = channel::<ReplyArrival>();
        let stop = || is_ended.load(Ordering::Relaxed) || (run.stop)();
        thread::scope(|scope| {
            for _ in 0..run.jobs.clamp(1, MAX_JOBS).min(run.count) {
                let (sender, begun, stop) = (sender.clone(), &begun, &stop);
                scope.spawn(move || {
                    while !stop() {
                        let index = begun.fetch_add(1, Ordering::Relaxed);
                        if index >= run.count {
                            break;
                        }
                        self.ask_of_run(run, index, stop, &sender);
                    }
                });
            }
            drop(sender);
            let mut in_a_row = 0;
            for ReplyArrival { index, is_second, result: reply, next } in arrivals {
                let why = match reply {
                    Err(ReaderError::Stopped) => None,
                    Err(error) if error.is_final() => {
                        is_ended.store(true, Ordering::Relaxed);
                        result.error.get_or_insert(error);
                        None
                    }
                    Err(error) if error.is_nonsense() && !is_second => Some(error.to_string()),
                    Err(error) => {
                        result.failed.push(ReadFailure { index, why: error.to_string() });
                        in_a_row += 1;
                        if in_a_row >= MAX_IN_A_ROW {
                            is_ended.store(true, Ordering::Relaxed);
                            result.error.get_or_insert(error);
                        }
                        None
                    }
                    Ok(reply) => {
                        in_a_row = 0;
                        match accept(index, reply) {
                            Accept::Kept => {
                                result.kept += 1;
                                None
                            }
                            Accept::Again(why) if is_second => {
                                result.failed.push(ReadFailure { index, why });
                                None
                            }
                            Accept::Again(why) => Some(why),
                        }
                    }
                };
                // The thread may have ended by a panic, which is passed on below.
                let _ = next.send(why.map_or(AfterReply::Other, AfterReply::Again));
            }
        });
        result.failed.sort_by_key(|it| it.index);
        result.left = run.count - result.kept - result.failed.len();
        result
    }

    /// Asks one prompt of a run, once more if it is told so.
    fn ask_of_run(
        &self,
        run: &ReadRun<'_>,
        index: usize,
        stop: &dyn Fn() -> bool,
        sender: &Sender<ReplyArrival>,
    ) {
        let mut why = None;
        for is_second in [false, true] {
            let result = self.ask(&(run.prompt)(index, why.as_deref()), stop);
            // No other sender is left here: if the other side panics, this ends too.
            let (next, told) = channel();
            if sender.send(ReplyArrival { index, is_second, result, next }).is_err() {
                return;
            }
            match told.recv() {
                Ok(AfterReply::Again(reason)) => why = Some(reason),
                Ok(AfterReply::Other) | Err(_) => return,
            }
        }
    }
}
