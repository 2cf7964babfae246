//! Tests that a provider defined only by data, with other field names and objects, gets the same findings as the
//! default one.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tollproof_core::{
    Facts, Format, Kind, KindHint, KindRole, Linter, OwnProvider, Parsed, Provider, Report, Source,
    clean_document, json_of,
};

const ESTUARY: &str = include_str!("providers/estuary/provider.yaml");
const BIRD: &str = include_str!("../schemas/bird/provider.yaml");
const ROLES: &str = include_str!("../schemas/roles.yaml");
const BIRD_SCHEMA: &str = include_str!("../schemas/bird/submit-request.schema.json");
const SCHEMAS: [(&str, &str); 4] = [
    ("bird", BIRD_SCHEMA),
    ("submit-request", include_str!("providers/estuary/submit-request.schema.json")),
    ("update-request", include_str!("providers/estuary/update-request.schema.json")),
    ("verification-record", include_str!("providers/estuary/verification-record.schema.json")),
];

fn files() -> OwnProvider {
    let schema = |(kind, text): &(&str, &str)| {
        let file = format!("estuary/{kind}.schema.json");
        ((*kind).to_owned(), (file, (*text).to_owned()))
    };
    OwnProvider {
        name: "estuary".to_owned(),
        file: "estuary/provider.yaml".to_owned(),
        text: ESTUARY.to_owned(),
        schemas: SCHEMAS.iter().map(schema).collect(),
    }
}

/// The path of each role in a kind, from a provider's file.
type RoleMap = BTreeMap<String, Vec<String>>;

/// Reads the roles of a kind from a provider's file. A role that is not in it is a top-level field with the role's
/// name.
fn roles(file: &str, kind: KindRole) -> RoleMap {
    let source = Source::new("provider.yaml", file);
    let file =
        json_of(Parsed::of(&source, Some(Format::Yaml)).only().expect("one").root.as_ref().expect("read"));
    let file: Value = serde_json::from_str(&file).expect("it was just written");
    let kinds = file["kinds"].as_array().expect("a list").iter();
    let kinds: Vec<&Value> = kinds.filter(|entry| entry["schema"].is_null()).collect();
    let entry = kinds.iter().find(|entry| entry["kind"] == kind.name()).expect("the kind is listed");
    let list = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<_>>();
    let mut paths = RoleMap::new();
    let source = Source::new("roles.yaml", ROLES);
    let names =
        json_of(Parsed::of(&source, Some(Format::Yaml)).only().expect("one").root.as_ref().expect("read"));
    let names: Value = serde_json::from_str(&names).expect("it was just written");
    for (group, role) in [("submission", &names["submission"]), ("other", &names["other"])] {
        for role in role.as_array().expect("a list").iter().filter_map(Value::as_str) {
            let path = match (entry["roles"][role].as_str(), entry["submission"].as_str()) {
                (Some(path), _) => list(path),
                // A field that another kind also has uses the name from there.
                (None, _)
                    if kinds.iter().any(|it| it["roles"][role].is_string())
                        && entry["submission"].is_null() =>
                {
                    let path = kinds.iter().find_map(|it| it["roles"][role].as_str()).expect("one has it");
                    list(path)
                }
                (None, Some(object)) if group == "submission" => list(&format!("{object}/{role}")),
                (None, _) => list(role),
            };
            paths.insert(role.to_owned(), path);
        }
    }
    paths
}

/// The role with the longest path that is a prefix of a pointer, and the number of its tokens.
fn role_at<'m>(map: &'m RoleMap, tokens: &[&str]) -> Option<(&'m str, usize)> {
    let fits = |path: &Vec<String>| {
        let list = path.iter().position(|it| it == "*").unwrap_or(path.len());
        tokens.len() >= list && path.iter().zip(tokens).all(|(step, token)| step == "*" || step == token)
    };
    let found = map.iter().filter(|(_, path)| fits(path)).max_by_key(|(_, path)| path.len());
    found.map(|(role, path)| (role.as_str(), path.len().min(tokens.len())))
}

/// Translates a pointer from one provider's document to the other's.
fn translated(pointer: &str, from: &RoleMap, to: &RoleMap) -> String {
    let tokens: Vec<&str> = pointer.split('/').skip(1).collect();
    let Some((role, taken)) = role_at(from, &tokens) else { return pointer.to_owned() };
    let mut rest = tokens[taken..].iter();
    let mut pointer = String::new();
    for step in &to[role] {
        match step.as_str() {
            "*" => match rest.next() {
                Some(token) => pointer = format!("{pointer}/{token}"),
                None => break,
            },
            key => pointer = format!("{pointer}/{key}"),
        }
    }
    rest.fold(pointer, |pointer, token| format!("{pointer}/{token}"))
}

/// Sets the value at a path. An item of a list becomes an object if the path requires it.
fn put(document: &mut Value, path: &[String], value: Value) {
    let Some((step, rest)) = path.split_first() else {
        *document = value;
        return;
    };
    match (step.as_str(), value) {
        ("*", Value::Array(items)) => {
            let item = |value| {
                let mut item = json!({});
                put(&mut item, rest, value);
                item
            };
            *document = items.into_iter().map(item).collect();
        }
        ("*", value) => *document = value,
        (key, value) => {
            if !document.is_object() {
                *document = json!({});
            }
            put(&mut document[key], rest, value);
        }
    }
}

/// Translates a document from one provider to the other, including its mistakes.
fn document(bird: &Value, from: &RoleMap, to: &RoleMap) -> Value {
    let mut estuary = json!({});
    // Empty objects exist too.
    for object in ["company", "contact", "campaign"] {
        let below = to["businessName"].iter().take_while(|it| *it != "company");
        let path: Vec<String> = below.cloned().chain([object.to_owned()]).collect();
        put(&mut estuary, &path, json!({}));
    }
    let street = &to["businessAddr1"];
    put(&mut estuary, &street[..street.len() - 1], json!({}));
    take(bird, &mut Vec::new(), &mut |tokens, value| {
        let pointer: String = tokens.iter().map(|token| format!("/{token}")).collect();
        let inside = |path: &Vec<String>| path.len() > tokens.len() && path.starts_with(tokens);
        if value.is_object() && from.values().any(inside) {
            return true;
        }
        let names: Vec<&str> = tokens.iter().map(String::as_str).collect();
        let path = match role_at(from, &names) {
            Some((role, taken)) if taken == tokens.len() => to[role].clone(),
            _ => translated(&pointer, from, to).split('/').skip(1).map(str::to_owned).collect(),
        };
        put(&mut estuary, &path, value.clone());
        false
    });
    estuary
}

/// Visits the members of objects, and those of nested objects for which `into` returns true.
fn take(value: &Value, at: &mut Vec<String>, into: &mut dyn FnMut(&[String], &Value) -> bool) {
    for (key, value) in value.as_object().into_iter().flatten() {
        at.push(key.clone());
        if into(at, value) {
            take(value, at, into);
        }
        at.pop();
    }
}

fn essence(report: &Report, pointer: impl Fn(&str) -> String) -> Vec<(String, String, String)> {
    let findings = report.findings.iter();
    let mut all: Vec<_> = findings
        .map(|finding| (finding.rule.to_string(), finding.severity.to_string(), pointer(&finding.pointer)))
        .collect();
    all.sort();
    all
}

/// Checks a document and its translation, and compares the findings.
fn compare(linter: &Linter, bird: &Value) -> usize {
    let report = linter.check_value(bird, &Facts::default());
    let source = Source::new("draft", bird.to_string());
    let parsed = Parsed::of(&source, Some(Format::Json));
    let kind =
        tollproof_core::kind_of(&parsed.only().expect("one"), KindHint::Explicit).expect("it has a kind");
    // A broken example may look like another provider's.
    let is_there = ["submit-request", "update-request", "verification-record"].contains(&kind.name());
    if kind.provider() != Provider::default() || !is_there {
        return 0;
    }
    let (from, to) = (roles(BIRD, kind.role()), roles(ESTUARY, kind.role()));
    let translation = document(bird, &from, &to);
    let found = linter.check_value(&translation, &Facts::default());
    let expected = essence(&report, |pointer| translated(pointer, &from, &to));
    assert_eq!(essence(&found, str::to_owned), expected, "{bird:#}\n{translation:#}\n{:#?}", found.findings);
    for finding in &found.findings {
        assert_eq!(finding.kind.expect("it was detected").provider().name(), "estuary", "{finding:#?}");
    }
    expected.len()
}

fn linter() -> Linter {
    let provider = Provider::load(&files()).unwrap_or_else(|error| panic!("{error}"));
    Linter::builder().provider(provider).build().expect("nothing else is set")
}

#[test]
fn sample_drafts_get_the_same_findings() {
    let linter = linter();
    let mut found = 0;
    for (text, format) in [
        (include_str!("drafts/harbor-dental.json"), Format::Json),
        (include_str!("drafts/cedar-auto.json"), Format::Json),
        (include_str!("drafts/maple-grove.yaml"), Format::Yaml),
        (include_str!("drafts/batch.yaml"), Format::Yaml),
        (include_str!("drafts/record-rejected.json"), Format::Json),
    ] {
        let source = Source::new("draft", text);
        for root in Parsed::of(&source, Some(format))
            .whole()
            .documents()
            .filter_map(|draft| draft.document().root.as_ref())
        {
            let bird: Value = serde_json::from_str(&json_of(root)).expect("it was just written");
            found += compare(&linter, &bird);
        }
    }
    assert!(found > 5, "the drafts have findings: {found}");
}

#[test]
fn every_example_of_a_field_gets_the_same_findings() {
    let linter = linter();
    let mut found = 0;
    for (_, text) in tollproof_core::builtin_rules() {
        let rule =
            tollproof_core::decode::<tollproof_core::RuleFile>("rule.yaml", text).expect("it is built in");
        for example in rule.examples.fail.iter().filter_map(Value::as_object) {
            if example.keys().any(|key| key.starts_with('$')) || !rule.kinds.contains(KindRole::Submit) {
                continue;
            }
            let mut bird = clean_document(Kind::of(KindRole::Submit));
            let fields = bird.as_object_mut().expect("an object");
            set(fields, example);
            found += compare(&linter, &bird);
        }
    }
    assert!(found > 100, "the examples have findings: {found}");
}

#[test]
fn lists_in_place_of_texts_get_the_same_findings() {
    let linter = linter();
    let mut found = 0;
    let clean = clean_document(Kind::of(KindRole::Submit));
    for name in clean.as_object().expect("an object").keys() {
        for values in
            [vec![clean[name].clone()], vec![json!("Canada")], vec![json!("none"), json!("https://bit.ly/a")]]
        {
            let mut bird = clean.clone();
            bird[name] = Value::from(values);
            found += compare(&linter, &bird);
        }
    }
    assert!(found > 30, "lists are wrong: {found}");
}

fn set(fields: &mut Map<String, Value>, changes: &Map<String, Value>) {
    for (name, value) in changes {
        if value == "$absent" {
            drop(fields.remove(name))
        } else {
            drop(fields.insert(name.clone(), value.clone()))
        }
    }
}

fn value() -> impl Strategy<Value = Value> {
    let texts = [
        "",
        " ",
        "US",
        "Canada",
        "02134",
        "2134",
        "ZZ",
        "appointments",
        "Appointments",
        "1000",
        "1,000",
        "none",
        "https://www.quillbackkayak.com",
        "http://bit.ly/a",
        "gmail.com",
        "irene@gmail.com",
        "+12077724831",
        "(207) 772-4831",
        "9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9",
        "Quillback Kayak Tours LLC",
        "PO Box 12",
        "Customers must agree to receive texts. The box is checked by default.",
        "Click here to win {{prize}}!",
    ];
    let leaf = prop_oneof![
        8 => proptest::sample::select(texts.to_vec()).prop_map(|it| json!(it)),
        1 => (-2_i64..99_999).prop_map(|it| json!(it)),
        1 => any::<bool>().prop_map(|it| json!(it)),
        1 => Just(json!(null)),
    ];
    prop_oneof![3 => leaf.clone(), 1 => proptest::collection::vec(leaf, 0..3).prop_map(Value::from)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::support::cases(200), ..ProptestConfig::default() })]

    #[test]
    fn changed_drafts_get_the_same_findings(
        is_update in any::<bool>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), proptest::option::of(value())), 0..5),
    ) {
        thread_local!(static LINTER: Linter = linter());
        let kind = Kind::of(if is_update { KindRole::Update } else { KindRole::Submit });
        let mut bird = clean_document(kind);
        let fields = bird.as_object_mut().expect("an object");
        let names: Vec<String> = fields.keys().cloned().chain(["aFieldOfNobody".to_owned()]).collect();
        for (index, value) in changes {
            let name = index.get(&names).clone();
            match value {
                Some(value) => drop(fields.insert(name, value)),
                None => drop(fields.remove(&name)),
            }
        }
        LINTER.with(|linter| compare(linter, &bird));
    }
}

#[test]
fn mistakes_in_a_provider_are_refused_at_their_place() {
    for (from, to, message, place) in [
        ("title: Estuary", "titel: Estuary", "unknown key `titel`; did you mean `title`?", "titel"),
        (
            "businessName: company/legalName",
            "bussinessName: company/legalName",
            "`bussinessName` is not a role; did you mean `businessName`?",
            "company/legalName",
        ),
        ("company/website", "company/site", "the schema has no field `company/site`", "company/site"),
        ("any: [request, ticket]", "any: [request, tickets]", "the schema has no field `tickets`", "tickets"),
        (
            "personal: [street,",
            "personal: [streets,",
            "no kind has a field `streets`; did you mean `street`?",
            "streets",
        ),
        (
            "kind: update-request",
            "kind: submit-request",
            "`submit-request` is listed twice",
            "submit-request",
        ),
        (
            "kind: update-request",
            "kind: number-search",
            "there is no schema `number-search.schema.json`",
            "number-search",
        ),
        (
            "{ kind: submit-request, any: [lines, space] }",
            "{ kind: submit-request }",
            "this entry names no field",
            "kind",
        ),
    ] {
        let mut files = files();
        assert!(files.text.contains(from), "{from}");
        files.text = files.text.replacen(from, to, 1);
        let error = Provider::load(&files).expect_err(to);
        let span = error.span.expect("every error has a place");
        assert_eq!((error.message.as_str(), &files.text[span.range()]), (message, place), "{to}");
    }
}

#[test]
fn mistakes_in_a_schema_are_refused_at_their_place() {
    for (from, to, message, place) in [
        ("\"minItems\": 1", "\"uniqueItems\": true", "a shape does not know `uniqueItems` here", "true"),
        (
            "#/$defs/businessName",
            "#/$defs/business",
            "`bird.schema.json#/$defs/business` names nothing",
            "\"bird.schema.json#/$defs/business\"",
        ),
        (
            "\"format\": \"uuid\"",
            "\"format\": \"id\"",
            "a shape does not know the format `id` here",
            "\"id\"",
        ),
    ] {
        let mut files = files();
        let (file, text) = files.schemas.get_mut("submit-request").expect("there is one");
        assert!(text.contains(from), "{from}");
        *text = text.replacen(from, to, 1);
        let (file, text) = (file.clone(), text.clone());
        let error = Provider::load(&files).expect_err(to);
        let span = error.span.expect("every error has a place");
        assert_eq!(
            (&error.file, error.message.as_str(), &text[span.range()]),
            (&file, message, place),
            "{to}"
        );
    }
}
