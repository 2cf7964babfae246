//! Finds a quote in a text, letter by letter.

use std::ops::Range;

/// The place of a quote in a text. Case and letters must be the same; whitespace and the kind of quotation marks, hyphens
/// and dots make no difference.
pub(crate) fn find(text: &str, quote: &str) -> Option<Range<usize>> {
    let wanted = Folded::of(quote);
    let wanted = wanted.text.trim();
    if !wanted.contains(char::is_alphanumeric) {
        return None;
    }
    let folded = Folded::of(text);
    let start = folded.text.find(wanted)?;
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
            ("...", None),
            ("", None),
        ] {
            assert_eq!(find(text, quote).map(|it| &text[it]), expected, "{quote}");
        }
    }

    proptest! {
        #[test]
        fn every_part_of_a_text_is_found_in_it(text in "\\PC{0,40}", from in 0_usize..40, length in 0_usize..40) {
            let part: String = text.chars().skip(from).take(length).collect();
            let found = find(&text, &part);
            prop_assert_eq!(found.is_some(), part.contains(char::is_alphanumeric), "{}", part);
        }

        #[test]
        fn whatever_is_found_is_in_the_text(text in "\\PC{0,40}", quote in "\\PC{0,10}") {
            if let Some(range) = find(&text, &quote) {
                prop_assert!(text.get(range).is_some());
            }
        }
    }
}
