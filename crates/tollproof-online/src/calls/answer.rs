//! An answer of an API, read by the paths that operations name.

use quick_xml::events::Event;
use serde_json::{Map, Value};

/// The deepest answer in XML.
const MAX_DEPTH: usize = 64;

/// The value of a body: JSON, or XML as objects whose elements are members. Null if it is empty.
pub(crate) fn value_of(body: &[u8], content_type: Option<&str>) -> Option<Value> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Some(Value::Null);
    }
    if content_type.is_some_and(|name| name.contains("xml")) {
        xml(std::str::from_utf8(body).ok()?)
    } else {
        serde_json::from_slice(body).ok()
    }
}

/// All values at a path such as `meta/next`; it goes through every item of a list. The empty path is the value itself.
pub(crate) fn all_at<'v>(value: &'v Value, path: &str) -> Vec<&'v Value> {
    let steps = path.split('/').filter(|it| !it.is_empty());
    let found = steps.fold(vec![value], |values, step| {
        values.into_iter().flat_map(items).filter_map(|it| member(it, step)).collect()
    });
    found.into_iter().flat_map(items).filter(|it| !it.is_null()).collect()
}

/// The first text, number or boolean at a path, as text.
pub(crate) fn text_at(value: &Value, path: &str) -> Option<String> {
    let scalar = |scalar: &Value| match scalar {
        Value::String(text) => Some(text.clone()).filter(|it| !it.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    };
    all_at(value, path).into_iter().find_map(scalar)
}

fn member<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.get(name)
}

fn items(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        other => vec![other],
    }
}

/// XML as a value: an element with elements is an object, repeated elements are a list, other elements are texts.
fn xml(text: &str) -> Option<Value> {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut open: Vec<(String, Map<String, Value>, String)> =
        vec![(String::new(), Map::new(), String::new())];
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) if open.len() < MAX_DEPTH => {
                let name = String::from_utf8_lossy(start.local_name().as_ref()).into_owned();
                open.push((name, Map::new(), String::new()));
            }
            Event::Start(_) => return None,
            Event::Empty(empty) => {
                let name = String::from_utf8_lossy(empty.local_name().as_ref()).into_owned();
                add(&mut open.last_mut()?.1, name, Value::String(String::new()));
            }
            Event::Text(text) => open.last_mut()?.2.push_str(&text.decode().ok()?),
            Event::CData(text) => open.last_mut()?.2.push_str(&text.decode().ok()?),
            Event::GeneralRef(reference) => {
                let name = reference.decode().ok()?;
                let character = match reference.resolve_char_ref().ok()? {
                    Some(character) => character.to_string(),
                    None => quick_xml::escape::resolve_xml_entity(&name)?.to_owned(),
                };
                open.last_mut()?.2.push_str(&character);
            }
            Event::End(_) => {
                let (name, members, text) = open.pop()?;
                let value = if members.is_empty() {
                    Value::String(text.trim().to_owned())
                } else {
                    Value::Object(members)
                };
                add(&mut open.last_mut()?.1, name, value);
            }
            Event::Eof => {
                let (_, members, _) = open.pop()?;
                return open.is_empty().then_some(Value::Object(members));
            }
            Event::Comment(_) | Event::Decl(_) | Event::DocType(_) | Event::PI(_) => {}
        }
    }
}

fn add(members: &mut Map<String, Value>, name: String, value: Value) {
    match members.get_mut(&name) {
        Some(Value::Array(items)) => items.push(value),
        Some(first) => {
            let one = first.take();
            *first = Value::Array(vec![one, value]);
        }
        None => {
            members.insert(name, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn xml_is_read_like_json() {
        let text = "<?xml version=\"1.0\"?><R><Count>2</Count><L><T>833</T><T>8&amp;4</T></L><E/></R>";
        let value = value_of(text.as_bytes(), Some("application/xml")).expect("it is XML");
        assert_eq!(value, json!({ "R": { "Count": "2", "L": { "T": ["833", "8&4"] }, "E": "" } }));
        assert_eq!(all_at(&value, "R/L/T").len(), 2);
        assert_eq!(text_at(&value, "R/Count").as_deref(), Some("2"));
        for wrong in ["<a>", "<a></b>", "text", "<a/><b"] {
            let read = value_of(wrong.as_bytes(), Some("text/xml"));
            assert!(read.is_none() || read == Some(json!({})), "{wrong}: {read:?}");
        }
        let deep = "<a>".repeat(10_000);
        assert_eq!(value_of(deep.as_bytes(), Some("text/xml")), None);
    }

    #[test]
    fn a_path_goes_through_lists() {
        let value = json!({ "data": [{ "n": [{ "x": 1 }, { "x": "2" }] }, { "n": null }] });
        assert_eq!(all_at(&value, "data/n/x").len(), 2);
        assert_eq!(text_at(&value, "data/n/x").as_deref(), Some("1"));
        assert_eq!(text_at(&value, "data/y"), None);
        assert_eq!(value_of(b" ", None), Some(Value::Null));
        assert_eq!(value_of(b"{", None), None);
    }
}
