//! `one-sample`: a single message, where another field has several values, or one for several kinds of messages.

use std::collections::BTreeSet;

use tollproof_data::checks::OneSample;

use crate::checks::{Context, Place, Violation};
use crate::syntax::message::Message;

pub(super) fn check(check: &OneSample, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = place.node?.as_str()?;
    let values = context.kind.values(context.root, &check.of);
    let values: BTreeSet<&str> = values.iter().filter_map(|node| node.as_str()).map(str::trim).collect();
    let samples = context.kind.values(context.root, place.role);
    let is_one = || samples.len() < 2 && !is_several(text);
    let are_enough = if check.even_of_one { values.len() == 1 } else { values.len() > 1 };
    (are_enough && is_one() && !text.trim().is_empty())
        .then(|| Violation::default().fill("count", Message::name(values.len().to_string())))
}

/// Whether a text has several messages: on lines of their own, numbered, or each with a way to stop.
fn is_several(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    let is_second = |word: &str| matches!(word.trim_start_matches(['(', '[']), "2." | "2)" | "2:" | "2]");
    let stops = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| *word == "STOP").count();
    lines > 1 || text.split_whitespace().any(is_second) || stops > 1
}
