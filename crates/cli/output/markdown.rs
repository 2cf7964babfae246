//! A page in Markdown: a comment on a pull request, or the summary of a job.

use std::io::{self, Write};

use tollproof_core::{Finding, Severity, UserRule};

use super::rule_docs::url;
use super::summary;
use super::{FileFindings, Printer, ReportOptions};
use crate::counts::RunCounts;
use crate::terminal::{Look, count, one_line};
use tollproof_core::LineIndex;

/// How many bytes a comment may have; GitHub counts characters, which are no more.
const COMMENT: usize = 65_536;

/// How many bytes a step may add to the summary of its job.
const SUMMARY: usize = 1 << 20;

/// What is kept free for the words around the table.
const AROUND: usize = 4_096;

/// Keeps the rows until the summary above them is known, and no more of them than the page takes.
#[derive(Debug)]
pub(super) struct Page {
    room: usize,
    rows: String,
    left_out: usize,
    min: Severity,
}

impl Page {
    /// A page to be sent as a comment.
    pub(super) fn boxed(_: Look, shown: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self::new(COMMENT, shown))
    }

    /// A page to be shown above the log of a job.
    pub(super) fn job_summary(_: Look, shown: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self::new(SUMMARY, shown))
    }

    fn new(most: usize, shown: ReportOptions) -> Self {
        Self { room: most - AROUND, rows: String::new(), left_out: 0, min: shown.min }
    }
}

impl Printer for Page {
    fn file(&mut self, _: &mut dyn Write, checked: &FileFindings<'_>) -> io::Result<()> {
        let mut places = LineIndex::new(checked.source);
        for finding in checked.findings {
            let row = row(finding, &mut places);
            // Once one is left out, so are all that follow: a hole would not be seen.
            if self.left_out > 0 || self.rows.len() + row.len() > self.room {
                self.left_out += 1;
            } else {
                self.rows += &row;
            }
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
        writeln!(out, "\n<details><summary>Not checked from here</summary>\n")?;
        report.not_checked().iter().try_for_each(|it| writeln!(out, "- {it}"))?;
        writeln!(out, "\n</details>\n")
    }
}

fn row(finding: &Finding, places: &mut LineIndex<'_>) -> String {
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
    let (severity, message) = (finding.severity, text(&finding.message));
    format!("| **{severity}** | {} | {message}{help}<br>{rule} |\n", code(&place))
}

/// Words of a finding; what they quote in backticks becomes code.
fn text(words: &str) -> String {
    let mut pieces = words.split('`').peekable();
    let mut marked = String::new();
    let mut is_code = false;
    while let Some(piece) = pieces.next() {
        let is_closed = pieces.peek().is_some();
        marked += &match (is_code && is_closed, is_code) {
            (true, _) => code(piece),
            // A backtick without another is one.
            (false, true) => plain("`") + &plain(piece),
            (false, false) => plain(piece),
        };
        is_code = !is_code;
    }
    marked
}

/// Text set as code. Backticks would leave a `|` to the table, so it is HTML.
fn code(words: &str) -> String {
    format!("<code>{}</code>", plain(words))
}

/// Text in which nothing is markup: every sign that could be is written as its number.
///
/// It never stands at the beginning of a line, where more signs would mean something.
fn plain(words: &str) -> String {
    let words = one_line(words);
    let mut plain = String::with_capacity(words.len());
    for (at, c) in words.char_indices() {
        match c {
            // Nobody is called by an `@`, and no issue by a `#`, with a blank of no width behind it.
            '@' | '#' => plain += &format!("&#{};&#8203;", u32::from(c)),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '&' | '|' | '~' | '!' | '^'
            | '$' => {
                plain += &format!("&#{};", u32::from(c));
            }
            // What follows these would make a link of an address.
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
