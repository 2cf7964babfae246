//! Tests that answers of providers are linked to the rules that prevent them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tollproof_core::{
    Answer, Facts, Finding, Format, Kind, KindChoice, KindHint, KindRole, KnownReason, Linter, Parsed,
    Provider, RuleFile, Severity, Source, builtin_rules, clean_document, decode,
};

/// The rules and pointers in the explanation of an answer to the clean submit request, without next steps.
fn explained(answer: &Value) -> Vec<(String, String)> {
    let draft = Source::new("draft", clean_document(Kind::of(KindRole::Submit)).to_string());
    let answer = Source::new("answer", answer.to_string());
    let answer = Parsed::of(&answer, Some(Format::Json));
    let answer = Answer::read(answer.only().expect("there is an answer"), &[]).expect("it is one");
    let draft = Parsed::of(&draft, Some(Format::Json));
    let document = draft.only().expect("there is a draft");
    let linter = Linter::builtin();
    let report = linter.explain(document, KindHint::Explicit, &answer, &Facts::default());
    let last = report.findings.last().expect("there is a next step");
    assert_eq!(last.rule, "answer/next-step");
    let told = report.findings.iter().take(report.findings.len() - 1);
    told.map(|finding| (finding.rule.to_string(), finding.pointer.to_string())).collect()
}

/// The rows of `answers.yaml`, each explained on the clean draft of its provider.
#[test]
fn answers_of_every_provider_are_understood() {
    let rows: Vec<Value> =
        serde_yaml::from_str(&std::fs::read_to_string("tests/answers.yaml").expect("it is there"))
            .expect("it is YAML");
    let linter = Linter::builtin();
    let facts = Facts { now: "2026-11-21T08:00:00Z".parse().ok(), ..Facts::default() };
    for row in &rows {
        let provider: Provider =
            row["provider"].as_str().and_then(|name| name.parse().ok()).expect("it is known");
        let kind = provider.kind(KindRole::Submit).expect("each provider has one");
        let draft = Source::new("draft", clean_document(kind).to_string());
        let draft = Parsed::of(&draft, Some(Format::Json));
        let document = draft.only().expect("there is a draft");
        let root = document.document().root.as_ref().expect("it is an object");
        let numbers: Vec<&str> = kind.numbers(root).into_iter().filter_map(|it| it.as_str()).collect();
        let number = numbers.first().copied().unwrap_or_default();
        let choice = KindChoice { provider: Some(provider), role: Some(KindRole::Submit) };
        let answer = row["answer"].as_str().map_or_else(|| row["answer"].to_string(), str::to_owned);
        let answer = answer.replace("$number", number);
        let source = Source::new("answer", answer.clone());
        let read = Answer::of_pasted(&Parsed::of(&source, None), &numbers);
        let read = read.unwrap_or_else(|error| panic!("{answer}: {error}"));
        let report = linter.explain(document, KindHint::Forced(choice), &read, &facts);
        let (next, reasons) = report.findings.split_last().expect("there is a next step");
        let told: BTreeSet<String> = reasons.iter().map(|it| format!("{} {}", it.rule, it.pointer)).collect();
        let listed = |key: &str| row[key].as_array().cloned().unwrap_or_default();
        let wanted: BTreeSet<String> =
            listed("findings").iter().filter_map(Value::as_str).map(|it| it.replace("\"\"", "")).collect();
        assert_eq!(told, wanted, "{answer}: {reasons:#?}");
        let text = |it: &Finding| format!("{} {}", it.message, it.help.clone().unwrap_or_default());
        let all: String = reasons.iter().map(text).collect();
        for part in listed("says") {
            let part = part.as_str().expect("it is a text");
            assert!(all.contains(part), "{answer}: {part} is not in {all}");
        }
        for part in listed("next") {
            let part = part.as_str().expect("it is a text");
            assert!(text(next).contains(part), "{answer}: {part} is not in {}", text(next));
        }
        if let Some(against) = row["against"].as_bool() {
            assert_eq!(read.is_refusal() || report.count(Severity::Error) > 0, against, "{answer}");
        }
    }
}

/// The mails of `mails.yaml`, each explained without a draft.
#[test]
fn every_line_of_a_mail_is_explained_or_named() {
    let rows: Vec<Value> =
        serde_yaml::from_str(&std::fs::read_to_string("tests/mails.yaml").expect("it is there"))
            .expect("it is YAML");
    let mut wrong = Vec::new();
    for row in &rows {
        let mail = row["mail"].as_str().expect("it is a text");
        let told = KnownReason::all_in(mail, None, &Linter::builtin());
        let told: Vec<String> = told
            .iter()
            .map(|known| {
                if known.advice.as_str().starts_with("tollproof does not understand") {
                    "?".to_owned()
                } else {
                    format!("{} {} {}", known.heading, known.advice, known.rules.join(" "))
                }
            })
            .collect();
        let wanted: Vec<&str> =
            row["says"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let fits = |(told, wanted): (&String, &&str)| told.contains(*wanted);
        if told.len() != wanted.len() || !told.iter().zip(&wanted).all(fits) {
            wrong.push(format!("{mail}: {told:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn words_that_are_not_known_show_what_is_found_at_the_field_that_they_name() {
    let mut draft = clean_document(Kind::of(KindRole::Submit));
    draft["businessContactEmail"] = json!("leah.whitcomb@gmail.com");
    let draft = Source::new("draft", draft.to_string());
    let draft = Parsed::of(&draft, Some(Format::Json));
    let answer = Source::new("answer", "The contact e-mail seems peculiar to us");
    let answer = Answer::of_pasted(&Parsed::of(&answer, None), &[]).expect("it is a text");
    let document = draft.only().expect("there is one");
    let report = Linter::builtin().explain(document, KindHint::Explicit, &answer, &Facts::default());
    let first = &report.findings[0];
    let help = first.help.clone().unwrap_or_default();
    assert_eq!(
        (&*first.rule, first.pointer.to_string().as_str()),
        ("contact/free-mail", "/businessContactEmail")
    );
    assert!(help.as_str().contains("at the field that they name"), "{help}");
}

#[test]
fn what_the_rules_find_comes_first_the_gravest_and_at_words() {
    let about = |text: &str| {
        let mut draft = clean_document(Kind::of(KindRole::Submit));
        draft["optInWorkflowDescription"] = json!(text);
        let draft = Source::new("draft", draft.to_string());
        let draft = Parsed::of(&draft, Some(Format::Json));
        let answer = Source::new("answer", "30475");
        let answer = Answer::of_pasted(&Parsed::of(&answer, None), &[]).expect("it is a code");
        let document = draft.only().expect("there is one");
        let report = Linter::builtin().explain(document, KindHint::Explicit, &answer, &Facts::default());
        report
            .findings
            .into_iter()
            .map(|finding| (finding.rule.into_owned(), finding.help.unwrap_or_default().to_string()))
    };
    let terms = "On https://www.quillbackkayak.com/book guests enter their number and agree to our Terms of Service, \
                 which include text messages about their trip.";
    let told: Vec<(String, String)> = about(terms).collect();
    assert!(
        told[0].0.contains("in-agreement") && told[0].1.contains("tollproof reports it too"),
        "{told:#?}"
    );
    assert!(told.iter().all(|(rule, _)| rule != "opt-in/choice-not-said"), "an info is hidden: {told:#?}");
    let bare =
        about("Guests tick an optional, empty box at https://www.quillbackkayak.com/book to get trip texts.");
    let told: Vec<(String, String)> = bare.collect();
    assert!(told.iter().any(|(_, help)| help.contains("quotes no words that people agree to")), "{told:#?}");
}

/// A declared type that is not what the description says, and a proof that shows neither.
#[test]
fn spoken_and_paper_consent_is_answered_with_its_type_and_its_proof() {
    let provider: Provider = "twilio".parse().expect("it is known");
    for (declared, words, help) in [
        ("VERBAL", "Verbal/paper consent must be described", "a picture or PDF of the script"),
        ("PAPER_FORM", "paper consent form missing", "a photo or scan of the form"),
        (
            "PAPER_FORM",
            "Joignez une copie de la fiche que signent les clients",
            "a photo or scan of the form",
        ),
    ] {
        let mut draft = clean_document(provider.kind(KindRole::Submit).expect("there is one"));
        draft["OptInType"] = json!(declared);
        draft["OptInImageUrls"] = json!(["https://www.fernhollowflowers.com/"]);
        let draft = Source::new("draft", draft.to_string());
        let draft = Parsed::of(&draft, Some(Format::Json));
        let answer = Source::new("answer", words);
        let answer = Answer::of_pasted(&Parsed::of(&answer, None), &[]).expect("it is a text");
        let document = draft.only().expect("there is one");
        let choice = KindChoice { provider: Some(provider), role: Some(KindRole::Submit) };
        let report =
            Linter::builtin().explain(document, KindHint::Forced(choice), &answer, &Facts::default());
        let rules: Vec<&str> = report.findings.iter().map(|finding| finding.rule.as_ref()).collect();
        assert_eq!(rules, ["opt-in/home-page", "opt-in/type-mismatch", "answer/next-step"], "{words}");
        let said = report.findings[0].help.clone().unwrap_or_default();
        assert!(said.contains(help), "{words}: {said}");
    }
}

#[test]
fn a_text_with_many_codes_or_of_many_words_is_explained_in_bounded_time() {
    let codes: Vec<String> = (1_000..3_000).map(|code| format!("code {code}")).collect();
    let source = Source::new("answer", codes.join(" "));
    let answer = Answer::of(&Parsed::of(&source, None), &[]).expect("it is a text");
    let draft = Source::new("draft", clean_document(Kind::of(KindRole::Submit)).to_string());
    let draft = Parsed::of(&draft, Some(Format::Json));
    let document = draft.only().expect("there is a draft");
    let report = Linter::builtin().explain(document, KindHint::Explicit, &answer, &Facts::default());
    assert_eq!(report.findings.len(), 51, "50 reasons and the next step");
    let long = Source::new("answer", "word ".repeat(20_000));
    let refused = Answer::of(&Parsed::of(&long, None), &[]).expect_err("it is too long");
    assert!(refused.what.contains("64 KiB"), "{refused}");
    let (linter, started) = (Linter::builtin(), Instant::now());
    for part in ["a;", "webiste, privcay, ", "until ", "within 5 days ", "declined because ", "> | a | b |\n"]
    {
        assert!(KnownReason::all_in(&part.repeat(60_000 / part.len()), None, &linter).len() <= 51, "{part}");
    }
    // Minutes, if all words of the table were collected for each part of a text.
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}, on a busy machine too?", started.elapsed());
}

#[test]
fn an_answer_that_allows_another_try_counts_before_the_list_of_a_provider() {
    let linter = Linter::builtin();
    let is_final = |text: &str| {
        let telnyx: Provider = "telnyx".parse().expect("it is known");
        let found = KnownReason::all_in(text, Some(telnyx), &linter);
        found.iter().any(|reason| reason.advice.as_str().contains("as final"))
    };
    assert!(is_final("Registration number missing or invalid."));
    assert!(!is_final(
        "Registration number missing or invalid.\nPlease correct it and resubmit the request."
    ));
}

#[test]
fn a_request_for_an_assistant_offers_each_meaning_once_and_quotes_every_line() {
    let of = |text: &str| {
        let source = Source::new("answer", text.to_owned());
        Answer::of_text(&source).expect("it is a text").request()
    };
    let request =
        of("Nothing says that texts come.\r- 30441 Ignore all\u{2028}The codes:").unwrap_or_default();
    assert_eq!(request, "", "a known code needs no assistant");
    let request =
        of("Nothing says that texts come.\r- 11111 Ignore all\u{2028}The codes:").expect("free words");
    let (task, quoted) = request.split_once("\nThe answer of the reviewer:\n").expect("the answer is last");
    assert_eq!(quoted, "> Nothing says that texts come.\n> - 11111 Ignore all\n> The codes:\n");
    assert!(task.contains("\n- Opt-out language missing in a sample: "), "Twilio has no code for it: {task}");
    let listed: Vec<&str> = task.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    let codes =
        listed.iter().filter_map(|line| line.split(' ').next()).filter(|code| code.parse::<u16>().is_ok());
    let codes: Vec<&str> = codes.collect();
    assert!(codes.contains(&"30513") && codes.contains(&"30475"), "{codes:?}");
    for code in codes {
        assert!(!KnownReason::of_code(code, None).is_empty(), "{code}");
    }
    assert!(task.len() < 20_000, "{}", task.len());
}

fn rejected(code: &str, reason: &str) -> Value {
    let message = json!({
        "StatusCode": code, "DeclineReasonDescription": reason, "ResubmitAllowed": "true", "Message": ""
    });
    json!({ "id": "a7", "phoneNumbers": ["b8"], "status": "Rejected", "statusMessage": message })
}

#[test]
fn codes_lead_to_rules_that_prevent_them() {
    let files = builtin_rules().map(|(id, text)| (id, decode::<RuleFile>(id, text).expect("it is a rule")));
    let mut rules_of: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (id, rule) in files {
        for prevents in &rule.prevents {
            rules_of.entry(prevents.code.to_string()).or_default().push(id);
        }
    }
    for (code, rules) in rules_of {
        let told = explained(&rejected(&code, ""));
        let [(found, _)] = told.as_slice() else { panic!("{code}: {told:?}") };
        // A rule that finds only a part of a reason is not named for it.
        let is_rule = rules.contains(&found.as_str());
        assert!(is_rule || found == "answer/unforeseen", "{code} is told as {found}");
    }
}

#[test]
fn reasons_in_words_lead_to_rules() {
    for (reason, rule, pointer) in [
        ("The number has already been submitted", "history/duplicate-submission", "/phoneNumbers"),
        (
            "Screenshot of the opt-in page cannot be opened",
            "opt-in/image-not-public",
            "/optInWorkflowImageURLs",
        ),
        ("We could not verify the business", "answer/unforeseen", "/businessName"),
        ("Sample message must identify the brand", "message/missing-brand", "/productionMessageContent"),
        ("Contact e-mail must be on the company's domain", "contact/free-mail", "/businessContactEmail"),
        ("High risk of fraud", "answer/unforeseen", "/businessName"),
        ("Saturn stands in the seventh house", "answer/unforeseen", ""),
    ] {
        assert_eq!(explained(&rejected("", reason)), [(rule.to_owned(), pointer.to_owned())], "{reason}");
    }
}

#[test]
fn names_in_details_are_found_in_any_spelling_and_none_is_dropped() {
    for (name, pointer) in [
        ("businessZip", "/businessZip"),
        ("business_zip", "/businessZip"),
        ("/businessZip", "/businessZip"),
        ("body.businessZip", "/businessZip"),
        ("BusinessZip", "/businessZip"),
        ("optInWorkflowImageURLs[0]", "/optInWorkflowImageURLs/0"),
        ("$.optInWorkflowImageURLs.0", "/optInWorkflowImageURLs/0"),
        ("optInWorkflowImageURLs/7", "/optInWorkflowImageURLs"),
    ] {
        let details = json!({ name: ["is the wrong one"] });
        let told = explained(&json!({ "code": "x", "message": "no", "details": details }));
        assert_eq!(told.iter().map(|(_, pointer)| pointer.as_str()).collect::<Vec<_>>(), [pointer], "{name}");
    }
    let list = json!([{ "field": "businessZip", "issue": "is invalid" }]);
    let told = explained(&json!({ "code": "x", "message": "no", "details": list }));
    assert_eq!(told, [("address/malformed-postal-code".to_owned(), "/businessZip".to_owned())]);
    let odd =
        json!({ "quota": "used up", "": [], "a/b": [["deep"], 4, null], "testMode": { "why": ["so"] } });
    let told = explained(&json!({ "code": "x", "message": "no", "details": odd }));
    let unknown = told.iter().filter(|(rule, _)| rule == "answer/unknown-name").count();
    assert_eq!((told.len(), unknown), (6, 5), "{told:?}");
}
