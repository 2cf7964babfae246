//! The formats of reports: for whom each is, and who prints it.

use tollproof_core::StrictError;

use super::{
    Printer, ReportOptions, concise, full, github, gitlab, html, json, jsonl, junit, markdown, narrated,
    sarif, xlsx,
};
use crate::terminal::Look;
use crate::terminal::filter::Medium;

/// A report format.
#[derive(Debug)]
pub(crate) struct ReportFormat {
    /// The name on the command line.
    pub(crate) name: &'static str,
    pub(super) reader: ReportReader,
    /// The kind of text, which determines how it is escaped.
    pub(super) medium: Medium,
    pub(super) make: fn(Look, ReportOptions) -> Box<dyn Printer>,
    /// Renders an error in a rule file or configuration.
    pub(super) strict: fn(Look, &StrictError) -> String,
}

/// The reader of a report, which decides which findings its printer receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReportReader {
    /// People at a screen: missing fields are merged, suppressed findings are left out, and a summary follows.
    Screen,
    /// People on a page: the same, but the format prints its own summary.
    Page,
    /// People who get the drafts too, also those without findings. Otherwise like `Page`.
    Drafts,
    /// The same, with every finding on its own, because each marks a cell.
    Cells,
    /// Programs that distinguish suppressed findings from others.
    Program,
    /// Services that treat every finding as one that counts, so suppressed findings are left out.
    Service,
    /// Like `Service`, but files without findings are listed too.
    Runner,
}

impl ReportReader {
    pub(super) fn merges_missing(self) -> bool {
        matches!(self, Self::Screen | Self::Page | Self::Drafts)
    }

    pub(super) fn takes_drafts(self) -> bool {
        matches!(self, Self::Drafts | Self::Cells)
    }

    /// Whether people read it, in their language.
    pub(super) fn is_person(self) -> bool {
        matches!(self, Self::Screen | Self::Drafts | Self::Cells)
    }
}

/// A report for people. Escape sequences are enabled later, if its look has colors.
const SCREEN: Medium = Medium::Screen { escapes: false };

/// Generates the list of formats and its help text at compile time, so that it costs nothing at start.
macro_rules! formats {
    ($($name:literal, $about:literal, $reader:ident, $medium:expr, $make:expr, $strict:expr;)*) => {
        /// All formats; the first is the default.
        pub(crate) const FORMATS: &[ReportFormat] = &[$(ReportFormat {
            name: $name,
            reader: ReportReader::$reader,
            medium: $medium,
            make: $make,
            strict: $strict,
        },)*];

        /// The short help of `--output-format`.
        pub(crate) const FORMAT_HELP: &str =
            concat!("The format of the report: ", formats!(@list $($name)*), "; with =PATH to a file");

        /// The long help of `--output-format`.
        pub(crate) const FORMAT_LONG_HELP: &str = concat!(
            "The format of the report; `", formats!(@first $($name)*), "` by default. With =PATH it goes to a file. \
             May be repeated to get several reports.\n\nFormats:\n",
            $("- ", $name, ": ", $about, "\n",)*
        );
    };
    (@first $first:literal $($rest:literal)*) => { $first };
    (@list $first:literal $($rest:literal)*) => { concat!($first, $(", ", $rest),*) };
}

// The only list of formats: help, completions, docs and tests use it. A row contains the name, the purpose, the
// reader, the medium, the printer, and the renderer of errors in rule files or configurations.
formats! {
    "full", "shows the lines", Screen, SCREEN, |look, _| Box::new(full::Full::new(look)), full::strict;
    "narrated", "words only, for a screen reader", Screen, SCREEN, |_, _| Box::new(narrated::Narrated), narrated::strict;
    "concise", "one line per finding", Screen, SCREEN, |look, _| Box::new(concise::Concise { look }), concise::strict;
    "json", "for programs; a stable format", Program, Medium::Json, |_, _| Box::<json::Json>::default(), concise::strict;
    "jsonl", "for programs, line by line", Program, Medium::Json, |_, _| Box::new(jsonl::JsonLines), concise::strict;
    "sarif", "for code scanning", Program, Medium::Json, |_, _| Box::<sarif::Sarif>::default(), concise::strict;
    "github", "annotations and a job summary on GitHub", Page, Medium::Escaped, |_, _| Box::<github::Annotations>::default(), github::strict;
    "gitlab", "for code quality on GitLab", Service, Medium::Json, |_, _| Box::<gitlab::CodeQuality>::default(), concise::strict;
    "junit", "for test reports of CI servers", Runner, Medium::Escaped, junit::Junit::boxed, concise::strict;
    "markdown", "a comment on a pull request", Page, Medium::Escaped, markdown::Page::boxed, concise::strict;
    "html", "a page to send to others, one file", Drafts, Medium::Escaped, html::Html::boxed, concise::strict;
    "xlsx", "the sheet with marked cells and advice, one workbook", Cells, Medium::Binary, xlsx::Xlsx::boxed, concise::strict;
}

/// The job summary on GitHub, printed together with the annotations.
pub(super) const JOB_SUMMARY: ReportFormat = ReportFormat {
    name: "github",
    reader: ReportReader::Page,
    medium: Medium::Escaped,
    make: markdown::Page::job_summary,
    strict: concise::strict,
};

impl ReportFormat {
    /// The format with this name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Whether its report shows drafts, and not only findings.
    pub(crate) fn takes_drafts(&self) -> bool {
        self.reader.takes_drafts()
    }

    /// Whether its report is not text.
    pub(super) fn is_binary(&self) -> bool {
        self.medium == Medium::Binary
    }

    pub(super) fn medium(&self, look: Look) -> Medium {
        match self.medium {
            Medium::Screen { .. } => Medium::Screen { escapes: look.escapes() },
            medium => medium,
        }
    }
}
