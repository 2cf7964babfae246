//! Answers that are not whole: cut, reset, endless, slow.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use super::server::{ServerStep, TestServer};
use super::*;

const WITH_LENGTH: &str =
    "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{\"id\":\"A1\"}";
const CHUNKED: &str =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n{\"id\":\r\n5\r\n\"A1\"}\r\n0\r\n\r\n";
const REDIRECT: &str = "HTTP/1.1 307 Temporary Redirect\r\nLocation: /other\r\nContent-Length: 2\r\n\r\nno";

/// The beginnings of a text, from nothing to all but its last byte.
fn beginnings(text: &str) -> impl Iterator<Item = Vec<u8>> {
    (0..text.len()).map(|end| text.as_bytes()[..end].to_vec())
}

#[test]
fn an_answer_cut_at_any_byte_is_lost() {
    for whole in [WITH_LENGTH, CHUNKED, REDIRECT] {
        let mut steps: Vec<ServerStep> = beginnings(whole).map(ServerStep::Answer).collect();
        steps.push(ServerStep::Answer(whole.as_bytes().to_vec()));
        let server = TestServer::start(steps);
        let request = post(&server.url, Repeat::Once);
        for end in 0..whole.len() {
            let sent = send(&client(), &request);
            assert!(matches!(sent, Sent::Lost(_)), "{:?} after {end} bytes of {whole}", sent);
        }
        assert!(answer(send(&client(), &request)).body.len() >= 2);
        assert_eq!(server.requests().len(), whole.len() + 1, "each was sent once");
    }
}

#[test]
fn an_answer_with_a_reset_is_lost() {
    for whole in [WITH_LENGTH, CHUNKED] {
        let ends = (0..whole.len()).step_by(9);
        let steps = ends.clone().map(|end| ServerStep::Reset(whole.as_bytes()[..end].to_vec())).collect();
        let server = TestServer::start(steps);
        for end in ends {
            let sent = send(&client(), &post(&server.url, Repeat::Once));
            assert!(matches!(sent, Sent::Lost(_)), "{sent:?} after {end} bytes of {whole}");
        }
    }
}

#[test]
fn a_body_without_a_length_ends_with_its_connection() {
    let text = b"HTTP/1.1 200 OK\r\n\r\nsome".to_vec();
    let server = TestServer::start(vec![ServerStep::Answer(text.clone()), ServerStep::Reset(text)]);
    assert_eq!(answer(send(&client(), &post(&server.url, Repeat::Once))).body, b"some");
    assert!(matches!(send(&client(), &post(&server.url, Repeat::Once)), Sent::Lost(_)));
}

#[test]
fn an_answer_needs_no_body() {
    let server = TestServer::answering(&[
        "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1",
    ]);
    let request = post(&server.url, Repeat::Once);
    let statuses = [(); 3].map(|()| answer(send(&client(), &request)).status);
    assert_eq!(statuses, [202, 204, 200]);
}

#[test]
fn nothing_is_sent_to_a_port_that_nothing_listens_on() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let url = format!("http://{}", listener.local_addr().expect("it is bound"));
    drop(listener);
    for repeat in [Repeat::Once, Repeat::Read, Repeat::Keyed] {
        let Sent::NotSent(why) = send(&client(), &post(&url, repeat)) else { panic!("nothing was sent") };
        assert_eq!(why, "`127.0.0.1` refused the connection");
    }
    let Sent::NotSent(why) =
        client().send(&get("https://no-such-host.invalid/"), &bearer("key")).expect("it may be")
    else {
        panic!("nothing was sent")
    };
    assert!(why.contains("no-such-host.invalid"), "{why}");
}

#[test]
fn a_connection_that_is_closed_at_once_has_lost_the_request() {
    let server = TestServer::start(vec![ServerStep::Close]);
    assert!(matches!(send(&client(), &post(&server.url, Repeat::Once)), Sent::Lost(_)));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn endless_answers_are_lost_within_the_limit() {
    for start in [
        "HTTP/1.1 200 OK\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\nx",
        "HTTP/1.1 200 OK\r\nX-Long: x",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1",
        "x",
    ] {
        let server = TestServer::start(vec![ServerStep::Endless(start.as_bytes().to_vec())]);
        let sent = send(&client(), &post(&server.url, Repeat::Once));
        let Sent::Lost(why) = sent else { panic!("{sent:?} for {start}") };
        assert!(!why.contains("seconds"), "the limit of the size comes first: {why} for {start}");
    }
}

#[test]
fn a_slow_answer_is_lost_when_its_time_is_over() {
    for start in ["", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"] {
        let server = TestServer::start(vec![ServerStep::Stall(start.as_bytes().to_vec())]);
        let options = ClientOptions { timeout: Duration::from_millis(200), ..ClientOptions::default() };
        let started = Instant::now();
        let sent = send(&Client::new(options).expect("it can"), &post(&server.url, Repeat::Once));
        assert_eq!(sent, Sent::Lost("no complete answer came in 200 milliseconds".to_owned()));
        assert!((200..8_000).contains(&started.elapsed().as_millis()), "{:?}", started.elapsed());
    }
}

#[test]
fn what_is_not_http_is_lost() {
    let server = TestServer::answering(&["220 mail.example ESMTP\r\n\r\n"]);
    let sent = send(&client(), &post(&server.url, Repeat::Once));
    assert_eq!(sent, Sent::Lost("the answer is not valid HTTP".to_owned()));
}
