//! The values at the path of a field in a document.

use tollproof_data::provider::path::{Path, Step};

use crate::syntax::document::{Member, Node};

/// The field at this path, or the list that contains it, if the document has it.
pub(crate) fn field<'n, 's>(path: &Path, root: &'n Node<'s>) -> Option<&'n Node<'s>> {
    path.to_field().iter().try_fold(root, |node, step| node.get(step.as_deref()?))
}

/// As [`field`], whatever the case of the keys.
pub(crate) fn field_in_any_case<'n, 's>(path: &Path, root: &'n Node<'s>) -> Option<&'n Node<'s>> {
    path.to_field().iter().try_fold(root, |node, step| {
        let step = step.as_deref()?;
        let is_it = |member: &&Member<'_>| member.key.eq_ignore_ascii_case(step);
        node.members().iter().find(is_it).map(|member| &member.value)
    })
}

/// All values at this path; for a path through a list, one for each item.
pub(crate) fn values<'n, 's>(path: &Path, root: &'n Node<'s>) -> Vec<&'n Node<'s>> {
    values_below(&path.steps, root)
}

/// Hands over all values at this path.
pub(crate) fn visit<'n, 's>(path: &Path, root: &'n Node<'s>, see: &mut dyn FnMut(&'n Node<'s>)) {
    visit_below(&path.steps, root, see);
}

/// All values at this path, starting from its list instead of the root.
pub(crate) fn items<'n, 's>(path: &Path, list: &'n Node<'s>) -> Vec<&'n Node<'s>> {
    match &path.steps[path.to_field().len()..] {
        [] => list.items().iter().collect(),
        steps => values_below(steps, list),
    }
}

/// Whether a string is in the place of the list of this path.
pub(crate) fn lacks_list(path: &Path, root: &Node<'_>) -> bool {
    path.steps.contains(&None) && field(path, root).is_some_and(|node| node.as_str().is_some())
}

/// All values that steps from a node lead to.
fn values_below<'n, 's>(steps: &[Step], from: &'n Node<'s>) -> Vec<&'n Node<'s>> {
    let mut values = Vec::new();
    visit_below(steps, from, &mut |node| values.push(node));
    values
}

/// Hands over all values that steps from a node lead to.
fn visit_below<'n, 's>(steps: &[Step], from: &'n Node<'s>, see: &mut dyn FnMut(&'n Node<'s>)) {
    match steps.split_first() {
        None => see(from),
        Some((Some(key), rest)) => from.get(key).into_iter().for_each(|node| visit_below(rest, node, see)),
        // One value may be written without its list.
        Some((None, rest)) if from.as_str().is_some() => visit_below(rest, from, see),
        Some((None, rest)) => from.items().iter().for_each(|node| visit_below(rest, node, see)),
    }
}
