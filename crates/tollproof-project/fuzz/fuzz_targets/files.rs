//! Any bytes as a file of any format, compressed files and workbooks included, checked as a run does it.

#![no_main]

use std::io;
use std::path::Path;
use std::sync::Arc;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tollproof_project::{
    ConfigChoice, Disk, FindOptions, LinterOptions, Overlay, RunItem, RunOptions, Session, SessionOptions,
};

const NAMES: [&str; 8] =
    ["a.xlsx", "a.csv", "a.csv.gz", "a.csv.zst", "a.ndjson", "a.ndjson.gz", "a.ndjson.zst", "a.json.gz"];

#[derive(Arbitrary, Debug)]
struct FileInput {
    name: u8,
    jobs: u8,
    bytes: Vec<u8>,
}

fuzz_target!(|input: FileInput| {
    tollproof_history::set_max_file_size(4 << 20);
    let name = Path::new(NAMES[usize::from(input.name) % NAMES.len()]);
    let files = Arc::new(Overlay::new(Arc::new(Disk)));
    files.open(name, input.bytes);
    let linter = LinterOptions { config: ConfigChoice::None, ..LinterOptions::default() };
    let options = SessionOptions { linter, ..SessionOptions::default() };
    let session = Arc::new(Session::new(files, options).expect("nothing is named"));
    let options = FindOptions { paths: vec![name.to_owned()], ..FindOptions::default() };
    let found = session.find(options).expect("a name is enough");
    let options = RunOptions { jobs: usize::from(input.jobs % 3) + 1, ..RunOptions::default() };
    for item in session.run(Arc::new(found), options, io::empty()) {
        if let RunItem::Text(text) = item.expect("the run reads no settings") {
            for span in text.report.report.findings.iter().filter_map(|it| it.span) {
                assert!(text.source.text().get(span.range()).is_some(), "{span:?}");
            }
        }
    }
});
