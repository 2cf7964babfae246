//! Files read into values, and values written as files.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tollproof_core::convert::Conversion;
use tollproof_core::document::{Node, SyntaxErrorKind, Value};
use tollproof_core::{
    Format, Kind, KindHint, LineIndex, Parsed, ReadField, Source, kind_of, payload, schema,
};
use tollproof_sheets::{CellProblem, WrittenTable};

use crate::language;
use crate::text::ListedDocument;
use crate::yaml;

/// The content of a file, in the shape of `Read` in `npm/src/types.ts`.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct FileContent {
    format: &'static str,
    provider: Option<&'static str>,
    documents: Vec<ReadDocument>,
    /// Whether letters could not be read, and are question marks.
    is_damaged: bool,
    /// The unreadable parts.
    problems: Vec<Problem>,
    /// The fields that a program computes, which no document has.
    computed: Vec<String>,
}

/// An unreadable part of a file.
#[derive(Debug, Serialize)]
struct Problem {
    message: String,
    help: Option<String>,
    /// The index of the document.
    document: usize,
    line: usize,
    /// In code points.
    column: usize,
}

/// A document of a file.
#[derive(Debug, Serialize)]
struct ReadDocument {
    value: Box<RawValue>,
    /// The row in its table, as people count.
    row: Option<usize>,
    /// The name of the business, or where the document is.
    label: String,
    provider: Option<&'static str>,
    kind: Option<&'static str>,
    /// The lines of notes that no field has; those with the same label are one.
    unread: Vec<UnreadLine>,
}

/// A label of notes of which no field was read, with what is written after it.
#[derive(Debug, Serialize)]
struct UnreadLine {
    label: String,
    text: String,
}

/// A sheet of a workbook, as `workbooks/` writes it.
#[derive(Debug, Deserialize)]
struct SheetText {
    name: String,
    csv: String,
    /// The 0-based row in the sheet of each row of the table.
    rows: Vec<usize>,
}

/// Reads a file in any format of text.
pub(crate) fn read(bytes: Vec<u8>, name: &str) -> String {
    let source = Source::from_bytes(name, bytes);
    let parsed = Parsed::of(&source, None);
    let mut content = FileContent::new(parsed.format().name());
    add(&parsed, "", &[], &mut content);
    content.written()
}

/// Reads the sheets of a workbook, which are JSON.
pub(crate) fn read_sheets(sheets: &str, name: &str) -> Result<String, String> {
    let sheets: Vec<SheetText> = serde_json::from_str(sheets).map_err(|error| error.to_string())?;
    let mut content = FileContent::new("xlsx");
    for sheet in sheets {
        let source = Source::from_bytes(format!("{name}: {}", sheet.name), sheet.csv.into_bytes());
        let parsed = Parsed::of(&source, Some(Format::Csv));
        // In the sheets after the first, only drafts count.
        let whole = parsed.whole();
        let is_draft = whole
            .documents()
            .any(|document| ListedDocument::of(&document, KindHint::Discovered).provider().is_some());
        if content.documents.is_empty() || is_draft {
            add(&parsed, &format!("{}, ", sheet.name), &sheet.rows, &mut content);
        }
    }
    Ok(content.written())
}

impl FileContent {
    fn new(format: &'static str) -> Self {
        Self { format, ..Self::default() }
    }

    /// The content as JSON, with its provider.
    fn written(mut self) -> String {
        self.provider = most_frequent(self.documents.iter().filter_map(|it| it.provider));
        serde_json::to_string(&self).expect("its keys are strings")
    }
}

/// Adds the documents of a text, and what could not be read of it. `rows` are the 0-based rows of a sheet that it has.
fn add(parsed: &Parsed<'_>, sheet: &str, rows: &[usize], content: &mut FileContent) {
    let whole = parsed.whole();
    let place = if parsed.format() == Format::Csv { "row" } else { "document" };
    let mut places = LineIndex::new(parsed.source());
    let language = language::chosen();
    let (mut row, mut end) = (0, 0);
    for document in whole.documents() {
        for error in &document.syntax_errors {
            let position = places.at(error.span.start);
            content.is_damaged |= error.problem == SyntaxErrorKind::Encoding;
            // A title above the field names does no harm here.
            let help = error.help.as_ref().filter(|_| error.problem != SyntaxErrorKind::Header);
            content.problems.push(Problem {
                message: format!("{sheet}{}", language.message(&error.message)),
                help: help.map(|help| language.message(help).into()),
                document: content.documents.len(),
                line: position.line,
                column: position.column,
            });
        }
        let Some(root) = &document.document().root else { continue };
        let cells = root.span.range();
        row += rows_in(parsed.source().text().get(end..cells.start).unwrap_or_default());
        end = cells.end;
        let listed = ListedDocument::of(&document, KindHint::Explicit);
        let label =
            listed.label().map_or_else(|| format!("{sheet}{place} {}", document.index + 1), str::to_owned);
        let (provider, kind) = (listed.provider(), listed.kind());
        let known = kind_of(&document, KindHint::Explicit);
        let filled = if parsed.format().is_data() {
            // As a check sees a row: an empty cell of an optional field is not sent.
            known.and_then(|kind| schema::without_empty_cells(kind, root))
        } else {
            // Notes and programs have more than drafts; theirs are opened as payloads.
            let Some(kind) = known else { continue };
            let computed = ReadField::of(root).into_iter().filter(ReadField::is_computed);
            content.computed.extend(computed.map(|field| field.name));
            let draft = kind.new_draft(&root.without_computed(), kind.provider());
            draft.map(
                |draft| if parsed.format() == Format::Notes { whole_notes(draft, root) } else { draft.root },
            )
        };
        // A number as only YAML writes it, such as `00745`, is a text.
        let value = serde_json::to_string(filled.as_ref().unwrap_or(root)).expect("its keys are strings");
        let value = raw(&value);
        let row = (parsed.format() == Format::Csv).then(|| rows.get(row).copied().unwrap_or(row) + 1);
        let mut unread: Vec<UnreadLine> = Vec::new();
        for part in document.document().untaken().iter().filter(|part| !part.text.is_empty()) {
            match unread.iter_mut().find(|line| line.label == part.name) {
                Some(line) => line.text = format!("{}\n{}", line.text, part.text),
                None => unread.push(UnreadLine { label: part.name.clone(), text: part.text.clone() }),
            }
        }
        content.documents.push(ReadDocument { value, row, label, provider, kind, unread });
    }
}

/// The number of rows that end in a part of a table.
fn rows_in(part: &str) -> usize {
    let mut is_quoted = false;
    let is_end = |byte: &u8| {
        is_quoted ^= *byte == b'"';
        *byte == b'\n' && !is_quoted
    };
    part.bytes().filter(is_end).count()
}

/// The draft of notes, with what its provider has no field for: they may be for another provider.
fn whole_notes<'s>(draft: Conversion<'s>, notes: &Node<'s>) -> Node<'s> {
    let Conversion { mut root, left_out, .. } = draft;
    if let Value::Object(members) = &mut root.value {
        let is_left = |key: &str| left_out.iter().any(|left| left.field == key);
        members.extend(notes.members().iter().filter(|member| is_left(&member.key)).cloned());
    }
    root
}

/// A file that was written, in the shape of `Written` in `npm/src/types.ts`.
#[derive(Debug, Serialize)]
struct WrittenFile {
    text: String,
    notes: Vec<WrittenNote>,
}

/// A problem with a table cell.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct WrittenNote {
    document: usize,
    name: String,
    is_formula: bool,
    reason: String,
}

/// Writes drafts of a kind as a file: `json`, `yaml` or `csv`.
pub(crate) fn write(values: &str, format: &str, kind: Kind) -> Result<String, String> {
    let source = Source::new("drafts", values);
    let parsed = Parsed::of(&source, Some(Format::Json));
    let whole = parsed.whole();
    let roots: Vec<&Node<'_>> =
        whole.documents().filter_map(|draft| draft.document().root.as_ref()).collect();
    let ordered: Vec<String> = roots.iter().map(|root| payload(root, kind)).collect();
    let table = match format {
        "csv" => tollproof_sheets::csv(kind, roots).map_err(|error| error.to_string())?,
        "json" | "yaml" => {
            let text = format!("[{}]", ordered.join(","));
            let source = Source::new("drafts", text);
            let parsed = Parsed::of(&source, Some(Format::Json));
            let whole = parsed.whole();
            let roots: Vec<&Node<'_>> =
                whole.documents().filter_map(|draft| draft.document().root.as_ref()).collect();
            WrittenTable::of(if format == "json" { json(&roots) } else { yaml(&roots) })
        }
        _ => return Err(format!("unknown format `{format}`; use json, yaml or csv")),
    };
    let notes = table.notes.into_iter().map(|note| WrittenNote {
        document: note.draft,
        is_formula: note.problem == CellProblem::Formula,
        reason: note.problem.to_string(),
        name: note.field,
    });
    let written = WrittenFile { notes: notes.collect(), text: table.text };
    Ok(serde_json::to_string(&written).expect("its keys are strings"))
}

fn yaml(roots: &[&Node<'_>]) -> String {
    roots.iter().map(|root| yaml::document(root)).collect::<Vec<_>>().join("---\n")
}

fn json(roots: &[&Node<'_>]) -> String {
    let text = match roots {
        [one] => serde_json::to_string_pretty(one),
        all => serde_json::to_string_pretty(all),
    };
    text.expect("its keys are strings") + "\n"
}

/// The value that occurs most often; of several, the first.
fn most_frequent<T: PartialEq + Copy>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: Vec<(T, usize)> = Vec::new();
    for value in values {
        match counts.iter_mut().find(|(it, _)| *it == value) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max()?;
    counts.iter().find(|(_, count)| *count == most).map(|(value, _)| *value)
}

fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).expect("it was written as JSON")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{read, read_sheets};

    #[test]
    fn a_number_with_a_leading_zero_is_a_text() {
        let found: Value =
            serde_json::from_str(&read(b"BusinessPostalCode: 00745\n".into(), "")).expect("it is JSON");
        assert_eq!(found["documents"][0]["value"], json!({ "BusinessPostalCode": "00745" }));
    }

    #[test]
    fn a_draft_has_the_row_of_its_sheet() {
        let rows = |content: String| -> Vec<Value> {
            let found: Value = serde_json::from_str(&content).expect("it is JSON");
            assert_eq!(found["problems"][0]["help"], Value::Null, "{found}");
            found["documents"]
                .as_array()
                .expect("it has documents")
                .iter()
                .map(|document| document["row"].clone())
                .collect()
        };
        let names = "\"Business\nName\",City,Zip";
        let text = format!("Clinics,,\n{names}\nFern,\"Old\nTown\",00745\n,,\nOak,Gary,46402\n");
        assert_eq!(rows(read(text.into(), "clinics.csv")), [3, 5]);
        let csv = format!("Clinics,,\n{names}\nFern,Erie,16501\n");
        let sheets = json!([{ "name": "Clinics", "csv": csv, "rows": [0, 3, 7] }]);
        assert_eq!(rows(read_sheets(&sheets.to_string(), "clinics.xlsx").expect("it has a sheet")), [8]);
    }

    /// Notes of a person who has the names of the fields from nowhere.
    const NOTES: &str = "Nombre legal: Patitas Felices Inc\nEIN: 66-0894512\nDirección: Calle Muñoz Rivera 45, Caguas, PR 00725\n\
                         Contacto: Yadira Colón Meléndez\nCorreo: yadira@patitasandco.com\nTeléfono: 787 743 2816\nNúmero: 833 482 1907\n\
                         Para qué: recordatorios de citas de grooming y avisar cuando la mascota esta lista\n\
                         Mensaje de ejemplo: Hola! Luna tiene su cita de grooming mañana a las 10am. Contesta C para confirmar\n\
                         Cómo aceptan: en el checkout marcan la cajita \"Acepto los términos y recibir mensajes\"\n\
                         Página: patitasandco.com\nPolítica: patitasandco.com/privacidad\nMensajes al mes: como 900\nApodo: Patitas\n\
                         Número: +1 (833) 482-1907\nCorreo: otra@patitasandco.com\n";

    #[test]
    fn each_line_of_notes_is_a_field_or_named_as_unread() {
        let with_header = ["", "Telnyx - lo q puse\n", "Telnyx:\n", "lo q puse en el formulario\n"];
        for header in with_header {
            let found: Value =
                serde_json::from_str(&read(format!("{header}{NOTES}").into(), "")).expect("it is JSON");
            assert_eq!(found["format"], "notes", "{header}");
            let document = &found["documents"][0];
            let mut value = document["value"].clone();
            if !header.starts_with("Telnyx") {
                let converted =
                    crate::convert::convert(&value.to_string(), "bird", "telnyx").expect("it is a draft");
                let converted: Value = serde_json::from_str(&converted).expect("it is JSON");
                // The number of messages is one of several steps.
                assert_eq!(converted["left"].as_array().map(Vec::len), Some(1), "{header}: {converted}");
                value = converted["value"].clone();
            }
            for (field, wanted) in [
                ("businessName", json!("Patitas Felices Inc")),
                ("businessAddr1", json!("Calle Muñoz Rivera 45")),
                ("businessCity", json!("Caguas")),
                ("businessState", json!("Puerto Rico")),
                ("businessZip", json!("00725")),
                ("businessContactFirstName", json!("Yadira")),
                ("businessContactLastName", json!("Colón Meléndez")),
                ("businessContactEmail", json!("yadira@patitasandco.com")),
                ("businessContactPhone", json!("+17877432816")),
                ("corporateWebsite", json!("patitasandco.com")),
                ("privacyPolicyURL", json!("patitasandco.com/privacidad")),
                ("businessRegistrationNumber", json!("66-0894512")),
                ("businessRegistrationType", json!("EIN")),
                ("phoneNumbers", json!([{ "phoneNumber": "+18334821907" }])),
            ] {
                assert_eq!(value[field], wanted, "{header}{field}: {value}");
            }
            let volume = if header.starts_with("Telnyx") { "900" } else { "1,000" };
            assert_eq!(value["messageVolume"], volume, "{header}");
            let unread = json!([
                { "label": "Apodo", "text": "Patitas" },
                { "label": "Correo", "text": "otra@patitasandco.com" },
            ]);
            assert_eq!(document["unread"], unread, "{header}");
        }
    }

    #[test]
    fn a_greeting_is_no_table_and_a_list_is_a_form() {
        let notes = "Hi, here is what I typed in last week, please have a look.\n\n- Legal business name: Harbor Kayaks LLC\n- EIN number: 47-1122334\n\
                     - Address: 9 Pier Rd, Erie, PA 16501\n- Toll-free number: 877 223 4410\n- Number: 877 223 4411\n- Policy: we never sell numbers\n\
                     - Summary: We text guests who booked a tour about the time.\n- Opt-in: Guests tick an optional box.\n- Insurance = Lake Mutual\n";
        let found: Value = serde_json::from_str(&read(notes.into(), "")).expect("it is JSON");
        let document = &found["documents"][0];
        for (field, wanted) in [
            ("registrationType", json!("EIN")),
            ("businessState", json!("PA")),
            ("businessZip", json!("16501")),
            ("phoneNumbers", json!(["877 223 4410", "877 223 4411"])),
            ("optInWorkflowDescription", json!("Guests tick an optional box.")),
        ] {
            assert_eq!(document["value"][field], wanted, "{found}");
        }
        let unread = json!([
            { "label": "Policy", "text": "we never sell numbers" },
            { "label": "Insurance", "text": "Lake Mutual" },
        ]);
        assert_eq!(document["unread"], unread);
    }

    #[test]
    fn notes_and_programs_are_opened_as_payloads() {
        let content = |name: &str, text: &str| -> Value {
            serde_json::from_str(&read(text.into(), name)).expect("it is JSON")
        };
        let notes =
            "**Business name:** Fern Cafe LLC\n**Opt-in type:** Web form\n**Volume:** 100\n\nFor Twilio.\n";
        // Pasted text has no name.
        for name in ["notes.md", ""] {
            let found = content(name, notes);
            assert_eq!(
                (&found["format"], &found["provider"]),
                (&json!("notes"), &json!("twilio")),
                "{found}"
            );
            let value =
                json!({ "BusinessName": "Fern Cafe LLC", "OptInType": "WEB_FORM", "MessageVolume": "100" });
            assert_eq!(found["documents"][0]["value"], value);
        }
        let unnamed = "Business name: Fern Cafe LLC\nVolume: 100\nEIN: 84-2907316\nUse case: Marketing\nOpt-in description: Guests tick a box.\n";
        let unnamed = content("", unnamed);
        assert_eq!(unnamed["documents"][0]["value"]["registrationNumber"], "84-2907316", "{unnamed}");
        let program = "await client.messaging.v1.tollfreeVerifications.create({\n  businessName: 'Fern Cafe LLC',\n  \
                       optInType: 'WEB_FORM',\n  messageVolume: '100',\n  tollfreePhoneNumberSid: number.sid,\n});\n";
        for name in ["verify.ts", ""] {
            let found = content(name, program);
            assert_eq!(found["documents"][0]["value"]["BusinessName"], "Fern Cafe LLC", "{found}");
            assert_eq!(found["computed"], json!(["tollfreePhoneNumberSid"]));
        }
        let other = content("readme.md", "# Fern Cafe\n\n**Website:** https://ferncafe.com\n");
        assert_eq!(other["documents"], json!([]), "no draft is opened as an empty one");
    }
}
