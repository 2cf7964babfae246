//! What tollproof says: findings, their places and their fixes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::provider::kind::Kind;
pub use crate::syntax::edit::Edit;
use crate::syntax::message::Message;
use crate::syntax::source::Span;

/// The severity of a finding, in ascending order: an error is the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Often rejected, or up to the reviewer.
    Warning,
    /// The API refuses it, or reviewers reject it.
    Error,
}

impl Severity {
    /// All severities, the least first.
    pub const ALL: [Self; 3] = [Self::Info, Self::Warning, Self::Error];

    /// `error`, `warning` or `info`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Severity {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|severity| severity.name() == name)
            .ok_or_else(|| format!("`{name}` is no severity: use error, warning or info"))
    }
}

/// One thing wrong with one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that says so: `group/name`.
    pub rule: Cow<'static, str>,
    /// How much it weighs here.
    pub severity: Severity,
    /// What is wrong, in one clause without a full stop.
    pub message: Message,
    /// What to write instead, and why it is refused.
    pub help: Option<Message>,
    /// Which document of the file, from 0.
    pub document: usize,
    /// What the document is, where that is known.
    pub kind: Option<Kind>,
    /// RFC 6901, relative to the document; for a missing field, the absent one.
    pub pointer: String,
    /// The smallest place that is wrong; none where a value was handed in without text.
    pub span: Option<Span>,
    /// A few words to stand under the span.
    pub label: Option<Message>,
    /// Other places that explain the finding.
    pub related: Vec<Related>,
    /// A mechanical remedy.
    pub fix: Option<Fix>,
    /// The reviewers' codes that this finding foresees.
    pub prevents: Vec<Prevents>,
    /// Stable across edits elsewhere in the file: a hash of rule, document key, pointer and value.
    pub fingerprint: String,
    /// Why it does not count, if somebody said that it should not.
    pub suppressed: Option<Suppression>,
}

/// Why a finding does not count, though it is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// Who said so.
    pub by: SuppressedBy,
    /// Why, in the words of who said so; a baseline has none.
    pub reason: Option<String>,
}

/// Who said that a finding does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuppressedBy {
    /// A comment in the file itself.
    Comment,
    /// An entry of the configuration.
    Config,
    /// A baseline, which knew the finding already.
    Baseline,
}

impl SuppressedBy {
    /// `comment`, `config` or `baseline`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Comment => "comment",
            Self::Config => "config",
            Self::Baseline => "baseline",
        }
    }
}

/// Another place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The file, where it is another one than the finding's.
    pub file: Option<String>,
    /// The place; none where there is no text.
    pub span: Option<Span>,
    /// What stands there.
    pub message: Message,
}

/// A reviewers' code for a rejection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Prevents {
    /// The provider: `twilio`, `bandwidth`, ...
    pub by: Cow<'static, str>,
    /// The code, as the provider writes it.
    pub code: Cow<'static, str>,
}

/// A remedy that needs no thought, or nearly none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Whether it may be applied unseen.
    pub safety: Safety,
    /// Replacements in the file, in order, not overlapping; none where there is no text.
    pub edits: Vec<Edit>,
}

/// Whether a [`Fix`] may be applied unseen. The order is that of daring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Safety {
    /// The meaning stays the same.
    Safe,
    /// A person should read the result.
    Unsafe,
}

/// The text with as many fixes as do not touch each other, and how many those are; none without any.
pub(crate) fn apply(text: &str, mut fixes: Vec<&Fix>) -> Option<(String, usize)> {
    fixes.retain(|it| changes(text, it));
    fixes.sort_by_key(|it| it.edits.iter().map(|edit| edit.span.start).min());
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

/// Whether a fix can be applied at all, and makes a difference.
fn changes(text: &str, fix: &Fix) -> bool {
    let is_in_order = fix
        .edits
        .windows(2)
        .all(|pair| pair[0].span < pair[1].span && pair[0].span.end <= pair[1].span.start);
    let is_in_bounds = fix.edits.iter().all(|edit| text.get(edit.span.range()).is_some());
    is_in_order && is_in_bounds && fix.edits.iter().any(|edit| text[edit.span.range()] != edit.text)
}
