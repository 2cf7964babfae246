//! Fixes `tollproof` offers as safe to apply unseen, byte by byte, and that it offers no others.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};
use tollproof_core::examples::Scene;
use tollproof_core::{
    Facts, Format, Kind, KindHint, KindRole, Linter, Parsed, Provider, RuleFile, Safety, Source,
    builtin_rules, decode,
};

use super::{template, yaml};
use crate::support::Folder;

/// A value that needs a safe fix: the rule that says so, and the value before and after.
struct Slip {
    rule: &'static str,
    kind: KindRole,
    pointer: &'static str,
    wrong: &'static str,
    right: &'static str,
}

const SLIPS: [Slip; 21] = {
    use KindRole::{Purchase, Record, Search, Submit};
    const fn slip(
        rule: &'static str,
        kind: KindRole,
        pointer: &'static str,
        wrong: &'static str,
        right: &'static str,
    ) -> Slip {
        Slip { rule, kind, pointer, wrong, right }
    }
    [
        // A closed list's value that differs in case, blanks or separators alone.
        slip("use-case/unknown-use-case", Submit, "/useCase", "APPOINTMENTS", "Appointments"),
        slip("use-case/unknown-use-case", Submit, "/useCase", "Auto-Repair_services", "Auto Repair Services"),
        slip("use-case/unknown-use-case", Submit, "/useCase", "Appointments ", "Appointments"),
        slip("use-case/unknown-message-volume", Submit, "/messageVolume", "1 000", "1,000"),
        slip("use-case/unknown-message-volume", Submit, "/messageVolume", "10000", "10,000"),
        slip("use-case/unknown-message-volume", Submit, "/messageVolume", "10.000.000+", "10,000,000+"),
        // E.164 of a number of the US or Canada.
        slip("contact/phone-not-e164", Submit, "/businessContactPhone", "(207) 772-4831", "+12077724831"),
        slip("contact/phone-not-e164", Submit, "/businessContactPhone", "2077724831", "+12077724831"),
        slip("number/malformed-e164", Purchase, "/numbers/0/number", "1-833-472-6150", "+18334726150"),
        // A country by another name.
        slip("address/unknown-country", Submit, "/businessCountry", "United States", "US"),
        slip("number/country-mismatch", Purchase, "/numbers/0/country", "Canada", "CA"),
        slip("number/country-mismatch", Purchase, "/numbers/0/country", "usa", "US"),
        slip("number/country-mismatch", Search, "/country", "CA", "Canada"),
        // Surrounding blanks.
        slip("content/outer-blanks", Submit, "/businessCity", " Portland", "Portland"),
        slip("number/bad-search-value", Search, "/type", "tollfree ", "tollfree"),
        slip(
            "structure/malformed-uuid",
            Submit,
            "/workspaceId",
            "b7d9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b ",
            "b7d9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b",
        ),
        slip(
            "structure/malformed-uuid",
            Submit,
            "/phoneNumbers/0",
            " f1f9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b",
            "f1f9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b",
        ),
        slip(
            "structure/malformed-timestamp",
            Record,
            "/updatedAt",
            " 2026-11-02T09:30:00.000Z",
            "2026-11-02T09:30:00.000Z",
        ),
        // A missing scheme.
        slip(
            "website/malformed-url",
            Submit,
            "/corporateWebsite",
            "quillbackkayak.com",
            "https://quillbackkayak.com",
        ),
        slip(
            "website/malformed-url",
            Submit,
            "/corporateWebsite",
            "www.quillbackkayak.com/",
            "https://www.quillbackkayak.com/",
        ),
        slip(
            "opt-in/malformed-url",
            Submit,
            "/optInWorkflowImageURLs/0",
            "www.quillbackkayak.com/opt-in.png",
            "https://www.quillbackkayak.com/opt-in.png",
        ),
    ]
};

/// The rules whose safe fixes the tests of this file apply.
fn covered() -> BTreeSet<&'static str> {
    let elsewhere = ["structure/wrong-type", "input/encoding"];
    SLIPS.iter().map(|slip| slip.rule).chain(elsewhere).collect()
}

/// One file: its text, what the text must become, and the finding that makes it so.
struct Case {
    file: String,
    before: String,
    after: String,
    rule: &'static str,
    pointer: &'static str,
}

/// Rules that find something in the texts of the drafts, whatever the fixes do: a history, and texts about another use
/// case than the one that a fix spells right.
const NOT_FIXED: &str = "history,message/other-topic,opt-in/other-topic,use-case/other-topic-in-summary,\
    message/code-outside-2fa,message/promotion-outside-marketing,use-case/marketing-in-summary";

/// The findings of a run over a folder, as the report for programs has them.
fn check(folder: &Folder, kind: Kind, fixing: &[&str]) -> Vec<Value> {
    let args = ["check", "--kind", kind.name(), "--ignore", NOT_FIXED, "--min-severity", "info"];
    let ran = folder.run(&[&args, fixing, &["--output-format", "json", "."]].concat());
    assert!(matches!(ran.code, Some(0 | 1)), "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).expect("the report is JSON");
    report["findings"].as_array().expect("findings are a list").clone()
}

/// A text with the edits of a fix applied.
fn apply(text: &str, fix: &Value) -> String {
    let mut fixed = text.to_owned();
    for edit in fix["edits"].as_array().expect("edits are a list").iter().rev() {
        let at = |key| usize::try_from(edit[key].as_u64().expect("an offset")).expect("it fits");
        fixed.replace_range(at("start")..at("end"), edit["text"].as_str().expect("a string"));
    }
    fixed
}

/// Checks all files, holds the fix of each against what it must be, fixes all of them, and reads what they became.
fn assert_fixed(name: &str, kind: Kind, cases: &[Case]) {
    if cases.is_empty() {
        return;
    }
    let mut folder = Folder::new(&format!("{name}-{kind}"));
    for case in cases {
        folder = folder.file(&case.file, &case.before);
    }
    let findings = check(&folder, kind, &[]);
    for Case { file, before, after, rule, pointer } in cases {
        let is_it = |finding: &&Value| {
            finding["file"] == *file
                && finding["rule"] == *rule
                && finding["pointer"] == *pointer
                && !finding["fix"].is_null()
        };
        let Some(finding) = findings.iter().find(is_it) else { panic!("{rule} fixes nothing in {before}") };
        assert_eq!(finding["fix"]["safety"], "safe", "{before}");
        assert_eq!(apply(before, &finding["fix"]), *after, "{rule} in {before}");
    }
    let left = check(&folder, kind, &["--fix"]);
    assert!(left.is_empty(), "{left:#?}");
    for Case { file, after, .. } in cases {
        assert_eq!(fs::read_to_string(folder.0.join(file)).expect("it is UTF-8"), *after, "{file}");
    }
    assert!(check(&folder, kind, &[]).is_empty(), "what --fix reports is what it left");
}

/// A text in YAML without quotes, where it is a text without them, else with them.
fn plain(text: &str) -> String {
    if text.starts_with('+') || text.contains(',') { format!("\"{text}\"") } else { text.to_owned() }
}

/// Notations of a value in YAML, and those after the fix.
fn notations(wrong: &str, right: &str) -> Vec<(String, String)> {
    let mut notations = vec![
        (format!("'{wrong}'  # so"), format!("'{right}'  # so")),
        (format!("&name \"{wrong}\""), format!("&name \"{right}\"")),
        (format!("|2\n{wrong}"), plain(right)),
        (format!(">-  # so\n{wrong}").replace(">-", ">2-"), format!("{}  # so", plain(right))),
        (format!("&name |2+\n\n{wrong}\n"), format!("&name {}\n", plain(right))),
    ];
    let is_number = wrong.bytes().all(|byte| byte.is_ascii_digit());
    if wrong.trim() == wrong && !is_number {
        // Commas and brackets keep their place where the value before had some.
        let unquoted = if right.contains(',') { format!("\"{right}\"") } else { plain(right) };
        notations.push((format!("{wrong}  # so"), format!("{unquoted}  # so")));
        notations.push((format!("\n{wrong}"), format!("\n{unquoted}")));
    }
    notations
}

#[test]
fn safe_fixes_of_yaml_move_no_other_byte() {
    for kind in Kind::all() {
        let mut cases = Vec::new();
        for (index, slip) in SLIPS.iter().enumerate().filter(|(_, slip)| slip.kind == kind.role()) {
            let Slip { rule, pointer, .. } = *slip;
            let template = template(kind, pointer);
            for (variant, (wrong, right)) in notations(slip.wrong, slip.right).into_iter().enumerate() {
                let (before, after) = (yaml(&template, 0, &wrong), yaml(&template, 0, &right));
                let case = |name, before, after| Case {
                    file: format!("{index}-{variant}-{name}.yaml"),
                    before,
                    after,
                    rule,
                    pointer,
                };
                let crlf = |text: &str| text.replace('\n', "\r\n");
                cases.push(case("crlf", crlf(&before), crlf(&after)));
                if wrong.starts_with('&') {
                    let twice = |text: &str| {
                        let first = format!("- {}\n", text.trim_end().replace('\n', "\n  "));
                        let alias = yaml(&template, 2, "*name");
                        format!("{first}- {}", alias.trim_start())
                    };
                    cases.push(case("alias", twice(&before), twice(&after)));
                }
                cases.push(case("lf", before, after));
            }
        }
        assert_fixed("safe-yaml", kind, &cases);
    }
}

#[test]
fn safe_fixes_of_json_move_no_other_byte() {
    for kind in Kind::all() {
        let mut cases = Vec::new();
        for (index, slip) in SLIPS.iter().enumerate().filter(|(_, slip)| slip.kind == kind.role()) {
            let Slip { rule, pointer, wrong, right, .. } = *slip;
            let pretty = serde_json::to_string_pretty(&template(kind, pointer)).expect("a value is JSON");
            let write = |text: &str| pretty.replacen("\"@\"", &format!("\"{text}\""), 1);
            let escaped: String =
                wrong.chars().map(|character| format!("\\u{:04X}", u32::from(character))).collect();
            for (variant, wrong) in [wrong, &escaped, &format!("{wrong}\\n")].into_iter().enumerate() {
                let file = format!("{index}-{variant}.json");
                cases.push(Case { file, before: write(wrong), after: write(right), rule, pointer });
            }
            let line = |text: &str| {
                let clean = tollproof_core::clean_document(kind);
                let mut slipped = clean.clone();
                *slipped.pointer_mut(pointer).expect("the field is there") = json!(text);
                format!("{clean}\r\n{slipped}\r\n{clean}\r\n")
            };
            let file = format!("{index}.ndjson");
            cases.push(Case { file, before: line(wrong), after: line(right), rule, pointer });
        }
        assert_fixed("safe-json", kind, &cases);
    }
}

#[test]
fn quotes_around_yaml_scalars_move_no_other_byte() {
    let case = |index: usize, pointer, wrong: &str, right: &str| {
        let template = template(Kind::of(KindRole::Submit), pointer);
        Case {
            file: format!("{index}.yaml"),
            before: yaml(&template, 0, wrong),
            after: yaml(&template, 0, right),
            rule: "structure/wrong-type",
            pointer,
        }
    };
    let written = [
        ("/businessZip", "04101", "\"04101\""),
        ("/businessZip", "04101  # so", "\"04101\"  # so"),
        ("/businessZip", "&zip\n04101", "&zip\n\"04101\""),
        ("/businessContactPhone", "+12077724831", "\"+12077724831\""),
        ("/messageVolume", "1000", "\"1,000\""),
        ("/messageVolume", "&volume 10", "&volume \"10\""),
    ];
    let cases =
        written.iter().enumerate().map(|(at, (pointer, wrong, right))| case(at, pointer, wrong, right));
    assert_fixed("safe-quotes", Kind::of(KindRole::Submit), &cases.collect::<Vec<_>>());
}

#[test]
fn a_byte_order_mark_goes_alone() {
    let kind = Kind::of(KindRole::Submit);
    let clean = tollproof_core::clean_document(kind);
    let texts =
        [("json", clean.to_string()), ("ndjson", format!("{clean}\n")), ("yaml", yaml(&clean, 0, ""))];
    let cases = texts.map(|(ending, after)| Case {
        file: format!("draft.{ending}"),
        before: format!("\u{feff}{after}"),
        after,
        rule: "input/encoding",
        pointer: "",
    });
    assert_fixed("safe-mark", kind, &cases);
}

/// Whatever else tollproof can fix has to be asked for, and no rule writes what people agreed to.
#[test]
fn other_fixes_are_unsafe_and_none_writes_prose() {
    // These fields say what people agreed to and what they are sent.
    let prose =
        ["optInWorkflowDescription", "productionMessageContent", "useCaseSummary", "additionalInformation"];
    let linter = Linter::builtin();
    let (mut safe, mut fixes) = (BTreeSet::new(), 0);
    for (id, text) in builtin_rules() {
        let rule = decode::<RuleFile>(id, text).expect("the built-in rules are right");
        for example in rule.examples.pass.iter().chain(&rule.examples.fail) {
            let scene = Scene::of(&rule, example);
            // `provider_files` applies those of other providers.
            if scene.kind().is_some_and(|kind| kind.provider() != Provider::default()) {
                continue;
            }
            let format = if scene.file_name() == "draft.yaml" { Format::Yaml } else { Format::Json };
            let kind = scene.kind().map_or(KindHint::Explicit, |kind| KindHint::Forced(kind.into()));
            let source = Source::from_bytes(scene.file_name(), scene.text.into_bytes());
            for finding in linter.check(&Parsed::of(&source, Some(format)), kind, &Facts::default()).findings
            {
                let Some(fix) = finding.fix else { continue };
                fixes += 1;
                if fix.safety == Safety::Safe {
                    safe.insert(finding.rule.to_string());
                }
                let is_prose = prose.iter().any(|field| finding.pointer.ends_with(field));
                // These two keep the words as they are: without blanks around them, and with quotes.
                let keeps_words = ["content/outer-blanks", "content/cut-by-comment"];
                assert!(!is_prose || keeps_words.contains(&&*finding.rule), "{} writes prose", finding.rule);
            }
        }
    }
    assert!(fixes > 30, "the examples show what can be fixed");
    let covered = covered();
    let others: Vec<_> = safe.iter().filter(|rule| !covered.contains(rule.as_str())).collect();
    assert!(others.is_empty(), "no test of this file applies the safe fixes of {others:?}");
}

/// The message where the same value is refused for the text around it.
#[test]
fn what_stands_around_a_value_is_named() {
    let kind = Kind::of(KindRole::Submit);
    let block = "Write `Appointments` on the line of its field: `|` and `>` add a line break.";
    let cases = [
        ("|\nAppointments", "the value `Appointments` ends in a line break", block),
        (">\nAppointments", "the value `Appointments` ends in a line break", block),
        (
            "\"Appointments\\n\"",
            "the value `Appointments` ends in a line break",
            "Write `Appointments` without the line break.",
        ),
        (
            "' Appointments '",
            "there are spaces around the value `Appointments`",
            "Write `Appointments` without the spaces.",
        ),
        (
            "|\nappointments",
            "`appointments` is not one of the 40 use cases",
            "Write `Appointments`, exactly like this.",
        ),
    ];
    let mut folder = Folder::new("around");
    for (index, (notation, ..)) in cases.iter().enumerate() {
        folder = folder.file(&format!("{index}.yaml"), yaml(&template(kind, "/useCase"), 0, notation));
    }
    let findings = check(&folder, kind, &[]);
    assert_eq!(findings.len(), cases.len());
    for (finding, (notation, message, help)) in findings.iter().zip(cases) {
        assert_eq!((&finding["message"], &finding["help"]), (&json!(message), &json!(help)), "{notation}");
    }
}
