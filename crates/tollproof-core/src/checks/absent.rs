//! `absent`: a field that is not there.

use super::Defect;
use crate::document::Node;

pub(super) fn look(node: Option<&Node<'_>>) -> Option<Defect> {
    node.is_none().then(Defect::default)
}
