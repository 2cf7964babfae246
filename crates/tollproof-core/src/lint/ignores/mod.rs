//! Findings that do not count: those that comments and settings ignore, and what is wrong with who does.

mod comment;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use self::comment::{IgnoreComment, parts};
use crate::checks::{IgnoreProblem, Violation};
use crate::facts::Facts;
use crate::finding::{Edit, Finding, Fix, Safety, SuppressedBy, Suppression};
use crate::lint::linter::Linter;
use crate::lint::render;
use crate::lint::report::Report;
use crate::lint::system::is_never_ignored;
use crate::rule::Rule;
use crate::rule::config::Ignore;
use crate::rule::selection::{is_always_on, is_named, known, names_rule};
use crate::syntax::Parsed;
use crate::syntax::document::Document;
use crate::syntax::message::{Message, message};
use crate::syntax::message_parts::quoted;
use crate::syntax::source::{Source, Span};

/// A text with more comments that ignore findings than this is not a draft; later comments do not count.
const MAX_COMMENTS: usize = 1_000;

/// An entry of a configuration that ignores findings, and where it is written.
#[derive(Clone, Debug)]
pub struct IgnoreEntry {
    /// The entry itself.
    pub ignore: Ignore,
    /// The place of its rule's name.
    pub rule: Span,
    /// The place of its last day.
    pub until: Option<Span>,
    /// Takes the entry out of the configuration.
    pub removal: Option<Edit>,
    /// Whether there was nothing for it to ignore in all that was checked; where its rule does not run, that says nothing.
    pub unused: bool,
}

/// The comments of one text that ignore findings.
pub(crate) struct Ignores<'s> {
    comments: Vec<IgnoreComment<'s>>,
}

impl<'s> Ignores<'s> {
    /// Reads the comments of a text; `wanted` is false where none counts.
    pub(crate) fn of(parsed: &Parsed<'s>, wanted: bool) -> Self {
        let all = if wanted { parsed.comments() } else { &[] };
        let read = all.iter().filter_map(|&span| IgnoreComment::read(parsed.source(), span));
        Self { comments: read.take(MAX_COMMENTS).collect() }
    }

    /// Tells the comments what begins on their lines.
    pub(crate) fn see(&mut self, document: &Document<'_>) {
        if self.comments.is_empty() {
            return;
        }
        let Some(root) = &document.root else { return };
        let parts = parts(root);
        self.comments.iter_mut().for_each(|comment| comment.cover(&parts));
    }

    /// Marks what is ignored, by comments and by settings, and says of both what is wrong with them.
    pub(crate) fn apply(&self, linter: &Linter, source: &Source<'_>, facts: &Facts, report: &mut Report) {
        let config = linter.config();
        let entries = if config.no_ignores { &[] } else { &config.ignores[..] };
        if self.comments.is_empty() && entries.is_empty() {
            return;
        }
        let mut used = Used::default();
        for finding in &mut report.findings {
            if finding.can_be_hidden() && !is_locked(linter, &finding.rule) {
                finding.suppressed = used.suppression(finding, &self.comments, entries, facts.now);
            }
        }
        // What could not be read may hold what is to be ignored.
        let is_read = report.damaged.is_empty();
        let may_be_unused = |name: &str| {
            is_read
                && linter.runs_all(name)
                && (name != "history" && !name.starts_with("history/")
                    || !facts.history.submissions().is_empty())
                && !(facts.seen.is_empty() && linter.needs_seen(name))
                // Another answer of a reader may report it again.
                && report.read.taken_back == 0
                && !(!facts.readings.is_empty() && report.read.unread > 0 && linter.asks(name))
        };
        for (at, entry) in entries.iter().enumerate() {
            if used.entries.contains(&at) {
                report.used_ignores.push(at);
            } else if may_be_unused(&entry.rule) && !is_over(entry, facts.now) {
                report.unused_ignores.push(at);
            }
        }
        let mut remarks = Vec::new();
        for (at, comment) in self.comments.iter().enumerate() {
            remarks.extend(comment_remarks(linter, source, comment, |name, text| {
                may_be_unused(text) && !used.comments.contains(&(at, name))
            }));
        }
        if remarks.is_empty() {
            return;
        }
        for remark in &mut remarks {
            // Of several documents, the one that the comment stands in or before.
            let after = report.findings.iter().find(|finding| finding.span >= remark.span);
            remark.document = after.or(report.findings.last()).map_or(0, |finding| finding.document);
        }
        report.findings.append(&mut remarks);
        report.findings.sort_by(|a, b| {
            let place = |it: &Finding| (it.document, it.span.map(|span| span.start));
            place(a).cmp(&place(b)).then_with(|| a.rule.cmp(&b.rule))
        });
    }
}

/// Ignores that were used.
#[derive(Debug, Default)]
struct Used {
    /// Comments, and which of their names.
    comments: BTreeSet<(usize, usize)>,
    entries: BTreeSet<usize>,
}

impl Used {
    fn suppression(
        &mut self,
        finding: &Finding,
        comments: &[IgnoreComment<'_>],
        entries: &[Ignore],
        now: Option<Timestamp>,
    ) -> Option<Suppression> {
        let mut suppression = None;
        for (at, comment) in comments.iter().enumerate() {
            let Some(name) = comment.ignores(finding).filter(|_| !comment.reason.is_empty()) else {
                continue;
            };
            self.comments.insert((at, name));
            let reason = || Some(quoted(comment.reason));
            suppression.get_or_insert_with(|| Suppression { by: SuppressedBy::Comment, reason: reason() });
        }
        for (at, entry) in entries.iter().enumerate() {
            let is_meant = is_named(&entry.rule, &finding.rule)
                && entry.pointer.as_deref().is_none_or(|pointer| is_within(&finding.pointer, pointer));
            if is_meant && !is_over(entry, now) {
                self.entries.insert(at);
                let reason = || Some(quoted(&entry.reason));
                suppression.get_or_insert_with(|| Suppression { by: SuppressedBy::Config, reason: reason() });
            }
        }
        suppression
    }
}

impl Linter {
    /// Says what is wrong with the entries of a configuration that ignore findings; `source` is the configuration's text.
    pub fn check_ignores(
        &self,
        source: &Source<'_>,
        entries: &[IgnoreEntry],
        now: Option<Timestamp>,
    ) -> Report {
        let remarks = entries.iter().filter_map(|entry| {
            let name = entry.ignore.rule.as_str();
            let remove = || entry.removal.clone();
            if let Err(unknown) = known(name, self.rules()) {
                let fix = unknown.nearest.clone().map(|text| Edit { span: entry.rule, text });
                let near = Message::did_you_mean(unknown.nearest.as_deref());
                let violation = Violation::at(entry.rule).fill("rule", name).fill("nearest", near);
                return remark(self, source, IgnoreProblem::Unknown, violation, fix.or_else(remove));
            }
            if is_over(&entry.ignore, now) {
                let until = entry.ignore.until.map(|it| it.to_string()).unwrap_or_default();
                let violation =
                    Violation::at(entry.until.unwrap_or(entry.rule)).fill("rule", name).fill("until", until);
                let violation = violation.fill("reason", entry.ignore.reason.as_str());
                return remark(self, source, IgnoreProblem::Expired, violation, remove());
            }
            let is_locked = is_locked(self, name);
            (entry.unused && self.runs_all(name) || is_locked).then(|| {
                remark(self, source, IgnoreProblem::Unused, unused(name, entry.rule, is_locked), remove())
            })?
        });
        Report { findings: remarks.collect(), ..Report::default() }
    }

    /// Whether all rules of a name run that run by default, and one at least.
    fn runs_all(&self, name: &str) -> bool {
        let mut named = self.rules().iter().filter(|rule| is_named(name, &rule.id)).peekable();
        named.peek().is_some() && named.all(|rule| self.runs(rule) || !rule.enabled && name != rule.id)
    }

    /// Whether all rules of a name need what `tollproof look` saw, and find nothing without it.
    pub fn needs_seen(&self, name: &str) -> bool {
        let mut named = self.rules().iter().filter(|rule| is_named(name, &rule.id)).peekable();
        let needs = |rule: &Rule| rule.needs_seen;
        named.peek().is_some() && named.all(needs)
    }

    /// Whether a rule, or one of a group, asks a reader.
    fn asks(&self, name: &str) -> bool {
        self.rules().iter().any(|rule| rule.asks && is_named(name, &rule.id))
    }

    /// The rule of what is wrong with an ignore comment or entry, if it runs.
    fn ignore_rule(&self, problem: IgnoreProblem) -> Option<&Rule> {
        self.rule_of_ignore(problem).filter(|rule| self.runs(rule))
    }
}

/// Reports problems of a comment, name by name; `is_unused` says whether nothing was found of a name.
fn comment_remarks(
    linter: &Linter,
    source: &Source<'_>,
    comment: &IgnoreComment<'_>,
    is_unused: impl Fn(usize, &str) -> bool,
) -> Vec<Finding> {
    if comment.names.is_empty() {
        let violation = Violation {
            message: Some("this comment looks like one that ignores a rule, and names none".into()),
            ..Violation::at(comment.span)
        };
        return remark(linter, source, IgnoreProblem::Unknown, violation, None).into_iter().collect();
    }
    if comment.reason.is_empty() {
        let names: Vec<&str> = comment.names.iter().map(|(name, _)| *name).collect();
        let violation = Violation::at(comment.span).fill("rule", names.join(", "));
        return remark(linter, source, IgnoreProblem::Unexplained, violation, None).into_iter().collect();
    }
    let remarks = comment.names.iter().enumerate().filter_map(|(at, &(name, span))| {
        let without = || Some(comment.without(source, at));
        if let Err(unknown) = known(name, linter.rules()) {
            let fix = unknown.nearest.clone().map(|text| Edit { span, text });
            let violation = Violation::at(span).fill("rule", name);
            let violation = violation.fill("nearest", Message::did_you_mean(unknown.nearest.as_deref()));
            return remark(linter, source, IgnoreProblem::Unknown, violation, fix.or_else(without));
        }
        let is_locked = is_locked(linter, name);
        (is_locked || is_unused(at, name)).then(|| {
            remark(linter, source, IgnoreProblem::Unused, unused(name, span, is_locked), without())
        })?
    });
    remarks.collect()
}

/// Whether all that a name means counts whatever is ignored.
fn is_locked(linter: &Linter, name: &str) -> bool {
    is_never_ignored(name) || names_rule(&linter.config().locked, name)
}

fn unused(name: &str, span: Span, is_locked: bool) -> Violation {
    let violation = Violation::at(span).fill("rule", name);
    if !is_locked {
        return violation;
    }
    let (message, help) = if is_always_on(name) {
        (
            message!("`{}` cannot be ignored", name),
            "Remove this and fix the error: a text that cannot be read cannot be checked.",
        )
    } else if is_never_ignored(name) {
        (
            message!("`{}` cannot be ignored", name),
            "Remove this, and fix the comment or entry that is reported.",
        )
    } else {
        (
            message!("`{}` is locked by the configuration: nothing can ignore it", name),
            "Remove this, and fix what is found; `locked-rules` in tollproof.yaml says which rules are locked.",
        )
    };
    Violation { message: Some(message), help: Some(help.into()), ..violation }
}

fn remark(
    linter: &Linter,
    source: &Source<'_>,
    problem: IgnoreProblem,
    violation: Violation,
    edit: Option<Edit>,
) -> Option<Finding> {
    // Whether something may be said again is for a person to see.
    let fix = edit.map(|edit| Fix { safety: Safety::Unsafe, edits: vec![edit] });
    Some(render::remark(linter.ignore_rule(problem)?, Violation { fix, ..violation }, source))
}

/// Whether the last day of an entry has passed, in UTC; without a clock, it has not.
fn is_over(ignore: &Ignore, now: Option<Timestamp>) -> bool {
    let today = now.map(|now| now.to_zoned(TimeZone::UTC).date());
    ignore.until.zip(today).is_some_and(|(until, today)| until < today)
}

/// Whether a pointer leads to a value or into it.
fn is_within(pointer: &str, value: &str) -> bool {
    pointer.strip_prefix(value).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
