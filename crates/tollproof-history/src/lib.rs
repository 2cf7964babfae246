//! The past of toll-free numbers: earlier submissions, kept in files, SQLite or PostgreSQL.
//!
//! A history of files is read as a whole. A store is never read as a whole but to list or export it; it keeps every
//! version of every record, notes on them, and reservations. Ids and numbers are compared without regard to case.
//!
//! [`Past`] asks any number of histories as one, and answers with the facts that [`tollproof_core`] takes:
//!
//! ```
//! use tollproof_core::Facts;
//! use tollproof_history::{Access, Location, Past, Wanted};
//!
//! # fn main() -> Result<(), tollproof_history::HistoryError> {
//! # let folder = std::env::temp_dir().join(format!("tollproof-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).expect("writable");
//! # let records = folder.display();
//! let records: Location = format!("{records}").parse()?;
//! let mut past = Past::open(&[records], Access::Read)?;
//! let wanted = Wanted { numbers: vec!["9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9".to_owned()], ids: Vec::new() };
//! let facts = Facts { history: past.look_up(&wanted)?.history, ..Facts::default() };
//! # assert!(facts.history.submissions().is_empty());
//! # std::fs::remove_dir_all(&folder).expect("it is there");
//! # Ok(())
//! # }
//! ```
//!
//! [`Gate`] stands before sending. Of any number of callers, on any machine that shares the store, one gets the number:
//!
//! ```
//! use tollproof_core::{KindSource, Linter, Parsed, Source};
//! use tollproof_history::{Access, Gate, Location, Past, Plan, Verdict};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let draft = tollproof_core::clean::of(tollproof_core::Kind::SubmitRequest).to_string();
//! # let path = std::env::temp_dir().join(format!("tollproof-gate-{}.db", std::process::id()));
//! # let send = |body: &str| assert!(body.starts_with("{\"businessName\":"));
//! let linter = Linter::builtin()?;
//! let mut past = Past::open(&[Location::Sqlite(path.clone())], Access::Create)?;
//! let draft = Source::new("draft.json", draft);
//! let draft = Parsed::of(&draft, None);
//! let decision = Gate::new(&linter, &mut past).decide(&draft, KindSource::Named, &Plan::default())?;
//! match decision.verdict {
//!     // Then `Store::confirm` with the record of the new submission, or `Store::release`.
//!     Verdict::Go(permit) => send(&permit.payload),
//!     Verdict::Refused => panic!("{:?}", decision.report.findings),
//! }
//! // The same draft a second time: its number is reserved now.
//! let again = Gate::new(&linter, &mut past).decide(&draft, KindSource::Named, &Plan::default())?;
//! assert_eq!(again.verdict, Verdict::Refused);
//! assert_eq!(again.report.findings[0].rule, "history/reserved-number");
//! # drop(past);
//! # std::fs::remove_file(path)?;
//! # Ok(())
//! # }
//! ```

mod backend;
mod entry;
mod error;
mod files;
mod gate;
mod globs;
mod location;
mod lookup;
mod past;
#[cfg(feature = "postgres")]
mod postgres;
mod reading;
mod sqlite;
mod store;

pub use backend::{Listed, Version};
pub use entry::{Note, Record};
pub use error::{BadRecord, HistoryError, reason};
pub use files::find;
pub use gate::{Decision, Gate, MAX_TTL, MIN_TTL, Permit, Plan, Ticket, Verdict};
pub use globs::glob;
pub use location::{Access, Location, Url};
pub use lookup::{Found, Wanted};
pub use past::Past;
pub use reading::{
    DEFAULT_MAX_FILE_SIZE, name_of, open_stream, read, read_line, read_to_string, read_within,
    set_max_file_size,
};
pub use store::{Confirmed, Imported, Released, Reserved, Store, Timeline};
