//! Any bytes as a store of readings: a draft is checked with them, and what is written is read again as it was.

#![no_main]

use std::cell::OnceCell;
use std::fs;
use std::path::PathBuf;

use libfuzzer_sys::fuzz_target;
use tollproof_core::{Facts, Kind, KindHint, KindRole, Linter, Parsed, Source, clean_document};
use tollproof_project::{Disk, ReadingsStore};

/// The key of a question that is asked about the clean draft, in the bytes of the fuzzer.
const KEY: &[u8] = b"KEY";

struct Bench {
    path: PathBuf,
    linter: Linter,
    draft: String,
    /// Keys of questions about the draft.
    keys: Vec<String>,
}

thread_local! {
    static BENCH: OnceCell<Bench> = const { OnceCell::new() };
}

fuzz_target!(|bytes: &[u8]| BENCH.with(|cell| cell.get_or_init(Bench::new).try_bytes(bytes)));

impl Bench {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("tollproof-fuzz-readings-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder can be made");
        let draft = clean_document(Kind::of(KindRole::Submit)).to_string();
        let linter = Linter::builtin();
        let source = Source::new("a.json", draft.clone());
        let parsed = Parsed::of(&source, None);
        let requests = linter.read_requests(&parsed, KindHint::Explicit, &Facts::default(), false);
        let request = requests.first().expect("a draft is asked about");
        // A first answer that is offered and needs no quote has a key.
        let each =
            request.questions.iter().flat_map(|question| question.answers.iter().map(move |answer| (&question.id, answer)));
        let keys = each.filter_map(|(id, answer)| {
            let answers = serde_json::json!({ "answers": { id: { "answer": answer } } });
            let answers = serde_json::from_value(answers).expect("it has the shape");
            Some(request.verify(&answers).0.remove(id)?.asked)
        });
        let keys = keys.collect();
        Self { path: folder.join("readings.ndjson"), linter, draft, keys }
    }

    fn try_bytes(&self, bytes: &[u8]) {
        fs::write(&self.path, self.with_keys(bytes)).expect("the folder can be written");
        let store = ReadingsStore::read(&Disk, &self.path).expect("the file can be read");
        if let Some(skipped) = store.skipped() {
            let _ = skipped.to_string();
        }
        let source = Source::new("a.json", self.draft.clone());
        let parsed = Parsed::of(&source, None);
        let facts = Facts { readings: store.readings().lowering_errors(), ..Facts::default() };
        let report = self.linter.check(&parsed, KindHint::Explicit, &facts);
        for span in report.findings.iter().filter_map(|it| it.span) {
            assert!(source.text().get(span.range()).is_some(), "{span:?}");
        }
        store.write().expect("the folder can be written");
        let again = ReadingsStore::read(&Disk, &self.path).expect("the file can be read");
        assert!(again.iter().eq(store.iter()), "what is written is read again");
        let written = fs::read(&self.path).expect("it was written");
        again.write().expect("the folder can be written");
        assert_eq!(fs::read(&self.path).expect("it was written"), written, "nothing changes");
    }

    /// The bytes with keys of questions in them, so that answers are about the draft.
    fn with_keys(&self, bytes: &[u8]) -> Vec<u8> {
        let mut all = Vec::new();
        let (mut rest, mut at) = (bytes, 0);
        while let Some(first) = rest.first() {
            match rest.strip_prefix(KEY) {
                Some(after) => {
                    all.extend_from_slice(self.keys[at % self.keys.len()].as_bytes());
                    (rest, at) = (after, at + 1);
                }
                None => {
                    all.push(*first);
                    rest = &rest[1..];
                }
            }
        }
        all
    }
}
