//! `frame`: meanings that must not occur together in a text.

use std::cell::{Cell, LazyCell};
use std::collections::BTreeMap;
use std::ops::Range;

use smallvec::SmallVec;
use tollproof_data::checks::frame::{FramePattern, FramePolarity, FrameScope, Frames};
use tollproof_data::text::table::number_set::NumberSet;
use tollproof_data::text::terms::groups::Groups;
use tollproof_data::text::words::hit::{GroupId, Hit};
use tollproof_data::text::words::polarity;

use crate::checks::violation::marked;
use crate::checks::{Context, Place, SHOWN, Violation};
use crate::text::asked::scan::Scan;

pub(super) fn check(check: &Frames, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    let scan = context.scan(text);
    marked(places(check, (text, &scan), context), text, node, context)
}

/// The places of a text where patterns of a frame match, as byte ranges.
pub(super) fn places(
    check: &Frames,
    (text, scan): (&str, &Scan),
    context: &Context<'_>,
) -> Vec<Range<usize>> {
    if says(scan, &check.unless) {
        return Vec::new();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    for pattern in &check.any_of {
        if !pattern.all.iter().all(|part| scan.has_group(&part.ids)) {
            continue;
        }
        let tries = Cell::new(MAX_TRIES);
        let fit = Fit { frame: check, pattern, text, scan, context, tries };
        fit.find(&mut found);
    }
    // Of places that overlap, show only the first.
    found.sort_by_key(|words| (words.start, words.end));
    let mut end = 0;
    found.retain(|words| {
        let apart = words.start >= end;
        end = if apart { words.end } else { end };
        apart
    });
    found.into_iter().take(SHOWN).map(|frame| scan.words().range(frame.start, frame.end - 1)).collect()
}

/// The longest run of words that is shown as one place; of a longer one, only the anchor is.
const MAX_SHOWN: usize = 18;

/// The number of terms of a part tried on each side of the anchor.
const TRIED: usize = 4;

/// The number of them looked at, to find those that share no word with another part.
const SEARCHED: usize = 32;

/// The most terms a pattern looks at in a text: the number of choices grows exponentially with the parts.
const MAX_TRIES: u32 = 2_000_000;

/// The terms of a part of a pattern; mostly few.
type PartTerms<'h> = SmallVec<[&'h Hit; 4]>;

/// A pattern and a text.
struct Fit<'c> {
    frame: &'c Frames,
    pattern: &'c FramePattern,
    text: &'c str,
    scan: &'c Scan,
    context: &'c Context<'c>,
    /// The number of terms left to look at.
    tries: Cell<u32>,
}

impl Fit<'_> {
    /// Adds the places where the pattern fits, as ranges of words: at most one in each unit.
    fn find(&self, found: &mut Vec<Range<usize>>) {
        let Self { pattern, scan, .. } = self;
        if says(scan, &pattern.unless) {
            return;
        }
        let sentences = scan.sentences();
        match pattern.scope {
            FrameScope::Field => found.extend(self.fits(0..scan.words().len(), 0..sentences.len())),
            FrameScope::Sentence => {
                let may_fit = |at: &usize| self.may_fit(*at);
                let fits = |at: usize| self.fits(sentences[at].clone(), at..at + 1);
                found.extend((0..sentences.len()).filter(may_fit).filter_map(fits));
            }
            FrameScope::Pair => {
                let pair = |at: usize| self.fits_in(at..(at + 2).min(sentences.len()));
                found.extend((0..sentences.len()).filter_map(pair));
            }
            FrameScope::Clause => {
                let may_fit = |(at, _): &(usize, &Range<usize>)| self.may_fit(*at);
                for (at, sentence) in sentences.iter().enumerate().filter(may_fit) {
                    let mut start = sentence.start;
                    while start < sentence.end {
                        let clause = polarity::clause((scan.words(), scan.roles()), start);
                        let end = clause.end.clamp(start + 1, sentence.end);
                        found.extend(self.fits(start..end, at..at + 1));
                        start = end;
                    }
                }
            }
        }
    }

    /// Whether a sentence has all parts and states something; that refuses most sentences.
    fn may_fit(&self, sentence: usize) -> bool {
        let has = |part: &Groups| self.scan.sentence_has(sentence, &part.ids);
        self.pattern.all.iter().all(has) && self.states(sentence)
    }

    /// Whether a sentence can have an anchor: it is about what the applicant does now, and asks nothing.
    fn states(&self, sentence: usize) -> bool {
        let asks = || !self.frame.questions && self.scan.is_question(sentence);
        !self.scan.sentence_has(sentence, self.context.vocabulary().excuses()) && !asks()
    }

    fn fits_in(&self, sentences: Range<usize>) -> Option<Range<usize>> {
        let has = |groups: &NumberSet| sentences.clone().any(|it| self.scan.sentence_has(it, groups));
        let may_fit = self.pattern.all.iter().all(|part| has(&part.ids));
        if !may_fit || !sentences.clone().any(|it| self.states(it)) {
            return None;
        }
        let first = self.scan.sentences()[sentences.start].start;
        self.fits(first..self.scan.sentences()[sentences.end - 1].end, sentences)
    }

    /// Finds the pattern in some words of some sentences.
    fn fits(&self, words: Range<usize>, sentences: Range<usize>) -> Option<Range<usize>> {
        let Self { pattern, text, scan, context, .. } = self;
        let hits = scan.hits_in(&words);
        if self.is_released(&words, &sentences) {
            return None;
        }
        let parts = self.parts(hits)?;
        // Few texts deny anything, so the terms with a negation of their own are mostly not needed.
        let own = LazyCell::new(|| self.own_negations(hits));
        let denied = |hit: &Hit| {
            let counts = |at: usize| scan.negates(at) && !own.have(at, hit);
            polarity::is_negated((scan.words(), scan.roles()), hit, counts)
                || polarity::is_negated_behind((scan.words(), scan.roles()), hit, counts)
        };
        let of = |groups: &Groups| -> PartTerms<'_> {
            hits.iter().filter(|hit| hit.group.is_some_and(|it| groups.has(it))).collect()
        };
        if !pattern.asserted.is_empty() {
            let mut silent: BTreeMap<Option<GroupId>, bool> = BTreeMap::new();
            for hit in of(&pattern.asserted) {
                let is_silent = silent.entry(hit.group).or_insert(true);
                *is_silent = *is_silent && denied(hit);
            }
            if silent.into_values().any(|is_silent| is_silent) {
                return None;
            }
        }
        let others = (!pattern.anchor.is_empty()).then(|| of(&pattern.anchor));
        let anchors = others.as_ref().unwrap_or(&parts[0]);
        if !self.are_enough(anchors) {
            return None;
        }
        anchors.iter().find_map(|hit| {
            let is_wanted = || match pattern.polarity {
                FramePolarity::Asserted => !denied(hit),
                FramePolarity::Denied => denied(hit),
                FramePolarity::Any => true,
            };
            if !self.states(scan.sentence_of(hit.first))
                || !is_wanted()
                || context.is_in_business_name(text, scan, hit)
            {
                return None;
            }
            let mut chosen = vec![*hit];
            let others: Vec<&[&Hit]> = pattern
                .all
                .iter()
                .zip(&parts)
                .filter(|(part, _)| !is_anchor(part, hit))
                .map(|(_, hits)| hits.as_slice())
                .collect();
            self.choose(&others, &mut chosen).then(|| shown(&chosen))
        })
    }

    /// The terms of each part; `None` if one has none.
    fn parts<'h>(&self, hits: &'h [Hit]) -> Option<SmallVec<[PartTerms<'h>; 4]>> {
        let mut parts: SmallVec<[PartTerms<'h>; 4]> =
            self.pattern.all.iter().map(|_| PartTerms::new()).collect();
        // Modulo 64, most groups are in no part.
        let bits = self.pattern.all.iter().fold(0, |bits, part| bits | part.ids.bits());
        for hit in hits {
            let Some(group) = hit.group.filter(|it| bits >> (it % 64) & 1 == 1) else { continue };
            for (part, terms) in self.pattern.all.iter().zip(&mut parts) {
                if part.has(group) {
                    terms.push(hit);
                }
            }
        }
        parts.iter().all(|terms| !terms.is_empty()).then_some(parts)
    }

    /// Whether a group that the pattern must not have is asserted around some words of some sentences.
    fn is_released(&self, words: &Range<usize>, sentences: &Range<usize>) -> bool {
        let Self { pattern, scan, .. } = self;
        let (mut wide, mut around) = (words.clone(), sentences.clone());
        if pattern.none_in == FrameScope::Pair {
            around.end = (sentences.end + 1).min(scan.sentences().len());
            wide.end = scan.sentences()[..around.end].last().map_or(words.end, |last| last.end);
        }
        let (of_frame, of_pattern) = (&self.frame.none.ids, &pattern.none.ids);
        if !around.any(|at| scan.sentence_has(at, of_frame) || scan.sentence_has(at, of_pattern)) {
            return false;
        }
        // Modulo 64, most groups are in neither.
        let bits = of_frame.bits() | of_pattern.bits();
        let releases = |hit: &&Hit| {
            let group = hit.group.filter(|it| bits >> (it % 64) & 1 == 1);
            group.is_some_and(|group| of_frame.has(group) || of_pattern.has(group))
        };
        // "No separate form" releases nothing; a negation farther away is about something else, as is one in the
        // sentence before.
        let is_denied = |hit: &Hit| {
            let sentence = scan.sentences().get(scan.sentence_of(hit.first)).map_or(0, |it| it.start);
            (hit.first.saturating_sub(2).max(sentence)..hit.first).any(|at| scan.negates(at))
        };
        scan.hits_in(&wide).iter().filter(releases).any(|hit| match pattern.none_polarity {
            FramePolarity::Asserted => !is_denied(hit),
            FramePolarity::Denied => is_denied(hit),
            FramePolarity::Any => true,
        })
    }

    /// Whether there are as many different anchors as the pattern wants.
    fn are_enough(&self, anchors: &[&Hit]) -> bool {
        if self.pattern.count < 2 {
            return !anchors.is_empty();
        }
        let mut terms: Vec<String> = anchors
            .iter()
            .map(|hit| {
                (hit.first..=hit.last).map(|at| self.scan.words().word(at)).collect::<Vec<_>>().join(" ")
            })
            .collect();
        terms.sort();
        terms.dedup();
        terms.len() >= usize::from(self.pattern.count)
    }

    /// The terms of the pattern that have a negation of their own: "cannot book" says what happens, it denies nothing
    /// else.
    fn own_negations(&self, hits: &[Hit]) -> OwnNegations {
        let is_part = |group: GroupId| self.pattern.all.iter().any(|part| part.has(group));
        let is_negative = |hit: &Hit| hit.negative || self.scan.negates(hit.first);
        let terms = hits.iter().filter(|hit| hit.last > hit.first && hit.group.is_some_and(is_part));
        let mut terms: Vec<(usize, usize)> =
            terms.filter(|hit| is_negative(hit)).map(|hit| (hit.first, hit.last)).collect();
        terms.sort_unstable();
        terms.dedup();
        OwnNegations::of(&terms)
    }

    /// Chooses a term for each part near the anchor, so that no word counts twice. The first chosen is the anchor.
    fn choose<'h>(&self, parts: &[&[&'h Hit]], chosen: &mut Vec<&'h Hit>) -> bool {
        let Some((part, rest)) = parts.split_first() else { return true };
        let anchor = chosen[0];
        let near = usize::from(self.pattern.near.unwrap_or(u16::MAX));
        let is_near = |hit: &Hit| {
            hit.first.saturating_sub(anchor.last).max(anchor.first.saturating_sub(hit.last)) <= near + 1
        };
        let at = part.partition_point(|hit| hit.first < anchor.first);
        let free = |hit: &&&Hit| {
            self.tries.set(self.tries.get().saturating_sub(1));
            is_near(hit) && !chosen.iter().any(|it| it.shares_end(hit))
        };
        let before: Vec<&Hit> =
            part[..at].iter().rev().take(SEARCHED).filter(free).take(TRIED).copied().collect();
        let after: Vec<&Hit> = part[at..].iter().take(SEARCHED).filter(free).take(TRIED).copied().collect();
        let (before, after) = (before.into_iter(), after.into_iter());
        for hit in before.chain(after) {
            if self.tries.get() == 0 {
                return false;
            }
            if self.context.is_in_business_name(self.text, self.scan, hit) {
                continue;
            }
            chosen.push(hit);
            if self.choose(rest, chosen) {
                return true;
            }
            chosen.pop();
        }
        false
    }
}

/// The words inside terms that have a negation of their own.
struct OwnNegations {
    /// The first word of the first term.
    start: usize,
    /// For each word from there, of the terms that contain it, where the last one begins and the first one ends.
    words: Vec<Option<(usize, usize)>>,
}

impl OwnNegations {
    /// The terms are sorted by their first words.
    fn of(terms: &[(usize, usize)]) -> Self {
        let start = terms.first().map_or(0, |(first, _)| *first);
        let end = terms.iter().map(|(_, last)| last + 1).max().unwrap_or(start);
        let mut words: Vec<Option<(usize, usize)>> = vec![None; end - start];
        for &(first, last) in terms {
            for known in &mut words[first - start..=last - start] {
                let earliest = known.map_or(last, |(_, earliest)| earliest.min(last));
                *known = Some((first, earliest));
            }
        }
        Self { start, words }
    }

    /// Whether a word belongs to one of the terms and so does not deny a hit. A negation with a gap denies what is
    /// in the gap: "never make consent a condition of service".
    fn have(&self, word: usize, hit: &Hit) -> bool {
        let around = word.checked_sub(self.start).and_then(|at| self.words.get(at).copied().flatten());
        around.is_some_and(|(first, last)| first >= hit.first || last < hit.last)
    }
}

/// Whether a text asserts a term of one of the groups.
pub(super) fn says(scan: &Scan, groups: &Groups) -> bool {
    let has = |hit: &Hit| hit.group.is_some_and(|group| groups.has(group)) && !scan.is_negated(hit);
    scan.has_group(&groups.ids) && scan.hits().iter().any(has)
}

fn is_anchor(part: &Groups, anchor: &Hit) -> bool {
    anchor.group.is_some_and(|group| part.has(group))
}

/// The words that show the chosen terms: all between the first and the last, or only the anchor.
fn shown(chosen: &[&Hit]) -> Range<usize> {
    let anchor = chosen[0];
    let first = chosen.iter().map(|hit| hit.first).min().unwrap_or(anchor.first);
    let last = chosen.iter().map(|hit| hit.last).max().unwrap_or(anchor.last);
    if last - first < MAX_SHOWN { first..last + 1 } else { anchor.first..anchor.last + 1 }
}
