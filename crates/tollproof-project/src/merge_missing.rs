//! Merges the missing fields of one object, and its empty ones, into one finding in reports for people.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use tollproof_core::{Finding, Message, Pointer, Severity, Span};

/// A rule whose findings are merged.
struct MergedRule {
    rule: &'static str,
    /// The message about several fields, with their number and names.
    message: &'static str,
    /// The help for several fields. Default: the help that all findings share, or else the command that explains the
    /// first field.
    help: Option<&'static str>,
}

const MERGED: [MergedRule; 5] = [
    MergedRule {
        rule: "structure/missing-field",
        message: "{count} required fields are missing: {names}",
        help: None,
    },
    MergedRule {
        rule: "registration/missing",
        message: "{count} fields of the business registration are missing: {names}",
        help: None,
    },
    MergedRule {
        rule: "structure/missing-for-reviewers",
        message: "{count} fields that reviewers need are missing: {names}",
        help: None,
    },
    MergedRule {
        rule: "disclosure/missing-for-reviewers",
        message: "{count} fields that reviewers need are missing: {names}",
        help: None,
    },
    MergedRule {
        rule: "structure/empty-field",
        message: "{count} required fields are empty: {names}",
        help: Some("Fill them in: a required field must have a value."),
    },
];

/// Merges the findings about fields that one object lacks, and those about its empty fields.
///
/// Reports for programs keep one finding per field.
pub fn merge_missing<'f>(findings: &[&'f Finding]) -> Vec<Cow<'f, Finding>> {
    merge(findings, |_| None)
}

/// Merges them as [`merge_missing`], but only those at the same place: an editor marks each place.
pub fn merge_missing_at_one_place<'f>(findings: &[&'f Finding]) -> Vec<Cow<'f, Finding>> {
    merge(findings, |it| it.span)
}

fn merge<'f>(findings: &[&'f Finding], place: fn(&Finding) -> Option<Span>) -> Vec<Cow<'f, Finding>> {
    let mut groups = groups(findings.iter().copied(), place);
    let mut merged = Vec::with_capacity(findings.len());
    for &finding in findings {
        if merged_rule(finding).is_none() {
            merged.push(Cow::Borrowed(finding));
            continue;
        }
        // The first finding of a group is replaced with the merged one, the others are dropped.
        match groups.remove(&Group::of(finding, place)) {
            None => {}
            Some(group) if group.len() == 1 => merged.push(Cow::Borrowed(finding)),
            Some(group) => merged.push(Cow::Owned(together(finding, &group))),
        }
    }
    merged
}

/// Counts findings by rule and severity that are merged into others in reports for people.
pub fn merged_away(findings: &[Finding]) -> BTreeMap<(Cow<'static, str>, Severity), usize> {
    let mut merged = BTreeMap::new();
    if !findings.iter().any(|finding| merged_rule(finding).is_some()) {
        return merged;
    }
    let counting = findings.iter().filter(|it| it.suppressed.is_none());
    for group in groups(counting, |_| None).into_values().filter(|group| group.len() > 1) {
        *merged.entry((group[0].rule.clone(), group[0].severity)).or_default() += group.len() - 1;
    }
    merged
}

fn groups<'f>(
    findings: impl Iterator<Item = &'f Finding>,
    place: fn(&Finding) -> Option<Span>,
) -> HashMap<Group, Vec<&'f Finding>> {
    let mut groups: HashMap<Group, Vec<&Finding>> = HashMap::new();
    for finding in findings.filter(|finding| merged_rule(finding).is_some()) {
        groups.entry(Group::of(finding, place)).or_default().push(finding);
    }
    groups
}

/// The merging rule for a finding; `None` if there is none.
fn merged_rule(finding: &Finding) -> Option<&'static MergedRule> {
    MERGED.iter().find(|it| finding.rule == it.rule)
}

/// The key by which findings are merged: the rule, and the object that contains the fields.
#[derive(PartialEq, Eq, Hash)]
struct Group {
    rule: Cow<'static, str>,
    document: usize,
    severity: Severity,
    object: Option<String>,
    place: Option<Span>,
}

impl Group {
    fn of(finding: &Finding, place: fn(&Finding) -> Option<Span>) -> Self {
        Self {
            rule: finding.rule.clone(),
            document: finding.document,
            severity: finding.severity,
            object: finding.pointer.rsplit_once('/').map(|(object, _)| object.to_owned()),
            place: place(finding),
        }
    }
}

fn together(first: &Finding, group: &[&Finding]) -> Finding {
    let names: Vec<_> = group.iter().map(|finding| name(&finding.pointer)).collect();
    let shared = |of: fn(&Finding) -> Option<&Message>| {
        group.iter().all(|finding| of(finding) == of(first)).then(|| of(first).cloned()).flatten()
    };
    let advice = || {
        let command = format!("`tollproof schema {} --field {}`", first.kind?.full_name(), names[0]);
        Some(Message::with("{command} explains the first one.", &[("command", Message::own(command))]))
    };
    let rule = merged_rule(first).expect("only such findings are in groups");
    Finding {
        message: Message::with(
            rule.message,
            &[("count", names.len().into()), ("names", Message::own(names.join(", ")))],
        ),
        help: rule.help.map(Message::from).or_else(|| shared(|it| it.help.as_ref())).or_else(advice),
        label: shared(|it| it.label.as_ref()),
        fix: None,
        ..first.clone()
    }
}

/// The name of the field at an RFC 6901 pointer. For a list item, this is the list with the item's index.
fn name(pointer: &str) -> String {
    let (above, token) = pointer.rsplit_once('/').unwrap_or_default();
    if !above.is_empty() && token.bytes().all(|it| it.is_ascii_digit()) {
        return format!("{}[{token}]", name(above));
    }
    Pointer::unescape(token).into_owned()
}
