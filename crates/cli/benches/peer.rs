//! The alternative for a user: a validator of JSON Schema, with the structure of a draft alone or with a hundred
//! patterns over its texts too.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use boon::{Compiler, Schemas};
use serde_json::{Value, json};

/// The fields that have texts.
const TEXTS: [&str; 4] =
    ["useCaseSummary", "productionMessageContent", "optInWorkflowDescription", "additionalInformation"];

/// Words that the patterns look for, each as a whole word in each of the texts.
#[rustfmt::skip]
const WORDS: [&str; 100] = [
    "affiliate", "airdrop", "ammunition", "bail", "bankruptcy", "betting", "bingo", "bitcoin", "blackjack",
    "bong", "brothel", "cannabis", "cartridge", "cashback", "casino", "cbd", "cigar", "cigarette",
    "clickbait", "collections", "commission", "counterfeit", "crypto", "dating", "debt", "delta", "detox",
    "edible", "escort", "ethereum", "example", "explosive", "firearm", "forex", "gambling", "ganja",
    "garnishment", "gummies", "gun", "hashish", "hemp", "hookah", "inheritance", "investment", "jackpot",
    "keto", "knife", "kratom", "lead", "leverage", "loan", "lorem", "lottery", "magazine", "malware",
    "marijuana", "mlm", "mortgage", "multilevel", "narcotic", "nicotine", "nude", "nutraceutical",
    "opioid", "parlay", "payday", "phishing", "pistol", "placeholder", "poker", "pornography", "prize",
    "psilocybin", "pyramid", "quiz", "raffle", "referral", "refinance", "repossession", "rifle",
    "roulette", "scam", "settlement", "slots", "spam", "steroid", "stocks", "supplement", "sweepstakes",
    "tattoo", "tbd", "thc", "timeshare", "tobacco", "token", "trading", "vape", "wager", "warrant",
    "wealth",
];

/// Validates a file, or the files of a folder; each line of a file is a draft in NDJSON.
pub(crate) fn run(with_patterns: bool, paths: &[&str]) -> ExitCode {
    let mut schema: Value =
        serde_json::from_str(include_str!("../../../schemas/bird/submit-request.schema.json"))
            .expect("it is JSON");
    if with_patterns {
        schema = patterns(&schema);
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
            fs::read_dir(path).expect("it is a folder").map(|entry| entry.expect("it can be read").path());
        files.all(|file| is_file_valid(&file))
    });
    if all { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A schema with a hundred patterns, none of which a clean draft has, for each of the texts.
fn patterns(structure: &Value) -> Value {
    let of = |word: &&str| json!({"not": {"pattern": format!(r"(?i)\b{word}\b")}});
    let all: Vec<Value> = WORDS.iter().map(of).collect();
    let texts: Value =
        TEXTS.iter().map(|field| ((*field).to_owned(), json!({"$ref": "#/$defs/text"}))).collect();
    json!({"$defs": {"text": {"allOf": all}}, "allOf": [structure, {"properties": texts}]})
}
