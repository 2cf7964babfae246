//! Reads a text: its words part by part, then the terms and phrases of all rules in each sentence. What was read before is
//! used again.

use std::ops::Range;

use smallvec::SmallVec;

use super::found_terms::{BitWidths, FoundTerms, SearchExtent};
use super::hit::{GroupId, Hit};
use super::known_sentence::{KnownSentence, SentenceKey};
use super::matcher::{Matcher, TermHits};
use super::own_name::{self, NamePlace, NamePlaces, OwnName, places_in};
use super::passage::{KnownPassage, may_have_passage};
use super::passage_cache::{PartSource, PassageCache, TextSection, TextSections};
use super::phrase_search::PhraseLanguages;
use super::places::HashPlaces;
use super::search_buffers::SearchBuffers;
use super::split_text::{SplitExtent, SplitText};
use super::text_rules::TextRules;
use super::text_terms::TextTerms;
use super::vocabulary::{Languages, computed};
use super::work::PhraseWork;

/// The minimum number of words that make a quotation the text of a form or a script.
const LONG_QUOTATION: usize = 8;

/// Reads a text in which the business may have some names; `cache` has what was read before with the same rules.
pub(super) fn read(
    text: &str,
    rules: TextRules<'_>,
    names: &[OwnName<'_>],
    cache: Option<&mut PassageCache>,
) -> TextTerms {
    let Some(cache) = cache else {
        return read_whole(text, rules, names, &mut SearchBuffers::default());
    };
    let found = if cache.remembers { read_parts(text, rules, names, cache) } else { None };
    found.unwrap_or_else(|| read_whole(text, rules, names, &mut cache.buffers))
}

/// Reads a text without what was found before.
fn read_whole(
    text: &str,
    rules: TextRules<'_>,
    names: &[OwnName<'_>],
    buffers: &mut SearchBuffers,
) -> TextTerms {
    let search = TextSearch::of(text, rules, names, TextSection::whole(text), None, SplitText::default());
    search.map(|it| it.run(None, buffers, TextTerms::default()).0).unwrap_or_default()
}

/// Reads a text with what was found before; `None` if that must not be used.
fn read_parts(
    text: &str,
    rules: TextRules<'_>,
    names: &[OwnName<'_>],
    cache: &mut PassageCache,
) -> Option<TextTerms> {
    let PassageCache { passages, sentences, buffers, spare, .. } = cache;
    let parts =
        if may_have_passage(text) { TextSection::parts(text, passages) } else { TextSection::whole(text) };
    let mut spare = spare.pop().unwrap_or_default();
    let split = std::mem::take(&mut spare.split);
    let search = TextSearch::of(text, rules, names, parts, Some(passages), split)?;
    let (found, parts) = search.run(Some(sentences), buffers, spare);
    // A limit is for the whole text, so what was found before must not decide what is not searched for.
    if !found.is_complete {
        return None;
    }
    for SearchPart { section, start, end, ends_sentence } in parts {
        if let PartSource::Repeated(hash) = section.source {
            let split = found.split.part(start, end, section.bytes.start);
            passages.insert(KnownPassage { text: text[section.bytes].into(), hash, split, ends_sentence });
        }
    }
    Some(found)
}

/// A text whose words are known, before the search for terms.
struct TextSearch<'s> {
    rules: TextRules<'s>,
    split: SplitText,
    languages: Vec<Languages>,
    /// Whether the text has no small letter.
    is_shouted: bool,
    /// The long quotations, as ranges of words.
    quotations: Vec<Range<usize>>,
    /// Where the text names the business.
    names: NamePlaces<'s>,
    parts: SearchParts,
    work: PhraseWork,
}

/// A part of a text that was split into words.
struct SearchPart {
    section: TextSection,
    start: SplitExtent,
    end: SplitExtent,
    ends_sentence: bool,
}

/// The parts of a text, in order.
type SearchParts = Vec<SearchPart>;

impl<'s> TextSearch<'s> {
    /// Splits the parts of a text into words; `None` if some part cannot be read apart from the next one.
    fn of(
        text: &str,
        rules: TextRules<'s>,
        names: &[OwnName<'s>],
        sections: TextSections,
        known: Option<&HashPlaces<KnownPassage>>,
        mut split: SplitText,
    ) -> Option<Self> {
        split.make_ready(text);
        let count = sections.len();
        let mut parts = SearchParts::with_capacity(count);
        for section in sections {
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
                None => split.read(text, bytes, rules),
            };
            parts.push(SearchPart { section, start, end: split.extent(), ends_sentence });
            if !ends_sentence && parts.len() < count {
                return None;
            }
        }
        let languages = split.languages();
        let is_shouted = !text.bytes().any(|byte| byte.is_ascii_lowercase());
        let mut quotations = split.words.quotations();
        quotations.retain(|it| it.len() >= LONG_QUOTATION);
        let names = own_name::places(names, text, &split.words);
        let work = PhraseWork::of(text.len());
        Some(Self { rules, split, languages, is_shouted, quotations, names, parts, work })
    }

    /// Finds the terms and phrases; `known` are those in sentences that were read before.
    fn run(
        mut self,
        mut known: Option<&mut HashPlaces<KnownSentence>>,
        buffers: &mut SearchBuffers,
        spare: TextTerms,
    ) -> (TextTerms, SearchParts) {
        let TextRules { lexicons, vocabulary, prefilter } = self.rules;
        let sentences = self.split.sentences.len();
        let widths =
            BitWidths { groups: vocabulary.len().div_ceil(64).max(1), parts: prefilter.parts_width() };
        let TextTerms { mut found, mut patterns, .. } = spare;
        found.make_ready(self.split.words.len(), sentences, widths);
        let SearchBuffers { matchers: memory, composites, tokens, key } = buffers;
        memory.resize_with(lexicons.len(), Default::default);
        let mut matchers: SmallVec<[Matcher<'_>; 1]> = SmallVec::new();
        for (lexicon, memory) in lexicons.iter().zip(memory) {
            matchers.push(Matcher::of(lexicon, &self.work, memory));
        }
        for (at, sentence) in self.split.sentences.iter().enumerate() {
            let names = places_in(&self.names, sentence);
            self.describe(at, names, tokens, key);
            let hash = if known.is_some() { key.hash() } else { 0 };
            let begun = found.extent();
            let same = known.as_deref().and_then(|known| known.get(hash)).filter(|known| known.has(key));
            if let Some(same) = same {
                same.add_to(&mut found, sentence.start);
                self.work.take(same.steps);
            } else {
                let left = self.work.left();
                self.search((at, begun), tokens, key, &mut matchers, &mut found, composites);
                found.end_sentence(begun, widths, prefilter);
                if let Some(known) = known.as_deref_mut()
                    && known.is_repeated(hash)
                {
                    let steps = left - self.work.left();
                    known.insert(KnownSentence::of((key, hash), sentence.start, &found, begun, steps));
                }
            }
            found.add_names(names, (begun, sentence), (prefilter, &self.work), composites);
        }
        found.starts.push(found.hits.len() as u32);
        found.groups.resize(found.groups.len() + widths.groups, 0);
        let (of_sentences, of_text) = found.groups.split_at_mut(sentences * widths.groups);
        for row in of_sentences.chunks_exact(widths.groups) {
            of_text.iter_mut().zip(row).for_each(|(all, bits)| *all |= bits);
        }
        prefilter.find(&found.sets, &found.parts, &mut patterns);
        let is_complete = !self.work.is_spent();
        let parts = std::mem::take(&mut self.parts);
        let Self { split, languages, .. } = self;
        (TextTerms { split, languages, found, patterns, width: widths.groups, is_complete }, parts)
    }

    /// Sets the tokens that are terms by themselves, and the key of a sentence with some names.
    fn describe(
        &self,
        sentence: usize,
        names: &[NamePlace<'_>],
        tokens: &mut Vec<(usize, GroupId)>,
        key: &mut SentenceKey,
    ) {
        let (languages, sentence) = (self.languages[sentence], &self.split.sentences[sentence]);
        let is_name = |at: usize| !places_in(names, &(at..at + 1)).is_empty();
        let counts = |(at, group): &&(usize, GroupId)| {
            !is_name(*at) && (*group != computed::CAPITALS || !self.is_shouted)
        };
        tokens.clear();
        tokens.extend(self.split.tokens_in(sentence).iter().filter(counts));
        let before = |word: usize| self.quotations.partition_point(|it| it.start < word);
        let quotations = &self.quotations[before(sentence.start)..before(sentence.end)];
        key.set((&self.split, sentence), languages, tokens, quotations, names);
    }

    /// Finds the terms and phrases in a sentence, by its index and how far the text before it was searched.
    fn search(
        &self,
        (sentence, begun): (usize, SearchExtent),
        tokens: &[(usize, GroupId)],
        key: &SentenceKey,
        matchers: &mut [Matcher<'_>],
        found: &mut FoundTerms,
        composites: &mut Vec<Hit>,
    ) {
        let languages = PhraseLanguages::of(self.languages[sentence]);
        let sentence = &self.split.sentences[sentence];
        matchers.iter_mut().zip(key.codes()).for_each(|(matcher, codes)| matcher.enter(sentence, codes));
        let mut tokens = tokens.iter().peekable();
        let FoundTerms { hits, starts, .. } = found;
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
            found.merge(begun, composites);
        }
        found.put_in_order(begun, sentence);
        if self.rules.vocabulary.is_extended() {
            let known = |hit: &mut Hit| hit.set = self.rules.vocabulary.known_set(hit.set);
            found.hits[begun.hits..].iter_mut().for_each(known);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rule::builtin::{self, Builtin};
    use crate::text::words::Words;

    fn rules_of(builtin: &Builtin) -> TextRules<'_> {
        let (lexicons, prefilter) = (std::slice::from_ref(&builtin.lexicon), builtin.prefilter.table());
        TextRules { lexicons, vocabulary: &builtin.vocabulary, prefilter }
    }

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
            let rules = rules_of(&builtin);
            let mut cache = PassageCache { remembers: true, ..PassageCache::default() };
            let texts: Vec<(&str, String)> = texts.iter().map(|(name, parts)| {
                let text: String = parts.iter().flat_map(|(at, space)| [SENTENCES[*at], space]).collect();
                (NAMES[*name], text.replace("{}", NAMES[*name]))
            }).collect();
            // The second time a passage or a sentence is kept, the third time it is known.
            for (name, text) in texts.iter().chain(&texts).chain(&texts) {
                let words = Words::of(name);
                let found = read(name, rules, &[], None);
                let name: Vec<OwnName<'_>> = OwnName::of(name, (&words, &found.found.hits)).into_iter().collect();
                let known = format!("{:?}", read(text, rules, &name, Some(&mut cache)));
                prop_assert_eq!(known, format!("{:?}", read(text, rules, &name, None)), "{}", text);
            }
        }
    }

    #[test]
    fn the_name_of_the_business_is_read_by_itself() {
        let builtin = builtin::load();
        let rules = rules_of(&builtin);
        let groups = |text: &str, names: &[OwnName<'_>]| {
            let found = read(text, rules, names, None);
            let rows: Vec<&[u64]> = found.found.groups.chunks(found.width).collect();
            let named = |hit: &Hit| {
                let group = hit.group.expect("only terms");
                let is_noted = rows[0][usize::from(group) / 64] >> (group % 64) & 1 == 1;
                assert!(is_noted && found.found.starts[hit.first] <= found.found.starts[hit.first + 1]);
                format!("{} {}..{}", builtin.vocabulary.name(group), hit.first, hit.last)
            };
            found.found.hits.iter().filter(|hit| hit.group.is_some()).map(named).collect::<Vec<_>>()
        };
        let name = "Pet Payday Loans Inc.";
        let (words, found) = (Words::of(name), read(name, rules, &[], None));
        let own = OwnName::of(name, (&words, &found.found.hits)).expect("two words");
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
        let rules = rules_of(&builtin);
        let mut cache = PassageCache { remembers: true, ..PassageCache::default() };
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
    fn repeated_sentences_are_kept() {
        let builtin = builtin::load();
        let rules = rules_of(&builtin);
        let mut cache = PassageCache { remembers: true, ..PassageCache::default() };
        let text = "Acme texts you. Message and data rates may apply. Reply STOP to cancel.";
        let sources = |cache: &mut PassageCache| -> Vec<bool> {
            TextSection::parts(text, &mut cache.passages)
                .iter()
                .map(|part| matches!(part.source, PartSource::Known(_)))
                .collect()
        };
        read(text, rules, &[], Some(&mut cache));
        read(text, rules, &[], Some(&mut cache));
        assert_eq!(sources(&mut cache), [false, true, true], "a short sentence is read with its neighbors");
    }
}
