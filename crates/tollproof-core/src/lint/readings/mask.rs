//! Personal data replaced by placeholders before a text leaves, and put back in quotes.

use std::collections::{HashMap, HashSet};

use crate::redact::PersonalData;

/// The longest placeholder, in bytes.
const MAX_NAME: usize = 32;

/// The placeholders of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Placeholders {
    /// The placeholder of each value.
    by_value: HashMap<String, String>,
    /// The value of each placeholder.
    values: HashMap<String, String>,
    /// The count of taken numbers of each kind.
    taken: HashMap<&'static str, usize>,
    /// Bracketed words of the texts themselves.
    written: HashSet<String>,
}

impl Placeholders {
    /// Placeholders that are in none of these texts already.
    pub(super) fn beside<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let in_brackets = |text: &'t str| {
            text.match_indices('[').filter_map(move |(start, _)| {
                let longest = text.as_bytes()[start..].iter().take(MAX_NAME);
                let end = longest.take_while(|it| it.is_ascii()).position(|it| *it == b']')?;
                Some(text[start..=start + end].to_owned())
            })
        };
        Self { written: texts.flat_map(in_brackets).collect(), ..Self::default() }
    }

    /// A text without personal data.
    pub(super) fn mask(&mut self, text: &str, personal: &PersonalData) -> String {
        let mut masked = String::with_capacity(text.len());
        let mut at = 0;
        for range in personal.in_text(text) {
            let value = &text[range.clone()];
            // The bracket of `(503) 226-4410` goes with the one that closes it.
            let is_cut = value.contains(')') && !value.contains('(') && text[at..range.start].ends_with('(');
            let start = range.start - usize::from(is_cut);
            masked.push_str(&text[at..start]);
            masked.push_str(self.placeholder(&text[start..range.end]));
            at = range.end;
        }
        masked.push_str(&text[at..]);
        masked
    }

    /// A quote with what its placeholders replace, each once: a value that looks like a placeholder stays.
    pub(super) fn unmask(&self, quote: &str) -> String {
        let mut unmasked = String::with_capacity(quote.len());
        let mut rest = quote;
        while let Some(start) = rest.find('[') {
            unmasked.push_str(&rest[..start]);
            rest = &rest[start..];
            let end = rest.find(']').map_or(1, |it| it + 1);
            let value = self.values.get(&rest[..end]);
            let end = if value.is_some() { end } else { 1 };
            unmasked.push_str(value.map_or(&rest[..end], String::as_str));
            rest = &rest[end..];
        }
        unmasked + rest
    }

    /// The placeholder of a value.
    fn placeholder(&mut self, value: &str) -> &str {
        if !self.by_value.contains_key(value) {
            let kind = kind(value);
            let taken = self.taken.entry(kind).or_default();
            let name = loop {
                *taken += 1;
                let name = format!("[{kind} {taken}]");
                if !self.written.contains(&name) {
                    break name;
                }
            };
            self.values.insert(name.clone(), value.to_owned());
            self.by_value.insert(value.to_owned(), name);
        }
        &self.by_value[value]
    }
}

/// Names a value's kind for a reader.
fn kind(value: &str) -> &'static str {
    match (
        value.contains('@'),
        value.contains(char::is_alphabetic),
        value.contains(|it: char| it.is_ascii_digit()),
    ) {
        (true, _, _) => "EMAIL",
        (_, true, true) => "ADDRESS",
        (_, true, false) => "NAME",
        _ => "NUMBER",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_is_in_no_text_and_is_replaced_once() {
        let mut placeholders = Placeholders::beside(["[NAME 1] [ [é] [NAME", "a [NAME 3]"].into_iter());
        let names = ["Ada", "[NAME 2]", "Eve"].map(|name| placeholders.placeholder(name).to_owned());
        assert_eq!(names, ["[NAME 2]", "[ADDRESS 1]", "[NAME 4]"]);
        let quote = "[[NAME 2] and [ADDRESS 1] [NAME 1] [NAME 4";
        assert_eq!(placeholders.unmask(quote), "[Ada and [NAME 2] [NAME 1] [NAME 4");
        assert_eq!(placeholders.placeholder("Ada"), "[NAME 2]");
    }
}
