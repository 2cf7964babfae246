//! Many programs at once repeat commands at random while answers are lost: nothing is submitted or bought twice, and what
//! the provider has is in the history.
//!
//! `TOLLPROOF_STORM_SECONDS` says how long, `TOLLPROOF_STORM_SEED` repeats the choices, and the storm also runs on PostgreSQL
//! where `TOLLPROOF_TEST_POSTGRES` has the address of a server.

mod caller;
mod ledger;
mod random;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tollproof_history::{Location, Store};
use tollproof_sandbox::{Sandbox, SandboxOptions};

use self::caller::Caller;
use crate::walk::accounts::account_of;
use crate::walk::{ApiWalk, PROVIDERS, remove_store};

/// The number of programs.
const CALLERS: usize = 8;

/// Numbers for each provider.
const NUMBERS: usize = 2;

/// The time a request may take. A call counts as lost after three times that, which a busy machine must not reach by itself.
const TIMEOUT: Duration = Duration::from_secs(3);

/// State of all programs.
pub(crate) struct Storm {
    pub(crate) sandbox: Arc<Sandbox>,
    pub(crate) store: Location,
}

impl Storm {
    /// A client with the history that all share.
    pub(crate) fn walk(&self, provider: &str) -> ApiWalk {
        let address = self.sandbox.url();
        ApiWalk::sharing(provider, Arc::clone(&self.sandbox), &address, self.store.clone(), TIMEOUT)
    }
}

/// The numbers of a provider that are submitted, and those that are for sale.
pub(crate) fn numbers_of(provider: &str) -> Vec<String> {
    let at = PROVIDERS.iter().position(|it| *it == provider).expect("it is one of them");
    (0..NUMBERS).map(|number| format!("+1855555{at:02}{number:02}")).collect()
}

fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[expect(clippy::print_stdout, reason = "the seed repeats a storm that found something")]
fn storm(store: Location) {
    let seconds = from_environment("TOLLPROOF_STORM_SECONDS").unwrap_or(6);
    let seed = from_environment("TOLLPROOF_STORM_SEED").unwrap_or_else(|| u64::from(std::process::id()));
    println!("TOLLPROOF_STORM_SEED={seed} on {store}");
    let options = SandboxOptions {
        review: "approve".parse().expect("it is a script"),
        review_after: jiff::SignedDuration::from_hours(48),
        ..SandboxOptions::default()
    };
    let storm = Storm { sandbox: Arc::new(Sandbox::start(options).expect("it starts")), store };
    for provider in PROVIDERS {
        let walk = storm.walk(provider);
        for number in numbers_of(provider) {
            walk.own(&number, account_of(provider));
        }
    }
    let end = Instant::now() + Duration::from_secs(seconds);
    let ran: Vec<_> = std::thread::scope(|scope| {
        let callers: Vec<_> = (0..CALLERS)
            .map(|at| {
                let storm = &storm;
                scope.spawn(move || Caller::new(storm, seed.wrapping_mul(64) + at as u64).run_until(end))
            })
            .collect();
        callers.into_iter().map(|thread| thread.join().expect("no command fails")).collect()
    });
    Caller::new(&storm, seed).settle_all();
    let refused: Vec<_> = ran.iter().flat_map(|it| it.1.clone()).collect();
    let seen = ledger::check(&storm, &refused);
    println!("{} commands; {seen}", ran.iter().map(|it| it.0).sum::<usize>());
}

#[test]
fn nothing_is_sent_twice_in_a_storm_on_sqlite() {
    let path = std::env::temp_dir().join(format!("tollproof-storm-{}.db", std::process::id()));
    storm(Location::Sqlite(path.clone()));
    remove_store(&path);
}

#[test]
fn nothing_is_sent_twice_in_a_storm_on_postgresql() {
    let Ok(url) = std::env::var("TOLLPROOF_TEST_POSTGRES") else { return };
    let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("the server answers");
    client
        .batch_execute("DROP SCHEMA IF EXISTS t_storm CASCADE; CREATE SCHEMA t_storm")
        .expect("a schema can be made");
    let store = format!("{url}?options=-csearch_path%3Dt_storm");
    storm(store.parse().expect("it is an address"));
}

/// A store of the storm.
pub(crate) fn open(walk: &ApiWalk, store: &Location) -> Store {
    let opened = Store::open(store, tollproof_history::Access::Create).expect("it opens");
    opened.at(walk.api.host().clone())
}
