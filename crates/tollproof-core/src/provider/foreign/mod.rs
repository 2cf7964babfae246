//! Detects payloads of other providers, which tollproof does not check, from `schemas/providers.yaml`.

pub(crate) mod table;

use std::sync::LazyLock;

use self::table::{ForeignProvider, Tell};
use crate::provider::kind::Kind;
use crate::provider::schema;
use crate::syntax::document::{Node, Value};

/// The encoded table, from `build.rs`.
static PREPARED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/foreign.bin"));

/// Decoded when the first document is found that does not match any kind.
static PROVIDERS: LazyLock<Vec<ForeignProvider>> =
    LazyLock::new(|| postcard::from_bytes(PREPARED).expect("build.rs wrote this from the same type"));

/// How many field names of a provider identify its payload: one could be a coincidence. A folder walk needs one more,
/// because folders contain files of all sorts.
const NAMED: usize = 2;
const WALKED: usize = 3;

/// A document with this many field names of our own is one of our drafts.
const WHOLE: usize = 12;

/// The name of the other provider whose payload the document is.
pub(crate) fn of(root: &Node<'_>, walked: bool) -> Option<&'static str> {
    let Value::Object(members) = &root.value else { return None };
    let keys: Vec<String> = members.iter().map(|member| folded(&member.key)).collect();
    let is_ours = |key: &str| Kind::all().any(|kind| schema::field_names(kind).any(|it| it == key));
    let ours = members.iter().filter(|member| is_ours(&member.key)).count();
    let is_told = |it: &&ForeignProvider| {
        let fields: Vec<String> = it.fields.iter().map(|field| folded(field)).collect();
        let is_field = |name: &str| fields.iter().any(|field| field == name);
        let theirs = members.iter().zip(&keys).filter(|(member, key)| is_field(key) && !is_ours(&member.key));
        let theirs = theirs.count();
        let is_named =
            |key: &String| at(root, key).and_then(Node::as_str).is_some_and(|name| is_field(&folded(name)));
        // One foreign field does not turn an otherwise complete draft into a foreign payload.
        let is_stray = ours >= WHOLE && !fields.is_empty() && theirs < NAMED;
        !is_stray && it.tells.iter().any(|detect| holds(detect, root))
            || theirs >= (if walked { WALKED } else { NAMED }) && theirs > ours
            || it.named_by.iter().any(is_named)
    };
    PROVIDERS.iter().find(is_told).map(|it| it.provider.as_str())
}

fn holds(detect: &Tell, root: &Node<'_>) -> bool {
    let has = |path: &String| at(root, path).is_some();
    detect.has.iter().all(has) && !detect.lacks.iter().any(has)
}

/// The value at a path such as `/phoneNumbers/0/phoneNumber`; case and underscores of keys are ignored.
fn at<'n, 's>(root: &'n Node<'s>, path: &str) -> Option<&'n Node<'s>> {
    let mut node = root;
    for step in path.split('/').filter(|step| !step.is_empty()) {
        node = match (&node.value, step.parse::<usize>()) {
            (Value::Array(items), Ok(index)) => items.get(index)?,
            (Value::Object(members), _) => {
                let wanted = folded(step);
                &members.iter().find(|member| folded(&member.key) == wanted)?.value
            }
            _ => return None,
        };
    }
    Some(node)
}

/// A name in lower case and without underscores.
fn folded(name: &str) -> String {
    name.chars().filter(|it| *it != '_').map(|it| it.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::kind::KindRole;
    use crate::syntax::source::Source;
    use crate::syntax::{Format, Parsed};

    fn of_text(text: &str, walked: bool) -> Option<&'static str> {
        let source = Source::new("draft", text);
        let parsed = Parsed::of(&source, Some(Format::Json));
        of(parsed.only()?.root.as_ref()?, walked)
    }

    #[test]
    fn payloads_are_told_by_their_own_names() {
        for (text, expected) in [
            (r#"{"TollfreePhoneNumberSid": "PN1"}"#, Some("Twilio")),
            (r#"{"business_name": "A", "use_case_categories": []}"#, Some("Twilio")),
            (r#"{"BusinessName": "A", "BusinessWebsite": "B", "UseCaseSummary": "C"}"#, Some("Twilio")),
            (r#"{"phoneNumbers": [{"phoneNumber": "+18334726150"}], "useCase": "2FA"}"#, Some("Telnyx")),
            (r#"{"businessName": "A", "optInWorkflow": "B", "useCase": "2FA"}"#, Some("Telnyx")),
            (r#"{"optInWorkflow": {"description": "A"}, "useCase": "2FA"}"#, Some("Bandwidth")),
            (r#"{"FieldPath": "companyInfo.companyName", "TextValue": "A"}"#, Some("AWS")),
            (r#"{"companyInfo": {"companyName": "A"}}"#, Some("AWS")),
            // Typos in our own drafts, and unrelated files.
            (r#"{"businessName": "A", "optInWorkflow": "B", "businessCountry": "US"}"#, None),
            (
                r#"{"businessName": "A", "businessWebsite": "B", "productionMessageSample": "C", "useCase": "D", "businessCity": "E"}"#,
                None,
            ),
            (r#"{"name": "a", "version": "1.0.0", "business_name": "A", "business_city": "B"}"#, None),
        ] {
            assert_eq!(of_text(text, true), expected, "{text}");
        }
        let whole: String = schema::field_names(Kind::of(KindRole::Submit))
            .map(|name| format!("\"{name}\": \"a\", "))
            .collect();
        assert_eq!(of_text(&format!("{{{whole}\"useCaseCategories\": []}}"), true), None, "one stray field");
        let two = r#"{"BusinessName": "A", "BusinessCity": "B"}"#;
        assert_eq!((of_text(two, true), of_text(two, false)), (None, Some("Twilio")));
    }
}
