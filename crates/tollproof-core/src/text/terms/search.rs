//! Reads a text: its words, then the terms and phrases of all rules in each sentence.

use std::ops::Range;

use tollproof_data::text::terms::vocabulary::computed;
use tollproof_data::text::words::hit::{GroupId, Hit};
use tollproof_data::text::words::language::Languages;

use crate::text::phrases::matcher::{Matcher, TermHits};
use crate::text::phrases::phrase_search::PhraseLanguages;
use crate::text::phrases::work::PhraseWork;
use crate::text::terms::found_terms::FoundTerms;
use crate::text::terms::text_rules::TextRules;
use crate::text::terms::text_terms::TextTerms;
use crate::text::words::own_name::{self, NamePlace, NamePlaces, OwnName, places_in};
use crate::text::words::split_text::SplitText;

/// The minimum number of words that make a quotation the text of a form or a script.
const LONG_QUOTATION: usize = 8;

/// Reads a text in which the business may have some names.
pub(crate) fn read(text: &str, rules: TextRules<'_>, names: &[OwnName<'_>]) -> TextTerms {
    let TextRules { lexicons, vocabulary } = rules;
    let mut split = SplitText::of(text, vocabulary);
    let languages = split.languages();
    let is_shouted = !text.bytes().any(|byte| byte.is_ascii_lowercase());
    let names: NamePlaces<'_> = own_name::places(names, text, &split.words);
    // A word of a name, or of a text in capitals, stresses nothing.
    let counts = |at: usize, group: GroupId| {
        !(is_shouted && group == computed::CAPITALS) && places_in(&names, &(at..at + 1)).is_empty()
    };
    split.tokens.retain(|(at, group)| counts(*at, *group));
    let mut quotations = split.words.quotations();
    quotations.retain(|it| it.len() >= LONG_QUOTATION);
    let mut found = FoundTerms::new(split.words.len(), split.sentences.len(), vocabulary.group_count());
    let work = PhraseWork::of(text.len());
    let mut matchers: Vec<Matcher<'_>> = lexicons.iter().map(|it| Matcher::of(it, &work)).collect();
    let (mut tokens, mut quotations) = (split.tokens.as_slice(), quotations.as_slice());
    for (words, languages) in split.sentences.iter().zip(&languages) {
        let sentence = Sentence {
            words,
            languages: *languages,
            tokens: taken_while(&mut tokens, |(at, _)| *at < words.end),
            quotations: taken_while(&mut quotations, |it| it.start < words.end),
            names: places_in(&names, words),
        };
        let begun = found.hits.len();
        for (lexicon, matcher) in matchers.iter_mut().enumerate() {
            // A user's own phrases may name the business.
            let names = if lexicon == 0 { sentence.names } else { &[] };
            matcher.enter(&split.words, words, names);
        }
        search(&sentence, rules, &mut matchers, &mut found);
        found.end_sentence(begun);
        found.add_names(sentence.names, (begun, words), &work);
    }
    found.end_text();
    let is_complete = !work.is_spent();
    TextTerms { split, languages, found, is_complete }
}

/// A sentence of a text, before the search for terms.
#[derive(Clone, Copy, Debug)]
struct Sentence<'t> {
    /// The range of its words.
    words: &'t Range<usize>,
    languages: Languages,
    /// The words that are terms by themselves, with their groups.
    tokens: &'t [(usize, GroupId)],
    /// The long quotations that begin in it, as ranges of words.
    quotations: &'t [Range<usize>],
    /// Places that name the business.
    names: &'t [NamePlace<'t>],
}

/// Finds the terms and phrases in a sentence that the matchers have entered.
fn search(
    sentence: &Sentence<'_>,
    rules: TextRules<'_>,
    matchers: &mut [Matcher<'_>],
    found: &mut FoundTerms,
) {
    let Sentence { words, tokens, quotations, .. } = *sentence;
    let languages = PhraseLanguages::of(sentence.languages);
    let (mut tokens, mut quotations) = (tokens.iter().peekable(), quotations.iter().peekable());
    let FoundTerms { hits, starts, .. } = found;
    let begun = hits.len();
    for at in words.clone() {
        starts.push(hits.len() as u32);
        for matcher in &mut *matchers {
            matcher.scan(at, languages, hits);
        }
        let of_group = |group, last| Hit { set: group, group: Some(group), first: at, last, negative: false };
        if let Some((_, group)) = tokens.next_if(|(token, _)| *token == at) {
            hits.push(of_group(*group, at));
        }
        if let Some(quotation) = quotations.next_if(|it| it.start == at) {
            hits.push(of_group(computed::QUOTATION, quotation.end - 1));
        }
    }
    let mut composites = Vec::new();
    let terms = TermHits { hits, starts };
    matchers.iter_mut().for_each(|matcher| matcher.composites(languages, terms, &mut composites));
    if !composites.is_empty() {
        composites.sort_by_key(|hit: &Hit| hit.first);
        found.merge(begun, &composites);
    }
    found.put_in_order(begun, words);
    if rules.vocabulary.is_extended() {
        let known = |hit: &mut Hit| hit.set = rules.vocabulary.known_set(hit.set);
        found.hits[begun..].iter_mut().for_each(known);
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
    use super::*;
    use crate::rule::builtin::{self, Builtin};
    use crate::text::words::own_name::NameLength;
    use tollproof_data::text::words::word::Words;

    fn rules_of(builtin: &Builtin) -> TextRules<'_> {
        TextRules { lexicons: std::slice::from_ref(&builtin.lexicon), vocabulary: &builtin.vocabulary }
    }

    #[test]
    fn the_name_of_the_business_is_read_by_itself() {
        let builtin = builtin::load();
        let rules = rules_of(&builtin);
        let groups = |text: &str, names: &[OwnName<'_>]| {
            let found = read(text, rules, names);
            let named = |hit: &Hit| {
                let group = hit.group.expect("only terms");
                let is_noted = found.found.rows.has(0, group);
                assert!(is_noted && found.found.starts[hit.first] <= found.found.starts[hit.first + 1]);
                format!("{} {}..{}", builtin.vocabulary.name(group), hit.first, hit.last)
            };
            found.found.hits.iter().filter(|hit| hit.group.is_some()).map(named).collect::<Vec<_>>()
        };
        let name = "Pet Payday Loans Inc.";
        let (words, found) = (Words::of(name), read(name, rules, &[]));
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
}
