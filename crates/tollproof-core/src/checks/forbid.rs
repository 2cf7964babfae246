//! `forbid`: a text that must not contain certain phrases.

use std::cell::LazyCell;
use std::ops::Range;

use tollproof_data::checks::Forbid;
use tollproof_data::text::words::hit::{Hit, Hits};
use tollproof_data::text::words::polarity;

use crate::checks::{Context, Place, SHOWN, Violation, labelled};
use crate::syntax::message::Message;
use crate::syntax::source::Span;
use crate::text::asked::scan::Scan;

pub(super) fn check(check: &Forbid, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    let scan = context.scan(text);
    if check.matches.is_empty() && !scan.has(&check.any_of) && !scan.has(&check.whole) {
        return None;
    }
    let mut excuses = None;
    let whole = |hit: &Hit| check.whole.has(hit.set) && hit.first == 0 && hit.last + 1 == scan.words().len();
    let mut excused = |hit: &Hit| excuses.get_or_insert_with(|| Excuses::of(check, &scan)).cover(hit);
    let slots = LazyCell::new(|| context.slots(text));
    let in_slot = |hit: &Hit| {
        if !check.outside_slots {
            return false;
        }
        let range = scan.words().range(hit.first, hit.last);
        let next = slots.partition_point(|slot| slot.end <= range.start);
        slots.get(next).is_some_and(|slot| slot.start < range.end)
    };
    let is_skipped = |hit: &Hit| check.not_first && hit.first == 0 || in_slot(hit);
    let mut counts = |hit: &Hit| check.any_of.has(hit.set) && !is_skipped(hit) && !excused(hit);
    // Modulo 64, most hits are of other sets.
    let bits = check.any_of.sets.bits() | check.whole.sets.bits();
    let may_count = |hit: &&Hit| bits >> (hit.set % 64) & 1 == 1;
    let hits = scan.hits().iter().filter(may_count);
    let mut hits: Vec<Hit> = hits.filter(|hit| whole(hit) || counts(hit)).copied().collect();
    hits.sort_by_key(|hit| (hit.first, std::cmp::Reverse(hit.last)));
    // Of phrases that overlap, report only the first and longest.
    let mut end = None;
    hits.retain(|hit| {
        let apart = end.is_none_or(|end| hit.first > end);
        end = if apart { Some(hit.last) } else { end };
        apart
    });
    let span = |hit: &Hit| context.inner(node, scan.words().range(hit.first, hit.last));
    let mut spans: Vec<Span> = hits.iter().take(SHOWN).map(span).collect();
    let mut first = hits.first().map(|hit| scan.words().range(hit.first, hit.last));
    for pattern in &check.matches {
        let pattern = context.lists.pattern(pattern);
        for found in pattern.find_iter(text).filter(|found| !found.is_empty()).take(SHOWN) {
            spans.push(context.inner(node, found.range()));
            first.get_or_insert(found.range());
        }
    }
    let list = hits.first().and_then(|hit| context.lists.title(hit.set)).unwrap_or_default().to_owned();
    let violation = labelled(spans)?;
    let found = text.get(first.unwrap_or_default()).unwrap_or_default();
    Some(violation.fill("match", found).fill("list", Message::own(list)))
}

/// Reasons to skip a phrase: a longer phrase of `except` contains it, its sentence contains a phrase of `unless`,
/// or it is negated.
struct Excuses<'c> {
    check: &'c Forbid,
    scan: &'c Scan,
    except: Hits,
    unless: Hits,
    /// The sentence of the last phrase that was checked.
    sentence: Range<usize>,
    /// The last word after which a quotation was searched for, and where it begins.
    quotation: Option<(usize, usize)>,
}

impl<'c> Excuses<'c> {
    fn of(check: &'c Forbid, scan: &'c Scan) -> Self {
        let except = Hits::of(scan.hits(), |set| check.except.has(set));
        let unless = Hits::of(scan.hits(), |set| check.unless.has(set));
        Self { check, scan, except, unless, sentence: 0..0, quotation: None }
    }

    fn cover(&mut self, hit: &Hit) -> bool {
        !self.unless.is_empty() && self.is_in_excused_sentence(hit)
            || self.except.overlap(hit)
            || self.check.skip_negated && self.scan.is_negated(hit)
    }

    fn is_in_excused_sentence(&mut self, hit: &Hit) -> bool {
        if !self.sentence.contains(&hit.first) {
            self.sentence = polarity::sentence(self.scan.words(), hit.first);
        }
        // A phrase of `unless` inside a quotation does not excuse a phrase before the quotation.
        let end = match self.quotation {
            Some((after, begin)) if (after..begin).contains(&hit.last) => begin,
            _ => {
                let begin = polarity::quotation(self.scan.words(), hit.last).unwrap_or(self.sentence.end);
                self.quotation = Some((hit.last, begin));
                begin
            }
        };
        !self.unless.begin_in(self.sentence.start..end.min(self.sentence.end)).is_empty()
    }
}
