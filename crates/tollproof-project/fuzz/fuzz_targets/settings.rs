//! Any bytes as `tollproof.yaml`, with a draft beside it that is checked by these settings.

#![no_main]

use std::io;
use std::path::Path;
use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use tollproof_project::{Disk, FindOptions, Overlay, RunOptions, Session, SessionOptions};

/// A folder that does not exist, so that settings name no file.
const FOLDER: &str = "/settings-of-the-fuzzer";

fuzz_target!(|bytes: &[u8]| {
    let files = Arc::new(Overlay::new(Arc::new(Disk)));
    let draft = Path::new(FOLDER).join("draft.json");
    files.open(&Path::new(FOLDER).join("tollproof.yaml"), bytes.to_vec());
    files.open(&draft, br#"{"businessName": "A", "phoneNumbers": ["x"]}"#.to_vec());
    let Ok(session) = Session::new(files, SessionOptions::default()) else { return };
    let session = Arc::new(session);
    let options = FindOptions { paths: vec![draft], ..FindOptions::default() };
    let Ok(found) = session.find(options) else { return };
    // Wrong settings are an error of the run.
    session.run(Arc::new(found), RunOptions::default(), io::empty()).for_each(drop);
});
