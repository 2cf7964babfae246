//! Keys that a program of the user's prints.

use std::io::{self, Read as _};
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use secrecy::SecretString;
use secrecy::zeroize::Zeroizing;
use tollproof_history::reason;

use crate::program::{UserProgram, stop};

/// The most output of a program, in bytes.
const MAX_OUTPUT: usize = 64 << 10;

/// The time that a program may take: it may ask a person, who may be away.
const LIMIT: Duration = Duration::from_secs(120);

/// The pause between two questions whether a program has ended.
const POLL: Duration = Duration::from_millis(5);

/// A program that prints a key, as the user's own settings name it: a program and its arguments, without a shell.
///
/// It runs in the folder of the settings, so that nothing in the current folder, which may be somebody else's project, is
/// run or read.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(transparent)]
pub struct KeyCommand(UserProgram);

/// Failure of a key program. No output of the program is in it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The program cannot be started, or its output cannot be read.
    #[error("cannot run `{program}`: {}; check `key-command` in your settings", reason(error))]
    Start {
        /// The program.
        program: String,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The program failed.
    #[error("`{program}` gave no key: {status}")]
    Failed {
        /// The program.
        program: String,
        /// Exit status.
        status: ExitStatus,
    },
    /// The program was ended.
    #[error("`{0}` gave no key in 2 minutes, and was ended; check `key-command` in your settings")]
    TooSlow(String),
    /// The program printed too much.
    #[error("`{0}` printed more than 64 KiB; expected the key in the first line")]
    TooLong(String),
    /// The first line is empty, or there is none.
    #[error("`{0}` printed no key in the first line")]
    Empty(String),
    /// The first line is not text.
    #[error("`{0}` printed a key that is not text")]
    NotText(String),
}

impl KeyCommand {
    /// Runs the program for two minutes at most, since it may ask a person, and takes the first line of its output. What
    /// the program writes to standard error is shown; its standard input is empty.
    ///
    /// # Errors
    ///
    /// The program cannot be started, fails, takes longer, or prints no key.
    pub fn run(&self) -> Result<SecretString, KeyError> {
        self.run_within(LIMIT)
    }

    fn run_within(&self, limit: Duration) -> Result<SecretString, KeyError> {
        let program = || self.0.name().to_owned();
        let failed = |error| KeyError::Start { program: program(), error };
        let mut command = self.0.command();
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let until = Instant::now() + limit;
        let mut child = command.spawn().map_err(failed)?;
        let stdout = child.stdout.take();
        let (sender, output) = sync_channel(1);
        // It ends with the program, or with what that has started.
        std::thread::spawn(move || {
            // With room for all of it, so that no copy is left where it grew.
            let mut output = Zeroizing::new(Vec::with_capacity(MAX_OUTPUT + 1));
            let read =
                stdout.map_or(Ok(0), |stdout| stdout.take(MAX_OUTPUT as u64 + 1).read_to_end(&mut output));
            // The key is not wanted any more if it came too late.
            let _ = sender.send(read.map(|_| output));
        });
        let mut ended = |error| {
            stop(&mut child);
            error
        };
        let output = match output.recv_timeout(limit) {
            Ok(Ok(output)) if output.len() <= MAX_OUTPUT => output,
            Ok(Ok(_)) => return Err(ended(KeyError::TooLong(program()))),
            Ok(Err(error)) => return Err(ended(failed(error))),
            Err(_) => return Err(ended(KeyError::TooSlow(program()))),
        };
        let status = loop {
            match child.try_wait().map_err(failed)? {
                Some(status) => break status,
                None if Instant::now() < until => std::thread::sleep(POLL),
                None => {
                    stop(&mut child);
                    return Err(KeyError::TooSlow(program()));
                }
            }
        };
        if !status.success() {
            return Err(KeyError::Failed { program: program(), status });
        }
        let line = output.split(|it| *it == b'\n').next().unwrap_or_default();
        let key = str::from_utf8(line).map_err(|_| KeyError::NotText(program()))?.trim();
        if key.is_empty() { Err(KeyError::Empty(program())) } else { Ok(key.into()) }
    }

    /// A relative program and relative arguments are relative to the folder of the settings.
    pub(crate) fn set_folder(&mut self, folder: &Path) {
        self.0.set_folder(folder);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;

    fn command(words: &[&str]) -> KeyCommand {
        let words = words.iter().map(|it| (*it).to_owned()).collect();
        let mut program = UserProgram::new(words).expect("it has a name");
        program.set_folder(&std::env::temp_dir());
        KeyCommand(program)
    }

    fn shell(script: &str) -> KeyCommand {
        command(&["sh", "-c", script])
    }

    fn error(script: &str) -> String {
        let error = shell(script).run().expect_err(script);
        assert!(!format!("{error:?} {error}").contains("moonstone"), "{error:?}");
        error.to_string()
    }

    #[test]
    fn the_first_line_is_the_key() {
        for script in ["echo moonstone", "printf 'moonstone\\r\\nmore\\n'", "printf moonstone"] {
            assert_eq!(shell(script).run().expect(script).expose_secret(), "moonstone", "{script}");
        }
        assert!(!format!("{:?}", shell("echo moonstone")).contains("moonstone"));
        assert!(!format!("{:?}", shell("echo moonstone").run()).contains("moonstone"));
    }

    #[test]
    fn a_program_that_gives_no_key_is_an_error_without_its_output() {
        assert_eq!(error("echo moonstone; exit 3"), "`sh` gave no key: exit status: 3");
        assert_eq!(error("printf '\\nmoonstone'"), "`sh` printed no key in the first line");
        assert_eq!(error("true"), "`sh` printed no key in the first line");
        assert_eq!(error("printf 'moonstone\\377'"), "`sh` printed a key that is not text");
        let long = "`sh` printed more than 64 KiB; expected the key in the first line";
        assert_eq!(error("echo moonstone; yes moonstone"), long);
        for slow in ["exec sleep 9", "echo moonstone; exec 1>&-; exec sleep 9"] {
            let said = shell(slow).run_within(Duration::from_millis(100)).expect_err(slow).to_string();
            assert!(said.starts_with("`sh` gave no key in 2 minutes"), "{said}");
        }
        let said = command(&["no-such-program"]).run().expect_err("there is none").to_string();
        assert!(said.starts_with("cannot run `no-such-program`: no such file"), "{said}");
    }
}
