//! The sentences about sharing data, and about who gets it.

use std::collections::BTreeSet;

use unicode_segmentation::UnicodeSegmentation as _;

use super::super::words::{folded, words};
use super::outline::{Outline, TextBlock};
use super::sentences::bounded;

/// The longest text, in characters.
const MAX: usize = 4_000;

/// The longest text of a policy for a reader, its longest sentence and heading, in bytes and characters.
const MAX_POLICY: usize = 2_000;
const MAX_SENTENCE: usize = 600;
const MAX_HEADING: usize = 200;

/// The most items of a list that are read with the line before it.
const MAX_ITEMS: usize = 20;

/// The sentences about sharing data. Those about phone numbers and messages are first where not all have room.
pub(super) fn sharing(outline: &Outline) -> String {
    let mut all: Vec<String> = sentences(outline).into_iter().map(|sentence| sentence.text).collect();
    all.retain(|sentence| words().sharing.are_in(&folded(sentence)));
    if all.iter().map(|sentence| sentence.chars().count() + 1).sum::<usize>() > MAX {
        all.sort_by_key(|sentence| !is_near(&folded(sentence)));
    }
    bounded(all.into_iter(), MAX)
}

/// Sentences of a policy about sharing data, phone numbers and text messages: the sentences with those beside them, in their order,
/// below their headings. Where not all have room, those about sharing numbers stay. A policy that says nothing of sharing in words
/// that are known here, or is in another language, is kept whole if it is short.
pub(super) fn policy(outline: &Outline, language: &str) -> String {
    let mut all = sentences(outline);
    let is_read = LANGUAGES.contains(&language);
    let ranks: Vec<usize> =
        all.iter().map(|sentence| if is_read { rank(&sentence.text) } else { OTHER }).collect();
    let is_beside = |at: usize| {
        let mut near = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        near.any(|near| ranks.get(near).is_some_and(|rank| *rank < OTHER))
    };
    let size =
        |PolicySentence { text, heading }: &PolicySentence<'_>| text.len() + heading.map_or(0, str::len) + 2;
    let is_whole = ranks.iter().all(|rank| *rank > 1) && all.iter().map(size).sum::<usize>() <= MAX_POLICY;
    let mut order: Vec<usize> =
        (0..all.len()).filter(|at| is_whole || ranks[*at] < OTHER || is_beside(*at)).collect();
    order.sort_by_key(|at| ranks[*at]);
    let (mut left, mut kept) = (MAX_POLICY, BTreeSet::new());
    for at in order {
        let sentence = &mut all[at];
        sentence.text = sentence.text.chars().take(MAX_SENTENCE).collect();
        if let Some(rest) = left.checked_sub(size(sentence)) {
            left = rest;
            kept.insert(at);
        }
    }
    let mut headed = None;
    let lines = kept.into_iter().flat_map(|at| {
        let PolicySentence { text, heading } = &all[at];
        let is_new = std::mem::replace(&mut headed, *heading) != *heading;
        [heading.filter(|_| is_new).map(str::to_owned), Some(text.clone())]
    });
    bounded(lines.flatten(), MAX_POLICY)
}

/// A sentence, and the heading that it is below.
struct PolicySentence<'o> {
    heading: Option<&'o str>,
    text: String,
}

/// Rank of a sentence about sharing numbers: 0 most, [`OTHER`] nothing.
fn rank(sentence: &str) -> usize {
    let text = folded(sentence);
    match (words().sharing.are_in(&text), is_near(&text)) {
        (true, true) => 0,
        (true, false) => 1,
        (false, true) => 2,
        (false, false) => OTHER,
    }
}

/// The rank of a sentence about something else.
const OTHER: usize = 3;

/// The languages whose words are known here; empty if nothing tells the language of a page.
const LANGUAGES: [&str; 4] = ["", "en", "fr", "es"];

/// Whether a sentence is about phone numbers or text messages.
fn is_near(folded: &str) -> bool {
    words().messaging.are_in(folded) || words().phone_fields.are_in(folded)
}

/// An item of a list is half a sentence: "We never:", "sell your number". So is a question without its answer.
fn sentences(outline: &Outline) -> Vec<PolicySentence<'_>> {
    let mut all: Vec<PolicySentence<'_>> = Vec::new();
    let (mut heading, mut lead): (Option<&str>, Option<&str>) = (None, None);
    let mut items = 0;
    for block in outline.blocks.iter().filter(|block| !block.is_hidden) {
        let TextBlock { text, is_item, .. } = block;
        if block.heading > 0 {
            heading = Some(text).filter(|text| text.len() <= MAX_HEADING).map(String::as_str);
        }
        let start = lead.filter(|_| *is_item && items < MAX_ITEMS);
        if let Some(start) = start {
            items += 1;
            all.push(PolicySentence { heading, text: format!("{start} {text}") });
            continue;
        }
        (lead, items) = (text.trim_end().ends_with(':').then(|| last_sentence(text)), 0);
        let mut is_asked = false;
        for sentence in text.unicode_sentences().map(str::trim) {
            // The rest of the paragraph, or the next one, is the answer.
            is_asked |= all.last().is_some_and(|last| last.text.ends_with('?'));
            match all.last_mut().filter(|_| is_asked && !sentence.ends_with('?')) {
                Some(question) => question.text += &format!(" {sentence}"),
                None => all.push(PolicySentence { heading, text: sentence.to_owned() }),
            }
        }
    }
    all
}

fn last_sentence(text: &str) -> &str {
    text.rsplit_once(". ").map_or(text, |(_, last)| last)
}
