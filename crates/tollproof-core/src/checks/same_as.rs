//! `same-as`: a value that repeats another field.

use tollproof_data::checks::SameAs;
use tollproof_data::suggest::is_same_name;

use crate::checks::{Context, Place, Violation};
use crate::finding::Related;
use crate::syntax::message::Message;

pub(super) fn check(check: &SameAs, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let text = node.as_str()?;
    let (name, other) = check.fields.iter().find_map(|name| {
        let other = context.node(name)?;
        let is_same = is_same_name(text, other.as_str()?) && text.contains(char::is_alphanumeric);
        is_same.then_some((name, other))
    })?;
    let related =
        vec![Related { file: None, span: Some(other.span), place: None, message: "the same value".into() }];
    Some(Violation { related, ..Violation::default() }.fill("other", Message::name(name.as_str())))
}
