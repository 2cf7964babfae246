//! Owner of a page: names and postal addresses. The title is kept apart: its parts are as often a slogan as a name.

use super::super::html::HtmlTree;
use super::super::words::folded;
use super::footer::{LONGEST_ADDRESS, LONGEST_NAME, companies, copyright_holder, postal_address};
use super::outline::{Outline, TextBlock};
use super::sentences::bounded;
use super::structured::{microdata, structured};

/// The most names, and the most postal addresses.
const MAX_NAMES: usize = 10;
const MAX_ADDRESSES: usize = 5;

/// The lines in the foot of a page that does not mark it.
const LAST: usize = 8;

/// The longest line of a foot, in bytes.
const LONGEST_FOOT: usize = 2_000;

/// The most lines read for one that may have an address.
const LINES: usize = 4;

/// The longest text about a page, and the longest heading, in characters.
const MAX_ABOUT: usize = 800;
const MAX_HEADING: usize = 160;

/// The most headings that say what a page is about.
const MAX_HEADINGS: usize = 8;

/// Subject of a page in its own words: its description and its first headings.
pub(super) fn about(outline: &Outline) -> String {
    let is_said =
        |block: &&TextBlock| block.heading > 0 && !block.is_hidden && !block.is_review && !block.in_footer;
    let headings = outline.blocks.iter().filter(is_said).map(|block| &block.text);
    let headings = headings.take(MAX_HEADINGS).map(|text| text.chars().take(MAX_HEADING).collect());
    bounded(std::iter::once(outline.description.clone()).chain(headings), MAX_ABOUT)
}

/// The names and the postal addresses on a page.
pub(super) fn identity(tree: &HtmlTree, outline: &Outline) -> (Vec<String>, Vec<String>) {
    let mut names = Vec::new();
    let mut addresses = Vec::new();
    for text in &outline.structured {
        structured(text, &mut names, &mut addresses);
    }
    for item in &outline.items {
        microdata(tree, *item, &mut names, &mut addresses);
    }
    names.extend(outline.site_names.iter().cloned());
    let shown: Vec<&TextBlock> = outline.blocks.iter().filter(|it| !it.is_hidden).collect();
    names.extend(shown.iter().filter_map(|it| copyright_holder(&it.text)));
    let foot = |at: &usize| shown[*at].in_footer || *at + LAST >= shown.len();
    let lines: Vec<&str> = shown.iter().map(|it| it.text.as_str()).collect();
    for at in (0..shown.len()).filter(foot) {
        if lines[at].len() > LONGEST_FOOT {
            continue;
        }
        names.extend(companies(lines[at]));
        addresses.extend(postal_address(&lines[at.saturating_sub(LINES)..=at]));
    }
    names.extend(titled(outline, &shown));
    (unique(names, MAX_NAMES, LONGEST_NAME), unique(addresses, MAX_ADDRESSES, LONGEST_ADDRESS))
}

/// The parts of the title with which a line in the foot of the page begins: a slogan is not repeated there. The texts of
/// links are.
fn titled(outline: &Outline, shown: &[&TextBlock]) -> Vec<String> {
    let foot: Vec<String> = shown.iter().filter(|it| it.in_footer).map(|it| folded(&it.text)).collect();
    let is_link =
        |part: &str| outline.links.iter().any(|link| link.href != "/" && folded(&link.text) == part);
    let parts = outline.title.split(['|', '–', '—', '·', '•', ':']).flat_map(|it| it.split(" - "));
    // A place may follow the name.
    let parts = parts
        .flat_map(|part| [Some(part), part.split_once(',').map(|(part, _)| part)])
        .flatten()
        .map(str::trim);
    let is_named = |part: &&str| {
        let part = folded(part);
        let begins =
            |line: &String| line.strip_prefix(&part).is_some_and(|it| !it.starts_with(char::is_alphanumeric));
        part.split(' ').count() > 1 && !is_link(&part) && foot.iter().any(begins)
    };
    parts.filter(is_named).map(str::to_owned).collect()
}

/// Texts, each once, of which none is too long.
fn unique(all: Vec<String>, most: usize, longest: usize) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for text in all {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_known = kept.iter().any(|it| it.eq_ignore_ascii_case(&text));
        if kept.len() < most && !text.is_empty() && !is_known && text.chars().count() <= longest {
            kept.push(text);
        }
    }
    kept
}
