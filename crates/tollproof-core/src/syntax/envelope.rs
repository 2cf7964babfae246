//! Documents inside other shapes: a list with a name and a value for each field, an object around a payload or a list of
//! records, and the plan of a provisioning tool.

use super::errors::drop_duplicates;
use crate::prepared::PREPARED;
use crate::syntax::document::{Document, Member, Node, SyntaxError, Value, push_token};
use crate::syntax::drafts::is_filled;
use crate::syntax::span::Span;

/// The fewest keys of a payload that show an object around it to be a wrapper. A document with fewer keys has all of
/// them.
const PAYLOAD: usize = 3;

/// The count of keys of a payload that shows that an object of any name is one, as in notes and programs of a folder.
const SURE: usize = 5;

/// The most wrappers around each other.
const MAX_WRAPPERS: usize = 3;

/// The number of compared keys of an object.
const COMPARED: usize = 200;

/// The path to the resources of a Terraform plan (`terraform show -json`): the values that are known before it is applied.
const PLAN: [&str; 2] = ["planned_values", "root_module"];

/// The maximum depth of nested modules in a plan.
const MAX_MODULES: usize = 32;

/// Takes the documents of a text out of their envelope, if they have one.
pub(super) fn unwrap(documents: Vec<Document<'_>>) -> Vec<Document<'_>> {
    if documents.iter().all(is_entry) && !documents.is_empty() {
        return vec![of_entries(documents)];
    }
    let documents = if documents.iter().any(is_wrapped) {
        documents.into_iter().flat_map(of_wrapper).enumerate().map(renumbered).collect()
    } else {
        documents
    };
    match documents.as_slice() {
        [plan] if plan.root.as_ref().is_some_and(|root| root.get(PLAN[0]).is_some()) => of_plan(documents),
        _ => documents,
    }
}

/// A document in the place of a line, without its wrapper; a wrapper of several documents stays.
pub(super) fn unwrap_line(document: Document<'_>) -> Document<'_> {
    if !is_wrapped(&document) {
        return document;
    }
    let (index, whole) = (document.index, document.clone());
    match of_wrapper(document).as_mut_slice() {
        [only] => Document { index, ..only.clone() },
        _ => whole,
    }
}

fn renumbered((index, document): (usize, Document<'_>)) -> Document<'_> {
    Document { index, ..document }
}

fn is_wrapped(document: &Document<'_>) -> bool {
    document.root.as_ref().is_some_and(|root| !wrapped(root, MAX_WRAPPERS).is_empty())
}

/// The places in an object of the payload or the list of records that it is a wrapper of, or of payloads by their names.
fn wrapped(root: &Node<'_>, depth: usize) -> Vec<usize> {
    let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
    let own = payload_keys(root);
    let is_listed = |member: &Member<'_>| PREPARED.wrapping.wrappers.contains(&member.key.as_ref());
    let is_wrapper = |member: &Member<'_>| {
        let inside = match &member.value.value {
            Value::Object(_) => &member.value,
            Value::Array(items) if items.iter().all(|item| !item.members().is_empty()) => match items.first()
            {
                Some(first) => first,
                None => return false,
            },
            _ => return false,
        };
        let items = member.value.items();
        let of_items = items.iter().take(MAX_WRAPPERS).map(payload_keys).max();
        let keys = of_items.unwrap_or_else(|| payload_keys(inside));
        let is_payload = || {
            if is_listed(member) {
                return keys >= PAYLOAD;
            }
            // A key of any name: the fields below it must be those of a draft.
            said_keys(inside) >= SURE && !is_payload_key(&member.key) && is_filled(inside.members())
        };
        !wrapped(inside, depth).is_empty()
            || is_listed(member) && !items.is_empty() && items.iter().all(is_field)
            || keys > own && is_payload()
    };
    let members = root.members();
    let found: Vec<usize> = (0..members.len()).filter(|at| is_wrapper(&members[*at])).collect();
    if let Some(listed) = found.iter().find(|at| is_listed(&members[**at])) {
        return vec![*listed];
    }
    if found.is_empty() || is_read_request(root) {
        return Vec::new();
    }
    let is_foreign = |(_, keys): &(_, Vec<&str>)| keys.iter().all(|key| root.get(key).is_some());
    if PREPARED.roles.unknown.iter().any(is_foreign) {
        return Vec::new();
    }
    // Parts of one payload have different fields.
    let has_first = |at: &usize| {
        let first = members[found[0]].value.members();
        first.iter().any(|member| members[*at].value.get(&member.key).is_some())
    };
    if found.iter().skip(1).all(has_first) { found } else { Vec::new() }
}

/// Whether this is a line of `tollproof read --export`, which is often kept beside the draft that it is about.
pub(crate) fn is_read_request(root: &Node<'_>) -> bool {
    ["version", "fields", "questions"].iter().all(|key| root.get(key).is_some())
}

/// Counts an object's keys that are those of requests and records.
fn payload_keys(node: &Node<'_>) -> usize {
    node.members().iter().take(COMPARED).filter(|member| is_payload_key(&member.key)).count()
}

/// The count of them that have a value, not a description of one.
fn said_keys(node: &Node<'_>) -> usize {
    let is_said = |member: &&Member<'_>| {
        is_payload_key(&member.key) && !matches!(member.value.value, Value::Null | Value::Object(_))
    };
    node.members().iter().take(COMPARED).filter(is_said).count()
}

fn is_payload_key(key: &str) -> bool {
    PREPARED.wrapping.payload_keys.find(key.as_bytes()).is_some()
}

/// The documents in a wrapper.
fn of_wrapper(document: Document<'_>) -> Vec<Document<'_>> {
    inside(document, MAX_WRAPPERS)
}

fn inside(document: Document<'_>, wrappers: usize) -> Vec<Document<'_>> {
    let places = document.root.as_ref().map(|root| wrapped(root, wrappers)).unwrap_or_default();
    let wrappers = wrappers.saturating_sub(1);
    if places.is_empty() {
        return vec![document];
    }
    let Document { index, root, mut syntax_errors, cut, declared, .. } = document;
    let Some(Node { value: Value::Object(members), .. }) = root else { return Vec::new() };
    let mut nodes: Vec<(String, Node<'_>)> = Vec::new();
    for (_, Member { key, value, .. }) in
        members.into_iter().enumerate().filter(|(at, _)| places.contains(at))
    {
        let mut pointer = String::new();
        push_token(&mut pointer, &key);
        match value {
            Node { value: Value::Array(items), .. } => {
                let item = |(at, item)| (format!("{pointer}/{at}"), item);
                nodes.extend(items.into_iter().enumerate().map(item));
            }
            value => nodes.push((pointer, value)),
        }
    }
    let mut documents = Vec::new();
    for (above, root) in nodes {
        let (own, others) = syntax_errors.into_iter().partition::<Vec<_>, _>(|error| {
            let rest = error.pointer.strip_prefix(&above);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        let below =
            |error: SyntaxError| SyntaxError { pointer: error.pointer[above.len()..].to_owned(), ..error };
        syntax_errors = others;
        let syntax_errors = own.into_iter().map(below).collect();
        let document = Document {
            index,
            root: Some(root),
            syntax_errors,
            cut,
            declared: declared.clone(),
            ..Document::default()
        };
        documents.push(document);
    }
    if documents.iter().all(|document| document.root.as_ref().is_some_and(is_field)) {
        documents = vec![of_entries(documents)];
    }
    // What is wrong outside of the payload belongs to the first document.
    if let Some(first) = documents.first_mut() {
        let outside = syntax_errors.into_iter().map(|error| SyntaxError { pointer: String::new(), ..error });
        first.syntax_errors.splice(0..0, outside);
    }
    documents.into_iter().flat_map(|it| inside(it, wrappers)).collect()
}

/// Whether an entry is one field with its value, and nothing that only an answer has.
fn is_field(entry: &Node<'_>) -> bool {
    let known = |key: &str| {
        PREPARED.wrapping.entry_names.contains(&key) || PREPARED.wrapping.entry_values.contains(&key)
    };
    name_of(entry).is_some_and(|name| name.as_str().is_some())
        && entry.members().iter().all(|member| known(&member.key))
}

/// Whether a document is one field of a list of names and values.
fn is_entry(document: &Document<'_>) -> bool {
    document.root.as_ref().is_some_and(|root| name_of(root).is_some_and(|name| name.as_str().is_some()))
}

fn name_of<'n, 's>(entry: &'n Node<'s>) -> Option<&'n Node<'s>> {
    PREPARED.wrapping.entry_names.iter().find_map(|key| entry.get(key))
}

/// The document that a list of names and values describes. A list with one value is that value.
fn of_entries(entries: Vec<Document<'_>>) -> Document<'_> {
    let (mut members, mut syntax_errors) = (Vec::new(), Vec::new());
    let (mut span, mut cut, mut shell) = (None, false, None);
    for entry in entries {
        let Document { index, root, syntax_errors: errors, cut: is_cut, declared, .. } = entry;
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
    Document { index, root, syntax_errors, cut, declared, ..Document::default() }
}

/// The field that an entry describes. An entry without a value is null.
fn member_of(entry: Node<'_>) -> Option<Member<'_>> {
    let Node { span, style, value: Value::Object(parts) } = entry else { return None };
    let (mut name, mut value) = (None, None);
    for part in parts {
        if PREPARED.wrapping.entry_names.contains(&part.key.as_ref()) {
            name = Some(part.value);
        } else if PREPARED.wrapping.entry_values.contains(&part.key.as_ref())
            && !matches!(part.value.value, Value::Null)
        {
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
        declared: plan.declared.clone(),
        ..Document::default()
    };
    found.into_iter().enumerate().map(with_root).collect()
}

/// Collects the values of the resources in a module and in those inside it.
fn collect<'s>(module: &Node<'s>, depth: usize, found: &mut Vec<Node<'s>>) {
    let listed = |key: &str| module.get(key).map(Node::items).unwrap_or_default();
    for resource in listed("resources") {
        let is_submission = resource
            .get("type")
            .and_then(Node::as_str)
            .is_some_and(|it| PREPARED.wrapping.resources.contains(&it));
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
