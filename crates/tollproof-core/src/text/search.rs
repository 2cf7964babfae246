//! Reads a text part by part: its words, then the terms and phrases of all rules in them. What was found before in the
//! same passage is used again.

use std::ops::Range;

use smallvec::{SmallVec, smallvec};

use super::hit::{GroupId, Hit};
use super::lexicon::Lexicon;
use super::matcher::{Matcher, PendingPhrase, TermHits, starts_of};
use super::passage::{KnownPassage, PassageContext, PassageTerms};
use super::passage_cache::{PartSource, PassageCache, TextSection};
use super::phrase_search::Sentence;
use super::split_text::{SplitExtent, SplitText};
use super::tokenize::{BOX, TICKED_BOX, URL};
use super::vocabulary::{Languages, Vocabulary, computed};
use super::word_ids::WordIds;
use super::words::Words;
use super::work::PhraseWork;

/// What a text has: its words and sentences, and the terms and phrases in them.
#[derive(Debug, Default)]
pub(super) struct TextTerms {
    pub(super) split: SplitText,
    /// The languages of each sentence, and then those of the text.
    pub(super) languages: Vec<Languages>,
    /// Sorted by their first words.
    pub(super) hits: Vec<Hit>,
    /// For each word, the index of its first hit, as in [`TermHits`].
    pub(super) starts: Vec<u32>,
    /// For each sentence, a bit set of the groups that have a term there; then the same of the whole text.
    pub(super) groups: Vec<u64>,
    /// The length of a bit set in `groups`.
    pub(super) width: usize,
    /// Whether all phrases were searched for.
    pub(super) is_complete: bool,
}

/// The minimum number of words that make a quotation the text of a form or a script.
const LONG_QUOTATION: usize = 8;

/// Reads a text; `cache` has passages that were read before with the same rules.
pub(super) fn read(
    text: &str,
    rules: (&[Lexicon<'_>], &Vocabulary<'_>),
    cache: Option<&mut PassageCache>,
) -> TextTerms {
    if let Some(cache) = cache {
        let parts = cache.parts(text);
        let is_worth_it = parts.iter().any(|part| part.source != PartSource::New);
        if is_worth_it && let Some(search) = TextSearch::of(text, rules, &parts, cache) {
            let (found, parts) = search.run(cache);
            // A limit is for the whole text, so the parts must not decide what is not searched for.
            if found.is_complete {
                keep(text, &found, parts, cache);
                return found;
            }
        }
    }
    let (none, whole) =
        (PassageCache::default(), TextSection { bytes: 0..text.len(), source: PartSource::New });
    TextSearch::of(text, rules, &[whole], &none).map(|it| it.run(&none).0).unwrap_or_default()
}

/// A text whose words are known, before the search for terms.
struct TextSearch<'s> {
    text: &'s str,
    lexicons: &'s [Lexicon<'s>],
    vocabulary: &'s Vocabulary<'s>,
    split: SplitText,
    languages: Vec<Languages>,
    /// Whether the text has no small letter.
    is_shouted: bool,
    /// The long quotations, as ranges of words.
    quotations: Vec<Range<usize>>,
    parts: SmallVec<[SearchPart; 8]>,
    work: PhraseWork,
}

/// A part of a text, and how far its search is.
struct SearchPart {
    bytes: Range<usize>,
    source: PartSource,
    start: SplitExtent,
    end: SplitExtent,
    ends_sentence: bool,
    /// What it depends on; not needed for parts that are not kept.
    context: Option<PassageContext>,
    /// Whether its terms were found before.
    is_found: bool,
    /// The steps of the search in it.
    steps: usize,
}

impl SearchPart {
    fn words(&self) -> Range<usize> {
        self.start.words_to(self.end)
    }

    fn sentences(&self) -> Range<usize> {
        self.start.sentences_to(self.end)
    }
}

impl<'s> TextSearch<'s> {
    /// Splits the parts of a text into words; `None` if some part cannot be read apart from the next one.
    fn of(
        text: &'s str,
        (lexicons, vocabulary): (&'s [Lexicon<'s>], &'s Vocabulary<'s>),
        parts: &[TextSection],
        cache: &PassageCache,
    ) -> Option<Self> {
        let mut split = SplitText::with_room_for(text);
        let mut read: SmallVec<[SearchPart; 8]> = SmallVec::new();
        for (at, TextSection { bytes, source }) in parts.iter().enumerate() {
            let start = split.extent();
            let known = if let PartSource::Known(place) = source { cache.get(*place) } else { None };
            let ends_sentence = match known {
                Some(known) => {
                    split.append(&known.split, bytes.start);
                    known.ends_sentence
                }
                None => split.read(text, bytes.clone(), vocabulary),
            };
            if !ends_sentence && at + 1 < parts.len() {
                return None;
            }
            let (bytes, source, end) = (bytes.clone(), *source, split.extent());
            let (context, is_found, steps) = (None, false, 0);
            read.push(SearchPart { bytes, source, start, end, ends_sentence, context, is_found, steps });
        }
        let languages = split.languages();
        let is_shouted = !text.bytes().any(|byte| byte.is_ascii_lowercase());
        let mut quotations = split.words.quotations();
        quotations.retain(|it| it.len() >= LONG_QUOTATION);
        let work = PhraseWork::of(text.len());
        let mut parts = read;
        for part in parts.iter_mut().filter(|part| part.source != PartSource::New) {
            let words = part.words();
            let begin_here = quotations.iter().filter(|it| words.contains(&it.start));
            part.context = Some(PassageContext {
                languages: SmallVec::from_slice(&languages[part.sentences()]),
                is_shouted,
                quotations: begin_here.map(|it| (it.start - words.start, it.len())).collect(),
            });
        }
        Some(Self { text, lexicons, vocabulary, split, languages, is_shouted, quotations, parts, work })
    }

    /// Finds the terms and phrases.
    fn run(mut self, cache: &PassageCache) -> (TextTerms, SmallVec<[SearchPart; 8]>) {
        let words = self.split.words.len();
        for part in &mut self.parts {
            part.is_found = known_terms(part, cache).is_some();
        }
        let fresh = || self.parts.iter().filter(|part| !part.is_found);
        let ids_of = |lexicon| WordIds::of(&self.split.words, fresh().map(SearchPart::words), lexicon);
        let ids: SmallVec<[WordIds<'_>; 1]> = match fresh().next() {
            Some(_) => self.lexicons.iter().map(ids_of).collect(),
            None => SmallVec::new(),
        };
        let of_languages =
            |(range, languages): (&Range<usize>, &Languages)| Sentence::of(range.clone(), *languages);
        let sentences: Vec<Sentence> =
            self.split.sentences.iter().zip(&self.languages).map(of_languages).collect();
        let rules: SmallVec<[_; 1]> = self.lexicons.iter().zip(&ids).collect();
        let matcher = |(lexicon, ids)| Matcher::of(lexicon, ids, TermHits::default(), &self.work);
        let mut matchers: SmallVec<[Matcher<'_>; 1]> = rules.iter().copied().map(matcher).collect();
        let mut pending: SmallVec<[Vec<PendingPhrase>; 1]> = smallvec![Vec::new(); rules.len()];
        let mut hits = Vec::with_capacity(words * 2);
        let mut steps: SmallVec<[usize; 8]> = SmallVec::new();
        for part in &self.parts {
            let left = self.work.left();
            if let Some(known) = known_terms(part, cache) {
                let first = part.words().start;
                let moved = |hit: &Hit| Hit { first: hit.first + first, last: hit.last + first, ..*hit };
                hits.extend(known.hits.iter().map(moved));
                self.work.take(known.steps);
            } else {
                let begun = hits.len();
                for (matcher, pending) in matchers.iter_mut().zip(&mut pending) {
                    for sentence in &sentences[part.sentences()] {
                        matcher.scan(&self.split.words, sentence, &mut hits, pending);
                    }
                }
                if matchers.len() > 1 {
                    hits[begun..].sort_by_key(|hit| hit.first);
                }
                merge(&mut hits, &self.computed_hits(part.words()));
            }
            steps.push(left - self.work.left());
        }
        let mut starts = starts_of(&hits, words);
        let terms = TermHits { hits: &hits, starts: &starts };
        let mut composites = Vec::new();
        for (&(lexicon, ids), pending) in rules.iter().zip(&pending) {
            let mut matcher = Matcher::of(lexicon, ids, terms, &self.work);
            let mut pending = pending.iter().peekable();
            for (part, steps) in self.parts.iter().zip(&mut steps).filter(|(part, _)| !part.is_found) {
                let left = self.work.left();
                for sentence in &sentences[part.sentences()] {
                    matcher.composites(sentence, &mut pending, &mut composites);
                }
                *steps += left - self.work.left();
            }
        }
        if fresh().next().is_some() {
            let before = hits.len();
            composites.sort_by_key(|hit| hit.first);
            merge(&mut hits, &composites);
            for part in fresh() {
                let words = part.words();
                let index = |word: usize| hits.partition_point(|hit| hit.first < word);
                let range = index(words.start)..index(words.end);
                in_order(&mut hits[range]);
            }
            hits.dedup();
            if hits.len() != before || !composites.is_empty() {
                starts = starts_of(&hits, words);
            }
        }
        let width = self.vocabulary.len().div_ceil(64).max(1);
        let groups = self.group_sets(TermHits { hits: &hits, starts: &starts }, width, cache);
        if self.vocabulary.is_extended() {
            for part in fresh() {
                let words = part.words();
                let range = starts[words.start] as usize..starts[words.end] as usize;
                hits[range].iter_mut().for_each(|hit| hit.set = self.vocabulary.known_set(hit.set));
            }
        }
        let is_complete = !self.work.is_spent();
        let Self { split, languages, mut parts, .. } = self;
        parts.iter_mut().zip(steps).for_each(|(part, steps)| part.steps = steps);
        (TextTerms { split, languages, hits, starts, groups, width, is_complete }, parts)
    }

    /// For each sentence, and then for the whole text, the set of groups that have a term there.
    fn group_sets(&self, terms: TermHits<'_>, width: usize, cache: &PassageCache) -> Vec<u64> {
        let mut sets = Vec::with_capacity((self.split.sentences.len() + 1) * width);
        for part in &self.parts {
            if let Some(known) = known_terms(part, cache) {
                sets.extend_from_slice(&known.groups);
                continue;
            }
            for sentence in &self.split.sentences[part.sentences()] {
                let row = sets.len();
                sets.resize(row + width, 0);
                for group in terms.within(sentence.clone()).iter().filter_map(|hit| hit.group) {
                    sets[row + usize::from(group) / 64] |= 1 << (group % 64);
                }
            }
        }
        let mut of_text = vec![0; width];
        for row in sets.chunks_exact(width) {
            of_text.iter_mut().zip(row).for_each(|(all, bits)| *all |= bits);
        }
        sets.append(&mut of_text);
        sets
    }

    /// What the tokens in a range of words are: an address, a number, an amount, a box, a word in capitals, a long
    /// quotation.
    fn computed_hits(&self, range: Range<usize>) -> Vec<Hit> {
        let words: &Words = &self.split.words;
        let mut hits = Vec::new();
        let hit = |group, first, last| Hit { set: group, group: Some(group), first, last, negative: false };
        let mut add = |group: GroupId, first: usize, last: usize| hits.push(hit(group, first, last));
        for at in range.clone() {
            let Some(word) = words.get(at) else { break };
            let folded = words.word(at);
            match folded {
                URL => add(computed::URL, at, at),
                BOX => add(computed::BOX, at, at),
                TICKED_BOX => add(computed::TICKED_BOX, at, at),
                _ if word.is_amount => add(computed::AMOUNT, at, at),
                _ if folded.as_bytes().first().is_some_and(u8::is_ascii_digit) => {
                    add(computed::NUMBER, at, at);
                }
                _ => {
                    let written = self.text.get(word.start as usize..word.end as usize).unwrap_or_default();
                    if !self.is_shouted && are_capitals(written) {
                        add(computed::CAPITALS, at, at);
                    }
                }
            }
        }
        let begin_here = self.quotations.iter().filter(|it| range.contains(&it.start));
        let quotations: SmallVec<[Hit; 1]> =
            begin_here.map(|it| hit(computed::QUOTATION, it.start, it.end - 1)).collect();
        merge(&mut hits, &quotations);
        hits
    }
}

/// What was found before in a part, in the same context.
fn known_terms<'c>(part: &SearchPart, cache: &'c PassageCache) -> Option<&'c PassageTerms> {
    let PartSource::Known(place) = part.source else { return None };
    cache.get(place)?.terms_in(part.context.as_ref()?)
}

/// Keeps what was found in the parts of a text that are repeated.
fn keep(text: &str, found: &TextTerms, parts: SmallVec<[SearchPart; 8]>, cache: &mut PassageCache) {
    let mut new: SmallVec<[KnownPassage; 4]> = SmallVec::new();
    for part in parts.into_iter().filter(|part| !part.is_found) {
        let (words, sentences) = (part.words(), part.sentences());
        let (SearchPart { bytes, source, start, end, ends_sentence, steps, .. }, Some(context)) =
            (&part, &part.context)
        else {
            continue;
        };
        let hits = &found.hits[found.starts[words.start] as usize..found.starts[words.end] as usize];
        let moved = |hit: &Hit| Hit { first: hit.first - words.start, last: hit.last - words.start, ..*hit };
        let terms = PassageTerms {
            context: context.clone(),
            hits: hits.iter().map(moved).collect(),
            groups: found.groups[sentences.start * found.width..sentences.end * found.width].to_vec(),
            steps: *steps,
        };
        match *source {
            PartSource::New => {}
            PartSource::Known(place) => cache.add_terms(place, terms),
            PartSource::Repeated(hash) => new.push(KnownPassage {
                text: text[bytes.clone()].into(),
                hash,
                split: found.split.part(*start, *end, bytes.start),
                ends_sentence: *ends_sentence,
                terms: smallvec![terms],
            }),
        }
    }
    new.into_iter().for_each(|passage| cache.insert(passage));
}

/// Adds hits to others; both are sorted by their first words. Of those with the same first word, the added come last.
fn merge(hits: &mut Vec<Hit>, added: &[Hit]) {
    let mut left = hits.len();
    hits.extend_from_slice(added);
    // From the back, every hit is moved at most once.
    for (more, hit) in added.iter().enumerate().rev() {
        while left > 0 && hits[left - 1].first > hit.first {
            left -= 1;
            hits[left + more + 1] = hits[left];
        }
        hits[left + more] = *hit;
    }
}

/// Brings the hits with the same first word into an order that does not depend on how they were found.
fn in_order(hits: &mut [Hit]) {
    for same in hits.chunk_by_mut(|one, other| one.first == other.first) {
        if same.len() > 1 {
            same.sort_unstable_by_key(|hit| (hit.set, hit.last, hit.negative));
        }
    }
}

/// Whether a word has two letters or more, none of them small.
fn are_capitals(word: &str) -> bool {
    // Most words begin with a small letter.
    !word.starts_with(|it: char| it.is_ascii_lowercase())
        && !word.chars().any(char::is_lowercase)
        && word.chars().filter(|it| it.is_uppercase()).count() >= 2
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rule::builtin;

    /// Sentences and scraps whose meaning depends on what is around them, and others.
    const SENTENCES: [&str; 22] = [
        "Message and data rates may apply.",
        "Reply STOP to cancel, HELP for help.",
        "REPLY STOP TO CANCEL.",
        "At our counter we ask: \"Do you agree to texts from us about your order?\"",
        "The clerk reads the following aloud: “I agree to receive recurring messages from the shop.”",
        "\"I agree to get texts.",
        "Consent is not a condition of purchase.\"",
        "Les clients cochent une case.",
        "Los clientes marcan la casilla de la página.",
        "It costs $",
        "do $not.",
        "5 texts a month.",
        "J. Smith",
        "P.O. Box 5.",
        "See https://acme.com/a.b?c=d.",
        "Really?",
        "☐ I agree.",
        "Text JOIN to 12345!",
        "- a list:\n",
        "no end of a sentence",
        "naïve cafés…",
        "x",
    ];

    proptest! {
        #[test]
        fn what_was_read_before_changes_nothing(
            texts in prop::collection::vec(
                prop::collection::vec((0..SENTENCES.len(), prop::sample::select(vec![" ", "\n", "  ", ""])), 0..7),
                1..12,
            ),
        ) {
            let builtin = builtin::load();
            let rules = (std::slice::from_ref(&builtin.lexicon), &builtin.vocabulary);
            let mut cache = PassageCache::default();
            let text = |parts: &Vec<(usize, &str)>| -> String {
                parts.iter().flat_map(|(at, space)| [SENTENCES[*at], space]).collect()
            };
            let texts: Vec<String> = texts.iter().map(text).collect();
            // The second time a passage is kept, the third time it is known.
            for text in texts.iter().chain(&texts).chain(&texts) {
                let known = format!("{:?}", read(text, rules, Some(&mut cache)));
                prop_assert_eq!(known, format!("{:?}", read(text, rules, None)), "{}", text);
            }
        }
    }

    #[test]
    fn repeated_sentences_are_kept() {
        let builtin = builtin::load();
        let rules = (std::slice::from_ref(&builtin.lexicon), &builtin.vocabulary);
        let mut cache = PassageCache::default();
        let text = "Acme texts you. Message and data rates may apply. Reply STOP to cancel.";
        let sources = |cache: &mut PassageCache| -> Vec<bool> {
            cache.parts(text).iter().map(|part| matches!(part.source, PartSource::Known(_))).collect()
        };
        read(text, rules, Some(&mut cache));
        read(text, rules, Some(&mut cache));
        assert_eq!(sources(&mut cache), [false, true, true], "a short sentence is read with its neighbors");
    }
}
