//! Tests of messages about values that are difficult to quote: empty strings, unusual numbers, several lines.

use serde_json::{Value, json};
use tollproof_core::{
    Facts, Finding, Format, Kind, KindHint, KindRole, Linter, Parsed, Source, clean_document,
};

fn check(text: &str, format: Format, kind: Kind) -> Vec<Finding> {
    let source = Source::from_bytes("draft", text.as_bytes().to_vec());
    let linter = Linter::builtin();
    linter
        .check(&Parsed::of(&source, Some(format)), KindHint::Forced(kind.into()), &Facts::default())
        .findings
}

#[test]
fn awkward_values_are_named_as_a_person_would() {
    use KindRole::{Purchase, Search, Submit};
    let take_out = "Copy the identifier (a UUID) from your provider's console or API, or remove the field.";
    for (kind, field, value, rule, message, help) in [
        (
            Submit,
            "workspaceId",
            json!(" "),
            "structure/malformed-uuid",
            "`workspaceId` must contain an identifier, but is empty",
            take_out,
        ),
        (
            Submit,
            "phoneNumbers",
            json!([""]),
            "structure/malformed-uuid",
            "`phoneNumbers[0]` must contain an identifier, but is empty",
            "Copy the identifier (a UUID) from your provider's console or API.",
        ),
        (
            Submit,
            "businessZip",
            json!("00012"),
            "address/malformed-postal-code",
            "no ZIP code begins with `000`",
            "Write the ZIP code of the address. The first three digits must be in use.",
        ),
        (
            Submit,
            "corporateWebsite",
            json!("http://localhost:8080"),
            "website/not-the-business",
            "this is not a website of the business: `localhost` works only on your own network",
            "Write the address of the live, public website that shows the business name, at its own domain.",
        ),
        (
            Search,
            "limit",
            json!("5"),
            "structure/wrong-type",
            "`limit` must be a whole number, not the string `5`",
            "Write 5, without quotes.",
        ),
        (
            Search,
            "country",
            json!(" "),
            "number/country-mismatch",
            "this search has no country",
            "Write `US` or `Canada`. A search accepts no other country.",
        ),
        (
            Search,
            "type",
            json!(""),
            "number/bad-search-value",
            "this search has no type of number",
            "Write `tollfree`, the only type that Bird's API names.",
        ),
        (
            Purchase,
            "numbers",
            json!([{ "number": "+18334726150", "country": "Georgia" }]),
            "number/country-mismatch",
            "`Georgia` is not a two-letter country code",
            "Write `GE` for the country, or `US` for the state of the United States.",
        ),
    ] {
        let kind = Kind::of(kind);
        let mut document = clean_document(kind);
        document[field] = value;
        let findings = check(&document.to_string(), Format::Json, kind);
        let [finding] = findings.as_slice() else { panic!("{document}: {findings:#?}") };
        let told = (finding.rule.as_ref(), finding.message.as_str(), finding.help.as_deref());
        assert_eq!(told, (rule, message, Some(help)));
    }
}

#[test]
fn a_limit_is_named_as_a_number() {
    for (written, said) in [("-0", 0), ("0", 0), ("-5", -5)] {
        let findings = check(&format!("limit: {written}\n"), Format::Yaml, Kind::of(KindRole::Search));
        let said = format!("a search for {said} numbers finds nothing");
        assert!(findings.iter().any(|it| it.message == said), "{written}: {findings:#?}");
    }
}

#[test]
fn a_message_is_one_line_whatever_the_value() {
    for kind in Kind::all() {
        let clean = clean_document(kind);
        for field in clean.as_object().expect("a document is an object").keys() {
            for value in
                ["one\ntwo\n", "US\n", "+1 833 472\n6150", "Acme\nTesting", "a@b\nc.com", "https://x\ny.com"]
            {
                let mut document = clean.clone();
                document[field] = Value::from(value);
                for finding in check(&document.to_string(), Format::Json, kind) {
                    let help = finding.help.unwrap_or_default();
                    let words = [&finding.message, &help];
                    assert!(!words.iter().any(|it| it.contains('\n')), "{}: {words:?}", finding.rule);
                }
            }
        }
    }
}
