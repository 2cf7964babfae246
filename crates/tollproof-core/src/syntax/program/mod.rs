//! Reads drafts in programs and commands: literals that stand beside the fields of a provider.

mod calls;
mod changed;
mod found;
mod here;
mod inside;
mod items;
mod notebook;
mod order;
mod pair;
mod requests;
mod shell;
mod strings;
mod tokens;
mod values;

#[cfg(test)]
mod tests;

use std::ops::Range;

pub(super) use self::inside::Inside;
use self::strings::Piece;
use self::values::Program;
use super::drafts;
use super::language::Language;
use crate::syntax::document::{Document, Node, Value};
use crate::syntax::edit::Edit;
use crate::syntax::span::Span;

/// The drafts of a program, and its comments.
pub(super) fn read<'s>(text: &'s str, language: Option<Language>) -> (Vec<Document<'s>>, Vec<Span>) {
    let read = |language| {
        let (found, comments) = read_part(text, 0..text.len(), language);
        (drafts::documents(text, found), comments)
    };
    match language.or_else(|| Language::of_text(text)) {
        Some(language) => read(language),
        // The language in which most values are said.
        None => {
            let said = |(documents, _): &(Vec<Document<'s>>, Vec<Span>)| {
                let roots = documents.iter().filter_map(|document| document.root.as_ref());
                let members = roots.flat_map(Node::members);
                members.filter(|member| !matches!(member.value.value, Value::Computed)).count()
            };
            Language::all()
                .map(read)
                .reduce(|best, next| if said(&next) > said(&best) { next } else { best })
                .unwrap_or_default()
        }
    }
}

/// The values in a range of a text.
pub(super) fn read_part(
    text: &str,
    range: Range<usize>,
    language: Language,
) -> (Vec<drafts::Found<'_>>, Vec<Span>) {
    match language.extension() {
        "ipynb" => return notebook::read(text),
        "http" => return requests::read(text, range),
        "postman_collection" => return (requests::in_collection(text), Vec::new()),
        _ => {}
    }
    // The tests of a program in Rust are in the same file.
    let tests = text.get(range.clone()).and_then(|part| part.find("\n#[cfg(test)]\nmod "));
    let range = range.start..tests.map_or(range.end, |at| range.start + at);
    let program = Program::new(tokens::scan(text, range, language));
    let found = found::find(&program, language);
    (found, program.tokens.comments)
}

/// The begin of a string, with the letters before its first quotation mark that change its meaning.
fn begin(text: &str, span: Span) -> usize {
    let before = text.get(..span.start as usize).unwrap_or_default();
    let start = before.trim_end_matches(|c: char| c.is_ascii_alphabetic() || "$@".contains(c)).len();
    if before.len() - start <= 2 { start } else { before.len() }
}

/// The edit that changes a literal from one text to another; `None` if its place is not one whole literal, or the language
/// cannot write the text in such a literal.
pub(super) fn rewritten(
    text: &str,
    span: Span,
    language: Language,
    (old, new): (&str, &str),
) -> Option<Edit> {
    let start = begin(text, span);
    let part = text.get(start..span.end as usize)?;
    // The only string of a part, and its text.
    let only = |part: &str| {
        let tokens = tokens::scan(part, 0..part.len(), language).all;
        let mut texts = tokens.into_iter().filter(|token| token.kind == tokens::TokenKind::Text);
        let token = texts.next().filter(|_| texts.next().is_none())?;
        let said: Option<String> = token.pieces(part).iter().map(|piece| piece.character).collect();
        Some((token, said?)).filter(|(token, _)| token.end == part.len())
    };
    let (token, said) = only(part)?;
    let content = token.content();
    // A sign that is written twice is one of a recipe of make, in which others would have to be, too.
    let is_recipe = part.contains("$$");
    if language.is_inside() || is_recipe || said != old || content == (token.start..token.end) {
        return None;
    }
    let written = strings::escaped(new, token.escapes, token.holes, token.close)?;
    let whole = format!("{}{written}{}", &part[..content.start], &part[content.end..]);
    let span = Span::new(start + content.start, start + content.end);
    only(&whole).filter(|(_, said)| said == new).map(|_| Edit { span, text: written })
}

/// The characters of the strings in a range, each with its place.
pub(super) fn characters(text: &str, span: Span, language: Language) -> Vec<(usize, usize, char)> {
    let tokens = tokens::scan(text, begin(text, span)..span.end as usize, language);
    let texts = tokens.all.iter().filter(|token| token.kind == tokens::TokenKind::Text);
    let said = |piece: Piece| piece.character.map(|character| (piece.start, piece.end, character));
    let found: Vec<_> = texts.flat_map(|token| token.pieces(text)).filter_map(said).collect();
    if !found.is_empty() {
        return found;
    }
    // A text that ends with a line of its own, or a default inside another string.
    let written = text.get(span.range()).unwrap_or_default().char_indices();
    written.map(|(at, c)| (span.start as usize + at, span.start as usize + at + c.len_utf8(), c)).collect()
}
