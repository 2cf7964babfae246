//! Things that notes and programs leave unsaid: missing fields are not errors there, and values that a program computes
//! are not checked.

use tollproof_data::checks::Check;
use tollproof_data::provider::schema::error::{SchemaError, SchemaErrorKind};
use tollproof_data::provider::schema::shape::Shape;
use tollproof_data::suggest::is_same_name;

use crate::checks::{Place, Trail, Violation};
use crate::finding::{Finding, Severity};
use crate::lint::linter::Linter;
use crate::lint::render;
use crate::lint::report::Report;
use crate::provider::kind::Kind;
use crate::provider::read_fields::ReadField;
use crate::provider::schema;
use crate::syntax::SourceDocument;
use crate::syntax::document::{Node, SPREAD, Style, Value};
use crate::syntax::message::{Message, message};
use crate::syntax::string_map::{is_computed_in_part, is_only_data};

/// A field that has no rule of its own where it is missing.
const NO_FIELD: &str = "/-";

/// Whether a value in notes is one that the provider takes, written as people do: a number, or what a console shows.
fn is_label(kind: Kind, pointer: &str, node: &Node<'_>) -> bool {
    let shape = schema::shape(kind).at_pointer(pointer);
    let listed = match shape {
        Some(Shape::Text(text)) => &text.values,
        Some(Shape::Integer { .. }) => {
            return node.as_str().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        }
        _ => return false,
    };
    let is_same = |text: &str| listed.iter().any(|value| value != text && is_same_name(value, text));
    node.as_str().is_some_and(is_same)
}

/// Whether nothing tells the provider of a draft, so that the default one is assumed.
pub(super) fn is_assumed(document: SourceDocument<'_>, root: &Node<'_>) -> bool {
    root.style == Style::Notes && document.declared().provider.is_none()
}

/// The name of the field at a pointer.
fn name_at(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".")
}

/// The most names that a message lists.
const NAMED: usize = 12;

impl Linter {
    /// Replaces the findings about fields that notes or a program do not have by one.
    pub(super) fn leave_unsaid(
        &self,
        document: SourceDocument<'_>,
        (root, kind): (&Node<'_>, Kind),
        findings: &mut Vec<Finding>,
        report: &mut Report,
    ) {
        let computed =
            ReadField::of(root).into_iter().filter(|field| field.is_computed()).map(|field| field.name);
        report.computed.extend(computed);
        // What is put into an object from elsewhere may be any field.
        let is_open = document.untaken().iter().any(|part| part.name.starts_with(SPREAD));
        let untaken = document.untaken().iter().map(|part| part.name.clone());
        if is_open { &mut report.computed } else { &mut report.untaken }.extend(untaken);
        let unknown = SchemaError { kind: SchemaErrorKind::Unknown, pointer: String::new() };
        // A provider that is only assumed may be another one, which has the field.
        let unknown = self.rule_of_schema_error(Some(kind), &unknown).filter(|_| is_assumed(document, root));
        let mut missing: Vec<String> = Vec::new();
        findings.retain(|finding| {
            if unknown.is_some_and(|rule| *rule.id == *finding.rule) {
                return false;
            }
            let pointer = &*finding.pointer;
            match root.at(pointer) {
                // A console shows the values of the API in other letters.
                Some(node) if root.style == Style::Notes && is_label(kind, pointer, node) => return false,
                // Notes have the number itself where the provider wants its own name for it.
                Some(node) if root.style == Style::Notes => {
                    let is_form = finding.rule.starts_with("structure/malformed-");
                    let is_number =
                        is_form && kind.numbers(root).iter().any(|number| number.span == node.span);
                    let is_known = node
                        .as_str()
                        .is_some_and(|text| text.bytes().filter(u8::is_ascii_digit).count() >= 10);
                    let name = name_at(pointer);
                    missing.extend(Some(name).filter(|_| is_number && is_known));
                    return !(is_number && is_known);
                }
                // What the text as a whole lacks may be in the part that the program computes.
                Some(node) => {
                    let check = self.rule(&finding.rule).and_then(|rule| rule.check.content());
                    let source = document.source().text();
                    let lacks = matches!(check, Some(Check::Require(_) | Check::Brand(_)));
                    let is_whole = finding.read_by.is_none() && finding.span == Some(node.span);
                    // Neither a brand nor a word to stop is in a date or an order's number.
                    let is_brand = matches!(check, Some(Check::Brand(_)));
                    let cannot_have =
                        finding.rule.starts_with("message/missing-") && is_only_data(source, node, is_brand);
                    let is_unknown = lacks && is_whole && !cannot_have && is_computed_in_part(source, node);
                    report.computed.extend(is_unknown.then(|| name_at(pointer)));
                    return !is_unknown;
                }
                None => {}
            }
            let above = pointer.match_indices('/').filter_map(|(at, _)| root.at(&pointer[..at]));
            let is_computed = above.into_iter().any(|node| matches!(node.value, Value::Computed));
            let name = name_at(pointer);
            if !is_computed && !missing.contains(&name) {
                missing.push(name);
            }
            false
        });
        let error = SchemaError { kind: SchemaErrorKind::Missing, pointer: NO_FIELD.to_owned() };
        let Some(rule) = self.rule_of_schema_error(Some(kind), &error).filter(|_| !missing.is_empty()) else {
            return;
        };
        report.incomplete += 1;
        if is_open || !self.runs(rule) {
            return;
        }
        let listed = missing[..missing.len().min(NAMED)].join("`, `");
        let message = match missing.len() {
            0..=NAMED => message!("this text does not have: `{}`", Message::name(&listed)),
            count => message!("this text does not have {} fields: `{}`, …", count, Message::name(&listed)),
        };
        let help = "Give them where you send the draft. `tollproof new draft.yaml --from` writes the text to a file, with these fields to fill in.";
        let severity = Some(Severity::Info);
        let violation = Violation {
            message: Some(message),
            help: Some(help.into()),
            severity,
            ..Violation::at(root.opening())
        };
        let place = Place { node: Some(root), trail: Trail::ROOT, field: "", role: "" };
        findings.push(render::finding(rule, violation, &place, document, None));
        if let Some(last) = findings.last_mut() {
            last.kind = Some(kind);
        }
    }
}
