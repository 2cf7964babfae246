//! `tollproof doctor`: tells what of the setup works, and what to do about the rest.

mod editor;
mod hooks;
#[cfg(feature = "online")]
mod online;
mod project;
#[cfg(feature = "online")]
mod reader;

use std::io::{self, Write};

use serde::Serialize;
use tollproof_core::{Severity, without_secrets};
use tollproof_project::ConfigFile;

use self::project::SeenDrafts;
use super::config::{Setting, settings};
use crate::args::{Color, DoctorArgs};
use crate::commands::here::config_here;
use crate::counts::Exit;
use crate::errors::{Failure, Result};
use crate::output::value::print_value;
use crate::terminal::{Look, count, one_line, wrap};

/// Looks at everything, and prints it.
pub(super) fn run(args: &DoctorArgs, color: Color, out: &mut dyn Write) -> Result<Exit> {
    let diagnosis = Diagnosis::make(args);
    let look = Look::of(&io::stdout(), color);
    print_value(args.print.output_format, look, out, &diagnosis, |out| diagnosis.print(look, out))?;
    Ok(if diagnosis.problems() == 0 { Exit::Clean } else { Exit::Findings })
}

/// The state of a part of the setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum CheckupState {
    /// It works.
    Ok,
    /// It is not used.
    Unused,
    /// It is used and does not work.
    Problem,
}

/// A part of the setup and its state.
#[derive(Debug, Serialize)]
struct Checkup {
    name: &'static str,
    state: CheckupState,
    message: String,
    /// More, one entry a line.
    details: Vec<String>,
    /// The step to take.
    advice: Option<String>,
}

/// The state of the setup, as `--output-format json` prints it.
#[derive(Debug, Serialize)]
struct Diagnosis {
    /// The version of this format.
    version: u32,
    tollproof: &'static str,
    checks: Vec<Checkup>,
    /// The settings that tollproof.yaml changes, each with its line.
    settings: Vec<Setting>,
}

impl Checkup {
    fn new(name: &'static str, state: CheckupState, message: impl Into<String>) -> Self {
        Self { name, state, message: open_text(&message.into()), details: Vec::new(), advice: None }
    }

    fn ok(name: &'static str, message: impl Into<String>) -> Self {
        Self::new(name, CheckupState::Ok, message)
    }

    fn unused(name: &'static str, message: impl Into<String>) -> Self {
        Self::new(name, CheckupState::Unused, message)
    }

    fn problem(name: &'static str, message: impl Into<String>) -> Self {
        Self::new(name, CheckupState::Problem, message)
    }

    /// A problem with the error of a command.
    fn failed(name: &'static str, failure: Failure) -> Self {
        let text = failure.plain().text;
        let mut lines = text.lines().map(|line| line.trim_start_matches("error: ").to_owned());
        let first = lines.next().unwrap_or_default();
        Self::problem(name, first).details(lines)
    }

    fn details(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.details.extend(lines.into_iter().map(|line| open_text(&line)));
        self
    }

    fn advice(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }
}

/// A text without control characters and passwords.
fn open_text(text: &str) -> String {
    one_line(&without_secrets(text))
}

impl Diagnosis {
    #[cfg_attr(not(feature = "online"), expect(unused_variables, reason = "only `online` asks a reader"))]
    fn make(args: &DoctorArgs) -> Self {
        let version = Checkup::ok("version", concat!("tollproof ", env!("CARGO_PKG_VERSION")));
        let mut checks = vec![version];
        let mut changed = Vec::new();
        let mut seen = SeenDrafts::default();
        match config_here() {
            Ok(config) => {
                changed = changes(&config);
                checks.push(project::settings(&config, &changed));
                checks.extend(project::all(&config, &mut seen));
                #[cfg(feature = "online")]
                checks.extend(online::all(&config, &seen));
                #[cfg(feature = "online")]
                checks.extend(reader::all(args.ask_reader));
            }
            Err(failure) => {
                let place = "fix it: nothing else of the project can be looked at until then";
                checks.push(Checkup::failed("settings", failure).advice(place));
            }
        }
        checks.push(hooks::look());
        checks.push(editor::look(&seen));
        Self { version: 1, tollproof: env!("CARGO_PKG_VERSION"), checks, settings: changed }
    }

    fn problems(&self) -> usize {
        self.checks.iter().filter(|it| it.state == CheckupState::Problem).count()
    }

    fn print(&self, look: Look, out: &mut dyn Write) -> io::Result<()> {
        for Checkup { name, state, message, details, advice } in &self.checks {
            match state {
                CheckupState::Ok => write!(out, "{}", look.praise("ok     "))?,
                CheckupState::Unused => write!(out, "-      ")?,
                CheckupState::Problem => look.paint(out, Severity::Error, "problem")?,
            }
            let indent = format!("\n{:19}", "");
            let lines = |text: &str| wrap(text, look.width.saturating_sub(19)).replace('\n', &indent);
            writeln!(out, "  {name:8}  {}", lines(message))?;
            for line in details {
                writeln!(out, "{:19}{}", "", one_line(line))?;
            }
            if let Some(advice) = advice {
                writeln!(out, "{:19}{}", "", lines(&format!("To do: {advice}")))?;
            }
        }
        let problems = self.problems();
        let summary = match problems {
            0 => look.praise("No problem was found."),
            _ => format!("{} found.", count(problems, "problem")),
        };
        writeln!(out, "\n{summary}")
    }
}

/// The settings that a configuration changes. Reasons of ignored findings may be about persons and are left out.
fn changes(config: &ConfigFile) -> Vec<Setting> {
    let changed = settings(config, None).into_iter().filter(|it| it.line.is_some());
    let open = |mut setting: Setting| {
        if setting.key == "ignore" {
            setting.value = serde_json::Value::Null;
        }
        setting
    };
    changed.map(open).collect()
}
