//! Drafts converted to another provider and back: what comes back is what was there.

use proptest::prelude::*;
use serde_json::{Map, Value};
use tollproof_core::convert::LeftOutReason;
use tollproof_core::{Format, Kind, KindRole, Parsed, Provider, Source, clean_document, json_of};

use crate::support::Folder;
#[cfg(feature = "workbooks")]
use crate::workbooks::workbook;

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
    #![proptest_config(ProptestConfig { cases: crate::support::cases(64), ..ProptestConfig::default() })]

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

/// The texts in a value, each with its RFC 6901 pointer.
fn texts<'v>(value: &'v Value, pointer: String, found: &mut Vec<(String, &'v str)>) {
    let below = |key: &str| format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
    match value {
        Value::String(text) => found.push((pointer, text)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, it)| texts(it, below(&at.to_string()), found));
        }
        Value::Object(fields) => fields.iter().for_each(|(key, it)| texts(it, below(key), found)),
        _ => {}
    }
}

/// Replaces or adds a value at a place that a number chooses.
fn change(value: &mut Value, mut at: usize, new: Value) {
    let place = at % 3;
    at /= 3;
    match value {
        Value::Object(fields) if place > 0 && !fields.is_empty() => {
            let name = fields.keys().nth(at % fields.len()).cloned().unwrap_or_default();
            change(&mut fields[&name], at / 7, new);
        }
        Value::Array(items) if place > 0 && !items.is_empty() => {
            let count = items.len();
            change(&mut items[at % count], at / 7, new);
        }
        Value::Object(fields) => {
            fields.insert("ownNote".to_owned(), new);
        }
        Value::Array(items) => items.push(new),
        other => *other = new,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::support::cases(256), ..ProptestConfig::default() })]

    #[test]
    fn every_text_arrives_or_is_named(
        from in 0..Provider::all().len(),
        to in 0..Provider::all().len(),
        changes in proptest::collection::vec((any::<usize>(), 0..6_usize), 1..5),
    ) {
        let (from, to) = (Provider::all()[from], Provider::all()[to]);
        prop_assume!(from != to);
        let kind = from.kind(KindRole::Submit).expect("every provider has submit requests");
        let mut draft = clean_document(kind);
        for (number, (at, form)) in changes.into_iter().enumerate() {
            let text = format!("quillback note {number}");
            let new = match form {
                0 | 1 => text.into(),
                2 => serde_json::json!({ "own": text }),
                3 => serde_json::json!([text, format!("kestrel note {number}")]),
                4 => serde_json::json!([{ "own": [text] }]),
                _ => serde_json::json!([[text]]),
            };
            change(&mut draft, at, new);
        }
        let source = Source::new("draft", draft.to_string());
        let parsed = Parsed::of(&source, Some(Format::Json));
        let document = parsed.only().expect("there is one");
        let root = document.document().root.as_ref().expect("it can be read");
        let conversion = kind.convert(root, to).expect("every provider has submit requests");
        let there: Value = serde_json::from_str(&json_of(&conversion.root)).expect("it is JSON");
        let (mut old, mut new) = (Vec::new(), Vec::new());
        texts(&draft, String::new(), &mut old);
        texts(&there, String::new(), &mut new);
        for (pointer, text) in old.into_iter().filter(|(_, text)| text.contains(" note ")) {
            let is_there = new.iter().any(|(_, it)| it.contains(text));
            let is_named = conversion.left_out.iter().any(|left| {
                pointer.strip_prefix(&left.pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            });
            prop_assert!(is_there || is_named, "{} of {:?} at {:?}: {} in {}", pointer, from, to, draft, there);
        }
    }
}

/// A draft of Twilio with a type of opt-in, as Infobip takes it.
fn at_infobip(opt_in_type: Option<&str>) -> (Value, Vec<String>) {
    let kind = |name: &str| Provider::named(name).expect("it is built in");
    let twilio = kind("twilio").kind(KindRole::Submit).expect("it has one");
    let mut draft = serde_json::json!({
        "BusinessName": "Quillback Kayak Tours LLC",
        "AdditionalInformation": "Guests are asked on the phone, and those who say yes get texts.",
    });
    if let Some(opt_in_type) = opt_in_type {
        draft["OptInType"] = opt_in_type.into();
    }
    converted(&draft, twilio, kind("infobip"))
}

#[test]
fn an_opt_in_is_of_the_type_that_the_draft_has() {
    for (opt_in_type, object) in [("VERBAL", "verbal"), ("WEB_FORM", "web"), ("VIA_TEXT", "keyword")] {
        let (there, left) = at_infobip(Some(opt_in_type));
        let objects: Vec<&String> = there["optIns"].as_object().into_iter().flat_map(Map::keys).collect();
        assert_eq!((objects, left), (vec![&object.to_owned()], Vec::new()), "{opt_in_type}");
    }
    // Twilio's field is for other information, too.
    for (opt_in_type, left_out) in [(Some("PAPER_FORM"), &["OptInType"][..]), (None, &[])] {
        let (there, left) = at_infobip(opt_in_type);
        assert_eq!(
            (there.get("optIns"), left.as_slice()),
            (None, &left_out.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()[..])
        );
        assert!(there["additionalInformation"].is_string(), "{there}");
    }
    let bird = Kind::of(KindRole::Submit);
    let infobip = Provider::named("infobip").expect("it is built in");
    let (there, left) = converted(&clean_document(bird), bird, infobip);
    let is_named = left.iter().any(|it| it == "optInWorkflowDescription");
    assert_eq!((there.get("optIns"), is_named), (None, true), "{left:?}");
}

#[test]
fn several_use_cases_are_no_choice_of_ours() {
    let kind = |name: &str| Provider::named(name).expect("it is built in");
    let twilio = kind("twilio").kind(KindRole::Submit).expect("it has one");
    let draft = serde_json::json!({ "UseCaseCategories": ["TWO_FACTOR_AUTHENTICATION", "MARKETING"] });
    let (there, left) = converted(&draft, twilio, Provider::default());
    assert_eq!((&there["useCase"], left.len()), (&Value::from("Mixed"), 0));
    let (there, left) = converted(&draft, twilio, kind("plivo"));
    assert_eq!((there.get("usecase"), left.len()), (None, 2));
    let one = serde_json::json!({ "UseCaseCategories": ["K12"] });
    let source = Source::new("draft", one.to_string());
    let parsed = Parsed::of(&source, Some(Format::Json));
    let document = parsed.only().expect("there is one");
    let root = document.document().root.as_ref().expect("it can be read");
    let conversion = twilio.convert(root, kind("bulk-csv")).expect("it has one");
    let near = |reason: &LeftOutReason| matches!(reason, LeftOutReason::NoValue(_, near) if near[..] == ["HIGHER_EDUCATION"]);
    assert!(conversion.left_out.iter().any(|it| near(&it.reason)), "{:?}", conversion.left_out);
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
            conversion.root.get("UseCaseCategories").map(|node| node.items()[0].as_str().expect("a text"));
        assert_eq!(written, expected, "{use_case}");
        let is_named = |reason: &LeftOutReason| matches!(reason, LeftOutReason::NoValue(name, _) if name == "UseCaseCategories");
        assert_eq!(
            conversion.left_out.iter().any(|it| is_named(&it.reason)),
            expected.is_none(),
            "{use_case}"
        );
    }
}

/// The output of a conversion of a file, and its messages.
fn convert(name: &str, text: impl AsRef<[u8]>, to: &str) -> (String, String) {
    let folder = Folder::new("conversions").file(name, text);
    let ran = folder.run(&["convert", name, "--to", to]);
    (ran.out, ran.err)
}

#[test]
fn volumes_keep_what_they_mean() {
    let bandwidth = include_str!("drafts/bandwidth/heron-point-books.json");
    for (to, written) in [("telnyx", "\"1,000\""), ("twilio", "\"1,000\""), ("infobip", "\"THOUSAND\"")] {
        let (out, err) = convert("a.json", bandwidth, to);
        assert!(out.contains(written), "{to}: {out}{err}");
        let folder = Folder::new("conversions-for").file("a.json", bandwidth);
        let ran = folder.run(&["check", "--no-config", "--format", "concise", "--for", to, "a.json"]);
        assert!(!ran.out.to_lowercase().contains("volume"), "{to}: {ran:?}");
    }
    let clients = include_str!("drafts/bulk-csv/clients.csv").replacen("\"1,000\"", "5000", 1);
    let (out, err) = convert("a.csv", &clients, "bandwidth");
    assert!(out.contains("\"messageVolume\":5000"), "{out}{err}");
    let (_, err) = convert("a.json", bandwidth.replace("1000", "5000"), "telnyx");
    assert!(err.contains("no value with this meaning; the nearest: 10,000"), "{err}");
}

#[test]
fn what_is_guessed_is_named() {
    let twilio = include_str!("drafts/twilio/juniper-stage.json");
    let of = |use_cases: &str| convert("a.json", twilio.replace("[\"EVENTS\"]", use_cases), "telnyx");
    let (out, err) = of("[\"ACCOUNT_NOTIFICATION\"]");
    let (valid, _) = of("[\"ACCOUNT_NOTIFICATIONS\"]");
    assert!(!out.contains("\"useCase\"") && !valid.contains("\"useCase\""), "{out}{err}");
    let (out, err) = of("[\"TWO_FACTOR_AUTHENTICATIONS\"]");
    assert!(out.contains("\"useCase\": \"2FA\""), "{out}{err}");
    let guess = "guessed `UseCaseCategories`: `TWO_FACTOR_AUTHENTICATIONS` was taken as `2FA`; check it";
    assert!(err.contains(guess), "{err}");
    let (out, err) = of("[\"EVENTS\", \"MARKETING\"]");
    assert!(out.contains("\"Mixed\"") && err.contains("`EVENTS` was taken as `Mixed`"), "{out}{err}");
}

#[cfg(feature = "workbooks")]
#[test]
fn a_title_and_a_sheet_of_notes_are_read_as_a_check_reads_them() {
    let clients = include_str!("drafts/bulk-csv/clients.csv");
    let (plain, _) = convert("a.csv", clients, "telnyx");
    let (titled, err) = convert("a.csv", format!("Clients T4,,\n,,\n{clients}"), "telnyx");
    assert_eq!(titled, plain, "{err}");
    let rows: Vec<Vec<String>> = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(clients.as_bytes())
        .records()
        .map(|row| row.expect("a row").iter().map(str::to_owned).collect())
        .collect();
    let notes = vec![vec!["How to fill this in".to_owned()], vec!["Read it".to_owned()]];
    let book = workbook(&[("Lisez-moi", notes), ("Clients", rows)]);
    let (out, err) = convert("a.xlsx", book, "telnyx");
    assert_eq!(out, plain, "{err}");
    assert!(err.contains("Lisez-moi.csv: not converted, because it has no drafts"), "{err}");
}

#[test]
fn the_last_words_are_those_of_a_check() {
    for (name, text, to) in [
        ("a.csv", include_str!("drafts/bulk-csv/clients.csv"), "telnyx"),
        ("a.json", include_str!("drafts/twilio/juniper-stage.json"), "bandwidth"),
        ("a.json", include_str!("drafts/bandwidth/heron-point-books.json"), "twilio"),
    ] {
        let folder = Folder::new("conversions-words").file(name, text);
        let ran = folder.run(&["convert", name, "--to", to, "--output", "new.ndjson"]);
        let (_, counts) = ran.err.trim().rsplit_once("the result has ").expect("it is said");
        let check = folder.run(&["check", "new.ndjson"]);
        let said = counts.trim_end_matches('.').replace(" and ", ", ");
        let last = check.out.lines().last().unwrap_or_default();
        let is_clean = said == "0 errors, 0 warnings" && last.contains("nothing found");
        assert!(is_clean || last.contains(&said), "{said}: {check:?}");
    }
}

#[test]
fn a_draft_for_a_provider_that_is_not_known_is_named() {
    for (draft, title) in [
        (
            r#"{"registrationType": "toll_free", "phoneNumbers": ["+18335726150"], "tollFree": {"businessName": "A"}}"#,
            "Zernio",
        ),
        (
            r#"{"brandId": "TFNB1", "tollFree": {"useCase": "X"}, "phoneNumbers": ["18335726150"]}"#,
            "Signal House",
        ),
        (r#"{"subgroupId": "S1", "companyName": "A", "tollFree": {"taxId": "93-1234567"}}"#, "Signal House"),
        (r#"{"ein": "931234567", "opt_in_url": "https://a.example", "help_reply": "Help"}"#, "Textkit"),
    ] {
        let folder = Folder::new("conversions-foreign").file("a.json", draft);
        let check = folder.run(&["check", "--no-config", "--format", "concise", "a.json"]);
        assert!(
            check.out.contains(&format!("this is for {title}")) && check.out.lines().count() == 2,
            "{check:?}"
        );
        let convert = folder.run(&["convert", "a.json", "--to", "telnyx"]);
        assert!(convert.err.contains(title) && convert.out.is_empty(), "{convert:?}");
    }
}
