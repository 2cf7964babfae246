//! The JSON Schemas of what commands print, which tests generate and compare with `schemas/`.

use std::path::Path;

/// Checks that `schemas/NAME.schema.json` is that of a type, or writes it if `UPDATE` is set. Returns what validates by it.
pub(crate) fn validator_of<T: schemars::JsonSchema>(name: &str) -> jsonschema::Validator {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let schema = serde_json::to_value(settings.into_generator().into_root_schema_for::<T>());
    let schema = schema.expect("a schema is JSON");
    let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas").join(format!("{name}.schema.json"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &text).expect("the schemas can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "schemas/{name}.schema.json is stale: run UPDATE=1 cargo test");
    jsonschema::validator_for(&schema).expect("the schema is one")
}
