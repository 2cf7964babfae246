//! Tests that apply to every notation: byte order marks, large files, and files that end too early.

use std::path::Path;

use crate::facts::Facts;
use proptest::prelude::*;

use super::{Format, Parsed};
use crate::examples::base;
use crate::finding::{Finding, Severity};
use crate::lint::Linter;
use crate::provider::detect::KindHint;
use crate::provider::kind::{Kind, KindRole};
use crate::provider::read_fields::ReadField;
use crate::syntax::source::{Source, Span};

const FORMATS: [Format; 3] = [Format::Json, Format::Ndjson, Format::Yaml];

fn check(text: &str, format: Format) -> Vec<Finding> {
    let source = Source::from_bytes("draft", text.as_bytes().to_vec());
    let linter = Linter::builtin();
    linter.check(&Parsed::of(&source, Some(format)), KindHint::Explicit, &Facts::default()).findings
}

/// A finding moved three bytes towards the start: the length of a byte order mark.
fn before_a_mark(mut finding: Finding) -> Finding {
    let earlier = |span: &mut Span| {
        *span = Span::new((span.start as usize).saturating_sub(3), (span.end as usize).saturating_sub(3));
    };
    finding.span.iter_mut().for_each(earlier);
    finding.related.iter_mut().filter_map(|it| it.span.as_mut()).for_each(earlier);
    finding.fix.iter_mut().flat_map(|fix| &mut fix.edits).for_each(|edit| earlier(&mut edit.span));
    finding
}

/// A draft, parts of one, or arbitrary text.
fn any_text() -> impl Strategy<Value = String> {
    let draft = base::of(Kind::of(KindRole::Submit)).to_string();
    prop_oneof![
        Just(draft.clone()),
        (0..draft.len()).prop_map(move |end| draft.chars().take(end).collect()),
        "[\\[\\]{}\":,a1 \n'-]{0,40}",
        Just("country: canada\r\nlimit: 0\r\n".to_owned()),
        Just("{\"limit\": 0,\n\"country\": \"CA\"}\n".to_owned()),
    ]
}

proptest! {
    #[test]
    fn a_byte_order_mark_is_one_warning_more(text in any_text()) {
        for format in FORMATS {
            let mut marked = check(&format!("\u{feff}{text}"), format);
            let mark = marked.remove(0);
            prop_assert_eq!((mark.rule.as_ref(), mark.severity), ("input/encoding", Severity::Warning));
            let edit = &mark.fix.expect("the mark can be taken out").edits[0];
            prop_assert_eq!((edit.span, edit.text.as_str()), (Span::new(0, 3), ""));
            let marked: Vec<Finding> = marked.into_iter().map(before_a_mark).collect();
            prop_assert_eq!(marked, check(&text, format), "{:?} {:?}", format, text);
        }
    }
}

#[test]
fn large_texts_in_json_are_read_to_their_end() {
    let breaks = format!("{{\"a\": \"x{}y\"}}", "\n".repeat(400_000));
    let blanks = format!("{{\"a\": \"x{}y\"}}", "\n \t".repeat(400_000));
    let lines = format!("{{\"a\": \"x{}y\"}}", "\nx".repeat(400_000));
    let quotes = format!("[{}]", "'' ".repeat(400_000));
    for text in [breaks, blanks, lines, quotes] {
        // A reader with quadratic running time would take hours here.
        assert!(!check(&text, Format::Json).is_empty(), "{text:.20}");
    }
}

/// The rules and messages of all findings in a text.
fn said(text: &str, format: Format) -> Vec<String> {
    check(text, format).iter().map(|it| format!("{}: {}", it.rule, it.message)).collect()
}

#[test]
fn a_text_that_ends_too_early_has_one_finding() {
    let draft = serde_json::to_string(&base::of(Kind::of(KindRole::Submit))).expect("a value is JSON");
    let draft = draft.replacen("LLC", "\\u004CL\\ud83d\\ude00", 1).replacen(
        "false",
        "false, \"x\": [[{\"y\": []}]]",
        1,
    );
    for end in (1..draft.len()).filter(|&end| draft.is_char_boundary(end)).step_by(5) {
        let text = &draft[..end];
        for format in [Format::Json, Format::Ndjson] {
            let said = said(text, format);
            let syntax = said.iter().filter(|it| it.starts_with("input/syntax")).count();
            assert_eq!(syntax, 1, "{text}: {said:?}");
            let cascade = |line: &&String| {
                ["missing-field", "unknown-kind", "wrong-type", "not-one-number"]
                    .iter()
                    .any(|rule| line.contains(rule))
            };
            assert_eq!(said.iter().find(cascade), None, "{text}");
        }
    }
    assert_eq!(said("[{\"limit\": 1, \"country\": \"US", Format::Json).len(), 1);
    assert_eq!(said("[", Format::Json), ["input/syntax: this list is not closed"]);
    for deep in ["[".repeat(200_000), "[".repeat(99) + &"]".repeat(99)] {
        assert_eq!(said(&deep, Format::Json), ["input/limit: this has more than 64 nested levels"]);
    }
    let values = format!("{{\"phoneNumbers\": [{}]}}", "1,".repeat(90_000));
    let said = said(&values, Format::Json);
    assert!(
        !said.iter().any(|line| line.contains("missing-field") || line.contains("not closed")),
        "{said:?}"
    );
}

#[test]
fn what_is_not_there_is_said_of_whole_documents() {
    assert!(said("{\"phoneNumbers\": [], \"useCase\": tru}", Format::Json).len() > 5);
}

#[test]
fn a_json_file_named_as_lines_is_read_as_one_value() {
    let draft = serde_json::to_string_pretty(&base::of(Kind::of(KindRole::Submit))).expect("a value is JSON");
    let other = draft.replace(&base::number(), "1c2d3e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f");
    for text in [draft.clone(), format!("\n\n[{draft},\n{other}]\n"), format!("\u{feff}\r\n{draft}")] {
        let findings = check(&text, Format::Ndjson);
        let findings: Vec<&Finding> = findings.iter().filter(|it| it.rule != "input/encoding").collect();
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0].message, "this JSON value spans several lines");
        assert!(text[findings[0].span.expect("it has a place").range()].starts_with(['{', '[']));
    }
    let lines = format!("{0}\n{0}\n", base::of(Kind::of(KindRole::Search)));
    assert!(check(&lines, Format::Ndjson).is_empty());
}

#[test]
fn a_key_that_stands_three_times_is_one_finding() {
    let text = "{\"limit\": 1, \"limit\": 2, \"country\": \"US\", \"limit\": 3}";
    for format in FORMATS {
        let findings = check(text, format);
        let [finding] = findings.as_slice() else { panic!("{findings:?}") };
        assert_eq!(finding.message, "`limit` is written 3 times in this object");
        assert_eq!(finding.span.map(|span| span.start as usize), text.rfind("\"limit\""));
        assert_eq!(finding.related.len(), 2);
    }
}

proptest! {
    #[test]
    fn no_two_findings_of_a_text_have_the_same_fingerprint(texts in proptest::collection::vec(any_text(), 1..5)) {
        let draft = base::of(Kind::of(KindRole::Submit)).to_string().replace("US", "Usa").replace("+1", "1");
        for (separator, format) in [(",", Format::Json), ("\n", Format::Ndjson), ("\n---\n", Format::Yaml)] {
            let text = texts.join(separator) + separator + &draft + separator + &draft;
            let findings = check(&text, format);
            let mut prints: Vec<&str> = findings.iter().map(|it| it.fingerprint.as_str()).collect();
            prints.sort_unstable();
            prints.dedup();
            prop_assert_eq!(prints.len(), findings.len(), "{}", text);
        }
    }
}

#[test]
fn notes_and_programs_have_a_largest_size() {
    let text =
        format!("const a = {{ BusinessName: \"Acme\" }}; //{}", "x".repeat(super::limits::MAX_WRITTEN));
    for format in [Format::Program, Format::Notes] {
        let findings = check(&text, format);
        assert!(findings.iter().any(|finding| finding.message.contains("4 MiB")), "{findings:?}");
    }
    let masked = Source::new("a.ts", text.as_str()).without_keys().expect("it is a program");
    assert_eq!((masked.text().len(), masked.text().contains("Acme")), (text.len(), false));
}

#[test]
fn text_without_a_name_is_what_it_has_a_draft_in() {
    let labels = "To enter at Twilio\n\nBusiness name: Fern Cafe LLC\nVolume: 100\nOpt-in type: Web form\n\nThat is all,\nNadia\n";
    let object = "{\n  businessName: 'Fern Cafe LLC',\n  messageVolume: '100',\n  optInType: 'WEB_FORM',\n}";
    let python = "\"\"\"Sends it.\"\"\"\nimport os\n\nFORM = dict(\n    business_name='Fern Cafe LLC',\n    message_volume='100',\n    opt_in_type='WEB_FORM',\n)\n";
    let payload = "businessName: Fern Cafe LLC\nmessageVolume: 100\noptInType: WEB_FORM\n";
    for (text, format) in [
        (labels.to_owned(), Format::Notes),
        (format!("// Sends it.\nclient.send({object});\n"), Format::Program),
        (format!("function send() {{\n  return {object};\n}}\n"), Format::Program),
        (python.to_owned(), Format::Program),
        (payload.to_owned(), Format::Yaml),
        (format!("{payload}this is not YAML\n"), Format::Yaml),
        (
            format!(
                "// Sends it.\n{}",
                r#"{
"businessName": "Fern Cafe LLC", "useCase": "x", "optInType": "y"
}"#
            ),
            Format::Json,
        ),
        (
            "Compañía: Flores del Mar LLC\nEIN: 12-3456789\nDirección: 58 Calle Marina, Ponce, PR 00730\nNúmero gratuito: 833-555-0142\nEjemplo: Flores: su pedido está listo.\nVolumen: 100\nMensaje: no\n".to_owned(),
            Format::Notes,
        ),
        ("status: open\nowner: Nadia\nnotes: none\n".to_owned(), Format::Yaml),
        ("Dear Nadia,\nplease call the bank.\n".to_owned(), Format::Yaml),
    ] {
        assert_eq!(Format::detect(Path::new(""), &text), format, "{text}");
    }
}

/// Pieces of notes and programs, in any order.
fn written() -> impl Strategy<Value = String> {
    const NAMES: [&str; 7] = [
        "BusinessName",
        "business_website",
        "optInType",
        "Use case",
        "**Volume:**",
        "messageVolume",
        "Sample 1",
    ];
    const SIGNS: [&str; 61] = [
        ": ",
        "=",
        " => ",
        ", ",
        "\"",
        "'",
        "`",
        "\"\"\"",
        "'''",
        "@\"",
        "$'",
        "<<EOF\n",
        "EOF\n",
        "${a}",
        "#{",
        "{x}",
        "\\",
        "\\u00",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "\n",
        "\r\n",
        "\n\n",
        "| ",
        "|---|---|\n",
        "# ",
        "> ",
        "- [x] ",
        "```ts\n",
        "```\n",
        "~~",
        "<td>",
        "<!--",
        "-->",
        "&amp;",
        "//",
        "/*",
        "*/",
        "...",
        ".set(",
        ".create({",
        "curl -d ",
        " + ",
        "||",
        "f\"",
        "\0",
        "é",
        "😀",
        "\u{2028}",
        "twilio",
        "token: ",
        "Fern Cafe LLC",
        "ferncafe.com",
        "100",
        "WEB_FORM",
        "We text you when your table is free. ",
        "process.env.X",
    ];
    let piece = prop_oneof![
        3 => proptest::sample::select(&NAMES[..]).prop_map(str::to_owned),
        7 => proptest::sample::select(&SIGNS[..]).prop_map(str::to_owned),
        1 => ".{0,3}",
    ];
    proptest::collection::vec(piece, 0..80).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_notes_and_programs_are_read_within_their_text(
        text in written(),
        name in proptest::sample::select(vec![
            "a.md", "a.txt", "a.eml", "a.html", "a.ts", "a.py", "a.sh", "a.rb", "a.go", "a.php", "a.ps1", "a.cs", "a.kt",
            "a.swift", "a.ex", "a.tf", "a.java", "",
        ]),
    ) {
        let source = Source::new(name, text.as_str());
        let parsed = Parsed::of(&source, None);
        let whole = parsed.whole();
        let roots = whole.documents().filter_map(|document| document.document().root.as_ref());
        let fields = roots.flat_map(ReadField::of).map(|field| field.span);
        let report = Linter::builtin().check(&parsed, KindHint::Explicit, &Facts::default());
        let edits = report.findings.iter().filter_map(|finding| finding.fix.as_ref()).flat_map(|fix| &fix.edits);
        let spans = report.findings.iter().filter_map(|finding| finding.span);
        for span in fields.chain(edits.map(|edit| edit.span)).chain(spans) {
            prop_assert!(text.get(span.range()).is_some(), "{:?}", span);
        }
        let masked = source.without_keys().map(|masked| masked.text().len());
        prop_assert!(masked.is_none_or(|length| length == text.len()));
    }
}
