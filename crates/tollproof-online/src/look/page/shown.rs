//! Rendering of elements: which are blocks, which are hidden, and their text.

use super::super::html::{HtmlElement, HtmlTree, NodeData, NodeId};

/// Elements that begin a line of their own.
const BLOCKS: &str = "address article aside blockquote body button caption center dd details dialog div dl dt fieldset \
    figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p \
    pre search section summary table tbody td tfoot th thead tr ul";

/// Elements whose content is never shown as text.
const UNREAD: &str =
    "script style template title noscript svg math iframe object canvas audio video datalist";

/// Parts of the names that page builders give to what customers say.
const REVIEWS: [&str; 5] = ["review", "reviews", "reviewbody", "testimonial", "testimonials"];

/// The text below a node without scripts and styles, in one line of at most so many characters.
pub(super) fn text_of(tree: &HtmlTree, root: NodeId, most: usize) -> String {
    let mut text = String::new();
    let mut left = most;
    let mut at = Some(root);
    while let Some(node) = at.filter(|_| left > 0 && tree.step()) {
        let is_unread = |element: &HtmlElement| is_unread(element.name()) || is_choice(element);
        let is_skipped = node != root && tree.element(node).is_some_and(is_unread);
        let part = match tree.data(node) {
            NodeData::Text(part) => part,
            NodeData::Element(element) if is_block(element.name()) || element.name() == "br" => " ",
            _ => "",
        };
        for shown in part.chars().take_while(|_| tree.step()) {
            left -= usize::from(push_char(&mut text, shown));
            if left == 0 {
                break;
            }
        }
        let below = tree.first(node).filter(|_| !is_skipped);
        at = below.or_else(|| tree.after(node, root));
    }
    text.truncate(text.trim_end().len());
    text
}

/// Adds a text with its spaces as a browser shows them.
pub(super) fn push(to: &mut String, text: &str) {
    for shown in text.chars() {
        push_char(to, shown);
    }
}

/// Adds a character. Returns whether it is shown: of several spaces one is.
fn push_char(to: &mut String, shown: char) -> bool {
    let is_space = shown.is_whitespace();
    let is_shown = !is_space || !(to.is_empty() || to.ends_with(' '));
    if is_shown {
        to.push(if is_space { ' ' } else { shown });
    }
    is_shown
}

/// Whether what is below an element is a list of choices, such as countries, and no text of the page.
pub(super) fn is_choice(element: &HtmlElement) -> bool {
    matches!(element.name(), "select" | "textarea")
        || matches!(element.attribute("role"), Some("listbox" | "option"))
}

/// Whether what is below an element is never shown as text.
pub(super) fn is_unread(name: &str) -> bool {
    UNREAD.split(' ').any(|unread| unread == name)
}

/// Whether an element hides what is in it, by its own attributes. Style sheets are not read.
pub(super) fn is_hidden(element: &HtmlElement) -> bool {
    if element.attribute("hidden").is_some_and(|it| it != "until-found")
        || (element.name() == "dialog" && element.attribute("open").is_none())
    {
        return true;
    }
    let style = style(element);
    style.contains("display:none")
        || style.contains("visibility:hidden")
        || (element.name() != "input" && is_off_screen(element))
}

/// Whether an element is moved out of sight by its own style.
pub(super) fn is_off_screen(element: &HtmlElement) -> bool {
    let style = style(element);
    let is_far = |side: &str| {
        let after = style.split(side).nth(1).unwrap_or_default();
        after.bytes().take_while(u8::is_ascii_digit).count() >= 3
    };
    style.contains("position:") && ["left:-", "right:-", "top:-"].into_iter().any(is_far)
}

/// The style of an element in lower case without spaces.
fn style(element: &HtmlElement) -> String {
    let style = element.attribute("style").unwrap_or_default();
    style.chars().filter(|it| !it.is_whitespace()).take(1_000).collect::<String>().to_ascii_lowercase()
}

/// Whether an element is the foot of the page: by its name, its role, or a class that page builders give it.
pub(super) fn is_footer(element: &HtmlElement) -> bool {
    if matches!(element.name(), "footer" | "address") || element.attribute("role") == Some("contentinfo") {
        return true;
    }
    let names = || ["class", "id"].into_iter().filter_map(|it| element.attribute(it));
    let is_foot = |name: &str| {
        let mut words = name.split(['-', '_']).filter(|it| !it.is_empty());
        let (first, last) = (words.next().unwrap_or_default(), words.next_back().unwrap_or_default());
        let is_it = |it: &str| it.eq_ignore_ascii_case("footer");
        is_it(first)
            || (is_it(last)
                && matches!(&*first.to_ascii_lowercase(), "site" | "page" | "main" | "global" | "theme"))
    };
    element.name() == "div" && names().flat_map(str::split_whitespace).any(is_foot)
}

/// Whether what is below an element are words of customers: by its type, or a class that page builders give it.
pub(super) fn is_review(element: &HtmlElement) -> bool {
    let names =
        ["class", "id", "itemtype", "itemprop"].into_iter().filter_map(|name| element.attribute(name));
    let mut parts = names.flat_map(|names| names.split([' ', '-', '_', '/']));
    parts.any(|part| REVIEWS.iter().any(|review| part.eq_ignore_ascii_case(review)))
}

/// Whether an element begins a line of its own.
pub(super) fn is_block(name: &str) -> bool {
    BLOCKS.split(' ').any(|block| block == name)
}
