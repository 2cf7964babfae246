//! Reports to send to others: the page and the marked workbook.

use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;

use calamine::{Data, Range, Reader as _, Xlsx, open_workbook_from_rs};

use crate::support::{Folder, report_text};
use crate::workbooks::workbook;

const NOW: &str = "--now=2026-11-21T08:00:00Z";
const CLIENTS: &str = include_str!("drafts/bulk-csv/clients-with-mistakes.csv");

/// The sheets of a workbook by name, and the names in order.
fn sheets(folder: &Folder, name: &str) -> (BTreeMap<String, Range<Data>>, Vec<String>) {
    let bytes = fs::read(folder.0.join(name)).expect("the report is there");
    let mut book: Xlsx<_> = open_workbook_from_rs(Cursor::new(bytes)).expect("it is a workbook");
    let names = book.sheet_names();
    let sheets = names.iter().map(|name| (name.clone(), book.worksheet_range(name).expect("it can be read")));
    (sheets.collect(), names)
}

fn xml(folder: &Folder, name: &str) -> String {
    report_text(fs::read(folder.0.join(name)).expect("the report is there"))
}

/// The rows of a CSV text.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    reader.records().map(|record| record.expect("it is CSV").iter().map(str::to_owned).collect()).collect()
}

fn text(sheet: &Range<Data>, row: usize, column: usize) -> String {
    let place = (u32::try_from(row).expect("small"), u32::try_from(column).expect("small"));
    sheet.get_value(place).map(ToString::to_string).unwrap_or_default()
}

/// The style of a cell: its look, as a number.
fn style<'x>(xml: &'x str, cell: &str) -> &'x str {
    let (_, cell) = xml.split_once(&format!("<c r=\"{cell}\" s=\"")).expect("the cell is there");
    cell.split_once('"').expect("an attribute ends").0
}

#[test]
fn a_table_comes_back_with_marks_and_advice() {
    let folder = Folder::new("sent-csv").file("clients.csv", CLIENTS);
    let ran = folder.run(&["check", "clients.csv", NOW, "--output-format=xlsx=marked.xlsx"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(1), "", ""));
    let (sheets, names) = sheets(&folder, "marked.xlsx");
    assert_eq!(names, ["clients", "Summary"]);
    let (sheet, summary) = (&sheets["clients"], &sheets["Summary"]);
    let rows = rows(CLIENTS);
    for (at, row) in rows.iter().enumerate() {
        for (column, cell) in row.iter().enumerate() {
            assert_eq!(text(sheet, at, column + 2), *cell, "row {at}, column {column}");
        }
    }
    assert_eq!([text(sheet, 0, 0), text(sheet, 0, 1)], ["Result", "Advice"]);
    assert_eq!(text(sheet, 1, 0), "error");
    let advice = text(sheet, 1, 1);
    let expected = "Error in Business_Contact_Email: `gmail.com` is a free e-mail provider, not the domain of the \
                    business. Use an address at the domain of your website.";
    assert!(advice.starts_with(expected), "{advice}");
    assert!(advice.lines().count() >= 3 && advice.lines().all(|it| it.starts_with("Error in ")), "{advice}");
    let last = text(sheet, 2, 1);
    assert!(
        last.lines().last().is_some_and(|it| it.starts_with("Warning in State: ")),
        "errors first: {last}"
    );

    let xml = xml(&folder, "marked.xlsx");
    let [plain, error, warning] = ["C2", "L2", "H3"].map(|cell| style(&xml, cell));
    assert!(plain != error && error != warning && plain != warning, "{plain} {error} {warning}");
    assert_eq!(style(&xml, "N2"), error);
    assert!(
        xml.contains("<comment ref=\"L2\"") && xml.contains("Error: `gmail.com` is a free e-mail provider")
    );

    let all: Vec<Vec<String>> =
        summary.rows().map(|row| row.iter().map(ToString::to_string).collect()).collect();
    let found =
        |name: &str, at: usize| all.iter().find(|row| row[at] == name).unwrap_or_else(|| panic!("{all:?}"));
    assert_eq!(all[0][0], "3 of 3 drafts have errors");
    assert_eq!(found("error", 0)[1], "10");
    assert_eq!(
        found("contact/free-mail", 2)[..2],
        ["error", "Contact e-mail address is at a free e-mail provider"]
    );
    assert_eq!(found("Blue Fern Nursery LLC", 0)[1..], ["1", "1", "3", "0", "0"]);
    assert!(all.iter().any(|row| row[0] == "☐ whether URLs can be reached"), "{all:?}");
}

#[test]
fn a_workbook_comes_back_cell_by_cell() {
    let rows = rows(CLIENTS);
    let notes = vec![vec!["How to fill this in".to_owned(), "x".to_owned()]];
    let book = workbook(&[("Our clients", rows.clone()), ("Notes", notes)]);
    let folder = Folder::new("sent-xlsx").file("clients.xlsx", book);
    let ran = folder.run(&[
        "check",
        "clients.xlsx",
        NOW,
        "--output-format=xlsx=m.xlsx",
        "--output-format=html=m.html",
    ]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let (sheets, names) = sheets(&folder, "m.xlsx");
    assert_eq!(names, ["Our clients", "Summary"]);
    let sheet = &sheets["Our clients"];
    // The sheet begins in B3, and its second row is empty.
    let place = |row: usize| if row == 0 { 2 } else { row + 3 };
    for (at, row) in rows.iter().enumerate() {
        for (column, cell) in row.iter().enumerate() {
            assert_eq!(text(sheet, place(at), column + 3), *cell, "row {at}, column {column}");
        }
    }
    assert_eq!(text(sheet, 2, 1), "Advice");
    assert!(text(sheet, 4, 1).contains("`gmail.com` is a free e-mail provider"));
    let xml = xml(&folder, "m.xlsx");
    // It is read and printed from the left: the advice stays in view, and pages are wide and repeat the names.
    for part in [
        "topLeftCell=\"C4\"",
        "orientation=\"landscape\"",
        "fitToHeight=\"0\"",
        "_xlnm.Print_Titles",
        "wrapText=\"1\"",
    ] {
        assert!(xml.contains(part), "{part}");
    }
    assert!(xml.contains("<comment ref=\"M5\"") && style(&xml, "M5") != style(&xml, "D5"));
    let page = fs::read_to_string(folder.0.join("m.html")).expect("it is there");
    assert!(page.contains(">clients.xlsx: Our clients!K5</span>"), "{page}");
    assert!(
        page.contains("<mark>gmail.com</mark>") || page.contains("<mark>bluefern.salem@gmail.com</mark>"),
        "{page}"
    );
    assert!(page.contains("Blue Fern Nursery LLC <span class=\"counts\">3 errors</span>"), "{page}");
}

#[test]
fn drafts_of_other_formats_are_rows_with_a_column_per_field() {
    let json = include_str!("drafts/cedar-auto.json");
    let folder = Folder::new("sent-json")
        .file("a.json", json)
        .file("b.yaml", "businessName: Acme\nuseCase: Appointments\n")
        .file("broken.json", "{\"businessName\": ")
        .file("clean.json", include_str!("drafts/harbor-dental.json"));
    let files = ["a.json", "b.yaml", "broken.json", "clean.json"];
    let ran = folder.run(&[&["check"], &files[..], &[NOW, "--output-format=xlsx=m.xlsx"]].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let (sheets, names) = sheets(&folder, "m.xlsx");
    assert_eq!(names[1], "Summary");
    let sheet = &sheets["submit-request"];
    assert_eq!([2, 3, 4].map(|it| text(sheet, 0, it)), ["File", "Draft", "Business name"]);
    assert_eq!([2, 3, 4].map(|it| text(sheet, 2, it)), ["b.yaml", "1", "Acme"]);
    assert!(sheet.rows().nth(1).is_some_and(|row| row[4].to_string().starts_with("Cedar")), "{sheet:?}");
    assert!(text(sheet, 2, 1).contains("required fields are missing"), "{sheet:?}");
    assert_eq!(text(sheet, 3, 0), "nothing found by words", "no reader has read it");
    let all: String = sheets.values().flat_map(Range::rows).flatten().map(|it| format!("{it}\n")).collect();
    assert!(all.contains("broken.json"), "what could not be read is told too: {all}");
}

#[test]
fn text_of_a_draft_is_no_formula() {
    let formula = "=HYPERLINK(\"http://evil.example\")";
    let table = format!(
        "businessName,useCaseSummary,businessCity,businessState\n\"{}\",+1+1,-2,\"@SUM(A1)\u{1b}[31m\u{202e}x_x0041_\"\n",
        formula.replace('"', "\"\"")
    );
    let folder = Folder::new("sent-formula").file("=1+1.csv", table);
    folder.run(&["check", "=1+1.csv", NOW, "--output-format=xlsx=m.xlsx"]);
    let (sheets, names) = sheets(&folder, "m.xlsx");
    let sheet = &sheets[&names[0]];
    assert_eq!([2, 3, 4].map(|it| text(sheet, 1, it)), [formula, "+1+1", "-2"]);
    let cell = text(sheet, 1, 5);
    assert!(cell.starts_with("@SUM(A1)␛[31m\u{fffd}x_x"), "{cell}");
    let xml = xml(&folder, "m.xlsx");
    for part in ["<f>", "<f ", "<hyperlink", "t=\"str\""] {
        assert!(!xml.contains(part), "{part}");
    }
    // A cell that is edited stays text.
    let styles = xml.split("<cellXfs").nth(1).expect("there are styles");
    assert!(styles.contains("numFmtId=\"49\""), "{styles}");
}

#[test]
fn reports_are_the_same_for_any_number_of_threads() {
    let (head, body) = CLIENTS.split_once('\n').expect("a head");
    let rows: String = (0..150).map(|at| body.replace(" LLC", &format!(" {at} LLC"))).collect();
    let folder = Folder::new("sent-jobs")
        .file("a.csv", format!("{head}\n{rows}"))
        .file("b.csv", format!("{head}\n{body}"));
    for format in ["html", "xlsx"] {
        let report = |jobs: &str| {
            let name = format!("{jobs}.{format}");
            let target = format!("--output-format={format}={name}");
            let ran = folder.run(&["check", "a.csv", "b.csv", NOW, "--jobs", jobs, &target]);
            assert_eq!(ran.code, Some(1), "{ran:?}");
            fs::read(folder.0.join(name)).expect("it is there")
        };
        assert!(report("1") == report("4"), "{format}");
    }
}

#[test]
fn a_page_says_what_is_wrong_first_and_the_rule_last() {
    let folder = Folder::new("sent-page").file("clients.csv", CLIENTS);
    let ran = folder.run(&["check", "clients.csv", NOW, "--output-format=html"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let page = &ran.out;
    assert!(page.starts_with("<!doctype html>\n<html lang=\"en\">"), "{page}");
    assert!(
        page.contains("<h1>3 of 3 drafts have errors</h1>")
            && page.contains("checked on 2026-11-21 08:00 UTC")
    );
    let article =
        page.split("<article").find(|it| it.contains("bit.ly</code> is a public")).expect("there is one");
    let order = [
        "<code>bit.ly</code> is a public link shortener.",
        "Link to a page at your own domain over https.",
        "<blockquote>Your order is on its way: <mark>https://bit.ly/tidewell</mark></blockquote>",
        "class=\"field\">Message_Content",
        "clients.csv, row 4",
        "message/public-shortener</code>",
    ];
    let places: Vec<_> =
        order.iter().map(|text| article.find(text).unwrap_or_else(|| panic!("{text}: {article}"))).collect();
    assert!(places.is_sorted(), "{places:?}");
    for item in ["whether URLs can be reached", "earlier submissions of the numbers"] {
        assert!(page.contains(item), "{item}");
    }
    // Nothing is loaded, and nothing is sent.
    for part in ["<link", "src=", "url(", "@import", "fetch(", "XMLHttp", "<form action"] {
        assert!(!page.contains(part), "{part}");
    }
    let order: Vec<&str> =
        page.split("class=\"f ").skip(1).filter_map(|part| part.split('"').next()).collect();
    let by_client = page.split("<section class=\"group\"").skip(1);
    assert_eq!(by_client.clone().count(), 3, "{order:?}");
    let first = by_client.map(|section| section.matches("class=\"f error\"").count());
    assert!(first.is_sorted_by(|a, b| a >= b), "clients with more errors come first");
}

#[test]
fn many_findings_are_bounded_and_what_is_left_out_is_said() {
    let (head, body) = CLIENTS.split_once('\n').expect("a head");
    let mut folder = Folder::new("sent-many");
    for file in 0..10 {
        folder = folder.file(&format!("{file}.csv"), format!("{head}\n{}", body.repeat(110)));
    }
    let ran = folder.run(&["check", ".", NOW, "--output-format=html=r.html", "--output-format=xlsx=r.xlsx"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains(" findings left out of the HTML report, which shows at most 5000\n"), "{ran:?}");
    let page = fs::read_to_string(folder.0.join("r.html")).expect("it is there");
    assert!(page.len() < 8 << 20, "{}", page.len());
    assert_eq!(page.matches("<article").count(), 5_000);
    assert_eq!(page.matches("<article class=\"f error").count(), 5_000, "errors first");
    assert!(page.contains(" more</summary>") && page.contains(" more findings, left out of this page"));
    assert!(page.contains("This page shows 5000 of "), "it says how many are left out");
    let (sheets, names) = sheets(&folder, "r.xlsx");
    assert_eq!(names.len(), 11);
    let rows: usize =
        sheets.iter().filter(|(name, _)| *name != "Summary").map(|(_, it)| it.height() - 1).sum();
    assert_eq!(rows, 10 * 110 * 3);
}

#[test]
fn a_workbook_does_not_go_where_people_read() {
    let folder = Folder::new("sent-stream").file("a.json", "{\"businessName\": \"Acme\"}");
    let ran = folder.run(&["gate", "a.json", "--history=sqlite:h.db", "--output-format=xlsx"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    let told = "`xlsx` is not text; write it to a file: --output-format xlsx=report.xlsx";
    assert!(ran.err.contains(told), "{ran:?}");
    #[cfg(unix)]
    {
        let terminal = nix::pty::openpty(None, None).expect("there are terminals");
        let mut command = folder.command(&["check", "a.json", "--output-format=xlsx"]);
        let output = command.stdout(terminal.slave).output().expect("tollproof starts");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(told), "{output:?}");
    }
    let ran = folder.run(&["check", "a.json", "--output-format=xlsx"]);
    assert!(ran.code == Some(1) && ran.out.contains("<worksheet"), "a pipe takes it");
}
