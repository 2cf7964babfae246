//! GitLab's code quality report: a list of issues, each with its first line.

use std::collections::HashMap;
use std::io::{self, Write};

use serde_json::json;
use tollproof_core::{Finding, Severity, UserRule};

use super::{Printer, ShownFinding, other_drafts};
use crate::counts::RunCounts;

/// Prints each issue as it is found.
#[derive(Debug, Default)]
pub(super) struct CodeQuality {
    /// The count of each printed fingerprint: GitLab drops issues with duplicate fingerprints.
    seen: HashMap<String, usize>,
}

impl CodeQuality {
    /// A unique fingerprint for a finding. Two files may contain the same draft, so repeated fingerprints are
    /// numbered.
    fn fingerprint(&mut self, finding: &Finding) -> String {
        let times = self.seen.entry(finding.fingerprint.clone()).or_default();
        *times += 1;
        match *times {
            1 => finding.fingerprint.clone(),
            times => format!("{}-{times}", finding.fingerprint),
        }
    }
}

impl Printer for CodeQuality {
    fn finding(&mut self, out: &mut dyn Write, shown: ShownFinding<'_, '_>) -> io::Result<()> {
        let ShownFinding { finding, places, checked } = shown;
        let lines = finding.span.map_or((1, 1), |span| {
            let (start, end) = places.of(span);
            (start.line, end.line)
        });
        write!(out, "{}", if self.seen.is_empty() { "[\n" } else { ",\n" })?;
        let severity = match finding.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Info => "info",
        };
        let issue = json!({
            "description": other_drafts::message(finding, checked, places),
            "check_name": finding.rule,
            "fingerprint": self.fingerprint(finding),
            "severity": severity,
            "location": {
                "path": checked.source.identity(),
                "lines": { "begin": lines.0, "end": lines.1 },
            },
        });
        write!(out, "{issue}")
    }

    fn end(&mut self, out: &mut dyn Write, _: &RunCounts, _: &[UserRule]) -> io::Result<()> {
        writeln!(out, "{}", if self.seen.is_empty() { "[]" } else { "\n]" })
    }
}
