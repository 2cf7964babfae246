//! `forbid`: a text that must not say something.

use super::{Defect, labelled};
use crate::context::{Context, Scan};
use crate::document::Node;
use crate::rule::check::Forbid;
use crate::source::Span;
use crate::text::clause;
use crate::text::lexicon::Hit;

pub(super) fn look(check: &Forbid, node: &Node<'_>, context: &Context<'_>) -> Option<Defect> {
    let text = node.as_str()?;
    let scan = context.scan(text);
    let whole = |hit: &&Hit| check.whole.has(hit.set) && hit.first == 0 && hit.last + 1 == scan.words.len();
    let counts = |hit: &&Hit| check.any_of.has(hit.set) && stands(hit, check, &scan);
    let mut hits: Vec<Hit> = scan.hits.iter().filter(|hit| whole(hit) || counts(hit)).copied().collect();
    hits.sort_by_key(|hit| (hit.first, std::cmp::Reverse(hit.last)));
    // Of phrases that overlap, the first and longest is shown.
    let mut end = None;
    hits.retain(|hit| {
        let apart = end.is_none_or(|end| hit.first > end);
        end = if apart { Some(hit.last) } else { end };
        apart
    });
    let span = |hit: &Hit| context.inner(node, scan.words.range(hit.first, hit.last));
    let mut spans: Vec<Span> = hits.iter().map(span).collect();
    let mut first = hits.first().map(|hit| scan.words.range(hit.first, hit.last));
    for pattern in &check.matches {
        for found in context.lists.pattern(pattern).find_iter(text).filter(|found| !found.is_empty()) {
            spans.push(context.inner(node, found.range()));
            first.get_or_insert(found.range());
        }
    }
    let list = hits.first().and_then(|hit| context.lists.titles.get(&hit.set)).cloned().unwrap_or_default();
    let defect = labelled(spans, "")?;
    let found = text.get(first.unwrap_or_default()).unwrap_or_default();
    Some(Defect { label: None, ..defect }.fill("value", text).fill("match", found).fill("list", list))
}

/// Whether a phrase means what it says: not part of an innocent one, not excused by its sentence, not negated.
fn stands(hit: &Hit, check: &Forbid, scan: &Scan) -> bool {
    let others = || scan.hits.iter();
    let innocent = others().any(|it| check.except.has(it.set) && it.overlaps(hit));
    let sentence = clause::sentence(&scan.words, hit.first);
    let excused = others().any(|it| check.unless.has(it.set) && sentence.contains(&it.first));
    let denied = check.skip_negated && clause::is_negated(&scan.words, hit);
    !(innocent || excused || denied)
}
