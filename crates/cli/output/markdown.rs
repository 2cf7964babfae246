//! The report in Markdown, as a comment on a pull request or as a job summary.

use std::io::{self, Write};

use tollproof_core::{Finding, LineIndex, Severity, UserRule};

use super::rule_docs::url;
use super::{FileFindings, Printer, ReportOptions, ShownFinding, other_drafts, summary};
use crate::counts::RunCounts;
use crate::terminal::{Look, count, one_line};

/// The maximum size of a comment in bytes. GitHub's limit is in characters, so this never exceeds it.
const COMMENT: usize = 65_536;

/// The maximum number of bytes that a step may add to the job summary.
const SUMMARY: usize = 1 << 20;

/// The number of bytes reserved for the text around the table.
const AROUND: usize = 4_096;

/// Collects rows up to the page limit, because the summary is printed before them.
#[derive(Debug)]
pub(super) struct Page {
    room: usize,
    rows: String,
    left_out: usize,
    min: Severity,
}

impl Page {
    /// A page with the size limit of a comment.
    pub(super) fn boxed(_: Look, shown: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self::new(COMMENT, shown))
    }

    /// A page with the size limit of a job summary.
    pub(super) fn job_summary(_: Look, shown: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self::new(SUMMARY, shown))
    }

    fn new(most: usize, shown: ReportOptions) -> Self {
        Self { room: most - AROUND, rows: String::new(), left_out: 0, min: shown.min }
    }
}

impl Printer for Page {
    fn finding(&mut self, _: &mut dyn Write, shown: ShownFinding<'_, '_>) -> io::Result<()> {
        let ShownFinding { finding, places, checked } = shown;
        let row = row(finding, checked, places);
        // After one omitted row, all others are omitted too, so that no gaps appear.
        if self.left_out > 0 || self.rows.len() + row.len() > self.room {
            self.left_out += 1;
        } else {
            self.rows += &row;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, report: &RunCounts, _: &[UserRule]) -> io::Result<()> {
        writeln!(out, "### tollproof\n")?;
        summary::line(out, report, self.min, Look::PLAIN)?;
        if !self.rows.is_empty() {
            writeln!(out, "\n| | Where | What is wrong |\n|---|---|---|\n{}", self.rows.trim_end())?;
        }
        if self.left_out > 0 {
            let more = count(self.left_out, "more finding");
            writeln!(out, "\n**{more}** do not fit here; `tollproof check` shows all.")?;
        }
        writeln!(out, "\n<details><summary>Not checked</summary>\n")?;
        report.not_checked_with_options().iter().try_for_each(|it| writeln!(out, "- {it}"))?;
        writeln!(out, "\n</details>\n")
    }
}

fn row(finding: &Finding, checked: &FileFindings<'_>, places: &mut LineIndex<'_>) -> String {
    let mut place = one_line(places.source().identity());
    if let Some(span) = finding.span {
        let at = places.at(span.start);
        place += &format!(":{}:{}", at.line, at.column);
    }
    let rule = code(&finding.rule);
    let rule = match url(&finding.rule) {
        Some(url) => format!("[{rule}]({url})"),
        None => rule,
    };
    let help = finding.help.as_deref().map(|help| format!("<br>{}", text(help))).unwrap_or_default();
    let (severity, message) = (finding.severity, text(&other_drafts::message(finding, checked, places)));
    format!("| **{severity}** | {} | {message}{help}<br>{rule} |\n", code(&place))
}

/// The text of a finding; quotations in backticks become code.
fn text(words: &str) -> String {
    let mut pieces = words.split('`').peekable();
    let mut marked = String::new();
    let mut is_code = false;
    while let Some(piece) = pieces.next() {
        let is_closed = pieces.peek().is_some();
        marked += &match (is_code && is_closed, is_code) {
            (true, _) => code(piece),
            // A backtick without a closing one is plain text.
            (false, true) => plain("`") + &plain(piece),
            (false, false) => plain(piece),
        };
        is_code = !is_code;
    }
    marked
}

/// Formats code as HTML. In Markdown code, a `|` would end the table cell.
fn code(words: &str) -> String {
    format!("<code>{}</code>", plain(words))
}

/// Escapes text for Markdown: every character that could be markup becomes a numeric entity.
///
/// Not for the start of a line, where more characters are markup.
fn plain(words: &str) -> String {
    let words = one_line(words);
    let mut plain = String::with_capacity(words.len());
    for (at, c) in words.char_indices() {
        match c {
            // A zero-width space after `@` or `#` prevents mentions of users and links to issues.
            '@' | '#' => plain += &format!("&#{};&#8203;", u32::from(c)),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '&' | '|' | '~' | '!' | '^'
            | '$' => {
                plain += &format!("&#{};", u32::from(c));
            }
            // Without this, GitHub would turn an address into a link.
            ':' if !words[at + 1..].starts_with(' ') => plain += "&#58;",
            '.' if ends_in_www(&words[..at]) => plain += "&#46;",
            c => plain.push(c),
        }
    }
    plain
}

fn ends_in_www(text: &str) -> bool {
    text.len()
        .checked_sub(3)
        .and_then(|start| text.get(start..))
        .is_some_and(|it| it.eq_ignore_ascii_case("www"))
}
