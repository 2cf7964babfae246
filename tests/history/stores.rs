//! Stores for tests: a new one of each sort for each scenario, and what goes into them.

use serde_json::{Value, json};
use tollproof_core::{Kind, KindRole};
use tollproof_history::Location;

use crate::support::{Folder, Ran};

/// The number of the clean draft.
pub(super) const NUMBER: &str = "9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9";

/// A folder, and a store that is not there yet.
pub(super) struct Kept {
    pub(super) folder: Folder,
    /// Value of `--history`, seen from the folder.
    pub(super) source: String,
    /// Whether it is a file.
    pub(super) is_file: bool,
}

impl Kept {
    /// A store in a file.
    pub(super) fn sqlite(name: &str) -> Self {
        Self { folder: Folder::new(name), source: "sqlite:past.db".to_owned(), is_file: true }
    }

    /// A store on the server of the tests, in a schema of its own.
    pub(super) fn postgres(name: &str) -> Option<Self> {
        let url = server()?;
        let schema = format!("t_{}", name.replace('-', "_"));
        let mut client =
            postgres::Client::connect(&url, postgres::NoTls).expect("the server of the tests answers");
        client
            .batch_execute(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}"))
            .expect("a schema can be made");
        let source = format!("{url}?options=-csearch_path%3D{schema}");
        Some(Self { folder: Folder::new(&format!("{name}-postgres")), source, is_file: false })
    }

    /// The same for the library.
    pub(super) fn location(&self) -> Location {
        self.source.parse::<Location>().expect("it is one").below(&self.folder.0)
    }

    /// Runs a command on the store.
    pub(super) fn run(&self, args: &[&str]) -> Ran {
        self.folder.run(&[args, &["--history", &self.source]].concat())
    }

    /// Runs a command that must end well, and returns what it prints.
    pub(super) fn well(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
        ran.out
    }

    pub(super) fn file(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.folder.0.join(name), text).expect("writable");
    }
}

/// The server of the tests, if there is one.
pub(super) fn server() -> Option<String> {
    let url = std::env::var("TOLLPROOF_TEST_POSTGRES").ok();
    assert!(
        url.is_some() || std::env::var_os("TOLLPROOF_TEST_POSTGRES_CA").is_none(),
        "half of a server is none"
    );
    url
}

/// Plays a scenario on a store of each sort.
pub(super) fn each(name: &str, scenario: impl Fn(&Kept)) {
    scenario(&Kept::sqlite(name));
    if let Some(kept) = Kept::postgres(name) {
        scenario(&kept);
    }
}

/// A draft that nothing is wrong with.
pub(super) fn draft() -> Value {
    tollproof_core::clean_document(Kind::of(KindRole::Submit))
}

/// A record of a submission that the draft is not.
pub(super) fn record(id: &str, number: &str, status: &str, updated_at: &str) -> Value {
    json!({
        "id": id, "phoneNumbers": [number], "status": status, "updatedAt": updated_at,
        "verificationRequestData": {"businessName": "Acme"},
    })
}
