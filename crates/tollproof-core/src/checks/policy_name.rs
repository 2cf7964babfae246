//! Names of policies: in paths of addresses, in the words before an address, and in titles of pages.

use tollproof_data::seen::AddressUse;
use tollproof_data::tables::web::{POLICY_NAMES, POLICY_PLACES, POLICY_VERBS, PRIVACY_WORDS, TERMS_WORDS};
use tollproof_data::text::words::tokenize::fold_letter;

/// The most words of a name, with those between it and the address.
const MOST: usize = 12;

/// The most bytes before an address that are read.
const MOST_BYTES: usize = 120;

/// The policy to which a path leads, by a word in it.
pub(super) fn of_path(path: &str) -> Option<AddressUse> {
    let path = path.to_ascii_lowercase();
    of_words(path.split(['/', '-', '.', '_']))
}

/// The policy that the words directly before an address name: "Privacy policy: https://…", "Our terms are at https://…".
/// "Accept our terms at https://…" tells as little of the page there as words in another sentence.
pub(super) fn named_before(before: &str) -> Option<AddressUse> {
    let start = before.len().saturating_sub(MOST_BYTES);
    let start = (start..before.len()).find(|at| before.is_char_boundary(*at))?;
    let before = before[start..].trim_end();
    let words = words(before.rsplit(['.', ',', ';', '!', '?', '\n']).next()?);
    let mut run =
        words.iter().rev().map(String::as_str).take(MOST).take_while(|word| is_of_name(word)).peekable();
    let is_at = run.peek().is_some_and(|word| POLICY_PLACES.contains(word));
    let run: Vec<&str> = run.collect();
    let is_said = !is_at || before.ends_with(':') || run.iter().any(|word| POLICY_VERBS.contains(word));
    of_words(run.into_iter()).filter(|_| is_said)
}

/// The policy that a title names: "Privacy policy | Acme". One word of it alone may be about something else: "Privacy fences".
pub(super) fn of_title(title: &str) -> Option<AddressUse> {
    let parts = title.split(['|', '–', '—', '·', '•', ':']).flat_map(|part| part.split(" - "));
    parts.map(words).find_map(|words| {
        let all = || words.iter().map(String::as_str);
        let of_run =
            |run: Vec<&str>| of_words(run.iter().copied()).filter(|_| run.len() > 1 || words.len() == 1);
        of_run(all().take_while(|word| is_of_name(word)).collect())
            .or_else(|| of_run(all().rev().take_while(|word| is_of_name(word)).collect()))
    })
}

/// The policy that one of the words names; that of privacy if they name both.
fn of_words<'w>(words: impl Iterator<Item = &'w str>) -> Option<AddressUse> {
    let used = |word: &str| match word {
        word if PRIVACY_WORDS.contains(&word) => Some(AddressUse::Privacy),
        word => TERMS_WORDS.contains(&word).then_some(AddressUse::Terms),
    };
    words.filter_map(used).min()
}

/// Whether a word may be in the name of a policy, or between it and its address.
fn is_of_name(word: &str) -> bool {
    [PRIVACY_WORDS, TERMS_WORDS, POLICY_NAMES, POLICY_VERBS, POLICY_PLACES]
        .iter()
        .any(|list| list.contains(&word))
}

/// The words of a text in small letters, without accents.
fn words(text: &str) -> Vec<String> {
    let mut folded = String::new();
    text.chars().for_each(|letter| fold_letter(letter, &mut folded));
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRIVACY: Option<AddressUse> = Some(AddressUse::Privacy);
    const TERMS: Option<AddressUse> = Some(AddressUse::Terms);

    #[test]
    fn the_words_before_an_address_name_a_policy() {
        for (before, expected) in [
            ("Members book online. Privacy policy: ", PRIVACY),
            ("Our privacy notice is at ", PRIVACY),
            ("[Privacy Policy](", PRIVACY),
            ("Política de privacidad: ", PRIVACY),
            ("Politique de confidentialité : ", PRIVACY),
            ("Privacy policy and terms of use: ", PRIVACY),
            ("; SMS terms - ", TERMS),
            ("Términos y condiciones: ", TERMS),
            (", terms of service: ", TERMS),
            ("We have a privacy policy. Customers book at ", None),
            ("Customers agree to the terms at ", None),
            ("Customers accept our privacy policy on ", None),
            ("They read our privacy policy and book at ", None),
            ("Privacy matters to us, and the form is at ", None),
            ("The form: ", None),
            (" and ", None),
            ("", None),
        ] {
            assert_eq!(named_before(before), expected, "{before}");
        }
    }

    #[test]
    fn a_title_names_a_policy() {
        for (title, expected) in [
            ("Privacy policy", PRIVACY),
            ("Quillback Kayak Tours – Privacy", PRIVACY),
            ("Privacy Policy of Quillback Kayak Tours", PRIVACY),
            ("Quillback's Privacy Notice", PRIVACY),
            ("Terms | Quillback", TERMS),
            ("Privacy fences in Portland", None),
            ("Book a trip", None),
            ("", None),
        ] {
            assert_eq!(of_title(title), expected, "{title}");
        }
    }
}
