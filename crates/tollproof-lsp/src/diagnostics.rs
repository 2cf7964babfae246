//! Findings as diagnostics.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gen_lsp_types::{
    Code, CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    Location, Message, Range, Uri,
};
use tollproof_core::document::Node;
use tollproof_core::{Finding, Parsed, Related, Report, Severity, Source, StrictError, schema};
use tollproof_project::{FileKind, FileReport, Files, RelatedTexts, merge_missing_at_one_place};

use crate::text::Encoding;
use crate::uri::uri_of;

/// Options shared by all diagnostics.
#[derive(Clone, Copy)]
pub(crate) struct DiagnosticOptions<'o> {
    pub(crate) encoding: Encoding,
    pub(crate) files: &'o dyn Files,
    /// The page about a rule.
    pub(crate) rule_url: &'o dyn Fn(&str) -> Option<String>,
}

impl DiagnosticOptions<'_> {
    /// The diagnostics of a document: one for each finding that [`shown`] returns, in their order, and a hint if no reader has
    /// read it.
    pub(crate) fn of_report(self, uri: &Uri, parsed: &Parsed<'_>, report: &FileReport) -> Vec<Diagnostic> {
        let source = parsed.source();
        let mut places = self.encoding.places(source);
        let whole = parsed.whole();
        let roots: Vec<Option<&Node<'_>>> =
            whole.documents().map(|draft| draft.document().root.as_ref()).collect();
        let findings = shown(&report.report);
        let diagnostics = findings.iter().map(|finding| {
            let range = places.range(finding.span.unwrap_or_default());
            let mut message = finding.message.to_string();
            if let Some(help) = &finding.help {
                message += "\n";
                message += help;
            }
            let root = roots.get(finding.document).copied().flatten();
            let tags = is_unnecessary(source, root, finding).then(|| vec![DiagnosticTag::Unnecessary]);
            let mut related = Vec::new();
            for it in &finding.related {
                match self.location(uri, source, &report.related, it) {
                    Some(location) => {
                        related
                            .push(DiagnosticRelatedInformation { location, message: it.message.to_string() });
                    }
                    None => message = format!("{message}\n{}", it.message),
                }
            }
            Diagnostic {
                range,
                severity: Some(severity(finding.severity)),
                code: Some(Code::String(finding.rule.to_string())),
                code_description: (self.rule_url)(&finding.rule)
                    .map(|href| CodeDescription { href: Uri(href) }),
                source: Some("tollproof".to_owned()),
                message: Message::String(message),
                tags,
                related_information: (!related.is_empty()).then_some(related),
                data: None,
            }
        });
        // Once a file, without a mark in its lines: what words alone judged.
        let by_words = report.report.read.by_words().map(|message| Diagnostic {
            severity: Some(DiagnosticSeverity::Hint),
            source: Some("tollproof".to_owned()),
            message: Message::String(message.to_string()),
            ..Diagnostic::default()
        });
        diagnostics.chain(by_words).collect()
    }

    /// The place of a note, if an editor can show it.
    fn location(
        self,
        uri: &Uri,
        source: &Source<'_>,
        texts: &RelatedTexts,
        related: &Related,
    ) -> Option<Location> {
        if related.file.as_deref().is_none_or(|file| file == source.name()) && related.place.is_none() {
            let range = self.encoding.places(source).range(related.span?);
            return Some(Location { uri: uri.clone(), range });
        }
        let (other, span) = texts.open_place(source.name(), related)?;
        let path = std::path::absolute(other.name()).ok()?;
        let range = self.encoding.places(&other).range(span);
        // A record in a store is not a file.
        let is_file = self.files.kind(&path) == Some(FileKind::File);
        is_file.then(|| Location { uri: uri_of(&path), range })
    }

    /// The errors in settings and rules, by file.
    pub(crate) fn of_errors(self, errors: &[StrictError]) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
        let mut files: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
        for error in errors {
            let Ok(path) = std::path::absolute(Path::new(&error.file)) else { continue };
            let source = Source::new(error.file.as_str(), error.text.as_str());
            let range = self.encoding.places(&source).range(error.span.unwrap_or_default());
            let help = error.help.iter().map(|help| format!("\n{help}"));
            let diagnostic = Diagnostic {
                range,
                severity: Some(DiagnosticSeverity::Error),
                source: Some("tollproof".to_owned()),
                message: Message::String(error.message.clone() + &help.collect::<String>()),
                ..Diagnostic::default()
            };
            files.entry(path).or_default().push(diagnostic);
        }
        files
    }
}

/// The findings that an editor shows: those that count, with the missing fields of an object as one.
pub(crate) fn shown(report: &Report) -> Vec<Cow<'_, Finding>> {
    let counting: Vec<&Finding> = report.findings.iter().filter(|it| it.suppressed.is_none()).collect();
    merge_missing_at_one_place(&counting)
}

/// Whether a finding is about something that has no effect and can go: a field that is not read, or what its fix only removes.
fn is_unnecessary(source: &Source<'_>, root: Option<&Node<'_>>, finding: &Finding) -> bool {
    let Some(span) = finding.span.filter(|it| !it.is_empty()) else { return false };
    if let Some(fix) = &finding.fix {
        let removes = |edit: &tollproof_core::Edit| {
            edit.text.is_empty() && edit.span.start <= span.start && span.end <= edit.span.end
        };
        return fix.edits.iter().all(removes) && !fix.edits.is_empty();
    }
    let (Some(root), Some(kind)) = (root, finding.kind) else { return false };
    let pointer = finding.pointer.as_str();
    let Some((above, _)) = pointer.rsplit_once('/') else { return false };
    let member = root.at(above).and_then(|object| object.members().iter().find(|it| it.key_span == span));
    let is_known = |name: &str| schema::field_names(kind).any(|it| it == name);
    // Below the root, only an unknown field has a finding at its whole key.
    member.is_some_and(|member| !above.is_empty() || !is_known(&member.key)) && !source.slice(span).is_empty()
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
        Severity::Info => DiagnosticSeverity::Information,
    }
}

/// Whether two ranges touch.
pub(crate) fn touch(one: Range, other: Range) -> bool {
    one.start <= other.end && other.start <= one.end
}
