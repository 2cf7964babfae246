//! Tries fixes before they are offered: one that makes a new error is withheld.

use std::collections::{BTreeMap, BTreeSet};

use crate::checks::SystemCheck;
use crate::facts::Batch;
use crate::finding::{Finding, Fix, Safety, Severity, apply};
use crate::lint::linter::{CheckInput, Linter};
use crate::lint::report::Report;
use crate::provider::detect::{Detection, KindHint, detect};
use crate::provider::kind::Provider;
use crate::syntax::source::Source;
use crate::syntax::{Format, Parsed, SourceDocument};

/// As many fixes of one document are tried one by one; where they do harm together, the others are withheld.
const MAX_ROUNDS: usize = 8;

/// Takes out those of the tried fixes of a report that would make new errors.
///
/// A fix may reveal what is wrong with the very value that it corrects or whose field it renames, but no more errors
/// there than before. At any other place there may be no new one. Safe fixes of a value's form do no harm and are not
/// tried; those of its type are, since a value of a wrong type is judged by no other rule.
pub(crate) fn withhold(linter: &Linter, report: &mut Report, input: CheckInput<'_>) {
    let of_schema = |finding: &Finding| {
        linter
            .rule(&finding.rule)
            .is_some_and(|rule| matches!(rule.check.system(), Some(SystemCheck::Schema(_))))
    };
    let is_tried = |finding: &Finding| {
        finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Unsafe || of_schema(finding))
            && report.can_fix(finding)
    };
    let mut waiting: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, finding) in report.findings.iter().enumerate().filter(|(_, it)| is_tried(it)) {
        waiting.entry(finding.document).or_default().push(at);
    }
    let all: BTreeSet<usize> = waiting.values().flatten().copied().collect();
    if all.is_empty() {
        return;
    }
    let harmed = harm(linter, report, input, &all);
    if harmed.is_empty() {
        return;
    }
    waiting.retain(|document, _| harmed.contains(document));
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    for round in 0..MAX_ROUNDS {
        let tried: BTreeMap<usize, usize> =
            waiting.iter().filter_map(|(document, fixes)| Some((*document, *fixes.get(round)?))).collect();
        if tried.is_empty() {
            break;
        }
        let fixes = kept.iter().chain(tried.values()).copied().collect();
        let harmed = harm(linter, report, input, &fixes);
        kept.extend(tried.iter().filter(|(document, _)| !harmed.contains(document)).map(|(_, at)| *at));
    }
    let mut withheld: BTreeSet<usize> =
        waiting.into_values().flatten().filter(|at| !kept.contains(at)).collect();
    // What documents say of each other, such as a number that two of them name, may still be new.
    let offered = all.difference(&withheld).copied().collect();
    if !harm(linter, report, input, &offered).is_empty() {
        withheld = all;
    }
    for at in withheld {
        report.findings[at].fix = None;
    }
}

/// The documents in which the fixes of some findings together make a new error.
fn harm(linter: &Linter, report: &Report, input: CheckInput<'_>, fixes: &BTreeSet<usize>) -> BTreeSet<usize> {
    let parsed = input.parsed;
    let findings = || fixes.iter().map(|at| &report.findings[*at]);
    let Some((text, _)) =
        apply(parsed.source().text(), findings().filter_map(|it| it.fix.as_ref()).collect())
    else {
        return BTreeSet::new();
    };
    let fixed = parsed.source().rewritten(text);
    let concerned: BTreeSet<usize> = findings().map(|it| it.document).collect();
    let Some(after) = after_in_lines(linter, report, input, &fixed, &concerned).or_else(|| {
        let fixed = Parsed::of(&fixed, Some(parsed.format()));
        after_fixes(linter, report, CheckInput { parsed: &fixed, ..input }, &concerned)
    }) else {
        return concerned;
    };
    let places: BTreeSet<FindingPlace<'_>> = findings().flat_map(places).collect();
    let (before, after) = (Errors::of(report, &places), Errors::of(&after, &places));
    let harmed: BTreeSet<usize> = after.beyond(&before).collect();
    // An error in a document without a fix comes from one of those that have some.
    if harmed.is_subset(&concerned) { harmed } else { concerned }
}

/// Checks some documents after fixes. `None` if the fixes spoil the text.
fn after_fixes(
    linter: &Linter,
    report: &Report,
    fixed: CheckInput<'_>,
    concerned: &BTreeSet<usize>,
) -> Option<Report> {
    let mut after = linter.check_some(fixed, Some(concerned));
    if !report.numbers.names_the_same(&after.numbers) {
        // Another document may now name a number that was named already.
        after = linter.check_some(fixed, None);
    }
    (!report.was_spoilt(&after)).then_some(after)
}

/// The same for documents that are lines: the other lines are not read again. `None` if that may give another result.
fn after_in_lines(
    linter: &Linter,
    report: &Report,
    input: CheckInput<'_>,
    fixed: &Source<'_>,
    concerned: &BTreeSet<usize>,
) -> Option<Report> {
    if input.parsed.format() != Format::Ndjson {
        return None;
    }
    let before = Parsed::of_lines(input.parsed.source(), concerned, report.seen())?;
    let fixed = Parsed::of_lines(fixed, concerned, report.seen())?;
    let after = linter.check_some(CheckInput { parsed: &fixed, ..input }, None);
    let mut numbers = Batch::default();
    numbers.read(&before, input.hint);
    let is_spoilt = after.seen() < concerned.len() || !after.damaged.is_subset(&report.damaged);
    (!is_spoilt && numbers.names_the_same(&after.numbers)).then_some(after)
}

/// Counts a document that is not checked, and the numbers that it names.
pub(crate) fn pass_by(
    document: SourceDocument<'_>,
    kind: KindHint,
    own: &[Provider],
    is_meant: &dyn Fn() -> bool,
    report: &mut Report,
) {
    match detect(&document, kind, own, is_meant) {
        Detection::NoDraft => report.skipped += 1,
        Detection::Draft(kind) if kind.is_submit() => {
            report.documents += 1;
            report.numbers.add_document(document, kind);
        }
        Detection::Draft(_) | Detection::Unknown(_) => report.documents += 1,
    }
}

/// A document and a pointer.
type FindingPlace<'r> = (usize, std::borrow::Cow<'r, str>);

/// The places that a fix changes: the value of its finding, and that under its new name where it renames a field.
fn places(finding: &Finding) -> impl Iterator<Item = FindingPlace<'_>> {
    let above = finding.pointer.rsplit_once('/').map_or("", |(above, _)| above);
    let named = finding.fix.iter().flat_map(|Fix { edits, .. }| edits);
    let named = named.map(move |edit| format!("{above}/{}", edit.text.trim_matches('"')).into());
    named.chain([finding.pointer.as_str().into()]).map(|pointer| (finding.document, pointer))
}

/// Counts of each error by place; at places that fixes change, counts of all errors.
#[derive(Debug, Default)]
struct Errors<'r>(BTreeMap<(usize, &'r str, &'r str), usize>);

impl<'r> Errors<'r> {
    fn of(report: &'r Report, places: &'r BTreeSet<FindingPlace<'r>>) -> Self {
        let mut errors = Self::default();
        let counts = |finding: &&Finding| finding.severity == Severity::Error && finding.suppressed.is_none();
        for finding in report.findings.iter().filter(counts) {
            let above = finding.pointer.match_indices('/').skip(1).map(|(end, _)| &finding.pointer[..end]);
            let changed = above.chain([finding.pointer.as_str()]).find_map(|pointer| {
                let place = places.get(&(finding.document, pointer.into()))?;
                Some((finding.document, "", place.1.as_ref()))
            });
            let kind = changed.unwrap_or((finding.document, &finding.rule, &finding.pointer));
            *errors.0.entry(kind).or_default() += 1;
        }
        errors
    }

    /// The documents that have more errors than before, of any rule at any place.
    fn beyond(&self, before: &Self) -> impl Iterator<Item = usize> {
        let more =
            self.0.iter().filter(|(kind, count)| before.0.get(kind).is_none_or(|before| *count > before));
        more.map(|((document, ..), _)| *document)
    }
}
