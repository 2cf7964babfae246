//! Reads a text: its words part by part, then the terms and phrases of all rules in each sentence. What was read before is
//! used again.

use std::ops::Range;

use smallvec::SmallVec;

use super::bit_rows::RowLayout;
use super::found_terms::FoundTerms;
use super::hit::{GroupId, Hit};
use super::known_sentence::{KnownSentence, Sentence, SentenceKey};
use super::matcher::{Matcher, TermHits};
use super::own_name::{self, NamePlaces, OwnName, places_in};
use super::passage::{may_have_passage, split_passages};
use super::passage_cache::PassageCache;
use super::phrase_search::PhraseLanguages;
use super::places::HashPlaces;
use super::search_buffers::SearchBuffers;
use super::text_rules::TextRules;
use super::text_terms::TextTerms;
use super::vocabulary::computed;
use super::words::Break;
use super::work::PhraseWork;

/// The minimum number of words that make a quotation the text of a form or a script.
const LONG_QUOTATION: usize = 8;

/// Reads a text in which the business may have some names; `cache` has what was read before with the same rules.
pub(super) fn read(
    text: &str,
    rules: TextRules<'_>,
    names: &[OwnName<'_>],
    cache: Option<&mut PassageCache>,
) -> Box<TextTerms> {
    let Some(cache) = cache else {
        let mut terms = Box::default();
        read_whole(text, rules, names, &mut SearchBuffers::default(), &mut terms);
        return terms;
    };
    let mut terms = cache.spare.pop().unwrap_or_default();
    if !cache.remembers || !read_parts(text, rules, names, cache, &mut terms) {
        read_whole(text, rules, names, &mut cache.buffers, &mut terms);
    }
    terms
}

/// Reads a text without what was found before.
fn read_whole(
    text: &str,
    rules: TextRules<'_>,
    names: &[OwnName<'_>],
    buffers: &mut SearchBuffers,
    terms: &mut TextTerms,
) {
    terms.split.make_ready(text);
    terms.split.read(text, 0..text.len(), Break::Sentence, rules);
    TextSearch::of(text, rules, names, terms).run(terms, None, buffers);
}

/// Reads a text with what was found before; returns whether that may be used.
fn read_parts(
    text: &str,
    rules: TextRules<'_>,
    names: &[OwnName<'_>],
    cache: &mut PassageCache,
    terms: &mut TextTerms,
) -> bool {
    let PassageCache { passages, sentences, buffers, .. } = cache;
    let split = &mut terms.split;
    split.make_ready(text);
    if !may_have_passage(text) {
        split.read(text, 0..text.len(), Break::Sentence, rules);
    } else if split_passages(text, rules, names, passages, split).is_none() {
        return false;
    }
    TextSearch::of(text, rules, names, terms).run(terms, Some(sentences), buffers);
    // A limit is for the whole text, so what was found before must not decide what is not searched for.
    terms.is_complete
}

/// A text whose words are known, before the search for terms.
struct TextSearch<'s> {
    rules: TextRules<'s>,
    /// Whether the text has no small letter.
    is_shouted: bool,
    /// The long quotations, as ranges of words.
    quotations: Vec<Range<usize>>,
    /// Where the text names the business.
    names: NamePlaces<'s>,
    work: PhraseWork,
}

impl<'s> TextSearch<'s> {
    /// A text that was split into words; its languages are told.
    fn of(text: &str, rules: TextRules<'s>, names: &[OwnName<'s>], terms: &mut TextTerms) -> Self {
        let TextTerms { split, languages, .. } = terms;
        split.tell_languages(languages);
        let is_shouted = !text.bytes().any(|byte| byte.is_ascii_lowercase());
        let mut quotations = split.words.quotations();
        quotations.retain(|it| it.len() >= LONG_QUOTATION);
        let names = own_name::places(names, text, &split.words);
        Self { rules, is_shouted, quotations, names, work: PhraseWork::of(text.len()) }
    }

    /// Finds the terms and phrases; `known` are those in sentences that were read before.
    fn run(
        &self,
        terms: &mut TextTerms,
        mut known: Option<&mut HashPlaces<KnownSentence>>,
        buffers: &mut SearchBuffers,
    ) {
        let TextRules { lexicons, vocabulary, prefilter } = self.rules;
        let TextTerms { split, languages, found, is_complete } = terms;
        let sentences = &split.sentences;
        found.make_ready(split.words.len(), sentences.len(), RowLayout::of(vocabulary.len(), prefilter));
        let SearchBuffers { matchers: memory, composites, tokens, key } = buffers;
        memory.resize_with(lexicons.len(), Default::default);
        // Most sentences are known, so matchers take their memory when the first one is not.
        let mut matchers: SmallVec<[Matcher<'_>; 1]> = SmallVec::new();
        let mut memory = memory.iter_mut();
        tokens.clear();
        tokens.extend(split.tokens().iter().filter(|(at, group)| self.counts(*at, *group)));
        let (mut tokens, mut quotations) = (tokens.as_slice(), self.quotations.as_slice());
        for (words, languages) in sentences.iter().zip(languages.iter()) {
            let sentence = Sentence {
                words,
                languages: *languages,
                tokens: taken_while(&mut tokens, |(at, _)| *at < words.end),
                quotations: taken_while(&mut quotations, |it| it.start < words.end),
                names: places_in(&self.names, words),
            };
            key.set(split, &sentence);
            let hash = if known.is_some() { key.hash() } else { 0 };
            let begun = found.hits.len();
            let same = known.as_deref().and_then(|known| known.get(hash)).filter(|known| known.has(key));
            if let Some(same) = same {
                same.add_to(found, words.start);
                self.work.take(same.steps);
            } else {
                let left = self.work.left();
                matchers.extend(
                    lexicons.iter().zip(&mut memory).map(|(it, memory)| Matcher::of(it, &self.work, memory)),
                );
                self.search(&sentence, key, &mut matchers, found, composites);
                found.end_sentence(begun, prefilter);
                if let Some(known) = known.as_deref_mut()
                    && known.is_repeated(hash)
                {
                    let steps = left - self.work.left();
                    known.insert(KnownSentence::of((key, hash), (words.start, begun), found, steps));
                }
            }
            found.add_names(sentence.names, (begun, words), (prefilter, &self.work), composites);
        }
        found.end_text(prefilter);
        *is_complete = !self.work.is_spent();
    }

    /// Whether a token is a term by itself.
    fn counts(&self, at: usize, group: GroupId) -> bool {
        let is_shouted = group == computed::CAPITALS && self.is_shouted;
        !is_shouted && places_in(&self.names, &(at..at + 1)).is_empty()
    }

    /// Finds the terms and phrases in a sentence.
    fn search(
        &self,
        sentence: &Sentence<'_>,
        key: &SentenceKey,
        matchers: &mut [Matcher<'_>],
        found: &mut FoundTerms,
        composites: &mut Vec<Hit>,
    ) {
        let Sentence { words, tokens, quotations, .. } = *sentence;
        let languages = PhraseLanguages::of(sentence.languages);
        matchers.iter_mut().zip(key.codes()).for_each(|(matcher, codes)| matcher.enter(words, codes));
        let (mut tokens, mut quotations) = (tokens.iter().peekable(), quotations.iter().peekable());
        let FoundTerms { hits, starts, .. } = found;
        let begun = hits.len();
        for at in words.clone() {
            starts.push(hits.len() as u32);
            for matcher in &mut *matchers {
                matcher.scan(at, languages, hits);
            }
            let of_group =
                |group, last| Hit { set: group, group: Some(group), first: at, last, negative: false };
            if let Some((_, group)) = tokens.next_if(|(token, _)| *token == at) {
                hits.push(of_group(*group, at));
            }
            if let Some(quotation) = quotations.next_if(|it| it.start == at) {
                hits.push(of_group(computed::QUOTATION, quotation.end - 1));
            }
        }
        composites.clear();
        let terms = TermHits { hits, starts };
        matchers.iter_mut().for_each(|matcher| matcher.composites(languages, terms, composites));
        if !composites.is_empty() {
            composites.sort_by_key(|hit| hit.first);
            found.merge(begun, composites);
        }
        found.put_in_order(begun, words);
        if self.rules.vocabulary.is_extended() {
            let known = |hit: &mut Hit| hit.set = self.rules.vocabulary.known_set(hit.set);
            found.hits[begun..].iter_mut().for_each(known);
        }
    }
}

/// Takes what is first in a slice.
fn taken_while<'l, T>(left: &mut &'l [T], counts: impl Fn(&T) -> bool) -> &'l [T] {
    let count = left.iter().take_while(|it| counts(it)).count();
    let (taken, rest) = left.split_at(count);
    *left = rest;
    taken
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rule::builtin::{self, Builtin};
    use crate::text::own_name::NameLength;
    use crate::text::words::Words;

    fn rules_of(builtin: &Builtin) -> TextRules<'_> {
        let (lexicons, prefilter) = (std::slice::from_ref(&builtin.lexicon), builtin.prefilter.table());
        TextRules { lexicons, vocabulary: &builtin.vocabulary, prefilter }
    }

    /// Sentences and scraps whose meaning depends on what is around them, and others.
    const SENTENCES: [&str; 36] = [
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
        "You agree to get 5 texts a week about your order.",
        "The page says 24/7: \"I agree to receive recurring messages\" ",
        "We will 5 not do {} not send you messages more than once.",
        "We do Not.5 ask you for anything else than your number",
        "Tick the box ( )5 to get messages from {} and nothing else.",
        "Each costs about $ 5 and never more than you agreed to pay.",
        "Links at {}: https://acme.com/terms. Not shown below the box.",
        "Write to help@acme.com - or call us at the number given above",
        "\n- messages about your order and nothing else\n- 2 reminders\n",
        "{}'s customers agree to messages on the page of {}.",
        "[ ] 18+ and I agree to get marketing texts from {}, as you say",
        "(see 3.) not shown is the number that you sign up with",
    ];

    /// What a business may be called: nothing, or words that phrases know.
    const NAMES: [&str; 5] = ["", "Acme Texts", "Order Updates LLC", "STOP Payday Loans Inc.", "Not Me 5"];

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
                let length = NameLength::of(name, &words);
                let own = |length| OwnName::of(name, (&words, &found.found.hits), length);
                let name: Vec<OwnName<'_>> = length.map(own).into_iter().collect();
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
            let named = |hit: &Hit| {
                let group = hit.group.expect("only terms");
                let is_noted = found.found.rows.has(0, group);
                assert!(is_noted && found.found.starts[hit.first] <= found.found.starts[hit.first + 1]);
                format!("{} {}..{}", builtin.vocabulary.name(group), hit.first, hit.last)
            };
            found.found.hits.iter().filter(|hit| hit.group.is_some()).map(named).collect::<Vec<_>>()
        };
        let name = "Pet Payday Loans Inc.";
        let (words, found) = (Words::of(name), read(name, rules, &[], None));
        let length = NameLength::of(name, &words).expect("two words");
        let own = OwnName::of(name, (&words, &found.found.hits), length);
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
            let length = NameLength::of(name, &words);
            let own: Vec<OwnName<'_>> =
                length.map(|length| OwnName::of(name, (&words, &[]), length)).into_iter().collect();
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
}
