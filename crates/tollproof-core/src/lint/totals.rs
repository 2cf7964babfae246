//! The totals of several reports: counts, and what could not be checked.

use std::collections::BTreeSet;

use super::json_summary::JsonSummary;
use super::not_checked::NotChecked;
use super::readings::ReadUse;
use super::report::Report;
use super::seen_use::SeenUse;
use crate::finding::Severity;

/// The totals of the reports of a run, which every summary needs.
#[derive(Clone, Debug, Default)]
pub struct ReportTotals {
    /// The number of documents that were checked.
    pub documents: usize,
    /// The number of documents that were skipped, because they are not drafts.
    pub skipped: usize,
    /// The number of suppressed findings.
    pub suppressed: usize,
    /// Whether a draft contains a number that was not looked up in a history.
    pub without_history: bool,
    /// The facts about addresses that were used.
    pub seen: SeenUse,
    /// The readings that were used.
    pub read: ReadUse,
    /// Findings that count, by severity.
    counts: [usize; Severity::ALL.len()],
    /// The number of drafts in notes and programs that lack fields.
    pub incomplete: usize,
    /// The fields that programs compute.
    computed: BTreeSet<String>,
    /// The labels of which no field was read.
    untaken: BTreeSet<String>,
    /// The number of update requests that were not compared with their records.
    without_record: usize,
}

impl ReportTotals {
    /// Adds the report of a text.
    pub fn add(&mut self, report: &Report) {
        self.documents += report.documents;
        self.skipped += report.skipped;
        self.without_record += report.without_record;
        self.incomplete += report.incomplete;
        self.computed.extend(report.computed.iter().cloned());
        self.untaken.extend(report.untaken.iter().cloned());
        self.seen.add(&report.seen);
        self.read.add(&report.read);
        for finding in &report.findings {
            match finding.suppressed {
                Some(_) => self.suppressed += 1,
                None => self.counts[finding.severity as usize] += 1,
            }
        }
    }

    /// The number of findings that count and have exactly this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.counts[severity as usize]
    }

    /// The gaps of the check: facts that are not in the draft, and data that the run did not have. `names` is whether
    /// addresses are named.
    pub fn not_checked(&self, names: bool) -> Vec<NotChecked> {
        let mut all = self.seen.not_checked(names);
        all.extend(self.read.not_checked());
        all.extend(self.without_history.then(NotChecked::earlier_submissions));
        all.extend(NotChecked::records(self.without_record));
        all.extend(NotChecked::computed(&self.computed));
        all.extend(NotChecked::untaken(&self.untaken));
        all
    }

    /// The summary of a JSON report, without what only some runs have: a baseline and applied fixes.
    pub fn summary(&self) -> JsonSummary {
        JsonSummary {
            documents: self.documents,
            skipped: self.skipped,
            errors: self.count(Severity::Error),
            warnings: self.count(Severity::Warning),
            infos: self.count(Severity::Info),
            suppressed: self.suppressed,
            ..JsonSummary::of_uses(&self.seen, &self.read)
        }
    }
}

/// The position of a severity in the counts.
const _: () = assert!(Severity::Info as usize == 0 && Severity::Error as usize == 2);
