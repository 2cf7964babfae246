//! Servers that answer, refuse and fail.

use std::time::Instant;

use super::*;

#[test]
fn a_server_is_asked_as_it_is_shown() {
    let server = server(&[answer(&format!("<think>{{\"a\":1}}</think>\n```json\n{OBJECT}\n```"))]);
    let reader = openai(&server);
    let reply = ask(&reader).expect("it answers");
    let expected =
        ReaderReply { text: OBJECT.to_owned(), model: Some("tiny-2".to_owned()), tokens: Some((12, 5)) };
    assert_eq!(reply, expected);
    assert!(!format!("{reply:?}").contains("consent"));

    let [request] = &server.requests()[..] else { panic!("one request is enough") };
    assert!(request.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{request}");
    assert!(request.to_lowercase().contains(&format!("authorization: bearer {KEY}\r\n")), "{request}");
    let sent = body(request);
    assert_eq!(sent["model"], "tiny");
    assert_eq!((&sent["temperature"], &sent["stream"]), (&json!(0), &json!(false)));
    assert_eq!(sent["messages"][0], json!({ "role": "system", "content": prompt().instructions }));
    assert_eq!(sent["messages"][1], json!({ "role": "user", "content": prompt().material }));
    assert_eq!(sent["response_format"]["json_schema"]["schema"], prompt().schema);

    let shown = reader.shown(&prompt());
    let (_, body) = request.split_once("\r\n\r\n").expect("it has a body");
    assert!(shown.ends_with(&format!("\n\n{body}\n")), "{shown}");
    assert!(shown.starts_with("POST /v1/chat/completions HTTP/1.1\nhost: 127.0.0.1:"), "{shown}");
    assert!(shown.contains("Bearer ******\n") && !shown.contains("moonstone"), "{shown}");
    assert!(reader.is_local() && reader.name().starts_with("openai at 127.0.0.1:"), "{}", reader.name());
    assert!(reader.name().ends_with(", model tiny"), "{}", reader.name());
}

#[test]
fn anthropic_must_call_the_tool() {
    let input: Value = serde_json::from_str(OBJECT).expect("it is JSON");
    let reply = |reason: &str, part: Value| {
        let body = json!({
            "model": "c",
            "content": [{ "type": "text", "text": "Here:" }, part],
            "stop_reason": reason,
            "usage": { "input_tokens": 9, "output_tokens": 4 },
        });
        http(200, "", &body.to_string())
    };
    let call = json!({ "type": "tool_use", "name": "answer", "input": input });
    let server = server(&[
        http(400, "", r#"{"error":{"message":"temperature is not supported by this model"}}"#),
        reply("tool_use", call.clone()),
        reply("max_tokens", call.clone()),
        reply("refusal", call),
        reply("end_turn", json!({ "type": "text", "text": OBJECT })),
    ]);
    let reader = reader("anthropic", &server.url);
    let expected = ReaderReply { text: OBJECT.to_owned(), model: Some("c".to_owned()), tokens: Some((9, 4)) };
    assert_eq!(ask(&reader).expect("it answers"), expected);
    assert!(matches!(error(&reader), ReaderError::CutShort));
    assert!(matches!(error(&reader), ReaderError::Declined));
    assert!(matches!(error(&reader), ReaderError::NoObject));

    let requests = server.requests();
    assert_eq!(requests.len(), 5);
    let head = requests[0].to_lowercase();
    assert!(head.starts_with("post /v1/messages http/1.1\r\n"), "{head}");
    assert!(head.contains(&format!("\r\nx-api-key: {KEY}\r\n")), "{head}");
    assert!(head.contains("\r\nanthropic-version: 2023-06-01\r\n"), "{head}");
    let sent = body(&requests[0]);
    assert_eq!((&sent["temperature"], &sent["max_tokens"]), (&json!(0), &json!(4096)));
    assert_eq!(sent["tools"][0]["input_schema"], prompt().schema);
    assert_eq!(sent["tool_choice"], json!({ "type": "tool", "name": "answer" }));
    assert!(requests[1..].iter().all(|request| body(request).get("temperature").is_none()));
    assert!(!reader.shown(&prompt()).contains("moonstone"));
}

#[test]
fn what_a_server_refuses_is_left_out_for_the_run() {
    let hot = r#"{"error":{"message":"Unsupported value: 'temperature'"}}"#;
    for (status, words) in [(400, "{\"error\":\"no response_format here\"}"), (422, "{}"), (501, "oh")] {
        let server = server(&[http(status, "", words), http(400, "", hot), answer(OBJECT)]);
        let reader = openai(&server);
        for _ in 0..2 {
            assert_eq!(ask(&reader).expect("it answers").text, OBJECT);
        }
        let sent: Vec<(bool, bool)> = server
            .requests()
            .iter()
            .map(|request| {
                let sent = body(request);
                (sent.get("response_format").is_some(), sent.get("temperature").is_some())
            })
            .collect();
        assert_eq!(sent, [(true, true), (false, true), (false, false), (false, false)], "{status}");
    }
    // Once it was taken, a refusal is about the prompt.
    let server = server(&[answer(OBJECT), http(400, "", r#"{"error":"too long"}"#)]);
    let reader = openai(&server);
    ask(&reader).expect("it answers");
    assert_eq!(error(&reader).to_string(), "the reader answered with status 400: too long");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_busy_server_is_left_alone_and_asked_again() {
    for status in [429, 503, 529] {
        let server = server(&[http(status, "Retry-After: 1\r\n", "{}"), answer(OBJECT)]);
        let started = Instant::now();
        ask(&openai(&server)).expect("it answers");
        assert!(started.elapsed() >= Duration::from_secs(1), "{status}");
        assert_eq!(server.requests().len(), 2);
    }
    let server = server(&[http(429, "Retry-After: 301\r\n", "{}")]);
    let error = error(&openai(&server));
    assert_eq!(error.to_string(), "the reader asks to wait 6 minutes; continue then");
    assert!(error.is_final());
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_server_that_fails_is_tried_four_times() {
    let failing = server(&[http(500, "", r#"{"error":"out of memory"}"#)]);
    let failed = error(&openai(&failing));
    assert_eq!(failed.to_string(), "the reader answered with status 500: out of memory");
    assert!(!failed.is_final());
    assert_eq!(failing.requests().len(), 4);

    let cut = format!("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{OBJECT}");
    for step in [ServerStep::Close, ServerStep::Answer(cut.into_bytes()), ServerStep::Reset(b"HTTP".to_vec())]
    {
        let server = TestServer::start(vec![step]);
        assert!(matches!(error(&openai(&server)), ReaderError::Lost(_) | ReaderError::Unreachable(_)));
        assert_eq!(server.requests().len(), 4);
    }
    let huge = format!("HTTP/1.1 200 OK\r\nX-A: {}\r\n\r\n", "a".repeat(100 << 10));
    let endless = b"HTTP/1.1 200 OK\r\n\r\n ".to_vec();
    for (step, why) in [
        (ServerStep::Answer(huge.into_bytes()), "headers of the answer are too large"),
        (ServerStep::Endless(endless), "larger than 4096 KiB"),
        (ServerStep::Answer(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec()), "not valid HTTP"),
    ] {
        let error = error(&openai(&TestServer::start(vec![step]))).to_string();
        assert!(error.contains(why), "{error}");
    }
    // A port that nothing listens on.
    let error = error(&reader("openai", "http://127.0.0.1:1"));
    assert!(matches!(error, ReaderError::Unreachable(_)) && error.is_final(), "{error}");
}

#[test]
fn a_slow_server_has_one_time_out() {
    let slow = ServerStep::Stall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{".to_vec());
    let server = TestServer::start(vec![slow]);
    let mut settings = settings(&[("TOLLPROOF_READER", "openai"), ("TOLLPROOF_READER_URL", &server.url)])
        .expect("it is whole");
    settings.timeout = Duration::from_millis(200);
    let reader = Reader::new(settings).expect("it is whole");
    let error = error(&reader).to_string();
    assert!(error.contains("200 milliseconds") && error.contains("raise its `timeout`"), "{error}");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_stop_ends_a_request_and_a_pause() {
    for step in
        [ServerStep::Stall(Vec::new()), ServerStep::Answer(http(429, "Retry-After: 60\r\n", "").into_bytes())]
    {
        let server = TestServer::start(vec![step]);
        let started = Instant::now();
        let stop = || started.elapsed() > Duration::from_millis(100);
        assert!(matches!(openai(&server).ask(&prompt(), &stop), Err(ReaderError::Stopped)));
        assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    }
}

#[test]
fn refusals_say_what_to_do_at_once() {
    let echo = format!("{{\"error\":{{\"message\":\"bad key {KEY}\"}}}}");
    let model = r#"{"error":{"message":"model \"tiny\" not found, try pulling it first"}}"#;
    let prompt = json!({ "error": { "message": format!("cannot read: {}", prompt().material) } }).to_string();
    for (answer, message, is_final) in [
        (http(401, "", &echo), "the reader refused the key with status 401; check", true),
        (http(403, "", &echo), "the reader answered with status 403", true),
        (http(404, "", model), "(status 404): model \"tiny\" not found, try pulling it first", true),
        (http(302, "Location: http://127.0.0.1:1/\r\n", ""), "the redirect 302, which is not followed", true),
        (http(413, "", &prompt), "the reader answered with status 413: cannot read: …", false),
        (http(200, "", "<html>log in</html>"), "not that of a server for the reader `openai`", false),
        (http(200, "", r#"{"object":"list"}"#), "not that of a server for the reader `openai`", false),
        (self::answer("I cannot tell."), "the answer of the reader contains no JSON object", false),
    ] {
        let server = server(std::slice::from_ref(&answer));
        let error = error(&openai(&server));
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(error.is_final(), is_final, "{error}");
        assert_eq!(server.requests().len(), 1, "{error}");
    }
    let cut =
        json!({ "choices": [{ "message": { "content": "{\"answers\": {" }, "finish_reason": "length" }] });
    let declined = json!({ "choices": [{ "message": { "content": null, "refusal": "No." } }] });
    let server = server(&[http(200, "", &cut.to_string()), http(200, "", &declined.to_string())]);
    let reader = openai(&server);
    assert!(matches!(error(&reader), ReaderError::CutShort));
    assert!(matches!(error(&reader), ReaderError::Declined));
}
