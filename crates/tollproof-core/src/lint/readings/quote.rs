//! Finds a quote in a text, letter by letter.

use std::ops::Range;

/// Fewer letters and digits than this decide nothing.
const LEAST: usize = 2;

/// The place of a quote in a text, in whole words. Case and letters must be the same; whitespace and the kind of quotation
/// marks, hyphens and dots make no difference.
pub(crate) fn find(text: &str, quote: &str) -> Option<Range<usize>> {
    let wanted = Folded::of(quote);
    let wanted = wanted.text.trim();
    if wanted.chars().filter(|it| it.is_alphanumeric()).count() < LEAST {
        return None;
    }
    let folded = Folded::of(text);
    let is_word = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
    let is_whole = |start: &usize| {
        let (before, rest) = folded.text.split_at(*start);
        let cut = is_word(before.chars().next_back()) && is_word(wanted.chars().next());
        let goes_on = is_word(rest[wanted.len()..].chars().next()) && is_word(wanted.chars().next_back());
        !cut && !goes_on
    };
    // Places may share letters: "éé éé" in "aéé éé éé" is not the first of the two.
    let found_from = |from: usize| folded.text[from..].find(wanted).map(|at| from + at);
    let first_letter = wanted.chars().next().map_or(1, char::len_utf8);
    let start =
        std::iter::successors(found_from(0), |start| found_from(start + first_letter)).find(is_whole)?;
    let (first, last) = (folded.places.get(start)?, folded.places.get(start + wanted.len() - 1)?);
    Some(first.start..last.end)
}

/// A text with one kind of each mark.
struct Folded {
    text: String,
    /// For each byte, the character of the original that it comes from.
    places: Vec<Range<usize>>,
}

impl Folded {
    fn of(text: &str) -> Self {
        let mut folded =
            Self { text: String::with_capacity(text.len()), places: Vec::with_capacity(text.len()) };
        for (start, letter) in text.char_indices() {
            let place = start..start + letter.len_utf8();
            match letter {
                '\u{200b}'..='\u{200d}' | '\u{feff}' | '\u{ad}' => {}
                _ if letter.is_whitespace() => {
                    if !folded.text.ends_with(' ') {
                        folded.push(" ", &place);
                    }
                }
                '‘' | '’' | '‚' | '‛' | '′' | '`' | '´' => folded.push("'", &place),
                '“' | '”' | '„' | '‟' | '″' | '«' | '»' => folded.push("\"", &place),
                '‐'..='―' | '−' => folded.push("-", &place),
                '…' => folded.push("...", &place),
                other => folded.push(other.encode_utf8(&mut [0; 4]), &place),
            }
        }
        folded
    }

    fn push(&mut self, text: &str, place: &Range<usize>) {
        self.text.push_str(text);
        self.places.extend(std::iter::repeat_n(place.clone(), text.len()));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::find;

    #[test]
    fn a_quote_is_found_whatever_its_marks_are() {
        let text = "Guests\u{a0}tick a “box” —  it’s off…\nand book.";
        for (quote, expected) in [
            ("tick a \"box\"", Some("tick a “box”")),
            ("  box” - it's off... and", Some("box” —  it’s off…\nand")),
            ("Guests tick", Some("Guests\u{a0}tick")),
            ("guests tick", None),
            ("tick box", None),
            ("ests tick", None),
            ("of", None),
            ("a", None),
            ("...", None),
            ("", None),
        ] {
            assert_eq!(find(text, quote).map(|it| &text[it]), expected, "{quote}");
        }
    }

    #[test]
    fn places_may_share_letters() {
        assert_eq!(find("aéé éé éé", "éé éé"), Some(6..15));
    }

    proptest! {
        #[test]
        fn words_of_a_text_are_found_in_it(words in prop::collection::vec("[a-zé]{2,6}", 1..9), from in 0_usize..8) {
            let part = words[from.min(words.len() - 1)..].join(" ");
            prop_assert!(find(&words.join("\u{a0}\n"), &part).is_some(), "{}", part);
        }

        #[test]
        fn whatever_is_found_is_in_the_text(text in "\\PC{0,40}", quote in "\\PC{0,10}") {
            if let Some(range) = find(&text, &quote) {
                prop_assert!(text.get(range).is_some());
            }
        }
    }
}
