//! Signs that a page is not that of a business, or could not be seen.

use std::sync::OnceLock;

use regex::Regex;
use tollproof_core::seen::PageSign;
use unicode_segmentation::UnicodeSegmentation as _;
use url::Url;

use super::super::html::{HtmlTree, NodeId};
use super::super::words::{TermPattern, folded, words};
use super::forms::Forms;
use super::outline::{Outline, TextBlock};

/// A page with more words is a page of its own, whatever it says beside.
const FEW_WORDS: u32 = 150;

/// A log-in page has no more words.
const MAX_LOG_IN_WORDS: u32 = 200;

/// Fewer words than this may be all that a page shows without scripts.
const EMPTY: u32 = 12;
const ALMOST_EMPTY: u32 = 60;

/// The fewest repeats of a text for a layout on a page that is not finished.
const FILLER: usize = 2;

/// The most words of a line that says that something comes soon, and the most such lines.
const MAX_SOON: usize = 6;

/// The fewest words of a line beyond a name.
const SENTENCE: usize = 8;

/// The signs of a page.
pub(super) fn signs(
    url: &Url,
    tree: &HtmlTree,
    outline: &Outline,
    forms: &Forms,
    count: u32,
) -> Vec<PageSign> {
    let words = words();
    let shown = shown(outline);
    let title = folded(&outline.title);
    let has = |terms: &TermPattern| terms.are_in(&title) || terms.are_in(&shown);
    let host = url.host_str().unwrap_or_default();
    let mut signs = Vec::new();
    let from_parking = outline.scripts.iter().chain(&outline.frames).any(|it| words.parked_hosts.are_in(it));
    let is_short = count <= FEW_WORDS;
    let is_domain = is_short && is_about_domain(outline, &shown);
    let is_offer = is_domain && words.offer.are_in(&shown);
    let is_parked =
        (from_parking && is_short) || (is_domain && !is_offer) || (is_short && has(&words.parked));
    if is_parked || words.parked_hosts.have_host(host) {
        signs.push(PageSign::Parked);
    }
    if is_offer || (is_short && has(&words.for_sale)) {
        signs.push(PageSign::ForSale);
    }
    let is_filler = || words.placeholder.count(&shown) >= FILLER;
    let is_bare = words.bare.have(shown.trim());
    if is_bare || (is_short && has(&words.placeholder)) || is_filler() {
        signs.push(PageSign::Placeholder);
    }
    // A page with a form is ready.
    let is_open = forms.seen.iter().any(|form| form.has_phone || !form.boxes.is_empty());
    if signs.is_empty() && count <= FEW_WORDS / 2 && !is_open && comes_soon(outline, count) {
        signs.push(PageSign::UnderConstruction);
    }
    // The owner of a page that is not ready logs in there.
    if (signs.is_empty() && is_log_in(tree, outline, forms, count)) || words.log_in_hosts.have_host(host) {
        signs.push(PageSign::LogIn);
    }
    signs
}

/// Whether a page has the name of a domain as its heading or title, and says something about domains.
fn is_about_domain(outline: &Outline, shown: &str) -> bool {
    static DOMAIN: OnceLock<Regex> = OnceLock::new();
    let domain = DOMAIN.get_or_init(|| {
        Regex::new(r"^(?i)(?:[a-z]+ (?:to )?)?(?:www\.)?[a-z0-9-]+(?:\.[a-z]{2,3})?\.[a-z]{2,12}(?: (?:is|-|\|) .{0,60})?$").expect("it is tested")
    });
    let is_domain = headings(outline)
        .map(|heading| &heading.text)
        .chain([&outline.title])
        .any(|text| domain.is_match(text.trim()));
    is_domain && words().domain.are_in(shown)
}

/// Whether a page says that the site is not ready: of the site itself, or as the first heading of a page with little else.
fn comes_soon(outline: &Outline, count: u32) -> bool {
    let words = words();
    let is_it = |text: &str| {
        let text = folded(text);
        let is_alone = || text.split_whitespace().count() <= MAX_SOON && words.soon.are_in(&text);
        (words.under_construction.are_in(&text), is_alone())
    };
    let shown = || outline.blocks.iter().filter(|it| !it.is_hidden);
    // A page with more headings has parts, of which one may be about what comes.
    let main =
        headings(outline).take(1).chain(headings(outline).filter(|it| it.heading == 1)).map(|it| &it.text);
    let is_headed = headings(outline).count() <= 2 && main.chain([&outline.title]).any(|it| is_it(it).1);
    let is_short = |heading: &&TextBlock| heading.text.split_whitespace().count() <= MAX_SOON / 2;
    let is_bare = count <= ALMOST_EMPTY / 2
        && shown().count() <= MAX_SOON
        && shown().filter(is_short).any(|it| is_it(&it.text).1);
    is_headed || is_bare || is_it(&outline.title).0 || shown().take(MAX_SOON).any(|it| is_it(&it.text).0)
}

/// Whether a page is there to log in: it shows little beside a form for that.
fn is_log_in(tree: &HtmlTree, outline: &Outline, forms: &Forms, count: u32) -> bool {
    if count > MAX_LOG_IN_WORDS || forms.seen.iter().any(|it| it.has_phone) {
        return false;
    }
    let says = |text: &str| words().log_in.are_in(&folded(text));
    let is_titled = || says(&outline.title) || headings(outline).any(|it| says(&it.text));
    if let Some(form) = forms.log_in {
        let in_menu = form.is_some_and(|it| is_in_menu(tree, it));
        let beside = outline.blocks.iter().filter(|block| !block.is_hidden && !block.in_footer);
        let beside = beside.filter(|block| form.is_none() || block.form != form);
        let sentences = beside.flat_map(|it| it.text.unicode_sentences());
        let sentences = sentences.filter(|sentence| sentence.split_whitespace().count() >= SENTENCE).count();
        return if in_menu { sentences == 0 } else { sentences < 2 || is_titled() };
    }
    forms.asks_for_user && count <= ALMOST_EMPTY && is_titled()
}

fn headings(outline: &Outline) -> impl Iterator<Item = &TextBlock> {
    outline.blocks.iter().filter(|block| block.heading > 0 && !block.is_hidden)
}

/// Whether a form is in the head or in a menu of the page.
fn is_in_menu(tree: &HtmlTree, form: NodeId) -> bool {
    let outer = std::iter::successors(Some(form), |it| tree.parent(*it));
    outer.filter_map(|node| tree.element(node)).any(|element| {
        matches!(element.name(), "header" | "nav")
            || matches!(element.attribute("role"), Some("banner" | "navigation" | "menu"))
    })
}

/// Whether a page is a wall that lets in browsers only. An answer that is not a success says it with one mark, and a page only
/// if it shows little else.
pub(super) fn is_wall(text: &str, outline: &Outline, count: u32, is_success: bool) -> bool {
    let words = words();
    let says = words.walls.are_in(&folded(&outline.title)) || words.walls.are_in(&shown(outline));
    let has_mark = || words.wall_marks.are_in(&text.to_lowercase());
    if is_success {
        let is_titled = || words.walls.are_in(&folded(&outline.title));
        let is_framed =
            || outline.frames.iter().any(|frame| words.wall_marks.are_in(&frame.to_ascii_lowercase()));
        (count < EMPTY * 5 && says && (!outline.scripts.is_empty() || is_titled() || has_mark()))
            || (count < EMPTY && is_framed())
    } else {
        says || has_mark()
    }
}

/// Whether a page shows next to nothing without scripts, or though they have run.
pub(super) fn needs_scripts(outline: &Outline, forms: &Forms, count: u32, has_run: bool) -> bool {
    if outline.scripts.is_empty() || !forms.seen.is_empty() {
        return false;
    }
    let words = words();
    let says = || {
        words.needs_scripts.are_in(&folded(&outline.without_scripts))
            || words.needs_scripts.are_in(&shown(outline))
    };
    let has_root = || outline.ids.iter().any(|(id, _)| words.script_roots.have(&id.to_ascii_lowercase()));
    count < EMPTY || (!has_run && count < ALMOST_EMPTY && (says() || has_root()))
}

/// Whether a form may be there that only a browser shows: scripts or frames of makers of forms.
pub(super) fn may_have_form(outline: &Outline) -> bool {
    outline
        .scripts
        .iter()
        .chain(&outline.frames)
        .any(|address| words().form_hosts.are_in(&address.to_ascii_lowercase()))
}

/// The visible text in its folded form.
fn shown(outline: &Outline) -> String {
    let shown = outline.blocks.iter().filter(|it| !it.is_hidden);
    folded(&shown.map(|it| it.text.as_str()).collect::<Vec<_>>().join("\n"))
}
