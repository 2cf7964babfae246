//! Sends a webhook once, within a time.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Uri};
use hyper::client::conn::http1::handshake;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::signature::sign;
use super::{Delivered, Webhook};

/// The time a receiver has to answer.
const ANSWER_TIME: Duration = Duration::from_secs(5);

/// Sends a webhook, and waits for the status of the answer. The body of the answer is not read, and no redirect followed.
pub(crate) async fn send(webhook: &Webhook, seconds: i64, nonce: &str) -> Delivered {
    let sent = timeout(ANSWER_TIME, try_send(webhook, seconds, nonce)).await;
    sent.ok().flatten().map_or(Delivered::NotAnswered, Delivered::Answered)
}

async fn try_send(webhook: &Webhook, seconds: i64, nonce: &str) -> Option<u16> {
    let signed = sign(webhook, seconds, nonce);
    let uri: Uri = signed.url.parse().ok()?;
    // Once more, at the only place that connects: nothing is sent to another machine.
    let stream = TcpStream::connect(webhook.destination()?).await.ok()?;
    let (mut sender, connection) = handshake::<_, Body>(TokioIo::new(stream)).await.ok()?;
    let path = uri.path_and_query().map_or("/", |it| it.as_str());
    let host = uri.authority()?.as_str().rsplit('@').next()?;
    let assumed = webhook.assumed.join(", ");
    let mut request = Request::builder()
        .method(webhook.method.as_str())
        .uri(path)
        .header("host", host)
        .header("user-agent", "tollproof-sandbox")
        .header("x-tollproof-sandbox", if assumed.is_empty() { "documented" } else { "assumed" });
    if !assumed.is_empty() {
        request = request.header("x-tollproof-sandbox-assumption", assumed);
    }
    if let Some(login) = &webhook.login {
        request = request.header("authorization", login);
    }
    for (name, value) in signed.headers {
        request = request.header(name, value);
    }
    let request = if webhook.method == "GET" {
        request.body(Body::empty())
    } else {
        request.header("content-type", &webhook.content_type).body(Body::from(webhook.body.clone()))
    };
    let answer = sender.send_request(request.ok()?);
    tokio::pin!(answer);
    let answer = tokio::select! {
        answer = &mut answer => answer,
        // The connection has ended, so the answer is there or never comes.
        _ = connection => answer.await,
    };
    answer.ok().map(|response| response.status().as_u16())
}
