//! What browsers show of elements: which are blocks, which are hidden, and their text.

use super::super::html::{HtmlElement, HtmlTree, NodeData, NodeId};

/// The text below a node without scripts and styles, in one line of at most so many characters.
pub(super) fn text_of(tree: &HtmlTree, root: NodeId, most: usize) -> String {
    let mut text = String::new();
    let mut at = Some(root);
    let mut length = 0;
    while let Some(node) = at.filter(|_| length < most) {
        let is_unread = |it: &HtmlElement| is_unread(it.name()) || is_choice(it);
        let is_skipped = node != root && tree.element(node).is_some_and(is_unread);
        if let NodeData::Text(part) = tree.data(node) {
            push(&mut text, part);
            length = text.chars().count();
        } else if tree.element(node).is_some_and(|it| is_block(it.name()) || it.name() == "br") {
            push(&mut text, " ");
        }
        let below = tree.first(node).filter(|_| !is_skipped);
        at = below.or_else(|| tree.after(node, root));
    }
    text.trim().chars().take(most).collect()
}

/// Adds a text with its spaces as a browser shows them.
pub(super) fn push(to: &mut String, text: &str) {
    for it in text.chars() {
        if !it.is_whitespace() {
            to.push(it);
        } else if !to.is_empty() && !to.ends_with(' ') {
            to.push(' ');
        }
    }
}

/// Whether what is below an element is a list of choices, such as countries, and no text of the page.
pub(super) fn is_choice(element: &HtmlElement) -> bool {
    matches!(element.name(), "select" | "textarea")
        || matches!(element.attribute("role"), Some("listbox" | "option"))
}

/// Whether what is below an element is never shown as text.
pub(super) fn is_unread(name: &str) -> bool {
    matches!(
        name,
        "script"
            | "style"
            | "template"
            | "title"
            | "noscript"
            | "svg"
            | "math"
            | "iframe"
            | "object"
            | "canvas"
            | "audio"
            | "video"
            | "datalist"
    )
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

pub(super) fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "button"
            | "caption"
            | "center"
            | "dd"
            | "details"
            | "dialog"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hgroup"
            | "hr"
            | "html"
            | "legend"
            | "li"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "p"
            | "pre"
            | "search"
            | "section"
            | "summary"
            | "table"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
            | "ul"
    )
}
