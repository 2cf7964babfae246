//! Every fix that is offered takes its finding away and nothing else.

use serde_json::{Map, Value, json};
use tollproof_core::{
    Edit, Facts, Finding, Fixer, Format, Kind, KindHint, KindRole, Linter, Parsed, Safety, Severity, Source,
    clean_document,
};

use super::{template, yaml};

/// A mistake in a field, its fix and the rule that reports it.
struct Mistake {
    kind: KindRole,
    pointer: &'static str,
    wrong: &'static str,
    right: &'static str,
    rule: &'static str,
}

const fn mistake(
    kind: KindRole,
    pointer: &'static str,
    wrong: &'static str,
    right: &'static str,
    rule: &'static str,
) -> Mistake {
    Mistake { kind, pointer, wrong, right, rule }
}

const MISTAKES: [Mistake; 10] = {
    use KindRole::{Purchase, Search, Submit};
    [
        mistake(Submit, "/useCase", "appointments", "Appointments", "use-case/unknown-use-case"),
        mistake(
            Submit,
            "/useCase",
            "booking confirmations",
            "Booking Confirmations",
            "use-case/unknown-use-case",
        ),
        mistake(Submit, "/messageVolume", "1000", "1,000", "use-case/unknown-message-volume"),
        mistake(Submit, "/businessContactPhone", "(512) 472-1820", "+15124721820", "contact/phone-not-e164"),
        mistake(
            Submit,
            "/corporateWebsite",
            "www.quillbackkayak.com",
            "https://www.quillbackkayak.com",
            "website/malformed-url",
        ),
        mistake(
            Submit,
            "/optInWorkflowImageURLs/0",
            "quillbackkayak.com/opt-in.png",
            "https://quillbackkayak.com/opt-in.png",
            "opt-in/malformed-url",
        ),
        mistake(Purchase, "/numbers/0/country", "Canada", "CA", "number/country-mismatch"),
        mistake(Search, "/country", "CA", "Canada", "number/country-mismatch"),
        mistake(Purchase, "/numbers/0/number", "+1 (833) 472-6150", "+18334726150", "number/malformed-e164"),
        mistake(Submit, "/messageVolume", "1 500", "10,000", "use-case/unknown-message-volume"),
    ]
};

/// Text a fix must leave alone.
const COMMENT: &str = "# as they say";

fn check(text: &str, format: Format, kind: Kind) -> Vec<Finding> {
    let source = Source::from_bytes("draft", text.as_bytes().to_vec());
    let linter = Linter::builtin();
    linter
        .check(&Parsed::of(&source, Some(format)), KindHint::Forced(kind.into()), &Facts::default())
        .findings
}

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut fixed = text.to_owned();
    for edit in edits.iter().rev() {
        fixed.replace_range(edit.span.range(), &edit.text);
    }
    fixed
}

/// The notations of a text in YAML.
fn notations(text: &str) -> Vec<String> {
    vec![
        text.to_owned(),
        format!("{text}  {COMMENT}"),
        format!("'{text}'"),
        format!("\"{text}\""),
        format!("&name {text}"),
        format!("\n{text}"),
        format!("|\n{text}"),
        format!("|-\n{text}"),
        format!("|+\n\n{text}\n\n"),
        format!("|1-\n{text}").replace("|1", "|2"),
        format!(">\n{text}"),
        format!(">-  {COMMENT}\n{text}  "),
    ]
}

/// Applies the fix of a rule and holds the result against what it must be.
fn assert_fixed(text: &str, format: Format, mistake: &Mistake) {
    let Mistake { kind, pointer, right, rule, .. } = *mistake;
    let kind = Kind::of(kind);
    let of_rule = |it: &Finding| it.rule == rule && it.pointer == pointer;
    let findings = check(text, format, kind);
    let finding = findings.into_iter().find(of_rule);
    let finding = finding.unwrap_or_else(|| panic!("{rule} says nothing of {text}"));
    let fix = finding.fix.unwrap_or_else(|| panic!("{rule} fixes nothing in {text}"));
    let fixed = apply(text, &fix.edits);
    let left = check(&fixed, format, kind);
    assert!(left.is_empty(), "{text}\nbecame\n{fixed}\n{left:#?}");
    let rest = |text: &str| (text.matches(COMMENT).count(), text.matches("\r\n").count() > 0);
    assert_eq!(rest(text), rest(&fixed), "{text}\nbecame\n{fixed}");

    // As another reader has it, the value is right and all others are as they were.
    let read = |text: &str| match format {
        Format::Yaml => serde_yaml::from_str::<Value>(text).expect("the text is YAML"),
        _ => serde_json::from_str::<Value>(text).expect("the text is JSON"),
    };
    let (mut before, after) = (read(text), read(&fixed));
    *before.pointer_mut(pointer).expect("the field is there") = json!(right);
    assert_eq!(before, after, "{text}\nbecame\n{fixed}");
}

#[test]
fn fixes_in_json_take_their_finding_away() {
    for mistake in &MISTAKES {
        let mut document = template(Kind::of(mistake.kind), mistake.pointer);
        let value = document.pointer_mut(mistake.pointer).expect("the template has the field");
        *value = json!(mistake.wrong);
        let pretty = serde_json::to_string_pretty(&document).expect("a value is JSON");
        let escaped = pretty.replacen(mistake.wrong, &escaped(mistake.wrong), 1);
        for text in [pretty.replace('\n', "\r\n"), pretty, escaped] {
            assert_fixed(&text, Format::Json, mistake);
        }
        assert_fixed(&document.to_string(), Format::Ndjson, mistake);
        assert_fixed(&document.to_string(), Format::Yaml, mistake);
    }
}

/// A text in JSON's escapes.
fn escaped(text: &str) -> String {
    text.chars().map(|character| format!("\\u{:04x}", u32::from(character))).collect()
}

#[test]
fn fixes_in_yaml_take_their_finding_away() {
    for mistake in &MISTAKES {
        let template = template(Kind::of(mistake.kind), mistake.pointer);
        for notation in notations(mistake.wrong) {
            // Without quotes and a line break, a number is a number: another rule's business.
            if notation.trim_start_matches("&name ").trim().starts_with("1000") {
                continue;
            }
            let text = yaml(&template, 0, &notation);
            assert_fixed(&text, Format::Yaml, mistake);
            assert_fixed(&text.replace('\n', "\r\n"), Format::Yaml, mistake);
        }
    }
}

#[test]
fn fixes_in_flow_yaml_take_their_finding_away() {
    let mistake = &MISTAKES[7];
    for text in
        ["{limit: 1, country: CA, type: tollfree}", "{limit: 1, \"country\":\"CA\",\n type: tollfree}\n"]
    {
        assert_fixed(text, Format::Yaml, mistake);
    }
}

#[test]
fn numbers_that_are_meant_as_texts_get_quotes() {
    for (pointer, wrong) in [
        ("/businessZip", "04101"),
        ("/businessContactPhone", "+15124721820"),
        ("/businessContactPhone", "  +15124721820  # mine"),
        ("/businessContactPhone", "&phone +15124721820"),
    ] {
        let right = wrong.trim_start_matches("&phone ").split('#').next().unwrap_or_default().trim();
        let kind = Kind::of(KindRole::Submit);
        let quotes =
            Mistake { kind: KindRole::Submit, pointer, wrong: "", right, rule: "structure/wrong-type" };
        let text = yaml(&template(kind, pointer), 0, wrong);
        for text in [text.replace('\n', "\r\n"), text] {
            let finding = check(&text, Format::Yaml, kind).into_iter().find(|it| it.rule == quotes.rule);
            let edits = finding.and_then(|it| it.fix).expect("the value can be quoted").edits;
            let fixed = apply(&text, &edits);
            assert_eq!(fixed, text.replacen(right, &format!("\"{right}\""), 1));
            assert!(!check(&fixed, Format::Yaml, kind).iter().any(|it| it.rule == quotes.rule), "{fixed}");
        }
    }
}

#[test]
fn tagged_values_are_left_to_their_author() {
    let pointer = "/businessZip";
    for notation in ["!!int 04101", "!!int '04101'", "!!int \"04101\"", "!!int\n  04101", "&zip !!int 04101"]
    {
        let text = yaml(&template(Kind::of(KindRole::Submit), pointer), 0, notation);
        let findings = check(&text, Format::Yaml, Kind::of(KindRole::Submit));
        let finding = findings.iter().find(|it| it.rule == "structure/wrong-type");
        let finding = finding.unwrap_or_else(|| panic!("a number is no text: {text}"));
        assert_eq!(finding.fix, None, "{text}");
    }
}

#[test]
fn an_alias_is_shown_where_it_stands_and_fixed_where_it_is_written() {
    let template = template(Kind::of(KindRole::Submit), "/useCase");
    let text = format!("- &draft\n{}- *draft\n", yaml(&template, 2, "&use appointments"));
    let findings = check(&text, Format::Yaml, Kind::of(KindRole::Submit));
    let findings: Vec<&Finding> =
        findings.iter().filter(|it| it.rule == "use-case/unknown-use-case").collect();
    let place = |span: Option<tollproof_core::Span>| &text[span.expect("there is text").range()];
    let [written, alias] = findings.as_slice() else { panic!("{findings:#?}") };
    assert_eq!(place(written.span), "appointments");
    assert_eq!((place(alias.span), &alias.fix), ("*draft", &None));
    assert_eq!(
        (place(alias.related[0].span), alias.related[0].message.as_str()),
        ("appointments", "written here")
    );
    let fixed = apply(&text, &written.fix.as_ref().expect("only the case is wrong").edits);
    let left = check(&fixed, Format::Yaml, Kind::of(KindRole::Submit));
    assert!(!left.iter().any(|it| it.rule == "use-case/unknown-use-case"), "{fixed}");
}

#[test]
fn a_byte_order_mark_is_taken_out() {
    let draft =
        serde_json::to_string_pretty(&clean_document(Kind::of(KindRole::Submit))).expect("a value is JSON");
    for (format, text) in [
        (Format::Json, draft),
        (Format::Ndjson, clean_document(Kind::of(KindRole::Submit)).to_string()),
        (Format::Yaml, yaml(&clean_document(Kind::of(KindRole::Submit)), 0, "")),
    ] {
        let findings = check(&format!("\u{feff}{text}"), format, Kind::of(KindRole::Submit));
        let [mark] = findings.as_slice() else { panic!("{findings:#?}") };
        let fix = mark.fix.as_ref().expect("the mark can be taken out");
        assert_eq!(apply(&format!("\u{feff}{text}"), &fix.edits), text);
    }
}

#[test]
fn all_fixes_of_one_draft_are_applied_at_once() {
    let mut document = clean_document(Kind::of(KindRole::Submit));
    let fields: &mut Map<String, Value> = document.as_object_mut().expect("a document is an object");
    for mistake in MISTAKES.iter().filter(|it| it.kind == KindRole::Submit) {
        if let Some(field) = fields.get_mut(mistake.pointer.trim_start_matches('/')) {
            *field = json!(mistake.wrong);
        }
    }
    for (format, text) in [(Format::Json, document.to_string()), (Format::Yaml, yaml(&document, 0, ""))] {
        let linter = Linter::builtin();
        let mut passes = 0;
        let mut check = |parsed: &Parsed<'_>| {
            passes += 1;
            linter.check(parsed, KindHint::Forced(Kind::of(KindRole::Submit).into()), &Facts::default())
        };
        let source = Source::new("draft", text);
        let parsed = Parsed::of(&source, Some(format));
        let report = check(&parsed);
        let fixer = Fixer { reach: Safety::Unsafe, least: Severity::Info };
        let fixed_text = fixer.fix(&parsed, &report, &mut check).expect("there is much to fix");
        assert_eq!((fixed_text.report.findings, passes), (vec![], 2));
        assert!(fixed_text.fixed >= 4, "{}", fixed_text.fixed);
    }
}

/// A wrong type in YAML: how the value is written, how it is written once it is fixed_text, and what it is then.
#[test]
fn values_of_the_wrong_type_are_written_anew() {
    let list = json!(["https://quillbackkayak.com/a.png"]);
    let (flag, image) = ("/testMode", "/optInWorkflowImageURLs");
    for (pointer, wrong, right, value) in [
        (flag, "\"yes\"  # as they say", "true  # as they say", json!(true)),
        (flag, "'false'", "false", json!(false)),
        (flag, "&mode off", "&mode false", json!(false)),
        (flag, "|\n  true\n", "true\n", json!(true)),
        (flag, "&mode >-  # as they say\n\n  no\n\n", "&mode false  # as they say\n\n", json!(false)),
        (image, "https://quillbackkayak.com/a.png", "[\"https://quillbackkayak.com/a.png\"]", list.clone()),
        (image, "'https://quillbackkayak.com/a.png'", "['https://quillbackkayak.com/a.png']", list.clone()),
        (
            image,
            "\"https://quillbackkayak.com/\\\n  a.png\"",
            "[\"https://quillbackkayak.com/a.png\"]",
            list.clone(),
        ),
        (
            image,
            "https://quillbackkayak.com/a,b.png",
            "[\"https://quillbackkayak.com/a,b.png\"]",
            json!(["https://quillbackkayak.com/a,b.png"]),
        ),
        (
            image,
            "&image |\n  https://quillbackkayak.com/a.png\n",
            "&image [\"https://quillbackkayak.com/a.png\"]\n",
            list,
        ),
        (
            image,
            "|  # as they say\n  https://quillbackkayak.com/a.png\n  https://quillbackkayak.com/b.png",
            "[\"https://quillbackkayak.com/a.png\", \"https://quillbackkayak.com/b.png\"]  # as they say",
            json!(["https://quillbackkayak.com/a.png", "https://quillbackkayak.com/b.png"]),
        ),
    ] {
        let kind = Kind::of(KindRole::Submit);
        let text = yaml(&template(kind, pointer), 0, wrong);
        let finding = of_type(&text, kind).unwrap_or_else(|| panic!("no wrong type in {text}"));
        let fix = finding.fix.unwrap_or_else(|| panic!("{wrong} is not fixed_text"));
        assert_eq!(fix.safety, Safety::Unsafe, "{wrong}");
        let fixed = apply(&text, &fix.edits);
        assert_eq!(fixed, yaml(&template(kind, pointer), 0, right), "{wrong}");
        assert_eq!(of_type(&fixed, kind), None, "{fixed}");
        let read: Value = serde_yaml::from_str(&fixed).expect("the text is YAML");
        assert_eq!(read.pointer(pointer), Some(&value), "{fixed}");
    }
}

#[test]
fn what_one_edit_cannot_fix_is_left_to_its_author() {
    let kind = Kind::of(KindRole::Submit);
    for (pointer, notation) in [
        ("/testMode", "!!str true"),
        ("/testMode", "!!str |\n  true\n"),
        ("/optInWorkflowImageURLs", "!!str https://quillbackkayak.com/a.png"),
        ("/phoneNumbers", "\" \""),
        ("/phoneNumbers", "|\n\n"),
        ("/phoneNumbers", "''"),
    ] {
        let text = yaml(&template(kind, pointer), 0, notation);
        let finding = of_type(&text, kind).unwrap_or_else(|| panic!("no wrong type in {text}"));
        assert_eq!(finding.fix, None, "{text}");
    }
}

/// The message and help for a value of the wrong type, as it is written.
#[test]
fn values_of_the_wrong_type_are_shown_as_they_are_written() {
    let kind = Kind::of(KindRole::Submit);
    for (pointer, notation, message, help) in [
        ("/businessZip", "04101", "must be a string, not the number `04101`", "Put it in quotes: \"04101\"."),
        (
            "/businessZip",
            "!!int \"04101\"",
            "must be a string, not the number `!!int \"04101\"`",
            "Remove `!!int`, which makes it a number.",
        ),
        (
            "/businessZip",
            "!!int &zip 04101",
            "must be a string, not the number `!!int &zip 04101`",
            "Remove `!!int`, which makes it a number, and put the rest in quotes: \"04101\".",
        ),
        (
            "/testMode",
            "!!str true",
            "must be true or false, not the string `true`",
            "Write true, without `!!str`.",
        ),
        (
            "/testMode",
            "yes",
            "must be true or false, not the string `yes`",
            "Write true, because YAML reads `yes` as a string.",
        ),
        (
            "/testMode",
            "'true'",
            "must be true or false, not the string `true`",
            "Write true, without quotes.",
        ),
        (
            "/testMode",
            "|\n  true\n",
            "must be true or false, not the string `true`",
            "Write true on the line of its field.",
        ),
        ("/testMode", "''", "must be true or false, not an empty string", "Write true or false here"),
        ("/phoneNumbers", "\" \"", "must be a list, not a string of spaces", "Write a list here"),
    ] {
        let text = yaml(&template(kind, pointer), 0, notation);
        let finding = of_type(&text, kind).unwrap_or_else(|| panic!("no wrong type in {text}"));
        assert!(finding.message.ends_with(message), "{}", finding.message);
        let said = finding.help.unwrap_or_default();
        assert!(said.starts_with(help), "{said}");
    }
}

#[test]
fn an_alias_of_the_wrong_type_is_shown_as_it_is_written_at_its_anchor() {
    let text = "- &draft { businessZip: 04101, businessNme: Quillback, testMode: \"no\" }\n- *draft\n";
    let findings = check(text, Format::Yaml, Kind::of(KindRole::Submit));
    for rule in ["structure/wrong-type", "structure/missing-field", "structure/unknown-field"] {
        let of_rule = |document| {
            let mut all =
                findings.iter().filter(move |finding| finding.rule == rule && finding.document == document);
            move || all.next().expect("both documents have it")
        };
        let (written, alias) = (of_rule(0)(), of_rule(1)());
        assert_eq!((&written.message, &written.pointer), (&alias.message, &alias.pointer));
        assert_eq!(written.related, []);
        assert_eq!(&text[alias.span.expect("there is text").range()], "*draft");
        let [anchor] = alias.related.as_slice() else { panic!("{alias:#?}") };
        assert_eq!(anchor.message, "written here");
        let place = &text[anchor.span.expect("there is text").range()];
        assert!(text.lines().next().is_some_and(|line| line.contains(place)), "{alias:#?}");
        assert_eq!(alias.fix, None);
    }
}

#[test]
fn a_key_before_an_alias_is_fixed() {
    let text = "other: &name Quillback Kayak\nbusinessNme: *name\n";
    let findings = check(text, Format::Yaml, Kind::of(KindRole::Submit));
    let finding = findings.iter().find(|it| it.pointer == "/businessNme").expect("the field is unknown");
    let fix = finding.fix.as_ref().expect("the key is written here");
    assert_eq!(apply(text, &fix.edits), "other: &name Quillback Kayak\nbusinessName: *name\n");
    assert_eq!(finding.related, [], "where the value is written explains nothing");
}

fn of_type(text: &str, kind: Kind) -> Option<Finding> {
    check(text, Format::Yaml, kind).into_iter().find(|it| it.rule == "structure/wrong-type")
}
