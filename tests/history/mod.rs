//! The history: what is kept, found again and reserved, on every sort of store.
//!
//! Each scenario runs on SQLite, and on PostgreSQL where `TOLLPROOF_TEST_POSTGRES` holds the address of a server
//! (`.ci/with-postgres` starts one).

mod attempt_model;
mod attempts;
mod crash;
#[cfg(unix)]
mod delivery;
mod failures;
mod gate;
mod import;
#[cfg(all(feature = "online", feature = "sandbox"))]
mod older;
mod past;
mod providers;
mod race;
mod server;
mod stores;
