//! Drafts converted to another provider and back: what comes back is what was there.

use proptest::prelude::*;
use serde_json::{Map, Value};
use tollproof_core::convert::LeftOutReason;
use tollproof_core::{Format, Kind, KindRole, Parsed, Provider, Source, clean_document, json_of};

/// A draft as another provider takes it, and the fields that were left out.
fn converted(draft: &Value, from: Kind, to: Provider) -> (Value, Vec<String>) {
    let source = Source::new("draft", draft.to_string());
    let parsed = Parsed::of(&source, Some(Format::Json));
    let document = parsed.only().expect("there is one");
    let root = document.document().root.as_ref().expect("it can be read");
    let conversion = from.convert(root, to).expect("every provider has submit requests");
    let left = conversion.left_out.iter().map(|left| left.field.clone()).collect();
    (serde_json::from_str(&json_of(&conversion.root)).expect("it is JSON"), left)
}

/// Other providers with a field for nearly all that Bird asks.
const OTHERS: [&str; 5] = ["telnyx", "bandwidth", "aws", "bulk-csv", "twilio"];

/// Fields with a notation of the provider's own, or two fields in one, which do not come back letter by letter.
const REWRITTEN: [&str; 4] =
    ["businessState", "businessCountry", "optInWorkflowDescription", "additionalInformation"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_comes_back_is_what_was_there(
        texts in proptest::collection::vec("[A-Za-z][A-Za-z0-9 ,.'é-]{2,60}[a-z]", 6),
        volume in proptest::sample::select(vec!["10", "100", "1,000", "10,000", "250,000", "10,000,000+"]),
        other in proptest::sample::select(OTHERS.to_vec()),
    ) {
        let bird = Kind::of(KindRole::Submit);
        let mut draft = clean_document(bird);
        let fields =
            ["businessName", "businessAddr1", "businessCity", "useCaseSummary", "productionMessageContent", "additionalInformation"];
        for (field, text) in fields.into_iter().zip(&texts) {
            draft[field] = text.as_str().into();
        }
        draft["messageVolume"] = volume.into();
        let other = Provider::named(other).expect("it is built in");
        let there_kind = other.kind(KindRole::Submit).expect("it has one");
        let (there, left) = converted(&draft, bird, other);
        let (back, _) = converted(&there, there_kind, Provider::default());
        let empty = Map::new();
        let back = back.as_object().unwrap_or(&empty);
        for (field, value) in draft.as_object().expect("it is an object") {
            let is_gone = left.contains(field) || REWRITTEN.contains(&field.as_str());
            let is_blank = value.as_str().is_some_and(str::is_empty);
            if !is_gone && !is_blank {
                prop_assert_eq!(back.get(field), Some(value), "{} at {}: {}", field, other, there);
            }
        }
        // Nothing appears that was not there.
        for field in back.keys() {
            prop_assert!(draft.get(field).is_some(), "{} came back from {}", field, other);
        }
    }
}

#[test]
fn use_cases_are_never_guessed() {
    let bird = Kind::of(KindRole::Submit);
    let twilio = Provider::named("twilio").expect("it is built in");
    for (use_case, expected) in
        [("2FA", Some("TWO_FACTOR_AUTHENTICATION")), ("Billing", None), ("Mixed", None)]
    {
        let mut draft = clean_document(bird);
        draft["useCase"] = use_case.into();
        let source = Source::new("draft", draft.to_string());
        let parsed = Parsed::of(&source, Some(Format::Json));
        let document = parsed.only().expect("there is one");
        let conversion = bird
            .convert(document.document().root.as_ref().expect("it can be read"), twilio)
            .expect("it has one");
        let written =
            conversion.root.get("UseCaseCategories").map(|it| it.items()[0].as_str().expect("a text"));
        assert_eq!(written, expected, "{use_case}");
        let is_named = |reason: &LeftOutReason| matches!(reason, LeftOutReason::NoValue(name, _) if name == "UseCaseCategories");
        assert_eq!(
            conversion.left_out.iter().any(|it| is_named(&it.reason)),
            expected.is_none(),
            "{use_case}"
        );
    }
}
