//! The outline of a page, in its order: blocks of text, fields, links, and sources of scripts and frames.

use super::super::html::{HtmlElement, HtmlTree, NodeData, NodeId};
use super::shown::{
    is_block, is_choice, is_footer, is_hidden, is_off_screen, is_review, is_unread, push, text_of,
};

/// The most links, fields, frames and scripts that are kept of each.
const MOST: usize = 5_000;

/// The most items of microdata that are kept.
const MOST_ITEMS: usize = 50;

/// The longest description of a page, in characters.
const MAX_ABOUT: usize = 600;

/// The longest script in a page that is looked into, in bytes.
const MAX_LOCK: usize = 20_000;

/// A paragraph or another block of text.
#[derive(Debug, Default)]
pub(super) struct TextBlock {
    pub(super) text: String,
    pub(super) form: Option<NodeId>,
    pub(super) in_footer: bool,
    /// Whether the page hides it at first.
    pub(super) is_hidden: bool,
    /// The level of a heading; 0 for other text.
    pub(super) heading: u8,
    /// Whether it is an item of a list.
    pub(super) is_item: bool,
    /// Whether it is what a customer says.
    pub(super) is_review: bool,
}

/// A field of a form, or of none.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageField {
    pub(super) node: NodeId,
    pub(super) form: Option<NodeId>,
    /// The block in which it is.
    pub(super) block: usize,
    pub(super) is_hidden: bool,
    /// Whether it is only for programs that fill in all fields.
    pub(super) is_decoy: bool,
}

/// A link.
#[derive(Debug, Default)]
pub(super) struct Link {
    pub(super) href: String,
    pub(super) rel: String,
    pub(super) text: String,
}

/// A page's content.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) title: String,
    /// The language that the page names.
    pub(super) language: String,
    /// The names the page gives its site.
    pub(super) site_names: Vec<String>,
    /// Subject of the page, as it tells search engines.
    pub(super) description: String,
    pub(super) blocks: Vec<TextBlock>,
    pub(super) fields: Vec<PageField>,
    pub(super) labels: Vec<NodeId>,
    pub(super) links: Vec<Link>,
    pub(super) frames: Vec<String>,
    /// Script sources; empty for one in the page.
    pub(super) scripts: Vec<String>,
    /// Structured data: JSON.
    pub(super) structured: Vec<String>,
    /// Text shown without scripts.
    pub(super) without_scripts: String,
    /// Target of an early redirect.
    pub(super) refresh: Option<String>,
    /// Items of structured data in attributes (microdata).
    pub(super) items: Vec<NodeId>,
    /// The elements by their ids.
    pub(super) ids: Vec<(String, NodeId)>,
    /// The forms whose button cannot be pressed when the page opens.
    pub(super) locked: Vec<Option<NodeId>>,
    /// The texts of scripts in the page that lock or open something.
    pub(super) locks: Vec<String>,
}

/// The outline of a page.
pub(super) fn outline(tree: &HtmlTree) -> Outline {
    let root = tree.document();
    let mut walk = OutlineWalk {
        tree,
        outline: Outline::default(),
        block: TextBlock::default(),
        hidden: None,
        form: None,
        footer: None,
        decoy: None,
        item: None,
        review: None,
        link: None,
    };
    let mut at = Some(root);
    while let Some(node) = at {
        if walk.enter(node)
            && let Some(first) = tree.first(node)
        {
            at = Some(first);
            continue;
        }
        let mut left = node;
        at = loop {
            walk.leave(left);
            if left == root {
                break None;
            }
            match tree.next(left) {
                Some(next) => break Some(next),
                None => match tree.parent(left) {
                    Some(parent) => left = parent,
                    None => break None,
                },
            }
        };
    }
    walk.end_block();
    walk.outline
}

struct OutlineWalk<'t> {
    tree: &'t HtmlTree,
    outline: Outline,
    block: TextBlock,
    /// The outermost of these around the current node.
    hidden: Option<NodeId>,
    form: Option<NodeId>,
    footer: Option<NodeId>,
    decoy: Option<NodeId>,
    item: Option<NodeId>,
    review: Option<NodeId>,
    link: Option<NodeId>,
}

impl OutlineWalk<'_> {
    /// Reads a node. Returns whether what is below is read too.
    fn enter(&mut self, node: NodeId) -> bool {
        let element = match self.tree.data(node) {
            NodeData::Text(text) => {
                push(&mut self.block.text, text);
                if self.link.is_some()
                    && let Some(link) = self.outline.links.last_mut()
                {
                    push(&mut link.text, text);
                }
                return false;
            }
            NodeData::Element(element) => element,
            NodeData::Document => return true,
            NodeData::Other => return false,
        };
        let name = element.name();
        if is_block(name) {
            self.end_block();
        }
        if self.hidden.is_none() && is_hidden(element) {
            self.end_block();
            self.hidden = Some(node);
        }
        if let Some(id) = element.attribute("id").filter(|_| self.outline.ids.len() < MOST) {
            self.outline.ids.push((id.to_owned(), node));
        }
        if element.attribute("itemscope").is_some() && self.outline.items.len() < MOST_ITEMS {
            self.outline.items.push(node);
        }
        if self.footer.is_none() && is_footer(element) {
            self.footer = Some(node);
        }
        if self.review.is_none() && is_review(element) {
            self.end_block();
            self.review = Some(node);
        }
        self.element(node, name, element)
    }

    fn element(&mut self, node: NodeId, name: &str, element: &HtmlElement) -> bool {
        let value = |name: &str| element.attribute(name).unwrap_or_default().trim().to_owned();
        match name {
            "html" => self.outline.language = value("lang"),
            "title" if self.outline.title.is_empty() && self.hidden.is_none() => {
                self.outline.title = text_of(self.tree, node, 500);
            }
            "meta" => self.meta(element),
            "script" => self.script(node, element),
            "noscript" => {
                let text = text_of(self.tree, node, 1_000);
                push(&mut self.outline.without_scripts, &text);
                self.outline.without_scripts.push(' ');
            }
            "iframe" | "frame" if self.outline.frames.len() < MOST => self.outline.frames.push(value("src")),
            "form" if self.form.is_none() => self.form = Some(node),
            "label" if self.outline.labels.len() < MOST => self.outline.labels.push(node),
            "a" | "area" if element.attribute("href").is_some() && self.outline.links.len() < MOST => {
                let text = value("aria-label");
                self.outline.links.push(Link { href: value("href"), rel: value("rel"), text });
                self.link = Some(node);
            }
            "input" | "textarea" | "select" => self.field(node),
            "h1" => self.block.heading = 1,
            "h2" | "h3" => self.block.heading = 2,
            "li" if self.item.is_none() => self.item = Some(node),
            "br" | "img" => push(&mut self.block.text, " "),
            _ => {}
        }
        let is_box = is_drawn_choice(element);
        if is_box {
            self.field(node);
        }
        let is_button = name == "button" || value("type").eq_ignore_ascii_case("submit");
        if is_button && element.attribute("disabled").is_some() && self.outline.locked.len() < MOST {
            self.outline.locked.push(self.form);
        }
        // The field in a box that is drawn repeats it. A whole window may be hidden from screen readers until it opens.
        let is_unseen = element.attribute("aria-hidden") == Some("true") && self.form.is_some();
        let is_away = name != "input" && is_off_screen(element);
        if self.decoy.is_none() && (is_box || is_unseen || is_away) {
            self.decoy = Some(node);
        }
        !is_unread(name) && !is_choice(element)
    }

    fn leave(&mut self, node: NodeId) {
        let Some(element) = self.tree.element(node) else { return };
        if is_block(element.name()) || [self.hidden, self.review].contains(&Some(node)) {
            self.end_block();
        }
        for outer in [
            &mut self.hidden,
            &mut self.form,
            &mut self.footer,
            &mut self.decoy,
            &mut self.item,
            &mut self.review,
            &mut self.link,
        ] {
            if *outer == Some(node) {
                *outer = None;
            }
        }
    }

    fn end_block(&mut self) {
        let mut block = std::mem::take(&mut self.block);
        block.text.truncate(block.text.trim_end().len());
        if block.text.is_empty() {
            return;
        }
        block.form = self.form;
        (block.in_footer, block.is_hidden, block.is_item, block.is_review) =
            (self.footer.is_some(), self.hidden.is_some(), self.item.is_some(), self.review.is_some());
        self.outline.blocks.push(block);
    }

    fn field(&mut self, node: NodeId) {
        push(&mut self.block.text, " ");
        if self.outline.fields.len() < MOST {
            let (form, is_hidden) = (self.form, self.hidden.is_some());
            let block = self.outline.blocks.len();
            self.outline.fields.push(PageField {
                node,
                form,
                block,
                is_hidden,
                is_decoy: self.decoy.is_some(),
            });
        }
    }

    fn meta(&mut self, element: &HtmlElement) {
        let Some(content) = element.attribute("content").map(str::trim) else { return };
        let name = element.attribute("property").or(element.attribute("name")).unwrap_or_default();
        if ["og:site_name", "application-name", "apple-mobile-web-app-title"].contains(&name)
            && self.outline.site_names.len() < MOST
        {
            self.outline.site_names.push(content.to_owned());
        }
        if ["description", "og:description"].contains(&name) && self.outline.description.is_empty() {
            let content: String = content.chars().take(MAX_ABOUT).collect();
            push(&mut self.outline.description, &content);
        }
        let is_refresh = element.attribute("http-equiv").is_some_and(|it| it.eq_ignore_ascii_case("refresh"));
        if is_refresh && self.outline.refresh.is_none() {
            self.outline.refresh = refresh(content);
        }
    }

    fn script(&mut self, node: NodeId, element: &HtmlElement) {
        let kind = element.attribute("type").unwrap_or_default().trim().to_ascii_lowercase();
        if kind == "application/ld+json" {
            if self.outline.structured.len() < MOST {
                self.outline.structured.push(text_of_script(self.tree, node).to_owned());
            }
        } else if self.outline.scripts.len() < MOST {
            let text = text_of_script(self.tree, node);
            if text.contains("disabled") && text.len() < MAX_LOCK && self.outline.locks.len() < MOST_ITEMS {
                self.outline.locks.push(text.to_owned());
            }
            self.outline.scripts.push(element.attribute("src").unwrap_or_default().to_ascii_lowercase());
        }
    }
}

/// Whether people tick, choose or press an element that is not a field of HTML.
pub(super) fn is_drawn_choice(element: &HtmlElement) -> bool {
    element.name() != "input"
        && (matches!(element.attribute("role"), Some("checkbox" | "switch" | "radio"))
            || element.attribute("aria-pressed").is_some())
}

/// The text of a script; empty if there is none.
fn text_of_script(tree: &HtmlTree, script: NodeId) -> &str {
    match tree.first(script).map(|below| tree.data(below)) {
        Some(NodeData::Text(text)) => text,
        _ => "",
    }
}

/// Target of a redirect within a few seconds: `0; url=/next`.
fn refresh(content: &str) -> Option<String> {
    let (delay, target) = content.split_once([';', ','])?;
    let is_soon = delay.trim().parse::<f32>().is_ok_and(|it| it <= 5.0);
    let (name, target) = target.split_once('=')?;
    let target = target.trim().trim_matches(['"', '\'']);
    (is_soon && name.trim().eq_ignore_ascii_case("url") && !target.is_empty()).then(|| target.to_owned())
}
