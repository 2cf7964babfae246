//! The reasons in one sentence: clauses that are about different things, and headings that the next sentence explains.

use std::collections::BTreeMap;
use std::ops::Range;

use super::advice::ReasonMeaning;
use super::answer_reason::AnswerReason;
use super::codes::content_words;
use super::reasons::Wordings;

/// A sentence, or its clauses if they are about several fields, or name several reasons. A clause without a subject of its own has
/// that of the first one.
pub(super) fn reasons_of(
    provider: Option<&str>,
    text: &str,
    sentence: Range<usize>,
    wordings: &Wordings<'_>,
) -> Vec<AnswerReason> {
    let clauses = clauses(text, &sentence);
    let whole = || vec![AnswerReason::of(text, sentence.clone())];
    let Some(first) = clauses.first().filter(|_| clauses.len() > 1) else { return whole() };
    let first = &text[first.clone()];
    let is_bounded = clauses.len() <= MAX_CLAUSES;
    let part = |(at, clause): (usize, &Range<usize>)| {
        let reason = AnswerReason::of(text, clause.clone());
        let goes_on = at > 0 && is_bounded && ANDS.iter().any(|and| text[..clause.start].ends_with(and));
        let lead = if goes_on { lead_of(first, &reason.text) } else { None };
        let led = lead.map(|lead| format!("{lead} \u{2026} {}", reason.text));
        match led.filter(|led| Wordings::is_denied(led)) {
            Some(text) => (AnswerReason { text, ..reason }, true),
            None => (reason, false),
        }
    };
    let parts: Vec<(AnswerReason, bool)> = clauses.iter().enumerate().map(part).collect();
    let about = |(reason, is_led): &(AnswerReason, bool)| {
        if let Some(row) = wordings.by_words(&reason.text, None).filter(|row| !row.is_no_reason()) {
            let meaning = row.code.as_ref().or(row.advice.as_ref()).cloned();
            return Some((row.roles().next().map(str::to_owned), meaning, row.vague, *is_led));
        }
        if !is_bounded {
            return None;
        }
        let meaning = ReasonMeaning::of(reason, provider, None, wordings);
        // A part of a sentence resembles many.
        let is_reason = meaning.is_known() && !meaning.is_no_reason() && !meaning.is_resembled();
        is_reason.then(|| (meaning.roles().next().map(str::to_owned), Some(meaning.key()), false, *is_led))
    };
    let about: Vec<_> = parts.iter().filter_map(about).collect();
    // What is vague is one reason with what says more, unless both are said of one subject.
    let is_other = |pair: &[(Option<String>, Option<String>, bool, bool)]| {
        let vague = [pair[0].2, pair[1].2].into_iter().filter(|vague| *vague).count();
        let are_told = vague == 0 || vague == 1 && pair[1].3;
        pair[0].0 != pair[1].0
            || are_told && pair[0].1.is_some() && pair[1].1.is_some() && pair[0].1 != pair[1].1
    };
    let reasons = || parts.iter().map(|(reason, _)| reason.clone()).collect();
    if about.windows(2).any(is_other) { reasons() } else { whole() }
}

/// Of a sentence with more clauses, only the words of each are looked up.
const MAX_CLAUSES: usize = 6;

/// Words between two things that are said of one subject.
const ANDS: [&str; 3] = [" and ", " et ", " y "];

/// The fewest words of a subject that the next clause may have too, and of what goes on from its verb.
const FEWEST_WORDS: usize = 2;

/// Verbs with which reviewers say what something is, has or lacks, and the words for "not" that are before a verb.
const VERBS: &str = "does do did doesn don didn is are was were isn aren wasn weren has have had lacks lack misses fails fail needs need \
    must should cannot can could couldn contains contain includes include shows show ne n no est sont manque doit es est\u{e1} son \
    est\u{e1}n tiene tienen falta faltan carece debe tampoco";

/// Words after which the verb follows.
const BEFORE_VERB: &str = "does do did doesn don didn cannot can could couldn must should ne n no t not pas";

/// The words of the first clause that one without a subject goes on from: the subject, if the clause begins with a verb, or the
/// subject and the verb, if it has none.
fn lead_of<'t>(first: &'t str, clause: &str) -> Option<&'t str> {
    let is = |word: &str, known: &str| known.split_whitespace().any(|known| known.eq_ignore_ascii_case(word));
    let [own, others] = [words_in(first), words_in(clause)];
    let verb = own.iter().position(|word| is(&first[word.clone()], VERBS)).filter(|verb| *verb > 0)?;
    let goes_on = others.iter().position(|word| is(&clause[word.clone()], VERBS));
    let after = match goes_on {
        Some(0) => verb,
        Some(_) => return None,
        None if verb < FEWEST_WORDS || others.len() < FEWEST_WORDS => return None,
        None => {
            let mut after = verb + 1;
            while own.get(after - 1).is_some_and(|word| is(&first[word.clone()], BEFORE_VERB)) {
                after += 1;
            }
            after
        }
    };
    let end = own.get(after).map_or(first.len(), |word| word.start);
    Some(first[..end].trim_end_matches([' ', '\'', '\u{2019}']))
}

/// The clauses of a sentence, which end at a comma, a semicolon, a word for "and" or the end of a line.
fn clauses(text: &str, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = sentence.start;
    let part = &text[sentence.clone()];
    let ends = [", ", "; ", " and ", " et ", " y ", "\n"];
    let found_ends: BTreeMap<_, _> = ends.iter().flat_map(|end| part.match_indices(end)).collect();
    for (at, end) in found_ends {
        // "Message and data rates" are one thing.
        let before = part[..at].rsplit(' ').next().unwrap_or_default();
        let is_data = part[at + end.len()..].get(..4).is_some_and(|after| after.eq_ignore_ascii_case("data"));
        if is_data && ["message", "msg"].iter().any(|word| before.eq_ignore_ascii_case(word)) {
            continue;
        }
        found.push(start..sentence.start + at);
        start = sentence.start + at + end.len();
    }
    found.push(start..sentence.end);
    found.retain(|range| range.start < range.end && !text[range.clone()].trim().is_empty());
    found
}

/// The words of a text.
fn words_in(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, letter) in text.char_indices().filter(|(_, letter)| letter.is_alphanumeric()) {
        match found.last_mut().filter(|word| word.end == at) {
            Some(word) => word.end += letter.len_utf8(),
            None => found.push(at..at + letter.len_utf8()),
        }
    }
    found
}

/// Whether a sentence is a heading that the next one explains: a few words of which the next one repeats some, that mean nothing more.
pub(super) fn is_explained(
    provider: Option<&str>,
    heading: &str,
    next: &str,
    wordings: &Wordings<'_>,
) -> bool {
    let [words, others] = [heading, next].map(content_words);
    if words.len() > WORDS_OF_HEADING || !words.iter().any(|word| others.contains(word)) {
        return false;
    }
    let reasons = [heading, next].map(|text| AnswerReason::of(text, 0..text.len()));
    let [own, other] = reasons.each_ref().map(|reason| ReasonMeaning::of(reason, provider, None, wordings));
    let is_clear = other.is_known() && !other.is_no_reason() && !other.is_resembled();
    is_clear && !own.is_no_reason() && (!own.is_known() || own.key() == other.key())
}

/// The most words of a heading that say something.
const WORDS_OF_HEADING: usize = 4;
