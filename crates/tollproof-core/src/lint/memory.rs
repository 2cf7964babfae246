//! What was found in the documents of a text, so that an editor checks only those that changed.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hash as _, Hasher as _, RandomState};
use std::sync::{Mutex, PoisonError};

use crate::facts::{Batch, Facts};
use crate::finding::Finding;
use crate::provider::detect::KindHint;
use crate::provider::kind::Kind;
use crate::syntax::document::{Node, Style};
use crate::syntax::source::Span;
use crate::syntax::{Format, SourceDocument};

/// The findings of the documents of one text, by what each document says.
///
/// One memory is for the texts of one file and for one linter, whose settings never change. Documents with syntax errors, and those whose findings depend
/// on other drafts or on the history, are never remembered.
#[derive(Debug, Default)]
pub(super) struct CheckMemory {
    found: HashMap<[u64; 2], RememberedFindings>,
    /// Hash functions with random seeds, so that a text cannot choose documents with the same key.
    hashes: [RandomState; 2],
    round: u64,
}

/// The memories of the texts that a linter checks again and again, by their names.
#[derive(Debug, Default)]
pub(super) struct CheckMemories(Mutex<HashMap<String, CheckMemory>>);

/// Of more texts than this, nothing is remembered.
const MAX_TEXTS: usize = 64;

impl CheckMemories {
    /// Takes the memory of a text; a new one if the text is new, or is checked by another thread.
    pub(super) fn take(&self, name: &str) -> CheckMemory {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(name).unwrap_or_default()
    }

    /// Gives the memory of a text back.
    pub(super) fn give(&self, name: &str, memory: CheckMemory) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_TEXTS {
            all.clear();
        }
        all.insert(name.to_owned(), memory);
    }
}

/// The findings of a document, and where its text began.
#[derive(Debug)]
struct RememberedFindings {
    findings: Vec<Finding>,
    start: u32,
    round: u64,
}

/// A document that may be remembered: its key, and the part of the text that belongs to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryPlace {
    key: [u64; 2],
    area: Span,
}

impl CheckMemory {
    /// Begins a check.
    pub(super) fn begin(&mut self) {
        self.round += 1;
    }

    /// Ends a check: forgets documents that are no longer in the text.
    pub(super) fn end(&mut self) {
        let round = self.round;
        self.found.retain(|_, it| it.round == round);
    }

    /// The place of a document; `None` if its findings may depend on more than its text.
    pub(super) fn place(
        &self,
        document: SourceDocument<'_>,
        area: Span,
        kind: Kind,
        (hint, facts, earlier): (KindHint, &Facts, &Batch),
    ) -> Option<MemoryPlace> {
        let root = document.document().root.as_ref()?;
        let is_alone = document.syntax_errors.is_empty()
            && !document.cut
            && document.source().start().is_first()
            && document.source().is_exact()
            && facts.record.is_none()
            && facts.record_id.is_none()
            && facts.history.is_empty();
        let is_known = |number: &str| earlier.first(number).is_some() || facts.batch.first(number).is_some();
        let text = document.source().slice(area);
        if !is_alone
            || text.contains('*') && has_alias(root)
            || kind.number_names(root).any(|(_, number)| is_known(number))
        {
            return None;
        }
        let key = self.hashes.each_ref().map(|hash| {
            let mut hasher = hash.build_hasher();
            (text, document.index, kind.provider().name(), kind.name()).hash(&mut hasher);
            format!("{hint:?} {:?} {:?}", facts.now, facts.notified_at).hash(&mut hasher);
            // The names of the keys of a row are above it.
            let above = document.source().text().lines().next().filter(|_| matches!(root.style, Style::Cell));
            above.hash(&mut hasher);
            hasher.finish()
        });
        Some(MemoryPlace { key, area })
    }

    /// The findings of a document, at their places in this text.
    pub(super) fn get(&mut self, place: MemoryPlace) -> Option<Vec<Finding>> {
        let found = self.found.get_mut(&place.key)?;
        found.round = self.round;
        let mut findings = found.findings.clone();
        findings.iter_mut().for_each(|it| move_by(it, found.start, place.area.start));
        Some(findings)
    }

    /// Remembers the findings of a document, if all of them are about its own text.
    pub(super) fn set(&mut self, place: MemoryPlace, findings: &[Finding]) {
        let is_inside = |span: Span| place.area.start <= span.start && span.end <= place.area.end;
        let is_own = |finding: &Finding| {
            let related = &finding.related;
            finding.span.is_none_or(is_inside)
                && related
                    .iter()
                    .all(|it| it.file.is_none() && it.place.is_none() && it.span.is_none_or(is_inside))
                && finding.fix.iter().flat_map(|fix| &fix.edits).all(|edit| is_inside(edit.span))
        };
        if findings.iter().all(is_own) {
            let (findings, start) = (findings.to_vec(), place.area.start);
            self.found.insert(place.key, RememberedFindings { findings, start, round: self.round });
        }
    }
}

/// Whether a value is a copy of another one, which may be in another document.
fn has_alias(node: &Node<'_>) -> bool {
    matches!(node.style, Style::Alias(_))
        || node.members().iter().any(|it| has_alias(&it.value))
        || node.items().iter().any(has_alias)
}

/// Moves all places of a finding from a text that begins at `from` to one that begins at `to`.
fn move_by(finding: &mut Finding, from: u32, to: u32) {
    if from == to {
        return;
    }
    let moved = |span: &mut Span| {
        *span = Span { start: span.start - from + to, end: span.end - from + to };
    };
    finding.span.iter_mut().for_each(moved);
    finding.related.iter_mut().filter_map(|it| it.span.as_mut()).for_each(moved);
    finding.fix.iter_mut().flat_map(|fix| &mut fix.edits).for_each(|edit| moved(&mut edit.span));
}

/// The part of a text that belongs to each document: from the one before to the end of its last line, or to the next one. In
/// NDJSON, its line.
#[derive(Debug)]
pub(super) struct DocumentAreas {
    are_lines: bool,
    end: usize,
}

impl DocumentAreas {
    pub(super) fn of(format: Format) -> Self {
        Self { are_lines: format == Format::Ndjson, end: 0 }
    }

    /// The area of the next document.
    pub(super) fn next(
        &mut self,
        document: SourceDocument<'_>,
        following: Option<SourceDocument<'_>>,
    ) -> Span {
        let text = document.source().text();
        let span = |it: SourceDocument<'_>| it.document().root.as_ref().map(|root| root.span);
        let own = span(document).map_or(self.end, |it| it.end as usize);
        let next = following.and_then(span).map_or(text.len(), |it| it.start as usize);
        let before = text.get(..own).unwrap_or_default();
        let line_start = || before.rfind('\n').map_or(0, |at| at + 1);
        let start = if self.are_lines { line_start() } else { self.end.min(own) };
        let rest = text.get(own..next.max(own)).unwrap_or_default();
        self.end = own + rest.find('\n').map_or(rest.len(), |at| at + 1);
        Span::new(start, self.end)
    }
}

#[cfg(test)]
mod tests {
    use crate::examples::base;
    use crate::facts::Facts;
    use crate::lint::Linter;
    use crate::provider::kind::{Kind, KindRole};
    use crate::syntax::source::Source;
    use crate::syntax::{Format, Parsed};

    /// Drafts of which each has a number of its own, and findings.
    fn drafts(count: usize) -> Vec<serde_json::Value> {
        let draft = |at: usize| {
            let mut draft = base::of(Kind::of(KindRole::Submit));
            draft["phoneNumbers"] = serde_json::json!([format!("9a1b2c3d-4e5f-4061-8273-94a5b6c7d{at:03x}")]);
            draft["useCase"] = "appointments".into();
            draft["busnessName"] = "Acme".into();
            draft
        };
        (0..count).map(draft).collect()
    }

    fn texts(drafts: &[serde_json::Value]) -> [(Format, String); 4] {
        let lines = drafts.iter().map(|it| format!("{it}\n")).collect();
        [
            (Format::Json, serde_json::to_string(drafts).expect("it is JSON")),
            (Format::Json, serde_json::to_string_pretty(drafts).expect("it is JSON")),
            (Format::Ndjson, lines),
            (Format::Yaml, serde_yaml::to_string(drafts).expect("it is YAML")),
        ]
    }

    #[test]
    fn a_changed_text_is_checked_as_if_it_were_new() {
        let linter = Linter::builtin();
        let remembering = Linter::builder().remembering().build().expect("nothing is added");
        let facts = Facts::default();
        let mut drafts = drafts(5);
        for step in 0..8 {
            match step {
                1 => drafts[2]["businessName"] = "😀 Harbor Lantern".into(),
                2 => drafts[0]["useCaseSummary"] = "x".into(),
                3 => drafts[4]["phoneNumbers"] = drafts[1]["phoneNumbers"].clone(),
                4 => drafts.swap(0, 3),
                5 => drop(drafts.remove(1)),
                6 => drafts[1]["phoneNumbers"] = drafts[2]["phoneNumbers"].clone(),
                _ => {}
            }
            for (at, (format, text)) in texts(&drafts).into_iter().enumerate() {
                let source = Source::new(format!("drafts-{at}"), text);
                let parsed = Parsed::of(&source, Some(format));
                let hint = crate::provider::detect::KindHint::Explicit;
                let (again, fresh) =
                    (remembering.check(&parsed, hint, &facts), linter.check(&parsed, hint, &facts));
                assert_eq!(again.findings, fresh.findings, "{format:?}, step {step}");
                assert_eq!((again.documents, again.numbers), (fresh.documents, fresh.numbers));
            }
        }
        let memories = remembering.memories.as_ref().expect("it remembers").0.lock().expect("it is free");
        assert!(memories.len() == 4 && memories.values().all(|it| it.found.len() >= 2));
    }
}
