//! Documents as JSON: the request body that is sent, and the records that a store keeps.

use tollproof_data::provider::data::BodyFormat;
use url::form_urlencoded::Serializer;

use crate::provider::kind::Kind;
use crate::provider::schema;
use crate::syntax::document::{Member, Node, Value};

/// A value as one line of JSON, with keys and numbers as written.
///
/// Parsing the result and writing it again gives the same line. Numbers that only YAML can write are converted: `0x10`
/// becomes 16, `.5` becomes 0.5. YAML's infinities and NaN, which JSON cannot represent, become strings.
pub fn json_of(node: &Node<'_>) -> String {
    let mut text = String::new();
    write(node, &mut text);
    text
}

/// A draft as the body of its request: one line of JSON, with the fields in the order of the provider's schema.
///
/// All fields of the draft are written; unknown fields come last.
pub fn payload(root: &Node<'_>, kind: Kind) -> String {
    let mut text = String::new();
    write_members(in_order(root, kind).into_iter().map(|(_, member)| member), &mut text);
    text
}

impl Kind {
    /// Whether the provider takes documents of this kind as a form-encoded body, not as JSON.
    pub fn is_form(self) -> bool {
        self.data().body == BodyFormat::Form
    }

    /// A draft as a form-encoded body (`application/x-www-form-urlencoded`), with the names of the provider's API: the items
    /// of a list are fields with the same name.
    ///
    /// # Errors
    ///
    /// The name of the first field that contains other fields, which such a body cannot have.
    pub fn form_body(self, root: &Node<'_>) -> Result<String, String> {
        let names: Vec<&str> = schema::field_names(self.spelled(0)).collect();
        let mut body = Serializer::new(String::new());
        for (place, member) in in_order(root, self) {
            let name = names.get(place).copied().unwrap_or(&member.key);
            let items = match &member.value.value {
                Value::Array(items) => items.as_slice(),
                _ => std::slice::from_ref(&member.value),
            };
            for item in items {
                let text = match &item.value {
                    Value::Null | Value::Computed => continue,
                    Value::Bool(value) => value.to_string(),
                    Value::Number(number) => number_of(number),
                    Value::String(text) => text.to_string(),
                    Value::Array(_) | Value::Object(_) => return Err(member.key.to_string()),
                };
                body.append_pair(name, &text);
            }
        }
        Ok(body.finish())
    }
}

/// The members of a draft in the order of the provider's schema, each with the place of its field there.
fn in_order<'n, 's>(root: &'n Node<'s>, kind: Kind) -> Vec<(usize, &'n Member<'s>)> {
    let place = |member: &'n Member<'s>| {
        let mut names = schema::field_names(kind);
        (names.position(|name| name == member.key).unwrap_or(usize::MAX), member)
    };
    let mut members: Vec<(usize, &Member<'_>)> = root.members().iter().map(place).collect();
    members.sort_by_key(|(place, _)| *place);
    members
}

fn write(node: &Node<'_>, text: &mut String) {
    match &node.value {
        Value::Null | Value::Computed => text.push_str("null"),
        Value::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => text.push_str(&number_of(number)),
        Value::String(value) => write_string(value, text),
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                write(item, text);
            }
            text.push(']');
        }
        Value::Object(members) => write_members(members.iter(), text),
    }
}

fn write_members<'a, 's: 'a>(members: impl Iterator<Item = &'a Member<'s>>, text: &mut String) {
    text.push('{');
    for (at, member) in members.enumerate() {
        if at > 0 {
            text.push(',');
        }
        write_string(&member.key, text);
        text.push(':');
        write(&member.value, text);
    }
    text.push('}');
}

fn write_string(value: &str, text: &mut String) {
    text.push_str(&serde_json::to_string(value).expect("a text has JSON"));
}

/// A number in JSON notation.
fn number_of(number: &str) -> String {
    if is_json(number) {
        return number.to_owned();
    }
    let (sign, digits) = match number.split_at_checked(1) {
        Some(("-", digits)) => ("-", digits),
        Some(("+", digits)) => ("", digits),
        _ => ("", number),
    };
    let whole = |digits: &str, radix| u128::from_str_radix(digits, radix).ok().map(|it| it.to_string());
    let based = digits.strip_prefix("0x").map(|it| (it, 16)).or(digits.strip_prefix("0o").map(|it| (it, 8)));
    let written = based.map_or_else(|| decimal(digits), |(digits, radix)| whole(digits, radix));
    match written {
        Some(written) => format!("{sign}{written}"),
        None => serde_json::Value::from(number).to_string(),
    }
}

/// Whether a number is valid JSON of any size (RFC 8259, section 6).
fn is_json(number: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = number.split_at(number.find(['e', 'E']).unwrap_or(number.len()));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let power = exponent.get(1..).unwrap_or("0");
    let power = power.strip_prefix(['+', '-']).unwrap_or(power);
    digits(whole) && (whole == "0" || !whole.starts_with('0')) && digits(fraction) && digits(power)
}

/// Converts decimals that JSON does not allow: `02134`, `.5`, `5.` and `5.e3`.
fn decimal(digits: &str) -> Option<String> {
    let (mantissa, exponent) = digits.split_at(digits.find(['e', 'E']).unwrap_or(digits.len()));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = whole.trim_start_matches('0');
    let mut written = if whole.is_empty() { "0".to_owned() } else { whole.to_owned() };
    if !fraction.is_empty() {
        written = format!("{written}.{fraction}");
    }
    written.push_str(exponent);
    is_json(&written).then_some(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::kind::{KindRole, Provider};
    use crate::syntax::source::Source;
    use crate::syntax::{Format, Parsed};

    fn root_of<T>(text: &str, format: Format, then: impl FnOnce(&Node<'_>) -> T) -> T {
        let source = Source::new("draft", text);
        let parsed = Parsed::of(&source, Some(format));
        let document = parsed.only().expect("there is one");
        then(document.root.as_ref().expect("it can be read"))
    }

    #[test]
    fn json_keeps_order_and_numbers() {
        let text = r#"{"b":1.50,"a":[true,null,"é\n\u0001\"/"],"c":{"d":1e400,"e":12345678901234567890}}"#;
        let written = root_of(text, Format::Json, json_of);
        assert_eq!(written, text);
        assert_eq!(root_of(&written, Format::Json, json_of), written);
    }

    #[test]
    fn numbers_of_yaml_become_numbers_of_json() {
        let texts = [
            ("02134", "2134"),
            ("+14155552671", "14155552671"),
            ("0x1F", "31"),
            ("0o17", "15"),
            (".5", "0.5"),
            ("-.5", "-0.5"),
            ("5.", "5"),
            ("5.e3", "5e3"),
            ("1e400", "1e400"),
            ("1E+05", "1E+05"),
            ("-0.0", "-0.0"),
            (".inf", "\".inf\""),
            (".nan", "\".nan\""),
        ];
        for (yaml, json) in texts {
            assert_eq!(root_of(yaml, Format::Yaml, json_of), json, "{yaml}");
        }
    }

    #[test]
    fn a_form_has_the_names_of_the_api() {
        let twilio = Provider::named("twilio").expect("it is built in").kind(KindRole::Submit);
        let kind = twilio.expect("it has one");
        let json = r#"{"OptInImageUrls":["https://a.example/1?x=1&y=2","https://a.example/2"],"BusinessName":"A & B é","AgeGatedContent":false}"#;
        let snake = r#"{"opt_in_image_urls":["https://a.example/1?x=1&y=2","https://a.example/2"],"business_name":"A & B é","age_gated_content":false}"#;
        let form = "BusinessName=A+%26+B+%C3%A9&OptInImageUrls=https%3A%2F%2Fa.example%2F1%3Fx%3D1%26y%3D2&OptInImageUrls=https%3A%2F%2Fa.example%2F2&AgeGatedContent=false";
        assert!(kind.is_form() && !Kind::of(KindRole::Submit).is_form());
        assert_eq!(root_of(json, Format::Json, |root| kind.form_body(root)).as_deref(), Ok(form));
        let kind = kind.spelled(1);
        assert_eq!(root_of(snake, Format::Json, |root| kind.form_body(root)).as_deref(), Ok(form));
        let nested = root_of(r#"{"own":{"a":1}}"#, Format::Json, |root| kind.form_body(root));
        assert_eq!(nested, Err("own".to_owned()));
    }

    #[test]
    fn a_payload_has_the_order_of_the_interface() {
        let yaml = "testMode: false\nextra: 1\nphoneNumbers: [a]\nbusinessZip: '04101'\nbusinessName: Acme\n";
        let written = root_of(yaml, Format::Yaml, |root| payload(root, Kind::of(KindRole::Submit)));
        let json = r#"{"businessName":"Acme","businessZip":"04101","phoneNumbers":["a"],"testMode":false,"extra":1}"#;
        assert_eq!(written, json);
    }
}
