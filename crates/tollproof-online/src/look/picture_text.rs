//! Words of pictures, read by Tesseract where it is installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;
use std::{env, path};

use super::picture::GreyPicture;
use super::turns::Turns;
use crate::running::{RunError, run};

/// The time for one picture: 25 million pixels without any words take 19 seconds.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The most that it may print, in bytes.
const MAX_OUTPUT: usize = 1 << 20;

/// The most pictures read at once: each takes a core, and up to 430 MB.
const AT_ONCE: usize = 2;

/// Languages of pages that are read, by the names that Tesseract has for them.
const LANGUAGES: [&str; 3] = ["eng", "fra", "spa"];

/// Environment variables that it needs. It gets no others: keys may be there.
const ENVIRONMENT: [&str; 6] = ["PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TESSDATA_PREFIX", "SystemRoot"];

/// Finds Tesseract in the absolute folders of `PATH`.
pub fn find_tesseract() -> Option<PathBuf> {
    let name = format!("tesseract{}", env::consts::EXE_SUFFIX);
    in_path(Path::new(&name))
}

fn in_path(name: &Path) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut found =
        env::split_paths(&folders).filter(|folder| folder.is_absolute()).map(|folder| folder.join(name));
    found.find(|program| program.is_file())
}

/// Reads words of pictures. The program gets the pixels on its standard input and writes no file.
#[derive(Debug)]
pub(super) struct TextReader {
    program: Option<PathBuf>,
    /// The languages that it reads, or why it cannot; known when the first picture is read.
    languages: OnceLock<Result<String, &'static str>>,
    turns: Turns,
    /// The time that one picture may take.
    pub(super) timeout: Duration,
}

impl TextReader {
    /// A reader by this program; a bare name is looked for in `PATH`.
    pub(super) fn new(program: Option<&Path>) -> Self {
        let whole = |program: &Path| {
            let is_name = program.components().count() == 1 && !program.has_root();
            if is_name { in_path(program) } else { path::absolute(program).ok() }
        };
        let program = program.map(|program| whole(program).unwrap_or_else(|| program.to_owned()));
        Self { program, languages: OnceLock::new(), turns: Turns::new(AT_ONCE), timeout: TIMEOUT }
    }

    /// The words of a picture, or why they were not read, as facts have it.
    pub(super) fn read(
        &self,
        picture: &GreyPicture,
        stop: &dyn Fn() -> bool,
    ) -> Result<String, &'static str> {
        let _turn = self.turns.take("");
        let languages = self.languages.get_or_init(|| self.languages(stop)).as_ref().map_err(|why| *why)?;
        let GreyPicture { width, pixels } = picture;
        let height = pixels.len() / usize::try_from((*width).max(1)).unwrap_or(usize::MAX);
        let mut pgm = format!("P5\n{width} {height}\n255\n").into_bytes();
        pgm.extend(pixels);
        Ok(plain(&self.printed(&["stdin", "stdout", "-l", languages], pgm, stop)?))
    }

    /// The languages to read in: those of pages if they are installed, else the first that is.
    fn languages(&self, stop: &dyn Fn() -> bool) -> Result<String, &'static str> {
        let listed = self.printed(&["--list-langs"], Vec::new(), stop)?;
        let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        // The first line is a heading.
        let names = || listed.lines().skip(1).map(str::trim).filter(|name| !matches!(*name, "" | "osd"));
        let names = || names().filter(|name| is_name(name));
        let known = LANGUAGES.into_iter().filter(|known| names().any(|name| name == *known));
        let known = known.collect::<Vec<_>>().join("+");
        if known.is_empty() {
            names().next().map(str::to_owned).ok_or("tesseract-no-language")
        } else {
            Ok(known)
        }
    }

    /// The text that the program prints.
    fn printed(
        &self,
        arguments: &[&str],
        input: Vec<u8>,
        stop: &dyn Fn() -> bool,
    ) -> Result<String, &'static str> {
        let program = self.program.as_deref().ok_or("no-tesseract")?;
        let mut command = Command::new(program);
        // Its own folder: the current one may be of somebody else's project.
        command
            .args(arguments)
            .stderr(Stdio::null())
            .current_dir(program.parent().unwrap_or(program))
            .env_clear();
        command.envs(ENVIRONMENT.iter().filter_map(|name| Some((name, env::var_os(name)?))));
        // More threads are slower, and there are other pictures.
        command.env("OMP_THREAD_LIMIT", "1");
        let ran = run(command, input, (self.timeout, MAX_OUTPUT), stop);
        let (output, status) = ran.map_err(|error| match error {
            RunError::Stopped => "stopped",
            RunError::TimedOut => "tesseract-too-slow",
            RunError::TooLong => "tesseract-too-long",
            RunError::Failed(_) => "tesseract-not-started",
        })?;
        if !status.success() {
            return Err("tesseract-failed");
        }
        String::from_utf8(output).map_err(|_| "tesseract-not-text")
    }
}

/// Lines that have letters or digits, without control characters.
fn plain(text: &str) -> String {
    let words = |line: &str| {
        let line: String = line.chars().map(|shown| if shown.is_control() { ' ' } else { shown }).collect();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let lines = text.lines().map(words).filter(|line| line.contains(char::is_alphanumeric));
    lines.collect::<Vec<_>>().join("\n")
}
