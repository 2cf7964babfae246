//! SARIF 2.1.0 for code scanning: one run with its results and their rules.

mod shape;

use std::io::{self, Write};

use tollproof_core::{
    FilePlace, Finding, Fix, Kind, Related, Safety, Severity, Span, SuppressedBy, UserRule,
};

use self::shape::{
    ArtifactChange, ArtifactLocation, Configuration, Driver, Fingerprints, Help, Invocation, Notification,
    PhysicalLocation, Properties, Replacement, RuleProperties, SarifFix, SarifLocation, SarifRegion,
    SarifResult, SarifRule, SarifSuppression, SarifText, Tool,
};
use super::rule_docs::{self, REPOSITORY, url};
use super::uri::{identity_of, is_absolute, known, uri};
use super::{FileFindings, Printer, ReportOptions};
use crate::counts::RunCounts;
use crate::terminal::count;
use crate::terminal::{Look, one_line};
use tollproof_core::{ColumnUnit, LineIndex};

/// The maximum number of results in a run; GitHub rejects a file with more. Its limit for rules is the same and needs
/// no check, because each rule in the report has a result.
const MOST_RESULTS: usize = 25_000;

/// How many of the results GitHub stores.
const STORED_RESULTS: usize = 5_000;

/// The maximum number of locations of a result in addition to its own.
const MOST_RELATED: usize = 999;

/// The maximum length of a description in characters.
const MOST_WORDS: usize = 1_024;

/// The name of the folder that relative paths start from, which is the top of the repository.
const ROOT: &str = "%SRCROOT%";

/// The text before the results. Columns are counted as on GitHub; line breaks are those of tollproof.
const HEAD: &str = r#"{
"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
"version": "2.1.0",
"runs": [{
"columnKind": "utf16CodeUnits",
"newlineSequences": ["\r\n", "\n", "\r"],
"originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The top of the repository."}}},
"results": ["#;

/// Prints each result as it is found, and the rules after all results.
#[derive(Debug, Default)]
pub(super) struct Sarif {
    results: usize,
    left_out: usize,
    places_left_out: usize,
    /// The rules of the results, in order of first use.
    rules: Vec<String>,
}

impl Sarif {
    pub(super) fn boxed(_: Look, _: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self::default())
    }

    /// The index of a rule among those of this run.
    fn index(&mut self, id: &str) -> usize {
        self.rules.iter().position(|known| known == id).unwrap_or_else(|| {
            self.rules.push(id.to_owned());
            self.rules.len() - 1
        })
    }

    fn result<'f>(
        &mut self,
        finding: &'f Finding,
        places: &mut LineIndex<'_>,
        checked: &FileFindings<'_>,
    ) -> SarifResult<'f> {
        self.places_left_out += finding.related.len().saturating_sub(MOST_RELATED);
        let related = finding.related.iter().take(MOST_RELATED).enumerate();
        let suppression = finding.suppressed.as_ref();
        let is_known = suppression.is_some_and(|it| it.by == SuppressedBy::Baseline);
        SarifResult {
            rule_id: &finding.rule,
            rule_index: self.index(&finding.rule),
            level: level(finding.severity),
            message: SarifText { text: words(finding) },
            locations: [SarifLocation {
                id: None,
                physical_location: physical(checked.source.identity(), finding.span, places),
                message: finding.label.as_deref().map(plain),
            }],
            related_locations: related.map(|(at, it)| self::related(at, it, places, checked)).collect(),
            partial_fingerprints: Fingerprints { tollproof: &finding.fingerprint },
            fixes: finding.fix.as_ref().map(|fix| [self::fix(fix, finding, places)]),
            suppressions: suppression.map(|it| {
                let kind = if it.by == SuppressedBy::Comment { "inSource" } else { "external" };
                let known = (it.by == SuppressedBy::Baseline).then_some("Known from the baseline.");
                [SarifSuppression { kind, justification: it.reason.as_deref().or(known) }]
            }),
            baseline_state: is_known.then_some("unchanged"),
            properties: Properties {
                document: finding.document,
                kind: finding.kind.map(Kind::name),
                pointer: finding.pointer.bounded(),
            },
        }
    }

    fn notifications(&self, report: &RunCounts) -> Vec<Notification> {
        let unopened =
            (report.unopened > 0).then(|| ("error", count(report.unopened, "file") + " could not be read."));
        let notice = self.notice().map(|notice| ("warning", notice));
        let all = [unopened, notice].into_iter().flatten();
        all.map(|(level, text)| Notification { level, message: SarifText { text } }).collect()
    }
}

impl Printer for Sarif {
    fn file(&mut self, out: &mut dyn Write, checked: &FileFindings<'_>) -> io::Result<()> {
        let mut places = LineIndex::counting(ColumnUnit::Utf16, checked.source);
        for finding in checked.findings {
            if self.results == MOST_RESULTS {
                self.left_out += 1;
                continue;
            }
            writeln!(out, "{}", if self.results == 0 { HEAD } else { "," })?;
            self.results += 1;
            serde_json::to_writer(&mut *out, &self.result(finding, &mut places, checked))?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, report: &RunCounts, own: &[UserRule]) -> io::Result<()> {
        let tool = Tool {
            driver: Driver {
                name: "tollproof",
                semantic_version: env!("CARGO_PKG_VERSION"),
                information_uri: REPOSITORY,
                rules: self.rules.iter().map(|id| rule(id, own)).collect(),
            },
        };
        let invocation = Invocation {
            execution_successful: report.unopened == 0,
            tool_execution_notifications: self.notifications(report),
        };
        write!(out, "{}],\n\"tool\": ", if self.results == 0 { HEAD } else { "\n" })?;
        serde_json::to_writer(&mut *out, &tool)?;
        write!(out, ",\n\"invocations\": [")?;
        serde_json::to_writer(&mut *out, &invocation)?;
        writeln!(out, "]\n}}]\n}}")
    }

    fn notice(&self) -> Option<String> {
        let mut notices = Vec::new();
        if self.left_out > 0 {
            let more = count(self.left_out, "finding");
            notices.push(format!(
                "{more} left out of the SARIF report: GitHub takes {MOST_RESULTS} in one file and stores \
                 {STORED_RESULTS} of them"
            ));
        } else if self.results > STORED_RESULTS {
            let (all, most) = (self.results, STORED_RESULTS);
            notices.push(format!("of the {all} findings in the SARIF report GitHub stores {most}"));
        }
        if self.places_left_out > 0 {
            let more = count(self.places_left_out, "related place");
            notices.push(format!(
                "{more} left out of the SARIF report: GitHub takes {MOST_RELATED} of a finding"
            ));
        }
        if notices.is_empty() { None } else { Some(notices.join("; ")) }
    }
}

/// Message and help. Quoted text is escaped so that it is not read as a SARIF link, `[text](target)`.
fn words(finding: &Finding) -> String {
    let message = match &finding.help {
        Some(help) => format!("{}.\n{}", one_line(&finding.message), one_line(help)),
        None => one_line(&finding.message),
    };
    message.replace("](", "] (")
}

fn plain(text: &str) -> SarifText {
    SarifText { text: one_line(text).replace("](", "] (") }
}

fn physical(identity: &str, span: Option<Span>, places: &mut LineIndex<'_>) -> PhysicalLocation {
    PhysicalLocation { artifact_location: artifact(identity), region: span.map(|span| region(span, places)) }
}

fn artifact(path: &str) -> ArtifactLocation {
    ArtifactLocation { uri: uri(path), uri_base_id: (!is_absolute(path)).then_some(ROOT) }
}

fn region(span: Span, places: &mut LineIndex<'_>) -> SarifRegion {
    let (start, end) = places.of(span);
    SarifRegion {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
        byte_offset: places.source().start().file_offset(span.start),
        byte_length: span.end.saturating_sub(span.start),
    }
}

/// The columns of a place count code points, which are as many as UTF-16 units in nearly all drafts.
fn region_of_place(place: &FilePlace) -> SarifRegion {
    let FilePlace { offset, bytes, columns, position } = place;
    SarifRegion {
        start_line: position.line,
        start_column: position.column,
        end_line: position.line,
        end_column: position.column + *columns as usize,
        byte_offset: *offset,
        byte_length: *bytes,
    }
}

fn related(
    at: usize,
    related: &Related,
    places: &mut LineIndex<'_>,
    checked: &FileFindings<'_>,
) -> SarifLocation {
    let here = checked.source.name();
    let file = related.file.as_deref();
    let physical_location = match file.filter(|&file| file != here) {
        _ if let Some(place) = &related.place => {
            let identity = file.map_or_else(|| checked.source.identity().into(), identity_of);
            PhysicalLocation { artifact_location: artifact(&identity), region: Some(region_of_place(place)) }
        }
        None => physical(checked.source.identity(), related.span, places),
        Some(file) => match (checked.open_text)(related).map(|(source, span)| (known(source), span)) {
            Some((source, span)) => {
                physical(source.identity(), Some(span), &mut LineIndex::counting(ColumnUnit::Utf16, &source))
            }
            None => PhysicalLocation { artifact_location: artifact(&identity_of(file)), region: None },
        },
    };
    SarifLocation { id: Some(at), physical_location, message: Some(plain(&related.message)) }
}

fn fix(fix: &Fix, finding: &Finding, places: &mut LineIndex<'_>) -> SarifFix {
    let safety = match fix.safety {
        Safety::Safe => "Safe: the meaning stays the same.",
        Safety::Unsafe => "Unsafe: read the result.",
    };
    let replacement = |it: &tollproof_core::Edit, places: &mut LineIndex<'_>| Replacement {
        deleted_region: region(it.span, places),
        inserted_content: SarifText { text: it.text.clone() },
    };
    let help = finding.help.as_deref().map(|help| plain(help).text + " ").unwrap_or_default();
    SarifFix {
        description: SarifText { text: help + safety },
        artifact_changes: [ArtifactChange {
            artifact_location: artifact(places.source().identity()),
            replacements: fix.edits.iter().map(|it| replacement(it, places)).collect(),
        }],
    }
}

/// The description of a rule from its file.
fn rule(id: &str, own: &[UserRule]) -> SarifRule {
    let group = id.split('/').next().unwrap_or(id).to_owned();
    let properties = |severity: Option<Severity>| RuleProperties {
        tags: [group],
        severity: severity.map(|severity| match severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "recommendation",
        }),
    };
    let bare = SarifRule { id: id.to_owned(), ..SarifRule::default() };
    let Some(file) = rule_docs::rule(id, own) else {
        return SarifRule { properties: properties(None), ..bare };
    };
    let first = file.docs.split("\n\n").next().unwrap_or_default();
    let source = |it: &String| match it.starts_with("https://") {
        true => format!("- <{it}>\n"),
        false => format!("- {it}\n"),
    };
    let sources: Vec<String> = file.source.iter().map(source).collect();
    let sources =
        if sources.is_empty() { String::new() } else { format!("\n\nSource:\n\n{}", sources.concat()) };
    let text = file.docs.trim_end();
    SarifRule {
        short_description: Some(SarifText { text: clipped(&file.title) }),
        full_description: Some(SarifText { text: clipped(first) }),
        help: Some(Help { text: text.to_owned(), markdown: format!("{text}{sources}") }),
        help_uri: url(id),
        default_configuration: Some(Configuration { level: level(file.severity) }),
        properties: properties(Some(file.severity)),
        ..bare
    }
}

/// A description on one line, cut to the maximum length.
fn clipped(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(MOST_WORDS).collect()
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}
