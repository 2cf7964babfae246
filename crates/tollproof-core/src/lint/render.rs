//! Findings in words: what a check found, in the sentences of the rule.

use std::borrow::Cow;
use std::collections::HashMap;

use tollproof_data::fingerprint::fingerprint_of;

use crate::checks::context::Context;
use crate::checks::{Place, Violation};
use crate::finding::{Edit, Finding, Fix, Related, Safety, Severity};
use crate::provider::kind::{Kind, KindRole};
use crate::provider::number_names::number_name;
use crate::provider::payload::json_of;
use crate::provider::role;
use crate::rule::Rule;
use crate::syntax::document::{Document, Node, Style, SyntaxError, SyntaxErrorKind};
use crate::syntax::message::Message;
use crate::syntax::message_template::{English, placeholders};
use crate::syntax::source::{Source, Span};
use crate::syntax::{MAX_STRING, SourceDocument};
use crate::validators::number_key::NumberKey;

/// The finding of a rule about a value of a document.
pub(crate) fn finding(
    rule: &Rule,
    violation: Violation,
    place: &Place<'_>,
    document: SourceDocument<'_>,
    context: Option<&Context<'_>>,
) -> Finding {
    let text = rule.text();
    let fills = |template: &str| filled(template, place, context, &violation.fills);
    let other_help = || {
        let mut others = text.help_when.iter();
        others.find(|(when, _)| context.is_some_and(|it| it.holds(when))).map(|(_, help)| *help)
    };
    let message = violation.message.clone().unwrap_or_else(|| fills(text.message));
    let help = violation.help.clone().unwrap_or_else(|| fills(other_help().unwrap_or(text.help)));
    let severity = violation.severity.unwrap_or(rule.severity);
    let lowered = context.and_then(|context| rule.downgrade.iter().find(|it| context.holds(&it.when)));
    let span = violation.span.or_else(|| place.node.map(|node| node.span));
    // A finding about the key before an alias has no business where the value is written.
    let concerns =
        |node: &Node<'_>| span.is_some_and(|span| node.span.start <= span.start && span.end <= node.span.end);
    let anchored = place.node.filter(|node| concerns(node)).and_then(|node| match node.style {
        Style::Alias(anchored) => Some(anchored),
        _ => None,
    });
    let written_here = anchored.map(|span| Related::here(span, "written here".into()));
    let pointer = place.trail.pointer();
    Finding {
        rule: rule.id.clone(),
        severity: lowered.map_or(severity, |it| it.to),
        message,
        help: Some(help).filter(|help| !help.is_empty()),
        document: document.index,
        kind: context.map(|context| context.kind),
        span: Some(document.source().in_characters(span.unwrap_or_else(|| beginning(&document)))),
        label: violation.label,
        related: written_here.into_iter().chain(violation.related).collect(),
        // An alias is fixed at its definition; a text beyond the limit would be the next error.
        fix: violation.fix.filter(|fix| anchored.is_none() && is_bounded(fix)),
        prevents: text.prevents(),
        fingerprint: fingerprint_in(
            rule,
            document,
            context.map(|context| context.kind),
            (&pointer, place.node, span),
        ),
        pointer: pointer.into(),
        ..Finding::default()
    }
}

/// A template with its placeholders filled for a value of a document.
pub(crate) fn filled(
    template: &str,
    place: &Place<'_>,
    context: Option<&Context<'_>>,
    fills: &[(&'static str, Message)],
) -> Message {
    let about = FilledPlace {
        kind: context.map(|context| context.kind),
        field: place.field,
        value: place.node.and_then(Node::as_str).unwrap_or_default().trim(),
    };
    fill(template, &about, fills)
}

/// Whether a fix writes no more than a value may hold, its escapes included.
fn is_bounded(fix: &Fix) -> bool {
    fix.edits.iter().map(|edit| edit.text.len()).sum::<usize>() <= 2 * MAX_STRING
}

/// The finding of a rule about the text itself.
pub(crate) fn syntax_error(
    rule: &Rule,
    syntax_error: &SyntaxError,
    document: SourceDocument<'_>,
    kind: Option<Kind>,
) -> Finding {
    let related = syntax_error.related.iter().map(|(span, message)| Related::here(*span, message.clone()));
    let text = rule.text();
    let mark = syntax_error.problem == SyntaxErrorKind::ByteOrderMark;
    let remove =
        Fix { safety: Safety::Safe, edits: vec![Edit { span: syntax_error.span, text: String::new() }] };
    let (source, index) = (document.source(), document.index);
    let key = format!("{}#{index}", source.identity());
    Finding {
        rule: rule.id.clone(),
        // Some readers refuse a byte order mark, most do not.
        severity: if syntax_error.problem.keeps_content() { Severity::Warning } else { rule.severity },
        message: syntax_error.message.clone(),
        help: syntax_error.help.clone().or_else(|| Some(Message::own(text.help))),
        document: index,
        kind,
        pointer: syntax_error.pointer.clone().into(),
        span: Some(syntax_error.span),
        related: related.collect(),
        fix: mark.then_some(remove),
        prevents: text.prevents(),
        fingerprint: fingerprint(&[
            &rule.id,
            &key,
            &syntax_error.pointer,
            source.slice(syntax_error.span),
            &syntax_error.message,
        ]),
        ..Finding::default()
    }
}

/// The finding of a rule about a comment, or an entry of the configuration, that ignores findings.
pub(crate) fn remark(rule: &Rule, violation: Violation, source: &Source<'_>) -> Finding {
    let text = rule.text();
    let fills = |template: &str| fill(template, &FilledPlace::default(), &violation.fills);
    let message = violation.message.clone().unwrap_or_else(|| fills(text.message));
    let about = violation.span.map(|span| source.slice(span)).unwrap_or_default();
    Finding {
        rule: rule.id.clone(),
        severity: rule.severity,
        help: Some(violation.help.clone().unwrap_or_else(|| fills(text.help))),
        span: violation.span,
        label: violation.label,
        related: violation.related,
        fix: violation.fix,
        prevents: text.prevents(),
        fingerprint: fingerprint(&[&rule.id, source.identity(), about, &message]),
        message,
        ..Finding::default()
    }
}

/// The first character of a document.
fn beginning(document: &Document<'_>) -> Span {
    let start = document.root.as_ref().map_or(0, |root| root.span.start);
    Span { start, end: start }
}

/// The values of placeholders if a check does not fill them.
#[derive(Default)]
struct FilledPlace<'a> {
    kind: Option<Kind>,
    field: &'a str,
    /// The text without whitespace around it.
    value: &'a str,
}

/// A template with its placeholders filled, and with the provider's names for the fields in it; a placeholder without a
/// value stays empty.
fn fill(template: &str, about: &FilledPlace<'_>, fills: &[(&'static str, Message)]) -> Message {
    let mut filled = Message::default();
    filled.begin(English::Rule(template.into()), placeholders(template).count());
    let position = |name: &str| placeholders(template).position(|cell| cell == name).unwrap_or_default();
    let own = about.kind.map_or(Cow::Borrowed(template), |kind| kind.in_own_names(template));
    let mut rest = own.as_ref();
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_own(before);
        let Some((name, after)) = after.split_once('}') else {
            filled.push_own("{");
            rest = after;
            continue;
        };
        let hole = position(name);
        match fills.iter().find(|(known, _)| *known == name) {
            Some((_, filling)) => filled.push_hole(hole, filling),
            None if name == "field" => filled.push_hole(hole, about.field),
            None if name == "value" => filled.push_hole(hole, about.value),
            None if name == "provider" => {
                let title = about.kind.map_or("the provider", |kind| kind.provider().title());
                filled.push_hole(hole, &Message::own(title));
            }
            None => {}
        }
        rest = after;
    }
    filled.push_own(rest);
    filled.end();
    filled
}

/// The fingerprint of a finding in a document.
///
/// A document is known by its number, else by its file and index, or the name of the business in a row of a table; the
/// column of a table by its name alone. The value is hashed, not its text: exporters differ in white space. That of a
/// whole document would change with every field.
fn fingerprint_in(
    rule: &Rule,
    document: SourceDocument<'_>,
    kind: Option<Kind>,
    (pointer, node, span): (&str, Option<&Node<'_>>, Option<Span>),
) -> String {
    let kind = kind.filter(|kind| kind.has_numbers()).unwrap_or_else(|| Kind::of(KindRole::Submit));
    let root = document.document().root.as_ref();
    let numbers = root.map(|root| kind.numbers(root)).unwrap_or_default();
    let by_place = || format!("{}#{}", document.source().identity(), document.index);
    let number =
        || numbers.iter().filter_map(|node| number_name(node)).map(NumberKey::of).find(NumberKey::is_exact);
    let row = root.filter(|root| root.style == Style::Cell);
    let name = || {
        row.and_then(|row| kind.field(row, role::BUSINESS_NAME)?.as_str())
            .filter(|name| !name.trim().is_empty())
    };
    let by_name = |name: &str| format!("{}#{}", document.source().identity(), name.trim());
    let is_column = is_of_column(root, span);
    let key = match number() {
        _ if is_column => String::new(),
        Some(number) => number.into_string(),
        None => name().map_or_else(by_place, by_name),
    };
    let value = node.filter(|_| !is_column && !pointer.is_empty()).map(json_of).unwrap_or_default();
    fingerprint(&[&rule.id, &key, pointer, &value])
}

/// Whether a finding is about the name of a column: those are above all rows of a table.
pub(crate) fn is_of_column(root: Option<&Node<'_>>, span: Option<Span>) -> bool {
    let row = root.filter(|root| root.style == Style::Cell);
    row.zip(span).is_some_and(|(row, span)| !span.is_empty() && span.end <= row.span.start)
}

/// The fingerprint of a finding about a column that a table does not have.
pub(crate) fn column_fingerprint(finding: &Finding) -> String {
    fingerprint(&[&finding.rule, "", &finding.pointer, ""])
}

/// Gives findings of one text that agree in all that a fingerprint is made of fingerprints by their order.
pub(crate) fn distinguish(findings: &mut [Finding]) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for finding in findings {
        let times = seen.entry(finding.fingerprint.clone()).or_default();
        *times += 1;
        if *times > 1 {
            finding.fingerprint = fingerprint(&[&finding.fingerprint, &times.to_string()]);
        }
    }
}

/// A hash of the parts in hexadecimal, which edits elsewhere do not change.
fn fingerprint(parts: &[&str]) -> String {
    format!("{:016x}", fingerprint_of(parts))
}

#[cfg(test)]
mod tests {
    use crate::facts::Facts;
    use crate::lint::linter::Linter;
    use crate::provider::detect::KindHint;
    use crate::syntax::source::Source;
    use crate::syntax::{Format, Parsed};

    #[test]
    fn places_are_whole_characters() {
        // The first key does not count, because it is written again.
        let source = Source::new("a", "é: 1\nbusinessName: Acme\né: 2\n");
        let parsed = Parsed::of(&source, Some(Format::Yaml));
        let report = Linter::builtin().check(&parsed, KindHint::Explicit, &Facts::default());
        let shown: Vec<&str> =
            report.findings.iter().filter_map(|finding| source.text().get(finding.span?.range())).collect();
        assert_eq!(shown.len(), report.findings.len(), "{:?}", report.findings);
        assert!(shown.contains(&"é"), "{shown:?}");
    }
}
