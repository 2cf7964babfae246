//! A text in any format checked: the findings of the command line's JSON report.

use serde::Serialize;
use tollproof_core::{Document, JsonFinding, Kind, KindHint, LineIndex, Parsed, Source, kind_of, role};

use crate::check::{ByWords, FindingCounts, not_checked};
use crate::language;
use crate::options::CheckOptions;

/// The result of a text check, in the shape of `TextCheck` in `npm/src/types.ts`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TextCheck<'r> {
    format: &'static str,
    documents: Vec<ListedDocument<'r>>,
    findings: Vec<JsonFinding<'r>>,
    summary: FindingCounts,
    not_checked: Vec<String>,
    by_words: Option<ByWords>,
}

/// A document of a text.
#[derive(Debug, Serialize)]
pub(crate) struct ListedDocument<'d> {
    provider: Option<&'static str>,
    kind: Option<&'static str>,
    /// The name of the business.
    label: Option<&'d str>,
}

impl<'d> ListedDocument<'d> {
    pub(crate) fn of(document: &'d Document<'_>, hint: KindHint) -> Self {
        let kind = kind_of(document, hint);
        let name = kind.zip(document.root.as_ref());
        let name = name.and_then(|(kind, root)| kind.field(root, role::BUSINESS_NAME)?.as_str());
        Self {
            provider: kind.map(|kind| kind.provider().name()),
            kind: kind.map(Kind::name),
            label: name.map(str::trim).filter(|it| !it.is_empty()),
        }
    }

    pub(crate) fn provider(&self) -> Option<&'static str> {
        self.provider
    }

    pub(crate) fn kind(&self) -> Option<&'static str> {
        self.kind
    }

    pub(crate) fn label(&self) -> Option<&'d str> {
        self.label
    }
}

/// Checks a text.
pub(crate) fn check(text: &str, options: &CheckOptions) -> Result<String, String> {
    let source = Source::new(options.file_name(), text);
    let parsed = Parsed::of(&source, None);
    let report = language::report(options.linter().check(&parsed, options.hint(), &options.facts()?));
    let whole = parsed.whole();
    let documents: Vec<_> = whole.documents().collect();
    let mut places = LineIndex::new(&source);
    let checked = TextCheck {
        format: parsed.format().name(),
        documents: documents.iter().map(|document| ListedDocument::of(document, options.hint())).collect(),
        findings: report.findings.iter().map(|it| JsonFinding::new(it, &mut places, &|_| None)).collect(),
        summary: FindingCounts::of(&report),
        not_checked: not_checked(&report),
        by_words: ByWords::of(&report),
    };
    Ok(serde_json::to_string(&checked).expect("its keys are strings"))
}
