//! Statements in each provider's files: where their facts come from, and what is not verified.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::support::Folder;

/// The folders of all providers, with their `provider.yaml`.
fn providers() -> BTreeMap<String, serde_yaml::Value> {
    let folders =
        fs::read_dir("schemas").expect("it is there").map(|entry| entry.expect("it can be read").path());
    let read = |folder: PathBuf| {
        let text = fs::read_to_string(folder.join("provider.yaml")).ok()?;
        let name = folder.file_name()?.to_str()?.to_owned();
        Some((name, serde_yaml::from_str(&text).expect("the build has read it")))
    };
    folders.filter_map(read).collect()
}

/// The schemas of a provider, by kind.
fn schemas(provider: &str) -> BTreeMap<String, Value> {
    let files = fs::read_dir(format!("schemas/{provider}")).expect("it is there");
    let read = |file: PathBuf| {
        let kind = file.file_name()?.to_str()?.strip_suffix(".schema.json")?.to_owned();
        let text = fs::read_to_string(&file).expect("it can be read");
        Some((kind, serde_json::from_str(&text).expect("it is JSON")))
    };
    files.filter_map(|entry| read(entry.expect("it can be read").path())).collect()
}

#[test]
fn every_fact_of_a_provider_has_a_source_and_a_date() {
    for (name, file) in providers().into_iter().filter(|(name, _)| name != "bird") {
        let sources = file["sources"].as_sequence().unwrap_or_else(|| panic!("{name} lists no sources"));
        assert!(!sources.is_empty(), "{name}");
        for source in sources {
            let date = source["date"].as_str().unwrap_or_default();
            assert!(("2023-01-01".."2027").contains(&date), "{name}: {source:?}");
            assert!(source["verified"].is_bool(), "{name}: {source:?}");
            for key in ["fact", "source"] {
                assert!(source[key].as_str().is_some_and(|it| it.len() > 5), "{name}: {source:?}");
            }
        }
        assert!(sources.iter().any(|it| it["verified"] == true), "{name}: nothing is verified");
        for entry in file["requires"].as_sequence().into_iter().flatten() {
            assert!(entry["source"].as_str().is_some_and(|it| it.len() > 5), "{name}: {entry:?}");
        }
    }
}

/// Unverified parts must be lenient, so that tollproof refuses nothing that the provider may take.
#[test]
fn what_is_not_verified_refuses_nothing() {
    let mut found = 0;
    for name in providers().into_keys() {
        for (kind, schema) in schemas(&name) {
            let required: Vec<&str> =
                schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            for (field, property) in schema["properties"].as_object().into_iter().flatten() {
                let description = property["description"].as_str().unwrap_or_default().to_lowercase();
                if !description.contains("not verified") {
                    continue;
                }
                found += 1;
                let is_listed = property.get("enum").is_some() && !description.contains("values are");
                assert!(!is_listed || required.contains(&field.as_str()), "{name}/{kind}: {field}");
                assert!(property.get("format").is_none(), "{name}/{kind}: {field}");
            }
        }
    }
    assert!(found > 3, "descriptions say what is not verified");
}

#[test]
fn every_field_and_value_of_a_provider_is_explained() {
    for name in providers().into_keys() {
        for (kind, schema) in schemas(&name) {
            for (field, property) in schema["properties"].as_object().into_iter().flatten() {
                let is_reference = property.get("$ref").is_some();
                let is_told = |key: &str| property[key].as_str().is_some_and(|it| it.len() > 2);
                assert!(is_reference || is_told("title") && is_told("description"), "{name}/{kind}: {field}");
            }
        }
    }
}

#[test]
fn the_samples_of_all_providers_are_told_from_their_keys_and_clean() {
    for (name, file) in providers() {
        for entry in file["kinds"].as_sequence().expect("it has kinds") {
            let kind = entry["kind"].as_str().expect("it has a name");
            if name == "bird" || kind != "submit-request" {
                continue;
            }
            let sample = fs::read(format!("schemas/{name}/samples/{kind}.json")).expect("it can be read");
            let folder = Folder::new(&format!("sample-{name}")).file("draft.json", sample);
            let checked = folder.run(&["check", "draft.json"]);
            let title = file["title"].as_str().expect("it has a title");
            let expected = format!("1 document for {title} checked, nothing found");
            assert!(checked.code == Some(0) && checked.out.starts_with(&expected), "{name}: {}", checked.out);
        }
    }
}

/// Another provider's notation is rewritten where the meaning is certain.
#[test]
fn safe_fixes_write_the_notation_of_the_provider() {
    for (provider, pointer, wrong, right) in [
        ("bandwidth", "/businessRegistrationIssuingCountry", "us", "USA"),
        ("twilio", "/BusinessCountry", "United States", "US"),
        ("telnyx", "/businessState", "TX", "Texas"),
        ("twilio", "/OptInType", "web form", "WEB_FORM"),
        ("bandwidth", "/businessEntityType", "private profit", "PRIVATE_PROFIT"),
        ("aws", "/companyInfo.taxIdAuthority", "ein", "EIN"),
        (
            "twilio",
            "/PrivacyPolicyUrl",
            "www.fernhollowflowers.com/privacy",
            "https://www.fernhollowflowers.com/privacy",
        ),
    ] {
        let text = fs::read_to_string(format!("schemas/{provider}/samples/submit-request.json"))
            .expect("it is there");
        let mut draft: Value = serde_json::from_str(&text).expect("it is JSON");
        *draft.pointer_mut(pointer).unwrap_or_else(|| panic!("{provider} has no {pointer}")) = wrong.into();
        let folder = Folder::new(&format!("notation-{provider}")).file("draft.json", draft.to_string());
        let ran = folder.run(&["check", "draft.json", "--fix", "--min-severity=info"]);
        let fixed = fs::read_to_string(folder.0.join("draft.json")).expect("it is there");
        let fixed: Value = serde_json::from_str(&fixed).expect("it is JSON");
        assert_eq!(fixed.pointer(pointer), Some(&right.into()), "{provider} {pointer}: {}", ran.out);
    }
}

#[test]
fn a_field_of_the_other_request_is_found_in_every_spelling() {
    for (field, sid) in [
        ("EditReason", "TollfreePhoneNumberSid"),
        ("editReason", "tollfreePhoneNumberSid"),
        ("edit_reason", "tollfree_phone_number_sid"),
    ] {
        let draft = serde_json::json!({ sid: "PN0123456789abcdef0123456789abcdef", field: "A new address" });
        let folder = Folder::new("other-request").file("draft.json", draft.to_string());
        let select = ["check", "draft.json", "--provider=twilio", "--select=structure/update-only"];
        let ran = folder.run(&[&select[..], &["--output-format=json"]].concat());
        let report: Value = serde_json::from_str(&ran.out).expect("it is JSON");
        assert_eq!(report["findings"][0]["pointer"], format!("/{field}"), "{}", ran.out);
    }
}

#[test]
fn an_empty_cell_of_an_optional_column_is_no_value() {
    let sheet = "TollfreePhoneNumberSid,EditReason,CustomerProfileSid,AgeGatedContent,MessageVolume\n\
                 PN0123456789abcdef0123456789abcdef,,,\"\",\n";
    let folder = Folder::new("empty-cells").file("draft.csv", sheet);
    let ran = folder.run(&[
        "check",
        "draft.csv",
        "--select=structure",
        "--ignore=structure/missing-field,structure/missing-for-reviewers,structure/update-only",
        "--output-format=json",
    ]);
    let report: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let found: Vec<_> = report["findings"].as_array().expect("it is a list").iter().collect();
    assert!(
        matches!(&found[..], [only] if only["rule"] == "structure/empty-field" && only["pointer"] == "/MessageVolume"),
        "{}",
        ran.out
    );
}
