//! Texts of operations with `{placeholders}`, filled in.

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

/// Values for placeholders.
pub(crate) type Variables = BTreeMap<String, String>;

/// Everything that is not unreserved (RFC 3986, section 2.3).
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Replaces the placeholders of a text.
///
/// # Errors
///
/// The name of the first placeholder without a value.
pub(crate) fn fill(template: &str, variables: &Variables) -> Result<String, String> {
    fill_with(template, variables, str::to_owned)
}

/// Replaces the placeholders of a path, each by one segment of it. A value that is empty, or that a URL takes for a step in
/// the path, counts as missing.
pub(crate) fn fill_path(template: &str, variables: &Variables) -> Result<String, String> {
    let is_step = |value: &str| value.is_empty() || value == "." || value == "..";
    let used = |name: &str| template.contains(&format!("{{{name}}}"));
    if let Some((name, _)) = variables.iter().find(|(name, value)| used(name) && is_step(value)) {
        return Err(name.clone());
    }
    fill_with(template, variables, |value| utf8_percent_encode(value, IN_PATH).to_string())
}

/// Replaces the placeholders of a text in XML.
pub(crate) fn fill_xml(template: &str, variables: &Variables) -> Result<String, String> {
    fill_with(template, variables, |value| quick_xml::escape::escape(value).into_owned())
}

/// Replaces the placeholders in all texts of a value.
pub(crate) fn fill_json(template: &Value, variables: &Variables) -> Result<Value, String> {
    Ok(match template {
        Value::String(text) => Value::String(fill(text, variables)?),
        Value::Array(items) => {
            Value::Array(items.iter().map(|it| fill_json(it, variables)).collect::<Result<_, _>>()?)
        }
        Value::Object(members) => {
            let filled = members.iter().map(|(name, it)| Ok((name.clone(), fill_json(it, variables)?)));
            Value::Object(filled.collect::<Result<_, String>>()?)
        }
        other => other.clone(),
    })
}

fn fill_with(
    template: &str,
    variables: &Variables,
    encode: impl Fn(&str) -> String,
) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        let value = variables.get(name).ok_or_else(|| name.to_owned())?;
        text.push_str(before);
        text.push_str(&encode(value));
        rest = after;
    }
    text.push_str(rest);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stays_in_its_segment() {
        let variables = Variables::from([
            ("id".to_owned(), "a/../b?c#d %".to_owned()),
            ("up".to_owned(), "..".to_owned()),
        ]);
        assert_eq!(fill_path("/x/{id}/y", &variables).as_deref(), Ok("/x/a%2F..%2Fb%3Fc%23d%20%25/y"));
        assert_eq!(fill_path("/x/{up}/y", &variables), Err("up".to_owned()));
        assert_eq!(fill("{id}{none}", &variables), Err("none".to_owned()));
        assert_eq!(
            fill_xml("<a>{id}</a>", &Variables::from([("id".to_owned(), "<&>".to_owned())])).as_deref(),
            Ok("<a>&lt;&amp;&gt;</a>")
        );
    }
}
