//! A text that was read once: its words, the terms and phrases in them, its sentences, and the groups in each sentence.

use std::cell::OnceCell;
use std::ops::Range;

use tollproof_data::text::phrases::interner::Phrases;
use tollproof_data::text::table::number_set::NumberSet;
use tollproof_data::text::terms::vocabulary::computed;
use tollproof_data::text::words::hit::Hit;
use tollproof_data::text::words::language::{Language, Languages};
use tollproof_data::text::words::polarity::{self, WordRoles};
use tollproof_data::text::words::word::Words;

use crate::text::phrases::matcher::TermHits;
use crate::text::terms::bit_rows::{BitRows, has_bit};
use crate::text::terms::search;
use crate::text::terms::text_rules::TextRules;
use crate::text::terms::text_terms::TextTerms;
use crate::text::words::own_name::OwnName;
use crate::validators::text_urls;
use crate::validators::url::Address;

/// A text as words, with the phrases of all rules and the terms of all groups in it.
#[derive(Debug)]
pub(crate) struct Scan {
    text: TextTerms,
    addresses: OnceCell<Vec<(Range<usize>, Address)>>,
}

impl Scan {
    /// Reads a text in which the business may have some names.
    pub(crate) fn of(text: &str, rules: TextRules<'_>, names: &[OwnName<'_>]) -> Self {
        Self { text: search::read(text, rules, names), addresses: OnceCell::new() }
    }

    /// The words.
    pub(crate) fn words(&self) -> &Words {
        &self.text.split.words
    }

    /// The effect of each word on the words beside it.
    pub(crate) fn roles(&self) -> &WordRoles {
        &self.text.split.roles
    }

    /// The phrases and terms, sorted by their first words.
    pub(crate) fn hits(&self) -> &[Hit] {
        &self.text.found.hits
    }

    /// Whether the text contains one of the phrases.
    pub(crate) fn has(&self, phrases: &Phrases) -> bool {
        phrases.sets.iter().any(|set| has_bit(&self.text.found.sets, usize::from(set)))
    }

    /// Whether all phrases and terms were searched for; there are limits on their number.
    pub(crate) fn is_complete(&self) -> bool {
        self.text.is_complete
    }

    /// The language that the text is written in; `Any` if it cannot be told.
    pub(crate) fn language(&self) -> Language {
        self.text.languages.last().map_or(Language::ANY, |languages| languages.sole())
    }

    /// The languages that the sentence of a word may be in.
    pub(crate) fn languages_at(&self, word: usize) -> Languages {
        self.text.languages.get(self.sentence_of(word)).copied().unwrap_or_default()
    }

    /// Whether a word negates what follows.
    pub(crate) fn negates(&self, word: usize) -> bool {
        self.roles().negates(word, self.languages_at(word))
    }

    /// Whether a phrase is negated in its clause.
    pub(crate) fn is_negated(&self, hit: &Hit) -> bool {
        let languages = self.languages_at(hit.first);
        polarity::is_negated((self.words(), self.roles()), hit, |at| self.roles().negates(at, languages))
    }

    /// Whether a word of the text that was scanned begins with a capital letter.
    pub(crate) fn is_capital(&self, text: &str, word: usize) -> bool {
        text.get(self.words().range(word, word))
            .and_then(|word| word.chars().next())
            .is_some_and(char::is_uppercase)
    }

    /// Whether a sentence asks, outside of a long quotation.
    pub(crate) fn is_question(&self, sentence: usize) -> bool {
        let Some(range) = self.sentences().get(sentence) else { return false };
        self.words().ends_in_question(range.end) && !self.rows().has(sentence, computed::QUOTATION)
    }

    /// The sentences, as ranges of words.
    pub(crate) fn sentences(&self) -> &[Range<usize>] {
        &self.text.split.sentences
    }

    /// Whether a sentence has a term of one of the groups.
    pub(crate) fn sentence_has(&self, sentence: usize, groups: &NumberSet) -> bool {
        self.rows().has_any(sentence, groups)
    }

    /// Whether the text has a term of one of the groups.
    pub(crate) fn has_group(&self, groups: &NumberSet) -> bool {
        self.rows().has_any(self.sentences().len(), groups)
    }

    fn rows(&self) -> &BitRows {
        &self.text.found.rows
    }

    /// The hits whose first word is in a range of words.
    pub(crate) fn hits_in(&self, words: &Range<usize>) -> &[Hit] {
        TermHits { hits: &self.text.found.hits, starts: &self.text.found.starts }.within(words.clone())
    }

    /// Whether the text contains a web address.
    pub(crate) fn names_url(&self) -> bool {
        self.rows().has(self.sentences().len(), computed::URL)
    }

    /// The index of the sentence that contains a word.
    pub(crate) fn sentence_of(&self, word: usize) -> usize {
        self.sentences().partition_point(|sentence| sentence.end <= word)
    }

    /// The web addresses in the text that was scanned, with their byte ranges; they are searched for on first use.
    pub(crate) fn addresses(&self, text: &str) -> &[(Range<usize>, Address)] {
        self.addresses.get_or_init(|| text_urls::in_text(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollproof_data::text::phrases::interner::{Interned, Interner};
    use tollproof_data::text::terms::vocabulary_file::VocabularyFile;

    /// A small vocabulary of three languages.
    const GROUPS: &str = "
consent: { means: agreeing, en: [agree*, opt in], fr: [accord], es: [de acuerdo] }
sms: { means: texts, en: [text|texts, sms], es: [texto*] }
sol: { means: only Spanish, es: [sol] }
asks-for-texts: { means: both, any: ['<consent> to <sms>', 'by *ing'] }
";

    fn read(text: &str) -> (Scan, Interned) {
        let mut interner = Interner::new([]);
        let groups: VocabularyFile = serde_yaml::from_str(GROUPS).expect("it is a vocabulary");
        interner.add_vocabulary(&[("test".to_owned(), groups)]).expect("it is correct");
        let interned = interner.finish();
        let lexicon = interned.phrases.build();
        let lexicons = std::slice::from_ref(&lexicon);
        let rules = TextRules { lexicons, vocabulary: &interned.vocabulary };
        (Scan::of(text, rules, &[]), interned)
    }

    /// The terms with the names of their groups.
    fn terms(text: &str) -> Vec<String> {
        let (scan, interned) = read(text);
        let shown = |hit: &Hit| {
            let name = interned.vocabulary.name(hit.group?);
            let range = scan.words().range(hit.first, hit.last);
            Some(format!("{name}: {}", &text[range]))
        };
        scan.hits().iter().filter_map(shown).collect()
    }

    #[test]
    fn terms_have_the_meaning_of_their_group() {
        assert_eq!(terms("They opt in."), ["consent: opt in"]);
        assert_eq!(
            terms("I agree to texts"),
            ["asks-for-texts: agree to texts", "consent: agree", "sms: texts"]
        );
        assert_eq!(terms("by calling"), ["asks-for-texts: by calling"]);
        assert_eq!(terms("I agree. To texts"), ["consent: agree", "sms: texts"], "sentences end phrases");
    }

    #[test]
    fn tokens_have_groups_of_their_own() {
        assert_eq!(
            terms("☐ or [x] STOP 5 $5 10% acme.com"),
            [
                "box-glyph: ☐",
                "ticked-box-glyph: [x]",
                "capitals: STOP",
                "number: 5",
                "amount: 5",
                "amount: 10",
                "url: acme.com"
            ]
        );
        assert_eq!(terms("50 % 9\u{a0}$ 8\u{202f}€"), ["amount: 50", "amount: 9", "amount: 8"]);
        assert_eq!(terms("5  % 6"), ["number: 5", "number: 6"], "one space, as French writes it");
        assert_eq!(terms("STOP OR GO"), Vec::<String>::new(), "a text in capitals stresses no word");
        let quoted = terms("It says: “one two three four five six seven eight” here");
        assert_eq!(quoted, ["quotation: one two three four five six seven eight"]);
        assert_eq!(terms("a \"short quotation\""), Vec::<String>::new());
    }

    #[test]
    fn a_sentence_has_one_language() {
        assert_eq!(terms("The sol to we"), Vec::<String>::new(), "not a Spanish text");
        assert_eq!(terms("El sol de los textos con sms"), ["sol: sol", "sms: textos"]);
        assert_eq!(
            terms("El opt in de los dias"),
            ["consent: opt in"],
            "an English expression is used as it is"
        );
        assert_eq!(terms("sol texts"), ["sol: sol", "sms: texts"], "too few words to tell");
        assert_eq!(read("The text to we").0.language().key(), "en");
        assert_eq!(read("").0.language(), Language::ANY);
    }

    #[test]
    fn french_articles_are_words() {
        assert_eq!(terms("l'accord, d’accord, don't"), ["consent: accord", "consent: accord"]);
    }

    #[test]
    fn sentences_know_their_groups() {
        let (scan, interned) = read("We agree. No texts; nothing");
        let of = |name: &str| interned.vocabulary.groups(name).into_iter().collect::<NumberSet>();
        assert_eq!(scan.sentences(), [0..2, 2..4, 4..5]);
        assert!(scan.sentence_has(0, &of("consent")) && !scan.sentence_has(1, &of("consent")));
        assert!(scan.has_group(&of("sms")) && !scan.has_group(&of("sol")));
        assert_eq!((scan.sentence_of(0), scan.sentence_of(3), scan.sentence_of(4)), (0, 1, 2));
    }
}
