//! The words of labels and headings, as they are compared.

use tollproof_data::suggest::bare;
use tollproof_data::text::words::tokenize::fold_letter;

/// Words that say nothing about a field.
const FILLERS: [&str; 31] = [
    "a", "the", "of", "and", "your", "our", "we", "d", "de", "du", "des", "l", "la", "le", "les", "et",
    "votre", "notre", "nous", "del", "el", "los", "las", "y", "su", "s", "nos", "nuestro", "nuestra",
    "nuestros", "nuestras",
];

/// Words that begin a question, and those that say nothing in it.
const ASKS: [&str; 8] = ["how", "why", "what", "comment", "pourquoi", "quoi", "como", "para"];
const FILLERS_OF_QUESTIONS: [&str; 18] = [
    "do", "doe", "is", "are", "be", "give", "their", "his", "her", "est", "sont", "donne", "donnent", "son",
    "sa", "leur", "dan", "da",
];

/// Beginnings of words that mean the same in a question: "How people agree", "Comment le patient donne son accord".
const SAME_IN_QUESTIONS: [(&str, &str); 3] = [
    (
        "people",
        "people person gen client customer patient pacient usager user usuari recipient membre miembro guest",
    ),
    ("consent", "agree acept accept accord consen permi"),
    ("message", "text messag mensaje sms"),
];

/// The words of a name without accents, fillers and the plural; of a question, those that say what is asked for.
pub(crate) fn words_of(name: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut was_lower = false;
    for letter in name.chars() {
        if was_lower && letter.is_uppercase() {
            spaced.push(' ');
        }
        was_lower = letter.is_lowercase();
        if letter.is_alphanumeric() { fold_letter(letter, &mut spaced) } else { spaced.push(' ') }
    }
    let spaced = spaced.replace("e mail", "email");
    let words = spaced.split(' ').filter(|word| !word.is_empty() && !FILLERS.contains(word));
    let singular =
        |word: &str| word.strip_suffix('s').filter(|word| word.len() > 2).unwrap_or(word).to_owned();
    let words: Vec<String> = words.map(singular).map(|word| bare(&word)).collect();
    let is_question = words.first().is_some_and(|first| ASKS.contains(&first.as_str()));
    if is_question { words_of_question(&words) } else { words }
}

fn words_of_question(words: &[String]) -> Vec<String> {
    let same = |word: &String| {
        let is_one = |all: &str| all.split(' ').any(|known| word.starts_with(known));
        let found = SAME_IN_QUESTIONS.iter().find(|(_, all)| is_one(all));
        found.map_or_else(|| word.clone(), |(one, _)| (*one).to_owned())
    };
    let mut found: Vec<String> = Vec::new();
    for word in words.iter().filter(|word| !FILLERS_OF_QUESTIONS.contains(&word.as_str())).map(same) {
        if !found.contains(&word) {
            found.push(word);
        }
    }
    found
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

#[cfg(test)]
mod tests {
    use super::words_of;

    #[test]
    fn questions_are_compared_by_what_they_ask() {
        for (one, other) in [
            ("Comment le patient donne son accord", "Comment les clients acceptent"),
            ("How do our guests agree?", "How people consent"),
            ("¿Para qué son los mensajes?", "Para qué los textos"),
        ] {
            assert_eq!(words_of(one), words_of(other), "{one}");
        }
        assert_eq!(words_of("Customer agreements"), ["customer", "agreement"], "it asks nothing");
    }
}
