//! A registration's parts, as far as tollproof's schema knows it.

use serde_json::{Value, json};
use tollproof_core::{KindRole, schema};

use super::fields::{ATTACHMENT, SELECT};
use super::invalid;
use super::registration::TYPE;
use super::request::AwsRequest;
use crate::api::Handled;
use crate::assumptions::Assumption;
use crate::reply::Result;

/// Refuses other types of registrations than the one that the sandbox has.
pub(super) fn check_type(request: &AwsRequest<'_>) -> Result<()> {
    if request.required("RegistrationType", 64)? != TYPE {
        let message = format!("The sandbox has registrations of the type {TYPE} only.");
        return invalid("UNKNOWN_REGISTRATION_TYPE", "RegistrationType", &message).refuse();
    }
    Ok(())
}

/// The part of a path that names its section.
fn section(path: &str) -> &str {
    path.split('.').next().unwrap_or_default()
}

pub(super) fn fields(request: &AwsRequest<'_>) -> Handled {
    check_type(request)?;
    let (wanted, paths) = (request.text("SectionPath", 100)?, request.texts("FieldPaths")?);
    let kind = request.call.provider().kind(KindRole::Submit).expect("AWS has submit requests");
    let schema: Value = serde_json::from_str(schema::text(kind)).expect("it is a JSON Schema");
    let is_required =
        |path: &str| schema["required"].as_array().is_some_and(|names| names.contains(&json!(path)));
    let definition = |path: &str| {
        let field = &schema["properties"][path];
        let mut definition = json!({
            "SectionPath": section(path), "FieldPath": path, "FieldType": "TEXT",
            "FieldRequirement": if is_required(path) { "REQUIRED" } else { "OPTIONAL" },
            "DisplayHints": { "Title": field["title"], "ShortDescription": field["description"] },
        });
        if path == ATTACHMENT {
            definition["FieldType"] = json!("ATTACHMENT");
        } else if SELECT.contains(&path) {
            definition["FieldType"] = json!("SELECT");
            definition["SelectValidation"] =
                json!({ "MinChoices": 1, "MaxChoices": 1, "Options": field["enum"] });
        } else {
            let most = field["maxLength"].as_u64().unwrap_or(2048);
            definition["TextValidation"] = json!({ "MinLength": 1, "MaxLength": most, "Pattern": ".+" });
        }
        definition
    };
    let all = schema::field_names(kind).filter(|path| {
        (paths.is_empty() || paths.contains(path)) && wanted.is_none_or(|it| it == section(path))
    });
    let all = all.map(definition).collect();
    let body = json!({ "RegistrationType": TYPE });
    let reply = request.page(body, "RegistrationFieldDefinitions", all, &[])?;
    Ok(reply.assumed(Assumption::AwsDefinitions))
}

pub(super) fn sections(request: &AwsRequest<'_>) -> Handled {
    check_type(request)?;
    let wanted = request.texts("SectionPaths")?;
    let kind = request.call.provider().kind(KindRole::Submit).expect("AWS has submit requests");
    let mut names: Vec<&str> = schema::field_names(kind).map(section).collect();
    names.dedup();
    names.retain(|name| wanted.is_empty() || wanted.contains(name));
    let definition = |name: &&str| json!({ "SectionPath": name, "DisplayHints": { "Title": name, "ShortDescription": name } });
    let all = names.iter().map(definition).collect();
    let body = json!({ "RegistrationType": TYPE });
    let reply = request.page(body, "RegistrationSectionDefinitions", all, &[])?;
    Ok(reply.assumed(Assumption::AwsDefinitions))
}

pub(super) fn types(request: &AwsRequest<'_>) -> Handled {
    let wanted = request.texts("RegistrationTypes")?;
    let definition = json!({
        "RegistrationType": TYPE, "DisplayHints": { "Title": "US toll-free registration" },
        "SupportedAssociations": [{
            "ResourceType": "phone-number", "IsoCountryCode": "US",
            "AssociationBehavior": "ASSOCIATE_BEFORE_SUBMIT",
            "DisassociationBehavior": "DELETE_REGISTRATION_DISASSOCIATES",
        }],
    });
    let all = if wanted.is_empty() || wanted.contains(&TYPE) { vec![definition] } else { Vec::new() };
    let reply = request.page(json!({}), "RegistrationTypeDefinitions", all, &[])?;
    Ok(reply.assumed(Assumption::AwsDefinitions))
}
