//! Searches a sentence for the phrases that begin with its words, and for those that begin with its terms.

use tollproof_data::text::table::lexicon::{NO_WORD, PhraseBeginning, StoredPhrase, WordId, bit_of};
use tollproof_data::text::words::hit::Hit;
use tollproof_data::text::words::language::{Language, Languages};

use crate::text::phrases::matcher::{Matcher, PendingPhrase, TermHits};
use crate::text::phrases::word_ids::NumberedWord;
use crate::text::phrases::work::PhraseWork;

/// The languages of the phrases that a sentence may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PhraseLanguages {
    of_sentence: Languages,
    /// The same with those whose expressions, such as "opt in", are used in other languages too.
    with_borrowed: Languages,
}

impl PhraseLanguages {
    /// Those of a sentence that may be in some languages.
    pub(crate) fn of(of_sentence: Languages) -> Self {
        let borrowed = Language::all().filter(|language| of_sentence.are_known() && language.is_borrowed());
        Self { of_sentence, with_borrowed: borrowed.fold(of_sentence, Languages::or) }
    }

    /// Those of the phrases that begin with a word. The shortest words are not borrowed.
    fn after(self, word: NumberedWord) -> Self {
        if word.is_short { self } else { Self { of_sentence: self.with_borrowed, ..self } }
    }

    /// Whether a phrase is in one of them.
    fn have(self, phrase: &StoredPhrase, is_one_word: bool) -> bool {
        let languages = if is_one_word { self.of_sentence } else { self.with_borrowed };
        phrase.language() == Language::ANY || languages.may_be(phrase.language())
    }
}

impl<'w> Matcher<'w> {
    /// Finds the phrases without groups that begin with a word of the sentence, and notes those with groups.
    pub(crate) fn scan(&mut self, at: usize, languages: PhraseLanguages, hits: &mut Vec<Hit>) {
        let word = self.ids.get(at);
        let languages = languages.after(word);
        for first in word.numbers() {
            let beginnings = self.lexicon.of_word(self.ids.number(first));
            if beginnings.is_empty() {
                continue;
            }
            let phrases = self.lexicon.with_second(beginnings, NO_WORD);
            self.scan_phrases(phrases, (at, at), languages, hits);
            for second in self.ids.get(at + 1).numbers() {
                let phrases = self.lexicon.with_second(beginnings, self.ids.number(second));
                if phrases.len() > 0 {
                    self.scan_phrases(phrases, (at, at + 1), languages, hits);
                }
            }
        }
    }

    /// Compares phrases that begin with one or two words.
    fn scan_phrases(
        &mut self,
        phrases: impl ExactSizeIterator<Item = &'w StoredPhrase>,
        (first, last): (usize, usize),
        languages: PhraseLanguages,
        hits: &mut Vec<Hit>,
    ) {
        if !self.work().take(phrases.len()) {
            return;
        }
        for phrase in phrases {
            if !languages.have(phrase, first == last && phrase.is_whole()) {
                continue;
            }
            if phrase.names_groups() {
                self.work().take(PhraseWork::HIT / 4);
                self.pending.push(PendingPhrase { phrase, first, last });
            } else if phrase.is_whole() {
                self.work().take(PhraseWork::HIT);
                hits.push(Hit { set: phrase.set(), group: phrase.group(), first, last, negative: false });
            } else {
                self.matched(phrase, (first, last), TermHits::default(), hits);
            }
        }
    }

    /// Finds the phrases that name groups in the sentence: those that begin with one of its words, and those that begin
    /// with one of its terms.
    pub(crate) fn composites(
        &mut self,
        languages: PhraseLanguages,
        terms: TermHits<'_>,
        found: &mut Vec<Hit>,
    ) {
        let groups = terms.within(self.sentence.clone()).iter().filter_map(|hit| hit.group);
        self.group_bits = groups.fold(0, |bits, group| bits | bit_of(u32::from(group)));
        for index in 0..self.pending.len() {
            let PendingPhrase { phrase, first, last } = self.pending[index];
            self.matched(phrase, (first, last), terms, found);
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
        let beginnings = hit.group.map(|group| self.lexicon.of_group(group)).unwrap_or_default();
        if beginnings.is_empty() {
            return;
        }
        self.begin_phrases((beginnings, NO_WORD), (hit.first, hit.last), languages, terms, found);
        for second in self.ids.get(hit.last + 1).numbers() {
            let second = self.ids.number(second);
            self.begin_phrases((beginnings, second), (hit.first, hit.last + 1), languages, terms, found);
        }
    }

    /// Compares the phrases that begin with a term, or with a term and a word.
    fn begin_phrases(
        &mut self,
        (beginnings, second): (&'w [PhraseBeginning], WordId),
        beginning: (usize, usize),
        languages: PhraseLanguages,
        terms: TermHits<'_>,
        found: &mut Vec<Hit>,
    ) {
        let phrases = self.lexicon.with_second(beginnings, second);
        if !self.work().take(phrases.len()) {
            return;
        }
        for phrase in phrases {
            if languages.have(phrase, second == NO_WORD && phrase.is_whole()) {
                self.work().take(PhraseWork::HIT / 4);
                self.matched(phrase, beginning, terms, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tollproof_data::text::phrases::lexicon_builder::Builder;
    use tollproof_data::text::terms::vocabulary::Vocabulary;

    use crate::text::asked::scan::Scan;
    use crate::text::terms::text_rules::TextRules;

    fn found(phrase: &str, text: &str) -> Vec<String> {
        // The sets before are those of computed groups.
        let mut builder = Builder::starting_at(100);
        let set = builder.add([phrase], &Vocabulary::default()).expect("a phrase");
        let lexicon = builder.finish().build();
        let (lexicons, vocabulary) = (std::slice::from_ref(&lexicon), Vocabulary::default());
        let rules = TextRules { lexicons, vocabulary: &vocabulary };
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
