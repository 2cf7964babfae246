//! Keys that a program of the user's prints.

use std::fmt;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use secrecy::SecretString;
use secrecy::zeroize::Zeroizing;
use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use tollproof_history::reason;

/// How much a program may print, in bytes.
const MAX_OUTPUT: usize = 64 << 10;

/// A program that prints a key, as the user's own settings name it: a program and its arguments, without a shell.
///
/// The program runs in the folder of the settings and is looked for in the absolute folders of `PATH`, so that nothing in
/// the current folder, which may be somebody else's project, is run or read.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyCommand {
    program: String,
    arguments: Vec<String>,
    folder: PathBuf,
}

/// Why a program gave no key. No output of the program is in it.
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
        /// How it ended.
        status: ExitStatus,
    },
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
    /// Runs the program, however long it takes, since it may ask a person, and takes the first line of its output. What
    /// the program writes to standard error is shown; its standard input is empty.
    ///
    /// # Errors
    ///
    /// The program cannot be started, fails, or prints no key.
    pub fn run(&self) -> Result<SecretString, KeyError> {
        let program = || self.program.clone();
        let failed = |error| KeyError::Start { program: program(), error };
        let mut child = self.command().spawn().map_err(failed)?;
        // With room for all of it, so that no copy is left where it grew.
        let mut output = Zeroizing::new(Vec::with_capacity(MAX_OUTPUT + 1));
        let read = match child.stdout.take() {
            Some(stdout) => stdout.take(MAX_OUTPUT as u64 + 1).read_to_end(&mut output),
            None => Ok(0),
        };
        if read.is_err() || output.len() > MAX_OUTPUT {
            stop(&mut child);
            return Err(read.map_or_else(failed, |_| KeyError::TooLong(program())));
        }
        let status = child.wait().map_err(failed)?;
        if !status.success() {
            return Err(KeyError::Failed { program: program(), status });
        }
        let line = output.split(|it| *it == b'\n').next().unwrap_or_default();
        let key = str::from_utf8(line).map_err(|_| KeyError::NotText(program()))?.trim();
        if key.is_empty() { Err(KeyError::Empty(program())) } else { Ok(key.into()) }
    }

    /// A relative program and relative arguments are relative to the folder of the settings.
    pub(crate) fn set_folder(&mut self, folder: &Path) {
        folder.clone_into(&mut self.folder);
    }

    fn command(&self) -> Command {
        let program = Path::new(&self.program);
        let is_name = program.components().count() == 1 && !program.is_absolute();
        let program = if is_name { program.to_owned() } else { self.folder.join(program) };
        let mut command = Command::new(program);
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let absolute = std::env::split_paths(&folders).filter(|it| it.is_absolute());
        if let Ok(path) = std::env::join_paths(absolute) {
            command.env("PATH", path);
        }
        command.args(&self.arguments).current_dir(&self.folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        command
    }
}

/// Without arguments, which may have secrets.
impl fmt::Debug for KeyCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyCommand").field("program", &self.program).finish_non_exhaustive()
    }
}

impl<'de> Deserialize<'de> for KeyCommand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Words;

        impl<'de> Visitor<'de> for Words {
            type Value = Vec<String>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of the program and its arguments, such as `[pass, show, bird]`")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<String>, A::Error> {
                let mut words = Vec::new();
                while let Some(word) = items.next_element()? {
                    words.push(word);
                }
                Ok(words)
            }
        }

        let mut words = deserializer.deserialize_any(Words)?.into_iter();
        let program = words.next().filter(|it: &String| !it.is_empty());
        let program = program.ok_or_else(|| D::Error::custom("name the program first"))?;
        Ok(Self { program, arguments: words.collect(), folder: PathBuf::new() })
    }
}

/// Ends a program whose output is not wanted.
fn stop(child: &mut Child) {
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;

    fn shell(script: &str) -> KeyCommand {
        let arguments = vec!["-c".to_owned(), script.to_owned()];
        KeyCommand { program: "sh".to_owned(), arguments, folder: std::env::temp_dir() }
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
        let missing = KeyCommand { program: "no-such-program".to_owned(), ..shell("") };
        let said = missing.run().expect_err("there is none").to_string();
        assert!(said.starts_with("cannot run `no-such-program`: no such file"), "{said}");
    }

    #[test]
    fn nothing_of_the_current_folder_is_run() {
        let folder = std::env::temp_dir().join(format!("tollproof-key-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("it can be made");
        std::fs::write(folder.join("show.sh"), "pwd; echo moonstone").expect("it can be written");
        let mut command = KeyCommand { arguments: vec!["show.sh".to_owned()], ..shell("") };
        command.set_folder(&folder);
        let here = folder.canonicalize().expect("it is there");
        assert_eq!(command.run().expect("it runs").expose_secret(), here.to_string_lossy());
        let mut relative = KeyCommand { program: "./sh".to_owned(), ..shell("echo moonstone") };
        relative.set_folder(&folder);
        assert!(relative.run().is_err());
        std::os::unix::fs::symlink("/bin/sh", folder.join("sh")).expect("it can be made");
        assert_eq!(relative.run().expect("it runs").expose_secret(), "moonstone");
        let started = command.command();
        let path = started.get_envs().find_map(|(name, value)| (name == "PATH").then_some(value?));
        let is_absolute = path.map(|it| std::env::split_paths(it).all(|it| it.is_absolute()));
        assert_eq!(is_absolute, Some(true));
        std::fs::remove_dir_all(folder).expect("it can be removed");
    }
}
