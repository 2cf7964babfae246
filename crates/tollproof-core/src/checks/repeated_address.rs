//! `repeated-address`: a street that ends in the postal code, and perhaps the city, of the fields for these.

use tollproof_data::tables::{countries, regions};
use tollproof_data::text::words::word::Words;

use crate::checks::{Context, Place, Violation};
use crate::finding::Safety;
use crate::provider::role;

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    let zip = letters(context.field(role::BUSINESS_ZIP)?);
    // Fast path: most streets contain nothing of a postal code.
    if zip.len() < SHORTEST || !letters(text).contains(&zip) {
        return None;
    }
    let words = Words::of(text);
    let end = Street { text, words: &words, zip, context }.end()?;
    let repeated = words.range(end, words.len() - 1);
    let street =
        text[..repeated.start].trim_end_matches(|letter: char| !letter.is_alphanumeric() && letter != '.');
    let violation = Violation::at(context.inner(node, repeated.clone()));
    let violation = violation.fill("match", &text[repeated]).fill("street", street);
    Some(violation.rewrite(context, node, street, Safety::Unsafe))
}

/// The letters and digits of the shortest postal code that is looked for.
const SHORTEST: usize = 4;

/// The most words of a country or a state.
const LONGEST: usize = 3;

/// A street, and the postal code of its address.
struct Street<'c> {
    text: &'c str,
    words: &'c Words,
    zip: String,
    context: &'c Context<'c>,
}

impl Street<'_> {
    /// The first word of what is at the end of the street and in other fields: the postal code, and the city, state and
    /// country beside it. `None` without the postal code, or if nothing else is in the street.
    fn end(&self) -> Option<usize> {
        let mut end = self.words.len();
        let (mut zip, mut state, mut country) = (None, None, None);
        loop {
            let found = [
                zip.is_none().then(|| self.zip_before(end)).flatten().map(|start| (&mut zip, start)),
                state.is_none().then(|| self.state_before(end)).flatten().map(|start| (&mut state, start)),
                country
                    .is_none()
                    .then(|| self.country_before(end))
                    .flatten()
                    .map(|start| (&mut country, start)),
            ];
            let Some((part, start)) = found.into_iter().flatten().next() else { break };
            *part = Some(start);
            end = start;
        }
        let zip = zip?;
        end = match (self.city_before(end), state) {
            (Some(start), _) => start,
            // "NE" before the postal code may be the end of the street.
            (None, Some(start)) if start < zip && start == end && !self.is_set_off(start) => zip,
            (None, _) => end,
        };
        (end > 0).then_some(end)
    }

    fn zip_before(&self, end: usize) -> Option<usize> {
        (1..=2)
            .filter_map(|count| end.checked_sub(count))
            .find(|start| self.joined(*start, end, "") == self.zip)
    }

    fn state_before(&self, end: usize) -> Option<usize> {
        let country = self.context.country()?;
        let own = regions::find(country, self.context.field(role::BUSINESS_STATE)?)?;
        self.before(end, |words| regions::find(country, words).is_some_and(|region| region.code == own.code))
    }

    fn country_before(&self, end: usize) -> Option<usize> {
        let country = self.context.country()?;
        self.before(end, |words| countries::alpha2_of(words) == Some(country))
    }

    fn city_before(&self, end: usize) -> Option<usize> {
        let city = Words::of(self.context.field(role::BUSINESS_CITY)?);
        let start = end.checked_sub(city.len()).filter(|_| city.len() > 0)?;
        (0..city.len()).all(|at| city.word(at) == self.words.word(start + at)).then_some(start)
    }

    /// The start of the few words before a word that are a part of an address.
    fn before(&self, end: usize, is_part: impl Fn(&str) -> bool) -> Option<usize> {
        let mut starts = (1..=LONGEST).filter_map(|count| end.checked_sub(count));
        starts.find(|start| is_part(&self.joined(*start, end, " ")))
    }

    fn joined(&self, start: usize, end: usize, between: &str) -> String {
        (start..end).map(|at| self.words.word(at)).collect::<Vec<_>>().join(between)
    }

    /// Whether a comma, a bracket or the end of a line separates a word from those before it.
    fn is_set_off(&self, word: usize) -> bool {
        let start = self.words.range(word, word).start;
        self.text[..start].trim_end_matches(' ').ends_with([',', '(', '\n', ';'])
    }
}

/// The letters and digits of a text, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
