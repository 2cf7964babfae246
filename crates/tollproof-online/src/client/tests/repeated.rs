//! Repeated requests, seen from the server.

use std::time::{Duration, Instant};

use super::server::{ServerStep, TestServer};
use super::*;

const DONE: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK";
const BUSY: &str = "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n";
const BROKEN: &str = "HTTP/1.1 500 Internal TestServer Error\r\nContent-Length: 0\r\n\r\n";

#[test]
fn what_a_provider_refused_for_now_is_sent_again() {
    for repeat in [Repeat::Once, Repeat::Read, Repeat::Keyed] {
        let server = TestServer::answering(&[BUSY, BUSY, DONE]);
        let answer = answer(send(&client(), &post(&server.url, repeat)));
        assert_eq!((answer.status, answer.after_lost), (200, false));
        let requests = server.requests();
        assert_eq!(requests.len(), 3);
        assert!(
            requests.iter().all(|request| *request == requests[0] && request.ends_with("{\"a\":1}")),
            "{requests:?}"
        );
        let server = TestServer::answering(&[BUSY]);
        assert_eq!(self::answer(send(&client(), &post(&server.url, repeat))).status, 429);
        assert_eq!(server.requests().len(), 3);
    }
}

#[test]
fn a_write_is_sent_once_when_an_answer_says_that_something_broke() {
    for (repeat, status, count) in [(Repeat::Once, 500, 1), (Repeat::Read, 200, 3), (Repeat::Keyed, 200, 3)] {
        let server = TestServer::answering(&[BROKEN, BROKEN, DONE]);
        assert_eq!(answer(send(&client(), &post(&server.url, repeat))).status, status);
        assert_eq!(server.requests().len(), count);
    }
}

#[test]
fn a_write_is_sent_once_when_no_answer_comes() {
    for step in [ServerStep::Close, ServerStep::Answer(Vec::new()), ServerStep::Reset(b"HTTP/1.1 2".to_vec())]
    {
        let steps = vec![step, ServerStep::Answer(DONE.as_bytes().to_vec())];
        let server = TestServer::start(steps.clone());
        assert!(matches!(send(&client(), &post(&server.url, Repeat::Once)), Sent::Lost(_)));
        assert_eq!(server.requests().len(), 1);
        let server = TestServer::start(steps);
        let answer = answer(send(&client(), &post(&server.url, Repeat::Keyed)));
        assert_eq!((answer.status, answer.after_lost), (200, true));
        assert_eq!(server.requests().len(), 2);
    }
}

#[test]
fn the_pause_is_the_one_that_the_provider_asks_for() {
    let soon = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n";
    let server = TestServer::answering(&[soon, DONE]);
    let started = Instant::now();
    assert_eq!(answer(send(&client(), &post(&server.url, Repeat::Once))).status, 200);
    assert!(started.elapsed() >= Duration::from_secs(1));

    let later = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 61\r\nContent-Length: 0\r\n\r\n";
    let server = TestServer::answering(&[later]);
    let started = Instant::now();
    let answer = answer(send(&client(), &get(&server.url)));
    assert_eq!((answer.status, answer.retry_after), (429, Some(Duration::from_secs(61))));
    assert!(started.elapsed() < Duration::from_secs(30));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn all_tries_together_have_a_limit() {
    let server = TestServer::start(vec![ServerStep::Stall(Vec::new())]);
    let options = ClientOptions {
        timeout: Duration::from_secs(2),
        whole: Duration::from_millis(2_400),
        pause: Duration::from_millis(1),
        ..ClientOptions::default()
    };
    let started = Instant::now();
    assert!(matches!(send(&Client::new(options).expect("it can"), &get(&server.url)), Sent::Lost(_)));
    assert!(started.elapsed() < Duration::from_millis(5_500), "{:?}", started.elapsed());
}
