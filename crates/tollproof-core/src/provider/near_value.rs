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
const OF_A_MONTH: &str = "about around approx approximately roughly nearly almost some month monthly mo message messages text texts sms msgs \
    environ presque quelque mois mensuels textos como unos unas casi cerca alrededor aproximadamente mes mensuales mensajes";

/// The amount, or the only one in a text about it: `about 300 a month`, `~300/mo`.
pub(crate) fn amount_in(text: &str) -> Option<u64> {
    let words =
        || text.split(|c: char| c.is_whitespace() || "/~≈<>()".contains(c)).filter(|word| !word.is_empty());
    let mut numbers = words().filter(|word| word.contains(|c: char| c.is_ascii_digit()));
    let only = numbers.next().filter(|_| numbers.next().is_none());
    let has = |known: &str| words().any(|word| known.split(' ').any(|known| known == word.to_lowercase()));
    let is_month = || !has(OTHER_TIMES) && (has(OF_A_MONTH) || words().count() == 1);
    amount(text).or_else(|| only.filter(|_| is_month()).and_then(amount))
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
            ("1,000-10,000", "nothing"),
            ("about 300 a month", "next 1,000"),
            ("como 900", "next 1,000"),
            ("presque 80", "next 100"),
            ("~1,000/mo", "meant 1,000"),
            ("300 texts a day", "nothing"),
            ("see note 0", "nothing"),
            ("300 to 500 a month", "nothing"),
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
