//! Attempts: what is written down before it is sent, and which numbers it keeps from others.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use tollproof_core::{Format, Kind, KindHint, KindRole, Linter, Parsed, Reservation, Source, Submission};
use tollproof_history::{
    Access, Attempt, AttemptOperation, AttemptOptions, AttemptState, Begun, Gate, GateOptions, HistorySet,
    Host, NewAttempt, Query, Released, Reserved, Store, Stored, Verdict, digest_of,
};

use super::stores::{Kept, NUMBER, each, record};

const OTHER: &str = "1c2d3e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f";

/// A time of the test: seconds after its beginning.
pub(super) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_795_248_000 + second).expect("it is in range")
}

/// An attempt of the holder `me` to submit numbers, with a lease until second 1000.
pub(super) fn new_attempt(names: &[&str]) -> NewAttempt {
    NewAttempt {
        operation: AttemptOperation::Submission,
        provider: "bird".to_owned(),
        number: names.first().copied().unwrap_or_default().to_owned(),
        names: names.iter().map(|&it| it.to_owned()).collect(),
        digest: digest_of(b"{}"),
        address: "127.0.0.1:8833".to_owned(),
        holder: "me".to_owned(),
        until: at(1000),
        record: None,
        steps: Default::default(),
    }
}

/// Begins an attempt at a second; `None` if a number is taken.
pub(super) fn begin_at(store: &mut Store, new: &NewAttempt, second: i64) -> Option<Attempt> {
    match store.begin(new, at(second)).expect("the store can be written to") {
        Begun::Started(attempt) => Some(attempt),
        Begun::Taken => None,
    }
}

fn begin(store: &mut Store, names: &[&str]) -> Option<Attempt> {
    begin_at(store, &new_attempt(names), 0)
}

/// Stores a record as it was fetched.
pub(super) fn add(store: &mut Store, record: &Value) -> Vec<Stored> {
    let text = record.to_string();
    let source = Source::new("record.json", text.as_str());
    store.add_records(&Parsed::of(&source, Some(Format::Json))).expect("it is a record")
}

fn accept(store: &mut Store, token: &str, id: Option<&str>, record: Option<&Value>) -> Attempt {
    let text = record.map(Value::to_string).unwrap_or_default();
    let source = Source::new("record.json", text.as_str());
    let parsed = record.map(|_| Parsed::of(&source, Some(Format::Json)));
    store.accept(token, id, parsed.as_ref(), at(50)).expect("the attempt is known")
}

fn made(kept: &Kept) -> Store {
    Store::open(&kept.location(), Access::Create).expect("it can be made")
}

/// A record of the number that changed at a second.
fn changed(id: &str, status: &str, second: i64) -> Value {
    record(id, NUMBER, status, &at(second).to_string())
}

/// A record of the number without a time.
fn timeless(id: &str, status: &str) -> Value {
    let mut record = record(id, NUMBER, status, "");
    record.as_object_mut().expect("it is an object").remove("updatedAt");
    record
}

/// The end of the reservation of the number.
fn reserved(store: &mut Store) -> Option<Timestamp> {
    store.timeline(NUMBER).expect("it can be read").reserved_until
}

#[test]
fn an_attempt_goes_through_its_states() {
    each("attempt-life", |kept| {
        let store = &mut made(kept);
        let started = begin(store, &[NUMBER]).expect("the number is free");
        assert_eq!(started.state, AttemptState::Prepared);
        assert_eq!((started.token.len(), started.created_at, started.sent_at), (32, at(0), None));
        assert_eq!((started.number.as_str(), started.provider.as_str()), (NUMBER, "bird"));
        assert_eq!(started.digest, digest_of(b"{}"));
        assert_eq!(begin(store, &[NUMBER]), None);
        assert_eq!(reserved(store), Some(Timestamp::MAX));
        let reservations = store.reservations().expect("it can be read");
        assert!(reservations.iter().all(|it| it.1.is_endless()) && reservations.len() == 1);
        let token = started.token.as_str();
        for (holder, sent) in [("other", false), ("me", true)] {
            assert_eq!(store.mark_sent(token, holder, at(1), at(1001)).expect("it can be written"), sent);
            let state = store.attempt(token).expect("it can be read").expect("it is there").state;
            assert_eq!(state, if sent { AttemptState::Sent } else { AttemptState::Prepared });
        }
        assert!(!store.mark_unsent(token, "other").expect("it can be written"));
        assert!(!store.keep_step(token, "other", "create", "r-1").expect("it can be written"));
        assert!(store.keep_step(token, "me", "create", "r-1").expect("it can be written"));
        assert!(store.keep_step(token, "me", "attach", "f-\"2\"").expect("it can be written"));
        assert!(store.mark_sent(token, "me", at(2), at(1002)).expect("it can be written"));
        let sent = store.attempt(&token[..6]).expect("it can be read").expect("it is there");
        let steps: Vec<_> = sent.steps.iter().map(|(name, id)| (name.as_str(), id.as_str())).collect();
        assert_eq!(steps, [("attach", "f-\"2\""), ("create", "r-1")]);
        assert_eq!((sent.state, sent.sent_at, sent.until), (AttemptState::Sent, Some(at(2)), at(1002)));
        assert!(store.mark_unsent(token, "me").expect("it can be written"));
        assert!(store.refuse(token, "me", "the number is not yours", at(3)).expect("it can be written"));
        assert!(!store.withdraw(token, "too late", at(4)).expect("it can be written"));
        assert!(!store.mark_sent(token, "me", at(4), at(1004)).expect("it can be written"));
        assert_eq!(store.take_over(token, "me", at(4), at(1004)).expect("it can be written"), None);
        let refused = store.attempt(token).expect("it can be read").expect("it is there");
        assert_eq!(refused.state, AttemptState::Refused);
        assert_eq!(refused.why.as_deref(), Some("the number is not yours"));
        assert_eq!(reserved(store), None);
        let again = begin_at(store, &new_attempt(&[NUMBER]), 5).expect("the number is free again");
        let tokens = |all: Vec<Attempt>| all.into_iter().map(|it| it.token).collect::<Vec<_>>();
        let expected = [again.token, started.token];
        assert_eq!(tokens(store.attempts().expect("it can be read")), expected);
        assert_eq!(tokens(store.attempts_of(&NUMBER.to_uppercase()).expect("it can be read")), expected);
        assert_eq!(store.attempts_of(OTHER).expect("it can be read"), []);
        assert_eq!(store.attempt("00ff%_").expect("no token has these characters"), None);
        let error = store.attempt("00ff").expect_err("it is too short");
        assert!(error.to_string().contains("write at least 6 characters"), "{error}");
        let error = store.accept("00ff", None, None, at(6)).expect_err("the token is unknown");
        assert!(error.to_string().contains("`tollproof attempts` lists them"), "{error}");
    });
}

#[test]
fn only_who_holds_an_attempt_goes_on() {
    each("attempt-holder", |kept| {
        let store = &mut made(kept);
        let token = begin(store, &[NUMBER]).expect("the number is free").token;
        assert_eq!(store.take_over(&token, "other", at(999), at(2000)).expect("it can be written"), None);
        let own = store.take_over(&token, "me", at(999), at(1500)).expect("it can be written");
        assert_eq!(own.map(|it| it.until), Some(at(1500)));
        // What its holder has let go, and is not on its way, is free also if the clock goes back.
        assert!(store.let_go(&token, "me", at(1500)).expect("it can be written"));
        let other = store.take_over(&token, "other", at(1), at(900)).expect("it can be written");
        assert_eq!(other.map(|it| it.until), Some(at(900)));
        let own = store.take_over(&token, "me", at(900), at(1500)).expect("it can be written");
        assert_eq!(own.map(|it| it.holder), Some("me".to_owned()));
        // Eight at once, after the lease has ended: one becomes the holder.
        let location = kept.location();
        let one = |holder: usize| {
            let mut store = Store::open(&location, Access::Read).expect("it is there");
            let taken = store.take_over(&token, &format!("h{holder}"), at(1500), at(3000));
            taken.expect("it can be written").map(|it| it.holder)
        };
        let winners: Vec<String> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..8).map(|holder| scope.spawn(move || one(holder))).collect();
            all.into_iter().filter_map(|thread| thread.join().expect("it ends well")).collect()
        });
        let [winner] = winners.as_slice() else { panic!("{winners:?}") };
        assert!(!store.mark_sent(&token, "me", at(1501), at(3000)).expect("it can be written"));
        assert!(store.mark_sent(&token, winner, at(1501), at(3000)).expect("it can be written"));
        // Who was too slow does not end what the other has sent.
        assert!(!store.give_up(&token, "me", "it was too slow", at(1502)).expect("it can be written"));
        assert!(!store.refuse(&token, "me", "it was refused", at(1502)).expect("it can be written"));
        assert_eq!(reserved(store), Some(Timestamp::MAX));
        assert!(store.give_up(&token, winner, "nothing arrived", at(1503)).expect("it can be written"));
        assert_eq!(reserved(store), None);
    });
}

#[test]
fn of_many_callers_at_once_one_begins() {
    each("attempt-race", |kept| {
        let location = kept.location();
        drop(made(kept));
        for round in 0..5 {
            let one = |caller: usize| {
                let mut store = Store::open(&location, Access::Read).expect("it is there");
                // Some ask for a second number too: all or none of the numbers are reserved.
                let names: &[&str] = if caller.is_multiple_of(2) { &[NUMBER] } else { &[OTHER, NUMBER] };
                begin_at(&mut store, &new_attempt(names), round).map(|it| it.token)
            };
            let started: Vec<String> = std::thread::scope(|scope| {
                let all: Vec<_> = (0..8).map(|caller| scope.spawn(move || one(caller))).collect();
                all.into_iter().filter_map(|thread| thread.join().expect("it ends well")).collect()
            });
            let [token] = started.as_slice() else { panic!("{started:?}") };
            let mut store = Store::open(&location, Access::Read).expect("it is there");
            assert!(store.withdraw(token, "the race is over", at(round)).expect("it can be written"));
            assert_eq!(store.reservations().expect("it can be read"), []);
        }
    });
}

#[test]
fn an_accepted_number_stays_reserved_until_its_record_is_there() {
    each("attempt-accepted", |kept| {
        let store = &mut made(kept);
        add(store, &timeless("old", "Rejected"));
        let token = begin(store, &[NUMBER]).expect("the number is free").token;
        let accepted = accept(store, &token, None, None);
        assert_eq!((accepted.state, accepted.id), (AttemptState::Accepted, None));
        // Records of an earlier submission do not end the reservation.
        add(store, &timeless("old", "Rejected"));
        add(store, &changed("older", "Verified", -1000));
        assert_eq!((begin(store, &[NUMBER]), reserved(store)), (None, Some(Timestamp::MAX)));
        add(store, &changed("older", "in review", -2000));
        assert_eq!(begin(store, &[NUMBER]), None, "an older state of it does not either");
        let stored = add(store, &changed("New-1", "in review", 60));
        assert_eq!((stored[0].before.clone(), stored[0].status.as_str()), (None, "in review"));
        assert!(stored[0].is_new && stored[0].id == "New-1");
        assert_eq!((begin(store, &[NUMBER]), reserved(store)), (None, None));
        let known = store.attempt(&token).expect("it can be read").expect("it is there");
        assert_eq!(known.id.as_deref(), Some("New-1"), "it was learnt from the record");
        let stored = add(store, &changed("new-1", "Rejected", 70));
        assert_eq!(stored[0].before.as_deref(), Some("in review"));
        let second = begin(store, &[NUMBER]).expect("the submission has ended");
        // An id that the answer contained: only its record, or an open submission, ends the reservation.
        accept(store, &second.token, Some("new-2"), None);
        add(store, &changed("new-1", "Rejected", 5000));
        assert_eq!(begin(store, &[NUMBER]), None);
        add(store, &timeless("NEW-2", "Rejected"));
        let third = begin(store, &[NUMBER]).expect("the submission has ended");
        let accepted = accept(store, &third.token, None, Some(&changed("new-3", "submitted", 80)));
        assert_eq!(accepted.id.as_deref(), Some("new-3"));
        assert_eq!((begin(store, &[NUMBER]), reserved(store)), (None, None));
        // Once more after a lost answer: nothing changes.
        assert_eq!(accept(store, &third.token, None, None).id.as_deref(), Some("new-3"));
        assert_eq!(reserved(store), None);
    });
}

#[test]
fn a_withdrawn_attempt_that_arrived_after_all_takes_its_number_again() {
    each("attempt-late", |kept| {
        let store = &mut made(kept);
        let first = begin(store, &[NUMBER]).expect("the number is free").token;
        assert!(store.withdraw(&first, "nothing arrived", at(1)).expect("it can be written"));
        let second = begin(store, &[NUMBER]).expect("the number is free again").token;
        // What a look finds may be what the second attempt made.
        let looked = store.adopt(&first, Some("late"), None, at(1)).expect("it can be written");
        assert_eq!((looked.state, looked.id), (AttemptState::Withdrawn, None));
        let late = accept(store, &first, Some("late"), None);
        assert_eq!((late.state, late.why), (AttemptState::Accepted, None));
        // The second attempt keeps the number, and the first gets it afterwards.
        assert!(
            store.refuse(&second, "me", "the number has a submission", at(2)).expect("it can be written")
        );
        assert_eq!((begin(store, &[NUMBER]), reserved(store)), (None, Some(Timestamp::MAX)));
        add(store, &changed("late", "Rejected", 60));
        assert!(begin(store, &[NUMBER]).is_some());
    });
}

#[test]
fn the_gate_and_attempts_keep_out_of_each_others_way() {
    each("attempt-gate", |kept| {
        let store = &mut made(kept);
        let numbers = [NUMBER.to_owned()];
        let times = Reservation { since: at(0), until: at(100) };
        let reserve = |store: &mut Store| store.reserve(&numbers, "gate", times).expect("it can be written");
        assert_eq!(reserve(store), Reserved::Done);
        assert_eq!(begin(store, &[NUMBER]), None);
        let release =
            |store: &mut Store, token: Option<&str>| store.release(NUMBER, token).expect("it can be written");
        assert_eq!(release(store, None), Released::Done);
        let token = begin(store, &[NUMBER]).expect("the number is free").token;
        assert_eq!(reserve(store), Reserved::Taken);
        assert_eq!(release(store, None), Released::HasAttempt);
        assert_eq!(release(store, Some("other")), Released::OtherToken);
        let ran = kept.run(&["gate", "release", NUMBER]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains("`tollproof attempts` shows how to end that"), "{ran:?}");
        let listed = kept.well(&["gate", "list"]);
        let words = "reserved until its outcome is known; `tollproof status` shows it\n";
        assert!(listed.ends_with(words), "{listed}");
        assert!(kept.well(&["history", "show", NUMBER]).ends_with(words));
        kept.file("draft.json", super::stores::draft().to_string());
        let refused = kept.run(&["gate", "draft.json", "--output-format", "concise"]);
        let words = "reserved for a submission until its outcome is known; `tollproof status` shows it";
        assert!(refused.code == Some(1) && refused.err.contains(words), "{refused:?}");
        assert_eq!(release(store, Some(&token)), Released::Done);
        let ended = store.attempt(&token).expect("it can be read").expect("it is there");
        assert_eq!(ended.state, AttemptState::Withdrawn);
        // A record that a person confirms shows that the attempt arrived.
        let token = begin(store, &[NUMBER]).expect("the number is free").token;
        kept.file("answer.json", changed("a1", "Rejected", 60).to_string());
        kept.well(&["gate", "confirm", "answer.json"]);
        let ended = store.attempt(&token).expect("it can be read").expect("it is there");
        assert_eq!((ended.state, ended.id.as_deref()), (AttemptState::Accepted, Some("a1")));
        assert!(begin(store, &[NUMBER]).is_some());
    });
}

#[test]
fn the_gate_begins_the_attempt_to_send_what_it_lets_through() {
    each("attempt-decide", |kept| {
        let made_at = made(kept).now().expect("it has a clock");
        let linter = Linter::builtin();
        let mut past = HistorySet::open(&[kept.location()], Access::Read).expect("it is there");
        let options = GateOptions {
            now: Some(at(10)),
            attempt: Some(AttemptOptions {
                names: Vec::new(),
                address: "api.example".to_owned(),
                holder: "me".to_owned(),
                lease: SignedDuration::from_secs(60),
            }),
            ..GateOptions::default()
        };
        let update = tollproof_core::clean_document(Kind::of(KindRole::Update));
        let shown = update.to_string();
        // Keys do not show that a draft is an update.
        let hint = |draft: &str| {
            if draft == shown {
                KindHint::Configured(Kind::of(KindRole::Update).into())
            } else {
                KindHint::Explicit
            }
        };
        let mut decide = |draft: &Value, options: &GateOptions| {
            let text = draft.to_string();
            let source = Source::new("draft.json", text.as_str());
            let draft = Parsed::of(&source, None);
            let decision = Gate::new(&linter, &mut past).decide(&draft, hint(&text), options);
            match decision.expect("it is one draft").verdict {
                Verdict::Go(permit) => Some(permit),
                Verdict::Refused => None,
            }
        };
        let permit = decide(&super::stores::draft(), &options).expect("the number is free");
        let attempt = permit.attempt.expect("it was asked for");
        assert_eq!(attempt.digest, digest_of(permit.payload.as_bytes()));
        assert_eq!((attempt.provider.as_str(), attempt.number.as_str()), ("bird", NUMBER));
        assert_eq!((attempt.address.as_str(), attempt.holder.as_str()), ("api.example", "me"));
        // The rules calculate with the time of the options, the lease with that of the store.
        assert!(attempt.created_at >= made_at, "{attempt:?}");
        let lease = attempt.until.duration_since(attempt.created_at);
        assert_eq!((lease, attempt.record), (SignedDuration::from_secs(60), None));
        let ticket = permit.ticket.expect("a submit request reserves");
        assert_eq!((ticket.token, ticket.until), (attempt.token.clone(), Timestamp::MAX));
        assert!(decide(&super::stores::draft(), &options).is_none(), "it is not begun twice");
        // An update reserves nothing, so its attempt can be begun while the number is taken.
        let record_of = |id: &str| {
            let text = changed(id, "in review", 0).to_string();
            let source = Source::new("record.json", text.as_str());
            let parsed = Parsed::of(&source, Some(Format::Json));
            Submission::read(parsed.only().expect("it is one")).expect("it is a record")
        };
        let options = GateOptions { record: Some(record_of("a1")), ..options };
        let permit = decide(&update, &options).expect("the record may be changed");
        let attempt = permit.attempt.expect("it was asked for");
        assert_eq!((attempt.operation, attempt.record.as_deref()), (AttemptOperation::Update, Some("a1")));
        assert_eq!((permit.ticket, attempt.number.as_str()), (None, NUMBER));
        let store = past.store().expect("it is one");
        assert_eq!(store.attempts_of(NUMBER).expect("it can be read").len(), 2);
        assert!(store.withdraw(&attempt.token, "not now", at(20)).expect("it can be written"));
        assert_eq!(reserved(store), Some(Timestamp::MAX), "that of the submit request");
    });
}

#[test]
fn hosts_know_nothing_of_each_other() {
    each("attempt-hosts", |kept| {
        let store = &mut made(kept);
        let sandbox = &mut made(kept).at(Host::named("http://127.0.0.1:8833/"));
        let token = begin(store, &[NUMBER]).expect("the number is free").token;
        let rehearsed = begin(sandbox, &[NUMBER]).expect("it is free there too").token;
        assert_eq!(sandbox.attempt(&token).expect("it can be read"), None);
        assert_eq!(sandbox.attempts().expect("it can be read").len(), 1);
        assert!(!sandbox.mark_sent(&token, "me", at(1), at(2)).expect("it can be written"));
        assert!(!sandbox.withdraw(&token, "not its own", at(1)).expect("it can be written"));
        accept(sandbox, &rehearsed, None, Some(&changed("a1", "Verified", 60)));
        assert_eq!(reserved(store), Some(Timestamp::MAX));
        let query = Query { numbers: vec![NUMBER.to_owned()], ids: vec!["a1".to_owned()] };
        kept.file("record.json", changed("f1", "Verified", 60).to_string());
        let files = kept.folder.0.join("record.json").display().to_string().parse().expect("it is one");
        let sources = [kept.location(), files];
        for (host, ids, is_reserved) in [("", &["f1"][..], true), ("127.0.0.1:8833", &["a1"], false)] {
            let past = HistorySet::open(&sources, Access::Read).expect("both are there");
            let found = past.at(Host::named(host)).look_up(&query).expect("it can be read").history;
            let found_ids: Vec<&str> = found.submissions().iter().map(|it| it.id.as_str()).collect();
            assert_eq!(found_ids, ids, "{host}");
            assert_eq!(found.reservation(NUMBER).is_some(), is_reserved, "{host}");
        }
        // The same by the command line.
        let at_host = ["--host", "127.0.0.1:8833"];
        let sandboxed = |args: &[&str]| kept.well(&[args, &at_host].concat());
        assert!(sandboxed(&["history", "list"]).contains("Verified"));
        assert!(!kept.well(&["history", "list"]).contains("Verified"));
        assert_eq!(sandboxed(&["history", "export"]).lines().count(), 1);
        assert_eq!(sandboxed(&["gate", "list"]), "No number is reserved.\n");
        assert!(kept.well(&["gate", "list"]).contains(NUMBER));
        kept.file("draft.json", super::stores::draft().to_string());
        let check =
            ["check", "draft.json", "--no-config", "--output-format", "concise", "--min-severity", "info"];
        assert!(kept.run(&check).out.contains("history/reserved-number"));
        let checked = kept.run(&[&check[..], &at_host].concat());
        assert!(!checked.out.contains("history/reserved-number"), "{checked:?}");
        assert!(checked.out.contains("history/already-verified"), "{checked:?}");
        let ran = kept.run(&[&check[..], &["--host", ""]].concat());
        assert!(ran.code == Some(2) && ran.err.contains("use the address of a sandbox"), "{ran:?}");
    });
}

#[test]
fn the_newest_answer_counts_however_often_it_comes() {
    each("attempt-newest", |kept| {
        let store = &mut made(kept);
        let mut status = |record: &Value| {
            let stored = add(store, record);
            (stored[0].status.clone(), stored[0].is_new)
        };
        // A, B, A: without a time, the one that was fetched last.
        assert_eq!(status(&timeless("a1", "submitted")), ("submitted".to_owned(), true));
        assert_eq!(status(&timeless("a1", "in review")), ("in review".to_owned(), true));
        assert_eq!(status(&timeless("a1", "submitted")), ("submitted".to_owned(), false));
        assert_eq!(status(&timeless("a1", "in review")), ("in review".to_owned(), false));
        // Of two with the same time too.
        assert_eq!(status(&changed("a1", "submitted", 60)), ("submitted".to_owned(), true));
        assert_eq!(status(&changed("a1", "Verified", 60)), ("Verified".to_owned(), true));
        assert_eq!(status(&changed("a1", "submitted", 60)), ("submitted".to_owned(), false));
        // An older one never, however late it comes.
        assert_eq!(status(&changed("a1", "Rejected", 70)), ("Rejected".to_owned(), true));
        assert_eq!(status(&changed("a1", "in review", 50)), ("Rejected".to_owned(), true));
        assert_eq!(status(&timeless("a1", "submitted")), ("Rejected".to_owned(), false));
        // In one answer: the last counts, and every submission is named once.
        let text = [timeless("b2", "x"), timeless("c3", "z"), timeless("b2", "y"), timeless("b2", "x")];
        let lines: String = text.iter().map(|it| format!("{it}\n")).collect();
        let source = Source::new("page.ndjson", lines.as_str());
        let stored = store.add_records(&Parsed::of(&source, Some(Format::Ndjson))).expect("all are records");
        let told: Vec<_> =
            stored.iter().map(|submission| (submission.id.as_str(), submission.status.as_str())).collect();
        assert_eq!(told, [("b2", "x"), ("c3", "z")]);
        let exported = kept.well(&["history", "export"]);
        kept.file("exported.ndjson", &exported);
        kept.well(&["history", "import", "exported.ndjson"]);
        assert_eq!(kept.well(&["history", "export"]), exported, "the newest stay the newest");
    });
}
