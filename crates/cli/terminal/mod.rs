//! The capabilities of the reader's terminal: color, width, box-drawing characters and links.

mod color;
pub(crate) mod filter;
pub(crate) mod language;

use std::io::{self, Write};

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use owo_colors::{OwoColorize as _, Style};
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};
use tollproof_core::{ReportLanguage, Severity};
pub(crate) use tollproof_core::{one_line, printable};
use unicode_width::UnicodeWidthStr as _;

pub(crate) use self::color::Color;

/// The width of a report without a terminal, in columns.
const WIDTH: usize = 80;

/// The maximum width: longer lines are hard to read, even on a wide terminal.
const MAX_WIDTH: usize = 100;

/// The environment variable that turns links on or off if the terminal is unknown.
const FORCE_LINKS: &str = "FORCE_HYPERLINK";

/// The look of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// Whether to use color.
    pub(crate) colour: bool,
    /// Whether to use box-drawing characters.
    pub(crate) unicode: bool,
    /// Whether links (OSC 8) may be used, if the terminal supports them.
    pub(crate) links: bool,
    /// The maximum length of a line, in columns.
    pub(crate) width: usize,
    /// Whether a person reads it on a terminal, rather than in a file or a log.
    pub(crate) is_terminal: bool,
    /// The language of the reader.
    pub(crate) language: ReportLanguage,
}

impl Look {
    /// The look of a file, in English.
    pub(crate) const PLAIN: Self = Self {
        colour: false,
        unicode: true,
        links: false,
        width: WIDTH,
        is_terminal: false,
        language: ReportLanguage::English,
    };

    /// The look of a report in a file.
    pub(crate) fn of_file() -> Self {
        Self { language: language::of_stream(false), ..Self::PLAIN }
    }

    /// The look of standard output or standard error.
    pub(crate) fn of(stream: &impl RawStream, color: Color) -> Self {
        let terminal = stream.is_terminal();
        if terminal {
            // The older console of Windows shows escape sequences as text until a program asks for colors.
            let _ = anstyle_query::windows::enable_ansi_colors();
        }
        let colour = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => AutoStream::choice(stream) != ColorChoice::Never,
        };
        let width = if terminal { terminal_width() } else { WIDTH };
        Self {
            colour,
            unicode: !terminal || speaks_unicode(),
            links: (terminal && colour) || std::env::var_os(FORCE_LINKS).is_some(),
            width,
            is_terminal: terminal,
            language: language::of_stream(terminal),
        }
    }

    /// The color of a severity, as in compilers. Yellow is bold and from the terminal's palette, so that themes keep
    /// it legible; the severity is also always written in words.
    pub(crate) fn style(self, severity: Severity) -> Style {
        match severity {
            _ if !self.colour => Style::new(),
            Severity::Error => Style::new().red().bold(),
            Severity::Warning => Style::new().yellow().bold(),
            Severity::Info => Style::new().cyan().bold(),
        }
    }

    /// Text about success, in green.
    pub(crate) fn praise(self, text: &str) -> String {
        self.styled(text, Style::new().green().bold())
    }

    /// A heading, in bold.
    pub(crate) fn heading(self, text: &str) -> String {
        self.styled(text, Style::new().bold())
    }

    fn styled(self, text: &str, style: Style) -> String {
        if self.colour { text.style(style).to_string() } else { text.to_owned() }
    }

    /// Whether links are used, which depends on the terminal in the environment.
    pub(crate) fn takes_links(self) -> bool {
        self.links && supports_hyperlinks::supports_hyperlinks()
    }

    /// Whether tollproof writes escape sequences, for colors or links.
    pub(crate) fn escapes(self) -> bool {
        self.colour || self.takes_links()
    }

    /// Writes text in the color of a severity.
    pub(crate) fn paint(
        self,
        out: &mut dyn Write,
        severity: Severity,
        text: impl std::fmt::Display,
    ) -> io::Result<()> {
        if self.colour { write!(out, "{}", text.style(self.style(severity))) } else { write!(out, "{text}") }
    }
}

fn terminal_width() -> usize {
    let Some((terminal_size::Width(columns), _)) = terminal_size::terminal_size() else {
        return WIDTH;
    };
    usize::from(columns).clamp(40, MAX_WIDTH)
}

/// Whether the locale of the terminal is UTF-8. Without a locale, the terminal is assumed to support it.
fn speaks_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    let Some(locale) = locale else { return true };
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// The width of a text in columns.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// A text of at most this number of columns, with an ellipsis if more of it follows.
pub(crate) fn shortened(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    cut(text, columns.saturating_sub(1)) + "…"
}

/// The beginning of a text that fits in this number of columns.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    let mut cut = String::new();
    for c in text.chars() {
        cut.push(c);
        if width(&cut) > columns {
            cut.pop();
            break;
        }
    }
    cut
}

/// A file name quoted for a shell, and not readable as an option.
pub(crate) fn typed(name: &str) -> String {
    let name = if name.starts_with('-') { format!("./{name}") } else { name.to_owned() };
    let is_plain = |c: char| c.is_alphanumeric() || "/.:_-+@%,".contains(c);
    if name.chars().all(is_plain) { name } else { format!("'{}'", name.replace('\'', r"'\''")) }
}

/// Wraps text at this number of columns; a longer word gets its own line.
pub(crate) fn wrap(text: &str, columns: usize) -> String {
    fill(text, Options::new(columns).break_words(false))
}

/// Wraps text at this number of columns; a longer word is broken.
pub(crate) fn wrap_in_frame(text: &str, columns: usize) -> String {
    fill(text, Options::new(columns).break_words(true))
}

/// Wraps text only at spaces: ids, options and addresses must not be wrapped at hyphens.
fn fill(text: &str, options: Options<'_>) -> String {
    let options = options
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    // Spaces that no line is broken at stay.
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    textwrap::fill(&words.join(" "), options)
}

/// A number with its noun: `1 document`, `2 documents`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{width, wrap};

    #[test]
    fn words_are_never_broken() {
        assert_eq!(
            wrap("  use --min-severity\n or  a-very-long-rule/id  ", 8),
            "use\n--min-severity\nor\na-very-long-rule/id"
        );
        assert_eq!(wrap("漢字 漢字 ab", 7), "漢字\n漢字 ab");
        assert_eq!(wrap(" \n", 8), "");
        assert_eq!(wrap("a b", 0), "a\nb");
    }

    proptest! {
        #[test]
        fn each_line_takes_as_many_words_as_fit(text in "([a-z-]{1,9}|[ñé漢]{1,4}|[ \t\n]{1,3}){0,30}", columns in 1_usize..30) {
            let wrapped = wrap(&text, columns);
            prop_assert!(wrapped.split_whitespace().eq(text.split_whitespace()));
            let lines: Vec<&str> = wrapped.lines().collect();
            for line in &lines {
                prop_assert!(width(line) <= columns || !line.contains(' '), "{line:?}");
            }
            for pair in lines.windows(2) {
                let next = pair[1].split(' ').next().unwrap_or_default();
                prop_assert!(width(pair[0]) + 1 + width(next) > columns, "{pair:?}");
            }
        }
    }
}
