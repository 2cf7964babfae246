//! Tests that an opt-in that is described nowhere is never "nothing found", whoever takes the submission.

use serde_json::{Value, json};
use tollproof_core::{
    Facts, Finding, Format, Kind, KindHint, KindRole, Linter, Parsed, Provider, Severity, Source,
    clean_document,
};

use crate::support::Folder;

/// Providers without a field for the opt-in description, and the fields that say it there.
const WITHOUT_FIELD: [(&str, &str, &str); 2] = [
    ("twilio", "AdditionalInformation", "UseCaseSummary"),
    ("plivo", "additional_information", "usecase_summary"),
];

fn kind(provider: &str, role: KindRole) -> Kind {
    Provider::named(provider).ok().and_then(|it| it.kind(role)).expect("it is built in")
}

/// Findings at a field or at an object around it.
fn found_at(pointer: &str, kind: Kind, draft: &Value) -> Vec<Finding> {
    let source = Source::new("draft.json", draft.to_string());
    let parsed = Parsed::of(&source, Some(Format::Json));
    let found = Linter::builtin().check(&parsed, KindHint::Forced(kind.into()), &Facts::default()).findings;
    found
        .into_iter()
        .filter(|finding| !finding.pointer.is_empty() && pointer.starts_with(&*finding.pointer))
        .collect()
}

fn has_error(findings: &[Finding]) -> bool {
    findings.iter().any(|it| it.severity == Severity::Error)
}

#[test]
fn every_provider_needs_the_opt_in_described() {
    for provider in Provider::all() {
        let Some(kind) = provider.kind(KindRole::Submit) else { continue };
        let pointer = kind.pointer_of("optInWorkflowDescription");
        let mut draft = clean_document(kind);
        let field = pointer.trim_start_matches('/').split('/').next().expect("split has one part");
        if draft.get(field).is_none() {
            continue; // Nothing is known of its opt-in.
        }
        draft.as_object_mut().expect("it is an object").remove(field);
        draft[kind.field_name("useCaseSummary")] = json!("Juniper Stage texts order updates to customers.");
        assert!(has_error(&found_at(&pointer, kind, &draft)), "{}", provider.name());
    }
}

#[test]
fn other_texts_may_describe_the_opt_in_where_it_has_no_field() {
    for (provider, description, summary) in WITHOUT_FIELD {
        let kind = kind(provider, KindRole::Submit);
        let pointer = format!("/{description}");
        for (text, is_error) in [
            ("Juniper Stage texts order updates to customers.", true),
            ("Juniper Stage texts order updates to customers who tick a box.", true),
            ("Juniper Stage texts order updates to customers who agreed.", true),
            // Only what says all of it makes up for a description.
            (
                "Juniper Stage texts order updates to customers who agree with a box at https://www.juniperstage.org/shop.",
                false,
            ),
        ] {
            let mut draft = clean_document(kind);
            draft[summary] = json!(text);
            draft[description] = json!("");
            let empty = found_at(&pointer, kind, &draft);
            draft.as_object_mut().expect("it is an object").remove(description);
            let absent = found_at(&pointer, kind, &draft);
            assert_eq!(has_error(&absent), is_error, "{provider}: {text}");
            let words = |finding: &Finding| (finding.rule.to_string(), finding.message.to_string());
            assert_eq!(
                absent.iter().map(words).collect::<Vec<_>>(),
                empty.iter().map(words).collect::<Vec<_>>(),
                "{provider}: an empty text is none"
            );
        }
    }
}

#[test]
fn an_update_keeps_the_opt_in_that_it_does_not_contain() {
    for (provider, description, summary) in WITHOUT_FIELD {
        let kind = kind(provider, KindRole::Update);
        let mut draft = clean_document(kind);
        draft[summary] = json!("Juniper Stage texts order updates to customers.");
        draft.as_object_mut().expect("it is an object").remove(description);
        assert_eq!(found_at(&format!("/{description}"), kind, &draft).len(), 0, "{provider}");
    }
}

#[test]
fn a_text_that_is_only_short_is_said_to_be_too_short() {
    let kind = Kind::of(KindRole::Submit);
    let text = "Clients agree to texts by a box on our site.";
    let mut draft = clean_document(kind);
    draft["optInWorkflowDescription"] = json!(text);
    let found = found_at("/optInWorkflowDescription", kind, &draft);
    let message = found.iter().map(|it| it.message.to_string()).find(|it| it.contains("too short"));
    assert!(
        message.is_some_and(|message| message.contains(&format!("{} characters", text.len()))),
        "{found:#?}"
    );
}

#[test]
fn an_inquiry_is_completed_in_its_form() {
    let inquiry = json!({
        "TollfreePhoneNumber": "+18335550142",
        "NotificationEmail": "desk@larkspurdental.com",
        "ThemeSetId": "larkspur",
        "BusinessName": "Larkspur Dental",
    });
    let ran = Folder::new("opt-in-inquiry").file("a.json", inquiry.to_string()).run(&[
        "check",
        "a.json",
        "--no-config",
    ]);
    assert!(!ran.out.contains("opt-in/"), "{}", ran.out);
}
