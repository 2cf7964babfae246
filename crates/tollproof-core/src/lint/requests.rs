//! The requests in a text, for those who want to know something about them before they are checked.

use crate::checks::context::Environment;
use crate::facts::{Batch, Facts};
use crate::provider::detect::{KindHint, kind_of};
use crate::provider::kind::Kind;
use crate::syntax::document::Node;
use crate::syntax::{Parsed, SourceDocument};

/// Hands over the submit and update requests in a text.
pub(super) fn each_request(
    parsed: &Parsed<'_>,
    hint: KindHint,
    facts: &Facts,
    see: &mut dyn FnMut(SourceDocument<'_>, Kind, &Node<'_>, Environment<'_>),
) {
    let earlier = Batch::default();
    for block in parsed.blocks() {
        for document in block.documents() {
            let kind = kind_of(&document, hint).filter(|kind| kind.is_request());
            let Some((kind, root)) = kind.zip(document.document().root.as_ref()) else { continue };
            let environment =
                Environment { vendor: None, facts, earlier: &earlier, declared_record: None, original: None };
            see(document, kind, root, environment);
        }
    }
}
