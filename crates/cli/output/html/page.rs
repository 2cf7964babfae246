//! The page around the findings: summary, tables, checklist, filters and what was left out.

use std::cmp::Reverse;
use std::io::{self, Write};

use askama::Template;
use tollproof_core::{Message, Severity, UserRule};

use super::annotated::AnnotatedText;
use super::{Html, MAX_FINDINGS, ReadyDraft};
use crate::counts::RunCounts;
use crate::output::rule_docs;
use crate::output::summary::of_severity;
use crate::output::tally::{GroupTally, TallyCounts, TallyGroup};
use crate::terminal::Look;

/// The number of a client's findings shown unfolded.
const UNFOLDED: usize = 12;

/// The number of rows a table shows at first, and its maximum.
const TOP_ROWS: usize = 8;
const MAX_ROWS: usize = 200;

/// The maximum number of choices in a filter.
const MAX_OPTIONS: usize = 1_000;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// The hash with which the page allows its own script and no other. A test compares it with the script.
pub(super) const SCRIPT_HASH: &str = "sha256-R9ybNnTMzJxwSDtpA55OLXAoFHeVbelCTnvaTWcq5lg=";

#[derive(Template)]
#[template(path = "finding.html", config = "crates/cli/output/askama.toml")]
pub(super) struct FindingTemplate {
    pub(super) look: Look,
    pub(super) severity: &'static str,
    pub(super) client: usize,
    pub(super) file: usize,
    pub(super) rule: String,
    pub(super) message: SentenceTemplate,
    pub(super) help: Option<SentenceTemplate>,
    pub(super) replacement: Option<String>,
    pub(super) text: Option<AnnotatedText>,
    pub(super) label: Option<String>,
    pub(super) field: String,
    pub(super) place: String,
    pub(super) related: Vec<RelatedRow>,
    pub(super) codes: Vec<String>,
}

/// A sentence with what it quotes in backticks.
#[derive(Template)]
#[template(path = "sentence.html", config = "crates/cli/output/askama.toml")]
pub(super) struct SentenceTemplate {
    parts: Vec<Phrase>,
}

/// A part of a sentence.
enum Phrase {
    Text(String),
    /// A part in backticks.
    Code(String),
}

impl SentenceTemplate {
    /// Divides a sentence at its backticks. One without a counterpart is text.
    pub(super) fn new(sentence: &str) -> Self {
        let mut parts = Vec::new();
        let mut rest = sentence;
        while let Some((before, quoted)) = rest.split_once('`') {
            let Some((code, after)) = quoted.split_once('`') else { break };
            parts.extend([Phrase::Text(before.to_owned()), Phrase::Code(code.to_owned())]);
            rest = after;
        }
        parts.push(Phrase::Text(rest.to_owned()));
        Self { parts }
    }
}

pub(super) struct RelatedRow {
    pub(super) message: SentenceTemplate,
    pub(super) place: String,
}

#[derive(Template)]
#[template(path = "page.html", config = "crates/cli/output/askama.toml")]
struct PageTemplate<'p> {
    look: Look,
    language: &'static str,
    words: String,
    version: &'static str,
    script_hash: &'static str,
    style: &'static str,
    script: &'static str,
    title: String,
    lead: String,
    notices: Vec<String>,
    tiles: Vec<Tile>,
    bars: Vec<Bar>,
    bars_label: String,
    top_rows: usize,
    rules: Vec<RuleRow<'p>>,
    rules_more: String,
    group_tables: Vec<GroupTable<'p>>,
    checklist: Vec<SentenceTemplate>,
    severities: [(&'static str, &'static str); 3],
    client_options: Vec<(usize, &'p str)>,
    file_options: Vec<(usize, &'p str)>,
    groups: Vec<ClientSection<'p>>,
    left_out: String,
    ready: &'p [ReadyDraft],
    ready_title: String,
    ready_more: String,
    footer: String,
}

struct Tile {
    class: &'static str,
    number: usize,
    noun: &'static str,
}

/// A part of the chart, in thousandths of its width.
struct Bar {
    class: &'static str,
    start: usize,
    width: usize,
}

struct RuleRow<'p> {
    rule: &'p str,
    severity: &'static str,
    title: String,
    link: Option<String>,
    count: usize,
    /// The length of the bar in percent of the longest.
    share: usize,
}

struct GroupTable<'p> {
    title: &'static str,
    noun: &'static str,
    key: &'static str,
    rows: Vec<GroupRow<'p>>,
    more: String,
}

struct GroupRow<'p> {
    id: usize,
    name: &'p str,
    counts: TallyCounts,
}

struct ClientSection<'p> {
    id: usize,
    name: &'p str,
    counts: String,
    first: String,
    folded: String,
    rest: String,
    left_out: String,
}

/// The rendered findings of a client.
#[derive(Debug, Default)]
pub(super) struct GroupParts {
    first: String,
    rest: String,
    shown: usize,
}

impl GroupParts {
    pub(super) fn add(&mut self, html: &str) {
        let part = if self.shown < UNFOLDED { &mut self.first } else { &mut self.rest };
        part.push_str(html);
        self.shown += 1;
    }
}

/// Writes the page.
pub(super) fn page(
    out: &mut dyn Write,
    html: &Html,
    parts: Vec<GroupParts>,
    report: &RunCounts,
    own: &[UserRule],
) -> io::Result<()> {
    let (tally, look) = (&html.tally, html.look);
    let [errors, warnings, infos] = [0, 1, 2].map(|at| html.kept[at].all);
    let all = errors + warnings + infos;
    let (clients, files) = (with_findings(&tally.clients), with_findings(&tally.files));
    let has_files = tally.files.groups().len() > 1;
    let rules = report.rules();
    let min = html.min;
    let mut rules: Vec<_> = rules.into_iter().filter(|rule| rule.1 >= min && rule.2 > 0).collect();
    rules.sort_by_key(|it| Reverse(it.1));
    let most = rules.iter().map(|it| it.2).max().unwrap_or(1);
    let rule_rows = rules.iter().take(MAX_ROWS).map(|&(rule, severity, count)| RuleRow {
        rule,
        severity: severity.name(),
        title: rule_docs::title(rule, own, look),
        link: rule_docs::url(rule),
        count,
        share: (count * 100 / most).max(1),
    });
    let severities = [
        (Severity::Error, errors, look.say(noun(errors, "error", "errors"))),
        (Severity::Warning, warnings, look.say(noun(warnings, "warning", "warnings"))),
        (Severity::Info, infos, look.say(noun(infos, "info", "infos"))),
    ];
    let counted = severities.into_iter().filter(|(severity, ..)| *severity >= min);
    let tiles = counted.map(|(severity, number, noun)| Tile { class: severity.name(), number, noun });
    let noun = look.say(noun(tally.ready, "draft without errors", "drafts without errors"));
    let tiles = tiles.chain([Tile { class: "ready", number: tally.ready, noun }]).collect();
    let page = PageTemplate {
        look,
        language: look.language.code(),
        words: words(look),
        version: env!("CARGO_PKG_VERSION"),
        script_hash: SCRIPT_HASH,
        style: STYLE,
        script: SCRIPT,
        title: tally.title(look),
        lead: lead(html, report),
        notices: notices(report, look),
        tiles,
        bars: bars([errors, warnings, infos]),
        bars_label: severity_words(TallyCounts { errors, warnings, infos }, look),
        top_rows: TOP_ROWS,
        rules: rule_rows.collect(),
        rules_more: more(rules.len().saturating_sub(MAX_ROWS), MORE_RULES, look),
        group_tables: vec![
            Some(table(&CLIENTS, &tally.clients, &clients, look)),
            // The title names the only file.
            has_files.then(|| table(&FILES, &tally.files, &files, look)),
        ]
        .into_iter()
        .flatten()
        .collect(),
        checklist: report
            .not_checked()
            .iter()
            .map(|item| SentenceTemplate::new(&look.message(&item.what)))
            .collect(),
        severities: [("error", "Errors"), ("warning", "Warnings"), ("info", "Infos")]
            .map(|(class, name)| (class, look.say(name))),
        client_options: options(&tally.clients, &clients),
        file_options: if has_files { options(&tally.files, &files) } else { Vec::new() },
        groups: sections(&tally.clients, &clients, parts, look),
        left_out: match all - html.shown {
            0 => String::new(),
            left => {
                let template = match left {
                    1 => {
                        "This page shows {shown} of {all} findings, errors first; {left} is left out. Check fewer files \
                         for a page with all of them."
                    }
                    _ => {
                        "This page shows {shown} of {all} findings, errors first; {left} are left out. Check fewer files \
                         for a page with all of them."
                    }
                };
                let counts = [("shown", html.shown.into()), ("all", all.into()), ("left", left.into())];
                look.with(template, &counts)
            }
        },
        ready: &html.ready,
        ready_title: look.counted(tally.ready, "{count} draft", "{count} drafts"),
        ready_more: match tally.ready.saturating_sub(html.ready.len()) {
            0 => String::new(),
            more => look.counted(more, "and 1 more", "and {count} more"),
        },
        footer: look.with(
            "Written by tollproof {version}. The page shows what is in the drafts; it loads nothing and sends nothing.",
            &[("version", Message::own(env!("CARGO_PKG_VERSION")))],
        ),
    };
    debug_assert!(html.shown <= MAX_FINDINGS);
    page.write_into(out)
}

fn lead(html: &Html, report: &RunCounts) -> String {
    let look = html.look;
    let clients = html.tally.clients.groups().iter().filter(|it| it.drafts > 0).count();
    let files = match html.tally.files.groups() {
        [only] => only.name.clone(),
        all => look.counted(all.len(), "{count} file", "{count} files"),
    };
    let mut lead = look.with(
        "Toll-free verification: {drafts} of {clients} in {files}",
        &[
            ("drafts", look.counted(report.totals.documents, "{count} draft", "{count} drafts").into()),
            ("clients", look.counted(clients, "{count} client", "{count} clients").into()),
            ("files", files.into()),
        ],
    );
    if let Some(now) = html.now {
        let now = now.strftime("%Y-%m-%d %H:%M UTC").to_string();
        lead += &look.with(", checked on {time}", &[("time", now.into())]);
    }
    let meaning = "Errors are refused by the provider or rejected by reviewers; warnings are often rejected; infos are \
                   worth knowing.";
    format!("{lead}. {}", look.say(meaning))
}

/// Lists what a reader must know about the run.
fn notices(report: &RunCounts, look: Look) -> Vec<String> {
    let mut notices: Vec<String> =
        report.totals.read.by_words().iter().map(|notice| look.message(notice)).collect();
    if report.unopened > 0 {
        notices.push(look.counted(
            report.unopened,
            "{count} file could not be read and is not part of this report.",
            "{count} files could not be read and are not part of this report.",
        ));
    }
    if report.is_interrupted {
        let interrupted = "The check was interrupted; this report has what was found until then.";
        notices.push(look.say(interrupted).to_owned());
    }
    if report.suppressed() > 0 {
        notices.push(look.counted(
            report.suppressed(),
            "{count} finding hidden by a comment, the settings or a baseline.",
            "{count} findings hidden by a comment, the settings or a baseline.",
        ));
    }
    notices
}

/// The texts of the page's script, as JSON.
fn words(look: Look) -> String {
    let words = [
        ("fewer", "Show fewer"),
        ("more", "Show {count} more"),
        ("folded", "and {count} more"),
        ("some", "Showing {count} of {all} findings"),
        ("every", "Showing all {all} findings in this page"),
    ];
    let words: serde_json::Map<String, serde_json::Value> =
        words.into_iter().map(|(name, english)| (name.to_owned(), look.say(english).into())).collect();
    serde_json::Value::Object(words).to_string()
}

fn noun(number: usize, one: &'static str, many: &'static str) -> &'static str {
    if number == 1 { one } else { many }
}

fn bars(counts: [usize; 3]) -> Vec<Bar> {
    let all: usize = counts.iter().sum();
    let mut start = 0;
    let classes = ["error", "warning", "info"];
    let bars = classes.into_iter().zip(counts).filter(|(_, count)| *count > 0).map(|(class, count)| {
        let width = (count * 1000 / all.max(1)).max(4);
        let bar = Bar { class, start, width };
        start += width;
        bar
    });
    bars.collect()
}

fn severity_words(counts: TallyCounts, look: Look) -> String {
    let TallyCounts { errors, warnings, infos } = counts;
    let parts = [(errors, Severity::Error), (warnings, Severity::Warning), (infos, Severity::Info)];
    let parts = parts.into_iter().filter(|it| it.0 > 0);
    parts.map(|(number, severity)| of_severity(number, severity, look)).collect::<Vec<_>>().join(", ")
}

/// The groups with findings, those with the most errors first.
fn with_findings(tally: &GroupTally) -> Vec<usize> {
    let mut groups = tally.by_errors();
    groups.retain(|&at| tally.groups()[at].counts.total() > 0);
    groups
}

/// The words of a table of groups.
struct GroupWords {
    title: &'static str,
    noun: &'static str,
    key: &'static str,
    more: [&'static str; 2],
}

const CLIENTS: GroupWords = GroupWords {
    title: "By client",
    noun: "Client",
    key: "client",
    more: ["and 1 more client", "and {count} more clients"],
};
const FILES: GroupWords = GroupWords {
    title: "By file",
    noun: "File",
    key: "file",
    more: ["and 1 more file", "and {count} more files"],
};
const MORE_RULES: [&str; 2] = ["and 1 more rule", "and {count} more rules"];
const LEFT_OUT: [&str; 2] =
    ["and 1 more finding, left out of this page", "and {count} more findings, left out of this page"];

fn table<'p>(words: &GroupWords, tally: &'p GroupTally, groups: &[usize], look: Look) -> GroupTable<'p> {
    let row = |&id: &usize| {
        let TallyGroup { name, counts, .. } = &tally.groups()[id];
        GroupRow { id, name, counts: *counts }
    };
    let more = more(groups.len().saturating_sub(MAX_ROWS), words.more, look);
    let (title, noun) = (look.say(words.title), look.say(words.noun));
    GroupTable { title, noun, key: words.key, rows: groups.iter().take(MAX_ROWS).map(row).collect(), more }
}

fn more(left_out: usize, [one, others]: [&'static str; 2], look: Look) -> String {
    if left_out == 0 { String::new() } else { look.counted(left_out, one, others) }
}

fn options<'p>(tally: &'p GroupTally, groups: &[usize]) -> Vec<(usize, &'p str)> {
    let mut options: Vec<_> =
        groups.iter().take(MAX_OPTIONS).map(|&id| (id, tally.groups()[id].name.as_str())).collect();
    options.sort_by_key(|(_, name)| name.to_lowercase());
    options
}

/// The sections of the clients whose findings are shown.
fn sections<'p>(
    tally: &'p GroupTally,
    groups: &[usize],
    mut parts: Vec<GroupParts>,
    look: Look,
) -> Vec<ClientSection<'p>> {
    let mut sections = Vec::new();
    for &id in groups {
        let GroupParts { first, rest, shown } = std::mem::take(&mut parts[id]);
        let TallyGroup { name, counts, .. } = &tally.groups()[id];
        if shown == 0 {
            continue;
        }
        sections.push(ClientSection {
            id,
            name,
            counts: severity_words(*counts, look),
            first,
            folded: match shown.saturating_sub(UNFOLDED) {
                0 => String::new(),
                folded => look.counted(folded, "and 1 more", "and {count} more"),
            },
            rest,
            left_out: more(counts.total() - shown, LEFT_OUT, look),
        });
    }
    sections
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest as _, Sha256};

    use super::*;

    #[test]
    fn the_page_allows_its_script_and_no_other() {
        let hash = STANDARD.encode(Sha256::digest(SCRIPT));
        assert_eq!(SCRIPT_HASH, format!("sha256-{hash}"), "set SCRIPT_HASH to this");
        assert!(!SCRIPT.contains("</") && !STYLE.contains("</"), "nothing ends them early");
    }

    #[test]
    fn what_a_sentence_quotes_is_code() {
        let sentence = |text: &str| SentenceTemplate::new(text).render().expect("it can be rendered");
        assert_eq!(sentence("Write `a<b` or `c`."), "Write <code>a&#60;b</code> or <code>c</code>.");
        assert_eq!(sentence("One ` only & no more"), "One ` only &#38; no more");
    }
}
