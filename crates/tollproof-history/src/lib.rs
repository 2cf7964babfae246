//! The history of toll-free numbers: earlier submissions, kept in files, SQLite or PostgreSQL.
//!
//! Record files are read completely into memory. A store is queried, and read completely only to list or export it. It
//! contains every version of every record, notes, and reservations. Ids and numbers are compared ignoring case.
//!
//! [`HistorySet`] queries any number of histories as one and returns the facts for [`tollproof_core`]:
//!
//! ```
//! use tollproof_core::Facts;
//! use tollproof_history::{Access, HistorySet, Location, Query};
//!
//! # fn main() -> Result<(), tollproof_history::HistoryError> {
//! # let folder = std::env::temp_dir().join(format!("tollproof-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).expect("writable");
//! # let records = folder.display();
//! let records: Location = format!("{records}").parse()?;
//! let mut histories = HistorySet::open(&[records], Access::Read)?;
//! let query = Query { numbers: vec!["9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9".to_owned()], ids: Vec::new() };
//! let facts = Facts { history: histories.look_up(&query)?.history, ..Facts::default() };
//! # assert!(facts.history.submissions().is_empty());
//! # std::fs::remove_dir_all(&folder).expect("it is there");
//! # Ok(())
//! # }
//! ```
//!
//! [`Gate`] decides whether a draft may be sent. If several callers ask for the same number, on any machine that shares
//! the store, only one of them gets it:
//!
//! ```
//! use tollproof_core::{KindHint, Linter, Parsed, Source};
//! use tollproof_history::{Access, Gate, GateOptions, HistorySet, Location, Verdict};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let draft = tollproof_core::clean_document(tollproof_core::Kind::of(tollproof_core::KindRole::Submit)).to_string();
//! # let path = std::env::temp_dir().join(format!("tollproof-gate-{}.db", std::process::id()));
//! # let send = |body: &str| assert!(body.starts_with("{\"businessName\":"));
//! let linter = Linter::builtin();
//! let mut histories = HistorySet::open(&[Location::Sqlite(path.clone())], Access::Create)?;
//! let draft = Source::new("draft.json", draft);
//! let draft = Parsed::of(&draft, None);
//! let decision = Gate::new(&linter, &mut histories).decide(&draft, KindHint::Explicit, &GateOptions::default())?;
//! match decision.verdict {
//!     // Afterwards call `Store::confirm` with the record of the new submission, or `Store::release`.
//!     Verdict::Go(permit) => send(&permit.payload),
//!     Verdict::Refused => panic!("{:?}", decision.report.findings),
//! }
//! // The same draft again: its number is already reserved.
//! let again = Gate::new(&linter, &mut histories).decide(&draft, KindHint::Explicit, &GateOptions::default())?;
//! assert_eq!(again.verdict, Verdict::Refused);
//! assert_eq!(again.report.findings[0].rule, "history/reserved-number");
//! # drop(histories);
//! # std::fs::remove_file(path)?;
//! # Ok(())
//! # }
//! ```

mod attempt;
mod backend;
mod entry;
mod error;
mod files;
mod gate;
mod globs;
mod history_set;
mod host;
mod location;
mod lookup;
#[cfg(feature = "postgres")]
mod postgres;
mod reading;
mod row;
mod server_hosts;
mod sqlite;
mod store;
mod token;
mod version;

pub use attempt::{Attempt, AttemptOperation, AttemptState, NewAttempt};
pub use entry::{Note, Record};
pub use error::{BadRecord, HistoryError, Result, reason};
pub use files::find;
pub use gate::{AttemptOptions, Decision, Gate, GateOptions, MAX_TTL, MIN_TTL, Permit, Ticket, Verdict};
pub use globs::glob;
pub use history_set::HistorySet;
pub use host::Host;
pub use location::{Access, Location, StoreUrl};
pub use lookup::{Query, QueryResult};
pub use reading::{
    DEFAULT_MAX_FILE_SIZE, max_file_size, name_of, open_stream, read, read_line, read_to_string, read_within,
    set_max_file_size, too_large,
};
pub use server_hosts::server_hosts;
pub use sqlite::SpillTable;
pub use store::{Begun, Confirmed, Imported, Released, Reserved, Store, Stored, Timeline};
pub use token::digest_of;
pub use version::{SubmissionSummary, Version};
