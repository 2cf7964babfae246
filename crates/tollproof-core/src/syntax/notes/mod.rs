//! Reads drafts in notes: pairs of label and value in Markdown, plain text and mails.

mod alone;
mod block;
mod columns;
mod compose;
mod copied;
mod html;
mod label;
mod line;
mod mail;
mod markdown;
mod markup;
mod object;
mod pair;
mod plain;
mod read;
mod talk;
mod value;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::Path;

use self::label::{Meaning, meaning};
use self::markup::Markup;
use super::drafts::{self, Found};
use super::language::Language;
use super::program::read_part;
use crate::syntax::document::Document;
use crate::syntax::span::Span;

/// Whether a text is a page in HTML.
fn is_page(text: &str) -> bool {
    let begin = text.trim_start();
    ["<!doctype html", "<html"]
        .iter()
        .any(|mark| begin.get(..mark.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(mark)))
}

/// Whether a text without a telling name is written as notes.
pub(super) fn seems_notes(text: &str) -> bool {
    let has = |mark: &str| text.contains(mark);
    is_page(text)
        || has("\nh2. ")
        || has("\nh3. ")
        || text.starts_with("# ") && (has("\n## ") || has("\n**") || has("| --- |") || has("|---|"))
}

/// Whether a text has enough lines with the labels of different fields before their values.
pub(super) fn has_labels(text: &str) -> bool {
    const LEAST: usize = 4;
    const LONGEST: usize = 60;
    const LINES: usize = 200;
    let mut roles = BTreeSet::new();
    text.lines().take(LINES).any(|line| {
        let parts =
            line.split_once(':').filter(|(label, value)| label.len() <= LONGEST && !value.trim().is_empty());
        if let Some(Meaning::Role(role)) = parts.and_then(|(label, _)| meaning(label, false)) {
            roles.insert(role);
        }
        roles.len() >= LEAST
    })
}

/// The comments of Markdown and HTML.
pub(super) fn comments(text: &str) -> Vec<Span> {
    let found = text.match_indices("<!--").take(10_000);
    let end = |start: usize| text[start..].find("-->").map_or(text.len(), |end| start + end + 3);
    found
        .filter(|(at, _)| text[at + 4..].trim_start().starts_with("tollproof"))
        .map(|(at, _)| Span::new(at, end(at)))
        .collect()
}

/// The drafts in notes, in the names of a provider if they name none.
pub(super) fn read<'s>(text: &'s str, path: &Path, provider: Option<&str>) -> Vec<Document<'s>> {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    let extension = extension.to_str().unwrap_or_default();
    match mail::body(text).filter(|_| matches!(extension, "" | "txt" | "eml")) {
        Some((body, is_page)) => {
            let documents = of_text(&body.code, if is_page { "html" } else { "txt" }, provider);
            documents.into_iter().map(|document| body.document(document)).collect()
        }
        None => of_text(text, extension, provider),
    }
}

/// The drafts in notes with an extension, as a person reads them.
fn of_text<'s>(text: &'s str, extension: &str, provider: Option<&str>) -> Vec<Document<'s>> {
    let markup = Markup::named(extension);
    let plain = |text: &str| talk::lines(text).unwrap_or_else(|| plain::lines(text, Markup::Plain));
    let own = |lines| (lines, Vec::new());
    let (lines, targets) = match extension {
        "txt" | "eml" => own(plain(text)),
        "textile" => own(plain::lines(text, markup)),
        _ if markup != Markup::Plain => own(plain::lines(text, markup)),
        "html" | "htm" => own(html::lines(text)),
        "md" | "markdown" => markdown::lines(text),
        _ if is_page(text) => own(html::lines(text)),
        _ => talk::lines(text).map_or_else(|| markdown::lines(text), own),
    };
    let reading = read::read(&copied::lines(lines));
    let code = |(language, span): &(String, Span)| {
        let language =
            Language::named(language).unwrap_or_else(|| Language::named("sh").expect("it is in the table"));
        read_part(text, span.range(), language).0
    };
    let programs: Vec<Found<'s>> = reading.code.iter().flat_map(code).collect();
    let mut documents = compose::documents(text, (&reading.entries, &targets), provider);
    if documents.is_empty() || !programs.is_empty() {
        let others = drafts::documents(text, programs);
        let is_found =
            |document: &Document<'_>| document.root.as_ref().is_some_and(|root| !root.members().is_empty());
        documents.extend(others.into_iter().filter(is_found));
    }
    if documents.is_empty() {
        documents.push(drafts::nothing(text));
    }
    documents.sort_by_key(|document| document.root.as_ref().map(|root| root.span.start));
    for (index, document) in documents.iter_mut().enumerate() {
        document.index = index;
    }
    documents
}
