//! Applies fixes to a text: whole ones, in its order, pass after pass until nothing changes.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::finding::{Safety, Severity, apply};
use crate::lint::Report;
use crate::syntax::Parsed;
use crate::syntax::source::Source;

/// Passes over one text; fixes that wait for each other are done long before.
const MAX_PASSES: usize = 100;

/// The fixes to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixer {
    /// The limit of a fix: [`Safety::Unsafe`] allows both.
    pub reach: Safety,
    /// The least severity of the findings that are fixed.
    pub least: Severity,
}

/// A text after its fixes.
#[derive(Debug)]
pub struct FixedText {
    /// The text, under the name that it had.
    pub source: Source<'static>,
    /// The report after the fixes.
    pub report: Report,
    /// The number of applied fixes.
    pub fixed: usize,
}

impl Fixer {
    /// Applies the fixes of a report, checks again, and goes on until no fix is left; none where nothing changes.
    ///
    /// Of fixes that touch each other the first in the text is applied, and the others see what it leaves. Only
    /// [`Report::fixes`] count, so nothing happens to a text that could not be read as it is written. A pass that
    /// would spoil the notation of a document is not kept. Fixes that undo each other end where they began.
    pub fn fix(
        &self,
        parsed: &Parsed<'_>,
        report: &Report,
        check: &mut dyn FnMut(&Parsed<'_>) -> Report,
    ) -> Option<FixedText> {
        let source = parsed.source();
        let mut seen = vec![(hash(source.text()), 0)];
        let mut result: Option<FixedText> = None;
        for _ in 0..MAX_PASSES {
            let (source, report, fixed) =
                result.as_ref().map_or((source, report, 0), |it| (&it.source, &it.report, it.fixed));
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
            result = Some(FixedText { source, report: after, fixed });
            if before.is_some() {
                break;
            }
        }
        result.filter(|it| it.fixed > 0)
    }

    /// The text after one pass over the fixes of a report, and how many were applied; none without any.
    fn pass(&self, source: &Source<'_>, report: &Report) -> Option<(String, usize)> {
        let text = source.text();
        let wanted = report.fixes().filter(|it| it.severity >= self.least);
        apply(text, wanted.filter_map(|it| it.fix.as_ref()).filter(|it| it.safety <= self.reach).collect())
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
