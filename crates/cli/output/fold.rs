//! Twelve absent fields are one thing to say to a person, and so are twelve empty ones.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use tollproof_core::{Finding, Message, Severity};

/// A rule whose findings are folded.
struct Folded {
    rule: &'static str,
    /// What is said of several fields together.
    message: &'static str,
    /// Help for all of them; without it, that of the first field is named.
    help: Option<&'static str>,
}

const FOLDED: [Folded; 2] = [
    Folded { rule: "structure/missing-field", message: "required fields are missing", help: None },
    Folded {
        rule: "structure/empty-field",
        message: "required fields are empty",
        help: Some("Fill them in: a required field must have a value."),
    },
];

/// The findings as people read them: the fields that one object lacks, or leaves empty, are reported together.
///
/// Reports for programs keep one finding a field.
pub(crate) fn fold<'f>(findings: &[&'f Finding]) -> Vec<Cow<'f, Finding>> {
    let mut groups = groups(findings.iter().copied());
    let mut folded = Vec::with_capacity(findings.len());
    for &finding in findings {
        if folding(finding).is_none() {
            folded.push(Cow::Borrowed(finding));
            continue;
        }
        // The first of an object's findings takes the others with it.
        match groups.remove(&Group::of(finding)) {
            None => {}
            Some(group) if group.len() == 1 => folded.push(Cow::Borrowed(finding)),
            Some(group) => folded.push(Cow::Owned(together(finding, &group))),
        }
    }
    folded
}

/// How many findings of each rule and severity disappear in others where those that count are folded.
pub(crate) fn surplus(findings: &[Finding]) -> BTreeMap<(Cow<'static, str>, Severity), usize> {
    let mut surplus = BTreeMap::new();
    if !findings.iter().any(|it| folding(it).is_some()) {
        return surplus;
    }
    let counting = findings.iter().filter(|it| it.suppressed.is_none());
    for group in groups(counting).into_values().filter(|group| group.len() > 1) {
        *surplus.entry((group[0].rule.clone(), group[0].severity)).or_default() += group.len() - 1;
    }
    surplus
}

fn groups<'f>(findings: impl Iterator<Item = &'f Finding>) -> HashMap<Group, Vec<&'f Finding>> {
    let mut groups: HashMap<Group, Vec<&Finding>> = HashMap::new();
    for finding in findings.filter(|it| folding(it).is_some()) {
        groups.entry(Group::of(finding)).or_default().push(finding);
    }
    groups
}

/// How findings of the rule are folded, if they are.
fn folding(finding: &Finding) -> Option<&'static Folded> {
    FOLDED.iter().find(|it| finding.rule == it.rule)
}

/// What findings have in common that are folded: the rule, and the object that the fields belong to.
#[derive(PartialEq, Eq, Hash)]
struct Group {
    rule: Cow<'static, str>,
    document: usize,
    severity: Severity,
    object: Option<String>,
}

impl Group {
    fn of(finding: &Finding) -> Self {
        Self {
            rule: finding.rule.clone(),
            document: finding.document,
            severity: finding.severity,
            object: finding.pointer.rsplit_once('/').map(|(object, _)| object.to_owned()),
        }
    }
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
    let folding = folding(first).expect("only such findings are in groups");
    Finding {
        message: Message::own(format!("{} {}: {}", names.len(), folding.message, names.join(", "))),
        help: folding.help.map(Message::from).or_else(|| shared(|it| it.help.as_ref())).or_else(advice),
        label: shared(|it| it.label.as_ref()),
        fix: None,
        ..first.clone()
    }
}

/// The field that an RFC 6901 pointer names; an item of a list by the list and its place there.
fn name(pointer: &str) -> String {
    let (above, token) = pointer.rsplit_once('/').unwrap_or_default();
    if !above.is_empty() && token.bytes().all(|it| it.is_ascii_digit()) {
        return format!("{}[{token}]", name(above));
    }
    token.replace("~1", "/").replace("~0", "~")
}
