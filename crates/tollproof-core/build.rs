//! Prepares `rules/`, `schemas/` and `languages/` at build time, so that little work is left for start-up: for the library,
//! which embeds them, and for the page, whose engine gets them when it starts.

// A build script reports errors by panicking, and may read files, which is not allowed in the library.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::path::{Path, PathBuf};
use std::{env, fs};

use tollproof_data::language::{LANGUAGES, Translations};
use tollproof_data::prepare::{PreparedBytes, SourceFiles, prepare};

fn main() {
    let mut files = SourceFiles::new();
    for folder in ["rules", "schemas", "languages"] {
        println!("cargo::rerun-if-changed={folder}");
        add_files(Path::new(folder), &mut files);
    }
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let PreparedBytes { program, page } = prepare(&files).unwrap_or_else(|error| panic!("{error}"));
    fs::write(out.join("prepared.bin"), program).unwrap();
    let for_page = out.join("page.bin");
    fs::write(&for_page, page).unwrap();
    for code in LANGUAGES {
        // A test says what is not translated.
        let translations = Translations::read(&files, code).unwrap_or_else(|error| panic!("{error}"));
        let bytes = translations.encode().unwrap_or_else(|error| panic!("languages/{code}: {error}"));
        fs::write(out.join(format!("{code}.bin")), bytes).unwrap();
    }
    for name in ["reasons.yaml", "known-sentences.yaml"] {
        let table = format!("src/response/{name}");
        println!("cargo::rerun-if-changed={table}");
        fs::write(out.join(name), shortened(&fs::read_to_string(table).unwrap())).unwrap();
    }
    // The build script of the root package reads it as `DEP_TOLLPROOF_RULES_PAGE`.
    println!("cargo::metadata=page={}", for_page.display());
    println!("cargo::metadata=languages={}", out.display());
}

/// A table without comments; sentences without the words and the letters that are not compared (`content_words`). The engine of
/// the page, which is downloaded, contains them.
fn shortened(table: &str) -> String {
    const NOT_COMPARED: &str = "a an the is are was be been must has have to for of on at and or with by your our we you this that it \
        its not no code reason error";
    const COMPARED: usize = 7;
    let is_compared = |word: &&str| !NOT_COMPARED.split_whitespace().any(|other| other == *word);
    let cut = |word: &str| -> String {
        let length = if word.chars().all(char::is_alphabetic) { COMPARED } else { usize::MAX };
        word.chars().take(length).collect()
    };
    let short = |line: &str| {
        let Some(sentence) =
            line.strip_prefix("- ").filter(|text| !text.starts_with('{') && !text.contains('['))
        else {
            return line.to_owned();
        };
        // The quotation mark before the first word is a part of it.
        let (first, rest) = sentence.split_once(' ').unwrap_or((sentence, ""));
        let words = rest.split(' ').filter(is_compared).map(cut);
        let words: Vec<String> = std::iter::once(first.to_owned()).chain(words).collect();
        format!("- {}", words.join(" "))
    };
    let lines = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(short);
    lines.map(|line| line + "\n").collect()
}

/// Adds the texts in a folder and its subfolders.
fn add_files(folder: &Path, files: &mut SourceFiles) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_files(&path, files);
        } else if let Ok(text) = fs::read_to_string(&path) {
            let name = path.to_str().unwrap().replace('\\', "/");
            files.insert(name, text.replace("\r\n", "\n"));
        }
    }
}
