//! Tests of `schemas/codes.yaml` and of the shapes of answers.

use std::collections::BTreeSet;

use tollproof_data::code_table::{CodeEntry, squeezed_name};

use super::advice::ReasonMeaning;
use super::answer_reason::AnswerReason;
use super::codes::{Certainty, by_code, by_title, codes_in, provider_in, table};
use super::parse::Answer;
use super::reasons::Wordings;
use super::resemblance::NOTHING;
use crate::facts::Outcome;
use crate::lint::Linter;
use crate::rule::RuleFile;
use crate::rule::builtin::files;
use crate::rule::errors::decode;
use crate::syntax::source::{Source, Span};
use crate::syntax::{Format, Parsed};

/// The codes of the largest public list, and those of a second series that were seen.
const TWILIO: &[&str] = &[
    "30437", "30440", "30441", "30442", "30443", "30444", "30445", "30446", "30447", "30448", "30449",
    "30451", "30452", "30455", "30456", "30457", "30458", "30459", "30460", "30461", "30462", "30463",
    "30464", "30465", "30466", "30467", "30468", "30469", "30470", "30471", "30472", "30473", "30474",
    "30475", "30476", "30477", "30478", "30479", "30480", "30481", "30482", "30483", "30484", "30485",
    "30486", "30487", "30488", "30489", "30490", "30491", "30492", "30493", "30494", "30495", "30496",
    "30497", "30498", "30499", "30501", "30502", "30503", "30504", "30505", "30506", "30507", "30508",
    "30509", "30510", "30511", "30512", "30513", "30515", "30516", "30517", "30518", "30519", "30520",
    "30521", "30522", "30523", "30524", "30525", "30526", "30527", "30528", "30529", "30530", "30531",
    "30532", "30533", "30534", "30537", "30538", "30540", "30543", "30544", "30545", "30548", "30551",
    "30553", "30555", "30556", "30558", "30560", "30562", "30569", "30570", "30800", "30801", "30807",
    "30824", "30831", "30832", "30836", "30837", "30841", "30842", "30858", "30860", "30863", "30879",
    "30915", "30936", "18602", "18605", "18606", "18609",
];

/// The codes that Bandwidth and others share.
const SHARED: &[&str] =
    &["1000", "1001", "1002", "1101", "1102", "1103", "1112", "1203", "1413", "511", "1201", "547"];

/// The short texts of AWS.
const AWS: &[&str] = &[
    "Compliant Opt In Missing",
    "Invalid Business Connection",
    "Invalid Company Info",
    "Invalid Multi Numbers",
    "Invalid Overall",
    "Invalid URL",
    "Non Compliant Opt In",
    "Non Compliant Opt In Consent",
    "Non Compliant Opt In Third Party",
    "Non Compliant Use Case",
    "Invalid Privacy Policy URL",
    "Invalid Terms and Conditions URL",
    "Unclear Opt-in Language",
    "Pre-selected Opt-in",
    "Message Use Case Mismatch",
];

fn of(provider: &str) -> Vec<&'static CodeEntry> {
    table().codes.iter().filter(|it| it.provider == provider).collect()
}

#[test]
fn every_public_code_has_an_entry() {
    for (provider, codes) in [("twilio", TWILIO), ("bandwidth", SHARED), ("aws", AWS)] {
        let known: Vec<&str> = of(provider).into_iter().map(|it| it.code.as_str()).collect();
        let missing: Vec<_> = codes.iter().filter(|code| !known.contains(code)).collect();
        assert!(missing.is_empty(), "{provider}: {missing:?}");
    }
    assert_eq!((of("azure").len(), of("telnyx").len()), (4, 46));
}

#[test]
fn sentences_name_neither_a_provider_nor_a_field_of_an_api() {
    let providers: Vec<&str> = table().providers.values().map(|provider| provider.title.as_str()).collect();
    for entry in &table().codes {
        for text in [&entry.means, &entry.change] {
            assert!(!text.contains('`'), "{}: {text}", entry.code);
            let named = providers.iter().find(|provider| text.contains(**provider));
            assert_eq!(named, None, "{}: {text}", entry.code);
        }
    }
    for provider in table().providers.values() {
        let texts = [&provider.may_edit, &provider.is_final, &provider.unknown];
        assert!(texts.iter().all(|text| !text.contains('`')), "{}", provider.title);
    }
}

#[test]
fn titles_are_unique_and_advice_is_short() {
    let mut titles = BTreeSet::new();
    for entry in &table().codes {
        let at = format!("{} {}", entry.provider, entry.code);
        assert!(
            titles.insert((&entry.provider, squeezed_name(&entry.title))),
            "{at}: the title is there twice"
        );
        for text in [&entry.means, &entry.change] {
            let sentences = text.matches(". ").count() + 1;
            assert!(text.ends_with('.') && sentences <= 3, "{at}: {text}");
            let longest = text.split(". ").map(|sentence| sentence.split(' ').count()).max();
            assert!(longest.is_some_and(|it| it <= 26), "{at}: {text}");
        }
        assert!(
            !entry.roles.is_empty()
                || ["Unknown", "Invalid", "No reason", "Missing", "Editing", "The registration"]
                    .iter()
                    .any(|it| entry.title.starts_with(it)),
            "{at}: no role"
        );
    }
}

/// The table decides which rule is named, and the rule must agree.
#[test]
fn rules_of_codes_prevent_them() {
    let prevents = |id: &str| {
        let (_, text) = files().find(|(known, _)| *known == id).expect("build.rs has checked that it exists");
        let file = decode::<RuleFile>(id, text).expect("it is built in");
        file.prevents.iter().map(|it| it.code.to_string()).collect::<Vec<_>>()
    };
    for entry in &table().codes {
        let root = entry.equals.last().map(String::as_str).unwrap_or_default();
        let is_numbered = root.bytes().all(|it| it.is_ascii_digit());
        for rule in entry.rules.iter().filter(|rule| is_numbered && !rule.starts_with("history/")) {
            let codes = prevents(rule);
            assert!(
                entry.equals.iter().any(|it| codes.contains(it)),
                "{rule} does not prevent {:?}",
                entry.equals
            );
        }
    }
}

#[test]
fn codes_that_a_draft_does_not_show_name_no_rule() {
    for code in ["30498", "30484", "30491", "30510"] {
        let entry = by_code(None, code).expect("it is in the table");
        assert!(entry.rules.is_empty() && !entry.change.is_empty() && !entry.roles.is_empty(), "{code}");
    }
}

#[test]
fn codes_are_found_by_code_and_title() {
    let code = |provider, code| by_code(provider, code).map(|it| it.title.as_str());
    assert_eq!(code(None, "30498"), Some("Opt-in workflow must match submission details"));
    assert_eq!(code(None, "1103"), None);
    assert_eq!(code(Some("bandwidth"), "1103"), Some("Business Name Must Match Official Records"));
    assert_eq!(code(Some("aws"), "NON_COMPLIANT_OPT_IN"), Some("Non Compliant Opt In"));
    assert_eq!(code(None, "30999"), None);
    let title =
        |text: &str| by_title(None, text).map(|(entry, certainty)| (entry.equals.last().cloned(), certainty));
    let known = |code: &str, certainty| Some((Some(code.to_owned()), certainty));
    assert_eq!(title("Opt-in workflow must match submission details"), known("30498", Certainty::Certain));
    assert_eq!(title("The opt-in workflow should match the submission"), known("30498", Certainty::Probable));
    assert_eq!(title("The moon is in the wrong house"), None);
    for entry in &table().codes {
        let found = by_title(Some(&entry.provider), &entry.title);
        let meaning = found.map(|(entry, certainty)| (entry.equals.last(), certainty));
        assert_eq!(meaning, Some((entry.equals.last(), Certainty::Certain)), "{}", entry.title);
    }
}

#[test]
fn numbers_in_texts_are_not_codes() {
    let codes = |text| codes_in(None, text).into_iter().map(|it| it.code).collect::<Vec<_>>();
    assert_eq!(codes("30498, 30513 and 30999"), ["30498", "30513", "30999"]);
    assert!(codes("Statesboro, GA 30458; 30458-1234; 20,30498; 130498; 30300").is_empty());
    assert_eq!(provider_in("From: Amazon Web Services"), Some("aws"));
    assert_eq!(provider_in("laws of the land"), None);
}

fn answer(text: &str) -> Answer {
    let source = Source::new("answer", text.to_owned());
    Answer::of(&Parsed::of(&source, Some(Format::Json)), &[]).expect("it is an answer")
}

/// The codes and texts of an answer.
fn reasons(text: &str) -> Vec<(Option<String>, String)> {
    answer(text).reasons.into_iter().map(|it| (it.code, it.text)).collect()
}

#[test]
fn names_of_answers_may_be_written_in_any_case() {
    let (code, text) = (Some("30491".to_owned()), "Website requires login".to_owned());
    for written in [
        r#"{"status": "TWILIO_REJECTED", "rejection_reason": "Website requires login", "error_code": 30491, "edit_allowed": "true"}"#,
        r#"{"status": "TWILIO_REJECTED", "rejectionReason": "Website requires login", "errorCode": 30491, "editAllowed": true}"#,
        r#"{"Status": "TWILIO_REJECTED", "RejectionReasons": [{"Code": "30491", "Reason": "Website requires login"}], "EditAllowed": true}"#,
        r#"{"status": "TWILIO_REJECTED", "rejection_reasons": [{"x": 30491, "url": "https://www.twilio.com/docs/api/errors/30491", "y": "Website requires login"}], "rejection_reason": "Website", "editAllowed": true}"#,
    ] {
        assert_eq!(reasons(written), [(code.clone(), text.clone())], "{written}");
        let verdict = answer(written).verdict.expect("it is a record");
        assert_eq!((verdict.outcome, verdict.may_edit.map(|it| it.1)), (Outcome::Rejected, Some(true)));
    }
}

#[test]
fn the_newest_entry_of_a_history_counts() {
    let entry = |status: &str, reason: &str, at: &str| {
        format!(r#"{{"verificationStatus": "{status}", "reason": "{reason}", "updatedAt": "{at}"}}"#)
    };
    let (old, new) =
        (entry("Rejected", "old", "2026-11-01T00:00:00Z"), entry("Verified", "new", "2026-11-02T00:00:00Z"));
    for text in
        [format!("[{old}, {new}]"), format!("[{new}, {old}]"), format!(r#"{{"records": [{new}, {old}]}}"#)]
    {
        let answer = answer(&text);
        assert_eq!(answer.outcome(), Some(Outcome::Verified), "{text}");
        assert_eq!(answer.reasons[0].text, "new", "{text}");
    }
}

#[test]
fn errors_of_apis_are_placed_by_their_names() {
    for (text, name, message) in [
        (
            r#"{"type": "a", "description": "b", "errors": {"businessAddress.zip": ["is wrong"]}}"#,
            "businessAddress.zip",
            "is wrong",
        ),
        (
            r#"{"errors": [{"code": "10015", "title": "Bad Request", "detail": "is wrong", "source": {"pointer": "/businessZip"}}]}"#,
            "/businessZip",
            "is wrong",
        ),
        (
            r#"{"detail": [{"loc": ["body", "businessZip"], "msg": "field required"}]}"#,
            "body.businessZip",
            "field required",
        ),
        (
            r#"{"__type": "ValidationException", "Message": "no", "Fields": [{"Name": "companyInfo.zipCode", "Message": "is wrong"}]}"#,
            "companyInfo.zipCode",
            "is wrong",
        ),
    ] {
        let reasons = answer(text).reasons;
        assert_eq!((reasons[0].name.as_deref(), reasons[0].text.as_str()), (Some(name), message), "{text}");
        assert_eq!(reasons.len(), 1);
    }
}

#[test]
fn what_is_not_about_a_draft_is_refused() {
    let error = |text: &str| {
        let source = Source::new("answer", text.to_owned());
        Answer::of(&Parsed::of(&source, None), &[]).map(|_| ()).expect_err("it is not an answer").what
    };
    for text in [
        r#"{"code": 20003, "message": "Authenticate", "more_info": "https://x", "status": 401}"#,
        r#"{"message": "Forbidden"}"#,
        r#"{"errors": [{"code": "10009", "title": "Authentication failed"}]}"#,
        r#"{"__type": "AccessDeniedException", "Message": "User: x is not authorized"}"#,
        r#"{"code": "unauthorized", "message": "Unauthorized"}"#,
    ] {
        assert!(error(text).contains("login of your program"), "{text}: {}", error(text));
    }
    assert!(error("<!doctype html><html>Bad gateway</html>").contains("HTML"));
    assert!(error(" ").contains("empty"));
}

/// Sentences that somebody wrote who knew neither the table nor the known sentences, and their meanings. They are for
/// measuring: no row and no known sentence is made from them.
#[test]
fn sentences_of_strangers_are_understood() {
    #[derive(serde::Deserialize)]
    struct Told {
        text: String,
        means: Vec<String>,
    }
    let linter = Linter::builtin();
    let wordings = Wordings::new(&linter);
    let (mut right, mut wrong, mut silent) = (0, Vec::new(), 0);
    for line in include_str!("../../../../tests/told.ndjson").lines() {
        let told: Told = serde_json::from_str(line).expect("a line is a sentence and its meanings");
        let reason = AnswerReason::text(told.text.clone(), Span::new(0, told.text.len()));
        let meaning = ReasonMeaning::of(&reason, None, None, &wordings);
        let is_reason = meaning.is_known() && !meaning.is_no_reason();
        let key = meaning.entry.and_then(|entry| entry.equals.last()).or(meaning.rules().first());
        let means_nothing = told.means == [NOTHING];
        let is_right = key.is_some_and(|key| told.means.contains(key)) || means_nothing && !is_reason;
        match is_reason {
            _ if is_right => right += 1,
            true => wrong.push((told.text, key.cloned())),
            false => silent += 1,
        }
    }
    assert!(right >= 115 && wrong.len() <= 19, "right {right}, not understood {silent}, wrong: {wrong:#?}");
}
