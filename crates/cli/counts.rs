//! What a run found, counted; the one place that decides the exit code.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::process::ExitCode;

use tollproof_core::{Finding, NOT_CHECKED, Report, Safety, Severity, SuppressedBy};
use tollproof_project::FailOn;

use crate::merge_missing::merged_away;
use crate::terminal::count;

/// The counts of a run over any number of files.
#[derive(Debug, Default)]
pub(crate) struct RunCounts {
    /// How many documents were checked.
    pub(crate) documents: usize,
    /// How many documents of walked files are no drafts.
    pub(crate) skipped: usize,
    /// How many walked files the settings leave out.
    pub(crate) excluded: usize,
    /// Whether it is all right that nothing was checked: only what changed was asked for, and nothing did.
    pub(crate) may_be_empty: bool,
    /// How many named or walked files could not be read.
    pub(crate) unopened: usize,
    /// How many update requests were not compared with their records.
    without_record: usize,
    /// Whether a number is named by a draft whose past nobody looked up.
    pub(crate) without_history: bool,
    /// How many findings that a baseline knows are there no more; none without a baseline.
    pub(crate) stale: Option<usize>,
    /// Whether a finding makes the run fail.
    fails: bool,
    /// What is done with fixes.
    pub(crate) fix_mode: FixMode,
    /// How many fixes were applied, or would be.
    pub(crate) fixed: usize,
    /// How many files they change.
    pub(crate) changed: usize,
    /// How many files could not be fixed.
    pub(crate) unwritten: usize,
    /// Findings with a fix.
    fixable: BTreeMap<(Severity, Safety), usize>,
    /// Findings that do not count, by who said so.
    suppressed: BTreeMap<SuppressedBy, usize>,
    /// Findings that count, per rule and severity: one rule may weigh differently in another context.
    rules: BTreeMap<(Cow<'static, str>, Severity), usize>,
    /// How many of these are merged into others where people read the report.
    merged: BTreeMap<(Cow<'static, str>, Severity), usize>,
}

/// What a run does with the fixes of its findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FixMode {
    /// It knows of none.
    #[default]
    Never,
    /// It says how many there are.
    Offer,
    /// It shows what fixes of this reach would change.
    Show(Safety),
    /// It applies fixes of this reach.
    Apply(Safety),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Nothing at or above the severity that fails a run.
    Clean,
    /// Something at or above it.
    Findings,
    /// The run could not do all that it was asked for.
    Unable,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Clean => Self::SUCCESS,
            Exit::Findings => Self::from(1),
            Exit::Unable => Self::from(2),
        }
    }
}

impl RunCounts {
    /// Counts the findings of one file.
    pub(crate) fn add(&mut self, checked: &Report, fail_on: FailOn) {
        let least = match fail_on {
            FailOn::Error => Some(Severity::Error),
            FailOn::Warning => Some(Severity::Warning),
            FailOn::Info => Some(Severity::Info),
            FailOn::Never => None,
        };
        let fails = |it: &Finding| it.suppressed.is_none() && least.is_some_and(|least| it.severity >= least);
        self.fails |= checked.findings.iter().any(fails);
        self.documents += checked.documents;
        self.skipped += checked.skipped;
        self.without_record += checked.without_record;
        for finding in &checked.findings {
            if let Some(suppression) = &finding.suppressed {
                *self.suppressed.entry(suppression.by).or_default() += 1;
                continue;
            }
            *self.rules.entry((finding.rule.clone(), finding.severity)).or_default() += 1;
        }
        for (key, count) in merged_away(&checked.findings) {
            *self.merged.entry(key).or_default() += count;
        }
        for finding in checked.fixes() {
            let safety = finding.fix.as_ref().map_or(Safety::Unsafe, |fix| fix.safety);
            *self.fixable.entry((finding.severity, safety)).or_default() += 1;
        }
    }

    /// What could not be checked: what nobody can see from here, and what this run was not told.
    pub(crate) fn not_checked(&self) -> Vec<Cow<'static, str>> {
        let mut all: Vec<_> = NOT_CHECKED.iter().map(|&it| Cow::Borrowed(it)).collect();
        if self.without_history {
            all.push("earlier submissions of the numbers (use `--history`)".into());
        }
        if self.without_record > 0 {
            let requests = count(self.without_record, "update request");
            all.push(
                format!("{requests} against the record, which is not known (use `--record` or `--history`)")
                    .into(),
            );
        }
        all
    }

    /// How many findings do not count.
    pub(crate) fn suppressed(&self) -> usize {
        self.suppressed.values().sum()
    }

    /// How many findings do not count because this one said so.
    pub(crate) fn suppressed_by(&self, by: SuppressedBy) -> usize {
        self.suppressed.get(&by).copied().unwrap_or_default()
    }

    /// How many findings count and have exactly this severity, hidden ones included.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.rules.iter().filter(|((_, it), _)| *it == severity).map(|(_, count)| count).sum()
    }

    /// The same as people see them: the missing fields of one object are one finding, and so are its empty ones.
    pub(crate) fn shown(&self, severity: Severity) -> usize {
        let merged = self.merged.iter().filter(|((_, it), _)| *it == severity).map(|(_, count)| count);
        self.count(severity) - merged.sum::<usize>()
    }

    /// How many findings of at least this severity have a fix of this safety.
    pub(crate) fn fixable(&self, min: Severity, safety: Safety) -> usize {
        self.fixable.iter().filter(|((it, of), _)| *it >= min && *of == safety).map(|(_, count)| count).sum()
    }

    /// Whether nothing was checked at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.documents == 0 && self.rules.is_empty()
    }

    /// Rules with their severity and count as people see them, the most frequent first.
    pub(crate) fn rules(&self) -> Vec<(&str, Severity, usize)> {
        let merged = |key| self.merged.get(key).copied().unwrap_or_default();
        let shown = self.rules.iter().map(|(key, &count)| (key.0.as_ref(), key.1, count - merged(key)));
        let mut rules: Vec<_> = shown.collect();
        rules.sort_by_key(|&(_, severity, count)| std::cmp::Reverse((count, severity)));
        rules
    }

    /// How the run ended: a file that could not be opened or fixed weighs more than any finding, and of a diff counts
    /// whether there is one.
    pub(crate) fn exit(&self) -> Exit {
        if self.unopened > 0 || self.unwritten > 0 || self.is_empty() && !self.may_be_empty {
            Exit::Unable
        } else if matches!(self.fix_mode, FixMode::Show(_)) {
            if self.changed > 0 { Exit::Findings } else { Exit::Clean }
        } else if self.fails {
            Exit::Findings
        } else {
            Exit::Clean
        }
    }
}
