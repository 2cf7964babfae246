//! Runs a program within bounds: what it may print, and how long it may take.

use std::io::{self, Read as _, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use crate::program::stop as end;

/// The time it takes at most until a stop is noticed.
pub(crate) const POLL: Duration = Duration::from_millis(25);

/// The time a program that has ended may leave its output open, in others that it started.
const GRACE: Duration = Duration::from_millis(500);

/// The amount read at once, in bytes.
const CHUNK: usize = 16 << 10;

/// Runs a program with this standard input. Returns what it printed, at most `max_output` bytes, and how it ended. A program
/// that takes longer than `timeout` is ended, with all that it started.
pub(crate) fn run(
    mut command: Command,
    input: Vec<u8>,
    (timeout, max_output): (Duration, usize),
    stop: &dyn Fn() -> bool,
) -> Result<(Vec<u8>, ExitStatus), RunError> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut running = Running { child: command.spawn().map_err(RunError::Failed)?, status: None };
    running.feed(input).map_err(RunError::Failed)?;
    running.output(Instant::now() + timeout, max_output, stop)
}

/// Reason why a program was not started, or was ended before it had ended by itself.
#[derive(Debug)]
pub(crate) enum RunError {
    Stopped,
    TimedOut,
    TooLong,
    Failed(io::Error),
}

/// A program that runs. It is ended when this is dropped.
struct Running {
    child: Child,
    /// Exit status. The process id may be that of another then.
    status: Option<ExitStatus>,
}

impl Running {
    /// Writes its standard input on a thread, since it may print before it has read all.
    fn feed(&mut self, input: Vec<u8>) -> io::Result<()> {
        let Some(mut stdin) = self.child.stdin.take() else { return Ok(()) };
        // A program need not read what it is asked.
        let write = move || drop(stdin.write_all(&input));
        std::thread::Builder::new().spawn(write).map(drop)
    }

    /// All that it prints until it ends.
    fn output(
        &mut self,
        until: Instant,
        most: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<(Vec<u8>, ExitStatus), RunError> {
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
            std::thread::Builder::new().spawn(read).map_err(RunError::Failed)?;
        }
        let mut output = Vec::new();
        let (mut is_open, mut ended) = (true, None);
        loop {
            if let Some(status) = self.status.filter(|_| !is_open) {
                return Ok((output, status));
            }
            if stop() {
                return Err(RunError::Stopped);
            }
            if Instant::now() >= until {
                return Err(RunError::TimedOut);
            }
            match chunks.recv_timeout(POLL) {
                Ok(chunk) => output.extend(chunk.map_err(RunError::Failed)?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) if is_open => is_open = false,
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(Duration::from_millis(2)),
            }
            if output.len() > most {
                return Err(RunError::TooLong);
            }
            if self.status.is_none() {
                self.status = self.child.try_wait().map_err(RunError::Failed)?;
                ended = self.status.map(|_| Instant::now());
            }
            is_open &= ended.is_none_or(|end| end.elapsed() < GRACE);
        }
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
