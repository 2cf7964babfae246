//! What a registration consists of, as far as tollproof's schema knows it.

use serde_json::{Map, Value, json};
use tollproof_core::{KindRole, schema};

use super::{IMAGE, TYPE, answer};
use crate::api::{ApiCall, Handled};
use crate::assumptions::Assumption;

/// The field paths of a registration.
pub(super) fn field_paths(call: &ApiCall<'_>) -> Vec<&'static str> {
    let kind = call.provider().kind(KindRole::Submit).expect("AWS has submit requests");
    schema::field_names(kind).collect()
}

pub(super) fn describe_definitions(call: &ApiCall<'_>, _: &Map<String, Value>) -> Handled {
    let kind = call.provider().kind(KindRole::Submit).expect("AWS has submit requests");
    let schema: Value = serde_json::from_str(schema::text(kind)).expect("it is a JSON Schema");
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let definition = |path: &&str| {
        let is_select = schema["properties"][*path].get("enum").is_some();
        let kind = if *path == IMAGE {
            "ATTACHMENT"
        } else if is_select {
            "SELECT"
        } else {
            "TEXT"
        };
        json!({
            "FieldPath": path, "SectionPath": path.split('.').next(), "FieldType": kind,
            "FieldRequirement": if required.contains(&json!(path)) { "REQUIRED" } else { "OPTIONAL" },
            "DisplayHints": { "Title": path, "ShortDescription": path },
        })
    };
    let list: Vec<Value> = field_paths(call).iter().map(definition).collect();
    let body = json!({ "RegistrationType": TYPE, "RegistrationFieldDefinitions": list });
    Ok(answer(200, &body).assumed(Assumption::AwsDefinitions))
}

pub(super) fn describe_sections(call: &ApiCall<'_>, _: &Map<String, Value>) -> Handled {
    let mut names: Vec<&str> = field_paths(call).iter().filter_map(|it| it.split('.').next()).collect();
    names.dedup();
    let hints = |name: &str| json!({ "Title": name, "ShortDescription": name });
    let list: Vec<Value> =
        names.iter().map(|it| json!({ "SectionPath": it, "DisplayHints": hints(it) })).collect();
    let body = json!({ "RegistrationType": TYPE, "RegistrationSectionDefinitions": list });
    Ok(answer(200, &body).assumed(Assumption::AwsDefinitions))
}

pub(super) fn describe_types(_: &ApiCall<'_>, _: &Map<String, Value>) -> Handled {
    let body = json!({ "RegistrationTypeDefinitions": [{
        "RegistrationType": TYPE, "DisplayHints": { "Title": "US toll-free registration" },
        "SupportedAssociations": [{
            "ResourceType": "phone-number", "IsoCountryCode": "US",
            "AssociationBehavior": "ASSOCIATE_BEFORE_SUBMIT", "DisassociationBehavior": "DELETE_REGISTRATION_DISASSOCIATES",
        }],
    }] });
    Ok(answer(200, &body).assumed(Assumption::AwsDefinitions))
}
