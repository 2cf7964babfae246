//! The baseline of the benchmark: parses tollproof's arguments with clap, and the files with serde_json.

// Only a few of the arguments are used.
#![allow(dead_code, unused_imports)]

#[path = "../args/mod.rs"]
mod args;
#[path = "../terminal/color.rs"]
mod color;
#[path = "../output/options.rs"]
mod options;
#[path = "../statistics.rs"]
pub(crate) mod statistics;

use std::fs;
use std::process::ExitCode;

use clap::Parser as _;

use self::args::{Args, Command};
use self::output::{FORMATS, ReportFormat};

/// The part of this module that the arguments use.
pub(crate) mod terminal {
    pub(crate) use super::color::Color;

    pub(crate) fn typed(name: &str) -> String {
        name.to_owned()
    }
}

/// The part of this module that the arguments use.
pub(crate) mod output {
    pub(crate) use super::options::{PrintFormat, ReportTarget};

    pub(crate) const FORMAT_HELP: &str = "";
    pub(crate) const FORMAT_LONG_HELP: &str = "";

    #[derive(Debug)]
    pub(crate) struct ReportFormat {
        pub(crate) name: &'static str,
    }

    impl ReportFormat {
        pub(crate) fn named(name: &str) -> Option<&'static Self> {
            FORMATS.iter().find(|format| format.name == name)
        }
    }

    pub(crate) static FORMATS: [ReportFormat; 4] = [
        ReportFormat { name: "full" },
        ReportFormat { name: "narrated" },
        ReportFormat { name: "concise" },
        ReportFormat { name: "json" },
    ];
}

pub(crate) fn main() -> ExitCode {
    let Command::Check(check) = Args::parse().command else { return ExitCode::FAILURE };
    let is_json = |path| {
        let bytes = fs::read(path).ok()?;
        serde_json::from_slice::<serde_json::Value>(&bytes).ok()
    };
    if check.session.paths.iter().all(|path| is_json(path).is_some()) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
