//! No key and no personal data in what the client shows of itself.

use super::super::ClientError;
use super::server::TestServer;
use super::*;

const SECRET: &str = "sandbox-moonstone";
const PERSON: &str = "ada@example.com";

fn authentications() -> [Authentication; 3] {
    [
        bearer(SECRET),
        Authentication::Basic { user: "AC123".to_owned(), secret: SECRET.into() },
        Authentication::SigV4 {
            access_key: "AKIDEXAMPLE".to_owned(),
            secret: SECRET.into(),
            session_token: Some(SECRET.into()),
            region: "us-east-1".to_owned(),
            service: "sms-voice".to_owned(),
        },
    ]
}

fn request(url: &str) -> HttpRequest {
    let mut request = post(&format!("{url}/?email={PERSON}"), Repeat::Once);
    request.headers.push(("X-Person".to_owned(), PERSON.to_owned()));
    request.body = Some(RequestBody {
        content_type: "application/json".to_owned(),
        bytes: format!("{{\"email\":\"{PERSON}\"}}").into_bytes(),
    });
    request
}

#[test]
fn no_type_shows_keys_or_personal_data() {
    let text = format!("HTTP/1.1 200 OK\r\nX-Person: {PERSON}\r\nContent-Length: 15\r\n\r\n{PERSON}");
    let server = TestServer::answering(&[&text]);
    let request = request(&server.url);
    let mut shown = vec![format!("{:?}", client()), format!("{request:#?}"), format!("{:?}", request.body)];
    for authentication in authentications() {
        let sent = client().send(&request, &authentication).expect("it may be sent");
        shown.extend([format!("{authentication:#?}"), format!("{sent:#?}")]);
        shown.push(format!("{:#?}", answer(sent)));
        for url in ["https://api.bird.com/", "http://api.bird.com/"] {
            let error =
                client().send(&self::request(url), &authentication).expect_err("a key of the sandbox");
            shown.extend([format!("{error:#?}"), error.to_string()]);
        }
    }
    for error in [
        ClientError::InvalidKey("a".to_owned()),
        client().send(&get(&server.url), &bearer(&format!("{SECRET}\n"))).expect_err("a line break"),
        client()
            .send(&get(&format!("https://{SECRET}@api.bird.com/")), &Authentication::None)
            .expect_err("a user"),
    ] {
        shown.extend([format!("{error:?}"), error.to_string()]);
    }
    for text in shown {
        assert!(!text.contains("moonstone") && !text.contains("ada@"), "{text}");
    }
}

#[test]
fn an_answer_that_repeats_the_key_is_read_without_it() {
    for authentication in authentications() {
        let body = format!(r#"{{"message":"Invalid: key {SECRET}, AC123:{SECRET}"}}"#);
        let text =
            format!("HTTP/1.1 401 No\r\nX-Key: {SECRET}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let server = TestServer::answering(&[&text]);
        let sent = client().send(&get(&server.url), &authentication).expect("it may be sent");
        let answer = answer(sent);
        assert_eq!(answer.body, br#"{"message":"Invalid: key ******, AC123:******"}"#);
        assert_eq!(answer.header("x-key"), Some("******"));
    }
}

#[test]
fn a_request_is_shown_without_its_key() {
    let request = request("https://api.example.com/v1");
    for authentication in authentications() {
        let text = request.to_text(&authentication);
        assert!(
            text.starts_with(&format!("POST /v1/?email={PERSON} HTTP/1.1\nhost: api.example.com\n")),
            "{text}"
        );
        assert!(text.contains("******") && text.ends_with("\n\n{\"email\":\"ada@example.com\"}\n"), "{text}");
        assert!(!text.contains("moonstone"), "{text}");
        assert!(!request.to_curl(&authentication).contains("moonstone"));
    }
    assert!(request.to_text(&key()).contains("\nauthorization: Bearer ******\n"));
    let mut image = request.clone();
    image.body = Some(RequestBody { content_type: "image/png".to_owned(), bytes: vec![0x89, 0xff] });
    assert!(image.to_text(&Authentication::None).ends_with("\n\n(2 bytes)\n"));
    assert!(image.to_curl(&Authentication::None).ends_with("--data-binary @BODY\n"));
}

#[test]
fn a_command_of_curl_is_quoted() {
    let mut request = post("https://api.telnyx.com/v2/numbers?filter[type]=a&b=c", Repeat::Once);
    request.body = Some(RequestBody {
        content_type: "application/json".to_owned(),
        bytes: b"{\"name\":\"Ada's $HOME `id`\"}".to_vec(),
    });
    assert_eq!(
        request.to_curl(&bearer(SECRET)),
        "curl --request POST 'https://api.telnyx.com/v2/numbers?filter[type]=a&b=c' \\\n  \
         --globoff \\\n  \
         --header 'Authorization: Bearer '\"$API_KEY\" \\\n  \
         --header 'content-type: application/json' \\\n  \
         --data-raw '{\"name\":\"Ada'\\''s $HOME `id`\"}'\n"
    );
    let [_, basic, signed] = authentications();
    assert!(request.to_curl(&basic).contains("--user AC123:\"$API_KEY\""));
    let signed = request.to_curl(&signed);
    assert!(signed.contains("--aws-sigv4 aws:amz:us-east-1:sms-voice \\\n"), "{signed}");
    assert!(signed.contains("--user \"$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY\""), "{signed}");
}
