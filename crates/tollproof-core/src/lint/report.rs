//! The outcome of checking one text.

use std::collections::{BTreeMap, BTreeSet};

use crate::facts::Batch;
use crate::finding::{Finding, Severity};
use crate::lint::readings::ReadUse;
use crate::lint::seen_use::SeenUse;
use crate::syntax::source::Source;

/// The findings of one text and what was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// In document order, then by rule.
    pub findings: Vec<Finding>,
    /// The number of checked documents.
    pub documents: usize,
    /// The number of them for each provider but the default one, by the provider's title.
    pub providers: BTreeMap<&'static str, usize>,
    /// The number of documents of a walked file that were skipped because their kind is unknown.
    pub skipped: usize,
    /// The number of update requests not compared with the records that they change, which are not known.
    pub without_record: usize,
    /// The used facts about addresses, and the addresses that were not seen.
    pub seen: SeenUse,
    /// The used readings, and the number of drafts that were not read.
    pub read: ReadUse,
    /// Indices of the config's `ignores` that ignored something.
    pub used_ignores: Vec<usize>,
    /// Indices of those that could have, and did not: their rule ran, and they apply.
    pub unused_ignores: Vec<usize>,
    /// The numbers that its submit requests name: a later text should not name them again.
    pub numbers: Batch,
    /// Indices from 0 of documents that could not be read as written: what was read of them is not a reason to
    /// change them.
    pub damaged: BTreeSet<usize>,
    /// The number of drafts in notes and programs that lack fields, which they need not have.
    pub incomplete: usize,
    /// The number of drafts in notes that name no provider, so that one is assumed.
    pub assumed: usize,
    /// The fields that programs compute, which are not checked.
    pub computed: BTreeSet<String>,
    /// The labels in notes of which no field was read.
    pub untaken: BTreeSet<String>,
    /// Whether the text has too many findings, so that its last documents were not checked.
    pub is_cut: bool,
}

impl Report {
    /// Counts the unsuppressed findings of exactly this severity.
    pub fn count(&self, severity: Severity) -> usize {
        let counts = |finding: &&Finding| finding.suppressed.is_none() && finding.severity == severity;
        self.findings.iter().filter(counts).count()
    }

    /// The findings that have a fix and can be fixed by it: those that count, in documents that could be read.
    pub fn fixes(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|it| self.can_fix(it))
    }

    /// Whether a finding has a fix that can be applied.
    pub(crate) fn can_fix(&self, finding: &Finding) -> bool {
        let has_fix = finding.fix.as_ref().is_some_and(|fix| !fix.edits.is_empty());
        has_fix && finding.suppressed.is_none() && !self.damaged.contains(&finding.document)
    }

    /// Whether a later report of the same text misses documents, or finds some damaged that were not.
    ///
    /// It may know of more: of a text with very many findings only the beginning was looked at.
    pub(crate) fn was_spoilt(&self, later: &Self) -> bool {
        let mut damaged = later.damaged.range(..self.seen());
        later.seen() < self.seen() || damaged.any(|it| !self.damaged.contains(it))
    }

    /// Counts the documents looked at.
    pub(crate) fn seen(&self) -> usize {
        self.documents + self.skipped
    }

    /// Good to send, or not: any error refuses that is not suppressed.
    ///
    /// # Errors
    ///
    /// [`Rejected`] carries the errors, warnings and infos left out.
    pub fn into_result(self) -> Result<(), Rejected> {
        let refuses = |finding: &Finding| finding.suppressed.is_none() && finding.severity == Severity::Error;
        let errors: Vec<_> = self.findings.into_iter().filter(refuses).collect();
        if errors.is_empty() { Ok(()) } else { Err(Rejected { errors }) }
    }
}

/// A draft that must not be sent as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} in the draft: {}", plural(errors.len()), rules(errors))]
pub struct Rejected {
    /// The reasons, at least one.
    pub errors: Vec<Finding>,
}

fn plural(count: usize) -> String {
    if count == 1 { "1 error".to_owned() } else { format!("{count} errors") }
}

/// The rules alone: a message of an error may end up in a log, and drafts hold personal data.
fn rules(errors: &[Finding]) -> String {
    let mut rules: Vec<&str> = errors.iter().map(|finding| finding.rule.as_ref()).collect();
    rules.dedup();
    rules.join(", ")
}

/// A text with more findings than this, and one more for so many bytes, is not a draft.
const MAX_FINDINGS: usize = 2_000;
const BYTES_A_FINDING: usize = 256;

/// The most findings a text may have.
pub(crate) fn allowed(source: &Source<'_>) -> usize {
    MAX_FINDINGS + source.text().len() / BYTES_A_FINDING
}
