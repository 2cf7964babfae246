//! The words of labels and headings, as they are compared.

use tollproof_data::suggest::bare;
use tollproof_data::text::words::tokenize::fold_letter;

/// Words that say nothing about a field.
const FILLERS: [&str; 31] = [
    "a", "the", "of", "and", "your", "our", "we", "d", "de", "du", "des", "l", "la", "le", "les", "et",
    "votre", "notre", "nous", "del", "el", "los", "las", "y", "su", "s", "nos", "nuestro", "nuestra",
    "nuestros", "nuestras",
];

/// The words of a name without accents, fillers and the plural.
pub(crate) fn words_of(name: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut was_lower = false;
    for letter in name.chars() {
        if was_lower && letter.is_uppercase() {
            spaced.push(' ');
        }
        was_lower = letter.is_lowercase();
        match letter.is_alphanumeric() {
            true => fold_letter(letter, &mut spaced),
            false => spaced.push(' '),
        }
    }
    let spaced = spaced.replace("e mail", "email");
    let words = spaced.split(' ').filter(|word| !word.is_empty() && !FILLERS.contains(word));
    let singular =
        |word: &str| word.strip_suffix('s').filter(|word| word.len() > 2).unwrap_or(word).to_owned();
    words.map(singular).map(|word| bare(&word)).collect()
}

/// The words of a name in a program, in small letters.
pub(super) fn words_of_name(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if !letter.is_ascii_alphanumeric() || was_lower && letter.is_ascii_uppercase() {
            words.push(String::new());
        }
        was_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        let last = words.last_mut().expect("it begins with one");
        last.extend(Some(letter.to_ascii_lowercase()).filter(char::is_ascii_alphanumeric));
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The meaning of the name that has most words in common with a label: a share of `least` at least, and more than any name
/// that means something else. Names of one word mean nothing by themselves.
pub(crate) fn likest<'n, M: Copy + PartialEq + 'n>(
    words: &[String],
    names: impl Iterator<Item = &'n (Vec<String>, M)>,
    least: f64,
) -> Option<M> {
    let mut best: Option<(f64, M)> = None;
    let mut is_clear = true;
    for (name, meaning) in names.filter(|(name, _)| name.len() > 1) {
        let common = words.iter().filter(|word| name.contains(word)).count();
        let share = common as f64 / (words.len() + name.len() - common) as f64;
        match best {
            Some((most, known)) if share == most => is_clear &= known == *meaning,
            Some((most, _)) if share < most => {}
            _ => (best, is_clear) = (Some((share, *meaning)), true),
        }
    }
    best.filter(|(share, _)| *share >= least && is_clear).map(|(_, meaning)| meaning)
}
