//! Tests that no text of a draft can inject markup or commands into a report.

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag};
use quick_xml::events::Event as Xml;
use serde_json::Value;
use tollproof_core::{Edit, Finding, Fix, Related, Safety, Severity, Source, Span};

use super::tests::{ALL, finding, report};
use crate::terminal::{Look, printable};

/// Strings with a special meaning in one of the formats.
const PIECES: [&str; 38] = [
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\0",
    "\x08",
    "\x1b[31m",
    "\x1b]8;;https://evil.example\x07",
    "\x7f",
    "\u{9b}",
    "\u{202e}",
    "\u{2028}",
    "\u{fffe}",
    "::error::",
    "::add-mask::a",
    "##[error]",
    "%0A",
    "%",
    ":",
    ",",
    "]]>",
    "<!--",
    "-->",
    "\"",
    "'",
    "&lt;",
    "</summary>",
    "<script>",
    "|",
    "`",
    "``",
    "@user",
    "#1",
    "www.evil.example",
    "https://evil.example",
    "[a](b)",
    "![a](b)",
    "\\",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(&PIECES[..]).prop_map(str::to_owned),
        1 => "[a-zé😀 *_~$^{}()+=!-]{1,4}",
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// Two findings with this text in every place that can contain text of a draft.
fn findings(text: &str) -> Vec<Finding> {
    let span = Span::new(0, text.len());
    let one = Finding {
        help: Some(format!("Write {text}.").into()),
        label: Some(text.to_owned().into()),
        pointer: format!("/{text}").into(),
        related: vec![Related { file: None, span: Some(span), place: None, message: text.to_owned().into() }],
        fix: Some(Fix { safety: Safety::Safe, edits: vec![Edit { span, text: text.to_owned() }] }),
        ..finding("structure/unknown-field", Severity::Error, &format!("`{text}` is not known"), span)
    };
    let other = Finding { message: text.to_owned().into(), severity: Severity::Warning, ..one.clone() };
    vec![one, other]
}

fn print(format: &str, text: &str) -> String {
    let source = Source::new(format!("a{text}.json"), text.to_owned());
    report(format, Look::PLAIN, ALL, &source, findings(text))
}

fn json(format: &str, text: &str) -> Value {
    let report = print(format, text);
    serde_json::from_str(&report).unwrap_or_else(|error| panic!("{format}: {error}: {report}"))
}

/// The elements of an XML report. Fails if there is other text than whitespace.
fn elements(format: &str, text: &str) -> Vec<String> {
    let report = print(format, text);
    let mut reader = quick_xml::Reader::from_str(&report);
    let mut names = Vec::new();
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{format}: {error}: {report}")) {
            Xml::Start(tag) | Xml::Empty(tag) => {
                names.push(String::from_utf8_lossy(tag.name().as_ref()).into_owned());
                for attribute in tag.attributes() {
                    let attribute = attribute.expect("attributes are well-formed");
                    attribute.normalized_value(Default::default()).expect("values are escaped");
                }
            }
            Xml::Eof => break names,
            Xml::Comment(_) | Xml::PI(_) | Xml::DocType(_) => panic!("{format}: {report}"),
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn json_stays_json(text in text()) {
        prop_assert_eq!(&json("json", &text)["findings"][0]["pointer"], &format!("/{text}"));
        prop_assert_eq!(json("gitlab", &text).as_array().map(Vec::len), Some(2));
        let lines = print("jsonl", &text);
        prop_assert_eq!(lines.lines().count(), 3);
        for line in lines.lines() {
            serde_json::from_str::<Value>(line).expect("each line is JSON");
        }
    }

    #[test]
    fn sarif_has_no_links_of_a_draft(text in text()) {
        let sarif = json("sarif", &text);
        for result in sarif["runs"][0]["results"].as_array().expect("a list") {
            let message = result["message"]["text"].as_str().expect("a string");
            prop_assert!(!message.contains("]("), "{message}");
            let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
            let uri = uri.as_str().expect("a string");
            prop_assert!(uri.bytes().all(|byte| byte.is_ascii_graphic()), "{uri}");
        }
    }

    #[test]
    fn xml_stays_xml(text in text()) {
        let case = ["testcase", "properties", "property", "failure"];
        let expected = [&["testsuites", "testsuite"][..], &case, &case].concat();
        prop_assert_eq!(elements("junit", &text), expected);
        let allowed = |c: char| matches!(c, '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        prop_assert!(print("junit", &text).chars().all(allowed));
    }

    #[test]
    fn a_page_has_only_its_own_tags(text in text()) {
        let page = print("html", &text);
        let allowed = |c: char| c == '\n' || c == '\t' || !c.is_control() && printable(c) == c;
        prop_assert!(page.chars().all(allowed));
        let (before, body) = page.split_once("<body>").expect("a page has a body");
        prop_assert_eq!(before.matches("<meta").count(), 6);
        let (body, script) = body.split_once("<script>").expect("a page has a script");
        prop_assert!(script.ends_with("</script>\n</body>\n</html>"), "{script}");
        prop_assert_eq!(script.matches("</script").count(), 1);
        let names = body.split('<').skip(1).map(|tag| {
            tag.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default()
        });
        let own = [
            "a", "article", "b", "blockquote", "button", "code", "details", "div", "fieldset", "figcaption", "figure",
            "footer", "form", "h1", "h2", "h3", "h4", "header", "input", "ins", "label", "legend", "li", "main", "mark",
            "option", "output", "p", "rect", "section", "select", "span", "summary", "svg", "table", "tbody", "td", "th",
            "thead", "tr", "ul",
        ];
        for name in names {
            prop_assert!(own.contains(&name), "{name}: {body}");
        }
    }

    #[test]
    fn lines_for_people_steer_no_terminal_and_no_runner(text in text()) {
        for format in ["full", "narrated", "concise"] {
            let printed = print(format, &text);
            prop_assert!(printed.chars().all(|c| c == '\n' || printable(c) == c), "{printed:?}");
            for line in printed.lines() {
                prop_assert!(!line.trim_start().starts_with("::") && !line.contains("##["), "{format}: {line}");
            }
        }
    }

    #[test]
    fn annotations_are_one_command_each(text in text()) {
        let printed = print("github", &text);
        let lines: Vec<&str> = printed.split(['\n', '\r']).collect();
        prop_assert_eq!(lines.len(), 3, "{}", printed);
        for (line, command) in lines.iter().zip(["::error ", "::warning "]) {
            let (head, _) = line.strip_prefix(command).expect("the command").split_once("::").expect("a message");
            let keys: Vec<&str> = head.split(',').filter_map(|it| it.split_once('=')).map(|it| it.0).collect();
            prop_assert!(keys.first() == Some(&"file") && keys.last() == Some(&"title"), "{line}");
            prop_assert!(keys.len() == 4 || keys.len() == 6, "{line}");
        }
    }

    #[test]
    fn markdown_has_nothing_of_a_draft_but_words(text in text()) {
        let printed = print("markdown", &text);
        prop_assert_eq!(printed.matches("\n| **").count(), 2, "{}", printed);
        let (mut cells, mut words) = (0, String::new());
        for event in Parser::new_ext(&printed, Options::all()) {
            match event {
                Event::Start(Tag::TableCell) => cells += 1,
                Event::Start(
                    Tag::Heading { .. } | Tag::Paragraph | Tag::Table(_) | Tag::TableHead | Tag::TableRow
                    | Tag::Strong | Tag::HtmlBlock | Tag::List(None) | Tag::Item,
                )
                | Event::End(_)
                | Event::SoftBreak => {}
                Event::Text(text) => words.push_str(&text),
                Event::Code(code) => prop_assert_eq!(&*code, "--history"),
                Event::Html(html) | Event::InlineHtml(html) => prop_assert!(
                    ["<code>", "</code>", "<br>", "</details>"].contains(&html.trim())
                        || html.trim() == "<details><summary>Not checked</summary>",
                    "{html}"
                ),
                other => prop_assert!(false, "{other:?} in {printed}"),
            }
        }
        prop_assert_eq!(cells, 9, "{}", printed);
        // GitHub automatically links these: the first two when it parses the text, the others afterwards.
        prop_assert!(!printed.contains("://") && !printed.contains("www."), "{printed}");
        prop_assert!(!words.contains("@user") && !words.contains("#1"), "{words}");
    }
}
