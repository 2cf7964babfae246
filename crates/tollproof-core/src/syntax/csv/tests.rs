//! Tests of CSV: trees, spans, errors, and the same cells as another reader finds.

use csv_core::{ReadFieldResult, Reader};
use proptest::prelude::*;

use super::*;
use crate::provider::payload::json_of;
use crate::syntax::source::Source;
use crate::syntax::{Format, Parsed};

/// The JSON of a value.
fn json(node: &Node<'_>) -> serde_json::Value {
    match &node.value {
        Value::Null | Value::Computed => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(text) => serde_json::from_str(text).expect("a number"),
        Value::String(text) => text.as_ref().into(),
        Value::Array(items) => items.iter().map(json).collect(),
        Value::Object(members) => members
            .iter()
            .map(|member| (member.key.to_string(), json(&member.value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
    }
}

fn documents(text: &str) -> Vec<serde_json::Value> {
    let source = Source::new("a.csv", text);
    let parsed = Parsed::of(&source, None);
    assert_eq!(parsed.format(), Format::Csv);
    parsed.whole().documents().filter_map(|document| document.root.as_ref().map(json)).collect()
}

fn errors(text: &str) -> Vec<String> {
    let source = Source::new("a.csv", text);
    let parsed = Parsed::of(&source, None);
    let all = parsed.whole();
    let error = |it: &SyntaxError| format!("{} at {:?}", it.message, source.slice(it.span));
    all.documents()
        .flat_map(|document| document.syntax_errors.iter().map(error).collect::<Vec<_>>())
        .collect()
}

#[test]
fn columns_are_fields_in_any_order() {
    let text = "\u{feff}businessZip (5 digits),\"phoneNumbers\",testMode,note,optInWorkflowImageURLs[0],optInWorkflowImageURLs[1]\r\n\
                02134,a | b,TRUE,\"x, \"\"y\"\"\nz\",u,v\r\n\r\n,,,,,\r\n1,\"a\nb\",,,u,";
    let expected = [
        serde_json::json!({"businessZip": "02134", "phoneNumbers": ["a", "b"], "testMode": true,
            "note": "x, \"y\"\nz", "optInWorkflowImageURLs": ["u", "v"]}),
        serde_json::json!({"businessZip": "1", "phoneNumbers": ["a", "b"], "testMode": "",
            "note": "", "optInWorkflowImageURLs": ["u"]}),
    ];
    assert_eq!(documents(text), expected);
    assert_eq!(errors(text), [""; 0]);
}

#[test]
fn other_delimiters_are_seen_in_the_header() {
    for text in ["a;b\n1,5;2\n", "a\tb\n1,5\t2\n"] {
        assert_eq!(documents(text), [serde_json::json!({"a": "1,5", "b": "2"})]);
    }
}

#[test]
fn the_rows_below_do_not_change_the_delimiter() {
    let text = "a \"b\nc \"d;;;;\n-\t\n;;;;\n";
    let (head, body) = text.split_at(text.find('\n').expect("a row") + 1);
    assert_eq!(scan::delimiter(text.as_bytes()), scan::delimiter(head.as_bytes()));
    let row = body.find('\n').expect("a row") + 1;
    let parts = [&body[..row], &body[row..]].map(|body| documents(&format!("{head}{body}")));
    assert_eq!(documents(text), parts.concat());
}

#[test]
fn parts_have_the_delimiter_of_the_file() {
    // A header whose first name is empty begins with its delimiter, and a byte order mark may precede it.
    for text in ["\t(\n\tx\n\ty\"\t\n,\t\",!", "\u{feff}\n\"a\nb\"\tc\n1\t\"2\n3\"\n"] {
        let Some(end) = head(text.as_bytes(), &ColumnNames::default()) else { continue };
        let (head, body) = text.as_bytes().split_at(end);
        assert_eq!(rows_in(head, body, true), (body.len(), documents(text).len()), "{text:?}");
    }
}

#[test]
fn every_value_is_where_its_span_says() {
    let text = "phoneNumbers,b\n\"p1\n p2|p3\",\"say \"\"hi\"\"\"\n";
    let source = Source::new("a.csv", text);
    let parsed = Parsed::of(&source, None);
    let all = parsed.whole();
    let document = all.documents().next().expect("there is one");
    let root = document.root.as_ref().expect("it can be read");
    let spans: Vec<_> = root.members()[0].value.items().iter().map(|it| source.slice(it.span)).collect();
    assert_eq!(spans, ["p1", "p2", "p3"]);
    assert_eq!(source.slice(root.members()[1].value.span), "\"say \"\"hi\"\"\"");
    let inner = crate::syntax::string_map::inner_span(text, &root.members()[1].value, 4..8);
    assert_eq!(source.slice(inner), "\"\"hi\"\"");
}

#[test]
fn what_is_wrong_with_a_row_is_said_there() {
    assert_eq!(
        errors("a,b\n1,2,3\n4,5\n"),
        ["this row has more cells than the 2 field names above at \"3\""]
    );
    assert_eq!(
        errors("a,b\n\"1\"x,2\n3,4\n"),
        ["there is text after the closing quote of this cell at \"x\""]
    );
    assert_eq!(errors("a,b\n1,\"2\n3,4\n"), ["this cell has no closing quote at \"\\\"\""]);
    assert_eq!(errors("a,b\n"), ["this table contains no document at \"a\""]);
    assert_eq!(errors(""), ["this file contains no document at \"\""]);
    assert_eq!(errors("a,a\n1,2\n3,4\n"), ["two columns have the name `a` at \"a\""]);
    assert_eq!(
        errors("a,,b,\n1,,2,\n1,x,2,\n1,y,2,\n1,,2,z"),
        ["this cell has no field name above it at \"x\"", "this cell has no field name above it at \"z\""]
    );
    let wide: String = (0..300).map(|at| format!("c{at},")).collect();
    assert_eq!(
        errors(&format!("{wide}\n{wide}\n{wide}\n")),
        ["this table has more than 256 columns at \"c256\""]
    );
    let titled = "Clients,\n\nBusiness Name,Zip\nA,1\nB,2\n";
    assert_eq!(errors(titled), ["the first row has no field names; a row below it has them at \"Clients,\""]);
    assert_eq!(documents(titled)[0], serde_json::json!({"Business Name": "A", "Zip": "1"}));
    // Labels that are names of no provider, and a cell that needs no quotes.
    let labelled = r#""Numéros",,,
"No","Nom de l’entreprise","Code postal","Courriel","Notes"
"A","1","2","3","4","5"
"#;
    assert_eq!(
        errors(labelled),
        [
            r#"the first row has no field names; a row below it has them at "\"Numéros\",,,""#,
            r#"this cell has no field name above it at "\"5\"""#
        ]
    );
    assert_eq!(documents(labelled)[0]["Courriel"], "3");
}

/// The cells that another reader finds, row by row, without empty lines.
fn expected(text: &str) -> Vec<Vec<String>> {
    let mut reader = Reader::new();
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), Vec::new());
    let (mut input, mut output) = (text.as_bytes(), [0; 64]);
    loop {
        let (result, read, written) = reader.read_field(input, &mut output);
        input = &input[read..];
        cell.extend_from_slice(&output[..written]);
        match result {
            ReadFieldResult::Field { record_end } => {
                row.push(String::from_utf8(std::mem::take(&mut cell)).expect("it was UTF-8"));
                if record_end {
                    rows.push(std::mem::take(&mut row));
                }
            }
            ReadFieldResult::End => return rows,
            ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
        }
    }
}

/// The cells that the scanner finds.
fn found(text: &str) -> Vec<Vec<String>> {
    let (bytes, mut rows, mut start) = (text.as_bytes(), Vec::new(), 0);
    while start < bytes.len() {
        let end = scan::row_end(bytes, start, b',').unwrap_or(bytes.len());
        let row_text = &bytes[start..end];
        let mut row = Vec::new();
        let mut at = start;
        while !row_text.iter().all(|it| matches!(it, b'\r' | b'\n')) {
            let extent = scan::cell(&bytes[..end], at, b',');
            row.push(match extent.quote {
                Some(quote) => text[at + 1..quote].replace("\"\"", "\""),
                None => text[at..extent.end].to_owned(),
            });
            at = extent.end + 1;
            if bytes.get(extent.end) != Some(&b',') || at > end {
                break;
            }
        }
        rows.extend((!row.is_empty()).then_some(row));
        start = end;
    }
    rows
}

proptest! {
    #[test]
    fn another_reader_finds_the_same_cells(
        rows in proptest::collection::vec(
            proptest::collection::vec((any::<bool>(), "[a-zé \",\n]{0,6}"), 1..5), 0..6),
        feed in prop_oneof![Just("\n"), Just("\r\n")],
    ) {
        let cell = |(quoted, text): &(bool, String)| if *quoted || text.contains(['"', ',', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.clone() };
        let row = |cells: &Vec<(bool, String)>| cells.iter().map(cell).collect::<Vec<_>>().join(",") + feed;
        let text: String = rows.iter().map(row).collect();
        prop_assert_eq!(found(&text), expected(&text), "{:?}", text);
    }

    #[test]
    fn any_text_is_read(text in "[a-c\",;|\t\r\n é]{0,60}") {
        let source = Source::new("a.csv", &*text);
        let parsed = Parsed::of(&source, None);
        for document in parsed.whole().documents() {
            for member in document.root.iter().flat_map(Node::members) {
                prop_assert!(text.get(member.key_span.range()).is_some());
                prop_assert!(text.get(member.value.span.range()).is_some());
            }
        }
    }
}

#[test]
fn a_row_is_shown_by_its_first_cell() {
    let text = "businessName,note\n\u{c2ff}a,b\n,c\n";
    let source = Source::new("a.csv", text);
    let parsed = Parsed::of(&source, None);
    let all = parsed.whole();
    let opening = |row: &Document<'_>| row.root.as_ref().map(|root| source.slice(root.opening()).to_owned());
    let openings: Vec<String> = all.documents().filter_map(|row| opening(&row)).collect();
    assert_eq!(openings, ["\u{c2ff}a", ""]);
}

#[test]
fn titles_of_the_page_in_any_language_are_the_fields_of_the_provider_that_has_most_of_them() {
    for (table, expected) in [
        (
            "Nom légal de l’entreprise,Rue et numéro,Ville,Code postal,Numéros sans frais,Messages par mois\nA,1 rue B,Laval,H7N 1A1,+18335550100,1000\n",
            r#"{"businessAddress":{"name":"A","addr1":"1 rue B","city":"Laval","zip":"H7N 1A1"},"phoneNumbers":["+18335550100"],"messageVolume":1000}"#,
        ),
        (
            "Title\nBusiness name,Street address,City,Toll-free numbers,Sample message,Notes\nA,1 rue B,Laval,+18335550100,Hi,x\n",
            r#"{"businessAddress":{"name":"A","addr1":"1 rue B","city":"Laval"},"phoneNumbers":["+18335550100"],"productionMessageContent":"Hi","Notes":"x"}"#,
        ),
    ] {
        let source = Source::new("a.csv", table);
        let parsed = Parsed::of(&source, None);
        let only = parsed.only().expect("there is one");
        assert_eq!(only.document().root.as_ref().map(json_of).as_deref(), Some(expected), "{table}");
    }
}

#[test]
fn a_table_needs_no_name_of_a_file() {
    for (text, expected) in [
        ("BusinessName,Where\nFern Cafe LLC,Lenox\n", Format::Csv),
        ("Business Name,Opt-in Type,Sample Message\nFern,WEB_FORM,\"Fern: hi, Ann\"\n", Format::Csv),
        ("Nom légal;Adresse complète;Numéro d’entreprise\nFern inc.;1 rue B, Laval;1\n", Format::Csv),
        ("Nombre,Teléfono,¿Dónde?\nFern,787,Ponce\n", Format::Yaml),
        ("Bonjour Ann, voilà, l’équipe a répondu\nMerci beaucoup\n", Format::Yaml),
        ("Hi Ann, it's done - see below\nYour number was rejected, sorry\n", Format::Yaml),
    ] {
        let source = Source::new("", text);
        assert_eq!(Parsed::of(&source, None).format(), expected, "{text}");
    }
}
