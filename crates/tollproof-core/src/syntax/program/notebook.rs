//! Programs in the strings of JSON, as notebooks have them.

use super::inside::Inside;
use super::read_part;
use super::tokens::{TokenKind, scan};
use crate::syntax::drafts::Found;
use crate::syntax::language::Language;
use crate::syntax::span::Span;

/// The drafts in the cells of a notebook with code, and the comments there.
pub(super) fn read(text: &str) -> (Vec<Found<'_>>, Vec<Span>) {
    let (Some(json), Some(python)) = (Language::named("json"), Language::named("py")) else {
        return Default::default();
    };
    let tokens = scan(text, 0..text.len(), json).all;
    let said =
        |at: usize| tokens.get(at).and_then(|token| text.get(token.start..token.end)).unwrap_or_default();
    let (mut inside, mut is_code) = (Inside::new(text), false);
    for at in (0..tokens.len()).filter(|at| said(at + 1) == ":") {
        match said(at) {
            "\"cell_type\"" => is_code = said(at + 2) == "\"code\"",
            "\"source\"" if is_code => {
                let last = tokens.get(at + 2).map_or(at, |token| token.pair.max(at + 2));
                let lines = tokens.get(at + 2..=last).unwrap_or_default().iter();
                lines.filter(|token| token.kind == TokenKind::Text).for_each(|line| inside.add_string(line));
            }
            _ => {}
        }
    }
    let (found, comments) = read_part(&inside.code, 0..inside.code.len(), python);
    let comments = comments.into_iter().map(|comment| inside.span(comment));
    (found.iter().map(|found| inside.found(found)).collect(), comments.collect())
}
