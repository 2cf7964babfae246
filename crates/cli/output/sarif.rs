//! SARIF 2.1.0 for code scanning: one run with its results and their rules.

use std::io::{self, Write};

use serde_json::{Value, json};
use tollproof_core::{
    ColumnUnit, FilePlace, Finding, Fix, Kind, LineIndex, Related, Safety, Severity, Span, SuppressedBy,
    UserRule,
};

use super::rule_docs::{self, REPOSITORY, url};
use super::uri::{identity_of, is_absolute, known, uri};
use super::{FileFindings, Printer, ShownFinding};
use crate::counts::RunCounts;
use crate::terminal::{count, one_line};

/// The maximum number of results in a run; GitHub rejects a file with more. Its limit for rules is the same and needs
/// no check, because each rule in the report has a result.
const MOST_RESULTS: usize = 25_000;

/// The number of results that GitHub stores.
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
    /// The index of a rule among those of this run.
    fn index(&mut self, id: &str) -> usize {
        self.rules.iter().position(|known| known == id).unwrap_or_else(|| {
            self.rules.push(id.to_owned());
            self.rules.len() - 1
        })
    }

    fn result(&mut self, finding: &Finding, places: &mut LineIndex<'_>, checked: &FileFindings<'_>) -> Value {
        let mut location =
            json!({ "physicalLocation": physical(checked.source.identity(), finding.span, places) });
        if let Some(label) = &finding.label {
            location["message"] = text(&plain(label));
        }
        let mut result = json!({
            "ruleId": finding.rule,
            "ruleIndex": self.index(&finding.rule),
            "level": level(finding.severity),
            "message": text(&words(finding)),
            "locations": [location],
        });
        self.places_left_out += finding.related.len().saturating_sub(MOST_RELATED);
        let related = finding.related.iter().take(MOST_RELATED).enumerate();
        let related: Vec<Value> = related.map(|(at, it)| self::related(at, it, places, checked)).collect();
        if !related.is_empty() {
            result["relatedLocations"] = related.into();
        }
        result["partialFingerprints"] = json!({ "tollproof/v1": finding.fingerprint });
        if let Some(fix) = &finding.fix {
            result["fixes"] = json!([self::fix(fix, finding, places)]);
        }
        if let Some(suppression) = &finding.suppressed {
            let is_known = suppression.by == SuppressedBy::Baseline;
            let kind = if suppression.by == SuppressedBy::Comment { "inSource" } else { "external" };
            let mut shown = json!({ "kind": kind });
            let known = is_known.then_some("Known from the baseline.");
            if let Some(reason) = suppression.reason.as_deref().or(known) {
                shown["justification"] = reason.into();
            }
            result["suppressions"] = json!([shown]);
            if is_known {
                result["baselineState"] = "unchanged".into();
            }
        }
        result["properties"] = json!({
            "document": finding.document,
            "kind": finding.kind.map(Kind::name),
            "pointer": finding.pointer.bounded(),
        });
        result
    }

    /// The end of the run: what the program is, and whether it could read everything.
    fn invocation(&self, report: &RunCounts) -> Value {
        let unopened =
            (report.unopened > 0).then(|| ("error", count(report.unopened, "file") + " could not be read."));
        let notice = self.notice().map(|notice| ("warning", notice));
        let all = unopened.into_iter().chain(notice);
        let all: Vec<Value> =
            all.map(|(level, message)| json!({ "level": level, "message": text(&message) })).collect();
        let mut invocation = json!({ "executionSuccessful": report.unopened == 0 });
        if !all.is_empty() {
            invocation["toolExecutionNotifications"] = all.into();
        }
        invocation
    }
}

impl Printer for Sarif {
    fn columns(&self) -> ColumnUnit {
        ColumnUnit::Utf16
    }

    fn finding(&mut self, out: &mut dyn Write, shown: ShownFinding<'_, '_>) -> io::Result<()> {
        let ShownFinding { finding, places, checked } = shown;
        if self.results == MOST_RESULTS {
            self.left_out += 1;
            return Ok(());
        }
        writeln!(out, "{}", if self.results == 0 { HEAD } else { "," })?;
        self.results += 1;
        write!(out, "{}", self.result(finding, places, checked))
    }

    fn end(&mut self, out: &mut dyn Write, report: &RunCounts, own: &[UserRule]) -> io::Result<()> {
        let mut driver = json!({ "name": "tollproof", "semanticVersion": env!("CARGO_PKG_VERSION") });
        if let Some(repository) = REPOSITORY {
            driver["informationUri"] = repository.into();
        }
        driver["rules"] = self.rules.iter().map(|id| rule(id, own)).collect();
        let tool = json!({ "driver": driver });
        write!(out, "{}],\n\"tool\": ", if self.results == 0 { HEAD } else { "\n" })?;
        write!(out, "{tool},\n\"invocations\": [{}", self.invocation(report))?;
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

fn plain(text: &str) -> String {
    one_line(text).replace("](", "] (")
}

fn text(text: &str) -> Value {
    json!({ "text": text })
}

fn physical(identity: &str, span: Option<Span>, places: &mut LineIndex<'_>) -> Value {
    located(identity, span.map(|span| region(span, places)))
}

/// A region of a file.
fn located(path: &str, region: Option<Value>) -> Value {
    let mut located = json!({ "artifactLocation": artifact(path) });
    if let Some(region) = region {
        located["region"] = region;
    }
    located
}

fn artifact(path: &str) -> Value {
    if is_absolute(path) {
        json!({ "uri": uri(path) })
    } else {
        json!({ "uri": uri(path), "uriBaseId": ROOT })
    }
}

/// Lines and columns from 1 with an exclusive end, and the same range in bytes from 0.
fn region(span: Span, places: &mut LineIndex<'_>) -> Value {
    let (start, end) = places.of(span);
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
        "byteOffset": places.source().start().file_offset(span.start),
        "byteLength": span.end.saturating_sub(span.start),
    })
}

/// The columns of a place count code points, which are as many as UTF-16 units in nearly all drafts.
fn region_of_place(place: &FilePlace) -> Value {
    let FilePlace { offset, bytes, columns, position } = place;
    json!({
        "startLine": position.line,
        "startColumn": position.column,
        "endLine": position.line,
        "endColumn": position.column + *columns as usize,
        "byteOffset": offset,
        "byteLength": bytes,
    })
}

fn related(at: usize, related: &Related, places: &mut LineIndex<'_>, checked: &FileFindings<'_>) -> Value {
    let here = checked.source.name();
    let file = related.file.as_deref();
    let place = match file.filter(|&file| file != here) {
        _ if let Some(place) = &related.place => {
            let identity = file.map_or_else(|| checked.source.identity().into(), identity_of);
            located(&identity, Some(region_of_place(place)))
        }
        None => physical(checked.source.identity(), related.span, places),
        Some(file) => match (checked.open_text)(related).map(|(source, span)| (known(source), span)) {
            Some((source, span)) => {
                physical(source.identity(), Some(span), &mut LineIndex::counting(ColumnUnit::Utf16, &source))
            }
            None => located(&identity_of(file), None),
        },
    };
    json!({ "id": at, "physicalLocation": place, "message": text(&plain(&related.message)) })
}

fn fix(fix: &Fix, finding: &Finding, places: &mut LineIndex<'_>) -> Value {
    let safety = match fix.safety {
        Safety::Safe => "Safe: the meaning stays the same.",
        Safety::Unsafe => "Unsafe: read the result.",
    };
    let help = finding.help.as_deref().map(|help| plain(help) + " ").unwrap_or_default();
    let file = artifact(places.source().identity());
    let replacements = fix.edits.iter().map(
        |edit| json!({ "deletedRegion": region(edit.span, places), "insertedContent": text(&edit.text) }),
    );
    let replacements: Vec<Value> = replacements.collect();
    json!({
        "description": text(&(help + safety)),
        "artifactChanges": [{ "artifactLocation": file, "replacements": replacements }],
    })
}

/// The description of a rule from its file, with the properties by which GitHub sorts and filters rules.
fn rule(id: &str, own: &[UserRule]) -> Value {
    let group = id.split('/').next().unwrap_or(id);
    let Some(file) = rule_docs::rule(id, own) else {
        return json!({ "id": id, "properties": { "tags": [group] } });
    };
    let first = file.docs.split("\n\n").next().unwrap_or_default();
    let docs = file.docs.trim_end();
    let mut markdown = docs.to_owned();
    for (at, source) in file.source.iter().enumerate() {
        markdown += if at == 0 { "\n\nSource:\n\n" } else { "" };
        markdown +=
            &if source.starts_with("https://") { format!("- <{source}>\n") } else { format!("- {source}\n") };
    }
    let mut rule = json!({
        "id": id,
        "shortDescription": text(&clipped(&file.title)),
        "fullDescription": text(&clipped(first)),
        "help": { "text": docs, "markdown": markdown },
    });
    if let Some(url) = url(id) {
        rule["helpUri"] = url.into();
    }
    rule["defaultConfiguration"] = json!({ "level": level(file.severity) });
    let severity = match file.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "recommendation",
    };
    rule["properties"] = json!({ "tags": [group], "problem.severity": severity });
    rule
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
