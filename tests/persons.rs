//! Tests that `--redact` masks personal data in any spelling, and no words of tollproof itself.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Folder, Ran, cases, formats};

/// Pseudorandom numbers that are the same in each run.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("it has 31 bits") % sides
    }

    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.throw(of.len())]
    }
}

/// Text for comparison: lower case, without accents and invisible characters.
fn folded(text: &str) -> String {
    let mut folded = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            'é' | 'è' | 'ë' => folded.push('e'),
            'á' | 'ä' => folded.push('a'),
            'ö' | 'ó' => folded.push('o'),
            'ü' => folded.push('u'),
            'ß' => folded.push_str("ss"),
            '\u{ff10}'..='\u{ff19}' => folded.extend(char::from_u32(u32::from(c) - 0xff10 + 0x30)),
            '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{ad}' | '\u{feff}' => {}
            c => folded.push(c),
        }
    }
    folded
}

/// Text without the escapes of XML and Markdown.
fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("&#") {
        plain += before;
        let code = behind.split_once(';').and_then(|(code, rest)| Some((code.parse().ok()?, rest)));
        match code.and_then(|(code, rest)| Some((char::from_u32(code)?, rest))) {
            Some((c, behind)) => {
                plain.push(c);
                rest = behind;
            }
            None => rest = behind,
        }
    }
    plain + rest
}

/// The digits of a line, whatever is between them.
fn digits(line: &str) -> String {
    folded(line).chars().filter(char::is_ascii_digit).collect()
}

/// Persons: first name, last name, city, street, local part and number. No word of a report contains any of these.
const PERSONS: [[&str; 6]; 5] = [
    ["Zébulòn", "Strauße", "Kestrelbüry", "Wintergreen Höllow", "quirkmire", "5124721820"],
    ["Obradovics", "Quillavere", "Marzipane", "Gloamington Fen", "vexley.thorn", "4378291650"],
    ["Ixchel", "Thistlewood", "Brackenmoor", "Larkspür Bend", "ix_chel", "2063498157"],
    ["Ködraly", "O'Fennimore", "Saint Cuthwulf", "N Pemberwick", "fennimore+x", "6175294038"],
    ["Wyszka", "d'Aubrequil", "Yorvikstead", "Tamarack Glade", "\"wyszka a\"", "8187345920"],
];

/// A name in another spelling.
fn spelled(name: &str, dice: &mut Dice) -> String {
    match dice.throw(8) {
        0 => name.to_uppercase(),
        1 => name.to_lowercase(),
        2 => folded(name),
        // Decomposed, as some keyboards write it.
        3 => name
            .replace('é', "e\u{301}")
            .replace('ü', "u\u{308}")
            .replace('ö', "o\u{308}")
            .replace('ò', "o\u{300}"),
        4 => name.replace('ß', "ss"),
        5 => {
            let middle = name.char_indices().nth(3).map_or(name.len(), |(at, _)| at);
            let sign = dice.one(&["\u{200b}", "\u{ad}", "\u{2060}", "\u{200d}"]);
            format!("{}{sign}{}", &name[..middle], &name[middle..])
        }
        _ => name.to_owned(),
    }
}

/// A number in another spelling.
fn dialled(number: &str, dice: &mut Dice) -> String {
    let (area, rest) = number.split_at(3);
    let (middle, last) = rest.split_at(3);
    match dice.throw(8) {
        0 => format!("({area}) {middle}-{last}"),
        1 => format!("+1 {area} {middle} {last}"),
        2 => format!("{area}.{middle}.{last}"),
        3 => format!("{area}\u{2022}{middle}\u{2022}{last}"),
        4 => format!("{area} / {middle} / {last}"),
        5 => number.chars().map(|c| char::from_u32(u32::from(c) - 0x30 + 0xff10).expect("a digit")).collect(),
        6 => format!("+1{number}"),
        _ => number.to_owned(),
    }
}

/// A draft about a person, with random mistakes.
fn draft([first, last, city, street, local, number]: [&str; 6], dice: &mut Dice) -> Value {
    let mail = format!("{local}@{}", dice.one(&["gmail.com", "[192.0.2.1]", "example.com", "x"]));
    let house = format!("{} {street} {}", 100 + dice.throw(900), dice.one(&["Rd", "St", "Avenue", ""]));
    let address = format!("{house}{}", dice.one(&[", Suite 5", " Apt 12", "", ""]));
    let mut draft = json!({
        "phoneNumbers": ["9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9"],
        "businessName": "Acme LLC",
        "businessAddr1": address,
        "businessCity": city,
        "businessState": "Texass",
        "businessZip": "1",
        "businessCountry": dice.one(&["US", "USA", "Spain"]),
        "businessContactFirstName": first,
        "businessContactLastName": last,
        "businessContactEmail": mail,
        "businessContactPhone": dialled(number, dice),
        "corporateWebsite": dice.one(&["acme.com", "https://bit.ly/x", "www.facebook.com/acme"]),
        "useCase": dice.one(&["appointments", "Nonsense"]),
        "useCaseSummary": "Acme texts codes.",
        "optInWorkflowDescription": "They sign up.",
        "productionMessageContent": "Hi {first_name}, your code is 1234",
    });
    let who = [
        spelled(first, dice),
        spelled(last, dice),
        spelled(city, dice),
        spelled(street, dice),
        dialled(number, dice),
    ];
    let about = format!("Ask {} {} of {}, {} ({}) or {}!", who[0], who[1], who[2], who[3], who[4], mail);
    for _ in 0..3 {
        let field = dice.one(&[
            "businessName",
            "useCaseSummary",
            "optInWorkflowDescription",
            "productionMessageContent",
            "additionalInformation",
            "useCase",
            "corporateWebsite",
            "messageVolume",
            "businessState",
        ]);
        draft[field] = about.as_str().into();
    }
    // Values of a wrong type, and unknown field names.
    let plain = json!(number.parse::<u64>().expect("a number"));
    for _ in 0..2 {
        let field = dice.one(&[
            "businessContactFirstName",
            "businessContactLastName",
            "businessContactPhone",
            "businessCity",
            "businessName",
            "useCaseSummary",
            "optInWorkflowImageURLs",
            "phoneNumbers",
            "contact",
            "bussinessCity",
        ]);
        let value = draft.get(field).filter(|it| it.is_string()).cloned();
        let value = value.unwrap_or_else(|| about.as_str().into());
        draft[field] = match dice.throw(5) {
            0 => json!([value, plain]),
            1 => json!({ "name": { "of": value } }),
            2 if field == "businessContactPhone" => plain.clone(),
            3 => json!([[plain], { "a": value }]),
            _ => value,
        };
    }
    let key = spelled(last, dice);
    if dice.throw(3) == 0 {
        draft[key.as_str()] = "x".into();
    }
    draft
}

#[test]
fn no_format_holds_any_spelling_of_a_person() {
    let mut dice = Dice(20_261_121);
    let mut folder = Folder::new("persons-spellings").file(".git/HEAD", "");
    let mut names = Vec::new();
    for at in 0..cases(60) as usize {
        let person = PERSONS[dice.throw(PERSONS.len())];
        let draft = draft(person, &mut dice);
        let mut text = serde_json::to_string_pretty(&draft).expect("a value is JSON");
        let mut name = format!("{at}.json");
        match dice.throw(4) {
            0 => {
                name = format!("{at}.yaml");
                text = serde_yaml::to_string(&draft).expect("a value is YAML");
            }
            1 => {
                // Cut at a random position.
                let cut =
                    (0..=dice.throw(text.len())).rev().find(|&it| text.is_char_boundary(it)).unwrap_or(0);
                text.insert_str(cut, dice.one(&["\"", "}", "`", ":", ",,", "]"]));
            }
            _ => {}
        }
        folder = folder.file(&name, text);
        names.push(name);
    }
    let mut tokens: Vec<String> = Vec::new();
    for [first, last, city, street, local, _] in PERSONS {
        let words = [first, last, city, street, local].join(" ");
        let words = folded(&words).replace(['\'', '.', '_', '+', '"'], " ");
        tokens.extend(words.split(' ').filter(|word| word.len() > 4 && *word != "saint").map(str::to_owned));
    }
    for format in formats() {
        let format = format!("--output-format={format}");
        let args = ["check", "--min-severity=info", &format];
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let open = folder.run(&[&args[..], &names].concat());
        let ran = folder.run(&[&args[..], &["--redact"], &names].concat());
        assert_eq!((ran.code, open.code), (Some(1), Some(1)));
        let is_told = |line: &str| {
            let plain = folded(&unescaped(line));
            let number = digits(&plain);
            let numbers = PERSONS.iter().map(|it| it[5]).filter(|it| number.contains(it));
            let names = tokens.iter().map(String::as_str).filter(|it| plain.contains(it));
            names.chain(numbers).next().map(str::to_owned)
        };
        for line in ran.out.lines().chain(ran.err.lines()) {
            assert_eq!(is_told(line), None, "{format}: {line}");
        }
        assert!(
            open.out.lines().filter(|line| is_told(line).is_some()).count() > 3,
            "{format} would show it"
        );
    }
}

fn report(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// The messages and the help of all findings.
fn said(report: &Value) -> Vec<(&Value, &Value, Vec<&Value>)> {
    let findings = report["findings"].as_array().expect("a list");
    findings
        .iter()
        .map(|finding| {
            let related = finding["related"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|related| &related["message"])
                .collect();
            (&finding["message"], &finding["help"], related)
        })
        .collect()
}

#[test]
fn a_draft_of_ours_is_told_in_our_own_words() {
    let folder = Folder::new("persons-new").file(".git/HEAD", "");
    for kind in ["submit-request", "update-request"] {
        let name = format!("{kind}.yaml");
        assert_eq!(folder.run(&["new", &name, "--kind", kind]).code, Some(0));
        let args = ["check", &name, "--min-severity=info", "--output-format=json"];
        let open = report(&folder.run(&args));
        let redacted = report(&folder.run(&[&args[..], &["--redact"]].concat()));
        assert!(!said(&open).is_empty());
        assert_eq!(said(&open), said(&redacted), "nothing is filled in, so nothing is masked");
    }
}

#[test]
fn names_that_are_words_of_ours_hide_none_of_them() {
    let draft = json!({
        "phoneNumbers": ["9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9"],
        "businessName": "Acme LLC",
        "businessAddr1": "International Format Rd",
        "businessCity": "Write",
        "businessContactFirstName": "digits",
        "businessContactLastName": "required",
        "businessContactEmail": "shows@one.com",
        "businessContactPhone": "(512) 472-1820",
        "useCase": "Country Code",
        "businessCountry": "USA",
    });
    let folder = Folder::new("persons-words").file(".git/HEAD", "").file("a.json", draft.to_string());
    let args = ["check", "a.json", "--min-severity=info", "--output-format=json"];
    let open = report(&folder.run(&args));
    let redacted = report(&folder.run(&[&args[..], &["--redact"]].concat()));
    let letters = |text: &Value| text.as_str().unwrap_or_default().to_owned();
    for (open, redacted) in said(&open).iter().zip(&said(&redacted)) {
        for (open, redacted) in [(open.0, redacted.0), (open.1, redacted.1)] {
            let (open, redacted) = (letters(open), letters(redacted));
            // Only text in backticks, where values of the draft are, may be masked.
            let outside = |text: &str| text.split('`').step_by(2).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(outside(&open), outside(&redacted));
        }
    }
    let phone = redacted["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|it| it["rule"] == "contact/phone-not-e164");
    let phone = phone.expect("it is not");
    assert_eq!(phone["message"], "`***** ********` is not in international format");
    assert_eq!(phone["help"], "Write `************`: `+`, the country code and digits only.");
}

#[test]
fn a_draft_that_is_called_like_the_settings_is_a_draft() {
    let draft = "businessName: Acme\nbusinessContactFirstName: Quillavere 7\nuseCase: Ask Quillavere\n";
    let folder =
        Folder::new("persons-settings").file(".git/HEAD", "").file("tollproof.yaml", "fail-on: error\n");
    for name in ["tollproof.yaml", "./tollproof.yaml"] {
        let args = ["check", "-", "--stdin-filename", name, "--redact", "--kind=submit-request"];
        let ran = folder.pipe(&args, draft);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(!ran.out.to_lowercase().contains("quillavere"), "{ran:?}");
    }
    fs::write(folder.0.join("tollproof.yaml"), draft).expect("writable");
    let ran = folder.run(&["check", "tollproof.yaml", "--no-config", "--redact", "--kind=submit-request"]);
    assert!(ran.code == Some(1) && !ran.out.to_lowercase().contains("quillavere"), "{ran:?}");
}

#[test]
fn short_names_are_masked_and_the_words_they_are_stay() {
    let draft = json!({
        "businessName": "Acme", "businessContactFirstName": "Ana", "businessContactLastName": "May",
        "useCaseSummary": "ANA MAY may text; ask ana, not a banana",
    });
    let folder = Folder::new("persons-short").file(".git/HEAD", "").file("a.json", draft.to_string());
    let ran = folder.run(&["check", "a.json", "--redact", "--select=use-case"]);
    assert!(ran.out.contains("*** *** may text; ask ***, not a banana"), "{}", ran.out);
}

#[test]
fn a_website_stays_and_values_of_a_wrong_type_do_not() {
    let draft = include_str!("drafts/harbor-dental.json");
    let mut draft: Value = serde_json::from_str(draft).expect("it is JSON");
    draft["corporateWebsite"] = json!("http://www.harborlanterndental.com");
    draft["businessContactEmail"] = json!("leah.whitcomb@harborlanterndental.com");
    draft["testMode"] = json!("Wexel");
    draft["optInWorkflowImageURLs"] = json!("Wexel");
    let folder = Folder::new("persons-website").file("d.json", draft.to_string());
    for format in ["full", "json"] {
        let ran = folder.run(&["check", "--redact", "--output-format", format, "d.json"]);
        assert!(!ran.out.contains("Wexel") && !ran.out.contains("whitcomb@"), "{}", ran.out);
    }
    let ran = folder.run(&["check", "--redact", "--select", "website", "d.json"]);
    assert!(ran.out.contains("http://www.harborlanterndental.com"), "{}", ran.out);
}
