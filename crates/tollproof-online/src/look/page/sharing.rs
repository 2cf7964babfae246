//! The sentences about sharing data, and about who gets it.

use unicode_segmentation::UnicodeSegmentation as _;

use super::super::words::{folded, words};
use super::outline::{Outline, TextBlock};
use super::sentences::bounded;

/// The longest text, in characters.
const MAX: usize = 4_000;

/// The most items of a list that are read with the line before it.
const MAX_ITEMS: usize = 20;

/// The sentences about sharing data. Those about phone numbers and messages are first where not all have room.
pub(super) fn sharing(outline: &Outline) -> String {
    let mut all = sentences(outline);
    if all.iter().map(|it| it.chars().count() + 1).sum::<usize>() > MAX {
        let is_near = |it: &String| {
            let text = folded(it);
            words().messaging.are_in(&text) || words().phone_fields.are_in(&text)
        };
        all.sort_by_key(|it| !is_near(it));
    }
    bounded(all.into_iter(), MAX)
}

/// An item of a list is half a sentence: "We never:", "sell your number". So is a question without its answer.
fn sentences(outline: &Outline) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut lead: Option<&str> = None;
    let mut items = 0;
    for block in outline.blocks.iter().filter(|block| !block.is_hidden) {
        let TextBlock { text, is_item, .. } = block;
        let start = lead.filter(|_| *is_item && items < MAX_ITEMS);
        if let Some(start) = start {
            items += 1;
            all.push(format!("{start} {text}"));
            continue;
        }
        (lead, items) = (text.trim_end().ends_with(':').then(|| last_sentence(text)), 0);
        let mut is_asked = false;
        for sentence in text.unicode_sentences().map(str::trim) {
            // The rest of the paragraph, or the next one, is the answer.
            is_asked |= all.last().is_some_and(|last| last.ends_with('?'));
            match all.last_mut().filter(|_| is_asked && !sentence.ends_with('?')) {
                Some(question) => *question += &format!(" {sentence}"),
                None => all.push(sentence.to_owned()),
            }
        }
    }
    all.retain(|sentence| words().sharing.are_in(&folded(sentence)));
    all
}

fn last_sentence(text: &str) -> &str {
    text.rsplit_once(". ").map_or(text, |(_, last)| last)
}
