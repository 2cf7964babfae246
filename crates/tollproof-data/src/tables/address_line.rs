//! The parts of an address that is written in one line or cell, as in the United States and Canada.

use std::ops::Range;

use super::regions::{self, Region};
use super::{countries, postal};

/// The parts of an address, as byte ranges of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressLine {
    /// The street with the number, and what is between it and the city.
    pub street: Range<usize>,
    pub city: Range<usize>,
    /// The state or province; `None` if only the postal code tells it.
    pub state: Option<Range<usize>>,
    pub zip: Range<usize>,
    /// The country, if it is written.
    pub country: Option<Range<usize>>,
    /// The state or province, if it is known.
    pub region: Option<&'static Region>,
    /// The alpha-2 code of the country, which the form of the postal code tells.
    pub country_code: &'static str,
}

/// The longest text that is an address, in bytes.
const LONGEST: usize = 300;

/// The signs between the parts of an address.
const SEPARATORS: [char; 8] = [',', ';', '|', '\n', '\r', '\t', '•', '·'];

/// The most words of a city and of a state.
const WORDS_OF_CITY: usize = 6;
const WORDS_OF_STATE: usize = 4;

/// Words before a postal code.
const BEFORE_ZIP: [&str; 3] = ["cp", "c.p.", "zip"];

impl AddressLine {
    /// The parts of an address: street, city, state and postal code, perhaps with the country. `None` if one of the first three
    /// cannot be told from the others.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let mut parts = Parts { text, open: segments(text) };
        let country = parts.take_country();
        let (zip, country_code, expected) = parts.take_zip()?;
        let (state, region) = match parts.take_state(country_code, expected) {
            Some((range, region)) => (Some(range), region),
            None => (None, None),
        };
        let region = region.or_else(|| match expected {
            [one] => regions::find(country_code, one),
            _ => None,
        });
        let city = parts.take_city()?;
        let street = parts.open.first()?.start..parts.open.last()?.end;
        let has_letter = text[street.clone()].contains(char::is_alphabetic);
        let is_found = has_letter && (region.is_some() || state.is_some());
        is_found.then_some(Self { street, city, state, zip, country, region, country_code })
    }
}

/// The parts of a text that are not taken yet.
struct Parts<'t> {
    text: &'t str,
    open: Vec<Range<usize>>,
}

/// The parts between separators, without whitespace around them.
fn segments(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut add = |start: usize, end: usize| {
        let part = &text[start..end];
        let bare = part.trim();
        let at = start + (part.len() - part.trim_start().len());
        found.extend((!bare.is_empty()).then_some(at..at + bare.len()));
    };
    let is_slash = |at: usize| text[..at].ends_with(' ') && text[at + 1..].starts_with(' ');
    let mut start = 0;
    for (at, letter) in text.char_indices() {
        if SEPARATORS.contains(&letter) || letter == '/' && is_slash(at) {
            add(start, at);
            start = at + letter.len_utf8();
        }
    }
    add(start, text.len());
    found
}

impl Parts<'_> {
    /// The beginnings of the last words of the last part, the shortest first.
    fn tails(&self, most: usize) -> Vec<Range<usize>> {
        let Some(last) = self.open.last() else { return Vec::new() };
        let part = &self.text[last.clone()];
        let is_begin = |at: &usize| {
            part.is_char_boundary(*at)
                && !part[*at..].starts_with(char::is_whitespace)
                && (*at == 0 || part[..*at].ends_with(|c: char| c.is_whitespace() || c == '('))
        };
        let begins = (0..part.len()).rev().filter(is_begin).take(most);
        begins.map(|at| last.start + at..last.end).collect()
    }

    /// Takes the end of the last part.
    fn take(&mut self, tail: &Range<usize>) {
        let Some(last) = self.open.last_mut() else { return };
        let rest = self.text[last.start..tail.start]
            .trim_end_matches(|c: char| c.is_whitespace() || "(-–".contains(c));
        last.end = last.start + rest.len();
        if rest.is_empty() {
            self.open.pop();
        }
    }

    fn take_country(&mut self) -> Option<Range<usize>> {
        let is_country = |name: &str| {
            let bare = name.trim_matches(|c: char| "().".contains(c));
            matches!(countries::alpha2_of(name).or_else(|| countries::alpha2_of(bare)), Some("US" | "CA"))
                && name != "CA"
        };
        let tails = self.tails(WORDS_OF_STATE);
        let tail = tails.into_iter().rfind(|tail| is_country(&self.text[tail.clone()]))?;
        self.take(&tail);
        Some(tail)
    }

    /// The postal code, its country, and the states that it belongs to.
    fn take_zip(&mut self) -> Option<(Range<usize>, &'static str, &'static [&'static str])> {
        let of = |tail: &Range<usize>| {
            let code = &self.text[tail.clone()];
            if let Some(canonical) = postal::parse_postal_code(code) {
                return Some(("CA", postal::postal_provinces(&canonical)));
            }
            let prefix = postal::parse_zip(code).filter(|_| !code.contains(' '))?;
            Some(("US", postal::zip_states(prefix)))
        };
        let (tail, (country, states)) =
            self.tails(2).into_iter().find_map(|tail| of(&tail).map(|found| (tail, found)))?;
        self.take(&tail);
        let is_label = |tail: &Range<usize>| {
            BEFORE_ZIP.iter().any(|known| self.text[tail.clone()].eq_ignore_ascii_case(known))
        };
        if let Some(label) = self.tails(1).into_iter().find(is_label) {
            self.take(&label);
        }
        Some((tail, country, states))
    }

    /// The state or province at the end: one to which the postal code belongs before any other, and else what is between the city
    /// and the code. Nothing where the name of the city is also that of a state.
    fn take_state(
        &mut self,
        country: &str,
        expected: &[&str],
    ) -> Option<(Range<usize>, Option<&'static Region>)> {
        let name = |tail: &Range<usize>| {
            self.text[tail.clone()].trim_matches(|c: char| "().".contains(c)).to_owned()
        };
        let known: Vec<_> = self
            .tails(WORDS_OF_STATE)
            .into_iter()
            .filter_map(|tail| Some((regions::find(country, &name(&tail))?, tail)))
            .collect();
        let last = self.open.last()?.clone();
        let belongs = |(region, _): &&(&'static Region, Range<usize>)| expected.contains(&region.code);
        let is_apart = |(_, tail): &&(&'static Region, Range<usize>)| {
            tail.start == last.start || self.text[..tail.start].ends_with('(') || tail.len() == 2
        };
        let found = known.iter().find(belongs).or_else(|| known.iter().find(is_apart)).cloned();
        let before = self.open.len().checked_sub(2).map(|at| self.open[at].clone());
        let is_after_street = before.as_ref().is_none_or(|before| !self.is_city(before));
        let has_city_before = || !is_after_street && self.open.len() > 2;
        match found {
            // `Québec G1R 4S9` after a street is the city.
            Some((_, tail)) if tail.start == last.start && is_after_street => None,
            Some((region, tail)) => {
                let start = tail.start;
                self.take(&tail);
                let end = start + self.text[tail].trim_end_matches(')').len();
                Some((start..end, Some(region)))
            }
            None if has_city_before() && self.is_city(&last) => {
                self.open.pop();
                Some((last, None))
            }
            None => None,
        }
    }

    fn is_city(&self, part: &Range<usize>) -> bool {
        let name = &self.text[part.clone()];
        let has_letter = name.contains(char::is_alphabetic);
        has_letter
            && !name.contains(|c: char| c.is_ascii_digit())
            && name.split_whitespace().count() <= WORDS_OF_CITY
    }

    fn take_city(&mut self) -> Option<Range<usize>> {
        let last = self.open.last()?.clone();
        if !self.is_city(&last) {
            return None;
        }
        self.open.pop();
        Some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::AddressLine;

    /// Street, city, state or its code, postal code and country.
    fn parts(text: &str) -> Option<[&str; 4]> {
        let line = AddressLine::of(text)?;
        let state =
            line.region.map_or_else(|| &text[line.state.clone().unwrap_or_default()], |region| region.code);
        Some([&text[line.street], &text[line.city], state, &text[line.zip]])
    }

    #[test]
    fn an_address_in_one_line_has_four_parts() {
        for (text, wanted) in [
            ("Calle Muñoz Rivera 45, Caguas, PR 00725", ["Calle Muñoz Rivera 45", "Caguas", "PR", "00725"]),
            (
                "1250, rue Royale, bureau 200, Trois-Rivières (Québec) G9A 4J5",
                ["1250, rue Royale, bureau 200", "Trois-Rivières", "QC", "G9A 4J5"],
            ),
            ("12 rue Caron, Magog, QC J1X 2B4", ["12 rue Caron", "Magog", "QC", "J1X 2B4"]),
            (
                "540, rue Saint-Joseph, La Tuque QC  G9X 1L2",
                ["540, rue Saint-Joseph", "La Tuque", "QC", "G9X 1L2"],
            ),
            (
                "88 boul. des Forges, Québec (Qc) g1r4s9, Canada",
                ["88 boul. des Forges", "Québec", "QC", "g1r4s9"],
            ),
            ("10 rue du Roi, Québec G1R 4S9", ["10 rue du Roi", "Québec", "QC", "G1R 4S9"]),
            ("1 Ash Lane, Lenox, Massachusetts 01240", ["1 Ash Lane", "Lenox", "MA", "01240"]),
            ("1 Ash Lane / Lenox / MA / 01240", ["1 Ash Lane", "Lenox", "MA", "01240"]),
            ("1 Ash Lane, Lenox, Masachusetts 01240", ["1 Ash Lane", "Lenox", "MA", "01240"]),
            (
                "600 Congress Avenue, 14th Floor, Austin, TX 78701, USA",
                ["600 Congress Avenue, 14th Floor", "Austin", "TX", "78701"],
            ),
            ("350 Fifth Ave, New York, New York 10118", ["350 Fifth Ave", "New York", "NY", "10118"]),
            ("350 Fifth Ave, New York NY 10118-0110", ["350 Fifth Ave", "New York", "NY", "10118-0110"]),
            ("1 Penn St, Washington DC 20001", ["1 Penn St", "Washington", "DC", "20001"]),
            ("9 Hill Rd, Charleston West Virginia 25301", ["9 Hill Rd", "Charleston", "WV", "25301"]),
            ("9 Hill Rd\nCharleston, W. Va. 25301", ["9 Hill Rd", "Charleston", "WV", "25301"]),
            (
                "Ave. Ponce de León 1225\nSan Juan, P.R. 00907\nEE. UU.",
                ["Ave. Ponce de León 1225", "San Juan", "PR", "00907"],
            ),
            ("Calle Sol 3, Caguas, Puerto Rico, C.P. 00725", ["Calle Sol 3", "Caguas", "PR", "00725"]),
            (
                "Urb. Las Lomas, Calle 2 B-14, Caguas 00725",
                ["Urb. Las Lomas, Calle 2 B-14", "Caguas", "PR", "00725"],
            ),
            ("77 King St W, Toronto, ON, M5K 1A1, Canada", ["77 King St W", "Toronto", "ON", "M5K 1A1"]),
            ("5 Main St, Los Angeles, CA 90012 United States", ["5 Main St", "Los Angeles", "CA", "90012"]),
            ("5 Main St, Los Angeles CA 90012", ["5 Main St", "Los Angeles", "CA", "90012"]),
            ("45 rue X, Moncton (Nouveau-Brunswick) E1C 1A1", ["45 rue X", "Moncton", "NB", "E1C 1A1"]),
        ] {
            assert_eq!(parts(text), Some(wanted), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_told_apart_is_left_whole() {
        for text in [
            "",
            "1250, rue Royale",
            "1250, rue Royale, bureau 200",
            "450 Main St Austin TX 78701",
            "Caguas, PR 00725",
            "Los Lagos, Puerto Rico 00725",
            "Trois-Rivières (Québec) G9A 4J5",
            "ask May, or Jo",
            "12 rue Caron, Magog",
            "Calle Sol 3, Caguas, Puerto Rico",
            "10 Downing Street, London SW1A 2AA",
            "Suite 200, 78701",
            "5 Main St, 12345",
            "the office",
        ] {
            assert_eq!(parts(text), None, "{text}");
        }
    }
}
