//! `schemas/rule.schema.json` and `schemas/vocabulary.schema.json`: what editors know of the files of rules.

use std::path::Path;

use serde_json::Value;
use tollproof_core::{RuleFile, VocabularyFile, builtin_rules, decode};

use super::generated;

/// The JSON Schema of rule files, as their types have it.
pub(super) fn of_rules() -> Value {
    let schema = schemars::schema_for!(RuleFile);
    let mut schema = serde_json::to_value(schema).expect("a schema is JSON");
    schema["$id"] = "rule.schema.json".into();
    schema["title"] = "Rule of tollproof".into();
    schema
}

#[test]
fn the_schema_of_rules_is_up_to_date_and_fits_every_rule() {
    let schema = of_rules();
    let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
    generated("schemas/rule.schema.json", &text);

    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    for (id, text) in builtin_rules() {
        let rule: Value = serde_yaml::from_str(text).expect("rule files are YAML");
        let errors: Vec<_> = validator.iter_errors(&rule).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{id}: {errors:?}");
        for (place, key) in [("", "atx"), ("/check", "requires"), ("/examples", "passes")] {
            let mut wrong = rule.clone();
            // A rule that only asks a reader has neither a check nor examples.
            let Some(object) = wrong.pointer_mut(place).and_then(Value::as_object_mut) else { continue };
            object.insert(key.to_owned(), Value::from(Vec::<Value>::new()));
            assert!(!validator.is_valid(&wrong), "{id} with an unknown key `{key}` in `{place}`");
        }
    }
}

#[test]
fn the_schema_of_vocabularies_is_up_to_date_and_fits_every_vocabulary() {
    let schema = schemars::schema_for!(VocabularyFile);
    let mut schema = serde_json::to_value(schema).expect("a schema is JSON");
    schema["$id"] = "vocabulary.schema.json".into();
    schema["title"] = "Vocabulary of tollproof".into();
    let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
    generated("schemas/vocabulary.schema.json", &text);

    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/vocabulary");
    for file in std::fs::read_dir(folder).expect("a folder can be read") {
        let path = file.expect("it can be read").path();
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let mut groups: Value = serde_yaml::from_str(&text).expect("vocabulary files are YAML");
        let errors: Vec<_> = validator.iter_errors(&groups).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{path:?}: {errors:?}");
        assert!(decode::<VocabularyFile>("a.yaml", &text).is_ok(), "{path:?}");
        let first =
            groups.as_object_mut().and_then(|object| object.values_mut().next()).expect("it has a group");
        first["de"] = serde_json::json!(["ja"]);
        assert!(!validator.is_valid(&groups), "{path:?} with an unknown key");
    }
}
