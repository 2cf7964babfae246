//! The sentences about sharing data, and about who gets it.

use super::super::words::{folded, words};
use super::outline::{Outline, TextBlock};
use super::sentences::{about, bounded};

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

/// An item of a list is half a sentence: "We never:", "sell your number".
fn sentences(outline: &Outline) -> Vec<String> {
    let mut all = Vec::new();
    let mut lead: Option<&str> = None;
    let mut items = 0;
    for block in outline.blocks.iter().filter(|it| !it.is_hidden) {
        let TextBlock { text, is_item, .. } = block;
        let start = lead.filter(|_| *is_item && items < MAX_ITEMS);
        if let Some(start) = start {
            items += 1;
            let whole = format!("{start} {text}");
            if words().sharing.are_in(&folded(&whole)) {
                all.push(whole);
            }
            continue;
        }
        (lead, items) = (text.trim_end().ends_with(':').then(|| last_sentence(text)), 0);
        if words().sharing.are_in(&folded(text)) {
            all.extend(about(&words().sharing, &[], text));
        }
    }
    all
}

fn last_sentence(text: &str) -> &str {
    text.rsplit_once(". ").map_or(text, |(_, last)| last)
}
