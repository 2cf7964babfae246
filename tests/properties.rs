//! Tests of properties that are true for any text.

use proptest::prelude::*;
use serde_json::{Value, json};
use tollproof_core::{
    Facts, Finding, Format, Kind, KindHint, KindRole, Linter, Message, Parsed, Redaction, Report, Source,
    clean_document,
};

const FORMATS: [Format; 3] = [Format::Json, Format::Ndjson, Format::Yaml];

fn check(text: &str, format: Format, kind: KindHint) -> Report {
    let linter = Linter::builtin();
    linter.check(&Parsed::of(&Source::new("draft", text), Some(format)), kind, &Facts::default())
}

/// All locations of findings and edits are within the text and at character boundaries.
fn assert_in_bounds(text: &str, finding: &Finding) {
    let related = finding.related.iter().filter_map(|it| it.span);
    let edits = finding.fix.iter().flat_map(|fix| fix.edits.iter().map(|it| it.span));
    for span in finding.span.into_iter().chain(related).chain(edits) {
        assert!(span.start <= span.end, "{span:?} of {}", finding.rule);
        assert!(text.get(span.range()).is_some(), "{span:?} of {} in {text:?}", finding.rule);
    }
}

/// Values as people write them, valid and invalid.
fn field_value() -> impl Strategy<Value = Value> {
    let texts = [
        "",
        " ",
        "N/A",
        "Appointments",
        "appointments",
        "1000",
        "1,000",
        "no",
        "02134",
        "+14155552671",
        "(512) 472-1820",
        "https://www.quillbackkayak.com/texts",
        "http://localhost/x",
        "acme.com",
        "Hi \"there\" \\ é ☃ \u{1F600} bit.ly/x STOP",
        "Consent is required to book.\nPayday loans!",
        "irene@gmail.com",
        "a: b # c",
        "- x",
        "~",
        "true",
        "Canada",
        "L'été — ltée",
    ];
    let leaf = prop_oneof![
        6 => proptest::sample::select(texts.to_vec()).prop_map(|it| json!(it)),
        2 => "\\PC{0,40}".prop_map(|it| json!(it)),
        1 => any::<i32>().prop_map(|it| json!(it)),
        1 => any::<bool>().prop_map(|it| json!(it)),
        1 => Just(json!(null)),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| proptest::collection::vec(inner, 0..3).prop_map(Value::from))
}

/// A clean document of a kind in which some fields are changed or removed.
pub(crate) fn document() -> impl Strategy<Value = (Kind, Value)> {
    let names = [
        "businessName",
        "businessZip",
        "businessCountry",
        "businessContactEmail",
        "businessContactPhone",
        "corporateWebsite",
        "messageVolume",
        "useCase",
        "productionMessageContent",
        "optInWorkflowDescription",
        "optInWorkflowImageURLs",
        "phoneNumbers",
        "testMode",
        "status",
        "numbers",
        "limit",
        "code",
        "bussinessCity",
    ];
    let change = (proptest::sample::select(names.to_vec()), proptest::option::of(field_value()));
    (proptest::sample::select(Kind::all().collect::<Vec<_>>()), proptest::collection::vec(change, 0..5))
        .prop_map(|(kind, changes)| {
            let mut document = clean_document(kind);
            let fields = document.as_object_mut().expect("a document is an object");
            for (name, value) in changes {
                match value {
                    Some(value) => fields.insert(name.to_owned(), value),
                    None => fields.remove(name),
                };
            }
            (kind, document)
        })
}

/// The parts of a report that do not depend on the notation: rule, severity, pointer and message without quotations.
fn essence(report: &Report) -> Vec<(String, String, String)> {
    let of = |finding: &Finding| {
        (finding.rule.to_string(), finding.severity.to_string(), finding.pointer.to_string())
    };
    let mut all: Vec<_> = report.findings.iter().map(of).collect();
    all.sort();
    all
}

/// A message without inserted values.
fn own_words(message: &Message) -> String {
    let mut own = String::new();
    let mut at = 0;
    for value in message.values() {
        own += &message[at..value.start];
        own.push('\0');
        at = value.end;
    }
    own + &message[at..]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::support::cases(300), ..ProptestConfig::default() })]

    #[test]
    fn no_text_panics_and_places_are_in_bounds(text in "(\\PC|[\\[\\]{}\":,\\\\\n\t'-]){0,120}") {
        for format in FORMATS {
            for kind in [KindHint::Explicit, KindHint::Discovered, KindHint::Forced(Kind::of(KindRole::Submit).into())] {
                for finding in &check(&text, format, kind).findings {
                    assert_in_bounds(&text, finding);
                }
            }
        }
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let source = Source::from_bytes("bytes", bytes);
        let linter = Linter::builtin();
        for format in FORMATS {
            let report = linter.check(&Parsed::of(&source, Some(format)), KindHint::Explicit, &Facts::default());
            report.findings.iter().for_each(|finding| assert_in_bounds(source.text(), finding));
        }
    }

    #[test]
    fn damaged_drafts_do_not_panic((kind, document) in document(), at in any::<prop::sample::Index>(), with in "\\PC{0,3}") {
        let mut text = serde_json::to_string_pretty(&document).expect("a value is JSON");
        let at = (0..=at.index(text.len() + 1)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let end = (at + 1..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(at);
        text.replace_range(at..end, &with);
        for format in FORMATS {
            let report = check(&text, format, KindHint::Forced(kind.into()));
            report.findings.iter().for_each(|finding| assert_in_bounds(&text, finding));
        }
    }

    #[test]
    fn a_redacted_text_keeps_its_places_and_no_name(
        (kind, mut document) in document(),
        at in any::<prop::sample::Index>(),
        with in prop_oneof![Just(String::new()), "[\"'`:,{}\\[\\]#&* \n\t-]{0,3}", "\\PC{0,3}"],
    ) {
        let draft = match document.get_mut("verificationRequestData") {
            Some(data) => data,
            None => &mut document,
        };
        draft["businessContactFirstName"] = "Quillavere".into();
        draft["businessContactLastName"] = json!(["x", {"Quillavere": "of Quillavere"}]);
        draft["useCaseSummary"] = "Quillavere, +1 (512) 472-1820, texts for quillavere@x.org.".into();
        draft["nobody"] = "QUILLAVERE 5124721820".into();
        let mut text = serde_json::to_string_pretty(&document).expect("a value is JSON");
        let at = (0..=at.index(text.len() + 1)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let end = (at + 1..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(at);
        text.replace_range(at..end, &with);
        let source = Source::new("draft", text.as_str());
        for format in FORMATS {
            let redaction = Redaction::of(&Parsed::of(&source, Some(format)));
            let redacted = redaction.source(&source);
            let lengths = |text: &str| text.chars().map(|c| (c.len_utf8(), c.is_whitespace())).collect::<Vec<_>>();
            prop_assert_eq!(lengths(redacted.text()), lengths(&text));
            let mut told = vec![redacted.text().to_owned()];
            for finding in check(&text, format, KindHint::Forced(kind.into())).findings {
                let redacted = redaction.finding(&source, &finding);
                prop_assert_eq!((&redacted.span, &redacted.fingerprint), (&finding.span, &finding.fingerprint));
                told.push(format!("{redacted:?}"));
                let messages = |it: &Finding| {
                    let all = std::iter::once(it.message.clone()).chain(it.help.clone()).chain(it.label.clone());
                    all.chain(it.related.iter().map(|it| it.message.clone())).collect::<Vec<_>>()
                };
                for (open, redacted) in messages(&finding).iter().zip(&messages(&redacted)) {
                    prop_assert_eq!(own_words(open), own_words(redacted), "{}", finding.rule);
                }
            }
            for told in told.iter().map(|it| it.to_lowercase()) {
                prop_assert!(!told.contains("quillavere") && !told.contains("4721820"), "{format:?}: {told}\n{text}");
                prop_assert!(!told.contains("472-1820"), "{format:?}: {told}\n{text}");
            }
        }
    }

    #[test]
    fn json_and_yaml_of_one_value_give_the_same_findings((kind, document) in document()) {
        let json = serde_json::to_string_pretty(&document).expect("a value is JSON");
        let yaml = serde_yaml::to_string(&document).expect("a value is YAML");
        let kind = KindHint::Forced(kind.into());
        let wanted = essence(&check(&json, Format::Json, kind));
        prop_assert_eq!(&wanted, &essence(&check(&json, Format::Yaml, kind)), "JSON read as YAML: {}", json);
        prop_assert_eq!(&wanted, &essence(&check(&yaml, Format::Yaml, kind)), "{}", yaml);
        prop_assert_eq!(&wanted, &essence(&check(&document.to_string(), Format::Ndjson, kind)), "one line: {}", json);
    }

    #[test]
    fn json_is_read_as_serde_json_reads_it(text in "[\\[\\]{}\":, a1.eE+\\\\u0-9tnrfalsul-]{0,24}") {
        let valid = serde_json::from_str::<Value>(&text).is_ok();
        let report = check(&text, Format::Json, KindHint::Forced(Kind::of(KindRole::Submit).into()));
        let syntax = report.findings.iter().any(|it| it.rule == "input/syntax");
        prop_assert_eq!(valid, !syntax, "{}: {:?}", text, report.findings.iter().map(|it| &it.message).collect::<Vec<_>>());
    }
}
