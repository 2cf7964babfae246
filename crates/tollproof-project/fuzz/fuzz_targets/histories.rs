//! Any bytes as a file of records, read as a history and imported into a store.

#![no_main]

use std::cell::OnceCell;
use std::fs;
use std::path::PathBuf;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tollproof_history::{Access, HistorySet, Location};

const ENDINGS: [&str; 3] = ["ndjson", "json", "yaml"];

#[derive(Arbitrary, Debug)]
struct RecordInput {
    ending: u8,
    bytes: Vec<u8>,
}

thread_local! {
    /// A folder with the store and the file of records.
    static FOLDER: OnceCell<PathBuf> = const { OnceCell::new() };
}

fuzz_target!(|input: RecordInput| {
    let folder = FOLDER.with(|cell| cell.get_or_init(folder).clone());
    let path = folder.join(format!("records.{}", ENDINGS[usize::from(input.ending) % ENDINGS.len()]));
    fs::write(&path, &input.bytes).expect("the folder can be written");
    let name = path.display().to_string();
    let read = HistorySet::open(&[Location::Files(name.clone())], Access::Read);
    let store = Location::Sqlite(folder.join("history.db"));
    let mut set = HistorySet::open(&[store], Access::Create).expect("a store is made");
    let imported = set.store().expect("it is one store").import(&[name], |_| {});
    fs::remove_file(&path).expect("it was written");
    // Both refuse the same files, but a store may know the submission of a note from a file of before.
    if let (Ok(imported), Err(error)) = (&imported, &read) {
        assert!(imported.records == 0, "the file is imported, and cannot be read: {error}");
    }
});

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tollproof-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder can be made");
    folder
}
