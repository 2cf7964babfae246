//! HTML as browsers read it, within bounds that hostile pages cannot break.

mod decode;
mod sink;
mod tree;

use std::time::{Duration, Instant};

use html5ever::tendril::TendrilSink as _;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};

pub(super) use self::decode::decode;
use self::sink::Sink;
pub(super) use self::tree::{HtmlElement, HtmlTree, NodeData, NodeId};

/// Time limit for parsing. Pages exist whose time grows with the square of their length.
const MAX_TIME: Duration = Duration::from_secs(5);

/// The amount parsed before the bounds are looked at again, in bytes: a few bytes of a hostile page can repeat all elements
/// that are open.
const FEW: usize = 16;
const MANY: usize = 256;

/// The tree that may still grow by [`MANY`] bytes at once.
const SMALL: usize = 5_000;

/// Parses a page. A tree that is larger than it may be, or takes too long, is marked as full.
pub(super) fn parse(text: &str) -> HtmlTree {
    let since = Instant::now();
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let mut parser = parse_document(Sink::new(), ParseOpts { tree_builder, ..ParseOpts::default() });
    let mut left = text;
    let mut is_late = false;
    while !left.is_empty() && !is_late {
        let sink = &parser.tokenizer.sink.sink;
        if sink.is_full() {
            break;
        }
        let most = if sink.size() < SMALL { MANY } else { FEW };
        let (part, rest) = left.split_at(end(left, most));
        parser.process(part.into());
        left = rest;
        is_late = since.elapsed() > MAX_TIME;
    }
    let mut tree = parser.finish();
    tree.is_full |= is_late;
    tree
}

/// The end of the last character that begins within so many bytes.
fn end(text: &str, most: usize) -> usize {
    (most..text.len()).find(|it| text.is_char_boundary(*it)).unwrap_or(text.len())
}
