//! `topics`: a text about a topic, shown by terms of different weight.

use std::ops::Range;

use tollproof_data::checks::Topics;
use tollproof_data::text::terms::groups::Groups;
use tollproof_data::text::words::hit::Hit;
use tollproof_data::text::words::language::Language;

use crate::checks::violation::marked;
use crate::checks::{Context, Place, SHOWN, Violation};
use crate::provider::role;
use crate::syntax::message::Message;
use crate::text::asked::scan::Scan;

pub(super) fn check(check: &Topics, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    let scan = context.scan(text);
    if !scan.has_group(&check.any_of.ids) {
        return None;
    }
    let business = context.field(role::BUSINESS_NAME);
    if business.is_some_and(|name| context.scan(name).has_group(&check.unless_business.ids)) {
        return None;
    }
    let is_name = place.role == role::BUSINESS_NAME;
    let own = evidence(check, text, &scan, is_name, context);
    let mut names: Vec<&str> = own.iter().filter(|it| it.weight > WEAK).map(|it| it.topic).collect();
    if names.is_empty() {
        return None;
    }
    names.sort_unstable();
    names.dedup();
    let beside: Vec<Evidence<'_>> = check
        .beside
        .iter()
        .filter(|other| *other != place.role)
        .filter_map(|other| context.field(other))
        .flat_map(|other| evidence(check, other, &context.scan(other), false, context))
        .collect();
    let score = |name: &str| score(check, name, &own, &beside);
    let topic = names
        .into_iter()
        .max_by_key(|name| score(name))
        .filter(|name| score(name) >= u32::from(check.at_least))?;
    let mut shown: Vec<&Evidence<'_>> = own.iter().filter(|it| it.topic == topic).collect();
    shown.sort_by_key(|it| (std::cmp::Reverse(it.weight), it.hit.first));
    let ranges =
        shown.iter().take(SHOWN).map(|evidence| scan.words().range(evidence.hit.first, evidence.hit.last));
    let title = context.vocabulary().title(topic).unwrap_or(topic);
    Some(marked(ranges.collect(), text, node, context)?.fill("topic", Message::own(title)))
}

/// A term that shows a topic.
struct Evidence<'v> {
    topic: &'v str,
    weight: u16,
    term: String,
    hit: Hit,
}

/// The weight of a strong term.
const STRONG: u16 = 3;

/// The weight of a weak term.
const WEAK: u16 = 1;

/// The most weak terms that count.
const MOST_WEAK: u32 = 2;

/// The weight of the terms of a topic, of which the text has some that are not weak; 0 if too few are strong.
fn score(check: &Topics, topic: &str, own: &[Evidence<'_>], beside: &[Evidence<'_>]) -> u32 {
    let all = own.iter().chain(beside).filter(|it| it.topic == topic);
    let mut terms: Vec<(&str, u16)> = all.map(|it| (it.term.as_str(), it.weight)).collect();
    terms.sort_unstable();
    // Of a term with several weights, the last one is kept, which is the heaviest.
    terms.reverse();
    terms.dedup_by_key(|(term, _)| *term);
    let of = |weight: u16| terms.iter().filter(|it| it.1 == weight).count() as u32;
    let offered = of(2 * STRONG);
    if of(STRONG) + offered < u32::from(check.strong) {
        return 0;
    }
    (of(STRONG) + 2 * offered) * u32::from(STRONG) + of(2) * 2 + of(WEAK).min(MOST_WEAK)
}

/// The terms in a text that show one of the topics; of terms that overlap, the first and longest.
fn evidence<'v>(
    check: &Topics,
    text: &str,
    scan: &Scan,
    is_name: bool,
    context: &Context<'v>,
) -> Vec<Evidence<'v>> {
    let of = |hit: &&Hit| hit.group.is_some_and(|group| check.any_of.has(group));
    let mut hits: Vec<&Hit> = scan.hits().iter().filter(of).collect();
    hits.sort_by_key(|hit| (hit.first, std::cmp::Reverse(hit.last)));
    let mut found: Vec<Evidence<'v>> = Vec::new();
    let around =
        Around { except: Spans::of(&check.except, scan), in_names: Spans::of(&check.in_names, scan) };
    let is_offer = |hit: &Hit| scan.sentence_has(scan.sentence_of(hit.first), &check.offered.ids);
    for hit in hits {
        if is_excused(check, (text, scan), hit, is_name, &around, context) {
            continue;
        }
        let name = hit.group.map(|group| context.vocabulary().name(group));
        let Some((topic, grade)) = name.and_then(|it| it.split_once('.')) else { continue };
        let weight = match grade {
            "strong" if hit.group.is_some_and(|group| check.goods.has(group)) && is_offer(hit) => 2 * STRONG,
            "strong" => STRONG,
            "medium" => 2,
            _ => WEAK,
        };
        let overlapping = found
            .iter_mut()
            .rev()
            .take(4)
            .find(|evidence| evidence.topic == topic && evidence.hit.overlaps(hit));
        if let Some(known) = overlapping {
            // The same words can be strong in one topic and weak in another, but count once in each.
            known.weight = known.weight.max(weight);
            continue;
        }
        let words: Vec<&str> = (hit.first..=hit.last).map(|at| scan.words().word(at)).collect();
        found.push(Evidence { topic, weight, term: words.join(" "), hit: *hit });
    }
    found
}

fn is_excused(
    check: &Topics,
    (text, scan): (&str, &Scan),
    hit: &Hit,
    is_name: bool,
    around: &Around,
    context: &Context<'_>,
) -> bool {
    let sentence = scan.sentence_of(hit.first);
    let longer = around.except.begin_in(hit.first.saturating_sub(8)..hit.last + 1);
    scan.sentence_has(sentence, context.vocabulary().excuses())
        || scan.sentence_has(sentence, &check.unless.ids)
        || longer.iter().any(|it| it.longest >= hit.first)
        || scan.is_negated(hit)
        || is_in_name((text, scan), hit, &around.in_names)
        || !is_name && context.is_in_business_name(text, scan, hit)
}

/// Terms in a text that change what those beside them mean.
struct Around {
    except: Spans,
    in_names: Spans,
}

/// The terms of some groups in a text, by their first words: very many can begin with the same word.
struct Spans(Vec<TermSpan>);

/// The terms that begin with a word.
struct TermSpan {
    first: usize,
    /// The last word of the shortest of them.
    shortest: usize,
    /// The last word of the longest.
    longest: usize,
}

impl Spans {
    fn of(groups: &Groups, scan: &Scan) -> Self {
        let mut spans: Vec<TermSpan> = Vec::new();
        let terms = scan.hits().iter().filter(|hit| hit.group.is_some_and(|group| groups.has(group)));
        for hit in terms {
            match spans.last_mut() {
                Some(span) if span.first == hit.first => {
                    span.shortest = span.shortest.min(hit.last);
                    span.longest = span.longest.max(hit.last);
                }
                _ => spans.push(TermSpan { first: hit.first, shortest: hit.last, longest: hit.last }),
            }
        }
        Self(spans)
    }

    /// The terms whose first word is in a range of words.
    fn begin_in(&self, words: Range<usize>) -> &[TermSpan] {
        let before = |word: usize| self.0.partition_point(|span| span.first < word);
        &self.0[before(words.start)..before(words.end)]
    }
}

/// Whether a term in capitals is part of a name: Cannon Street, rue du Canon.
fn is_in_name((text, scan): (&str, &Scan), hit: &Hit, in_names: &Spans) -> bool {
    if !scan.is_capital(text, hit.first) {
        return false;
    }
    // Some languages put such words after the name, others before it, with articles between.
    let languages = scan.languages_at(hit.first);
    let reach = if languages.iter().any(Language::kind_follows_name) { 1 } else { 3 };
    let before = in_names.begin_in(hit.first.saturating_sub(reach)..hit.first);
    before.iter().any(|it| it.shortest < hit.first)
        || !in_names.begin_in(hit.last + 1..hit.last + 3).is_empty()
}
