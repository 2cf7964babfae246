//! Reads answers of providers other than Bird by the shapes in `schemas/codes.yaml`.

use std::cmp::Ordering;

use tollproof_data::code_table::{AnswerForm, AnswerShape, ReasonShape, squeezed_name};

use super::answer_reason::{AnswerReason, ReviewResult, words_of};
use super::codes::{self, table};
use crate::facts::{Outcome, waits_for_answer};
use crate::provider::kind::Provider;
use crate::syntax::document::{Node, Value};
use crate::syntax::source::Span;
use crate::validators::number_key::NumberKey;

/// The content of an answer of another provider.
#[derive(Debug)]
pub(super) struct Shaped {
    pub(super) provider: &'static str,
    /// `None` for a refused request.
    pub(super) verdict: Option<ReviewResult>,
    pub(super) reasons: Vec<AnswerReason>,
    /// Whether the API accepted the request.
    pub(super) is_receipt: bool,
    /// Code and message of a refused or accepted request.
    pub(super) refusal: (String, String),
    /// The span for the whole answer.
    pub(super) at: Span,
}

/// Reads the entries of one answer; several entries are a list that the answer consists of. `None` if they have no known
/// shape.
pub(super) fn read(entries: &[&Node<'_>], numbers: &[&str]) -> Option<Shaped> {
    let first = entries.first()?;
    if let Some(shape) = table().answers.iter().find(|shape| has_shape(shape, first)) {
        return Some(shaped(shape, &of_numbers(entries, numbers)));
    }
    for shape in &table().answers {
        for name in &shape.within {
            let inside: Vec<&Node<'_>> =
                entries.iter().filter_map(|entry| at(entry, name)).flat_map(items).collect();
            if inside.first().is_some_and(|entry| has_shape(shape, entry)) {
                return Some(shaped(shape, &of_numbers(&inside, numbers)));
            }
        }
    }
    None
}

/// The list of records in an answer of a provider whose records have no shape of their own.
pub(super) fn listed<'n, 's>(root: &'n Node<'s>) -> Option<Vec<&'n Node<'s>>> {
    table().lists.iter().find_map(|name| at(root, name)).map(items)
}

/// The entries of a list that name one of the numbers; all of them if none does.
pub(super) fn of_numbers<'n, 's>(entries: &[&'n Node<'s>], numbers: &[&str]) -> Vec<&'n Node<'s>> {
    let keys: Vec<NumberKey> = numbers.iter().map(|it| NumberKey::of(it)).collect();
    let names = |node: &&Node<'_>| names_any(node, &keys);
    let named: Vec<&'n Node<'s>> = entries.iter().copied().filter(names).collect();
    if named.is_empty() { entries.to_vec() } else { named }
}

/// Whether a text in a node is one of the numbers.
fn names_any(node: &Node<'_>, keys: &[NumberKey]) -> bool {
    match &node.value {
        Value::Object(members) => members.iter().any(|it| names_any(&it.value, keys)),
        Value::Array(items) => items.iter().any(|it| names_any(it, keys)),
        Value::String(text) => keys.contains(&NumberKey::of(text)),
        Value::Number(text) => keys.contains(&NumberKey::of(text)),
        Value::Bool(_) | Value::Null | Value::Computed => false,
    }
}

/// The scalars of an answer that may say something about the login of the program that sent the request.
fn scalars(root: &Node<'_>) -> Vec<String> {
    let nodes = table().access.keys.iter().filter_map(|key| at(root, key));
    nodes.filter(|node| node.members().is_empty() && node.items().is_empty()).map(words_of).collect()
}

fn shaped(shape: &'static AnswerShape, entries: &[&Node<'_>]) -> Shaped {
    let newest = |name: &String| {
        let value = |entry: &&&Node<'_>| at(entry, name).map(words_of).unwrap_or_default();
        entries.iter().filter(|entry| !value(entry).is_empty()).reduce(|one, other| {
            if by_value(&value(&one), &value(&other)) == Ordering::Less { other } else { one }
        })
    };
    let newest = shape.newest_by.as_ref().and_then(newest).copied();
    // A history without times cannot be ordered, so all entries count.
    let counted: Vec<&Node<'_>> = newest.map_or_else(|| entries.to_vec(), |entry| vec![entry]);
    let mut reasons: Vec<AnswerReason> = Vec::new();
    for entry in &counted {
        for reason in &shape.reasons {
            if !reason.unless_said || reasons.is_empty() {
                read_reasons(reason, entry, &mut reasons);
            }
        }
    }
    let root = counted.first().copied().unwrap_or(entries[0]);
    let node = |names: &[String]| names.iter().find_map(|name| at(root, name));
    let status = node(&shape.status);
    let (code, message) = (node(&shape.refused.code), node(&shape.refused.message));
    let at_whole = status.or(message).or(code).map_or(root.opening(), Node::written);
    let text = |node: Option<&Node<'_>>| node.map(words_of).unwrap_or_default();
    let refusal = (text(code), text(message));
    if reasons.is_empty() && shape.is == AnswerForm::Refusal && !refusal.1.is_empty() {
        reasons.push(AnswerReason::text(refusal.1.clone(), at_whole));
    }
    let provider: Option<Provider> = shape.provider.parse().ok();
    let is_listed = |list: &[String]| list.contains(&squeezed_name(&text(status)));
    let verdict = (shape.is == AnswerForm::Record).then(|| ReviewResult {
        outcome: match status {
            None if reasons.is_empty() => Outcome::Open,
            None => Outcome::Rejected,
            Some(_) if is_listed(&shape.verified) => Outcome::Verified,
            Some(_) if is_listed(&shape.rejected) => Outcome::Rejected,
            Some(status) => Outcome::of(&words_of(status), provider),
        },
        is_asked: is_listed(&shape.asked) || waits_for_answer(&text(status), provider),
        is_blocked: shape.blocked.as_ref().and_then(|name| written_bool(root, name)).is_some_and(|it| it.1),
        status: text(status),
        numbers: shape.numbers.iter().flat_map(|name| all(root, name)).map(words_of).collect(),
        may_edit: shape.may_edit.as_ref().and_then(|name| written_bool(root, name)),
        until: shape.until.as_ref().and_then(|name| {
            let (key, node) = member(root, name)?;
            Some((key, words_of(node))).filter(|(_, value)| !value.is_empty())
        }),
        updated_at: None,
    });
    let is_receipt = shape.is == AnswerForm::Receipt;
    Shaped { provider: &shape.provider, verdict, reasons, is_receipt, refusal, at: at_whole }
}

/// Whether a document has all names of one of the shape's lists.
fn has_shape(shape: &AnswerShape, root: &Node<'_>) -> bool {
    let has = |name: &String| at(root, name).is_some();
    shape.tells.iter().any(|names| names.iter().all(has))
}

/// Numbers are compared as numbers, and times of one API as texts.
fn by_value(one: &str, other: &str) -> Ordering {
    match (one.parse::<u64>(), other.parse::<u64>()) {
        (Ok(one), Ok(other)) => one.cmp(&other),
        _ => one.cmp(other),
    }
}

fn written_bool(root: &Node<'_>, name: &str) -> Option<(String, bool)> {
    let (key, node) = member(root, name)?;
    let value = match words_of(node).to_lowercase().as_str() {
        "true" | "yes" | "1" => true,
        "false" | "no" | "0" => false,
        _ => return None,
    };
    Some((key, value))
}

/// The value at a path of squeezed names; the first item of a list where the path goes through one.
fn at<'n, 's>(root: &'n Node<'s>, path: &str) -> Option<&'n Node<'s>> {
    path.split('/').try_fold(root, |node, name| {
        let node = node.items().first().unwrap_or(node);
        node.members().iter().find(|it| squeezed_name(&it.key) == name).map(|it| &it.value)
    })
}

/// All values at a path of squeezed names.
fn all<'n, 's>(root: &'n Node<'s>, path: &str) -> Vec<&'n Node<'s>> {
    path.split('/').fold(vec![root], |nodes, name| {
        let members = nodes.into_iter().flat_map(Node::members);
        members.filter(|it| squeezed_name(&it.key) == name).flat_map(|it| items(&it.value)).collect()
    })
}

/// A member at the top, with its key as it is written.
fn member<'n, 's>(root: &'n Node<'s>, name: &str) -> Option<(String, &'n Node<'s>)> {
    let found = root.members().iter().find(|it| squeezed_name(&it.key) == name)?;
    Some((found.key.clone().into_owned(), &found.value))
}

fn items<'n, 's>(node: &'n Node<'s>) -> Vec<&'n Node<'s>> {
    match &node.value {
        Value::Array(items) => items.iter().collect(),
        _ => vec![node],
    }
}

fn read_reasons(shape: &ReasonShape, entry: &Node<'_>, reasons: &mut Vec<AnswerReason>) {
    let Some(node) = shape.within.as_ref().map_or(Some(entry), |name| at(entry, name)) else { return };
    let mut add = |reason: AnswerReason| {
        let is_new = reasons.iter().all(|known| {
            (&known.name, &known.code, &known.text) != (&reason.name, &reason.code, &reason.text)
        });
        if is_new && !(reason.text.is_empty() && reason.code.is_none()) {
            reasons.push(reason);
        }
    };
    if shape.by_key {
        for member in node.members() {
            for text in items(&member.value) {
                let name = Some(member.key.clone().into_owned());
                add(AnswerReason { name, ..AnswerReason::text(words_of(text), text.span) });
            }
        }
        return;
    }
    for item in items(node) {
        let mut reason = if item.members().is_empty() { by_content(item) } else { of_entry(shape, item) };
        let named = reason.text.split_once(':').filter(|(name, _)| shape.named && is_name(name));
        if let Some((name, text)) = named.map(|(name, text)| (name.to_owned(), text.trim().to_owned())) {
            reason = AnswerReason { name: Some(name), text, ..reason };
        }
        add(reason);
    }
}

/// Whether a text may be the name of a field or the path of one.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.[]/".contains(&byte))
}

/// The reason in an object, under its names or by what it contains.
fn of_entry(shape: &ReasonShape, item: &Node<'_>) -> AnswerReason {
    let find = |names: &[String]| {
        let full = |node: &&Node<'_>| !words_of(node).is_empty();
        names.iter().filter_map(|name| at(item, name)).find(full)
    };
    let (code, text) = (find(&shape.code), find(&shape.text));
    let name = find(&shape.field).map(|node| match &node.value {
        Value::Array(steps) => steps.iter().map(words_of).collect::<Vec<_>>().join("."),
        _ => words_of(node),
    });
    // The names of the entries of a list are not always documented, and so may differ.
    if code.is_none() && text.is_none() {
        return match shape.within {
            Some(_) => AnswerReason { name, ..by_content(item) },
            None => AnswerReason::text(String::new(), item.span),
        };
    }
    let text_of = |node: Option<&Node<'_>>| node.map(words_of).unwrap_or_default();
    let at = text.or(code).map_or(item.span, |node| node.span);
    let code = code.map(words_of).filter(|code| !is_nothing(code));
    let text = match (text_of(text), &code) {
        (text, Some(code)) if text.is_empty() => format!("code {code}"),
        (text, _) => text,
    };
    let advice = find(&shape.advice).map(words_of);
    AnswerReason { name, code, advice, ..AnswerReason::text(text, at) }
}

/// Some APIs write zero where they have no code.
fn is_nothing(code: &str) -> bool {
    code.is_empty() || code == "0"
}

/// The reason in a value with unknown names: a known code, and the longest text.
fn by_content(item: &Node<'_>) -> AnswerReason {
    let scalars: Vec<&Node<'_>> = match &item.value {
        Value::Object(members) => members.iter().map(|member| &member.value).collect(),
        _ => vec![item],
    };
    let text_of = |node: &&Node<'_>| words_of(node);
    let is_code = |node: &&Node<'_>| {
        let text = words_of(node);
        (3..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let code = scalars.iter().copied().find(is_code);
    let is_text = |node: &&Node<'_>| {
        let text = words_of(node);
        !text.starts_with("http") && Some(text) != code.map(words_of)
    };
    let longest = scalars.iter().copied().filter(is_text).max_by_key(|node| text_of(node).len());
    let text = longest.as_ref().map(text_of).unwrap_or_default();
    let code = code.as_ref().map(text_of);
    let text = match (&code, text.is_empty()) {
        (Some(code), true) => format!("code {code}"),
        _ => text,
    };
    AnswerReason { code, ..AnswerReason::text(text, longest.map_or(item.span, |node| node.span)) }
}

/// A message if an answer is about the login of the program that sent the request.
pub(super) fn access(root: &Node<'_>) -> Option<String> {
    let words = &table().access;
    let matches = |text: &str| {
        let text = text.trim().trim_end_matches('.').to_lowercase();
        words.words.iter().any(|pattern| {
            let bare = pattern.trim_matches('*');
            match (pattern.starts_with('*'), pattern.ends_with('*')) {
                (true, true) => text.contains(bare),
                (false, true) => text.starts_with(bare),
                (true, false) => text.ends_with(bare),
                (false, false) => text == bare,
            }
        })
    };
    let texts = scalars(root);
    let by_words = texts.iter().find(|text| matches(text));
    by_words.or_else(|| texts.iter().find(|text| words.codes.contains(text))).cloned()
}

/// The title of a provider for messages.
pub(super) fn title(provider: &str) -> &str {
    codes::title_of(provider).unwrap_or(provider)
}
