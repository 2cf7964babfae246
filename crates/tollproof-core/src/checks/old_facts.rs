//! `old-facts`: what was seen long ago.

use crate::checks::{Context, Place, Violation};
use crate::syntax::message::message;

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let facts = context.environment.facts;
    let now = facts.now?;
    let used = context.named_addresses().iter().filter_map(|it| context.fact(it));
    let old: Vec<_> = used.filter(|fact| facts.seen.is_old(fact, now)).map(|fact| fact.at).collect();
    let ago = context.ago(old.iter().min().copied())?;
    let count = match old.len() {
        1 => "1 address".into(),
        count => message!("{} addresses", count),
    };
    let violation = Violation { span: place.node.map(|it| it.opening()), ..Violation::default() };
    Some(violation.fill("count", count).fill("ago", ago))
}
