//! Drafts in workbooks: the findings of other formats, named by sheet and cell.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::streams::{draft, findings, sorted};
use crate::support::Folder;

/// The rows of a sheet: field names, then drafts.
fn rows(drafts: &[Value]) -> Vec<Vec<String>> {
    let names: Vec<String> = drafts[0].as_object().expect("an object").keys().cloned().collect();
    let cell = |value: Option<&Value>| match value {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
        Some(other) => other.to_string(),
    };
    let row = |draft: &Value| names.iter().map(|name| cell(draft.get(name))).collect();
    let drafts: Vec<Vec<String>> = drafts.iter().map(row).collect();
    [vec![names], drafts].concat()
}

/// A workbook with these sheets. Each begins in cell B3, and its second row is empty.
pub(crate) fn workbook(sheets: &[(&str, Vec<Vec<String>>)]) -> Vec<u8> {
    let escape = |text: &str| {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace('\n', "&#10;")
    };
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let mut file = |name: &str, text: &str| {
        archive.start_file(name, SimpleFileOptions::default()).expect("in memory");
        archive
            .write_all(format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>{text}").as_bytes())
            .expect("in memory");
    };
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let (mut list, mut targets) = (String::new(), String::new());
    for (at, (name, rows)) in sheets.iter().enumerate() {
        let id = at + 1;
        write!(list, "<sheet name=\"{name}\" sheetId=\"{id}\" r:id=\"rId{id}\"/>").expect("a string");
        write!(
            targets,
            "<Relationship Id=\"rId{id}\" Type=\"{relations}/worksheet\" Target=\"worksheets/sheet{id}.xml\"/>"
        )
        .expect("a string");
        let mut data = String::new();
        for (row, cells) in rows.iter().enumerate() {
            let row = if row == 0 { 3 } else { row + 4 };
            write!(data, "<row r=\"{row}\">").expect("a string");
            for (column, text) in cells.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
                let column = match column + 1 {
                    column @ 0..26 => char::from(b'A' + u8::try_from(column).expect("small")).to_string(),
                    column => format!("A{}", char::from(b'A' + u8::try_from(column - 26).expect("small"))),
                };
                let text = escape(text);
                write!(
                    data,
                    "<c r=\"{column}{row}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>"
                )
                .expect("a string");
            }
            data += "</row>";
        }
        let sheet = format!("<worksheet xmlns=\"{main}\"><sheetData>{data}</sheetData></worksheet>");
        file(&format!("xl/worksheets/sheet{id}.xml"), &sheet);
    }
    let root =
        format!("<Relationship Id=\"rId1\" Type=\"{relations}/officeDocument\" Target=\"xl/workbook.xml\"/>");
    file("_rels/.rels", &format!("<Relationships xmlns=\"{package}\">{root}</Relationships>"));
    file(
        "xl/workbook.xml",
        &format!("<workbook xmlns=\"{main}\" xmlns:r=\"{relations}\"><sheets>{list}</sheets></workbook>"),
    );
    file(
        "xl/_rels/workbook.xml.rels",
        &format!("<Relationships xmlns=\"{package}\">{targets}</Relationships>"),
    );
    archive.finish().expect("in memory").into_inner()
}

#[test]
fn a_workbook_has_the_findings_of_other_formats() {
    let drafts: Vec<Value> = (0..30).map(draft).collect();
    let notes = vec![vec!["How to fill this in".to_owned(), "x".to_owned()], vec!["Read it".to_owned()]];
    let book = workbook(&[("Clients", rows(&drafts[..20])), ("Notes", notes), ("More", rows(&drafts[20..]))]);
    let folder =
        Folder::new("workbook").file("a.json", json!(drafts).to_string()).file("book/clients.xlsx", book);
    let mut found = findings(&folder, &["book/clients.xlsx"]);
    let sheets: Vec<Value> =
        found.extract_if(.., |finding| finding["rule"] == "structure/unknown-kind").collect();
    assert_eq!(sheets.len(), 1);
    assert_eq!(
        (&sheets[0]["file"], &sheets[0]["severity"]),
        (&json!("book/clients.xlsx: Notes!B3"), &json!("warning"))
    );
    let index = |finding: &Value| finding["document"].as_u64().expect("a number");
    let named: Vec<Value> = found
        .iter()
        .map(|finding| {
            let mut finding = finding.clone();
            // The row of the notes is a document, too.
            let at = index(&finding);
            finding["document"] = json!(if at > 20 { at - 1 } else { at });
            finding
        })
        .collect();
    assert_eq!(sorted(&named), sorted(&findings(&folder, &["a.json"])));
    let zips: Vec<&str> = found
        .iter()
        .filter(|it| it["pointer"] == "/businessZip")
        .map(|finding| finding["file"].as_str().expect("a string"))
        .collect();
    let column = rows(&drafts)[0].iter().position(|it| it == "businessZip").expect("there is one");
    let column = char::from(b'B' + u8::try_from(column).expect("small"));
    let expected = [("Clients", 5), ("Clients", 12), ("Clients", 19), ("More", 6), ("More", 13)]
        .map(|(sheet, row)| format!("book/clients.xlsx: {sheet}!{column}{row}"));
    assert_eq!(zips, expected);
    // A walk finds the workbook.
    let ran = folder.run(&["check", "--no-config", "--output-format=concise", "book"]);
    assert!(ran.out.contains("clients.xlsx: More!") && ran.out.contains("30 documents checked"), "{ran:?}");
    let ran = folder.run(&["check", "--no-config", "--redact", "--fix", "book/clients.xlsx"]);
    assert!(ran.out.contains("clients.xlsx: Clients!") && ran.err.contains("is not changed"), "{ran:?}");
}

#[test]
fn a_number_that_was_named_in_another_cell_is_a_duplicate() {
    let drafts = [draft(1), draft(2), draft(1)];
    let folder = Folder::new("workbook-numbers")
        .file("a.xlsx", workbook(&[("S", rows(&drafts))]))
        .file("b.json", draft(2).to_string());
    let ran = folder.run(&["check", "--no-config", "--output-format=full", "a.xlsx", "b.json"]);
    let column = rows(&drafts)[0].iter().position(|it| it == "phoneNumbers").expect("there is one") + 1;
    let column = char::from(b'A' + u8::try_from(column).expect("small"));
    assert!(ran.out.contains(&format!("[a.xlsx: S!{column}7:1:1]")), "{}", ran.out);
    assert!(ran.out.contains(&format!("[a.xlsx: S!{column}5:1:1]")), "{}", ran.out);
    assert!(ran.out.contains(&format!("a.xlsx: S!{column}6: first named here")), "{}", ran.out);
}

#[test]
fn what_is_no_workbook_is_refused_with_the_reason() {
    let book = workbook(&[("S", rows(&[draft(1)]))]);
    let folder = Folder::new("workbook-broken")
        .file("cut.xlsx", &book[..book.len() / 2])
        .file("text.xlsx", "businessName\nAcme\n")
        .file("empty.xlsx", "")
        .file("zip.xlsx", workbook(&[]));
    for name in ["cut", "text", "empty", "zip"] {
        let ran = folder.run(&["check", "--no-config", &format!("{name}.xlsx")]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains("workbook") || ran.err.contains("nothing to check"), "{ran:?}");
    }
}
