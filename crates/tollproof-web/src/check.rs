//! A JSON value checked: each finding with the field and the part of its text that it is about.

use serde::Serialize;
use tollproof_core::document::Node;
use tollproof_core::{
    Finding, Format, Kind, Linter, Parsed, Prevents, ReadUse, Report, Severity, Source, kind_of, quoted,
};

use crate::json_string::{StringRange, range_in};
use crate::language;
use crate::options::CheckOptions;
use crate::value_fix::{ValueFix, place_of};

/// A check's findings, in the shape of `Check` in `npm/src/types.ts`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ValueCheck<'r> {
    provider: Option<&'static str>,
    kind: Option<&'static str>,
    findings: Vec<ValueFinding<'r>>,
    summary: FindingCounts,
    /// The numbers that the drafts name, and Canadian businesses, as `earlier` of other drafts has them.
    numbers: Vec<&'r str>,
    not_checked: Vec<String>,
    by_words: Option<ByWords>,
}

/// The drafts that words alone judged: no reader has read them.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ByWords {
    drafts: usize,
    /// About how many of ten reasons in what texts mean words find.
    tenths: u32,
}

impl ByWords {
    pub(crate) fn of(report: &Report) -> Option<Self> {
        let (drafts, tenths) = (report.read.unread, ReadUse::tenths_by_words());
        (drafts > 0).then_some(Self { drafts, tenths })
    }
}

/// The number of findings by severity.
#[derive(Debug, Serialize)]
pub(crate) struct FindingCounts {
    errors: usize,
    warnings: usize,
    infos: usize,
}

impl FindingCounts {
    pub(crate) fn of(report: &Report) -> Self {
        let [infos, warnings, errors] = Severity::ALL.map(|it| report.count(it));
        Self { errors, warnings, infos }
    }
}

/// A finding in a value.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ValueFinding<'r> {
    rule: &'r str,
    title: String,
    severity: Severity,
    message: &'r str,
    help: Option<&'r str>,
    document: usize,
    pointer: &'r str,
    role: Option<&'static str>,
    range: Option<StringRange>,
    related: Vec<RelatedPlace<'r>>,
    fix: Option<ValueFix>,
    prevents: &'r [Prevents],
    fingerprint: &'r str,
    /// The reader whose answer it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    read_by: Option<&'r str>,
}

/// Another value that explains a finding.
#[derive(Debug, Serialize)]
struct RelatedPlace<'r> {
    /// Another draft, if the place is not in the value.
    file: Option<&'r str>,
    pointer: String,
    message: &'r str,
    /// Its text, if it is a part of the same value.
    quote: Option<String>,
}

/// Checks a value.
pub(crate) fn check(value: &str, options: &CheckOptions) -> Result<String, String> {
    let source = Source::new("draft", value);
    let parsed = Parsed::of(&source, Some(Format::Json));
    let linter = options.linter();
    let report = language::report(linter.check(&parsed, options.hint(), &options.facts()?));
    let whole = parsed.whole();
    let kind = whole.documents().find_map(|document| kind_of(&document, options.hint()));
    let mut numbers: Vec<&str> = report.numbers.mentions().map(|(number, _)| number).collect();
    numbers.sort_unstable();
    let check = ValueCheck {
        numbers,
        provider: kind.map(|kind| kind.provider().name()),
        kind: kind.map(Kind::name),
        findings: findings(&linter, &parsed, &report),
        summary: FindingCounts::of(&report),
        not_checked: not_checked(&report),
        by_words: ByWords::of(&report),
    };
    Ok(serde_json::to_string(&check).expect("its keys are strings"))
}

/// The unchecked parts.
pub(crate) fn not_checked(report: &Report) -> Vec<String> {
    let all = report
        .seen
        .not_checked(true)
        .into_iter()
        .chain(report.read.not_checked().filter(|_| report.read.has_readings()));
    all.map(|item| language::chosen().message(&item.with_option()).into()).collect()
}

/// The findings that count.
pub(crate) fn findings<'r>(
    linter: &'r Linter,
    parsed: &Parsed<'_>,
    report: &'r Report,
) -> Vec<ValueFinding<'r>> {
    let whole = parsed.whole();
    let roots: Vec<Option<&Node<'_>>> =
        whole.documents().map(|draft| draft.document().root.as_ref()).collect();
    let counting = report.findings.iter().filter(|it| it.suppressed.is_none());
    counting
        .map(|found| {
            let root = roots.get(found.document).copied().flatten();
            ValueFinding::new(linter, parsed, root, found)
        })
        .collect()
}

impl<'r> ValueFinding<'r> {
    fn new(linter: &'r Linter, parsed: &Parsed<'_>, root: Option<&Node<'_>>, found: &'r Finding) -> Self {
        let at = linter.rules().binary_search_by(|rule| rule.id.cmp(&found.rule));
        let node = root.and_then(|root| root.at(&found.pointer));
        let place = |span| root.map(|root| place_of(root, span)).unwrap_or_default();
        let related = found.related.iter().map(|related| {
            let file = related.file.as_deref().filter(|file| *file != parsed.source().name());
            let span = related.span.filter(|_| file.is_none());
            let pointer = span.map(place).unwrap_or_default();
            let text = span
                .filter(|_| *pointer == *found.pointer)
                .and_then(|span| parsed.source().text().get(span.range()));
            RelatedPlace { file, pointer, message: &related.message, quote: text.map(quoted) }
        });
        let fix = found.fix.as_ref().filter(|fix| !fix.edits.is_empty());
        Self {
            rule: &found.rule,
            title: at.map_or_else(|_| String::new(), |at| language::say(linter.rules()[at].text().title)),
            severity: found.severity,
            message: &found.message,
            help: found.help.as_deref(),
            document: found.document,
            pointer: &found.pointer,
            role: found.kind.and_then(|kind| kind.role_of(&found.pointer)),
            range: node.zip(found.span).and_then(|(node, span)| range_in(parsed.source(), node, span)),
            related: related.collect(),
            fix: fix.and_then(|fix| ValueFix::of(fix, parsed, found.document)),
            prevents: &found.prevents,
            fingerprint: &found.fingerprint,
            read_by: found.read_by.as_deref(),
        }
    }
}
