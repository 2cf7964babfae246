//! What a user would otherwise run: a validator of JSON Schema, with the structure of a draft alone or with a hundred
//! patterns over its texts too.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use boon::{Compiler, Schemas};
use serde_json::{Value, json};

/// The fields that have texts.
const TEXTS: [&str; 4] =
    ["useCaseSummary", "productionMessageContent", "optInWorkflowDescription", "additionalInformation"];

/// Words that the patterns look for, each as a whole word.
const WORDS: [&str; 25] = [
    "casino",
    "loan",
    "payday",
    "crypto",
    "vape",
    "cannabis",
    "lottery",
    "sweepstakes",
    "debt",
    "forex",
    "cbd",
    "kratom",
    "gambling",
    "betting",
    "firearm",
    "ammunition",
    "tobacco",
    "mlm",
    "referral",
    "lead",
    "affiliate",
    "lorem",
    "tbd",
    "example",
    "placeholder",
];

/// Validates a file, or the files of a folder; each line of a file is a draft in NDJSON.
pub(crate) fn run(with_patterns: bool, paths: &[&str]) -> ExitCode {
    let mut schema: Value =
        serde_json::from_str(include_str!("../../../schemas/bird/submit-request.schema.json"))
            .expect("it is JSON");
    if with_patterns {
        schema = json!({"allOf": [schema, {"properties": patterns()}]});
    }
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource("draft.json", schema).expect("it is a schema");
    let index = compiler.compile("draft.json", &mut schemas).expect("it is a schema");
    let is_valid = |value: &Value| schemas.validate(value, index).is_ok();
    let is_file_valid = |path: &Path| {
        let text = fs::read_to_string(path).expect("it can be read");
        let value: Value = if path.extension().is_some_and(|it| it == "yaml") {
            serde_yaml::from_str(&text).expect("it is YAML")
        } else {
            serde_json::from_str(&text).expect("it is JSON")
        };
        is_valid(&value)
    };
    let all = paths.iter().all(|path| {
        let mut files =
            fs::read_dir(path).expect("it is a folder").map(|it| it.expect("it can be read").path());
        files.all(|file| is_file_valid(&file))
    });
    if all { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A hundred patterns, none of which a clean draft has.
fn patterns() -> Value {
    let of = |word: &&str| json!({"not": {"pattern": format!(r"(?i)\b{word}\b")}});
    let all: Vec<Value> = WORDS.iter().map(of).collect();
    TEXTS.iter().map(|field| ((*field).to_owned(), json!({"allOf": all}))).collect()
}
