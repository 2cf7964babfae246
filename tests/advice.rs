//! Tests of help: its suggestions pass all rules, fit the case, and name what the user probably meant.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use tollproof_core::examples::Scene;
use tollproof_core::{
    Facts, Format, Kind, KindHint, KindRole, Linter, NumberKey, Parsed, Provider, RuleFile, Source,
    builtin_rules, clean_document, decode,
};

use crate::deepest::found;
use crate::support::Folder;

fn rules() -> impl Iterator<Item = (&'static str, RuleFile)> {
    builtin_rules()
        .map(|(id, text)| (id, decode::<RuleFile>(id, text).expect("the built-in rules are right")))
}

/// The strings in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Whether a string has the form of an EIN.
fn is_ein(text: &str) -> bool {
    let (first, rest) = text.split_once('-').unwrap_or_default();
    first.len() == 2 && rest.len() == 7 && (first.to_owned() + rest).bytes().all(|it| it.is_ascii_digit())
}

/// The fields in which a value can be checked, each with the whole value of the field.
fn places(value: &str) -> Vec<(Kind, &'static str, Value)> {
    let digits = value.strip_prefix('+').unwrap_or_default();
    let is_number = digits.len() >= 8 && digits.bytes().all(|it| it.is_ascii_digit());
    let toll_free = ["1800", "1833", "1844", "1855", "1866", "1877", "1888"];
    let is_toll_free = toll_free.iter().any(|it| digits.starts_with(it));
    match value {
        _ if is_number && is_toll_free => {
            vec![(Kind::of(KindRole::Purchase), "numbers", json!([{"number": value, "country": "US"}]))]
        }
        _ if is_number => vec![(Kind::of(KindRole::Submit), "businessContactPhone", json!(value))],
        _ if is_ein(value) => {
            let text = format!("EIN {value}. Mobile numbers are not shared with third parties.");
            vec![(Kind::of(KindRole::Submit), "additionalInformation", json!(text))]
        }
        _ if NumberKey::of(value).is_exact() && value.len() == 36 => {
            vec![(Kind::of(KindRole::Submit), "phoneNumbers", json!([value]))]
        }
        _ if value.starts_with("https://") && value.len() > 12 => {
            vec![(Kind::of(KindRole::Submit), "corporateWebsite", json!(value))]
        }
        _ if value.split_once('@').is_some_and(|(local, host)| {
            !local.is_empty() && host.contains('.') && host.ends_with(char::is_alphabetic)
        }) =>
        {
            vec![(Kind::of(KindRole::Submit), "businessContactEmail", json!(value))]
        }
        _ => Vec::new(),
    }
}

/// The rules that report a value in an otherwise clean document.
fn refusing(linter: &Linter, (kind, field, value): (Kind, &'static str, Value)) -> Vec<String> {
    let mut document = clean_document(kind);
    document.as_object_mut().expect("it is an object").insert(field.to_owned(), value);
    let text = document.to_string();
    let source = Source::new("draft", text.as_str());
    let parsed = Parsed::of(&source, Some(Format::Json));
    let found = linter.check(&parsed, KindHint::Forced(kind.into()), &Facts::default()).findings;
    let at_field = found.iter().filter(|finding| finding.pointer.split('/').nth(1) == Some(field));
    // A website or address of another business is correct in that business's draft.
    let foreign = ["website/name-mismatch", "contact/email-domain-mismatch"];
    at_field
        .filter(|finding| !foreign.contains(&finding.rule.as_ref()))
        .map(|finding| finding.rule.to_string())
        .collect()
}

#[test]
fn no_rule_recommends_what_another_refuses() {
    let linter = Linter::builtin();
    let (mut checked, mut wrong) = (0, Vec::new());
    let mut look = |id: &str, text: &str| {
        for value in quoted(text) {
            for place in places(value) {
                let by = refusing(&linter, place);
                checked += 1;
                wrong.extend((!by.is_empty()).then(|| format!("{id} recommends {value}, refused by {by:?}")));
            }
        }
    };
    for (id, rule) in rules() {
        let help = rule.help_when.iter().map(|it| it.help.as_str());
        help.chain([rule.help.as_str(), &rule.docs, &rule.message]).for_each(|text| look(id, text));
        // Suggestions that checks generate.
        for example in &rule.examples.fail {
            let scene = Scene::of(&rule, example);
            let format = if scene.file_name() == "draft.yaml" { Format::Yaml } else { Format::Json };
            let kind = scene.kind().map_or(KindHint::Explicit, |kind| KindHint::Forced(kind.into()));
            let source = Source::from_bytes(scene.file_name(), scene.text.into_bytes());
            for finding in linter.check(&Parsed::of(&source, Some(format)), kind, &Facts::default()).findings
            {
                look(&finding.rule, finding.help.as_deref().unwrap_or_default());
            }
        }
    }
    assert!(checked > 5, "help names values: {checked}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_help_turns_a_rule_off() {
    for (id, rule) in rules() {
        let all = [rule.help.as_str(), &rule.docs, &rule.message];
        assert!(all.iter().all(|text| !text.contains("--ignore")), "{id} recommends `--ignore`");
    }
}

/// Help about unassigned prefixes and fictional numbers must not contain a number that a rule rejects.
#[test]
fn help_on_an_ein_names_no_number() {
    let wrong = ["EIN 12-3456789.", "Our FEIN: 01-44729.", "Tax ID 07-4472910."];
    let drafts: Vec<Value> = wrong.iter().map(|text| json!({"additionalInformation": text})).collect();
    for found in found("advice-ein", &drafts, &[]) {
        let it = found.iter().find(|it| it["rule"] == "business/ein-format").expect("it is reported");
        let help = it["help"].as_str().expect("it has help");
        let reason = it["message"].as_str().and_then(|it| it.split_once(": ")).expect("it has a reason").1;
        assert!(!help.contains(|it: char| it.is_ascii_digit()), "{help}");
        assert!(!reason.contains(|it: char| it.is_ascii_digit()), "{reason}");
    }
}

const SPOKEN: [&str; 5] = [
    "Verbal consent.",
    "We ask patients over the phone when they book if we may text them reminders, and the front desk notes the answer.",
    "When customers call, our staff ask whether they want texts; by calling us they agree to receive text messages from us.",
    "Callers are asked orally at the end of the call. Agreeing to our terms of service by phone includes consent to text messages.",
    "Our agents ask each caller on the phone for their number and opt them in to marketing texts, order updates, emails and calls automatically.",
];

#[test]
fn spoken_consent_gets_no_advice_about_boxes() {
    let drafts: Vec<Value> = SPOKEN.iter().map(|text| json!({"optInWorkflowDescription": text})).collect();
    for (text, found) in SPOKEN.iter().zip(found("advice-spoken", &drafts, &[])) {
        let help: Vec<&str> = found
            .iter()
            .filter(|it| it["pointer"] == "/optInWorkflowDescription")
            .filter_map(|it| it["help"].as_str())
            .collect();
        assert!(!help.is_empty(), "{text}");
        for help in help {
            let words = ["box", "tick", "check", "form ", "switch"];
            assert!(words.iter().all(|word| !help.contains(word)), "{text}\n{help}");
        }
    }
    for (id, rule) in rules() {
        let of_consent = rule.at.iter().any(|at| at == "optInWorkflowDescription");
        if of_consent && rule.help.contains("box") {
            assert!(!rule.help_when.is_empty(), "{id} has no help for spoken consent");
        }
    }
    let written = json!({"optInWorkflowDescription": "Guests enter their number on the form at https://www.quillbackkayak.com/book and tick a box to get trip reminders by text."});
    let found = found("advice-written", &[written], &[]);
    let about_box = |finding: &Value| finding["help"].as_str().is_some_and(|help| help.contains("box"));
    assert!(found[0].iter().any(about_box), "a form keeps its advice");
}

#[test]
fn use_cases_are_known_by_their_meaning() {
    let meant = [
        ("Appointment Reminders", "Appointments"),
        ("Marketing", "General Marketing"),
        ("Healthcare", "Healthcare Services"),
        ("Real Estate", "Real Estate Services"),
        ("Order status", "Order Notifications"),
        ("OTP", "2FA"),
        ("TWO_FACTOR_AUTHENTICATION", "2FA"),
        ("ACCOUNT_NOTIFICATIONS", "App Notifications"),
        ("DELIVERY_NOTIFICATION", "Courier Services & Deliveries"),
        ("higher_education", "General School Updates"),
        ("Marketing, OTP", "Mixed"),
        ("Apointments", "Appointments"),
        ("Fraud Alrets", "Fraud Alerts"),
    ];
    let drafts: Vec<Value> = meant.iter().map(|(text, _)| json!({"useCase": text})).collect();
    for ((text, meant), found) in meant.iter().zip(found("advice-use-case", &drafts, &[])) {
        let it = found.iter().find(|it| it["pointer"] == "/useCase").expect("it is reported");
        let help = it["help"].as_str().expect("it has help");
        assert!(help.contains(&format!("Did you mean `{meant}`?")), "{text}: {help}");
        assert_ne!(it["fix"]["safety"], "safe", "{text}: it changes what is said");
    }
    let none = found("advice-no-use-case", &[json!({"useCase": "Moonwalks"})], &[]);
    assert!(!none[0][0]["help"].to_string().contains("Did you mean"), "{none:?}");
}

#[test]
fn volumes_are_shown_and_known_by_their_meaning() {
    let drafts = [
        json!({"messageVolume": "TEN_THOUSAND"}),
        json!({"messageVolume": "many"}),
        json!({"messageVolume": true}),
    ];
    let found = found("advice-volume", &drafts, &[]);
    let help = |at: usize| found[at][0]["help"].as_str().expect("it has help").to_owned();
    assert!(help(0).contains("Did you mean `10,000`?"), "{}", help(0));
    assert!(!help(0).contains("`750,000`"), "the suggestion is sure: {}", help(0));
    for at in 1..3 {
        assert!(help(at).contains("`750,000`"), "the list is short: {}", help(at));
    }
}

#[test]
fn fields_of_other_providers_are_known_by_their_meaning() {
    let cases = [
        ("businessWebsite", json!("https://www.quillbackkayak.com"), "corporateWebsite", true),
        ("BusinessWebsite", json!("https://www.quillbackkayak.com"), "corporateWebsite", true),
        ("optInWorkflow", json!("Guests say so."), "optInWorkflowDescription", true),
        ("productionMessageSample", json!("Quillback: hi."), "productionMessageContent", true),
        (
            "opt_in_image_urls",
            json!(["https://www.quillbackkayak.com/a.png"]),
            "optInWorkflowImageURLs",
            true,
        ),
        ("TollfreePhoneNumberSid", json!("PN0"), "phoneNumbers", false),
        ("bussinessName", json!("Quillback"), "businessName", true),
    ];
    let mut lines = String::new();
    for (name, value, meant, _) in &cases {
        let mut draft = clean_document(Kind::of(KindRole::Submit));
        let fields: &mut Map<String, Value> = draft.as_object_mut().expect("it is an object");
        fields.remove(*meant);
        fields.insert((*name).to_owned(), value.clone());
        lines += &format!("{draft}\n");
    }
    let folder = Folder::new("advice-fields").file("drafts.ndjson", lines);
    let ran = folder.run(&["check", "--output-format", "json", "drafts.ndjson"]);
    let report: Value = serde_json::from_str(&ran.out).expect("the report is JSON");
    for (document, (name, _, meant, fixable)) in cases.iter().enumerate() {
        let is_it = |it: &&Value| it["document"] == document && it["rule"] == "structure/unknown-field";
        let it = report["findings"].as_array().expect("a list").iter().find(is_it).expect("it is reported");
        assert!(
            it["help"].to_string().contains(&format!("Did you mean `{meant}`?")),
            "{name}: {}",
            it["help"]
        );
        assert_eq!(!it["fix"].is_null(), *fixable, "{name}: a fix changes no type");
    }
    let taken = found("advice-taken", &[json!({"businessWebsite": "https://www.quillbackkayak.com"})], &[]);
    assert!(!taken[0][0]["help"].to_string().contains("Did you mean"), "`corporateWebsite` is there already");
    let noted =
        found("advice-noted", &[json!({"privacyPolicyUrl": "https://www.quillbackkayak.com/privacy"})], &[]);
    assert!(
        noted[0][0]["help"].to_string().contains("Write its content in `additionalInformation`"),
        "{noted:?}"
    );
    let order = r#"{"numbers": [{"number": "+18334726150", "country": "US", "colour": "red"}]}"#;
    let ran = Folder::new("advice-few").pipe(&["check", "--output-format", "json", "-"], order);
    assert!(ran.out.contains("The fields of this object are `number` and `country`."), "{}", ran.out);
}

#[test]
fn statuses_are_known_by_their_meaning() {
    let of = |status: &str| {
        let mut record = clean_document(Kind::of(KindRole::Record));
        record["status"] = json!(status);
        let folder = Folder::new("advice-status").file("record.json", record.to_string());
        let ran = folder.run(&["check", "--min-severity", "info", "--output-format", "json", "record.json"]);
        serde_json::from_str::<Value>(&ran.out).expect("the report is JSON")["findings"].clone()
    };
    for (status, meant) in [
        ("TWILIO_APPROVED", "`Verified`"),
        ("Waiting For Customer", "`in review`"),
        ("PENDING_REVIEW", "`submitted`"),
        ("denied", "`Rejected`"),
        ("Rejectd", "`Rejected`"),
        ("Verified.", "`Verified`"),
        ("banana", ""),
        ("", ""),
    ] {
        let found = of(status);
        assert_eq!(found[0]["rule"], "record/unknown-status", "{status}: {found}");
        let help = found[0]["help"].as_str().expect("it has help");
        let start = if meant.is_empty() { String::new() } else { format!("Did you mean {meant}? ") };
        let all = "Bird's API names submitted, in review, Verified and Rejected";
        assert!(help.starts_with(&(start + all)), "{status}: {help}");
    }
    assert_eq!(of("IN_REVIEW"), json!([]));
    assert_eq!(of("")[0]["message"], "`status` is empty");
}

#[test]
fn a_link_is_not_a_way_to_opt_out_of_texts() {
    let link = "https://www.quillbackkayak.com/u/1";
    let sample = |end: &str| json!({"productionMessageContent": format!("Quillback Kayak Tours: your trip is on for Saturday. {end}")});
    let only_link = [
        format!("Unsubscribe: {link}"),
        format!("To unsubscribe, visit {link}."),
        format!("Unsubscribe here {link}"),
        format!("Opt out at {link}"),
        format!("To opt out click the link: {link}"),
        format!("{link} to opt out"),
        "Unsubscribe on our website.".to_owned(),
    ];
    let by_text = [
        format!("Details: {link} Reply STOP to opt out."),
        format!("Reply STOP or visit {link} to opt out."),
        format!("Click {link} to see it, reply STOP to unsubscribe."),
        format!("Unsubscribe: {link} or reply STOP"),
        format!("Reply UNSUBSCRIBE to opt out, see {link}"),
        format!("Terms: {link} Text END to opt out"),
    ];
    let drafts: Vec<Value> = only_link.iter().chain(&by_text).map(|end| sample(end)).collect();
    let found = found("advice-opt-out", &drafts, &[]);
    let fires = |found: &Vec<Value>| found.iter().any(|it| it["rule"] == "message/missing-opt-out");
    for (end, found) in only_link.iter().zip(&found) {
        assert!(fires(found), "{end}");
    }
    for (end, found) in by_text.iter().zip(&found[only_link.len()..]) {
        assert!(!fires(found), "{end}");
    }
}

/// All rule ids in help and docs exist.
#[test]
fn rules_that_help_names_exist() {
    let ids: BTreeSet<&str> = builtin_rules().map(|(id, _)| id).collect();
    for (id, rule) in rules() {
        for text in [&rule.help, &rule.docs] {
            for named in quoted(text).filter_map(|it| it.strip_prefix("tollproof rule ")) {
                assert!(ids.contains(named), "{id} names {named}");
            }
        }
    }
}

#[test]
fn another_name_goes_into_the_field_for_it_where_the_form_has_one() {
    let trade_name = "doingBusinessAs";
    for (provider, role) in [
        ("bird", "additionalInformation"),
        ("bandwidth", trade_name),
        ("telnyx", trade_name),
        ("twilio", trade_name),
    ] {
        let kind =
            Provider::named(provider).expect("it is built in").kind(KindRole::Submit).expect("it has drafts");
        let mut draft = clean_document(kind);
        let sample =
            draft.pointer_mut(&kind.pointer_of("productionMessageContent")).expect("it has a sample");
        *sample = json!("Your table is ready. Reply STOP to opt out.");
        let source = Source::from_bytes("draft", draft.to_string().into_bytes());
        let parsed = Parsed::of(&source, Some(Format::Json));
        let report = Linter::builtin().check(&parsed, KindHint::Forced(kind.into()), &Facts::default());
        let finding = report.findings.iter().find(|it| it.rule == "message/missing-brand").expect(provider);
        let help = finding.help.as_deref().unwrap_or_default();
        assert!(help.contains(&format!("`{}`", kind.field_name(role))), "{provider}: {help}");
    }
}
