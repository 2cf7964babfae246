//! Limits of a client.

use std::time::Duration;

/// Limits of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientOptions {
    /// The time one try may take, from looking up the host to the end of the answer.
    pub timeout: Duration,
    /// The time all tries of a request may take, with the pauses between them.
    pub whole: Duration,
    /// The most tries of a request.
    pub tries: u32,
    /// The pause before the second try, if the provider names none; each further one is twice as long.
    pub pause: Duration,
    /// The longest pause. If the provider asks for more, its answer is returned.
    pub max_pause: Duration,
    /// The largest body of an answer, in bytes.
    pub max_body: usize,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            whole: Duration::from_secs(180),
            tries: 3,
            pause: Duration::from_millis(500),
            max_pause: Duration::from_secs(60),
            max_body: 8 << 20,
        }
    }
}
