//! Tests of facts about pages: what is used, what is said about their age, and what is never held against a draft.

use std::collections::BTreeSet;

use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};
use tollproof_core::examples::seen_fact;
use tollproof_core::seen::{
    AddressUse, BoxSeen, DomainSeen, FormSeen, PageSeen, PageSign, PictureSeen, SeenOutcome,
};
use tollproof_core::{
    Facts, Format, KindHint, Linter, Parsed, RuleFile, SeenFact, SeenFacts, Severity, Source, builtin_rules,
    clean_document, decode,
};

use crate::support::Folder;

const NOW: &str = "2026-11-20T09:00:00Z";
const DRAFT: &str = include_str!("../schemas/bird/samples/submit-request.json");

/// Clean draft's addresses.
const ADDRESSES: [(&str, AddressUse); 5] = [
    ("https://www.quillbackkayak.com/", AddressUse::Website),
    ("https://www.quillbackkayak.com/book", AddressUse::OptIn),
    ("https://www.quillbackkayak.com/images/booking-text-box.png", AddressUse::Picture),
    ("https://www.quillbackkayak.com/privacy", AddressUse::Privacy),
    ("quillbackkayak.com", AddressUse::Mail),
];

fn now() -> Timestamp {
    NOW.parse().expect("it is a time")
}

fn facts(seen: impl IntoIterator<Item = SeenFact>) -> Facts {
    Facts { seen: SeenFacts::new(seen), now: Some(now()), ..Facts::default() }
}

/// A line of a store.
fn line(address: &str, at: &str, more: Value) -> String {
    let mut fact = json!({ "address": address, "at": at, "version": 1, "outcome": "seen" });
    let members = fact.as_object_mut().expect("it is an object");
    members.extend(more.as_object().cloned().unwrap_or_default());
    format!("{fact}\n")
}

#[test]
fn the_facts_of_examples_are_facts() {
    let mut count = 0;
    for (id, text) in builtin_rules() {
        let rule = decode::<RuleFile>(id, text).expect("it is built in");
        for example in rule.examples.pass.iter().chain(&rule.examples.fail) {
            for fact in example.get("$seen").and_then(Value::as_array).into_iter().flatten() {
                let fact = seen_fact(fact, None).unwrap_or_else(|error| panic!("{id}: {error} in {fact}"));
                let spelled = SeenFacts::address_of(&fact.address)
                    .filter(|spelled| fact.address.contains("://") && *spelled == fact.address);
                assert!(
                    spelled.is_some() || !fact.address.contains("://"),
                    "{id}: {} is not how it is asked",
                    fact.address
                );
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn the_addresses_of_a_draft_are_known_by_their_use() {
    let source = Source::new("draft.json", DRAFT);
    let parsed = Parsed::of(&source, Some(Format::Json));
    let mut found = BTreeSet::new();
    Linter::builtin().addresses(&parsed, KindHint::Explicit, &Facts::default(), &mut |address, used, _| {
        found.insert((address.to_owned(), used));
    });
    let mut expected = ADDRESSES.map(|(address, used)| (address.to_owned(), used));
    expected.sort();
    assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
}

fn outcome() -> impl Strategy<Value = SeenOutcome> {
    use SeenOutcome::{
        Certificate, Gone, NoSuchName, NotChecked, NotFound, OtherStatus, Seen, ServerError, Unreachable,
    };
    proptest::sample::select(vec![
        Seen,
        Seen,
        Seen,
        NotFound,
        Gone,
        NoSuchName,
        ServerError,
        OtherStatus,
        Certificate,
        Unreachable,
        NotChecked,
    ])
}

fn text() -> impl Strategy<Value = String> {
    let words = [
        "Text me about my trip",
        "We may share your phone number with our partners for marketing",
        "STOP",
        "",
        "We never sell data",
        "Tideboard LLC",
        "Quillback",
        "\u{202e}\0",
        "e-mail",
        "Msg & data rates may apply",
    ];
    proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..4).prop_map(|it| it.join(". "))
}

fn page() -> impl Strategy<Value = PageSeen> {
    use PageSign::{ForSale, LogIn, Parked, Placeholder, UnderConstruction};
    let signs =
        proptest::sample::subsequence(vec![Parked, ForSale, Placeholder, UnderConstruction, LogIn], 0..2);
    let one_box = (text(), any::<bool>(), any::<bool>()).prop_map(|(label, ticked, required)| BoxSeen {
        label,
        ticked,
        required,
    });
    let form = (any::<bool>(), proptest::collection::vec(one_box, 0..3))
        .prop_map(|(has_phone, boxes)| FormSeen { has_phone, boxes, is_log_in: false });
    let links =
        proptest::sample::select(vec![None, Some("https://www.quillbackkayak.com/privacy".to_owned())]);
    let language = proptest::sample::select(vec!["", "en", "fr", "es", "de"]);
    (
        signs,
        proptest::collection::vec(form, 0..3),
        proptest::collection::vec(text(), 0..3),
        text(),
        text(),
        links,
        language,
        0..90_u32,
        any::<bool>(),
    )
        .prop_map(|(signs, forms, names, consent, sharing, privacy, language, words, rendered)| {
            PageSeen {
                signs,
                forms,
                names,
                consent,
                sharing,
                privacy,
                words,
                rendered,
                language: language.to_owned(),
                ..PageSeen::default()
            }
        })
}

fn seen() -> impl Strategy<Value = Vec<SeenFact>> {
    let read = proptest::option::of(text());
    let picture =
        (0..600_u32, any::<bool>(), any::<bool>(), read).prop_map(|(width, is_blank, decodes, text)| {
            PictureSeen {
                width,
                height: 250,
                is_blank,
                decodes,
                text,
                format: "png".to_owned(),
                unread: None,
            }
        });
    let one = (
        0..ADDRESSES.len(),
        outcome(),
        proptest::option::of(page()),
        proptest::option::of(picture),
        proptest::option::of((any::<bool>(), any::<bool>())),
        proptest::option::of(100..600_u16),
        -40..40_i64,
    );
    let one = one.prop_map(|(at, outcome, page, picture, domain, status, days)| SeenFact {
        outcome,
        page,
        picture,
        status,
        domain: domain.map(|(mx, a)| DomainSeen { mx, a }),
        at: now() - jiff::SignedDuration::from_hours(days * 24),
        ..SeenFact::new(ADDRESSES[at].0.to_owned(), now())
    });
    proptest::collection::vec(one, 0..6)
}

proptest! {
    /// Errors only come of answers that are certain, and of a box that is ticked in the HTML or the browser.
    #[test]
    fn only_what_is_certain_is_an_error(seen in seen()) {
        let facts = facts(seen);
        let linter = Linter::builtin();
        let report = linter.check_value(&clean_document(tollproof_core::Kind::of(tollproof_core::KindRole::Submit)), &facts);
        let ticked = |it: &SeenFact| {
            it.outcome == SeenOutcome::Seen
                && it.page.iter().flat_map(|page| &page.forms).flat_map(|form| &form.boxes).any(|it| it.ticked)
        };
        let known = |address: &str| facts.seen.page(address);
        let all: Vec<&SeenFact> = ADDRESSES.iter().filter_map(|(address, _)| known(address)).collect();
        let is_certain = all.iter().any(|fact| fact.outcome.is_certain() || ticked(fact));
        for finding in report.findings.iter().filter(|it| it.severity == Severity::Error) {
            prop_assert!(is_certain, "{}: {}", finding.rule, finding.message);
        }
        if all.iter().all(|it| it.outcome == SeenOutcome::NotChecked) {
            let found = report.findings.iter().filter(|it| it.rule != "website/old-facts");
            prop_assert_eq!(found.count(), 0);
        }
    }
}

#[test]
fn a_box_that_html_or_browser_ticks_is_an_error_that_says_which() {
    let a_box = |ticked: bool| json!({ "label": "Text me about my trip", "ticked": ticked });
    for (ticked, of_html, expected) in [
        (true, vec![], "is ticked when the page opens"),
        (true, vec![a_box(false)], "is ticked by a script when the page opens"),
        (false, vec![a_box(true)], "is ticked in the HTML of the page, before its scripts run"),
    ] {
        let forms = json!([{ "hasPhone": true, "boxes": [a_box(ticked)] }]);
        let page = json!({ "words": 300, "rendered": true, "forms": forms, "htmlBoxes": of_html });
        let fact = line(ADDRESSES[1].0, NOW, json!({ "page": page }));
        let facts = facts([serde_json::from_str(&fact).expect("it is a fact")]);
        let draft = clean_document(tollproof_core::Kind::of(tollproof_core::KindRole::Submit));
        let found = Linter::builtin().check_value(&draft, &facts).findings;
        let errors: Vec<_> = found.iter().filter(|it| it.severity == Severity::Error).collect();
        assert!(errors.len() == 1 && errors[0].message.contains(expected), "{expected}: {errors:?}");
    }
}

#[test]
fn what_could_not_be_seen_is_never_a_finding() {
    let boxes = vec![BoxSeen { label: "Text me".to_owned(), ticked: true, required: true }];
    let page = PageSeen {
        signs: vec![PageSign::Parked, PageSign::LogIn],
        names: vec!["Tideboard Inc.".to_owned()],
        forms: vec![FormSeen { boxes, ..FormSeen::default() }],
        consent: "Keep me updated.".to_owned(),
        sharing: "We may share your phone number with our marketing partners.".to_owned(),
        words: 500,
        ..PageSeen::default()
    };
    let seen = ADDRESSES.map(|(address, _)| SeenFact {
        outcome: SeenOutcome::NotChecked,
        status: Some(404),
        page: Some(page.clone()),
        picture: Some(PictureSeen::default()),
        domain: Some(DomainSeen::default()),
        ..SeenFact::new(address.to_owned(), now())
    });
    let facts = facts(seen);
    for kind in tollproof_core::Provider::all().iter().flat_map(|it| it.kinds()) {
        let with = Linter::builtin().check_value(&clean_document(kind), &facts);
        let facts = Facts { now: Some(now()), ..Facts::default() };
        let without = Linter::builtin().check_value(&clean_document(kind), &facts);
        assert_eq!(with.findings, without.findings, "{kind}");
    }
}

#[test]
fn check_says_what_was_seen_when_and_what_was_not() {
    let pages = [
        line("https://www.quillbackkayak.com/", "2026-11-17T09:00:00Z", json!({ "page": { "words": 4 } })),
        line("quillbackkayak.com", "2026-11-11T09:00:00Z", json!({ "domain": { "mx": true, "a": true } })),
        line(
            "https://www.quillbackkayak.com/book",
            NOW,
            json!({ "outcome": "not-checked", "why": "bot-wall" }),
        ),
        ">>>>>>> theirs\n".to_owned(),
    ];
    let folder =
        Folder::new("seen-check").file("draft.json", DRAFT).file(".tollproof/facts.ndjson", pages.concat());
    let ran = folder.run(&["check", ".", "--now", NOW]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out.contains("Pages seen 3 to 9 days ago (`tollproof look --again` renews them)."),
        "{}",
        ran.out
    );
    let said = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("https://www.quillbackkayak.com/book (bot wall)"), "{said}");
    assert!(said.contains("2 addresses not looked at: https://www.quillbackkayak.com/images/"), "{said}");
    assert!(!said.contains("whether URLs can be reached"), "{said}");
    assert_eq!(ran.err, "note: skipped facts of `.tollproof/facts.ndjson`: line 4 marks a merge conflict\n");
    let ran = folder.run(&["check", ".", "--now", NOW, "--redact", "--output-format", "json"]);
    let report: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let oldest = json!({ "used": 2, "oldest": "2026-11-11T09:00:00Z", "newest": "2026-11-17T09:00:00Z" });
    assert_eq!(report["summary"]["seen"], oldest);
    assert!(!ran.out.contains("quillback"), "addresses tell whose draft it is");
    // Another draft, and each address belongs to one.
    let folder =
        folder.file("second.json", DRAFT.replace("quillbackkayak.com/book", "quillbackkayak.com/join"));
    let ran = folder.run(&["check", ".", "--now", NOW, "--output-format", "json"]);
    let report: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let unseen = report["summary"]["unseen"].as_array().expect("it is a list");
    let of = |file: &str, path: &str, why: Value| {
        let address = format!("https://www.quillbackkayak.com/{path}");
        unseen.contains(&json!({ "address": address, "why": why, "file": file, "document": 0 }))
    };
    assert!(of("draft.json", "book", json!("bot-wall")), "{report}");
    assert!(of("second.json", "join", Value::Null), "{report}");
    assert!(!of("second.json", "book", json!("bot-wall")), "{report}");
    let said = report["notChecked"].to_string();
    assert!(said.contains("draft.json: https://www.quillbackkayak.com/book (bot wall)"), "{said}");
}

#[test]
fn settings_and_options_name_the_facts() {
    let gone =
        line("https://www.quillbackkayak.com/", "2026-11-11T09:00:00Z", json!({ "outcome": "not-found" }));
    let folder = Folder::new("seen-settings")
        .file("draft.json", DRAFT)
        .file("tollproof.yaml", "facts: kept/pages.ndjson\nfacts-max-age: 3\n")
        .file("kept/pages.ndjson", &gone)
        .file("none.ndjson", "");
    let rules = |args: &[&str]| {
        let ran = folder.run(
            &[&["check", "--now", NOW, "--min-severity", "info", "--output-format", "json"], args].concat(),
        );
        let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
        let findings = report["findings"].as_array().cloned().unwrap_or_default();
        findings
            .iter()
            .map(|finding| finding["rule"].as_str().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(rules(&["."]), ["website/old-facts", "website/not-found"], "the facts are not a draft");
    assert_eq!(rules(&["draft.json", "--facts", "none.ndjson"]), [""; 0]);
    assert_eq!(rules(&["draft.json", "--no-config"]), [""; 0]);
    assert_eq!(rules(&["draft.json", "--no-config", "--facts", "kept/pages.ndjson"]), ["website/not-found"]);
    let ran = folder.run(&["check", "draft.json", "--facts", "absent.ndjson"]);
    assert!(ran.code == Some(2) && ran.err.contains("cannot read the facts `absent.ndjson`"), "{ran:?}");
    let ran = folder.run(&["check", ".", "--output-format", "json=kept/pages.ndjson"]);
    assert!(ran.code == Some(2) && ran.err.contains("the facts about pages"), "{ran:?}");
    let gate =
        ["gate", "draft.json", "--history", "sqlite:past.db", "--now", NOW, "--output-format", "concise"];
    let ran = folder.run(&gate);
    assert!(ran.code == Some(1) && ran.err.contains("website/not-found"), "{ran:?}");
}

#[test]
fn ignores_of_rules_about_pages_are_used_only_where_pages_were_seen() {
    let ignore = "ignore:\n  - { rule: website/parked, reason: it is ours }\n";
    let page = line("https://www.quillbackkayak.com/", NOW, json!({ "page": { "words": 4 } }));
    let folder = Folder::new("seen-ignores").file("draft.json", DRAFT).file("tollproof.yaml", ignore);
    let args = ["check", ".", "--now", NOW, "--output-format", "concise"];
    let ran = folder.run(&args);
    assert!(!ran.out.contains("config/unused-ignore"), "{}", ran.out);
    let folder = folder.file(".tollproof/facts.ndjson", page);
    let ran = folder.run(&args);
    assert!(ran.out.contains("config/unused-ignore"), "{}", ran.out);
}

#[test]
fn what_is_neither_page_nor_picture_is_not_checked_by_its_address_and_kind() {
    let files = [
        ("https://www.quillbackkayak.com/", "application/pdf"),
        ("https://www.quillbackkayak.com/privacy", "application/zip"),
        ("https://www.quillbackkayak.com/images/booking-text-box.png", "image/svg+xml"),
    ];
    let lines = files.map(|(address, kind)| line(address, NOW, json!({ "contentType": kind, "bytes": 900 })));
    let folder =
        Folder::new("seen-files").file("draft.json", DRAFT).file(".tollproof/facts.ndjson", lines.concat());
    let ran = folder.run(&["check", ".", "--now", NOW, "--output-format", "json"]);
    let report: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let said = report["notChecked"].to_string();
    for (address, kind) in files {
        assert!(said.contains(&format!("{address} (a file of type {kind})")), "{said}");
    }
    assert_eq!(report["summary"]["seen"], Value::Null, "{report}");
}

#[test]
fn a_policy_is_known_by_the_words_before_its_address_or_its_title() {
    let shares = "We share your phone number with our marketing partners.";
    let policy = |title: &str| json!({ "page": { "title": title, "words": 600, "language": "en", "sharing": shares } });
    let judged = |text: &str, address: &str, page: Value| {
        let mut draft: Value = serde_json::from_str(DRAFT).expect("it is JSON");
        draft["additionalInformation"] = json!(text);
        let fact = serde_json::from_str(&line(address, NOW, page)).expect("it is a fact");
        let found = Linter::builtin().check_value(&draft, &facts([fact])).findings;
        found.iter().any(|finding| finding.rule == "disclosure/shares-numbers")
    };
    let (long, short) = ("https://www.quillbackkayak.com/p/shares", "https://qkt.co/x1");
    assert!(judged(&format!("Privacy policy: {long}"), long, policy("Quillback")));
    assert!(judged(&format!("Our privacy notice is at {short}."), short, policy("Quillback")));
    assert!(judged(&format!("Política de privacidad: {short}"), short, policy("Quillback")));
    assert!(judged(&format!("More: {long}"), long, policy("Privacy Policy | Quillback Kayak Tours")));
    assert!(!judged(&format!("More: {long}"), long, policy("Quillback Kayak Tours")));
    let only = |text: &str| {
        let mut draft: Value = serde_json::from_str(DRAFT).expect("it is JSON");
        draft["optInWorkflowDescription"] = json!(format!("Guests book at {long}{text}."));
        let fact = serde_json::from_str(&line(long, NOW, policy("Privacy policy"))).expect("it is a fact");
        let found = Linter::builtin().check_value(&draft, &facts([fact])).findings;
        found.into_iter().filter(|finding| finding.rule.contains("page-without-form")).count()
    };
    assert_eq!(only(""), 1, "a policy in place of the form");
    let mut form = policy("Privacy policy and booking");
    form["page"]["forms"] = json!([{ "hasPhone": true }]);
    assert!(!judged(&format!("Privacy policy and booking: {long}"), long, form), "people agree there");
}
