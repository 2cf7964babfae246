//! The value of a closed list that another value is near to.

use tollproof_data::provider::schema::shape::TextShape;
use tollproof_data::provider::values::ValueMap;
use tollproof_data::suggest::{nearest, without_form};

use crate::provider::aliases;

/// The relation of another value to the listed ones.
pub(crate) enum Near<'t> {
    /// The listed value, written in another form.
    Same(&'t str),
    /// The largest value of the list, which includes the amount: `10,000,000+`.
    Largest(&'t str),
    /// The listed value that was probably meant.
    Meant(&'t str),
    /// The smallest listed amount that is not less than the amount.
    Next(&'t str),
    /// No listed value is close.
    Nothing,
}

/// The value of a closed list that is nearest to another value.
///
/// `map` says what the values mean, if the provider has a list of its own.
pub(crate) fn near<'t>(listed: &'t TextShape, value: &str, map: Option<&ValueMap>) -> Near<'t> {
    if let Some(same) = listed.values.iter().find(|known| differ_in_form(known, value)) {
        return Near::Same(same);
    }
    let largest = listed.values.iter().find(|known| known.ends_with('+'));
    let enough = |largest: &&String| {
        amount(value).zip(amount(largest)).is_some_and(|(value, largest)| value >= largest)
    };
    if let Some(largest) = largest.filter(enough) {
        return Near::Largest(largest);
    }
    let meant = map.and_then(|map| map.meant(value, aliases::any_value(map.role, value)));
    let meant = meant.and_then(|meant| listed.values.iter().find(|known| *known == meant));
    if let Some(meant) = meant.map(String::as_str).or_else(|| aliases::value(value, &listed.values)) {
        return Near::Meant(meant);
    }
    if let Some((amount, next)) = next_amount(listed, value) {
        return if Some(amount) == amount_in(value) { Near::Meant(next) } else { Near::Next(next) };
    }
    // Spelling distance is useless for amounts: `1k` does not mean `10`.
    let has_letters = |text: &str| text.contains(char::is_alphabetic);
    if !has_letters(value) || !listed.values.iter().any(|known| has_letters(known)) {
        return Near::Nothing;
    }
    nearest(value, listed.values.iter().map(String::as_str)).map_or(Near::Nothing, Near::Meant)
}

/// The amount, with or without thousands separators; `None` for `10.5`, `1k` or a range.
pub(crate) fn amount(text: &str) -> Option<u64> {
    let text = text.trim();
    let mut groups = text.strip_suffix('+').unwrap_or(text).split([',', '.', '_', '\'', ' ']);
    let first = groups.next()?;
    let all = groups.try_fold(first.to_owned(), |all, group| (group.len() == 3).then(|| all + group))?;
    all.bytes().all(|byte| byte.is_ascii_digit()).then(|| all.parse().ok()).flatten()
}

/// Whether two values differ only in case, whitespace and separators.
fn differ_in_form(one: &str, other: &str) -> bool {
    if let (Some(one_amount), Some(other_amount)) = (amount(one), amount(other)) {
        return one_amount == other_amount && one.trim().ends_with('+') == other.trim().ends_with('+');
    }
    without_form(one).eq(without_form(other)) && !without_form(one).all(|letter| letter.is_ascii_digit())
}

/// The smallest amount of a list that is not less than another amount.
fn next_amount<'t>(listed: &'t TextShape, value: &str) -> Option<(u64, &'t str)> {
    let wanted = amount_in(value)?;
    let amounts = listed.values.iter().filter_map(|known| Some((amount(known)?, known.as_str())));
    amounts.filter(|(amount, _)| *amount >= wanted).min()
}

/// Words after an amount that is not one of a month.
const OTHER_TIMES: &str = "day daily week weekly year yearly jour semaine an día dia semana año k m mil";

/// Words beside the amount of a month.
const OF_A_MONTH: &str = "max maximum most up less than under between moins maximal entre jusqu jusqu'à jusqu’à maximo máximo hasta menos about around approx approximately roughly nearly almost some month monthly mo message messages text texts sms msgs \
    environ presque quelque mois mensuels textos como unos unas casi cerca alrededor aproximadamente mes mensuales mensajes";

/// Words between the two amounts of a range.
const JOINERS: &str = "- – — to and or a à et ou y e o hasta";

/// The amount, the only one in a text about it, or the greater one of a range: `about 300 a month`, `~300/mo`, `500 to 600`.
pub(crate) fn amount_in(text: &str) -> Option<u64> {
    let lower = ["-", "–", "—"]
        .iter()
        .fold(text.to_lowercase(), |text, dash| text.replace(dash, &format!(" {dash} ")));
    let split = lower.split(|c: char| c.is_whitespace() || "/~≈<>()".contains(c));
    let words: Vec<&str> =
        split.map(|word| word.trim_end_matches('.')).filter(|word| !word.is_empty()).collect();
    let is = |word: &str, known: &str| known.split(' ').any(|known| known == word);
    let has_digit = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    // A number with spaces in it is several words.
    let parts: Vec<&[&str]> = words.chunk_by(|one, next| has_digit(one) == has_digit(next)).collect();
    let numbers = parts.iter().filter(|part| has_digit(part[0])).map(|part| amount(&part.join(" ")));
    let most = match numbers.collect::<Vec<_>>()[..] {
        [only] => only,
        [least, most] => {
            let first = parts.iter().position(|part| has_digit(part[0])).unwrap_or_default();
            let is_range = parts[first + 1].iter().all(|word| is(word, JOINERS));
            most.filter(|most| is_range && least.is_some_and(|least| least < *most))
        }
        _ => None,
    };
    let has = |known: &str| words.iter().any(|word| is(word, known));
    let says_more = words.iter().any(|word| !has_digit(word) && !is(word, JOINERS));
    amount(text).or_else(|| most.filter(|_| !has(OTHER_TIMES) && (has(OF_A_MONTH) || !says_more)))
}

#[cfg(test)]
mod tests {
    use tollproof_data::provider::schema::shape::Shape;

    use super::{Near, near};
    use crate::provider::kind::{Kind, KindRole};

    #[test]
    fn amounts_are_read_and_not_guessed() {
        let field = crate::provider::schema::shape(Kind::of(KindRole::Submit)).at_pointer("/messageVolume");
        let Some(Shape::Text(listed)) = field else { panic!("messageVolume is a text") };
        for (value, wanted) in [
            ("1000", "same 1,000"),
            ("1 000", "same 1,000"),
            ("10.000", "same 10,000"),
            ("10000000+", "same 10,000,000+"),
            ("10,000,000", "largest 10,000,000+"),
            ("25000000", "largest 10,000,000+"),
            ("1000.0", "nothing"),
            ("1,0", "nothing"),
            ("1k", "nothing"),
            ("ten thousand", "meant 10,000"),
            ("5,000", "next 10,000"),
            ("1,000-10,000", "meant 10,000"),
            ("500 à 600", "next 1,000"),
            ("entre 150 et 200", "next 1,000"),
            ("entre 800 y 1,000 mensajes", "meant 1,000"),
            ("1000 max", "meant 1,000"),
            ("max. 90", "next 100"),
            ("hasta 500", "next 1,000"),
            ("environ 1 500", "next 10,000"),
            ("600-500", "nothing"),
            ("10 people, 300 texts", "nothing"),
            ("2 to 3 a week", "nothing"),
            ("24/7", "nothing"),
            ("555-0199 ext 3", "nothing"),
            ("about 300 a month", "next 1,000"),
            ("como 900", "next 1,000"),
            ("presque 80", "next 100"),
            ("~1,000/mo", "meant 1,000"),
            ("300 texts a day", "nothing"),
            ("see note 0", "nothing"),
            ("300 to 500 a month", "next 1,000"),
        ] {
            let found = match near(listed, value, None) {
                Near::Same(it) => format!("same {it}"),
                Near::Largest(it) => format!("largest {it}"),
                Near::Meant(it) => format!("meant {it}"),
                Near::Next(it) => format!("next {it}"),
                Near::Nothing => "nothing".to_owned(),
            };
            assert_eq!(found, wanted, "{value}");
        }
    }
}
