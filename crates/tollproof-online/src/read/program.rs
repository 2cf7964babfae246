//! A reader that is a program: a line of JSON on its standard input, JSON on its standard output.

use std::io::{self, Read as _, Write as _};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use super::error::ReaderError;
use super::object::outermost_object;
use super::pause::POLL;
use super::server::MAX_ANSWER;
use crate::program::{UserProgram, stop as end};

/// The time a program that has ended may leave its output open, in others that it started.
const GRACE: Duration = Duration::from_millis(500);

/// The amount read at once, in bytes.
const CHUNK: usize = 16 << 10;

/// Runs a program with a line on its standard input, and returns the JSON object that it prints. What it writes to
/// standard error is shown. A program that takes too long is ended, with all that it started.
pub(super) fn ask(
    program: &UserProgram,
    line: &str,
    timeout: Duration,
    stop: &dyn Fn() -> bool,
) -> Result<String, ReaderError> {
    let name = || program.name().to_owned();
    let failed = |error| ReaderError::Start { program: name(), error };
    let mut command = program.command();
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut running = Running { child: command.spawn().map_err(failed)?, status: None };
    running.feed(format!("{line}\n")).map_err(failed)?;
    let output = running.output(Instant::now() + timeout, stop).map_err(|end| match end {
        Unfinished::Stopped => ReaderError::Stopped,
        Unfinished::TimedOut => ReaderError::TimedOut(timeout),
        Unfinished::TooLong => ReaderError::TooLong,
        Unfinished::Failed(error) => failed(error),
    })?;
    match running.status {
        Some(status) if !status.success() => Err(ReaderError::Failed { program: name(), status }),
        _ => {
            let text = str::from_utf8(&output).ok().and_then(outermost_object);
            text.map(str::to_owned).ok_or(ReaderError::NoObject)
        }
    }
}

/// A program that runs. It is ended when this is dropped.
struct Running {
    child: Child,
    /// Exit status. The process id may be that of another then.
    status: Option<ExitStatus>,
}

/// Reason to end a program before it had ended by itself.
enum Unfinished {
    Stopped,
    TimedOut,
    TooLong,
    Failed(io::Error),
}

impl Running {
    /// Writes its standard input on a thread, since it may print before it has read all.
    fn feed(&mut self, line: String) -> io::Result<()> {
        let Some(mut stdin) = self.child.stdin.take() else { return Ok(()) };
        // A program need not read what it is asked.
        let write = move || drop(stdin.write_all(line.as_bytes()));
        std::thread::Builder::new().spawn(write).map(drop)
    }

    /// All that it prints until it ends.
    fn output(&mut self, until: Instant, stop: &dyn Fn() -> bool) -> Result<Vec<u8>, Unfinished> {
        let (sender, chunks) = sync_channel::<io::Result<Vec<u8>>>(4);
        if let Some(mut stdout) = self.child.stdout.take() {
            let read = move || {
                let mut chunk = vec![0; CHUNK];
                loop {
                    let read = match stdout.read(&mut chunk) {
                        Ok(0) => break,
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                        read => read.map(|length| chunk[..length].to_vec()),
                    };
                    let is_error = read.is_err();
                    if sender.send(read).is_err() || is_error {
                        break;
                    }
                }
            };
            std::thread::Builder::new().spawn(read).map_err(Unfinished::Failed)?;
        }
        let mut output = Vec::new();
        let (mut is_open, mut ended) = (true, None);
        while is_open || self.status.is_none() {
            if stop() {
                return Err(Unfinished::Stopped);
            }
            if Instant::now() >= until {
                return Err(Unfinished::TimedOut);
            }
            match chunks.recv_timeout(POLL) {
                Ok(chunk) => output.extend(chunk.map_err(Unfinished::Failed)?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) if is_open => is_open = false,
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(Duration::from_millis(2)),
            }
            if output.len() > MAX_ANSWER {
                return Err(Unfinished::TooLong);
            }
            if self.status.is_none() {
                self.status = self.child.try_wait().map_err(Unfinished::Failed)?;
                ended = self.status.map(|_| Instant::now());
            }
            is_open &= ended.is_none_or(|it| it.elapsed() < GRACE);
        }
        Ok(output)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.status.is_some() {
            return;
        }
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            use nix::sys::signal::{Signal, killpg};
            // Errors: it has ended already.
            let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
        }
        end(&mut self.child);
    }
}
