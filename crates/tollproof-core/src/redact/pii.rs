//! Collects names, addresses and numbers of people, and finds them in other texts.

use std::collections::HashMap;
use std::ops::Range;

use tollproof_data::tables::redaction::{ADDRESS_WORDS, UNITS, WORDS_TOO};

use super::letters::{LetterWord, Letters};
use super::numbers::{DIGITS, Known, known, mails, numbers};

/// A single word up to this length is only a name if it is capitalized, because it may be an ordinary word.
const SHORT: usize = 3;

/// A name of at least this length is also found inside a word: `Obradovics`, `obradovicbakery`.
const LONG: usize = 5;

/// The fewest digits of a number that is searched for, the length of a ZIP code.
const CODE: usize = 5;

/// Known names, addresses and numbers of people.
#[derive(Clone, Debug, Default)]
pub(super) struct Persons {
    /// Phrases by their first word, in the form that [`short`] returns.
    phrases: HashMap<String, Vec<Vec<Name>>>,
    /// Names that are also found inside a word.
    long: Vec<String>,
    /// The digits of phone numbers and postal codes.
    digits: Known,
}

/// A folded word, and whether it is written in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    text: String,
    is_small: bool,
}

impl Persons {
    /// Adds a personal value: the whole value and, if it has few words, each word.
    pub(super) fn know(&mut self, value: &str) {
        self.know_spelling(value);
        // Without umlauts, names are spelled with two letters: `Mueller` for `Müller`.
        let spelled: String =
            value.chars().map(|c| umlaut(c).map_or_else(|| c.to_string(), str::to_owned)).collect();
        if spelled != value {
            self.know_spelling(&spelled);
        }
    }

    fn know_spelling(&mut self, value: &str) {
        let digits: Vec<char> = Letters::of(value).chars.into_iter().filter(char::is_ascii_digit).collect();
        // The last ten digits are the number without its country code.
        let digits = &digits[digits.len().saturating_sub(10)..];
        let is_number = names(value).iter().all(|name| name.text.bytes().all(|byte| byte.is_ascii_digit()));
        if digits.len() >= DIGITS || digits.len() >= CODE && is_number {
            self.digits.entry(digits.len()).or_default().insert(digits.to_vec());
        }
        if let Some((local, _)) = value.rsplit_once('@') {
            self.know_address(local);
            return;
        }
        let all = names(value);
        // `Harbor` of `41 Harbor Way` may also be a word of the business's name.
        let has_house_number = all.len() > 1 && all[0].text.starts_with(|first: char| first.is_ascii_digit());
        if all.len() <= 3 && !has_house_number {
            self.know_each(&all);
            self.add(together(&all));
        }
        for part in value.split([',', '\n']) {
            let part = names(part);
            let (number, street) = street(&part);
            self.add([number, street.clone()].concat());
            let name = street.iter().rposition(|it| !is_of_address(&it.text)).map_or(0, |last| last + 1);
            if name > 1 {
                // Adds `Wintergreen Hollow` of `Wintergreen Hollow Rd`.
                self.add(street[..name].to_vec());
            }
            self.add(street);
            if part.len() > 1 {
                self.add(part);
            }
        }
        self.add(all);
    }

    /// Adds the local part of an e-mail address, unless it is a word such as `orders`. Its domain belongs to a mail provider or to the business.
    fn know_address(&mut self, local: &str) {
        let local = names(local);
        if let [word] = &local[..]
            && word.is_long_word()
        {
            return;
        }
        self.know_each(&local);
        self.add(together(&local));
        self.add(local);
    }

    /// Adds each word as a name, except for words of street addresses and short house numbers.
    fn know_each(&mut self, all: &[Name]) {
        let is_alone = |name: &&Name| {
            let has_letters = name.text.chars().any(char::is_alphabetic);
            (has_letters || name.text.len() > SHORT) && !is_of_address(&name.text)
        };
        all.iter().filter(is_alone).for_each(|name| self.add(vec![name.clone()]));
    }

    fn add(&mut self, phrase: Vec<Name>) {
        let letters: usize = phrase.iter().map(|word| word.text.chars().count()).sum();
        let Some(first) = phrase.first().filter(|_| letters > 1) else { return };
        if let [word] = phrase.as_slice()
            && letters >= LONG
            && !word.is_long_word()
            && word.text.chars().all(char::is_alphabetic)
            && !self.long.contains(&word.text)
        {
            self.long.push(word.text.clone());
        }
        let known = self.phrases.entry(short(&first.text).to_owned()).or_default();
        if !known.contains(&phrase) {
            known.push(phrase);
        }
    }

    /// Finds people in a text, in any spelling. The ranges are sorted and do not overlap.
    pub(super) fn in_text(&self, text: &str) -> Vec<Range<usize>> {
        let letters = Letters::of(text);
        let words = letters.words();
        let mut found = mails(&letters);
        found.extend(numbers(text, &letters));
        found.extend(known(&letters, &self.digits));
        for (at, word) in words.iter().enumerate() {
            if self.long.iter().any(|name| word.text.contains(name.as_str())) {
                found.push(letters.place(word.range.clone()));
            }
            for phrase in self.phrases.get(short(&word.text)).into_iter().flatten() {
                let Some(here) = words.get(at..at + phrase.len()) else { continue };
                let fits = match (phrase.as_slice(), here) {
                    ([name], [word]) => name.text == word.text && name.is_meant(text, &letters, word),
                    _ => phrase.iter().zip(here).all(|(name, word)| short(&name.text) == short(&word.text)),
                };
                if fits {
                    found.push(letters.place(word.range.start..here[here.len() - 1].range.end));
                }
            }
        }
        joined(found)
    }
}

impl Name {
    /// Whether a matching word is this name, where it may be an ordinary word: a short one, and one of [`WORDS_TOO`].
    fn is_meant(&self, text: &str, letters: &Letters, word: &LetterWord) -> bool {
        let place = letters.place(word.range.clone());
        let written = &text[place.clone()];
        if self.is_long_word() {
            let before = text[..place.start]
                .trim_end_matches(|letter: char| !letter.is_alphanumeric() && !ends(letter));
            let is_inside = !before.is_empty() && !before.ends_with(ends);
            let is_title = |text: &str| text.chars().filter(|letter| letter.is_uppercase()).count() == 1;
            return is_inside && written.starts_with(char::is_uppercase) && is_title(written);
        }
        let length = self.text.chars().count();
        let may_differ = length > SHORT || length == SHORT && !self.is_word();
        may_differ || written.chars().any(char::is_uppercase) || self.is_small
    }

    fn is_word(&self) -> bool {
        WORDS_TOO.contains(&self.text.as_str())
    }

    /// Whether it is an ordinary word that no name is derived from: `office`, `mobile`.
    fn is_long_word(&self) -> bool {
        self.text.len() > SHORT && self.is_word()
    }
}

/// Whether a sentence or a line ends with it.
fn ends(mark: char) -> bool {
    matches!(mark, '.' | '!' | '?' | ':' | '\n')
}

fn names(value: &str) -> Vec<Name> {
    let letters = Letters::of(value);
    let is_small =
        |word: &LetterWord| !value[letters.place(word.range.clone())].chars().any(char::is_uppercase);
    letters.words().iter().map(|word| Name { text: word.text.clone(), is_small: is_small(word) }).collect()
}

/// Joins several words to one: `anavega`, `obrien`.
fn together(all: &[Name]) -> Vec<Name> {
    let text: String = all.iter().map(|it| it.text.as_str()).collect();
    if all.len() > 1 && text.chars().all(char::is_alphabetic) {
        vec![Name { text, is_small: true }]
    } else {
        Vec::new()
    }
}

/// The house number of an address, and its street without a unit such as `Suite 5`.
fn street(part: &[Name]) -> (Vec<Name>, Vec<Name>) {
    let is_number = |name: &&Name| name.text.starts_with(|c: char| c.is_ascii_digit());
    let start = part.iter().take_while(is_number).count();
    let (number, rest) = part.split_at(start);
    // The unit starts with its type, such as `Suite`, or is a number.
    let ends = |name: &Name| {
        UNITS.contains(&short(&name.text)) || name.text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    if end > 1 { (number.to_vec(), rest[..end].to_vec()) } else { Default::default() }
}

fn is_of_address(word: &str) -> bool {
    ADDRESS_WORDS.iter().any(|(long, short)| word == *long || word == *short)
}

/// The abbreviation of a word in addresses, such as `st` for `street`. Other words are returned unchanged.
fn short(word: &str) -> &str {
    ADDRESS_WORDS.iter().find(|(long, _)| word == *long).map_or(word, |(_, short)| short)
}

/// The usual spelling of a letter with an umlaut in ASCII.
fn umlaut(c: char) -> Option<&'static str> {
    Some(match c {
        'ä' | 'Ä' | 'æ' | 'Æ' => "ae",
        'ö' | 'Ö' | 'ø' | 'Ø' => "oe",
        'ü' | 'Ü' => "ue",
        'å' | 'Å' => "aa",
        _ => return None,
    })
}

/// Sorts ranges, removes empty ones, and merges those that overlap.
pub(super) fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'t>(values: &[&str], text: &'t str) -> Vec<&'t str> {
        let mut persons = Persons::default();
        values.iter().for_each(|value| persons.know(value));
        persons.in_text(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn persons_are_found_in_texts() {
        assert_eq!(found(&["Vega"], "ask Ms. VEGA; Vegan food, vega's."), ["VEGA", "vega"]);
        assert_eq!(found(&["Obradovic"], "obradovicbakery.com, Obradov"), ["obradovicbakery"]);
        assert_eq!(found(&["Li"], "Li likes li, LI"), ["Li", "LI"]);
        assert_eq!(found(&["Ana"], "ANA and ana, banana"), ["ANA", "ana"]);
        assert_eq!(found(&["May"], "MAY may text May"), ["MAY", "May"]);
        assert_eq!(found(&["New York"], "in new york"), ["new york"]);
        assert_eq!(found(&["Ana Vega"], "write to AnaVega or anavega"), ["AnaVega", "anavega"]);
        assert_eq!(
            found(&["ana.v@x.com"], "ana.v@x.com, ana v, .com and Ana"),
            ["ana.v@x.com", "ana v", "Ana"]
        );
        assert_eq!(found(&["shows@one.com"], "it shows one page of one.com"), ["shows"]);
    }

    #[test]
    fn words_beside_a_person_are_not_found() {
        let none = Vec::<&str>::new();
        let dana = &["Dana", "dana@acmebikes.com"];
        assert_eq!(found(dana, "reach Dana, acmebikes.com/privacy"), ["Dana"]);
        assert_eq!(found(dana, "Ask Dana. acmebikes.com/privacy has it"), ["Dana"]);
        assert_eq!(
            found(&["Office"], "the front office, officers. Office hours; ask Ana Office"),
            ["Office"]
        );
        assert_eq!(found(&["Reading"], "Reading the notice first. In Reading by reading"), ["Reading"]);
        assert_eq!(found(&["Mark", "Bill"], "Patients mark the box and get a bill. Ask Mark"), ["Mark"]);
        assert_eq!(found(&["Mobile"], "MOBILE or mobile number. “Mobile”"), none);
        assert_eq!(found(&["help@x.com"], "Reply HELP for help, Help at help@x.com"), ["help@x.com"]);
    }

    #[test]
    fn spellings_do_not_matter() {
        for (name, written) in [
            ("José", "Jose"),
            ("Jose", "JOSÉ"),
            ("Zoë", "Zoe\u{308}"),
            ("Strauß", "STRAUSS"),
            ("Strauss", "Strauß"),
            ("Müller", "Mueller"),
            ("Müller", "MULLER"),
            ("Đorđe", "Dorde"),
            ("Obradovic", "Ob\u{ad}rado\u{200b}vić"),
            ("O'Brien", "O\u{2019}Brien"),
            ("O'Brien", "obrien"),
            ("Quill", "Ｑｕｉｌｌ"),
        ] {
            assert_eq!(found(&[name], &format!("ask {written}, please")), [written], "{name}");
        }
    }

    #[test]
    fn addresses_are_found_without_their_second_part() {
        assert_eq!(found(&["18 West 4th St"], "at 18 west 4th st., 18 doors, West St"), ["18 west 4th st"]);
        for (address, written) in [
            ("771 Wintergreen Hollow Rd, Suite 5", "Wintergreen Hollow Rd"),
            ("771 Wintergreen Hollow Rd Suite 5", "wintergreen hollow road"),
            ("771 Wintergreen Hollow Rd #5", "771 Wintergreen Hollow Road"),
            ("12B N Kestrel Ave", "North Kestrel Avenue"),
        ] {
            assert_eq!(found(&[address], &format!("come to {written}!")), [written], "{address}");
        }
        assert_eq!(found(&["41 Harbor Way"], "Harbor Point Dental, 41 Harbor Way"), ["41 Harbor Way"]);
        assert_eq!(found(&["18 Main Street"], "the main street of a north suite"), ["main street"]);
    }

    #[test]
    fn numbers_and_mails_are_found_however_they_are_written() {
        assert_eq!(
            found(&[], "mail me@b.co. or +1 (512) 472-1820, 5124721820."),
            ["me@b.co", "1 (512) 472-1820", "5124721820"]
        );
        assert_eq!(found(&[], "June 4, 10:30 AM; 1,000 a month; 12345678-a"), ["12345678"]);
        assert_eq!(found(&[], "1,000-10,000, 10,000,000 or 1,234,567+"), Vec::<&str>::new());
        assert_eq!(found(&[], "tel5124721820x of 9a1b2c3d-4e5f-4061-8273-945566778899"), ["5124721820"]);
        assert_eq!(found(&["78704"], "ZIP 78704, not 787041"), ["78704"]);
        for number in [
            "512•472•1820",
            "512 | 472 | 1820",
            "５１２４７２１８２０",
            "512,472,1820",
            "5.1.2.4.7.2.1.8.2.0",
            "512_472_1820",
        ] {
            assert_eq!(found(&[], &format!("call {number}!")), [number]);
        }
        assert_eq!(found(&["+1 512 472 1820"], "512 then 472, 18 x 20"), ["512 then 472, 18 x 20"]);
        for mail in
            ["ana@[192.0.2.1]", "\"ana vega\"@x.com", "ana＠x.com", "o'neil+a@x-y.co.uk", "an\u{200b}a@x.com"]
        {
            assert_eq!(found(&[], &format!("to {mail}, or")), [mail]);
        }
    }
}
