//! A request as text and as a command of curl, without its key.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::authentication::Authentication;
use super::request::{HttpRequest, USER_AGENT};
use super::sigv4::ALGORITHM;

/// Text in place of a key.
pub(super) const MASK: &str = "******";

impl HttpRequest {
    /// The request as it would be sent, with `******` in place of the key. It has personal data if the body has.
    pub fn to_text(&self, authentication: &Authentication) -> String {
        let mut target = self.url.path().to_owned();
        if let Some(query) = self.url.query() {
            let _ = write!(target, "?{query}");
        }
        let host = self.url.host_str().unwrap_or_default();
        let port = self.url.port().map(|it| format!(":{it}")).unwrap_or_default();
        let mut text = format!("{} {target} HTTP/1.1\nhost: {host}{port}\n", self.method.name());
        let own = self.headers.iter().map(|(name, value)| (name.to_lowercase(), value.clone()));
        for (name, value) in own.chain(masked(authentication)) {
            let _ = writeln!(text, "{name}: {value}");
        }
        let _ = writeln!(text, "user-agent: {USER_AGENT}");
        if let Some(body) = &self.body {
            let length = body.bytes.len();
            let _ = writeln!(text, "content-type: {}\ncontent-length: {length}\n", body.content_type);
            match str::from_utf8(&body.bytes) {
                Ok(body) => text.push_str(body),
                Err(_) => {
                    let _ = write!(text, "({length} bytes)");
                }
            }
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
        text
    }

    /// A command of curl that sends the request, for a POSIX shell. The key is the variable `$API_KEY`, with AWS the usual
    /// variables. A body that is not text is the file `BODY`.
    pub fn to_curl(&self, authentication: &Authentication) -> String {
        let mut lines = vec![format!("curl --request {} {}", self.method.name(), quoted(self.url.as_str()))];
        if self.url.as_str().contains(['[', ']', '{', '}']) {
            lines.push("--globoff".to_owned());
        }
        for (name, value) in &self.headers {
            lines.push(format!("--header {}", quoted(&format!("{name}: {value}"))));
        }
        match authentication {
            Authentication::None => {}
            Authentication::Basic { user, .. } => {
                lines.push(format!("--user {}\"$API_KEY\"", quoted(&format!("{user}:"))));
            }
            Authentication::Header { name, prefix, .. } => {
                lines.push(format!("--header {}\"$API_KEY\"", quoted(&format!("{name}: {prefix}"))));
            }
            Authentication::SigV4 { session_token, region, service, .. } => {
                lines.push(format!("--aws-sigv4 {}", quoted(&format!("aws:amz:{region}:{service}"))));
                lines.push("--user \"$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY\"".to_owned());
                if session_token.is_some() {
                    lines.push("--header \"x-amz-security-token: $AWS_SESSION_TOKEN\"".to_owned());
                }
            }
        }
        if let Some(body) = &self.body {
            lines.push(format!("--header {}", quoted(&format!("content-type: {}", body.content_type))));
            match str::from_utf8(&body.bytes) {
                Ok(text) if !text.contains('\0') => lines.push(format!("--data-raw {}", quoted(text))),
                _ => lines.push("--data-binary @BODY".to_owned()),
            }
        }
        lines.join(" \\\n  ") + "\n"
    }
}

/// The headers of a key, masked.
fn masked(authentication: &Authentication) -> Vec<(String, String)> {
    let authorization = |text: &str| ("authorization".to_owned(), format!("{text} {MASK}"));
    match authentication {
        Authentication::None => Vec::new(),
        Authentication::Basic { .. } => vec![authorization("Basic")],
        Authentication::Header { name, prefix, .. } => vec![(name.to_lowercase(), format!("{prefix}{MASK}"))],
        Authentication::SigV4 { session_token, .. } => {
            let token = session_token.as_ref().map(|_| ("x-amz-security-token".to_owned(), MASK.to_owned()));
            token.into_iter().chain([authorization(ALGORITHM)]).collect()
        }
    }
}

/// An argument for a POSIX shell.
fn quoted(text: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._/:=@%+,".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_plain) {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', r"'\''")).into()
    }
}
