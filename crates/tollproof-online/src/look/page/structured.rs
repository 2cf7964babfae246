//! Names and addresses of businesses in structured data: JSON-LD and microdata with the vocabulary of schema.org.

use serde_json::Value;

use super::super::html::{HtmlElement, HtmlTree, NodeId};
use super::super::words::{folded, words};
use super::shown::text_of;

/// The most values of structured data that are read.
const MAX_VALUES: usize = 20_000;

/// The longest value of microdata, in characters.
const MAX_VALUE: usize = 200;

/// Properties that lead to businesses of others.
const OTHERS: [&str; 20] = [
    "affiliation",
    "alumniOf",
    "author",
    "brand",
    "citation",
    "creator",
    "customer",
    "funder",
    "hasCredential",
    "isRelatedTo",
    "itemReviewed",
    "manufacturer",
    "member",
    "memberOf",
    "mentions",
    "performer",
    "recognizedBy",
    "review",
    "sponsor",
    "worksFor",
];

/// The parts of an address, in the order of an envelope.
const ADDRESS: [&str; 5] =
    ["streetAddress", "addressLocality", "addressRegion", "postalCode", "addressCountry"];

/// Reads structured data of businesses (JSON-LD).
pub(super) fn structured(text: &str, names: &mut Vec<String>, addresses: &mut Vec<String>) {
    let Ok(root) = serde_json::from_str::<Value>(text) else { return };
    let mut left = vec![&root];
    for _ in 0..MAX_VALUES {
        let Some(value) = left.pop() else { break };
        match value {
            Value::Array(all) => left.extend(all.iter().rev()),
            Value::Object(object) => {
                let is_a = |kind: &str| words().business_types.are_in(&folded(kind));
                let is_business = match object.get("@type") {
                    Some(Value::String(kind)) => is_a(kind),
                    Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).any(is_a),
                    _ => false,
                };
                if is_business {
                    let named =
                        ["legalName", "name", "alternateName"].into_iter().filter_map(|it| object.get(it));
                    names.extend(named.filter_map(Value::as_str).map(str::to_owned));
                    addresses.extend(object.get("address").and_then(postal_address));
                }
                let own = object.iter().filter(|(name, _)| !OTHERS.contains(&name.as_str()));
                left.extend(own.map(|(_, value)| value).rev());
            }
            _ => {}
        }
    }
}

/// An address as structured data has it, in one line.
fn postal_address(value: &Value) -> Option<String> {
    let value = value.as_array().and_then(|all| all.first()).unwrap_or(value);
    if let Some(text) = value.as_str() {
        return Some(text.to_owned());
    }
    let part = |name: &str| {
        let value = value.get(name)?;
        value.as_str().or_else(|| value.get("name")?.as_str()).map(str::trim).filter(|it| !it.is_empty())
    };
    let parts: Vec<&str> = ADDRESS.into_iter().filter_map(part).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Reads an element that describes a business (microdata: `itemscope`, `itemtype`, `itemprop`).
pub(super) fn microdata(tree: &HtmlTree, item: NodeId, names: &mut Vec<String>, addresses: &mut Vec<String>) {
    let kind = |node: &HtmlElement| {
        node.attribute("itemtype").map(|value| value.rsplit(['/', '#']).next().unwrap_or_default().to_owned())
    };
    let is_business =
        tree.element(item).and_then(kind).is_some_and(|kind| words().business_types.are_in(&folded(&kind)));
    if !is_business {
        return;
    }
    let own = properties(tree, item);
    let of = |name: &'static str| own.iter().filter(move |(it, _)| it == name).map(|(_, node)| *node);
    names.extend(["legalName", "name"].into_iter().flat_map(of).map(|it| value(tree, it)));
    for address in of("address") {
        let parts = properties(tree, address);
        let part = |name: &str| parts.iter().find(|(it, _)| it == name).map(|(_, node)| value(tree, *node));
        let parts: Vec<String> = ADDRESS.into_iter().filter_map(part).collect();
        addresses.push(if parts.is_empty() { value(tree, address) } else { parts.join(", ") });
    }
}

/// The properties of an item, without those of the items in it.
fn properties(tree: &HtmlTree, item: NodeId) -> Vec<(String, NodeId)> {
    let mut found = Vec::new();
    let mut at = tree.first(item);
    for _ in 0..MAX_VALUES {
        let Some(node) = at else { break };
        let element = tree.element(node);
        let names = element.and_then(|it| it.attribute("itemprop")).unwrap_or_default();
        found.extend(names.split_ascii_whitespace().map(|it| (it.to_owned(), node)));
        let is_item = element.is_some_and(|element| element.attribute("itemscope").is_some());
        at = tree.first(node).filter(|_| !is_item).or_else(|| tree.after(node, item));
    }
    found
}

/// The value of a property.
fn value(tree: &HtmlTree, node: NodeId) -> String {
    let content = tree.element(node).and_then(|it| it.attribute("content")).map(str::to_owned);
    content.unwrap_or_else(|| text_of(tree, node, MAX_VALUE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structured_data_is_bounded() {
        let mut found = (Vec::new(), Vec::new());
        let mut read = |text: &str| structured(text, &mut found.0, &mut found.1);
        read(&"[".repeat(100_000));
        read(
            r#"{"@context":"https://schema.org","@graph":[{"@type":["Dentist","X"],"name":"Acme Dental","address":{"@type":"PostalAddress","streetAddress":"1 Main St","addressLocality":"Portland","addressRegion":"ME","postalCode":"04101"}},{"@type":"Person","name":"Ana"}]}"#,
        );
        assert_eq!(found.0, ["Acme Dental"]);
        assert_eq!(found.1, ["1 Main St, Portland, ME, 04101"]);
    }
}
