//! The summary of a JSON report: how much was checked and found, and what was used for it.

use jiff::Timestamp;
use serde::Serialize;

use super::readings::ReadUse;
use super::seen_use::{SeenUse, UnseenAddress};

/// Totals of the check. Findings that the report does not show are counted too.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields, rename = "Summary"))]
pub struct JsonSummary {
    /// The number of checked documents.
    pub documents: usize,
    /// The number of documents that were skipped because they are not drafts: rows of a table without known columns, or other documents
    /// of files found in folders.
    pub skipped: usize,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The number of infos.
    pub infos: usize,
    /// The number of suppressed findings. The other counts do not include them.
    pub suppressed: usize,
    /// The number of baseline findings that did not occur; absent without a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale_baseline: Option<usize>,
    /// The facts about pages, pictures and mail domains that were used; absent without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<JsonSeen>,
    /// The addresses of drafts that were not seen; absent if all were, or if there are no facts. At most 10,000.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<UnseenAddress>,
    /// The number of drafts that a reader has read; absent if the report has none that a reader could read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<JsonReadUse>,
    /// The number of fixes applied by `--fix`; absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed: Option<usize>,
}

impl JsonSummary {
    /// The version of the JSON report. It changes when an older reader would misread the report.
    pub const REPORT_VERSION: u32 = 1;

    /// A summary of what was used of facts and readings, without counts.
    pub(super) fn of_uses(seen: &SeenUse, read: &ReadUse) -> Self {
        let unseen = seen.unseen().cloned().collect();
        Self { seen: JsonSeen::of(seen), unseen, read: JsonReadUse::of(read), ..Self::default() }
    }
}

/// The facts about addresses that were used.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Seen"))]
pub struct JsonSeen {
    /// The facts used; one that two drafts need counts twice.
    used: usize,
    /// The time the oldest of them was seen, in ISO 8601.
    oldest: String,
    /// The time the newest of them was seen, in ISO 8601.
    newest: String,
}

/// The drafts that a reader has read, and what was used of it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields, rename = "ReadUse"))]
pub struct JsonReadUse {
    /// The number of drafts with a reading of every question.
    drafts: usize,
    /// The number of drafts that have none of some question: they were checked by words.
    unread: usize,
    /// The number of removed or lowered findings of words.
    taken_back: usize,
    /// The time of the oldest answer that was used, in ISO 8601; null if none was used.
    oldest: Option<String>,
    /// The time of the newest, in ISO 8601; null if none was used.
    newest: Option<String>,
}

impl JsonReadUse {
    fn of(read: &ReadUse) -> Option<Self> {
        let ReadUse { read: drafts, unread, taken_back, oldest, newest } = read;
        let time = |at: &Option<Timestamp>| at.map(|it| it.to_string());
        let (oldest, newest) = (time(oldest), time(newest));
        let json = Self { drafts: *drafts, unread: *unread, taken_back: *taken_back, oldest, newest };
        (read.read + read.unread > 0).then_some(json)
    }
}

impl JsonSeen {
    fn of(seen: &SeenUse) -> Option<Self> {
        let (oldest, newest) = seen.oldest.zip(seen.newest)?;
        Some(Self { used: seen.used, oldest: oldest.to_string(), newest: newest.to_string() })
    }
}
