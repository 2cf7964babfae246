//! Searches a sentence for the phrases that begin with its words, and for those that begin with its terms.

use std::ops::Range;

use tollproof_data::text::entry::{GOES_ON, LANGUAGE_SHIFT, NAMES_GROUPS, PhraseEntry, flags_of, id_of};
use tollproof_data::text::hit::Hit;
use tollproof_data::text::lexicon::{BEGINS, BEGINS_PAIR, IS_GROUP, IS_SECOND};
use tollproof_data::text::vocabulary::{Language, Languages};

use super::matcher::{Matcher, PendingPhrase, TermHits};
use super::word_ids::NumberedWord;
use super::work::PhraseWork;

/// The languages of the phrases that a sentence may have, as bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PhraseLanguages {
    of_sentence: u8,
    /// The same with English: terms such as "opt in" are used in other languages too.
    with_borrowed: u8,
}

impl PhraseLanguages {
    /// Those of a sentence that may be in some languages.
    pub(crate) fn of(languages: Languages) -> Self {
        let may_be = |language: &&Language| **language == Language::Any || languages.may_be(**language);
        let possible = Language::ALL.iter().filter(may_be);
        let of_sentence = possible.fold(0, |bits, language| bits | 1 << *language as u8);
        Self { of_sentence, with_borrowed: of_sentence | 1 << Language::English as u8 }
    }

    /// Those of the phrases that begin with a word. The shortest English words are not borrowed.
    fn behind(self, word: NumberedWord) -> Self {
        if word.is_short { self } else { Self { of_sentence: self.with_borrowed, ..self } }
    }

    /// Whether a phrase with these flags is in one of them.
    fn have(self, flags: u8) -> bool {
        let languages = if flags & GOES_ON != 0 { self.with_borrowed } else { self.of_sentence };
        languages >> (flags >> LANGUAGE_SHIFT) & 1 == 1
    }
}

impl Matcher<'_> {
    /// Finds the phrases without groups that begin with a word of the sentence, and notes those with groups.
    pub(crate) fn scan(&mut self, at: usize, languages: PhraseLanguages, hits: &mut Vec<Hit>) {
        let word = self.ids.get(at);
        if word.flags & (BEGINS | BEGINS_PAIR) == 0 {
            return;
        }
        let languages = languages.behind(word);
        let second = self.ids.get(at + 1);
        let may_be_pair = second.flags & IS_SECOND != 0;
        for number in word.numbers() {
            let number = self.ids.number(number);
            if flags_of(number) & BEGINS != 0 {
                let entries = self.lexicon.alone(id_of(number));
                self.scan_entries(entries, (at, at), languages, hits);
            }
            if flags_of(number) & BEGINS_PAIR != 0 && may_be_pair {
                for second in second.numbers() {
                    let second = self.ids.number(second);
                    if flags_of(second) & IS_SECOND != 0 {
                        let entries = self.lexicon.pair(id_of(number), id_of(second));
                        self.scan_entries(entries, (at, at + 1), languages, hits);
                    }
                }
            }
        }
    }

    /// Compares the phrases in a range that begin with some words.
    fn scan_entries(
        &mut self,
        entries: Range<usize>,
        (first, last): (usize, usize),
        languages: PhraseLanguages,
        hits: &mut Vec<Hit>,
    ) {
        if entries.is_empty() || !self.work().take(entries.len()) {
            return;
        }
        let next = self.ids.get(last + 1).bits;
        let mut steps = 0;
        for (entry, record) in self.lexicon.candidates(entries, next) {
            let flags = PhraseEntry::flags(record);
            if !languages.have(flags) {
                continue;
            }
            if flags & NAMES_GROUPS != 0 {
                steps += PhraseWork::HIT / 4;
                self.pending.push(PendingPhrase { entry, first, last });
            } else if PhraseEntry::is_whole(record) {
                steps += PhraseWork::HIT;
                let (set, group) = PhraseEntry::term(record);
                hits.push(Hit { set, group, first, last, negative: false });
            } else {
                self.matched(PhraseEntry::decode(record), (first, last), TermHits::default(), hits);
            }
        }
        self.work().take(steps);
    }

    /// Finds the phrases that name groups in the sentence: those that begin with one of its words, and those that begin
    /// with one of its terms.
    pub(crate) fn composites(
        &mut self,
        languages: PhraseLanguages,
        terms: TermHits<'_>,
        found: &mut Vec<Hit>,
    ) {
        for index in 0..self.pending.len() {
            let PendingPhrase { entry, first, last } = self.pending[index];
            if let Some(entry) = PhraseEntry::at(&self.lexicon.entries, entry) {
                self.matched(entry, (first, last), terms, found);
            }
        }
        for hit in terms.within(self.sentence.clone()) {
            self.begin_with(hit, languages, terms, found);
        }
    }

    /// Finds the phrases that begin with a term of a group.
    fn begin_with(
        &mut self,
        hit: &Hit,
        languages: PhraseLanguages,
        terms: TermHits<'_>,
        found: &mut Vec<Hit>,
    ) {
        let Some(group) = hit.group else { return };
        let (alone, flags) = self.lexicon.of_group(group);
        if !alone.is_empty() {
            self.begin_entries(alone, (hit.first, hit.last), languages, terms, found);
        }
        if flags & BEGINS_PAIR == 0 {
            return;
        }
        let next = self.ids.get(hit.last + 1);
        for second in if next.flags & IS_SECOND != 0 { next.numbers() } else { 0..0 } {
            let second = self.ids.number(second);
            if flags_of(second) & IS_SECOND != 0 {
                let entries = self.lexicon.pair(u32::from(group) | IS_GROUP, id_of(second));
                self.begin_entries(entries, (hit.first, hit.last + 1), languages, terms, found);
            }
        }
    }

    /// Compares the phrases in a range that begin with a term, or with a term and a word.
    fn begin_entries(
        &mut self,
        entries: Range<usize>,
        beginning: (usize, usize),
        languages: PhraseLanguages,
        terms: TermHits<'_>,
        found: &mut Vec<Hit>,
    ) {
        if entries.is_empty() || !self.work().take(entries.len()) {
            return;
        }
        let next = self.ids.get(beginning.1 + 1).bits;
        for (_, record) in self.lexicon.candidates(entries, next) {
            if languages.have(PhraseEntry::flags(record)) {
                self.work().take(PhraseWork::HIT / 4);
                self.matched(PhraseEntry::decode(record), beginning, terms, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tollproof_data::text::lexicon_builder::Builder;
    use tollproof_data::text::prefilter::Prefilter;
    use tollproof_data::text::vocabulary::Vocabulary;

    use crate::text::scan::Scan;
    use crate::text::text_rules::TextRules;

    fn found(phrase: &str, text: &str) -> Vec<String> {
        // The sets before are those of computed groups.
        let mut builder = Builder::starting_at(100);
        let set = builder.add([phrase], &Vocabulary::default()).expect("a phrase");
        let lexicon = builder.finish().build();
        let (lexicons, vocabulary) = (std::slice::from_ref(&lexicon), Vocabulary::default());
        let prefilter = Prefilter::default();
        let rules = TextRules { lexicons, vocabulary: &vocabulary, prefilter: &prefilter };
        let scan = Scan::of(text, rules, &[]);
        let words = scan.words();
        let phrases = scan.hits().iter().filter(|hit| hit.set == set);
        phrases.map(|hit| text[words.range(hit.first, hit.last)].to_owned()).collect()
    }

    #[test]
    fn phrases_are_found_as_people_write_them() {
        assert_eq!(found("opt out", "Reply STOP to Opt-Out now"), ["Opt-Out"]);
        assert_eq!(found("enrol*", "They enrolled; enrolment"), ["enrolled", "enrolment"]);
        assert_eq!(
            found("sell|share your? data", "We share data, sell your data"),
            ["share data", "sell your data"]
        );
        assert_eq!(
            found("by ... agree", "By giving us your number you agree to it."),
            ["By giving us your number you agree"]
        );
        assert_eq!(found("by ... agree", "By phone. You agree."), Vec::<String>::new());
    }

    #[test]
    fn a_phrase_does_not_cross_a_sentence() {
        assert_eq!(found("opt out", "You may opt. Out there"), Vec::<String>::new());
    }
}
