//! Checks the tables and word lists in `data/` and writes them as Rust source that the library includes.
//!
//! An error in a table fails the build and names the file and the row.

// A build script reports errors by panicking, and may read files, which is not allowed in the library.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

mod build_phones;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::{env, fs};

use serde_yaml::Value;

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

/// The entries of a file by key, in file order. Panics unless the file starts with its source and date.
fn read(name: &str) -> TableRows {
    let path = format!("data/{name}.yaml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    for needed in ["# Source: ", "# Date: 20"] {
        let mut heading = text.lines().take_while(|line| line.starts_with('#'));
        assert!(heading.any(|line| line.starts_with(needed)), "{path} has no `{needed}...` at its top");
    }
    let value = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    TableRows { place: path, rows: pairs(value) }
}

/// A mapping and its location in a file, for error messages.
struct TableRows {
    place: String,
    rows: Vec<(String, Value)>,
}

impl TableRows {
    /// Removes and returns the entry of a key; any entry that is left at the end is reported as unknown.
    fn take(&mut self, key: &str) -> (String, Value) {
        let at = self.rows.iter().position(|(known, _)| known == key);
        let at = at.unwrap_or_else(|| panic!("{} has no `{key}`", self.place));
        (format!("{}: {key}", self.place), self.rows.remove(at).1)
    }

    fn end(self) {
        let left = self.rows.first().map(|(key, _)| key);
        assert!(left.is_none(), "{}: unknown key {left:?}", self.place);
    }
}

/// The entries of a mapping; panics unless its keys are sorted.
fn sorted((place, value): (String, Value)) -> Vec<(String, Value)> {
    let rows = pairs(value);
    assert!(!rows.is_empty(), "{place} is not a mapping, or is empty");
    in_order(&place, rows.iter().map(|(key, _)| key));
    rows
}

fn pairs(value: Value) -> Vec<(String, Value)> {
    let Value::Mapping(rows) = value else { return Vec::new() };
    let text =
        |key: Value| key.as_str().map(str::to_owned).unwrap_or_else(|| panic!("quote the key {key:?}"));
    rows.into_iter().map(|(key, value)| (text(key), value)).collect()
}

/// Panics unless each entry is greater than the one before it, so that entries are sorted and unique.
fn in_order<T: PartialOrd + std::fmt::Debug>(place: &str, entries: impl Iterator<Item = T>) {
    let mut before: Option<T> = None;
    for entry in entries {
        let is_after = before.is_none_or(|before| before < entry);
        assert!(is_after, "{place}: {entry:?} is there twice or not sorted");
        before = Some(entry);
    }
}

/// A list of strings, in file order.
fn texts(place: &str, value: Value) -> Vec<String> {
    serde_yaml::from_value(value).unwrap_or_else(|error| panic!("{place}: {error}"))
}

/// A sorted list of words; the file may have one such list per language.
fn words((place, value): (String, Value)) -> Vec<String> {
    let mut all = Vec::new();
    let lists = match value {
        Value::Mapping(_) => pairs(value),
        list => vec![(String::new(), list)],
    };
    for (language, list) in lists {
        let place = format!("{place} {language}");
        let words = texts(&place, list);
        in_order(&place, words.iter());
        assert!(!words.is_empty(), "{place} is empty");
        all.extend(words);
    }
    all.sort();
    in_order(&place, all.iter());
    all
}

/// A word list file as a Rust module: lists of words, and maps from one word to another.
fn word_module(name: &str) -> String {
    let TableRows { place, rows } = read(name);
    let mut source = format!("pub mod {} {{\n", name.replace('-', "_"));
    for (key, value) in rows {
        let place = format!("{place}: {key}");
        let is_pairs = value.as_mapping().is_some_and(|rows| rows.values().all(Value::is_string));
        let item = if is_pairs {
            let rows = sorted((place.clone(), value)).into_iter();
            let rows: Vec<_> = rows.map(|(word, other)| (word, other.as_str().unwrap().to_owned())).collect();
            format!("&[(&str, &str)] = &{rows:?}")
        } else {
            format!("&[&str] = &{:?}", words((place, value)))
        };
        source += &format!("pub static {}: {item};\n", key.to_uppercase());
    }
    source + "}\n"
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
        let mut file = read(&format!("languages/{key}"));
        let mut take = |name: &str| {
            let is_given = file.rows.iter().any(|(known, _)| known == name);
            is_given.then(|| file.take(name))
        };
        let (_, name) = take("name").unwrap_or_else(|| panic!("languages/{key} has no `name`"));
        let mut is_set = |name: &str| take(name).is_some_and(|(_, value)| value.as_bool().unwrap());
        let (is_borrowed, kind_follows_name) = (is_set("is_borrowed"), is_set("kind_follows_name"));
        rows += &format!(
            "LanguageRow {{ key: {key:?}, name: {:?}, is_borrowed: {is_borrowed}, \
             kind_follows_name: {kind_follows_name} }},\n",
            name.as_str().unwrap()
        );
        let mut give = |word: String, field| {
            *roles.entry(word).or_default().entry(field).or_default() |= 1_u16 << number;
        };
        for (list, field) in WORD_ROLES {
            take(list).map(words).into_iter().flatten().for_each(|word| give(word, field));
        }
        for (verb, contracted) in take("contractions").map(sorted).into_iter().flatten() {
            let contracted = contracted.as_str().unwrap().to_owned();
            give(contracted.clone(), "negates_before");
            contractions.insert(verb, contracted);
        }
        elided.extend(take("elided").map(words).into_iter().flatten());
        file.end();
    }
    let mut by_letter = vec![String::new(); 26];
    for (word, fields) in &roles {
        let fields: String =
            fields.iter().map(|(field, bits)| format!("{field}: Languages({bits}), ")).collect();
        let letter = word.bytes().next().unwrap().checked_sub(b'a').map(usize::from);
        let of_letter = letter.and_then(|letter| by_letter.get_mut(letter));
        let of_letter = of_letter.unwrap_or_else(|| panic!("languages: {word:?} is not folded"));
        *of_letter += &format!("({word:?}, WordRole {{ {fields}..NO_ROLE }}), ");
    }
    let by_letter: String = by_letter.iter().map(|words| format!("&[{words}],\n")).collect();
    format!(
        "const LANGUAGES: [LanguageRow; {}] = [\n{rows}];\n\
         static CONTRACTIONS: &[(&str, &str)] = &{:?};\nstatic ELIDED: &[&str] = &{:?};\n\
         static WORD_ROLES: [&[(&str, WordRole)]; 26] = [\n{by_letter}];\n",
        keys.len(),
        contractions.into_iter().collect::<Vec<_>>(),
        elided.into_iter().collect::<Vec<_>>(),
    )
}

/// Letters and the Latin letters that they look like, sorted.
fn latin_letters() -> BTreeMap<char, String> {
    let mut letters = BTreeMap::new();
    let latin = read("look-alikes").take("latin");
    for (latin, list) in sorted(latin) {
        for letter in words((latin.clone(), list)) {
            let letter = one_letter(&letter);
            assert!(!letter.is_ascii(), "look-alikes: {letter} is a Latin letter itself");
            assert!(letters.insert(letter, latin.clone()).is_none(), "look-alikes: {letter} is there twice");
        }
    }
    letters
}

fn one_letter(text: &str) -> char {
    let mut letters = text.chars();
    let letter = letters.next().filter(|_| letters.as_str().is_empty());
    letter.unwrap_or_else(|| panic!("{text:?} is not one letter"))
}

fn look_alikes() -> String {
    let latin: Vec<_> = latin_letters().into_iter().collect();
    let mut file = read("look-alikes");
    file.take("latin");
    let digits = sorted(file.take("digits")).into_iter();
    let digits: Vec<_> =
        digits.map(|(key, digit)| (one_letter(&key), one_letter(digit.as_str().unwrap()))).collect();
    file.end();
    format!(
        "pub mod look_alikes {{\npub static LATIN: &[(char, &str)] = &{latin:?};\n\
         pub static DIGITS: &[(char, char)] = &{digits:?};\n}}\n"
    )
}

/// The alphabets of text messages, sorted, and other characters with what to write instead of them.
fn gsm_7() -> String {
    /// Every code of the default alphabet but the one that leads to the extension.
    const BASIC: usize = 127;
    let mut file = read("gsm-7");
    let mut alphabet = |key: &str| -> BTreeSet<char> {
        let (place, rows) = file.take(key);
        let letters: Vec<char> = texts(&place, rows).iter().flat_map(|row| row.chars()).collect();
        let sorted: BTreeSet<char> = letters.iter().copied().collect();
        assert_eq!(letters.len(), sorted.len(), "{place}: a character is there twice");
        sorted
    };
    let (basic, extension) = (alphabet("basic"), alphabet("extension"));
    assert_eq!(basic.len(), BASIC, "gsm-7: the default alphabet has other characters");
    assert!(basic.is_disjoint(&extension), "gsm-7: a character is in both alphabets");
    let mut plain = BTreeMap::new();
    for (instead, list) in sorted(file.take("plain")) {
        assert!(instead.chars().all(|it| basic.contains(&it)), "gsm-7: {instead:?} is not plain");
        for letter in words((instead.clone(), list)) {
            let letter = one_letter(&letter);
            assert!(!basic.contains(&letter), "gsm-7: {letter} is plain itself");
            assert!(plain.insert(letter, instead.clone()).is_none(), "gsm-7: {letter} is there twice");
        }
    }
    file.end();
    let [basic, extension] = [basic, extension].map(|letters| letters.into_iter().collect::<Vec<_>>());
    let plain: Vec<_> = plain.into_iter().collect();
    format!(
        "pub mod gsm_7 {{\npub static BASIC: &[char] = &{basic:?};\n\
         pub static EXTENSION: &[char] = &{extension:?};\n\
         pub static PLAIN: &[(char, &str)] = &{plain:?};\n}}\n"
    )
}

/// The letters of Windows-1252 that Unicode has at other places, by their codes.
fn windows_1252() -> String {
    let mut file = read("windows-1252");
    let rows = sorted(file.take("letters")).into_iter();
    let rows: Vec<_> =
        rows.map(|(code, letter)| (code, one_letter(letter.as_str().unwrap()).to_string())).collect();
    file.end();
    format!("pub mod windows_1252 {{\npub static LETTERS: &[(&str, &str)] = &{rows:?};\n}}\n")
}

/// The share of reasons that words alone find.
fn words_alone() -> String {
    let mut file = read("words-alone");
    let [found, all] = ["found", "of"].map(|key| file.take(key).1.as_u64().unwrap());
    file.end();
    format!(
        "/// How many reasons words alone found, and of how many.\npub const WORDS_ALONE: (u32, u32) = ({found}, {all});\n"
    )
}

/// Country codes with their names, and other names with their codes; both sorted.
fn countries() -> Table {
    let file = read("countries");
    let place = file.place;
    in_order(&place, file.rows.iter().map(|(code, _)| code));
    let (mut names, mut aliases) = (Vec::new(), BTreeMap::new());
    for (code, row) in file.rows {
        assert!(is_code(&code), "{place}: {code:?} is not two capital letters");
        let (name, others) = name_and_others(&format!("{place}: {code}"), row);
        for other in others {
            let known = aliases.insert(other, code.clone());
            assert!(known.is_none(), "{place}: a name of {code} is one of {known:?} too");
        }
        names.push((code, name));
    }
    let codes = names.iter().map(|(code, _)| code.clone()).collect();
    let aliases: Vec<_> = aliases.into_iter().collect();
    let three = alpha3_codes(&codes);
    let source = format!(
        "static COUNTRIES: &[(&str, &str)] = &{names:?};\nstatic ALIASES: &[(&str, &str)] = &{aliases:?};\n\
         static ALPHA3: &[(&str, &str)] = &{three:?};\n"
    );
    Table { source, codes }
}

/// The alpha-3 codes with the alpha-2 codes of the same countries, sorted.
fn alpha3_codes(countries: &BTreeSet<String>) -> Vec<(String, String)> {
    let TableRows { place, rows } = read("country-codes");
    assert!(
        rows.iter().map(|(code, _)| code).eq(countries),
        "{place}: not the countries of data/countries.yaml"
    );
    let row = |(code, row): (String, Value)| (row.as_str().unwrap_or_default().to_owned(), code);
    let mut codes: Vec<_> = rows.into_iter().map(row).collect();
    codes.sort();
    in_order(&place, codes.iter().map(|(code, _)| code));
    let is_alpha3 = |code: &String| code.len() == 3 && code.bytes().all(|it| it.is_ascii_uppercase());
    assert!(codes.iter().all(|(code, _)| is_alpha3(code)), "{place}: a code is not three capital letters");
    codes
}

/// The kinds of business registration numbers, sorted.
fn registration_types(countries: &BTreeSet<String>) -> String {
    let TableRows { place, rows } = read("registration-types");
    in_order(&place, rows.iter().map(|(name, _)| name));
    let mut source = String::from("static TYPES: &[RegistrationType] = &[\n");
    for (name, row) in rows {
        let place = format!("{place}: {name}");
        let mut row = TableRows { rows: pairs(row), place };
        let mut list = |key: &str| {
            let is_given = row.rows.iter().any(|(known, _)| known == key);
            let (place, list) = if is_given { row.take(key) } else { return Vec::new() };
            let list = texts(&place, list);
            in_order(&place, list.iter());
            list
        };
        let [usual, also] = [list("countries"), list("also")];
        assert!(usual.iter().chain(&also).all(|it| countries.contains(it)), "{name}: a country is unknown");
        let names = list("names");
        let names: Vec<_> = names.iter().chain([&name]).collect();
        let form = row.rows.iter().position(|(key, _)| key == "form").map(|at| row.rows.remove(at).1);
        let form = form.as_ref().and_then(Value::as_str);
        let form = form.map_or("None".to_owned(), |it| format!("Some(NumberForm::{it})"));
        row.end();
        source += &format!(
            "RegistrationType {{ countries: &{usual:?}, also: &{also:?}, names: &{names:?}, \
             form: {form} }},\n"
        );
    }
    source + "];\n"
}

/// The first entry of a list, and the remaining entries, which must be sorted and in lower case.
fn name_and_others(place: &str, row: Value) -> (String, Vec<String>) {
    let mut others = texts(place, row);
    assert!(!others.is_empty(), "{place} has no name");
    let name = others.remove(0);
    in_order(place, others.iter());
    for other in &others {
        assert_eq!(*other, other.to_lowercase(), "{place}: other names are in lower case");
    }
    (name, others)
}

fn is_code(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|it| it.is_ascii_uppercase())
}

/// The regions of the United States and Canada, and those of them that are countries in ISO 3166-1.
fn regions(countries: &BTreeSet<String>) -> Table {
    let mut file = read("regions");
    let mut source = String::from("static REGIONS: &[Region] = &[\n");
    let mut codes = BTreeSet::new();
    for (key, country) in [("united_states", "US"), ("canada", "CA")] {
        for (code, row) in sorted(file.take(key)) {
            assert!(is_code(&code), "regions: {code:?} is not two capital letters");
            let (name, aliases) = name_and_others(&code, row);
            assert!(aliases.iter().all(|it| !it.contains('.')), "regions: {code} has a name with a dot");
            source += &format!(
                "Region {{ country: {country:?}, code: {code:?}, name: {name:?}, aliases: &{aliases:?} }},\n"
            );
            assert!(codes.insert(code.clone()), "regions: {code} is there twice");
        }
    }
    source += "];\n";
    for key in ["territories", "freely_associated"] {
        let list = words(file.take(key));
        let is_both = |code: &String| codes.contains(code) && countries.contains(code);
        assert!(list.iter().all(is_both), "regions: {key} are countries and regions: {list:?}");
        source += &format!("static {}: &[&str] = &{list:?};\n", key.to_uppercase());
    }
    file.end();
    Table { source, codes }
}

/// Ranges of ZIP prefixes, first letters and forward sortation areas with their regions; all sorted.
fn postal_codes(regions: &BTreeSet<String>) -> String {
    let mut file = read("postal-codes");
    let mut rows = |key: &str| {
        let rows = sorted(file.take(key)).into_iter().map(|(code, row)| {
            let places = texts(&code, row);
            let known = !places.is_empty() && places.iter().all(|it| regions.contains(it));
            assert!(known, "postal-codes: {code} names a region that data/regions.yaml lacks: {places:?}");
            (code, places)
        });
        rows.collect::<Vec<_>>()
    };
    let prefix = |text: &str| -> u16 {
        let number = text.parse().ok().filter(|_| text.len() == 3);
        number.unwrap_or_else(|| panic!("postal-codes: {text:?} is not three digits"))
    };
    let mut zip = String::new();
    let mut bounds = Vec::new();
    for (range, places) in rows("zip") {
        let (first, last) = match range.split_once('-') {
            Some((first, last)) => (prefix(first), prefix(last)),
            None => (prefix(&range), prefix(&range)),
        };
        assert!(first <= last, "postal-codes: {range} ends before it begins");
        bounds.extend([2 * first, 2 * last + 1]);
        zip += &format!("({first}, {last}, &{places:?}),\n");
    }
    in_order("postal-codes: zip", bounds.into_iter());
    let letters: String = rows("postal_code")
        .iter()
        .map(|(code, it)| format!("({:?}, &{it:?}),\n", one_letter(code)))
        .collect();
    let areas: String =
        rows("sortation_area").iter().map(|(code, it)| format!("({code:?}, &{it:?}),\n")).collect();
    file.end();
    format!(
        "static ZIP3: &[(u16, u16, &[&str])] = &[\n{zip}];\nstatic FSA: &[(char, &[&str])] = &[\n{letters}];\n\
         static FSA_EXCEPTIONS: &[(&str, &[&str])] = &[\n{areas}];\n"
    )
}
