//! `forbid`: a text that must not say something.

use std::cell::LazyCell;
use std::ops::Range;

use super::slots::slots;
use super::{SHOWN, Violation, labelled};
use crate::checks::context::Context;
use crate::rule::check::Forbid;
use crate::syntax::document::Node;
use crate::syntax::message::Message;
use crate::syntax::source::Span;
use crate::text::lexicon::{Hit, Hits};
use crate::text::polarity;
use crate::text::scan::Scan;

pub(super) fn check(check: &Forbid, node: &Node<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = node.as_str()?;
    let scan = context.scan(text);
    if check.matches.is_empty() && !scan.has(&check.any_of) && !scan.has(&check.whole) {
        return None;
    }
    let mut excuses = None;
    let whole = |hit: &Hit| check.whole.has(hit.set) && hit.first == 0 && hit.last + 1 == scan.words.len();
    let mut excused = |hit: &Hit| excuses.get_or_insert_with(|| Excuses::of(check, &scan)).cover(hit);
    let slots = LazyCell::new(|| if check.outside_slots { slots(text) } else { Vec::new() });
    let in_slot = |hit: &Hit| {
        let range = scan.words.range(hit.first, hit.last);
        slots.iter().any(|slot| slot.start < range.end && range.start < slot.end)
    };
    let mut counts = |hit: &Hit| check.any_of.has(hit.set) && !in_slot(hit) && !excused(hit);
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
    let mut spans: Vec<Span> = hits.iter().take(SHOWN).map(span).collect();
    let mut first = hits.first().map(|hit| scan.words.range(hit.first, hit.last));
    for pattern in &check.matches {
        let pattern = context.lists.pattern(pattern);
        for found in pattern.find_iter(text).filter(|found| !found.is_empty()).take(SHOWN) {
            spans.push(context.inner(node, found.range()));
            first.get_or_insert(found.range());
        }
    }
    let list = hits.first().and_then(|hit| context.lists.titles.get(&hit.set)).cloned().unwrap_or_default();
    let violation = labelled(spans)?;
    let found = text.get(first.unwrap_or_default()).unwrap_or_default();
    Some(violation.fill("value", text).fill("match", found).fill("list", Message::own(list)))
}

/// Why a phrase may not mean what it says: it is part of an innocent one, its sentence excuses it, or it is negated.
struct Excuses<'c> {
    check: &'c Forbid,
    scan: &'c Scan,
    except: Hits,
    unless: Hits,
    /// The sentence of the phrase that was last asked about.
    sentence: Range<usize>,
}

impl<'c> Excuses<'c> {
    fn of(check: &'c Forbid, scan: &'c Scan) -> Self {
        let except = Hits::of(&scan.hits, |set| check.except.has(set));
        let unless = Hits::of(&scan.hits, |set| check.unless.has(set));
        Self { check, scan, except, unless, sentence: 0..0 }
    }

    fn cover(&mut self, hit: &Hit) -> bool {
        if !self.unless.is_empty() && !self.sentence.contains(&hit.first) {
            self.sentence = polarity::sentence(&self.scan.words, hit.first);
        }
        // What a quotation says does not excuse what stands before it.
        let end = polarity::quotation(&self.scan.words, hit.last).unwrap_or(self.sentence.end);
        let excused = !self.unless.begin_in(self.sentence.start..end.min(self.sentence.end)).is_empty();
        excused
            || self.except.overlap(hit)
            || self.check.skip_negated && polarity::is_negated(&self.scan.words, hit)
    }
}
