//! Codes and short texts of providers, looked up by the code, the title or the words of an answer.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::sync::LazyLock;

use tollproof_data::code_table::{CodeEntry, CodeSeries, CodeTable, squeezed_name};

use super::answer_reason::MAX_REASONS;
use crate::prepared::PREPARED;

/// The table of answers and codes, decoded when the first answer is explained, so that a check does not pay for it.
pub(crate) fn table() -> &'static CodeTable {
    &PREPARED.codes
}

/// The title of a provider, as its owner writes it.
pub(super) fn title_of(provider: &str) -> Option<&'static str> {
    table().providers.get(provider).map(|it| it.title.as_str())
}

/// The entries, those of `provider` first, then from the largest list of codes to the smallest.
fn entries(provider: Option<&str>) -> impl Iterator<Item = &'static CodeEntry> {
    let is_own = move |entry: &&CodeEntry| provider == Some(entry.provider.as_str());
    let provider = provider.map(str::to_owned);
    let others = table().codes.iter().rev().filter(move |code| provider.as_deref() != Some(&code.provider));
    table().codes.iter().filter(is_own).collect::<Vec<_>>().into_iter().chain(others)
}

/// The entries with a meaning of their own, from the largest list of codes to the smallest.
pub(super) fn meanings() -> impl Iterator<Item = &'static CodeEntry> {
    entries(None).filter(|entry| entry.equals.last() == Some(&entry.code))
}

/// The entry of a code, or of a short text that a provider has instead of a code.
///
/// Codes of five digits are known to all providers. Shorter codes need a provider.
pub(super) fn by_code(provider: Option<&str>, code: &str) -> Option<&'static CodeEntry> {
    let code = squeezed_name(code);
    let is_meant = |entry: &&CodeEntry| {
        let is_title = code.len() > LONGEST_CODE && squeezed_name(&entry.title) == code;
        let is_code = squeezed_name(&entry.code) == code;
        is_title || is_code && (code.len() > SHORT_CODE || provider == Some(entry.provider.as_str()))
    };
    entries(provider).find(is_meant)
}

/// The entry of a short code if the provider is not known; those who share such codes mean the same.
pub(super) fn of_any(provider: Option<&str>, code: &str) -> Option<&'static CodeEntry> {
    table().codes.iter().rev().find(|entry| provider.is_none() && entry.code == code)
}

/// The entry of a provider with the same meaning; the entry itself if it has none.
pub(super) fn at_provider(provider: Option<&str>, entry: &'static CodeEntry) -> &'static CodeEntry {
    let is_same = |other: &&CodeEntry| other.equals.last() == entry.equals.last();
    entries(provider)
        .take_while(|entry| provider == Some(entry.provider.as_str()))
        .find(is_same)
        .unwrap_or(entry)
}

/// The series of a code, if it is of one that has a description.
pub(super) fn series_of(code: &str) -> Option<&'static CodeSeries> {
    table().series.iter().find(|series| series.has(code))
}

/// The words of a text beside the title of a code.
pub(super) fn beside_title<'t>(text: &'t str, entry: &CodeEntry) -> Cow<'t, str> {
    // The bytes of both are those of the text and the titles.
    let lower = text.to_ascii_lowercase();
    let titles = std::iter::once(&entry.title).chain(&entry.also);
    let found =
        titles.filter_map(|title| Some((lower.find(&title.to_ascii_lowercase())?, title.len()))).max();
    match found {
        Some((at, len)) => Cow::Owned(format!("{} {}", &text[..at], &text[at + len..])),
        None => Cow::Borrowed(text),
    }
}

/// The lengths of the longest code, and of the longest code that only some providers use.
pub(super) const LONGEST_CODE: usize = 5;
const SHORT_CODE: usize = 4;

/// The match of a text with a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certainty {
    /// The code or the whole title is there.
    Certain,
    /// Most words of the title are there.
    Probable,
}

/// The entry whose title a text contains or resembles.
pub(super) fn by_title(provider: Option<&str>, text: &str) -> Option<(&'static CodeEntry, Certainty)> {
    let whole = squeezed_name(text.trim().trim_end_matches('.'));
    if let Some(entry) = entries(provider).find(|entry| squeezed_name(&entry.title) == whole) {
        return Some((entry, Certainty::Certain));
    }
    let words_of_text = content_words(text);
    if words_of_text.is_empty() || words_of_text.len() > LONGEST_TITLE {
        return None;
    }
    let mut best: Option<(&CodeEntry, usize, &Vec<String>)> = None;
    let is_own = |entry: &CodeEntry| provider == Some(entry.provider.as_str());
    for (entry, words) in TITLES.iter() {
        let found = words.iter().filter(|&word| words_of_text.contains(word)).count();
        let is_enough = found >= 2 && found * 4 >= words.len() * 3;
        let is_better = best.is_none_or(|(known, most, of)| {
            (found * of.len(), found, is_own(entry)) > (most * words.len(), most, is_own(known))
        });
        if is_enough && is_better {
            best = Some((entry, found, words));
        }
    }
    // A text with many other words may be about something else.
    let (entry, found, of) = best?;
    // Words between those of a title say something else: an "opt-in image provided" is not an opt-in that is not provided.
    let is_together = || words_of_text.windows(of.len()).any(|words| words == of.as_slice());
    let certainty = match found == of.len() && words_of_text.len() <= found + 3 && is_together() {
        true => Certainty::Certain,
        false if words_of_text.len() <= found * 2 + 4 => Certainty::Probable,
        false => return None,
    };
    Some((entry, certainty))
}

/// The words of each title, those of the largest list of codes first.
static TITLES: LazyLock<Vec<(&CodeEntry, Vec<String>)>> = LazyLock::new(|| {
    let titles = |entry: &'static CodeEntry| std::iter::once(&entry.title).chain(&entry.also);
    entries(None).flat_map(|entry| titles(entry).map(move |title| (entry, content_words(title)))).collect()
});

/// A text with more words than this is not a title.
const LONGEST_TITLE: usize = 40;

/// Words that say little about a reason.
const LITTLE: [&str; 34] = [
    "a", "an", "the", "is", "are", "was", "be", "been", "must", "has", "have", "to", "for", "of", "in", "on",
    "at", "and", "or", "with", "by", "your", "our", "we", "you", "this", "that", "it", "its", "not", "no",
    "code", "reason", "error",
];

/// The words of a text that say something, shortened so that forms of one word are equal, each once.
pub(super) fn content_words(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let joined = JOINED.iter().fold(text, |text, (apart, together)| text.replace(apart, together));
    let mut words: Vec<String> = Vec::new();
    for word in joined.split(|it: char| !it.is_alphanumeric()) {
        let is_number = word.bytes().all(|it| it.is_ascii_digit());
        if is_number || LITTLE.contains(&word) {
            continue;
        }
        let stem: String =
            word.chars().take(6).map(|character| if character == 'y' { 'i' } else { character }).collect();
        let stem = stem.strip_suffix('s').filter(|it| it.len() > 2).unwrap_or(&stem).to_owned();
        if !words.contains(&stem) {
            words.push(stem);
        }
    }
    words
}

/// Words that are written apart or together.
const JOINED: [(&str, &str); 8] = [
    ("opt-in", "optin"),
    ("opt in", "optin"),
    ("e-mail", "email"),
    ("pre-select", "preselect"),
    ("check-box", "checkbox"),
    ("non-secure", "nonsecure"),
    ("log-in", "login"),
    ("third-party", "third party"),
];

/// Whether only one provider has this title.
pub(super) fn is_title_of_one(entry: &CodeEntry) -> bool {
    let title = squeezed_name(&entry.title);
    !table().codes.iter().any(|code| code.provider != entry.provider && squeezed_name(&code.title) == title)
}

/// Whether a text contains the title of an entry.
pub(super) fn has_title(text: &str, entry: &CodeEntry) -> bool {
    squeezed_name(text).contains(&squeezed_name(&entry.title))
}

/// Whether a text has a word of the title of an entry.
pub(super) fn resembles(text: &str, entry: &CodeEntry) -> bool {
    let words_of_text = content_words(text);
    let titles = std::iter::once(&entry.title).chain(&entry.also);
    titles.flat_map(|title| content_words(title)).any(|word| words_of_text.contains(&word))
}

/// The provider that a text names, or the one to whose list a code in it belongs.
pub(super) fn provider_in(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
    let named = words.find_map(|word| {
        let mut providers = table().providers.iter();
        providers.find(|(_, it)| it.names.iter().any(|name| name == word)).map(|(name, _)| name.as_str())
    });
    let of_code = || codes_in(None, text).into_iter().find_map(|found| by_code(None, found.code));
    named.or_else(|| Some(of_code()?.provider.as_str()))
}

/// A code in a text, known or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CodeFound<'t> {
    pub(super) code: &'t str,
    /// Its first byte in the text.
    pub(super) at: usize,
}

/// The codes in a text.
///
/// Five digits from 30400 to 30999 and known ones from 18600 are a code, unless they are a postal code in Georgia or
/// Pennsylvania, and so are names in capitals such as `OPT_IN_MISSING`. Three or four digits are one only if a provider with such codes is known, a word such as "code" is before them, or the text has the title.
pub(super) fn codes_in<'t>(provider: Option<&str>, text: &'t str) -> Vec<CodeFound<'t>> {
    let mut found: Vec<CodeFound<'t>> = Vec::new();
    let title = LazyCell::new(|| by_title(provider, text).map(|it| it.0));
    let (mut before, mut second) = ("", "");
    let mut at = 0;
    for word in text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_') {
        let start = at;
        at += word.len() + text[at + word.len()..].chars().next().map_or(0, char::len_utf8);
        if word.is_empty() {
            continue;
        }
        let is_number = word.bytes().all(|it| it.is_ascii_digit());
        let is_in_number =
            |character: Option<char>| character.is_some_and(|sign| matches!(sign, '.' | ',' | '$' | '+'));
        let after = text[start + word.len()..].chars().next();
        let follows_digit = text[start + word.len()..].chars().nth(1).is_some_and(|it| it.is_ascii_digit());
        let is_part = is_in_number(text[..start].chars().next_back())
            && before.ends_with(|it: char| it.is_ascii_digit())
            || is_in_number(after) && follows_digit
            || after == Some('-') && follows_digit;
        let is_named = || series_of(word).is_some() || table().codes.iter().any(|entry| entry.code == word);
        let is_code = match word.len() {
            _ if is_part => false,
            _ if word.contains('_') => is_named(),
            _ if !is_number => false,
            5 if is_state(before) => false,
            5 if word.starts_with("186") => {
                table().codes.iter().any(|entry| entry.code == word) || is_called_code([before, second])
            }
            5 => word.starts_with("30") && word.as_bytes()[2] > b'3',
            3 | 4 => is_short_code(provider, word, [before, second], &title),
            _ => false,
        };
        if is_code && found.iter().all(|known| known.code != word) {
            found.push(CodeFound { code: word, at: start });
        }
        if found.len() == MAX_REASONS {
            break;
        }
        (second, before) = (before, word);
    }
    found
}

/// Postal codes from 30400 to 30999 are in Georgia, and those from 18600 in Pennsylvania.
fn is_state(word: &str) -> bool {
    ["GA", "Georgia", "PA", "Pennsylvania"].contains(&word)
}

/// Whether one of the words before a number calls it a code.
fn is_called_code(before: [&str; 2]) -> bool {
    let names = ["code", "codes", "statuscode", "denial", "reason", "error"];
    before.iter().any(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name)))
}

fn is_short_code(
    provider: Option<&str>,
    word: &str,
    before: [&str; 2],
    title: &LazyCell<Option<&'static CodeEntry>, impl FnOnce() -> Option<&'static CodeEntry>>,
) -> bool {
    let mut known = table().codes.iter().filter(|entry| entry.code == word).peekable();
    let is_of_provider =
        known.peek().is_some() && known.clone().any(|entry| Some(entry.provider.as_str()) == provider);
    let has_title = || title.is_some_and(|entry| entry.equals.iter().any(|it| it == word));
    is_called_code(before) && (known.peek().is_some() || word.len() == SHORT_CODE)
        || is_of_provider
        || known.peek().is_some() && has_title()
}
