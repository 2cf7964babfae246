//! Checks the tables and word lists in `data/` and writes them as Rust source that the library includes.
//!
//! An error in a table fails the build and names the file and the row.

// A build script reports errors by panicking, and may read files, which is not allowed in the library.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

mod build_phones;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::{env, fs};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_yaml::{Mapping, Value};

/// The files in `data/` that contain only word lists: each file becomes a module, each list a constant.
const WORD_LISTS: [&str; 5] = ["business-names", "ein-prefixes", "redaction", "slots", "web"];

/// The files in `data/` with their own format, and the folder of languages.
const TABLES: [&str; 12] = [
    "area-codes",
    "calling-codes",
    "countries",
    "country-codes",
    "gsm-7",
    "languages",
    "look-alikes",
    "postal-codes",
    "regions",
    "registration-types",
    "windows-1252",
    "words-alone",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build_phones.rs");
    println!("cargo::rerun-if-changed=data");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for entry in fs::read_dir("data").unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap();
        let is_known = WORD_LISTS.contains(&name) || TABLES.contains(&name) || name == PUBLIC_SUFFIXES;
        assert!(is_known, "{} is read by nothing: see build.rs", path.display());
    }
    let countries = countries();
    let regions = regions(&countries.codes);
    let lists: String = WORD_LISTS.into_iter().map(word_module).collect();
    for (file, source) in [
        ("word_lists.rs", lists + &look_alikes() + &gsm_7() + &windows_1252() + &words_alone()),
        ("area_codes.rs", build_phones::area_codes()),
        ("calling_codes.rs", build_phones::calling_codes(&countries.codes)),
        ("countries.rs", countries.source),
        ("languages.rs", languages()),
        ("postal.rs", postal_codes(&regions.codes)),
        ("regions.rs", regions.source),
        ("registration.rs", registration_types(&countries.codes)),
    ] {
        fs::write(out.join(file), source).unwrap();
    }
}

/// The list of public suffixes, which `src/public_suffixes.rs` prepares.
const PUBLIC_SUFFIXES: &str = "public-suffixes";

/// A table as Rust source, and the codes that other tables may refer to.
struct Table {
    source: String,
    codes: BTreeSet<String>,
}

/// The rows of a file, or of a part of it, by their keys.
type Rows<T> = BTreeMap<String, T>;

/// The content of a file. Panics unless the file starts with its source and date.
fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = format!("data/{name}.yaml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    for needed in ["# Source: ", "# Date: 20"] {
        let mut heading = text.lines().take_while(|line| line.starts_with('#'));
        assert!(heading.any(|line| line.starts_with(needed)), "{path} has no `{needed}...` at its top");
    }
    // Maps keep the last of two rows with one key; a `Value` rejects them.
    let content = serde_yaml::from_str::<Value>(&text).and_then(|_| serde_yaml::from_str(&text));
    content.unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The entries of a list. Panics unless each is greater than the one before it, so that they are sorted and unique.
fn in_order<T: PartialOrd + std::fmt::Debug>(place: &str, entries: Vec<T>) -> Vec<T> {
    for pair in entries.windows(2) {
        assert!(pair[0] < pair[1], "{place}: {:?} is there twice or not sorted", pair[1]);
    }
    entries
}

/// A constant of a word list file.
#[derive(Deserialize)]
#[serde(untagged)]
enum WordList {
    Words(Vec<String>),
    Pairs(Rows<String>),
}

/// A word list file as a Rust module: lists of words, and maps from one word to another.
fn word_module(name: &str) -> String {
    let mut source = format!("pub mod {} {{\n", name.replace('-', "_"));
    for (key, list) in read::<Mapping>(name) {
        let key = key.as_str().unwrap();
        let place = format!("{name}: {key}");
        let list = serde_yaml::from_value(list).unwrap_or_else(|error| panic!("{place}: {error}"));
        let item = match list {
            WordList::Words(words) => format!("&[&str] = &{:?}", in_order(&place, words)),
            WordList::Pairs(rows) => format!("&[(&str, &str)] = &{:?}", Vec::from_iter(rows)),
        };
        source += &format!("pub static {}: {item};\n", key.to_uppercase());
    }
    source + "}\n"
}

/// A file in `data/languages/`.
#[derive(Deserialize)]
struct LanguageFile {
    name: String,
    #[serde(default)]
    is_borrowed: bool,
    #[serde(default)]
    kind_follows_name: bool,
    #[serde(default)]
    contractions: Rows<String>,
    #[serde(default)]
    elided: Vec<String>,
    #[serde(flatten)]
    word_lists: Rows<Vec<String>>,
}

/// The word lists of a language, each with the field of `WordRole` for its words.
const WORD_ROLES: [(&str, &str); 7] = [
    ("frequent", "frequent"),
    ("negators", "negates"),
    ("negators_after", "negates_before"),
    ("turns", "turns"),
    ("subjects", "is_subject"),
    ("none", "is_none"),
    ("denied", "is_denied"),
];

/// The number of lists for the words with the same first letter.
const LENGTHS: usize = 8;

/// The files in `data/languages/`: languages, what their words do, contractions, and words before an apostrophe.
fn languages() -> String {
    let mut keys: Vec<String> = fs::read_dir("data/languages")
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    keys.sort();
    let (mut rows, mut contractions, mut elided) = (String::new(), BTreeMap::new(), BTreeSet::new());
    // For each word, the bits of the languages in which it has a role, by field.
    let mut roles: BTreeMap<String, BTreeMap<&str, u16>> = BTreeMap::new();
    for (key, number) in keys.iter().zip(1..) {
        let file: LanguageFile = read(&format!("languages/{key}"));
        let LanguageFile { name, is_borrowed, kind_follows_name, .. } = file;
        rows += &format!(
            "LanguageRow {{ key: {key:?}, name: {name:?}, is_borrowed: {is_borrowed}, \
             kind_follows_name: {kind_follows_name} }},\n"
        );
        let mut give = |word: String, field| {
            *roles.entry(word).or_default().entry(field).or_default() |= 1_u16 << number;
        };
        for (list, words) in file.word_lists {
            let role = WORD_ROLES.iter().find(|(known, _)| *known == list);
            let (_, field) = role.unwrap_or_else(|| panic!("languages/{key}: unknown key {list:?}"));
            in_order(&list, words).into_iter().for_each(|word| give(word, field));
        }
        for (verb, contracted) in file.contractions {
            give(contracted.clone(), "negates_before");
            contractions.insert(verb, contracted);
        }
        elided.extend(in_order("elided", file.elided));
    }
    // By the first letter, then by the length.
    let mut by_letter = vec![vec![String::new(); LENGTHS]; 26];
    for (word, fields) in &roles {
        let fields: String =
            fields.iter().map(|(field, bits)| format!("{field}: Languages({bits}), ")).collect();
        let letter = word.bytes().next().unwrap().checked_sub(b'a').map(usize::from);
        let of_letter = letter.and_then(|letter| by_letter.get_mut(letter));
        let of_letter = of_letter.unwrap_or_else(|| panic!("languages: {word:?} is not folded"));
        of_letter[word.len() % LENGTHS] += &format!("({word:?}, WordRole {{ {fields}..NO_ROLE }}), ");
    }
    let by_letter: String =
        by_letter.iter().map(|words| format!("[&[{}]],\n", words.join("], &["))).collect();
    format!(
        "const LANGUAGES: [LanguageRow; {}] = [\n{rows}];\n\
         static CONTRACTIONS: &[(&str, &str)] = &{:?};\nstatic ELIDED: &[&str] = &{:?};\n\
         static WORD_ROLES: [[&[(&str, WordRole)]; {LENGTHS}]; 26] = [\n{by_letter}];\n",
        keys.len(),
        contractions.into_iter().collect::<Vec<_>>(),
        elided.into_iter().collect::<Vec<_>>(),
    )
}

/// Letters with their rows. Panics unless each row is sorted, and each letter is in one row.
fn rows_by_letter(rows: Rows<Vec<char>>) -> BTreeMap<char, String> {
    let mut letters = BTreeMap::new();
    for (row, list) in rows {
        for letter in in_order(&row, list) {
            assert!(letters.insert(letter, row.clone()).is_none(), "{row}: {letter} is in two rows");
        }
    }
    letters
}

/// Letters by the letters or digits that they are taken for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LookAlikes {
    latin: Rows<Vec<char>>,
    digits: BTreeMap<char, char>,
}

fn look_alikes() -> String {
    let file: LookAlikes = read("look-alikes");
    let latin = rows_by_letter(file.latin);
    assert!(!latin.keys().any(char::is_ascii), "look-alikes: a Latin letter is one itself");
    let (latin, digits) = (Vec::from_iter(latin), Vec::from_iter(file.digits));
    format!(
        "pub mod look_alikes {{\npub static LATIN: &[(char, &str)] = &{latin:?};\n\
         pub static DIGITS: &[(char, char)] = &{digits:?};\n}}\n"
    )
}

/// The rows of the alphabets of text messages, and other characters by what to write instead of them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Gsm7 {
    basic: Vec<String>,
    extension: Vec<String>,
    plain: Rows<Vec<char>>,
}

/// The alphabets of text messages, sorted, and other characters with what to write instead of them.
fn gsm_7() -> String {
    /// Every code of the default alphabet but the one that leads to the extension.
    const BASIC: usize = 127;
    let file: Gsm7 = read("gsm-7");
    let [basic, extension] = [file.basic, file.extension].map(|rows| {
        let letters = rows.concat();
        let sorted: BTreeSet<char> = letters.chars().collect();
        assert_eq!(letters.chars().count(), sorted.len(), "gsm-7: a character is in an alphabet twice");
        sorted
    });
    assert_eq!(basic.len(), BASIC, "gsm-7: the default alphabet has other characters");
    assert!(basic.is_disjoint(&extension), "gsm-7: a character is in both alphabets");
    let plain = rows_by_letter(file.plain);
    for (letter, instead) in &plain {
        assert!(!basic.contains(letter), "gsm-7: {letter} is plain itself");
        assert!(instead.chars().all(|letter| basic.contains(&letter)), "gsm-7: {instead:?} is not plain");
    }
    let [basic, extension] = [basic, extension].map(Vec::from_iter);
    let plain = Vec::from_iter(plain);
    format!(
        "pub mod gsm_7 {{\npub static BASIC: &[char] = &{basic:?};\n\
         pub static EXTENSION: &[char] = &{extension:?};\n\
         pub static PLAIN: &[(char, &str)] = &{plain:?};\n}}\n"
    )
}

/// The letters of Windows-1252 that Unicode has at other places, by their codes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Windows1252 {
    letters: Rows<char>,
}

fn windows_1252() -> String {
    let file: Windows1252 = read("windows-1252");
    let rows: Vec<_> = file.letters.into_iter().map(|(code, letter)| (code, letter.to_string())).collect();
    format!("pub mod windows_1252 {{\npub static LETTERS: &[(&str, &str)] = &{rows:?};\n}}\n")
}

/// The share of reasons that words alone find.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WordsAlone {
    found: u32,
    of: u32,
}

fn words_alone() -> String {
    let WordsAlone { found, of } = read("words-alone");
    format!(
        "/// How many reasons words alone found, and of how many.\npub const WORDS_ALONE: (u32, u32) = ({found}, {of});\n"
    )
}

/// Country codes with their names, and other names with their codes; both sorted.
fn countries() -> Table {
    let (mut names, mut aliases) = (Vec::new(), BTreeMap::new());
    for (code, row) in read::<Rows<_>>("countries") {
        assert!(is_code(&code), "countries: {code:?} is not two capital letters");
        let (name, others) = name_and_others(&code, row);
        for other in others {
            let known = aliases.insert(other, code.clone());
            assert!(known.is_none(), "countries: a name of {code} is one of {known:?} too");
        }
        names.push((code, name));
    }
    let codes = names.iter().map(|(code, _)| code.clone()).collect();
    let aliases = Vec::from_iter(aliases);
    let three = alpha3_codes(&codes);
    let source = format!(
        "static COUNTRIES: &[(&str, &str)] = &{names:?};\nstatic ALIASES: &[(&str, &str)] = &{aliases:?};\n\
         static ALPHA3: &[(&str, &str)] = &{three:?};\n"
    );
    Table { source, codes }
}

/// The alpha-3 codes with the alpha-2 codes of the same countries, sorted.
fn alpha3_codes(countries: &BTreeSet<String>) -> Vec<(String, String)> {
    let rows: Rows<String> = read("country-codes");
    assert!(rows.keys().eq(countries), "country-codes: not the countries of data/countries.yaml");
    let is_alpha3 = |code: &String| code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    assert!(rows.values().all(is_alpha3), "country-codes: a code is not three capital letters");
    let codes: BTreeMap<_, _> = rows.iter().map(|(code, alpha3)| (alpha3.clone(), code.clone())).collect();
    assert_eq!(codes.len(), rows.len(), "country-codes: an alpha-3 code is there twice");
    Vec::from_iter(codes)
}

/// A kind of business registration number, by its name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
struct Registration {
    countries: Vec<String>,
    also: Vec<String>,
    names: Vec<String>,
    form: Option<String>,
}

/// The kinds of business registration numbers, sorted.
fn registration_types(countries: &BTreeSet<String>) -> String {
    let mut source = String::from("static TYPES: &[RegistrationType] = &[\n");
    for (name, row) in read::<Rows<Registration>>("registration-types") {
        let [usual, also, mut names] = [row.countries, row.also, row.names].map(|list| in_order(&name, list));
        let is_known = usual.iter().chain(&also).all(|country| countries.contains(country));
        assert!(is_known, "{name}: a country is unknown");
        names.push(name);
        let form = row.form.map_or("None".to_owned(), |form| format!("Some(NumberForm::{form})"));
        source += &format!(
            "RegistrationType {{ countries: &{usual:?}, also: &{also:?}, names: &{names:?}, \
             form: {form} }},\n"
        );
    }
    source + "];\n"
}

/// The first entry of a list, and the remaining entries, which must be sorted and in lower case.
fn name_and_others(place: &str, mut others: Vec<String>) -> (String, Vec<String>) {
    assert!(!others.is_empty(), "{place} has no name");
    let name = others.remove(0);
    let others = in_order(place, others);
    for other in &others {
        assert_eq!(*other, other.to_lowercase(), "{place}: other names are in lower case");
    }
    (name, others)
}

fn is_code(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Regions {
    united_states: Rows<Vec<String>>,
    canada: Rows<Vec<String>>,
    territories: Vec<String>,
    freely_associated: Vec<String>,
}

/// The regions of the United States and Canada, and those of them that are countries in ISO 3166-1.
fn regions(countries: &BTreeSet<String>) -> Table {
    let file: Regions = read("regions");
    let mut source = String::from("static REGIONS: &[Region] = &[\n");
    let mut codes = BTreeSet::new();
    for (country, regions) in [("US", file.united_states), ("CA", file.canada)] {
        for (code, row) in regions {
            assert!(is_code(&code), "regions: {code:?} is not two capital letters");
            let (name, aliases) = name_and_others(&code, row);
            assert!(!aliases.concat().contains('.'), "regions: {code} has a name with a dot");
            source += &format!(
                "Region {{ country: {country:?}, code: {code:?}, name: {name:?}, aliases: &{aliases:?} }},\n"
            );
            assert!(codes.insert(code.clone()), "regions: {code} is there twice");
        }
    }
    source += "];\n";
    for (key, list) in [("TERRITORIES", file.territories), ("FREELY_ASSOCIATED", file.freely_associated)] {
        let list = in_order(key, list);
        let is_both = |code: &String| codes.contains(code) && countries.contains(code);
        assert!(list.iter().all(is_both), "regions: {key} are countries and regions: {list:?}");
        source += &format!("static {key}: &[&str] = &{list:?};\n");
    }
    Table { source, codes }
}

/// Regions by what postal codes begin with: ranges of ZIP prefixes, first letters and forward sortation areas.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PostalCodes {
    zip: Rows<Vec<String>>,
    postal_code: BTreeMap<char, Vec<String>>,
    sortation_area: Rows<Vec<String>>,
}

/// The tables of postal codes, sorted.
fn postal_codes(regions: &BTreeSet<String>) -> String {
    let file: PostalCodes = read("postal-codes");
    for places in file.zip.values().chain(file.postal_code.values()).chain(file.sortation_area.values()) {
        let known = !places.is_empty() && places.iter().all(|place| regions.contains(place));
        assert!(known, "postal-codes: data/regions.yaml lacks a region of {places:?}");
    }
    let prefix = |text: &str| -> u16 {
        let number = text.parse().ok().filter(|_| text.len() == 3);
        number.unwrap_or_else(|| panic!("postal-codes: {text:?} is not three digits"))
    };
    let mut zip = String::new();
    let mut bounds = Vec::new();
    for (range, places) in file.zip {
        let (first, last) = range.split_once('-').unwrap_or((&range, &range));
        let (first, last) = (prefix(first), prefix(last));
        assert!(first <= last, "postal-codes: {range} ends before it begins");
        bounds.extend([2 * first, 2 * last + 1]);
        zip += &format!("({first}, {last}, &{places:?}),\n");
    }
    in_order("postal-codes: zip", bounds);
    let [letters, areas] = [places_by_code(&file.postal_code), places_by_code(&file.sortation_area)];
    format!(
        "static ZIP3: &[(u16, u16, &[&str])] = &[\n{zip}];\nstatic FSA: &[(char, &[&str])] = &[\n{letters}];\n\
         static FSA_EXCEPTIONS: &[(&str, &[&str])] = &[\n{areas}];\n"
    )
}

/// Codes with the places that have them, as rows of a table.
fn places_by_code<C: std::fmt::Debug>(rows: &BTreeMap<C, Vec<String>>) -> String {
    rows.iter().map(|(code, places)| format!("({code:?}, &{places:?}),\n")).collect()
}
