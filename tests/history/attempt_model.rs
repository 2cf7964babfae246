//! Random sequences of operations on attempts, compared with a small model.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;
use tollproof_core::{Format, Parsed, Reservation, Source};
use tollproof_history::{Access, AttemptState, Begun, Host, Released, Reserved, Store};

use super::attempts::{add, at, new_attempt};
use super::stores::{Kept, each, record};
use crate::support::cases;

const NUMBERS: [&str; 3] = ["+18334726150", "+18334726151", "9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9"];

/// The time a holder keeps an attempt, and the gate a number, in seconds.
const LEASE: i64 = 10;

/// Longer than clocks may differ, in seconds.
const LONG_AGO: i64 = 10_000;

/// An operation. Attempts, numbers and submissions are named by an index that wraps around.
#[derive(Clone, Debug)]
enum Step {
    Begin {
        first: usize,
        second: Option<usize>,
        holder: usize,
    },
    Reserve(usize),
    TakeOver(usize, usize),
    MarkSent(usize, usize),
    MarkUnsent(usize, usize),
    KeepId(usize, usize),
    Accept {
        attempt: usize,
        with_id: bool,
    },
    AcceptWithRecord {
        attempt: usize,
        is_open: bool,
    },
    Refuse(usize),
    Withdraw(usize),
    /// A record of a number is fetched: of the submission of an attempt, or of another one.
    Fetch {
        number: usize,
        attempt: Option<usize>,
        is_open: bool,
        is_old: bool,
    },
    Confirm {
        number: usize,
        is_open: bool,
    },
    Release {
        number: usize,
        with_token: bool,
    },
    Wait,
}

fn step() -> impl Strategy<Value = Step> {
    let index = || 0..8_usize;
    let yes = any::<bool>;
    let holder = || 0..2_usize;
    prop_oneof![
        6 => (index(), prop::option::of(index()), holder())
            .prop_map(|(first, second, holder)| Step::Begin { first, second, holder }),
        2 => index().prop_map(Step::Reserve),
        2 => (index(), holder()).prop_map(|(attempt, holder)| Step::TakeOver(attempt, holder)),
        3 => (index(), holder()).prop_map(|(attempt, holder)| Step::MarkSent(attempt, holder)),
        1 => (index(), holder()).prop_map(|(attempt, holder)| Step::MarkUnsent(attempt, holder)),
        1 => (index(), holder()).prop_map(|(attempt, holder)| Step::KeepId(attempt, holder)),
        3 => (index(), yes()).prop_map(|(attempt, with_id)| Step::Accept { attempt, with_id }),
        1 => (index(), yes()).prop_map(|(attempt, is_open)| Step::AcceptWithRecord { attempt, is_open }),
        2 => index().prop_map(Step::Refuse),
        2 => index().prop_map(Step::Withdraw),
        4 => (index(), prop::option::of(index()), yes(), yes())
            .prop_map(|(number, attempt, is_open, is_old)| Step::Fetch { number, attempt, is_open, is_old }),
        1 => (index(), yes()).prop_map(|(number, is_open)| Step::Confirm { number, is_open }),
        2 => (index(), yes()).prop_map(|(number, with_token)| Step::Release { number, with_token }),
        2 => Just(Step::Wait),
    ]
}

/// An attempt in the model.
#[derive(Clone, Debug)]
struct ModelAttempt {
    token: String,
    names: BTreeSet<usize>,
    /// The numbers that no other attempt gets because of it.
    claims: BTreeSet<usize>,
    state: AttemptState,
    holder: usize,
    until: i64,
    since: i64,
    id: Option<String>,
    steps: usize,
}

/// The newest state of a submission.
#[derive(Clone, Debug)]
struct ModelSubmission {
    number: usize,
    is_open: bool,
    updated: i64,
}

#[derive(Debug, Default)]
struct Model {
    now: i64,
    attempts: Vec<ModelAttempt>,
    submissions: BTreeMap<String, ModelSubmission>,
    /// Reservations of the gate, with their ends.
    reserved: BTreeMap<usize, i64>,
    /// The number of tokens that the gate has used.
    tokens: usize,
}

impl Model {
    fn is_free(&self, number: usize) -> bool {
        let is_claimed = self.attempts.iter().any(|it| it.claims.contains(&number));
        let is_open =
            self.submissions.values().any(|submission| submission.number == number && submission.is_open);
        let is_reserved = self.reserved.get(&number).is_some_and(|&until| self.now < until);
        !(is_claimed || is_open || is_reserved)
    }

    fn attempt(&self, index: usize) -> Option<usize> {
        (!self.attempts.is_empty()).then(|| index % self.attempts.len())
    }

    fn is_held(&self, attempt: usize, holder: usize) -> bool {
        let attempt = &self.attempts[attempt];
        attempt.state.is_open() && attempt.holder == holder
    }

    fn store_record(&mut self, id: &str, number: usize, is_open: bool, updated: i64) {
        let newer = ModelSubmission { number, is_open, updated };
        match self.submissions.get_mut(id) {
            Some(known) if known.updated > updated => {}
            Some(known) => *known = newer,
            None => drop(self.submissions.insert(id.to_owned(), newer)),
        }
    }

    /// Ends the claims that a fetched record settles.
    fn settle(&mut self, id: &str) {
        let newest = self.submissions[id].clone();
        for attempt in &mut self.attempts {
            let is_same = attempt.id.as_deref().map(|it| it == id);
            if attempt.state != AttemptState::Accepted || attempt.claims.is_empty() {
                continue;
            }
            let shows = newest.is_open || is_same.unwrap_or_else(|| newest.updated + 300 >= attempt.since);
            let ended = match is_same {
                Some(true) if shows => std::mem::take(&mut attempt.claims).len(),
                _ if shows => usize::from(attempt.claims.remove(&newest.number)),
                _ => 0,
            };
            if ended > 0 {
                attempt.id.get_or_insert_with(|| id.to_owned());
            }
        }
    }
}

fn holder(holder: usize) -> String {
    format!("h{holder}")
}

/// A record of the submission `id`.
fn fetched(id: &str, number: usize, is_open: bool, updated: i64) -> Value {
    record(id, NUMBERS[number], if is_open { "in review" } else { "Rejected" }, &at(updated).to_string())
}

/// Calls `work` with a record as it was parsed.
fn parsed<T>(record: &Value, work: impl FnOnce(&Parsed<'_>) -> T) -> T {
    let text = record.to_string();
    let source = Source::new("record.json", text.as_str());
    work(&Parsed::of(&source, Some(Format::Json)))
}

/// Does a step in the store and in the model, and compares the results.
fn play(store: &mut Store, model: &mut Model, step: &Step) {
    let now = model.now;
    let (time, lease) = (at(now), at(now + LEASE));
    match *step {
        Step::Wait => model.now += LEASE,
        Step::Begin { first, second, holder: by } => {
            let names: BTreeSet<usize> =
                [Some(first), second].into_iter().flatten().map(|it| it % 3).collect();
            let texts: Vec<&str> = names.iter().map(|&it| NUMBERS[it]).collect();
            let mut new = new_attempt(&texts);
            (new.holder, new.until) = (holder(by), lease);
            let is_free = names.iter().all(|&it| model.is_free(it));
            match store.begin(&new, time).expect("it can be written to") {
                Begun::Taken => assert!(!is_free, "the numbers are free"),
                Begun::Started(attempt) => {
                    assert!(is_free, "a number is taken");
                    model.reserved.retain(|it, _| !names.contains(it));
                    model.attempts.push(ModelAttempt {
                        token: attempt.token,
                        claims: names.clone(),
                        names,
                        state: AttemptState::Prepared,
                        holder: by,
                        until: now + LEASE,
                        since: now,
                        id: None,
                        steps: 0,
                    });
                }
            }
        }
        Step::Reserve(number) => {
            let number = number % 3;
            model.tokens += 1;
            let times = Reservation { since: time, until: lease };
            let token = format!("gate-{}", model.tokens);
            let reserved = store.reserve(&[NUMBERS[number].to_owned()], &token, times);
            let is_free = model.is_free(number);
            assert_eq!(reserved.expect("it can be written to") == Reserved::Done, is_free);
            if is_free {
                model.reserved.insert(number, now + LEASE);
            }
        }
        Step::TakeOver(index, by) => {
            let Some(index) = model.attempt(index) else { return };
            let attempt = &mut model.attempts[index];
            let may = attempt.state.is_open() && (attempt.holder == by || attempt.until <= now);
            let taken = store.take_over(&attempt.token, &holder(by), time, lease);
            assert_eq!(taken.expect("it can be written to").is_some(), may);
            if may {
                (attempt.holder, attempt.until) = (by, now + LEASE);
            }
        }
        Step::MarkSent(index, by) => {
            let Some(index) = model.attempt(index) else { return };
            let may = model.is_held(index, by);
            let attempt = &mut model.attempts[index];
            let marked = store.mark_sent(&attempt.token, &holder(by), time, lease);
            assert_eq!(marked.expect("it can be written to"), may);
            if may {
                (attempt.state, attempt.until) = (AttemptState::Sent, now + LEASE);
            }
        }
        Step::MarkUnsent(index, by) | Step::KeepId(index, by) => {
            let Some(index) = model.attempt(index) else { return };
            let may = model.is_held(index, by);
            let attempt = &mut model.attempts[index];
            let done = match step {
                Step::KeepId(..) => {
                    attempt.steps += usize::from(may);
                    let name = format!("step-{}", attempt.steps);
                    store.keep_step(&attempt.token, &holder(by), &name, "id")
                }
                _ => store.mark_unsent(&attempt.token, &holder(by)),
            };
            assert_eq!(done.expect("it can be written to"), may);
            if may {
                attempt.state = AttemptState::Prepared;
            }
        }
        Step::Accept { attempt: index, with_id } => {
            let Some(index) = model.attempt(index) else { return };
            let attempt = &mut model.attempts[index];
            let id = with_id.then(|| format!("s{index}"));
            store.accept(&attempt.token, id.as_deref(), None, time).expect("it is known");
            if !attempt.state.is_open() && attempt.state != AttemptState::Accepted {
                attempt.claims = attempt.names.clone();
                model.reserved.retain(|it, _| !attempt.names.contains(it));
            }
            attempt.state = AttemptState::Accepted;
            attempt.id = id.or_else(|| attempt.id.clone());
        }
        Step::AcceptWithRecord { attempt: index, is_open } => {
            let Some(index) = model.attempt(index) else { return };
            let number = *model.attempts[index].names.first().expect("it has a number");
            let id = format!("s{index}");
            let token = &model.attempts[index].token;
            let accepted = parsed(&fetched(&id, number, is_open, now), |record| {
                store.accept(token, None, Some(record), time)
            });
            accepted.expect("it is known");
            model.store_record(&id, number, is_open, now);
            let attempt = &mut model.attempts[index];
            attempt.claims.clear();
            attempt.state = AttemptState::Accepted;
            attempt.id.get_or_insert(id);
        }
        Step::Refuse(index) | Step::Withdraw(index) => {
            let Some(index) = model.attempt(index) else { return };
            let attempt = &mut model.attempts[index];
            let is_open = attempt.state.is_open();
            let (ended, state) = match step {
                Step::Refuse(_) => {
                    let refused = store.refuse(&attempt.token, &holder(attempt.holder), "no", time);
                    (refused, AttemptState::Refused)
                }
                _ => (store.withdraw(&attempt.token, "no", time), AttemptState::Withdrawn),
            };
            // Once more at the same time is the same call after a lost connection.
            let is_repeated = attempt.state == state;
            let ended = ended.expect("it can be written to");
            assert!(ended == is_open || is_repeated);
            if is_open {
                attempt.state = state;
                attempt.claims.clear();
            }
        }
        Step::Fetch { number, attempt, is_open, is_old } => {
            let of = attempt.and_then(|it| model.attempt(it));
            let number = match of {
                Some(index) => *model.attempts[index].names.first().expect("it has a number"),
                None => number % 3,
            };
            let id = of.map_or_else(|| format!("x{number}"), |index| format!("s{index}"));
            let updated = if is_old { now - LONG_AGO } else { now };
            add(store, &fetched(&id, number, is_open, updated));
            model.store_record(&id, number, is_open, updated);
            model.settle(&id);
        }
        Step::Confirm { number, is_open } => {
            let number = number % 3;
            let id = format!("x{number}");
            let confirmed = parsed(&fetched(&id, number, is_open, now), |record| store.confirm(record, None));
            confirmed.expect("it is a record");
            model.store_record(&id, number, is_open, now);
            model.reserved.remove(&number);
            for attempt in &mut model.attempts {
                if attempt.claims.remove(&number) {
                    attempt.state = AttemptState::Accepted;
                    attempt.id.get_or_insert_with(|| id.clone());
                }
            }
        }
        Step::Release { number, with_token } => {
            let number = number % 3;
            let claimants: Vec<usize> =
                (0..model.attempts.len()).filter(|&it| model.attempts[it].claims.contains(&number)).collect();
            let token = claimants.first().filter(|_| with_token).map(|&it| model.attempts[it].token.clone());
            if with_token && claimants.len() > 1 {
                // Any of them may have the reservation.
                return;
            }
            let released = store.release(NUMBERS[number], token.as_deref()).expect("it can be written to");
            let was_reserved = model.reserved.remove(&number).is_some();
            let expected = match claimants.as_slice() {
                [] if was_reserved => Released::Done,
                [] => Released::NotReserved,
                _ if token.is_none() => Released::HasAttempt,
                _ => Released::Done,
            };
            assert_eq!(released, expected);
            if let (Some(_), [only]) = (token, claimants.as_slice()) {
                let attempt = &mut model.attempts[*only];
                attempt.claims.clear();
                if attempt.state.is_open() {
                    attempt.state = AttemptState::Withdrawn;
                }
            }
        }
    }
}

/// Compares all that the store shows with the model.
fn compare(store: &mut Store, model: &Model) {
    let mut stored = store.attempts().expect("it can be read");
    stored.sort_by_key(|attempt| model.attempts.iter().position(|known| known.token == attempt.token));
    assert_eq!(stored.len(), model.attempts.len());
    for (stored, known) in stored.iter().zip(&model.attempts) {
        assert_eq!(
            (&stored.token, stored.state, &stored.holder, stored.until, &stored.id, stored.steps.len()),
            (&known.token, known.state, &holder(known.holder), at(known.until), &known.id, known.steps)
        );
    }
    for (number, name) in NUMBERS.iter().enumerate() {
        let open = model
            .attempts
            .iter()
            .filter(|attempt| attempt.state.is_open() && attempt.names.contains(&number));
        assert!(open.count() <= 1, "two open attempts hold {name}");
        let claimed = model.attempts.iter().any(|it| it.claims.contains(&number));
        let until = match model.reserved.get(&number) {
            _ if claimed => Some(Timestamp::MAX),
            until => until.map(|&until| at(until)),
        };
        assert_eq!(store.timeline(name).expect("it can be read").reserved_until, until, "{name}");
    }
}

fn run(kept: &Kept, cases: u32) {
    drop(Store::open(&kept.location(), Access::Create).expect("it can be made"));
    // Each case has a host of its own, so that all share one store.
    let case = Cell::new(0);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let result = TestRunner::new(config).run(&prop::collection::vec(step(), 1..40), |steps| {
        case.set(case.get() + 1);
        let host = Host::named(&format!("127.0.0.1:{}", case.get()));
        let mut store = Store::open(&kept.location(), Access::Read).expect("it is there").at(host);
        let mut model = Model::default();
        for step in &steps {
            play(&mut store, &mut model, step);
            compare(&mut store, &model);
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn any_sequence_of_operations_does_what_the_model_does() {
    each("attempt-model", |kept| run(kept, cases(if kept.is_file { 128 } else { 32 })));
}
