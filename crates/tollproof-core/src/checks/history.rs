//! `history`: earlier submissions of the same number.

use super::Defect;
use crate::context::Context;
use crate::document::Node;
use crate::facts::Submission;

pub(super) fn look(node: &Node<'_>, context: &Context<'_>) -> Option<Defect> {
    let number = node.as_str()?;
    let same = context.facts.history.iter().filter(|it| it.number.eq_ignore_ascii_case(number));
    let newest = same.max_by_key(|it| it.updated_at)?;
    newest.is_open().then(|| {
        let ago = days_ago(newest, context);
        Defect::default().fill("status", newest.status.trim()).fill("ago", ago)
    })
}

/// How long ago the record changed, where both times are known.
fn days_ago(submission: &Submission, context: &Context<'_>) -> String {
    let days = || {
        let seconds = context.facts.now?.duration_since(submission.updated_at?).as_secs();
        (seconds >= 0).then_some(seconds / 86_400)
    };
    match days() {
        None => String::new(),
        Some(0) => ", last changed today".to_owned(),
        Some(1) => ", last changed yesterday".to_owned(),
        Some(days) => format!(", last changed {days} days ago"),
    }
}
