//! Tables as offices have them: titles, names of columns, encodings, empty cells.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::support::Folder;
use crate::workbooks::workbook;

const CLIENTS: &str = include_str!("drafts/bulk-csv/clients.csv");

/// The rows of the clients, the field names first.
fn rows() -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(CLIENTS.as_bytes());
    reader.records().map(|record| record.expect("it is CSV").iter().map(str::to_owned).collect()).collect()
}

/// The clients, of which `change` gets the rows.
fn clients(change: impl Fn(&mut Vec<Vec<String>>)) -> Vec<Vec<String>> {
    let mut rows = rows();
    change(&mut rows);
    rows
}

/// Sets the value of a column in a row.
fn set(rows: &mut [Vec<String>], row: usize, column: &str, value: &str) {
    let at = rows[0].iter().position(|it| it == column).expect("there is such a column");
    rows[row][at] = value.to_owned();
}

fn written(rows: &[Vec<String>], delimiter: u8) -> String {
    let mut table = csv::WriterBuilder::new().delimiter(delimiter).flexible(true).from_writer(Vec::new());
    rows.iter().for_each(|row| table.write_record(row).expect("in memory"));
    String::from_utf8(table.into_inner().expect("in memory")).expect("cells are text")
}

/// Findings in a table: the rule and the message of each finding, with its line and column.
fn found(name: &str, table: impl AsRef<[u8]>, settings: &str) -> (Option<i32>, Vec<String>) {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let own = format!("tables-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = Folder::new(&own).file(name, table.as_ref()).file("tollproof.yaml", settings);
    let ran = folder.run(&["check", "--output-format", "concise", name]);
    let lines = ran.out.lines().filter_map(|it| it.strip_prefix(name));
    let lines = lines.filter_map(|it| it.strip_prefix(':')).map(str::to_owned).collect();
    assert!(ran.err.is_empty(), "{ran:?}");
    (ran.code, lines)
}

/// Findings in the clients after a change.
fn of_clients(change: impl Fn(&mut Vec<Vec<String>>)) -> Vec<String> {
    found("clients.csv", written(&clients(change), b','), "").1
}

const OWN_NAMES: [(&str, &str); 3] = [("Business_Name", "Company"), ("Zip", "ZIP Code"), ("City", "Town")];

fn with_own_names(rows: &mut [Vec<String>]) {
    for (column, own) in OWN_NAMES {
        set(rows, 0, column, own);
    }
}

#[test]
fn rows_above_the_field_names_are_named_once() {
    let title = vec!["Client list".to_owned(), "Spring".to_owned()];
    let said = "1:1: warning[input/header] the first row has no field names; a row below it has them";
    assert_eq!(of_clients(|rows| rows.insert(0, title.clone())), [said]);
    let large = clients(|rows| {
        let all = rows[1..].to_vec();
        (0..100).for_each(|_| rows.extend(all.clone()));
        rows.insert(0, title.clone());
    });
    let (_, lines) = found("large.csv", written(&large, b','), "");
    let others = lines.iter().filter(|it| !it.contains("history/duplicate-in-batch"));
    assert_eq!(others.collect::<Vec<_>>(), [said], "a file that is read in parts");
    let book = workbook(&[("Clients", clients(|rows| rows.insert(0, title.clone())))]);
    let ran =
        Folder::new("tables-title").file("a.xlsx", book).run(&["check", "--output-format=concise", "a.xlsx"]);
    assert!(ran.out.starts_with("a.xlsx: Clients!B3:1:1: warning[input/header]"), "{ran:?}");
    assert!(ran.out.contains("3 documents for the bulk sheet checked: 0 errors, 1 warning."), "{ran:?}");
}

#[test]
fn a_column_with_a_name_of_its_own_is_one_finding() {
    let lines = of_clients(|rows| with_own_names(rows));
    let unknown = lines.iter().filter(|it| it.contains("structure/unknown-field"));
    assert_eq!(unknown.count(), OWN_NAMES.len(), "{lines:?}");
    let table = written(&clients(|rows| with_own_names(rows)), b',');
    let folder = Folder::new("tables-fix").file("clients.csv", table);
    folder.run(&["check", "--no-config", "--fix", "--unsafe-fixes", "clients.csv"]);
    let fixed = std::fs::read_to_string(folder.0.join("clients.csv")).expect("it is there");
    assert!(fixed.starts_with("Business_Name,") && fixed.contains(",Zip,"), "{}", &fixed[..200]);
}

#[test]
fn settings_map_columns_for_check_and_convert() {
    let settings: String = OWN_NAMES.iter().map(|(field, own)| format!("  {own}: {field}\n")).collect();
    let settings = format!("columns:\n{settings}").replace("ZIP Code", "zip_code");
    let rows = clients(|rows| with_own_names(rows));
    assert_eq!(found("clients.csv", written(&rows, b','), &settings).1, [""; 0]);
    let folder = Folder::new("tables-map")
        .file("tollproof.yaml", settings)
        .file("clients.csv", written(&rows, b','))
        .file("clients.xlsx", workbook(&[("S", rows)]));
    let ran = folder.run(&["convert", "clients.csv", "--to", "telnyx"]);
    assert!(ran.out.contains("\"businessName\":\"Blue Fern Nursery LLC\""), "{ran:?}");
    let ran = folder.run(&["check", "clients.xlsx"]);
    assert!(
        ran.out.starts_with("3 documents for the bulk sheet checked, nothing found by words."),
        "{ran:?}"
    );
}

#[test]
fn one_column_may_be_spelled_in_another_way() {
    let spell = |change: fn(usize, &str) -> String| {
        of_clients(|rows| {
            let names = rows[0].iter().enumerate().map(|(at, name)| change(at, name)).collect();
            rows[0] = names;
        })
    };
    for change in [
        |at: usize, name: &str| if at == 0 { name.replace('_', " ") } else { name.to_owned() },
        |_: usize, name: &str| name.replace('_', " "),
        |_: usize, name: &str| name.replace('_', " ").to_uppercase(),
    ] {
        assert_eq!(spell(change), [""; 0]);
    }
}

#[test]
fn a_table_is_read_in_the_encodings_of_excel() {
    let rows = clients(|rows| set(rows, 1, "Business_Name", "Café Bleuet – Nursery LLC"));
    for delimiter in [b';', b'\t'] {
        let text = written(&rows, delimiter);
        let utf8 = found("a.csv", &text, "");
        let marked = format!("\u{feff}{text}");
        let wide: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(found("a.csv", &marked, ""), utf8, "Excel needs a byte order mark");
        assert_eq!(found("a.csv", wide, ""), utf8);
    }
    let text = written(&rows, b';');
    let bytes: Vec<u8> = text
        .chars()
        .map(|character| if character == '–' { 0x96 } else { u8::try_from(character).expect("Latin") })
        .collect();
    let mut expected = found("a.csv", &text, "").1;
    expected.insert(0, "2:4: warning[input/encoding] the letter `é` is stored as Windows-1252, not as UTF-8, and there are more".to_owned());
    assert_eq!(found("a.csv", &bytes, "").1, expected);
    let folder = Folder::new("tables-1252").file("a.csv", &bytes);
    let ran = folder.run(&["check", "--no-config", "--fix", "--unsafe-fixes", "a.csv"]);
    assert!(ran.err.contains("is not changed: it is not all UTF-8"), "{ran:?}");
    assert_eq!(std::fs::read(folder.0.join("a.csv")).expect("it is there"), bytes);
}

#[test]
fn a_letter_that_is_not_utf8_is_read_in_every_part() {
    let many = clients(|rows| {
        set(rows, 0, "City", "City (à)");
        let all = rows[1..].to_vec();
        (0..100).for_each(|_| rows.extend(all.clone()));
    });
    let bytes: Vec<u8> =
        written(&many, b';').chars().map(|character| u8::try_from(character).expect("Latin")).collect();
    let (_, lines) = found("a.csv", bytes, "");
    let others = lines.iter().filter(|it| !it.contains("history/duplicate-in-batch"));
    assert!(others.clone().all(|it| it.contains("input/encoding")), "{:?}", others.collect::<Vec<_>>());
}

#[test]
fn what_is_wrong_with_the_names_is_said_once() {
    let (code, lines) = found("clients.csv", written(&rows()[1..], b','), "");
    assert_eq!(
        lines,
        ["1:1: error[structure/unknown-kind] none of the 18 columns is a field, so no row is checked"]
    );
    assert_eq!(code, Some(1));
    let twice = of_clients(|rows| {
        rows.iter_mut()
            .enumerate()
            .for_each(|(at, row)| row.push(if at == 0 { "State" } else { "OR" }.to_owned()))
    });
    let named: Vec<&String> = twice.iter().filter(|it| it.contains("input/duplicate-key")).collect();
    assert!(matches!(named[..], [it] if it.contains("two columns have the name `State`")), "{twice:?}");
}

#[test]
fn a_state_tells_the_country_where_the_sheet_does_not() {
    for (state, zip, said) in [
        ("ME", "4101", "`4101` has lost its leading zero"),
        ("MA", "2134", "`2134` has lost its leading zero"),
        ("ID", "99999", "`99999` is a postal code of Alaska, not of Idaho"),
        ("ON", "K1A 0B1X", "is not a postal code of Canada"),
    ] {
        let lines = of_clients(|rows| {
            set(rows, 1, "State", state);
            set(rows, 1, "Zip", zip);
        });
        assert!(matches!(&lines[..], [it] if it.contains(said)), "{state} {zip}: {lines:?}");
    }
}

/// Optional fields whose values have a form.
fn is_optional(key: &str) -> bool {
    [
        "BusinessStreetAddress2",
        "HelpMessageSample",
        "PrivacyPolicyUrl",
        "TermsAndConditionsUrl",
        "AgeGatedContent",
    ]
    .contains(&key)
}

#[test]
fn an_empty_cell_is_a_field_that_is_absent() {
    let sample: Value =
        serde_json::from_str(include_str!("../schemas/twilio/samples/submit-request.json")).expect("JSON");
    let fields: Vec<(&String, &Value)> =
        sample.as_object().expect("an object").iter().filter(|(_, it)| !it.is_object()).collect();
    let cell = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    };
    let table = |is_kept: fn(&str) -> bool| -> Vec<Vec<String>> {
        let columns = || fields.iter().filter(|(key, _)| is_kept(key));
        vec![columns().map(|(key, _)| (*key).clone()).collect(), columns().map(|(_, it)| cell(it)).collect()]
    };
    let own = table(|key| !is_optional(key));
    let mut wide = table(|_| true);
    for at in 0..wide[0].len() {
        if is_optional(&wide[0][at]) {
            wide[1][at] = String::new();
        }
    }
    assert!(wide[0].len() > own[0].len(), "the sample has optional fields");
    let rules = |rows: &[Vec<String>]| -> Vec<String> {
        let lines = found("a.csv", written(rows, b','), "").1;
        lines.iter().filter_map(|line| Some(line.split_once(": ")?.1.to_owned())).collect()
    };
    assert_eq!(rules(&wide), rules(&own));
}

#[test]
fn every_format_names_the_other_draft_with_a_number() {
    let table = written(&clients(|rows| set(rows, 3, "Phone_Numbers", "+18449172653")), b',');
    let folder = Folder::new("tables-twice").file("clients.csv", table);
    for format in ["full", "narrated", "concise", "markdown", "github", "gitlab", "junit"] {
        let ran = folder.run(&["check", "--no-config", "--output-format", format, "clients.csv"]);
        let text = ran.out.replace("&#58;", ":").replace("%3A", ":");
        assert!(
            ["clients.csv:2", " 2 │", "at line 2"].iter().any(|it| text.contains(it)),
            "{format}: {}",
            ran.out
        );
    }
}

/// The clients with headings that people write in French, and one column that is not a field.
fn french() -> Vec<Vec<String>> {
    let headings = [
        "Raison sociale",
        "Site web",
        "Adresse",
        "Adresse 2",
        "Ville",
        "Province",
        "Code postal",
        "Prénom",
        "Nom de famille",
        "Courriel",
        "Téléphone",
        "Volume mensuel",
        "Numéro sans frais",
        "Cas d’usage",
        "Résumé",
        "Exemple de message",
        "Consentement",
        "Images",
        "Documents",
        "Revendeur",
        "Réf. interne",
    ];
    clients(|rows| rows[0] = headings.map(str::to_owned).to_vec())
}

#[test]
fn unknown_headings_are_one_finding_with_the_setting_to_paste() {
    let table = written(&french(), b',');
    let folder = Folder::new("headings").file("a.csv", &table);
    let ran = folder.run(&["check", "--no-config", "--format", "json", "a.csv"]);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let findings = report["findings"].as_array().expect("a list");
    assert_eq!(
        (findings.len(), &findings[0]["rule"]),
        (1, &Value::from("structure/unknown-kind")),
        "{ran:?}"
    );
    assert_eq!((ran.code, &report["summary"]["skipped"]), (Some(1), &Value::from(3)));
    let help = findings[0]["help"].as_str().expect("it has help");
    let (_, setting) = help.split_once("columns:").expect("it has the setting");
    for pair in [
        "Ville: City",
        "Code postal: Zip",
        "Raison sociale: Business_Name",
        "Consentement: Opt_In_Workflow_Description",
    ] {
        assert!(setting.contains(pair), "{pair}: {help}");
    }
    let folder = folder.file("tollproof.yaml", format!("columns:{setting}"));
    let ran = folder.run(&["check", "--format", "concise", "a.csv"]);
    assert!(
        ran.out.contains("3 documents for the bulk sheet checked") && !ran.out.contains("error["),
        "{ran:?}"
    );
}

#[test]
fn findings_name_the_heading_of_the_reader() {
    let rows = clients(|rows| {
        set(rows, 1, "Zip", "9730");
        let at = rows[0].iter().position(|cell| cell == "Zip").expect("there is one");
        rows[0][at] = "Code postal".to_owned();
        set(rows, 2, "Code postal", "");
    });
    let (_, lines) = found("a.csv", written(&rows, b','), "columns: { Code postal: Zip }");
    assert!(lines.iter().any(|line| line.contains("`Code postal`")), "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains("`Zip`")), "{lines:?}");
}

#[test]
fn one_known_heading_does_not_make_a_table_of_drafts() {
    let mut rows = french();
    rows[0][13] = "Use case".to_owned();
    let (code, lines) = found("a.csv", written(&rows, b','), "");
    assert!(matches!(&lines[..], [it] if it.contains("only 1 of the 21 columns are fields")), "{lines:?}");
    assert_eq!(code, Some(1));
}

#[test]
fn a_missing_column_is_one_finding() {
    let without = |name: &str| {
        let at = rows()[0].iter().position(|cell| cell == name).expect("there is such a column");
        clients(|rows| rows.iter_mut().for_each(|row| drop(row.remove(at))))
    };
    for option in [&["--format", "concise"][..], &["--format", "concise", "--for", "bandwidth"]] {
        let folder = Folder::new("missing-column").file("a.csv", written(&without("Zip"), b','));
        let ran = folder.run(&[&["check", "--no-config", "a.csv"], option].concat());
        assert_eq!(ran.out.to_lowercase().matches("zip` is missing").count(), 1, "{ran:?}");
        assert!(ran.out.contains("a.csv:1:1: "), "{ran:?}");
    }
    let empty = of_clients(|rows| (1..4).for_each(|row| set(rows, row, "Zip", "")));
    assert_eq!(empty.len(), 3, "{empty:?}");
}

#[test]
fn each_sheet_that_is_not_read_is_named() {
    let notes = || vec![vec!["Lisez-moi".to_owned()], vec!["Remplissez la feuille.".to_owned()]];
    let check = |sheets: &[(&str, Vec<Vec<String>>)]| {
        let folder = Folder::new("unread").file("d/a.xlsx", workbook(sheets));
        let html = ["--output-format", "html=report.html", "--output-format", "json"];
        let ran = folder.run(&[&["check", "--no-config", "d/a.xlsx"], &html[..]].concat());
        let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
        let of = |key: &str| {
            let all = report["findings"].as_array().expect("a list").iter();
            let all = all.filter(|finding| finding["rule"] == "structure/unknown-kind");
            all.map(|finding| finding[key].as_str().expect("a text").to_owned()).collect::<Vec<_>>()
        };
        let page = std::fs::read_to_string(folder.0.join("report.html")).expect("it was written");
        let walked = folder.run(&["check", "--no-config", "--format", "concise", "d"]);
        (ran.code, of("file"), of("severity"), report["summary"]["skipped"].clone(), page, walked)
    };
    let (code, files, severities, skipped, page, walked) =
        check(&[("Lisez-moi", notes()), ("Clients", rows()), ("Novembre", french())]);
    assert_eq!(files, ["d/a.xlsx: Lisez-moi!B3", "d/a.xlsx: Novembre!B3"]);
    assert_eq!((code, severities, skipped), (Some(0), vec!["warning".to_owned(); 2], Value::from(4)));
    assert!(page.contains("of the 21 columns is a field, so no row is checked"), "the page names the sheet");
    assert!(walked.out.contains("Novembre!B3") && walked.out.contains("4 documents skipped"), "{walked:?}");
    // Nothing was read: an error in a file that was named, and no draft in a folder.
    for sheets in [&[("Lisez-moi", notes()), ("Novembre", french())][..], &[("Novembre", french())]] {
        let (code, _, severities, _, _, walked) = check(sheets);
        assert_eq!((code, severities), (Some(1), vec!["error".to_owned(); sheets.len()]));
        assert!(walked.out.is_empty() && walked.err.contains("nothing to check"), "{walked:?}");
    }
}

#[test]
fn headings_of_the_page_are_read_in_three_languages() {
    let draft = include_str!("drafts/bandwidth/quarry-lane.json");
    let fields = [
        ("Business name", "Nom légal de l’entreprise", "/businessAddress/name"),
        ("Street address", "Rue et numéro", "/businessAddress/addr1"),
        ("City", "Ville", "/businessAddress/city"),
        ("State or province", "État ou province", "/businessAddress/state"),
        ("ZIP or postal code", "Code postal", "/businessAddress/zip"),
        ("Website", "Site web", "/businessAddress/url"),
        ("First name", "Prénom du contact", "/businessContact/firstName"),
        ("Last name", "Nom du contact", "/businessContact/lastName"),
        ("E-mail address", "Courriel du contact", "/businessContact/email"),
        ("Monthly message volume", "Messages par mois", "/messageVolume"),
        ("Toll-free numbers", "Numéros sans frais", "/phoneNumbers/0"),
        ("Sample message", "Exemple de message", "/productionMessageContent"),
    ];
    let json: Value = serde_json::from_str(draft).expect("a draft is JSON");
    let cells = fields.map(|(.., pointer)| match json.pointer(pointer) {
        Some(Value::String(text)) => text.clone(),
        other => other.map(ToString::to_string).unwrap_or_default(),
    });
    for french in [false, true] {
        let heads = fields.map(|(en, fr, _)| if french { fr } else { en }.to_owned());
        let table = written(&[heads.to_vec(), cells.to_vec()], b',');
        let folder = Folder::new("page-headings").file("a.csv", table);
        let ran = folder.run(&["check", "--no-config", "--format", "json", "a.csv"]);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        let findings = report["findings"].as_array().expect("a list");
        assert!(findings.iter().all(|finding| finding["provider"] == "bandwidth"), "{}", ran.out);
        assert!(
            !ran.out.contains("businessAddress/city") && !ran.out.contains("unknown-field"),
            "{}",
            ran.out
        );
    }
}
