//! Tests of users' vocabularies: groups for rules of their own, terms for built-in groups, and each kind of mistake.

use serde_json::{Value, json};

use crate::support::Folder;

const RULE: &str = "\
title: Recalls are called appointments
severity: warning
at: useCaseSummary
check: CHECK
message: the text says `{match}`
help: Write appointment.
docs: We call them appointments.
examples:
  pass: [{ useCaseSummary: We text patients about appointments that they have booked with our clinic. }]
  fail: [{ useCaseSummary: We text patients when their next checkup is due at our clinic in Portland. }]
";

const GROUPS: &str = "\
patient: { means: people who are treated, en: [patient*], fr: [patient*] }
recall: { means: a visit that is due again, en: [recall, checkup], fr: [rappel] }
";

/// A folder with a draft, a rule with this check and a vocabulary.
fn folder(name: &str, check: &str, vocabulary: &str) -> Folder {
    let draft = json!({ "useCaseSummary": "We text patients when their next checkup is due at our clinic." });
    Folder::new(name)
        .file("a.json", draft.to_string())
        .file("mine/house/recall.yaml", RULE.replace("CHECK", check))
        .file("mine/vocabulary/clinic.yaml", vocabulary)
}

#[test]
fn rules_use_groups_of_the_same_folder() {
    for (name, check) in [
        ("frame", "{ frame: { any_of: [{ all: [patient, recall], in: sentence }] } }"),
        ("forbid", "{ forbid: { any_of: [<recall>] } }"),
        ("phrase", "{ forbid: { any_of: [<patient> ... <recall>] } }"),
    ] {
        let folder = folder(&format!("vocabulary-{name}"), check, GROUPS)
            .file("tollproof.yaml", "rule-dirs: [mine]\n");
        for args in [
            &["check", "a.json", "--no-config", "--rules", "mine", "--select", "house"][..],
            &["check", "a.json", "--select", "house"],
        ] {
            let ran = folder.run(args);
            assert!(ran.out.contains("house/recall") && ran.out.contains("checkup"), "{name}: {ran:?}");
        }
        let ran = folder.run(&["rules", "test", "mine"]);
        assert_eq!(ran.out, "1 rule, 2 examples: all as expected\n", "{name}: {ran:?}");
        let ran = folder.run(&["rule", "vocabulary/clinic", "--rules", "mine"]);
        assert!(ran.code == Some(2) && ran.err.contains("is not a rule or group"), "{ran:?}");
    }
}

#[test]
fn topics_and_compared_fields_use_them_too() {
    let topics = "{ topics: { any_of: [whitening], at_least: 4 } }";
    let whitening = "whitening:\n  means: bleached teeth\n  title: tooth whitening\n  strong: { en: [bleach*] }\n  weak: { en: [checkup] }\n";
    let folder = folder("vocabulary-topics", topics, whitening)
        .file("b.json", json!({ "useCaseSummary": "We bleach teeth after each checkup." }).to_string());
    for (file, is_reported) in [("a.json", false), ("b.json", true)] {
        let ran = folder.run(&["check", file, "--rules", "mine", "--select", "house"]);
        assert_eq!(ran.out.contains("house/recall"), is_reported, "{file}: {ran:?}");
    }
    let compare = "{ compare: { facts: [recall, patient], with: productionMessageContent } }";
    let folder = self::folder("vocabulary-compare", compare, GROUPS);
    for (sample, is_reported) in
        [("Your recall is due.", false), ("Dear patient, your order has shipped.", true)]
    {
        let draft = json!({ "useCaseSummary": "The checkup is due.", "productionMessageContent": sample });
        let ran = folder.pipe(&["check", "-", "--rules", "mine", "--select", "house"], &draft.to_string());
        assert_eq!(ran.out.contains("house/recall"), is_reported, "{sample}: {ran:?}");
    }
}

#[test]
fn a_group_that_exists_gets_more_terms() {
    let german = "english-words: { any: [wir, senden, den] }\nsms: { any: [termin] }\n";
    let folder = folder("vocabulary-more", "{ forbid: { any_of: [<sms>] } }", german);
    let language = |args: &[&str]| {
        let ran = folder.pipe(args, "Wir senden den Termin.");
        serde_json::from_str::<Value>(&ran.out).expect("it is JSON")[0]["language"].clone()
    };
    assert_eq!(language(&["text", "-", "--output-format", "json"]), Value::Null);
    assert_eq!(language(&["text", "-", "--output-format", "json", "--rules", "mine"]), "en");
    let draft = json!({ "useCaseSummary": "Termin" }).to_string();
    let ran = folder.pipe(&["check", "-", "--rules", "mine", "--select", "house"], &draft);
    assert!(ran.out.contains("the text says `Termin`"), "{ran:?}");
}

#[test]
fn groups_come_from_several_folders_in_any_order() {
    let folder =
        folder("vocabulary-several", "{ forbid: { any_of: [<recall>] } }", "recall: { en: [checkup] }\n")
            .file(
                "other/vocabulary/trade.yaml",
                "recall: { means: a visit that is due, en: [<due> visit] }\ndue: { means: due, en: [due] }\n",
            );
    let ran = folder.run(&["check", "a.json", "--rules", "mine", "--rules", "other", "--select", "house"]);
    assert!(ran.out.contains("the text says `checkup`"), "{ran:?}");
    let draft = json!({ "useCaseSummary": "The due visit." }).to_string();
    let ran =
        folder.pipe(&["check", "-", "--rules", "mine", "--rules", "other", "--select", "house"], &draft);
    assert!(ran.out.contains("the text says `due visit`"), "{ran:?}");
}

#[test]
fn each_mistake_is_told_at_its_place() {
    let topic = "whitening: { means: teeth, strong: { en: [bleach*] } }\n";
    for (vocabulary, place, message) in [
        (
            "patients: { means: a, en: [a b], srong: {} }",
            "1:34",
            "unknown key `srong`; did you mean `strong`?",
        ),
        ("patients: { means: a, en: 3 }", "1:27", "this must be a list, not the integer `3`"),
        ("patients: { en: [a b] }", "1:1", "unknown group `patients`"),
        (
            "english-word: { en: [dental] }",
            "1:1",
            "unknown group `english-word`; did you mean `english-words`?",
        ),
        (
            "english-words: { means: a, en: [dental] }",
            "1:25",
            "the group `english-words` exists already; remove `means`",
        ),
        ("english-words: { excuses: true, en: [dental] }", "1:27", "remove `excuses` to add terms to it"),
        ("number: { en: [dental] }", "1:1", "tollproof finds `number` by itself; it has no terms"),
        ("My Patients: { means: a, en: [dental] }", "1:1", "`My Patients` is not the name of a group"),
        ("patients: { means: a }", "1:1", "the group `patients` has no terms"),
        ("patients:\n  means: a\n  en: [dental, te*]", "3:16", "at least 3 letters before `*`"),
        (
            "patients:\n  means: a\n  fr: [dental, <recal> x]\nrecall: { means: b, en: [c d] }",
            "3:16",
            "unknown group `recal`; did you mean `recall`?",
        ),
        ("patients: { means: a, en: [dental, \"\"] }", "1:36", "this phrase is empty"),
        ("patients: { means: a, en: [\"@free-mail\"] }", "1:28", "a term cannot be a list"),
        (
            "patients: { means: a, en: [check up, check-up] }",
            "1:38",
            "`check-up` is in this group already, as `check up`",
        ),
        (
            "patients: { means: a, en: [dental], weak: { en: [clinic] } }",
            "1:27",
            "`patients` is a topic; write its terms under `strong`",
        ),
        (
            "english-words: { strong: { en: [dental] } }",
            "1:32",
            "`english-words` is not a topic; write its terms under `en`",
        ),
        ("patients: { means: a, en: [x y] }\npatients: { means: b, en: [z] }", "2:1", "patients"),
        (RULE, "1:1", "this is a rule, but the files in `vocabulary/` contain groups of terms"),
        ("- a", "1:3", "this must be an object (`key: value` lines), not a list"),
        ("", "1:1", "this file contains no document"),
    ] {
        let vocabulary = vocabulary.replace("CHECK", "{ brand: {} }");
        let folder = folder("vocabulary-wrong", "{ brand: {} }", &vocabulary);
        for args in [
            &["check", "a.json", "--rules", "mine", "--output-format", "concise"][..],
            &["rules", "test", "mine"],
            &["text", "a.json", "--rules", "mine"],
        ] {
            let ran = folder.run(args);
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{vocabulary}: {ran:?}");
            let said = ran.err.replace("\n  │ ", " ");
            assert!(said.contains(message), "{vocabulary}: {}", ran.err);
            assert!(
                said.contains(place) && said.contains("vocabulary/clinic.yaml"),
                "{vocabulary}: {}",
                ran.err
            );
        }
    }
    // A group is defined once.
    let folder = folder("vocabulary-twice", "{ brand: {} }", topic)
        .file("mine/vocabulary/more.yaml", topic)
        .file("mine/vocabulary/plain.yaml", "whitening: { en: [white teeth] }\n");
    let ran = folder.run(&["check", "a.json", "--rules", "mine", "--output-format", "concise"]);
    let lines: Vec<&str> = ran.err.lines().collect();
    let [twice, plain] = lines[..] else { panic!("{ran:?}") };
    assert!(twice.starts_with("mine/vocabulary/more.yaml:1:21: error: `whitening` is defined in `mine/vocabulary/clinic.yaml` too"), "{twice}");
    assert!(plain.starts_with("mine/vocabulary/plain.yaml:1:18: error: `whitening` is a topic"), "{plain}");
}

#[test]
fn the_first_twenty_mistakes_are_told() {
    // Each mistake of these needs a search in all names.
    let name = |at: usize| format!("{}-{at:03}", "ab".repeat(28));
    let wrong: String = (0..600).map(|at| format!("{}: {{ en: [harbor] }}\n", name(at))).collect();
    let terms: Vec<String> = (0..10_000).map(|at| format!("<{}>", name(at + 100_000))).collect();
    let terms = format!("recall: {{ means: a visit, en: [{}] }}\n", terms.join(", "));
    let folder = folder("vocabulary-first", "{ brand: {} }", &terms)
        .file("mine/vocabulary/groups.yaml", format!("{}{wrong}", GROUPS.replace("recall:", "visit:")));
    let ran = folder.run(&["check", "a.json", "--rules", "mine", "--output-format", "concise"]);
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!((ran.code, ran.out.as_str(), lines.len()), (Some(2), "", 20), "{ran:?}");
    for (line, at) in lines.iter().zip(100_000..) {
        assert!(line.starts_with("mine/vocabulary/clinic.yaml:1:"), "{line}");
        assert!(line.contains(&format!("unknown group `{}`", name(at))), "{line}");
    }
}

#[test]
fn terms_that_all_match_are_limited() {
    // Every second word has a term of each group, and so has the name of the business.
    let groups: String = (0..600).map(|at| format!("g{at}: {{ means: a test, en: [ab] }}\n")).collect();
    let draft = json!({ "businessName": "Ab Cd", "useCaseSummary": "Ab Cd ".repeat(5_000) });
    let check = "{ frame: { any_of: [{ all: [g1, g2] }] } }";
    let folder = folder("vocabulary-many", check, &groups).file("a.json", draft.to_string());
    let ran = folder.run(&["check", "a.json", "--no-config", "--rules", "mine", "--select", "house,input"]);
    assert!(ran.code == Some(1) && ran.out.contains("this text contains too many phrases"), "{ran:?}");
}

#[test]
fn the_text_of_a_draft_steers_no_terminal() {
    let folder = Folder::new("text-terminal");
    let text = "Reply\u{1b}[31m STOP\u{9b}2J \u{202e}now.\n::error::a\nsee ##[error]b";
    for args in
        [&["text", "-"][..], &["--color", "always", "text", "-"], &["text", "-", "--output-format", "json"]]
    {
        let ran = folder.pipe(args, text);
        let is_safe = |out: &str| {
            let own = ["\u{1b}[1m", "\u{1b}[0m", "\u{1b}[33;1m", "\u{1b}[33m"];
            let out = own.iter().fold(out.to_owned(), |out, code| out.replace(code, ""));
            !out.contains(['\u{1b}', '\u{9b}', '\u{202e}']) && !out.contains("##[") && !out.contains("\n::")
        };
        assert!(ran.code == Some(0) && is_safe(&ran.out), "{ran:?}");
    }
}
