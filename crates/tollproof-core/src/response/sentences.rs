//! Paragraphs, sentences and clauses of pasted text.

use std::ops::Range;

use super::answer_reason::without_bullet;
use super::codes::{codes_in, content_words};

/// A paragraph, or an item of a list.
pub(super) struct AnswerUnit {
    pub(super) range: Range<usize>,
    pub(super) is_item: bool,
    is_bulleted: bool,
}

/// The lines of a text, where one that goes on in the next is one unit with it.
pub(super) fn units(text: &str) -> Vec<AnswerUnit> {
    let mut found: Vec<AnswerUnit> = Vec::new();
    // Whether the text is after a line that ends with a colon, whether the last line may go on, and how long it is.
    let (mut is_list, mut goes_on, mut length) = (false, false, 0);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let item = without_bullet(bare);
        let at = start + line.find(item).unwrap_or_default();
        start += line.len();
        if item.is_empty() {
            is_list &= !found.last().is_some_and(|unit| unit.is_item);
            goes_on = false;
            continue;
        }
        let is_bulleted = item.len() < bare.len() || item.starts_with('|');
        let begins_lower = item.starts_with(char::is_lowercase);
        let is_wrapped = length >= WRAPPED || begins_lower && (length >= WRAPPED / 2 || !is_list);
        let has_code = !codes_in(None, item).is_empty();
        let is_words_of = |unit: &AnswerUnit| {
            let before = &text[unit.range.clone()];
            !has_code && content_words(before).is_empty() && !codes_in(None, before).is_empty()
        };
        let label = |text: &str| text.split_once(": ").map(|(label, _)| label.to_lowercase());
        let is_next = label(item).is_some_and(|own| {
            found.last().is_some_and(|unit| label(&text[unit.range.clone()]) == Some(own))
        });
        // Rows of a table begin with the same number.
        let first = |text: &str| text.split_whitespace().next().map(str::to_owned);
        let is_row =
            first(item).filter(|word| word.contains(|letter: char| letter.is_ascii_digit())).is_some_and(
                |own| found.last().is_some_and(|unit| first(&text[unit.range.clone()]) == Some(own)),
            );
        // Spaces are in place of the time and the name before a message of a chat.
        let is_message = line.len() - line.trim_start().len() >= SPEAKER;
        let continues =
            goes_on && !is_bulleted && !has_code && is_wrapped && !is_next && !is_row && !is_message;
        match found.last_mut().filter(|unit| continues || is_words_of(unit)) {
            Some(unit) => unit.range.end = at + item.len(),
            None => {
                // A line without a bullet after some with one is after the list.
                is_list &= is_bulleted || !found.last().is_some_and(|unit| unit.is_bulleted);
                let range = at..at + item.len();
                found.push(AnswerUnit { range, is_item: is_bulleted || is_list, is_bulleted });
            }
        }
        is_list |= item.ends_with(':') && !has_code && !is_greeting(item);
        goes_on = !item.ends_with(['.', '!', '?', ';', ':']);
        length = item.len();
    }
    found
}

/// Whether a line greets.
fn is_greeting(line: &str) -> bool {
    const WORDS: [&str; 11] = [
        "dear",
        "hi",
        "hello",
        "bonjour",
        "cher",
        "ch\u{e8}re",
        "madame",
        "monsieur",
        "estimado",
        "estimada",
        "hola",
    ];
    let first = line.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    WORDS.contains(&first.to_lowercase().as_str())
}

/// More spaces than a line is indented by.
const SPEAKER: usize = 12;

/// Lines of at least this length may be cut by the program that wrote them.
pub(super) const WRAPPED: usize = 66;

/// The value in a line that names a status, such as "Registration status: REQUIRES_UPDATES".
pub(super) fn status_of(line: &str) -> Option<&str> {
    const NAMES: [&str; 4] = ["status", "statut", "estado", "\u{e9}tat"];
    const FEW: usize = 4;
    let (name, value) = line.split_once(':')?;
    let is_name = |word: &str| NAMES.contains(&word.to_lowercase().as_str());
    let is_short = |part: &str| part.split_whitespace().count() <= FEW;
    (is_short(name) && is_short(value) && name.split_whitespace().any(is_name)).then_some(value)
}

/// The sentences of a text. An empty line ends a sentence, a single line break does not, and a slash does between two
/// sentences: mails say the same in two languages.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let next = bytes.get(at + 1).copied().unwrap_or(b'\n');
        let ends = match byte {
            b'.' => next.is_ascii_whitespace() && !is_abbreviation(&text[start..at], &text[at + 1..]),
            _ if text.get(..=at).is_some_and(ends_quotation) => begins_sentence(&text[at + 1..]),
            b'!' | b'?' => next.is_ascii_whitespace(),
            b'\n' => text[at + 1..].split('\n').next().is_none_or(|line| line.trim().is_empty()),
            b'/' => next == b' ' && are_sentences(&text[start..at], &text[at + 1..]),
            _ => false,
        };
        if ends || at + 1 == bytes.len() {
            let part = &text[start..=at];
            let bare = part.trim().trim_end_matches(" /");
            if !bare.is_empty() {
                let first = start + part.len() - part.trim_start().len();
                found.push(first..first + bare.len());
            }
            start = at + 1;
        }
    }
    found
}

/// Whether a text ends with a quotation that ends with a period.
fn ends_quotation(text: &str) -> bool {
    let quoted = text.strip_suffix(['"', '\u{201d}', '\u{bb}']);
    quoted.is_some_and(|quoted| quoted.ends_with('.'))
}

/// Whether a sentence begins after a space.
fn begins_sentence(text: &str) -> bool {
    text.strip_prefix(' ').is_some_and(|text| text.trim_start().starts_with(char::is_uppercase))
}

/// Whether the period after a word does not end its sentence: "Mr. Ruiz", and "Patitas Inc." before what goes on with it.
fn is_abbreviation(before: &str, after: &str) -> bool {
    const TITLES: [&str; 9] = ["mr", "mrs", "ms", "dr", "sr", "sra", "e.g", "i.e", "vs"];
    const FORMS: [&str; 12] =
        ["inc", "corp", "co", "ltd", "ltée", "llc", "cía", "cia", "bros", "st", "etc", "approx"];
    let word = before.rsplit(|letter: char| letter.is_whitespace() || "(\"\u{201c}".contains(letter)).next();
    let word = word.unwrap_or_default().to_lowercase();
    let is_end = || after.trim().is_empty() || after.trim_start().starts_with(char::is_uppercase);
    TITLES.contains(&word.as_str()) || FORMS.contains(&word.as_str()) && !is_end()
}

/// Whether what is before and after a slash says enough to be a sentence each.
fn are_sentences(before: &str, after: &str) -> bool {
    const MOST: usize = 300;
    const FEWEST_WORDS: usize = 3;
    let end = after.char_indices().nth(MOST).map_or(after.len(), |(end, _)| end);
    let after = after[..end].lines().next().unwrap_or_default();
    before.len() <= MOST && [before, after].iter().all(|part| content_words(part).len() >= FEWEST_WORDS)
}

/// Whether a sentence says that it names one more reason.
pub(super) fn adds(sentence: &str) -> bool {
    const WORDS: [&str; 16] = [
        "and",
        "also",
        "additionally",
        "addition",
        "furthermore",
        "besides",
        "too",
        "et",
        "aussi",
        "outre",
        "plus",
        "y",
        "adem\u{e1}s",
        "tambi\u{e9}n",
        "tampoco",
        "\u{e9}galement",
    ];
    let first = sentence.split(|letter: char| !letter.is_alphanumeric()).take(4);
    first.map(str::to_lowercase).any(|word| WORDS.contains(&word.as_str()))
}

/// Whether a line asks for what a list after it names, and says little else.
pub(super) fn asks(line: &str) -> bool {
    const WORDS: [&str; 18] = [
        "provide",
        "missing",
        "add",
        "send",
        "include",
        "need",
        "find",
        "supply",
        "attach",
        "fournir",
        "fournissez",
        "ajouter",
        "manque",
        "envoyer",
        "falta",
        "faltan",
        "agregue",
        "proporcione",
    ];
    let words = content_words(line);
    let mut asked = WORDS.iter().flat_map(|word| content_words(word));
    words.len() <= FEW_WORDS && asked.any(|word| words.contains(&word))
}

/// A line that only asks has at most as many words that say something.
const FEW_WORDS: usize = 4;

#[cfg(test)]
mod tests {
    use super::units;

    #[test]
    fn messages_of_a_chat_are_read_apart() {
        let speaker = " ".repeat("[14:04] Agent (Max): ".len());
        let chat = format!(
            "{speaker}the script that your agents read is missing\n{speaker}and people have to confirm with YES"
        );
        assert_eq!(units(&chat).len(), 2);
        assert_eq!(units("  the script that your agents read\n  is missing").len(), 1);
    }
}
