//! Passages of a text: parts that have the same words in many texts, so that these can be kept.

use std::ops::Range;

use smallvec::SmallVec;

use super::own_name::OwnName;
use super::places::{HashPlaces, Placed, hash_with};
use super::split_text::SplitText;
use super::text_rules::TextRules;
use super::words::Break;

/// The sizes of passages that are kept: of shorter ones, reading costs little, and longer ones seldom occur twice.
const SIZES: Range<usize> = 16..512;

/// A passage that was read by itself.
#[derive(Debug)]
pub(super) struct KnownPassage {
    text: Box<str>,
    hash: u64,
    split: SplitText,
    /// What separates the next word from its last one.
    pending: Break,
}

impl Placed for KnownPassage {
    fn hash(&self) -> u64 {
        self.hash
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.text.len() + self.split.size()
    }
}

impl KnownPassage {
    /// Reads a passage; `None` if what is behind it cannot be read on its own.
    fn read(text: &str, hash: u64, rules: TextRules<'_>) -> Option<Self> {
        let mut split = SplitText::default();
        split.make_ready(text);
        let pending = split.read(text, 0..text.len(), Break::None, rules)?;
        split.shrink();
        Some(Self { text: text.into(), hash, split, pending })
    }
}

/// Whether a text has enough bytes for a passage that can be kept.
pub(super) fn may_have_passage(text: &str) -> bool {
    text.len() >= SIZES.start
}

/// Splits a text in which the business may have some names into words, with the passages that were read before. `None` if
/// some part of it cannot be read on its own.
pub(super) fn split_passages(
    text: &str,
    rules: TextRules<'_>,
    names: &[OwnName<'_>],
    known: &mut HashPlaces<KnownPassage>,
    split: &mut SplitText,
) -> Option<()> {
    let mut pending = Break::Sentence;
    // What is to be read, of which nothing is known.
    let mut unread = 0..0;
    for PassagePart { bytes, is_fixed } in parts(text, names) {
        let hash = if is_fixed { repeated(&text[bytes.clone()], rules, known) } else { None };
        let Some(passage) = hash.and_then(|hash| known.get(hash)) else {
            unread = if unread.is_empty() { bytes } else { unread.start..bytes.end };
            continue;
        };
        if !unread.is_empty() {
            pending = split.read(text, std::mem::take(&mut unread), pending, rules)?;
        }
        split.append(&passage.split, bytes.start, pending);
        // Without a word, it only adds to what separates those around it.
        pending = if passage.split.words.len() == 0 { pending.max(passage.pending) } else { passage.pending };
    }
    if !unread.is_empty() {
        split.read(text, unread, pending, rules)?;
    }
    Some(())
}

/// The hash of a passage that is known, or is to be known from now on.
fn repeated(text: &str, rules: TextRules<'_>, known: &mut HashPlaces<KnownPassage>) -> Option<u64> {
    if !SIZES.contains(&text.len()) {
        return None;
    }
    let hash = hash_of_passage(text.as_bytes());
    if known.get(hash).is_some_and(|it| *it.text == *text) {
        return Some(hash);
    }
    if !known.is_repeated(hash) {
        return None;
    }
    known.insert(KnownPassage::read(text, hash, rules)?);
    known.get(hash).is_some_and(|it| *it.text == *text).then_some(hash)
}

/// A part of a text that begins and ends between words.
#[derive(Debug, PartialEq, Eq)]
struct PassagePart {
    bytes: Range<usize>,
    /// Whether it can be a passage: nothing in it differs from business to business.
    is_fixed: bool,
}

/// Splits a text at the ends of sentences, and around words with digits, addresses and names of the business.
fn parts(text: &str, names: &[OwnName<'_>]) -> SmallVec<[PassagePart; 16]> {
    let mut places: SmallVec<[Range<usize>; 8]> = SmallVec::new();
    let bytes = text.as_bytes();
    // In a passage, there is no room for a longer name.
    let names = names.iter().map(|it| it.declared().as_bytes()).filter(|it| it.len() < SIZES.end);
    for name in names {
        let Some(first) = name.first() else { continue };
        // It is a capital letter, of which a text has few.
        let starts = memchr::memchr_iter(*first, bytes).filter(|at| bytes[*at..].starts_with(name));
        places.extend(starts.map(|start| start..start + name.len()));
    }
    places.sort_by_key(|place| place.start);
    let mut parts = PassageParts { text, start: 0, is_apart: true, found: SmallVec::new() };
    let mut places = places.into_iter().peekable();
    let mut at = parts.skip_blanks();
    loop {
        while places.next_if(|place| place.start < at).is_some() {}
        let end = places.peek().map_or(text.len(), |place| place.start);
        at = match first_mark(&text.as_bytes()[at..end]) {
            Some(offset) => parts.mark(at + offset),
            None => match places.next() {
                Some(place) => parts.differ(place),
                None => break,
            },
        };
    }
    parts.fix(text.len());
    parts.found
}

/// The first byte that may end a sentence, or make a word differ from text to text.
fn first_mark(bytes: &[u8]) -> Option<usize> {
    // Without branches, many bytes are compared at once.
    let is_mark = |byte: u8| {
        (byte == b'.') | (byte == b'!') | (byte.wrapping_sub(b'?') < 2) | (byte.wrapping_sub(b'0') < 10)
    };
    let has_mark = |block: &[u8; 16]| block.iter().fold(false, |has, byte| has | is_mark(*byte));
    let plain = bytes.as_chunks().0.iter().take_while(|block| !has_mark(block)).count() * 16;
    bytes[plain..].iter().position(|byte| is_mark(*byte)).map(|at| plain + at)
}

/// The parts of a text that were found so far.
struct PassageParts<'t> {
    text: &'t str,
    /// Where the next part begins.
    start: usize,
    /// Whether it begins with a sentence.
    is_apart: bool,
    found: SmallVec<[PassagePart; 16]>,
}

impl PassageParts<'_> {
    /// Goes on behind whitespace.
    fn skip_blanks(&mut self) -> usize {
        let rest = &self.text.as_bytes()[self.start..];
        self.start += rest.iter().take_while(|it| it.is_ascii_whitespace()).count();
        self.start
    }

    /// Ends a part before a place if a sentence ends there or a word differs that has a mark; returns where to go on.
    fn mark(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        if matches!(bytes[at], b'.' | b'!' | b'?') {
            if let Some(end) = end_at(bytes, at) {
                self.fix(end);
                self.is_apart = true;
                return self.skip_blanks();
            }
            if !bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric) {
                return at + 1;
            }
        }
        self.differ(at..at + 1)
    }

    /// Adds what is before a place.
    fn fix(&mut self, end: usize) {
        if self.start < end {
            let is_fixed = self.is_apart || begins_plainly(&self.text.as_bytes()[self.start..end]);
            self.found.push(PassagePart { bytes: self.start..end, is_fixed });
            self.start = end;
        }
    }

    /// Adds what is before a place, and the words that it shares as a part that differs, with the whitespace behind them.
    fn differ(&mut self, place: Range<usize>) -> usize {
        let bytes = self.text.as_bytes();
        let space = bytes[self.start..place.start].iter().rposition(|it| *it == b' ');
        let begin = space.map_or(self.start, |space| self.start + space + 1);
        // An empty box is one word.
        let splits_box = begin > self.start + 1 && matches!(bytes[begin - 2], b'(' | b'[');
        let begin = if splits_box { self.start } else { begin };
        self.fix(begin);
        let length = bytes[place.end..].iter().position(u8::is_ascii_whitespace);
        self.start = length.map_or(bytes.len(), |length| place.end + length);
        let end = self.skip_blanks();
        self.found.push(PassagePart { bytes: begin..end, is_fixed: false });
        self.is_apart = false;
        end
    }
}

/// Whether what is before a part of a text changes nothing in it: it begins with a word other than "not".
fn begins_plainly(part: &[u8]) -> bool {
    let is_not = part.get(..3).is_some_and(|it| it.eq_ignore_ascii_case(b"not"))
        && !part.get(3).is_some_and(u8::is_ascii_alphanumeric);
    part.first().is_some_and(u8::is_ascii_alphanumeric) && !is_not
}

/// The end of the passage that the punctuation at a place ends, if it certainly ends a sentence. Marks that may belong to
/// an address, a number or an abbreviation do not.
fn end_at(bytes: &[u8], at: usize) -> Option<usize> {
    let before = |count: usize| at.checked_sub(count).map(|at| bytes[at]);
    let is_sentence = bytes[at] != b'.'
        || matches!(before(1), Some(b')' | b'"'))
        || [1, 2].into_iter().all(|count| before(count).is_some_and(|it| it.is_ascii_alphanumeric()));
    let end = at + 1 + usize::from(bytes.get(at + 1) == Some(&b'"'));
    let is_last = bytes.get(end).is_none_or(u8::is_ascii_whitespace);
    (is_sentence && is_last).then_some(end)
}

/// A hash of a passage, fast rather than safe: whoever finds a passage by it compares the text.
pub(super) fn hash_of_passage(text: &[u8]) -> u64 {
    let (words, rest) = text.as_chunks::<8>();
    let rest = rest.iter().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
    let hash = words.iter().fold(text.len() as u64, |hash, word| hash_with(hash, u64::from_le_bytes(*word)));
    hash_with(hash_with(hash, rest), 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::builtin;
    use crate::text::own_name::NameLength;
    use crate::text::words::Words;

    /// The parts of a text of a business with a name; those that differ are in brackets.
    fn of(name: &str, text: &str) -> Vec<String> {
        let words = Words::of(name);
        let length = NameLength::of(name, &words);
        let names: Vec<OwnName<'_>> =
            length.map(|length| OwnName::of(name, (&words, &[]), length)).into_iter().collect();
        let shown = |part: PassagePart| {
            let shown = &text[part.bytes];
            if part.is_fixed { shown.to_owned() } else { format!("[{shown}]") }
        };
        parts(text, &names).into_iter().map(shown).collect()
    }

    #[test]
    fn parts_end_with_sentences() {
        assert_eq!(of("", "Reply STOP. Or call?  Yes"), ["Reply STOP.", "Or call?", "Yes"]);
        assert_eq!(
            of("", "\"We text you.\" Rates apply (in June)."),
            ["\"We text you.\"", "Rates apply (in June)."]
        );
        assert_eq!(of("", " \n"), Vec::<&str>::new());
    }

    #[test]
    fn what_differs_is_a_part_of_its_own() {
        assert_eq!(
            of("", "See acme.com/a.b, or 1.5 texts. At 5 p.m. we sleep"),
            ["See ", "[acme.com/a.b, ]", "or ", "[1.5 ]", "texts.", "At ", "[5 ]", "[p.m. ]", "we sleep"]
        );
        assert_eq!(
            of("Acme Bank LLC", "Texts from \"Acme Bank LLC\" and Acme Bank."),
            ["Texts from ", "[\"Acme Bank ]", "LLC\" and ", "[Acme Bank.]"]
        );
        assert_eq!(
            of("", "Agree by 5 not 6. Tick ( )5 now"),
            ["Agree by ", "[5 ]", "[not ]", "[6. ]", "[Tick ( )5 ]", "now"]
        );
        assert_eq!(of("", "Say 5: \"I agree\". J. Smith"), ["Say ", "[5: ]", "[\"I agree\".]", "J. Smith"]);
    }

    #[test]
    fn passages_are_kept_the_second_time() {
        let builtin = builtin::load();
        let (lexicons, prefilter) = (std::slice::from_ref(&builtin.lexicon), builtin.prefilter.table());
        let rules = TextRules { lexicons, vocabulary: &builtin.vocabulary, prefilter };
        let mut known = HashPlaces::default();
        let mut kept = |text: &str| {
            let mut split = SplitText::default();
            split_passages(text, rules, &[], &mut known, &mut split).expect("its parts are apart");
            known.size()
        };
        let texts = ["Send STOP to 55555 to end all messages.", "Send STOP to 66666 to end all messages."];
        let sizes = [kept(texts[0]), kept(texts[1]), kept(texts[0])];
        assert!(sizes[0] == 0 && sizes[1] > 0 && sizes[2] == sizes[1], "{sizes:?}");
    }

    #[test]
    fn the_hash_depends_on_every_byte() {
        let text = b"Message and data rates may apply.";
        let changed = (0..text.len()).map(|at| {
            let mut text = text.to_vec();
            text[at] ^= 1;
            hash_of_passage(&text)
        });
        let mut hashes: Vec<u64> =
            changed.chain([hash_of_passage(text), hash_of_passage(&text[1..])]).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), text.len() + 2);
    }
}
