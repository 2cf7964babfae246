//! Splits a text into folded words: lower case, no accents, look-alike letters as Latin, apostrophes dropped. French
//! articles before an apostrophe, web addresses and the boxes of forms are words of their own.

use unicode_normalization::UnicodeNormalization;

use crate::tables::look_alikes::LATIN;
use crate::tables::web::BARE_ENDINGS;
use crate::text::words::invisible::is_invisible;
use crate::text::words::language::{contraction, is_elided};
use crate::text::words::word::{Break, QuoteMark, Word, Words, narrow};

/// The word that replaces a web address in a text. Only the phrase `<url>` matches it.
pub const URL: &str = "<url>";

/// The word that replaces an empty box, such as `[ ]`.
pub const BOX: &str = "<box-glyph>";

/// The word that replaces a ticked box, such as `[x]`.
pub const TICKED_BOX: &str = "<ticked-box-glyph>";

impl Words {
    pub fn of(text: &str) -> Self {
        let mut words = Self::for_text(text);
        let (pending, open) = (Break::Sentence, None);
        let mut folder = Folder { text, barren: 0, words: &mut words, pending, open, is_amount: false };
        folder.run();
        words
    }
}

/// After a run of non-whitespace longer than this that is not an address, no address is searched for in the run.
const LONG_RUN: usize = 512;

struct Folder<'t, 'w> {
    text: &'t str,
    /// No address starts before this offset.
    barren: usize,
    words: &'w mut Words,
    pending: Break,
    open: Option<(usize, usize)>,
    is_amount: bool,
}

/// ASCII letters and digits in lower case; 0 for other bytes.
static FOLDED: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte: u8 = 0;
    while byte < 128 {
        if byte.is_ascii_alphanumeric() {
            table[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    table
};

impl Folder<'_, '_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if self.open.is_none() && bytes[at].is_ascii_alphanumeric() {
                at = self.begin(at);
                continue;
            }
            at = match bytes[at] {
                b' ' => {
                    self.close(at);
                    at + 1
                }
                byte if byte.is_ascii() => self.ascii(at),
                _ => self.unicode(at),
            };
        }
        self.close(bytes.len());
    }

    /// Reads an address, or the letters and digits with which a word begins.
    fn begin(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let (mut end, mut changed) = (at, 0);
        while let Some(byte) = bytes.get(end) {
            let folded = FOLDED[usize::from(*byte)];
            if folded == 0 {
                break;
            }
            changed |= folded ^ byte;
            end += 1;
        }
        let from = self.words.folded.len();
        self.open = Some((at, from));
        let may_be_address = match bytes.get(end) {
            // Nothing of an address is after the full stop of a sentence.
            Some(b'.') => bytes.get(end + 1).is_some_and(|it| !it.is_ascii_whitespace()),
            Some(b':') => bytes[end..].starts_with(b"://"),
            _ => false,
        };
        if let Some(end) = may_be_address.then(|| self.address(at)).flatten() {
            self.words.folded.push_str(URL);
            self.close(end);
            return end;
        }
        self.words.folded.push_str(&self.text[at..end]);
        if changed != 0 {
            self.words.folded[from..].make_ascii_lowercase();
        }
        end
    }

    fn ascii(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let byte = bytes[at];
        let next = bytes.get(at + 1).copied().unwrap_or(b' ');
        let joins = next.is_ascii_alphanumeric() || !next.is_ascii();
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'A'..=b'Z' => {
                self.open.get_or_insert((at, self.words.folded.len()));
                self.words.folded.push(char::from(byte.to_ascii_lowercase()));
            }
            b'\'' | b'`' if self.open.is_some() && joins => self.apostrophe(at),
            b'&' => {
                self.close(at);
                self.open = Some((at, self.words.folded.len()));
                self.words.folded.push_str("and");
                self.close(at + 1);
            }
            b'.' | b',' if joins && self.open.is_some() => self.close(at),
            // A full stop after a single letter marks an abbreviation: P.O. Box, J. Smith.
            b'.' if self.open.is_some_and(|(start, _)| start + 1 == at) => self.close(at),
            b'.' | b'!' | b'?' | b';' | b'\n' | b'\r' => {
                self.separate(at, Break::Sentence);
                if byte == b'?' {
                    self.words.questions.push(self.words.words.len());
                }
            }
            b'(' if self.box_at(at).is_none() => self.separate(at, Break::Opening),
            b')' => self.separate(at, Break::Closing),
            b'"' => self.quote(at, QuoteMark::Either),
            b'[' | b'(' if self.box_at(at).is_some() => return self.push_box(at),
            // "50 %", "10 $", as French writes it.
            b'%' | b'$' if self.is_after_number(at) => self.mark_amount(),
            b'$' if self.open.is_none() => self.is_amount = true,
            b'%' | b'$' if self.open.is_some() => {
                self.is_amount = bytes[at - 1].is_ascii_digit();
                self.close(at);
            }
            b',' | b'[' | b']' | b'{' | b'}' | b'*' | b'<' | b'>' | b'|' => {
                self.separate(at, Break::Clause);
            }
            b':' if !joins => self.separate(at, Break::Clause),
            b'-' if self.open.is_none() && next == b' ' => self.separate(at, Break::Clause),
            _ => self.close(at),
        }
        at + 1
    }

    fn unicode(&mut self, at: usize) -> usize {
        let character = self.text[at..].chars().next().unwrap_or(' ');
        let end = at + character.len_utf8();
        match character {
            _ if is_invisible(character) => {}
            '\u{2018}' | '\u{2019}' | '\u{2bc}' | '\u{2032}' if self.open.is_some() => self.apostrophe(at),
            '\u{2010}' | '\u{2011}' => self.close(at),
            _ if character.is_alphanumeric() => {
                self.open.get_or_insert((at, self.words.folded.len()));
                fold_letter(character, &mut self.words.folded);
            }
            _ if is_mark(character) => {}
            _ if character.is_whitespace() => self.close(at),
            '\u{201c}' | '\u{ab}' => self.quote(at, QuoteMark::Opens),
            '\u{201d}' | '\u{bb}' => self.quote(at, QuoteMark::Closes),
            '☐' | '□' | '▢' | '◻' | '☑' | '☒' | '✓' | '✔' | '✅' => {
                return self.push_box(at);
            }
            '€' | '£' if self.is_after_number(at) => self.mark_amount(),
            '€' | '£' if self.open.is_some() => {
                self.is_amount = true;
                self.close(at);
            }
            _ => self.separate(at, Break::Clause),
        }
        end
    }

    /// Whether a sign belongs to the number before it, from which one space separates it: "10 $", not "5 $10".
    fn is_after_number(&self, at: usize) -> bool {
        let Some(word) = self.words.words.last().filter(|_| self.open.is_none()) else { return false };
        let end = word.end as usize;
        let ends_in_digit = self.text.as_bytes()[..end].last().is_some_and(u8::is_ascii_digit);
        let begins_amount = self.text[at..].chars().nth(1).is_some_and(|next| next.is_ascii_digit());
        ends_in_digit && !begins_amount && matches!(&self.text[end..at], " " | "\u{a0}" | "\u{202f}")
    }

    /// Makes an amount of the last word.
    fn mark_amount(&mut self) {
        self.words.words.last_mut().into_iter().for_each(|word| word.is_amount = true);
    }

    fn separate(&mut self, at: usize, strength: Break) {
        self.close(at);
        self.pending = self.pending.max(strength);
    }

    /// Ends a word that French writes together with the next one; other words leave out the apostrophe.
    fn apostrophe(&mut self, at: usize) {
        let is_elided = |&(_, from): &(usize, usize)| is_elided(&self.words.folded[from..]);
        if self.open.as_ref().is_some_and(is_elided) {
            self.close(at);
        }
    }

    fn quote(&mut self, at: usize, mark: QuoteMark) {
        let announced = mark != QuoteMark::Closes && self.text[..at].trim_end().ends_with(':');
        self.separate(at, if announced { Break::Quotation } else { Break::Clause });
        self.words.marks.push((self.words.words.len(), mark));
    }

    /// The end of the box that begins at a place, and whether it is ticked.
    fn box_at(&self, at: usize) -> Option<(usize, bool)> {
        let rest = &self.text[at..];
        let first = rest.chars().next()?;
        let ticked = match first {
            '☐' | '□' | '▢' | '◻' => false,
            '☑' | '☒' | '✓' | '✔' | '✅' => true,
            _ => {
                let boxes = [
                    ("[ ]", false),
                    ("[]", false),
                    ("[x]", true),
                    ("[X]", true),
                    ("( )", false),
                    ("()", false),
                ];
                let (glyph, ticked) = boxes.into_iter().find(|(glyph, _)| rest.starts_with(glyph))?;
                return Some((at + glyph.len(), ticked));
            }
        };
        Some((at + first.len_utf8(), ticked))
    }

    /// Adds a box as a word and returns its end.
    fn push_box(&mut self, at: usize) -> usize {
        let (end, ticked) = self.box_at(at).unwrap_or((at + 1, false));
        self.separate(at, Break::Clause);
        self.open = Some((at, self.words.folded.len()));
        self.words.folded.push_str(if ticked { TICKED_BOX } else { BOX });
        self.close(end);
        self.pending = Break::Clause;
        end
    }

    /// Ends the current word, if there is one.
    fn close(&mut self, end: usize) {
        let Some((start, from)) = self.open.take() else { return };
        let word = &self.words.folded.as_bytes()[from..];
        if word == b"cannot" {
            self.words.folded.replace_range(from.., "cant");
        } else if word == b"not" && self.pending == Break::None && self.contract(end) {
            return;
        }
        let to = self.words.folded.len();
        self.words.words.push(Word {
            start: narrow(start),
            end: narrow(end),
            from: narrow(from),
            to: narrow(to),
            before: self.pending,
            is_amount: self.is_amount,
        });
        self.pending = Break::None;
        self.is_amount = false;
    }

    /// Makes one word of a verb and the "not" after it: "do not" is read as "don't".
    fn contract(&mut self, end: usize) -> bool {
        let Some(verb) = self.words.words.last_mut() else { return false };
        let folded = &self.words.folded[verb.from as usize..verb.to as usize];
        let Some(contracted) = contraction(folded) else { return false };
        self.words.folded.truncate(verb.from as usize);
        self.words.folded.push_str(contracted);
        verb.to = narrow(self.words.folded.len());
        verb.end = narrow(end);
        true
    }

    /// The end of the web address that starts at `at`, if there is one.
    fn address(&mut self, at: usize) -> Option<usize> {
        if at < self.barren {
            return None;
        }
        let rest = &self.text[at..];
        let ends = |character: char| {
            matches!(character, '"' | '<' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | ',' | ';')
                || character.is_whitespace()
        };
        // Few addresses have letters beyond ASCII.
        let plain =
            rest.bytes().position(|byte| !byte.is_ascii() || ends(char::from(byte))).unwrap_or(rest.len());
        let end = rest[plain..].find(ends).map_or(rest.len(), |end| plain + end);
        let chunk = rest[..end].trim_end_matches(['.', '!', '?', ':', '\'']);
        let whole = chunk.contains("://") || chunk.starts_with("www.") || {
            let host = chunk.split(['/', '?', '#']).next().unwrap_or_default();
            let ending = host.rsplit('.').next().unwrap_or_default();
            // "oakandpine.bike/join", and neither "sent.Reply/STOP" nor "a.m./p.m."
            let has_path = || chunk[host.len()..].starts_with('/') && host.split('.').all(is_label);
            host.contains('.') && !host.contains('@') && (BARE_ENDINGS.contains(&ending) || has_path())
        };
        if !whole && chunk.len() > LONG_RUN {
            self.barren = at + chunk.len();
        }
        whole.then_some(at + chunk.len())
    }
}

/// Whether a part of a host is written as in a bare address: in small letters, and with more than one.
fn is_label(part: &str) -> bool {
    let is_small = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    part.len() > 1 && part.bytes().all(is_small)
}

/// Appends a folded character: lower case, without accents, look-alikes as Latin letters.
pub fn fold_letter(character: char, folded: &mut String) {
    for part in character.nfkd().filter(|&part| !is_mark(part)) {
        for lower in part.to_lowercase() {
            match look_alike(lower) {
                Some(latin) => folded.push_str(latin),
                None => folded.push(lower),
            }
        }
    }
}

/// Whether a character is a combining mark from the decomposition of Latin, Greek and Cyrillic letters.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}')
}

/// The Latin letters for a ligature, or for a similar letter of another alphabet.
fn look_alike(letter: char) -> Option<&'static str> {
    if letter.is_ascii() {
        return None;
    }
    let at = LATIN.binary_search_by_key(&letter, |&(known, _)| known).ok()?;
    Some(LATIN[at].1)
}

#[cfg(test)]
mod tests {
    use crate::text::words::word::{Break, Words};

    fn folded(text: &str) -> Vec<String> {
        let words = Words::of(text);
        (0..words.len()).map(|index| words.word(index).to_owned()).collect()
    }

    #[test]
    fn words_are_folded() {
        assert_eq!(folded("Don’t opt-out, O'Neil & Café"), ["dont", "opt", "out", "oneil", "and", "cafe"]);
        assert_eq!(folded("1,000 msgs/mo. ＳＴＯＰ"), ["1", "000", "msgs", "mo", "stop"]);
        assert_eq!(
            folded("Саsinо s\u{200b}top"),
            ["casino", "stop"],
            "Cyrillic look-alikes and zero-width characters"
        );
        for hidden in
            "\u{ad}\u{34f}\u{61c}\u{115f}\u{180e}\u{2060}\u{2066}\u{3164}\u{feff}\u{fe0f}\u{e0041}".chars()
        {
            assert_eq!(folded(&format!("cas{hidden}ino")), ["casino"], "{hidden:?}");
        }
    }

    #[test]
    fn addresses_are_one_word() {
        assert_eq!(
            folded("see https://acme.com/stop?x=1. Or acme.com/stop!"),
            ["see", "<url>", "or", "<url>"]
        );
        assert_eq!(folded("sent.Reply STOP"), ["sent", "reply", "stop"]);
        assert_eq!(folded("at oakandpine.bike/join there"), ["at", "<url>", "there"]);
        for text in ["sent.Reply/STOP", "open 9 a.m./p.m.", "with e.g./i.e. signs"] {
            assert!(!folded(text).contains(&"<url>".to_owned()), "{text}");
        }
    }

    #[test]
    fn breaks_are_kept() {
        let words = Words::of("One, two. \"Three\" four-five");
        let breaks: Vec<Break> =
            (0..words.len()).map(|index| words.get(index).expect("in range").before).collect();
        use Break::{Clause, None, Sentence};
        assert_eq!(breaks, [Sentence, Clause, Sentence, Clause, None]);
    }
}
