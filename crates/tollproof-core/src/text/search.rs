//! Reads a text: its words part by part, then the terms and phrases of all rules in each sentence. What was read before is
//! used again.

use std::ops::Range;

use smallvec::SmallVec;

use super::hit::{GroupId, Hit};
use super::known_sentence::{KnownSentence, SentenceKey};
use super::lexicon::Lexicon;
use super::matcher::{Matcher, TermHits};
use super::own_name::{self, NamePlace, NamePlaces, OwnName};
use super::passage::{KnownPassage, may_have_passage};
use super::passage_cache::{PartSource, PassageCache, TextSection};
use super::phrase_search::PhraseLanguages;
use super::places::Places;
use super::search_buffers::SearchBuffers;
use super::split_text::{SplitExtent, SplitText};
use super::vocabulary::{Languages, Vocabulary, computed};
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

/// Reads a text in which the business may have some names; `cache` has what was read before with the same rules.
pub(super) fn read(
    text: &str,
    rules: (&[Lexicon<'_>], &Vocabulary<'_>),
    names: &[OwnName<'_>],
    cache: Option<&mut PassageCache>,
) -> TextTerms {
    let Some(cache) = cache else {
        return read_whole(text, rules, names, &mut SearchBuffers::default());
    };
    let mut buffers = std::mem::take(&mut cache.buffers);
    let found = read_parts(text, rules, names, (cache, &mut buffers));
    let found = found.unwrap_or_else(|| read_whole(text, rules, names, &mut buffers));
    cache.buffers = buffers;
    found
}

/// Reads a text without what was found before.
fn read_whole(
    text: &str,
    rules: (&[Lexicon<'_>], &Vocabulary<'_>),
    names: &[OwnName<'_>],
    buffers: &mut SearchBuffers,
) -> TextTerms {
    let search = TextSearch::of(text, rules, names, &TextSection::whole(text), None);
    search.map(|it| it.run(None, buffers).0).unwrap_or_default()
}

/// Reads a text with what was found before; `None` if that must not be used.
fn read_parts(
    text: &str,
    rules: (&[Lexicon<'_>], &Vocabulary<'_>),
    names: &[OwnName<'_>],
    (cache, buffers): (&mut PassageCache, &mut SearchBuffers),
) -> Option<TextTerms> {
    let parts = if may_have_passage(text) { cache.parts(text) } else { TextSection::whole(text) };
    let of = |parts: &[TextSection]| TextSearch::of(text, rules, names, parts, Some(&cache.passages));
    let search = of(&parts).or_else(|| of(&TextSection::whole(text)))?;
    let (found, parts) = search.run(Some(&mut cache.sentences), buffers);
    // A limit is for the whole text, so what was found before must not decide what is not searched for.
    if !found.is_complete {
        return None;
    }
    for SearchPart { section, start, end, ends_sentence } in parts {
        if let PartSource::Repeated(hash) = section.source {
            let split = found.split.part(start, end, section.bytes.start);
            cache.passages.insert(KnownPassage {
                text: text[section.bytes].into(),
                hash,
                split,
                ends_sentence,
            });
        }
    }
    Some(found)
}

/// A text whose words are known, before the search for terms.
struct TextSearch<'s> {
    lexicons: &'s [Lexicon<'s>],
    vocabulary: &'s Vocabulary<'s>,
    split: SplitText,
    languages: Vec<Languages>,
    /// Whether the text has no small letter.
    is_shouted: bool,
    /// The long quotations, as ranges of words.
    quotations: Vec<Range<usize>>,
    /// Where the text names the business.
    names: NamePlaces<'s>,
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

/// A part of a text that was split into words.
struct SearchPart {
    section: TextSection,
    start: SplitExtent,
    end: SplitExtent,
    ends_sentence: bool,
}

impl<'s> TextSearch<'s> {
    /// Splits the parts of a text into words; `None` if some part cannot be read apart from the next one.
    fn of(
        text: &str,
        (lexicons, vocabulary): (&'s [Lexicon<'s>], &'s Vocabulary<'s>),
        names: &[OwnName<'s>],
        parts: &[TextSection],
        known: Option<&Places<KnownPassage>>,
    ) -> Option<Self> {
        let mut split = SplitText::with_room_for(text);
        let mut read = Vec::with_capacity(parts.len());
        for (at, section) in parts.iter().enumerate() {
            let start = split.extent();
            let known = match section.source {
                PartSource::Known(hash) => known.and_then(|known| known.get(hash)),
                _ => None,
            };
            let bytes = section.bytes.clone();
            let ends_sentence = match known {
                Some(known) => {
                    split.append(&known.split, bytes.start);
                    known.ends_sentence
                }
                None => split.read(text, bytes, (lexicons, vocabulary)),
            };
            if !ends_sentence && at + 1 < parts.len() {
                return None;
            }
            read.push(SearchPart { section: section.clone(), start, end: split.extent(), ends_sentence });
        }
        let languages = split.languages();
        let is_shouted = !text.bytes().any(|byte| byte.is_ascii_lowercase());
        let mut quotations = split.words.quotations();
        quotations.retain(|it| it.len() >= LONG_QUOTATION);
        let names = own_name::places(names, text, &split.words);
        let work = PhraseWork::of(text.len());
        Some(Self {
            lexicons,
            vocabulary,
            split,
            languages,
            is_shouted,
            quotations,
            names,
            parts: read,
            work,
        })
    }

    /// Finds the terms and phrases; `known` are those in sentences that were read before.
    fn run(
        mut self,
        mut known: Option<&mut Places<KnownSentence>>,
        buffers: &mut SearchBuffers,
    ) -> (TextTerms, Vec<SearchPart>) {
        let (words, sentences) = (self.split.words.len(), self.split.sentences.len());
        let width = self.vocabulary.len().div_ceil(64).max(1);
        let mut found = FoundTerms {
            hits: Vec::with_capacity(words * 2),
            starts: Vec::with_capacity(words + 1),
            groups: Vec::with_capacity((sentences + 1) * width),
            width,
        };
        let SearchBuffers { matchers: memory, composites, key } = buffers;
        memory.resize_with(self.lexicons.len(), Default::default);
        let mut matchers: SmallVec<[Matcher<'_>; 1]> = SmallVec::new();
        for (lexicon, memory) in self.lexicons.iter().zip(memory) {
            matchers.push(Matcher::of(lexicon, &self.work, memory));
        }
        let mut tokens = Vec::new();
        for sentence in 0..sentences {
            self.describe(sentence, &mut tokens, key);
            let begun = found.hits.len();
            let (hash, first) = (key.hash(), self.split.sentences[sentence].start);
            let same = known.as_deref().and_then(|known| known.get(hash)).filter(|known| known.has(key));
            if let Some(same) = same {
                found.append(same, first);
                self.work.take(same.steps);
            } else {
                let (left, row) = (self.work.left(), found.groups.len());
                self.search(sentence, &tokens, key, &mut matchers, &mut found, composites);
                if let Some(known) = known.as_deref_mut()
                    && known.is_repeated(hash)
                {
                    let steps = left - self.work.left();
                    let (hits, starts) = (&found.hits[begun..], &found.starts[first..]);
                    let groups = &found.groups[row..];
                    known.insert(KnownSentence::of((key, hash), first, hits, starts, groups, steps));
                }
            }
            found.add_names(&self.names, &self.split.sentences[sentence], begun, composites);
        }
        let FoundTerms { hits, mut starts, mut groups, .. } = found;
        starts.push(hits.len() as u32);
        groups.resize(groups.len() + width, 0);
        let (of_sentences, of_text) = groups.split_at_mut(sentences * width);
        for row in of_sentences.chunks_exact(width) {
            of_text.iter_mut().zip(row).for_each(|(all, bits)| *all |= bits);
        }
        let is_complete = !self.work.is_spent();
        let parts = std::mem::take(&mut self.parts);
        let Self { split, languages, .. } = self;
        (TextTerms { split, languages, hits, starts, groups, width, is_complete }, parts)
    }

    /// Sets the tokens that are terms by themselves, and the key of a sentence.
    fn describe(&self, sentence: usize, tokens: &mut Vec<(usize, GroupId)>, key: &mut SentenceKey) {
        let (languages, sentence) = (self.languages[sentence], &self.split.sentences[sentence]);
        let is_name = |at: usize| self.names.iter().any(|name| name.words.contains(&at));
        tokens.clear();
        tokens.extend(
            self.split
                .tokens_in(sentence)
                .iter()
                .filter(|(at, group)| !(self.is_shouted && *group == computed::CAPITALS) && !is_name(*at)),
        );
        let before = |word: usize| self.quotations.partition_point(|it| it.start < word);
        let quotations = &self.quotations[before(sentence.start)..before(sentence.end)];
        key.set((&self.split, sentence), languages, tokens, quotations, &self.names);
    }

    /// Finds the terms and phrases in a sentence.
    fn search(
        &self,
        sentence: usize,
        tokens: &[(usize, GroupId)],
        key: &SentenceKey,
        matchers: &mut [Matcher<'_>],
        found: &mut FoundTerms,
        composites: &mut Vec<Hit>,
    ) {
        let languages = PhraseLanguages::of(self.languages[sentence]);
        let sentence = &self.split.sentences[sentence];
        let FoundTerms { hits, starts, groups, width } = found;
        let begun = hits.len();
        matchers.iter_mut().zip(key.codes()).for_each(|(matcher, codes)| matcher.enter(sentence, codes));
        let mut tokens = tokens.iter().peekable();
        for at in sentence.clone() {
            starts.push(hits.len() as u32);
            for matcher in &mut *matchers {
                matcher.scan(at, languages, hits);
            }
            let of_group =
                |group, last| Hit { set: group, group: Some(group), first: at, last, negative: false };
            if let Some((_, group)) = tokens.next_if(|(token, _)| *token == at) {
                hits.push(of_group(*group, at));
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
        groups.resize(groups.len() + *width, 0);
        note_groups(&hits[begun..], groups, *width);
        if self.vocabulary.is_extended() {
            hits[begun..].iter_mut().for_each(|hit| hit.set = self.vocabulary.known_set(hit.set));
        }
    }
}

impl FoundTerms {
    /// Adds what was found before in a sentence, which begins with a word here.
    fn append(&mut self, known: &KnownSentence, first: usize) {
        let before = self.hits.len() as u32;
        let moved = |hit: &Hit| Hit { first: hit.first + first, last: hit.last + first, ..*hit };
        self.hits.extend(known.hits.iter().map(moved));
        self.starts.extend(known.starts.iter().map(|start| start + before));
        self.groups.extend_from_slice(&known.groups);
    }

    /// Adds what was found in the names of the business to what was found in the last sentence.
    fn add_names(
        &mut self,
        names: &[NamePlace<'_>],
        sentence: &Range<usize>,
        begun: usize,
        added: &mut Vec<Hit>,
    ) {
        added.clear();
        added.extend(names.iter().flat_map(|name| name.hits_in(sentence)));
        if !added.is_empty() {
            merge(&mut self.hits, begun, added);
            in_order(&mut self.hits, begun, &mut self.starts[sentence.start..], sentence.start);
            note_groups(added, &mut self.groups, self.width);
        }
    }
}

/// Adds the groups of terms to the last of some bit sets of a length.
fn note_groups(terms: &[Hit], groups: &mut [u64], length: usize) {
    let last = groups.len() - length;
    for group in terms.iter().filter_map(|hit| hit.group) {
        groups[last + usize::from(group) / 64] |= 1 << (group % 64);
    }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rule::builtin;
    use crate::text::words::Words;

    /// Sentences and scraps whose meaning depends on what is around them, and others.
    const SENTENCES: [&str; 24] = [
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
        "{} sends you 3 texts.",
        "Texts are from {}, which never sells data.",
        "naïve cafés…",
        "x",
    ];

    /// What a business may be called: nothing, or words that phrases know.
    const NAMES: [&str; 4] = ["", "Acme Texts", "Order Updates LLC", "STOP Payday Loans Inc."];

    proptest! {
        #[test]
        fn what_was_read_before_changes_nothing(
            texts in prop::collection::vec(
                (
                    0..NAMES.len(),
                    prop::collection::vec(
                        (0..SENTENCES.len(), prop::sample::select(vec![" ", "\n", "  ", ""])), 0..7
                    ),
                ),
                1..12,
            ),
        ) {
            let builtin = builtin::load();
            let rules = (std::slice::from_ref(&builtin.lexicon), &builtin.vocabulary);
            let mut cache = PassageCache::default();
            let texts: Vec<(&str, String)> = texts.iter().map(|(name, parts)| {
                let text: String = parts.iter().flat_map(|(at, space)| [SENTENCES[*at], space]).collect();
                (NAMES[*name], text.replace("{}", NAMES[*name]))
            }).collect();
            // The second time a passage or a sentence is kept, the third time it is known.
            for (name, text) in texts.iter().chain(&texts).chain(&texts) {
                let words = Words::of(name);
                let found = read(name, rules, &[], None);
                let name: Vec<OwnName<'_>> = OwnName::of(name, (&words, &found.hits)).into_iter().collect();
                let known = format!("{:?}", read(text, rules, &name, Some(&mut cache)));
                prop_assert_eq!(known, format!("{:?}", read(text, rules, &name, None)), "{}", text);
            }
        }
    }

    #[test]
    fn the_name_of_the_business_is_read_by_itself() {
        let builtin = builtin::load();
        let rules = (std::slice::from_ref(&builtin.lexicon), &builtin.vocabulary);
        let groups = |text: &str, names: &[OwnName<'_>]| {
            let found = read(text, rules, names, None);
            let rows: Vec<&[u64]> = found.groups.chunks(found.width).collect();
            let named = |hit: &Hit| {
                let group = hit.group.expect("only terms");
                let is_noted = rows[0][usize::from(group) / 64] >> (group % 64) & 1 == 1;
                assert!(is_noted && found.starts[hit.first] <= found.starts[hit.first + 1]);
                format!("{} {}..{}", builtin.vocabulary.name(group), hit.first, hit.last)
            };
            found.hits.iter().filter(|hit| hit.group.is_some()).map(named).collect::<Vec<_>>()
        };
        let name = "Pet Payday Loans Inc.";
        let (words, found) = (Words::of(name), read(name, rules, &[], None));
        let own = OwnName::of(name, (&words, &found.hits)).expect("two words");
        // As many words that say nothing in place of the name.
        let around = groups("Zyxa Wvub Ksrc Qpod shark texts you.", &[]);
        let mut both = [around, groups(name, &[])].concat();
        both.sort();
        let mut named = groups("Pet Payday Loans Inc shark texts you.", &[own]);
        named.sort();
        assert_eq!(named, both);
    }

    #[test]
    fn sentences_with_other_names_are_the_same() {
        let builtin = builtin::load();
        let rules = (std::slice::from_ref(&builtin.lexicon), &builtin.vocabulary);
        let mut cache = PassageCache::default();
        let mut kept = |name: &str| {
            let words = Words::of(name);
            let own: Vec<OwnName<'_>> = OwnName::of(name, (&words, &[])).into_iter().collect();
            read(&format!("{name} sends you texts about your order."), rules, &own, Some(&mut cache));
            cache.sentences.size()
        };
        let sizes = ["Cedar Bank", "Maple Dental", "Heron Freight"].map(&mut kept);
        assert!(sizes[0] == 0 && sizes[1] > 0 && sizes[2] == sizes[1], "{sizes:?}");
        assert!(
            kept("One Two Three") == sizes[1] && kept("Four Five Six") > sizes[1],
            "other words are counted"
        );
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
        read(text, rules, &[], Some(&mut cache));
        read(text, rules, &[], Some(&mut cache));
        assert_eq!(sources(&mut cache), [false, true, true], "a short sentence is read with its neighbors");
    }
}
