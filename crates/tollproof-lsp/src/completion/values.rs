//! Values of closed lists, which other words find too.

use gen_lsp_types::{CompletionItem, CompletionItemKind, CompletionList};
use serde_json::Value;
use tollproof_core::document::Node;
use tollproof_core::{Format, Kind, nearest};
use tollproof_project::field_at;

use super::{ItemMaker, list as all};
use crate::draft::path_at;
use crate::hover::{choice_of, words};
use crate::place::{CursorPlace, Slot};
use crate::scalar::written;

/// The values of the field at a place. Those that the written text means come first.
pub(super) fn list(
    kind: Kind,
    root: &Value,
    format: Format,
    place: &CursorPlace,
    text: &str,
    maker: &mut ItemMaker<'_>,
) -> CompletionList {
    let Some(field) = field_at(root, &place.path) else { return all(Vec::new()) };
    let mut choice = choice_of(&field);
    if choice.is_empty() && field.type_name() == Some("boolean") {
        choice = vec!["true".to_owned(), "false".to_owned()];
    }
    let is_boolean = field.type_name() == Some("boolean");
    let needs_space = matches!(place.slot, Slot::Value { needs_space: true });
    let token = &text[place.token.clone()];
    let typed = bare(token);
    let close =
        nearest(token.trim_matches(['"', '\'']), choice.iter().map(String::as_str)).map(str::to_owned);
    let name = field.name().to_owned();
    let mut is_incomplete = false;
    let items = choice.iter().enumerate().map(|(order, value)| {
        let words = words(kind, &name, value);
        let match_of = match_of(&typed, value, &words, close.as_deref() == Some(value));
        let written = if is_boolean { value.clone() } else { written(value, format) };
        let written = if needs_space { format!(" {written}") } else { written };
        let rank = match_of.map_or(NO_MATCH, |it| it.0);
        let mut item = maker.item(value, written, CompletionItemKind::EnumMember, rank * 1_000 + order);
        let is_meant = match_of.is_some_and(|it| it.0 > 0) && !typed.is_empty();
        if let Some((_, Some(word))) = match_of.filter(|_| is_meant) {
            item.detail = Some(word.to_owned());
        }
        // Editors hide what does not match the text at the cursor, so an item that is meant by it repeats it.
        item.filter_text = Some(match is_meant {
            true => token.to_owned(),
            false if token.starts_with(['"', '\'']) => format!("{}{value} {}", &token[..1], words.join(" ")),
            false => format!("{value} {}", words.join(" ")),
        });
        is_incomplete |= is_meant || !words.is_empty();
        item
    });
    let items: Vec<CompletionItem> = items.collect();
    CompletionList { is_incomplete, ..all(items) }
}

/// Rates a typed text against a value, from 0, with the other word that it matches.
fn match_of<'w>(
    typed: &str,
    value: &str,
    words: &[&'w str],
    is_close: bool,
) -> Option<(usize, Option<&'w str>)> {
    let value = bare(value);
    if typed.is_empty() || value.starts_with(typed) {
        return Some((0, None));
    }
    let found = |holds: fn(&str, &str) -> bool| words.iter().find(|word| holds(&bare(word), typed)).copied();
    if let Some(word) = found(|word, typed| word == typed) {
        return Some((1, Some(word)));
    }
    if let Some(word) = found(|word, typed| word.starts_with(typed)) {
        return Some((2, Some(word)));
    }
    if is_close {
        return Some((3, None));
    }
    if typed.len() < MIN_PART {
        return None;
    }
    if let Some(word) = found(|word, typed| word.contains(typed)) {
        return Some((4, Some(word)));
    }
    // A sentence about the use case: the longest of the words in it says most.
    let within = words.iter().filter(|word| word.len() > MIN_PART && typed.contains(&bare(word)));
    within.max_by_key(|word| word.len()).map(|word| (5 + MAX_WORD - word.len().min(MAX_WORD), Some(*word)))
}

/// Shorter parts of words say nothing.
const MIN_PART: usize = 3;

/// Longer words are as good as this.
const MAX_WORD: usize = 60;

/// The rank of values that do not match.
const NO_MATCH: usize = 99;

fn bare(text: &str) -> String {
    text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The place of a cell in a table.
pub(super) fn in_cell(root: Option<&Node<'_>>, offset: usize) -> Option<CursorPlace> {
    let (path, span, is_key) = path_at(root?, offset)?;
    let slot = Slot::Value { needs_space: false };
    (!is_key).then(|| CursorPlace { path, token: span.range(), slot })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_match_too() {
        let words = ["otp", "onetimepassword"];
        let rank = |typed: &str| match_of(typed, "2FA", &words, false).map(|it| it.0);
        assert_eq!(
            ["", "2f", "otp", "one", "password", "moon"].map(rank),
            [Some(0), Some(0), Some(1), Some(2), Some(4), None]
        );
        assert!(rank("codesbyonetimepasswordtoday") > Some(4), "a sentence");
    }
}
