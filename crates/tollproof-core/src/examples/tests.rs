//! Tests of the rules about roles that the default provider does not have, with providers that have all roles.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{base, facts};
use crate::finding::Finding;
use crate::lint::{Linter, OwnProvider};
use crate::provider::builtin::is_asked;
use crate::provider::detect::KindHint;
use crate::provider::kind::{Kind, KindRole, Provider};
use crate::provider::schema;
use crate::rule::{RuleFile, builtin};
use crate::syntax::source::Source;
use crate::syntax::{Format, Parsed};

/// A draft of a clean business with all roles.
fn clean(provider: &str) -> Map<String, Value> {
    let Value::Object(mut draft) = base::of(Kind::of(KindRole::Submit)) else { panic!("it is an object") };
    let asked = json!({
        "entityType": "PRIVATE_PROFIT", "registrationNumber": "01-4472910", "registrationType": "EIN",
        "registrationCountry": "US", "optInType": "WEB_FORM",
        "privacyPolicyUrl": "https://www.quillbackkayak.com/privacy",
        "termsUrl": "https://www.quillbackkayak.com/terms",
    });
    draft.extend(asked.as_object().cloned().unwrap_or_default());
    if !has_country(provider) {
        draft.remove("businessCountry");
    }
    match provider {
        "twilio" => draft.insert("useCase".to_owned(), json!(["EVENTS"])),
        "telnyx" => draft.insert("phoneNumbers".to_owned(), json!(["+18334726150"])),
        "bandwidth" => draft.insert("registrationCountry".to_owned(), json!("USA")),
        _ => None,
    };
    if provider == "telnyx" {
        draft.insert("businessState".to_owned(), json!("Maine"));
    }
    draft
}

fn has_country(provider: &str) -> bool {
    !matches!(provider, "telnyx" | "bandwidth")
}

fn schema_of(provider: &str, kind: KindRole) -> Value {
    let mut schema: Value = serde_json::from_str(schema::text(Kind::of(kind))).expect("it is JSON");
    let fields = schema["properties"].as_object_mut().expect("it is an object");
    for role in [
        "registrationNumber",
        "registrationCountry",
        "optInConfirmation",
        "helpMessage",
        "privacyPolicyUrl",
        "termsUrl",
        "politicalToken",
    ] {
        fields.insert(role.to_owned(), json!({"type": "string"}));
    }
    let entities = ["SOLE_PROPRIETOR", "PRIVATE_PROFIT", "PUBLIC_PROFIT", "NON_PROFIT", "GOVERNMENT"];
    fields.insert("entityType".to_owned(), json!({"type": "string", "enum": entities}));
    let kinds = ["EIN", "CBN", "CRN", "VAT", "ABN", "SIREN", "CNPJ", "OTHER"];
    let kinds = match provider {
        "telnyx" => json!({"type": "string"}),
        _ => json!({"type": "string", "enum": kinds}),
    };
    fields.insert("registrationType".to_owned(), kinds);
    let methods = ["VERBAL", "WEB_FORM", "PAPER_FORM", "VIA_TEXT", "MOBILE_QR_CODE"];
    fields.insert("optInType".to_owned(), json!({"type": "string", "enum": methods}));
    let text = json!({"type": "string"});
    let list = json!({"type": "array", "items": {"type": "string"}});
    fields.insert("optInKeywords".to_owned(), if provider == "telnyx" { &text } else { &list }.clone());
    fields.insert("useCase".to_owned(), if provider == "twilio" { &list } else { &text }.clone());
    fields["useCaseSummary"] = json!({"type": "string", "maxLength": 5000});
    if provider == "telnyx" && kind == KindRole::Submit {
        fields.insert("phoneNumbers".to_owned(), list);
    }
    if !has_country(provider) {
        fields.remove("businessCountry");
        let required = schema["required"].as_array_mut().expect("it is a list");
        required.retain(|it| it != "businessCountry");
    }
    schema
}

/// A provider in which every field has the name of its role.
fn provider(name: &str) -> Provider {
    let trio = ["registrationNumber", "registrationType", "registrationCountry"];
    let sole = json!({"entityType": ["SOLE_PROPRIETOR"]});
    let (forms, requires) = match name {
        "twilio" => (
            json!({"businessCountry": "alpha-2"}),
            json!([
                {"roles": trio, "unless": sole},
                {"roles": ["politicalToken"], "when": {"useCase": ["POLITICAL_ELECTION_CAMPAIGNS"]}},
            ]),
        ),
        "telnyx" => (
            json!({"registrationCountry": "alpha-2", "businessState": "name", "phoneNumbers": "e164"}),
            json!([{"roles": ["politicalToken"], "when": {"useCase": ["Political"]}, "since": "2026-02-17"}]),
        ),
        "bandwidth" => (
            json!({"registrationCountry": "alpha-3"}),
            json!([{"roles": trio, "unless": sole, "since": "2026-10-19"}]),
        ),
        "aws" => (
            json!({"businessState": "code"}),
            json!([{"roles": ["privacyPolicyUrl", "termsUrl"], "since": "2026-09-15"}]),
        ),
        _ => (json!({}), json!([])),
    };
    let kind = |kind: &str| json!({"kind": kind, "noun": "a", "about": "b", "roles": {"entityType": "entityType"}});
    let file = json!({
        "title": name, "kinds": [kind("submit-request"), kind("update-request")],
        "detect": [{"kind": "submit-request", "any": ["entityType"]}], "forms": forms, "requires": requires,
    });
    let schema = |kind: KindRole| (kind.name().to_owned(), (String::new(), schema_of(name, kind).to_string()));
    let own = OwnProvider {
        name: name.to_owned(),
        file: String::new(),
        text: file.to_string(),
        schemas: BTreeMap::from([schema(KindRole::Submit), schema(KindRole::Update)]),
    };
    Provider::load(&own).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The findings in an example.
fn found(linter: &Linter, provider: Provider, example: &Map<String, Value>) -> Vec<Finding> {
    let mut draft = clean(provider.name());
    for (role, value) in example.iter().filter(|(role, _)| !role.starts_with('$')) {
        match value == "$absent" {
            true => draft.remove(role),
            false => draft.insert(role.clone(), value.clone()),
        };
    }
    let role = if example.contains_key("$kind") { KindRole::Update } else { KindRole::Submit };
    if role == KindRole::Update {
        draft.remove("phoneNumbers");
        draft.remove("workspaceId");
    }
    let draft = Value::Object(draft);
    let facts = facts(example, &draft);
    let text = draft.to_string();
    let source = Source::new("draft", &text);
    let kind = provider.kind(role).expect("it has the kind");
    linter.check(&Parsed::of(&source, Some(Format::Json)), KindHint::Forced(kind), &facts).findings
}

fn providers() -> BTreeMap<&'static str, Provider> {
    ["other", "twilio", "telnyx", "bandwidth", "aws"].map(|name| (name, provider(name))).into()
}

#[test]
fn a_clean_draft_of_each_provider_is_clean() {
    let linter = Linter::builtin();
    for provider in providers().values() {
        let found = found(&linter, *provider, &Map::new());
        let found: Vec<_> = found.iter().map(|it| format!("{}: {}", it.rule, it.message)).collect();
        assert!(found.is_empty(), "{provider}: {found:?}");
    }
}

#[test]
fn examples_about_other_roles_and_providers() {
    let linter = Linter::builtin();
    let providers = providers();
    let mut wrong = Vec::new();
    for (id, text) in builtin::files() {
        let rule = RuleFile::parse(id, text).unwrap_or_else(|error| panic!("{id}: {error}"));
        let is_about_asked = rule.at.iter().any(|at| is_asked(at));
        for (is_failing, examples) in [(true, &rule.examples.fail), (false, &rule.examples.pass)] {
            for example in examples.iter().filter_map(Value::as_object) {
                let name = example.get("$provider").and_then(Value::as_str);
                if name.is_none() && !is_about_asked || id == "address/unknown-country" || name.is_none() && id == "address/country-form" {
                    continue;
                }
                let found = found(&linter, providers[name.unwrap_or("other")], example);
                if found.iter().any(|it| it.rule == id) != is_failing {
                    let found: Vec<_> = found.iter().map(|it| format!("{}: {}", it.rule, it.message)).collect();
                    wrong.push(format!("{id} fail={is_failing} {}\n    {found:#?}", json!(example)));
                }
                for it in found.iter().filter(|it| it.rule == id) {
                    eprintln!("{id}: {:?} {} | {} | {}", it.severity, it.pointer, it.message, it.help.as_ref().map(ToString::to_string).unwrap_or_default());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_limit_of_the_provider_replaces_the_advice() {
    let rule = "content/text-too-long";
    let config = crate::rule::config::Config { select: vec![rule.to_owned()], ..Default::default() };
    let linter = Linter::builder().config(config).build().expect("the rule exists");
    let long = json!({"useCaseSummary": "a".repeat(600), "additionalInformation": "a".repeat(600)});
    let found = found(&linter, provider("other"), long.as_object().expect("it is an object"));
    let places: Vec<_> = found.iter().filter(|it| it.rule == rule).map(|it| it.pointer.as_str()).collect();
    assert_eq!(places, ["/additionalInformation"]);
}

#[test]
fn a_role_that_the_default_provider_does_not_have_is_an_unknown_field_there() {
    let mut draft = base::of(Kind::of(KindRole::Submit));
    draft["registrationNumber"] = json!("07-4472910");
    draft["registrationType"] = json!("EIN");
    draft["privacyPolicyUrl"] = json!("see website");
    let report = Linter::builtin().check_value(&draft, &crate::facts::Facts::default());
    let rules: Vec<_> = report.findings.iter().map(|it| it.rule.as_ref()).collect();
    assert_eq!(rules, ["structure/unknown-field"; 3]);
}
