//! Prepares and embeds `rules/` and `schemas/` at build time, so that little work is left for start-up.

// A build script reports errors by panicking, and may read files, which is not allowed in the library.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::path::{Path, PathBuf};
use std::{env, fs};

use tollproof_data::prepare::{SourceFiles, prepare};

fn main() {
    let mut files = SourceFiles::new();
    for folder in ["rules", "schemas"] {
        println!("cargo::rerun-if-changed={folder}");
        add_files(Path::new(folder), &mut files);
    }
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    // A page downloads what is prepared.
    let for_page = env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|it| it == "wasm");
    let prepared = prepare(&files, for_page).unwrap_or_else(|error| panic!("{error}"));
    fs::write(out.join("prepared.bin"), prepared).unwrap();
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
