//! `announced-keywords`: listed keywords that lack one that is announced.

use std::ops::Range;

use tollproof_data::checks::AnnouncedKeywords;
use tollproof_data::text::terms::vocabulary::computed;
use tollproof_data::text::words::hit::Hit;

use crate::checks::compare::stated;
use crate::checks::{Context, Place, Violation};
use crate::finding::Related;
use crate::text::asked::scan::Scan;

pub(super) fn check(
    check: &AnnouncedKeywords,
    place: &Place<'_>,
    context: &Context<'_>,
) -> Option<Violation> {
    place.node?;
    let values = context.kind.values(context.root, place.role);
    let texts: Vec<&str> = values.iter().filter_map(|node| node.as_str()).collect();
    let listed: Vec<&str> = texts.iter().flat_map(|text| keywords(text)).collect();
    if listed.is_empty() {
        return None;
    }
    let is_listed = |word: &str| listed.iter().any(|keyword| keyword.to_lowercase() == word.to_lowercase());
    context.values_with(&check.description).into_iter().find_map(|node| {
        let text = node.as_str()?;
        let scan = context.scan(text);
        let range =
            announced_in(check, text, &scan, context).find(|range| !is_listed(&text[range.clone()]))?;
        let keyword = &text[range.clone()];
        let related = vec![Related::here(context.inner(node, range), "announced here".into())];
        let violation = Violation { related, ..Violation::default() };
        Some(violation.fill("value", listed.join(", ").as_str()).fill("match", keyword))
    })
}

/// The keywords that a text announces, as ranges of bytes.
fn announced_in(
    check: &AnnouncedKeywords,
    text: &str,
    scan: &Scan,
    context: &Context<'_>,
) -> impl Iterator<Item = Range<usize>> {
    let announced = if scan.has_group(&check.announced.ids) {
        stated((text, scan), &check.announced, context)
    } else {
        Vec::new()
    };
    let is_capitals = |hit: &&Hit| hit.group == Some(computed::CAPITALS);
    let is_announced =
        |hit: &&Hit| announced.iter().any(|phrase| phrase.first <= hit.first && hit.last <= phrase.last);
    let is_keyword = |hit: &&Hit| {
        let word = &text[scan.words().range(hit.first, hit.last)];
        !check.except.contain(word) && !context.is_in_business_name(text, scan, hit)
    };
    let words = scan.hits().iter().filter(is_capitals).filter(is_announced).filter(is_keyword);
    words.map(|hit| scan.words().range(hit.first, hit.last)).collect::<Vec<_>>().into_iter()
}

/// The keywords in one item: a provider may take several in one text.
fn keywords(text: &str) -> impl Iterator<Item = &str> {
    let marks = |character: char| character.is_whitespace() || "\"'“”.".contains(character);
    text.split([',', ';', '/', '|', '\n']).map(move |it| it.trim_matches(marks)).filter(|it| !it.is_empty())
}
