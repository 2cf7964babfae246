//! `url`: web addresses, as the whole value or inside a text.

use super::{Defect, SHOWN, labelled};
use crate::context::Context;
use crate::document::Node;
use crate::finding::Safety;
use crate::plausible::host;
use crate::plausible::web::{self, Address, Malformed};
use crate::rule::check::Url;

pub(super) fn look(check: &Url, node: &Node<'_>, context: &Context<'_>) -> Option<Defect> {
    let text = node.as_str()?;
    if check.within_text {
        return within(check, text, node, context);
    }
    let trimmed = text.trim();
    let address = match web::parse(trimmed) {
        Ok(address) => address,
        Err(malformed) => return check.malformed.then(|| self::malformed(malformed, trimmed, node, context)),
    };
    let reason = reason(check, &address, context)?;
    let start = text.len() - text.trim_start().len();
    let range = reason.part.and_then(|part| trimmed.find(part).map(|at| start + at..start + at + part.len()));
    let span = context.inner(node, range.unwrap_or(start..start + trimmed.len()));
    Some(Defect::at(span).fill("value", text).fill("match", reason.what))
}

/// What is wrong with an address, and which part of it shows that.
struct Reason<'a> {
    what: String,
    part: Option<&'a str>,
}

fn within(check: &Url, text: &str, node: &Node<'_>, context: &Context<'_>) -> Option<Defect> {
    let scan = context.scan(text);
    let bad: Vec<_> = scan
        .addresses(text)
        .iter()
        .filter_map(|(range, address)| Some((range.clone(), reason(check, address, context)?.what)))
        .take(SHOWN)
        .collect();
    let what = bad.first()?.1.clone();
    let spans = bad.into_iter().map(|(range, _)| context.inner(node, range)).collect();
    let defect = labelled(spans, "")?;
    Some(Defect { label: None, ..defect }.fill("value", text).fill("match", what))
}

fn malformed(malformed: Malformed, text: &str, node: &Node<'_>, context: &Context<'_>) -> Defect {
    let defect = Defect::default().fill("value", text);
    match malformed {
        Malformed::NoScheme => {
            let fixed = format!("https://{text}");
            let help = format!("Write {fixed}");
            let defect = defect.fill("reason", "it does not begin with https://");
            Defect { help: Some(help), ..defect.rewrite(context, node, &fixed, Safety::Safe) }
        }
        Malformed::Other(reason) => defect.fill("reason", reason),
    }
}

fn reason<'a>(check: &'a Url, address: &'a Address, context: &Context<'_>) -> Option<Reason<'a>> {
    let whole = |what: &str| Some(Reason { what: what.to_owned(), part: None });
    let name = address.host.as_str();
    if check.local && host::is_local(name) {
        return whole(&format!("`{name}` can be reached from your own network alone"));
    }
    if check.reserved && host::is_reserved(name) {
        return whole(&format!("`{name}` is a name set apart for examples and tests"));
    }
    if let Some(entry) = context.lists.host_entry(&check.hosts, name) {
        return Some(Reason { what: entry.to_owned(), part: Some(name) });
    }
    let place = format!("{}{}", name.trim_start_matches("www."), address.path);
    if let Some(prefix) = check.prefixes.iter().find(|prefix| place.starts_with(prefix.as_str())) {
        return whole(&format!("`{prefix}` opens for its owner alone"));
    }
    let is_word = |segment: &&str| check.path_words.iter().any(|word| segment.eq_ignore_ascii_case(word));
    let mut segments = address.path.split(['/', '.', '?']);
    if let Some(segment) = segments.find(is_word) {
        return Some(Reason {
            what: format!("`{segment}` in its path leads behind a login"),
            part: Some(segment),
        });
    }
    let route = address.fragment.as_deref().is_some_and(|it| it.starts_with(['/', '!']));
    if check.hash_route && route {
        return Some(Reason {
            what: "what follows `#` is not sent to a server".to_owned(),
            part: address.fragment.as_deref(),
        });
    }
    None
}
