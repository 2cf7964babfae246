//! `frame`: meanings that must not stand together in a text.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;
use crate::text::groups::Groups;

/// Meanings that must not stand together in a text, in any order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Frame {
    /// Patterns; each one that fits is reported.
    pub any_of: Vec<FramePattern>,
    /// Groups that no pattern may have in the place where it fits.
    #[serde(default)]
    pub none: Groups,
    /// Groups; a text with a term of one of them is not reported.
    #[serde(default)]
    pub unless: Groups,
}

/// Groups of the vocabulary that stand together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct FramePattern {
    /// The parts of the meaning, in any order: for each, the groups of which one term is enough. No word counts for two
    /// parts.
    pub all: Vec<Groups>,
    /// Groups that must not stand in the same place.
    #[serde(default)]
    pub none: Groups,
    /// Groups that must not stand anywhere in the text.
    #[serde(default)]
    pub unless: Groups,
    /// Where the parts stand together.
    #[serde(default, rename = "in")]
    pub scope: FrameScope,
    /// How many words may be between the anchor and each other part.
    #[serde(default)]
    pub near: Option<u16>,
    /// The part from which distances and polarity are measured, by its groups; by default the first part.
    #[serde(default)]
    pub anchor: Groups,
    /// Whether the anchor must be asserted or denied.
    #[serde(default)]
    pub polarity: FramePolarity,
    /// Groups whose terms must be asserted too.
    #[serde(default)]
    pub asserted: Groups,
    /// How many different terms of the anchor are needed.
    #[serde(default = "one")]
    pub count: u16,
}

fn one() -> u16 {
    1
}

/// Where the parts of a frame stand together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FrameScope {
    /// A part of a sentence between commas, brackets or words such as "but".
    Clause,
    /// A sentence or a line.
    #[default]
    Sentence,
    /// A sentence and the next one.
    Pair,
    /// The whole text.
    Field,
}

/// Whether the anchor of a frame must be asserted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FramePolarity {
    /// The text says it.
    #[default]
    Asserted,
    /// The text denies it.
    Denied,
    /// Either.
    Any,
}

impl CheckSpec for Frame {
    const FILLS: &'static [&'static str] = &["value", "match"];

    fn lacks(&self) -> Option<&'static str> {
        let finds_nothing = self.any_of.is_empty() || self.any_of.iter().any(|it| it.all.is_empty());
        finds_nothing.then_some("a pattern with `all` under `any_of`")
    }

    fn groups(&mut self) -> Vec<&mut Groups> {
        let of_patterns = self.any_of.iter_mut().flat_map(FramePattern::groups);
        of_patterns.chain([&mut self.none, &mut self.unless]).collect()
    }
}

impl FramePattern {
    fn groups(&mut self) -> impl Iterator<Item = &mut Groups> {
        let Self { all, none, unless, anchor, asserted, .. } = self;
        all.iter_mut().chain([none, unless, anchor, asserted])
    }
}

#[cfg(engine)]
mod engine {
    use std::cell::Cell;
    use std::ops::Range;

    use super::{Frame, FramePattern, FramePolarity, FrameScope};
    use crate::checks::violation::marked;
    use crate::checks::{Context, Place, RunCheck, SHOWN, Violation};
    use crate::text::groups::Groups;
    use crate::text::hit::{GroupId, Hit};
    use crate::text::polarity;
    use crate::text::scan::Scan;

    impl RunCheck for Frame {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            let scan = context.scan(text);
            if scan.has_group(&self.unless.ids) {
                return None;
            }
            let mut found: Vec<Range<usize>> = Vec::new();
            for pattern in &self.any_of {
                let excuses = context.vocabulary.excuses();
                let fit = Fit { frame: self, pattern, scan: &scan, excuses, tries: Cell::new(MAX_TRIES) };
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
            let ranges = found.into_iter().take(SHOWN).map(|it| scan.words.range(it.start, it.end - 1));
            marked(ranges.collect(), text, node, context)
        }
    }

    /// The longest run of words that is shown as one place; of a longer one, only the anchor is.
    const MAX_SHOWN: usize = 18;

    /// How many terms of a part on each side of the anchor are tried.
    const TRIED: usize = 4;

    /// How often a pattern tries a term in a text: the number of choices grows exponentially with the parts.
    const MAX_TRIES: u32 = 2_000_000;

    /// A pattern and a text.
    struct Fit<'c> {
        frame: &'c Frame,
        pattern: &'c FramePattern,
        scan: &'c Scan,
        excuses: &'c [GroupId],
        /// How many terms may still be tried.
        tries: Cell<u32>,
    }

    impl Fit<'_> {
        /// Adds the places where the pattern fits, as ranges of words: at most one in each unit.
        fn find(&self, found: &mut Vec<Range<usize>>) {
            let Self { pattern, scan, .. } = self;
            let has_all = pattern.all.iter().all(|part| scan.has_group(&part.ids));
            if !has_all || scan.has_group(&pattern.unless.ids) {
                return;
            }
            let sentences = scan.sentences();
            match pattern.scope {
                FrameScope::Field => found.extend(self.fits(0..scan.words.len())),
                FrameScope::Sentence => {
                    found.extend((0..sentences.len()).filter_map(|at| self.fits_in(at..at + 1)));
                }
                FrameScope::Pair => {
                    let pair = |at: usize| self.fits_in(at..(at + 2).min(sentences.len()));
                    found.extend((0..sentences.len()).filter_map(pair));
                }
                FrameScope::Clause => {
                    for (at, sentence) in sentences.iter().enumerate() {
                        if !self.may_fit(at..at + 1) {
                            continue;
                        }
                        let mut start = sentence.start;
                        while start < sentence.end {
                            let clause = polarity::clause(&scan.words, start);
                            let end = clause.end.clamp(start + 1, sentence.end);
                            found.extend(self.fits(start..end));
                            start = end;
                        }
                    }
                }
            }
        }

        /// Whether some sentences have all parts; one comparison of sets refuses most of them.
        fn may_fit(&self, sentences: Range<usize>) -> bool {
            let has = |groups: &[GroupId]| sentences.clone().any(|it| self.scan.sentence_has(it, groups));
            self.pattern.all.iter().all(|part| has(&part.ids))
        }

        fn fits_in(&self, sentences: Range<usize>) -> Option<Range<usize>> {
            if !self.may_fit(sentences.clone()) {
                return None;
            }
            let first = self.scan.sentences()[sentences.start].start;
            self.fits(first..self.scan.sentences()[sentences.end - 1].end)
        }

        fn fits(&self, words: Range<usize>) -> Option<Range<usize>> {
            let Self { frame, pattern, scan, excuses, .. } = self;
            let hits = scan.hits_in(&words);
            let of = |groups: &[GroupId]| -> Vec<&Hit> {
                hits.iter()
                    .filter(|hit| hit.group.is_some_and(|it| groups.binary_search(&it).is_ok()))
                    .collect()
            };
            let parts: Vec<Vec<&Hit>> = pattern.all.iter().map(|part| of(&part.ids)).collect();
            if parts.iter().any(Vec::is_empty)
                || !of(&pattern.none.ids).is_empty()
                || !of(&frame.none.ids).is_empty()
            {
                return None;
            }
            let owned = self.owned(hits);
            let denied = |hit: &Hit| polarity::is_negated_beside(&scan.words, hit, &owned);
            let is_silent = |group: &GroupId| {
                let terms = of(&[*group]);
                !terms.is_empty() && terms.iter().all(|hit| denied(hit))
            };
            if pattern.asserted.ids.iter().any(is_silent) {
                return None;
            }
            let anchor = if pattern.anchor.is_empty() { &pattern.all[0] } else { &pattern.anchor };
            let anchors = of(&anchor.ids);
            if !self.are_enough(&anchors) {
                return None;
            }
            anchors.into_iter().find_map(|hit| {
                let counts = match pattern.polarity {
                    FramePolarity::Asserted => !denied(hit),
                    FramePolarity::Denied => denied(hit),
                    FramePolarity::Any => true,
                };
                let sentence = scan.sentence_of(hit.first);
                if !counts || scan.sentence_has(sentence, excuses) {
                    return None;
                }
                let mut chosen = vec![hit];
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

        /// Whether there are as many different anchors as the pattern wants.
        fn are_enough(&self, anchors: &[&Hit]) -> bool {
            if self.pattern.count < 2 {
                return !anchors.is_empty();
            }
            let mut terms: Vec<String> = anchors
                .iter()
                .map(|hit| {
                    (hit.first..=hit.last).map(|at| self.scan.words.word(at)).collect::<Vec<_>>().join(" ")
                })
                .collect();
            terms.sort();
            terms.dedup();
            terms.len() >= usize::from(self.pattern.count)
        }

        /// Tells the negations that are part of a term of the pattern: "cannot book" says what happens, it denies
        /// nothing else.
        fn owned(&self, hits: &[Hit]) -> impl Fn(usize) -> bool {
            let is_part = |group: GroupId| self.pattern.all.iter().any(|part| part.has(group));
            let mut owned: Vec<Range<usize>> = Vec::new();
            let phrases = hits
                .iter()
                .filter(|hit| hit.last > hit.first && hit.group.is_some_and(is_part))
                .filter(|hit| hit.negative || polarity::negates(&self.scan.words, hit.first));
            for hit in phrases {
                match owned.last_mut() {
                    Some(last) if hit.first <= last.end => last.end = last.end.max(hit.last + 1),
                    _ => owned.push(hit.first..hit.last + 1),
                }
            }
            move |word| {
                let next = owned.partition_point(|span| span.end <= word);
                owned.get(next).is_some_and(|span| span.start <= word)
            }
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
            let behind = part[at..].iter().take(TRIED);
            for hit in part[..at].iter().rev().take(TRIED).chain(behind) {
                if self.tries.get() == 0 {
                    return false;
                }
                self.tries.set(self.tries.get() - 1);
                if is_near(hit) && !chosen.iter().any(|it| it.overlaps(hit)) {
                    chosen.push(hit);
                    if self.choose(rest, chosen) {
                        return true;
                    }
                    chosen.pop();
                }
            }
            false
        }
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
}
