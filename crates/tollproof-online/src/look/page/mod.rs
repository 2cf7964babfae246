//! Facts seen of a page: no more of its text than rules need.

mod choices;
mod fields;
mod footer;
mod forms;
mod identity;
mod labels;
mod language;
mod links;
mod outline;
mod sentences;
mod sharing;
mod shown;
mod signs;
mod structured;

use std::collections::BTreeSet;

use tollproof_core::seen::PageSeen;
use url::Url;

use self::outline::outline;
use super::fetch::target;
use super::html::{HtmlTree, NodeData, decode, parse};
use super::words::{folded, words};

/// The longest title, in characters.
const MAX_TITLE: usize = 500;

/// A page that was read.
#[derive(Default)]
pub(super) struct PageRead {
    pub(super) seen: PageSeen,
    /// Reason it stayed unseen.
    pub(super) unseen: Option<&'static str>,
    /// Frames that may have a form.
    pub(super) frames: Vec<Url>,
    /// Whether a form may be there that only a browser shows.
    pub(super) may_have_form: bool,
    /// Whether scripts may change what it shows.
    pub(super) has_scripts: bool,
    /// Target of an early redirect.
    pub(super) leads_to: Option<Url>,
}

impl PageRead {
    /// A page of which nothing was read.
    pub(super) fn unseen(why: &'static str) -> Self {
        Self { unseen: Some(why), ..Self::default() }
    }
}

/// Source of a page's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PageOrigin {
    Answer,
    /// An answer that is not a success.
    Refusal,
    /// A browser, after its scripts ran.
    Browser,
}

/// Reads a page of an address.
pub(super) fn read(
    (bytes, content_type): (&[u8], Option<&str>),
    url: &Url,
    is_success: bool,
    names: &BTreeSet<String>,
) -> PageRead {
    let origin = if is_success { PageOrigin::Answer } else { PageOrigin::Refusal };
    read_text(&decode(bytes, content_type), url, origin, names)
}

/// Reads a page as a browser shows it.
pub(super) fn read_rendered(text: &str, url: &Url, names: &BTreeSet<String>) -> PageRead {
    read_text(text, url, PageOrigin::Browser, names)
}

/// Those of some words that are nowhere in a page: in no text, address, script, or name of a picture.
fn unnamed(tree: &HtmlTree, names: &BTreeSet<String>) -> Vec<String> {
    if names.is_empty() {
        return Vec::new();
    }
    let (mut texts, mut values) = (String::new(), String::new());
    let letters =
        |text: &str| -> String { folded(text).chars().filter(|letter| letter.is_alphanumeric()).collect() };
    for node in tree.below(tree.document()) {
        match tree.data(node) {
            NodeData::Text(text) => texts += &letters(text),
            NodeData::Element(element) => values.extend(element.values().map(letters)),
            NodeData::Document | NodeData::Other => {}
        }
    }
    names.iter().filter(|name| ![&texts, &values].iter().any(|all| all.contains(*name))).cloned().collect()
}

fn read_text(text: &str, url: &Url, origin: PageOrigin, names: &BTreeSet<String>) -> PageRead {
    let tree = parse(text);
    let outline = outline(&tree);
    let forms = forms::forms(&tree, &outline);
    let shown = || outline.blocks.iter().filter(|it| !it.is_hidden);
    let count = shown().flat_map(|it| it.text.split_whitespace());
    let count = count.filter(|it| it.contains(char::is_alphanumeric)).count();
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let signs = signs::signs(url, &tree, &outline, &forms, count);
    let unseen = if signs::is_wall(text, &outline, count, origin != PageOrigin::Refusal) {
        Some("bot-wall")
    } else if tree.is_full() {
        Some("too-large")
    } else {
        let has_run = origin == PageOrigin::Browser;
        (signs.is_empty() && signs::needs_scripts(&outline, &forms, count, has_run))
            .then_some("needs-browser")
    };
    let language = language::language(&outline);
    let unnamed = unnamed(&tree, names);
    let (names, addresses) = identity::identity(&tree, &outline);
    let (privacy, terms) = links::policies(&outline, url);
    let (about, sharing) = (identity::about(&outline), sharing::sharing(&outline));
    let may_have_form = signs::may_have_form(&outline);
    let is_other = |frame: &Url| words().other_frames.are_in(&frame.as_str().to_ascii_lowercase());
    let frames = outline
        .frames
        .iter()
        .filter(|frame| !frame.is_empty())
        .filter_map(|refresh| target(url, refresh).ok());
    let seen = PageSeen {
        title: outline.title.chars().take(MAX_TITLE).collect(),
        words: count,
        signs,
        names,
        addresses,
        privacy,
        terms,
        consent: forms.consent,
        sharing,
        policy: sharing::policy(&outline, &language),
        language,
        about,
        forms: forms.seen,
        rendered: origin == PageOrigin::Browser,
        html_boxes: Vec::new(),
        unnamed,
    };
    PageRead {
        unseen,
        frames: frames
            .filter(|frame| matches!(frame.scheme(), "http" | "https") && !is_other(frame))
            .collect(),
        may_have_form,
        has_scripts: !outline.scripts.is_empty(),
        leads_to: outline.refresh.as_deref().and_then(|refresh| target(url, refresh).ok()),
        seen,
    }
}
