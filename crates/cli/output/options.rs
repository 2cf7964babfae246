//! The output that the command line asks for: reports with their formats and destinations, or one printed value.

use std::path::PathBuf;
use std::str::FromStr;

use tollproof_core::{did_you_mean, nearest};

use super::{FORMATS, ReportFormat};

/// The output format of commands that report no findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PrintFormat {
    /// For people.
    Full,
    /// For programs.
    Json,
}

#[derive(Clone, Debug)]
pub(crate) struct ReportTarget {
    pub(crate) format: &'static ReportFormat,
    /// `None` for standard output.
    pub(crate) path: Option<PathBuf>,
}

impl FromStr for ReportTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, path) = match text.split_once('=') {
            Some((_, "")) => return Err("the path after `=` is missing".to_owned()),
            Some((name, path)) => (name, Some(PathBuf::from(path))),
            None => (text, None),
        };
        let names = || FORMATS.iter().map(|format| format.name);
        let Some(format) = ReportFormat::named(name) else {
            let meant = did_you_mean(nearest(name, names()));
            let all = names().collect::<Vec<_>>().join(", ");
            return Err(format!("use one of {all}{meant}"));
        };
        Ok(Self { format, path })
    }
}
