//! Twelve absent fields are one thing to say to a person.

use std::borrow::Cow;
use std::collections::HashMap;

use tollproof_core::{Finding, Message};

/// The rule whose findings are folded.
const RULE: &str = "structure/missing-field";

/// The findings as people read them: the fields that one object lacks are reported together.
///
/// Reports for programs keep one finding a field.
pub(crate) fn fold<'f>(findings: &[&'f Finding]) -> Vec<Cow<'f, Finding>> {
    let mut objects: HashMap<_, Vec<&Finding>> = HashMap::new();
    for finding in findings.iter().filter(|it| it.rule == RULE) {
        objects.entry(object(finding)).or_default().push(finding);
    }
    let mut folded = Vec::with_capacity(findings.len());
    for &finding in findings {
        if finding.rule != RULE {
            folded.push(Cow::Borrowed(finding));
            continue;
        }
        // The first of an object's findings takes the others with it.
        match objects.remove(&object(finding)) {
            None => {}
            Some(group) if group.len() == 1 => folded.push(Cow::Borrowed(finding)),
            Some(group) => folded.push(Cow::Owned(together(finding, &group))),
        }
    }
    folded
}

/// What the fields of one object have in common.
fn object(finding: &Finding) -> impl Eq + std::hash::Hash + use<> {
    let parent = finding.pointer.rsplit_once('/').map(|(parent, _)| parent.to_owned());
    (finding.document, finding.span, finding.severity, parent)
}

fn together(first: &Finding, group: &[&Finding]) -> Finding {
    let names: Vec<_> = group.iter().map(|finding| name(&finding.pointer)).collect();
    let shared = |of: fn(&Finding) -> Option<&Message>| {
        group.iter().all(|it| of(it) == of(first)).then(|| of(first).cloned()).flatten()
    };
    let advice = || {
        let kind = first.kind?;
        let help = format!("`tollproof schema {kind} --field {}` explains the first of them.", names[0]);
        Some(Message::own(help))
    };
    Finding {
        message: Message::own(format!("{} required fields are missing: {}", names.len(), names.join(", "))),
        help: shared(|it| it.help.as_ref()).or_else(advice),
        label: shared(|it| it.label.as_ref()),
        fix: None,
        ..first.clone()
    }
}

/// The last token of an RFC 6901 pointer.
fn name(pointer: &str) -> String {
    let token = pointer.rsplit('/').next().unwrap_or_default();
    token.replace("~1", "/").replace("~0", "~")
}
