//! Applies fixes to a text: whole ones, in its order, pass after pass until nothing changes.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::finding::{Fix, Safety, Severity};
use crate::input::Parsed;
use crate::report::Report;
use crate::source::{Source, Span};

/// Passes over one text; fixes that wait for each other are done long before.
const MAX_PASSES: usize = 100;

/// Which fixes are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mender {
    /// How far a fix may go: [`Safety::Unsafe`] allows both.
    pub reach: Safety,
    /// The least severity of the findings that are mended.
    pub least: Severity,
}

/// A text after its fixes.
#[derive(Debug)]
pub struct Mended {
    /// The text, under the name that it had.
    pub source: Source<'static>,
    /// What is left to say of it.
    pub report: Report,
    /// How many fixes were applied.
    pub fixed: usize,
}

impl Mender {
    /// Applies the fixes of a report, checks again, and goes on until no fix is left; none where nothing changes.
    ///
    /// Of fixes that touch each other the first in the text is applied, and the others see what it leaves. Only
    /// [`Report::fixes`] count, so nothing happens to a text that could not be read as it is written. A pass that
    /// would spoil the notation of a document is not kept. Fixes that undo each other end where they began.
    pub fn mend(
        &self,
        parsed: &Parsed<'_>,
        report: &Report,
        check: &mut dyn FnMut(&Parsed<'_>) -> Report,
    ) -> Option<Mended> {
        let source = parsed.source();
        let mut seen = vec![(hash(source.text()), 0)];
        let mut mended: Option<Mended> = None;
        for _ in 0..MAX_PASSES {
            let (source, report, fixed) =
                mended.as_ref().map_or((source, report, 0), |it| (&it.source, &it.report, it.fixed));
            let Some((text, applied)) = self.pass(source, report) else { break };
            let source = source.rewritten(text);
            let after = check(&Parsed::of(&source, Some(parsed.format())));
            if report.was_spoilt(&after) {
                break;
            }
            let hash = hash(source.text());
            let before = seen.iter().find(|(it, _)| *it == hash).map(|(_, fixed)| *fixed);
            let fixed = before.unwrap_or(fixed + applied);
            seen.push((hash, fixed));
            mended = Some(Mended { source, report: after, fixed });
            if before.is_some() {
                break;
            }
        }
        mended.filter(|it| it.fixed > 0)
    }

    /// The text after one pass over the fixes of a report, and how many were applied; none without any.
    fn pass(&self, source: &Source<'_>, report: &Report) -> Option<(String, usize)> {
        let text = source.text();
        let wanted = report.fixes().filter(|it| it.severity >= self.least);
        apply(text, wanted.filter_map(|it| it.fix.as_ref()).filter(|it| it.safety <= self.reach).collect())
    }
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

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
