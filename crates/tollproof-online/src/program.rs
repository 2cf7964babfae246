//! A program of the user's own, and how it is started: without a shell, and never from somebody else's folder.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};

/// A program and its arguments, as the user's own settings name it.
///
/// The program runs in the folder of the settings and is looked for in the absolute folders of `PATH`, so that nothing in
/// the current folder, which may be somebody else's project, is run or read.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct UserProgram {
    program: String,
    arguments: Vec<String>,
    folder: PathBuf,
}

impl UserProgram {
    /// The first word is the program. `None` if it is missing or empty.
    pub(crate) fn new(words: Vec<String>) -> Option<Self> {
        let mut words = words.into_iter();
        let program = words.next().filter(|it| !it.is_empty())?;
        Some(Self { program, arguments: words.collect(), folder: PathBuf::new() })
    }

    /// The program, for messages.
    pub(crate) fn name(&self) -> &str {
        &self.program
    }

    pub(crate) fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// A relative program and relative arguments are relative to this folder.
    pub(crate) fn set_folder(&mut self, folder: &Path) {
        folder.clone_into(&mut self.folder);
    }

    /// The program, ready to be started. Standard streams are inherited.
    pub(crate) fn command(&self) -> Command {
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
        command
    }
}

/// Ends a program whose output is not wanted.
pub(crate) fn stop(child: &mut Child) {
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}

/// Without arguments, which may have secrets.
impl fmt::Debug for UserProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserProgram").field("program", &self.program).finish_non_exhaustive()
    }
}

impl<'de> Deserialize<'de> for UserProgram {
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

        let words = deserializer.deserialize_any(Words)?;
        Self::new(words).ok_or_else(|| D::Error::custom("name the program first"))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_current_folder_is_run() {
        let folder = std::env::temp_dir().join(format!("tollproof-program-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("it can be made");
        std::fs::write(folder.join("show.sh"), "pwd; echo moonstone").expect("it can be written");
        let program = |words: &[&str]| {
            let words = words.iter().map(|it| (*it).to_owned()).collect();
            let mut program = UserProgram::new(words).expect("it has a name");
            program.set_folder(&folder);
            program
        };
        let output = |program: &UserProgram| {
            let output = program.command().output().ok()?;
            Some(String::from_utf8(output.stdout).expect("it is text"))
        };
        let here = folder.canonicalize().expect("it is there");
        let script = program(&["sh", "show.sh"]);
        assert_eq!(output(&script), Some(format!("{}\nmoonstone\n", here.display())));
        let relative = program(&["./sh", "-c", "echo moonstone"]);
        assert_eq!(output(&relative), None);
        std::os::unix::fs::symlink("/bin/sh", folder.join("sh")).expect("it can be made");
        assert_eq!(output(&relative).as_deref(), Some("moonstone\n"));
        let started = script.command();
        let path = started.get_envs().find_map(|(name, value)| (name == "PATH").then_some(value?));
        let is_absolute = path.map(|path| std::env::split_paths(path).all(|folder| folder.is_absolute()));
        assert_eq!(is_absolute, Some(true));
        assert!(!format!("{relative:?}").contains("moonstone"));
        std::fs::remove_dir_all(folder).expect("it can be removed");
    }
}
