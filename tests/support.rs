//! Runs the binary in a separate folder, and reads its own list of formats.

use std::fs;
use std::io::{Cursor, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::thread;

use zip::ZipArchive;

/// An empty folder of one test, inside of the target folder. Tests run beside each other and may give theirs equal names.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let test = thread::current().name().unwrap_or("test").replace("::", "-");
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the target folder can be written");
        Self(path)
    }

    pub(crate) fn file(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("it lies in the folder")).expect("writable");
        fs::write(path, text).expect("writable");
        self
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::new(self.command(args).output().expect("tollproof starts"))
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tollproof"));
        command.args(args).current_dir(&self.0).stdin(Stdio::null());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "GITHUB_STEP_SUMMARY"] {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn pipe(&self, args: &[&str], text: &str) -> Ran {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("tollproof starts");
        let mut stdin = child.stdin.take().expect("it was piped");
        stdin.write_all(text.as_bytes()).expect("tollproof reads all of it");
        drop(stdin);
        Ran::new(child.wait_with_output().expect("tollproof ends"))
    }
}

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn new(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("all output is UTF-8");
        Self { code: output.status.code(), out: report_text(output.stdout), err: text(output.stderr) }
    }
}

/// The text of a report; of a workbook, all XML in it.
pub(crate) fn report_text(bytes: Vec<u8>) -> String {
    if !bytes.starts_with(b"PK\x03\x04") {
        return String::from_utf8(bytes).expect("all output is UTF-8");
    }
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("a workbook is an archive");
    let mut text = String::new();
    for at in 0..archive.len() {
        let mut part = archive.by_index(at).expect("it is in the archive");
        part.read_to_string(&mut text).expect("it is XML");
        text.push('\n');
    }
    text
}

/// The names of all output formats, from the program.
pub(crate) fn formats() -> &'static [String] {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tollproof"));
        let ran = Ran::new(command.args(["check", "--output-format=?"]).output().expect("tollproof starts"));
        let (_, list) = ran.err.split_once("use one of ").expect("what is unknown is told the list");
        let names = list.lines().next().unwrap_or_default().split(", ").map(str::to_owned).collect();
        assert!(list.contains("full, "), "{list}");
        names
    });
    &NAMES
}

/// Whether long tests run whole, as `.ci/run all` has them: everywhere else they take a part of their cases.
fn is_whole() -> bool {
    std::env::var_os("TOLLPROOF_LONG_TESTS").is_some()
}

/// The number of cases that a long property test has, of those of its whole run.
pub(crate) fn cases(whole: u32) -> u32 {
    if is_whole() { whole } else { whole.div_ceil(8) }
}

/// Of the cases of a long test, every `step`th, and all in its whole run.
pub(crate) fn part<T>(step: usize, cases: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    cases.into_iter().step_by(if is_whole() { 1 } else { step })
}
