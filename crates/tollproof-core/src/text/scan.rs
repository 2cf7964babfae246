//! A text that was read once: its words, the terms and phrases in them, its sentences, and the groups in each sentence.

use std::cell::OnceCell;
use std::ops::Range;

use crate::text::hit::{GroupId, Hit};
use crate::text::lexicon::Lexicon;
use crate::text::matcher::{Matcher, PendingPhrase, TermHits, starts_of};
use crate::text::number_set::NumberSet;
use crate::text::phrase_search::Sentence;
use crate::text::phrases::Phrases;
use crate::text::polarity::{self, WordRoles};
use crate::text::tokenize::{BOX, Break, TICKED_BOX, URL, Words};
use crate::text::vocabulary::{Language, Languages, Vocabulary, computed};
use crate::text::word_ids::WordIds;
use crate::text::work::PhraseWork;
use crate::validators::url::{self, Address};

/// A text as words, with the phrases of all rules and the terms of all groups in it.
#[derive(Debug)]
pub(crate) struct Scan {
    pub(crate) words: Words,
    pub(crate) roles: WordRoles,
    /// Sorted by their first words.
    pub(crate) hits: Vec<Hit>,
    /// For each word, the index of its first hit, as in [`TermHits`].
    starts: Vec<u32>,
    /// A bit set of the phrase sets that have a hit.
    sets: Vec<u64>,
    /// The sentences, as ranges of words.
    sentences: Vec<Range<usize>>,
    /// For each sentence, a bit set of the groups that have a term there; then the same of the whole text.
    groups: Vec<u64>,
    /// The length of a bit set in `groups`.
    width: usize,
    /// Each bit set in `groups`, modulo 64.
    folded: Vec<u64>,
    /// The languages of each sentence, and then those of the text.
    languages: Vec<Languages>,
    is_complete: bool,
    addresses: OnceCell<Vec<(Range<usize>, Address)>>,
}

/// The minimum number of words that make a quotation the text of a form or a script.
const LONG_QUOTATION: usize = 8;

/// The minimum number of frequent words of a language that tell the language of a sentence or text.
const TELLING: usize = 2;

impl Scan {
    pub(crate) fn of(text: &str, lexicons: &[Lexicon<'_>], vocabulary: &Vocabulary<'_>) -> Self {
        let words = Words::of(text);
        let ranges = sentences(&words);
        let languages = languages(&words, &ranges, vocabulary);
        let of_languages =
            |(range, languages): (&Range<usize>, &Languages)| Sentence::of(range.clone(), *languages);
        let sentences: Vec<Sentence> = ranges.iter().zip(&languages).map(of_languages).collect();
        let work = PhraseWork::of(text.len());
        let mut hits = Vec::with_capacity(words.len() * 2);
        let ids: Vec<WordIds<'_>> = lexicons.iter().map(|it| WordIds::of(&words, it)).collect();
        let mut pending: Vec<Vec<PendingPhrase>> = vec![Vec::new(); lexicons.len()];
        for ((lexicon, ids), pending) in lexicons.iter().zip(&ids).zip(&mut pending) {
            let mut matcher = Matcher::of(lexicon, ids, TermHits::default(), &work);
            for sentence in &sentences {
                matcher.scan(&words, sentence, &mut hits, pending);
            }
        }
        if lexicons.len() > 1 {
            hits = by_first_word(hits, words.len());
        }
        merge(&mut hits, &computed_hits(&words, text));
        let mut starts = starts_of(&hits, words.len());
        let terms = TermHits { hits: &hits, starts: &starts };
        let found = composites(lexicons.iter().zip(&ids).zip(&pending), &sentences, terms, &work);
        if !found.is_empty() {
            merge(&mut hits, &by_first_word(found, words.len()));
            for same in hits.chunk_by_mut(|one, other| one.first == other.first) {
                same.sort_unstable_by_key(|hit| (hit.set, hit.last));
            }
            hits.dedup();
            starts = starts_of(&hits, words.len());
        }
        let width = vocabulary.len().div_ceil(64).max(1);
        let groups = group_sets(&ranges, &hits, width);
        let folded =
            groups.chunks_exact(width).map(|row| row.iter().fold(0, |all, bits| all | bits)).collect();
        if vocabulary.is_extended() {
            hits.iter_mut().for_each(|hit| hit.set = vocabulary.known_set(hit.set));
        }
        let last = hits.iter().map(|hit| usize::from(hit.set)).max();
        let mut sets = vec![0; last.map_or(0, |last| last / 64 + 1)];
        for set in hits.iter().map(|hit| usize::from(hit.set)) {
            sets[set / 64] |= 1 << (set % 64);
        }
        let (roles, is_complete, addresses) = (WordRoles::of(&words), !work.is_spent(), OnceCell::new());
        let sentences = ranges;
        Self {
            words,
            roles,
            hits,
            starts,
            sets,
            sentences,
            groups,
            width,
            folded,
            languages,
            is_complete,
            addresses,
        }
    }

    /// Whether the text contains one of the phrases.
    pub(crate) fn has(&self, phrases: &Phrases) -> bool {
        let has = |set: usize| self.sets.get(set / 64).is_some_and(|bits| bits >> (set % 64) & 1 == 1);
        phrases.sets.iter().any(|set| has(usize::from(set)))
    }

    /// Whether all phrases and terms were searched for; there are limits on their number.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The language that the text is written in; `Any` if it cannot be told.
    pub(crate) fn language(&self) -> Language {
        self.languages.last().map_or(Language::Any, |languages| languages.sole())
    }

    /// The languages that the sentence of a word may be in.
    pub(crate) fn languages_at(&self, word: usize) -> Languages {
        self.languages.get(self.sentence_of(word)).copied().unwrap_or_default()
    }

    /// Whether a word negates what follows.
    pub(crate) fn negates(&self, word: usize) -> bool {
        self.roles.negates(word, self.languages_at(word))
    }

    /// Whether a phrase is negated in its clause.
    pub(crate) fn is_negated(&self, hit: &Hit) -> bool {
        let languages = self.languages_at(hit.first);
        polarity::is_negated((&self.words, &self.roles), hit, |at| self.roles.negates(at, languages))
    }

    /// Whether a word of the text that was scanned begins with a capital letter.
    pub(crate) fn is_capital(&self, text: &str, word: usize) -> bool {
        text.get(self.words.range(word, word))
            .and_then(|it| it.chars().next())
            .is_some_and(char::is_uppercase)
    }

    /// Whether a sentence asks, outside of a long quotation.
    pub(crate) fn is_question(&self, sentence: usize) -> bool {
        let Some(range) = self.sentences.get(sentence) else { return false };
        self.words.ends_in_question(range.end) && !self.has_at(sentence, [computed::QUOTATION])
    }

    /// The sentences, as ranges of words.
    pub(crate) fn sentences(&self) -> &[Range<usize>] {
        &self.sentences
    }

    /// Whether a sentence has a term of one of the groups.
    pub(crate) fn sentence_has(&self, sentence: usize, groups: &NumberSet) -> bool {
        self.row_has(sentence, groups)
    }

    /// Whether the text has a term of one of the groups.
    pub(crate) fn has_group(&self, groups: &NumberSet) -> bool {
        self.row_has(self.sentences.len(), groups)
    }

    /// The bit set of the groups in a sentence; behind the last sentence, in the text.
    fn row(&self, row: usize) -> &[u64] {
        &self.groups[row * self.width..(row + 1) * self.width]
    }

    fn row_has(&self, row: usize, groups: &NumberSet) -> bool {
        // Modulo 64, both sets have no bit in common in most cases.
        self.folded[row] & groups.bits() != 0 && self.has_at(row, groups.iter())
    }

    fn has_at(&self, row: usize, groups: impl IntoIterator<Item = GroupId>) -> bool {
        let bits = self.row(row);
        let has = |group: GroupId| {
            let group = usize::from(group);
            bits.get(group / 64).is_some_and(|bits| bits >> (group % 64) & 1 == 1)
        };
        groups.into_iter().any(has)
    }

    /// The hits whose first word is in a range of words.
    pub(crate) fn hits_in(&self, words: &Range<usize>) -> &[Hit] {
        TermHits { hits: &self.hits, starts: &self.starts }.within(words.clone())
    }

    /// Whether the text contains a web address.
    pub(crate) fn names_url(&self) -> bool {
        self.has_at(self.sentences.len(), [computed::URL])
    }

    /// The index of the sentence that contains a word.
    pub(crate) fn sentence_of(&self, word: usize) -> usize {
        self.sentences.partition_point(|sentence| sentence.end <= word)
    }

    /// The web addresses in the text that was scanned, with their byte ranges; they are searched for on first use.
    pub(crate) fn addresses(&self, text: &str) -> &[(Range<usize>, Address)] {
        self.addresses.get_or_init(|| url::in_text(text))
    }
}

/// What a token is: an address, a number, an amount, a box, a word in capitals, a long quotation.
fn computed_hits(words: &Words, text: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    let hit = |group, first, last| Hit { set: group, group: Some(group), first, last, negative: false };
    let mut add = |group: GroupId, first: usize, last: usize| hits.push(hit(group, first, last));
    let is_shouted = !text.bytes().any(|byte| byte.is_ascii_lowercase());
    for at in 0..words.len() {
        let Some(word) = words.get(at) else { break };
        let folded = words.word(at);
        match folded {
            URL => add(computed::URL, at, at),
            BOX => add(computed::BOX, at, at),
            TICKED_BOX => add(computed::TICKED_BOX, at, at),
            _ if word.is_amount => add(computed::AMOUNT, at, at),
            _ if folded.as_bytes().first().is_some_and(u8::is_ascii_digit) => add(computed::NUMBER, at, at),
            _ => {
                let written = text.get(word.start as usize..word.end as usize).unwrap_or_default();
                if !is_shouted && are_capitals(written) {
                    add(computed::CAPITALS, at, at);
                }
            }
        }
    }
    let long = words.quotations().into_iter().filter(|it| it.len() >= LONG_QUOTATION);
    let quotations: Vec<Hit> = long.map(|it| hit(computed::QUOTATION, it.start, it.end - 1)).collect();
    merge(&mut hits, &quotations);
    hits
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

/// Whether a word has two letters or more, none of them small.
fn are_capitals(word: &str) -> bool {
    // Most words begin with a small letter.
    !word.starts_with(|it: char| it.is_ascii_lowercase())
        && !word.chars().any(char::is_lowercase)
        && word.chars().filter(|it| it.is_uppercase()).count() >= 2
}

/// Sorts hits by their first words: those of the same word stay in their order.
fn by_first_word(hits: Vec<Hit>, words: usize) -> Vec<Hit> {
    let mut starts = vec![0_usize; words + 1];
    for hit in &hits {
        starts[hit.first + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut sorted = hits.clone();
    for hit in hits {
        sorted[starts[hit.first]] = hit;
        starts[hit.first] += 1;
    }
    sorted
}

/// The sentences, as ranges of words.
fn sentences(words: &Words) -> Vec<Range<usize>> {
    let begins = |at: &usize| words.get(*at).is_some_and(|word| word.before == Break::Sentence);
    let mut starts: Vec<usize> = (0..words.len()).filter(begins).collect();
    if words.len() > 0 && starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([words.len()]).collect::<Vec<_>>();
    starts.into_iter().zip(ends).map(|(start, end)| start..end).collect()
}

/// For each sentence, and then for the whole text, the set of groups that have a term there.
fn group_sets(sentences: &[Range<usize>], hits: &[Hit], width: usize) -> Vec<u64> {
    let mut sets = vec![0; (sentences.len() + 1) * width];
    let mut sentence = 0;
    for hit in hits {
        let Some(group) = hit.group.map(usize::from) else { continue };
        while sentences.get(sentence).is_some_and(|it| it.end <= hit.first) {
            sentence += 1;
        }
        for row in [sentence.min(sentences.len()), sentences.len()] {
            sets[row * width + group / 64] |= 1 << (group % 64);
        }
    }
    sets
}

/// The languages of each sentence, and at the end those of the text.
fn languages(words: &Words, sentences: &[Range<usize>], vocabulary: &Vocabulary<'_>) -> Vec<Languages> {
    let all = [Language::English, Language::French, Language::Spanish];
    let mut counts = vec![[0_usize; 4]; sentences.len() + 1];
    for (at, sentence) in sentences.iter().enumerate() {
        for word in sentence.clone() {
            let Some(frequent) = vocabulary.frequent_in(words.hash(word)) else { continue };
            for language in all.into_iter().filter(|it| frequent.may_be(*it)) {
                counts[at][language as usize] += 1;
                counts[sentences.len()][language as usize] += 1;
            }
        }
    }
    let told = |counts: &[usize; 4]| {
        let most = all.into_iter().map(|it| counts[it as usize]).max().unwrap_or(0);
        let best = all.into_iter().filter(|it| most >= TELLING && counts[*it as usize] == most);
        best.fold(Languages::default(), Languages::or)
    };
    let of_text = told(&counts[sentences.len()]);
    let of_sentence = |counts: &[usize; 4]| {
        let told = told(counts);
        // Of a short sentence that does not tell, every language with a telling word may be right.
        let hinted = || all.into_iter().filter(|it| counts[*it as usize] > 0).fold(of_text, Languages::or);
        if told.are_known() || !of_text.are_known() { told } else { hinted() }
    };
    counts[..sentences.len()].iter().map(of_sentence).chain([of_text]).collect()
}

/// The phrases that name groups: those that are pending in each lexicon, and those that begin with a term.
fn composites<'l>(
    lexicons: impl Iterator<Item = ((&'l Lexicon<'l>, &'l WordIds<'l>), &'l Vec<PendingPhrase>)>,
    sentences: &[Sentence],
    terms: TermHits<'_>,
    work: &PhraseWork,
) -> Vec<Hit> {
    let mut found = Vec::new();
    for ((lexicon, ids), pending) in lexicons {
        let mut matcher = Matcher::of(lexicon, ids, terms, work);
        let mut pending = pending.iter().peekable();
        for sentence in sentences {
            matcher.enter(&sentence.words);
            while let Some(candidate) = pending.next_if(|it| it.first < sentence.words.end) {
                found.extend(matcher.matched(*candidate));
            }
            for hit in terms.within(sentence.words.clone()) {
                matcher.begin_with(hit, sentence, &mut found);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::phrases::{Interned, Interner};
    use crate::text::vocabulary::VocabularyFile;

    /// A small vocabulary of three languages.
    const GROUPS: &str = "
consent: { means: agreeing, en: [agree*, opt in], fr: [accord], es: [de acuerdo] }
sms: { means: texts, en: [text|texts, sms], es: [texto*] }
sol: { means: only Spanish, es: [sol] }
asks-for-texts: { means: both, any: ['<consent> to <sms>', 'by *ing'] }
english-words: { means: en, any: [the, to, we] }
spanish-words: { means: es, any: [el, los, de, con] }
";

    fn read(text: &str) -> (Scan, Interned) {
        let mut interner = Interner::new([]);
        let groups: VocabularyFile = serde_yaml::from_str(GROUPS).expect("it is a vocabulary");
        interner.add_vocabulary(&[("test".to_owned(), groups)]).expect("it is correct");
        let interned = interner.finish();
        (Scan::of(text, std::slice::from_ref(&interned.lexicon), &interned.vocabulary), interned)
    }

    /// The terms with the names of their groups, without the words that tell a language.
    fn terms(text: &str) -> Vec<String> {
        let (scan, interned) = read(text);
        let shown = |hit: &Hit| {
            let name = interned.vocabulary.name(hit.group?);
            let range = scan.words.range(hit.first, hit.last);
            (!name.ends_with("-words")).then(|| format!("{name}: {}", &text[range]))
        };
        scan.hits.iter().filter_map(shown).collect()
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
        assert_eq!(read("The text to we").0.language(), Language::English);
        assert_eq!(read("").0.language(), Language::Any);
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
