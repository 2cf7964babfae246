//! Lists of every provider against a server that answers what a test says.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use jiff::SignedDuration;
use serde_json::{Value, json};
use tollproof_core::{KindChoice, KindHint, KindRole, Linter, Parsed, Provider, Source};
use tollproof_history::{Access, AttemptOperation, AttemptState, Begun, GateOptions, HistorySet, Location};

use super::answer::text_at;
use super::called::Called;
use super::lists::{Listed, list};
use super::look::Looked;
use super::numbers::NumberNames;
use super::operation::{ApiOperation, NextPage};
use super::template::Variables;
use super::{Api, ApiOptions, CallOutcome, CallSession, NumberOrder, NumberSearch, StatusItem};
use crate::client::tests::server::TestServer;
use crate::settings::UserSettings;

const APIS: [(&str, &str); 9] = [
    ("bird", "document"),
    ("bird", "stock"),
    ("bird", "platform"),
    ("twilio", ""),
    ("telnyx", ""),
    ("bandwidth", ""),
    ("infobip", ""),
    ("plivo", ""),
    ("aws", ""),
];

fn api(provider: &str, generation: &str, address: &str) -> Api {
    let options = ApiOptions {
        api: Some(generation.to_owned()).filter(|name| !name.is_empty()),
        sandbox: Some(address.parse().expect("it is an address")),
        hosts: BTreeMap::new(),
        values: BTreeMap::new(),
        timeout: Duration::from_secs(5),
        environment: &|_| None,
    };
    let provider = Provider::named(provider).expect("it is built in");
    Api::open(provider, &UserSettings::default(), &options).expect("it can be called")
}

/// The lists that are read to their end, by provider.
fn lists() -> Vec<(&'static str, &'static str, &'static str, ApiOperation)> {
    let mut found = Vec::new();
    for (provider, generation) in APIS {
        let api = api(provider, generation, "http://127.0.0.1:1");
        for (name, operation) in api.file().all() {
            if operation.items.is_some() && !["search", "buy"].contains(&name) {
                found.push((provider, generation, name, operation.clone()));
            }
        }
    }
    found
}

/// A page of a list, which names the next one.
fn page(operation: &ApiOperation, items: &[Value], next: Option<&str>) -> Value {
    let path: Vec<&str> = operation.items.as_deref().expect("it is a list").split('/').collect();
    let mut answer = match path[..] {
        [list] => json!({ list: items }),
        [list, inner] => {
            json!({ list: items.iter().map(|item| json!({ inner: [item], "ref": "t0ken" })).collect::<Vec<_>>() })
        }
        _ => panic!("a path has one or two steps"),
    };
    let NextPage { url, path, cursor, .. } = operation.next.as_ref().expect("its pages are read");
    if let (Some(place), Some(next)) = (url.as_ref().or(path.as_ref()).or(cursor.as_ref()), next) {
        let next = if cursor.is_some() { next.to_owned() } else { format!("?next={next}") };
        answer[place.split('/').next().expect("it has a step")] = match place.split_once('/') {
            Some((_, inner)) => json!({ inner: next }),
            None => json!(next),
        };
    }
    answer
}

fn item(number: u32) -> Value {
    json!({ "n": number, "ref": "t0ken", "VersionNumber": number })
}

fn served(answers: &[Value]) -> TestServer {
    let texts: Vec<String> = answers.iter().map(answered).collect();
    TestServer::answering(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

fn answered(answer: &Value) -> String {
    let body = answer.to_string();
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[expect(clippy::result_large_err, reason = "it is in no other result here")]
fn read(provider: &str, generation: &str, operation: &ApiOperation, server: &TestServer) -> Listed {
    let api = api(provider, generation, &server.url);
    let variables = ["token", "id", "number-id", "number", "digits"];
    let variables = variables.map(|name| (name.to_owned(), "t0ken".to_owned()));
    list(&api, "list", operation, &Variables::from(variables)).expect("it can be called")
}

#[test]
fn every_list_of_every_provider_is_read_to_its_end() {
    for (provider, generation, name, operation) in lists() {
        let pages = [
            page(&operation, &[item(1), item(2)], Some("b")),
            page(&operation, &[item(3)], Some("c")),
            page(&operation, &[], None),
        ];
        let server = served(&pages);
        let found = match read(provider, generation, &operation, &server) {
            Ok(items) => items,
            Err(called) => panic!("{provider} {generation} {name}: {called:?}"),
        };
        let numbers: Vec<_> = found.iter().filter_map(|item| text_at(item, "n")).collect();
        let wanted = if operation.latest.is_some() { vec!["3"] } else { vec!["1", "2", "3"] };
        assert_eq!(numbers, wanted, "{provider} {generation} {name}");
        assert_eq!(server.requests().len(), 3, "{provider} {generation} {name}");
    }
}

#[test]
fn a_list_that_contradicts_itself_is_not_believed() {
    for (provider, generation, name, operation) in lists() {
        let list =
            operation.items.as_deref().and_then(|items| items.split('/').next()).expect("it is a list");
        let error = api(provider, generation, "http://127.0.0.1:1").file().message.clone();
        let with = |path: &str, value: Value| {
            let mut answer = page(&operation, &[], None);
            let (outer, inner) = path.split_once('/').unwrap_or((path, ""));
            answer[outer] = if inner.is_empty() { value } else { json!({ inner: value }) };
            answer
        };
        let mut wrong = vec![
            with(list, Value::Null),
            with(list, json!([null])),
            with(&error, json!([{ "code": "10009" }])),
        ];
        let total = operation.next.as_ref().and_then(|next| next.total.clone());
        wrong.extend(total.iter().map(|total| with(total, json!(3))));
        for answer in wrong {
            let server = served(&[answer.clone(), page(&operation, &[], None)]);
            let read = read(provider, generation, &operation, &server);
            assert!(matches!(read, Err(Called::Unknown(_))), "{provider} {name} {answer}: {read:?}");
        }
        for empty in [json!(0), json!("0")] {
            let server =
                served(&[total.as_ref().map_or(page(&operation, &[], None), |total| with(total, empty))]);
            assert!(
                read(provider, generation, &operation, &server).is_ok_and(|items| items.is_empty()),
                "{name}"
            );
        }
    }
}

#[test]
fn pages_without_an_end_are_an_error_at_once() {
    for (provider, generation, name, operation) in lists() {
        let one = [item(1)];
        let circle = [
            page(&operation, &one, Some("b")),
            page(&operation, &[item(2)], Some("c")),
            page(&operation, &one, Some("b")),
        ];
        let growing: Vec<Value> = (0..30).map(|at| page(&operation, &one, Some(&format!("p{at}")))).collect();
        let empty: Vec<Value> = (0..30).map(|at| page(&operation, &[], Some(&format!("p{at}")))).collect();
        for pages in [&circle[..], &growing, &empty] {
            let server = served(pages);
            match read(provider, generation, &operation, &server) {
                Err(Called::Unknown(why)) => {
                    assert!(why.starts_with("the list cannot be read to its end: "), "{why}");
                }
                // A counted list ends with an empty page and, if it names no total, with one that is repeated.
                found => {
                    let is_counted = operation.next.as_ref().is_some_and(|next| next.page_from.is_some());
                    assert!(is_counted, "{provider} {generation} {name}: {found:?}");
                }
            }
            assert!(server.requests().len() <= 12, "{provider} {generation} {name}");
        }
    }
}

/// Records of two other numbers and that of a number, as a provider returns them that ignores the filter.
fn unfiltered(provider: &str) -> Option<(Vec<Value>, NumberNames)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas");
    let text = std::fs::read_to_string(format!("{root}/{provider}/samples/verification-record.json"));
    let sample = text.expect("there is a record").replace("\\u002b", "+");
    let sample: Value = serde_json::from_str(&sample).expect("it is JSON");
    let session_api = api(provider, "", "http://127.0.0.1:1");
    let submission = tollproof_core::Submission::read(
        tollproof_core::Parsed::of(&tollproof_core::Source::new("", sample.to_string()), None).only()?,
    )
    .ok()?;
    let number = submission.numbers.first()?.clone();
    session_api.file().operations.find.as_ref()?.items.as_ref()?;
    let other = |end: &str| {
        let mut others = number.clone();
        others.replace_range(others.len() - end.len().., end);
        let text = sample.to_string().replace(number.trim_start_matches('+'), others.trim_start_matches('+'));
        let text = text
            .replace(&submission.id, &format!("{}{end}", &submission.id[..submission.id.len() - end.len()]));
        serde_json::from_str(&text).expect("it is JSON")
    };
    Some((vec![other("21"), other("22"), sample.clone()], NumberNames::written(&number)))
}

#[test]
fn a_filter_that_a_provider_ignores_is_applied_here() {
    for provider in ["bird", "twilio", "telnyx", "infobip", "plivo"] {
        let (records, names) = unfiltered(provider).expect(provider);
        let find =
            api(provider, "", "http://127.0.0.1:1").file().operations.find.clone().expect("it can look");
        let names = match provider {
            // Its calls need the other name too.
            "infobip" => NumberNames { e164: Some("+18335550100".to_owned()), id: names.e164.or(names.id) },
            _ => names,
        };
        for (wanted, listed) in [(1, &records[..]), (0, &records[..2])] {
            let server = served(&[page(&find, listed, None), page(&find, &[], None)]);
            let looked = with_session(provider, &server.url, |session| session.look(&names));
            let Looked::Records(found) = looked else { panic!("{provider}: {looked:?}") };
            assert_eq!(found.len(), wanted, "{provider}: {found:?}");
        }
    }
}

#[test]
fn records_that_cannot_be_told_apart_say_which_setting_to_change() {
    let (records, names) = unfiltered("bird").expect("it has records");
    let find = api("bird", "", "http://127.0.0.1:1").file().operations.find.clone().expect("it can look");
    let mut other = records[0].clone();
    other["phoneNumbers"] = json!(["+18335550121"]);
    let server = served(&[page(&find, &[other], None)]);
    let looked = with_session("bird", &server.url, |session| session.look(&names));
    let Looked::Failed(Called::Unknown(why)) = &looked else { panic!("{looked:?}") };
    assert!(why.contains("set `paths: find` of bird in "), "{why}");
}

#[test]
fn an_import_says_that_an_entry_was_not_read() {
    let (records, _) = unfiltered("bird").expect("it has records");
    let list = api("bird", "", "http://127.0.0.1:1").file().operations.list.clone().expect("it lists");
    let server = served(&[page(&list, &[records[0].clone(), json!({ "odd": 1 })], None)]);
    let mut taken = 0;
    let outcome = with_session("bird", &server.url, |session| session.import(&mut |_| taken += 1));
    let Some(CallOutcome::NotFinished { why, .. }) = outcome else { panic!("{outcome:?}") };
    assert_eq!((taken, why.as_str()), (1, "a submission in the list cannot be read"));
}

#[test]
fn an_entry_without_an_id_and_one_with_an_odd_id_are_said() {
    let aws = api("aws", "", "http://127.0.0.1:1");
    let owned = page(aws.file().operations.owned.as_ref().expect("it lists them"), &[], None);
    let aws = aws.file().operations.list.clone().expect("it lists");
    let without = page(&aws, &[json!({ "RegistrationStatus": "COMPLETE" })], None);
    // Its id cannot be asked about, or is not known there.
    let odd = page(&aws, &[json!({ "RegistrationId": "registration-\u{0}\u{1b}" })], None);
    for pages in [vec![owned.clone(), without], vec![owned, odd, json!({ "RegistrationVersions": [] })]] {
        let server = served(&pages);
        let outcome = with_session("aws", &server.url, |session| session.import(&mut |_| {}));
        assert!(
            matches!(&outcome, Some(CallOutcome::NotFinished { why, .. }) if why.starts_with("a submission in the list")),
            "{outcome:?}"
        );
    }

    let (records, names) = unfiltered("bird").expect("it has records");
    let find = api("bird", "", "http://127.0.0.1:1").file().operations.find.clone().expect("it can look");
    let mut odd = records[2].clone();
    odd["id"] = json!("HH\u{0}\u{1b}");
    let server = served(&[page(&find, &[odd], None)]);
    let looked = with_session("bird", &server.url, |session| session.look(&names));
    assert!(matches!(&looked, Looked::Failed(Called::Unknown(_))), "{looked:?}");
}

#[test]
fn a_number_whose_submission_was_stopped_is_not_taken_for_a_submission() {
    let server = served(&[json!({ "verifications": [], "meta": {} })]);
    let number = format!("PN{:032x}", 7);
    with_session("twilio", &server.url, |session| {
        let (operation, names) = (AttemptOperation::Submission, vec![number.clone()]);
        session.begin(operation, &number, names, "", None, BTreeMap::new())?;
        session.holder = "killed before".to_owned();
        let found = session.cancel_target(&number)?;
        let Err(outcome) = found else { panic!("{found:?}") };
        assert!(matches!(*outcome, CallOutcome::Busy { until: Some(_) }), "{outcome:?}");
        Ok(())
    });
}

#[test]
fn a_number_of_another_registration_keeps_it_and_nothing_stays_behind() {
    let sandbox = tollproof_sandbox::Sandbox::start(tollproof_sandbox::SandboxOptions::default());
    let sandbox = sandbox.expect("it starts");
    let api = api("aws", "", &sandbox.url());
    let operations = &api.file().operations;
    let search = NumberSearch { country: "US".to_owned(), area: None, contains: None, limit: 1 };
    let order = NumberOrder { number: None, search, again: false };
    with_api(&api, |session| {
        let progress = session.open_order(&order)?;
        let bought = session.buy(&order, progress, &[None])?.remove(0);
        let CallOutcome::Accepted(number) = bought.outcome else { panic!("{bought:?}") };
        let number_id = number.id.clone().expect("it has one");
        let mut variables = Variables::from([("token".to_owned(), "other".to_owned())]);
        variables.insert("number-id".to_owned(), number_id);
        let registrations = |session: &mut CallSession<'_>| {
            let operation = session.api.file().operations.list.as_ref().expect("it lists them");
            match list(session.api, "list", operation, &Variables::new()) {
                Ok(Ok(items)) => items,
                other => panic!("{other:?}"),
            }
        };
        for step in &operations.submit[..2] {
            let called = api.call("submit", step, &variables, None)?;
            let Called::Done(answer) = called else { panic!("{called:?}") };
            let id = text_at(&answer.value, "RegistrationId").expect("it has one");
            variables.insert("registration".to_owned(), id);
        }
        let sample = include_str!("../../../../schemas/aws/samples/submit-request.json");
        let source = Source::new("draft.json", sample);
        let parsed = Parsed::of(&source, None);
        let plan = GateOptions { number: Some(number.number.clone()), ..GateOptions::default() };
        let hint =
            KindHint::Forced(KindChoice { provider: Some(api.provider()), role: Some(KindRole::Submit) });
        session.files = Some(&|_| Ok(b"\x89PNG\r\n\x1a\n".to_vec()));
        let sent = session.submit(&Linter::builtin(), &parsed, hint, &plan)?;
        let CallOutcome::Refused(refused) = &sent else { panic!("{sent:?}") };
        assert_eq!(refused.step.as_deref(), Some("associate"), "{refused:?}");
        // What its first step made is gone.
        let left = registrations(session);
        assert_eq!(left.len(), 1, "{left:?}");
        let own = variables.get("registration").cloned();
        assert_eq!(text_at(&left[0], "RegistrationId"), own);

        let operation = operations.find.as_ref().expect("it can look");
        let owned =
            list(&api, "owned", operations.owned.as_ref().expect("it lists them"), &Variables::new())?;
        let Ok(owned) = owned else { panic!("{owned:?}") };
        assert_eq!(text_at(&owned[0], operation.follow.as_ref().expect("it is followed")), own);
        Ok(())
    });
}

#[test]
fn a_submission_that_cannot_be_followed_is_listed_with_what_to_do() {
    let mut api = api("bird", "", "http://127.0.0.1:1");
    // As for Bird itself, with `paths: submit` alone.
    let operations = &mut api.file.operations;
    for operation in [&mut operations.find, &mut operations.fetch] {
        operation.as_mut().expect("it is known").assumed = None;
    }
    with_api(&api, |session| {
        let now = session.store()?.now()?;
        let number = "5f1c8f0e-7a7b-4d55-9c1e-08335550123f".to_owned();
        let (operation, names) = (AttemptOperation::Submission, vec![number.clone()]);
        let begun = session.begin(operation, &number, names, "", None, BTreeMap::new())?;
        let Begun::Started(attempt) = begun else { panic!("it is free") };
        session.store()?.accept(&attempt.token, None, None, now)?;
        let seen = session.status(&[], now)?;
        assert!(seen.is_unfollowed(), "a wait does not end with its approval");
        let [listed] = &seen.calls[..] else { panic!("{seen:?}") };
        let CallOutcome::NotFollowed { token, why: next, .. } = &listed.outcome else { panic!("{listed:?}") };
        assert_eq!(*token, attempt.token);
        assert!(next.contains("set `paths: fetch` and `paths: find` of bird in "), "{next}");
        assert!(
            next.contains(&format!("`tollproof attempts resolve {} --ended verified`", &attempt.token[..12]))
        );
        // What a person noted ends that, and is not asked about.
        let record = json!({ "id": attempt.token, "status": "Verified", "phoneNumbers": [number] });
        let source = Source::new("note", record.to_string());
        session.store()?.accept(
            &attempt.token,
            Some(&attempt.token),
            Some(&Parsed::of(&source, None)),
            now,
        )?;
        assert!(session.without_records()?.is_empty());
        let mut known = Vec::new();
        session.store()?.list(|submission| {
            known.push(submission.clone());
            Ok(())
        })?;
        let item = session.refresh(&known[0])?;
        let StatusItem::Submission(seen) = &item else { panic!("{item:?}") };
        assert!(!seen.is_changed() && seen.submission.numbers == [number], "{seen:?}");
        Ok(())
    });
}

#[test]
fn an_order_with_all_of_its_numbers_is_ended_by_whoever_sees_it() {
    with_session("twilio", "http://127.0.0.1:1", |session| {
        let steps = BTreeMap::from([("wanted".to_owned(), "1".to_owned())]);
        let begun =
            session.begin(AttemptOperation::Purchase, "", vec!["buy".to_owned()], "d", None, steps)?;
        let Begun::Started(order) = begun else { panic!("it is free") };
        let holder = order.holder.clone();
        session.store()?.keep_step(&order.token, &holder, "bought-1", "+18335550123 PN1")?;
        session.let_go(&order)?;
        session.settle_attempt(&order)?;
        let ended = session.store()?.attempt(&order.token)?.expect("it is known");
        assert_eq!((ended.state, ended.id.as_deref()), (AttemptState::Accepted, Some("PN1")));
        Ok(())
    });
}

#[test]
fn what_a_clock_in_the_future_began_is_waited_for_from_now() {
    with_session("twilio", "http://127.0.0.1:1", |session| {
        let names = vec!["PN1".to_owned()];
        let begun = session.begin(AttemptOperation::Submission, "PN1", names, "d", None, BTreeMap::new())?;
        let Begun::Started(attempt) = begun else { panic!("it is free") };
        let now = session.store()?.now()?;
        let later = now + SignedDuration::from_hours(24 * 365);
        session.store()?.mark_sent(&attempt.token, &attempt.holder, later, later)?;
        session.let_go(&attempt)?;
        session.settle_attempt(&attempt)?;
        let known = session.store()?.attempt(&attempt.token)?.expect("it is known");
        assert!(known.until < now + SignedDuration::from_hours(1), "{known:?}");
        assert!(known.sent_at.is_some_and(|sent| sent < known.until), "{known:?}");
        Ok(())
    });
}

#[test]
fn a_record_is_news_by_its_status_and_not_by_its_text() {
    with_session("twilio", "http://127.0.0.1:1", |session| {
        let mut is_news = |status: &str, other: &str| {
            let record = json!({
                "sid": "HH1", "status": status, "tollfree_phone_number_sid": "PN1",
                "date_updated": "2026-11-01T00:00:00Z", "edit_expiration": other,
            });
            let record = session.record(&record).expect("it is one");
            session.keep(&[record])
        };
        assert!(is_news("PENDING_REVIEW", "2026-11-02T00:00:00Z")?);
        assert!(!is_news("PENDING_REVIEW", "2026-11-03T00:00:00Z")?);
        assert!(is_news("TWILIO_REJECTED", "2026-11-03T00:00:00Z")?);
        Ok(())
    });
}

fn with_session<T>(
    provider: &str,
    address: &str,
    act: impl FnOnce(&mut CallSession<'_>) -> Result<T, super::CallError>,
) -> T {
    with_api(&api(provider, "", address), act)
}

fn with_api<T>(api: &Api, act: impl FnOnce(&mut CallSession<'_>) -> Result<T, super::CallError>) -> T {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let store = std::env::temp_dir().join(format!("tollproof-lists-{}-{count}.db", std::process::id()));
    let store = Location::Sqlite(store);
    let mut past = HistorySet::open(&[store], Access::Create).expect("it opens").at(api.host().clone());
    act(&mut CallSession::new(api, &mut past, false).expect("it is open")).expect("it can be called")
}
