//! Counts the findings of a run, and determines the exit status.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use jiff::Timestamp;
use tollproof_core::{Finding, Message, NotChecked, Report, ReportTotals, Safety, Severity, SuppressedBy};
use tollproof_project::{CheckedText, FailOn, merge_missing, merged_away};

use crate::statistics::{Statistics, StatisticsBy};

#[derive(Debug, Default)]
pub(crate) struct RunCounts {
    /// The totals that every report has.
    pub(crate) totals: ReportTotals,
    /// The number of them for each provider but the default one, by the provider's title.
    pub(crate) providers: BTreeMap<&'static str, usize>,
    /// The number of non-drafts in files found in folders.
    pub(crate) skipped: usize,
    /// The number of files found in folders that the settings exclude.
    pub(crate) excluded: usize,
    /// Whether checking nothing is allowed, because only changed files were requested and there are none.
    pub(crate) may_be_empty: bool,
    /// The files of notes and programs in which a draft is incomplete.
    pub(crate) incomplete: BTreeSet<String>,
    /// The files of notes that name no provider.
    pub(crate) assumed: BTreeSet<String>,
    /// The files with documents that are not drafts.
    pub(crate) not_drafts: BTreeSet<String>,
    /// The number of unreadable files.
    pub(crate) unopened: usize,
    /// The number of baseline findings that did not occur; `None` without a baseline.
    pub(crate) stale: Option<usize>,
    /// Whether a finding makes the run fail.
    fails: bool,
    /// The handling of fixes in the run.
    pub(crate) fix_mode: FixMode,
    /// The number of fixes, applied or proposed.
    pub(crate) fixed: usize,
    /// The number of files changed by fixes.
    pub(crate) changed: usize,
    /// The number of files that could not be fixed.
    pub(crate) unwritten: usize,
    /// Findings with a fix.
    fixable: BTreeMap<(Severity, Safety), usize>,
    /// Suppressed findings, by the kind of suppression.
    suppressed: BTreeMap<SuppressedBy, usize>,
    /// Findings that count, per rule and severity. A rule may have several severities.
    rules: BTreeMap<(Cow<'static, str>, Severity), usize>,
    /// Findings after merging, by use case and by file, if statistics of them are shown.
    groups: [BTreeMap<String, usize>; 2],
    /// Whether addresses of drafts are not shown, because personal data is hidden.
    pub(crate) hides_addresses: bool,
    /// The time of the run.
    now: Option<Timestamp>,
    /// Whether the run was stopped before its end.
    pub(crate) is_interrupted: bool,
    /// The number of these merged into others in reports for people.
    merged: BTreeMap<(Cow<'static, str>, Severity), usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FixMode {
    /// Nothing; fixes are not mentioned.
    #[default]
    Never,
    /// Prints how many there are.
    Offer,
    /// Shows the changes of fixes of this safety.
    Show(Safety),
    /// Applies fixes of this safety.
    Apply(Safety),
}

/// The exit status of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// No finding at or above the severity that fails a run.
    Clean = 0,
    /// A finding at or above that severity.
    Findings = 1,
    /// The run could not do everything that was requested.
    Unable = 2,
    /// The provider refused what was sent, or rejected it.
    #[cfg(feature = "online")]
    Refused = 3,
    /// The key is missing, or the provider refused it or its role.
    #[cfg(feature = "online")]
    Key = 4,
    /// Something is left to do, or the time to wait has ended.
    #[cfg(feature = "online")]
    Unfinished = 5,
    /// It is not known whether the provider has what was sent.
    #[cfg(feature = "online")]
    Unknown = 6,
    /// The provider answered that there were too many requests.
    #[cfg(feature = "online")]
    Limited = 7,
    /// The user stopped the run: as a shell reports a program that Ctrl-C ended.
    Interrupted = 130,
}

impl Exit {
    /// The status as a number.
    pub(crate) fn status(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.status())
    }
}

impl RunCounts {
    /// Nothing yet; `redact` says whether personal data is hidden.
    pub(crate) fn of_run(redact: bool, now: Option<Timestamp>) -> Self {
        Self { hides_addresses: redact, now, ..Self::default() }
    }

    pub(crate) fn add(&mut self, checked: &Report, fail_on: FailOn) {
        let least = match fail_on {
            FailOn::Error => Some(Severity::Error),
            FailOn::Warning => Some(Severity::Warning),
            FailOn::Info => Some(Severity::Info),
            FailOn::Never => None,
        };
        let fails = |finding: &Finding| {
            finding.suppressed.is_none() && least.is_some_and(|least| finding.severity >= least)
        };
        self.fails |= checked.findings.iter().any(fails);
        self.totals.add(checked);
        for (provider, documents) in &checked.providers {
            *self.providers.entry(provider).or_default() += documents;
        }
        self.skipped += checked.skipped;
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

    /// Counts the findings of a text by use case and file, as far as statistics of them are shown, and notes its name if a
    /// draft is incomplete or names no provider, or if it has something that is not a draft.
    pub(crate) fn add_groups(&mut self, text: &CheckedText, shown: Statistics) {
        let report = &text.report.report;
        for (count, files) in [
            (report.incomplete, &mut self.incomplete),
            (report.assumed, &mut self.assumed),
            (report.skipped, &mut self.not_drafts),
        ] {
            files.extend((count > 0).then(|| text.file.name.clone()));
        }
        let [.., by_use_case, by_file] = shown;
        let counting: Vec<&Finding> =
            text.report.report.findings.iter().filter(|finding| finding.suppressed.is_none()).collect();
        if counting.is_empty() || !by_use_case && !by_file {
            return;
        }
        let merged = merge_missing(&counting);
        for finding in merged.iter().filter(|_| by_use_case) {
            let use_case = text.use_cases.get(&finding.document).map_or("-", String::as_str);
            *self.groups[0].entry(use_case.to_owned()).or_default() += 1;
        }
        if by_file {
            *self.groups[1].entry(text.file.name.clone()).or_default() += merged.len();
        }
    }

    /// The rows of a statistic, the most frequent first.
    pub(crate) fn statistics(&self, by: StatisticsBy) -> Vec<(usize, String)> {
        let mut rows: Vec<(usize, String)> = match by {
            StatisticsBy::Rule => {
                let rules = self.rules();
                return rules
                    .iter()
                    .map(|(rule, severity, count)| (*count, format!("{severity:7}  {rule}")))
                    .collect();
            }
            StatisticsBy::Severity => {
                let counts = Severity::ALL
                    .iter()
                    .rev()
                    .map(|&severity| (self.shown(severity), severity.name().to_owned()));
                return counts.filter(|(count, _)| *count > 0).collect();
            }
            StatisticsBy::UseCase => {
                self.groups[0].iter().map(|(name, count)| (*count, name.clone())).collect()
            }
            StatisticsBy::File => self.groups[1].iter().map(|(name, count)| (*count, name.clone())).collect(),
        };
        rows.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        rows
    }

    /// Lists what could not be checked: facts that are not in the draft, and data that this run did not have.
    /// In reports for people, the verdict says what was not read.
    pub(crate) fn not_checked(&self) -> Vec<NotChecked> {
        let mut totals = self.totals.clone();
        totals.read.unread = 0;
        totals.not_checked(!self.hides_addresses)
    }

    /// All of it as texts, with the options that would check them.
    pub(crate) fn not_checked_with_options(&self) -> Vec<String> {
        let all = self.totals.not_checked(!self.hides_addresses);
        all.iter().map(|what| what.with_option().into()).collect()
    }

    /// Describes how long ago the pages were seen.
    pub(crate) fn age_of_pages(&self) -> Option<Message> {
        self.totals.seen.age(self.now)
    }

    /// Describes how long ago drafts were read.
    pub(crate) fn age_of_readings(&self) -> Option<Message> {
        self.totals.read.age(self.now)
    }

    /// Counts the suppressed findings.
    pub(crate) fn suppressed(&self) -> usize {
        self.totals.suppressed
    }

    /// Counts the findings suppressed in this way.
    pub(crate) fn suppressed_by(&self, by: SuppressedBy) -> usize {
        self.suppressed.get(&by).copied().unwrap_or_default()
    }

    /// Counts unsuppressed findings of exactly this severity, including those below `--min-severity`.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.totals.count(severity)
    }

    /// Like [`RunCounts::count`], but after merging: the missing fields of one object are one finding, and so are its
    /// empty ones.
    pub(crate) fn shown(&self, severity: Severity) -> usize {
        let merged = self.merged.iter().filter(|((_, it), _)| *it == severity).map(|(_, count)| count);
        self.count(severity) - merged.sum::<usize>()
    }

    /// Counts findings of at least this severity with a fix of this safety.
    pub(crate) fn fixable(&self, min: Severity, safety: Safety) -> usize {
        self.fixable.iter().filter(|((it, of), _)| *it >= min && *of == safety).map(|(_, count)| count).sum()
    }

    /// Whether nothing was checked.
    pub(crate) fn is_empty(&self) -> bool {
        self.totals.documents == 0 && self.rules.is_empty()
    }

    /// Rules with their severity and merged count, the most frequent first.
    pub(crate) fn rules(&self) -> Vec<(&str, Severity, usize)> {
        let merged = |key| self.merged.get(key).copied().unwrap_or_default();
        let shown = self.rules.iter().map(|(key, &count)| (key.0.as_ref(), key.1, count - merged(key)));
        let mut rules: Vec<_> = shown.collect();
        rules.sort_by_key(|&(_, severity, count)| std::cmp::Reverse((count, severity)));
        rules
    }

    /// The exit status: a file that could not be opened or fixed takes precedence over findings. With `--diff`, the
    /// status only depends on whether there is a difference.
    pub(crate) fn exit(&self) -> Exit {
        if self.is_interrupted {
            Exit::Interrupted
        } else if self.unopened > 0 || self.unwritten > 0 || self.is_empty() && !self.may_be_empty {
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
