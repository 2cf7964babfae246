//! Findings: what is wrong, where it is, and how to fix it; in the languages of the people who read them.

pub(crate) mod translation;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
pub use tollproof_data::severity::{Prevents, Severity};

use crate::provider::kind::Kind;
use crate::syntax::Format;
pub use crate::syntax::edit::Edit;
use crate::syntax::message::Message;
use crate::syntax::pointer::Pointer;
use crate::syntax::source::{FilePlace, Span};

/// A problem that a rule reports for one value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// The id of the rule: `group/name`.
    pub rule: Cow<'static, str>,
    /// The severity after the configuration was applied.
    pub severity: Severity,
    /// The problem, in one clause without a full stop.
    pub message: Message,
    /// The correction, and why the value is refused.
    pub help: Option<Message>,
    /// The index of the document in its file, from 0.
    pub document: usize,
    /// The format in which its text was read; `None` for what is not about a text.
    pub format: Option<Format>,
    /// The kind of the document, if it is known.
    pub kind: Option<Kind>,
    /// The RFC 6901 pointer of the value in its document. For a missing field, where it should be.
    pub pointer: Pointer,
    /// The smallest span that is wrong. `None` if the value was passed without its source text.
    pub span: Option<Span>,
    /// A short note that is printed under the span.
    pub label: Option<Message>,
    /// Other locations that explain the finding.
    pub related: Vec<Related>,
    /// A change that fixes the finding, if one is known.
    pub fix: Option<Fix>,
    /// The reviewers' rejection codes that this finding prevents.
    pub prevents: Vec<Prevents>,
    /// A hash of the rule, document key, pointer and value. Edits elsewhere in the file do not change it.
    pub fingerprint: String,
    /// The reader and its model, if the finding is what a reader understood.
    pub read_by: Option<String>,
    /// The reason the finding is ignored, if it is.
    pub suppressed: Option<Suppression>,
}

/// The reason a finding is ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// The place that ignores it.
    pub by: SuppressedBy,
    /// The reason that the user wrote. A baseline has none.
    pub reason: Option<String>,
}

/// The source of an ignore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuppressedBy {
    /// A comment in the file.
    Comment,
    /// An entry in the configuration.
    Config,
    /// The baseline contains the finding.
    Baseline,
}

impl SuppressedBy {
    /// `comment`, `config` or `baseline`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Comment => "comment",
            Self::Config => "config",
            Self::Baseline => "baseline",
        }
    }
}

/// Another location that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The file, if it is not the file of the finding.
    pub file: Option<String>,
    /// The location. `None` without a source text, or if the location is not in the part of the file that was read.
    pub span: Option<Span>,
    /// The location in another part of a file that is read in parts.
    pub place: Option<FilePlace>,
    /// A note about this location.
    pub message: Message,
}

impl Related {
    /// A location in the file of the finding.
    pub(crate) fn here(span: Span, message: Message) -> Self {
        Self { file: None, span: Some(span), place: None, message }
    }
}

/// A change to the file that fixes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Whether the fix may be applied without review.
    pub safety: Safety,
    /// Replacements in the file, sorted and not overlapping. Empty without a source text.
    pub edits: Vec<Edit>,
}

/// Whether a [`Fix`] may be applied without review. Ordered from the safest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Safety {
    /// The fix does not change the meaning of the draft.
    Safe,
    /// Someone must review the result.
    Unsafe,
}

impl Safety {
    /// `safe` or `unsafe`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

/// Applies fixes in order of position and skips those that overlap or touch an applied one. Returns the result and the
/// number of applied fixes, or `None` if none was applied.
pub(crate) fn apply(text: &str, mut fixes: Vec<&Fix>) -> Option<(String, usize)> {
    fixes.retain(|it| changes(text, it));
    fixes.sort_by_key(|fix| fix.edits.iter().map(|edit| edit.span.start).min());
    let mut edits = BTreeMap::new();
    let mut applied = 0;
    for fix in fixes {
        let is_free = |span: Span| {
            let upto = Span { start: span.end, end: u32::MAX };
            edits.range(..=upto).next_back().is_none_or(|(before, _): (&Span, _)| before.end < span.start)
        };
        if fix.edits.iter().all(|edit| is_free(edit.span)) {
            edits.extend(fix.edits.iter().map(|edit| (edit.span, edit.text.as_str())));
            applied += 1;
        }
    }
    let mut fixed = String::with_capacity(text.len() + 64);
    let mut rest = 0;
    for (span, new) in edits {
        fixed.push_str(&text[rest..span.range().start]);
        fixed.push_str(new);
        rest = span.range().end;
    }
    fixed.push_str(&text[rest..]);
    (applied > 0).then_some((fixed, applied))
}

/// Whether a fix is valid for this text and changes it.
fn changes(text: &str, fix: &Fix) -> bool {
    let is_in_order = fix
        .edits
        .windows(2)
        .all(|pair| pair[0].span < pair[1].span && pair[0].span.end <= pair[1].span.start);
    let is_in_bounds = fix.edits.iter().all(|edit| text.get(edit.span.range()).is_some());
    is_in_order && is_in_bounds && fix.edits.iter().any(|edit| text[edit.span.range()] != edit.text)
}
