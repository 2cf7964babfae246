//! Finds the reasons in pasted text: an e-mail, or what a console shows.

use std::collections::BTreeMap;
use std::ops::Range;

use super::advice::ReasonMeaning;
use super::answer_reason::{AnswerReason, MAX_REASONS, without_bullet};
use super::codes::{CodeFound, by_code, codes_in, content_words};
use super::reasons::Wordings;
use crate::syntax::source::Span;

/// The reasons in a text, and as asides what else it says, so that nothing is lost but greetings and the like. If nothing
/// is recognized in a short text, it is one reason. An earlier mail that the text quotes is not read.
pub(super) fn reasons_in(provider: Option<&str>, text: &str, wordings: &Wordings<'_>) -> Vec<AnswerReason> {
    let mut reading = Reading { provider, text, wordings, known: Vec::new(), found: Vec::new() };
    for unit in units(text) {
        if reading.found.len() >= MAX_REASONS {
            break;
        }
        reading.unit(&unit);
    }
    let mut found = reading.found;
    let is_one = found.len() < 2 && text.len() <= SHORT_ANSWER;
    if found.iter().all(|reason| reason.is_aside) && (is_one || found.is_empty()) {
        let start = text.len() - text.trim_start().len();
        found = vec![answer_reason(text, start..start + text.trim().len())];
    }
    found.truncate(MAX_REASONS);
    found
}

/// The longest text that is one reason if nothing is recognized in it, in bytes.
const SHORT_ANSWER: usize = 300;

/// Whether a text says that a number is verified, and nothing against it.
pub(super) fn is_approval(text: &str) -> bool {
    let own: String = text.split_inclusive('\n').filter(|line| !is_quoted(line.trim())).collect();
    let text = own.as_str();
    let has = |part: &str, known: &[&str]| {
        let lower = part.to_lowercase();
        lower.split(|letter: char| !letter.is_alphanumeric()).any(|word| known.contains(&word))
    };
    let approves = |part: &Range<usize>| {
        let part = &text[part.clone()];
        has(part, &APPROVED) && !has(part, &NOT_YET)
    };
    sentences(text).iter().any(approves) && !has(text, &REJECTED) && codes_in(None, text).is_empty()
}

/// Words of an approval in three languages.
const APPROVED: [&str; 10] = [
    "verified",
    "approved",
    "approuvé",
    "approuvée",
    "vérifié",
    "vérifiée",
    "aprobado",
    "aprobada",
    "verificado",
    "verificada",
];

/// Words with which such a sentence denies the approval, or names a later one.
const NOT_YET: [&str; 22] = [
    "not", "cannot", "couldn", "wasn", "isn", "unable", "must", "before", "until", "unless", "once", "if",
    "when", "pending", "never", "pas", "avant", "si", "no", "antes", "cuando", "to",
];

/// Words of a rejection.
const REJECTED: [&str; 12] = [
    "rejected",
    "rejection",
    "denied",
    "declined",
    "refused",
    "failed",
    "refusé",
    "refusée",
    "rejeté",
    "rejetée",
    "rechazado",
    "rechazada",
];

/// A paragraph, or an item of a list.
struct Unit {
    range: Range<usize>,
    is_item: bool,
}

/// The lines of a text, where one that goes on in the next is one unit with it.
fn units(text: &str) -> Vec<Unit> {
    let mut found: Vec<Unit> = Vec::new();
    // Whether the text is after a line that ends with a colon, whether the last line may go on, and how long it is.
    let (mut is_list, mut goes_on, mut length) = (false, false, 0);
    let mut start = 0;
    let is_all_quoted = text.lines().all(|line| line.trim().is_empty() || is_quoted(line.trim()));
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        // An earlier mail is history.
        let is_read = is_all_quoted || !is_quoted(bare);
        let item = if is_read && !is_header(bare) { without_bullet(bare) } else { "" };
        let at = start + line.find(item).unwrap_or_default();
        start += line.len();
        if item.is_empty() {
            is_list &= !found.last().is_some_and(|unit| unit.is_item);
            goes_on = false;
            continue;
        }
        let is_bulleted = item.len() < bare.len();
        let begins_lower = item.starts_with(char::is_lowercase);
        let is_wrapped = length >= WRAPPED || begins_lower && (length >= WRAPPED / 2 || !is_list);
        let has_code = !codes_in(None, item).is_empty();
        let is_words_of = |unit: &Unit| {
            let before = &text[unit.range.clone()];
            !has_code && content_words(before).is_empty() && !codes_in(None, before).is_empty()
        };
        let continues = goes_on && !is_bulleted && !has_code && is_wrapped;
        match found.last_mut().filter(|unit| continues || is_words_of(unit)) {
            Some(unit) => unit.range.end = at + item.len(),
            None => found.push(Unit { range: at..at + item.len(), is_item: is_bulleted || is_list }),
        }
        is_list |= item.ends_with(':') && !has_code;
        goes_on = !item.ends_with(['.', '!', '?', ';', ':']);
        length = item.len();
    }
    found
}

/// Whether a line repeats an earlier mail.
fn is_quoted(line: &str) -> bool {
    line.starts_with('>')
        || line.ends_with(" wrote:")
        || line.ends_with(" a écrit :")
        || line.ends_with(" escribió:")
}

/// Whether a line is one of the head of a mail.
fn is_header(line: &str) -> bool {
    const NAMES: [&str; 14] = [
        "from", "to", "cc", "sent", "date", "subject", "reply-to", "de", "à", "objet", "envoyé", "para",
        "asunto", "fecha",
    ];
    line.split_once(':').is_some_and(|(name, _)| NAMES.contains(&name.trim().to_lowercase().as_str()))
}

/// Lines of at least this length may be cut by the program that wrote them.
const WRAPPED: usize = 66;

/// A text that is being read.
struct Reading<'t> {
    provider: Option<&'t str>,
    text: &'t str,
    wordings: &'t Wordings<'t>,
    /// The meanings of the reasons so far.
    known: Vec<String>,
    found: Vec<AnswerReason>,
}

impl Reading<'_> {
    fn unit(&mut self, unit: &Unit) {
        let part = &self.text[unit.range.clone()];
        let codes = codes_in(self.provider, part);
        if !codes.is_empty() {
            return self.codes(part, unit.range.start, &codes);
        }
        // After a semicolon, a sentence may go on.
        let is_end = |at: &usize| {
            part[*at..].starts_with('|') || !part[at + 1..].trim_start().starts_with(char::is_lowercase)
        };
        let ends = part.match_indices([';', '|']).map(|(at, _)| at).filter(is_end).chain([part.len()]);
        let mut start = 0;
        for end in ends {
            let item = without_bullet(part[start..end].trim());
            let at = unit.range.start + start + part[start..end].find(item).unwrap_or_default();
            let is_item = unit.is_item || end < part.len() || start > 0;
            start = (end + 1).min(part.len());
            if !item.is_empty() {
                self.words(at..at + item.len(), is_item);
            }
        }
    }

    /// The codes of a unit, each with the words that belong to it.
    fn codes(&mut self, part: &str, start: usize, codes: &[CodeFound<'_>]) {
        let end = |code: &CodeFound<'_>| code.at + code.code.len();
        let says = |code: &CodeFound<'_>| {
            let after = part[end(code)..].trim_start();
            after.starts_with([':', '-', '\u{2013}'])
        };
        let leads = codes.iter().any(says)
            || codes.last().is_some_and(|last| !content_words(&part[end(last)..]).is_empty());
        for (at, code) in codes.iter().enumerate() {
            let entry = by_code(self.provider, code.code);
            let meaning = entry.and_then(|entry| entry.equals.last()).map_or(code.code, String::as_str);
            if self.known.iter().any(|known| known == meaning) {
                continue;
            }
            self.known.push(meaning.to_owned());
            let own = match (codes.len(), leads) {
                (1, _) => 0..part.len(),
                (_, true) => code.at..codes.get(at + 1).map_or(part.len(), |next| next.at),
                (_, false) => at.checked_sub(1).map_or(0, |at| end(&codes[at]))..end(code),
            };
            let around = around(part, &own, code.at);
            let words = bare(&part[around.clone()]);
            let ends = ["code", "error", "and"];
            let words = ends.iter().fold(words, |words, end| bare(words.strip_suffix(end).unwrap_or(words)));
            let begin = start + around.start + part[around].find(words).unwrap_or_default();
            let code = Some(code.code.to_owned());
            self.found.push(AnswerReason { code, ..answer_reason(self.text, begin..begin + words.len()) });
        }
    }

    /// The reasons in words: each sentence that is about one, or each clause if they are about several fields.
    fn words(&mut self, range: Range<usize>, is_item: bool) {
        let before = self.found.len();
        // What several sentences of one paragraph say is one reason.
        let mut known: Vec<String> = Vec::new();
        let mut rest = Vec::new();
        for sentence in sentences(&self.text[range.clone()]) {
            let sentence = range.start + sentence.start..range.start + sentence.end;
            if self.wordings.settles(&self.text[sentence.clone()]) {
                continue;
            }
            let clauses = clauses(self.text, &sentence);
            let about = |clause: &Range<usize>| {
                let said = self.wordings.by_words(&self.text[clause.clone()], None);
                let said = said.filter(|row| !row.is_no_reason)?;
                Some((said.field.as_str(), said.code.as_deref().filter(|_| !said.vague)))
            };
            let about: Vec<_> = clauses.iter().filter_map(about).collect();
            let is_other = |pair: &[(&str, Option<&str>)]| {
                pair[0].0 != pair[1].0 || pair[0].1.is_some() && pair[1].1.is_some() && pair[0].1 != pair[1].1
            };
            let parts = if about.windows(2).any(is_other) { clauses } else { vec![sentence] };
            for part in parts {
                let reason = answer_reason(self.text, part);
                let meaning = ReasonMeaning::of(&reason, self.provider, None, self.wordings);
                match meaning.is_known() {
                    _ if meaning.is_no_reason() => {}
                    false if self.wordings.ends(&reason.text) => {}
                    true if known.contains(&meaning.key()) => {}
                    true => {
                        known.push(meaning.key());
                        self.found.push(reason);
                    }
                    false => rest.push(reason),
                }
            }
        }
        if is_item && self.found.len() == before && !rest.is_empty() {
            self.found.push(answer_reason(self.text, range));
        } else if !is_item {
            let says_something = |reason: &AnswerReason| {
                let words = content_words(&reason.text);
                let words = words.iter().filter(|word| !OF_LETTERS.contains(&word.as_str()));
                words.count() >= FEW_WORDS && !reason.text.ends_with([':', ','])
            };
            let asides = rest.into_iter().filter(says_something);
            self.found.extend(asides.map(|reason| AnswerReason { is_aside: true, ..reason }));
        }
    }
}

/// A sentence with fewer words that say something is a greeting or a name.
const FEW_WORDS: usize = 3;

/// Beginnings of words in greetings, headings and names of services, as [`content_words`] shortens them.
const OF_LETTERS: [&str; 22] = [
    "hi", "hello", "dear", "from", "subjec", "statu", "re", "toll", "free", "tollfr", "verifi", "number",
    "reject", "twilio", "telnix", "bandwi", "aw", "amazon", "messag", "team", "end", "user",
];

/// A text without spaces and the punctuation of lists around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || ",;:-".contains(letter))
}

/// The longest text around a code, in bytes on each side.
const AROUND: usize = 300;

/// The part of a text around a code. Most sentences are shorter.
fn around(text: &str, part: &Range<usize>, at: usize) -> Range<usize> {
    let boundary = |at: usize| (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    boundary(at.saturating_sub(AROUND).max(part.start))..boundary((at + AROUND).min(part.end))
}

/// The clauses of a sentence, which end at a comma, a semicolon or a word for "and".
fn clauses(text: &str, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = sentence.start;
    let part = &text[sentence.clone()];
    let ends = [", ", "; ", " and ", " et ", " y "];
    for (at, end) in ends.iter().flat_map(|end| part.match_indices(end)).collect::<BTreeMap<_, _>>() {
        found.push(start..sentence.start + at);
        start = sentence.start + at + end.len();
    }
    found.push(start..sentence.end);
    found.retain(|range| range.start < range.end && !text[range.clone()].trim().is_empty());
    found
}

fn answer_reason(text: &str, range: Range<usize>) -> AnswerReason {
    AnswerReason::text(text[range.clone()].to_owned(), Span::new(range.start, range.end))
}

/// Whether a sentence of a text says that the submission is not to be sent again.
pub(super) fn is_final(text: &str, wordings: &Wordings<'_>) -> bool {
    sentences(text).into_iter().any(|sentence| wordings.ends(&text[sentence]))
}

/// The sentences of a text. An empty line ends a sentence, a single line break does not.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let next = bytes.get(at + 1).copied().unwrap_or(b'\n');
        let ends = match byte {
            b'.' | b'!' | b'?' => next.is_ascii_whitespace(),
            b'\n' => text[at + 1..].split('\n').next().is_none_or(|line| line.trim().is_empty()),
            _ => false,
        };
        if ends || at + 1 == bytes.len() {
            let part = &text[start..=at];
            let bare = part.trim();
            if !bare.is_empty() {
                let first = start + part.len() - part.trim_start().len();
                found.push(first..first + bare.len());
            }
            start = at + 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Wordings, reasons_in};
    use crate::lint::Linter;

    fn codes_and_texts(provider: Option<&str>, text: &str) -> Vec<(Option<String>, String)> {
        let linter = Linter::builtin();
        reasons_in(provider, text, &Wordings::new(&linter))
            .into_iter()
            .map(|reason| (reason.code, reason.text))
            .collect()
    }

    #[test]
    fn codes_and_titles_are_the_reasons_of_an_email() {
        let mail = "Hello Irene,\n\nyour verification was rejected (Atlanta, GA 30499):\n\n  1. 30498 Opt-in workflow must \
                    match submission details\n  - Error code 30510\n  - Opt-in example must be complete, branded and \
                    legible\n  * Website must be established and active\n\nPlease log in to your account to edit it.\n";
        let codes: Vec<Option<String>> = codes_and_texts(None, mail).into_iter().map(|it| it.0).collect();
        assert_eq!(codes, [Some("30498".to_owned()), Some("30510".to_owned()), None]);
    }

    #[test]
    fn short_codes_need_a_provider_or_a_word() {
        let code = |provider, text: &str| codes_and_texts(provider, text).remove(0).0;
        assert_eq!(code(None, "we send 1103 messages a day"), None);
        assert_eq!(code(Some("bandwidth"), "1103"), Some("1103".to_owned()));
        assert_eq!(code(None, "denial code 1103"), Some("1103".to_owned()));
        assert_eq!(code(None, "1103 Business Name Must Match Official Records"), Some("1103".to_owned()));
        assert_eq!(code(None, "code 1000000"), None);
        assert_eq!(code(Some("bandwidth"), "1,000 messages"), None);
    }

    #[test]
    fn sentences_without_codes_are_read_by_meaning() {
        let mail = "Dear customer, thanks for waiting.\nThe reviewer could not open the link to\nthe screenshot of your \
                    opt-in form. Kind regards";
        let found = codes_and_texts(None, mail);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].1.starts_with("The reviewer"), "{found:?}");
        let whole = codes_and_texts(None, "  Saturn is in the seventh house  ");
        assert_eq!(whole, [(None, "Saturn is in the seventh house".to_owned())]);
    }
}
