//! `compare`: a text whose meanings do not fit those of another field.

use std::ops::Range;

use smallvec::SmallVec;
use tollproof_data::checks::Compare;
use tollproof_data::text::terms::groups::Groups;
use tollproof_data::text::words::hit::{GroupId, Hit};

use crate::checks::violation::marked;
use crate::checks::{Context, Place, SHOWN, Violation};
use crate::text::asked::scan::Scan;

pub(super) fn check(check: &Compare, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let others = context.values_in_words(&check.with);
    let mut found = None;
    // Of several values, one that fits is enough.
    for (value, other) in &others {
        found = Some(compare(check, place, (value, other), context)?);
    }
    found
}

/// Compares the text with a value of the other field, which is given with the text that it means.
fn compare(
    check: &Compare,
    place: &Place<'_>,
    (value, other): (&str, &str),
    context: &Context<'_>,
) -> Option<Violation> {
    let (node, text) = place.text()?;
    let scan = context.scan(text);
    if !check.expects.0.is_empty() {
        let (_, fitting) = check.expects.0.iter().find(|(expected, _)| expected == other)?;
        if scan.has_group(&fitting.ids) || scan.has_group(&check.unless.ids) {
            return None;
        }
        let own = stated((text, &scan), &check.facts, context);
        return Some(marked(ranges(&own, &scan), text, node, context)?.fill("other", value));
    }
    let other_scan = context.scan(other);
    let is_excused = |scan: &Scan| scan.has_group(&check.unless.ids);
    if !scan.has_group(&check.facts.ids) || is_excused(&scan) || is_excused(&other_scan) {
        return None;
    }
    if agree(check, (text, &scan), (other, &other_scan), context) {
        return None;
    }
    let own = stated((text, &scan), &check.facts, context);
    let others = stated((other, &other_scan), &check.facts, context);
    let is_apart = if check.against.is_empty() {
        !others.is_empty()
    } else {
        others.is_empty() && !stated((other, &other_scan), &check.against, context).is_empty()
    };
    if own.is_empty() || !is_apart {
        return None;
    }
    let shown = others
        .first()
        .copied()
        .or_else(|| stated((other, &other_scan), &check.against, context).first().copied());
    let said = |scan: &Scan, text: &str, hit: &Hit| text[scan.words().range(hit.first, hit.last)].to_owned();
    let found = shown.map(|hit| said(&other_scan, other, &hit)).unwrap_or_default();
    Some(marked(ranges(&own, &scan), text, node, context)?.fill("other", found.as_str()))
}

/// Whether two texts state a group in common, as most do.
fn agree(check: &Compare, text: (&str, &Scan), other: (&str, &Scan), context: &Context<'_>) -> bool {
    // The same group is looked for once, however often a text repeats it.
    let mut seen: SmallVec<[Option<GroupId>; 8]> = SmallVec::new();
    statements(text, &check.facts, |group| check.facts.has(group), context).any(|hit| {
        if seen.contains(&hit.group) {
            return false;
        }
        seen.push(hit.group);
        statements(other, &check.facts, |group| Some(group) == hit.group, context).next().is_some()
    })
}

fn ranges(hits: &[Hit], scan: &Scan) -> Vec<Range<usize>> {
    hits.iter().take(SHOWN).map(|hit| scan.words().range(hit.first, hit.last)).collect()
}

/// The terms of the groups that a text states about the present.
pub(super) fn stated(text: (&str, &Scan), groups: &Groups, context: &Context<'_>) -> Vec<Hit> {
    statements(text, groups, |group| groups.has(group), context).copied().collect()
}

/// The terms of some groups among `groups` that a text states about the present.
fn statements<'s>(
    (text, scan): (&'s str, &'s Scan),
    groups: &'s Groups,
    is_wanted: impl Fn(GroupId) -> bool + 's,
    context: &'s Context<'_>,
) -> impl Iterator<Item = &'s Hit> {
    let excuses = context.vocabulary().excuses();
    // Most sentences have none of the groups, and need no look at their terms.
    let tells = move |at: usize| scan.sentence_has(at, &groups.ids) && !scan.sentence_has(at, excuses);
    let sentences = if scan.has_group(&groups.ids) { scan.sentences() } else { &[] };
    sentences
        .iter()
        .enumerate()
        .filter(move |(at, _)| tells(*at))
        .flat_map(|(_, words)| scan.hits_in(words))
        .filter(move |hit| hit.group.is_some_and(&is_wanted))
        .filter(move |hit| !scan.is_negated(hit) && !context.is_in_business_name(text, scan, hit))
}
