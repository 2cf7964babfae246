//! Finds the reasons in pasted text: an e-mail, or what a console shows.

use std::collections::BTreeMap;
use std::ops::Range;

use super::answer_reason::{AnswerReason, MAX_REASONS, divided as parts};
use super::codes::{by_title, codes_in};
use super::reasons::{self, Reason};
use crate::syntax::source::Span;

/// The reasons in a text. Other sentences, such as greetings, are left out if anything is recognized. Otherwise the whole
/// text is one reason, so that it is not lost.
pub(super) fn reasons_in(provider: Option<&str>, text: &str) -> Vec<AnswerReason> {
    let lines = parts(text);
    let mut found = reasons_of_parts(provider, text, &lines);
    if found.is_empty() {
        // A sentence may go on in the next line.
        found = reasons_of_parts(provider, text, &sentences(text));
    }
    if found.is_empty() {
        found = meant(text, &sentences(text));
    }
    if found.is_empty() {
        let trimmed = text.trim();
        let start = text.len() - text.trim_start().len();
        found.push(answer_reason(trimmed, start..start + trimmed.len(), None));
    }
    found
}

/// The parts with a code or a title, each meaning once.
fn reasons_of_parts(provider: Option<&str>, text: &str, parts: &[Range<usize>]) -> Vec<AnswerReason> {
    let mut found: Vec<AnswerReason> = Vec::new();
    let mut known: Vec<&str> = Vec::new();
    for range in parts {
        if found.len() >= MAX_REASONS {
            break;
        }
        let part = &text[range.clone()];
        let codes = codes_in(provider, part);
        let titled = by_title(provider, part).map(|it| it.0);
        for code in &codes {
            let entry = super::codes::by_code(provider, code.code).or(titled);
            let meaning = entry.and_then(|it| it.equals.last()).map_or(code.code, String::as_str);
            if !known.contains(&meaning) {
                known.push(meaning);
                let around = around(text, range, range.start + code.at);
                found.push(answer_reason(&text[around.clone()], around, Some(code.code)));
            }
        }
        let titled = titled.filter(|_| codes.is_empty());
        let meaning = titled.and_then(|entry| entry.equals.last()).map(String::as_str);
        if let Some(meaning) = meaning.filter(|it| !known.contains(it)) {
            known.push(meaning);
            found.push(answer_reason(part, range.clone(), None));
        }
    }
    found
}

/// The longest text around a code, in bytes on each side.
const AROUND: usize = 300;

/// The part of a sentence around a code. Most sentences are shorter.
fn around(text: &str, sentence: &Range<usize>, at: usize) -> Range<usize> {
    let boundary = |at: usize| (0..=at).rev().find(|it| text.is_char_boundary(*it)).unwrap_or_default();
    boundary(at.saturating_sub(AROUND).max(sentence.start))..boundary((at + AROUND).min(sentence.end))
}

/// The sentences that are about a known reason, each reason once. If the clauses of a sentence are about several fields,
/// each is a reason.
fn meant(text: &str, sentences: &[Range<usize>]) -> Vec<AnswerReason> {
    let table = reasons::all();
    let mut known = Vec::new();
    let mut found = Vec::new();
    let reason_of = |range: &Range<usize>| reasons::by_words(&table, &text[range.clone()], None);
    for range in sentences {
        let clauses = clauses(text, range);
        let mut parts: Vec<(Range<usize>, &Reason)> =
            clauses.into_iter().filter_map(|it| Some((it.clone(), reason_of(&it)?))).collect();
        if parts.iter().all(|(_, it)| it.field == parts[0].1.field) {
            parts = reason_of(range).map(|reason| (range.clone(), reason)).into_iter().collect();
        }
        for (range, reason) in parts {
            if found.len() < MAX_REASONS && !known.contains(&reason) {
                known.push(reason);
                found.push(answer_reason(&text[range.clone()], range, None));
            }
        }
    }
    found
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
    found.retain(|it| it.start < it.end && !text[it.clone()].trim().is_empty());
    found
}

fn answer_reason(text: &str, range: Range<usize>, code: Option<&str>) -> AnswerReason {
    let at = Span::new(range.start, range.end);
    AnswerReason { code: code.map(str::to_owned), ..AnswerReason::text(text.to_owned(), at) }
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
    use super::reasons_in;

    fn codes_and_texts(provider: Option<&str>, text: &str) -> Vec<(Option<String>, String)> {
        reasons_in(provider, text).into_iter().map(|it| (it.code, it.text)).collect()
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
