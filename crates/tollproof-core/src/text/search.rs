//! Reads a text part by part: its words, then the terms and phrases of all rules in them. What was found before in the
//! same passage is used again.

use std::ops::Range;

use smallvec::{SmallVec, smallvec};

use super::hit::{GroupId, Hit};
use super::lexicon::Lexicon;
use super::matcher::{Matcher, TermHits};
use super::passage::{KnownPassage, PassageContext, PassageTerms, may_have_passage};
use super::passage_cache::{PartSource, PassageCache, TextSection};
use super::phrase_search::PhraseLanguages;
use super::search_buffers::SearchBuffers;
use super::split_text::{SplitExtent, SplitText};
use super::tokenize::{BOX, TICKED_BOX, URL};
use super::vocabulary::{Languages, Vocabulary, computed};
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
    let mut buffers = SearchBuffers::default();
    let Some(cache) = cache else { return read_whole(text, rules, &mut buffers) };
    std::mem::swap(&mut buffers, &mut cache.buffers);
    let found = read_parts(text, rules, cache, &mut buffers);
    let found = found.unwrap_or_else(|| read_whole(text, rules, &mut buffers));
    cache.buffers = buffers;
    found
}

/// Reads a text without what was found before.
fn read_whole(
    text: &str,
    rules: (&[Lexicon<'_>], &Vocabulary<'_>),
    buffers: &mut SearchBuffers,
) -> TextTerms {
    let (none, whole) =
        (PassageCache::default(), TextSection { bytes: 0..text.len(), source: PartSource::New });
    let search = TextSearch::of(text, rules, &[whole], &none);
    search.map(|it| it.run(&none, buffers).0).unwrap_or_default()
}

/// Reads a text with what was found before; `None` if it must be read as a whole.
fn read_parts(
    text: &str,
    rules: (&[Lexicon<'_>], &Vocabulary<'_>),
    cache: &mut PassageCache,
    buffers: &mut SearchBuffers,
) -> Option<TextTerms> {
    if !may_have_passage(text) {
        return None;
    }
    let parts = cache.parts(text);
    if parts.iter().all(|part| part.source == PartSource::New) {
        return None;
    }
    let (found, parts) = TextSearch::of(text, rules, &parts, cache)?.run(cache, buffers);
    // A limit is for the whole text, so the parts must not decide what is not searched for.
    if !found.is_complete {
        return None;
    }
    keep(text, &found, parts, cache);
    Some(found)
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
    parts: Vec<SearchPart>,
    work: PhraseWork,
}

/// What was found in the sentences of a text so far, as in [`TextTerms`].
struct FoundTerms {
    hits: Vec<Hit>,
    starts: Vec<u32>,
    groups: Vec<u64>,
    width: usize,
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
        let mut read = Vec::with_capacity(parts.len());
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
    fn run(mut self, cache: &PassageCache, buffers: &mut SearchBuffers) -> (TextTerms, Vec<SearchPart>) {
        let (words, sentences) = (self.split.words.len(), self.split.sentences.len());
        let width = self.vocabulary.len().div_ceil(64).max(1);
        let mut found = FoundTerms {
            hits: Vec::with_capacity(words * 2),
            starts: Vec::with_capacity(words + 1),
            groups: Vec::with_capacity((sentences + 1) * width),
            width,
        };
        let mut parts = std::mem::take(&mut self.parts);
        let SearchBuffers { matchers: memory, composites } = buffers;
        memory.resize_with(self.lexicons.len(), Default::default);
        let mut matchers: SmallVec<[Matcher<'_>; 1]> = SmallVec::new();
        for (lexicon, memory) in self.lexicons.iter().zip(memory) {
            matchers.push(Matcher::of(lexicon, &self.work, memory));
        }
        for part in &mut parts {
            let left = self.work.left();
            if let Some(known) = known_terms(part, cache) {
                part.is_found = true;
                found.append(known, part.words().start);
                self.work.take(known.steps);
            } else {
                for sentence in part.sentences() {
                    self.search(sentence, &mut matchers, &mut found, composites);
                }
            }
            part.steps = left - self.work.left();
        }
        let FoundTerms { hits, mut starts, mut groups, .. } = found;
        starts.push(hits.len() as u32);
        groups.resize(groups.len() + width, 0);
        let (of_sentences, of_text) = groups.split_at_mut(sentences * width);
        for row in of_sentences.chunks_exact(width) {
            of_text.iter_mut().zip(row).for_each(|(all, bits)| *all |= bits);
        }
        let is_complete = !self.work.is_spent();
        let Self { split, languages, .. } = self;
        (TextTerms { split, languages, hits, starts, groups, width, is_complete }, parts)
    }

    /// Finds the terms and phrases in a sentence.
    fn search(
        &self,
        sentence: usize,
        matchers: &mut [Matcher<'_>],
        found: &mut FoundTerms,
        composites: &mut Vec<Hit>,
    ) {
        let words = &self.split.words;
        let languages = PhraseLanguages::of(self.languages[sentence]);
        let sentence = &self.split.sentences[sentence];
        let FoundTerms { hits, starts, groups, width } = found;
        let begun = hits.len();
        matchers.iter_mut().for_each(|matcher| matcher.enter(words, sentence));
        for at in sentence.clone() {
            starts.push(hits.len() as u32);
            for matcher in &mut *matchers {
                matcher.scan(words, at, languages, hits);
            }
            let of_group =
                |group, last| Hit { set: group, group: Some(group), first: at, last, negative: false };
            if let Some(group) = self.computed(at) {
                hits.push(of_group(group, at));
            }
            if let Ok(index) = self.quotations.binary_search_by_key(&at, |it| it.start) {
                hits.push(of_group(computed::QUOTATION, self.quotations[index].end - 1));
            }
        }
        composites.clear();
        let terms = TermHits { hits, starts };
        matchers.iter_mut().for_each(|matcher| matcher.composites(languages, terms, composites));
        if !composites.is_empty() {
            composites.sort_by_key(|hit| hit.first);
            merge(hits, begun, composites);
        }
        in_order(hits, begun, &mut starts[sentence.start..], sentence.start);
        let row = groups.len();
        groups.resize(row + *width, 0);
        for group in hits[begun..].iter().filter_map(|hit| hit.group) {
            groups[row + usize::from(group) / 64] |= 1 << (group % 64);
        }
        if self.vocabulary.is_extended() {
            hits[begun..].iter_mut().for_each(|hit| hit.set = self.vocabulary.known_set(hit.set));
        }
    }

    /// The group of a token by what it is: an address, a number, an amount, a box, a word in capitals.
    fn computed(&self, at: usize) -> Option<GroupId> {
        let words: &Words = &self.split.words;
        let word = words.slice(at..at + 1).first()?;
        let folded = words.folded(word);
        if word.is_amount && folded.first() != Some(&b'<') {
            return Some(computed::AMOUNT);
        }
        match folded.first()? {
            b'<' => [(URL, computed::URL), (BOX, computed::BOX), (TICKED_BOX, computed::TICKED_BOX)]
                .iter()
                .find_map(|(token, group)| (token.as_bytes() == folded).then_some(*group)),
            b'0'..=b'9' => Some(computed::NUMBER),
            _ => {
                let (start, end) = (word.start as usize, word.end as usize);
                // Most words begin with a small letter.
                if self.is_shouted || self.text.as_bytes().get(start).is_some_and(u8::is_ascii_lowercase) {
                    return None;
                }
                self.text.get(start..end).is_some_and(are_capitals).then_some(computed::CAPITALS)
            }
        }
    }
}

impl FoundTerms {
    /// Adds what was found in a part before, which begins with a word here.
    fn append(&mut self, known: &PassageTerms, first: usize) {
        let before = self.hits.len() as u32;
        let moved = |hit: &Hit| Hit { first: hit.first + first, last: hit.last + first, ..*hit };
        self.hits.extend(known.hits.iter().map(moved));
        self.starts.extend(known.starts.iter().map(|start| start + before));
        self.groups.extend_from_slice(&known.groups);
    }
}

/// What was found before in a part, in the same context.
fn known_terms<'c>(part: &SearchPart, cache: &'c PassageCache) -> Option<&'c PassageTerms> {
    let PartSource::Known(place) = part.source else { return None };
    cache.get(place)?.terms_in(part.context.as_ref()?)
}

/// Keeps what was found in the parts of a text that are repeated.
fn keep(text: &str, found: &TextTerms, parts: Vec<SearchPart>, cache: &mut PassageCache) {
    let mut new: SmallVec<[KnownPassage; 4]> = SmallVec::new();
    for part in parts.into_iter().filter(|part| !part.is_found) {
        let (words, sentences) = (part.words(), part.sentences());
        let (SearchPart { bytes, source, start, end, ends_sentence, steps, .. }, Some(context)) =
            (&part, &part.context)
        else {
            continue;
        };
        let first = found.starts[words.start];
        let hits = &found.hits[first as usize..found.starts[words.end] as usize];
        let moved = |hit: &Hit| Hit { first: hit.first - words.start, last: hit.last - words.start, ..*hit };
        let terms = PassageTerms {
            context: context.clone(),
            hits: hits.iter().map(moved).collect(),
            starts: found.starts[words].iter().map(|start| start - first).collect(),
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

/// Adds hits to those from an index on; both are sorted by their first words. Of those with the same first word, the added
/// come last.
fn merge(hits: &mut Vec<Hit>, begun: usize, added: &[Hit]) {
    let mut left = hits.len();
    hits.extend_from_slice(added);
    // From the back, every hit is moved at most once.
    for (more, hit) in added.iter().enumerate().rev() {
        while left > begun && hits[left - 1].first > hit.first {
            left -= 1;
            hits[left + more + 1] = hits[left];
        }
        hits[left + more] = *hit;
    }
}

/// Brings the hits from an index on into an order that does not depend on how they were found, removes those that are the
/// same as another one, and sets where the hits of each word start; `first` is the first of these words.
fn in_order(hits: &mut Vec<Hit>, begun: usize, starts: &mut [u32], first: usize) {
    let (mut next, mut removed) = (begun, 0);
    for (at, start) in (first..).zip(starts) {
        *start = (next - removed) as u32;
        let begun = next;
        while hits.get(next).is_some_and(|hit| hit.first == at) {
            next += 1;
        }
        let same = &mut hits[begun..next];
        if same.len() > 1 {
            same.sort_unstable_by_key(|hit| (hit.set, hit.last, hit.negative));
        }
        if removed > 0 || same.windows(2).any(|pair| pair[0] == pair[1]) {
            for index in begun..next {
                if index > begun && hits[index] == hits[index - removed - 1] {
                    removed += 1;
                } else {
                    hits[index - removed] = hits[index];
                }
            }
        }
    }
    hits.truncate(next - removed);
}

/// Whether a word has two letters or more, none of them small.
fn are_capitals(word: &str) -> bool {
    !word.chars().any(char::is_lowercase) && word.chars().filter(|it| it.is_uppercase()).count() >= 2
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
    fn hits_are_ordered_and_counted_once() {
        let hit = |set, first, last| Hit { set, group: None, first, last, negative: false };
        let before = hit(9, 0, 0);
        let mut hits =
            vec![before, hit(2, 1, 1), hit(1, 1, 2), hit(2, 1, 1), hit(1, 1, 2), hit(3, 3, 3), hit(3, 3, 3)];
        let mut starts = [0; 3];
        in_order(&mut hits, 1, &mut starts, 1);
        assert_eq!(hits, [before, hit(1, 1, 2), hit(2, 1, 1), hit(3, 3, 3)]);
        assert_eq!(starts, [1, 3, 3]);
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
