//! Documents that are not checked, but whose content can be named: those for other providers, and submissions inside of
//! something else.

use super::kind::Kind;
use crate::prepared::PREPARED;
use crate::syntax::document::{Node, Value, push_token};

/// The most values searched for a submission, and their maximum depth.
const MAX_VALUES: usize = 2_000;
const MAX_DEPTH: usize = 8;

/// The fewest fields of a submission inside of something else.
const FIELDS: usize = 3;

/// The provider that a document is for, if that is one that tollproof does not know.
pub(crate) fn provider_of(root: &Node<'_>) -> Option<&'static str> {
    let has_all = |keys: &[&str]| keys.iter().all(|key| root.member(key).is_some());
    PREPARED.roles.unknown.iter().find(|(_, keys)| has_all(keys)).map(|(title, _)| *title)
}

/// The place of a submission, and its kind. Without a kind it is a string with a submission.
pub(crate) type InnerSubmission = (String, Option<Kind>);

/// Clues to a submission: the keys of an object, and the names in a string.
#[derive(Clone, Copy)]
pub(crate) struct InnerClues<'c> {
    pub(crate) kind: &'c dyn Fn(&Node<'_>) -> Option<Kind>,
    pub(crate) mentions: &'c dyn Fn(&str) -> bool,
}

/// The submission below the root of a document.
pub(crate) fn submission_below(root: &Node<'_>, clues: InnerClues<'_>) -> Option<InnerSubmission> {
    search(root, "", (clues, MAX_DEPTH), &mut MAX_VALUES.clone())
}

fn search(
    node: &Node<'_>,
    pointer: &str,
    (clues, depth): (InnerClues<'_>, usize),
    values: &mut usize,
) -> Option<InnerSubmission> {
    *values = values.checked_sub(1)?;
    let below = depth.checked_sub(1).map(|depth| (clues, depth));
    match &node.value {
        Value::String(text) => {
            let is_payload = text.trim_start().starts_with('{') && (clues.mentions)(text);
            is_payload.then(|| (pointer.to_owned(), None))
        }
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(at, item)| search(item, &format!("{pointer}/{at}"), below?, values))
        }
        Value::Object(members) => {
            // The properties of a schema have the names of fields, but objects as values.
            let scalars =
                members.iter().filter(|member| !matches!(member.value.value, Value::Object(_))).count();
            let is_inside = !pointer.is_empty() && members.len() >= FIELDS && scalars * 2 >= members.len();
            let kind = (clues.kind)(node).filter(|kind| is_inside && kind.has_submission());
            if kind.is_some() {
                return Some((pointer.to_owned(), kind));
            }
            members.iter().find_map(|member| {
                let mut pointer = pointer.to_owned();
                push_token(&mut pointer, &member.key);
                search(&member.value, &pointer, below?, values)
            })
        }
        _ => None,
    }
}

impl Kind {
    /// Whether documents of this kind are a submission or what became of one.
    fn has_submission(self) -> bool {
        self.is_request() || self.is_record()
    }
}
