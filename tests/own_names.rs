//! Tests of names: a user meets the fields and values of the own provider, in findings, rules, texts and conversions.

use serde_json::{Value, json};
use tollproof_core::{Kind, KindRole, Provider, RuleFile, builtin_rules, clean_document, decode, schema};

use crate::support::Folder;
use crate::workbooks::workbook;

fn kind(provider: &str) -> Kind {
    let provider = Provider::named(provider).expect("it is built in");
    provider.kind(KindRole::Submit).expect("every provider has submit requests")
}

/// A clean draft of a provider with one other value.
fn draft(provider: &str, field: &str, value: Value) -> Value {
    let mut draft = clean_document(kind(provider));
    draft[field] = value;
    draft
}

#[test]
fn marketing_in_a_sheet_covers_offers() {
    let offers = "Quillback Kayak Tours texts guests who opted in special offers and coupons for tours.";
    for (value, is_covered) in [("MARKETING", true), ("Marketing", true), ("2FA", false)] {
        let mut row = draft("bulk-csv", "Use_Case_Category", value.into());
        row["Use_Case_Summary"] = offers.into();
        let ran = Folder::new("names-sheet").file("a.json", row.to_string()).run(&[
            "check",
            "a.json",
            "--no-config",
            "--output-format=json",
        ]);
        assert_eq!(!ran.out.contains("use-case/marketing-in-summary"), is_covered, "{value}: {ran:?}");
        assert!(!ran.out.contains("General Marketing") && !ran.out.contains("Mixed"), "{value}: {ran:?}");
    }
}

#[test]
fn help_has_the_values_of_the_provider() {
    let mut draft = draft("twilio", "UseCaseCategories", json!(["K12"]));
    draft["ProductionMessageSample"] =
        "Quillback Kayak Tours: 20% off all tours this week only! Reply STOP to opt out.".into();
    let ran = Folder::new("names-help").file("a.json", draft.to_string()).run(&[
        "check",
        "a.json",
        "--no-config",
        "--output-format=json",
    ]);
    assert!(
        ran.out.contains("does not fit the use case K12") || ran.out.contains("choose `MARKETING`"),
        "{ran:?}"
    );
    assert!(!ran.out.contains("General School Updates") && !ran.out.contains("Mixed"), "{ran:?}");
}

#[test]
fn a_name_of_another_provider_is_no_reason_to_move_the_content() {
    let draft = draft("twilio", "businessRegistrationType", "EIN".into());
    let ran = Folder::new("names-noted").file("a.json", draft.to_string()).run(&[
        "check",
        "a.json",
        "--no-config",
        "--output-format=json",
    ]);
    assert!(ran.out.contains("structure/unknown-field") && !ran.out.contains("no separate field"), "{ran:?}");
}

#[test]
fn texts_and_rules_take_the_names_of_the_provider() {
    let rule = "title: T\nseverity: warning\nat: ProductionMessageSample\ncheck: { shouting: {} }\n\
                message: m\nhelp: h\ndocs: d\nsource: s\nexamples: { pass: [{}], fail: [{}] }\n";
    let folder = Folder::new("names-field")
        .file("a.json", clean_document(kind("twilio")).to_string())
        .file("mine/house/own.yaml", rule);
    let ran = folder.run(&["text", "a.json", "--no-config", "--field", "UseCaseSummary"]);
    assert!(ran.code == Some(0) && ran.out.contains("UseCaseSummary"), "{ran:?}");
    let ran = folder.run(&["text", "a.json", "--no-config", "--field", "UseCaseSumary"]);
    assert!(ran.err.contains("did you mean `UseCaseSummary`?"), "{ran:?}");
    let ran = folder.run(&["check", "a.json", "--no-config", "--rules", "mine"]);
    let err = ran.err.replace("\n  │ ", " ");
    assert!(err.contains("did you mean `productionMessageContent`?"), "{ran:?}");
}

/// The values of the use case that a provider's files name, in their schema or as keys of `values:`.
fn use_cases(provider: &str) -> Vec<String> {
    let read = |name: &str| {
        let path = format!("{}/schemas/{provider}/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let file: Value = serde_yaml::from_str(&read("provider.yaml")).expect("it is YAML");
    let named = file["values"]["useCase"].as_object().into_iter().flat_map(|values| values.keys().cloned());
    let schema: Value = serde_json::from_str(&read("submit-request.schema.json")).expect("it is JSON");
    let mut open = vec![&schema];
    let mut found: Vec<String> = named.collect();
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => found.push(text.clone()),
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => open.extend(fields.values()),
            _ => {}
        }
    }
    found
}

/// Whether a text has a value as a word of its own.
fn has_word(text: &str, value: &str) -> bool {
    text.match_indices(value).any(|(at, _)| {
        let beside = [text[..at].chars().next_back(), text[at + value.len()..].chars().next()];
        !beside.into_iter().flatten().any(char::is_alphanumeric)
    })
}

#[test]
fn no_text_of_a_rule_names_what_the_provider_does_not_have() {
    let bird = Kind::of(KindRole::Submit);
    let schema: Value = serde_json::from_str(schema::text(bird)).expect("it is JSON");
    let listed = schema.pointer("/properties/useCase/anyOf/0/enum").and_then(Value::as_array);
    let values: Vec<&str> = listed.into_iter().flatten().filter_map(Value::as_str).collect();
    assert!(values.len() > 30, "{values:?}");
    let roles: Vec<&str> =
        Provider::all().iter().filter_map(|it| it.kind(KindRole::Submit)).flat_map(Kind::roles).collect();
    for provider in Provider::all().iter().filter(|it| **it != Provider::default()) {
        let kind = kind(provider.name());
        let (own, has) = (use_cases(provider.name()), |role: &str| kind.roles().any(|it| it == role));
        for (id, text) in builtin_rules() {
            let rule = decode::<RuleFile>(id, text).expect("the built-in rules are right");
            let is_about = |at: &String| has(at.split(['[', '.']).next().unwrap_or_default());
            if !rule.at.iter().any(is_about) {
                continue;
            }
            for template in [&rule.message, &rule.help] {
                let shown = kind.in_own_names(template);
                let is_foreign =
                    |name: &&&str| !own.iter().any(|own| own == **name) && has_word(&shown, name);
                let foreign = values.iter().find(is_foreign).filter(|_| has("useCase"));
                assert_eq!(foreign, None, "{id} at {provider}: {shown}");
                let names = shown.split('`').skip(1).step_by(2);
                let mut fields = names.filter(|name| roles.contains(name) && !has(name));
                assert_eq!(
                    fields.find(|field| kind.role_named(field).is_none()),
                    None,
                    "{id} at {provider}: {shown}"
                );
            }
        }
    }
}

#[test]
fn a_schema_of_the_users_own_is_for_the_draft_as_it_is() {
    let schema =
        json!({ "required": ["ExternalReferenceId"], "properties": { "BusinessCity": { "maxLength": 3 } } });
    let draft = draft("twilio", "ExternalReferenceId", "NB-0001".into());
    let folder = Folder::new("names-house")
        .file("a.json", draft.to_string())
        .file("house.schema.json", schema.to_string())
        .file("tollproof.yaml", "schemas: [{ files: '*.json', schema: house.schema.json }]\n");
    let ran = folder.run(&["check", "a.json", "--for", "telnyx", "--output-format=concise"]);
    assert!(!ran.out.contains("ExternalReferenceId"), "{ran:?}");
    assert!(ran.out.contains("structure/house-schema") && ran.out.contains("`BusinessCity`"), "{ran:?}");
}

#[test]
fn a_workbook_is_converted_with_its_rows() {
    let row = clean_document(kind("bulk-csv"));
    let names: Vec<String> = row.as_object().expect("an object").keys().cloned().collect();
    let cell = |name: &String| match &row[name] {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(";"),
        other => other.to_string(),
    };
    let cells: Vec<String> = names.iter().map(cell).collect();
    let mut other = cells.clone();
    other[names.iter().position(|it| it == "Use_Case_Category").expect("there is one")] =
        "CUSTOMER_CARE".into();
    let folder =
        Folder::new("names-workbook").file("a.xlsx", workbook(&[("Clients", vec![names, cells, other])]));
    let ran = folder.run(&["convert", "a.xlsx", "--to", "bandwidth", "--output", "b.ndjson"]);
    assert!(ran.err.contains("a.xlsx: Clients, row 6 ("), "{ran:?}");
    assert!(ran.err.contains("2 drafts converted to Bandwidth"), "{ran:?}");
    let ran = folder.run(&["check", "b.ndjson", "--no-config", "--output-format=json"]);
    assert!(!ran.out.contains("input/syntax"), "{ran:?}");
}
