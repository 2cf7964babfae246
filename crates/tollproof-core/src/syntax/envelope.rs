//! Documents inside other shapes: a list with a name and a value for each field, and the plan of a provisioning tool.

use super::errors::drop_duplicates;
use crate::syntax::document::{Document, Member, Node, SyntaxError, Value, push_token};
use crate::syntax::span::Span;

/// The keys of a field's name in lists of names and values; from the providers' files.
static ENTRY_NAMES: &[&str] = include!(concat!(env!("OUT_DIR"), "/entry_names.rs"));

/// The keys of a field's value in lists of names and values.
static ENTRY_VALUES: &[&str] = include!(concat!(env!("OUT_DIR"), "/entry_values.rs"));

/// The types of Terraform's resources that are submissions.
static RESOURCES: &[&str] = include!(concat!(env!("OUT_DIR"), "/resources.rs"));

/// Where Terraform keeps the resources of a plan (`terraform show -json`): the values that are known before it is applied.
const PLAN: [&str; 2] = ["planned_values", "root_module"];

/// How deep the modules of a plan may be nested.
const MAX_MODULES: usize = 32;

/// Takes the documents of a text out of their envelope, if they have one.
pub(super) fn unwrap(documents: Vec<Document<'_>>) -> Vec<Document<'_>> {
    if documents.iter().all(is_entry) && !documents.is_empty() {
        return vec![of_entries(documents)];
    }
    match documents.as_slice() {
        [plan] if plan.root.as_ref().is_some_and(|root| root.get(PLAN[0]).is_some()) => of_plan(documents),
        _ => documents,
    }
}

/// Whether a document is one field of a list of names and values.
fn is_entry(document: &Document<'_>) -> bool {
    document.root.as_ref().is_some_and(|root| name_of(root).is_some_and(|name| name.as_str().is_some()))
}

fn name_of<'n, 's>(entry: &'n Node<'s>) -> Option<&'n Node<'s>> {
    ENTRY_NAMES.iter().find_map(|key| entry.get(key))
}

/// The document that a list of names and values describes. A list with one value is that value.
fn of_entries(entries: Vec<Document<'_>>) -> Document<'_> {
    let (mut members, mut syntax_errors) = (Vec::new(), Vec::new());
    let (mut span, mut cut, mut shell) = (None, false, None);
    for entry in entries {
        let Document { index, root, syntax_errors: errors, cut: is_cut, declared } = entry;
        let Some(root) = root else { continue };
        cut |= is_cut;
        let first: &mut Span = span.get_or_insert(root.span);
        first.end = first.end.max(root.span.end);
        shell.get_or_insert((index, root.style, declared));
        let Some(member) = member_of(root) else { continue };
        let mut pointer = String::new();
        push_token(&mut pointer, &member.key);
        syntax_errors
            .extend(errors.into_iter().map(|error| SyntaxError { pointer: pointer.clone(), ..error }));
        members.push(member);
    }
    syntax_errors.extend(drop_duplicates(&mut members, ""));
    let (index, style, declared) = shell.expect("there is an entry");
    let span = span.expect("an entry has a place");
    let root = Some(Node { span, style, value: Value::Object(members) });
    Document { index, root, syntax_errors, cut, declared }
}

/// The field that an entry describes. An entry without a value is null.
fn member_of(entry: Node<'_>) -> Option<Member<'_>> {
    let Node { span, style, value: Value::Object(parts) } = entry else { return None };
    let (mut name, mut value) = (None, None);
    for part in parts {
        if ENTRY_NAMES.contains(&part.key.as_ref()) {
            name = Some(part.value);
        } else if ENTRY_VALUES.contains(&part.key.as_ref()) && !matches!(part.value.value, Value::Null) {
            value = Some(part.value);
        }
    }
    let Some(Node { span: key_span, value: Value::String(key), .. }) = name else { return None };
    let value = match value {
        Some(Node { value: Value::Array(mut items), .. }) if items.len() == 1 => {
            items.pop().expect("it has one")
        }
        Some(value) => value,
        None => Node { span, style, value: Value::Null },
    };
    Some(Member { key, key_span, value })
}

/// The submissions in a plan. A plan without any stays one document, which is no submission.
fn of_plan(mut plans: Vec<Document<'_>>) -> Vec<Document<'_>> {
    let Some(Document { root: Some(root), .. }) = plans.first() else { return plans };
    let mut found = Vec::new();
    if let Some(module) = PLAN.iter().try_fold(root, |node, key| node.get(key)) {
        collect(module, MAX_MODULES, &mut found);
    }
    if found.is_empty() {
        return plans;
    }
    let plan = plans.pop().expect("it was just looked at");
    let mut syntax_errors = plan.syntax_errors;
    let with_root = |(at, root)| Document {
        index: plan.index + at,
        root: Some(root),
        syntax_errors: std::mem::take(&mut syntax_errors),
        cut: plan.cut,
        declared: plan.declared,
    };
    found.into_iter().enumerate().map(with_root).collect()
}

/// Collects the values of the resources in a module and in those inside it.
fn collect<'s>(module: &Node<'s>, depth: usize, found: &mut Vec<Node<'s>>) {
    let listed = |key: &str| module.get(key).map(Node::items).unwrap_or_default();
    for resource in listed("resources") {
        let is_submission =
            resource.get("type").and_then(Node::as_str).is_some_and(|it| RESOURCES.contains(&it));
        found.extend(resource.get("values").filter(|_| is_submission).map(given));
    }
    let below = depth.checked_sub(1);
    listed("child_modules")
        .iter()
        .filter_map(|it| Some((it, below?)))
        .for_each(|(it, below)| collect(it, below, found));
}

/// The values that are set. Terraform writes null for an attribute that is not.
fn given<'s>(values: &Node<'s>) -> Node<'s> {
    let is_set = |member: &&Member<'_>| !matches!(member.value.value, Value::Null);
    let members: Vec<Member<'s>> = values.members().iter().filter(is_set).cloned().collect();
    Node { value: Value::Object(members), ..values.clone() }
}
